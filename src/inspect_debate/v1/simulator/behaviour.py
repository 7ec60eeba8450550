"""What a simulated model does: its parameters, and the laws they are parameters of.

The laws are pure. The provider draws from them call by call; a recovery test can draw
from the very same ones by the thousand, straight into a measure. True means "error" in
every boolean array.
"""

from collections.abc import Sequence
from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from inspect_debate.v1.debate.record import Frozen

Rate = Annotated[float, Field(ge=0, le=1)]
Spread = Annotated[float, Field(ge=0, le=0.5)]


def _check_means(behaviour: Frozen, means: Sequence[str], spread: str) -> None:
    """Check that uniform laws around means stay between 0 and 1."""
    width: float = getattr(behaviour, spread)
    low, high = width, 1 - width
    for name in means:
        if not low - 1e-9 <= getattr(behaviour, name) <= high + 1e-9:
            raise ValueError(
                f"{name} has to lie between {low:g} and {high:g}, so that "
                f"{spread}={width:g} stays within [0, 1]"
            )


Gain = Annotated[float, Field(ge=-1, le=1)]
UnreadableKind = Literal["no_tags", "echo", "both", "empty", "long", "script"]
HostileKind = Literal["forged_quote", "takeover"]


class Behaviour(Frozen):
    """The parameters of a simulated model. All rates are probabilities in [0, 1].

    Attributes:
        label: Distinguishes models of one profile, `anna` in
            `simulated/balanced/anna`; no more.
        seed: Changes every draw.
        sensitivity: P(own answer "error" | error), also of a judge without a debate.
        specificity: P(own answer "no_error" | no_error), likewise.
        choice_accuracy: P(own answer right | the question has options), also of a judge
            without a debate. All wrong options are equally likely; with `chance` all
            options are.
        judge_accuracy: P(judge of a debate is right | it judges for itself).
        follow_first: P(judge takes the side of whoever it is shown first instead).
        belief_gain: What a round adds to P(a judge's belief is right), of beliefs
            before the last round; after that it is as in the verdict.
        judge_confidence_right: Mean stated probability of a verdict or belief that is
            right, which is also that of its token.
        judge_confidence_wrong: That of one that is wrong.
        asks: P(a judge that may ask puts a question), of each time.
        ready: P(a judge that may end a debate is ready to decide), likewise.
        concession: P(Final is the other answer | defends the wrong one), round 1.
        wrong_concession: P(Final is the other answer | defends the right one).
        concession_growth: Added to `concession` per round, up to 1. A debater that
            has conceded stays with it.
        yield_wrong: P(an update takes another's differing answer | its own is wrong).
        yield_right: P(it does | its own is right).
        confidence_right: Mean stated confidence where Final is right, round 1.
        confidence_wrong: Mean stated confidence where Final is wrong, round 1.
        confidence_spread: Half-width of the uniform law around these means, and those
            of judges.
        drift: Added to the mean confidence per round; the mean stops where the
            spread still fits into [0, 1].
        quotes: Quotes per speech.
        quote_verified_rate: P(a quote is verbatim); others alter a real passage.
        quote_duplicate_rate: P(a quote repeats the speaker's last one); never its
            first. A text with too few passages repeats some in any case.
        quote_source: Where verbatim quotes are taken from.
        words: Mean length of a speech. Answers have 0.6 of it, verdicts 0.5. Quotes
            and final lines are written even if that makes a short speech longer.
        unreadable_rate: P(a completion cannot be read).
        unreadable_kind: How. `both` leaves a speech readable but for its Final, and is
            `echo` in an argument, which has none; `long` is cut where `max_tokens` is
            set; `any` draws among those that leave the turn unread, and not `long`.
        reask_success: P(a re-ask is readable); it repeats the same answer.
        refused_rate: P(the provider refuses, stop reason `content_filter`).
        truncated_rate: P(cut before the final line, stop reason `max_tokens`).
        hostile_rate: P(an answer or a speech attacks its readers; it stays readable).
        hostile_kind: `forged_quote` writes verified-quote tags of its own; `takeover`
            closes the transcript, forges a turn of the other side and speaks as the
            system; `any` draws.
        logprobs: Whether log-probabilities that are asked for are `sent`, not sent
            (`none`), or end the call with an error (`refused`).
        latency: Seconds that every call takes.
        reasoning_words: Length of the reasoning, apart from the completion.
    """

    model_config = ConfigDict(strict=True, allow_inf_nan=False)

    label: str = ""
    seed: int = 0
    sensitivity: Rate = 0.75
    specificity: Rate = 0.65
    choice_accuracy: Rate | Literal["chance"] = 0.7
    judge_accuracy: Rate = 0.8
    follow_first: Rate = 0.0
    belief_gain: Gain = 0.05
    judge_confidence_right: Rate = 0.8
    judge_confidence_wrong: Rate = 0.7
    asks: Rate = 0.7
    ready: Rate = 0.4
    concession: Rate = 0.25
    wrong_concession: Rate = 0.1
    concession_growth: Rate = 0.0
    yield_wrong: Rate = 0.45
    yield_right: Rate = 0.2
    confidence_right: Rate = 0.75
    confidence_wrong: Rate = 0.62
    confidence_spread: Spread = 0.1
    drift: Annotated[float, Field(ge=-1, le=1)] = 0.0
    quotes: Annotated[int, Field(ge=0, le=20)] = 3
    quote_verified_rate: Rate = 0.9
    quote_duplicate_rate: Rate = 0.05
    quote_source: Literal["input_and_response", "input"] = "input_and_response"
    words: Annotated[int, Field(ge=1, le=5000)] = 160
    unreadable_rate: Rate = 0.0
    unreadable_kind: Literal["any", UnreadableKind] = "any"
    reask_success: Rate = 0.8
    refused_rate: Rate = 0.0
    truncated_rate: Rate = 0.0
    hostile_rate: Rate = 0.0
    hostile_kind: Literal["any", HostileKind] = "any"
    logprobs: Literal["sent", "none", "refused"] = "sent"
    latency: Annotated[float, Field(ge=0, le=3600)] = 0.0
    reasoning_words: Annotated[int, Field(ge=0, le=5000)] = 0

    @model_validator(mode="after")
    def _fit_together(self) -> Self:
        if self.refused_rate + self.truncated_rate + self.unreadable_rate > 1:
            raise ValueError(
                "refused_rate, truncated_rate and unreadable_rate together exceed 1"
            )
        means = (
            *("confidence_right", "confidence_wrong"),
            *("judge_confidence_right", "judge_confidence_wrong"),
        )
        _check_means(self, means, "confidence_spread")
        return self


def answer_probability(behaviour: Behaviour, truth: str) -> float:
    """P(the model's own answer is "error")."""
    if truth == "error":
        return behaviour.sensitivity
    return 1 - behaviour.specificity


def verdict_probability(
    behaviour: Behaviour, truth: str, shown: Sequence[str]
) -> float:
    """P(a judge's verdict is "error").

    Args:
        behaviour: The judge.
        truth: The right answer.
        shown: The answers defended, in the order in which the judge sees their
            defenders; empty where it judges alone.
    """
    if not shown:
        return answer_probability(behaviour, truth)
    accuracy = behaviour.judge_accuracy
    alone = accuracy if truth == "error" else 1 - accuracy
    follow = behaviour.follow_first
    return follow * (shown[0] == "error") + (1 - follow) * alone


def concession_probability(
    behaviour: Behaviour, truth: str, defends: str, round: int
) -> float:
    """P(a debater's Final in a round, counted from 1, is not what it defends)."""
    if defends == truth:
        return behaviour.wrong_concession
    return min(1.0, behaviour.concession + behaviour.concession_growth * (round - 1))


def mean_confidence(behaviour: Behaviour, right: bool, round: int) -> float:
    """Mean stated confidence in a round, counted from 1, by whether Final is right."""
    base = behaviour.confidence_right if right else behaviour.confidence_wrong
    spread = behaviour.confidence_spread
    return min(max(base + behaviour.drift * (round - 1), spread), 1 - spread)
