"""Tasks that are solved and ruled on, as they are played."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import Kind, Parsed, Status
from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.generative import rulings, solution, stance
from inspect_debate.simulator.policy import Draws
from inspect_debate.simulator.profiles import PROFILES
from inspect_debate.simulator.simulated import play
from tests.simulator.asking import api_for, ask, check_share
from tests.simulator.generative_asking import (
    generative_cue,
    generative_kinds,
    read_generative,
    review_cue,
    verdict_cue,
)

FAULTY = {"malformed", "refusing", "truncating"}
BALANCED = PROFILES["balanced"]
KINDS: tuple[Kind, ...] = ("answer", "speech", "candidate", "verdict", "reward")


def _decided(draws: Draws) -> dict[str, Parsed]:
    match draws.description.format:
        case "solution":
            return {"answer": Parsed.ok(solution(draws))}
        case "review":
            return {"stance": Parsed.ok(stance(draws))}
        case "rulings":
            stated = {
                name: {
                    "verdict": "correct" if ruling.correct else "incorrect",
                    "confidence": ruling.confidence,
                }
                for name, ruling in rulings(draws).items()
            }
            return {
                f"{what} {name}": Parsed.ok(value)
                for name, fields in stated.items()
                for what, value in fields.items()
            }
        case _:
            return {"speech": Parsed.ok("")}


# --- what is drawn is what is read -------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("profile", sorted(set(PROFILES) - FAULTY))
def test_every_profile_reads_back_as_drawn(profile: str) -> None:
    api = api_for(profile)
    cues = [description for n in range(6) for description in generative_kinds(n)]
    for description, output in zip(cues, ask(api, *cues), strict=True):
        found = read_generative(description, output.completion)
        assert found == _decided(Draws(api.behaviour, description)), description
        assert output.stop_reason == "stop"


def test_order_of_calls_does_not_matter() -> None:
    cues = [description for n in range(4) for description in generative_kinds(n)]
    shuffled = Random(1).sample(cues, len(cues))
    values: dict[str, Any] = {
        "unreadable_rate": 0.3, "refused_rate": 0.1, "truncated_rate": 0.1,
        "hostile_rate": 0.3, "reasoning_words": 20,
    }  # fmt: skip

    def texts(asked: Sequence[TurnDescription]) -> dict[str, str]:
        outputs = ask(api_for(**values), *asked)
        return {
            description.model_dump_json(): output.message.model_dump_json(
                exclude={"id"}
            )
            for description, output in zip(asked, outputs, strict=True)
        }

    assert texts(cues) == texts(shuffled)


def test_completions_of_answers_are_the_same_in_every_format() -> None:
    """Down to how they go wrong, so that runs of several formats are paired."""
    faulty = Behaviour(unreadable_rate=0.3, refused_rate=0.2, hostile_rate=0.5)
    told = {"interaction": "consultancy", "best_of": 4, "rounds": 3}
    for n in range(60):
        description = generative_cue("answer", n)
        other = description.model_copy(update=told)
        assert play(faulty, description, "") == play(faulty, other, "")


@pytest.mark.parametrize("kind", ["answer", "verdict", "reward"])
def test_what_no_data_set_has_registered_is_not_played(kind: Kind) -> None:
    description = generative_cue(kind, question="nowhere")
    with pytest.raises(InputError, match="the task of sample 'task1'"):
        ask(api_for(), description)


def test_a_stance_needs_a_known_task_and_a_plain_speech_does_not() -> None:
    with pytest.raises(InputError, match="register_solution"):
        ask(api_for(), review_cue(question="nowhere"))
    (output,) = ask(api_for(), generative_cue("speech", question="nowhere"))
    assert output.completion


# --- what goes wrong ---------------------------------------------------------------


def _of(kind: Kind, n: int) -> TurnDescription:
    return review_cue(n, draw="1") if kind == "candidate" else generative_cue(kind, n)


@pytest.mark.parametrize("kind", KINDS)
def test_turns_go_wrong_as_often_as_others(kind: Kind) -> None:
    cues = [_of(kind, n) for n in range(300)]
    api = api_for(unreadable_rate=0.2, refused_rate=0.2, truncated_rate=0.2)
    outputs = ask(api, *cues)
    reasons = [output.stop_reason for output in outputs]
    for reason in ("content_filter", "max_tokens"):
        check_share([r == reason for r in reasons], 0.2)
    unread = [
        next(iter(read_generative(description, output.completion).values())).status
        == Status.UNPARSED
        for description, output in zip(cues, outputs, strict=True)
        if output.stop_reason == "stop"
    ]
    check_share(unread, 1 / 3)


def _texts(description: TurnDescription) -> tuple[str, str]:
    """What is said at first where all goes well, and in a re-ask."""
    (first,) = ask(api_for(), description)
    again = description.model_copy(update={"reask": 1})
    (second,) = ask(api_for(unreadable_rate=1, reask_success=1), again)
    return first.completion, second.completion


@pytest.mark.parametrize(
    ("description", "begins"),
    [
        (generative_cue("answer"), "```"),
        (verdict_cue(2, (True, False)), "```json\n{"),
        (generative_cue("reward"), "```json\n{"),
        (review_cue(3), "Stance: "),
        (review_cue(3, draw="2", round=2), "Stance: "),
    ],
)
def test_a_reask_says_what_decides_alone(
    description: TurnDescription, begins: str
) -> None:
    first, second = _texts(description)
    assert second.startswith(begins)
    assert first.endswith(f"\n\n{second}")
    assert read_generative(description, first) == read_generative(description, second)
    if begins == "Stance: ":
        assert second in ("Stance: AGREE", "Stance: DISAGREE")


@pytest.mark.parametrize("kind", ["speech", "candidate"])
def test_a_reasked_speech_is_a_whole_speech(kind: Kind) -> None:
    first, second = _texts(generative_cue(kind))
    assert first == second


def test_reasks_fail_as_often_as_they_should() -> None:
    cues = [generative_cue("answer", n, reask=1) for n in range(300)]
    outputs = ask(api_for(unreadable_rate=1, reask_success=0.7), *cues)
    read = [
        read_generative(description, output.completion)["answer"].status == Status.OK
        for description, output in zip(cues, outputs, strict=True)
    ]
    check_share(read, 0.7)
