"""What `inspect-debate bcb-env` installs, and with which Python."""

import os
import sys
from pathlib import Path

import pytest

from inspect_debate.cli.bcb_env import find_python, own_libraries, users_libraries
from inspect_debate.debate.errors import InputError


def test_the_suites_list() -> None:
    whole = own_libraries(())
    assert len(whole.versions) == 67
    assert None not in whole.versions.values()
    assert whole.versions["scipy"] == "1.10.1"
    less = own_libraries(("TensorFlow_CPU", "nltk"))
    assert whole.versions.keys() - less.versions.keys() == {"tensorflow-cpu", "nltk"}
    lines = whole.files["requirements.txt"].splitlines()
    left = set(lines) - set(less.files["requirements.txt"].splitlines())
    assert left == {"tensorflow-cpu==2.15.1", "nltk==3.8.1"}
    constraints = whole.files["constraints.txt"].splitlines()
    pinned = [line for line in constraints if not line.startswith("#")]
    assert len(pinned) == 84
    assert all(line.count("==") == 1 for line in pinned)
    assert not {line.split("==")[0] for line in pinned} & whole.versions.keys()


def test_the_names_in_a_users_file(tmp_path: Path) -> None:
    path = tmp_path / "wanted.txt"
    lines = (
        "# comment",
        "-c other.txt",
        "--no-binary scipy",
        "Good_Thing==1.0 # why",
        "more[extra, two] == 2.0.post1; python_version > '3'",
        "any.thing >= 1, < 2",
        "local @ file:///somewhere/local.whl",
        "./some/folder",
        "git+ssh://somewhere/name",
        "bare",
    )
    path.write_text("\n".join(lines), encoding="utf-8")
    found = users_libraries(str(path))
    assert found.versions == {
        "good-thing": "1.0",
        "more": "2.0.post1",
        "any-thing": None,
        "local": None,
        "bare": None,
    }
    assert found.files == {"requirements.txt": f"-r {path}"}


def test_uv_finds_the_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uv = tmp_path / "uv"
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.defpath}")
    uv.write_text(f"#!/bin/sh\necho {sys.executable}")
    uv.chmod(0o755)
    assert find_python("3.99") == sys.executable
    uv.write_text("#!/bin/sh\nexit 2")
    with pytest.raises(InputError, match=r"uv python install 3\.99"):
        find_python("3.99")
    uv.unlink()
    with pytest.raises(InputError, match="which is not on PATH"):
        find_python("3.99")
