"""Debates about questions of your own (Michael et al. 2023; Khan et al. 2024)."""

from collections.abc import Mapping
from typing import Any, Literal

from inspect_ai import Task, task
from inspect_ai.log import HeadlineMetric

from inspect_debate.datasets.questions import questions
from inspect_debate.debate.errors import InputError, check_known, validated
from inspect_debate.evals.common import Protocol, defaults_of, protocol_metadata, viewer
from inspect_debate.scorers.process import process
from inspect_debate.scorers.question_answering import question_answering
from inspect_debate.solvers import baselines
from inspect_debate.solvers.colmad import colmad, copmad
from inspect_debate.solvers.debate import consultancy
from inspect_debate.solvers.debate import debate as debate_protocol

PROTOCOLS: dict[str, Protocol] = {
    "debate": debate_protocol,
    "consultancy": consultancy,
    "judge_alone": baselines.judge_alone,
    "single": baselines.single,
    "ensemble": baselines.ensemble,
    "self_consistency": baselines.self_consistency,
    "som": baselines.som,
    "colmad": colmad,
    "copmad": copmad,
}


@task
@validated
def debate(
    protocol: str = "debate",
    dataset: str = "sample",
    fields: str | Mapping[str, Any] | None = None,
    candidates: Literal["two", "all"] = "two",
    seed: int = 0,
    prompts: str | None = None,
    **parameters: Any,
) -> Task:
    """Does a debate help a judge who knows less than the debaters to the right answer?

    By default two debaters who have read a passage argue for two answers, of which one
    is right, before a judge who has not read it. Roles: `debater_a`, `debater_b` (by
    default the main model) and `judge` (by default the model of `debater_a`; a list
    makes a panel).

    Args:
        protocol: `debate`; `consultancy`, one side alone; `judge_alone`, by default
            without the passage; `single`, `ensemble`, `self_consistency` and `som`,
            answers by those who have read it; `colmad` and `copmad`, debates in which
            both answer first.
        dataset: `sample` (27 questions that ship with the suite), a `.csv`, `.tsv`,
            `.json` or `.jsonl` file, or
            `huggingface:OWNER/NAME@REVISION/CONFIG:SPLIT`.
        fields: Which columns have what: a YAML file, or one by one as
            `-T fields.question=COLUMN`. Usual names are found.
        candidates: Which options are given: `two`, the right one and one other, the
            same in all protocols; or `all`.
        seed: Seed of all draws.
        prompts: A YAML file that replaces some of the protocol's prompts.
        parameters: Parameters of the protocol, such as `judge_sees_passage`.
    """
    check_known("protocol", protocol, PROTOCOLS)
    dotted = [name for name in parameters if name.startswith("fields.")]
    columns = {name[len("fields.") :]: parameters.pop(name) for name in dotted}
    if columns and isinstance(fields, str):
        raise InputError(f"fields={fields} and {dotted[0]}: give one of the two.")
    data = questions(dataset, fields or columns or None, candidates, seed)
    two = protocol in ("debate", "consultancy")
    if two and any(len(sample.choices or ()) != 2 for sample in data):
        raise InputError(
            f"protocol={protocol} needs questions with two options; give "
            "candidates=two, or protocol=colmad, in which debaters argue for their own "
            "answers."
        )
    given = {**parameters, "seed": seed, "prompts": prompts}
    defaults, about = (
        defaults_of(PROTOCOLS[protocol]),
        data.provenance | {"candidates": candidates},
    )
    debated = protocol in ("debate", "copmad", "colmad", "consultancy")
    shown = ["process.passage_read", "process.quotes_verified"] if debated else []
    return Task(
        dataset=data,
        solver=PROTOCOLS[protocol](**given),
        scorer=[question_answering(), process()],
        version="3-A",
        display_name=f"debate: {protocol}",
        tags=[protocol],
        headline_metric=HeadlineMetric(scorer="question_answering", metric="accuracy"),
        viewer=viewer("Questions", "question_answering.correct", *shown),
        metadata=protocol_metadata("debate", protocol, defaults, given, about),
    )
