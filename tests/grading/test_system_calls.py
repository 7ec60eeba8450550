"""The filter, run as the kernel runs it."""

import errno
import struct

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


# Numbers from the kernel's own tables, not from ours.
CALLS = [
    ("x86_64", X86_64, {"read": 0, "mmap": 9, "shmat": 30, "tee": 276}, ALLOWED),
    ("x86_64", X86_64, {"shmget": 29, "semget": 64, "msgget": 68}, NO_CALL),
    ("x86_64", X86_64, {"memfd_create": 319, "memfd_secret": 447}, NO_CALL),
    ("x86_64", X86_64, {"add_key": 248, "request_key": 249, "keyctl": 250}, NO_CALL),
    ("x86_64", X86_64, {"bpf": 321, "perf_event_open": 298}, NO_CALL),
    ("x86_64", X86_64, {"userfaultfd": 323, "io_uring_setup": 425}, NO_CALL),
    ("x86_64", X86_64, {"ptrace": 101, "vmsplice": 278, "io_setup": 206}, NO_CALL),
    ("x86_64", X86_64, {"sched_setaffinity": 203}, NO_CALL),
    ("x86_64", X86_64, {"readv": 310, "writev": 311, "pidfd_getfd": 438}, NO_CALL),
    ("x86_64", X86_64, {"x32 read": 0x40000000, "x32 mmap": 0x40000009}, NO_CALL),
    ("x86_64", I386, {"exit": 1, "read": 3}, NO_CALL),
    ("aarch64", AARCH64, {"read": 63, "mmap": 222, "tee": 77}, ALLOWED),
    ("aarch64", AARCH64, {"shmget": 194, "semget": 190, "msgget": 186}, NO_CALL),
    ("aarch64", AARCH64, {"memfd_create": 279, "memfd_secret": 447}, NO_CALL),
    ("aarch64", AARCH64, {"add_key": 217, "request_key": 218, "keyctl": 219}, NO_CALL),
    ("aarch64", AARCH64, {"bpf": 280, "userfaultfd": 282}, NO_CALL),
    ("aarch64", AARCH64, {"ptrace": 117, "vmsplice": 75, "io_setup": 0}, NO_CALL),
    ("aarch64", AARCH64, {"sched_setaffinity": 122}, NO_CALL),
    ("aarch64", AARCH64, {"readv": 270, "writev": 271}, NO_CALL),
    ("aarch64", X86_64, {"read": 0}, NO_CALL),
]


@pytest.mark.parametrize(
    ("machine", "architecture", "name", "number", "answer"),
    [
        (machine, architecture, name, number, answer)
        for machine, architecture, numbers, answer in CALLS
        for name, number in numbers.items()
    ],
)
def test_system_calls(
    machine: str, architecture: int, name: str, number: int, answer: int
) -> None:
    program = system_call_filter(machine)
    assert program is not None
    assert run(program, architecture, number) == answer, name


FAMILIES = {
    ALLOWED: {"unix": 1, "inet": 2, "inet6": 10, "netlink": 16},
    NO_FAMILY: {"unspecified": 0, "packet": 17, "alg": 38, "vsock": 40, "xdp": 44},
}


@pytest.mark.parametrize(
    ("machine", "architecture", "socket"),
    [
        *(("x86_64", X86_64, 41), ("x86_64", X86_64, 53)),
        *(("aarch64", AARCH64, 198), ("aarch64", AARCH64, 199)),
    ],
)
@pytest.mark.parametrize(
    ("family", "answer"),
    [(n, answer) for answer, family in FAMILIES.items() for n in family.values()],
)
def test_sockets(
    machine: str, architecture: int, socket: int, family: int, answer: int
) -> None:
    program = system_call_filter(machine)
    assert program is not None
    assert run(program, architecture, socket, family) == answer


SHARED, PRIVATE, VALIDATED, ANONYMOUS, FIXED = 0x01, 0x02, 0x03, 0x20, 0x10
MAPPED = {
    ALLOWED: [SHARED, SHARED | FIXED, PRIVATE | ANONYMOUS, PRIVATE, ANONYMOUS],
    NO_CALL: [SHARED | ANONYMOUS, VALIDATED | ANONYMOUS, SHARED | ANONYMOUS | FIXED],
}


@pytest.mark.parametrize(
    ("machine", "architecture", "mmap"),
    [("x86_64", X86_64, 9), ("aarch64", AARCH64, 222)],
)
@pytest.mark.parametrize(
    ("flags", "answer"),
    [(flags, answer) for answer, given in MAPPED.items() for flags in given],
)
def test_no_memory_is_shared_without_a_file(
    machine: str, architecture: int, mmap: int, flags: int, answer: int
) -> None:
    program = system_call_filter(machine)
    assert program is not None
    assert run(program, architecture, mmap, 0, 0x21, 0x21, flags) == answer


def test_a_machine_whose_numbers_we_lack_has_no_filter() -> None:
    assert system_call_filter("riscv64") is None
