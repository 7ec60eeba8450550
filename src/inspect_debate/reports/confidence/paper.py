"""All of the paper's tables that bets give."""

from collections import Counter
from collections.abc import Iterator
from itertools import product, starmap
from typing import NamedTuple

import pandas as pd

from inspect_debate.metrics.bets import BET_CLASSES, bet_class
from inspect_debate.metrics.means import Alternative, ranked_above
from inspect_debate.published.printed import confidence_tables
from inspect_debate.reports.confidence.escalation import (
    TABLES,
    change,
    condition_tables,
    table_3,
    table_12,
    table_13,
)
from inspect_debate.reports.confidence.frames import DEBATE
from inspect_debate.reports.confidence.sides import (
    SIGNIFICANT,
    SPEECHES,
    against,
    bounded_p,
    by_condition,
    by_debate,
    fixed,
    has_published_pool,
    is_published_whole,
    label,
    mean_sd,
    model_means,
    paired,
    percent,
    pooled,
    rows_of,
    small_p,
    spread,
    three_speeches,
    transitions,
)
from inspect_debate.reports.confidence.study import (
    EVEN,
    OVERALL,
    conditions_of,
    in_order,
    protocol_of,
    slug,
    title,
)
from inspect_debate.reports.confidence.twins import (
    PaperTable,
    Twin,
    paired_cells,
    printed_cells,
)
from inspect_debate.solvers.bet_records import SIDES


def paper_tables(bets: pd.DataFrame) -> list[PaperTable]:
    """The paper's Tables 2 to 5, 7 to 16, Appendix O, and the numbers in its text.

    Args:
        bets: As from `bets_of`; missing bets count as they are recorded.

    Returns:
        Those that these conditions give, in the paper's order. `.table()` of each is
        for a report, and `twins.counts` says how many cells are as printed.
    """
    whole = table_12(bets)
    return [
        table_2(bets),
        table_3(bets),
        table_4(bets),
        *schedule_tables(bets),
        table_7(bets),
        *condition_tables(bets),
        *([] if whole is None else [whole]),
        table_13(bets),
        *four_round_tables(bets),
        text_numbers(bets),
    ]


# The numbers that the paper tells in its text.

SECTIONS = {
    "abstract": "Abstract",
    "introduction": "Introduction",
    "section_4_1": "Section 4.1",
    "section_4_2": "Section 4.2",
    "section_4_3": "Section 4.3",
    "section_5_3": "Section 5.3",
    "appendix_j": "Appendix J",
}
"""Where the paper tells numbers of bets, by the names of the published cells."""


class _Number(NamedTuple):
    """A number: which of the published it is, if `known` to be about the same."""

    section: str
    key: str
    what: str
    ours: str
    known: bool


def text_numbers(bets: pd.DataFrame) -> PaperTable:
    """The numbers in the text, with those of the conditions that there are."""
    numbers = sorted(_numbers(bets), key=lambda n: list(SECTIONS).index(n.section))
    rows = {f"{n.section}: {n.what}": n for n in numbers}
    published = confidence_tables()
    return PaperTable(
        name="text_numbers",
        title="Numbers in the text",
        heading="What",
        rows={row: number.what for row, number in rows.items()},
        columns={_VALUE: "Value"},
        cells={
            (row, _VALUE): Twin(
                n.ours,
                published.cell(n.section, n.key, _VALUE) if n.known else None,
            )
            for row, n in rows.items()
        },
        groups={row: SECTIONS[number.section] for row, number in rows.items()},
        grouped_by="Where",
        note="Bets in percent points, shares of debates in percent. Models are "
        "compared by their mean opening bets, each model with itself. The difference "
        "of self-debate and informed self, 14.075, is printed as 14.08. Pooled: "
        "cross-model, self-debate, informed self and public bets.",
    )


def _numbers(bets: pd.DataFrame) -> Iterator[_Number]:
    parts = by_condition(bets)
    for condition in conditions_of(parts):
        yield from _of_condition(condition, parts[condition])
    for first, second in product(parts, parts):
        yield from _of_pair(first, second, parts)
    if len(set(pooled(bets)["condition"])) > 1:
        yield from _of_all(pooled(bets))


def _of_condition(condition: str, bets: pd.DataFrame) -> Iterator[_Number]:
    """What is told of a single condition."""
    protocol, name = protocol_of(condition), title(condition)
    known = has_published_pool(bets)

    def number(section: str, what: str, told: str, ours: str) -> _Number:
        return _Number(section, f"{what} {protocol}", f"{name}: {told}", ours, known)

    first, wide = openings(bets)["recorded"], three_speeches(bets)
    test = against(first)
    whole = change(wide, ("opening", "closing")).mean
    ends = {n: spread(wide[n], ddof=0).mean for n in ("opening", "closing")}
    yield number("section_4_1", "t", "openings against 50, t", fixed(test.t))
    if protocol in ("cross_model", "self", "informed_self"):
        digits = {"opening": 1, "closing": 0 if protocol == "cross_model" else 1}
        for speech, mean in ends.items():
            told = f"mean {speech} bet"
            yield number("abstract", speech, told, fixed(mean, digits[speech]))
    match protocol:
        case "cross_model":
            sd = fixed(spread(first, ddof=1).sd)
            yield number("section_4_1", "sd", "openings, standard deviation", sd)
            over, reached = _share_over(bets, 75), _share_over(bets, 75, reached=True)
            told = "both sides end at 75 or more"
            yield number("introduction", "both_ge75", told, reached)
            yield number("abstract", "both_gt75", "both sides end above 75", over)
            yield number("section_4_3", "both_gt75", "both sides end above 75", over)
            for key, value in _appendix_j(first).items():
                told = f"{name}: openings, {key}"
                yield _Number("appendix_j", key, told, value, known)
        case "informed_self":
            p = fixed(change(wide, ("rebuttal", "closing")).p, 4)
            told = "rebuttal to closing, p"
            yield number("section_4_2", "p_rebuttal_to_closing", told, p)
        case "self":
            told = "opening to closing"
            yield number("section_5_3", "open_to_closing", told, fixed(whole, 1))


def _appendix_j(first: "pd.Series[float]") -> dict[str, str]:
    test = against(first)
    return {"t": fixed(test.t, 3), "mean": fixed(test.mean), "n": str(test.n)}


def _of_pair(
    first: str, second: str, parts: dict[str, pd.DataFrame]
) -> Iterator[_Number]:
    """What is told of two conditions, whose models open differently."""
    protocols = (protocol_of(first), protocol_of(second))
    if protocols not in _COMPARED:
        return
    means = [model_means(parts[condition]) for condition in (second, first)]
    earlier, later = means[0].align(means[1], join="inner")
    test = paired(earlier, later, _COMPARED[protocols])
    known = all(has_published_pool(parts[c]) for c in (first, second))
    whom = f"{title(first)} less {title(second)}"
    for key, told, value in (
        ("difference", "mean difference", fixed(later.mean() - earlier.mean())),
        ("paired_t", "paired t", fixed(test.t)),
        ("paired_p", f"p ({_COMPARED[protocols]})", bounded_p(test.p)),
    ):
        which = f"{key} {' '.join(protocols)}"
        yield _Number("section_4_1", which, f"{whom}: {told}", value, known)


def _of_all(bets: pd.DataFrame) -> Iterator[_Number]:
    """What is told of the pooled conditions."""
    known = is_published_whole(bets)
    tests = [
        against(values).p
        for _, values in openings(bets).groupby(["condition", "model"])["recorded"]
    ]
    found = sum(p < SIGNIFICANT for p in tests)
    told = "Pooled conditions: models that open above 50 (t test, p < 0.05)"
    yield _Number("section_4_1", "significant", told, str(found), known)
    told = "Pooled conditions: models"
    yield _Number("section_4_1", "tested", told, str(len(tests)), known)
    for threshold in (50, 75):
        told = f"Pooled conditions: both sides end above {threshold}"
        share = _share_over(bets, threshold)
        key = f"both_gt{threshold} overall"
        yield _Number("section_4_3", key, told, share, known)


def _share_over(bets: pd.DataFrame, threshold: float, *, reached: bool = False) -> str:
    """Debates in percent whose closing bets are both above a threshold, or reach it."""
    lower = by_debate(bets)[list(SIDES)].dropna().min(axis=1)
    over = lower >= threshold if reached else lower > threshold
    return fixed(100 * over.mean(), 1)


_COMPARED: dict[tuple[str, str], Alternative] = {
    ("self", "informed_self"): "greater",
    ("self", "public"): "two-sided",
}
_VALUE = "value"


# Who debated on which side, and how often: the paper's Table 5.

_TOTAL = "total"


def schedule_tables(bets: pd.DataFrame) -> list[PaperTable]:
    """Debates by model and side, of every condition in which models differ."""
    parts = by_condition(bets[~bets["self_debate"].astype(bool)])
    return [_table(condition, parts[condition]) for condition in conditions_of(parts)]


def _table(condition: str, bets: pd.DataFrame) -> PaperTable:
    seats = bets[bets["round"] == 1]
    models = in_order(seats["model"], "table_5")
    cells = {model: _counts(seats[seats["model"] == model]) for model in models}
    cells[OVERALL] = _counts(seats)
    known = protocol_of(condition) == "cross_model"
    whole = has_published_pool(seats)
    return PaperTable(
        name="table_5" if condition == "cross_model" else f"seats_{slug(condition)}",
        title=f"Debates by model and side: {title(condition)} (the paper's Table 5)",
        heading="Model",
        rows={model: model for model in models} | {OVERALL: "Total debates"},
        columns={name: name.capitalize() for name in (*SIDES, _TOTAL)},
        cells=paired_cells(
            "table_5",
            cells,
            lambda row, column: (
                (row, column) if known and (row != OVERALL or whole) else None
            ),
        ),
        note=confidence_tables().notes["table_5"] if known and whole else "",
    )


def _counts(seats: pd.DataFrame) -> dict[str, str]:
    sides = seats["side"].value_counts()
    counts = {side: str(sides.get(side, 0)) for side in SIDES}
    return counts | {_TOTAL: str(len(seats))}


# Debates of four rounds: the paper's Appendix O.

PROTOCOL = "four_round"
MODELS = (
    *("anthropic/claude-3.7-sonnet", "deepseek/deepseek-chat"),
    *("google/gemini-2.0-flash-001", "openai/o3-mini", "qwen/qwq-32b"),
)
"""The models of the paper's debates of four rounds."""

NAME = "appendix_o"
COLUMNS = {
    "n_debates": "Debates",
    "n_bets": "Bets",
    "opening_mean": "Opening: mean",
    "opening_sd": "Opening: SD (n − 1)",
    "opening_n": "Opening: N",
    "rebuttal_mean": "Rebuttals: mean",
    "rebuttal_sd": "Rebuttals: SD (n)",
    "closing_mean": "Closing: mean",
    "closing_sd": "Closing: SD (n)",
    "open_to_closing_delta": "Opening to closing: Δ",
    "open_to_closing_p": "Opening to closing: p",
}


def four_round_tables(bets: pd.DataFrame) -> list[PaperTable]:
    """The numbers of Appendix O, for every condition with the preset's four rounds."""
    parts = by_condition(bets)
    return [
        _rounds_table(condition, parts[condition])
        for condition in conditions_of(parts)
        if protocol_of(condition) == PROTOCOL
    ]


def _rounds_table(condition: str, bets: pd.DataFrame) -> PaperTable:
    models = in_order(bets["model"], NAME)
    cells = {model: four_round_cells(bets[bets["model"] == model]) for model in models}
    cells[OVERALL] = four_round_cells(bets)
    whole = set(models) == set(MODELS)
    return PaperTable(
        name=NAME if condition == PROTOCOL else f"{NAME}_{slug(condition)}",
        title=f"{title(condition)} (the paper's Appendix O)",
        heading="Model",
        rows={OVERALL: "Overall"} | {model: model for model in models},
        columns=COLUMNS,
        cells=paired_cells(
            NAME,
            cells,
            lambda row, column: (row, column) if row != OVERALL or whole else None,
        ),
        note=NOTE,
    )


def four_round_cells(bets: pd.DataFrame) -> dict[str, str]:
    """One row of the table, over bets that were made."""
    made = bets[bets["bet"].notna()]
    by_speech = {str(name): rows["bet"] for name, rows in made.groupby("speech")}
    none = made["bet"].iloc[:0]
    opening = spread(by_speech.get("opening", none), ddof=1)
    rebuttals = spread(by_speech.get("rebuttal", none), ddof=0)
    closing = spread(by_speech.get("closing", none), ddof=0)
    sides = three_speeches(bets, "bet")
    rise = paired(sides["opening"], sides["closing"])
    return {
        "n_debates": str(len(bets.drop_duplicates(DEBATE))),
        "n_bets": str(len(made)),
        "opening_mean": fixed(opening.mean),
        "opening_sd": fixed(opening.sd),
        "opening_n": str(opening.n),
        "rebuttal_mean": fixed(rebuttals.mean),
        "rebuttal_sd": fixed(rebuttals.sd),
        "closing_mean": fixed(closing.mean),
        "closing_sd": fixed(closing.sd),
        "open_to_closing_delta": fixed(rise.mean),
        "open_to_closing_p": fixed(rise.p, 4),
    }


NOTE = (
    "Missing bets are left out here, as in the paper. Both rebuttals are pooled; the "
    "paper calls them the first. p: one-sided paired t test."
)


# Opening bets: the paper's Tables 2 and 7.


def openings(bets: pd.DataFrame) -> pd.DataFrame:
    """The rows of opening bets."""
    return bets[bets["speech"] == "opening"]


def table_2(bets: pd.DataFrame) -> PaperTable:
    """Mean opening bets by model and condition, with sample standard deviations."""
    rows = openings(bets)
    parts = by_condition(rows)
    conditions = conditions_of(parts)
    models = in_order(rows["model"], "table_2")
    cells: dict[str, dict[str, str]] = {row: {} for row in (*models, OVERALL)}
    for condition in conditions:
        part = parts[condition]
        for model, own in part.groupby("model"):
            cells[str(model)][condition] = mean_sd(spread(own["recorded"], ddof=1))
        cells[OVERALL][condition] = mean_sd(spread(part["recorded"], ddof=1))

    def twin_of(row: str, condition: str) -> tuple[str, str] | None:
        if row == OVERALL and not has_published_pool(parts[condition]):
            return None
        return row, protocol_of(condition)

    return PaperTable(
        name="table_2",
        title="Opening bets (the paper's Table 2)",
        heading="Model",
        rows={model: model for model in models} | {OVERALL: "Overall average"},
        columns={condition: title(condition) for condition in conditions},
        cells=paired_cells("table_2", cells, twin_of),
        note="Mean ± standard deviation (divided by n − 1). College debaters expect to "
        f"win with {_HUMANS} (Meer and Van Wesep 2007). "
        f"{confidence_tables().notes['table_2']}",
    )


def table_7(bets: pd.DataFrame) -> PaperTable:
    """Tests that models open above 50, by condition and model."""
    parts = by_condition(openings(bets))
    rows, groups, cells, twins = {}, {}, {}, {}
    for condition in conditions_of(parts):
        for model, values in _of_models(parts[condition]):
            row = f"{condition} {model}"
            rows[row], groups[row] = model, title(condition)
            cells[row] = _tests(values)
            twins[row] = f"{protocol_of(condition)} {model}"
    return PaperTable(
        name="table_7",
        title="Are opening bets above 50? (the paper's Table 7)",
        heading="Model",
        rows=rows,
        columns=_COLUMNS,
        cells=paired_cells("table_7", cells, lambda row, column: (twins[row], column)),
        groups=groups,
        grouped_by="Condition",
        note="One-sided: Student's t test, and Wilcoxon's signed-rank test as scipy "
        "does it by default. Significant: p < 0.05, uncorrected. "
        f"{confidence_tables().notes['table_7']}",
    )


def _of_models(bets: pd.DataFrame) -> Iterator[tuple[str, "pd.Series[float]"]]:
    for model in in_order(bets["model"], "table_7"):
        yield model, bets.loc[bets["model"] == model, "recorded"]


def _tests(values: "pd.Series[float]") -> dict[str, str]:
    t_test, wilcoxon = against(values), ranked_above(values, EVEN)
    return {
        "N": str(t_test.n),
        "mean": fixed(t_test.mean),
        "t_p": small_p(t_test.p),
        "t_significant": str(t_test.p < SIGNIFICANT),
        "wilcoxon_p": small_p(wilcoxon),
        "wilcoxon_significant": str(wilcoxon < SIGNIFICANT),
    }


_COLUMNS = {
    "N": "N",
    "mean": "Mean",
    "t_p": "t test: p",
    "t_significant": "t test: significant",
    "wilcoxon_p": "Wilcoxon: p",
    "wilcoxon_significant": "Wilcoxon: significant",
}
_HUMANS = confidence_tables().tables["human"]["opening"]["value"].printed


# Closing bets of both sides, of which one must be too high: the paper's Table 4.


def table_4(bets: pd.DataFrame) -> PaperTable:
    """Debates by the class of their closing bets, in percent."""
    rows = rows_of(bets, "Overall")
    cells = {row: class_shares(part.bets) for row, part in rows.items()}
    return PaperTable(
        name="table_4",
        title="Closing bets of both sides (the paper's Table 4)",
        heading="Condition",
        rows={row: part.title for row, part in rows.items()},
        columns=dict(zip(BET_CLASSES, _LABELS, strict=True)),
        cells=paired_cells("table_4", cells, lambda row, c: rows[row].twin_of(c)),
        note="Debates with both closing bets: up to 50, from 51 to 75 (so 75 itself), "
        "above 75; which side bets more does not matter. Two chances of winning add up "
        "to 100, so both above 50 is impossible. Overall pools cross-model, "
        "self-debate, informed self and public bets.",
    )


def class_shares(bets: pd.DataFrame) -> dict[str, str]:
    """The share of debates in every class of Table 4, as a text."""
    pairs = by_debate(bets)[list(SIDES)].dropna()
    found = Counter(starmap(bet_class, pairs.itertuples(index=False)))
    return {
        name: percent(found[place] / len(pairs) if len(pairs) else float("nan"))
        for place, name in enumerate(BET_CLASSES)
    }


_LABELS = (
    *("Both ≤ 50", "Both 51–75", "Both > 75"),
    *("≤ 50 and 51–75", "≤ 50 and > 75", "51–75 and > 75"),
)


# Published tables that stand alone: of runs that are not among these logs.

_ROUNDS = {name: label(name) for name in (*SPEECHES, *transitions(SPEECHES))}


def printed_tables(bets: pd.DataFrame) -> list[PaperTable]:
    """Those of Tables 14 to 16 and Appendix O whose runs are not here."""
    here = set(bets["condition"].map(protocol_of))
    absent = [p for p in ("redteam", "redteam_v2", "deceptive") if p not in here]
    tables = [
        _printed(
            TABLES[protocol].table,
            f"{title(protocol)}, as printed",
            _ROUNDS,
            f"No runs of {protocol} are among these logs.",
        )
        for protocol in absent
    ]
    if PROTOCOL not in here:
        told = f"No runs of {PROTOCOL} are among these logs."
        name = f"{title(PROTOCOL)}, as printed"
        tables.append(_printed(NAME, name, COLUMNS, told))
    return tables


def _printed(key: str, name: str, columns: dict[str, str], told: str) -> PaperTable:
    published = confidence_tables()
    number = key.replace("_", " ").title()
    return PaperTable(
        name=key,
        title=f"{name} (the paper's {number})",
        heading="Model",
        rows={
            row: "Overall" if row == OVERALL else row for row in published.tables[key]
        },
        columns=columns,
        cells=printed_cells(key),
        note=" ".join(filter(None, (told, published.notes.get(key, "")))),
    )
