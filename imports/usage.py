"""What released debates cost, as far as it was told: by model, not by call."""

from collections.abc import Iterable

from inspect_ai.model import ModelUsage

from inspect_debate.imports.debates import Debate
from inspect_debate.imports.formats import Tokens

Usage = dict[str, ModelUsage]


def model_usage(debate: Debate) -> Usage:
    """Tokens by model, those of debaters and of jurors together; failed calls too."""
    return summed(
        {model: _usage(tokens)}
        for models in debate.tokens.values()
        for model, tokens in models.items()
    )


def role_usage(debate: Debate) -> Usage:
    """Tokens by role.

    In a debate with oneself nobody told which side spent what: debaters have none.
    """
    judging = debate.tokens.get("jury", {})
    spent = debate.tokens.get("debaters", {})
    jury = summed({"judge": _usage(tokens)} for tokens in judging.values())
    proposition, opposition = debate.models.values()
    if proposition == opposition or not {proposition, opposition} <= spent.keys():
        return jury
    return {
        "debater_a": _usage(spent[proposition]),
        "debater_b": _usage(spent[opposition]),
        **jury,
    }


def summed(usages: Iterable[Usage]) -> Usage:
    """Tokens of several debates, by model or role."""
    total: Usage = {}
    for usage in usages:
        for name, tokens in usage.items():
            total[name] = total.get(name, ModelUsage()) + tokens
    return total


def failed_calls(debate: Debate) -> int:
    """Calls that failed and were made again, as far as they were counted."""
    return sum(
        tokens.failed_calls
        for models in debate.tokens.values()
        for tokens in models.values()
    )


def _usage(tokens: Tokens) -> ModelUsage:
    return ModelUsage(
        input_tokens=tokens.successful_prompt_tokens + tokens.failed_prompt_tokens,
        output_tokens=(
            tokens.successful_completion_tokens + tokens.failed_completion_tokens
        ),
        total_tokens=tokens.successful_total_tokens + tokens.failed_total_tokens,
    )
