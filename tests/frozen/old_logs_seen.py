"""What the code of today makes of the logs in `logs/`: each case as plain values.

A part has cases, and each case is seen by itself: one that fails says so as `crashed`.
"""

import contextlib
import json
import logging
import re
import shutil
import sys
import traceback
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from inspect_ai import eval_retry, eval_set
from inspect_ai.analysis import samples_df
from inspect_ai.log import EvalLog, read_eval_log

from tests.frozen.comparing import command, plain
from tests.frozen.old_logs import (
    CUT,
    LIMITED,
    LOGS,
    QUIET,
    RUNS,
    Run,
    digest,
    exported,
    inspect,
    logged_scores,
    price_models,
    ran,
    ran_limited,
    scores_of,
    watched,
)

Case = Callable[[Path], Any]
"""Sees something, and may write into a folder of its own."""


def log_path(name: str) -> str:
    """The path of an old log."""
    return str(LOGS / f"{name}.eval")


def _names() -> list[str]:
    return sorted(path.stem for path in LOGS.glob("*.eval"))


# Logs as they are read and scored


_VOLATILE = ("log", "run", "created", "seconds", "reused_from", "cost")
_LONG = 60


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of an export: without what differs from run to run, long texts by hash."""
    return {
        name: _short(value)
        for name, value in row.items()
        if name not in _VOLATILE and value not in (None, "", [], {}, 0, False)
    }


def _short(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _short(v) for k, v in value.items() if k not in _VOLATILE}
    if isinstance(value, list):
        return [_short(item) for item in value]
    if not isinstance(value, str) or len(value) <= _LONG:
        return value
    return f"{value[:24]}… {digest(value)}"


def _read(name: str, folder: Path) -> Any:
    tables = exported(folder, log_path(name))
    return {
        "debates": [_row(row) for row in tables["debates"]],
        "turns": [_turn(row) for row in tables["turns"]],
    }


_TURN = ("public", "private", "reasoning", "superseded", "stop_reason", "calls")
_VERDICT = ("order", "listed_first", "shown_first", "draw", "about")


def _turn(row: Mapping[str, Any]) -> str:
    """A turn in a line: where it is, what was read, and its texts by hash."""
    place = f"{row['id']}/{row['epoch']} {row['index']} {row['participant']}"
    answer = row.get("answer") or row.get("bet") or row.get("confidence") or ""
    reused = " reused" * bool(row["reused"])
    shown = "".join(f" {row[name]}" for name in _VERDICT if row.get(name))
    texts = json.dumps([row.get(name) for name in _TURN])
    return (
        f"{place} {row['kind']} {row['round']}{reused}{shown} "
        f"{_short(answer)!s:.40} {row['total_tokens']} {digest(texts)}"
    )


def _logged(name: str, _: Path) -> Any:
    return logged_scores(read_eval_log(log_path(name)))


def _scored(name: str, words: tuple[str, ...], folder: Path) -> Any:
    out = str(folder / "scored.eval")
    inspect("score", log_path(name), *words, "--display", "none", "--output-file", out)
    return scores_of(read_eval_log(out))


def _read_cases() -> dict[str, Case]:
    return {name: partial(_read, name) for name in _names()}


def _score_cases() -> dict[str, Case]:
    cases: dict[str, Case] = {}
    for name in _names():
        cases[f"{name} logged"] = partial(_logged, name)
        words = ("--action", "overwrite")
        cases[f"{name} overwrite"] = partial(_scored, name, words)
    for name in ("colmad", "judge_check"):
        scorers = read_eval_log(log_path(name), header_only=True).eval.scorers or []
        for scorer in scorers:
            full = "inspect_debate/" + scorer.name.split("/")[-1]
            cases[f"{name} append {full}"] = partial(
                _scored, name, ("--action", "append", "--scorer", full)
            )
    alone = ("--action", "overwrite", "--scorer", "inspect_debate/debate_process")
    cases["colmad overwrite debate_process"] = partial(_scored, "colmad", alone)
    return cases


# Runs that go on


def _retried(name: str, folder: Path) -> Any:
    """A retry of an old log: its calls, and what came out."""
    if name == "confidence_cost":
        price_models()
    with watched() as calls:
        (log,) = eval_retry(log_path(name), log_dir=str(folder), **QUIET)
    log = read_eval_log(log.location)
    return {"calls": dict(calls.of), "samples": _values(log), "read": _texts(log)}


def _values(log: EvalLog) -> Any:
    """The values of a new run, but for what depends on what its process saw before."""
    samples = scores_of(log)["samples"]
    for sample in samples.values():
        process = sample["scores"].get("debate_process")
        if isinstance(process, dict):  # and not unscored
            process.pop("cached_tokens", None)
    return {"status": log.status, "samples": samples}


def _texts(log: EvalLog) -> list[str]:
    with TemporaryDirectory() as folder:
        return [_turn(row) for row in exported(Path(folder), log.location)["turns"]]


def _limited(name: str, folder: Path) -> Any:
    """A run under a limit, by the code of today: as the old log of the same run."""
    log = ran_limited(name, folder)
    return {
        "samples": _values(log),
        "read": _texts(log),
        "ended_by": [
            row["ended_by"] for row in exported(folder / "x", log.location)["debates"]
        ],
    }


def _going_on(name: str, folder: Path) -> Any:
    """An eval set in whose folder an old log is."""
    old, run = log_path(name), RUNS[name.removesuffix("_cut")]
    shutil.copy(old, folder / f"2026-01-01T00-00-00+00-00_{run.task}_old.eval")
    with watched() as calls:
        done, logs = eval_set(
            f"inspect_debate/{run.task}",
            log_dir=str(folder),
            task_args=dict(run.arguments),
            model="none",
            model_roles=dict(run.roles),
            limit=run.samples,
            log_dir_allow_dirty=True,
            retry_attempts=1,
            **QUIET,
        )
    log = read_eval_log(logs[0].location)
    return {"done": done, "calls": dict(calls.of), "samples": _values(log)}


# Old logs in new runs


DEBATERS = {"debater_a": "simulated/balanced", "debater_b": "simulated/hesitant"}
BALANCED = {"debater_a": "simulated/balanced"}
COIN = {"judge": "simulated/coin"}
WITH_COIN = BALANCED | COIN
OTHER = {"debater_a": "simulated/perfect", "debater_b": "simulated/hesitant"}
PANEL = {"judge": ["simulated/coin", "simulated/credulous"]}


class Reuse(NamedTuple):
    """A run that uses an old log, which is added to the arguments as `reuse`."""

    old: str
    task: str
    arguments: dict[str, Any]
    roles: dict[str, Any]


def _on(
    old: str, roles: dict[str, Any], *, task: str = "", until: str = "", **args: Any
) -> Reuse:
    """A run of the old log's own task, if no other is named, on the shipped sample."""
    task = task or old.replace("earliest_", "").split("_")[0]
    args |= {"source": "sample"} if task in ("colmad", "srdcr", "generative") else {}
    args |= {"reuse_until": until} if until else {}
    return Reuse(old, task, args, roles)


REUSES = {
    "colmad debate": _on("colmad", DEBATERS | COIN),
    "colmad debate, two judges, both orders": _on(
        "colmad", PANEL, until="debate", order="both"
    ),
    "colmad answers, one round": _on(
        "colmad", DEBATERS | COIN, until="answers", rounds=1
    ),
    "colmad answers, competitive": _on(
        "colmad", DEBATERS | COIN, until="answers", protocol="copmad"
    ),
    "colmad som": _on("colmad", DEBATERS, protocol="som"),
    "colmad ensemble": _on("colmad", DEBATERS, protocol="ensemble"),
    "colmad cut": _on("colmad_cut", DEBATERS | COIN),
    "colmad stopped by tokens": _on("colmad_tokens", DEBATERS | COIN),
    "colmad earliest": _on("earliest_colmad", DEBATERS | COIN),
    "confidence debate, another jury": _on("confidence", COIN),
    "confidence debate, both orders": _on(
        "confidence", COIN, until="debate", order="both", jury_passes=1
    ),
    "confidence cut": _on("confidence_cut", COIN),
    "confidence earliest": _on("earliest_confidence", COIN),
    "srdcr answers, few_shot": _on(
        "srdcr", WITH_COIN, protocol="few_shot", recall_samples=2
    ),
    "srdcr answers, judge_debate": _on(
        "srdcr", WITH_COIN, until="answers", protocol="judge_debate"
    ),
    "srdcr debate": _on("srdcr", WITH_COIN, until="debate", rounds=2, recall_samples=2),
    "srdcr earliest": _on("earliest_srdcr", WITH_COIN),
    "generative answers, single_debate": _on(
        "generative", WITH_COIN, protocol="single_debate"
    ),
    "generative answers, dual_no_transcript": _on(
        "generative", WITH_COIN, protocol="dual_no_transcript"
    ),
    "generative debate": _on(
        "generative", WITH_COIN, until="debate", protocol="dual_debate"
    ),
    "generative earliest": _on(
        "earliest_generative", WITH_COIN, protocol="dual_debate"
    ),
    "debate debate": _on("debate", DEBATERS | COIN),
    "debate debate, judge who read": _on(
        "debate", COIN, hidden="nothing", order="both"
    ),
    "debate cut": _on("debate_cut", COIN),
    "debate earliest": _on("earliest_debate", COIN),
}


def _reused(
    old: str, task: str, arguments: Mapping[str, Any], roles: Any, folder: Path
) -> Any:
    """A run on an old log, and the same run on that new one."""
    first = _used(log_path(old), task, arguments, roles, folder)
    if "log" not in first:
        return first
    log = first.pop("log")
    again = _used(log, task, arguments, roles, folder)
    again.pop("log", None)
    same = again.get("read") == first["read"] and again["calls"] == first["calls"]
    return {"old": first, "new": "as the old one" if same else again}


def _used(
    reuse: str, task: str, arguments: Mapping[str, Any], roles: Any, folder: Path
) -> dict[str, Any]:
    run = Run(task, {**arguments, "reuse": reuse}, roles, 9)
    notes: list[str] = []
    with watched() as calls, _warnings(notes):
        try:
            log = ran(run, folder)
        except Exception as error:
            return {"refused": _sentence(error, reuse), "calls": dict(calls.of)}
    tables = exported(folder / "x", log.location)
    before = {_place(row): row for row in exported(folder / "y", reuse)["turns"]}
    kept = [row for row in tables["turns"] if row["reused"]]
    for row in kept:
        there = before[_place(row)]
        assert _text(row) == _text(there), (row, there)
    return {
        "calls": dict(calls.of),
        "reused": len(kept),
        "warnings": [note.replace(reuse, "LOG") for note in notes if "reuse" in note],
        "error": log.error and log.error.message.replace(reuse, "LOG"),
        "samples": _values(log),
        "read": [_turn(row) for row in tables["turns"]],
        "log": log.location,
    }


_TEXTS = (
    "public", "private", "reasoning", "answer", "answer_status", "model", "kind",
    "final", "confidence", "bet", "superseded",
)  # fmt: skip


def _text(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: row.get(name) for name in _TEXTS if row.get(name) is not None}


def _place(row: Mapping[str, Any]) -> tuple[Any, ...]:
    names = ("id", "epoch", "participant", "kind", "round", "draw", "order")
    return tuple(row.get(name) for name in names)


@contextlib.contextmanager
def _warnings(notes: list[str]) -> Any:
    class Noting(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            notes.append(record.getMessage())

    handler = Noting(logging.WARNING)
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)


def _sentence(error: BaseException, reuse: str) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}".replace(reuse, "LOG")


NO_REASKS: dict[str, Any] = {"rounds": 2, "config.max_reasks": 0}

REFUSED = {
    "other rounds": _on("colmad", DEBATERS, rounds=3),
    "other protocol": _on("colmad", DEBATERS, protocol="copmad"),
    "other turn order": _on("colmad", DEBATERS, turn_order="sequential"),
    "other samples": _on("colmad", DEBATERS, subset="nothing"),
    "none of the samples": _on("earliest_colmad", DEBATERS, subset="fact"),
    "other settings": _on(
        "colmad", DEBATERS, until="answers", config={"answer.temperature": 0.9}
    ),
    "other debater": _on("colmad", OTHER, until="answers", rounds=1),
    "unknown stage": _on("colmad", DEBATERS, until="speech"),
    "a protocol without answers": _on("colmad", DEBATERS, protocol="judge_alone"),
    "log of another study": _on("srdcr", DEBATERS, task="colmad"),
    "log of debate": _on("debate", DEBATERS, task="colmad"),
    "no log": _on("no_such_log", DEBATERS, task="colmad"),
    "more epochs than given": _on("colmad", COIN, task="confidence"),
    "confidence, other protocol": _on("confidence", COIN, protocol="self"),
    "confidence, repetitions": _on("confidence", COIN, repetitions=2),
    "confidence, answers": _on("confidence", COIN, until="answers"),
    "srdcr, other seed": _on("srdcr", BALANCED, seed=1),
    "srdcr, other shots": _on("srdcr", BALANCED, shots=2),
    "srdcr, other rounds": _on("srdcr", BALANCED, until="debate", rounds=6),
    "srdcr, re-asks": _on("srdcr", BALANCED, **NO_REASKS),
    "generative, fresh": _on("generative", COIN, answers="fresh"),
    "generative, direct_qa": _on("generative", COIN, protocol="direct_qa"),
    "generative, no debate": _on(
        "generative", COIN, until="debate", protocol="dual_no_transcript"
    ),
    "generative, other proposer": _on(
        "generative",
        COIN | {"debater_a": "simulated/perfect"},
        protocol="dual_debate",
    ),
    "generative, other rounds": _on(
        "generative", WITH_COIN, until="debate", protocol="dual_debate", rounds=1
    ),
    "debate, other rounds": _on("debate", COIN, rounds=1),
    "debate, other style": _on("debate", COIN, protocol="colmad"),
    "debate, judge_check": _on("judge_check", COIN, task="debate"),
    "stage without log": _on("", DEBATERS, task="colmad", until="debate"),
}
"""Runs that an old log does not fit."""


def _refused(
    old: str, task: str, arguments: Mapping[str, Any], roles: Any, folder: Path
) -> Any:
    given = {"reuse": log_path(old)} if old else {}
    run = Run(task, {**arguments, **given}, roles, 9)
    with watched() as calls:
        try:
            log = ran(run, folder, log_samples=True)
        except Exception as error:
            return {"refused": _sentence(error, log_path(old)), "calls": dict(calls.of)}
    error_there = log.error.message.replace(log_path(old), "LOG") if log.error else None
    return {"status": log.status, "error": error_there, "calls": dict(calls.of)}


# What else reads logs


def _checked(name: str, folder: Path) -> Any:
    run = Run(
        "judge_check",
        {"debates": log_path(name), "checks": ["repeat", "order", "authority"]},
        {"judge": "reading_judge/authority"},
        9,
    )
    with watched() as calls:
        try:
            log = ran(run, folder)
        except Exception as error:
            return {"refused": _sentence(error, log_path(name))}
    return {"calls": dict(calls.of), **scores_of(log), "read": _texts(log)}


def _matched(folder: Path) -> Any:
    arguments = {"source": "sample", "protocol": "self_consistency"}
    arguments["match"] = log_path("colmad")
    with watched() as calls:
        log = ran(Run("colmad", arguments, BALANCED, 3), folder)
    return {"calls": dict(calls.of), "samples": _values(log), "read": _texts(log)}


def _sheet(name: str, folder: Path) -> Any:
    out = folder / "sheet"
    result = command("judge-sheet", "write", log_path(name), "--out", out)
    if result.exit_code:
        return {"output": result.output.replace(log_path(name), "LOG")}
    table = (out / "sheet.csv").read_text(encoding="utf-8-sig")
    key = re.sub(re.escape(str(LOGS)), "LOGS", (out / "key.json").read_text())
    return {
        "files": sorted(path.name for path in out.iterdir()),
        "output": result.output.replace(str(folder), "OUT").replace(
            log_path(name), "LOG"
        ),
        "table": [digest(line) for line in table.splitlines()],
        "key": _short(json.loads(key)),
    }


_FRAME_VOLATILE = re.compile("time|uuid|log|created|eval_id|sample_id$|usage|git|pack")


def _frame(name: str, _: Path) -> Any:
    frame = samples_df(log_path(name), quiet=True)
    names = [n for n in frame.columns if not _FRAME_VOLATILE.search(str(n))]
    rows = json.loads(frame[names].to_json(orient="records"))
    return [{k: _short(v) for k, v in row.items() if v is not None} for row in rows]


def _other_cases() -> dict[str, Case]:
    cases: dict[str, Case] = {}
    for name in ("colmad", "debate", "earliest_colmad", "earliest_debate", "srdcr"):
        cases[f"judge_check {name}"] = partial(_checked, name)
    for name in ("colmad_cut", "colmad_tokens"):
        cases[f"judge_check {name}"] = partial(_checked, name)
    cases["match colmad"] = _matched
    for name in (*RUNS, "colmad_cut", "earliest_colmad", "earliest_confidence"):
        cases[f"judge-sheet {name}"] = partial(_sheet, name)
    for name in (*RUNS, "debate_cut", "colmad_tokens"):
        cases[f"samples_df {name}"] = partial(_frame, name)
    return cases


GOING_ON = ("debate", "debate_cut", "colmad_cut", "confidence_cut")

PARTS: dict[str, Callable[[], dict[str, Case]]] = {
    "read": _read_cases,
    "scores": _score_cases,
    "retry": lambda: (
        {f"retry {name}": partial(_retried, name) for name in (*CUT, *LIMITED)}
        | {f"limit {name}": partial(_limited, name) for name in LIMITED}
        | {f"set {name}": partial(_going_on, name) for name in GOING_ON}
    ),
    "reuse": lambda: {n: partial(_reused, *what) for n, what in REUSES.items()},
    "refused": lambda: {n: partial(_refused, *what) for n, what in REFUSED.items()},
    "others": _other_cases,
}


def seen(part: str) -> dict[str, Any]:
    """All cases of a part, each in a folder of its own."""
    found = {}
    for name, case in PARTS[part]().items():
        with TemporaryDirectory() as folder:
            try:
                value = plain(case(Path(folder)))
            except Exception:
                value = {"crashed": traceback.format_exc()}
        found[name] = json.loads(json.dumps(value).replace(folder, "FOLDER"))
    return found


def main(*parts: str) -> None:
    """Print what is seen of parts as JSON; all that others print is left out."""
    with contextlib.redirect_stdout(sys.stderr):
        found = {part: seen(part) for part in parts}
    print(json.dumps(found))
