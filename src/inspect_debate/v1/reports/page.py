"""The debates of a log as one page that a browser opens without a server.

The page lists the debates, which can be filtered, and shows one at a time: the material
beside the speeches, both sides next to each other, with every quote marked in both. It
asks no other host for anything, and what debaters wrote is never read as markup.
"""

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import pandas as pd
from inspect_ai.log import EvalSample
from inspect_ai.model import ChatMessage
from jinja2 import Environment, StrictUndefined

from inspect_debate.v1.debate.conversation import (
    answer_in_words,
    donor_in_words,
    material,
    outcome_in_words,
    shown_value,
    stage_of,
)
from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.outcome import outcome, right_forms
from inspect_debate.v1.debate.paths import AnyPath, user_path
from inspect_debate.v1.debate.progress import counted
from inspect_debate.v1.debate.quotes import quoted
from inspect_debate.v1.debate.record import (
    DebateRecord,
    Quote,
    Status,
    Turn,
    capitalised,
    order_shown,
)
from inspect_debate.v1.debate.record import person as in_words
from inspect_debate.v1.debate.rendering import as_shown
from inspect_debate.v1.debate.stored import archived
from inspect_debate.v1.reports.debates import named_only, state_of
from inspect_debate.v1.reports.elements import Item, Link, Report, Table
from inspect_debate.v1.reports.logs import Log, LogPaths, check_finished, open_logs
from inspect_debate.v1.reports.samples import Held, read_samples

VIEWER = "http://127.0.0.1:7575"
"""Where `inspect view` serves logs, unless it is told otherwise."""

_COUNTS = ("argument", "speech")
"""Fields that only count: words of a speech, and the like."""

DEBATERS = ("debater_a", "debater_b")
_LOST = (Status.UNPARSED, Status.REFUSED, Status.TRUNCATED, Status.CAPPED)


class Pages(NamedTuple):
    """The pages that were written, and sentences about what they lack."""

    files: list[AnyPath]
    notices: list[str]


def write_pages(
    logs: LogPaths,
    out: str | AnyPath,
    *,
    viewer: str = VIEWER,
    allow_partial: bool = False,
) -> Pages:
    """Write a page for each log, called as the log is.

    Args:
        logs: Files or folders, as in `open_logs`.
        out: The folder, which is made if need be.
        viewer: The address of `inspect view`, to which every debate has a link.
        allow_partial: Whether to take logs of runs that did not finish.

    Raises:
        InputError: As `open_logs`; if no log has a record of a debate, or a run did not
            finish.
    """
    folder = user_path(out)
    done = Pages([], [])
    for log in open_logs(logs):
        check_finished(log, allow_partial=allow_partial)
        every = counted(
            read_samples(log), f"Reading {log.path.name}", archived(*log.paths)
        )
        debates = [shown_debate(held) | _shard_of(held) for held in every]
        if not any("turns" in debate for debate in debates):
            done.notices.append(f"{log.typed} has no record of a debate: left out.")
            continue
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{log.path.stem}.html"
        if file in done.files:  # of another folder
            file = folder / f"{log.path.stem}-{len(done.files) + 1}.html"
        file.write_text(rendered(log, debates, viewer), encoding="utf-8")
        done.files.append(file)
    if not done.files:
        raise InputError("None of the logs has a record of a debate.")
    return done


def linked(report: Report, pages: str) -> Report:
    """A report whose table of runs leads to the pages of their debates.

    Args:
        report: The report.
        pages: The folder with the pages, relative to the report's.
    """
    return replace(
        report,
        sections=[
            replace(section, items=[_linked(item, pages) for item in section.items])
            for section in report.sections
        ],
    )


def _linked(item: Item, pages: str) -> Item:
    if not isinstance(item, Table) or item.name != "runs":
        return item
    names = item.frame["Log"].astype(str)
    targets = [quote(f"{pages}/{Path(name).stem}.html") for name in names]
    cells = [Link(*cell) for cell in zip(names, targets, strict=True)]
    column = pd.Series(cells, index=item.frame.index, dtype=object)
    return replace(item, frame=item.frame.assign(Log=column))


def rendered(log: Log, debates: Sequence[dict[str, Any]], viewer: str = VIEWER) -> str:
    """The page of a log's debates, as HTML.

    Args:
        log: The log.
        debates: As `shown_debate` returns them.
        viewer: The address of `inspect view`.
    """
    script = _template("page.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    run = {
        "title": str(
            log.metadata.get("condition")
            or log.metadata.get("protocol")
            or log.header.eval.task
        ),
        "study": log.metadata.get("study") or log.header.eval.task,
        "log": log.path.name,
        "started": log.header.eval.created[:16].replace("T", " "),
        "viewer": f"{viewer.rstrip('/')}/#/logs/",
    }
    listed = [
        {key: debate[key] for key in _LISTED if key in debate} for debate in debates
    ]
    environment = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    return environment.from_string(_template("page.html.j2")).render(
        run=run,
        script=script,
        script_hash=digest,
        index=_data({"run": run, "debates": listed}),
        debates=[_data(debate) for debate in debates],
    )


_LISTED = (
    *("id", "epoch", "outcome", "result", "target", "flipped", "unread", "debated"),
    *("judges", "begins", "error"),
)


def _shard_of(held: Held) -> dict[str, str]:
    """Where the log of a run in shards is that has a debate."""
    if not held.log.shards:
        return {}
    path = held.log.path_of(held.sample.id, held.sample.epoch)
    return {"log": f"{path.parent.name}/{path.name}"}


def _template(name: str) -> str:
    folder = resources.files("inspect_debate.v1.reports") / "templates"
    return (folder / name).read_text(encoding="utf-8")


def _data(value: object) -> str:
    """JSON that may stand in an element `script`: no text in it can end the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").encode("utf-8", "replace").decode("utf-8")


# --- One debate -----------------------------------------------------------------------


def shown_debate(held: Held) -> dict[str, Any]:
    """A debate as the page's script draws it.

    Returns:
        `id`, `epoch`, `target`, `error` (why the sample has no score); `outcome` and
        its `result` (`right`, `wrong`, `undecided`, or empty where nobody knows);
        `flipped`, where the outcome is not debater A's own first answer; `unread`, how
        many fields could not be read; `judges` with what each said; `material`,
        `people`, `turns`, `rows` of turns that are shown side by side, `beliefs` by
        round. Of a sample without a record there are only the first four.
    """
    _, sample, record = held
    targets = [sample.target] if isinstance(sample.target, str) else sample.target
    row: dict[str, Any] = {
        "id": str(sample.id),
        "epoch": sample.epoch,
        "target": _in_words(record, ", ".join(targets)),
        "begins": _begins(sample),
        "error": _why_not(sample, record),
    }
    if record is None:
        return row
    right = right_forms(record, targets) & set(record.choices) if targets else set()
    decided = outcome(record) if record.complete else None
    answer = decided.answer if decided else None
    return row | {
        "outcome": outcome_in_words(record),
        "result": _result(sample, answer, right),
        "flipped": _flipped(record, answer, right),
        "unread": sum(
            f.status in _LOST for t in record.turns for f in t.fields.values()
        ),
        "debated": record.debated,
        "judges": _judges(record, right),
        "material": _material(sample, record),
        "people": [
            {
                "id": p.id,
                "name": p.name,
                "model": p.model,
                "defends": p.defends and answer_in_words(record, p.defends),
            }
            for p in record.participants
        ],
        "turns": [_turn(record, turn) for turn in record.turns],
        "rows": _rows(record),
        "beliefs": _beliefs(record),
        "notes": [named_only(note) for note in _notes(record)],
    }


def _in_words(record: DebateRecord | None, answer: str) -> str:
    """A choice as people write it; free answers stay as they are compared."""
    if record is None or record.answers_free:
        return answer
    return answer_in_words(record, answer)


def _begins(sample: EvalSample) -> str:
    """The first words of what is asked, for the list."""
    asked = sample.input
    text = asked if isinstance(asked, str) else _first_text(asked)
    words = " ".join(text[:400].split())
    return words if len(words) <= 120 else f"{words[:119]}…"


def _first_text(messages: Sequence[ChatMessage]) -> str:
    return next((m.text for m in messages if m.role == "user"), "")


def _why_not(sample: EvalSample, record: DebateRecord | None) -> str | None:
    if sample.error:
        return named_only(sample.error.message)
    if record is None:
        return "There is no record of a debate."
    if not record.complete:
        return named_only(record.ended_by or "The debate did not end.")
    return None


def _result(sample: EvalSample, answer: str | None, right: set[str]) -> str:
    """As the scores have it, which know of coins and graded answers, else by target."""
    if not sample.target:
        return ""
    if answer is None:
        return "undecided"
    for score in (sample.scores or {}).values():
        if isinstance(score.value, dict) and score.value.get("correct") in (0, 1):
            return "right" if score.value["correct"] else "wrong"
    return "right" if answer in right else "wrong" if right else "undecided"


def _flipped(record: DebateRecord, answer: str | None, right: set[str]) -> str:
    first = next((t for t in record.of_kind("answer") if t.draw in (0, 1)), None)
    own = first.field("answer").value if first else None
    if own is None or answer is None or own == answer or own not in record.choices:
        return ""
    if not right:
        return "changed"
    return "to right" if answer in right else "to wrong" if own in right else "changed"


def _judges(record: DebateRecord, right: set[str]) -> dict[str, dict[str, str]]:
    """By judge: the answers of its verdicts, and whether all of them are right."""
    found: dict[str, dict[str, str]] = {}
    for judge in record.participants:
        verdicts = [t for t in record.of_kind("verdict") if t.participant == judge.id]
        answers = [t.field("answer") for t in verdicts if "answer" in t.fields]
        if not answers:
            continue
        read = {str(a.value) for a in answers if a.status == Status.OK}
        result = ""
        if right:
            whole = all(a.status == Status.OK for a in answers)
            result = "right" if whole and read <= right else "wrong"
            result = "undecided" if not whole or len(read) > 1 else result
        said = dict.fromkeys(_in_words(record, shown_value(a)) for a in answers)
        found[in_words(judge.id)] = {"said": ", ".join(said), "result": result}
    return found


def _notes(record: DebateRecord) -> Iterator[str]:
    if record.skip_reason:
        yield f"There was no debate: {record.skip_reason}."
    if record.donor:
        yield donor_in_words(record.donor)
    if record.reused_from:
        yield "Turns marked as reused are from an earlier run."
    yield from record.warnings


# --- The material ---------------------------------------------------------------------


def _material(sample: EvalSample, record: DebateRecord) -> list[dict[str, str]]:
    """What the debate is about, as participants were shown it, by source of quotes."""
    try:
        parts = material(state_of(sample), record)
    except InputError:  # an input that a debate cannot take
        parts = []
    return [
        {"name": part.name, "title": part.title, "text": as_shown(part.text)}
        for part in parts
    ]


# --- Turns ----------------------------------------------------------------------------


def _turn(record: DebateRecord, turn: Turn) -> dict[str, Any]:
    fields = [
        [name.replace("_", " "), _field(record, name, shown_value(field))]
        for name, field in turn.fields.items()
        if field.status != Status.MISSING
        and (name not in _COUNTS or field.status != Status.OK)
        and len(shown_value(field)) <= 200
    ]
    told = {
        "who": turn.participant,
        "text": list(_passages(turn)),
        "fields": fields,
        "private": turn.private,
        "reasoning": turn.reasoning,
        "superseded": list(turn.superseded),
        "shown": order_shown(record, turn) if turn.order else "",
        "reused": turn.reused,
    }
    return {key: value for key, value in told.items() if value}


def _field(record: DebateRecord, name: str, value: str) -> str:
    return _in_words(record, value) if name in ("answer", "final") else value


def _passages(turn: Turn) -> Iterator[dict[str, Any]]:
    """The public text, cut at its quotes; of one that was found, where it stands."""
    checked = list(turn.quotes)
    for passage in quoted(turn.public):
        if passage.quote is None:
            yield {"text": passage.text}
            continue
        known = _taken(checked, passage.text)
        told: dict[str, Any] = {"text": passage.text, "quote": passage.quote}
        if known is not None and known.verified:
            told |= {"source": known.source, "start": known.start, "end": known.end}
            told["quote"] = "typography" if known.typography else "verified"
        yield told


def _taken(quotes: list[Quote], text: str) -> Quote | None:
    """The next quote of this text, which is taken from the list."""
    for place, one in enumerate(quotes):
        if one.text.strip() == text.strip():
            return quotes.pop(place)
    return None


def _rows(record: DebateRecord) -> list[dict[str, Any]]:
    """Turns that belong together, in order, with the column of each.

    The first two debaters have a column each (0, 1); who judges or grades, and a third
    debater, has the whole width (None).
    """
    debaters = [p.id for p in record.participants if p.role in DEBATERS]
    columns = {id: place for place, id in enumerate(debaters[:2])} if debaters else {}
    rows: list[dict[str, Any]] = []
    for index, turn in enumerate(record.turns):
        stage = _row_name(record, turn)
        if not rows or rows[-1]["stage"] != stage:
            rows.append({"stage": stage, "cells": []})
        rows[-1]["cells"].append([index, columns.get(turn.participant)])
    return rows


def _row_name(record: DebateRecord, turn: Turn) -> str:
    if turn.kind == "sample":
        of_round = f" of round {turn.round}" if turn.round else ""
        return f"{turn.kind.capitalize()}s{of_round}"
    return capitalised(stage_of(record, turn))


def _beliefs(record: DebateRecord) -> list[dict[str, Any]]:
    """Stated confidences over rounds, where there are at least two points."""
    series = []
    for person in record.participants:
        points = list(_points(person.id, record.turns))
        if len({place for place, _ in points}) > 1:
            series.append({"name": person.name, "points": points})
    title = "Stated confidence, percent"
    return [{"title": title, "series": series}] if series else []


def _points(id: str, turns: Iterable[Turn]) -> Iterator[list[float]]:
    for turn in turns:
        value = turn.field("confidence").value
        asked = turn.participant == id and turn.role in DEBATERS and turn.draw <= 1
        if asked and isinstance(value, int | float):
            yield [turn.round, round(100 * float(value), 1)]
