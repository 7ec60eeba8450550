from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import CachePolicy, GenerateConfig, Model, get_model
from inspect_ai.solver import TaskState

from inspect_debate.debate import settings
from inspect_debate.debate.participants import models_for
from inspect_debate.debate.record import Role
from inspect_debate.debate.settings import (
    Sampling,
    as_sent,
    cache_policy,
    effective_config,
    loggable,
    own_config,
    refused_setting,
    refuses,
    sendable,
)
from tests.support.made import step_task
from tests.support.models import calls_of, scripted
from tests.support.runs import run

Roles = dict[str, Model | str | Sequence[Model | str]]

STUDY = GenerateConfig(temperature=0.0, max_tokens=4096)


def sent(
    tmp_path: Path,
    main: str | Model = "scripted/main",
    roles: Roles | None = None,
    chosen: Sampling | None = None,
    asked: Sequence[Role] = ("judge",),
    task_config: GenerateConfig | None = None,
    **typed: Any,
) -> list[dict[str, Any]]:
    """What reached the provider from each model of a role, with the study's default.

    Checks on the way that what the record says is what was sent.
    """
    found: list[dict[str, Any]] = []

    async def step(_: TaskState) -> None:
        for model in models_for(*asked):
            config = effective_config(model, STUDY, chosen or Sampling())
            await model.generate("hi", config=config)
            got = calls_of(model)[-1].config.model_dump(exclude_none=True)
            assert got == loggable(config)
            found.append(got)

    run(step_task(step, task_config), tmp_path, main, roles, **typed)
    return found


def with_own(temperature: float, name: str = "own") -> Model:
    return scripted(name=name, config=GenerateConfig(temperature=temperature))


# The four voices, strongest first, each with a temperature of its own.
@pytest.mark.slow
@pytest.mark.parametrize("chosen", [None, 0.2])
@pytest.mark.parametrize("typed", [None, 0.3])
@pytest.mark.parametrize(
    ("where", "role"),
    [
        *product(("judge", "fallback", "list", "main"), (None, 0.1)),
        ("main by name", None),  # which has no settings of its own
    ],
)
def test_who_wins(
    tmp_path: Path,
    where: str,
    role: float | None,
    chosen: float | None,
    typed: float | None,
) -> None:
    model = scripted() if role is None else with_own(role)
    main: Model | str = {"main": model}.get(where, "scripted/main")
    roles: dict[str, Roles] = {
        "judge": {"judge": model},
        "fallback": {"debater_a": model},
        "list": {"judge": [model, model]},
    }
    given: dict[str, Any] = {} if typed is None else {"temperature": typed}
    voices = (role, chosen, typed, 0.0)
    winner = next(voice for voice in voices if voice is not None)
    got = sent(
        tmp_path,
        main,
        roles.get(where),
        Sampling(temperature=chosen),
        ("judge", "debater_a"),
        **given,
    )
    expected = {"temperature": winner, "max_tokens": 4096}
    assert got == [expected] * (2 if where == "list" else 1)


def test_each_setting_is_decided_for_itself(tmp_path: Path) -> None:
    got = sent(
        tmp_path,
        roles={"judge": scripted(config=GenerateConfig(seed=1, top_p=0.1))},
        chosen=Sampling(top_p=0.2, max_tokens=20),
        temperature=0.3,
        max_tokens=30,
        frequency_penalty=0.3,
    )
    assert got == [
        {
            "seed": 1,
            "top_p": 0.1,
            "max_tokens": 20,
            "temperature": 0.3,
            "frequency_penalty": 0.3,
        }
    ]


def test_each_judge_of_a_list_has_its_own_settings(tmp_path: Path) -> None:
    judges = [with_own(0.1, "j1"), scripted(name="j2")]
    got = sent(tmp_path, roles={"judge": judges}, temperature=0.7)
    assert [config["temperature"] for config in got] == [0.1, 0.7]


def test_a_tasks_own_config_counts_as_the_runs(tmp_path: Path) -> None:
    task_config = GenerateConfig(temperature=0.4, seed=4)
    got = sent(tmp_path, roles={"judge": scripted()}, task_config=task_config)
    assert got == [{"temperature": 0.4, "seed": 4, "max_tokens": 4096}]
    got = sent(
        tmp_path, roles={"judge": scripted()}, task_config=task_config, temperature=0.7
    )
    assert got == [{"temperature": 0.7, "seed": 4, "max_tokens": 4096}]


@pytest.mark.parametrize("typed", [{}, {"temperature": 0.7}])
@pytest.mark.parametrize("bound", [True, False], ids=["judge", "main by name"])
def test_provider_default(tmp_path: Path, bound: bool, typed: dict[str, Any]) -> None:
    chosen = Sampling(temperature="provider")
    roles: Roles = {"judge": scripted()} if bound else {}
    assert sent(tmp_path, roles=roles, chosen=chosen, **typed) == [{"max_tokens": 4096}]


@pytest.mark.parametrize("role", ["judge", "debater_a"])
def test_a_roles_own_setting_may_equal_the_runs(tmp_path: Path, role: str) -> None:
    got = sent(
        tmp_path,
        roles={role: with_own(0.7)},
        chosen=Sampling(temperature=0.2, max_tokens=9),
        asked=("judge", "debater_a"),
        temperature=0.7,
    )
    assert got == [{"temperature": 0.7, "max_tokens": 9}]


@pytest.mark.parametrize("main", ["scripted/main", "object"])
def test_own_config_of_the_main_model(tmp_path: Path, main: str) -> None:
    found: list[GenerateConfig] = []
    given = GenerateConfig(temperature=0.1, top_p=0.5)

    async def step(_: TaskState) -> None:
        before = get_model().config.model_copy()
        found.append(own_config(get_model()))
        assert get_model().config == before, "left alone"

    model = scripted(config=given) if main == "object" else main
    run(step_task(step), tmp_path, model, temperature=0.7, seed=3)
    assert found == [given if main == "object" else GenerateConfig()]


def test_outside_a_run_the_study_decides() -> None:
    assert effective_config(scripted(), STUDY, Sampling()) == STUDY
    assert effective_config(with_own(0.1), STUDY, Sampling()).temperature == 0.1
    assert loggable(STUDY) == {"temperature": 0.0, "max_tokens": 4096}, "left alone"


def test_every_setting_of_sampling_is_one_of_inspects() -> None:
    full = Sampling(temperature=0.0, max_tokens=5, top_p=0.5, seed=0)
    assert effective_config(scripted(), GenerateConfig(), full) == GenerateConfig(
        temperature=0.0, max_tokens=5, top_p=0.5, seed=0
    )
    assert None not in full.model_dump().values(), "a new setting: test it, too"
    provider = Sampling(temperature="provider", seed=3)
    assert effective_config(scripted(), STUDY, provider) == GenerateConfig(
        max_tokens=4096, seed=3
    )


def test_a_users_cache_policy_keeps_its_own_scopes() -> None:
    users = CachePolicy(expiry="3D", per_epoch=False, scopes={"lab": "a", "role": "x"})
    policy = cache_policy(GenerateConfig(cache=users), role="judge")
    assert isinstance(policy, CachePolicy)
    assert (policy.expiry, policy.per_epoch) == ("3D", False)
    assert policy.scopes == {"lab": "a", "role": "judge"}
    assert users.scopes == {"lab": "a", "role": "x"}, "left alone"


def test_cache_of_a_role(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    drawn: list[str] = []
    judge = scripted(lambda messages, description: f"draw {len(drawn)}", name="cached")

    async def step(_: TaskState) -> None:
        (model,) = models_for("judge")
        config = effective_config(model, STUDY, Sampling())
        for role, draw in (("judge", "1"), ("judge", "1"), ("judge", "2"), ("b", "1")):
            cache = cache_policy(config, role=role, draw=draw)
            output = await model.generate("hi", config=config, cache=cache)
            drawn.append(output.completion)

    run(step_task(step), tmp_path, "scripted/m", {"judge": judge}, cache=True)
    assert drawn == ["draw 0", "draw 0", "draw 2", "draw 3"]
    assert len(calls_of(judge)) == 3


# --- what models refuse --------------------------------------------------------------

ASKED = GenerateConfig(temperature=0.5, logprobs=True, max_tokens=9)


@pytest.fixture
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "_refused", {"temperature": set(), "logprobs": set()})


@pytest.mark.usefixtures("nothing_known")
@pytest.mark.parametrize(
    ("message", "refused"),
    [
        ("Unsupported value: 'temperature' does not support 0.5.", {"temperature"}),
        ("temperature: Only the default (1) value is taken.", {"temperature"}),
        ("Unsupported parameter: 'logprobs' is not supported.", {"logprobs"}),
        ("You are not allowed to request logprobs from this model", {"logprobs"}),
        ("LOGPROBS are not permitted", {"logprobs"}),
        ("temperature must be between 0 and 2", set()),
        ("logprobs must be true or false", set()),
        ("This region is not supported", set()),
        ("Rate limit reached", set()),
        ("'max_tokens' is not supported", set()),
    ],
)
def test_which_setting_a_model_refused(
    message: str, refused: set[str], caplog: pytest.LogCaptureFixture
) -> None:
    model, other = scripted(name="thinker"), scripted(name="other")
    assert refused_setting(model, ASKED, RuntimeError(message)) == bool(refused)
    assert refuses(model, "temperature") == ("temperature" in refused)
    assert refuses(model, "logprobs") == ("logprobs" in refused)
    assert not refuses(other, "logprobs")
    assert sendable(other, ASKED) == ASKED
    left = {n: v for n, v in ASKED if n not in refused}
    assert sendable(model, ASKED) == GenerateConfig(**left)
    assert ASKED.logprobs, "left alone"
    assert (f"{model} takes no" in caplog.text) == bool(refused)


@pytest.mark.usefixtures("nothing_known")
@pytest.mark.parametrize("name", ["temperature", "logprobs"])
def test_what_was_not_asked_for_was_not_refused(name: str) -> None:
    error = RuntimeError(f"'{name}' is not supported")
    without = ASKED.model_copy(update={name: None})
    assert not refused_setting(scripted(), without, error)
    assert sendable(scripted(), ASKED) == ASKED
    assert refused_setting(scripted(), ASKED, error)
    again = sendable(scripted(), ASKED)
    assert not refused_setting(scripted(), again, error), "it was not sent"


@pytest.mark.usefixtures("nothing_known")
def test_a_record_tells_what_was_refused() -> None:
    model = scripted(name="thinker")
    for name in ("temperature", "logprobs"):
        refused_setting(model, ASKED, RuntimeError(f"{name} is not supported"))
    asked = loggable(ASKED)
    message = {"temperature": "provider", "logprobs": "refused", "max_tokens": 9}
    assert as_sent(str(model), asked) == message
    assert as_sent(str(model), {"max_tokens": 9}) == {"max_tokens": 9}
    assert as_sent("scripted/other", asked) == asked
    assert sendable(model, ASKED) == GenerateConfig(max_tokens=9)
