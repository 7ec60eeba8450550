"""Readers of completions: final lines, label sentences, stated confidences.

What is not read with certainty is `unparsed`; no reader has a default answer. Every
pattern is linear in the text, because the text is written by a model.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from inspect_debate.v1.debate.record import Parsed, Status

_UNPARSED = Parsed.unparsed()


_DECORATION = str.maketrans("_", " ", "*`~\"'“”„‟‘’‚‛«»‹›\u200b\ufeff")
_BRACKETS = str.maketrans("[](){}<>", " " * 8)


def _plain(text: str) -> str:
    """Compatibility characters unified; quotation marks and markdown marks gone."""
    return unicodedata.normalize("NFKC", text).translate(_DECORATION)


_MENTION = re.compile(
    r"""(?P<unsure>\b(?:(?:whether|if)\s++(?:\w++\s++){0,12}?
          |(?:not|dont|cannot|never)\s++(?:\w++\s++){1,6}?))?
    (?:(?P<no_error>\b(?:not|never|doesnt|cannot)\s+contains?\s+(?:(?:an|any)\s+)?
            errors?\b(?!-)
          |\bcontains\s+no\s+errors?\b(?!-)
          |\bresponse\s+is\s+valid\b)
      |(?P<error>\b(?:contains|does\s+contain)\s+(?:an?\s+)?errors?\b(?!-)
          |\bresponse\s+is(?:nt\s+|\s+not\s+|\s+in)valid\b))""",
    re.I | re.X,
)
_ALTERNATIVE = re.compile(
    r"(?:\bor\b|[/|])\s*+(?:(?:an|no|not)\s+(?:error|valid)|no error|invalid|not)\b",
    re.I,
)
_SENTENCE_END = re.compile(r"[\r\n]|[.!?]\s++(?=[A-Z])")


def _label(mention: re.Match[str]) -> str | None:
    if mention["unsure"]:
        return None
    return "no_error" if mention["no_error"] else "error"


_BETWEEN_OFFERS = re.compile(
    r"(?:\W|_|\b(?:therefore|so|the|model|response|or)\b)*+", re.I
)


def _echoes(plain: str, mentions: Sequence[re.Match[str]]) -> bool:
    """Whether the text ends with both sentences side by side, as prompts offer them."""
    if len(mentions) < 2:
        return False
    first, second = mentions[-2:]
    between = plain[first.end() : second.start()]
    return (
        _label(first) != _label(second)
        and plain[: first.start()].lower().rstrip().endswith("response")
        and _BETWEEN_OFFERS.fullmatch(between) is not None
    )


def label_sentence(text: str) -> Parsed:
    """Read "error" or "no_error" from the last sentence that states either.

    Sentences are those ReaLMistake's prompts ask for ("contains an error", "contains no
    error", "response is valid", "response is not valid") and near variants. Between
    sentences the last wins; one that names both answers, offers them as alternatives,
    or puts its label under "whether", "if" or a negation is unparsed, and so are both
    answers offered side by side.
    """
    plain = _plain(text).translate(_BRACKETS)
    mentions = list(_MENTION.finditer(plain))
    if not mentions:
        return _UNPARSED
    start, end = 0, len(plain)
    for stop in _SENTENCE_END.finditer(plain):
        if stop.end() <= mentions[-1].start():
            start = stop.end()
        elif stop.start() >= mentions[-1].end():
            end = stop.start()
            break
    if _echoes(plain, mentions):
        return _UNPARSED
    labels = {_label(m) for m in mentions if m.start() >= start}
    label = labels.pop()
    if labels or label is None or _ALTERNATIVE.search(plain, start, end):
        return _UNPARSED
    return Parsed.ok(label)


def realmistake_label(text: str) -> Parsed:
    """Read "error" or "no_error" by the published detectors' own rule.

    Case-sensitive substring tests, the first hit wins (ReaLMistake, Kamoi et al. 2024;
    recovered from their stored predictions). For published numbers only: "the response
    is correct" said in passing outweighs the conclusion.
    """
    no_error = ("contains no error", "response is valid", "response is correct")
    if any(marker in text for marker in no_error):
        return Parsed.ok("no_error")
    if "contains an error" in text or "response is not valid" in text:
        return Parsed.ok("error")
    return _UNPARSED


def last_payload(text: str, keyword: str) -> str | None:
    """What follows the last `<keyword>:`, on its line or, if bare, the next one.

    Args:
        text: A completion.
        keyword: A pattern of the words before the colon; case does not matter.

    Returns:
        One line without quotation and markdown marks; None if no line has the form.
    """
    form = re.compile(
        rf"\W*+(?:[0-9]{{1,2}}[.)]\W*+)?+(?:final\s++)?(?:{keyword})[\s\])]*+:(.*)",
        re.I,
    )
    following = ""
    for line in reversed(_plain(text).splitlines()):
        if match := form.match(line):
            return " ".join((match[1].strip() or following).split())
        following = line.strip() or following
    return None


@lru_cache(maxsize=256)
def _named(choices: tuple[tuple[str, tuple[str, ...]], ...]) -> dict[str, str]:
    named: dict[str, str] = {}
    for value, tokens in choices:
        for token in (" ".join(_plain(t).lower().split()) for t in tokens):
            if not token or named.setdefault(token, value) != value:
                raise ValueError(f"choices: {token!r} does not name one value")
    return named


@lru_cache(maxsize=256)
def _scanner(named: tuple[str, ...]) -> re.Pattern[str]:
    tokens = "|".join(re.escape(t) for t in sorted(named, key=len, reverse=True))
    return re.compile(
        rf"(?P<choice>(?<![0-9][.,])(?:{tokens})(?!\w|[.,][0-9]|\s?%))"
        r"|(?P<stop>[-‐-―−.;:!?(])|\b(?P<link>or|and)\b"
        r"|\b(?P<reason>because|since|as|given)\b"
        r"|\b(?P<negation>not?|none|never|neither|nor|cannot|isnt|doesnt)\b"
        r"|\b(?P<filler>option|choice|number|label|the|model|response|therefore|it|is"
        r"|i|choose)\b|(?P<word>\w+)"
    )


def _read_choice(payload: str, named: Mapping[str, str]) -> Parsed:
    found: set[str] = set()
    stopped = False
    for item in _scanner(tuple(named)).finditer(payload.lower()):
        match item.lastgroup:
            case "choice":
                found.add(named[item.group()])
                stopped = False
            case "stop":
                stopped = True
            case "link" | "filler":
                continue
            case kind if found and (stopped or kind == "reason"):
                break
            case "negation":
                return _UNPARSED
            case "word" | "reason" if not found:
                return _UNPARSED
    return Parsed.ok(found.pop()) if len(found) == 1 else _UNPARSED


def choice_line(
    text: str, keyword: str, choices: Mapping[str, Sequence[str]]
) -> Parsed:
    """Read the choice on the last line of the form `<keyword>: <choice>`.

    `choices` maps each value to the tokens that name it, longest match first. Before
    the choice only filler words may stand. What follows it is read as choices too, up
    to "because" (since, as, given) or to a dash, full stop, colon, semicolon or bracket
    that no choice comes right after. More than one value, none, or a negated one is
    unparsed, whatever an earlier line says.

    Raises:
        ValueError: A token is empty or names two values.
    """
    payload = last_payload(text, re.escape(keyword))
    named = _named(tuple((value, (*names,)) for value, names in choices.items()))
    return _UNPARSED if payload is None else _read_choice(payload, named)


def verdict(text: str, choices: Mapping[str, Sequence[str]]) -> Parsed:
    """Read a judge's verdict (ColMAD, Appendix C).

    The last `Answer:` line counts if there is one, even unparsed. Without one, and if
    the values include "error" and "no_error", the last label sentence is read.
    """
    if last_payload(text, "answer") is not None:
        return choice_line(text, "Answer", choices)
    labels = choices.keys() >= {"error", "no_error"}
    return label_sentence(text) if labels else _UNPARSED


_NUMBER = re.compile(
    r"[\s(\[]*+(?P<number>[0-9]++(?:\.[0-9]++)?+|\.[0-9]++)(?!\w|\.[0-9])"
    r"\s*+(?P<percent>%|percent\b)?+"
)
_LINKED = re.compile(r"(?:[-‐-―−/⁄|,+±.\s]|(?:to|or|and|out|of|vs)\b)*+[0-9]")
_COUNT = re.compile(r"\s*+[-‐-―−,.]\s++[0-9]++\s++(?!because|since|as\b)[a-z]")


def stated_confidence(text: str) -> Parsed:
    """Read a probability from the last `Conf:` (or `Confidence:`) line.

    The number comes first: 0.8, .8, 1 or, with its sign, 80%. A reason may follow. A
    value outside [0, 1], a range, a fraction or a decimal comma is unparsed, never
    clipped.
    """
    payload = last_payload(text, "conf|confidence") or ""
    match = _NUMBER.match(payload.lower())
    if not match:
        return _UNPARSED
    rest = payload.lower()[match.end() :]
    if _LINKED.match(rest) and not _COUNT.match(rest):
        return _UNPARSED
    value = float(match["number"]) / (100 if match["percent"] else 1)
    return Parsed.ok(value) if value <= 1 else _UNPARSED


_REFUSAL = re.compile(
    r"""\W*+(?:as\ an\ ai(?:\ language)?(?:\ model)?,?\s+)?
    (?:(?:i'?m|i\ am)?\s*+(?:very\ |so\ |really\ )?sorry\b|i\ apologi[sz]e\b)?
    [\s,.;:—–-]*+(?:but\s+|however,?\s+)?
    i(?:\ can'?t|\ cannot|\ can\ not|\ won'?t|\ will\ not|(?:\ am|'?m)\ unable\ to
      |(?:\ am|'?m)\ not\ able\ to|\ must\ decline\ to)
    (?:\s*+[.!]|\s*+\Z|\s+(?:help(?!\ but\b)|assist|comply|provide|fulfil|complete
      |answer|continue|respond|do\ (?:that|this)|engage|participate|discuss|generate
      |create|support))""",
    re.I | re.X,
)


def looks_refused(text: str) -> bool:
    """Whether a completion in which nothing parsed reads as a refusal.

    Conservative: under 400 characters, and opens by declining a task, with or without
    an apology. "I cannot find an error" is not a refusal.
    """
    opening = unicodedata.normalize("NFKC", text.strip()).replace("’", "'")
    return len(opening) < _SHORT and _REFUSAL.match(opening) is not None


_SHORT = 400
"""Characters: a longer text is no refusal, however it begins."""

_DECLINING = r"""
    i(?:\ can'?t|\ cannot|\ can\ not|\ won'?t|\ will\ not|(?:\ am|'?m)\ unable\ to
      |(?:\ am|'?m)\ not\ (?:able\ to|going\ to|comfortable(?:\ with)?)
      |\ (?:must|have\ to|need\ to)\ decline(?:\ to)?|\ decline\ to|\ refuse\ to)"""
_THIS = r"(?:this|that|the|your|such(?:\ an?)?|any|an?|either)"
_TASK = r"(?:request|task|prompt|conversation|debate|discussion|exercise|role-?\ ?play)"
_TEXT = r"(?:argument|speech|case|content|debate|response|statement|text)s?"
_SIDE = r"(?:position|side|motion|view|stance|proposition|resolution|topic)"
_DECLINED = re.compile(
    rf"""\W*+(?P<opening>(?:as\ an?\ ai\b[^.!?,]{{0,60}},?\s+)?
      (?:unfortunately,?\s+)?
      (?:(?:i'?m|i\ am)?\s*+(?:very\ |so\ |really\ )?sorry\b|i\ apologi[sz]e\b)?
      [\s,.;:—–-]*+(?:but\s+|however,?\s+)?(?:as\ an?\ ai\b[^.!?,]{{0,60}},?\s+)?)
    {_DECLINING}
    (?:\s*+[.!]*\Z
      |\s+(?:help|assist)(?:\s*+[.!]|\s*+\Z|\ (?:you\b|with\b|in\b))
      |\s+comply\b
      |\s+(?:continue|proceed)(?:\ with\ (?:this|that))?\s*+(?:[.!;]|\Z)
      |\s+(?:do|say|write)\ (?:that|this|so)\s*+(?:[.!]|\Z)
      |\s+(?:participate|engage|take\ part)\ in\ {_THIS}\b
      |\s+(?:fulfil+|complete|continue|respond\ to|process)\ (?:with\ )?
        {_THIS}\ (?:\w+\ )?{_TASK}\b
      |(?P<weak>\s+(?:to\s+)?(?:
          (?:writ|creat|produc|generat|mak|craft|present|provid)(?:e|ing)
            \ (?:\w+\ ){{0,4}}{_TEXT}\b
          |argu(?:e|ing)\ (?:for|against|that|in\ favou?r\ of)\b
          |(?:defend|advocat|support|tak)(?:e|ing)?\ (?:for\ )?{_THIS}
            \ (?:\w+\ )?{_SIDE}\b
          |(?:discuss|engag)(?:e|ing)?\b)))""",
    re.I | re.X,
)
_GROUNDS = re.compile(
    r"\b(?:guidelines|polic(?:y|ies)|inappropriate|unethical|harm(?:ful)?|offensive"
    r"|as an ai|happy to help|(?:can|could|would you like me to) \w+ (?:\w+ )?instead"
    r"|content policy|let me know)\b",
    re.I,
)
_EVIDENCE = re.compile(r"<[vu]?_?quote|\b(?:passage|response|because|since)\b", re.I)
_CLAUSE_END = re.compile(
    r"[.!?;:]+[\s*]+|\s[—–-]+\s|\n|[\s,]+(?=(?:because|since|but|however)\b)", re.I
)
_MATTER = re.compile(
    rf"""{_EVIDENCE.pattern}|[0-9]
    |\b(?:text|story|article|table|quote[ds]?|lines?|rows?|steps?|sum|total|errors?
      |mistakes?|incorrect|none|(?:is|are|was|were)\ (?:\w+\ )?(?:wrong|right|correct)
      |says|states|shows)\b""",
    re.I | re.X,
)
_ABOUT_THE_TASK = re.compile(
    r"\b(?:please|requests?|if you|would you|ask(?:s|ed|ing)? me"
    r"|i (?:can|could) (?:help|assist|offer|suggest|provide|write|discuss))\b",
    re.I,
)


def _says_something(clause: str) -> bool:
    """Whether a clause after a refusal is about the debate's matter."""
    return bool(_MATTER.search(clause)) and not (
        _GROUNDS.search(clause)
        or _ABOUT_THE_TASK.search(clause)
        or _DECLINED.match(clause)
    )


def declines_to_speak(text: str) -> bool:
    """Whether a speech without a form is a refusal in words, such as safety rules ask.

    A speech is about claims, so "I cannot agree", "I can't help but notice" and "I
    cannot support the claim that ..." are none, nor is who concedes and says why: what
    follows the refusing clause must not be about the debate's matter. Where the words
    could be a concession ("I can't argue for this position") they have to come with an
    apology, a word of AI, or of rules, and without evidence.

    Args:
        text: A speech, without private thinking.
    """
    plain = unicodedata.normalize("NFKC", text.strip()).replace("’", "'")
    if len(plain) >= _SHORT or not (match := _DECLINED.match(plain)):
        return False
    _, *after = _CLAUSE_END.split(plain[match.end("opening") :])
    if any(map(_says_something, after)):
        return False
    if not match["weak"]:
        return True
    return not _EVIDENCE.search(plain) and bool(
        match["opening"].strip() or _GROUNDS.search(plain)
    )


# A number from 0 to 100, as models write it between tags or after a label.

_PERCENT = re.compile(
    r"""[\s*_`"'\[({]*+ \+?+ (?P<number>[0-9]{1,9}+(?:\.[0-9]{1,9}+)?+) \s*+
    (?P<unit>(?:%|percent\b|(?:/|out\s+of\b)\s*+100\b(?!\.[0-9]))? \s*+
             (?:tokens?\b|points?\b)?+)
    [\s*_`"'\])}.]*+""",
    re.I | re.X,
)


def percent(text: str) -> Parsed:
    """Read a text that is one number from 0 to 100 and nothing else.

    Markdown and quotation marks, a plus sign and a unit (%, percent, /100, out of 100,
    tokens, points) may stand with it. Words, two numbers, a range, another unit, a
    minus sign or a value outside 0 to 100 are unparsed, never clipped; so is a bare
    number between 0 and 1, which may as well be a share.
    """
    match = _PERCENT.fullmatch(text)
    if match is None:
        return Parsed.unparsed()
    value = float(match["number"])
    is_share = 0 < value < 1 and not match["unit"].strip()
    return Parsed.unparsed() if value > 100 or is_share else Parsed.ok(value)


def stated_percent(text: str, keyword: str) -> Parsed:
    """Read a probability in percent from the last `<keyword>:` line.

    Returns:
        The probability, from 0 to 1; unparsed as for `percent`.
    """
    payload = last_payload(text, re.escape(keyword))
    found = _UNPARSED if payload is None else percent(payload)
    if not isinstance(found.value, float):
        return found
    return Parsed.ok(found.value / 100)


# What of a completion is private: thinking and reasoning blocks, by their tags.


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
    """Public and private text. Everything before a stray closing tag is private.

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
