"""Judges by debates: who is who, what counts, and what belongs together."""

import pandas as pd
import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.reports.judges.matrix import (
    JUDGEMENT,
    judge_matrix,
    judgements,
    panels,
)
from inspect_debate.reports.judges.verdicts import verdict_frame
from tests.reports.judges.made import said, three, verdicts


def cells(frame: pd.DataFrame) -> dict[str, list[object]]:
    """A matrix by judge, in the order of the debates."""
    plain = frame.sort_index()
    return {
        str(judge): [None if pd.isna(cell) else cell for cell in plain[judge]]
        for judge in plain
    }


def test_a_matrix_has_a_row_per_debate_and_the_best_judge_first() -> None:
    found = judge_matrix(three())
    assert list(found.index.names) == ["panel", "id", "epoch", "debate"]
    assert list(found.columns) == ["sure", "some", "half"]
    assert cells(found) == {
        "sure": [1, 1, 1, 1],
        "some": [1, None, None, 1],
        "half": [1, 1, 0, 0],
    }


def test_a_matrix_has_what_is_asked_for() -> None:
    assert cells(judge_matrix(three(), "answer"))["some"] == ["A", None, None, "B"]
    statuses = cells(judge_matrix(three(), "status"))["some"]
    assert statuses == ["ok", "unparsed", None, "ok"]
    with pytest.raises(InputError, match=r"value.*right, answer, status"):
        judge_matrix(three(), "colour")


@pytest.mark.parametrize(
    ("ab", "ba", "answer", "status"),
    [
        ("A", "A", "A", "ok"),
        ("A", "B", None, "tied"),
        ("A", "?", "A", "ok"),
        ("?", "B", "B", "ok"),
        ("?", "?", None, "unparsed"),
    ],
)
def test_both_orders_are_one_answer(
    ab: str, ba: str, answer: str | None, status: str
) -> None:
    made = verdicts(
        said("judge", f"{ab}---", order="ab"), said("judge", f"{ba}---", order="ba")
    )
    assert list(judgements(made)["status"]) == [status]
    assert cells(judge_matrix(made, "answer"))["judge"] == [answer]
    right = None if answer is None else float(answer == "A")
    assert cells(judge_matrix(made))["judge"] == [right]


def test_the_last_round_counts() -> None:
    made = verdicts(
        said("judge", "A---", round=0),
        said("judge", "A---", round=1),
        said("judge", "B---", round=2),
    )
    assert list(judgements(made)["answer"]) == ["B"]


def test_judges_of_runs_that_share_debates_are_a_panel() -> None:
    made = verdicts(
        said("one", "AB--", run="first"),
        said("other", "-BA-", run="second"),  # shares the second debate
        said("third", "---B", run="third"),
        said("fourth", "A---", run="fourth", debate="another on the same question"),
        said("fifth", "A---", run="fifth", epoch=2),
    )
    assert [panel.judges for panel in panels(made)] == [
        ["one", "other"],
        ["third"],
        ["fourth"],
        ["fifth"],
    ]
    assert judge_matrix(made).index.get_level_values("panel").tolist() == [
        *(1, 1, 1, 2, 3, 4)
    ]


def test_parts_of_a_run_in_several_logs_are_a_panel() -> None:
    made = verdicts(
        said("one", "A---", run="shard 1", condition="c"),
        said("one", "-BA-", run="shard 2", condition="c"),
        said("two", "A---", run="reused", condition="d"),
        said("one", "---B", run="other", condition="e"),
        said("one", "AB--", run="again", condition="c", debate="said anew"),
    )
    assert [panel.judges for panel in panels(made)] == [
        ["one", "two"],
        ["one"],
        ["one"],
    ]
    (first, other, again) = (panel.matrix() for panel in panels(made))
    assert cells(first) == {"one": [1, 1, 1], "two": [1, None, None]}
    assert (len(other), len(again)) == (1, 2)


def test_panels_have_the_order_of_the_logs() -> None:
    made = verdicts(
        said("late", "A---", run="b", debate="x"),
        said("early", "A---", run="a", debate="y"),
    )
    assert [panel.judges for panel in panels(made)] == [["late"], ["early"]]


def test_one_model_asked_in_two_ways_is_two_judges() -> None:
    made = verdicts(
        said("m", "ABAB", run="a", parameters={"order": "ab", "reuse": None}),
        said("m", "ABAB", run="b", parameters={"order": "ba", "reuse": "a.eval"}),
        said("n", "ABAB", run="c", settings={"temperature": 0.5}),
    )
    (panel,) = panels(made)
    assert panel.judges == ["m order=ab", "m order=ba", "n"]


def test_settings_of_the_judge_tell_it_apart() -> None:
    made = verdicts(
        said("m", "AB--", settings={"temperature": 0.0}),
        said("m", "AB--", judge="judge_2", settings={"temperature": 1.0}),
    )
    assert panels(made)[0].judges == [
        "m verdict.temperature=0.0",
        "m verdict.temperature=1.0",
    ]


def test_one_model_asked_again_in_the_same_way_is_numbered() -> None:
    made = verdicts(
        said("m", "ABAB", judge="judge_1"),
        said("m", "ABAA", judge="judge_2"),
        said("m", "A---", judge="judge", run="later"),
    )
    assert cells(judge_matrix(made, "answer")) == {
        "m": ["A", "B", "A", "B"],
        "m (2)": ["A", "B", "A", "A"],
        "m (3)": ["A", None, None, None],
    }


def test_a_model_that_judged_the_rest_later_is_the_same_judge() -> None:
    made = verdicts(
        said("m", "AB--", run="first"),
        said("m", "--AB", run="second"),
        said("n", "ABAB", run="third"),
    )
    assert cells(judge_matrix(made, "answer"))["m"] == ["A", "B", "A", "B"]


def test_without_verdicts_there_is_no_matrix() -> None:
    none = verdict_frame([])
    assert panels(none) == []
    assert judge_matrix(none).empty
    assert list(judgements(none).columns) == list(JUDGEMENT)
