"""The report on judge checks, on logs whose alarms were worked out by hand."""

from collections.abc import Sequence
from math import nan
from pathlib import Path

import pandas as pd
import pytest
from inspect_ai.log import EvalSample

from inspect_debate.debate.errors import InputError
from inspect_debate.reports import frames
from inspect_debate.reports.judge_check import PROTOCOLS, TITLE, report
from inspect_debate.reports.report import Headline, Item, Notice, Table, write
from tests.reports.conftest import WriteLog, sample

NAMES = ("repeat", "order", "names", "length", "unread")
SAME = (1.0, 0.0, 0.0, 0.0, 0.0)
N = 24


def items(
    rows: Sequence[tuple[float, ...]], questions: int | None = None
) -> list[EvalSample]:
    return [
        sample(
            f"s{n}",
            "A",
            group=f"q{n % (questions or len(rows))}",
            scores={"judge_check": dict(zip(NAMES, row, strict=True))},
        )
        for n, row in enumerate(rows)
    ]


def log(write_log: WriteLog, rows: Sequence[tuple[float, ...]], model: str = "lab/m",
        questions: int | None = None) -> str:  # fmt: skip
    samples = items(rows, questions)
    return write_log(samples, "judge_check", study="judge_check", model=model)


def found(*logs: str) -> dict[str, Item]:
    items = report(frames.samples([*logs], "judge_check", PROTOCOLS))
    return {getattr(one, "name", type(one).__name__): one for one in items}


def checks(*logs: str) -> pd.DataFrame:
    table = found(*logs)["checks"]
    assert isinstance(table, Table)
    return table.frame


def alarms(*logs: str) -> list[str]:
    frame = checks(*logs)
    return [*frame.loc[frame["Alarm"] != "", "Check"]]


def moved(
    check: str, toward: int, away: int = 0, n: int = N
) -> list[tuple[float, ...]]:
    place = NAMES.index(check)
    moves = [1] * toward + [-1] * away + [0] * (n - toward - away)
    return [(*SAME[:place], move, *SAME[place + 1 :]) for move in moves]


def flipped(changed: int, n: int = N) -> list[tuple[float, ...]]:
    return [(float(k >= changed), *SAME[1:]) for k in range(n)]


@pytest.mark.parametrize(
    ("rows", "raised"),
    [
        ([SAME] * N, []),
        (flipped(7), []),  # p = 0.057
        (flipped(8), ["repeat"]),  # p = 0.020
        (moved("order", 6), []),  # p = 0.094
        (moved("order", 7), ["order"]),
        (moved("names", 0, 7), ["names"]),
        (moved("length", 5, 5), []),  # no shift
        (moved("length", 9, n=100), []),  # p = 0.012, but 9 points
        (moved("length", 10, n=100), ["length"]),
    ],
)
def test_alarms(
    write_log: WriteLog, rows: list[tuple[float, ...]], raised: list[str]
) -> None:
    assert alarms(log(write_log, rows)) == raised


def test_a_noisy_judge_is_no_biased_one(write_log: WriteLog) -> None:
    """It changes its mind as often when it is asked the very same again."""
    rows = [(0, 1, 0, 0, 0)] * 6 + [(0, -1, 0, 0, 0)] * 6 + [SAME] * 12
    assert alarms(log(write_log, rows)) == ["repeat"]


def test_verdicts_on_one_question_count_once(write_log: WriteLog) -> None:
    rows = moved("order", N)
    assert alarms(log(write_log, rows)) == ["order"]
    few = checks(log(write_log, rows, questions=6))
    row = few[few["Check"] == "order"].iloc[0]
    assert row["p"] == pytest.approx(2 / 2**6)
    assert row["p (Holm)"] == pytest.approx(3 * 2 / 2**6)
    assert row["Alarm"] == ""


def test_the_table(write_log: WriteLog) -> None:
    rows = [
        (0, 1, nan, 0, 1),
        (1, 1, -1, 0, 0),
        (nan, nan, nan, nan, 1),
        (1, 0, 1, 1, 0),
    ]
    frame = checks(log(write_log, rows)).set_index("Check")
    shown = frame[["Verdicts", "Count", "Opposite", "Points"]]
    third = 100 / 3
    assert {check: [*row] for check, *row in shown.itertuples()} == {
        "repeat": pytest.approx([3, 1, 0, third]),
        "order": pytest.approx([3, 2, 0, 2 * third]),
        "names": pytest.approx([2, 1, 1, 0]),
        "length": pytest.approx([3, 1, 0, third]),
    }


def test_judges_are_tested_one_by_one(write_log: WriteLog) -> None:
    logs = (
        log(write_log, moved("order", 9), "lab/x"),
        log(write_log, [SAME] * N, "lab/y"),
    )
    frame = checks(*logs)
    assert {*frame.loc[frame["Alarm"] != "", "Judge"]} == {"x"}
    assert len(frame) == 8
    text = found(*logs)["Headline"]
    assert isinstance(text, Headline)
    assert text.text.startswith("x: ")
    assert "y: no alarm" in text.text


def test_unread_verdicts_are_said(write_log: WriteLog) -> None:
    notice = found(log(write_log, [(1, nan, 0, 0, 3)] * N))["Notice"]
    assert isinstance(notice, Notice)
    assert any("72" in text for text in notice.texts)


def test_nothing_could_be_read(write_log: WriteLog) -> None:
    with pytest.raises(InputError):
        checks(log(write_log, [(nan, nan, nan, nan, 5)] * 3))


def test_it_can_be_written(write_log: WriteLog, tmp_path: Path) -> None:
    samples = frames.samples(
        [log(write_log, moved("order", 9))], "judge_check", PROTOCOLS
    )
    page = write(report(samples), tmp_path / "out", TITLE)
    assert "yes" in page.read_text(encoding="utf-8")
    assert len(pd.read_csv(tmp_path / "out" / "checks.csv")) == 4
