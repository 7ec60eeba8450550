"""The study on generative debate: all seven formats, with best of 1 and of 4.

    python configs/generative.py LOG_DIR DEBATER JUDGE

The formats run together and share their answers. A format that was not finished, and is
started again, has answers of its own, which the report does not pair.
"""

import sys
from typing import Any

import click
from study import run

from inspect_debate.evals.generative import generative

# Calls per item with best of 1 / of 4 (others: 3, 2, 1): debate and consultancy of two
# 7 / 35, single_debate 6 / 34, single_consultancy 4 / 18. Answers are asked for once.
SPOKEN = ["dual_debate", "single_debate", "dual_consultancy", "single_consultancy"]
FORMATS = [*SPOKEN, "dual_no_transcript", "single_no_transcript", "direct_qa"]


@click.command()
@click.argument("log_dir")
@click.argument("debater")
@click.argument("judge")
@click.option("--dataset", default="arc", show_default=True)
@click.option("--source", default="published", show_default=True)
@click.option("--limit", type=click.IntRange(1), help="Run the first items only.")
def main(log_dir: str, debater: str, judge: str, limit: int, **data: Any) -> None:
    """Run all formats; started again with the same LOG_DIR, go on with them."""
    tasks = [generative(name, **data) for name in FORMATS]
    tasks += [generative(name, best_of=4, **data) for name in SPOKEN]
    roles = {"model": debater, "model_roles": {"debater_a": debater, "judge": judge}}
    # Together, so that they share their answers.
    sys.exit(not run(tasks, log_dir, **roles, limit=limit, max_tasks=len(tasks)))


if __name__ == "__main__":
    main()
