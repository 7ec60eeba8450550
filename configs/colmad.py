"""ColMAD: its protocols and baselines on the same items and the same first answers.

    uv run python configs/colmad.py --model-role debater_a=M1 \
        --model-role debater_b=M2 --model-role judge=M3

The judge should be no debater; unbound, it is debater A's model, as in the paper.
"""

from typing import Any

from inspect_debate.cli.whole_study import Cast, LogOf, Run, Study, run, whole_study

FIRST: dict[str, Any] = {"reuse": LogOf("colmad"), "reuse_until": "answers"}
SINGLE = {
    "single_a": run(protocol="single"),
    "single_b": Run({"protocol": "single"}, roles={"debater_a": "debater_b"}),
}

# Tables 1 and 2, and Society of Minds, which is in neither.
PAPER = {
    "colmad": run(protocol="colmad"),
    "copmad": run(protocol="copmad", **FIRST),
    "som": run(protocol="som", reuse=LogOf("colmad")),
    "ensemble": run(protocol="ensemble", reuse=LogOf("colmad")),
    **SINGLE,
}

# Both styles with and without skipping on agreement, which only one has in the paper;
# CopMAD also without showing first answers, as published CopMAD must have been;
# every verdict in both orders; what speeches add (no rounds), what first answers add
# (the judge alone), and what a debate's tokens buy without one (self-consistency).
RECOMMENDED = {
    "colmad": run(protocol="colmad", skip_if_agree=True, order="both"),
    "colmad_every_item": run(
        protocol="colmad", skip_if_agree=False, order="both", **FIRST
    ),
    "copmad": run(
        protocol="copmad",
        skip_if_agree=True,
        show_openings=True,
        order="both",
        **FIRST,
    ),
    "copmad_every_item": run(
        protocol="copmad",
        skip_if_agree=False,
        show_openings=True,
        order="both",
        **FIRST,
    ),
    "copmad_hidden_answers": run(
        protocol="copmad",
        skip_if_agree=False,
        show_openings=False,
        order="both",
        **FIRST,
    ),
    "no_rounds": run(
        protocol="colmad", rounds=0, skip_if_agree=False, order="both", **FIRST
    ),
    "judge_alone": run(protocol="judge_alone", order="both"),
    "som": run(protocol="som", reuse=LogOf("colmad")),
    "ensemble": run(protocol="ensemble", reuse=LogOf("colmad")),
    "self_consistency": run(
        protocol="self_consistency",
        match=LogOf("colmad_every_item"),
        match_on="tokens",
    ),
    **SINGLE,
}

# Where they were run is not stated: the providers are ours.
MODELS = {
    "4o-mini": "openai/gpt-4o-mini",
    "llama": "together/meta-llama/Meta-Llama-3.1-70B-Instruct-Turbo",
    "mistral": "together/mistralai/Mistral-7B-Instruct-v0.3",
    "r1": "together/deepseek-ai/DeepSeek-R1",
    "qwq": "together/Qwen/QwQ-32B",
}


def pair(a: str, b: str, response_author: str) -> Cast:
    """Two of the paper's models; the judge is the first one, as in the paper."""
    roles = {"debater_a": MODELS[a], "debater_b": MODELS[b]}
    return Cast(roles=roles, arguments={"response_author": response_author})


# The rows of Table 1, and those of Table 2.
PAIRS = [
    ("4o-mini", "llama"),
    ("llama", "4o-mini"),
    ("4o-mini", "mistral"),
    ("llama", "mistral"),
    ("4o-mini", "r1"),
    ("llama", "r1"),
    ("qwq", "mistral"),
    ("qwq", "r1"),
]
CASTS = {f"{a}_{b}": pair(a, b, "gpt4") for a, b in PAIRS} | {
    f"{a}_{b}_on_llama2": pair(a, b, "llama2") for a, b in PAIRS[:4]
}

STUDY = Study("colmad", RECOMMENDED, PAPER, CASTS)

if __name__ == "__main__":
    whole_study(STUDY)()
