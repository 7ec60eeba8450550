"""The plan of a study, frozen before it runs, and how its logs depart from it."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from pydantic import Field, ValidationError

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.paths import AnyPath, read_user_yaml, user_path
from inspect_debate.debate.record import Frozen
from inspect_debate.reports.conditions import text
from inspect_debate.reports.elements import Notice, listed
from inspect_debate.reports.logs import Log

FILE = "plan.json"
"""What a plan is called, in the folder of a study's logs."""

_NOT_PLANNED = ("reuse", "match", "shard", "budget_usd", "prices", "max_unparsed")
"""Arguments that name logs, or end a run early and shape no completion."""


class Intent(Frozen):
    """What is for the researcher to say: the file that is given with `--plan`.

    Attributes:
        primary: The primary measure, and the conditions that it compares.
        exclusions: Which samples will be left out of the analysis, and why.
    """

    primary: str = Field(min_length=1)
    exclusions: tuple[str, ...] = ()


class PlannedRun(Frozen):
    """A condition: the task's arguments, how many samples, and the models by role."""

    arguments: Mapping[str, Any]
    samples: int
    models: Mapping[str, str]


class Plan(Intent):
    """A study as it will run, by the names of its runs."""

    study: str
    frozen: datetime
    seed: int
    epochs: int
    runs: Mapping[str, PlannedRun]


def read_intent(typed: str) -> Intent:
    """Read what a plan says beyond the study's own parameters.

    Raises:
        InputError: If it cannot be read, or has no primary measure.
    """
    try:
        return Intent.model_validate(read_user_yaml("--plan", typed))
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"])) or typed
        raise InputError(
            f"--plan {typed}: {name}: {first['msg']}. Give a YAML file with primary: "
            "TEXT and exclusions: [TEXT, ...]."
        ) from error


def write_plan(plan: Plan, folder: str) -> AnyPath:
    """Freeze a plan beside the logs that are to come.

    Raises:
        InputError: If the folder has a plan or logs already.
    """
    place = user_path(folder)
    if (place / FILE).exists() or any(place.rglob("*.eval")):
        raise InputError(
            f"{folder} has a plan or logs already, and a plan comes before both; give "
            "another --log-dir."
        )
    place.mkdir(parents=True, exist_ok=True)
    (place / FILE).write_text(plan.model_dump_json(indent=1) + "\n", encoding="utf-8")
    return place / FILE


def plan_notices(logs: Sequence[Log]) -> Iterator[Notice]:
    """The plans that lie beside logs, and every departure from them.

    Args:
        logs: The logs of a report.
    """
    folders = [
        next((p for p in (of, of.parent) if (p / FILE).exists()), None)
        for of in (log.path.parent for log in logs)
    ]
    for folder in dict.fromkeys(folder for folder in folders if folder):
        plan = _read(folder / FILE)
        own = [log for log, at in zip(logs, folders, strict=True) if at == folder]
        excluded = "; ".join(plan.exclusions) or "none"
        yield Notice(
            f"Planned on {plan.frozen:%Y-%m-%d %H:%M} UTC: primary measure: "
            f"{plan.primary}; exclusions: {excluded}; seed {plan.seed}.",
            "info",
        )
        if found := [*departures(plan, own)]:
            yield Notice(f"Departures from the plan:\n\n{listed(found)}")


def _read(path: AnyPath) -> Plan:
    try:
        return Plan.model_validate_json(path.read_text(encoding="utf-8"))
    except ValidationError as error:
        raise InputError(f"{path.name} is not a plan that --plan wrote.") from error


def departures(plan: Plan, logs: Sequence[Log]) -> Iterator[str]:
    """How a study's logs differ from its plan.

    Args:
        plan: The plan.
        logs: The logs beside it.
    """
    by_name = {(log.header.eval.tags or [log.path.name])[0]: log for log in logs}
    yield from (f"{n}: planned, without a log" for n in plan.runs if n not in by_name)
    for name, log in by_name.items():
        planned = plan.runs.get(name)
        if planned is None:
            yield f"{name}: not planned"
            continue
        spec = log.header.eval
        created = datetime.fromisoformat(spec.created)
        there = {
            "arguments": _shown(spec.task_args_passed),
            "samples": str(len({summary.id for summary in log.summaries})),
            "epochs": str(spec.config.epochs or 1),
            "seed": str(log.metadata.get("seed", 0)),
            "models": _shown({r: named(of) for r, of in log.roles.items()}),
        }
        here = {
            "arguments": _shown(planned.arguments),
            "samples": str(planned.samples),
            "epochs": str(plan.epochs),
            "seed": str(plan.seed),
            "models": _shown(planned.models),
        }
        yield from (
            f"{name}: {what}: {there[what] or 'none'}, planned {here[what] or 'none'}"
            for what in here
            if there[what] != here[what]
        )
        if created < plan.frozen.replace(microsecond=0):
            yield f"{name}: begun before the plan was frozen"


def named(models: Sequence[Any]) -> str:
    """The names of a role's models, with commas between them."""
    return ",".join(str(getattr(model, "model", model)) for model in models)


def _shown(values: Mapping[str, Any]) -> str:
    return " ".join(
        f"{name}={text(value)}"
        for name, value in sorted(values.items())
        if name not in _NOT_PLANNED
    )
