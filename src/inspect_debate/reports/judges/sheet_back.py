"""What comes back from human judges: tables, and scores for the logs."""

import codecs
import json
import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from io import StringIO
from itertools import combinations, product
from pathlib import Path
from typing import Any, NamedTuple

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
from inspect_debate.debate.paths import (
    AnyPath,
    any_path,
    local_copy,
    reason_of,
    user_path,
)
from inspect_debate.debate.record import DebateRecord, Parsed
from inspect_debate.metrics.agreement import cohen_kappa, krippendorff_alpha
from inspect_debate.reports.elements import (
    COUNT,
    NUMBER,
    PERCENT,
    Column,
    Notice,
    Report,
)
from inspect_debate.reports.estimates import share
from inspect_debate.reports.judges.judged import judged_by, write_judged
from inspect_debate.reports.judges.sheet import (
    FILLED,
    Key,
    KeyRow,
    debates_of,
    read_key,
    unguarded,
)
from inspect_debate.reports.judges.sheet_text import LETTERS, Contest, DebateKey
from inspect_debate.reports.judges.steps import (
    MAJORITY,
    SUFFIX,
    Decision,
    by_code,
    decisions,
    person,
    read_said,
)
from inspect_debate.reports.judges.verdicts import verdict_rows
from inspect_debate.reports.probabilities import (
    FORMATS,
    PARTS,
    READING,
    known_rows,
    measures,
)
from inspect_debate.reports.tables import csv_text
from inspect_debate.reports.views import DataReport, Part, Rows

# Reading sheets that people filled in, as spreadsheets and the form leave them.

_SHOWN_PROBLEMS = 5


class Filled(NamedTuple):
    """What one judge filled in, and the debates left without a verdict or left away."""

    judge: str
    decisions: list[Decision]
    empty: int
    absent: int


def read_filled(paths: Sequence[str | AnyPath], codes: Collection[str]) -> list[Filled]:
    """Read filled sheets, one per judge, whose name is the file's.

    Files of `inspect-debate judge` end in `.jsonl`; all others are tables. In these
    commas, semicolons or tabs between cells, any line ends, a byte order mark and
    Windows' own encoding are all welcome, rows and columns may be in any order, and
    rows may be missing.

    Args:
        paths: The files.
        codes: The codes on the sheet.

    Raises:
        InputError: If a file cannot be read or is no sheet, two judges have one name,
            or a cell has what it must not: the error names all such cells.
    """
    judges = [_judge(path) for path in paths]
    names = Counter(judges)
    if doubled := [name for name, files_of in names.items() if files_of > 1]:
        raise InputError(
            f"Two files are of a judge {doubled[0]}; the name of a file is that of its "
            "judge, and each judge has one."
        )
    if MAJORITY in names:
        raise InputError(f"A judge cannot be called {MAJORITY}; rename the file.")
    stepped = [
        _stepped(judge, user_path(path), codes)
        for judge, path in zip(judges, paths, strict=True)
        if any_path(path).suffix == SUFFIX
    ]
    files = [
        (judge, _table(path))
        for judge, path in zip(judges, paths, strict=True)
        if any_path(path).suffix != SUFFIX
    ]
    problems = [
        f"{judge}: {problem}"
        for judge, table in files
        for problem in _problems(table, codes)
    ]
    if problems:
        shown = "; ".join(problems[:_SHOWN_PROBLEMS])
        more = len(problems) - _SHOWN_PROBLEMS
        raise InputError(shown + (f"; and {more} more." if more > 0 else "."))
    filled = [_filled(judge, table, codes) for judge, table in files]
    return sorted([*stepped, *filled], key=lambda one: judges.index(one.judge))


def _judge(path: str | AnyPath) -> str:
    """The name of a judge, in letters, digits and underscores."""
    name = person(any_path(path).stem)
    if not name:
        raise InputError(
            f"{path}: the name of a file is that of its judge; it has none."
        )
    return name


def _table(typed: str | AnyPath) -> pd.DataFrame:
    """A file's cells as text, and beside them `letter` and `percent` as they are read.

    `percent` is NaN where the confidence is no number.
    """
    path = user_path(typed)
    try:
        text = _decoded(path.read_bytes())
    except OSError as error:
        raise InputError(f"{typed}: cannot read {path}: {reason_of(error)}.") from error
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
    filled = trimmed[(trimmed != "").any(axis=1)].reset_index(drop=True)
    percent = filled["confidence"].str.removesuffix("%").str.replace(",", ".")
    return filled.assign(
        letter=filled["verdict"].str.upper(),
        percent=pd.to_numeric(percent.str.strip(), errors="coerce"),
    )


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


def _problems(table: pd.DataFrame, codes: Collection[str]) -> Iterator[str]:
    for code, times in Counter(table["code"]).items():
        if code not in codes:
            yield f"code {code!r} is not on the sheet"
        elif times > 1:
            yield f"code {code} is there {times} times"
    for row in table.to_dict("records"):
        if row["letter"] not in ("", *LETTERS):
            allowed = " or ".join(LETTERS)
            yield f"{row['code']}: verdict {row['verdict']!r} is not {allowed}"
        if row["confidence"] and not 50 <= row["percent"] <= 100:
            given = row["confidence"]
            yield f"{row['code']}: confidence {given!r} is not a number from 50 to 100"


def _filled(judge: str, table: pd.DataFrame, codes: Collection[str]) -> Filled:
    decisions = [
        Decision(
            row["code"], row["letter"], row["percent"] / 100, unguarded(row["comment"])
        )
        for row in table.to_dict("records")
        if row["letter"]
    ]
    return Filled(
        judge, decisions, len(table) - len(decisions), len(codes) - len(table)
    )


def _stepped(judge: str, path: AnyPath, codes: Collection[str]) -> Filled:
    """What a judge said step by step; without a verdict a debate is not judged."""
    if not path.exists():
        raise InputError(f"There is no file {path}.")
    said = by_code(read_said(path, codes))
    decided = list(decisions(said))
    return Filled(judge, decided, len(said) - len(decided), len(codes) - len(said))


class Back(NamedTuple):
    """What came back.

    Attributes:
        decisions: Everybody's verdicts, as from `decisions_df`.
        report: All of them as tables, with how much each person judged.
        scores: The files for `precomputed_scores`.
        logs: Copies of the logs that hold the scores, where those were asked for.
        judged: Logs in which people are the judges, likewise.
    """

    decisions: pd.DataFrame
    report: Report
    scores: list[AnyPath]
    logs: list[AnyPath]
    judged: list[AnyPath]


def read_sheets(
    files: Sequence[str | AnyPath],
    key: str | AnyPath,
    out: str | AnyPath,
    *,
    logs: Sequence[str | AnyPath] = (),
    scored_logs: bool = False,
    judged_logs: bool = False,
) -> Back:
    """Read the sheets that people filled in, and write what follows from them.

    Args:
        files: Filled sheets, named by their judges.
        key: The key that was written with the sheet.
        out: A folder, which gets `verdicts.csv`, `judges.csv`, `confidences.csv` where
            there are any, `agreement.csv` where two judged, and the files for
            `precomputed_scores` by log in `scores`.
        logs: Where the logs are, if they are no longer where they were.
        scored_logs: Whether to write copies of the logs with people's scores, too.
        judged_logs: Whether to write a log of each person and run, in which the person
            is the judge, too.

    Raises:
        InputError: If a file, the key or a log cannot be read, does not belong to the
            others, or has a cell that it must not; if nobody judged anything.
    """
    sheet = read_key(key)
    rows = {row.code: row for row in sheet.rows}
    filled = read_filled(files, rows)
    if not any(one.decisions for one in filled):
        raise InputError("No debate has a verdict on any of these sheets.")
    debates = debates_of(sheet, tuple(logs))
    decisions = decisions_df(sheet, filled, debates)
    report = _REPORT.of(_Judged(decisions, filled, len(rows)))

    folder = user_path(out)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "verdicts.csv").open("w", encoding="utf-8", newline="") as file:
        decisions.to_csv(file, index=False)
    for table in report.tables():
        path = folder / f"{table.name}.csv"
        path.write_text(csv_text(table), encoding="utf-8", newline="")
    by_run = score_files(decisions, rows, folder / "scores")
    copies = []
    if scored_logs:
        paths = {one.key[0]: one.logged.log.paths for one in debates.values()}
        for run, scores in by_run.items():
            for path in paths[run]:
                copies.append(folder / path.name)
                scored_log(path, scores, copies[-1])
    return Back(
        decisions,
        report,
        [path for scores in by_run.values() for path in scores.values()],
        copies,
        [*_judged_logs(filled, rows, debates, folder)] if judged_logs else [],
    )


def _judged_logs(
    filled: Sequence[Filled],
    rows: Mapping[str, KeyRow],
    debates: Mapping[DebateKey, Contest],
    folder: AnyPath,
) -> Iterator[AnyPath]:
    """Write a log of each person and run."""
    for one in filled:
        by_run: dict[str, dict[tuple[str, int], DebateRecord]] = {}
        for decision in one.decisions:
            row = rows[decision.code]
            record = judged_by(one.judge, decision, row, debates[row.debate])
            by_run.setdefault(row.run, {})[row.id, row.epoch] = record
        for run, records in by_run.items():
            log = next(d.logged.log for key, d in debates.items() if key[0] == run)
            yield write_judged(log, one.judge, records, folder)


# People's verdicts as scores: files for Inspect's `precomputed_scores`, and logs.

VALUES = ("correct", "first_answer", "for_first_shown", "confidence")
"""The keys of a score in a log: columns of `decisions_df`."""


def score_files(
    decisions: pd.DataFrame, rows: Mapping[str, KeyRow], folder: AnyPath
) -> dict[str, dict[str, AnyPath]]:
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
    files: dict[str, dict[str, AnyPath]] = {}
    for (run, log, judge), of in of_people.groupby(["run", "log", "judge"], sort=False):
        path = folder / Path(str(log)).stem / f"human_{judge}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        records = [_record(verdict, rows[verdict["code"]]) for verdict in _dicts(of)]
        path.write_text(
            json.dumps(records, indent=1, ensure_ascii=False), encoding="utf-8"
        )
        files.setdefault(str(run), {})[path.stem] = path
    return files


def scored_log(log: AnyPath, files: Mapping[str, AnyPath], out: AnyPath) -> EvalLog:
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


def _scorer(name: str, path: AnyPath) -> Scorer:
    """`precomputed_scores` under a name of its own, by which logs name judges."""

    @scorer(metrics={key: [mean(), stderr()] for key in VALUES}, name=name)
    def human() -> Scorer:
        precomputed = precomputed_scores(str(local_copy(path)))

        async def score(state: TaskState, target: Target) -> Score | None:
            found = await precomputed(state, target)
            if found is None:
                return None
            values = {"correct": found.value, **(found.metadata or {})}
            return found.model_copy(update={"value": {k: values[k] for k in VALUES}})

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

DECISION = (
    *("judge", "kind", "code", "log", "run", "id", "epoch", "input_group", "answer"),
    *("first_answer", "correct", "for_first_shown", "confidence", "comment"),
)
"""The columns of `decisions_df`."""


def decisions_df(
    key: Key, filled: Sequence[Filled], debates: Mapping[DebateKey, Contest]
) -> pd.DataFrame:
    """All verdicts on the debates of a sheet: a row per judge and debate.

    Args:
        key: The sheet's key.
        filled: What people filled in.
        debates: The debates, as from `debates_of`.

    Returns:
        The columns of `DECISION`. `judge` is a person, `majority`, or a model, and
        `kind` says which: `human`, `majority` or `model`. `code` and what follows say
        which debate of which log it is; `input_group` is what makes debates dependent:
        their question. `answer` is the one decided for, None of a model that named each
        of them in one of two orders; `first_answer` is 1 if it is the first of the two
        among the choices, else 0; `correct` 1 if it is right, else 0, NaN where that is
        not known. `for_first_shown` is the share of this judge's verdicts on the debate
        that are for the side that it was shown first: of a person 0 or 1, of a model
        that was shown both orders perhaps 0.5, NaN for the majority. `confidence` is
        the probability of being right, from 0.5 to 1, NaN without one; `comment` what a
        person wrote beside it.
    """
    rows = {row.code: row for row in key.rows}
    found = []
    for one in filled:
        for decision in one.decisions:
            row = rows[decision.code]
            answer = row.answers[decision.letter]
            first = next(iter(row.answers.values()))
            found.append(
                _verdict(one.judge, "human", row, debates[row.debate], answer)
                | {"for_first_shown": float(answer == first)}
                | {"confidence": decision.confidence, "comment": decision.comment}
            )
    found += [*_majorities(found, rows, debates)]
    for row in key.rows:
        found += _of_models(row, debates[row.debate])
    return pd.DataFrame(found, columns=pd.Index(DECISION))


def _verdict(
    judge: str, kind: str, row: KeyRow, debate: Contest, answer: str | None
) -> dict[str, Any]:
    def among(answers: Collection[str]) -> float:
        known = answer is not None and answers
        return float(answer in answers) if known else math.nan

    return {
        **{"judge": judge, "kind": kind, "code": row.code, "log": row.log},
        **{"run": row.run, "id": row.id, "epoch": row.epoch},
        "input_group": debate.question,
        "answer": answer,
        "first_answer": among(debate.answers[:1]),
        "correct": among(debate.accepted),
        **{"for_first_shown": math.nan, "confidence": math.nan, "comment": ""},
    }


def _majorities(
    human: Sequence[Mapping[str, Any]],
    rows: Mapping[str, KeyRow],
    debates: Mapping[DebateKey, Contest],
) -> Iterator[dict[str, Any]]:
    """The answer of most people; a tie is nobody's.

    Its confidence is the mean probability that those who gave one see in it.
    """
    for code in dict.fromkeys(one["code"] for one in human):
        verdicts = [one for one in human if one["code"] == code]
        answer = majority(Parsed.ok(str(one["answer"])) for one in verdicts).answer
        if answer is None:
            continue
        given = [
            one["confidence"] if one["answer"] == answer else 1 - one["confidence"]
            for one in verdicts
            if not math.isnan(one["confidence"])
        ]
        row = rows[code]
        confidence = sum(given) / len(given) if given else math.nan
        found = _verdict(MAJORITY, "majority", row, debates[row.debate], answer)
        yield found | {"confidence": confidence}


def _of_models(row: KeyRow, debate: Contest) -> Iterator[dict[str, Any]]:
    """The log's own judges; one that decides by the order has no answer.

    Judges go by their model, and by their role where a model has several. A judge is
    left out of debates on which none of its verdicts could be read.
    """
    record = debate.record
    models = {judge: record.participant(judge).model for judge in judges_of(record)}
    given = list(verdict_rows(debate.logged))
    for judge, model in models.items():
        firsts = [g["first"] for g in given if g["judge"] == judge and g["answer"]]
        if not firsts:
            continue
        name = model if [*models.values()].count(model) == 1 else f"{model} ({judge})"
        answer = outcome(record, judge=judge).answer
        found = _verdict(name, "model", row, debate, answer)
        yield found | {"for_first_shown": sum(firsts) / len(firsts)}


# How far people agree with each other and with the models that judged the same.

_KINDS = {"human": "person", "majority": "people", "model": "model"}


class _Judged(NamedTuple):
    """What the report is about: verdicts, what people filled in, and the debates."""

    decisions: pd.DataFrame
    filled: Sequence[Filled]
    debates: int


def _notices(of: _Judged) -> Iterator[Notice]:
    for one in of.filled:
        gone = [
            f"{number} {what}"
            for number, what in (
                (one.empty, "without a verdict"),
                (one.absent, "not in the file"),
            )
            if number
        ]
        left_out = f" ({', '.join(gone)})" if gone else ""
        judged = f"{len(one.decisions)} of {of.debates} debates"
        yield Notice(f"{one.judge} judged {judged}{left_out}.", "info")


def _judges(of: _Judged) -> Iterator[dict[str, object]]:
    for (kind, judge), verdicts in of.decisions.groupby(["kind", "judge"], sort=False):
        judged = int(verdicts["first_answer"].count())
        yield {
            "Judge": judge,
            "Who": _KINDS[str(kind)],
            "Judged": judged,
            "Not": of.debates - judged,
            "Accuracy": share(verdicts, "correct"),
            "First shown": share(verdicts, "for_first_shown"),
            "Confidence": verdicts["confidence"].mean(),
        }


def _confidences(of: _Judged) -> Iterator[dict[Column, object]]:
    """People's confidences as probabilities that their verdicts are right."""
    rows = of.decisions.rename(columns={"confidence": "p", "correct": "right"})
    # A verdict has one probability.
    rows = rows.assign(question=rows["input_group"], verdict=rows.index)
    given = known_rows(rows.assign(drawn=rows.index))
    for (kind, judge), verdicts in given.groupby(["kind", "judge"], sort=False):
        yield {"Judge": judge, "Who": _KINDS[str(kind)], **measures(verdicts)}


def _pairs(of: _Judged) -> Iterator[dict[str, object]]:
    """People with each other, and they and their majority with models."""
    known = of.decisions.drop_duplicates(["kind", "judge"])
    people, most, models = (list(known["judge"][known["kind"] == k]) for k in _KINDS)
    # The majority of one is that one.
    others = product([*people, *(most if len(people) > 1 else [])], models)
    answered = of.decisions.dropna(subset=["first_answer"]).set_index("code")
    for one, other in [*combinations(people, 2), *others]:
        a, b = (answered[answered["judge"] == name] for name in (one, other))
        both = a.join(b["first_answer"].rename("other"), how="inner")
        same = (both["first_answer"] == both["other"]).astype(float)
        yield {
            "Judge": one,
            "Other judge": other,
            "Debates": len(both),
            "Agreement": share(both.assign(same=same), "same"),
            "Kappa": cohen_kappa(list(both["first_answer"]), list(both["other"])),
        }


def alpha(decisions: pd.DataFrame) -> float:
    """Krippendorff's alpha of all people; NaN where that has no value.

    Args:
        decisions: As from `decisions_df`.
    """
    people = decisions[decisions["kind"] == "human"]
    if people.empty:
        return math.nan
    return krippendorff_alpha(
        people.pivot(index="code", columns="judge", values="first_answer")
    )


_REPORT: DataReport[_Judged] = DataReport(
    title="Human judges",
    source=lambda of: (
        f"{of.decisions.loc[of.decisions['kind'] == 'human', 'code'].nunique()} of the "
        f"{of.debates} debates on the sheet were judged."
    ),
    notices=_notices,
    parts=[
        Part(
            "Judges",
            [
                Rows(
                    *("judges", "Judges", _judges),
                    {
                        **dict.fromkeys(("Judged", "Not"), COUNT),
                        **dict.fromkeys(("Accuracy", "First shown"), PERCENT),
                        "Confidence": PERCENT,
                    },
                    note="In percent, with 95 % intervals in which debates about one "
                    "question are one observation. A tie is nobody's majority, and a "
                    "model that named each answer in one of two orders has no "
                    "verdict.",
                )
            ],
            text="“Judged” and “Not” count debates with and without a verdict. “First "
            "shown” are the verdicts for the side that the judge was shown first, "
            "which on the sheet is the right one as often as not; “Confidence” is the "
            "mean of those that were given.",
        ),
        Part(
            "Confidences",
            [
                Rows(
                    *("confidences", "Confidences as probabilities", _confidences),
                    FORMATS,
                    note=f"Of verdicts with a confidence. {READING}",
                    # For these the terminal is too narrow; the CSV file has them.
                    hidden=(*PARTS, "ECE, equal mass", "Sharpness"),
                )
            ],
        ),
        Part(
            "Agreement",
            [
                Rows(
                    *("agreement", "Agreement", _pairs),
                    {"Agreement": PERCENT, "Debates": COUNT},
                    note="Agreement in percent of the debates that both judged, with "
                    "95 % intervals in which debates about one question are one "
                    "observation. Cohen's kappa is 0 where they agree as often as by "
                    "chance.",
                )
            ],
            text=lambda of: (
                f"Krippendorff's alpha of all people: {NUMBER(alpha(of.decisions))}."
            ),
        ),
    ],
)
