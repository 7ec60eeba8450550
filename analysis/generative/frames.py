"""Items of generative-debate runs as a frame, from scores alone, and its cells."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pandas as pd

from inspect_debate.analysis.arms import Arms
from inspect_debate.analysis.generative.conditions import FACTS, IDENTITIES
from inspect_debate.analysis.generative.settings import differences
from inspect_debate.analysis.generative.study import (
    PROTOCOLS,
    benchmark_title,
    families_in_order,
    format_named,
    titled,
)
from inspect_debate.core.generative import Interaction

ITEM = [
    *("run", "log", "created", "arm", "title", "variant", "protocol", "format"),
    *("proposers", "interaction", "best_of", "debater", "debater_b"),
    *("judge", "family"),
    *(*FACTS, "id", "epoch", "target", *IDENTITIES, "prompts", "data", "reuse"),
    *("judging", "speaking", "parameters", "models", "scored", "error", "limit"),
]
"""The columns of items before the scores."""

_SCORER = "verdicts."


class Cell(NamedTuple):
    """What is reported as one: a format of a family on some data.

    Attributes:
        family: "debater > judge".
        dataset: Name of the data.
        version: Their version.
        split: The run's part of them.
        proposers: How many answers are put to the judge.
        interaction: How those who speak meet.
        best_of: Of how many candidates a speech is chosen.
        variant: What else is not as in the study; mostly empty.
    """

    family: str
    dataset: str
    version: str
    split: str
    proposers: int
    interaction: Interaction
    best_of: int
    variant: str = ""

    @property
    def format(self) -> str:
        """The format, a key of `PROTOCOLS`."""
        return format_named(self.proposers, self.interaction)

    @property
    def title(self) -> str:
        """What readers call it among those of its family and data."""
        return titled(self.format, self.best_of, self.variant)

    def against(self, other: "Cell") -> str:
        """Its title, with that of another where it has parameters of its own."""
        if other.variant in ("", self.variant):
            return self.title
        return f"{self.title} (against {other.title})"

    @property
    def benchmark(self) -> str:
        """What readers call its data."""
        return benchmark_title(self.dataset, self.version, self.split)


def items_of(grouped: Arms) -> pd.DataFrame:
    """One row per run, sample and epoch, those that nothing scored included.

    Args:
        grouped: As from `conditions`.

    Returns:
        The columns `ITEM`, and all values of the scorer `verdicts` under their own
        names, NaN where a run or sample has no such value. `format` is the protocol,
        or that without a transcript where nobody speaks; `title` is what readers call
        it, with `best_of` and the `variant`, which is what else is not as in the study.
        `debater_b` is the model of that seat, missing where none has it.
        `answer_set_id` is the same where a judge saw the same answers; `prompts` and
        `data` are the run's; `judging` and `speaking` as from `settings`.
    """
    frame = grouped.frame
    scores = {
        column: bare
        for column in map(str, frame.columns)
        if (bare := column.removeprefix(_SCORER)) != column and bare not in ITEM
    }
    # Runs from before ties were told apart have no such value.
    scores.setdefault(f"{_SCORER}verdict_tied", "verdict_tied")
    named = frame.reindex(columns=[*ITEM, *scores]).rename(columns=scores)
    return named.reset_index(drop=True)


def cells_of(items: pd.DataFrame) -> dict[Cell, pd.DataFrame]:
    """The rows of each cell, families of the study first and formats in its order.

    Args:
        items: As from `items_of`.
    """
    found = {
        Cell(*rows[list(Cell._fields)].iloc[0].tolist()): rows
        for _, rows in items.groupby(list(Cell._fields), sort=False)
    }
    families = families_in_order(cell.family for cell in found)
    formats = list(PROTOCOLS)

    def place(cell: Cell) -> tuple[object, ...]:
        data = (cell.dataset, cell.version, cell.split)
        of = (formats.index(cell.format), cell.variant, cell.best_of)
        return (families.index(cell.family), *data, *of)

    return {cell: found[cell] for cell in sorted(found, key=place)}


def partner(
    cells: Mapping[Cell, pd.DataFrame],
    cell: Cell,
    interaction: Interaction,
    best_of: int | None = None,
) -> Cell | None:
    """The cell that another is held against, with as many proposers.

    Of several those whose verdicts and speeches were asked for alike, if there are any;
    of these the one with the same variant, or else that with none, since not every
    format has every parameter, or the only one.

    Args:
        cells: As from `cells_of`.
        cell: One of them.
        interaction: How those who speak in the other meet.
        best_of: Of how many candidates its speeches are chosen; by default of as many.

    Returns:
        The other cell; None where there is none, or none that stands out.
    """
    near = alike(cells, cell, interaction, best_of)
    fitting = [of for of in near if not differences(cells[cell], cells[of])]
    found = fitting or near
    for variant in (cell.variant, ""):
        for other in found:
            if other.variant == variant:
                return other
    return found[0] if len(found) == 1 else None


def alike(
    cells: Mapping[Cell, pd.DataFrame],
    cell: Cell,
    interaction: Interaction,
    best_of: int | None = None,
) -> list[Cell]:
    """The cells that one could be held against, whatever their variant.

    Args:
        cells: As from `cells_of`.
        cell: What is held against them.
        interaction: How those who speak in them meet. Without a transcript nothing is
            chosen, so that `best_of` does not matter.
        best_of: Of how many candidates their speeches are chosen; by default of as
            many as the cell's.
    """
    chosen = 1 if interaction == "none" else best_of or cell.best_of
    wanted = cell._replace(interaction=interaction, best_of=chosen)
    return [other for other in cells if other._replace(variant=cell.variant) == wanted]


def contexts(items: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Family, data and their rows, in the order of `cells_of`.

    Args:
        items: As from `items_of`.

    Returns:
        What readers read the family's cells under: the family as it is in `items`, and
        the title of the data.
    """
    places: dict[tuple[str, ...], list[pd.DataFrame]] = {}
    for cell, rows in cells_of(items).items():
        places.setdefault(tuple(cell[:4]), []).append(rows)
    for (family, *data), parts in places.items():
        yield family, benchmark_title(*data), pd.concat(parts).sort_index()
