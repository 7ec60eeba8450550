"""Protocols as Inspect agents: to be handed off to, or to be a model's tool."""

from typing import cast
from uuid import uuid4

from inspect_ai.agent import Agent, AgentState, agent, agent_with
from inspect_ai.model import ChatMessage, ChatMessageUser, ModelName
from inspect_ai.solver import Generate, Solver, TaskState
from inspect_ai.util import store

from inspect_debate.debate.engine import solver_info
from inspect_debate.debate.record import read_record, write_record

_DESCRIPTION = (
    "Has a question debated by several models, and gives the answer that the debate "
    "ends with."
)


def debating(protocol: Solver, description: str = _DESCRIPTION) -> Agent:
    """A protocol as an agent, for `as_tool`, `handoff`, `run` or `as_solver`.

    The last user message is the question. It has no options, so that the protocol has
    to take answers in words: `debating(copmad(**{"config.answers": "free"}))`. Each
    debate's record is in the sample's store, `store_as(Debate, instance=ID)`, and its
    calls are in the transcript.

    Args:
        protocol: What a protocol of this suite, or one like them, makes.
        description: The tool's description for the calling model.

    Returns:
        An agent that ends with the debate's messages and answer.

    Raises:
        InputError: If the solver is none of a protocol.
    """
    solver_info(protocol)

    @agent
    def debate() -> Agent:
        async def execute(state: AgentState) -> AgentState:
            """Debates a question.

            Args:
                state: A conversation that ends with the question.
            """
            asked = [m for m in state.messages if isinstance(m, ChatMessageUser)]
            id = uuid4().hex[:8]
            own = sample_of([*asked[-1:]] or [ChatMessageUser(content="")], id)
            try:
                own = await run_on(protocol, own)
            finally:
                if (record := read_record(own.store)) is not None:
                    write_record(store(), record, instance=id)
            state.messages = [*state.messages, *own.messages[1:]]
            state.output = own.output
            return state

        return execute

    return agent_with(debate(), description=description)


def sample_of(
    conversation: list[ChatMessage], id: int | str, epoch: int = 1
) -> TaskState:
    """A sample of its own, for a debate within another sample.

    Args:
        conversation: What the debate is about, as the input of a sample.
        id: Its id, by which sides are drawn.
        epoch: Its epoch.
    """
    return TaskState(
        model=ModelName("none/none"),
        sample_id=id,
        epoch=epoch,
        input=conversation,
        messages=[*conversation],
        store={},
    )


async def run_on(protocol: Solver, sample: TaskState) -> TaskState:
    """Run a protocol on a sample, which has its record and outcome then."""
    return await protocol(sample, cast(Generate, _no_generate))


async def _no_generate(state: TaskState, **settings: object) -> TaskState:
    return state  # protocols ask by themselves
