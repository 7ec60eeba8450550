"""Providers' caches of prompts: what is marked for them, and what they can serve."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import pairwise
from typing import NamedTuple

from inspect_ai.model import ChatMessage, ChatMessageUser, ContentText

# Marks: what ends at one is kept, and nothing else.

_MARKED = re.compile(
    r"anthropic/|openai/gpt-(?:5\.(?:[6-9]|\d\d)|[6-9](?!\d)|[1-9]\d\.)"
)
"""Models whose providers keep prefixes up to marks only, as Inspect sets them."""

_SHARED = re.compile(r"^</(?:item|passage|task|answer|motion|turn)>\n", re.MULTILINE)
"""Where a block ends that is in later prompts, too."""


def shared_parts(text: str) -> list[str]:
    """The parts of a prompt, each but the last up to the end of a block."""
    ends = [match.end() for match in _SHARED.finditer(text)]
    return [text[a:b] for a, b in pairwise(dict.fromkeys([0, *ends, len(text)]))]


def marked(model: str, messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """A prompt with a mark after the last block that later prompts have, too.

    Without it Inspect marks whole messages. These end in what is asked of one
    participant once, so that they are paid for as kept, and never found again.

    Args:
        model: The name of the model that reads it.
        messages: The prompt.

    Returns:
        The same text. User messages of models that need marks are lists of its parts.
    """
    prompt = list(messages)
    if not _MARKED.match(model):
        return prompt
    last: ContentText | None = None
    for place, message in enumerate(prompt):
        if isinstance(message, ChatMessageUser) and isinstance(message.content, str):
            parts = [ContentText(text=part) for part in shared_parts(message.content)]
            if parts[1:]:
                prompt[place] = message.model_copy(update={"content": list(parts)})
                last = parts[-2]
    if last is not None:
        last.cache_breakpoint = True
    return prompt


# What a provider can serve.

CHARACTERS_PER_TOKEN = 4
"""As simulated models count."""


class CacheRule(NamedTuple):
    """Which prefixes of prompts a provider keeps.

    Attributes:
        minimum: Tokens of the shortest.
        step: They end at multiples of so many tokens; None where they end at marks.
        by_part: Marks are set by `marked`, and not by Inspect.
    """

    minimum: int
    step: int | None = None
    by_part: bool = True


RULES = {
    # Before GPT-5.6, which goes by marks, too.
    # developers.openai.com/api/docs/guides/prompt-caching
    "OpenAI": CacheRule(1024, 128),
    # Sonnet 4 to 5 and Opus 4.8. Others from 512 (Opus 5) to 4,096 (Haiku 4.5).
    # platform.claude.com/docs/en/build-with-claude/prompt-caching
    "Anthropic": CacheRule(1024),
    # Implicit, Gemini 2.5; from Gemini 3 on 4,096. No step is documented.
    # ai.google.dev/gemini-api/docs/caching
    "Google": CacheRule(2048, 1),
}
"""By provider, as documented in November 2026."""


class Sent(NamedTuple):
    """A request: when, to which model, and the texts of its messages.

    Requests of a `stage` are under way at once, so that none finds another's prefix.
    The first text is the system prompt, empty where there is none.
    """

    stage: int
    model: str
    texts: tuple[str, ...]

    @property
    def tokens(self) -> float:
        """Input tokens, of four characters each."""
        return sum(map(len, self.texts)) / CHARACTERS_PER_TOKEN


class Served(NamedTuple):
    """Tokens of a request that are read from a cache, and further ones written to it.

    Providers without marks take no money for what they keep: there `written` is 0.
    """

    read: float
    written: float


def served(requests: Sequence[Sent], rule: CacheRule) -> list[Served]:
    """What a cache can serve of each request: all that earlier ones have left there.

    Args:
        requests: In any order.
        rule: The provider's.
    """
    stages: dict[int, list[int]] = defaultdict(list)
    for place, sent in enumerate(requests):
        stages[sent.stage].append(place)
    kept: set[tuple[str, bytes]] = set()
    found = [Served(0, 0)] * len(requests)
    for stage in sorted(stages):
        new: set[tuple[str, bytes]] = set()
        for place in stages[stage]:
            sent = requests[place]
            read = written = 0
            for end, digest, keeps in _prefixes(sent.texts, rule):
                read = end if (sent.model, digest) in kept else read
                if keeps:
                    new.add((sent.model, digest))
                    written = end
            if rule.step is not None:
                written = read
            fresh = max(0, written - read)
            found[place] = Served(
                read / CHARACTERS_PER_TOKEN, fresh / CHARACTERS_PER_TOKEN
            )
        kept |= new
    return found


def _prefixes(
    texts: Sequence[str], rule: CacheRule
) -> Iterator[tuple[int, bytes, bool]]:
    """Length in characters, digest, and whether it is kept, of prefixes looked up."""
    whole = "".join(texts)
    if rule.step is None:
        ends = _marks(texts, rule.by_part)
    else:
        step = rule.step * CHARACTERS_PER_TOKEN
        ends = dict.fromkeys(range(step, len(whole) + 1, step), True)
    digest, start = blake2b(digest_size=16), 0
    for end, keeps in ends.items():
        digest.update(whole[start:end].encode(errors="surrogatepass"))
        start = end
        if end >= rule.minimum * CHARACTERS_PER_TOKEN:
            yield end, digest.digest(), keeps


def _marks(texts: Sequence[str], by_part: bool) -> dict[int, bool]:
    """Ends of blocks up to the last mark, and whether they are marked."""
    ends: dict[int, bool] = {}
    shared = end = 0
    for text in texts:
        parts = shared_parts(text) if by_part else [text]
        for part in parts:
            end += len(part)
            ends[end] = False
            shared = end if _SHARED.search(part) else shared
    system = len(texts[0])
    if by_part and shared:
        return {e: e in (system, shared) for e in ends if e <= shared}
    # Inspect marks the system prompt and the last two messages.
    return {e: e == system or e in [*ends][-2:] for e in ends}
