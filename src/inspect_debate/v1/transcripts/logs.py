"""Logs of imported debates, in the form of our own runs and marked as rebuilt."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

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

from inspect_debate.v1.debate.prompts import PromptSet
from inspect_debate.v1.debate.record import DebateRecord
from inspect_debate.v1.scorers.bet_alignment import (
    alignment_values,
    bet_alignment,
    eligible_bets,
)
from inspect_debate.v1.scorers.bet_grading import BetGrade
from inspect_debate.v1.scorers.bets import bet_values, bets, models_of
from inspect_debate.v1.scorers.common import Values, rescored
from inspect_debate.v1.scorers.jury import jury, jury_values
from inspect_debate.v1.transcripts.debates import (
    CONFIG,
    ConditionDebates,
    Prompts,
    prompts_of,
)
from inspect_debate.v1.transcripts.release import Grades, Release
from inspect_debate.v1.transcripts.samples import (
    logged_sample,
    metadata_of,
    model_usage,
    record_of,
    role_usage,
    summed,
)

TASK = "inspect_debate/confidence"
SOURCE = "llms-overconfidence"


def log_of(
    condition: ConditionDebates,
    grades: Grades,
    about: Mapping[str, Any],
    task_version: str,
    viewer: ViewerConfig | None,
) -> EvalLog:
    """A condition's debates as a log, scored.

    Args:
        condition: The debates.
        grades: The published grades.
        about: The files: their `folder`, and a `sha256` that tells this set of files
            from others.
        task_version: The version of the task as which the log counts.
        viewer: How the viewer lists samples.
    """
    starts = sorted(debate.started for debate in condition.debates if debate.started)
    began = starts[0] if starts else datetime.now(UTC).replace(microsecond=0)
    sets = _prompt_sets(condition)
    texts = sets[_commonest(condition)].texts
    log = EvalLog(
        status="success",
        eval=EvalSpec(
            eval_id=_id("eval", condition, about),
            run_id=_id("run", condition, about),
            task_id=_id("task", condition, about),
            created=began.isoformat(),
            task=TASK,
            task_display_name="confidence",
            task_registry_name=TASK,
            task_version=task_version,
            task_args={"protocol": condition.name},
            tags=["rebuilt"],
            dataset=EvalDataset(
                name=SOURCE,
                samples=len(condition.debates),
                sample_ids=[debate.id for debate in condition.debates],
                shuffled=False,
            ),
            model="none/none",
            model_roles=_roles(condition),
            config=EvalConfig(epochs=1, epochs_reducer=["mean"]),
            packages={name: version(name) for name in ("inspect_ai", "inspect-debate")},
            headline_metric=HeadlineMetric(scorer="bets", metric="opening"),
            viewer=viewer,
            metadata={
                "study": "confidence",
                "task": TASK,
                "task_version": task_version,
                "protocol": condition.name,
                "parameters": condition.parameters.model_dump()
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
            model_usage=summed(map(model_usage, condition.debates)),
            role_usage=summed(map(role_usage, condition.debates)),
        ),
        samples=[
            logged_sample(
                debate, condition, sets[debate.prompts], began, grades.of(debate)
            )
            for debate in condition.debates
        ],
    )
    scorers = _scorers(condition, grades)
    return rescored(log, scorers)


def _scorers(condition: ConditionDebates, grades: Grades) -> list[Scorer]:
    scorers = [bets()]
    if condition.passes:
        scorers.append(jury())
    if any(grades.of(debate) for debate in condition.debates):
        scorers.append(bet_alignment(published=True))
    return scorers


def _roles(condition: ConditionDebates) -> dict[str, ModelConfig | list[ModelConfig]]:
    """The models by role, under a provider that never answers.

    Inspect makes the models of all roles where it scores a log, and the released names
    are those of a router, for which there may be neither a provider nor a key here.
    """
    roles: dict[str, ModelConfig | list[ModelConfig]] = {
        "debater_a": [ModelConfig(model=f"none/{model}") for model in condition.models]
    }
    if condition.jurors:
        roles["judge"] = [
            ModelConfig(model=f"none/{model}") for model in condition.jurors
        ]
    return roles


def _prompt_sets(condition: ConditionDebates) -> dict[Prompts | None, PromptSet]:
    named = dict.fromkeys(debate.prompts for debate in condition.debates)
    return {prompts: prompts_of(prompts) for prompts in named}


def _commonest(condition: ConditionDebates) -> Prompts | None:
    """The prompts of most debates; in the release there is one set."""
    return Counter(debate.prompts for debate in condition.debates).most_common(1)[0][0]


def _id(what: str, condition: ConditionDebates, about: Mapping[str, Any]) -> str:
    """An id that the same files have again."""
    text = f"{what}/{condition.name}/{about['sha256']}"
    return hashlib.sha256(text.encode()).hexdigest()[:22]


# What the scorers make of released debates, without a log of them.

# What distinguishes runs. A release is one run, and its settings are not known.
_RUN: dict[str, Any] = {
    "study": "confidence",
    "task": "inspect_debate/confidence",
    "task_version": "",
    "settings": {},
    "seed": 0,
    "reuse": None,
    **dict.fromkeys(("debater_a", "debater_b", "judge", "grader", "reward")),
}
_SAMPLE = {"epoch": 1, "error": None, "limit": None, "scored": True}


def _rows(condition: ConditionDebates, release: Release) -> Iterator[dict[str, Any]]:
    parameters = condition.parameters.model_dump() | CONFIG.model_dump(mode="json")
    graded = any(release.grades.of(debate) for debate in condition.debates)
    for debate in condition.debates:
        metadata = metadata_of(debate, condition)
        prompts = prompts_of(debate.prompts)
        record = record_of(debate, condition, prompts, metadata["fingerprint"])
        yield {
            **_RUN,
            **_SAMPLE,
            "log": condition.name,
            "run": condition.name,
            "created": condition.name,
            "protocol": condition.name,
            "parameters": parameters,
            "prompts": None,
            "id": debate.id,
            "motion": metadata["motion"],
            "models": {one.id: one.model for one in record.participants},
            "sides": dict(models_of(record)),
            "texts": [
                {
                    "side": side,
                    "round": round,
                    "speech": debate.speeches[side, round],
                    "reasoning": bet.thoughts,
                }
                for (side, round), bet in debate.bets.items()
            ],
            "released_tokens": {
                model: tokens.model_dump()
                for model, tokens in debate.tokens.get("debaters", {}).items()
            },
            **_values(record, condition, release.grades.of(debate) if graded else None),
        }


def _values(
    record: DebateRecord, condition: ConditionDebates, grades: Sequence[BetGrade] | None
) -> dict[str, float]:
    scored = {"bets": bet_values(record)}
    if condition.passes:
        scored["jury"] = jury_values(record)
    if grades is not None:
        eligible = len(eligible_bets(record))
        scored["bet_alignment"] = alignment_values(grades, eligible)
    return dict(_named(scored))


def _named(scored: dict[str, Values]) -> Iterator[tuple[str, float]]:
    for scorer, values in scored.items():
        for key, value in values.items():
            yield f"{scorer}.{key}", float(value)
