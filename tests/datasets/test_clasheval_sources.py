"""Where ClashEval's rows come from: files of three kinds, and the shipped sample."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from inspect_debate.datasets.clasheval import clasheval, load
from inspect_debate.datasets.clasheval_questions import Row
from inspect_debate.debate.errors import InputError
from tests.datasets.made_clasheval import made_rows, records, saved

ENDINGS = ("parquet", "pqt", "csv", "jsonl")


def save(table: pd.DataFrame, path: Path) -> str:
    if path.suffix == ".pqt":
        table.to_parquet(path)
        return str(path)
    return saved(table, path)


@pytest.mark.parametrize("ending", ENDINGS)
def test_files_of_each_kind(ending: str, tmp_path: Path) -> None:
    """Sixty questions: the same samples from each, and the file in the provenance."""
    table = made_rows(10)
    first = clasheval(saved(table, tmp_path / "first.jsonl"))
    path = save(table, tmp_path / f"made.{ending}")
    loaded = clasheval(path)
    assert [sample.model_dump() for sample in loaded.dataset] == [
        sample.model_dump() for sample in first.dataset
    ]
    assert len(loaded.dataset) == 120
    told = {"source": "path", "file": f"made.{ending}"}
    told["sha256"] = hashlib.sha256(Path(path).read_bytes()).hexdigest()
    assert told.items() <= loaded.provenance.items()
    assert str(tmp_path) not in json.dumps(loaded.provenance)


@pytest.mark.parametrize("ending", ENDINGS)
def test_texts_stay_what_they_are(ending: str, tmp_path: Path) -> None:
    """Nothing is guessed to be missing, a number or a time."""
    table = made_rows({"names": 5})
    for number, answer in enumerate(["NA", "0.10", "1:30", "null", '"a, b"\n']):
        table.loc[4 * number : 4 * number + 3, "answer_original"] = answer
        table.loc[4 * number, "context_original"] = f"A {answer} {'x' * 10_000}é\n\n"
    rows = load(save(table, tmp_path / f"made.{ending}")).rows
    assert [row.answer for row in rows[::4]] == ["NA", "0.10", "1:30", "null", '"a, b"']
    assert [row.context for row in rows] == list(table["context_original"])


def test_values_in_the_types_of_parquet(tmp_path: Path) -> None:
    """Numbers in columns of numbers, missing values, and further columns."""
    table = pd.DataFrame(records("years", 1) + records("drugs", 1))
    table["mod_degree"] = table["mod_degree"].astype(float)
    table["prior_logprobs"] = None
    table.loc[3, "context_mod"] = None
    table.loc[4, "context_mod"] = float("nan")
    nullable = table.convert_dtypes()
    nullable.loc[5, "answer_mod"] = pd.NA
    plain, other = (
        load(saved(t, tmp_path / f"{n}.parquet")).rows
        for n, t in enumerate((table, nullable))
    )
    assert [row.degree for row in plain[:3]] == ["0", "-100", "-77"]
    assert [row.degree for row in plain[12:14]] == ["0.1", "0.2"]
    assert (plain[3].passage, plain[4].passage) == ("", "")
    assert other == [
        row._replace(says="") if number == 5 else row
        for number, row in enumerate(plain)
    ]


def test_a_split_column_is_kept(tmp_path: Path) -> None:
    table = made_rows({"names": 6})
    table["split"] = "test"
    loaded = clasheval(saved(table, tmp_path / "a.csv"))
    assert {(sample.metadata or {})["split"] for sample in loaded.dataset} == {"test"}


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_missing_column(ending: str, tmp_path: Path) -> None:
    table = made_rows(1).drop(columns="context_mod")
    with pytest.raises(InputError) as caught:
        load(save(table, tmp_path / f"made.{ending}"))
    assert caught.value.message.startswith(
        f"made.{ending} is not of ClashEval's schema: it lacks 'context_mod'; "
        "its columns are answer_mod, answer_original, context_original, dataset, "
    )


def test_no_such_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspect_debate.debate.paths.STARTED_IN", tmp_path)
    with pytest.raises(InputError, match=r"source='publishd' is not known; allowed: "):
        load("publishd")
    (tmp_path / "folder.csv").mkdir()
    missing, folder = "does not exist", "is a folder"
    for typed, said in {
        "none.csv": missing,
        "deeper/none": missing,
        "folder.csv": folder,
        str(tmp_path): folder,
    }.items():
        with pytest.raises(InputError) as caught:
            load(typed)
        assert caught.value.message == (
            f"{tmp_path / typed} {said}. Other sources: source=published or "
            "source=sample."
        )
    saved(made_rows(1), tmp_path / "here.csv")
    assert len(load("here.csv").rows) == 52
    with pytest.raises(InputError, match="is no path"):
        load(5)  # type: ignore[arg-type]  # as `-T source=5` gives it


@pytest.mark.parametrize("source", ["sample", "made.csv"])
def test_only_published_data_have_revisions(source: str) -> None:
    with pytest.raises(InputError, match=f"^revision='v1' .*, not source={source}"):
        load(source, "v1")


def test_an_unknown_domain_names_the_file(tmp_path: Path) -> None:
    table = made_rows(1).replace({"dataset": {"news": "gossip"}})
    with pytest.raises(InputError, match=r"^a\.csv: 'gossip' is no domain"):
        load(saved(table, tmp_path / "a.csv"))


def questions(rows: list[Row]) -> dict[tuple[str, str], list[Row]]:
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        found.setdefault((row.domain, row.question), []).append(row)
    return found


def test_the_sample() -> None:
    """At least fifteen questions of each domain, and nothing of it is left out."""
    loaded = clasheval("sample")
    told = {"source": "sample", "file": "clasheval_sample.yaml"}
    assert told.items() <= loaded.provenance.items()
    assert min(loaded.provenance["questions"].values()) >= 15
    assert sum(loaded.provenance["questions"].values()) >= 90
    assert loaded.provenance["left_out"] == {"rows": {}, "questions": {}}
    assert loaded.provenance["measured"] == []
    strata = loaded.provenance["balance"]["severity"]
    assert max(strata.values()) - min(strata.values()) <= 1
    assert loaded.provenance["balance"]["moved"] == 0


def test_the_samples_rows() -> None:
    for (domain, _), rows in questions(load("sample").rows).items():
        degrees = [row.degree for row in rows]
        assert len(degrees) == len(set(degrees))
        assert degrees[0] == "0"
        expected = {"years": 1, "names": 4, "locations": 4}
        assert expected.get(domain, 9) <= len(rows) <= 11
        for row in rows:
            assert row.says in row.passage
            assert (row.passage == row.context) == (row.degree == "0")


def test_samples_of_the_sample_know_no_folder() -> None:
    provenance: dict[str, Any] = clasheval("sample", questions=6).provenance
    assert "/" not in json.dumps(provenance)
