"""Logs of imported debates, as if they had been held here, and marked as rebuilt."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from inspect_ai import score
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalSpec,
    EvalStats,
    HeadlineMetric,
)
from inspect_ai.model import ModelConfig
from inspect_ai.scorer import Scorer
from inspect_ai.viewer import ViewerConfig

from inspect_debate.core.prompts import PromptSet
from inspect_debate.imports.conditions import CONFIG, Arm, prompts_of
from inspect_debate.imports.formats import Prompts
from inspect_debate.imports.grades import Grades
from inspect_debate.imports.samples import logged_sample
from inspect_debate.imports.usage import model_usage, role_usage, summed
from inspect_debate.scorers.bet_alignment import bet_alignment
from inspect_debate.scorers.bets import bets
from inspect_debate.scorers.jury import jury

TASK = "inspect_debate/confidence"
SOURCE = "llms-overconfidence"


def log_of(
    arm: Arm,
    grades: Grades,
    about: Mapping[str, Any],
    task_version: str,
    viewer: ViewerConfig | None,
) -> EvalLog:
    """A condition's debates as a log, scored.

    Args:
        arm: The debates.
        grades: The published grades.
        about: The files: their `folder`, and a `sha256` that tells this set of files
            from others.
        task_version: The version of the task as which the log counts.
        viewer: How the viewer lists samples.
    """
    starts = sorted(debate.started for debate in arm.debates if debate.started)
    began = starts[0] if starts else datetime.now(UTC).replace(microsecond=0)
    sets = _prompt_sets(arm)
    texts = sets[_most_told(arm)].texts
    log = EvalLog(
        status="success",
        eval=EvalSpec(
            eval_id=_id("eval", arm, about),
            run_id=_id("run", arm, about),
            task_id=_id("task", arm, about),
            created=began.isoformat(),
            task=TASK,
            task_display_name="confidence",
            task_registry_name=TASK,
            task_version=task_version,
            task_args={"protocol": arm.condition},
            tags=["rebuilt"],
            dataset=EvalDataset(
                name=SOURCE,
                samples=len(arm.debates),
                sample_ids=[debate.id for debate in arm.debates],
                shuffled=False,
            ),
            model="none/none",
            model_roles=_roles(arm),
            config=EvalConfig(epochs=1, epochs_reducer=["mean"]),
            packages={name: version(name) for name in ("inspect_ai", "inspect-debate")},
            headline_metric=HeadlineMetric(scorer="bets", metric="opening"),
            viewer=viewer,
            metadata={
                "study": "confidence",
                "task": TASK,
                "version": task_version,
                "protocol": arm.condition,
                "parameters": arm.parameters.model_dump()
                | CONFIG.model_dump(mode="json"),
                "seed": 0,
                "data": {
                    "source": SOURCE,
                    "folder": about["folder"],
                    "sha256": about["sha256"],
                    "pairings": None,
                },
                "prompts": texts,
                "rebuilt": True,
            },
        ),
        stats=EvalStats(
            started_at=began.isoformat(),
            completed_at=began.isoformat(),  # when they ended is not released
            model_usage=summed(map(model_usage, arm.debates)),
            role_usage=summed(map(role_usage, arm.debates)),
        ),
        samples=[
            logged_sample(debate, arm, sets[debate.prompts], began, grades.of(debate))
            for debate in arm.debates
        ],
    )
    scorers = _scorers(arm, grades)
    return score(log, scorers, action="overwrite", display="none", copy=False)


def _scorers(arm: Arm, grades: Grades) -> list[Scorer]:
    scorers = [bets()]
    if arm.passes:
        scorers.append(jury())
    if any(grades.of(debate) for debate in arm.debates):
        scorers.append(bet_alignment(published=True))
    return scorers


def _roles(arm: Arm) -> dict[str, ModelConfig | list[ModelConfig]]:
    """The models by role, under a provider that never answers.

    Inspect makes the models of all roles where it scores a log, and the released names
    are those of a router, for which there may be neither a provider nor a key here.
    """
    roles: dict[str, ModelConfig | list[ModelConfig]] = {
        "debater_a": [ModelConfig(model=f"none/{model}") for model in arm.models]
    }
    if arm.jurors:
        roles["judge"] = [ModelConfig(model=f"none/{model}") for model in arm.jurors]
    return roles


def _prompt_sets(arm: Arm) -> dict[Prompts | None, PromptSet]:
    told = dict.fromkeys(debate.prompts for debate in arm.debates)
    return {prompts: prompts_of(prompts) for prompts in told}


def _most_told(arm: Arm) -> Prompts | None:
    """The prompts of most debates; in the release there is one set."""
    return Counter(debate.prompts for debate in arm.debates).most_common(1)[0][0]


def _id(what: str, arm: Arm, about: Mapping[str, Any]) -> str:
    """An id that the same files have again."""
    text = f"{what}/{arm.condition}/{about['sha256']}"
    return hashlib.sha256(text.encode()).hexdigest()[:22]
