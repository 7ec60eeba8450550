"""The study on SR-DCR: the debate and all baselines.

    python configs/srdcr.py LOG_DIR MODEL

The run of SR-DCR also has the results of few-shot, golden and the token probabilities.
"""

import sys

import click
from study import run

from inspect_debate.evals.srdcr import srdcr


@click.command()
@click.argument("log_dir")
@click.argument("model")
@click.option("--source", default="huggingface", show_default=True)
@click.option("--limit", type=click.IntRange(1), help="Run the first items only.")
def main(log_dir: str, model: str, source: str, limit: int) -> None:
    """Run all conditions; started again with the same LOG_DIR, go on with them."""
    tasks = [
        # Calls per item: 2, or 20 with a debate, and the recalls (section 2.2).
        srdcr("srdcr", source, recall_samples=32),
        srdcr("judge_debate", source),  # 15
        srdcr("naive_debate", source),  # 3 to 15
        srdcr("rci", source),  # 3
        srdcr("self_ask", source),  # 1
    ]
    sys.exit(not run(tasks, log_dir, model=model, limit=limit))


if __name__ == "__main__":
    main()
