"""Roles: the only way from a protocol to a model."""

from difflib import get_close_matches
from typing import get_args

from inspect_ai.model import Model, get_model, model_roles

from inspect_debate.core.errors import InputError
from inspect_debate.core.record import Role
from inspect_debate.core.settings import own_config, say_once

ROLES: tuple[Role, ...] = get_args(Role)


def models_for(role: Role, *fallbacks: Role) -> list[Model]:
    """The models that play a role, in the order in which they were bound.

    Args:
        role: The role.
        fallbacks: Roles whose models stand in, first come first served, where the
            role itself is not bound; after them the evaluation's main model.

    Returns:
        One model, or several where a list was bound. All are tagged with `role`, so
        that usage is counted under it, and none is the main model's own object, so
        that the settings of the run are merged in one place (`core.settings`).

    Raises:
        InputError: If a role was bound whose name looks like a misspelt one.
    """
    bound = model_roles()
    for name in bound:
        if name not in ROLES and (close := get_close_matches(name, ROLES, n=1)):
            raise InputError(
                f"--model-role {name}=... binds no role of this suite; "
                f"its roles: {', '.join(ROLES)}. Did you mean {close[0]!r}?"
            )
        if name not in ROLES:
            say_once(f"--model-role {name}=... is no role of a debate and not used.")
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


def model_for(role: Role, *fallbacks: Role) -> Model:
    """The model that plays a role which takes one.

    Raises:
        InputError: If a list of models was bound to it.
    """
    models = models_for(role, *fallbacks)
    if len(models) != 1:
        names = ", ".join(str(model) for model in models)
        raise InputError(
            f"--model-role {role}=... takes one model here, given were "
            f"{len(models)}: {names}. Only `judge` takes a list."
        )
    return models[0]
