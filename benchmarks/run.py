"""What the suite costs beyond its model calls, beside plain Inspect.

    uv run python benchmarks/run.py [PART ...]

Replies of simulated models are recorded and played back: to the suite, and to a solver
that makes the same calls, as many at once, and nothing else. Figures are medians of
three pairs, run in turn.
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
from typing import Any

import anyio
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, read_eval_log
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
SIMULATED = "simulated/balanced"
Row = tuple[str | float, ...]
replies: dict[str, ModelOutput] = {}
wait = [0.0]


class Recorded(ModelAPI):
    """Gives the simulated models' first reply to each prompt, after a while."""

    async def generate(self, input: Any, *rest: Any, **more: Any) -> ModelOutput:
        await anyio.sleep(wait[0])
        if (prompt := read(input)) not in replies:
            model: Any = get_model(SIMULATED).api
            replies[prompt] = await model.generate(input, *rest, **more)
        return replies[prompt].model_copy(deep=True)

    def max_connections(self) -> int:
        return 1000


@modelapi("recorded")
def recorded_model() -> type[ModelAPI]:
    return Recorded


def read(messages: Any) -> str:
    return "\n".join(message.text for message in messages)


def run(what: Any, model: str = "recorded/it", **options: Any) -> EvalLog:
    """Run a task; no log in real time, which costs both sides the same."""
    quiet = {"display": "none", "score_display": False, "log_realtime": False}
    options = {"log_dir": str(FOLDER), **quiet, **options}
    return eval(what, model=model, **options)[0]


def ours(study: str, limit: int, **options: Any) -> EvalLog:
    options = {"task_args": STUDIES[study], "limit": limit, **options}
    return run(f"inspect_debate/{study}", **options)


def calls_of(log: EvalLog) -> Iterator[tuple[Any, list[Any]]]:
    """Samples with their calls."""
    for sample in read_eval_log(log.location, resolve_attachments=True).samples or []:
        yield sample, [event for event in sample.events if event.event == "model"]


@solver
def plain(stages: dict[Any, list[list[Any]]]) -> Solver:
    """Makes the calls that were recorded, those of a stage at once."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        for stage in stages[state.sample_id]:
            calls = [
                get_model().generate(
                    [type(m)(content=m.content) for m in call.input], config=call.config
                )
                for call in stage
            ]
            state.output = (await collect(*calls))[-1]
        return state

    return solve


def recorded(study: str, limit: int) -> tuple[Task, int]:
    """A task with the calls of a study, and how many of them follow each other."""
    wait[0] = 0.1  # so that what runs at once overlaps
    log = ours(study, limit)
    wait[0] = 0.0
    stages: dict[Any, list[list[Any]]] = {}
    samples = []
    for one, calls in calls_of(log):
        keys = {"input", "choices", "target", "id", "metadata"}
        samples.append(Sample.model_validate(one.model_dump(include=keys)))
        found, ended = stages.setdefault(one.id, []), calls[0].timestamp
        for call in calls:
            if not found or call.timestamp >= ended:
                found.append([])
            found[-1].append(call)
            ended = max(ended, call.completed)
    task = Task(samples, solver=plain(stages), scorer=match())
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
            wait[0] = 0.2
            both = (lambda: ours(study, limit), lambda: run(bare))
            a, b = (t / depth / 0.2 for t in pairs(partial(timed, time.time), *both))
            wait[0] = 0.0
            yield f"wall over {depth} x 200 ms, {limit} of {study}", a, b, a - b


def starts() -> Iterator[Row]:
    (FOLDER / "hello.py").write_text(HELLO)
    listed, model = ("inspect", "list", "tasks"), ("--model", SIMULATED)
    evaluate = ("inspect", "eval", "--display", "none", "--log-dir", str(FOLDER))
    colmad = ("evals/colmad.py", "-T", "source=sample", "--limit", "1")
    hello = ("hello.py", "--model", "mockllm/model")
    for name, mine, its in (
        ("inspect list tasks", (*listed, "evals"), (*listed, "hello.py")),
        ("one item", (*evaluate, *colmad, *model), (*evaluate, *hello)),
        (
            "inspect-debate and inspect --help",
            ("inspect-debate", "--help"),
            (*listed[:1], "--help"),
        ),
    ):
        a, b = pairs(lambda command: child(*command)[0], mine, its)
        yield f"CPU, {name}", f"{a:.2f} s", f"{b:.2f} s", a / b


def growth() -> Iterator[Row]:
    """Function calls a sample, as samples, rounds and judges grow."""
    given = STUDIES["colmad"]
    more: dict[str, dict[str, Any]] = {
        **{f"{20 * n:,} samples": {"epochs": n} for n in (1, 5, 50)},
        **{f"{n} rounds": {"task_args": given | {"rounds": n}} for n in (2, 4, 8)},
        "five judges": {"model_roles": {"judge": ["recorded/it"] * 5}},
    }
    for name, options in more.items():
        ours("colmad", 20, **options)
        calls = function_calls(lambda: ours("colmad", 20, **options))
        yield f"calls a sample, {name}", calls / 20 / options.get("epochs", 1)


def memory() -> Iterator[Row]:
    """Of 10,000 samples, with the report on them."""
    many = (sys.executable, __file__, "many")
    used = [child(*many, which, str(FOLDER / which)) for which in ("ours", "plain")]
    for row, name, unit in (0, "CPU", "s"), (1, "memory", "MiB"):
        a, b = used[0][row], used[1][row]
        yield f"{name}, 10,000 of colmad", f"{a:.0f} {unit}", f"{b:.0f} {unit}", a / b
    log = ours("colmad", 20, log_dir=str(FOLDER / "few")).location
    for samples, where in ("20", log), ("10,000", str(FOLDER / "ours")):
        out = ("--out", str(FOLDER / "report"))
        seconds, size = child("inspect-debate", "report", "colmad", where, *out)
        yield f"report of {samples} samples", f"{seconds:.1f} s", f"{size:.0f} MiB"


def prompts() -> Iterator[Row]:
    """The share of input that an earlier call of the same debate began with."""
    for study in STUDIES:
        total = shared = 0
        for _, calls in calls_of(ours(study, 20)):
            inputs = [read(call.input) for call in calls]
            for n, one in enumerate(inputs):
                total += len(one)
                prefixes = (os.path.commonprefix([one, e]) for e in inputs[:n])  # noqa: RUF071 of texts
                shared += max(map(len, prefixes), default=0)
        yield f"shared prefixes of prompts, {study}", f"{shared / total:.0%}"


def grading() -> Iterator[Row]:
    box, bare, found = BubblewrapSandbox(BubblewrapConfig()), FOLDER / "bare.py", []
    for sample in bigcodebench(source="sample").samples:
        problem, program = Problem.of(sample.id, sample.metadata or {}), sample.target
        bare.write_text(f"{program}\n{problem.test}\nimport unittest\nunittest.main()")
        a, b = pairs(
            partial(timed, time.time),
            lambda: anyio.run(partial(grade, str(program), problem, box=box)),
            lambda: subprocess.run([sys.executable, bare], capture_output=True),
        )
        found.append((a / b, f"{a:.2f} s", f"{b:.2f} s"))
    ratio, mine, its = sorted(found)[len(found) // 2]
    yield "grading a program of our sample", mine, its, ratio


if __name__ == "__main__":
    if sys.argv[1:2] == ["many"]:
        bare, _ = recorded("colmad", 20)
        many: dict[str, Any] = {"epochs": 500, "log_dir": sys.argv[3]}
        if sys.argv[2] == "ours":
            ours("colmad", 20, **many)
        else:
            run(bare, **many)
        sys.exit()
    every = (debates, waiting, starts, growth, memory, prompts, grading)
    for part in every:
        for row in part() if part.__name__ in (sys.argv[1:] or part.__name__) else ():
            cells = [f"{c:,.2f}" if isinstance(c, float) else c for c in row]
            print("|", " | ".join(cells), "|", flush=True)
