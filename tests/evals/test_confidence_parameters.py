"""What the confidence task takes, and what it says of the rest before any call."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.dataset import Sample

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.confidence import confidence

MOTIONS = (
    *("carbon-market", "professors", "recall-elections"),
    *("social-media", "space", "tv-news"),
)


def items(**parameters: Any) -> list[Sample]:
    return list(confidence(**parameters).dataset)


def told(**parameters: Any) -> Mapping[str, Any]:
    metadata = confidence(**parameters).metadata
    assert metadata is not None
    found: Mapping[str, Any] = metadata["parameters"]
    return found


# What sections 1.2, 1.3 and 4 of the study have, preset by preset; the rest is shared.
SHARED = {
    "opponent": "self",
    "opponent_note": "self",
    "win_probability": None,
    "bet_visibility": "private",
    "own_bets_shown": True,
    "bet_reasoning": "standard",
    "bet_as": "both",
    "stakes": True,
    "bet_call": "speech",
    "rounds": 3,
    "turn_order": "simultaneous",
    "jury_passes": 0,
    "order": "ab",
}
PRESETS: dict[str, dict[str, Any]] = {
    "cross_model": {"opponent": "other", "opponent_note": "none", "jury_passes": 2},
    "self": {},
    "informed_self": {"win_probability": 50, "own_bets_shown": False},
    "public": {"bet_visibility": "public"},
    "redteam": {"bet_reasoning": "redteam", "own_bets_shown": False},
    "redteam_v2": {"bet_reasoning": "perspectives", "own_bets_shown": False},
    "deceptive": {"opponent_note": "skilled"},
    "four_round": {
        "own_bets_shown": False,
        "bet_as": "stake",
        "rounds": 4,
        "turn_order": "sequential",
    },
}


@pytest.mark.parametrize("protocol", PRESETS)
def test_a_preset_is_what_the_study_did(protocol: str) -> None:
    parameters = told(protocol=protocol)
    expected = SHARED | PRESETS[protocol]
    assert {name: parameters[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("opponent_note", "skilled"),
        ("win_probability", 70),
        ("win_probability", 0),
        ("bet_visibility", "public"),
        ("own_bets_shown", False),
        ("bet_reasoning", "perspectives"),
        ("bet_as", "stake"),
        ("stakes", False),
        ("bet_call", "separate"),
        ("rounds", 1),
        ("turn_order", "sequential"),
        ("jury_passes", 1),
        ("order", "both"),
    ],
)
def test_every_parameter_of_a_preset_can_be_set(name: str, value: Any) -> None:
    assert told(protocol="self", **{name: value})[name] == value


def test_a_probability_comes_without_the_rules_of_a_stake() -> None:
    assert told(bet_as="probability")["stakes"] is False
    assert told(bet_as="probability", stakes=True)["stakes"] is True


def test_every_motion_is_debated_once() -> None:
    found = items()
    assert sorted(str(item.id) for item in found) == [f"{m}.1" for m in MOTIONS]
    assert all((item.metadata or {})["proposition_burden"] for item in found)
    assert all(item.target == "" for item in found)


def test_repetitions_change_sides() -> None:
    found = {str(item.id): (item.metadata or {}) for item in items(repetitions=2)}
    assert len(found) == 12
    assert not found["space.1"]["swapped"]
    assert found["space.2"]["swapped"]


def test_the_order_is_seeded_and_every_prefix_is_fair() -> None:
    def order(seed: int) -> list[str]:
        return [str(item.id) for item in items(seed=seed, repetitions=3)]

    assert order(1) == order(1)
    assert order(1) != order(2)
    for prefix in (6, 12):
        motions = [id.split(".")[0] for id in order(1)[:prefix]]
        assert {motions.count(motion) for motion in MOTIONS} == {prefix // 6}


def test_motions_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "motions.txt"
    path.write_text("This house would light the harbour\nThis house would not\n")
    texts = {item.input for item in items(motions=str(path))}
    assert texts == {"This house would light the harbour", "This house would not"}


def test_a_jury_has_its_scorer() -> None:
    def scorers(**parameters: Any) -> int:
        return len(confidence(**parameters).scorer or [])

    assert scorers() == 2
    assert scorers(jury_passes=0) == 1
    assert scorers(protocol="self") == 1
    assert scorers(protocol="self", alignment=True) == 2


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"protocol": "selff"}, "'self'"),
    ({"rounds": 0}, "rounds=0"),
    ({"rounds": -1}, "rounds=-1"),
    ({"rounds": 2.5}, "rounds=2.5"),
    ({"win_probability": 150}, "win_probability=150"),
    ({"win_probability": "fifty"}, "win_probability='fifty'"),
    ({"bet_visibility": "secret"}, "bet_visibility='secret'"),
    ({"own_bets_shown": "yes"}, "own_bets_shown='yes'"),
    ({"bet_as": "stake", "stakes": False}, "bet_as=stake"),
    ({"jury_passes": -1}, "jury_passes=-1"),
    ({"order": "abba"}, "order='abba'"),
    ({"repetitions": 0}, "repetitions=0"),
    ({"seed": -1}, "seed=-1"),
    ({"alignment": "maybe"}, "alignment='maybe'"),
    ({"motions": "nowhere.yaml"}, "nowhere.yaml"),
    ({"pairings": "nowhere.csv"}, "nowhere.csv"),
    ({"motions": 5}, "5 is no path"),
    ({"pairings": [1, 2]}, "[1, 2] is no path"),
    ({"reuse": 7}, "7 is no path"),
    ({"prompts": "nowhere.yaml"}, "nowhere.yaml"),
    ({"reuse": "nowhere.eval"}, "nowhere.eval"),
    ({"reuse_until": "debate"}, "reuse=LOG"),
    ({"config.shortest": -1}, "config.shortest=-1"),
    ({"config.shortests": 1}, "shortest"),
    ({"wings": 2}, "wings"),
]


@pytest.mark.parametrize(("given", "said"), WRONG, ids=lambda v: str(v)[:40])
def test_what_is_wrong_is_said_in_one_sentence(
    given: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError, match=r".") as caught:
        confidence(**given)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
