"""The reader of generative debate's prompts misses what is not there, and sees what
should not be."""

import re

import pytest

from inspect_debate.evals.generative import generative
from inspect_debate.solvers.generative_debate import GenerativeProtocol
from tests.support.generative_texts import unwrapped
from tests.support.generative_world import World, roles
from tests.support.runs import run
from tests.support.wire.requests import ChatRequest, Message
from tests.support.wire.server import WireServer

pytestmark = pytest.mark.slow

# Who is asked, by what stands in the prompt alone.
SOLVER = "Find the rule, check it against every example, and apply it."
DEBATER = "have each answered the same task"
CONSULTANT = "you have answered a task. A judge"
PROPOSER = ", a critic, reviews your answer"
CRITIC = "You are Bob, a critic."
OF_DEBATE = "and have then debated"
OF_REVIEW = ", a critic, has debated"
OF_CONSULTANCY = "each has spoken about its own answer"
OF_ONE = "nobody replied"
OF_ANSWERS = "independently of one another. Rule"
SOLVING_JUDGE = "solve the task yourself"

SPEAKERS = (DEBATER, CONSULTANT, PROPOSER, CRITIC)
JUDGES = (OF_DEBATE, OF_REVIEW, OF_CONSULTANCY, OF_ONE)

TASK = (r"<task>.*</task>", "")
ANSWER = (r"^(?:Your answer|The answer of \w+):\n\n<answer .*?</answer>$", "")
OTHER_ANSWER = (
    r"^Your answer:",
    'The answer of Bob:\n\n<answer by="Bob">\n1 1\n</answer>\n\nYour answer:',
)
NOT_ITS_OWN = (r"^(Your answer:\n\n<answer [^\n]*)$", r"\1\n1 1")
TURN = (r"<turn (?:.(?!<turn ))*?</turn>\n*(?=</transcript>)", "")
TRANSCRIPT = (r"<transcript>.*</transcript>", "")
LATE = (
    r"(?=\n</transcript>)",
    '\n\n<turn speaker="Bob" round="2">\nI know what you said.\n</turn>',
)
STRANGER = (r'<turn speaker="\w+"', '<turn speaker="Carol"')
NO_ROUND = (r"^Speak .*$", "")
NO_STANCE = (r"^Stance: DISAGREE$", "")
NO_FORM = (r"```json.*```", "")
ONE_FORM_LESS = (r'^\{?\s*"Bob": \{"verdict.*?\}\}?,?$', "")
NO_BLOCKS = (r"fenced", "")
TOLD = (r"\Z", "\n\nA judge will read it.")

FAULTS = [
    *[(who, *TASK) for who in (SOLVER, *SPEAKERS, *JUDGES, OF_ANSWERS, SOLVING_JUDGE)],
    *[(who, *ANSWER) for who in (*SPEAKERS, *JUDGES, OF_ANSWERS, SOLVING_JUDGE)],
    *[(who, *TURN) for who in SPEAKERS],
    *[(who, *TRANSCRIPT) for who in (*SPEAKERS, *JUDGES)],
    *[(who, *STRANGER) for who in (*SPEAKERS, *JUDGES)],
    *[(who, *NO_ROUND) for who in SPEAKERS],
    *[(who, *NO_FORM) for who in (*JUDGES, OF_ANSWERS)],
    *[(who, *ONE_FORM_LESS) for who in (OF_DEBATE, OF_CONSULTANCY, OF_REVIEW)],
    *[(who, *OTHER_ANSWER) for who in (CONSULTANT, PROPOSER)],
    *[(who, *LATE) for who in (DEBATER, CONSULTANT, PROPOSER)],
    *[(who, *NOT_ITS_OWN) for who in (DEBATER, CONSULTANT, PROPOSER)],
    (CRITIC, *NO_STANCE),
    (SOLVER, *NO_BLOCKS),
    (SOLVING_JUDGE, *NO_BLOCKS),
    (SOLVER, *TOLD),
]

FORMATS: tuple[GenerativeProtocol, ...] = (
    "dual_debate",
    "single_debate",
    "dual_consultancy",
    "single_consultancy",
    "dual_no_transcript",
)


@pytest.fixture(scope="module")
def world() -> World:
    return World.of(generative(source="sample").dataset)


@pytest.fixture(scope="module")
def prompts(
    world: World, tmp_path_factory: pytest.TempPathFactory
) -> list[ChatRequest]:
    """All prompts of one task in each format."""
    asked: list[ChatRequest] = []
    for protocol in FORMATS:
        task = generative(protocol=protocol, source="sample", judge_answer=True)
        with WireServer(world.brain) as server:
            log_dir = tmp_path_factory.mktemp(protocol)
            run(task, log_dir, "none/none", roles(server), limit=1)
        asked += server.requests
    return asked


def sort_of(prompt: ChatRequest) -> str:
    """What tells of a prompt who is asked for what."""
    text = unwrapped(prompt.prompt)
    return SOLVING_JUDGE if SOLVING_JUDGE in text else text


def test_it_reads_what_is_asked(world: World, prompts: list[ChatRequest]) -> None:
    assert len(prompts) == 8 + 7 + 8 + 5 + 4
    assert all(world.readers[p.model].reply(p.messages) for p in prompts)


@pytest.mark.parametrize(("who", "missing", "instead"), FAULTS)
def test_it_misses_what_is_not_there(
    world: World, prompts: list[ChatRequest], who: str, missing: str, instead: str
) -> None:
    # The last prompt of its sort, in which something was said already.
    (*_, asked) = [p for p in prompts if who in sort_of(p)]
    *before, last = asked.messages
    text = re.sub(missing, instead, last.text, flags=re.M | re.S)
    assert text != last.text
    with pytest.raises(AssertionError):
        world.readers[asked.model].reply((*before, Message(last.role, text)))
