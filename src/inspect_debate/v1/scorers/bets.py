"""What both sides bet on winning, and what a jury made of it (study, section 4)."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from inspect_ai.scorer import SampleScore, Score, Target, Value
from inspect_ai.solver import TaskState
from numpy.typing import NDArray

from inspect_debate.v1.debate.outcome import majority, outcome
from inspect_debate.v1.debate.record import DebateRecord, Parsed, Turn
from inspect_debate.v1.metrics.bets import bet_class, both_over, excess
from inspect_debate.v1.metrics.dependence import clustered_mean, dyadic_mean
from inspect_debate.v1.metrics.means import MeanEstimate
from inspect_debate.v1.scorers.common import (
    COUNTS,
    NAN,
    RecordScorer,
    Values,
    by_status,
    clusters,
    column,
    common_values,
    over_scores,
    record_scorer,
    score_of,
    shown,
)
from inspect_debate.v1.solvers.bet_records import (
    BET_OUTSIDE,
    SIDES,
    as_recorded,
    bets_table,
    rounds_of,
    sides_of,
)
from inspect_debate.v1.solvers.bet_records import bets as bets_of
from inspect_debate.v1.solvers.bet_text import mentions_bet, without_bets

SHORT = 200
"""Characters below which a speech is counted as short (study, section 1.1)."""


def bet_values(record: DebateRecord) -> Values:
    """The bets of one debate by side and round, from 0 to 100, and what follows.

    `bet_{round}_{side}` is NaN where there is no bet; `recorded_{round}_{side}` is the
    number that a published data set has in its place. `change_{round}_{side}` is the
    bet less that of the round before, `change_{side}` the closing less the opening
    bet. `opening_sum`, `closing_sum` and `closing_excess` (over 100) are of both
    sides, as are `both_over_50`, `both_over_75` (1 or 0) and `closing_class` (the place
    in `BET_CLASSES`).
    """
    found, recorded, rounds = bets_of(record), as_recorded(record), rounds_of(record)
    values: Values = {}
    for side in SIDES:
        series = [_number(found[side, n]) for n in range(1, rounds + 1)]
        values |= {f"bet_{n}_{side}": bet for n, bet in enumerate(series, start=1)}
        values |= {
            f"recorded_{n}_{side}": _number(recorded[side, n])
            for n in range(1, rounds + 1)
        }
        values |= {
            f"change_{n}_{side}": series[n - 1] - series[n - 2]
            for n in range(2, rounds + 1)
        }
        values[f"change_{side}"] = series[-1] - series[0]
    first = (values["bet_1_proposition"], values["bet_1_opposition"])
    last = (values[f"bet_{rounds}_proposition"], values[f"bet_{rounds}_opposition"])
    return values | {
        "opening_sum": sum(first),
        "closing_sum": sum(last),
        "closing_excess": float(excess(*last)),
        "both_over_50": float(both_over(*last, 50)),
        "both_over_75": float(both_over(*last, 75)),
        "closing_class": float(bet_class(*last)),
        **by_status("bets", found.values()),
    }


TEXT_COUNTS = (
    *("bet_text_stripped", "bet_text_left", "short_speeches"),
    *("stated_n", "stated_gap_sum", "stated_abs_gap_sum", "reasks"),
)
"""What `text_values` counts."""


def text_values(record: DebateRecord) -> Values:
    """What the texts of one debate hold.

    `bet_text_stripped` counts speeches that speak of bets outside the tags, which other
    participants are not shown, and `bet_text_left` those that still do;
    `short_speeches` are those below 200 characters. `stated_n` counts bets whose
    private reasoning states a probability to win, `stated_gap_sum` and
    `stated_abs_gap_sum` add up the bets less that, in percent points.
    """
    speeches = record.of_kind("speech")
    shown = [without_bets(turn.public) for turn in speeches]
    gaps = _stated_gaps(record)
    return {
        "bet_text_stripped": sum(map(_spoke_of_bet, speeches)),
        "bet_text_left": sum(map(mentions_bet, shown)),
        "short_speeches": sum(len(text.strip()) < SHORT for text in shown),
        "stated_n": len(gaps),
        "stated_gap_sum": sum(gaps),
        "stated_abs_gap_sum": sum(map(abs, gaps)),
        "reasks": sum(len(turn.superseded) for turn in record.turns),
    }


def won_values(record: DebateRecord) -> Values:
    """Whether the proposition won, by the jury: 1 or 0, NaN for a tie or no jury.

    `proposition_won` by the greater sum of confidences (Appendix D.3),
    `proposition_won_majority` by the majority of votes. `self_debate` tells whether
    one model was on both sides.
    """
    votes = [turn.field("answer") for turn in record.of_kind("verdict")]
    return {
        "proposition_won": _won(outcome(record).answer),
        "proposition_won_majority": _won(majority(votes).answer),
        "self_debate": float(len(set(models_of(record).values())) == 1),
    }


def models_of(record: DebateRecord) -> Mapping[str, str]:
    """The model on each side."""
    found = sides_of(record)
    return {
        side: record.participant(found[side]).model for side in SIDES if side in found
    }


# The numbers at the end of a run. Two bets of one debate share it, and the bets of one
# model share that: errors are clustered by both, where a run has several models.

Numbers = NDArray[np.float64]


@over_scores
def confidences(scores: list[SampleScore]) -> Value:
    """Opening and closing bets, by how many points they rise, and both over 50.

    Bets are means from 0 to 100 over both sides; `both_over_50` is the share of debates
    whose closing bets cannot both be right. Each with its standard error.
    """
    if not scores:  # Inspect asks before the first sample
        return {"opening": NAN}
    opening, closing = (
        [column(scores, f"{when}_{side}") for side in SIDES]
        for when in ("opening", "closing")
    )
    rise = [last - first for first, last in zip(opening, closing, strict=True)]
    over = [both_over(pro, opp, 50) for pro, opp in zip(*closing, strict=True)]
    sides = [[_model(score, side) for score in scores] for side in SIDES]
    return {
        **_over_sides("opening", scores, opening),
        **_over_sides("closing", scores, closing),
        **_over_sides("rise", scores, rise),
        **_estimated("both_over_50", dyadic_mean(over, *sides)),
    }


def _over_sides(
    name: str, scores: Sequence[SampleScore], values: Sequence[Numbers]
) -> dict[str, float]:
    debates = clusters(scores) * len(SIDES)
    models = [_model(score, side) for side in SIDES for score in scores]
    ways = [debates, models] if len(set(models)) > 1 else [debates]
    return _estimated(name, clustered_mean(np.concatenate(values), *ways))


def _estimated(name: str, found: MeanEstimate) -> dict[str, float]:
    return shown(name, found.value, found.standard_error)


def _model(score: SampleScore, side: str) -> str:
    sides = (score.score.metadata or {}).get("sides", {})
    return str(sides.get(side))


@record_scorer(confidences, "confidence")
def bets() -> RecordScorer:
    """Bets on winning: how sure both sides are before and after the debate.

    Returns:
        A scorer with the values `opening_<side>` and `closing_<side>`, the first and
        the last bet from 0 to 100, and the new `calls` and `tokens`; the models on both
        sides and the motion are in its metadata.
    """

    def score(record: DebateRecord, state: TaskState, target: Target) -> Score:
        motion = (state.metadata or {}).get("motion", state.sample_id)
        return score_of(
            record,
            _values(record),
            explanation="\n".join(bets_table(record)),
            metadata={
                "sides": dict(models_of(record)),
                "motion": str(motion),
                COUNTS: text_values(record),
            },
        )

    return score


def _values(record: DebateRecord) -> Values:
    found, spent = bet_values(record), common_values(record, "")
    rounds = rounds_of(record)
    return {
        **{f"opening_{side}": found[f"bet_1_{side}"] for side in SIDES},
        **{f"closing_{side}": found[f"bet_{rounds}_{side}"] for side in SIDES},
        "calls": spent["calls"],
        "tokens": spent["tokens"],
    }


def _spoke_of_bet(turn: Turn) -> bool:
    """Whether a speech mentioned its bet; in debates of our own that text was cut."""
    if (outside := turn.field(BET_OUTSIDE).value) is not None:
        return bool(outside)
    return mentions_bet(turn.public)


def _stated_gaps(record: DebateRecord) -> list[float]:
    """Bets less the probability that their own reasoning states."""
    gaps = []
    for turn in record.turns:
        bet = turn.field("bet").value
        stated = stated_probability(turn.private) if bet is not None else None
        if stated is not None and bet is not None:
            gaps.append(float(bet) - sum(stated) / 2)
    return gaps


def _number(parsed: Parsed) -> float:
    return NAN if parsed.value is None else float(parsed.value)


def _won(answer: str | None) -> float:
    return NAN if answer is None else float(answer == SIDES[0])


# A probability of winning that a text states as a figure, read without a model.
#
# Conservative: what may be evidence, somebody else's chance, the bet itself, a bound or
# the chance from which any debater starts is not read, and where two figures differ
# none is. Against the labels of the confidence study's own grader, for 1,399 published
# bets: of 619 whose reasoning is said to state a figure it reads 470, 468 of them as
# the same figure or range, and it reads 3 of the other 780.


class Stated(NamedTuple):
    """A probability in percent; both ends are one where no range is stated."""

    low: float
    high: float


_MARKS = str.maketrans("‘’", "''", "*_`\u200b\ufeff")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|[\r\n]+")

_NUMBER = r"[0-9]{1,3}(?:\.[0-9]{1,9})?"
_FIGURE = re.compile(
    rf"(?<![\w.,/$€£-])(?P<low>{_NUMBER})\s?(?:%|percent\b)?"
    rf"(?:\s?(?:[-‐-―−]|to\b)\s?(?P<high>{_NUMBER}))?"
    r"\s?(?:%|percent\b|/\s?100\b|out of 100\b)(?![\w/])",
    re.I,
)
_TOPIC = r"(?:chances?|probability|likelihood|odds|confidence|confident|certain|sure)"
# "my chances of winning are around 70%", "Win probability: 70%"
_NAMED_BEFORE = re.compile(rf"\b{_TOPIC}\b[^%]{{0,60}}\Z", re.I)
# "a 70% chance of winning", "an 80% win probability", "70% likely to prevail"
_NAMED_AFTER = re.compile(
    rf"[\s-]?(?:(?:overall|estimated|win|winning|of)[\s-]){{0,2}}{_TOPIC}\b"
    r"(?!\s(?:intervals?|levels? in|of (?:los|defeat|failure)|against))"
    r"|\slikely\sto\s(?:win|prevail)\b",
    re.I,
)
_OTHERS_AFTER = re.compile(
    r".{0,40}\b(?:opponents?|opposition|proposition|they|judges?)\s(?:\w+\s){0,2}"
    r"(?:win|prevail|succeed)",
    re.I,
)
_WINNING = re.compile(r"\b(?:win|wins|winning|victory|prevail(?:s|ing)?)\b", re.I)
_PERSON = re.compile(
    r"\b(?:(?P<own>I|me|my|mine|myself|we|our|us)"
    r"|(?P<other>opponents?|opposition|proposition|they|their|them|judges?|you|your"
    r"|his|her|its|both|each|either))\b",
    re.I,
)
_EVIDENCE = re.compile(
    r"\b(?:evidence|stud(?:y|ies)|data|statistics?|examples?|polls?|surveys?|cited?|citing"
    r"|show(?:s|ed|ing)?|public|voters?|trust|threshold|rates?|bets?|betting|stake"
    r"|staking|wager)\b",
    re.I,
)
_BOUND = re.compile(
    r"\b(?:above|over|below|under|than|exceed(?:s|ing)?|least|most|up|from|not|never|no"
    r"|close|near|nearly|almost|beyond|away|given)\W+(?:\w+\W+){0,2}\Z|n't\b",
    re.I,
)
_STARTING = re.compile(
    r"\b(?:theoretical(?:ly)?|inherent(?:ly)?|base(?:line)?|default|prior|initial(?:ly)?"
    r"|start(?:s|ed|ing)?|logical(?:ly)?|rational(?:ly)?|objective(?:ly)?|identical"
    r"|definition|same|copy|clone|doubt|if|unless|whether)\b",
    re.I,
)


def stated_probability(reasoning: str) -> Stated | None:
    """The probability of winning that a debater states in its reasoning.

    Args:
        reasoning: What it wrote before it bet.

    Returns:
        The figure or range; None where none is stated with certainty.
    """
    plain = unicodedata.normalize("NFKC", reasoning).translate(_MARKS)
    found = {
        (float(figure["low"]), float(figure["high"] or figure["low"]))
        for sentence in _SENTENCE_END.split(plain)
        for figure in _FIGURE.finditer(sentence)
        if _is_own_chance(*_around(sentence, figure))
    }
    if len(found) != 1:
        return None
    stated = Stated(*found.pop())
    return stated if stated.low <= stated.high <= 100 else None


def _around(sentence: str, figure: re.Match[str]) -> tuple[str, str]:
    start, end = figure.span()
    return sentence[max(0, start - 200) : start], sentence[end : end + 100]


def _is_own_chance(before: str, after: str) -> bool:
    """Whether a figure is the speaker's chance, by the words around it."""
    if not (_NAMED_BEFORE.search(before) or _NAMED_AFTER.match(after)):
        return False
    persons = list(_PERSON.finditer(before))
    last = persons[-1] if persons else None
    own = last is not None and last["own"] is not None
    if (last and not own) or not (own or _WINNING.search(before + after)):
        return False
    near = before[last.end() if last else 0 :]
    return not (
        _EVIDENCE.search(near)
        or _STARTING.search(before[-60:] + after[:20])
        or _BOUND.search(before[-25:])
        or _OTHERS_AFTER.match(after)
    )
