"""The scores of a judge check, against hand counts."""

import math
import re
from collections.abc import Sequence

from inspect_debate.v1.debate.record import DebateRecord, Parsed, Participant, Turn
from inspect_debate.v1.scorers.judge_check import check_values, explanation
from tests.v1.support.made import made_record, speech, verdict


def record(
    *checks: Turn, base: str | Parsed = "error", left_out: Sequence[str] = ()
) -> DebateRecord:
    """A judged debate, the verdicts of its checks, and checks that were not made."""
    speeches = (speech("debater_a"), speech("debater_b"))
    made = made_record(
        *speeches,
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


def test_a_third_answer_is_no_side() -> None:
    made = record(after("repeat", "error"))
    assert check_values(made, "neither")["human_side"] == 3
    assert check_values(made, "no_error")["human_side"] == 2


def test_answers_in_words_have_one_cell() -> None:
    made = record(after("order", "one | other", "one | other"), base="one | other")
    rows = [line for line in explanation(made, "x", None).splitlines() if "|" in line]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {5}
