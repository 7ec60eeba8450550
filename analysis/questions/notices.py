"""What has to be read before the numbers."""

from collections.abc import Iterator

import pandas as pd

from inspect_debate.analysis.arms import Arms
from inspect_debate.analysis.questions.frames import ARM, DATA, names_of, rows_of
from inspect_debate.analysis.questions.sanity import statuses
from inspect_debate.analysis.questions.study import LIMIT
from inspect_debate.analysis.reporting.elements import Notice
from inspect_debate.analysis.reporting.prose import counted, listed
from inspect_debate.analysis.unread import STATUSES


def data_notices(frame: pd.DataFrame) -> Iterator[Notice]:
    """Runs on made-up data, and arms on other samples.

    Args:
        frame: `Arms.frame` as from `arms_of`.
    """
    made_up = frame["data"] == "sample"
    if made_up.any():
        which = "These runs are" if made_up.all() else "Some of these runs are"
        yield Notice(
            f"{which} on the sample set shipped with the suite, whose passages are "
            "made up: they show how a run goes, not what a model can do."
        )
    names = names_of(frame)
    for _, of_data in frame.groupby("data_name", sort=False):
        ids = {arm: frozenset(rows["id"]) for arm, rows in of_data.groupby("arm")}
        if len(set(ids.values())) > 1:
            sizes = [
                f"{counted(len(of), 'question')}: {names[str(arm)]}"
                for arm, of in ids.items()
            ]
            yield Notice(
                "The arms are not on the same questions: only the paired comparisons, "
                "which take those that both have, hold one against the other."
                f"\n\n{listed(sizes)}"
            )


def sample_notices(grouped: Arms) -> Iterator[Notice]:
    """Samples that failed, that newer logs replaced, or that nothing scored.

    Args:
        grouped: As from `arms_of`.
    """
    frame, names = grouped.frame, names_of(grouped.frame)
    yield from (Notice(text) for text in grouped.notices(names))
    told = frame["error"].notna() | frame["limit"].notna()
    for arm, rows in frame[~frame["scored"] & ~told].groupby("arm", sort=False):
        yield Notice(
            f"{names[str(arm)]}: {counted(len(rows), 'sample')} without a score, "
            "though neither an error nor a limit ended them."
        )


def unread_notices(items: pd.DataFrame) -> Iterator[Notice]:
    """Whatever is missing too often: outcomes, and what could not be read.

    Args:
        items: As in `Data`.
    """
    over = [
        f"{missing:.0%} of the samples without an outcome: {title} ({data})"
        for (data, title), rows in rows_of(items).items()
        if (missing := rows["correct"].isna().mean()) > LIMIT
    ]
    over += [
        f"{float(str(row[name])):.0%} of the {str(row['Stage']).lower()} "
        f"{name.lower()}: {row[ARM]} ({row[DATA]})"
        for row in statuses(items)
        for name in STATUSES.values()
        if float(str(row[name])) > LIMIT
    ]
    if over:
        yield Notice(
            f"More than {LIMIT:.0%} is missing, so what is left may be no fair sample."
            f"\n\n{listed(over)}"
        )


def judge_notices(items: pd.DataFrame) -> Iterator[Notice]:
    """Judges that debate, and debaters that are one model.

    Args:
        items: As in `Data`.
    """
    own, alone = [], []
    for arm, rows in items.groupby("arm", sort=False):
        first, name = rows.iloc[0], names_of(items)[str(arm)]
        judges = set(str(first["judge"]).split(", "))
        debaters = [first["debater_a"], first["debater_b"]]
        if first["kind"] in ("debate", "consultancy") and judges & set(debaters):
            own.append(name)
        if first["kind"] == "debate" and debaters[0] == debaters[1]:
            alone.append(name)
    if own:
        yield Notice(f"The judge is a debater's model, too.\n\n{listed(own)}", "info")
    if alone:
        yield Notice(f"One model debates itself.\n\n{listed(alone)}", "info")


def reuse_notices(frame: pd.DataFrame) -> Iterator[Notice]:
    """Runs that use answers or debates of an earlier run again.

    Args:
        frame: `Arms.frame` as from `arms_of`.
    """
    names = names_of(frame)
    runs = frame.drop_duplicates("log").dropna(subset="reuse")
    again = [
        f"`{row['log']}` ({names[row['arm']]}): of `{row['reuse']}`"
        for row in runs.to_dict("records")
    ]
    if again:
        yield Notice(
            "Answers or debates of an earlier run were used again. What they cost is "
            f"not in the calls, tokens and prices of these runs.\n\n{listed(again)}",
            "info",
        )
