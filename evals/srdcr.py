"""Passage or memory? SR-DCR (arXiv 2506.06020) and its baselines."""

from typing import Any

from inspect_ai import Task, task
from inspect_ai.log import HeadlineMetric

from inspect_debate.datasets.clasheval import clasheval
from inspect_debate.debate.errors import check_known, validated
from inspect_debate.evals.common import Protocol, defaults_of, protocol_metadata, viewer
from inspect_debate.scorers.knowledge_conflict import knowledge_conflict
from inspect_debate.scorers.process import process
from inspect_debate.solvers import srdcr_baselines
from inspect_debate.solvers.srdcr import srdcr as srdcr_protocol

PROTOCOLS: dict[str, Protocol] = {
    "srdcr": srdcr_protocol,
    "few_shot": srdcr_baselines.few_shot,
    "self_ask": srdcr_baselines.self_ask,
    "rci": srdcr_baselines.rci,
    "naive_debate": srdcr_baselines.naive_debate,
    "judge_debate": srdcr_baselines.judge_debate,
}


@task
@validated
def srdcr(
    protocol: str = "srdcr",
    source: str = "huggingface",
    domains: str | list[str] = "all",
    shots: int = 4,
    revision: str | None = None,
    seed: int = 0,
    prompts: str | None = None,
    **parameters: Any,
) -> Task:
    """When should a model follow a passage, its memory, or neither?

    Roles: `debater_a` (who answers from the passage: the Defender; by default the main
    model), `debater_b` (the Critic) and `judge`, both by default the Defender's model.

    Args:
        protocol: `srdcr`; or a baseline: `few_shot`, `self_ask`, `rci`, `naive_debate`,
            `judge_debate`. What asks for both answers has the results of `few_shot`,
            `golden`, `token_prob` and `confidence_only` in one run, and `srdcr` those
            of `acvd_only` as well.
        source: `huggingface` (ClashEval), `sample` (ships with the suite), or a file.
        domains: Of ClashEval, or `all`: drugs, records, news, years, names, locations.
        shots: Solved examples before each question.
        revision: The commit of the data set on Hugging Face.
        seed: Seed of all draws.
        prompts: A YAML file that replaces some of the protocol's prompts.
        parameters: Parameters of the protocol, such as `tau`.
    """
    check_known("protocol", protocol, PROTOCOLS)
    given = {**parameters, "seed": seed, "prompts": prompts}
    solver = PROTOCOLS[protocol](**given)
    data = clasheval(source, domains, shots, seed, revision)
    chosen = {"domains": domains, "shots": shots, **data.provenance}
    defaults = defaults_of(PROTOCOLS[protocol])
    about = protocol_metadata("srdcr", protocol, defaults, given, chosen)
    # Further draws for analysis alone make no other condition.
    about["changed"].pop("recall_samples", None)
    if parameters.get("confidence_from") == "both":
        del about["changed"]["confidence_from"]
    shown = ("correct", "abstained", "perturbed", "confidence")
    return Task(
        dataset=data,
        solver=solver,
        scorer=[knowledge_conflict(), process()],
        version="4-A",
        display_name=f"srdcr: {protocol}",
        tags=[protocol],
        headline_metric=HeadlineMetric(scorer="knowledge_conflict", metric="overall"),
        viewer=viewer("Questions", *(f"knowledge_conflict.{name}" for name in shown)),
        metadata=about,
    )
