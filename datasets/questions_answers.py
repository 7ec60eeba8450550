"""Which option is the right one: told by its letter, by its number or by its text."""

import re
from collections.abc import Callable, Sequence
from string import ascii_uppercase
from typing import Any, NamedTuple, get_args

from inspect_debate.core.errors import InputError
from inspect_debate.datasets.questions_fields import Reading
from inspect_debate.datasets.questions_texts import text_of


class Option(NamedTuple):
    """An option, and the letter or number that the data set calls it by."""

    label: str
    text: str


class Asked(NamedTuple):
    """The options of a row, and what it says of the right one."""

    options: Sequence[Option]
    answer: Any


def reading_of(asked: Sequence[Asked], start: int, where: str) -> Reading:
    """How the answers of a data set are to be read: in the way that fits most rows.

    Args:
        asked: Its rows.
        start: The number of the first option, where answers are numbers.
        where: What to call the data set in an error.

    Raises:
        InputError: If two ways fit equally many and name different options, or the
            numbers look as if they started at 1 and not at 0.
    """
    found = {way: [right_option(a, way, start) for a in asked] for way in _READERS}
    fits = {way: len(rights) - rights.count(None) for way, rights in found.items()}
    best = [way for way in _READERS if fits[way] == max(fits.values())]
    for way in best[1:]:
        if found[way] != found[best[0]]:
            raise InputError(
                f"The answers of {where} can be read as {best[0]} and as {way} of an "
                f"option, and these differ; give fields.answer_as="
                f"{' or '.join(get_args(Reading))}."
            )
    if best[0] == "index":
        check_start(asked, start, where)
    return best[0]


def check_start(asked: Sequence[Asked], start: int, where: str) -> None:
    """Check that numbers do not look as if they started at another one.

    Raises:
        InputError: If they do.
    """
    if start:
        return
    numbers = {_number(one.answer) for one in asked}
    if 0 not in numbers and any(_number(a.answer) == len(a.options) for a in asked):
        raise InputError(
            f"The answers of {where} seem to be numbered from 1: none is 0, and some "
            "are as high as the number of options; give fields.answer_from=1."
        )


def right_option(asked: Asked, way: Reading, start: int) -> int | None:
    """The place of the right option, from 0; None if the answer names none of them.

    Args:
        asked: The options and the answer.
        way: How the answer is to be read.
        start: The number of the first option.
    """
    return _READERS[way](asked, start)


def _by_letter(asked: Asked, _: int) -> int | None:
    wanted = _bare(text_of(asked.answer) or "")
    labels = [_bare(option.label) for option in asked.options]
    return labels.index(wanted) if labels.count(wanted) == 1 else None


def _by_index(asked: Asked, start: int) -> int | None:
    number = _number(asked.answer)
    labels = [option.label.upper() for option in asked.options]
    if number is None or labels != [*ascii_uppercase[: len(labels)]]:
        return None  # options with numbers of their own are named by these
    place = number - start
    return place if 0 <= place < len(labels) else None


def _by_text(asked: Asked, _: int) -> int | None:
    wanted = text_of(asked.answer) or ""
    texts = [option.text for option in asked.options]
    if wanted in texts:
        return texts.index(wanted)
    folded = [text.casefold() for text in texts]
    place = wanted.casefold()
    return folded.index(place) if folded.count(place) == 1 else None


_READERS: dict[Reading, Callable[[Asked, int], int | None]] = {
    "letter": _by_letter,
    "index": _by_index,
    "text": _by_text,
}


def _bare(label: str) -> str:
    """A label without brackets and dots, as in `(a)` and `A.`; in capitals."""
    return re.sub(r"[\W_]", "", label).upper()


def _number(answer: object) -> int | None:
    text = text_of(answer) or ""
    return int(text) if re.fullmatch("[0-9]{1,3}", text) else None
