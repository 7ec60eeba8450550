"""What a completion says of its writer's bet, and the speech without it."""

import re
from typing import NamedTuple

from inspect_debate.debate.readers import peeled
from inspect_debate.debate.text import visible

SIDES = ("proposition", "opposition")


def stages(rounds: int) -> list[str]:
    """The names of a side's speeches, in order."""
    numbered = [f"rebuttal_{n}" for n in range(1, rounds - 1)]
    rebuttals = ["rebuttal"] if rounds == 3 else numbered
    return ["opening", *rebuttals, "closing"][:rounds]


# A model writes the text, so every pattern takes linear time on any text.
_D, _S = r"[ \t*_`\\]{0,6}", r"[ \t_\\-]{0,3}"
_SECRET = r"(?:private|internal|hidden|secret)"
_THOUGHTS = r"(?:logic|reason(?:ing|s)?|thoughts?|thinking|reflections?|rationale)"
_WHO = rf"(?:(?:private|public|confidence){_S})"
_BET = rf"(?:{_WHO}?(?:bet|stake)(?:{_S}amount)?(?:{_S}(?:public|private))?)"
_REASONS = (
    rf"(?:{_WHO}?bets?{_S}{_THOUGHTS}(?:{_S}\w{{1,9}})?|private{_S}bet"
    rf"|{_SECRET}(?:{_S}{_THOUGHTS})?|(?:{_THOUGHTS}|confidence){_S}(?:{_SECRET}|{_THOUGHTS})"
    r"|think(?:ing)?|thoughts?|reflections?|scratchpad)"
)


def _tag(name: str, slash: str = "", alone: str = "(?!)") -> str:
    """A tag; one with the name `alone` needs only one of its brackets."""
    opens, closes = rf"(?:<|＜|&lt;){_D}{slash}{_D}", rf"{_D}(?:>|＞|&gt;|\])"
    one_sided = rf"(?:{opens}|\[{_D}{slash}{_D}){alone}(?:{closes})?"
    return rf"(?:{opens}{name}{closes}|{one_sided}|(?<![a-z_/]){alone}{closes})"


_ONE_AMOUNT, _ONE_LOGIC = r"bets?\\?_amount", r"bets?\\?_(?:logic|reasoning)\w{0,9}"
_OPEN, _CLOSE = (_tag(_REASONS, slash, _ONE_LOGIC) for slash in ("", "/"))
_AMOUNT_TAG, _AMOUNT_CLOSE = (_tag(_BET, slash, _ONE_AMOUNT) for slash in ("/?", "/"))
_HEADING = r"""(?:^[^\w\n]*+(?:(?:argument|clash)\ \d|(?:framing|synthesis
    |(?:key\ )?clash(?:es)?|voting\ issues?|\w+[ _]speech)[^\w\n]*$))"""
# Without an end, an amount is the number that follows, and reasoning hides the rest.
_AMOUNT = re.compile(
    rf"""(?ix){_AMOUNT_TAG}(?:(?P<amount>(?:(?!{_AMOUNT_TAG})[\s\S]){{0,400}}?)
     {_AMOUNT_CLOSE}|[\s*_`:=]*+[+~$]?+\d[^\n<]*+|[ \t*_`:=]*+)|</?bet_response>"""
)
_BLOCK = re.compile(
    rf"""(?imx){_OPEN}(?P<closed>(?:(?!{_OPEN})[\s\S])*?){_CLOSE}
    |\A{_OPEN}(?P<first>(?:(?!{_AMOUNT_TAG}|{_HEADING})[\s\S])*)
    |{_OPEN}(?P<open>(?:(?!{_AMOUNT_TAG})[\s\S])*)
    |{_CLOSE}(?P<after>(?:(?!{_AMOUNT_TAG}|{_HEADING})[\s\S])*)"""
)
_BET_LINE = re.compile(
    rf"[\W_]*(?:my |final |{_WHO})*bet(?:{_S}amount)?{_D}[:=>\]]([^<>]+)", re.I
)
_PERCENT = re.compile(
    r"\+?((?!0\.)[0-9]{1,3}(?:\.[0-9]+)?) ?(?:(?:/|out of) ?100)? ?"
    r"(?:%|percent|tokens)?\.?"
)


class BetReply(NamedTuple):
    """A speech without its bet; None and "" for what was not read."""

    speech: str
    amount: float | None
    reasoning: str


def read_bet(reply: str) -> BetReply:
    """Read a completion that has a speech, a bet, or both.

    The last complete `<bet_amount>` counts, and is unread unless it is one number from
    0 to 100. Without one, lines such as `Bet: 85` are read if all agree, or a number
    that stands alone.
    """
    text = visible(reply)
    if (alone := _percent(text)) is not None:  # the answer to a reminder
        return BetReply("", alone, "")
    said = [m["amount"] for m in _AMOUNT.finditer(text) if m["amount"] is not None][-1:]
    if not said:
        said = [line[1] for line in map(_BET_LINE.fullmatch, text.splitlines()) if line]
    amounts = {*map(_percent, said)}
    blocks = ["".join(filter(None, one.groups())) for one in _BLOCK.finditer(text)]
    reasons = [block.strip(" \t\n*_`") for block in blocks]
    amount = amounts.pop() if len(amounts) == 1 else None
    return BetReply(without_bet(reply), amount, ["", *filter(None, reasons)][-1])


def _percent(said: str) -> float | None:
    """One number from 0 to 100. 0.85 may be a share, so it is none."""
    match = _PERCENT.fullmatch(said.strip(" \t\r\n*_`\"'[]()"))
    return float(match[1]) if match and float(match[1]) <= 100 else None


_NUMBER = r"""[\s*_`+]{0,9}\$?[0-9]{1,3}(?:\.[0-9]+)?
    (?:\s?(?:%|percent\b|tokens\b|(?:/|out\ of)\s?100\b)){0,2}"""
_ENDS = r"(?=[\s*_`\"]{0,9}(?:$|[.;,()\[\]<–—-]|(?:because|since|given|on\ my)\b))"
_WIN, _CHANCE = r"(?:win(?:ning)?|victory)", r"(?:chance|probability|likelihood)"
_WIN_CHANCE = rf"""[0-9]\s?(?:%|percent\b)[\s*]{{1,3}}(?:{_WIN}\ {_CHANCE}|{_CHANCE}
    \ (?:of\ (?:my\ |our\ )?{_WIN}|to\ win|(?:that\ )?(?:I|we)\ (?:will\ )?win))\b"""
_OWN = r"\b(?-i:I|[Mm]y|[Ww]e|[Oo]ur|[Ii]dentical)\b"
_SAYS_BET = re.compile(
    rf"""(?ix)\bconfidence\ bets?\b|(?<![a-z])bets?\\?_[a-z]
    |\b(?:my|this)\ (?:\w+\ )?bet\ (?:as\ \w+\ )?(?:is|of|at)\ \$?[0-9]
    |\bI(?:['’]ll|['’]m|\ will|\ am)?\ (?:bet|betting|stake|staking){_NUMBER}{_ENDS}
    |\b(?:I|my)\b[^.!?\n]{{0,80}}?\b[0-9]{{1,3}}\ tokens\b
    |\bmy\ (?:\w+\ )?confidence(?:\ (?:in|of)\ {_WIN})?\ (?:is|stands)(?:\ at)?\ \d
    |\bI(?:['’]m|\ am)\ [0-9]+\s?%\ (?:confident|sure|certain)\ (?:that\ I|of\ {_WIN})\b
    |^[^\w\n]*+(?:(?:my|final|private)\ ){{0,2}}
     (?:confidence|{_CHANCE}\ (?:of|to)\ {_WIN}|{_WIN}\ {_CHANCE})[\s*_]{{0,9}}:
     {_NUMBER}[\s*_.,(]*+(?:$|because\b|reasoning\b)
    |{_OWN}(?:(?!\b(?:ha[sd]|gave|gives)\b)[^.!?\n]){{0,80}}?{_WIN_CHANCE}
    |{_WIN_CHANCE}[^.!?\n]{{0,60}}?\b(?:for\ (?:me|us)|I|we)\b"""
)
_SENTENCE = re.compile(r"(?:[^.!?]|[.!?](?![\s\"')*]))*+[.!?]*+[\"')*]*+\s*+")
_NOTE = rf"""^[^\w\n(]*+\((?=[\s*_]{{0,9}}{_SECRET}
    (?:(?:,|\ (?:notes?|only|aside))[^\n():]{{0,60}})?:)"""
# Private, or a bet as our prompts show it; one without an end takes its paragraph.
_ASIDE = re.compile(
    rf"""(?imx)(?:{_NOTE}|\((?=[\s*_"]{{0,9}}(?:your|my|bets?\ of)\b[^\n:()]{{0,90}}
      (?::|\bis\b){_NUMBER}{_ENDS})(?=[^\n:]{{0,60}}\bbet\b))
    (?:(?:[^()]|\([^()]*+\)|(?<=\n\w)\))*+\)|(?:[^\n]|\n(?!\s*\n))*+)"""
)
_THINKING = re.compile("logic|reasoning|thoughts|thinking|evaluation|assessment")
_TELLING = re.compile(rf"{_THINKING.pattern}|confidence|private|amount|report|token")
_LABEL_WORD = re.compile(
    rf"{_TELLING.pattern}|justification|bet|bid|wager|stake|final|public|own|tokens|my"
    r"|your|opponent|s|proposition|opposition|opening|rebuttal|closing|speech|for|of|on"
    r"|in|and|as|with|this|the|only|to|me|not|visible|hidden|shown|internal|continued|\d+"
)
_BASED = re.compile(r"\W*(?:this|my) (?:\w+ )?bet (?:is|was) based\b", re.I)
_GIVES_NUMBER = re.compile(rf"[^:]*+:{_NUMBER}{_ENDS}", re.I | re.X)
_BELOW = re.compile(r"\W*+(?:my )?(?:reasoning|rationale|justification)\W*:", re.I)
_SPEECH = re.compile(_HEADING, re.I | re.X)
_CUT = "\n\n\0\n\n"
_CRUMB = re.compile(r"[-*_=#`\s]*(?:```\w*\s*)?")


def without_bet(text: str) -> str:
    """A speech without its bet; a section on it ends at the speech's next heading."""
    found = visible(text)
    for n in range(8):  # a cut can bring together what reads as a bet
        cut = _without_lines(_without_elements(found))
        if cut == found:
            return found if n else text
        found = "\n\n".join(filter(None, map(str.strip, cut.split("\0"))))
    return ""  # nobody nests bets so by accident


def _without_elements(text: str) -> str:
    *before, text = _BLOCK.sub(_mark, text).rpartition("\2")[2].split("\1")
    kept = [*(one.rstrip().rpartition("\n\n")[0] for one in before), text]
    return _ASIDE.sub(_CUT, _AMOUNT.sub(_CUT, _CUT.join(kept)))


def _mark(block: re.Match[str]) -> str:
    """A cut. A lone closing tag also takes what is before it: a paragraph, or all."""
    if (after := block["after"]) is None:
        return _CUT
    if block.start() < len(block.string) / 2:
        return f"\2{after}"
    return _CUT if after.strip() else "\1"


def _without_lines(text: str) -> str:
    kept, left, inside, head = [""], len(text), False, None
    for line in text.split("\n"):
        left -= len(line) + 1
        ending = left < min(1500, len(text) / 2)
        below = kept[-1] == "\0"
        if below and ending and _BELOW.match(line):
            inside = True
        elif head := _heads_bet(line):
            inside = ending or head == "section"
        else:
            inside = inside and not _SPEECH.match(line) and (ending or line != "\0")
        said = _without_sentences(line)
        if inside or head or said == "\0" or (below and _CRUMB.fullmatch(line)):
            while _CRUMB.fullmatch(kept[-1]) and len(kept) > 1:
                kept.pop()
            said = "\0"
        kept.append(said)
    return "\n".join(kept[1:])


def _without_sentences(line: str) -> str:
    if not _SAYS_BET.search(line):
        return line
    sentences = _SENTENCE.findall(line)
    if _SAYS_BET.search(sentences[0]):  # its reasons follow
        return "\0"
    return "".join(one for one in sentences if not _SAYS_BET.search(one)).rstrip()


def _heads_bet(line: str) -> str | None:
    """Whether a line heads a bet's "section", or gives a bet on one "line"."""
    if _BASED.match(line):
        return "section"
    line = re.sub(r"</?\w{1,6}>", " ", line[:400]).replace("=", ":")
    label, _, rest = line.partition(":")
    words = re.findall(r"[^\W_]+", label.lower())
    if not words or not all(map(_LABEL_WORD.fullmatch, words)):
        return None
    if _GIVES_NUMBER.match(line) and ("bet" in words or "amount" in words):
        return "line"
    is_head = any(map(_TELLING.fullmatch, words))
    if "bid" in words or words == ["bet"]:
        is_head = not re.search(r"\w", rest)
    elif "bet" not in words:
        owned = "public" not in words and ("private" in words or "confidence" in words)
        is_head = owned and any(map(_THINKING.fullmatch, words))
    return "section" if is_head else None


_MENTIONS = re.compile(
    rf"""(?imx){_OPEN}|{_CLOSE}|{_NOTE}|<[^<>\n]{{0,20}}\bbets?\b|_bet\b|(?<![a-z])bets?\\?_
    |\b(?:I|my|your|this|confidence|private|opponent(?:['’]s)?)\b[^.!?:\n]{{0,40}}?
     \b(?:bet|bid|betting)\b|\bbets?\ (?:of\ (?:your|my)|amount|logic)
    |^[^\w\n]*+(?:(?:final|token)\ )?bet\b[^\w\n:=]*+(?:$|[:=])|{_SECRET}_{_THOUGHTS}
    |\b(?:bets?|confidence|stake|wager)\b[^.!?\n]{{0,60}}?[0-9]\s?/\s?100\b
    |{_OWN}[^.!?\n]{{0,80}}?{_WIN_CHANCE}|\bmy\ confidence\b[^.!?\n]{{0,40}}?\ \d
    |^[^\w\n]*+(?:(?:my|final)\ )?confidence[\s*_]{{0,5}}:[\s*_]{{0,5}}[0-9]++(?!\ of\b)
    |^[^\w\n]*+(?:confidence|private|internal(?!\ logic))\ (?:confidence\ )?{_THOUGHTS}
    |</(?:logic|reasoning)>(?!\s{{0,99}}<[\s/]{{0,9}}[a-z])"""
)


def mentions_bet(text: str) -> int:
    """How many phrases may speak of the writer's bet, by wider patterns."""
    return len(_MENTIONS.findall(visible(text)))


_WINNER, _CONFIDENCE = (
    re.compile(rf"{_tag(n)}((?:(?!{_tag(n)})[\s\S]){{0,100}}?){_tag(n, '/')}", re.I)
    for n in ("winner[ _-]?(?:name)?", "confidence[ _-]?(?:level|score)?")
)
_VERDICT_LINES = re.compile(
    r"(?im)^[^\w\n]*+winner(?: ?name)?[ \t*_`]*+:([^\n]*+)\n\s*+"
    r"[^\w\n]*+confidence(?: level)?[ \t*_`]*+:([^\n(]*+)"
)
_VERDICT_SENTENCE = re.compile(
    r"(?im)(?:^|[.:][ ]++)[^\w\n]*+(?:(?:therefore|thus|so|hence),? )?the winner"
    r"(?: ?name| of (?:the|this) debate)? is (?:the )?((?:prop|opp)osition),?"
    r" (?:and|with) (?:the |a )?confidence (?:is|of) ([^\s,;]++)"
)
_SIDE = re.compile(r"(?:the )?(prop|opp)(?:osition)?(?: side| team)?(?: wins)?", re.I)


def read_verdict(reply: str) -> tuple[str | None, float | None]:
    """The side that won, and the confidence from 0 to 100; None for what was unread.

    The last complete tags count, or else the last lines "Winner:", "Confidence:", or
    the last sentence "The winner is ..., with a confidence of ...".
    """
    text = visible(reply)
    winners, confidences = _WINNER.findall(text), _CONFIDENCE.findall(text)
    if not winners and not confidences:
        said = _VERDICT_SENTENCE.findall(re.sub(r"[*_`]", "", text))
        for winner, confidence in (_VERDICT_LINES.findall(text) or said)[-1:]:
            winners, confidences = [winner], [confidence]
    side = _SIDE.fullmatch(peeled("".join(winners[-1:])))
    confidence = _percent("".join(confidences[-1:]))
    return side and f"{side[1].lower()}osition", confidence
