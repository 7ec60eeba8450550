"""The sandbox `bubblewrap`: what it shows and limits, and that nothing gets out."""

import json
import os
import shutil
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from inspect_ai.util import ExecResult, SandboxEnvironment

from inspect_debate.debate.errors import InputError
from inspect_debate.grading.bubblewrap import (
    BubblewrapConfig,
    BubblewrapSandbox,
    python_folders,
)
from tests.grading.victim import needs_bubblewrap

pytestmark = [needs_bubblewrap, pytest.mark.slow]

SMALL = BubblewrapConfig(memory_mb=120, processes=24, disk_mb=8)


@pytest.fixture
def box() -> Iterator[BubblewrapSandbox]:
    made = BubblewrapSandbox(SMALL)
    yield made
    given: dict[str, SandboxEnvironment] = {"default": made}
    anyio.run(BubblewrapSandbox.sample_cleanup, "task", None, given, True)
    assert not made.folder.exists()


def run(box: BubblewrapSandbox, *command: str, **given: Any) -> ExecResult[str]:
    return anyio.run(partial(box.exec, [*command], **given))


def python(box: BubblewrapSandbox, code: str, **given: Any) -> ExecResult[str]:
    return run(box, "python3", "-I", "-c", code, **{"timeout": 20, **given})


def test_a_command_with_all_that_can_be_given(box: BubblewrapSandbox) -> None:
    anyio.run(box.write_file, "sub/file", "text")
    given = {"input": "in ", "cwd": "sub", "env": {"NAME": "a value"}}
    found = run(box, "sh", "-c", 'cat; cat file; echo "$NAME" >&2; exit 3', **given)
    assert found == ExecResult(False, 3, "in text", "a value\n")
    assert run(box, "cat", input=b"a\xff").stdout == "a\N{REPLACEMENT CHARACTER}"


def test_files(box: BubblewrapSandbox) -> None:
    anyio.run(box.write_file, "a/b", "line\r\n")
    anyio.run(box.write_file, "c", b"\xff")
    assert anyio.run(box.read_file, "a/b") == "line\r\n"
    assert anyio.run(box.read_file, "c", False) == b"\xff"
    for outside in ("/etc/passwd", "../hosts"):
        with pytest.raises(PermissionError):
            anyio.run(box.read_file, outside)
    with pytest.raises(FileNotFoundError):
        anyio.run(box.read_file, "d")


def test_nothing_is_left_for_the_next_command(box: BubblewrapSandbox) -> None:
    assert run(box, "sh", "-c", "echo > $HOME/left; ls ~").stdout == "left\n"
    assert run(box, "ls", "/tmp/home").stdout == ""


def test_python_and_its_libraries(box: BubblewrapSandbox) -> None:
    found = python(box, "import sys, numpy; print(sys.version)")
    assert found.stdout == f"{sys.version}\n"


@pytest.mark.parametrize("name", ["python", "python3.11", "."])
def test_the_folders_of_a_python_behind_links(tmp_path: Path, name: str) -> None:
    real, alias, venv = (tmp_path / n for n in ("real/bin", "alias", "venv/bin"))
    real.mkdir(parents=True)
    venv.mkdir(parents=True)
    (real / "python3.11").touch()
    alias.symlink_to(tmp_path / "real")
    (venv / "python3.11").symlink_to(alias / "bin" / "python3.11")
    for link in ("python", "python3"):
        (venv / link).symlink_to("python3.11")
    given = str(venv.parent if name == "." else venv / name)
    folders = python_folders(BubblewrapConfig(python=given).interpreter)
    assert folders == [str(tmp_path / n) for n in ("venv", "alias", "real")]


FORKS = "import os, time\ndef fork(times, work):\n for _ in range(times):\n"
FORKS += "  if os.fork() == 0:\n   work()\n   os._exit(0)\n"
HOLDS = "def hold():\n block = b'x' * (40 * 2**20); time.sleep(20)\n"
TOO_MUCH = {
    "memory of all": (FORKS + HOLDS + "fork(5, hold); time.sleep(20)", "memory"),
    "memory of sessions of their own": (
        f"{FORKS}{HOLDS}def leave():\n os.setsid(); hold()\nfork(5, leave)\n"
        "os.close(1); os.close(2); time.sleep(20)",
        "memory",
    ),
    "memory of one": (
        "import time\nx = b'x' * (150 * 2**20); time.sleep(20)",
        "memory",
    ),
}


@pytest.mark.parametrize("what", TOO_MUCH)
def test_too_much_of_all_processes_together(box: BubblewrapSandbox, what: str) -> None:
    code, word = TOO_MUCH[what]
    found = python(box, code)
    assert found.returncode == 137
    assert word in found.stderr.splitlines()[-1]


def test_memory_that_is_shared_counts_once(box: BubblewrapSandbox) -> None:
    code = FORKS + "block = b'x' * (60 * 2**20)\nfork(4, lambda: time.sleep(0.5))\n"
    found = python(box, f"{code}for _ in range(4): os.wait()\nprint('done')")
    assert (found.returncode, found.stdout) == (0, "done\n")


def test_processes_and_threads(box: BubblewrapSandbox) -> None:
    code = "import threading\ndone = threading.Event()\ntry:\n"
    code += " for n in range(99): threading.Thread(target=done.wait).start()\n"
    code += "except RuntimeError: print(n < 24)\ndone.set()"
    found = python(box, code)
    assert found.stdout == "True\n" or "processes" in found.stderr


def test_a_fork_bomb_ends(box: BubblewrapSandbox) -> None:
    bomb = "import os\nwhile True:\n try: os.fork()\n except OSError: pass"
    with suppress(TimeoutError):
        assert python(box, bomb, timeout=2).returncode == 137


def test_what_is_written_is_bounded(box: BubblewrapSandbox) -> None:
    code = "import errno\nfor place in ('/tmp', '/dev/shm'):\n try:\n"
    code += "  for n in range(20): open(f'{place}/{n}', 'wb').write(bytes(2**20))\n"
    code += " except OSError as error: print(errno.errorcode[error.errno])"
    assert python(box, code).stdout.split() == ["ENOSPC"] * 2


def running(mark: str) -> bool:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark in path.read_text(errors="replace"):
                return True
        except OSError:
            continue
    return False


OUTLIVING = {
    "asleep": "time.sleep(60)",
    "deaf": "import signal\nfor n in (1, 2, 3, 15): signal.signal(n, signal.SIG_IGN)\n"
    "time.sleep(60)",
    "in a session of its own": "def leave():\n os.setsid(); time.sleep(60)\n"
    "fork(2, leave); time.sleep(60)",
    "stopped": "import signal; os.kill(os.getpid(), signal.SIGSTOP)",
}


@pytest.mark.parametrize("what", OUTLIVING)
def test_nothing_outlives_its_time(box: BubblewrapSandbox, what: str) -> None:
    mark = f"outliving-{os.getpid()}-{what.replace(' ', '-')}"
    with pytest.raises(TimeoutError):
        python(box, f"# {mark}\n{FORKS}{OUTLIVING[what]}", timeout=1)
    for _ in range(50):
        if not running(mark):
            return
        time.sleep(0.1)
    raise AssertionError("still running")


# Ways out, run inside; each that leads out prints its name. None does harm.
WAYS = """
import ctypes, json, os, socket, sys
port, name, place = json.loads(sys.argv[1])
c = ctypes.CDLL(None, use_errno=True)
def checked(result):
    if result != 0: raise OSError(ctypes.get_errno())
def opened(path, flags): os.close(os.open(path, flags))
def created(folder):
    path = folder + '/inspect-debate-test'
    opened(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL); os.unlink(path)
def seen(text):
    for number in filter(str.isdigit, os.listdir('/proc')):
        try: found = open(f'/proc/{number}/environ').read()
        except OSError: continue
        if text in found: return
    raise OSError
MOUNT = ctypes.c_ulong(32 | 4096)
ways = {
    'remount': lambda: checked(c.mount(b'none', place.encode(), b'none', MOUNT, None)),
    'namespace': lambda: checked(c.unshare(0x10000000)),
    'mount namespace': lambda: checked(c.unshare(0x20000)),
    'root': lambda: os.setuid(0),
    'chroot': lambda: os.chroot('/usr'),
    'environment': lambda: seen('A_SECRET_OF_THE_HOST'),
    'loopback': lambda: socket.create_connection(('127.0.0.1', port), 1),
    'abstract socket': lambda: socket.socket(socket.AF_UNIX).connect(chr(0) + name),
    'address': lambda: socket.socket(type=socket.SOCK_DGRAM).connect(('192.0.2.1', 80)),
    'first root': lambda: os.stat('/proc/1/root' + place + '/unseen'),
    'host name': lambda: socket.sethostname('x'),
    'kernel': lambda: opened('/proc/sys/kernel/core_pattern', os.O_WRONLY),
    'sysrq': lambda: opened('/proc/sysrq-trigger', os.O_WRONLY),
    **{f'read {p}': (lambda p=p: opened(p, os.O_RDONLY))
       for p in ('/etc/shadow', '/etc/hostname', '/sys/kernel', place + '/unseen')},
    **{f'create in {p}': (lambda p=p: created(p))
       for p in ('/', '/usr', '/etc', '/dev', '/proc', '/root', '.', place + '/shown')},
}
for way, lead in ways.items():
    child = os.fork()
    if child == 0:
        try: lead()
        except BaseException: os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1] == 0: print(way)
print('tried')
"""


def test_no_way_leads_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY", "A_SECRET_OF_THE_HOST")
    shown = tmp_path / "shown"
    shown.mkdir()
    (tmp_path / "unseen").write_text("not shown")
    for path in (tmp_path, shown):
        path.chmod(0o777)
    name = f"inspect-debate-{os.getpid()}"
    box = BubblewrapSandbox(BubblewrapConfig(binds=(str(shown),)))
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_UNIX) as local,
    ):
        local.bind(f"\0{name}")
        local.listen()
        given = json.dumps([server.getsockname()[1], name, str(tmp_path)])
        found = run(box, "python3", "-I", "-c", WAYS, given, timeout=60)
    box.close()
    assert found.stdout == "tried\n", found.stderr


def test_a_task_does_not_begin_where_it_does_not_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def start(config: Any) -> None:
        anyio.run(partial(BubblewrapSandbox.task_init, "task", config))

    start(None)
    start(sys.prefix)
    with pytest.raises(InputError, match="/nowhere/python"):
        start(BubblewrapConfig(python="/nowhere/python"))
    with pytest.raises(ValueError, match="BubblewrapConfig"):
        start(3)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(InputError, match="bubblewrap"):
        start(None)
