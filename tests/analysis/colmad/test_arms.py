from typing import Any

import pandas as pd
import pytest

from inspect_debate.analysis.arms import Arms
from inspect_debate.analysis.colmad.arms import Arm, study_arms
from tests.analysis.made_scores import arm, scores

A, B, J = "provider/a", "provider/b", "provider/j"


def run(
    label: str,
    protocol: str,
    *people: str | None,
    settings: dict[str, Any] | None = None,
    **parameters: Any,
) -> pd.DataFrame:
    """An arm's rows as `arms` gives them, with names of scorers before the values."""
    made = scores({"x": (1, 1)}).rename(columns={"gold": "error_detection.gold"})
    names = ("debater_a", "debater_b", "judge")
    models = dict(zip(names, (*people, None, None, None), strict=False))
    return made.assign(
        arm=label, protocol=protocol, parameters=pd.Series([parameters]), **models
    ).assign(
        **{"debate_process.gold": 5.0, "debate_process.reasks": 2.0},
        settings=pd.Series([settings or {}]),
    )


def named(*runs: pd.DataFrame) -> list[Arm]:
    return study_arms(Arms(pd.concat(runs), pd.DataFrame(), pd.DataFrame()))


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
        ("colmad", (A, B, A), {"skip_if_agree": False}, "ColMAD, no short-cut (a + b)"),
        ("copmad", (A, B, A), {"skip_if_agree": False}, "CopMAD (a + b)"),
        ("copmad", (A, B, A), {}, "CopMAD, short-cut (a + b)"),
    ],
)
def test_a_name_says_what_differs_from_the_paper(
    protocol: str, people: tuple[str | None, ...], parameters: Any, name: str
) -> None:
    given = DEBATE | parameters if protocol in ("colmad", "copmad") else parameters
    (found,) = named(run("arm", protocol, *people, **given))
    assert found.name == name
    assert found.as_published == (
        found.details in ("", "judged by j", "judged by a, j")
    )


def test_other_parameters_are_named_where_arms_differ_in_them() -> None:
    found = named(
        run("1", "colmad", A, B, A, **DEBATE, word_limit=300, parser="x"),
        run("2", "colmad", A, B, A, **DEBATE, word_limit=100, parser="x"),
    )
    names = sorted(arm.name for arm in found)
    assert names == ["ColMAD, word_limit=100 (a + b)", "ColMAD, word_limit=300 (a + b)"]


def test_whence_first_answers_came_is_no_part_of_the_condition() -> None:
    found = named(
        run("1", "colmad", A, B, A, **DEBATE, reuse=None),
        run("2", "colmad", A, B, A, **DEBATE, reuse="some.eval"),
    )
    assert [arm.name for arm in found] == ["ColMAD (a + b)", "ColMAD, run 2 (a + b)"]
    assert found[0].condition == found[1].condition


def test_arms_are_in_the_order_of_the_study() -> None:
    found = named(
        run("1", "colmad", A, B, A, **DEBATE),
        run("2", "colmad", A, B, A, **DEBATE | {"rounds": 0}),
        run("3", "copmad", A, B, A, **DEBATE),
        run("4", "single", B),
        run("5", "single", A),
    )
    assert [arm.name for arm in found] == [
        "Single agent (a)",
        "Single agent (b)",
        "CopMAD, short-cut (a + b)",
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
    made = arm("single", scores({"x": (1, 1), "y": (1, 1)}, scored=[True, False]), A)
    assert list(made.rows["id"]) == ["x"]
    assert len(made.samples) == 2


def test_settings_of_models_are_named_where_arms_differ_in_them() -> None:
    found = named(
        run("1", "single", A, settings={"max_tokens": 9}),
        run("2", "single", A, settings={"max_tokens": 9, "temperature": 0.7}),
        run("3", "single", A, settings={"max_tokens": 9, "debater_a.seed": 2}),
        run("4", "single", A, settings={"max_tokens": 9}, answer={"top_p": 0.5}),
    )
    assert {arm.label: arm.name for arm in found} == {
        "1": "Single agent (a)",
        "2": "Single agent, temperature 0.7 (a)",
        "3": "Single agent, debater_a seed 2 (a)",
        "4": "Single agent, answer top_p 0.5 (a)",
    }


def test_self_consistency_says_how_many_answers() -> None:
    matched = {"run": "x", "unit": "calls", "per_debate": 7.0, "per_answer": 1.0}
    found = named(
        run("1", "self_consistency", A, n=7, matched=matched),
        run("2", "self_consistency", A, n=5),
    )
    assert {arm.label: arm.title for arm in found} == {
        "1": "Self-consistency, 7 answers, matched in calls",
        "2": "Self-consistency, 5 answers",
    }


def test_arms_of_other_settings_are_no_variants_of_one_debate() -> None:
    a, b = named(
        run("1", "colmad", A, B, A, **DEBATE),
        run("2", "colmad", A, B, A, settings={"temperature": 0.7}, **DEBATE),
    )
    assert a.condition != b.condition
