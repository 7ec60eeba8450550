"""Verdicts of hand-made juries, scored against hand counts."""

from math import isnan
from pathlib import Path

import pytest

from inspect_debate.debate.record import DebateRecord
from inspect_debate.scorers.jury import jury, jury_values
from tests.scorers.recorded import Held, score_held
from tests.support.bet_records import Verdict, held, judged
from tests.support.runs import metrics

PRO, OPP = "proposition", "opposition"


def panel(*jurors: list[Verdict]) -> DebateRecord:
    return held((60, 60), verdicts=jurors, jury_passes=2)


FOR: Verdict = (PRO, 80.0)
AGAINST: Verdict = (OPP, 60.0)
UNREAD: Verdict = (None, None)


def test_the_verdicts_of_one_debate() -> None:
    found = jury_values(panel([FOR, AGAINST], [FOR, UNREAD], [AGAINST, AGAINST]))
    assert (found["verdict_judge_1_1"], found["verdict_judge_1_2"]) == (1, 0)
    assert isnan(found["verdict_judge_2_2"])
    assert isnan(found["confidence_judge_2_2"])
    assert (found[f"votes_{PRO}"], found[f"votes_{OPP}"]) == (2, 3)
    assert (found[f"confidence_{PRO}"], found[f"confidence_{OPP}"]) == (160, 180)
    assert (found["dissent"], found["unanimous"]) == (2, 0)
    assert (found["verdicts_ok"], found["verdicts_unparsed"]) == (5, 1)


def test_a_verdict_that_was_never_given_has_its_place() -> None:
    full, partial = panel([FOR, FOR], [FOR, FOR]), panel([FOR], [FOR])
    assert jury_values(full).keys() == jury_values(partial).keys()
    assert isnan(jury_values(partial)["verdict_judge_1_2"])
    assert jury_values(partial)["unanimous"] == 1


def test_without_a_vote_there_is_no_unanimity() -> None:
    found = jury_values(panel([UNREAD], [UNREAD]))
    assert isnan(found["unanimous"])
    assert isnan(found["dissent"])


def test_both_orders_are_told_apart() -> None:
    one = held((60, 60), verdicts=[[FOR]], order="both")
    other = judged("judge", 0, OPP, 70.0).model_copy(update={"order": "ba"})
    found = jury_values(one.model_copy(update={"turns": (*one.turns, other)}))
    assert (found["verdict_judge_1_ab"], found["verdict_judge_1_ba"]) == (1, 0)


DEBATES = [
    panel([FOR, FOR], [FOR, FOR]),
    panel([FOR, AGAINST], [AGAINST, AGAINST]),
    panel([AGAINST, AGAINST], [AGAINST, UNREAD]),
    panel([FOR, FOR], [(OPP, 80.0), (OPP, 80.0)]),
]


def test_metrics_of_a_run_are_those_of_a_hand_count(tmp_path: Path) -> None:
    log = score_held([Held("", [one]) for one in DEBATES], jury(), tmp_path)
    found = metrics(log, "jury")
    assert found["for_proposition"] == pytest.approx(7 / 15)
    assert found["for_proposition_judge_1"] == pytest.approx(5 / 8)
    assert found["for_proposition_judge_2"] == pytest.approx(2 / 7)
    assert found["unanimous"] == pytest.approx(2 / 4)
    # Agreeing pairs among all of a debate, then the mean over debates.
    assert found["agreement"] == pytest.approx((1 + 3 / 6 + 1 + 2 / 6) / 4)
    assert found["repeated"] == pytest.approx(6 / 7)
    assert found["tied"] == 1
    assert (found["verdicts_ok"], found["verdicts_unparsed"]) == (15, 1)


def test_two_orders_are_no_repetition(tmp_path: Path) -> None:
    one = held((60, 60), verdicts=[[FOR]], order="both")
    other = judged("judge", 0, OPP, 70.0).model_copy(update={"order": "ba"})
    both = one.model_copy(update={"turns": (*one.turns, other)})
    found = metrics(score_held([Held("", [both])], jury(), tmp_path), "jury")
    assert isnan(found["repeated"])
    assert found["for_proposition_judge"] == pytest.approx(1 / 2)


def test_a_debate_without_votes_or_confidences_is_no_tie(tmp_path: Path) -> None:
    unsure: Verdict = (PRO, None)
    held_so = [
        panel([UNREAD], [UNREAD]),
        panel([unsure], [unsure]),
        panel([unsure, (PRO, 60.0)], [AGAINST, UNREAD]),
        panel([(PRO, 60.0)], [AGAINST]),
    ]
    log = score_held([Held("", [one]) for one in held_so], jury(), tmp_path)
    found = metrics(log, "jury")
    assert found["tied"] == 1
    assert found["confidences_missing"] == 3
