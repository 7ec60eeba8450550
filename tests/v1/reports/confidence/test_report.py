"""The whole report: of stored logs, and of transcripts."""

from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from inspect_ai.log import EvalLog

from inspect_debate.evals.confidence import VERSION, confidence
from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.reports.calls import read_with_calls
from inspect_debate.v1.reports.confidence.frames import conditions, records_of, seen
from inspect_debate.v1.reports.confidence.report import REPORT
from inspect_debate.v1.reports.elements import Notice, Report, Section, Table
from inspect_debate.v1.reports.frames import scores_of
from inspect_debate.v1.reports.logs import open_logs
from inspect_debate.v1.transcripts.debates import Costs
from inspect_debate.v1.transcripts.llms_overconfidence import import_release
from inspect_debate.v1.transcripts.release import read_release
from tests.v1.reports.confidence.made import row
from tests.v1.reports.made_logs import logged
from tests.v1.support.runs import run
from tests.v1.transcripts.made import COSTS, cross_model, release, saved


def ran(folder: Path, roles: Any = None, **given: Any) -> EvalLog:
    settings = {name: given.pop(name) for name in ("token_limit",) if name in given}
    model = "simulated/balanced"
    return run(confidence(**given), folder, model, roles, limit=2, **settings)


@cache
def transcripts() -> Path:
    """Logs of a made-up release, of which one file cannot be read."""
    root = release(Path(mkdtemp()) / "theirs")
    saved(root, "experiments/alone/x.json", "{")
    import_release(str(root), str(root.parent / "logs"), VERSION)
    return root.parent / "logs"


@cache
def rebuilt() -> Report:
    return REPORT(transcripts())


def table(of: Report, name: str) -> Table:
    (found,) = [table for table in of.tables() if table.name == name]
    return found


def section(of: Report, title: str) -> Section:
    (found,) = [found for found in of.sections if found.title.startswith(title)]
    return found


def notice(of: Report, text: str) -> Notice:
    (found,) = [found for found in of.notices if text in found.text]
    return found


def test_what_keeps_transcripts_apart_is_noticed() -> None:
    assert "in their place the data have 0" in notice(rebuilt(), "not made").text
    assert "x.json" in notice(rebuilt(), "could not be read").text
    assert (
        "1 of 2 debates have fewer"
        in notice(rebuilt(), "A tie counts for neither side").text
    )
    assert "acme/beta" in notice(rebuilt(), "Judges that are debaters").text
    rebuilt_logs = notice(rebuilt(), "prompts in these logs are rebuilt")
    assert rebuilt_logs.level == "info"
    again = section(rebuilt(), "Provenance").text
    assert again.count("`inspect-debate import llms-overconfidence theirs") == 1
    counted = row(table(rebuilt(), "transcripts").frame, "zeros missing")
    assert counted["Self-debate"] == 1


def test_transcripts_of_all_conditions_are_reported() -> None:
    assert len(table(rebuilt(), "samples").frame) == 6
    assert table(rebuilt(), "appendix_o").frame["Debates"].tolist() == ["1", "1"]


def test_table_6_counts_transcripts_of_three_rounds_with_their_costs() -> None:
    # Alpha: two debates with beta, and four with itself; that of four rounds is none.
    frame = table(rebuilt(), "table_6").frame
    shown = frame[["Model", "Debates", "Tokens", "US dollars"]]
    assert shown.to_numpy().tolist() == [
        ["acme/alpha", "10", "9,000", "4.50"],
        ["acme/beta", "4", "4,500", "0.00"],
        ["Overall", "14", "13,500", "4.50"],
    ]
    by_condition = table(rebuilt(), "spent").frame.set_index("Condition")
    assert list(by_condition.loc["Red-teaming"]) == [1, 1500, 0.75]
    four = by_condition.loc["Four rounds"].isna()
    assert list(four) == [False, True, True]


def test_debates_that_are_used_again_cost_nothing_more(tmp_path: Path) -> None:
    judge = {"judge": ["simulated/balanced"]}
    first = logged(ran(tmp_path, protocol="self"))
    again = logged(ran(tmp_path, judge, reuse=str(first), jury_passes=2))
    found = REPORT([first, again])
    assert first.name in notice(found, "used again").text
    spent = [
        records_of(*read_with_calls(logs, seen), conditions(scores_of(logs)))
        .spent["tokens"]
        .sum()
        for logs in (open_logs(first), open_logs(again))
    ]
    assert spent[0] > 0
    assert spent[1] == 0


def test_logs_without_a_score_make_no_report(tmp_path: Path) -> None:
    ran(tmp_path, protocol="self", token_limit=1)
    with pytest.raises(InputError, match="No sample of these logs was scored"):
        REPORT(tmp_path)


def test_the_file_of_costs_is_read(tmp_path: Path) -> None:
    saved(tmp_path, "experiments/a/a_vs_b_20250316_155334.json", cross_model())
    saved(tmp_path, "model_token_usage_and_cost.json", COSTS)
    found = read_release(str(tmp_path))
    assert dict(found.costs) == dict(Costs.model_validate(COSTS).model_stats)
    assert found.stopped == ()


def test_a_damaged_file_of_costs_is_named(tmp_path: Path) -> None:
    saved(tmp_path, "experiments/a/a_vs_b_20250316_155334.json", cross_model())
    damaged = {"summary": {}, "model_stats": {"a/b": {"prompt_tokens": -1}}}
    saved(tmp_path, "model_token_usage_and_cost.json", damaged)
    found = read_release(str(tmp_path))
    assert len(found.debates) == 1
    (stopped,) = found.stopped
    assert stopped.file == "model_token_usage_and_cost.json"
    assert stopped.reason.startswith("model_stats.a/b.prompt_tokens")
