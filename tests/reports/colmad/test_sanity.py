from typing import Any

import pytest

from inspect_debate.reports.calls import Calls, call_notices
from inspect_debate.reports.colmad import debated_notices, parts
from inspect_debate.reports.colmad_conditions import Condition
from inspect_debate.reports.notices import item_notices, judge_notices, self_notices
from inspect_debate.reports.sanity import (
    STAGES,
    order_table,
    samples_table,
    unread_notices,
    unread_table,
)
from tests.reports.made_scores import NONE, condition, rows, scores

SAID = {"a": (1, 1), "b": (0, 0), "c": (1, NONE), "d": (0, 1)}
READ: dict[str, Any] = {
    **{"answer_ok": 2, "answer_unparsed": 0, "answer_refused": 0},
    **{"answer_truncated": 0, "verdict_ok": [1, 1, 0, 0]},
    **{"verdict_unparsed": [0, 0, 1, 0], "shown_first": [1, 0, 0, 0]},
}


def debate(*people: str, **columns: object) -> Condition:
    samples = scores(SAID, **READ | {"debated": [1, 1, 1, 0]} | columns)
    return condition("colmad", samples, *(people or ("A", "B", "A")))


def test_a_stage_of_which_much_is_missing_comes_first() -> None:
    (notice,) = unread_notices(parts([debate()]), STAGES)
    assert notice.level == "warning"
    assert "33% of the verdicts unreadable: ColMAD (A + B)" in notice.text
    assert "25% of the samples without an outcome: ColMAD (A + B)" in notice.text
    well = scores({"a": (1, 1)}, answer_ok=10, answer_refused=1)
    assert not list(unread_notices(parts([condition("single", well, "A")]), STAGES))


def test_only_stages_with_losses_are_listed() -> None:
    table = unread_table(parts([debate()]), STAGES)
    assert table is not None
    (row,) = table.frame.to_dict("records")
    assert (row["Stage"], row["Asked for"]) == ("Verdicts", 3)
    assert row["Unreadable"] == pytest.approx(1 / 3)
    assert unread_table(parts([debate(verdict_unparsed=0)]), STAGES) is None


def test_debated_share_and_a_judge_that_debates_are_said() -> None:
    (held,) = debated_notices([debate()])
    assert "75% ColMAD (A + B)" in held.text
    assert not list(debated_notices([condition("single", scores(SAID), "A")]))
    (judge,) = judge_notices(parts([debate()]))
    assert judge.text.endswith("- ColMAD (A + B)")
    assert not list(judge_notices(parts([debate("A", "B", "J")])))
    (alone,) = self_notices(parts([debate("A", "A", "J")]))
    assert "debates itself" in alone.text
    unknown = condition("colmad", scores(SAID), None, None, "J")
    assert not list(self_notices(parts([debate(), unknown])))


def test_a_replaced_row_is_not_in_the_price() -> None:
    mixed = condition("single", scores(SAID, run=["new", "old", "old", "old"]), "A")
    prices = {("old", id, 1): 1.0 for id in SAID} | {("new", "a", 1): 3.0}
    (row,) = rows(mixed, of="cost", calls=Calls({}, prices, []))
    assert row["Cost in USD"] == (3 + 1 + 1 + 1) / 4


def test_other_items_of_the_same_number_are_said() -> None:
    one, other = (condition("single", scores({id: (1, 1)}), id) for id in "ab")
    (notice,) = item_notices(parts([one, other]))
    said = "1 other items (seed or --limit differ): Single agent (b)"
    assert said in notice.text


def test_what_became_of_samples() -> None:
    stopped = debate(scored=[True, True, False, False], limit=[*[None] * 3, "time"])
    row = samples_table(parts([stopped])).frame.iloc[0]
    assert (row["Stopped by a limit"], row["Not scored"]) == (1, 2)
    assert (row["Items"], row["Groups"], row["No outcome"]) == (4, 4, 0)
    assert samples_table(parts([debate()])).frame.iloc[0]["No outcome"] == 1


def test_order_effects() -> None:
    both = {"prediction_ab": [1, 0, NONE, 1], "prediction_ba": [1, 1, 1, 1]}
    table = order_table(parts([debate(**both, verdicts=[2, 2, 2, 0])]))
    assert table is not None
    (row,) = table.frame.to_dict("records")
    assert row["For the first"] == pytest.approx(1 / 2)
    # a agrees, b does not, c was not read, d was not judged.
    assert row["Both orders agree"] == pytest.approx(1 / 2)
    assert order_table(parts([debate(verdict_ok=0)])) is None


@pytest.mark.parametrize(
    ("served", "said"),
    [
        ({("openai/gpt-4o-mini", "gpt-4o-mini-2024-07-18"): 9}, ""),
        ({("simulated/balanced", "balanced"): 9}, ""),
        ({("openai/gpt-4o-mini", "gpt-5"): 9}, "served as gpt-5."),
        ({("p/x", "x-1"): 3, ("p/x", "x-2"): 1}, "served as x-1, x-2."),
    ],
)
def test_models_of_another_name_are_said(
    served: dict[tuple[str, str], int], said: str
) -> None:
    texts = [notice.text for notice in call_notices(Calls(served, {}, []))]
    assert len(texts) == bool(said)
    assert all(said in text for text in texts)
