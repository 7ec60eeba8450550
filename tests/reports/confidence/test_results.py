"""Winners and margins of finished runs."""

import logging
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.model import Model

from inspect_debate.datasets.schedules import Pairing, Result
from inspect_debate.evals.confidence import confidence
from inspect_debate.reports.confidence.results import debate_results
from tests.reports.made_logs import changed, logged, single
from tests.support.bets import marked_model
from tests.support.models import scripted
from tests.support.runs import run

ANN, BEN = "scripted/ann", "scripted/ben"


def juror(side: str, sure: int) -> Model:
    text = f"<winnerName>{side}</winnerName><confidence>{sure}</confidence>"
    return scripted(lambda messages, description: text, name=side)


def log_of(folder: Path, *jurors: Model, epochs: int = 1) -> Path:
    """The log of one debate, or two with sides changed."""
    roles: dict[str, object] = {"debater_b": marked_model(name="ben")}
    if jurors:
        roles["judge"] = list(jurors)
    log = run(
        confidence(jury_passes=2 if jurors else 0),
        folder,
        model=marked_model(name="ann"),
        roles=roles,  # type: ignore[arg-type]  # a list of models is a role, too
        limit=1,
        epochs=epochs,
    )
    return logged(log)


def motion(results: list[Result]) -> str:
    (found,) = {result.debate.motion for result in results}
    return found


def test_winners_by_the_sum_of_confidences(tmp_path: Path) -> None:
    log = log_of(tmp_path, juror("proposition", 60), juror("opposition", 75), epochs=2)
    found = debate_results(log)
    on = motion(found)
    assert found == [
        Result(Pairing(ANN, BEN, on), False, -30.0),
        Result(Pairing(BEN, ANN, on), False, -30.0),  # sides change every epoch
    ]


def test_a_tie_is_nobodys(tmp_path: Path) -> None:
    log = log_of(tmp_path, juror("proposition", 60), juror("opposition", 60))
    (found,) = debate_results(log)
    assert found[1:] == (None, 0.0)


def test_without_a_jury_nobody_wins(tmp_path: Path) -> None:
    (found,) = debate_results(log_of(tmp_path))
    assert found.debate[:2] == (ANN, BEN)
    assert found[1:] == (None, 0.0)


def test_another_jury_takes_the_place_of_the_first(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first = log_of(tmp_path, juror("proposition", 60))
    run(
        confidence(reuse=str(first), jury_passes=1),
        tmp_path,
        model=juror("opposition", 80),
    )
    with caplog.at_level(logging.WARNING):
        found = debate_results(tmp_path)
    assert [result[1:] for result in found] == [(False, -80.0)]
    assert f"{first.name} is left out" in caplog.text


def test_debates_with_oneself_are_not_of_a_tournament(tmp_path: Path) -> None:
    log = run(confidence(protocol="self"), tmp_path, model=marked_model(), limit=1)
    assert debate_results(logged(log)) == []


def test_what_failed_is_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    log = read_eval_log(str(log_of(tmp_path, juror("proposition", 60), epochs=2)))
    assert log.samples is not None
    log.samples[0].scores = {}
    path = tmp_path / "changed.eval"
    write_eval_log(log, str(path))
    with caplog.at_level(logging.WARNING):
        (found,) = debate_results(path)
    assert found.debate[:2] == (BEN, ANN)
    assert "changed.eval: 1 of 2 debates failed or have no score" in caplog.text


def test_other_studies_and_unfinished_runs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is of study 'colmad', and not of"):
        debate_results(single())
    folder = tmp_path / "made"
    folder.mkdir()
    log = changed(log_of(tmp_path, juror("proposition", 60)), folder, status="error")
    with pytest.raises(ValueError, match="has status 'error'"):
        debate_results(log)
    assert len(debate_results(log, allow_partial=True)) == 1
