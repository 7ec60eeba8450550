"""ClashEval's questions: their rows put together, and what is left out, and why."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from inspect_debate.core.matching import right_answer, same_answer
from inspect_debate.core.question import fingerprint
from inspect_debate.core.seeds import seeded
from inspect_debate.datasets.clasheval_degrees import (
    OFFSETS,
    UNMODIFIED,
    severity,
    with_degrees,
)
from inspect_debate.datasets.clasheval_rows import Row
from inspect_debate.datasets.years import Refusal, perturb_year

WITHHELD = "withheld context"
"""The reason of rows and questions whose passages are empty."""


class Modified(NamedTuple):
    """A modified passage of a question.

    Attributes:
        degree: A factor (`0.8`), a word (`slight`), or of a year its offset (`+40`).
        passage: The passage.
        answer: The answer that it gives.
        offset: By how many years it is wrong; None for other domains than years.
        split: The part of the data that it comes from, if they have parts.
    """

    degree: str
    passage: str
    answer: str
    offset: int | None = None
    split: str | None = None


@dataclass(frozen=True)
class ClashItem:
    """A question with its right passage and its modified ones, by severity.

    The passage is empty, and nothing modified, where these are withheld: the question
    may still be shown with its answer, as a solved one.
    """

    id: str
    domain: str
    question: str
    answer: str
    passage: str = ""
    split: str | None = None
    modified: Mapping[int, Sequence[Modified]] = field(default_factory=dict)


class LeftOut:
    """How many rows and questions are left out, by reason and domain."""

    def __init__(self) -> None:
        self.rows: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.questions: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def leave_rows(self, reason: str, rows: Iterable[Row]) -> None:
        """Count rows."""
        for row in rows:
            self.rows[reason][row.domain] += 1

    def as_json(self) -> dict[str, dict[str, dict[str, int]]]:
        """The counts: `rows` or `questions`, then the reason, then the domain."""
        both = {"rows": self.rows, "questions": self.questions}
        return {
            what: {
                reason: dict(sorted(counts[reason].items()))
                for reason in sorted(counts)
            }
            for what, counts in both.items()
        }


def question_id(domain: str, question: str) -> str:
    """The id of a question: its domain, and a hash of its words in any case."""
    return f"{domain}-{fingerprint(' '.join(question.casefold().split()))[:8]}"


def clash_items(
    rows: Iterable[Row], seed: int, left_out: LeftOut
) -> tuple[list[ClashItem], list[str]]:
    """The questions of rows in any order, sorted by id.

    Rows of one question (equal words, one domain) with different right answers
    contradict each other, so that the question is left out. Where only spelling or
    passage differ, the version with the most rows is kept.

    Args:
        rows: The rows.
        seed: Decides the signs of the offsets of years.
        left_out: Where to count what is left out.

    Returns:
        The questions, those without passages too; and the domains whose degrees were
        measured on the answers.
    """
    told, measured = with_degrees(_distinct(rows, left_out))
    groups: defaultdict[str, list[Row]] = defaultdict(list)
    for row in sorted(told, key=lambda row: (row.degree, *row[:-1], row.split or "")):
        groups[question_id(row.domain, row.question)].append(row)
    items = (_item(id, groups[id], seed, left_out) for id in sorted(groups))
    return [item for item in items if item is not None], measured


def _distinct(rows: Iterable[Row], left_out: LeftOut) -> list[Row]:
    counts = Counter(rows)
    left_out.leave_rows("duplicate", (counts - Counter(list(counts))).elements())
    empty = {row for row in counts if not (row.question and row.answer)}
    left_out.leave_rows("no question or answer", empty)
    return [row for row in counts if row not in empty]


def _item(
    id: str, rows: Sequence[Row], seed: int, left_out: LeftOut
) -> ClashItem | None:
    first = rows[0]
    answers = {row.answer for row in rows}
    if not all(same_answer(answer, first.answer) for answer in answers):
        left_out.questions["contradictory answers"][first.domain] += 1
        return None
    shown = [row for row in rows if not row.withheld]
    left_out.leave_rows(WITHHELD, (row for row in rows if row.withheld))
    if not shown:
        left_out.questions[WITHHELD][first.domain] += 1
        return ClashItem(id, first.domain, first.question, first.answer)
    version = _version(shown, left_out)
    item = ClashItem(
        id=id,
        domain=first.domain,
        question=version[0].question,
        answer=version[0].answer,
        passage=version[0].context,
        split=_split(version),
    )
    if item.domain == "years":
        return replace(item, modified=_shifted(item, seed, left_out))
    return replace(item, modified=_by_severity(version, left_out))


def _version(rows: Sequence[Row], left_out: LeftOut) -> list[Row]:
    """The rows of the wording and passage that most of them have."""
    versions: defaultdict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in rows:
        versions[row.question, row.answer, row.context].append(row)
    kept = max(versions.values(), key=len)
    left_out.leave_rows(
        "other version of the question",
        (
            row
            for version in versions.values()
            if version is not kept
            for row in version
        ),
    )
    return kept


def _split(rows: Sequence[Row]) -> str | None:
    """The split of the unmodified row; without one, that of all rows if it is one."""
    unmodified = [row.split for row in rows if row.degree == UNMODIFIED]
    splits = set(unmodified[:1] or (row.split for row in rows))
    return splits.pop() if len(splits) == 1 else None


def _shifted(
    item: ClashItem, seed: int, left_out: LeftOut
) -> dict[int, list[Modified]]:
    """The year of the right passage shifted; the data's own years are not used."""
    modified: dict[int, list[Modified]] = {}
    refusal: Refusal | None = None
    for level, years in OFFSETS.items():
        sign = seeded(seed, "sign", item.id, level).choice((1, -1))
        made = perturb_year(item.passage, item.answer, sign * years)
        if isinstance(made, Refusal):
            refusal = made
            continue
        passage, answer, offset = made
        modified[level] = [
            Modified(f"{offset:+d}", passage, answer, offset, item.split)
        ]
    if refusal and not modified:
        left_out.questions[refusal.value][item.domain] += 1
    return modified


def _by_severity(rows: Sequence[Row], left_out: LeftOut) -> dict[int, list[Modified]]:
    """The data's own modifications that are of a known degree and changed something."""
    modified: defaultdict[int, list[Modified]] = defaultdict(list)
    seen: set[str] = set()
    for row in rows:
        if row.degree == UNMODIFIED:
            continue
        if reason := _fault(row, seen):
            left_out.leave_rows(reason, [row])
            continue
        seen.add(row.degree)
        level = severity(row.domain, row.degree)
        assert level is not None
        modified[level].append(
            Modified(row.degree, row.passage, row.says, split=row.split)
        )
    if not modified:
        left_out.questions["no modified passage"][rows[0].domain] += 1
    return dict(modified)


def _fault(row: Row, seen: set[str]) -> str | None:
    if severity(row.domain, row.degree) is None:
        return "unknown degree"
    if not row.says:
        return "no modified answer"
    if row.passage == row.context or right_answer(row.says, row.answer):
        return "modified in name only"
    return "degree twice" if row.degree in seen else None
