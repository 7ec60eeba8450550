"""Error detection on ReaLMistake by debate: ColMAD (arXiv 2510.20963) and baselines."""

from typing import Literal

from inspect_ai import Task, task
from inspect_ai.log import HeadlineMetric

from inspect_debate.datasets.realmistake import provenance, realmistake
from inspect_debate.debate.engine import parameter
from inspect_debate.debate.prompts import load_prompts
from inspect_debate.debate.reuse import Logs
from inspect_debate.evals.tasks import (
    PROTOCOLS,
    Given,
    Reusing,
    answers_view,
    check_reuse,
    declared,
    effective,
    extra_prompts,
    graders,
    log_metadata,
    of_protocol,
    one_grader,
    prepare,
)
from inspect_debate.scorers.debate_process import debate_process
from inspect_debate.scorers.error_detection import error_detection
from inspect_debate.solvers.baselines import JudgeAlone
from inspect_debate.solvers.challenge import Challenge
from inspect_debate.solvers.colmad import ColMAD, CopMAD
from inspect_debate.solvers.cross_examination import CrossExamination
from inspect_debate.solvers.placebo import Placebo
from inspect_debate.solvers.question_answering import STUDY, DebateConfig
from inspect_debate.solvers.self_consistency import SelfConsistency
from inspect_debate.solvers.som import SoM

VERSION = "2-B"


class ColmadTask(Reusing):
    """The task's own parameters; those of its protocols are in `solvers/`."""

    protocol: Literal[
        "colmad",
        "copmad",
        "som",
        "ensemble",
        "self_consistency",
        "single",
        "judge_alone",
        "cross_examination",
        "challenge",
        "placebo",
    ] = parameter(
        "colmad",
        "`colmad`, the collaborative debate; `copmad`, the competitive one; `som`, the "
        "Society of Minds; `ensemble`, two answers and a coin where they differ; "
        "`self_consistency`, several answers of `debater_a`; `single`, one; "
        "`judge_alone`, the verdict of `judge` without a debate; `cross_examination`, "
        "a competitive debate with questions to each other; `challenge`, one whose "
        "loser may challenge the verdict; `placebo`, the judge with debates of `reuse` "
        "on other items.",
    )
    source: str = parameter(
        "published",
        "`published` (the authors' archive, by checksum), `huggingface` (behind a "
        "form), `sample` (ships with the suite), or a path to the archive, its folder "
        "or one `.jsonl`.",
    )
    subset: str = parameter("all", "`math`, `fact`, `answerability` or `all`.")
    response_author: str = parameter(
        "gpt4", "Whose responses are examined: `gpt4`, `llama2` or `both`."
    )
    reuse: Logs | None = parameter(
        None,
        "A log whose first answers or debates are reused (`som` and `ensemble`: first "
        "answers).",
    )
    grade: str | list[str] | None = parameter(
        None,
        "Scores by the model in role `grader`: `debate_hacking`, "
        "`explanation_alignment`, or both (with a comma).",
    )


@task
@declared(
    *(ColmadTask, ColMAD, CopMAD, SoM, SelfConsistency, JudgeAlone),
    *(CrossExamination, Challenge, Placebo),
)
def colmad(given: Given[ColmadTask]) -> Task:
    """Does a debate between two models find the errors in a third one's responses?

    Roles: `debater_a` and `debater_b` (each the main model where it is unbound),
    `judge` (the model of `debater_a` where it is unbound; a list makes a panel), and
    `grader` for graded scores. A parameter that is not given has the protocol's own
    default.

    Raises:
        InputError: If a parameter is not allowed, before any call.
    """
    own = given.own
    stopping = own.stopping()
    check_reuse(own.reuse, own.reuse_until)
    chosen = given.chosen | {"reuse": own.reuse, "reuse_until": own.reuse_until}
    settings = given.settings(DebateConfig)
    arguments = effective(own.protocol, PROTOCOLS[own.protocol], chosen)
    prompt_set = load_prompts(
        "colmad",
        own.prompts,
        STUDY.protocols[own.protocol].texts,
        extra=extra_prompts(own.protocol, arguments, settings),
    )
    solver, parameters, dataset = prepare(
        own.protocol,
        arguments,
        realmistake(own.source, own.subset, own.response_author, own.seed),
        settings=settings,
        seed=own.seed,
        prompts=prompt_set,
        data="source, subset and response_author",
    )
    return Task(
        dataset=dataset,
        setup=one_grader() if own.grade else None,
        solver=solver,
        scorer=[
            *(error_detection(), debate_process(), *of_protocol(own.protocol)),
            *graders(own.grade),
        ],
        version=VERSION,
        headline_metric=HeadlineMetric(scorer="error_detection", metric="f1"),
        early_stopping=stopping,
        viewer=answers_view(
            "Items", "error_detection", debated="turn_order" in parameters
        ),
        metadata=log_metadata(
            "colmad",
            VERSION,
            protocol=own.protocol,
            parameters=parameters,
            seed=own.seed,
            data=provenance(own.source),
            prompts=prompt_set.texts,
        ),
    )
