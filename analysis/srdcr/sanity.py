"""Whether the runs can be trusted: samples, statuses, and whose answers an arm has."""

from collections.abc import Iterator

import pandas as pd

from inspect_debate.analysis.reporting.elements import Table
from inspect_debate.analysis.srdcr.shown import by_model, model_title
from inspect_debate.analysis.srdcr.study import (
    ARMS,
    arms_in_order,
    in_order,
)
from inspect_debate.analysis.srdcr.tables import HALF_TITLES, MODEL
from inspect_debate.analysis.unread import unread_shares, unread_table

STAGES = {"answers": "Answers", "verdicts": "Verdicts"}

_CONDITION = "Protocol"


def samples_table(frame: pd.DataFrame) -> Table:
    """How many samples each model has under each condition, and what became of them.

    Args:
        frame: `Arms.frame` as from `conditions`.
    """
    rows = [
        {
            _CONDITION: condition,
            MODEL: model,
            "Samples": len(part),
            "Questions": part["question_id"].nunique(),
            **{
                title: int((part["half"] == half).sum())
                for half, title in HALF_TITLES.items()
            },
            "Epochs": part["epoch"].nunique(),
            "Failed": int(part["error"].notna().sum()),
            "Stopped by a limit": int(part["limit"].notna().sum()),
            "Not scored": int((~part["scored"]).sum()),
            "Logs": part["run"].nunique(),
        }
        for condition, model, part in _parts(frame)
    ]
    return Table("samples", "Samples", pd.DataFrame(rows))


def status_table(items: pd.DataFrame) -> Table | None:
    """What could not be read, by condition and stage; None where everything could.

    Args:
        items: As from `items_of`.
    """
    return unread_table(
        list(statuses(items)),
        _CONDITION,
        "Further answers, for self-consistency and recall, are not in it.",
    )


def statuses(items: pd.DataFrame) -> Iterator[dict[str, object]]:
    """Shares of what was asked for that could not be read, by condition and stage."""
    for condition, model, part in _parts(items):
        for shares in unread_shares(part, STAGES):
            yield {_CONDITION: condition, MODEL: model, **shares}


def origins_of_arms(answers: pd.DataFrame) -> Table:
    """From which logs each arm's answers are.

    Args:
        answers: As from `answers_of`.
    """
    rows = []
    for model, of_model in by_model(answers).items():
        for (log, origin), of in of_model.groupby(["log", "answer_set"], sort=False):
            rows.append(
                {
                    MODEL: model_title(model),
                    "Log": log,
                    "Run as": of["title"].iloc[0],
                    "Arms": "; ".join(ARMS[arm] for arm in arms_in_order(of["arm"])),
                    "Samples": len(of.drop_duplicates(["sample", "epoch"])),
                    "Answers first asked for in": "" if origin == log else origin,
                }
            )
    return Table(
        name="arm_logs",
        title="Where the arms come from",
        frame=pd.DataFrame(rows),
        groups=MODEL,
        note="Several runs of a model may have the same arm, as all that ask for the "
        "prior and the contextual answer have few-shot. It is taken from the run of "
        "SR-DCR that holds it, so that arms follow from the same answers, else from "
        "the run made for its sake, else from the newest that has it. Runs for its "
        "sake with other parameters stand beside it under names of their own.",
    )


def _parts(frame: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """The rows of each condition and model, by what readers call both."""
    for title in frame["title"].unique():
        of = frame[frame["title"] == title]
        for model in in_order(of["model"]):
            yield str(title), model_title(model), of[of["model"] == model]
