"""The name by which Inspect finds the simulated provider."""

from inspect_ai.model import ModelAPI, modelapi


@modelapi(name="simulated")
def simulated() -> type[ModelAPI]:
    """`--model simulated/<profile>`: plays the suite's debates without a network.

    Imported only when it is used. Parameters (`-M name=value`, or `model_args` of a
    `--model-role`) are those of `inspect_debate.models.behaviour.Behaviour`.
    """
    from inspect_debate.models.simulated import Simulated

    return Simulated
