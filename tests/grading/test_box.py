"""The files, the processor and the interpreter of a sandbox."""

import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.grading import config as host
from inspect_debate.grading.box import (
    Box,
    default_interpreter,
    interpreter_view,
    one_processor,
)
from inspect_debate.grading.bubblewrap_command import Channels
from inspect_debate.grading.config import BubblewrapConfig
from inspect_debate.grading.interpreter import (
    Environment,
    environment_of,
    resolve_interpreter,
)
from inspect_debate.grading.supervise import Build
from inspect_debate.grading.view import View
from tests.grading.users import User


@pytest.fixture
def box(monkeypatch: pytest.MonkeyPatch) -> Iterator[Box]:
    """One that runs nothing, so that bubblewrap need not be there."""
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    made = Box(BubblewrapConfig())
    yield made
    made.close()


@pytest.mark.parametrize(
    "file", ["", ".", "/etc/passwd", "..", "../x", "a/../../x", "a/../b", "//x"]
)
def test_only_files_in_the_working_directory_have_a_path(box: Box, file: str) -> None:
    with pytest.raises(PermissionError, match="relative to its working directory"):
        box.path(file)


def test_a_link_out_is_not_followed(box: Box, tmp_path: Path) -> None:
    box.write("a", b"")
    (box.path("a").parent / "out").symlink_to(tmp_path)
    with pytest.raises(PermissionError):
        box.write("out/x", b"")
    assert list(tmp_path.iterdir()) == []


def test_others_read_files_in_a_folder_that_nobody_else_reaches(box: Box) -> None:
    umask = os.umask(0o077)
    try:
        box.write("a/b/c.txt", b"c")
    finally:
        os.umask(umask)
    path, folder = box.path("a/b/c.txt"), box.path("x").parents[1]
    assert path.stat().st_mode & 0o777 == 0o644
    assert {path.parents[n].stat().st_mode & 0o777 for n in range(2)} == {0o755}
    assert folder.stat().st_mode & 0o077 == 0
    box.close()
    assert not folder.exists()


def test_files_are_seen_in_the_working_directory_and_cannot_be_changed(
    user: User,
) -> None:
    code = (
        "import os\nprint(os.getcwd(), open('a/b.txt').read(), os.listdir('a'))\n"
        "for work in (lambda: open('a/b.txt', 'w'), lambda: os.unlink('a/b.txt')):\n"
        "    try: work()\n    except OSError as error: print(error.errno)\n"
        "open('a/own.txt', 'w').write('new')\nprint(sorted(os.listdir('a')))"
    )
    files = {"a/b.txt": "text", "Ünder a name.txt": ""}
    first, second = user.run(code, files=files), user.run(code, files=files)
    assert first == second
    assert first.stdout.decode().splitlines() == [
        "/home/sandbox/work text ['b.txt']",
        *("30", "16"),
        "['b.txt', 'own.txt']",
    ]


WORLD = """
import getpass, os, platform, pwd, socket, time
print(os.getuid(), os.getgid(), getpass.getuser(), os.path.expanduser("~"))
print(socket.gethostname(), socket.gethostbyname("localhost"), time.tzname[0])
print(*sorted(os.environ))
print(*sorted(os.listdir("/etc")))
print(*(user.pw_name for user in pwd.getpwall()))
server = socket.create_server(("127.0.0.1", 0))
socket.create_connection(server.getsockname())
try: socket.gethostbyname("example.com")
except socket.gaierror: print("no such host")
"""


def test_the_world_inside_is_made_for_it(user: User) -> None:
    ended = user.run(WORLD)
    who, where, environment, settings, users, network = ended.stdout.decode().split(
        "\n", 5
    )
    assert who == "65534 65534 nobody /home/sandbox"
    assert where == "sandbox 127.0.0.1 UTC"
    assert set(environment.split()) == {
        *("HOME", "LANG", "MPLBACKEND", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"),
        *("MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "PATH", "TMPDIR"),
        *("PYTHONDONTWRITEBYTECODE", "PWD"),
    }
    assert set(settings.split()) <= {
        *("passwd", "group", "hosts", "nsswitch.conf", "timezone", "localtime"),
        *("ld.so.cache", "mime.types", "alternatives", "fonts"),
    }
    assert users == "root nobody"
    assert network == "no such host\n"


@pytest.mark.parametrize("path", ["relative", "/does/not/exist", "/etc/passwd", ""])
def test_what_is_shown_must_exist(path: str) -> None:
    with pytest.raises(InputError, match=f"home={path!r} is not allowed"):
        Box(BubblewrapConfig(home=path))
    if path != "/etc/passwd":
        with pytest.raises(InputError, match="give absolute paths that exist"):
            Box(BubblewrapConfig(binds=(path,)))


def test_more_files_than_can_be_shown_are_refused_and_none(
    tmp_path: Path, box: Box
) -> None:
    for number in range(501):
        (tmp_path / str(number)).touch()
        box.write(f"a/{number}", b"")
    with pytest.raises(InputError, match=r"501 files .* at most 500"):
        Box(BubblewrapConfig(home=str(tmp_path)))
    with pytest.raises(InputError, match=r"501 files .*/work"):
        box.run(["true"], output=1)
    box.close()
    with pytest.raises(InputError, match=r"inspect-debate-.* is gone"):
        box.run(["true"], output=1)


NO_TEXT = [
    (["a\0b"], {}, r"a\\x00b"),
    (["\ud800"], {}, "lone surrogates"),
    (["a"], {"A": "\0"}, "zeros"),
    (["a"], {"\ud800": "x"}, "lone surrogates"),
    (["a"], {"A=B": "x"}, "A=B"),
    (["a"], {"": "x"}, "variable"),
]


@pytest.mark.parametrize(("command", "environment", "words"), NO_TEXT)
def test_what_no_program_can_be_given(
    box: Box, command: list[str], environment: dict[str, str], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        box.run(command, output=1, environment=environment)


def test_as_root_each_run_is_another_user(
    monkeypatch: pytest.MonkeyPatch, box: Box
) -> None:
    def supervised(build: Build, **settings: Any) -> list[str]:
        return build(Channels(7))

    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("inspect_debate.grading.box.supervise", supervised)
    monkeypatch.setattr(host, "_has", lambda mapped, number: True)
    users = set()
    for _ in range(3):
        words: Any = box.run(["true"], output=1)
        user, group = (words[words.index(f"--re{kind}") + 1] for kind in ("uid", "gid"))
        assert user == group
        users.add(int(user))
    assert len(users) == 3
    assert min(users) >= 1_900_000_000


MAPS = {
    "0 0 4294967295\n": True,
    "0 100000 65536\n": False,
    "0 1000 1\n1 1879048192 2147000000\n": True,
    "": False,
}


def test_a_user_must_be_known_here(monkeypatch: pytest.MonkeyPatch) -> None:
    for mapped, known in MAPS.items():
        monkeypatch.setattr(Path, "read_text", lambda path, text=mapped: text)
        user = host.someone()
        assert user >= 1_900_000_000 if known else user == 65534


def test_a_missing_program_is_named_with_its_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(InputError, match=r"'bwrap'.*apt-get install bubblewrap"):
        Box(BubblewrapConfig())


RELEASES = {
    **{"5.14.0-427.el9.x86_64": True, "6.18.44": True},
    **{"5.13.19": False, "4.18.0-553.el8": False, "unknown": False},
}


def test_old_kernels_count_what_else_the_user_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """There the watch alone counts."""
    assert {n: host.counts_processes_by_namespace(n) for n in RELEASES} == RELEASES
    config = BubblewrapConfig(processes=7)
    module = "inspect_debate.grading.config.counts_processes_by_namespace"
    monkeypatch.setattr(module, lambda: True)
    assert config.limits().processes == 7
    monkeypatch.setattr(module, lambda: False)
    assert config.limits().processes is None


@pytest.fixture
def own_temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


@pytest.mark.usefixtures("own_temporary_files")
def test_nobody_shares_while_there_are_processors_left() -> None:
    usable = os.sched_getaffinity(0)
    for _ in range(3):  # and all are free again afterwards
        with ExitStack() as stack:
            taken = [stack.enter_context(one_processor()) for _ in usable]
            assert sorted(taken) == sorted(usable)
            assert stack.enter_context(one_processor()) in usable


@pytest.mark.usefixtures("own_temporary_files")
def test_another_process_counts_and_frees_its_processor_when_it_ends() -> None:
    usable = sorted(os.sched_getaffinity(0))
    ready, done = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:  # takes all but one, then is killed as it holds them
        with ExitStack() as stack:
            taken = [stack.enter_context(one_processor()) for _ in usable[1:]]
            os.write(ready[1], json.dumps(taken).encode() + b"\n")
            os.read(done[0], 1)
        os._exit(1)
    with os.fdopen(ready[0]) as printed:
        taken = json.loads(printed.readline())
        with one_processor() as left:
            assert sorted([*taken, left]) == usable
    os.kill(child, 9)
    os.waitpid(child, 0)
    with ExitStack() as stack:
        again = [stack.enter_context(one_processor()) for _ in usable]
    assert sorted(again) == usable
    for file in (ready[1], *done):
        os.close(file)


@pytest.mark.usefixtures("own_temporary_files")
def test_a_file_in_the_way_costs_no_sandbox(tmp_path: Path) -> None:
    for number in os.sched_getaffinity(0):
        name = f"inspect-debate-processor-{os.geteuid()}-{number}.lock"
        (tmp_path / name).symlink_to("/dev/null")
    with one_processor() as first, one_processor() as second:
        assert {first, second} <= os.sched_getaffinity(0)


AFFINITY = """import json, os
before = sorted(os.sched_getaffinity(0))
try:
    os.sched_setaffinity(0, range(os.cpu_count()))
except OSError as error:
    print(json.dumps([before, sorted(os.sched_getaffinity(0)), error.errno]))
"""


@pytest.mark.usefixtures("own_temporary_files")
def test_a_program_sees_one_processor_and_cannot_take_another(user: User) -> None:
    before, after, _ = json.loads(user.run(AFFINITY).stdout)
    assert len(before) == 1
    assert after == before


SPIN = """import os, sys
for _ in range(99):
    if os.fork() == 0:
        os.setsid()  # the kernel shares processors out by session, too
        break
while True:
    pass
"""


@pytest.mark.slow
@pytest.mark.usefixtures("own_temporary_files")
@pytest.mark.skipif(
    shutil.which("bwrap") is None or len(os.sched_getaffinity(0)) < 2,
    reason="bubblewrap is not installed, or there is one processor only",
)
def test_a_hundred_busy_processes_do_not_slow_down_a_neighbour() -> None:
    """Alone it takes 1 s; with shares of two processors it would take over 30."""
    box, stop = Box(BubblewrapConfig()), threading.Event()
    python = box.interpreter

    def spin() -> str:
        spinner = [python, "-I", "-c", SPIN]
        return box.run(spinner, output=10, seconds=120, stop=stop).reason

    def work() -> tuple[str, int]:
        code = "import time\nwhile time.process_time() < 1: pass"
        ended = box.run([python, "-I", "-c", code], output=1000, seconds=20)
        return ended.reason, ended.returncode

    try:
        with ThreadPoolExecutor(2) as pool:
            spinning = pool.submit(spin)
            worked = [pool.submit(work).result() for _ in range(2)]
            stop.set()
            assert spinning.result() == "stopped"
    finally:
        box.close()
    assert worked == [("exit", 0)] * 2


def shows(view: View, path: str | Path) -> bool:
    real = Path(path).resolve()
    return any(real.is_relative_to(bind.destination) for bind in view.binds)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment, with another folder on its path."""
    folder = tmp_path_factory.mktemp("environment").resolve()
    more = folder / "more"
    more.mkdir()
    (more / "ours.py").write_text("value = 5")
    made = [default_interpreter(), "-m", "venv", "--without-pip", str(folder / "venv")]
    subprocess.run(made, check=True)
    (site,) = (folder / "venv" / "lib").glob("python*/site-packages")
    (site / "more.pth").write_text(f"{more}\n")
    return folder


def test_an_interpreter_is_shown_with_what_it_imports(environment: Path) -> None:
    """By default that is the standard library, and not our own environment."""
    view = interpreter_view(default_interpreter())
    assert shows(view, subprocess.__file__)
    assert not shows(view, pytest.__file__)
    assert sys.prefix == sys.base_prefix or not shows(view, sys.prefix)
    view = interpreter_view(str(environment / "venv" / "bin" / "python"))
    for shown in (environment / "venv", sys.base_prefix, environment / "more"):
        assert shows(view, shown)
    assert not shows(view, environment)


def test_it_works_inside(user: User, environment: Path) -> None:
    if user.place != str(user.folder):
        pytest.skip("the environment is not this user's")
    python = environment / "venv" / "bin" / "python"
    ended = user.run(
        "import ours, sys; print(ours.value, sys.prefix)", interpreter=str(python)
    )
    assert ended.stdout.decode().split() == ["5", str(environment / "venv")]


def answering(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def test_what_is_no_interpreter_is_refused(tmp_path: Path) -> None:
    for given in ("python3", "/nowhere/python", "/etc/hostname", "/"):
        with pytest.raises(InputError, match="interpreter="):
            interpreter_view(given)
    for name, text in (("fails", "exit 3"), ("python", "echo nonsense")):
        with pytest.raises(InputError, match="does not work: asked for its paths"):
            interpreter_view(answering(tmp_path / name, text))


@pytest.mark.parametrize("prefix", ["/", "/home", "HOME", "HOME/.."])
def test_a_home_directory_is_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, prefix: str
) -> None:
    home = tmp_path.resolve() / "users" / "me"
    home.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    prefix = prefix.replace("HOME", str(home))
    python = answering(tmp_path / "python", f"echo '[\"{prefix}\"]'")
    with pytest.raises(InputError, match="would be seen inside"):
        interpreter_view(python)


def test_none_is_the_running_python_outside_of_its_virtual_environment() -> None:
    found = resolve_interpreter(None)
    asked = "import sys; print(sys.prefix == sys.base_prefix == sys.argv[1])"
    command = [found, "-I", "-c", asked, sys.base_prefix]
    assert subprocess.check_output(command, text=True).strip() == "True"


def test_a_folder_is_its_virtual_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert resolve_interpreter(sys.prefix) == str(Path(sys.prefix, "bin", "python"))
    (tmp_path / "somepython").mkdir()  # no environment: the name on PATH is meant
    monkeypatch.chdir(tmp_path)
    there = tmp_path / "programs"
    there.mkdir()
    answering(there / "somepython", f'exec "{sys.executable}" "$@"')
    monkeypatch.setenv("PATH", f"{there}{os.pathsep}{os.environ['PATH']}")
    # A script that starts a Python would not be found in a sandbox.
    assert resolve_interpreter("somepython") == sys.executable
    assert resolve_interpreter(str(there / "somepython")) == sys.executable


NO_PYTHONS = {
    "no-such-python": "over=no-such-python is not there; give the folder of",
    "{folder}": "over={folder} is not there",
    "{folder}/python": "over={folder}/python is not there",
    "{folder}/text": "{folder}/text is no Python that runs: [Errno 13]",
    "{folder}/fails": "{folder}/fails is no Python that runs: it ended with 3: no",
    "{folder}/silent": "is no Python that runs: it ended with 4: it said nothing",
}


@pytest.mark.parametrize(("given", "says"), NO_PYTHONS.items())
def test_what_is_no_python(given: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no program", encoding="utf-8")
    answering(tmp_path / "fails", "echo yes >&2; echo no >&2; exit 3")
    answering(tmp_path / "silent", "exit 4")
    with pytest.raises(InputError) as error:
        resolve_interpreter(given.format(folder=tmp_path), "over")
    assert says.format(folder=tmp_path) in str(error.value)


def test_an_environment_is_what_the_interpreter_sees_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alien = tmp_path / "alien_thing-1.0.dist-info"
    alien.mkdir()
    (alien / "METADATA").write_text("Name: alien-thing\nVersion: 1.0\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    found = environment_of(sys.executable)
    assert found.python == platform.python_version()
    assert platform.machine() in found.platform
    assert found.packages["inspect-ai"] == metadata.version("inspect_ai")
    assert found.packages["typing-extensions"] == metadata.version("typing_extensions")
    assert "alien-thing" not in found.packages
    assert "inspect-ai" not in environment_of(resolve_interpreter(None)).packages


def test_the_checksum_is_of_names_and_versions_in_order() -> None:
    expected = hashlib.sha256(b"a==1\nb==2").hexdigest()
    assert Environment("3", "x", {"b": "2", "a": "1"}, ()).sha256 == expected
    assert Environment("4", "y", {"a": "1", "b": "2"}, ("z",)).sha256 == expected
    assert Environment("3", "x", {"a": "1", "b": "3"}, ()).sha256 != expected
