"""Bets beside the private reasoning before them: the paper's Tables 17 to 19."""

from collections.abc import Mapping
from math import nan

import pandas as pd

from inspect_debate.reports.confidence.sides import percent
from inspect_debate.reports.confidence.study import (
    conditions_of,
    is_published_pool,
    model_name,
    protocol_of,
    title,
)
from inspect_debate.reports.confidence.twins import PaperTable, Texts, paired_cells

SCORER = "bet_alignment"

Sums = Mapping[str, float]
"""What the bets of a condition add up to, by the keys of the scorer."""

_KINDS = {
    "assessment": ("aligned", "overbetting", "underbetting"),
    "degree": ("none", "slight", "moderate", "significant"),
    "numeric": ("present", "absent"),
}
"""Labels by what they are of; the last says whether the reasoning states a figure."""

_NAMES = {
    "assessment": "Assessment",
    "degree": "Degree",
    "numeric": "Numeric Confidence",
}


def graded(debates: pd.DataFrame) -> pd.DataFrame:
    """The debates of which a grader compared bets with the reasoning.

    Args:
        debates: As `Arms.frame` from `conditions`.
    """
    column = f"{SCORER}.graded"
    if column not in debates:
        return debates.iloc[:0]
    return debates[debates[column].notna()]


def by_condition(debates: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The debates of each condition, in the order in which they are reported."""
    return {c: debates[debates["arm"] == c] for c in conditions_of(debates["arm"])}


def sums_of(debates: pd.DataFrame) -> Sums:
    """The sums of the scorer's values over debates."""
    keys = [name for name in debates.columns if name.startswith(f"{SCORER}.")]
    sums = debates[keys].sum()
    return {str(name).partition(".")[2]: float(value) for name, value in sums.items()}


def label_share(sums: Sums, kind: str, label: str, flag: str = "") -> float:
    """The share of a label among the graded bets.

    Args:
        sums: As from `sums_of`.
        kind: What is labelled: `assessment`, `degree` or `numeric`.
        label: The label; malformed ones that name it count for it, as in the paper.
        flag: Among which bets: those whose reasoning has a figure `present` or
            `absent`; by default all.
    """
    names = [f"{flag}_{kind}_{name}".strip("_") for name in _KINDS[kind]]
    whole = sum(sums[name] for name in names)
    part = f"{flag}_{kind}_{label}".strip("_")
    if kind == "assessment":
        part_malformed = f"{flag}_{kind}_malformed_{label}".strip("_")
        count = sums[part] + sums.get(part_malformed, 0)
        whole = sums[f"{flag}_graded".strip("_")]
    else:
        count = sums[part]
    return count / whole if whole else nan


def alignment_tables(debates: pd.DataFrame) -> list[PaperTable]:
    """Tables 17 to 19 and the numbers of section 4.4.

    Args:
        debates: As from `graded`, of one condition or several.
    """
    parts = by_condition(debates)
    sums = {condition: sums_of(part) for condition, part in parts.items()}
    known = {condition for condition, part in parts.items() if _has_pool(part)}
    return [
        _table_17(sums, known),
        _by_figure("table_18", "assessment", sums, known),
        _by_figure("table_19", "degree", sums, known),
        _section_4_4(sums, known),
    ]


def _table_17(sums: Mapping[str, Sums], known: set[str]) -> PaperTable:
    labels = {
        f"{_NAMES[kind]}/{label.capitalize()}": (kind, label)
        for kind, all_labels in _KINDS.items()
        for label in all_labels
    }
    cells = {
        row: {c: percent(label_share(of, *which)) for c, of in sums.items()}
        for row, which in labels.items()
    }
    return PaperTable(
        name="table_17",
        title="Bets beside private reasoning (the paper's Table 17)",
        heading="Label",
        rows={row: row.partition("/")[2] for row in labels},
        columns={condition: title(condition) for condition in sums},
        cells=paired_cells(
            "table_17",
            cells,
            lambda row, c: (row, protocol_of(c)) if c in known else None,
        ),
        groups={row: row.partition("/")[0] for row in labels},
        grouped_by="What",
        note=f"Share of graded bets; graded are: {_sizes(sums)}. {_FOLDED}",
    )


def _by_figure(
    name: str, kind: str, sums: Mapping[str, Sums], known: set[str]
) -> PaperTable:
    """Table 18 or 19: labels where the reasoning has a figure, and where none."""
    columns = {
        f"{flag}/{label.capitalize()}": (label, flag)
        for flag in _KINDS["numeric"]
        for label in _KINDS[kind]
    }
    cells: Texts = {
        condition: {
            column: percent(label_share(of, kind, *which))
            for column, which in columns.items()
        }
        for condition, of in sums.items()
    }
    return PaperTable(
        name=name,
        title=f"{_NAMES[kind]}, with and without a figure in the reasoning "
        f"(the paper's {name.replace('_', ' ').title()})",
        heading="Condition",
        rows={condition: title(condition) for condition in sums},
        columns={
            column: f"{label.capitalize()}, figure {flag}"
            for column, (label, flag) in columns.items()
        },
        cells=paired_cells(
            name,
            cells,
            lambda c, column: (protocol_of(c), column) if c in known else None,
        ),
        note="Share of the graded bets whose reasoning states its confidence as a "
        f"figure, and of the others. {_FOLDED if kind == 'assessment' else ''}".strip(),
    )


def _section_4_4(sums: Mapping[str, Sums], known: set[str]) -> PaperTable:
    """The shares of assessments in the text, which are those of labels as coded."""
    labels = _KINDS["assessment"]
    cells = {
        condition: {label: percent(_share(of, label)) for label in labels}
        for condition, of in sums.items()
    }
    return PaperTable(
        name="section_4_4",
        title="Assessments as coded (the paper's section 4.4)",
        heading="Condition",
        rows={condition: title(condition) for condition in sums},
        columns={label: label.capitalize() for label in labels},
        cells=paired_cells(
            "section_4_4",
            cells,
            lambda c, label: (protocol_of(c), label) if c in known else None,
        ),
        note="Share of graded bets. Here a malformed label is in the whole, and counts "
        "for none.",
    )


def _share(sums: Sums, label: str) -> float:
    return sums[f"assessment_{label}"] / sums["graded"] if sums["graded"] else nan


def _has_pool(debates: pd.DataFrame) -> bool:
    models = {model_name(name) for sides in debates["sides"] for name in sides.values()}
    return is_published_pool(models)


def _sizes(sums: Mapping[str, Sums]) -> str:
    return ", ".join(f"{title(c)} {of['graded']:.0f}" for c, of in sums.items())


_FOLDED = (
    "A malformed label that names an assessment (“Slight Overbetting”) counts for "
    "it, as in the paper."
)
