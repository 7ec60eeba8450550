"""CopMAD: two models debate against each other, a judge decides."""

from collections.abc import Mapping
from typing import Any, Literal

from inspect_ai.solver import Solver, solver

from inspect_debate.solvers.judged_debate import Sides, TurnOrder, judged_debate
from inspect_debate.solvers.questions import OrderSetting
from inspect_debate.solvers.questions_wording import COMPETITIVE


@solver
def copmad(
    rounds: int = 2,
    sides: Sides = "free",
    skip_if_agree: bool = False,
    turn_order: TurnOrder = "simultaneous",
    order: OrderSetting = "ab",
    show_openings: bool = False,
    judge_sees_problem: bool = True,
    reuse: str | None = None,
    reuse_until: Literal["answers", "debate"] = "debate",
    seed: int = 0,
    prompts: str | None = None,
    config: Mapping[str, Any] | None = None,
    **rest: Any,
) -> Solver:
    """Competitive debate between two models that answered first (ColMAD's CopMAD).

    Each is to convince the judge of its own answer. Scaffold, tags, quotes, rounds and
    judge are ColMAD's; the paper prints no prompts, so their wording is this suite's.

    Args:
        rounds: As in `colmad`, and so are the others that are not explained here.
        sides: `free`: both answer first and defend what they said; `assigned`: nobody
            answers first, and who defends which of two answers is drawn.
        skip_if_agree: Return an answer on which both models agree. Off here and on in
            `colmad`: 10 of the 12 published CopMAD rows are only possible if items on
            which both agreed were debated, too. So the published difference between the
            two is also one of this rule; run both with both.
        turn_order: Whether both speak at once, or one after the other.
        order: Which answer and defender the judge is shown first.
        show_openings: Whether the first answers are part of the transcript. Off here
            and on in `colmad`: a judge who reads that both gave the same answer has
            their consensus before it, which published CopMAD overturned.
        judge_sees_problem: Whether the judge is shown the item.
        reuse: A log whose answers or debates are used again.
        reuse_until: The last stage to use again.
        seed: Seed of the run.
        prompts: A file laid over the prompts.
        config: Values of `DebateConfig`.
        rest: The `config.key=value` parameters, each of which sets one of these.

    Returns:
        A solver; roles `debater_a`, `debater_b` and `judge`.

    Raises:
        InputError: If a parameter is not allowed.
    """
    return judged_debate(
        "copmad",
        COMPETITIVE,
        rounds=rounds,
        sides=sides,
        skip_if_agree=skip_if_agree,
        turn_order=turn_order,
        order=order,
        show_openings=show_openings,
        judge_sees_problem=judge_sees_problem,
        reuse=reuse,
        reuse_until=reuse_until,
        seed=seed,
        prompts=prompts,
        config=config,
        rest=rest,
    )
