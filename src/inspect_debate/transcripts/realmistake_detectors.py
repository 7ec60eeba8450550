"""ReaLMistake's released error detectors as logs of the protocol `single`.

Kamoi et al. 2024 (arXiv 2404.03602) asked eight models with four prompts whether each
of the 900 responses contains an error, and released what they answered.
"""

import csv
from pathlib import Path

from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, EvalSample

from inspect_debate.datasets import realmistake
from inspect_debate.datasets.download import fetch, json_lines, read_file, read_member
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import KEY, Debate, Turn
from inspect_debate.scorers.error_detection import detection_score
from inspect_debate.scorers.process import process_score, process_values
from inspect_debate.solvers.questions import LABELS
from inspect_debate.transcripts.logs import scored_log, write_logs

TABLE = "detector_labels.csv"
PROMPT = "baseline_errordetection_prompt_"
_METADATA = ("subset", "response_author", "input_group", "categories", "difficulty")
_READ = {"error": "error", "no_error": "no_error", "unparsed": ""}
_Items = dict[tuple[realmistake.Cell, int], Sample]
_Labels = dict[tuple[realmistake.Cell, int], str]


def import_detectors(path: Path, out: Path) -> list[Path]:
    """Write a log for each detector and prompt, without the text of the items.

    The path is that of the table of labels, or its folder. The benchmark's `data.zip`
    is read from the same folder, or else downloaded.
    """
    table = path / TABLE if path.is_dir() else path
    archive = table.with_name("data.zip")
    if not archive.is_file():
        archive = fetch(realmistake.URL, realmistake.SHA256, "realmistake/data.zip")
    items = _items(archive)
    conditions = _labels(table, items)
    logs = (_log(*of, labels, items) for of, labels in conditions.items())
    return write_logs(logs, out)


def _items(archive: Path) -> _Items:
    """The items by cell and place in its file, which is how the table names them."""
    items = {}
    for cell in realmistake.SIZES:
        folder, file = realmistake.FOLDERS[cell.subset], realmistake.FILES[cell.author]
        member = f"data/{folder}/{file}"
        content = read_member(archive, member, realmistake.PASSWORD)
        for index, (place, record) in enumerate(json_lines(content, member)):
            items[cell, index] = realmistake.record_to_sample(record, place)
    return items


def _labels(table: Path, items: _Items) -> dict[tuple[str, int], _Labels]:
    """The labels of each detector and prompt; empty where its answer was not read."""
    found: dict[tuple[str, int], _Labels] = {}
    rows = csv.DictReader(read_file(table).decode(errors="replace").splitlines())
    for row in rows:
        try:
            subset = realmistake.SUBSETS[row["task"]]
            author = realmistake.AUTHORS[row["response_model"]]
            place = realmistake.Cell(subset, author), int(row["index"])
            prompt = int(row["prompt"].removeprefix(PROMPT))
            labels = found.setdefault((row["detector_model"], prompt), {})
            label = _READ[row["predicted_label"]]
            fits = row["gold_label"] == items[place].target and place not in labels
        except (KeyError, ValueError, TypeError, AttributeError):
            fits = False
        if not fits:
            raise InputError(
                f"{table.name}, line {rows.line_num} is not as released; get it again."
            )
        labels[place] = label
    if not found or any(len(labels) != len(items) for labels in found.values()):
        raise InputError(f"{table} lacks labels; give those of all {len(items)} items.")
    return found


def _log(detector: str, prompt: int, labels: _Labels, items: _Items) -> EvalLog:
    changed = {"parser": "realmistake", "prompt": prompt}
    about = {"study": "colmad", "protocol": "single"}
    return scored_log(
        f"realmistake-{detector.replace('/', '-')}-prompt-{prompt}",
        about | {"parameters": changed, "changed": changed},
        [_sample(items[n], label, detector) for n, label in labels.items()],
        dataset="realmistake",
        roles={"debater_a": [detector]},
    )


def _sample(item: Sample, label: str, detector: str) -> EvalSample:
    turn = Turn(
        speaker="debater_a",
        role="debater_a",
        kind="answer",
        fields={"answer": label} if label else {},
        status="ok" if label else "unparsed",
        model=detector,
    )
    debate = Debate(protocol="single", options=LABELS, turns=[turn], complete=True)
    debate.answer, target = label or None, str(item.target)
    return EvalSample(
        id=str(item.id),
        epoch=1,
        input=f"ReaLMistake, {item.id} (without its text)",
        target=target,
        metadata={key: (item.metadata or {})[key] for key in _METADATA},
        store={KEY: debate.model_dump_json()},
        scores={
            "error_detection": detection_score(debate, target),
            "process": process_score(debate, process_values(debate, target)),
        },
    )
