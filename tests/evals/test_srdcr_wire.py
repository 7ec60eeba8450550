"""Runs of SR-DCR and its baselines through Inspect's client, where all goes well."""

from pathlib import Path
from typing import get_args

import pytest
from inspect_ai.dataset import Sample

from inspect_debate.evals.srdcr import PROTOCOLS, SrdcrProtocol, srdcr
from tests.support.clash_reader import Hearing, clash_brain
from tests.support.clash_texts import Spoken
from tests.support.clash_world import CONTEXTUAL, World
from tests.support.runs import run, samples, values
from tests.support.wire.client import wire_model
from tests.support.wire.server import WireServer

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


def answer(world: World, sample: Sample, arm: str) -> str | None:
    """What the model's rules imply; None is an abstention."""
    assert sample.metadata is not None
    question, says = str(sample.input), str(sample.metadata["passage_answer"])
    memory, sure = world.knows(question)
    alone, later = Hearing(question), Hearing(question, (Spoken("", 9, ""),))
    trusted = says if world.trusts(later) else None
    return {
        "golden": says if sample.metadata["condition"] == "standard" else memory,
        "token_prob": memory if sure > CONTEXTUAL else says,
        "confidence_only": memory if sure >= 0.9 else says,
        "acvd_only": trusted or memory,
        "srdcr": trusted or (memory if sure >= 0.9 else None),
        "judge_debate": trusted or memory,
        "rci": says if world.trusts(alone) else memory,
    }.get(arm, says)


@pytest.mark.slow
@pytest.mark.parametrize("protocol", get_args(SrdcrProtocol))
def test_every_protocol_comes_to_what_the_reader_says(
    protocol: SrdcrProtocol, tmp_path: Path
) -> None:
    rounds = ROUNDS.get(protocol)
    task = srdcr(protocol=protocol, source="sample", questions=4, rounds=rounds)
    world = World.of(task.dataset)
    with WireServer(clash_brain(world.reader)) as server:
        log = run(task, tmp_path, model=wire_model(server))
    assert len(samples(log)) == 8
    assert server.rejected == []
    told = {str(s.id): values(s, "clash") for s in samples(log)}
    # It takes the whole run to calibrate: here it is few_shot that is looked at.
    others = {"judge_debate": "judge_debate_5", "calibrated_token_prob": "few_shot"}
    arm = others.get(protocol, protocol)
    for sample in world.samples:
        value, said = told[str(sample.id)], answer(world, sample, protocol)
        assert value["calls"] == CALLS[protocol]
        assert value[f"answered_{arm}"] == (said is not None)
        assert value[f"strict_{arm}"] == (said == sample.target), (sample.id, said)
    assert server.counts == {"answered": 8 * CALLS[protocol]}


@pytest.mark.slow
def test_verdicts_and_confidences_come_to_what_the_reader_says(tmp_path: Path) -> None:
    task = srdcr(source="sample", questions=8, recall_samples=2, rounds=2)
    world = World.of(task.dataset)
    with WireServer(clash_brain(world.reader)) as server:
        log = run(task, tmp_path, model=wire_model(server))
    told = {
        s.id: (values(s, "clash"), values(s, "self_confidence")) for s in samples(log)
    }
    for sample in world.samples:
        (clash, confidence), question = told[str(sample.id)], str(sample.input)
        trusted = world.trusts(Hearing(question, (Spoken("", 9, ""),)))
        assert [clash[f"verdict_{r}"] for r in range(2)] == [
            not trusted,
            trusted,
        ]
        assert clash["settled"] == 1
        memory, sure = world.knows(question)
        assert confidence["confidence"] == pytest.approx(sure)
        assert confidence["contextual_confidence"] == pytest.approx(CONTEXTUAL)
        assert (confidence["source"], confidence["tokens_ok"]) == (1, 1)
        assert confidence["prior_strict"] == (memory == sample.target)
        assert confidence["recall_draws"] == 2
