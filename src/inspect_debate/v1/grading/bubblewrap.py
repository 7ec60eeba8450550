"""Sandboxes for machines without Docker: `--sandbox bubblewrap`.

Each command gets a sandbox of its own, and what it writes is gone when it ends. Files
written by `write_file` are seen by all commands of a sample and changed by none.
"""

import threading
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any, Literal, overload

import anyio
import anyio.to_thread
from inspect_ai.util import (
    ExecResult,
    OutputLimitExceededError,
    SandboxEnvironment,
    SandboxEnvironmentConfigType,
    SandboxEnvironmentLimits,
    SandboxUnavailableError,
    SandboxUserUnsupportedError,
    sandboxenv,
)
from inspect_ai.util import (
    concurrency as at_most,
)

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.grading.box import Box, remove_leftovers
from inspect_debate.v1.grading.config import BubblewrapConfig
from inspect_debate.v1.grading.supervise import Ended

ENDED = "sandbox: ended: "
"""Begins the last line of stderr where a command was ended for what it used; the
return code is then 137, as after a kill for memory in a container."""


class OutOfTime(TimeoutError):
    """A command that took too long, and was ended.

    Attributes:
        processor_seconds: Processor time that its processes had together.
    """

    def __init__(self, processor_seconds: float) -> None:
        super().__init__("The command took too long, and was ended.")
        self.processor_seconds = processor_seconds


@sandboxenv(name="bubblewrap")
class BubblewrapSandbox(SandboxEnvironment):
    """A sample's sandbox, for any number of commands.

    There is no limit to the samples that have one, as it costs nothing while no
    command runs; how many commands run at once is `BubblewrapConfig.parallel`.
    """

    def __init__(self, config: BubblewrapConfig) -> None:
        super().__init__()
        self.config = config
        self._box = Box(config)

    @classmethod
    def config_deserialize(cls, config: dict[str, Any]) -> BubblewrapConfig:
        """The settings, from a log."""
        return BubblewrapConfig.model_validate(config)

    @classmethod
    async def task_init(
        cls, task_name: str, config: SandboxEnvironmentConfigType | None
    ) -> None:
        """Check that sandboxes work here, before any model is called.

        Raises:
            InputError: If they do not.
        """
        await anyio.to_thread.run_sync(check_bubblewrap, _config(config))

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
        for environment in environments.values():
            environment.as_type(cls)._box.close()

    @classmethod
    async def cli_cleanup(cls, id: str | None) -> None:
        """Remove the files of evaluations that were killed; no process outlives them.

        Args:
            id: Without effect: what is left of an evaluation goes all together.
        """
        remove_leftovers()

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
        """Run a command in a fresh sandbox.

        Where it used too much memory, or too many processes together, it is ended: the
        return code is 137, and the last line of stderr begins with `ENDED`.

        Args:
            cmd: The program and its arguments.
            input: Standard input.
            cwd: Where it starts, relative to the working directory.
            env: Variables besides the few that every sandbox has.
            user: Only the sandbox's own user is possible; give none.
            timeout: Seconds that it may take, from when its turn has come.
            timeout_retry: Without effect: what took too long is not run again.
            concurrency: Whether it waits for its turn.

        Raises:
            OutOfTime: If it took too long.
            OutputLimitExceededError: If it wrote more than Inspect allows.
            SandboxUnavailableError: If bubblewrap could not start the command.
            SandboxUserUnsupportedError: If a user was given.
        """
        if user is not None:
            raise SandboxUserUnsupportedError(
                f"user={user!r} is not allowed; in a bubblewrap sandbox there is one "
                "unprivileged user, and that is who runs everything."
            )
        given = input.encode() if isinstance(input, str) else input or b""
        output = SandboxEnvironmentLimits.MAX_EXEC_OUTPUT_SIZE

        def run(stop: threading.Event) -> Ended:
            return self._box.run(
                cmd,
                output=output,
                input=given,
                directory=cwd,
                environment=env,
                seconds=timeout,
                stop=stop,
            )

        async with self._turn() if concurrency else nullcontext():
            ended = await _in_thread(run)
        return self._result(ended)

    async def write_file(self, file: str, contents: str | bytes) -> None:
        """Write a file that all following commands see, and can only read.

        Args:
            file: Its path, relative to the working directory.
            contents: Its content.

        Raises:
            PermissionError: If the path is not in the working directory.
        """
        data = contents.encode() if isinstance(contents, str) else contents
        self._box.write(file, data)

    @overload
    async def read_file(self, file: str, text: Literal[True] = True) -> str: ...

    @overload
    async def read_file(self, file: str, text: Literal[False]) -> bytes: ...

    async def read_file(self, file: str, text: bool = True) -> str | bytes:
        """Read a file that `write_file` wrote.

        Args:
            file: Its path, relative to the working directory.
            text: Whether it is text, in UTF-8.

        Raises:
            FileNotFoundError: If there is none; what a command writes is not kept.
            PermissionError: If the path is not in the working directory.
            OutputLimitExceededError: If it is larger than Inspect allows.
        """
        path = self._box.path(file)
        if not path.exists():
            raise FileNotFoundError(
                f"{file!r} was not written by write_file, and what a command writes "
                "in a bubblewrap sandbox is gone when it ends; let it print what you "
                "need."
            )
        if path.stat().st_size > SandboxEnvironmentLimits.MAX_READ_FILE_SIZE:
            limit = SandboxEnvironmentLimits.MAX_READ_FILE_SIZE_STR
            raise OutputLimitExceededError(limit, None)
        data = path.read_bytes()
        return data.decode() if text else data

    def _turn(self) -> AbstractAsyncContextManager[object]:
        return at_most("bubblewrap", self.config.at_once())

    def _result(self, ended: Ended) -> ExecResult[str]:
        stdout = ended.stdout.decode(errors="replace")
        stderr = ended.stderr.decode(errors="replace")
        match ended.reason:
            case "time":
                raise OutOfTime(ended.processor_seconds)
            case "output":
                limit = SandboxEnvironmentLimits.MAX_EXEC_OUTPUT_SIZE_STR
                raise OutputLimitExceededError(limit, stdout)
            case "memory":
                stderr += f"\n{ENDED}more than {self.config.memory_mb} MB of memory\n"
            case "processes":
                stderr += f"\n{ENDED}more than {self.config.processes} processes\n"
            case "exit" if ended.started:
                pass
            case "exit":
                raise SandboxUnavailableError(
                    f"Bubblewrap could not start the command: {stderr.strip()}"
                )
            case "blind" | "stopped":
                raise SandboxUnavailableError(
                    "The command was ended, as it could not be watched."
                )
        return ExecResult(ended.returncode == 0, ended.returncode, stdout, stderr)


async def _in_thread(run: Callable[[threading.Event], Ended]) -> Ended:
    """Run in a thread of its own, which ends soon if we are cancelled."""
    stop = threading.Event()
    outcome: Ended | Exception

    def attempt() -> Ended | Exception:
        try:
            return run(stop)
        except Exception as error:
            return error

    async with anyio.create_task_group() as group:
        group.start_soon(_set_when_cancelled, stop)
        own = anyio.CapacityLimiter(1)
        outcome = await anyio.to_thread.run_sync(attempt, limiter=own)
        group.cancel_scope.cancel()
    await anyio.lowlevel.checkpoint()
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


async def _set_when_cancelled(stop: threading.Event) -> None:
    try:
        await anyio.sleep_forever()
    finally:
        stop.set()


def _config(config: SandboxEnvironmentConfigType | None) -> BubblewrapConfig:
    if config is None:
        return BubblewrapConfig()
    if isinstance(config, BubblewrapConfig):
        return config
    raise InputError(
        f"The configuration {config!r} is not allowed for the sandbox 'bubblewrap'; "
        "give none, or a BubblewrapConfig."
    )


# Whether bubblewrap sandboxes work here, and if not, what to do about it.

_OUTPUT = 1 << 16
_SECONDS = 60
_APPARMOR = (
    "from Ubuntu 24.04 on AppArmor keeps user namespaces from ordinary users; an "
    "administrator can allow them to bwrap by an AppArmor profile, or to all (sysctl "
    "kernel.apparmor_restrict_unprivileged_userns=0)"
)
_HIDDEN = (
    "inside a container, bubblewrap works only where the container hides nothing of "
    "/proc (Docker: --security-opt systempaths=unconfined)"
)
_ADVICE = {
    "disable-userns": "bubblewrap is too old here; 0.8 or newer is needed",
    "No permissions to create": (
        "the system keeps user namespaces from ordinary users; an administrator can "
        "allow them (sysctl kernel.unprivileged_userns_clone=1)"
    ),
    "max_*_namespaces": (
        "the system allows no more namespaces; an administrator can allow some "
        "(sysctl user.max_user_namespaces)"
    ),
    "uid map": _APPARMOR,
    "RTM_NEWADDR": _APPARMOR,
    "mount proc": _HIDDEN,
    "mount /proc": _HIDDEN,
    "unshare failed": (
        "this root has not the capability CAP_SYS_ADMIN, as in most containers; use an "
        "ordinary user, or give the container the capability (--cap-add SYS_ADMIN)"
    ),
}


def check_bubblewrap(config: BubblewrapConfig) -> None:
    """Run `true` in a sandbox, and the interpreter in another.

    Raises:
        InputError: With what was tried, bubblewrap's message, and what to do.
    """
    box = Box(config)
    try:
        trial = _run(box, ["true"])
        if not trial.started or trial.returncode != 0:
            raise InputError(
                f"The bubblewrap sandbox does not work here: `true` was run in it, and "
                f"{_said(trial)}; {_advice(trial)}, or use the sandbox 'docker'."
            )
        python = _run(box, [box.interpreter, "-I", "-c", ""])
        if python.returncode != 0:
            raise InputError(
                f"The interpreter {box.interpreter!r} does not work in the bubblewrap "
                f"sandbox: {_said(python)}; give one that every user may read, with "
                "all that it needs in its own folder."
            )
    finally:
        box.close()


def _run(box: Box, command: list[str]) -> Ended:
    try:
        return box.run(command, output=_OUTPUT, seconds=_SECONDS)
    except (OSError, ValueError) as error:
        raise InputError(
            f"The bubblewrap sandbox does not work here: {str(error).rstrip('.')}."
        ) from error


def _said(ended: Ended) -> str:
    message = ended.stderr.decode(errors="replace").strip()
    return f"the answer was {message!r} (code {ended.returncode}, {ended.reason})"


def _advice(ended: Ended) -> str:
    message = ended.stderr.decode(errors="replace")
    advice = (text for words, text in _ADVICE.items() if words in message)
    return next(advice, "see whether bubblewrap works for you at all (`bwrap --help`)")
