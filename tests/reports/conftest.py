"""Logs as Inspect writes them, from a few numbers per sample."""

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from math import nan
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalResults,
    EvalSample,
    EvalSampleLimit,
    EvalSpec,
    EvalStats,
    write_eval_log,
)
from inspect_ai.model import GenerateConfig, ModelConfig, ModelUsage
from inspect_ai.scorer import Score

from inspect_debate.debate.record import Debate, Turn

PROCESS = {
    **{f"{what}_lost": 0 for what in ("answers", "speeches", "verdicts")},
    **dict.fromkeys(("unparsed", "refused", "truncated", "capped", "missing"), 0),
    **{"debated": 0, "speeches": 0, "verdicts": 0, "reminders": 0, "concessions": 0},
    **{"quotes": 0, "quotes_verified": 0, "words": nan, "first_listed": 0},
    **{
        f"{what}_{who}": nan
        for what in ("first", "final", "confidence")
        for who in "ab"
    },
}
WriteLog = Callable[..., str]


def sample(
    id: str,
    target: str = "error",
    prediction: float = nan,
    *,
    epoch: int = 1,
    subset: str = "math",
    author: str = "gpt4",
    group: str = "",
    process: Mapping[str, float] | None = None,
    scores: Mapping[str, Mapping[str, float]] | None = None,
    error: str = "",
    limit: bool = False,
    turns: Sequence[Turn] = (),
    metadata: Mapping[str, Any] | None = None,
) -> EvalSample:
    """A sample as the task `colmad` leaves it."""
    gold = float(target == "error")
    values: dict[str, Mapping[str, float]] = {
        "error_detection": {
            "correct": 1 - abs(gold - prediction),
            "prediction": prediction,
            "gold": gold,
        },
        "process": {**PROCESS, **(process or {})},
        **(scores or {}),
    }
    debate = Debate(protocol="colmad", turns=list(turns))
    failed = bool(error or limit)
    return EvalSample(
        id=id,
        epoch=epoch,
        input=f"Item {id}",
        target=target,
        metadata={
            "task": f"Task of {id}",
            "response": "Response in four words",
            "subset": subset,
            "response_author": author,
            "input_group": group or id,
            "categories": ["Reasoning"] if target == "error" else [],
            **(metadata or {}),
        },
        scores=None if failed else {k: Score(value={**v}) for k, v in values.items()},
        error={"message": error, "traceback": "", "traceback_ansi": ""}
        if error
        else None,  # type: ignore[arg-type]  # pydantic makes it an error
        limit=EvalSampleLimit(type="token", limit=1) if limit else None,
        store={"debate": debate.model_dump_json()} if turns else {},
        model_usage={"m": ModelUsage(total_tokens=100, total_cost=0.5)},
        started_at="2026-01-01T00:00:00+00:00",
        completed_at="2026-01-01T00:00:10+00:00",
        total_time=10,
    )


@pytest.fixture
def write_log(tmp_path: Path) -> WriteLog:
    """Write a log and return its path; see the arguments of `write`."""
    numbers = count(1)

    def write(
        samples: Sequence[EvalSample],
        protocol: str = "colmad",
        *,
        changed: Mapping[str, Any] | None = None,
        model: str = "openai/gpt-4o-mini",
        roles: Mapping[str, str | list[str]] | None = None,
        settings: Mapping[str, Any] | None = None,
        study: str | None = "colmad",
        task_id: str = "",
        metadata: Mapping[str, Any] | None = None,
        parameters: Mapping[str, Any] | None = None,
        solver: str | None = None,
        solver_args: Mapping[str, Any] | None = None,
        task: str = "inspect_debate/colmad",
        status: str = "success",
    ) -> str:
        number = next(numbers)
        changed = dict(changed or {})
        about = {
            "study": study,
            "protocol": protocol,
            "changed": changed,
            "parameters": {"rounds": 2, "seed": 0, **(parameters or {}), **changed},
            "data": {"source": "sample"},
            **(metadata or {}),
        }
        bound = {
            role: [ModelConfig(model=m) for m in of]
            if isinstance(of, list)
            else ModelConfig(model=of)
            for role, of in (roles or {}).items()
        }
        log = EvalLog(
            status=status,  # type: ignore[arg-type]  # any status, as text
            eval=EvalSpec(
                created=f"2026-01-01T00:{number:02}:00+00:00",
                task=task,
                task_id=task_id or f"task{number}",
                dataset=EvalDataset(
                    sample_ids=list(dict.fromkeys(s.id for s in samples))
                ),
                model=model,
                model_roles=bound,
                model_generate_config=GenerateConfig(**(settings or {})),
                config=EvalConfig(),
                metadata=about if study else None,
                solver=solver,
                solver_args=dict(solver_args or {}) if solver else None,
                solver_args_passed=dict(solver_args or {}) if solver else {},
                packages={"inspect_ai": "1.0"},
            ),
            stats=EvalStats(
                started_at="2026-01-01T00:00:00+00:00",
                completed_at="2026-01-01T00:01:00+00:00",
            ),
            results=EvalResults(),
            samples=list(samples),
        )
        path = str(tmp_path / f"log_{number:02}.eval")
        write_eval_log(log, path)
        return path

    return write
