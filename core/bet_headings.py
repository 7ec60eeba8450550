"""Lines that head a bet, state one, or head a part of a speech.

Every word of such a line's label comes from a closed list: "Betting markets:" heads an
argument. Every pattern is linear in the text, because the text is written by a model.
"""

import re
from typing import NamedTuple

from inspect_debate.core.percents import percent
from inspect_debate.core.record import Status

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
        """Whether nothing but a number from 0 to 100 follows the colon."""
        return percent(self.rest).status == Status.OK

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
_TELLING = _RARE | _words(
    "final public own token tokens proposition opposition rationale thought reason"
    " reasons report justification explanation assessment statement analysis placed"
    " visible hidden internal decision evaluation estimate calculation"
)
_BET = _TELLING | _words(
    "bet betting wager stake my side for opening rebuttal closing speech round and on"
    " the of in winning response only to me not your opponent judge section value size"
    " out percent self strategy summary details note notes xml tags format output"
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
        return "private" in words and not words.isdisjoint(_REASONING)
    return not words.isdisjoint(_RARE - {"private"})


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


_BET_SENTENCE = re.compile(
    r"""\bconfidence\ bets?\b | (?<![a-z])bets?\\?_[a-z]
    |\bmy\ (?:\w++\ )?bet\ (?:is|of|at|stands\ at)\ \$?[0-9]
    |\bI(?:'ll|'m|\ will|\ would|\ am|\ have)?\ (?:not\ )?(?:bet|betting|stake|wager)
     \ \$?[0-9]{1,3}+\s?(?:tokens\b|/\s?100\b|%\ of\ my\b|[.;]|$)
    |\b(?:I|my)\b[^.!?\n]{0,80}?\b[0-9]{1,3}+\ (?:of\ my\ )?tokens\b""",
    re.I | re.X,
)
_CHANCE_STATED = re.compile(
    r"[0-9]\s?(?:%|percent)\s(?:win(?:ning)?\s(?:chance|probability|likelihood)\b"
    r"|(?:chance|probability|likelihood)\sof\s(?:winning|success)\b)",
    re.I,
)
_SELF = re.compile(r"\b(?:I|my|myself|[Ii]dentical)\b")


def speaks_of_bet(sentence: str) -> bool:
    """Whether a sentence is about the speaker's own bet or chance of winning."""
    if _BET_SENTENCE.search(sentence):
        return True
    return bool(_CHANCE_STATED.search(sentence) and _SELF.search(sentence))
