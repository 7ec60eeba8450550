"""Released detectors as logs: made-up files of the released schema, and the release."""

import csv
import io
import json
import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log

from inspect_debate.cli.import_ import import_
from inspect_debate.datasets.realmistake import (
    PUBLISHED_SIZES,
    SAMPLE_SIZES,
    Subset,
    in_order,
    subset_of,
)
from inspect_debate.debate.errors import InputError
from inspect_debate.evals.colmad import colmad
from inspect_debate.published.realmistake import (
    Detector,
    Detectors,
    Labels,
    detector_numbers,
    read_detectors,
)
from inspect_debate.reports.colmad.conditions import AUTHORS, SUBSETS
from inspect_debate.reports.compare.comparison import compare
from inspect_debate.reports.frames import scores_df
from inspect_debate.reports.studies import report
from inspect_debate.scorers.error_detection import detection_values
from inspect_debate.transcripts.format import Transcript, record_of
from inspect_debate.transcripts.realmistake_detectors import data_beside, detectors_in
from tests.support.models import calls_of, scripted
from tests.support.released import DATA, needs_data
from tests.support.runs import metrics, record, run, samples

PARTS = tuple(PUBLISHED_SIZES)
DETECTORS = ("Alpha-7b", "beta.2")
ENDINGS = {
    "error": "Therefore, the model response contains an error.",
    "no_error": "Therefore, the model response is valid.",
    None: "I cannot say.",
}
TURNED = {"error": "no_error", "no_error": "error"}
PREFIX = "baseline_errordetection_prompt_"

Line = dict[str, Any]
Files = dict[Path, list[Line]]


def made_line(sample: Sample, detector: str, prompt: int) -> Line:
    """A line of a file of outputs; about every sixth cannot be read."""
    draw = Random(f"{sample.id}/{detector}/{prompt}")
    prediction = draw.choice(["error", "error", "error", "no_error", "no_error", None])
    known = sample.metadata or {}
    return {
        "response": f"I have read it <b>twice</b>. {ENDINGS[prediction]}",
        "prediction": prediction,
        "label": sample.target,
        "correct": prediction == sample.target,
        "metadata": {
            "id": sample.id,
            "task_name": known["subset"],
            "task_source": known["task_source"],
            "llm_response_model": known["response_author"],
            "dataset": "realmistake",
            "difficulty": known["difficulty"],
        },
    }


def made_files(root: Path, prompts: Sequence[int] = (1, 3)) -> Files:
    """The outputs of two detectors on the 42 items of the suite's sample."""
    found: Files = defaultdict(list)
    for sample in in_order("sample", PARTS):
        folder = root / subset_of(sample).file.removesuffix(".jsonl")
        for detector in DETECTORS:
            for prompt in prompts:
                path = folder / detector / f"{PREFIX}{prompt}.jsonl"
                found[path].append(made_line(sample, detector, prompt))
    for path, lines in found.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return found


COLUMNS = "task response_model detector_model prompt index predicted_label gold_label"


def table(files: Files) -> list[list[str]]:
    """The labels in the files as the rows of a table, with its header."""
    rows = [COLUMNS.split()]
    for path, lines in files.items():
        where = path.with_suffix("").parts[-4:]
        rows += [
            [*where, str(n), line["prediction"] or "unparsed", line["label"]]
            for n, line in enumerate(lines)
        ]
    return rows


def as_csv(rows: list[list[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("checkout")


@pytest.fixture(scope="module")
def files(checkout: Path) -> Files:
    return made_files(checkout / "error_detection_outputs" / "simple_prompt_baseline")


def imported(path: Path, out: Path, *more: str) -> Result:
    command = ["realmistake-detectors", str(path), "--out", str(out), *more]
    return CliRunner().invoke(import_, command)


def logs_in(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.eval"))


@pytest.fixture(scope="module")
def logs(
    checkout: Path, files: Files, tmp_path_factory: pytest.TempPathFactory
) -> list[Path]:
    out = tmp_path_factory.mktemp("logs")
    done = imported(checkout, out, "--data", "sample")
    assert (done.exit_code, done.stderr) == (0, "")
    return logs_in(out)


def test_a_log_for_each_detector_and_prompt(logs: list[Path], files: Files) -> None:
    assert [log.stem for log in logs] == [
        f"realmistake-{detector}-prompt-{prompt}"
        for detector in DETECTORS
        for prompt in (1, 3)
    ]
    lines = {
        line["metadata"]["id"]: line
        for path, of in files.items()
        if path.match(f"beta.2/{PREFIX}3.jsonl")
        for line in of
    }
    log = read_eval_log(str(logs[-1]), resolve_attachments="full")
    assert len(samples(log)) == len(lines) == 42
    for sample in samples(log):
        line, (turn,) = lines[sample.id], record(sample).turns
        answer = turn.field("answer")
        status = "ok" if line["prediction"] else "unparsed"
        assert (answer.value, answer.status) == (line["prediction"], status)
        assert (turn.public, turn.model) == (line["response"], "beta.2")
        assert sample.target == line["label"]
        assert turn.usage.total_tokens == 0
        assert math.isnan(turn.seconds)
        assert sample.total_time is None
        assert record(sample).question == sample.metadata["fingerprint"]
        given = record(sample).parameters
        assert {k: given[k] for k in ("parser", "max_reasks", "prompt")} == {
            "parser": "realmistake",
            "max_reasks": 0,
            "prompt": "3",
        }
    assert "f1" in metrics(log, "error_detection")
    frame = scores_df(logs[-1:])
    assert frame["debate_process.tokens"].isna().all()
    unread = frame["error_detection.outcome_unparsed"].sum()
    assert unread == sum(line["prediction"] is None for line in lines.values()) > 0


def test_a_table_of_labels_scores_as_the_outputs_do(
    logs: list[Path], files: Files, tmp_path: Path
) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text(as_csv(table(files)))
    assert imported(labels, tmp_path, "--data", "sample").exit_code == 0
    columns = ["log", "id", "parameters", "error_detection.prediction", "target"]
    ours, theirs = (scores_df(of)[columns] for of in (logs, logs_in(tmp_path)))
    pd.testing.assert_frame_equal(ours, theirs)


def test_without_the_data_items_have_labels_and_no_texts(
    files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = "inspect_debate.transcripts.realmistake_detectors.PUBLISHED_SIZES"
    monkeypatch.setattr(sizes, SAMPLE_SIZES)
    labels = tmp_path / "labels.csv"
    labels.write_text(as_csv(table(files)))
    done = imported(labels, tmp_path)
    assert done.exit_code == 0
    assert "no texts of items" in done.stderr
    log = read_eval_log(str(logs_in(tmp_path)[0]))
    ids = {str(sample.id): sample.target for sample in samples(log)}
    assert len(ids) == 42
    assert ids["math_word_problem_generation/gpt-4-0613/0"] in TURNED
    frames = {t.name: t.frame for t in report("colmad", logs_in(tmp_path)).tables()}
    assert frames["table_4"]["Items"].tolist() == [7] * 6
    assert frames["table_4"]["Words in"].isna().all()


def test_comparisons_call_detectors_by_what_differs(logs: list[Path]) -> None:
    for other, factor in ((logs[1], "prompt"), (logs[2], "debater_a")):
        found = compare([logs[0], other], "error_detection.correct").split
        assert [one.fact.name for one in found.factor] == [factor]
        assert not found.confounds


@pytest.mark.slow
def test_the_report_tells_prompts_apart_and_takes_one_for_pairs(
    logs: list[Path],
) -> None:
    made = report("colmad", logs)
    frames = {table.name: table.frame for table in made.tables()}
    title = "Single agent, max_reasks=0, parser=realmistake, prompt="
    assert {*frames["errors"]["Protocol"].head(4)} == {title + "1", title + "3"}
    pairs = frames["oracle"]
    assert set(pairs["Models"]) == {"Alpha-7b + beta.2"}
    (notice,) = (n.text for n in made.notices if "Eq. 4" in n.text)
    assert notice.count(title + "1") == 2
    assert title + "3" not in notice
    (provenance,) = (one for one in made.sections if one.title == "Provenance")
    assert provenance.text.count("`# imported from realmistake-detectors`") == 1


def test_outputs_can_be_read_by_another_parser(tmp_path: Path) -> None:
    files = made_files(tmp_path, prompts=(1,))
    path, (line, *_) = next(iter(files.items()))
    line["response"] = f"That part of the response is correct. {ENDINGS['error']}"
    line |= {"prediction": "no_error", "correct": line["label"] == "no_error"}
    path.write_text("\n".join(map(json.dumps, files[path])))
    read = [
        [one.turns[0].answer for _, one in detectors_in(str(tmp_path), "sample", by)]
        for by in ("realmistake", "last_sentence")
    ]
    apart = [pair for pair in zip(*read, strict=True) if pair[0] != pair[1]]
    assert apart == [("no_error", "error")]


@pytest.mark.slow
def test_numbers_of_another_parser_come_with_a_warning(
    checkout: Path, files: Files, logs: list[Path], tmp_path: Path
) -> None:
    other = ["--data", "sample", "--parser", "last_sentence"]
    done = imported(checkout, tmp_path, *other)
    assert "need --parser=realmistake" in done.stderr
    (notice,) = (
        notice.text
        for notice in report("colmad", [logs[0], logs_in(tmp_path)[0]]).notices
        if "config.parser=realmistake" in notice.text
    )
    assert notice.endswith("- Single agent, max_reasks=0, prompt=1 (Alpha-7b)")


def test_the_command_says_what_is_wrong(
    checkout: Path, logs: list[Path], files: Files, tmp_path: Path
) -> None:
    out = logs[0].parent
    again = imported(checkout, out, "--data", "sample")
    assert again.exit_code == 1
    assert "give --force" in again.output
    nothing = imported(tmp_path, out)
    assert "neither detector_labels.csv nor files such as" in nothing.output
    labels = tmp_path / "detector_labels.csv"
    labels.write_text(as_csv(table(files)))
    other = imported(tmp_path, out, "--parser", "last_sentence")
    assert "needs the detectors' outputs" in other.output
    without = imported(tmp_path, out)
    assert "7 answers on math/gpt4" in without.output
    assert "140 and 87 are expected" in without.output
    assert not [*tmp_path.glob("*.eval")]


# The four prompts: two wordings, with their two closing sentences in both orders.

WORDINGS = {
    "error": ("contains an error.", "contains no error."),
    "valid": ("is not valid.", "is valid."),
}


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("wording", WORDINGS)
@pytest.mark.parametrize("parser", ["realmistake", "last_sentence"])
def test_a_file_of_prompts_can_say_what_detectors_were_asked(
    wording: str, turned: bool, parser: str, tmp_path: Path
) -> None:
    found, none = WORDINGS[wording]
    first, second = (none, found) if turned else (found, none)
    own = {
        "criterion": "Read an input and a response. Is it as it was asked for?\n",
        "item": "=== In ===\n\n{task}\n\n=== Out ===\n\n{response}\n\n=== End ===\n",
        "answer": f'Explain. End with "So the response {first}" or "It {second}"',
    }
    (tmp_path / "mine.yaml").write_text(json.dumps(own))
    model = scripted(lambda messages, told: f"So, the model response {found}")
    log = run(
        colmad(
            protocol="single",
            source="sample",
            prompts=str(tmp_path / "mine.yaml"),
            config={"parser": parser, "max_reasks": 0},
        ),
        tmp_path,
        model,
        limit=1,
    )
    (sample,), (call,) = samples(log), calls_of(model)
    assert not isinstance(sample.input, str)
    texts = [message.text for message in sample.input]
    item = own["item"].format(task=texts[0], response=texts[1]).strip()
    whole = "\n\n".join([own["criterion"].strip(), item, own["answer"]])
    assert call.prompt == whole
    assert record(sample).turns[0].field("answer").value == "error"


# Files that are not as they were released.

Found = dict[tuple[str, str], Transcript]


def found_in(path: Path) -> Found:
    """All answers, by detector with prompt and item."""
    found = {
        (one.condition, one.id): one for _, one in detectors_in(str(path), "sample")
    }
    assert len(found) in (84, 168)
    return found


def changed(line: str, **changes: Any) -> str:
    return json.dumps(json.loads(line) | changes)


def label_turned(line: str, **changes: Any) -> str:
    label = TURNED[json.loads(line)["label"]]
    return changed(line, label=label, correct=json.loads(line)["prediction"] == label)


def renamed(line: str, key: str) -> str:
    return json.dumps({k + "_" * (k == key): v for k, v in json.loads(line).items()})


SPOILED: dict[str, tuple[str, Callable[[str], str]]] = {
    "prediction": (
        "prediction",
        lambda line: changed(
            line, prediction=TURNED.get(json.loads(line)["prediction"], "error")
        ),
    ),
    "label": ("gold label", label_turned),
    "correct": (
        "correct",
        lambda line: changed(line, correct=not json.loads(line)["correct"]),
    ),
    "another word": ("prediction", lambda line: changed(line, prediction="Error")),
    "a number": ("correct", lambda line: changed(line, correct=1)),
    "no text": ("response", lambda line: changed(line, response=None)),
    "nobody's id": (
        "no item of the data",
        lambda line: line.replace('"id": "', '"id": "nobody'),
    ),
    "another task": (
        "metadata",
        lambda line: changed(
            line, metadata=json.loads(line)["metadata"] | {"task_name": "poetry"}
        ),
    ),
    "key": ("label", lambda line: renamed(line, "label")),
    "one more": ("vote", lambda line: changed(line, vote=1)),
    "cut": ("", lambda line: line[: len(line) // 2]),
}
HARMLESS: dict[str, Callable[[list[str], Random], list[str]]] = {
    "order": lambda lines, draw: draw.sample(lines, len(lines)),
    "keys": lambda lines, draw: [
        json.dumps(dict(reversed(json.loads(line).items()))) for line in lines
    ],
    "empty lines": lambda lines, draw: ["", *lines, ""],
    "Windows": lambda lines, draw: [line + "\r" for line in lines],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("changed")
    made_files(folder, prompts=(1,))
    return folder


@given(draw=st.randoms(), how=st.sampled_from([*SPOILED, *HARMLESS, "gone", "twice"]))
@settings(max_examples=50, deadline=None)
def test_changed_outputs_are_imported_alike_or_refused(
    folder: Path, draw: Random, how: str
) -> None:
    whole, path = found_in(folder), draw.choice(sorted(folder.rglob("*.jsonl")))
    name, before = path.relative_to(folder).as_posix(), path.read_text()
    lines = before.splitlines()
    at = draw.randrange(len(lines))
    field, place = "", f"{name}, line {at + 1}"
    if how in HARMLESS:
        lines = HARMLESS[how](lines, draw)
    elif how in SPOILED:
        field, change = SPOILED[how]
        lines[at] = change(lines[at])
    elif how == "gone":
        del lines[at]
        place = f"6 answers on {_part(name)} (the last in {name}, line 6)"
    else:
        lines.append(lines[at])
        place = f"{name}, line 8"
    path.write_text("\n".join(lines), newline="")
    try:
        if how in HARMLESS:
            assert found_in(folder) == whole
        else:
            refused(folder, field, place)
    finally:
        path.write_text(before)


def _part(name: str) -> str:
    folder, file, *_ = name.split("/")
    return next("/".join(p) for p in PARTS if p.file == f"{folder}/{file}.jsonl")


def refused(path: Path, *said: str) -> None:
    with pytest.raises(InputError) as error:
        found_in(path)
    for what in said:
        assert what in error.value.message


def test_a_file_under_another_name_is_refused(folder: Path) -> None:
    path = min(folder.rglob("*.jsonl"))
    for name in ("other.jsonl", f"../beta.3/{path.name}"):
        other = path.parent / name
        other.parent.mkdir(exist_ok=True)
        path.rename(other)
        refused(folder, "0 answers on")
        other.rename(path)


Rows = list[list[str]]


def _cell(rows: Rows, at: int, column: int) -> str:
    rows[at][column] = "?"
    return rows[0][column]


def _head(rows: Rows, at: int, column: int) -> str:
    name, rows[0][column] = rows[0][column], "other"
    return name


def _short(rows: Rows, at: int, column: int) -> str:
    del rows[at][column]
    return "6 cells"


def _twice(rows: Rows, at: int, column: int) -> str:
    rows.append(rows[at])
    return "already"


def _gone(rows: Rows, at: int, column: int) -> str:
    del rows[at]
    return "6 answers"


def _gold(rows: Rows, at: int, column: int) -> str:
    rows[at][-1] = TURNED[rows[at][-1]]
    return "gold label"


@given(
    draw=st.randoms(),
    change=st.sampled_from([None, _cell, _head, _short, _twice, _gone, _gold]),
)
@settings(max_examples=40, deadline=None)
def test_a_changed_table_is_imported_alike_or_refused(
    files: Files,
    tmp_path_factory: pytest.TempPathFactory,
    draw: Random,
    change: Callable[[Rows, int, int], str] | None,
) -> None:
    path, rows = tmp_path_factory.getbasetemp() / "labels.csv", table(files)
    path.write_text(as_csv(rows))
    if change is None:
        whole, order = found_in(path), draw.sample(range(7), 7)
        rows[1:] = draw.sample(rows[1:], len(rows) - 1)
        text = as_csv([[row[n] for n in order] for row in rows])
        path.write_text(text.replace("\n", "\r\n"), newline="")
        assert found_in(path) == whole
        return
    at, column = draw.randrange(1, len(rows)), draw.randrange(7)
    said = change(rows, at, column)
    line = 2 if change is _head else len(rows) if change is _twice else at + 1
    path.write_text(as_csv(rows))
    refused(path, said, "labels.csv, line" if change is _gone else f", line {line}: ")


@given(cut=st.floats(0, 1, exclude_max=True))
@settings(max_examples=40, deadline=None)
def test_a_file_that_is_cut_off_is_refused(
    files: Files, folder: Path, tmp_path_factory: pytest.TempPathFactory, cut: float
) -> None:
    path = tmp_path_factory.getbasetemp() / "cut.csv"
    text = as_csv(table(files)).rstrip()
    path.write_text(text[: int(cut * len(text))])
    refused(path)
    outputs = max(folder.rglob("*.jsonl"))
    before = outputs.read_text()
    try:
        outputs.write_text(before[: int(cut * len(before.rstrip()))])
        refused(folder)
    finally:
        outputs.write_text(before)


# The release.


@pytest.fixture(scope="module")
def published() -> Detectors:
    found = read_detectors(DATA)
    assert found is not None
    return found


@needs_data
def test_scorers_of_imported_records_give_the_published_numbers(
    published: Detectors,
) -> None:
    """All numbers by prompt and all averages, without logs, which take a minute."""
    folder = str(DATA / "realmistake")
    labels: dict[Detector, dict[str, Labels]] = defaultdict(lambda: defaultdict(list))
    for _, one in detectors_in(folder, data_beside(folder)):
        found = detection_values(record_of(one, {}), str(one.right))
        author = Subset(one.metadata["subset"], one.metadata["response_author"])
        part, model = author.file.removesuffix(".jsonl").split("/")
        detector = Detector(part, model, one.participants[0].who)
        of_prompt = labels[detector][PREFIX + one.parameters["prompt"]]
        of_prompt.append((found["gold"], found["prediction"]))
    numbers = list(detector_numbers(published._replace(labels=labels)))
    assert len(numbers) == 192 * 11 + 64 * 16
    assert [number for number in numbers if not number.equal] == []


@needs_data
def test_a_report_on_imported_logs_has_published_cells(
    published: Detectors, tmp_path: Path
) -> None:
    """Those of one detector with one prompt."""
    model, prompt = "gpt-4-0613", f"{PREFIX}1"
    head, *rows = csv.reader((DATA / "realmistake" / "detector_labels.csv").open())
    taken = [row for row in rows if row[2:4] == [model, prompt]]
    (tmp_path / "labels.csv").write_text(as_csv([head, *taken]))
    archive = str(DATA / "realmistake" / "data.zip")
    done = imported(tmp_path / "labels.csv", tmp_path, "--data", archive)
    assert done.exit_code == 0, done.output
    frames = {t.name: t.frame for t in report("colmad", logs_in(tmp_path)).tables()}
    compared = 0
    for detector, by_prompt in published.published.items():
        if detector.model == model:
            for score in ("accuracy", "precision", "recall", "f1"):
                cell = _cell_of(frames, detector, score)
                assert cell == pytest.approx(by_prompt[prompt][score], abs=1e-12)
                compared += 1
    assert compared == len(PARTS) * 4


def _cell_of(frames: dict[str, pd.DataFrame], detector: Detector, score: str) -> float:
    (part,) = (p for p in PARTS if p.file == f"{detector.task}/{detector.author}.jsonl")
    author, task = AUTHORS[part.author], SUBSETS[part.subset]
    cells = frames["table_1_cells" if author == "GPT-4" else "table_2_cells"]
    of_authors = cells["Unreadable"] == "as no error"
    of_score = cells["Score"].str.lower() == score
    return float(cells[of_authors & of_score][task].item())
