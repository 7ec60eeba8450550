"""Bets and verdicts of logs, and the conditions that they make."""

from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pandas as pd
import pytest
from inspect_ai.log import read_eval_log
from inspect_ai.scorer import Score

from inspect_debate.evals.confidence import confidence
from inspect_debate.v1.reports.confidence.frames import (
    BETS,
    VERDICTS,
    bets_of,
    conditions,
    conditions_of,
    in_order,
    model_name,
    not_reused,
    slug,
    title,
    titled,
    verdicts_of,
)
from inspect_debate.v1.reports.frames import models_told, scores_df
from inspect_debate.v1.solvers.bet_records import SIDES, as_recorded, bets, sides_of
from tests.v1.reports.made_logs import changed, logged
from tests.v1.support.runs import records, run, samples

ONE, TWO = "simulated/balanced", "simulated/hesitant"
JURY = [ONE, TWO]


def ran(model: str = ONE, roles: Any = None, *, epochs: int = 1, **given: Any) -> Path:
    """The log of a short run of the study."""
    log = run(
        confidence(**given),
        Path(mkdtemp()),
        model=model,
        roles=roles,
        limit=2,
        epochs=epochs,
    )
    return logged(log)


@cache
def cross() -> Path:
    """Two models with a jury of two, who change sides in the second epoch."""
    roles = {"debater_a": ONE, "debater_b": TWO, "judge": JURY}
    return ran(roles=roles, protocol="cross_model", epochs=2)


@cache
def alone(model: str, protocol: str = "self") -> Path:
    """A model that debates itself."""
    return ran(model, protocol=protocol)


def frame_of(*logs: Path) -> pd.DataFrame:
    return scores_df(list(logs), "confidence")


def test_every_bet_of_every_debate_is_there_once() -> None:
    found = bets_of(conditions(frame_of(cross())))
    assert list(found.columns) == BETS
    expected = []
    log = read_eval_log(str(cross()))
    for sample, record in zip(samples(log), records(log), strict=True):
        made, recorded = bets(record), as_recorded(record)
        for side in SIDES:
            for round in (1, 2, 3):
                model = record.participant(sides_of(record)[side]).model
                key = (sample.id, sample.epoch, side, round, model)
                bet, coded = made[side, round].value, recorded[side, round].value
                expected.append((*key, bet, coded))
    columns = ["debate", "epoch", "side", "round", "model", "bet", "recorded"]
    rows = [tuple(row) for row in found[columns].itertuples(index=False)]
    assert len(rows) == 2 * 2 * 2 * 3
    assert sorted(rows) == sorted(expected)


def test_what_a_row_says_of_its_debate() -> None:
    found = bets_of(conditions(frame_of(cross(), alone(TWO, "four_round"))))
    assert list(found["condition"].unique()) == ["cross_model", "four_round"]
    first = found[found["condition"] == "cross_model"]
    assert not first["self_debate"].any()
    # Sides change with the epoch.
    seats = {(row.epoch, row.side): row.model for row in first.itertuples(index=False)}
    assert seats == {
        (1, "proposition"): ONE,
        (1, "opposition"): TWO,
        (2, "proposition"): TWO,
        (2, "opposition"): ONE,
    }
    second = found[found["condition"] == "four_round"]
    assert second["self_debate"].all()
    assert list(second["speech"])[:4] == ["opening", "rebuttal", "rebuttal", "closing"]
    assert set(second["rounds"]) == {4}
    assert set(found["motion"]) == {str(id).split(".")[0] for id in found["debate"]}


def test_every_verdict_is_there_once() -> None:
    grouped = conditions(frame_of(cross(), alone(ONE)))
    found = verdicts_of(grouped)
    assert list(found.columns) == VERDICTS
    expected = [
        (
            record.epoch,
            turn.participant,
            turn.draw,
            turn.field("answer").value,
            turn.field("confidence").value,
        )
        for record in records(read_eval_log(str(cross())))
        for turn in record.of_kind("verdict")
    ]
    columns = ["epoch", "juror", "pass", "winner", "confidence"]
    rows = [tuple(row) for row in found[columns].itertuples(index=False)]
    assert len(rows) == 2 * 2 * 2 * 2
    assert sorted(rows, key=str) == sorted(expected, key=str)
    assert dict(zip(found["juror"], found["judge"], strict=True)) == {
        "judge_1": ONE,
        "judge_2": TWO,
    }
    assert set(found["condition"]) == {"cross_model"}
    assert found["order"].isna().all()


def test_a_log_of_each_model_is_one_condition_with_all_debates() -> None:
    grouped = conditions(frame_of(alone(ONE), alone(TWO)))
    assert list(grouped.overview["condition"]) == ["self"]
    assert grouped.notices() == []
    found = bets_of(grouped)
    # Both runs have samples of the same name.
    assert found["debate"].nunique() == 2
    assert len(found) == 2 * 2 * 2 * 3
    assert found.groupby("model").size().to_dict() == {ONE: 12, TWO: 12}


def test_seeds_do_not_matter_and_parameters_do() -> None:
    other_seed = ran(protocol="self", seed=3)
    shorter = ran(protocol="self", rounds=2)
    grouped = conditions(frame_of(alone(ONE), other_seed, shorter))
    assert list(grouped.overview["condition"]) == ["self rounds=3", "self rounds=2"]
    assert list(grouped.overview["samples"]) == [4, 2]
    found = bets_of(grouped)
    assert title("self rounds=2") == "Self-debate, rounds=2"
    speeches = found.loc[found["rounds"] == 2, "speech"].unique()
    assert list(speeches) == ["opening", "closing"]


def test_the_newest_of_the_same_debates_counts(tmp_path: Path) -> None:
    newer = changed(
        cross(),
        tmp_path,
        created="2099-01-01T00:00:00+00:00",
        run_id="newer",
        eval_id="newer",
        task_id="newer",
    )
    grouped = conditions(frame_of(cross(), newer))
    found = bets_of(grouped)
    assert set(found["run"]) == {"newer"}
    assert len(found) == len(bets_of(conditions(frame_of(cross()))))
    (notice,) = grouped.notices()
    assert "4 rows of older logs are left out" in notice


def test_debates_that_failed_have_no_bets() -> None:
    frame = frame_of(cross())
    frame.loc[frame["epoch"] == 2, "scored"] = False
    grouped = conditions(frame)
    assert set(bets_of(grouped)["epoch"]) == {1}
    nothing = conditions(frame.assign(scored=False))
    assert list(bets_of(nothing).columns) == BETS
    assert verdicts_of(nothing).empty


def test_a_pool_is_called_by_all_of_its_models() -> None:
    metadata_of: list[dict[str, Any]] = [
        {"models": {"debater_a": ONE, "judge": TWO}},
        {"models": {"debater_a": TWO, "judge": TWO}, "grader": ONE},
        {},
    ]
    scores = [Score(value={}, metadata=metadata or None) for metadata in metadata_of]
    assert models_told(scores) == {
        "debater_a": f"{ONE}, {TWO}",
        "judge": TWO,
        "grader": ONE,
    }


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("qwen/qwq-32b:free", "qwen/qwq-32b"),
        ("openrouter/qwen/qwq-32b:free", "qwen/qwq-32b"),
        ("openrouter/openai/o3-mini", "openai/o3-mini"),
        ("openai/o3-mini", "openai/o3-mini"),
        ("simulated/balanced", "simulated/balanced"),
        ("openrouter/mistral/small:free", "openrouter/mistral/small"),
        ("o3-mini", "o3-mini"),
    ],
)
def test_names_of_models(model: str, name: str) -> None:
    assert model_name(model) == name


def test_the_order_of_conditions_and_models() -> None:
    found = ["own", "self seed=1", "public", "cross_model", "self"]
    assert conditions_of(found) == [
        *("cross_model", "self", "self seed=1", "public", "own")
    ]
    assert in_order(["z", "qwen/qwq-32b", "openai/o3-mini", "a"], "table_2") == [
        *("qwen/qwq-32b", "openai/o3-mini", "a", "z")
    ]
    assert slug("self judge=A/b, x") == "self_judge_a_b_x"
    assert title("own x=1") == "own, x=1"


def test_conditions_of_one_title_stay_apart() -> None:
    rows = pd.DataFrame({"condition": ["self judge=b/x", "self judge=a/x", "public"]})
    found = titled(rows)
    assert found["title"].tolist() == [
        "self judge=a/x",
        "self judge=b/x",
        "Public bets",
    ]
    assert found.index.tolist() == [1, 0, 2]


def test_debates_that_are_judged_anew_have_their_bets_once() -> None:
    again = ran(ONE, {"judge": TWO}, reuse=str(cross()), jury_passes=1)
    grouped = conditions(scores_df([cross(), again]))
    both = bets_of(grouped)
    once = not_reused(both, grouped)
    here = conditions(scores_df([cross()]))
    assert set(once["run"]) == set(bets_of(here)["run"])
    assert len(once) == len(bets_of(here)) < len(both)
    # Without the run that asked for them, those that were judged anew are all there is.
    alone_there = conditions(scores_df([again]))
    rejudged = not_reused(bets_of(alone_there), alone_there)
    assert len(rejudged) == len(both) - len(once) > 0
