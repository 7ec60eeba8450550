"""What is compared, by what metric, at what cost, and what else differs."""

import shutil
from collections import Counter
from math import isnan
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import (
    EvalDataset,
    EvalRevision,
    EvalSample,
    HeadlineMetric,
    read_eval_log_sample,
)
from inspect_ai.model import GenerateConfig, ModelConfig, ModelUsage
from inspect_ai.scorer import Score, Value

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.reports.compare import comparison as compared
from inspect_debate.v1.reports.compare.comparison import (
    Comparison,
    Condition,
    Cost,
    Key,
    Metric,
    Scored,
    compare,
    cost_of,
    find_metric,
    unequal,
    value_of,
)
from inspect_debate.v1.reports.compare.facts import (
    SERVED,
    Fact,
    Run,
    Split,
    differences,
    read_runs,
    shown,
    split,
)
from inspect_debate.v1.reports.compare.report import comparison_report, notices_of
from inspect_debate.v1.reports.terminal import terminal_text
from tests.v1.reports.compare.made import NAN, log, samples, scored


def keys(of: Comparison) -> list[Key]:
    """The samples that are compared."""
    return [(str(r.sample.id), r.sample.epoch) for r in of.conditions[0].rows]


def logs(of: Comparison) -> list[str]:
    """The logs of each condition."""
    return [condition.logs for condition in of.conditions]


def run(folder: Path, *scores: dict[str, Any]) -> Run:
    made = [scored(n, None) for n in range(len(scores))]
    for sample, values in zip(made, scores, strict=True):
        sample.scores = {name: Score(value=value) for name, value in values.items()}
    (found,) = read_runs([log(folder, made)])
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
def test_what_cannot_be_found_is_refused_with_what_there_is(
    values: dict[str, Any], name: str, says: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r"log0\.eval") as error:
        find_metric(run(tmp_path, values), name)
    assert says in error.value.message


def test_unscored_samples_do_not_show_the_form_of_a_score(tmp_path: Path) -> None:
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


# Which samples are compared, and how the others are counted.


def comparison(folder: Path, *conditions: list[EvalSample]) -> Comparison:
    paths = [log(folder, one, model=f"m/{n}") for n, one in enumerate(conditions)]
    return compare(paths, "match")


def test_drops_are_counted_by_cause_and_add_up(tmp_path: Path) -> None:
    elsewhere, nowhere = "not in another condition", None
    gone, content = "without a value in another condition", "of other content"
    failed, stopped = scored("4", None, error="down"), scored("5", None, limit=True)
    other_question = scored("7", 1, input="Another question?")
    table = [
        # The sample in each condition, and why it is left out there.
        (scored("1", 1), scored("1", 1), None, None),
        (scored("1", 0, 2), scored("1", 0, 2), None, None),
        (scored("2", 1), nowhere, elsewhere, None),
        (scored("3", 1, 2), nowhere, elsewhere, None),
        (nowhere, scored("3", 1, 1), None, elsewhere),
        (failed, scored("4", 1), "error", gone),
        (scored("5", 1), stopped, gone, "limit"),
        (scored("6", NAN), scored("6", None), "unscored", "unscored"),
        (other_question, scored("7", 1), content, content),
        (scored("8", 1, target="43"), scored("8", 1), content, content),
    ]
    a, b, of_a, of_b = ([*filter(None, column)] for column in zip(*table, strict=True))
    of = comparison(tmp_path, a, b)
    assert keys(of) == [("1", 1), ("1", 2)]
    for condition, found, causes in zip(
        of.conditions, (a, b), (of_a, of_b), strict=True
    ):
        assert condition.drops == Counter(causes)
        assert sum(condition.drops.values()) + 2 == len(found)


def test_only_what_all_conditions_have_is_compared(tmp_path: Path) -> None:
    of = comparison(
        tmp_path,
        samples([1, 0, 1, 1]),
        samples([1, 1, 1]),
        [scored(n, 0) for n in (2, 3, 4)],
    )
    assert keys(of) == [("2", 1), ("3", 1)]
    assert [one.mean_b for one in of.compared] == [1, 0, 0]


@pytest.mark.parametrize(
    ("choices", "target", "same"),
    [
        (["ice", "tea", "soot"], "B", True),
        (["tea", "soot", "ice"], "A", True),
        (["tea", "soot", "ice"], "B", False),
        (["tea", "soot", "mist"], "A", False),
    ],
)
def test_choices_in_another_order_are_the_same_question(
    choices: list[str], target: str, same: bool, tmp_path: Path
) -> None:
    first = samples([1, 0], choices=["ice", "tea", "soot"], target="B")
    second = [
        scored(1, 1, choices=["ice", "tea", "soot"], target="B"),
        scored(2, 1, choices=choices, target=target),
    ]
    of = comparison(tmp_path, first, second)
    assert len(keys(of)) == (2 if same else 1)


def test_without_a_common_sample_the_causes_are_given(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        comparison(tmp_path, samples([1, 0]), [scored(7, 1), scored(1, NAN)])
    assert "No sample has a value in all conditions" in error.value.message
    assert "log1.eval: 1 not in another condition, 1 unscored" in error.value.message


def test_parts_of_a_run_are_one_condition(tmp_path: Path) -> None:
    halves = [
        log(tmp_path, [scored(n, 1) for n in part], config={"limit": (min(part), 9)})
        for part in ((1, 2), (3, 4))
    ]
    whole = log(tmp_path, samples([0, 0, 0, 0]), model="m/two")
    of = compare([*halves, whole], "match")
    assert logs(of) == ["log0.eval, log1.eval", "log2.eval"]
    assert len(keys(of)) == 4
    assert of.compared[0].difference.difference == -1


def test_of_a_conditions_logs_the_newest_row_counts(tmp_path: Path) -> None:
    paths = [
        log(tmp_path, samples([0, 0, 0])),
        log(tmp_path, samples([1, None])),
        log(tmp_path, samples([1, 1, 1]), model="m/two"),
    ]
    of = compare(paths[::-1], "match")
    assert [condition.replaced for condition in of.conditions] == [0, 2]
    infos = [notice.text for notice in notices_of(of) if notice.level == "info"]
    assert [text[:32] for text in infos] == ["B: 2 samples of older logs are l"]
    assert keys(of) == [("1", 1), ("3", 1)]
    assert of.compared[0].mean_b == 0.5


def test_conditions_are_in_the_order_given_and_a_baseline_is_a_log(
    tmp_path: Path,
) -> None:
    paths = [
        log(tmp_path, samples([float(n > 1), 1.0]), model=f"m/{n}") for n in range(3)
    ]
    of = compare([paths[2], paths[0], paths[1]], "match", baseline=paths[1])
    assert logs(of) == ["log2.eval", "log0.eval", "log1.eval"]
    assert [(one.a, one.b) for one in of.compared] == [(2, 0), (2, 1)]


def test_a_folder_is_all_of_its_logs(tmp_path: Path) -> None:
    first = log(tmp_path, samples([1, 0]), name="z")
    folder = tmp_path / "more"
    folder.mkdir()
    other = log(
        folder,
        samples([0, 0]),
        model="m/two",
        created="2026-04-01T00:00:00Z",
        task_id="another",
    )
    shutil.copy(other, folder / "the_same.json.txt")
    of = compare([first, folder], "match")
    assert logs(of) == ["z.eval", "log0.eval"]


def test_what_samples_share_by_the_first_name_that_any_condition_has(
    tmp_path: Path,
) -> None:
    a = [scored(1, 1), scored(2, 1, metadata={"question_id": 7})]
    b = [
        scored(1, 1, metadata={"question_id": "q", "input_group": "text"}),
        scored(2, 1, metadata={"input_group": ""}),
    ]
    a, b = ([*found, scored(3, 0, metadata={"other": 1})] for found in (a, b))
    assert comparison(tmp_path, a, b).clusters == ["text", "7", "3"]


@pytest.mark.parametrize("values", [(1, 0), (1, 1)])
def test_a_single_sample_has_no_interval(
    values: tuple[float, float], tmp_path: Path
) -> None:
    of = comparison(tmp_path, *(samples([value]) for value in values))
    (found,) = of.compared
    assert found.difference.difference == values[1] - values[0]
    assert isnan(found.difference.low)
    assert found.p >= 0.5
    terminal_text(comparison_report(of))


def test_logs_of_both_forms(tmp_path: Path) -> None:
    first = log(tmp_path, samples([1, 0, NAN]))
    other = log(tmp_path, samples([1, 1, 1]), model="m/two", form="json")
    of = compare([first, other], "match")
    assert of.compared[0].difference.difference == 0.5


# What conditions cost, and the notice where that is unequal.


def cost(*found: Any) -> Cost:
    return cost_of([Scored(sample.summary(), 1.0, None) for sample in found])


def test_means_over_samples_of_turns_tokens_and_dollars() -> None:
    first = scored(1, 1, tokens=100, cost=0.02, turns=3)
    second = scored(2, 1, tokens=300, cost=0.04, turns=4)
    second.model_usage["judge"] = ModelUsage(total_tokens=50, total_cost=0.06)
    assert cost(first, second) == pytest.approx((3.5, 225, 0.06))


def test_what_a_sample_does_not_have_is_not_known() -> None:
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
def test_more_than_a_quarter_is_pointed_out(
    calls: tuple[float, ...], says: str | None
) -> None:
    samples = (scored(1, {"calls": number}, turns=None) for number in calls)
    found = unequal(
        [
            Condition(letter, [], {}, rows=[Scored(sample.summary(), 1.0, None)])
            for letter, sample in zip("ABCD", samples, strict=False)
        ]
    )
    text = "".join(found)
    assert ("more than a quarter in calls per sample" in text) == (says is not None)
    assert (says or "") in text


def texts(of: Comparison) -> list[str]:
    return [notice.text for notice in notices_of(of)]


def conditions(folder: Path, *samples: Any, **other: Any) -> Comparison:
    a, b = samples
    paths = [log(folder, a), log(folder, b, model="m/two", **other)]
    return compare(paths, other.pop("metric", "match"), factor=["model"])


def test_plain_runs_need_no_notice(tmp_path: Path) -> None:
    assert texts(conditions(tmp_path, samples([0, 1] * 20), samples([1, 1] * 20))) == []


def test_notices_of_a_comparison(tmp_path: Path) -> None:
    a = samples([0, 1] * 20)
    b = samples([0, 1] * 20, tokens=13, limit=True)
    found = texts(conditions(tmp_path, a, b, task_version=3))
    assert [text[:44] for text in found] == [
        "Beside the factor the conditions differ in t",
        "The conditions differ by more than a quarter",
        "B: 40 compared samples ended with an error o",
    ]


def test_what_only_some_protocols_have_is_no_confound(tmp_path: Path) -> None:
    metadata = [
        {"protocol": "debate", "parameters": {"rounds": 2}},
        {"protocol": "single"},
    ]
    paths = [
        log(tmp_path, samples([0, 1] * 20), metadata=one, task_version=version)
        for version, one in enumerate(metadata)
    ]
    whole, partial = texts(compare(paths, "match"))
    assert "the conditions differ in task: the difference may be due to this." in whole
    assert partial.startswith("Only some of the protocols have rounds, which is part")
    unnamed = texts(compare(paths, "match", factor=["versions.task"]))
    assert unnamed[-1].startswith("Only some of the conditions have rounds.")


def test_few_clusters_have_a_notice(tmp_path: Path) -> None:
    (text,) = texts(conditions(tmp_path, samples([0] * 29), samples([1] * 29)))
    assert "only 29 clusters" in text


def test_scores_of_two_names_have_a_notice(tmp_path: Path) -> None:
    paths = [
        log(tmp_path, samples([0, 1] * 20)),
        log(tmp_path, samples([0, 1] * 20, scorer="choice")),
    ]
    (text,) = texts(compare(paths, "accuracy"))
    assert "not the same score in all runs: it is match or choice" in text


# What differs between runs, and what of it is the factor.


PROMPT = "You are told a long story, at the end of which a question is asked. " * 3


def parted(folder: Path, *runs: dict[str, Any], factor: tuple[str, ...] = ()) -> Split:
    paths = [
        log(folder, one.pop("samples", samples([1, 0])), **one)
        for one in ({**run} for run in runs)
    ]
    return compare(paths, "match", factor=factor).split


def values_of(found: Split) -> dict[str, tuple[str | None, ...]]:
    both = [*found.factor, *found.confounds]
    return {".".join(one.fact): one.values for one in both}


ABSENT = object()


def hot(temperature: float) -> GenerateConfig:
    return GenerateConfig(temperature=temperature)


def judges(*names: str) -> dict[str, list[ModelConfig]]:
    return {"judge": [ModelConfig(model=f"m/{name}") for name in names]}


def match(location: str) -> list[dict[str, Any]]:
    return [{"name": "match", "options": {"location": location}}]


@pytest.mark.parametrize(
    ("given", "a", "b", "name", "values"),
    [
        ("model", ABSENT, "m/two", "models.model", ("m/one", "m/two")),
        ("settings", ABSENT, hot(0.5), "settings.temperature", (None, "0.5")),
        ("model_args", {"device": 1}, {"device": 2}, "settings.device", ("1", "2")),
        ("task_args", {"cot": 1}, {"cot": 2}, "parameters.cot", ("1", "2")),
        ("task_args", {"n": {"m": 1}}, {"n": {"m": 2}}, "parameters.n.m", ("1", "2")),
        (
            "steps",
            {"p": {"t": "A."}},
            {"p": {"t": PROMPT}},
            "solver.p.t",
            ("A.", PROMPT),
        ),
        ("steps", {"a": {}}, {"b": {"x": 1}, "a": {}}, "solver.steps", ("a", "b → a")),
        (
            "scorers",
            match("end"),
            match("any"),
            "scorer.match.location",
            ("end", "any"),
        ),
        ("task_version", 1, "2-A", "versions.task", ("1", "2-A")),
        ("packages", {"x": "1"}, {"x": "2"}, "versions.x", ("1", "2")),
        ("task", "products", ABSENT, "task.task", ("products", "sums")),
        ("dataset", EvalDataset(name="x"), ABSENT, "data.name", ("x", "sums")),
        ("config", ABSENT, {"token_limit": 9}, "limits.token_limit", (None, "9")),
        ("config", {"epochs_reducer": ["mode"]}, ABSENT, "run.epochs_reducer", None),
        ("metadata", {"seed": 1}, {"seed": 2}, "parameters.seed", ("1", "2")),
        (
            "metadata",
            {"prompts": {"j": "A"}},
            {"prompts": {"j": "B"}},
            "prompts.j",
            None,
        ),
        ("metadata", {"wave": "1st"}, ABSENT, "metadata.wave", ("1st", None)),
        (
            "model_roles",
            judges("j"),
            judges(*"jk"),
            "models.judge",
            ("m/j", "m/j, m/k"),
        ),
    ],
)
def test_the_only_thing_that_differs_is_the_factor(
    given: str,
    a: object,
    b: object,
    name: str,
    values: tuple[str | None, str | None] | None,
    tmp_path: Path,
) -> None:
    runs = ({} if value is ABSENT else {given: value} for value in (a, b))
    found = parted(tmp_path, *runs)
    assert found.chosen == "It is the only thing that differs."
    assert not found.confounds
    (one,) = found.factor
    assert ".".join(one.fact) == name
    assert values is None or one.values == values


def test_the_protocol_is_the_factor_and_all_else_a_confound(tmp_path: Path) -> None:
    def run(protocol: str, **parameters: object) -> dict[str, Any]:
        metadata = {"protocol": protocol, "parameters": parameters, "version": "1"}
        return {"metadata": metadata, "steps": {protocol: {"seed": 0, **parameters}}}

    found = parted(
        tmp_path,
        run("debate", rounds=2) | {"task_args": {"protocol": "debate"}},
        run("consultancy") | {"packages": {"inspect_ai": "2"}},
    )
    assert "protocols differ" in found.chosen
    assert values_of(found) == {
        "parameters.protocol": ("debate", "consultancy"),
        "parameters.rounds": ("2", None),
        "versions.inspect_ai": ("1", "2"),
    }
    assert [one.fact.name for one in found.factor] == ["protocol"]


@pytest.mark.parametrize(
    ("factor", "names"),
    [
        (("model",), ["model"]),
        (("models.model",), ["model"]),
        (("settings",), ["top_p", "temperature"]),
        (("model", "top_p", "model"), ["model", "top_p"]),
    ],
)
def test_a_factor_is_named(
    factor: tuple[str, ...], names: list[str], tmp_path: Path
) -> None:
    settings = GenerateConfig(temperature=0.5, top_p=0.9)
    other = {"model": "m/two", "settings": settings}
    found = parted(tmp_path, {}, other, factor=factor)
    assert [one.fact.name for one in found.factor] == names
    assert len(found.factor) + len(found.confounds) == 3
    assert found.chosen == "It was named with --factor."


def test_without_a_name_several_differences_are_all_confounds(tmp_path: Path) -> None:
    other = {"model": "m/two", "task_version": 2}
    found = parted(tmp_path, {}, other)
    assert not found.factor
    assert len(found.confounds) == 2
    assert "give --factor" in found.chosen


def test_what_shapes_no_completion_is_no_difference(tmp_path: Path) -> None:
    found = parted(
        tmp_path,
        {"settings": GenerateConfig(max_connections=5), "config": {"max_samples": 3}},
        {"settings": GenerateConfig(timeout=60), "tags": ["x"], "run_id": "other"},
    )
    assert not values_of(found)


def test_a_commit_and_a_part_of_the_samples_make_no_other_condition(
    tmp_path: Path,
) -> None:
    def of(commit: str) -> EvalRevision:
        return EvalRevision(type="git", origin="o", commit=commit)

    found = parted(
        tmp_path,
        {"revision": of("a" * 40), "config": {"limit": 1}},
        {"revision": of("b" * 40), "config": {"limit": 2}},
        {"revision": of("b" * 40), "model": "m/two"},
    )
    assert values_of(found) == {
        "models.model": ("m/one", "m/two"),
        "run.limit": ("1 / 2", None),
        "versions.commit": ("a" * 10 + " / " + "b" * 10, "b" * 10),
    }


def test_what_was_served_differs_only_where_the_same_was_asked() -> None:
    first = {Fact(SERVED, "m/one"): "one-may", Fact(SERVED, "m/j"): "j-1"}
    other = {Fact(SERVED, "m/two"): "two-may", Fact(SERVED, "m/j"): "j-2"}
    (found,) = differences([first, other])
    assert found == (Fact(SERVED, "m/j"), ("j-1", "j-2"))


def test_few_samples_are_read_in_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[tuple[str, int]] = []

    def reading(path: str, id: int, epoch: int, **options: Any) -> EvalSample:
        read.append((path, id))
        return read_eval_log_sample(path, id, epoch, **options)

    monkeypatch.setattr(compared, "read_eval_log_sample", reading)
    paths = [log(tmp_path, samples([1] * 40), model=model) for model in ("m/a", "m/b")]
    compare(paths, "match")
    assert read == [(str(path), id) for path in paths for id in (1, 14, 27, 40)]


def test_of_three_conditions_a_difference_of_two_is_one() -> None:
    one, two = ({Fact("models", "model"): name} for name in ("m", "n"))
    (found,) = differences([one, one, two])
    assert split([found], (), one).factor == [found]
    assert found.values == ("m", "m", "n")


def test_participants_go_before_the_models_of_the_run(tmp_path: Path) -> None:
    """Whether a debater's model was bound to its role or the run's makes no odds."""

    def both() -> list[Any]:
        made = [scored(1, 1.0), scored(2, 0.0)]
        for sample in made:
            assert sample.scores is not None
            sample.scores["match"].metadata = {
                "models": {"debater_a": "m/one", "judge_1": "m/j"}
            }
        return made

    roles = {"debater_a": ModelConfig(model="m/one"), "judge": ModelConfig(model="m/j")}
    found = parted(
        tmp_path,
        {"samples": both(), "model": "none/none", "model_roles": roles},
        {"samples": both(), "model": "m/one", "task_version": 5},
    )
    assert list(values_of(found)) == ["versions.task"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        ("0.5", "0.5"),
        ("/home/me/data/items.jsonl", "items.jsonl… #"),
        (PROMPT, "You are told a long story, at the end… #"),
        ("two\nlines", "two lines… #"),
    ],
)
def test_values_are_shown_in_a_few_words(value: str | None, text: str) -> None:
    found = shown(value)
    assert found.startswith(text)
    assert len(found) <= 48


def test_long_texts_that_differ_are_shown_differently() -> None:
    assert shown(PROMPT) != shown(PROMPT + "!")
    assert shown("/a/items.jsonl") != shown("/b/items.jsonl")


@pytest.mark.parametrize(
    "given",
    [
        {"max_unparsed": 0.1},
        {"budget_usd": 5, "prices": {"m/one": {"input": 1}}},
        {"reuse_until": "answers"},
        {"match_on": "tokens"},
    ],
)
def test_caps_and_parameters_without_effect_are_no_difference(
    given: dict[str, Any], tmp_path: Path
) -> None:
    assert not values_of(parted(tmp_path, {}, {"task_args": given}))


def test_what_is_used_again_and_how_far_is_one(tmp_path: Path) -> None:
    runs = (
        {"reuse": "a.eval", "reuse_until": until} for until in ("answers", "debate")
    )
    found = values_of(parted(tmp_path, *({"task_args": args} for args in runs)))
    assert found == {"parameters.reuse_until": ("answers", "debate")}
