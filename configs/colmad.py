"""The study on ColMAD: both debates, with and without skipping, and all baselines.

    python configs/colmad.py LOG_DIR MODEL_A MODEL_B [SOURCE] [LIMIT]

It goes on where it stopped if it is started again with the same LOG_DIR.
"""

import sys
from typing import Any

from inspect_ai import eval_set

from inspect_debate.evals.colmad import colmad

CONDITIONS: list[dict[str, Any]] = [
    {"protocol": "colmad"},
    {"protocol": "colmad", "skip_if_agree": False},
    {"protocol": "copmad"},
    {"protocol": "copmad", "skip_if_agree": True},
    {"protocol": "colmad", "rounds": 0, "skip_if_agree": False},  # openings alone
    {"protocol": "som"},
    {"protocol": "ensemble"},
    {"protocol": "self_consistency"},
    {"protocol": "single"},
    {"protocol": "judge_alone"},
]


def main(
    log_dir: str, a: str, b: str, source: str = "published", limit: str = ""
) -> int:
    """Run all conditions; the exit code says whether all of them are complete."""
    tasks = [colmad(source=source, **condition) for condition in CONDITIONS]
    roles = {"debater_a": a, "debater_b": b}
    done, _ = eval_set(
        tasks, log_dir, model=a, model_roles=roles, limit=int(limit) if limit else None
    )
    return 0 if done else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
