"""Roles with tools, and roles that are played by agents."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, eval_retry, score, task
from inspect_ai.agent import Agent, AgentState, agent, react
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import ChatMessageTool, ModelOutput
from inspect_ai.tool import Tool, bash, tool

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import DebateRecord, Status
from inspect_debate.scorers.debate_judge import debate_judge
from inspect_debate.solvers.colmad import copmad
from inspect_debate.solvers.srdcr import srdcr
from tests.support.failing import Failing
from tests.support.models import USAGE, Messages, scripted
from tests.support.options import Cast, calls, question, towns
from tests.support.runs import (
    QUIET,
    error_of,
    record,
    records,
    run,
    samples,
    score_of,
)

SECRET = "forty-two"
SPEECH = "<thinking>hm</thinking><argument>I looked.\nFinal: A\nConf: 1</argument>"


@tool
def calculator() -> Tool:
    async def execute(expression: str) -> str:
        """Calculates.

        Args:
            expression: What to calculate.
        """
        return f"{expression} is {SECRET}"

    return execute


def call() -> ModelOutput:
    return ModelOutput.for_tool_call("m", "calculator", {"expression": "6 * 7"})


def uses(reply: str, endless: bool = False) -> Callable[..., Any]:
    """A model that calls the calculator, reads what it says, and replies."""

    def script(messages: Messages, _: TurnDescription | None) -> str | ModelOutput:
        used = isinstance(messages[-1], ChatMessageTool)
        return reply if used and not endless else call()

    return script


def cast(endless: bool = False) -> Cast:
    return {
        "debater_a": scripted(uses(SPEECH, endless), "a"),
        "debater_b": scripted(lambda messages, _: SPEECH, "b"),
        "judge": scripted(uses("ANSWER: B"), "judge"),
    }


def debated(tmp_path: Path, roles: Cast, **given: Any) -> EvalLog:
    solver = copmad(rounds=2, sides="assigned", **given)
    asked = question("Which?", choices=["Paris", "Rome"])
    return run(towns(asked), tmp_path, "none", roles, solver=solver)


@pytest.mark.parametrize(
    "by",
    [[calculator()], partial(react, tools=[calculator()], submit=False)],
    ids=["tools", "agent"],
)
def test_debater_and_judge_call_tools(by: Any, tmp_path: Path) -> None:
    roles = cast()
    agents = {"debater_a": by, "judge": [calculator()]}
    log = debated(tmp_path, roles, agents=agents)
    (sample,) = samples(log)
    known = record(sample)
    speeches = {turn.participant: turn for turn in known.of_kind("speech")}
    (verdict,) = known.of_kind("verdict")
    assert verdict.field("answer").value == "B"
    assert speeches["debater_a"].field("argument").status == Status.OK
    for turn in (speeches["debater_a"], verdict):
        assert (turn.calls, turn.usage) == (2, USAGE + USAGE)
    assert (speeches["debater_b"].calls, speeches["debater_b"].usage) == (1, USAGE)
    # What a tool says is in the transcript, and in no other participant's prompt.
    assert SECRET not in "".join(call.prompt for call in calls(roles, "debater_b"))
    first, *_ = calls(roles, "judge")
    assert SECRET not in first.prompt
    assert any(event.event == "tool" for event in sample.events)
    # Settings are those of the role, whoever calls.
    assert {c.config.temperature for c in calls(roles, "debater_a")} == {0.0}
    assert {c.config.max_tokens for c in calls(roles, "debater_a")} == {4096}
    settings = known.participant("debater_a").settings["speech"]
    name = {"tools": ["calculator"]} if isinstance(by, list) else {"agent": ["react"]}
    assert settings.items() >= (name | {"turn_messages": 50}).items()
    (step,) = read_eval_log(log.location).plan.steps
    assert step.params["agents"].keys() == agents.keys()


@pytest.mark.parametrize(
    "limit", [{"agent_messages": 4}, {"agent_tokens": 40}], ids=["messages", "tokens"]
)
@pytest.mark.parametrize(
    "by",
    [[calculator()], partial(react, tools=[calculator()], submit=False)],
    ids=["tools", "agent"],
)
def test_a_limit_ends_a_turn_and_not_the_debate(
    by: Any, limit: dict[str, int], tmp_path: Path
) -> None:
    log = debated(tmp_path, cast(endless=True), agents={"debater_a": by}, **limit)
    (sample,) = samples(log)
    known = record(sample)
    turn, *_ = (t for t in known.of_kind("speech") if t.participant == "debater_a")
    assert turn.field("argument").status == Status.TRUNCATED
    assert turn.public == ""
    # Two messages a call: the third would exceed either limit, or does.
    calls_made = 2 if "agent_messages" in limit else 3
    assert turn.calls == calls_made
    assert turn.usage.total_tokens == calls_made * USAGE.total_tokens
    assert known.complete


def test_tools_work_in_the_sandbox_of_the_task(tmp_path: Path) -> None:
    def script(messages: Messages, _: TurnDescription | None) -> str | ModelOutput:
        if isinstance(messages[-1], ChatMessageTool):
            return f"<argument>It printed {messages[-1].text}.</argument>"
        command = {"command": "echo 6 times 7"}
        return ModelOutput.for_tool_call("m", "bash", command)

    roles = cast() | {"debater_a": scripted(script, "a")}
    asked = towns(question("Which?", choices=["Paris", "Rome"]), sandbox="local")
    by = {"debater_a": partial(react, prompt=None, submit=False, tools=[bash()])}
    solver = copmad(rounds=1, sides="assigned", agents=by)
    log = run(asked, tmp_path, "none", roles, solver=solver)
    speech, *_ = record(samples(log)[0]).of_kind("speech")
    assert "It printed 6 times 7" in speech.public


def test_calls_of_agents_are_cached(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    roles = cast()
    solver = copmad(rounds=1, sides="assigned", agents={"debater_a": [calculator()]})
    asked = towns(question("Which?", choices=["Paris", "Rome"]))
    known = []
    for again in range(2):
        log = run(asked, tmp_path, "none", roles, solver=solver, cache=True)
        known.append([t.usage for t in record(samples(log)[0]).turns])
        assert len(calls(roles, "debater_a")) == 2, again
    assert known[0] == known[1]


def test_an_agent_of_ones_own(tmp_path: Path) -> None:
    @agent
    def quoting() -> Agent:
        async def execute(state: AgentState) -> AgentState:
            state.output = ModelOutput.from_content("mine", SPEECH)
            return state

        return execute

    roles = cast()
    log = debated(tmp_path, roles, agents={"debater_a": quoting()})
    turn, *_ = record(samples(log)[0]).of_kind("speech")
    assert (turn.served, turn.calls) == ("mine", 0)
    assert not calls(roles, "debater_a")


WRONG = [
    ({"agents": "react"}, "has to be a mapping of roles to agents or tools"),
    ({"agents": {"debater": [calculator()]}}, "role of an agent 'debater' is not"),
    ({"agents": {"judge": "react"}}, "has to be an agent, a partial that makes one"),
    # As a log has it, which cannot be made again of it.
    ({"agents": {"judge": [{"type": "tool"}]}}, "has to be an agent, a partial that"),
    ({"agents": {}, "agent_messages": 0}, "agent_messages=0 is not allowed"),
    ({"agents": {}, "agent_tokens": "9"}, "agent_tokens='9' is not allowed"),
]


@pytest.mark.parametrize(("given", "message"), WRONG)
@pytest.mark.parametrize("protocol", [copmad, srdcr])
def test_what_is_no_agent(protocol: Any, given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        protocol(**given)


def test_a_judge_with_tools_grades_and_judges_again(tmp_path: Path) -> None:
    roles = cast()
    agents = {"judge": [calculator()]}
    asked = towns(question("Which?", choices=["Paris", "Rome"]))
    log = run(asked, tmp_path, "none", roles, solver=copmad(sides="assigned"))
    solver = copmad(sides="assigned", reuse=log.location, agents=agents)
    again = run(asked, tmp_path, "none", roles, solver=solver)
    (sample,) = samples(again)
    new = [turn for turn in record(sample).turns if not turn.reused]
    assert [(turn.kind, turn.calls) for turn in new] == [("verdict", 2)]
    roles["judge"] = scripted(uses("Answer: 2"), "judge")
    scored = score(again, debate_judge(rounds=1, agents=agents), model_roles=roles)
    found = score_of(samples(scored)[0], "debate_judge").metadata
    assert found is not None
    judged = DebateRecord.model_validate(found["debate"])
    assert [turn.calls for turn in judged.of_kind("verdict")] == [2]


@task
def towns_with_tools() -> Task:
    solver = copmad(
        rounds=1,
        sides="assigned",
        agents={"debater_a": [calculator()], "judge": partial(react, **REACTS)},
    )
    asked = [question(f"{n}?", choices=["Paris", "Rome"]) for n in range(3)]
    return towns(*asked, solver=solver)


REACTS: dict[str, Any] = {"tools": [calculator()], "submit": False, "prompt": None}


@pytest.mark.parametrize("fails", [1, 3, 8, 12])
def test_a_run_with_tools_goes_on_and_pays_nothing_twice(
    fails: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(Failing, "asked", Counter())
    monkeypatch.setattr(Failing, "fails", fails)
    roles = {role: f"failing/{role}" for role in ("debater_a", "debater_b", "judge")}
    settings: dict[str, Any] = {"max_samples": 1, "cache": True, "success": False}
    log = run(towns_with_tools, tmp_path, "none", roles, **settings)
    assert "the network is down" in error_of(log)
    (log,) = eval_retry(log, log_dir=str(tmp_path / "again"), **QUIET)
    assert log.status == "success"
    assert [len(r.turns) for r in records(log)] == [3, 3, 3]
    # Of each question two calls of A, one of B and two of the judge.
    assert (len(Failing.asked), {*Failing.asked.values()}) == (15, {1})
