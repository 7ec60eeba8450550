"""The study on generative debate: all seven formats, with best of 1 and of 4.

    python configs/generative.py LOG_DIR DEBATER JUDGE [DATASET] [SOURCE] [LIMIT]

The formats run together and share their answers. It goes on where it stopped if it is
started again with the same LOG_DIR; a format that was not finished then has answers of
its own, which the report does not pair.
"""

import sys
from typing import Any

from inspect_ai import eval_set

from inspect_debate.evals.generative import generative

CONDITIONS: list[dict[str, Any]] = [
    {"protocol": "dual_no_transcript"},
    {"protocol": "single_no_transcript"},
    {"protocol": "dual_debate"},
    {"protocol": "single_debate"},
    {"protocol": "dual_consultancy"},
    {"protocol": "single_consultancy"},
    {"protocol": "dual_debate", "best_of": 4},
    {"protocol": "single_debate", "best_of": 4},
    {"protocol": "dual_consultancy", "best_of": 4},
    {"protocol": "single_consultancy", "best_of": 4},
    {"protocol": "direct_qa"},
]


def main(
    log_dir: str,
    debater: str,
    judge: str,
    dataset: str = "arc",
    source: str = "published",
    limit: str = "",
) -> int:
    """Run all formats; the exit code says whether all of them are complete."""
    data: dict[str, Any] = {"dataset": dataset, "source": source}
    tasks = [generative(**data, **condition) for condition in CONDITIONS]
    done, _ = eval_set(
        tasks,
        log_dir,
        model=debater,
        model_roles={"debater_a": debater, "judge": judge},
        limit=int(limit) if limit else None,
        max_tasks=len(tasks),  # together, so that they share their answers
    )
    return 0 if done else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
