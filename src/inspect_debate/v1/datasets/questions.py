"""Any data set of questions: with options to choose from, or answered in words.

Options are shuffled sample by sample, so that the right one is in any place; or the
right one is shown with one wrong one alone, the base case of debates with two sides.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from logging import getLogger
from string import ascii_uppercase
from textwrap import shorten
from typing import Any, Literal, NamedTuple, get_args

from inspect_ai.dataset import MemoryDataset, Sample

from inspect_debate.v1.datasets.questions_sources import (
    SAMPLE,
    Fields,
    Reading,
    Row,
    columns_of,
    inner_rows,
    is_list,
    listed_texts,
    load,
    nested_in,
    not_used,
    read_fields,
    shown,
    taken,
    text_of,
    texts_of,
    unpacked,
    value_of,
)
from inspect_debate.v1.datasets.sources import (
    Entry,
    Loaded,
    PassageTruth,
    register_passage,
    register_truth,
)
from inspect_debate.v1.debate.errors import InputError, check_choice, check_whole_number
from inspect_debate.v1.debate.matching import canonical, right_answer
from inspect_debate.v1.debate.paths import existing_log, user_path
from inspect_debate.v1.debate.question import RANK, choice_fingerprint
from inspect_debate.v1.debate.seeds import fingerprint, seeded
from inspect_debate.v1.debate.stored import each_sample

# Which option is the right one: given by its letter, by its number or by its text.


class Option(NamedTuple):
    """An option, and the letter or number that the data set calls it by."""

    label: str
    text: str


class Asked(NamedTuple):
    """The options of a row, and what it says of the right one."""

    options: Sequence[Option]
    answer: Any


_TWO_VALUED = ({"true": "yes", "false": "no"}, {"yes": "yes", "no": "no"})
# -1 is what hidden labels are called, and a question has up to 26 options.
_SMALL = range(-1, 27)
_SHOWN = 60  # characters of answers that an error shows


def with_labels(
    fields: Fields,
    rows: Sequence[Row],
    known: Mapping[str, Sequence[str]],
    free: bool,
    where: str,
) -> Fields:
    """The fields with names for answers that are labels, where there are no options.

    Answers that are all true or false, or all yes or no, become yes and no, and those
    of a column whose labels the data set names get these names.

    Args:
        fields: The columns.
        rows: The rows.
        known: The names of labels that the data set has, by column; its rows have them
            in place of numbers.
        free: Whether questions are to be answered in words.
        where: What to call the data set in an error.

    Raises:
        InputError: If the answers look like letters, numbers or labels of options that
            were not found, and are not to be given in words.
    """
    column = fields.answer
    if fields.has_options or fields.right or column is None:
        return fields
    if names := known.get(column):
        return fields.model_copy(update={"labels": {name: name for name in names}})
    cells = [text for row in rows for text in texts_of(value_of(row, column))]
    texts = {cell.casefold(): cell for cell in reversed(cells)}
    for pair in _TWO_VALUED:
        if cells and texts.keys() <= pair.keys():
            return fields.model_copy(update={"labels": pair})
    if not free and cells and _look_like_names(texts, len(texts) < len(cells), column):
        some = ", ".join(texts[key] for key in sorted(texts, key=_by_number))
        raise InputError(
            f"The answers of {where} are {shorten(some, _SHOWN, placeholder=' ...')}, "
            "which look like letters, numbers or labels of options, and no options "
            "were found; give the columns with fields.options=COLUMN,COLUMN, or the "
            "names of labels with fields.labels=NAME,NAME (and fields.answer_from=1 if "
            "they are numbers from 1), or answers=free if these are the answers"
            f"{not_used(fields, columns_of(rows))}."
        )
    return fields


def _look_like_names(texts: Iterable[str], repeated: bool, column: str) -> bool:
    """Whether different answers, in small letters, look like names of options."""
    if all(re.fullmatch(r"\(?[a-z][).]?", text) for text in texts):
        return True
    numbers = {_number(text) for text in texts}
    whole = None not in numbers
    if column.casefold().endswith(("label", "labels")):
        return repeated or whole
    few = numbers in ({*range(len(numbers))}, {*range(1, len(numbers) + 1)})
    return numbers <= {*_SMALL} or (few and repeated)


def _by_number(text: str) -> tuple[int, str]:
    number = _number(text)
    return (0 if number is None else number, re.sub(r"\W", "", text))


def reading_of(asked: Sequence[Asked], start: int | None, where: str) -> Reading:
    """How the answers of a data set are to be read: in the way that fits most rows.

    Args:
        asked: Its rows.
        start: The number of the first option, where answers are numbers; None if it
            was not given.
        where: What to call the data set in an error.

    Raises:
        InputError: If two ways fit equally many and name different options, or numbers
            may start at 0 or at 1.
    """
    found = {way: [right_option(a, way, start or 0) for a in asked] for way in _READERS}
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


def check_start(asked: Sequence[Asked], start: int | None, where: str) -> None:
    """Check that it is known whether numbers start at 0 or at 1.

    Raises:
        InputError: If it was not given, and no answer is 0.
    """
    if start is not None or not asked:
        return
    if 0 not in {_number(one.answer) for one in asked}:
        highest = any(_number(a.answer) == len(a.options) for a in asked)
        raise InputError(
            f"The answers of {where} are numbers, and none is 0"
            f"{', while some are as high as the number of options' if highest else ''}"
            "; give fields.answer_from=1 if the first option is number 1, or "
            "fields.answer_from=0 if it is number 0."
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
    exact = [option.label for option in asked.options]
    number, text = _number(asked.answer), text_of(asked.answer) or ""
    plain = text if number is None else str(number)
    for name in (text, plain):
        if exact.count(name) == 1:
            return exact.index(name)
    wanted = plain if number is not None else _bare(text)
    labels = [_bare(label) for label in exact]
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
    return int(float(text)) if re.fullmatch(r"-?[0-9]{1,3}(\.0+)?", text) else None


# Rows of any data set of questions, read into one form; what is wrong with a row.

_NAMED = 3  # bad rows that an error names


@dataclass(frozen=True)
class Item:
    """A question as the data set has it.

    Attributes:
        id: Its name, unique.
        group: What it has in common with others; its own where there are none.
        question: The question.
        options: The options, in the order of the data set; empty if there are none.
        right: The place of the right option.
        accepted: The accepted answers in words, the first of which is the best.
        passage: What the question is about.
    """

    id: str
    group: str
    question: str
    options: tuple[str, ...]
    right: int | None
    accepted: tuple[str, ...]
    passage: str | None


class Read(NamedTuple):
    """The questions of a data set.

    Attributes:
        items: The questions, in the order of the rows.
        answer_as: How the answers that name an option were read.
        left_out: How many rows were left out, by reason.
    """

    items: list[Item]
    answer_as: Reading | None
    left_out: dict[str, int]


class _Draft(NamedTuple):
    place: str
    row: Row
    question: str
    asked: Asked


def read_items(entries: Sequence[Entry], fields: Fields, where: str) -> Read:
    """The questions of the rows of a data set.

    Args:
        entries: The rows.
        fields: The columns, all of which exist.
        where: What to call the data set in an error.

    Raises:
        InputError: If a row is no question and is not to be left out, no row is one, or
            it is not clear how the answers name an option.
    """
    bad: dict[str, BadRow] = {}
    drafts: list[_Draft] = []
    for entry in entries:
        try:
            drafts.append(_draft(entry, fields))
        except BadRow as error:
            bad[entry.place] = error
    way = _way([draft.asked for draft in drafts], fields, where)
    items: dict[str, Item] = {}
    places: dict[str, str] = {}
    for draft in drafts:
        try:
            item = _item(draft, fields, way)
            if item.id in items:
                what = "its id" if fields.id else "the question"
                raise BadRow(f"{what} is that of another row", places[item.id])
        except BadRow as error:
            bad[draft.place] = error
        else:
            items[item.id], places[item.id] = item, draft.place
    if not items or (bad and not fields.skip_bad):
        reasons = [f"{e.place}: {bad[e.place]}" for e in entries if e.place in bad]
        raise _refusal(reasons, len(entries), where, bool(items))
    left_out = Counter(error.reason for error in bad.values())
    return Read([*items.values()], way, dict(sorted(left_out.items())))


def _draft(entry: Entry, fields: Fields) -> _Draft:
    row = entry.record
    if not isinstance(row, Mapping):
        raise BadRow("it has no columns")
    question = text_of(value_of(row, fields.question))
    if question is None:
        raise BadRow("it has no question")
    asked = read_asked(row, fields) if fields.has_options else Asked((), None)
    return _Draft(entry.place, row, question, asked)


def _way(asked: Sequence[Asked], fields: Fields, where: str) -> Reading | None:
    if not fields.has_options:
        return None
    if fields.right is not None:
        return "text"
    if fields.answer_as is None:
        return reading_of(asked, fields.answer_from, where)
    if fields.answer_as == "index":
        check_start(asked, fields.answer_from, where)
    return fields.answer_as


def _item(draft: _Draft, fields: Fields, way: Reading | None) -> Item:
    row, options = draft.row, [option.text for option in draft.asked.options]
    right = None if way is None else _right(draft.asked, way, fields.answer_from or 0)
    further = listed_texts(value_of(row, fields.accepted))
    if right is not None:
        accepted = [*further, options[right]]
    else:
        accepted = [*texts_of(value_of(row, fields.answer or fields.right)), *further]
    if not accepted:
        raise BadRow("it has no answer")
    passage = text_of(value_of(row, fields.passage))
    content = choice_fingerprint(draft.question, options, passage)
    about = fingerprint(draft.question if passage is None else passage)
    return Item(
        id=_name(row, fields.id) or f"q-{content}",
        group=text_of(value_of(row, fields.group)) or about,
        question=draft.question,
        options=tuple(options),
        right=right,
        accepted=_distinct(accepted),
        passage=passage,
    )


def _distinct(answers: Sequence[str]) -> tuple[str, ...]:
    """Answers in their order, without those that differ only in capitals."""
    kept: dict[str, str] = {}
    for answer in answers:
        kept.setdefault(answer.casefold(), answer)
    return tuple(kept.values())


def _right(asked: Asked, way: Reading, start: int) -> int:
    place = right_option(asked, way, start)
    if place is None:
        labels = [option.label for option in asked.options]
        allowed = {
            "letter": f"not among {', '.join(labels)}",
            "index": f"not {start} to {start + len(labels) - 1}",
            "text": "not the text of one",
        }
        raise BadRow(
            "its answer is none of its options",
            f"{shown(asked.answer)} is {allowed[way]}",
        )
    return place


def _name(row: Row, column: str | None) -> str | None:
    if column is None:
        return None
    name = text_of(value_of(row, column))
    if name is None:
        raise BadRow("it has no id")
    return name


def _refusal(bad: Sequence[str], rows: int, where: str, some: bool) -> InputError:
    more = [f"and {len(bad) - _NAMED} more"] if len(bad) > _NAMED else []
    advice = ", unless fields.skip_bad=true leaves them out" if some else ""
    return InputError(
        f"{len(bad)} of the {rows} rows of {where} cannot be used{advice}. "
        f"{'; '.join([*bad[:_NAMED], *more])}."
    )


logger = getLogger(__name__)

Answers = Literal["options", "free"]
Candidates = Literal["all", "two"]


def questions(
    dataset: str,
    fields: Mapping[str, Any] | str | None = None,
    *,
    seed: int = 0,
    answers: Answers | None = None,
    candidates: Candidates = "all",
) -> Loaded:
    """Load a data set of questions, its groups spread evenly over any prefix.

    Args:
        dataset: `sample` (27 questions on passages written for this package), the path
            of a .csv, .tsv, .json, .jsonl or .parquet file, or `huggingface:` with a
            name on the hub (`OWNER/NAME[@REVISION][/CONFIG][:SPLIT]`) or a path
            (`./PATH[:SPLIT]`) that Hugging Face's `datasets` loads.
        fields: The columns of each field, and how rows are read (see `Fields`): a
            mapping, or a YAML or JSON file. Columns with usual names need not be named.
        seed: Decides the order of questions and options, and the wrong candidate.
        answers: `options`, or `free` for answers in words; by default as the data set
            has options or not. Options that are not shown give away the right answer.
        candidates: `all` options, or `two`: the right one and one drawn wrong one.
            Answers in words have none.

    Returns:
        A sample for each question. With options its target is a letter; in words it is
        all accepted answers, the best one first. The metadata have `passage` (text or
        None), `input_group` to cluster by (the data set's, or that of the same passage
        or else question), `data_name` and `fingerprint`. The provenance has the source,
        with its sha256 and of the hub the commit; `rows`, the `fields` taken,
        `answer_as`, `left_out` (rows by reason), and the numbers of questions, groups
        and passages.

    Raises:
        InputError: If an argument is not allowed, the data set cannot be had, a field
            names a column that is not there, or a row is no question.
    """
    check_whole_number("seed", seed, 0)
    if answers is not None:
        check_choice("answers", answers, ("options", "free"))
    check_choice("candidates", candidates, ("all", "two"))
    given = read_fields(fields)
    source = load(dataset)
    where = source.provenance.get("file") or source.name
    entries = inner_rows(source.entries, given.rows)
    rows = [e.record for e in entries if isinstance(e.record, Mapping)]
    try:
        found = taken(given, columns_of(rows), where)
    except InputError as error:
        if not (nested := nested_in(entries)):
            raise
        raise InputError(
            f"{error.message} The column {nested} holds lists of rows with questions; "
            f"give fields.rows={nested}."
        ) from error
    found = with_labels(found, rows, source.labels, answers == "free", where)
    shown: Answers = answers or ("options" if found.has_options else "free")
    if shown == "options" and not found.has_options:
        raise InputError(
            f"answers=options, but {where} has no columns for them; give "
            "fields.options with fields.answer, fields.right with fields.wrong, or "
            "fields.labels where answers are labels."
        )
    if (
        answers is None
        and shown == "free"
        and (left := not_used(found, columns_of(rows)))
    ):
        logger.warning(
            f"{where}: no options were found, so questions are answered in words{left}."
        )
    read = read_items(entries, found, where)
    items = _ordered(read.items, seed)
    if shown == "free":
        samples = [free_sample(item, items, source.name, seed) for item in items]
    else:
        two = candidates == "two"
        samples = [
            choice_sample(item, source.name, two, found.shuffle, seed) for item in items
        ]
    if dataset == SAMPLE:
        # Of other data sets a question depends on no other; these are always the same.
        for rank, sample in enumerate(samples):
            sample.metadata = (sample.metadata or {}) | {RANK: rank}
    provenance = source.provenance | {
        "rows": len(entries),
        "fields": found.named(),
        "answer_as": read.answer_as,
        "answers": shown,
        "candidates": candidates if shown == "options" else None,
        "shuffled": found.shuffle if shown == "options" else None,
        "left_out": read.left_out,
        "questions": len(items),
        "groups": len({item.group for item in items}),
        "with_passage": sum(item.passage is not None for item in items),
    }
    if read.left_out:
        counts = (f"{reason}: {count}" for reason, count in read.left_out.items())
        logger.warning(f"{where}: rows left out ({', '.join(counts)}).")
    return Loaded(MemoryDataset(samples, name=source.name), provenance)


def _ordered(items: Sequence[Item], seed: int) -> list[Item]:
    """Items in a seeded order in which each group is spread evenly over the whole."""
    groups: defaultdict[str, list[Item]] = defaultdict(list)
    for item in sorted(items, key=lambda item: item.id):
        groups[item.group].append(item)
    places: dict[str, float] = {}
    for name, group in groups.items():
        rng = seeded(seed, "order", name)
        rng.shuffle(group)
        first = rng.random()
        places |= {it.id: (at + first) / len(group) for at, it in enumerate(group)}
    return sorted(items, key=lambda item: (places[item.id], item.id))


# The samples of a data set of questions; simulated models get the right answers.

_MOST_OTHERS = 8
_LOOKED_THROUGH = 32


def choice_sample(
    item: Item, data_name: str, two: bool, shuffle: bool, seed: int
) -> Sample:
    """A question with options, whose target is the letter of the right one.

    Args:
        item: The question; it has a right option.
        data_name: What the data set is called.
        two: Whether only the right option and a drawn wrong one are shown.
        shuffle: Whether the options are put in a random order.
        seed: Decides both, with the question's id.
    """
    assert item.right is not None
    shown = [*range(len(item.options))]
    if two:
        wrong = [place for place in shown if place != item.right]
        drawn = seeded(seed, "candidates", item.id).choice(wrong)
        shown = sorted([item.right, drawn])
    if shuffle:
        seeded(seed, "options", item.id).shuffle(shown)
    options = [item.options[place] for place in shown]
    target = ascii_uppercase[shown.index(item.right)]
    for mark in _marks(item, options):
        register_truth(mark, target)
    return _sample(item, data_name, options, choices=options, target=target)


def free_sample(item: Item, items: Sequence[Item], data_name: str, seed: int) -> Sample:
    """A question that is answered in words; its target is all accepted answers.

    Args:
        item: The question.
        items: All questions. Where it has no wrong options, simulated models give
            answers to others of these as wrong ones.
        data_name: What the data set is called.
        seed: Decides which, with the question's id.
    """
    best = item.accepted[0]
    truth = PassageTruth(best, best, _wrong_answers(item, items, seed))
    for mark in _marks(item, ()):
        register_truth(mark, best)
        register_passage(mark, truth)
    return _sample(item, data_name, (), target=[*item.accepted])


def questions_of_log(typed: str) -> Loaded:
    """The questions of debates that were imported, as they are in their log.

    Args:
        typed: The log, as the user typed it.

    Returns:
        As from `questions`.
    """
    header = existing_log("reuse", typed)
    source = (header.eval.metadata or {})["data"]["source"]
    samples = [
        Sample(
            id=sample.id,
            input=sample.input,
            choices=sample.choices,
            target=sample.target,
            metadata={"data_name": header.eval.dataset.name, **sample.metadata},
        )
        for sample in each_sample(user_path(typed))
        if sample.epoch == 1
    ]
    for sample in samples:
        known = sample.metadata or {}
        if isinstance(sample.target, str) and "fingerprint" in known:
            register_truth(str(known["fingerprint"]), sample.target)
    with_passage = any("passage" in (sample.metadata or {}) for sample in samples)
    shown = "options" if any(sample.choices for sample in samples) else "free"
    return Loaded(
        MemoryDataset(samples, name=header.eval.dataset.name),
        {"source": source, "answers": shown, "with_passage": with_passage},
    )


def _marks(item: Item, options: Sequence[str]) -> set[str]:
    """The question's hashes: its passage may be used or not."""
    passages = {None, item.passage}
    return {choice_fingerprint(item.question, options, p) for p in passages}


def _sample(
    item: Item, data_name: str, options: Sequence[str], **answered: Any
) -> Sample:
    return Sample(
        input=item.question,
        id=item.id,
        metadata={
            "data_name": data_name,
            "passage": item.passage,
            "input_group": item.group,
            "fingerprint": choice_fingerprint(item.question, options, item.passage),
        },
        **answered,
    )


def _wrong_answers(item: Item, items: Sequence[Item], seed: int) -> tuple[str, ...]:
    """The wrong options, or else answers to other questions that are not right here."""
    others = [text for place, text in enumerate(item.options) if place != item.right]
    if not others:
        rng = seeded(seed, "others", item.id)
        some = rng.sample(items, min(len(items), _LOOKED_THROUGH))
        others = [one.accepted[0] for one in some]
    wrong = {
        canonical(other): other
        for other in others
        if not any(right_answer(other, right) for right in item.accepted)
    }
    return tuple(wrong.values())[:_MOST_OTHERS]


# The options of a row in all the shapes that data sets give them, and its answer.


class BadRow(Exception):
    """Why a row is no question: a reason to count by, and what in particular."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason} ({detail})" if detail else reason)
        self.reason = reason


def read_asked(row: Row, fields: Fields) -> Asked:
    """The options of a row, and what it says of the right one.

    Args:
        row: The row.
        fields: The columns, among which are some for options.

    Raises:
        BadRow: If there are not 2 to 26 different options, or no answer or several.
    """
    if fields.right is not None:
        options, answer = _right_and_wrong(row, fields)
    else:
        options = _labels(fields) or _options(row, fields.options or ())
        answer = value_of(row, fields.answer)
    _check_options(options)
    return Asked(options, _one(answer))


def _right_and_wrong(row: Row, fields: Fields) -> tuple[list[Option], object]:
    right = text_of(value_of(row, fields.right))
    if right is None:
        raise BadRow("it has no right option")
    cells = [value_of(row, column) for column in fields.wrong or ()]
    texts = listed_texts if len(cells) == 1 else texts_of
    wrong = [text for cell in cells for text in texts(cell)]
    return _lettered([right, *wrong]), right


def _labels(fields: Fields) -> list[Option]:
    if isinstance(fields.labels, dict):
        return [Option(label, name) for label, name in fields.labels.items()]
    return _lettered(fields.labels or ())


def _options(row: Row, columns: Sequence[str]) -> list[Option]:
    if len(columns) != 1:
        cells = [text_of(value_of(row, column)) for column in columns]
        lettered = zip(ascii_uppercase, cells, strict=False)
        return [Option(letter, text) for letter, text in lettered if text is not None]
    match unpacked(value_of(row, columns[0])):
        case None | "":
            return []
        case {"text": texts, "label": labels} if is_list(texts) and is_list(labels):
            if len(texts) != len(labels):
                raise BadRow("its options have more texts than labels, or fewer")
            return [
                Option(str(label), text_of(text) or "")
                for label, text in zip(labels, texts, strict=True)
            ]
        case {"text": texts} if is_list(texts):
            return _lettered(texts)
        case Mapping() as by_label:
            # Tables give every row all labels that occur in any.
            labelled = {
                str(k): text for k, text in by_label.items() if text is not None
            }
            return [
                Option(label, text_of(text) or "") for label, text in labelled.items()
            ]
        case list() | tuple() as texts:
            return _lettered(texts)
        case other:
            raise BadRow("its options are no list and no mapping", shown(other))


def _lettered(texts: Sequence[object]) -> list[Option]:
    # What is past Z is refused next.
    letters = [*ascii_uppercase, *[""] * len(texts)]
    return [
        Option(letter, text_of(text) or "")
        for letter, text in zip(letters, texts, strict=False)
    ]


def _check_options(options: Sequence[Option]) -> None:
    texts = [option.text for option in options]
    if not options:
        raise BadRow("it has no options")
    if not 2 <= len(options) <= len(ascii_uppercase):
        raise BadRow(
            f"it has not 2 to {len(ascii_uppercase)} options", f"{len(options)}"
        )
    if "" in texts:
        raise BadRow("one of its options is empty")
    for text, count in Counter(" ".join(text.split()) for text in texts).items():
        if count > 1:
            raise BadRow("two of its options are the same", shown(text))


def _one(answer: object) -> str:
    """The answer of a question with options, which may be in a list of its own."""
    several = texts_of(answer)
    if not several:
        raise BadRow("it has no answer")
    if len(several) > 1:
        raise BadRow("it has several answers", shown(", ".join(several)))
    return several[0]
