"""Protocols as agents: as a model's tool, and as a solver."""

from pathlib import Path

import pytest
from inspect_ai import Task, eval
from inspect_ai.agent import as_solver, as_tool
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageTool, ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate, use_tools
from inspect_ai.tool import ToolDef
from inspect_ai.util import Store

from inspect_debate.debate.agents import debating
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import Debate
from inspect_debate.solvers.colmad import copmad
from tests.support.runs import QUIET

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
