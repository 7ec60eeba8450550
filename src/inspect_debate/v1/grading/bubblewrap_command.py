"""The command line of one run in a bubblewrap sandbox, as a pure function.

Whoever started it, the program inside is an unprivileged user without a single
capability, in its own user, mount, process, network, IPC and host name namespaces,
and sees a system made for it: what it is shown of the host it can only read, what it
can write is memory of a fixed size that is gone afterwards.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from posixpath import normpath
from typing import NamedTuple

from inspect_debate.v1.grading.view import Bind, View

NOBODY = 65534
"""The user and the group that a program is inside."""

TEMPORARY = "/tmp"
HOME = "/home/sandbox"
WORK = f"{HOME}/work"
"""The working directory, in the home directory's memory."""

ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": HOME,
    "TMPDIR": TEMPORARY,
    "LANG": "C.UTF-8",
    "MPLBACKEND": "Agg",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMEXPR_NUM_THREADS": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
}
"""All that the environment holds, unless the caller adds to it."""

_SHARED_MEMORY = "/dev/shm"
WRITABLE = (_SHARED_MEMORY, TEMPORARY, HOME)
"""The places that can be written to."""

_RESERVED = ("/proc", "/dev", TEMPORARY, HOME)
_STAGE = "/staged"
_FIRST_CLOSED = (
    *("--ro-bind", "/dev/null", "/proc/1/mem"),
    *("--tmpfs", "/proc/1/task", "--remount-ro", "/proc/1/task"),
)
"""Closes the memory of bubblewrap's own process inside, which has fewer limits."""
_MB = 1024 * 1024


class Tools(NamedTuple):
    """The absolute paths of the programs that build a sandbox."""

    bwrap: str
    setpriv: str
    prlimit: str
    choom: str
    unshare: str
    taskset: str


class Channels(NamedTuple):
    """Open files that bubblewrap inherits, and hides from the program inside.

    Attributes:
        status: Where it writes that the program was started.
        filter: Where it reads the filter of system calls; None for no filter.
    """

    status: int
    filter: int | None = None


@dataclass(frozen=True)
class Limits:
    """What one run may use.

    Attributes:
        memory_mb: Data of each process, in MB; four times that is the address space,
            as programs reserve much that they never touch.
        processes: Processes and threads together; None where the kernel (before
            5.14) would count all that the user runs anywhere.
        file_mb: The size of each file, in MB.
        disk_mb: The size of each of the three `WRITABLE` places, in MB.
        cpu_seconds: Processor time of each process.
        open_files: Open files of each process.
    """

    memory_mb: int = 2048
    processes: int | None = 512
    file_mb: int = 256
    disk_mb: int = 512
    cpu_seconds: int = 600
    open_files: int = 1024


def bubblewrap_command(
    command: Sequence[str],
    *,
    tools: Tools,
    system: View,
    shown: View,
    limits: Limits,
    channels: Channels,
    environment: Mapping[str, str] | None = None,
    directory: str = WORK,
    staged_as: int | None = None,
    processor: int | None = None,
) -> list[str]:
    """The command line that runs a command in a sandbox of its own.

    Args:
        command: The program, looked up along the sandbox's PATH, and its arguments.
        tools: The programs that build the sandbox.
        system: The host's programs, which everybody may read.
        shown: What else of the host can be read inside; a file among it may lie in
            a writable place.
        limits: What the run may use.
        channels: The files that bubblewrap inherits.
        environment: Variables besides `ENVIRONMENT`, or instead of them.
        directory: Where the command starts.
        staged_as: The user to become first, by its number on the host. Needed when
            started as root: the kernel lifts the limit on processes for root, whatever
            root is called inside.
        processor: The only processor that the run may use; None for any.

    Raises:
        ValueError: If something shown would cover what the sandbox is made of.
    """
    for bind in (*system.binds, *shown.binds):
        _check(bind)
    visible = shown if staged_as is None else _staged(shown)
    inner = [
        *_limited(tools, limits),
        *(tools.bwrap, *_isolation(), *_channels(channels)),
        *_settings({**ENVIRONMENT, **(environment or {})}),
        *_own_places(limits.disk_mb),
        *_visible(system),
        *_visible(visible),
        *("--remount-ro", "/", "--chdir", directory, "--"),
        *_counted(tools, limits),
        *command,
    ]
    stage = () if staged_as is None else _stage(tools, system, shown, staged_as)
    # Where the host itself runs out of memory, the kernel ends these programs first.
    bound = () if processor is None else (tools.taskset, "-c", str(processor))
    return [*bound, tools.choom, "-n", "1000", "--", *stage, *inner]


def _check(bind: Bind) -> None:
    """No bind may lie over what is made for the sandbox, nor show the whole host."""
    for path in bind:
        if path == "/" or path != f"/{normpath(path).lstrip('/')}":
            raise ValueError(f"{path!r} cannot be shown in a sandbox.")
    place = f"{bind.destination}/"
    for reserved in _RESERVED:
        if f"{reserved}/".startswith(place) or place.startswith(("/proc/", "/dev/")):
            raise ValueError(f"{bind.destination!r} is the sandbox's own.")


def _isolation() -> Sequence[str]:
    """New namespaces, a new user in them and no way to ask for more."""
    return (
        *("--unshare-all", "--unshare-user", "--disable-userns"),
        *("--uid", str(NOBODY), "--gid", str(NOBODY), "--cap-drop", "ALL"),
        *("--die-with-parent", "--new-session", "--hostname", "sandbox"),
    )


def _channels(channels: Channels) -> Iterator[str]:
    yield from ("--json-status-fd", str(channels.status))
    if channels.filter is not None:
        yield from ("--seccomp", str(channels.filter))


def _settings(environment: Mapping[str, str]) -> Iterator[str]:
    yield "--clearenv"
    for name, value in environment.items():
        yield from ("--setenv", name, value)


def _own_places(disk_mb: int) -> Sequence[str]:
    """What is made for the run; a tmpfs without a size could take half the memory.

    A device of a bind cannot be opened. Mapped, /dev/zero is memory of no process.
    """
    size = ("--size", str(disk_mb * _MB), "--tmpfs")
    return (
        *("--proc", "/proc", *_FIRST_CLOSED),
        *("--dev", "/dev", "--ro-bind", "/dev/null", "/dev/zero"),
        *(*size, _SHARED_MEMORY, "--remount-ro", "/dev"),
        *(*size, TEMPORARY, *size, HOME, "--dir", WORK),
    )


def _visible(view: View) -> Iterator[str]:
    for link in view.links:
        yield from ("--symlink", link.target, link.path)
    for bind in view.binds:
        yield from ("--ro-bind", bind.source, bind.destination)


def _limited(tools: Tools, limits: Limits) -> Iterator[str]:
    """The limits that the kernel keeps, which bubblewrap's processes have as well."""
    yield tools.prlimit
    yield f"--fsize={limits.file_mb * _MB}"
    yield f"--data={limits.memory_mb * _MB}"
    yield f"--as={4 * limits.memory_mb * _MB}"
    yield f"--cpu={limits.cpu_seconds}:{limits.cpu_seconds + 1}"
    yield f"--nofile={limits.open_files}"
    # Nothing fits in one byte; and unlike zero, it keeps the host's crash handler out.
    yield from ("--core=1", "--")


def _counted(tools: Tools, limits: Limits) -> Iterator[str]:
    """The limit on processes; outside, it would count what the user has anyway."""
    if limits.processes is not None:
        yield from (tools.prlimit, f"--nproc={limits.processes}", "--")


def _staged(shown: View) -> View:
    """The same, taken from where the outer sandbox has put it."""
    binds = (
        Bind(f"{_STAGE}/{number}", bind.destination)
        for number, bind in enumerate(shown.binds)
    )
    return View(tuple(binds), shown.links)


def _stage(tools: Tools, system: View, shown: View, user: int) -> Iterator[str]:
    """A sandbox around the sandbox, in which root becomes an unprivileged user.

    What root may show is staged there, as an unprivileged user may not reach it
    (root's home directory is closed to others). Nothing runs there but `setpriv` and
    the inner bubblewrap. The latter needs a writable /proc to describe its new user;
    what is the host's there is protected by belonging to root.

    All of it has a process namespace that ends with us: `--die-with-parent` alone does
    not reach from root without capabilities to another user.
    """
    yield from (tools.setpriv, "--pdeathsig", "KILL", "--")
    yield from (tools.unshare, "--pid", "--fork", "--kill-child", "--mount-proc", "--")
    yield from (tools.bwrap, "--die-with-parent", "--cap-drop", "ALL")
    yield from ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
    yield from ("--bind", "/proc", "/proc", "--dev", "/dev", "--tmpfs", TEMPORARY)
    # Bubblewrap closes to others those folders that it makes on the way.
    yield from ("--dir", "/etc", "--dir", _STAGE)
    yield from _visible(system)
    for bind, stage in zip(shown.binds, _staged(shown).binds, strict=True):
        yield from ("--ro-bind", bind.source, stage.source)
    yield from ("--", tools.setpriv, "--reuid", str(user), "--regid", str(user))
    yield from ("--clear-groups", "--inh-caps=-all", "--no-new-privs", "--")
