"""No way out leads out; and the ways are real, as a careless sandbox shows."""

import json
import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from inspect_debate.grading.box import default_interpreter
from tests.grading.users import SECRET, User

ATTEMPTS = Path(__file__).with_name("attempts.py").read_text()


class Servers:
    """Two servers of the host, which nobody may reach."""

    def __init__(self, stack: ExitStack) -> None:
        self.name = f"inspect-debate-{os.getpid()}"
        self._network = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        self._local = stack.enter_context(socket.socket(socket.AF_UNIX))
        self._local.bind(f"\0{self.name}")
        self._local.listen()
        self.port = self._network.getsockname()[1]

    def reached(self) -> list[str]:
        called = []
        for server in (self._network, self._local):
            server.setblocking(False)
            try:
                server.accept()[0].close()
            except BlockingIOError:
                continue
            called.append(str(server.family))
        return called


@pytest.fixture
def servers() -> Iterator[Servers]:
    with ExitStack() as stack:
        yield Servers(stack)


def given(servers: Servers, place: str, unseen: str) -> bytes:
    known = {"guarded": place, "unseen": unseen, "secret": SECRET}
    known |= {"port": servers.port, "name": servers.name}
    return json.dumps(known).encode()


@pytest.fixture
def guarded(user: User) -> Path:
    """A folder of the user's with a file that is shown, and one that is not."""
    folder = user.folder / "guarded"
    folder.mkdir(exist_ok=True)
    (folder / "file").write_text("as it was")
    (user.folder / "unseen").write_text("not shown")
    for path in (folder, folder / "file", user.folder / "unseen"):
        path.chmod(0o777)
    return folder


def test_no_way_leads_out(user: User, guarded: Path, servers: Servers) -> None:
    place = f"{user.place}/guarded"
    ended = user.run(
        ATTEMPTS,
        files={"input.txt": "in"},
        input=given(servers, place, f"{user.place}/unseen"),
        binds=(place,),
    )
    assert (ended.stderr, ended.returncode) == (b"", 0)
    assert json.loads(ended.stdout) == []
    assert [path.name for path in guarded.iterdir()] == ["file"]
    assert (guarded / "file").read_text() == "as it was"
    assert servers.reached() == []


def test_the_ways_do_lead_out_of_a_careless_sandbox(
    user: User, guarded: Path, servers: Servers
) -> None:
    if os.geteuid() != 0 or user.folder != Path(user.place):
        pytest.skip("an ordinary user has fewer ways to begin with")
    shown = (str(guarded), str(user.folder / "unseen"))
    careless = [
        *("bwrap", "--unshare-pid", "--unshare-uts", "--unshare-ipc", "--chdir", "/"),
        *("--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"),
        *(word for path in shown for word in ("--ro-bind", path, path)),
    ]
    ended = subprocess.run(
        [*careless, default_interpreter(), "-I", "-c", ATTEMPTS],
        input=given(servers, *shown),
        capture_output=True,
        check=True,
    )
    assert set(json.loads(ended.stdout)) >= {
        *("remount_and_write", "namespace_and_remount", "change_root", "device"),
        *("bind_elsewhere", "become_root", "environments", "host_name", "interfaces"),
        *("loopback", "abstract_socket", "raw_socket", "shared_memory_of_no_file"),
        *("shared_zeros", "trace_the_first", "write /proc/1/mem"),
        *("create /dev", f"write {guarded}/file", f"create {guarded}"),
        *(f"read {shown[1]}", "read /etc/shadow"),
    }
    assert (guarded / "written-after-remount").exists()
    assert len(servers.reached()) == 2
