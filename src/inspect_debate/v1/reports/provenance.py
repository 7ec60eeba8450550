"""The section Provenance of every report: where its numbers come from."""

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import yaml
from inspect_ai.log import EvalConfig
from inspect_ai.model import ModelConfig

from inspect_debate.v1.debate.participants import ROLES
from inspect_debate.v1.debate.record import upgraded_arguments
from inspect_debate.v1.reports.conditions import CONDITION, Grouped, flat
from inspect_debate.v1.reports.conditions import text as text_of
from inspect_debate.v1.reports.elements import (
    Item,
    Section,
    Table,
    known_columns,
    listed,
    section_of,
)
from inspect_debate.v1.reports.frames import run_columns, shaping
from inspect_debate.v1.reports.logs import Log

RUNS = "Runs"
"""The column that says of which runs something is true, by their numbers."""

_AGAIN = "Commands that reproduce these logs (files without folders):"


class Run(NamedTuple):
    """What a report makes of a log: its condition's name, and its samples there."""

    condition: str
    samples: int


def provenance_section(
    logs: Sequence[Log],
    runs: Mapping[str, Run],
    further: Sequence[Item | None] = (),
    *,
    again: Sequence[str] | None = None,
) -> Section:
    """The commands, and the tables of runs, data, prompts and parameters.

    Args:
        logs: The logs.
        runs: By the id of the run.
        further: Tables of the study's own, which come last.
        again: The commands that make the logs again, where `commands` does not tell.
    """
    lines = commands(logs) if again is None else again
    given = command_list(_AGAIN, lines)
    tables = [
        run_table(logs, runs),
        data_table(logs),
        prompts_table(logs),
        parameters_table(logs),
        *further,
    ]
    return section_of("Provenance", given, tables)


def runs_of(grouped: Grouped, names: Mapping[str, str]) -> dict[str, Run]:
    """The runs of a report by their ids.

    Args:
        grouped: The rows by condition.
        names: What readers call conditions, by label; others go by their label.
    """
    return {
        run["run"]: Run(names.get(run["condition"], run["condition"]), int(run["kept"]))
        for run in grouped.runs.to_dict("records")
    }


def command_list(what: str, lines: Sequence[str]) -> str:
    """Commands with a sentence above them; nothing where there are none."""
    return f"{what}\n\n{listed(f'`{line}`' for line in lines)}" if lines else ""


def run_table(logs: Sequence[Log], runs: Mapping[str, Run]) -> Table:
    """Logs, models, versions, prompts and seeds.

    Args:
        logs: The logs.
        runs: By the id of the run; those of which there is no sample have no condition.
    """
    table = Table(
        name="runs",
        title="Runs",
        frame=pd.DataFrame(
            [{"Run": n, **_run(log, runs)} for n, log in enumerate(logs, start=1)]
        ),
        note="Prompts are named by the first digits of their hash; a revision with + "
        "had changes that were not committed. A log is superseded where newer logs of "
        "its condition have all of its samples.",
    )
    return known_columns(table)


def data_table(logs: Sequence[Log]) -> Table | None:
    """Where the samples come from; None where no log tells."""
    return _each_once(
        Table(
            name="data",
            title="Data",
            frame=pd.DataFrame(),
            note="As recorded in the logs, whose headers break numbers down further.",
        ),
        [dict(_inline(log.metadata.get("data") or {})) for log in logs],
    )


def prompts_table(logs: Sequence[Log]) -> Table | None:
    """The sets of prompts, each once; None where no log has any."""
    rows = [{**told, RUNS: runs} for runs, told in by_value(map(_prompts, logs))]
    if not rows:
        return None
    table = Table(
        name="prompts",
        title="Prompts",
        frame=pd.DataFrame(rows),
        note="File: what was laid over the suite's own wording, where something was. "
        "The texts are in the metadata of each log.",
    )
    return known_columns(table)


def parameters_table(logs: Sequence[Log]) -> Table | None:
    """Parameters and settings that completions depend on; None where no log has any."""
    return _each_once(
        Table(
            name="parameters",
            title="Parameters and settings",
            frame=pd.DataFrame(),
            note="As the runs had them, defaults included; `model.NAME` is a setting "
            "of models. What nothing was set for is not in it.",
        ),
        list(map(_parameters, logs)),
    )


def by_value(told: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    """What logs tell, each thing once, with the numbers of the runs that tell it.

    Args:
        told: By log, in their order, what JSON can hold; None where it tells nothing.
    """
    found: dict[str, tuple[Any, list[int]]] = {}
    for number, value in enumerate(told, start=1):
        if value is not None:
            known = found.setdefault(json.dumps(value, sort_keys=True), (value, []))
            known[1].append(number)
    return ((ranges(numbers), value) for value, numbers in found.values())


def ranges(numbers: Iterable[int]) -> str:
    """Rising numbers in a few words: "1–3, 5"."""
    runs = groupby(enumerate(numbers), lambda at: at[1] - at[0])
    ends = ([number for _, number in of] for _, of in runs)
    return ", ".join(f"{of[0]}–{of[-1]}" if len(of) > 1 else f"{of[0]}" for of in ends)


def _each_once(table: Table, told: Sequence[Mapping[str, str]]) -> Table | None:
    """A table of what logs tell by name, each value once; None without any."""
    rows = [
        {"Name": name, "Value": value, RUNS: runs}
        for name in dict.fromkeys(name for of in told for name in of)
        for runs, value in by_value(of.get(name) for of in told)
    ]
    return replace(table, frame=pd.DataFrame(rows)) if rows else None


def _run(log: Log, runs: Mapping[str, Run]) -> dict[str, object]:
    spec, facts = log.header.eval, run_columns(log, {})
    run = runs.get(spec.eval_id)
    return {
        "Log": log.path.name,
        "Shards": str(len(log.shards)) if log.shards else None,
        CONDITION: None if run is None else run.condition,
        "Models": _models(log, facts),
        "Started": f"{spec.created:.16}",
        "Status": "superseded" if run and not run.samples else log.header.status,
        "Samples": 0 if run is None else run.samples,
        "Task version": facts["task_version"],
        "Suite": log.metadata.get("suite"),
        "Inspect": spec.packages.get("inspect_ai"),
        "Revision": _revision(log),
        "Prompts": facts["prompts"] and str(facts["prompts"])[:8],
        "Seed": facts["seed"],
        "Uses again": facts["reuse"],
    }


def _models(log: Log, facts: Mapping[str, Any]) -> str:
    """The models as they were bound: the main one, and those of roles."""
    main = log.header.eval.model
    told = [] if main.startswith("none") else [main]
    roles = {role: facts[role] for role in ROLES if facts[role] not in (None, main)}
    named = (f"{role}: {model.removeprefix('none/')}" for role, model in roles.items())
    return "; ".join([*told, *named])


def _revision(log: Log) -> str | None:
    revision = log.header.eval.revision
    if revision is None:
        return None
    return f"{revision.commit[:10]}{'+' * bool(revision.dirty)}"


def _prompts(log: Log) -> dict[str, Any] | None:
    texts = log.metadata.get("prompts")
    file = (log.header.eval.task_args or {}).get("prompts")
    if not texts:
        return None
    return {
        "Hash": run_columns(log, {})["prompts"],
        "File": file and Path(str(file)).name,
        "Texts": len(texts),
    }


def _parameters(log: Log) -> dict[str, str]:
    facts = run_columns(log, {})
    given = facts["parameters"] | {"model": facts["settings"]}
    return {n: text_of(value) for n, value in flat(given) if value is not None}


def _inline(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What data are, by name; counts of counts are left out."""
    for name, value in data.items():
        words = name.replace("_", " ").capitalize()
        if not isinstance(value, Mapping):
            if value not in (None, "", []):
                yield words, text_of(value)
        elif any(isinstance(part, Mapping) for part in value.values()):
            plain = {k: v for k, v in value.items() if not isinstance(v, Mapping)}
            yield from ((f"{words}: {key}", text_of(v)) for key, v in plain.items())
        elif value:
            yield words, ", ".join(f"{key}: {text_of(v)}" for key, v in value.items())


# The commands that repeat runs, as Inspect's command line reads them.

_FILES = (
    *("source", "prompts", "config", "reuse", "match"),
    *("debates", "human_labels"),
)
_LIMITS = ("message_limit", "turn_limit", "time_limit", "working_limit", "cost_limit")
_SWITCHES = ("parallel_tool_calls", "internal_tools", "fail_on_refusal", "logprobs")
_LISTS = ("stop_seqs", "fallback_models")


class _UnfitError(ValueError):
    """A setting, by name, that no command line can give."""


def commands(logs: Sequence[Log]) -> list[str]:
    """The commands that repeat the runs, oldest first, each once.

    Files are named without their folders. A run with a setting that cannot be typed
    has a comment instead, as a command without it would run something else. Settings
    that shape no completion, such as timeouts, are left out.
    """
    return list(dict.fromkeys(_command(log) for log in logs))


def _command(log: Log) -> str:
    if log.metadata.get("imported"):
        return f"# imported from {log.metadata['data']['source']}"
    try:
        return _one_line(shlex.join(_words(log)))
    except _UnfitError as setting:
        return (
            f"# {log.path.name}: not all settings fit on a command line "
            f"({setting}): see the log"
        )


def _one_line(command: str) -> str:
    if "\n" in command:
        raise _UnfitError("a text of several lines")
    return command


def _words(log: Log) -> Iterator[str]:
    spec = log.header.eval
    yield from ("inspect", "eval", _task(log))
    for name, value in upgraded_arguments(spec).items():
        if name in _FILES and isinstance(value, str):
            value = Path(value).name
        elif name in _FILES and isinstance(value, list):
            value = [Path(each).name for each in value]
        yield from ("-T", _pair(name, value))
    if spec.model and not spec.model.startswith("none"):
        yield from ("--model", spec.model)
    for name, value in spec.model_args.items():
        yield from ("-M", _pair(name, value))
    for role, models in log.roles.items():
        bound = [_bound(model) for model in models]
        yield from ("--model-role", _pair(role, bound if len(bound) > 1 else bound[0]))
    for name, value in shaping(log.settings).items():
        yield from _setting(name, value)
    yield from _of_the_run(spec.config)


def _task(log: Log) -> str:
    """The registered task, or that of a file which makes it with other parameters."""
    spec, registered = log.header.eval, log.metadata.get("task")
    if spec.task_file is None:
        return str(registered or spec.task)
    if registered and Path(spec.task).name == Path(str(registered)).name:
        return str(registered)
    file = Path(spec.task_file)
    return f"{file.name if file.is_absolute() else file}@{spec.task}"


def _bound(model: ModelConfig) -> str | dict[str, Any]:
    """A role's model as it is typed, with its settings where it has any."""
    own = shaping(model.config) | ({"model_args": model.args} if model.args else {})
    return {"model": model.model, **own} if own else model.model


def _pair(name: str, value: Any) -> str:
    """`name=value`, if Inspect reads the same value from it."""
    texts = [json.dumps(value)]
    if isinstance(value, str):
        texts.insert(0, value)
    elif isinstance(value, list) and all(isinstance(part, str) for part in value):
        texts.insert(0, ",".join(value))
    for text in texts:
        if _read(text) == value:
            return f"{name}={text}"
    raise _UnfitError(name)


def _read(text: str) -> object:
    """What Inspect makes of a value: YAML, and a list where there are commas."""
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError:
        return None
    return value.split(",") if isinstance(value, str) and "," in value else value


def _setting(name: str, value: Any) -> Iterator[str]:
    option = name.replace("_", "-")
    if isinstance(value, bool) and name in _SWITCHES and (value or name != "logprobs"):
        yield f"--{option}" if value else f"--no-{option}"
    elif name in _LISTS:
        yield from (f"--{option}", _joined(name, value))
    elif name == "extra_body":
        yield from (f"--{option}", json.dumps(value))
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield from (f"--{option}", str(value))
    else:
        raise _UnfitError(name)


def _of_the_run(config: EvalConfig) -> Iterator[str]:
    """Which samples are run, how often, and what ends them early."""
    if config.epochs not in (None, 1):
        yield from ("--epochs", str(config.epochs))
    match config.limit:
        case int(first):
            yield from ("--limit", str(first))
        case (start, end):
            yield from ("--limit", f"{start + 1}-{end}")  # typed counts start at 1
    if config.sample_id is not None:
        ids = (
            config.sample_id
            if isinstance(config.sample_id, list)
            else [config.sample_id]
        )
        yield from ("--sample-id", _joined("sample_id", [str(id) for id in ids]))
    yield from _shuffle(config.sample_shuffle)
    if config.token_limit is not None:
        of = config.token_limit_type
        kind = "" if of in (None, "all") else f"{of}:"
        yield from ("--token-limit", f"{kind}{config.token_limit}")
    for name in _LIMITS:
        if (value := getattr(config, name)) is not None:
            yield from (f"--{name.replace('_', '-')}", str(value))


def _shuffle(seed: bool | int | None) -> Iterator[str]:
    if seed is True:
        yield from ("--sample-shuffle", "true")
    elif seed in (-1, 0, 1) and seed is not False:  # read as true or false
        raise _UnfitError("sample_shuffle")
    elif seed:
        yield from ("--sample-shuffle", str(seed))


def _joined(name: str, texts: Sequence[str]) -> str:
    """Texts with commas between them, if they can be taken apart again."""
    stripped = name != "stop_seqs"
    if any("," in text or (stripped and text != text.strip()) for text in texts):
        raise _UnfitError(name)
    return ",".join(texts)
