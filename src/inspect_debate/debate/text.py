"""Text that a model wrote: what of it is private, and how others may be shown it."""

import html
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from pydantic import BaseModel


class Traced(NamedTuple):
    """A rewritten text that knows where each of its characters came from."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    @classmethod
    def of(cls, text: str) -> "Traced":
        """An original text."""
        places = range(len(text) + 1)
        return cls(text, places[:-1], places[1:])

    @property
    def start(self) -> int:
        """Where the text starts in the original; 0 if it is empty."""
        return self.starts[0] if self.text else 0

    @property
    def end(self) -> int:
        """Where the text ends in the original; 0 if it is empty."""
        return self.ends[-1] if self.text else 0

    def part(self, start: int, end: int | None = None) -> "Traced":
        """A slice."""
        return Traced(
            self.text[start:end], self.starts[start:end], self.ends[start:end]
        )

    def stripped(self, characters: str | None = None) -> "Traced":
        """As `str.strip`."""
        start = len(self.text) - len(self.text.lstrip(characters))
        return self.part(start, max(start, len(self.text.rstrip(characters))))

    def sub(
        self, pattern: re.Pattern[str], new: str | Callable[[str], str] = ""
    ) -> "Traced":
        """As `pattern.sub`, for patterns that never match the empty string."""

        def written(match: re.Match[str]) -> Traced | None:
            text = new if isinstance(new, str) else new(match[0])
            if text == match[0]:
                return None
            start, end = self.starts[match.start()], self.ends[match.end() - 1]
            return Traced(text, [start] * len(text), [end] * len(text))

        return self._replaced(pattern, written)

    def unwrapped(self, pattern: re.Pattern[str]) -> "Traced":
        """The text with the first group of each match in place of the match."""
        return self._replaced(pattern, lambda match: self.part(*match.span(1)))

    def _replaced(
        self, pattern: re.Pattern[str], new: Callable[[re.Match[str]], "Traced | None"]
    ) -> "Traced":
        parts: list[Traced] = []
        last = 0
        for match in pattern.finditer(self.text):
            if written := new(match):
                parts += [self.part(last, match.start()), written]
                last = match.end()
        if not parts:
            return self
        parts.append(self.part(last))
        return Traced(
            "".join(part.text for part in parts),
            [start for part in parts for start in part.starts],
            [end for part in parts for end in part.ends],
        )


# --- Reasoning ------------------------------------------------------------------------


class Reply(NamedTuple):
    """A completion without its reasoning, and the reasoning."""

    public: str
    private: str


_NAMES = (
    r"(?:seed:|longcat_)?think(?:ing)?|(?:inner_)?thoughts?|reason(?:ing)?|reflection"
    r"|scratch_?pad|(?:inner|internal)_monologue"
)
_TO_MESSAGE = r"(?:(?:(?!<\|(?:message|channel|start|end)\b).){0,200}+<\|message\|>)?"
# A tag without its ">" opens: better hidden than shown. The channels are those of the
# harmony format, which some servers send without its tokens: "analysisSo ...".
_OPENS = (
    rf"<\s*+(?:{_NAMES})\b(?:[^<>]*+>)?+|\[THINK\]|◁think▷|<\|begin_of_thought\|>"
    r"|<\|START_THINKING\|>|<\|inner_prefix\|>|<unused94>|<\|channel>\s*thought"
    rf"|<\|channel\|>\s*+(?:analysis|commentary)\b{_TO_MESSAGE}"
    r"|\A\s*+analysis(?=[A-Z])"
)
_CLOSES = (
    rf"<\s*+/\s*+(?:{_NAMES})\b[^<>]*+>|\[/THINK\]|◁/think▷|<\|end_of_thought\|>"
    r"|<\|END_THINKING\|>|<\|inner_suffix\|>|<unused95>|<channel\|>"
    rf"|(?:<\|start\|>\s*+assistant\s*+)?<\|channel\|>\s*+final\b{_TO_MESSAGE}"
    r"|assistantfinal"
)
# In backticks a mark is mentioned, not used.
_MARK = re.compile(
    rf"(?<!`)(?:(?P<open>{_OPENS})|(?P<close>{_CLOSES}))(?!`)", re.I | re.S
)
# What follows the end of a message is another's turn that the model made up.
_END = re.compile(
    r"(?<!`)(?:<[|｜](?:im_end|eot_id|end|endoftext|return|end▁of▁sentence)[|｜]>|</s>"
    r"|<eos>|<end_of_turn>)"
)
_HEADER = re.compile(
    r"\A(?:<\|(?:assistant|im_start|start_header_id)\|>\s*+(?:assistant\b)?"
    r"(?:<\|end_header_id\|>)?\s*+)+"
)


def split_reasoning(completion: str) -> Reply:
    """Take out reasoning in any known marking.

    An opening mark without its closing one hides the rest, a closing mark without its
    opening one hides all before it.
    """
    text = _without_surrogates(completion)
    public, private, hidden, start = [""], [""], False, 0
    for mark in [*_MARK.finditer(text), None]:
        piece = text[start : mark.start() if mark else len(text)]
        if mark and mark["close"] and not hidden:
            private += [*public, piece]
            public = [""]
        else:
            (private if hidden else public).append(piece)
        if mark:
            hidden, start = bool(mark["open"]), mark.end()
    shown = _HEADER.sub("", "".join(public).strip())
    if (end := _END.search(shown)) and shown[: end.start()].strip():
        shown = shown[: end.start()]
    reasons = "\n".join(piece.strip() for piece in private if piece.strip())
    return Reply(_END.sub("", shown).strip(), reasons)


def _without_surrogates(text: str) -> str:
    """A text that providers take and logs can store: lone surrogates become U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


# --- Showing it to others -------------------------------------------------------------

_STRUCTURE = frozenset(
    {"transcript", "turn", "item", "task", "response", "passage", "question", "choices"}
    | {"options", "motion", "debate", "system", "user", "assistant", "human", "judge"}
    | {"debater", "think", "thinking", "thought", "reasoning", "argument", "speech"}
    | {"verdict", "opening", "openings", "answer", "answers", "instruction", "burden"}
    | {"instructions", "example", "challenge", "winnername", "confidence", "own_bet"}
    | {"bet_amount", "bet_logic_private", "stake_amount", "opponent_bet", "quote"}
    | {"sys", "start_of_turn", "end_of_turn"}
)
_TAG = re.compile(
    r"</(?:s|bos|eos|pad|unk)>|(?P<bare><(?:s|bos|eos|pad|unk)>)"
    r"|\[\s*+/?+\s*+(?:INST|THINK)\s*+\]"
    r"|<\s?\|\s?[^\s|<>]{2,40}\s?\|"
    r"|(?P<quote><[\s/\\]*+[vu]\s*+[_-]?+\s*+quote(?!\w))"
    # "if i < answer:" is code, "< answer >" is not.
    r"|<(?P<gap>\s*+)(?P<close>[/\\]?+)[\s/\\]*+(?P<name>\w++)(?P<ends>\s*+/?+>|\s++\w++=)?",
    re.I,
)
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_CODED = re.compile(r"&(?:#\d{1,7};?|#x[0-9a-f]{1,6};?|\w{2,31};)", re.I)
# They show as nothing, but Unicode counts them as letters or marks.
_FILLERS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)


def escape(text: str) -> str:
    """Text that cannot close its block, open another, or pose as a message or quote.

    Only the bracket of what is, or looks like, one of our tags or a chat template's
    token is replaced. `x < 5`, code and other scripts stay as they are.
    """
    text = visible(text)
    folded = Traced.of(text).sub(_CODED, _decoded)
    if not folded.text.isascii():
        folded = folded.sub(_NOT_ASCII, _fold)
    parts, last = list[str](), 0
    for match in _TAG.finditer(folded.text):
        place = folded.starts[match.start()]
        if _is_tag(match, text[place]):
            parts += [text[last:place], "&#91;" if match[0][0] == "[" else "&lt;"]
            last = place + 1
    return "".join([*parts, text[last:]])


def _decoded(entity: str) -> str:
    """What an entity stands for, unless that is a bracket, which is escaped by it."""
    char = visible(html.unescape(entity))
    return entity if any(_fold(one) in "<[" for one in char) else char


def _is_tag(match: re.Match[str], bracket: str) -> bool:
    if match["bare"]:  # ⟨s⟩ is a phoneme
        return bracket == "<"
    if match["name"] is None:
        return True
    known = match["name"].lower().translate(_ONE_SHAPE) in _SHAPES
    return known and bool(not match["gap"] or match["close"] or match["ends"])


def unescape(text: str) -> str:
    """An escaped text as people read it."""
    return text.replace("&lt;", "<").replace("&#91;", "[")


def visible(text: str) -> str:
    """Text without characters that show as nothing, which could hide a tag."""
    if not _UNUSUAL.search(text):
        return text
    shown = _FILLERS.sub("", _without_surrogates(text))
    hidden = [c for c in {*shown} - {*_WHITE} if unicodedata.category(c)[0] == "C"]
    return shown.translate(dict.fromkeys(map(ord, hidden)))


_WHITE = "\n\t\r\f"
_UNUSUAL = re.compile(rf"[^{_WHITE}\x20-\x7e]")


# Letters that look like several others are one for comparison.
_ONE_SHAPE = str.maketrans("i1|0", "lllo")
_SHAPES = frozenset(name.translate(_ONE_SHAPE) for name in _STRUCTURE)
# What Unicode's list of confusable characters does not have.
_OWN = {
    "\u2800": " ",
    **dict.fromkeys("∣｜│❘￨ǀ⏽", "|"),
    **dict.fromkeys("⟦【", "["),
    **dict.fromkeys("⟧】", "]"),
    **dict.fromkeys("❬⟨〈〈❰⧼⦑", "<"),
    **dict.fromkeys("❭⟩〉〉❱⧽⦒", ">"),
}


@lru_cache(maxsize=4096)
def _fold(char: str) -> str:
    """The ASCII character that a character can be taken for, or else itself."""
    # Takes some tens of milliseconds, so only where a text needs it.
    from confusable_homoglyphs.confusables import confusables_data

    if char in _OWN:
        return _OWN[char]
    if unicodedata.combining(char):
        return ""
    name = unicodedata.name(char, "")
    if name.startswith("LATIN LETTER SMALL CAPITAL ") and name[-2] == " ":
        return name[-1].lower()
    base = unicodedata.normalize("NFKD", char)[0]
    for one in (base, char, char.upper(), base.upper()):  # т has the shape of T
        for shape in [one, *(other["c"] for other in confusables_data.get(one, ()))]:
            for letter in (str(shape), shape.upper()):
                if len(letter) == 1 and letter.isascii():
                    return letter
    return char


# --- Quotes ---------------------------------------------------------------------------


class Quote(BaseModel):
    """A quotation in a speech, and where it was found.

    Attributes:
        text: The passage as the speaker wrote it.
        source: The name of the first source that has it, None if none has.
        start: Where it starts in that source.
        end: Where it ends there.
        exact: Whether it was found without the tolerance for typography.
        repeated: Whether it was quoted before in this debate.
    """

    text: str
    source: str | None = None
    start: int | None = None
    end: int | None = None
    exact: bool = False
    repeated: bool = False


_QUOTE_TAG = re.compile(
    r"<\s*+(?P<close>/?+)\s*+(?:[vu]\s*+[_-]?+\s*+)?quote\b[^<>]*+>", re.I
)
_MARKS = {**dict.fromkeys("“”„‟«»", '"'), **dict.fromkeys("‘’‚‛‹›", "'")}
_TYPOGRAPHY = {
    **dict.fromkeys("‐‑‒–—―−﹘﹣－⁃", "-"),
    **dict.fromkeys("″＂", '"'),
    **dict.fromkeys("′ʼ`´＇", "'"),
    **{"…": "...", "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl"},
}
_COMPOSED = re.compile(r"[^\x00-\x7f][\u0300-\u036f]*+|.[\u0300-\u036f]++")
_SPACE = re.compile(r"(?: \s|[^\S ])\s*+")  # a single space stays
_ENTITY = re.compile(r"&lt;|&#91;")


def verified(
    speech: str,
    sources: Mapping[str, str],
    earlier: Iterable[str] = (),
    limit: int | None = None,
) -> tuple[str, list[Quote]]:
    """Check a speech's quotes, and escape it.

    After Khan et al. (2024), but case, words, digits and operators have to agree, each
    source is searched alone, and a passage without a letter or digit is no quote. White
    space and typography do not count: the kind of quotation mark and dash, ellipses,
    ligatures and soft hyphens.

    Args:
        speech: What the speaker wrote, not escaped. Tags that it wrote as verified
            count as plain ones; one without its partner is escaped.
        sources: Texts that may be quoted, by name.
        earlier: Passages quoted before in the debate.
        limit: How many characters may be quoted; what goes beyond is cut.

    Returns:
        The escaped speech with `<v_quote>` around passages that were found and
        `<u_quote>` around the others, and one `Quote` for each, in order.
    """
    speech = visible(speech)
    tags = list(_QUOTE_TAG.finditer(speech))
    seen = {_comparable(passage, True).text for passage in earlier}
    parts: list[str] = []
    quotes: list[Quote] = []
    last = 0
    for opening, closing in pairwise(tags):
        passage = speech[opening.end() : closing.start()]
        is_pair = closing["close"] and not opening["close"]
        if not is_pair or not any(map(str.isalnum, passage)):
            continue
        before = escape(speech[last : opening.start()])
        last, cut = closing.end(), ""
        if limit is not None:
            kept = passage[: max(limit, 0)]
            limit -= len(kept)
            cut = "[...]" if len(kept) < len(passage) else ""
            passage = kept
            if not any(map(str.isalnum, passage)):
                parts += [before, cut]
                continue
        quote = _found(passage.strip(), sources)
        quote.repeated = (key := _comparable(passage, True).text) in seen
        seen.add(key)
        quotes.append(quote)
        tag = "u_quote" if quote.source is None else "v_quote"
        parts += [before, f"<{tag}>{escape(passage)}</{tag}>{cut}"]
    return "".join([*parts, escape(speech[last:])]), quotes


def _found(passage: str, sources: Mapping[str, str]) -> Quote:
    for blind in (False, True):
        wanted = _comparable(passage, blind).text
        for name, body in sources.items():
            source = _comparable(body, blind)
            if wanted and (at := source.text.find(wanted)) >= 0:
                place = source.part(at, at + len(wanted))
                quote = Quote(text=passage, source=name, exact=not blind)
                quote.start, quote.end = place.start, place.end
                return quote
    return Quote(text=passage)


@lru_cache(maxsize=256)  # the sources of some debates, each searched for many quotes
def _comparable(text: str, blind: bool) -> Traced:
    """A text in the form in which passages are compared."""
    # Speakers see the sources escaped, and may copy them so.
    form = Traced.of(text).sub(_ENTITY, unescape)
    form = form.sub(_COMPOSED, _written_blind if blind else _written)
    if blind:
        form = form._replace(text=form.text.replace("`", "'"))
    return form.sub(_SPACE, " ").stripped()


def _written(characters: str) -> str:
    composed = unicodedata.normalize("NFC", visible(characters))
    return "".join(_MARKS.get(char, char) for char in composed)


def _written_blind(characters: str) -> str:
    return "".join(_TYPOGRAPHY.get(char, char) for char in _written(characters))
