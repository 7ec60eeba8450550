"""The study on confidence: debates between models, and all kinds with oneself.

    python configs/confidence.py LOG_DIR MODEL MODEL ... --judge JUDGE --judge JUDGE

N models hold N(N-1)/2 debates with each other; with itself, each debates six motions. A
debate takes 6 calls (with four rounds 8), and between models 2 more for each judge. The
paper has ten models and the judges qwq-32b, gemini-pro-1.5 and deepseek-chat.
"""

import sys
from typing import Any

import click
from study import run

CONDITIONS: dict[str, dict[str, Any]] = {
    "cross_model": {"order": "ab"},  # as in the released verdicts
    "informed_self_shown": {"protocol": "informed_self", "own_bets_shown": True},
    **{n: {} for n in ("self", "informed_self", "public", "redteam", "four_round")},
}


@click.command()
@click.argument("log_dir")
@click.argument("models", nargs=-1, required=True)
@click.option("--judge", multiple=True, help="Default: the first model.")
@click.option("--limit", type=click.IntRange(1), help="Run the first debates only.")
def main(log_dir: str, models: list[str], judge: list[str], limit: int) -> None:
    """Run all conditions; started again with the same LOG_DIR, go on with them."""
    roles = {"debater_a": [*models], "judge": [*judge] or models[0]}
    options = {"model": models[0], "model_roles": roles, "limit": limit}
    task, complete = "inspect_debate/confidence", True  # made when its models are set
    for name, own in CONDITIONS.items():
        args = {"protocol": name, **own}
        complete &= run(task, f"{log_dir}/{name}", task_args=args, **options)
    sys.exit(not complete)


if __name__ == "__main__":
    main()
