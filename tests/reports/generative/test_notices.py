"""What is told first."""

from typing import Any

import pandas as pd
import pytest

from inspect_debate.reports.generative.report import (
    STAGES,
    absent_formats,
    answer_notices,
    answer_sets_table,
    data_notices,
    grades_table,
    parts,
    position_notices,
    refused_notices,
    tied_notices,
)
from inspect_debate.reports.generative.specification import REACHING
from inspect_debate.reports.generative.study import PROTOCOLS
from inspect_debate.reports.generative.tables import seats_apart
from inspect_debate.reports.generative.verdicts import formats_table
from inspect_debate.reports.notices import judge_notices
from inspect_debate.reports.sanity import samples_table, unread_notices, unread_table
from tests.reports.generative.made import Round, joined, made_items, unscored
from tests.reports.generative.worked import row, text

TEN = [Round(f"q{n}", "11", "11", order="ab" if n % 2 else "ba") for n in range(10)]


@pytest.mark.parametrize(("unread", "told"), [(0, 0), (1, 0), (2, 1)])
def test_verdicts_that_were_not_read_are_told_first(unread: int, told: int) -> None:
    rounds = [Round(f"u{n}", "11", "??") for n in range(unread)] + TEN[unread:]
    found = list(unread_notices(parts(made_items("dual_debate", rounds)), STAGES))
    assert len(found) == told
    if told:
        said = "without an outcome: Dual debate (GPT-5-mini > GPT-5-nano, ARC-AGI-1)"
        assert f"- 20% of the samples {said}" in found[0].text


@pytest.mark.parametrize(("ties", "told"), [(0, 0), (1, 0), (2, 1)])
def test_ties_of_panels_are_no_unread_verdicts(ties: int, told: int) -> None:
    more = {"verdict_ok": 1.0, "verdict_tied": 1.0}
    rounds = [Round(f"u{n}", "11", "1?", more=more) for n in range(ties)] + TEN[ties:]
    items = made_items("dual_debate", rounds)
    over = [notice.text for notice in unread_notices(parts(items), STAGES)]
    assert not any("without an outcome" in said for said in over)
    assert len(said := list(tied_notices(items))) == told
    if told:
        assert "- 20%: Dual debate (GPT" in said[0].text
    found, shown = row(samples_table(parts(items))), formats_table(items)
    assert found["No outcome"] == 0
    assert found.get("Tied", 0) == ties
    at = row(shown, Format="Dual debate")
    assert (at["Not read"], at.get("Tied", 0), at["Samples"]) == (0, ties, 10 - ties)


def test_other_things_that_were_not_read_are_told() -> None:
    more = {"speeches_ok": 3.0, "speeches_truncated": 1.0}
    rounds = [Round(f"q{n}", "11", "11", more=more) for n in range(2)]
    items = made_items("dual_debate", rounds)
    said = text(unread_notices(parts(items), STAGES))
    assert "- 25% of the speeches cut off: Dual debate" in said
    found = row(unread_table(parts(items), STAGES), Stage="Speeches")
    assert (found["Asked for"], found["Cut off"]) == (8, 0.25)
    assert unread_table(parts(made_items("dual_debate", TEN)), STAGES) is None


def test_refusals_are_told_once() -> None:
    assert text(refused_notices(["a.", "b.", "a."])).endswith("- a.\n- b.")
    assert not list(refused_notices([]))


def test_data_and_models_that_are_not_the_studys_are_told() -> None:
    assert not list(data_notices(made_items("dual_debate", TEN)))
    assert not list(data_notices(made_items("dual_debate", TEN, version="sample")))
    foreign = made_items("dual_debate", TEN, version="2")
    mixed = joined(foreign, made_items("dual_consultancy", TEN))
    assert text(data_notices(mixed)).startswith("Some runs are not")
    for version, title in (("2", "ARC-AGI-2"), ("own", "ARC tasks, own")):
        runs = made_items("dual_debate", TEN, version=version)
        assert f"data: {title}. They do not compare" in text(data_notices(runs))
    plus: dict[str, Any] = {"dataset": "bcb_plus", "split": ""}
    study = made_items("dual_debate", TEN, version="v0.1.0", **plus)
    assert not list(data_notices(study))
    newer = made_items("dual_debate", TEN, version="v1.0.2", **plus)
    assert text(data_notices(newer)).endswith(
        "of other tasks than BigCodeBench-Plus v1.0.2."
    )
    own = made_items("dual_debate", TEN, version="own", **plus)
    assert text(data_notices(own)).endswith(
        "BigCodeBench-Plus, own. They do not compare with the published values."
    )
    other = made_items("dual_debate", TEN, family="acme/a > acme/b")
    assert "acme/a > acme/b" in text(data_notices(other))


def test_answers_that_differ_between_formats_are_told() -> None:
    other = [Round(f"q{n}", "11", "11", answers="'" * (n < 3)) for n in range(10)]
    items = joined(
        made_items("dual_debate", TEN), made_items("dual_consultancy", other)
    )
    said = text(answer_notices(items))
    assert "GPT-5-mini > GPT-5-nano: 3 of 10 questions and epochs" in said
    assert not list(answer_notices(made_items("dual_debate", TEN)))
    frame = items.assign(created=items["created"].where(items.index < 10, "2026-01-01"))
    found = row(answer_sets_table(frame), Format="Dual consultancy")
    assert (found["Same A"], found["Same A and B"], found["Samples"]) == (7, 7, 10)
    first = row(answer_sets_table(frame), Format="Dual debate")
    assert (first["Same A"], first["Same A and B"]) == (10, 10)


def test_a_judge_that_debates_is_told() -> None:
    of = {"dual_debate": made_items("dual_debate", TEN)}
    of["own"] = made_items("dual_debate", TEN, family="acme/a > acme/b, acme/a")
    of["second"] = made_items("dual_debate", TEN, debater_b="openai/gpt-5-nano")
    of["nobody"] = made_items("direct_qa", [Round("q1", "1", "")])
    told = {name: list(judge_notices(parts(items))) for name, items in of.items()}
    assert [name for name, notices in told.items() if notices] == ["own", "second"]
    assert "- Dual debate (acme/a > acme/b, acme/a, ARC-AGI-1)" in text(told["own"])


def test_two_models_in_a_dual_format_are_told_from_one() -> None:
    dual, single = (made_items(f"{kind}_debate", TEN) for kind in ("dual", "single"))
    assert not seats_apart(joined(dual, single.assign(debater_b="acme/critic")))
    assert not seats_apart(dual.assign(debater_b=None))
    assert seats_apart(dual.assign(debater_b="acme/b"))


def test_a_place_that_one_answer_mostly_has_is_told() -> None:
    assert not list(position_notices(made_items("dual_debate", TEN)))
    first = [Round(f"q{n}", "11", "11") for n in range(10)]
    said = text(position_notices(made_items("dual_debate", first)))
    assert "- 100%: Dual debate" in said


def test_samples_are_counted() -> None:
    rounds = [*TEN, Round("u", "11", "1?"), Round("q0", "11", "11", epoch=2)]
    found = row(samples_table(parts(unscored(made_items("dual_debate", rounds), 0, 1))))
    assert (found["Samples"], found["Items"], found["Epochs"]) == (12, 11, 2)
    assert (found["Failed"], found["Not scored"], found["No outcome"]) == (
        2,
        2,
        1,
    )


def test_grades_are_counted() -> None:
    more = {"grades_pass": 1.0, "grades_timeout": 1.0, "grade_seconds": 0.5}
    rounds = [Round(f"q{n}", "11", "11", more=more) for n in range(3)]
    first = made_items("dual_debate", rounds)
    items = joined(first, first[:1].assign(run="again", log="again.eval"))
    nothing = pd.DataFrame(columns=REACHING)
    found = row(grades_table(items, nothing), Log="again.eval")
    assert (found["Right"], found["Out of time"], found["Seconds"]) == (1, 1, 0.5)
    found = row(grades_table(first, nothing))
    assert (found["Right"], found["Out of time"], found["Seconds"]) == (3, 3, 1.5)
    assert grades_table(made_items("dual_debate", TEN), nothing) is None
    odd = pd.DataFrame(
        [("again", "q0", 1, 2), ("replaced", "q0", 1, 5)], columns=REACHING
    )
    table = grades_table(items, odd)
    assert row(table, Log="again.eval")["Right, to be looked at"] == 2
    assert row(table, Log=first["log"].iloc[0])["Right, to be looked at"] == 0


def test_formats_that_are_missing_are_told_with_their_command() -> None:
    items = joined(
        made_items("dual_debate", TEN, best_of=4),
        made_items("dual_no_transcript", TEN),
    )
    commands = absent_formats(items)
    assert commands[0] == (
        "inspect eval inspect_debate/generative -T protocol=dual_debate -T reuse=LOG "
        "--model M --model-role judge=J"
    )
    assert commands[-1].endswith("-T protocol=direct_qa --model J")
    assert not any("dual_no_transcript" in command for command in commands)
    assert len(commands) == 2 * 4 + 3 - 2
    plus = items.assign(dataset="bcb_plus")
    assert "generative -T dataset=bcb_plus -T protocol=" in absent_formats(plus)[0]
    both = joined(items, plus)
    assert absent_formats(both) == commands
    every = [
        made_items(protocol, [Round("q1", "1" * n, "1" * n)], best_of=best_of)
        for protocol, n in zip(PROTOCOLS, (2, 1, 2, 1, 2, 1, 1), strict=True)
        for best_of in (1, 4)
        if protocol != "direct_qa"
    ]
    last = made_items("direct_qa", [Round("q1", "1", "")])
    assert absent_formats(joined(*every, last)) == []
