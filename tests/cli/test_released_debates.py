"""The confidence study's release is taken as a whole, or refused."""

from collections.abc import Callable
from pathlib import Path

import pytest

from inspect_debate.cli.released_debates import GRADES, released_rows
from inspect_debate.debate.errors import InputError
from inspect_debate.published.audit import RELEASE
from tests.support.released import FOLDER, needs_data
from tests.transcripts.made import release

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
