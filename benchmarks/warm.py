"""CPU of programs that fork from a process with the libraries loaded, over cold starts.

    uv run python -m benchmarks.warm --source problems.jsonl --interpreter DIR
        [--limit 150]

The solutions and tests of the first tasks whose modules the interpreter has: each as a
`python file.py` in a sandbox of its own, and all of them as forks of one process that
has loaded every module, in one sandbox. So it is the most that warm workers could save:
the forks share their files and processes, which programs that are graded may not.
"""

import json
import re
from collections.abc import Iterator

import click

from inspect_debate.datasets.bigcodebench import bigcodebench
from inspect_debate.evals.generative import code_grader
from inspect_debate.grading.box import Box
from inspect_debate.grading.code import code_problem
from inspect_debate.grading.config import BubblewrapConfig
from inspect_debate.solvers.generative import Grading

_IMPORTS = re.compile(r"^\s*(?:import|from)\s+([\w.]+)", re.M)
_RUN = """
import io, json, os, resource, sys, types, unittest
from importlib import import_module, util
def run(text):
    module = sys.modules["__main__"] = types.ModuleType("__main__")
    exec(compile(text, "file.py", "exec"), vars(module))
    tests = unittest.defaultTestLoader.loadTestsFromTestCase(module.TestCases)
    return unittest.TextTestRunner(stream=io.StringIO()).run(tests).wasSuccessful()
def report(*values):
    os.write(channel, (json.dumps(values) + "\\n").encode())
channel = os.dup(1)
tasks = json.load(open("tasks.json"))
os.dup2(os.open(os.devnull, os.O_RDWR), 1)
"""
_COLD = """
[(id, text, _)] = tasks
passed = run(text)
used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
report(id, passed, sum(one.ru_utime + one.ru_stime for one in used))
"""
_WARM = """
def there(name):
    try:
        return import_module(name)
    except ImportError:
        return None
tasks = [task for task in tasks if all(list(map(there, task[2])))][:limit]
for id, text, _ in tasks:
    if not (fork := os.fork()):
        try:
            os._exit(not run(text))
        finally:
            os._exit(2)
    _, status, used = os.wait4(fork, 0)
    report(id, status == 0, used.ru_utime + used.ru_stime)
"""

Task = tuple[str, str, list[str]]
"""Its id, its solution and tests, and what they import."""


def tasks_of(source: str) -> Iterator[Task]:
    """The tasks, with their own solutions."""
    for sample in bigcodebench("bcb_plus", None, source).dataset:
        problem = code_problem(str(sample.id), sample.metadata or {})
        text = f"{problem.program(str(sample.target))}\n{problem.test}"
        yield problem.id, text, sorted({*_IMPORTS.findall(text)})


def times(
    config: BubblewrapConfig, script: str, tasks: list[Task]
) -> dict[str, tuple[bool, float]]:
    """By task whether it passes, and its CPU seconds."""
    box = Box(config)
    box.write("run.py", (_RUN + script).encode())
    box.write("tasks.json", json.dumps(tasks).encode())
    done = box.run(["python3", "run.py"], output=1 << 22, seconds=3600)
    box.close()
    lines = done.stdout.decode()
    return {id: (ok, cpu) for id, ok, cpu in map(json.loads, lines.splitlines())}


@click.command()
@click.option("--source", default="published", show_default=True)
@click.option("--interpreter", required=True)
@click.option("--limit", default=150, show_default=True)
def main(source: str, interpreter: str, limit: int) -> None:
    """Print both sums, of the tasks that pass in both ways."""
    config = code_grader("bubblewrap", interpreter, False, Grading()).sandbox.config
    assert isinstance(config, BubblewrapConfig)
    tasks = list(tasks_of(source))
    warm = times(config, f"limit = {limit}{_WARM}", tasks)
    cold: dict[str, tuple[bool, float]] = {}
    for task in tasks:
        if task[0] in warm:
            cold |= times(config, _COLD, [task])
    good = [id for id in cold if cold[id][0] and warm[id][0]]
    differ = sum(cold[id][0] != warm[id][0] for id in cold)
    one, other = (sum(of[id][1] for id in good) for of in (cold, warm))
    print(f"{len(warm)} tasks, {len(good)} pass in both ways, {differ} in one")
    print(f"cold {one:.1f} s, forks {other:.1f} s: {other / one:.2f}")


if __name__ == "__main__":
    main()
