"""Error detection on ReaLMistake by debate: ColMAD (arXiv 2510.20963) and baselines."""

from typing import Any, Literal

from inspect_ai import Task, task
from inspect_ai.log import HeadlineMetric

from inspect_debate.datasets.realmistake import provenance, realmistake
from inspect_debate.debate.config import DebateConfig, load_config, split_config
from inspect_debate.debate.errors import check_choice, check_whole_number
from inspect_debate.debate.prompts import load_prompts
from inspect_debate.evals.caps import caps
from inspect_debate.evals.prepared import (
    check_reuse,
    graders,
    log_metadata,
    one_grader,
    prepare,
)
from inspect_debate.evals.protocols import PROTOCOLS, effective
from inspect_debate.evals.views import detection_view
from inspect_debate.scorers.debate_process import debate_process
from inspect_debate.scorers.error_detection import error_detection

VERSION = "2-A"

ProtocolName = Literal[
    "colmad", "copmad", "som", "ensemble", "self_consistency", "single", "judge_alone"
]


@task
def colmad(
    protocol: ProtocolName = "colmad",
    source: str = "published",
    subset: str = "all",
    response_author: str = "gpt4",
    rounds: int | None = None,
    sides: Literal["free", "assigned"] | None = None,
    skip_if_agree: bool | None = None,
    turn_order: Literal["simultaneous", "sequential"] | None = None,
    order: Literal["ab", "ba", "both"] | None = None,
    show_openings: bool | None = None,
    judge_sees_problem: bool | None = None,
    n: int | None = None,
    match: str | None = None,
    match_on: Literal["calls", "tokens", "cost"] | None = None,
    reuse: str | None = None,
    reuse_until: Literal["answers", "debate"] | None = None,
    grade: str | list[str] | None = None,
    seed: int = 0,
    budget_usd: float | None = None,
    prices: str | dict[str, Any] | None = None,
    max_unparsed: float | None = None,
    prompts: str | None = None,
    config: str | dict[str, Any] | None = None,
    **rest: Any,
) -> Task:
    """Does a debate between two models find the errors in a third one's responses?

    Roles: `debater_a` and `debater_b` (each the main model where it is unbound),
    `judge` (the model of `debater_a` where it is unbound; a list makes a panel), and
    `grader` for graded scores. A parameter that is not given has the protocol's own
    default.

    Args:
        protocol: `colmad`, the collaborative debate; `copmad`, the competitive one;
            `som`, the Society of Minds; `ensemble`, two answers and a coin where they
            differ; `self_consistency`, several answers of `debater_a`; `single`, one;
            `judge_alone`, the verdict of `judge` without a debate.
        source: `published` (the authors' archive, by checksum), `huggingface` (gated),
            `sample` (shipped, written for this suite), or a path: of the archive, its
            unpacked folder or one `.jsonl`.
        subset: `math`, `fact`, `answerability` or `all`.
        response_author: Whose responses are examined: `gpt4`, `llama2` or `both`.
        rounds: Rounds of speeches or updates after the first answers. A debate of 0
            rounds lets the judge decide on the first answers.
        sides: `free`, the debaters defend their own first answers; or `assigned`, who
            says what is drawn, and nobody answers first.
        skip_if_agree: Whether agreeing first answers are returned without a debate.
        turn_order: Whether both debaters speak at once (`simultaneous`), or one after
            the other (`sequential`).
        order: Which answer is listed and which defender shown first to a judge: `ab`
            answer 1, `ba` answer 2; `both` asks twice.
        show_openings: Whether first answers are part of the transcript.
        judge_sees_problem: Whether the judge is shown the item, or the transcript only.
        n: How many answers `self_consistency` draws: as many as a debated item has
            calls.
        match: The log of a debate; `self_consistency` draws as many answers as cost the
            same as one of its debated items.
        match_on: What is to cost the same: `calls`, if nothing else is given,
            `tokens`, or `cost`.
        reuse: A log whose first answers or debates are used again; its first answers
            by `som` and `ensemble`.
        reuse_until: The last stage to use again.
        grade: Scores that the model in role `grader` gives: `debate_hacking`,
            `explanation_alignment`, or both with a comma between them.
        seed: Seed of sides, coins and of the samples' order.
        budget_usd: US dollars that the run may spend; then no other sample starts.
        prices: For `budget_usd`: a YAML file of the models' prices.
        max_unparsed: The share of what is asked for that may be unreadable; above it no
            other sample starts.
        prompts: A YAML file laid over the study's prompts, `key: text` for each that
            changes (`inspect-debate prompts show colmad` names them).
        config: A YAML file with rarer settings; `config.key=value` sets one.
        rest: The `config.key=value` parameters.

    Raises:
        InputError: If a parameter is not allowed, before any call.
    """
    given = {name: value for name, value in locals().items() if name != "rest"}
    check_choice("protocol", protocol, tuple(PROTOCOLS))
    check_whole_number("seed", seed, at_least=0)
    stopping = caps(budget_usd, max_unparsed, prices)
    own = {name for kind in PROTOCOLS.values() for name in kind.defaults}
    chosen = {name: value for name, value in given.items() if name in own}
    check_reuse(reuse, reuse_until)
    kind = PROTOCOLS[protocol]
    settings = load_config(DebateConfig, config, split_config(rest, list(given)))
    prompt_set = load_prompts("colmad", prompts)
    solver, parameters, dataset = prepare(
        protocol,
        kind,
        effective(protocol, kind, chosen),
        realmistake(source, subset, response_author, seed),
        settings=settings,
        seed=seed,
        prompts=prompt_set,
        data="source, subset and response_author",
    )
    return Task(
        dataset=dataset,
        setup=one_grader() if grade else None,
        solver=solver,
        scorer=[error_detection(), debate_process(), *graders(grade)],
        version=VERSION,
        headline_metric=HeadlineMetric(scorer="error_detection", metric="f1"),
        early_stopping=stopping,
        viewer=detection_view(debated="turn_order" in parameters),
        metadata=log_metadata(
            "colmad",
            VERSION,
            protocol=protocol,
            parameters=parameters,
            seed=seed,
            data=provenance(source),
            prompts=prompt_set.texts,
        ),
    )
