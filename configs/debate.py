"""Debate before a judge who has not read the passage (arXiv 2311.08702, 2402.06782).

    python configs/debate.py LOG_DIR DEBATER JUDGE --dataset mine.jsonl

Each question is asked twice, so that each debater and consultant argues once for each
answer: 28 calls per question in all. JUDGE should be weaker than DEBATER.
"""

import sys

import click
from study import run

from inspect_debate.evals.debate import debate


@click.command()
@click.argument("log_dir")
@click.argument("debater")
@click.argument("judge")
@click.option("--dataset", default="sample", show_default=True)
@click.option("--limit", type=click.IntRange(1), help="Run the first questions only.")
def main(log_dir: str, debater: str, judge: str, dataset: str, limit: int) -> None:
    """Run all conditions; started again with the same LOG_DIR, go on with them."""
    tasks = [
        debate("debate", dataset),  # calls per question and epoch: 7
        debate("consultancy", dataset),  # 4
        debate("judge_alone", dataset),  # 1
        debate("judge_alone", dataset, judge_sees_passage=True),  # 1
        debate("single", dataset),  # 1: the debater, who has read the passage
    ]
    roles = {"debater_a": debater, "debater_b": debater, "judge": judge}
    options = {"model_roles": roles, "limit": limit, "epochs": 2}
    sys.exit(not run(tasks, log_dir, model=debater, **options))


if __name__ == "__main__":
    main()
