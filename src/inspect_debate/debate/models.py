"""Roles: the only way from a protocol to a model."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import get_args

import anyio
from inspect_ai.model import Model, get_model, model_roles

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import Role
from inspect_debate.debate.settings import own_config, say_once

ROLES: tuple[Role, ...] = get_args(Role)


# What the studies call their roles.
CALLED: dict[str, Role] = {
    "defender": "debater_a",
    "critic": "debater_b",
    "proposition": "debater_a",
    "opposition": "debater_b",
    "jury": "judge",
}


def models_for(role: Role, *fallbacks: Role) -> list[Model]:
    """The models that play a role, in the order in which they were bound.

    Args:
        role: The role.
        fallbacks: Roles whose models stand in, first come first served, where the
            role itself is not bound; after them the evaluation's main model.

    Returns:
        One model, or several where a list was bound. All are tagged with `role`, so
        that usage is counted under it, and none is the main model's own object, so
        that the settings of the run are merged in one place (`debate.settings`).

    Raises:
        InputError: If a role was bound whose name looks like a misspelt one.
    """
    bound = model_roles()
    for name in bound:
        if name in ROLES:
            continue
        if _meant(name):
            raise InputError(_no_role(name))
        # `check_roles` lets none through that was typed: a task brings this one.
        say_once(f"The role {name!r} is no role of a debate and not used by it.")
    for candidate in (role, *fallbacks):
        if candidate in bound:
            models = bound[candidate]
            models = models if isinstance(models, list) else [models]
            if candidate == role:
                return models
            return [get_model(role=role, default=model) for model in models]
    main = get_model(role=role, default=get_model())
    main.config = own_config(main)
    return [main]


def check_roles() -> None:
    """Check that roles typed for a run are those of this suite.

    For tasks and solvers, which are made before the run's first sample; where it is not
    known yet which run they are for, nothing is checked.

    Raises:
        InputError: Naming the role, and the one that may have been meant.
    """
    if not made_for_a_run():
        return
    for name in model_roles():
        if name not in ROLES:
            raise InputError(_no_role(name))


def _no_role(name: str) -> str:
    meant = _meant(name)
    return (
        f"--model-role {name}=... binds no role of this suite; its roles: "
        f"{', '.join(ROLES)}." + (f" Did you mean {meant!r}?" if meant else "")
    )


def _meant(name: str) -> Role | None:
    """The role that a name which is none may stand for."""
    if name in CALLED:
        return CALLED[name]
    return next((r for r in ROLES if r in get_close_matches(name, ROLES, n=1)), None)


def made_for_a_run() -> bool:
    """Whether a task or solver is made in the run that it is for, with its roles.

    After an evaluation set its roles stay bound, where no loop runs.
    """
    try:
        anyio.get_current_task()
    except RuntimeError:
        return False
    return in_a_run()


def is_bound(role: Role) -> bool:
    """Whether a user bound a role."""
    return role in model_roles()


def debater_pool() -> list[Model] | None:
    """The models of a pool that debates among itself: those of a `debater_a` bound to
    a list. None where no such list is bound.
    """
    bound = model_roles().get("debater_a")
    return models_for("debater_a") if isinstance(bound, list) else None


def models_of_run() -> list[Model]:
    """All models that a run may ask: those of its roles, and the main one."""
    bound = model_roles().values()
    roles = [m for each in bound for m in (each if isinstance(each, list) else [each])]
    return [model for model in (*roles, get_model()) if not is_missing(model)]


def in_a_run() -> bool:
    """Whether roles are known: a task is made, or runs, with some of them bound."""
    return bool(model_roles())


def is_missing(model: Model) -> bool:
    """Whether a model is only the place of one, as with `--model none`."""
    return str(model) == "none/none"


def playing(role: Role, model: Model) -> Model:
    """A model in a role that is not bound, so that its usage is counted there."""
    return get_model(role=role, default=model)


def model_named(name: str, models: Sequence[Model]) -> Model:
    """The one of some models that a schedule names.

    Args:
        name: As typed in a schedule: with or without the provider before it, and the
            suffix `:free` after it.
        models: The models, as they were bound.

    Raises:
        InputError: If none of them goes by the name, or several do.
    """
    found = {str(model): model for model in models if goes_by(str(model), name)}
    if len(found) != 1:
        names = ", ".join(str(model) for model in models)
        number = "none" if not found else "several"
        raise InputError(
            f"The schedule names {name!r}, which {number} of the debaters go by: "
            f"{names}."
        )
    return next(iter(found.values()))


def goes_by(model: str, name: str) -> bool:
    """Whether a model's name is a schedule's, but for provider and `:free`."""
    full, short = model.removesuffix(":free"), name.removesuffix(":free")
    return full == short or full.endswith(f"/{short}")


def model_for(role: Role, *fallbacks: Role) -> Model:
    """The model that plays a role which takes one.

    Raises:
        InputError: If a list of models was bound to it.
    """
    models = models_for(role, *fallbacks)
    if len(models) == 1:
        return models[0]
    names = ", ".join(str(model) for model in models)
    if not is_bound(role):
        stands_in = next(other for other in fallbacks if is_bound(other))
        raise InputError(
            f"{role} is not bound, and {stands_in}, which would stand in for it, is "
            f"bound to {len(models)} models: {names}. Bind --model-role {role}=MODEL."
        )
    raise InputError(
        f"--model-role {role}=... takes one model here, given were "
        f"{len(models)}: {names}. Only `judge` takes a list."
    )
