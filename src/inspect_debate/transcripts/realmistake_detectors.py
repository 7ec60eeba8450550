"""ReaLMistake's released error detectors as logs of the protocol `single`.

Kamoi et al. 2024 (arXiv 2404.03602) asked eight models with four prompts whether each
of the 900 responses contains an error, and released what they answered.
"""

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from inspect_ai.dataset import Sample
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalMetric,
    EvalResults,
    EvalSample,
    EvalScore,
    EvalSpec,
    write_eval_log,
)
from inspect_ai.scorer import Metric, MetricProtocol, SampleScore, Score
from inspect_ai.util import Store

from inspect_debate.datasets.download import fetch, json_lines, read_file, read_member
from inspect_debate.datasets.realmistake import (
    AUTHORS,
    FILES,
    FOLDERS,
    PASSWORD,
    SHA256,
    SIZES,
    SUBSETS,
    URL,
    Cell,
    record_to_sample,
    sample_id,
)
from inspect_debate.debate.errors import InputError, check_known
from inspect_debate.debate.record import Debate, Stored, Turn
from inspect_debate.debate.text import escape
from inspect_debate.scorers.error_detection import detection_score, error_rates
from inspect_debate.scorers.process import debated_share, process_values
from inspect_debate.solvers.questions import LABELS

TABLE = "detector_labels.csv"
OUTPUTS = "error_detection_outputs/simple_prompt_baseline"
PROMPT = "baseline_errordetection_prompt_"
_METADATA = ("subset", "response_author", "input_group", "categories", "difficulty")


class Answer(NamedTuple):
    """What a detector answered to an item; the label is empty if it was not read."""

    detector: str
    prompt: int
    id: str
    label: str
    response: str = ""


def import_detectors(path: Path, out: Path) -> list[Path]:
    """Write a log for each detector and prompt, without the text of the items.

    Args:
        path: The table of labels, its folder, or a copy of the authors' repository with
            the detectors' outputs. The benchmark's `data.zip` is read from the same
            folder, or else downloaded.
        out: The folder for the logs.

    Raises:
        InputError: If the answers cannot be read, contradict the benchmark, or are not
            one to each item.
    """
    folder = path if path.is_dir() else path.parent
    archive = folder / "data.zip"
    if not archive.is_file():
        archive = fetch(URL, SHA256, "realmistake/data.zip")
    cells = {cell: _items(archive, cell) for cell in SIZES}
    items = {str(item.id): item for of in cells.values() for item in of}
    table = folder / TABLE if path.is_dir() else path
    rows = _outputs(folder) if not table.is_file() else _labels(table, cells)
    conditions: dict[tuple[str, int], list[Answer]] = {}
    for place, row in rows:
        answer = _answer(place, row, items)
        conditions.setdefault((answer.detector, answer.prompt), []).append(answer)
    if not conditions:
        raise InputError(
            f"{path} has no answers of detectors; give {TABLE}, or a folder with "
            f"TASK/RESPONSE_MODEL/DETECTOR/{PROMPT}1.jsonl."
        )
    for (detector, prompt), answers in conditions.items():
        answered = {answer.id for answer in answers}
        if not len(answers) == len(answered) == len(items):
            raise InputError(
                f"{detector} with prompt {prompt} has {len(answers)} answers to "
                f"{len(answered)} items; give the whole release, with one to each of "
                f"the {len(items)}."
            )
    out.mkdir(parents=True, exist_ok=True)
    written = []
    for answers in conditions.values():
        log = _log(answers, items)
        written.append(out / f"{log.eval.task_id}.eval")
        write_eval_log(log, str(written[-1]))
    return written


# --- What was released ----------------------------------------------------------------

Row = dict[str, Any]


def _items(archive: Path, cell: Cell) -> list[Sample]:
    """The items of a cell in the order of its file, which is that of the labels."""
    member = f"data/{FOLDERS[cell.subset]}/{FILES[cell.author]}"
    lines = json_lines(read_member(archive, member, PASSWORD), member)
    return [record_to_sample(record, place) for place, record in lines]


def _labels(table: Path, cells: dict[Cell, list[Sample]]) -> Iterator[tuple[str, Row]]:
    """The rows of the table of labels, with the items' ids."""
    rows = csv.DictReader(io.StringIO(read_file(table).decode(errors="replace")))
    for row in rows:
        place = f"{table.name}, line {rows.line_num}"
        with _as_released(place):
            cell = Cell(SUBSETS[row["task"]], AUTHORS[row["response_model"]])
            id = cells[cell][int(row["index"])].id
        yield place, {**row, "id": id}


def _outputs(folder: Path) -> Iterator[tuple[str, Row]]:
    """The lines of the files of outputs, as rows of the table of labels."""
    root = folder / OUTPUTS if (folder / OUTPUTS).is_dir() else folder
    for path in sorted(root.glob("*/*/*/*.jsonl")):
        lines: Any = json_lines(read_file(path), str(path.relative_to(root)))
        for place, line in lines:
            with _as_released(place):
                about = line["metadata"]
                names = about["task_name"], about["llm_response_model"]
                yield (
                    place,
                    {
                        "detector_model": path.parent.name,
                        "prompt": path.stem,
                        "id": sample_id(about["id"], *names),
                        "predicted_label": line["prediction"] or "unparsed",
                        "gold_label": line["label"],
                        "response": line["response"],
                    },
                )


def _answer(place: str, row: Row, items: dict[str, Sample]) -> Answer:
    with _as_released(place):
        id, label = str(row["id"]), row["predicted_label"]
        if items[id].target != row["gold_label"]:
            raise InputError(
                f"{place}: the gold label of {id} is {row['gold_label']!r}, and in the "
                f"benchmark {items[id].target!r}; check the file."
            )
        check_known(f"{place}: label", label, (*LABELS, "unparsed"))
        return Answer(
            row["detector_model"],
            int(row["prompt"].removeprefix(PROMPT)),
            id,
            label.removeprefix("unparsed"),
            row.get("response", ""),
        )


@contextmanager
def _as_released(place: str) -> Iterator[None]:
    try:
        yield
    except InputError:
        raise
    except (KeyError, IndexError, ValueError, TypeError, AttributeError) as error:
        what = f"{type(error).__name__}: {error}"
        raise InputError(f"{place} is not as released ({what}).") from None


# --- Logs -----------------------------------------------------------------------------


def _log(answers: list[Answer], items: dict[str, Sample]) -> EvalLog:
    detector, prompt = answers[0].detector, answers[0].prompt
    condition = {"parser": "realmistake", "prompt": prompt}
    samples = [_sample(answer, items[answer.id], condition) for answer in answers]
    ids = [sample.id for sample in samples]
    return EvalLog(
        status="success",
        eval=EvalSpec(
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            task="colmad",
            # Not drawn, so that reports count a log that is imported twice once.
            task_id=f"realmistake-{detector.replace('/', '-')}-prompt-{prompt}",
            dataset=EvalDataset(name="realmistake", samples=len(ids), sample_ids=ids),
            # Inspect's provider of no model, so that logs can be scored again.
            model=f"none/{detector}",
            config=EvalConfig(),
            tags=["single"],
            metadata={
                "study": "colmad",
                "protocol": "single",
                "parameters": condition,
                "changed": condition,
                "data": {"source": "realmistake-detectors"},
            },
        ),
        samples=samples,
        results=EvalResults(
            total_samples=len(ids),
            completed_samples=len(ids),
            scores=[
                _result("error_detection", error_rates(), samples),
                _result("process", debated_share(), samples),
            ],
        ),
    )


def _sample(answer: Answer, item: Sample, condition: dict[str, Any]) -> EvalSample:
    turn = Turn(
        speaker="debater_a",
        role="debater_a",
        kind="answer",
        public=escape(answer.response),
        private=answer.response,
        fields={"answer": answer.label} if answer.label else {},
        status="ok" if answer.label else "unparsed",
        model=answer.detector,
    )
    debate = Debate(
        protocol="single",
        parameters=condition,
        options=LABELS,
        turns=[turn],
        answer=answer.label or None,
        complete=True,
    )
    store, target = Store(), str(item.target)
    Stored(store=store).debate = debate
    values = process_values(debate, target)
    return EvalSample(
        id=answer.id,
        epoch=1,
        input=f"ReaLMistake, {answer.id} (without its text)",
        target=target,
        metadata={key: (item.metadata or {})[key] for key in _METADATA},
        store=dict(store.items()),
        scores={
            "error_detection": detection_score(debate, target),
            "process": Score(value={**values}, answer=answer.label),
        },
    )


def _result(name: str, metric: Metric, samples: list[EvalSample]) -> EvalScore:
    """What a scorer's metric makes of the samples, as at the end of a run."""
    assert isinstance(metric, MetricProtocol)
    values = metric(
        [
            SampleScore(score=(s.scores or {})[name], sample_metadata=s.metadata)
            for s in samples
        ]
    )
    assert isinstance(values, dict)
    metrics = {n: EvalMetric(name=n, value=float(v or 0)) for n, v in values.items()}
    return EvalScore(name=name, scorer=name, metrics=metrics)
