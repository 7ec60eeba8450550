"""What both sides bet on winning a debate: how sure they are, and whether rightly."""

from math import isnan, nan
from statistics import fmean

import numpy as np
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import TaskState

from inspect_debate.debate.record import Debate
from inspect_debate.debate.text import unescape
from inspect_debate.debate.view import result
from inspect_debate.metrics.bets import brier, chances
from inspect_debate.metrics.intervals import Array, Estimate, mean
from inspect_debate.scorers.common import (
    Values,
    clusters,
    column,
    of_debate,
    scored,
    share,
)
from inspect_debate.scorers.jury import jury_values
from inspect_debate.solvers.bets import SIDES, mentions_bet, stages


@metric(scores="unreduced")
def bet_rates() -> Metric:
    """Mean bets, by how much they rise, and how they fit each other and the outcome.

    `opening` and `closing` are means over both sides, from 0 to 100, and `escalation`
    is the mean rise between them. `over_100` is the share of debates whose closing bets
    sum to more than 100, `both_over_50` that in which each is over 50. `brier` compares
    the closing bets with the jury's winner; between a model and its copy it is the
    expectation with a true chance of 0.5. Missing bets are left out of all these;
    `missing` is their share. The standard error is clustered by sample: the two bets of
    a debate depend on each other, and so do its epochs.
    """

    def compute(scores: list[SampleScore]) -> Values:
        names = clusters(scores)
        opening, closing = (_bets(scores, stage) for stage in ("opening", "closing"))
        first, total = _mean(opening, names, 0, 100), closing.sum(axis=0)
        over_100 = np.where(np.isnan(total), nan, total > 100)
        both_over_50 = np.where(np.isnan(total), nan, (closing > 50).all(axis=0))
        chance = chances(column(scores, "winner"), column(scores, "itself"))
        return {
            "opening": first.value,
            "opening_stderr": first.se or nan,  # no spread, no estimate
            "closing": _mean(closing, names, 0, 100).value,
            "escalation": _mean(closing - opening, names, -100, 100).value,
            "over_100": mean(over_100, names).value,
            "both_over_50": mean(both_over_50, names).value,
            "brier": _mean(brier(closing, [chance, 1 - chance]), names, 0, 1).value,
            "missing": share(scores, "missing", "asked"),
        }

    return compute


@scorer(metrics=[bet_rates()])
def bets() -> Scorer:
    """The bets of both sides, as numbers; see `bet_values`."""

    async def score(debate: Debate, state: TaskState, target: Target) -> Score:
        return bets_score(debate)

    return of_debate(score)


def bets_score(debate: Debate) -> Score:
    """The score of a record: the bets first; see `bet_values`."""
    values = bet_values(debate)
    made = [name for name in values if name.endswith(SIDES)]
    shown = [*made, "escalation", "winner"]
    return scored(values, shown, debate.answer or "", result(debate))


def bet_values(debate: Debate) -> Values:
    """The bets of one debate and what they are compared with; NaN where not known.

    Returns:
        `STAGE_SIDE`, such as `opening_proposition`: the bets, from 0 to 100. `opening`
        and `closing`: their means over both sides; `escalation`: by how much the two
        rose on average. Each needs both sides' bets. `swapped`:
        whether debater_a is the opposition. `itself`: whether a model debates its copy.
        `winner`: 1 for the proposition, 0 for the opposition, 0.5 for a tie, by the
        jury's majority; `winner_by_confidence`: by its summed confidence. `asked`
        counts bets, `missing` those that were not read, `mentions` speeches that may
        still speak of the bet, and `short` speeches below the `shortest` length.
    """
    speeches, named = debate.of("speech"), stages(debate.parameters["rounds"])
    values: Values = {f"{stage}_{side}": nan for stage in named for side in SIDES}
    for turn in speeches:
        stage, side = named[turn.round - 1], debate.defends[turn.role]
        values[f"{stage}_{side}"] = turn.fields.get("bet", nan)
    found = [*values.values()]
    texts = [unescape(turn.public).strip() for turn in speeches]
    jury = jury_values(debate)
    first, last = (
        fmean(values[f"{stage}_{side}"] for side in SIDES)
        for stage in (named[0], named[-1])
    )
    return values | {
        "opening": first,
        "closing": last if len(named) > 1 else nan,
        "escalation": last - first if len(named) > 1 else nan,
        "swapped": float(debate.defends["debater_a"] == "opposition"),
        "itself": float(len({turn.model for turn in speeches}) == 1),
        "winner": _won(jury, "votes"),
        # A sum needs all verdicts (appendix D.3).
        "winner_by_confidence": nan if jury["unread"] else _won(jury, "confidence"),
        "asked": len(found),
        "missing": sum(map(isnan, found)),
        "mentions": sum(mentions_bet(text) > 0 for text in texts),
        "short": sum(len(t) < debate.parameters.get("shortest", 200) for t in texts),
    }


def _won(jury: Values, by: str) -> float:
    """1 or 0; 0.5 for a tie, NaN where there is no vote."""
    if jury["verdicts"] == jury["unread"]:
        return nan
    ahead = jury[f"{by}_proposition"] - jury[f"{by}_opposition"]
    return float((1 + np.sign(ahead)) / 2)


def _bets(scores: list[SampleScore], stage: str) -> Array:
    """The bets of a stage, a row for each side."""
    return np.array([column(scores, f"{stage}_{side}") for side in SIDES])


def _mean(values: Array, names: list[str], low: float, high: float) -> Estimate:
    """The mean over both sides."""
    return mean(values.ravel(), names * len(SIDES), bounds=(low, high))
