"""The published labels of ReaLMistake's detectors for one prompt, where they are."""

import csv
from collections import defaultdict
from typing import NamedTuple

from tests.support.released import DATA

_PROMPT = "baseline_errordetection_prompt_1"


class Cell(NamedTuple):
    """Labels of one task and author of responses: "error", "no_error", "unparsed"."""

    gold: list[str]
    predicted: dict[str, list[str]]
    """By detector."""


def cells() -> dict[tuple[str, str], Cell]:
    """The six cells by task and author of the responses, items in their order."""
    rows: dict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)
    with (DATA / "realmistake/detector_labels.csv").open() as file:
        for row in csv.DictReader(file):
            if row["prompt"] == _PROMPT:
                rows[row["task"], row["response_model"]].append(row)
    return {key: _cell(some) for key, some in rows.items()}


def _cell(rows: list[dict[str, str]]) -> Cell:
    gold: dict[int, str] = {}
    predicted: dict[str, dict[int, str]] = defaultdict(dict)
    for row in rows:
        item = int(row["index"])
        gold[item] = row["gold_label"]
        predicted[row["detector_model"]][item] = row["predicted_label"]
    items = sorted(gold)
    return Cell(
        gold=[gold[item] for item in items],
        predicted={
            detector: [labels[item] for item in items]
            for detector, labels in sorted(predicted.items())
        },
    )
