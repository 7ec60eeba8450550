"""Every guard is in the command line, whoever starts it."""

import itertools

import pytest

from inspect_debate.grading.bubblewrap_command import (
    ENVIRONMENT,
    HOME,
    WORK,
    Channels,
    Limits,
)
from tests.grading.command_lines import MB, TOOLS, calls, command, inner, options

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
