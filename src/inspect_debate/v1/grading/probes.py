"""Three probes that show whether a sandbox grades as it should."""

from dataclasses import dataclass

from inspect_ai.util import SandboxEnvironment, concurrency

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.grading.grade import CONTROL, RIGHT, grade_code

_OLDEST = (3, 8)
_SECONDS = 120
_VERSION = "import sys; print(*sys.version_info[:2])"
_ANSWERS = {"pass": RIGHT, "fail": "def task_func():\n    return 7\n"}


@dataclass
class Probes:
    """Probes a sandbox once, whichever of a run's samples comes first.

    Attributes:
        passed: Whether the probes were as expected.
    """

    passed: bool = False

    async def check(self, box: SandboxEnvironment, interpreter: str) -> None:
        """Probe the sandbox, unless that was done before.

        Raises:
            InputError: If a probe shows that grades would be wrong.
        """
        async with concurrency("probes of the sandbox", 1, visible=False):
            if not self.passed:
                await probe(box, interpreter)
                self.passed = True


async def probe(box: SandboxEnvironment, interpreter: str) -> str:
    """Start the interpreter, grade a right program and a wrong one.

    Args:
        box: The sandbox.
        interpreter: The path or name of a Python inside the sandbox.

    Returns:
        The version of the interpreter, such as `3.11`.

    Raises:
        InputError: If the interpreter does not start or is too old, or if either
            program gets the wrong grade.
    """
    version = await _version(box, interpreter)
    for expected, answer in _ANSWERS.items():
        graded = await grade_code(
            box, CONTROL, answer, interpreter=interpreter, seconds=_SECONDS
        )
        if graded.status != expected:
            kind = "right" if expected == "pass" else "wrong"
            raise InputError(
                f"This sandbox cannot grade programs: a program that is known to be "
                f"{kind} got {graded.status!r} ({graded.note or 'no reason'}); "
                "`inspect-debate sandbox-check` shows what works in it."
            )
    return version


async def _version(box: SandboxEnvironment, interpreter: str) -> str:
    try:
        done = await box.exec([interpreter, "-I", "-c", _VERSION], timeout=_SECONDS)
    except (OSError, TimeoutError, UnicodeDecodeError) as error:
        why = f"{type(error).__name__}: {error}"
    else:
        numbers = done.stdout.split()
        if done.success and len(numbers) == 2 and all(n.isdigit() for n in numbers):
            if (int(numbers[0]), int(numbers[1])) >= _OLDEST:
                return ".".join(numbers)
            why = f"it is Python {'.'.join(numbers)}"
        else:
            why = done.stderr.strip()[-300:] or f"exit code {done.returncode}"
    raise InputError(
        f"interpreter={interpreter} is no Python 3.8 or later in this sandbox: {why}; "
        "give the path of one inside the sandbox."
    )
