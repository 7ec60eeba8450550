"""What reports say before their numbers, each thing in one wording for all studies."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, groupby
from typing import Literal

import pandas as pd

from inspect_debate.v1.debate.participants import PERSON
from inspect_debate.v1.reports.calls import Calls, call_notices
from inspect_debate.v1.reports.conditions import ConditionSamples, Grouped
from inspect_debate.v1.reports.elements import Notice, counted, listed
from inspect_debate.v1.reports.logs import Log
from inspect_debate.v1.reports.sanity import STAGES, unread_notices

Names = Mapping[str, str]
"""What readers call conditions, by the label that `Grouped` has of them."""


def study_notices(
    logs: Sequence[Log],
    grouped: Grouped,
    names: Names,
    parts: Sequence[ConditionSamples],
    calls: Calls,
    *,
    apart: str | None = None,
    judging: str = "",
) -> Iterator[Notice]:
    """All notices that do not depend on the study.

    Args:
        logs: The logs of the report.
        grouped: The rows by condition.
        names: By condition.
        parts: The conditions.
        calls: What the calls say.
        apart: As for `item_notices`.
        judging: As `what` for `judge_notices`.
    """
    yield from run_notices(logs)
    yield from made_up_notices(grouped.frame, names)
    yield from item_notices(parts, apart)
    yield from sample_notices(grouped, names)
    yield from unread_notices(parts, STAGES)
    yield from call_notices(calls)
    yield from self_notices(parts)
    yield from judge_notices(parts, judging)
    yield from reuse_notices(grouped.frame, names)
    yield from missing_vote_notices(grouped.frame, names)


def listing(
    lines: Iterable[str], text: str, level: Literal["warning", "info"] = "warning"
) -> Iterator[Notice]:
    """A notice that ends in a list; none where there is nothing to list."""
    if found := [*lines]:
        yield Notice(f"{text}\n\n{listed(found)}", level)


def run_notices(logs: Sequence[Log]) -> Iterator[Notice]:
    """Runs that did not finish or read, and simulated models.

    Args:
        logs: The logs of the report.
    """
    yield from listing(
        (f"{log.path.name}: {log.unfinished}." for log in logs if log.unfinished),
        "Partial: these runs did not finish, and samples are missing. Finish them with "
        "`inspect eval-retry LOG`.",
    )
    models = {
        model.model for log in logs for bound in log.roles.values() for model in bound
    } | {log.header.eval.model for log in logs}
    if played := sorted(name for name in models if name.startswith(SIMULATED)):
        yield Notice(
            f"Simulated models took part ({', '.join(played)}). They follow "
            "parameters, so these numbers say nothing about language models."
        )


SIMULATED = ("simulated/", "reading_judge/")
"""How the names of models begin that are no language models."""


def made_up_notices(frame: pd.DataFrame, names: Names) -> Iterator[Notice]:
    """Runs on the suite's own samples, which are no data to measure a model on.

    Args:
        frame: `Grouped.frame`.
        names: By condition.
    """
    made_up = frame["data"].astype(str).str.split().str[0].eq("sample")
    if not made_up.any():
        return
    labels = frame.loc[made_up, "condition"].unique()
    which, conditions = ("These", "") if made_up.all() else ("Some of these", "\n\n")
    conditions += listed(names[label] for label in labels) if conditions else ""
    yield Notice(
        f"{which} runs are on the sample set shipped with the suite, which is made up: "
        "they show how a run goes, not what a model can do, and do not compare with "
        f"published values.{conditions}"
    )


def sample_notices(grouped: Grouped, names: Names) -> Iterator[Notice]:
    """Samples that failed, that newer logs replaced, or that nothing scored.

    Args:
        grouped: The rows by condition.
        names: By condition.
    """
    yield from (Notice(text) for text in grouped.notices(names))
    frame = grouped.frame
    told = frame["error"].notna() | frame["limit"].notna()
    for condition, rows in frame[~frame["scored"] & ~told].groupby(
        "condition", sort=False
    ):
        yield Notice(
            f"{names[str(condition)]}: {counted(len(rows), 'sample')} without a score, "
            "though neither an error nor a limit ended them."
        )


def item_notices(
    parts: Sequence[ConditionSamples], apart: str | None = None
) -> Iterator[Notice]:
    """Conditions that are not on the same items.

    Args:
        parts: The conditions.
        apart: A column of their names by which they are on other data anyway.
    """
    sizes: list[str] = []
    for _, found in groupby(parts, lambda part: part.named.get(apart or "")):
        sizes += _sizes(list(found))
    items = [{*part.samples[part.item]} for part in parts]
    common = any(one & other for one, other in combinations(items, 2))
    yield from listing(
        sizes,
        "The conditions are not on the same items: only the paired comparisons, which "
        "take the samples that both have, compare like with like."
        if common
        else "No two conditions share an item: nothing that is compared is paired.",
    )


def judge_notices(
    parts: Sequence[ConditionSamples], what: str = ""
) -> Iterator[Notice]:
    """Judges that debate as well.

    Args:
        parts: The conditions.
        what: What that means in the study.
    """
    own = (part.name for part in parts if {*_known(part.judges)} & {*part.debaters})
    yield from listing(
        own, f"The judge is a debater's model, too. {what}".strip(), "info"
    )


def self_notices(parts: Sequence[ConditionSamples]) -> Iterator[Notice]:
    """Debates of a model with itself.

    Args:
        parts: The conditions.
    """
    debaters = ((part.name, _known(part.debaters)) for part in parts)
    alone = (name for name, known in debaters if len(known) > len({*known}))
    yield from listing(alone, "One model debates itself.", "info")


def _known(models: Sequence[str]) -> list[str]:
    """Those that imported debates name."""
    return [model for model in models if model.removeprefix(PERSON) != "unknown"]


def reuse_notices(
    frame: pd.DataFrame, names: Names, what: str = ""
) -> Iterator[Notice]:
    """Runs that use answers or debates of an earlier run again.

    Args:
        frame: `Grouped.frame`.
        names: By condition.
        what: What else that means in the study.
    """
    runs = frame.drop_duplicates("log").dropna(subset="reuse")
    again = (
        f"`{source}`, in {'; '.join(dict.fromkeys(of['condition'].map(names)))}"
        for source, of in runs.groupby("reuse", sort=False)
    )
    text = "Answers or debates of these runs were used again in others. What they cost "
    text += "is not in the calls, tokens and prices of those."
    yield from listing(again, f"{text} {what}".strip(), "info")


def missing_vote_notices(frame: pd.DataFrame, names: Names) -> Iterator[Notice]:
    """Runs in which votes were asked for only as long as they could matter.

    Args:
        frame: `Grouped.frame`.
        names: By condition.
    """
    runs = frame.drop_duplicates("condition")
    for setting, text in _MISSING.items():
        found = [bool(given.get(setting)) for given in runs["parameters"]]
        yield from listing(runs.loc[found, "condition"].map(names), text, "info")


_LEFT_OUT = (
    "They are in no table on the agreement of judges, on orders, on single judges and "
    "their probabilities, or of ratings."
)
_MISSING = {
    "second_order_below": "These runs showed judges the second order only where they "
    "were unsure after the first, so that where they were sure the effect of the order "
    f"is not averaged out. {_LEFT_OUT}",
}


def _sizes(parts: Sequence[ConditionSamples]) -> list[str]:
    """How many items each has; nothing where all have the same."""
    items = [frozenset(part.samples[part.item]) for part in parts]
    if len(set(items)) < 2:
        return []
    first: dict[int, frozenset[object]] = {}
    return [
        f"{len(ids)} {_which(first.setdefault(len(ids), ids) == ids)}: {part.name}"
        for part, ids in zip(parts, items, strict=True)
    ]


def _which(same: bool) -> str:
    return "items" if same else "other items (seed or --limit differ)"
