"""The prompts of a judge check, and what reading judges make of them."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

import anyio
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage, ModelName
from inspect_ai.scorer import Target
from inspect_ai.solver import TaskState

from inspect_debate.v1.datasets.judge_check import finished_debates
from inspect_debate.v1.debate.calls import TurnDescription
from inspect_debate.v1.debate.judge_checks import (
    CHECKS,
    PERTURBED,
    REPEAT,
    Check,
    FinishedDebate,
    debate_in_sample,
    moved,
)
from inspect_debate.v1.debate.participants import ModelParticipant
from inspect_debate.v1.debate.prompts import load_prompts
from inspect_debate.v1.debate.question import question_of
from inspect_debate.v1.debate.record import Turn
from inspect_debate.v1.debate.recording import Debate
from inspect_debate.v1.simulator.reading_judge import (
    NOISE,
    STRENGTH,
    JudgesPrompt,
    decide,
    gauss,
    read_prompt,
)
from inspect_debate.v1.solvers.judge_checks import PROMPTS, Shown, ask_verdicts
from inspect_debate.v1.solvers.question_answering import STUDY, AnyDebate, DebateConfig
from tests.v1.support.models import calls_of, scripted

BASE = "base"

Moves = dict[Check, list[float]]


class Checked(NamedTuple):
    """A sample's verdicts as a scripted judge gave them, and the prompts for them.

    `seeds` are the calls' own, where the judge has one.
    """

    prompts: Mapping[str, str]
    seeds: Mapping[str, int | None]
    turns: Sequence[Turn]


class VisibleTurn(NamedTuple):
    """What a reading judge takes from a prompt.

    `answers` maps what answers are called to the answers, and `key` is the prompt's
    hash.
    """

    read: JudgesPrompt
    key: bytes
    answers: Mapping[str, str]
    favours: str | None


def state_of(sample: Sample, epoch: int = 1) -> TaskState:
    """A sample as a solver gets it."""
    return TaskState(
        model=ModelName("scripted/x"),
        sample_id=sample.id or "",
        epoch=epoch,
        input=sample.input,
        messages=[],
        target=Target(sample.target),
        choices=sample.choices,
        metadata=sample.metadata or {},
    )


def checked(
    sample: Sample,
    debate: FinishedDebate | None = None,
    *,
    epoch: int = 1,
    seed: int = 0,
    checks: Sequence[Check] = CHECKS,
    prompts: str | None = None,
    **settings: Any,
) -> Checked:
    """The verdicts of a scripted judge on a sample, each for its first answer."""
    state = state_of(sample, epoch)
    debate = debate or debate_in_sample(state)
    shown = debate.settings(DebateConfig(**settings))
    question = question_of(
        state, with_passage=shown.passage != "unused", free=shown.answers == "free"
    )

    def judge(messages: list[ChatMessage], description: TurnDescription | None) -> str:
        assert description is not None
        return f"Answer: {description.name(description.choices[0])}"

    finished: AnyDebate = Debate(
        study=STUDY,
        state=state,
        protocol="judge_check",
        question=question,
        parameters=Shown(
            rounds=debate.rounds,
            show_openings=debate.show_openings,
            judge_sees_problem=debate.judge_sees_problem,
        ),
        config=shown,
        prompts=load_prompts(question.prompt_set, prompts, extra=(PROMPTS,)),
        seed=seed,
        aggregation="first",
    )
    own = ModelParticipant("judge", "judge", scripted(judge, "judge"))
    manipulated = str((sample.metadata or {})[PERTURBED])
    anyio.run(ask_verdicts, finished, own, debate, checks, manipulated)
    verdicts = [turn for turn in finished.turns if turn.kind == "verdict"]
    calls = {
        call.description.draw.partition(" ")[2] or BASE: call
        for call in calls_of(own.model)
        if call.description is not None
    }
    return Checked(
        {check: call.prompt for check, call in calls.items()},
        {check: call.config.seed for check, call in calls.items()},
        verdicts,
    )


@lru_cache
def heard_of_sample(
    epochs: int = 1, seed: int = 0
) -> tuple[tuple[str, Mapping[str, VisibleTurn]], ...]:
    """What reading judges take from all prompts of the shipped debates.

    Returns:
        Of each sample and epoch the id, and by check what is read.
    """
    samples = list(finished_debates("sample", seed).dataset)
    return tuple(
        (str(sample.id), _heard(checked(sample, epoch=epoch, seed=seed)))
        for sample in samples
        for epoch in range(1, epochs + 1)
    )


def _heard(sample: Checked) -> Mapping[str, VisibleTurn]:
    readings = {}
    for turn in sample.turns:
        check = turn.about or BASE
        names = {"A": "A", "B": "B"}
        if check == "sides":
            names = {"A": "B", "B": "A"}
        prompt = sample.prompts[check]
        key = sha256(prompt.encode()).digest()
        readings[check] = VisibleTurn(read_prompt(prompt), key, names, turn.favours)
    return readings


def simulated_moves(
    bias: str,
    seed: int,
    *,
    epochs: int = 1,
    strength: float = STRENGTH,
    noise: float = NOISE,
) -> tuple[Moves, list[str]]:
    """What a judge check would find of a reading judge on the shipped debates.

    Returns:
        Moves by check, as the scorer's values, and the question of each.
    """

    def answer(readings: VisibleTurn, draw: int) -> str:
        side = decide(
            readings.read,
            bias,
            strength=strength,
            noise=noise * gauss(seed, readings.key, draw),
        )
        return readings.answers[side.label]

    moves: Moves = {check: [] for check in CHECKS}
    clusters = []
    for id, by_check in heard_of_sample(epochs):
        clusters.append(id)
        base = answer(by_check[BASE], 1)
        for check in CHECKS:
            after = answer(by_check[check], 2 if check == REPEAT else 1)
            if check == REPEAT:
                moves[check].append(float(after == base))
            else:
                moves[check].append(moved(base, after, str(by_check[check].favours)))
    return moves, clusters
