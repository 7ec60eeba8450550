"""The gap recovered, as reports on questions show it."""

from math import isnan
from pathlib import Path

import pandas as pd
import pytest

from inspect_debate.evals.colmad import colmad
from inspect_debate.metrics.gain import NO_GAP
from inspect_debate.reports.colmad.report import REPORT
from inspect_debate.reports.elements import Column
from inspect_debate.reports.gain import Gap, gap_of, recovered_rows, recovered_view
from tests.reports.debate.made_items import condition
from tests.reports.debate.made_items import rows as debate_rows
from tests.support.runs import metrics, run

NONE = float("nan")


def samples(correct: str, first: str = "", epoch: int = 1) -> pd.DataFrame:
    """Samples by whether each is right: 1, 0 or ?; first answers of both debaters."""
    found = pd.DataFrame(
        {
            "id": [f"q{n}" for n in range(len(correct))],
            "epoch": epoch,
            "correct": [NONE if sign == "?" else float(sign) for sign in correct],
        }
    )
    pairs = first.split()
    for place, who in enumerate(("a", "b")):
        if pairs:
            found[f"first_right_debater_{who}"] = [float(of[place]) for of in pairs]
    return found


def only(gap: Gap) -> dict[Column, object]:
    (found,) = recovered_rows([gap])
    return found


def test_first_answers_are_the_debaters() -> None:
    """Of 8 questions: judge alone 2, debate 5, first answers 6 and 8."""
    debate = samples("11111000", "11 11 11 11 11 11 01 01")
    found = only(gap_of({"Condition": "debate"}, debate, samples("11000000")))
    assert (found["Condition"], found["Samples"]) == ("debate", 8)
    assert (found["Judge alone"], found["Debaters"]) == (0.25, 7 / 8)
    assert (found["Outcome"], found["Why no share"]) == (5 / 8, None)
    recovered = found["Gap recovered"]
    assert isinstance(recovered, tuple)
    assert recovered[0] == pytest.approx((5 - 2) / (7 - 2))
    assert recovered[1] < recovered[0] < recovered[2]


def test_without_first_answers_those_of_other_conditions_count() -> None:
    """Two debaters alone are right on 3 and 2 of 4; the judge has no fourth sample."""
    alone = samples("000")
    answers = [samples("1110"), samples("1100")]
    found = only(gap_of({}, samples("110?"), alone, answers))
    assert (found["Samples"], found["Judge alone"]) == (3, 0)
    assert found["Debaters"] == pytest.approx((1 + 1 + 0.5) / 3)
    first = only(gap_of({}, samples("1100", "00 00 01 01"), samples("0000"), answers))
    assert first["Debaters"] == 0.25


def test_where_there_is_no_gap_the_reason_is_shown() -> None:
    found = only(gap_of({}, samples("1111", "10 10 10 10"), samples("1010")))
    assert found["Why no share"] == NO_GAP
    recovered = found["Gap recovered"]
    assert isinstance(recovered, tuple)
    assert all(map(isnan, recovered))


def test_nothing_in_common_is_no_row() -> None:
    gap = gap_of({}, samples("11", "11 11"), samples("11", epoch=2))
    assert [*recovered_rows([gap])] == []
    assert [*recovered_view("Data")([gap])] == []


def test_a_report_on_debates() -> None:
    """Of 8 questions the judge alone has 1, the debate 3, a model alone all.

    Judges with and without the passage are not put together.
    """
    debate = condition("debate", [1, 1, 1, 0, 0, 0, 0, 0])
    alone = condition("judge", [1, 0, 0, 0, 0, 0, 0, 0])
    single = condition("answers", [1] * 8)
    (found,) = debate_rows(debate, alone, single, of="recovered")
    assert found["Condition"] == "debate"
    assert found["Gap recovered"] == pytest.approx((3 - 1) / (8 - 1))
    assert (found["Judge alone"], found["Debaters"]) == (1 / 8, 1)
    again = condition("judge", [1] * 8, title="the same judge again")
    assert debate_rows(debate, alone, again, single, of="recovered") == [found]
    shown, unseen = ({"passage": how} for how in ("shown", "hidden"))
    reader = condition("judge", alone["correct"].tolist(), parameters=shown)
    hidden = condition("debate", debate["correct"].tolist(), parameters=unseen)
    assert debate_rows(hidden, reader, single, of="recovered") == []
    assert debate_rows(debate, alone, of="recovered") == []


@pytest.mark.slow
def test_a_report_on_colmad(tmp_path: Path) -> None:
    """Its numbers are the means of those in the logs."""
    roles = {
        "debater_a": "simulated/balanced",
        "debater_b": "simulated/hesitant",
        "judge": "simulated/coin",
    }
    right = {}
    for protocol in ("copmad", "judge_alone"):
        task = colmad(protocol, source="sample")
        log = run(task, tmp_path, "none", roles, limit=16)
        right[protocol] = metrics(log, "error_detection")["accuracy"]
    (table,) = [t for t in REPORT(tmp_path).tables() if t.name == "recovered"]
    (found,) = table.frame.to_dict("records")
    assert found["Samples"] == 16
    assert found["Outcome"] == pytest.approx(right["copmad"])
    assert found["Judge alone"] == pytest.approx(right["judge_alone"])
