"""How bets rise over a debate: the paper's Tables 3, 8 to 14, and 15 and 16."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from inspect_debate.reports.confidence.sides import (
    SIGNIFICANT,
    SPEECHES,
    TTest,
    by_condition,
    by_side,
    delta,
    delta_p,
    delta_stars,
    has_published_pool,
    is_published_whole,
    label,
    mean_sd,
    paired,
    pooled,
    rows_of,
    speeches_of,
    spread,
    three_speeches,
    transitions,
)
from inspect_debate.reports.confidence.study import (
    OVERALL,
    conditions_of,
    in_order,
    protocol_of,
    slug,
    title,
)
from inspect_debate.reports.confidence.twins import PaperTable, paired_cells
from inspect_debate.reports.elements import Table


class Style(NamedTuple):
    """How one of the paper's tables prints its cells.

    `n` is whether it tells the number of bets; `overall` how the overall row gives its
    p-values: in full, not below 0.001 (`bounded`), or as stars alone.
    """

    table: str
    n: bool
    overall: str


TABLES = {
    "cross_model": Style("table_8", n=True, overall="bounded"),
    "informed_self": Style("table_9", n=True, overall="bounded"),
    "public": Style("table_10", n=True, overall="bounded"),
    "self": Style("table_11", n=True, overall="bounded"),
    "redteam": Style("table_14", n=False, overall="full"),
    "redteam_v2": Style("table_15", n=False, overall="full"),
    "deceptive": Style("table_16", n=False, overall="full"),
}
"""The tables of single conditions, by protocol."""

OTHER = Style("", n=True, overall="bounded")
"""That of conditions of which the paper has no such table."""
_ALL = Style("table_12", n=True, overall="stars")


def table_3(bets: pd.DataFrame) -> PaperTable:
    """Mean bets by condition and speech, and how much they rise between speeches."""
    rows = rows_of(bets, "Grand overall")
    cells = {row: _condition_row(part.bets) for row, part in rows.items()}
    return PaperTable(
        name="table_3",
        title="Bets by round and condition (the paper's Table 3)",
        heading="Condition",
        rows={row: part.title for row, part in rows.items()},
        columns={column: label(column) for column in _IN_TURN},
        cells=paired_cells("table_3", cells, lambda row, c: rows[row].twin_of(c)),
        note="Mean ± standard deviation (divided by n) of all bets, and the mean "
        f"change Δ of a side. {_POOL} Of several rebuttals the first counts.",
    )


def condition_tables(bets: pd.DataFrame) -> list[PaperTable]:
    """The paper's Tables 8 to 11 and 14 to 16, or the like, one per condition."""
    parts = by_condition(bets)
    return [
        _models_table(
            parts[condition],
            TABLES.get(protocol_of(condition), OTHER),
            whole=has_published_pool(parts[condition]),
            name=condition,
        )
        for condition in conditions_of(parts)
    ]


def table_12(bets: pd.DataFrame) -> PaperTable | None:
    """As `condition_tables`, of the conditions that the paper pools, taken together.

    Returns:
        The table; None where there is only one of these conditions, or none.
    """
    rows = pooled(bets)
    if rows["condition"].nunique() < 2:
        return None
    return _models_table(rows, _ALL, whole=is_published_whole(rows), name="")


def table_13(bets: pd.DataFrame) -> PaperTable:
    """The number of models in which bets rise significantly, by condition."""
    parts = rows_of(bets, "")
    rows = {row: parts[row] for row in sorted(parts) if row != OVERALL}
    cells = {row: rising(part.bets) for row, part in rows.items()}
    return PaperTable(
        name="table_13",
        title="Models whose bets rise significantly (the paper's Table 13)",
        heading="Condition",
        rows={row: part.title for row, part in rows.items()},
        columns={name: label(name) for name in transitions(SPEECHES)},
        cells=paired_cells("table_13", cells, lambda row, c: rows[row].twin_of(c)),
        note="One-sided paired t test, p < 0.05, uncorrected.",
    )


def rising(bets: pd.DataFrame, value: str = "recorded") -> dict[str, str]:
    """By transition in how many models of a condition bets rise, as "6/10"."""
    models = list(three_speeches(bets, value).groupby("model"))
    return {
        name: f"{sum(test.p < SIGNIFICANT for test in tests)}/{len(models)}"
        for name, pair in transitions(SPEECHES).items()
        for tests in [[change(own, pair) for _, own in models]]
    }


def change(wide: pd.DataFrame, pair: tuple[str, str]) -> TTest:
    """The change of bets from one speech to another, within sides."""
    return paired(wide[pair[0]], wide[pair[1]])


def _condition_row(bets: pd.DataFrame) -> dict[str, str]:
    wide = three_speeches(bets)
    means = {name: mean_sd(spread(wide[name], ddof=0)) for name in SPEECHES}
    pairs = transitions(SPEECHES)
    return means | {name: delta(change(wide, pair)) for name, pair in pairs.items()}


def _models_table(
    bets: pd.DataFrame, style: Style, *, whole: bool, name: str
) -> PaperTable:
    """A table of models; `whole` is whether its overall row is the paper's pool."""
    wide = three_speeches(bets) if style is _ALL else by_side(bets)
    models = in_order(wide["model"], style.table)
    cells = {
        model: model_cells(wide[wide["model"] == model], style) for model in models
    }
    cells[OVERALL] = model_cells(wide, style, overall=True)
    speeches = speeches_of(wide)
    return PaperTable(
        name=_name(style, name),
        title=_title(style, name),
        heading="Model",
        rows={model: model for model in models} | {OVERALL: "Overall"},
        columns={c: label(c) for c in (*speeches, *transitions(speeches))},
        cells=paired_cells(
            style.table,
            cells,
            lambda row, column: (row, column) if row != OVERALL or whole else None,
        ),
        note=f"{_POOL if style is _ALL else ''} {_TESTS}".strip(),
    )


def model_cells(
    wide: pd.DataFrame, style: Style, *, overall: bool = False
) -> dict[str, str]:
    """One row of such a table, by speech and transition, from the sides it is about."""
    speeches: Sequence[str] = speeches_of(wide)
    pairs: Mapping[str, tuple[str, str]] = transitions(speeches)
    means = {name: mean_sd(spread(wide[name], ddof=0), n=style.n) for name in speeches}
    changes = {name: change(wide, pair) for name, pair in pairs.items()}
    if overall and style.overall == "stars":
        return means | {name: delta_stars(found) for name, found in changes.items()}
    bounded = overall and style.overall == "bounded"
    return means | {
        name: delta_p(found, bounded=bounded) for name, found in changes.items()
    }


def _name(style: Style, condition: str) -> str:
    alone = condition in TABLES or style is _ALL
    return style.table if alone else f"bets_{slug(condition)}"


def _title(style: Style, condition: str) -> str:
    number = (
        style.table.replace("table_", " (the paper's Table ") + ")"
        if style.table
        else ""
    )
    told = title(condition) if condition else "pooled conditions"
    return f"Bets by round: {told}{number}"


_IN_TURN = (
    *("opening", "open_to_rebuttal", "rebuttal"),
    *("rebuttal_to_closing", "closing", "open_to_closing"),
)
_POOL = (
    "Overall pools the bets of cross-model, self-debate, informed self and public bets."
)
_TESTS = (
    "Mean ± standard deviation (divided by n) of N bets; Δ: mean change within sides, "
    "with the p-value of a one-sided paired t test that bets rise: * below 0.05, "
    "** 0.01, *** 0.001."
)


# What changes when bets that were never made are left out and not counted as 0.


def missing_table(bets: pd.DataFrame) -> Table | None:
    """All cells by condition that a bet which was not made, but recorded, changes.

    Returns:
        The table; None where every recorded bet was made.
    """
    parts = by_condition(bets)
    rows = [
        row for condition in conditions_of(parts) for row in _changed(parts[condition])
    ]
    if not rows:
        return None
    return Table(
        name="missing_bets",
        title="Without the bets that were not made",
        frame=pd.DataFrame(rows),
        groups="Condition",
        note="The released data have 0 where a debater gave no bet, and the paper's "
        "tables count that; here are the cells that change when it is left out. A bet "
        "of 0 that was made stays.",
    )


def _changed(bets: pd.DataFrame) -> Iterator[dict[str, str]]:
    lost = bets[bets["bet"].isna() & bets["recorded"].notna()]
    if lost.empty:
        return
    condition = str(bets["condition"].iloc[0])
    style = TABLES.get(protocol_of(condition), OTHER)
    counted, left_out = by_side(bets, "recorded"), by_side(bets, "bet")
    whose: dict[str, list[str]] = {m: [m] for m in in_order(lost["model"], style.table)}
    whose["Overall"] = list(bets["model"].unique())
    for who, models in whose.items():
        before, after = (
            model_cells(
                wide[wide["model"].isin(models)], style, overall=who == "Overall"
            )
            for wide in (counted, left_out)
        )
        yield from _rows(condition, who, before, after)
    yield from _rows(
        condition,
        "Models that rise (p < 0.05)",
        rising(bets, "recorded"),
        rising(bets, "bet"),
    )


def _rows(
    condition: str, who: str, before: dict[str, str], after: dict[str, str]
) -> Iterator[dict[str, str]]:
    for name, text in before.items():
        if after[name] != text:
            yield {
                "Condition": title(condition),
                "Model": who,
                "What": label(name),
                "Counted as 0": text,
                "Left out": after[name],
            }
