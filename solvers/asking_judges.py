"""Judges who ask questions between rounds, and judges who end the debate.

Kenton et al. (arXiv 2407.04622), Michael et al. (2311.08702) and Khan et al.
(2402.06782) call debates and consultancies with such a judge interactive.
"""

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from pydantic import model_validator

from inspect_debate.debate.calls import Reading
from inspect_debate.debate.engine import Parameters, TurnKind, parameter
from inspect_debate.debate.parsing import choice_line, split_argument
from inspect_debate.debate.participants import Debater, ModelParticipant, orders
from inspect_debate.debate.question import Question
from inspect_debate.debate.record import Parsed, Status, Turn
from inspect_debate.debate.recording import Debate
from inspect_debate.solvers.question_answering import (
    VERDICT,
    DebateConfig,
    checked,
    either,
    give_verdict,
    in_place_of_instructions,
    speech,
)

BOTH, NOBODY = "both", "nobody"


Ends = Literal["rounds", "judge"]

# Declared as the last parameters of each protocol that has them. At their defaults they
# are in no record, as in records of before.
JUDGE_QUESTIONS: Any = parameter(
    0,
    "After each round but the last the judge may put a question to one or both sides, "
    "who answer it in the next round; at most so many in a debate. Of several "
    "judges the first asks.",
    shapes="debate",
    ge=0,
    strict=True,
    exclude_if=lambda value: value == 0,
)
ENDS: Any = parameter(
    "rounds",
    "`rounds`: the debate has so many rounds; `judge`: at most so many, and after each "
    "but the last the judge (of several the first) says whether it is ready to decide.",
    shapes="debate",
    exclude_if=lambda value: value == "rounds",
)


class Asking(Parameters):
    """Parameters of debates in which a judge may ask, or end the debate."""

    if TYPE_CHECKING:
        judge_questions: int
        ends: Ends

    @property
    def judge_takes_part(self) -> bool:
        """Whether a judge is asked between rounds."""
        return self.judge_questions > 0 or self.ends == "judge"

    @property
    def extra_prompts(self) -> tuple[str, ...]:
        """The prompts of judges who ask, where they are asked to."""
        return ("interactive",) if self.judge_takes_part else ()

    @model_validator(mode="after")
    def _between_rounds(self) -> "Asking":
        if self.judge_takes_part and self.round_count < 2:
            given = "ends=judge" if self.ends == "judge" else "judge_questions"
            raise ValueError(
                f"{given} needs rounds=2 or more: the judge is asked between rounds."
            )
        return self


READY = replace(
    VERDICT,
    kind="ready",
    form="ready",
    required="ready",
    reminder="ready_reminder",
    instead=in_place_of_instructions("ready"),
    asked_for_as="verdict",
    stage="debate",
)
"""Whether a judge is ready to decide. It reads what it would read for its verdict."""

QUESTION = replace(
    READY,
    kind="judge_question",
    form="judge_question",
    required="to",
    reminder="judge_question_reminder",
    instead=in_place_of_instructions("judge_question"),
)
QUESTION_OR_READY = replace(
    QUESTION, form="judge_question_ready", required=("ready", "to")
)
"""A question, and whether the judge is ready: one who is asks nothing more."""


def interactive(turn: TurnKind) -> tuple[TurnKind, ...]:
    """The kinds of turn of a judge who takes part, and of speeches that answer it."""
    return (QUESTION_OR_READY, READY, _answering(turn))


def _answering(turn: TurnKind) -> TurnKind:
    return replace(turn, also=(*turn.also, "answer_to_judge"))


AnyDebate = Debate[Any, Question]


async def judge_ends(
    debate: AnyDebate,
    panel: Sequence[ModelParticipant],
    debaters: Sequence[Debater],
    round: int,
) -> bool:
    """Let a judge ask after a round, and end the debate, where the parameters want it.

    Of several judges it is the first, and the others judge the debate that it had: so
    neither the number of questions nor that of rounds depends on how many judges there
    are. What cannot be read is no question, and does not end the debate.

    Args:
        debate: The debate; its parameters are `Asking`.
        panel: The judges.
        debaters: Who debates: two, or a consultant.
        round: The round that ended.

    Returns:
        Whether the judge is ready to decide.
    """
    p, judge = debate.parameters, panel[0]
    if round >= p.rounds:
        return False
    may_end = p.ends == "judge"
    if sum(map(is_question, debate.turns)) < p.judge_questions:
        kind = QUESTION_OR_READY if may_end else QUESTION
    elif may_end:
        kind = READY
    else:
        return False
    debate.takes_part(judge, kind)
    named = sorted(debaters, key=lambda one: one.name)
    names: dict[str, Sequence[str]] = {one.id: (one.name.lower(),) for one in named}
    recipients = [one.name for one in named]
    if len(named) > 1:
        a, b = (one.name.lower() for one in named)
        names[BOTH] = (BOTH, f"{a} and {b}", f"{b} and {a}")
        recipients.append(BOTH)
    names[NOBODY] = (NOBODY, "no one", "none")
    quoted = [quote.text for turn in debate.turns for quote in turn.quotes]
    asked = give_verdict(
        debate,
        judge,
        orders(p.order, debate.question.epoch)[0],
        debaters,
        kind=kind,
        round=round,
        read=read_ready
        if kind is READY
        else partial(
            read_question, debate.question, debate.config, names, may_end, quoted
        ),
        rounds=p.rounds,
        may_end=may_end,
        recipients=either([*recipients, NOBODY]),
        word_limit=debate.config.word_limit,
    )
    (turn,) = await debate.together(_spoken_if_asked(asked))
    return turn.field("ready").value == "yes"


async def _spoken_if_asked(asked: Awaitable[Turn]) -> Turn:
    """A judge's turn; only a question in it is part of the debate."""
    turn = await asked
    return turn.model_copy(update={"spoken": True}) if is_question(turn) else turn


def is_question(turn: Turn) -> bool:
    """Whether a turn is a judge's question to a debater."""
    asked = turn.field("to")
    return asked.status == Status.OK and asked.value != NOBODY


def answering_speech(
    debate: AnyDebate,
    turn: TurnKind,
    participant: ModelParticipant,
    opponent: ModelParticipant | None,
    round: int,
) -> Awaitable[Turn]:
    """A speech, see `speech`, which answers what a judge asked after the last round."""
    asked = [t.field("to").value for t in debate.turns if t.round == round - 1]
    if {participant.id, BOTH} & {*asked}:
        turn = _answering(turn)
    return speech(debate, turn, participant, opponent, round)


# --- How replies are read -------------------------------------------------------------

_READY = {"yes": ("yes",), "no": ("no",)}


def read_ready(text: str) -> Reading:
    """Whether a judge is ready: its line `Ready: yes`."""
    return Reading(text, {"ready": choice_line(text, "Ready", _READY)})


def read_question(
    question: Question,
    config: DebateConfig,
    names: Mapping[str, Sequence[str]],
    may_end: bool,
    earlier: Sequence[str],
    text: str,
) -> Reading:
    """A judge's question, whom it is `to`, and whether the judge is `ready`.

    A judge that is ready asks nobody, and one that asks somebody has to ask something.

    Args:
        question: What is debated.
        config: The rarer settings.
        names: What those are called who can be asked, by their ids, and `nobody`.
        may_end: Whether the judge was asked if it is ready.
        earlier: Quotes used in the debate so far.
        text: The reply.
    """
    thinking, reply, status = split_argument(text)
    complete = status == Status.OK
    to = choice_line(reply, "To", names) if complete else Parsed.unparsed()
    fields = {"to": to}
    if may_end:
        ready = choice_line(reply, "Ready", _READY) if complete else to
        fields["ready"] = ready
        if ready.value == "yes":
            fields["to"] = to = Parsed.ok(NOBODY)
    asked = _without_lines(reply)
    if to.value in (None, NOBODY) or not asked:
        if to.value != NOBODY:
            fields["to"] = Parsed.unparsed()
        found = checked(question, config, reply, earlier)
        return Reading(found.text, fields, thinking)
    whom = names[str(to.value)][0].capitalize()
    found = checked(question, config, asked, earlier)
    return Reading(f"To: {whom}\n\n{found.text}", fields, thinking, found.quotes)


def _without_lines(reply: str) -> str:
    """A reply without the lines at its ends that say to whom the question is."""
    lines, left = reply.splitlines(), {"to", "ready"}
    for end in (-1, 0):
        while lines:
            word = lines[end].partition(":")[0].strip(" *_-#").lower()
            if lines[end].strip() and word not in left:
                break
            lines.pop(end)
            left.discard(word)
    return "\n".join(lines)
