from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from inspect_debate.debate.prompts import load_prompts
from inspect_debate.evals.colmad import colmad
from inspect_debate.reports.colmad.conditions import (
    PUBLISHED,
    VERSIONS,
    Condition,
    study_conditions,
)
from inspect_debate.reports.conditions import Grouped, flat
from tests.reports.made_scores import condition, rows, scores
from tests.support.runs import run as run_task

A, B, J = "provider/a", "provider/b", "provider/j"


def run(
    label: str,
    protocol: str,
    *people: str | None,
    settings: dict[str, Any] | None = None,
    prompts: str | None = None,
    seed: int | None = None,
    version: str = VERSIONS[-1],
    grader: str | None = None,
    **parameters: Any,
) -> pd.DataFrame:
    """A condition's rows, values under their scorers' names."""
    made = scores({"x": (1, 1)}).rename(columns={"gold": "error_detection.gold"})
    names = ("debater_a", "debater_b", "judge")
    models = dict(zip(names, (*people, None, None, None), strict=False))
    return made.assign(
        condition=label, protocol=protocol, parameters=pd.Series([parameters]), **models
    ).assign(
        **{"debate_process.gold": 5.0, "debate_process.reasks": 2.0},
        settings=pd.Series([settings or {}]),
        prompts=prompts,
        seed=seed,
        task_version=version,
        grader=grader,
    )


def named(*runs: pd.DataFrame) -> list[Condition]:
    return study_conditions(Grouped(pd.concat(runs), pd.DataFrame(), pd.DataFrame()))


DEBATE: dict[str, Any] = {
    "rounds": 2,
    "skip_if_agree": True,
    "order": "ab",
    "turn_order": "simultaneous",
}


@pytest.mark.parametrize(
    ("protocol", "people", "parameters", "name"),
    [
        ("single", (A,), {}, "Single agent (a)"),
        ("judge_alone", (None, None, J), {"order": "ab"}, "Judge alone (j)"),
        ("ensemble", (A, B), {}, "Ensemble (a + b)"),
        ("som", (A, B), {"rounds": 1}, "Society of Minds (a + b)"),
        ("som", (A, B), {"rounds": 3}, "Society of Minds, 3 rounds (a + b)"),
        ("colmad", (A, B, A), {}, "ColMAD (a + b)"),
        ("colmad", (A, B, J), {}, "ColMAD, judged by j (a + b)"),
        ("colmad", (A, B, f"{A}, {J}"), {}, "ColMAD, judged by a, j (a + b)"),
        ("colmad", (A, B, A), {"rounds": 0}, "ColMAD, 0 rounds (a + b)"),
        ("colmad", (A, B, A), {"rounds": 1}, "ColMAD, 1 round (a + b)"),
        ("colmad", (A, B, A), {"order": "both"}, "ColMAD, both orders (a + b)"),
        (
            "colmad",
            (A, B, A),
            {"skip_if_agree": False},
            "ColMAD, no skip on agreement (a + b)",
        ),
        (
            *("copmad", (A, B, A)),
            {"skip_if_agree": False, "show_openings": False},
            "CopMAD (a + b)",
        ),
        (
            *("copmad", (A, B, A)),
            {"show_openings": False},
            "CopMAD, skip on agreement (a + b)",
        ),
    ],
)
def test_a_name_says_what_differs_from_the_paper(
    protocol: str, people: tuple[str | None, ...], parameters: Any, name: str
) -> None:
    given = DEBATE | parameters if protocol in ("colmad", "copmad") else parameters
    (found,) = named(run("condition", protocol, *people, **given))
    assert found.name == name
    assert found.as_published == (
        found.details in ("", "judged by j", "judged by a, j")
    )


@pytest.mark.parametrize("protocol", list(PUBLISHED))
def test_what_a_name_leaves_out_is_the_default_of_the_task(
    protocol: Any, tmp_path: Path
) -> None:
    given: dict[str, Any] = {"protocol": protocol, "source": "sample"}
    if protocol == "placebo":  # which needs a log of debates
        debates = run_task(colmad(source="sample"), tmp_path, limit=2)
        given["reuse"] = debates.location
    metadata = colmad(**given).metadata or {}
    given = dict(flat(metadata["parameters"]))
    of_the_run = ("reuse", "reuse_until", "debates")
    assert {k: v for k, v in given.items() if k not in of_the_run} == dict(
        PUBLISHED[protocol]
    )
    assert metadata["task_version"] == VERSIONS[-1]


@pytest.mark.parametrize(
    ("parameters", "details"),
    [
        ({"show_openings": False}, "show_openings=false"),
        ({"judge_sees_problem": False}, "judge_sees_problem=false"),
        ({"word_limit": 50}, "word_limit=50"),
        ({"turn_order": "sequential"}, "turn_order=sequential"),
        ({"max_reasks": 0}, "max_reasks=0"),
        ({"speech": {"temperature": 1.0}}, "speech temperature 1.0"),
        ({"settings": {"temperature": 1.0}}, "temperature 1.0"),
        ({"settings": {"judge.temperature": 1.0}}, "judge temperature 1.0"),
        ({"settings": {"seed": 3}}, "model seed 3"),
        ({"prompts": "1a2b3c"}, "own prompts"),
        ({"version": "0-A"}, "version 0-A"),
    ],
)
def test_what_deviates_is_named_alone_and_beside_a_default_run(
    parameters: dict[str, Any], details: str
) -> None:
    published: dict[str, Any] = dict(PUBLISHED["colmad"])
    default = run(
        *("default", "colmad", A, B, A),
        prompts=load_prompts("colmad").used().hash,
        **published,
    )
    other = run("other", "colmad", A, B, A, **DEBATE | parameters)
    (alone,) = named(other)
    assert (alone.details, alone.as_published) == (details, False)
    for runs in ([default, other], [other, default]):
        titles = {one.label: one.title for one in named(*runs)}
        assert titles == {"default": "ColMAD", "other": f"ColMAD, {details}"}
    assert [one.as_published for one in named(default)] == [True]


def test_several_prompts_of_ones_own_have_names_of_their_own() -> None:
    first, second = "1a2b3c", "9d8e7f"
    found = named(
        run("1", "colmad", A, B, A, prompts=first, **DEBATE),
        run("2", "copmad", A, B, A, prompts=first, **DEBATE),
        run("3", "colmad", A, B, A, prompts=second, **DEBATE),
        run("4", "colmad", A, B, A, prompts=first, version="0-A", **DEBATE),
        run("5", "colmad", A, B, A, prompts=second, version="0-A", **DEBATE),
    )
    assert {one.label: one.details for one in found} == {
        "1": "own prompts 1a2b",
        "2": "skip on agreement, own prompts 1a2b",
        "3": "own prompts 9d8e",
        "4": "version 0-A, prompts 1a2b",
        "5": "version 0-A, prompts 9d8e",
    }


def test_conditions_that_differ_in_the_seed_alone_say_so() -> None:
    found = named(
        run("1", "colmad", A, B, A, seed=1, **DEBATE),
        run("0", "colmad", A, B, A, seed=0, **DEBATE),
        run("none", "single", A),
    )
    assert {one.label: one.title for one in found} == {
        "1": "ColMAD, seed 1",
        "0": "ColMAD",
        "none": "Single agent",
    }
    assert all(one.as_published for one in found)


@pytest.mark.parametrize(
    "other", [{"prompts": "1a2b"}, {"seed": 1}, {"version": "0-A"}]
)
def test_other_prompts_seeds_and_versions_are_no_equal_conditions(
    other: dict[str, Any],
) -> None:
    copmad = run("1", "copmad", A, B, A, **DEBATE)
    same = named(copmad, run("2", "colmad", A, B, A, **DEBATE))
    changed = named(copmad, run("2", "colmad", A, B, A, **DEBATE, **other))
    assert rows(*same, of="comparisons_f")
    assert not rows(*changed, of="comparisons_f")


def test_models_of_one_short_name_are_called_by_their_full_names() -> None:
    found = named(
        run("1", "colmad", "openai/x", "azure/x", "azure/x, provider/j", **DEBATE),
        run("2", "single", "openai/x"),
        run("3", "single", A),
    )
    assert {one.label: one.name for one in found} == {
        "1": "ColMAD, judged by azure/x, j (openai/x + azure/x)",
        "2": "Single agent (openai/x)",
        "3": "Single agent (a)",
    }


def test_whence_first_answers_came_is_no_part_of_the_condition() -> None:
    found = named(
        run("1", "colmad", A, B, A, **DEBATE, reuse=None),
        run("2", "colmad", A, B, A, **DEBATE, reuse="some.eval"),
    )
    assert [one.name for one in found] == ["ColMAD (a + b)", "ColMAD, run 2 (a + b)"]
    assert found[0].shape == found[1].shape


def test_conditions_that_differ_in_the_grader_alone_say_so() -> None:
    found = named(
        run("1", "colmad", A, B, A, **DEBATE, grader="provider/g"),
        run("2", "colmad", A, B, A, **DEBATE, grader=None),
        run("3", "colmad", A, B, A, **DEBATE, grader="provider/h"),
    )
    assert [one.name for one in found] == [
        "ColMAD (a + b)",
        "ColMAD, not graded (a + b)",
        "ColMAD, graded by h (a + b)",
    ]


def test_conditions_are_in_the_order_of_the_study() -> None:
    found = named(
        run("1", "colmad", A, B, A, **DEBATE),
        run("2", "colmad", A, B, A, **DEBATE | {"rounds": 0}),
        run("3", "copmad", A, B, A, **DEBATE),
        run("4", "single", B),
        run("5", "single", A),
    )
    assert [one.name for one in found] == [
        "Single agent (a)",
        "Single agent (b)",
        "CopMAD, skip on agreement (a + b)",
        "ColMAD, 0 rounds (a + b)",
        "ColMAD (a + b)",
    ]


def test_values_of_scores_are_under_their_own_names() -> None:
    (found,) = named(run("1", "single", A))
    # What both scorers have comes from the first.
    assert found.samples["gold"].item() == 1
    assert found.samples["reasks"].item() == 2
    assert not [column for column in found.samples if "." in str(column)]


def test_unscored_samples_are_in_the_samples_only() -> None:
    made = condition(
        "single", scores({"x": (1, 1), "y": (1, 1)}, scored=[True, False]), A
    )
    assert list(made.rows["id"]) == ["x"]
    assert len(made.samples) == 2


def test_settings_of_models_are_named_also_where_all_conditions_have_them() -> None:
    found = named(
        run("1", "single", A, settings={"max_tokens": 9}),
        run("2", "single", A, settings={"max_tokens": 9, "temperature": 0.7}),
        run("3", "single", A, settings={"max_tokens": 9, "debater_a.seed": 2}),
        run("4", "single", A, settings={"max_tokens": 9}, answer={"top_p": 0.5}),
    )
    assert {one.label: one.name for one in found} == {
        "1": "Single agent, max_tokens 9 (a)",
        "2": "Single agent, max_tokens 9, temperature 0.7 (a)",
        "3": "Single agent, max_tokens 9, debater_a seed 2 (a)",
        "4": "Single agent, answer top_p 0.5, max_tokens 9 (a)",
    }


def test_self_consistency_says_how_many_answers() -> None:
    matched = {"run": "x", "unit": "calls", "per_debate": 7.0, "per_answer": 1.0}
    found = named(
        run("1", "self_consistency", A, n=7, matched=matched),
        run("2", "self_consistency", A, n=5),
    )
    assert {one.label: one.title for one in found} == {
        "1": "Self-consistency, 7 answers, matched in calls",
        "2": "Self-consistency, 5 answers",
    }


def test_conditions_of_other_settings_are_no_variants_of_one_debate() -> None:
    a, b = named(
        run("1", "colmad", A, B, A, **DEBATE),
        run("2", "colmad", A, B, A, settings={"temperature": 0.7}, **DEBATE),
    )
    assert a.shape != b.shape
