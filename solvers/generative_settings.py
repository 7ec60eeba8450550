"""What can be set in generative debate: parameters, and the rarer settings."""

from collections.abc import Mapping
from typing import Any, Literal, get_args

from inspect_ai.model import GenerateConfig
from pydantic import Field, ValidationError

from inspect_debate.debate.config import AskerConfig
from inspect_debate.debate.errors import InputError, check_choice
from inspect_debate.debate.generative import FORMATS, Format
from inspect_debate.debate.record import Frozen, Kind
from inspect_debate.debate.settings import Sampling

GenerativeProtocol = Literal[
    "dual_debate",
    "single_debate",
    "dual_consultancy",
    "single_consultancy",
    "dual_no_transcript",
    "single_no_transcript",
    "direct_qa",
]
TurnOrder = Literal["simultaneous", "sequential"]
DisplayOrder = Literal["hash", "ab", "ba", "both"]
Answers = Literal["reuse", "fresh"]
JudgeStyle = Literal["neutral", "verifying"]
DebaterStyle = Literal["neutral", "honest"]


class GenerativeParameters(Frozen):
    """The parameters of the seven formats; each takes those that it has a use for.

    Attributes:
        speech_rounds: Rounds of speeches. With 0 nobody speaks.
        best_of: Of how many candidates each speech is chosen.
        turn_order: In a debate both speak at once (`simultaneous`), or one has heard
            the other's speech of the round (`sequential`).
        order: Which of two answers the judge is shown first: by a hash of question and
            epoch (`hash`); `ab` Alice's; `ba` Bob's; every second epoch has the other
            order. With `both` there is a second verdict, which decides nothing.
        judge_answer: Whether the judge also solves the task, having read the debate.
        answers: Whether the answers are the same in all formats (`reuse`), or asked for
            anew in each (`fresh`).
        judge_style: Whether the judge, and whoever scores candidates, is also told to
            check claims and to distrust confidence (`verifying`).
        debater_style: Whether those who speak may say what they like (`neutral`), or
            are told to say what they hold to be true, and what can be checked
            (`honest`).
    """

    speech_rounds: int = Field(default=2, ge=0, strict=True)
    best_of: int = Field(default=1, ge=1, strict=True)
    turn_order: TurnOrder = "simultaneous"
    order: DisplayOrder = "hash"
    judge_answer: bool = Field(default=False, strict=True)
    answers: Answers = "reuse"
    judge_style: JudgeStyle = "neutral"
    debater_style: DebaterStyle = "neutral"


class Grading(Frozen):
    """What code that is graded may use, each time anew.

    Attributes:
        seconds: Until it is stopped; BigCodeBench's own default.
        memory_mb: Resident memory of all its processes together.
        disk_mb: What it may write to each of the places where it may write.
        processes: Processes and threads at once.
        parallel: How many gradings run at once; as many as there are processors if
            None.
    """

    seconds: int = Field(default=240, ge=1, strict=True)
    memory_mb: int = Field(default=2048, ge=64, strict=True)
    disk_mb: int = Field(default=512, ge=1, strict=True)
    processes: int = Field(default=512, ge=8, strict=True)
    parallel: int | None = Field(default=None, ge=1, strict=True)


class GenerativeConfig(AskerConfig):
    """What is rarely changed in generative debate.

    Attributes:
        word_limit: Words that a speech is asked to stay within; the study names none.
            Longer ones are cut by no one.
        answer: Generation settings of answers, the judge's own among them.
        speech: Generation settings of speeches, and of candidates for one.
        reward: Generation settings of rewards.
        verdict: Generation settings of verdicts.
        grading: The limits on code that is graded. Where it is the solver alone that is
            used, the sandbox is the task's, and only the time counts.
    """

    word_limit: int = Field(default=250, ge=1, strict=True)
    answer: Sampling = Sampling()
    speech: Sampling = Sampling()
    reward: Sampling = Sampling()
    verdict: Sampling = Sampling()
    grading: Grading = Grading()


_WORDS: dict[str, tuple[str, ...]] = {
    "turn_order": get_args(TurnOrder),
    "order": get_args(DisplayOrder),
    "answers": get_args(Answers),
    "judge_style": get_args(JudgeStyle),
    "debater_style": get_args(DebaterStyle),
}

# Two answers of one model, and candidates for a speech, are to differ. The study names
# no settings; its debaters reason, which takes room.
_DEFAULTS: dict[Kind, GenerateConfig] = {
    "answer": GenerateConfig(temperature=1.0, max_tokens=16384),
    "speech": GenerateConfig(temperature=1.0, max_tokens=8192),
    "candidate": GenerateConfig(temperature=1.0, max_tokens=8192),
    "reward": GenerateConfig(temperature=0.0, max_tokens=8192),
    "verdict": GenerateConfig(temperature=0.0, max_tokens=8192),
}


def study_default(kind: Kind) -> GenerateConfig:
    """Generation settings for a kind of turn, where nothing else is set."""
    return _DEFAULTS[kind]


def taken_by(format: Format) -> tuple[str, ...]:
    """The parameters that a format has a use for."""
    spoken = format.interaction != "none"
    uses = {
        "speech_rounds": spoken,
        "best_of": spoken,
        "turn_order": format.interaction == "debate",
        "order": format.proposers == 2,
        "judge_answer": format.proposers > 0,
        "answers": True,
        "judge_style": format.proposers > 0,
        "debater_style": spoken,
    }
    return tuple(name for name, used in uses.items() if used)


def generative_parameters(
    protocol: str, given: Mapping[str, Any]
) -> GenerativeParameters:
    """A format's parameters, with those that a user gave in their place.

    Args:
        protocol: One of `FORMATS`.
        given: Parameters by name; None where the default stands.

    Raises:
        InputError: If the format has no such parameter, or a value is not allowed.
    """
    chosen = {name: value for name, value in given.items() if value is not None}
    takes = taken_by(FORMATS[protocol])
    for name, value in chosen.items():
        if name not in takes:
            raise InputError(
                f"{name}={value!r} has no meaning for protocol={protocol}; "
                f"of the formats' parameters it takes: {', '.join(takes)}."
            )
    for name, words in _WORDS.items():
        if name in chosen:
            check_choice(name, chosen[name], words)
    _check_spoken(chosen)
    try:
        return GenerativeParameters.model_validate(chosen)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        raise InputError(
            f"{name}={chosen[name]!r} is not allowed: {first['msg']}."
        ) from error


def _check_spoken(chosen: Mapping[str, Any]) -> None:
    if chosen.get("speech_rounds") != 0 or chosen["speech_rounds"] is False:
        return
    for name in ("best_of", "turn_order", "debater_style"):
        if name in chosen:
            raise InputError(
                f"{name}={chosen[name]!r} has no meaning with speech_rounds=0, in "
                "which nobody speaks."
            )


def held_as(protocol: str, parameters: GenerativeParameters) -> Format:
    """The format that is held: without a round of speeches, that without transcript."""
    format = FORMATS[protocol]
    if parameters.speech_rounds == 0:
        return format._replace(interaction="none")
    return format


def as_told(
    protocol: str, parameters: GenerativeParameters, config: GenerativeConfig
) -> dict[str, Any]:
    """Parameters and settings as they stand in the log.

    Limits on code are left out where they are the usual ones: most tasks have none.
    """
    takes = set(taken_by(FORMATS[protocol]))
    usual = {"grading"} if config.grading == Grading() else None
    told = config.model_dump(mode="json", exclude=usual)
    return parameters.model_dump(include=takes) | told
