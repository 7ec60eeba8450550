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
from pathlib import Path

given = json.loads(sys.stdin.read())
guarded: str = given["guarded"]  # a folder of the host that can be read inside
unseen: str = given["unseen"]  # a file of the host that is not shown
secret: str = given["secret"]  # stands in the environment of who started us
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


def remount_and_write() -> None:
    mount("none", guarded, "none", MS_REMOUNT | MS_BIND)
    write(f"{guarded}/written-after-remount")


def namespace_and_remount() -> None:
    checked(c.unshare(CLONE_NEWUSER | CLONE_NEWNS))
    remount_and_write()


def change_root() -> None:
    os.chroot(guarded)


def bind_elsewhere() -> None:
    mount(guarded, "/home", "none", MS_BIND)


def device() -> None:
    os.mknod("/tmp/device", stat.S_IFCHR | 0o600, os.makedev(1, 3))


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


def rename_input() -> None:
    os.rename("input.txt", "other")


def link_out() -> None:
    os.symlink(f"{guarded}/linked", "link")
    write("link")


def hard_link() -> None:
    os.link(f"{guarded}/file", "/tmp/file")


def environments() -> None:
    for process in filter(str.isdigit, os.listdir("/proc")):
        if secret.encode() in Path("/proc", process, "environ").read_bytes():
            return
    raise OSError("not seen")


def more_processes() -> None:
    # Bubblewrap's own, the program that tries all of this, and this one.
    if len([number for number in os.listdir("/proc") if number.isdigit()]) <= 3:
        raise OSError("only ours")


def open_files() -> None:
    # One is that of the listing itself.
    if len(os.listdir("/proc/self/fd")) <= 4:
        raise OSError("only ours")


def through_the_first() -> None:
    os.stat(f"/proc/1/root{unseen}")


def through_its_folder() -> None:
    os.stat(f"/proc/1/cwd/../../../../../..{unseen}")


def interfaces() -> None:
    if {name for _, name in socket.if_nameindex()} == {"lo"}:
        raise OSError("loopback only")


def loopback() -> None:
    socket.create_connection(("127.0.0.1", port), 1).close()


def private_address() -> None:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(("10.0.0.1", 80))


def public_address() -> None:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(("192.0.2.1", 80))


def abstract_socket() -> None:
    socket.socket(socket.AF_UNIX).connect(f"\0{name}")


def virtual_machine_socket() -> None:
    socket.socket(40, socket.SOCK_STREAM)


def raw_socket() -> None:
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)


def host_name() -> None:
    socket.sethostname(socket.gethostname())


def system_call(number: int) -> Callable[[], None]:
    def call() -> None:
        if c.syscall(number, 0, 0, 0, 0, 0) >= 0 or ctypes.get_errno() != errno.ENOSYS:
            return
        raise OSError("no such call")

    return call


def shared_memory_of_no_file() -> None:
    mmap.mmap(-1, 4096).close()


def shared_zeros() -> None:
    with open("/dev/zero", "r+b") as file:
        mmap.mmap(file.fileno(), 4096).close()


def trace_the_first() -> None:
    PTRACE_SEIZE = 0x4206
    checked(c.ptrace(PTRACE_SEIZE, 1, None, None))


def opened(path: str, flags: int = os.O_RDONLY) -> Callable[[], None]:
    def attempt() -> None:
        os.close(os.open(path, flags))

    return attempt


def created(path: str) -> Callable[[], None]:
    def attempt() -> None:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        os.unlink(path)

    return attempt


def set_again(path: str) -> Callable[[], None]:
    def attempt() -> None:
        with open(path, "r+") as file:
            value = file.read()
            file.seek(0)
            file.write(value)

    return attempt


WAYS: dict[str, Callable[[], None]] = {
    **{
        way.__name__: way
        for way in (
            *(remount_and_write, namespace_and_remount, change_root, bind_elsewhere),
            *(device, other_namespaces, become_root, raise_limits, replace_input),
            *(rename_input, link_out, hard_link, environments, more_processes),
            *(through_the_first, through_its_folder, interfaces, loopback),
            *(private_address, public_address, abstract_socket, raw_socket, host_name),
            *(open_files, shared_memory_of_no_file, shared_zeros, trace_the_first),
        )
    },
    **{
        f"write {path}": opened(path, os.O_WRONLY)
        for path in (
            *(f"{guarded}/file", "input.txt", "/etc/passwd", "/etc/mime.types"),
            *(
                "/proc/1/mem",
                "/proc/1/task/1/mem",
                "/proc/sysrq-trigger",
                "/proc/sys/vm/drop_caches",
            ),
        )
    },
    **{
        f"create {folder}": created(f"{folder}/inspect-debate-test")
        for folder in (guarded, "/usr", "/etc", "", "/dev", "/home", "/root", "/proc")
    },
    **{
        f"set {name}": set_again(f"/proc/sys/{name}")
        for name in (
            *("kernel/core_pattern", "kernel/ns_last_pid", "kernel/hostname"),
            *("net/ipv4/ip_forward", "user/max_user_namespaces"),
        )
    },
    **{
        f"read {path}": opened(path)
        for path in (unseen, "/etc/shadow", "/etc/hostname", "/sys/kernel", "/var/lib")
    },
}
if os.uname().machine == "x86_64":
    WAYS["virtual_machine_socket"] = virtual_machine_socket
    for call, number in {
        "memfd": 319,
        "keys": 250,
        "bpf": 321,
        "ring": 425,
        "vmsplice": 278,
    }.items():
        WAYS[f"call {call}"] = system_call(number)


def leads_out(way: Callable[[], None]) -> bool:
    child = os.fork()
    if child == 0:
        try:
            way()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


print(json.dumps([name for name, way in WAYS.items() if leads_out(way)]))
