"""A sample's files: where they are, who sees them and what they show."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.grading import config as host
from inspect_debate.grading.box import Box
from inspect_debate.grading.bubblewrap_command import Channels
from inspect_debate.grading.config import BubblewrapConfig
from inspect_debate.grading.supervise import Build
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


def test_files_can_be_read_by_others_and_changed_by_none(box: Box) -> None:
    umask = os.umask(0o077)
    try:
        box.write("a/b/c.txt", b"c")
    finally:
        os.umask(umask)
    path = box.path("a/b/c.txt")
    assert path.stat().st_mode & 0o777 == 0o644
    assert {path.parents[n].stat().st_mode & 0o777 for n in range(2)} == {0o755}


def test_nobody_else_reaches_the_folder_and_it_goes(box: Box) -> None:
    folder = box.path("x").parents[1]
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


@pytest.mark.parametrize("path", ["relative", "/does/not/exist"])
def test_what_is_shown_besides_must_exist(path: str) -> None:
    with pytest.raises(InputError, match="give absolute paths that exist"):
        Box(BubblewrapConfig(binds=(path,)))


@pytest.mark.parametrize("path", ["relative", "/does/not/exist", "/etc/passwd", ""])
def test_a_home_is_a_folder_that_exists(path: str) -> None:
    with pytest.raises(InputError, match=f"home={path!r} is not allowed"):
        Box(BubblewrapConfig(home=path))


def test_more_files_than_can_be_shown_are_refused(tmp_path: Path, box: Box) -> None:
    for number in range(501):
        (tmp_path / str(number)).touch()
        box.write(f"a/{number}", b"")
    with pytest.raises(InputError, match=r"501 files .* at most 500"):
        Box(BubblewrapConfig(home=str(tmp_path)))
    with pytest.raises(InputError, match=r"501 files .*/work"):
        box.run(["true"], output=1)


def test_a_folder_that_is_gone_is_named(box: Box) -> None:
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


@pytest.mark.parametrize(("mapped", "known"), MAPS.items())
def test_a_user_must_be_known_here(
    monkeypatch: pytest.MonkeyPatch, mapped: str, known: bool
) -> None:
    monkeypatch.setattr(Path, "read_text", lambda path: mapped)
    assert (host.someone() >= 1_900_000_000) is known
    assert known or host.someone() == 65534


def test_a_missing_program_is_named_with_its_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(InputError, match=r"'bwrap'.*apt-get install bubblewrap"):
        Box(BubblewrapConfig())


RELEASES = {
    "5.14.0-427.el9.x86_64": True,
    "6.18.44": True,
    "5.13.19": False,
    "4.18.0-553.el8": False,
    "unknown": False,
}


@pytest.mark.parametrize(("release", "counts"), RELEASES.items())
def test_old_kernels_count_what_else_the_user_runs(release: str, counts: bool) -> None:
    assert host.counts_processes_by_namespace(release) is counts


def test_where_they_do_the_watch_alone_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    config = BubblewrapConfig(processes=7)
    module = "inspect_debate.grading.config.counts_processes_by_namespace"
    monkeypatch.setattr(module, lambda: True)
    assert config.limits().processes == 7
    monkeypatch.setattr(module, lambda: False)
    assert config.limits().processes is None
