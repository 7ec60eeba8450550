"""Models, settings and parameters on the command line, as `inspect eval` takes them."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click
import yaml
from pydantic import ValidationError

from inspect_debate.v1.debate.errors import InputError, check_name, without_markup

if TYPE_CHECKING:
    from inspect_ai.model import GenerateConfig, Model

CommandT = TypeVar("CommandT", bound=Callable[..., Any])


class Bound(NamedTuple):
    """The main model, if there is one, and the models that were bound to roles."""

    main: "Model | None"
    roles: "Mapping[str, Model | list[Model]]"

    @property
    def models(self) -> "list[Model]":
        """All models, each name once."""
        given = [] if self.main is None else [self.main]
        for bound in self.roles.values():
            given += bound if isinstance(bound, list) else [bound]
        return list({str(model): model for model in given}.values())


def model_options(command: CommandT) -> CommandT:
    """The options `--model`, `-M` and `--model-role`.

    They are passed as `model`, `model_args` and `model_roles`, for `bound_models`.
    """
    for decorate in (
        click.option(
            "--model-role",
            "model_roles",
            multiple=True,
            metavar="ROLE=MODEL",
            help="The model of a role (debater_a, debater_b, judge, reward, grader): "
            "its name, names with commas between them for a panel of judges, or "
            "{model: NAME, max_tokens: N, model_args: {...}}. Repeatable.",
        ),
        click.option(
            "-M",
            "model_args",
            multiple=True,
            metavar="NAME=VALUE",
            help="An argument of the main model. Repeatable.",
        ),
        click.option(
            "--model",
            envvar="INSPECT_EVAL_MODEL",
            metavar="MODEL",
            help="The main model, for every role without a --model-role.",
        ),
    ):
        command = decorate(command)
    return command


def bound_models(
    model: str | None, model_args: Sequence[str], model_roles: Sequence[str]
) -> Bound:
    """Make the models; no call is made.

    Args:
        model: The main model's name, or None.
        model_args: Its arguments, as `name=value`.
        model_roles: Roles with their models, as `role=model`.

    Returns:
        Models of their own at every call, whose clients nobody else has.

    Raises:
        InputError: If an option is not of its form, a role is not the suite's, or a
            model's provider does not take it.
    """
    # Seconds of import time, which help should not pay.
    from inspect_ai.model import GenerateConfig

    from inspect_debate.v1.debate.participants import ROLES

    if model is None and model_args:
        raise InputError(f"-M {model_args[0]} needs a model: give --model.")
    main = None
    if model is not None:
        own = dict(_pair("-M", given) for given in model_args)
        main = _made("--model", model, GenerateConfig(), own)
    roles: dict[str, Model | list[Model]] = {}
    for given in model_roles:
        role, value = _pair("--model-role", given)
        check_name("--model-role", role, ROLES)
        option = f"--model-role {role}"
        named = value.split(",") if isinstance(value, str) else value
        models = [
            _role_model(option, each)
            for each in (named if isinstance(named, list) else [named])
        ]
        roles[role] = models if len(models) > 1 else models[0]
    return Bound(main, roles)


def _pair(option: str, given: str) -> tuple[str, Any]:
    name, equals, value = given.partition("=")
    if not (name.strip() and equals and value.strip()):
        raise InputError(f"{option} {given} is not of the form NAME=VALUE.")
    try:
        return name.strip(), yaml.safe_load(value)
    except yaml.YAMLError as error:
        raise InputError(
            f"{option} {given}: what follows the = can not be read."
        ) from error


def _role_model(option: str, given: object) -> "Model":
    from inspect_ai.model import GenerateConfig

    if isinstance(given, str):
        return _made(option, given.strip(), GenerateConfig(), {})
    if not isinstance(given, dict) or not isinstance(given.get("model"), str):
        raise InputError(
            f"{option}={given!r} names no model; give its name, or {{model: NAME, "
            "temperature: 0.2, model_args: {...}}."
        )
    settings = {k: v for k, v in given.items() if k not in ("model", "model_args")}
    for name in settings:
        check_name(f"{option}: setting", str(name), list(GenerateConfig.model_fields))
    try:
        config = GenerateConfig(**settings)
    except ValidationError as error:
        first = error.errors()[0]
        raise InputError(
            f"{option}: {first['loc'][0]}={first['input']!r} is not allowed: "
            f"{first['msg']}."
        ) from error
    return _made(option, given["model"], config, given.get("model_args") or {})


def _made(
    option: str, name: str, config: "GenerateConfig", model_args: dict[str, Any]
) -> "Model":
    from inspect_ai.model import get_model

    try:
        return get_model(name, config=config, memoize=False, **model_args)
    except InputError:
        raise
    except Exception as error:  # each provider has its own type
        reason = without_markup(str(getattr(error, "message", error)))
        raise InputError(f"{option}={name} cannot be used: {reason}") from error


def check_bound(bound: Bound, needed: Sequence[str]) -> None:
    """Check that every role that is needed has a model.

    Raises:
        InputError: If one is neither bound nor left to a main model.
    """
    for role in needed:
        if bound.main is None and role not in bound.roles:
            raise InputError(
                f"No model plays {role}: give --model MODEL, or --model-role "
                f"{role}=MODEL."
            )


# Arguments of tasks and settings of runs, typed as for `inspect eval`.
