"""Invented rows of generative debates, and what the report shows of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from inspect_debate.v1.reports.elements import Figure, Item, Notice, Table
from inspect_debate.v1.reports.generative.comparisons import Data
from inspect_debate.v1.reports.generative.report import REPORT
from inspect_debate.v1.reports.generative.rows import (
    DEFAULTS,
    VERSIONS,
    format_of,
    in_order,
    judging,
    speaking,
    titled,
)
from inspect_debate.v1.reports.tables import laid_out
from inspect_debate.v1.reports.views import Part, Plot, View
from inspect_debate.v1.scorers.verdicts import counts, verdict_values
from inspect_debate.v1.solvers.formats import FORMATS
from inspect_debate.v1.solvers.generative_debate import GenerativeParameters
from tests.v1.support.generative_records import record_of

NONE = float("nan")
GPT = "openai/gpt-5-mini > openai/gpt-5-nano"
QWEN = "Qwen/Qwen3-8B > Qwen/Qwen3-4B"
SEATS = ("a", "b")


@dataclass(frozen=True)
class Round:
    """Answers, and what the judge made of them; A's comes first in each text.

    Attributes:
        question: Its question.
        right: For each answer 1 right, 0 wrong, ? where nobody knows: "10".
        ruled: For each answer 1 endorsed, 0 not, ? where it could not be read.
        epoch: Its epoch.
        order: Whose answer was listed first.
        answers: Tells answers apart that are alike otherwise.
        identical: Whether both gave the same answer.
        stance: The critic's: 1 agrees, 0 does not.
        stance_ruled: 1 where the judge finds it right.
        confidence: Of every ruling.
        judge_right: Whether the judge's own answer is right.
        swapped: As `ruled`, of the verdict with the answers in the other order.
        reward: Of the chosen speeches.
        reward_mean: Of all candidates.
        more: Further values.
    """

    question: str
    right: str
    ruled: str
    epoch: int = 1
    order: str = "ab"
    answers: str = ""
    identical: bool = False
    stance: float = NONE
    stance_ruled: float = NONE
    confidence: float = 0.8
    judge_right: float = NONE
    swapped: str = "??"
    reward: float = NONE
    reward_mean: float = NONE
    more: Mapping[str, Any] | None = None


def made_items(
    protocol: str,
    rounds: Iterable[Round],
    *,
    best_of: int = 1,
    family: str = GPT,
    variant: str = "",
    run: str = "",
    parameters: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    **columns: Any,
) -> pd.DataFrame:
    """One row per round, as from `items_of`.

    Args:
        protocol: The format.
        rounds: Its samples. Of `direct_qa`, `right` is the judge's answer and `ruled`
            empty; rounds of one question, epoch and truth have the same answers.
        best_of: Of how many candidates each speech was chosen.
        family: "debater > judge".
        variant: What else tells the condition from others.
        run: The run's id; made of the others if not given.
        parameters: Those that are not the default.
        settings: Of the models.
        **columns: Replaced or added, for all rows or by row.
    """
    proposers, interaction = FORMATS[protocol]
    debater, _, judge = family.rpartition(" > ")
    title = titled(format_of(protocol, None), best_of, variant)
    run = run or f"{title} of {family}"
    taken = (*GenerativeParameters.taken_by(protocol), "word_limit", "max_reasks")
    given = {name: DEFAULTS[name] for name in taken} | {"best_of": best_of}
    common: dict[str, Any] = {
        "run": run,
        "log": f"{run}.eval",
        "created": pd.Timestamp("2025-01-01"),
        "condition": f"{protocol} best_of={best_of} {variant} {family}",
        "title": title,
        "variant": variant,
        "protocol": protocol,
        "format": protocol,
        "proposers": proposers,
        "interaction": interaction,
        "best_of": best_of,
        "debater": debater if proposers else "",
        "debater_a": debater,
        "debater_b": debater
        if proposers == 2 or interaction in ("debate", "critique", "critic")
        else None,
        "judge": judge,
        "reward": judge if best_of > 1 else None,
        "family": family,
        "dataset": "arc",
        "version": "1",
        "split": "both",
        "prompts": "prompts",
        "data": "published 0123",
        "parameters": given | dict(parameters or {}),
        "settings": settings or {},
        "task_version": VERSIONS[-1],
        "reuse": None,
        "scored": True,
        "error": None,
        "limit": None,
    }
    common |= {"judging": judging(common), "speaking": speaking(common)}
    rows = [_scores(of, proposers) | common | _identity(of, proposers) for of in rounds]
    return pd.DataFrame(rows).assign(**columns)


def joined(*frames: pd.DataFrame) -> pd.DataFrame:
    """The rows of several runs."""
    return pd.concat(frames, ignore_index=True)


def unscored(items: pd.DataFrame, *rows: int) -> pd.DataFrame:
    """With samples, by position, that failed, so that nothing is known of them."""
    lost = items.index[list(rows)]
    failed = items.assign(scored=~items.index.isin(lost))
    failed.loc[lost, items.select_dtypes(float).columns] = NONE
    failed.loc[lost, ["answer_set_id", "answer_id_a"]] = None
    failed.loc[lost, "error"] = "the provider is down"
    return failed


def verdicts(protocol: str, right: Iterable[float], **more: Any) -> pd.DataFrame:
    """A question each, whose answers are all right, and whether the judge sees that."""
    answers = "11" if protocol.startswith("dual") else "1"
    rounds = [
        Round(f"q{n}", answers, answers if of else answers.replace("1", "0"))
        for n, of in enumerate(right)
    ]
    return made_items(protocol, rounds, **more)


def first(number: int, of: int) -> list[float]:
    """So many right ones, then wrong ones."""
    return [1.0] * number + [0.0] * (of - number)


def data(items: pd.DataFrame) -> Data:
    """The data of a report on these rows."""
    return Data(in_order(items))


def section(items: pd.DataFrame, title: str) -> list[Item]:
    """What the report shows of these rows in one of its sections."""
    part = next(p for p in REPORT.parts if isinstance(p, Part) and p.title == title)
    return list(part.section(data(items)).items)


def names(items: Iterable[Item]) -> list[str]:
    """The names of the tables and figures."""
    return [item.name for item in items if isinstance(item, Table | Figure)]


def table(items: pd.DataFrame, name: str) -> Table:
    """The report's table of that name on these rows."""
    of = data(items)
    shows: list[Any] = [
        show for part in REPORT.parts if isinstance(part, Part) for show in part.shows
    ]
    views = [show for show in shows if isinstance(show, View) and show.name == name]
    for show in views or [s for s in shows if not isinstance(s, View | Plot)]:
        shown: Any = show(of)
        for item in [shown] if isinstance(shown, Table) else shown or ():
            if isinstance(item, Table) and item.name == name:
                return item
    raise AssertionError(f"There is no table {name}.")


def row(items: pd.DataFrame, name: str, **at: object) -> dict[str, Any]:
    """The only row of a table of the report with these values."""
    return only_row(table(items, name), **at)


def only_row(table: Table | None, **at: object) -> dict[str, Any]:
    """The only row with these values, by the names of the columns."""
    assert table is not None
    assert laid_out(table).bodies[0].rows
    frame = table.frame
    for name, value in at.items():
        frame = frame[frame[name] == value]
    assert len(frame) == 1, frame
    return {str(name): value for name, value in frame.iloc[0].items()}


def text(items: Iterable[Item]) -> str:
    """The text of the only notice."""
    (found,) = (item for item in items if isinstance(item, Notice))
    return found.text


def _identity(of: Round, proposers: int) -> dict[str, Any]:
    ids = [
        f"{of.question}/{of.epoch}/{seat}/{right}{of.answers}"
        for seat, right in zip(SEATS[:proposers], of.right, strict=False)
    ]
    return {
        "question_id": of.question,
        "id": of.question,
        "epoch": of.epoch,
        "answer_set_id": " ".join(ids) or None,
        "answer_id_a": ids[0] if ids else None,
    }


def _scores(of: Round, proposers: int) -> dict[str, float]:
    right = [_number(one) for one in of.right]
    values = dict.fromkeys(_KEYS, NONE) | {
        "debated": 1.0,
        "calls": 5.0,
        "tokens": 100.0,
        "reward_chosen": of.reward,
        "reward_mean": of.reward_mean,
        "judge_answer_right": of.judge_right,
    }
    if proposers:
        values |= _ruled(of, right, [_number(one) for one in of.ruled])
    else:
        values |= {"answer_right": right[0], "correct": right[0]}
    return values | dict(of.more or {})


def _ruled(
    of: Round, right: Sequence[float], ruled: Sequence[float]
) -> dict[str, float]:
    """What follows from truths and rulings, seat by seat."""
    counted = counts(right, ruled)
    read = counted["verdict_ok"]
    accepted = [c for c, v in zip(right, ruled, strict=True) if v == 1]
    values = counted | {
        "verdict_tied": 0.0,
        "correct": counted["verdict_correct"],
        "answer_right": _mean(right),
        "accepted_right": _mean(accepted),
        "stance": of.stance,
        "stance_right": _same(of.stance, right[0]),
        "stance_endorsed": of.stance_ruled,
        "verdicts_ok": read,
        "verdicts_unparsed": 1 - read,
        "answers_ok": float(len(right)),
        "answers_unparsed": 0.0,
    }
    for seat, c, v in zip(SEATS, right, ruled, strict=False):
        values |= {f"right_{seat}": c, f"endorsed_{seat}": v}
        values |= {f"confidence_{seat}": of.confidence, f"parsed_{seat}": 1.0}
    return values | (_places(of, right, ruled) if len(right) == 2 else {})


def _places(
    of: Round, right: Sequence[float], ruled: Sequence[float]
) -> dict[str, float]:
    """What depends on the order in which two answers are listed."""
    listed = ruled if of.order == "ab" else ruled[::-1]
    swapped = [_number(one) for one in of.swapped]
    return {
        "answers_identical": float(of.identical),
        "a_first": float(of.order == "ab"),
        "endorsed_first": listed[0],
        "endorsed_second": listed[1],
        "verdict_correct_swapped": counts(right, swapped)["verdict_correct"],
        "endorsed_a_swapped": swapped[0],
        "endorsed_b_swapped": swapped[1],
    }


def _number(sign: str) -> float:
    return NONE if sign == "?" else float(sign)


def _same(one: float, other: float) -> float:
    return NONE if one != one or other != other else float(one == other)


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if value == value]
    return sum(known) / len(known) if known else NONE


_KEYS = [*verdict_values(record_of("")), "calls", "tokens", "correct", "debated"]
