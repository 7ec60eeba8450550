"""What every task does: take parameters, make a protocol's solver, describe itself.

Each parameter is declared once, and checked before any call.
"""

import inspect
import math
import textwrap
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial, reduce
from importlib.metadata import version as installed
from operator import or_
from typing import Any, Generic, Literal, NamedTuple, TypeVar, get_type_hints

from inspect_ai import Task, task_with
from inspect_ai.dataset import Dataset, MemoryDataset, Sample
from inspect_ai.log import EvalSpec
from inspect_ai.model import ModelCost, ModelInfo, get_model_info, set_model_info
from inspect_ai.scorer import SampleScore, Scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import EarlyStop
from inspect_ai.viewer import (
    SampleScoreView,
    TaskSamplesColumn,
    TaskSamplesSort,
    TaskSamplesView,
    ViewerConfig,
)
from pydantic import JsonValue, ValidationError

from inspect_debate.debate.engine import (
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
from inspect_debate.debate.errors import InputError, check_choice, check_name
from inspect_debate.debate.participants import made_for_a_run, model_for, models_of_run
from inspect_debate.debate.paths import read_user_yaml
from inspect_debate.debate.prompts import PromptSet, put_together
from inspect_debate.debate.record import Frozen, upgraded_metadata
from inspect_debate.debate.reuse import (
    Logs,
    Until,
    check_whole,
    opened,
    samples_to_reuse,
    shard_of,
)
from inspect_debate.debate.shards import Shard, read_shard
from inspect_debate.debate.spending import Ledger, has_price, is_free
from inspect_debate.debate.study import Study, shaping
from inspect_debate.scorers.challenges import challenges
from inspect_debate.scorers.debate_hacking import debate_hacking
from inspect_debate.scorers.explanation_alignment import explanation_alignment
from inspect_debate.solvers import (
    baselines,
    challenge,
    colmad,
    cross_examination,
    placebo,
    self_consistency,
    som,
)
from inspect_debate.solvers.question_answering import (
    ON_OTHER_TASKS,
    STUDY,
    DebateConfig,
)

# Caps of a run: money, and the share of what cannot be read.

# Prices of models, which are part of a task, so that resumed runs know them.

Prices = Mapping[str, ModelCost]
"""What a million tokens of each model cost."""


def read_prices(given: str | Mapping[str, object] | None) -> Prices:
    """Prices that a user gave.

    Args:
        given: A YAML file as `--model-cost-config` takes it, or its content: by
            model `input`, `output`, `input_cache_write` and `input_cache_read`, in US
            dollars per million tokens.

    Raises:
        InputError: If it cannot be read, or a price is missing or below 0.
    """
    read = read_user_yaml("prices", given) if isinstance(given, str) else given or {}
    if not isinstance(read, Mapping):
        raise InputError(f"prices={given!r} has to be a file or a mapping of prices.")
    return {str(model): _price(str(model), cost) for model, cost in read.items()}


def _price(model: str, given: object) -> ModelCost:
    for name in given if isinstance(given, Mapping) else ():
        check_name(f"prices: {model}:", str(name), ModelCost.model_fields)
    try:
        cost = ModelCost.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join([model, *map(str, first["loc"])])
        raise InputError(
            f"prices: {name} is not allowed: {first['msg']}; give "
            f"{', '.join(ModelCost.model_fields)} in US dollars per million tokens."
        ) from error
    if not all(0 <= dollars < math.inf for dollars in cost.model_dump().values()):
        raise InputError(f"prices: {model} has a price that is no number from 0 on.")
    return cost


def check_prices(budget_usd: float, prices: Prices) -> None:
    """Set the prices of the models of the run, and check that all are known.

    Raises:
        InputError: Naming those without one, and how to give it.
    """
    models = models_of_run()
    for model in models:
        if (cost := prices.get(str(model))) is not None:
            info = get_model_info(model) or ModelInfo()
            set_model_info(str(model), info.model_copy(update={"cost": cost}))
    unknown = sorted({str(model) for model in models if not has_price(model)})
    if unknown:
        raise InputError(
            f"budget_usd={budget_usd:g} needs the price of every model, and there is "
            f"none of {', '.join(unknown)}; give it with -T prices=FILE (see "
            "docs/budget.md)."
        )


def priced_by(prices: Prices) -> bool:
    """Whether prices suffice for the models of the run, without others set for it."""
    return all(str(m) in prices or is_free(str(m)) for m in models_of_run())


class CapReached(Exception):
    """A run that ended because a cap of it was reached; the log has status `error`."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass
class _Run:
    """One run of a task: its ledger, and how far it came.

    `total` counts samples times epochs. `refused` and `done` hold ids and epochs of
    samples that were not let in, and of those that have ended otherwise. With `retried`
    all that `inspect eval-retry` needs is part of the task.
    """

    ledger: Ledger
    retried: bool
    total: int = 0
    refused: set[tuple[str | int, int]] = field(default_factory=set)
    done: set[tuple[str | int, int]] = field(default_factory=set)

    def begin(self, total: int) -> None:
        """Start, or start again within the same evaluation set.

        What was spent before stays spent; samples that were under way ended with it.
        """
        self.total = total
        self.refused.clear()
        self.done.clear()
        self.ledger.under_way.clear()
        self.ledger.wake()

    @property
    def why_stopped(self) -> str:
        """What ended the run, how far it came, and how it goes on."""
        how = "`inspect eval-retry LOG`"
        if not self.retried:
            how = "`eval_retry` in Python, where prices are set (see docs/budget.md)"
        return (
            f"{self.ledger.reached}. {len(self.done)} of {self.total} samples are "
            f"done. Go on with {how}: it asks nothing again that is done, and has the "
            "caps of this run anew."
        )


_run: ContextVar[_Run] = ContextVar("run")


@dataclass
class Caps:
    """Lets no other sample start once a cap of the run is reached.

    Samples under way end as they would have. An evaluation set that tries a task again
    has one ledger for all attempts, and `inspect eval-retry` a new one.
    """

    budget_usd: float | None
    max_unparsed: float | None
    prices: Prices
    _runs: dict[tuple[str, str], _Run] = field(default_factory=dict)

    async def start_task(
        self, task: EvalSpec, samples: list[Sample], epochs: int
    ) -> str:
        """Open the ledger.

        Raises:
            InputError: If money is capped and a model has no known price.
        """
        if self.budget_usd is not None:
            check_prices(self.budget_usd, self.prices)
        retried = self.budget_usd is None or priced_by(self.prices)
        ledger = Ledger(self.budget_usd, self.max_unparsed)
        key = (task.eval_set_id or task.run_id, task.task_id)
        run = self._runs.setdefault(key, _Run(ledger, retried))
        run.begin(len(samples) * epochs)
        _run.set(run)
        return "inspect_debate/caps"

    async def schedule_sample(self, id: str | int, epoch: int) -> EarlyStop | None:
        """Wait until a sample may start."""
        run = _run.get()
        if await run.ledger.admit() is not None:
            return None
        run.refused.add((id, epoch))
        return EarlyStop(id=id, epoch=epoch, reason=run.ledger.reached)

    async def complete_sample(
        self, id: str | int, epoch: int, scores: Mapping[str, SampleScore]
    ) -> None:
        """Count a sample; Inspect also reports those that were not started."""
        run = _run.get()
        if (id, epoch) not in run.refused:
            run.done.add((id, epoch))

    async def complete_task(self) -> dict[str, JsonValue]:
        """Tell what was spent.

        Raises:
            CapReached: If samples were not let in.
        """
        run = _run.get()
        if run.refused:
            raise CapReached(run.why_stopped)
        ledger = run.ledger
        return {
            "spent_usd": ledger.spent,
            "fields": ledger.statuses.total(),
            "unread": ledger.unread,
        }


def caps(
    budget_usd: float | None,
    max_unparsed: float | None,
    prices: str | Mapping[str, object] | None = None,
) -> Caps | None:
    """What stops a task's runs, for `Task(early_stopping=)`.

    Args:
        budget_usd: US dollars that a run may spend.
        max_unparsed: The share of fields that may be unread.
        prices: Prices of models, as `read_prices` takes them.

    Returns:
        None where neither cap is given.

    Raises:
        InputError: If one is out of range, or a model has no known price.
    """
    known = read_prices(prices)
    if budget_usd is not None:
        _check_number("budget_usd", budget_usd, "a number of US dollars above 0")
        if made_for_a_run():
            check_prices(budget_usd, known)
    elif prices is not None:
        raise InputError(f"prices={prices} has no meaning without budget_usd.")
    if max_unparsed is not None:
        _check_number(
            "max_unparsed", max_unparsed, "a share above 0 and at most 1", at_most=1
        )
    if budget_usd is None and max_unparsed is None:
        return None
    return Caps(budget_usd, max_unparsed, known)


def _check_number(
    parameter: str, given: object, allowed: str, at_most: float = math.inf
) -> None:
    allowable = (
        isinstance(given, int | float)
        and not isinstance(given, bool)
        and math.isfinite(given)
        and 0 < given <= at_most
    )
    if not allowable:
        raise InputError(f"{parameter}={given!r} is not allowed; give {allowed}.")


# The parameters of tasks.


class TaskParameters(Frozen):
    """The parameters that every task has; a subclass adds the task's own."""

    seed: int = parameter(0, "Seed of the samples' order and of all draws.", ge=0)
    budget_usd: float | None = parameter(
        None, "US dollars that the run may spend; then no other sample starts."
    )
    prices: str | dict[str, Any] | None = parameter(
        None, "For `budget_usd`: a YAML file of the models' prices."
    )
    max_unparsed: float | None = parameter(
        None,
        "The share of replies that may be unreadable; above it no other sample starts.",
    )
    prompts: str | None = parameter(
        None,
        "A YAML file with texts in place of the study's prompts (`inspect-debate "
        "prompts show STUDY` names them).",
    )
    config: str | dict[str, Any] | None = parameter(
        None, "A YAML file with rarer settings; `config.KEY=VALUE` sets one."
    )
    shard: str | None = parameter(
        None, "`I/K`: only the I-th of K equal parts of the samples (docs/cluster.md)."
    )

    def stopping(self) -> Caps | None:
        """What ends the run early.

        Raises:
            InputError: If a cap is not allowed.
        """
        return caps(self.budget_usd, self.max_unparsed, self.prices)


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
            task = run(Given(own.model_construct(**mine), given, rest, names))
            reuse = mine.get("reuse") or given.get("reuse")
            if mine["shard"] is not None:
                keep_shard(task, read_shard("shard", mine["shard"]), reuse)
            elif reuse and (one := shard_of_one(reuse)):
                raise InputError(
                    f"reuse={reuse} is shard {one} of a run, with a part of its "
                    f"samples. Give the logs of all {one.of} shards, with commas "
                    f"(reuse=LOG1,LOG2), or shard={one} to run that shard alone."
                )
            return task

        documentation = _documented(run, _meanings(own, *protocols))
        return declared_as(make, run.__name__, signature, documentation, run)

    return decorate


def shard_of_one(reuse: Logs) -> Shard | None:
    """The shard of which there is one log alone; None for those of a whole run.

    Raises:
        InputError: If one is no log, or several are not all shards of a run.
    """
    logs = opened("reuse", reuse)
    return shard_of(*logs.values()) if len(logs) == 1 else None


def keep_shard(task: Task, shard: Shard, reuse: Logs | None) -> None:
    """Leave a task with the samples of one shard.

    Args:
        task: The task, which is changed.
        shard: The shard.
        reuse: The log that the task takes stages from: of a whole run, all logs of one
            in shards, or that of the same shard, so that the task has its samples
            already.

    Raises:
        InputError: If that log is another shard's, or no sample is left.
    """
    same = shard_of_one(reuse) if reuse else None
    if same not in (None, shard):
        raise InputError(
            f"shard={shard} and reuse={reuse}, which is shard {same}: take the log of "
            f"shard {shard}."
        )
    samples = list(task.dataset)
    if same is None:
        samples = [samples[place] for place in shard.places(len(samples))]
    if not samples:
        raise InputError(
            f"shard={shard}: there are only {len(task.dataset)} samples; take no more "
            "shards than that."
        )
    task_with(
        task,
        dataset=MemoryDataset(samples, task.dataset.name, task.dataset.location),
        metadata={**(task.metadata or {}), "shard": shard._asdict()},
    )


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


_MODULES = (
    *(baselines, challenge, colmad, cross_examination, placebo, self_consistency, som),
)
"""Imported so that the study has these protocols."""

PROTOCOLS: dict[str, Defaults] = {
    name: defaults_of(name)
    for name in (
        *("colmad", "copmad", "som", "ensemble", "self_consistency", "single"),
        *("judge_alone", "cross_examination", "challenge", "placebo"),
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
            "max_unparsed": None,  # `caps` has the task's own parameter
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
        if protocol == "placebo":
            parameters["debates"] = debates_in(reuse)
    return Prepared(solver, parameters, dataset)


def debates_in(reuse: Logs) -> str:
    """What debates a log has: the protocol, and what shaped them, unless by default.

    Args:
        reuse: The log, as it was given, or those of all shards.

    Raises:
        InputError: If it is that of a shard alone.
    """
    logs = opened("reuse", reuse)
    check_whole("reuse", logs)
    there = upgraded_metadata(next(iter(logs.values())).eval.metadata)
    protocol, given = there["protocol"], there["parameters"]
    defaults = STUDY.protocols[protocol].parameters()
    shaped = [
        f"{name}={given[name]}"
        for name in shaping("debate", type(defaults))
        if given.get(name, getattr(defaults, name)) != getattr(defaults, name)
    ]
    return " ".join([protocol, *shaped])


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
            "has the parameter max_unparsed, and scores that do not read the output."
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
        "rounds": round_counts(study, parameters),
        "seed": seed,
        "data": dict(data),
        "prompts": dict(prompts),
    }


def round_counts(study: str, parameters: Mapping[str, Any]) -> dict[str, int] | None:
    """Both counts of a debate's rounds, for the log; None if it has no rounds.

    They are the same where nobody answers first: in debates with bets, and where sides
    are assigned.
    """
    rounds = parameters.get("rounds")
    if not isinstance(rounds, int):
        return None
    first = study != "confidence" and parameters.get("sides") != "assigned"
    return {"of_speeches": rounds, "with_first_answers": rounds + first}


# Scores that a model gives, beside those that are computed.


def of_protocol(protocol: str) -> list[Scorer]:
    """The scores that only one protocol has."""
    return [challenges()] if protocol == "challenge" else []


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
