"""Every guard is in the command line, and only what is shown can be read."""

import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.grading.bubblewrap_command import (
    HOME,
    WORK,
    Channels,
    Limits,
    Tools,
    bubblewrap_command,
)
from inspect_debate.grading.view import Bind, Link, View, follow

TOOLS = Tools(*(f"/bin/{name}" for name in Tools._fields))
SYSTEM = View((Bind("/usr", "/usr"),), (Link("/bin", "usr/bin"),))
SHOWN = View(
    (Bind("/opt/python", "/opt/python"), Bind("/var/x/in.txt", f"{WORK}/in.txt")),
    (Link("/opt/link", "python"),),
)
SMALL = Limits(100, processes=5, file_mb=7, disk_mb=3, cpu_seconds=9, open_files=64)

LIMITED = """
/bin/prlimit --fsize=7340032 --data=104857600 --as=419430400 --cpu=9:10 --nofile=64
    --core=1 --
"""
# Every guard, and last the command; {binds} is what is shown, besides the system.
INSIDE = """
/bin/bwrap --unshare-all --unshare-user --disable-userns --uid 65534 --gid 65534
    --cap-drop ALL --die-with-parent --new-session --hostname sandbox
    --json-status-fd 7 --seccomp 8 --clearenv
    --setenv PATH /usr/local/bin:/usr/bin:/bin --setenv HOME /home/sandbox
    --setenv TMPDIR /tmp --setenv LANG C.UTF-8 --setenv MPLBACKEND Agg
    --setenv OMP_NUM_THREADS 1 --setenv OPENBLAS_NUM_THREADS 1
    --setenv MKL_NUM_THREADS 1 --setenv NUMEXPR_NUM_THREADS 1
    --setenv PYTHONDONTWRITEBYTECODE 1
    --proc /proc --ro-bind /dev/null /proc/1/mem
    --tmpfs /proc/1/task --remount-ro /proc/1/task
    --dev /dev --ro-bind /dev/null /dev/zero
    --size 3145728 --tmpfs /dev/shm --remount-ro /dev
    --size 3145728 --tmpfs /tmp --size 3145728 --tmpfs /home/sandbox
    --dir /home/sandbox/work
    --symlink usr/bin /bin --ro-bind /usr /usr --symlink python /opt/link {binds}
    --remount-ro / --chdir /home/sandbox/work --
/bin/prlimit --nproc=5 -- program --flag
"""
AS_USER = (
    "/bin/choom -n 1000 --",
    LIMITED,
    INSIDE.format(
        binds="--ro-bind /opt/python /opt/python "
        "--ro-bind /var/x/in.txt /home/sandbox/work/in.txt"
    ),
)
# Root becomes another user before anything else runs; all of it ends with us. The outer
# sandbox has the capabilities for that alone, and writes to no disk.
AS_ROOT = (
    "/bin/choom -n 1000 --",
    """
    /bin/setpriv --pdeathsig KILL --
    /bin/unshare --pid --fork --kill-child --mount-proc --
    /bin/bwrap --die-with-parent --cap-drop ALL
        --cap-add CAP_SETUID --cap-add CAP_SETGID
        --bind /proc /proc --dev /dev --tmpfs /tmp --dir /etc --dir /staged
        --symlink usr/bin /bin --ro-bind /usr /usr
        --ro-bind /opt/python /staged/0 --ro-bind /var/x/in.txt /staged/1 --
    /bin/setpriv --reuid 1234 --regid 1234 --clear-groups --inh-caps=-all
        --no-new-privs --
    """,
    LIMITED,
    INSIDE.format(
        binds="--ro-bind /staged/0 /opt/python "
        "--ro-bind /staged/1 /home/sandbox/work/in.txt"
    ),
)


def command(*words: str, **settings: Any) -> list[str]:
    given = {
        **{"tools": TOOLS, "system": SYSTEM, "shown": SHOWN, "limits": SMALL},
        "channels": Channels(7, 8),
    }
    return bubblewrap_command(words or ("program", "--flag"), **{**given, **settings})


def test_the_whole_command_line() -> None:
    assert command() == " ".join(AS_USER).split()
    assert command(staged_as=1234) == " ".join(AS_ROOT).split()
    bound = command(processor=3)
    assert bound == ["/bin/taskset", "-c", "3", *command()]


@pytest.mark.parametrize("staged_as", [None, 65534])
def test_without_a_filter_or_a_limit_on_processes(staged_as: int | None) -> None:
    whole = command(staged_as=staged_as)
    without = command(channels=Channels(7), staged_as=staged_as)
    assert " ".join(without) == " ".join(whole).replace(" --seccomp 8", "")
    without = command(limits=Limits(processes=None), staged_as=staged_as)
    assert without[-3:] == ["--", "program", "--flag"]
    assert "nproc" not in " ".join(without)


def test_the_environment_is_ours_and_the_callers() -> None:
    words = command(environment={"HOME": "/tmp", "NAME": "a=b --bind / /"})
    at = words.index("--clearenv")
    names = {words[n + 1]: words[n + 2] for n, w in enumerate(words) if w == "--setenv"}
    assert (names["HOME"], names["NAME"]) == ("/tmp", "a=b --bind / /")
    assert words.index("--setenv") == at + 1
    assert len(names) == 11


class Call(NamedTuple):
    """A call of bubblewrap: its options, and the command that it runs."""

    options: list[tuple[str, ...]]
    rest: list[str]


# How many values follow each option of bubblewrap that may be used.
FLAGS = "unshare-all unshare-user disable-userns new-session die-with-parent clearenv"
SETTINGS = """uid gid cap-drop cap-add hostname proc dev tmpfs size dir remount-ro chdir
    seccomp json-status-fd"""
PAIRS = "setenv ro-bind bind symlink"
OPTIONS = {
    f"--{name}": values
    for values, names in enumerate((FLAGS, SETTINGS, PAIRS))
    for name in names.split()
}


def calls(words: list[str]) -> Iterator[Call]:
    """All calls of bubblewrap, read as it reads them; unknown options are an error."""
    while words[0] in TOOLS:
        if words[0] != TOOLS.bwrap:
            words = words[words.index("--") + 1 :]
            continue
        left = iter(words[1:])
        options = [
            (word, *itertools.islice(left, OPTIONS[word]))
            for word in itertools.takewhile(lambda word: word != "--", left)
        ]
        words = list(left)
        yield Call(options, words)


names = st.text(st.characters(codec="ascii", exclude_characters="\0/"), min_size=1)
paths = st.lists(names.filter(lambda n: n.strip(".")), min_size=1, max_size=4).map(
    lambda parts: "/" + "/".join(parts)
)
views = st.builds(
    View,
    st.lists(st.builds(Bind, paths, paths), max_size=4).map(tuple),
    st.lists(st.builds(Link, paths, paths), max_size=2).map(tuple),
)


@pytest.mark.slow
@given(
    words=st.lists(st.text(), min_size=1, max_size=4),
    shown=views,
    environment=st.dictionaries(names, st.text(), max_size=3),
    memory=st.integers(1, 10_000),
    staged=st.booleans(),
)
def test_no_file_of_the_host_can_ever_be_written(
    words: list[str],
    shown: View,
    environment: dict[str, str],
    memory: int,
    staged: bool,
) -> None:
    built = command(
        *words,
        shown=shown,
        limits=Limits(memory),
        channels=Channels(7),
        environment=environment,
        staged_as=65534 if staged else None,
    )
    *outer, last = calls(built)
    assert last.rest == [TOOLS.prlimit, "--nproc=512", "--", *words]
    assert len(outer) == staged
    writable = [o for o in last.options if o[0] in ("--bind", "--dev-bind")]
    assert writable == []
    assert [o for call in outer for o in call.options if o[0] == "--bind"] == [
        ("--bind", "/proc", "/proc") for _ in outer
    ]
    assert {o[1] for o in last.options if o[0] == "--remount-ro"} == {
        *("/dev", "/", "/proc/1/task"),
    }
    assert ("--cap-drop", "ALL") in last.options


REFUSED = """
/:/mnt /usr:/ /usr:/proc /usr:/proc/self /usr:/dev /usr:/dev/shm/x /usr:/tmp
/usr:/tmp/ /usr:/. /usr://proc /usr:/opt//x //:/opt/x /usr:/home
/usr:/home/sandbox /usr:/opt/../proc /opt/../:/opt/x usr:/opt/x /usr:opt/x
""".split()  # noqa: SIM905 (shorter than a list)


@pytest.mark.parametrize("bind", REFUSED)
def test_nothing_covers_what_the_sandbox_is_made_of(bind: str) -> None:
    assert HOME == "/home/sandbox"
    with pytest.raises(ValueError, match=r"sandbox"):
        command(shown=View((Bind(*bind.split(":")),)))


@pytest.mark.parametrize("destination", ["/tmp/venv", f"{WORK}/a/b", "/tmpfile"])
def test_files_may_be_shown_within_writable_places(destination: str) -> None:
    words = command(shown=View((Bind("/opt/x", destination),)))
    assert f"--ro-bind /opt/x {destination}" in " ".join(words)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Links as environments have them: to a file, a folder, over `..` and absolute."""
    root = tmp_path.resolve()
    (root / "python-3.11.7" / "bin").mkdir(parents=True)
    (root / "python-3.11.7" / "bin" / "python3.11").touch()
    (root / "venv" / "bin").mkdir(parents=True)
    os.symlink("python-3.11.7", root / "python-3.11")
    os.symlink("python3.11", root / "python-3.11.7" / "bin" / "python")
    os.symlink("../../python-3.11/bin/./python", root / "venv" / "bin" / "python")
    os.symlink(str(root / "venv"), root / "current")
    return root


LINKED = [
    ("venv/bin", [], "venv/bin"),
    ("python-3.11", [("python-3.11", "python-3.11.7")], "python-3.11.7"),
    (
        "venv/bin/python",
        [
            ("venv/bin/python", "../../python-3.11/bin/./python"),
            ("python-3.11", "python-3.11.7"),
            ("python-3.11.7/bin/python", "python3.11"),
        ],
        "python-3.11.7/bin/python3.11",
    ),
    ("current/bin", [("current", "ROOT/venv")], "venv/bin"),
]


@pytest.mark.parametrize(("path", "links", "real"), LINKED)
def test_every_link_on_the_way_is_found(
    tree: Path, path: str, links: list[tuple[str, str]], real: str
) -> None:
    followed = follow(str(tree / path))
    assert followed.links == [
        Link(str(tree / at), target.replace("ROOT", str(tree))) for at, target in links
    ]
    assert followed.real == str(tree / real) == os.path.realpath(tree / path)


def test_a_view_has_what_exists_once(tree: Path) -> None:
    paths = [str(tree / name) for name in ("python-3.11", "python-3.11.7", "absent")]
    real = str(tree / "python-3.11.7")
    links = (Link(str(tree / "python-3.11"), "python-3.11.7"),)
    assert View.of(paths) == View((Bind(real, real),), links)


def binds(*paths: str) -> tuple[Bind, ...]:
    return tuple(Bind(path, path) for path in paths)


BESIDE = [
    (("/usr/local", "/opt/a"), ("/opt/a",)),
    (("/opt/a/b", "/opt/a", "/opt/ab"), ("/opt/a", "/opt/ab")),
    (("/usr",), ()),
    (("/usrlocal",), ("/usrlocal",)),
]


@pytest.mark.parametrize(("given", "left"), BESIDE)
def test_what_is_shown_already_is_left_out(
    given: tuple[str, ...], left: tuple[str, ...]
) -> None:
    assert View(binds(*given)).beside(View(binds("/usr"))) == View(binds(*left))


def test_links_within_what_is_shown_are_there_already() -> None:
    system = View(binds("/usr"), (Link("/bin", "usr/bin"),))
    outside = Link("/opt/python", "py3")
    inside = [Link(f"{at}/python", "python3") for at in ("/usr/bin", "/opt/py3/bin")]
    given = View(binds("/opt/py3"), (*inside, *system.links, outside))
    assert given.beside(system) == View(binds("/opt/py3"), (outside,))
