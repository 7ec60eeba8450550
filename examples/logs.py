"""Make logs/examples: a small log of each study, for `inspect view`.

    uv run python examples/logs.py

Simulated models run on the data that ship with the suite. The logs have no paths, user
or commit of the machine that made them.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from inspect_ai import eval
from inspect_ai.log import read_eval_log, write_eval_log

FOLDER = Path(__file__).parents[1] / "logs" / "examples"
A, B, WEAK = "simulated/balanced", "simulated/strong", "simulated/weak"
SAMPLE = {"source": "sample"}
PAIR = {"debater_a": A, "debater_b": B, "judge": A}
DEBATES = "logs/examples/debate.eval"
EXAMPLES: dict[str, tuple[str, dict[str, Any], dict[str, Any], int]] = {
    "colmad": ("colmad", SAMPLE, PAIR, 6),
    "confidence": (
        "confidence",
        {},
        {"debater_a": A, "debater_b": "simulated/calibrated", "judge": [A, B]},
        2,
    ),
    "srdcr": ("srdcr", SAMPLE, {"debater_a": A}, 4),
    "generative": ("generative", SAMPLE, {"debater_a": A, "judge": WEAK}, 4),
    "generative_code": (
        "generative",
        {"dataset": "bcb_plus", **SAMPLE},
        {"debater_a": A, "judge": WEAK},
        3,
    ),
    "debate": ("debate", {}, PAIR, 8),
    "judge_check": ("judge_check", {"debates": DEBATES}, {"judge": A}, 8),
}
"""Logs: the task with its arguments, models by role, and how many samples."""


def make(name: str) -> Path:
    """Run one of the examples, and write its log."""
    task, arguments, roles, samples = EXAMPLES[name]
    with TemporaryDirectory() as made:
        (log,) = eval(
            f"inspect_debate/{task}",
            task_args=arguments,
            model="none",
            model_roles=roles,
            limit=samples,
            log_dir=made,
            log_realtime=False,
            display="none",
        )
        if log.status != "success":
            raise RuntimeError(f"{name}: {log.error}")
        log = read_eval_log(log.location)
    # They have the commit and its origin, and paths of the machine.
    log.eval.revision = log.eval.sandbox = None
    path = FOLDER / f"{name}.eval"
    write_eval_log(log, str(path))
    return path


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for each in EXAMPLES:
        print(make(each).relative_to(FOLDER.parents[1]))
