"""Motions of a user, and which models debate them with whom."""

import json
import os
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from inspect_debate.datasets.motions import Motion, debates, motions
from inspect_debate.debate.errors import InputError

DATA = Path(os.environ.get("INSPECT_DEBATE_DATA", "none")) / "llms_overconfidence"
A, B = "This House would ban cars.", "This House would ban bicycles."
BURDENS = {"proposition": "it pays", "opposition": "it does not"}
LAMPS = Motion(id="lamps", text="This house would light the harbour", **BURDENS)
FERRIES = Motion(id="ferries", text="This house would let ferries sail at night")
BOUND = ["router/lab/x", "lab/y:free", "z"]
HEAD = "proposition,opposition,motion\n"


def saved(folder: Path, name: str, content: object) -> str:
    file = folder / name
    text = content if isinstance(content, str) else json.dumps(content)
    file.write_text(text, encoding="utf-8")  # JSON is YAML, too
    return str(file)


def pairs(found: Any) -> list[tuple[str, str, str]]:
    """Motion, proposition and opposition of each sample that is not swapped."""
    about = [sample.metadata for sample in found]
    return [(m["motion_id"], m["debater_a"], m["debater_b"]) for m in about]


def scheduled(
    folder: Path, text: str, names: Sequence[str] = BOUND, itself: bool = False
) -> list[tuple[str, str, str]]:
    file = saved(folder, "pairs.csv", text)
    return pairs(debates([LAMPS, FERRIES], names, itself, file))


# --- Motions --------------------------------------------------------------------------


def test_our_own_have_burdens_for_both_sides() -> None:
    ours = motions()
    assert len({motion.id for motion in ours}) == len({m.text for m in ours}) == 6
    assert all(motion.proposition and motion.opposition for motion in ours)


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.txt", f"\ufeff{B}\n\n  {A}\t\r\n", [Motion(text=B), Motion(text=A)]),
        ("a.yml", f"- {A}\n- text: >\n    {B}\n", [Motion(text=A), Motion(text=B)]),
        ("a.yaml", [LAMPS.model_dump(), A], [LAMPS, Motion(text=A)]),
    ],
)
def test_motions_of_a_file(
    name: str, content: Any, expected: list[Motion], tmp_path: Path
) -> None:
    assert motions(saved(tmp_path, name, content)) == expected


@pytest.mark.parametrize(
    ("name", "content"),
    [
        *(("a.csv", A), ("a.txt", " \n"), ("a.yaml", "a: [b"), ("a.yaml", "no list")),
        *(("a.yaml", found) for found in ([], [1], [{"id": "x"}])),
        *(("a.yaml", [{"text": A, key: "b c"}]) for key in ("id", "oppposition")),
    ],
)
def test_what_is_no_motion_is_refused(name: str, content: Any, tmp_path: Path) -> None:
    for path in (saved(tmp_path, name, content), str(tmp_path / "nowhere.yaml")):
        with pytest.raises(InputError):
            motions(path)


# --- Debates --------------------------------------------------------------------------


def test_without_models_every_motion_is_debated_once() -> None:
    found = list(debates([LAMPS, FERRIES], repetitions=2))
    ids = ["lamps.1", "ferries.1", "lamps.2", "ferries.2"]
    assert [sample.id for sample in found] == ids
    about = {"motion_id": "lamps", **BURDENS, "repetition": 2, "swapped": True}
    assert found[2].metadata == about
    assert [sample.input for sample in found][:2] == [LAMPS.text, FERRIES.text]


def test_each_model_debates_its_copy_on_every_motion() -> None:
    found = debates([LAMPS, FERRIES], BOUND, itself=True, repetitions=2)
    every = [(id, name, name) for id in ("lamps", "ferries") for name in BOUND]
    assert Counter(pairs(found)) == Counter(2 * every)
    assert len({sample.id for sample in found}) == 12


@pytest.mark.parametrize("size", [2, 3, 4, 5, 10, 11])
@pytest.mark.parametrize("seed", [0, 1])
def test_a_round_robin(size: int, seed: int) -> None:
    """All pairs meet once; models meet motions in turn, on either side equally."""
    ours, names = motions(), [f"lab/{n}" for n in range(size)]
    found = pairs(debates(ours, names, seed=seed))
    met = Counter(frozenset(pair[1:]) for pair in found)
    assert met == Counter(map(frozenset, combinations(names, 2)))
    topics = defaultdict[str, list[str]](list)
    for motion, a, b in found:
        topics[a].append(motion)
        topics[b].append(motion)
    propositions = Counter(a for _, a, _ in found)
    for name in names:
        assert abs(propositions[name] - (size - 1) / 2) <= 0.5
        times = Counter(topics[name]).values()
        assert max(times) <= -(-size // 6)  # rounds over motions
        assert len(times) >= min(len(topics[name]), 6) - size % 2  # a round without


def test_a_seed_is_one_round_robin_and_repetitions_change_sides() -> None:
    names = [f"lab/{n}" for n in range(5)]
    first, again, other = (debates(motions(), names, seed=n) for n in (3, 3, 4))
    assert pairs(first) == pairs(again) != pairs(other)
    twice = debates(motions(), names, repetitions=2, seed=3)
    assert pairs(twice) == 2 * pairs(first)
    swapped = [(sample.metadata or {})["swapped"] for sample in twice]
    assert swapped == [False] * 10 + [True] * 10


# --- Schedules ------------------------------------------------------------------------


def test_a_schedule_names_models_with_or_without_provider(tmp_path: Path) -> None:
    rows = {
        "lab/x,z,lamps": ("lamps", BOUND[0], "z"),
        "x:free, y, ferries": ("ferries", BOUND[0], BOUND[1]),
        f'lab/y,router/lab/x,"  {LAMPS.text}"': ("lamps", BOUND[1], BOUND[0]),
        f"y,x,{A}": (Motion(text=A).id, BOUND[1], BOUND[0]),
    }
    assert scheduled(tmp_path, HEAD + "\n".join(rows)) == [*rows.values()]


@pytest.mark.parametrize(
    "text",
    [
        *("", HEAD, "proposition,opposition\nx,y", "a,opposition,motion\nx,y,lamps"),
        *(HEAD + row for row in ("x,y,lamp", "x,y,", "x,y", "x,y,Ban it, now")),
        HEAD + "w,y,lamps",
    ],
)
def test_what_is_no_schedule_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        scheduled(tmp_path, text)


def test_models_that_fit_no_schedule_are_refused(tmp_path: Path) -> None:
    text = HEAD + "x,y,lamps"
    for names, itself in ((["a/x", "b/x", "y"], False), (BOUND, True), ([], False)):
        with pytest.raises(InputError):
            scheduled(tmp_path, text, names, itself)
    assert scheduled(tmp_path, text, ["a/x", "x", "y"]) == [("lamps", "x", "y")]
    for pool in (["a", "b", "a"], ["a"]):
        with pytest.raises(InputError):
            debates([LAMPS], pool)


@pytest.mark.skipif(not DATA.is_dir(), reason="needs INSPECT_DEBATE_DATA")
def test_the_released_schedule() -> None:
    """Sixty debates of forty pairs, one of them twice; sides as in section 3."""
    path = DATA / "private_bet_experiment_pairings.json"
    rows = json.loads(path.read_text())
    names = {row[side] for row in rows for side in ("proposition", "opposition")}
    bound = [f"openrouter/{name.removesuffix(':free')}" for name in sorted(names)]
    found = debates(motions(), bound, pairings=str(path))
    assert len({sample.id for sample in found}) == len(rows) == 60
    met = Counter(frozenset(pair[1:]) for pair in pairs(found))
    assert Counter(met.values()) == {1: 21, 2: 18, 3: 1}
    assert max(Counter(pairs(found)).values()) == 2
    times = Counter(motion for motion, _, _ in pairs(found)).values()
    assert (len(times), min(times), max(times)) == (6, 9, 12)
    sides = {
        name[-8:]: tuple(sum(row[n] == name for row in pairs(found)) for n in (1, 2))
        for name in bound
    }
    uneven = {name: both for name, both in sides.items() if both != (6, 6)}
    assert uneven == {"7-sonnet": (6, 7), "qwen-14b": (6, 5)}
