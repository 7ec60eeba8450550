"""The paired comparisons as tables, and how many of them debate loses."""

import pandas as pd

from inspect_debate.analysis.comparisons import in_words
from inspect_debate.analysis.generative.comparisons import (
    Against,
    Compared,
    Comparison,
)
from inspect_debate.analysis.generative.study import ALPHA, KINDS
from inspect_debate.analysis.generative.tables import (
    BOOTSTRAP,
    MODELS,
    fpr,
    shown,
    without_empty,
)
from inspect_debate.analysis.reporting.elements import Column, Table
from inspect_debate.analysis.reporting.formats import P_VALUE, PERCENT, POINTS, Format
from inspect_debate.analysis.reporting.prose import counted

STUDY_TALLY = {"dual": (6, 2, 0), "single": (5, 2, 1), "all": (11, 4, 1)}
"""Losses, ties and wins of debate as printed; those of single formats follow."""

_NAMES: dict[Against, tuple[str, str]] = {
    "consultancy": ("consultancy", "debate less consultancy"),
    "none": ("no_transcript", "with speeches less without a transcript"),
}
_OUTCOMES = ("Loses", "Ties", "Wins")
_P = ("McNemar p", "Flip p", "p (Holm)")


def accuracy_table(compared: Compared) -> Table | None:
    """Verdict accuracy of formats less that of what they are held against.

    Args:
        compared: As from `compare`.

    Returns:
        The table; None where no comparison was made.
    """
    if not compared.made:
        return None
    name, title = _NAMES[compared.against]
    holm = compared.adjusted(one.p for one in compared.made)
    rows = [_row(one, p) for one, p in zip(compared.made, holm, strict=True)]
    frame = without_empty(pd.DataFrame(rows), "Left out", "Flip p")
    formats: dict[Column, Format] = {
        **dict.fromkeys(["First", "Second"], PERCENT),
        "Difference": POINTS,
        **dict.fromkeys(_P, P_VALUE),
    }
    return Table(
        name=f"comparisons_{name}",
        title=f"Paired differences in verdict accuracy: {title}",
        frame=frame,
        groups=MODELS,
        formats=shown(frame, formats),
        note="Percent and percentage points, on the same answers and with a readable "
        "verdict in both; a dual verdict is right only if it is right about both "
        f"answers. {BOOTSTRAP} Only first, "
        "only second: samples that the one or the other alone has right. McNemar: "
        "exact, two-sided, as in the study. Flip: sign flips of whole questions, "
        "where questions have several epochs, which McNemar's test would take for "
        "independent; it decides then. Holm: corrected over the "
        f"{counted(len(rows), 'comparison')} of this table. Outcome: at p below "
        f"{ALPHA:g} without the correction, as the study counts; with it in brackets "
        "where it differs.",
    )


def fpr_table(compared: Compared) -> Table | None:
    """FPR of formats less that of what they are held against.

    Args:
        compared: As from `compare`.

    Returns:
        The table; None where no comparison was made.
    """
    if not compared.made:
        return None
    name, title = _NAMES[compared.against]
    holm = compared.adjusted(one.fpr.p for one in compared.made)
    rows = [
        {
            **one.named,
            "First": fpr(one.paired.b).value,
            "Second": fpr(one.paired.a).value,
            "Difference": one.fpr.difference,
            "Difference low": one.fpr.low,
            "Difference high": one.fpr.high,
            "p": one.fpr.p,
            "p (Holm)": p,
        }
        for one, p in zip(compared.made, holm, strict=True)
    ]
    return Table(
        name=f"comparisons_fpr_{name}",
        title=f"Paired differences in FPR: {title}",
        frame=pd.DataFrame(rows),
        groups=MODELS,
        formats={
            **dict.fromkeys(["First", "Second"], PERCENT),
            "Difference": POINTS,
            **dict.fromkeys(["p", "p (Holm)"], P_VALUE),
        },
        note="Share of the wrong answers that the judge calls correct, a ratio of sums "
        f"over answers, on the same samples as above. {BOOTSTRAP} "
        "p: sign flips of whole questions. Holm: corrected over the "
        f"{counted(len(rows), 'comparison')} of this table.",
    )


def tally_table(compared: Compared) -> Table | None:
    """How often debate loses to consultancy, ties and wins, ours and as printed.

    Args:
        compared: As from `compare`, against consultancy.
    """
    if not compared.made:
        return None
    holm = compared.adjusted(one.p for one in compared.made)
    found = pd.DataFrame(
        {
            "kind": [KINDS[one.cell.proposers] for one in compared.made],
            "plain": [outcome(one, one.p) for one in compared.made],
            "Holm": [
                outcome(one, p) for one, p in zip(compared.made, holm, strict=True)
            ],
        }
    )
    rows = []
    for kind, printed in STUDY_TALLY.items():
        of = found if kind == "all" else found[found["kind"] == kind]
        rows += [
            {"Formats": kind.capitalize(), "Counted": told, "Comparisons": len(of)}
            | {name: int((of[column] == name).sum()) for name in _OUTCOMES}
            for told, column in (("plain", "plain"), ("with Holm", "Holm"))
        ]
        rows.append(
            {
                "Formats": kind.capitalize(),
                "Counted": "the study",
                "Comparisons": sum(printed),
            }
            | dict(zip(_OUTCOMES, printed, strict=True))
        )
    return Table(
        name="tally",
        title="How often debate loses to consultancy, ties and wins",
        frame=pd.DataFrame(rows),
        groups="Formats",
        note=f"Loses, wins: a difference in verdict accuracy at p below {ALPHA:g}; "
        "ties: none, which does not show that the formats are alike (see the "
        "equivalence tests). The study has 2 data sets, 2 families, best of 1 and of "
        "4, and single and dual formats, 16 comparisons in all; it says how dual ones "
        "went, and those of single ones follow from that.",
    )


def tally_line(compared: Compared) -> str:
    """The counts in a sentence; empty without a comparison."""
    table = tally_table(compared)
    if table is None:
        return ""
    frame = table.frame
    row = frame[(frame["Formats"] == "All") & (frame["Counted"] == "plain")].iloc[0]
    loses, ties, wins = STUDY_TALLY["all"]
    return (
        f"Of {counted(row['Comparisons'], 'comparison')} with consultancy debate loses "
        f"{row['Loses']}, ties {row['Ties']} and wins {row['Wins']} (in the study, of "
        f"16: {loses}, {ties} and {wins})."
    )


def outcome(comparison: Comparison, p: float) -> str:
    """Whether the first format loses, ties or wins.

    Args:
        comparison: The comparison.
        p: Its p-value.
    """
    if not p < ALPHA:
        return "Ties"
    return "Wins" if comparison.difference.difference > 0 else "Loses"


def _row(one: Comparison, adjusted: float) -> dict[str, object]:
    plain, corrected = outcome(one, one.p), outcome(one, adjusted)
    difference = one.difference
    return {
        **one.named,
        "Left out": in_words(one.paired.drops),
        "First": one.paired.b["verdict_correct"].mean(),
        "Second": one.paired.a["verdict_correct"].mean(),
        "Difference": difference.difference,
        "Difference low": difference.low,
        "Difference high": difference.high,
        "Only first": one.test.only_b,
        "Only second": one.test.only_a,
        "McNemar p": one.test.p,
        "Flip p": None if one.paired.independent else one.flip,
        "p (Holm)": adjusted,
        "Outcome": plain if plain == corrected else f"{plain} ({corrected.lower()})",
    }
