"""Bets and verdicts of confidence runs as long frames, from scores alone."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from inspect_debate.reports.arms import Arms, arms
from inspect_debate.reports.confidence.study import model_name
from inspect_debate.solvers.bet_records import SIDES, speech_type

DEBATE = ["condition", "run", "debate", "epoch"]
"""What tells one debate from another: ids repeat where each model has a run."""

BETS = [
    *(*DEBATE, "motion", "side", "model", "self_debate"),
    *("round", "rounds", "speech", "bet", "recorded"),
]
VERDICTS = [*DEBATE, "juror", "judge", "pass", "order", "winner", "confidence"]

_VERDICT = re.compile(
    r"jury\.verdict_(?P<juror>judge(_\d+)?)_(?P<pass>\d+)(_(?P<order>ab|ba))?"
)
_WINNERS = {1.0: SIDES[0], 0.0: SIDES[1]}


def conditions(scores: pd.DataFrame) -> Arms:
    """Group rows into conditions: arms of which it does not matter who debates.

    A condition is a protocol with its parameters, prompts, jury and settings, whatever
    the debaters, their own settings, the grader and the seed: a pool, or ten logs of
    one model each, are one. Of debates with the same sample, seed, epoch and models the
    newest counts.

    Args:
        scores: Rows as from `scores_of`.

    Returns:
        As `arms`; `frame` has the sample's id as `debate`, since `id` also tells the
        models and the seed.
    """
    who = scores["sides"].map(str) + " " + scores["seed"].map(str)
    masked = scores.assign(
        debate=scores["id"],
        id=scores["id"] + " " + who,
        debater_a=None,
        debater_b=None,
        grader=None,
        seed=0,
        settings=scores["settings"].map(_without_debaters),
    )
    return arms(masked)


def bets_of(grouped: Arms) -> pd.DataFrame:
    """One row per side and round of every debate that was scored.

    Args:
        grouped: As from `conditions`.

    Returns:
        The columns `BETS`. `debate` is the sample's id and `model` as `model_name` has
        it; `round` counts from 1 to `rounds`, and `speech` is `opening`, `rebuttal`
        or `closing`. `bet` is from 0 to 100, NaN where none was made; `recorded` is
        what a published data set has in its place, else the bet.
    """
    return pd.DataFrame(
        [row for sample in _scored(grouped) for row in _bets(sample)], columns=BETS
    )


def held_here(bets: pd.DataFrame, grouped: Arms) -> pd.DataFrame:
    """The bets without those of debates that a run took from another of the logs.

    Such debates were judged or graded anew: their bets are those of the other run, and
    would count twice where conditions are pooled.

    Args:
        bets: As from `bets_of`.
        grouped: As from `conditions`.
    """
    frame = grouped.frame
    again = frame.loc[frame["reuse"].isin(set(frame["log"])), "run"]
    return bets[~bets["run"].isin(set(again))]


def verdicts_of(grouped: Arms) -> pd.DataFrame:
    """One row per verdict that a juror was asked for.

    Args:
        grouped: As from `conditions`.

    Returns:
        The columns `VERDICTS`: `juror` is the participant and `judge` its model;
        `pass` counts from 1; `order` is `ab`, `ba` or None; `winner` is a side, or None
        where the verdict could not be read; `confidence` is from 0 to 100.
    """
    return pd.DataFrame(
        [row for sample in _scored(grouped) for row in _verdicts(sample)],
        columns=VERDICTS,
    )


def numbered(rows: pd.DataFrame, columns: Sequence[str] = DEBATE) -> "pd.Series[int]":
    """A number per row, the same where the columns are; by default one per debate."""
    return rows.groupby(list(columns), sort=False).ngroup()


def _without_debaters(settings: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in settings.items() if not k.startswith("debater_")}


def _scored(grouped: Arms) -> Iterator[dict[str, Any]]:
    frame = grouped.frame
    kept = frame[frame["scored"] & frame["sides"].map(lambda s: isinstance(s, dict))]
    for sample in kept.to_dict("records"):
        key = (sample["arm"], sample["run"], sample["debate"], sample["epoch"])
        yield {str(k): v for k, v in sample.items()} | dict(
            zip(DEBATE, key, strict=True)
        )


def _bets(sample: dict[str, Any]) -> Iterator[dict[str, Any]]:
    rounds = int(sample["parameters"]["rounds"])
    common = {name: sample[name] for name in (*DEBATE, "motion")}
    models = {side: model_name(sample["sides"][side]) for side in SIDES}
    for side, model in models.items():
        for round in range(1, rounds + 1):
            yield common | {
                "side": side,
                "model": model,
                "self_debate": len(set(models.values())) == 1,
                "round": round,
                "rounds": rounds,
                "speech": speech_type(round, rounds),
                "bet": sample[f"bets.bet_{round}_{side}"],
                "recorded": sample[f"bets.recorded_{round}_{side}"],
            }


def _verdicts(sample: dict[str, Any]) -> Iterator[dict[str, Any]]:
    common = {name: sample[name] for name in DEBATE}
    for name in sample:
        found = _VERDICT.fullmatch(name)
        # Columns are those of all logs together: others may have had more jurors.
        if found is None or found["juror"] not in sample["models"]:
            continue
        yield common | {
            "juror": found["juror"],
            "judge": model_name(sample["models"][found["juror"]]),
            "pass": int(found["pass"]),
            "order": found["order"],
            "winner": _WINNERS.get(sample[name]),
            "confidence": sample[name.replace("verdict", "confidence", 1)],
        }
