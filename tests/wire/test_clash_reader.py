"""The reader of SR-DCR's prompts misses what is not there, and sees what should not."""

import re
from pathlib import Path

import pytest
from inspect_ai.model import Model

from inspect_debate.evals.srdcr import srdcr
from tests.support.clash_reader import ClashReader, clash_script
from tests.support.clash_world import World
from tests.support.models import Call, calls_of, scripted
from tests.support.runs import record, run, samples
from tests.support.wire.requests import Message

pytestmark = pytest.mark.slow

Prompt = tuple[Message, ...]

FIRST = "Answer the last of these questions"
DEFENDER, CRITIC = "You are the Defender", "You are the Critic"
ARBITER, PICKER = "You judge a debate about one", "You judge a debate about which"
DEBATER = "You debate with"

PASSAGE = (r"<passage>.*?</passage>\n\n", "")
SHOWN = (r"^Question: ", "<passage>\nSomething.\n</passage>\n\nQuestion: ")
NO_QUESTION = (r"^Question: .*$", "")
NO_DEBATE = (r"<transcript>.*</transcript>\n\n", "")
ONE_TURN_LESS = (r"(?<=<transcript>\n)<turn .*?</turn>\n*", "")
NO_SIDE = (r"^The answer that you defend: .*$", "")
OTHER_SIDE = (
    r"^The answer that you defend: .*$",
    "The answer that you defend: <answer>X</answer>",
)
NO_FORM = (r"^(?:Verdict|Final answer): (?:UN)?(?:REASONABLE|1|2)$", "")

FAULTS = [
    *[(who, *NO_QUESTION) for who in (DEFENDER, CRITIC, ARBITER, DEBATER, PICKER)],
    *[(who, *PASSAGE) for who in (DEFENDER, DEBATER, PICKER)],
    *[(who, *SHOWN) for who in (CRITIC, ARBITER)],
    *[(who, *NO_DEBATE) for who in (DEFENDER, CRITIC, ARBITER, DEBATER, PICKER)],
    *[(who, *ONE_TURN_LESS) for who in (DEFENDER, CRITIC, ARBITER, DEBATER, PICKER)],
    *[(who, *NO_SIDE) for who in (DEFENDER, CRITIC, DEBATER)],
    *[(who, *OTHER_SIDE) for who in (DEFENDER, CRITIC, DEBATER)],
    *[(who, *NO_FORM) for who in (ARBITER, PICKER)],
    (FIRST, r"\AA(.*?)^Question: .*?\n\n", r"A\1"),
    (FIRST, r"^Reply with one line .*$", ""),
    (ARBITER, r"^The Critic's answer, .*$", ""),
    (DEBATER, r"^The answer that (?:the )?\w+ defends: .*$", ""),
]


@pytest.fixture(scope="module")
def world() -> World:
    return World.of(srdcr(source="sample", questions=1).dataset)


@pytest.fixture(scope="module")
def prompts(world: World, tmp_path_factory: pytest.TempPathFactory) -> list[Prompt]:
    """All prompts of a debate of each kind."""
    asked: list[Call] = []
    for protocol in ("srdcr", "judge_debate"):
        model: Model = scripted(clash_script(world.reader))
        task = srdcr(protocol=protocol, source="sample", questions=1, rounds=2)
        run(task, tmp_path_factory.mktemp(protocol), model=model)
        asked += calls_of(model)
    return [tuple(Message(m.role, m.text) for m in c.messages) for c in asked]


def whole(prompt: Prompt) -> str:
    return "\n\n".join(message.text for message in prompt)


def test_it_reads_what_is_asked(world: World, prompts: list[Prompt]) -> None:
    assert len(prompts) == 2 * (2 + 4 + 2) + 2 * (2 + 4 + 2)
    assert all(world.reader.reply(prompt).text for prompt in prompts)


@pytest.mark.parametrize(("who", "missing", "instead"), FAULTS)
def test_it_misses_what_is_not_there(
    world: World, prompts: list[Prompt], who: str, missing: str, instead: str
) -> None:
    # The last prompt of its sort, in which there is a debate already.
    *before, last = [prompt for prompt in prompts if who in whole(prompt)][-1]
    text = re.sub(missing, instead, last.text, flags=re.M | re.S)
    assert text != last.text
    with pytest.raises(AssertionError):
        world.reader.reply((*before, Message(last.role, text)))


def test_who_may_read_the_passage_can_be_told(
    world: World, prompts: list[Prompt]
) -> None:
    blind = world.reader
    seeing = ClashReader(
        blind.knows, blind.reads, blind.trusts, critic_reads=True, judge_reads=True
    )
    for who in (CRITIC, ARBITER):
        asked = next(prompt for prompt in prompts if who in whole(prompt))
        assert blind.reply(asked).text
        with pytest.raises(AssertionError, match="sees a passage: False"):
            seeing.reply(asked)


def test_a_scripted_reader_has_log_probabilities(world: World, tmp_path: Path) -> None:
    model = scripted(clash_script(world.reader))
    task = srdcr(protocol="few_shot", source="sample", questions=1)
    log = run(task, tmp_path, model=model)
    for sample in samples(log):
        tokens = [turn.tokens for turn in record(sample).of_kind("answer")]
        assert [t.status for t in tokens if t is not None] == ["ok", "ok"]
