"""logs/examples: the logs are small, complete, ours and up to date."""

import importlib.util
import math
import re
import socket
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from inspect_ai import Task, score
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.scorer import Scorer

from inspect_debate.debate.prompts import leaves
from inspect_debate.evals.colmad import colmad
from inspect_debate.evals.confidence import confidence
from inspect_debate.evals.debate import debate
from inspect_debate.evals.generative import generative
from inspect_debate.evals.judge_check import judge_check
from inspect_debate.evals.srdcr import srdcr
from inspect_debate.reports.colmad.report import REPORT as colmad_report
from inspect_debate.reports.confidence.report import REPORT as confidence_report
from inspect_debate.reports.debate import REPORT as debate_report
from inspect_debate.reports.elements import Report
from inspect_debate.reports.generative.report import REPORT as GENERATIVE
from inspect_debate.reports.judges.check_report import REPORT as judge_check_report
from inspect_debate.reports.srdcr.report import REPORT as srdcr_report
from inspect_debate.scorers.bets import bets
from inspect_debate.scorers.debate_process import debate_process
from inspect_debate.scorers.error_detection import error_detection
from inspect_debate.scorers.judge_check import judge_check as judge_check_scorer
from inspect_debate.scorers.jury import jury
from inspect_debate.scorers.knowledge_conflict import clash
from inspect_debate.scorers.question_answering import question_answering
from inspect_debate.scorers.self_confidence import self_confidence
from inspect_debate.scorers.verdicts import verdicts
from tests.support.code_runs import needs_bubblewrap
from tests.support.runs import run, samples

ROOT = Path(__file__).parents[2]
MAKE = "make it anew with: uv run python examples/logs.py"
LARGEST = 150_000
LARGER = {"judge_check": 300_000}  # nine verdicts on each of 24 debates
GRADER = "grader"


@cache
def script() -> ModuleType:
    """The script that makes the logs."""
    place = ROOT / "examples" / "logs.py"
    spec = importlib.util.spec_from_file_location("examples_logs", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


NAMES = sorted(script().EXAMPLES)
TASKS: dict[str, Callable[..., Task]] = {
    "colmad": colmad,
    "confidence": confidence,
    "srdcr": srdcr,
    "generative": generative,
    "debate": debate,
    "judge_check": judge_check,
}
SCORERS: dict[str, Callable[[], list[Scorer]]] = {
    "colmad": lambda: [error_detection(), debate_process()],
    "confidence": lambda: [bets(), jury()],
    "srdcr": lambda: [clash(), self_confidence()],
    "generative": lambda: [verdicts()],
    "debate": lambda: [question_answering(), debate_process()],
    "judge_check": lambda: [judge_check_scorer()],
}
REPORTS: dict[str, Callable[[list[str]], Report]] = {
    "colmad": colmad_report,
    "confidence": confidence_report,
    "srdcr": srdcr_report,
    "generative": GENERATIVE,
    "debate": debate_report,
}


def path(name: str) -> Path:
    """Where a log lies."""
    return ROOT / "logs" / "examples" / f"{name}.eval"


@cache
def log(name: str) -> EvalLog:
    """A log."""
    return read_eval_log(str(path(name)), resolve_attachments=True)


def texts(value: object) -> Iterator[str]:
    """All strings in what a log holds, the names of fields among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from texts(key)
            yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)


def test_there_is_one_of_every_study_and_no_other() -> None:
    here = {found.stem for found in path("x").parent.iterdir()}
    assert here == {*NAMES}
    assert {script().EXAMPLES[name].task for name in NAMES} == {*TASKS}


@pytest.mark.parametrize("name", NAMES)
def test_a_log_is_small_whole_and_of_a_simulated_model(name: str) -> None:
    example, found = script().EXAMPLES[name], log(name)
    assert path(name).stat().st_size < LARGER.get(name, LARGEST)
    assert found.status == "success"
    assert len(samples(found)) == example.samples
    assert found.eval.task == f"inspect_debate/{example.task}"
    used = {model for sample in samples(found) for model in sample.model_usage}
    assert used
    assert all(model.startswith(("simulated/", "reading_judge/")) for model in used)


MACHINE = re.compile(
    r"(^|[\s\"'=(])(/(home|tmp|work|root|Users|usr|opt|var)/|[A-Z]:\\)"
)


@pytest.mark.parametrize("name", NAMES)
def test_there_is_no_trace_of_the_machine_that_made_it(name: str) -> None:
    written = list(texts(log(name).model_dump(mode="json", exclude={"location"})))
    assert len(written) > 1000
    assert [text for text in written if MACHINE.search(text)] == []
    assert [text for text in written if str(ROOT) in text] == []
    # As a word: random ids may contain a short name.
    host = re.compile(rf"(?<![\w-]){re.escape(socket.gethostname())}(?![\w-])")
    assert [text for text in written if host.search(text)] == []
    spec = log(name).eval
    assert (spec.revision, spec.task_file, spec.dataset.location) == (None,) * 3


@pytest.mark.parametrize(
    "text", ["/home/x", "in /tmp/a", 'a="/root/b"', "C:\\Users", "(/usr/bin/python)"]
)
def test_paths_are_found(text: str) -> None:
    assert MACHINE.search(text)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=needs_bubblewrap if name.endswith("code") else ())
        for name in NAMES
    ],
)
def test_a_log_is_of_the_task_as_it_is_today(name: str) -> None:
    example = script().EXAMPLES[name]
    today = TASKS[example.task](**example.arguments).metadata or {}
    then = dict(log(name).eval.metadata or {})
    for metadata in (then, today):
        # The machine that graded programs has another Python and libraries.
        metadata["parameters"] = {
            k: v for k, v in metadata["parameters"].items() if k != GRADER
        }
        metadata["prompts"] = leaves(metadata["prompts"])
    for what in ("study", "task_version", "protocol", "parameters", "seed", "prompts"):
        assert then[what] == today[what], f"{name}.eval has another {what}: {MAKE}"
    own = {"source", "file", "sha256"} & then["data"].keys() & today["data"].keys()
    for what in own:
        assert then["data"][what] == today["data"][what], f"other {what}: {MAKE}"


def values(found: EvalLog) -> list[dict[str, object]]:
    """The scores of all samples; NaN as a word, which equals itself."""

    def plain(value: Any) -> object:
        if isinstance(value, dict):
            return {key: plain(inner) for key, inner in value.items()}
        unequal = isinstance(value, float) and math.isnan(value)
        return "nan" if unequal else value

    return [
        {
            name.rpartition("/")[2]: plain(each.value)
            for name, each in (sample.scores or {}).items()
        }
        for sample in samples(found)
    ]


@pytest.mark.parametrize("name", NAMES)
def test_scoring_a_log_again_gives_the_same(name: str) -> None:
    scorers = SCORERS[script().EXAMPLES[name].task]()
    again = score(log(name), scorers, action="overwrite", display="none")
    assert values(again) == values(log(name)), f"{name}.eval: {MAKE}"


@pytest.mark.parametrize("name", [name for name in NAMES if name in REPORTS])
def test_the_report_of_a_log(name: str) -> None:
    report = REPORTS[name]([str(path(name))])
    assert list(report.tables())


@pytest.mark.slow
def test_the_shipped_judge_check_raises_an_alarm(tmp_path: Path) -> None:
    """Its judge obeys orders in speeches, which shows only on all debates."""
    example = script().EXAMPLES["judge_check"]
    run(judge_check, tmp_path, roles=dict(example.roles), limit=example.samples)
    report = judge_check_report(str(tmp_path))
    assert "reading_judge/obedient: `orders`" in report.summary
