"""A released transcript as a debate: its condition, speeches and bets."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from inspect_debate.v1.debate.prompts import Prompt, PromptSet, as_overlay, load_prompts
from inspect_debate.v1.solvers.bet_records import SIDES, Side
from inspect_debate.v1.solvers.confidence import (
    CONDITIONS,
    PRESETS,
    BetConfig,
    BetParameters,
    Condition,
)

# The files of the release: transcripts of three and of four rounds.
#
# Strict on purpose: a field that is unknown, missing or of another type means that a
# file says something this package does not know how to read.

Percent = Annotated[int, Field(ge=0, le=100)]
Count = Annotated[int, Field(ge=0)]
Text = Annotated[str, Field(pattern=r"\S")]
"""A text that is not blank."""


class Released(BaseModel):
    """Base of all parts of a released file."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Motion(Released):
    """What was debated."""

    topic_description: Text


class Prompts(Released):
    """The parts of the prompts that are in a transcript."""

    first_speech_prompt: str
    rebuttal_speech_prompt: str
    final_speech_prompt: str
    judge_prompt: str


class ThreeSpeeches(Released):
    """A side's speeches, without the tags of its bets."""

    opening: str
    rebuttal: str
    closing: str


class FourSpeeches(Released):
    """As `ThreeSpeeches`, with two rebuttals."""

    opening: str
    rebuttal_1: str
    rebuttal_2: str
    closing: str


S = TypeVar("S", ThreeSpeeches, FourSpeeches)


class Output(Released, Generic[S]):
    """A side's speeches."""

    side: Side
    speeches: S


class Bet(Released):
    """A bet in whole percent, with the reasoning that went before it."""

    side: Side
    speech_type: str
    amount: Percent
    thoughts: str


class Verdict(Released):
    """A juror's verdict; `logic` is its full text."""

    model: Text
    winner: Side
    confidence: Percent
    logic: str


class Tokens(Released):
    """Calls and tokens of one model in one debate, both sides together."""

    successful_calls: Count
    failed_calls: Count
    successful_completion_tokens: Count
    successful_prompt_tokens: Count
    successful_total_tokens: Count
    failed_completion_tokens: Count
    failed_prompt_tokens: Count
    failed_total_tokens: Count


Dollars = Annotated[float, Field(ge=0)] | Literal["unknown"]


class ModelCost(Released):
    """What a model's speeches took in all debates of three rounds, and cost.

    `debate_count` counts a debate with oneself twice.
    """

    prompt_tokens: Count
    completion_tokens: Count
    total_tokens: Count
    debate_count: Count
    prompt_cost: Dollars
    completion_cost: Dollars
    total_cost: Dollars


class Costs(Released):
    """The file of costs, `model_token_usage_and_cost.json`."""

    summary: dict[str, Any]
    model_stats: dict[str, ModelCost]


class ThreeRounds(Released):
    """A transcript of three rounds."""

    motion: Motion
    debate_type: str
    path_to_store: str
    proposition_model: Text
    opposition_model: Text
    prompts: Prompts
    proposition_output: Output[ThreeSpeeches]
    opposition_output: Output[ThreeSpeeches]
    judge_models: list[str]
    judge_results: list[Verdict]
    debator_token_counts: dict[str, Tokens]
    judge_token_counts: dict[str, Tokens]
    debator_bets: list[Bet]


class FourRounds(Released):
    """A transcript of four rounds, which has no prompts, verdicts or tokens."""

    motion: Motion
    debate_type: str
    path_to_store: str
    proposition_model: Text
    opposition_model: Text
    proposition_output: Output[FourSpeeches]
    opposition_output: Output[FourSpeeches]
    debator_bets: list[Bet]


Transcript = ThreeRounds | FourRounds


def parse_transcript(content: Any) -> Transcript:
    """A transcript of either format, recognised by its speeches.

    Args:
        content: A transcript file's JSON.

    Raises:
        ValidationError: If it is of neither format; against the nearer one.
    """
    sides = ("proposition_output", "opposition_output")
    if any("rebuttal_1" in _speeches(content, side) for side in sides):
        return FourRounds.model_validate(content)
    return ThreeRounds.model_validate(content)


def _speeches(content: Any, side: str) -> dict[str, Any]:
    for key in (side, "speeches"):
        content = content.get(key) if isinstance(content, dict) else None
    return content if isinstance(content, dict) else {}


SPEECHES = {
    3: ("opening", "rebuttal", "closing"),
    4: ("opening", "rebuttal_1", "rebuttal_2", "closing"),
}
"""The names of a side's speeches, by the number of rounds."""

# The released names of conditions, with their rounds.
_CONDITIONS: Mapping[str, tuple[Condition, int]] = {
    "private_bet": ("cross_model", 3),
    "private_same_debator": ("self", 3),
    "private_same_debator_informed": ("informed_self", 3),
    "PUBLIC_SAME_DEBATOR": ("public", 3),
    "readteam_debate": ("redteam", 3),
    "private_self_bet": ("four_round", 4),
}

_STARTED = re.compile(r"(?<!\d)(\d{8}_\d{6})(?!\d)")


class UnreadableError(ValueError):
    """A file is not what it should be; the text says why, in one line."""


@dataclass(frozen=True)
class Debate:
    """One released debate.

    Attributes:
        id: The stem of its file, by which its published grades call it.
        file: Its file, relative to the folder that was read.
        condition: The protocol of the debate.
        transcript: The file's content.
    """

    id: str
    file: str
    condition: Condition
    transcript: Transcript

    @property
    def motion(self) -> str:
        """The motion's text."""
        return self.transcript.motion.topic_description

    @property
    def models(self) -> dict[Side, str]:
        """The model of each side, as released."""
        transcript = self.transcript
        return {
            "proposition": transcript.proposition_model,
            "opposition": transcript.opposition_model,
        }

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return len(self.transcript.debator_bets) // len(SIDES)

    @property
    def speeches(self) -> dict[tuple[Side, int], str]:
        """The speeches by side and round, from 1."""
        outputs = {
            "proposition": self.transcript.proposition_output,
            "opposition": self.transcript.opposition_output,
        }
        return {
            (side, round): getattr(outputs[side].speeches, name)
            for side in SIDES
            for round, name in enumerate(SPEECHES[self.rounds], start=1)
        }

    @property
    def bets(self) -> dict[tuple[Side, int], Bet]:
        """What was bet, by side and round, in the order in which it was."""
        rounds = range(1, self.rounds + 1)
        turns = [(side, round) for round in rounds for side in SIDES]
        return dict(zip(turns, self.transcript.debator_bets, strict=True))

    @property
    def verdicts(self) -> list[Verdict]:
        """The jury's verdicts, in their order."""
        transcript = self.transcript
        return transcript.judge_results if isinstance(transcript, ThreeRounds) else []

    @property
    def prompts(self) -> Prompts | None:
        """The prompts in the transcript."""
        transcript = self.transcript
        return transcript.prompts if isinstance(transcript, ThreeRounds) else None

    @property
    def tokens(self) -> dict[str, dict[str, Tokens]]:
        """Calls and tokens, by `debaters` or `jury` and model; empty if unknown."""
        transcript = self.transcript
        if not isinstance(transcript, ThreeRounds):
            return {}
        counts = {
            "debaters": transcript.debator_token_counts,
            "jury": transcript.judge_token_counts,
        }
        return {who: models for who, models in counts.items() if models}

    @property
    def started(self) -> datetime | None:
        """When it began, as its file's name has it; its time zone is not known."""
        stamps = _STARTED.findall(self.id)
        try:
            naive = datetime.strptime(stamps[-1], "%Y%m%d_%H%M%S")
        except (IndexError, ValueError):
            return None
        return naive.replace(tzinfo=UTC)


def debate_of(id: str, file: str, content: Any) -> Debate:
    """Read a transcript.

    Args:
        id: What the debate is called.
        file: The transcript's path, for the record.
        content: Its JSON.

    Raises:
        UnreadableError: If it is of neither format or an unknown condition, or
            contradicts itself.
    """
    _check_type(content)
    try:
        transcript = parse_transcript(content)
    except ValidationError as error:
        raise UnreadableError(first_of(error)) from error
    rounds = 3 if isinstance(transcript, ThreeRounds) else 4
    condition = _condition(transcript, rounds)
    _check_sides(transcript)
    _check_bets(transcript, rounds)
    return Debate(id, file, condition, transcript)


def first_of(error: ValidationError) -> str:
    """What is wrong first, where, and how much more there is."""
    first, *more = error.errors(include_url=False, include_input=False)
    where = ".".join(str(part) for part in first["loc"]) or "the file"
    others = f" (and {len(more)} more)" if more else ""
    return f"{where}: {first['msg']}{others}"


def _check_type(content: Any) -> None:
    """Another debate type may have another format, so this is checked first."""
    given = content.get("debate_type") if isinstance(content, dict) else None
    if isinstance(given, str) and given not in _CONDITIONS:
        known = ", ".join(_CONDITIONS)
        raise UnreadableError(f"debate_type {given!r} is not known; known: {known}")


def _condition(transcript: Transcript, rounds: int) -> Condition:
    given = transcript.debate_type
    condition, expected = _CONDITIONS[given]
    if rounds != expected:
        raise UnreadableError(
            f"debate_type {given!r} has {expected} rounds; here are {rounds}"
        )
    same = transcript.proposition_model == transcript.opposition_model
    if condition != "cross_model" and not same:
        raise UnreadableError(
            f"debate_type {given!r} is a debate with oneself; here are "
            f"{transcript.proposition_model} and {transcript.opposition_model}"
        )
    return condition


def _check_sides(transcript: Transcript) -> None:
    for side in SIDES:
        given = getattr(transcript, f"{side}_output").side
        if given != side:
            raise UnreadableError(f"{side}_output.side is {given!r}")


def _check_bets(transcript: Transcript, rounds: int) -> None:
    expected = [(side, name) for name in SPEECHES[rounds] for side in SIDES]
    found = [(bet.side, bet.speech_type) for bet in transcript.debator_bets]
    if len(found) != len(expected):
        raise UnreadableError(
            f"debator_bets: {len(found)} bets where {len(expected)} are expected"
        )
    for number, (bet, slot) in enumerate(zip(found, expected, strict=True)):
        if bet != slot:
            raise UnreadableError(
                f"debator_bets.{number}: the bet is of {' '.join(bet)} where "
                f"{' '.join(slot)} is expected"
            )


# The debates of one condition, with what is common to them: parameters and jury.

CONFIG = BetConfig()
"""The rarer settings; the study's are the defaults."""


@dataclass(frozen=True)
class ConditionDebates:
    """The debates of one condition, sorted by their files."""

    name: str
    debates: tuple[Debate, ...]

    @cached_property
    def jurors(self) -> dict[str, str]:
        """The jurors' ids by model, in the order in which they judge a debate.

        Where debates differ in it, as where one lacks a juror, the last place counts,
        and then the name: which file comes first does not matter.
        """
        places: dict[str, int] = {}
        for debate in self.debates:
            bench = dict.fromkeys(verdict.model for verdict in debate.verdicts)
            for place, model in enumerate(bench):
                places[model] = max(place, places.get(model, place))
        models = sorted(places, key=lambda model: (places[model], model))
        if len(models) == 1:
            return dict.fromkeys(models, "judge")
        return {model: f"judge_{n}" for n, model in enumerate(models, start=1)}

    @cached_property
    def passes(self) -> int:
        """How often a juror judged a debate, at most."""
        counts = (Counter(v.model for v in d.verdicts) for d in self.debates)
        return max((max(count.values(), default=0) for count in counts), default=0)

    @cached_property
    def parameters(self) -> BetParameters:
        """The condition's, with the jury that there was."""
        return PRESETS[self.name].model_copy(update={"jury_passes": self.passes})

    @cached_property
    def models(self) -> list[str]:
        """The debaters, in the order in which they first appear."""
        models = (m for debate in self.debates for m in debate.models.values())
        return list(dict.fromkeys(models))

    def repetition(self, debate: Debate) -> int:
        """For the how manieth time its models debate its motion, from 1."""
        return self._alike[_what(debate)].index(debate.file) + 1

    @cached_property
    def _alike(self) -> dict[tuple[str, ...], list[str]]:
        alike: dict[tuple[str, ...], list[str]] = {}
        for debate in sorted(self.debates, key=_when):
            alike.setdefault(_what(debate), []).append(debate.file)
        return alike


def conditions_of(debates: Iterable[Debate]) -> list[ConditionDebates]:
    """Debates by condition, in the order in which the study names these."""
    debates = tuple(debates)
    found = {
        condition: tuple(d for d in debates if d.condition == condition)
        for condition in CONDITIONS
    }
    return [
        ConditionDebates(name, debates) for name, debates in found.items() if debates
    ]


def prompts_of(given: Prompts | None) -> PromptSet:
    """The study's prompts, overridden by those in a transcript.

    Args:
        given: A transcript's prompts; a four-round one has none.
    """
    own = load_prompts("confidence")
    if given is None:
        return own
    theirs = as_overlay("the transcript's prompts", "confidence", given.model_dump())
    laid = {
        key: Prompt(text=str(text), placeholders=own.prompts[key].placeholders)
        for key, text in theirs.items()
    }
    return PromptSet(name=own.name, prompts=own.prompts | laid)


def _what(debate: Debate) -> tuple[str, ...]:
    return debate.motion, *debate.models.values()


def _when(debate: Debate) -> tuple[str, str]:
    return debate.started.isoformat() if debate.started else "", debate.file
