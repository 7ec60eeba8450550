"""Every guard is in the command line, and only what is shown can be read."""

import itertools
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.grading.bubblewrap_command import (
    ENVIRONMENT,
    HOME,
    WORK,
    Channels,
    Limits,
    bubblewrap_command,
)
from inspect_debate.grading.view import Bind, Link, View, follow
from tests.grading.command_lines import (
    MB,
    SYSTEM,
    TOOLS,
    calls,
    command,
    inner,
    options,
)

USERS = pytest.mark.parametrize("staged_as", [None, 65534], ids=["user", "root"])

GUARDS = [
    ("--unshare-all",),
    ("--unshare-user",),
    ("--disable-userns",),
    ("--uid", "65534"),
    ("--gid", "65534"),
    ("--cap-drop", "ALL"),
    ("--die-with-parent",),
    ("--new-session",),
    ("--clearenv",),
    ("--proc", "/proc"),
    ("--ro-bind", "/dev/null", "/proc/1/mem"),
    ("--tmpfs", "/proc/1/task"),
    ("--remount-ro", "/proc/1/task"),
    ("--dev", "/dev"),
    ("--ro-bind", "/dev/null", "/dev/zero"),
    ("--remount-ro", "/dev"),
    ("--remount-ro", "/"),
    ("--json-status-fd", "7"),
    ("--seccomp", "8"),
    ("--chdir", WORK),
]


@USERS
@pytest.mark.parametrize("guard", GUARDS, ids=" ".join)
def test_every_guard_is_there(guard: tuple[str, ...], staged_as: int | None) -> None:
    assert inner(staged_as=staged_as).options.count(guard) == 1


@USERS
def test_nothing_is_shared_and_no_capability_added(staged_as: int | None) -> None:
    names = {option[0] for option in inner(staged_as=staged_as).options}
    assert not names & {"--share-net", "--cap-add", "--bind", "--dev-bind", "--userns"}


@USERS
def test_every_writable_place_has_a_size(staged_as: int | None) -> None:
    given = inner(staged_as=staged_as, limits=Limits(disk_mb=3)).options
    places = {}
    for before, option in itertools.pairwise(given):
        if option[0] == "--tmpfs" and ("--remount-ro", option[1]) not in given:
            places[option[1]] = before
    size = ("--size", str(3 * MB))
    assert places == {"/dev/shm": size, "/tmp": size, HOME: size}


def test_the_root_is_closed_after_all_else_is_in_place() -> None:
    names = [option[:2] for option in inner().options]
    assert names[-2:] == [("--remount-ro", "/"), ("--chdir", WORK)]


LIMITED = [
    ("--fsize=7340032", Limits(file_mb=7)),
    ("--data=104857600", Limits(memory_mb=100)),
    ("--as=419430400", Limits(memory_mb=100)),
    ("--cpu=9:10", Limits(cpu_seconds=9)),
    ("--nofile=64", Limits(open_files=64)),
    ("--core=1", Limits()),
]


@USERS
@pytest.mark.parametrize(("option", "limits"), LIMITED)
def test_the_limits_hold_for_bubblewrap_inside_too(
    option: str, limits: Limits, staged_as: int | None
) -> None:
    limited = options(TOOLS.prlimit, limits=limits, staged_as=staged_as)[0]
    assert option in limited
    programs = [call.program for call in calls(command(staged_as=staged_as))]
    assert programs[-3:] == [TOOLS.prlimit, TOOLS.bwrap, TOOLS.prlimit]


@USERS
@pytest.mark.parametrize(("limit", "last"), [(5, [["--nproc=5"]]), (None, [])])
def test_processes_are_counted_inside_or_not_at_all(
    limit: int | None, last: list[list[str]], staged_as: int | None
) -> None:
    limits = Limits(processes=limit)
    limited = options(TOOLS.prlimit, limits=limits, staged_as=staged_as)
    assert limited[1:] == last
    assert "nproc" not in str(limited[0])


@USERS
def test_all_is_ended_first_and_the_command_comes_last(staged_as: int | None) -> None:
    called = calls(command(staged_as=staged_as))
    assert called[0].program == TOOLS.choom
    assert called[0].options == [("-n",), ("1000",)]
    assert called[-1].rest == ["program", "--flag"]


def test_the_environment_is_ours_and_the_callers() -> None:
    given = inner(environment={"HOME": "/tmp", "NAME": "a=b --bind / /"}).options
    variables = {o[1]: o[2] for o in given if o[0] == "--setenv"}
    assert variables == {**ENVIRONMENT, "HOME": "/tmp", "NAME": "a=b --bind / /"}
    names = [option[0] for option in given]
    assert names.index("--clearenv") < names.index("--setenv")


def test_without_a_filter_none_is_asked_for() -> None:
    assert "--seccomp" not in command(channels=Channels(7))


def test_what_is_shown_can_only_be_read() -> None:
    given = inner().options
    assert ("--ro-bind", "/usr", "/usr") in given
    assert ("--ro-bind", "/var/x/in.txt", f"{WORK}/in.txt") in given
    assert ("--symlink", "python", "/opt/link") in given


class TestStartedAsRoot:
    calls = calls(command(staged_as=1234))
    outer = next(call for call in calls if call.program == TOOLS.bwrap)

    def test_root_becomes_another_user_before_anything_runs(self) -> None:
        assert [call.program for call in self.calls] == [
            *(TOOLS.choom, TOOLS.setpriv, TOOLS.unshare, TOOLS.bwrap),
            *(TOOLS.setpriv, TOOLS.prlimit, TOOLS.bwrap, TOOLS.prlimit),
        ]
        assert [option for (option,) in self.calls[4].options] == [
            *("--reuid", "1234", "--regid", "1234"),
            *("--clear-groups", "--inh-caps=-all", "--no-new-privs"),
        ]

    def test_all_of_it_ends_with_us(self) -> None:
        bound, spaced = self.calls[1:3]
        assert bound.options == [("--pdeathsig",), ("KILL",)]
        assert spaced.options == [
            *(("--pid",), ("--fork",), ("--kill-child",), ("--mount-proc",)),
        ]

    def test_it_keeps_what_becoming_takes_and_dies_with_us(self) -> None:
        kept = [option for option in self.outer.options if option[0].startswith("--c")]
        assert kept == [
            ("--cap-drop", "ALL"),
            ("--cap-add", "CAP_SETUID"),
            ("--cap-add", "CAP_SETGID"),
        ]
        assert ("--die-with-parent",) in self.outer.options

    def test_what_is_shown_is_taken_from_the_stage(self) -> None:
        given = inner(staged_as=1234).options
        assert ("--ro-bind", "/var/x/in.txt", "/staged/1") in self.outer.options
        assert ("--ro-bind", "/staged/1", f"{WORK}/in.txt") in given
        assert ("--ro-bind", "/opt/python", "/opt/python") not in given

    def test_only_proc_is_writable_and_no_disk(self) -> None:
        writable = [option for option in self.outer.options if option[0] == "--bind"]
        assert writable == [("--bind", "/proc", "/proc")]


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
    limits=st.builds(
        Limits, *(st.integers(1, 10_000) for _ in ("memory", "processes", "file"))
    ),
    staged=st.booleans(),
)
def test_no_file_of_the_host_can_ever_be_written(
    words: list[str],
    shown: View,
    environment: dict[str, str],
    limits: Limits,
    staged: bool,
) -> None:
    built = bubblewrap_command(
        words,
        tools=TOOLS,
        system=SYSTEM,
        shown=shown,
        limits=limits,
        channels=Channels(7),
        environment=environment,
        staged_as=65534 if staged else None,
    )
    called = calls(built)
    assert called[-1].rest == words
    *outer, last = (call for call in called if call.program == TOOLS.bwrap)
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


REFUSED = [
    ("/", "/mnt"),
    ("/usr", "/"),
    ("/usr", "/proc"),
    ("/usr", "/proc/self"),
    ("/usr", "/dev"),
    ("/usr", "/dev/shm/x"),
    ("/usr", "/tmp"),
    ("/usr", "/tmp/"),
    ("/usr", "/."),
    ("/usr", "//proc"),
    ("/usr", "/opt//x"),
    ("//", "/opt/x"),
    ("/usr", "/home"),
    ("/usr", HOME),
    ("/usr", "/opt/../proc"),
    ("/opt/../", "/opt/x"),
    ("usr", "/opt/x"),
    ("/usr", "opt/x"),
]


@pytest.mark.parametrize(("source", "destination"), REFUSED)
def test_nothing_covers_what_the_sandbox_is_made_of(
    source: str, destination: str
) -> None:
    with pytest.raises(ValueError, match=r"sandbox"):
        command(shown=View((Bind(source, destination),)))


@pytest.mark.parametrize("destination", ["/tmp/venv", f"{WORK}/a/b", "/tmpfile"])
def test_files_may_be_shown_within_writable_places(destination: str) -> None:
    options = inner(shown=View((Bind("/opt/x", destination),))).options
    assert ("--ro-bind", "/opt/x", destination) in options


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
    (binds("/usr/local", "/opt/a"), ("/opt/a",)),
    (binds("/opt/a/b", "/opt/a", "/opt/ab"), ("/opt/a", "/opt/ab")),
    (binds("/usr"), ()),
    (binds("/usrlocal"), ("/usrlocal",)),
]


@pytest.mark.parametrize(("given", "left"), BESIDE)
def test_what_is_shown_already_is_left_out(
    given: tuple[Bind, ...], left: tuple[str, ...]
) -> None:
    assert View(given).beside(View(binds("/usr"))) == View(binds(*left))


def test_links_within_what_is_shown_are_there_already() -> None:
    system = View(binds("/usr"), (Link("/bin", "usr/bin"),))
    outside = Link("/opt/python", "py3")
    given = View(
        binds("/opt/py3"),
        (
            Link("/usr/bin/python", "python3"),
            Link("/opt/py3/bin/python", "python3"),
            Link("/bin", "usr/bin"),
            outside,
        ),
    )
    assert given.beside(system) == View(binds("/opt/py3"), (outside,))
