"""ColMAD: two models examine a question together, a judge decides (Algorithm 1)."""

from collections.abc import Mapping
from typing import Any, Literal

from inspect_ai.solver import Solver, solver

from inspect_debate.solvers.judged_debate import Sides, TurnOrder, judged_debate
from inspect_debate.solvers.questions import OrderSetting
from inspect_debate.solvers.questions_wording import COLLABORATIVE


@solver
def colmad(
    rounds: int = 2,
    sides: Sides = "free",
    skip_if_agree: bool = True,
    turn_order: TurnOrder = "simultaneous",
    order: OrderSetting = "ab",
    show_openings: bool = True,
    judge_sees_problem: bool = True,
    reuse: str | None = None,
    reuse_until: Literal["answers", "debate"] = "debate",
    seed: int = 0,
    prompts: str | None = None,
    config: Mapping[str, Any] | None = None,
    **rest: Any,
) -> Solver:
    """Collaborative debate between two models that answered first (Algorithm 1).

    Args:
        rounds: Rounds of speeches after the first answers; 0 lets the judge decide on
            the first answers alone.
        sides: `free`: both answer first and defend what they said; `assigned`: nobody
            answers first, and who defends which of two answers is drawn.
        skip_if_agree: Return an answer on which both models agree, without a debate
            and without a judge (lines 4, 13 and 14).
        turn_order: `simultaneous`: both speak knowing the rounds before (lines 7 and
            8); `sequential`: the second speaker of a round has read the first.
        order: Which answer and defender the judge is shown first.
        show_openings: Whether the first answers are part of the transcript, for the
            other debater and the judge (lines 5 and 11).
        judge_sees_problem: Whether the judge is shown the item (Appendix C).
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
        "colmad",
        COLLABORATIVE,
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
