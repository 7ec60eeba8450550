"""The numbers of the study of people who debate, from its 413 debates."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from inspect_debate.cli.released_people import (
    clustered,
    people,
    people_frame,
    two_proportions,
)
from inspect_debate.debate.errors import InputError
from inspect_debate.published.human_debate import DEBATES, printed_as
from inspect_debate.published.realmistake import released_text
from inspect_debate.published.tables import PrintedCell
from inspect_debate.transcripts.format import record_of
from inspect_debate.transcripts.nyu import Room, transcript_of_room
from tests.support.released import DATA, needs_data, nyu_debates


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return people_frame(DATA)


@needs_data
def test_records_have_the_released_probabilities_and_texts(frame: pd.DataFrame) -> None:
    """Every double is as released, and no character of a speech is counted twice."""
    for row, room in zip(frame.to_dict("records"), nyu_debates(), strict=True):
        judged = [held["judge"]["probabilities"] for held in room["rounds"]]
        assert row["believed"] == tuple(p[room["correct"]] for p in judged)
        spoken = [held["speeches"] for held in room["rounds"][1:]]
        assert [one.characters for one in row["per_round"]] == [
            sum(len(speech["text"]) for speech in speeches) for speeches in spoken
        ]
        score = room["judge_score"]
        assert np.log2(row["final"]) - 0.05 * row["rounds"] == pytest.approx(score)


@needs_data
def test_quotes_are_where_they_were_taken_from() -> None:
    """Not where the same words are first found, as 30 would be, of every 4th debate."""
    released = released_text(DATA, DEBATES).splitlines()[::4]
    placed = 0
    for room in map(Room.model_validate_json, released):
        speeches = record_of(transcript_of_room(room), {}).of_kind("speech")
        real = [speech for held in room.rounds for speech in held.speeches]
        for turn, speech in zip(speeches, real, strict=True):
            for quote, span in zip(turn.quotes, speech.quotes, strict=True):
                assert quote.empty or (quote.start, quote.end) == (span.start, span.end)
                placed += not quote.empty
    assert placed == 1436


@needs_data
def test_the_28_values_of_rounds_scores_and_accuracy(frame: pd.DataFrame) -> None:
    """At full precision, as an independent script computed them from the file."""
    found = people(frame)
    for setting, values in {
        "ai_consultancy": (76, 4.184211, 3.813793, -1.162088, 0.167368, 80.263158),
        "ai_debate": (87, 3.816092, 2.575431, -1.197003, 0.161034, 78.160920),
        "human_consultancy": (96, 4.020833, 2.432331, -1.235311, 0.173333, 73.958333),
        "human_debate": (154, 2.746753, 1.125626, -0.890685, 0.108117, 84.415584),
    }.items():
        columns = ("n", "rounds_mean", "rounds_sd", "judge_score", "ece_final")
        ours = [found.ours["table_1", setting, column] for column in columns]
        ours.append(found.ours["figure_3", setting, "accuracy"])
        assert ours == pytest.approx(values, abs=1e-6)
    for row, value in {
        "ai_consultancy honest": 28 / 38,
        "ai_consultancy dishonest": 33 / 38,
        "human_consultancy honest": 42 / 48,
        "human_consultancy dishonest": 29 / 48,
    }.items():
        assert found.ours["figure_4", row, "accuracy"] == pytest.approx(100 * value)


@needs_data
def test_what_was_tried_for_the_characters_of_ai_consultancy() -> None:
    """Printed 926. None of it gives that."""
    rooms = [one for one in nyu_debates() if one["setting"] == "ai_consultancy"]
    speeches = [s for one in rooms for held in one["rounds"] for s in held["speeches"]]
    lengths = np.array([len(speech["text"]) for speech in speeches])
    failed = np.array([speech["failed"] for speech in speeches])
    collapsed = [len(" ".join(speech["text"].split())) for speech in speeches]
    of_debates = [
        np.mean([len(s["text"]) for held in one["rounds"] for s in held["speeches"]])
        for one in rooms
    ]
    for tried, mean in (
        (lengths, 929.2),
        (lengths * ~failed, 927.7),
        (lengths[~failed], 936.6),
        (collapsed, 927.9),
        (np.minimum(lengths, 1500), 929.2),
        (of_debates, 972.1),
    ):
        assert np.mean(tried) == pytest.approx(mean, abs=0.05)


@needs_data
def test_the_papers_own_test_and_the_clustered_one(frame: pd.DataFrame) -> None:
    human, other = (
        frame[frame["setting"] == name]
        for name in ("human_debate", "human_consultancy")
    )
    assert (human["right"].sum(), other["right"].sum()) == (130, 71)
    assert two_proportions(human, other, correction=False) == pytest.approx(
        0.04279, abs=1e-5
    )
    assert clustered(human, other, "right") == pytest.approx(0.0737, abs=1e-4)


def test_another_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / DEBATES.name
    file.parent.mkdir()
    file.write_bytes(b"no archive")
    with pytest.raises(InputError, match="can't be read"):
        people_frame(tmp_path)


@pytest.mark.parametrize(
    ("value", "printed", "ours"),
    [
        (87.5, "88", "88"),
        (0.125, "0.12", "0.13"),
        (-0.002, "0.00", "0.00"),
        (-1.2, "-1.20", "-1.20"),
        (76.0, "76", "76"),
    ],
)
def test_numbers_have_the_printed_decimals(
    value: float, printed: str, ours: str
) -> None:
    cell: Any = PrintedCell("t", "r", "c", printed, printed)
    assert printed_as(value, cell) == ours
