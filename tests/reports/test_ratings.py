"""Debaters against each other: from records to rows, to ratings and persuasiveness."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import log
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner
from inspect_ai.log import EvalSample

from inspect_debate.cli.main import main
from inspect_debate.debate.record import (
    DebateRecord,
    Parsed,
    Participant,
    Role,
    Turn,
)
from inspect_debate.metrics.ratings import ELO
from inspect_debate.reports.debate import REPORT as DEBATE_REPORT
from inspect_debate.reports.elements import Item, Notice, Table
from inspect_debate.reports.logs import Log, study_logs
from inspect_debate.reports.ratings import (
    COLUMNS,
    REPORT,
    comparison_rows,
    comparisons,
    rating_items,
)
from inspect_debate.reports.samples import Held
from tests.reports.debate.made_runs import A, B, C, logs
from tests.reports.made_logs import logged, panel, single
from tests.reports.reported import row
from tests.support.bet_records import debate_with_bets
from tests.support.made import made_record, speech, verdict


@cache
def a_log() -> Log:
    return study_logs(panel())[0]


def held(record: DebateRecord | None, target: str = "A") -> Held:
    sample = EvalSample(id="item", epoch=2, input="?", target=target)
    sample.metadata = {"data_name": "quiz", "input_group": "passage 1"}
    return Held(a_log(), sample, record)


def debate(
    *verdicts: Turn, defends: tuple[str | None, str | None] = ("A", "B"), **more: Any
) -> DebateRecord:
    """Debater A is the model `one`, debater B `two`."""
    speeches = more.pop("speeches", ("debater_a", "debater_b"))
    turns = [speech(id, model="x/y") for id in speeches] + list(verdicts)
    ids: tuple[Role, Role] = ("debater_a", "debater_b")
    people = [
        Participant(id=id, role=id, name=id, model=f"house/{name}", defends=side)
        for id, name, side in zip(ids, ("one", "two"), defends, strict=True)
    ]
    judges = dict.fromkeys(turn.participant for turn in verdicts)
    people += [
        Participant(id=id, role="judge", name=id, model=f"court/{id}") for id in judges
    ]
    return made_record(
        *turns,
        participants=tuple(people),
        choices=("A", "B"),
        protocol="copmad",
        **more,
    )


def decides(answer: str | Parsed, **more: Any) -> Turn:
    return verdict(answer, **{"shown_first": "debater_a"} | more)


def test_a_verdict_is_a_row() -> None:
    (found,) = comparison_rows(held(debate(decides("A"))))
    assert set(found) == set(COLUMNS)
    assert found == found | {
        "run": a_log().header.eval.eval_id,
        "id": "item",
        "epoch": 2,
        "input_group": "passage 1",
        "debates": "copmad (quiz)",
        "participant": "judge",
        "judge": "court/judge",
        "one": "house/one",
        "other": "house/two",
        "outcome": 1,
        "first": 1,
        "proposition": 0,
        "right": 1,
    }
    (lost,) = comparison_rows(
        held(debate(decides("B", shown_first="debater_b")), target="C")
    )
    assert (lost["outcome"], lost["first"], lost["right"]) == (-1, -1, 0)


def test_both_orders_are_one_verdict() -> None:
    ba = {"order": "ba", "shown_first": "debater_b"}
    for answers, outcome in ((("A", "A"), 1), (("A", "B"), 0), (("B", "B"), -1)):
        both = [decides(answers[0]), decides(answers[1], **ba)]
        (found,) = comparison_rows(held(debate(*both), "B"))
        assert (found["outcome"], found["first"], found["right"]) == (outcome, 0, -1)


def test_each_judge_has_a_row_of_its_last_round() -> None:
    record = debate(
        decides("A", judge="judge_1", round=1),
        decides("B", judge="judge_1", round=2),
        decides(Parsed.unparsed(), judge="judge_2", round=2),
        decides("A", judge="judge_3", round=1),
    )
    found = comparison_rows(held(record))
    assert [(r["judge"], r["outcome"]) for r in found] == [
        ("court/judge_1", -1),
        ("court/judge_3", 1),
    ]


@pytest.mark.parametrize(
    "record",
    [
        None,
        debate(),
        debate(decides("A"), complete=False),
        debate(decides("A"), defends=("A", "A")),
        debate(decides("A"), defends=("A", None)),
        debate(decides("A"), speeches=("debater_a",)),
        debate(decides("C")),
        debate(decides(Parsed.unparsed())),
        debate(decides("A"), aggregation="arbitration"),
    ],
)
def test_what_is_no_verdict_for_one_of_two(record: DebateRecord | None) -> None:
    assert comparison_rows(held(record)) == []


def test_the_decision_of_a_jury_is_one_verdict() -> None:
    """Votes are two to one; confidences are 60 + 55 against 90, or equal."""
    votes = [[("proposition", 60)], [("proposition", 55)], [("opposition", 90)]]
    record = debate_with_bets((60, 60), verdicts=votes)
    (found,) = comparison_rows(held(record))
    assert (found["outcome"], found["proposition"], found["right"]) == (1, 1, 0)
    assert found["judge"] == "court/judge_1, court/judge_2, court/judge_3"
    votes[2] = [("opposition", 115)]
    (tied,) = comparison_rows(
        held(debate_with_bets((60, 60), verdicts=votes, swapped=True))
    )
    assert (tied["outcome"], tied["one"]) == (0, "house/one")


def made(*verdicts: tuple[str, str, int], **more: Any) -> pd.DataFrame:
    """Verdicts of (one, other, outcome), each on another question."""
    usual = {
        "run": "run",
        "condition": "run",
        "epoch": 1,
        "debates": "copmad",
        "participant": "judge",
        "judge": "court/j",
        "first": 0,
        "proposition": 0,
        "right": 0,
    }
    rows = [
        usual
        | {"id": str(n), "input_group": str(n)}
        | {"one": one, "other": other, "outcome": outcome}
        | {name: values[n] for name, values in more.items()}
        for n, (one, other, outcome) in enumerate(verdicts)
    ]
    return comparisons([rows])


def shown(rows: pd.DataFrame) -> dict[str, Item]:
    return {
        "notice" if isinstance(item, Notice) else item.name: item
        for item in rating_items(rows)
    }


def frame(items: Mapping[str, Item], name: str) -> pd.DataFrame:
    item = items[name]
    assert isinstance(item, Table)
    return item.frame


def test_ratings_of_a_table() -> None:
    """One wins 6 of 8 debates: its odds are 3 to 1."""
    wins = [("m/a", "m/b", 1)] * 3 + [("m/b", "m/a", -1)] * 3 + [("m/b", "m/a", 1)] * 2
    items = shown(made(*wins))
    best = row(frame(items, "ratings"), Debater="m/a")
    assert best["Rating"] == pytest.approx(log(3) / 2, abs=1e-4)
    assert best["Elo"] == pytest.approx(log(3) / 2 * ELO, abs=1e-2)
    assert (best["Verdicts"], best["Won"]) == (8, 0.75)
    assert [*frame(items, "ratings")["Debater"]] == ["m/a", "m/b"]
    assert "figure_ratings" in items
    # Nobody was shown first, and nobody is known to be right.
    assert not {"rating_sides", "persuasion", "notice"} & {*items}


def test_what_the_proposition_adds() -> None:
    """It wins 6 of 8 debates in which `m/a` is on either side, which wins 4."""
    outcomes = [1, 1, 1, -1, -1, -1, -1, 1]
    rows = made(
        *[("m/a", "m/b", outcome) for outcome in outcomes],
        proposition=[1] * 4 + [-1] * 4,
    )
    found = row(frame(shown(rows), "rating_sides"), Side="Proposition")
    assert found["Effect"] == pytest.approx(log(3), abs=1e-4)
    assert found["Odds, times"] == pytest.approx(3, abs=1e-3)


def test_without_finite_ratings_the_reason_is_shown() -> None:
    items = shown(made(("m/a", "m/b", 1), ("m/a", "m/b", 1)))
    assert isinstance(items["notice"], Notice)
    assert items["notice"].text.startswith("No ratings of copmad: ")
    assert items["notice"].text.endswith("m/a won all 2; m/b lost all 2.")
    assert not {"ratings", "figure_ratings"} & {*items}
    assert "rating_judges" in items


def test_a_model_against_itself_has_no_rating_but_persuades() -> None:
    """Right answers win three of four debates."""
    rows = made(*[("m/a", "m/a", 1)] * 4, right=[1, 1, 1, -1])
    items = shown(rows)
    assert [*items] == ["persuasion"]
    found = row(frame(items, "persuasion"), Debater="m/a")
    assert (found["Right"], found["Wrong"]) == (4, 4)
    assert (found["Wins if right"], found["Wins if wrong"]) == (0.75, 0.25)
    assert found["Difference"] == 0.5


def test_persuasiveness_by_hand() -> None:
    """A is right in three debates and wins two; B is in one, which is a tie."""
    verdicts = [("m/a", "m/b", outcome) for outcome in (1, 1, -1, 0, 1)]
    found = frame(shown(made(*verdicts, right=[1, 1, 1, -1, 0])), "persuasion")
    a, b = (row(found, Debater=name) for name in ("m/a", "m/b"))
    assert (a["Right"], a["Wrong"], b["Right"], b["Wrong"]) == (3, 1, 1, 3)
    assert a["Wins if right"] == pytest.approx(2 / 3)
    assert (a["Wins if wrong"], b["Wins if right"]) == (0.5, 0.5)
    assert b["Difference"] == pytest.approx(0.5 - 1 / 3)


def test_judges_favour_a_place_and_agree() -> None:
    """On four debates: one judge is always for the first, the other for `m/a`."""
    first = [1, 1, -1, -1] * 2
    judges = ["court/place"] * 4 + ["court/fan"] * 4
    outcomes = [*first[:4], 1, 1, 1, -1]
    rows = made(
        *[("m/a", "m/b", outcome) for outcome in outcomes],
        first=first,
        judge=judges,
        participant=judges,
        id=[*"1234"] * 2,
        input_group=[*"1234"] * 2,
    )
    found = frame(shown(rows), "rating_judges")
    place, fan = (row(found, Judge=name) for name in ("court/place", "court/fan"))
    assert (place["For the first"], fan["For the first"]) == (1, 0.75)
    assert place["Agrees with others"] == fan["Agrees with others"] == 0.75


def test_the_newest_of_the_same_counts() -> None:
    rows = comparison_rows(held(debate(decides("A"))))
    again = [row | {"run": "newer", "outcome": -1} for row in rows]
    assert [*comparisons([rows, again])["outcome"]] == [-1]


def read(logs: Sequence[Path]) -> dict[str, Table]:
    return {table.name: table for table in REPORT(logs).tables()}


@pytest.mark.slow
def test_the_report_on_several_logs() -> None:
    """Its rows are those of the debate report; both protocols have a group each."""
    paths = [logged(log) for log in logs().values()]
    own = read(paths)
    (folder,) = {path.parent for path in paths}
    theirs = {table.name: table for table in DEBATE_REPORT(folder).tables()}
    for name in ("rating_judges", "persuasion"):
        pd.testing.assert_frame_equal(own[name].frame, theirs[name].frame)
    persuaded = own["persuasion"].frame
    assert {*persuaded["Debates"]} == {"copmad (sample)", "colmad (sample)"}
    assert {*persuaded["Debater"]} == {A, B}
    # Each of 8 debates has a right side, and four judges.
    of_copmad = persuaded[persuaded["Debates"] == "copmad (sample)"]
    assert (of_copmad["Right"] + of_copmad["Wrong"] == 32).all()
    assert C in {*own["rating_judges"].frame["Judge"]}


def reported(*given: object) -> Any:
    return CliRunner().invoke(main, ["report", "ratings", *map(str, given)])


@pytest.mark.slow
@pytest.mark.parametrize("log", [panel, single])
def test_the_command(log: Callable[[], Path], tmp_path: Path) -> None:
    """Where nobody debated it says what to run."""
    out = tmp_path / "out"
    done = reported(log(), "--out", out, "--pages")
    assert done.exit_code == 0, done.output
    page = (out / "report.md").read_text(encoding="utf-8")
    assert ("That needs speeches of two debaters" in page) == (log is single)
    assert ("Ratings are those of" in page) == (log is panel)
    assert (out / "debates").is_dir()
