"""What arms cost, and what is said where that is unequal."""

from math import isnan
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import ModelUsage

from inspect_debate.reports.compare.comparison import (
    Comparison,
    Cost,
    Scored,
    compare,
    cost_of,
    unequal,
)
from inspect_debate.reports.compare.report import notices_of
from tests.reports.compare.made import NAN, log, samples, scored


def cost(*held: Any) -> Cost:
    return cost_of([Scored(sample.summary(), 1.0, None) for sample in held])


def test_means_over_samples_of_turns_tokens_and_dollars() -> None:
    first = scored(1, 1, tokens=100, cost=0.02, turns=3)
    second = scored(2, 1, tokens=300, cost=0.04, turns=4)
    second.model_usage["judge"] = ModelUsage(total_tokens=50, total_cost=0.06)
    assert cost(first, second) == pytest.approx((3.5, 225, 0.06))


def test_what_a_sample_does_not_tell_is_not_known() -> None:
    known = scored(1, 1, cost=0.5)
    assert cost(known, scored(2, 1))[:2] == (1, 10)
    assert isnan(cost(known, scored(2, 1)).dollars)
    silent = cost(known, scored(2, 1, tokens=None, turns=None))
    assert all(map(isnan, silent))


def test_our_scores_count_calls_and_those_used_again() -> None:
    values = {"calls": 4.0, "reused_calls": 2.0, "reused_tokens": 90.0}
    found = cost(scored(1, values, tokens=60, cost=0.1, turns=4))
    assert found[:2] == (6, 150)
    assert isnan(found.dollars)


def test_a_debate_that_was_all_used_again_cost_tokens_before() -> None:
    values = {"calls": 0.0, "reused_calls": 7.0, "reused_tokens": 90.0}
    assert cost(scored(1, values, tokens=None, turns=0))[:2] == (7, 90)


@pytest.mark.parametrize(
    ("calls", "says"),
    [
        ((4.0, 5.0), None),
        ((4.0, 5.1), "A 4.0, B 5.1 (1.3 times)"),
        ((5.1, 4.0), "B 4.0, A 5.1 (1.3 times)"),
        ((4.0, 12.0, 4.1, 8.0), "A 4.0, B 12.0 (3.0 times), D 8.0 (2.0 times)"),
        ((0.0, 2.0), "A 0.0, B 2.0."),
        ((NAN, 2.0), None),
        ((NAN, 2.0, 4.0), "B 2.0, C 4.0 (2.0 times)"),
        ((NAN, NAN), None),
    ],
)
def test_more_than_a_quarter_is_said(
    calls: tuple[float, ...], says: str | None
) -> None:
    costs = {arm: Cost(n, 1, NAN) for arm, n in zip("ABCD", calls, strict=False)}
    found = list(unequal(costs))
    if says is None:
        assert found == []
    else:
        (text,) = found
        assert "more than a quarter in calls per sample" in text
        assert says in text


def texts(of: Comparison) -> list[str]:
    return [notice.text for notice in notices_of(of)]


def arms(folder: Path, *held: Any, **other: Any) -> Comparison:
    paths = [log(folder, held[0]), log(folder, held[1], model="m/two", **other)]
    return compare(paths, other.pop("metric", "match"), factor=["model"])


def test_plain_runs_need_no_notice(tmp_path: Path) -> None:
    assert texts(arms(tmp_path, samples([0, 1] * 20), samples([1, 1] * 20))) == []


def test_notices_of_a_comparison(tmp_path: Path) -> None:
    a = samples([0, 1] * 20)
    b = samples([0, 1] * 20, tokens=13, limit=True)
    found = texts(arms(tmp_path, a, b, task_version=3))
    assert [text[:38] for text in found] == [
        "Beside the factor the arms differ in t",
        "The arms differ by more than a quarter",
        "B: 40 of the samples compared met an e",
    ]


def test_what_only_some_protocols_have_is_told_apart(tmp_path: Path) -> None:
    told = [{"protocol": "debate", "parameters": {"rounds": 2}}, {"protocol": "single"}]
    paths = [
        log(tmp_path, samples([0, 1] * 20), metadata=one, task_version=version)
        for version, one in enumerate(told)
    ]
    whole, partial = texts(compare(paths, "match"))
    assert "the arms differ in task: the difference may be due to this." in whole
    assert partial.startswith("Only some of the protocols have rounds, which is part")
    unnamed = texts(compare(paths, "match", factor=["versions.task"]))
    assert unnamed[-1].startswith("Only some of the arms have rounds.")


def test_few_clusters_are_said(tmp_path: Path) -> None:
    (text,) = texts(arms(tmp_path, samples([0] * 29), samples([1] * 29)))
    assert "only 29 clusters" in text


def test_scores_of_two_names_are_said(tmp_path: Path) -> None:
    paths = [
        log(tmp_path, samples([0, 1] * 20)),
        log(tmp_path, samples([0, 1] * 20, scorer="choice")),
    ]
    (text,) = texts(compare(paths, "accuracy"))
    assert "not the same score in all runs: it is match or choice" in text
