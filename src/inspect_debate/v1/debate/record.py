"""The record of a debate: the only thing that passes from a protocol to a scorer."""

import json
from collections.abc import Mapping
from enum import StrEnum
from functools import cache, lru_cache
from typing import Any, Literal

from inspect_ai.log import EvalSpec
from inspect_ai.model import ModelUsage
from inspect_ai.util import Store, StoreModel
from pydantic import BaseModel, ConfigDict, Field, model_validator

RECORD_VERSION = 3


Role = Literal["debater_a", "debater_b", "judge", "reward", "grader"]
"""The five model roles of the suite; each study's page says who they are."""

Kind = str

KINDS = (
    "answer",
    "sample",
    "recall",
    "critique",
    "update",
    "speech",
    "candidate",
    "reward",
    "belief",
    "verdict",
    "verdict_sample",
    "grade",
)
"""The kinds of turn that the suite has; protocols of other packages add their own.

An answer of one's own; the same question answered again, to see how often it is
answered alike (`sample`) or right (`recall`); a critique of one's own answer; an
answer's update after others' answers or the critique were read; a speech in a round; a
speech that was not chosen among several (`candidate`), and what makes the choice
(`reward`); what a judge
believes at some time of the debate, which decides nothing (`belief`); a judge's
verdict; the same verdict drawn again, to see how often it is given (`verdict_sample`);
or a grader's labels (which are asked for by a scorer).
"""

Order = Literal["ab", "ba"]
"""How a judge is shown a debate: the first answer and its defender first, or last."""


Aggregation = Literal[
    "agreement",
    "majority",
    "coin",
    "arbitration",
    "rulings",
    "first",
    "appeal",
]
"""How the last answers decide where no judge did, and how judges do.

`agreement`: they have to be the same. `majority`: the answer of most that could be
read. `coin`: where they differ, a random tie-break, drawn once and recorded.
Judges decide by majority. `arbitration`: answers in words, between which the
rules of the protocol decide (`solvers/knowledge_conflict.py`). `rulings`: a judge says
of every answer by itself whether it is right (`solvers/rulings.py`). `first`: the first
verdict decides, and those after it are checks of the judge (`debate/judge_checks.py`).
`appeal`: the last verdict decides, after a challenge (`solvers/challenge.py`).
"""


class Status(StrEnum):
    """How a field was read from a completion. Counted apart, never folded.

    A completion is `truncated` at the token limit and `capped` at `max_characters`
    (`AskerConfig`), where it was cut here.
    """

    OK = "ok"
    UNPARSED = "unparsed"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    CAPPED = "capped"
    MISSING = "missing"


class Frozen(BaseModel):
    """Base of the record's parts: immutable, and strict about its keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants")


class Parsed(Frozen):
    """A value read from a completion, with how the reading went.

    `value` is set exactly when `status` is `ok`: what was not read never becomes
    a side, a zero or a wrong answer.
    """

    value: str | float | None = None
    status: Status = Status.MISSING

    @model_validator(mode="after")
    def _value_if_ok(self) -> "Parsed":
        if (self.status == Status.OK) != (self.value is not None):
            raise ValueError(f"a field with status {self.status} has {self.value!r}")
        return self

    @classmethod
    def ok(cls, value: str | float) -> "Parsed":
        """A value that was read."""
        return cls(value=value, status=Status.OK)

    @classmethod
    def unparsed(cls) -> "Parsed":
        """A value that was asked for and could not be read."""
        return cls(status=Status.UNPARSED)


_NOT_ASKED = Parsed()

TokensStatus = Literal[
    "ok", "absent", "refused", "invalid", "misaligned", "cut", "no_answer"
]
"""Whether an answer's tokens have log-probabilities.

`ok`, or why not: the provider sent none (`absent`) or takes no request for them
(`refused`); one is not a finite number of at most 0 (`invalid`); the tokens do not
spell the completion (`misaligned`) or end before the answer does (`cut`); there is no
answer that could be read (`no_answer`).
"""


class AnswerTokens(Frozen):
    """The tokens of an answer alone, and the natural logarithms of their probabilities.

    Without a token unless `status` is `ok`.
    """

    status: TokensStatus
    tokens: tuple[str, ...] = ()
    logprobs: tuple[float, ...] = ()


ProbabilityStatus = Literal[
    "ok", "missing", "refused", "invalid", "truncated", "no_answer"
]
"""Whether a decision's token gives probabilities of the answers.

`ok`, or why not: the provider sent no log-probabilities, no alternatives, or so few
that an answer may be likelier than one percent and not among them (`missing`); it takes
no request for them (`refused`); they are no probabilities, or do not spell the
completion (`invalid`); the completion or its list of tokens ends before the decision
(`truncated`); no decision could be read (`no_answer`).
"""

Place = Literal["before_reasons", "after_reasons"]
"""Whether a decision was written before its reasons or after them.

After reasons it follows from what they say, and its token's probability is near 0 or 1
whatever the judge believed before it wrote them: the two are never pooled.
"""


PROBABILITY_OF = "probability_of_"
"""Begins the fields of a judge who said how probable each answer is, from 0 to 1."""


class TokenProbabilities(Frozen):
    """How probable a model held each of some answers, by its decision's token.

    Attributes:
        status: Whether there are probabilities, or why not.
        place: Where the decision was written; None where there is none.
        by_answer: The probability of each answer, from 0 to 1: those of all its
            spellings among the token's alternatives, divided by `mass`. Empty unless
            `status` is `ok`.
        mass: What all answers' spellings have together; the rest is on other tokens.
    """

    status: ProbabilityStatus
    place: Place | None = None
    by_answer: dict[str, float] = Field(default_factory=dict)
    mass: float | None = None


class Quote(Frozen):
    """A passage that a speaker marked as quoted.

    `source` names the text it was found in; it is set exactly when `verified`.
    `typography` says that it was found there in other typography (dashes, quotation
    marks, spaces at punctuation and the like); `start` and `end` are its place
    in the source, as participants are shown it. `empty` says that it holds no letter or
    digit: such a one is neither verified nor unverified. `duplicate` says that the same
    passage was quoted earlier in the debate.
    """

    text: str
    verified: bool
    typography: bool = False
    start: int | None = None
    end: int | None = None
    empty: bool = False
    duplicate: bool = False
    source: str | None = None


GradeStatus = Literal["pass", "fail", "unparsed", "timeout", "error", "ineligible"]
GradeWay = Literal["", "by_value", "in_process"]


class Grade(Frozen):
    """Whether an answer is right, as found out without a model while the debate ran.

    `fail`, `timeout` and `unparsed` (there is no answer that could be read) are wrong;
    with `error` (of the grader) or `ineligible` (the task itself) nobody knows. An
    answer may have several parts, such as grids or test cases, of which `parts_right`
    are right. `note` tells what was found, and `way` whether a program ran in another
    process than its tests (`by_value`) or in theirs (`in_process`).
    """

    participant: str
    status: GradeStatus
    parts: int = 0
    parts_right: int = 0
    seconds: float = 0.0
    note: str = ""
    reused: bool = False
    way: GradeWay = ""

    @property
    def right(self) -> bool | None:
        """Whether the answer is right; None where that is not known."""
        if self.status in ("error", "ineligible"):
            return None
        return self.status == "pass"


class Participant(Frozen):
    """Who took part, as which model, with the settings that its calls really had.

    `defends` is the answer assigned for the debate, `None` where none was.
    `settings` maps a kind of turn to its effective generation settings.
    """

    id: str
    role: Role
    name: str
    model: str
    defends: str | None = None
    settings: dict[str, dict[str, Any]] = Field(default_factory=dict)


class Turn(Frozen):
    """One participant's contribution: one question asked of a model, and its re-asks.

    `public` is what others may read, with quotes already tagged; `private` is the
    speaker's scratchpad and `reasoning` what a reasoning model thought: neither is
    ever shown to another participant. `superseded` keeps completions that a re-ask
    replaced. `usage`, `seconds` and `calls` cover all calls of the turn.
    `listed_first` and `shown_first` (verdicts) say which answer the judge saw
    listed first and which participant it saw speak first. `draw` numbers several
    completions of one prompt, from 1; it is 0 where there is one. `tokens` are those
    of the answer, where log-probabilities were asked for, and `probabilities` those of
    the answers between which a field decides, by the field's name. `about` is the
    participant whose candidate a reward is for, the check that a verdict is for, or
    `question_alone` of a belief before the debate; `favours` is the answer
    that the check may have helped. Of kinds that the suite does not have, `spoken` says
    whether the turn is part of the debate, as speeches are.
    """

    participant: str
    role: Role
    kind: str
    round: int
    model: str
    served: str
    public: str
    private: str = ""
    reasoning: str = ""
    fields: dict[str, Parsed] = Field(default_factory=dict)
    quotes: tuple[Quote, ...] = ()
    order: Order | None = None
    listed_first: str | None = None
    shown_first: str | None = None
    draw: int = 0
    tokens: AnswerTokens | None = None
    probabilities: dict[str, TokenProbabilities] | None = None
    about: str | None = None
    favours: str | None = None
    spoken: bool | None = None
    superseded: tuple[str, ...] = ()
    stop_reason: str
    usage: ModelUsage
    seconds: float
    calls: int
    reused: bool = False

    @property
    def is_spoken(self) -> bool:
        """Whether the turn is part of the debate: a speech, or a kind like it."""
        return self.kind == "speech" or self.spoken is True

    def field(self, name: str) -> Parsed:
        """The field of that name; `missing` where it was not asked for."""
        return self.fields.get(name, _NOT_ASKED)


class PromptsUsed(Frozen):
    """Which prompt set the debate ran with; its full text is in the task's metadata."""

    name: str
    hash: str


class Donor(Frozen):
    """The sample about which the speeches are that a judge read, and not its own.

    Attributes:
        sample: Its id.
        epoch: Of its debate.
        words: How many words the speeches have.
        own_words: How many those of the sample's own debate have.
    """

    sample: str
    epoch: int
    words: int
    own_words: int


class DebateRecord(Frozen):
    """Everything that happened in one debate, in the protocol's order.

    `version` is that of the record's form; older ones are upgraded as they are read.
    `debated` says whether there were speeches, and `skip_reason` why not.
    A record that is not `complete` stopped early, for the reason in `ended_by`.
    `aggregation` says how answers decide without a judge, and `drawn` is the answer
    of a random tie-break. `grades` say which answers are right, where programs or grids
    were graded during the run. `reused_from` names the run whose turns are
    marked `reused`, and `donor` the sample of it that the speeches are about, if it is
    another one.
    """

    version: int = Field(default=RECORD_VERSION, ge=3, le=3)
    study: str
    protocol: str
    parameters: dict[str, Any]
    prompts: PromptsUsed
    question: str
    choices: tuple[str, ...]
    epoch: int
    seed: int
    participants: tuple[Participant, ...] = ()
    turns: tuple[Turn, ...] = ()
    grades: tuple[Grade, ...] = ()
    debated: bool = False
    skip_reason: str | None = None
    aggregation: Aggregation = "agreement"
    drawn: str | None = None
    complete: bool = False
    ended_by: str | None = None
    reused_from: str | None = None
    donor: Donor | None = None
    warnings: tuple[str, ...] = ()

    @property
    def answers_free(self) -> bool:
        """Whether the question was answered in words."""
        return self.parameters.get("answers") == "free"

    def of_kind(self, kind: str) -> list[Turn]:
        """The turns of one kind, in order."""
        return [turn for turn in self.turns if turn.kind == kind]

    def spoken(self) -> list[Turn]:
        """The speeches, and turns of kinds like them, in order."""
        return [turn for turn in self.turns if turn.is_spoken]

    def last_answers(self) -> list[Turn]:
        """The last answers, which decide protocols without a judge.

        Each participant's last update, or all answers if there was no update.
        """
        updates = {turn.participant: turn for turn in self.of_kind("update")}
        return list(updates.values()) or self.of_kind("answer")

    def participant(self, id: str) -> Participant:
        """The participant of that id.

        Raises:
            KeyError: If no such participant took part.
        """
        for participant in self.participants:
            if participant.id == id:
                return participant
        raise KeyError(f"no participant {id!r} in this debate")


class Debate(StoreModel):
    """Where the record lies in a sample's store, and so in the log.

    `sample.store_as(Debate).record` reads it. It lies there as one JSON text: Inspect
    walks every node of a store about ten times per sample, and the several hundred of a
    debate would cost more than the protocol does.
    """

    text: str | None = None

    @property
    def record(self) -> DebateRecord | None:
        """The record, or None where no protocol of ours ran."""
        return _read(self.text)


def write_record(
    store: Store, record: DebateRecord, instance: str | None = None
) -> None:
    """Put a record into a sample's store, under a name of its own if there are several.

    Args:
        store: The store.
        record: The record.
        instance: The name, for `store_as(Debate, instance=...)`.
    """
    key = "Debate:text" if instance is None else f"Debate:{instance}:text"
    store.set(key, record.model_dump_json(exclude_none=True))


def read_record(store: Store) -> DebateRecord | None:
    """The record in a sample's store, or None where no protocol of ours ran.

    The same as `Debate(store=store).record` at a fraction of its cost: every scorer of
    every sample reads it.
    """
    return _read(store.get("Debate:text"))


@lru_cache(maxsize=32)  # a sample's scorers read the same text one after the other
def _read(text: str | None) -> DebateRecord | None:
    return None if text is None else DebateRecord.model_validate_json(upgraded(text))


# What turns and participants are called where people read about them.

_WITHOUT_ANSWER = {
    "tied": "a tie",
    "abstained": "abstained",
    "unparsed": "none, as it could not be read",
    "refused": "none, as it was refused",
    "truncated": "none, as a reply was cut off at the token limit",
    "capped": "none, as a reply was too long",
    "missing": "none",
    "elsewhere": "not decided by the debate alone",
}


@cache
def person(id: str) -> str:
    """A participant's id in words: `debater A` for `debater_a`, `judge 2`."""
    *words, last = id.split("_")
    return " ".join([*words, last.upper() if words and len(last) == 1 else last])


def capitalised(text: str) -> str:
    """A text with a capital at its beginning, and the rest as it is."""
    return text[:1].upper() + text[1:]


def without_answer(status: str) -> str:
    """In place of an outcome: why there is none."""
    return _WITHOUT_ANSWER[status]


def stage(
    kind: str,
    round: int = 0,
    draw: int = 0,
    about: str | None = None,
    *,
    in_series: bool = False,
) -> str:
    """When a turn is taken: `round 2`, `answer 3` of several, `verdict after round 1`.

    Args:
        kind: The kind of turn.
        round: Its round; speeches of round 0 are openings.
        draw: Which of several replies to one prompt it is; 0 where there is one.
        about: The check that a verdict is for.
        in_series: Whether there is a verdict after every round.
    """
    words = kind.replace("_", " ")
    match kind:
        case "speech":
            return f"round {round}" if round else "opening"
        case "verdict" if about:
            return f"verdict, check “{about.replace('_', ' ')}”"
        case "verdict" | "verdict_sample" if in_series:
            drawn = f" {draw}" if draw else ""
            return (
                f"{words}{drawn} after {f'round {round}' if round else 'the openings'}"
            )
        case "belief" if about:
            return "belief before the debate"
        case "belief":
            return f"belief after {f'round {round}' if round else 'the openings'}"
        case "verdict" | "verdict_sample" | "answer" | "sample" | "recall" | "update":
            number = draw or round
            return f"{words} {number}" if number else words
        case "candidate":
            return f"candidate {draw}, round {round}"
        case "reward":
            return f"reward of candidate {draw}, round {round}"
    return f"{words}, round {round}" if round else words


def order_shown(record: DebateRecord, turn: Turn) -> str:
    """In which order a judge was shown a debate: `Bob shown first`; empty for none."""
    if turn.shown_first is not None:
        return f"{record.participant(turn.shown_first).name} shown first"
    if turn.listed_first is not None:
        return f"{turn.listed_first} listed first"
    return _ORDERS[turn.order] if turn.order else ""


_ORDERS: dict[Order, str] = {
    "ab": "first answer shown first",
    "ba": "second answer shown first",
}


def span_name(
    kind: str,
    participant: str,
    round: int = 0,
    draw: int = 0,
    *,
    order: Order | None = None,
    shown_first: str | None = None,
    about: str | None = None,
    in_series: bool = False,
) -> str:
    """The name of the span around one turn, e.g. `Round 2, debater B`.

    The viewer's outline shows what follows the last slash of a name, so it has none.

    Args:
        kind: The kind of turn.
        participant: Whose turn it is.
        round: The round, or after which one a verdict was given.
        draw: Which of several replies to one prompt it is.
        order: In which order a judge was shown the debate.
        shown_first: The participant that the judge saw first.
        about: The check that a verdict is for; whose turn a reward or a grade is for.
        in_series: Whether there is a verdict after every round.
    """
    check = about if kind in ("verdict", "belief") else None
    who = person(participant if check or about is None else about)
    shown = ""
    if order is not None:
        first = f"{person(shown_first)} shown first" if shown_first else _ORDERS[order]
        shown = f" ({first})"
    when = stage(kind, round, draw, check, in_series=in_series)
    return f"{capitalised(when)}, {who}{shown}"


# Records and metadata of earlier versions, as they would be written now.
#
# Version 1 counted the first answers of `naive_debate` among its rounds, and called the
# rounds of generative debate `speech_rounds`. Since version 2 `rounds` are rounds of
# speeches (or of updates) after the first answers, everywhere. Version 3 renamed
# `undebated_because` to `skip_reason`.


def upgraded(text: str) -> str:
    """A record's JSON as this version writes it."""
    if text.startswith(f'{{"version":{RECORD_VERSION},'):
        return text
    record = json.loads(text)
    if not {"protocol", "parameters"} <= record.keys():
        return text  # no record of ours, as whoever reads it will find
    if record.pop("version", 1) == 1:
        record["parameters"] = _parameters(record["protocol"], record["parameters"])
    if "undebated_because" in record:
        record["skip_reason"] = record.pop("undebated_because")
    return json.dumps({"version": RECORD_VERSION} | record, separators=(",", ":"))


def upgraded_metadata(metadata: Mapping[str, Any] | None) -> dict[str, Any]:
    """A task's metadata as this version writes them; those of others as they are.

    Version 1 had the version of the task as `version`, and not as `task_version`.
    """
    found = dict(metadata or {})
    if "task_version" in found or not {"version", "parameters"} <= found.keys():
        return found
    parameters = _parameters(str(found.get("protocol")), found["parameters"])
    return {**found, "task_version": found["version"], "parameters": parameters}


def upgraded_arguments(spec: EvalSpec) -> dict[str, Any]:
    """What a user gave to a task, as this version takes it."""
    given = dict(spec.task_args_passed or {})
    metadata = spec.metadata or {}
    if "task_version" in metadata or "version" not in metadata:
        return given
    return _parameters(str(metadata.get("protocol")), given)


def _parameters(protocol: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    found = {
        "rounds" if name == "speech_rounds" else name: value
        for name, value in parameters.items()
    }
    if protocol == "naive_debate" and "rounds" in found:
        found["rounds"] -= 1
    return found
