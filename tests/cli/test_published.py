"""`inspect-debate published`, and the pages that show what it prints."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from inspect_debate.cli.main import main
from inspect_debate.cli.released_debates import GRADES, released_rows
from inspect_debate.debate.errors import InputError
from inspect_debate.published import audit
from inspect_debate.published.audit import RELEASE, inconsistencies
from inspect_debate.published.human_debate import DEBATES
from inspect_debate.published.realmistake import (
    LABELS,
    PUBLISHED,
    read_detectors,
    released_text,
)
from inspect_debate.published.tables import paper_of
from tests.published.corrected import entry
from tests.support.released import FOLDER, needs_data
from tests.transcripts.made import release

DOCS = Path(__file__).parents[2] / "docs"
HEADING = "## What is wrong in the published numbers"


@pytest.fixture(autouse=True)
def _without_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("INSPECT_DEBATE_DATA", raising=False)


def printed(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["published", *arguments])


def test_counts_without_data() -> None:
    done = printed("counts", "srdcr", "generative")
    assert done.exit_code == 0, done.output
    head, table, *_ = done.output.splitlines()
    assert head.split() == [
        *("study", "table", "printed", "data", "cells"),
        *("convention", "differs", "impossible", "open"),
    ]
    assert table.split() == ["srdcr", "Table", "1", *_SRDCR]
    assert "needs data" in printed("counts", "confidence").output


_SRDCR = ("126", "0", "81", "3", "0", "1", "41")


def test_cells_are_listed_and_written(tmp_path: Path) -> None:
    out = tmp_path / "cells.csv"
    done = printed("counts", "generative", "--cells", "--out", str(out))
    assert done.exit_code == 0, done.output
    assert "(fpr.times): printed 3 times" in done.output
    assert len(out.read_text(encoding="utf-8").splitlines()) == 1 + 40


@needs_data
def test_a_fault_that_data_show() -> None:
    only = ("faults", "colmad", "--only", "colmad-opposite-biases")
    without, done = printed(*only), printed(*only, "--data", str(FOLDER))
    assert (without.exit_code, done.exit_code) == (0, 0)
    assert "INSPECT_DEBATE_DATA" in without.output
    assert "0.78 to 1.00" in done.output


def test_faults() -> None:
    done = printed("faults", "colmad", "srdcr", "--only", "colmad-averages-swapped")
    assert done.exit_code == 0, done.output
    assert done.output.splitlines()[0] == "colmad-averages-swapped"
    assert "91.98 and" in done.output
    assert "srdcr" not in done.output
    every = printed("faults", "srdcr").output.splitlines()
    ids = [line for line in every if line.startswith("srdcr-")]
    assert ids == [one.id for one in inconsistencies(studies=["srdcr"])]


def test_the_command_has_its_old_name_too() -> None:
    only = ("srdcr", "--only", "srdcr-moderate-shift")
    done, old = printed("inconsistencies", *only), printed("faults", *only)
    assert done.exit_code == old.exit_code == 0
    assert done.output == old.output != ""


def test_a_check_that_finds_nothing_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    right = entry("moderate-shift", numbers={"claimed": "mild"})(paper_of("srdcr"))
    monkeypatch.setattr(audit, "paper_of", {"srdcr": right}.__getitem__)
    done = printed("inconsistencies", "srdcr", "--only", "srdcr-moderate-shift")
    assert done.exit_code == 1
    assert "\n  - Not found: by this check" in done.output


@pytest.mark.slow
@pytest.mark.parametrize(
    ("studies", "lacks"),
    [
        ((), [LABELS.name, PUBLISHED.name, RELEASE, DEBATES.name]),
        (("colmad", "srdcr"), [LABELS.name, PUBLISHED.name]),
        (("confidence",), [RELEASE]),
        (("srdcr",), []),
    ],
)
def test_a_folder_without_data_says_what_it_lacks(
    studies: tuple[str, ...], lacks: list[str], tmp_path: Path
) -> None:
    done = printed("counts", *studies, "--data", str(tmp_path))
    assert done.exit_code == 0, done.output
    assert done.stdout == printed("counts", *studies).stdout
    warning = f"--data={tmp_path} lacks {', '.join(lacks)}.\n" if lacks else ""
    assert done.stderr == warning


def test_a_single_missing_file_is_named(tmp_path: Path) -> None:
    write(tmp_path / LABELS.name, "task\n")
    done = printed("counts", "colmad", "--data", str(tmp_path))
    assert done.exit_code == 0, done.output
    assert done.stderr == f"--data={tmp_path} lacks {PUBLISHED.name}.\n"


@pytest.mark.slow
@pytest.mark.parametrize("wrong", ["", "[]", "{", "task,index\nmath,0\n", "\xff"])
@pytest.mark.parametrize("command", ["counts", "faults"])
def test_another_file_than_the_released_is_refused(
    command: str, wrong: str, tmp_path: Path
) -> None:
    for file in (LABELS, PUBLISHED):
        write(tmp_path / file.name, wrong)
    done = printed(command, "colmad", "--data", str(tmp_path))
    assert (done.exit_code, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    lines = wrong.count("\n")
    assert f"{LABELS.name} is not the released file: {lines} line" in line
    assert "; expected: 28,801 lines, sha256 0b2c83c27601" in line


@needs_data
@pytest.mark.parametrize("change", [lambda t: t[:-40], lambda t: t.replace("1", "2")])
def test_each_file_is_checked(change: Callable[[str], str], tmp_path: Path) -> None:
    for changed in (LABELS, PUBLISHED):
        for file in (LABELS, PUBLISHED):
            text = (Path(str(FOLDER)) / file.name).read_text(encoding="utf-8")
            write(tmp_path / file.name, change(text) if file is changed else text)
        with pytest.raises(InputError, match=f"{changed.name} is not the released"):
            read_detectors(tmp_path)


@needs_data
def test_lines_may_end_otherwise(tmp_path: Path) -> None:
    released = Path(str(FOLDER)) / PUBLISHED.name
    text = released_text(Path(str(FOLDER)), PUBLISHED)
    write(tmp_path / PUBLISHED.name, text.replace("\n", "\r\n"))
    assert (tmp_path / PUBLISHED.name).read_bytes() != released.read_bytes()
    assert released_text(tmp_path, PUBLISHED) == text


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode())


ROOT = Path(FOLDER or ".") / RELEASE


def test_other_debates_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\d debates? of condition 'cross_model' "):
        released_rows(release(tmp_path))


def without(file: Path) -> None:
    file.unlink()


def altered(file: Path) -> None:
    content = file.read_bytes()
    file.unlink()
    file.write_bytes(content + b"\n")


def emptied(file: Path) -> None:
    file.unlink()
    file.write_bytes(b"")


def linked(folder: Path) -> Path:
    """The release, of links to its files."""
    for file in ROOT.rglob("*.json"):
        link = folder / file.relative_to(ROOT)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(file)
    return folder


@needs_data
@pytest.mark.parametrize(
    ("change", "says"),
    [
        (without, "59 debates of condition 'self' were read; expected are the 60"),
        (emptied, "59 debates of condition 'self' were read; expected are the 60"),
        (altered, "60 debates of condition 'self' were read, not all as released;"),
    ],
)
def test_a_changed_transcript_is_refused(
    change: Callable[[Path], None], says: str, tmp_path: Path
) -> None:
    root = linked(tmp_path)
    change(min((root / "experiments" / "private_self_bet").iterdir()))
    with pytest.raises(InputError, match=says):
        released_rows(root)


@needs_data
@pytest.mark.parametrize(
    ("change", "says"),
    [
        (without, "can't be read: No such file"),
        (altered, "is not the released file: 7,790 lines"),
    ],
)
def test_changed_grades_are_refused(
    change: Callable[[Path], None], says: str, tmp_path: Path
) -> None:
    root = linked(tmp_path)
    change(root / GRADES[0].name)
    with pytest.raises(InputError, match=f"{GRADES[0].name} {says}"):
        released_rows(root)
