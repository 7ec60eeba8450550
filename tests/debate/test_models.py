from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from inspect_ai.log import EvalLog
from inspect_ai.model import Model
from inspect_ai.solver import TaskState

from inspect_debate.debate.participants import model_for, models_for
from inspect_debate.debate.record import Role
from tests.support.made import step_task
from tests.support.models import calls_of, scripted
from tests.support.runs import error_of, run

Roles = Mapping[str, str | Model | Sequence[str | Model]]


def resolve(
    tmp_path: Path,
    asked: Sequence[Role],
    roles: Roles | None = None,
    main: str | Model = "scripted/main",
) -> tuple[list[Model], EvalLog]:
    """The models of a role and its fallbacks, each of which is called once."""
    found: list[Model] = []

    async def step(_: TaskState) -> None:
        found.extend(models_for(*asked))
        for model in found:
            await model.generate("hi")

    log = run(step_task(step), tmp_path, main, roles)
    return found, log


def names(models: list[Model]) -> list[str]:
    return [model.name for model in models]


@pytest.mark.parametrize(
    ("bound", "asked", "expected"),
    [
        ({}, ["judge"], ["main"]),
        ({}, ["judge", "debater_a"], ["main"]),
        ({"judge": "j"}, ["judge"], ["j"]),
        ({"judge": "j", "debater_a": "a"}, ["judge", "debater_a"], ["j"]),
        ({"debater_a": "a"}, ["judge", "debater_a"], ["a"]),
        ({"debater_a": "a"}, ["judge"], ["main"]),
        # Fallbacks in the order asked for, not in the order bound.
        (
            {"debater_a": "a", "debater_b": "b"},
            ["reward", "judge", "debater_b", "debater_a"],
            ["b"],
        ),
        ({"grader": "g"}, ["judge", "debater_a"], ["main"]),
    ],
)
def test_who_plays_a_role(
    tmp_path: Path, bound: dict[str, str], asked: list[Role], expected: list[str]
) -> None:
    roles = {role: f"scripted/{name}" for role, name in bound.items()}
    models, log = resolve(tmp_path, asked, roles)
    assert names(models) == expected
    # Whoever stands in is counted under the role that it plays, and there only.
    assert [model.role for model in models] == [asked[0]]
    assert list(log.stats.role_usage) == [asked[0]]
    assert log.stats.role_usage[asked[0]].total_tokens == 15
    assert log.stats.model_usage[f"scripted/{expected[0]}"].total_tokens == 15


def test_a_list_of_judges_in_order(tmp_path: Path) -> None:
    judges = [scripted(name=name) for name in ("j2", "j1", "j2")]
    roles: Roles = {"debater_a": "scripted/a", "judge": judges}
    models, log = resolve(tmp_path, ["judge", "debater_a"], roles)
    assert names(models) == ["j2", "j1", "j2"]
    assert [len(calls_of(judge)) for judge in judges] == [1, 1, 1]
    assert log.stats.role_usage["judge"].total_tokens == 45
    assert list(log.stats.role_usage) == ["judge"]


def test_a_fallback_leaves_the_bound_model_its_role(tmp_path: Path) -> None:
    async def step(_: TaskState) -> None:
        for model in (model_for("judge", "debater_a"), model_for("debater_a")):
            await model.generate("hi")

    log = run(step_task(step), tmp_path, roles={"debater_a": scripted()}, model="none")
    usage = {role: used.total_tokens for role, used in log.stats.role_usage.items()}
    assert usage == {"judge": 15, "debater_a": 15}


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("juge", "judge"),
        ("Judge", "judge"),
        ("judges", "judge"),
        ("debater-a", "debater_a"),
        ("debater_c", "debater_"),
        ("rewards", "reward"),
    ],
)
def test_a_misspelt_role(tmp_path: Path, name: str, meant: str) -> None:
    async def step(_: TaskState) -> None:
        models_for("grader")

    log = run(
        step_task(step), tmp_path, "scripted/main", {name: "scripted/j"}, success=False
    )
    assert f"--model-role {name}=... binds no role of this suite" in error_of(log)
    assert "debater_a, debater_b, judge, reward, grader" in error_of(log)
    assert f"Did you mean '{meant}" in error_of(log)
    assert log.stats.model_usage == {}


def test_roles_of_others_are_none_of_our_business(tmp_path: Path) -> None:
    models, _ = resolve(tmp_path, ["judge"], {"red_team": "scripted/r"})
    assert names(models) == ["main"]


@pytest.mark.parametrize(
    ("bound", "fallbacks", "message"),
    [
        ("debater_a", [], "takes one model here"),
        ("debater_b", ["debater_b"], "debater_b, which would stand in for it"),
    ],
)
def test_a_role_that_takes_one_model_refuses_a_list(
    tmp_path: Path, bound: Role, fallbacks: list[Role], message: str
) -> None:
    async def step(_: TaskState) -> None:
        model_for("debater_a", *fallbacks)

    roles: Roles = {bound: ["scripted/a1", "scripted/a2"]}
    log = run(step_task(step), tmp_path, "scripted/main", roles, success=False)
    assert message in error_of(log)
    assert "scripted/a1, scripted/a2" in error_of(log)
    assert log.stats.model_usage == {}
