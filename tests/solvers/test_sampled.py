"""Further draws of verdicts decide nothing, and their shares are probabilities."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from inspect_ai.dataset import Sample
from inspect_ai.solver import Solver

from inspect_debate.debate.probabilities import judged_probabilities
from inspect_debate.solvers.confidence import confidence
from inspect_debate.solvers.generative_debate import generative_debate
from inspect_debate.solvers.judge_debate import judge_debate
from inspect_debate.solvers.srdcr import srdcr
from tests.support import bets, clash, generative
from tests.support.models import Script, calls_of, scripted
from tests.support.runs import records, run_solver

DRAWS = 4
ASKED: dict[str, Any] = {"max_reasks": 0, "verdict": {"samples": DRAWS}}


class Case(NamedTuple):
    """A protocol, and what two of three draws that can be read say.

    `shares` are by round and order, and by claim.
    """

    solver: Any
    given: Mapping[str, Any]
    sample: Sample
    script: Script
    most: str
    least: str
    shares: dict[tuple[int, str | None], dict[str, float]]

    def made(self, **config: Any) -> Solver:
        """The protocol's solver."""
        made: Solver = self.solver(**self.given, config=config)
        return made


PASSAGE = {"reasonable": 1 / 3, "unreasonable": 2 / 3}
CASES = {
    "srdcr": Case(
        srdcr,
        {"rounds": 2},
        clash.question(),
        clash.marked,
        "Verdict: UNREASONABLE",
        "Verdict: REASONABLE",
        {(0, None): PASSAGE, (1, None): PASSAGE},
    ),
    "judge_debate": Case(
        judge_debate,
        {"rounds": 1, "judge_after": [1], "order": "both"},
        clash.question(),
        clash.marked,
        "Final answer: 1",
        "Final answer: 2",
        {
            (1, "ab"): {"contextual": 2 / 3, "prior": 1 / 3},
            (1, "ba"): {"contextual": 1 / 3, "prior": 2 / 3},
        },
    ),
    "generative": Case(
        generative_debate,
        {"protocol": "dual_debate", "rounds": 1, "order": "ab"},
        generative.solvable(),
        generative.marked,
        generative.ruled(("Alice", "Bob"), 0.75, "correct", "correct"),
        generative.ruled(("Alice", "Bob"), 0.75, "correct", "incorrect"),
        {(0, "ab"): {"debater_a": 1.0, "debater_b": 2 / 3}},
    ),
    "confidence": Case(
        confidence,
        {"rounds": 1, "jury_passes": 2, "order": "both"},
        bets.motion(),
        bets.marked,
        "<winnerName>opposition</winnerName>\n<confidence>60</confidence>",
        "<winnerName>proposition</winnerName>\n<confidence>60</confidence>",
        {
            (0, "ab"): {"proposition": 1 / 3, "opposition": 2 / 3},
            (0, "ba"): {"proposition": 1 / 3, "opposition": 2 / 3},
        },
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_their_shares_are_probabilities(case: Case, tmp_path: Path) -> None:
    """Of those that can be read; one of four cannot."""

    def script(messages: Any, turn: Any) -> Any:
        if turn.kind != "verdict_sample":
            return case.script(messages, turn)
        number = int(turn.draw.split()[-1])
        return ["", case.most, case.most, case.least, "I cannot say."][number]

    model = scripted(script)
    log = run_solver(case.made(**ASKED), case.sample, tmp_path, model, seed=7)
    (record,) = records(log)
    found: dict[tuple[int, str | None], dict[str, float | None]] = {}
    for row in judged_probabilities(record):
        if row.channel == "sampled":
            found.setdefault((row.round, row.order), {})[row.claim] = row.p
    assert found.keys() == case.shares.keys()
    for key, shares in case.shares.items():
        assert found[key] == pytest.approx(shares)
    judge = record.participant("judge")
    assert judge.settings["verdict_sample"]["temperature"] == 1.0
    # A draw is asked for as its verdict is, and with a seed of its own.
    asked = [c for c in calls_of(model) if c.turn.kind.startswith("verdict")]
    prompts = {kind: {c.prompt for c in asked if c.turn.kind == kind} for kind in KINDS}
    assert prompts["verdict_sample"] == prompts["verdict"]
    draws = [(c.turn.round, c.turn.draw) for c in asked if c.turn.kind == KINDS[1]]
    assert len({*draws}) == len(draws) == DRAWS * len(case.shares)
    seeds = {
        kind: {c.config.seed for c in asked if c.turn.kind == kind} for kind in KINDS
    }
    assert seeds == {"verdict": {7}, "verdict_sample": {8, 9, 10, 11}}


KINDS = ("verdict", "verdict_sample")


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_they_decide_nothing(case: Case, tmp_path: Path) -> None:
    """With simulated models, whose draws differ."""
    asked = {}
    for name, config in (("with", ASKED), ("without", {})):
        log = run_solver(case.made(**config), case.sample, tmp_path / name)
        (record,) = records(log)
        asked[name] = (
            [
                (t.kind, t.round, t.draw, t.order, t.public)
                for t in record.turns
                if t.kind != "verdict_sample"
            ],
            log.samples[0].output.completion if log.samples else "",
        )
    assert asked["with"] == asked["without"]
