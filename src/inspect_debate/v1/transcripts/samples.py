"""A released debate as a sample of a log."""

import hashlib
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple

from inspect_ai.event import Event, InfoEvent, ModelEvent, SpanBeginEvent, SpanEndEvent
from inspect_ai.log import EvalSample
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.util import Store

from inspect_debate.v1.datasets.debates import Debated, Pair, sample_of
from inspect_debate.v1.datasets.motions import motion_of_text
from inspect_debate.v1.debate.calls import SPEECH_LENGTH
from inspect_debate.v1.debate.conversation import conversation, ending
from inspect_debate.v1.debate.outcome import outcome
from inspect_debate.v1.debate.prompts import PromptSet
from inspect_debate.v1.debate.record import (
    DebateRecord,
    Parsed,
    Participant,
    Turn,
    span_name,
    write_record,
)
from inspect_debate.v1.scorers.bet_grading import BetGrade, write_grades
from inspect_debate.v1.solvers.bet_records import (
    BET,
    RECORDED,
    SIDES,
    SOURCES,
    Side,
    bets_card,
    round_card,
    speech_name,
    speech_of,
)
from inspect_debate.v1.solvers.bets import Motion
from inspect_debate.v1.solvers.confidence import (
    VERDICT,
    BetParameters,
    juror_values,
    side_values,
    speech_with,
)
from inspect_debate.v1.transcripts.debates import (
    CONFIG,
    Bet,
    ConditionDebates,
    Debate,
    Tokens,
)


def logged_sample(
    debate: Debate,
    condition: ConditionDebates,
    prompts: PromptSet,
    began: datetime,
    grades: Sequence[BetGrade],
) -> EvalSample:
    """A released debate as a log's sample, not yet scored.

    Its metadata are those of a debate that is run here, with the `source_file` that it
    came from, when it `started` (its time zone is not known) and the calls and tokens
    by model (`released_tokens`).

    Args:
        debate: The debate.
        condition: All debates of its condition.
        prompts: The debate's prompts, as far as they are known.
        began: What to take for the time where the debate has none.
        grades: Those that were published of its bets.
    """
    metadata = metadata_of(debate, condition)
    motion = motion_of_text(debate.motion).text
    record = record_of(debate, condition, prompts, metadata["fingerprint"])
    rebuilt = Rebuilt(record, condition.parameters, prompts, motion)
    store = Store()
    write_record(store, record)
    write_grades(store, grades)
    decided = outcome(record)
    started = debate.started
    return EvalSample(
        id=debate.id,
        epoch=1,
        input=motion,
        target="",
        metadata=metadata
        | {
            "source_file": debate.file,
            "started": started.strftime("%Y-%m-%d %H:%M:%S") if started else None,
            "released_tokens": {
                who: {model: tokens.model_dump() for model, tokens in models.items()}
                for who, models in debate.tokens.items()
            },
        },
        messages=[
            ChatMessageUser(content=f"### The motion\n\n{motion}"),
            *conversation(record, speech_of),
            ending(bets_card(record)),
        ],
        output=ModelOutput.from_content(
            model=record.protocol, content=decided.answer or f"({decided.status})"
        ),
        store=dict(store.items()),
        events=events_of(rebuilt, f"{condition.name}/{debate.id}", started or began),
        model_usage=model_usage(debate),
        role_usage=role_usage(debate),
        started_at=(started or began).isoformat(),
        turn_count=len(record.turns),
    )


def metadata_of(debate: Debate, condition: ConditionDebates) -> dict[str, Any]:
    """The metadata of a released debate that our own runs have as well.

    Args:
        debate: The debate.
        condition: All debates of its condition.
    """
    motion, models = motion_of_text(debate.motion), Pair(*debate.models.values())
    planned = sample_of(Debated(motion, models, condition.repetition(debate)))
    return dict(planned.metadata or {})


# What happened in a released debate, as the events that a run here leaves.


def events_of(rebuilt: "Rebuilt", name: str, began: datetime) -> list[Event]:
    """The events of an imported debate: a span for every turn, and cards.

    Args:
        rebuilt: The debate, and what its prompts are rebuilt with.
        name: Identifies the debate; decides the events' ids.
        began: The time that all events bear, since the release has no other.
    """
    return list(_Events(rebuilt, name, began).all())


class _Span(NamedTuple):
    begin: SpanBeginEvent
    end: SpanEndEvent


@dataclass
class _Events:
    rebuilt: "Rebuilt"
    name: str
    began: datetime
    made: int = 0
    asked: dict[str, list[ChatMessage]] = field(default_factory=dict)

    @property
    def record(self) -> DebateRecord:
        return self.rebuilt.record

    def all(self) -> Iterator[Event]:
        outer, solver = self._id(), self._id()
        with_all = self._span("solvers", "solvers", outer, None)
        around = self._span("inspect_debate/confidence", "solver", solver, outer)
        yield from (with_all.begin, around.begin)
        yield self._info(NOTE, "import", solver)
        for turn in self.record.turns:
            yield from self._turn(turn, solver)
            if self._ends_round(turn):
                yield self._round(turn.round, solver)
        yield self._info(bets_card(self.record), "outcome", solver)
        yield from (around.end, with_all.end)

    def _turn(self, turn: Turn, solver: str) -> Iterator[Event]:
        name = span_name(
            turn.kind,
            turn.participant,
            turn.round,
            turn.draw,
            order=turn.order,
            shown_first=turn.shown_first,
        )
        inside = self._id()
        around = self._span(name, turn.kind, inside, solver)
        yield around.begin
        yield ModelEvent(
            **self._common(inside),
            metadata=MARK,
            model=turn.model,
            role=turn.role,
            input=self._prompt(turn),
            tools=[],
            tool_choice="none",
            config=GenerateConfig(),
            output=_output(turn),
        )
        yield around.end

    def _prompt(self, turn: Turn) -> list[ChatMessage]:
        """A turn's prompt; that of all verdicts in one order is one."""
        made = self.asked.get(turn.order or "")
        if made is None:
            made = self.rebuilt.prompt_of(turn)
        if turn.order is not None:
            self.asked[turn.order] = made
        return made

    def _ends_round(self, turn: Turn) -> bool:
        spoken = [t for t in self.record.of_kind("speech") if t.round == turn.round]
        return turn.kind == "speech" and turn is spoken[-1]

    def _round(self, round: int, solver: str) -> InfoEvent:
        rounds = self.rebuilt.parameters.rounds
        card = round_card(self.record.turns, self.rebuilt.sides, round, rounds)
        return self._info(card, speech_name(round, rounds), solver)

    def _info(self, text: str, source: str, span: str) -> InfoEvent:
        return InfoEvent(**self._common(span), source=source, data=text)

    def _span(self, name: str, type: str, id: str, parent: str | None) -> _Span:
        begin = SpanBeginEvent(
            **self._common(id), id=id, name=name, type=type, parent_id=parent
        )
        return _Span(begin, SpanEndEvent(**self._common(id), id=id))

    def _common(self, span: str) -> dict[str, Any]:
        return {
            "uuid": self._id(),
            "span_id": span,
            "timestamp": self.began,
            "working_start": 0.0,
        }

    def _id(self) -> str:
        """The next id; the same import has the same ids."""
        self.made += 1
        return hashlib.sha256(f"{self.name}/{self.made}".encode()).hexdigest()[:22]


def _output(turn: Turn) -> ModelOutput:
    message = ChatMessageAssistant(
        content=_completion(turn), model=turn.model, source="generate", metadata=MARK
    )
    choice = ChatCompletionChoice(message=message, stop_reason="unknown")
    return ModelOutput(model=turn.model, choices=[choice])


def _completion(turn: Turn) -> str:
    """What the release has of a completion."""
    if turn.kind == "verdict":
        return turn.public
    parts = [turn.public, f"<bet_logic_private>{turn.private}</bet_logic_private>"]
    if (amount := turn.field(BET).value) is not None:
        parts.append(f"<bet_amount>{amount:g}</bet_amount>")
    return "\n\n".join(parts)


# The prompts of a released debate, written again by the rules of the solver.
#
# The release has no prompts but the structures of speeches and the jury's criteria; the
# rest is the suite's own wording of what the released code says.

NOTE = (
    "This debate was imported. Its prompts are **rebuilt**: the structures of the "
    "speeches and the jury's criteria are the released ones where the transcript has "
    "them, the rest is worded by this suite after the released code, and text on bets "
    "that was left in speeches is taken out. Outputs are the released speeches, with "
    "the bet and its reasoning in tags again; complete answers, settings, and tokens "
    "and times of single calls were not released."
)
MARK = {"rebuilt": True}
"""The metadata of what replaces something that was not released."""


@dataclass(frozen=True)
class Rebuilt:
    """An imported debate, and what its prompts are rebuilt with."""

    record: DebateRecord
    parameters: BetParameters
    prompts: PromptSet
    motion: str

    @property
    def sides(self) -> dict[str, str]:
        """The sides that participants speak for."""
        named = self.record.participants
        return {p.id: p.defends for p in named if p.defends is not None}

    def prompt_of(self, turn: Turn) -> list[ChatMessage]:
        """The prompt of a turn, marked as rebuilt."""
        turns, p = self.record.turns, self.parameters
        motion = Motion("", 1, "", SIDES, {SOURCES[0]: self.motion})
        if turn.kind == "verdict":
            order, keys = turn.order or "ab", (VERDICT.system, VERDICT.prompt)
            values = juror_values(order, self.sides, turns, motion, p, CONFIG)
        else:
            kind = speech_with(())
            keys = (kind.system, kind.prompt)
            known = self._known(turn)
            values = side_values(
                turn.participant, self.sides, turn.round, known, motion, p, CONFIG
            )
        system, user = (
            self.prompts.render(str(key), **values, round=turn.round) for key in keys
        )
        return [
            ChatMessageSystem(content=system, metadata=MARK),
            ChatMessageUser(content=user, metadata=MARK),
        ]

    def _known(self, turn: Turn) -> list[Turn]:
        """The speeches that a side had read before a speech."""
        turns, together = self.record.turns, self.parameters.turn_order
        return [
            _as_shown(earlier)
            for earlier in turns[: turns.index(turn)]
            if earlier.kind == "speech"
            and not (together == "simultaneous" and earlier.round == turn.round)
        ]


def _as_shown(turn: Turn) -> Turn:
    """A turn with the bet that debaters were shown: what was recorded for it."""
    recorded = turn.fields.get(RECORDED, turn.field(BET))
    return turn.model_copy(update={"fields": {**turn.fields, BET: recorded}})


# A released debate as the record that a debate run here leaves.

SPEAKERS: dict[Side, Literal["debater_a", "debater_b"]] = {
    "proposition": "debater_a",
    "opposition": "debater_b",
}
"""Who speaks for a side."""


# The release does not say how a single call ended, nor what it took.
_NOT_RELEASED: dict[str, Any] = {
    "stop_reason": "unknown",
    "usage": ModelUsage(),
    "seconds": math.nan,
    "calls": 1,
}


def record_of(
    debate: Debate, condition: ConditionDebates, prompts: PromptSet, question: str
) -> DebateRecord:
    """The record of a released debate.

    What the release does not have stays empty: settings, tokens and seconds of single
    calls. A bet that was recorded as 0 without having been made is missing, and what
    the file has in its place is its `recorded_bet`.

    Args:
        debate: The debate.
        condition: All debates of its condition.
        prompts: The debate's prompts, as far as they are known.
        question: The fingerprint of its motion.
    """
    return DebateRecord(
        study="confidence",
        protocol=condition.name,
        parameters=condition.parameters.model_dump() | CONFIG.model_dump(mode="json"),
        prompts=prompts.used(),
        question=question,
        choices=SIDES,
        epoch=1,
        seed=0,
        participants=(*_debaters(debate), *_jurors(condition)),
        turns=(*_speeches(debate), *_verdicts(debate, condition)),
        debated=True,
        aggregation="confidence",
        complete=True,
        warnings=tuple(_warnings(debate)),
    )


def missing_bets(debate: Debate) -> list[tuple[Side, int]]:
    """The zeros of a debate that are missing bets."""
    return [key for key, bet in debate.bets.items() if _is_missing(bet)]


def _is_missing(bet: Bet) -> bool:
    return bet.amount == 0 and not zero_was_bet(bet.thoughts)


def _debaters(debate: Debate) -> Iterator[Participant]:
    for side in SIDES:
        yield Participant(
            id=SPEAKERS[side],
            role=SPEAKERS[side],
            name=side.capitalize(),
            model=debate.models[side],
            defends=side,
        )


def _jurors(condition: ConditionDebates) -> Iterator[Participant]:
    for model, id in condition.jurors.items():
        name = id.replace("_", " ").capitalize()
        yield Participant(id=id, role="judge", name=name, model=model)


def _speeches(debate: Debate) -> Iterator[Turn]:
    for (side, round), bet in debate.bets.items():
        yield Turn(
            participant=SPEAKERS[side],
            role=SPEAKERS[side],
            kind="speech",
            round=round,
            model=debate.models[side],
            served=debate.models[side],
            public=debate.speeches[side, round],
            private=bet.thoughts,
            fields=_speech_field(debate.speeches[side, round]) | _bet(bet),
            **_NOT_RELEASED,
        )


def _speech_field(speech: str) -> dict[str, Parsed]:
    return {
        SPEECH_LENGTH: Parsed.ok(float(len(speech))) if speech.strip() else Parsed()
    }


def _bet(bet: Bet) -> dict[str, Parsed]:
    amount = Parsed.ok(float(bet.amount))
    return {BET: Parsed(), RECORDED: amount} if _is_missing(bet) else {BET: amount}


def _verdicts(debate: Debate, condition: ConditionDebates) -> Iterator[Turn]:
    given: Counter[str] = Counter()
    for verdict in debate.verdicts:
        given[verdict.model] += 1
        yield Turn(
            participant=condition.jurors[verdict.model],
            role="judge",
            kind="verdict",
            round=0,
            model=verdict.model,
            served=verdict.model,
            public=verdict.logic,
            fields={
                "answer": Parsed.ok(verdict.winner),
                "confidence": Parsed.ok(float(verdict.confidence)),
            },
            order="ab",
            shown_first=SPEAKERS["proposition"],
            draw=given[verdict.model] if condition.passes > 1 else 0,
            **_NOT_RELEASED,
        )


def _warnings(debate: Debate) -> Iterator[str]:
    for side, round in missing_bets(debate):
        name = speech_name(round, debate.rounds)
        yield f"The bet of the {side}'s {name} is missing: the release has 0 for it."
    debaters = {model.removesuffix(":free") for model in debate.models.values()}
    for model in dict.fromkeys(verdict.model for verdict in debate.verdicts):
        if model.removesuffix(":free") in debaters:
            yield f"The juror {model} is also a debater."


# What released debates cost, as far as it was released: by model, not by call.

Usage = dict[str, ModelUsage]


def model_usage(debate: Debate) -> Usage:
    """Tokens by model, those of debaters and of jurors together; failed calls too."""
    return summed(
        {model: _usage(tokens)}
        for models in debate.tokens.values()
        for model, tokens in models.items()
    )


def role_usage(debate: Debate) -> Usage:
    """Tokens by role.

    In a self-debate the cost of each side is unknown: debaters have none.
    """
    judging = debate.tokens.get("jury", {})
    spent = debate.tokens.get("debaters", {})
    jury = summed({"judge": _usage(tokens)} for tokens in judging.values())
    proposition, opposition = debate.models.values()
    if proposition == opposition or not {proposition, opposition} <= spent.keys():
        return jury
    return {
        "debater_a": _usage(spent[proposition]),
        "debater_b": _usage(spent[opposition]),
        **jury,
    }


def summed(usages: Iterable[Usage]) -> Usage:
    """Tokens of several debates, by model or role."""
    total: Usage = {}
    for usage in usages:
        for name, tokens in usage.items():
            total[name] = total.get(name, ModelUsage()) + tokens
    return total


def failed_calls(debate: Debate) -> int:
    """Calls that failed and were made again, as far as they were counted."""
    return sum(
        tokens.failed_calls
        for models in debate.tokens.values()
        for tokens in models.values()
    )


def _usage(tokens: Tokens) -> ModelUsage:
    return ModelUsage(
        input_tokens=tokens.successful_prompt_tokens + tokens.failed_prompt_tokens,
        output_tokens=(
            tokens.successful_completion_tokens + tokens.failed_completion_tokens
        ),
        total_tokens=tokens.successful_total_tokens + tokens.failed_total_tokens,
    )


# Which of the released zeros were bet, and which replace a bet that was not made.
#
# Where no bet could be read, a person typed one at the console, mostly 0, and `NA` for
# its reasoning; the files have no other sign of it. But a debater may also bet nothing.

_PLACEHOLDERS = {"", "na", "n/a", "nan", "none", "null"}

_BET = r"(?:bet(?:s|ting)?|wager(?:s|ed|ing)?|stak(?:es?|ed|ing))"
_NOTHING = r"(?:zero|nothing|none|no tokens|0)"
# A number of percent is a probability, and not what was bet.
_AMOUNT = rf"(?P<amount>{_NOTHING}|\d{{1,3}})(?![\d%]|[.,]\d|\s*percent)"
_WORDS = r"(?:\s+(?!no\b)[\w'-]+){0,4}?"  # up to four, and not across punctuation

_RANGE = re.compile(r"\b(?:between\s+)?0\s*(?:-|–|to|and)\s*100\b")
_NAMED = re.compile(
    # bet 55; betting any amount other than zero
    rf"\b{_BET}\b{_WORDS}(?:\s*[:=])?\s+{_AMOUNT}"
    # zero is the rational bet; a 0 bet
    rf"|\b(?P<before>{_NOTHING})\b(?:\s+[\w'-]+){{0,4}}?\s+{_BET}\b"
    # I would rather not bet; no bet at all; without betting anything
    r"|(?:\b(?:no|not(?:\s+to)?|never|without|against)|n't|\b(?:refrain|abstain) from)"
    rf"\s+{_BET}"
    r"(?:\s+(?:anything|at all|any\s+\w+))?(?P<refused>)\s*(?=[.,;:!?)]|$)"
)
_DENIED = re.compile(r"(?:\bnot|n't|\bnever|\brather than|\binstead of)\s+$")


def is_placeholder(reasoning: str) -> bool:
    """Whether a reasoning says nothing: `NA` and the like, or no text at all."""
    return reasoning.strip().casefold() in _PLACEHOLDERS


def zero_was_bet(reasoning: str) -> bool:
    """Whether a recorded 0 is a bet of nothing, and not one that is missing.

    It is where the last amount that the reasoning speaks of betting is nothing. A
    placeholder, a reasoning that breaks off before an amount, and one that ends with
    another amount belong to bets that were not read; so do those that leave it open.

    Args:
        reasoning: What the debater thought before the bet, as released.
    """
    if is_placeholder(reasoning):
        return False
    named = list(_amounts(reasoning))
    return bool(named) and named[-1] == 0


def _amounts(reasoning: str) -> Iterator[int]:
    """The amounts that a text speaks of betting, in order."""
    text = re.sub(r"[*_`\"“”<>]", " ", reasoning.casefold().replace("’", "'"))
    text = _RANGE.sub("some amount", text)
    for match in _NAMED.finditer(text):
        if _DENIED.search(text[: match.start()]):
            continue
        amount = match["amount"] or "0"
        yield int(amount) if amount.isdigit() else 0
