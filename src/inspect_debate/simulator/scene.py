"""What a simulated model knows when it is asked: the sample, and what it has read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage

from inspect_debate.debate.ask import Asked
from inspect_debate.debate.seeds import seeded
from inspect_debate.debate.text import unescape
from inspect_debate.simulator.profiles import Profile

LABELS = {"error": "1", "no_error": "2"}
"""What prompts call the labels."""
_TURN = re.compile(
    r'<turn speaker="([^"]*)"(?: stage="([^"]*)")?>\n(.*?)\n</turn>', re.S
)
_LISTED = re.compile(
    r"^(?:Answer )?(\d|[A-Z])(?: \(\w+\))?[:)] (.*?)\.?(?: \(argued for by (\w+)\))?$",
    re.M,
)


@dataclass(frozen=True)
class Scene:
    """A call to a simulated model.

    The right answer comes from the sample. What differs between protocols is read off
    the prompt, where it is said once: who argues for what, and what was said before.

    Attributes:
        profile: How good the model is.
        model: Its name.
        asked: What is asked for.
        messages: The prompt.
        sample: The sample, with its right answer.
        epoch: The epoch.
    """

    profile: Profile
    model: str
    asked: Asked
    messages: Sequence[ChatMessage]
    sample: Sample
    epoch: int

    def draw(self, purpose: str, *more: str | int) -> Random:
        """A generator for a decision, the same whenever and in whatever order."""
        who = (self.model, self.asked.role, self.asked.name, self.asked.kind)
        what = (str(self.sample.id), self.epoch, self.asked.draw, purpose, *more)
        return seeded(0, *who, *what)

    @cached_property
    def system(self) -> str:
        """The system message, which says for whom a debater speaks."""
        return "\n".join(m.text for m in self.messages if m.role == "system")

    @cached_property
    def prompt(self) -> str:
        """What the user messages say."""
        return "\n\n".join(m.text for m in self.messages if m.role == "user")

    # --- The item ---------------------------------------------------------------------

    @property
    def labelled(self) -> bool:
        """Whether it is about errors in a response."""
        return {"task", "response"} <= (self.sample.metadata or {}).keys()

    @property
    def target(self) -> str:
        """The right answer as the sample has it."""
        target = self.sample.target
        return target if isinstance(target, str) else target[0]

    @cached_property
    def names(self) -> list[str]:
        """What the possible answers are called; empty for an answer in words."""
        if self.labelled:
            return [*LABELS.values()]
        if self.listed or not self.sample.choices:
            return [name for name, _, _ in self.listed]
        return [chr(ord("A") + n) for n in range(len(self.sample.choices))]

    @cached_property
    def listed(self) -> list[tuple[str, str, str]]:
        """The answers among which the prompt lets choose, in its order.

        Name, text, and who argues for it; empty before first answers.
        """
        text = self.system + "\n" + self.prompt.partition("The possible answers:")[2]
        return [(name, unescape(t), who) for name, t, who in _LISTED.findall(text)]

    @cached_property
    def right(self) -> str | None:
        """What the right answer is called; None if it is not among those listed."""
        if self.labelled:
            return LABELS.get(self.target)
        if self.sample.choices:
            return self.target
        target = self.target.casefold().strip(" .")
        said = [n for n, t, _ in self.listed if t.casefold().strip(" .") == target]
        return said[0] if said else None

    @cached_property
    def task(self) -> list[str]:
        """Sentences of the task, or of the question."""
        metadata = self.sample.metadata or {}
        if self.labelled:
            return sentences(str(metadata["task"]))
        asked = self.sample.input
        return sentences(asked if isinstance(asked, str) else asked[-1].text)

    @cached_property
    def response(self) -> list[str]:
        """Sentences of the response, or of the question."""
        if not self.labelled:
            return self.task
        return sentences(str((self.sample.metadata or {})["response"]))

    @property
    def explanation(self) -> list[str]:
        """The human explanation of the error in parts that can stand alone."""
        said = str((self.sample.metadata or {}).get("explanation") or "").strip()
        return [
            part for part in re.split(r"(?<=[.!?])\s+(?!But|However)", said) if part
        ]

    # --- The debate so far ------------------------------------------------------------

    @cached_property
    def turns(self) -> list[tuple[str, str, str]]:
        """Speaker, stage and text of what was said, in the prompt's order."""
        return _TURN.findall(self.prompt)

    def speech_of(self, speaker: str) -> str:
        """The last speech of a speaker; empty before there is one."""
        speeches = [
            t for who, stage, t in self.turns if who == speaker and "round" in stage
        ]
        return speeches[-1] if speeches else ""

    @property
    def finals(self) -> set[str]:
        """What the debaters say that they believe by now, by name."""
        last = {who: text for who, stage, text in self.turns if "round" in stage}
        said = [re.findall(r"^Final: (\w+)", text, re.M)[-1:] for text in last.values()]
        return {one[0] if one else "" for one in said}

    @property
    def used(self) -> set[str]:
        """What was quoted before."""
        return set(quoted(self.prompt))


def quoted(text: str, mark: str = "v") -> list[str]:
    """The quotes in a public text: verified ones (`v`), or the others (`u`)."""
    found = re.findall(rf"<{mark}_quote>(.*?)</{mark}_quote>", text, re.S)
    return [unescape(one) for one in found if one != "..."]


def sentences(text: str) -> list[str]:
    """Pieces of a text to quote: whole short sentences, and parts of long ones."""
    found: list[str] = []
    for line in text.splitlines():
        line = re.sub(r"^\s*(?:[-*•]|\(?\d+[.)]|\[\d+\])\s+", "", line).strip()
        for piece in re.split(r"(?<=[.!?;])\s+(?=[^a-z])", line):
            piece = re.sub(r"^[A-Z]\w+: ", "", piece)
            words = piece.rstrip(".;:,").split(" ")
            if len(words) > 22:
                words = words[: _end(words)]
            if len(words) >= 4 and not set(piece) & set("<>&"):
                found.append(" ".join(words).rstrip(".;:,"))
    return found or [" ".join(text.split()[:12])]


def _end(words: list[str]) -> int:
    """Where a long sentence can be cut: after a comma if there is one."""
    commas = [
        n for n, word in enumerate(words[:22], 1) if word.endswith((",", ";", ":"))
    ]
    return commas[-1] if commas and commas[-1] >= 6 else 16


_COMMON = {"the", "a", "an", "of", "to", "in", "and", "or", "is", "are", "be", "that"}
_COMMON |= {"this", "it", "its", "with", "for", "on", "as", "by", "from", "at", "not"}
_COMMON |= {"no", "response", "task", "one", "which", "who", "than"}


def nearest(candidates: Sequence[str], to: str) -> list[str]:
    """The candidates, first those that share most words and numbers with a text."""
    wanted = set(re.findall(r"\w+", to.lower())) - _COMMON

    def overlap(one: str) -> float:
        own = set(re.findall(r"\w+", one.lower())) - _COMMON
        return len(own & wanted) / (len(own) + 4)

    return sorted(candidates, key=overlap, reverse=True)
