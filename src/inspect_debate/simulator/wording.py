"""Sentences to say, and sentences to quote."""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import yaml

from inspect_debate.debate.text import unescape


@cache
def texts() -> dict[str, list[str]]:
    """The sentences that replies are made of, by their purpose."""
    path = Path(__file__).with_name("texts.yaml")
    loaded: dict[str, list[str]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return loaded


def sentences(text: str) -> list[str]:
    """Pieces of a text to quote: whole short sentences, and parts of long ones."""
    found: list[str] = []
    for line in text.splitlines():
        line = re.sub(r"^\s*(?:[-*•]|\(?\d+[.)])\s+", "", line).strip()
        for piece in re.split(r"(?<=[.!?;])\s+(?=[^a-z])", line):
            if len(piece.split()) > 22 and (part := _PART.match(piece)):
                piece = part[0]
            if len(piece.split()) >= 4 and not set(piece) & set("<>&"):
                found.append(piece.rstrip(".;:,"))
    return [*dict.fromkeys(found)] or [" ".join(text.split()[:12])]


_PART = re.compile(r"(?:\S+ ){5,20}\S+(?=[,;:] )|(?:\S+ ){15}\S+")


def nearest(candidates: Sequence[str], to: str) -> list[str]:
    """The candidates, first those that share most words and numbers with a text."""

    def words(one: str) -> set[str]:
        return set(re.findall(r"\d+|\w{4,}", one.lower()))

    def overlap(one: str) -> float:
        return len(words(one) & words(to)) / (len(words(one)) + 4)

    return sorted(candidates, key=overlap, reverse=True)


def quotes(text: str) -> list[str]:
    """What was quoted in a text that others read; in quotation marks if in no tags."""
    found = re.findall(r"<[vu]_quote>(.*?)<", text) or re.findall("“(.*?)”", text)
    return [unescape(one) for one in found]
