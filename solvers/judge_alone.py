"""The judge without a debate: what does it know by itself?"""

from collections.abc import Mapping
from typing import Any

from inspect_ai.solver import Solver, solver

from inspect_debate.debate.errors import check_choice
from inspect_debate.debate.record import DebateRecord
from inspect_debate.debate.recording import Recorder
from inspect_debate.solvers.questions import Asker, OrderSetting, judged, protocol
from inspect_debate.solvers.seats import judges


@solver
def judge_alone(
    order: OrderSetting = "ab",
    seed: int = 0,
    prompts: str | None = None,
    config: Mapping[str, Any] | None = None,
    **rest: Any,
) -> Solver:
    """Every judge decides on the item alone.

    Args:
        order: Whether the answers are listed in their order, reversed, or both in turn.
        seed: Seed of the run.
        prompts: A file laid over the prompts.
        config: Values of `DebateConfig`.
        rest: The `config.key=value` parameters, each of which sets one of these.

    Returns:
        A solver; the models of role `judge` decide, or those of `debater_a`, or the
        main model, where it is unbound.

    Raises:
        InputError: If a parameter is not allowed.
    """
    check_choice("order", order, ("ab", "ba", "both"))

    async def hold(asker: Asker, debate: Recorder, _: DebateRecord | None) -> None:
        await judged(asker, debate, judges("debater_a"), [], order)

    return protocol(
        "judge_alone",
        hold,
        parameters={"order": order},
        seed=seed,
        prompts=prompts,
        config=config,
        rest=rest,
    )
