"""What has to be read before the numbers: data, samples, answers and confidences."""

from collections.abc import Iterator

import pandas as pd

from inspect_debate.analysis.arms import Arms
from inspect_debate.analysis.reporting.elements import Notice
from inspect_debate.analysis.reporting.prose import listed
from inspect_debate.analysis.srdcr.comparisons import TWO_ANSWERS
from inspect_debate.analysis.srdcr.conditions import titles_of
from inspect_debate.analysis.srdcr.sanity import statuses
from inspect_debate.analysis.srdcr.shown import by_model, model_title
from inspect_debate.analysis.srdcr.study import ARMS, HALVES
from inspect_debate.analysis.srdcr.tables import rows_of
from inspect_debate.analysis.unread import STATUSES

LIMIT = 0.1
"""Share of what is missing over which a report says so first."""

_SOURCES = {1.0: "log-probabilities", 2.0: "self-consistency"}


def data_notices(frame: pd.DataFrame) -> Iterator[Notice]:
    """Runs that are not on ClashEval, or on one half of a testbed.

    Args:
        frame: `Arms.frame` as from `conditions`.
    """
    made_up = frame["data"] == "sample"
    if made_up.any():
        which = "These runs are" if made_up.all() else "Some of these runs are"
        yield Notice(
            f"{which} on the sample set shipped with the suite, not on ClashEval: "
            "they do not compare with the published values."
        )
    for model, rows in by_model(frame).items():
        missing = [half for half in HALVES if half not in set(rows["half"])]
        if missing:
            yield Notice(
                f"{model_title(model)} has no {missing[0]} samples, so that nothing "
                "overall can be said of it."
            )


def sample_notices(grouped: Arms) -> Iterator[Notice]:
    """Samples that failed, that newer logs replaced, or that nothing scored."""
    frame = grouped.frame
    names = titles_of(grouped)
    yield from (Notice(text) for text in grouped.notices(names))
    told = frame["error"].notna() | frame["limit"].notna()
    lost = frame[~frame["scored"] & ~told]
    for condition, rows in lost.groupby("arm", sort=False):
        yield Notice(
            f"{names[str(condition)]}: {len(rows)} samples have no score, though "
            "neither an error nor a limit ended them."
        )


def missing_notices(items: pd.DataFrame, answers: pd.DataFrame) -> Iterator[Notice]:
    """Whatever could not be read too often.

    Args:
        items: As from `items_of`.
        answers: As from `answers_of`.
    """
    over = [
        f"{float(str(row[name])):.0%} of the {str(row['Stage']).lower()} "
        f"{name.lower()}: {row['Protocol']} ({row['Model']})"
        for row in statuses(items)
        for name in STATUSES.values()
        if float(str(row[name])) > LIMIT
    ]
    over += [
        f"{share:.0%} of the samples not scored: {of.title} ({model_title(of.model)})"
        for of in rows_of(answers)
        if (share := of.answers["strict"].isna().mean()) > LIMIT
    ]
    if over:
        yield Notice(
            f"More than {LIMIT:.0%} is missing, so what is left may be no fair sample."
            f"\n\n{listed(over)}"
        )


def answer_notices(answers: pd.DataFrame) -> Iterator[Notice]:
    """Arms of one model that follow from different prior and contextual answers.

    Args:
        answers: As from `answers_of`.
    """
    apart = []
    for model, rows in by_model(answers[answers["arm"].isin(TWO_ANSWERS)]).items():
        sets = rows.groupby("answer_set", sort=False)["arm"].unique()
        if len(sets) > 1:
            apart += [
                f"{model_title(model)}, `{log}`: {', '.join(ARMS[a] for a in arms)}"
                for log, arms in sets.items()
            ]
    if apart:
        yield Notice(
            "Arms of one model follow from prior and contextual answers that were "
            "asked for several times, so that chance is in their differences, too; "
            f"`reuse` has them answered once.\n\n{listed(apart)}"
        )


def agreement_notices(answers: pd.DataFrame) -> Iterator[Notice]:
    """On how many samples there is anything to arbitrate.

    Args:
        answers: As from `answers_of`.
    """
    same = [
        f"{agreed.mean():.0%}: {model_title(model)}"
        for model, rows in by_model(answers).items()
        if len(agreed := rows.drop_duplicates(["sample", "epoch"])["agree"].dropna())
    ]
    if same:
        yield Notice(
            "Share of samples on which prior and contextual answer say the same, so "
            "that no arbitration can matter; on the others see “Accuracy where prior "
            f"and contextual answer differ”.\n\n{listed(same)}",
            "info",
        )


def confidence_notices(estimates: pd.DataFrame) -> Iterator[Notice]:
    """Prior answers without a confidence, and confidences of two kinds in one model.

    Args:
        estimates: As from `estimates_of`.
    """
    asked = estimates[estimates["prior_strict"].notna()]
    if "source" not in asked:
        return
    mixed, lacking = [], []
    for model, rows in by_model(asked).items():
        counts = rows["source"].map(_SOURCES).value_counts()
        if len(counts) > 1:
            told = ", ".join(f"{n} from {source}" for source, n in counts.items())
            mixed.append(f"{model_title(model)}: {told}")
        if share := rows["source"].isna().mean():
            lacking.append(f"{share:.0%}: {model_title(model)}")
    if mixed:
        yield Notice(
            "Confidences of one model come from two sources, which one threshold does "
            f"not treat alike.\n\n{listed(mixed)}"
        )
    if lacking:
        yield Notice(
            "Share of the prior answers of which no confidence is known. Where the "
            "judge is against the passage, these are not scored.\n\n"
            f"{listed(lacking)}"
        )


def reuse_notices(frame: pd.DataFrame) -> Iterator[Notice]:
    """Runs that use answers or debates of an earlier run again.

    Args:
        frame: `Arms.frame` as from `conditions`.
    """
    runs = frame.drop_duplicates("log").dropna(subset="reuse")
    again = [
        f"`{row['log']}` ({row['title']}): of `{row['reuse']}`"
        for row in runs.to_dict("records")
    ]
    if again:
        yield Notice(
            "Answers or debates of an earlier run were used again. What they cost is "
            f"not in the calls and tokens of these runs.\n\n{listed(again)}",
            "info",
        )
