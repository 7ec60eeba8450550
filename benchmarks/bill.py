"""Which input a provider would serve from its cache of prompts, by protocol.

    uv run python -m benchmarks.bill [--items 10] [--words 200] [--orders] [NAME ...]

A barrier lets requests go only when no other can be added, so it is known which ones
are under way at once. What each finds in the cache of its model follows from the rules
in `inspect_debate.debate.prompt_cache`; tokens are four characters each. Simulated
models write `--words` a speech. ColMAD and the generative study run on the released
data where `INSPECT_DEBATE_DATA` names their folder, the others on made-up items.
"""

import argparse
import itertools
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    GenerateConfig,
    ModelOutput,
    get_model,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo
from tabulate import tabulate

from benchmarks import made_data
from benchmarks.table import Row
from inspect_debate.debate.prompt_cache import RULES, CacheRule, Sent, served
from inspect_debate.evals.colmad import colmad
from inspect_debate.evals.confidence import confidence
from inspect_debate.evals.debate import debate
from inspect_debate.evals.generative import generative
from inspect_debate.evals.srdcr import srdcr
from inspect_debate.simulator.simulated import Simulated
from tests.support.barrier import Barrier

MakeTask = Callable[[int, Path], Task]
"""A protocol's task on so many items, with a folder for their files."""


def _colmad(items: int, folder: Path, **given: Any) -> Task:
    return colmad(source=_released("realmistake/data.zip") or "sample", **given)


def _debate(items: int, folder: Path, words: int = 400, **given: Any) -> Task:
    data = made_data.questions(items, folder, words)
    return debate(protocol="copmad", dataset=str(data), **given)


def _srdcr(items: int, folder: Path, **given: Any) -> Task:
    return srdcr(source=str(made_data.passages(items, folder)), **given)


def _confidence(items: int, folder: Path, **given: Any) -> Task:
    return confidence(**given)


def _generative(items: int, folder: Path, **given: Any) -> Task:
    made = _released("arc_agi_1") or str(made_data.grids(items, folder))
    return generative(source=made, **given)


def _released(path: str) -> str | None:
    folder = os.environ.get("INSPECT_DEBATE_DATA")
    return f"{folder}/{path}" if folder else None


_SEVERAL: Any = {"num_choices": True}
RUNS: dict[str, MakeTask] = {
    "colmad": partial(_colmad, skip_if_agree=False),
    "copmad": partial(_colmad, protocol="copmad"),
    "som": partial(_colmad, protocol="som"),
    "self_consistency": partial(_colmad, protocol="self_consistency"),
    "self_consistency, num_choices": partial(
        _colmad, protocol="self_consistency", config=_SEVERAL
    ),
    "debate": _debate,
    "debate, 4,000 words": partial(_debate, words=4000),
    "srdcr": _srdcr,
    "confidence": _confidence,
    "confidence, num_choices": partial(_confidence, config=_SEVERAL),
    "generative": _generative,
    "generative, best of 4": partial(_generative, best_of=4),
    "generative, best of 4, num_choices": partial(
        _generative, best_of=4, config=_SEVERAL
    ),
}
JUDGES = {"confidence": 3, "srdcr": 0}
"""How many models judge; with none the debaters' own. Elsewhere one."""
ITEMS, WORDS = 10, 200
_JUDGES = ("swayed", "hesitant", "escalating")


@modelapi(name="billed")
class Billed(Simulated):
    """Notes what it is asked, and in which generation."""

    def __init__(
        self, model_name: str, barrier: Barrier, sent: list[Sent], **parameters: Any
    ) -> None:
        super().__init__(model_name, **parameters)
        self.barrier = barrier
        self.sent = sent

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        texts = [message.text for message in input]
        if not isinstance(input[0], ChatMessageSystem):
            texts.insert(0, "")
        generation = await self.barrier.arrive()
        self.sent.append(Sent(generation, self.model_name, tuple(texts)))
        return await super().generate(input, tools, tool_choice, config)


def sent_by(name: str, items: int, words: int) -> tuple[list[Sent], int]:
    """The requests of a run whose judges, if it has any, are other models.

    Returns:
        The requests, and of how many samples they are; six at most in the confidence
        study, which has so many motions.
    """
    sent: list[Sent] = []
    barrier = Barrier()

    def model(profile: str) -> Any:
        given: dict[str, Any] = {"barrier": barrier, "sent": sent, "words": words}
        return get_model(f"billed/{profile}", memoize=False, **given)

    judges = _JUDGES[: JUDGES.get(name.partition(",")[0], 1)]
    with tempfile.TemporaryDirectory() as folder:
        (log,) = eval(
            RUNS[name](items, Path(folder)),
            model=model("balanced"),
            model_roles={"judge": [*map(model, judges)]} if judges else {},
            limit=items,
            max_samples=10,
            display="none",
            log_dir=folder,
            log_level="error",
        )
    assert log.results is not None, log.error
    return sent, log.results.completed_samples


# What is read off the requests.


def resent(sent: Sequence[Sent]) -> float:
    """The share of input in requests that are the same as an earlier one."""
    seen: set[Any] = set()
    again = 0.0
    for request in sent:
        again += request.tokens if request[1:] in seen else 0
        seen.add(request[1:])
    return again / tokens(sent)


def read(sent: Sequence[Sent], rule: CacheRule) -> float:
    """The share of input that is read from a cache."""
    return sum(one.read for one in served(sent, rule)) / tokens(sent)


def price(sent: Sequence[Sent], rule: CacheRule) -> float:
    """What input costs of its price without caching, at Anthropic's rates.

    Reading from the cache takes a tenth, writing to it five quarters.
    """
    found = served(sent, rule)
    saved = sum(0.9 * one.read - 0.25 * one.written for one in found)
    return 1 - saved / tokens(sent)


def tokens(sent: Sequence[Sent]) -> float:
    return sum(request.tokens for request in sent)


# Other orders of a prompt's parts: system prompt, material, transcript, instruction.

_SPOKEN = re.compile(
    r"^<(?:transcript|debate|turn\b[^>]*)>.*^</(?:transcript|debate|turn)>\n",
    re.MULTILINE | re.DOTALL,
)
_MATERIAL = re.compile(
    r".*^</(?:item|passage|task|answer|motion)>\n", re.MULTILINE | re.DOTALL
)


def reordered(sent: Sequence[Sent], order: Sequence[str]) -> Iterator[Sent]:
    """The requests with the parts of their prompts in another order.

    Args:
        sent: The requests. Conversations of several messages stay as they are.
        order: Of `S`, `M`, `T`, `I`.
    """
    for request in sent:
        system, user, *more = request.texts
        if more:
            yield request
            continue
        spoken, material = _SPOKEN.search(user), _MATERIAL.match(user)
        end = material.end() if material else 0
        start, end = spoken.span() if spoken else (end, end)
        parts = {"M": user[:start], "T": user[start:end], "I": user[end:], "S": system}
        yield request._replace(texts=("", "".join(parts[part] for part in order)))


def by_order(sent: Sequence[Sent]) -> dict[str, float]:
    """The share of input that is cached by OpenAI's rule, by the order of parts."""
    return {
        "".join(order): read([*reordered(sent, order)], RULES["OpenAI"])
        for order in itertools.permutations("SMTI")
    }


def rows(repeats: int) -> Iterator[Row]:
    """Two rows for each protocol; counts are not repeated."""
    for name in RUNS:
        sent, _ = sent_by(name, ITEMS, WORDS)
        shares = by_order(sent)
        best = 100 * max(shares.values())
        cached = f"input cached by OpenAI's rule, {name}"
        own = 100 * shares["SMTI"]
        yield Row(cached, own, best or None, "%", "the best order", "1")
        yield Row(f"input sent again, {name}", 100 * resent(sent), None, "%", "", "0")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=[*RUNS], metavar="NAME")
    parser.add_argument("--items", type=int, default=ITEMS)
    parser.add_argument("--words", type=int, default=WORDS)
    parser.add_argument("--orders", action="store_true", help="Try other orders.")
    arguments = parser.parse_args()
    found = []
    for name in arguments.names:
        sent, samples = sent_by(name, arguments.items, arguments.words)
        marks = RULES["Anthropic"]
        row = {
            "protocol": name,
            "requests": len(sent) / samples,
            "input tokens": tokens(sent) / samples,
            "sent again, %": 100 * resent(sent),
            **{f"{of}, %": 100 * read(sent, rule) for of, rule in RULES.items()},
            "Inspect's marks: price": price(sent, marks._replace(by_part=False)),
            "our marks: price": price(sent, marks),
        }
        if arguments.orders:
            shares = by_order(sent)
            shown = dict.fromkeys(("SMTI", max(shares, key=shares.__getitem__), "MSTI"))
            row["orders, %"] = ", ".join(f"{o} {100 * shares[o]:.0f}" for o in shown)
        found.append(row)
    formats = ("", ".0f", ",.0f", ".0f", ".0f", ".0f", ".0f", ".2f", ".2f")
    print(tabulate(found, headers="keys", floatfmt=formats))


if __name__ == "__main__":
    main()
