"""What a simulated model knows when it is asked: the sample, and what it has read."""

import re
from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path
from random import Random

import yaml
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage

from inspect_debate.datasets.matching import right_answer
from inspect_debate.debate.ask import Asked
from inspect_debate.debate.seeds import seeded
from inspect_debate.debate.text import unescape
from inspect_debate.simulator.profiles import Profile

RELIES, DOUBTS = "REASONABLE", "UNREASONABLE"
LABELS = ("error", "no_error")
_TURN = re.compile(r'<turn speaker="([^"]*)"[^>]*>\n(.*?)\n</turn>', re.S)
_LISTED = re.compile(
    r"^(?:Answer )?(\d|[A-Z])(?: \(\w+\))?[:)] (.*?)\.?(?: \(argued for by (\w+)\))?$",
    re.M,
)
_PICK = re.compile(r"^Answer (\d), argued for by (\w+): <answer>(.*?)</answer>", re.M)


class Scene:
    """A call to a simulated model.

    The right answer comes from the sample. Who argues for what, and what was said
    before, is read off the prompt, as the record is written after the debate.
    """

    def __init__(
        self,
        profile: Profile,
        model: str,
        asked: Asked,
        messages: Sequence[ChatMessage],
        sample: Sample,
        epoch: int,
    ) -> None:
        self.profile, self.model, self.asked = profile, model, asked
        self.messages, self.sample, self.epoch = messages, sample, epoch
        self.metadata = sample.metadata or {}
        self.labelled = {"task", "response"} <= self.metadata.keys()
        self.with_passage = "passage_answer" in self.metadata  # which may be wrong
        self.is_graded = "answer_kind" in self.metadata  # as grids or by tests
        target = sample.target
        self.target = target if isinstance(target, str) else target[0]
        self.passage_answer = str(self.metadata.get("passage_answer", self.target))
        self.system = "\n".join(m.text for m in messages if m.role == "system")
        self.prompt = "\n\n".join(m.text for m in messages if m.role == "user")

    def draw(self, purpose: str, *more: str | int) -> Random:
        """A generator for a decision, the same whenever and in whatever order."""
        who = (self.model, self.asked.role, self.asked.name, self.asked.kind)
        what = (str(self.sample.id), self.epoch, self.asked.draw, purpose, *more)
        return seeded(0, *who, *what)

    # --- The item ---------------------------------------------------------------------

    @cached_property
    def task(self) -> list[str]:
        """Sentences of the task, or of the question."""
        asked = self.sample.input
        text = asked if isinstance(asked, str) else asked[-1].text
        return sentences(str(self.metadata.get("task", text)))

    @cached_property
    def response(self) -> list[str]:
        """Sentences of the response or the passage, or else of the question."""
        found = self.metadata.get("response" if self.labelled else "passage")
        if not self.labelled and "<passage>" not in self.system + self.prompt:
            found = ""  # who has not read it cannot quote it
        return sentences(str(found)) if found else self.task

    @property
    def explanation(self) -> list[str]:
        """The human explanation of the error, by sentence; empty if there is none."""
        said = str(self.metadata.get("explanation") or "").strip()
        is_known = said and self.target == "error"
        return re.split(r"(?<=[.!?])\s+", said) if is_known else []

    # --- The possible answers ---------------------------------------------------------

    @cached_property
    def listed(self) -> list[tuple[str, str, str]]:
        """The answers that the prompt lists: name, text, and who argues for it."""
        if self.with_passage:
            found = _PICK.findall(self.prompt)
            return [(name, unescape(text), who) for name, who, text in found]
        text = self.system + "\n" + self.prompt.partition("The possible answers:")[2]
        return [(name, unescape(t), who) for name, t, who in _LISTED.findall(text)]

    @cached_property
    def options(self) -> dict[str, str]:
        """The possible answers by what replies call them; none for one in words."""
        if self.labelled:
            own = self.asked.kind in ("answer", "update")
            return dict(zip(("an", "no") if own else "12", LABELS, strict=True))
        if self.listed:
            return {name: text for name, text, _ in self.listed}
        if self.with_passage and self.asked.kind == "verdict":
            return {RELIES: self.passage_answer, DOUBTS: self.target}
        return {chr(ord("A") + n): t for n, t in enumerate(self.sample.choices or [])}

    @cached_property
    def right(self) -> str | None:
        """What the right answer is called; None if it is not among the options."""
        if self.sample.choices:
            return self.target if self.target in self.options else None
        options = sorted(self.options.items(), key=lambda one: one[1] != self.target)
        found = (name for name, text in options if right_answer(text, self.target))
        return next(found, None)

    def side(self, name: str) -> str:
        """The kind of answer that sentences are written for."""
        return self.options[name] if self.labelled else "option"

    def is_right(self, answer: str) -> bool:
        """Whether an answer is right, or as good as any if none is."""
        if self.options:
            return self.right in (answer, None)
        return right_answer(answer, self.target)

    # --- The debate so far ------------------------------------------------------------

    @cached_property
    def turns(self) -> list[tuple[str, str]]:
        """Speaker and text of what was said, in the prompt's order."""
        return _TURN.findall(self.prompt)

    @property
    def finals(self) -> set[str]:
        """What the debaters say that they believe by now; "" where they do not."""
        last = dict(self.turns).values()
        return {["", *re.findall(r"^Final: (\w+)", t, re.M)][-1] for t in last}

    # --- Words ------------------------------------------------------------------------

    def write(self, key: str, **values: str) -> str:
        """One of the sentences for a purpose, with its values.

        In one debate each turn has another one, as long as there are others.
        """
        many, asked = texts()[key], self.asked
        start = seeded(0, key, str(self.sample.id), self.epoch).randrange(len(many))
        second = asked.name in ("Bob", "Critic", "debater_b")
        place = start + 2 * asked.round + second + asked.draw
        sentence = many[place % len(many)].format_map(values).strip()
        return sentence[0].upper() + sentence[1:]

    def quote(self, words: str) -> str:
        """Words of the item, in tags where quotes are checked, and not always exact."""
        if "<quote>" not in self.system:
            return f"“{words}”"
        if self.draw("quote", words).random() >= self.profile.verified:
            first, _, rest = words.partition(" ")
            words = f"{first} {rest.partition(' ')[2]}"  # a word is missing
        return f"<quote>{words}</quote>"

    def source(self, part: int = 0) -> str:
        """A sentence of the passage, first the one with its answer."""
        found = nearest(sentences(self.metadata["passage"]), self.passage_answer)
        return f"“{found[part % len(found)]}”"


# --- Sentences to say and to quote ----------------------------------------------------


@cache
def texts() -> dict[str, list[str]]:
    """The sentences that replies are made of, by their purpose."""
    path = Path(__file__).with_name("texts.yaml")
    loaded: dict[str, list[str]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return loaded


def sentences(text: str) -> list[str]:
    """Pieces of a text to quote: whole short sentences, and parts of long ones."""
    found: list[str] = []
    for line in text.splitlines():
        line = re.sub(r"^\s*(?:[-*•]|\(?\d+[.)])\s+", "", line).strip()
        for piece in re.split(r"(?<=[.!?;])\s+(?=[^a-z])", line):
            if len(piece.split()) > 22 and (part := _PART.match(piece)):
                piece = part[0]
            if len(piece.split()) >= 4 and not set(piece) & set("<>&"):
                found.append(piece.rstrip(".;:,"))
    return [*dict.fromkeys(found)] or [" ".join(text.split()[:12])]


_WORD = re.compile(r"\d+|\w{4,}")
_PART = re.compile(r"(?:\S+ ){5,20}\S+(?=[,;:] )|(?:\S+ ){15}\S+")


def nearest(candidates: Sequence[str], to: str) -> list[str]:
    """The candidates, first those that share most words and numbers with a text."""

    def overlap(one: str) -> float:
        words, wanted = ({*_WORD.findall(text.lower())} for text in (one, to))
        return len(words & wanted) / (len(words) + 4)

    return sorted(candidates, key=overlap, reverse=True)


def quotes(text: str) -> list[str]:
    """What was quoted in a text that others read; in quotation marks if in no tags."""
    found = re.findall(r"<[vu]_quote>(.*?)<", text) or re.findall("“(.*?)”", text)
    return [unescape(one) for one in found]
