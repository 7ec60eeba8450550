"""What kinds of solutions there are: how they are read, shown and graded."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from inspect_ai.solver import TaskState
from inspect_ai.util import SandboxEnvironment, registry_info, sandbox

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.parsing import repaired
from inspect_debate.v1.debate.record import Grade, Parsed
from inspect_debate.v1.grading.code import code_problem, read_code
from inspect_debate.v1.grading.grade import WAYS, Way, grade_code
from inspect_debate.v1.grading.grids import parse_grids_text, parts_right, read_grids
from inspect_debate.v1.grading.probes import Probes
from inspect_debate.v1.grading.stored import stored
from inspect_debate.v1.solvers.formats import SolvableTask

# Answers that are programs, graded by unit tests in a sandbox (BigCodeBench).

_LOCAL, _BUBBLEWRAP = "local", "bubblewrap"
WAY = "grading_way"
"""Where a sample's metadata hold in which way its task is graded, if that is known."""
INTERPRETER = "python3"
"""What is run in the sandbox; the sandbox decides which interpreter that is."""


@dataclass(frozen=True)
class GradingTerms:
    """On what terms answers are graded that are code.

    Attributes:
        seconds: Until code is stopped.
        unsafe_local: Whether it may run on this machine as the user.
        cached_in: The folder of grades that are found again; None if there is none.
        at_once: How many gradings run at once; one for each processor if None.
        sandbox: The kind of sandbox that it has to be; any if None.
        interpreter: The Python inside the sandbox, a path or a name.
        probes: What was found out about the sandbox in this run.
    """

    seconds: int
    unsafe_local: bool = False
    cached_in: Path | None = None
    at_once: int | None = None
    sandbox: str | None = None
    interpreter: str = INTERPRETER
    probes: Probes = field(default_factory=Probes)


def read_program(text: str, task: SolvableTask) -> Parsed:
    """The program in a completion."""
    return read_code(text, task.entry_point)


async def grade_program(
    state: TaskState, terms: GradingTerms, participant: str, answer: str
) -> Grade:
    """Run the task's unit tests on a program, in the sandbox of the sample."""
    problem = code_problem(str(state.sample_id), state.metadata)
    given = state.metadata.get(WAY)
    way: Way | None = given if given in WAYS else None
    grade = partial(
        grade_code,
        sandbox(),
        problem,
        answer,
        interpreter=terms.interpreter,
        seconds=terms.seconds,
        at_once=terms.at_once,
        way=way,
    )
    graded, found = await stored(
        terms.cached_in, problem, answer, terms.seconds, grade, way
    )
    return Grade(
        participant=participant,
        status=graded.status,
        parts=graded.tests,
        parts_right=graded.passed,
        seconds=graded.seconds,
        note=repaired(graded.note),  # it may quote what the answer says
        reused=found,
        way=graded.way,
    )


async def check_program(state: TaskState, terms: GradingTerms) -> None:
    """Check that a sample has tests, and a sandbox that grades as it should.

    Raises:
        InputError: If it has none, or if the sandbox is `local` without
            `unsafe_local`, or gives wrong grades to programs that are known.
    """
    code_problem(str(state.sample_id), state.metadata)
    box = _sandbox(state)
    kind = _kind_of(box)
    if terms.sandbox not in (None, kind):
        raise InputError(
            f"Sample {state.sample_id!r} has the sandbox {kind!r}, and the log tells "
            f"of {terms.sandbox!r}; give -T sandbox={kind} in place of --sandbox."
        )
    if kind == _LOCAL and not terms.unsafe_local:
        raise InputError(
            f"Sample {state.sample_id!r} has the sandbox 'local', in which its code "
            "would run as you, on this machine; give sandbox=bubblewrap or "
            "sandbox=docker, or, for code that you trust, unsafe_local=true."
        )
    if kind not in (_LOCAL, _BUBBLEWRAP):  # which are checked as they are chosen
        await terms.probes.check(box, terms.interpreter)


def _sandbox(state: TaskState) -> SandboxEnvironment:
    try:
        return sandbox()
    except ProcessLookupError as error:
        raise InputError(
            f"Sample {state.sample_id!r} is graded by running code, and has no "
            "sandbox; give --sandbox bubblewrap or --sandbox docker."
        ) from error


def _kind_of(box: SandboxEnvironment) -> str:
    """The name of a sandbox's kind, such as `docker`; empty if it has none."""
    found, kinds = "", SandboxEnvironment.__subclasses__()
    for kind in kinds:
        try:
            box.as_type(kind)
            found = registry_info(kind).name.rpartition("/")[2]
        except (TypeError, ValueError):  # of another kind, or of one without a name
            continue
        kinds += kind.__subclasses__()  # which come later, and so win
    return found


# Answers that are grids (ARC-AGI).


def labelled(answer: str) -> str:
    """Grids under their numbers, where there are several."""
    grids = answer.split("\n\n")
    if len(grids) == 1:
        return answer
    return "\n\n".join(f"Output {n}:\n{grid}" for n, grid in enumerate(grids, start=1))


async def grade_grids(state: TaskState, participant: str, answer: str) -> Grade:
    """All grids have to be exactly right, in size and in every cell."""
    target = _target(state)
    parts, right = len(parse_grids_text(target)), parts_right(answer, target)
    return Grade(
        participant=participant,
        status="pass" if right == parts else "fail",
        parts=parts,
        parts_right=right,
    )


async def check_grids(state: TaskState, task: SolvableTask) -> None:
    """Check that a sample's target is as many grids as its metadata say.

    Raises:
        InputError: If it is not.
    """
    try:
        parts = len(parse_grids_text(_target(state)))
    except ValueError as error:
        raise InputError(
            f"The target of sample {task.id!r} is no text of grids: {error}"
        ) from error
    if parts != task.parts:
        raise InputError(
            f"The target of sample {task.id!r} has {parts} grids, and its metadata "
            f"say parts={task.parts}."
        )


def _target(state: TaskState) -> str:
    return state.target.text.replace("\r\n", "\n").strip()


Grader = Callable[[TaskState, GradingTerms, str, str], Awaitable[Grade]]
"""Finds out, for a sample and on its terms, if a participant's answer is right."""


@dataclass(frozen=True)
class AnswerKind:
    """A kind of solution.

    Attributes:
        read: The answer in a completion, in the form in which it is compared.
        shown: An answer that was read, as prompts show it.
        grade: Whether an answer that was read is right.
        check: Raises an InputError if a sample cannot be graded, before any model is
            asked.
    """

    read: Callable[[str, SolvableTask], Parsed]
    shown: Callable[[str], str]
    grade: Grader
    check: Callable[[TaskState, SolvableTask, GradingTerms], Awaitable[None]]


KINDS: Mapping[str, AnswerKind] = {
    "grids": AnswerKind(
        read=lambda text, task: read_grids(text, task.parts),
        shown=labelled,
        grade=lambda state, _, participant, answer: grade_grids(
            state, participant, answer
        ),
        check=lambda state, task, _: check_grids(state, task),
    ),
    "code": AnswerKind(
        read=read_program,
        shown=lambda answer: answer,
        grade=grade_program,
        check=lambda state, _, terms: check_program(state, terms),
    ),
}
"""Solutions by the `answer_kind` of a sample's metadata."""


def kind_of(task: SolvableTask) -> AnswerKind:
    """The kind of solution that a task asks for.

    Raises:
        InputError: If there is no such kind.
    """
    if task.kind not in KINDS:
        raise InputError(
            f"Sample {task.id!r} has answer_kind={task.kind!r} in its metadata; "
            f"allowed: {', '.join(KINDS)}."
        )
    return KINDS[task.kind]
