import json
from collections.abc import Callable
from math import isnan, nan
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log

from inspect_debate.datasets.realmistake import realmistake
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import debate_of
from inspect_debate.metrics.detection import expected
from inspect_debate.reports import colmad, frames
from inspect_debate.reports.frames import models
from inspect_debate.transcripts.realmistake_detectors import import_detectors
from tests.support import values
from tests.transcripts import made

PREDICTIONS = {"error": 1.0, "no_error": 0.0, "unparsed": nan}


def test_logs_are_those_of_live_runs_without_texts(tmp_path: Path) -> None:
    rows = made.rows()
    paths = import_detectors(made.table(tmp_path, rows), tmp_path / "logs")
    logs = [read_eval_log(str(path)) for path in paths]
    assert [models(log)["debater_a"] for log in logs] == [
        f"none/{who}" for who, _ in made.CONDITIONS
    ]
    items = {str(item.id): item for item in realmistake("sample")}
    samples = logs[-1].samples or []
    assert {sample.id for sample in samples} == {*items}
    last = {row["id"]: row for row in rows[-len(samples) :]}
    for sample in samples:
        row = last[sample.id]
        debate, scores = debate_of(sample), sample.scores or {}
        assert debate is not None
        detection = scores["error_detection"].value
        process = values(scores["process"])
        gold = float(sample.target == "error")
        predicted = PREDICTIONS[row["predicted_label"]]
        right = 1 - abs(gold - predicted)
        known = {"gold": gold, "prediction": predicted, "correct": right}
        assert detection == pytest.approx(known, nan_ok=True)
        assert process["unparsed"] == process["answers_lost"] == isnan(predicted)
        assert process["first_a"] == pytest.approx(right, nan_ok=True)
        about, text = items[str(sample.id)].metadata or {}, sample.model_dump_json()
        assert sample.target == row["gold_label"]
        assert sample.metadata["input_group"] == about["input_group"]
        assert json.dumps(about["task"])[1:40] not in text
        assert json.dumps(about["response"])[1:40] not in text


def test_reports_and_headers_have_the_same_f1(tmp_path: Path) -> None:
    paths = import_detectors(made.table(tmp_path, made.rows()), tmp_path / "logs")
    frame = frames.samples([*map(str, paths)], "colmad", colmad.PROTOCOLS)
    assert frame["condition"].nunique() == len(made.CONDITIONS)
    own = frame[frame["file"] == paths[-1].name]
    columns = [own[f"error_detection.{name}"] for name in ("gold", "prediction")]
    f1 = expected("f1", *columns, stratum=own["metadata.subset"])
    results = read_eval_log(str(paths[-1]), header_only=True).results
    assert results is not None
    assert results.scores[0].metrics["f1"].value == pytest.approx(f1)


def _changed(**values: object) -> Callable[[list[made.Row]], list[made.Row]]:
    return lambda rows: [rows[0] | values, *rows[1:]]


@pytest.mark.parametrize(
    "change",
    [
        _changed(
            gold_label={"error": "no_error"}.get(made.rows()[0]["gold_label"], "error")
        ),
        _changed(gold_label="unparsed"),
        *(_changed(index=index) for index in (99, -1, "one")),
        _changed(task="poems"),
        _changed(response_model="nobody"),
        _changed(predicted_label="perhaps"),
        _changed(prompt="another prompt"),
        lambda rows: rows[1:],
        lambda rows: [*rows, rows[0]],
        lambda rows: [{k: row[k] for k in row if k != "index"} for row in rows],
    ],
)
def test_what_is_not_as_released_is_refused(
    change: Callable[[list[made.Row]], list[made.Row]], tmp_path: Path
) -> None:
    path = made.table(tmp_path, change(made.rows()))
    with pytest.raises(InputError):
        import_detectors(path, tmp_path / "logs")
    assert not (tmp_path / "logs").exists()
    path.write_text("task,index\n")
    with pytest.raises(InputError):
        import_detectors(tmp_path, tmp_path / "logs")
