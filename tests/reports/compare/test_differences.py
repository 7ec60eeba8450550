"""What differs between runs, and what of it is the factor."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalDataset, EvalRevision
from inspect_ai.model import GenerateConfig, ModelConfig

from inspect_debate.debate.errors import InputError
from inspect_debate.reports.compare.comparison import compare
from inspect_debate.reports.compare.facts import (
    SERVED,
    Fact,
    Split,
    differences,
    shown,
    split,
)
from tests.reports.compare.made import log, samples, scored

PROMPT = "You are told a long story, at the end of which a question is asked. " * 3


def parted(folder: Path, *runs: dict[str, Any], factor: tuple[str, ...] = ()) -> Split:
    paths = [
        log(folder, one.pop("samples", samples([1, 0])), **one)
        for one in ({**run} for run in runs)
    ]
    return compare(paths, "match", factor=factor).split


def said(found: Split) -> dict[str, tuple[str | None, ...]]:
    both = [*found.factor, *found.confounds]
    return {".".join(one.fact): one.values for one in both}


@pytest.mark.parametrize(
    ("a", "b", "name", "values"),
    [
        ({}, {"model": "m/two"}, "models.model", ("m/one", "m/two")),
        (
            {},
            {"settings": GenerateConfig(temperature=0.5)},
            "settings.temperature",
            (None, "0.5"),
        ),
        (
            {"model_args": {"device": 1}},
            {"model_args": {"device": 2}},
            "settings.device",
            ("1", "2"),
        ),
        ({"task_args": {"cot": True}}, {"task_args": {"cot": False}}, None, None),
        (
            {"task_args": {"sampling": {"n": 1}}},
            {"task_args": {"sampling": {"n": 2}}},
            "parameters.sampling.n",
            ("1", "2"),
        ),
        (
            {"steps": {"prompt": {"text": "A."}}},
            {"steps": {"prompt": {"text": PROMPT}}},
            "solver.prompt.text",
            ("A.", PROMPT),
        ),
        (
            {"steps": {"generate": {}}},
            {"steps": {"think": {"hard": True}, "generate": {}}},
            "solver.steps",
            ("generate", "think → generate"),
        ),
        (
            {"scorers": [{"name": "match", "options": {"location": "end"}}]},
            {"scorers": [{"name": "match", "options": {"location": "any"}}]},
            "scorer.match.location",
            ("end", "any"),
        ),
        ({"task_version": 1}, {"task_version": "2-A"}, "versions.task", ("1", "2-A")),
        (
            {"packages": {"inspect_ai": "0.3.285"}},
            {"packages": {"inspect_ai": "0.3.290"}},
            "versions.inspect_ai",
            ("0.3.285", "0.3.290"),
        ),
        ({"task": "products"}, {}, "task.task", ("products", "sums")),
        (
            {"dataset": EvalDataset(name="hard sums")},
            {},
            "data.name",
            ("hard sums", "sums"),
        ),
        ({}, {"config": {"token_limit": 100}}, "limits.token_limit", (None, "100")),
        ({"config": {"epochs_reducer": ["mode"]}}, {}, "run.epochs_reducer", None),
        ({"metadata": {"seed": 1}}, {"metadata": {"seed": 2}}, "parameters.seed", None),
        (
            {"metadata": {"prompts": {"judge": "Decide."}}},
            {"metadata": {"prompts": {"judge": "Decide now."}}},
            "prompts.judge",
            ("Decide.", "Decide now."),
        ),
        ({"metadata": {"wave": "first"}}, {}, "metadata.wave", ("first", None)),
        (
            {"model_roles": {"judge": ModelConfig(model="m/j")}},
            {"model_roles": {"judge": [ModelConfig(model=f"m/{n}") for n in "jk"]}},
            "models.judge",
            ("m/j", "m/j, m/k"),
        ),
    ],
)
def test_the_only_thing_that_differs_is_the_factor(
    a: dict[str, Any],
    b: dict[str, Any],
    name: str | None,
    values: tuple[str | None, str | None] | None,
    tmp_path: Path,
) -> None:
    found = parted(tmp_path, a, b)
    assert found.chosen == "It is the only thing that differs."
    assert not found.confounds
    (one,) = found.factor
    assert ".".join(one.fact) == (name or "parameters.cot")
    if values is not None:
        assert one.values == values


def test_the_protocol_is_the_factor_and_all_else_a_confound(tmp_path: Path) -> None:
    def run(protocol: str, **parameters: object) -> dict[str, Any]:
        told = {"protocol": protocol, "parameters": parameters, "version": "1"}
        return {"metadata": told, "steps": {protocol: {"seed": 0, **parameters}}}

    found = parted(
        tmp_path,
        run("debate", rounds=2) | {"task_args": {"protocol": "debate"}},
        run("consultancy") | {"packages": {"inspect_ai": "2"}},
    )
    assert "protocols differ" in found.chosen
    assert said(found) == {
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


@pytest.mark.parametrize(
    ("factor", "says"),
    [
        ("task", "is the same in all arms; what differs: model."),
        ("mood", "is nothing that differs; what differs: model."),
    ],
)
def test_a_factor_that_does_not_differ_is_refused(
    factor: str, says: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as error:
        parted(tmp_path, {}, {"model": "m/two"}, factor=(factor,))
    assert says in error.value.message


def test_what_shapes_no_completion_is_no_difference(tmp_path: Path) -> None:
    found = parted(
        tmp_path,
        {"settings": GenerateConfig(max_connections=5), "config": {"max_samples": 3}},
        {"settings": GenerateConfig(timeout=60), "tags": ["x"], "run_id": "other"},
    )
    assert not said(found)


def test_a_commit_and_a_part_of_the_samples_make_no_other_arm(tmp_path: Path) -> None:
    def of(commit: str) -> EvalRevision:
        return EvalRevision(type="git", origin="o", commit=commit)

    found = parted(
        tmp_path,
        {"revision": of("a" * 40), "config": {"limit": 1}},
        {"revision": of("b" * 40), "config": {"limit": 2}},
        {"revision": of("b" * 40), "model": "m/two"},
    )
    assert said(found) == {
        "models.model": ("m/one", "m/two"),
        "run.limit": ("1 / 2", None),
        "versions.commit": ("a" * 10 + " / " + "b" * 10, "b" * 10),
    }


def test_what_was_served_differs_only_where_the_same_was_asked() -> None:
    first = {Fact(SERVED, "m/one"): "one-may", Fact(SERVED, "m/j"): "j-1"}
    other = {Fact(SERVED, "m/two"): "two-may", Fact(SERVED, "m/j"): "j-2"}
    (found,) = differences([first, other])
    assert found == (Fact(SERVED, "m/j"), ("j-1", "j-2"))


def test_of_three_arms_a_difference_of_two_is_one() -> None:
    one, two = ({Fact("models", "model"): name} for name in ("m", "n"))
    (found,) = differences([one, one, two])
    assert split([found], (), one).factor == [found]
    assert found.values == ("m", "m", "n")


def test_participants_go_before_the_models_of_the_run(tmp_path: Path) -> None:
    """Whether a debater's model was bound to its role or the run's makes no odds."""

    def held() -> list[Any]:
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
        {"samples": held(), "model": "none/none", "model_roles": roles},
        {"samples": held(), "model": "m/one", "task_version": 5},
    )
    assert list(said(found)) == ["versions.task"]


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
    assert not said(parted(tmp_path, {}, {"task_args": given}))


def test_what_is_used_again_and_how_far_is_one(tmp_path: Path) -> None:
    runs = (
        {"reuse": "a.eval", "reuse_until": until} for until in ("answers", "debate")
    )
    found = said(parted(tmp_path, *({"task_args": args} for args in runs)))
    assert found == {"parameters.reuse_until": ("answers", "debate")}
