"""The name by which Inspect finds the simulated provider."""

from inspect_ai.model import ModelAPI, modelapi


@modelapi(name="reading_judge")
def reading_judge() -> type[ModelAPI]:
    """`--model reading_judge/<bias>`: judges debates by the text of its prompt.

    Imported only when it is used. Its biases and parameters (`-M strength=`, `noise=`,
    `seed=`) are in `inspect_debate.v1.simulator.reading_judge`.
    """
    from inspect_debate.v1.simulator.reading_judge import ReadingJudge

    return ReadingJudge
