"""Updates, several draws and grades, as they are decided and played."""

import re
from typing import Any

import pytest

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.record import Kind, Status
from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.policy import Draws, hacking, known_truth, label
from inspect_debate.simulator.profiles import PROFILES
from tests.simulator.asking import (
    SPEECH,
    N,
    api_for,
    ask,
    check_share,
    choice_cue,
    cue_for,
    read,
    required,
)
from tests.simulator.reading import DEVICES

PAIR = ("B", "D")

# --- updates -----------------------------------------------------------------------


@pytest.mark.parametrize(("held", "shown"), [("error", "no_error"), ("B", "D")])
def test_updates_follow_the_law(held: str, shown: str) -> None:
    behaviour = Behaviour(yield_wrong=0.7, yield_right=0.1)
    make = cue_for if held == "error" else choice_cue
    took: dict[bool, list[bool]] = {True: [], False: []}
    for n in range(N):
        choices: dict[str, Any] = {} if make is cue_for else {"choices": PAIR}
        description = make(
            "update", n, own_answer=held, shown=(shown,), round=1, **choices
        )
        right = known_truth(description.question, description.choices) == held
        took[right].append(label(Draws(behaviour, description)) == shown)
    check_share(took[False], 0.7)
    check_share(took[True], 0.1)


@pytest.mark.parametrize("shown", [(), ("error",), ("error", "error")])
def test_who_sees_no_other_answer_stays(shown: tuple[str, ...]) -> None:
    behaviour = Behaviour(yield_wrong=1, yield_right=1)
    cues = [cue_for("update", n, own_answer="error", shown=shown) for n in range(60)]
    assert {label(Draws(behaviour, description)) for description in cues} == {"error"}


def test_among_several_answers_the_commoner_is_likelier() -> None:
    behaviour = Behaviour(yield_wrong=1, yield_right=1)
    cues = [
        choice_cue("update", n, own_answer="A", shown=("A", "B", "C", "B"))
        for n in range(N)
    ]
    said = [label(Draws(behaviour, description)) for description in cues]
    assert set(said) == {"B", "C"}
    check_share([answer == "B" for answer in said], 2 / 3)


def test_who_was_not_understood_answers_anew() -> None:
    behaviour = Behaviour(sensitivity=0.9, specificity=0.6, yield_wrong=1)
    for truth, law in ((1, 0.9), (0, 0.4)):
        cues = [cue_for("update", n, shown=("no_error",)) for n in range(truth, N, 2)]
        check_share(
            [label(Draws(behaviour, description)) == "error" for description in cues],
            law,
        )


def test_rounds_of_updates_are_drawn_apart() -> None:
    coin = PROFILES["coin"]
    first, second = (
        [
            label(
                Draws(
                    coin,
                    cue_for(
                        "update", n, own_answer="error", shown=("no_error",), round=r
                    ),
                )
            )
            for n in range(400)
        ]
        for r in (1, 2)
    )
    check_share([a == b for a, b in zip(first, second, strict=True)], 0.5)


# --- several draws -----------------------------------------------------------------


@pytest.mark.parametrize("kind", ["labels", "options"])
def test_draws_of_one_prompt_are_independent_and_alike(kind: str) -> None:
    behaviour = Behaviour(sensitivity=0.7, specificity=0.7, choice_accuracy=0.7)
    make = cue_for if kind == "labels" else choice_cue

    def right(n: int, draw: int) -> bool:
        description = make("answer", n, draw=str(draw))
        best = known_truth(description.question, description.choices)
        return label(Draws(behaviour, description)) == best

    drawn = [[right(n, draw) for draw in (1, 2, 3)] for n in range(N)]
    for one in zip(*drawn, strict=True):
        check_share(one, 0.7)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        check_share([d[i] and d[j] for d in drawn], 0.49)


# --- graders -----------------------------------------------------------------------


def _graded(draw: str, **values: Any) -> list[TurnDescription]:
    return [cue_for("grade", n, draw=draw, choices=(), **values) for n in range(300)]


def test_hacking_is_found_at_its_rates_and_for_each_speech_anew() -> None:
    rates = {"fake_evidence": 0.2, "overconfident": 0.6, "fallacious": 0.4}
    behaviour = Behaviour.model_validate({f"{k}_rate": v for k, v in rates.items()})
    one, other = (
        [hacking(Draws(behaviour, description)) for description in _graded(draw)]
        for draw in ("debater_a 1", "debater_a 2")
    )
    for device, rate in rates.items():
        pairs = [
            (a[device], b[device])  # type: ignore[index]  # the keys of `rates`
            for a, b in zip(one, other, strict=True)
        ]
        check_share([a for a, _ in pairs], rate)
        check_share([a and b for a, b in pairs], rate**2)


def test_passages_of_hacking_stand_in_the_speech() -> None:
    api = api_for(fake_evidence_rate=1, overconfident_rate=1, fallacious_rate=0)
    passages = set()
    for output in ask(api, *_graded("debater_b 1")[:60]):
        lines = output.completion.splitlines()[-3:]
        assert lines[2] == "Fallacious argument: 0"
        for name, line in zip(DEVICES[:2], lines, strict=False):
            hit = re.fullmatch(rf'{name}: 1 \| "([^"]+)"', line)
            assert hit is not None
            assert hit[1] in SPEECH
            assert 5 <= len(hit[1].split()) <= 9
            passages.add(hit[1])
    assert len(passages) > 5


def test_alignment_is_found_at_its_rate() -> None:
    cues = _graded("", format="alignment")
    outputs = ask(api_for(alignment_rate=0.3), *cues)
    found = [
        read(c, o.completion)["aligned"] for c, o in zip(cues, outputs, strict=True)
    ]
    check_share([field.value == "1" for field in found], 0.3)


@pytest.mark.parametrize("kind", ["update", "grade"])
def test_new_turns_go_wrong_as_often_as_others(kind: Kind) -> None:
    cues = [cue_for(kind, n) for n in range(300)]
    api = api_for(unreadable_rate=0.2, refused_rate=0.2, truncated_rate=0.2)
    outputs = ask(api, *cues)
    for reason, law in (("content_filter", 0.2), ("max_tokens", 0.2)):
        check_share([output.stop_reason == reason for output in outputs], law)
    unread = [
        required(description, output.completion) == Status.UNPARSED
        for description, output in zip(cues, outputs, strict=True)
    ]
    check_share(unread, 0.6)


def test_a_turn_of_another_packages_kind_is_given_again_whole() -> None:
    first = choice_cue("cross_answer", format="argument", defends="B", round=1)
    again = first.model_copy(update={"reask": 1})
    said, repeated = ask(api_for(), first, again)
    assert "<argument>" in said.completion
    assert repeated.completion == said.completion
