"""Does a judge of debates change its mind where it should not?"""

from collections.abc import Sequence

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.log import HeadlineMetric
from inspect_ai.viewer import ViewerConfig

from inspect_debate.v1.datasets.judge_check import finished_debates
from inspect_debate.v1.datasets.judge_check import human_labels as read_labels
from inspect_debate.v1.debate.engine import parameter, solver_info
from inspect_debate.v1.debate.errors import InputError, check_choice
from inspect_debate.v1.debate.judge_checks import CHECKS, HUMAN, Check
from inspect_debate.v1.debate.participants import is_bound
from inspect_debate.v1.debate.prompts import load_prompts
from inspect_debate.v1.evals.tasks import (
    Given,
    TaskParameters,
    check_of_this_suite,
    declared,
    log_metadata,
    samples_view,
)
from inspect_debate.v1.scorers.judge_check import judge_check as judge_check_scorer
from inspect_debate.v1.solvers.judge_checks import PROMPTS, judge_checks, the_judge
from inspect_debate.v1.solvers.question_answering import DebateConfig

VERSION = "2-B"

_SHOWN = ("quotes", "quote_source", "answers", "passage", "word_limit", "parser")


class JudgeCheckTask(TaskParameters):
    """The task's own parameters."""

    debates: str = parameter(
        "sample",
        "`sample` (24 debates that ship with the suite), or a log of two-sided "
        "debates by the tasks `colmad` or `debate`.",
    )
    checks: str | list[str] | None = parameter(
        None,
        "One or several of `repeat`, `order`, `names`, `sides`, `padded`, "
        "`authority`, `forged_quote`, `orders`; by default all.",
    )
    human_labels: str | None = parameter(
        None,
        "A CSV or JSONL file with `id`, `answer` and, for several people, `annotator`.",
    )
    prompts: str | None = parameter(
        None,
        "A YAML file with texts in place of the judge's prompts (`choices` or "
        "`colmad`) and of what is added to speeches (`judge_checks`).",
    )


@task
@declared(JudgeCheckTask)
def judge_check(given: Given[JudgeCheckTask]) -> Task:
    """Does this judge change its mind when sides are swapped, or a speech is padded?

    Role: `judge`, one model; the main model where it is unbound. It judges finished
    debates as they were, and each again with one thing changed at a time.

    Raises:
        InputError: If a parameter is not allowed, before any call.
    """
    own = given.own
    chosen = _chosen(own.checks)
    settings = given.settings(DebateConfig)
    check_of_this_suite(settings)
    if fixed := [name for name in _SHOWN if name in settings.model_fields_set]:
        raise InputError(
            f"config.{fixed[0]} is not for this task: what a judge is shown is as it "
            "was in its debates."
        )
    if settings.reused_questions != "shown":
        raise InputError(
            "config.reused_questions is not for this task: its judge reads the debates "
            "as they were."
        )
    if settings.verdict.samples:
        raise InputError(
            "config.verdict.samples is not for this task, which "
            "asks for the verdict on finished debates, and for that of its checks."
        )
    if is_bound("judge"):
        the_judge()
    loaded = finished_debates(own.debates, own.seed)
    samples = list(loaded.dataset)
    provenance = dict(loaded.provenance)
    if own.human_labels is not None:
        labels = read_labels(own.human_labels, samples)
        provenance["human_labels"] = labels.provenance
        for sample in samples:
            assert sample.metadata is not None
            sample.metadata[HUMAN] = labels.answers.get(str(sample.id))
    solver = judge_checks(
        debates=own.debates,
        checks=chosen,
        seed=own.seed,
        prompts=own.prompts,
        config=settings.model_dump(mode="json", exclude_defaults=True),
    )
    return Task(
        dataset=loaded.dataset,
        solver=solver,
        scorer=judge_check_scorer(),
        version=VERSION,
        headline_metric=HeadlineMetric(scorer="judge_check", metric="unchanged"),
        viewer=judge_check_view(chosen, own.human_labels is not None),
        metadata=log_metadata(
            "judge_check",
            VERSION,
            protocol="judge_check",
            parameters=solver_info(solver).logged,
            seed=own.seed,
            data=provenance,
            prompts=load_prompts(
                _asked(samples),
                own.prompts,
                extra=(PROMPTS, *settings.extra_prompts),
            ).texts,
        ),
    )


def _chosen(checks: str | Sequence[str] | None) -> list[Check]:
    """The checks that a user named, in their own order.

    Raises:
        InputError: If one of them is unknown, or there is none.
    """
    if checks is None:
        return list(CHECKS)
    names = list(checks) if isinstance(checks, list | tuple) else [checks]
    for name in names:
        check_choice("checks", name, CHECKS)
    if not names:
        raise InputError(f"checks is empty; allowed: {', '.join(CHECKS)}.")
    return [check for check in CHECKS if check in names]


def _asked(samples: Sequence[Sample]) -> str:
    """The prompt set in which a judge is asked about samples."""
    detects = not isinstance(samples[0].input, str) and not samples[0].choices
    return "colmad" if detects else "choices"


def judge_check_view(checks: Sequence[str], labelled: bool) -> ViewerConfig:
    """The sample list of a judge check: a column for each check.

    Args:
        checks: What is changed.
        labelled: Whether there are human labels.
    """
    values = ["correct", *checks, *["human"] * labelled]
    return samples_view(
        "Debates",
        *("sampleId", "answer"),
        *(f"judge_check.{value}" for value in values),
        sort=f"judge_check.{checks[-1]}",
        dir="desc",
    )
