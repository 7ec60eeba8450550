"""`inspect-debate bcb-env`, with libraries made here: it never needs a network."""

import json
import os
import shutil
import stat
import sys
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from inspect_debate.cli import bcb_env as bcb_env_check
from inspect_debate.cli import import_probe
from inspect_debate.cli.bcb_env import (
    RECORD,
    TASKS,
    bcb_env,
    find_python,
    own_libraries,
    users_libraries,
)
from inspect_debate.debate.errors import InputError
from inspect_debate.grading.interpreter import Environment, environment_of

RUNNING = f"3.{sys.version_info.minor}"
# Like NLTK's: it puts a folder, or without network nothing, where it should.
DOWNLOADER = """
import os, sys
target = sys.argv[sys.argv.index("-d") + 1]
for name in sys.argv[sys.argv.index("-d") + 2:]:
    place = {"stopwords": "corpora", "punkt": "tokenizers"}.get(name)
    if place:
        os.makedirs(os.path.join(target, place, name))
"""
LIBRARIES: Mapping[str, Mapping[str, str]] = {
    "good_thing": {"good/__init__.py": "print('hello from the library')"},
    "single": {"single.py": "", "data/notes.txt": "no module"},
    "broken": {"broken/__init__.py": "raise OSError('libodd.so is missing\\nmore')"},
    "deadly": {"deadly/__init__.py": "import os; os._exit(7)"},
    "leaves": {"leaves/__init__.py": "raise SystemExit(0)"},
    "nltk": {"nltk/__init__.py": "", "nltk/downloader.py": DOWNLOADER},
}

needs_uv = pytest.mark.skipif(shutil.which("uv") is None, reason="uv is not here")


def wheel(folder: Path, name: str, files: Mapping[str, str]) -> None:
    info = f"{name}-1.0.dist-info"
    everything = {
        **files,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any",
    }
    record = "".join(f"{path},,\n" for path in [*everything, f"{info}/RECORD"])
    with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as archive:
        for path, text in {**everything, f"{info}/RECORD": record}.items():
            archive.writestr(path, text)


@pytest.fixture
def closed_umask() -> Iterator[None]:
    before = os.umask(0o077)
    yield
    os.umask(before)


@pytest.fixture(autouse=True)
def offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's own settings, as uv reads them: wheels of a folder."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    for name, files in LIBRARIES.items():
        wheel(wheels, name, files)
    for key, value in {
        "UV_OFFLINE": "1",
        "UV_NO_CACHE": "1",
        "UV_FIND_LINKS": str(wheels),
    }.items():
        monkeypatch.setenv(key, value)


def invoke(folder: Path, *arguments: object) -> Result:
    return CliRunner().invoke(bcb_env, [str(folder), *map(str, arguments)])


def asking(folder: Path, *lines: str) -> list[str]:
    """The options for libraries of our own with the running Python."""
    path = folder / "wanted.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    return ["--requirements", str(path), "--python", RUNNING]


def rows(output: str) -> list[list[str]]:
    return [line.split(maxsplit=2) for line in output.splitlines()]


@pytest.mark.slow
@needs_uv
@pytest.mark.usefixtures("closed_umask")
def test_uv_builds_and_repairs_and_all_that_is_wrong_is_told(tmp_path: Path) -> None:
    env = tmp_path / "env"
    names = ("good-thing==1.0", "single", "broken", "deadly", "leaves", "nltk")
    wanted = asking(tmp_path, "# ours", *names, "absent; python_version < '3'")
    result = invoke(env, *wanted)
    assert result.exit_code == 0, result.output
    shown = rows(result.stdout)
    assert ["good-thing", "1.0", "ok"] in shown
    assert ["single", "1.0", "ok"] in shown
    assert ["broken", "1.0", "OSError: libodd.so is missing"] in shown
    assert ["deadly", "1.0", "importing it ends Python (7)"] in shown
    assert ["leaves", "1.0", "SystemExit: 0"] in shown
    assert ["absent", "not", "installed"] in shown
    assert "3 of 7 libraries can be imported; 6 are installed" in result.stdout
    assert f"Next: inspect-debate bcb-eligible --interpreter {env}" in result.stdout
    assert "corpora/stopwords" not in result.stderr
    assert "corpora/words is not in nltk_data: not eligible without it: 726." in (
        result.stderr
    )
    found = environment_of(str(env / "bin" / "python"))
    assert found.nltk_data == ("corpora/stopwords", "tokenizers/punkt")
    record = json.loads((env / RECORD).read_text(encoding="utf-8"))
    assert record["packages"] == found.packages
    assert record["sha256"] == found.sha256
    assert record["nltk_data"] == list(found.nltk_data)
    assert set(record["problems"]) == {"broken", "deadly", "leaves", "absent"}
    assert closed(env) == []
    assert list(env.rglob("good/__pycache__/*.pyc"))
    python = env / "bin" / "python"
    python.unlink()
    python.symlink_to(tmp_path / "gone")
    repaired = invoke(env, *wanted)
    assert repaired.exit_code == 0, repaired.output
    assert "3 of 7 libraries" in repaired.stdout
    failed = invoke(env, *asking(tmp_path, "no-such-thing"))
    assert failed.exit_code == 1
    assert "Error: Installing the libraries failed; see the output above." in (
        failed.stderr
    )


UV = """#!/bin/sh
for last; do :; done
case $1 in
venv) mkdir -p "$last/bin" && : > "$last/pyvenv.cfg"
    printf '#!/bin/sh\\nexec {python} "$@"\\n' > "$last/bin/python"
    chmod +x "$last/bin/python" ;;
pip) cat requirements.txt ; exit {code} ;;
esac
"""


def uv_in(folder: Path, monkeypatch: pytest.MonkeyPatch, code: int = 0) -> None:
    """A uv whose environments have the libraries of the running Python."""
    (folder / "uv").write_text(UV.format(python=sys.executable, code=code))
    (folder / "uv").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.parametrize("data", ["skip", "folder"])
def test_an_environment_is_described(
    data: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uv_in(tmp_path, monkeypatch)
    env, source = tmp_path / "env", tmp_path / "corpora" / "stopwords"
    source.mkdir(parents=True)
    wanted = [*asking(tmp_path, "click==0", "absent"), "--python", sys.executable]
    given = "skip" if data == "skip" else str(tmp_path)
    for _ in range(2):
        result = invoke(env, *wanted, "--nltk-data", given)
        assert result.exit_code == 0, result.output
    shown = rows(result.stdout)
    (click,) = [row for row in shown if row[:1] == ["click"]]
    assert click[2] == "0 is on the list"
    assert ["absent", "not", "installed"] in shown
    assert "1 of 2 libraries can be imported" in result.stdout
    record = json.loads((env / RECORD).read_text(encoding="utf-8"))
    assert record["problems"] == {"absent": "not installed"}
    assert (env / "nltk_data/corpora/stopwords").is_dir() == (data == "folder")
    uv_in(tmp_path, monkeypatch, code=1)
    failed = invoke(env, *wanted)
    assert failed.exit_code == 1
    assert "Installing the libraries failed; see the output above." in failed.stderr


def test_libraries_are_probed(capfd: pytest.CaptureFixture[str]) -> None:
    assert import_probe.modules("tkinter") == ["tkinter"]
    assert import_probe.modules("click") == ["click"]
    assert import_probe.probe("absent") == "not installed"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["probe", "click", "absent"])
        import_probe.main()
        patch.setattr(import_probe, "import_module", lambda name: sys.exit("no\nmore"))
        assert import_probe.probe("click") == "SystemExit: no"
    assert capfd.readouterr().out.splitlines() == ['""', '"not installed"']


def closed(folder: Path) -> list[Path]:
    """What another user could not read, or enter."""
    paths = [folder, *(path for path in folder.rglob("*") if not path.is_symlink())]
    needed = {path: 0o005 if path.is_dir() else 0o004 for path in paths}
    return [
        path
        for path, bits in needed.items()
        if stat.S_IMODE(path.stat().st_mode) & bits != bits
    ]


def test_without_uv_it_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name, path=None: None)
    for python in (RUNNING, sys.executable):
        wanted = [*asking(tmp_path, "good_thing"), "--python", python]
        result = invoke(tmp_path / "env", *wanted)
        assert result.exit_code == 1
        assert "install it, for example with `pip install uv`." in result.stderr
        assert not (tmp_path / "env").exists()


@pytest.mark.slow
@needs_uv
def test_data_of_nltk_from_a_folder(tmp_path: Path) -> None:
    source, env = tmp_path / "data", tmp_path / "env"
    for path in (
        "corpora/stopwords/english",
        "corpora/brown/a",
        "tokenizers/punkt.zip",
    ):
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        (source / path).write_text("text", encoding="utf-8")
    wanted = asking(tmp_path, "nltk")
    for _ in range(2):
        result = invoke(env, *wanted, "--nltk-data", source)
        assert result.exit_code == 0, result.output
    files = [path for path in (env / "nltk_data").rglob("*") if path.is_file()]
    assert sorted(path.relative_to(env / "nltk_data").as_posix() for path in files) == [
        "corpora/stopwords/english",
        "tokenizers/punkt.zip",
    ]
    assert "stopwords" not in result.stderr
    assert "punkt" not in result.stderr
    assert "taggers/averaged_perceptron_tagger is not in nltk_data" in result.stderr


def old_python(folder: Path) -> Path:
    """A program that says of itself that it is Python 3.8."""
    shown = {"python": "3.8.1", "platform": "x", "packages": {}, "nltk_data": []}
    path = folder / "old"
    answer = f"case $3 in *packages*) echo '{json.dumps(shown)}';; *) echo $0; esac"
    path.write_text(f"#!/bin/sh\n{answer}", encoding="utf-8")
    path.chmod(0o755)
    return path


@needs_uv
def test_another_python_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    result = invoke(tmp_path / "env", "--python", old_python(tmp_path))
    assert result.exit_code == 1
    assert "is Python 3.8.1, and the suite's list is for 3.11" in result.stderr
    assert not (tmp_path / "env").exists()


@needs_uv
def test_a_folder_with_something_else_stays_as_it_is(tmp_path: Path) -> None:
    wanted = asking(tmp_path, "single")
    result = invoke(tmp_path, *wanted)
    assert result.exit_code == 1
    assert f"{tmp_path} holds something else; give a new folder" in result.stderr
    env = tmp_path / "env"
    (env / "bin").mkdir(parents=True)
    (env / "pyvenv.cfg").touch()
    old_python(tmp_path).rename(env / "bin" / "python")
    other = invoke(env, *wanted)
    assert other.exit_code == 1
    assert f"{env} has Python 3.8.1, and {RUNNING}" in other.stderr


def test_what_no_installer_brings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "defpath", "/nowhere")
    without = Environment("3", "x", {}, ())
    shown = list(bcb_env_check.warnings(sys.executable, without))
    programs = [line for line in shown if "in /nowhere" in line]
    assert [line.split()[3] for line in programs] == ["bash", "ps", "pkill"]
    assert not any("NLTK" in line for line in shown)
    bare = Environment("3", "x", {"nltk": "3"}, ("corpora/words",))
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\nexit 1", encoding="utf-8")
    broken.chmod(0o755)
    shown = list(bcb_env_check.warnings(str(broken), bare))
    assert any("no tkinter" in line and "220" in line for line in shown)
    assert sum("NLTK" in line for line in shown) == len(TASKS) - 1
    assert any("177, 334, 383, 940, 1109" in line for line in shown)


def test_a_library_that_hangs_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bcb_env_check, "_CHECK_SECONDS", 1)
    slow = tmp_path / "python"
    slow.write_text("#!/bin/sh\nshift 3\n[ $1 = a ] && echo '\"\"'; exec sleep 60\n")
    slow.chmod(0o755)
    found = bcb_env_check.import_problems(str(slow), ["a", "b"])
    assert found == {"b": "not imported within 1 s"}


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
