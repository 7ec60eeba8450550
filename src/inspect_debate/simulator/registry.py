"""The name by which Inspect finds simulated models."""

from inspect_ai.model import ModelAPI, modelapi


@modelapi(name="simulated")
def simulated() -> type[ModelAPI]:
    """`--model simulated/balanced`: plays the suite's debates without a network."""
    from inspect_debate.simulator.simulated import Simulated

    return Simulated
