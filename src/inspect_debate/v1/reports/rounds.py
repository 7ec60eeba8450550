"""Debates that a judge ends: what their rounds are worth, and how much they quote.

The measures of `metrics/rounds.py`, of debates whose judge says before the first round
and at the end how probable each answer is.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

import pandas as pd

from inspect_debate.v1.debate.outcome import votes_missing
from inspect_debate.v1.debate.probabilities import judged_probabilities
from inspect_debate.v1.debate.quotes import quoted
from inspect_debate.v1.debate.record import DebateRecord, Turn
from inspect_debate.v1.metrics.dependence import clustered_mean
from inspect_debate.v1.metrics.rounds import (
    COST,
    bits_per_round,
    favoured_error,
    judge_scores,
    quoted_characters,
)
from inspect_debate.v1.reports.elements import COUNT, PERCENT, Column, Format
from inspect_debate.v1.reports.estimates import clusters, of_mean, ratio
from inspect_debate.v1.reports.views import Columns, Measure, View

D = TypeVar("D")


ROUND_FACTS = ("per_round", "believed", "consultant")
"""What `round_facts` gives."""


class Round(NamedTuple):
    """The characters of a round's speeches: all, quoted for the first time, quoted."""

    characters: int
    new: int
    quoted: int


def round_facts(
    record: DebateRecord, right: set[str], passage: str | None
) -> dict[str, Any]:
    """What a debate's rounds and its first judge's probabilities are.

    Args:
        record: The debate.
        right: The right answer, as the record has it.
        passage: The text that speeches quote.

    Returns:
        `per_round`: a `Round` for each round of speeches; `believed`: what the judge
        thought how probable the right answer is, in words: before the first round,
        after each, and at the end, or nothing where the first or all others are not
        known; `consultant`: "honest" or "dishonest" where there is one who was assigned
        an answer.
    """
    speeches = [turn for turn in record.spoken() if turn.kind == "speech"]
    by_round: dict[int, list[Turn]] = {}
    for turn in speeches:
        by_round.setdefault(turn.round, []).append(turn)
    spans = [
        [
            [
                (quote.start, quote.end)
                for quote in turn.quotes
                if quote.start is not None and quote.end is not None
                if quote.source == "passage"
            ]
            for turn in turns
        ]
        for turns in by_round.values()
    ]
    counts = quoted_characters(spans, passage or "")
    return {
        "per_round": tuple(
            Round(sum(map(_length, turns)), *count)
            for turns, count in zip(by_round.values(), counts, strict=True)
        ),
        "believed": _believed(record, right),
        "consultant": _consultant(record, speeches, right),
    }


def _length(speech: Turn) -> int:
    """Characters without the tags of quotes, and the marks in place of some tags."""
    marked = sum(quote.empty and not quote.verified for quote in speech.quotes)
    return sum(len(part.text) for part in quoted(speech.public)) - 2 * marked


def _believed(record: DebateRecord, right: set[str]) -> tuple[float, ...]:
    found: dict[float, float] = {}
    judge = next((p.id for p in record.participants if p.role == "judge"), None)
    for one in judged_probabilities(record):
        stated = one.judge == judge and one.channel == "stated" and one.p is not None
        if not stated or one.claim not in right:
            continue
        if one.kind == "belief":
            found[-1 if one.alone else one.round] = float(one.p or 0)
        elif one.kind == "verdict" and not votes_missing(record):
            # In place of what it believed after the last round.
            last = max((turn.round for turn in record.spoken()), default=0)
            found[last] = float(one.p or 0)
    series = tuple(found[round] for round in sorted(found))
    return series if -1 in found and len(series) > 1 else ()


def _consultant(
    record: DebateRecord, speeches: list[Turn], right: set[str]
) -> str | None:
    speakers = {turn.participant for turn in speeches}
    if len(speakers) != 1 or not right:
        return None
    assigned = record.participant(speakers.pop()).defends
    if assigned is None:
        return None
    return "honest" if assigned in right else "dishonest"


def measures(rows: pd.DataFrame) -> dict[Column, object]:
    """The measures of some debates, by title.

    Args:
        rows: The columns of `round_facts`, and what names the cluster.
    """
    lengths = rows["per_round"].map(len)
    first, last = (rows["believed"].str[end] for end in (0, -1))
    every = [p for believed in rows["believed"] for p in believed]
    pooled = pd.DataFrame(
        [one for rounds in rows["per_round"] for one in rounds],
        columns=pd.Index(Round._fields),
    )
    names = list(clusters(rows))
    return {
        "Debates": len(rows),
        "Rounds": of_mean(clustered_mean(lengths, names)),
        "SD": float(lengths.std(ddof=0)),
        "Characters": float(pooled["characters"].mean()),
        "New quotes": float(pooled["new"].mean()),
        "Quoted before": 1 - pooled["new"].sum() / max(pooled["quoted"].sum(), 1),
        "Bits": bits_per_round(first, last, lengths),
        "Judge's score": of_mean(clustered_mean(judge_scores(last, lengths), names)),
        "ECE": favoured_error(last),
        "ECE, all": favoured_error(every),
    }


FORMATS: Mapping[Any, Format] = {
    **dict.fromkeys(("Debates", "Characters", "New quotes"), COUNT),
    **dict.fromkeys(("Rounds", "SD"), Format(1)),
    **dict.fromkeys(("Bits", "Judge's score"), Format(2)),
    **dict.fromkeys(("Quoted before", "ECE", "ECE, all"), PERCENT),
}


def rounds_view(rows: Callable[[D], pd.DataFrame], by: Mapping[str, str]) -> View[D]:
    """The table of debates whose judge says what it believes before and at the end.

    Args:
        rows: The scored samples of a report, with the columns of `round_facts`.
        by: As `View.by`.
    """

    def judged(data: D) -> pd.DataFrame:
        found = rows(data)
        return found[found["believed"].map(lambda p: isinstance(p, tuple) and p != ())]

    return View(
        "rounds",
        "Rounds, quotes, and what judges earn",
        judged,
        by,
        [Columns(measures, FORMATS)],
        note="As Michael et al. 2023 (arXiv 2311.08702) measure them. Rounds: mean and "
        "standard deviation (SD). Characters of all speeches, characters that are "
        "quoted for the first time, and bits, by which log2 of the right answer's "
        "probability rises, are per round, over all rounds of a condition. Quoted "
        "before: of the quoted characters, in percent. Judge's score: log2 of that "
        f"probability at the end, less {COST:g} for each round. ECE: the calibration "
        "error of the favoured answer, half right in a tie, over ten bins: of the last "
        "judgement, and of all, those before the debate among them. 95 % intervals are "
        "clustered by group of samples.",
    )


def consultants_view(
    rows: Callable[[D], pd.DataFrame], by: Mapping[str, str]
) -> View[D]:
    """The table of how often judges are right of honest and dishonest consultants.

    Args:
        rows: As for `rounds_view`.
        by: As `View.by`.
    """

    def consulted(data: D) -> pd.DataFrame:
        found = rows(data).dropna(subset=["consultant"])
        names = [*by.values(), "consultant"]
        honest_first = [name != "consultant" for name in names]
        return found.sort_values(names, ascending=honest_first, kind="stable")

    return View(
        "consultants",
        "Accuracy by whether the consultant's answer is right",
        consulted,
        {**by, "Consultant": "consultant"},
        [
            Measure(
                "Accuracy",
                lambda of: ratio(
                    of, of["correct"].fillna(0.0), pd.Series(1.0, of.index)
                ),
                PERCENT,
            ),
            Measure("Samples", len, COUNT),
        ],
        note="Percent of the scored samples; one without an outcome, such as a tie, "
        "counts as wrong.",
    )
