"""Two runs of any Inspect task, compared on the samples that both have."""

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from textwrap import shorten
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from inspect_ai.log import (
    EvalLog,
    HeadlineMetric,
    read_eval_log_sample,
    read_eval_log_sample_summaries,
)
from scipy.stats import binom

from inspect_debate.debate.errors import InputError, check_known
from inspect_debate.metrics import paired
from inspect_debate.reports import frames, report, stats
from inspect_debate.reports.report import Headline, Item, Notice, Table

SIDES, _TOKENS = ["baseline", "treatment"], ["tokens 0", "tokens 1"]
STRATA = {
    "error_detection.correct": "metadata.subset",
    "knowledge_conflict.correct": "knowledge_conflict.perturbed",
}
"""Scores that reports average over the values of a column, not over samples."""
_HEADLINES = ("correct", "verdict_correct")
"""The values of samples whose mean, or a rate of which, is a study's headline."""
_SHORTENED = re.compile(r"\(content truncated\)|\((Image|Audio|Video|Document|Data)\)")
"""What summaries have in place of long texts and of media."""
_MAY_DIFFER = ("Data", "Versions")
"""Kinds of facts in which parts of one run may differ, such as slices of its data."""
_FEW, _WIDTH = 50, 60

_Row = dict[str, Any]
"""A sample, as from `frames.sample`, with its `log`, and whether it is `ours`."""


class Side(NamedTuple):
    """The logs of one condition."""

    given: str  # what was typed
    logs: list[tuple[str, EvalLog]]  # paths and headers
    facts: dict[tuple[str, str], str]  # what characterises them, by kind and name
    samples: dict[tuple[str, int], _Row]  # by id and epoch


def compare(baseline: str, treatment: str, score: str | None = None) -> list[Item]:
    """Compare two runs on the samples (id and epoch) that both have.

    Args:
        baseline: A log file, or a folder with logs of one condition.
        treatment: The other.
        score: `SCORER`, or `SCORER.VALUE` of those that give several. By default that
            of the task's headline metric, or else the only one.
    """
    sides = [side_of(baseline), side_of(treatment)]
    ids, others = ({log.eval.eval_id for _, log in side.logs} for side in sides)
    if ids & others:
        raise InputError(f"{baseline} and {treatment} have a log in common; give two.")
    if not sides[0].samples.keys() & sides[1].samples.keys():
        tasks = (side.logs[-1][1].eval.task.rpartition("/")[2] for side in sides)
        raise InputError(
            f"{baseline} ({next(tasks)}) and {treatment} ({next(tasks)}) have no "
            "sample in common; give two runs on the same data."
        )
    score = chosen(sides, score)
    both = paired_samples(sides, score)
    known = both[SIDES].notna()
    compared = both[known.all(axis=1)]
    facts, names = differs(sides)
    headline, table = _difference(compared, score, *names)
    runs = pd.DataFrame({"Run": SIDES, "Is": names})
    runs["Tokens a sample"] = [*compared[_TOKENS].mean(skipna=False).round()]
    runs["Ended"] = [", ".join({log.status: "" for _, log in s.logs}) for s in sides]
    runs["Samples"] = [len(side.samples) for side in sides]
    shared = len(sides[0].samples.keys() & sides[1].samples.keys())
    runs["Not in both"] = runs["Samples"] - shared
    runs["Other input"] = shared - len(both)
    runs["No value"] = [*(~known).sum()]
    note = "Tokens: a mean. Other input: or other choices or target."
    dash = "A dash: a run does not have it. Long texts are cut and end with a hash."
    few = "There are few independent samples (clusters): a difference is easily missed."
    return [
        Headline(headline),
        *([Notice([few])] if compared["cluster"].nunique() < _FEW else []),
        table,
        Table("runs", "The runs", runs, note),
        Table("differs", "What else differs", facts, dash, group="Kind"),
    ]


def as_text(items: Sequence[Item]) -> Iterator[str]:
    """A few lines for the terminal."""
    for item in items:
        if isinstance(item, Headline):
            yield item.text
        elif isinstance(item, Notice):
            yield " ".join(item.texts)
        elif isinstance(item, Table) and item.name == "differs":
            of = item.frame
            if of["Kind"].eq("Protocol").any():  # each has parameters of its own
                of = of[of["Kind"] != "Parameters"]
            names = ", ".join(dict.fromkeys(of["Name"])) or "nothing logged"
            yield shorten(f"They differ in: {names}", 200)
        elif isinstance(item, Table):
            for row in report.cells(item):
                cells = zip(item.frame, row, strict=True)
                yield "; ".join(f"{name} {text}" for name, (text, _) in cells)


def as_json(items: Sequence[Item]) -> str:
    """The tables, unrounded, and the notes, for programs."""
    found: dict[str, object] = {}
    for item in items:
        if isinstance(item, Notice):
            found["notes"] = item.texts
        elif isinstance(item, Table):
            frame = stats.csv_frame(item.frame)
            found[item.name] = json.loads(frame.to_json(orient="records"))
    return json.dumps(found, indent=2, ensure_ascii=False)


# The difference.


def _difference(
    both: pd.DataFrame, score: str, before: str, after: str
) -> tuple[str, Table]:
    """The difference, by the functions that reports use, in words and as a table."""
    rows = [both.assign(value=both[s], prediction=both[s], gold=1.0) for s in SIDES]
    if score in STRATA:
        found = paired.detection_difference(rows[0], rows[1], "accuracy", "stratum")
    else:
        found = paired.mean_difference(rows[0], rows[1], "value")
    values = both[SIDES].to_numpy()
    is_share = bool((values >= 0).all() and (values <= 1).all())
    unit = 100 if is_share else 1
    points = stats.Measured(*(unit * value for value in found[:3]))
    means = both.groupby("stratum")[SIDES].mean().mean()
    name, digits = score.removesuffix(".value"), 1 if is_share else 2
    text = (
        f"{after} minus {before}, mean of {name}: {points.text(2, signed=True)} "
        f"({stats.p_value(found.p, named=True)}; {found.pairs} paired samples)."
    )
    if is_share:
        text = stats.difference(f"mean of {name}", after, before, found)
    row = {"Score": name, "Difference": points, "p": found.p}
    row |= {"Pairs": found.pairs, "Clusters": found.clusters}
    row |= {f"Mean of {side}": unit * mean for side, mean in means.items()}
    if np.isin(values, (0, 1)).all():
        change = both["treatment"] - both["baseline"]
        worse, better = int((change < 0).sum()), int((change > 0).sum())
        row |= {"Only baseline right": worse, "Only treatment right": better}
        few, n = min(worse, better), worse + better
        mid = float(2 * binom.cdf(few, n, 0.5) - binom.pmf(few, n, 0.5))
        plain = found.clusters == found.pairs and score not in STRATA
        row["p (McNemar, mid-p)"] = mid if plain else math.nan
    note = (
        f"{'Percent. ' * is_share}Interval (95 %) and p are clustered by what samples "
        "share. McNemar's p is the mid-p, for plain means of independent samples alone."
    )
    if over := STRATA.get(score):
        note += f" Averaged over {over}, as in reports."
    title, frame = "Treatment minus baseline", pd.DataFrame([row])
    return text, Table("difference", title, frame, note, digits, signed=True)


# Samples and their scores.


def side_of(given: str) -> Side:
    """Read a log file, or a folder with logs of one condition."""
    logs = frames.headers([given])
    of_logs = [_facts(log) for _, log in logs]
    facts: dict[tuple[str, str], str] = {}
    for kind, name in dict.fromkeys(fact for of in of_logs for fact in of):
        values = dict.fromkeys(of.get((kind, name), stats.DASH) for of in of_logs)
        if len(values) > 1 and kind not in _MAY_DIFFER:
            raise InputError(
                f"{given} has runs of several conditions ({name}: "
                f"{', '.join(values)}); give the log or the folder of one."
            )
        facts[kind, name] = " / ".join(values)
    samples: dict[tuple[str, int], _Row] = {}
    for path, log in logs:
        about = {"log": path, "ours": "protocol" in (log.eval.metadata or {})}
        for summary in read_eval_log_sample_summaries(path):
            row = frames.sample(summary) | about
            key = row["id"], row["epoch"]
            if key not in samples or row["status"] == "finished":
                samples[key] = row
    return Side(given, logs, facts, samples)


def chosen(sides: Sequence[Side], given: str | None) -> str:
    """The score to compare."""
    first, second = (
        dict.fromkeys(
            name
            for row in side.samples.values()
            for name, value in row.items()
            if name.split(".")[0] in (row["summary"].scores or {}) and value == value
        )
        for side in sides
    )
    typed = {name.removesuffix(".value"): name for name in first if name in second}
    if not typed:
        raise InputError(
            f"{sides[0].given} and {sides[1].given} share no score to compare; they "
            f"have {', '.join(first) or 'none'} and {', '.join(second) or 'none'}."
        )
    if given:
        check_known("score", given.removesuffix(".value"), typed)
        return typed[given.removesuffix(".value")]
    headline = sides[0].logs[-1][1].eval.headline_metric or HeadlineMetric()
    scorers = {name: name.split(".")[0] for name in typed.values()}
    own = [n for n, of in scorers.items() if of == headline.scorer] or [*scorers]
    if len({scorers[name] for name in own}) == 1:
        keys = (headline.score, headline.metric, *_HEADLINES, "value")
        best = [n for key in keys for n in own if n == f"{scorers[n]}.{key}"]
        if best or len(own) == 1:
            return [*best, *own][0]
    names = " or ".join(name.removesuffix(".value") for name in own)
    raise InputError(f"There are several scores; give --score {names}.")


def paired_samples(sides: Sequence[Side], score: str) -> pd.DataFrame:
    """The samples that are the same on both sides, with what was measured on each."""
    before, after = (side.samples for side in sides)
    rows = []
    for key, one in before.items():
        other = after.get(key)
        if other and content_of(one) == content_of(other):
            stratum = str(one.get(STRATA.get(score, "")))
            values = [value_of(row, score) for row in (one, other)]
            tokens = [row["tokens"] or math.nan for row in (one, other)]
            rows.append((*key, one["cluster"], stratum, *values, *tokens))
    columns = ["id", "epoch", "cluster", "stratum", *SIDES, *_TOKENS]
    both = pd.DataFrame(rows, columns=columns)
    if not both[SIDES].notna().all(axis=1).any():
        raise InputError(
            f"{sides[0].given} and {sides[1].given} share no sample with a value of "
            f"{score} and the same id, epoch, input, choices and target."
        )
    return both


def value_of(row: _Row, name: str) -> float:
    """The score of a sample as Inspect converts it; NaN if it has none."""
    # Reports on our studies leave out what was stopped; elsewhere its score counts.
    stopped = row["ours"] and row["status"] != "finished"
    value = math.nan if stopped else row.get(name, math.nan)
    try:
        return frames.as_number(value)
    except ValueError:
        raise InputError(
            f"{name} of sample {row['id']} in {row['log']} is {value!r}; what can be "
            "compared is a number or one of C, P, I and N."
        ) from None


def content_of(row: _Row) -> str:
    """What has to be the same, also where the summary has cut it."""
    one = row["summary"]
    if _SHORTENED.search(f"{one.input}{one.target}"):
        heavy = {"messages", "events", "store", "attachments"}
        one = read_eval_log_sample(row["log"], one.id, one.epoch, exclude_fields=heavy)
    return frames.content(one)


# What differs.


def _facts(log: EvalLog) -> dict[tuple[str, str], str]:
    """What characterises a run, but for what cannot change its replies."""
    spec, about, revision = log.eval, log.eval.metadata or {}, log.eval.revision
    ours = not frames.is_foreign(log)
    steps = [(step.solver.split("/")[-1], step.params) for step in log.plan.steps]
    given = {f"{name}.{k}": v for name, params in steps for k, v in params.items()}
    chain = [name for name, _ in steps]
    bound = frames.bound(log)
    settings = {k: v for k, v in spec.config if k.endswith("_limit")} | spec.model_args
    settings |= frames.settings(log) | {"base_url": spec.model_base_url}
    for role, model in bound.items():
        settings |= {f"{role}.{key}": value for key, value in model.args.items()}
    models = {role: model.model for role, model in bound.items()}
    commit = revision and f"{revision.commit[:10]}{'+' * bool(revision.dirty)}"
    kinds: dict[str, Mapping[str, Any]] = {
        "Protocol": {"protocol": frames.protocol(log) if ours else " → ".join(chain)},
        "Models": models | (frames.models(log) if ours else {"model": spec.model}),
        "Parameters": about["parameters"] if ours else spec.task_args | given,
        "Settings": settings,
        "Prompts": about.get("prompts") or {},
        "Task": {"task": spec.task.split("/")[-1]},
        "Scorers": {one.name: one.options or "default" for one in spec.scorers or ()},
        "Data": {"dataset": spec.dataset.name} | (about.get("data") or {}),
        "Versions": spec.packages | {"task": spec.task_version, "commit": commit},
    }
    return {
        (kind, str(name)): _text(value)
        for kind, values in kinds.items()
        for name, value in values.items()
        if value is not None
    }


def _text(value: object) -> str:
    line = " ".join(str(value).split())
    digest = hashlib.sha256(line.encode()).hexdigest()[:6]
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 9]}… #{digest}"


def differs(sides: Sequence[Side]) -> tuple[pd.DataFrame, list[str]]:
    """What differs; and what to call the runs: by its first row, or by their paths."""
    before, after = (side.facts for side in sides)
    both = {
        f: (before.get(f, stats.DASH), after.get(f, stats.DASH))
        for f in {**before, **after}
    }
    rows = [(*fact, *pair) for fact, pair in both.items() if pair[0] != pair[1]]
    names = [side.given for side in sides]
    for kind, name, *values in rows[::-1]:
        if stats.DASH not in values and kind not in _MAY_DIFFER:
            bare = kind in ("Protocol", "Models")
            names = [frames.short(v) if bare else f"{name}={v}" for v in values]
    return pd.DataFrame(rows, columns=["Kind", "Name", *SIDES]), names
