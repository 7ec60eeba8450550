"""What the suite costs beyond its model calls, beside plain Inspect.

    uv run python benchmarks/run.py [PART ...]

Replies are recorded from simulated models and played back: to the suite, and to a
solver that makes the same calls, as many at once, and nothing else. Pairs run in turn;
figures are medians of three. Parts: debates, waiting, starts, memory, report, prompts,
grading.
"""

import cProfile
import os
import pstats
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import mkdtemp
from typing import Any, ClassVar

import anyio
from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import ModelAPI, ModelOutput, get_model, modelapi
from inspect_ai.scorer import match
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import collect

from inspect_debate.datasets.bigcodebench import bigcodebench
from inspect_debate.grading.bubblewrap import BubblewrapConfig, BubblewrapSandbox
from inspect_debate.grading.code import Problem
from inspect_debate.grading.grade import grade

STUDIES: dict[str, dict[str, Any]] = {
    "colmad": {"source": "sample", "skip_if_agree": False},
    "srdcr": {"source": "sample", "skip_if_agree": False},
    "confidence": {"protocol": "self"},
    "generative": {"source": "sample"},
}
HELLO = """
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
@task
def hello() -> Task:
    return Task([Sample("Say hello.")])
"""
FOLDER = Path(mkdtemp())
SIMULATED, QUIET = "simulated/balanced", {"display": "none", "score_display": False}
Row = tuple[str | float, ...]


def texts(messages: Any) -> tuple[str, ...]:
    return tuple(message.text for message in messages)


class Recorded(ModelAPI):
    """Gives the simulated models' first reply to each prompt, after a while."""

    replies: ClassVar[dict[tuple[str, ...], ModelOutput]] = {}
    seconds = 0.0

    async def generate(self, input: Any, *rest: Any, **more: Any) -> ModelOutput:
        if self.seconds:
            await anyio.sleep(self.seconds)
        if (prompt := texts(input)) not in self.replies:
            model: Any = get_model(SIMULATED).api
            self.replies[prompt] = await model.generate(input, *rest, **more)
        return self.replies[prompt].model_copy(deep=True)

    def max_connections(self) -> int:
        return 1000


@modelapi("recorded")
def recorded_model() -> type[ModelAPI]:
    return Recorded


def run(what: Any, model: str = "recorded/it", **options: Any) -> EvalLog:
    """Run a task; no log in real time, which costs both sides the same."""
    more: dict[str, Any] = {"log_dir": str(FOLDER), "log_realtime": False} | QUIET
    (log,) = eval(what, model=model, **more, **options)
    if log.status != "success":
        raise SystemExit(f"{log.location}: {log.error and log.error.message[:500]}")
    return log


def ours(study: str, limit: int, model: str = "recorded/it", **options: Any) -> EvalLog:
    name, given = f"inspect_debate/{study}", STUDIES[study]
    return run(name, model, task_args=given, limit=limit, **options)


def calls_of(log: EvalLog) -> Iterator[tuple[EvalSample, list[Any]]]:
    """Samples with their calls."""
    for sample in read_eval_log(log.location, resolve_attachments=True).samples or []:
        yield sample, [event for event in sample.events if event.event == "model"]


@solver
def plain(stages: dict[Any, list[list[Any]]]) -> Solver:
    """Makes the calls that were recorded, those of a stage at once."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        for stage in stages[state.sample_id]:
            calls = [get_model().generate(c.input, config=c.config) for c in stage]
            state.output = (await collect(*calls))[-1]
        return state

    return solve


def recorded(study: str, limit: int) -> tuple[Task, int]:
    """A task with the calls of a study, and how many of them follow each other."""
    Recorded.seconds = 0.1  # so that what runs at once overlaps
    log = ours(study, limit)
    Recorded.seconds = 0
    stages: dict[Any, list[list[Any]]] = {}
    samples = []
    for one, calls in calls_of(log):
        about: dict[str, Any] = {"target": one.target, "metadata": one.metadata}
        samples.append(Sample(one.input, choices=one.choices, id=one.id, **about))
        found, ended = stages.setdefault(one.id, []), None
        for call in calls:
            if ended is None or call.timestamp >= ended:
                found.append([])
            found[-1].append(call)
            ended = max(filter(None, [ended, call.completed]))
    task = Task(MemoryDataset(samples), solver=plain(stages), scorer=match())
    return task, max(map(len, stages.values()))


def pairs(measure: Callable[[Any], float], *what: Any) -> list[float]:
    rounds = [[measure(one) for one in what] for _ in range(3)]
    return [median(row) for row in zip(*rounds, strict=True)]


def function_calls(do: Callable[[], Any]) -> float:
    profile = cProfile.Profile()
    profile.runcall(do)
    return float(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]  # missing in typeshed


def timed(clock: Callable[[], float], do: Callable[[], Any]) -> float:
    start = clock()
    do()
    return clock() - start


def child(*command: str) -> tuple[float, float]:
    """CPU seconds and peak MiB of a process."""
    null, cwd = subprocess.DEVNULL, FOLDER if "hello.py" in command else None
    process = subprocess.Popen(command, stdout=null, stderr=null, cwd=cwd)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)} failed")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def debates() -> Iterator[Row]:
    for study in STUDIES:
        bare, _ = recorded(study, 20)
        both = (lambda: ours(study, 20), lambda: run(bare))
        a, b = pairs(function_calls, *both)
        yield f"function calls, 20 of {study}", f"{a:,.0f}", f"{b:,.0f}", a / b
        a, b = pairs(partial(timed, time.process_time), *both)
        yield f"CPU, 20 of {study}", f"{a:.2f} s", f"{b:.2f} s", a / b


def waiting() -> Iterator[Row]:
    for study in STUDIES:
        for limit in (1, 20):
            bare, depth = recorded(study, limit)
            Recorded.seconds = 0.2
            both = (lambda: ours(study, limit), lambda: run(bare))
            a, b = pairs(partial(timed, time.perf_counter), *both)
            Recorded.seconds = 0
            yield (
                f"wall over {depth} x 200 ms, {limit} of {study}",
                *(f"{one / depth / 0.2:.2f}" for one in (a, b)),
            )


def starts() -> Iterator[Row]:
    (FOLDER / "hello.py").write_text(HELLO)
    listed = ("inspect", "list", "tasks")
    evaluated = ("inspect", "eval", "--display", "none", "--log-dir", str(FOLDER))
    study = ("evals/colmad.py", "-T", "source=sample", "--limit", "1")
    for name, mine, its in (
        ("inspect list tasks", (*listed, "evals"), (*listed, "hello.py")),
        (
            "inspect eval, one item",
            (*evaluated, *study, "--model", SIMULATED),
            (*evaluated, "hello.py", "--model", "mockllm/model"),
        ),
    ):
        a, b = pairs(lambda command: child(*command)[0], mine, its)
        yield f"CPU, {name}", f"{a:.2f} s", f"{b:.2f} s", a / b
    [seconds] = pairs(lambda command: child(*command)[0], ("inspect-debate", "--help"))
    yield "CPU, inspect-debate --help", f"{seconds:.2f} s"


def memory() -> Iterator[Row]:
    run_many = (sys.executable, __file__, "many")
    a, b = (child(*run_many, which)[1] for which in ("ours", "plain"))
    yield "memory, 10,000 of colmad", f"{a:.0f} MiB", f"{b:.0f} MiB", a / b


def many(which: str) -> None:
    bare, _ = recorded("colmad", 20)
    _ = ours("colmad", 20, epochs=500) if which == "ours" else run(bare, epochs=500)


def report() -> Iterator[Row]:
    command = ("inspect-debate", "report", "colmad", "--out", str(FOLDER / "report"))
    for epochs in (1, 500):
        log = ours("colmad", 20, SIMULATED, epochs=epochs).location
        seconds, size = child(*command, log)
        yield f"report of {20 * epochs:,} samples", f"{seconds:.1f} s, {size:.0f} MiB"


def prompts() -> Iterator[Row]:
    """The share of input that an earlier call of the same debate began with."""
    for study in STUDIES:
        total = shared = 0
        for _, calls in calls_of(ours(study, 20, SIMULATED)):
            inputs = ["\n".join(texts(call.input)) for call in calls]
            for n, one in enumerate(inputs):
                total += len(one)
                prefixes = (os.path.commonprefix([one, e]) for e in inputs[:n])  # noqa: RUF071 of texts
                shared += max(map(len, prefixes), default=0)
        yield f"shared prefixes of prompts, {study}", f"{shared / total:.0%}"


def grading() -> Iterator[Row]:
    box, bare, found = BubblewrapSandbox(BubblewrapConfig()), FOLDER / "bare.py", []
    for sample in bigcodebench(source="sample").samples:
        problem, program = Problem.of(sample.id, sample.metadata or {}), sample.target
        tests = f"{problem.test}\nimport unittest\nunittest.main()"
        bare.write_text(f"{program}\n{tests}")
        a, b = pairs(
            partial(timed, time.perf_counter),
            lambda: anyio.run(partial(grade, str(program), problem, box=box)),
            lambda: subprocess.run([sys.executable, bare], capture_output=True),
        )
        found.append((a / b, f"{a:.2f} s", f"{b:.2f} s"))
    ratio, mine, its = sorted(found)[len(found) // 2]
    yield "grading a program of our sample", mine, its, ratio


if __name__ == "__main__":
    if sys.argv[1:2] == ["many"]:
        many(sys.argv[2])
        sys.exit()
    for part in (debates, waiting, starts, memory, report, prompts, grading):
        for row in part() if part.__name__ in (sys.argv[1:] or part.__name__) else ():
            cells = [f"{c:.2f}" if isinstance(c, float) else c for c in row]
            print("|", " | ".join(cells), "|", flush=True)
