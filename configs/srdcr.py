"""The study on SR-DCR: the debate and all baselines.

    python configs/srdcr.py LOG_DIR MODEL [SOURCE] [LIMIT]

It goes on where it stopped if it is started again with the same LOG_DIR. A run of
SR-DCR has the results of few-shot, golden and the token probabilities as well.
"""

import sys
from typing import Any

from inspect_ai import eval_set

from inspect_debate.evals.srdcr import srdcr

CONDITIONS: list[dict[str, Any]] = [
    {"protocol": "srdcr", "recall_samples": 32},
    {"protocol": "judge_debate"},
    {"protocol": "naive_debate"},
    {"protocol": "rci"},
    {"protocol": "self_ask"},
]


def main(log_dir: str, model: str, source: str = "huggingface", limit: str = "") -> int:
    """Run all conditions; the exit code says whether all of them are complete."""
    tasks = [srdcr(source=source, **condition) for condition in CONDITIONS]
    items = int(limit) if limit else None
    done, _ = eval_set(tasks, log_dir, model=model, limit=items)
    return 0 if done else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
