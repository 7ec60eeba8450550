"""Bets within a speech, taken out of what others may read.

Every pattern is linear in the text, because the text is written by a model.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from inspect_debate.v1.debate.answers import Decision, Span
from inspect_debate.v1.debate.parsing import percent
from inspect_debate.v1.debate.record import Parsed
from inspect_debate.v1.solvers.bet_marks import (
    Element,
    Label,
    Plain,
    Tag,
    amounts,
    folded,
    heads_aside,
    heads_bet,
    heads_reasons,
    heads_speech,
    is_doubtful,
    label,
    plain,
    private_tags,
    reads_as_bet,
    reasons,
    states_chance,
    tags,
    thoughts,
)

_NAMES = re.compile(r"(?<![a-z])bets?_(?:amount|logic)", re.I)


def names_bet_tag(text: str) -> bool:
    """Whether a text has the name of a bet's tag in it, in any case and decoration.

    That is how the leftover bets of the released speeches are counted.
    """
    return _NAMES.search(folded(text)) is not None


_THOUGHT_WORDS = r"""(?:logic|reason(?:ing|s)?|thoughts?|thinking|reflections?|rationale
    |justification|evaluation|assessment|confidence)\b"""
_MENTIONS = re.compile(
    rf"""\bbets?[\W_]{{0,4}}(?:amount|logic)|(?:confidence|private)[\W_]{{0,8}}bets?\b
    |(?<![a-z])bets?\\?_[a-z]|[a-z]_bet\b|confidence\ bid\b|\bprivate\ bid\ report
    |^[^\w\n]*+(?:(?:final|token)\ )?bet\b[^\w\n:=]*+(?:$|[:=])
    |\bI\b[^.!?\n]{{0,40}}?\bbet\b|<[^<>\n]{{0,20}}\bbets?\b
    |\b(?:your|my)\ (?:\w{{1,20}}\ ){{0,2}}bet\b|\bbets?\ of\ (?:your|my)\ opponent
    |\bopponent(?:'?s)?\ (?:\w{{1,20}}\ )?bet\b
    |\bI(?:'m|\ am|'ll\ be)\ (?:betting|staking|wagering)\b
    |\bbetting\ \$?[0-9]{{1,3}}\b(?![.,]?[0-9])
    |\b(?:bets?|betting|confidence|stake|wager)\b[^.!?\n]{{0,60}}?[0-9]\s?/\s?100\b
    |\b(?:I|we|my|our|identical)\b[^.!?\n]{{0,80}}?[0-9]\s?(?:%|percent)\s
     (?:win\b|(?:chance|probability|likelihood)\ (?:of\ (?:winning|victory)|to\ win))
    |\b(?:chance|probability)\ (?:that\ )?(?:I|we)\ (?:will\ )?win\b
    |\bmy\ (?:\w{{1,20}}\ )?confidence\b[^.!?\n]{{0,40}}?
     \b(?:is|at)\ (?:\w{{1,9}}\ )?[0-9]
    |\bI(?:'m|\ am)\ [^.!?\n]{{0,20}}?[0-9]\s?(?:%|percent)\ \w{{1,9}}\x20
     [^.!?\n]{{0,20}}?\bwin
    |^[^\w\n]*+(?:(?:my|final|private|overall)\ )?(?:confidence|win\w*\ probability)
     [\s*_]{{0,5}}:[\s*_]{{0,5}}[0-9]{{1,3}}+(?!\ of\b)
    |^[^\w\n]*+(?:confidence|private|internal\b(?!\ logic))\ {_THOUGHT_WORDS}
    |^[^\w\n(]*+\([\s*_]{{0,5}}(?:private|internal|hidden)
     (?:(?:,|\ (?:notes?|only|aside)\b)[^\n():]{{0,60}})?\s?:
    |(?:<|&lt;|\[)[\s*_`/]{{0,9}}(?:private|internal|hidden|secret|confidence)
     [\s_\\-]{{0,3}}(?:(?:own|self|confidence)[\s_\\-]{{0,3}})?{_THOUGHT_WORDS}
    |(?:<|&lt;)[\s*_`/]{{0,9}}
     (?:(?:my|own|self|inner|confidence|logic|reasoning|thoughts)[\s_\\-]{{1,3}})?+
     (?:private|internal|hidden|secret|think(?:ing)?|thoughts?|reflections?|scratchpad)
     [\s*_`]{{0,9}}(?:>|&gt;)
    |(?:<|&lt;)[\s*_`]{{0,9}}/[\s*_`]{{0,9}}(?:logic|reasoning)[\s*_`]{{0,9}}(?:>|&gt;)
     (?!\s{{0,99}}<[\s/]{{0,9}}(?!bet|stake)[a-z])
    """,
    re.I | re.X | re.M,
)


@lru_cache(maxsize=512)  # most speeches are the same with bets and without
def mentions_bet(text: str) -> bool:
    """Whether a text may speak of its speaker's bet, by patterns of its own.

    For checks of what is left: it also catches idioms ("I bet that").
    """
    return _MENTIONS.search(folded(text)) is not None


_PASSES = 6


@lru_cache(maxsize=512)  # a speech is shown in every prompt that follows it
def without_bets(text: str) -> str:
    """A speech without bet text: tags and what they hold, sections, lines, sentences.

    A section that is headed as a bet goes on to the next heading of the speech or to
    the end. Talk of betting as such stays, and a text without bet text comes back as it
    is; so does what this function returned.
    """
    for _ in range(_PASSES):  # a cut may bring together what reads as a bet
        kept = without_lines(_without_tags(text))
        if kept == text:
            break
        text = _tidied(kept)
    return text


def _without_tags(text: str) -> list[str]:
    """The pieces of a text around its tags and around what they hold."""
    found = parts(text)
    at = found.plain.at
    pieces, start = [], 0
    for cut, end in _merged(found.spans, found.plain.text):
        pieces.append(text[at[start] : at[cut]])
        start = end
    pieces.append(text[at[start] :])
    if len(pieces) == 1:
        return pieces
    return [piece for piece in pieces if not _only_heads_bets(piece)]


def _only_heads_bets(piece: str) -> bool:
    lines = filter(str.strip, piece.splitlines())
    return all(heads_bet(label(folded(line))) or is_crumb(line) for line in lines)


def _merged(spans: Iterable[tuple[int, int]], text: str) -> Iterator[tuple[int, int]]:
    """Spans in order, those with nothing between them as one, with their decoration."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and not text[merged[-1][1] : start].strip():
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    for start, end in merged:
        while start > 0 and end < len(text) and text[start - 1] == text[end] in "*_`":
            start, end = start - 1, end + 1
        yield start, end


def _tidied(text: str) -> str:
    """A text without code fences that have become empty."""
    lines: list[str] = []
    opened: int | None = None
    for line in text.splitlines():
        lines.append(line)
        if not line.lstrip().startswith("```"):
            continue
        if opened is None:
            opened = len(lines) - 1
        else:
            if not any(inner.strip() for inner in lines[opened + 1 : -1]):
                del lines[opened:]
            opened = None
    if opened is not None and not any(line.strip() for line in lines[opened + 1 :]):
        del lines[opened:]
    return trimmed("\n".join(lines))


# Bets in completions: the amount, the private reasoning, and the speech without them.


class BetReading(NamedTuple):
    """A speech without its bet, the bet's private reasoning, and the amounts asked.

    `outside` tells whether the speech spoke of its bet outside the tags, too.
    """

    speech: str
    reasoning: str
    amounts: dict[str, Parsed]
    outside: bool


_LABELS = {"bet": r"bet(?:[\s_\\]*+amount)?+", "stake": r"stake[\s_\\]*+amount"}
_LABELLED = {
    name: re.compile(
        rf"""[\s*_`\#>\-<\[/]*+(?:(?:my|final|private|public|confidence)[\s_]++){{0,3}}+
        {label}[\s*_`]*+[:=>\]][\s*_`]*+(?P<value>[^<>\n]++)
        (?:</?[\s*_]*+{label}\s*+>)?+[\s*_`]*+""",
        re.I | re.X,
    )
    for name, label in _LABELS.items()
}


def read_bet(text: str, *, asks: Sequence[str] = ("bet",)) -> BetReading:
    """Read a completion that holds a speech, a bet, or both.

    Args:
        text: A completion, without reasoning blocks.
        asks: What was asked for: `bet` (`<bet_amount>`), `stake` (`<stake_amount>`).

    Returns:
        The speech without anything of the bet, which is empty where all of the text is
        reasoning; the last `<bet_logic_private>` block, or where there is none, the
        last between tags such as `<private_thoughts>`; and every amount that was asked
        for. The last complete tag counts, unparsed if it holds anything but one number
        from 0 to 100. Where none is complete, a line such as `bet_amount: 85` is read
        if all such lines agree.
    """
    found = parts(text)
    shown, at = found.plain
    thoughts = (
        [text[at[block.inner_start] : at[block.inner_end]] for block in blocks]
        for blocks in (found.reasons, found.misnamed)
    )
    return BetReading(
        without_bets(text),
        next(filter(None, map(_last, thoughts)), ""),
        {name: _amount(name, found.amounts, shown) for name in asks},
        outside=mentions_bet(_without(shown, [*found.amounts, *found.reasons])),
    )


def _without(text: str, elements: Iterable[Element]) -> str:
    """A text without some of its elements, which may overlap."""
    kept, at = [], 0
    for element in sorted(elements, key=lambda e: e.start):
        kept.append(text[at : element.start])
        at = max(at, element.end)
    return "\n".join([*kept, text[at:]])


def _last(contents: Iterable[str]) -> str:
    stripped = [content.strip(" \t\r\n*_`") for content in contents]
    return next(filter(None, reversed(stripped)), "")


def _amount(name: str, elements: Sequence[Element], text: str) -> Parsed:
    closed = [e for e in elements if e.kind == name and e.closed]
    if closed:
        return percent(text[closed[-1].inner_start : closed[-1].inner_end])
    lines = map(_LABELLED[name].fullmatch, text.splitlines())
    values = {percent(line["value"]) for line in lines if line}
    return values.pop() if len(values) == 1 else Parsed.unparsed()


# Verdicts of a jury: the side that won, and how confident the juror is.

_MARKS = r"[\s*_`\\]{0,6}"


def _element(name: str) -> re.Pattern[str]:
    """A complete element, with up to 100 characters in it and no second start."""
    opens = rf"(?:<|&lt;){_MARKS}{name}{_MARKS}(?:>|&gt;)"
    closes = rf"(?:<|&lt;){_MARKS}/{_MARKS}{name}{_MARKS}(?:>|&gt;)"
    content = rf"(?P<content>(?:(?!{opens})[\s\S]){{0,100}}?)"
    return re.compile(f"{opens}{content}{closes}", re.I)


_WINNER = _element(r"winner[ _-]?(?:name)?")
_JURY_CONFIDENCE = _element(r"confidence[ _-]?(?:level|score)?")
_LINES = re.compile(
    r"""^[^\w\n]*+winner(?:\ ?name)?[ \t*_`]*+:(?P<winner>[^\n]*+)\n\s*+
    [^\w\n]*+confidence(?:\ level)?[ \t*_`]*+:(?P<confidence>[^\n(]*+)""",
    re.I | re.X | re.M,
)
_JURY_HTML = re.compile(r"</?(?:b|strong|i|em)>", re.I)
_SIDE = re.compile(
    r"""[\W_]*+(?:the\s++)?
    (?:(?P<proposition>prop(?:osition)?)|(?P<opposition>opp(?:osition)?))
    (?:\s++(?:side|team))?(?:\s++wins)?[\W_]*+""",
    re.I | re.X,
)


class _Stated(NamedTuple):
    winner: str
    confidence: str


def read_jury_verdict(text: str) -> dict[str, Parsed]:
    """Read who won a debate and the confidence in it from a juror's completion.

    Args:
        text: A completion, without reasoning blocks.

    Returns:
        `answer` ("proposition" or "opposition") and `confidence` (0 to 100), from the
        last complete `<winnerName>` and `<confidence>`. Both sides named, none, or
        anything else said in a tag is unparsed, and so is what is not one number from
        0 to 100. Without either tag, the last line "Winner: ..." that has a line
        "Confidence: ..." right after it is read.
    """
    stated = _stated(_JURY_HTML.sub("", folded(text)))
    return {"answer": _side(stated.winner), "confidence": percent(stated.confidence)}


def winner_in(text: str) -> dict[str, Decision | None]:
    """Where a juror's completion names the winner: in its last such tag."""
    tags = [*_WINNER.finditer(text)]
    place = Span(*tags[-1].span("content")) if tags else None
    names = {side: (side, f"the {side}") for side in ("proposition", "opposition")}
    return {"answer": place and Decision(place, tags[-1].start(), names)}


def _stated(text: str) -> _Stated:
    winners = [match["content"] for match in _WINNER.finditer(text)]
    confidences = [match["content"] for match in _JURY_CONFIDENCE.finditer(text)]
    if winners or confidences:
        return _Stated("".join(winners[-1:]), "".join(confidences[-1:]))
    pairs = [_Stated(m["winner"], m["confidence"]) for m in _LINES.finditer(text)]
    return pairs[-1] if pairs else _Stated("", "")


def _side(name: str) -> Parsed:
    match = _SIDE.fullmatch(name)
    return Parsed.ok(str(match.lastgroup)) if match else Parsed.unparsed()


# Bets that a speech copies from the history of its prompt, and asides on them.
#
# A debater is shown "(Your own bet as Proposition, with this opening speech: 70/100.
# Your reasoning: ...)", and may write the same.


_SOMEONES_BET = r"""(?:(?:your|my)\ (?:\w++\ ){0,2}?bet\b
    | bets?\ of\ (?:your|my|the)\ opponent\b
    | (?:your|my)\ opponent(?:'?s)?\ (?:\w++\ )?bet\b)"""
_AMOUNT = r"""[\s*_]*+\$?[0-9]{1,3}+(?:\.[0-9]++)?+
    (?:[\s*_]*+(?:/\s?100|out\ of\ 100|tokens?|percent|%)(?!\w))?+
    (?=[\s*_]*+(?:[.;,()\]\-–—]|because\b|since\b|$))"""
_COPY = rf"""{_SOMEONES_BET}[^:=\n]{{0,80}}?[:=]{_AMOUNT}"""
_LINE = re.compile(rf"^[^\w\n]*+{_COPY}", re.I | re.X)
_LATER = re.compile(rf"""(?<=[.!?)]\ )[*_"']*+{_COPY}""", re.I | re.X)
_WITHIN = re.compile(
    rf"""[\s*_"']*+{_SOMEONES_BET}[^:=\n]{{0,80}}?(?:[:=]|\b(?:is|was|of|at)\b){_AMOUNT}""",
    re.I | re.X | re.M,
)


def copied_bet(line: str) -> int | None:
    """Where a line begins to state a bet as the history of a prompt does."""
    if _LINE.match(line):
        return 0
    found = _LATER.search(line)
    return found.start() if found else None


_ASIDE = re.compile(
    r"(?P<first>^[^\w\n(]*+)?+\((?=[\s*_\"]*+(?:private|internal|hidden|your|my|bets?)\b)",
    re.I | re.M,
)
_ENUMERATED = r"^[^\w\n()]*+\w{1,2}\)"
_BRACKETS = re.compile(rf"{_ENUMERATED}|(?P<bracket>[()])", re.M)
_PARAGRAPH = re.compile(r"\n[ \t\r]*+\n|\Z")


def asides(text: str) -> list[Span]:
    """The parentheses of a plain text that copy a bet, or begin a line as private ones.

    One without an end goes on to the end of its paragraph.
    """
    heads = [match.end() - 1 for match in _ASIDE.finditer(text) if _is_aside(match)]
    spans: list[Span] = []
    for start, following in pairwise([*heads, len(text)]):
        if not spans or spans[-1].end <= start:
            spans.append(Span(start, _end(text, start, following)))
    return spans


def _is_aside(match: re.Match[str]) -> bool:
    text, start = match.string, match.end()
    if _WITHIN.match(text, start):
        return True
    line = text[start : start + _LONGEST_COPY].split("\n", 1)[0]
    return match["first"] is not None and ":" in line and heads_aside(label(line))


_LONGEST_COPY = 200


def _end(text: str, start: int, following: int) -> int:
    """Where a parenthesis ends; letters and numbers that count points have none."""
    depth = 0
    for match in _BRACKETS.finditer(text, start, following):
        depth += {"(": 1, ")": -1, None: 0}[match["bracket"]]
        if depth == 0 and match["bracket"]:
            return match.end()
    gap = _PARAGRAPH.search(text, start)
    return gap.start() if gap else len(text)


# What a text has of a bet: tags, and what stands between them and around them.


class Parts(NamedTuple):
    """Where a text speaks of a bet; all offsets are those of the plain text.

    `amounts` are between tags (or after one), `reasons` between those that the prompts
    name, and `misnamed` between others; `asides` are parentheses.
    """

    plain: Plain
    tags: list[Tag]
    amounts: list[Element]
    reasons: list[Element]
    misnamed: list[Element]
    asides: list[Span]

    @property
    def spans(self) -> list[Span]:
        """Everything that is of the bet; spans may overlap, in no order."""
        elements = [*self.amounts, *self.reasons, *self.misnamed]
        spans = [Span(element.start, element.end) for element in elements]
        return [*spans, *(Span(tag.start, tag.end) for tag in self.tags), *self.asides]


def parts(text: str) -> Parts:
    """Finds what a text has of a bet, but for lines and sentences."""
    found = plain(text)
    marks = sorted([*tags(found.text), *private_tags(found.text)], key=_start)
    bets = amounts(found.text, marks)
    blocks = reasons(found.text, marks, bets)
    misnamed = [block for block in blocks if block.kind == "misnamed"]
    return Parts(
        plain=found,
        tags=marks,
        amounts=bets,
        reasons=[block for block in blocks if block.kind == "reasoning"],
        misnamed=sorted([*misnamed, *thoughts(found.text, marks)], key=_start),
        asides=asides(found.text),
    )


def _start(part: Tag | Element) -> int:
    return part.start


# Lines and sentences of a speech that speak of its bet, taken out of it.


def without_lines(pieces: Sequence[str]) -> str:
    """A text without the sections, lines and sentences that speak of a bet.

    Args:
        pieces: The text, in pieces where something of a bet was cut out of it.
    """
    reader = _Reader(left=sum(map(len, pieces)))
    for at, piece in enumerate(pieces):
        if at:
            reader.cut()
        lines = piece.splitlines(keepends=True)
        for number, line in enumerate(lines):
            reader.read(line, lines, number)
    whole = "".join(reader.kept[0])
    if len(reader.kept) == 1:
        return whole
    return joined(map("".join, reader.kept))


_LONGEST_REASONING = 1500


@dataclass
class _Reader:
    """Reads lines: which are kept, in pieces, and where in the text it is.

    `left` counts the characters to come. `inside` a section on a bet, lines are cut up
    to a heading; `below` tells whether nothing but blanks came since the last cut, and
    `spoken` whether there was anything of the speech.
    """

    left: int
    kept: list[list[str]] = field(default_factory=lambda: [[]])
    inside: bool = False
    below: bool = False
    spoken: bool = False

    def cut(self) -> None:
        """Leaves something out."""
        self.kept.append([])
        self.below = True

    def read(self, line: str, lines: Sequence[str], number: int) -> None:
        """Keeps a line, a part of it, or nothing."""
        self.left -= len(line)
        shown = folded(line)
        rest = _without_sentences(line)
        labels = label(shown), label(folded(rest))
        headed = next(filter(heads_bet, labels), None)
        if headed and is_doubtful(headed):
            section = "\n".join([headed.rest, *_section(lines, number + 1)])
            headed = headed if reads_as_bet(section) else None
        copied = copied_bet(shown)
        if headed:
            # A number alone has no text of its own, before or in the midst of a speech.
            self.inside = not headed.states_number or self.ending
            self.cut()
        elif copied is not None:
            self._keep(line[: plain(line).at[copied]] if copied else "")
            self.inside = self.ending
            self.cut()
        elif self._is_cut(shown, labels):
            self.cut()
        else:
            self.inside = False
            self._keep(rest)
            blank = is_crumb(rest) or rest.lstrip().startswith("```")
            self.below = rest != line or (self.below and blank)

    @property
    def ending(self) -> bool:
        """Whether what is to come can be a bet's reasoning, after the speech."""
        return self.spoken and self.left <= _LONGEST_REASONING

    def _is_cut(self, shown: str, labels: Iterable[Label]) -> bool:
        if self.inside and not heads_speech(shown):
            return True
        if self.below and self.ending and any(map(heads_reasons, labels)):
            self.inside = True
            return True
        return any(map(states_chance, labels)) or gives_reasons(shown)

    def _keep(self, text: str) -> None:
        self.kept[-1].append(text)
        self.spoken = self.spoken or not is_crumb(text)


def _section(lines: Sequence[str], start: int) -> Iterator[str]:
    """The lines of a section: up to the next heading of a bet or of the speech."""
    for number in range(start, len(lines)):
        shown = folded(lines[number])
        if heads_bet(label(shown)) or heads_speech(shown):
            return
        yield shown


_SENTENCE = re.compile(r"(?:[^.!?]|[.!?](?![\s\"')*]))*+[.!?]*+[\"')*]*+\s*+")


def _without_sentences(line: str) -> str:
    """A line without its sentences about a bet, without which it may be blank."""
    if not speaks_of_bet(folded(line)):
        return line
    sentences = _SENTENCE.findall(line)
    kept = "".join(s for s in sentences if not speaks_of_bet(folded(s)))
    return f"{kept.rstrip()}\n"


_CRUMBS = frozenset("-*_=#` \t\r\n")


def is_crumb(line: str) -> bool:
    """Whether a line has nothing but rules and marks of decoration."""
    return _CRUMBS.issuperset(line) and "```" not in line


def joined(pieces: Iterable[str]) -> str:
    """What is left around cuts, as paragraphs, without rules and marks at the cuts."""
    return "\n\n".join(filter(None, map(trimmed, pieces)))


def trimmed(piece: str) -> str:
    """A piece of a text without blanks, rules and marks at its start and its end."""
    lines = piece.strip().splitlines(keepends=True)
    first, last = 0, len(lines)
    while first < last and is_crumb(lines[first]):
        first += 1
    while last > first and is_crumb(lines[last - 1]):
        last -= 1
    return "".join(lines[first:last]).strip()


# Sentences in which debaters speak of their own bet or of their chance of winning.

_PERCENT = r"[0-9]{1,3}(?:\.[0-9]{1,3})?+\s?(?:%|percent\b)"
_CONFIDENCE = r"""my\ (?:\w++\ )?confidence(?:\ (?:level|score|estimate))?+
    (?:\ (?:in|of)\ (?:winning|victory|a\ win|my\ (?:case|side|position|victory))
      |\ (?:that\ )?(?:I|we)(?:'ll|\ will|\ would)?\ (?:win|prevail))?+
    \ (?:is|stands|remains|sits)(?:\ (?:now|at|around|about))*+\ [0-9]{1,3}"""
_BETTING = r"""I(?:'ll|'m|\ will|\ would|\ am|\ have)?\ (?:not\ )?
    (?:bet|betting|stake|staking|wager|wagering)(?:\ (?:at|about|around))?
    \ \$?[0-9]{1,3}+"""
_SINCE = r"(?:because|since|given|on\ (?:winning|myself|my\b|our\b|us\b))"
_BET = re.compile(
    rf"""\bconfidence\ bets?\b | (?<![a-z])bets?\\?_[a-z]
    |\bmy\ (?:\w++\ )?bet\ (?:as\ (?:the\ )?\w++\ )?(?:is|of|at|stands\ at)\ \$?[0-9]
    |\b{_BETTING}\s?(?:tokens\b|/\s?100\b|%\ of\ my\b|%?\s?{_SINCE}|%?[.;]|%?$)
    |\b(?:I|my)\b[^.!?\n]{{0,80}}?\b[0-9]{{1,3}}+\ (?:of\ my\ )?tokens\b
    |\b{_CONFIDENCE}(?!\w)
    |\bI(?:'m|\ am)\ (?:about\ )?{_PERCENT}\s(?:confident|sure|certain)
     \s(?:of\ (?:winning|victory|my\ )|in\ (?:my|our|winning)\b
        |(?:that\ )?(?:I|we|my\ side)(?:'ll|\ will|\ would|\ can)?\ (?:win|prevail)\b)
    """,
    re.I | re.X,
)
_REASONED = re.compile(
    rf"""^[^\w\n]*+(?:{_BETTING}|{_CONFIDENCE}
    |(?:my\ |final\ |private\ ){{0,2}}confidence[\s*_]*+:[\s*_]*+[0-9]{{1,3}}+)
    (?:\.[0-9]++)?+\s?(?:%|percent\b|/\s?100\b|out\ of\ 100\b|tokens\b)?+
    [\s*_]*+(?:{_SINCE}|as\ I\b
    |[(.;,:–—-]++\s*+(?:because|since|as|reasoning|I|my)\b)""",
    re.I | re.X,
)
_WINNING = r"(?:winning|victory)"
_CHANCE = re.compile(
    rf"""{_PERCENT}\s(?:win(?:ning)?\s(?:chance|probability|likelihood)\b
    |(?:chance|probability|likelihood)\s(?:of\s(?:my\s|our\s)?{_WINNING}|to\swin
        |(?:that\s)?(?:I|we)(?:'ll|\swill|\swould)?\s(?:win|prevail))\b)""",
    re.I | re.X,
)
_SELF = r"""\b(?:I|me|myself|[Ww]e|us|ourselves|[Ii]dentical
    |(?:[Mm]y|[Oo]ur)\ (?:own\ )?
     (?:side|case|chances?|odds|probability|position|estimate))\b"""
_OTHERS = r"(?:\bha[sd]|\bga?ve|\bgives)\ "
_OWN = re.compile(
    rf"""{_SELF}(?:(?!{_OTHERS})[^.!?\n]){{0,120}}?[0-9]
    |[0-9](?:[^.!?\n]){{0,60}}?\b(?:for\ (?:me|us|my\ side)|I|we)\b""",
    re.X,
)


def speaks_of_bet(sentence: str) -> bool:
    """Whether a sentence is about the speaker's own bet or chance of winning."""
    if _BET.search(sentence):
        return True
    return bool(_CHANCE.search(sentence) and _OWN.search(sentence))


def gives_reasons(line: str) -> bool:
    """Whether a line begins with a bet or a confidence, and goes on with reasons."""
    return _REASONED.match(line) is not None
