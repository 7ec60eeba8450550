"""Logs of invented runs, written without running anything."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalError,
    EvalLog,
    EvalPlan,
    EvalPlanStep,
    EvalSample,
    EvalSampleLimit,
    EvalSpec,
    write_eval_log,
)
from inspect_ai.model import GenerateConfig, ModelUsage
from inspect_ai.scorer import Score, Value

from inspect_debate.v1.reports.compare.comparison import Comparison, compare

NAN = float("nan")

_DAY = "2026-05-01T00:00:{:02d}+00:00"


def scored(
    id: int | str,
    value: Value | None,
    epoch: int = 1,
    *,
    scorer: str = "match",
    tokens: int | None = 10,
    cost: float | None = None,
    turns: int | None = 1,
    error: str | None = None,
    limit: bool = False,
    **fields: Any,
) -> EvalSample:
    """A sample with a score, or, with `None`, without."""
    usage = ModelUsage(total_tokens=tokens or 0, total_cost=cost)
    return EvalSample(
        id=id,
        epoch=epoch,
        input=fields.pop("input", f"Question {id}?"),
        target=fields.pop("target", "42"),
        scores=None if value is None else {scorer: Score(value=value)},
        model_usage={} if tokens is None else {"m": usage},
        turn_count=turns,
        error=EvalError(message=error, traceback="", traceback_ansi="")
        if error
        else None,
        limit=EvalSampleLimit(type="token", limit=5) if limit else None,
        **fields,
    )


def samples(values: Sequence[Value | None], **fields: Any) -> list[EvalSample]:
    """A sample of each value, with the ids 1, 2, ..."""
    return [scored(n, value, **fields) for n, value in enumerate(values, start=1)]


def log(
    folder: Path,
    given: Sequence[EvalSample],
    *,
    name: str | None = None,
    form: str = "eval",
    steps: Mapping[str, Mapping[str, Any]] | None = None,
    settings: GenerateConfig | None = None,
    config: Mapping[str, Any] | None = None,
    status: Any = "success",
    **spec: Any,
) -> Path:
    """Write the log of a run, each later than the one before."""
    number = len(list(folder.iterdir()))
    path = folder / f"{name or f'log{number}'}.{form}"
    header = EvalSpec(
        **{
            "created": _DAY.format(number),
            "task": "sums",
            "task_id": f"task {number}",
            "dataset": EvalDataset(name="sums"),
            "model": "m/one",
            "packages": {"inspect_ai": "1"},
            **spec,
        },
        model_generate_config=settings or GenerateConfig(),
        config=EvalConfig(**(config or {})),
    )
    plan = EvalPlan(
        steps=[
            EvalPlanStep(solver=solver, params=dict(params))
            for solver, params in (steps or {"generate": {}}).items()
        ]
    )
    write_eval_log(
        EvalLog(status=status, eval=header, plan=plan, samples=list(given)), str(path)
    )
    return path


def two(
    folder: Path,
    a: Sequence[Value | None],
    b: Sequence[Value | None],
    *,
    metric: str = "match",
    margin: float | None = None,
    **fields: Any,
) -> Comparison:
    """Two models on the same samples compared."""
    paths = [
        log(folder, samples(values, **fields), model=model)
        for values, model in ((a, "m/one"), (b, "m/two"))
    ]
    return compare(paths, metric, margin=margin)
