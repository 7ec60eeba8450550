"""Logs as data frames: a row per sample, and a row per turn where that is needed."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import PurePath
from typing import Any, NamedTuple

import pandas as pd
from inspect_ai.log import (
    EvalLog,
    EvalSample,
    EvalSampleSummary,
    list_eval_logs,
    read_eval_log,
    read_eval_log_sample_summaries,
    read_eval_log_samples,
)
from inspect_ai.model import GenerateConfig

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import debate_of

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
        roles: The roles that speak in it, of `ROLES`.
    """

    title: str
    roles: tuple[str, ...] = ROLES


class _Run(NamedTuple):
    path: str
    log: EvalLog
    study: str
    protocol: str
    changed: Mapping[str, Any]
    parameters: Mapping[str, Any]
    source: object
    prompts: Mapping[str, str]
    settings: str
    models: Mapping[str, str]


def samples(
    logs: Sequence[str], study: str, protocols: Mapping[str, Protocol]
) -> pd.DataFrame:
    """Read a row per sample and epoch, from the summaries in logs.

    Of the logs of one task (`inspect eval-retry` makes several) the newest counts, and
    of a sample that several logs have under one condition the newest that has finished.

    Args:
        logs: Files or folders.
        study: The study that the logs have to be of.
        protocols: The study's protocols. Conditions are sorted in this order.

    Returns:
        Columns of the run (`log`, `file`, `task`, `created`, `duration`, `versions`,
        `protocol`, `condition`, `parameters`, `changed`, `source`, `prompts`, `models`
        and one for each of `ROLES`), of the sample (`id`, `epoch`, `target`, `cluster`,
        `status`, `stopped_by`, `tokens`, `cost`, `seconds`), of its metadata
        (`metadata.NAME`) and scores (`SCORER.NAME` and `SCORER.answer`). The attribute
        `attrs["notes"]` says in sentences what was left out.

    Raises:
        InputError: There is no log, or none of this study, or no sample has finished.
    """
    runs = [_run(path, log) for path, log in _newest(logs)]
    for run in runs:
        _check_study(run, study)
    names, models = _names(runs, protocols)
    rows: list[dict[str, Any]] = []
    notes: list[str] = []
    for run, name, model in zip(runs, names, models, strict=True):
        summaries = _summaries(run.path)
        if not summaries:
            notes.append(
                f"{_file(run.path)} has no samples (it ended: {run.log.status})."
            )
        of_run = _columns(run) | {"condition": name, "models": model}
        rows += [of_run | _sample(summary) for summary in summaries]
    frame = pd.DataFrame(rows)
    if frame.empty or not frame["status"].eq("finished").any():
        ended = "" if frame.empty else f": {_counted(frame['status'])}"
        raise InputError(f"No sample of {_counted_logs(runs)} has finished{ended}.")
    frame = _in_order(frame, protocols)
    repeated = len(frame) - len(frame.drop_duplicates(["condition", "id", "epoch"]))
    if repeated:
        notes.append(
            f"{repeated} samples are in several logs of one condition; the newest "
            "finished one counts."
        )
        frame = frame.drop_duplicates(["condition", "id", "epoch"], keep="last")
    frame = frame.reset_index(drop=True)
    frame.attrs["notes"] = notes
    return frame


def records(frame: pd.DataFrame) -> Iterator[tuple[Mapping[str, Any], EvalSample]]:
    """Read the whole record of each sample, with its row; about 10 ms a sample."""
    for path, rows in frame.groupby("log", sort=False):
        of_log = {(str(r["id"]), r["epoch"]): r for r in rows.to_dict("records")}
        for sample in read_eval_log_samples(str(path), all_samples_required=False):
            if row := of_log.get((str(sample.id), sample.epoch)):
                yield {str(key): value for key, value in row.items()}, sample


def turns(frame: pd.DataFrame) -> pd.DataFrame:
    """Read a row per turn of the samples' debates, without its text."""
    shown = ("speaker", "role", "kind", "round", "order", "draw", "status", "model")
    rows = []
    for row, sample in records(frame):
        debate = debate_of(sample)
        for turn in debate.turns if debate else []:
            named = {key: row[key] for key in ("condition", "id", "epoch", "target")}
            fields = {key: value for key, value in turn.fields.items()}
            rows.append(fields | named | {name: getattr(turn, name) for name in shown})
    columns = ["condition", "id", "epoch", "target", *shown]
    return pd.DataFrame(rows, columns=None if rows else columns)


def short(model: str) -> str:
    """A model's name without its provider, which simulated models keep."""
    return model if model.startswith("simulated/") else model.rsplit("/", 1)[-1]


# Which logs.


def _newest(logs: Sequence[str]) -> list[tuple[str, EvalLog]]:
    """The newest log of each task, in the order of their creation."""
    found: dict[str, tuple[str, EvalLog]] = {}
    paths = [path for given in logs for path in _paths(given)]
    if not paths:
        raise InputError(f"No logs in {', '.join(logs) or 'nothing'}; give log files.")
    headers = ((path, _header(path)) for path in dict.fromkeys(paths))
    for path, log in sorted(headers, key=lambda one: one[1].eval.created):
        found[log.eval.task_id] = path, log
    return sorted(found.values(), key=lambda one: one[1].eval.created)


def _paths(given: str) -> list[str]:
    if given.endswith((".eval", ".json")):
        return [given]
    return [info.name for info in list_eval_logs(given, descending=False)]


def _header(path: str) -> EvalLog:
    try:
        return read_eval_log(path, header_only=True)
    except Exception as error:  # Inspect raises what its zip or JSON reader does
        reason = str(error).strip().split("\n", 1)[0]
        raise InputError(
            f"{path} is not a readable log of Inspect: {reason}."
        ) from None


def _summaries(path: str) -> list[EvalSampleSummary]:
    try:
        return read_eval_log_sample_summaries(path)
    except Exception as error:
        raise InputError(f"The samples of {path} cannot be read: {error}.") from None


def _run(path: str, log: EvalLog) -> _Run:
    spec, about = log.eval, log.eval.metadata or {}
    of_ours = str(spec.solver or "").startswith("inspect_debate/")
    changed = about.get("changed", dict(spec.solver_args or {}) if of_ours else {})
    parameters = about.get("parameters") or changed
    data = about.get("data") or {}
    return _Run(
        path=path,
        log=log,
        study=str(about.get("study", "debate" if of_ours else "")),
        protocol=str(about.get("protocol") or str(spec.solver or "").split("/")[-1]),
        changed=changed,
        parameters=parameters,
        source=data.get("source") if isinstance(data, dict) else None,
        prompts=about.get("prompts") or {},
        settings=_settings(log),
        models=_models(log),
    )


def _check_study(run: _Run, study: str) -> None:
    """Refuse a log that is not of the study."""
    if run.study != study and run.study:
        raise InputError(
            f"{run.path} is a log of the study {run.study!r}, not of {study!r}; use "
            f"`inspect-debate report {run.study} {run.path}`."
        )
    if not run.study:
        raise InputError(
            f"{run.path} is a log of the task {run.log.eval.task!r}, which belongs to "
            f"no study of this suite; give logs of {study!r}."
        )
    if "changed" not in (run.log.eval.metadata or {"changed": {}}):
        raise InputError(
            f"{run.path} was made by an older version of inspect-debate, whose logs "
            "this one does not read; run the task again."
        )


def _models(log: EvalLog) -> dict[str, str]:
    """The model of each role, those of a panel joined; unbound roles resolved."""
    bound = {
        role: ", ".join(m.model for m in (of if isinstance(of, list) else [of]))
        for role, of in (log.eval.model_roles or {}).items()
    }
    main = log.eval.model
    debater_a = bound.get("debater_a", main)
    unbound = {"debater_a": main, "debater_b": main, "judge": debater_a}
    return unbound | bound


def _settings(log: EvalLog) -> str:
    """The generation settings that the user gave, as text."""
    configs: list[tuple[str, GenerateConfig]] = [("", log.eval.model_generate_config)]
    for role, of in (log.eval.model_roles or {}).items():
        models = of if isinstance(of, list) else [of]
        configs += [(f"{role} ", model.config) for model in models]
    return ", ".join(
        f"{who}{name}={_value(value)}"
        for who, config in configs
        for name, value in config.model_dump(exclude_none=True).items()
        if name not in _OPERATIONAL
    )


# What conditions are called.


def _names(
    runs: Sequence[_Run], protocols: Mapping[str, Protocol]
) -> tuple[list[str], list[str]]:
    """The condition of each run, and its models for people.

    A condition is named by its protocol, what differs from the protocol's defaults,
    and whatever else differs between runs that would otherwise have one name.
    """
    kinds = [protocols.get(run.protocol, Protocol(run.protocol)) for run in runs]
    of_run = [_who(run, kind) for run, kind in zip(runs, kinds, strict=True)]
    alone = [len(kind.roles) == 1 for kind in kinds]
    individuals = {
        run.models[role]
        for run, kind in zip(runs, kinds, strict=True)
        for role in kind.roles
    }
    names = []
    for run, kind, models, solo in zip(runs, kinds, of_run, alone, strict=True):
        alike = {m for m, s in zip(of_run, alone, strict=True) if s == solo}
        differ = len(alike) > 1 or (solo and len(individuals) > 1)
        changed = [f"{key}={_value(value)}" for key, value in run.changed.items()]
        title = f"{kind.title} ({models})" if differ else kind.title
        names.append(", ".join([title, *changed]))
    for aspect in (
        [f"prompts of {run.parameters.get('prompts') or 'the suite'}" for run in runs],
        [f"data of {run.source}" for run in runs],
        [run.settings or "default settings" for run in runs],
        [f"seed={run.parameters.get('seed')}" for run in runs],
    ):
        seen: dict[str, set[str]] = {}
        for name, value in zip(names, aspect, strict=True):
            seen.setdefault(name, set()).add(value)
        names = [
            f"{name}, {value}" if len(seen[name]) > 1 else name
            for name, value in zip(names, aspect, strict=True)
        ]
    return names, of_run


def _who(run: _Run, kind: Protocol) -> str:
    """A run's models: the debaters, and the judge where it is not the first of them."""
    debaters = [run.models[role] for role in kind.roles if role != "judge"]
    judge = run.models["judge"] if "judge" in kind.roles else ""
    text = " + ".join(map(short, debaters))
    if judge and judge not in debaters[:1]:
        judges = ", ".join(map(short, judge.split(", ")))
        text = f"{text}, judge {judges}" if text else judges
    return text


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _in_order(frame: pd.DataFrame, protocols: Mapping[str, Protocol]) -> pd.DataFrame:
    """Sort by protocol, defaults before changes; finished and newer samples last."""
    rank = {name: place for place, name in enumerate(protocols)}
    keys = pd.DataFrame(
        {
            "protocol": frame["protocol"].map(lambda name: rank.get(name, len(rank))),
            "changes": frame["changed"].map(len),
            "first": frame.groupby("condition")["created"].transform("min"),
            "condition": frame["condition"],
            "finished": frame["status"] == "finished",
            "created": frame["created"],
        }
    )
    return frame.loc[keys.sort_values([*keys.columns], kind="stable").index]


# What a row holds.


def _columns(run: _Run) -> dict[str, Any]:
    spec, stats = run.log.eval, run.log.stats
    return {
        "log": run.path,
        "file": _file(run.path),
        "task": spec.task,
        "created": spec.created,
        "duration": _seconds(stats.started_at, stats.completed_at),
        "versions": ", ".join(f"{n} {v}" for n, v in sorted(spec.packages.items())),
        "protocol": run.protocol,
        "parameters": run.parameters,
        "changed": run.changed,
        "source": run.source,
        "prompts": run.prompts,
        **{role: run.models[role] for role in ROLES},
    }


def _sample(summary: EvalSampleSummary) -> dict[str, Any]:
    metadata, usage = summary.metadata, summary.model_usage.values()
    cluster = next(
        (metadata[key] for key in ("input_group", "question_id") if metadata.get(key)),
        summary.id,
    )
    costs = [one.total_cost for one in usage]
    row: dict[str, Any] = {
        "id": str(summary.id),
        "epoch": summary.epoch,
        "target": summary.target,
        "cluster": str(cluster),
        "status": _status(summary),
        "stopped_by": summary.limit or (summary.error or "").split("\n", 1)[0],
        "tokens": sum(one.total_tokens for one in usage),
        "cost": sum(math.nan if c is None else c for c in costs) if costs else math.nan,
        "seconds": summary.total_time,
    }
    row |= {f"metadata.{key}": value for key, value in metadata.items()}
    for name, score in (summary.scores or {}).items():
        row[f"{name}.answer"] = score.answer
        values = (
            score.value if isinstance(score.value, dict) else {"value": score.value}
        )
        for key, value in values.items():
            row[f"{name}.{key}"] = math.nan if value is None else value
    return row


def _status(summary: EvalSampleSummary) -> str:
    if summary.error or not summary.completed:
        return "failed"
    return "limit" if summary.limit else "finished"


def _seconds(start: str | None, end: str | None) -> float:
    if not (start and end):
        return math.nan
    return (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds()


def _file(path: str) -> str:
    return PurePath(path).name


def _counted(values: Iterable[Any]) -> str:
    return ", ".join(
        f"{n} {name}" for name, n in pd.Series(values).value_counts().items()
    )


def _counted_logs(runs: Sequence[_Run]) -> str:
    return _file(runs[0].path) if len(runs) == 1 else f"{len(runs)} logs"
