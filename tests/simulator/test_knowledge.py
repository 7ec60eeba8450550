"""Simulated models on questions whose passage may be wrong."""

from math import log
from pathlib import Path

import pytest
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageUser
from inspect_ai.solver import Solver
from scipy.stats import binomtest

from inspect_debate.datasets.clasheval import clasheval
from inspect_debate.datasets.matching import right_answer, same_answer
from inspect_debate.debate.ask import Asked
from inspect_debate.simulator.knowledge import CONFLICT, recalled, wrong_answers
from inspect_debate.simulator.profiles import Profile
from inspect_debate.simulator.scene import Scene
from inspect_debate.solvers.srdcr import confidence, srdcr
from inspect_debate.solvers.srdcr_baselines import (
    few_shot,
    judge_debate,
    naive_debate,
    rci,
    self_ask,
)
from tests.support import run

SOUND = {"unreadable": 0, "refuses": 0, "cut_off": 0}
PROTOCOLS: dict[str, Solver] = {
    "srdcr": srdcr(rounds=2, confidence_from="both", recall_samples=2),
    "few_shot": few_shot(),
    "self_ask": self_ask(),
    "rci": rci(),
    "naive_debate": naive_debate(),
    "judge_debate": judge_debate(rounds=1, consistency_samples=2),
}
KINDS = {
    "srdcr": {"answer", "sample", "recall", "speech", "verdict"},
    "few_shot": {"answer"},
    "self_ask": {"answer"},
    "rci": {"answer", "critique", "update"},
    "naive_debate": {"answer"},
    "judge_debate": {"answer", "speech", "verdict"},
}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_protocol_runs_on_the_sample(tmp_path: Path, protocol: str) -> None:
    done = run(
        tmp_path,
        PROTOCOLS[protocol],
        samples=[*clasheval(source="sample")][:12],
        roles={},
        model="simulated/balanced",
        model_args=SOUND,
    )
    assert done.log.status == "success"
    turns = [turn for debate in done.debates for turn in debate.turns]
    assert {turn.status for turn in turns} == {"ok"}
    assert {turn.kind for turn in turns} >= KINDS[protocol]
    assert not any(debate.answer is None for debate in done.debates)
    texts = [t.private for t in turns if t.kind in ("speech", "critique")]
    assert len({*texts}) >= len(texts) / 2


def question(k: int, target: str = "1969", passage_answer: str = "1989") -> Sample:
    metadata = {
        "passage": f"It was long ago. It happened in {passage_answer}, some say.",
        "passage_answer": passage_answer,
        "question": "In which year was it?",
        "exemplars": [{"question": "Who?", "answer": "Ann Lee"}],
    }
    return Sample(id=k, input="In which year?", target=target, metadata=metadata)


def scene(
    sample: Sample,
    kind: str,
    prompt: str = "",
    own: str = "",
    round: int = 0,
    draw: int = 0,
) -> Scene:
    messages: list[ChatMessage] = [ChatMessageUser(content=prompt)]
    if own:
        messages = [ChatMessageAssistant(content=own), *messages]
    asked = Asked(kind, "debater_b", "Critic", round, draw, "ab", reminder=False)
    return Scene(Profile(), "simulated/x", asked, messages, sample, 1)


def recovered(hits: list[bool], planted: float) -> bool:
    return bool(binomtest(sum(hits), len(hits), planted).pvalue > 0.001)


def said(one: Scene) -> str:
    return CONFLICT[one.asked.kind](one).answer


SAMPLES = [question(k) for k in range(1500)]


def test_memory_is_right_and_sure_as_planted() -> None:
    held = [recalled(scene(one, "answer")) for one in SAMPLES]
    right = [answer == "1969" for answer, _ in held]
    assert recovered(right, Profile().knows)
    for low, high in ((0, 0.5), (0.5, 0.8), (0.8, 0.95), (0.95, 1)):
        within = [
            (hit, p) for hit, (_, p) in zip(right, held, strict=True) if low <= p < high
        ]
        mean = sum(p for _, p in within) / len(within)
        assert recovered([hit for hit, _ in within], mean)


def test_draws_repeat_the_answer_as_often_as_it_is_probable() -> None:
    for one in SAMPLES[:4]:
        held, sure = recalled(scene(one, "answer"))
        drawn = [said(scene(one, "sample", draw=n)) for n in range(1, 200)]
        assert recovered([answer == held for answer in drawn], sure)
        again = [said(scene(one, "recall", draw=n)) for n in range(1, 200)]
        assert again != drawn


def test_answers_from_the_passage() -> None:
    answers = [said(scene(one, "answer", "<passage>")) for one in SAMPLES]
    assert recovered([answer == "1989" for answer in answers], Profile().reads)


@pytest.mark.parametrize("round", [0, 2, 5])
@pytest.mark.parametrize("passage_answer", ["1969", "1989"])
def test_verdicts(round: int, passage_answer: str) -> None:
    right = "REASONABLE" if passage_answer == "1969" else "UNREASONABLE"
    hits = [
        CONFLICT["verdict"](
            scene(question(k, passage_answer=passage_answer), "verdict", round=round)
        ).closing
        == f"Verdict: {right}"
        for k in range(800)
    ]
    assert recovered(hits, Profile().judge_competitive)


@pytest.mark.parametrize("numbers", [("1", "2"), ("2", "1")])
def test_picks(numbers: tuple[str, str]) -> None:
    first, second = ("1969", "1989") if numbers == ("1", "2") else ("1989", "1969")
    prompt = (
        f"Answer 1, argued for by Alice: <answer>{first}</answer>\n"
        f"Answer 2, argued for by Bob: <answer>{second}</answer>"
    )
    planted = Profile().judge_competitive
    planted = 0.95 * planted + (0.05 if numbers[0] == "1" else 0)  # `first_listed`
    hits = [
        CONFLICT["verdict"](scene(one, "verdict", prompt)).closing
        for one in SAMPLES[:800]
    ]
    right = [one.startswith(f"Final answer: {numbers[0]}") for one in hits]
    assert recovered(right, planted)


@pytest.mark.parametrize(
    ("own", "other", "planted"),
    [
        ("1989", "1969", Profile().corrected),
        ("1969", "1989", 1 - Profile().misled),
        ("1969", "1969", 1.0),
    ],
)
def test_updates(own: str, other: str, planted: float) -> None:
    prompt = f'<turn speaker="agent_2">\nSo.\nAnswer: {other}\n</turn>'
    hits = [
        said(scene(one, "update", prompt, own=f"Answer: {own}")) == "1969"
        for one in SAMPLES[:800]
    ]
    assert recovered(hits, planted)


@pytest.mark.parametrize(
    "target",
    ["1", "4000", "1.5", "0", "2:01:09", "21 May 1927", "Ann Lee", "New York", "3rd"],
)
def test_wrong_answers_are_wrong(target: str) -> None:
    wrong = wrong_answers(scene(question(0, target), "answer"))
    assert wrong
    assert not any(right_answer(one, target) for one in wrong)
    assert not any(same_answer(one, target) for one in wrong)


@pytest.mark.parametrize("target", ["1969", "New York", "1.5 mg", "Zoë “Z” O'Hara"])
def test_tokens_have_the_probability_of_the_answer(tmp_path: Path, target: str) -> None:
    sample = question(0, target, target)
    done = run(
        tmp_path, few_shot(), samples=[sample], roles={}, model="simulated/perfect",
        model_args={"knows": 0.9},
    )  # fmt: skip
    prior = next(t for t in done.debate.of("answer") if t.role == "debater_b")
    assert len({*prior.logprobs}) == 1
    sure = confidence(done.debate)
    assert sure.source == "logprobs"
    assert sure.value
    assert prior.logprobs[0] == pytest.approx(log(sure.value))
