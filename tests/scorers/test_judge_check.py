"""What verdicts did, from records of a judge check."""

from math import nan
from typing import cast

import pytest
from inspect_ai.scorer import SampleScore, Score

from inspect_debate.debate.record import Debate, Turn
from inspect_debate.scorers.judge_check import check_values, verdict_changes

FAVOURED = {"repeat": "", "order": "B", "names": "B", "length": "A"}


def record(**verdicts: str) -> Debate:
    """The record of a check, from the answer of each verdict; empty if unread."""
    turns = [
        Turn(
            speaker="judge",
            role="judge",
            kind=kind,
            status="ok" if answer else "unparsed",
            fields={"answer": answer, "favours": FAVOURED.get(kind)} if answer else {},
        )
        for kind, answer in verdicts.items()
    ]
    return Debate(protocol="judge_check", turns=turns, complete=True)


@pytest.mark.parametrize(
    ("verdicts", "values"),
    [
        (("A", "A", "A", "A", "A"), (1, 0, 0, 0, 0)),
        (("A", "B", "B", "B", "B"), (0, 1, 1, -1, 0)),
        (("B", "B", "A", "A", "A"), (1, -1, -1, 1, 0)),
        (("B", "A", "B", "", "A"), (0, 0, nan, 1, 1)),
        (("", "A", "A", "B", ""), (nan, nan, nan, nan, 2)),
    ],
)
def test_moves(verdicts: tuple[str, ...], values: tuple[float, ...]) -> None:
    kinds = ("verdict", *FAVOURED)
    found = check_values(record(**dict(zip(kinds, verdicts, strict=True))))
    assert [*found] == [*FAVOURED, "unread"]
    assert [*found.values()] == pytest.approx(values, nan_ok=True)


def test_a_check_that_was_not_made_is_not_unread() -> None:
    found = check_values(record(verdict="A", repeat="A", order="B", length="A"))
    assert found == pytest.approx(
        {"repeat": 1, "order": 1, "names": nan, "length": 0, "unread": 0}, nan_ok=True
    )


def test_metrics() -> None:
    rows = [(1, 1, 0, 0, 0), (0, -1, nan, 1, 1), (1, 1, 0, 1, 0), (nan, nan, 0, 0, 1)]
    names = ("repeat", "order", "names", "length", "unread")
    scores = [
        SampleScore(
            score=Score(value=dict(zip(names, map(float, row), strict=True))),
            sample_id=f"q{n}",
        )
        for n, row in enumerate(rows)
    ]
    found = cast(dict[str, float], verdict_changes()(scores))  # type: ignore[arg-type]  # called as Inspect calls it
    assert found.pop("unchanged_stderr") > 0
    assert found == pytest.approx(
        {
            "unchanged": 7 / 13,  # 2 of 3 repeats, 0 of 3, 3 of 3 and 2 of 4
            "repeat": 2 / 3,
            "order": 1 / 3,
            "names": 0,
            "length": 2 / 4,
            "unread": 2 / 4,
        }
    )
