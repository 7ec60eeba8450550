"""The data sets of generative debate."""

from collections.abc import Callable, Mapping

from inspect_debate.core.errors import check_choice
from inspect_debate.datasets.arc_agi import Loaded, arc

Load = Callable[[str | int | None, str | None, str, int], Loaded]
"""Loads a data set's version and split from a source, in an order by a seed."""


def _arc(
    version: str | int | None, split: str | None, source: str, seed: int
) -> Loaded:
    return arc(version, "both" if split is None else split, source, seed)


DATASETS: Mapping[str, Load] = {"arc": _arc}
"""The data sets by the name of the task's parameter."""


def load(
    dataset: str, version: str | int | None, split: str | None, source: str, seed: int
) -> Loaded:
    """A data set's samples, and where they come from.

    Args:
        dataset: A key of `DATASETS`.
        version: Which release; the data set's default if None.
        split: Which part; the data set's default if None.
        source: `published`, `sample`, or a path.
        seed: Of the order.

    Raises:
        InputError: If there is no such data set, or it cannot be loaded.
    """
    check_choice("dataset", dataset, tuple(DATASETS))
    return DATASETS[dataset](version, split, source, seed)
