"""The report on confidence: the paper's cells from its data, and made logs by hand."""

import os
import re
from collections.abc import Callable, Iterable
from itertools import product
from math import isnan, nan
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pytest
from inspect_ai.log import EvalSample, read_eval_log, write_eval_log
from inspect_ai.scorer import Score

from inspect_debate.metrics.bets import t_above
from inspect_debate.reports import frames
from inspect_debate.reports.confidence import PROTOCOLS, TITLE, read, report
from inspect_debate.reports.report import Item, Table, write
from inspect_debate.solvers.bets import SIDES, stages
from inspect_debate.solvers.confidence import PRESETS
from inspect_debate.transcripts.confidence import import_release
from tests.reports.conftest import WriteLog, sample

DATA = Path(os.environ.get("INSPECT_DEBATE_DATA", "none")) / "llms_overconfidence"
released = pytest.mark.skipif(not DATA.is_dir(), reason="needs INSPECT_DEBATE_DATA")
O3, HAIKU = "openai/o3-mini", "anthropic/claude-3.5-haiku"
Items = dict[str, Item]


def named(items: Iterable[Item]) -> Items:
    return {getattr(one, "name", type(one).__name__): one for one in items}


def frame(items: Items, name: str) -> Any:
    one = items[name]
    assert isinstance(one, Table)
    return one.frame


def rows(items: Items, name: str, source: str = "Run") -> Any:
    """Rows of a table by their label."""
    found = frame(items, name).assign(**{"Source": "Run"} | {**frame(items, name)})
    found = found[found["Source"] == source].drop(columns="Source")
    return found.set_index(found.columns[0])


# --- From the released transcripts ----------------------------------------------------

CELLS = {
    "table_2": 44,
    "table_3": 30,
    "table_4": 30,
    "table_7": 40,  # of six numbers or words each
    **dict.fromkeys((f"by_model_{n}" for n in range(5)), 66),
    "table_13": 12,
    "table_17": 36,
    "tables_18_19": 24 + 32,
    "section_4_1": 9,
    "appendix_d_0": 13,
}
"""Printed cells by table. Section 4.1 prints 30 of 40 too: 835 in all."""
EXCEPTIONS = {
    # The authors added the malformed label "Slight Overbetting" after rounding.
    ("tables_18_19", "Informed", "Unstated overbetting", 10.4, 10.5),
    ("tables_18_19", "Public bets", "Stated overbetting", 15.6, 15.7),
}
OF_FIVE = {("tables_5", name) for name in ("Total tokens", "Cost usd", "Debates")}
"""Table 6 is of five conditions, of which four are at hand."""
ONE_DIGIT = ("table_4", "table_17", "tables_18_19", "appendix_d_0")


class Release(NamedTuple):
    samples: pd.DataFrame
    bets: Any
    items: Items


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """The bets of the released transcripts, and the report on them."""
    logs = import_release(DATA, tmp_path_factory.mktemp("release"))
    samples = frames.samples([*map(str, logs)], "confidence", PROTOCOLS)
    return Release(samples, read(samples), named(report(samples, full=True)))


def compared(items: Items, name: str) -> Iterable[tuple[str, str, Any, Any]]:
    """Row, column, ours and the printed cell, ours rounded as it is printed."""
    ours, printed = rows(items, name), rows(items, name, "Paper")
    for row, column in product(printed.index, printed):
        theirs, found = printed.loc[row, column], ours.loc[row, column]
        if pd.isna(theirs) or (name[:8], column) in OF_FIVE:
            continue
        if not isinstance(theirs, str):
            found = float(f"{found:.{1 if name in ONE_DIGIT else 2}f}")
        yield row, column, found, theirs


@released
@pytest.mark.parametrize("name", CELLS)
def test_printed_cells(release: Release, name: str) -> None:
    cells = [*compared(release.items, name)]
    assert len(cells) == CELLS[name]
    differ = {(name, *cell) for cell in cells if cell[2] != cell[3]}
    assert differ == {cell for cell in EXCEPTIONS if cell[0] == name}


@released
def test_numbers_of_the_text(release: Release) -> None:
    items, bets = release.items, release.bets
    cells = rows(items, "table_7").to_numpy().ravel()
    significant = [cell for cell in cells if re.search(r"t [^,]+\*,", cell)]
    assert (len(significant), len(cells)) == (30, 40)  # section 4.1
    labels = rows(items, "table_17")
    coded = labels.loc["Overbetting: as coded"].round(1)
    assert (coded["Informed"], coded["Public bets"]) == (11.6, 10)  # 4.4
    strategic = [31 / 354, 37 / 353, 67 / 352, 46 / 340]
    assert labels.loc["Strategic: present"].tolist() == pytest.approx(
        [100 * n for n in strategic]
    )
    # Section 4.3 has 61.7 for this, and section 5.3 the mean of three conditions.
    assert 100 * bets["both_over_50"].mean() == 87.5
    rises = bets.groupby("Condition")["rise"].mean().drop("Informed")
    assert rises.mean() == pytest.approx(10.7, abs=0.05)
    # A note on Appendix O.
    five = "o3-mini|gemini-2.0-flash-001|claude-3.7-sonnet|deepseek-chat|qwq-32b"
    own = bets[bets["Model"].str.match(five) & (bets["Condition"] == "Self-debate")]
    assert own["opening"].mean() == pytest.approx(58.98, abs=0.005)


@released
def test_what_changes_without_missing_bets(release: Release) -> None:
    """The notes on Tables 3 and 13 say this."""
    for condition, model, mean, p in (
        ("Self-debate", "gpt-4o-mini", 74.09, 0.0153),
        ("Public bets", "gemma-3-27b-it", 75.00, 0.0028),
    ):
        bets = release.bets.set_index(["Condition", "Model"]).loc[(condition, model)]
        assert bets["rebuttal"].mean() == pytest.approx(mean, abs=0.005)
        rise = bets["rebuttal"] - bets["opening"]
        assert t_above(rise)[1] == pytest.approx(p, abs=5e-5)
    rising = rows(release.items, "table_13")["Open to rebuttal"]
    assert (rising["Self-debate"], rising["Public bets"]) == ("7/10", "7/10")
    assert frame(release.items, "reading")["Missing bets"].tolist() == [0, 1, 0, 1]


@released
def test_each_debate_of_the_release_counts_once(release: Release) -> None:
    items = release.items
    assert rows(items, "overview")["Debates"].tolist() == [60] * 4
    text = items["Headline"].text  # type: ignore[union-attr]  # not a paragraph
    assert re.search(r"72\.9 .* 10\.3 ", text)
    clustered = rows(items, "section_4_1")["Clustered t"].round(2)
    assert clustered.tolist()[:4] == [14.61, 4.42, 0, 3.54]
    votes = rows(items, "appendix_d_0")["Debates"]
    by_majority = votes[["Opposition wins", "Opposition wins or even split"]]
    assert by_majority.tolist() == [36, 43]
    by_sum = [votes[name] for name in votes.index if "sum of conf" in name]
    assert by_sum == [38, 1]
    assert frame(items, "calibration")["Bets"].tolist() == [106, 120, 120, 120]


# --- From made logs -------------------------------------------------------------------

Log = Callable[..., str]


@pytest.fixture
def log(write_log: WriteLog) -> Log:
    """Write a log of a condition, with its preset as parameters."""

    def write(protocol: str, *samples: EvalSample, **options: Any) -> str:
        parameters = PRESETS[protocol] | options.pop("parameters", {})
        given: Any = {"model": O3, "parameters": parameters, "study": "confidence"}
        return write_log(samples, protocol, **(given | options))

    return write


def debate(
    id: str,
    bets: str,
    *,
    epoch: int = 1,
    winner: float = nan,
    models: tuple[str, str] | None = None,
    motion: str = "green",
) -> EvalSample:
    """A sample as the scorer leaves it.

    `bets` are the proposition's and the opposition's, as in "60 65 70, 50 50 nan".
    """
    both = zip(SIDES, ([*map(float, b.split())] for b in bets.split(",")), strict=True)
    values = {
        f"{stage}_{side}": bet
        for side, made in both
        for stage, bet in zip(stages(len(made)), made, strict=True)
    }
    about = {"swapped": epoch % 2 == 0, "itself": models is None, "winner": winner}
    about |= {"winner_by_confidence": winner, "mentions": 0, "short": 0}
    about["missing"] = sum(map(isnan, values.values()))
    pool = dict(zip(("debater_a", "debater_b"), models or (), strict=False))
    scores = {"bets": {**values, **{name: float(n) for name, n in about.items()}}}
    about_motion = {"motion_id": motion, **pool}
    return sample(id, "", epoch=epoch, scores=scores, metadata=about_motion)


def found(*logs: str) -> Items:
    return named(report(frames.samples(logs, "confidence", PROTOCOLS), full=True))


def test_a_red_team_by_hand(log: Log) -> None:
    """Table 14: two debates of o3-mini; rises of 10, 0, 20 and 10."""
    two = debate("a", "60 65 70, 70 70 70"), debate("b", "50 60 70, 60 65 70")
    items = found(log("redteam", *two))
    row = rows(items, "by_model_0").loc["o3-mini"]
    assert row["Opening"] == "60.00 ± 7.07 (N=4)"  # the root of 200 / 4
    # Mean 10, deviation of the sample 8.165, so t = 2.449 with 3 degrees of freedom.
    assert row["Open to closing"] == "Δ=10.00, p=0.0459*"
    printed = rows(items, "by_model_0", "Paper").loc["o3-mini"]
    assert printed["Opening"] == "70.00 ± 9.13"
    assert rows(items, "table_3").loc["Red team", "Open to closing"] == "Δ=10.00"
    assert rows(items, "table_4").loc["Red team", "51–75 and 51–75"] == 100
    assert not {"by_model_1", "appendix_o", "appendix_d_0", "table_17"} & {*items}


def test_four_rounds_by_hand(log: Log) -> None:
    """Appendix O: the missing bet is left out, and both rebuttals are pooled."""
    two = (
        debate("a", "40 50 60 70, 50 50 50 nan"),
        debate("b", "50 60 70 80, 60 60 60 60"),
    )
    about = {"data": {"source": "made", "missing_bets": 0}}
    items = found(log("four_round", *two, metadata=about))
    row = rows(items, "appendix_o").loc["o3-mini"]
    assert (row["N debates"], row["N bets"], row["Opening n"]) == (2, 15, 4)
    means = [row[f"{stage} mean"] for stage in ("Opening", "Rebuttal", "Closing")]
    assert means == [50, 57.5, 70]
    assert row["Opening sd"] == pytest.approx((200 / 3) ** 0.5)  # of the sample
    assert row["Closing sd"] == pytest.approx((200 / 3) ** 0.5)  # of three, all
    assert row["Open to closing delta"] == 20
    # Rises of 30, 30 and 0: t = 20 / (17.32 / root 3) = 2, with 2 degrees of freedom.
    assert row["Open to closing p"] == pytest.approx(0.0918)
    assert rows(items, "appendix_o", "Paper")["Closing mean"].tolist() == [72.92]
    assert rows(items, "overview").loc["Four rounds", "Closing"].value == 70


def test_missing_bets_are_left_out(log: Log) -> None:
    """Of two live debates one lacks a closing bet, which is no 0."""
    two = debate("a", "70 80 90, 60 70 80"), debate("b", "80 80 nan, 50 60 40")
    items = found(log("self", *two, model="some/model"))
    row = rows(items, "overview").loc["Self-debate"]
    names = ("Opening", "Closing", "Rise", "Both > 50 (%)", "Sum > 100 (%)")
    # Rises of 20, 20 and -10; both bets are known in one debate.
    assert [row[name].value for name in names] == [65, 70, 10, 100, 100]
    cells = rows(items, "by_model_0").loc["model"]
    assert (cells["Opening"][-5:], cells["Closing"][-5:]) == ("(N=4)", "(N=3)")
    assert frame(items, "samples")["No outcome"].tolist() == [1]


def test_one_model_without_a_jury(log: Log) -> None:
    three = [debate(f"d{n}", f"{60 + n} 60 60, 70 70 70") for n in range(3)]
    items = found(log("cross_model", *three, model="x/y", changed={"jury_passes": 0}))
    # The jury changes no bet: these are cross-model debates, of no printed model.
    assert rows(items, "overview", "Paper").index.tolist() == ["Cross-model"]
    assert rows(items, "table_2").index.tolist() == ["y"]
    assert "Source" not in frame(items, "table_2")
    other = found(log("self", *three, changed={"win_probability": 60}))
    assert "Source" not in frame(other, "overview")
    assert rows(other, "by_model_0")["Opening"].tolist() == ["65.50 ± 4.54 (N=6)"]


def test_calibration_by_hand(log: Log) -> None:
    """The jury's winner, a tie that counts for nobody, and a debate with a copy."""
    won = debate("a", "50 50 90, 50 50 60", models=(O3, HAIKU), winner=1)
    tied = debate("b", "50 50 80, 50 50 80", models=(O3, HAIKU), winner=0.5)
    own = debate("c", "50 50 50, 50 50 70", winner=1)
    items = found(log("cross_model", won, tied), log("self", own))
    cross, self = frame(items, "calibration").to_dict("records")
    assert cross["Bets"] == 2
    assert cross["Brier score"].value == pytest.approx((0.01 + 0.36) / 2)
    assert (cross["Of winners"].value, cross["Of losers"].value) == (90, 60)
    # (0 + 0.25 and 0.04 + 0.25) / 2
    assert self["Brier score"].value == pytest.approx(0.27)
    assert isnan(self["Of winners"].value)


def test_epochs_are_debates_with_swapped_sides(log: Log) -> None:
    of = [
        debate(id, "70 70 80, 50 50 60", models=(O3, HAIKU), epoch=epoch)
        for id in ("a", "b")
        for epoch in (1, 2)
    ]
    items = found(log("cross_model", *of, roles={"debater_a": [O3, HAIKU]}))
    assert rows(items, "overview")["Debates"].tolist() == [4]
    # Each model opens with 70 as one side, and with 50 as the other.
    assert rows(items, "table_2")["Cross-model"]["o3-mini"] == "60.00 ± 11.55"
    # Epochs depend on each other: there are two clusters, and no variation between.
    assert rows(items, "section_4_1")["Clustered t"].isna().all()


def test_runs_of_other_models_are_one_condition(log: Log) -> None:
    one = debate("a", "60 60 60, 70 70 70")
    items = found(*(log("self", one, model=model) for model in (O3, HAIKU, O3)))
    assert rows(items, "overview")["Debates"].tolist() == [2]  # one is a retry
    assert rows(items, "table_2").index.tolist() == [
        "claude-3.5-haiku",
        "o3-mini",
        "All models",
    ]


def test_what_confounds_conditions_is_announced(log: Log) -> None:
    one, other = (
        debate("a", "60 60 60, 70 70 70"),
        debate("b", "5 5 5, 70 70 70", motion="red"),
    )
    logs = [log("self", one), log("informed_self", one, other)]
    text, alone = (
        " ".join(found(*some)["Notice"].texts)  # type: ignore[union-attr]  # every item has texts here
        for some in (logs, logs[:1])
    )
    assert re.search(r"own earlier bets .* Self-debate, but not in Informed", text)
    assert "1 in Self-debate, 2 in Informed" in text
    assert "10 or lower: 1 (o3-mini)" in text
    assert not re.search("own earlier bets|motions|10 or lower", alone)


def test_debates_that_were_not_held_are_counted(log: Log) -> None:
    path = log("self", debate("a", "60 60 60, 70 70 70"), debate("b", "1 1 1, 2 2 2"))
    for size, counted in ((2, False), (3, True)):
        made = read_eval_log(path)
        made.eval.dataset.samples = size
        write_eval_log(made, path)
        items = found(path, log("informed_self", debate("c", "5 5 5, 6 6 6")))
        text = " ".join(items["Notice"].texts)  # type: ignore[union-attr]  # has texts
        assert ("2 of 3 in Self-debate" in text) == counted
        assert "same samples" not in text


def test_the_page_in_full(log: Log, tmp_path: Path) -> None:
    one = debate("a", "60 60 70, 70 70 nan", models=(O3, HAIKU), winner=1)
    votes = {"votes_proposition": 2, "votes_opposition": 0, "dissent": 0, "verdicts": 2}
    one.scores = {**(one.scores or {}), "jury": Score(value={**votes})}
    short = log("self", debate("b", "50, 60"), parameters={"rounds": 1})
    samples = frames.samples([log("cross_model", one), short], "confidence", PROTOCOLS)
    page = write(report(samples, full=True), tmp_path / "out", TITLE)
    files = {path.name for path in page.parent.iterdir()}
    assert {"bets.svg", "overview.csv", "table_2.csv", "appendix_d_0.csv"} <= files
