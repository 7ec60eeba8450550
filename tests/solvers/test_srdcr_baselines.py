"""The baselines of SR-DCR: calls, settings, who reads what, and what decides."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import ChatMessageAssistant, ModelOutput
from inspect_ai.solver import Solver

from inspect_debate.debate.record import Debate
from inspect_debate.solvers.srdcr import CRITIC, DEFENDER, decide
from inspect_debate.solvers.srdcr_baselines import (
    decide_judged,
    few_shot,
    judge_debate,
    naive_debate,
    rci,
    read_explained,
    read_pick,
    self_ask,
)
from tests.solvers.test_srdcr import PASSAGE, made, model, questions, run
from tests.support import Answer, Call

C, P = "contextual", "prior"
SELF_ASK = "Sub-question: Which one?\nSub-answer: This.\nFinal answer: {}"


def single(first: str = "London", revised: str = "Paris") -> Answer:
    """One model alone."""

    def answer(call: Call) -> str:
        if "Sub-question" in call.text:
            return SELF_ASK.format(first)
        return {
            "answer": f"<think>PRIVATE</think>I thought.\nAnswer: {first}",
            "critique": "- It may be wrong.",
            "update": f"Answer: {revised}",
        }[call.what.kind]

    return answer


# --- Settings -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("solver", "limits"),
    [
        (self_ask(), {"answer": 400}),
        (rci(), {"answer": 300, "critique": 300, "update": 300}),
        (naive_debate(), {"answer": 250}),
        (few_shot(), {"answer": 1024, "sample": 1024}),
        (
            judge_debate(),
            {"answer": 1024, "sample": 1024, "speech": 300, "verdict": 300},
        ),
    ],
)
def test_the_papers_limits(
    tmp_path: Path, solver: Solver, limits: dict[str, int]
) -> None:
    def answer(call: Call) -> Any:
        if call.what.kind == "verdict":
            return "Final answer: 1"
        judged = call.what.role == CRITIC or call.what.kind in ("speech", "sample")
        return (model() if judged else single())(call)

    done = run(tmp_path, solver, answer)
    assert {call.what.kind: call.config.max_tokens for call in done.calls} == limits
    for call in done.calls:
        assert call.config.temperature == (0.5 if call.what.kind == "sample" else 0)
    assert all(turn.status == "ok" for turn in done.debate.turns)


# --- One model alone ------------------------------------------------------------------


def test_self_ask(tmp_path: Path) -> None:
    done = run(tmp_path, self_ask(), single())
    (turn,) = done.debate.turns
    assert turn.fields == {"answer": "London"}
    assert (done.debate.answer, done.debate.options) == ("answer", {"answer": "London"})
    assert done.samples[0].output.completion == "London"
    assert PASSAGE in done.calls[0].text
    assert read_explained("Final answer: Rome").fields["answer"] == "Rome"
    assert not read_explained("Sub-question: Which?\nSub-answer: x").ok


def test_recursive_criticism_is_one_chat(tmp_path: Path) -> None:
    done = run(tmp_path, rci(), single())
    assert done.kinds() == ["answer", "critique", "update"]
    assert done.samples[0].output.completion == "Paris"
    for n, call in enumerate(done.calls):
        assert [m.role for m in call.messages] == ["user", "assistant"] * n + ["user"]
        assert call.messages[0].text == done.calls[0].messages[0].text
        assert "PRIVATE" not in call.text
    own = [
        m.text for m in done.calls[2].messages if isinstance(m, ChatMessageAssistant)
    ]
    assert own == ["I thought.\nAnswer: London", "- It may be wrong."]


@pytest.mark.parametrize("revised", ["unknown", "<answer>"])
def test_an_unread_revision_leaves_no_answer(tmp_path: Path, revised: str) -> None:
    debate = run(tmp_path, rci(), single(revised=revised)).debate
    assert (debate.answer, debate.options) == (None, {})
    assert debate.skip_reason


# --- A debate among agents ------------------------------------------------------------


def agents(*rounds: str) -> Answer:
    """What agents 1 to 3 say in each round, by letters; "?" is unread."""
    words = {"p": "Paris", "q": "the Paris", "l": "London", "r": "Rome", "?": ""}

    def answer(call: Call) -> str:
        said = rounds[min(call.what.round, len(rounds) - 1)]
        return f"So.\nAnswer: {words[said[int(call.what.name[-1]) - 1]]}"

    return answer


@pytest.mark.parametrize(
    ("rounds", "calls", "answer"),
    [
        (["ppp"], 3, "Paris"),
        (["pqp"], 3, "Paris"),  # the same in another spelling
        (["qpp"], 3, "the Paris"),  # in the words of the first
        (["plr", "ppp"], 6, "Paris"),
        (["plr"], 15, "Paris"),  # a tie goes to the lowest number
        (["rlp"], 15, "Rome"),
        (["lpq"], 15, "Paris"),
        (["plr", "plr", "plr", "plr", "rll"], 15, "London"),
        (["?pp"], 15 + 5, "Paris"),  # unread is not agreed, and has no vote
        (["?lp"], 15 + 5, "London"),
        (["???"], 15 + 15, ""),
    ],
)
def test_agents(tmp_path: Path, rounds: list[str], calls: int, answer: str) -> None:
    done = run(tmp_path, naive_debate(), agents(*rounds))
    assert len(done.calls) == calls
    assert done.samples[0].output.completion == answer
    assert bool(done.debate.skip_reason) == (not answer)
    shape = Counter((turn.kind, turn.round) for turn in done.debate.turns)
    assert {*shape.values()} == {3}
    assert max(turn.round for turn in done.debate.turns) <= 4


def test_agents_read_each_others_last_answers(tmp_path: Path) -> None:
    done = run(tmp_path, naive_debate(rounds=3), agents("plr", "lrp", "plr"))
    for call in done.calls:
        last = call.messages[-1].text
        others = {f"agent_{n}" for n in "123"} - {call.what.name}
        shown = {name for name in others if f'speaker="{name}"' in last}
        assert shown == (others if call.what.round else set())
        assert f'speaker="{call.what.name}"' not in last
        assert PASSAGE in call.messages[0].text
        assert len(call.messages) == 2 * call.what.round + 1
    assert {call.what.draw for call in done.calls} == {0, 1, 2}


# --- A debate with a judge ------------------------------------------------------------


def judged(*picks: str) -> Answer:
    """Two debaters, and a judge who picks these numbers after rounds 1, 3, 5."""

    def answer(call: Call) -> str | ModelOutput:
        what = call.what
        if what.kind == "speech":
            return f"<think>PRIVATE</think>{what.name} in round {what.round}."
        if what.kind == "verdict":
            return f"Final answer: {picks[what.round // 2 % len(picks)]}\nSo."
        return model(sure=(0.5,), contextual_sure=(0.5,))(call)

    return answer


def test_a_debate_is_judged_after_1_3_5(tmp_path: Path) -> None:
    done = run(tmp_path, judge_debate(), judged("1", "?", "2"))
    debate = done.debate
    assert Counter(t.kind for t in debate.turns) == dict(answer=2, speech=10, verdict=3)
    assert [turn.round for turn in debate.of("verdict")] == [1, 3, 5]
    after = [
        decide_judged(
            Debate(turns=[turn for turn in debate.turns if turn.round <= n])
        ).answer
        for n in (1, 3, 5)
    ]
    assert after == [C, None, P]
    assert (debate.answer, decide_judged(debate).answer) == (P, P)
    assert decide(debate, rule="few_shot").answer == C
    for call in done.calls:
        memory = call.what.kind == "answer" and call.what.role == CRITIC
        assert (PASSAGE in call.text) == (not memory)
        assert "PRIVATE" not in call.text
        assert "GOLD" not in call.text
        if call.what.kind == "verdict" and not call.what.reminder:
            assert call.text.count("in round") == 2 * call.what.round
    assert {call.what.name for call in done.calls} == {
        "Defender", "Critic", "Alice", "Bob", "judge",
    }  # fmt: skip


@pytest.mark.parametrize(("rounds", "after"), [(1, [1]), (3, [1, 3]), (4, [1, 3, 4])])
def test_the_last_round_is_always_judged(
    tmp_path: Path, rounds: int, after: list[int]
) -> None:
    debate = run(tmp_path, judge_debate(rounds=rounds), judged("1")).debate
    assert [turn.round for turn in debate.of("verdict")] == after


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_listings_and_speakers_are_mirrored_by_epoch(
    tmp_path: Path, order: Any
) -> None:
    solver = judge_debate(rounds=1, order=order)
    done = run(tmp_path, solver, judged("1"), samples=questions(6), epochs=2)
    first = C if order == "ab" else P
    answers = [debate.answer for debate in done.debates]
    assert answers == [first, P if first == C else C] * 6
    orders = [debate.of("verdict")[0].order for debate in done.debates]
    assert orders == [order, "ba" if order == "ab" else "ab"] * 6
    speakers = [debate.of("speech")[0].speaker for debate in done.debates]
    pairs = [*zip(speakers[::2], speakers[1::2], strict=True)]
    assert {*pairs} == {("Alice", "Bob"), ("Bob", "Alice")}
    for call in done.calls:
        if call.what.kind == "verdict":
            last = call.messages[-1].text
            alice, bob = (last.index(f"argued for by {n}") for n in ("Alice", "Bob"))
            assert (alice < bob) == (call.what.order == "ab")


@pytest.mark.parametrize(
    ("votes", "answer"),
    [
        ("CCP", C),
        ("CP", None),
        ("CP?", None),
        ("PP?", P),
        ("?", None),
        ("", None),
    ],
)
def test_panels(votes: str, answer: str | None) -> None:
    names = {"C": C, "P": P}
    own = [made("answer", role, answer="x") for role in (DEFENDER, CRITIC)]
    verdicts = [made("verdict", "judge", 1, answer=names.get(vote)) for vote in votes]
    spoken = [made("speech", DEFENDER, 1)]
    assert decide_judged(Debate(turns=[*own, *spoken, *verdicts])).answer == answer


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("Final answer: 1\nIt fits.", C),
        ("**Answer: 2**", P),
        ("Answer: Paris", None),
        ("Answer: 2 mg", None),
        ("Answer: 1 or 2", None),
        ("Answer: not 1", None),
    ],
)
def test_picks(said: str, answer: str | None) -> None:
    read = read_pick({C: ["1"], P: ["2"]}, said)
    assert (read.fields["answer"], read.ok) == (answer, answer is not None)
