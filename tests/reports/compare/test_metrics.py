"""What a metric's name means, and what its values are."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalSample, HeadlineMetric
from inspect_ai.scorer import Score, Value

from inspect_debate.debate.errors import InputError
from inspect_debate.reports.compare.comparison import Metric, find_metric, value_of
from inspect_debate.reports.compare.facts import Run, read_runs
from tests.reports.compare.made import NAN, log, scored


def run(folder: Path, *scores: dict[str, Any]) -> Run:
    held = [scored(n, None) for n in range(len(scores))]
    for sample, values in zip(held, scores, strict=True):
        sample.scores = {name: Score(value=value) for name, value in values.items()}
    (found,) = read_runs([log(folder, held)])
    return found


@pytest.mark.parametrize(
    ("values", "name", "metric"),
    [
        ({"match": "C"}, "match", "match"),
        ({"match": "C"}, "accuracy", "match"),
        ({"match": "C", "f1": {"exact": 1}}, "accuracy", "match"),
        ({"match": 0.5}, "mean", "match"),
        ({"match": "I", "model_graded_qa": "C"}, "model_graded_qa", "model_graded_qa"),
        ({"detection": {"correct": 1, "calls": 3}}, "correct", "detection.correct"),
        ({"detection": {"correct": 1, "calls": 3}}, "accuracy", "detection.correct"),
        ({"a": {"x": 1}, "b": {"x": 2}}, "b.x", "b.x"),
        ({"a.b": {"x": 1}}, "a.b.x", "a.b.x"),
        # The same in every sample.
        ({"a": {"x": 1, "y": 1}, "b": {"x": 1}}, "x", "a.x"),
        # A key goes before a score of one value.
        ({"match": "C", "ours": {"correct": 0}}, "correct", "ours.correct"),
    ],
)
def test_a_metric_is_found(
    values: dict[str, Any], name: str, metric: str, tmp_path: Path
) -> None:
    assert str(find_metric(run(tmp_path, values), name)) == metric


@pytest.mark.parametrize("name", ["correct", "accuracy"])
def test_of_several_that_of_the_headline_metric_is_meant(
    name: str, tmp_path: Path
) -> None:
    of = run(tmp_path, {"a": {"correct": 1}, "b": {"correct": 0}})
    of.log.header.eval.headline_metric = HeadlineMetric(scorer="b", metric="f1")
    assert find_metric(of, name) == Metric("b", "correct")


@pytest.mark.parametrize(
    ("values", "name", "says"),
    [
        ({"match": "C", "f1": 0.5}, "accuracy", "several times; give one of match, f1"),
        ({"a": {"x": 1}, "b": {"x": 2}}, "x", "give one of a.x, b.x"),
        ({"a": {"x": 1, "y": 2}}, "a", "is none of"),
        ({"a": {"x": 1, "y": 2}}, "z", "it has a.x, a.y"),
        ({"a": {"right": 1}}, "rigth", "it has a.right. Did you mean 'right'?"),
        ({"exact": 1, "f1": 1}, "exakt", "it has exact, f1. Did you mean 'exact'?"),
        ({"parts": [1, 0]}, "parts", "it has no scores"),
        ({}, "accuracy", "it has no scores"),
    ],
)
def test_what_cannot_be_found_is_told_with_what_there_is(
    values: dict[str, Any], name: str, says: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r"log0\.eval") as error:
        find_metric(run(tmp_path, values), name)
    assert says in error.value.message


def test_unscored_samples_do_not_tell_the_form_of_a_score(tmp_path: Path) -> None:
    of = run(tmp_path, {"ours": NAN}, {"ours": {"correct": 1.0}})
    assert find_metric(of, "correct") == Metric("ours", "correct")


@pytest.mark.parametrize(
    ("value", "number"),
    [
        *(("C", 1), ("I", 0), ("P", 0.5), ("N", 0), (True, 1), (False, 0)),
        *(("yes", 1), ("False", 0), ("0.25", 0.25), (7, 7), (-0.5, -0.5)),
        *((NAN, NAN), ("nan", NAN), (float("inf"), NAN)),
        *(({"x": 3}, 3), ({"x": None}, NAN), ({"y": 1}, NAN), ({"x": "C"}, 1)),
    ],
)
def test_values_as_inspect_reads_them(value: Value, number: float) -> None:
    key = "x" if isinstance(value, dict) else None
    found = value_of(scored(1, value).summary(), Metric("match", key))
    assert found == pytest.approx(number, nan_ok=True)


def test_without_a_score_there_is_no_value() -> None:
    assert value_of(scored(1, None).summary(), Metric("match")) != 0


@pytest.mark.parametrize("value", ["excellent", ["C", "I"], {"x": 1}])
def test_what_is_no_number_is_refused(value: Value) -> None:
    sample: EvalSample = scored("q7", value)
    with pytest.raises(InputError, match="match of sample q7 is "):
        value_of(sample.summary(), Metric("match"))
