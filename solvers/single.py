"""The single-model detector: one answer, the baseline of every debate."""

from inspect_ai.solver import Generate, Solver, TaskState, solver

from inspect_debate.core.config import DebateConfig, load_config
from inspect_debate.core.conversation import show
from inspect_debate.core.models import model_for
from inspect_debate.core.prompts import load_prompts
from inspect_debate.core.question import error_detection_question
from inspect_debate.core.recording import recording
from inspect_debate.solvers.detection import Detection
from inspect_debate.solvers.seats import Seat


@solver
def single(
    seed: int = 0, prompts: str | None = None, config: dict[str, object] | None = None
) -> Solver:
    """One model answers for itself (ReaLMistake's detector; ColMAD's "single agent").

    Args:
        seed: Seed of the run.
        prompts: A file laid over the study's prompts.
        config: Values of `DebateConfig`.

    Returns:
        A solver; role `debater_a` answers, or the main model where it is unbound.
    """
    texts = load_prompts("colmad", prompts)
    settings = load_config(DebateConfig, config)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question = error_detection_question(state)
        detection = Detection(question, texts, settings, seed)
        async with recording(
            state,
            study="colmad",
            protocol="single",
            parameters=settings.model_dump(mode="json"),
            prompts=texts,
            question=question,
            seed=seed,
        ) as debate:
            detector = Seat("debater_a", "debater_a", model_for("debater_a"))
            debate.participants = [detection.participant(detector, "answer")]
            await debate.together(detection.answer(detector))
        return show(state)

    return solve
