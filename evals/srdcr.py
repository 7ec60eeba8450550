"""Passage or memory? SR-DCR ("When to Trust Context") and its baselines."""

from typing import Any, Literal, get_args

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.log import HeadlineMetric

from inspect_debate.datasets.clasheval import clasheval
from inspect_debate.debate.config import load_config, split_config
from inspect_debate.debate.engine import validated
from inspect_debate.debate.errors import check_choice, check_whole_number
from inspect_debate.debate.paths import file_name
from inspect_debate.debate.prompts import load_prompts, put_together
from inspect_debate.debate.reuse import Until, samples_to_reuse
from inspect_debate.evals.caps import caps
from inspect_debate.evals.prepared import log_metadata
from inspect_debate.evals.views import clash_view
from inspect_debate.scorers.clash import clash
from inspect_debate.scorers.self_confidence import self_confidence
from inspect_debate.solvers import (
    judge_debate,
    naive_debate,
    passage_or_memory,
    rci,
    self_ask,
)
from inspect_debate.solvers.clash import STUDY, Answered
from inspect_debate.solvers.judge_debate import Judged
from inspect_debate.solvers.self_confidence import ConfidenceFrom
from inspect_debate.solvers.srdcr import SRDCR

VERSION = "3-A"

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

_OTHERS = (judge_debate, naive_debate, passage_or_memory, rci, self_ask)
"""Imported so that the study has these protocols."""


@task
def srdcr(
    protocol: SrdcrProtocol = "srdcr",
    source: str = "published",
    revision: str | None = None,
    domains: str | list[str] = "all",
    questions: int = 300,
    shots: int = 4,
    rounds: int | None = None,
    judge_after: int | str | list[int] | None = None,
    agents: int | None = None,
    turn_order: Literal["simultaneous", "sequential"] | None = None,
    order: Literal["ab", "ba", "both"] | None = None,
    tau: float | None = None,
    confidence_from: ConfidenceFrom | None = None,
    consistency_samples: int | None = None,
    recall_samples: int | None = None,
    skip_if_agree: bool | None = None,
    show_openings: bool | None = None,
    judge_sees_context: bool | None = None,
    critic_sees_context: bool | Literal["openings"] | None = None,
    followups_see: Literal["all", "transcript"] | None = None,
    reuse: str | None = None,
    reuse_until: Literal["answers", "debate"] | None = None,
    seed: int = 0,
    budget_usd: float | None = None,
    prices: str | dict[str, Any] | None = None,
    max_unparsed: float | None = None,
    prompts: str | None = None,
    config: str | dict[str, Any] | None = None,
    **rest: Any,
) -> Task:
    """Is a question answered right, whether or not the passage that comes with it is?

    Roles: `debater_a`, which answers from the passage and defends it (the main model
    where it is unbound); `debater_b`, which answers from memory and criticises, and
    `judge` (a list makes a panel), both played by the model of `debater_a` where they
    are unbound, as in the study. A parameter that is not given has the protocol's own
    default.

    Args:
        protocol: `srdcr`; its halves `acvd_only`, the debate without the confidence,
            and `confidence_only`; or a baseline: `few_shot`, `golden`, `token_prob`,
            `calibrated_token_prob`, `self_ask`, `rci`, `judge_debate`, `naive_debate`.
            Whatever asks for both answers has the results of `few_shot`, `golden`, the
            two token probabilities and `confidence_only` in one run.
        source: `published` (Hugging Face), `sample` (shipped, written for this suite),
            or the path of a parquet, CSV or JSONL file of the published columns.
        revision: The revision of the published data; the newest by default.
        domains: `all`, or some of `drugs`, `records`, `news`, `years`, `names`,
            `locations`, with commas between them.
        questions: How many questions; each is asked with a right and with a perturbed
            passage.
        shots: Solved questions shown before the two answers: of the same domain, never
            the same question, drawn by the seed.
        rounds: Rounds after the first answers: of speeches, or, in `naive_debate`, of
            updates at most. With 0 the judge decides on the two answers.
        judge_after: Rounds after which there is a verdict, with commas between them;
            there is one after the last round in any case.
        agents: How many answer and read each other's answers.
        turn_order: `sequential`, or `simultaneous`: both speak at once in every round.
        order: Which answer the judge of `judge_debate` is listed first: `ab` that from
            the passage, `ba` that from memory, or `both`. Every second epoch has the
            other order.
        tau: The confidence from which the answer from memory is trusted.
        confidence_from: `auto`, which takes log-probabilities where they come and
            further answers where not; `logprobs`, `self_consistency`, or `both`.
        consistency_samples: Further answers for self-consistency.
        recall_samples: Further answers from memory for knowledge recall; the study has
            32.
        skip_if_agree: Whether answers that say the same are not debated.
        show_openings: Whether Defender and Critic are shown each other's answer from
            the start.
        judge_sees_context: Whether the judge of `srdcr` reads the passage.
        critic_sees_context: Whether the Critic does, an ablation; `openings`: for its
            opening speech alone, as in the authors' released code.
        followups_see: What Defender and Critic read after round 0: `all`, or
            `transcript`, the speeches alone, without question, answers and passage, as
            in that code.
        reuse: A log whose answers or debates are used again.
        reuse_until: The last stage to use again: `answers`, where nothing is given, or
            `debate` for another judge of `srdcr`.
        seed: Seed of the choice and order of samples, of exemplars and draws.
        budget_usd: US dollars that the run may spend; then no other sample starts.
        prices: For `budget_usd`: a YAML file of the models' prices.
        max_unparsed: The share of what is asked for that may be unreadable; above it no
            other sample starts.
        prompts: A YAML file laid over the study's prompts, `key: text` for each that
            changes (`inspect-debate prompts show srdcr` names them).
        config: A YAML file with rarer settings; `config.key=value` sets one.
        rest: The `config.key=value` parameters.

    Raises:
        InputError: If a parameter is not allowed, before any call.
    """
    given = {name: value for name, value in locals().items() if name != "rest"}
    check_choice("protocol", protocol, PROTOCOLS)
    check_whole_number("seed", seed, at_least=0)
    stopping = caps(budget_usd, max_unparsed, prices)
    own = STUDY.protocols[protocol]
    free = {n for p in STUDY.protocols.values() for n in p.parameters.model_fields}
    chosen = {n: v for n, v in given.items() if n in free and v is not None}
    parameters = validated(own.parameters, protocol, chosen)
    STUDY.check_reuse(protocol, reuse, reuse_until)
    settings = load_config(STUDY.config, config, split_config(rest, list(given)))
    solver = own.solver(
        protocol,
        **chosen,
        **({} if reuse is None else {"reuse": reuse}),
        **(
            {"reuse_until": reuse_until}
            if reuse_until and "debate" in own.shares
            else {}
        ),
        seed=seed,
        prompts=prompts,
        config=settings.model_dump(mode="json", exclude_defaults=True),
    )

    told = parameters.told(protocol) | settings.model_dump(mode="json")
    told |= {"domains": domains, "questions": questions, "shots": shots}
    prompt_set = load_prompts("srdcr", prompts)
    loaded = clasheval(source, revision, domains, questions, shots, seed)
    dataset = loaded.dataset
    if reuse is not None:
        until: Until = reuse_until or "answers"
        samples = samples_to_reuse(
            reuse,
            until,
            list(dataset),
            protocols=STUDY.with_stage(until, protocol),
            parameters=STUDY.shaped(until, protocol, told),
            prompts=STUDY.prompted(until, protocol, prompt_set),
            shipped=put_together("srdcr"),
            same="source, revision, domains, questions, shots and seed",
        )
        dataset = MemoryDataset(samples, name=dataset.name)
        told |= {"reuse": file_name(reuse), "reuse_until": until}
    answered = isinstance(parameters, Answered)
    judged = isinstance(parameters, SRDCR | Judged)
    return Task(
        dataset=dataset,
        solver=solver,
        scorer=[clash(), *([self_confidence()] if answered else [])],
        version=VERSION,
        headline_metric=HeadlineMetric(scorer="clash", metric="overall"),
        early_stopping=stopping,
        viewer=clash_view(
            f"judge_debate_{parameters.judged[-1]}"
            if isinstance(parameters, Judged)
            else protocol,
            judged,
            answered,
        ),
        metadata=log_metadata(
            "srdcr",
            VERSION,
            protocol=protocol,
            parameters=told,
            seed=seed,
            data=loaded.provenance,
            prompts=prompt_set.texts,
        ),
    )
