"""Writing debates and turns to files, if need be without the data set's words."""

import html
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import pandas as pd
from inspect_ai.log import EvalSample
from pandas.api.types import infer_dtype, is_object_dtype

from inspect_debate.debate.errors import check_choice
from inspect_debate.debate.paths import AnyPath, user_path
from inspect_debate.debate.seeds import fingerprint
from inspect_debate.reports.debates import debate_row, read_debates, turn_rows
from inspect_debate.reports.logs import Log, LogPaths
from inspect_debate.reports.samples import Held

# Masking in a text what it says word by word like the texts of a data set.
#
# A run of `RUN` words or more is masked however it is written: case, accents,
# punctuation, line breaks, markup, character references, escapes and invisible
# characters make no difference, and neither do spaces and hyphens that join or part
# words.

RUN = 5
"""Words in a row that are masked."""

LONGEST = 7
"""Words in a row of which not even one run may be published."""

# Digits and letters apart, so that "10km" counts as many words as "10 km".
_WORD = r"(?P<word>[^\W\d_]+|\d+)"
_PLAIN = re.compile(_WORD)
_MARKED = re.compile(
    r"<!--.{0,500}?-->|(?:<|&lt;)[/!?]?[a-zA-Z][^<>]{0,200}?(?:>|&gt;)|\]\([^\s()]*\)"
    r"|(?P<reference>&(?:#?[a-zA-Z0-9]{1,12};)+)"
    r"|\\(?:u(?P<unicode>[0-9a-fA-F]{4})|[abfnrtv])"
    r"|%(?P<percent>[0-9A-F]{2})"
    rf"|{_WORD}",
    re.DOTALL,
)


class _Word(NamedTuple):
    start: int
    end: int
    letters: str


class Redactor:
    """Masks runs of words of a data set's texts.

    Args:
        texts: The texts that must not be published, each on its own.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._runs: set[str] = set()
        self._plain: set[int] = set()
        for text in set(texts):
            self._plain.update(_plain_runs(text))
            for words in _readings(text):
                letters = [word.letters for word in words]
                for i in range(len(letters) - RUN + 1):
                    self._runs.add("".join(letters[i : i + RUN]))
        # How long the runs are that begin with the same letters.
        lengths: dict[str, set[int]] = {}
        for run in self._runs:
            lengths.setdefault(run[:RUN], set()).add(len(run))
        self._lengths = {
            key: sorted(found, reverse=True) for key, found in lengths.items()
        }

    def mask(self, text: str) -> str:
        """A text with each of its runs of the data set's words as `[12 words]`."""
        spans = self._spans(text)
        if not spans:
            return text
        parts, position = [], 0
        for start, end in spans:
            count = len(text[start:end].split())
            # What stands between masks may read otherwise alone, without its markup.
            words = f"[{count} words]" if count > 1 else "[1 word]"
            parts += [self.mask(text[position:start]), words]
            position = end
        return "".join([*parts, self.mask(text[position:])])

    def check(self, text: str) -> None:
        """Check, by plain words and apart from how they are masked, that none is left.

        Raises:
            RuntimeError: If `LONGEST` words or more in a row are the data set's.
        """
        if any(run in self._plain for run in _plain_runs(text)):
            raise RuntimeError("A text still has words of the data set: not exported.")

    def _spans(self, text: str) -> list[tuple[int, int]]:
        """Where the runs stand, apart from one another and in order."""
        found = sorted(span for read in _readings(text) for span in self._runs_in(read))
        spans: list[tuple[int, int]] = []
        for start, end in found:
            if spans and start <= spans[-1][1]:
                spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
            else:
                spans.append((start, end))
        return spans

    def _runs_in(self, words: list[_Word]) -> Iterator[tuple[int, int]]:
        """From the first to the last word of each maximal run."""
        stream = "".join(word.letters for word in words)
        first, reach, at = None, 0, 0
        for i, word in enumerate(words):
            length = self._longest_run(stream, at)
            if first is not None and at >= reach and not length:
                yield words[first].start, words[i - 1].end
                first = None
            if length and first is None:
                first = i
            reach = max(reach, at + length)
            at += len(word.letters)
        if first is not None:
            yield words[first].start, words[-1].end

    def _longest_run(self, stream: str, at: int) -> int:
        for length in self._lengths.get(stream[at : at + RUN], ()):
            if stream[at : at + length] in self._runs:
                return length
        return 0


def strings(value: object) -> Iterator[str]:
    """All texts in a value of lists and mappings."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from strings(key)
            yield from strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from strings(inner)


def masked(value: object, redactor: Redactor) -> object:
    """A value with all texts in its lists and mappings masked."""
    if isinstance(value, str):
        return redactor.mask(value)
    if isinstance(value, Mapping):
        return {masked(k, redactor): masked(v, redactor) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [masked(inner, redactor) for inner in value]
    return value


def _readings(text: str) -> Iterator[list[_Word]]:
    """The words of a text as it stands, and as it reads once markup is taken away."""
    readings = [(_PLAIN, _plainly)]
    if any(sign in text for sign in "<&\\%]"):
        readings.append((_MARKED, _shown))
    for pattern, read in readings:
        words = (_Word(*m.span(), read(m)) for m in pattern.finditer(text))
        yield [word for word in words if word.letters]


def _plain_runs(text: str) -> Iterator[int]:
    words = re.findall(r"\w+", text.lower())
    return (
        hash(tuple(words[i : i + LONGEST])) for i in range(len(words) - LONGEST + 1)
    )


def _plainly(match: re.Match[str]) -> str:
    return _letters(match[0])


def _shown(match: re.Match[str]) -> str:
    if word := match["word"]:
        return _letters(word)
    if reference := match["reference"]:
        return _letters(html.unescape(reference))
    code = match["unicode"] or match["percent"]
    return _letters(chr(int(code, 16))) if code else ""


@lru_cache(maxsize=1 << 16)
def _letters(word: str) -> str:
    """A word's letters and digits without case, accents and typographic variants."""
    plain = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in plain.casefold() if c.isalnum())


FORMATS = ("csv", "jsonl", "parquet")

# Data sets whose authors ask that examples not be published in plain text.
_NOT_IN_PLAIN_TEXT = ("realmistake",)


def export(
    logs: LogPaths, out: str | AnyPath, *, redact: bool = False, format: str = "csv"
) -> list[str]:
    """Write `debates` and `turns`, one file each, over what may be there.

    Args:
        logs: As in `read_debates`.
        out: The folder, which is made if need be.
        redact: Whether to mask in every text each run of words that the samples of the
            logs have too (`Redactor`). A sample's id that has one becomes a hash.
        format: In `csv` and `parquet` lists and mappings are JSON texts.

    Returns:
        Sentences about what may not be published as it is.

    Raises:
        InputError: As `read_debates`; if the format is unknown.
        RuntimeError: If words of the data set would remain; nothing is written then.
    """
    check_choice("format", format, FORMATS)
    debates = list(read_debates(logs))
    tables = {
        "debates": [debate_row(held) for held in debates],
        "turns": [row for held in debates for row in turn_rows(held)],
    }
    if redact:
        redactor = Redactor(text for held in debates for text in _data(held.sample))
        tables = {
            name: [_redacted(row, redactor) for row in rows]
            for name, rows in tables.items()
        }
    folder = user_path(out)
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in tables.items():
        _write(pd.DataFrame(rows), folder / f"{name}.{format}", format)
    return [] if redact else _cautions(debates)


def _data(sample: EvalSample) -> Iterator[str]:
    """The texts of a sample that came with its data set."""
    messages = [sample.input] if isinstance(sample.input, str) else sample.input
    yield from (m if isinstance(m, str) else m.text for m in messages)
    yield from strings(sample.choices)
    yield from strings(sample.target)
    yield from strings(sample.metadata)


def _redacted(row: dict[str, Any], redactor: Redactor) -> dict[str, Any]:
    found = {name: masked(value, redactor) for name, value in row.items()}
    if found["id"] != row["id"]:
        found["id"] = fingerprint(row["id"])
    for text in strings(found):
        redactor.check(text)
    return found


def _write(frame: pd.DataFrame, path: AnyPath, format: str) -> None:
    if format == "jsonl":
        with path.open("w", encoding="utf-8") as file:
            frame.to_json(
                file, orient="records", lines=True, force_ascii=False, date_format="iso"
            )
        return
    for name in [name for name in frame if is_object_dtype(frame[name])]:
        frame[name] = frame[name].map(_as_text)
        if infer_dtype(frame[name], skipna=True).startswith("mixed"):
            frame[name] = frame[name].map(str, na_action="ignore")
    if format == "csv":
        with path.open("w", encoding="utf-8", newline="") as file:
            frame.to_csv(file, index=False)
    else:
        with path.open("wb") as content:
            frame.to_parquet(content, index=False)


def _as_text(value: object) -> object:
    nested = isinstance(value, list | dict)
    return json.dumps(value, ensure_ascii=False) if nested else value


def _cautions(debates: list[Held]) -> list[str]:
    names = {held.log.header.eval.dataset.name for held in debates if _asks(held.log)}
    return [
        f"{name}: its authors ask that its examples not be published in plain text; "
        "use --redact for files that others will see."
        for name in sorted(str(name) for name in names)
    ]


def _asks(log: Log) -> bool:
    data = log.metadata.get("data") or {}
    name = log.header.eval.dataset.name
    return name in _NOT_IN_PLAIN_TEXT and data.get("source") != "sample"
