"""Ways out of a sandbox, run inside; prints those that led out, as JSON.

Standard library only, as it is sent to be run as text. Each is tried in a process of
its own. None may do harm where it does lead out, as they are tried where they do:
nothing that exists is cut or changed outside of the folder that is given for it.
"""

import ctypes
import errno
import json
import mmap
import os
import socket
import stat
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

given = json.loads(sys.stdin.read())
guarded: str = given["guarded"]  # a folder of the host that can be read inside
unseen: str = given["unseen"]  # a file of the host that is not shown
secret: str = given["secret"]  # in the environment of who started us
port: int = given["port"]  # a server of the host on its loopback
name: str = given["name"]  # a server of the host on an abstract socket
c = ctypes.CDLL(None, use_errno=True)

MS_REMOUNT, MS_BIND, CLONE_NEWNS, CLONE_NEWUSER = 32, 4096, 0x20000, 0x10000000


def checked(result: int) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def mount(source: str, target: str, kind: str, flags: int) -> None:
    words = (source.encode(), target.encode(), kind.encode())
    checked(c.mount(*words, ctypes.c_ulong(flags), None))


def write(path: str) -> None:
    with open(path, "w") as file:
        file.write("was here")


def found(way: bool, why: str = "no way") -> None:
    if not way:
        raise OSError(why)


def remount_and_write() -> None:
    mount("none", guarded, "none", MS_REMOUNT | MS_BIND)
    write(f"{guarded}/written-after-remount")


def namespace_and_remount() -> None:
    checked(c.unshare(CLONE_NEWUSER | CLONE_NEWNS))
    remount_and_write()


def other_namespaces() -> None:
    for kind in ("mnt", "net", "user", "pid"):
        with open(f"/proc/1/ns/{kind}") as file:
            if c.setns(file.fileno(), 0) == 0:
                return
    raise OSError("none")


def become_root() -> None:
    os.setgroups([0])
    os.setuid(0)


def raise_limits() -> None:
    import resource

    for kind in (resource.RLIMIT_NPROC, resource.RLIMIT_DATA, resource.RLIMIT_AS):
        resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def replace_input() -> None:
    write("new")
    os.rename("new", "input.txt")


def link_out() -> None:
    os.symlink(f"{guarded}/linked", "link")
    write("link")


def environments() -> None:
    for process in filter(str.isdigit, os.listdir("/proc")):
        if secret.encode() in Path("/proc", process, "environ").read_bytes():
            return
    raise OSError("not seen")


def connect(address: str) -> None:
    """Asks no server, only whether there is a way."""
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect((address, 80))


def shared_zeros() -> None:
    with open("/dev/zero", "r+b") as file:
        mmap.mmap(file.fileno(), 4096).close()


def system_call(number: int) -> None:
    there = c.syscall(number, 0, 0, 0, 0, 0) >= 0 or ctypes.get_errno() != errno.ENOSYS
    found(there, "no such call")


def opened(path: str, flags: int = os.O_RDONLY) -> None:
    os.close(os.open(path, flags))


def created(path: str) -> None:
    opened(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    os.unlink(path)


def set_again(path: str) -> None:
    with open(path, "r+") as file:
        value = file.read()
        file.seek(0)
        file.write(value)


PTRACE_SEIZE = 0x4206
DEVICE = stat.S_IFCHR | 0o600
WAYS: dict[str, Callable[[], object]] = {
    "remount_and_write": remount_and_write,
    "namespace_and_remount": namespace_and_remount,
    "change_root": lambda: os.chroot(guarded),
    "bind_elsewhere": lambda: mount(guarded, "/home", "none", MS_BIND),
    "device": lambda: os.mknod("/tmp/device", DEVICE, os.makedev(1, 3)),
    "other_namespaces": other_namespaces,
    "become_root": become_root,
    "raise_limits": raise_limits,
    "replace_input": replace_input,
    "rename_input": lambda: os.rename("input.txt", "other"),
    "link_out": link_out,
    "hard_link": lambda: os.link(f"{guarded}/file", "/tmp/file"),
    "environments": environments,
    # Bubblewrap's own, the program that tries all of this, and this one.
    "more_processes": lambda: found(sum(map(str.isdigit, os.listdir("/proc"))) > 3),
    "through_the_first": lambda: os.stat(f"/proc/1/root{unseen}"),
    "through_its_folder": lambda: os.stat(f"/proc/1/cwd/../../../../../..{unseen}"),
    "interfaces": lambda: found({n for _, n in socket.if_nameindex()} != {"lo"}),
    "loopback": lambda: socket.create_connection(("127.0.0.1", port), 1).close(),
    "private_address": lambda: connect("10.0.0.1"),
    "public_address": lambda: connect("192.0.2.1"),
    "abstract_socket": lambda: socket.socket(socket.AF_UNIX).connect(f"\0{name}"),
    "raw_socket": lambda: socket.socket(
        socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP
    ),
    "host_name": lambda: socket.sethostname(socket.gethostname()),
    # One is that of the listing itself.
    "open_files": lambda: found(len(os.listdir("/proc/self/fd")) > 4),
    "shared_memory_of_no_file": lambda: mmap.mmap(-1, 4096).close(),
    "shared_zeros": shared_zeros,
    "trace_the_first": lambda: checked(c.ptrace(PTRACE_SEIZE, 1, None, None)),
    **{
        f"write {path}": partial(opened, path, os.O_WRONLY)
        for path in (
            *(f"{guarded}/file", "input.txt", "/etc/passwd", "/etc/mime.types"),
            *("/proc/1/mem", "/proc/1/task/1/mem", "/proc/sysrq-trigger"),
            "/proc/sys/vm/drop_caches",
        )
    },
    **{
        f"create {folder}": partial(created, f"{folder}/inspect-debate-test")
        for folder in (guarded, "/usr", "/etc", "", "/dev", "/home", "/root", "/proc")
    },
    **{
        f"set {name}": partial(set_again, f"/proc/sys/{name}")
        for name in (
            *("kernel/core_pattern", "kernel/ns_last_pid", "kernel/hostname"),
            *("net/ipv4/ip_forward", "user/max_user_namespaces"),
        )
    },
    **{
        f"read {path}": partial(opened, path)
        for path in (unseen, "/etc/shadow", "/etc/hostname", "/sys/kernel", "/var/lib")
    },
}
if os.uname().machine == "x86_64":
    # A socket between a virtual machine and its host.
    WAYS["virtual_machine_socket"] = lambda: socket.socket(40, socket.SOCK_STREAM)
    CALLS = {"memfd": 319, "keys": 250, "bpf": 321, "ring": 425, "vmsplice": 278}
    WAYS |= {f"call {name}": partial(system_call, n) for name, n in CALLS.items()}


def leads_out(way: Callable[[], object]) -> bool:
    child = os.fork()
    if child == 0:
        try:
            way()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


print(json.dumps([name for name, way in WAYS.items() if leads_out(way)]))
