"""The filter, run as the kernel runs it."""

import errno
import struct
from collections.abc import Iterator

import pytest

from inspect_debate.grading.system_calls import system_call_filter

X86_64, AARCH64, I386 = 0xC000003E, 0xC00000B7, 0x40000003
ALLOWED, ERROR = 0x7FFF0000, 0x00050000
NO_CALL, NO_FAMILY = ERROR | errno.ENOSYS, ERROR | errno.EAFNOSUPPORT


def run(program: bytes, architecture: int, number: int, *arguments: int) -> int:
    """Interpret the program; it may only go forward, and has to return."""
    given = (*arguments, *[0] * (6 - len(arguments)))
    data = struct.pack("=IIQ6Q", number, architecture, 0, *given)
    place = loaded = 0
    while True:
        code, true, false, value = struct.unpack_from("=HBBI", program, 8 * place)
        place += 1
        match code:
            case 0x20:
                (loaded,) = struct.unpack_from("=I", data, value)
            case 0x54:
                loaded &= value
            case 0x15:
                place += true if loaded == value else false
            case 0x35:
                place += true if loaded >= value else false
            case 0x06:
                return int(value)
            case _:
                pytest.fail(f"unknown instruction {code:#x}")


# By machine; numbers from the kernel's own tables, not from ours.
ARCHITECTURES = {"x86_64": X86_64, "aarch64": AARCH64}
ALLOWED_CALLS = {
    "x86_64": {"read": 0, "mmap": 9, "shmat": 30, "tee": 276},
    "aarch64": {"read": 63, "mmap": 222, "tee": 77},
}
REFUSED_CALLS = {
    "x86_64": {
        **{"shmget": 29, "semget": 64, "msgget": 68, "bpf": 321},
        **{"memfd_create": 319, "memfd_secret": 447, "perf_event_open": 298},
        **{"add_key": 248, "request_key": 249, "keyctl": 250},
        **{"userfaultfd": 323, "io_uring_setup": 425, "sched_setaffinity": 203},
        **{"ptrace": 101, "vmsplice": 278, "io_setup": 206},
        **{"readv": 310, "writev": 311, "pidfd_getfd": 438},
        **{"x32 read": 0x40000000, "x32 mmap": 0x40000009},
    },
    "aarch64": {
        **{"shmget": 194, "semget": 190, "msgget": 186, "bpf": 280},
        **{"memfd_create": 279, "memfd_secret": 447, "userfaultfd": 282},
        **{"add_key": 217, "request_key": 218, "keyctl": 219},
        **{"ptrace": 117, "vmsplice": 75, "io_setup": 0, "sched_setaffinity": 122},
        **{"readv": 270, "writev": 271},
    },
}
SOCKETS = {"x86_64": (41, 53), "aarch64": (198, 199)}
FAMILIES = {
    ALLOWED: {"unix": 1, "inet": 2, "inet6": 10, "netlink": 16},
    NO_FAMILY: {"unspecified": 0, "packet": 17, "alg": 38, "vsock": 40, "xdp": 44},
}
MMAP = {"x86_64": 9, "aarch64": 222}
SHARED, PRIVATE, VALIDATED, ANONYMOUS, FIXED = 0x01, 0x02, 0x03, 0x20, 0x10
# No memory is shared without a file.
MAPPED = {
    ALLOWED: [SHARED, SHARED | FIXED, PRIVATE | ANONYMOUS, PRIVATE, ANONYMOUS],
    NO_CALL: [SHARED | ANONYMOUS, VALIDATED | ANONYMOUS, SHARED | ANONYMOUS | FIXED],
}


def answers(machine: str) -> Iterator[tuple[str, int, int, int]]:
    """What is called, what the filter should answer, and what it answers."""
    program, own = system_call_filter(machine), ARCHITECTURES[machine]
    assert program is not None
    for expected, calls in ((ALLOWED, ALLOWED_CALLS), (NO_CALL, REFUSED_CALLS)):
        for name, number in calls[machine].items():
            yield name, number, expected, run(program, own, number)
    for other in {X86_64, AARCH64, I386} - {own}:
        for number in (0, 1, 3, 63):
            yield f"of {other:#x}", number, NO_CALL, run(program, other, number)
    for expected, families in FAMILIES.items():
        for name, family in families.items():
            for number in SOCKETS[machine]:
                yield name, family, expected, run(program, own, number, family)
    for expected, several in MAPPED.items():
        for flags in several:
            found = run(program, own, MMAP[machine], 0, 0x21, 0x21, flags)
            yield "mmap", flags, expected, found


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_what_the_filter_answers(machine: str) -> None:
    found = list(answers(machine))
    assert [each for each in found if each[2] != each[3]] == []
    assert len(found) > 50


def test_a_machine_whose_numbers_we_lack_has_no_filter() -> None:
    assert system_call_filter("riscv64") is None
