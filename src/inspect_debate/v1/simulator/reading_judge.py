"""The provider behind `--model reading_judge/<bias>`: a judge that reads its prompt."""

import re
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import NamedTuple

from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from inspect_debate.v1.debate.errors import InputError, check_name, check_whole_number
from inspect_debate.v1.simulator.simulated import tokens

# What a judge's prompt says, read from its text alone.

_LISTED = re.compile(
    r"^Answer (?P<label>\w+)(?: \(\w+\))?: (?:<answer>)?(?P<position>.+?)(?:</answer>)?"
    r" \(argued for by (?P<name>[^()]+)\)\.?$",
    re.MULTILINE | re.DOTALL,
)
_TURN = re.compile(
    r'<turn speaker="(?P<name>[^"]*)" stage="[^"]*">\n(?P<text>.*?)\n</turn>', re.DOTALL
)
_TRANSCRIPT = re.compile(r"<transcript>\n(?P<turns>.*)\n</transcript>", re.DOTALL)
_AUTHORITY = re.compile(
    r"\b(?:professor|doctorate|specialist|leading expert)\b", re.IGNORECASE
)
_ORDER = re.compile(r"\b(?i:judge[:,][^<]*?\banswer) (?P<label>[A-Z]|\d)\b")


class Side(NamedTuple):
    """One of the two sides of a debate, as a judge reads it."""

    name: str
    label: str
    position: str
    words: int
    verified: int
    unverified: int
    claims_authority: bool

    @property
    def evidence(self) -> int:
        """Quotes that were found, less those that were not."""
        return self.verified - self.unverified


class JudgesPrompt(NamedTuple):
    """A judge's prompt: its sides as listed, who is shown first, and orders to it.

    `ordered` are the labels that speeches order the judge to answer.
    """

    sides: tuple[Side, Side]
    first_speaker: str
    ordered: frozenset[str]


def read_prompt(prompt: str) -> JudgesPrompt:
    """Read a judge's prompt.

    Args:
        prompt: Its whole text.

    Raises:
        ValueError: If it has no transcript of two, or no answers argued for by them.
    """
    transcript = _TRANSCRIPT.search(prompt)
    if transcript is None:
        raise ValueError("A reading judge finds no transcript in its prompt.")
    turns = [(m["name"], m["text"]) for m in _TURN.finditer(transcript["turns"])]
    listed = list(_LISTED.finditer(prompt, transcript.end()))
    names = [match["name"] for match in listed]
    if len(names) != 2 or {name for name, _ in turns} != set(names):
        raise ValueError(
            "A reading judge finds no two answers in its prompt that the speakers of "
            "its transcript argue for."
        )
    one, other = (_side(match, turns) for match in listed)
    ordered = frozenset(label for _, text in turns for label in _orders(text))
    return JudgesPrompt((one, other), turns[0][0], ordered)


def _side(listed: re.Match[str], turns: list[tuple[str, str]]) -> Side:
    text = "\n".join(speech for name, speech in turns if name == listed["name"])
    return Side(
        name=listed["name"],
        label=listed["label"],
        position=" ".join(listed["position"].split()),
        words=len(text.split()),
        verified=text.count("<v_quote>"),
        unverified=text.count("<u_quote>"),
        claims_authority=_AUTHORITY.search(text) is not None,
    )


def _orders(text: str) -> Iterator[str]:
    """The labels that a speech orders the judge to answer."""
    return (match["label"] for match in _ORDER.finditer(text))


BIASES = (
    *("unbiased", "first_shown", "name", "label", "length", "authority"),
    *("quote_gullible", "obedient", "fickle"),
)
"""What a judge may have planted in it; `fickle` hears no evidence, only noise."""

STRENGTH = 4.0
"""What a bias weighs, in verified quotes."""

NOISE = 0.5
"""The standard deviation of a judge's noise, in verified quotes."""

LONGER = 1.5
"""From which ratio of words one side counts as the longer one."""


class ReadingJudge(ModelAPI):
    """A judge that decides by the text of its prompt and by one planted bias.

    It counts, by side, the quotes marked as verified less those marked as not. Nothing
    but the prompt's text is read, and of the messages no metadata. It serves to test
    the checks of judges.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 (Inspect's signature)
        strength: float = STRENGTH,
        noise: float = NOISE,
        seed: int = 0,
    ) -> None:
        """Set up a judge.

        Args:
            model_name: One of `BIASES`.
            base_url: Not used.
            api_key: Not used.
            config: Not used.
            strength: What the bias weighs, in verified quotes.
            noise: The standard deviation of its noise, in verified quotes.
            seed: Of the noise.

        Raises:
            InputError: If the bias or a parameter is not allowed.
        """
        super().__init__(model_name, base_url, api_key, [], config)
        check_name("reading_judge", model_name, BIASES)
        check_whole_number("seed", seed, at_least=0)
        self.strength, self.noise = (
            _weight("strength", strength),
            _weight("noise", noise),
        )
        self.seed = seed
        self._asked: Counter[bytes] = Counter()

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Judge the debate in the prompt; each call is a new draw.

        Raises:
            ValueError: If the prompt is none of a judge of two.
        """
        prompt = "\n\n".join(message.text for message in input)
        key = sha256(prompt.encode()).digest()
        self._asked[key] += 1
        draw = self._asked[key]
        read = read_prompt(prompt)
        decided = decide(
            read,
            self.model_name,
            strength=self.strength,
            noise=self.noise * gauss(self.seed, key, draw),
        )
        reasons = (
            f"{side.name}: {side.verified} verified quotes, {side.unverified} others."
            for side in read.sides
        )
        text = "\n".join([*reasons, "", f"Answer: {decided.label}"])
        output = ModelOutput.from_content(self.model_name, text)
        read_in, written = tokens(prompt), tokens(text)
        output.usage = ModelUsage(
            input_tokens=read_in,
            output_tokens=written,
            total_tokens=read_in + written,
        )
        return output

    async def count_text_tokens(self, text: str) -> int:
        """Four characters a token; Inspect's own way would download a vocabulary."""
        return tokens(text)

    def max_connections(self) -> int:
        """So many that a limit never shapes a run."""
        return 1000


def decide(read: JudgesPrompt, bias: str, *, strength: float, noise: float) -> Side:
    """The side that a judge decides for.

    Args:
        read: Its prompt.
        bias: One of `BIASES`.
        strength: What the bias weighs.
        noise: What is added for the side that is the first by its answer's text, so
            that no change of a prompt changes whom it favours.

    Returns:
        The side with more evidence, bias and noise.
    """
    first, second = sorted(read.sides, key=lambda side: side.position)
    evidence = 0.0 if bias == "fickle" else first.evidence - second.evidence
    leaning = _leaning(read, bias, first) - _leaning(read, bias, second)
    return first if evidence + strength * leaning + noise > 0 else second


def gauss(seed: int, prompt: bytes, draw: int) -> float:
    """Standard normal noise of a draw of a prompt, given by its hash."""
    key = sha256(f"{seed} {draw} ".encode() + prompt).digest()
    return Random(key).gauss()


def _weight(name: str, given: object) -> float:
    number = float(given) if isinstance(given, int | float) else -1.0
    if isinstance(given, bool) or not 0 <= number < float("inf"):
        raise InputError(f"{name}={given!r} is not allowed; give a number from 0.")
    return number


def _leaning(read: JudgesPrompt, bias: str, side: Side) -> float:
    """How far a bias speaks for a side, where 1 is its full strength."""
    (other,) = (one for one in read.sides if one is not side)
    match bias:
        case "first_shown":
            return float(read.first_speaker == side.name)
        case "name":
            return float(side.name == min(side.name, other.name))
        case "label":
            return float(side.label == min(side.label, other.label))
        case "length":
            return float(side.words >= LONGER * other.words)
        case "authority":
            return float(side.claims_authority)
        case "quote_gullible":
            return float(side.unverified)
        case "obedient":
            return float(side.label in read.ordered)
    return 0.0
