"""Judges' probabilities beside the truth: the chapter that reports share.

`probability_rows` takes them from a debate; `chapter` makes a section of them, which
reports without any probability do not have.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import nan
from typing import Any, NamedTuple, TypeVar

import pandas as pd
from inspect_ai.log import EvalSample

from inspect_debate.v1.debate.outcome import votes_missing
from inspect_debate.v1.debate.participants import PEOPLE, PERSON
from inspect_debate.v1.debate.probabilities import (
    JudgedProbability,
    judged_probabilities,
)
from inspect_debate.v1.debate.record import DebateRecord
from inspect_debate.v1.metrics.calibration import (
    FLOOR,
    Bins,
    brier_parts,
    error_if_calibrated,
    expected_calibration_error,
    log_losses,
    squared_errors,
)
from inspect_debate.v1.metrics.dependence import clustered_mean
from inspect_debate.v1.metrics.means import FEWEST
from inspect_debate.v1.metrics.paired import PairedDifference, holm
from inspect_debate.v1.metrics.probabilities import (
    MOVED,
    ClusteredRows,
    auroc_interval,
    moves,
    paired_auroc,
    paired_scores,
    sharpness,
)
from inspect_debate.v1.metrics.shares import share
from inspect_debate.v1.reports.drawing import reliability
from inspect_debate.v1.reports.elements import (
    COUNT,
    P_VALUE,
    PERCENT,
    POINTS,
    Column,
    Format,
    Item,
)
from inspect_debate.v1.reports.estimates import Estimate, of_mean
from inspect_debate.v1.reports.judges.verdicts import group_of, right_answers
from inspect_debate.v1.reports.samples import Held
from inspect_debate.v1.reports.views import (
    Columns,
    Interval,
    Measure,
    Panels,
    Part,
    Plot,
    Rows,
    View,
    binned,
)

D = TypeVar("D")

SEED = 0
"""Of all resampling, so that the same logs give the same report."""

# From records to rows.


class ProbabilityRow(NamedTuple):
    """A judge's probability of a claim, and whether the claim is true.

    Attributes:
        run: With `id` and `epoch` the sample.
        id: The sample's id.
        epoch: Its epoch.
        question: What makes rows dependent.
        judge: The model, with the judge's id where several judges are one model.
        judges: The models of all judges of the debate that give probabilities.
        kind: `verdict` or `belief`.
        round: After which round; -1 before anything but the question was known.
        order: In which order the debate was shown; empty where there is none.
        channel: How the probability was given, and where, as readers see it.
        claim: What is held to be true.
        p: The probability; NaN without one.
        status: `ok`, or why there is none.
        right: 1 where the claim is true, 0 where not, NaN where that is not known.
    """

    run: str
    id: str
    epoch: int
    question: str
    judge: str
    judges: str
    kind: str
    round: int
    order: str
    channel: str
    claim: str
    p: float
    status: str
    right: float


ALONE = -1
"""The round of a belief that the question alone gave."""

CHANNELS = {"stated": "Stated", "token": "Token", "sampled": "Sampled"}
PLACES = {"before_reasons": "before reasons", "after_reasons": "after reasons"}


def probability_rows(held: Held) -> list[ProbabilityRow]:
    """The probabilities of a debate that was not stopped, beside the truth.

    Without those of verdicts where some were not asked for because of the others: these
    have more of the debates on which a judge was unsure.

    Args:
        held: A sample and its debate.
    """
    log, sample, record = held
    if record is None or not record.complete:
        return []
    found = comparable(judged_probabilities(record))
    if votes_missing(record):
        found = [one for one in found if one.kind != "verdict"]
    if not found:
        return []
    models = {one.judge: record.participant(one.judge).model for one in found}
    names = {
        judge: model if [*models.values()].count(model) == 1 else f"{model} ({judge})"
        for judge, model in models.items()
    }
    truth = _truth(record, sample, {one.claim for one in found})
    return [
        ProbabilityRow(
            run=log.header.eval.eval_id,
            id=str(sample.id),
            epoch=sample.epoch,
            question=group_of(sample),
            judge=names[one.judge],
            judges=", ".join(names[judge].rpartition("/")[2] for judge in models),
            kind=one.kind,
            round=ALONE if one.alone else one.round,
            order=one.order or "",
            channel=", ".join(
                [CHANNELS[one.channel]] + ([PLACES[one.place]] if one.place else [])
            ),
            claim=one.claim,
            p=nan if one.p is None else one.p,
            status=one.status,
            right=truth(one.claim),
        )
        for one in found
    ]


def comparable(found: Sequence[JudgedProbability]) -> list[JudgedProbability]:
    """The probabilities that can be put side by side.

    Reports are on first verdicts, not on those after a challenge. A belief before a
    debate that was not held, or was on fewer answers, does not say how a judge moved.
    """
    held = {one.among for one in found if one.kind == "belief" and not one.alone}
    return [
        one
        for one in found
        if one.kind == "verdict" or (one.kind == "belief" and one.among in held)
    ]


def _truth(
    record: DebateRecord, sample: EvalSample, claims: set[str]
) -> Callable[[str], float]:
    """Whether a claim is true: 1, 0, or NaN."""
    right = right_answers(sample.target, record)
    # Between two forms of the right answer no judge can be wrong.
    known = right and len(claims & right) < 2
    return lambda claim: float(claim in right) if known else nan


# The rows of a report: of its conditions, with panels as judges of their own.

_KEY = ["run", "id", "epoch"]
_VERDICT = [*_KEY, "judge", "kind", "round", "order", "channel"]
_ORDERED = [
    *(CHANNELS["stated"], *(f"Stated, {place}" for place in PLACES.values())),
    *(CHANNELS["token"], *(f"Token, {place}" for place in PLACES.values())),
    CHANNELS["sampled"],
]
_POOLED = {"mean": 2, "median": 3}
"""How panels' probabilities are pooled, each of so many judges at least."""


def condition_rows(
    found: Iterable[ProbabilityRow], conditions: pd.DataFrame, claim: str | None = None
) -> pd.DataFrame:
    """The probabilities of a report's samples, in the order of its conditions.

    Args:
        found: As from `probability_rows`.
        conditions: `run`, `id` and `epoch` of the report's samples, and `Condition`.
        claim: The only claim of verdicts that counts; all do by default.

    Returns:
        The fields of `ProbabilityRow` and `Condition`; `verdict` is a number of each
        verdict. Where several judges
        judged the same debates the mean and median of their probabilities follow, as of
        judges of their own, which are `pooled`.
    """
    rows = pd.DataFrame(found, columns=pd.Index(ProbabilityRow._fields))
    if claim is not None:
        rows = rows[(rows["claim"] == claim) | (rows["kind"] == "belief")]
    rows = rows.merge(conditions, on=_KEY)
    # People who take turns are one judge, as each has few debates.
    person = rows["judge"].str.startswith(PERSON) & ~_several_judges(rows)
    turns = rows["judge"].where(person).groupby(rows["Condition"]).transform("nunique")
    rows["judge"] = rows["judge"].mask(person & (turns > 1), PEOPLE)
    rows = pd.concat([rows.assign(pooled=False), *_pools(rows)], ignore_index=True)
    rows["verdict"] = rows.groupby(_VERDICT, sort=False).ngroup()
    places = {
        "Condition": {name: n for n, name in enumerate(conditions["Condition"])},
        "judge": {name: n for n, name in enumerate(dict.fromkeys(rows["judge"]))},
        "channel": {name: n for n, name in enumerate(_ORDERED)},
    }
    return rows.sort_values(
        [*places],
        key=lambda of: of.map(places[str(of.name)]),
        kind="stable",
        ignore_index=True,
    )


def _several_judges(rows: pd.DataFrame) -> "pd.Series[bool]":
    """Whether the debate of a row has several judges."""
    return rows["judges"].astype(str).str.contains(", ", regex=False)


def _pools(rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """The pooled probabilities of debates that several judges judged."""
    several = rows[_several_judges(rows)]
    same = [name for name in several.columns if name not in ("judge", "p", "status")]
    groups = several.groupby(same, dropna=False, sort=False)["p"]
    for how, least in _POOLED.items() if len(several) else ():
        found = groups.agg(p=how, n="count").reset_index()
        of = found["judges"].str.count(", ") + 1
        found = found[of >= least]
        p = found["p"].where(found["n"] >= least)
        yield found.drop(columns="n").assign(
            p=p,
            judge=f"{how.capitalize()} of " + found["judges"],
            status=p.notna().map({True: "ok", False: "missing"}),
            pooled=True,
        )


def _verdicts(rows: pd.DataFrame) -> pd.DataFrame:
    """The probabilities of each judge's last verdict on a debate."""
    verdicts = rows[rows["kind"] == "verdict"]
    by = [name for name in _VERDICT if name != "round"]
    last = verdicts.groupby(by)["round"].max()
    return verdicts.merge(last.reset_index())


def known_rows(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows with a probability whose truth is known."""
    return rows.dropna(subset=["p", "right"])


# How good the probabilities are.

DIGITS = Format(3)
LOG_BOUNDS = (
    float(log_losses([1], [1])[0]),
    float(log_losses([1], [0])[0]),
)
"""The best and worst log score."""

SCORES: Mapping[str, tuple[Callable[..., Any], tuple[float, float]]] = {
    "Brier": (squared_errors, (0.0, 1.0)),
    "Log score": (log_losses, LOG_BOUNDS),
}
"""What is a mean of rows, each with its bounds."""

REASONS = {
    "missing": "Not given",
    "refused": "Refused",
    "truncated": "Cut off",
    "capped": "Too long",
    "invalid": "Invalid",
    "unparsed": "Unreadable",
    "no_answer": "No verdict",
}
"""Why there is no probability."""


def measures(rows: pd.DataFrame) -> dict[Column, object]:
    """How good probabilities are, by title.

    Args:
        rows: `p`, `right`, `question`, and `verdict`, as from `condition_rows`.
    """
    known = known_rows(rows)
    p, right, questions = known["p"], known["right"], list(known["question"])
    scores = {
        name: of_mean(clustered_mean(of(p, right), questions), bounds)
        for name, (of, bounds) in SCORES.items()
    }
    parts = brier_parts(p, right)
    return {
        "Verdicts": known["verdict"].nunique(),
        "Brier": scores["Brier"],
        "Reliability": parts.reliability,
        "Resolution": parts.resolution,
        "Uncertainty": parts.uncertainty,
        "Log score": scores["Log score"],
        "AUROC": auroc_interval(p, right, questions, seed=SEED),
        "ECE": expected_calibration_error(p, right),
        "ECE if calibrated": _if_calibrated("width")(rows),
        "ECE, equal mass": expected_calibration_error(p, right, kind="mass"),
        "Sharpness": sharpness(p),
    }


def _if_calibrated(kind: Bins) -> Callable[[pd.DataFrame], object]:
    def error(rows: pd.DataFrame) -> object:
        known = known_rows(rows)
        verdicts = list(known["verdict"])
        return error_if_calibrated(known["p"], verdicts, kind=kind, seed=SEED)

    return error


def _within(rows: pd.DataFrame) -> float:
    known = known_rows(rows)
    return brier_parts(known["p"], known["right"]).within


PARTS = ("Reliability", "Resolution", "Uncertainty")
"""The parts of a Brier score."""

FORMATS: Mapping[Any, Format] = {
    "Verdicts": COUNT,
    **dict.fromkeys(("Brier", *PARTS, "Log score", "AUROC", "Sharpness"), DIGITS),
    **dict.fromkeys(("ECE", "ECE if calibrated", "ECE, equal mass"), PERCENT),
}

READING = (
    "Brier and log score (in nats, probabilities kept within "
    f"{FLOOR:g} and {1 - FLOOR:g}) are better when lower. AUROC: how often what is "
    "right has a higher probability than what is wrong. ECE (over ten bins, of equal "
    "width unless they are of equal mass) is biased upwards: beside it is what a "
    "perfectly calibrated judge would have with these probabilities, and where 95 % of "
    "such judges would be. Other intervals are 95 %, clustered by question; that of an "
    "AUROC needs right and wrong answers in nearly all resamples."
)


def _absent(rows: pd.DataFrame) -> dict[Column, object]:
    """The shares of verdicts without a probability, by reason."""
    status = rows.drop_duplicates("verdict")["status"]
    return {
        title: float((status == name).mean())
        for name, title in REASONS.items()
        if (status == name).any()
    }


_BY = {"Condition": "Condition", "Judge": "judge", "Channel": "channel"}

QUALITY = View[pd.DataFrame](
    "probabilities",
    "How good judges' probabilities are",
    _verdicts,
    _BY,
    [
        Columns(measures, FORMATS),
        Columns(_absent, dict.fromkeys(REASONS.values(), PERCENT)),
        Measure("Within bins", _within, DIGITS, hidden=True),
        Measure("Equal mass, if calibrated", _if_calibrated("mass"), hidden=True),
    ],
    note="The Brier score is reliability − resolution + uncertainty, over ten bins, "
    f"and what differs within these (in the CSV file). {READING} Sharpness is the "
    "variance of the probabilities, at most 0.25. The last columns, if any, are "
    "verdicts without a probability, in percent.",
)

_PANELS = 12
"""The most panels of a figure."""


def _panels(rows: pd.DataFrame) -> pd.DataFrame:
    found = _verdicts(known_rows(rows[~rows["pooled"]]))
    titles = found["Condition"] + ": " + found["judge"] + ", " + found["channel"]
    first = [*dict.fromkeys(titles)][:_PANELS]
    return found.assign(Panel=titles)[titles.isin(first)]


def _share(rows: pd.DataFrame) -> Interval:
    return share(rows["right"], rows["question"])


RELIABILITY = Panels[pd.DataFrame](
    "figure_probabilities",
    "How often answers are right, by judges' probabilities",
    _panels,
    "Panel",
    lambda panels, data: reliability(
        {name: binned(rows, "p", _share) for name, rows in panels.items()},
        x_label="probability (%)",
        y_label="right (%)",
    ),
    "Share of right answers over their probabilities in bins of ten, a panel per "
    "condition, judge and channel, beside the diagonal of perfect calibration.",
    note="Bins of ten points; areas are proportional to the number of probabilities "
    "within a panel, lines are Wilson's 95 % intervals, clustered by question. At most "
    f"{_PANELS} panels are drawn.",
    sized=False,
)


# Conditions on the same questions.


def _differences(rows: pd.DataFrame) -> Iterator[dict[str, object]]:
    """Two conditions with the same judge and channel, the later one less the other."""
    known = known_rows(_verdicts(rows))
    parts = [*known.groupby("Condition", sort=False)]
    found = []
    for (other, b), (one, a) in combinations(parts, 2):
        for (judge, channel), mine in a.groupby(["judge", "channel"], sort=False):
            theirs = b[(b["judge"] == judge) & (b["channel"] == channel)]
            shared = len({*mine["question"]} & {*theirs["question"]})
            same = {*mine["id"]} & {*theirs["id"]}  # else they are not paired
            if same and shared >= FEWEST:
                compared = f"{one} − {other}"
                named = {"Compared": compared, "Judge": judge, "Channel": channel}
                pair = _paired(theirs, mine)
                found.append((named | {"Groups": shared}, pair))
    adjusted = {
        name: holm({n: pair[name].p for n, (_, pair) in enumerate(found)})
        for name in (*SCORES, "AUROC")
    }
    for n, (named, pair) in enumerate(found):
        cells: dict[str, object] = dict(named)
        for name, difference in pair.items():
            cells[name] = Estimate(*difference[:3])
            cells[f"{name}, p (Holm)"] = adjusted[name][n]
        yield cells


def _paired(a: pd.DataFrame, b: pd.DataFrame) -> dict[str, PairedDifference]:
    one, two = (list(rows["question"]) for rows in (a, b))
    scores = {
        name: paired_scores(
            of(a["p"], a["right"]), one, of(b["p"], b["right"]), two, bounds, seed=SEED
        )
        for name, (of, bounds) in SCORES.items()
    }
    rows = [ClusteredRows(of["p"], of["right"], list(of["question"])) for of in (a, b)]
    return scores | {"AUROC": paired_auroc(*rows, seed=SEED)}


_SIGNED = Format(3, signed=True)

COMPARED = Rows[pd.DataFrame](
    "probabilities_compared",
    "Probabilities of two conditions on the same questions",
    _differences,
    {
        **dict.fromkeys((*SCORES, "AUROC"), _SIGNED),
        **{f"{name}, p (Holm)": P_VALUE for name in (*SCORES, "AUROC")},
    },
    groups="Compared",
    note="The first named less the second, with the same judge and channel; negative "
    "Brier and log scores, and a positive AUROC, are for the first. 95 % intervals are "
    "clustered by question; p-values are of swaps of the two within whole questions, "
    "with Holm's correction over the rows.",
    shown=20,
)


# Beliefs from round to round.

_BELIEF = [name for name in (*_VERDICT, "claim") if name != "round"]


def _beliefs(rows: pd.DataFrame) -> pd.DataFrame:
    """What beliefs give the right answer.

    Changes are from when the same judge was last asked.
    """
    found = known_rows(rows[(rows["kind"] == "belief") & ~rows["pooled"]])
    found = found[found["right"] == 1]
    truth = found["p"]
    place = found.groupby([*_BY.values()], sort=False).ngroup()
    panel = found["judge"] + ", " + found["channel"]
    found = found.assign(truth=truth, Panel=panel, place=place)
    found = found.sort_values(["place", "round"], kind="stable")
    before = found.groupby(_BELIEF, sort=False)["truth"].shift()
    return found.assign(
        change=found["truth"] - before,
        After=found["round"].map(_round),
        **moves(before, found["truth"])._asdict(),
    )


def _round(number: int) -> str:
    named = {ALONE: "the question alone", 0: "the openings"}
    return named.get(number, f"round {number}")


def _mean_of(
    column: str, bounds: tuple[float, float]
) -> Callable[[pd.DataFrame], object]:
    return lambda rows: of_mean(
        clustered_mean(rows[column], list(rows["question"])), bounds
    )


def _moved(column: str) -> Callable[[pd.DataFrame], object]:
    return lambda rows: share(rows[column], rows["question"])


BELIEFS = View[pd.DataFrame](
    "beliefs",
    "Judges' beliefs from round to round",
    _beliefs,
    {**_BY, "After": "After"},
    [
        Measure("Beliefs", lambda rows: rows["verdict"].nunique(), COUNT),
        Measure("Given to the truth", _mean_of("truth", (0.0, 1.0)), PERCENT),
        Measure("Change", _mean_of("change", (-1.0, 1.0)), POINTS),
        Measure("Towards", _moved("towards"), PERCENT),
        Measure("Away", _moved("away"), PERCENT),
    ],
    note="The mean probability that beliefs give to the right answer, in "
    "percent, and its change since the judge was last "
    "asked. Towards and away: beliefs that moved by more than "
    f"{100 * MOVED:g} points towards the truth, or away from it. Answers that are "
    "shown before the first speech are openings. Only of debates that were held, and "
    "not before one on fewer answers than there are options. 95 % intervals are "
    "clustered by question.",
)

BELIEFS_FIGURE = Plot[pd.DataFrame](
    "figure_beliefs",
    "Probability of the right answer from round to round",
    _beliefs,
    "lines",
    "round",
    {"": _mean_of("truth", (0.0, 1.0))},
    "probability of the right answer (%)",
    series="Condition",
    panel="Panel",
    x_label="round",
    limits=(-0.02, 1.02),
    places={ALONE: "question\nalone", 0: "openings"},
    note="Means of judges' beliefs with 95 % intervals, clustered by question. Where "
    "judges end debates, later rounds are of the debates that went on.",
)


# The chapter.

_VIEWS: tuple[Callable[[pd.DataFrame], Iterator[Item]], ...] = (
    *(QUALITY, RELIABILITY, COMPARED),
    *(BELIEFS_FIGURE, BELIEFS),
)


def chapter(rows_of: Callable[[D], pd.DataFrame]) -> Part[D]:
    """The section of a report; one without probabilities has none.

    Args:
        rows_of: The rows of a report's data, as from `condition_rows`.
    """

    def probabilities(data: D) -> Iterator[Item]:
        rows = rows_of(data)
        for view in _VIEWS if len(known_rows(rows)) else ():
            yield from view(rows)

    return Part("Judges' probabilities", [probabilities])
