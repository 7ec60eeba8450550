"""Logs as a data frame with a row per sample."""

import math
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

import pandas as pd
from inspect_ai.log import (
    EvalLog,
    EvalSampleSummary,
    list_eval_logs,
    read_eval_log,
    read_eval_log_sample_summaries,
)
from inspect_ai.model import GenerateConfig

from inspect_debate.debate.errors import InputError

ROLES = ("debater_a", "debater_b", "judge")
_OPERATIONAL = {
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

    Raises:
        InputError: A file is not a log, or a folder has none.
    """
    paths = dict.fromkeys(path for given in logs for path in _paths(given))
    read = [(path, _header(path)) for path in paths]
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
        logs: As for `headers`.
        study: The study that the logs have to be of.
        protocols: The study's protocols. Conditions are sorted in this order, those
            with fewer changed parameters first.

    Returns:
        Columns of the run (`log`, `file`, `duration`, `versions`, `protocol`,
        `condition`, `parameters`, `changed`, `source`, `data`, `prompts`, `settings`,
        `models` and one for each of `ROLES`), of the sample (`id`, `epoch`, `target`,
        `cluster`, `status`, `stopped_by`, `tokens`, `usage`, which is that of each
        role, `cost`), of its metadata (`metadata.NAME`) and
        scores (`SCORER.NAME`). The attribute `attrs["notes"]` says in sentences what
        was left out.

    Raises:
        InputError: There is no log, or none of this study, or no sample has finished.
    """
    runs = [_run(path, log, study) for path, log in headers(logs)]
    rank = {name: place for place, name in enumerate(protocols)}
    runs.sort(key=lambda run: (rank.get(run["protocol"], 99), len(run["changed"])))
    rows: list[dict[str, Any]] = []
    notes: list[str] = []
    for run, name in zip(runs, _conditions(runs, protocols), strict=True):
        summaries = read_eval_log_sample_summaries(run["log"])
        if not summaries:
            notes.append(f"{run['file']} has no samples.")
        of_run = run | name
        rows += [of_run | _sample(summary) for summary in summaries]
    finished = [row["status"] == "finished" for row in rows]
    if not any(finished):
        raise InputError(
            f"None of the {len(rows)} samples in {', '.join(logs)} has finished; "
            "`inspect eval-retry` runs them again."
        )
    frame = pd.DataFrame(rows)
    frame["set"] = [f"{d.get('dataset')} {d.get('version')}" for d in frame["data"]]
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


def _paths(given: str) -> list[str]:
    if given.endswith((".eval", ".json")):
        return [given]
    paths = [info.name for info in list_eval_logs(given)]
    if not paths:
        raise InputError(f"There are no logs in {given}; give log files or folders.")
    return paths


def _header(path: str) -> EvalLog:
    try:
        return read_eval_log(path, header_only=True)
    except Exception as error:  # Inspect raises what its zip or JSON reader does
        reason = str(error).strip().split("\n", 1)[0]
        raise InputError(
            f"{path} is not a readable log of Inspect: {reason}."
        ) from None


def _run(path: str, log: EvalLog, study: str) -> dict[str, Any]:
    """The columns of a run. Logs of other studies, tasks and versions are refused."""
    spec, stats, about = log.eval, log.stats, log.eval.metadata or {}
    if (own := about.get("study", study)) != study:
        raise InputError(
            f"{path} is a log of the study {own!r}, not of {study!r}; use "
            f"`inspect-debate report {own} {path}`."
        )
    if "changed" not in about:
        raise InputError(
            f"{path} is a log of the task {spec.task!r}, on which there is no report; "
            f"read its debates with `inspect-debate page {path}`."
        )
    if spec.solver:
        raise InputError(
            f"{path} was run with --solver {spec.solver} in place of its task's "
            "protocol, so that there is no report on it; run -T protocol=NAME instead, "
            f"or read its debates with `inspect-debate page {path}`."
        )
    started, ended = pd.to_datetime([stats.started_at, stats.completed_at])
    return {
        "log": path,
        "file": PurePath(path).name,
        "duration": (ended - started).total_seconds(),
        "versions": ", ".join(f"{n} {v}" for n, v in sorted(spec.packages.items())),
        "ended": log.status,
        "protocol": about["protocol"],
        "parameters": about["parameters"],
        "changed": about["changed"],
        "source": (about.get("data") or {}).get("source"),
        "data": about.get("data") or {},
        "prompts": about.get("prompts") or {},
        "settings": _settings(log),
        **models(log),
    }


def scored_by(samples: pd.DataFrame, outcome: str) -> pd.DataFrame:
    """The samples, of which every log has to have the scorer of an outcome.

    Args:
        samples: From `samples`.
        outcome: A column, as `SCORER.VALUE`.

    Raises:
        InputError: If a log with finished samples was not scored by it.
    """
    scorer = outcome.split(".")[0]
    own = [name for name in samples if str(name).startswith(f"{scorer}.")]
    for path, rows in samples[samples["status"] == "finished"].groupby("log"):
        if not rows[own].notna().any(axis=None):
            raise InputError(
                f"{path} has no scores of {scorer}; add them: `inspect score {path} "
                f"--scorer inspect_debate/{scorer} --action append --overwrite`."
            )
    return samples if outcome in samples else samples.assign(**{outcome: math.nan})


def models(log: EvalLog) -> dict[str, str]:
    """The model of each role, those of a panel joined; unbound roles resolved."""
    bound = {
        role: ", ".join(m.model for m in (of if isinstance(of, list) else [of]))
        for role, of in (log.eval.model_roles or {}).items()
    }
    main = log.eval.model
    study = (log.eval.metadata or {}).get("study", "")
    following = dict.fromkeys(_FOLLOWING.get(study, ("judge",)), bound.get("debater_a"))
    return {role: bound.get(role) or following.get(role) or main for role in ROLES}


_FOLLOWING: dict[str, tuple[str, ...]] = {
    "srdcr": ("debater_b", "judge"),
    "generative": ("debater_b",),
    "confidence": (),
}
"""The roles that debater_a's model takes where they are not bound, by study."""


def _settings(log: EvalLog) -> str:
    """The generation settings that the user gave, as text."""
    configs: list[tuple[str, GenerateConfig]] = [("", log.eval.model_generate_config)]
    for role, of in (log.eval.model_roles or {}).items():
        models = of if isinstance(of, list) else [of]
        configs += [(f"{role} ", model.config) for model in models]
    given = [
        f"{who}{name}={_value(value)}"
        for who, config in configs
        for name, value in config.model_dump(exclude_none=True).items()
        if name not in _OPERATIONAL
    ]
    return ", ".join(given) or "default settings"


# What conditions are called.


def _conditions(
    runs: Sequence[dict[str, Any]], protocols: Mapping[str, Protocol]
) -> list[dict[str, str]]:
    """The `condition` of each run, and its `models` for people.

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
    names = []
    for (run, kind), models, named in zip(pairs, frame["models"], differ, strict=True):
        changed = [f"{key}={_value(value)}" for key, value in run["changed"].items()]
        named = named and len(kind.roles) > 0
        title = f"{kind.title} ({models})" if named else kind.title
        names.append(", ".join([title, *changed]))
    frame["condition"] = names
    for aspect in (
        [f"prompts of {r['parameters'].get('prompts') or 'the suite'}" for r in runs],
        [f"data of {run['source']}" for run in runs],
        [run["settings"] for run in runs],
        [f"seed={run['parameters'].get('seed')}" for run in runs],
    ):
        values = pd.Series(aspect).groupby(frame["condition"]).transform("nunique")
        suffix = ", " + pd.Series(aspect)
        frame["condition"] += suffix.where(values > 1, "")
    return [
        {"condition": name, "models": models}
        for name, models in zip(frame["condition"], frame["models"], strict=True)
    ]


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
        text = f"{text}, judge {judges}" if text else judges
    return text


def _several(models: str) -> str:
    """A model, or those of a panel or a pool."""
    names = [short(model) for model in models.split(", ")]
    more = f" and {len(names) - 2} more" if len(names) > 4 else ""
    return ", ".join(names[:2] if more else names) + more


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


# Samples.


def _sample(summary: EvalSampleSummary) -> dict[str, Any]:
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
        "tokens": sum(one.total_tokens for one in usage),
        "usage": summary.role_usage or {},
        "cost": sum(costs) if costs else math.nan,
    }
    row |= {f"metadata.{key}": value for key, value in metadata.items()}
    for name, score in (summary.scores or {}).items():
        given = score.value
        values = given if isinstance(given, dict) else {"value": given}
        for key, value in values.items():
            row[f"{name}.{key}"] = math.nan if value is None else value
    return row


def _status(summary: EvalSampleSummary) -> str:
    if summary.error or not summary.completed:
        return "failed"
    return "limit" if summary.limit else "finished"
