"""What the report says first, and whether its runs can be trusted."""

from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from inspect_debate.v1.reports.conditions import Grouped
from inspect_debate.v1.reports.elements import Table
from inspect_debate.v1.reports.generative.comparisons import Data
from inspect_debate.v1.reports.generative.report import (
    REPORT,
    STAGES,
    absent_formats,
    notices,
)
from inspect_debate.v1.reports.generative.rows import PROTOCOLS
from inspect_debate.v1.reports.generative.tables import ANSWER_SETS
from inspect_debate.v1.reports.sanity import samples_table, unread_table
from tests.v1.reports.generative.made import (
    Round,
    data,
    joined,
    made_items,
    only_row,
    row,
    unscored,
)

TEN = [Round(f"q{n}", "11", "11", order="ab" if n % 2 else "ba") for n in range(10)]
DEBATE = made_items("dual_debate", TEN)


def said(items: pd.DataFrame) -> str:
    """All notices about these rows."""
    return "\n".join(notice.text for notice in notices(data(items)))


def test_of_rows_as_in_the_study_there_is_nothing_to_say() -> None:
    assert said(DEBATE) == ""
    assert said(made_items("dual_debate", TEN, version="sample")) == ""


@pytest.mark.parametrize(("unread", "reported"), [(0, False), (1, False), (2, True)])
def test_verdicts_that_were_not_read_are_reported_first(
    unread: int, reported: bool
) -> None:
    rounds = [
        Round(f"u{n}", "11", "??", order="ab" if n % 2 else "ba") for n in range(unread)
    ]
    found = said(made_items("dual_debate", rounds + TEN[unread:]))
    name = "Dual debate (GPT-5-mini > GPT-5-nano, ARC-AGI-1)"
    line = f"- 20% of the samples without an outcome: {name}"
    assert (line in found) == reported
    assert bool(found) == reported


@pytest.mark.parametrize(("ties", "reported"), [(0, False), (1, False), (2, True)])
def test_ties_of_panels_are_no_unread_verdicts(ties: int, reported: bool) -> None:
    more = {"verdict_ok": 1.0, "verdict_tied": 1.0}
    rounds = [Round(f"u{n}", "11", "1?", more=more) for n in range(ties)] + TEN[ties:]
    items = made_items("dual_debate", rounds)
    assert "without an outcome" not in said(items)
    assert ("- 20%: Dual debate (GPT" in said(items)) == reported
    found = only_row(samples_table(data(items).samples))
    assert (found["No outcome"], found.get("Tied", 0)) == (0, ties)
    at = row(items, "formats", Condition="Dual debate")
    assert (at["Not read"], at.get("Tied", 0), at["Samples"]) == (0, ties, 10 - ties)


def test_other_things_that_were_not_read_are_reported() -> None:
    more = {"speeches_ok": 3.0, "speeches_truncated": 1.0}
    rounds = [Round(f"q{n}", "11", "11", more=more) for n in range(2)]
    items = made_items("dual_debate", rounds)
    assert "- 25% of the speeches cut off: Dual debate" in said(items)
    found = only_row(unread_table(data(items).samples, STAGES), Stage="Speeches")
    assert (found["Asked for"], found["Cut off"]) == (8, 0.25)
    assert unread_table(data(DEBATE).samples, STAGES) is None


def test_refusals_are_reported_once() -> None:
    other = made_items("dual_consultancy", TEN, prompts="other")
    silent = made_items("dual_no_transcript", TEN, prompts="other")
    found = said(joined(DEBATE, other, silent))
    assert "These comparisons are not made:" in found
    assert found.count("Dual debate and Dual consultancy have different prompts") == 1


PLUS: dict[str, Any] = {"dataset": "bcb_plus", "split": ""}


@pytest.mark.parametrize(
    ("more", "text"),
    [
        ({"version": "2"}, "These runs are not on the study's data: ARC-AGI-2."),
        ({"version": "own"}, "data: ARC tasks, own. They do not compare"),
        (PLUS | {"version": "v0.1.0"}, ""),
        (PLUS | {"version": "v1.0.2"}, "other tasks than BigCodeBench-Plus v1.0.2."),
        (PLUS | {"version": "own"}, "data: BigCodeBench-Plus, own. They do not"),
        ({"family": "acme/a > acme/b"}, "Not models of the study: acme/a > acme/b."),
        ({"family": "acme/a > acme/b, acme/a"}, "a debater's model, too. The study's"),
        ({"debater_b": "openai/gpt-5-nano"}, "a debater's model, too. The study's"),
    ],
)
def test_data_and_models_that_are_not_the_studys(
    more: dict[str, Any], text: str
) -> None:
    found = said(made_items("dual_debate", TEN, **more))
    assert text in found
    assert bool(found) == bool(text)


def test_some_runs_on_other_data() -> None:
    foreign = made_items("dual_debate", TEN, version="2")
    found = said(joined(foreign, made_items("dual_consultancy", TEN)))
    assert "Some runs are not on the study's data" in found


def test_answers_that_differ_between_conditions_are_reported() -> None:
    other = [Round(f"q{n}", "11", "11", answers="'" * (n < 3)) for n in range(10)]
    items = joined(DEBATE, made_items("dual_consultancy", other))
    assert "GPT-5-mini > GPT-5-nano: 3 of 10 questions and epochs" in said(items)
    found = shared_answers(data(items))
    assert found == {"Dual debate": [10, 10], "Dual consultancy": [7, 7]}
    # What counts as the first log is the first of the logs, also where all are created
    # in one second.
    logs = Grouped(items, items, items[::-1])
    found = shared_answers(replace(data(items), grouped=logs))
    assert found == {"Dual debate": [7, 7], "Dual consultancy": [10, 10]}


def shared_answers(given: Data) -> dict[str, list[int]]:
    """How many answers A, and A and B, of each condition are those of the first log."""
    (table,) = ANSWER_SETS(given)
    assert isinstance(table, Table)
    rows = table.frame.set_index("Condition")[["Same A", "Same A and B"]]
    return {
        str(name): list(row) for name, row in zip(rows.index, rows.values, strict=True)
    }


def test_two_models_in_a_dual_condition_differ_from_one() -> None:
    def text(items: pd.DataFrame) -> str:
        part = REPORT.parts[0]
        return part.section(data(items)).text if hasattr(part, "section") else ""

    alone = made_items("single_debate", [Round("q1", "1", "1")])
    critic = alone.assign(debater_b="acme/critic")
    assert "answers of one model" in text(joined(DEBATE, critic))
    assert "answers of one model" in text(DEBATE.assign(debater_b=None))
    assert "answers of one model" not in text(DEBATE.assign(debater_b="acme/b"))


def test_a_place_that_one_answer_mostly_has_is_reported() -> None:
    first = [Round(f"q{n}", "11", "11") for n in range(10)]
    found = said(made_items("dual_debate", first))
    assert "- 100%: Dual debate" in found


def test_samples_are_counted() -> None:
    rounds = [*TEN, Round("u", "11", "1?"), Round("q0", "11", "11", epoch=2)]
    items = unscored(made_items("dual_debate", rounds), 0, 1)
    found = only_row(samples_table(data(items).samples))
    assert (found["Samples"], found["Items"], found["Epochs"]) == (12, 11, 2)
    counts = [found[name] for name in ("Failed", "Not scored", "No outcome")]
    assert counts == [2, 2, 1]


def test_formats_that_are_missing_are_reported_with_their_command() -> None:
    items = joined(
        made_items("dual_debate", TEN, best_of=4), made_items("dual_no_transcript", TEN)
    )
    commands = absent_formats(data(items))
    assert commands[0] == (
        "inspect eval inspect_debate/generative -T protocol=dual_debate -T reuse=LOG "
        "--model M --model-role judge=J"
    )
    assert commands[-1].endswith("-T protocol=direct_qa --model J")
    assert not any("dual_no_transcript" in command for command in commands)
    assert len(commands) == 2 * 4 + 3 - 2
    plus = items.assign(dataset="bcb_plus")
    first = absent_formats(data(plus))[0]
    assert "generative -T dataset=bcb_plus -T protocol=" in first
    assert absent_formats(data(joined(items, plus))) == commands
    every = [
        made_items(protocol, [Round("q1", "1" * n, "1" * n)], best_of=best_of)
        for protocol, n in zip(PROTOCOLS, (2, 1, 2, 1, 2, 1, 1, 1, 1), strict=True)
        for best_of in (1, 4)
        if protocol != "direct_qa"
    ]
    last = made_items("direct_qa", [Round("q1", "1", "")])
    assert absent_formats(data(joined(*every, last))) == []
