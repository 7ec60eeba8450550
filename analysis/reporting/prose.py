"""The little markup that the texts of a report may have."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple


class Span(NamedTuple):
    """A piece of text, as it stands or as code."""

    text: str
    code: bool = False


class Block(NamedTuple):
    """A paragraph, of one line, or a list, of a line per entry."""

    lines: Sequence[Sequence[Span]]
    listed: bool


def blocks(text: str) -> Iterator[Block]:
    """The paragraphs and lists of a text; see `Section.text` for what marks them."""
    for part in re.split(r"\n\s*\n", text.strip()):
        lines = [line.strip() for line in part.splitlines()]
        is_list = bool(lines) and lines[0].startswith("- ")
        entries = _entries(lines) if is_list else [" ".join(lines)]
        if any(entries):
            yield Block([spans(entry) for entry in entries], is_list)


def listed(lines: Iterable[str]) -> str:
    """A list, as texts of reports have it."""
    return "\n".join(f"- {line}" for line in lines)


def counted(number: int, thing: str) -> str:
    """A number of things of which several end in s: "1 sample", "2 samples"."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _entries(lines: Sequence[str]) -> list[str]:
    """The entries of a list; a line without "- " continues the one above."""
    entries: list[str] = []
    for line in lines:
        if line.startswith("- "):
            entries.append(line.removeprefix("- "))
        else:
            entries[-1] += f" {line}"
    return entries


def spans(line: str) -> list[Span]:
    """A line cut at its backticks; a backtick without a partner is itself."""
    parts = re.split(r"`([^`]+)`", line)
    return [
        Span(part, code=position % 2 == 1)
        for position, part in enumerate(parts)
        if part
    ]
