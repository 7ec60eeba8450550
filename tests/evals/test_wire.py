"""Runs through Inspect's client, where all goes well."""

from pathlib import Path
from typing import Any, get_args

import pytest
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog

from inspect_debate.debate.record import DebateRecord, Turn
from inspect_debate.evals.generative import generative
from inspect_debate.evals.srdcr import PROTOCOLS, SrdcrProtocol, srdcr
from inspect_debate.solvers.formats import FORMATS
from tests.support.clash_world import CONTEXTUAL
from tests.support.clash_world import World as ClashWorld
from tests.support.generative_world import (
    AGREES,
    GIVEN_UP,
    JUDGE,
    World,
    calls_of,
    confidence,
    roles,
    speeches_of,
)
from tests.support.runs import record, run, samples, values
from tests.support.wire.client import wire_model
from tests.support.wire.server import WireServer

TASKS, FEW = 4, 2


def served(
    task: Task, log_dir: Path, limit: int, *unbound: str
) -> tuple[EvalLog, World, WireServer]:
    """A run of some tasks through a server, and what the server saw.

    `unbound` are roles that are given no model.
    """
    world = World.of(task.dataset)
    with WireServer(world.brain) as server:
        bound = {r: m for r, m in roles(server).items() if r not in unbound}
        log = run(task, log_dir, "none/none", bound, limit=limit)
    assert server.rejected == []
    assert len(samples(log)) == limit
    return log, world, server


def check(log: EvalLog, world: World, protocol: str) -> None:
    """Every item came to what the rules imply."""
    for sample in samples(log):
        value = values(sample, "verdicts")
        expected = world.expected(world.number(str(sample.input)), protocol)
        assert {name: value[name] for name in expected} == expected, sample.id


@pytest.mark.slow
@pytest.mark.parametrize("protocol", FORMATS)
def test_results_of_every_format(protocol: Any, tmp_path: Path) -> None:
    task = generative(protocol=protocol, source="sample")
    log, world, server = served(task, tmp_path, TASKS)
    check(log, world, protocol)
    calls = calls_of(protocol)
    assert {values(s, "verdicts")["calls"] for s in samples(log)} == {calls}
    assert server.counts == {"answered": TASKS * calls}
    never_told(log, world, server)


def never_told(log: EvalLog, world: World, server: WireServer) -> None:
    """The right solution is in prompts only where somebody has answered it."""
    answered = {
        str(sample.input): [t.field("answer").value for t in record(sample).turns]
        for sample in samples(log)
    }
    for request in server.requests:
        (task,) = [task for task in answered if task in request.prompt]
        target = str(world.samples[world.number(task)].target)
        shown = target.split("\n\n")[0] in request.prompt.replace(task, "")
        assert not shown or target in answered[task]


@pytest.mark.slow
@pytest.mark.parametrize("protocol", [name for name in FORMATS if FORMATS[name].spoken])
def test_the_best_of_four_candidates_is_chosen(protocol: Any, tmp_path: Path) -> None:
    task = generative(protocol=protocol, source="sample", best_of=4)
    log, world, server = served(task, tmp_path, FEW)
    check(log, world, protocol)
    calls, places = calls_of(protocol, 4), set()
    for sample in samples(log):
        debate, value = record(sample), values(sample, "verdicts")
        rewards = check_choice(debate, world, world.number(str(sample.input)))
        assert value["calls"] == calls
        assert value["rewards_ok"] == len(rewards) == (calls - 2) // 2
        assert value["reward_mean"] == pytest.approx(sum(rewards) / len(rewards))
        places |= {speech.draw for speech in debate.of_kind("speech")}
    assert server.counts == {"answered": FEW * calls}
    assert len(places) > 1


def check_choice(debate: DebateRecord, world: World, number: int) -> list[float]:
    """Every speech has the highest reward of its four candidates; gives all rewards."""
    drawn = [*debate.of_kind("speech"), *debate.of_kind("candidate")]
    rewards = {
        (turn.participant, turn.round, turn.draw): float(
            turn.field("reward").value or 0
        )
        for turn in drawn
    }
    for turn in drawn:
        reward = rewards[turn.participant, turn.round, turn.draw]
        assert reward == pytest.approx(reward_of(turn, debate, world, number))
    for speech in debate.of_kind("speech"):
        who = (speech.participant, speech.round)
        four = [rewards[(*who, draw)] for draw in range(1, 5)]
        assert speech.draw == 1 + four.index(max(four))
    return [*rewards.values()]


def reward_of(turn: Turn, debate: DebateRecord, world: World, number: int) -> float:
    """What the judge makes of a candidate, given the speeches before."""
    before = [t for t in debate.of_kind("speech") if t.round < turn.round]
    own = [t.public for t in before if t.participant == turn.participant]
    given = debate.of_kind("answer")
    answers = {t.participant: t.field("answer").value for t in given}
    solution = world.solves(JUDGE, number)
    last = {t.participant: t.public for t in [*before, turn]}

    def endorses(who: str) -> bool:
        return answers[who] == solution and GIVEN_UP not in last.get(who, "")

    if turn.participant not in answers:  # a critic
        sides = (AGREES in turn.public) == endorses("debater_a")
    else:
        sides = endorses(turn.participant)
    sure = 2 * confidence([*own, turn.public]) - 1
    return sure if sides else -sure


@pytest.mark.parametrize("protocol", ["dual_debate", "single_debate"])
def test_sequential_and_own_answers(protocol: Any, tmp_path: Path) -> None:
    task = generative(
        protocol=protocol, source="sample", turn_order="sequential", judge_answer=True
    )
    log, world, server = served(task, tmp_path, FEW)
    check(log, world, protocol)
    late = [
        len(speeches_of(request.prompt)) % 2
        for request in server.requests
        if "Speak" in request.messages[-1].text
    ]
    assert sum(late) == 2 * FEW  # in each round, one has read the other's speech
    for sample in samples(log):
        number, value = world.number(str(sample.input)), values(sample, "verdicts")
        right = world.solves(JUDGE, number) == world.samples[number].target
        assert value["judge_answer_right"] == right
        assert value["calls"] == calls_of(protocol) + 1


CALLS = {
    **dict.fromkeys(PROTOCOLS, 2),
    "srdcr": 2 + 12 + 6,
    "acvd_only": 2 + 4 + 2,
    "judge_debate": 2 + 10 + 3,
    "naive_debate": 3,
    "rci": 3,
    "self_ask": 1,
}
"""Calls of an item, the log-probabilities coming with the answers."""
ROUNDS = {"acvd_only": 2}  # its debate is that of srdcr


def answer(world: ClashWorld, sample: Sample, condition: str) -> str | None:
    """What the model's rules imply; None is an abstention."""
    assert sample.metadata is not None
    question, says = str(sample.input), str(sample.metadata["passage_answer"])
    memory, sure = world.knows(question)
    trusted = says if world.trusts(question, round=9) else None
    return {
        "golden": says if sample.metadata["condition"] == "standard" else memory,
        "token_prob": memory if sure > CONTEXTUAL else says,
        "confidence_only": memory if sure >= 0.9 else says,
        "acvd_only": trusted or memory,
        "srdcr": trusted or (memory if sure >= 0.9 else None),
        "judge_debate": trusted or memory,
        "rci": says if world.trusts(question, round=0) else memory,
    }.get(condition, says)


@pytest.mark.slow
@pytest.mark.parametrize("protocol", get_args(SrdcrProtocol))
def test_results_of_srdcr(protocol: SrdcrProtocol, tmp_path: Path) -> None:
    rounds = ROUNDS.get(protocol)
    task = srdcr(protocol=protocol, source="sample", questions=2, rounds=rounds)
    world = ClashWorld.of(task.dataset)
    with WireServer(world.brain) as server:
        log = run(task, tmp_path, wire_model(server))
    assert len(samples(log)) == 4
    assert server.rejected == []
    logged = {str(s.id): values(s, "clash") for s in samples(log)}
    # It takes the whole run to calibrate: here it is few_shot that is looked at.
    others = {"judge_debate": "judge_debate_5", "calibrated_token_prob": "few_shot"}
    condition = others.get(protocol, protocol)
    for sample in world.samples:
        value, reply = logged[str(sample.id)], answer(world, sample, protocol)
        assert value["calls"] == CALLS[protocol]
        assert value[f"answered_{condition}"] == (reply is not None)
        assert value[f"strict_{condition}"] == (reply == sample.target), (
            sample.id,
            reply,
        )
    assert server.counts == {"answered": 4 * CALLS[protocol]}


@pytest.mark.slow
def test_verdicts_and_confidences_come_to_what_the_reader_says(tmp_path: Path) -> None:
    task = srdcr(source="sample", questions=4, recall_samples=2, rounds=2)
    world = ClashWorld.of(task.dataset)
    with WireServer(world.brain) as server:
        log = run(task, tmp_path, wire_model(server))
    logged = {
        s.id: (values(s, "clash"), values(s, "self_confidence")) for s in samples(log)
    }
    for sample in world.samples:
        (clash, confidence), question = logged[str(sample.id)], str(sample.input)
        trusted = world.trusts(question, round=9)
        assert [clash[f"verdict_{r}"] for r in range(2)] == [not trusted, trusted]
        assert clash["settled"] == 1
        memory, sure = world.knows(question)
        assert confidence["confidence"] == pytest.approx(sure)
        assert confidence["contextual_confidence"] == pytest.approx(CONTEXTUAL)
        assert (confidence["source"], confidence["tokens_ok"]) == (1, 1)
        assert confidence["prior_strict"] == (memory == sample.target)
        assert confidence["recall_draws"] == 2
