"""Generative debate on tasks whose answers can be graded: ARC-AGI and BigCodeBench."""

from typing import Any, Literal

from inspect_ai import Task, task
from inspect_ai.log import HeadlineMetric

from inspect_debate.datasets.arc_agi import Gradable, arc_agi
from inspect_debate.datasets.bigcodebench import bigcodebench
from inspect_debate.debate.errors import InputError, check_known, validated
from inspect_debate.evals.common import protocol_metadata, viewer
from inspect_debate.grading.grade import available_sandbox
from inspect_debate.scorers.process import process
from inspect_debate.scorers.verdicts import verdicts
from inspect_debate.solvers.generative import FORMATS, answers_in, effective
from inspect_debate.solvers.generative import generative as generative_protocol


@task
@validated
def generative(
    protocol: str = "dual_debate",
    dataset: Literal["arc", "bcb_plus", "bcb"] = "arc",
    source: str = "published",
    version: int | None = None,
    split: str | None = None,
    answers: str | None = None,
    seed: int = 0,
    prompts: str | None = None,
    **parameters: Any,
) -> Task:
    """Does debate help a weaker judge to see which answers are right?

    Roles: `debater_a`, who proposes an answer; `debater_b`, the second proposer or the
    critic, by default the same model; `judge`, in the study a weaker model, or a list;
    and `reward`, which scores candidates for a speech, by default the judge. Programs
    are graded in Docker, or in bubblewrap where there is no Docker; `--sandbox` chooses
    another one.

    Args:
        protocol: `dual_debate`, `single_debate`, `dual_consultancy`,
            `single_consultancy`, `dual_no_transcript`, `single_no_transcript`, or
            `direct_qa`, in which the judge answers alone.
        dataset: `arc`; `bcb_plus`, BigCodeBench+; or `bcb`, BigCodeBench.
        source: `published`, `sample` (ships with the suite), or a path.
        version: Of ARC-AGI, 1 (the default) or 2.
        split: Of ARC-AGI `training`, `evaluation` or `both`; of BigCodeBench `complete`
            or `instruct`.
        answers: A log whose answers are debated again, with their grades.
        seed: Seed of all draws.
        prompts: A YAML file that replaces some of the prompts.
        parameters: Parameters of the format, such as `best_of`.
    """
    check_known("protocol", protocol, FORMATS)
    chosen = {name: value for name, value in parameters.items() if value is not None}
    given = {**chosen, "answers": answers, "seed": seed, "prompts": prompts}
    solver = generative_protocol(**{"protocol": protocol, **given})
    data = _data(dataset, source, version, split, seed)
    if answers:
        _check_answers(answers, data, FORMATS[protocol].proposers)
    own = {"answers": None, "reminders": 1, "seed": 0, "prompts": None}
    defaults = effective(protocol, {}) | own
    about = protocol_metadata(
        "generative",
        protocol,
        defaults,
        given,
        data={"dataset": dataset, **data.provenance},
    )
    about["changed"].pop("answers", None)  # the same condition on given answers
    shown = ["verdict_correct", "regime", "endorsed", "answer_correct"]
    if protocol == "direct_qa":
        shown = ["answer_correct"]
    return Task(
        dataset=data,
        solver=solver,
        scorer=[verdicts(), process()],
        sandbox=None if dataset == "arc" else available_sandbox(),
        version="4-A",
        display_name=f"generative: {protocol}, {dataset}",
        tags=[protocol, dataset],
        headline_metric=HeadlineMetric(scorer="verdicts", metric="accuracy"),
        viewer=viewer("Tasks", *(f"verdicts.{name}" for name in shown)),
        metadata=about,
    )


def _data(
    dataset: Literal["arc", "bcb_plus", "bcb"],
    source: str,
    version: int | None,
    split: str | None,
    seed: int,
) -> Gradable:
    chosen: dict[str, Any] = {"split": split} if split else {}
    if dataset == "arc":
        return arc_agi(version, source=source, seed=seed, **chosen)
    if version is not None:
        raise InputError(f"version={version} belongs to dataset=arc; leave it out.")
    return bigcodebench(dataset, source=source, seed=seed, **chosen)


def _check_answers(log: str, data: Gradable, proposers: int) -> None:
    """Raise InputError, before any call, where a log cannot have the answers."""
    found = answers_in(log)
    if not {str(one.id) for one in data} & {id for id, _ in found}:
        raise InputError(
            f"answers={log} has answers to none of these {len(data)} tasks; give the "
            "log of a run on the same data."
        )
    for earlier in found.values():
        if len({turn.role for turn in earlier.debate.of("answer")}) < proposers:
            raise InputError(
                f"answers={log} has one answer to each task; for two give the log of a "
                "dual format."
            )
