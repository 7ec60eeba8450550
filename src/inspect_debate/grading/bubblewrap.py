"""A sandbox for machines without Docker: `--sandbox bubblewrap`.

Each command runs in namespaces of its own, as an unprivileged user without a network.
It sees the system's programs and one Python, read-only; what it writes is memory of a
fixed size, gone when it ends. Files written by `write_file` lie in its working
directory and can only be read there.
"""

import json
import os
import shutil
import signal
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import anyio
from inspect_ai.util import (
    ExecResult,
    SandboxEnvironment,
    SandboxEnvironmentConfigType,
    SandboxEnvironmentLimits,
    sandboxenv,
    subprocess,
)
from pydantic import BaseModel, ConfigDict, Field

from inspect_debate.debate.errors import InputError, typed_path

NOBODY = "65534"
WORK = "/tmp/files"
SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache"]
SYSTEM += ["/etc/alternatives", "/etc/fonts", "/etc/mime.types"]
ENVIRONMENT = {
    "HOME": "/tmp/home",
    "TMPDIR": "/tmp",
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "MPLBACKEND": "Agg",
    # One thread per program: processor time is what is limited.
    **dict.fromkeys(
        ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"
    ),
}


class BubblewrapConfig(BaseModel):
    """Settings of the sandbox.

    Attributes:
        python: The Python that programs run with, or the folder of its virtual
            environment; it is `python3` inside. Our own if None.
        binds: Absolute paths that are seen inside besides, read-only.
        memory_mb: Memory of all processes of a command together, in MB. It is looked
            at ten times a second, so it can be passed for a moment.
        processes: Processes and threads of a command.
        disk_mb: The size of /tmp and of /dev/shm, which are memory, in MB.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    python: str | None = None
    binds: tuple[str, ...] = ()
    memory_mb: int = Field(default=2048, ge=16)
    processes: int = Field(default=512, ge=4)
    disk_mb: int = Field(default=512, ge=1)

    @property
    def interpreter(self) -> Path:
        """The path of the Python."""
        path = typed_path(self.python or sys.executable)
        return (path / "bin" / "python3" if path.is_dir() else path).absolute()


def python_folders(interpreter: Path) -> list[str]:
    """The folders that a Python needs, those of Pythons that it links to included."""
    paths = [interpreter]
    while paths[-1].is_symlink():
        paths.append(Path(os.path.normpath(paths[-1].parent / paths[-1].readlink())))
    paths.append(interpreter.resolve())
    folders = dict.fromkeys(str(path.parent.parent) for path in paths)
    return [folder for folder in folders if folder not in ("/", "/usr")]


def _command_line(
    command: list[str], box: "BubblewrapSandbox", info: Path, env: dict[str, str]
) -> list[str]:
    """The bwrap command; the number of the first process inside goes to `info`."""
    config = box.config
    root = os.geteuid() == 0
    # Nothing of our own environment, where keys are, and not even in /proc inside.
    line = ["env", "-i", f"PATH={os.environ.get('PATH', os.defpath)}"]
    line += ["sh", "-c", 'exec 9>"$0"; exec "$@"', str(info), "bwrap", "--info-fd", "9"]
    line += _AS_ROOT if root else _AS_USER
    line += ["--die-with-parent", "--new-session", "--hostname", "sandbox"]
    line += ["--proc", "/proc", "--dev", "/dev"]
    for place in ("/dev/shm", "/tmp"):
        size = str(config.disk_mb * 1024 * 1024)
        line += ["--size", size, "--perms", "1777", "--tmpfs", place]
    line += ["--remount-ro", "/dev", "--perms", "0777", "--dir", ENVIRONMENT["HOME"]]
    line += ["--perms", "0755", "--dir", "/etc", "--ro-bind", str(box.files), WORK]
    line += ["--ro-bind", str(box.folder / "hosts"), "/etc/hosts"]
    for path in filter(os.path.lexists, SYSTEM):
        if os.path.islink(path):
            line += ["--symlink", os.readlink(path), path]
        else:
            line += ["--ro-bind", path, path]
    for path in (*python_folders(config.interpreter), *config.binds):
        for parent in reversed(Path(path).parents[:-1]):  # open to all
            line += ["--perms", "0755", "--dir", str(parent)]
        line += ["--ro-bind", path, path]
    line += ["--remount-ro", "/", "--chdir", WORK, "--clearenv"]
    path = f"{config.interpreter.parent}:/usr/local/bin:/usr/bin:/bin"
    for name, value in {"PATH": path, **ENVIRONMENT, **env}.items():
        line += ["--setenv", name, value]
    line += ["--", *(_LEAVE_ROOT if root else ())]
    return [*line, "prlimit", f"--nproc={config.processes}", "--", *command]


_AS_USER = ["--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL"]
_AS_USER += ["--uid", NOBODY, "--gid", NOBODY]
# Whom root starts is another user outside as well, or no limit on processes would hold.
_AS_ROOT = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
_AS_ROOT += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
_LEAVE_ROOT = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
_LEAVE_ROOT += ["--inh-caps=-all", "--no-new-privs", "--"]
_LEAVE_ROOT += ["bwrap", "--unshare-user", "--disable-userns", "--dev-bind", "/", "/"]


@sandboxenv(name="bubblewrap")
class BubblewrapSandbox(SandboxEnvironment):
    """The files of one sample, and a fresh sandbox for each of its commands."""

    def __init__(self, config: BubblewrapConfig) -> None:
        super().__init__()
        self.config = config
        self.folder = Path(tempfile.mkdtemp(prefix="inspect-debate-sandbox-"))
        self.files = self.folder / "files"
        self.files.mkdir()
        (self.folder / "hosts").write_text("127.0.0.1 localhost\n")

    @classmethod
    async def task_init(
        cls, task_name: str, config: SandboxEnvironmentConfigType | None
    ) -> None:
        """Start Python in a sandbox, before any model is called."""
        if not all(map(shutil.which, ("bwrap", "prlimit", "setpriv"))):
            raise InputError(
                "The sandbox 'bubblewrap' needs the programs bwrap, prlimit and "
                "setpriv; install them (Debian, Ubuntu: apt-get install bubblewrap "
                "util-linux) or use --sandbox docker."
            )
        box = cls(_config(config))
        try:
            python = str(box.config.interpreter.with_name("python3"))
            tried = await box.exec([python, "-I", "-c", ""], timeout=60)
        finally:
            box.close()
        if not tried.success:
            raise InputError(
                f"The sandbox 'bubblewrap' does not start {box.config.interpreter} "
                f"here: {tried.stderr.strip()[-500:]!r}. It needs bubblewrap 0.8 or "
                "later and a system that lets you make user namespaces (from Ubuntu "
                "24.04 on AppArmor has to allow them to bwrap; a container has to be "
                "given CAP_SYS_ADMIN); or use --sandbox docker."
            )

    @classmethod
    async def sample_init(
        cls,
        task_name: str,
        config: SandboxEnvironmentConfigType | None,
        metadata: dict[str, str],
    ) -> dict[str, SandboxEnvironment]:
        """A sandbox for a sample, named `default`."""
        return {"default": cls(_config(config))}

    @classmethod
    async def sample_cleanup(
        cls,
        task_name: str,
        config: SandboxEnvironmentConfigType | None,
        environments: dict[str, SandboxEnvironment],
        interrupted: bool,
    ) -> None:
        """Remove the sample's files; no process is left by then."""
        for each in environments.values():
            each.as_type(cls).close()

    @classmethod
    def config_deserialize(cls, config: dict[str, Any]) -> BubblewrapConfig:
        """The settings, from a log."""
        return BubblewrapConfig.model_validate(config)

    def close(self) -> None:
        """Remove the files."""
        shutil.rmtree(self.folder, ignore_errors=True)

    async def exec(
        self,
        cmd: list[str],
        input: str | bytes | None = None,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        user: str | None = None,
        timeout: int | None = None,
        timeout_retry: bool = True,
        concurrency: bool = True,
    ) -> ExecResult[str]:
        """Run a command in a fresh sandbox, always as the same unprivileged user.

        One that takes too much memory or too many processes is killed: the return code
        is 137, and the last line of stderr says what was too much.
        """
        info = self.folder / f"info-{uuid4().hex}"
        line = _command_line(cmd, self, info, env or {})
        line[line.index("--chdir") + 1] = os.path.join(WORK, cwd or "")
        excess: list[str] = []
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(_watch, info, self.config, excess)
                result = await subprocess(
                    line,
                    text=False,  # a program may write what is no text
                    input=input,
                    output_limit=SandboxEnvironmentLimits.MAX_EXEC_OUTPUT_SIZE,
                    timeout=timeout,
                    concurrency=concurrency,
                )
                group.cancel_scope.cancel()
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None
        out, err = (p.decode(errors="replace") for p in (result.stdout, result.stderr))
        return ExecResult(result.success, result.returncode, out, err + "".join(excess))

    def _path(self, file: str) -> Path:
        path = (self.files / file.removeprefix(f"{WORK}/")).resolve()
        if not path.is_relative_to(self.files.resolve()):
            raise PermissionError(f"{file!r} is not in the sandbox's {WORK}.")
        return path

    async def write_file(self, file: str, contents: str | bytes) -> None:
        """Write a file that all following commands see, and can only read."""
        path = self._path(file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents.encode() if isinstance(contents, str) else contents)

    async def read_file(self, file: str, text: bool = True) -> Any:
        """Read a file that `write_file` wrote; what commands write is not kept."""
        data = self._path(file).read_bytes()
        return data.decode() if text else data


def _config(config: SandboxEnvironmentConfigType | None) -> BubblewrapConfig:
    """Settings, or the path of a Python as in `--sandbox bubblewrap:PATH`."""
    if config is None or isinstance(config, str):
        return BubblewrapConfig(python=config)
    return BubblewrapConfig.model_validate(config)


# --- What all processes use together --------------------------------------------------

_OWN = ("RssAnon", "RssShmem", "VmSwap", "VmPTE")
_FEW = 32
_PARTS = ("Pss_Anon", "Pss_Shmem", "SwapPss")


async def _watch(info: Path, config: BubblewrapConfig, excess: list[str]) -> None:
    """Kill a sandbox from outside once it uses too much, and say of what."""
    while True:
        await anyio.sleep(0.1)
        with suppress(OSError, ValueError, KeyError):  # not begun, or just ended
            first = int(json.loads(info.read_text())["child-pid"])
            process = os.pidfd_open(first)
            try:
                proc = f"/proc/{first}/root/proc"
                found = await anyio.to_thread.run_sync(
                    _usage, proc, config, abandon_on_cancel=True
                )
                for what, most, used in found:
                    if used > most and not excess:
                        signal.pidfd_send_signal(process, signal.SIGKILL)
                        excess.append(f"\nsandbox: more than {most} {what}")
            finally:
                os.close(process)


def _usage(proc: str, config: BubblewrapConfig) -> list[tuple[str, int, int]]:
    """What is used, how much at most, and how much, by the sandbox's own /proc."""
    if os.stat(proc).st_dev == os.stat("/proc").st_dev:
        return []  # bubblewrap is not inside yet, and this is everybody's
    folders = [f"{proc}/{name}" for name in os.listdir(proc) if name.isdigit()]
    status = [_numbers(f"{folder}/status") for folder in folders]
    processes = sum(each.get("Threads", 0) for each in status)
    memory = sum(each.get(kind, 0) for each in status for kind in _OWN) // 1024
    if memory > config.memory_mb and len(folders) < _FEW:
        # Each has its part of what is shared; to find out takes long for many.
        parts = (_numbers(f"{folder}/smaps_rollup") for folder in folders)
        found = [part or own for part, own in zip(parts, status, strict=True)]
        kinds = (*_PARTS, *_OWN)
        memory = sum(each.get(kind, 0) for each in found for kind in kinds) // 1024
    most = ("processes", config.processes), ("MB of memory", config.memory_mb)
    return [(*pair, used) for pair, used in zip(most, (processes, memory), strict=True)]


def _numbers(file: str) -> dict[str, int]:
    """The whole numbers in a file of a process; none if the process has ended."""
    with suppress(OSError), open(file, encoding="ascii", errors="replace") as lines:
        words = (line.replace(":", " ").split()[:2] for line in lines)
        return {
            pair[0]: int(pair[1]) for pair in words if pair[1:] and pair[1].isdigit()
        }
    return {}
