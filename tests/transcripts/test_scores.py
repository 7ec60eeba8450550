"""Scores of released debates without logs: those that the logs of an import have."""

from pathlib import Path

import pandas as pd
import pytest

from inspect_debate.reports.frames import scores_df
from inspect_debate.transcripts.llms_overconfidence import Imported
from inspect_debate.transcripts.logs import score_rows
from inspect_debate.transcripts.release import read_release
from tests.transcripts.made import release

SCORERS = ("bets.", "jury.", "bet_alignment.")
KEY = ["protocol", "id"]


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    root: Path = release(tmp_path_factory.mktemp("again") / "theirs")
    return pd.DataFrame(score_rows(read_release(str(root))))


def test_scores_are_those_of_the_logs(rows: pd.DataFrame, imported: Imported) -> None:
    logged = scores_df([*imported.logs.values()])
    ours, theirs = (
        frame.sort_values(KEY, ignore_index=True) for frame in (rows, logged)
    )
    told = [*KEY, "epoch", "motion", "sides", "parameters", "scored"]
    scores = [name for name in ours.columns if name.startswith(SCORERS)]
    assert {name.partition(".")[0] + "." for name in scores} == set(SCORERS)
    columns = [*told, *scores]
    pd.testing.assert_frame_equal(ours[columns], theirs[columns], check_dtype=False)
    for here, there in zip(ours["models"], theirs["models"], strict=True):
        assert here.items() <= there.items()  # which name the grader, too
