"""What can be set in SR-DCR and its baselines: parameters, and the rarer settings."""

from collections.abc import Mapping
from typing import Any, Literal, get_args

from inspect_ai.model import GenerateConfig
from pydantic import Field, StrictBool, ValidationError

from inspect_debate.debate.config import AskerConfig
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import Frozen, Kind
from inspect_debate.debate.self_confidence import ConfidenceFrom
from inspect_debate.debate.settings import Sampling

ClashProtocol = Literal[
    "srdcr",
    "acvd_only",
    "confidence_only",
    "few_shot",
    "self_ask",
    "rci",
    "judge_debate",
    "naive_debate",
    "golden",
    "token_prob",
    "calibrated_token_prob",
]
CLASH_PROTOCOLS: tuple[str, ...] = get_args(ClashProtocol)

TurnOrder = Literal["sequential", "simultaneous"]
ShownOrder = Literal["ab", "ba", "both"]
CriticSees = bool | Literal["openings"]
FollowupsSee = Literal["all", "transcript"]


class Answered(Frozen):
    """What is asked before any debate: two answers, and how sure the model is.

    Attributes:
        tau: The confidence from which the prior answer is trusted.
        confidence_from: Where the confidence is taken from.
        consistency_samples: Further answers for self-consistency.
        recall_samples: Further answers from memory for knowledge recall; 0 for none,
            32 in the paper.
    """

    tau: float = Field(default=0.9, ge=0, le=1, strict=True)
    confidence_from: ConfidenceFrom = "auto"
    consistency_samples: int = Field(default=16, ge=1, strict=True)
    recall_samples: int = Field(default=0, ge=0, strict=True)


class Arbitrated(Answered):
    """SR-DCR, with its gate (`srdcr`) or without (`acvd_only`).

    Attributes:
        rounds: Rounds of the debate; 6 are rounds 0 to 5. With 0 the judge decides on
            the two answers alone.
        turn_order: Who speaks after round 0: the Critic first (`sequential`), or both
            at once.
        skip_if_agree: Whether answers that say the same are not debated.
        show_openings: Whether each debater is shown the other's answer from the start.
        judge_sees_context: Whether the judge reads the passage.
        critic_sees_context: Whether the Critic reads the passage, an ablation;
            `openings`: for its opening speech, as in the authors' released code.
        followups_see: What a debater reads after round 0: `all`, or `transcript`, the
            speeches alone, without question, answers and passage, as in that code.
    """

    rounds: int = Field(default=6, ge=0, strict=True)
    turn_order: TurnOrder = "sequential"
    skip_if_agree: bool = Field(default=False, strict=True)
    show_openings: bool = Field(default=False, strict=True)
    judge_sees_context: bool = Field(default=False, strict=True)
    critic_sees_context: StrictBool | Literal["openings"] = False
    followups_see: FollowupsSee = "all"

    def transcript_alone(self, round: int) -> bool:
        """Whether debaters are shown nothing but the speeches in a round."""
        return round > 0 and self.followups_see == "transcript"

    def shows_passage(self, participant: str, round: int) -> bool:
        """Whether a debater is shown the passage in a round."""
        if self.transcript_alone(round):
            return False
        sees = participant != "debater_b" or self.critic_sees_context
        return sees is True or (sees == "openings" and round == 0)


class Picked(Answered):
    """A debate in which all read the passage, judged after some of its rounds.

    Attributes:
        rounds: Rounds of the debate, counted from 1.
        judge_after: Rounds after which a verdict is given; those that are held, and
            the last one in any case.
        turn_order: Who speaks: the contextual answer's debater first (`sequential`, the
            prior answer's in every second epoch), or both at once.
        order: Which answer the judge is listed first: `ab` the contextual one; every
            second epoch has the other order.
        skip_if_agree: Whether answers that say the same are not debated.
    """

    rounds: int = Field(default=5, ge=0, strict=True)
    judge_after: tuple[int, ...] = (1, 3, 5)
    turn_order: TurnOrder = "sequential"
    order: ShownOrder = "ab"
    skip_if_agree: bool = Field(default=False, strict=True)

    @property
    def judged(self) -> list[int]:
        """The rounds after which verdicts are given: 0 where none is held."""
        before = {round for round in self.judge_after if 0 < round < self.rounds}
        return [*sorted(before), self.rounds]


class Agents(Frozen):
    """A debate among agents of one model.

    Attributes:
        agents: How many.
        rounds: Rounds at most, the first answers among them; it ends when all agree.
    """

    agents: int = Field(default=3, ge=1, strict=True)
    rounds: int = Field(default=5, ge=1, strict=True)


class Alone(Frozen):
    """A protocol without parameters."""


PARAMETERS: dict[str, type[Frozen]] = {
    "srdcr": Arbitrated,
    "acvd_only": Arbitrated,
    "judge_debate": Picked,
    "naive_debate": Agents,
    "self_ask": Alone,
    "rci": Alone,
    **dict.fromkeys(("confidence_only", "few_shot", "golden", "token_prob"), Answered),
    "calibrated_token_prob": Answered,
}


class ClashConfig(AskerConfig):
    """What is rarely changed in SR-DCR and its baselines.

    Attributes:
        word_limit: Words that a speech is asked to stay within; the paper names none.
            Longer ones are cut by no one.
        answer: Generation settings of answers and their updates.
        sample: Generation settings of further answers, for self-consistency.
        recall: Generation settings of answers for knowledge recall.
        critique: Generation settings of critiques.
        speech: Generation settings of speeches.
        verdict: Generation settings of verdicts.
    """

    word_limit: int = Field(default=150, ge=1, strict=True)
    answer: Sampling = Sampling()
    sample: Sampling = Sampling()
    recall: Sampling = Sampling()
    critique: Sampling = Sampling()
    speech: Sampling = Sampling()
    verdict: Sampling = Sampling()


# Token limits of the appendix; the paper names none for its own method.
_LIMITS = {"self_ask": 400, "rci": 300, "judge_debate": 300, "naive_debate": 250}
_SHORT: tuple[Kind, ...] = ("answer", "sample", "recall")


def study_default(protocol: str, kind: Kind, *, tokens: bool) -> GenerateConfig:
    """The study's generation settings for a kind of turn.

    Temperature 0 throughout (appendix A.2), but 0.5 for further answers (section 3.1).
    What serves several protocols, the two answers, has one limit in all of them.

    Args:
        protocol: The protocol.
        kind: The kind of turn.
        tokens: Whether the answers' log-probabilities are asked for.
    """
    shared = kind in _SHORT and issubclass(PARAMETERS[protocol], Answered)
    return GenerateConfig(
        temperature=0.5 if kind in ("sample", "recall") else 0.0,
        max_tokens=1024 if shared else _LIMITS.get(protocol, 1024),
        logprobs=True if tokens and kind == "answer" else None,
    )


def clash_parameters(protocol: str, given: Mapping[str, Any]) -> Frozen:
    """A protocol's parameters, with those that a user gave in their place.

    Args:
        protocol: One of `CLASH_PROTOCOLS`.
        given: Parameters by name; None where the default stands.

    Raises:
        InputError: If the protocol has no such parameter, or a value is not allowed.
    """
    kind = PARAMETERS[protocol]
    chosen = {name: value for name, value in given.items() if value is not None}
    for name, value in chosen.items():
        if name not in kind.model_fields:
            takes = ", ".join(kind.model_fields) or "none of them"
            raise InputError(
                f"{name}={value!r} has no meaning for protocol={protocol}; "
                f"of the protocols' parameters it takes: {takes}."
            )
    if isinstance(chosen.get("tau"), int) and not isinstance(chosen["tau"], bool):
        chosen["tau"] = float(chosen["tau"])
    if isinstance(after := chosen.get("judge_after"), int | str):
        chosen["judge_after"] = str(after).split(",")
    try:
        parameters = kind.model_validate(chosen)
    except ValidationError as error:
        name = str(error.errors()[0]["loc"][0])
        why = dict.fromkeys(e["msg"] for e in error.errors() if e["loc"][0] == name)
        raise InputError(
            f"{name}={chosen[name]!r} is not allowed: {', or '.join(why)}."
        ) from error
    if isinstance(parameters, Picked) and "judge_after" in chosen:
        _check_judged(parameters)
    return parameters


def _check_judged(parameters: Picked) -> None:
    after, rounds = parameters.judge_after, parameters.rounds
    if not after or not all(1 <= round <= rounds for round in after):
        raise InputError(
            f"judge_after={','.join(map(str, after))} is not allowed with "
            f"rounds={rounds}; give some of the rounds 1 to {rounds}."
        )


def as_told(parameters: Frozen, config: ClashConfig) -> dict[str, Any]:
    """Parameters and settings as they stand in the log, with what they amount to."""
    told = parameters.model_dump(mode="json") | config.model_dump(mode="json")
    if isinstance(parameters, Picked):
        told["judge_after"] = parameters.judged
    return told
