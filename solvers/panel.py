"""Who sits where: debaters and judges as seats, and what to say about them."""

from collections.abc import Sequence

from inspect_debate.core.models import model_for, models_for
from inspect_debate.core.recording import Recorder
from inspect_debate.solvers.detection import Seat


def debaters() -> tuple[Seat, Seat]:
    """The two debaters; an unbound one is the main model."""
    return (
        Seat("debater_a", "debater_a", model_for("debater_a")),
        Seat("debater_b", "debater_b", model_for("debater_b")),
    )


def judges() -> list[Seat]:
    """The judges; where none is bound, debater A's model judges, as in the paper."""
    models = models_for("judge", "debater_a")
    if len(models) == 1:
        return [Seat("judge", "judge", models[0])]
    return [Seat(f"judge_{n}", "judge", m) for n, m in enumerate(models, start=1)]


def warn_of_shared_models(
    debate: Recorder, debating: Sequence[Seat], bench: Sequence[Seat]
) -> None:
    """Say when one model sits in several seats; it stands in the record, too."""
    first, second = (str(seat.model) for seat in debating)
    if first == second:
        debate.warn(
            f"{first} is both debater_a and debater_b. At temperature 0 a model hardly "
            "ever disagrees with itself: look at the debated share first, or bind two "
            "models with --model-role."
        )
    for judge in bench:
        if str(judge.model) in (first, second):
            debate.warn(f"The judge {judge.model} is also a debater.")
