"""What the jury decided, by each rule, and the numbers of the paper's Appendix D."""

from collections.abc import Iterator, Mapping
from math import nan
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from inspect_debate.metrics.agreement import (
    dissents,
    krippendorff_alpha,
    pairwise_agreement,
    repeat_agreement,
    side_share,
    unanimity,
)
from inspect_debate.metrics.intervals import Array
from inspect_debate.published.printed import confidence_tables
from inspect_debate.reports.confidence.frames import DEBATE
from inspect_debate.reports.confidence.sides import fixed, has_published_pool
from inspect_debate.reports.confidence.study import (
    conditions_of,
    protocol_of,
    slug,
    title,
)
from inspect_debate.reports.confidence.twins import PaperTable, Twin
from inspect_debate.reports.elements import COUNT, PERCENT, Format, Table
from inspect_debate.solvers.bet_records import SIDES

NAME = "appendix_d"
JURY = {"qwen/qwq-32b", "google/gemini-pro-1.5", "deepseek/deepseek-chat"}
"""The models of the paper's jury."""

TIE = "tie"
"""What a rule gives where neither side has more: a result that is nobody's."""

_MOTIONS = {"social_media": "353dc3", "space": "2f2406"}
"""The motions whose splits the paper tells, by the hashes at the end of their ids."""

_TOPICS = {"social_media": "social media", "space": "space"}
_SEAT = ["juror", "pass", "order"]
_DISSENTS = {1: "one_dissent", 2: "two_dissent", 3: "three_dissent"}


def decisions(verdicts: pd.DataFrame) -> pd.DataFrame:
    """One row per debate with a verdict.

    Args:
        verdicts: As from `verdicts_of`.

    Returns:
        What tells the debate, `by_sum` (the side of the greater sum of confidences),
        `by_majority` (that of most votes), each a side or `TIE`, and `unanimous`: 1 or
        0, NaN where there is only one verdict. `by_sum` is missing where a vote has no
        readable confidence.
    """
    read = verdicts[verdicts["winner"].notna()]
    votes = _per_side(read.assign(votes=1.0), "votes")
    summed = read["confidence"].notna().groupby([read[name] for name in DEBATE]).all()
    unanimous = (votes.min(axis=1) == 0).astype(float)
    return pd.DataFrame(
        {
            "by_sum": _greater(_per_side(read, "confidence")).where(summed),
            "by_majority": _greater(votes),
            "unanimous": unanimous.where(votes.sum(axis=1) > 1),
        }
    ).reset_index()


def verdict_table(verdicts: pd.DataFrame) -> Array:
    """The verdicts of one condition as (debates, seats): 1 proposition, 0 opposition.

    A juror has a seat for every pass and order; NaN where a verdict is missing.
    """
    return seats(verdicts).to_numpy(dtype=float)


def seats(verdicts: pd.DataFrame) -> pd.DataFrame:
    """As `verdict_table`, with debates and seats named (juror, pass, order)."""
    votes = verdicts["winner"].map({SIDES[0]: 1.0, SIDES[1]: 0.0})
    named = verdicts.assign(vote=votes, order=verdicts["order"].fillna(""))
    return named.pivot(index=DEBATE, columns=_SEAT, values="vote")


def rules_table(verdicts: pd.DataFrame, bets: pd.DataFrame) -> Table:
    """Who won by the rule that the paper states, by majority, and as it printed.

    Args:
        verdicts: As from `verdicts_of`.
        bets: As from `bets_of`, for who debated what.
    """
    rows = [
        {"Condition": title(condition), "Rule": rule, **_outcomes(won)}
        for condition in conditions_of(verdicts["condition"])
        for rule, won in _by_rule(
            decisions(_of(verdicts, condition)),
            printed=_is_published(condition, verdicts, bets),
        )
    ]
    printed = any(row["Rule"] == _PRINTED for row in rows)
    return Table(
        name="jury_rules",
        title="Who wins, by each rule",
        frame=pd.DataFrame(rows),
        groups="Condition",
        formats={"Opposition wins": PERCENT},
        note="Debates, and percent of them. A tie is nobody's, and counts in the "
        f"whole. {_WHY_PRINTED if printed else ''}".strip(),
    )


def appendix_d(verdicts: pd.DataFrame, bets: pd.DataFrame) -> list[PaperTable]:
    """The numbers of Appendix D, of every condition with a jury.

    Args:
        verdicts: As from `verdicts_of`.
        bets: As from `bets_of`, for who debated what.
    """
    return [
        _appendix(condition, verdicts, bets)
        for condition in conditions_of(verdicts["condition"])
    ]


def motions_table(verdicts: pd.DataFrame, bets: pd.DataFrame) -> Table:
    """How often the jury is split and who wins, by motion."""
    decided = with_motion(decisions(verdicts), bets)
    rows = [
        {
            "Condition": title(condition),
            "Motion": motion,
            "Debates": len(part),
            "Split": 1 - part["unanimous"].mean(),
            "Opposition wins": (part["by_sum"] == SIDES[1]).mean(),
            "Ties": int((part["by_sum"] == TIE).sum()),
        }
        for condition in conditions_of(decided["condition"])
        for motion, part in _of(decided, condition).groupby("motion")
    ]
    return Table(
        name="jury_motions",
        title="The jury by motion",
        frame=pd.DataFrame(rows),
        groups="Condition",
        formats={"Split": PERCENT, "Opposition wins": PERCENT, "Ties": COUNT},
        note="Split: debates in which not all verdicts are for one side, in percent. "
        "Winners by the sum of confidences.",
    )


def with_motion(debates: pd.DataFrame, bets: pd.DataFrame) -> pd.DataFrame:
    """Debates with their motions, which the frame of bets has."""
    return debates.merge(bets[[*DEBATE, "motion"]].drop_duplicates(), on=DEBATE)


def _of(rows: pd.DataFrame, condition: str) -> pd.DataFrame:
    return rows[rows["condition"] == condition]


def _per_side(read: pd.DataFrame, column: str) -> pd.DataFrame:
    sums = read.groupby([*DEBATE, "winner"])[column].sum().unstack("winner")
    return sums.reindex(columns=list(SIDES)).fillna(0.0)


def _greater(by_side: pd.DataFrame) -> "pd.Series[str]":
    lead = by_side[SIDES[0]] - by_side[SIDES[1]]
    won = np.select([lead > 0, lead < 0], list(SIDES), TIE)
    return pd.Series(won, index=by_side.index)


def _by_rule(
    decided: pd.DataFrame, *, printed: bool
) -> Iterator[tuple[str, "pd.Series[str]"]]:
    """What each rule is, and who won by it."""
    yield "Sum of confidences, as the paper states", decided["by_sum"]
    yield "Majority of verdicts", decided["by_majority"]
    if printed:
        given_away = decided["by_majority"].replace(TIE, SIDES[1])
        yield _PRINTED, given_away


def _outcomes(won: "pd.Series[str]") -> dict[str, object]:
    counts = {side.capitalize(): int((won == side).sum()) for side in (*SIDES, TIE)}
    return {**counts, "Opposition wins": (won == SIDES[1]).mean()}


def _is_published(condition: str, verdicts: pd.DataFrame, bets: pd.DataFrame) -> bool:
    """Whether a condition is the paper's, by its models before its jury."""
    return (
        protocol_of(condition) == "cross_model"
        and has_published_pool(_of(bets, condition))
        and set(_of(verdicts, condition)["judge"]) == JURY
    )


def _appendix(condition: str, verdicts: pd.DataFrame, bets: pd.DataFrame) -> PaperTable:
    known = _is_published(condition, verdicts, bets)
    own = _of(verdicts, condition)
    decided = with_motion(decisions(own), bets)
    numbers = _numbers(decided, dissents(verdict_table(own)))
    published = confidence_tables()
    return PaperTable(
        name=NAME if condition == "cross_model" else f"{NAME}_{slug(condition)}",
        title=f"The jury: {title(condition)} (the paper's Appendix D)",
        heading="What",
        rows={key: _told(key) for key in numbers},
        columns={_VALUE: "Value"},
        cells={
            (key, _VALUE): Twin(
                text, published.cell(NAME, key, _VALUE) if known else None
            )
            for key, text in numbers.items()
        },
        note=_NOTE,
    )


def _numbers(decided: pd.DataFrame, minorities: Mapping[int, int]) -> dict[str, str]:
    """The numbers of Appendix D as texts, by the names of the published cells."""
    several = sum(minorities.values())
    counts = {"unanimous": minorities.get(0, 0)}
    counts["split"] = several - counts["unanimous"]
    counts |= {name: minorities.get(n, 0) for n, name in _DISSENTS.items()}
    found = {}
    for name, count in counts.items():
        found[f"{name}_n"] = str(count)
        found[f"{name}_pct"] = fixed(100 * count / several if several else nan, 1)
    won = (decided["by_sum"] == SIDES[1]).mean()
    found["opposition_win_pct"] = fixed(100 * float(won), 1)
    hashes = decided["motion"].map(lambda motion: str(motion).rpartition("-")[2])
    for topic, of_topic in _MOTIONS.items():
        if (hashes == of_topic).any():
            agreed = decided.loc[hashes == of_topic, "unanimous"].mean()
            found[topic] = fixed(100 * (1 - float(agreed)), 0)
    return found


def _told(key: str) -> str:
    if key in _TOPICS:
        return f"Split on {_TOPICS[key]}, % of debates"
    what, _, unit = key.rpartition("_")
    return f"{_WHAT[what]}, {'%' if unit == 'pct' else 'debates'}"


_WHAT = {
    "unanimous": "Unanimous",
    "split": "Split",
    "one_dissent": "One dissenting verdict",
    "two_dissent": "Two dissenting verdicts",
    "three_dissent": "Three dissenting verdicts",
    "opposition_win": "Won by the opposition, by the sum of confidences",
}
_VALUE = "value"
_PRINTED = "Majority, even splits to the opposition, as printed"
_WHY_PRINTED = (
    "The paper states the sum of confidences; its 71.7 % follows from neither rule, "
    "but from a majority vote whose even splits all go to the opposition."
)
_NOTE = (
    "Dissenting: the verdicts of the minority, or of one side where both have the same "
    "number. Shares are of the debates with two verdicts or more."
)


# The single judges: their leanings, how often they repeat themselves, and agree.

_CONFIDENCE = Format(digits=1)


class OwnVotes(NamedTuple):
    """Verdicts of a judge on debates of its own model, and those for its own side."""

    given: int
    for_itself: int


def judges_table(verdicts: pd.DataFrame, bets: pd.DataFrame) -> Table:
    """Each judge: its share for the opposition, its repeats, its votes for itself.

    Args:
        verdicts: As from `verdicts_of`.
        bets: As from `bets_of`, for who debated on which side.
    """
    rows = [
        row
        for condition in conditions_of(verdicts["condition"])
        for row in _judges(
            condition, verdicts[verdicts["condition"] == condition], bets
        )
    ]
    return Table(
        name="judges",
        title="The judges one by one",
        frame=pd.DataFrame(rows),
        groups="Condition",
        formats={
            "For the opposition": PERCENT,
            "Repeated": PERCENT,
            "Pairs": COUNT,
            "On itself": COUNT,
            "For itself": PERCENT,
            "Mean confidence": _CONFIDENCE,
        },
        note="For the opposition: of the judge's verdicts, with the 95 % interval, "
        "clustered by debate; about 50 % where both sides can win and the judge leans "
        "to neither. Repeated: of the pairs of verdicts on one debate in two passes, "
        "those that are the same. For itself: of the verdicts on debates of its own "
        "model, those for that side.",
    )


def agreement_table(verdicts: pd.DataFrame) -> Table:
    """How often all verdicts on a debate agree, how often two, and beyond chance."""
    parts = {
        condition: verdict_table(verdicts[verdicts["condition"] == condition])
        for condition in conditions_of(verdicts["condition"])
    }
    rows = [
        {
            "Condition": title(condition),
            "Debates": len(found),
            "Verdicts": int(np.isfinite(found).sum()),
            "Unanimous": unanimity(found),
            "Two verdicts agree": pairwise_agreement(found),
            "Krippendorff's alpha": krippendorff_alpha(found),
            **_share("For the opposition", 1 - found),
        }
        for condition, found in parts.items()
    ]
    return Table(
        name="jury_agreement",
        title="How far the jury agrees",
        frame=pd.DataFrame(rows),
        formats={
            name: PERCENT
            for name in ("Unanimous", "Two verdicts agree", "For the opposition")
        },
        note="Alpha: agreement beyond chance, 1 at most and 0 where verdicts agree as "
        "often as chance would have it. A judge's passes count as verdicts of their "
        "own, so that repeats are in the agreement.",
    )


def own_votes(verdicts: pd.DataFrame, bets: pd.DataFrame) -> dict[str, OwnVotes]:
    """By judge, in debates of two models: verdicts on itself, and those for itself."""
    models = bets[~bets["self_debate"].astype(bool)].drop_duplicates([*DEBATE, "side"])
    sides = models.set_index([*DEBATE, "side"])["model"].unstack("side").reset_index()
    both = verdicts[verdicts["winner"].notna()].merge(sides, on=DEBATE)
    found = {}
    for judge, given in both.groupby("judge"):
        own = given[(given[list(SIDES)] == judge).any(axis=1)]
        chosen = [row[row["winner"]] == judge for row in own.to_dict("records")]
        found[str(judge)] = OwnVotes(len(chosen), sum(chosen))
    return found


def _judges(
    condition: str, verdicts: pd.DataFrame, bets: pd.DataFrame
) -> Iterator[dict[str, Any]]:
    own = own_votes(verdicts, bets)
    for judge, given in verdicts.groupby("judge", sort=False):
        first, second = _passes(given)
        repeated = repeat_agreement(first, second)
        votes = own.get(str(judge), OwnVotes(0, 0))
        yield {
            "Condition": title(condition),
            "Judge": judge,
            "Verdicts": int(given["winner"].notna().sum()),
            **_share("For the opposition", 1 - verdict_table(given)),
            "Repeated": repeated.value,
            "Repeated low": repeated.low,
            "Repeated high": repeated.high,
            "Pairs": repeated.n,
            "On itself": votes.given,
            "For itself": votes.for_itself / votes.given if votes.given else np.nan,
            "Mean confidence": given.loc[given["winner"].notna(), "confidence"].mean(),
        }


def _passes(given: pd.DataFrame) -> tuple[Array, Array]:
    """The first and the second pass of a judge: (debates, jurors and orders)."""
    wide = seats(given)
    first, second = (
        wide.loc[:, wide.columns.get_level_values("pass") == number].droplevel(
            "pass", axis=1
        )
        for number in (1, 2)
    )
    return first.to_numpy(float), second.reindex(columns=first.columns).to_numpy(float)


def _share(name: str, table: Array) -> dict[str, float]:
    found = side_share(table)
    return {
        name: found.value,
        f"{name} low": found.low,
        f"{name} high": found.high,
    }
