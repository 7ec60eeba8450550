"""Scores of runs as a data frame, with all that their records say."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from inspect_ai.log import EvalSampleSummary
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import Score

from inspect_debate.v1.debate.participants import PEOPLE, PERSON, ROLES
from inspect_debate.v1.debate.prompts import Prompt, PromptSet
from inspect_debate.v1.reports.logs import Log
from inspect_debate.v1.reports.samples import full_summaries

PARAMETERS = ("rounds", "skip_if_agree", "order", "turn_order")
"""Parameters of protocols that have a column of their own."""

SAMPLE_METADATA = (
    *("subset", "response_author", "input_group"),
    *("categories", "difficulty", "task_source"),
    *("dataset", "dataset_version", "split"),
)
"""Metadata of samples that become columns: words, and no text of the data."""

RUN_COLUMNS = (
    *("log", "run", "created", "study", "task", "task_version", "protocol"),
    *("parameters", *PARAMETERS, "settings", "reuse", "seed", "prompts", "data"),
    "named",
    *ROLES,
)
SAMPLE_COLUMNS = (
    *("id", "epoch", "target", *SAMPLE_METADATA),
    *("models", "sides", "error", "limit", "scored", "seconds"),
)

# Who takes part, by protocol.
_SEATS: Mapping[str, Sequence[str]] = {
    "single": ("debater_a",),
    "self_consistency": ("debater_a",),
    **dict.fromkeys(("judge_alone", "placebo"), ("judge",)),
    **dict.fromkeys(("ensemble", "som"), ("debater_a", "debater_b")),
    **dict.fromkeys(
        ("colmad", "copmad", "cross_examination", "challenge"),
        ("debater_a", "debater_b", "judge"),
    ),
}

# Whose model a seat has where none is bound to it; else it is the main model.
_STAND_INS = {"judge": "debater_a"}

# Settings of models that shape no completion.
_TECHNICAL = frozenset(
    {
        *("max_retries", "timeout", "attempt_timeout", "stream_idle_timeout"),
        *("max_connections", "adaptive_connections", "batch", "cache"),
        *("cache_prompt", "extra_headers"),
    }
)


def scores_of(logs: Sequence[Log]) -> pd.DataFrame:
    """One row per log, sample and epoch, in this order, with all values of all scorers.

    Args:
        logs: The logs.

    Returns:
        The columns `RUN_COLUMNS` (`parameters` is a dict without `reuse`, of which the
        file's name has a column; `settings` a dict of the models' settings and
        arguments, under `<role>.<name>` where they are one role's; several judges are
        joined with ", ", as are those of a role that samples fill differently; a role
        that nobody plays is missing), `SAMPLE_COLUMNS` (`models` by participant and
        `sides`, which model spoke for which, are dicts as the scores have them), and
        what each scorer knows of a sample, from its record and not its score alone, as
        `<scorer>.<key>`: floats, NaN where undefined or unscored. Samples that failed
        or were unscored have rows too: `error` and `limit` say why, else missing.
        `scored` tells whether any scorer gave values; `seconds` is wall time.
    """
    # Dicts of all rows, and of their values, would take ten times as much memory.
    names = (*RUN_COLUMNS, *SAMPLE_COLUMNS)
    columns: dict[str, list[Any]] = {name: [] for name in names}
    values = []
    for log, files in zip(logs, full_summaries(logs), strict=True):
        of_log, numbers = _columns(log, files)
        values.append(numbers)
        for name, column in columns.items():
            column += of_log[name]
    scores = pd.concat(values, ignore_index=True)
    return pd.concat([pd.DataFrame(columns), scores], axis="columns")


def run_columns(log: Log, models: Mapping[str, str]) -> dict[str, Any]:
    """What a row says of its run.

    Args:
        log: The log.
        models: Models by participant, as its samples' records or scores have them.

    Returns:
        The values of `RUN_COLUMNS`; no path of the machine.
    """
    spec, metadata = log.header.eval, log.metadata
    parameters = dict(metadata.get("parameters") or {})
    reuse = parameters.pop("reuse", None)
    if isinstance(
        reuse, list
    ):  # of shards, whose rows are those of the first one's log
        reuse = reuse[0]
    columns = {
        "log": log.path.name,
        "run": spec.eval_id,
        "created": pd.Timestamp(spec.created),
        "study": metadata.get("study"),
        "task": metadata.get("task", spec.task),
        "task_version": str(metadata.get("task_version", spec.task_version)),
        "protocol": metadata.get("protocol"),
        "parameters": parameters,
        "reuse": None if reuse is None else Path(reuse).name,
        "seed": (spec.metadata or {}).get("seed", 0),
        "prompts": _hash(metadata.get("prompts")),
        "data": (metadata.get("data") or {}).get("source"),
        "named": metadata.get("condition"),
    }
    columns |= {name: parameters.get(name) for name in PARAMETERS}
    roles = _roles(log, models)
    played = {role for role, model in roles.items() if model is not None}
    return columns | roles | {"settings": _settings(log, played)}


def _hash(texts: Mapping[str, str] | None) -> str | None:
    if not texts:  # imported debates have none
        return None
    prompts = {key: Prompt(text=text) for key, text in texts.items()}
    return PromptSet(name="", prompts=prompts).used().hash


def models_told(
    scores: Iterable[Score],
    people: str | None = None,
    named: Collection[str] = (),
) -> dict[str, str]:
    """Models by participant, and the grader, as scores have them.

    Args:
        scores: The scores.
        people: What to call all people; by default each has its own name.
        named: People who keep their names.

    Returns:
        A participant that was several models, in debates of a pool, is all of them, in
        alphabetical order and joined with ", ".
    """
    models: dict[str, set[str]] = {}
    for score in scores:
        told = score.metadata or {}
        grader = {"grader": told["grader"]} if "grader" in told else {}
        for participant, model in ((told.get("models") or {}) | grader).items():
            alike = people is not None and model.startswith(PERSON)
            alike &= model not in named
            models.setdefault(participant, set()).add(str(people) if alike else model)
    return {participant: ", ".join(sorted(all)) for participant, all in models.items()}


def _roles(log: Log, models: Mapping[str, str]) -> dict[str, str | None]:
    """The model of each role: who took part, or, where none is known, who was to."""
    played = dict(models) if models else _seated(log)
    if judges := [model for id, model in models.items() if id.startswith("judge")]:
        played["judge"] = ", ".join(judges)
    return {role: played.get(role) for role in ROLES}


def _seated(log: Log) -> dict[str, str]:
    """The models that roles would have had, from the header alone."""
    seated = {
        role: ", ".join(config.model for config in bound)
        for role, bound in log.roles.items()
    }
    main, protocol = log.header.eval.model, str(log.metadata.get("protocol"))
    for role in _SEATS.get(protocol, ()):
        stand_in = seated.get(_STAND_INS.get(role, role), main)
        if role not in seated and not stand_in.startswith("none"):
            seated[role] = stand_in
    return seated


def _settings(log: Log, played: Iterable[str]) -> dict[str, Any]:
    """Settings and arguments of the run and of the models in the roles played."""
    settings = shaping(log.settings) | log.header.eval.model_args
    for role in played:
        bound = log.roles.get(role, [])
        for number, model in enumerate(bound, start=1):
            name = f"{role}_{number}" if len(bound) > 1 else role
            own = shaping(model.config) | model.args
            settings |= {f"{name}.{key}": value for key, value in own.items()}
    return dict(sorted(settings.items()))


def shaping(config: GenerateConfig) -> dict[str, Any]:
    """The settings that shape completions, by name; not timeouts and the like."""
    return config.model_dump(exclude_none=True, exclude=set(_TECHNICAL), mode="json")


def people_named(log: Log) -> set[str]:
    """Who alone had a role for the whole run, which tells conditions apart.

    Who of several people had it does not.
    """
    bound = {config.model for models in log.roles.values() for config in models}
    return {name.removeprefix("none/") for name in bound}


def _columns(
    log: Log, files: Iterable[Sequence[EvalSampleSummary]]
) -> tuple[dict[str, list[Any]], pd.DataFrame]:
    """What its rows have in words, by column, and the values of all scorers."""
    columns: dict[str, list[Any]] = {name: [] for name in SAMPLE_COLUMNS}
    values: list[pd.DataFrame] = []
    told: dict[str, Score] = {}
    for summaries in files:
        for summary in summaries:
            for name, value in _sample_columns(summary).items():
                columns[name].append(value)
            for score in (summary.scores or {}).values():
                known = score.metadata or {}
                # Most samples have the same models.
                told.setdefault(str([known.get("models"), known.get("grader")]), score)
        values.append(pd.DataFrame([*map(_scores, summaries)], dtype=float))
    keys = list(zip(columns["id"], columns["epoch"], strict=True))
    order = sorted(range(len(keys)), key=keys.__getitem__)
    run = run_columns(log, models_told(told.values(), PEOPLE, people_named(log)))
    every = {name: [value] * len(order) for name, value in run.items()}
    every |= {name: [column[row] for row in order] for name, column in columns.items()}
    return every, pd.concat(values, ignore_index=True).iloc[order]


def _sample_columns(summary: EvalSampleSummary) -> dict[str, Any]:
    target, values = summary.target, summary.metadata
    scores = (summary.scores or {}).values()
    columns = {
        "id": str(summary.id),
        "epoch": summary.epoch,
        "target": target if isinstance(target, str) else ", ".join(target),
        "models": models_told(scores),
        "sides": _sides(scores),
        "error": summary.error,
        "limit": summary.limit,
        "scored": any(isinstance(score.value, Mapping) for score in scores),
        "seconds": summary.total_time,
    }
    return columns | {name: word(values.get(name)) for name in SAMPLE_METADATA}


def _sides(scores: Iterable[Score]) -> dict[str, str] | None:
    """Models by the side they spoke for, where scores say so."""
    told = (score.metadata or {} for score in scores)
    return next((said["sides"] for said in told if "sides" in said), None)


def under_own_names(frame: pd.DataFrame, scorers: Iterable[str]) -> pd.DataFrame:
    """Scores under their own names: `error_detection.correct` as `correct`.

    Args:
        frame: Rows as from `scores_of`.
        scorers: Of a name that several have, the first one's values count; those of the
            others, and of other scorers, keep the scorer's name.
    """
    names: dict[str, str] = {}
    for scorer in scorers:
        for column in map(str, frame.columns):
            bare = column.removeprefix(f"{scorer}.")
            if bare != column and bare not in names.values():
                names[column] = bare
    return frame.rename(columns=names)


def word(value: object) -> object:
    """A list of words as one text, anything else as it is."""
    return "; ".join(map(str, value)) if isinstance(value, list) else value


def _scores(summary: EvalSampleSummary) -> dict[str, float]:
    return {
        f"{scorer}.{key}": math.nan if number is None else float(number)
        for scorer, score in (summary.scores or {}).items()
        if isinstance(score.value, Mapping)
        for key, number in score.value.items()
        if isinstance(number, int | float | None)
    }
