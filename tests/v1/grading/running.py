"""Where the tests of grading run programs; many are graded two at a time."""

import asyncio
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Any

from inspect_ai.util import ExecResult, SandboxEnvironment

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.grading.bubblewrap import BubblewrapSandbox, check_bubblewrap
from inspect_debate.v1.grading.code import CodeProblem
from inspect_debate.v1.grading.config import BubblewrapConfig
from inspect_debate.v1.grading.grade import Graded, Way, grade_code
from tests.v1.grading.victim import victim


@cache
def bubblewrap() -> SandboxEnvironment | None:
    """The real sandbox, where it works."""
    config = BubblewrapConfig(interpreter=sys.executable)
    try:
        check_bubblewrap(config)
    except InputError:
        return None
    return BubblewrapSandbox(config)


def grade(
    answer: str,
    problem: CodeProblem | None = None,
    seconds: int = 30,
    way: Way | None = None,
) -> Graded:
    answers = {"": answer}
    return grade_all(answers, problem=problem, seconds=seconds, way=way)[""]


def grade_all(
    answers: Mapping[str, str],
    *,
    box: SandboxEnvironment | None = None,
    problem: CodeProblem | None = None,
    seconds: int = 30,
    way: Way | None = None,
) -> dict[str, Graded]:
    """What came of each answer; in the real sandbox, where it works."""
    asked = {what: (problem or victim(), text) for what, text in answers.items()}
    return grade_pairs(asked, box=box, seconds=seconds, way=way)


def grade_pairs(
    answers: Mapping[str, tuple[CodeProblem, str]],
    *,
    box: SandboxEnvironment | None = None,
    seconds: int = 30,
    way: Way | None = None,
) -> dict[str, Graded]:
    """What came of each answer, to a task of its own."""
    where = box or bubblewrap() or PlainBox()

    async def one(turn: asyncio.Semaphore, problem: CodeProblem, answer: str) -> Graded:
        async with turn:
            return await grade_code(
                where,
                problem,
                answer,
                interpreter=sys.executable,
                seconds=seconds,
                way=way,
            )

    async def all_of_them() -> list[Graded]:
        turn = asyncio.Semaphore(2)
        return await asyncio.gather(*(one(turn, *pair) for pair in answers.values()))

    return dict(zip(answers, asyncio.run(all_of_them()), strict=True))


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
