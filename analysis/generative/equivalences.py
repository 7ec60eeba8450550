"""Whether formats are as good as each other: equivalence tests of paired verdicts."""

from collections.abc import Sequence

import pandas as pd

from inspect_debate.analysis.generative.comparisons import (
    Against,
    Compared,
    Comparison,
)
from inspect_debate.analysis.generative.study import ALPHA
from inspect_debate.analysis.generative.tables import MODELS
from inspect_debate.analysis.reporting.elements import Table
from inspect_debate.analysis.reporting.formats import P_VALUE, POINTS
from inspect_debate.core.measures.equivalence import Equivalence, equivalence

MARGINS = (0.05, 0.02)
"""Differences in verdict accuracy that would matter, the widest first."""

_TITLES: dict[Against, str] = {
    "consultancy": "Whether debate and consultancy are equivalent",
    "none": "Whether formats with and without a transcript are equivalent",
}
_NAMES: dict[Against, str] = {"consultancy": "consultancy", "none": "no_transcript"}


def equivalence_table(
    compared: Compared, margins: Sequence[float] = MARGINS
) -> Table | None:
    """Two one-sided tests for each pair of formats, beside that of a difference.

    Args:
        compared: As from `compare`.
        margins: Differences that would matter, from the widest to the narrowest.

    Returns:
        The table; None without pairs.
    """
    if not compared.made:
        return None
    return _table(compared, margins)


def conclusion(
    p: float, found: Sequence[Equivalence], margins: Sequence[float] = MARGINS
) -> str:
    """What both kinds of tests say together.

    Args:
        p: Of the test of no difference.
        found: Of the equivalence tests.
        margins: Theirs, from the widest to the narrowest.

    Returns:
        "equivalent" (within the narrowest margin for which that is shown), "different",
        both where there is a difference but a small one, or "undecided".
    """
    within = [
        margin for margin, of in zip(margins, found, strict=True) if of.equivalent
    ]
    different = p < ALPHA
    if not within:
        return "different" if different else "undecided"
    told = f"{POINTS(within[-1]).removeprefix('+')} points"
    return (
        f"different, by less than {told}" if different else f"equivalent within {told}"
    )


def _table(compared: Compared, margins: Sequence[float]) -> Table:
    columns = {margin: f"TOST p, ±{margin * 100:g}" for margin in margins}
    rows = [_row(one, columns) for one in compared.made]
    refused = len(compared.refused)
    return Table(
        name=f"equivalence_{_NAMES[compared.against]}",
        title=_TITLES[compared.against],
        frame=pd.DataFrame(rows),
        groups=MODELS,
        formats={
            "Difference": POINTS,
            **dict.fromkeys([*columns.values(), "p"], P_VALUE),
        },
        note="A difference that is not significant does not show that formats are "
        "alike: that takes a test of its own. Differences of verdict accuracy on the "
        "same answers, in percentage points, with 90 % intervals: Student's, of the "
        "questions' means, or, where none of n questions differs, of the share that "
        "might nevertheless, 1 - 0.05^(1/n). TOST: two one-sided tests that the "
        "difference is at least "
        f"{' or '.join(f'{margin * 100:g}' for margin in margins)} points either way; "
        f"below {ALPHA:g} it is smaller. p: of no difference (McNemar's exact test, or "
        "sign flips where questions have several epochs). Undecided: neither is shown. "
        "Conclusions are not corrected for the number of pairs."
        + (f" Pairs refused, see the comparisons: {refused}." if refused else ""),
    )


def _row(one: Comparison, columns: dict[float, str]) -> dict[str, object]:
    apart = one.paired.b["verdict_correct"] - one.paired.a["verdict_correct"]
    found = [equivalence(apart, one.paired.questions, margin) for margin in columns]
    return {
        **one.named,
        "Difference": found[0].difference,
        "Difference low": found[0].low90,
        "Difference high": found[0].high90,
        **{name: of.p for name, of in zip(columns.values(), found, strict=True)},
        "p": one.p,
        "Conclusion": conclusion(one.p, found, list(columns)),
    }
