"""The study on ColMAD: both debates, with and without skipping, and all baselines.

    python configs/colmad.py LOG_DIR MODEL_A MODEL_B

Its first pair is gpt-4o-mini and Llama3.1-70B. An item takes 36 to 46 calls in all.
"""

import sys

import click
from study import run

from inspect_debate.evals.colmad import colmad


@click.command()
@click.argument("log_dir")
@click.argument("model_a")
@click.argument("model_b")
@click.option("--source", default="published", show_default=True)
@click.option("--limit", type=click.IntRange(1), help="Run the first items only.")
def main(log_dir: str, model_a: str, model_b: str, source: str, limit: int) -> None:
    """Run all conditions; started again with the same LOG_DIR, go on with them."""
    tasks = [
        colmad("colmad", source),  # calls per item: 2, or 7 with a debate
        colmad("colmad", source, skip_if_agree=False),  # 7
        colmad("copmad", source),  # 7
        colmad("copmad", source, skip_if_agree=True),  # 2 or 7
        colmad("colmad", source, rounds=0, skip_if_agree=False),  # 3: openings alone
        colmad("som", source),  # 4
        colmad("ensemble", source),  # 2
        colmad("self_consistency", source),  # 7
        *(colmad(protocol, source) for protocol in ("single", "judge_alone")),  # 1
    ]
    roles = {"debater_a": model_a, "debater_b": model_b}
    sys.exit(not run(tasks, log_dir, model=model_a, model_roles=roles, limit=limit))


if __name__ == "__main__":
    main()
