"""Text written by a model, as data inside another model's prompt."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape

from inspect_debate.v1.debate.parsing import repaired

# Every tag that means something in our prompts or marks a turn in a chat template.
STRUCTURAL = frozenset(
    {"transcript", "turn", "item", "task", "response", "choices", "instruction"}
    | {"instructions", "system", "assistant", "user", "human", "judge", "debater"}
    | {"thinking", "think", "argument", "speech", "verdict", "opening", "openings"}
    | {"sys", "start_of_turn", "end_of_turn", "question", "options", "debate"}
    | {"confidence", "passage", "answer", "reasoning", "example", "challenge"}
)
# Quote tags are verified elsewhere, but only those in plain ASCII are seen there.
_QUOTES = frozenset({"quote", "v_quote", "u_quote", "vquote", "uquote", "v", "u"})

# Full-width brackets, slashes and letters read like those that they resemble.
_TAG = re.compile(r"[<＜﹤](?=(?P<rest>\s*+(?:[/／\\]\s*+)*+(?P<name>[\w＿]++)))")
_CONTROL_TOKEN = re.compile(
    r"(?P<open>[<＜﹤](?=[|｜]|/?(?:s|bos|eos|pad|unk)>))"
    r"|(?P<square>\[(?=/?INST\]))|(?<=[|｜])[>＞﹥]"
)
# Control characters but white space, and Unicode's Default_Ignorable_Code_Point.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]"
)


def neutralise(text: str) -> str:
    """A model's text that cannot close its block, open another or pose as a role.

    Tags of our prompts and control tokens of chat templates are escaped; invisible
    and direction-changing characters (which could hide either) are removed, as are
    control, private-use and unassigned characters; a lone surrogate, which no provider
    could be sent, becomes U+FFFD. So is what only looks like a tag, such as ‹/тurn>:
    it is looked for in a copy whose characters are those that they resemble. Nothing
    else changes: `x < 5`, code, Greek, Cyrillic and mathematics stay as they are.
    """
    text = visible(text).translate(_without_meaning(text))
    text = _TAG.sub(_escape_tag, _CONTROL_TOKEN.sub(_escape_token, text))
    if not (places := lookalike_tags(text, STRUCTURAL)):
        return text
    characters = list(text)
    for place in places:
        square = characters[place] in "[［⟦【"
        characters[place] = "&#91;" if square else "&lt;"
    return "".join(characters)


def visible(text: str) -> str:
    """A text without invisible, control and direction-changing characters.

    A lone surrogate becomes U+FFFD.
    """
    return repaired(_INVISIBLE.sub("", text))


def _without_meaning(text: str) -> dict[int, None]:
    """A text's private-use and unassigned characters, which may show as nothing."""
    if text.isascii():
        return {}
    kinds = {c: unicodedata.category(c) for c in set(text) if not c.isascii()}
    return {ord(c): None for c, kind in kinds.items() if kind in ("Cn", "Co")}


def _escape_token(match: re.Match[str]) -> str:
    if match["square"]:
        return "&#91;"
    return "&lt;" if match["open"] else "&gt;"


def _escape_tag(match: re.Match[str]) -> str:
    name = unicodedata.normalize("NFKC", match["name"]).lower()
    ascii_only = match[0].isascii() and match["rest"].isascii()
    escaped = name in STRUCTURAL or (name in _QUOTES and not ascii_only)
    return "&lt;" if escaped else match[0]


_QUOTE_TAG = re.compile(
    r"<(?=\s*+(?:/\s*+)?+(?:[vu]\s*+[_-]?+\s*+)?quote\b)", re.IGNORECASE
)


def escape_quote_tags(text: str) -> str:
    """A text without quote tags, for debates in which no quotes are checked."""
    return _QUOTE_TAG.sub("&lt;", text)


@lru_cache(maxsize=64)  # an item's own texts are in each of its prompts
def as_shown(text: str) -> str:
    """A text of the item itself, as participants see it: without quote tags, too."""
    return escape_quote_tags(neutralise(text))


def block(
    tag: str, text: str, attributes: Mapping[str, str | int] | None = None
) -> str:
    """A tagged block around a text that was neutralised before."""
    described = "".join(
        f' {key}="{escape(str(value))}"' for key, value in (attributes or {}).items()
    )
    return f"<{tag}{described}>\n{text}\n</{tag}>"


def paragraphs(parts: Iterable[str]) -> str:
    """Non-empty parts with a blank line between them."""
    return "\n\n".join(part for part in parts if part)


def table_cell(text: str) -> str:
    """A text in one line for a cell of a Markdown table."""
    return " ".join(text.split()).replace("|", "\\|")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a Markdown table, with its cells as they are."""
    first, *others = (f"| {' | '.join(cells)} |" for cells in (head, *rows))
    return [first, "|---" * len(head) + "|", *others]


# Characters that look like those of tags, by Unicode's list of confusables.

_MARK = "\0"
_OWN = {
    "\u2800": " ",
    **dict.fromkeys("∣｜│❘￨ǀ⏽", "|"),
    **dict.fromkeys("⟦【", "["),
    **dict.fromkeys("⟧】", "]"),
    # Unicode has these as look-alikes of one another, and not of "<" and ">".
    **dict.fromkeys("❬⟨〈〈❰⧼⦑", "<"),
    **dict.fromkeys("❭⟩〉〉❱⧽⦒", ">"),
}
_LOOKALIKE_TAG = re.compile(
    r"</(?:s|bos|eos|pad|unk)>|\[/?INST\]|<\s*+\|\s*+(?P<token>\w++)"
    r"|<\s*+(?:[/\\]\s*+)*+(?P<name>[vu]\s*+[_-]?+\s*+quote(?!\w)|\w++)",
    re.I,
)
_ONE_SHAPE = str.maketrans("i1|0", "lllo")


@lru_cache(maxsize=1)
def _list() -> dict[str, list[dict[str, str]]]:
    """Unicode's list; read where a text first needs it, since that takes a while."""
    from confusable_homoglyphs.confusables import confusables_data

    listed: dict[str, list[dict[str, str]]] = confusables_data
    return listed


def _shapes(character: str) -> Iterator[str]:
    """Characters that one can be taken for, its capital's among them: т has T's."""
    base = unicodedata.normalize("NFKD", character)[0]
    for one in (base, character, character.upper(), base.upper()):
        yield one
        for other in _list().get(one, ()):
            yield from (other["c"], other["c"].upper())


class _Folded(dict[int, str]):
    """Each character as the ASCII one that it looks like, or else as it is."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = self._fold(chr(code))
        return folded

    @staticmethod
    def _fold(character: str) -> str:
        if character.isascii():
            return character
        if character in _OWN:
            return _OWN[character]
        if character.isspace():
            return " "
        if unicodedata.combining(character):
            return _MARK
        name = unicodedata.name(character, "")
        if name.startswith("LATIN LETTER SMALL CAPITAL ") and name[-2] == " ":
            return name[-1].lower()
        shapes = (s for s in _shapes(character) if len(s) == 1 and s.isascii())
        return next(shapes, character)


_FOLDED = _Folded()


def lookalike_tags(text: str, names: Collection[str]) -> list[int]:
    """Where a text has what looks like a tag, or a chat template's token, and is none.

    Args:
        text: A text without invisible characters.
        names: The names of tags, in lower case; quote tags are among them anyway.

    Returns:
        The places of the brackets that open them, without those of tags that are
        written in ASCII. Words alone are none, in whatever script: it takes a bracket,
        perhaps a slash, and a name.
    """
    if text.isascii():
        return []
    folded = text.translate(_FOLDED)
    if "<" not in folded and "[" not in folded:
        return []
    places = [n for n, character in enumerate(folded) if character != _MARK]
    plain = "".join(folded[n] for n in places)
    known = _shaped(frozenset(names))
    return [
        places[match.start()]
        for match in _LOOKALIKE_TAG.finditer(plain)
        if not text[places[match.start()] : places[match.end() - 1] + 1].isascii()
        and _is_tag(match, known)
    ]


@lru_cache(maxsize=4)
def _shaped(names: frozenset[str]) -> frozenset[str]:
    return frozenset(name.translate(_ONE_SHAPE) for name in names)


def _is_tag(match: re.Match[str], known: frozenset[str]) -> bool:
    if token := match["token"]:  # <|x|> may be mathematics
        return "_" in token or token.lower().translate(_ONE_SHAPE) in known
    name = (match["name"] or "").lower()
    if not name or name == "quote" or re.fullmatch(r"[vu]\W*_?\W*quote", name):
        return True
    return name.translate(_ONE_SHAPE) in known
