"""System calls that a sandbox does without, as a filter for the kernel.

They are those by which a program could keep memory that belongs to no process and so
cannot be measured, change bubblewrap's own process inside, read the keys of the user's
session, which no namespace hides, leave the one processor that is their own, or reach
rarely used parts of the kernel; they fail as on a kernel that has none of them. Memory
that is shared and of no file is among them: its pages stay when a process lets go of
them. Of sockets there are those of a file system and of the sandbox's own network:
others lead past the network namespace, as those between a virtual machine and its host.
"""

import errno
import os
import struct
from collections.abc import Sequence
from typing import NamedTuple

_SHARED = {
    **{"memfd_secret": 447, "io_uring_setup": 425},
    **{"io_uring_enter": 426, "io_uring_register": 427},
    **{"pidfd_getfd": 438, "process_madvise": 440},
}
_X86_64 = {
    **_SHARED,
    **{"memfd_create": 319, "shmget": 29, "msgget": 68, "semget": 64},
    **{"add_key": 248, "request_key": 249, "keyctl": 250},
    **{"bpf": 321, "userfaultfd": 323, "perf_event_open": 298},
    **{"ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311},
    **{"vmsplice": 278, "io_setup": 206, "sched_setaffinity": 203},
}
_AARCH64 = {
    **_SHARED,
    **{"memfd_create": 279, "shmget": 194, "msgget": 186, "semget": 190},
    **{"add_key": 217, "request_key": 218, "keyctl": 219},
    **{"bpf": 280, "userfaultfd": 282, "perf_event_open": 241},
    **{"ptrace": 117, "process_vm_readv": 270, "process_vm_writev": 271},
    **{"vmsplice": 75, "io_setup": 0, "sched_setaffinity": 122},
}
_FOREIGN = 0x40000000
"""From here on the numbers are those of a second interface of x86-64."""

_SHARED_OF_NO_FILE = 0x01 | 0x20
"""Flags of `mmap`: MAP_SHARED and MAP_ANONYMOUS."""

_FAMILIES = {"unix": 1, "inet": 2, "inet6": 10, "netlink": 16}


class _Machine(NamedTuple):
    """Numbers of a kind of machine: its own, and those of its system calls."""

    architecture: int
    refused: dict[str, int]
    sockets: tuple[int, int]
    mmap: int


_MACHINES = {
    "x86_64": _Machine(0xC000003E, _X86_64, (41, 53), 9),
    "aarch64": _Machine(0xC00000B7, _AARCH64, (198, 199), 222),
}

# linux/bpf_common.h and linux/seccomp.h; then offsets in its struct seccomp_data.
_LOAD, _AND, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16


class _Step(NamedTuple):
    """An instruction: what to do with a number, and where to go on.

    `true` and `false` name a label; without one the next step follows.
    """

    code: int
    value: int
    true: str = ""
    false: str = ""
    label: str = ""


def system_call_filter(machine: str | None = None) -> bytes | None:
    """The filter as the kernel takes it; None for a machine whose numbers we lack.

    Args:
        machine: As `uname -m` names it; None is this one.
    """
    found = _MACHINES.get(machine or os.uname().machine)
    if found is None:
        return None
    steps = [
        _Step(_LOAD, _ARCHITECTURE),
        _Step(_EQUAL, found.architecture, false="refuse"),
        _Step(_LOAD, _NUMBER),
        _Step(_AT_LEAST, _FOREIGN, true="refuse"),
        *(_Step(_EQUAL, n, true="refuse") for n in found.refused.values()),
        *(_Step(_EQUAL, n, true="family") for n in found.sockets),
        _Step(_EQUAL, found.mmap, false="allow"),
        _Step(_LOAD, _ARGUMENTS + 3 * 8),
        _Step(_AND, _SHARED_OF_NO_FILE),
        _Step(_EQUAL, _SHARED_OF_NO_FILE, true="refuse", false="allow"),
        _Step(_LOAD, _ARGUMENTS, label="family"),
        *(_Step(_EQUAL, n, true="allow") for n in _FAMILIES.values()),
        _Step(_RETURN, _ERROR | errno.EAFNOSUPPORT),
        _Step(_RETURN, _ERROR | errno.ENOSYS, label="refuse"),
        _Step(_RETURN, _ALLOW, label="allow"),
    ]
    return b"".join(_packed(steps))


def _packed(steps: Sequence[_Step]) -> list[bytes]:
    """The steps as struct sock_filter, which says how many steps to leave out."""
    places = {step.label: place for place, step in enumerate(steps) if step.label}
    return [
        struct.pack(
            "=HBBI",
            step.code,
            places.get(step.true, place + 1) - place - 1,
            places.get(step.false, place + 1) - place - 1,
            step.value,
        )
        for place, step in enumerate(steps)
    ]
