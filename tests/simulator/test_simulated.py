"""Simulated models as Inspect's models; what they remember and what they quote from."""

import math
from pathlib import Path
from typing import Any

import anyio
import pytest
from inspect_ai.model import (
    ContentReasoning,
    ContentText,
    GenerateConfig,
    ModelOutput,
    get_model,
)

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.parsing import verdict
from inspect_debate.debate.probabilities import judged_probabilities
from inspect_debate.debate.record import Status
from inspect_debate.simulator import simulated
from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.simulated import (
    BLOCK,
    FOREIGN,
    PrefixMemory,
    Simulated,
    tokens,
)
from inspect_debate.solvers.baselines import judge_alone
from tests.simulator.asking import (
    CHOICES,
    ITEM,
    api_for,
    ask,
    model_for,
    prompt_for,
    turn_for,
)
from tests.support.choices import OPTIONS, choice_item
from tests.support.runs import records, run_solver

# --- the provider ------------------------------------------------------------------


def test_works_as_an_inspect_model() -> None:
    model = get_model("simulated/balanced", judge_accuracy=0.9, memoize=False)
    assert isinstance(model.api, Simulated)
    assert model.api.behaviour == Behaviour(judge_accuracy=0.9)
    turn = turn_for("verdict", shown=("error", "no_error"))
    output = anyio.run(model.generate, prompt_for(turn))
    assert verdict(output.completion, CHOICES).status == Status.OK
    assert str(model) == "simulated/balanced"
    assert output.model == "balanced"
    assert output.usage is not None
    assert model.api.max_connections() == 1000


@pytest.mark.parametrize(
    ("profile", "values"), [("ballanced", {}), ("balanced", {"judge_acuracy": 0.9})]
)
def test_bad_input_ends_before_the_first_call(
    profile: str, values: dict[str, Any]
) -> None:
    with pytest.raises(InputError):
        model_for(profile, **values)


def test_without_a_turn_it_has_no_part() -> None:
    output = anyio.run(model_for().generate, "Which is the capital of France?")
    assert output.completion == FOREIGN
    assert output.stop_reason == "stop"


def test_label_sentences_have_labels_alone() -> None:
    with pytest.raises(InputError, match="yes, no"):
        ask(api_for(), turn_for("answer", choices=("yes", "no")))


@pytest.mark.parametrize(
    ("text", "count"), [("", 0), ("abc", 1), ("abcd", 1), ("abcde", 2)]
)
def test_tokens(text: str, count: int) -> None:
    assert tokens(text) == count
    assert anyio.run(api_for().count_text_tokens, text) == count


def test_usage_by_hand() -> None:
    api = api_for()
    turn = turn_for("answer")
    prompts = [
        prompt_for(turn, system="a" * 600),
        prompt_for(turn, system="a" * 600 + "b"),
        prompt_for(turn, system="c" * 600),
    ]

    async def _called() -> list[ModelOutput]:
        return [await api.generate(p, [], "auto", GenerateConfig()) for p in prompts]

    outputs = anyio.run(_called)
    total = -(-(600 + 1 + len(ITEM)) // 4)  # one character joins two messages
    longer = -(-(601 + 1 + len(ITEM)) // 4)
    for output, input, cached in zip(
        outputs, (total, longer, total), (0, 128, 0), strict=True
    ):
        usage = output.usage
        assert usage is not None
        written = -(-len(output.completion) // 4)
        assert usage.output_tokens == written
        assert usage.input_tokens_cache_read == cached
        assert usage.input_tokens == input - cached
        assert usage.total_tokens == input + written
        assert usage.reasoning_tokens is None
    repeated, every = 512, sum(len(p[0].text) + 1 + len(ITEM) for p in prompts)
    assert api.prefixes.share == pytest.approx(repeated / every)


def test_reasoning_stands_apart_and_is_counted() -> None:
    (output,) = ask(api_for(reasoning_words=50), turn_for("answer"))
    assert isinstance(output.message.content, list)
    part, text = output.message.content
    assert isinstance(part, ContentReasoning)
    assert isinstance(text, ContentText)
    assert len(part.reasoning.split()) == 50
    assert (
        output.completion
        == text.text
        == ask(api_for(), turn_for("answer"))[0].completion
    )
    assert output.usage is not None
    assert output.usage.reasoning_tokens == tokens(part.reasoning)
    assert output.usage.output_tokens == tokens(part.reasoning) + tokens(text.text)


@pytest.mark.parametrize("max_tokens", [1, 10, 60])
@pytest.mark.parametrize("reasoning_words", [0, 20])
def test_max_tokens_cuts(max_tokens: int, reasoning_words: int) -> None:
    api = api_for(reasoning_words=reasoning_words)
    config = GenerateConfig(max_tokens=max_tokens)
    whole, (output,) = (
        ask(api, turn_for("speech")),
        ask(api, turn_for("speech"), config=config),
    )
    assert output.stop_reason == "max_tokens"
    assert output.usage is not None
    assert output.usage.output_tokens == max_tokens
    assert whole[0].completion.startswith(output.completion)
    if not reasoning_words:
        assert len(output.completion) == max_tokens * 4


def test_max_tokens_that_suffice_change_nothing() -> None:
    (whole,) = ask(api_for(), turn_for("answer"))
    needed = tokens(whole.completion)
    for given, reason in ((needed, "stop"), (needed - 1, "max_tokens")):
        config = GenerateConfig(max_tokens=given)
        (output,) = ask(api_for(), turn_for("answer"), config=config)
        assert output.stop_reason == reason
        assert (output.completion == whole.completion) == (reason == "stop")


@pytest.mark.parametrize("latency", [0.0, 2.5])
def test_latency_is_slept(latency: float, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr("inspect_debate.simulator.simulated.anyio.sleep", sleep)
    ask(api_for(latency=latency), turn_for("answer"))
    assert slept == ([latency] if latency else [])


A, B, C = "a" * BLOCK, "b" * BLOCK, "c" * BLOCK


def _seen(*prompts: str) -> list[int]:
    memory = PrefixMemory()
    return [memory.seen(prompt) for prompt in prompts]


@pytest.mark.parametrize(
    ("prompts", "blocks"),
    [
        ([A, A], [0, 1]),
        ([A + B, A + C], [0, 1]),
        ([A + B, A + B + C, A + B + C], [0, 2, 3]),
        ([A + B, B], [0, 0]),  # only a prefix counts
        ([A + B + C, C + B + C], [0, 0]),  # nor does a common end
        ([A + B, C + B, A + C], [0, 0, 1]),
        ([A + "x", A + "y"], [0, 1]),  # what fills no block is not counted
        (["short", "short"], [0, 0]),
        (["", ""], [0, 0]),
        (["x" + A, A], [0, 0]),
        ([A[:-1] + "é" + B, A[:-1] + "é" + B], [0, 2]),
    ],
)
def test_seen(prompts: list[str], blocks: list[int]) -> None:
    assert _seen(*prompts) == [n * BLOCK for n in blocks]


def test_share_by_hand() -> None:
    memory = PrefixMemory()
    assert math.isnan(memory.share)
    memory.seen(A + B)
    assert memory.share == 0.0
    memory.seen(A + C + "x" * 100)  # one block of 612 characters after 512
    assert memory.share == pytest.approx(256 / 1124)


def test_the_oldest_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated, "_REMEMBERED", 3)
    memory = PrefixMemory()
    memory.seen(A)
    for n in range(3):
        memory.seen(chr(200 + n) * BLOCK)
    assert memory.seen(A) == BLOCK  # aged once, and remembered anew
    for n in range(20):
        memory.seen(chr(300 + n) * BLOCK)
    assert memory.seen(A) == 0


def test_a_simulated_judge_states_the_probability_of_each_answer(
    tmp_path: Path,
) -> None:
    """As its tokens have it."""
    solver = judge_alone(config={"verdict": {"probability": "both", "first": True}})
    log = run_solver(solver, choice_item(options=OPTIONS[:4], target="A"), tmp_path)
    (record,) = records(log)
    by_channel: dict[str, list[float]] = {}
    for row in judged_probabilities(record):
        assert row.p is not None
        by_channel.setdefault(row.channel, []).append(row.p)
    stated, token = by_channel["stated"], by_channel["token"]
    assert len(stated) == 4
    assert sum(stated) == pytest.approx(1)
    assert stated == pytest.approx(token, abs=0.001)
