"""What all sections of the ColMAD report share: its data, read from logs."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from inspect_debate.reports.between_rounds import BETWEEN_ROUNDS
from inspect_debate.reports.calls import Calls, read_with_calls
from inspect_debate.reports.colmad.conditions import (
    AUTHORS,
    SUBSETS,
    Condition,
    study_conditions,
)
from inspect_debate.reports.colmad.pairs import FIRST, own_answers, pair_rows
from inspect_debate.reports.conditions import Grouped, group_conditions
from inspect_debate.reports.frames import scores_of
from inspect_debate.reports.logs import Log
from inspect_debate.reports.ratings import comparison_rows, comparisons
from inspect_debate.reports.samples import Held
from inspect_debate.reports.sanity import STATUSES

COMMAND = "inspect eval inspect_debate/colmad"
BY = {"Protocol": "Protocol", "Models": "Models"}
CHANGES = {
    "both_wrong_to_right": "Both wrong, then right",
    "both_right_to_wrong": "Both right, then wrong",
}
NOT_GRADED = ("unparsed", "refused", "truncated", "capped")
UNGRADED = {f"hacking_{status}": STATUSES[status] for status in NOT_GRADED}
LABELS = {
    "fake_evidence": "Fake evidence",
    "overconfident": "Overconfident",
    "fallacious": "Fallacious",
    "hacked": "Any of them",
}
_IF_SCORED = [
    *(*FIRST, *CHANGES, "graded_speeches", *UNGRADED, *LABELS, "aligned"),
    *(f"alignment_{status}" for status in (*NOT_GRADED, "no_explanation")),
    *("debated", "calls", "tokens", "reused_calls", "reused_tokens"),
    *BETWEEN_ROUNDS,
]
"""Scores that not all runs have."""


@dataclass(frozen=True)
class Data:
    """What the logs of the study hold.

    Attributes:
        conditions: In the order in which they are reported.
        logs: The logs.
        grouped: All samples by condition.
        calls: What the calls say.
        seen: The items of all samples, as from `item_of`.
        comparisons: Verdicts for one of two debaters, as from `comparisons`.
    """

    conditions: Sequence[Condition]
    logs: Sequence[Log] = ()
    grouped: Grouped | None = None
    calls: Calls = field(default_factory=lambda: Calls({}, {}, []))
    seen: Sequence[Mapping[str, Any]] = ()
    comparisons: pd.DataFrame = field(default_factory=lambda: comparisons([]))

    @cached_property
    def rows(self) -> pd.DataFrame:
        """The scored samples of all conditions, with what readers call these."""
        rows = pd.concat(
            [
                one.rows.assign(
                    place=place,
                    Condition=one.name,
                    Protocol=one.title,
                    Models=one.models,
                    rounds=one.rounds,
                    usd=_usd(one.samples, self.calls),
                )
                for place, one in enumerate(self.conditions)
            ],
            ignore_index=True,
        )
        known = dict.fromkeys([*rows.columns, *_IF_SCORED])
        return rows.reindex(columns=[*known]).copy()

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """All pairs of models by task, as from `pair_rows`."""
        return pair_rows(own_answers(self.conditions))

    @cached_property
    def items(self) -> pd.DataFrame:
        """The items of the data, each once, whatever runs and epochs have it."""
        columns = ["author", "subset", "error", "categories", "words_in", "words_out"]
        items = pd.DataFrame(self.seen, columns=pd.Index(["id", "print", *columns]))
        items = items.drop_duplicates()
        items = items[items["author"].isin(AUTHORS) & items["subset"].isin(SUBSETS)]
        places = [*AUTHORS, *SUBSETS].index
        items = items.sort_values(
            ["author", "subset"], key=lambda column: column.map(places), kind="stable"
        )
        cells = items.groupby(["author", "subset"])["error"]
        return items.assign(
            of_items=cells.transform("size"),
            of_errors=cells.transform("sum"),
            responses=items["author"].map(AUTHORS),
            task=items["subset"].map(SUBSETS),
        )

    def of(self, conditions: Iterable[Condition]) -> pd.DataFrame:
        """The rows of some conditions, in their order."""
        by_name = dict(tuple(self.rows.groupby("Condition")))
        names = (one.name for one in conditions)
        found = [by_name[name] for name in names if name in by_name]
        return pd.concat(found) if found else self.rows.head(0)


def read(logs: Sequence[Log]) -> Data | None:
    """Read the logs; None if no sample was scored."""
    calls, found = read_with_calls(logs, _see)
    grouped = group_conditions(scores_of(logs))
    conditions = study_conditions(grouped)
    if not any(len(one.rows) for one in conditions):
        return None
    seen, compared = [item for item, _ in found], comparisons(of for _, of in found)
    return Data(conditions, logs, grouped, calls, seen, compared)


def _see(held: Held) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    return item_of(held), comparison_rows(held)


def item_of(held: Held) -> dict[str, Any]:
    """The item of a sample: no text, but how many words its texts have."""
    sample, metadata = held.sample, held.sample.metadata or {}
    texts = [] if isinstance(sample.input, str) else [m.text for m in sample.input]
    words = [float(len(text.split())) for text in texts]
    words_in, words_out = words if len(words) == 2 else [math.nan] * 2
    return {
        "id": str(sample.id),
        "print": str(metadata.get("fingerprint")),
        "author": str(metadata.get("response_author")),
        "subset": str(metadata.get("subset")),
        "error": sample.target == "error",
        "categories": tuple(map(str, metadata.get("categories") or ())),
        "words_in": words_in,
        "words_out": words_out,
    }


def _usd(samples: pd.DataFrame, calls: Calls) -> float:
    """The mean price of a condition's samples, those that newer logs replaced apart."""
    keys = zip(samples["run"], samples["id"], samples["epoch"], strict=True)
    return float(np.mean([calls.prices.get(key, math.nan) for key in keys]))
