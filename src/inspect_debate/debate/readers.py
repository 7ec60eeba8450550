"""Small readers, of which every reply form is made.

`labelled` finds what the last line of the form `label: ...` says: a `Traced`, which is
a text without decoration that knows its place in the reply. Readers of values take a
reply and a label, and return `Found`, with the place of the answer's own characters:

    choice(reply, "answer", {"yes": ["yes", "1"], "no": ["no", "2"]})
    number(reply, "confidence")

A short reply needs no label. None means that a person could not be sure either: no
reader guesses, none has a default. All expect text without reasoning
(`text.split_reasoning`).
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import unescape
from typing import Generic, Literal, NamedTuple, TypeVar

from inspect_debate.debate.text import Traced

Value = TypeVar("Value")


class Found(NamedTuple, Generic[Value]):
    """A value, and where in the reply it was read."""

    value: Value
    start: int
    end: int


# Labels as models write them, whatever language the prompt is in.
LABELS = {
    "answer": r"answer|antwort|lösung|r[ée]ponse|respuesta|resposta|risposta"
    r"|答案|回答|答え|答",
    "verdict": r"verdict|ruling|urteil|veredicto|verdetto|判决|裁决|判断",
    "confidence": r"conf(?:idence)?|certainty|konfidenz|zuversicht|sicherheit|confiance"
    r"|confianza|certeza|置信度|信心|把握|確信度|自信度",
}

# --- Decoration -----------------------------------------------------------------------

_CHARACTERS = re.compile(  # but not those that stay as they are and are common
    r"&#?\w{1,20};|(?![“”‘’–—•])[^\x00-\x7f][\u0300-\u036f]*+|[a-z][\u0300-\u036f]++",
    re.I,
)
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u2060\ufeff"))
_BREAK = re.compile(r"</?(?:p|div|br|li|h[1-6])\b[^<>]*+>", re.I)
_TEX = re.compile(
    r"\\(?:boxed|fbox|text(?:bf|it|rm|tt)?|math(?:rm|bf|it)|mbox) ?\{([^{}]*+)\}"
)
_TEX_ESCAPE = re.compile(r"\\([%$&#_{}])")
_TEX_SPACE = re.compile(r"\\[()\[\]]|\$\$|(?<!\w)\\,")
_MARKUP = re.compile(
    r"</?(?:(?-i:b|i|u)|em|strong|span|code|mark|font|sub|sup|final_?answer|answer|verdict"
    r"|confidence|probability|output)\b[^<>]*+>|<\|(?:begin|end)_of_box\|>",
    re.I,
)
_MARKDOWN = re.compile(r"\*+|(?<![^\W_])_+|_+(?![^\W_])|`+|~~|^[ \t]*+#++[ \t]", re.M)
_BLANKS = re.compile(r"(?: [^\S\n]|[^\S \n])[^\S\n]*+")  # a single space stays


def _plain(text: Traced) -> Traced:
    """A text without Markdown, HTML, TeX, entities and runs of blanks."""
    text = text.sub(_CHARACTERS, _character).sub(_BREAK, " ").sub(_MARKUP)
    for _ in range(4 * ("\\" in text.text)):  # they nest
        text = text.unwrapped(_TEX)
    text = text.unwrapped(_TEX_ESCAPE).sub(_TEX_SPACE, " ")
    return text.sub(_MARKDOWN).sub(_BLANKS, " ").stripped()


def _character(written: str) -> str:
    return unicodedata.normalize("NFKC", unescape(written)).translate(_INVISIBLE)


_PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">", "«": "»", "“": "”", "„": "“”"}
_PAIRS |= {'"': '"', "'": "'", "`": "`", "‘": "’", "‚": "‘’", "「": "」", "『": "』"}
_PAIRS |= {"$": "$", "【": "】", "《": "》"}
_INITIALS = re.compile(
    r"(?:\b[^\W\d_]{1,2}\. ?){2,}$|\b(?:jr|sr|inc|ltd|co|st|etc)\.$", re.I
)
_LINES = re.compile(r"(?: \s|[^\S ])\s*+")
_BULLET = re.compile(r"[-•] ")


def peeled(text: str) -> str:
    """A short answer alone, without decoration, quotes, brackets and full stop."""
    return _peeled(Traced.of(text)).text


def _peeled(text: Traced) -> Traced:
    text = _plain(text).sub(_LINES, " ")
    for _ in range(6):
        before = text.text
        text = text.stripped(" :;,\t")
        if _BULLET.match(text.text):
            text = text.part(2)
        if text.text.endswith(("。", ".")) and not text.text.endswith("..."):
            text = text if _INITIALS.search(text.text[-80:]) else text.part(0, -1)
        closing = _PAIRS.get(text.text[:1], "")
        inside = text.text[1:-1]
        alone = not any(mark in inside for mark in text.text[:1] + closing)
        if inside and closing and text.text[-1] in closing and alone:
            text = text.part(1, -1)
        if text.text == before:
            break
    return text


# --- Labelled lines -------------------------------------------------------------------

_LEAD = (
    r"[\s>*•#|–—-]*+(?:\(?[0-9]{1,2}[.)]\s+)?(?:[\w' ]{1,20},\s*)?"
    r"(?:(?:final )?(?:decision|verdict|ruling|judg\w{2,8}|conclusion):\s*)?"
    r"(?:(?:so|thus|therefore|hence|also|my|the|our|final|correct|short|overall|stated"
    r"|best|meine?|die|ist|endgültige|finale|richtige|ma|la|mi|bonne|final[ea]?"
    r"|correct[ea]?|所以|因此|最终|最終|正确|我的|私の|的な?)[\s,]*){0,6}"
)
_TAIL = (
    r"(?:\s+(?:to|in|for|that)\b[^:\n]{0,50}?(?=:|\s+is\b))?"
    r"(?:\s*(?:level|score|rating|number|value|finale?|correcta|grad|niveau|nivel))?"
    r"\s*(?:\([^()\n]{0,40}\)|\[[^\]\n]{0,40}\])?\s*"
)
_SAYS = (
    r"(?:[:=：→]|\b(?:is|was|(?:must|should|would) be|ist|lautet|est|es la|es)\b:?"
    r"|[是为為は]:?|[-–—](?=\s))"
)
_BOXES = (
    re.compile(r"\\boxed\s*+\{((?:[^{}]++|\{[^{}]*+\})*+)\}"),
    re.compile(r"<\|begin_of_box\|>([^<]*+)<\|end_of_box\|>"),
)


@lru_cache(maxsize=64)
def _forms(label: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The patterns of a labelled line, and of a tag."""
    words = LABELS.get(label, label)
    line = (
        rf"(?:^|(?<=[.!?。])\s*+|, (?:but|so|and) ){_LEAD}\[?(?:{words})\]?{_TAIL}"
        rf"(?:{_SAYS}[ \t]*(?P<said>.*)|[ \t]*$)"
    )
    tag = rf"<((?:final_?)?(?:{words}))>(?P<said>(?:(?!<\1>).)*?)(?:</\1>|\Z)"
    return re.compile(line, re.I), re.compile(tag, re.I | re.S)


def labelled(text: str, label: str) -> Traced | None:
    """What the last line of the form `label: ...` says, decoration taken off.

    Also read: the line after a bare label, `<label>...</label>`, "The label is ...",
    and for answers `\\boxed{...}`. Empty if nothing follows the label, None without any
    of these. The label is a key of `LABELS`, or a pattern.
    """
    line_form, tag_form = _forms(label)
    reply = Traced.of(text)
    found: list[tuple[int, Traced]] = []
    marked = [*tag_form.finditer(text)]
    if label == "answer":
        marked += [match for box in _BOXES for match in box.finditer(text)]
    for match in marked:
        said = reply.part(*match.span(match.lastindex or 0))
        found.append((match.start(), _plain(said)))
    plain = _plain(reply)
    lines = [match.span() for match in re.finditer(r"\S(?:.*\S)?", plain.text)]
    for number, (start, end) in enumerate(lines):
        for match in line_form.finditer(plain.text[start:end]):
            line = plain.part(start, end)
            said = line.part(*match.span("said")).stripped()
            if not said.text and number + 1 < len(lines):
                said = plain.part(*lines[number + 1])
            found.append((line.end, said))
    # The last wins; boxes and tags within a labelled line are parts of what it says.
    return max(reversed(found), key=lambda one: one[0])[1] if found else None


def _said(reply: str, label: str) -> Traced:
    """What is said after a label; a reply of a single short line needs none."""
    said = labelled(reply, label)
    if said is None:
        said = _plain(Traced.of(reply))
        if "\n" in said.text or len(said.text) > 60:
            said = Traced.of("")
    return _peeled(said)


# --- Choices --------------------------------------------------------------------------

_FILLER = re.compile(
    r"\b(?:no|nr)\.|\b(?:option|choice|answer|correct|number|nr|label|case|the|model"
    r"|response|therefore|it|is|i(?:'d|'ll)?|best|so|thus|hence|choose|pick|select|go"
    r"|with|would|say|that|clearly|likely|probably|wahl|antwort|nummer|die|ist|réponse"
    r"|numéro|la|est|opción|respuesta|número|es|el)\b"
    r"|选项|选择|选|答案|回答|第|是|为|我|は|です|号|[№#:=,\s]",
    re.I,
)
_NEGATION = re.compile(
    r"\b(?:not?|none|never|neither|nor|cannot|isn't|doesn't|false|wrong|incorrect|untrue"
    r"|unlikely|fails?|nicht|kein\w*|weder|falsch|pas|ni|aucune?|faux|ninguna?|tampoco|falsa?"
    r"|falso|incorrect[oae])\b|n't\b|[不没非否]|ない|ません",
    re.I,
)
_REVISION = re.compile(
    r"\b(?:wait|actually|rather(?! than)|instead(?! of)|correction|or|oder|ou|either"
    r"|both|beide|unsure|undecided|if|unless|wenn|falls|si|vs|versus)\b|[/?？]|或|还是"
    r"|\A-[a-z]\b",
    re.I,
)
_REASON = re.compile(
    r"\b(?:because|since|as|given|(?:rather )?than|over|instead of|(?:and|but) not"
    r"|weil|da|denn|parce|car|porque|ya que)\b|因为|なぜなら"
    r"|\s[-–—]+\s|[;；。，、]|[.,](?=\s)|(?<=[\w)])\s*\((?=\D)|:(?=\s)",
    re.I,
)
_TAKES_BACK = re.compile(
    r"\W*+(?:(?:no|nein|non)\b\s*[,.:;—-]|wait|actually|or\b|rather|i mean|if\b"
    r"|unless\b|(?:no|not|never|neither|wrong|false|incorrect)\W*+\Z)",
    re.I,
)
_LINKED = re.compile(r"(?:\b(?:or|and|vs\.?|versus|as well as)|[/&|])\s*\(?\s*$", re.I)
# "2 mg", "2-1", "1:40", "1 January 1966": answers in words, not the option's number.
_QUANTITY = re.compile(
    r"\s?[-–—−]\s?\d|:\d|, ?\d{3}\b"
    r"|\s?(?!(?:because|since|as|given|is|was|over|not?|or|and|but|with|in|by|per|final"
    r"|contains|has|seems|wins|weil|ist|est|es|da|car|parce|porque|rather|instead"
    r"|than|then|if|unless|cannot|oder|ou)\b)[a-zà-ÿ]",
    re.I,
)


def choice(
    reply: str, label: str, names: Mapping[str, Sequence[str]]
) -> Found[str] | None:
    """Which of some values was chosen.

    Unread: several, none, one that is negated or taken back, and one that comes only
    after other words ("the claim that ... is false"). Values may be called by numbers,
    letters and texts; a name of two values is none.
    """
    answer = _said(reply, label)
    said = answer.text.replace("’", "'")
    tokens = _tokens(names)
    if not said or not tokens:
        return None
    scan = _scanner(tuple(sorted(tokens, key=len, reverse=True)))
    mentions = list(scan.finditer(said))
    # A letter is an article in "A good reading" and a preposition in "a Paris".
    alone = [m for m in mentions if not _is_word(m, said, tokens)]
    if not alone:
        return None
    values = {tokens[m[0].lower()] for m in alone}
    between = said[alone[0].end() : alone[1].start()] if len(alone) > 1 else ""
    between = _FILLER.sub(" ", between)
    if len(values) > 1 and re.search(r"\w", between) and not _LINKED.search(between):
        # "B. Note that A is a distractor": later sentences do not vote.
        stop = _REASON.search(said, alone[0].end())
        alone = [m for m in alone if not stop or m.start() < stop.start()]
        values = {tokens[m[0].lower()] for m in alone}
    first = alone[0]
    before = _FILLER.sub(" ", said[: first.start()])
    stop = _REASON.search(said, first.end())
    after = scan.sub(" ", said[first.end() : stop.start() if stop else None])
    takes_back = (
        _REVISION.search(after)
        or (stop and _TAKES_BACK.match(said, stop.end()))
        or (first[0].isdigit() and _is_quantity(first, scan))
        or (said[: first.start()].endswith(("$", "€", "£", "+", "~", "≈")))
    )
    if len(values) > 1 or takes_back or re.search(r"[^\W_]", before):
        return None
    if _NEGATION.search(after):
        return None
    place = answer.part(*first.span())
    return Found(values.pop(), place.start, place.end)


def _is_quantity(number: re.Match[str], names: re.Pattern[str]) -> bool:
    """Whether a number counts something: "2 mg" is no option, but "2 no error" is."""
    said, end = number.string, number.end()
    return bool(_QUANTITY.match(said, end)) and not names.match(said, end + 1)


def _tokens(names: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The value of each name, without names of two values."""
    tokens: dict[str, set[str]] = {}
    for value, called in names.items():
        for name in called:
            if token := _token(name):
                tokens.setdefault(token, set()).add(value)
    return {token: min(values) for token, values in tokens.items() if len(values) == 1}


@lru_cache(maxsize=1024)
def _token(name: str) -> str:
    return " ".join(_plain(Traced.of(name)).text.lower().split())


@lru_cache(maxsize=256)
def _scanner(tokens: tuple[str, ...]) -> re.Pattern[str]:
    edge = "0-9A-Za-zÀ-ÿ"  # Chinese and Japanese need no space before a number
    return re.compile(
        rf"(?<![{edge}−-])(?<![0-9][.,])(?:{'|'.join(map(re.escape, tokens))})"
        rf"(?![{edge}]|[.,][0-9]|\s?%|'s)",
        re.I,
    )


_WORD_AFTER = re.compile(
    r"\s+(?!(?:because|since|as|given|is|was|or|and|rather|instead|weil|ist|est|es)\b)"
    r"[a-zà-ÿ]"
)


def _is_word(mention: re.Match[str], said: str, tokens: Mapping[str, str]) -> bool:
    letter = mention[0]
    if not re.fullmatch("[a-zAEIOUY]", letter):
        return False
    rest = said[mention.end() : mention.end() + 200]
    if letter.islower() and rest.strip(") .") and rest[0] not in ").:]":
        return True
    return bool(_WORD_AFTER.match(rest)) and rest.strip().lower() not in tokens


def numbered(texts: Mapping[str, str]) -> dict[str, list[str]]:
    """Names for `choice`: each value's number in the list shown, its text, its own."""
    words = ("zero", "one", "two", "three", "four", "five", "six")
    return {
        value: [str(n), text, value, value.replace("_", " "), *words[n : n + 1]]
        for n, (value, text) in enumerate(texts.items(), 1)
    }


# --- Sentences that make a claim ------------------------------------------------------

ERROR_CLAIMS = re.compile(
    r"(?P<error>\bcontains (?:an )?errors?\b(?!-)|\bdoes contain (?:an )?errors?\b(?!-)"
    r"|\bresponse (?:is not|isn't) valid\b|\bresponse is invalid\b)"
    r"|(?P<no_error>\bcontains no[ _]errors?\b(?!-)|(?:\b(?:does|do|did|should)"
    r"(?:n't| not) contain|\bnever contains) (?:(?:an|any) )?errors?\b(?!-)"
    r"|\bresponse is valid\b)",
    re.I,
)
"""Sentences of ReaLMistake's prompts and their near variants, for `stated`."""

_SENTENCE_END = re.compile(r"\n|[!?。]|\.(?=\s|$)")
_CLAUSE_END = re.compile(r"[,;:]|\b(?:so|thus|hence|therefore|consequently)\b", re.I)
_DOUBTS = re.compile(
    r"\b(?:whether|if|unless|doubt\w*|unclear|unlikely|hardly)\b", re.I
)
_DENIES = re.compile(
    r"\b(?:claim\w*|argu\w+|say\w*|not|cannot|no|nothing|nobody|never|fails?"
    r"|den(?:y|ies)|false|wrong|incorrect)\b|n't\b",
    re.I,
)
_FIRST_PERSON = re.compile(
    r"\b(?:i|we)(?:'d| would| must| will|'ll)? (?:say|argue|claim)\b", re.I
)
_TAKEN_BACK = re.compile(
    r"\W*+(?:is|would be|seems)\W+(?:not|false|wrong|untrue)"
    r"|\W*+or\b|\s*[/|]\s*(?:an|no|not|valid|invalid)\b",
    re.I,
)
_OFFER = re.compile(
    r"(?P<or>[^\w/|]*+(?:(?:or|and)\b|[/|]))?(?:\W|_|\b(?:therefore|so|the|it|model|response)\b)*+",
    re.I,
)
_CLAIM_BRACKETS = re.compile(r"[\[\](){}<>\"“”'‘](?![a-z]\b)")


def stated(text: str, claims: re.Pattern[str]) -> Found[str] | None:
    """Which of some claims the last sentence that makes one makes.

    Unread if that sentence makes two, doubts, denies or only reports it, or if the last
    two sentences are the claims side by side, as a prompt offers them. Each claim is a
    group, named after its value; a denial that is a claim itself ("does not contain an
    error") has to be among them.
    """
    reply = _plain(Traced.of(text))
    reply = reply._replace(text=reply.text.replace("’", "'"))
    reply = reply.sub(_CLAIM_BRACKETS, " ").sub(_BLANKS, " ")
    folded = reply.text.replace("\n", " ")
    made = list(claims.finditer(folded))
    if not made:
        return None
    start, end = made[-1].span()
    ends = [m.end() for m in _SENTENCE_END.finditer(reply.text)]
    first = max((one for one in ends if one <= start), default=0)
    last = min((one for one in ends if one >= end), default=len(folded))
    before = _FIRST_PERSON.sub("", folded[first:start])
    if (
        len({match.lastgroup for match in made if match.start() >= first}) > 1
        or _is_offer(made[-2:])
        or _DOUBTS.search(before)
        or _DENIES.search(_CLAUSE_END.split(before)[-1])
        or _TAKEN_BACK.match(folded[end:last])
    ):
        return None
    place = reply.part(start, end)
    return Found(str(made[-1].lastgroup), place.start, place.end)


def _is_offer(made: Sequence[re.Match[str]]) -> bool:
    """Whether two claims stand side by side, as a prompt offers them."""
    if len({match.lastgroup for match in made}) < 2:
        return False
    text, start = made[0].string, made[0].start()
    between = _OFFER.fullmatch(text, made[0].end(), made[1].start())
    after_response = text[:start].lower().rstrip().endswith("response")
    return between is not None and bool(between["or"] or after_response)


def realmistake_label(text: str) -> Literal["error", "no_error"] | None:
    """The label by ReaLMistake's own rule, which made its published predictions.

    Substrings in their case, no-error markers first (Kamoi et al. 2024; recovered from
    the stored predictions). "The response is correct" in passing outweighs the
    conclusion, so this is for comparison with published numbers only.
    """
    no_error = ("contains no error", "response is valid", "response is correct")
    if any(marker in text for marker in no_error):
        return "no_error"
    error = ("contains an error", "response is not valid")
    return "error" if any(marker in text for marker in error) else None


# --- Numbers --------------------------------------------------------------------------

_PERCENT = (
    r"%|percent\b|per cent\b|pct\b|prozent\b|pour ?cent\b|por ?ciento\b|パーセント"
)
_OF = r"\(?(?:/|out of|of|von|sur|de)\s*(?P<of>1(?:\.0+)?|5|10|100)(?![\d.])"
_NUMBER = re.compile(
    r"(?P<percent0>百分之)?(?P<n>\d++(?:[.,]\d++)?|[.,]\d++)(?![\d.,]*\d)"
    r"(?!(?!p(?:er|ct|ro|our|or))[A-Za-z_])"
    rf"\s*(?P<percent>{_PERCENT})?\s*(?:{_OF}\s*(?:{_PERCENT})?)?",
    re.I,
)
_BOUND = re.compile(
    r"[<>≤≥±-]=?\s*$|\b(?:nearly|almost|close to|fast|casi|presque|between|from"
    r"|less|more|above|below|over|under|least|most|up to|not|zwischen"
    r"|mindestens|höchstens|über|unter|entre|plus|moins|más|menos)\b",
    re.I,
)
_LINK = re.compile(
    r"\s*\.?\d|\s*(?:[,;]?\s*(?:now|then|jetzt|ahora)\b|[-=–—]+>|→|⇒|\.\.+|…|±|\+/?-|[/⁄]|to\b|or\b"
    r"|and\b|bis\b|oder\b|à\b|a\b|o\b|y\b|et\b|ou\b|[-–—~](?!\s)|到|至|から|vs)"
    r"\s*[~≈]?\s*\.?\d|\s*[-–—,]\s*\d",
    re.I,
)
_NEAR = 400  # characters from the label to its number
_COUNT = re.compile(r"\s*[-–—,;]\s*\d+\s+(?!percent|because|since|as\b)[^\W\d]")


def number(reply: str, label: str) -> Found[float] | None:
    """A probability, from 0 to 1, however it was written: 0.8, 80 %, 80/100, 8 of 10.

    Unread, never clipped: ranges and changes ("0.6 -> 0.8"), bounds (">0.9"), values
    out of range, and what may be of another scale, as a bare number above 1, and 0,8.
    """
    answer = _said(reply, label)
    match = _NUMBER.search(answer.text[:_NEAR])
    if not match:
        return None
    before, rest = answer.text[: match.start()], answer.text[match.end() :]
    is_range = rest.startswith("+") or (_LINK.match(rest) and not _COUNT.match(rest))
    if is_range or _BOUND.search(before) or len(re.findall(r"[^\W\d_]+", before)) > 4:
        return None
    value = _probability(match)
    place = answer.part(*match.span("n"))
    return None if value is None else Found(value, place.start, place.end)


def _probability(match: re.Match[str]) -> float | None:
    whole, _, decimals = match["n"].partition(",")
    value = float(f"{whole}.{decimals}" if decimals else whole)
    if len(decimals) > 2:
        return None  # a thousands separator
    if match["of"]:
        value /= float(match["of"])
    elif match["percent"] or match["percent0"]:
        if 0 < value < 1:
            return None
        value /= 100
    elif decimals:
        return None
    return value if value <= 1 else None


# --- Short answers --------------------------------------------------------------------

_NOTHING = re.compile(
    r"(?:i (?:do not|don't) know.*|unknown|unsure|not sure|no answer|n/?a|none"
    r"|unanswerable"
    r"|(?:it )?cannot be (?:determined|answered).*|(?:i'm|i am) not (?:sure|certain).*"
    r"|(?:ich )?wei(?:ß|ss) (?:ich |es )?nicht|keine ahnung|unbekannt|je ne sais pas"
    r"|inconnue?|no (?:lo )?sé|desconocido|不知道|不清楚|未知|分かりません"
    r"|わかりません|不明)[.!。]?",
    re.I,
)
_TEMPLATE = re.compile(
    r"(?:the|your|my|short|final|exact)? ?answer(?: here)?|\.\.\.", re.I
)

_ANOTHER_LINE = re.compile(
    r"\b(?:question|answer|verdict|confidence|critic|defender|reason\w*)\b[^:\n]{0,20}:"
    r"|\?$",
    re.I,
)


def short_answer(text: str) -> Found[str] | None:
    """An answer in words, as it would be compared with a reference."""
    answer = _said(text, "answer")
    if answer.text.startswith("~"):
        answer = answer.part(1).stripped()
    usable = any(map(str.isalnum, answer.text)) and len(answer.text) <= 300
    if not usable or _TEMPLATE.fullmatch(answer.text) or declines(answer.text):
        return None
    if _ANOTHER_LINE.search(answer.text) and labelled(text, "answer") is None:
        return None
    return Found(answer.text, answer.start, answer.end)


def abstains(answer: str) -> bool:
    """Whether an answer says that there is none, which is no certainty about one."""
    return _NOTHING.fullmatch(peeled(answer).replace("’", "'")) is not None


_DECLINES = re.compile(
    r"""\W*+(?:\w++:\W*)?                                     # "Answer:"
    (?P<sorry>(?:i'm\ |i\ am\ )?(?:very\ |so\ )?sorry\b|i\ apologi[sz]e\b
      |unfortunately\b|as\ an?\ (?:ai|language)\b[^.,]*|es\ tut\ mir\ leid
      |lo\ siento|d[ée]sol[ée]e?|je\ suis\ d[ée]sol[ée]e?)?
    [\s,.;:—-]*(?:but\ |however,?\ |aber\ |pero\ |mais\ )?
    (?:i\ (?:can't|cannot|can\ not|won't|will\ not|am\ unable\ to|am\ not\ able\ to
        |must\ decline(?:\ to)?|decline\ to)
       (?:(?=\s*[.!]|\s*\Z|\ (?:help(?!\ (?:but|notic))|assist|comply|do\ th
            |participate|engage|fulfil|complete|continue|provide|answer|discuss|generate
            |create|write))
         |\ (?P<weak>argue\ (?:for|against|that)|defend\ (?:this|that))\b)
      |i'm\ not\ comfortable\b
      |i'm\ (?:unable|not\ able)\ to\ (?:help|assist|comply|provide|answer|engage)
      |(?:dabei\ |damit\ )?kann\ ich\ (?:dabei|damit|dazu)?\ ?(?:leider\ )?nicht
      |ich\ kann\ [\w\ ]{0,40}\bnicht\ (?:helfen|tun|beantworten|erfüllen|weiter)
      |no\ puedo\ (?:ayudar|hacer|cumplir)
      |je\ ne\ peux\ pas\ (?:vous\ )?(?:aider|faire|r[ée]pondre))
    |\W*+(?:抱歉|对不起|申し訳)[^。]{0,12}(?:无法|不能|できません|ません)""",
    re.I | re.X,
)
_POLICY = re.compile(
    r"\b(?:guidelines|polic(?:y|ies)|inappropriate|unethical|harm(?:ful)?|offensive"
    r"|deceiv\w+|happy to help|let me know|another (?:question|topic|passage))\b",
    re.I,
)
_SAYS_MORE = re.compile(
    r"^\W*\w[\w ]{0,20}:|<|\b(?:passage|response|quote|text|because|since)\b"
    r"|\b(?:is|are|was|were) (?:right|wrong|correct|incorrect)\b|\d",
    re.M | re.I,
)


def declines(text: str) -> bool:
    """Whether a short text only declines, as safety training makes models do.

    "I cannot agree with Bob", "I can't help but notice" and a text that goes on to an
    answer's line, a quote or evidence are no refusals.
    """
    text = text.replace("’", "'").strip()
    if len(text) > 400 or not (match := _DECLINES.match(text)):
        return False
    rest = text[match.end() :]
    if _POLICY.search(rest):
        return True
    return bool(match["sorry"] or not match["weak"]) and not _SAYS_MORE.search(rest)
