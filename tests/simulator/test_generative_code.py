"""Solutions in code, and what is said of them; also as they go wrong."""

import pytest

from inspect_debate.debate.record import Kind, Parsed, Status
from inspect_debate.grading.code import read_code
from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.generative import rulings, solution, stance
from inspect_debate.simulator.policy import Draws
from inspect_debate.simulator.profiles import PROFILES
from inspect_debate.simulator.simulated import play
from tests.simulator.asking import api_for, ask, check_share
from tests.simulator.generative_asking import (
    ENTRY_POINT,
    generative_cue,
    generative_kinds,
    in_code,
    known_code,
    read_generative,
    review_cue,
    verdict_cue,
)

FAULTY = {"malformed", "refusing", "truncating"}
KINDS: tuple[Kind, ...] = ("answer", "speech", "candidate", "verdict", "reward")
CASES = [(n, epoch) for n in range(100) for epoch in (1, 2, 3)]


def _read(text: str) -> Parsed:
    return read_code(text, ENTRY_POINT)


# --- what is read ------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("profile", sorted(set(PROFILES) - FAULTY))
def test_every_profile_reads_back_as_drawn(profile: str) -> None:
    api = api_for(profile)
    cues = [
        in_code(description, n) for n in range(4) for description in generative_kinds(n)
    ]
    for description, output in zip(cues, ask(api, *cues), strict=True):
        found = read_generative(description, output.completion)
        draws = Draws(api.behaviour, description)
        if description.format == "solution":
            assert found == {"answer": Parsed.ok(solution(draws))}
        elif description.format == "review":
            assert found == {"stance": Parsed.ok(stance(draws))}
        elif description.format == "rulings":
            for name, ruling in rulings(draws).items():
                correct = "correct" if ruling.correct else "incorrect"
                assert found[f"verdict {name}"] == Parsed.ok(correct)
        else:
            assert found["speech"].status == Status.OK


def test_right_and_wrong_programs_are_those_of_the_data_set() -> None:
    cues = [in_code(generative_cue("answer", n, epoch=epoch), n) for n, epoch in CASES]
    given: list[int] = []
    for (n, _), output in zip(CASES, ask(api_for(), *cues), strict=True):
        known = known_code(n)
        given.append(
            (known.right, *known.wrong).index(str(_read(output.completion).value))
        )
    check_share([which == 0 for which in given], 0.6)
    for wrong in (1, 2, 3):
        check_share([which == wrong for which in given if which], 1 / 3)


def test_rulings_are_the_same_as_on_grids() -> None:
    """What is decided does not depend on what a solution consists of."""
    behaviour = Behaviour()
    for n in range(30):
        for description in (verdict_cue(n, (True, False)), generative_cue("reward", n)):
            other = in_code(description, n).model_copy(
                update={"question": description.question}
            )
            shown = {"shown": description.shown, "own_answer": description.own_answer}
            assert rulings(Draws(behaviour, description)) == rulings(
                Draws(behaviour, other.model_copy(update=shown))
            )


# --- what goes wrong ---------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_turns_go_wrong_as_often_as_others(kind: Kind) -> None:
    cues = [
        in_code(review_cue(n, draw="1") if kind == "candidate" else description, n)
        for n, description in ((n, generative_cue(kind, n)) for n in range(300))
    ]
    api = api_for(unreadable_rate=0.3)
    unread = [
        next(iter(read_generative(description, output.completion).values())).status
        == Status.UNPARSED
        for description, output in zip(cues, ask(api, *cues), strict=True)
    ]
    check_share(unread, 0.3)


@pytest.mark.parametrize("n", range(5))
def test_a_reask_gives_the_program_alone(n: int) -> None:
    description = in_code(generative_cue("answer", n), n)
    first, again = (
        play(Behaviour(reask_success=1), each, "").text
        for each in (description, description.model_copy(update={"reask": 1}))
    )
    assert again.startswith("```py")
    assert first.endswith(f"\n\n{again}")
    assert _read(again) == _read(first)


def test_completions_of_answers_are_the_same_in_every_format() -> None:
    told = {"interaction": "consultancy", "best_of": 4, "rounds": 3}
    faulty = Behaviour(unreadable_rate=0.3, hostile_rate=0.5)
    for n in range(40):
        description = in_code(generative_cue("answer", n), n)
        other = description.model_copy(update=told)
        assert play(faulty, description, "") == play(faulty, other, "")


FORMATS: tuple[str, ...] = ("solution", "case", "review", "rulings")


def test_every_turn_of_the_study_is_played() -> None:
    kinds = {in_code(description, 1).format for description in generative_kinds(1)}
    assert kinds == {*FORMATS}
