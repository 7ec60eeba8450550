"""`inspect-debate compare`."""

import csv
import json
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest
from click.testing import CliRunner

from inspect_debate.cli.main import main
from tests.reports.compare.made import log, samples
from tests.reports.made_logs import changed, foreign, ran


@cache
def protocols() -> list[str]:
    """Logs of two protocols on the same items."""
    folder = Path(mkdtemp())
    return [str(ran(folder, protocol=name)) for name in ("single", "self_consistency")]


def compared(*arguments: object) -> str:
    result = CliRunner().invoke(main, ["compare", *map(str, arguments)])
    assert result.exit_code == 0, result.output
    assert "Traceback" not in result.output
    return result.stdout


def test_first_all_that_differs_then_the_differences_then_the_cost() -> None:
    text = compared(*protocols(), "--metric", "correct")
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    assert headings == [
        *("## Arms", "## What differs", "## Samples left out"),
        *("## Differences", "## Cost"),
    ]
    assert "Factor: protocol. The protocols differ, and no --factor was named." in text
    assert "None: all arms have the same 4." in text
    assert "part of a protocol  parameters  n" in text
    assert "B less A" in text
    # Seven answers in place of one.
    assert "A 1.0, B 7.0 (7.0 times)" in text


def test_json_has_every_number() -> None:
    found = json.loads(
        compared(*protocols(), "--metric", "correct", "--margin", "0.2", "--json")
    )
    assert found["factor"] == [
        {
            "kind": "parameters",
            "name": "protocol",
            "values": {"A": "single", "B": "self_consistency"},
        }
    ]
    (pair,) = found["comparisons"]
    means = [arm["mean"] for arm in found["arms"]]
    assert (pair["a"], pair["b"]) == ("A", "B")
    assert pair["difference"] == means[1] - means[0]
    assert 0 < pair["p"] <= pair["p_holm"] <= 1
    assert pair["equivalence"]["equivalent"] is False
    assert [arm["calls_per_sample"] for arm in found["arms"]] == [1, 7]
    # What is not known is null.
    assert [arm["dollars_per_sample"] for arm in found["arms"]] == [None, None]


@pytest.mark.parametrize("as_json", [True, False])
def test_files_for_readers_and_programs(as_json: bool, tmp_path: Path) -> None:
    out = tmp_path / "out"
    also = ["--json"] if as_json else []
    text = compared(*protocols(), "--metric", "correct", "--out", out, *also)
    assert (out / "report.html").is_file()
    with (out / "tables" / "differences.csv").open(encoding="utf-8") as file:
        first, *_ = csv.DictReader(file)
    assert (first["taken_as"], first["name"]) == ("factor", "protocol")
    assert {path.stem for path in (out / "tables").glob("*.csv")} == {
        *("arms", "differences", "means", "comparisons", "costs"),
        *("runs", "data", "prompts", "parameters"),
    }
    assert ("open " in text) != as_json
    if as_json:
        json.loads(text)


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["A", "B", "--metric", "f1"], 1, "it has match."),
        (["A", "FOREIGN", "--metric", "match"], 1, "it has no scores."),
        (["A", "FAILED", "--metric", "match"], 1, "has status 'error'"),
    ],
)
def test_what_is_wrong_is_one_sentence(
    arguments: list[str], code: int, says: str, tmp_path: Path
) -> None:
    made = {
        "A": log(tmp_path, samples([1, 0])),
        "B": log(tmp_path, samples([1, 1]), model="m/two"),
        "FAILED": log(tmp_path, samples([1, 1]), model="m/two", status="error"),
        "OTHER": log(tmp_path, samples([1, 1], input="Which?"), model="m/two"),
        "FOREIGN": foreign(),
    }
    given = [str(made.get(word, word)) for word in arguments]
    result = CliRunner().invoke(main, ["compare", *given])
    assert result.exit_code == code
    assert says in result.output
    assert result.output.count("Error: ") == 1
    assert "Traceback" not in result.output


def test_runs_that_did_not_finish_where_that_is_allowed(tmp_path: Path) -> None:
    (tmp_path / "changed").mkdir()
    whole, other = protocols()
    part = changed(Path(other), tmp_path / "changed", status="cancelled")
    text = compared(whole, part, "--metric", "correct", "--allow-partial")
    assert "B less A" in text
