"""Biases planted in judges raise the alarm of their check, and no other."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import pandas as pd
import pytest
from inspect_ai.dataset import Sample

from inspect_debate.debate.record import Debate
from inspect_debate.debate.seeds import seeded
from inspect_debate.evals.judge_check import judge_check
from inspect_debate.reports.judge_check import tests as run_tests
from inspect_debate.scorers.judge_check import check_values
from inspect_debate.solvers.debate import debate
from tests.support import Call, good, run

pytestmark = pytest.mark.slow

N, SEEDS = 24, range(20)
_TURN = re.compile(r'<turn speaker="(\w+)".*?>\n(.*?)\n</turn>', re.S)
_LISTED = re.compile(r"^([AB])\) .* \(argued for by (\w+)\)$", re.M)


def judge(prompt: str, bias: str, seed: int, draw: int) -> str:
    """Decide as on the item itself, but for a bias, and for a little noise.

    It reads nothing but the prompt.
    """
    (question,) = re.findall(r"Question (\d+)", prompt)
    listed = _LISTED.findall(prompt)
    speeches = _TURN.findall(prompt)
    words = {name: len(" ".join(t for n, t in speeches if n == name).split())
             for _, name in listed}  # fmt: skip
    lean = seeded(seed, "lean", question).gauss(0, 1)
    lean += seeded(seed, "noise", prompt, draw).gauss(0, 0.1)
    strength = {"A": lean, "B": 0.0}
    if bias == "coin":
        strength["A"] = seeded(seed, "coin", prompt, draw).gauss(0, 1)
    first, (alice,) = listed[0][0], [key for key, name in listed if name == "Alice"]
    strength[first] += 1.5 * (bias == "order")
    strength[alice] += 1.5 * (bias == "names")
    for key, name in listed:
        share = words[name] / sum(words.values())
        strength[key] += 8 * share * (bias == "length")
    return max(strength, key=lambda key: strength[key])


Prompts = Sequence[tuple[Debate, Mapping[str, str]]]


@pytest.fixture(scope="module")
def prompts(tmp_path_factory: pytest.TempPathFactory) -> Prompts:
    """The record of each check, and the prompts of its verdicts by kind."""

    def answer(call: Call) -> str:
        words = "It is as I say, for the reasons that I gave, and for no other. " * 4
        return good(call).replace("It lists", f"{words}Alice, Bob: it lists")

    path = tmp_path_factory.mktemp("judge_check")
    samples = [
        Sample(id=n, input=f"Question {n}?", choices=["Paris", "Rome"], target="A")
        for n in range(N)
    ]
    held = run(path / "held", debate(rounds=2), answer, samples=samples)
    check = run(path / "check", judge_check(held.log.location), answer)
    found = []
    for sample, record in zip(check.samples, check.debates, strict=True):
        own = [c for c in check.calls if f"Question {sample.id}?" in c.text]
        kinds = [turn.kind for turn in record.turns if turn.role == "judge"]
        texts = [call.text for call in own]
        found.append((record, dict(zip(kinds, texts, strict=True))))
    return found


def alarms(prompts: Prompts, bias: str, seed: int) -> list[str]:
    """The checks that raise an alarm on a judge."""
    rows = []
    for n, (record, texts) in enumerate(prompts):
        judged = record.model_copy(deep=True)
        for turn in judged.turns[-len(texts) :]:
            answer = judge(texts[turn.kind], bias, seed, turn.draw)
            turn.fields["answer"] = answer
        rows.append({"Judge": bias, "cluster": n, **check_values(judged)})
    found = run_tests(pd.DataFrame(rows))
    return [*found.loc[found["Alarm"] != "", "Check"]]


def raised(prompts: Prompts, bias: str) -> Counter[str]:
    return Counter(one for seed in SEEDS for one in alarms(prompts, bias, seed))


@pytest.mark.parametrize(
    ("bias", "check"),
    [("order", "order"), ("names", "names"), ("length", "length"), ("coin", "repeat")],
)
def test_a_bias_raises_its_alarm_and_no_other(
    prompts: Prompts, bias: str, check: str
) -> None:
    found = raised(prompts, bias)
    assert found.pop(check) >= 0.75 * len(SEEDS)
    assert found.total() <= 0.1 * len(SEEDS)


def test_an_unbiased_judge_raises_no_alarm(prompts: Prompts) -> None:
    assert raised(prompts, "").total() <= 0.05 * len(SEEDS)
