"""The chapters on what came of debates: the jury, and bets as probabilities."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from inspect_debate.v1.metrics.agreement import (
    krippendorff_alpha,
    pairwise_agreement,
    repeat_agreement,
    side_share,
    unanimity,
)
from inspect_debate.v1.metrics.calibration import (
    brier,
    expected_calibration_error,
    log_score,
)
from inspect_debate.v1.metrics.intervals import proportion_interval
from inspect_debate.v1.reports.confidence.frames import (
    DEBATE,
    TIE,
    by_condition,
    decisions,
    in_order,
    seats,
    title,
    titled,
    with_motion,
)
from inspect_debate.v1.reports.confidence.measures import (
    ITSELF,
    ONE_DIGIT,
    Data,
    mean_of,
    paper,
)
from inspect_debate.v1.reports.confidence.paper_others import is_published_jury
from inspect_debate.v1.reports.drawing import reliability
from inspect_debate.v1.reports.elements import COUNT, PERCENT, Column, Format
from inspect_debate.v1.reports.estimates import Estimate
from inspect_debate.v1.reports.views import (
    Measure,
    Panels,
    Part,
    View,
    binned,
    known,
    mean,
    total,
)
from inspect_debate.v1.solvers.bet_records import SIDES

COMMAND = "inspect eval inspect_debate/confidence"
_JUDGED = (
    f"`{COMMAND} -T reuse=LOG -T jury_passes=2 --model none --model-role judge=J1,J2`"
)

# The jury: who wins by each rule, and its judges.

_PRINTED = "Majority, even splits to the opposition, as printed"


def _by_rule(data: Data) -> pd.DataFrame:
    """Who won, by debate and rule; without a debate where none is judged."""
    found = []
    for condition, own in by_condition(data.verdicts).items():
        decided = decisions(own)
        if decided.empty:
            decided = decided.reindex([0]).assign(title=title(condition))
        rules = {
            "Sum of confidences, as the paper states": decided["by_sum"],
            "Majority of verdicts": decided["by_majority"],
        }
        if is_published_jury(condition, data.verdicts, data.judged):
            rules[_PRINTED] = decided["by_majority"].replace(TIE, SIDES[1])
        found += [decided.assign(rule=rule, won=won) for rule, won in rules.items()]
    return pd.concat(found) if found else data.verdicts


def _why_printed(rows: pd.DataFrame) -> str:
    if rows["rule"].iloc[0] != _PRINTED:
        return ""
    return (
        "The paper states the sum of confidences, but prints 71.7 %, which follows "
        "from a majority vote whose even splits all go to the opposition."
    )


def _won_by(side: str) -> Measure:
    return Measure(side.capitalize(), lambda rows: int((rows["won"] == side).sum()))


def _opposition_wins(rows: pd.DataFrame) -> float:
    won = rows.loc[rows["debate"].notna(), "won"]
    return float((won == SIDES[1]).mean())


JURY_RULES = View[Data](
    "jury_rules",
    "Who wins, by each rule",
    _by_rule,
    {"Condition": "title", "Rule": "rule"},
    [
        *map(_won_by, (*SIDES, TIE)),
        Measure("Opposition wins", _opposition_wins, PERCENT),
    ],
    note="Debates, and percent of them; a tie counts for neither side.",
    mark=_why_printed,
)


def judged_debates(verdicts: pd.DataFrame, bets: pd.DataFrame) -> pd.DataFrame:
    """Verdicts with whether they are on the judge's own model, and for that.

    Args:
        verdicts: As from `verdicts_of`.
        bets: As from `bets_of`.

    Returns:
        The rows with `on_itself`, and `for_itself`: NaN where the verdict is not on the
        judge's own model against another.
    """
    models = bets[~bets["self_debate"].astype(bool)].drop_duplicates([*DEBATE, "side"])
    sides = models.set_index([*DEBATE, "side"])["model"].unstack("side")
    sides = sides.reindex(columns=list(SIDES)).reset_index()
    rows = verdicts.merge(sides, on=DEBATE, how="left")
    own = pd.concat([rows[side] == rows["judge"] for side in SIDES], axis=1, keys=SIDES)
    won = pd.concat([rows["winner"] == side for side in SIDES], axis=1, keys=SIDES)
    on_itself = own.any(axis=1) & rows["winner"].notna()
    for_itself = (own & won).any(axis=1).astype(float).where(on_itself)
    return rows.assign(on_itself=on_itself, for_itself=for_itself)


def _repeated(rows: pd.DataFrame) -> Any:
    """How far the second pass of a judge agrees with the first."""
    wide = seats(rows)
    first, second = (
        wide.loc[:, wide.columns.get_level_values("pass") == n].droplevel(
            "pass", axis=1
        )
        for n in (1, 2)
    )
    return repeat_agreement(
        first.to_numpy(float), second.reindex(columns=first.columns).to_numpy(float)
    )


def _for_opposition(rows: pd.DataFrame) -> object:
    return side_share(1 - seats(rows).to_numpy(float))


def _mean_confidence(rows: pd.DataFrame) -> float:
    return float(rows.loc[rows["winner"].notna(), "confidence"].mean())


JUDGES = View[Data](
    "judges",
    "The judges one by one",
    lambda data: judged_debates(data.verdicts, data.judged),
    {"Condition": "title", "Judge": "judge"},
    [
        Measure("Verdicts", known("winner")),
        Measure("For the opposition", _for_opposition, PERCENT),
        Measure("Repeated", _repeated, PERCENT),
        Measure("Pairs", lambda rows: _repeated(rows).n, COUNT),
        Measure("On itself", total("on_itself"), COUNT),
        Measure("For itself", lambda rows: rows["for_itself"].mean(), PERCENT),
        Measure("Mean confidence", _mean_confidence, ONE_DIGIT),
    ],
    note="Repeated: of the pairs of verdicts on one debate in two passes, those that "
    "are the same. For itself: of the verdicts on debates of the judge's own model, "
    "those for that side.",
)


def _of_seats(function: Callable[[Any], float]) -> Callable[[pd.DataFrame], float]:
    return lambda rows: function(seats(rows).to_numpy(float))


AGREEMENT = View[Data](
    "jury_agreement",
    "How far the jury agrees",
    lambda data: data.verdicts,
    {"Condition": "title"},
    [
        Measure("Debates", _of_seats(len)),
        Measure("Verdicts", known("winner")),
        Measure("Unanimous", _of_seats(unanimity), PERCENT),
        Measure("Two verdicts agree", _of_seats(pairwise_agreement), PERCENT),
        Measure("Krippendorff's alpha", _of_seats(krippendorff_alpha)),
        Measure("For the opposition", _for_opposition, PERCENT),
    ],
    note="Alpha: agreement beyond chance, at most 1. A judge's passes count as "
    "verdicts of their own.",
)
MOTIONS = View[Data](
    "jury_motions",
    "The jury by motion",
    lambda data: titled(
        with_motion(decisions(data.verdicts), data.judged).sort_values(
            "motion", kind="stable"
        )
    ),
    {"Condition": "title", "Motion": "motion"},
    [
        Measure("Debates", len),
        Measure("Split", lambda rows: 1 - rows["unanimous"].mean(), PERCENT),
        Measure(
            "Opposition wins", lambda rows: (rows["by_sum"] == SIDES[1]).mean(), PERCENT
        ),
        Measure("Ties", lambda rows: int((rows["by_sum"] == TIE).sum()), COUNT),
    ],
    note="Split: debates in which not all verdicts are for one side, in percent. "
    "Winners by the sum of confidences.",
    folded=True,
)


# Closing bets as probabilities of winning.

ALWAYS_EVEN = "Always 50"

_SCORES: dict[str, Callable[[ArrayLike, ArrayLike], float]] = {
    "Brier": brier,
    "Log score": log_score,
}


@lru_cache(maxsize=1024)  # bets are whole percents: the same ones come again
def _score(name: str, bet: float, won: float) -> float:
    return _SCORES[name]([bet], [won])


def _mean_score(name: str, rows: pd.DataFrame) -> Estimate:
    pairs = zip(rows["bet"], rows["won"], strict=True)
    each = [_score(name, bet, won) for bet, won in pairs]
    # A certain bet that is right has the best of scores, one that is wrong the worst.
    bounds = (_score(name, 1.0, 1.0), _score(name, 1.0, 0.0))
    return mean_of("each", bounds)(rows.assign(each=each))


def _always_even(rows: pd.DataFrame) -> Iterator[dict[Column, object]]:
    """The scores of 0.5, which are the same whatever happens."""
    yield {
        "Condition": ALWAYS_EVEN,
        **{name: _score(name, 0.5, 0.5) for name in _SCORES},
    }


_CALIBRATION = [
    Measure("Bets", len, COUNT),
    Measure("Mean bet", mean("bet"), PERCENT),
    Measure("Won", mean("won"), PERCENT),
    *(Measure(name, partial(_mean_score, name), Format(digits=3)) for name in _SCORES),
    Measure(
        "ECE",
        lambda rows: expected_calibration_error(rows["bet"], rows["won"]),
        PERCENT,
    ),
]
CALIBRATION = View[Data](
    "calibration",
    "Closing bets as probabilities",
    lambda data: data.closing,
    {"Condition": "title", "Against": "against"},
    _CALIBRATION,
    note="Against the jury's decision (ties left out), or in debates with oneself the "
    "chance of exactly 50 %. Brier and log score (in nats, bets no nearer to 0 or 100 "
    "than 1) are better when lower, with 95 % intervals by model and debate; ECE: over "
    "ten bins, in percentage points.",
    heads=False,
    also=_always_even,
)


def _by_condition_and_model(rows: pd.DataFrame) -> pd.DataFrame:
    places = {model: n for n, model in enumerate(in_order(rows["model"]))}
    ordered = rows.assign(of=rows["title"] + ", against " + rows["against"])
    groups = {name: n for n, name in enumerate(dict.fromkeys(ordered["of"]))}
    keys = np.lexsort([ordered["model"].map(places), ordered["of"].map(groups)])
    return ordered.iloc[keys]


CALIBRATION_MODELS = View[Data](
    "calibration_models",
    "Closing bets as probabilities, by model",
    lambda data: _by_condition_and_model(data.closing),
    {"Condition": "of", "Model": "model"},
    _CALIBRATION,
    note="As above, with intervals by debate.",
    folded=True,
)


def _won(rows: pd.DataFrame) -> Estimate:
    """The share won, as if bets were independent; of debates with oneself one half."""
    share = rows["won"].mean()
    if rows["against"].iloc[0] == ITSELF:
        return Estimate(share, share, share)
    return Estimate(share, *proportion_interval(rows["won"].sum(), len(rows)))


CALIBRATION_FIGURE = Panels[Data](
    "figure_calibration",
    "Calibration of closing bets",
    lambda data: _by_condition_and_model(data.closing),
    "of",
    lambda panels, data: reliability(
        {name: binned(rows, "bet", _won) for name, rows in panels.items()},
        x_label="closing bet (%)",
        y_label="debates won (%)",
    ),
    "Share of debates won over the closing bet in bins of ten, a panel per condition, "
    "beside the diagonal of perfect calibration.",
    note="Areas are proportional to the number of bets. Against the jury, lines are "
    "95 % intervals, as if bets were independent.",
    sized=False,
)


PARTS: Sequence[Part[Data]] = [
    Part(
        "The jury (Appendix D)",
        [paper("appendix_d.*"), JURY_RULES, JUDGES, AGREEMENT, MOTIONS],
        otherwise="No debate was judged; what is needed, with the logs in place of "
        f"LOG:\n\n- {_JUDGED}",
    ),
    Part(
        "Calibration",
        [CALIBRATION_FIGURE, CALIBRATION, CALIBRATION_MODELS],
        "Bets taken as chances of winning. A jury's decision is not the truth "
        "about a debate; in debates with oneself the chance of one half is.",
        "Bets can be compared with a jury's decision, or in debates with oneself "
        "with the chance of one half. There is neither; what is needed:"
        f"\n\n- {_JUDGED}",
    ),
]
