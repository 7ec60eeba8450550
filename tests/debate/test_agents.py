"""Protocols as agents: as a model's tool, and as a solver."""

import re
from pathlib import Path

import pytest
from inspect_ai import Task, eval
from inspect_ai.agent import as_solver, as_tool, react
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageTool, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import match
from inspect_ai.solver import generate, use_tools
from inspect_ai.tool import ToolDef
from inspect_ai.util import Store

from inspect_debate.debate.agents import debating
from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import Debate
from inspect_debate.solvers.colmad import copmad
from tests.support.models import USAGE, Messages, Script, scripted
from tests.support.options import Cast
from tests.support.runs import QUIET, run, samples, score_of

ASKED = "Which planet is the largest?"
CALL = ModelOutput.for_tool_call("m", "debate", {"input": ASKED})
REPLIES = {
    "answer": "ANSWER: Jupiter",
    "speech": "<thinking>t</thinking>\n<argument>It is Jupiter.</argument>",
}
FREE = {"config.answers": "free", "config.quotes": "none"}


def reply(tools: bool = False) -> list[ModelOutput]:
    """Two answers that agree, so that nothing is debated."""
    words = [ModelOutput.from_content("m", REPLIES["answer"]) for _ in range(2)]
    replies = [CALL, *words, ModelOutput.from_content("m", "Done.")] if tools else words
    for output in replies:
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return replies


@pytest.mark.slow
def test_a_model_calls_a_debate(tmp_path: Path) -> None:
    agent = debating(copmad(skip_if_agree=True, **FREE), "Debates what is asked.")
    tool = as_tool(agent)
    assert (ToolDef(tool).name, ToolDef(tool).description) == (
        "debate",
        "Debates what is asked.",
    )
    task = Task(
        dataset=[Sample(input="Ask a debate which planet is the largest.")],
        solver=[use_tools(tool), generate()],
    )
    model = get_model("mockllm/model", custom_outputs=reply(tools=True))
    (log,) = eval(task, model=model, log_dir=str(tmp_path), **QUIET)
    assert log.status == "success", log.error
    assert log.samples is not None
    (sample,) = log.samples
    (answered,) = [m for m in sample.messages if isinstance(m, ChatMessageTool)]
    assert "Jupiter" in answered.text
    (key,) = [key for key in sample.store if key.startswith("Debate:")]
    record = Debate(store=Store(sample.store), instance=key.split(":")[1]).record
    assert record is not None
    assert [turn.kind for turn in record.turns] == ["answer", "answer"]
    assert record.complete


def test_an_agent_has_a_question_debated_before_it_submits(tmp_path: Path) -> None:
    """A react agent with scripted debaters and a judge, who differ from its guess."""

    def agent(messages: Messages, _: TurnDescription | None) -> str | ModelOutput:
        told = [m.text for m in messages if isinstance(m, ChatMessageTool)]
        if not told:
            return CALL
        answer = "Jupiter" if "ANSWER: Jupiter" in told[-1] else "Saturn"
        return ModelOutput.for_tool_call("m", "submit", {"answer": answer})

    def debater(answer: str) -> Script:
        replies = REPLIES | {"answer": f"ANSWER: {answer}"}
        return lambda messages, turn: replies[turn.kind]

    def judge(messages: Messages, turn: TurnDescription) -> str:
        found = re.search(r"Answer (\w): <answer>Jupiter", messages[-1].text)
        assert found
        return f"Answer: {found[1]}"

    roles: Cast = {
        "debater_a": scripted(debater("Saturn"), "a"),
        "debater_b": scripted(debater("Jupiter"), "b"),
        "judge": scripted(judge, "judge"),
    }
    tools = [as_tool(debating(copmad(rounds=1, **FREE)))]
    asking = Sample(input="Which planet is the largest?", target="Jupiter")
    task = Task(dataset=[asking], solver=as_solver(react(tools=tools)), scorer=match())
    log = run(task, tmp_path, scripted(agent, "agent"), roles)
    (sample,) = samples(log)
    assert score_of(sample, "match").value == "C"
    (key,) = [key for key in sample.store if key.startswith("Debate:")]
    known = Debate(store=Store(sample.store), instance=key.split(":")[1]).record
    assert known is not None
    assert [turn.kind for turn in known.turns] == [
        *("answer", "answer", "speech", "speech", "verdict")
    ]
    # The agent's calls are none of the debate's, and what each role used is known.
    assert known.complete
    assert {role: use.total_tokens for role, use in sample.role_usage.items()} == {
        "debater_a": 2 * USAGE.total_tokens,
        "debater_b": 2 * USAGE.total_tokens,
        "judge": USAGE.total_tokens,
    }


def test_an_agent_is_a_solver(tmp_path: Path) -> None:
    agent = debating(copmad(skip_if_agree=True, **FREE))
    task = Task(dataset=[Sample(input=ASKED)], solver=as_solver(agent))
    model = get_model("mockllm/model", custom_outputs=reply())
    (log,) = eval(task, model=model, log_dir=str(tmp_path), **QUIET)
    assert log.status == "success", log.error
    assert log.samples is not None
    assert "Jupiter" in log.samples[0].output.completion


def test_only_a_protocol_debates() -> None:
    with pytest.raises(InputError, match="not a protocol"):
        debating(generate())
