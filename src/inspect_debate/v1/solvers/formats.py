"""The formats of generative debate, and the tasks whose solutions are judged."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from inspect_ai.solver import TaskState

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.question import Question, identity, text_asked
from inspect_debate.v1.debate.record import DebateRecord
from inspect_debate.v1.debate.seeds import fingerprint
from inspect_debate.v1.solvers.rulings import proposers

Interaction = Literal["debate", "consultancy", "none", "critique", "critic"]
"""Debaters hear each other, speak apart (consultancy), or do not speak at all.

The last two are not the study's: a critic alone speaks, once (critique), or nobody
speaks and the critic rules in the judge's place (critic).
"""

TASK = "task"
"""The name of a task's source."""


class Format(NamedTuple):
    """How many answers are put to the judge, and how it is spoken about them."""

    proposers: int
    interaction: Interaction

    @property
    def spoken(self) -> bool:
        """Whether there are speeches."""
        return is_spoken(self.interaction)


def is_spoken(interaction: str) -> bool:
    """Whether there are speeches in a way of speaking."""
    return interaction not in ("none", "critic")


FORMATS: dict[str, Format] = {
    "dual_debate": Format(2, "debate"),
    "single_debate": Format(1, "debate"),
    "dual_consultancy": Format(2, "consultancy"),
    "single_consultancy": Format(1, "consultancy"),
    "dual_no_transcript": Format(2, "none"),
    "single_no_transcript": Format(1, "none"),
    "direct_qa": Format(0, "none"),
    "single_critique": Format(1, "critique"),
    "critic_alone": Format(1, "critic"),
}
"""The seven formats of the study, and two of the conditions of "Debate helps weak
judges reward stronger models" (arXiv 2605.27483), as far as its abstract goes.
"""

FURTHER = ("single_critique", "critic_alone")
"""The formats that are not among the study's seven."""


@dataclass(frozen=True)
class SolvableTask(Question):
    """A task that is solved in free form; there are no choices.

    `kind` tells what a solution is (`grids`, `code`), and `parts` of how many it
    consists. Code has to define `entry_point`.
    """

    kind: str = ""
    parts: int = 1
    entry_point: str = ""

    @property
    def task(self) -> str:
        """The task, as text."""
        return self.sources[TASK]


def solvable_task(state: TaskState) -> SolvableTask:
    """What a sample asks to solve: its input is the task.

    Args:
        state: A sample with `answer_kind`, and perhaps `parts`, in its metadata.

    Raises:
        InputError: If it does not say what a solution is, or offers choices.
    """
    kind, parts = state.metadata.get("answer_kind"), state.metadata.get("parts", 1)
    if len(state.choices):
        raise InputError(
            f"Sample {state.sample_id!r} has choices; tasks that are solved have none."
        )
    counted = isinstance(parts, int) and not isinstance(parts, bool)
    if not isinstance(kind, str) or not counted or parts < 1:
        raise InputError(
            f"Sample {state.sample_id!r} cannot be solved here: its metadata need "
            f"answer_kind (a word; given: {kind!r}) and may have parts (a whole number "
            f"of at least 1; given: {parts!r})."
        )
    task = text_asked(state)
    return SolvableTask(
        **identity(state),
        fingerprint=fingerprint(task, str(parts)),
        choices=(),
        sources={TASK: task},
        kind=kind,
        parts=parts,
        entry_point=str(state.metadata.get("entry_point", "")),
    )


def answer_id(record: DebateRecord, participant: str) -> str:
    """The hash of a participant's answer as others see it, and of its task."""
    written = [
        turn.public
        for turn in record.of_kind("answer")
        if turn.participant == participant
    ]
    return fingerprint(record.question, *written)


def answer_set_id(record: DebateRecord) -> str:
    """The hash of the answers that were put to the judge.

    It is the same exactly where two runs judged the same answers to the same task in
    the same participants, however they came by them.
    """
    return fingerprint(
        *(answer_id(record, participant) for participant in proposers(record))
    )
