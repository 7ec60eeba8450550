"""Debates with bets: the study's conditions, and runs that separate its effects.

    uv run python configs/confidence.py --model none \
        --model-role debater_a=M1,M2,M3,M4 --model-role judge=J1,J2,J3

A list as debater_a is a pool, which is paired; in self-debates each of its models
debates its copy. No juror should be a debater.
"""

from inspect_debate.cli.whole_study import Cast, Study, run, whole_study

# Sections 3 to 5. For `redteam_v2` and `deceptive` the study has no code and no data.
PAPER = {
    name: run(protocol=name)
    for name in (
        *("cross_model", "self", "informed_self", "public"),
        *("redteam", "redteam_v2", "deceptive", "four_round"),
    )
}

# Chance and stake are two numbers everywhere. Each jury reads both orders, and pairs
# change sides. The instruction, and whether debaters see their own bets again, are
# varied separately; the study changes them together.
RECOMMENDED = {
    "cross_model": run(
        protocol="cross_model",
        bet_as="apart",
        order="both",
        jury_passes=1,
        repetitions=2,
    ),
    **{
        f"{name}_{'with' if shown else 'without'}_own_bets": run(
            protocol=name, bet_as="apart", own_bets_shown=shown
        )
        for name in ("self", "informed_self", "redteam")
        for shown in (True, False)
    },
    "public": run(protocol="public", bet_as="apart"),
}

# The released transcripts, which name models as OpenRouter does.
CASTS = {
    "paper": Cast(
        roles={
            "debater_a": ",".join(
                f"openrouter/{name}"
                for name in (
                    "deepseek/deepseek-r1-distill-qwen-14b",
                    "qwen/qwq-32b",
                    "openai/o3-mini",
                    "openai/gpt-4o-mini",
                    "deepseek/deepseek-chat",
                    "qwen/qwen-max",
                    "anthropic/claude-3.5-haiku",
                    "google/gemma-3-27b-it",
                    "anthropic/claude-3.7-sonnet",
                    "google/gemini-2.0-flash-001",
                )
            ),
            "judge": ",".join(
                f"openrouter/{name}"
                for name in (
                    "qwen/qwq-32b",
                    "google/gemini-pro-1.5",
                    "deepseek/deepseek-chat",
                )
            ),
        }
    )
}

STUDY = Study("confidence", RECOMMENDED, PAPER, CASTS)

if __name__ == "__main__":
    whole_study(STUDY)()
