"""What the logs of the study hold, read once for all of a report."""

import math
import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import quote

import pandas as pd
from inspect_ai.log import EvalSample

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import DebateRecord
from inspect_debate.reports.arms import Arms
from inspect_debate.reports.calls import Calls
from inspect_debate.reports.confidence.alignment import alignment_tables, graded
from inspect_debate.reports.confidence.costs import (
    SPENT,
    Spent,
    of_released,
    rates_of,
    table_6,
)
from inspect_debate.reports.confidence.frames import (
    bets_of,
    conditions,
    held_here,
    verdicts_of,
)
from inspect_debate.reports.confidence.jury import appendix_d
from inspect_debate.reports.confidence.paper import paper_tables
from inspect_debate.reports.confidence.study import model_name, title
from inspect_debate.reports.confidence.twins import PaperTable
from inspect_debate.reports.debates import price
from inspect_debate.reports.elements import Link, Notice, Table, listed
from inspect_debate.reports.frames import scores_of
from inspect_debate.reports.logs import Log
from inspect_debate.reports.samples import Held, look_through
from inspect_debate.solvers.bet_records import sides_of, speech_name

# What only the samples of logs say: tokens, models served, and strategic bets.

CASES = ["condition", "log", "debate", "speech", "model", "bet", "says"]

_VIEWER = "http://127.0.0.1:7575/#/logs"
_LONGEST = 260
_LABEL = re.compile(
    r"\W*(?:(?:numeric|internal) confidence|assessment|degree|strategic)\W*:", re.I
)


class Told(NamedTuple):
    """What the samples of all logs say.

    `calls` has the models that served; `spent` a row per debate and debating model, as
    `costs.SPENT` has it; `cases` a row per strategic bet, with a link to its sample and
    what the grader says of it.
    """

    calls: Calls
    spent: pd.DataFrame
    cases: pd.DataFrame


class _Seen(NamedTuple):
    """The same of one debate."""

    served: Mapping[tuple[str, str], int]
    spent: list[dict[str, Any]]
    cases: list[dict[str, Any]]


def read_told(logs: Sequence[Log], grouped: Arms) -> Told:
    """Go through the samples of all logs once, log by log.

    Args:
        logs: The logs.
        grouped: As from `conditions`; samples that newer logs replaced are left out.
    """
    kept = {
        (row["run"], row["debate"], row["epoch"]): str(row["arm"])
        for row in grouped.frame.to_dict("records")
    }
    served: Counter[tuple[str, str]] = Counter()
    spent: list[dict[str, Any]] = []
    cases: list[dict[str, Any]] = []
    seen, unread = look_through(logs, partial(_seen, kept))
    for one in filter(None, seen):
        served.update(one.served)
        spent += one.spent
        cases += one.cases
    return Told(
        Calls(served, {}, unread),
        pd.DataFrame(spent, columns=list(SPENT)),
        pd.DataFrame(cases, columns=CASES),
    )


def _seen(kept: Mapping[tuple[str, str, int], str], held: Held) -> _Seen | None:
    """What one debate says, if it is one of those that are kept."""
    log, sample, record = held
    condition = kept.get((log.header.eval.eval_id, str(sample.id), sample.epoch))
    if record is None or condition is None:
        return None
    return _Seen(
        Counter((turn.model, turn.served) for turn in record.turns),
        list(_spent(condition, sample, record)),
        list(_cases(condition, held, record)),
    )


def _spent(
    condition: str, sample: EvalSample, record: DebateRecord
) -> Iterator[dict[str, Any]]:
    """What each model spent; of transcripts tokens were counted by debate, not by call.

    Speeches that were taken from another run were paid for there.
    """
    models, rounds = _models(record), int(record.parameters["rounds"])
    speeches = [t for t in record.turns if t.role != "judge" and not t.reused]
    if not speeches:
        return
    released = sample.metadata.get("released_tokens")
    for model in dict.fromkeys(models.values()):
        if released is not None:
            spent = of_released(released.get("debaters", {}).get(model))
        else:
            used = [turn for turn in speeches if turn.model == model]
            tokens = sum(turn.usage.total_tokens for turn in used)
            spent = Spent(math.nan, math.nan, tokens, price(used))
        seats = list(models.values()).count(model)
        debate = (condition, str(sample.id), rounds, model_name(model), seats)
        yield dict(zip(SPENT, (*debate, *spent), strict=True))


def _models(record: DebateRecord) -> dict[str, str]:
    return {side: record.participant(id).model for side, id in sides_of(record).items()}


def _cases(
    condition: str, debate: Held, record: DebateRecord
) -> Iterator[dict[str, Any]]:
    score = (debate.sample.scores or {}).get("bet_alignment")
    grades = ((score.metadata if score else None) or {}).get("grades", [])
    rounds, models = int(record.parameters["rounds"]), _models(record)
    for grade in grades:
        if grade.get("strategic") != "yes":
            continue
        yield {
            "condition": condition,
            "log": debate.log.path.name,
            "debate": _link(debate),
            "speech": f"{grade['side']}, {speech_name(grade['round'], rounds)}",
            "model": model_name(models[grade["side"]]),
            "bet": grade["bet"],
            "says": excerpt(grade["explanation"]),
        }


def _link(debate: Held) -> Link:
    """Where `inspect view` shows a sample's scores."""
    log, sample = debate.log.path.name, debate.sample
    place = f"samples/sample/{quote(str(sample.id), safe='')}/{sample.epoch}/scoring"
    named = (
        str(sample.id) if sample.epoch == 1 else f"{sample.id}, epoch {sample.epoch}"
    )
    return Link(named, f"{_VIEWER}/{quote(log)}/{place}")


def excerpt(explanation: str) -> str:
    """What a grader says of strategy: its last paragraph before the lines of labels."""
    lines = explanation.splitlines()
    prose = "\n".join(line for line in lines if not _LABEL.match(line)).strip()
    last = re.split(r"\n\s*\n", prose)[-1]
    return textwrap.shorten(last, _LONGEST, placeholder=" …")


class Data(NamedTuple):
    """Debates, bets and verdicts of all conditions.

    Attributes:
        logs: The logs.
        grouped: The debates by condition, as from `conditions`.
        bets: As from `held_here`: every debate once.
        judged: As from `bets_of`, with debates that were judged anew by each jury.
        verdicts: As from `verdicts_of`; none without a jury.
        graded: The debates of which a grader compared bets with the reasoning.
        told: What the samples say, but not their scores.
        paper: The paper's tables, as far as there are debates for them.
    """

    logs: Sequence[Log]
    grouped: Arms
    bets: pd.DataFrame
    judged: pd.DataFrame
    verdicts: pd.DataFrame
    graded: pd.DataFrame
    told: Told
    paper: Sequence[PaperTable]


def read_data(logs: Sequence[Log]) -> Data:
    """Read the logs.

    Raises:
        InputError: If no debate was scored.
    """
    grouped = conditions(scores_of(logs))
    judged, verdicts = bets_of(grouped), verdicts_of(grouped)
    bets = held_here(judged, grouped)
    if bets.empty:
        raise InputError("No debate of these logs was scored: there is no report.")
    compared = graded(grouped.frame)
    told = read_told(logs, grouped)
    return Data(
        logs,
        grouped,
        bets,
        judged,
        verdicts,
        compared,
        told,
        [
            *paper_tables(bets),
            table_6(told.spent, rates_of(logs)),
            *(alignment_tables(compared) if len(compared) else []),
            *appendix_d(verdicts, judged),
        ],
    )


# Logs that were made of released transcripts: what is known of them, and what not.

_KEY = "import"
_NAME = "What was found"


def is_rebuilt(log: Log) -> bool:
    """Whether a log was imported from released transcripts."""
    return bool(log.metadata.get("rebuilt"))


def transcript_notices(logs: Sequence[Log]) -> Iterator[Notice]:
    """Files that could not be read, and what no transcript has."""
    rebuilt = [log for log in logs if is_rebuilt(log)]
    stopped = {
        str(stop["file"]): str(stop["reason"])
        for log in rebuilt
        for stop in (log.metadata.get(_KEY) or {}).get("stopped", ())
    }
    if stopped:
        lines = [f"`{file}`: {reason}" for file, reason in stopped.items()]
        yield Notice(f"Transcripts that could not be read.\n\n{listed(lines)}")
    if rebuilt:
        names = [f"`{log.path.name}`" for log in rebuilt]
        yield Notice(
            "Made of released transcripts, which have neither prompts nor settings of "
            f"single calls: the prompts in these logs are rebuilt.\n\n{listed(names)}",
            "info",
        )


def transcripts_table(logs: Sequence[Log]) -> Table | None:
    """What the import counted in the transcripts; None without any."""
    rebuilt = [log for log in logs if is_rebuilt(log)]
    names = [title(str(log.metadata["protocol"])) for log in rebuilt]
    if len(set(names)) < len(names):
        names = [log.path.name for log in rebuilt]
    found = {
        name: log.metadata.get(_KEY) or {}
        for name, log in zip(names, rebuilt, strict=True)
    }
    if not any(found.values()):
        return None
    counts = {
        name: {key: n for key, n in told.items() if isinstance(n, int)}
        for name, told in found.items()
    }
    frame = pd.DataFrame(counts)
    frame.insert(0, _NAME, [str(key).replace("_", " ") for key in frame.index])
    return Table(
        name="transcripts",
        title="What is in the transcripts",
        frame=frame.reset_index(drop=True),
        note="Zeros are bets of 0: missing ones were not made. Placeholder reasonings "
        "are “NA”, and the like. Repeated debates are of the same models and motion.",
    )
