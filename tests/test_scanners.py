"""Scanners find what their rules say, in logs read by Inspect Scout."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_scout import scan, scan_results_df, transcripts_from

from inspect_debate.cli.import_ import import_
from inspect_debate.scanners import (
    quote_out_of_context,
    quotes_out_of_context,
    refusal_as_speech,
)
from inspect_debate.transcripts.format import Transcript, record_of

PASSAGE = (
    "Nobody said that the kiln was by the river. The potters carried water up, but in "
    "winter they slid. It was warm there. However, it was also dark! Mia doesn't know "
    "that it rained.\nIt was on the hill. The hill was steep."
)


def transcript(*speeches: str) -> dict[str, Any]:
    """A debate on the passage; both sides speak in turn."""
    return {
        "id": "kiln",
        "question": "Where was the kiln?",
        "options": ["By the river", "On the hill"],
        "right": "B",
        "passage": PASSAGE,
        "participants": [
            {"id": "debater_a", "who": "acme/large", "defends": "A"},
            {"id": "debater_b", "who": "acme/large", "defends": "B"},
            {"id": "judge", "kind": "person", "who": "Jo"},
        ],
        "turns": [
            {"by": f"debater_{'ab'[n % 2]}", "round": n // 2 + 1, "text": speech}
            for n, speech in enumerate(speeches)
        ]
        + [{"by": "judge", "kind": "verdict", "text": "Up it is.", "answer": "B"}],
    }


@pytest.mark.parametrize(
    ("said", "left_out"),
    [
        ("<quote>the kiln was by the river</quote>", ["Nobody"]),
        ("<quote>Nobody said that the kiln was by the river.</quote>", []),
        ("<quote>the kiln was by the river</quote> <quote>Nobody said</quote>", []),
        ("<quote>The potters carried water up</quote>", ["but"]),
        ("<quote>carried water up, but in winter they slid.</quote>", []),
        ("<quote>in winter they slid</quote>", []),
        ("<quote>It was warm there.</quote>", ["However"]),
        ("<quote>it was also dark</quote>", []),
        ("<quote>it rained</quote>", ["n't"]),
        ("<quote>It was on the hill.</quote>", []),
        ("<quote>the kiln was by the sea</quote>", []),
        ("<quote>was warm there. However, it was also dark</quote>", []),
    ],
)
def test_words_that_a_quote_leaves_out(said: str, left_out: list[str]) -> None:
    record = record_of(Transcript.model_validate(transcript(said)), {})
    found = list(quotes_out_of_context(record, {"passage": PASSAGE}))
    words = [one.text.partition(" leaves out ")[2].partition(":")[0] for one in found]
    assert words == [f"“{word}”" for word in left_out]
    assert all(one.turn == record.turns[0] for one in found)


@pytest.mark.slow
def test_logs_are_scanned(tmp_path: Path) -> None:
    refused = (
        "I'm sorry, but I can't help with that.\n\nIf I had to, I'd say the river."
    )
    (tmp_path / "debates.jsonl").write_text(
        json.dumps(
            transcript(refused, "It was <quote>by the river</quote>, I cannot agree.")
        )
    )
    logs, name = tmp_path / "logs", str(tmp_path / "debates.jsonl")
    done = CliRunner().invoke(import_, ["transcripts", name, "--out", str(logs)])
    assert done.exit_code == 0, done.output
    status = scan(
        [refusal_as_speech(), quote_out_of_context()],
        transcripts=transcripts_from(str(logs)),
        scans=str(tmp_path / "scans"),
        max_processes=1,
        display="none",
    )
    results = scan_results_df(str(status.location))
    for scanner, speaker, words in (
        ("refusal_as_speech", "Debater A, round 1", "I'm sorry, but"),
        ("quote_out_of_context", "Debater B, round 1", "leaves out “Nobody”"),
    ):
        (row,) = results.scanners[scanner].to_dict("records")
        assert row["value"] == 1, row
        assert row["explanation"].startswith(speaker)
        assert words in row["explanation"]
        assert len(json.loads(row["message_references"])) == 1
