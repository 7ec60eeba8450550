"""Verdicts of logs, and judges by debates."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pandas as pd
import pytest
from inspect_ai import Task

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.confidence import confidence
from inspect_debate.evals.debate import debate
from inspect_debate.evals.generative import generative
from inspect_debate.evals.srdcr import srdcr
from inspect_debate.metrics.intervals import proportion_interval
from inspect_debate.reports.debates import read_debates
from inspect_debate.reports.elements import Table
from inspect_debate.reports.judges.matrix import (
    JUDGEMENT,
    judge_items,
    judge_matrix,
    judgements,
    panel_figures,
    panels,
    right_counts,
)
from inspect_debate.reports.judges.verdicts import COLUMNS, verdict_frame, verdicts_df
from inspect_debate.reports.tables import csv_text, laid_out
from tests.reports.judges.made import judging, three, verdicts
from tests.reports.made_logs import failing, foreign, logged, panel, single
from tests.support.runs import run, samples, values


def cells(frame: pd.DataFrame) -> dict[str, list[object]]:
    """A matrix by judge, in the order of the debates."""
    plain = frame.sort_index()
    return {
        str(judge): [None if pd.isna(cell) else cell for cell in plain[judge]]
        for judge in plain
    }


def test_a_matrix_has_a_row_per_debate_and_the_best_judge_first() -> None:
    found = judge_matrix(three())
    assert list(found.index.names) == ["panel", "id", "epoch", "debate"]
    assert list(found.columns) == ["sure", "some", "half"]
    assert cells(found) == {
        "sure": [1, 1, 1, 1],
        "some": [1, None, None, 1],
        "half": [1, 1, 0, 0],
    }


def test_a_matrix_has_what_is_asked_for() -> None:
    assert cells(judge_matrix(three(), "answer"))["some"] == ["A", None, None, "B"]
    statuses = cells(judge_matrix(three(), "status"))["some"]
    assert statuses == ["ok", "unparsed", None, "ok"]
    with pytest.raises(InputError, match=r"value.*right, answer, status"):
        judge_matrix(three(), "colour")


@pytest.mark.parametrize(
    ("ab", "ba", "answer", "status"),
    [
        ("A", "A", "A", "ok"),
        ("A", "B", None, "tied"),
        ("A", "?", "A", "ok"),
        ("?", "B", "B", "ok"),
        ("?", "?", None, "unparsed"),
    ],
)
def test_both_orders_are_one_answer(
    ab: str, ba: str, answer: str | None, status: str
) -> None:
    made = verdicts(
        judging("judge", f"{ab}---", order="ab"),
        judging("judge", f"{ba}---", order="ba"),
    )
    assert list(judgements(made)["status"]) == [status]
    assert cells(judge_matrix(made, "answer"))["judge"] == [answer]
    right = None if answer is None else float(answer == "A")
    assert cells(judge_matrix(made))["judge"] == [right]


def test_the_last_round_counts() -> None:
    made = verdicts(
        judging("judge", "A---", round=0),
        judging("judge", "A---", round=1),
        judging("judge", "B---", round=2),
    )
    assert list(judgements(made)["answer"]) == ["B"]


def test_judges_of_runs_that_share_debates_are_a_panel() -> None:
    made = verdicts(
        judging("one", "AB--", run="first"),
        judging("other", "-BA-", run="second"),  # shares the second debate
        judging("third", "---B", run="third"),
        judging("fourth", "A---", run="fourth", debate="another on the same question"),
        judging("fifth", "A---", run="fifth", epoch=2),
    )
    assert [panel.judges for panel in panels(made)] == [
        ["one", "other"],
        ["third"],
        ["fourth"],
        ["fifth"],
    ]
    assert judge_matrix(made).index.get_level_values("panel").tolist() == [
        *(1, 1, 1, 2, 3, 4)
    ]


def test_parts_of_a_run_in_several_logs_are_a_panel() -> None:
    made = verdicts(
        judging("one", "A---", run="shard 1", condition="c"),
        judging("one", "-BA-", run="shard 2", condition="c"),
        judging("two", "A---", run="reused", condition="d"),
        judging("one", "---B", run="other", condition="e"),
        judging("one", "AB--", run="again", condition="c", debate="another"),
    )
    assert [panel.judges for panel in panels(made)] == [
        ["one", "two"],
        ["one"],
        ["one"],
    ]
    (first, other, again) = (panel.matrix() for panel in panels(made))
    assert cells(first) == {"one": [1, 1, 1], "two": [1, None, None]}
    assert (len(other), len(again)) == (1, 2)


def test_panels_have_the_order_of_the_logs() -> None:
    made = verdicts(
        judging("late", "A---", run="b", debate="x"),
        judging("early", "A---", run="a", debate="y"),
    )
    assert [panel.judges for panel in panels(made)] == [["late"], ["early"]]


def test_one_model_asked_in_two_ways_is_two_judges() -> None:
    made = verdicts(
        judging("m", "ABAB", run="a", parameters={"order": "ab", "reuse": None}),
        judging("m", "ABAB", run="b", parameters={"order": "ba", "reuse": "a.eval"}),
        judging("n", "ABAB", run="c", settings={"temperature": 0.5}),
    )
    (panel,) = panels(made)
    assert panel.judges == ["m order=ab", "m order=ba", "n"]


def test_judges_differ_by_their_settings() -> None:
    made = verdicts(
        judging("m", "AB--", settings={"temperature": 0.0}),
        judging("m", "AB--", judge="judge_2", settings={"temperature": 1.0}),
    )
    assert panels(made)[0].judges == [
        "m verdict.temperature=0.0",
        "m verdict.temperature=1.0",
    ]


def test_one_model_asked_again_in_the_same_way_is_numbered() -> None:
    made = verdicts(
        judging("m", "ABAB", judge="judge_1"),
        judging("m", "ABAA", judge="judge_2"),
        judging("m", "A---", judge="judge", run="later"),
    )
    assert cells(judge_matrix(made, "answer")) == {
        "m": ["A", "B", "A", "B"],
        "m (2)": ["A", "B", "A", "A"],
        "m (3)": ["A", None, None, None],
    }


def test_a_model_that_judged_the_rest_later_is_the_same_judge() -> None:
    made = verdicts(
        judging("m", "AB--", run="first"),
        judging("m", "--AB", run="second"),
        judging("n", "ABAB", run="third"),
    )
    assert cells(judge_matrix(made, "answer"))["m"] == ["A", "B", "A", "B"]


def test_without_verdicts_there_is_no_matrix() -> None:
    none = verdict_frame([])
    assert panels(none) == []
    assert judge_matrix(none).empty
    assert list(judgements(none).columns) == list(JUDGEMENT)


# Worked by hand: three judges of four debates (`made.three`).


PANELS = panels(three())


def tables(made: pd.DataFrame) -> dict[str, Table]:
    """The tables of some verdicts, by name."""
    judged = {f"debates {panel.number}": panel for panel in panels(made)}
    return {item.name: item for item in judge_items(judged) if isinstance(item, Table)}


def rows(made: pd.DataFrame, name: str) -> list[dict[str, Any]]:
    """The rows of one of them."""
    table = tables(made)[name]
    assert laid_out(table).bodies
    return [
        {str(k): v for k, v in row.items()} for row in table.frame.to_dict("records")
    ]


def test_judges_by_themselves() -> None:
    sure, some, half = rows(three(), "judges")
    assert [of["Accuracy"] for of in (sure, some, half)] == [1, 1, 0.5]
    assert (half["Accuracy low"], half["Accuracy high"]) == pytest.approx(
        proportion_interval(2, 4)
    )
    assert [of["Debates"] for of in (sure, some, half)] == [4, 3, 4]
    assert [of["Unreadable"] for of in (sure, some, half)] == [0, 1 / 3, 0]
    # For A, which is what is shown first: of two readable verdicts one.
    assert [of["For the first"] for of in (sure, some, half)] == [0.5, 0.5, 0.5]
    # Right is first on the first debate, of the three that it judged.
    assert some["Right is first"] == pytest.approx(1 / 3)
    assert not {"Refused", "Both orders agree"} & sure.keys()


def test_epochs_of_a_sample_are_one_observation() -> None:
    twice = verdicts(judging("judge", "ABBA"), judging("judge", "ABBA", epoch=2))
    (row,) = rows(twice, "judges")
    assert (row["Accuracy low"], row["Accuracy high"]) == pytest.approx(
        proportion_interval(2, 4), abs=1e-3
    )


def test_both_orders_of_a_judge() -> None:
    made = verdicts(judging("m", "ABA?", order="ab"), judging("m", "ABBB", order="ba"))
    (row,) = rows(made, "judges")
    assert row["Both orders agree"] == pytest.approx(2 / 3)
    assert row["Orders differ"] == 1 / 4
    assert (row["Debates"], row["Verdicts"], row["Accuracy"]) == (4, 8, 1)


def test_pairs_of_judges() -> None:
    found = {
        (r["Judge"], r["Other judge"]): (
            *(r["Debates"], r["Agreement"], r["Kappa"], r["Only one right"]),
        )
        for r in rows(three(), "judge_pairs")
    }
    assert found == {
        ("sure", "some"): (2, 1, 1, 0),
        ("sure", "half"): (4, 0.5, 0, 0.5),
        ("some", "half"): (2, 0.5, 0, 0.5),
    }


def test_how_many_were_right() -> None:
    # All three answered the first and the last debate.
    found = tables(three())["judges_right"].frame
    assert list(found["Judges right"]) == ["0 of 3", "1 of 3", "2 of 3", "3 of 3"]
    assert list(found["Debates"]) == [0, 0, 1, 1]
    assert list(found["If independent"]) == [0, 0, 0.5, 0.5]


def test_judges_that_err_together_are_seen() -> None:
    (panel,) = panels(verdicts(judging("one", "ABBA"), judging("other", "ABBA")))
    found = right_counts(panel)
    assert list(found["Share"]) == [0.5, 0, 0.5]
    assert list(found["If independent"]) == [0.25, 0.5, 0.25]


def test_the_matrix_in_words_has_debates_by_who_was_right() -> None:
    found = {row.pop("Sample"): row for row in rows(three(), "judge_matrix_1")}
    assert list(found) == ["item 0", "item 3", "item 1", "item 2"]
    assert found["item 3"] == {
        **{"Epoch": 1, "Judges right": 2},
        **{"sure": "right", "some": "right", "half": "wrong"},
    }
    assert found["item 1"]["some"] == "unreadable"
    assert pd.isna(found["item 2"]["some"])
    assert "item 2,1,1,right,,wrong" in csv_text(tables(three())["judge_matrix_1"])


def test_what_is_right_need_not_be_known() -> None:
    unknown = verdicts(
        judging("one", "AB?B", right=float("nan")),
        judging("other", "AA-B", right=float("nan")),
    )
    found = rows(unknown, "judge_matrix_1")
    assert {row["one"] for row in found} == {"answered", "unreadable"}
    assert tables(unknown).keys() == {"judges", "judge_pairs", "judge_matrix_1"}
    assert list(panel_figures(panels(unknown)[0], "debates")) == []
    (pair,) = rows(unknown, "judge_pairs")
    assert pair["Agreement"] == pytest.approx(2 / 3)


def test_a_single_judge_has_a_row_and_no_matrix() -> None:
    alone = verdicts(judging("one", "ABAB"))
    (table,) = judge_items({"debates": panels(alone)[0]})
    assert isinstance(table, Table)
    assert (table.name, len(table.frame)) == ("judges", 1)
    assert [*judge_items({})] == []


def test_the_figure_shows_every_cell() -> None:
    (panel,) = PANELS
    matrix, counts = panel_figures(panel, "debates")
    assert (matrix.name, counts.name) == ("judge_map_1", "judges_right_1")
    (axes,) = matrix.figure.axes
    bars = [
        (patch.get_hatch(), box.x0, box.x1, round(box.y0 + box.height / 2))
        for collection in axes.collections
        if collection.get_hatch() is not None or len(collection.get_facecolor())
        for patch, box in [(collection, collection.get_paths()[0].get_extents())]
        if box.height < 1
    ]
    assert sorted(bars, key=lambda bar: (bar[3], bar[1])) == [
        ("", 0, 4, 0),  # sure: right about all
        ("", 0, 2, 1),  # some: right about two,
        ("...", 2, 3, 1),  # unreadable about the third,
        ("xxx", 3, 4, 1),  # and not asked about the last
        ("", 0, 1, 2),  # half: right, wrong, right, wrong
        ("///", 1, 2, 2),
        ("", 2, 3, 2),
        ("///", 3, 4, 2),
    ]
    names = [text.get_text() for text in matrix.figure.legends[0].get_texts()]
    assert names == ["right", "wrong", "no answer", "not asked"]
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        *("sure", "some", "half")
    ]
    assert [text.get_text() for text in axes.texts] == ["3 right", "2 right", "1 right"]


# Verdicts read from logs of several studies.


A, B, C, D = (
    f"simulated/{name}" for name in ("balanced", "hesitant", "coin", "first_speaker")
)


@cache
def judged() -> tuple[Path, Path, Path]:
    """A debate, its debates before another judge, and further ones of the same pair."""
    folder = Path(mkdtemp())
    roles = {"debater_a": A, "debater_b": B, "judge": [A, B, C]}
    first = run(debate("copmad", rounds=1), folder, "none", roles, limit=4)
    reuse = str(logged(first))
    again = run(
        debate("copmad", rounds=1, reuse=reuse),
        folder,
        "none",
        roles | {"judge": D},
        limit=4,
    )
    anew = run(debate("copmad", rounds=1, seed=1), folder, "none", roles, limit=4)
    return logged(first), logged(again), logged(anew)


def test_a_row_per_verdict_as_the_scorers_count() -> None:
    found = verdicts_df(panel())
    assert list(found.columns) == list(COLUMNS)
    scored = {
        (str(one.sample.id), one.sample.epoch): one.sample
        for one in read_debates(panel())
    }
    for (id, epoch), rows in found.groupby(["id", "epoch"]):
        sample = scored[str(id), int(str(epoch))]
        process = values(sample, "debate_process")
        assert len(rows) == process["verdicts"] == 4
        assert rows["first"].sum() == process["shown_first"]
        detected = values(sample, "error_detection")
        for judge, given in rows.groupby("judge"):
            predicted = detected.get(f"prediction_{judge}")
            if predicted is not None and given["answer"].nunique() == 1:
                assert given["right"].eq(float(predicted == detected["gold"])).all()
    assert set(found["order"]) == {"ab", "ba"}
    assert set(found["model"]) == {"simulated/balanced", "simulated/first_speaker"}


def test_what_is_shown_first_is_the_other_answer_in_the_other_order() -> None:
    found = verdicts_df(panel())
    sides = found.pivot(
        index=["id", "epoch", "judge"], columns="order", values="right_first"
    )
    assert (sides["ab"] + sides["ba"] == 1).all()
    by_first = found[found["model"] == "simulated/first_speaker"]
    assert by_first["first"].eq(1).all()


def test_a_judge_of_debates_used_again_is_of_their_panel() -> None:
    first, again, _ = judged()
    found = judge_matrix(verdicts_df([first, again]))
    assert sorted(found.columns) == sorted([A, B, C, D])
    assert found.shape == (4, 4)
    assert found.notna().all(axis=None)


def test_debates_that_are_run_anew_are_others() -> None:
    first, _, anew = judged()
    found = judge_matrix(verdicts_df([first, anew]))
    assert found.index.get_level_values("panel").nunique() == 2
    debates = [set(verdicts_df(log)["debate"]) for log in (first, anew)]
    assert not debates[0] & debates[1]


def test_verdicts_of_debates_that_were_stopped_or_refused() -> None:
    found = verdicts_df(failing())
    complete = [
        one for one in read_debates(failing()) if one.record and one.record.complete
    ]
    assert len(found) == len(complete) < 6
    (refused,) = found[found["status"] == "refused"].to_dict("records")
    assert pd.isna(refused["answer"])
    assert pd.isna(refused["right"])
    assert pd.isna(refused["first"])


def test_answers_in_words_are_right_in_any_accepted_form(tmp_path: Path) -> None:
    asked = [
        {"question": f"Which year follows {year}?", "answer": [str(year + 1), "next"]}
        for year in range(1990, 1998)
    ]
    file = tmp_path / "years.jsonl"
    file.write_text("\n".join(map(json.dumps, asked)), encoding="utf-8")
    task = debate("copmad", str(file), skip_if_agree=False, rounds=1)
    log = run(task, tmp_path, "none", {"debater_a": A, "debater_b": B}, limit=6)
    found = verdicts_df(logged(log))
    right = {
        str(sample.id): values(sample, "question_answering").get("correct")
        for sample in samples(log)
    }
    assert len(found)
    for row in found.to_dict("records"):
        assert row["right"] == right[row["id"]]


@pytest.mark.parametrize(
    ("made", "answers"),
    [
        (
            lambda: srdcr("judge_debate", source="sample", rounds=1, judge_after="1"),
            {"prior", "contextual"},
        ),
        (lambda: confidence("cross_model"), {"proposition", "opposition"}),
    ],
    ids=["srdcr", "confidence"],
)
def test_verdicts_on_something_else_than_answers(
    made: Callable[[], Task], answers: set[str], tmp_path: Path
) -> None:
    log = run(made(), tmp_path, A, {"judge": [A, D]}, limit=3)
    found = verdicts_df(logged(log))
    assert set(found["answer"].dropna()) <= answers
    assert found["first"].notna().any()
    assert found["right"].isna().all()
    assert found["right_first"].isna().all()
    matrix = judge_matrix(found, "answer")
    assert sorted(matrix.columns) == [A, D]
    assert len(matrix)


def test_rulings_on_each_answer_are_no_verdicts_between_answers(tmp_path: Path) -> None:
    log = run(generative("dual_debate", source="sample"), tmp_path, A, limit=1)
    assert verdicts_df(logged(log)).empty


def test_a_protocol_without_a_judge_has_no_verdict() -> None:
    assert verdicts_df(single()).empty


def test_logs_without_debates_are_refused() -> None:
    with pytest.raises(InputError, match="no record of a debate"):
        verdicts_df(foreign())
