"""Every report on runs in which no reply of some kind of turn could be read.

A report may then have little to show, but it is written, and no number comes from
nothing.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pytest
from inspect_ai import Task
from inspect_ai.model import Model

from inspect_debate.evals.colmad import colmad
from inspect_debate.evals.confidence import confidence
from inspect_debate.evals.debate import debate
from inspect_debate.evals.generative import generative
from inspect_debate.evals.judge_check import judge_check
from inspect_debate.evals.srdcr import srdcr
from inspect_debate.reports import report as written
from inspect_debate.reports.colmad.report import REPORT as colmad_report
from inspect_debate.reports.confidence.report import REPORT as confidence_report
from inspect_debate.reports.debate import REPORT as debate_report
from inspect_debate.reports.elements import Report
from inspect_debate.reports.generative.report import REPORT as GENERATIVE
from inspect_debate.reports.judges.check_report import REPORT as judge_check_report
from inspect_debate.reports.srdcr.report import REPORT as srdcr_report
from tests.reports.mute import mute
from tests.support.drawing import without_layout
from tests.support.runs import run

ITEMS = 3


class Part(NamedTuple):
    """A run: its parameters, and the kinds of turn that it has.

    It is repeated for each of the kinds, with no such turn readable.
    """

    kinds: str
    given: Mapping[str, Any] = {}


class Study(NamedTuple):
    """A task, its report, and runs that have all kinds of its turns."""

    task: Callable[..., Task]
    report: Callable[..., Report]
    parts: list[Part]
    given: Mapping[str, Any] = {}
    both: bool = False
    """Whether it is to have two debaters that may differ."""


GRADED = {"grade": "debate_hacking,explanation_alignment"}
DRAWN: dict[str, Any] = {
    "confidence_from": "self_consistency",
    "consistency_samples": 2,
    "recall_samples": 2,
}
STUDIES = {
    "colmad": Study(
        colmad,
        colmad_report,
        [
            Part("answer speech verdict grade", GRADED),
            Part("answer speech verdict", {"protocol": "copmad", "order": "both"}),
            Part("answer verdict", {"rounds": 0}),
            Part("answer update", {"protocol": "som"}),
            Part("answer", {"protocol": "ensemble"}),
            Part("answer sample", {"protocol": "self_consistency", "n": 2}),
            Part("answer", {"protocol": "single"}),
            Part("verdict", {"protocol": "judge_alone"}),
        ],
        {"source": "sample"},
        both=True,
    ),
    "confidence": Study(
        confidence,
        confidence_report,
        [
            Part("speech bet verdict grade", {"alignment": True}),
            Part("speech bet verdict", {"protocol": "self"}),
            Part("bet", {"bet_call": "separate"}),
        ],
    ),
    "srdcr": Study(
        srdcr,
        srdcr_report,
        [
            Part("answer sample recall speech verdict", {"rounds": 1, **DRAWN}),
            Part("answer sample", {"protocol": "few_shot", **DRAWN}),
            Part(
                "answer speech verdict",
                {"protocol": "judge_debate", "rounds": 1, "order": "both"},
            ),
            Part("answer update", {"protocol": "naive_debate", "agents": 2}),
            Part("answer critique update", {"protocol": "rci"}),
        ],
        {"source": "sample"},
    ),
    "generative": Study(
        generative,
        GENERATIVE,
        [
            Part("answer speech verdict", {"protocol": "dual_debate"}),
            Part("answer speech verdict", {"protocol": "single_debate"}),
            Part(
                "candidate reward verdict",
                {"protocol": "dual_consultancy", "best_of": 2, "rounds": 1},
            ),
            Part("answer", {"protocol": "direct_qa"}),
        ],
        {"source": "sample"},
    ),
    "debate": Study(
        debate,
        debate_report,
        [
            Part("answer speech verdict", {"protocol": "copmad", "rounds": 1}),
            Part("speech verdict", {"protocol": "consultancy", "rounds": 1}),
            Part("verdict", {"protocol": "judge_alone"}),
            Part("answer", {"protocol": "single"}),
        ],
    ),
    "judge_check": Study(judge_check, judge_check_report, [Part("verdict")]),
}
CASES = [
    (name, kind)
    for name, study in STUDIES.items()
    for kind in dict.fromkeys(k for part in study.parts for k in part.kinds.split())
]

# What nothing is known of where no such turn can be read: by table its columns, of the
# rows that a text in the row picks.
UNKNOWN: dict[tuple[str, str], list[tuple[str, str, list[str]]]] = {
    ("colmad", "verdict"): [("errors", "Judge alone*left out", ["F1", "Precision"])],
    ("colmad", "answer"): [("errors", "Single agent*left out", ["F1", "Recall"])],
    ("confidence", "verdict"): [("jury_rules", "", ["Opposition wins"])],
    ("generative", "verdict"): [("formats", "Dual debate", ["Accuracy", "FPR"])],
    ("debate", "verdict"): [("accuracy", "copmad", ["Accuracy"])],
    ("judge_check", "verdict"): [("steadiness", "", ["Same again", "Right"])],
}
COUNTS = ("Samples", "Verdicts", "Stances", "Graded speeches", "Debates", "Answers")


def models(study: Study, part: Part, kind: str) -> dict[str, Model]:
    roles: dict[str, Model] = {}
    if study.both and part.given.get("protocol") not in ("single", "judge_alone"):
        roles["debater_b"] = mute(kind, profile="hesitant")
    if "grade" in part.kinds.split():
        roles["grader"] = mute(kind, profile="coin")
    return roles


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind"), CASES)
def test_a_report_without_a_readable_turn_of_a_kind(
    name: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The same drawings as the SVG, which would take half of the time.
    monkeypatch.setattr(written, "pdf_bytes", lambda figure: b"")
    without_layout(monkeypatch)
    study = STUDIES[name]
    for part in study.parts:
        if kind in part.kinds.split():
            task = study.task(**study.given, **part.given)
            run(task, tmp_path, mute(kind), models(study, part, kind), limit=ITEMS)
    report = study.report(tmp_path)
    written.write_report(report, tmp_path / "out")
    frames = {table.name: table.frame for table in report.tables()}
    for table, frame in frames.items():
        assert invented(frame) == [], table
    for table, rows, columns in UNKNOWN.get((name, kind), []):
        known = picked(frames[table], rows).reindex(columns=columns)
        assert known.isna().all(axis=None), table


def picked(frame: pd.DataFrame, words: str) -> pd.DataFrame:
    """The rows with all of some texts, joined with *, in them."""
    chosen = [
        all(word in " ".join(map(str, row)) for word in words.split("*"))
        for row in frame.itertuples(index=False)
    ]
    assert any(chosen)
    return frame[chosen]


def invented(frame: pd.DataFrame) -> list[str]:
    """Estimates with an interval in rows that say to be over nothing."""
    names = [str(name) for name in frame.columns]
    estimates = [n for n in names if f"{n} low" in names and f"{n} high" in names]
    counts = [n for n in names if n in COUNTS]
    empty = frame[(frame[counts] == 0).any(axis=1)] if counts else frame.iloc[:0]
    return [
        f"{name} = {value}"
        for name in estimates
        for value in empty[name]
        if not pd.isna(value)
    ]


def test_what_is_over_nothing_would_be_found() -> None:
    row = {"F1": 0.0, "F1 low": 0.0, "F1 high": 0.5}
    assert invented(pd.DataFrame([row | {"Samples": 0}])) == ["F1 = 0.0"]
    assert invented(pd.DataFrame([row | {"Samples": 1}])) == []
