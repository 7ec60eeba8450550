"""Where the tests of grading run programs."""

import asyncio
import os
import shutil
import signal
import tempfile
from contextlib import suppress
from typing import Any

from inspect_ai.util import ExecResult, SandboxEnvironment


class PlainBox(SandboxEnvironment):
    """No sandbox: a process in a folder of its own, ended with its process group."""

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
        folder = tempfile.mkdtemp()
        given = input.encode() if isinstance(input, str) else input
        process = await asyncio.create_subprocess_exec(
            *cmd,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=folder,
            env={"PATH": os.defpath, "HOME": folder, "TMPDIR": folder},
            start_new_session=True,
        )
        try:
            output = await asyncio.wait_for(process.communicate(given), timeout)
        except TimeoutError:
            raise TimeoutError("too long") from None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            shutil.rmtree(folder, ignore_errors=True)
        stdout, stderr = (part.decode() for part in output)
        code = process.returncode or 0
        return ExecResult(code == 0, code, stdout, stderr)

    async def write_file(self, file: str, contents: str | bytes) -> None:
        raise NotImplementedError

    async def read_file(self, file: str, text: bool = True) -> Any:
        raise NotImplementedError

    @classmethod
    async def sample_cleanup(
        cls,
        task_name: str,
        config: Any,
        environments: dict[str, SandboxEnvironment],
        interrupted: bool,
    ) -> None:
        raise NotImplementedError
