import subprocess
import sys
from pathlib import Path

import pytest

from inspect_debate.debate import paths
from inspect_debate.debate.paths import user_path


def test_an_absolute_path_stays(tmp_path: Path) -> None:
    assert user_path(tmp_path / "a.yaml") == tmp_path / "a.yaml"
    assert user_path(str(tmp_path / "a.yaml")) == tmp_path / "a.yaml"


def test_the_home_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert user_path("~/a.yaml") == tmp_path / "a.yaml"


def test_relative_to_where_the_command_was_typed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(paths, "STARTED_IN", Path("/typed/here"))
    monkeypatch.chdir(tmp_path)
    assert user_path("sub/a.yaml") == Path("/typed/here/sub/a.yaml")


@pytest.mark.slow
def test_a_later_change_of_folder_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    code = (
        "from inspect_debate.debate.paths import user_path; import os;"
        "os.chdir('elsewhere'); print(user_path('a.yaml'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(done.stdout.strip()) == tmp_path / "a.yaml"
