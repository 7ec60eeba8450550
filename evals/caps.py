"""Caps of a run: money, and the share of what cannot be read."""

import math
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field

from inspect_ai.dataset import Sample
from inspect_ai.log import EvalSpec
from inspect_ai.model import ModelCost, ModelInfo, get_model_info, set_model_info
from inspect_ai.scorer import SampleScore
from inspect_ai.util import EarlyStop
from pydantic import JsonValue, ValidationError

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.models import made_for_a_run, models_of_run
from inspect_debate.debate.paths import read_user_yaml
from inspect_debate.debate.spending import Ledger, has_price, is_free

# Prices of models, which are part of a task, so that resumed runs know them.

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
