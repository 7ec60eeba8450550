"""SR-DCR: the debate, its ablations and its baselines, on the same two answers.

    uv run python configs/srdcr.py --model-role debater_a=M1 --model-role judge=M2

One run of `srdcr` is also those of `acvd_only`, `confidence_only`, `few_shot`, `golden`
and both token probabilities. In the study one model has all roles.
"""

from typing import Any

from inspect_debate.cli.whole_study import Cast, LogOf, Study, run, whole_study

SAME: dict[str, Any] = {"reuse": LogOf("srdcr"), "reuse_until": "answers"}

# Table 1.
PAPER = {
    "srdcr": run(protocol="srdcr", recall_samples=32),
    "judge_debate": run(protocol="judge_debate", **SAME),
    "naive_debate": run(protocol="naive_debate"),
    "rci": run(protocol="rci"),
    "self_ask": run(protocol="self_ask"),
}

# Both estimates of the confidence, so that they can be compared; who reads the passage,
# which the paper leaves open for the judge; both orders where a judge picks an answer.
RECOMMENDED = {
    "srdcr": run(protocol="srdcr", confidence_from="both", recall_samples=32),
    "judge_reads": run(
        protocol="srdcr",
        confidence_from="both",
        judge_sees_context=True,
        reuse=LogOf("srdcr"),
        reuse_until="debate",
    ),
    "critic_reads": run(
        protocol="srdcr", confidence_from="both", critic_sees_context=True, **SAME
    ),
    "judge_debate": run(protocol="judge_debate", order="both", **SAME),
    "naive_debate": run(protocol="naive_debate"),
    "rci": run(protocol="rci"),
    "self_ask": run(protocol="self_ask"),
}

# Table 1. Where the Llama models were run is not stated: the providers are ours.
CASTS = {
    "gpt-3.5": Cast("openai/gpt-3.5-turbo-0125"),
    "gpt-4o": Cast("openai/gpt-4o-2024-08-06"),
    "haiku": Cast("anthropic/claude-3-5-haiku-20241022"),
    "sonnet": Cast("anthropic/claude-3-7-sonnet-20250219"),
    "llama-8b": Cast("together/meta-llama/Meta-Llama-3.1-8B-Instruct-Turbo"),
    "llama-405b": Cast("together/meta-llama/Meta-Llama-3.1-405B-Instruct-Turbo"),
    "llama-70b": Cast("together/meta-llama/Llama-3.3-70B-Instruct-Turbo"),
}

STUDY = Study("srdcr", RECOMMENDED, PAPER, CASTS)

if __name__ == "__main__":
    whole_study(STUDY)()
