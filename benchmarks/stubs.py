"""Whether stubs fail the tests of every task of BigCodeBench+.

    uv run python -m benchmarks stubs --source published --interpreter DIR --out FILE

A stub is the head of a task's function with `return None` below it. It is graded as
`inspect-debate bcb-eligible` grades the tasks' own solutions: by value and, where it
fails, once more in process. Run again, the command goes on where it ended.
"""

from pathlib import Path

import click
from inspect_ai.dataset import MemoryDataset, Sample

from inspect_debate.cli.eligible_runs import begun, grade
from inspect_debate.evals.generative import code_grader, load, of_data
from inspect_debate.grading.code import code_problem
from inspect_debate.grading.eligible import read_checklist
from inspect_debate.solvers.generative import Grading


@click.command()
@click.option("--source", default="published", show_default=True)
@click.option("--interpreter")
@click.option("--out", type=click.Path(path_type=Path), required=True)
@click.option("--limit", type=int, help="Only the first tasks.")
def main(source: str, interpreter: str, out: Path, limit: int | None) -> None:
    """Grade the stubs, and print those that pass."""
    limits = Grading()
    loaded = load("bcb_plus", None, None, source, seed=0)
    grader = code_grader("bubblewrap", interpreter, False, limits)
    head = {"data": of_data(loaded) | {"graded": "stubs"}, "grader": grader.logged}
    done = begun(str(out), out, head)
    stubs = [_stub(sample) for sample in loaded.dataset][:limit]
    left = MemoryDataset([stub for stub in stubs if str(stub.id) not in done])
    with out.open("a", encoding="utf-8") as file:
        grade(left, grader, limits, file, str(out.with_suffix("")))
    found = read_checklist(str(out), "--out").checked
    print(f"{len(found)} of {len(stubs)} stubs graded; these pass:")
    print(*(task for task, one in found.items() if one.status == "pass"), sep="\n")


def _stub(sample: Sample) -> Sample:
    problem = code_problem(str(sample.id), sample.metadata or {})
    sample.target = f"{problem.code_prompt}\n    return None\n"
    return sample


if __name__ == "__main__":
    main()
