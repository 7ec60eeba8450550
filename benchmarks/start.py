"""CPU of what starts: help, and a run of one item."""

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.process import cost
from benchmarks.table import Row, in_turn

_HELLO = """
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelAPI, ModelOutput, ModelUsage, get_model, modelapi
from inspect_ai.scorer import includes
from inspect_ai.solver import generate


@modelapi(name="hello")
class Hello(ModelAPI):
    async def generate(self, input, tools, tool_choice, config):
        output = ModelOutput.from_content(self.model_name, "Hello World")
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output


@task
def hello():
    sample = Sample(input="Say hello", target="Hello World")
    model = get_model("hello/world")
    return Task([sample], solver=generate(), scorer=includes(), model=model)
"""
_COLMAD = (
    *("inspect_debate/colmad", "-T", "source=sample", "--limit", "1"),
    *("--model", "simulated/balanced"),
)
# Inspect with one of the packages that extend it here, or with none.
_INSPECT = """
import sys
from importlib import metadata
found, package, *given, folder = metadata.entry_points, *sys.argv[1:]
def of_package(**of):
    entries = found(**of)
    if of.get("group") == "inspect_ai":
        return [entry for entry in entries if entry.name == package]
    return entries
metadata.entry_points = of_package
sys.argv = ["inspect", "eval", *given, "--log-dir", folder, "--display", "none"]
from inspect_ai._cli.main import main
main()
"""


def rows(repeats: int) -> Iterator[Row]:
    """Processes, in turn."""
    shown, bare = in_turn(
        repeats,
        partial(cpu, "inspect-debate", "--help"),
        partial(cpu, "python", "-c", "import inspect_ai"),
    )
    yield Row(
        "CPU, inspect-debate --help", shown, bare, "s", "import inspect_ai", "0.3 s"
    )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "hello.py"
        file.write_text(_HELLO, encoding="utf-8")
        own, hello = in_turn(
            repeats,
            partial(cpu, "python", "-c", _INSPECT, "inspect_debate", *_COLMAD, folder),
            partial(cpu, "python", "-c", _INSPECT, "", f"{file}@hello", folder),
        )
    yield Row("CPU, one item, process", own, hello, "s", "hello-world task", "1.1")


def cpu(*command: str) -> float:
    return cost(*command).cpu
