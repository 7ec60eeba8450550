"""Debaters against each other: ratings, persuasiveness, and what judges favour."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pandas as pd

from inspect_debate.debate.outcome import (
    Outcome,
    graded,
    judges_of,
    majority,
    outcome,
    votes_missing,
)
from inspect_debate.debate.participants import PERSON
from inspect_debate.debate.record import DebateRecord, Turn
from inspect_debate.metrics.endorsement import ratio_difference
from inspect_debate.metrics.ratings import (
    ELO,
    Rating,
    Ratings,
    agreement_with_others,
    rate,
)
from inspect_debate.reports.calls import Calls, call_notices, read_with_calls
from inspect_debate.reports.comparisons import SEED
from inspect_debate.reports.conditions import Grouped, group_conditions
from inspect_debate.reports.elements import (
    COUNT,
    NUMBER,
    P_VALUE,
    PERCENT,
    POINTS,
    Column,
    Figure,
    Format,
    Item,
    Main,
    Notice,
    counted,
)
from inspect_debate.reports.estimates import Estimate, share
from inspect_debate.reports.figures import forest
from inspect_debate.reports.frames import scores_of
from inspect_debate.reports.judges.verdicts import (
    condition_of,
    group_of,
    right_answers,
)
from inspect_debate.reports.logs import Log
from inspect_debate.reports.notices import run_notices, sample_notices
from inspect_debate.reports.provenance import provenance_section, runs_of
from inspect_debate.reports.samples import Held
from inspect_debate.reports.views import Columns, Part, Rows, StudyReport, View

# Verdicts on debates of two sides, as rows.

COLUMNS = (
    *("run", "condition", "id", "epoch", "input_group", "debates"),
    *("participant", "judge", "one", "other", "outcome"),
    *("first", "proposition", "right"),
)
"""The columns of `comparisons`."""

_BY_OTHER_MEANS = ("arbitration", "rulings", "first")
"""Rules by which a record is decided that are no verdicts for one of two sides."""


def comparison_rows(held: Held) -> list[dict[str, Any]]:
    """The verdicts for one of two debaters who spoke for different answers.

    Args:
        held: A sample and its debate.

    Returns:
        A row for each judge, or for the jury where confidences decide: its run
        (`run`, and `condition`, a hash of all that was asked for) and sample (`id`,
        `epoch`, and `input_group`, which names dependent samples); `debates`, what
        readers call the protocol, or an imported condition, and its data; the judge's
        `participant` and its model as `judge`; the models `one` and `other`; `outcome`,
        1 where the one wins, -1 where the other does, 0 for a tie, as where a judge's
        verdicts in both orders differ. `first`, `proposition` and `right` are 1 where
        the one was shown first, argued for the motion, or had the right answer, -1
        where the other did, and 0 where neither or both did, or that is not known.
        Verdicts that could not be read have no row, nor has a debate of which some were
        not asked for because of the others.
    """
    log, sample, record = held
    if record is None or not record.complete or votes_missing(record):
        return []
    if record.aggregation in _BY_OTHER_MEANS:
        return []
    target = [sample.target] if isinstance(sample.target, str) else sample.target
    record = graded(record, target).record if target else record
    spoke = {turn.participant for turn in record.spoken()}
    debaters = [
        p
        for p in record.participants
        if p.role in ("debater_a", "debater_b") and p.defends and p.id in spoke
    ]
    spoke_for_it = record.donor is None  # else their speeches are about another item
    opposed = len(debaters) == 2 and debaters[0].defends != debaters[1].defends
    if not (opposed and spoke_for_it):
        return []
    one, other = debaters
    sides = {str(one.defends): 1, str(other.defends): -1}
    right = right_answers(sample.target, record)
    name = (sample.metadata or {}).get("data_name")
    held_as = log.metadata.get("condition", record.protocol)
    of_debate = {
        "run": log.header.eval.eval_id,
        "condition": condition_of(held),
        "id": str(sample.id),
        "epoch": sample.epoch,
        "input_group": group_of(sample),
        "debates": f"{held_as} ({name})" if name else held_as,
        "one": one.model,
        "other": other.model,
        "proposition": sides.get("proposition", 0),
        "right": sum(side for answer, side in sides.items() if answer in right),
    }
    return [
        of_debate
        | {
            "participant": verdict.participant,
            "judge": verdict.judge,
            "outcome": sides.get(verdict.outcome.answer or "", 0),
            "first": _first(verdict.turns, one.id, other.id),
        }
        for verdict in _verdicts(record)
        if verdict.outcome.status == "tied" or verdict.outcome.answer in sides
    ]


class _Verdict(NamedTuple):
    participant: str
    judge: str
    turns: Sequence[Turn]
    outcome: Outcome


def _verdicts(record: DebateRecord) -> Iterator[_Verdict]:
    """What each judge decided after the last round, or what the jury did."""
    turns = [turn for turn in record.of_kind("verdict") if "answer" in turn.fields]
    judges = {id: record.participant(id).model for id in judges_of(record)}
    if record.aggregation == "confidence":
        if turns:
            yield _Verdict("jury", ", ".join(judges.values()), turns, outcome(record))
        return
    for id, model in judges.items():
        own = [turn for turn in turns if turn.participant == id]
        last = [turn for turn in own if turn.round == max(t.round for t in own)]
        if last:
            decided = majority(turn.field("answer") for turn in last)
            yield _Verdict(id, model, last, decided)


def _first(turns: Sequence[Turn], one: str, other: str) -> int:
    shown = {turn.shown_first for turn in turns}
    return int(shown == {one}) - int(shown == {other})


def comparisons(rows: Iterable[Sequence[dict[str, Any]]]) -> pd.DataFrame:
    """The rows of all samples as a frame, of what was run again the newest.

    Args:
        rows: As from `comparison_rows`, of logs with the oldest first.
    """
    found = pd.DataFrame([row for of in rows for row in of], columns=pd.Index(COLUMNS))
    same = ["condition", "id", "epoch", "participant"]
    return found.drop_duplicates(same, keep="last").sort_values(
        "debates", kind="stable"
    )


# Ratings.

DEBATES = "Debates"
"""The column with what readers call a protocol and its data."""

ELO_POINTS = Format(digits=0, signed=True)
LOGITS = Format(digits=2, signed=True)
SIDES = {"first": "Shown first", "proposition": "Proposition"}
"""What may add to a debater's chance, by column."""


class Rated(NamedTuple):
    """What verdicts on the debates of a protocol say.

    Attributes:
        debates: What readers call the protocol and its data.
        rows: The verdicts on debates between two models.
        found: The ratings, and the effects of `SIDES`.
        judges: By judge the effect of being shown first, of its own verdicts.
    """

    debates: str
    rows: pd.DataFrame
    found: Ratings
    judges: dict[str, Rating]


def rated(rows: pd.DataFrame) -> list[Rated]:
    """Ratings of the models that debated against each other, by protocol and data.

    Args:
        rows: As from `comparisons`.
    """
    between = rows[rows["one"] != rows["other"]]
    return [
        _rated(str(debates), of)
        for debates, of in between.groupby("debates", sort=False)
    ]


def _rated(debates: str, rows: pd.DataFrame) -> Rated:
    judges = {
        str(judge): _fit(of, ["first"]).effects["first"]
        for judge, of in rows.groupby("judge")
    }
    return Rated(debates, rows, _fit(rows, SIDES), judges)


def _fit(rows: pd.DataFrame, sides: Iterable[str]) -> Ratings:
    one, other, clusters = (
        rows[name].tolist() for name in ("one", "other", "input_group")
    )
    effects = {name: rows[name] for name in sides}
    return rate(one, other, rows["outcome"], clusters, effects, seed=SEED)


def _scaled(rating: Rating, factor: float) -> Estimate:
    return Estimate(*(factor * value for value in rating))


def _ratings(all: Sequence[Rated]) -> Iterator[dict[Column, object]]:
    for one in all:
        best_first = sorted(one.found.ratings.items(), key=lambda of: -of[1].value)
        for name, rating in best_first:
            won = _outcomes(one.rows, name)
            yield {
                DEBATES: one.debates,
                "Debater": name,
                "Rating": Estimate(*rating),
                "Elo": _scaled(rating, ELO),
                "Verdicts": len(won),
                "Won": (won > 0).mean(),
                "Tied": (won == 0).mean(),
            }


def _outcomes(rows: pd.DataFrame, name: str) -> "pd.Series[float]":
    """The verdicts on a debater, from its point of view."""
    ours, theirs = rows["one"] == name, rows["other"] == name
    found = pd.concat([rows.loc[ours, "outcome"], -rows.loc[theirs, "outcome"]])
    return pd.Series(found, dtype=float)


def _sides(all: Sequence[Rated]) -> Iterator[dict[Column, object]]:
    for one in all:
        for name, effect in one.found.effects.items():
            if effect.value == effect.value:
                yield {
                    DEBATES: one.debates,
                    "Side": SIDES[name],
                    "Effect": Estimate(*effect),
                    "Odds, times": Estimate(*np.exp(effect)),
                }


def _judges(all: Sequence[Rated]) -> Iterator[dict[Column, object]]:
    for one in all:
        debates = one.rows["condition"] + one.rows["id"] + one.rows["epoch"].map(str)
        outcomes = one.rows["outcome"]
        agreed = agreement_with_others([*one.rows["judge"]], [*debates], outcomes)
        sided = outcomes * one.rows["first"]
        rows = one.rows.assign(
            agreed=agreed, for_first=(sided > 0).astype(float).where(sided != 0)
        )
        for judge, of in rows.groupby("judge"):
            nothing_known = of[["for_first", "agreed"]].isna().all(axis=None)
            if nothing_known and str(judge).startswith(PERSON):
                continue  # each person has a few debates of their own
            yield {
                DEBATES: one.debates,
                "Judge": judge,
                "Verdicts": len(of),
                "Tied": (of["outcome"] == 0).mean(),
                "For the first": share(of, "for_first"),
                "Effect of being first": Estimate(*one.judges[str(judge)]),
                "Agrees with others": share(of, "agreed"),
            }


RATINGS = Rows[Sequence[Rated]](
    "ratings",
    "Ratings of debaters",
    _ratings,
    {
        "Rating": LOGITS,
        "Elo": ELO_POINTS,
        "Verdicts": COUNT,
        "Won": PERCENT,
        "Tied": PERCENT,
    },
    groups=DEBATES,
    optional=["Tied"],
    note="Rating: on the logit scale, with sum zero over the debaters of a protocol; "
    "of two debaters of equal sides the one that is higher by 1 wins 73 % of the "
    "decided debates. Elo: the same times 400 / ln 10. Won and tied are percent of all "
    "verdicts.",
)
RATING_SIDES = Rows[Sequence[Rated]](
    "rating_sides",
    "What a side adds to the chance to win",
    _sides,
    {"Effect": LOGITS, "Odds, times": NUMBER},
    groups=DEBATES,
    note="On the logit scale of ratings, beside which it was estimated. An effect is "
    "left out that cannot be told from the ratings, as where a debater always has the "
    "same side, and that of being first where judges decide in both orders.",
)
RATING_JUDGES = Rows[Sequence[Rated]](
    "rating_judges",
    "How far each judge favours the side shown first, and agrees with the others",
    _judges,
    {
        **dict.fromkeys(["Tied", "For the first", "Agrees with others"], PERCENT),
        "Effect of being first": LOGITS,
    },
    groups=DEBATES,
    optional=["Tied"],
    known_only=True,
    note="For the first: percent of the decided verdicts. Effect: the same on the "
    "logit scale, beside ratings from this judge's verdicts alone. Agrees: percent of "
    "the other judges' verdicts on the same debates.",
)


def _figure(all: Sequence[Rated]) -> Figure | None:
    rows = {
        (one.debates, name): _scaled(rating, ELO)
        for one in all
        for name, rating in sorted(
            one.found.ratings.items(), key=lambda of: -of[1].value
        )
    }
    if not rows:
        return None
    frame = pd.DataFrame(
        [*rows.values()],
        index=pd.MultiIndex.from_tuples(rows),
        columns=pd.Index(["estimate", "low", "high"]),
    )
    return Figure(
        name="figure_ratings",
        title="Ratings of debaters in Elo points",
        figure=forest(frame, label="Elo points", format=ELO_POINTS),
        alt="Ratings with their intervals: "
        + "; ".join(f"{name} ({debates})" for debates, name in rows)
        + ".",
        note="Lines are 95 % intervals. The dashed line is the mean of the debaters.",
    )


# Persuasiveness, given which side is right.


def _sided(rows: pd.DataFrame) -> pd.DataFrame:
    """A row for each side of the debates of which one side is right."""
    contested = rows[rows["right"] != 0]
    sides = [
        contested.assign(
            debater=contested[name],
            won=(1 + sign * contested["outcome"]) / 2,
            is_right=(sign * contested["right"] > 0).astype(float),
        )
        for name, sign in (("one", 1), ("other", -1))
    ]
    return pd.concat(sides).sort_values(["debates", "debater"], kind="stable")


_IF_RIGHT, _IF_WRONG = "Wins if right", "Wins if wrong"
_GAP = "Difference"


def _persuasion(rows: pd.DataFrame) -> dict[Column, object]:
    """How often one wins with the right and with the wrong answer."""
    right, wrong = (rows["is_right"] == value for value in (1, 0))
    counts = [
        of.astype(float) * by for of in (wrong, right) for by in (rows["won"], 1.0)
    ]
    found = ratio_difference(
        counts[0], counts[1], counts[2], counts[3], rows["input_group"], seed=SEED
    )
    return {
        "Right": int(right.sum()),
        _IF_RIGHT: share(rows[right], "won"),
        "Wrong": int(wrong.sum()),
        _IF_WRONG: share(rows[wrong], "won"),
        _GAP: Estimate(*found[:3]),
        "p": found.p,
    }


PERSUASION = View[pd.DataFrame](
    "persuasion",
    "How often a debater wins with the right and with the wrong answer",
    _sided,
    {DEBATES: "debates", "Debater": "debater"},
    [
        Columns(
            _persuasion,
            {
                **dict.fromkeys([_IF_RIGHT, _IF_WRONG], PERCENT),
                _GAP: POINTS,
                "p": P_VALUE,
            },
        )
    ],
    note="Percent of the verdicts on debates of which one side is right, all judges "
    "together; a tie counts half. The difference is what being right adds: at 0 a "
    "debater persuades judges of anything alike. Its interval and p are of a bootstrap "
    "of questions.",
)

RATINGS_TEXT = (
    "Ratings are those of Bradley and Terry (1952), with ties as Rao and Kupper (1967) "
    "have them, and the effects of sides: all debates of a protocol on one data set, "
    "whatever its other settings, and all judges. A judge whose verdicts in both "
    "orders differ gives a tie; of a jury the decision counts. Intervals are 95 %, of "
    "a bootstrap of questions; an end is infinite where too many resamples have a "
    "debater that wins or loses everything. Persuasiveness given the right answer is "
    "as in Khan et al. (arXiv 2402.06782)."
)


_NEEDED = (
    "That needs speeches of two debaters for different answers, and verdicts: "
    "`--model-role debater_a=A --model-role debater_b=B --model-role judge=J`, with a "
    "protocol such as `-T protocol=copmad`, whose debates are not skipped."
)

D = TypeVar("D")


def rating_part(rows_of: Callable[[D], pd.DataFrame]) -> Part[D]:
    """The section of a report on ratings and persuasiveness.

    Args:
        rows_of: Takes the data of the report, returns rows as from `comparisons`.
    """
    return Part(
        "Ratings of debaters",
        [lambda data: rating_items(rows_of(data))],
        RATINGS_TEXT,
        _NEEDED,
    )


def rating_items(rows: pd.DataFrame) -> Iterator[Item]:
    """Ratings, sides, judges and persuasiveness, with why there are no ratings.

    Args:
        rows: As from `comparisons`.
    """
    all = rated(rows)
    for one in all:
        if one.found.reason:
            yield Notice(f"No ratings of {one.debates}: {one.found.reason}", "info")
    yield from filter(None, [_figure(all)])
    for table in (RATINGS, RATING_SIDES, RATING_JUDGES):
        yield from table(all)
    yield from PERSUASION(rows)


# The report on logs of any of these tasks.


class Data(NamedTuple):
    """What the logs hold: their samples by condition, verdicts, and what calls say."""

    logs: Sequence[Log]
    grouped: Grouped
    comparisons: pd.DataFrame
    calls: Calls


def read(logs: Sequence[Log]) -> Data:
    """Read the logs."""
    calls, seen = read_with_calls(logs, comparison_rows)
    return Data(logs, group_conditions(scores_of(logs)), comparisons(seen), calls)


def _notices(data: Data) -> Iterator[Notice]:
    yield from run_notices(data.logs)
    yield from sample_notices(data.grouped, {})
    yield from call_notices(data.calls)


def _summary(data: Data) -> str:
    rows = data.comparisons
    debates = rows.drop_duplicates(["condition", "id", "epoch"])
    models = {*rows["one"], *rows["other"]}
    return (
        f"{counted(len(rows), 'verdict')} on {counted(len(debates), 'debate')} of "
        f"{counted(len(models), 'model')}, from {counted(len(data.logs), 'log')}."
    )


REPORT: StudyReport[Data] = StudyReport(
    study=None,
    title="Ratings of debaters",
    source="Verdicts on debates between two sides, of any protocol",
    read=read,
    summary=_summary,
    notices=_notices,
    parts=[
        rating_part(lambda data: data.comparisons),
        lambda data: provenance_section(data.logs, runs_of(data.grouped, {})),
    ],
    main=(
        Main(
            *("ratings", "Elo", "Verdicts"),
            f"{{Debater}} ({{{DEBATES}}}): {{value}} from the mean of the debaters.",
            ELO_POINTS,
            " Elo points",
            "verdicts",
        ),
    ),
    figure=("figure_ratings",),
)
