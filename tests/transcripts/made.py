"""A made-up release: answers of detectors to the items that ship with the suite."""

import csv
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from inspect_debate.datasets.realmistake import FILES, FOLDERS, SAMPLE

DETECTORS = ("Alpha-7b", "beta.2")
PROMPT = "baseline_errordetection_prompt_"

Row = dict[str, Any]


def records() -> Iterator[tuple[str, int, dict[str, Any]]]:
    """The items with their folder and their place in its file."""
    places = dict.fromkeys(FOLDERS.values(), 0)
    for line in SAMPLE.read_text().split("\n"):
        if line:
            record = json.loads(line)
            folder = record["metadata"]["task_name"]
            folder = {"math_problem_generation": FOLDERS["math"]}.get(folder, folder)
            yield folder, places[folder], record
            places[folder] += 1


def archive(folder: Path) -> None:
    """Write data.zip, whose items count as answers of GPT-4."""
    files: dict[str, list[str]] = {
        f"data/{task}/{file}": []
        for task in FOLDERS.values()
        for file in FILES.values()
    }
    for task, _, record in records():
        files[f"data/{task}/{FILES['gpt4']}"].append(json.dumps(record))
    with zipfile.ZipFile(folder / "data.zip", "w") as opened:
        for name, lines in files.items():
            opened.writestr(name, "\n".join(lines))


def answer(detector: str, prompt: int, record: dict[str, Any]) -> str | None:
    """What a detector says; about every sixth answer cannot be read."""
    draw = Random(f"{detector} {prompt} {record['metadata']['id']}")
    return draw.choice(["error", "error", "error", "no_error", "no_error", None])


def rows() -> list[Row]:
    """The table of labels."""
    return [
        {
            "task": task,
            "response_model": "gpt-4-0613",
            "detector_model": detector,
            "prompt": f"{PROMPT}{prompt}",
            "index": place,
            "predicted_label": answer(detector, prompt, record) or "unparsed",
            "gold_label": record["error_label"],
        }
        for detector in DETECTORS
        for prompt in (1, 3)
        for task, place, record in records()
    ]


def table(folder: Path, rows: list[Row]) -> Path:
    """Write the table of labels and the archive."""
    folder.mkdir(parents=True, exist_ok=True)
    archive(folder)
    path = folder / "detector_labels.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, [*rows[0]])
        writer.writeheader()
        writer.writerows(rows)
    return path


def repository(folder: Path) -> Path:
    """Write the detectors' outputs as in the authors' repository."""
    root = folder / "error_detection_outputs" / "simple_prompt_baseline"
    for detector in DETECTORS:
        for prompt in (1, 3):
            for task, _, record in records():
                path = root / task / "gpt-4-0613" / detector / f"{PROMPT}{prompt}.jsonl"
                path.parent.mkdir(parents=True, exist_ok=True)
                label = answer(detector, prompt, record)
                line = {
                    "response": f"I read it <b>twice</b> and say: {label}.",
                    "prediction": label,
                    "label": record["error_label"],
                    "correct": label == record["error_label"],
                    "metadata": record["metadata"],
                }
                with path.open("a") as file:
                    file.write(json.dumps(line) + "\n")
    archive(folder)
    return folder
