"""Warnings about what logs lack."""

from typing import Any

import pytest
from inspect_ai.log import read_eval_log, write_eval_log

from inspect_debate.reports import frames, trust
from inspect_debate.reports.colmad import OUTCOME, PROTOCOLS
from tests.reports.conftest import WriteLog, sample

Limit = int | tuple[int, int] | None


def ids(first: int, last: int) -> list[str]:
    return [f"i{n}" for n in range(first, last + 1)]


@pytest.fixture
def incomplete(write_log: WriteLog) -> Any:
    """The warning about logs of a data set of twelve samples, or None.

    Each log is given by its samples and by `limit` as Inspect records it, from 0.
    """

    def find(
        *logs: tuple[list[str], Limit],
        each: dict[str, Any] | None = None,
        **config: Any,
    ) -> str | None:
        paths = []
        for names, limit in logs:
            path = write_log([sample(n, prediction=1) for n in names], **(each or {}))
            log = read_eval_log(path)
            log.eval.dataset.samples = 12
            log.eval.config.limit = limit
            for name, value in config.items():
                setattr(log.eval.config, name, value)
            write_eval_log(log, path)
            paths.append(path)
        read = frames.samples(paths, "colmad", PROTOCOLS)
        found = [w for w in trust.warnings(read, OUTCOME) if " of 12 " in w]
        assert len(found) <= 1
        return found[0] if found else None

    return find


ALL = (ids(1, 12), None)
FIRST, SECOND, THIRD = (
    (ids(1, 4), (0, 4)),
    (ids(5, 8), (4, 8)),
    (ids(9, 12), (8, 12)),
)


@pytest.mark.parametrize(
    "logs", [[ALL], [FIRST, SECOND, THIRD], [(ids(1, 8), 8), THIRD], [ALL, SECOND]]
)
def test_logs_of_all_samples_are_complete(incomplete: Any, logs: Any) -> None:
    assert incomplete(*logs) is None


@pytest.mark.parametrize(
    ("logs", "counted", "missing"),
    [
        ([FIRST, THIRD], "8 of 12", ["5-8"]),
        ([SECOND], "4 of 12", ["1-4", "9-12"]),
        ([(ids(1, 5), 5)], "5 of 12", ["6-12"]),
        ([FIRST, (ids(6, 12), (5, 12))], "11 of 12", ["5-5"]),
    ],
    ids=["a slice", "two slices", "a pilot", "one sample"],
)
def test_missing_slices_are_named(
    incomplete: Any, logs: Any, counted: str, missing: list[str]
) -> None:
    text = incomplete(*logs)
    assert counted in text
    assert f"({'without ' + ', '.join(missing)})" in text


def test_a_killed_run_names_no_slice(incomplete: Any) -> None:
    text = incomplete((ids(1, 3), None), each={"status": "started"})
    assert "3 of 12" in text
    assert "without" not in text


@pytest.mark.parametrize("config", [{"sample_shuffle": 7}, {"sample_id": ["i1"]}])
def test_places_are_unknown_if_samples_were_shuffled_or_chosen(
    incomplete: Any, config: dict[str, Any]
) -> None:
    text = incomplete((ids(1, 1), 1), **config)
    assert "1 of 12" in text
    assert "without" not in text


def test_parts_of_the_data_are_counted_apart(incomplete: Any) -> None:
    parts = [{"data": {"subset": subset}} for subset in ("math", "fact")]
    for part in parts:
        assert incomplete(ALL, each={"metadata": part}) is None
    assert "4 of 12" in incomplete(FIRST, each={"metadata": parts[0]})
