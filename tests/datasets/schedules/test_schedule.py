from inspect_debate.datasets.schedules import Extent, Pairing, Seats, imbalance


def test_an_imbalance_by_hand() -> None:
    found = imbalance(
        [
            Pairing("x/a", "x/b", "lamps"),
            Pairing("x/b", "x/a", "ships", round=2),
            Pairing("x/a", "y/c", "lamps"),
            Pairing("x/a", "x/b", "lamps"),
        ],
        models=["z/d"],
        motions=["tides"],
    )
    assert found.debates == 4
    assert found.seats == {
        "x/a": Seats(3, 1),
        "x/b": Seats(1, 2),
        "y/c": Seats(0, 1),
        "z/d": Seats(0, 0),
    }
    assert found.sides == 2
    assert found.appearances == Extent(0, 4)
    assert found.rematches == 2
    assert found.same_family == 3
    assert found.motions == Extent(0, 3)
    assert found.motions_per_model == Extent(0, 3)
    assert found.on_motion["x/b"] == {"lamps": 2, "ships": 1, "tides": 0}


def test_families_that_are_told_count() -> None:
    schedule = [Pairing("x/a", "x/b", "lamps"), Pairing("x/a", "y/c", "lamps")]
    assert imbalance(schedule, families={"x/b": "q", "y/c": "X"}).same_family == 1


def test_nothing_is_even() -> None:
    found = imbalance([], ["a", "b"], ["lamps"])
    assert (found.debates, found.sides, found.appearances) == (0, 0, Extent(0, 0))
