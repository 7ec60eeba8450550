"""Human labels of debates: what is read, and what is refused."""

from pathlib import Path

import pytest
from inspect_ai.dataset import Sample

from inspect_debate.datasets.judge_check import human_labels
from inspect_debate.debate.errors import InputError
from tests.support.runs import item

CHOICE = Sample(id="q1", input="Which?", choices=["At noon", "At one"], target="A")
OTHER = Sample(id="q2", input="Which?", choices=["Two", "Three"], target="A")
WORDS = Sample(id="q3", input="Which?", target=["Ash"])
SAMPLES = [CHOICE, OTHER, WORDS, item("e1")]


def written(folder: Path, text: str, name: str = "labels.csv") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("id", "given", "answer"),
    [
        ("q1", "B", "B"),
        ("q1", "b", "B"),
        ("q1", "at one", "B"),
        ("q2", "Two", "A"),
        ("q3", "The Ash", "ash"),
        ("e1", "error", "error"),
        ("e1", "2", "no_error"),
    ],
)
def test_answers_are_read_as_records_have_them(
    id: str, given: str, answer: str, tmp_path: Path
) -> None:
    labels = human_labels(written(tmp_path, f"id,answer\n{id},{given}\n"), SAMPLES)
    assert labels.answers == {id: answer}
    assert labels.provenance["file"] == "labels.csv"


def test_most_annotators_decide_and_a_tie_is_nobodys(tmp_path: Path) -> None:
    rows = ["id,answer,annotator", "q1,A,x", "q1,A,y", "q1,B,z", "q2,A,x", "q2,B,y"]
    labels = human_labels(written(tmp_path, "\n".join(rows)), SAMPLES)
    assert labels.answers == {"q1": "A", "q2": None}
    assert labels.provenance == {
        "file": "labels.csv",
        "labels": 5,
        "annotators": 3,
        "labelled": 2,
        "tied": 1,
    }


def test_forms_of_files(tmp_path: Path) -> None:
    as_excel = written(tmp_path, 'id,answer\r\nq1,"at\n one"\r\nq2,A\r\n', "L.CSV")
    assert human_labels(as_excel, SAMPLES).answers == {"q1": "B", "q2": "A"}
    lines = '{"id": "q3", "answer": "ash\u2028", "annotator": 0}'
    other = '{"id": "q3", "answer": "ash", "annotator": 1}'
    labels = human_labels(written(tmp_path, f"{lines}\n{other}", "l.jsonl"), SAMPLES)
    assert labels.provenance["annotators"] == 2
    with pytest.raises(InputError, match="line 2 has 'more cells'"):
        human_labels(written(tmp_path, "id,answer\nq1,A,x\n"), SAMPLES)


def test_json_lines_are_read(tmp_path: Path) -> None:
    text = '{"id": "q1", "answer": "A"}\n\n{"id": "q2", "answer": "B"}\n'
    labels = human_labels(written(tmp_path, text, "labels.jsonl"), SAMPLES)
    assert labels.answers == {"q1": "A", "q2": "B"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id,answer\nq9,A\n", "line 2: no debate has the id 'q9'"),
        ("id,answer\nq1,C\n", "line 2: 'C' is no answer to q1"),
        ("id,answer\ne1,A\n", "line 2: 'A' is no answer to e1"),
        ("id,answer\nq1,A\nq1,B\n", "line 3: q1 is labelled by .* twice"),
        ("id,label\nq1,A\n", "lacks 'answer'"),
        ("id,answer,who\nq1,A,x\n", "has 'who'; allowed: annotator, answer, id"),
        ("id,answer\nq1,\n", "lacks 'answer'"),
        ("id,answer\n", "has no label"),
        ("id,answer\nq1,A,x,y\n", "has 'more cells'"),
    ],
)
def test_what_is_wrong_is_told(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        human_labels(written(tmp_path, text), SAMPLES)


@pytest.mark.parametrize(
    ("text", "said"), [("{", "line 1 is not JSON"), ("[1]", "line 1 is no JSON object")]
)
def test_broken_json_is_told(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        human_labels(written(tmp_path, text, "labels.jsonl"), SAMPLES)


def test_a_missing_file_is_told() -> None:
    with pytest.raises(InputError, match=r"human_labels=none\.csv cannot be read"):
        human_labels("none.csv", SAMPLES)
