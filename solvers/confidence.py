"""Debates with bets: "When Two LLMs Debate, Both Think They'll Win" (2505.19184)."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import cycle, islice
from logging import getLogger
from pathlib import Path
from statistics import multimode
from typing import Annotated, Any, Literal

from inspect_ai.model import ModelOutput, get_model, model_roles
from inspect_ai.solver import Generate, Solver, TaskState, solver
from pydantic import Field

from inspect_debate.debate.ask import Asking, Parse, Read, together
from inspect_debate.debate.errors import (
    Count,
    InputError,
    Positive,
    check_known,
    validated,
)
from inspect_debate.debate.prompted import Prompted
from inspect_debate.debate.prompts import Prompts
from inspect_debate.debate.record import Debate
from inspect_debate.debate.roles import (
    Participant,
    check_roles,
    participants,
    roles_known,
)
from inspect_debate.debate.text import escape
from inspect_debate.debate.view import messages
from inspect_debate.solvers.bets import SIDES, read_bet, read_verdict, stages

logger = getLogger(__name__)
PROMPTS = Path(__file__).with_suffix(".yaml")
DEBATERS = ("debater_a", "debater_b")
NAMES = {"opening": "opening speech", "closing": "closing speech"}

SELF: dict[str, Any] = {
    "opponent": "self",
    "opponent_note": "self",
    "win_probability": None,
    "bet_visibility": "private",
    "own_bets_shown": True,
    "bet_reasoning": "standard",
    "bet_as": "both",
    "rounds": 3,
    "turn_order": "simultaneous",
    "jury_passes": 0,
    "order": "both",
    "shortest": 200,
}
# What differs is here in full, also what the paper does not say: debaters are not shown
# their own earlier bets again in four of the conditions, which confounds comparisons.
PRESETS: dict[str, dict[str, Any]] = {
    "cross_model": SELF
    | {"opponent": "other", "opponent_note": "none", "jury_passes": 2},
    "self": SELF,
    "informed_self": SELF | {"win_probability": 50, "own_bets_shown": False},
    "public": SELF | {"bet_visibility": "public"},
    "redteam": SELF | {"bet_reasoning": "redteam", "own_bets_shown": False},
    # Printed without a word on the rest: taken to be the red team's.
    "redteam_v2": SELF | {"bet_reasoning": "perspectives", "own_bets_shown": False},
    "deceptive": SELF | {"opponent_note": "skilled"},
    "four_round": SELF
    | {
        "own_bets_shown": False,
        "bet_as": "stake",
        "rounds": 4,
        "turn_order": "sequential",
        "shortest": 50,
    },
}
"""The settings of the study's conditions (section 3; four rounds: appendix O)."""


@solver
@validated
def confidence(
    protocol: str = "cross_model",
    opponent: Literal["other", "self"] | None = None,
    opponent_note: Literal["none", "self", "skilled"] | None = None,
    win_probability: Annotated[int, Field(ge=0, le=100)] | None = None,
    bet_visibility: Literal["private", "public"] | None = None,
    own_bets_shown: bool | None = None,
    bet_reasoning: Literal["standard", "redteam", "perspectives"] | None = None,
    bet_as: Literal["both", "probability", "stake"] | None = None,
    rounds: Positive | None = None,
    turn_order: Literal["simultaneous", "sequential"] | None = None,
    jury_passes: Count | None = None,
    order: Literal["both", "ab", "ba"] | None = None,
    shortest: Count | None = None,
    reminders: Count = 1,
    seed: int = 0,
    prompts: str | None = None,
) -> Solver:
    """A debate of a motion in which both sides bet on winning (section 3).

    The input of a sample is the motion. Its metadata may say what each side has to show
    (`proposition`, `opposition`), which models of a pool debate (`debater_a`,
    `debater_b`), and that they change sides (`swapped`), as they do in every second
    epoch. Roles: `debater_a`, at first the proposition; `debater_b`; and `judge`, a
    juror or a list of them.

    Args:
        protocol: The condition of the study; what is not given is as it has it.
        opponent: `other`: two models; `self`: a model and its copy.
        opponent_note: What debaters read about their opponent: nothing, that it is the
            same model, or that it is a highly skilled debater.
        win_probability: The chance of winning that debaters are told, in percent.
        bet_visibility: `public`: the opponent reads the amount in the next round, never
            the reasoning.
        own_bets_shown: Debaters read their own earlier bets again, with the reasoning.
        bet_reasoning: What to think of before a bet: `standard`; `redteam`, also the
            opponent's best case; `perspectives`, the views of several people.
        bet_as: What the number is: the `probability` of winning, the `stake`, or both
            in one number, as in the paper.
        rounds: Speeches of each side.
        turn_order: In a round both speak at once, or the proposition first.
        jury_passes: How often each juror judges; 0 for no jury.
        order: Which side's speech jurors read first in each round: the proposition's
            (`ab`), the opposition's (`ba`), or in turn from pass to pass (`both`).
        shortest: Characters below which a completion is asked for again.
        reminders: How often an unread reply is asked for again.
        seed: Unused, as nothing is drawn; accepted in all protocols.
        prompts: A YAML file that replaces some of the prompts.

    Raises:
        InputError: If the parameters are those of another condition, or if the debaters
            that are bound cannot debate each other.
    """
    given = {name: value for name, value in locals().items() if name in SELF}
    settings = effective(protocol, given)
    itself = settings["opponent"] == "self"
    check_debaters(itself)
    if "judge" in model_roles() and not settings["jury_passes"]:
        warn_once(
            f"judge is bound, and there is no jury in protocol={protocol}; give -T "
            "jury_passes=2 to have one."
        )
    rest = {"reminders": reminders, "seed": seed, "prompts": prompts}
    texts = Prompts(PROMPTS, overlay=prompts)
    prompted = Prompted(settings | rest, texts, panels=_PANELS)
    names = [name.partition("_")[0] for name in stages(settings["rounds"])]
    at_once = settings["turn_order"] == "simultaneous"

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        check_debaters(itself)  # not known yet where a task is made in Python
        with prompted.recorded(protocol) as debate:
            debate.options = {side: side.capitalize() for side in SIDES}
            jurors = participants("judge", "juror") if settings["jury_passes"] else []
            await hold(state, debate)
            if jurors:
                await together(debate, *verdicts(debate, jurors))
                debate.answer, debate.skip_reason = decide(debate)
        state.messages = messages(debate, state.input_text)
        state.output = ModelOutput.from_content(protocol, debate.answer or "")
        return state

    async def hold(state: TaskState, debate: Debate) -> None:
        sides = debaters(state, itself)
        debate.defends = {who.role: side for side, who in sides.items()}

        def speech(side: str, round: int) -> Asking:
            stage, who = names[round - 1], sides[side]
            values = settings | {
                "motion": escape(state.input_text),
                "burdens": burdens(state),
                "side": side,
                "stage": stage,
                "stage_name": NAMES.get(stage, stage),
                "round": round,
                "numbered": settings["rounds"] > 3,
                "turns": spoken(debate, names, settings, reader=who.role),
            }
            reminder = prompted.texts("bet_reminder")
            read = speech_reader(settings["shortest"], reminders, reminder)
            return prompted.ask(
                who, "speech", read, values, system="debater", round=round
            )

        for round in range(1, settings["rounds"] + 1):
            for speaking in [SIDES] if at_once else [[side] for side in SIDES]:
                await together(debate, *(speech(side, round) for side in speaking))

    def verdicts(debate: Debate, jurors: Sequence[Participant]) -> list[Asking]:
        """Every juror judges as often as it is to (section 3.4)."""
        orders = {"both": ("ab", "ba")}.get(settings["order"], (settings["order"],))
        passes = [*islice(cycle(orders), settings["jury_passes"])]
        return [
            prompted.ask(
                juror,
                "verdict",
                jury_reader,
                {
                    "turns": spoken(debate, names, order=order),
                    "sides": SIDES[::-1] if order == "ba" else SIDES,
                },
                system="juror",
                order=order,
                draw=number,
            )
            for juror in jurors
            for number, order in enumerate(passes, 1)
        ]

    return solve


def effective(protocol: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """All settings of a condition, with those that were given in place of its own."""
    check_known("protocol", protocol, PRESETS)
    chosen = {name: value for name, value in given.items() if value is not None}
    settings = PRESETS[protocol] | chosen
    for other, preset in PRESETS.items():
        if other != protocol and settings == preset:
            raise InputError(
                f"{', '.join(f'{k}={v}' for k, v in chosen.items())} with protocol="
                f"{protocol} is what protocol={other} is; give protocol={other}, or "
                "leave these parameters out."
            )
    return settings


# --- Who debates ----------------------------------------------------------------------


@cache
def warn_once(text: str) -> None:
    """Warn of something that holds for all samples."""
    logger.warning(text)


_PANELS = ("judge", "debater_a")


def check_debaters(itself: bool) -> None:
    """Raise InputError if a model is bound to a debater that cannot take part."""
    check_roles(_PANELS)
    roles = model_roles() if roles_known() else {}
    if "debater_b" not in roles:
        return
    if itself:
        raise InputError(
            "debater_b is bound, but here debater_a debates its own copy; leave it "
            "out, or give protocol=cross_model for a debate between two models."
        )
    if isinstance(roles.get("debater_a"), list):
        raise InputError(
            "debater_a is a list, whose models debate each other, and debater_b is "
            "bound as well; add its model to the list, or bind one model to each."
        )


def debaters(state: TaskState, itself: bool) -> dict[str, Participant]:
    """The debaters by their sides, which change in every second epoch."""
    metadata = state.metadata or {}
    first, second = DEBATERS
    pool = [one.model for one in participants(first)]
    if first in metadata:
        models = {str(model): model for model in pool}
        for role in DEBATERS:
            check_known("model", str(metadata[role]), models)
        a, b = (models[str(metadata[role])] for role in DEBATERS)
    elif len(pool) > 1:
        raise InputError(
            f"debater_a is a list, and sample {state.sample_id!r} does not say which "
            "of its models debate; use the task `confidence`, which pairs them."
        )
    else:
        a, b = pool[0], pool[0] if itself else participants(second)[0].model
    if not itself and str(a) == str(b):
        warn_once(
            f"Both sides are {a} and are not told so; bind debater_b, or several "
            "models as debater_a. protocol=self is a debate with oneself."
        )
    if second not in model_roles():  # count its usage under its own role
        b = get_model(role=second, default=b)
    swapped = bool(metadata.get("swapped")) != (state.epoch % 2 == 0)
    order = SIDES[::-1] if swapped else SIDES
    return {
        side: Participant(side.capitalize(), role, model)
        for side, role, model in zip(order, DEBATERS, (a, b), strict=True)
    }


# --- What participants read -----------------------------------------------------------


def spoken(
    debate: Debate,
    names: Sequence[str],
    settings: Mapping[str, Any] | None = None,
    reader: str = "",
    order: str = "ab",
) -> list[dict[str, Any]]:
    """The speeches so far, with the bets that a debater may read; jurors see none."""
    turns, bets = debate.of("speech"), settings or {}
    first = SIDES[order == "ba"]
    turns.sort(key=lambda turn: (turn.round, debate.defends[turn.role] != first))
    sees_own = bets.get("own_bets_shown")
    sees_other = bets.get("bet_visibility") == "public"
    shown = []
    for turn in turns:
        own, bet = turn.role == reader, turn.fields.get("bet")
        seen = bet is not None and (sees_own if own else sees_other)
        more = {
            "stage": names[turn.round - 1],
            "own": own,
            "bet": f"{bet:g}" if seen else None,
            "reasoning": escape(turn.fields.get("reasoning", "")),
        }
        shown.append(turn.shown() | more)
    return shown


def burdens(state: TaskState) -> list[str]:
    """What each side has to show, or nothing if the motion does not say it."""
    found = [str((state.metadata or {}).get(side) or "") for side in SIDES]
    return [escape(text) for text in found] if all(found) else []


# --- How replies are read -------------------------------------------------------------


def speech_reader(shortest: int, reminders: int, bet_reminder: str) -> Parse:
    """A reader of one turn, in which a reply may add what the one before it lacked.

    A bet counts in the end even if there is no speech, as in the released data. A
    completion of fewer characters than `shortest` has no speech.
    """
    kept: dict[str, Any] = {"speech": "", "bet": None, "reasoning": ""}
    replies = 0

    def read(reply: str) -> Read:
        nonlocal replies
        replies += 1
        found = read_bet(reply)
        if found.speech and len(reply) >= shortest and not kept["speech"]:
            kept["speech"] = found.speech
        kept["bet"] = kept["bet"] if found.amount is None else found.amount
        kept["reasoning"] = found.reasoning or kept["reasoning"]
        fields = {"bet": kept["bet"], "reasoning": kept["reasoning"]}
        spoke = bool(kept["speech"])
        ok = kept["bet"] is not None and (spoke or replies > reminders)
        public = escape(kept["speech"] or found.speech)
        asks = bet_reminder if spoke and kept["bet"] is None else ""
        return Read(public, fields, ok, strict=True, reminder=asks, complete=True)

    return read


def jury_reader(reply: str) -> Read:
    """The winner and the confidence, either of which may be missing."""
    winner, confidence = read_verdict(reply)
    fields = {"winner": winner, "confidence": confidence}
    ok = winner is not None and confidence is not None
    reasons = _TAGGED.sub("", reply).strip()
    return Read(escape(reasons), fields, ok, strict=True)


_TAGGED = re.compile(r"<(winnerName|confidence)>[^<>]*</\1>", re.I)


# --- Who wins -------------------------------------------------------------------------


def decide(debate: Debate) -> tuple[str | None, str]:
    """The side for which most verdicts are, those of all passes together.

    A tie is nobody's: the paper's own share of wins gives its seven even splits to the
    opposition.
    """
    votes = [turn.fields["winner"] for turn in debate.of("verdict") if turn.fields]
    most = multimode(votes)
    if len(most) == 1:
        return most[0], ""
    return None, "a tie of votes" if votes else "no verdict could be read"
