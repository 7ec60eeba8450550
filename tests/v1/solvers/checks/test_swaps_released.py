"""Letters are exchanged in debates between people, about long stories."""

import json
import lzma
from pathlib import Path
from typing import Any

from inspect_debate.v1.debate.question import Question
from inspect_debate.v1.debate.record import Participant, Role
from inspect_debate.v1.solvers.judge_checks import Hearing, labels_exchanged
from tests.v1.support.made import speech
from tests.v1.support.released import FOLDER, needs_data

_SPEAKERS: dict[Role, str] = {"debater_a": "Alice", "debater_b": "Bob"}
_OF_TWO = ("human_debate", "ai_debate")


@needs_data
def test_few_released_debates_are_left_out() -> None:
    path = Path(FOLDER or "") / "nyu_debates" / "debates.jsonl.xz"
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    changed = [
        labels_exchanged(_hearing(row)) for row in rows if row["setting"] in _OF_TWO
    ]
    assert len(changed) == 241
    # 71 were, while a letter anywhere in a story counted.
    assert sum(one is None for one in changed) == 8


def _hearing(row: dict[str, Any]) -> Hearing:
    options = dict(zip("AB", row["options"], strict=True))
    question = Question(
        id=row["id"],
        epoch=1,
        fingerprint="f",
        choices=("A", "B"),
        sources={"question": row["question"], "passage": row["passage"]["text"]},
        options=options,
    )
    speakers = [
        Participant(id=role, role=role, name=name, model="x", defends=side)
        for (role, name), side in zip(_SPEAKERS.items(), "AB", strict=True)
    ]
    turns = [
        speech(reply["by"], public=reply["marked_text"])
        for round in row["rounds"]
        for reply in round["speeches"]
    ]
    return Hearing(question, speakers, turns, "ab")
