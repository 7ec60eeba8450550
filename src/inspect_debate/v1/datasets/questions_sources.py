"""Where questions are read from: a file, Hugging Face, or the shipped sample."""

import ast
import csv
import hashlib
import importlib
import io
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from typing import Annotated, Any, Literal, NamedTuple, TypeGuard

from pydantic import BeforeValidator, Field, StrictBool, ValidationError

from inspect_debate.v1.datasets.archive import download_errors, from_hub, sha256_of
from inspect_debate.v1.datasets.sources import (
    Entry,
    Sources,
    in_file,
    in_jsonl,
    in_list,
    shipped_bytes,
)
from inspect_debate.v1.debate.errors import InputError, check_name
from inspect_debate.v1.debate.paths import (
    AnyPath,
    local_copy,
    read_user_yaml,
    user_path,
)
from inspect_debate.v1.debate.record import Frozen

# Questions loaded with Hugging Face's `datasets`, from its hub or a local path.

PREFIX = "huggingface:"
HUB = f"{PREFIX}OWNER/NAME[@REVISION][/CONFIG][:SPLIT], or {PREFIX}./PATH[:SPLIT]"

_NAME = re.compile(
    r"(?P<name>[\w.-]+(?:/[\w.-]+)?)(?:@(?P<revision>refs/[\w.-]+/[\w.-]+|[\w.-]+))?"
    r"(?:/(?P<config>[^/@:]+))?(?::(?P<split>.+))?"
)
_PATH = re.compile(
    r"(?P<path>(?:[./~]|\w+://).*?)(?::(?P<split>[\w+]+(?:\[[^\]]*\])?))?", re.S
)
_BUILDERS = {
    ".csv": "csv",
    ".json": "json",
    ".jsonl": "json",
    ".parquet": "parquet",
    ".arrow": "arrow",
}


class Source(NamedTuple):
    """Rows as they were found, and where they come from, for the log: no folders.

    Attributes:
        entries: The rows.
        name: What the data set is called.
        provenance: Where they come from.
        labels: The names of labels by column (`ClassLabel`), where the data set has
            them; the rows have these in place of numbers.
    """

    entries: list[Entry]
    name: str
    provenance: dict[str, Any]
    labels: dict[str, list[str]]


def of_hub(asked: str) -> Source:
    """The rows of a data set that `datasets` can load.

    Args:
        asked: `OWNER/NAME[@REVISION][/CONFIG][:SPLIT]` on the hub; or the path of a
            file, a folder of files or a saved data set, which begins with `.`, `~` or
            `/`, and may have a `:SPLIT`. The split may be left out if there is one.

    Returns:
        The rows, values as Python objects, nothing decoded. The provenance has the
        commit, or of a path the last part, and the sha256 of the rows.

    Raises:
        InputError: If it cannot be loaded, or has several splits and none is named.
    """
    if found := _PATH.fullmatch(asked):
        path, split = user_path(found["path"]), found["split"]
        rows, split, labels = _rows(_local(path, split), split, path.name)
        origin: dict[str, Any] = {"file": path.name, "split": split}
        name = path.stem
    elif found := _NAME.fullmatch(asked):
        name, config, split = found["name"], found["config"], found["split"]
        with download_errors(f"Hugging Face's {name}"):
            revision = found["revision"]
            commit, loaded = from_hub(name, config, split=split, revision=revision)
        rows, split, labels = _rows(loaded, split, name)
        origin = {"dataset": name, "revision": commit, "config": config, "split": split}
    else:
        raise InputError(f"dataset={PREFIX}{asked} is not of the form {HUB}.")
    where = f"{name}/{split}" if split else name
    provenance = {"source": "huggingface", **origin, "sha256": _rows_sha256(rows)}
    return Source(named(in_list(rows, where, "row"), labels), name, provenance, labels)


def named(entries: Iterable[Entry], labels: Mapping[str, Sequence[str]]) -> list[Entry]:
    """Rows with the names of labels in place of numbers; None where there is none."""

    def name(column: object, value: object) -> object:
        names = labels.get(str(column), ())
        if not names or not isinstance(value, int):
            return value
        return names[value] if 0 <= value < len(names) else None

    return [
        Entry(place, {k: name(k, value) for k, value in row.items()})
        if isinstance(row, Mapping)
        else Entry(place, row)
        for place, row in entries
    ]


def class_labels(features: Mapping[str, Any]) -> dict[str, list[str]]:
    """The names of labels by column, of columns whose labels have names.

    Args:
        features: Of each column what `datasets` knows of it, as written to a file.
    """
    found = {
        column: [str(name) for name in kind["names"]]
        for column, kind in features.items()
        if isinstance(kind, Mapping) and kind.get("_type") == "ClassLabel"
    }
    # Without names they are called by their numbers.
    return {k: names for k, names in found.items() if not all(map(str.isdigit, names))}


def _local(path: AnyPath, split: str | None) -> Any:
    datasets = importlib.import_module("datasets")  # by name, as in `from_hub`
    if not path.exists():
        raise InputError(f"dataset={PREFIX}...: there is no file or folder {path}.")
    saved = any((path / n).exists() for n in ("state.json", "dataset_dict.json"))
    if not saved and not path.is_dir() and path.suffix.lower() not in _BUILDERS:
        raise InputError(
            f"{path} is no folder, and of none of these kinds: {', '.join(_BUILDERS)}."
        )
    path = local_copy(path)
    with download_errors(str(path)):
        if saved:
            return datasets.load_from_disk(str(path))
        if path.is_dir():
            return datasets.load_dataset(str(path), split=split)
        builder = _BUILDERS[path.suffix.lower()]
        return datasets.load_dataset(builder, data_files=str(path), split=split)


def _rows(
    loaded: Any, split: str | None, name: str
) -> tuple[list[dict[str, Any]], str | None, dict[str, list[str]]]:
    """The rows of a split, its name, and its labels; without a name the only split."""
    if isinstance(loaded, Mapping):
        if split is None and len(loaded) == 1:
            (split,) = loaded
        if split not in loaded:
            wanted = "none is named" if split is None else f"{split!r} is none of them"
            raise InputError(
                f"{name} has the splits {', '.join(loaded)}, and {wanted}; "
                f"add one, as in {PREFIX}...:{next(iter(loaded), 'train')}."
            )
        loaded = loaded[split]
    # Not the items of the data set: getting these decodes images and sounds.
    return loaded.to_list(), split, class_labels(loaded.features.to_dict())


def _rows_sha256(rows: Iterable[Mapping[str, Any]]) -> str:
    """The sha256 of rows in their order: a line of JSON with sorted keys for each."""
    digest = hashlib.sha256()
    for row in rows:
        line = json.dumps(row, sort_keys=True, default=str)
        digest.update(f"{line}\n".encode())
    return digest.hexdigest()


SAMPLE = "sample"
SAMPLE_FILE = "questions_sample.jsonl"
SOURCES = Sources(
    words=(SAMPLE, HUB),
    path="PATH to a file (.csv, .tsv, .jsonl, .json, .parquet)",
    endings=(".csv", ".tsv", ".jsonl", ".json", ".parquet"),
    parameter="dataset",
)


def load(dataset: str) -> Source:
    """The rows of a data set.

    Args:
        dataset: `sample`, a path, or `huggingface:` with what is to be loaded.

    Raises:
        InputError: If it cannot be had or read, or has no rows.
    """
    if dataset == SAMPLE:
        found = _sample()
    elif str(dataset).startswith(PREFIX):
        found = of_hub(dataset.removeprefix(PREFIX))
    else:
        path = SOURCES.existing(dataset)
        origin = {"source": "path", "file": path.name, "sha256": sha256_of(path)}
        ending = path.suffix.lower()
        entries = _in_table(path) if ending in (".csv", ".tsv") else in_file(path)
        labels = _labels_of(path) if ending == ".parquet" else {}
        entries = named(entries, labels)
        found = Source(entries, path.stem, origin, labels)
    if not found.entries:
        raise InputError(f"dataset={dataset} has no rows.")
    return found


def _sample() -> Source:
    entries = in_jsonl(shipped_bytes(SAMPLE_FILE), SAMPLE_FILE)
    return Source(entries, SAMPLE, {"source": SAMPLE, "file": SAMPLE_FILE}, {})


def _in_table(path: Path) -> list[Entry]:
    """The rows below a heading, all cells text, and rows of other lengths refused."""
    try:
        content = path.read_bytes()
        text = content.decode("utf-8-sig")
        reader = csv.reader(io.StringIO(text, ""), strict=True, delimiter=_comma(text))
        heading, *rows = [row for row in reader if row] or [[]]
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise InputError(
            f"{path.name} is not UTF-8 (line {line}). Convert it: Latin-1 with "
            f"`iconv -f LATIN1 -t UTF-8 {path.name} > utf8_{path.name}`, from Excel by "
            "saving it as 'CSV UTF-8'."
        ) from error
    except (OSError, csv.Error) as error:
        raise InputError(f"{path} cannot be read: {error}.") from error
    twice = [name for name in dict.fromkeys(heading) if heading.count(name) > 1]
    if twice:
        raise InputError(f"{path.name} has several columns {twice[0]!r}.")
    for at, row in enumerate(rows, start=1):
        if len(row) != len(heading):
            raise InputError(
                f"{path.name}, row {at} has {len(row)} cells; "
                f"its heading has {len(heading)}."
            )
    cells = (dict(zip(heading, row, strict=True)) for row in rows)
    return in_list(cells, path.name, "row")


def _comma(text: str) -> str:
    """What separates cells: that of comma, semicolon and tab with most columns."""
    first = next(filter(str.strip, text.splitlines()), "")
    return max(",;\t", key=lambda mark: len(next(csv.reader([first], delimiter=mark))))


def _labels_of(path: Path) -> dict[str, list[str]]:
    """The names of labels that `datasets` wrote into a Parquet file."""
    parquet = importlib.import_module("pyarrow.parquet")  # as in `in_file`
    written = (parquet.read_schema(path).metadata or {}).get(b"huggingface", b"{}")
    return class_labels(json.loads(written).get("info", {}).get("features", {}))


# Texts, and lists of them, as cells of data sets hold them.

_SHOWN = 60


def text_of(value: object) -> str | None:
    """A cell as text without space around it; None if it is empty or no text.

    Numbers are texts, whole ones without a point. True and false are words.
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        value = int(value) if value.is_integer() else value
    if not isinstance(value, str | int | float):
        return None
    return str(value).strip() or None


def texts_of(value: object) -> list[str]:
    """The texts of a cell with one text or a list; empty cells have none."""
    if isinstance(value, Mapping):
        value = value.get("text")
    several = value if is_list(value) else [value]
    return [text for text in map(text_of, several) if text is not None]


def listed_texts(value: object) -> list[str]:
    """The same of a cell in which a list may be written out, as in `["a", "b"]`.

    A list that does not consist of texts is a text: `[1, 2]` may be an answer.
    """
    found = unpacked(value)
    texts = is_list(found) and all(isinstance(one, str) for one in found)
    return texts_of(found if texts else value)


def unpacked(value: object) -> Any:
    """A cell; a list or mapping where it is written out as a text, as in CSV files."""
    if not (isinstance(value, str) and value.lstrip()[:1] in ("[", "{")):
        return value
    for read in (json.loads, ast.literal_eval):
        try:
            found = read(value.strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if is_list(found) or isinstance(found, Mapping):
            return found
    return value


def is_list(value: object) -> TypeGuard[Sequence[object]]:
    """Whether a value is a list and no text."""
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def shown(value: object) -> str:
    """A value in quotation marks as errors show it: on one line, and cut if long."""
    text = " ".join(str(value).split())
    return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}...")


# What the columns of a data set hold, and how its rows are to be read.

Row = Mapping[str, Any]
Reading = Literal["letter", "index", "text"]

USUAL = {
    "question": ("question",),
    "options": ("options", "choices"),
    "right": ("right",),
    "wrong": ("wrong",),
    "answer": ("answer", "answers", "target", "label"),
    "accepted": ("accepted", "aliases"),
    "passage": ("passage", "context", "article"),
    "id": ("id",),
    "group": ("group",),
}
"""The columns that a field is looked for in, in any case, where none is named."""

_OPTION = re.compile(r"((?:option|choice)[ _-]?)([a-z]|[0-9]{1,2})", re.IGNORECASE)


def _plain(value: object) -> object:
    # `-T fields.question=1` gives a number.
    number = isinstance(value, int) and not isinstance(value, bool)
    return str(value) if number else value


def _several(value: object) -> object:
    listed = value if isinstance(value, list | tuple) else [value]
    return tuple(_plain(one) for one in listed)


def _label_names(value: object) -> object:
    """Names of labels; YAML reads `yes` and `no` as true and false."""

    def name(one: object) -> object:
        return ("no", "yes")[one] if isinstance(one, bool) else _plain(one)

    if isinstance(value, Mapping):
        keys = (str(k).lower() if isinstance(k, bool) else str(k) for k in value)
        return dict(zip(keys, map(name, value.values()), strict=True))
    return tuple(map(name, value)) if isinstance(value, list | tuple) else value


_Name = Annotated[str, Field(min_length=1)]
Column = Annotated[_Name | None, BeforeValidator(_plain)]
Columns = Annotated[
    Annotated[tuple[_Name, ...], Field(min_length=1), BeforeValidator(_several)] | None,
    BeforeValidator(lambda value: None if value is None else _several(value)),
]

LabelNames = Annotated[
    tuple[_Name, ...] | dict[str, _Name] | None, BeforeValidator(_label_names)
]


class Fields(Frozen):
    """The columns of a question's parts, and how they are read.

    A column inside another is named with a dot, as in `choices.text`.

    Attributes:
        question: The question.
        options: One column with a list, with a mapping from letters to texts, or with
            the lists `text` and `label`; or several columns with an option each.
        right: The right option, in place of `options` and `answer`.
        wrong: Beside `right`, one column with a wrong option or a list of them, or
            several columns.
        answer: Which option is right; or without options the accepted answers.
        answer_as: Whether the answer is a `letter`, an `index` or the option's `text`.
            Found out if None.
        answer_from: The index of the first option. If None, 0, where an answer is 0.
        labels: The options of every question, where `answer` holds a label: names in
            the order of the labels' numbers, or a mapping from labels to names.
        rows: A column with a list of rows, each of which is a question and has the
            other columns, too.
        accepted: Further answers in words that are right, one or a list. Like that of
            `options` and of a single column `wrong`, it may be written out as a text.
        passage: What the question is about.
        id: What names a question, unique.
        group: What questions have in common, such as their passage.
        shuffle: Whether options are put in a random order; if not they are in that of
            the data set.
        skip_bad: Whether rows that are no question are left out, instead of refused.
    """

    question: Column = None
    options: Columns = None
    right: Column = None
    wrong: Columns = None
    answer: Column = None
    answer_as: Reading | None = None
    answer_from: Literal[0, 1] | None = None
    labels: LabelNames = None
    rows: Column = None
    accepted: Column = None
    passage: Column = None
    id: Column = None
    group: Column = None
    shuffle: StrictBool = True
    skip_bad: StrictBool = False

    @property
    def has_options(self) -> bool:
        """Whether columns for options, or names of labels, are given."""
        return not (self.options is self.wrong is self.labels is None)

    def named(self) -> dict[str, Any]:
        """The columns that are named, by field, and the names of labels."""
        values = {name: getattr(self, name) for name in (*USUAL, "rows")}
        columns = {
            name: list(of) if isinstance(of, tuple) and len(of) > 1 else _only(of)
            for name, of in values.items()
            if of is not None
        }
        if self.labels is None:
            return columns
        names = list(self.labels) if isinstance(self.labels, tuple) else self.labels
        return {**columns, "labels": names}


def _only(columns: str | tuple[str, ...]) -> str:
    return columns if isinstance(columns, str) else columns[0]


def read_fields(given: Mapping[str, Any] | str | None) -> Fields:
    """The fields that a user named.

    Args:
        given: Nothing, a YAML or JSON file, or a mapping from fields to columns, in
            which None means that there is no such column.

    Raises:
        InputError: Naming the field, what was given and what is allowed.
    """
    values = read_user_yaml("fields", given) if isinstance(given, str) else given
    if values is None:
        return Fields()
    if not isinstance(values, Mapping):
        raise InputError(
            f"fields={given!r} has to be a file or a mapping from fields to columns."
        )
    try:
        found = Fields.model_validate(dict(values))
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        check_name("The field", name, list(Fields.model_fields))
        raise InputError(
            f"fields.{name}={values.get(name)!r} is not allowed: {first['msg']}."
        ) from error
    _check_together(found)
    return found


def columns_of(rows: Iterable[Row]) -> list[str]:
    """All columns of some rows, in the order in which they come up.

    Those inside a column of mappings are named with a dot.
    """
    found: dict[str, None] = {}
    for row in rows:
        for name, value in row.items():
            found.setdefault(name)
            if isinstance(value, Mapping):
                found.update(dict.fromkeys(f"{name}.{inner}" for inner in value))
    return list(found)


def value_of(row: Row, column: str | None) -> Any:
    """What a row has in a column; None where it has nothing."""
    if column is None or column in row:
        return row.get(column) if column else None
    outer, _, inner = column.partition(".")
    value = row.get(outer)
    return value.get(inner) if isinstance(value, Mapping) else None


def inner_rows(entries: Sequence[Entry], column: str | None) -> list[Entry]:
    """The rows in a column of each row, with that row's other columns.

    Args:
        entries: The rows.
        column: The column that holds a list of rows, or a mapping from columns to lists
            of equal length; None if the rows are used as they are.

    Raises:
        InputError: If the column of a row has neither.
    """
    if column is None:
        return [*entries]
    found: list[Entry] = []
    for entry in entries:
        outer = entry.record if isinstance(entry.record, Mapping) else {}
        inner = outer.get(column)
        if isinstance(inner, Mapping) and all(map(is_list, inner.values())):
            cells = zip(*inner.values(), strict=False)
            inner = [dict(zip(inner, row, strict=True)) for row in cells]
        if not is_list(inner) or not all(isinstance(one, Mapping) for one in inner):
            raise InputError(
                f"fields.rows={column}: {entry.place} has no list of rows in that "
                f"column; its columns are {', '.join(map(str, outer)) or 'none'}."
            )
        shared = {name: value for name, value in outer.items() if name != column}
        found += [
            Entry(f"{entry.place}, {column} {at}", shared | dict(one))
            for at, one in enumerate(inner, start=1)
            if isinstance(one, Mapping)
        ]
    return found


def nested_in(entries: Iterable[Entry]) -> str | None:
    """A column with lists of rows, each with a question, if there is one."""
    for entry in entries:
        if isinstance(entry.record, Mapping):
            for name, value in entry.record.items():
                first = value[0] if is_list(value) and value else value
                if isinstance(first, Mapping) and first.keys() & {*USUAL["question"]}:
                    return str(name)
    return None


def taken(fields: Fields, columns: Sequence[str], where: str) -> Fields:
    """The fields with the columns that a data set has for them.

    Those that were not given are looked for under their usual names.

    Args:
        fields: What was given.
        columns: All columns of the data set.
        where: What to call the data set in an error.

    Raises:
        InputError: If a column that was named does not exist, several could be meant,
            or a field that is needed has none.
    """
    for name in USUAL:
        for column in _listed(getattr(fields, name)):
            check_name(f"fields.{name}: in {where} the column", column, columns)
    found = fields.model_copy(update=_guessed(fields, columns, where))
    if found.question is None:
        raise _lacking("question", columns, where)
    if found.wrong is not None and found.right is None:
        raise _lacking("right", columns, where)
    if not (found.answer or found.right or found.accepted):
        raise _lacking("answer", columns, where)
    if found.options and not found.answer:
        raise _lacking("answer", columns, where)
    return found


def _check_together(fields: Fields) -> None:
    pairs = [("options", "right"), ("options", "wrong"), ("answer", "right")]
    for one in ("options", "right", "wrong"):
        if fields.labels is not None and getattr(fields, one) is not None:
            raise InputError(
                f"fields.labels and fields.{one} are not for one data set: labels are "
                "the options of every question."
            )
    for one, other in pairs:
        if getattr(fields, one) is not None and getattr(fields, other) is not None:
            raise InputError(
                f"fields.{one} and fields.{other} are not for one data set: give "
                "options and answer, or right and wrong."
            )


def _guessed(fields: Fields, columns: Sequence[str], where: str) -> dict[str, Any]:
    """The columns of fields that were not given, where their names are usual ones."""
    given = set(fields.model_fields_set)
    if fields.labels is not None:
        given |= {"options", "right", "wrong"}
    elif {"right", "wrong"} & given:
        given |= {"options", "answer"}
    elif {"options", "answer"} & given:
        given |= {"right", "wrong"}
    found: dict[str, Any] = {}
    for name in USUAL:
        if name not in given and (column := _usual(name, columns, where)):
            found[name] = (column,) if name in ("options", "wrong") else column
    if not ({"options", "wrong"} & (given | found.keys())):
        lettered = _lettered(columns, where)
        found |= {"options": lettered} if lettered else {}
    if "options" in found or "answer" in found:
        found = {k: v for k, v in found.items() if k not in ("right", "wrong")}
    return found


def _usual(name: str, columns: Sequence[str], where: str) -> str | None:
    usual = [column for column in columns if column.casefold() in USUAL[name]]
    if len(usual) > 1:
        raise InputError(
            f"fields.{name} is not given, and {where} has several columns that it "
            f"could be: {', '.join(usual)}. Name one, or null for none."
        )
    return usual[0] if usual else None


def _lettered(columns: Sequence[str], where: str) -> tuple[str, ...]:
    """The columns `A`, `B` and so on, `option_a`... or `choice_1`..., if there are any.

    At least two, and without a gap where a word comes first.
    """
    runs: list[tuple[str, ...]] = []
    for letters in (ascii_uppercase, ascii_lowercase):
        run = tuple(takewhile(columns.__contains__, letters))
        runs += [run] if len(run) > 1 and not runs else []
    stems: dict[str, set[str]] = {}
    for column in columns:
        if match := _OPTION.fullmatch(column):
            stems.setdefault(match[1], set()).add(match[2])
    numbers = [str(number) for number in range(27)]
    for stem, signs in stems.items():
        for series in (ascii_uppercase, ascii_lowercase, numbers, numbers[1:]):
            if len(signs) > 1 and signs == {*series[: len(signs)]}:
                runs.append(tuple(stem + sign for sign in series[: len(signs)]))
    if len(runs) > 1:
        raise InputError(
            f"fields.options is not given, and {where} has several groups of columns "
            f"that it could be: {'; '.join(map(','.join, runs))}. Name one, or null "
            "for none."
        )
    return runs[0] if runs else ()


def not_used(fields: Fields, columns: Sequence[str]) -> str:
    """The columns that no field has, for the end of a message; empty if all are used.

    Args:
        fields: The fields taken.
        columns: All columns; of those inside others only the outer ones are named.
    """
    used = {
        column for name in (*USUAL, "rows") for column in _listed(getattr(fields, name))
    }
    used |= {column.partition(".")[0] for column in used}
    inner = {c for c in columns if c.partition(".")[0] in {*columns} - {c}}
    left = [column for column in columns if column not in used | inner]
    return f"; columns not used: {', '.join(left)}" if left else ""


def _lacking(name: str, columns: Sequence[str], where: str) -> InputError:
    outer = [column for column in columns if not re.search(r"\w\.\w", column)]
    return InputError(
        f"fields.{name} is needed: none of the columns of {where} is called "
        f"{' or '.join(USUAL[name])}; they are {', '.join(outer or columns) or 'none'}."
    )


def _listed(columns: str | tuple[str, ...] | None) -> Sequence[str]:
    return (columns,) if isinstance(columns, str) else columns or ()
