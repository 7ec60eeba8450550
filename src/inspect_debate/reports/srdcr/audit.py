"""What is wrong in SR-DCR's printed numbers, and which are found again."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import NamedTuple

from inspect_debate.published.faults import Fault, Finding
from inspect_debate.published.printed import (
    CodeClaim,
    PublishedClash,
    PublishedShare,
    is_printed_so,
    items_behind,
)
from inspect_debate.published.reproduction import Checked, How
from inspect_debate.reports.srdcr.study import ARMS, HALVES, MODELS, OFFSETS

# What the printed cells of SR-DCR's tables say of each other.

YEARS = tuple(map(str, OFFSETS))
"""The columns of Table 2 but for the last."""

PER_OFFSET, PER_HALF = 60, 300
"""Items of the testbed, as the paper states them."""

# Of a mean of numbers of two decimals, printed with two: each rounded or cut off.
_ROUNDED = 0.0151


class Place(NamedTuple):
    """A cell of the tables."""

    table: str
    model: str
    arm: str
    column: str


class Mean(NamedTuple):
    """A printed value that should be a mean of others, and that mean."""

    printed: float
    mean: float


def cells(published: PublishedClash) -> dict[Place, PublishedShare]:
    """All cells that can be read, in their order."""
    return {
        Place(table, model, arm, column): cell
        for table, models in published.tables.items()
        for model, arms in models.items()
        for arm, columns in arms.items()
        for column, cell in columns.items()
        if cell.value is not None
    }


def value(published: PublishedClash, *place: str) -> float | None:
    """The value of a table, model, arm and column; None where there is none."""
    return published.cell(*place).value


def means(published: PublishedClash) -> dict[Place, tuple[Mean, bool]]:
    """Cells that should be means of others, and whether they are.

    `overall` is the mean of both halves in Table 1, and of the offsets in Table 2;
    `perturbed` in Table 1 is the latter, too. Cells without those others are left out.
    """
    found = {}
    for at, cell in cells(published).items():
        read = [value(published, *part) for part in parts_of(at)]
        parts = [one for one in read if one is not None]
        if parts and len(parts) == len(read) and cell.value is not None:
            mean = sum(parts) / len(parts)
            found[at] = Mean(cell.value, mean), abs(mean - cell.value) <= _ROUNDED
    return found


def parts_of(at: Place) -> list[Place]:
    """What a cell should be the mean of; nothing where it is a share of items."""
    columns = {
        ("table_1", "overall"): ("table_1", HALVES),
        ("table_1", "perturbed"): ("table_2", YEARS),
        ("table_2", "overall"): ("table_2", YEARS),
    }
    table, names = columns.get((at.table, at.column), (at.table, ()))
    return [Place(table, at.model, at.arm, name) for name in names]


def of_items(at: Place) -> int | None:
    """How many items a cell is a share of; None where it is a mean of shares."""
    if at.column in YEARS:
        return PER_OFFSET
    return PER_HALF if at.column == "standard" else None


def is_share_of(printed: float, n: int) -> bool:
    """Whether some number of n items is printed so, to one digit or two."""
    return items_behind(printed, n, decimals(printed)) is not None


def fewer_items(printed: float, n: int) -> tuple[int, int] | None:
    """The share of the most items below n that is printed so: how many of how many."""
    for size in range(n - 1, 0, -1):
        if (k := items_behind(printed, size, decimals(printed))) is not None:
            return k, size
    return None


def decimals(printed: float) -> int:
    """How many decimals are printed."""
    return max(1, len(str(printed).partition(".")[2]))


Check = Callable[[PublishedClash], Finding]


def faults(published: PublishedClash) -> list[Fault]:
    """All faults of the tables, claims of the text that they contradict, and what the
    released code does otherwise than the text says.

    Args:
        published: As printed, or corrected.
    """
    said = {one.id: f"Claimed: {one.claim} {one.tables}" for one in published.claims}
    return [
        *(
            Fault("srdcr", name, published.flags[name], partial(check, published))
            for name, check in _CHECKS.items()
        ),
        *(
            Fault("srdcr", name, said[name], partial(check, published))
            for name, check in CLAIMS.items()
        ),
        *code_faults(published),
    ]


def named(at: Place) -> str:
    """A cell for readers."""
    arm = ARMS.get(at.arm, at.arm)
    model = MODELS.get(at.model, at.model)
    return f"{at.table.replace('_', ' ').title()}, {model}, {arm}, {at.column}"


def _means(which: Callable[[Place], bool]) -> Check:
    """Cells that are no means of those beside them."""

    def check(published: PublishedClash) -> Finding:
        wrong = {
            at: mean
            for at, (mean, right) in means(published).items()
            if not right and which(at)
        }
        lines = [
            f"{named(at)}: printed {printed:.2f}; the mean of the printed cells is "
            f"{mean:.2f}; {told_pool(pooled(published, at))}."
            for at, (printed, mean) in wrong.items()
        ]
        return Finding(lines, frozenset(wrong))

    return check


def _shares(which: Callable[[Place], bool]) -> Check:
    """Cells that are no share of the items that there are."""

    def check(published: PublishedClash) -> Finding:
        wrong = {
            at: (cell.value, n)
            for at, cell in cells(published).items()
            if (n := of_items(at)) is not None
            and cell.value is not None
            and which(at)
            and not is_share_of(cell.value, n)
        }
        lines = [_told_share(at, *found) for at, found in wrong.items()]
        return Finding(lines, frozenset(wrong))

    return check


def _told_share(at: Place, printed: float, n: int) -> str:
    near = round(printed * n / 100)
    beside = ", ".join(
        f"{k}/{n} is {100 * k / n:.2f}" for k in (near - 1, near, near + 1)
    )
    fewer = fewer_items(printed, n)
    told = told_share(*fewer, printed) if fewer else "no fewer items give it"
    return f"{named(at)}: printed {printed}; {beside}; {told}."


def _above_golden(published: PublishedClash) -> Finding:
    found = {}
    for at, cell in cells(published).items():
        golden = value(published, *at._replace(arm="golden"))
        compared = at.table == "table_1" and at.arm == "srdcr"
        if compared and golden is not None and (cell.value or 0) > golden:
            found[at] = f"{named(at)}: {cell.value:.2f}; Golden has {golden:.2f}."
    return Finding(list(found.values()), frozenset(found))


def _golden_is_another_run(published: PublishedClash) -> Finding:
    found = {}
    for at, cell in cells(published).items():
        other = value(published, *at._replace(arm="few_shot"))
        compared = (at.table, at.arm, at.column) == ("table_1", "golden", "standard")
        if compared and other is not None and cell.value != other:
            found[at] = f"{named(at)}: {cell.value:.2f}; Few-Shots has {other:.2f}."
    return Finding(list(found.values()), frozenset(found))


_CHECKS: Mapping[str, Check] = {
    "overall_not_mean": _means(lambda at: at[::3] == ("table_1", "overall")),
    "self_ask_not_mean": _means(
        lambda at: at.arm == "self_ask" and at[::3] != ("table_1", "overall")
    ),
    "sonnet_not_mean": _means(
        lambda at: at.arm == "srdcr" and at[::3] != ("table_1", "overall")
    ),
    "fewer_items": _shares(lambda at: at.arm == "srdcr" and of_items(at) == PER_OFFSET),
    "fewer_standard_items": _shares(
        lambda at: at.arm == "srdcr" and at.column == "standard"
    ),
    "not_of_60": _shares(lambda at: at.arm != "srdcr" and of_items(at) == PER_OFFSET),
    "not_of_300": _shares(lambda at: at.arm != "srdcr" and at.column == "standard"),
    "above_golden": _above_golden,
    "golden_is_another_run": _golden_is_another_run,
}


# What SR-DCR's text says, beside its own tables.
#
# The numbers of a claim are read from its sentence, so that a corrected one is right.

GPT_35 = "gpt-3.5-turbo-0125"
GPT_4O = "gpt-4o-2024-08-06"
HAIKU = "claude-3-5-haiku-20241022"
SONNET = "claude-3-7-sonnet-20250219"

SEVERITIES = {20: "subtle", 40: "mild", 60: "moderate", 200: "blatant"}
"""The scale of shifts in years, as the text gives it."""


def gap_of_gpt_4o(published: PublishedClash) -> Finding:
    """SR-DCR less Judge Debate after five rounds, on GPT-4o."""
    return _gap(published, "gpt_4o_over_judge_debate", GPT_4O, "judge_debate_5")


def gap_of_haiku(published: PublishedClash) -> Finding:
    """SR-DCR less RCI, on Claude Haiku."""
    return _gap(published, "haiku_over_rci", HAIKU, "rci")


def best_at_every_offset(published: PublishedClash) -> Finding:
    """Offsets at which another arm than SR-DCR is best, on GPT-3.5."""
    return Finding(
        [
            f"Offset {year}: {_listed(better)}; SR-DCR has {own:.2f}."
            for year in YEARS
            for own, better in [_better(published, "table_2", GPT_35, year)]
            if better
        ]
    )


def best_on_sonnet(published: PublishedClash) -> Finding:
    """Arms that are above SR-DCR on Claude Sonnet."""
    found = {
        column: _better(published, "table_1", SONNET, column)
        for column in ("perturbed", "overall")
    }
    if not found["perturbed"][1]:
        return Finding()
    return Finding(
        [
            f"{column.capitalize()}: {_listed(better)}; SR-DCR has {own:.2f}."
            for column, (own, better) in found.items()
        ]
    )


def upper_bound(published: PublishedClash) -> Finding:
    """Models on which SR-DCR is above Golden."""
    lines = []
    for model in published.tables["table_1"]:
        for column in ("perturbed", "overall"):
            ours, golden = (
                value(published, "table_1", model, arm, column)
                for arm in ("srdcr", "golden")
            )
            if ours is not None and golden is not None and ours > golden:
                lines.append(f"{model}, {column}: {ours:.2f}; Golden {golden:.2f}.")
    return Finding(lines)


def moderate_shift(published: PublishedClash) -> Finding:
    """That a shift has another name on the scale of the text."""
    sentence = _sentence(published, "moderate_shift")
    first, last = map(int, re.findall(r"\b\d{4}\b", sentence))
    name = SEVERITIES.get(abs(last - first))
    if name is None or f"is {name}" in sentence:
        return Finding()
    return Finding(
        [f"{first} to {last} is {abs(last - first)} years, which is {name}."]
    )


CLAIMS: Mapping[str, Callable[[PublishedClash], Finding]] = {
    "gpt_4o_over_judge_debate": gap_of_gpt_4o,
    "haiku_over_rci": gap_of_haiku,
    "best_at_every_offset": best_at_every_offset,
    "best_on_sonnet": best_on_sonnet,
    "upper_bound": upper_bound,
    "moderate_shift": moderate_shift,
}
"""What shows that a claim is not borne out, by its id."""


def _gap(published: PublishedClash, id: str, model: str, arm: str) -> Finding:
    (said,) = _numbers(published, id)
    ours, other = (
        value(published, "table_1", model, one, "perturbed") for one in ("srdcr", arm)
    )
    if ours is None or other is None or abs(ours - other - said) < 0.05:
        return Finding()
    return Finding([f"{ours:.2f} less {other:.2f} is {ours - other:.2f}, not {said}."])


def _better(
    published: PublishedClash, *column: str
) -> tuple[float, Mapping[str, float]]:
    """SR-DCR's value in a table, model and column, and those of arms above it."""
    table, model, name = column
    values = {
        arm: found
        for arm in published.tables[table][model]
        if (found := value(published, table, model, arm, name)) is not None
    }
    own = values.pop("srdcr")
    values.pop("golden", None)  # which is no method
    return own, {arm: found for arm, found in values.items() if found > own}


def _listed(found: Mapping[str, float]) -> str:
    return ", ".join(f"{arm} {of:.2f}" for arm, of in found.items())


def _sentence(published: PublishedClash, id: str) -> str:
    (found,) = [claim.claim for claim in published.claims if claim.id == id]
    return found


def _numbers(published: PublishedClash, id: str) -> list[float]:
    """The numbers with a decimal in a claim, but for those in a model's name."""
    found = re.findall(r"(?<![\w.-])\d+\.\d+(?= |$)", _sentence(published, id))
    return [float(number) for number in found if float(number) != 3.5]


# Averages of SR-DCR's tables as shares of all items, where cells may have fewer.

_MISSING = 10
"""At most one in so many items is missing from a cell, as in SR-DCR's own: 30/54."""


class Pool(NamedTuple):
    """Right answers among the items of one cell or several.

    Attributes:
        right: How many.
        items: Of how many.
        printed: The average, or the share.
        supposed: Shares put for printed cells that no number of items gives.
    """

    right: int
    items: int
    printed: float
    supposed: tuple[str, ...] = ()


def pooled(published: PublishedClash, at: Place) -> Pool | None:
    """An average as the share of all items behind the printed cells.

    Cells are shares of the stated items or of a tenth fewer at most, rounded or cut
    off, and so is the average. A cell that is none is any share of the stated items.

    Args:
        published: As printed.
        at: A cell that should be a mean of others.

    Returns:
        The pool of the most items; None where none is printed so.
    """
    return max(_pools(published, at), key=lambda pool: pool.items, default=None)


def told_pool(pool: Pool | None) -> str:
    """What the share of all items says of an average, as a part of a sentence."""
    if pool is None:
        return "no share of the items behind them gives it"
    where = " and ".join(
        f"{share} for the cell that no number of items gives" for share in pool.supposed
    )
    share = told_share(pool.right, pool.items, pool.printed)
    return f"the share of all items{where and f', with {where},'} gives it: {share}"


def told_share(right: int, items: int, printed: float) -> str:
    """A share beside what is printed: "28/59 is 47.46", "24/55 is 43.636, cut off"."""
    exact, digits = 100 * right / items, decimals(printed)
    if round(exact, digits) == printed:
        return f"{right}/{items} is {exact:.{digits}f}"
    return f"{right}/{items} is {exact:.{digits + 1}f}, cut off"


def _pools(published: PublishedClash, at: Place) -> list[Pool]:
    """All pools that are printed so."""
    printed = value(published, *at)
    if printed is None:
        return []
    n = of_items(at)
    if n is not None:
        return _pooled_shares(printed, n)
    parts = [_pools(published, part) for part in parts_of(at)]
    sums = {_sum(pools, printed) for pools in product(*parts)}
    return [pool for pool in sums if _fits(pool)]


def _pooled_shares(printed: float, n: int) -> list[Pool]:
    counts = {
        size: items_behind(printed, size, decimals(printed))
        for size in range(n - n // _MISSING, n + 1)
    }
    found = [Pool(k, n, printed) for n, k in counts.items() if k is not None]
    return found or [Pool(k, n, printed, (f"{k}/{n}",)) for k in range(n + 1)]


def _sum(pools: Sequence[Pool], printed: float) -> Pool:
    supposed = tuple(share for pool in pools for share in pool.supposed)
    right, items = sum(pool.right for pool in pools), sum(pool.items for pool in pools)
    return Pool(right, items, printed, supposed)


def _fits(pool: Pool) -> bool:
    exact = 100 * pool.right / pool.items
    return is_printed_so(exact, pool.printed, decimals(pool.printed))


# What the authors' released code does otherwise than SR-DCR's text says.
#
# Read off `smiles724/Self-Reflective-Debates` at commit a3d4469, which holds notebooks
# and no data. Cells count from 0; B is `methods/basic_code_for_all_methods.ipynb`, PB
# `methods/prompts_for_baseline.ipynb`, D1 and D3 the notebooks that make the questions
# and the tiers.


def code_faults(published: PublishedClash) -> Iterator[Fault]:
    """Where the released code and the text differ, each with the place in the code.

    Args:
        published: As printed, or corrected.
    """
    for one in published.code:
        deduced = f" Deduced, not stated: {one.deduced}" if one.deduced else ""
        check = partial(_OF_TABLES.get(one.id, _differs), one, published)
        yield Fault("srdcr", f"code_{one.id}", f"{one.said}{deduced}", check)


def _differs(one: CodeClaim, published: PublishedClash) -> Finding:
    if one.paper == one.code:
        return Finding()
    return Finding([f"Paper: {one.paper}.", f"Code ({one.where}): {one.code}."])


def _in_no_row(one: CodeClaim, published: PublishedClash) -> Finding:
    """That no row of Table 1 has the numbers of a stored output."""
    stored = [float(number) for number in re.findall(r"\d+(?:\.\d+)?", one.code)]
    columns = ("standard", "perturbed", "overall")
    for model, arms in published.tables["table_1"].items():
        for arm in arms:
            row = [value(published, "table_1", model, arm, name) for name in columns]
            if row == stored:
                return Finding()
    told = "/".join(f"{number:g}" for number in stored)
    return Finding([f"Output ({one.where}): {told}; no row of Table 1 has these."])


def _better_where_it_is_silent(one: CodeClaim, published: PublishedClash) -> Finding:
    """The arms above SR-DCR on the model that the README leaves out."""
    overall = {
        arm: found
        for arm in published.tables["table_1"][SONNET]
        if (found := value(published, "table_1", SONNET, arm, "overall")) is not None
    }
    own, other = overall["srdcr"], overall["naive_debate"]
    if own >= other:
        return Finding()
    told = f"overall, Naive Debate has {other:.2f} and SR-DCR {own:.2f}"
    return Finding([f"{one.where}: {one.code}. On Claude Sonnet 3.7, {told}."])


_OF_TABLES: dict[str, Callable[[CodeClaim, PublishedClash], Finding]] = {
    "stored_output": _in_no_row,
    "readme_omits_sonnet": _better_where_it_is_silent,
}
"""Entries whose arithmetic is done with the printed tables."""


# How far the cells of SR-DCR's tables follow from each other.


def checked_cells(published: PublishedClash) -> Iterator[Checked]:
    """Every cell that can be read, once.

    Args:
        published: As printed.
    """
    averages = means(published)
    for at, cell in cells(published).items():
        printed = cell.value or 0.0
        if at in averages:
            how, why = _average(published, at, right=averages[at][1])
            ours = f"{averages[at][0].mean:.2f}"
            yield _of(at, printed)._replace(how=how, ours=ours, why=why)
        elif (n := of_items(at)) is not None and not is_share_of(printed, n):
            yield _of_other_items(_of(at, printed), printed, n)
        else:
            yield _of(at, printed)


def _average(published: PublishedClash, at: Place, *, right: bool) -> tuple[How, str]:
    """What is known of an average, and why it is not the mean where it is not."""
    if right:
        return "cells", ""
    pool = pooled(published, at)
    how: How = "convention" if pool else "impossible"
    if pool and pool.supposed:
        how = "open"
    return how, f"not the mean of the printed cells; {told_pool(pool)}"


def _of_other_items(cell: Checked, printed: float, n: int) -> Checked:
    """A cell that is no share of the stated n items."""
    fewer = fewer_items(printed, n)
    if fewer is None:
        why = f"no number of up to {n} items gives it"
        return cell._replace(how="impossible", why=why)
    ours = "/".join(map(str, fewer))
    return cell._replace(how="convention", ours=ours, why=f"of fewer than {n} items")


def _of(at: Place, printed: float) -> Checked:
    table, _, cell = named(at).partition(", ")
    why = "no answers are released"
    return Checked("srdcr", table, cell, f"{printed:.2f}", "open", why=why)
