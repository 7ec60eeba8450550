"""A made-up release: drawn labels of the items that ship with the suite."""

import csv
import json
import zipfile
from collections import defaultdict
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from inspect_debate.datasets.realmistake import FILES, FOLDERS, SAMPLE, sample_id

CONDITIONS = [(detector, n) for detector in ("Alpha-7b", "beta.2") for n in (1, 3)]
LABELS = ("error", "no_error", "unparsed")
Row = dict[str, Any]


def _lines() -> dict[str, list[str]]:
    """The lines of our sample by the folder that they have in the archive."""
    found = defaultdict[str, list[str]](list)
    for line in filter(None, SAMPLE.read_text().split("\n")):
        task = json.loads(line)["metadata"]["task_name"]
        found[{"math_problem_generation": FOLDERS["math"]}.get(task, task)].append(line)
    return found


def rows() -> list[Row]:
    """The table of labels, with a column more for the items' ids."""
    found = []
    for (detector, prompt), (task, lines) in product(CONDITIONS, _lines().items()):
        for n, line in enumerate(lines):
            label = Random(f"{detector} {prompt} {line}").choice(LABELS)
            record = json.loads(line)
            about = record["metadata"]
            id = sample_id(about["id"], about["task_name"], about["llm_response_model"])
            row = {"id": id, "task": task, "index": n}
            row |= {"response_model": "gpt-4-0613", "detector_model": detector}
            row |= {"prompt": f"baseline_errordetection_prompt_{prompt}"}
            row |= {"predicted_label": label, "gold_label": record["error_label"]}
            found.append(row)
    return found


def table(folder: Path, rows: list[Row]) -> Path:
    """Write the table of labels, and data.zip beside it."""
    with zipfile.ZipFile(folder / "data.zip", "w") as opened:
        for task, lines in _lines().items():
            opened.writestr(f"data/{task}/{FILES['gpt4']}", "\n".join(lines))
            opened.writestr(f"data/{task}/{FILES['llama2']}", "")
    path = folder / "detector_labels.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, [*rows[0]])
        writer.writeheader()
        writer.writerows(rows)
    return path
