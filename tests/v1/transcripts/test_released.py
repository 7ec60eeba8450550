"""The released transcripts, where `INSPECT_DEBATE_DATA` says they are: figures only."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import read_eval_log

from inspect_debate.evals.confidence import VERSION
from inspect_debate.v1.debate.record import Status
from inspect_debate.v1.reports.confidence.report import REPORT
from inspect_debate.v1.transcripts.debates import conditions_of
from inspect_debate.v1.transcripts.llms_overconfidence import Imported, import_release
from inspect_debate.v1.transcripts.release import Release, read_release
from tests.v1.support.released import DATA
from tests.v1.support.runs import metrics, record, samples, values

pytestmark = pytest.mark.released
ROOT = DATA / "llms_overconfidence"
CONDITIONS = ("cross_model", "self", "informed_self", "public")
COUNTS: dict[str, tuple[int, ...]] = {
    "debates": (60, 60, 60, 60),
    "models": (10, 10, 10, 10),
    "motions": (6, 3, 3, 3),
    "prompt_sets": (1, 1, 1, 1),
    "bets": (360, 360, 360, 360),
    "zeros_missing": (0, 1, 0, 1),
    "zeros_genuine": (0, 0, 1, 0),
    "placeholder_reasonings": (5, 2, 1, 11),
    "short_speeches": (2, 8, 6, 1),
    "bet_text_left": (0, 0, 0, 0),
    "verdicts": (357, 0, 0, 0),
    "debates_with_fewer_verdicts": (1, 0, 0, 0),
    "unanimous": (23, 0, 0, 0),
    "graded_bets": (354, 353, 352, 340),
    "failed_calls": (1, 2, 4, 4),
    "repeated_debates": (1, 30, 30, 30),
    "without_date": (0, 0, 0, 0),
}
ZEROS = {
    "self": ("openai_gpt-4o-mini_vs_self", "proposition", "rebuttal", "missing"),
    "informed_self": ("qwen_qwen-max_vs_self", "opposition", "opening", "genuine"),
    "public": ("google_gemma-3-27b-it_vs_self", "opposition", "rebuttal", "missing"),
}
"""Section 2.3 of the study's page."""
TABLE_2 = {"cross_model": 72.92, "self": 64.08, "informed_self": 50.00, "public": 63.50}


@pytest.fixture(scope="module")
def found() -> Release:
    return read_release(str(ROOT))


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Imported:
    return import_release(str(ROOT), str(tmp_path_factory.mktemp("logs")), VERSION)


def test_every_file_is_read(found: Release) -> None:
    assert found.stopped == ()
    assert Counter(d.condition for d in found.debates) == dict.fromkeys(CONDITIONS, 60)
    assert len(found.grades.found) == 1399
    assert (found.grades.differing, found.grades.elsewhere) == (0, 0)


@pytest.mark.parametrize("condition", range(4))
def test_a_single_folder_is_the_same(condition: int, found: Release) -> None:
    whole = conditions_of(found.debates)[condition]
    folder = ROOT / Path(whole.debates[0].file).parent
    alone = read_release(str(folder))
    (part,) = conditions_of(alone.debates)
    assert part.name == whole.name
    assert [d.transcript for d in part.debates] == [d.transcript for d in whole.debates]
    assert alone.digest(part.debates) == found.digest(whole.debates)
    assert len(alone.grades.found) == COUNTS["graded_bets"][condition]


def test_the_jury(found: Release) -> None:
    condition = conditions_of(found.debates)[0]
    assert condition.jurors == {
        "qwen/qwq-32b": "judge_1",
        "google/gemini-pro-1.5": "judge_2",
        "deepseek/deepseek-chat": "judge_3",
    }
    assert condition.passes == 2


def test_the_counts_of_the_page(imported: Imported) -> None:
    assert tuple(imported.counts) == CONDITIONS
    assert {
        name: tuple(counts[name] for counts in imported.counts.values())
        for name in COUNTS
    } == COUNTS


def test_the_zeros_of_the_page(imported: Imported) -> None:
    zeros: dict[str, Any] = {}
    for condition, counts in imported.counts.items():
        for zero in counts["zeros"]:
            name = zero["debate"].rsplit("_", 2)[0]
            zeros[condition] = (name, zero["side"], zero["speech"], zero["bet"])
    assert zeros == ZEROS


@pytest.mark.parametrize("condition", CONDITIONS)
def test_what_stands_in_the_logs(condition: str, imported: Imported) -> None:
    log = read_eval_log(str(imported.logs[condition]))
    records = [record(sample) for sample in samples(log)]
    assert round(metrics(log, "bets")["opening"], 2) == TABLE_2[condition]
    statuses = Counter(
        turn.field("bet").status for r in records for turn in r.of_kind("speech")
    )
    missing = COUNTS["zeros_missing"][CONDITIONS.index(condition)]
    assert statuses[Status.MISSING] == missing
    assert statuses[Status.OK] == 360 - missing
    assert len({r.prompts.hash for r in records}) == 1
    verdicts = [turn for r in records for turn in r.of_kind("verdict")]
    assert len(verdicts) == (357 if condition == "cross_model" else 0)
    graded = sum(values(s, "bet_alignment")["graded"] for s in samples(log))
    assert graded == COUNTS["graded_bets"][CONDITIONS.index(condition)]


def test_the_jurys_sum_of_confidences(imported: Imported) -> None:
    log = read_eval_log(str(imported.logs["cross_model"]))
    won = Counter(values(s, "bets")["proposition_won"] for s in samples(log))
    assert (won[1.0], won[0.0], len(samples(log))) == (21, 38, 60)


def test_the_report_has_every_published_cell(imported: Imported) -> None:
    found = REPORT([Path(str(log)) for log in imported.logs.values()])
    frames = {table.name: table.frame for table in found.tables()}
    cells = frames["cells"].iloc[-1]
    assert cells[["Compared", "Equal", "Different"]].tolist() == [856, 849, 7]
    assert len(frames["differences"]) == 7
    assert not frames["differences"]["Why"].eq("–").any()
    assert len(frames["strategic_cases"]) == 181
