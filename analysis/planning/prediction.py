"""From the debates of a rehearsal to those of a whole run."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from inspect_debate.analysis.planning.spent import QUANTITIES, Spent, Stage, summed
from inspect_debate.core.errors import InputError
from inspect_debate.core.measures.agreement import Share
from inspect_debate.core.measures.intervals import Interval, proportion_interval

Array = NDArray[np.float64]

_COUNTED = ("turns", "calls")
"""Quantities that do not depend on an item's length."""

_UNKNOWN = pd.DataFrame(
    float("nan"),
    index=pd.MultiIndex.from_tuples([("?", "?")], names=["role", "model"]),
    columns=[*QUANTITIES],
)


class Prediction(NamedTuple):
    """What a run will cost.

    `answers`, `debated` and `skipped` hold, by role and model, the sums of
    `QUANTITIES` if all `samples` go through that stage; None where the rehearsal did
    not show it. `share` is that of the samples that go past the answers;
    `certain` tells that all of them do by the task's own rules. `depth` is the greatest
    number of calls one after the other, and `depth_skipped` that where a debate was
    skipped, if one was. `asked_again` is the share of turns that were asked twice.
    """

    samples: int
    answers: pd.DataFrame
    debated: pd.DataFrame | None
    skipped: pd.DataFrame | None
    share: Share
    certain: bool
    depth: int
    depth_skipped: int | None
    asked_again: Share

    @property
    def calls(self) -> Interval:
        """The fewest calls, and the most.

        The fewest: nothing is asked again, and nothing debated where that is not
        certain. The most: all are debated, and as much asked again as the end of that
        share's interval says.
        """
        fewest = self.at(self.samples if self.certain else 0)["turns"].sum()
        every = self.at(self.samples)["turns"].sum(skipna=False)
        return Interval(float(fewest), float(every * (1 + self.asked_again.high)))

    def at(self, debated: float) -> pd.DataFrame:
        """The run's costs by role and model, if so many of its samples go on.

        Args:
            debated: Number of samples that go past the answers, up to `samples`.

        Returns:
            `QUANTITIES` by role and model; NaN where the rehearsal did not show what is
            needed.
        """
        share = debated / self.samples
        parts = [self.answers]
        if share > 0:
            parts.append(_UNKNOWN if self.debated is None else self.debated * share)
        if share < 1 and self.skipped is not None:
            parts.append(self.skipped * (1 - share))
        return summed(pd.concat(parts))


def predict(shown: Spent, lengths: Mapping[str, int], epochs: int) -> Prediction:
    """Predict a run from a rehearsal on some of its items.

    Costs by role and model are taken to be a fixed part and one in proportion to the
    length of the item, fitted by least squares stage by stage. So an item counts with
    its own length, and the transcript, which grows with the debate and not with the
    item, is in the fixed part.

    Args:
        shown: The debates of the rehearsal.
        lengths: Of all items of the run, by sample id, in characters.
        epochs: How often each item is debated.

    Raises:
        InputError: If the rehearsal has items that the run does not have.
    """
    other = sorted(set(shown.stages["id"]) - lengths.keys())
    if other:
        raise InputError(
            f"The rehearsal has {len(other)} samples that this task does not have, "
            f"{other[0]} among them; give the task and the parameters of that run."
        )
    whole = np.array(list(lengths.values()), dtype=np.float64)

    def fitted(stage: Stage) -> pd.DataFrame | None:
        if stage not in set(shown.stages["stage"]):
            return None
        return _fitted(shown, stage, lengths, whole) * epochs

    debates = shown.debates
    went_on = debates["went_on"].astype(bool)
    deepest = shown.stages.groupby("stage")["depth"].max().to_dict()
    counts = shown.costs[[*_COUNTED]].sum()
    again = min(counts["calls"] - counts["turns"], counts["turns"])
    return Prediction(
        samples=len(lengths) * epochs,
        answers=_fitted(shown, "answers", lengths, whole) * epochs,
        debated=fitted("debated"),
        skipped=fitted("skipped"),
        share=_share(int(went_on.sum()), len(went_on)),
        certain=bool(went_on.all()) and not debates["may_skip"].any(),
        depth=deepest.get("debated", deepest["answers"]),
        depth_skipped=deepest.get("skipped"),
        asked_again=_share(int(again), int(counts["turns"])),
    )


def _share(ones: int, n: int) -> Share:
    if not n:
        return Share(float("nan"), float("nan"), float("nan"), 0)
    interval: Interval = proportion_interval(ones, n)
    return Share(ones / n, *interval, n)


def _fitted(
    shown: Spent, stage: Stage, lengths: Mapping[str, int], whole: Array
) -> pd.DataFrame:
    """Sums over all items by role and model, if all go through a stage."""
    debates = shown.stages[shown.stages["stage"] == stage]
    costs = shown.costs[shown.costs["stage"] == stage]
    x = np.array([lengths[id] for id in debates["id"]], dtype=np.float64)
    rows = {}
    for who, own in costs.groupby(["role", "model"], sort=False):
        # Who said nothing in a debate cost nothing there.
        values = own.set_index("debate")[[*QUANTITIES]]
        values = values.reindex(debates["debate"], fill_value=0.0)
        rows[who] = {
            name: _total(x, values[name].to_numpy(float), whole, name in _COUNTED)
            for name in QUANTITIES
        }
    index = pd.MultiIndex.from_tuples(list(rows), names=["role", "model"])
    return pd.DataFrame(list(rows.values()), index=index, columns=[*QUANTITIES])


def _total(x: Array, y: Array, whole: Array, counted: bool) -> float:
    """The sum over all items of a line through some."""
    slope = 0.0 if counted else _slope(x, y)
    mean = y.mean() + slope * (whole.mean() - x.mean())
    return float(max(0.0, mean) * len(whole)) if not np.isnan(mean) else float("nan")


def _slope(x: Array, y: Array) -> float:
    """Of the least-squares line; 0 where two lengths or fewer would decide it."""
    if len(set(x.tolist())) < 3:
        return 0.0
    centred = x - x.mean()
    return float(centred @ y / (centred @ centred))
