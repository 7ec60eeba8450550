"""A search for a data set's words in exported texts, apart from how they are masked."""

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator

RUN = 7
_START = 12

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")


def leaks(exported: Iterable[str], sources: Iterable[str]) -> list[str]:
    """Runs of seven words of the sources that stand in exported texts, in any reading.

    Texts are read as they are, without markup and escapes, and as nothing but their
    letters and digits, in which words cannot be parted or joined.
    """
    sources = list(sources)
    by_words = {
        run for text in sources for words in _readings(text) for run in _runs(words)
    }
    glued: dict[str, set[str]] = {}
    for text in sources:
        for words in _readings(text):
            for run in map("".join, _runs(words)):
                if len(run) >= _START:
                    glued.setdefault(run[:_START], set()).add(run)
    found = []
    for text in exported:
        for words in _readings(text):
            found += [" ".join(run) for run in _runs(words) if run in by_words]
            letters = "".join(words)
            for at in range(len(letters) - _START + 1):
                for run in glued.get(letters[at : at + _START], ()):
                    if letters.startswith(run, at):
                        found.append(run)
    return found


def _runs(words: list[str]) -> Iterator[tuple[str, ...]]:
    return zip(*(words[i:] for i in range(RUN)), strict=False)


def _readings(text: str) -> Iterator[list[str]]:
    for plain in dict.fromkeys((text, _without_markup(text))):
        decomposed = unicodedata.normalize("NFKD", _INVISIBLE.sub("", plain)).lower()
        plain = "".join(c for c in decomposed if not unicodedata.combining(c))
        yield [w for w in re.split(r"[\W_]+", plain) if w]
        yield [w for c in plain.split() if (w := re.sub(r"[\W_]+", "", c))]


def _without_markup(text: str) -> str:
    text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda m: chr(int(m[1], 16)), text)
    text = re.sub(r"\\[nrt]", " ", text)
    text = re.sub(r"%20", " ", html.unescape(text))
    text = re.sub(r"<!--[^>]*-->|\]\(\S*\)", "", text)
    return re.sub(r"</?[a-zA-Z][^<>]*>", "", text)
