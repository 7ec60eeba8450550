"""The paper's tables of bets (2 to 5, 7 to 16, O), and the numbers in its text."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product, starmap
from typing import NamedTuple

import pandas as pd

from inspect_debate.v1.metrics.bets import BET_CLASSES, bet_class
from inspect_debate.v1.metrics.means import Alternative, ranked_above
from inspect_debate.v1.published.tables import Compared, PrintedCell, paper_of
from inspect_debate.v1.reports.confidence.compared import (
    EVEN,
    SIGNIFICANT,
    ComparedRow,
    ComparedTable,
    PStyle,
    Row,
    Text,
    against,
    change,
    compared_table,
    condition_rows,
    delta,
    fixed,
    has_pool,
    is_whole,
    mean_sd,
    model_rows,
    number,
    own_name,
    paired,
    percent,
    small_p,
    spread,
)
from inspect_debate.v1.reports.confidence.frames import (
    DEBATE,
    OVERALL,
    SPEECHES,
    STUDY,
    by_condition,
    by_debate,
    by_side,
    in_order,
    label,
    pooled,
    protocol_of,
    slug,
    speeches_of,
    three_speeches,
    title,
    transitions,
)
from inspect_debate.v1.solvers.bet_records import SIDES


def paper_tables(bets: pd.DataFrame) -> list[ComparedTable]:
    """The paper's Tables 2 to 5, 7 to 16, Appendix O, and the numbers in its text.

    Args:
        bets: As from `bets_of`; missing bets count as they are recorded.

    Returns:
        Those that these conditions give, in the paper's order.
    """
    parts, whole = by_condition(bets), pooled(bets)
    return [
        _table_2(bets),
        _table_3(bets),
        _table_4(bets),
        *(_table_5(c, of) for c, of in parts.items() if not of["self_debate"].all()),
        _table_7(bets),
        *(_rounds_table(condition, part) for condition, part in parts.items()),
        *([_rounds_table("", whole)] if whole["condition"].nunique() > 1 else []),
        _table_13(bets),
        *(
            _appendix_o(condition, part)
            for condition, part in parts.items()
            if protocol_of(condition) == FOUR_ROUNDS
        ),
        text_numbers(bets),
    ]


# Opening bets: Tables 2 and 7.

HUMANS = "College debaters (Meer and Van Wesep 2007)"
"""The human baseline of opening confidence."""


def human_baseline() -> str:
    """Mean and standard deviation of college debaters, as printed."""
    cell = paper_of(STUDY).cell("human", "opening", "value")
    assert cell is not None
    return cell.printed


def openings(bets: pd.DataFrame) -> pd.DataFrame:
    """The rows of opening bets."""
    return bets[bets["speech"] == "opening"]


def _table_2(bets: pd.DataFrame) -> ComparedTable:
    first = openings(bets)
    parts = by_condition(first)

    def by_protocol(rows: pd.DataFrame) -> dict[str, Text]:
        return {
            condition: mean_sd(spread(part["recorded"], ddof=1))
            for condition, part in by_condition(rows).items()
        }

    return compared_table(
        "table_2",
        "Opening bets",
        model_rows(first, "table_2", "Overall average", whole=True),
        {condition: title(condition) for condition in parts},
        by_protocol,
        f"Mean ± standard deviation (divided by n − 1); {HUMANS}: {human_baseline()}.",
        known=lambda row, column: row != OVERALL or has_pool(parts[column]),
    )


def _table_7(bets: pd.DataFrame) -> ComparedTable:
    rows = [
        Row(
            model,
            part.loc[part["model"] == model, "recorded"],
            f"{protocol_of(condition)} {model}",
            title(condition),
        )
        for condition, part in by_condition(openings(bets)).items()
        for model in in_order(part["model"], "table_7")
    ]
    columns = {
        "N": "N",
        "mean": "Mean",
        "t_p": "t test: p",
        "t_significant": "t test: significant",
        "wilcoxon_p": "Wilcoxon: p",
        "wilcoxon_significant": "Wilcoxon: significant",
    }
    return compared_table(
        "table_7",
        "Are opening bets above 50?",
        rows,
        columns,
        _above_50,
        "Student's t test and Wilcoxon's signed-rank test, p < 0.05, uncorrected.",
        grouped_by="Condition",
    )


def _above_50(values: "pd.Series[float]") -> dict[str, str]:
    t_test, wilcoxon = against(values), ranked_above(values, EVEN)
    return {
        "N": str(t_test.n),
        "mean": number(t_test.mean),
        "t_p": small_p(t_test.p),
        "t_significant": str(t_test.p < SIGNIFICANT),
        "wilcoxon_p": small_p(wilcoxon),
        "wilcoxon_significant": str(wilcoxon < SIGNIFICANT),
    }


# Bets by round and closing bets by condition: Tables 3, 4 and 13.

_POOL = "Overall pools cross-model, self-debate, informed self and public bets."


def _table_3(bets: pd.DataFrame) -> ComparedTable:
    in_turn = (
        *("opening", "open_to_rebuttal", "rebuttal"),
        *("rebuttal_to_closing", "closing", "open_to_closing"),
    )
    return compared_table(
        "table_3",
        "Bets by round and condition",
        condition_rows(bets, "Grand overall"),
        {column: label(column) for column in in_turn},
        lambda part: _rounds(three_speeches(part), "none"),
        "Mean ± standard deviation (divided by n), and the mean change Δ of a side. "
        f"{_POOL}",
        heading="Condition",
    )


def _table_4(bets: pd.DataFrame) -> ComparedTable:
    labels = (
        *("Both ≤ 50", "Both 51–75", "Both > 75"),
        *("≤ 50 and 51–75", "≤ 50 and > 75", "51–75 and > 75"),
    )
    return compared_table(
        "table_4",
        "Closing bets of both sides",
        condition_rows(bets, "Overall"),
        dict(zip(BET_CLASSES, labels, strict=True)),
        class_shares,
        "Debates with both closing bets; 75 itself is in 51–75, and which side bets "
        f"more does not matter. {_POOL}",
        heading="Condition",
    )


def class_shares(bets: pd.DataFrame) -> dict[str, Text]:
    """The share of debates in every class of Table 4."""
    pairs = by_debate(bets)[list(SIDES)].dropna()
    found = Counter(starmap(bet_class, pairs.itertuples(index=False)))
    return {
        name: percent(found[place] / len(pairs) if len(pairs) else math.nan)
        for place, name in enumerate(BET_CLASSES)
    }


def _table_13(bets: pd.DataFrame) -> ComparedTable:
    parts = sorted(by_condition(bets).items())
    return compared_table(
        "table_13",
        "Models whose bets rise significantly",
        [row for _, part in parts for row in condition_rows(part)],
        {name: label(name) for name in transitions(SPEECHES)},
        rising,
        "One-sided paired t test, p < 0.05, uncorrected.",
        heading="Condition",
    )


def rising(bets: pd.DataFrame, value: str = "recorded") -> dict[str, Text]:
    """By transition in how many models of a condition bets rise, as "6/10"."""
    models = [own for _, own in three_speeches(bets, value).groupby("model")]
    counts = {
        name: sum(change(own, pair).p < SIGNIFICANT for own in models)
        for name, pair in transitions(SPEECHES).items()
    }
    return {
        name: Text(f"{n}/{len(models)}", rising=n, models=len(models))
        for name, n in counts.items()
    }


# Bets by round and model: Tables 8 to 12 and 14 to 16.


class Style(NamedTuple):
    """How one of the paper's tables prints its cells.

    `n` is whether it prints the number of bets; `overall` how its overall row gives
    p-values.
    """

    table: str
    n: bool = True
    overall: PStyle = "bounded"


STYLES = {
    "cross_model": Style("table_8"),
    "informed_self": Style("table_9"),
    "public": Style("table_10"),
    "self": Style("table_11"),
    "": Style("table_12", overall="stars"),
    "redteam": Style("table_14", n=False, overall="full"),
    "redteam_v2": Style("table_15", n=False, overall="full"),
    "deceptive": Style("table_16", n=False, overall="full"),
}
"""The tables of conditions by protocol; without one of those that the paper pools."""


def _style(condition: str) -> Style:
    return STYLES.get(protocol_of(condition), Style(""))


def _rounds(wide: pd.DataFrame, p: PStyle, *, n: bool = False) -> dict[str, Text]:
    """Cells by speech and transition, from the sides they are about."""
    speeches = speeches_of(wide)
    means = {name: mean_sd(spread(wide[name], ddof=0), n=n) for name in speeches}
    pairs = transitions(speeches)
    return means | {name: delta(change(wide, pair), p) for name, pair in pairs.items()}


def _rounds_table(condition: str, bets: pd.DataFrame) -> ComparedTable:
    """Bets by model and speech of a condition, or, without one, of those pooled."""
    style = _style(condition)
    wide = by_side(bets) if condition else three_speeches(bets)
    whole = has_pool(bets) if condition else is_whole(bets)
    *models, overall = model_rows(wide, style.table, whole=whole)
    rows = [row._replace(of=(row.of, "full")) for row in models]
    rows.append(overall._replace(of=(overall.of, style.overall)))
    speeches = speeches_of(wide)
    own = condition and condition not in STYLES
    return compared_table(
        style.table,
        f"Bets by round: {title(condition) if condition else 'pooled conditions'}",
        rows,
        {c: label(c) for c in (*speeches, *transitions(speeches))},
        lambda of: _rounds(*of, n=style.n),
        "Mean ± standard deviation (divided by n) of N bets; Δ: mean change within "
        "sides, with a one-sided paired t test (* p < 0.05, ** 0.01, *** 0.001).",
        name=f"bets_{slug(condition)}" if own else "",
    )


# Who debated on which side, and how often: Table 5.


def _table_5(condition: str, bets: pd.DataFrame) -> ComparedTable:
    first = bets[(bets["round"] == 1) & ~bets["self_debate"].astype(bool)]
    rows = model_rows(first, "table_5", "Total debates")
    is_papers = protocol_of(condition) == "cross_model"
    return compared_table(
        "table_5",
        f"Debates by model and side: {title(condition)}",
        rows if is_papers else [row._replace(printed=None) for row in rows],
        {name: name.capitalize() for name in (*SIDES, "total")},
        _seat_counts,
        name=own_name("table_5", "seats", condition, "cross_model"),
    )


def _seat_counts(first: pd.DataFrame) -> dict[str, str]:
    sides = first["side"].value_counts()
    counts = {side: str(sides.get(side, 0)) for side in SIDES}
    return counts | {"total": str(len(first))}


# Debates of four rounds: Appendix O.

FOUR_ROUNDS = "four_round"
FOUR_ROUND_MODELS = (
    *("anthropic/claude-3.7-sonnet", "deepseek/deepseek-chat"),
    *("google/gemini-2.0-flash-001", "openai/o3-mini", "qwen/qwq-32b"),
)
"""The models of the paper's debates of four rounds."""

_FOUR_ROUND_COLUMNS = {
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


def _appendix_o(condition: str, bets: pd.DataFrame) -> ComparedTable:
    whole = set(bets["model"]) == set(FOUR_ROUND_MODELS)
    *models, overall = model_rows(bets, "appendix_o", whole=whole)
    return compared_table(
        "appendix_o",
        title(condition),
        [overall, *models],
        _FOUR_ROUND_COLUMNS,
        _four_round_cells,
        "Missing bets are left out here, as in the paper, and both rebuttals are "
        "pooled. p: one-sided paired t test.",
        name=own_name("appendix_o", "appendix_o", condition, FOUR_ROUNDS),
    )


def _four_round_cells(bets: pd.DataFrame) -> dict[str, str]:
    """One row of the table, over bets that were made."""
    made = bets[bets["bet"].notna()]
    speeches = {name: made.loc[made["speech"] == name, "bet"] for name in SPEECHES}
    opening = spread(speeches["opening"], ddof=1)
    rebuttal, closing = (spread(speeches[name], ddof=0) for name in SPEECHES[1:])
    rise = change(three_speeches(bets, "bet"), ("opening", "closing"))
    return {
        "n_debates": str(len(bets.drop_duplicates(DEBATE))),
        "n_bets": str(len(made)),
        "opening_mean": number(opening.mean),
        "opening_sd": number(opening.sd),
        "opening_n": str(opening.n),
        "rebuttal_mean": number(rebuttal.mean),
        "rebuttal_sd": number(rebuttal.sd),
        "closing_mean": number(closing.mean),
        "closing_sd": number(closing.sd),
        "open_to_closing_delta": number(rise.mean),
        "open_to_closing_p": number(rise.p, 4),
    }


# Numbers in the text.

SECTIONS = {
    "abstract": "Abstract",
    "introduction": "Introduction",
    "section_4_1": "Section 4.1",
    "section_4_2": "Section 4.2",
    "section_4_3": "Section 4.3",
    "section_5_3": "Section 5.3",
    "appendix_j": "Appendix J",
}
"""Where the paper's text has numbers of bets, by the names of the published cells."""

_OfBets = Callable[[pd.DataFrame], float]
_InText = tuple[str, str, str, int, _OfBets]
"""A number in the text: section, key, what it is, decimals, and how it follows."""


def _test(name: str) -> _OfBets:
    return lambda bets: float(getattr(against(openings(bets)["recorded"]), name))


def _mean(speech: str) -> _OfBets:
    return lambda bets: spread(three_speeches(bets)[speech], ddof=0).mean


def _rise(name: str, first: str) -> _OfBets:
    pair = (first, "closing")
    return lambda bets: float(getattr(change(three_speeches(bets), pair), name))


def _both(threshold: float, *, or_equal: bool = False) -> _OfBets:
    """Debates in percent whose closing bets are both above a threshold, or reach it."""

    def share(bets: pd.DataFrame) -> float:
        lower = by_debate(bets)[list(SIDES)].dropna().min(axis=1)
        over = lower >= threshold if or_equal else lower > threshold
        return 100 * float(over.mean())

    return share


def _above_50_by_model(bets: pd.DataFrame) -> list[bool]:
    groups = openings(bets).groupby(["condition", "model"])["recorded"]
    return [against(values).p < SIGNIFICANT for _, values in groups]


_OPENS = ("abstract", "opening", "mean opening bet", 1, _mean("opening"))
_CLOSES = ("abstract", "closing", "mean closing bet", 1, _mean("closing"))
_OVER_75 = ("both_gt75", "both sides end above 75", 1, _both(75))
_REACH_75 = ("both_ge75", "both sides end at 75 or more", 1, _both(75, or_equal=True))
_MODELS_ABOVE = "models that open above 50 (t test, p < 0.05)"
_NUMBERS: Mapping[str, Sequence[_InText]] = {
    "cross_model": [
        _OPENS,
        ("abstract", "closing", "mean closing bet", 0, _mean("closing")),
        ("abstract", *_OVER_75),
        ("introduction", *_REACH_75),
        (
            *("section_4_1", "sd", "openings, standard deviation", 2),
            lambda bets: spread(openings(bets)["recorded"], ddof=1).sd,
        ),
        ("section_4_3", *_OVER_75),
        ("appendix_j", "t", "openings, t", 3, _test("t")),
        ("appendix_j", "mean", "openings, mean", 2, _test("mean")),
        ("appendix_j", "n", "openings, n", 0, _test("n")),
    ],
    "self": [
        *(_OPENS, _CLOSES),
        (
            *("section_5_3", "open_to_closing", "opening to closing", 1),
            _rise("mean", "opening"),
        ),
    ],
    "informed_self": [
        *(_OPENS, _CLOSES),
        (
            *("section_4_2", "p_rebuttal_to_closing", "rebuttal to closing, p", 4),
            _rise("p", "rebuttal"),
        ),
    ],
    OVERALL: [
        (
            *("section_4_1", "significant", _MODELS_ABOVE, 0),
            lambda bets: sum(_above_50_by_model(bets)),
        ),
        (
            *("section_4_1", "tested", "models", 0),
            lambda bets: len(_above_50_by_model(bets)),
        ),
        ("section_4_3", "both_gt50", "both sides end above 50", 1, _both(50)),
        ("section_4_3", *_OVER_75),
    ],
}
"""By protocol, and of the conditions that the paper pools."""

_PAIRS: dict[tuple[str, str], Alternative] = {
    ("self", "informed_self"): "greater",
    ("self", "public"): "two-sided",
}
"""Conditions whose models' opening bets the text compares, and how it tests them."""


def text_numbers(bets: pd.DataFrame) -> ComparedTable:
    """The numbers in the text, with those of the conditions that there are."""
    order, paper = list(SECTIONS), paper_of(STUDY)
    found = sorted(_in_text(bets), key=lambda one: order.index(one[0]))

    def cell(section: str, key: str | None) -> PrintedCell | None:
        return None if key is None else paper.cell(section, key, "value")

    return ComparedTable(
        "text_numbers",
        "Numbers in the text",
        "What",
        [
            ComparedRow(
                row.title,
                {"value": Compared(row.of, cell(section, row.printed))},
                SECTIONS[section],
            )
            for section, row in found
        ],
        {"value": "Value"},
        "Where",
        "Bets in percentage points, shares of debates in percent; models are compared "
        "by their mean opening bets. The difference of self-debate and informed self, "
        "14.075, is printed as 14.08.",
    )


def _in_text(bets: pd.DataFrame) -> Iterator[tuple[str, Row]]:
    """Numbers by their section."""
    parts, whole = by_condition(bets), pooled(bets)
    openings_t: _InText = ("section_4_1", "t", "openings against 50, t", 2, _test("t"))
    of = [
        (c, protocol_of(c), title(c), part, has_pool(part)) for c, part in parts.items()
    ]
    for _, protocol, name, part, known in of:
        for section, key, what, digits, how in (
            openings_t,
            *_NUMBERS.get(protocol, ()),
        ):
            own = key if section == "appendix_j" else f"{key} {protocol}"
            text = number(how(part), digits)
            yield section, Row(f"{name}: {what}", text, own if known else None)
    for (_, one, name, part, known), (_, two, other, base, both) in product(of, of):
        if (one, two) in _PAIRS:
            for key, what, text in _of_pair(part, base, _PAIRS[one, two]):
                place = f"{key} {one} {two}" if known and both else None
                yield "section_4_1", Row(f"{name} less {other}: {what}", text, place)
    if whole["condition"].nunique() > 1:
        for section, key, what, digits, how in _NUMBERS[OVERALL]:
            place = f"{key} overall" if section == "section_4_3" else key
            text = number(how(whole), digits)
            printed = place if is_whole(whole) else None
            yield section, Row(f"Pooled conditions: {what}", text, printed)


def _of_pair(
    part: pd.DataFrame, base: pd.DataFrame, alternative: Alternative
) -> Iterator[tuple[str, str, Text]]:
    """What is compared of the models' mean opening bets."""
    later, earlier = (
        openings(bets).groupby("model")["recorded"].mean() for bets in (part, base)
    )
    earlier, later = earlier.align(later, join="inner")
    test = paired(earlier, later, alternative)
    yield "difference", "mean difference", number(later.mean() - earlier.mean())
    yield "paired_t", "paired t", number(test.t)
    text = "<0.001" if test.p < 0.001 else fixed(test.p, 3)
    yield "paired_p", f"p ({alternative})", Text(text, number=test.p)


# Printed tables of runs that are not among these logs.


def printed_tables(bets: pd.DataFrame) -> list[ComparedTable]:
    """Those of Tables 14 to 16 and Appendix O whose runs are not here."""
    here = set(bets["condition"].map(protocol_of))
    by_round = {name: label(name) for name in (*SPEECHES, *transitions(SPEECHES))}
    columns = {
        protocol: (STYLES[protocol].table, by_round)
        for protocol in ("redteam", "redteam_v2", "deceptive")
    } | {FOUR_ROUNDS: ("appendix_o", _FOUR_ROUND_COLUMNS)}
    paper = paper_of(STUDY)
    return [
        replace(
            compared_table(key, f"{title(protocol)}, as printed", [], names, dict),
            rows=[
                ComparedRow(
                    "Overall" if row == OVERALL else row,
                    {column: Compared(None, cell) for column, cell in cells.items()},
                )
                for row, cells in paper.tables[key].rows.items()
            ],
        )
        for protocol, (key, names) in columns.items()
        if protocol not in here
    ]


# What changes when bets that were never made are left out and not counted as 0.


def changed_by_missing(bets: pd.DataFrame) -> pd.DataFrame:
    """All cells by condition that a bet which was not made, but recorded, changes.

    Returns:
        A row per cell: `Condition`, `Model`, `What`, `Counted as 0`, `Left out`.
    """
    rows = [
        row
        for condition, part in by_condition(bets).items()
        for row in _changed(condition, part)
    ]
    names = ("Condition", "Model", "What", "Counted as 0", "Left out")
    return pd.DataFrame(rows, columns=list(names))


def _changed(condition: str, bets: pd.DataFrame) -> Iterator[tuple[str, ...]]:
    lost = bets[bets["bet"].isna() & bets["recorded"].notna()]
    if lost.empty:
        return
    style = _style(condition)
    recorded, left_out = (by_side(bets, value) for value in ("recorded", "bet"))

    def both(who: str, p: PStyle, models: Sequence[str]) -> Iterator[tuple[str, ...]]:
        before, after = (
            _rounds(wide[wide["model"].isin(models)], p, n=style.n)
            for wide in (recorded, left_out)
        )
        yield from _differing(condition, who, before, after)

    for model in in_order(lost["model"], style.table):
        yield from both(model, "full", [model])
    yield from both("Overall", style.overall, list(bets["model"].unique()))
    who = "Models that rise (p < 0.05)"
    yield from _differing(condition, who, rising(bets), rising(bets, "bet"))


def _differing(
    condition: str, who: str, before: Mapping[str, str], after: Mapping[str, str]
) -> Iterator[tuple[str, ...]]:
    for name, text in before.items():
        if after[name] != text:
            yield title(condition), who, label(name), str(text), str(after[name])
