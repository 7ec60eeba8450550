"""What a task takes: each parameter declared once, and checked before any call."""

import inspect
import textwrap
from collections.abc import Callable, Iterable
from functools import reduce
from operator import or_
from typing import Any, Generic, NamedTuple, TypeVar, get_type_hints

from inspect_ai import Task

from inspect_debate.debate.config import ConfigT, load_config, split_config
from inspect_debate.debate.engine import Parameters, check_typed, parameter
from inspect_debate.debate.record import Frozen
from inspect_debate.debate.reuse import Until
from inspect_debate.evals.caps import Caps, caps


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
        "The share of what is asked for that may be unreadable; above it no other "
        "sample starts.",
    )
    prompts: str | None = parameter(
        None,
        "A YAML file laid over the study's prompts, `key: text` for each that changes "
        "(`inspect-debate prompts show STUDY` names them).",
    )
    config: str | dict[str, Any] | None = parameter(
        None, "A YAML file with rarer settings; `config.key=value` sets one."
    )

    def stopping(self) -> Caps | None:
        """What ends the run early.

        Raises:
            InputError: If a cap is not allowed.
        """
        return caps(self.budget_usd, self.max_unparsed, self.prices)


class Reusing(TaskParameters):
    """The parameters of a task that can use stages of an earlier run again."""

    reuse: str | None = parameter(
        None, "A log whose first answers or debates are used again."
    )
    reuse_until: Until | None = parameter(None, "The last stage to use again.")


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

        make.__name__ = make.__qualname__ = run.__name__
        make.__module__ = run.__module__
        make.__doc__ = _documented(run, _meanings(own, *protocols))
        make.__annotations__ = {
            **{n: p.annotation for n, p in signature.parameters.items()},
            "return": Task,
        }
        make.__signature__ = signature  # type: ignore[attr-defined]  # read by Inspect
        return make

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
    given = mine | theirs | last | first
    named = [
        inspect.Parameter(
            name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=default,
            annotation=annotation,
        )
        for name, (annotation, default) in given.items()
    ]
    rest = inspect.Parameter("rest", inspect.Parameter.VAR_KEYWORD, annotation=Any)
    return inspect.Signature([*named, rest], return_annotation=Task)


def _meanings(*kinds: type[Frozen]) -> dict[str, str]:
    """What each parameter of some classes does; the first that has it says so."""
    told: dict[str, str] = {}
    for kind in kinds:
        for name, info in kind.model_fields.items():
            told.setdefault(name, info.description or "")
    return told


def _documented(run: Callable[..., Task], told: dict[str, str]) -> str:
    lines = [
        textwrap.fill(
            f"{name}: {meaning.replace('STUDY', run.__name__)}",
            width=84,
            initial_indent="    ",
            subsequent_indent="        ",
        )
        for name, meaning in told.items()
    ]
    rest = "    rest: Settings one by one, as `config.key=value`."
    head = inspect.cleandoc(run.__doc__ or "")
    return "\n".join([head, "", "Args:", *lines, rest])
