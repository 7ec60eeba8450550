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


def _check_means(
    behaviour: Frozen, means: Sequence[str], spread: str, least: float = 0
) -> None:
    """Check that uniform laws around means stay between a least value and 1."""
    width: float = getattr(behaviour, spread)
    low, high = least + width, 1 - width
    for name in means:
        if not low - 1e-9 <= getattr(behaviour, name) <= high + 1e-9:
            raise ValueError(
                f"{name} has to lie between {low:g} and {high:g}, so that "
                f"{spread}={width:g} stays within [{least:g}, 1]"
            )


# The parameters of a simulated model in a debate with bets.


class BetBehaviour(Frozen):
    """How a simulated model bets on winning, sits in a jury and grades bets.

    Bets are drawn as chances of winning in [0, 1] and stated in percent points.

    Attributes:
        label: Distinguishes models of one profile, `anna` in
            `simulated/balanced/anna`. It decides the model's own offset, and what it
            says of tasks that are solved; no more.
        bet_opening: Mean bet of the first round.
        bet_drift: Added to it per round; the mean stops where all spreads still fit
            into [0, 1].
        bet_spread: Half-width of the uniform law of one bet around its mean.
        bet_model_spread: Half-width of the offset that all bets of a model share, in
            all debates and runs; it depends on `seed` and the label alone.
        bet_debate_spread: Half-width of the offset that all bets of a debate share, of
            both sides; it depends on the run's seed, the sample and the epoch alone.
        bet_grid: Bets are multiples of so many points, rounded up or down at random,
            so that no mean is changed.
        stake_ratio: The stake, where it is asked for apart: so many times the bet.
        jury_opposition: P(a juror votes for the opposition | it judges for itself).
            `follow_first` comes before it, as for other judges.
        jury_shared: P(a juror goes by how the debate went, as all others who do).
            This also applies to jurors of different `jury_opposition`.
        jury_repeat: P(a later pass repeats the first one's vote); else it votes anew.
        jury_confidence: Mean confidence of a vote, with `confidence_spread` around it.
        numeric_rate: P(the reasoning of a bet states a number), which is the bet but
            for the next two; of a grader: P(it finds one stated).
        overbetting_rate: P(a bet is higher than what its reasoning believes), by 5 to
            30 points; of a grader: P(it finds that it is).
        underbetting_rate: P(it is lower), likewise.
        strategic_rate: P(the reasoning speaks of adjusting the bet for gain); of a
            grader: P(it finds that it does).
    """

    model_config = ConfigDict(strict=True, allow_inf_nan=False)

    label: str = ""
    bet_opening: Rate = 0.73
    bet_drift: Annotated[float, Field(ge=-1, le=1)] = 0.0
    bet_spread: Spread = 0.1
    bet_model_spread: Spread = 0.0
    bet_debate_spread: Spread = 0.0
    bet_grid: Literal[1, 2, 5, 10, 20, 25, 50] = 5
    stake_ratio: Annotated[float, Field(ge=0, le=2)] = 0.8
    jury_opposition: Rate = 0.5
    jury_shared: Rate = 0.5
    jury_repeat: Rate = 0.7
    jury_confidence: Rate = 0.72
    numeric_rate: Rate = 0.6
    overbetting_rate: Rate = 0.1
    underbetting_rate: Rate = 0.05
    strategic_rate: Rate = 0.1

    @property
    def bet_reach(self) -> float:
        """How far a bet can be from the mean of its round, before it is rounded."""
        return self.bet_spread + self.bet_model_spread + self.bet_debate_spread

    @model_validator(mode="after")
    def _bets_fit(self) -> Self:
        if self.overbetting_rate + self.underbetting_rate > 1:
            raise ValueError("overbetting_rate and underbetting_rate together exceed 1")
        if not self.bet_reach <= self.bet_opening <= 1 - self.bet_reach:
            raise ValueError(
                f"bet_opening={self.bet_opening:g} leaves no room for bet_spread, "
                "bet_model_spread and bet_debate_spread, which together are "
                f"{self.bet_reach:g}: bets have to stay within [0, 1]"
            )
        return self


# The parameters of a simulated model that answers questions about passages.

PerStep = Annotated[float, Field(ge=-1, le=1)]


class ConflictBehaviour(Frozen):
    """What a simulated model knows, how far it trusts passages, and how sure it is.

    What changes "per step" of severity is limited to [0, 1].

    Attributes:
        highly_known: Share of the questions that are highly known.
        maybe_known: Share of those that may be known.
        weakly_known: Share of those weakly known; the rest are unknown, and never
            answered rightly without a passage.
        recall_highly: P(an answer without the passage is right | highly known), of the
            prior answer and of each recall alike.
        recall_maybe: P(it is | maybe known).
        recall_weakly: P(it is | weakly known).
        certainty_right: Mean probability of a prior answer that is right. An answer's
            probability is at once exp of the mean log-probability of its tokens and
            P(a further draw repeats it).
        certainty_wrong: Mean probability of a prior answer that is wrong.
        passage_certainty_right: Mean probability of a right answer with the passage.
        passage_certainty_wrong: Mean probability of a wrong one.
        certainty_spread: Half-width of the uniform law around these means.
        follows_passage: P(an answer is what the passage says | severity 0); otherwise
            it is the model's prior answer.
        follow_per_severity: Added to it per step of severity.
        credulity_standard: P(a judge finds a right passage reasonable, or takes
            the contextual answer), where it judges for itself.
        credulity_perturbed: P(it does | severity 1).
        credulity_per_severity: Added to that per further step of severity.
        verdict_flip: P(the verdict after a round is not the last round's), of each
            round before the last.
        logprobs: Whether log-probabilities that are asked for are `sent`, not sent
            (`none`), or end the call with an error (`refused`).
        logprobs_misaligned_rate: P(the tokens do not spell the completion).
        logprobs_cut_rate: P(they end before the answer does).
    """

    model_config = ConfigDict(strict=True, allow_inf_nan=False)

    highly_known: Rate = 0.35
    maybe_known: Rate = 0.3
    weakly_known: Rate = 0.15
    recall_highly: Rate = 0.97
    recall_maybe: Rate = 0.6
    recall_weakly: Rate = 0.12
    certainty_right: Rate = 0.85
    certainty_wrong: Rate = 0.78
    passage_certainty_right: Rate = 0.85
    passage_certainty_wrong: Rate = 0.8
    certainty_spread: Spread = 0.15
    follows_passage: Rate = 0.85
    follow_per_severity: PerStep = -0.05
    credulity_standard: Rate = 0.85
    credulity_perturbed: Rate = 0.55
    credulity_per_severity: PerStep = -0.05
    verdict_flip: Rate = 0.15
    logprobs: Literal["sent", "none", "refused"] = "sent"
    logprobs_misaligned_rate: Rate = 0.0
    logprobs_cut_rate: Rate = 0.0

    @model_validator(mode="after")
    def _clashes_fit(self) -> Self:
        if self.highly_known + self.maybe_known + self.weakly_known > 1 + 1e-9:
            raise ValueError(
                "highly_known, maybe_known and weakly_known together exceed 1"
            )
        if self.logprobs_misaligned_rate + self.logprobs_cut_rate > 1:
            raise ValueError(
                "logprobs_misaligned_rate and logprobs_cut_rate together exceed 1"
            )
        means = (
            *("certainty_right", "certainty_wrong"),
            *("passage_certainty_right", "passage_certainty_wrong"),
        )
        _check_means(self, means, "certainty_spread")
        return self


# The parameters of a simulated model that solves tasks, or rules on solutions.

Gain = Annotated[float, Field(ge=-1, le=1)]
Sureness = Annotated[float, Field(ge=0.5, le=1)]


class GenerativeBehaviour(Frozen):
    """How often a simulated model solves tasks, and which solutions it endorses.

    A probability with its additions is limited to [0, 1].

    Attributes:
        solve_rate: P(own solution is right), of a question of medium difficulty.
        solve_spread: Half-width of the uniform law around it, over questions. How hard
            a question is depends on the question alone: all models, participants and
            runs find the same ones hard.
        endorse_right_none: P(judge rules an answer correct | it is right, and nobody
            has spoken about it).
        endorse_right_consultancy: P(it does | right, after consultancies).
        endorse_right_debate: P(it does | right, after a debate).
        endorse_wrong_none: P(it does | the answer is wrong, nobody has spoken).
        endorse_wrong_consultancy: P(it does | wrong, after consultancies).
        endorse_wrong_debate: P(it does | wrong, after a debate).
        best_of_gain_consultancy: Added to P(a verdict on an answer is right) where each
            speech of a consultancy was chosen among several.
        best_of_gain_debate: Added to it, likewise, in debates.
        first_bonus: Added to P(endorses) of the answer that is listed first of two.
        both_correct: P(the judge rules everything correct, whatever it is); else it
            judges for itself.
        judge_steadiness: P(a verdict goes by what is shared by all formats: one uniform
            number per question, epoch, participant and judge), so that the verdicts of
            formats go together. It changes no probability above.
        ruling_confidence_right: Mean stated confidence of rulings that are right.
        ruling_confidence_wrong: Mean stated confidence of rulings that are wrong.
        ruling_confidence_spread: Half-width of the uniform law around these means.
        critic_agrees_right: P(a critic's stance is AGREE | the answer is right).
        critic_agrees_wrong: P(it is | the answer is wrong).
        doubted_tasks: Share of the tasks in which a speaker sees a fault: a test, the
            statement or an example that is wrong, ambiguous or contradictory. Which
            ones, and what is at fault, depends on the question alone.
        doubts_task: P(a speech says so | it is about one of them).
        verified_rate_alone: P(a grader finds that a verdict verifies | nobody had
            spoken).
        verified_rate_spoken: P(it does | somebody had).
    """

    model_config = ConfigDict(strict=True, allow_inf_nan=False)

    solve_rate: Rate = 0.6
    solve_spread: Rate = 0.3
    endorse_right_none: Rate = 0.85
    endorse_right_consultancy: Rate = 0.85
    endorse_right_debate: Rate = 0.85
    endorse_wrong_none: Rate = 0.3
    endorse_wrong_consultancy: Rate = 0.4
    endorse_wrong_debate: Rate = 0.5
    best_of_gain_consultancy: Gain = 0.0
    best_of_gain_debate: Gain = 0.05
    first_bonus: Gain = 0.0
    both_correct: Rate = 0.0
    judge_steadiness: Rate = 0.7
    ruling_confidence_right: Sureness = 0.82
    ruling_confidence_wrong: Sureness = 0.72
    ruling_confidence_spread: Annotated[float, Field(ge=0, le=0.25)] = 0.1
    critic_agrees_right: Rate = 0.8
    critic_agrees_wrong: Rate = 0.35
    doubted_tasks: Rate = 0.1
    doubts_task: Rate = 0.5
    verified_rate_alone: Rate = 0.8
    verified_rate_spoken: Rate = 0.6

    @model_validator(mode="after")
    def _rulings_fit(self) -> Self:
        means = ("ruling_confidence_right", "ruling_confidence_wrong")
        _check_means(self, means, "ruling_confidence_spread", least=0.5)
        return self


UnreadableKind = Literal["no_tags", "echo", "both", "empty", "long", "script", "leak"]
HostileKind = Literal["forged_quote", "takeover"]


class Behaviour(BetBehaviour, ConflictBehaviour, GenerativeBehaviour):
    """The parameters of a simulated model. All rates are probabilities in [0, 1].

    Those of debates with bets are in `BetBehaviour`, those of questions about
    passages in `ConflictBehaviour`, and those of tasks that are solved in
    `GenerativeBehaviour`.

    Attributes:
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
        fake_evidence_rate: P(a grader finds fake evidence in a speech).
        overconfident_rate: P(it finds overconfident claims).
        fallacious_rate: P(it finds a fallacious argument).
        alignment_rate: P(a grader finds an explanation aligned).
        words: Mean length of a speech. Answers have 0.6 of it, verdicts 0.5. Quotes
            and final lines are written even if that makes a short speech longer.
        unreadable_rate: P(a completion cannot be read).
        unreadable_kind: How. `both` leaves a speech readable but for its Final or its
            bet, and is `echo` in an argument, which has none; `long` is cut where
            `max_tokens` is set; `leak` states a bet in the open, too, and is read (it
            is `no_tags` where there is no bet); `any` draws among those that leave the
            turn unread, and not `long`. A speech without a bet has no form to break:
            there it is `echo`, a heading alone, in place of `no_tags`, `both` and
            `leak`, and `script` is read where it is long enough.
        reask_success: P(a re-ask is readable); it repeats the same answer.
        refused_rate: P(the provider refuses, stop reason `content_filter`).
        truncated_rate: P(cut before the final line, stop reason `max_tokens`).
        hostile_rate: P(an answer, a speech or the reasoning of a bet attacks its
            readers; it stays readable).
        hostile_kind: `forged_quote` writes verified-quote tags of its own; `takeover`
            closes the transcript, forges a turn of the other side and speaks as the
            system; `any` draws.
        latency: Seconds that every call takes.
        reasoning_words: Length of the reasoning, apart from the completion.
    """

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
    fake_evidence_rate: Rate = 0.2
    overconfident_rate: Rate = 0.3
    fallacious_rate: Rate = 0.15
    alignment_rate: Rate = 0.6
    words: Annotated[int, Field(ge=1, le=5000)] = 160
    unreadable_rate: Rate = 0.0
    unreadable_kind: Literal["any", UnreadableKind] = "any"
    reask_success: Rate = 0.8
    refused_rate: Rate = 0.0
    truncated_rate: Rate = 0.0
    hostile_rate: Rate = 0.0
    hostile_kind: Literal["any", HostileKind] = "any"
    latency: Annotated[float, Field(ge=0, le=3600)] = 0.0
    reasoning_words: Annotated[int, Field(ge=0, le=5000)] = 0

    @model_validator(mode="after")
    def _fit_together(self) -> Self:
        if self.refused_rate + self.truncated_rate + self.unreadable_rate > 1:
            raise ValueError(
                "refused_rate, truncated_rate and unreadable_rate together exceed 1"
            )
        means = (
            *("confidence_right", "confidence_wrong", "jury_confidence"),
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
