"""What comes back from human judges: tables, and scores for the logs."""

import codecs
import json
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from io import StringIO
from itertools import combinations, product
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pandas as pd
from inspect_ai import score
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log
from inspect_ai.scorer import (
    Score,
    Scorer,
    Target,
    mean,
    precomputed_scores,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.outcome import judges_of, majority, outcome
from inspect_debate.debate.paths import user_path
from inspect_debate.debate.record import DebateRecord, Parsed
from inspect_debate.metrics.agreement import cohen_kappa, krippendorff_alpha
from inspect_debate.reports.elements import (
    COUNT,
    NUMBER,
    PERCENT,
    Notice,
    Report,
    Section,
    Table,
)
from inspect_debate.reports.estimates import share
from inspect_debate.reports.judges.sheet import (
    FILLED,
    Key,
    KeyRow,
    debates_of,
    read_key,
    unguarded,
)
from inspect_debate.reports.judges.sheet_text import LETTERS, Contest, DebateKey
from inspect_debate.reports.judges.verdicts import verdict_rows
from inspect_debate.reports.tables import csv_text

# Reading sheets that people filled in, as spreadsheets and the form leave them.

MAJORITY = "majority"
"""A name that no judge can have."""

_SHOWN_PROBLEMS = 5


class Decision(NamedTuple):
    """One judge's verdict on one debate.

    `letter` is X or Y; `confidence` the probability, from 0.5 to 1, that it is right,
    NaN where it was left open.
    """

    code: str
    letter: str
    confidence: float
    comment: str


class Filled(NamedTuple):
    """What one judge filled in, and the debates left without a verdict or left away."""

    judge: str
    decisions: list[Decision]
    empty: int
    absent: int


def read_filled(paths: Sequence[str | Path], codes: Collection[str]) -> list[Filled]:
    """Read filled sheets, one per judge, whose name is the file's.

    Commas, semicolons or tabs between cells, any line ends, a byte order mark and
    Windows' own encoding are all welcome, rows and columns may stand in any order, and
    rows may be missing.

    Args:
        paths: The files.
        codes: The codes on the sheet.

    Raises:
        InputError: If a file cannot be read or is no sheet, two judges have one name,
            or a cell holds what it must not: all such cells are told at once.
    """
    files = [(_judge(path), _table(path)) for path in paths]
    names = Counter(judge for judge, _ in files)
    if doubled := [name for name, files_of in names.items() if files_of > 1]:
        raise InputError(
            f"Two files are of a judge {doubled[0]}; the name of a file is that of its "
            "judge, and each judge has one."
        )
    if MAJORITY in names:
        raise InputError(f"A judge cannot be called {MAJORITY}; rename the file.")
    problems = [
        f"{judge}: {problem}"
        for judge, table in files
        for problem in _problems(table, codes)
    ]
    if problems:
        shown = "; ".join(problems[:_SHOWN_PROBLEMS])
        more = len(problems) - _SHOWN_PROBLEMS
        raise InputError(shown + (f"; and {more} more." if more > 0 else "."))
    return [_filled(judge, table, codes) for judge, table in files]


def _judge(path: str | Path) -> str:
    """The name of a judge, in letters, digits and underscores."""
    name = re.sub(r"\W+", "_", Path(path).stem).strip("_")
    if not name:
        raise InputError(
            f"{path}: the name of a file is that of its judge; it has none."
        )
    return name


# --- a file ---------------------------------------------------------------------------


def _table(typed: str | Path) -> pd.DataFrame:
    """A file's cells as text, with its columns' names in lower case."""
    path = user_path(typed)
    try:
        text = _decoded(path.read_bytes())
    except OSError as error:
        raise InputError(f"{typed}: cannot read {path}: {error.strerror}.") from error
    header = text.partition("\n")[0]
    separator = max(",;\t", key=header.count)
    try:
        table = pd.read_csv(
            StringIO(text), sep=separator, dtype=str, keep_default_na=False
        )
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise InputError(f"{typed} is not a CSV table: {error}") from error
    table.columns = [str(name).strip().lower() for name in table.columns]
    if missing := [name for name in ("code", "verdict") if name not in table]:
        raise InputError(
            f"{typed} has no column {missing[0]}; its columns are "
            f"{', '.join(table.columns)}."
        )
    trimmed = table.reindex(columns=["code", *FILLED], fill_value="").map(str.strip)
    # Spreadsheets save rows of nothing below a table.
    return trimmed[(trimmed != "").any(axis=1)].reset_index(drop=True)


def _decoded(data: bytes) -> str:
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


# --- its cells ------------------------------------------------------------------------


def _problems(table: pd.DataFrame, codes: Collection[str]) -> Iterator[str]:
    for code, times in Counter(table["code"]).items():
        if code not in codes:
            yield f"code {code!r} is not on the sheet"
        elif times > 1:
            yield f"code {code} stands there {times} times"
    for row in _rows(table):
        if _letter(row) is None:
            allowed = " or ".join(LETTERS)
            yield f"{row['code']}: verdict {row['verdict']!r} is not {allowed}"
        if _confidence(row) is None:
            given = row["confidence"]
            yield f"{row['code']}: confidence {given!r} is not a number from 50 to 100"


def _filled(judge: str, table: pd.DataFrame, codes: Collection[str]) -> Filled:
    decisions = [
        Decision(
            row["code"],
            letter,
            math.nan if confidence is None else confidence,
            unguarded(row["comment"]),
        )
        for row in _rows(table)
        if (letter := _letter(row))
        for confidence in [_confidence(row)]
    ]
    return Filled(
        judge, decisions, len(table) - len(decisions), len(codes) - len(table)
    )


def _rows(table: pd.DataFrame) -> Iterator[Mapping[str, str]]:
    for row in table.to_dict("records"):
        yield {str(name): str(cell) for name, cell in row.items()}


def _letter(row: Mapping[str, str]) -> str | None:
    """The verdict; empty where there is none, None where it is neither letter."""
    letter = row["verdict"].upper()
    return letter if letter in ("", *LETTERS) else None


def _confidence(row: Mapping[str, str]) -> float | None:
    """The confidence as a share; NaN where it was left open, None where it is none."""
    given = row["confidence"].removesuffix("%").strip().replace(",", ".")
    if not given:
        return math.nan
    try:
        percent = float(given)
    except ValueError:
        return None
    return percent / 100 if 50 <= percent <= 100 else None


class Back(NamedTuple):
    """What came back.

    Attributes:
        decisions: Everybody's verdicts, as from `decisions_df`.
        report: All of them as tables, with how much each person judged.
        scores: The files for `precomputed_scores`.
        logs: Copies of the logs that hold the scores, where those were asked for.
    """

    decisions: pd.DataFrame
    report: Report
    scores: list[Path]
    logs: list[Path]


def read_sheets(
    files: Sequence[str | Path],
    key: str | Path,
    out: str | Path,
    *,
    logs: Sequence[str | Path] = (),
    scored_logs: bool = False,
) -> Back:
    """Read the sheets that people filled in, and write what follows from them.

    Args:
        files: Filled sheets, named by their judges.
        key: The key that was written with the sheet.
        out: A folder, which gets `verdicts.csv`, `judges.csv`, `agreement.csv`, and the
            files for `precomputed_scores` by log in `scores`.
        logs: Where the logs are, if they are no longer where they were.
        scored_logs: Whether to write copies of the logs with people's scores, too.

    Raises:
        InputError: If a file, the key or a log cannot be read, does not belong to the
            others, or has a cell that it must not; if nobody judged anything.
    """
    held = read_key(key)
    rows = {row.code: row for row in held.rows}
    filled = read_filled(files, rows)
    if not any(one.decisions for one in filled):
        raise InputError("No debate has a verdict on any of these sheets.")
    debates = debates_of(held, tuple(logs))
    decisions = decisions_df(held, filled, debates)
    report = _report(decisions, filled, len(rows))

    folder = user_path(out)
    folder.mkdir(parents=True, exist_ok=True)
    decisions.to_csv(folder / "verdicts.csv", index=False)
    for table in report.tables():
        path = folder / f"{table.name}.csv"
        path.write_text(csv_text(table), encoding="utf-8", newline="")
    by_run = score_files(decisions, rows, folder / "scores")
    copies = []
    if scored_logs:
        paths = {one.key[0]: one.held.log.path for one in debates.values()}
        for run, scores in by_run.items():
            copies.append(folder / paths[run].name)
            scored_log(paths[run], scores, copies[-1])
    return Back(
        decisions,
        report,
        [path for scores in by_run.values() for path in scores.values()],
        copies,
    )


def _report(decisions: pd.DataFrame, filled: Sequence[Filled], debates: int) -> Report:
    people = alpha(decisions)
    judged = decisions.loc[decisions["kind"] == "human", "code"].nunique()
    return Report(
        title="Human judges",
        study=f"{judged} of the {debates} debates on the sheet were judged.",
        notices=[Notice(_told(one, debates), "info") for one in filled],
        sections=[
            Section("Judges", items=[judges_table(decisions, debates)]),
            Section(
                "Agreement",
                f"Krippendorff's alpha of all people: {NUMBER(people)}.",
                [pairs_table(decisions)],
            ),
        ],
    )


def _told(one: Filled, debates: int) -> str:
    said = f"{one.judge} judged {len(one.decisions)} of {debates} debates"
    gone = [
        f"{number} {what}"
        for number, what in (
            (one.empty, "without a verdict"),
            (one.absent, "not in the file"),
        )
        if number
    ]
    return f"{said} ({', '.join(gone)})." if gone else f"{said}."


# People's verdicts as scores: files for Inspect's `precomputed_scores`, and logs.

VALUES = ("correct", "first_answer", "for_first_shown", "confidence")
"""The keys of a score in a log: columns of `decisions_df`."""


def score_files(
    decisions: pd.DataFrame, rows: Mapping[str, KeyRow], folder: Path
) -> dict[str, dict[str, Path]]:
    """Write what `precomputed_scores` reads: a file per log, and person or majority.

    Args:
        decisions: As from `decisions_df`.
        rows: The key's rows, by code.
        folder: Where to write: a folder per log. A record's value is whether the
            verdict is right, so that it has an accuracy; all else is in its metadata.

    Returns:
        The files, by the log's run and the name of the score, such as `human_mary`.
    """
    of_people = decisions[decisions["kind"] != "model"]
    files: dict[str, dict[str, Path]] = {}
    for (run, log, judge), of in of_people.groupby(["run", "log", "judge"], sort=False):
        path = folder / Path(str(log)).stem / f"human_{judge}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        records = [_record(verdict, rows[verdict["code"]]) for verdict in _dicts(of)]
        path.write_text(
            json.dumps(records, indent=1, ensure_ascii=False), encoding="utf-8"
        )
        files.setdefault(str(run), {})[path.stem] = path
    return files


def scored_log(log: Path, files: Mapping[str, Path], out: Path) -> EvalLog:
    """Write a copy of a log with people's scores beside its own.

    No model is asked or needed.

    Args:
        log: The log.
        files: Files by the name of the score, as from `score_files`.
        out: The copy.
    """
    read = read_eval_log(str(log))
    header = read.eval
    # Else Inspect would make the run's models, for which keys may be missing here.
    read.eval = header.model_copy(update={"model_roles": None})
    scored = score(
        read,
        [_scorer(name, path) for name, path in files.items()],
        action="append",
        model="none/none",
        display="none",
        copy=False,
    )
    scored.eval = header.model_copy(update={"scorers": scored.eval.scorers})
    write_eval_log(scored, str(out))
    return scored


def _scorer(name: str, path: Path) -> Scorer:
    """`precomputed_scores` under a name of its own, by which the log tells judges."""

    @scorer(metrics={key: [mean(), stderr()] for key in VALUES}, name=name)
    def human() -> Scorer:
        precomputed = precomputed_scores(str(path))

        async def score(state: TaskState, target: Target) -> Score | None:
            found = await precomputed(state, target)
            if found is None:
                return None
            told = {"correct": found.value, **(found.metadata or {})}
            return found.model_copy(update={"value": {k: told[k] for k in VALUES}})

        return score

    return human()


def _record(verdict: Mapping[str, Any], row: KeyRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "epoch": row.epoch,
        "value": verdict["correct"],
        "answer": verdict["answer"],
        "explanation": verdict["comment"] or None,
        "metadata": {
            "judge": verdict["judge"],
            "code": row.code,
            "order": row.order,
            "shown_first": row.shown_first,
            **{key: verdict[key] for key in VALUES[1:]},
        },
    }


def _dicts(frame: pd.DataFrame) -> Iterator[dict[str, Any]]:
    for row in frame.to_dict("records"):
        yield {str(name): value for name, value in row.items()}


# Verdicts on the debates of a sheet: people's, their majority's, and models'.

Kind = Literal["human", "majority", "model"]


class Verdict(NamedTuple):
    """One verdict on one debate, in the terms of the debate.

    Attributes:
        judge: Who decided: a name, `majority`, or a model.
        kind: Whether that is a person, the majority of people, or a model.
        code: The debate's code.
        log: The log that it is in.
        run: That log's eval id.
        id: Its sample.
        epoch: Its epoch.
        input_group: What makes debates dependent: their question.
        answer: The answer decided for; None of a model that named each of them in one
            of two orders.
        first_answer: 1 if it is the first of the two among the choices, else 0.
        correct: 1 if it is the right one, else 0; NaN where that is not known.
        for_first_shown: The share of this judge's verdicts on the debate that are for
            the side that it was shown first: of a person 0 or 1, of a model that was
            shown both orders perhaps 0.5; NaN for the majority.
        confidence: The probability of being right, from 0.5 to 1; NaN if not told.
        comment: What a person wrote beside it.
    """

    judge: str
    kind: Kind
    code: str
    log: str
    run: str
    id: str
    epoch: int
    input_group: str
    answer: str | None
    first_answer: float
    correct: float
    for_first_shown: float
    confidence: float
    comment: str


def decisions_df(
    key: Key, filled: Sequence[Filled], debates: Mapping[DebateKey, Contest]
) -> pd.DataFrame:
    """All verdicts on the debates of a sheet, with the columns of `Verdict`.

    Args:
        key: The sheet's key.
        filled: What people filled in.
        debates: The debates, as from `debates_of`.
    """
    rows = {row.code: row for row in key.rows}
    human = [
        _human(one.judge, decision, rows[decision.code], debates)
        for one in filled
        for decision in one.decisions
    ]
    verdicts = [
        *human,
        *_majorities(human, rows, debates),
        *(v for row in key.rows for v in _of_models(row, debates[row.debate])),
    ]
    return pd.DataFrame(verdicts, columns=list(Verdict._fields))


def _human(
    judge: str,
    decision: Decision,
    row: KeyRow,
    debates: Mapping[DebateKey, Contest],
) -> Verdict:
    answer = row.answers[decision.letter]
    return _verdict(
        judge,
        "human",
        row,
        debates[row.debate],
        answer,
        for_first_shown=float(answer == next(iter(row.answers.values()))),
        confidence=decision.confidence,
        comment=decision.comment,
    )


def _majorities(
    human: Iterable[Verdict],
    rows: Mapping[str, KeyRow],
    debates: Mapping[DebateKey, Contest],
) -> Iterator[Verdict]:
    """The answer of most people; a tie is nobody's.

    Its confidence is the mean probability that those who told one give it.
    """
    by_code: dict[str, list[Verdict]] = {}
    for verdict in human:
        by_code.setdefault(verdict.code, []).append(verdict)
    for code, verdicts in by_code.items():
        answer = majority(Parsed.ok(str(v.answer)) for v in verdicts).answer
        if answer is None:
            continue
        told = [
            v.confidence if v.answer == answer else 1 - v.confidence
            for v in verdicts
            if not math.isnan(v.confidence)
        ]
        row = rows[code]
        yield _verdict(
            MAJORITY,
            "majority",
            row,
            debates[row.debate],
            answer,
            confidence=sum(told) / len(told) if told else math.nan,
        )


def _of_models(row: KeyRow, debate: Contest) -> Iterator[Verdict]:
    """The log's own judges. One that was turned round by the order has no answer.

    A judge is left out of debates on which none of its verdicts could be read.
    """
    record = debate.record
    names = _names(record)
    given = list(verdict_rows(debate.held))
    for judge in judges_of(record):
        firsts = [g["first"] for g in given if g["judge"] == judge and g["answer"]]
        if not firsts:
            continue
        yield _verdict(
            names[judge],
            "model",
            row,
            debate,
            outcome(record, judge=judge).answer,
            for_first_shown=sum(firsts) / len(firsts),
        )


def _names(record: DebateRecord) -> dict[str, str]:
    """Judges by the model, and by their seat where a model sits in several."""
    models = {judge: record.participant(judge).model for judge in judges_of(record)}
    return {
        judge: model if [*models.values()].count(model) == 1 else f"{model} ({judge})"
        for judge, model in models.items()
    }


def _verdict(
    judge: str,
    kind: Kind,
    row: KeyRow,
    debate: Contest,
    answer: str | None,
    **told: Any,
) -> Verdict:
    def among(answers: Collection[str]) -> float:
        known = answer is not None and answers
        return float(answer in answers) if known else math.nan

    facts: dict[str, Any] = {
        "for_first_shown": math.nan,
        "confidence": math.nan,
        "comment": "",
    }
    return Verdict(
        judge=judge,
        kind=kind,
        code=row.code,
        log=row.log,
        run=row.run,
        id=row.id,
        epoch=row.epoch,
        input_group=debate.question,
        answer=answer,
        first_answer=among(debate.answers[:1]),
        correct=among(debate.accepted),
        **facts | told,
    )


# How far people agree with each other and with the models that judged the same.

_KINDS = {"human": "person", "majority": "people", "model": "model"}
_CLUSTERED = "95 % intervals, in which debates about one question are one observation."


def judges_table(decisions: pd.DataFrame, debates: int) -> Table:
    """Every judge by itself.

    Args:
        decisions: As from `decisions_df`.
        debates: How many debates the sheet has.
    """
    rows = [
        {
            "Judge": judge,
            "Who": _KINDS[str(of["kind"].iloc[0])],
            "Judged": (judged := int(of["first_answer"].count())),
            "Not": debates - judged,
            **share(of, "correct").columns("Accuracy"),
            **share(of, "for_first_shown").columns("First shown"),
            "Confidence": of["confidence"].mean(),
        }
        for judge, of in _by_judge(decisions)
    ]
    frame = pd.DataFrame(rows)
    shares = ("Accuracy", "First shown", "Confidence")
    return Table(
        name="judges",
        title="Judges",
        frame=frame,
        formats={
            **dict.fromkeys(shares, PERCENT),
            **dict.fromkeys(("Judged", "Not"), COUNT),
        },
        note="Percent. Judged, or not: debates with a verdict, or without. A tie is "
        "nobody's majority, and a model that named each answer in one of two orders "
        "has no verdict. First shown: of all verdicts, those for the side that the "
        "judge was shown first; on the sheet that is the right one as often as not. "
        f"Confidence: the mean of those that were told. {_CLUSTERED}",
    )


def pairs_table(decisions: pd.DataFrame) -> Table:
    """How far people agree with each other, and they and their majority with models.

    Args:
        decisions: As from `decisions_df`.
    """
    frame = pd.DataFrame(
        [_pair(decisions, one, other) for one, other in _pairs(decisions)],
        columns=_PAIR,
    )
    return Table(
        name="agreement",
        title="Agreement",
        frame=frame,
        formats={"Agreement": PERCENT, "Debates": COUNT},
        note="Agreement in percent, on the debates that both judged; Cohen's kappa is "
        "what goes beyond chance, with the answer that stands first among the choices "
        f"and the other one as categories. {_CLUSTERED}",
    )


def alpha(decisions: pd.DataFrame) -> float:
    """Krippendorff's alpha of all people; NaN if they cannot be told from chance.

    Args:
        decisions: As from `decisions_df`.
    """
    people = decisions[decisions["kind"] == "human"]
    if people.empty:
        return float("nan")
    return krippendorff_alpha(
        people.pivot(index="code", columns="judge", values="first_answer")
    )


_PAIR = (
    *("Judge", "Other judge", "Debates"),
    *("Agreement", "Agreement low", "Agreement high", "Kappa"),
)


def _by_judge(decisions: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    for (_, judge), of in decisions.groupby(["kind", "judge"], sort=False):
        yield str(judge), of


def _pairs(decisions: pd.DataFrame) -> Iterator[tuple[str, str]]:
    named = {
        kind: [str(name) for name in decisions.loc[decisions["kind"] == kind, "judge"]]
        for kind in _KINDS
    }
    people, majority, models = (list(dict.fromkeys(named[kind])) for kind in _KINDS)
    yield from combinations(people, 2)
    # The majority of one is that one.
    yield from product([*people, *(majority if len(people) > 1 else [])], models)


def _pair(decisions: pd.DataFrame, one: str, other: str) -> dict[str, object]:
    known = decisions.dropna(subset=["first_answer"])
    a, b = (known[known["judge"] == name].set_index("code") for name in (one, other))
    both = a.join(b["first_answer"].rename("other"), how="inner")
    same = both["first_answer"] == both["other"]
    return {
        "Judge": one,
        "Other judge": other,
        "Debates": len(both),
        **share(both.assign(same=same.astype(float)), "same").columns("Agreement"),
        "Kappa": cohen_kappa(list(both["first_answer"]), list(both["other"])),
    }
