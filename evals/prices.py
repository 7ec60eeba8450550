"""Prices of models, which are part of a task, so that resumed runs know them."""

import math
from collections.abc import Mapping

from inspect_ai.model import ModelCost, ModelInfo, get_model_info, set_model_info
from pydantic import ValidationError

from inspect_debate.core.errors import InputError
from inspect_debate.core.models import models_of_run
from inspect_debate.core.paths import read_user_yaml
from inspect_debate.core.spending import has_price, is_free

Prices = Mapping[str, ModelCost]
"""What a million tokens of each model cost."""


def read_prices(given: str | Mapping[str, object] | None) -> Prices:
    """Prices that a user gave.

    Args:
        given: A YAML file as `--model-cost-config` takes it, or what stands in one: by
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
