"""How simulated models write: a form's last lines, and sentences before them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from random import Random
from string import Formatter
from typing import Any, NamedTuple

from inspect_debate.v1.simulator.behaviour import UnreadableKind
from inspect_debate.v1.simulator.passages import Passage
from inspect_debate.v1.simulator.policy import Draws

NUMBERS = {"error": "1", "no_error": "2"}
"""What prompts call the labels; the letter of an option is its own name."""

SENTENCES = (
    "I take what is asked first, and then one point after the other.",
    "The decisive step can be repeated by anyone, and it comes out the same.",
    "Each claim has to follow from what is written, and not from how it sounds.",
    "I compared every name with the material and found that they agree.",
    "The order of the steps matters, and I went through them in that order.",
    "What is left out here would not change the outcome.",
    "I read the passage once more with only this point in mind.",
    "The opposite assumption leads nowhere that I can see.",
    "Nothing beyond what is written has to be assumed for this.",
    "The comparison is direct, and some doubt remains.",
    "A point that is merely repeated earns nothing.",
    "How firmly it is put does not count here.",
    "It matters how strictly one wants to read each word of it.",
    "Both readings lead to the same place in the end.",
    "I redid the calculation by hand and arrived at the same place.",
    "The other side has named no case in which this fails.",
    "What settles it is the part that nobody disputes.",
    "This condition rules out more than it seems to at first.",
    "Whoever grants the first step has to grant the second as well.",
    "The burden lies with whoever departs from the record.",
    "One objection was met, and the other was left where it is.",
    "I looked for an exception and found none.",
    "The terms are used here as they are used in the source.",
    "It agrees with everything else that was established before.",
)
"""Sentences around what matters. None decides anything: there is no label in them
and no number, so that both can be planted."""


class Draft(NamedTuple):
    """A completion in parts: `closing` holds the lines that decide how it is read.

    `thinking` is None where no tags are asked for. With tags, `closing` may be empty.
    With `closing_first` the closing lines come before the body.
    """

    body: str
    closing: str
    thinking: str | None = None
    closing_first: bool = False

    @property
    def text(self) -> str:
        """The whole completion."""
        return self.before_closing + self.after_body

    @property
    def before_closing(self) -> str:
        """Everything up to the closing lines."""
        if self.closing_first:
            return ""
        if self.thinking is None:
            return self.body
        return f"<thinking>\n{self.thinking}\n</thinking>\n\n<argument>\n{self.body}"

    @property
    def after_body(self) -> str:
        """The closing lines and whatever follows them."""
        if self.closing_first:
            return "\n\n".join(filter(None, (self.closing, self.body)))
        gap = "\n\n" if self.body and self.closing else ""
        end = "" if self.thinking is None else "\n</argument>"
        return f"{gap}{self.closing}{end}"


class Attack(NamedTuple):
    """What a hostile text wants: that `me` wins over `other`, and the `lines` for it.

    `block` is the tag of the transcript that the text is part of.
    """

    me: str
    other: str
    lines: str
    block: str = "transcript"


@dataclass(frozen=True)
class Content:
    """What a turn says.

    Attributes:
        fields: The values of the form's last lines, by name.
        among: What the deciding fields are chosen among, in the form's words.
        lines: Sentences that the text has.
        quotes: What it quotes.
        closing: The last lines where the form has no template for them, with what an
            echo and an undecided text have in their place.
        attack: What a hostile text asks for; None if nobody reads it.
    """

    fields: Mapping[str, str] = field(default_factory=dict)
    among: Sequence[str] = ()
    lines: Sequence[str] = ()
    quotes: Sequence[Passage] = ()
    closing: "Closing | None" = None
    attack: Attack | None = None


class Closing(NamedTuple):
    """The last lines of a text; as an echo of what was asked for; and undecided."""

    text: str
    echo: str
    both: str


@dataclass(frozen=True)
class Form:
    """A form of completion: how what a model says becomes a text.

    Attributes:
        says: What a simulated model says in it, from the turn's draws and its prompt.
        closing: The last lines, with the fields in braces; a line is left out where one
            of its fields is not given.
        decides: The fields that say one of several things.
        described: What an echo of the form has for the other fields.
        length: How long it is, as a part of a speech.
        thinking: Whether there is private thinking before it, in tags.
        closing_first: Whether these lines come before the rest of the text.
        whole: Whether a re-ask is for the whole text, and not for the last lines alone.
        unread: The ways in which it can go wrong so that the turn is not read.
    """

    says: Callable[[Draws, str], Content]
    closing: str = ""
    decides: tuple[str, ...] = ()
    described: Mapping[str, str] = field(default_factory=dict)
    length: float = 1.0
    thinking: bool = False
    closing_first: bool = False
    whole: bool = False
    unread: tuple[UnreadableKind, ...] = ("no_tags", "echo", "both", "empty", "script")

    def closed(self, content: Content) -> Closing:
        """The last lines of a reply, and their unreadable form."""
        if content.closing is not None:
            return content.closing
        either = " or ".join(content.among)
        undecided = {name: either for name in self.decides if name in content.fields}
        echoed = {n: self.described.get(n, f"either {either}") for n in content.fields}
        return Closing(
            _filled(self.closing, content.fields),
            _filled(self.closing, echoed),
            _filled(self.closing, {**content.fields, **undecided}),
        )

    def write(self, content: Content, words: int, rng: Random) -> Draft:
        """A text that says it.

        Args:
            content: Its content.
            words: Mean number of words of a speech.
            rng: Chooses the sentences.
        """
        closing = self.closed(content).text
        goal = round(target(words, rng) * self.length) - count(closing)
        body = prose(goal, rng, content.lines, content.quotes)
        thinking = rng.choice(SENTENCES) if self.thinking else None
        return Draft(body, closing, thinking, self.closing_first)


def _filled(template: str, fields: Mapping[str, Any]) -> str:
    def given(line: str) -> bool:
        names = [name for _, name, _, _ in Formatter().parse(line) if name]
        return all(name in fields for name in names)

    lines = filter(given, template.split("\n"))
    return "\n".join(line.format(**fields) for line in lines)


def prose(
    words: int, rng: Random, lines: Sequence[str] = (), quotes: Sequence[Passage] = ()
) -> str:
    """A text of so many words: what has to be in it, and neutral sentences.

    Args:
        words: How many; what has to be in it is, even if that is longer.
        rng: Chooses the sentences.
        lines: Sentences that it begins with.
        quotes: What it quotes.
    """
    cited = [f"It says <quote>{quote.text}</quote>, word for word." for quote in quotes]
    used, more = count(*lines, *cited), []
    deck = shuffled(SENTENCES, rng)
    while words > used + 5:
        more.append(next(deck))
        used += count(more[-1])
    return "\n\n".join(filter(None, [" ".join(lines), " ".join([*cited, *more])]))


def target(words: int, rng: Random) -> int:
    """The length of one text among many of a mean length."""
    return round(words * rng.uniform(0.75, 1.25))


def count(*texts: str) -> int:
    """The number of words."""
    return sum(len(text.split()) for text in texts)


def shuffled(bank: Sequence[str], rng: Random) -> Iterator[str]:
    """Sentences without end; none comes again before all others did."""
    return cycle(rng.sample(bank, len(bank)))


def write_reasoning(words: int, rng: Random) -> str:
    """What a reasoning model thinks before it writes, in so many words."""
    deck = shuffled(SENTENCES, rng)
    thoughts: list[str] = []
    while count(*thoughts) < words:
        thoughts.append(next(deck))
    return " ".join(" ".join(thoughts).split()[:words])
