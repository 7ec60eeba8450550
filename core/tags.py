"""What of a completion is private: thinking and reasoning blocks, by their tags.

Every pattern is linear in the text, because the text is written by a model.
"""

import re
from typing import NamedTuple

from inspect_debate.core.record import Status


class Reply(NamedTuple):
    """A completion without, and the text of, the reasoning left in it."""

    visible: str
    reasoning: str


class Argument(NamedTuple):
    """A debater's completion: private thinking, public argument.

    `status` is `ok` when a complete, non-empty argument block was found.
    """

    thinking: str
    argument: str
    status: Status


def _tag(name: str) -> re.Pattern[str]:
    # An opening tag without its ">" still opens (better hidden than leaked); a closing
    # tag without it does not close.
    return re.compile(
        rf"<\s*+(?:(?P<close>/)\s*+{name}\b[^<>]*+>|{name}\b(?:[^<>]*+>)?+)", re.I
    )


_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_THINK, _THINKING, _ARGUMENT = _tag("think"), _tag("thinking"), _tag("argument")


def _split_private(text: str, tag: re.Pattern[str], *, nested: bool) -> tuple[str, str]:
    """Public and private text. Whatever stands before a stray closing tag is private.

    With `nested`, a block ends when as many tags were closed as opened; without, at
    the first closing tag.
    """
    pieces: list[tuple[bool, str]] = []
    hidden_until = depth = start = 0
    for match in tag.finditer(text):
        pieces.append((depth > 0, text[start : match.start()]))
        start = match.end()
        if not match["close"]:
            depth = depth + 1 if nested else 1
        elif depth:
            depth -= 1
        else:
            hidden_until = len(pieces)
    pieces.append((depth > 0, text[start:]))
    hidden = [private or i < hidden_until for i, (private, _) in enumerate(pieces)]
    public = "".join(p for (_, p), h in zip(pieces, hidden, strict=True) if not h)
    private = (p.strip() for (_, p), h in zip(pieces, hidden, strict=True) if h)
    return public, "\n".join(filter(None, private))


def repaired(text: str) -> str:
    """A text whose lone surrogates became U+FFFD: they can't be logged or sent."""
    return _LONE_SURROGATE.sub("\ufffd", text)


def split_reasoning(text: str) -> Reply:
    """Take out the `<think>` blocks that some providers leave in a completion.

    An unclosed `<think>` hides the rest; a `</think>` without its opening tag hides
    everything before it. A text without such tags comes back as it is, but for lone
    surrogates: they can be neither logged nor sent, and become U+FFFD.
    """
    text = repaired(text)
    if not _THINK.search(text):
        return Reply(text, "")
    visible, reasoning = _split_private(text, _THINK, nested=False)
    return Reply(visible.strip(), reasoning)


def split_argument(text: str) -> Argument:
    """Split a debater's completion at its `<thinking>` and `<argument>` tags.

    Thinking is taken out first, by the widest reading of where it starts and ends, and
    the last complete argument block of what is left wins. Without one, the argument is
    what follows an unclosed `<argument>`, or all of the public text, with status
    `unparsed`; so is an empty argument.
    """
    public, thinking = _split_private(text, _THINKING, nested=True)
    block: str | None = None
    opened: int | None = None
    first: int | None = None
    for match in _ARGUMENT.finditer(public):
        if not match["close"]:
            opened = match.end()
            first = opened if first is None else first
        elif opened is not None:
            block, opened = public[opened : match.start()].strip(), None
    if block is not None:
        return Argument(thinking, block, Status.OK if block else Status.UNPARSED)
    argument = _ARGUMENT.sub("", public[first or 0 :]).strip()
    return Argument(thinking, argument, Status.UNPARSED)
