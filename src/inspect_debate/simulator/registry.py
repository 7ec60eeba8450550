"""The name by which Inspect finds the simulated provider."""

from inspect_ai.model import ModelAPI, modelapi


@modelapi(name="simulated")
def simulated() -> type[ModelAPI]:
    """`--model simulated/<profile>`: plays the suite's debates without a network.

    Imported only when it is used. Parameters (`-M name=value`, or `model_args` of a
    `--model-role`) are those of `inspect_debate.simulator.behaviour.Behaviour`.
    """
    from inspect_debate.simulator.simulated import Simulated

    return Simulated


@modelapi(name="reading_judge")
def reading_judge() -> type[ModelAPI]:
    """`--model reading_judge/<bias>`: judges debates by the text of its prompt.

    Imported only when it is used. Its biases and parameters (`-M strength=`, `noise=`,
    `seed=`) are in `inspect_debate.simulator.reading_judge`.
    """
    from inspect_debate.simulator.reading_judge import ReadingJudge

    return ReadingJudge
