"""Votes of a jury, counted by hand."""

from collections.abc import Sequence
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inspect_ai.dataset import Sample
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import store

from inspect_debate.debate.record import KEY, Debate, Turn
from inspect_debate.scorers.jury import jury, jury_values
from inspect_debate.solvers.confidence import decide
from tests.support import Answer, Run, run

PRO, OPP = "proposition", "opposition"


def decided(*jurors: str, order: str = "") -> Debate:
    """Verdicts alone, a text for each juror: "P80 O60 ?"; the last is unread."""
    debate = Debate(protocol="cross_model", complete=True)
    for number, passes in enumerate(jurors, 1):
        for draw, said in enumerate(passes.split()):
            side = {"P": PRO, "O": OPP}.get(said[0])
            turn = Turn(speaker=f"juror_{number}", role="judge", kind="verdict")
            turn.order = order or ("ab", "ba")[draw % 2]
            if side:
                turn.status = "ok"
                turn.fields = {"winner": side, "confidence": float(said[1:])}
            debate.turns.append(turn)
    debate.answer, debate.skip_reason = decide(debate)
    return debate


@solver
def replayed(debates: Sequence[Debate], epochs: int) -> Solver:
    """Records as if these debates had been held."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        own = debates[int(state.sample_id) * epochs :]
        store().set(KEY, own[state.epoch - 1].model_dump_json())
        return state

    return solve


def scored(folder: Path, scorer: Any, *debates: Debate, answer: Answer = str,
           epochs: int = 1) -> Run:  # fmt: skip
    """Score debates, of which those of a sample's epochs follow each other."""
    samples = [Sample(id=k, input="x") for k in range(len(debates) // epochs)]
    return run(folder, replayed(debates, epochs), answer, samples=samples,
               scorer=scorer, epochs=epochs, roles=["grader"])  # fmt: skip


@pytest.mark.parametrize(
    ("debate", "expected"),
    [  # votes, confidence, verdicts, unread, dissent, repeats_agree, first_shown
        (decided("P80 P70", "O60 O90", "P55 O65"), (3, 3, 205, 215, 6, 0, 3, 2/3, 2/3)),
        (decided("P80", "P70", "P60"), (3, 0, 210, 0, 3, 0, 0, nan, nan)),
        (decided("P80 ?", "O90 O50"), (1, 2, 80, 140, 4, 1, 1, 1, 2/3)),
        # Whether it helps to be shown first cannot be told.
        (decided("P80 O60", order="ab"), (1, 1, 80, 60, 2, 0, 1, 0, nan)),
        (decided("? ?"), (0, 0, 0, 0, 2, 2, nan, nan, nan)),
        (decided(), (0, 0, 0, 0, 0, 0, nan, nan, nan)),
    ],
)  # fmt: skip
def test_values(debate: Debate, expected: tuple[float, ...]) -> None:
    np.testing.assert_equal(tuple(jury_values(debate).values()), expected)


def test_shares_over_two_epochs(tmp_path: Path) -> None:
    debates = [
        *(decided("P80 P70"), decided("P80 O60")),  # won; a tie, both for the first
        *(decided("O80 ?"), decided("? ?")),  # lost; not counted
        *(decided("O80 O80"), decided("O50 P90")),  # lost; a tie, none for the first
    ]
    done = scored(tmp_path, jury(), *debates, epochs=2)
    # Residuals of the three samples: 4/5 - 1/5, -1/5 and -2/5.
    error = np.sqrt((0.6**2 + 0.2**2 + 0.4**2) / 5**2 * 3 / 2)
    shares = {"proposition": 1/5, "proposition_stderr": error, "tied": 2/5}  # fmt: skip
    shares |= {"unanimous": 3/5, "repeats_agree": 2/4, "first_shown": 2/4}  # fmt: skip
    assert done.metrics() == pytest.approx(shares | {"unread": 3 / 12})
    answers = [(sample.scores or {})["jury"].answer for sample in done.samples]
    assert answers == [PRO, "", OPP, "", OPP, ""]
