"""The transcript format: one debate per line of a JSON Lines file.

What a person writes by hand is short; what `export` writes has all that a record has.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from string import ascii_uppercase
from typing import Annotated, Any, Literal, cast

from inspect_ai.log import EvalSample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    ModelUsage,
)
from pydantic import BaseModel, ConfigDict, Field

from inspect_debate.debate.outcome import outcome
from inspect_debate.debate.participants import PERSON
from inspect_debate.debate.question import Question, choice_fingerprint
from inspect_debate.debate.record import (
    KINDS,
    PROBABILITY_OF,
    Aggregation,
    AnswerTokens,
    DebateRecord,
    Donor,
    Grade,
    Order,
    Parsed,
    Participant,
    PromptsUsed,
    Quote,
    Role,
    Status,
    TokenProbabilities,
    Turn,
    capitalised,
    person,
)
from inspect_debate.debate.rendering import as_shown
from inspect_debate.debate.seeds import fingerprint
from inspect_debate.solvers.asking_judges import BOTH, NOBODY
from inspect_debate.solvers.question_answering import DebateConfig, checked

TaskName = Literal[
    "debate", "colmad", "confidence", "srdcr", "generative", "judge_check"
]

SUMS_TO = 1e-6
"""How far a judge's probabilities may be from a sum of 1."""

Probability = Annotated[float, Field(ge=0, le=1)]


class Line(BaseModel):
    """Base of the parts of a line: an unknown field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Message(Line):
    """A message of a chat."""

    role: Literal["system", "user", "assistant"]
    text: str


class Speaker(Line):
    """Somebody who takes part in the debate."""

    id: str = Field(
        pattern=r"^(debater_a|debater_b|judge|reward|grader)(_\d+)?$",
        description="`debater_a`, `debater_b`, `judge`, or of several judges "
        "`judge_1`, `judge_2` and so on.",
    )
    name: str = Field(
        default="",
        max_length=80,
        pattern=r"^[^<>\"&\r\n]*$",
        description="What others call them in the debate; by default `Debater A`.",
    )
    kind: Literal["model", "person"] = Field(
        default="model", description="`model` or `person`."
    )
    who: str = Field(
        default="unknown", description="The model's name, or the person's pseudonym."
    )
    defends: str | None = Field(
        default=None,
        description="The answer that a debater argues for: an option's letter.",
    )
    settings: dict[str, dict[str, Any]] = Field(
        default_factory=dict, description="A model's settings, by kind of turn."
    )


class Unread(Line):
    """In place of a value that is not known."""

    status: Status = Field(description="Why there is no value, such as `unparsed`.")


class Said(Line):
    """A turn: a speech, a question of the judge, a belief, a verdict."""

    by: str = Field(description="The id of the participant.")
    kind: str = Field(
        default="speech",
        description="`speech`, `judge_question`, `belief` (what a judge believes at "
        "some time), `verdict`, or another kind of turn of this suite.",
    )
    round: int = Field(
        default=0,
        ge=0,
        description="The round of a speech, from 1 (0 is an opening); of a judge's "
        "turn the round after which it is. A verdict at the end has 0.",
    )
    text: str = Field(
        default="",
        description="What was said. In a speech, quotes are in `<quote>` tags, and are "
        "looked up in the passage.",
    )
    answer: str | None = Field(
        default=None, description="The answer that it gives: an option's letter."
    )
    probabilities: dict[str, Probability] | None = Field(
        default=None,
        description="What a judge believes: the probability of each answer.",
    )
    to: str | None = Field(
        default=None,
        description="Whom a judge asks: a debater's id, or `both`; null for a remark.",
    )
    who: str | None = Field(
        default=None, description="Who really spoke, where it was not the participant."
    )
    usage: ModelUsage | None = Field(
        default=None, description="Tokens, where they are known."
    )
    seconds: float | None = Field(
        default=None, ge=0, description="Time taken, where it is known."
    )
    private: str = Field(default="", description="Notes that nobody else read.")
    reasoning: str = Field(default="", description="What a reasoning model thought.")
    fields: dict[str, float | str | Unread] | None = Field(
        default=None,
        description="Other values that were read from the turn, such as a bet. Of a "
        "speech by default its number of words.",
    )
    quotes: tuple[Quote, ...] | None = Field(
        default=None,
        description="The quotes in a text that has been checked; by default it is "
        "checked here.",
    )
    starts: tuple[int, ...] | None = Field(
        default=None,
        description="Where each quote begins in the passage, if that is known; by "
        "default where its words are first found.",
    )
    order: Order | None = Field(default=None, description="The order shown to a judge.")
    listed_first: str | None = Field(
        default=None, description="The answer it saw first."
    )
    shown_first: str | None = Field(
        default=None, description="The debater it saw first."
    )
    draw: int = Field(default=0, ge=0, description="Which of several draws, from 1.")
    about: str | None = Field(
        default=None,
        description="Whom or what the turn is about; `question_alone` of a belief "
        "before the debate.",
    )
    favours: str | None = Field(
        default=None, description="The answer that a check helps."
    )
    spoken: bool | None = Field(
        default=None,
        description="Whether a turn of another kind is part of the debate.",
    )
    tokens: AnswerTokens | None = Field(
        default=None, description="The answer's tokens."
    )
    token_probabilities: dict[str, TokenProbabilities] | None = Field(
        default=None, description="The answers' probabilities by the decision's token."
    )
    superseded: tuple[str, ...] = Field(
        default=(), description="Replies before a re-ask."
    )
    served: str | None = Field(
        default=None, description="The model that really answered."
    )
    stop_reason: str = Field(default="unknown", description="Why the reply ended.")
    calls: int | None = Field(
        default=None,
        ge=0,
        description="How many calls the turn took; by default 1, and 0 of a person.",
    )
    reused: bool = Field(
        default=False, description="Whether it is from an earlier run."
    )

    def wrong_by_hand(
        self, answers: Sequence[str], others: Sequence[str]
    ) -> Iterator[tuple[str, str]]:
        """What is wrong with a turn that a person wrote: each the field, and why.

        Args:
            answers: What an answer can be.
            others: The ids of all participants.
        """
        if self.kind not in _KNOWN and self.spoken is None:
            yield (
                "kind",
                f"{self.kind!r} is none of {', '.join(_KNOWN)}; a kind of your own "
                "needs `spoken`, true or false.",
            )
        if self.kind in _OF_JUDGES and not self.by.startswith("judge"):
            yield "by", f"{self.by!r} is no judge, whose turn a {self.kind} is."
        if self.kind == "speech" and not self.by.startswith("debater"):
            yield "by", f"{self.by!r} is no debater, whose turn a speech is."
        if self.to not in (None, BOTH, NOBODY, *others):
            yield "to", f"{self.to!r} is no participant, nor `{BOTH}`."
        quoted = self.text.count("<quote>")
        if self.starts is not None and len(self.starts) != quoted:
            yield "starts", f"{len(self.starts)} of {quoted} quotes."
        believed = self.probabilities
        if believed is not None and answers and {*believed} < {*answers}:
            missing = ", ".join(sorted({*answers} - {*believed}))
            yield "probabilities", f"there is none of {missing}."
        elif believed and believed.get(str(self.answer), 1) < max(believed.values()):
            yield "answer", f"{self.answer!r} is not the likeliest of `probabilities`."


_DECIDE = ("belief", "verdict", "second_verdict", "verdict_sample")
_OF_JUDGES = ("belief", "verdict", "judge_question", "ready")
_KNOWN = (*KINDS, "judge_question", "ready")


class Transcript(Line):
    """A debate: a line of the file."""

    id: str = Field(min_length=1, description="The debate's id, unique in `condition`.")
    condition: str = Field(
        default="debates",
        pattern=r"^\w[\w.+-]*$",
        description="What debates of this kind are called; each condition is one log.",
    )
    question: str | tuple[Message, ...] = Field(
        description="What is debated; in error detection the task and the response."
    )
    options: tuple[str, ...] = Field(
        default=(),
        max_length=26,
        description="The answers to choose from: A, B and so on.",
    )
    right: str | tuple[str, ...] = Field(
        default="", description="The letter of the right answer; empty if nobody knows."
    )
    passage: str | None = Field(
        default=None,
        description="The text that the question is about, if there is one.",
    )
    passage_hidden: bool = Field(
        default=True, description="Whether judges did not read it."
    )
    participants: tuple[Speaker, ...] = Field(description="Who takes part.")
    turns: tuple[Said, ...] = Field(description="What they said, in order.")
    ends: Literal["rounds", "judge"] = Field(
        default="rounds",
        description="What ended the debate: a number of rounds, or the judge's wish.",
    )
    outcome: str | None = Field(
        default=None,
        description="The answer with which the debate ended, to be compared with what "
        "the verdicts say.",
    )
    metadata: dict[str, Any] = Field(
        default_factory=dict,
        description="Whatever else is known. Debates with the same `input_group`, such "
        "as a story, are one cluster in statistics.",
    )
    started: str | None = Field(default=None, description="When it began, in ISO 8601.")
    task: TaskName = Field(
        default="debate", description="The task that the debate belongs to."
    )
    protocol: str = Field(
        default="",
        description="The protocol; by default `copmad`, of one debater `consultancy`.",
    )
    parameters: dict[str, Any] = Field(
        default_factory=dict, description="The protocol's parameters, if known."
    )
    choices: tuple[str, ...] | None = Field(
        default=None,
        description="What an answer can be, where not a letter of an option.",
    )
    epoch: int = Field(default=1, ge=1, description="Which repetition.")
    seed: int = Field(default=0, ge=0, description="Seed of the run.")
    study: str | None = Field(
        default=None, description="What the record calls the study."
    )
    prompts: PromptsUsed = Field(
        default=PromptsUsed(name="unknown", hash=""),
        description="The prompts that were used.",
    )
    fingerprint: str | None = Field(default=None, description="Hash of what is asked.")
    aggregation: Aggregation = Field(
        default="agreement", description="How it is decided."
    )
    grades: tuple[Grade, ...] = Field(
        default=(), description="Which answers are right."
    )
    skip_reason: str | None = Field(
        default=None, description="Why there was no debate."
    )
    drawn: str | None = Field(
        default=None, description="The answer of a random tie-break."
    )
    stopped_by: str | None = Field(
        default=None, description="What stopped it too early."
    )
    reused_from: str | None = Field(
        default=None, description="The run that it was taken from."
    )
    donor: Donor | None = Field(
        default=None, description="Whose speeches were read instead."
    )
    warnings: tuple[str, ...] = Field(default=(), description="Warnings of the run.")

    @property
    def answers(self) -> tuple[str, ...]:
        """What an answer can be."""
        if self.choices is not None:
            return self.choices
        if self.options:
            return tuple(ascii_uppercase[: len(self.options)])
        return ("error", "no_error") if self.task == "colmad" else ()

    @property
    def rounds(self) -> int:
        """The last round in which somebody spoke."""
        return max((t.round for t in self.turns if t.kind == "speech"), default=0)

    @property
    def questions(self) -> int:
        """How often the judge asked."""
        return sum(turn.kind == "judge_question" for turn in self.turns)

    @property
    def ran(self) -> str:
        """The protocol."""
        one_sided = sum(p.id.startswith("debater") for p in self.participants) == 1
        return self.protocol or ("consultancy" if one_sided else "copmad")

    @property
    def asked(self) -> tuple[str, ...]:
        """The texts of the question."""
        if isinstance(self.question, str):
            return (self.question,)
        return tuple(message.text for message in self.question)

    def run_with(self, shared: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters of its run.

        Args:
            shared: Those of its condition, as far as they can be seen; what `export`
                wrote, which has a fingerprint, has all its own.
        """
        exported = self.fingerprint is not None
        return dict(self.parameters) if exported else {**shared, **self.parameters}

    def contradictions(self) -> Iterator[str]:
        """What is wrong with the line: each the field, and a sentence."""
        ids = [p.id for p in self.participants]
        for place, id in enumerate(ids):
            if id in ids[:place]:
                yield f"participants.{place}.id: {id!r} is there twice."
        allowed = self.answers
        for where, answer in self._answers_given():
            if allowed and answer not in allowed:
                yield f"{where}: {answer!r} is none of {', '.join(allowed)}."
        for place, turn in enumerate(self.turns):
            if turn.by not in ids:
                yield (
                    f"turns.{place}.by: {turn.by!r} is no participant; they are "
                    f"{', '.join(ids) or 'none'}."
                )
            total = sum((turn.probabilities or {}).values())
            if turn.probabilities is not None and abs(total - 1) > SUMS_TO:
                yield f"turns.{place}.probabilities: the sum is {total:g}, not 1."
            if turn.spoken and turn.kind in _DECIDE:
                yield (
                    f"turns.{place}.spoken: a {turn.kind} is no part of the debate, "
                    "and no other judge may read it."
                )
        if self.fingerprint is None:
            yield from self._wrong_by_hand()

    def _wrong_by_hand(self) -> Iterator[str]:
        """What a person may get wrong, and `export` does not."""
        if not any(text.strip() for text in self.asked):
            yield "question: it is empty."
        if self.options and not isinstance(self.right, str) and len(self.right) > 1:
            yield f"right: {len(self.right)} answers; a debate ends with one."
        if self.task not in ("debate", "colmad"):
            yield f"task: debates of {self.task!r} can only be those of `export`."
        try:
            datetime.fromisoformat(self.started or "2000-01-01")
        except ValueError:
            yield f"started: {self.started!r} is no time in ISO 8601."
        yield from self._wrong_sides()
        ids = [one.id for one in self.participants]
        for place, turn in enumerate(self.turns):
            for name, wrong in turn.wrong_by_hand(self.answers, ids):
                yield f"turns.{place}.{name}: {wrong}"

    def _wrong_sides(self) -> Iterator[str]:
        speaking = {turn.by for turn in self.turns if turn.kind == "speech"}
        sides: dict[str, str] = {}
        for place, one in enumerate(self.participants):
            where = f"participants.{place}.defends"
            if one.id in speaking and self.answers and one.defends is None:
                yield f"{where}: it is missing; {one.id} argues for an answer."
            if one.defends is not None and one.defends in sides:
                yield f"{where}: {sides[one.defends]!r} argues for that answer, too."
            if one.defends is not None:
                sides[one.defends] = one.id

    def _answers_given(self) -> Iterator[tuple[str, str]]:
        right = [self.right] if isinstance(self.right, str) else self.right
        if self.options or self.task == "colmad":
            yield from (("right", answer) for answer in right if answer)
        for place, one in enumerate(self.participants):
            if one.defends is not None:
                yield f"participants.{place}.defends", one.defends
        for place, turn in enumerate(self.turns):
            if turn.answer is not None and turn.kind in _DECIDE:
                yield f"turns.{place}.answer", turn.answer
            for answer in turn.probabilities or ():
                yield f"turns.{place}.probabilities", answer


# --- from a line to a record ----------------------------------------------------------


def record_of(transcript: Transcript, shared: Mapping[str, Any]) -> DebateRecord:
    """The record of a debate that was held elsewhere, or of one exported before.

    Args:
        transcript: The debate, without contradictions.
        shared: Parameters that all debates of its condition have, as far as the line
            does not give its own.
    """
    parameters = transcript.run_with(shared)
    question = _question(transcript)
    config = DebateConfig.model_validate(
        {n: parameters[n] for n in ("quotes", "quote_source") if n in parameters}
    )
    speakers = {
        speaker.id: _participant(speaker) for speaker in transcript.participants
    }
    turns: list[Turn] = []
    for said in transcript.turns:
        turns.append(_turn(said, speakers[said.by], question, config, turns))
    if transcript.ends == "judge" and transcript.fingerprint is None:
        turns = _with_end(turns, transcript.rounds)
    return DebateRecord(
        study=transcript.study or _STUDIES.get(transcript.task, transcript.task),
        protocol=transcript.ran,
        parameters=parameters,
        prompts=transcript.prompts,
        question=question.fingerprint,
        choices=transcript.answers,
        epoch=transcript.epoch,
        seed=transcript.seed,
        participants=tuple(speakers.values()),
        turns=tuple(turns),
        grades=transcript.grades,
        debated=any(turn.is_spoken for turn in turns),
        skip_reason=transcript.skip_reason,
        aggregation=transcript.aggregation,
        drawn=transcript.drawn,
        complete=transcript.stopped_by is None,
        ended_by=transcript.stopped_by,
        reused_from=transcript.reused_from,
        donor=transcript.donor,
        warnings=transcript.warnings,
    )


def _with_end(turns: list[Turn], round: int) -> list[Turn]:
    """The turns, with that in which the judge ended the debate, where it is missing."""
    verdicts = [place for place, turn in enumerate(turns) if turn.kind == "verdict"]
    if not verdicts or any(turn.field("ready").value == "yes" for turn in turns):
        return turns
    first = turns[verdicts[0]]
    ready = {"ready": Parsed.ok("yes")}
    end = first.model_copy(
        update={"kind": "ready", "round": round, "public": "", "fields": ready}
    )
    return [*turns[: verdicts[0]], end, *turns[verdicts[0] :]]


_STUDIES = {"debate": "colmad"}
"""What records call the study of a task, where not as the task."""


def input_of(transcript: Transcript) -> str | list[ChatMessage]:
    """The input of the debate's sample."""
    if isinstance(transcript.question, str):
        return transcript.question
    return [_MESSAGES[m.role](content=m.text) for m in transcript.question]


_MESSAGES: dict[str, Any] = {
    "system": ChatMessageSystem,
    "user": ChatMessageUser,
    "assistant": ChatMessageAssistant,
}


def _question(transcript: Transcript) -> Question:
    """The question, with the texts in which quotes are looked up."""
    asked, passage = transcript.asked, transcript.passage
    known = transcript.fingerprint
    if known is None and transcript.options:
        known = choice_fingerprint(asked[0], transcript.options, passage)
    elif known is None:
        known = fingerprint(*asked, *([] if passage is None else [passage]))
    named = ("input", "response") if len(asked) == 2 else ("question",)
    return Question(
        id=transcript.id,
        epoch=transcript.epoch,
        fingerprint=known,
        choices=transcript.answers,
        sources=dict(zip(named, asked, strict=False))
        | ({} if passage is None else {"passage": passage}),
        options=dict(zip(transcript.answers, transcript.options, strict=False)),
    )


def _participant(speaker: Speaker) -> Participant:
    own = PERSON if speaker.kind == "person" else ""
    return Participant(
        id=speaker.id,
        role=cast(Role, speaker.id.rstrip("_0123456789")),
        name=speaker.name or capitalised(person(speaker.id)),
        model=own + speaker.who,
        defends=speaker.defends,
        settings=speaker.settings,
    )


def _turn(
    said: Said,
    by: Participant,
    question: Question,
    config: DebateConfig,
    earlier: list[Turn],
) -> Turn:
    text, quotes = said.text, said.quotes
    if quotes is None:
        quoted = [quote.text for turn in earlier for quote in turn.quotes]
        text, quotes = checked(question, config, text, quoted)
        quotes = _placed(quotes, said.starts, question.sources.get("passage", ""))
    model = by.model if said.who is None else said.who
    if by.model.startswith(PERSON) and not model.startswith(PERSON):
        model = PERSON + model
    calls = 0 if model.startswith(PERSON) else 1
    asks = said.kind == "judge_question" and said.to not in (None, NOBODY)
    return Turn(
        participant=by.id,
        role=by.role,
        kind=said.kind,
        round=said.round,
        model=model,
        served=model if said.served is None else said.served,
        public=text,
        private=said.private,
        reasoning=said.reasoning,
        fields=_fields(said),
        quotes=quotes,
        order=said.order,
        listed_first=said.listed_first,
        shown_first=said.shown_first,
        draw=said.draw,
        tokens=said.tokens,
        probabilities=said.token_probabilities,
        about=said.about,
        favours=said.favours,
        spoken=True if asks else said.spoken,
        superseded=said.superseded,
        stop_reason=said.stop_reason,
        usage=said.usage or ModelUsage(),
        seconds=math.nan if said.seconds is None else said.seconds,
        calls=calls if said.calls is None else said.calls,
        reused=said.reused,
    )


def _placed(
    quotes: tuple[Quote, ...], starts: tuple[int, ...] | None, passage: str
) -> tuple[Quote, ...]:
    """Verified quotes where they were taken from, if the passage has them there."""
    if starts is None or len(starts) != len(quotes):
        return quotes
    shown = as_shown(passage)
    return tuple(
        quote.model_copy(update={"start": start, "end": start + len(quote.text)})
        if quote.source == "passage" and shown.startswith(quote.text, start)
        else quote
        for quote, start in zip(quotes, starts, strict=True)
    )


def _fields(said: Said) -> dict[str, Parsed]:
    found: dict[str, Parsed] = {}
    given = said.fields
    if given is None and said.kind == "speech":
        given = {"argument": float(len(said.text.split()))}
    for name, value in (given or {}).items():
        found[name] = (
            Parsed(status=value.status)
            if isinstance(value, Unread)
            else Parsed.ok(value)
        )
    believed = said.probabilities or {}
    answer = said.answer
    if answer is None and "answer" not in found and believed:
        most = max(believed.values())
        likeliest = [choice for choice, p in believed.items() if p == most]
        answer = likeliest[0] if len(likeliest) == 1 else None
    if answer is not None:
        found["answer"] = Parsed.ok(answer)
    if said.to is not None:
        found["to"] = Parsed.ok(said.to)
    found |= {PROBABILITY_OF + choice: Parsed.ok(p) for choice, p in believed.items()}
    return found


# --- from a record to a line ----------------------------------------------------------


def transcript_of(
    record: DebateRecord, sample: EvalSample, task: str, condition: str
) -> Transcript:
    """A debate of a log as a line.

    Args:
        record: The debate.
        sample: Its sample.
        task: The log's task.
        condition: What to call its condition.

    Raises:
        ValueError: If the sample's input is more than text.
    """
    metadata = dict(sample.metadata or {})
    passage = metadata.pop("passage", None)
    decided = outcome(record) if record.complete else None
    return Transcript(
        id=str(sample.id),
        condition=condition,
        question=_asked(sample),
        options=tuple(sample.choices or ()),
        right=sample.target if isinstance(sample.target, str) else tuple(sample.target),
        passage=passage,
        passage_hidden=record.parameters.get("passage") != "shown",
        participants=tuple(map(_speaker, record.participants)),
        turns=tuple(_said(turn, record) for turn in record.turns),
        ends=record.parameters.get("ends", "rounds"),
        outcome=None if decided is None else decided.answer,
        metadata=metadata,
        started=sample.started_at,
        task=cast(TaskName, task),
        protocol=record.protocol,
        parameters=record.parameters,
        choices=record.choices,
        epoch=record.epoch,
        seed=record.seed,
        study=record.study,
        prompts=record.prompts,
        fingerprint=record.question,
        aggregation=record.aggregation,
        grades=record.grades,
        skip_reason=record.skip_reason,
        drawn=record.drawn,
        stopped_by=None if record.complete else record.ended_by or "unknown",
        reused_from=record.reused_from,
        donor=record.donor,
        warnings=record.warnings,
    )


def _asked(sample: EvalSample) -> str | tuple[Message, ...]:
    if isinstance(sample.input, str):
        return sample.input
    return tuple(
        Message.model_validate({"role": m.role, "text": m.content})
        for m in sample.input
    )


def _speaker(participant: Participant) -> Speaker:
    is_person = participant.model.startswith(PERSON)
    return Speaker(
        id=participant.id,
        name=participant.name,
        kind="person" if is_person else "model",
        who=participant.model.removeprefix(PERSON) if is_person else participant.model,
        defends=participant.defends,
        settings=participant.settings,
    )


def _said(turn: Turn, record: DebateRecord) -> Said:
    fields = dict(turn.fields)
    answer, to = (
        str(fields.pop(name).value) if turn.field(name).value is not None else None
        for name in ("answer", "to")
    )
    believed = {
        name.removeprefix(PROBABILITY_OF): float(fields.pop(name).value or 0)
        for name, sure in turn.fields.items()
        if name.startswith(PROBABILITY_OF) and sure.value is not None
    }
    model = record.participant(turn.participant).model
    return Said(
        by=turn.participant,
        kind=turn.kind,
        round=turn.round,
        text=turn.public,
        answer=answer,
        probabilities=believed or None,
        to=to,
        who=None if turn.model == model else turn.model,
        usage=None if turn.usage == ModelUsage() else turn.usage,
        seconds=None if math.isnan(turn.seconds) else turn.seconds,
        private=turn.private,
        reasoning=turn.reasoning,
        fields={
            name: Unread(status=field.status) if field.value is None else field.value
            for name, field in fields.items()
        },
        quotes=turn.quotes,
        order=turn.order,
        listed_first=turn.listed_first,
        shown_first=turn.shown_first,
        draw=turn.draw,
        about=turn.about,
        favours=turn.favours,
        spoken=turn.spoken,
        tokens=turn.tokens,
        token_probabilities=turn.probabilities,
        superseded=turn.superseded,
        served=None if turn.served == turn.model else turn.served,
        stop_reason=turn.stop_reason,
        calls=turn.calls,
        reused=turn.reused,
    )
