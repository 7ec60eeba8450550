"""What a jury decided, and its judges one by one: by hand, and as released."""

import json
from typing import Any

import pandas as pd
import pytest

from inspect_debate.debate.question import fingerprint
from inspect_debate.reports.confidence.jury import (
    JURY,
    TIE,
    OwnVotes,
    agreement_table,
    appendix_d,
    decisions,
    judges_table,
    motions_table,
    own_votes,
    rules_table,
)
from inspect_debate.reports.confidence.study import model_name, published_models
from inspect_debate.reports.confidence.twins import PaperTable, counts
from tests.reports.confidence.made_bets import Debate, bets, itself, row
from tests.reports.confidence.made_verdicts import verdicts
from tests.reports.confidence.released import (
    FOLDERS,
    needs_release,
    release_folder,
    released_bets,
)

SERIES = ([60.0], [60.0])
# Judge `two` debates as well: for the proposition in the second debate.
BETS = bets(
    "cross_model",
    Debate("one", "two", SERIES),
    Debate("two", "one", SERIES),
    Debate("one", "three", SERIES),
    Debate("one", "three", SERIES),
)
VERDICTS = verdicts(
    "cross_model",
    # Three votes to one for the opposition, sums 80 and 180.
    {"two": [("O", 60), ("O", 60)], "wise": [("P", 80), ("O", 60)]},
    # An even split, sums 100 and 110.
    {"two": [("P", 50), ("O", 60)], "wise": [("P", 50), ("O", 50)]},
    # Unanimous.
    {"two": [("P", 90), ("P", 90)], "wise": [("P", 90), None]},
    # A tie in votes and sums, of those that could be read.
    {"two": [("P", 70), None], "wise": [("O", 70), None]},
)


def values(table: PaperTable) -> dict[str, str | None]:
    return {row: twin.ours for (row, _), twin in table.cells.items()}


def test_who_wins_by_each_rule() -> None:
    decided = decisions(VERDICTS).set_index("debate")
    assert decided["by_sum"].tolist() == ["opposition"] * 2 + ["proposition", TIE]
    assert decided["by_majority"].tolist() == ["opposition", TIE, "proposition", TIE]
    assert decided["unanimous"].tolist() == [0, 0, 1, 0]


def test_a_single_verdict_is_not_unanimous_and_none_is_no_decision() -> None:
    decided = decisions(
        verdicts("cross_model", {"a": [("P", 60), None]}, {"a": [None, None]})
    )
    assert decided["debate"].tolist() == ["debate 0"]
    assert decided["by_sum"].tolist() == ["proposition"]
    assert decided["unanimous"].isna().all()


def test_rules_are_held_side_by_side() -> None:
    frame = rules_table(VERDICTS, BETS).frame
    found = frame[["Proposition", "Opposition", "Tie"]].to_numpy().tolist()
    assert found == [[1, 2, 1], [1, 1, 2]]
    assert frame["Opposition wins"].tolist() == [0.5, 0.25]


def test_the_numbers_of_appendix_d() -> None:
    (table,) = appendix_d(VERDICTS, BETS)
    assert values(table) == {
        "unanimous_n": "1",
        "unanimous_pct": "25.0",
        "split_n": "3",
        "split_pct": "75.0",
        "one_dissent_n": "2",
        "one_dissent_pct": "50.0",
        "two_dissent_n": "1",
        "two_dissent_pct": "25.0",
        "three_dissent_n": "0",
        "three_dissent_pct": "0.0",
        "opposition_win_pct": "50.0",
    }
    assert not table.cells["split_n", "value"].paper


def test_judges_one_by_one() -> None:
    frame = judges_table(VERDICTS, BETS).frame
    two, wise = (row(frame, "Cross-model", judge) for judge in ("two", "wise"))
    assert (two["Verdicts"], wise["Verdicts"]) == (7, 6)
    assert two["For the opposition"] == pytest.approx(3 / 7)
    assert wise["For the opposition"] == pytest.approx(3 / 6)
    assert (two["Repeated"], two["Pairs"]) == (pytest.approx(2 / 3), 3)
    assert (wise["Repeated"], wise["Pairs"]) == (0, 2)
    assert two["Repeated low"] < two["Repeated"] < two["Repeated high"]
    assert (two["On itself"], two["For itself"]) == (4, pytest.approx(3 / 4))
    assert wise["On itself"] == 0
    assert pd.isna(wise["For itself"])
    assert wise["Mean confidence"] == pytest.approx(400 / 6)


def test_no_judge_votes_for_itself_where_both_sides_are_its_model() -> None:
    alone = bets("self", *itself("one", [60], [60]))
    found = own_votes(verdicts("self", {"one": [("P", 60), ("O", 60)]}), alone)
    assert found == {}
    assert own_votes(VERDICTS, BETS)["two"] == OwnVotes(4, 3)


def test_agreement_is_over_all_verdicts() -> None:
    (found,) = agreement_table(VERDICTS).frame.to_dict("records")
    assert (found["Debates"], found["Verdicts"]) == (4, 13)
    assert found["Unanimous"] == 0.25
    # Pairs that agree: 3 of 6, 2 of 6, all 3, and 0 of 1.
    assert found["Two verdicts agree"] == pytest.approx((1 / 2 + 1 / 3 + 1 + 0) / 4)
    assert found["Krippendorff's alpha"] < 1


def test_a_jury_of_one_pass_repeats_nothing() -> None:
    once = verdicts("cross_model", {"a": [("P", 60)], "b": [("O", 70)]})
    frame = judges_table(once, BETS).frame
    assert frame["Repeated"].isna().all()
    assert frame["Pairs"].tolist() == [0, 0]


def test_motions_have_their_own_rows() -> None:
    frame = motions_table(VERDICTS, BETS).frame
    first = row(frame, "Cross-model", "motion 0")  # of the first and the last debate
    assert (first["Debates"], first["Split"], first["Ties"]) == (2, 1, 1)
    assert first["Opposition wins"] == 0.5


def test_another_jury_has_no_twins_in_the_paper() -> None:
    models = published_models()
    pairs = zip(models, models[1:] + models[:1], strict=True)
    pool = bets("cross_model", *(Debate(a, b, SERIES) for a, b in pairs))
    for judges, known in ((JURY, True), (JURY | {"another"}, False)):
        judged = verdicts(
            "cross_model", *[{judge: [("O", 60)] for judge in judges}] * 10
        )
        (table,) = appendix_d(judged, pool)
        status = table.cells["unanimous_n", "value"].status
        assert status == ("differs" if known else "not in the paper")
        printed = rules_table(judged, pool).frame["Rule"].str.endswith("as printed")
        assert printed.any() == known


def _released_verdicts() -> pd.DataFrame:
    rows: list[dict[str, Any]] = []
    for path in sorted((release_folder() / FOLDERS["cross_model"]).glob("*.json")):
        passes: dict[str, int] = {}
        for verdict in json.loads(path.read_text(encoding="utf-8"))["judge_results"]:
            judge = model_name(verdict["model"])
            passes[judge] = passes.get(judge, 0) + 1
            rows.append(
                {
                    "condition": "cross_model",
                    "run": "cross_model",
                    "debate": path.stem,
                    "epoch": 1,
                    "juror": judge,
                    "judge": judge,
                    "pass": passes[judge],
                    "order": None,
                    "winner": verdict["winner"],
                    "confidence": float(verdict["confidence"]),
                }
            )
    return pd.DataFrame(rows)


@needs_release
def test_appendix_d_is_as_printed_but_for_the_share_that_is_told() -> None:
    judged, made = _released_verdicts(), released_bets()
    hashed = made.assign(motion=made["motion"].map(lambda m: f"-{fingerprint(m)[:6]}"))
    (table,) = appendix_d(judged, hashed)
    assert counts([table])["appendix_d"] == {"equal": 12, "differs": 1}
    won = table.cells["opposition_win_pct", "value"]
    assert (won.ours, won.paper and won.paper.printed) == ("63.3", "71.7")
    assert "even splits" in won.reason
    frame = rules_table(judged, made).frame
    assert frame["Opposition"].tolist() == [38, 36, 43]
    assert frame["Tie"].tolist() == [1, 7, 0]
    assert frame["Opposition wins"].round(3).tolist() == [0.633, 0.6, 0.717]


@needs_release
@pytest.mark.parametrize(
    ("judge", "opposed", "repeated", "own"),
    [
        ("google/gemini-pro-1.5", 108, 56, OwnVotes(0, 0)),
        ("qwen/qwq-32b", 66, 52, OwnVotes(24, 19)),
        ("deepseek/deepseek-chat", 59, 43, OwnVotes(24, 14)),
    ],
)
def test_the_judges_of_the_release(
    judge: str, opposed: int, repeated: int, own: OwnVotes
) -> None:
    judged = _released_verdicts()
    found = row(judges_table(judged, released_bets()).frame, "Cross-model", judge)
    assert found["Verdicts"] == 119
    assert found["For the opposition"] == pytest.approx(opposed / 119)
    assert found["Repeated"] == pytest.approx(repeated / 59)
    assert own_votes(judged, released_bets())[judge] == own
