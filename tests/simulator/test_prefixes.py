import math

import pytest

from inspect_debate.simulator import simulated
from inspect_debate.simulator.simulated import BLOCK, PrefixMemory

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


def test_instances_remember_apart() -> None:
    first, second = PrefixMemory(), PrefixMemory()
    first.seen(A)
    assert second.seen(A) == 0


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
