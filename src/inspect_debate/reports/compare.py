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
from inspect_ai.scorer import CORRECT, INCORRECT, NOANSWER, PARTIAL
from scipy.stats import binom

from inspect_debate.debate.errors import InputError, check_known
from inspect_debate.metrics import paired
from inspect_debate.reports import frames, report
from inspect_debate.reports.report import DASH, Headline, Item, Measured, Notice, Table

SIDES, _TOKENS = ["baseline", "treatment"], ["tokens before", "tokens after"]
_STRATA = {
    "error_detection.correct": "metadata.subset",
    "knowledge_conflict.correct": "knowledge_conflict.perturbed",
}
"""Scores that reports average over the values of a column, not over samples."""
_WORDS = {CORRECT: 1.0, PARTIAL: 0.5, INCORRECT: 0.0, NOANSWER: 0.0}
_WORDS |= {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_SHORTENED = re.compile(r"\(content truncated\)|\((Image|Audio|Video|Document|Data)\)")
"""What summaries have in place of long texts and of media."""
_MAY_DIFFER = ("Data", "Versions")
"""Kinds of facts in which parts of one run may differ, such as slices of its data."""
_FEW, _WIDTH = 50, 60

_Row = dict[str, Any]
"""A sample, as in `frames.samples`, with its `summary`, its `log`, if it is `ours`."""


class _Side(NamedTuple):
    given: str
    logs: list[tuple[str, EvalLog]]
    facts: dict[tuple[str, str], str]  # by kind and name
    samples: dict[tuple[str, int], _Row]


def compare(baseline: str, treatment: str, score: str | None = None) -> list[Item]:
    """Compare two runs on the samples (id and epoch) that both have.

    Args:
        baseline: A log file, or a folder with logs of one condition.
        treatment: The other.
        score: `SCORER`, or `SCORER.VALUE` of those that give several. By default that
            of the task's headline metric, or else the only one.
    """
    sides = [_side(baseline), _side(treatment)]
    ids, others = ({log.eval.eval_id for _, log in side.logs} for side in sides)
    if ids & others:
        raise InputError(f"{baseline} and {treatment} have a log in common; give two.")
    first, second = (side.samples for side in sides)
    shared = [key for key in first if key in second]
    same = [key for key in shared if _content(first[key]) == _content(second[key])]
    if not same:
        raise InputError(
            f"{baseline} and {treatment} share no sample: {len(shared)} have the same "
            "id and epoch, and none of them the same input, choices and target."
        )
    score = _chosen(sides, score)
    pairs = [[side.samples[key] for side in sides] for key in same]
    both = pd.DataFrame(same, columns=["id", "epoch"])
    both["cluster"] = [row["cluster"] for row, _ in pairs]
    both["stratum"] = [str(row.get(_STRATA.get(score, ""))) for row, _ in pairs]
    both[SIDES] = [[_value(row, score) for row in pair] for pair in pairs]
    both[_TOKENS] = [[row["tokens"] or math.nan for row in pair] for pair in pairs]
    known = both[SIDES].notna()
    compared = both[known.all(axis=1)]
    if compared.empty:
        raise InputError(f"{score} has no value in both {baseline} and {treatment}.")
    facts, names = _differs(sides)
    headline, table = _difference(compared, score, *names)
    runs = pd.DataFrame({"Run": SIDES, "Is": names})
    runs["Tokens"] = [*compared[_TOKENS].mean(skipna=False).round()]
    runs["Ended"] = [", ".join({log.status: "" for _, log in s.logs}) for s in sides]
    runs["Samples"] = [len(first), len(second)]
    runs["Not in both"] = runs["Samples"] - len(shared)
    runs["Other input"] = len(shared) - len(same)
    runs["No value"] = [*(~known).sum()]
    note = "Tokens: mean of a sample. Other input: or other choices or target."
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
            both = item.frame[(item.frame[SIDES] != DASH).all(axis=1)]
            names = ", ".join(dict.fromkeys(both["Name"])) or "nothing logged"
            n = len(item.frame) - len(both)
            more = f"; {n} more are set in one alone" * (n > 0)
            yield shorten(f"They differ in: {names}{more}", 200)
        elif isinstance(item, Table):
            for row in report._rows(item):
                cells = zip(item.frame, row, strict=True)
                yield "; ".join(f"{name} {text}" for name, (text, _) in cells)


def as_json(items: Sequence[Item]) -> str:
    """The tables, unrounded, and the notes, for programs."""
    found: dict[str, object] = {}
    for item in items:
        if isinstance(item, Notice):
            found["notes"] = [*item.texts]
        elif isinstance(item, Table):
            frame = report.csv_frame(item.frame)
            found[item.name] = json.loads(frame.to_json(orient="records"))
    return json.dumps(found, indent=2, ensure_ascii=False)


# The difference.


def _difference(
    both: pd.DataFrame, score: str, before: str, after: str
) -> tuple[str, Table]:
    """The difference, by the functions that reports use, in words and as a table."""
    rows = [both.assign(value=both[s], prediction=both[s], gold=1.0) for s in SIDES]
    if score in _STRATA:
        found = paired.detection_difference(
            rows[0], rows[1], "accuracy", cluster="cluster", stratum="stratum"
        )
    else:
        found = paired.mean_difference(rows[0], rows[1], "value", cluster="cluster")
    values = both[SIDES].to_numpy()
    is_share = bool((values >= 0).all() and (values <= 1).all())
    unit = 100 if is_share else 1
    points = Measured(*(unit * value for value in found[:3]))
    means = both.groupby("stratum")[SIDES].mean().mean()
    name, digits = score.removesuffix(".value"), 1 if is_share else 2
    text = (
        f"{after} minus {before}, mean of {name}: {points.text(2, signed=True)} "
        f"({report.p_value(found.p, named=True)}; {found.pairs} paired samples)."
    )
    if is_share:
        text = report.difference_in_words(f"mean of {name}", after, before, found)
    row = {"Score": name, "Difference": points, "p": found.p}
    row |= {"Pairs": found.pairs, "Clusters": found.clusters}
    row |= {f"Mean of {side}": unit * mean for side, mean in means.items()}
    if np.isin(values, (0, 1)).all():
        change = both["treatment"] - both["baseline"]
        worse, better = int((change < 0).sum()), int((change > 0).sum())
        row |= {"Only baseline right": worse, "Only treatment right": better}
        few, n = min(worse, better), worse + better
        mid = float(2 * binom.cdf(few, n, 0.5) - binom.pmf(few, n, 0.5))
        plain = found.clusters == found.pairs and score not in _STRATA
        row["p (McNemar, mid-p)"] = mid if plain else math.nan
    note = (
        f"{'Percent. ' * is_share}Interval (95 %) and p are clustered by what samples "
        "share. McNemar's p is the mid-p, for plain means of independent samples alone."
    )
    if over := _STRATA.get(score):
        note += f" Averaged over {over}, as in reports."
    title, frame = "Treatment minus baseline", pd.DataFrame([row])
    return text, Table("difference", title, frame, note, digits, signed=True)


# Samples and their scores.


def _side(given: str) -> _Side:
    logs = frames.headers([given])
    of_logs = [_facts(log) for _, log in logs]
    facts: dict[tuple[str, str], str] = {}
    for kind, name in dict.fromkeys(fact for of in of_logs for fact in of):
        values = dict.fromkeys(of.get((kind, name), DASH) for of in of_logs)
        if len(values) > 1 and kind not in _MAY_DIFFER:
            raise InputError(
                f"{given} has runs of several conditions ({name}: "
                f"{', '.join(values)}); give the log or the folder of one."
            )
        facts[kind, name] = " / ".join(values)
    samples: dict[tuple[str, int], _Row] = {}
    for path, log in logs:
        about = {"log": path, "ours": "parameters" in (log.eval.metadata or {})}
        for summary in read_eval_log_sample_summaries(path):
            row = frames._sample(summary) | {"summary": summary, **about}
            key = row["id"], row["epoch"]
            if key not in samples or row["status"] == "finished":
                samples[key] = row
    return _Side(given, logs, facts, samples)


def _chosen(sides: Sequence[_Side], given: str | None) -> str:
    """The score to compare."""
    first, second = (
        {
            name: scorer  # by the names that `frames.samples` gives to values
            for row in side.samples.values()
            for scorer in row["summary"].scores or {}
            for name, value in row.items()
            if name.startswith(f"{scorer}.") and value == value
        }
        for side in sides
    )
    scorers = {name: of for name, of in first.items() if name in second}
    typed = {name.removesuffix(".value"): name for name in scorers}
    if not scorers:
        raise InputError(
            f"{sides[0].given} and {sides[1].given} share no score to compare; they "
            f"have {', '.join(first) or 'none'} and {', '.join(second) or 'none'}."
        )
    if given:
        check_known("score", given.removesuffix(".value"), typed)
        return typed[given.removesuffix(".value")]
    headline = sides[0].logs[-1][1].eval.headline_metric or HeadlineMetric()
    own = [n for n, of in scorers.items() if of == headline.scorer] or [*scorers]
    if len({scorers[name] for name in own}) == 1:
        keys = (headline.score, headline.metric, *_HEADLINES, "value")
        best = [n for key in keys for n in own if n == f"{scorers[n]}.{key}"]
        if best or len(own) == 1:
            return [*best, *own][0]
    names = " or ".join(name for name, of in typed.items() if of in own)
    raise InputError(f"There are several scores; give --score {names}.")


def _value(row: _Row, name: str) -> float:
    """The score of a sample as Inspect converts it; NaN if it has none."""
    # Reports on our studies leave out what was stopped; elsewhere its score counts.
    stopped = row["ours"] and row["status"] != "finished"
    value = math.nan if stopped else row.get(name, math.nan)
    word = value if value in ("C", "P", "I", "N") else str(value).lower()
    try:
        number = _WORDS[word] if word in _WORDS else float(value)
    except (TypeError, ValueError):
        raise InputError(
            f"{name} of sample {row['id']} in {row['log']} is {value!r}; what can be "
            "compared is a number or one of C, P, I and N."
        ) from None
    return number if math.isfinite(number) else math.nan


def _content(row: _Row) -> tuple[object, ...]:
    """Input, choices in any order, and the targets, as text and not as letters."""
    one = row["summary"]
    if _SHORTENED.search(f"{one.input}{one.target}"):
        heavy = {"messages", "events", "store", "attachments"}
        one = read_eval_log_sample(row["log"], one.id, one.epoch, exclude_fields=heavy)
    asked = one.input
    if not isinstance(asked, str):  # without the ids of messages
        asked = [message.model_dump(include={"role", "content"}) for message in asked]
    choices = dict(zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", one.choices or (), strict=False))
    targets = [one.target] if isinstance(one.target, str) else one.target
    return asked, sorted(one.choices or ()), sorted(choices.get(t, t) for t in targets)


_HEADLINES = ("correct", "verdict_correct")
"""The values of samples whose mean, or a rate of which, is a study's headline."""


# What differs.


def _facts(log: EvalLog) -> dict[tuple[str, str], str]:
    """What characterises a run, but for what cannot change its replies."""
    spec, about, revision = log.eval, log.eval.metadata or {}, log.eval.revision
    ours = "parameters" in about and not spec.solver
    steps = [(step.solver.split("/")[-1], step.params) for step in log.plan.steps]
    given = {f"{name}.{k}": v for name, params in steps for k, v in params.items()}
    bound = {
        role if n == 1 else f"{role} {n}": model
        for role, of in (spec.model_roles or {}).items()
        for n, model in enumerate(of if isinstance(of, list) else [of], start=1)
    }
    settings = {k: v for k, v in spec.config if k.endswith("_limit")} | spec.model_args
    settings |= spec.model_generate_config.merge(log.plan.config).model_dump()
    settings["base_url"] = spec.model_base_url
    for role, model in bound.items():
        own = model.config.model_dump() | model.args
        settings |= {f"{role}.{key}": value for key, value in own.items()}
    operational = [k for k in settings if k.split(".")[-1] in frames._OPERATIONAL]
    models = {role: model.model for role, model in bound.items()}
    commit = revision and f"{revision.commit[:10]}{'+' * bool(revision.dirty)}"
    kinds: dict[str, Mapping[str, Any]] = {
        "Protocol": {"protocol": about["protocol"]}
        if ours
        else {"solver": " → ".join(name for name, _ in steps)},
        "Models": models | (frames.models(log) if ours else {"model": spec.model}),
        "Parameters": about["parameters"] if ours else spec.task_args | given,
        "Settings": settings | dict.fromkeys(operational),
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


def _differs(sides: Sequence[_Side]) -> tuple[pd.DataFrame, list[str]]:
    """What differs; and what to call the runs: by its first row, or by their paths."""
    before, after = (side.facts for side in sides)
    both = {f: (before.get(f, DASH), after.get(f, DASH)) for f in {**before, **after}}
    rows = [(*fact, *pair) for fact, pair in both.items() if pair[0] != pair[1]]
    names = [side.given for side in sides]
    for kind, name, *values in rows[::-1]:
        if DASH not in values and kind not in _MAY_DIFFER:
            bare = kind in ("Protocol", "Models")
            names = [frames.short(v) if bare else f"{name}={v}" for v in values]
    return pd.DataFrame(rows, columns=["Kind", "Name", *SIDES]), names
