"""The runs that a report of each study is made from, with simulated models."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from inspect_ai import Task, eval

from benchmarks import made_data
from inspect_debate.evals.colmad import colmad
from inspect_debate.evals.confidence import confidence
from inspect_debate.evals.debate import debate
from inspect_debate.evals.generative import generative
from inspect_debate.evals.srdcr import srdcr

A, B, C, D = (
    f"simulated/{name}" for name in ("balanced", "hesitant", "swayed", "escalating")
)
_PAIR = {"debater_a": A, "debater_b": B}
_JUDGED = _PAIR | {"judge": C}

Data = Mapping[str, Any]
"""The parameters of a task that choose its data."""


class Run(NamedTuple):
    """A task, made from the log of the first run if there is one, and its models."""

    task: Callable[[str | None], Task]
    roles: Mapping[str, str | Sequence[str]] = _JUDGED


class Study(NamedTuple):
    """Four runs of a study: on the data that ship with it, or on made-up ones.

    Attributes:
        runs: The runs on some data.
        shipped: Chooses the shipped data.
        made: Makes data of so many samples in a folder.
    """

    runs: Callable[[Data], Iterator[Run]]
    shipped: Data
    made: Callable[[int, Path], Data]


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
    runs, data, made = STUDIES[study]
    if samples is not None:
        data = made(-(-samples // 4), folder)
    first: str | None = None
    for run in runs(data):
        (log,) = eval(
            run.task(first),
            model="none",
            model_roles={role: _models(names) for role, names in run.roles.items()},
            log_dir=str(folder / "logs"),
            display="none",
            log_level="error",
            log_realtime=False,
            score_display=False,
        )
        assert log.status == "success", log.error
        first = first or log.location
    return folder / "logs"


def _models(names: str | Sequence[str]) -> str | list[str]:
    return names if isinstance(names, str) else list(names)


def _colmad(data: Data) -> Iterator[Run]:
    for protocol in ("colmad", "copmad", "ensemble", "som"):
        roles = _JUDGED if protocol.endswith("mad") else _PAIR
        yield Run(_of(colmad, protocol=protocol, **data), roles)


def _confidence(data: Data) -> Iterator[Run]:
    jury = {"debater_a": A, "debater_b": D, "judge": [A, B, C]}
    yield Run(_of(confidence, **data), jury)
    for protocol in ("self", "informed_self", "public"):
        yield Run(_of(confidence, protocol=protocol, **data), {"debater_a": D})


def _debate(data: Data) -> Iterator[Run]:
    for protocol in ("copmad", "consultancy"):
        yield Run(_of(debate, protocol=protocol, **data))
    for hidden in ("passage", "nothing"):
        task = _of(debate, protocol="judge_alone", hidden=hidden, **data)
        yield Run(task, {"judge": C})


def _generative(data: Data) -> Iterator[Run]:
    # One model proposes, as in the study.
    roles = {"debater_a": A, "judge": C}
    yield Run(_of(generative, best_of=4, **data), roles)
    for protocol in ("dual_debate", "dual_consultancy", "dual_no_transcript"):
        yield Run(partial(_judged_again, protocol, data), roles)


def _judged_again(protocol: Any, data: Data, first: str | None) -> Task:
    return generative(protocol, reuse=first, **data)


def _srdcr(data: Data) -> Iterator[Run]:
    # One model has all roles, as in the study.
    for protocol in ("srdcr", "naive_debate", "rci", "self_ask"):
        yield Run(_of(srdcr, protocol=protocol, **data), {"debater_a": A})


def _passages(samples: int, folder: Path) -> Data:
    # Each question is two samples, with the right and the perturbed passage.
    count = -(-samples // 2)
    return {"source": str(made_data.passages(count, folder)), "questions": count}


def _named(name: str, made: Callable[[int, Path], Path]) -> Callable[..., Data]:
    return lambda samples, folder: {name: str(made(samples, folder))}


def _of(task: Callable[..., Task], **given: Any) -> Callable[[str | None], Task]:
    """A task that uses no earlier run."""
    return lambda first: task(**given)


_SHIPPED = {"source": "sample"}

STUDIES = {
    "colmad": Study(_colmad, _SHIPPED, _named("source", made_data.responses)),
    "confidence": Study(_confidence, {}, _named("motions", made_data.motions)),
    "srdcr": Study(_srdcr, _SHIPPED, _passages),
    "generative": Study(_generative, _SHIPPED, _named("source", made_data.grids)),
    "debate": Study(_debate, {}, _named("dataset", made_data.questions)),
}
"""Studies by the names of their reports."""
