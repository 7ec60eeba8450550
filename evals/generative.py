"""Generative debate on tasks whose answers can be graded: ARC-AGI and BigCodeBench."""

from typing import Any, Literal

from inspect_ai import Task, task
from inspect_ai.log import HeadlineMetric

from inspect_debate.datasets.arc_agi import arc_agi
from inspect_debate.datasets.bigcodebench import bigcodebench
from inspect_debate.datasets.common import Sourced
from inspect_debate.datasets.logged import logged
from inspect_debate.debate.errors import InputError, check_known, validated
from inspect_debate.evals.common import protocol_metadata, viewer
from inspect_debate.grading.grade import available_sandbox
from inspect_debate.scorers.process import process
from inspect_debate.scorers.verdicts import verdicts
from inspect_debate.solvers.generative import FORMATS, effective
from inspect_debate.solvers.generative import generative as generative_protocol


@task
@validated
def generative(
    protocol: str = "dual_debate",
    dataset: Literal["arc", "bcb_plus", "bcb"] = "arc",
    source: str = "published",
    version: Literal[1, 2] | None = None,
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
    wanted: dict[str, Any] = {"source": source, "seed": seed}
    if split:
        wanted["split"] = split
    if dataset == "arc":
        data = arc_agi(version, **wanted)
    elif version is None:
        data = bigcodebench(dataset, **wanted)
    else:
        raise InputError(f"version={version} belongs to dataset=arc; leave it out.")
    if answers:
        _check_answers(answers, data, FORMATS[protocol].proposers)
    own = {"answers": None, "reminders": 1, "seed": 0, "prompts": None}
    defaults = effective(protocol, {}) | own
    of = {"dataset": dataset, **data.provenance}
    about = protocol_metadata("generative", protocol, defaults, given, of)
    about["changed"].pop("answers", None)  # the same condition on given answers
    shown = ["verdict_correct", "regime", "endorsed", "answer_correct"]
    if protocol == "direct_qa":
        shown = ["answer_correct"]
    return Task(
        dataset=data,
        solver=solver,
        scorer=[verdicts(), process()],
        sandbox=None if dataset == "arc" or answers else available_sandbox(),
        version="4-A",
        display_name=f"generative: {protocol}, {dataset}",
        tags=[protocol, dataset],
        headline_metric=HeadlineMetric(scorer="verdicts", metric="accuracy"),
        viewer=viewer("Tasks", *(f"verdicts.{name}" for name in shown)),
        metadata=about,
    )


def _check_answers(log: str, data: Sourced, proposers: int) -> None:
    """Raise InputError, before any call, where a log cannot have the answers."""
    found = logged(log, "answers").debates
    if not {one.id for one in data} & {id for id, _ in found}:
        raise InputError(
            f"answers={log} has answers to none of these {len(data)} tasks; give the "
            "log of a run on the same data."
        )
    needed = {"debater_a", "debater_b"} if proposers == 2 else {"debater_a"}
    for debate in found.values():
        if not needed <= {turn.role for turn in debate.of("answer")}:
            raise InputError(
                f"answers={log} has no answer of each of {', '.join(sorted(needed))}; "
                "give the log of a format in which they answer."
            )
