import pytest

from inspect_debate.reports.planning import minutes


@pytest.mark.parametrize(
    ("calls", "depth", "connections", "expected"),
    [
        # 600 calls of 2 s on 10 connections: 120 s, and a last sample of 4 calls.
        ([600], 4, 10, (120, 128)),
        # Each model has its own connections; at worst they wait for each other.
        ([600, 300], 4, 10, (120, 188)),
        # One sample alone takes its depth, whatever the connections.
        ([7], 4, 100, (8, 8.14)),
    ],
)
def test_bounds_of_the_wall_time(
    calls: list[float], depth: int, connections: int, expected: tuple[float, float]
) -> None:
    took = minutes(calls, depth, seconds=2, connections=connections)
    assert [60 * took.low, 60 * took.high] == pytest.approx(expected)
