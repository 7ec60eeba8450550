"""Released detectors as logs: a made-up release, and the real one."""

import json
import os
from collections import defaultdict
from collections.abc import Callable
from math import isnan, nan
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import (
    EvalLog,
    EvalSample,
    read_eval_log,
    read_eval_log_sample_summaries,
)

from inspect_debate.datasets.realmistake import realmistake, sample_id
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import debate_of
from inspect_debate.debate.text import unescape
from inspect_debate.metrics.detection import expected
from inspect_debate.reports import colmad
from inspect_debate.reports.frames import samples as samples_of
from inspect_debate.transcripts.realmistake_detectors import import_detectors
from tests.transcripts import made

DATA = os.environ.get("INSPECT_DEBATE_DATA")
AUTHORS = {"gpt-4-0613": "gpt4", "meta-llama/Llama-2-70b-chat-hf": "llama2"}
SUBSETS = {
    "math_word_problem_generation": "math",
    "finegrained_fact_verification": "fact",
    "answerability_classification": "answerability",
}
# Prediction, correct and gold by label and target.
VALUES = {
    ("error", "error"): (1, 1, 1),
    ("error", "no_error"): (1, 0, 0),
    ("no_error", "error"): (0, 0, 1),
    ("no_error", "no_error"): (0, 1, 0),
    (None, "error"): (nan, nan, 1),
    (None, "no_error"): (nan, nan, 0),
}


def samples(log: EvalLog) -> dict[str, EvalSample]:
    return {str(sample.id): sample for sample in log.samples or []}


def score(sample: EvalSample, scorer: str) -> dict[str, Any]:
    value = (sample.scores or {})[scorer].value
    assert isinstance(value, dict)
    return dict(value)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    path = made.table(tmp_path_factory.mktemp("labels"), made.rows())
    return import_detectors(path, tmp_path_factory.mktemp("logs"))


def test_a_log_for_each_detector_and_prompt(logs: list[Path]) -> None:
    headers = [read_eval_log(str(log), header_only=True) for log in logs]
    assert [
        (log.eval.model, (log.eval.metadata or {})["parameters"]["prompt"])
        for log in headers
    ] == [(f"none/{name}", prompt) for name in made.DETECTORS for prompt in (1, 3)]
    frame = samples_of([str(logs[0].parent)], "colmad", colmad.PROTOCOLS)
    assert frame["condition"].nunique() == 4
    assert all(
        f"prompt={n}" in condition
        for log, n in zip(logs, (1, 3, 1, 3), strict=True)
        for condition in frame.loc[frame["file"] == log.name, "condition"]
    )


def test_records_and_scores_are_those_of_a_live_run(logs: list[Path]) -> None:
    log = read_eval_log(str(logs[-1]))
    items = {str(sample.id): sample for sample in realmistake("sample")}
    said = {}
    for _, _, record in made.records():
        about = record["metadata"]
        names = about["task_name"], about["llm_response_model"]
        id = sample_id(about["id"], *names)
        said[id] = made.answer("beta.2", 3, record)
    assert samples(log).keys() == items.keys()
    assert said.keys() == items.keys()
    for id, sample in samples(log).items():
        item = items[id].metadata or {}
        assert sample.target == items[id].target
        for key in ("subset", "response_author", "input_group", "categories"):
            assert sample.metadata[key] == item[key]
        debate = debate_of(sample)
        assert debate is not None
        (turn,) = debate.turns
        assert (debate.protocol, debate.complete) == ("single", True)
        assert (turn.kind, debate.answer) == ("answer", said[id])
        assert (turn.status == "ok") == (debate.answer is not None)
        values = score(sample, "error_detection")
        found = tuple(values[key] for key in ("prediction", "correct", "gold"))
        assert found == pytest.approx(
            VALUES[debate.answer, str(sample.target)], nan_ok=True
        )
        process = score(sample, "process")
        assert process["unparsed"] == process["answers_lost"] == isnan(found[0])
        assert process["first_a"] == pytest.approx(values["correct"], nan_ok=True)
        text = json.dumps(sample.model_dump(mode="json"))
        assert json.dumps(item["task"])[1:40] not in text
        assert json.dumps(item["response"])[1:40] not in text


def test_the_header_has_the_metrics_of_a_live_run(logs: list[Path]) -> None:
    log = read_eval_log(str(logs[0]))
    assert log.results is not None
    detection, process = log.results.scores
    values = [score(sample, "error_detection") for sample in samples(log).values()]
    subsets = [sample.metadata["subset"] for sample in samples(log).values()]
    f1 = expected(
        "f1",
        [v["gold"] for v in values],
        [v["prediction"] for v in values],
        stratum=subsets,
    )
    assert detection.metrics["f1"].value == pytest.approx(f1)
    assert process.metrics["debated"].value == 0


def test_outputs_give_the_same_scores_and_keep_what_was_said(
    logs: list[Path], tmp_path: Path
) -> None:
    again = import_detectors(made.repository(tmp_path), tmp_path / "logs")
    assert [log.name for log in again] == [log.name for log in logs]
    for one, other in zip(logs, again, strict=True):
        ours, theirs = (samples(read_eval_log(str(p))) for p in (one, other))
        assert ours.keys() == theirs.keys()
        for id, sample in theirs.items():
            assert score(sample, "error_detection") == pytest.approx(
                score(ours[id], "error_detection"), nan_ok=True
            )
            debate = debate_of(sample)
            assert debate is not None
            text = f"I read it <b>twice</b> and say: {debate.answer}."
            assert unescape(debate.turns[0].public) == text


def _changed(**values: Any) -> Callable[[list[made.Row]], list[made.Row]]:
    return lambda rows: [rows[0] | values, *rows[1:]]


def _turned(rows: list[made.Row]) -> list[made.Row]:
    turned = {"error": "no_error", "no_error": "error"}
    return [rows[0] | {"gold_label": turned[rows[0]["gold_label"]]}, *rows[1:]]


@pytest.mark.parametrize(
    "change",
    [
        _turned,
        _changed(index=99),
        _changed(index="one"),
        _changed(task="poems"),
        _changed(response_model="nobody"),
        _changed(predicted_label="perhaps"),
        _changed(gold_label="unparsed"),
        _changed(prompt="another prompt"),
        lambda rows: rows[1:],
        lambda rows: [*rows, rows[0]],
        lambda rows: [rows[1], *rows[1:]],
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


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"metadata": null}'])
def test_bad_lines_of_outputs_are_refused(line: str, tmp_path: Path) -> None:
    folder = made.repository(tmp_path)
    next(folder.rglob("*_1.jsonl")).write_text(line)
    with pytest.raises(InputError):
        import_detectors(folder, tmp_path / "logs")


def test_a_folder_without_answers_is_refused(tmp_path: Path) -> None:
    made.archive(tmp_path)
    with pytest.raises(InputError):
        import_detectors(tmp_path, tmp_path / "logs")


@pytest.mark.slow
@pytest.mark.skipif(not DATA, reason="needs INSPECT_DEBATE_DATA")
def test_published_values_come_out_of_the_logs(tmp_path: Path) -> None:
    folder = Path(str(DATA)) / "realmistake"
    labels: dict[tuple[str, ...], list[tuple[float, float]]] = defaultdict(list)
    for path in import_detectors(folder, tmp_path):
        spec = read_eval_log(str(path), header_only=True).eval
        prompt = str((spec.metadata or {})["parameters"]["prompt"])
        for one in read_eval_log_sample_summaries(str(path)):
            value = one.scores["error_detection"].value if one.scores else {}
            assert isinstance(value, dict)
            key = (
                one.metadata["subset"],
                one.metadata["response_author"],
                spec.model.rpartition("/")[2],
                prompt,
            )
            gold, prediction = value["gold"], value["prediction"]
            labels[key].append(
                (float(gold or 0), nan if prediction is None else float(prediction))
            )
    published = json.loads((folder / "published_performance.json").read_text())
    compared = 0
    for task, authors in published.items():
        for author, detectors in authors.items() if task in SUBSETS else ():
            for detector, prompts in detectors.items():
                for prompt, cell in prompts.items():
                    if not prompt.startswith("prompt="):
                        continue
                    gold, prediction = zip(
                        *labels[
                            SUBSETS[task],
                            AUTHORS[author.partition("=")[2]],
                            detector.partition("=")[2].rpartition("/")[2],
                            prompt.rpartition("_")[2],
                        ],
                        strict=True,
                    )
                    for name in ("accuracy", "precision", "recall", "f1"):
                        ours = expected(name, gold, prediction, unread="realmistake")
                        assert ours == pytest.approx(
                            cell["metrics"][name], rel=0, abs=1e-12
                        )
                        compared += 1
    assert compared == 768
