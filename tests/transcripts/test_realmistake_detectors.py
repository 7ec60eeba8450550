"""Released detectors as logs: a made-up table, and the real one."""

import csv
import json
import os
import zipfile
from collections import Counter
from collections.abc import Callable
from math import isnan, nan
from pathlib import Path
from random import Random
from typing import Any

import pytest
from inspect_ai.log import read_eval_log

from inspect_debate.datasets.realmistake import FILES, FOLDERS, SAMPLE, realmistake
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import debate_of
from inspect_debate.metrics.detection import expected
from inspect_debate.reports import colmad, frames
from inspect_debate.transcripts.realmistake_detectors import import_detectors

DATA = Path(os.environ.get("INSPECT_DEBATE_DATA", "-")) / "realmistake"
PROMPT = "baseline_errordetection_prompt_"
CONDITIONS = [(detector, n) for detector in ("Alpha-7b", "beta.2") for n in (1, 3)]
LABELS = ["error", "no_error", "unparsed"]
Row = dict[str, Any]


def release(folder: Path, change: Callable[[list[Row]], list[Row]] = list) -> Path:
    """A table of drawn labels of our sample's items, and its archive."""
    lines = [line for line in SAMPLE.read_text().split("\n") if line]
    parts: dict[str, list[str]] = {task: [] for task in FOLDERS.values()}
    rows: list[Row] = []
    for line in lines:
        record = json.loads(line)
        task = record["metadata"]["task_name"]
        task = {"math_problem_generation": FOLDERS["math"]}.get(task, task)
        for detector, prompt in CONDITIONS:
            row = {"task": task, "response_model": "gpt-4-0613"}
            row |= {"detector_model": detector, "prompt": f"{PROMPT}{prompt}"}
            row |= {"index": len(parts[task]), "gold_label": record["error_label"]}
            drawn = Random(f"{detector} {prompt} {task} {row['index']}").choice(LABELS)
            rows.append(row | {"predicted_label": drawn})
        parts[task].append(line)
    with zipfile.ZipFile(folder / "data.zip", "w") as opened:
        for task, own in parts.items():
            opened.writestr(f"data/{task}/{FILES['gpt4']}", "\n".join(own))
            opened.writestr(f"data/{task}/{FILES['llama2']}", "")
    rows = change(rows)
    path = folder / "detector_labels.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, [*rows[0]])
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_logs_are_like_those_of_a_live_run(tmp_path: Path) -> None:
    table = release(tmp_path)
    paths = import_detectors(table, tmp_path / "logs")
    logs = [read_eval_log(str(path)) for path in paths]
    assert [log.eval.model for log in logs] == [
        f"none/{name}" for name, _ in CONDITIONS
    ]
    items = {str(item.id): item for item in realmistake("sample")}
    given = [row for row in csv.DictReader(table.open()) if row["prompt"][-1] == "3"]
    said = [r["predicted_label"] for r in given if r["detector_model"] == "beta.2"]
    samples = logs[-1].samples or []
    assert {sample.id for sample in samples} == {*items}
    answers = []
    for sample in samples:
        item = items[str(sample.id)].metadata or {}
        debate = debate_of(sample)
        assert debate is not None and sample.scores is not None
        answers.append(debate.answer or "unparsed")
        detection, process = (
            dict(sample.scores[name].as_dict())
            for name in ("error_detection", "process")
        )
        gold = float(sample.target == "error")
        predicted = {"error": 1.0, "no_error": 0.0}.get(answers[-1], nan)
        assert sample.target == items[str(sample.id)].target
        assert sample.metadata["input_group"] == item["input_group"]
        assert detection == pytest.approx(
            {
                "gold": gold,
                "prediction": predicted,
                "correct": 1 - abs(gold - predicted),
            },
            nan_ok=True,
        )
        assert process["unparsed"] == process["answers_lost"] == isnan(predicted)
        assert process["first_a"] == pytest.approx(detection["correct"], nan_ok=True)
        text = json.dumps(sample.model_dump(mode="json"))
        assert json.dumps(item["task"])[1:40] not in text
        assert json.dumps(item["response"])[1:40] not in text
    assert Counter(answers) == Counter(said)
    frame = frames.samples([*map(str, paths)], "colmad", colmad.PROTOCOLS)
    assert frame["condition"].nunique() == 4
    own = frame[frame["file"] == paths[-1].name]
    columns = [own[f"error_detection.{name}"] for name in ("gold", "prediction")]
    f1 = expected("f1", *columns, stratum=own["metadata.subset"])
    assert logs[-1].results is not None
    scores = {one.name: one.metrics for one in logs[-1].results.scores}
    assert scores["error_detection"]["f1"].value == pytest.approx(f1)
    assert scores["process"]["debated"].value == 0


CHANGES: list[Row] = [
    {"gold_label": "no_error"},
    *({"index": 99}, {"index": -1}, {"index": "one"}, {"task": "poems"}),
    *({"response_model": "nobody"}, {"predicted_label": "perhaps"}),
    *({"gold_label": "unparsed"}, {"prompt": "another prompt"}),
]


@pytest.mark.parametrize(
    "change",
    [
        *(lambda rows, new=new: [rows[0] | new, *rows[1:]] for new in CHANGES),
        lambda rows: rows[1:],
        lambda rows: [*rows, rows[0]],
        lambda rows: [{k: row[k] for k in row if k != "index"} for row in rows],
    ],
)
def test_what_is_not_as_released_is_refused(
    change: Callable[[list[Row]], list[Row]], tmp_path: Path
) -> None:
    path = release(tmp_path, change)
    with pytest.raises(InputError):
        import_detectors(path, tmp_path / "logs")
    assert not (tmp_path / "logs").exists()


@pytest.mark.parametrize("table", ["", "task,index\n", "\0\xff"])
def test_a_table_without_labels_is_refused(table: str, tmp_path: Path) -> None:
    release(tmp_path).write_text(table)
    with pytest.raises(InputError):
        import_detectors(tmp_path, tmp_path / "logs")
