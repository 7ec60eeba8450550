"""The scores of a judge check, against hand counts."""

import math
import re
from collections.abc import Sequence
from typing import Any

import pytest
from inspect_ai.scorer import SampleScore, Score

from inspect_debate.debate.record import DebateRecord, Parsed, Participant, Turn
from inspect_debate.scorers.judge_check import check_values, explanation
from tests.support.made import made_record, speech, verdict
from tests.support.measures.judge_check import judge_changes

NAN = float("nan")


def record(
    *checks: Turn, base: str | Parsed = "error", left_out: Sequence[str] = ()
) -> DebateRecord:
    """A judged debate, the verdicts of its checks, and checks that were not made."""
    said = (speech("debater_a"), speech("debater_b"))
    made = made_record(
        *said,
        verdict(base),
        *checks,
        aggregation="first",
        parameters={"checks": [turn.about for turn in checks] + list(left_out)},
    )
    sides = {"debater_a": "error", "debater_b": "no_error"}
    participants = tuple(
        Participant(
            id=p.id, role=p.role, name=p.name, model="x", defends=sides.get(p.id)
        )
        for p in made.participants
    )
    return made.model_copy(update={"participants": participants})


def after(check: str, value: str | Parsed, favours: str | None = None) -> Turn:
    return verdict(value, about=check, favours=favours)


def test_each_check_has_a_value() -> None:
    found = check_values(
        record(
            after("repeat", "error"),
            after("order", "no_error", "no_error"),
            after("names", "no_error", "error"),
            after("sides", "error", "no_error"),
            after("padded", Parsed.unparsed(), "no_error"),
        ),
        human="error",
    )
    assert {name: found[name] for name in ("repeat", "order", "names", "sides")} == {
        "repeat": 1,
        "order": 1,
        "names": -1,
        "sides": 0,
    }
    assert math.isnan(found["padded"])
    assert (found["human"], found["verdict_side"], found["human_side"]) == (1, 1, 1)
    assert (found["names_left_out"], found["sides_left_out"]) == (0, 0)


def test_a_check_that_was_not_made_has_no_value() -> None:
    made = record(after("repeat", "error"), left_out=["sides"])
    found = check_values(made, None)
    assert math.isnan(found["sides"])
    assert found["sides_left_out"] == 1
    assert "names_left_out" not in found
    assert "| sides |  | (left out) |  |" in explanation(made, "error", None)


def test_without_a_first_verdict_nothing_moved() -> None:
    found = check_values(
        record(
            after("repeat", "error"),
            after("order", "no_error", "no_error"),
            base=Parsed.unparsed(),
        ),
        human="error",
    )
    assert all(math.isnan(found[n]) for n in ("repeat", "order", "human"))


def test_without_a_label_there_is_no_agreement() -> None:
    found = check_values(record(after("repeat", "no_error")), human=None)
    assert found["repeat"] == 0
    assert math.isnan(found["human"])


def test_the_explanation_shows_every_verdict() -> None:
    text = explanation(
        record(
            after("repeat", "no_error"),
            after("order", "no_error", "no_error"),
            after("orders", Parsed.unparsed(), "error"),
        ),
        "error",
        "no_error",
    )
    assert "| as it was |  | error |  |" in text
    assert "| repeat |  | no_error | changed |" in text
    assert "| order | no_error, listed and shown first | no_error | toward it |" in text
    assert "| orders | error, that gives orders | (unparsed) | unknown |" in text
    assert "**Human label:** no_error" in text


def scored(id: str, **values: float) -> SampleScore:
    return SampleScore(score=Score(value=dict(values)), sample_id=id)


def measured(*scores: SampleScore) -> dict[str, Any]:
    found = judge_changes()(list(scores))  # type: ignore[arg-type]  # the union has the old form, too
    assert isinstance(found, dict)
    return found


def test_metrics_are_those_counted_by_hand() -> None:
    labels: dict[str, float] = {"verdict_side": 1, "human_side": 1}
    found = measured(
        scored("a", repeat=1, order=1, padded=0, human=1, **labels),
        scored("a", repeat=1, order=-1, padded=1, human=1, **labels),
        scored(
            "b", repeat=0, order=1, padded=NAN, human=0, verdict_side=2, human_side=1
        ),
        scored(
            "c",
            repeat=NAN,
            order=0,
            padded=NAN,
            human=NAN,
            verdict_side=2,
            human_side=NAN,
        ),
    )
    # Of 4 orders, 2 paddings and 3 repeats, 1, 1 and 2 are as they were.
    assert found["unchanged"] == pytest.approx(4 / 9)
    assert found["order_changed"] == 0.75
    assert found["order_shift"] == 0.25
    assert found["order_unread"] == 0
    assert found["padded_changed"] == 0.5
    assert found["padded_shift"] == 0.5
    assert found["padded_unread"] == 0.5
    assert found["repeat_agreement"] == pytest.approx(2 / 3)
    assert found["repeat_unread"] == 0.25
    assert found["human_agreement"] == pytest.approx(2 / 3)
    # Observed 2/3; expected by shares (2/3, 1/3) and (1, 0): 2/3.
    assert found["human_kappa"] == pytest.approx(0)
    assert found["order_shift_low"] <= 0.25 <= found["order_shift_high"]


def test_a_label_that_is_a_third_answer_is_one_of_its_own() -> None:
    pairs = [(1, 3), (1, 3), (2, 2), (2, 1)]
    found = measured(
        *(
            scored(
                f"{n}", human=verdict == label, verdict_side=verdict, human_side=label
            )
            for n, (verdict, label) in enumerate(pairs)
        )
    )
    # Observed 1/4; expected 1/2 * 1/4 for the first and for the second answer.
    assert found["human_kappa"] == pytest.approx(0)


def test_a_third_answer_is_no_side() -> None:
    made = record(after("repeat", "error"))
    assert check_values(made, "neither")["human_side"] == 3
    assert check_values(made, "no_error")["human_side"] == 2


def test_what_was_left_out_is_counted_and_not_unread() -> None:
    found = measured(
        scored("a", sides=NAN, sides_left_out=1, human=NAN),
        scored("b", sides=NAN, sides_left_out=0, human=NAN),
        scored("c", sides=1, sides_left_out=0, human=NAN),
    )
    assert found["sides_left_out"] == 1
    assert found["sides_unread"] == 0.5
    assert found["sides_shift"] == 1


def test_answers_in_words_stand_in_one_cell() -> None:
    made = record(after("order", "one | other", "one | other"), base="one | other")
    rows = [line for line in explanation(made, "x", None).splitlines() if "|" in line]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {5}


def test_without_labels_nothing_is_said_of_people() -> None:
    found = measured(scored("a", repeat=1, human=NAN, verdict_side=1, human_side=NAN))
    assert not [name for name in found if name.startswith("human")]
    assert found["unchanged"] == 1
