"""Is the answer of any sample right? Two models argue about it, and a judge decides."""

from collections.abc import Callable, Mapping
from statistics import fmean
from string import ascii_uppercase
from typing import Any, Literal

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    ContentText,
)
from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    Score,
    Scorer,
    Target,
    Value,
    accuracy,
    stderr,
)
from inspect_ai.solver import Solver, TaskState

from inspect_debate.debate.agents import run_on, sample_of
from inspect_debate.debate.conversation import outcome_card
from inspect_debate.debate.errors import check_choice, check_flag
from inspect_debate.debate.outcome import outcome
from inspect_debate.debate.probabilities import judged_probabilities
from inspect_debate.debate.question import listed_options, media_asked, text_asked
from inspect_debate.debate.record import DebateRecord, read_record
from inspect_debate.debate.settings import without_run_settings
from inspect_debate.scorers.common import reasons_told, registered
from inspect_debate.solvers.baselines import judge_alone
from inspect_debate.solvers.colmad import colmad, copmad
from inspect_debate.solvers.cross_examination import cross_examination

PROTOCOLS: Mapping[str, Callable[..., Solver]] = {
    "copmad": copmad,
    "colmad": colmad,
    "cross_examination": cross_examination,
    "judge_alone": judge_alone,
}
"""Those with prompts for error detection, where a judge decides."""
CHANNELS = ("none", "stated", "token", "sampled")

_RIGHT: dict[str | None, str] = {"no_error": CORRECT, "error": INCORRECT}


@registered([accuracy(), stderr()])
def debate_judge(
    protocol: Literal[
        "copmad", "colmad", "cross_examination", "judge_alone"
    ] = "copmad",
    show_target: bool = False,
    probability: Literal["none", "stated", "token", "sampled"] = "none",
    **parameters: Any,
) -> Scorer:
    """Whether an answer is right, by a debate on whether it contains an error.

    One debater argues that it does and the other that it does not (drawn by the
    sample's id, and the other way round in every second epoch), and a judge decides.
    Debaters and judge read the sample's input, its options and its output. Settings of
    the run and of the task (`--temperature`, `--max-tokens`) are those of the answers
    and not of the debate, which has those of its roles and its `config`.

    Args:
        protocol: The kind of debate, or `judge_alone` for a judge without one.
        show_target: Whether debaters and judge read the sample's target, too.
        probability: Makes the score the probability that the answer is right, in place
            of `C` or `I`: as judges state it, by the token of their decision, or the
            share of `config.verdict.samples` further draws. The mean of several judges
            and orders.
        parameters: Those of the protocol (`rounds`, `order`, ...), `seed`, `prompts`
            and `config`. `sides` is `assigned` by default: nobody answers first.

    Returns:
        A scorer; roles `debater_a`, `debater_b` and `judge`. The score is `C`, `I` or a
        probability; a sample without a verdict is unscored. The metadata have the
        outcome's `status`, the `models` by participant and the record as `debate`, for
        `DebateRecord.model_validate`.

    Raises:
        InputError: If a parameter is not allowed.
    """
    check_choice("protocol", protocol, tuple(PROTOCOLS))
    check_flag("show_target", show_target)
    check_choice("probability", probability, CHANNELS)
    usual: dict[str, Any] = {"config.max_unparsed": None}
    if protocol != "judge_alone":
        usual["sides"] = "assigned"
    if probability in ("stated", "token"):
        usual["config.verdict.probability"] = probability
    if probability == "sampled":
        usual["config.verdict.samples"] = 5
    with without_run_settings():
        debate = PROTOCOLS[protocol](**usual | parameters)

    async def score(state: TaskState, target: Target) -> Score:
        asked = _asked(state, target if show_target else None)
        conversation: list[ChatMessage] = [
            ChatMessageUser(content=[ContentText(text=asked), *media_asked(state)]),
            ChatMessageAssistant(content=state.output.completion or "(no answer)"),
        ]
        sample = sample_of(conversation, state.sample_id, state.epoch)
        with without_run_settings():
            sample = await run_on(debate, sample)
        record = read_record(sample.store)
        assert record is not None  # or else an error was raised
        return _score(record, probability)

    return score


def _asked(state: TaskState, target: Target | None) -> str:
    """The task whose requirements an answer may break: one is that it is right."""
    options = zip(ascii_uppercase, state.choices, strict=False)
    listed = listed_options({letter: str(choice.value) for letter, choice in options})
    required = "Requirement: the answer to this is right."
    if target is not None:
        required += f" It is right if it agrees with this one:\n{target.text}"
    return "\n\n".join(filter(None, (text_asked(state, media=True), listed, required)))


def _score(record: DebateRecord, channel: str) -> Score:
    decided = outcome(record)
    value: Value | None = _RIGHT.get(decided.answer)
    if channel != "none":
        given = [
            row.p
            for row in judged_probabilities(record)
            if (row.kind, row.channel, row.claim) == ("verdict", channel, "no_error")
        ]
        known = [p for p in given if p is not None]
        # One judge's probability is not that of all.
        value = fmean(known) if known and len(known) == len(given) else None
    facts: dict[str, Any] = {
        "answer": decided.answer or f"({decided.status})",
        "explanation": "\n\n".join([outcome_card(record), *reasons_told(record)]),
        "metadata": {
            "status": decided.status,
            "models": {p.id: p.model for p in record.participants},
            "debate": record.model_dump(mode="json", exclude_none=True),
        },
    }
    if value is None:
        return Score.unscored(reason="scoring_failed", **facts)
    return Score(value=value, **facts)
