"""Questions of your own, with options or labels, or to be answered in words."""

import json
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from logging import getLogger
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any, Literal, NamedTuple

import yaml
from inspect_ai.dataset import Sample

from inspect_debate.datasets.common import Sourced
from inspect_debate.datasets.download import (
    KINDS,
    fetch_from_hub,
    read_file,
    read_rows,
    sha256_of,
    user_path,
)
from inspect_debate.debate.errors import InputError, check_known, typed_path, validated
from inspect_debate.debate.seeds import seeded

logger = getLogger(__name__)
SAMPLE = Path(__file__).parent / "data" / "questions_sample.jsonl"
HUB = "huggingface:OWNER/NAME@REVISION/CONFIG:SPLIT"
FORM = r"huggingface:([\w.-]+/[\w.-]+)(?:@(refs/\w+/\w+|[^/:]+))?(?:/([^/:]+))?:(.+)"
COLUMNS = {
    "question": "question input",
    "options": "options choices",
    "answer": "answer answers target label",
    "passage": "passage context article",
    **{"id": "id", "group": "group", "right": "right", "wrong": "wrong"},
}
"""The columns, in any case, in which a field is looked for where none is named."""
WAYS = ("letter", "index", "number", "text")

Row = Mapping[str, Any]
Columns = Mapping[str, Sequence[str]]


class Draft(NamedTuple):
    """A sample without choices, its options, and what its answer may name of them."""

    sample: Sample
    group: str
    options: list[str]
    named: dict[str, int | None]
    place: str


@validated
def questions(
    dataset: str = "sample",
    fields: Mapping[str, Any] | str | None = None,
    candidates: Literal["all", "two"] = "all",
    seed: int = 0,
) -> Sourced:
    """Load questions in an order in which `--limit` takes few of each of many groups.

    Args:
        dataset: `sample` (27 questions written for this package), the path of a
            `.csv`, `.tsv`, `.json`, `.jsonl` or `.parquet` file, or
            `huggingface:OWNER/NAME@REVISION/CONFIG:SPLIT`, without `@REVISION` the
            newest, and `/CONFIG` only where there are several.
        fields: The columns, as a mapping or a YAML file; usual names are found.
            `question`, `passage`, `id`, `group`, `answer` and `options` (a column with
            a list or mapping, several columns, or None for answers in words), or for
            these two `right` and `wrong`. Also `rows`, a column with lists of
            questions; `labels`, the options of all questions, in order or by label;
            `answer_as`: `letter`, `index` (from 0), `number` (from 1) or `text`, by
            default the way that fits most rows.
        candidates: `all` options, or `two`: the right one and another, drawn by seed
            and question, so that all protocols have the same.
        seed: Decides that, and the order of questions and of options.

    Returns:
        A sample per question, whose target is a letter or the accepted answers. The
        metadata: `question_id`, `passage` if it has one, and `input_group` to cluster
        by: the group, or else the passage, or else the question.
    """
    given: Any = fields or {}
    if isinstance(given, str):
        # Unlike YAML's usual loader, this one leaves yes and no what they are.
        given = yaml.load(read_file(typed_path(given)), yaml.BaseLoader)
    if not isinstance(given, Mapping):
        raise InputError(f"fields={fields} has to be a mapping from fields to columns.")
    for name in given:
        check_known("field", str(name), (*COLUMNS, "rows", "labels", "answer_as"))
    given = {name: None if it in ("", "null") else it for name, it in given.items()}
    provenance, outer = _source(dataset)
    where = provenance["dataset"]
    rows = _inner(outer, given.get("rows"), where)
    taken = _taken(given, rows, where)
    _warn_of_passages(given, taken, rows)
    labels = _labels(given, taken, rows, where)
    drafts: dict[str, Draft] = {}
    for number, row in enumerate(rows, start=1):
        draft = _draft(row, taken, labels, f"row {number} of {where}")
        if (twin := drafts.setdefault(str(draft.sample.id), draft)) is not draft:
            raise _fault(draft.place, f"it is the same as {twin.place}, or has its id")
    way = None
    if labels or {"options", "right"} & {*taken}:
        way = "text" if "right" in taken else given.get("answer_as")
        way = way or _way([draft.named for draft in drafts.values()], where)
        check_known("fields.answer_as", way, WAYS)
        for draft in drafts.values():
            _choose(draft, way, candidates, seed)
    provenance |= {
        "fields": taken | ({"labels": labels} if labels else {}),
        "answer_as": way,
        "questions": len(drafts),
        "groups": len({draft.group for draft in drafts.values()}),
    }
    return Sourced(_ordered(drafts.values(), seed), provenance, where)


# --- Sources --------------------------------------------------------------------------


def _source(dataset: str) -> tuple[dict[str, Any], list[Any]]:
    """Where rows come from, and the rows."""
    if dataset.startswith("huggingface:"):
        if not (asked := re.fullmatch(FORM, dataset)):
            raise InputError(f"dataset={dataset!r} is not of the form {HUB}.")
        name, revision, config, split = asked.groups()
        commit, rows = fetch_from_hub(name, revision, name=config, split=split)
        origin = {"source": "huggingface", "dataset": name, "revision": commit}
        return {**origin, "config": config, "split": split}, list(rows)
    sample = dataset == "sample"
    path = SAMPLE if sample else user_path(dataset, ("sample", HUB), KINDS)
    origin = {"source": "sample" if sample else "path", "dataset": path.name}
    return {**origin, "sha256": sha256_of(read_file(path))}, read_rows(path)


# --- Columns --------------------------------------------------------------------------


def _inner(rows: Sequence[Any], column: str | None, where: str) -> list[Row]:
    """The rows, or those in a column of each with its other columns."""
    found: list[Row] = []
    for number, row in enumerate(rows, start=1):
        inner = row.get(column) if column and isinstance(row, Mapping) else row
        for one in _listed(inner):
            if not isinstance(one, Mapping):
                lacking = f"rows in {column}" if column else "columns"
                raise _fault(f"row {number} of {where}", f"it has no {lacking}")
            found.append({k: v for k, v in row.items() if k != column} | dict(one))
    if not found:
        raise InputError(f"{where} has no rows; give another file.")
    return found


def _taken(given: Row, rows: Sequence[Row], where: str) -> dict[str, list[str]]:
    """The columns of the fields that have some."""
    columns = [*dict.fromkeys(column for row in rows for column in row)]
    taken: dict[str, list[str]] = {}
    for name, words in COLUMNS.items():
        usual = [c for c in columns if c.strip().casefold() in words.split()]
        named = _listed(given[name]) if name in given else usual
        taken[name] = [str(column) for column in named if column is not None]
        for column in taken[name]:
            check_known(f"fields.{name}: the column", column, columns)
    pair = taken["right"] and taken["wrong"] and not taken["answer"]
    if not pair and not {"right", "wrong"} & given.keys():
        taken["right"] = taken["wrong"] = []  # columns of these names are others
    if "options" not in given:
        taken["options"] = taken["options"] or _lettered(columns)
    if taken["right"] or given.get("labels"):
        taken["options"] = []
    if taken["right"]:
        taken["answer"] = []
    needed = ("question", "wrong" if taken["right"] else "answer")
    for name, found in taken.items():
        several = len(found) > 1 and name not in ("options", "wrong")
        if several or (name in needed and not found):
            either = ", ".join(found or columns)
            raise InputError(
                f"fields.{name} has to be one column of {where}, which has {either}: "
                f"give -T fields.{name}=COLUMN."
            )
    return {name: found for name, found in taken.items() if found}


def _warn_of_passages(given: Row, taken: Columns, rows: Sequence[Row]) -> None:
    """A passage under another name would be missed in silence."""
    used = {column for columns in taken.values() for column in columns}
    left = [column for column in rows[0] if column not in used]
    if left and "passage" not in {*given, *taken}:
        logger.warning(
            "No column is the passage, so debaters know no more than the judge. Not "
            "used: %s. Name one as fields.passage, or give fields.passage=null.",
            ", ".join(left),
        )


def _lettered(columns: Sequence[str]) -> list[str]:
    """Columns A, B and so on; or with `option` or `choice` and letters or digits."""
    form = r"(option|choice)[ _-]?\d|((option|choice)[ _-]?)?[a-z]"
    found = sorted(c for c in columns if re.fullmatch(form, c, re.I))
    signs = "".join(column[-1] for column in found).upper()
    series = (ascii_uppercase, digits, digits[1:])
    return found if found[1:] and any(one.startswith(signs) for one in series) else []


def _labels(
    given: Row, taken: Columns, rows: Sequence[Row], where: str
) -> dict[str, str]:
    """The options of all questions where answers are labels; else none."""
    if named := given.get("labels"):
        labels = named if isinstance(named, Mapping) else _by_letter(named)
        return {_text(label) or "": _text(name) or "" for label, name in labels.items()}
    if "right" in taken or "options" in {*given, *taken}:
        return {}
    cells = [text for row in rows for text in _texts(row.get(taken["answer"][0]))]
    for pair in ({"true": "yes", "false": "no"}, {"yes": "yes", "no": "no"}):
        if {cell.casefold() for cell in cells} <= pair.keys():
            return pair
    short = r"\(?[A-Za-z][.)]?|-?1?\d(\.0)?|2[0-6](\.0)?"
    if all(re.fullmatch(short, cell) for cell in cells):
        raise InputError(
            f"the answers of {where} look like letters or numbers of options, such as "
            f"{cells[0]}, and none were found; give fields.options=COLUMNS or "
            "fields.labels=NAMES, or fields.options=null if these are the answers."
        )
    return {}


# --- Rows -----------------------------------------------------------------------------


def _fault(place: str, what: str) -> InputError:
    return InputError(f"{place} cannot be used: {what}; correct it or leave it out.")


def _text(value: object) -> str | None:
    """A cell without blanks around it; None if it is empty or no text."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        value = f"{value:.15g}" if math.isfinite(value) else None
    return str(value).strip() or None if isinstance(value, str | int) else None


def _texts(value: Any) -> list[str]:
    """The texts of a cell with one or a list; [1, 2] written out is one."""
    found = _unpacked(value)
    if isinstance(value, str) and not all(isinstance(one, str) for one in found):
        found = value
    if isinstance(found, Mapping):
        found = found.get("text")
    cells = found if isinstance(found, list) else [found]
    return [text for text in map(_text, cells) if text is not None]


def _unpacked(value: Any) -> Any:
    """A cell; a list or a mapping where it is written out, as in CSV files."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("[", "{"):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _by_letter(values: Sequence[Any]) -> dict[str, Any]:
    letters = [*ascii_uppercase, *map(str, range(len(values)))]
    return dict(zip(letters, values, strict=False))


def _options(row: Row, taken: Columns, answers: list[str]) -> dict[str, str]:
    columns = taken.get("options") or taken["wrong"]
    cells = [row.get(column) for column in columns]
    found = _unpacked(cells[0]) if len(cells) == 1 else _by_letter(cells)
    if isinstance(found, Mapping) and isinstance(found.get("text"), list):
        cells = found["text"]
        labels = found.get("label") or [*_by_letter(cells)]
        same = len({*labels}) == len(cells)
        found = dict(zip(labels, cells, strict=True)) if same else {}
    if isinstance(found, Mapping):  # tables give every row the labels of all
        found = {label: cell for label, cell in found.items() if _text(cell)}
    if "right" in taken:
        wrong = found.values() if isinstance(found, Mapping) else _listed(found)
        found = [*answers, *wrong]
    by_label = found if isinstance(found, Mapping) else _by_letter(_listed(found))
    return {str(label): _text(cell) or "" for label, cell in by_label.items()}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _draft(row: Row, taken: Columns, labels: dict[str, str], place: str) -> Draft:
    cells = {name: row.get(columns[0]) for name, columns in taken.items()}
    texts = {name: _text(cell) for name, cell in cells.items()}
    answers = _texts(cells["right" if "right" in taken else "answer"])
    question, passage, id = (texts.get(name) for name in ("question", "passage", "id"))
    if not question or not answers or ("id" in taken and not id):
        lacking = "id" if question and answers else "answer" if question else "question"
        raise _fault(place, f"it has no {lacking}")
    options = labels
    if {"options", "right"} & {*taken}:
        options = _options(row, taken, answers)
    if options or "options" in taken:
        distinct = {" ".join(text.split()) for text in options.values()}
        if not 2 <= len(options) <= 26:
            raise _fault(place, f"it has {len(options)} options, and needs 2 to 26")
        if len(distinct) < len(options) or "" in distinct:
            raise _fault(place, "two of its options are the same, or one is empty")
        if len(answers) > 1:
            raise _fault(place, f"it has several right answers, {', '.join(answers)}")
    id = id or f"q-{_hash(question, *options.values(), passage or '')}"
    group = texts.get("group") or _hash(passage or question)
    metadata = {"question_id": id, "input_group": group}
    metadata |= {"passage": passage} if passage else {}
    sample = Sample(question, target=answers, id=id, metadata=metadata)
    named = _named(answers[0], options)
    return Draft(sample, group, [*options.values()], named, place)


def _hash(*texts: str) -> str:
    return sha256_of("\x1f".join(texts).encode())[:12]


# --- Answers and order ----------------------------------------------------------------


def _named(answer: str, options: Mapping[str, str]) -> dict[str, int | None]:
    """The place of the option that an answer names, read in each way."""
    labels = [*map(_bare, options)]
    # Options with labels of their own are not called by other numbers.
    lettered = labels == [*ascii_lowercase[: len(labels)]]
    numbers = [str(n) for n in range(len(labels) + 1) if lettered]
    texts = [text.casefold() for text in options.values()]
    named: dict[str, int | None] = {}
    for way, names in zip(
        WAYS, (labels, numbers[:-1], numbers[1:], texts), strict=True
    ):
        name = answer.casefold() if way == "text" else _bare(answer)
        named[way] = names.index(name) if names.count(name) == 1 else None
    return named


def _bare(label: str) -> str:
    """A letter or number without what may be around it: `(a)`, `A.`, `1.0`."""
    return label.strip("().[] ").removesuffix(".0").casefold()


def _way(named: Sequence[Mapping[str, int | None]], where: str) -> str:
    """The way of reading in which most answers name an option."""
    found = {way: [places[way] for places in named] for way in WAYS}
    fits = {way: -places.count(None) for way, places in found.items()}
    best = [way for way in WAYS if fits[way] == max(fits.values())]
    if any(found[way] != found[best[0]] for way in best):
        raise InputError(
            f"the answers of {where} can be read as {' and as '.join(best)} of an "
            f"option, which differ; give fields.answer_as={' or '.join(best)}."
        )
    return best[0]


def _choose(draft: Draft, way: str, candidates: str, seed: int) -> None:
    """Give a sample its choices, and the letter of the right one as target."""
    sample, texts, place = draft.sample, [*draft.options], draft.named[way]
    if place is None:
        what = f"its answer, {sample.target[0]!r}, is the {way} of none of its options"
        raise _fault(draft.place, what)
    right = texts.pop(place)
    if candidates == "two":
        texts = [seeded(seed, "candidates", str(sample.id)).choice(texts)]
    sample.choices = [right, *texts]
    seeded(seed, "options", str(sample.id)).shuffle(sample.choices)
    sample.target = ascii_uppercase[sample.choices.index(right)]


def _ordered(drafts: Iterable[Draft], seed: int) -> list[Sample]:
    """Samples in a seeded order that spreads each group evenly over the whole."""
    groups: defaultdict[str, list[Sample]] = defaultdict(list)
    for draft in sorted(drafts, key=lambda one: str(one.sample.id)):
        groups[draft.group].append(draft.sample)
    places: list[tuple[float, str, Sample]] = []
    for name, group in groups.items():
        draw = seeded(seed, "order", name)
        draw.shuffle(group)
        first = draw.random()
        places += [((n + first) / len(group), name, it) for n, it in enumerate(group)]
    return [sample for *_, sample in sorted(places, key=lambda place: place[:2])]
