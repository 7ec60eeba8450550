"""Which debates a run holds, as samples."""

import pytest

from inspect_debate.datasets.debates import (
    Debated,
    Pair,
    debates_dataset,
    every_motion,
    motion_lookup,
    repeated,
    sample_of,
)
from inspect_debate.datasets.motions import Motion
from inspect_debate.debate.errors import InputError

LAMPS = Motion("lamps", "This house would light the harbour", "that it pays", "no")
FERRIES = Motion("ferries", "This house would let ferries sail at night")


def test_every_pair_debates_every_motion_and_changes_sides() -> None:
    pairs = [Pair("a/x", "b/y:free"), Pair("c/z", "c/z")]
    found = every_motion([LAMPS, FERRIES], pairs, 2)
    assert len(found) == 8
    assert len({debate.id for debate in found}) == 8
    assert found[0].id == "lamps.x.y.1"
    assert [debate.swapped for debate in found[:2]] == [False, True]


def test_a_row_that_comes_again_is_another_debate() -> None:
    row = (LAMPS, Pair("x", "y"))
    found = repeated([row, (FERRIES, Pair("x", "y")), row])
    ids = [debate.id for debate in found]
    assert ids == ["lamps.x.y.1", "ferries.x.y.1", "lamps.x.y.2"]
    assert not any(debate.swapped for debate in found)


def test_a_schedule_that_is_repeated_changes_sides() -> None:
    found = repeated([(LAMPS, Pair("x", "y"))], 3)
    assert [debate.swapped for debate in found] == [False, True, False]


def test_a_sample_holds_what_the_debate_needs_and_no_answer() -> None:
    sample = sample_of(Debated(LAMPS, Pair("a/x", "b/y")))
    assert sample.input == LAMPS.text
    assert sample.target == ""
    assert sample.metadata is not None
    assert sample.metadata["proposition_burden"] == "that it pays"
    assert (sample.metadata["debater_a"], sample.metadata["debater_b"]) == (
        "a/x",
        "b/y",
    )


def test_every_prefix_spreads_over_motions_and_pairs() -> None:
    pairs = [Pair(name, name) for name in "abc"]
    dataset = debates_dataset(every_motion([LAMPS, FERRIES], pairs, 4), seed=3)
    first = [sample.metadata or {} for sample in list(dataset)[:6]]
    assert {(told["motion"], told["debater_a"]) for told in first} == {
        (motion, name) for motion in ("lamps", "ferries") for name in "abc"
    }


def test_a_schedule_names_motions_by_id_or_text() -> None:
    find = motion_lookup([LAMPS, FERRIES], "pairings=x.csv")
    assert find("lamps") == find(LAMPS.text) == LAMPS
    other = find("This house would ban the bell of the harbour")
    assert other.text == "This house would ban the bell of the harbour"
    with pytest.raises(InputError, match=r"pairings=x\.csv .*'lamp'.*lamps, ferries"):
        find("lamp")
