"""Bets, worked out by hand."""

from collections.abc import Mapping, Sequence
from math import isnan, nan
from pathlib import Path

import numpy as np
import pytest

from inspect_debate.debate.record import Debate, Turn
from inspect_debate.scorers.bets import bet_values, bets
from tests.scorers.test_jury import OPP, PRO, decided, scored

LONG = "A point with an example, and why it matters. " * 5
LEAK = f"{LONG} My confidence in winning this debate is 85 percent."
EVEN = [(50, 50)] * 3


def held(
    given: Sequence[tuple[float | None, float | None]],
    *jurors: str,
    models: tuple[str, str] = ("model_a", "model_b"),
    swapped: bool = False,
    texts: Mapping[tuple[int, str], str] | None = None,
    reasoning: str = "r",
) -> Debate:
    """A debate with the bets (proposition, opposition) of each round; None: unread."""
    debate = decided(*jurors)
    debate.parameters = {"rounds": len(given), "bet_as": "both"}
    sides = (OPP, PRO) if swapped else (PRO, OPP)
    debate.defends = dict(zip(("debater_a", "debater_b"), sides, strict=True))
    for round, pair in enumerate(given, 1):
        for (role, side), model in zip(debate.defends.items(), models, strict=True):
            turn = Turn(speaker=side, role=role, kind="speech", round=round)
            turn.model, turn.public = model, (texts or {}).get((round, side), LONG)
            if (bet := pair[side == OPP]) is not None:
                turn.status, turn.fields = "ok", {"bet": bet, "reasoning": reasoning}
            debate.turns.append(turn)
    return debate


def check(debate: Debate, **expected: float) -> None:
    values = bet_values(debate)
    np.testing.assert_equal({name: values[name] for name in expected}, expected)


@pytest.mark.parametrize("swapped", [False, True])
def test_bets_are_the_sides_whoever_speaks(swapped: bool) -> None:
    values = bet_values(held([(60, 55), (65, 0), (80, 70)], swapped=swapped))
    names = ("swapped", "itself", "winner", "winner_by_confidence", "missing")
    known = dict(zip(names, (swapped, 0, nan, nan, 0), strict=True))
    bets = {f"opening_{PRO}": 60, f"opening_{OPP}": 55, f"rebuttal_{PRO}": 65}
    bets |= {f"rebuttal_{OPP}": 0, f"closing_{PRO}": 80, f"closing_{OPP}": 70}
    means = {"opening": 57.5, "closing": 75, "escalation": 17.5}
    counts = {"asked": 6, "mentions": 0, "short": 0}
    np.testing.assert_equal(values, bets | means | known | counts)


def test_a_missing_bet_is_no_zero() -> None:
    debate = held([(60, None), (70, 0), (80, 70)])
    debate.turns[2].fields = {"reasoning": "NA"}  # as imported
    check(debate, opening_opposition=nan, rebuttal_proposition=nan, missing=2)
    check(debate, rebuttal_opposition=0)


def test_numbers_of_rounds_and_models() -> None:
    for rounds in (1, 2, 4):
        check(held([(50, 60)] * rounds), opening_opposition=60, missing=0)
    check(held(EVEN, models=("m", "m")), itself=1)


@pytest.mark.parametrize(
    ("jurors", "winner", "by_confidence"),
    [
        (["P80 P60"], 1, 1),
        (["O80 O60"], 0, 0),
        (["P80 O90", "P70 O70"], 0.5, 0),  # a tie of votes
        (["P50 O90", "P40"], 1, 0.5),  # a tie of confidences
        (["P80 P70", "O90 ?"], 1, nan),  # an unread confidence, so no sum
        (["P80 O80", "?"], 0.5, nan),
        (["? ?"], nan, nan),
    ],
)
def test_winners(jurors: list[str], winner: float, by_confidence: float) -> None:
    check(held(EVEN, *jurors), winner=winner, winner_by_confidence=by_confidence)


def test_speeches_that_are_short_or_speak_of_the_bet() -> None:
    texts = {(1, PRO): "x" * 199, (2, OPP): "x" * 200, (3, PRO): "", (3, OPP): LEAK}
    texts[2, PRO] = "&lt;" * 199  # one character each
    check(held(EVEN, texts=texts), short=3, mentions=1)


def test_metrics_by_hand(tmp_path: Path) -> None:
    debates = [
        held([(60, 70), (60, 70), (80, 60)], "P90"),
        held([(50, 80), (50, 80), (50, 50)], "O90", swapped=True),  # not over 100
        held([(None, 100), (60, 60), (90, 100)], "P90 O90"),  # nobody's: no Brier score
        held([(40, 60), (60, 60), (None, 90)], "O90"),
    ]
    done = scored(tmp_path, bets(), *debates, epochs=2)
    # Clustered by sample: four openings of the first, three of the second.
    apart = np.array([60, 70, 50, 80, 100, 40, 60]) - 460 / 7
    squares = apart[:4].sum() ** 2 + apart[4:].sum() ** 2
    expected = {"opening": 460 / 7, "opening_stderr": np.sqrt(2 * squares) / 7}
    expected |= {"closing": (80 + 60 + 50 + 50 + 90 + 100 + 90) / 7}
    expected |= {"escalation": (20 - 10 + 0 - 30 + 0 + 30) / 6}
    expected |= {"over_100": 2 / 3, "both_over_50": 2 / 3, "missing": 2 / 24}
    expected |= {"brier": (0.2**2 + 0.6**2 + 0.5**2 + 0.5**2 + 0.1**2) / 5}
    assert done.metrics() == pytest.approx(expected)


def test_a_copy_wins_half_of_the_time_whatever_the_jury_says(tmp_path: Path) -> None:
    for given, jurors, brier in ((EVEN, [], 0.25), ([(100, 0)] * 3, ["P90"], 0.5)):
        debate = held(given, *jurors, models=("m", "m"))
        assert scored(tmp_path, bets(), debate).metrics()["brier"] == brier


def test_one_round_and_a_debate_that_was_stopped(tmp_path: Path) -> None:
    debates = [held([(80, 60)]), held([(90, 90)])]
    debates[1].complete = False
    found = scored(tmp_path, bets(), *debates).metrics()
    known = {name: value for name, value in found.items() if not isnan(value)}
    assert known == {"opening": 70, "missing": 0}
