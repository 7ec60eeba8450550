"""What can be set for a bubblewrap sandbox, and what it takes from the host."""

import functools
import os
import random
import re
import shutil
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.grading.bubblewrap_command import HOME, NOBODY, Limits, Tools
from inspect_debate.v1.grading.view import Bind, Link, View

_MOST_MB = 1 << 20


class BubblewrapConfig(BaseModel):
    """Settings of the sandbox `bubblewrap`, as the `config` of a sandbox's spec.

    How long a command may take is given with each command; the time that it waits
    for its turn does not count.

    What the kernel itself keeps for programs (records of mapped ranges, of locks, full
    pipes) is charged to no process, and no setting here bounds all of it. A memory
    cgroup around the whole evaluation does: `systemd-run --scope -p MemoryMax=8G`.

    Attributes:
        interpreter: Absolute path of a Python interpreter whose libraries are seen
            inside; None takes the one below our own environment, with the standard
            library only.
        memory_mb: Memory of all processes together, and the most that one can
            reserve as data, in MB. Looked at from time to time, so it can be passed
            for a moment. Sockets and entries of files count by an estimate.
        processes: Processes and threads together; bubblewrap's own is one of them.
        file_mb: The size of each file that is written, in MB.
        disk_mb: The size of each of the three writable places, in MB. They are
            memory, besides `memory_mb`: a full sandbox takes that and three times this.
        cpu_seconds: Processor time of each process.
        parallel: Commands at once, over all samples; None for as many as there are
            processors for us. The first one requested applies to the whole run.
        home: Absolute path of a folder whose files are seen in the home directory, and
            can only be read, such as prepared caches of libraries.
        binds: Absolute paths of the host that are seen inside besides, under the same
            names and to be read only. Sockets among them can be talked to.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    interpreter: str | None = None
    memory_mb: int = Field(default=2048, ge=16, le=_MOST_MB)
    processes: int = Field(default=512, ge=4, le=1 << 22)
    file_mb: int = Field(default=256, ge=1, le=_MOST_MB)
    disk_mb: int = Field(default=512, ge=1, le=_MOST_MB)
    cpu_seconds: int = Field(default=600, ge=1, le=1 << 30)
    parallel: int | None = Field(default=None, ge=1)
    home: str | None = None
    binds: tuple[str, ...] = ()

    def limits(self) -> Limits:
        """The limits that the kernel enforces.

        A kernel before 5.14 would count all that the user runs, and innocent programs
        fail; there only the watch limits the number of processes.
        """
        counted = counts_processes_by_namespace()
        return Limits(
            memory_mb=self.memory_mb,
            processes=self.processes if counted else None,
            file_mb=self.file_mb,
            disk_mb=self.disk_mb,
            cpu_seconds=self.cpu_seconds,
        )

    def at_once(self) -> int:
        """How many commands run at once."""
        return self.parallel or len(os.sched_getaffinity(0))


# What a sandbox takes from the host: programs, and a few of its settings.

_PROGRAMS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SETTINGS = ("ld.so.cache", "mime.types", "alternatives", "fonts")
"""Files of /etc that programs need and that reveal nothing about the host."""

OWN_SETTINGS = {
    "passwd": (
        "root:x:0:0:root:/root:/usr/sbin/nologin\n"
        f"nobody:x:{NOBODY}:{NOBODY}:nobody:{HOME}:/bin/sh\n"
    ),
    "group": f"root:x:0:\nnogroup:x:{NOBODY}:\n",
    "hosts": "127.0.0.1 localhost sandbox\n::1 localhost\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
    "timezone": "Etc/UTC\n",
}
"""What is in /etc instead of the host's own files."""

_PACKAGES = {
    "bwrap": "bubblewrap",
    "setpriv": "util-linux",
    "prlimit": "util-linux",
    "choom": "util-linux",
    "unshare": "util-linux",
    "taskset": "util-linux",
}
_COUNTS_BY_NAMESPACE = (5, 14)
_UNUSED = range(1_900_000_000, 2_100_000_000)
"""User numbers that neither distributions nor systemd's containers use."""


def tools() -> Tools:
    """The programs that build a sandbox.

    Raises:
        InputError: Naming one that is missing, and its package.
    """
    found = {name: shutil.which(name) for name in _PACKAGES}
    for name, path in found.items():
        if path is None:
            package = _PACKAGES[name]
            raise InputError(
                f"The bubblewrap sandbox needs the program {name!r}, which is not on "
                f"PATH; install it (Debian, Ubuntu: apt-get install {package}; "
                f"Fedora: dnf install {package}), or use the sandbox 'docker'."
            )
    return Tools(**{name: os.path.abspath(str(path)) for name, path in found.items()})


@functools.cache
def system_view() -> View:
    """The host's programs and libraries, and what they need of /etc."""
    settings = (f"/etc/{name}" for name in _SETTINGS)
    programs = View.of([*_PROGRAMS]).beside(View())
    shown = tuple(Bind(path, path) for path in settings if os.path.exists(path))
    # One time zone for everybody, as in a container.
    clock = Link("/etc/localtime", "/usr/share/zoneinfo/UTC")
    return View((*programs.binds, *shown), (*programs.links, clock))


def own_settings(folder: Path) -> View:
    """The files of /etc that are made for a sandbox, written to a folder.

    Args:
        folder: An existing folder, to be read by any user who can reach it.
    """
    for name, text in OWN_SETTINGS.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o644)
    return View(tuple(Bind(str(folder / n), f"/etc/{n}") for n in OWN_SETTINGS))


def counts_processes_by_namespace(release: str | None = None) -> bool:
    """Whether the kernel counts a sandbox's processes apart from the user's others.

    Args:
        release: The kernel's release, such as `5.14.0-427.el9`; None is the host's.
    """
    numbers = re.match(r"(\d+)\.(\d+)", release or os.uname().release)
    if numbers is None:
        return False
    return (int(numbers[1]), int(numbers[2])) >= _COUNTS_BY_NAMESPACE


def someone() -> int:
    """The number of a user of the host that nothing else uses, for one run.

    The kernel counts what pipes and watched files take for each user, so two sandboxes
    of one user could make each other fail. Where we ourselves are in a user namespace
    without such numbers, as in some containers, it is `NOBODY`.
    """
    number = random.choice(_UNUSED)
    known = (_has(Path(f"/proc/self/{kind}_map"), number) for kind in ("uid", "gid"))
    return number if all(known) else NOBODY


def _has(mapped: Path, number: int) -> bool:
    """Whether a user namespace has a number; lines of first, outside, how many."""
    lines = (map(int, line.split()) for line in mapped.read_text().splitlines())
    return any(first <= number < first + many for first, _, many in lines)
