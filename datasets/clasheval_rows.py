"""ClashEval's rows: the published schema, checked, and read into one form."""

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from inspect_debate.core.errors import InputError

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
    """The domain that a name stands for, such as `drug dosages`, in any case.

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
