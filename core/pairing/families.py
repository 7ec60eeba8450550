"""Which models are relatives: those of one maker."""

from collections.abc import Iterable, Mapping

from inspect_debate.core.errors import check_name

# What stands between a maker and its model where a cloud serves it.
_CLOUDS = frozenset({"azure", "bedrock", "vertex"})


def family(name: str) -> str:
    """The maker in a model's name: what stands before the model itself.

    `openai` of `openai/gpt-4o`, of `openrouter/openai/gpt-4o` and of
    `openai/azure/gpt-4o`; a name of one part is a family of its own.
    """
    *before, model = name.lower().split("/")
    makers = [part for part in before if part not in _CLOUDS] or before
    return makers[-1] if makers else model


def families_of(
    models: Iterable[str], told: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The family of each model: as told, else by its name.

    Raises:
        InputError: If a family is told of a model that is not among them.
    """
    names = sorted(models)
    told = told or {}
    for name in told:
        check_name("families: the model", name, names)
    return {name: told.get(name, family(name)).lower() for name in names}
