"""The conditions of the confidence study: presets of parameters, each of which is free.

What differs between the released conditions stands here in full, also what the paper
does not tell: whether a debater is shown its own earlier bets again is different in two
of them (`own_bets_shown`), which confounds every comparison with these two.
"""

from collections.abc import Mapping
from typing import Any, Literal, get_args

from pydantic import Field, ValidationError

from inspect_debate.debate.config import AskerConfig
from inspect_debate.debate.errors import InputError, check_choice
from inspect_debate.debate.prompts import PromptSet
from inspect_debate.debate.record import DebateRecord, Frozen
from inspect_debate.debate.settings import Sampling

Condition = Literal[
    "cross_model",
    "self",
    "informed_self",
    "public",
    "redteam",
    "redteam_v2",
    "deceptive",
    "four_round",
]
CONDITIONS: tuple[str, ...] = get_args(Condition)

Visibility = Literal["private", "public"]
Reasoning = Literal["standard", "redteam", "perspectives"]
BetAs = Literal["probability", "stake", "both", "apart"]
TurnOrder = Literal["simultaneous", "sequential"]
ShownOrder = Literal["ab", "ba", "both"]


class BetParameters(Frozen):
    """How a debate with bets is held.

    Attributes:
        opponent: `other`, two models that are paired; `self`, a model and its copy.
        opponent_note: What debaters are told of the other side: nothing, that it is
            a copy of themselves (`self`), or a highly skilled debater (`skilled`).
        win_probability: The chance to win that debaters are told, in percent.
        bet_visibility: Whether the other side is shown a bet's amount in the next
            round. Its reasoning is never shown.
        own_bets_shown: Whether debaters are shown their own earlier bets again, with
            the reasoning.
        bet_reasoning: What is asked for before a bet: `standard` reflection; `redteam`,
            also the other side's best case; `perspectives`, that of several persons.
        bet_as: What the number is said to be: the `probability` of winning; the
            `stake`; `both`, one number for the two, as in the paper; `apart`, two
            numbers, which the paper does not ask for.
        stakes: Whether the rules of the bet are told: 100 tokens, the winner takes both
            stakes.
        bet_call: Whether a bet is asked for in the `speech`'s completion, or in a
            `separate` call after it.
        rounds: Speeches of each side: an opening, rebuttals, a closing.
        turn_order: Whether both sides speak at once, or the proposition first.
        jury_passes: How often each juror judges; 0 for no jury.
        order: Which side the jurors are shown first in every round: the proposition
            (`ab`), the opposition (`ba`), or once each (`both`).
    """

    opponent: Literal["other", "self"] = "self"
    opponent_note: Literal["none", "self", "skilled"] = "self"
    win_probability: int | None = Field(default=None, ge=0, le=100, strict=True)
    bet_visibility: Visibility = "private"
    own_bets_shown: bool = Field(default=True, strict=True)
    bet_reasoning: Reasoning = "standard"
    bet_as: BetAs = "both"
    stakes: bool = Field(default=True, strict=True)
    bet_call: Literal["speech", "separate"] = "speech"
    rounds: int = Field(default=3, ge=1, strict=True)
    turn_order: TurnOrder = "simultaneous"
    jury_passes: int = Field(default=0, ge=0, strict=True)
    order: ShownOrder = "ab"


PRESETS: dict[str, BetParameters] = {
    "cross_model": BetParameters(opponent="other", opponent_note="none", jury_passes=2),
    "self": BetParameters(),
    "informed_self": BetParameters(win_probability=50, own_bets_shown=False),
    "public": BetParameters(bet_visibility="public"),
    "redteam": BetParameters(bet_reasoning="redteam", own_bets_shown=False),
    # Printed without a word on the rest: taken to be the red team's.
    "redteam_v2": BetParameters(bet_reasoning="perspectives", own_bets_shown=False),
    "deceptive": BetParameters(opponent_note="skilled"),
    "four_round": BetParameters(
        own_bets_shown=False, bet_as="stake", rounds=4, turn_order="sequential"
    ),
}

_SHORTEST = {"four_round": 50}


class BetConfig(AskerConfig):
    """What is rarely changed in a debate with bets.

    Attributes:
        shortest: Characters below which a completion is asked for again: 200, and 50
            in `four_round`, as in the study.
        structure_in: Where the speech's structure is told: in the `system` prompt, as
            in the study, which so differs from round to round; or at the end, in the
            `instruction`. Then the rules of judging and of the bet are in the system
            prompt, and providers can cache it with the debate so far.
        juror_sees_motion: Whether jurors are shown the motion; in the study they are
            shown the speeches alone.
        speech: Generation settings of speeches. The study sends none.
        bet: Generation settings of bets that are asked for apart.
        verdict: Generation settings of verdicts. The study sends none.
    """

    shortest: int | None = Field(default=None, ge=0, strict=True)
    structure_in: Literal["system", "instruction"] = "system"
    juror_sees_motion: bool = Field(default=False, strict=True)
    speech: Sampling = Sampling()
    bet: Sampling = Sampling()
    verdict: Sampling = Sampling()

    def shortest_in(self, condition: str) -> int:
        """The fewest characters of a completion that are accepted."""
        if self.shortest is not None:
            return self.shortest
        return _SHORTEST.get(condition, 200)


_OF_THE_JURY = ("jury_passes", "order")


def bet_parameters(
    condition: str, given: Mapping[str, Any], *, reused: bool = False
) -> BetParameters:
    """A condition's parameters, with those that a user gave in their place.

    Args:
        condition: One of the presets.
        given: Parameters by name; None where the preset's stands. Where bets are asked
            for as a probability alone the rules of a stake are not told by default.
        reused: Whether debates of an earlier run are used again, as they were held.

    Raises:
        InputError: If the condition or a value is not allowed, or two contradict.
    """
    check_choice("protocol", condition, CONDITIONS)
    chosen = {name: value for name, value in given.items() if value is not None}
    held = [name for name in chosen if name not in _OF_THE_JURY]
    if reused and held:
        raise InputError(
            f"{held[0]}={chosen[held[0]]!r} has no meaning with reuse=..., which takes "
            f"debates as they were held; free are: {', '.join(_OF_THE_JURY)}."
        )
    if chosen.get("bet_as") == "probability":
        chosen.setdefault("stakes", False)
    preset = PRESETS[condition].model_dump()
    try:
        parameters = BetParameters.model_validate(preset | chosen)
    except ValidationError as error:
        first = error.errors()[0]
        raise InputError(
            f"{first['loc'][0]}={first['input']!r} is not allowed: {first['msg']}."
        ) from error
    _check(parameters)
    return parameters


def judged_anew(parameters: BetParameters, earlier: DebateRecord) -> BetParameters:
    """The parameters of an earlier debate, with those of another jury."""
    fields = BetParameters.model_fields
    held = {n: v for n, v in earlier.parameters.items() if n in fields}
    return BetParameters.model_validate(held | of_the_jury(parameters))


def judged_with(
    parameters: BetParameters, config: BetConfig, prompts: PromptSet
) -> dict[str, Any]:
    """What is a jury's own that judges debates which an earlier run held.

    To be laid over the parameters of that run.
    """
    settings = config.model_dump(mode="json", include={"verdict", "juror_sees_motion"})
    used = {"jury_prompts": prompts.used().hash}
    return of_the_jury(parameters) | settings | used


def of_the_jury(parameters: BetParameters) -> dict[str, Any]:
    """Those of the parameters that are a jury's, and no debate's."""
    return {name: getattr(parameters, name) for name in _OF_THE_JURY}


def _check(parameters: BetParameters) -> None:
    if parameters.bet_as in ("stake", "apart") and not parameters.stakes:
        raise InputError(
            f"bet_as={parameters.bet_as} asks for a stake, which stakes=false leaves "
            "unexplained; give stakes=true, or bet_as=probability."
        )
