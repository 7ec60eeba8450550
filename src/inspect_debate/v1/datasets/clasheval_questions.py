"""ClashEval's questions: their rows combined, and what is left out and why."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import log
from typing import Any, NamedTuple

from inspect_ai.dataset import Sample

from inspect_debate.v1.datasets.sources import PassageTruth, register_passage
from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.matching import (
    Quantity,
    canonical,
    items,
    right_answer,
    same_answer,
    unified,
)
from inspect_debate.v1.debate.question import passage_fingerprint
from inspect_debate.v1.debate.seeds import fingerprint, seeded

# ClashEval's rows: the published schema, checked, and read into one form.

Record = Mapping[str, Any]

DOMAINS = ("drugs", "records", "news", "years", "names", "locations")
"""The domains by the names that the data have."""

_COLUMNS = (
    *("question", "context_original", "context_mod"),
    *("answer_original", "answer_mod", "dataset"),
)
# The first in the data set, the second in the authors' files of responses.
_DEGREE_COLUMNS = ("mod_degree", "mod_type")

_DOMAIN_NAMES = {
    **{domain: domain for domain in DOMAINS},
    **{"drug": "drugs", "drug dosages": "drugs"},
    **{"sports": "records", "sports records": "records", "olympics": "records"},
    **{"latest news": "news"},
    **dict.fromkeys(("dates", "wiki dates", "wikipedia dates"), "years"),
    **{"name": "names", "location": "locations"},
}


class Row(NamedTuple):
    """A question with its passage, and one modification of both passage and answer.

    Attributes:
        domain: One of `DOMAINS`.
        question: The question.
        context: The right passage; empty where it is withheld.
        passage: The modified passage; empty where it is withheld.
        answer: The right answer.
        says: The answer of the modified passage.
        degree: How much it is modified, as a word or number; `0` is not at all.
        split: The part of the data that the row comes from, if they have parts.
    """

    domain: str
    question: str
    context: str
    passage: str
    answer: str
    says: str
    degree: str
    split: str | None

    @property
    def withheld(self) -> bool:
        """Whether a passage is missing."""
        return not (self.context.strip() and self.passage.strip())


def domain_of(name: str) -> str:
    """The domain of a name such as `drug dosages`, in any case.

    Raises:
        InputError: If there is no such domain.
    """
    plain = " ".join(re.findall("[a-z]+", name.lower()))
    if plain not in _DOMAIN_NAMES:
        raise InputError(
            f"{name!r} is no domain of ClashEval; allowed: {', '.join(DOMAINS)}."
        )
    return _DOMAIN_NAMES[plain]


def read_rows(records: Iterable[Record], where: str) -> list[Row]:
    """Records of the published schema as rows, in their order.

    Args:
        records: One mapping per question and modification. Values may be text, numbers
            or missing.
        where: What to call the source in an error.

    Raises:
        InputError: If there is no record, one lacks a column, or has another domain.
    """
    rows: list[Row] = []
    checked: set[frozenset[str]] = set()
    for record in records:
        columns = frozenset(record)
        if columns not in checked:
            _check_columns(columns, where)
            checked.add(columns)
        rows.append(_row(record, where))
    if not rows:
        raise InputError(f"{where} has no rows.")
    return rows


def _check_columns(found: frozenset[str], where: str) -> None:
    missing = [repr(column) for column in _COLUMNS if column not in found]
    if found.isdisjoint(_DEGREE_COLUMNS):
        missing.append(" or ".join(map(repr, _DEGREE_COLUMNS)))
    if missing:
        raise InputError(
            f"{where} is not of ClashEval's schema: it lacks {', '.join(missing)}; "
            f"its columns are {', '.join(sorted(map(str, found))) or 'none'}."
        )


def _row(record: Record, where: str) -> Row:
    degree = next(record[name] for name in _DEGREE_COLUMNS if name in record)
    try:
        domain = domain_of(_text(record["dataset"]))
    except InputError as error:
        raise InputError(f"{where}: {error.message}") from None
    return Row(
        domain=domain,
        question=_text(record["question"]).strip(),
        context=_text(record["context_original"]),
        passage=_text(record["context_mod"]),
        answer=_text(record["answer_original"]).strip(),
        says=_text(record["answer_mod"]).strip(),
        degree=_degree(_text(degree)),
        split=_text(record.get("split")) or None,
    )


def _text(value: object) -> str:
    """A value as text: nothing where it is missing, whole numbers without a point."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _degree(text: str) -> str:
    """A degree in one spelling: `2` for `2.0`, `slight` for `Slight`."""
    try:
        number = float(text)
    except ValueError:
        return text.strip().lower()
    return f"{number:g}" if math.isfinite(number) else text


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
class ConflictItem:
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


def passage_items(
    rows: Iterable[Row], seed: int, left_out: LeftOut
) -> tuple[list[ConflictItem], list[str]]:
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
    named, measured = with_degrees(_distinct(rows, left_out))
    groups: defaultdict[str, list[Row]] = defaultdict(list)
    for row in sorted(named, key=lambda row: (row.degree, *row[:-1], row.split or "")):
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
) -> ConflictItem | None:
    first = rows[0]
    answers = {row.answer for row in rows}
    if not all(same_answer(answer, first.answer) for answer in answers):
        left_out.questions["contradictory answers"][first.domain] += 1
        return None
    shown = [row for row in rows if not row.withheld]
    left_out.leave_rows(WITHHELD, (row for row in rows if row.withheld))
    if not shown:
        left_out.questions[WITHHELD][first.domain] += 1
        return ConflictItem(id, first.domain, first.question, first.answer)
    version = _version(shown, left_out)
    item = ConflictItem(
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
    item: ConflictItem, seed: int, left_out: LeftOut
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


# The two samples of a question: with the right passage, and with a modified one.

_MOST_OTHERS = 8


def pair(
    item: ConflictItem,
    severity: int,
    domain: Sequence[ConflictItem],
    shots: int,
    seed: int,
) -> list[Sample]:
    """A question's two samples, in a seeded order, both with the same solved questions.

    The right answer of each is registered for simulated models.

    Args:
        item: The question.
        severity: Of the modified passage, from 1 to 5.
        domain: All questions of the item's domain, sorted by id.
        shots: How many of these are shown as solved.
        seed: Decides which modification of that severity, which questions are shown
            and in what order.

    Raises:
        InputError: If the domain has not enough questions.
    """
    others = [other for other in domain if other.id != item.id]
    if len(others) < shots:
        raise InputError(
            f"shots={shots} is not possible: {item.domain} has "
            f"{len(others) + 1} questions, and that asked is not shown as solved."
        )
    drawn = seeded(seed, "exemplars", item.id).sample(others, shots)
    exemplars = [
        {"question_id": one.id, "question": one.question, "answer": one.answer}
        for one in drawn
    ]
    modified = seeded(seed, "degree", item.id).choice(item.modified[severity])
    right = Modified(UNMODIFIED, item.passage, item.answer, split=item.split)
    wrong_answers = _wrong_answers(item, modified, others, seed)
    samples = [
        _sample(item, shown, level, exemplars, wrong_answers)
        for shown, level in ((right, 0), (modified, severity))
    ]
    seeded(seed, "halves", item.id).shuffle(samples)
    return samples


def _sample(
    item: ConflictItem,
    shown: Modified,
    severity: int,
    exemplars: Sequence[dict[str, str]],
    wrong_answers: tuple[str, ...],
) -> Sample:
    condition = "perturbed" if severity else "standard"
    fingerprint = passage_fingerprint(item.question, shown.passage, exemplars)
    truth = PassageTruth(item.answer, shown.answer, severity, wrong_answers)
    register_passage(fingerprint, truth)
    metadata: dict[str, Any] = {
        "question_id": item.id,
        "domain": item.domain,
        "condition": condition,
        "severity": severity,
        "degree": shown.degree,
        "offset": shown.offset,
        "passage": shown.passage,
        "passage_answer": shown.answer,
        "exemplars": exemplars,
        "split": shown.split,
        "fingerprint": fingerprint,
    }
    return Sample(
        input=item.question,
        target=item.answer,
        id=f"{item.id}-{condition}",
        metadata=metadata,
    )


def _wrong_answers(
    item: ConflictItem, modified: Modified, others: Sequence[ConflictItem], seed: int
) -> tuple[str, ...]:
    """Answers to other questions that are neither right here nor the passage's."""
    wrong: list[str] = []
    seen = {canonical(modified.answer)}
    for other in seeded(seed, "others", item.id).sample(others, len(others)):
        meaning = canonical(other.answer)
        if meaning not in seen and not right_answer(other.answer, item.answer):
            wrong.append(other.answer)
        seen.add(meaning)
        if len(wrong) == _MOST_OTHERS:
            break
    return tuple(wrong)


# How far a modified passage is from the truth: its degree, and what it means.

UNMODIFIED = "0"
"""The degree of a passage that is as it was."""

OFFSETS = {1: 20, 2: 40, 3: 60, 4: 100, 5: 200}
"""The years by which the year of a passage is shifted, by severity (SR-DCR)."""

_FACTORS = {
    **{"0.8": 1, "1.2": 1, "1.5": 2, "0.4": 3, "2": 3},
    **{"0.2": 4, "3": 4, "0.1": 5, "5": 5, "10": 5},
}
_WORDS = {"slight": 1, "significant": 3, "comical": 5}
_NUMBERED = {"1": "slight", "2": "significant", "3": "comical"}
_WORDED = ("names", "locations")
_CLOSE = log(1.15)

FACTORS = tuple(_FACTORS)
"""By what the numbers of drugs, records and news are multiplied."""


def severity(domain: str, degree: str) -> int | None:
    """From 1 (subtle) to 5 (blatant); None for a degree that is not known.

    Args:
        domain: Any but years, whose passages are made, at `OFFSETS`.
        degree: A factor (`0.8`), or `slight`, `significant`, `comical`.
    """
    return (_WORDS if domain in _WORDED else _FACTORS).get(degree)


def with_degrees(rows: Sequence[Row]) -> tuple[list[Row], list[str]]:
    """Rows whose degrees say what was done, where the data only number them.

    The published data number the modifications of names and locations 1 to 3. Should
    they number those of another domain, then the factor is measured on the answers.

    Returns:
        The rows, and the domains whose factors were measured.
    """
    found: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows:
        found[row.domain].add(row.degree)
    numbered = {name for name, degrees in found.items() if _numbered(name, degrees)}
    named = [
        row._replace(degree=_named(row)) if row.domain in numbered else row
        for row in rows
    ]
    return named, sorted(numbered.difference(_WORDED))


def _numbered(domain: str, degrees: Collection[str]) -> bool:
    modified = {*degrees} - {UNMODIFIED}
    if domain == "years":
        return False
    if domain in _WORDED:
        return modified <= _NUMBERED.keys()
    # A stray degree beside all the factors is just that; rows with it are left out.
    return not (modified <= _FACTORS.keys() or modified >= _FACTORS.keys())


def _named(row: Row) -> str:
    if row.degree == UNMODIFIED:
        return row.degree
    return _NUMBERED[row.degree] if row.domain in _WORDED else _measured(row)


def _measured(row: Row) -> str:
    """The factor that is within 15 % of what the answer became, if there is one."""
    before, after = _value(row.answer), _value(row.says)
    if before and after:
        ratio = after / before
        closest = min(FACTORS, key=lambda factor: abs(log(ratio / float(factor))))
        if abs(log(ratio / float(closest))) <= _CLOSE:
            return closest
    return f"unclear ({row.degree})"


def _value(answer: str) -> float:
    """The one quantity of an answer, in the base of its unit; 0 if there is none."""
    found = [item for item in items(unified(answer)) if isinstance(item, Quantity)]
    if len(found) != 1:
        return 0.0
    value, unit = found[0].value, found[0].unit
    return abs(float(value * unit.factor if unit else value))


# Passages with another year: every mention of it shifted by an offset.

FIRST, LAST = 1, 2999
"""The years that a shifted year may be."""

# Short forms are those of a later year in the same hundred: 1914-18, 2006–07, 1999/00.
# Followed by another hyphen and digits they are the month of a date, 2006-07-15.
_SHORT_END = r"(?:(?P<dash>[-–/])(?P<end>\d\d)(?![-–/.]?\d))?"
# A year is no part of a longer run of digits, nor of a decimal number; the
# dots of dates, as in 1.12.2006 and 2006.12.01, are no decimal points. What may stand
# before it comes after it in the pattern, as literals are found fast.
_YEAR = (
    r"{year}"
    r"(?<!\d{year})(?:(?<!\d\.{year})|(?<=\d\.\d\.{year})|(?<=\d\.\d\d\.{year}))"
    r"(?!\d)(?!\.\d+(?!\.?\d))" + _SHORT_END
)
_PLAIN_YEAR = re.compile(r"[1-9]\d{0,3}", re.ASCII)
_YEAR_AMONG_WORDS = re.compile(r"(?<!\d)[1-9]\d{2,3}(?!\d)", re.ASCII)


class Refusal(StrEnum):
    """Why a passage got no other year."""

    NO_YEAR = "the answer has no year, or several"
    ABSENT = "the year is not in the passage"
    OUT_OF_RANGE = f"the shifted year is not within {FIRST} to {LAST}"


class Perturbed(NamedTuple):
    """A passage with another year, the answer that it gives, and the signed offset."""

    context: str
    answer: str
    offset: int


def perturb_year(context: str, answer: str, offset: int) -> Perturbed | Refusal:
    """Shift the year of an answer, in a passage and in the answer itself.

    Wu et al. (2024) shift by up to 100 years; SR-DCR by 20, 40, 60, 100 and 200.

    Args:
        context: The passage.
        answer: A year (`2006`), or words with one year of three or four digits.
        offset: In years, with its sign. Where the result would leave 1..2999, the
            other sign is taken.

    Returns:
        The shifted passage and answer with the offset that was taken, or the reason
        why there are none.
    """
    year = _year_of(answer)
    if year is None:
        return Refusal.NO_YEAR
    if not _mentions(year).search(context):
        return Refusal.ABSENT
    for signed in (offset, -offset):
        if FIRST <= year + signed <= LAST:
            shifted = shift_year(context, year, signed)
            return Perturbed(shifted, shift_year(answer, year, signed), signed)
    return Refusal.OUT_OF_RANGE


def shift_year(text: str, year: int, offset: int) -> str:
    """A text in which every mention of a year is that year plus an offset.

    Letters may follow, as in `1990s`. Untouched stay longer runs of digits (`12006`)
    and decimal numbers (`2006.5`). A range whose end is short moves as a whole:
    `2006-07` becomes `1966-67`; a full end (`2006-2007`) is a year of its own.

    Args:
        text: Any text.
        year: The year to shift.
        offset: In years, with its sign.
    """

    def shifted(mention: re.Match[str]) -> str:
        moved = str(year + offset)
        dash, end = mention["dash"], mention["end"]
        if end is None:
            return moved
        length = (int(end) - year) % 100
        if not 0 < length < 50:  # as in 2006-06 and 2006-03, which are months
            return f"{moved}{dash}{end}"
        return f"{moved}{dash}{(year + offset + length) % 100:02d}"

    return _mentions(year).sub(shifted, text)


def _mentions(year: int) -> re.Pattern[str]:
    return re.compile(_YEAR.format(year=year))


def _year_of(answer: str) -> int | None:
    if _PLAIN_YEAR.fullmatch(answer):
        return int(answer)
    years = {int(found) for found in _YEAR_AMONG_WORDS.findall(answer)}
    mentioned = [year for year in years if _mentions(year).search(answer)]
    return mentioned[0] if len(years) == len(mentioned) == 1 else None
