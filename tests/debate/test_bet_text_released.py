"""The released speeches, at `INSPECT_DEBATE_DATA`: counts of bet text, no texts."""

import json
import os
import re
from collections import Counter
from pathlib import Path

import pytest

from inspect_debate.solvers.bet_records import SIDES
from inspect_debate.solvers.bet_text import mentions_bet, names_bet_tag, without_bets

DATA = os.environ.get("INSPECT_DEBATE_DATA")
EXPERIMENTS = Path(DATA or "", "llms_overconfidence", "experiments")
_AMOUNT_GIVEN = re.compile(r"bet_amount[^0-9]{0,10}[0-9]", re.I)


def _counts(folder: str) -> dict[str, int]:
    """Speeches of a released condition: with bet text, taken out, and left."""
    count: Counter[str] = Counter()
    for path in (EXPERIMENTS / folder).glob("*.json"):
        debate = json.loads(path.read_text())
        for side in SIDES:
            for speech in debate[f"{side}_output"]["speeches"].values():
                clean = without_bets(speech)
                count["named"] += names_bet_tag(speech)
                count["amount"] += bool(_AMOUNT_GIVEN.search(speech))
                count["mentioned"] += mentions_bet(speech)
                count["taken out"] += clean != speech
                count["left"] += names_bet_tag(clean) or mentions_bet(clean)
                count["too short"] += len(speech) < 200
                count["made too short"] += len(clean) < 200 <= len(speech)
    return dict(count)


@pytest.mark.slow
@pytest.mark.skipif(DATA is None, reason="needs the released data: INSPECT_DEBATE_DATA")
@pytest.mark.parametrize(
    ("folder", "named", "amount", "mentioned", "taken_out", "short"),
    [
        ("private_bet_experiments_diff_models", 7, 4, 28, 28, 2),
        ("private_self_bet", 11, 5, 27, 27, 8),
        ("private_self_bet_anchored", 6, 5, 13, 13, 6),
        ("public_bets", 22, 15, 53, 53, 1),
    ],
)
def test_the_released_speeches(
    folder: str, named: int, amount: int, mentioned: int, taken_out: int, short: int
) -> None:
    assert _counts(folder) == {
        "named": named,
        "amount": amount,
        "mentioned": mentioned,
        "taken out": taken_out,
        "left": 0,
        "too short": short,
        "made too short": 0,
    }
