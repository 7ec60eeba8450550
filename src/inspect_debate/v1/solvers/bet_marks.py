"""Tags around bets: where they stand, in whatever case, decoration or letters.

Every pattern is linear in the text, because the text is written by a model.
"""

import re
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, zip_longest
from typing import Literal, NamedTuple

from inspect_debate.v1.debate.parsing import percent
from inspect_debate.v1.debate.record import Status
from inspect_debate.v1.debate.rendering import neutralise

Kind = Literal["reasoning", "bet", "stake", "wrapper", "misnamed"]


class Plain(NamedTuple):
    """A text as it is searched: compatibility characters and look-alikes unified.

    `at` has the offset in the text itself of every character, and of the end.
    """

    text: str
    at: Sequence[int]


class Tag(NamedTuple):
    """A tag of a bet, or what is left of one; offsets are those of the plain text."""

    kind: Kind
    closes: bool
    start: int
    end: int


_LOOK_ALIKES = str.maketrans(
    "аеорсіѕтмвгһԁӏкАЕОРСІЅТМВНКαοτεικνβΑΒΕΟΤΙΚΜΝ‹›«»〈〉⟨⟩",
    "aeopcistmbrhdlkAEOPCISTMBHKaoteikvbABEOTIKMN<><><><>",
)


_UNLIKE = re.compile(r"[^\t\n\r -~]")


@lru_cache(maxsize=4096)
def _fold(character: str) -> str:
    visible = neutralise(character)
    if character.isnumeric() and not _is_digit(character):
        return visible
    return unicodedata.normalize("NFKC", visible).translate(_LOOK_ALIKES)


def _is_digit(character: str) -> bool:
    """Whether a number reads as a digit: not raised, in a circle or a fraction."""
    how, _, _ = unicodedata.decomposition(character).rpartition(" ")
    return how in ("", "<wide>", "<font>")


def folded(text: str) -> str:
    """A text as it is searched for bets."""
    return "".join(map(_fold, text)) if _UNLIKE.search(text) else text


def plain(text: str) -> Plain:
    """A text as it is searched for bets, with the way back to the text itself."""
    if not _UNLIKE.search(text):
        return Plain(text, range(len(text) + 1))
    parts = [_fold(character) for character in text]
    offsets = [at for at, part in enumerate(parts) for _ in part]
    return Plain("".join(parts), [*offsets, len(text)])


SEPARATOR = r"[ \t_\-\\]{0,3}"
_BEFORE = "private|public|confidence|final|own|my|internal|tokens?"
_AFTER = (
    "logic|amount|private|public|reasoning|reasons?|thoughts?|rationale|response"
    "|justification|explanation|analysis|assessment|statement|section|report|value"
    "|size|confidence|tokens?"
)
_NAME = (
    rf"(?:(?:{_BEFORE}){SEPARATOR}){{0,3}}(?:bets?|betting|stake)"
    rf"(?:{SEPARATOR}(?:{_AFTER})){{0,4}}"
)
INLINE = r"[ \t*_`\\]{0,6}"
MARKS = rf"{INLINE}(?:\r?\n{INLINE})?"
_TAG = re.compile(
    rf"""(?P<open>(?:<|&lt;|(?P<square>\[)){INLINE}(?P<slash>/)?+{INLINE})?+
    (?<![a-z])(?P<name>{_NAME})(?![a-z0-9])
    (?P<close>(?(open)[^<>\[\]\n]{{0,60}}?){MARKS}(?:>|&gt;|\]))?+""",
    re.I | re.X,
)
_BRACKET = re.compile(rf"{MARKS}(?:>|&gt;)")
_JOINED = re.compile(r"[a-z]\\?_[a-z]", re.I)
_REASONS = re.compile(
    "logic|reason|thought|rationale|justif|explan|analysis|assess|statement|report",
    re.I,
)
_WRAPS = re.compile("response|section", re.I)
_NUMBERED = re.compile("amount|value|size|public|final|tokens?", re.I)


def _kind(name: str) -> Kind:
    if _REASONS.search(name):
        return "reasoning"
    if "stake" in name.lower():
        return "stake"
    if _NUMBERED.search(name):
        return "bet"
    if _WRAPS.search(name):
        return "wrapper"
    return "reasoning" if "private" in name.lower() else "bet"


def _is_tag(match: re.Match[str]) -> bool:
    """Brackets on both sides, or on one of a name that no prose has."""
    joined = _JOINED.search(match["name"]) is not None
    if match["square"]:
        return bool(match["close"]) and (joined or " " in match["name"])
    if joined:
        return bool(match["open"] or match["close"])
    return bool(match["open"] and match["close"] and _BRACKET.fullmatch(match["close"]))


def tags(text: str) -> list[Tag]:
    """The tags of bets in a plain text, also those that lack a bracket."""
    return [
        Tag(_kind(m["name"]), bool(m["slash"]), m.start(), m.end())
        for m in _TAG.finditer(text)
        if _is_tag(m)
    ]


# Lines that head a bet, state one, or head a part of a speech.
#
# Every word of such a line's label comes from a closed list: "Betting markets:" heads
# an argument.

_DECORATION = str.maketrans("", "", "*_`")


class Label(NamedTuple):
    """The words of a line before its first colon, in lower case, and what follows."""

    words: tuple[str, ...]
    rest: str

    @property
    def stands_alone(self) -> bool:
        """Whether nothing follows the colon, or there is none."""
        return not self.rest.translate(_DECORATION).strip()

    @property
    def states_number(self) -> bool:
        """Whether nothing but a number from 0 to 100 follows the colon.

        Unlike where a bet is read, a digit may be of any kind.
        """
        return percent(unicodedata.normalize("NFKC", self.rest)).status == Status.OK

    def draws_on(self, words: frozenset[str]) -> bool:
        """Whether there are words, and all are numbers or among those given."""
        known = (word in words or word.isdigit() for word in self.words)
        return bool(self.words) and all(known)


_LONGEST = 200
_WORDS = re.compile(r"[^\W_]+")
_HTML = re.compile(r"</?(?:b|strong|em|i|u|h[1-6])\s*+>|<!--|-->", re.I)


def label(line: str) -> Label:
    """The label of a line; that of a long one has no words."""
    before, _, rest = _HTML.sub(" ", line).partition(":")
    words = _WORDS.findall(before.lower()) if len(before) < _LONGEST else []
    return Label(tuple(words), rest)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_REASONING = frozenset({"logic", "reasoning", "thoughts", "reflection"})
_RARE = _REASONING | _words("confidence amount private")
_REASON_WORDS = _REASONING | _words(
    "rationale justification explanation thinking evaluation thought assessment"
)
_HIDDEN = _words("not only shown visible hidden me confidence")
_TELLING = _RARE | _words(
    "final public own token tokens proposition opposition rationale thought reason"
    " reasons report justification explanation assessment statement analysis placed"
    " visible hidden internal decision evaluation estimate calculation"
)
_BET = _TELLING | _words(
    "bet betting wager stake my side for opening rebuttal closing speech round and on"
    " the of in winning response only to me not your opponent judge section value size"
    " out percent self strategy summary details note notes xml tags format output bid"
    " shown continued thinking be the never internal"
)


def heads_bet(line: Label) -> bool:
    """Whether a line heads a bet or its private reasoning, or states it."""
    if not line.draws_on(_BET):
        return False
    words = frozenset(line.words)
    if "bet" in words:
        bare = line.words == ("bet",) and line.stands_alone
        return bare or line.states_number or not words.isdisjoint(_TELLING)
    if "stake" in words:
        return "amount" in words
    if words.isdisjoint({"betting", "wager"}):
        return _heads_reasoning(words) or _heads_bid(line)
    return not words.isdisjoint(_RARE - {"private"})


def _heads_reasoning(words: frozenset[str]) -> bool:
    """Whether words without "bet" head its reasoning; "public confidence" is no bet."""
    if "private" in words and not words.isdisjoint(_HIDDEN - {"only"}):
        return not words.isdisjoint(_REASON_WORDS | {"estimate", "analysis", "notes"})
    if "private" in words:
        return not words.isdisjoint(_REASONING | {"evaluation", "thinking"})
    if "internal" in words:
        return not words.isdisjoint(_REASONING - {"logic"})
    own = "confidence" in words and "public" not in words
    return own and not words.isdisjoint(_REASON_WORDS)


def _heads_bid(line: Label) -> bool:
    words = frozenset(line.words)
    return (
        line.stands_alone and "bid" in words and bool(words & {"confidence", "private"})
    )


def heads_aside(line: Label) -> bool:
    """Whether a parenthesis is called private, and nothing more, before its colon."""
    private = line.words[:1] in (("private",), ("internal",), ("hidden",))
    return private and line.draws_on(_BET)


def heads_reasons(line: Label) -> bool:
    """Whether a line heads reasons, which may be those of a bet right above it."""
    words = _REASON_WORDS | _words("my your the for this bet confidence")
    gives = not line.stands_alone and not _REASON_WORDS.isdisjoint(line.words)
    return gives and line.draws_on(words)


_UNMISTAKABLE = (_RARE | _REASON_WORDS) - _words("assessment evaluation") | _words(
    "reason reasons my own your opponent visible hidden internal tokens xml"
)
_OWN_BET = re.compile(
    r"""\bconfidence\b|(?<![a-z])bets?_[a-z]
    |\b[0-9]{1,3}\s?(?:/\s?100\b|out\ of\ 100\b|tokens?\b)
    |^[^\w\n]*+[0-9]{1,3}(?:\.[0-9]{1,3})?+[^\w\n]*+(?:$|because\b|since\b)
    |\bI(?:'ll|'m|\ will|\ would|\ am)?\ (?:bet|betting|stake|wager|place|expect)\b
    |\bmy\ (?:\w++\ )?(?:bet|chances?|odds|opponent|win|victory)\b
    |\b(?:chances?|probability|likelihood)\ (?:of\ (?:winning|victory)|to\ win)\b""",
    re.I | re.X | re.M,
)


def is_doubtful(line: Label) -> bool:
    """Whether a line that heads a bet may as well head an argument about betting."""
    return _UNMISTAKABLE.isdisjoint(line.words) and not line.states_number


def reads_as_bet(section: str) -> bool:
    """Whether a section speaks of its writer's own bet, or is blank."""
    return not re.search(r"\w", section) or _OWN_BET.search(section) is not None


_CHANCE = frozenset({"confidence", "chance", "chances", "probability", "likelihood"})
_WINNING = frozenset({"win", "winning"})
_STATED = _words("my own private final overall estimated estimate of in")


def states_chance(line: Label) -> bool:
    """Whether a line states a confidence or a chance of winning, and nothing else."""
    words = frozenset(line.words)
    return (
        words <= _STATED | _CHANCE | _WINNING
        and bool(words & _CHANCE)
        and bool("confidence" in words or words & _WINNING)
        and line.states_number
    )


_ANCHORS = _words(
    "speech argument arguments framing synthesis clash clashes rebuttal opening closing"
    " weighing voting defensive"
)
_SPEECH = _ANCHORS | _words(
    "proposition opposition prop opp side structured final structure point points key"
    " analysis issues call to action core claim questions introduction the of for on"
    " round start begin main i ii iii iv one two three"
)
_FORM = re.compile(
    r"\s*+(?:\#.*+|(?:\d[.)]\s)?\*\*[^*]++\*\*[:\s]*+|===.*+|<[^<>/!][^<>]*+>\s*+"
    r"|[^a-z]++)"
)


def heads_speech(line: str) -> bool:
    """Whether a line heads a part of a speech, and looks like a heading."""
    part = label(line)
    if not part.draws_on(_SPEECH) or _ANCHORS.isdisjoint(part.words):
        return False
    numbered = any(word.isdigit() for word in part.words)
    titled = numbered or part.stands_alone or line.lstrip().startswith("#")
    return titled and (numbered or _FORM.fullmatch(line.rstrip()) is not None)


# What the tags of a bet hold: its amounts and its private reasoning.


class Element(NamedTuple):
    """Where a tag and what it holds start and end; `closed` if its end is marked."""

    kind: Kind
    start: int
    inner_start: int
    inner_end: int
    end: int
    closed: bool


_AMOUNT_LENGTH = 400
_REST = re.compile(r"[\s*_`:=]*+[+~$]?+[0-9][^\n]*+|[ \t*_`:=]*+")


def amounts(text: str, found: Sequence[Tag]) -> list[Element]:
    """The elements of a plain text that hold amounts, in their order.

    An opening tag may be spelled as a closing one. An element without an end holds the
    number that follows, with the rest of its line; one without a start holds nothing.
    """
    marks = [tag for tag in found if tag.kind in ("bet", "stake")]
    elements: list[Element] = []
    for tag, following in zip_longest(marks, marks[1:]):
        if elements and elements[-1].end > tag.start:
            continue
        between = text[tag.end : following.start] if following else ""
        if following and _closes(tag, following, between):
            inner_end, end = following.start, following.end
        elif tag.closes:
            continue
        else:
            stop = following.start if following else len(text)
            rest = _REST.match(text, tag.end, stop)
            inner_end = end = rest.end() if rest else tag.end
        closed = inner_end < end
        elements.append(Element(tag.kind, tag.start, tag.end, inner_end, end, closed))
    return elements


def _closes(tag: Tag, following: Tag, between: str) -> bool:
    return (
        following.closes
        and following.kind == tag.kind
        and len(between) <= _AMOUNT_LENGTH
        and (not tag.closes or any(c.isdigit() for c in between))
    )


def reasons(text: str, found: Sequence[Tag], bets: Sequence[Element]) -> list[Element]:
    """The blocks of a plain text that hold the reasoning of bets, in their order.

    A block without an end goes on to the amount or to the end of the text: better
    hidden than shown. One at the very start ends at a heading of the speech, too.

    Args:
        text: The plain text.
        found: Its tags.
        bets: Its amounts.
    """
    marks = [tag for tag in found if tag.kind in ("reasoning", "misnamed")]
    pairs = _pairs(marks)
    last_end = max((tag.end for tag in marks if tag.closes), default=0)
    starts = [element.start for element in bets]
    lengths = [*accumulate((e.end - e.start for e in bets), initial=0)]
    head = len(text) - len(text.lstrip())
    blocks: list[Element] = []
    done = 0
    for at, tag in enumerate(marks):
        if tag.start < done:
            continue
        following = bisect_left(starts, tag.end)
        amount = starts[following] if following < len(starts) else None
        if tag.closes:
            after = len(text) - tag.end - (lengths[-1] - lengths[following])
            block = _stray(text, tag, done, amount, late=after <= tag.start)
        elif at in pairs:
            close = marks[pairs[at]]
            block = _block(tag, tag.start, tag.end, close.start, close.end)
        else:
            ends = [len(text) if amount is None else amount]
            ends += [last_end] if last_end > tag.end else []
            ends += _headings(text, tag.end) if tag.start <= head else []
            block = _block(tag, tag.start, tag.end, min(ends), min(ends))
        blocks.append(block)
        done = max(block.end, tag.end)
    return blocks


def _pairs(marks: Sequence[Tag]) -> dict[int, int]:
    """The closing tag of every opening one that has one, by position."""
    pairs: dict[int, int] = {}
    opened: list[int] = []
    for at, tag in enumerate(marks):
        if not tag.closes:
            opened.append(at)
        elif opened:
            pairs[opened.pop()] = at
    return pairs


def _block(tag: Tag, start: int, inner_start: int, inner_end: int, end: int) -> Element:
    return Element(tag.kind, start, inner_start, inner_end, end, inner_end < end)


def _headings(text: str, start: int) -> list[int]:
    """The position of a speech's first heading, if there is one."""
    for line in text[start:].splitlines(keepends=True):
        if heads_speech(line):
            return [start]
        start += len(line)
    return []


_PARAGRAPH = re.compile(r"\n[ \t\r]*+\n")


def _stray(
    text: str, tag: Tag, earlier: int, amount: int | None, *, late: bool
) -> Element:
    """A block that has only a closing tag.

    Where most of the text comes after, the tag closes everything before it. Late
    in the text, it was meant to open if there are words between it and the amount;
    else it closes the paragraph before it.
    """
    if late and amount is not None and text[tag.end : amount].strip():
        return _block(tag, tag.start, tag.end, amount, amount)
    start = earlier
    if late:
        before = text[earlier : tag.start].rstrip()
        for gap in _PARAGRAPH.finditer(before):
            start = earlier + gap.end()
    return _block(tag, start, start, tag.start, tag.end)


# Private reasoning between tags of other names than `<bet_logic_private>`.

_SECRET = "private|internal|hidden|secret"
_THOUGHT_NAMES = (
    "thinking|thoughts?|reflections?|scratchpad|evaluation|assessment|analysis|notes?"
    "|rationale|reasons?|estimate|justification|confidence|logic|reasoning"
)
_OWNER = rf"(?:my|own|self|inner|confidence){SEPARATOR}"
_MISNAMED_TAG = re.compile(
    rf"""(?:<|&lt;|(?P<square>\[)){INLINE}(?P<slash>/)?+{INLINE}(?P<name>
      (?P<private>(?:{_SECRET}){SEPARATOR}(?:{_OWNER})?(?:{_THOUGHT_NAMES})
                 |(?:{_THOUGHT_NAMES}){SEPARATOR}(?:{_SECRET}))
      |{_SECRET}|think|(?:{_OWNER})?(?:thinking|thoughts?|reflections?|scratchpad)
      |{_OWNER}(?:logic|reasoning)|(?P<part>logic|reasoning))
    (?![a-z0-9_\-])[^<>\[\]\n]{{0,60}}?{MARKS}(?(square)\]|(?:>|&gt;))""",
    re.I | re.X,
)
_CLOSES = re.compile(r"\s*+<\s*+/\s*+[a-z]", re.I)
_TAG_OPENS = re.compile(r"\s*+<\s*+[a-z]", re.I)


def private_tags(text: str) -> list[Tag]:
    """The tags of a plain text whose names say that they hold private reasoning."""
    return [
        Tag("misnamed", bool(m["slash"]), m.start(), m.end())
        for m in _MISNAMED_TAG.finditer(text)
        if m["private"] and not m["square"]
    ]


def thoughts(text: str, known: Sequence[Tag]) -> list[Element]:
    """The complete blocks of a plain text between tags such as `<thinking>`.

    `<reasoning>` and `<logic>` may as well be parts of a speech that is written in
    tags; they are where another part or the end of one follows.

    Args:
        text: The plain text.
        known: Its tags of bets and private reasoning, which are no parts of a speech.
    """
    bets = {tag.start for tag in known}
    opened: dict[str, list[re.Match[str]]] = defaultdict(list)
    blocks = []
    for match in _MISNAMED_TAG.finditer(text):
        name = "".join(filter(str.isalpha, match["name"].lower()))
        if not match["slash"]:
            opened[name].append(match)
        elif opened[name]:
            start = opened[name].pop()
            if not (match["part"] and _is_part(text, start.start(), match.end(), bets)):
                blocks.append(
                    Element(
                        "misnamed",
                        start.start(),
                        start.end(),
                        match.start(),
                        match.end(),
                        closed=True,
                    )
                )
    return blocks


_NEAR = 200


def _is_part(text: str, start: int, end: int, bets: set[int]) -> bool:
    """Whether a block is the last part of another one, or one among others."""

    def follows(pattern: re.Pattern[str]) -> bool:
        found = pattern.match(text, end)
        return bool(found) and text.index("<", end) not in bets

    before = text[max(0, start - _NEAR) : start].rstrip()
    return follows(_CLOSES) or (before.endswith(">") and follows(_TAG_OPENS))
