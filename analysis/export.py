"""Writing debates and turns to files, if need be without the data set's words."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
from inspect_ai.log import EvalSample
from pandas.api.types import infer_dtype, is_object_dtype

from inspect_debate.analysis.debates import Held, debate_row, read_debates, turn_rows
from inspect_debate.analysis.logs import Log, LogPaths
from inspect_debate.analysis.redaction import Redactor, masked, strings
from inspect_debate.core.errors import check_choice
from inspect_debate.core.paths import user_path
from inspect_debate.core.question import fingerprint

FORMATS = ("csv", "jsonl", "parquet")

# Data sets whose authors ask that examples not be published in plain text.
_NOT_IN_PLAIN_TEXT = ("realmistake",)


def export(
    logs: LogPaths, out: str | Path, *, redact: bool = False, format: str = "csv"
) -> list[str]:
    """Write `debates` and `turns`, one file each, over what may be there.

    Args:
        logs: As in `read_debates`.
        out: The folder, which is made if need be.
        redact: Whether to mask in every text each run of words that the samples of the
            logs have too (`Redactor`). A sample's id that has one becomes a hash.
        format: In `csv` and `parquet` lists and mappings are JSON texts.

    Returns:
        Sentences about what may not be published as it is.

    Raises:
        InputError: As `read_debates`; if the format is unknown.
        RuntimeError: If words of the data set would remain; nothing is written then.
    """
    check_choice("format", format, FORMATS)
    debates = list(read_debates(logs))
    tables = {
        "debates": [debate_row(held) for held in debates],
        "turns": [row for held in debates for row in turn_rows(held)],
    }
    if redact:
        redactor = Redactor(text for held in debates for text in _data(held.sample))
        tables = {
            name: [_redacted(row, redactor) for row in rows]
            for name, rows in tables.items()
        }
    folder = user_path(out)
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in tables.items():
        _write(pd.DataFrame(rows), folder / f"{name}.{format}", format)
    return [] if redact else _cautions(debates)


def _data(sample: EvalSample) -> Iterator[str]:
    """The texts of a sample that came with its data set."""
    messages = [sample.input] if isinstance(sample.input, str) else sample.input
    yield from (m if isinstance(m, str) else m.text for m in messages)
    yield from strings(sample.choices)
    yield from strings(sample.target)
    yield from strings(sample.metadata)


def _redacted(row: dict[str, Any], redactor: Redactor) -> dict[str, Any]:
    found = {name: masked(value, redactor) for name, value in row.items()}
    if found["id"] != row["id"]:
        found["id"] = fingerprint(row["id"])
    for text in strings(found):
        redactor.check(text)
    return found


def _write(frame: pd.DataFrame, path: Path, format: str) -> None:
    if format == "jsonl":
        frame.to_json(
            path, orient="records", lines=True, force_ascii=False, date_format="iso"
        )
        return
    for name in [name for name in frame if is_object_dtype(frame[name])]:
        frame[name] = frame[name].map(_as_text)
        if infer_dtype(frame[name], skipna=True).startswith("mixed"):
            frame[name] = frame[name].map(str, na_action="ignore")
    if format == "csv":
        frame.to_csv(path, index=False)
    else:
        frame.to_parquet(path, index=False)


def _as_text(value: object) -> object:
    nested = isinstance(value, list | dict)
    return json.dumps(value, ensure_ascii=False) if nested else value


def _cautions(debates: list[Held]) -> list[str]:
    names = {held.log.header.eval.dataset.name for held in debates if _asks(held.log)}
    return [
        f"{name}: its authors ask that its examples not be published in plain text; "
        "use --redact for files that others will see."
        for name in sorted(str(name) for name in names)
    ]


def _asks(log: Log) -> bool:
    data = log.metadata.get("data") or {}
    name = log.header.eval.dataset.name
    return name in _NOT_IN_PLAIN_TEXT and data.get("source") != "sample"
