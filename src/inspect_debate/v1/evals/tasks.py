"""What every task does: take parameters, make a protocol's solver, describe itself.

Each parameter is declared once, and checked before any call.
"""

import inspect
import textwrap
from collections.abc import Callable, Iterable, Mapping
from functools import partial, reduce
from importlib.metadata import version as installed
from operator import or_
from typing import Any, Generic, Literal, NamedTuple, TypeVar, get_type_hints

from inspect_ai import Task
from inspect_ai.dataset import Dataset, MemoryDataset
from inspect_ai.solver import Solver
from inspect_ai.viewer import (
    SampleScoreView,
    TaskSamplesColumn,
    TaskSamplesSort,
    TaskSamplesView,
    ViewerConfig,
)

from inspect_debate.v1.debate.engine import (
    ConfigT,
    Parameters,
    check_typed,
    declared_as,
    load_config,
    of_another_package,
    parameter,
    signature_of,
    solver_info,
    split_config,
)
from inspect_debate.v1.debate.errors import InputError, check_choice
from inspect_debate.v1.debate.prompts import PromptSet, put_together
from inspect_debate.v1.debate.record import Frozen
from inspect_debate.v1.debate.reuse import (
    Logs,
    Until,
    opened,
    samples_to_reuse,
)
from inspect_debate.v1.debate.study import Study
from inspect_debate.v1.solvers import baselines, colmad, self_consistency, som
from inspect_debate.v1.solvers.question_answering import (
    ON_OTHER_TASKS,
    STUDY,
    DebateConfig,
)

# The parameters of tasks.


class TaskParameters(Frozen):
    """The parameters that every task has; a subclass adds the task's own."""

    seed: int = parameter(0, "Seed of the samples' order and of all draws.", ge=0)
    prompts: str | None = parameter(
        None,
        "A YAML file with texts in place of the study's prompts (`inspect-debate "
        "prompts show STUDY` names them).",
    )
    config: str | dict[str, Any] | None = parameter(
        None, "A YAML file with rarer settings; `config.KEY=VALUE` sets one."
    )


class Reusing(TaskParameters):
    """The parameters of a task that can use stages of an earlier run again."""

    reuse: Logs | None = parameter(
        None, "A log whose first answers or debates are reused."
    )
    reuse_until: Until | None = parameter(None, "The last stage to reuse.")


T = TypeVar("T", bound=TaskParameters)


class Given(NamedTuple, Generic[T]):
    """What a task was given.

    Attributes:
        own: The task's own parameters, with defaults where nothing was given.
        chosen: Those of protocols by name; None where nothing was given.
        rest: What has a name that the task does not know, as `config.key=value`.
        names: The names of all parameters.
    """

    own: T
    chosen: dict[str, Any]
    rest: dict[str, Any]
    names: list[str]

    def settings(self, kind: type[ConfigT]) -> ConfigT:
        """The rarer settings.

        Raises:
            InputError: If one is unknown or not allowed, or a parameter is unknown.
        """
        single = split_config(self.rest, self.names)
        return load_config(kind, self.own.config, single)


def declared(
    own: type[T], *protocols: type[Parameters]
) -> Callable[[Callable[[Given[T]], Task]], Callable[..., Task]]:
    """Make a task of a function, with the parameters that classes declare.

    Args:
        own: The task's own parameters.
        protocols: The parameters of its protocols. The task has all of them; one that
            is not given is None, as each protocol has its own default.

    Returns:
        A decorator. The task's parameters are in its signature, which Inspect reads,
        and in its docstring. It raises an InputError for a value that is not of the
        declared choices, no flag or no whole number; all else is checked by what uses
        it.
    """
    signature = _signature(own, protocols)

    def decorate(run: Callable[[Given[T]], Task]) -> Callable[..., Task]:
        def make(*args: Any, **kwargs: Any) -> Task:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            given = dict(bound.arguments)
            rest = given.pop("rest")
            names = list(given)
            mine = {name: given.pop(name) for name in own.model_fields}
            for name, value in mine.items():
                check_typed(own, name, value)
            return run(Given(own.model_construct(**mine), given, rest, names))

        documentation = _documented(run, _meanings(own, *protocols))
        return declared_as(make, run.__name__, signature, documentation, run)

    return decorate


def _signature(
    own: type[TaskParameters], protocols: Iterable[type[Parameters]]
) -> inspect.Signature:
    """The task's own parameters, those of its protocols, and those of every task."""
    mine = {
        name: (hint, own.model_fields[name].default)
        for name, hint in get_type_hints(own).items()
        if name in own.model_fields
    }
    last = {n: mine.pop(n) for n in Reusing.model_fields if n in mine}
    first = {n: last.pop(n) for n in TaskParameters.model_fields}
    types: dict[str, list[Any]] = {}
    for kind in protocols:
        for name, hint in get_type_hints(kind).items():
            if name in kind.model_fields and hint not in types.setdefault(name, []):
                types[name].append(hint)
    theirs = {n: (reduce(or_, [*each, None]), None) for n, each in types.items()}
    return signature_of(mine | theirs | last | first, Task)


def _meanings(*kinds: type[Frozen]) -> dict[str, str]:
    """What each parameter of some classes does; the first that has it says so."""
    logged: dict[str, str] = {}
    for kind in kinds:
        for name, info in kind.model_fields.items():
            logged.setdefault(name, info.description or "")
    return logged


def _documented(run: Callable[..., Task], logged: dict[str, str]) -> str:
    lines = [
        textwrap.fill(
            f"{name}: {meaning.replace('STUDY', run.__name__)}",
            width=84,
            initial_indent="    ",
            subsequent_indent="        ",
            break_on_hyphens=False,
        )
        for name, meaning in logged.items()
    ]
    rest = "    rest: Settings one by one, as `config.key=value`."
    head = inspect.cleandoc(run.__doc__ or "")
    return "\n".join([head, "", "Args:", *lines, rest])


# The protocols of error detection, with the parameters that each has.
#
# ColMAD and CopMAD differ in `skip_if_agree` as published: ColMAD returns an answer on
# which both models agree; CopMAD's published counts are only possible without that.
# There first answers are not shown, as the judge would read that both agreed.


Defaults = Mapping[str, Any]
"""The parameters that a protocol takes, with their defaults."""


def defaults_of(protocol: str) -> Defaults:
    """The parameters of one of the suite's protocols on questions."""
    taken = inspect.signature(STUDY.protocols[protocol].make).parameters
    of_all = ("seed", "prompts", "config", "rest")
    return {n: p.default for n, p in taken.items() if n not in of_all}


_MODULES = (baselines, colmad, self_consistency, som)
"""Imported so that the study has these protocols."""

PROTOCOLS: dict[str, Defaults] = {
    name: defaults_of(name)
    for name in (
        *("colmad", "copmad", "som", "ensemble", "self_consistency", "single"),
        "judge_alone",
    )
}


def effective(
    protocol: str, defaults: Defaults, given: Mapping[str, Any]
) -> dict[str, Any]:
    """A protocol's parameters: what was given, else its defaults.

    Args:
        protocol: Its name.
        defaults: Those that it takes.
        given: What the user gave; None where nothing was.

    Raises:
        InputError: If a parameter was given that the protocol does not have.
    """
    chosen = {name: value for name, value in given.items() if value is not None}
    for name, value in chosen.items():
        if name not in defaults:
            takes = ", ".join(defaults) or "none of them"
            raise InputError(
                f"{name}={value!r} has no meaning for protocol={protocol}; "
                f"of the protocols' parameters it takes: {takes}."
            )
    return {**defaults, **chosen}


def extra_prompts(
    protocol: str, arguments: Mapping[str, Any], settings: DebateConfig
) -> tuple[str, ...]:
    """Prompt sets that a protocol's parameters and the settings add to the study's.

    Args:
        protocol: Its name; of another package's only the settings' are known.
        arguments: Its effective parameters.
        settings: The rarer settings.

    Raises:
        InputError: If a parameter is not allowed.
    """
    if protocol not in STUDY.protocols:
        return settings.extra_prompts
    own = STUDY.protocols[protocol]
    given = {n: v for n, v in arguments.items() if n in own.parameters.model_fields}
    parameters: Parameters = own.effective(protocol, given)
    return (*settings.extra_prompts, *parameters.extra_prompts)


# A protocol made ready for a task.


class Prepared(NamedTuple):
    """A solver, its effective parameters as logged, and the samples."""

    solver: Solver
    parameters: dict[str, Any]
    dataset: Dataset


def prepare(
    name: str,
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
        name: The protocol, as it was given: one of the suite's on questions, or
            `package/name` of a registered solver.
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
    own = STUDY.protocols.get(name)
    make = own.make if own else partial(of_another_package, name)
    solver = make(
        **arguments,
        seed=seed,
        prompts=prompts.overlay,
        config={
            **settings.model_dump(mode="json", exclude_defaults=True),
            "max_unparsed": None,
        },
    )
    study, protocol, logged = solver_info(solver)
    used = {n: arguments[n] for n in ("reuse", "reuse_until") if n in arguments}
    parameters = logged | used
    if (reuse := parameters.get("reuse")) is not None:
        if not isinstance(reuse, str):
            reuse = parameters["reuse"] = [*opened("reuse", reuse)]
        until = parameters.get("reuse_until", "answers")
        dataset = dataset_to_reuse(
            *(study, protocol, logged, reuse, until, dataset, name),
            prompts=prompts,
            same=data,
        )
    return Prepared(solver, parameters, dataset)


def dataset_to_reuse(
    study: Study[Any],
    protocol: str,
    logged: Mapping[str, Any],
    reuse: Logs,
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
        logged: Its parameters, as the log has them.
        reuse: The earlier run's log, as it was given, or those of all its shards.
        until: The last stage to reuse.
        dataset: All samples.
        also: Further names of the protocol.
        prompts: The effective prompts.
        same: The parameters that have to be the same for the same data, in words.

    Raises:
        InputError: If the earlier run does not fit.
    """
    having, shipped = study.with_stage(until, protocol), put_together(prompts.name)
    if having == (protocol,):  # whose logs may leave out its own prompts as shipped
        own = study.protocols[protocol].texts
        shipped |= {key: prompt.text for key, prompt in own.items()}
    samples = samples_to_reuse(
        reuse,
        until,
        list(dataset),
        protocols=dict.fromkeys([*having, *also]),
        parameters=study.shaped(until, protocol, logged),
        prompts=study.prompted(until, protocol, prompts),
        same=same,
        shipped=shipped,
        absent=study.left_out(until, protocol),
    )
    return MemoryDataset(samples, name=dataset.name)


def check_reuse(reuse: Logs | None, until: str | None, *stages: str) -> None:
    """Check that a stage to use again is one, and that there is a log to take it from.

    Args:
        reuse: The log, if one is given.
        until: The stage, if one is given.
        stages: The stages that there are, where not `answers` and `debate`.

    Raises:
        InputError: If not.
    """
    if until is not None:
        check_choice("reuse_until", until, stages or ("answers", "debate"))
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
            "has scores that do not read the output."
        )


# What every task logs in addition to Inspect's own fields.


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
        "rounds": round_counts(parameters),
        "seed": seed,
        "data": dict(data),
        "prompts": dict(prompts),
    }


def round_counts(parameters: Mapping[str, Any]) -> dict[str, int] | None:
    """Both counts of a debate's rounds, for the log; None if it has no rounds.

    They are the same where nobody answers first, as sides are assigned.
    """
    rounds = parameters.get("rounds")
    if not isinstance(rounds, int):
        return None
    first = parameters.get("sides") != "assigned"
    return {"of_speeches": rounds, "with_first_answers": rounds + first}


# What the viewer shows first.

# The viewer shows what is not named here after our columns; scores it always shows.
HIDDEN_FIELDS = ("input", "duration", "tokens", "sampleStatus")


def samples_view(
    name: str, *columns: str, sort: str, dir: Literal["asc", "desc"] = "asc"
) -> ViewerConfig:
    """The sample list of a task, and scores as chips.

    Args:
        name: Its title.
        columns: What it shows: a field of Inspect's, or `SCORER.VALUE`.
        sort: The value of a scorer by which it is sorted.
        dir: Whether low values come first, or high ones.
    """

    def column(shown: str) -> TaskSamplesColumn:
        scorer, _, value = shown.partition(".")
        if value:
            return TaskSamplesColumn.score(scorer, value)
        return TaskSamplesColumn(id=shown)

    hidden = [TaskSamplesColumn(id=id, visible=False) for id in HIDDEN_FIELDS]
    scorer, _, value = sort.partition(".")
    return ViewerConfig(
        task_samples_view=TaskSamplesView(
            name=name,
            multiline=False,
            columns=[*map(column, columns), *hidden],
            sort=[TaskSamplesSort.score(scorer, value, dir=dir)],
        ),
        sample_score_view=SampleScoreView(default="chips"),
    )


def answers_view(name: str, scorer: str, debated: bool) -> ViewerConfig:
    """The sample list of answers to questions: what was answered, and how it went.

    Args:
        name: Its title.
        scorer: Whose scores it shows.
        debated: Whether the protocol holds debates.
    """
    process = ["debated", "concessions", "verified_quotes", "unverified_quotes"]
    shown = [*(process if debated else ()), "calls", "tokens"]
    return samples_view(
        name,
        *("sampleId", "target", "answer", f"{scorer}.correct"),
        *(f"debate_process.{value}" for value in shown),
        sort=f"{scorer}.correct",
    )
