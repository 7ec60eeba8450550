"""Debates made by hand, in logs; and sheets about them that people filled in."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pandas as pd
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSample, EvalSpec

from inspect_debate.debate.paths import AnyPath
from inspect_debate.debate.record import DebateRecord, Participant, Turn
from inspect_debate.reports.judges.sheet import Key, read_key
from inspect_debate.reports.judges.sheet_text import Contest, contest
from inspect_debate.reports.logs import Log
from inspect_debate.reports.samples import Held
from inspect_debate.scorers.error_detection import error_detection
from tests.scorers.recorded import Recorded, score_records
from tests.support.made import answer, made_record, speech, verdict
from tests.support.runs import item

MODEL = "scripted/hush-4"
"""The model that plays everybody."""

GOLD = "EEENNN"
MODEL_JUDGE = "ENENEN"
MARY = "EEENNN"
TOM = "EENNNE"
ZOE = "EN-N-E"
"""Six debates: what is right (E an error, N none), and what four judges say of each."""

FIRST = {"ab": "debater_a", "ba": "debater_b"}
NAMES = {"E": "error", "N": "no_error"}


def debate(*verdicts: Turn, **changes: Any) -> DebateRecord:
    """A debate in which Alice argues for an error and Bob for none."""
    given = [
        answer("debater_a", "error", model=MODEL),
        answer("debater_b", "no_error", model=MODEL),
        speech("debater_a", model=MODEL, served="hush-4-0613"),
        speech("debater_b", model=MODEL),
        *(v.model_copy(update={"shown_first": FIRST[str(v.order)]}) for v in verdicts),
    ]
    sides = {"debater_a": ("Alice", "error"), "debater_b": ("Bob", "no_error")}
    people = {turn.participant: turn for turn in given}
    participants = tuple(
        Participant(
            id=id,
            role=turn.role,
            name=sides[id][0] if id in sides else id.title(),
            model=MODEL if id in sides else f"judging/{id}",
            defends=sides[id][1] if id in sides else None,
        )
        for id, turn in people.items()
    )
    values: dict[str, Any] = {
        "turns": tuple(given),
        "participants": participants,
        "parameters": {"quotes": "exact"},
    }
    return made_record(*given, **values | changes)


def six(folder: Path, **changes: Any) -> Path:
    """A log of the six debates, each judged by one model."""
    records = [
        Recorded(NAMES[gold], [debate(verdict(NAMES[given]), **changes)])
        for gold, given in zip(GOLD, MODEL_JUDGE, strict=True)
    ]
    return logged(records, folder)


def logged(records: Sequence[Recorded], folder: Path) -> Path:
    """The log of debates made by hand."""
    log = score_records(records, error_detection(), folder)
    return Path(log.location.removeprefix("file://"))


def fill(key: AnyPath, folder: Path, **judges: str) -> list[Path]:
    """Files that judges filled in: `mary="EN-"`, debate by debate of the log.

    A debate with `-` is left without a verdict.
    """
    read = read_key(key)
    return [
        _filled(read, folder / f"{name}.csv", given) for name, given in judges.items()
    ]


def _filled(key: Key, path: Path, given: str) -> Path:
    rows = []
    for row in key.rows:
        wanted = NAMES.get(given[int(row.id)])
        letters = [letter for letter, named in row.answers.items() if named == wanted]
        rows.append({"code": row.code, "verdict": "".join(letters), "confidence": ""})
    pd.DataFrame(rows).to_csv(path, index=False)
    return path


def as_read(
    record: DebateRecord | None,
    sample: Sample | None = None,
    *,
    run: str = "run",
    metadata: Mapping[str, Any] = MappingProxyType({}),
) -> Held:
    """A debate as it is read from a log, without one."""
    asked = sample or item("item")
    header = EvalSpec(
        eval_id=run,
        created="2030-01-01T00:00:00+00:00",
        task="colmad",
        dataset=EvalDataset(),
        model=MODEL,
        config=EvalConfig(),
    )
    log = Log(Path(f"{run}.eval"), f"{run}.eval", True, EvalLog(eval=header))
    known = (asked.metadata or {}) | dict(metadata)
    return Held(
        log,
        EvalSample(
            id=asked.id or "item",
            epoch=1,
            input=asked.input,
            choices=asked.choices,
            target=asked.target,
            metadata=known,
        ),
        record,
    )


def contested(
    record: DebateRecord | None = None, sample: Sample | None = None, **changes: Any
) -> Contest:
    """A debate that can be judged."""
    found = contest(as_read(record or debate(), sample, **changes))
    assert isinstance(found, Contest), found
    return found
