"""Asking simulated models for turns, without a protocol."""

from itertools import product
from typing import Any

import anyio
from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    get_model,
)

import inspect_debate.models.registry as _registered
from inspect_debate.core.cue import Cue, Format
from inspect_debate.core.parsing import (
    choice_line,
    label_sentence,
    stated_confidence,
    verdict,
)
from inspect_debate.core.record import Kind, Parsed, Status
from inspect_debate.core.tags import split_argument
from inspect_debate.models.simulated import Simulated

assert _registered.simulated

CHOICES = {"error": ("1", "error"), "no_error": ("2", "no_error")}
SIDES = {"debater_a": "error", "debater_b": "no_error"}
TASK = "\n".join(
    f"Rule {n}: the boat of number {n} leaves at {n} sharp." for n in range(9)
)
RESPONSE = "\n".join(f"Boat {n} goes out to sea when it is {n}." for n in range(9))
ITEM = (
    f"<item>\n<task>\n{TASK}\n</task>\n\n<response>\n{RESPONSE}\n</response>\n</item>"
)
N = 1500
"""How many questions have a known answer; every second one an error."""


def cue_for(
    kind: Kind, n: int = 1, participant: str = "debater_a", **values: Any
) -> Cue:
    formats: dict[Kind, Format] = {
        "answer": "label_sentence",
        "speech": "speech",
        "verdict": "verdict",
    }
    if kind == "speech":
        values = {"defends": SIDES[participant], "round": 1, "rounds": 2} | values
    return Cue(
        **{
            "question": f"q{n}",
            "sample": f"s{n}",
            "epoch": 1,
            "seed": 0,
            "participant": participant,
            "kind": kind,
            "format": formats[kind],
            "choices": ("error", "no_error"),
            **values,
        }
    )


def all_kinds(n: int) -> list[Cue]:
    return [
        cue_for("answer", n),
        *(
            cue_for("speech", n, participant=who, round=round)
            for who, round in product(SIDES, (1, 2))
        ),
        cue_for("verdict", n, participant="judge", shown=("error", "no_error")),
        cue_for("verdict", n, participant="judge"),
    ]


def prompt_for(cue: Cue, system: str = "") -> list[ChatMessage]:
    messages: list[ChatMessage] = [ChatMessageUser(content=ITEM, metadata=cue.attach())]
    return [ChatMessageSystem(content=system), *messages] if system else messages


def model_for(profile: str = "balanced", **values: Any) -> Model:
    return get_model(f"simulated/{profile}", memoize=False, **values)


def api_for(profile: str = "balanced", **values: Any) -> Simulated:
    api = model_for(profile, **values).api
    assert isinstance(api, Simulated)
    return api


def ask(
    api: Simulated, *cues: Cue, config: GenerateConfig | None = None
) -> list[ModelOutput]:
    async def _called() -> list[ModelOutput]:
        settings = config or GenerateConfig()
        return [
            await api.generate(prompt_for(cue), [], "auto", settings) for cue in cues
        ]

    return anyio.run(_called)


def read(cue: Cue, text: str) -> dict[str, Parsed]:
    match cue.format:
        case "label_sentence":
            return {"answer": label_sentence(text)}
        case "verdict":
            return {"answer": verdict(text, CHOICES)}
        case "speech":
            found = split_argument(text)
            return {
                "argument": Parsed.ok("")
                if found.status == "ok"
                else Parsed.unparsed(),
                "final": choice_line(found.argument, "Final", CHOICES),
                "confidence": stated_confidence(found.argument),
            }


def required(cue: Cue, text: str) -> Status:
    field = "argument" if cue.format == "speech" else "answer"
    return read(cue, text)[field].status
