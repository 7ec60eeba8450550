"""A comparison as a report."""

from inspect_debate.analysis.compare.comparison import Comparison
from inspect_debate.analysis.compare.notices import notices_of
from inspect_debate.analysis.compare.tables import (
    arms_table,
    comparisons_table,
    costs_table,
    differences_table,
    drops_table,
    equivalence_table,
    means_table,
)
from inspect_debate.analysis.reporting.elements import Report, Section, section_of
from inspect_debate.analysis.reporting.prose import listed


def comparison_report(of: Comparison) -> Report:
    """What differs, which samples are compared, the differences, and the cost."""
    factor = ", ".join(one.fact.name for one in of.split.factor) or "none"
    return Report(
        title=f"Comparison of {of.metric}",
        study=f"Factor: {factor}. {of.split.chosen}",
        notices=list(notices_of(of)),
        sections=[
            Section("Arms", items=[arms_table(of)]),
            section_of(
                "What differs",
                _by_pair(of),
                [differences_table(of)],
                otherwise="Nothing that the logs tell differs between the arms.",
            ),
            section_of(
                "Samples left out",
                "",
                [drops_table(of)],
                otherwise=f"None: all arms have the same {len(of.paired.keys)}.",
            ),
            section_of(
                "Differences",
                "",
                [means_table(of), comparisons_table(of), equivalence_table(of)],
            ),
            Section("Cost", items=[costs_table(of)]),
        ],
    )


def _by_pair(of: Comparison) -> str:
    """Where there are more than two arms, which confounds each comparison has."""
    if len(of.arms) < 3:
        return ""
    lines = []
    for pair in of.compared:
        names = [
            one.fact.name
            for one in of.split.confounds
            if one.values[pair.a] != one.values[pair.b]
        ]
        a, b = of.arms[pair.a].letter, of.arms[pair.b].letter
        lines.append(f"{b} less {a}: {', '.join(dict.fromkeys(names)) or 'none'}")
    return f"Confounds of each comparison:\n\n{listed(lines)}"
