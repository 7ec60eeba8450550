"""The chapter on judges' probabilities, with numbers worked by hand."""

from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from math import isnan, log, nan
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from inspect_debate.v1.debate.probabilities import JudgedProbability
from inspect_debate.v1.reports.calls import Calls
from inspect_debate.v1.reports.elements import Figure, Table
from inspect_debate.v1.reports.logs import study_logs
from inspect_debate.v1.reports.probabilities import (
    ALONE,
    BELIEFS,
    COMPARED,
    QUALITY,
    ProbabilityRow,
    chapter,
    comparable,
    condition_rows,
)
from inspect_debate.v1.reports.studies import REPORTS, report
from inspect_debate.v1.reports.views import Part, Rows, View
from tests.v1.reports.debate.made_runs import LIMIT, PAIR, A, B, ran
from tests.v1.reports.reported import row

EXAMPLES = Path(__file__).parents[3] / "logs" / "examples"


def given(right: dict[str, float], run: str = "r", **more: Any) -> list[ProbabilityRow]:
    """Both options' rows of a verdict on each question, from that of the right one."""
    usual: dict[str, Any] = {
        **{"run": run, "epoch": 1, "judge": "m/j", "judges": "j", "kind": "verdict"},
        **{"round": 0, "order": "ab", "channel": "Stated"},
    } | more
    return [
        ProbabilityRow(
            id=id,
            question=id.partition("-")[0],
            claim=claim,
            p=p if claim == "A" else 1 - p,
            status=more.get("status", "missing" if isnan(p) else "ok"),
            right=float(claim == "A"),
            **{name: usual[name] for name in usual if name != "status"},
        )
        for id, p in right.items()
        for claim in "AB"
    ]


def rows_of(*found: list[ProbabilityRow], claim: str | None = None) -> pd.DataFrame:
    """Rows of runs, each a condition of its own, which is called as its run."""
    rows = [one for part in found for one in part]
    named = {(one.run, one.id, one.epoch): one.run for one in rows}
    conditions = pd.DataFrame(
        [[*key, name] for key, name in named.items()],
        columns=["run", "id", "epoch", "Condition"],
    )
    return condition_rows(rows, conditions, claim)


def frame_of(
    view: View[pd.DataFrame] | Rows[pd.DataFrame], rows: pd.DataFrame
) -> pd.DataFrame:
    (found,) = view(rows)
    assert isinstance(found, Table)
    return found.frame


FOUR = {"a": 0.9, "b": 0.6, "c": 0.4, "d": nan}


def test_how_good_probabilities_are() -> None:
    """Of the right option .9, .6 and .4; of the wrong one .1, .4 and .6."""
    found = row(frame_of(QUALITY, rows_of(given(FOUR))), Condition="r")
    assert found["Verdicts"] == 3
    assert found["Brier"] == pytest.approx((0.01 + 0.16 + 0.36) / 3)
    assert 0 <= found["Brier low"] < found["Brier"] < found["Brier high"] <= 1
    assert found["Log score"] == pytest.approx(-log(0.9 * 0.6 * 0.4) / 3)
    # Of .9, .6 and .4 against .1, .4 and .6: 3, 2.5 and 1.5 of three each.
    assert found["AUROC"] == pytest.approx(7 / 9)
    # .9 and .1 are off by .1, at .6 and .4 one half is right.
    assert found["ECE"] == pytest.approx((2 * 0.1 + 4 * 0.1) / 6)
    assert found["Reliability"] == pytest.approx(0.01)
    assert found["Resolution"] == pytest.approx(2 * 0.25 / 6)
    assert (found["Uncertainty"], found["Within bins"]) == pytest.approx((0.25, 0))
    assert found["Sharpness"] == pytest.approx((0.16 + 0.01 + 0.01) / 3)
    assert found["Not given"] == pytest.approx(1 / 4)
    assert 0 < found["ECE if calibrated low"] <= found["ECE if calibrated high"] < 0.6


def test_one_option_has_the_same_scores() -> None:
    """Mirror images count once, and add nothing to what is known.

    ECE is that of the option that has the higher probability.
    """
    both = row(frame_of(QUALITY, rows_of(given(FOUR))), Condition="r")
    right = row(frame_of(QUALITY, rows_of(given(FOUR), claim="A")), Condition="r")
    likelier = rows_of(given(FOUR))
    top = likelier[likelier["p"] > 0.5]
    one = row(frame_of(QUALITY, top), Condition="r")
    for name in ("Verdicts", "Brier", "Brier low", "Brier high", "Log score"):
        assert right[name] == pytest.approx(both[name]), name
        assert one[name] == pytest.approx(both[name]), name
    assert one["ECE"] == pytest.approx(both["ECE"])
    assert isnan(right["AUROC"])  # nothing is wrong


def test_channels_and_places_stay_apart_and_the_last_round_counts() -> None:
    early = given(dict.fromkeys("abc", 0.1), round=1)
    late = given(dict.fromkeys("abc", 0.8), round=3)
    token = given(dict.fromkeys("abc", 0.7), channel="Token, after reasons")
    before = given(dict.fromkeys("abc", 0.6), channel="Token, before reasons")
    found = frame_of(QUALITY, rows_of(token, early, before, late))
    assert list(found["Channel"]) == [
        *("Stated", "Token, before reasons", "Token, after reasons"),
    ]
    assert list(found["Brier"]) == pytest.approx([0.04, 0.16, 0.09])
    assert list(found["Verdicts"]) == [3, 3, 3]


def test_reasons() -> None:
    of = [
        given({"a": 0.9}),
        *(given({id: nan}, status=why) for id, why in zip("bcd", REFUSED, strict=True)),
    ]
    found = row(frame_of(QUALITY, rows_of(*of)), Condition="r")
    for title in ("Refused", "Invalid", "No verdict"):
        assert found[title] == pytest.approx(1 / 4)
    assert found["Verdicts"] == 1
    assert "Not given" not in found


REFUSED = ("refused", "invalid", "no_answer")


def test_a_panel_is_pooled_beside_its_judges() -> None:
    three = {"m/j": (0.9, 0.5, nan), "m/k": (0.6, 0.3, 0.2), "m/l": (0.3, 0.1, nan)}
    found = frame_of(
        QUALITY,
        rows_of(
            *(
                given(dict(zip("abc", p, strict=True)), judge=judge, judges="j, k, l")
                for judge, p in three.items()
            )
        ),
    )
    assert list(found["Judge"]) == [*three, "Mean of j, k, l", "Median of j, k, l"]
    assert list(found["Verdicts"]) == [2, 3, 2, 2, 2]
    # One judge alone is no panel.
    mean, median = found["Brier"].iloc[3:]
    assert mean == pytest.approx((0.4**2 + 0.7**2) / 2)
    assert median == pytest.approx((0.4**2 + 0.7**2) / 2)
    assert list(found["Not given"].iloc[3:]) == pytest.approx([1 / 3] * 2)
    two = rows_of(
        given({"a": 0.9}, judges="j, k"), given({"a": 0.8}, judge="m/k", judges="j, k")
    )
    pooled = two[two["pooled"]]
    assert set(pooled["judge"]) == {"Mean of j, k"}
    assert list(pooled["p"]) == pytest.approx([0.85, 0.15])


# Two conditions.


def test_conditions_on_the_same_questions() -> None:
    """The later one less the first, on the questions of both."""
    one = given({"a": 0.5, "b": 0.6, "c": 0.7, "d": 0.8}, "one")
    two = given({"a": 0.6, "b": 0.8, "c": 0.9, "x": 0.1}, "two")
    other = given(dict.fromkeys("abcd", 0.9), "two", channel="Sampled")
    found = row(frame_of(COMPARED, rows_of(one, two, other)), Channel="Stated")
    assert found["Compared"] == "two − one"
    assert found["Groups"] == 3
    expected = (0.16 - 0.25 + 0.04 - 0.16 + 0.01 - 0.09) / 3
    assert found["Brier"] == pytest.approx(expected)
    assert found["Brier low"] < expected < found["Brier high"]
    assert found["Log score"] == pytest.approx(-log(1.2 * 0.8 / 0.6 * 0.9 / 0.7) / 3)
    # Of .5 against .5, .4 and .3, and so on; of two all are above.
    assert found["AUROC"] == pytest.approx(1 - 8.5 / 9)
    # All three questions moved the same way: two of eight signs.
    assert found["Brier, p (Holm)"] == pytest.approx(0.25)


def test_no_comparison_of_other_judges_channels_or_questions() -> None:
    one = given(dict.fromkeys("abc", 0.5), "one")
    for other in (
        given(dict.fromkeys("abc", 0.6), "two", judge="m/k"),
        given(dict.fromkeys("abc", 0.6), "two", channel="Sampled"),
        given(dict.fromkeys("abxyz", 0.6), "two"),
    ):
        assert not list(COMPARED(rows_of(one, other)))


# Beliefs.

STEPS = {ALONE: (0.5, 0.5), 0: (0.5, 0.6), 1: (0.7, 0.5), 2: (0.73, nan)}


def beliefs() -> Iterator[list[ProbabilityRow]]:
    for number, p in STEPS.items():
        right = dict(zip("ab", p, strict=True))
        yield given(right, kind="belief", round=number, order="")


def test_beliefs_from_round_to_round() -> None:
    found = frame_of(BELIEFS, rows_of(*beliefs()))
    assert list(found["After"]) == [
        *("the question alone", "the openings", "round 1", "round 2"),
    ]
    assert list(found["Beliefs"]) == [2, 2, 2, 1]
    assert list(found["Given to the truth"]) == pytest.approx([0.5, 0.55, 0.6, 0.73])
    assert list(found["Change"]) == pytest.approx([nan, 0.05, 0.05, 0.03], nan_ok=True)
    assert list(found["Towards"]) == pytest.approx([nan, 0.5, 0.5, 0], nan_ok=True)
    assert list(found["Away"]) == pytest.approx([nan, 0, 0.5, 0], nan_ok=True)


def said(kind: str, among: int, **more: Any) -> JudgedProbability:
    plain = JudgedProbability(
        "judge", kind, 1, False, "ab", "stated", None, "A", among, 0.6, "ok"
    )
    return plain._replace(**more)


ALL_FOUR = said("belief", 4, alone=True, round=0, channel="token")


@pytest.mark.parametrize(
    ("found", "kept"),
    [
        ([said("verdict", 2), said("second_verdict", 2)], [0]),
        ([said("belief", 2, alone=True, round=0), said("belief", 2)], [0, 1]),
        # A debate that was not held, and one on two answers of four.
        ([said("belief", 2, alone=True, round=0)], []),
        ([ALL_FOUR, said("belief", 2)], [1]),
        # A consultancy, in which all four may be right.
        ([ALL_FOUR, said("belief", 4, channel="token")], [0, 1]),
        ([said("belief", 1), said("verdict", 1)], [0, 1]),
    ],
)
def test_what_can_be_put_side_by_side(
    found: list[JudgedProbability], kept: list[int]
) -> None:
    assert comparable(found) == [found[n] for n in kept]


def test_beliefs_stay_with_their_judge() -> None:
    other = given({"a": 0.1}, kind="belief", round=1, judge="m/k")
    sooner = given({"a": 0.3}, kind="belief", round=0, judge="m/k")
    found = frame_of(BELIEFS, rows_of(*beliefs(), other, sooner))
    assert list(found["Judge"]) == ["m/j"] * 4 + ["m/k"] * 2
    assert list(found["Change"])[4:] == pytest.approx([nan, -0.2], nan_ok=True)


def test_beliefs_are_no_verdicts() -> None:
    assert not list(QUALITY(rows_of(*beliefs())))
    figures = [one for one in _items(rows_of(*beliefs())) if isinstance(one, Figure)]
    assert [one.name for one in figures] == ["figure_beliefs"]
    assert not list(BELIEFS(rows_of(given(FOUR))))


def test_the_right_option_counts_in_beliefs_if_verdicts_are_about_one_claim() -> None:
    rows = rows_of(*beliefs(), claim="B")
    assert list(frame_of(BELIEFS, rows)["Given to the truth"])[:2] == (
        pytest.approx([0.5, 0.55])
    )


# The chapter.


WHOLE: Part[pd.DataFrame] = chapter(lambda rows: rows)


def _items(rows: pd.DataFrame) -> list[Any]:
    return list(WHOLE.section(rows).items)


def test_the_chapter() -> None:
    probabilities = given(FOUR, "one"), given(FOUR | {"d": 0.2}, "two")
    assert [one.name for one in _items(rows_of(*probabilities))] == [
        *("probabilities", "figure_probabilities", "probabilities_compared"),
    ]


def test_no_chapter_without_probabilities_or_the_truth() -> None:
    unknown = [one._replace(right=nan) for one in given(FOUR)]
    for rows in (given({}), given({"a": nan}), unknown):
        section = WHOLE.section(rows_of(rows))
        assert (section.items, section.text) == ([], "")


def test_logs_without_probabilities() -> None:
    made = report("debate", [EXAMPLES / "debate.eval"])
    assert not [s for s in made.sections if s.title == "Judges' probabilities"]
    assert not [one for one in made.tables() if "probabilities" in one.name]


def with_calls(data: Any, calls: Calls) -> Any:
    if isinstance(data, tuple):
        return type(data)(*(calls if isinstance(v, Calls) else v for v in data))
    return replace(data, calls=calls)


@pytest.mark.parametrize(
    ("study", "claim", "condition"),
    [
        ("debate", "A", "copmad"),
        ("judge_check", "error", "reading_judge/obedient"),
    ],
)
def test_each_report_names_its_conditions(
    study: str, claim: str, condition: str
) -> None:
    """Had the judges of the example said .8, wherever that is right."""
    module, name = REPORTS[study]
    declared = getattr(import_module(f"inspect_debate.v1.reports.{module}"), name)
    logs = study_logs([EXAMPLES / f"{study}.eval"], study)
    data = declared.read(logs)
    stated = [
        one._replace(claim=claim)
        for one in given(
            {str(s.id): 0.8 for s in logs[0].summaries}, logs[0].header.eval.eval_id
        )
        if one.claim == "A"
    ]
    calls = data.calls._replace(probabilities=stated)
    (table,) = (
        table
        for table in declared.of(with_calls(data, calls)).tables()
        if table.name == "probabilities"
    )
    assert [*table.frame["Condition"]] == [condition]
    assert table.frame["Brier"].iloc[0] == pytest.approx(0.04)


# From a run to the report.

ASKED = {
    "config.verdict.probability": "both",
    "config.verdict.samples": 2,
}


@pytest.mark.slow
def test_a_run_of_simulated_judges(tmp_path: Path) -> None:
    """All channels of two judges of four debates, with a run without a debate."""
    roles: dict[str, Any] = {**PAIR, "judge": [A, B]}
    ran(tmp_path, "copmad", roles, rounds=1, **ASKED)
    ran(tmp_path, "judge_alone", {"judge": A}, **ASKED)
    tables = {table.name: table.frame for table in report("debate", tmp_path).tables()}
    rows = tables["probabilities"]
    channels = {"Stated", "Token, after reasons", "Sampled"}
    for judge in (A, B, "Mean of balanced, hesitant"):
        found = rows[(rows["Condition"] == "copmad") & (rows["Judge"] == judge)]
        assert {*found["Channel"]} == channels
        assert {*found["Verdicts"]} == {LIMIT}
    compared = tables["probabilities_compared"]
    assert {*compared["Compared"]} == {"copmad − judge_alone"}
    assert {*compared["Judge"]} == {A}
