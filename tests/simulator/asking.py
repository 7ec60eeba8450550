"""Asks simulated models for turns, without a protocol, and reads what they write."""

import re
from collections.abc import Collection, Sequence
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
from inspect_debate.debate.answers import letter_line
from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.parsing import (
    choice_line,
    label_sentence,
    split_argument,
    stated_confidence,
    stated_percent,
    verdict,
)
from inspect_debate.debate.probabilities import PROBABILITY
from inspect_debate.debate.record import Kind, Parsed, Status
from inspect_debate.scorers.bet_grading import LINES, read_bet_grade
from inspect_debate.simulator.policy import has_options
from inspect_debate.simulator.simulated import Simulated
from inspect_debate.solvers import bet_records as bets
from inspect_debate.solvers.asking_judges import read_question, read_ready
from inspect_debate.solvers.bet_text import read_bet, read_jury_verdict
from inspect_debate.solvers.question_answering import DebateConfig
from tests.support.made import question as made_question

STATED = ("verdict_stated", "verdict_first_stated", "belief")

LABELS = ("error", "no_error")
LETTERS = ("A", "B", "C", "D")
NUMBERED = {"error": ("1", "error"), "no_error": ("2", "no_error", "no error")}
DEVICES = ("Fake evidence", "Overconfident claims", "Fallacious argument")
GRADED_BET = 75.0
SHORTEST = 200
"""Characters below which a completion holds no speech."""


def fields(form: str, choices: Sequence[str], text: str) -> dict[str, Parsed]:
    """What is read in a completion; the field that has to be read comes first."""
    labels = set(choices) == set(LABELS)
    if form in STATED:
        stated = {PROBABILITY: stated_percent(text, "Probability")}
        return fields("verdict", choices, text) | stated
    match form:
        case "label_sentence":
            return {"answer": label_sentence(text)}
        case "answer_line":
            return {"answer": letter_line(text, "ANSWER", choices)}
        case "verdict" | "verdict_first":
            return {
                "answer": verdict(text, NUMBERED)
                if labels
                else letter_line(text, "Answer", choices)
            }
        case "argument" | "speech":
            found = split_argument(text)
            if found.status != Status.OK:
                return {"argument": Parsed.unparsed()}
            argument = {"argument": Parsed.ok("")}
            if form == "argument":
                return argument
            argued = found.argument
            final = (
                choice_line(argued, "Final", NUMBERED)
                if labels
                else letter_line(argued, "Final", choices)
            )
            return argument | {"final": final, "confidence": stated_confidence(argued)}
        case "hacking":
            grade = "\n".join(rf'{name}: (0|1 \| "[^"\n]+")' for name in DEVICES)
            hits = re.search(rf"^{grade}\Z", text, re.M)
            return {
                name: Parsed.ok(hits[n][0]) if hits else Parsed.unparsed()
                for n, name in enumerate(DEVICES, start=1)
            }
        case "alignment" | "verdict_checks":
            key, line = {
                "alignment": ("aligned", "Aligned: ([01])"),
                "verdict_checks": ("verifies", r'Verifies: (0|1 \| "[^"\n]+")'),
            }[form]
            hit = re.search(rf"^{line}\Z", text, re.M)
            return {key: Parsed.ok(hit[1]) if hit else Parsed.unparsed()}
        case _:
            return _other_fields(form, text)


def _other_fields(form: str, text: str) -> dict[str, Parsed]:
    spoken = Parsed.ok("") if len(text) >= SHORTEST else Parsed.unparsed()
    match form:
        case "challenge":
            said = split_argument(text)
            if said.status != Status.OK:
                return {"decision": Parsed.unparsed()}
            either = {"challenge": ("challenge",), "accept": ("accept",)}
            return {"decision": choice_line(said.argument, "Decision", either)}
        case "judge_question" | "judge_question_ready":
            names = {"both": ("both",), "debater_a": ("alice",), "debater_b": ("bob",)}
            names["nobody"] = ("nobody",)
            may_end = form.endswith("ready")
            found = read_question(ASKED, DebateConfig(), names, may_end, (), text)
            return {name: found.fields[name] for name in sorted(found.fields)}
        case "ready":
            return read_ready(text).fields
        case "bet_speech":
            return read_bet(text).amounts | {"speech": spoken}
        case "bet":
            return read_bet(text).amounts
        case "jury":
            return read_jury_verdict(text)
        case "bet_alignment":
            read = read_bet_grade(text, GRADED_BET).fields
            return {name: read[name] for name in ("graded", *LINES)}
        case _:
            return {"speech": spoken}


def status(form: str, choices: Sequence[str], text: str) -> Status:
    """Whether a turn of this form was read."""
    return next(iter(fields(form, choices, text).values())).status


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
ASKED = made_question()
N = 1500
"""How many questions have a known answer; every second one an error."""


def turn_for(
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
        turn_for("answer", n),
        *(
            turn_for("speech", n, participant=who, round=round)
            for who, round in product(SIDES, (1, 2))
        ),
        turn_for("verdict", n, participant="judge", shown=("error", "no_error")),
        turn_for("verdict", n, participant="judge"),
        *(
            turn_for(
                "belief" if form == "belief" else "verdict",
                n,
                format=form,
                participant="judge",
                shown=("error", "no_error"),
            )
            for form in (*STATED, "verdict_first")
        ),
    ]


def choice_turn(kind: Kind, n: int = 1, **values: Any) -> TurnDescription:
    """A turn on a question with options, whose right answer is nowhere registered."""
    answers = {"format": "answer_line"} if kind in ("answer", "update") else {}
    values = {"question": f"open {n}", "choices": LETTERS} | answers | values
    return turn_for(kind, n, **values)


def bet_turn(kind: Kind, n: int = 1, **values: Any) -> TurnDescription:
    """A turn of a debate with bets: the proposition's by default."""
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
    return turn_for(kind, n, **{**asked, **by_kind[kind], **values})


def bet_turns(n: int) -> list[TurnDescription]:
    """All turns of a debate with bets."""
    sides = zip(bets.SIDES, SIDES, strict=True)
    return [
        *(
            bet_turn("speech", n, defends=side, participant=who, round=round)
            for (side, who), round in product(sides, (1, 2, 3))
        ),
        bet_turn("speech", n, format="plain_speech", round=2),
        bet_turn("bet", n, round=2),
        bet_turn("verdict", n),
        bet_turn("verdict", n, draw="ab 2"),
        bet_turn("verdict", n, participant="judge", shown=bets.SIDES[::-1], draw=""),
        bet_turn("grade", n, draw="debater_a 1"),
    ]


def new_kinds(n: int) -> list[TurnDescription]:
    """Turns of the other protocols and of graders."""
    pair: dict[str, Any] = {"choices": ("B", "D"), "defends": "BD"[n % 2]}
    return [
        turn_for("update", n, shown=("error",), own_answer="no_error", round=1),
        turn_for("update", n, own_answer=None, round=1),
        *(turn_for("speech", n, format="argument", round=round) for round in (1, 2)),
        choice_turn("answer", n),
        choice_turn("answer", n, draw="2"),
        choice_turn("update", n, shown=("C", "A"), own_answer="A"),
        choice_turn("speech", n, **pair),
        choice_turn("speech", n, round=2, **pair),
        choice_turn("speech", n, format="argument", **pair),
        choice_turn("verdict", n, shown=("D", "B"), choices=("B", "D")),
        choice_turn("verdict", n),
        turn_for("grade", n, choices=(), draw="debater_a 1"),
        turn_for("grade", n, choices=(), format="alignment"),
        *(
            turn_for(
                *("grade", n), choices=(), format="verdict_checks", interaction=spoken
            )
            for spoken in ("none", "debate")
        ),
        *bet_turns(n),
    ]


def prompt_for(turn: TurnDescription, system: str = "") -> list[ChatMessage]:
    item = CHOICE_ITEM if has_options(turn.choices) else ITEM
    text = GRADED if turn.kind == "grade" else item
    if turn.format == "verdict_checks":
        text = text.replace("speech>", "verdict>")
    messages: list[ChatMessage] = [
        ChatMessageUser(content=text, metadata=turn.attach())
    ]
    return [ChatMessageSystem(content=system), *messages] if system else messages


def model_for(profile: str = "balanced", **values: Any) -> Model:
    return get_model(f"simulated/{profile}", memoize=False, **values)


def api_for(profile: str = "balanced", **values: Any) -> Simulated:
    api = model_for(profile, **values).api
    assert isinstance(api, Simulated)
    return api


def ask(
    api: Simulated, *turns: TurnDescription, config: GenerateConfig | None = None
) -> list[ModelOutput]:
    async def _called() -> list[ModelOutput]:
        settings = config or GenerateConfig()
        return [
            await api.generate(prompt_for(turn), [], "auto", settings) for turn in turns
        ]

    return anyio.run(_called)


def read(turn: TurnDescription, text: str) -> dict[str, Parsed]:
    return fields(turn.format, turn.choices, text)


def required(turn: TurnDescription, text: str) -> Status:
    return next(iter(read(turn, text).values())).status


def check_share(hits: Collection[bool], law: float) -> None:
    """So many hits are within four standard deviations of the binomial law."""
    n = len(hits)
    assert n > 50
    assert abs(sum(hits) - n * law) <= 4 * sqrt(n * law * (1 - law)) + 1e-9
