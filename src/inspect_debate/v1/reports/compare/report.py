"""A comparison as a report, and as values for programs."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from math import floor, isfinite, log10
from typing import Any

import numpy as np
import pandas as pd

from inspect_debate.v1.reports.compare.comparison import (
    CAUSES,
    CLUSTERED_T,
    MCNEMAR,
    SIGN_FLIP,
    Compared,
    Comparison,
    Condition,
    same_questions,
    scale_of,
    unequal,
)
from inspect_debate.v1.reports.compare.facts import (
    Difference,
    only_some_have,
    shown,
)
from inspect_debate.v1.reports.elements import (
    P_VALUE,
    PERCENT,
    POINTS,
    Format,
    Main,
    Notice,
    Report,
    Section,
    counted,
    listed,
)
from inspect_debate.v1.reports.estimates import Estimate, ratio
from inspect_debate.v1.reports.provenance import Run, provenance_section
from inspect_debate.v1.reports.views import DataReport, Part, Rows

# How numbers of the metric are shown.


def _span(of: Comparison) -> float:
    return scale_of(of.conditions).span


def value_format(of: Comparison) -> Format:
    """How values of the metric are shown: in percent, if they are from 0 to 1."""
    span = _span(of)
    return PERCENT if span == 1 else Format(digits=max(0, 3 - floor(log10(span))))


def difference_format(of: Comparison) -> Format:
    """How differences of the metric are shown: in points, if it is from 0 to 1."""
    digits = value_format(of).digits
    return POINTS if _span(of) == 1 else Format(digits=digits, signed=True)


def _unit(of: Comparison, percent: str) -> str:
    return f", {percent}" if _span(of) == 1 else ""


# The tables.


def condition_title(of: Comparison, place: int) -> str:
    """A condition's values of the factor; its logs' names, where these are alike."""
    titles = [
        ", ".join(shown(one.values[p]) for one in of.split.factor)
        for p in range(len(of.conditions))
    ]
    title = titles[place]
    return title if title and titles.count(title) == 1 else of.conditions[place].logs


def _conditions(of: Comparison) -> Iterator[dict[str, object]]:
    """All that tables have of each condition."""
    scale = scale_of(of.conditions)
    for place, condition in enumerate(of.conditions):
        rows = pd.DataFrame({"id": condition.clusters})
        values = pd.Series(scale.unit(condition.values))
        mean = ratio(rows, values, pd.Series(np.ones(len(values))))
        cost = condition.cost
        yield {
            "Condition": condition.letter,
            "Is": condition_title(of, place),
            "Logs": condition.logs,
            "Samples": len(condition.samples),
            **{name: condition.drops.get(cause, 0) for cause, name in _CAUSES.items()},
            "Compared": len(condition.rows),
            "Mean": Estimate(*(scale.low + scale.span * end for end in mean)),
            "Calls": cost.calls,
            "Tokens": cost.tokens,
            "US dollars": cost.dollars,
        }


_CAUSES = {cause: cause.capitalize() for cause in CAUSES}


def _differences(of: Comparison) -> Iterator[dict[str, object]]:
    for one in (*of.split.factor, *of.split.confounds):
        kind = "confound"
        if one in of.split.factor:
            kind = "factor"
        elif of.split.of_protocols and only_some_have(one):
            kind = "part of a protocol"
        values = zip(of.conditions, one.values, strict=True)
        yield {
            "Taken as": kind,
            "Kind": one.fact.kind,
            "Name": one.fact.name,
            **{condition.letter: shown(value) for condition, value in values},
        }


def _left_out(of: Comparison) -> Iterable[dict[str, object]]:
    return _conditions(of) if any(one.drops for one in of.conditions) else ()


def _right_or_wrong(of: Comparison) -> bool:
    return all(one.discordant is not None for one in of.compared)


def _comparisons(of: Comparison) -> Iterator[dict[str, object]]:
    for one in of.compared:
        row: dict[str, object] = {
            "Compared": of.called(one),
            "Samples": len(of.clusters),
            "Difference": Estimate(*one.difference[:3]),
        }
        if _right_or_wrong(of) and (only := one.discordant) is not None:
            row |= {"Only one right": f"{only.only_b} : {only.only_a}"}
        yield row | {"p": one.p, "p (Holm)": one.p_holm, "Test": one.test}


def _tests(of: Comparison) -> str:
    names = {one.test for one in of.compared}
    sentences = {
        MCNEMAR: "McNemar's mid-p test",
        SIGN_FLIP: "sign flip, the permutation test that swaps the conditions in whole "
        "clusters",
        CLUSTERED_T: "clustered t, the t-test of least squares on the condition with "
        "standard errors clustered (Liang and Zeger 1986)",
    }
    return " or ".join(text for name, text in sentences.items() if name in names)


def _comparisons_note(of: Comparison) -> str:
    only = ", and how many samples only the one or only the other has right"
    return (
        f"Differences of the means{_unit(of, 'in percentage points')}"
        f"{only if _right_or_wrong(of) else ''}, on "
        f"{counted(len(of.clusters), 'sample')} in "
        f"{counted(len(set(of.clusters)), 'cluster')} (a question with its epochs, or "
        "an input with all questions on it), with 95 % intervals of the "
        f"{'paired bootstrap' if of.is_paired else 'same test'}. p: {_tests(of)}; "
        "Holm: corrected over the comparisons of this table."
    )


def _equivalence(of: Comparison) -> Iterator[dict[str, object]]:
    for one in of.compared:
        if (found := one.equivalence) is not None:
            interval = (found.difference, found.low90, found.high90)
            yield {
                "Compared": of.called(one),
                "Difference": Estimate(*interval),
                "p": found.p,
                "Equivalent": found.equivalent,
            }


def _by_pair(of: Comparison) -> str:
    """Where there are more than two conditions, which confounds each comparison has."""
    lines = []
    for pair in of.compared:
        names = _names(
            one
            for one in of.split.confounds
            if one.values[pair.a] != one.values[pair.b]
        )
        lines.append(f"{of.called(pair)}: {names or 'none'}")
    if len(of.conditions) < 3:
        return ""
    return f"Confounds of each comparison:\n\n{listed(lines)}"


def _provenance(of: Comparison) -> Section:
    runs = {
        run.log.header.eval.eval_id: (run.log, Run(condition.letter, len(run.samples)))
        for condition in of.conditions
        for run in condition.runs
    }
    logs = [log for log, _ in runs.values()]
    return provenance_section(logs, {id: run for id, (_, run) in runs.items()})


# What has to be known before the numbers.

_FEW = 30
"""With fewer clusters bootstrap intervals are too narrow."""


def notices_of(of: Comparison) -> Iterator[Notice]:
    """Confounds, unequal costs, and whatever else makes the numbers less than plain."""
    yield from _confounds(of)
    if not of.is_paired:
        yield Notice(_not_paired(of))
    yield from map(Notice, unequal(of.conditions))
    if len(of.meanings) > 1:
        yield Notice(
            f"{of.asked} is not the same score in all runs: it is "
            f"{' or '.join(of.meanings)}."
        )
    for condition in of.conditions:
        yield from _about_samples(condition)
    if (found := len(set(of.clusters))) < _FEW:
        yield Notice(
            f"There are only {counted(found, 'cluster')} of samples: intervals are "
            "somewhat too narrow, and a difference is easily missed."
        )


def _not_paired(of: Comparison) -> str:
    shared = set.intersection(*(set(one.clusters) for one in of.conditions))
    return (
        "The differences are not paired: no sample (id and epoch) is in all "
        "conditions, so that each has samples of its own. They have "
        f"{counted(len(shared), 'cluster')} of {len(set(of.clusters))} in common, and "
        f"{counted(same_questions(of.conditions), 'question')}; what else differs "
        "between their samples may be why results differ."
    )


def _confounds(of: Comparison) -> Iterator[Notice]:
    if not of.split.factor:
        if of.split.confounds:
            yield Notice(of.split.chosen)
        return
    partial = [one for one in of.split.confounds if only_some_have(one)]
    whole = [one for one in of.split.confounds if one not in partial]
    if whole:
        which = "any of these" if len(whole) > 1 else "this"
        yield Notice(
            f"Beside the factor the conditions differ in {_names(whole)}: the "
            f"difference may be due to {which}."
        )
    if partial and of.split.of_protocols:
        yield Notice(
            f"Only some of the protocols have {_names(partial)}, which is part of the "
            "difference between them.",
            "info",
        )
    elif partial:
        yield Notice(
            f"Only some of the conditions have {_names(partial)}. Where that does not "
            "come with the factor, the difference may be due to it."
        )


def _names(found: Iterable[Difference]) -> str:
    return ", ".join(dict.fromkeys(one.fact.name for one in found))


def _about_samples(condition: Condition) -> Iterator[Notice]:
    if condition.replaced:
        older = f"{condition.letter}: {counted(condition.replaced, 'sample')}"
        yield Notice(
            f"{older} of older logs {'is' if condition.replaced == 1 else 'are'} left "
            "out, because a newer log of the condition has the same.",
            level="info",
        )
    stopped = sum(bool(row.sample.error or row.sample.limit) for row in condition.rows)
    if stopped:
        yield Notice(
            f"{condition.letter}: {counted(stopped, 'compared sample')} ended with "
            "an error or a limit and still got a value.",
            level="info",
        )


# The report.

REPORT: DataReport[Comparison] = DataReport(
    title=lambda of: f"Comparison of {of.metric}",
    source=lambda of: f"Factor: {_names(of.split.factor) or 'none'}. {of.split.chosen}",
    notices=notices_of,
    parts=[
        Part(
            "Conditions",
            [
                Rows(
                    "conditions",
                    "Conditions: runs that are the same in everything are one",
                    _conditions,
                    columns=("Condition", "Is", "Logs", "Samples", "Compared"),
                )
            ],
        ),
        Part(
            "What differs",
            [
                Rows(
                    "differences",
                    "Everything that differs between the conditions",
                    _differences,
                    note="Long texts are cut and end with the first digits of their "
                    "hash. A dash means that the condition does not have the setting.",
                )
            ],
            text=_by_pair,
            otherwise="Nothing in the logs differs between the conditions.",
        ),
        Part(
            "Samples left out",
            [
                Rows(
                    "left_out",
                    "Samples and epochs that are left out, by the first cause that "
                    "applies",
                    _left_out,
                    columns=("Condition", "Samples", *_CAUSES.values(), "Compared"),
                    optional=[*_CAUSES.values()],
                    note="Error, limit: without a value for this reason. Of other "
                    "content: the same id and epoch, but another input, choices or "
                    "target.",
                )
            ],
            otherwise=lambda of: (
                f"None: all conditions have the same {len(of.clusters)}."
                if of.is_paired
                else "None."
            ),
        ),
        Part(
            "Differences",
            [
                Rows[Comparison](
                    "means",
                    lambda of: (
                        f"Means of {of.metric} over the samples that all conditions "
                        "have"
                        if of.is_paired
                        else f"Means of {of.metric}"
                    ),
                    _conditions,
                    lambda of: {"Mean": value_format(of)},
                    columns=("Condition", "Is", "Mean"),
                    note=lambda of: (
                        f"With 95 % intervals{_unit(of, 'in percent')}. Intervals may "
                        f"overlap where the {'paired ' * of.is_paired}differences "
                        "below are significant."
                    ),
                ),
                Rows[Comparison](
                    "comparisons",
                    lambda of: (
                        f"{'Paired' if of.is_paired else 'Unpaired'} differences in "
                        f"{of.metric}"
                    ),
                    _comparisons,
                    lambda of: {
                        "Difference": difference_format(of),
                        "p": P_VALUE,
                        "p (Holm)": P_VALUE,
                    },
                    hidden=["Samples"],
                    note=_comparisons_note,
                ),
                Rows[Comparison](
                    "equivalence",
                    lambda of: (
                        f"Whether the difference is below {of.margin:g} either way"
                    ),
                    _equivalence,
                    lambda of: {"Difference": difference_format(of), "p": P_VALUE},
                    note="Two one-sided t-tests at 5 % (TOST), over clusters, not "
                    "corrected for the number of comparisons. Equivalent: the 90 % "
                    "interval, which is shown, is within the margins.",
                ),
            ],
        ),
        Part(
            "Cost",
            [
                Rows(
                    "costs",
                    "Cost per compared sample",
                    _conditions,
                    {
                        "Calls": Format(digits=1),
                        "Tokens": Format(digits=0),
                        "US dollars": Format(digits=4),
                    },
                    columns=("Condition", "Calls", "Tokens", "US dollars"),
                    note="Calls as this suite's scorers count them, those used again "
                    "from an earlier run included, or else Inspect's turns; tokens of "
                    "all calls, those of scorers included. A dash means that the logs "
                    "do not have the value.",
                )
            ],
        ),
    ],
)
"""What differs, which samples are compared, the differences, and the cost."""


def comparison_report(of: Comparison, *, provenance: bool = False) -> Report:
    """The report of a comparison, which begins with the first of its differences.

    Args:
        of: What was found.
        provenance: Whether the report ends with what is needed to make the logs again.
    """
    parts = [*REPORT.parts, *([_provenance] if provenance else [])]
    main = Main(
        *("comparisons", "Difference", "Samples", "{Compared}: {value}."),
        format=difference_format(of),
        unit=" points" if _span(of) == 1 else "",
    )
    return replace(REPORT, parts=parts, main=[main]).of(of)


# A comparison for programs: plain values that JSON can hold.


def plain_values(of: Comparison) -> dict[str, Any]:
    """All that the tables show, unrounded; null where there is no value.

    Values that differ, numbers and pairs of conditions go by the conditions' letters.
    """
    letters = [condition.letter for condition in of.conditions]

    def differing(one: Difference) -> dict[str, Any]:
        values = dict(zip(letters, one.values, strict=True))
        return {**one.fact._asdict(), "values": values}

    found: dict[str, Any] = _clean(
        {
            "metric": of.asked,
            "margin": of.margin,
            "conditions": [*map(_condition, of.conditions)],
            "chosen": of.split.chosen,
            "factor": [*map(differing, of.split.factor)],
            "confounds": [*map(differing, of.split.confounds)],
            "samples": len(of.clusters),
            "clusters": len(set(of.clusters)),
            "comparisons": [_compared(letters, one) for one in of.compared],
            "notices": [notice.text for notice in notices_of(of)],
        }
    )
    return found


def _condition(condition: Condition) -> dict[str, Any]:
    return {
        "condition": condition.letter,
        "logs": [run.name for run in condition.runs],
        "metrics": [str(metric) for metric in condition.metrics],
        "samples": len(condition.samples),
        "left_out": dict(condition.drops),
        "mean": sum(condition.values) / len(condition.values),
        **{f"{name}_per_sample": n for name, n in condition.cost._asdict().items()},
    }


def _compared(letters: list[str], one: Compared) -> dict[str, Any]:
    found: dict[str, Any] = {
        "a": letters[one.a],
        "b": letters[one.b],
        "mean_a": one.mean_a,
        "mean_b": one.mean_b,
        **one.difference._asdict(),
        "p_holm": one.p_holm,
        "test": one.test,
    }
    if (only := one.discordant) is not None:
        found |= {"only_a": only.only_a, "only_b": only.only_b}
    if one.equivalence is not None:
        found["equivalence"] = one.equivalence._asdict()
    return found


def _clean(value: Any) -> Any:
    """Without numbers that JSON does not have."""
    if isinstance(value, Mapping):
        return {key: _clean(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_clean(inner) for inner in value]
    return None if isinstance(value, float) and not isfinite(value) else value
