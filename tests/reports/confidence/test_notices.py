"""What has to be read before the numbers."""

from typing import Any

import pandas as pd

from inspect_debate.reports.arms import Arms
from inspect_debate.reports.confidence.report import (
    STAGES,
    confound_notices,
    jury_notices,
    missing_notices,
    parts,
    text_notices,
    text_table,
)
from inspect_debate.reports.confidence.study import titles_of
from inspect_debate.reports.elements import Notice
from inspect_debate.reports.notices import sample_notices
from inspect_debate.reports.sanity import samples_table, unread_notices, unread_table
from tests.reports.confidence.made_bets import NONE, Debate, bets, row
from tests.reports.confidence.made_verdicts import verdicts


def debate(arm: str = "self", **changes: Any) -> dict[str, Any]:
    """A row as `conditions` has it, of which nothing is worth a notice."""
    texts = ("bet_text_stripped", "bet_text_left", "short_speeches", "reasks")
    return {
        "arm": arm,
        "run": "run",
        "epoch": 1,
        "motion": "lamps",
        "parameters": {"own_bets_shown": True},
        "sides": {"proposition": "a", "opposition": "b"},
        "scored": True,
        "error": None,
        "limit": None,
        "bets.bets_ok": 6,
        **{
            f"bets.bets_{s}": 0 for s in ("unparsed", "refused", "truncated", "missing")
        },
        **{f"bets.{name}": 0 for name in texts},
    } | changes


def frame(*rows: dict[str, Any]) -> pd.DataFrame:
    return pd.DataFrame(rows)


def only(notices: list[Notice]) -> Notice:
    (found,) = notices
    return found


CLEAN = frame(debate(), debate(arm="public"))
PLAIN = bets("self", Debate("a", "b", ([60.0], [60.0])))


def test_where_all_is_well_nothing_is_said() -> None:
    assert list(missing_notices(PLAIN)) == []
    assert list(unread_notices(parts(CLEAN), STAGES)) == []
    assert list(text_notices(CLEAN)) == []
    assert list(confound_notices(CLEAN)) == []
    judged = verdicts("self", {"c": [("P", 60)]})
    assert list(jury_notices(judged, PLAIN)) == []
    assert unread_table(parts(CLEAN), STAGES) is None


def test_missing_bets_are_counted_with_what_stands_for_them() -> None:
    made = pd.concat(
        [
            bets("self", Debate("a", "a", ([60.0, NONE], [NONE, 60.0])), recorded=0),
            bets("public", Debate("a", "a", ([60.0, NONE], [60.0, 60.0]))),
        ]
    )
    text = only(list(missing_notices(made))).text
    assert "- Self-debate: 2 of 4 bets; in their place the data have 0\n" in text
    assert text.endswith("- Public bets: 1 of 4 bets")


def test_more_than_a_tenth_is_a_warning() -> None:
    some = debate() | {"bets.bets_ok": 9, "bets.bets_refused": 1}
    assert list(unread_notices(parts(frame(some)), STAGES)) == []
    many = frame(some, debate() | {"bets.bets_ok": 8, "bets.bets_refused": 2})
    text = only(list(unread_notices(parts(many), STAGES))).text
    assert "- 15% of the bets refused: Self-debate" in text
    table = unread_table(parts(many), STAGES)
    assert table is not None
    assert row(table.frame, "Self-debate", "Bets")["Refused"] == 0.15


def test_text_on_bets_that_others_read_is_a_warning() -> None:
    made = frame(
        debate() | {"bets.bet_text_stripped": 2, "bets.bet_text_left": 1},
        debate() | {"bets.bet_text_stripped": 1},
        debate(arm="public"),
    )
    left, cut = text_notices(made)
    assert (left.level, cut.level) == ("warning", "info")
    assert left.text.endswith("- Self-debate: 1 speeches")
    assert cut.text.endswith("- Self-debate: 3 speeches")
    found = row(text_table(made).frame, "Self-debate")
    assert found[["Speak of bets", "Still do when shown"]].tolist() == [3, 1]


def test_ties_missing_verdicts_and_judges_that_debate() -> None:
    judged = verdicts(
        "self",
        {"a": [("P", 60)], "c": [("O", 60)]},
        {"a": [("P", 60)], "c": [("O", 50)]},
        {"a": [("P", 60)], "c": [None]},
    )
    made = bets("self", *[Debate("a", "b", ([60.0], [60.0]))] * 3)
    ties, both = jury_notices(judged, made)
    assert "of 3 debates 1 tied in the sum of confidences, 2 in the number" in ties.text
    assert "1 of 3 debates have fewer than 2 verdicts" in ties.text
    assert both.level == "info"
    assert "debaters, too: a." in both.text


def test_conditions_that_differ_beside_their_names() -> None:
    other = debate(
        arm="informed_self",
        parameters={"own_bets_shown": False},
        motion="tides",
    )
    shown, motions = confound_notices(frame(debate(), other))
    assert "- Not shown: Informed self" in shown.text
    assert "- Self-debate: 1\n- Informed self (told 50 %): 1" in motions.text


def test_debates_without_a_score_are_told() -> None:
    made = frame(debate(), debate(scored=False), debate(scored=False, error="down"))
    runs = pd.DataFrame({"arm": ["self"], "replaced": [0], "kept": [3]})
    overview = pd.DataFrame({"arm": ["self"], "samples": [3], "failed": [1]})
    failed, lost = sample_notices(Arms(made, overview, runs), titles_of(["self"]))
    assert failed.text.startswith("Self-debate: 1 of 3 samples ended with an error")
    assert lost.text.startswith("Self-debate: 1 sample without a score")
    found = row(samples_table(parts(made)).frame, "Self-debate")
    assert found[["Samples", "Not scored", "Failed"]].tolist() == [3, 2, 1]
