"""Verdicts read from logs of several studies."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pandas as pd
import pytest
from inspect_ai import Task

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.confidence import confidence
from inspect_debate.evals.debate import debate
from inspect_debate.evals.generative import generative
from inspect_debate.evals.srdcr import srdcr
from inspect_debate.reports.debates import read_debates
from inspect_debate.reports.judges.matrix import judge_matrix
from inspect_debate.reports.judges.verdicts import COLUMNS, verdicts_df
from tests.reports.made_logs import failing, foreign, logged, panel, single
from tests.support.runs import run, samples, values

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
        (str(held.sample.id), held.sample.epoch): held.sample
        for held in read_debates(panel())
    }
    for (id, epoch), rows in found.groupby(["id", "epoch"]):
        sample = scored[str(id), int(str(epoch))]
        process = values(sample, "debate_process")
        assert len(rows) == process["verdicts"] == 4
        assert rows["first"].sum() == process["shown_first"]
        detected = values(sample, "error_detection")
        for judge, given in rows.groupby("judge"):
            said = detected.get(f"prediction_{judge}")
            if said is not None and given["answer"].nunique() == 1:
                assert given["right"].eq(float(said == detected["gold"])).all()
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


def test_debates_held_anew_are_others() -> None:
    first, _, anew = judged()
    found = judge_matrix(verdicts_df([first, anew]))
    assert found.index.get_level_values("panel").nunique() == 2
    debates = [set(verdicts_df(log)["debate"]) for log in (first, anew)]
    assert not debates[0] & debates[1]


def test_verdicts_of_debates_that_were_stopped_or_refused() -> None:
    found = verdicts_df(failing())
    complete = [
        held for held in read_debates(failing()) if held.record and held.record.complete
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
