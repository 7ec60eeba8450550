"""Debates that were held elsewhere, as logs."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from inspect_ai.dataset import Sample
from inspect_ai.log import (
    EvalLog,
    EvalSample,
    EvalSpec,
    recompute_metrics,
    write_eval_log,
)

from inspect_debate.debate.record import KEY, Debate
from inspect_debate.debate.view import messages
from inspect_debate.scorers.process import process_score, process_values
from inspect_debate.scorers.question_answering import answer_score

_METRICS = {
    "bets": "bet_rates",
    "jury": "jury_rates",
    "bet_alignment": "alignment_rates",
    "error_detection": "error_rates",
    "question_answering": "accuracy_of_outcomes",
    "process": "debated_share",
}


def debate_sample(sample: Sample, debate: Debate) -> EvalSample:
    """A debate with its record, scored as if the suite had run it.

    Args:
        sample: What was debated. Its metadata may have a `passage`, a `question_id`,
            and an `input_group` to cluster by.
        debate: The record. What was said in it has to be escaped.
    """
    metadata = sample.metadata or {}
    targets = [t] if isinstance(t := sample.target, str) else t
    passage, options = str(metadata.get("passage") or ""), len(sample.choices or ())
    asked = sample.input
    parts = [asked] if isinstance(asked, str) else [message.text for message in asked]
    if options:
        parts += [f"{key}) {text}" for key, text in debate.options.items()]
    return EvalSample(
        id=str(sample.id),
        epoch=1,
        input=sample.input,
        choices=sample.choices,
        target=sample.target,
        metadata=metadata,
        messages=messages(debate, "\n\n".join(parts)),
        store={KEY: debate.model_dump_json()},
        scores={
            "question_answering": answer_score(debate, targets, options),
            "process": process_score(
                debate, process_values(debate, targets[0], passage)
            ),
        },
    )


def debate_log(
    name: str,
    protocol: str,
    roles: Mapping[str, str],
    samples: Sequence[EvalSample],
) -> EvalLog:
    """The log of debates in one condition.

    Args:
        name: What the data are called. Of several logs of one name, protocol and roles
            reports read the newest.
        protocol: The protocol, such as `debate` or `consultancy`.
        roles: Who took each role: a model, or `people`.
        samples: From `debate_sample`.
    """
    about = {"study": "debate", "protocol": protocol, "parameters": {}, "changed": {}}
    return scored_log(
        "-".join([name, protocol, *dict.fromkeys(roles.values())]),
        about | {"data": {"source": name, "questions": len(samples)}},
        samples,
        dataset=name,
        roles={role: [who] for role, who in roles.items()},
    )


def scored_log(
    name: str,
    about: Mapping[str, Any],
    samples: Sequence[EvalSample],
    *,
    dataset: str,
    roles: Mapping[str, Sequence[str]],
    created: str = "",
) -> EvalLog:
    """A log of samples that have scores; `about` is what reports read in its header."""
    spec = {
        "created": created or datetime.now(UTC).isoformat(timespec="seconds"),
        "task": about["study"],
        "task_id": name,  # not drawn, so that reports count it once
        "dataset": {"name": dataset, "sample_ids": [one.id for one in samples]},
        # Inspect's provider of no model, so that logs can be scored again.
        "model": "none/none",
        "model_roles": {
            role: [{"model": f"none/{who}"} for who in models]
            for role, models in roles.items()
        },
        "config": {},
        "metadata": {**about},
        "scorers": [
            {"name": name, "metrics": [{"name": f"inspect_debate/{_METRICS[name]}"}]}
            for name in samples[0].scores or ()
        ],
    }
    header = EvalSpec.model_validate(spec)
    log = EvalLog(status="success", eval=header, samples=[*samples])
    recompute_metrics(log)
    return log


def write_logs(logs: Iterable[EvalLog], out: Path) -> list[Path]:
    """Write logs into a folder, each under its name."""
    out.mkdir(parents=True, exist_ok=True)
    paths = []
    for log in logs:
        paths.append(out / f"{log.eval.task_id}.eval")
        write_eval_log(log, str(paths[-1]))
    return paths
