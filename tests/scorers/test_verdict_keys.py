"""What no sample of a run may change: the keys of its values, which are numbers."""

from itertools import product

import pytest

from inspect_debate.debate.record import Role, Turn
from inspect_debate.scorers.verdicts import verdict_values
from tests.support.generative import PROTOCOLS
from tests.support.generative_records import drawn, held, ruled, stated

BENCHES = [("judge",), ("judge_1", "judge_2")]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("bench", BENCHES)
@pytest.mark.parametrize("both", [False, True])
def test_all_samples_of_a_run_have_the_same_keys(
    protocol: str, bench: tuple[str, ...], both: bool
) -> None:
    answers = 0 if protocol == "direct_qa" else 2 if "dual" in protocol else 1
    ruled_on = 2 if protocol == "single_debate" else answers
    orders = ("ba", "ab") if both and answers == 2 else ("ab",)
    keys = set()
    for graded in map("".join, product("RWUE", repeat=answers)):
        for letter, own in zip("CI?r", "RWUE", strict=True):
            rulings = [
                ruled(letter * ruled_on, judge).model_copy(update={"order": order})
                for judge in bench
                for order in (orders if answers == 2 else (None,))
                if answers
            ]
            record = held(
                graded,
                *(speeches(protocol, letter), rulings),
                protocol=protocol,
                bench=bench,
                own=own * len(bench) if both or not answers else "",
            )
            found = verdict_values(record)
            keys.add(tuple(found))
            assert all(isinstance(number, int | float) for number in found.values())
    [names] = keys
    assert names[0] == "correct"
    assert ("verdict_correct_judge_2" in names) == (len(bench) == 2)


def speeches(protocol: str, letter: str) -> list[Turn]:
    """A round of speeches as a format has it; of candidates some could not be read."""
    rewards = (0.2, None) if letter in "C?" else (None, None)
    speakers: list[Role] = ["debater_a"] if "single" in protocol else []
    speakers = speakers or ["debater_a", "debater_b"]
    if protocol.endswith("consultancy"):
        return [t for who in speakers for t in drawn(who, 1, *rewards, chosen=1)]
    if protocol == "dual_debate":
        return [stated(who, 1) for who in speakers]
    if protocol == "single_debate":
        stance = {"C": "A", "I": "D"}.get(letter, "?")
        return [stated("debater_a", 1), stated("debater_b", 1, stance)]
    return []
