"""Make logs/examples: a small log of each study, for `inspect view`.

    uv run python examples/logs.py

Simulated models run on the data that ship with the suite. The logs have no paths, user
or commit of the machine that made them.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from inspect_ai import eval
from inspect_ai.log import read_eval_log, write_eval_log

FOLDER = Path(__file__).parents[1] / "logs" / "examples"


class Example(NamedTuple):
    """A run: its task with arguments, the models of its roles, and how many samples."""

    task: str
    arguments: dict[str, Any]
    roles: dict[str, str | list[str]]
    samples: int


_PAIR: dict[str, str | list[str]] = {
    "debater_a": "simulated/balanced",
    "debater_b": "simulated/hesitant",
    "judge": "simulated/balanced",
}

EXAMPLES = {
    "colmad": Example(
        "colmad",
        {"source": "sample"},
        {
            "debater_a": "simulated/balanced",
            "debater_b": "simulated/strong",
            "judge": "simulated/balanced",
        },
        6,
    ),
    "confidence": Example(
        "confidence",
        {},
        {
            "debater_a": "simulated/balanced",
            "debater_b": "simulated/calibrated",
            "judge": ["simulated/balanced", "simulated/strong"],
        },
        2,
    ),
    "srdcr": Example(
        "srdcr", {"source": "sample"}, {"debater_a": "simulated/balanced"}, 4
    ),
    "generative": Example(
        "generative",
        {"source": "sample"},
        {"debater_a": "simulated/balanced", "judge": "simulated/weak"},
        4,
    ),
    "generative_code": Example(
        "generative",
        {"dataset": "bcb_plus", "source": "sample"},
        {"debater_a": "simulated/balanced", "judge": "simulated/weak"},
        3,
    ),
    "debate": Example("debate", {}, _PAIR, 4),
    "judge_check": Example("judge_check", {}, {"judge": "reading_judge/obedient"}, 24),
}


def make(name: str, folder: Path) -> Path:
    """Run one of the examples.

    Args:
        name: Of `EXAMPLES`.
        folder: Where the log is written, as `name.eval`.
    """
    example = EXAMPLES[name]
    with TemporaryDirectory() as made:
        (log,) = eval(
            f"inspect_debate/{example.task}",
            task_args=example.arguments,
            model="none",
            model_roles=dict(example.roles),
            limit=example.samples,
            log_dir=made,
            log_realtime=False,
            display="none",
        )
        if log.status != "success":
            raise RuntimeError(f"{name}: {log.error}")
        log = read_eval_log(log.location)
    # They have the commit and its origin, and paths of the machine.
    log.eval.revision = log.eval.sandbox = None
    path = folder / f"{name}.eval"
    write_eval_log(log, str(path))
    return path


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for each in EXAMPLES:
        print(make(each, FOLDER).relative_to(FOLDER.parents[1]))
