"""A protocol made ready for a task: its solver, what is told of it, and its samples."""

from collections.abc import Callable, Mapping
from importlib.metadata import version as installed
from typing import Any, NamedTuple

from inspect_ai.dataset import Dataset, MemoryDataset
from inspect_ai.scorer import Scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from inspect_debate.debate.config import ON_OTHER_TASKS, DebateConfig
from inspect_debate.debate.engine import Study, held_by
from inspect_debate.debate.errors import InputError, check_choice
from inspect_debate.debate.models import model_for
from inspect_debate.debate.older import rounds_told
from inspect_debate.debate.prompts import PromptSet, put_together
from inspect_debate.debate.reuse import Until, samples_to_reuse
from inspect_debate.evals.protocols import Protocol
from inspect_debate.scorers.debate_hacking import debate_hacking
from inspect_debate.scorers.explanation_alignment import explanation_alignment


class Prepared(NamedTuple):
    """A solver, its effective parameters as they stand in the log, and the samples."""

    solver: Solver
    parameters: dict[str, Any]
    dataset: Dataset


def prepare(
    name: str,
    kind: Protocol,
    arguments: Mapping[str, Any],
    dataset: Dataset,
    *,
    settings: DebateConfig,
    seed: int,
    prompts: PromptSet,
    data: str,
) -> Prepared:
    """Make a protocol's solver, and find the samples that an earlier run holds.

    Args:
        name: The protocol, as it was given.
        kind: How its solver is made.
        arguments: Its effective parameters.
        dataset: All samples.
        settings: The rarer settings.
        seed: Seed of the run.
        prompts: The effective prompts.
        data: The parameters that have to be the same for the same data, in words.

    Raises:
        InputError: If a parameter is not allowed, or an earlier run does not fit.
    """
    check_of_this_suite(settings)
    solver = kind.solver(
        **arguments,
        seed=seed,
        prompts=prompts.overlay,
        config={
            **settings.model_dump(mode="json", exclude_defaults=True),
            "max_unparsed": None,  # `caps` has the task's own parameter
        },
    )
    study, held, told = held_by(solver)
    used = {n: arguments[n] for n in ("reuse", "reuse_until") if n in arguments}
    parameters = told | used
    if (reuse := parameters.get("reuse")) is not None:
        until = parameters.get("reuse_until", "answers")
        dataset = dataset_to_reuse(
            study, held, told, reuse, until, dataset, name, prompts=prompts, same=data
        )
    return Prepared(solver, parameters, dataset)


def dataset_to_reuse(
    study: Study[Any],
    protocol: str,
    told: Mapping[str, Any],
    reuse: str,
    until: Until,
    dataset: Dataset,
    *also: str,
    prompts: PromptSet,
    same: str,
) -> Dataset:
    """The samples of which an earlier run holds what is used again.

    Args:
        study: The study.
        protocol: What is run.
        told: Its parameters, as the log has them.
        reuse: The earlier run's log, as it was given.
        until: The last stage to use again.
        dataset: All samples.
        also: Further names of the protocol.
        prompts: The effective prompts.
        same: The parameters that have to be the same for the same data, in words.

    Raises:
        InputError: If the earlier run does not fit.
    """
    samples = samples_to_reuse(
        reuse,
        until,
        list(dataset),
        protocols=dict.fromkeys([*study.with_stage(until, protocol), *also]),
        parameters=study.shaped(until, protocol, told),
        prompts=study.prompted(until, protocol, prompts),
        same=same,
        shipped=put_together(prompts.name),
    )
    return MemoryDataset(samples, name=dataset.name)


def check_reuse(reuse: str | None, until: str | None) -> None:
    """Check that a stage to use again is one, and that there is a log to take it from.

    Raises:
        InputError: If not.
    """
    if until is not None:
        check_choice("reuse_until", until, ("answers", "debate"))
    if reuse is None and until is not None:
        raise InputError(f"reuse_until={until} needs a log: give reuse=LOG.")


def check_of_this_suite(settings: DebateConfig) -> None:
    """Check that no setting is given that is for tasks of others.

    Raises:
        InputError: If one is.
    """
    if fixed := [n for n in ON_OTHER_TASKS if n in settings.model_fields_set]:
        raise InputError(
            f"config.{fixed[0]} is for protocols on other tasks (--solver); this task "
            "has the parameter max_unparsed, and scores that do not read the output."
        )


# What the log of every task tells of it, beside Inspect's own.


def log_metadata(
    study: str,
    version: str,
    *,
    protocol: str,
    parameters: Mapping[str, Any],
    seed: int,
    data: Mapping[str, Any],
    prompts: Mapping[str, str],
) -> dict[str, Any]:
    """The metadata of a task, for `Task(metadata=)`.

    Run by its file, a task has a bare name and no package in Inspect's log: reports go
    by what stands here.

    Args:
        study: The study, which is called as its task is.
        version: Version of the task.
        protocol: What is run.
        parameters: All parameters in effect.
        seed: Seed of the run.
        data: Where the data come from.
        prompts: The texts in effect, by key.
    """
    return {
        "study": study,
        "task": f"inspect_debate/{study}",
        "task_version": version,
        "suite": installed("inspect-debate"),
        "protocol": protocol,
        "parameters": dict(parameters),
        "rounds": rounds_told(study, parameters),
        "seed": seed,
        "data": dict(data),
        "prompts": dict(prompts),
    }


# Scores that a model gives, beside those that are computed.

GRADES: dict[str, Callable[[], Scorer]] = {
    "debate_hacking": debate_hacking,
    "explanation_alignment": explanation_alignment,
}


def graders(grade: str | list[str] | None) -> list[Scorer]:
    """The scorers that were asked for.

    Args:
        grade: Their names: a list, or one text with commas.

    Raises:
        InputError: If there is no such score.
    """
    names = grade.split(",") if isinstance(grade, str) else grade or []
    names = [name.strip() for name in names]
    for name in names:
        check_choice("grade", name, tuple(GRADES))
    return [GRADES[name]() for name in dict.fromkeys(names)]


@solver
def one_grader() -> Solver:
    """Checks before the first call that one model grades; scorers run too late."""

    async def check(state: TaskState, generate: Generate) -> TaskState:
        model_for("grader", "judge", "debater_a")
        return state

    return check
