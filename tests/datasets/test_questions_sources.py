"""Files of all kinds, the shipped sample, and what is said of what cannot be read."""

import csv
from pathlib import Path

import pytest

from inspect_debate.datasets.questions import questions
from inspect_debate.debate import paths
from tests.datasets.made_questions import about, about_passages, dump, saved


@pytest.mark.parametrize("ending", ["jsonl", "json", "parquet", "csv"])
def test_files_of_all_kinds_hold_the_same_questions(
    ending: str, tmp_path: Path
) -> None:
    rows = about_passages()
    expected = questions(saved(rows, tmp_path / "farms.jsonl"), seed=2)
    loaded = questions(saved(rows, tmp_path / f"farms.{ending}"), seed=2)
    assert dump(loaded) == dump(expected)
    assert loaded.provenance["file"] == f"farms.{ending}"


def test_a_path_from_where_the_command_was_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved(about_passages(), tmp_path / "farms.jsonl")
    monkeypatch.setattr(paths, "STARTED_IN", tmp_path)
    assert len(questions("farms.jsonl").dataset) == 12
    assert len(questions("./farms.jsonl").dataset) == 12


@pytest.mark.parametrize(("ending", "mark"), [("tsv", "\t"), ("csv", ";")])
def test_what_separates_cells(ending: str, mark: str, tmp_path: Path) -> None:
    """As spreadsheets export where a comma is for decimals."""
    path = tmp_path / f"farms.{ending}"
    options = ["1,5", "2,5 or so, no more", "3"]
    row = ["How many?", *options, "C", "1, 2; and\t3"]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=mark)
        writer.writerows([["question", *"ABC", "answer", "passage"], row])
    (sample,) = questions(str(path), {"shuffle": False}).dataset
    assert (sample.choices, sample.target) == (options, "C")
    assert about(sample)["passage"] == "1, 2; and\t3"


def test_the_sample() -> None:
    loaded = questions("sample")
    told = {"source": "sample", "file": "questions_sample.jsonl", "rows": 27}
    assert told.items() <= loaded.provenance.items()
    assert (loaded.provenance["groups"], loaded.provenance["with_passage"]) == (9, 27)
    assert {about(sample)["data_name"] for sample in loaded.dataset} == {"sample"}
    first = [about(sample)["input_group"] for sample in loaded.dataset][:9]
    assert len(set(first)) == 9


def test_cells_of_csv_files(tmp_path: Path) -> None:
    """A heading with a byte order mark, quoted cells of several lines, empty lines."""
    path = tmp_path / "quoted.csv"
    path.write_text(
        '\ufeffquestion,options,answer\r\n\r\n"Who, ""or"" what?\nSay.",'
        '"[""It\'s a"", ""b""]",A\r\n',
        encoding="utf-8",
        newline="",
    )
    (sample,) = questions(str(path), {"shuffle": False}).dataset
    assert sample.input == 'Who, "or" what?\nSay.'
    assert sample.choices == ["It's a", "b"]
