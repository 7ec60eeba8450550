"""Which debates come onto a sheet, in which order, under which codes."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.reports.judges.sheet import Row, drawn
from inspect_debate.reports.judges.sheet_text import Contest
from tests.reports.judges.sheets import contested
from tests.support.runs import item


def some(errors: int, rights: int, run: str = "run") -> list[Contest]:
    """Debates about wrong and about right responses."""
    labels = ["error"] * errors + ["no_error"] * rights
    return [
        contested(sample=item(f"{number:02}", label=label), run=run)
        for number, label in enumerate(labels)
    ]


def told(rows: list[Row]) -> list[tuple[str, str, str]]:
    return [(row.code, row.contest.key[1], row.order) for row in rows]


MANY = some(12, 8)


@given(
    st.integers(0, 20),
    st.none() | st.integers(1, 25),
    st.none() | st.integers(1, 25),
)
def test_orders_are_balanced_within_what_is_right(
    seed: int, limit: int | None, per_stratum: int | None
) -> None:
    rows = drawn(MANY, seed=seed, limit=limit, per_stratum=per_stratum)
    ids = [row.contest.key for row in rows]
    assert len(set(ids)) == len(ids) == len({row.code for row in rows})
    counts = Counter(row.order for row in rows)
    assert abs(counts["ab"] - counts["ba"]) <= 1
    for label in ("error", "no_error"):
        of = Counter(row.order for row in rows if row.contest.accepted == {label})
        assert abs(of["ab"] - of["ba"]) <= 1


@pytest.mark.parametrize(
    ("limit", "per_stratum", "errors", "rights"),
    [
        (None, None, 12, 8),
        (10, None, 5, 5),
        (18, None, 10, 8),
        (None, 3, 3, 3),
        (None, 10, 10, 8),
        (5, 2, 2, 2),
        (99, 99, 12, 8),
    ],
)
def test_a_subset_is_as_balanced_as_the_debates_allow(
    limit: int | None, per_stratum: int | None, errors: int, rights: int
) -> None:
    rows = drawn(MANY, seed=1, limit=limit, per_stratum=per_stratum)
    counts = Counter(min(row.contest.accepted) for row in rows)
    assert counts == {"error": errors, "no_error": rights}


def test_runs_are_strata() -> None:
    both = [*some(9, 9, "one"), *some(1, 1, "two")]
    rows = drawn(both, seed=0, limit=6)
    assert Counter(row.contest.key[0] for row in rows) == {"one": 4, "two": 2}


def test_the_seed_decides_and_not_the_order_of_the_log() -> None:
    once = told(drawn(MANY, seed=3, limit=8))
    assert told(drawn(MANY[::-1], seed=3, limit=8)) == once
    again = told(drawn(MANY, seed=4, limit=8))
    assert {id for _, id, _ in again} != {id for _, id, _ in once}
    assert not {code for code, _, _ in again} & {code for code, _, _ in once}


def test_rows_and_codes_tell_nothing_of_the_log() -> None:
    rows = drawn(MANY, seed=0)
    ids = [row.contest.key[1] for row in rows]
    assert ids != sorted(ids)
    assert all(set(row.code) <= set("BCDFGHJKLMNPQRSTVWXZ") for row in rows)
    assert {len(row.code) for row in rows} == {5}
    # Sheets of other runs have other codes, so that files cannot be mixed up.
    others = drawn(some(12, 8, "other"), seed=0)
    assert not {row.code for row in rows} & {row.code for row in others}
