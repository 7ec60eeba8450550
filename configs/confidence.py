"""The study on confidence: debates between models, and all kinds with oneself.

    python configs/confidence.py LOG_DIR DEBATERS [JUDGES] [LIMIT]

DEBATERS and JUDGES are models, separated by commas. Between models, N debaters hold
N(N-1)/2 debates; with themselves, each debates six motions. It goes on where it stopped
if it is started again with the same LOG_DIR.
"""

import sys
from pathlib import Path
from typing import Any

from inspect_ai import eval_set

CONDITIONS: list[dict[str, Any]] = [
    {"protocol": "cross_model"},
    {"protocol": "self"},
    {"protocol": "informed_self"},
    {"protocol": "informed_self", "own_bets_shown": True},  # without the confound
    {"protocol": "public"},
    {"protocol": "redteam"},
    {"protocol": "four_round"},
]


def main(log_dir: str, debaters: str, judges: str = "", limit: str = "") -> int:
    """Run all conditions; the exit code says whether all of them are complete."""
    models = debaters.split(",")
    roles: dict[str, Any] = {"debater_a": models}
    if judges:
        roles["judge"] = judges.split(",")
    complete = True
    for number, condition in enumerate(CONDITIONS, start=1):
        done, _ = eval_set(
            "inspect_debate/confidence",  # made by name, so that it knows its models
            str(Path(log_dir, f"{number}_{condition['protocol']}")),
            task_args=condition,
            model=models[0],
            model_roles=roles,
            limit=int(limit) if limit else None,
        )
        complete &= done
    return 0 if complete else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
