"""What every report says before its numbers."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.evals.colmad import colmad
from inspect_debate.reports.conditions import CONDITION, MODELS, ConditionSamples
from inspect_debate.reports.logs import study_logs
from inspect_debate.reports.notices import (
    item_notices,
    judge_notices,
    made_up_notices,
    missing_vote_notices,
    reuse_notices,
    run_notices,
    self_notices,
)
from inspect_debate.reports.sanity import (
    order_table,
    samples_table,
    unread_notices,
    unread_table,
)
from tests.support.models import Messages, scripted
from tests.support.runs import run

NAMES = {"a": "Condition A", "b": "Condition B"}


def samples(*ids: str, **columns: Any) -> pd.DataFrame:
    plain = {"epoch": 1, "run": "r", "error": None, "limit": None, "scored": True}
    return pd.DataFrame({"id": list(ids), **plain, **columns})


def part(condition: str, *ids: str, of: str = "m", **given: Any) -> ConditionSamples:
    own = {
        name: given.pop(name)
        for name in ("unknown", "debaters", "judges", "told")
        if name in given
    }
    return ConditionSamples(
        {MODELS: of, CONDITION: condition}, samples(*ids, **given), **own
    )


@pytest.mark.parametrize(("unread", "above"), [(7, True), (5, False)])
def test_shards_below_their_cap_of_parse_failures_are_above_it_together(
    unread: int, above: bool, tmp_path: Path
) -> None:
    given = {"source": "sample", "protocol": "single", "max_unparsed": 0.2}
    unreadable: set[str] = set()

    def answer(messages: Messages, turn: TurnDescription) -> str:
        if turn.epoch == 1 and turn.sample in unreadable:
            return "Well, well."
        return "Therefore, the model response contains no error."

    for shard in ("1/2", "2/2"):
        task = colmad(**given, shard=shard)
        unreadable.update(str(s.id) for s in list(task.dataset)[:unread])
        run(task, tmp_path, scripted(answer), epochs=2)  # neither is stopped
    notices = [notice.text for notice in run_notices(study_logs(tmp_path))]
    found = [text for text in notices if text.startswith("Parse failures: each shard")]
    assert len(found) == above
    assert not above or f"{2 * unread} of 42 fields, with max_unparsed=0.2." in found[0]


@pytest.mark.parametrize(
    ("data", "start", "end"),
    [
        (["path", "published"], None, None),
        (["sample", "sample 0123abc"], "These runs are on the sample", "values."),
        (["sample.jsonl", "sample"], "Some of these runs are on", "\n\n- Condition B"),
    ],
)
def test_made_up_data_are_told(data: list[str], start: str, end: str) -> None:
    frame = pd.DataFrame({"condition": ["a", "b"], "data": data})
    found = [notice.text for notice in made_up_notices(frame, NAMES)]
    assert len(found) == (start is not None)
    assert all(text.startswith(start) and text.endswith(end) for text in found)


def test_reuse_is_told_by_the_run_that_was_used() -> None:
    frame = pd.DataFrame(
        {
            "condition": ["a", "a", "b", "b"],
            "log": ["1", "1", "2", "3"],
            "reuse": [None, None, "1.eval", "1.eval"],
            "parameters": [{}, {}, {"ends": "rounds"}, {}],
        }
    )
    (notice,) = reuse_notices(frame, NAMES, "So it is.")
    assert notice.text.endswith("of those. So it is.\n\n- `1.eval`, in Condition B")
    assert notice.level == "info"
    assert not list(reuse_notices(frame[:2], NAMES))


def test_debates_that_another_judge_ended_are_told() -> None:
    frame = pd.DataFrame(
        {
            "condition": ["a", "b", "a"],
            "log": ["1", "2", "3"],
            "reuse": [None, "1.eval", "1.eval"],
            "parameters": [{"ends": "judge"}, {"ends": "judge"}, {}],
        }
    )
    _, notice = reuse_notices(frame, NAMES)
    assert notice.text.startswith("The judges of earlier runs ended these debates")
    assert notice.text.endswith("\n\n- Condition B")


def test_votes_that_were_not_asked_for_are_told() -> None:
    settings: list[dict[str, Any]] = [
        *({"stop_when_decided": True}, {"second_order_below": 0.9}, {"rounds": 2})
    ]
    frame = pd.DataFrame(
        {"condition": ["a", "b", "c"], "parameters": settings, "judge": "k, l, m"}
    )
    stopped, unsure = missing_vote_notices(frame, NAMES)
    assert "the last ones are of debates on which the first disagree" in stopped.text
    assert stopped.text.endswith("\n\n- Condition A")
    assert "the effect of the order is not averaged out" in unsure.text
    assert unsure.text.endswith("\n\n- Condition B")
    # Of one vote none can be left out.
    assert len([*missing_vote_notices(frame.assign(judge="k"), NAMES)]) == 1


def test_other_items_are_told_but_of_data_apart() -> None:
    same = [part("A", "x", "y"), part("B", "y", "x")]
    assert not list(item_notices(same))
    apart = [part("A", "x", of="m"), part("B", "y", of="n")]
    (notice,) = item_notices(apart)
    assert notice.text.endswith(
        "- 1 items: A (m)\n- 1 other items (seed or --limit differ): B (n)"
    )
    assert not list(item_notices(apart, MODELS))


def test_judges_that_debate_are_told_and_models_against_themselves() -> None:
    own = part("A", "x", debaters=("p", "q"), judges=("j", "q"))
    apart = part("B", "x", debaters=("p", "p"), judges=("j",))
    (notice,) = judge_notices([own, apart], "So it is.", "warning")
    assert notice.text == "The judge is a debater's model, too. So it is.\n\n- A (m)"
    assert notice.level == "warning"
    (notice,) = self_notices([own, apart])
    assert notice.text == "One model debates itself.\n\n- B (m)"
    assert not list(judge_notices([part("C", "x")]))
    for nobody in ("unknown", "human/unknown"):
        unknown = part("D", "x", debaters=(nobody, nobody), judges=(nobody,))
        assert not [*self_notices([unknown]), *judge_notices([unknown])]


def test_what_is_missing_is_told_over_a_tenth() -> None:
    stages = {"said": "Answers", "not_asked": "Updates"}
    ids = [str(n) for n in range(10)]
    lost = part("A", *ids, unknown=2, said_ok=0.8, said_refused=0.2)
    few = part("B", *ids, unknown=1, said_ok=0.9, said_missing=0.1)
    (notice,) = unread_notices([lost, few], stages, ["More."])
    assert notice.text.partition("\n\n")[2] == (
        "- 20% of the answers refused: A (m)\n"
        "- 20% of the samples without an outcome: A (m)\n- More."
    )
    assert not list(unread_notices([few], stages))
    table = unread_table([lost, few], stages)
    assert table is not None
    assert table.groups == MODELS
    assert table.frame["Refused"].tolist() == pytest.approx([0.2, 0])
    assert table.frame["Missing"].tolist() == pytest.approx([0, 0.1])


def test_samples_are_counted_by_what_became_of_them() -> None:
    made = part(
        "A",
        *("x", "x", "y", "z"),
        unknown=1,
        told={"Standard": 3},
        epoch=[1, 2, 1, 1],
        error=["down", None, None, None],
        limit=[None, None, "time", None],
        scored=[False, True, False, True],
        input_group=["g", "g", "g", None],
    )
    (row,) = samples_table([made]).frame.to_dict("records")
    assert row == {
        **{
            MODELS: "m",
            CONDITION: "A",
            "Samples": 4,
            "Items": 3,
            "Groups": 2,
            "Epochs": 2,
        },
        **{"Failed": 1, "Stopped by a limit": 1, "Not scored": 2, "No outcome": 1},
        **{"Standard": 3, "Logs": 1},
    }
    assert "No outcome" not in samples_table([part("B", "x")]).frame


def test_orders_are_told_where_there_are_verdicts() -> None:
    judged = part(
        "A",
        *("x", "y"),
        verdict_ok=[2.0, 2.0],
        shown_first=[2.0, 1.0],
        orders_agree=[0.0, 1.0],
    )
    table = order_table([judged, part("B", "x")])
    assert table is not None
    (row,) = table.frame.to_dict("records")
    assert (row["For the first"], row["Both orders agree"]) == (0.75, 0.5)
    once = order_table([part("A", "x", verdict_ok=[1.0], shown_first=[1.0])])
    assert once is not None
    assert "Both orders agree" not in once.frame
    assert order_table([part("B", "x")]) is None
