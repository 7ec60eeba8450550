"""The published figures of ReaLMistake's detectors, from their published labels."""

import csv
import json
import os
from collections import defaultdict
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

import pytest

from inspect_debate.core.measures import detection as d

FOLDER = os.environ.get("INSPECT_DEBATE_DATA")
pytestmark = pytest.mark.skipif(
    FOLDER is None,
    reason="INSPECT_DEBATE_DATA names no folder with realmistake/detector_labels.csv",
)

LABELS = {"error": 1.0, "no_error": 0.0, "unparsed": float("nan")}

Detector = tuple[str, str, str]
"""Task, author of the responses, detector; the two models without organisation."""

Cells = dict[Detector, dict[str, Any]]


@pytest.fixture(scope="module")
def ours() -> dict[Detector, dict[str, d.Counts]]:
    """Counts of every detector and prompt from the labels of the items."""
    pairs: dict[tuple[Detector, str], list[tuple[float, float]]] = defaultdict(list)
    with (Path(FOLDER or "") / "realmistake/detector_labels.csv").open() as file:
        for row in csv.DictReader(file):
            detector = row["task"], row["response_model"], row["detector_model"]
            labels = LABELS[row["gold_label"]], LABELS[row["predicted_label"]]
            pairs[detector, row["prompt"]].append(labels)
    counts: dict[Detector, dict[str, d.Counts]] = defaultdict(dict)
    for (detector, prompt), both in pairs.items():
        gold, predicted = zip(*both, strict=True)
        counts[detector][prompt] = d.count(gold, predicted)
    return dict(counts)


@pytest.fixture(scope="module")
def published() -> Cells:
    """The published entries under our names, the prompts' and "average"."""
    path = Path(FOLDER or "") / "realmistake/published_performance.json"
    return {
        (task, _model(author), _model(detector)): {
            key.removeprefix("prompt="): entry for key, entry in entries.items()
        }
        for task, authors in json.loads(path.read_text()).items()
        if task != "average"
        for author, detectors in authors.items()
        for detector, entries in detectors.items()
    }


def _model(key: str) -> str:
    """`baseline_model=organisation/name` to `name`."""
    return key.partition("=")[2].rpartition("/")[2]


def _metrics(counts: d.Counts) -> dict[str, float]:
    """The published metrics; their `_rate` are cells over all items."""
    n = sum(float(cell) for cell in counts)
    statistics = {
        name: float(d.STATISTICS[name](counts, "realmistake"))
        for name in ("accuracy", "precision", "recall", "f1")
    }
    return statistics | {
        "true_negative_rate": float(counts.tn + counts.unparsed_no_error) / n,
        "false_positive_rate": float(counts.fp) / n,
        "false_negative_rate": float(counts.fn + counts.unparsed_error) / n,
        "true_positive_rate": float(counts.tp) / n,
    }


def test_every_cell(
    ours: dict[Detector, dict[str, d.Counts]], published: Cells
) -> None:
    compared = 0
    for detector, entries in published.items():
        prompts = {key: entry for key, entry in entries.items() if key != "average"}
        assert ours[detector].keys() == prompts.keys()
        for prompt, entry in prompts.items():
            counts = ours[detector][prompt]
            values = _metrics(counts)
            assert values == pytest.approx(entry["metrics"], abs=1e-12, rel=0)
            assert counts.tp + counts.fp == entry["prediction_error_num"]
            always = d.baselines(counts)["always_error"]
            assert always.tp == entry["gold_error_num"]
            assert always.tp + always.fp == entry["total_num"]
            compared += 1
    assert ours.keys() == published.keys()
    assert compared == 192


def test_every_average_over_the_prompts(
    ours: dict[Detector, dict[str, d.Counts]], published: Cells
) -> None:
    compared = 0
    for detector, entries in published.items():
        by_prompt = [_metrics(counts) for counts in ours[detector].values()]
        for name, expected in entries["average"]["metrics"].items():
            values = [metrics[name] for metrics in by_prompt]
            assert fmean(values) == pytest.approx(expected["average"], abs=1e-12, rel=0)
            assert pstdev(values) == pytest.approx(expected["stdev"], abs=1e-12, rel=0)
            compared += 1
    assert compared == 48 * 8


def test_the_two_conventions_differ_on_these_labels(
    ours: dict[Detector, dict[str, d.Counts]],
) -> None:
    """Else the comparison above could not tell the one from the other."""
    counts = [c for by_prompt in ours.values() for c in by_prompt.values()]
    unparsed = [c for c in counts if d.unparsed_rate(c) != 0]
    assert unparsed
    for statistic in (d.accuracy, d.recall, d.f1):
        assert any(statistic(c) != statistic(c, "realmistake") for c in unparsed)
    negative = [c for c in unparsed if c.unparsed_no_error]
    assert negative
    for c in negative:
        right = c.tp + c.tn + c.unparsed_no_error
        n = sum(float(cell) for cell in c)
        assert d.accuracy(c, "realmistake") < float(right) / n
