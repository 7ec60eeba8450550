"""The runs whose logs are in `logs/`, and how they are watched, read and compared."""

import asyncio
import hashlib
import importlib.metadata
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest
from inspect_ai import eval
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import (
    ModelCost,
    ModelInfo,
    ModelOutput,
    get_model,
    set_model_info,
)

from tests.frozen.comparing import command, known
from tests.support.commands import as_installed
from tests.support.runs import metrics

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LOGS = HERE / "logs_before"
QUIET: dict[str, Any] = {
    "display": "none",
    "log_realtime": False,
    "log_model_api": False,
    "score_display": False,
    "max_samples": 1,
}

Act = Callable[[int], Awaitable[None]]
"""What is done at a call of a model, which is numbered from 1."""


class Run(NamedTuple):
    """A run: its task with arguments, the models of its roles, how many samples."""

    task: str
    arguments: Mapping[str, Any]
    roles: Mapping[str, str | list[str]]
    samples: int


_PAIR = {
    "debater_a": "simulated/balanced",
    "debater_b": "simulated/hesitant",
    "judge": "simulated/credulous",
}

RUNS = {
    "colmad": Run("colmad", {"source": "sample"}, _PAIR, 3),
    "confidence": Run(
        "confidence",
        {},
        {
            "debater_a": "simulated/escalating",
            "debater_b": "simulated/balanced",
            "judge": ["simulated/credulous", "simulated/coin"],
        },
        2,
    ),
    "srdcr": Run(
        "srdcr",
        {"source": "sample", "rounds": 2, "recall_samples": 2},
        {"debater_a": "simulated/balanced", "judge": "simulated/credulous"},
        2,
    ),
    "generative": Run(
        "generative",
        {"source": "sample", "protocol": "dual_debate"},
        {"debater_a": "simulated/balanced", "judge": "simulated/swayed"},
        2,
    ),
    "debate": Run("debate", {}, _PAIR, 2),
    "judge_check": Run(
        "judge_check",
        {"checks": ["repeat", "order", "orders"]},
        {"judge": "reading_judge/obedient"},
        2,
    ),
}
"""Runs that came to their end."""


CUT = tuple(f"{task}_cut" for task in RUNS)
"""Runs that an error, the user or the machine ended."""


async def _hang(_: int) -> None:
    await asyncio.sleep(60)


async def _slow(_: int) -> None:
    await asyncio.sleep(1.2)


class Limited(NamedTuple):
    """One of `RUNS` under limits, and what is done at which call of a model."""

    run: str
    settings: Mapping[str, Any]
    at: int = 0
    act: Act | None = None


LIMITED = {
    "colmad_tokens": Limited("colmad", {"token_limit": 2500}),
    "confidence_cost": Limited("confidence", {"cost_limit": 0.004}),
    "srdcr_messages": Limited("srdcr", {"message_limit": 3}),
    "generative_time": Limited("generative", {"time_limit": 1}, 3, _hang),
    "debate_working": Limited("debate", {"working_limit": 1}, 3, _slow),
}
"""Runs in which Inspect's limits ended samples."""

_PRICED = ("simulated/escalating", "simulated/balanced", "simulated/credulous")
_PRICE = ModelCost(input=1.0, output=1.0, input_cache_write=1.0, input_cache_read=1.0)


def price_models() -> None:
    """Give the models prices, which `cost_limit` needs."""
    for name in (*_PRICED, "simulated/coin", "none"):
        set_model_info(name, ModelInfo(cost=_PRICE))


class Calls:
    """The calls that reached simulated models, by model."""

    def __init__(self, at: int = 0, act: Act | None = None) -> None:
        self.of: Counter[str] = Counter()
        self._at, self._act = at, act

    async def noted(self, model: str) -> None:
        """Note a call, and do what is to be done at it."""
        self.of[model] += 1
        if self._act and self.of.total() == self._at:
            await self._act(self._at)


@contextmanager
def watched(at: int = 0, act: Act | None = None) -> Iterator[Calls]:
    """Count the calls of simulated models while this lasts.

    Args:
        at: The call at which something is done, from 1.
        act: What is done.
    """
    calls = Calls(at, act)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("simulated/balanced", "reading_judge/unbiased"):
            api = type(get_model(name, memoize=False).api)
            patch.setattr(api, "generate", _noting(api.generate, name, calls))
        yield calls


def _noting(generate: Any, name: str, calls: Calls) -> Any:
    provider = name.split("/")[0]

    async def noted(self: Any, *given: Any, **more: Any) -> ModelOutput:
        await calls.noted(f"{provider}/{self.model_name}")
        made: ModelOutput = await generate(self, *given, **more)
        return made

    return noted


def ran(run: Run, log_dir: Path | str, **settings: Any) -> EvalLog:
    """Make a run, and read its log."""
    (log,) = eval(
        f"inspect_debate/{run.task}",
        task_args=dict(run.arguments),
        model="none",
        model_roles=dict(run.roles),
        limit=run.samples,
        log_dir=str(log_dir),
        **QUIET | settings,
    )
    return read_eval_log(log.location)


def ran_limited(name: str, log_dir: Path | str) -> EvalLog:
    """Make one of the runs of `LIMITED`."""
    what = LIMITED[name]
    if "cost_limit" in what.settings:
        price_models()
    with watched(what.at, what.act):
        return ran(RUNS[what.run], log_dir, **what.settings)


def apart(module: str, *arguments: str) -> str:
    """What the `main` of a module of this folder prints, in a process of its own.

    There the suite is imported as it is installed, which names its tasks, and not from
    the checkout, from which pytest starts.

    Raises:
        RuntimeError: If it fails; with what it wrote to the standard error.
    """
    code = (
        f"import sys; sys.path.append({str(ROOT)!r}); "
        f"from tests.frozen.{module} import main\n"
        "from tests.frozen.replies import as_before\n"
        "from tests.support.at_once import at_once\n"
        "with as_before(), at_once(): main(*sys.argv[1:])"
    )
    environment = {k: v for k, v in os.environ.items() if not k.startswith("INSPECT_")}
    with TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-P", "-c", code, *arguments],
            cwd=folder,
            env=environment | as_installed(Path(folder)) | {"XDG_DATA_HOME": folder},
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        raise RuntimeError(f"{done.returncode}: {done.stderr[-3000:]}")
    return done.stdout


# What is compared.


def scores_of(log: EvalLog) -> dict[str, Any]:
    """All values and measures of a log's scorers, computed from the records."""
    return {
        "status": log.status,
        "metrics": {
            score.name: metrics(log, score.name)
            for score in (log.results.scores if log.results else [])
        },
        "samples": {_id(sample): _sample(sample) for sample in log.samples or []},
    }


def logged_scores(log: EvalLog) -> dict[str, Any]:
    """As `scores_of`, as an old log itself has them."""
    return {
        "status": log.status,
        "metrics": {
            score.name: {name: m.value for name, m in score.metrics.items()}
            for score in (log.results.scores if log.results else [])
        },
        "samples": {
            _id(sample): _sample(sample)
            | {"scores": {n: s.value for n, s in sorted((sample.scores or {}).items())}}
            for sample in log.samples or []
        },
    }


def _id(sample: EvalSample) -> str:
    return f"{sample.id}/{sample.epoch}"


def _sample(sample: EvalSample) -> dict[str, Any]:
    return {
        "error": sample.error and sample.error.message,
        "limit": sample.limit and sample.limit.type,
        "scores": {name: known(sample, name) for name in sorted(sample.scores or {})},
    }


def exported(out: Path, *logs: str | Path) -> dict[str, list[dict[str, Any]]]:
    """The debates and turns of logs, as `inspect-debate export` writes them."""
    result = command("export", *logs, "--out", out, "--format", "jsonl")
    assert result.exit_code == 0, result.output
    return {
        name: [json.loads(line) for line in (out / f"{name}.jsonl").open("rb")]
        for name in ("debates", "turns")
    }


def inspect(*words: str) -> None:
    """A command of `inspect`, in this process."""
    (script,) = importlib.metadata.entry_points(group="console_scripts", name="inspect")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["inspect", *words])
        try:
            script.load()()
        except SystemExit as end:
            if end.code:
                line = " ".join(words)
                raise RuntimeError(f"inspect {line} ended with {end.code}") from end


def digest(text: str) -> str:
    """A short name of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
