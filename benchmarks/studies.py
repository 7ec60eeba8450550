"""The studies that are measured, with simulated models on shipped or made-up data."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from inspect_ai import Task, eval

from benchmarks import made_data
from inspect_debate.evals.colmad import colmad
from inspect_debate.evals.confidence import confidence
from inspect_debate.evals.debate import debate
from inspect_debate.evals.generative import generative
from inspect_debate.evals.srdcr import srdcr

Given = Mapping[str, Any]
"""Parameters of a task."""

Roles = Mapping[str, str | list[str]]
"""Models, a list for a panel."""

A, B, C, D = (
    f"simulated/{name}" for name in ("balanced", "hesitant", "swayed", "escalating")
)
_PAIR = {"debater_a": A, "debater_b": B}
_JUDGED = _PAIR | {"judge": C}
# One model proposes, as in the study.
_PROPOSES = {"debater_a": A, "judge": C}


class Study(NamedTuple):
    """A task, and four runs of it, of which the first is what is measured alone.

    Attributes:
        task: Makes the task.
        runs: The parameters and the models of each run; `reuse` is the first one's log.
        shipped: The parameters that choose the shipped data.
        made: Makes data of so many samples in a folder, and the parameters for them.
        alone: Further parameters where the first run is measured.
    """

    task: Callable[..., Task]
    runs: Sequence[tuple[Given, Roles]]
    shipped: Given
    made: Callable[[int, Path], Given]
    alone: Given | None = None


def make_logs(study: str, folder: Path, samples: int | None = None) -> Path:
    """Run a study.

    Args:
        study: A name in `STUDIES`.
        folder: For the logs and what they need.
        samples: How many made-up samples in all runs together, rounded up to a multiple
            of the runs; None for the shipped ones.

    Returns:
        The folder of the logs.
    """
    task, runs, data, made, _ = STUDIES[study]
    if samples is not None:
        data = made(-(-samples // len(runs)), folder)
    first = ""
    for given, roles in runs:
        (log,) = eval(
            task(**{**data, **given} | ({"reuse": first} if "reuse" in given else {})),
            model="none",
            model_roles=dict(roles),
            log_dir=str(folder / "logs"),
            display="none",
            log_level="error",
            log_realtime=False,
            score_display=False,
        )
        assert log.status == "success", log.error
        first = first or log.location
    return folder / "logs"


def _passages(samples: int, folder: Path) -> Given:
    # Each question is two samples, with the right and the perturbed passage.
    count = -(-samples // 2)
    return {"source": str(made_data.passages(count, folder)), "questions": count}


def _as(name: str, made: Callable[[int, Path], Path]) -> Callable[[int, Path], Given]:
    return lambda samples, folder: {name: str(made(samples, folder))}


def _runs(roles: Roles, *protocols: str, **given: Any) -> list[tuple[Given, Roles]]:
    return [({"protocol": protocol, **given}, roles) for protocol in protocols]


_SHIPPED = {"source": "sample"}
# So that a server can tell candidates apart.
_SEEDS = {kind: {"seed": 1} for kind in ("answer", "speech")}
_JURY: Roles = {"debater_a": A, "debater_b": D, "judge": [A, B, C]}
_AGAIN = ("dual_debate", "dual_consultancy", "dual_no_transcript")

STUDIES = {
    "colmad": Study(
        colmad,
        _runs(_JUDGED, "colmad", "copmad") + _runs(_PAIR, "ensemble", "som"),
        _SHIPPED,
        _as("source", made_data.responses),
    ),
    "confidence": Study(
        confidence,
        [({}, _JURY), *_runs({"debater_a": D}, "self", "informed_self", "public")],
        {},
        _as("motions", made_data.motions),
    ),
    "srdcr": Study(
        srdcr,
        _runs({"debater_a": A}, "srdcr", "naive_debate", "rci", "self_ask"),
        _SHIPPED,
        _passages,
    ),
    "generative": Study(
        generative,
        [
            ({"best_of": 4}, _PROPOSES),
            *_runs(_PROPOSES, *_AGAIN, reuse="first"),
        ],
        _SHIPPED,
        _as("source", made_data.grids),
        {"config": _SEEDS},
    ),
    "debate": Study(
        debate,
        _runs(_JUDGED, "copmad", "consultancy")
        + _runs({"judge": C}, "judge_alone", hidden="passage")
        + _runs({"judge": C}, "judge_alone", hidden="nothing"),
        {},
        _as("dataset", made_data.questions),
    ),
}
"""Studies by the names of their reports."""
