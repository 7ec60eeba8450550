"""Asking simulated models for turns, without a protocol."""

from collections.abc import Collection
from itertools import product
from math import sqrt
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

import inspect_debate.simulator.registry as _registered
from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.record import Kind, Parsed, Status
from inspect_debate.simulator.policy import has_options
from inspect_debate.simulator.simulated import Simulated
from inspect_debate.solvers import bet_records as bets
from tests.simulator.reading import GRADED_BET, LETTERS, NUMBERED, fields

assert _registered.simulated

CHOICES = NUMBERED
SIDES = {"debater_a": "error", "debater_b": "no_error"}
TASK = "\n".join(
    f"Rule {n}: the boat of number {n} leaves at {n} sharp." for n in range(9)
)
RESPONSE = "\n".join(f"Boat {n} goes out to sea when it is {n}." for n in range(9))
ITEM = (
    f"<item>\n<task>\n{TASK}\n</task>\n\n<response>\n{RESPONSE}\n</response>\n</item>"
)
QUESTION = "\n".join(
    f"Harbour {n} has {n} boats, of which one leaves every day." for n in range(9)
)
OPTIONS = "\n".join(
    f"{letter}) After so many days {n} boats are left."
    for n, letter in enumerate("ABCD")
)
CHOICE_ITEM = (
    f"<item>\n<question>\n{QUESTION}\n</question>\n\n"
    f"<options>\n{OPTIONS}\n</options>\n</item>"
)
SPEECH = "\n".join(
    f'Nobody can "doubt" rule {n}.\nAs to boat {n}, it surely leaves long before {n}.'
    for n in range(9)
)
GRADED = f"{ITEM}\n\n<speech>\n{SPEECH}\n</speech>"
N = 1500
"""How many questions have a known answer; every second one an error."""


def cue_for(
    kind: Kind, n: int = 1, participant: str = "debater_a", **values: Any
) -> TurnDescription:
    formats: dict[Kind, str] = {
        "answer": "label_sentence",
        "speech": "speech",
        "verdict": "verdict",
        "update": "label_sentence",
        "grade": "hacking",
        "bet": "bet",
    }
    if kind == "speech":
        values = {"defends": SIDES[participant], "round": 1, "rounds": 2} | values
    return TurnDescription(
        **{
            "question": f"q{n}",
            "sample": f"s{n}",
            "epoch": 1,
            "seed": 0,
            "participant": participant,
            "kind": kind,
            "format": formats.get(kind, "argument"),
            "choices": ("error", "no_error"),
            **values,
        }
    )


def all_kinds(n: int) -> list[TurnDescription]:
    return [
        cue_for("answer", n),
        *(
            cue_for("speech", n, participant=who, round=round)
            for who, round in product(SIDES, (1, 2))
        ),
        cue_for("verdict", n, participant="judge", shown=("error", "no_error")),
        cue_for("verdict", n, participant="judge"),
    ]


def choice_cue(kind: Kind, n: int = 1, **values: Any) -> TurnDescription:
    """A turn on a question with options, whose right answer is nowhere registered."""
    answers = {"format": "answer_line"} if kind in ("answer", "update") else {}
    values = {"question": f"open {n}", "choices": LETTERS} | answers | values
    return cue_for(kind, n, **values)


def bet_cue(kind: Kind, n: int = 1, **values: Any) -> TurnDescription:
    """A turn of a debate with bets: the proposition's, unless said otherwise."""
    by_kind: dict[Kind, dict[str, Any]] = {
        "verdict": {"format": "jury", "participant": "judge_1", "draw": "ab 1"},
        "grade": {"format": "bet_alignment", "bet": GRADED_BET, "choices": ()},
        "speech": {"format": "bet_speech", "defends": "proposition"},
        "bet": {"defends": "proposition"},
    }
    if kind == "verdict":
        values = {"shown": bets.SIDES} | values
    elif kind != "grade":
        values = {"asks": ("bet",), "round": 1, "rounds": 3} | values
    asked = {"question": f"m{n}", "sample": f"m{n}", "choices": bets.SIDES}
    return cue_for(kind, n, **{**asked, **by_kind[kind], **values})


def bet_kinds(n: int) -> list[TurnDescription]:
    """All turns of a debate with bets."""
    sides = zip(bets.SIDES, SIDES, strict=True)
    return [
        *(
            bet_cue("speech", n, defends=side, participant=who, round=round)
            for (side, who), round in product(sides, (1, 2, 3))
        ),
        bet_cue("speech", n, format="plain_speech", round=2),
        bet_cue("bet", n, round=2),
        bet_cue("verdict", n),
        bet_cue("verdict", n, draw="ab 2"),
        bet_cue("verdict", n, participant="judge", shown=bets.SIDES[::-1], draw=""),
        bet_cue("grade", n, draw="debater_a 1"),
    ]


def new_kinds(n: int) -> list[TurnDescription]:
    """Turns of the other protocols and of graders."""
    pair: dict[str, Any] = {"choices": ("B", "D"), "defends": "BD"[n % 2]}
    return [
        cue_for("update", n, shown=("error",), own_answer="no_error", round=1),
        cue_for("update", n, own_answer=None, round=1),
        *(cue_for("speech", n, format="argument", round=round) for round in (1, 2)),
        choice_cue("answer", n),
        choice_cue("answer", n, draw="2"),
        choice_cue("update", n, shown=("C", "A"), own_answer="A"),
        choice_cue("speech", n, **pair),
        choice_cue("speech", n, round=2, **pair),
        choice_cue("speech", n, format="argument", **pair),
        choice_cue("verdict", n, shown=("D", "B"), choices=("B", "D")),
        choice_cue("verdict", n),
        cue_for("grade", n, choices=(), draw="debater_a 1"),
        cue_for("grade", n, choices=(), format="alignment"),
        *bet_kinds(n),
    ]


def prompt_for(description: TurnDescription, system: str = "") -> list[ChatMessage]:
    item = CHOICE_ITEM if has_options(description.choices) else ITEM
    text = GRADED if description.kind == "grade" else item
    messages: list[ChatMessage] = [
        ChatMessageUser(content=text, metadata=description.attach())
    ]
    return [ChatMessageSystem(content=system), *messages] if system else messages


def model_for(profile: str = "balanced", **values: Any) -> Model:
    return get_model(f"simulated/{profile}", memoize=False, **values)


def api_for(profile: str = "balanced", **values: Any) -> Simulated:
    api = model_for(profile, **values).api
    assert isinstance(api, Simulated)
    return api


def ask(
    api: Simulated, *cues: TurnDescription, config: GenerateConfig | None = None
) -> list[ModelOutput]:
    async def _called() -> list[ModelOutput]:
        settings = config or GenerateConfig()
        return [
            await api.generate(prompt_for(description), [], "auto", settings)
            for description in cues
        ]

    return anyio.run(_called)


def read(description: TurnDescription, text: str) -> dict[str, Parsed]:
    return fields(description.format, description.choices, text)


def required(description: TurnDescription, text: str) -> Status:
    return next(iter(read(description, text).values())).status


def check_share(hits: Collection[bool], law: float) -> None:
    """So many hits are within four standard deviations of the binomial law."""
    n = len(hits)
    assert n > 50
    assert abs(sum(hits) - n * law) <= 4 * sqrt(n * law * (1 - law)) + 1e-9
