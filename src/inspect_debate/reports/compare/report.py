"""A comparison as a report."""

from collections.abc import Iterable, Iterator
from math import floor, isfinite, log10
from typing import Any

import numpy as np
import pandas as pd

from inspect_debate.reports.compare.comparison import (
    CAUSES,
    MCNEMAR,
    SIGN_FLIP,
    Compared,
    Comparison,
    scale_of,
    unequal,
)
from inspect_debate.reports.compare.facts import (
    Difference,
    Split,
    only_some_have,
    shown,
)
from inspect_debate.reports.elements import (
    P_VALUE,
    PERCENT,
    POINTS,
    Format,
    Notice,
    Report,
    Section,
    Table,
    counted,
    listed,
    section_of,
)
from inspect_debate.reports.estimates import Estimate, ratio
from inspect_debate.reports.provenance import Run, provenance_section


def comparison_report(of: Comparison, *, provenance: bool = False) -> Report:
    """What differs, which samples are compared, the differences, and the cost.

    Args:
        of: What was found.
        provenance: Whether to tell at the end what makes the logs again.
    """
    factor = ", ".join(one.fact.name for one in of.split.factor) or "none"
    return Report(
        title=f"Comparison of {of.metric}",
        study=f"Factor: {factor}. {of.split.chosen}",
        notices=list(notices_of(of)),
        sections=[
            Section("Conditions", items=[conditions_table(of)]),
            section_of(
                "What differs",
                _by_pair(of),
                [differences_table(of)],
                otherwise="Nothing that the logs tell differs between the conditions.",
            ),
            section_of(
                "Samples left out",
                "",
                [drops_table(of)],
                otherwise=f"None: all conditions have the same {len(of.paired.keys)}.",
            ),
            section_of(
                "Differences",
                "",
                [means_table(of), comparisons_table(of), equivalence_table(of)],
            ),
            Section("Cost", items=[costs_table(of)]),
            *([_provenance(of)] if provenance else []),
        ],
    )


def _by_pair(of: Comparison) -> str:
    """Where there are more than two conditions, which confounds each comparison has."""
    if len(of.conditions) < 3:
        return ""
    lines = []
    for pair in of.compared:
        names = [
            one.fact.name
            for one in of.split.confounds
            if one.values[pair.a] != one.values[pair.b]
        ]
        told = ", ".join(dict.fromkeys(names)) or "none"
        lines.append(f"{of.called(pair)}: {told}")
    return f"Confounds of each comparison:\n\n{listed(lines)}"


def _provenance(of: Comparison) -> Section:
    runs = {
        run.log.header.eval.eval_id: (run.log, Run(condition.letter, len(run.samples)))
        for condition in of.conditions
        for run in condition.runs
    }
    logs = [log for log, _ in runs.values()]
    return provenance_section(logs, {id: run for id, (_, run) in runs.items()})


# A comparison for programs: plain values that JSON can hold.


def plain_values(of: Comparison) -> dict[str, Any]:
    """All that the tables show, unrounded; null where there is no value.

    Values that differ, numbers and pairs of conditions go by the conditions' letters.
    """
    values = {
        "metric": of.asked,
        "margin": of.margin,
        "conditions": [_condition(of, place) for place in range(len(of.conditions))],
        "chosen": of.split.chosen,
        "factor": [_difference(of, one) for one in of.split.factor],
        "confounds": [_difference(of, one) for one in of.split.confounds],
        "samples": len(of.paired.keys),
        "clusters": len(set(of.paired.clusters)),
        "comparisons": [_compared(of, one) for one in of.compared],
        "notices": [notice.text for notice in notices_of(of)],
    }
    return {name: _clean(value) for name, value in values.items()}


def _condition(of: Comparison, place: int) -> dict[str, Any]:
    condition, values = of.conditions[place], of.paired.values(place)
    return {
        "condition": condition.letter,
        "logs": [run.name for run in condition.runs],
        "metrics": [str(metric) for metric in of.metrics[place]],
        "samples": len(of.read[place].samples),
        "left_out": dict(of.paired.drops[place]),
        "mean": sum(values) / len(values),
        **{f"{name}_per_sample": n for name, n in of.costs[place]._asdict().items()},
    }


def _difference(of: Comparison, one: Difference) -> dict[str, Any]:
    letters = [condition.letter for condition in of.conditions]
    return {**one.fact._asdict(), "values": dict(zip(letters, one.values, strict=True))}


def _compared(of: Comparison, one: Compared) -> dict[str, Any]:
    found = {
        "a": of.conditions[one.a].letter,
        "b": of.conditions[one.b].letter,
        "mean_a": one.mean_a,
        "mean_b": one.mean_b,
        **one.difference._asdict(),
        "p_holm": one.p_holm,
        "test": one.test,
    }
    if one.discordant is not None:
        found |= {
            "only_a": one.discordant.only_a,
            "only_b": one.discordant.only_b,
        }
    if one.equivalence is not None:
        found["equivalence"] = one.equivalence._asdict()
    return found


def _clean(value: Any) -> Any:
    """Without numbers that JSON does not have."""
    if isinstance(value, dict):
        return {key: _clean(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_clean(inner) for inner in value]
    return None if isinstance(value, float) and not isfinite(value) else value


# What must be said of a comparison before its numbers.

_FEW = 30
"""With fewer clusters bootstrap intervals are too narrow."""


def notices_of(of: Comparison) -> Iterator[Notice]:
    """Confounds, unequal costs, and whatever else makes the numbers less than plain."""
    yield from _confounds(of)
    for text in unequal(
        {
            condition.letter: cost
            for condition, cost in zip(of.conditions, of.costs, strict=True)
        }
    ):
        yield Notice(text)
    yield from _metrics(of)
    yield from _rows(of)
    if (found := len(set(of.paired.clusters))) < _FEW:
        yield Notice(
            f"There are only {counted(found, 'cluster')} of samples: intervals are "
            "somewhat too narrow, and a difference is easily missed."
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


def _metrics(of: Comparison) -> Iterator[Notice]:
    meant = dict.fromkeys(
        str(metric) for condition in of.metrics for metric in condition
    )
    if len(meant) > 1:
        yield Notice(
            f"{of.asked} is not the same score in all runs: it is {' or '.join(meant)}."
        )


def _rows(of: Comparison) -> Iterator[Notice]:
    for condition, read, rows in zip(
        of.conditions, of.read, of.paired.rows, strict=True
    ):
        if read.replaced:
            yield Notice(
                f"{condition.letter}: {counted(read.replaced, 'sample')} of older logs "
                f"{'is' if read.replaced == 1 else 'are'} left out, because a newer "
                "log of the condition has the same.",
                level="info",
            )
        stopped = sum(bool(row.sample.error or row.sample.limit) for row in rows)
        if stopped:
            yield Notice(
                f"{condition.letter}: {counted(stopped, 'compared sample')} ended with "
                "an error or a limit and still got a value.",
                level="info",
            )


# The tables of a comparison.

_DOLLARS = Format(digits=4)
_CALLS = Format(digits=1)
_TOKENS = Format(digits=0)


def value_format(of: Comparison) -> Format:
    """How values of the metric are shown: in percent, if they are from 0 to 1."""
    span = _span(of)
    return PERCENT if span == 1 else Format(digits=max(0, 3 - floor(log10(span))))


def difference_format(of: Comparison) -> Format:
    """How differences of the metric are shown: in points, if it is from 0 to 1."""
    digits = value_format(of).digits
    return POINTS if _span(of) == 1 else Format(digits=digits, signed=True)


def conditions_table(of: Comparison) -> Table:
    """The conditions and their logs."""
    rows = [
        {
            "Condition": condition.letter,
            "Is": condition_title(of, place),
            "Logs": condition.logs,
            "Samples": len(of.read[place].samples),
            "Compared": len(of.paired.keys),
        }
        for place, condition in enumerate(of.conditions)
    ]
    return Table(
        name="conditions",
        title="Conditions: runs that are the same in everything are one",
        frame=pd.DataFrame(rows),
    )


def means_table(of: Comparison) -> Table:
    """The conditions' means on the shared samples."""
    rows = [
        {
            "Condition": condition.letter,
            "Is": condition_title(of, place),
            **_mean(of, place).columns("Mean"),
        }
        for place, condition in enumerate(of.conditions)
    ]
    return Table(
        name="means",
        title=f"Means of {of.metric} over the samples that all conditions have",
        frame=pd.DataFrame(rows),
        formats={"Mean": value_format(of)},
        note=f"With 95 % intervals{_unit(of, 'in percent')}. Intervals may overlap "
        "where the paired differences below are significant.",
    )


def condition_title(of: Comparison, place: int) -> str:
    """A condition's values of the factor; its logs' names, where these are alike."""
    titles = [
        ", ".join(shown(one.values[p]) for one in of.split.factor)
        for p in range(len(of.conditions))
    ]
    title = titles[place]
    return title if title and titles.count(title) == 1 else of.conditions[place].logs


def differences_table(of: Comparison) -> Table | None:
    """The factor and all confounds; None where nothing differs."""
    rows = [
        {
            "Taken as": _taken_as(of.split, one),
            "Kind": one.fact.kind,
            "Name": one.fact.name,
            **{
                condition.letter: shown(value)
                for condition, value in zip(of.conditions, one.values, strict=True)
            },
        }
        for one in (*of.split.factor, *of.split.confounds)
    ]
    if not rows:
        return None
    return Table(
        name="differences",
        title="Everything that differs between the conditions",
        frame=pd.DataFrame(rows),
        note="Long texts are cut and end with the first digits of their hash. A dash "
        "means that the condition does not have the setting.",
    )


def _taken_as(split: Split, one: Difference) -> str:
    if one in split.factor:
        return "factor"
    if split.of_protocols and only_some_have(one):
        return "part of a protocol"
    return "confound"


def drops_table(of: Comparison) -> Table | None:
    """Samples left out by cause; None where there are none."""
    causes = [cause for cause in CAUSES if any(cause in d for d in of.paired.drops)]
    if not causes:
        return None
    rows = [
        {
            "Condition": condition.letter,
            "Samples": len(read.samples),
            **{cause.capitalize(): drops.get(cause, 0) for cause in causes},
            "Compared": len(of.paired.keys),
        }
        for condition, read, drops in zip(
            of.conditions, of.read, of.paired.drops, strict=True
        )
    ]
    return Table(
        name="left_out",
        title="Samples and epochs that are left out, by the first cause that applies",
        frame=pd.DataFrame(rows),
        note="Error, limit: without a value for this reason. Of other content: the "
        "same id and epoch, but another input, choices or target.",
    )


def comparisons_table(of: Comparison) -> Table:
    """The differences and their tests."""
    plain = all(one.discordant is not None for one in of.compared)
    only = ", and how many samples only the one or only the other has right"
    note = (
        f"Differences of the means{_unit(of, 'in percentage points')}"
        f"{only if plain else ''}, on {counted(len(of.paired.keys), 'sample')} in "
        f"{counted(_clusters(of), 'cluster')} (a question with its epochs, or an input "
        "with all questions on it), with 95 % intervals of the paired bootstrap. p: "
        f"{_tests(of)}; Holm: corrected over the comparisons of this table."
    )
    return Table(
        name="comparisons",
        title=f"Paired differences in {of.metric}",
        frame=pd.DataFrame([_comparison(of, one, plain=plain) for one in of.compared]),
        formats={
            "Difference": difference_format(of),
            "p": P_VALUE,
            "p (Holm)": P_VALUE,
        },
        note=note,
    )


def equivalence_table(of: Comparison) -> Table | None:
    """Whether differences are small for certain; None without a margin."""
    rows = [
        {
            "Compared": of.called(one),
            "Difference": found.difference,
            "Difference low": found.low90,
            "Difference high": found.high90,
            "p": found.p,
            "Equivalent": found.equivalent,
        }
        for one in of.compared
        if (found := one.equivalence) is not None
    ]
    if not rows:
        return None
    return Table(
        name="equivalence",
        title=f"Whether the difference is below {of.margin:g} either way",
        frame=pd.DataFrame(rows),
        formats={"Difference": difference_format(of), "p": P_VALUE},
        note="Two one-sided t-tests at 5 % (TOST), over clusters, not corrected for "
        "the number of comparisons. Equivalent: the 90 % interval, which is shown, is "
        "within the margins.",
    )


def costs_table(of: Comparison) -> Table:
    """Calls, tokens and money per sample."""
    rows = [
        {
            "Condition": condition.letter,
            "Calls": cost.calls,
            "Tokens": cost.tokens,
            "US dollars": cost.dollars,
        }
        for condition, cost in zip(of.conditions, of.costs, strict=True)
    ]
    return Table(
        name="costs",
        title="Cost per compared sample",
        frame=pd.DataFrame(rows),
        formats={"Calls": _CALLS, "Tokens": _TOKENS, "US dollars": _DOLLARS},
        note="Calls as this suite's scorers count them, those used again from an "
        "earlier run included, or else Inspect's turns; tokens of all calls, those of "
        "scorers included. A dash means that the logs do not have the value.",
    )


def _comparison(of: Comparison, one: Compared, *, plain: bool) -> dict[str, object]:
    row: dict[str, object] = {
        "Compared": of.called(one),
        "Difference": one.difference.difference,
        "Difference low": one.difference.low,
        "Difference high": one.difference.high,
    }
    if plain and one.discordant is not None:
        only = one.discordant
        row |= {"Only one right": f"{only.only_b} : {only.only_a}"}
    return row | {"p": one.p, "p (Holm)": one.p_holm, "Test": one.test}


def _tests(of: Comparison) -> str:
    names = {one.test for one in of.compared}
    said = {
        MCNEMAR: "McNemar's mid-p test",
        SIGN_FLIP: "sign flip, the permutation test that swaps the conditions in whole "
        "clusters",
    }
    return " or ".join(text for name, text in said.items() if name in names)


def _mean(of: Comparison, place: int) -> Estimate:
    scale = scale_of(of.paired)
    values = scale.unit(of.paired.values(place))
    rows = pd.DataFrame({"id": of.paired.clusters})
    found = ratio(rows, pd.Series(values), pd.Series(np.ones(len(values))))
    return Estimate(*(scale.low + scale.span * end for end in found))


def _span(of: Comparison) -> float:
    return scale_of(of.paired).span


def _clusters(of: Comparison) -> int:
    return len(set(of.paired.clusters))


def _unit(of: Comparison, percent: str) -> str:
    return f", {percent}" if _span(of) == 1 else ""
