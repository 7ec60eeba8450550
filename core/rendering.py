"""Text written by a model, as data inside another model's prompt."""

import re
from collections.abc import Iterable, Mapping

# Every tag that means something in our prompts; quote tags are verified elsewhere and
# only a verified one ever reaches a prompt as a tag.
_STRUCTURAL = (
    "transcript|turn|item|task|response|choices|instructions?|system|assistant|user|"
    "human|judge|debater|thinking|think|argument|speech|verdict|openings?"
)
_TAG = re.compile(rf"<(?=\s*/?\s*(?:{_STRUCTURAL})\b)", re.IGNORECASE)
_CONTROL_TOKEN = re.compile(r"<(?=\|)|(?<=\|)>")
_INVISIBLE = re.compile(
    "[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u00ad]"
)


def neutralise(text: str) -> str:
    """A model's text that cannot close its block, open another or pose as a role.

    Tags of our prompts and control tokens of chat templates are escaped, invisible
    and direction-changing characters (which could hide either) are removed. Nothing
    else changes: `x < 5` and code stay as they are.
    """
    text = _INVISIBLE.sub("", text)
    text = _CONTROL_TOKEN.sub(lambda match: "&lt;" if match[0] == "<" else "&gt;", text)
    return _TAG.sub("&lt;", text)


_QUOTE_TAG = re.compile(r"<(?=\s*/?\s*(?:[vu]_)?quote\b)", re.IGNORECASE)


def escape_quote_tags(text: str) -> str:
    """A text without quote tags, for debates in which no quotes are checked."""
    return _QUOTE_TAG.sub("&lt;", text)


def block(
    tag: str, text: str, attributes: Mapping[str, str | int] | None = None
) -> str:
    """A tagged block around a text that was neutralised before."""
    described = "".join(
        f' {key}="{value}"' for key, value in (attributes or {}).items()
    )
    return f"<{tag}{described}>\n{text}\n</{tag}>"


def paragraphs(parts: Iterable[str]) -> str:
    """Non-empty parts with a blank line between them."""
    return "\n\n".join(part for part in parts if part)
