"""Who takes part: the models bound to roles."""

from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any, NamedTuple

from click import get_current_context
from inspect_ai.model import Model, get_model, model_roles

from inspect_debate.debate.errors import InputError, check_known


class Participant(NamedTuple):
    """A model with the name and the role under which it takes part."""

    name: str
    role: str
    model: Model


COMMANDS = ("eval", "eval-retry", "eval-set")
"""Those of Inspect that run tasks."""

current_run: ContextVar[str | None] = ContextVar("run", default=None)
"""The run to which a task belongs, with others perhaps (`run.py`)."""

replayed: ContextVar[dict[tuple[Any, ...], list[Any]] | None] = ContextVar(
    "replayed", default=None
)
"""The turns of an earlier debate, of which only the judges' are asked for again."""

ROLES = ("debater_a", "debater_b", "judge", "reward", "grader")
PANELS: tuple[str, ...] = ("judge",)
"""Roles to which a list of models may be bound, unless a protocol takes others."""


def roles_known() -> bool:
    """Whether roles are those of this run.

    Where a task is made in Python they are those of an earlier run until it starts.
    """
    command = get_current_context(silent=True)
    typed = command is not None and command.info_name in COMMANDS
    return typed or current_run.get() is not None


def check_roles(panels: Sequence[str] = PANELS) -> None:
    """Raise InputError for a role that the suite does not have.

    Inspect ignores such a role, so that a typing error would run the main model. A role
    that a protocol has no use for passes: a study binds the same roles throughout.
    """
    if not roles_known():
        return
    command = get_current_context(silent=True)
    known = command is not None and command.info_name == "eval"  # eval-set is late
    if known and not model_roles() and str(get_model()) == "none/none":
        raise InputError(
            "There is no model: give --model MODEL for all roles, or --model-role "
            "ROLE=MODEL for each."
        )
    for role, bound in model_roles().items():
        check_known("model role", role, ROLES)
        if isinstance(bound, list) and role not in panels:
            raise InputError(
                f"model role {role!r} takes one model, not {len(bound)}; "
                f"a list of models is for: {', '.join(panels) or 'no role here'}."
            )


def participants(role: str, name: str = "", fallback: str = "") -> list[Participant]:
    """The models bound to a role: one, or a panel if a list was bound.

    Args:
        role: The role. Unbound, it is taken by `fallback`, else by the main model.
        name: What others call it; members of a panel are numbered.
        fallback: Another role.
    """
    roles = model_roles()
    bound = roles.get(role, roles.get(fallback))
    models = bound if isinstance(bound, list) else [bound or get_model()]
    asked = replayed.get() is None or role == "judge"
    if asked and any(str(model) == "none/none" for model in models):
        raise InputError(
            f"{role} has no model: give --model-role {role}=MODEL, or --model MODEL "
            "for all roles without one."
        )
    if role not in roles:  # tag them, so that usage is counted under this role
        models = [get_model(role=role, default=model) for model in models]
    name = name or role
    numbered = [f"{name}_{n}" for n in range(1, len(models) + 1)]
    names = numbered if len(models) > 1 else [name]
    return [Participant(own, role, m) for own, m in zip(names, models, strict=True)]
