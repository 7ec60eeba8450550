"""Logs as a data frame with a row per sample."""

import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

import click
import pandas as pd
from inspect_ai.log import (
    EvalLog,
    EvalPlanStep,
    EvalSample,
    EvalSampleSummary,
    HeadlineMetric,
    list_eval_logs,
    read_eval_log,
    read_eval_log_sample_summaries,
)
from inspect_ai.model import ModelConfig
from inspect_ai.scorer import CORRECT, INCORRECT, NOANSWER, PARTIAL

from inspect_debate.debate import roles
from inspect_debate.debate.errors import InputError

ROLES = ("debater_a", "debater_b", "judge")
OPERATIONAL = {
    *("max_retries", "timeout", "attempt_timeout", "max_connections", "cache"),
    *("adaptive_connections", "batch", "fail_on_refusal", "modalities"),
}
"""Generation settings that cannot change what a model writes."""


class Protocol(NamedTuple):
    """What a report has to know of a protocol of its study.

    Attributes:
        title: Its name for people.
        roles: The roles that speak in it, of `ROLES`; none if conditions are not to be
            told apart by their models.
    """

    title: str
    roles: tuple[str, ...] = ROLES


def headers(logs: Sequence[str]) -> list[tuple[str, EvalLog]]:
    """Read the headers of logs, in the order of their creation.

    Args:
        logs: Files or folders. Of the logs of one task (`inspect eval-retry` makes
            several) the newest counts.

    Returns:
        The path and the header of each log.
    """
    paths: list[str] = []
    for given in logs:
        is_file = given.endswith((".eval", ".json"))
        found = [given] if is_file else [info.name for info in list_eval_logs(given)]
        if not found:
            raise InputError(
                f"{given} is no folder with logs; give log files, or folders of them."
            )
        paths += found
    read = [(path, _header(path)) for path in dict.fromkeys(paths)]
    read.sort(key=lambda one: one[1].eval.created)
    newest = {log.eval.task_id: path for path, log in read}
    return [(path, log) for path, log in read if newest[log.eval.task_id] == path]


def samples(
    logs: Sequence[str], study: str, protocols: Mapping[str, Protocol]
) -> pd.DataFrame:
    """Read a row per sample and epoch, from the summaries in logs.

    Of a sample that several logs have under one condition the newest that has finished
    counts.

    Args:
        logs: As for `headers`. Those on which the study has no report are left out,
            and named in a note.
        study: The study; `debate` takes the logs of any other task, too.
        protocols: The study's protocols. Conditions are sorted in this order, those
            with fewer changed parameters first.

    Returns:
        Columns of the run (see `_run`, and `condition` and `models`), of the sample
        (see `sample`), of its metadata (`metadata.NAME`) and scores (`SCORER.NAME`).
        The attribute `attrs["notes"]` says in sentences what was left out.
    """
    runs: list[dict[str, Any]] = []
    refused: list[tuple[str, str]] = []
    for path, log in headers(logs):
        if reason := _other(log, study):
            refused.append((path, reason))
        else:
            runs.append(_run(path, log))
    if not runs:
        path, reason = refused[0]
        raise InputError(f"{path} {reason}.")
    notes = [f"Left out: {PurePath(path).name}, which {why}." for path, why in refused]
    if len(notes) > 1:
        notes = [f"Left out: {len(notes)} logs of other studies, or of other solvers."]
    rank = {name: place for place, name in enumerate(protocols)}
    runs.sort(key=lambda run: (rank.get(run["protocol"], 99), len(run["changed"])))
    rows: list[dict[str, Any]] = []
    _name(runs, protocols)
    hidden = not sys.stderr.isatty()
    with click.progressbar(runs, label="Logs", hidden=hidden, file=sys.stderr) as bar:
        for run in bar:
            summaries = read_eval_log_sample_summaries(run["log"])
            if not summaries:
                notes.append(f"{run['file']} has no samples.")
            rows += [run | sample(summary) for summary in summaries]
    finished = [row["status"] == "finished" for row in rows]
    if not any(finished):
        raise InputError(
            f"None of the {len(rows)} samples in {', '.join(logs)} has finished; "
            "`inspect eval-retry` runs them again."
        )
    frame = pd.DataFrame(rows)
    best_last = frame.loc[pd.Series(finished).sort_values(kind="stable").index]
    kept = best_last.drop_duplicates(
        ["condition", "models", "set", "id", "epoch"], keep="last"
    )
    if repeated := len(frame) - len(kept):
        notes.append(
            f"{repeated} samples are in several logs of one condition; the newest "
            "finished one counts."
        )
    frame = kept.sort_index().reset_index(drop=True)
    frame.attrs["notes"] = notes
    return frame


def short(model: str) -> str:
    """A model's name without its provider, which simulated models keep."""
    return model if model.startswith("simulated/") else model.rsplit("/", 1)[-1]


# Logs.


def _header(path: str) -> EvalLog:
    try:
        return read_eval_log(path, header_only=True)
    except Exception as error:  # Inspect raises what its zip or JSON reader does
        reason = str(error).strip().split("\n", 1)[0]
        text = f"{path} is not a readable log of Inspect: {reason}."
        raise InputError(text) from None


def _other(log: EvalLog, study: str) -> str:
    """Why there is no report of a study on a log; empty if there is one."""
    spec = log.eval
    own = (spec.metadata or {}).get("study")
    if own == study and not spec.solver:
        return ""
    if study == "debate" and (spec.solver or own is None):
        return ""
    what = f"is a log of {own or spec.task!r}, not of the study {study!r}"
    if spec.solver:
        what = f"was run with --solver {spec.solver} in place of its task's protocol"
    other = own if own and not spec.solver else "debate"
    return f"{what}; use `inspect-debate report {other}`"


def _run(path: str, log: EvalLog) -> dict[str, Any]:
    """The columns of a run."""
    spec, stats, about = log.eval, log.stats, log.eval.metadata or {}
    started, ended = pd.to_datetime([stats.started_at, stats.completed_at])
    args = [f"{name}={_value(value)}" for name, value in spec.task_args_passed.items()]
    source = ", ".join([spec.task.rpartition("/")[2], *args])
    data = about.get("data", {"source": source})
    others = {
        role: short(model.model)
        for role, model in bound(log).items()
        if role.split()[0] not in roles.ROLES
    }
    given = [f"{n}={_value(v)}" for n, v in (others | settings(log)).items()]
    if is_foreign(log):
        step = log.plan.steps[-1] if log.plan.steps else EvalPlanStep(solver="")
        passed = spec.solver_args_passed if spec.solver else step.params_passed
        passed = {
            k: v for k, v in (passed or {}).items() if k not in ("seed", "prompts")
        }
        about = {"parameters": spec.solver_args or step.params, "changed": passed}
    return {
        "log": path,
        "file": PurePath(path).name,
        "spec": spec,
        "duration": (ended - started).total_seconds(),
        "versions": ", ".join(f"{n} {v}" for n, v in sorted(spec.packages.items())),
        "ended": log.status,
        "protocol": protocol(log),
        "solver": spec.solver or "",
        "outside": is_foreign(log),
        "parameters": about["parameters"],
        "changed": about.get("changed", {}),
        "source": data.get("source"),
        "debates": _debates(about),
        "data": data,
        "set": str([data.get(key) for key in _IDENTIFIES]),
        "prompts": about.get("prompts") or {},
        "settings": ", ".join(given) or "default settings",
        "headline": spec.headline_metric or HeadlineMetric(),
        **models(log),
    }


def is_foreign(log: EvalLog) -> bool:
    """Whether a log does not come from a task of ours with one of its protocols."""
    return bool(log.eval.solver) or "protocol" not in (log.eval.metadata or {})


def protocol(log: EvalLog) -> str:
    """The name of the protocol; of foreign logs, that of the solver."""
    if not is_foreign(log):
        return str((log.eval.metadata or {})["protocol"])
    solver = log.eval.solver or (log.plan.steps[-1].solver if log.plan.steps else "")
    return solver.rpartition("/")[2].rpartition("@")[2]


def finished(samples: pd.DataFrame, scores: Mapping[str, str]) -> pd.DataFrame:
    """The finished samples, with scores as numbers under the names given for them."""
    rows = samples[samples["status"] == "finished"].rename(columns=scores)
    rows = rows.reindex(columns=[*dict.fromkeys([*rows, *scores.values()])])
    rows["Condition"] = rows["condition"]
    return rows.astype(dict.fromkeys(scores.values(), float))


def scored_by(samples: pd.DataFrame, outcome: str) -> pd.DataFrame:
    """The samples, with a column for an outcome, as `SCORER.VALUE`."""
    scorer = outcome.split(".")[0]
    own = samples[samples["status"] == "finished"].filter(like=f"{scorer}.")
    for path, rows in own.groupby(samples["log"]):
        if not rows.notna().any(axis=None):
            raise InputError(
                f"{path} has no scores of {scorer}; add them: `inspect score {path} "
                f"--scorer inspect_debate/{scorer} --action append --overwrite`."
            )
    return samples if outcome in samples else samples.assign(**{outcome: math.nan})


def models(log: EvalLog) -> dict[str, str]:
    """The model of each role, those of a panel joined; unbound roles resolved."""
    given = {
        role: ", ".join(m.model for m in (of if isinstance(of, list) else [of]))
        for role, of in (log.eval.model_roles or {}).items()
    }
    about, solver = log.eval.metadata or {}, log.eval.solver or ""
    follow: tuple[str, ...] = ()  # protocols of users bind every role
    if not is_foreign(log) or solver.startswith("inspect_debate/"):
        name = protocol(log) if solver else about.get("study", "")
        follow = _FOLLOWING.get(name, ("judge",))
    following = dict.fromkeys(follow, given.get("debater_a"))
    main = log.eval.model
    given |= about.get("spoke", {})  # in debates that were judged again
    return {role: given.get(role) or following.get(role) or main for role in ROLES}


_FOLLOWING: dict[str, tuple[str, ...]] = {
    "srdcr": ("debater_b", "judge"),
    "generative": ("debater_b",),
    "confidence": (),
}
"""The roles that debater_a's model takes where they are not bound, by study or solver.

In our other protocols that is the judge's, in those of users none."""


def bound(log: EvalLog) -> dict[str, ModelConfig]:
    """The models that were given for roles; from the second on with a number."""
    return {
        role if n == 1 else f"{role} {n}": model
        for role, of in (log.eval.model_roles or {}).items()
        for n, model in enumerate(of if isinstance(of, list) else [of], start=1)
    }


def settings(log: EvalLog) -> dict[str, Any]:
    """What the user set for the generation of replies, by NAME or ROLE.NAME."""
    # With `--model none` the plan alone has the settings of the run.
    main = log.eval.model_generate_config.merge(log.plan.config)
    given = main.model_dump(exclude_none=True)
    for role, model in bound(log).items():
        own = model.config.model_dump(exclude_none=True)
        given |= {f"{role}.{name}": value for name, value in own.items()}
    return {k: v for k, v in given.items() if k.split(".")[-1] not in OPERATIONAL}


# What conditions are called.


def _name(runs: Sequence[dict[str, Any]], protocols: Mapping[str, Protocol]) -> None:
    """Add the `condition` of each run, and its `models` for people.

    A condition is named by its protocol, what differs from the protocol's defaults,
    and whatever else differs between runs that would otherwise have one name.
    """
    kinds = [protocols.get(r["protocol"], Protocol(r["protocol"])) for r in runs]
    pairs = [*zip(runs, kinds, strict=True)]
    frame = pd.DataFrame({"models": [_who(run, kind) for run, kind in pairs]})
    frame["solo"] = [len(kind.roles) == 1 for kind in kinds]
    differ = frame.groupby("solo")["models"].transform("nunique") > 1
    if len({run[role] for run, kind in pairs for role in kind.roles}) > 1:
        differ |= frame["solo"]
    for (run, kind), models, named in zip(pairs, frame["models"], differ, strict=True):
        title = f"{kind.title} ({models})" if named and kind.roles else kind.title
        changed = [f"{key}={_value(value)}" for key, value in run["changed"].items()]
        run |= {"models": models, "condition": ", ".join([title, *changed])}
    for aspect in (
        [f"prompts of {r['parameters'].get('prompts') or 'the suite'}" for r in runs],
        [f"data of {_origin(run['data'])}" for run in runs],
        [f"candidates={run['data'].get('candidates')}" for run in runs],
        [run["settings"] for run in runs],
        [run["debates"] for run in runs],
        [f"seed={run['parameters'].get('seed')}" for run in runs],
    ):
        names = [run["condition"] for run in runs]
        values = pd.Series(aspect).groupby(names).transform("nunique")
        for run, suffix, number in zip(runs, aspect, values, strict=True):
            run["condition"] += f", {suffix}" * (number > 1)


_IDENTIFIES = (
    *("dataset", "version", "config", "split", "revision", "sha256", "candidates"),
)


def _origin(data: Mapping[str, Any]) -> str:
    """Where data are from; of a user's own also which, and in which version."""
    source = str(data.get("source"))
    if source not in ("path", "huggingface"):
        return source
    content = str(data.get("revision") or data.get("sha256") or "")[:7]
    parts = [data.get(key) for key in ("dataset", "config", "split")]
    return " ".join(filter(None, [*map(str, filter(None, parts)), content]))


def _debates(about: Mapping[str, Any]) -> str:
    """Which debates were judged: a run's own, or those of another log."""
    log = about.get("rejudged")
    return f"debates of {PurePath(log).name}" if log else "its own debates"


def _who(run: dict[str, Any], kind: Protocol) -> str:
    """A run's models: the debaters, and the judge where it is not the first of them."""
    roles = kind.roles or ROLES
    debaters = [run[role] for role in roles if role != "judge"]
    if run["parameters"].get("opponent") == "self" or ", " in "".join(debaters[:1]):
        debaters = debaters[:1]  # itself, or from the same pool
    judge = run["judge"] if "judge" in roles else ""
    text = " + ".join(map(_several, dict.fromkeys(debaters)))
    if judge and judge not in debaters[:1]:
        judges = _several(judge)
        noun = "judges" if ", " in judge else "judge"
        text = f"{text}, {noun} {judges}" if text else judges
    return text


def _several(models: str) -> str:
    """A model, or those of a panel or a pool."""
    names = [short(model) for model in models.split(", ")]
    more = f" and {len(names) - 2} more" if len(names) > 4 else ""
    return ", ".join(names[:2] if more else names) + more


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


# Samples.


def sample(summary: EvalSampleSummary) -> dict[str, Any]:
    """The columns of a sample.

    Returns:
        `id`, `epoch`, `target`, `cluster`, `status`, `stopped_by`, `tokens`, `cost`,
        `summary`, and its metadata and scores.
    """
    metadata, usage = summary.metadata, summary.model_usage.values()
    cluster = metadata.get("input_group") or metadata.get("question_id") or summary.id
    costs = [math.nan if one.total_cost is None else one.total_cost for one in usage]
    row: dict[str, Any] = {
        "id": str(summary.id),
        "epoch": summary.epoch,
        "target": summary.target,
        "cluster": str(cluster),
        "status": _status(summary),
        "stopped_by": summary.limit or (summary.error or "").split("\n", 1)[0],
        # Some servers do not say what a reply took.
        "tokens": sum(one.total_tokens for one in usage) or math.nan,
        "cost": sum(costs) if costs else math.nan,
        "summary": summary,
    }
    row |= {f"metadata.{key}": value for key, value in metadata.items()}
    for name, score in (summary.scores or {}).items():
        given = score.value
        values = given if isinstance(given, dict) else {"value": given}
        if isinstance(given, dict):  # ours have further numbers in their metadata
            more = (score.metadata or {}).items()
            known = {k: v for k, v in more if isinstance(v, int | float | None)}
            values = known | values
        for key, value in values.items():
            row[f"{name}.{key}"] = math.nan if value is None else value
    return row


def content(of: EvalSampleSummary | EvalSample) -> str:
    """Input, choices in any order, and the targets, as text and not as letters.

    Samples of two logs with one id and content are the same.
    """
    asked = of.input
    if not isinstance(asked, str):  # without the ids of messages
        parts = {"role", "content"}
        asked = str([message.model_dump(include=parts) for message in asked])
    choices = dict(zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", of.choices or (), strict=False))
    targets = [of.target] if isinstance(of.target, str) else of.target
    right = sorted(choices.get(target, target) for target in targets)
    return repr((asked, sorted(of.choices or ()), right))


_WORDS = {CORRECT: 1.0, PARTIAL: 0.5, INCORRECT: 0.0, NOANSWER: 0.0}
_WORDS |= {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}


def as_number(value: Any) -> float:
    """A score as Inspect converts it; NaN for None and infinities.

    Raises:
        ValueError: It is neither a number nor a word that stands for one.
    """
    if value is None:
        return math.nan
    word = value if value in ("C", "P", "I", "N") else str(value).lower()
    try:
        number = _WORDS[word] if word in _WORDS else float(value)
    except (TypeError, ValueError):
        reason = f"{value!r} is no number, and none of C, P, I and N."
        raise ValueError(reason) from None
    return number if math.isfinite(number) else math.nan


def _status(summary: EvalSampleSummary) -> str:
    if summary.error or not summary.completed:
        return "failed"
    return "limit" if summary.limit else "finished"
