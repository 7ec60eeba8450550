"""Error detection on ReaLMistake by debate: ColMAD (arXiv 2510.20963) and baselines."""

from typing import Any

from inspect_ai import Task, task
from inspect_ai.log import HeadlineMetric

from inspect_debate.datasets.realmistake import realmistake
from inspect_debate.debate.errors import check_known, validated
from inspect_debate.evals.common import Protocol, defaults_of, protocol_metadata, viewer
from inspect_debate.scorers.error_detection import error_detection
from inspect_debate.scorers.graded import GRADED
from inspect_debate.scorers.process import process
from inspect_debate.solvers import baselines
from inspect_debate.solvers.colmad import colmad as colmad_protocol
from inspect_debate.solvers.colmad import copmad

PROTOCOLS: dict[str, Protocol] = {
    "colmad": colmad_protocol,
    "copmad": copmad,
    "som": baselines.som,
    "ensemble": baselines.ensemble,
    "self_consistency": baselines.self_consistency,
    "single": baselines.single,
    "judge_alone": baselines.judge_alone,
}


@task
@validated
def colmad(
    protocol: str = "colmad",
    source: str = "published",
    subset: str = "all",
    response_author: str = "gpt4",
    grade: str | list[str] | None = None,
    seed: int = 0,
    prompts: str | None = None,
    **parameters: Any,
) -> Task:
    """Does a debate between two models find the errors in a third one's responses?

    Roles: `debater_a`, `debater_b` (by default the main model), `judge` (by default
    the model of `debater_a`; a list makes a panel), and `grader` for graded scores.

    Args:
        protocol: `colmad`, the collaborative debate; `copmad`, the competitive one;
            `som`, Society of Minds; `ensemble`, two answers; `self_consistency`,
            several answers of one model; `single`, one; `judge_alone`.
        source: `published` (the authors' archive, by checksum), `huggingface` (gated),
            `sample` (ships with the suite), or a path to the archive, its folder or
            one `.jsonl`.
        subset: `math`, `fact`, `answerability` or `all`.
        response_author: Whose responses are examined: `gpt4`, `llama2` or `both`.
        grade: Scores by the model in role `grader`: `debate_hacking`,
            `explanation_alignment`, or both.
        seed: Seed of all draws.
        prompts: A YAML file that replaces some of the protocol's prompts.
        parameters: Parameters of the protocol, such as `rounds`.
    """
    check_known("protocol", protocol, PROTOCOLS)
    graded = grade.split(",") if isinstance(grade, str) else grade or []
    for name in graded:
        check_known("grade", name, GRADED)
    given = {**parameters, "seed": seed, "prompts": prompts}
    solver = PROTOCOLS[protocol](**given)
    defaults = defaults_of(PROTOCOLS[protocol])
    data = {"source": source, "subset": subset, "response_author": response_author}
    return Task(
        dataset=realmistake(**data, seed=seed),
        solver=solver,
        scorer=[error_detection(), process(), *(GRADED[name]() for name in graded)],
        version="3-A",
        display_name=f"colmad: {protocol}",
        tags=[protocol],
        headline_metric=HeadlineMetric(scorer="error_detection", metric="f1"),
        viewer=viewer(
            "Items",
            "error_detection.correct",
            "process.debated",
            "process.concessions",
            "process.quotes_verified",
        ),
        metadata=protocol_metadata("colmad", protocol, defaults, given, data),
    )
