"""Passage or memory? SR-DCR ("When to Trust Context") and its baselines."""

from typing import Literal, get_args

from inspect_ai import Task, task
from inspect_ai.dataset import Dataset
from inspect_ai.log import HeadlineMetric
from inspect_ai.viewer import ViewerConfig

from inspect_debate.v1.datasets.clasheval import clasheval
from inspect_debate.v1.debate.engine import parameter, validated
from inspect_debate.v1.debate.paths import file_name
from inspect_debate.v1.debate.prompts import load_prompts
from inspect_debate.v1.debate.reuse import Logs, Until
from inspect_debate.v1.evals.tasks import (
    Given,
    Reusing,
    check_reuse,
    dataset_to_reuse,
    declared,
    log_metadata,
    samples_view,
)
from inspect_debate.v1.scorers.knowledge_conflict import clash
from inspect_debate.v1.scorers.self_confidence import self_confidence
from inspect_debate.v1.solvers import judge_debate, naive_debate, without_debate
from inspect_debate.v1.solvers import srdcr as srdcr_protocol
from inspect_debate.v1.solvers.knowledge_conflict import STUDY, Answered

VERSION = "3-B"

SrdcrProtocol = Literal[
    "srdcr",
    "acvd_only",
    "confidence_only",
    "few_shot",
    "self_ask",
    "rci",
    "judge_debate",
    "naive_debate",
    "golden",
    "token_prob",
    "calibrated_token_prob",
]
PROTOCOLS: tuple[str, ...] = get_args(SrdcrProtocol)

_MODULES = (judge_debate, naive_debate, srdcr_protocol, without_debate)
"""Imported so that the study has these protocols."""


class SrdcrTask(Reusing):
    """The task's own parameters; those of its protocols are in `solvers/`."""

    protocol: SrdcrProtocol = parameter(
        "srdcr",
        "`srdcr`; its halves `acvd_only`, the debate without the confidence, and "
        "`confidence_only`; or a baseline: `few_shot`, `golden`, `token_prob`, "
        "`calibrated_token_prob`, `self_ask`, `rci`, `judge_debate`, `naive_debate`. "
        "Whatever asks for both answers has the results of `few_shot`, `golden`, the "
        "two token probabilities and `confidence_only` in one run.",
    )
    source: str = parameter(
        "published",
        "`published` (Hugging Face), `sample` (ships with the suite), or a parquet, "
        "CSV or JSONL file with the published columns.",
    )
    revision: str | None = parameter(
        None, "Revision of the published data; by default the newest."
    )
    domains: str | list[str] = parameter(
        "all",
        "`all`, or some of `drugs`, `records`, `news`, `years`, `names`, `locations` "
        "(with commas).",
    )
    questions: int = parameter(
        300,
        "How many questions, each with a right and a perturbed passage.",
    )
    shots: int = parameter(
        4,
        "Solved questions of the same domain before the two answers, drawn by the "
        "seed.",
    )
    reuse: Logs | None = parameter(None, "A log whose answers or debates are reused.")
    reuse_until: Until | None = parameter(
        None,
        "The last stage to reuse: `answers` (the default), or `debate`, for another "
        "judge of `srdcr`.",
    )


@task
@declared(
    SrdcrTask,
    *(STUDY.protocols[name].parameters for name in PROTOCOLS),
)
def srdcr(given: Given[SrdcrTask]) -> Task:
    """Is a question answered right, whether or not the passage that comes with it is?

    Roles: `debater_a`, which answers from the passage and defends it (the main model
    where it is unbound); `debater_b`, which answers from memory and criticises, and
    `judge` (a list makes a panel), both played by the model of `debater_a` where they
    are unbound, as in the study. A parameter that is not given has the protocol's own
    default.

    Raises:
        InputError: If a parameter is not allowed, before any call.
    """
    own, protocol, reuse = given.own, given.own.protocol, given.own.reuse
    declaration = STUDY.protocols[protocol]
    chosen = {name: v for name, v in given.chosen.items() if v is not None}
    parameters = validated(declaration.parameters, protocol, chosen)
    check_reuse(reuse, own.reuse_until)
    STUDY.check_reuse(protocol, reuse, own.reuse_until)
    settings = given.settings(STUDY.config)
    solver = declaration.solver(
        protocol,
        **chosen,
        **({} if reuse is None else {"reuse": reuse}),
        **(
            {"reuse_until": own.reuse_until}
            if own.reuse_until and "debate" in declaration.shares
            else {}
        ),
        seed=own.seed,
        prompts=own.prompts,
        config=settings.model_dump(mode="json", exclude_defaults=True),
    )

    logged = parameters.logged(protocol) | settings.model_dump(mode="json")
    logged |= own.model_dump(include={"domains", "questions", "shots"})
    prompt_set = load_prompts("srdcr", own.prompts, extra=settings.extra_prompts)
    loaded = clasheval(
        own.source, own.revision, own.domains, own.questions, own.shots, own.seed
    )
    dataset: Dataset = loaded.dataset
    if reuse is not None:
        until: Until = own.reuse_until or "answers"
        dataset = dataset_to_reuse(
            STUDY,
            protocol,
            logged,
            reuse,
            until,
            dataset,
            prompts=prompt_set,
            same="source, revision, domains, questions, shots and seed",
        )
        logged |= {"reuse": file_name(reuse), "reuse_until": until}
    answered = isinstance(parameters, Answered)
    return Task(
        dataset=dataset,
        solver=solver,
        scorer=[clash(), *([self_confidence()] if answered else [])],
        version=VERSION,
        headline_metric=HeadlineMetric(scorer="clash", metric="overall"),
        viewer=srdcr_view(answered),
        metadata=log_metadata(
            "srdcr",
            VERSION,
            protocol=protocol,
            parameters=logged,
            seed=own.seed,
            data=loaded.provenance,
            prompts=prompt_set.texts,
        ),
    )


def srdcr_view(answered: bool) -> ViewerConfig:
    """The sample list of questions about passages, perhaps with both answers."""
    both = ["clash.same_answers", "self_confidence.confidence"]
    return samples_view(
        "Questions",
        *("sampleId", "target", "answer", "clash.correct", "clash.abstained"),
        *(both if answered else ()),
        *("clash.calls", "clash.tokens"),
        sort="clash.correct",
    )
