"""The judge without a debate: what does it know by itself?"""

from typing import Literal

from inspect_ai.solver import Generate, Solver, TaskState, solver

from inspect_debate.core.config import DebateConfig, load_config
from inspect_debate.core.conversation import show
from inspect_debate.core.prompts import load_prompts
from inspect_debate.core.question import error_detection_question
from inspect_debate.core.recording import recording
from inspect_debate.core.sides import orders
from inspect_debate.solvers.detection import Detection
from inspect_debate.solvers.seats import judges


@solver
def judge_alone(
    order: Literal["ab", "ba", "both"] = "ab",
    seed: int = 0,
    prompts: str | None = None,
    config: dict[str, object] | None = None,
) -> Solver:
    """Every judge decides on the item alone.

    Args:
        order: Which answer is listed first; `both` asks twice.
        seed: Seed of the run.
        prompts: A file laid over the study's prompts.
        config: Values of `DebateConfig`.

    Returns:
        A solver; the models of role `judge` decide, or those of `debater_a`, or the
        main model, where it is unbound.
    """
    texts = load_prompts("colmad", prompts)
    settings = load_config(DebateConfig, config)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question = error_detection_question(state)
        detection = Detection(question, texts, settings, seed)
        async with recording(
            state,
            study="colmad",
            protocol="judge_alone",
            parameters={"order": order} | settings.model_dump(mode="json"),
            prompts=texts,
            question=question,
            seed=seed,
        ) as debate:
            bench = judges()
            debate.participants = [detection.participant(j, "verdict") for j in bench]
            await debate.together(
                *(
                    detection.verdict(judge, shown, debaters=[], turns=[])
                    for judge in bench
                    for shown in orders(order, question.epoch)
                )
            )
        return show(state)

    return solve
