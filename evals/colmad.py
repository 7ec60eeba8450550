"""Error detection on ReaLMistake by debate: ColMAD (arXiv 2510.20963) and baselines."""

from typing import Any, Literal

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.log import HeadlineMetric
from inspect_ai.solver import Solver

from inspect_debate.core.config import DebateConfig, load_config, split_config
from inspect_debate.core.errors import InputError, check_choice, check_whole_number
from inspect_debate.core.prompts import load_prompts
from inspect_debate.core.reuse import samples_to_reuse
from inspect_debate.datasets.realmistake import provenance, realmistake
from inspect_debate.evals.parameters import check_unused
from inspect_debate.evals.views import detection_view
from inspect_debate.scorers.debate_process import debate_process
from inspect_debate.scorers.error_detection import error_detection
from inspect_debate.solvers.colmad import colmad as colmad_debate
from inspect_debate.solvers.judge_alone import judge_alone
from inspect_debate.solvers.single import single

VERSION = "1-A"

# The parameters of a debate, by the protocols that have them.
DEBATE = {
    "rounds": 2,
    "skip_if_agree": True,
    "turn_order": "simultaneous",
    "order": "ab",
    "show_openings": True,
    "judge_sees_problem": True,
    "reuse": None,
}
USES = {"colmad": tuple(DEBATE), "single": (), "judge_alone": ("order",)}

# What an earlier run has to have in common with one that uses its stages again: the
# protocols that have them, the parameters that shaped them and their prompts.
REUSABLE = {"answers": ("colmad", "single"), "debate": ("colmad",)}
SHAPED = {
    "answers": ("parser", "answer"),
    "debate": (
        *("parser", "answer", "speech", "rounds", "skip_if_agree", "turn_order"),
        *("show_openings", "quotes", "quote_source", "word_limit"),
    ),
}
PROMPTED = {
    "answers": ("item", "answer"),
    "debate": (
        *("item", "answer", "debater_system", "quote_rules", "debater_opening"),
        *("debater_rebuttal", "position_error", "position_no_error"),
    ),
}


@task
def colmad(
    protocol: Literal["colmad", "single", "judge_alone"] = "colmad",
    source: str = "published",
    subset: str = "all",
    response_author: str = "gpt4",
    rounds: int = 2,
    skip_if_agree: bool = True,
    turn_order: Literal["simultaneous", "sequential"] = "simultaneous",
    order: Literal["ab", "ba", "both"] = "ab",
    show_openings: bool = True,
    judge_sees_problem: bool = True,
    reuse: str | None = None,
    reuse_until: Literal["answers", "debate"] = "debate",
    seed: int = 0,
    prompts: str | None = None,
    config: str | dict[str, Any] | None = None,
    **rest: Any,
) -> Task:
    """Does a debate between two models find the errors in a third one's responses?

    Roles: `debater_a` and `debater_b` (each the main model where it is unbound) and
    `judge` (the model of `debater_a` where it is unbound; a list makes a panel).

    Args:
        protocol: `colmad`, the collaborative debate; `single`, the answer of
            `debater_a` alone; `judge_alone`, the verdict of `judge` without a debate.
        source: `published` (the authors' archive, by checksum), `huggingface` (gated),
            `sample` (shipped, written for this suite), or a path.
        subset: `math`, `fact`, `answerability` or `all`.
        response_author: Whose responses are examined: `gpt4`, `llama2` or `both`.
        rounds: Rounds of speeches after the first answers; 0 or more.
        skip_if_agree: Whether agreeing first answers are returned without a debate.
        turn_order: Whether both debaters speak at once, or one after the other.
        order: Which answer and defender a judge is shown first: `ab`, `ba` or `both`.
        show_openings: Whether first answers are part of the transcript.
        judge_sees_problem: Whether the judge is shown the item.
        reuse: A log whose first answers or debates are used again.
        reuse_until: The last stage to use again.
        seed: Seed of sides and of the samples' order.
        prompts: A YAML file laid over the study's prompts.
        config: A YAML file with rarer settings; `config.key=value` sets one.
        rest: The `config.key=value` parameters.

    Raises:
        InputError: If a parameter is not allowed, before any call.
    """
    given = {name: value for name, value in locals().items() if name != "rest"}
    check_choice("protocol", protocol, tuple(USES))
    check_whole_number("seed", seed, at_least=0)
    check_choice("reuse_until", reuse_until, tuple(REUSABLE))
    check_unused(protocol, USES[protocol], DEBATE, given)
    if reuse is None and reuse_until != "debate":
        raise InputError(f"reuse_until={reuse_until} needs a log: give reuse=LOG.")
    settings = load_config(DebateConfig, config, split_config(rest, list(given)))
    chosen = settings.model_dump(mode="json", exclude_defaults=True)
    debate = {name: given[name] for name in USES[protocol]}

    solver: Solver
    common: dict[str, Any] = {"seed": seed, "prompts": prompts, "config": chosen}
    match protocol:
        case "single":
            solver = single(**common)
        case "judge_alone":
            solver = judge_alone(order=order, **common)
        case "colmad":
            solver = colmad_debate(**debate, reuse_until=reuse_until, **common)

    parameters = debate | settings.model_dump(mode="json")
    texts = load_prompts("colmad", prompts).texts
    dataset = realmistake(source, subset, response_author, seed)
    if reuse is not None:
        samples = samples_to_reuse(
            reuse,
            reuse_until,
            list(dataset),
            protocols=REUSABLE[reuse_until],
            parameters={
                k: v for k, v in parameters.items() if k in SHAPED[reuse_until]
            },
            prompts={k: v for k, v in texts.items() if k in PROMPTED[reuse_until]},
        )
        dataset = MemoryDataset(samples, name=dataset.name)
    return Task(
        dataset=dataset,
        solver=solver,
        scorer=[error_detection(), debate_process()],
        version=VERSION,
        headline_metric=HeadlineMetric(scorer="error_detection", metric="f1"),
        viewer=detection_view(debated=protocol == "colmad"),
        metadata={
            "study": "colmad",
            "task": "inspect_debate/colmad",
            "version": VERSION,
            "protocol": protocol,
            "parameters": parameters,
            "data": provenance(source),
            "prompts": texts,
        },
    )
