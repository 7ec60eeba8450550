"""What is marked for providers' caches, and what these can serve."""

import re
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    ContentText,
)

from benchmarks import bill
from inspect_debate.debate import prompt_cache
from inspect_debate.debate.prompt_cache import (
    RULES,
    CacheRule,
    Sent,
    Served,
    marked,
    served,
    shared_parts,
)
from inspect_debate.simulator.simulated import Simulated
from inspect_debate.solvers.baselines import single
from tests.support.models import calls_of, scripted
from tests.support.runs import dataset, item, run
from tests.support.wire.client import wire_model
from tests.support.wire.replies import Reply
from tests.support.wire.requests import ChatRequest
from tests.support.wire.server import WireServer

CLAUDE = "anthropic/claude-sonnet-4-5"
STEPS = RULES["OpenAI"]
TOKENS = 4
"""Characters of a token."""


def sent(stage: int, *texts: str, model: str = "m") -> Sent:
    return Sent(stage, model, ("", *texts))


def read(rule: CacheRule, *requests: Sent) -> list[float]:
    return [found.read for found in served(requests, rule)]


LONG = "x" * 1500 * TOKENS


@pytest.mark.parametrize(
    ("shared", "expected"),
    [(1023, 0), (1024, 1024), (1151, 1024), (1152, 1152), (1500, 1408)],
)
def test_openai_serves_whole_steps_from_1024_tokens_on(
    shared: int, expected: int
) -> None:
    text = LONG[: shared * TOKENS]
    first, second = sent(1, text + "a" * 5000), sent(2, text + "b" * 5000)
    assert read(STEPS, first, second) == [0, expected]


def test_only_what_was_over_before_is_found_and_only_of_the_same_model() -> None:
    at_once = read(STEPS, sent(1, LONG), sent(1, LONG), sent(2, LONG))
    assert at_once == [0, 0, 1408]
    assert read(STEPS, sent(2, LONG), sent(1, LONG)) == [1408, 0]
    assert read(STEPS, sent(1, LONG), sent(2, LONG, model="n")) == [0, 0]


PASSAGE = f"<passage>\n{LONG}\n</passage>\n"
TURN = f"<turn>\n{'y' * 400}\n</turn>\n"


def test_marks_serve_the_blocks_that_were_marked() -> None:
    rule = CacheRule(1024)
    requests = [
        sent(1, f"{PASSAGE}Speak first."),
        sent(2, f"{PASSAGE}\n{TURN}Speak again."),
        sent(3, f"{PASSAGE}\n{TURN}\n{TURN}Decide."),
    ]
    kept = [len(PASSAGE) / 4 + turns * (len(TURN) + 1) / 4 for turns in range(3)]
    assert served(requests, rule) == [
        Served(0, kept[0]),
        Served(kept[0], kept[1] - kept[0]),
        Served(kept[1], kept[2] - kept[1]),
    ]
    # Whole messages are paid for as kept, and not found again.
    whole = served(requests, rule._replace(by_part=False))
    assert [one.read for one in whole] == [0, 0, 0]
    assert [one.written for one in whole] == [request.tokens for request in requests]
    # A second pass of a jury is the same message.
    assert read(rule._replace(by_part=False), requests[0], sent(2, *requests[0][2][1:]))


def prompt(*texts: str) -> list[ChatMessage]:
    system = ChatMessageSystem(content="Debate.\n</turn>\n")
    return [system, *(ChatMessageUser(content=text) for text in texts)]


def parts_of(message: ChatMessage) -> list[ContentText]:
    content = message.content
    assert isinstance(content, list)
    return [part for part in content if isinstance(part, ContentText)]


@pytest.mark.parametrize(
    "model", [CLAUDE, "anthropic/bedrock/claude", "openai/gpt-5.6", "openai/gpt-5.10-x"]
)
def test_a_prompt_is_marked_after_its_last_shared_block(model: str) -> None:
    text = f"{PASSAGE}\n{TURN}\n{TURN}\nDecide."
    before = prompt("What is asked?", text)
    after = marked(model, before)
    assert after[:2] == before[:2]
    parts = parts_of(after[2])
    assert "".join(part.text for part in parts) == text
    assert [bool(part.cache_breakpoint) for part in parts] == [
        False,
        False,
        True,
        False,
    ]
    assert before[2].content == text


@pytest.mark.parametrize(
    "model",
    ["openai/gpt-5.5", "openai/gpt-4o", "google/gemini-3", "openai-api/x/gpt-5.6"],
)
def test_other_models_read_plain_texts(model: str) -> None:
    before = prompt(f"{PASSAGE}Decide.")
    assert marked(model, before) == before


@pytest.mark.parametrize("text", ["", "No block.", "<turn>\n</turn>", PASSAGE])
def test_a_text_without_a_further_part_is_not_marked(text: str) -> None:
    before = prompt(text)
    assert marked(CLAUDE, before) == before
    assert "".join(shared_parts(text)) == text


@pytest.mark.parametrize("settings", [{}, {"cache_prompt": True}])
def test_the_models_that_need_marks_are_sent_them_if_asked(
    settings: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prompt_cache, "_MARKED", re.compile("scripted/"))
    model = scripted()
    task = Task(dataset=dataset(item()), solver=single())
    run(task, tmp_path, model, **settings)
    (message,) = calls_of(model)[0].messages
    assert isinstance(message.content, str) != bool(settings)


SHORT: dict[str, int] = {"items": 2, "words": 40}


@pytest.mark.slow
def test_a_debater_finds_its_own_last_prompt_up_to_the_mark() -> None:
    requests, _ = bill.sent_by("srdcr", **SHORT)
    anything = CacheRule(1)
    found = served(requests, anything)
    assert bill.read(requests, anything) > 0.5
    # By whole messages only system prompts are found.
    assert bill.read(requests, anything._replace(by_part=False)) < 0.25
    assert sum(one.written for one in found) < 0.5 * bill.tokens(requests)


@pytest.mark.slow
def test_what_is_measured_is_what_a_server_receives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replies: dict[str, str] = {}
    generate = Simulated.generate

    async def noted(self: Simulated, input: list[ChatMessage], *rest: Any) -> Any:
        output = await generate(self, input, *rest)
        replies["\n\n".join(message.text for message in input)] = output.completion
        return output

    monkeypatch.setattr(Simulated, "generate", noted)
    requests, _ = bill.sent_by("debate", **SHORT)

    def brain(asked: ChatRequest) -> Reply:
        return Reply(replies[asked.prompt])

    with WireServer(brain) as server:
        model = wire_model(server)
        run(bill.RUNS["debate"](2, tmp_path), tmp_path, model, limit=2)
    received = [[message.text for message in r.messages] for r in server.requests]
    assert sorted(received) == sorted([*filter(None, r.texts)] for r in requests)
