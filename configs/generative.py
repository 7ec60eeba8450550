"""Generative debate: all formats on the same answers.

    uv run python configs/generative.py --model-role debater_a=M1 --model-role judge=M2

The judge is a weaker model than debater A. On code, in a folder of its own:
-T dataset=bcb_plus -T interpreter=DIR -T eligible=FILE (docs/code.md).
"""

from typing import Any

from inspect_debate.cli.whole_study import Cast, LogOf, Run, Study, run, whole_study

SAME: dict[str, Any] = {"reuse": LogOf("dual_no_transcript")}
SPOKEN = ("dual_debate", "single_debate", "dual_consultancy", "single_consultancy")


def formats(**dual: Any) -> dict[str, Run]:
    """All formats, best of 1. The first makes and grades the answers of all.

    Args:
        dual: Arguments of those with two answers.
    """
    return {
        "dual_no_transcript": run(protocol="dual_no_transcript", **dual),
        "single_no_transcript": run(protocol="single_no_transcript", **SAME),
        **{
            name: run(protocol=name, **SAME, **(dual if "dual" in name else {}))
            for name in SPOKEN
        },
        "direct_qa": run(protocol="direct_qa"),
    }


# The post's Setup.
PAPER = formats() | {
    f"{name}_best_of_4": run(protocol=name, best_of=4, **SAME) for name in SPOKEN
}

# A second verdict in the other order. Best of 4 is five times the cost of all the rest;
# --paper has it.
RECOMMENDED = formats(order="both")

# The post's Setup.
CASTS = {
    "gpt5": Cast(
        roles={"debater_a": "openai/gpt-5-mini", "judge": "openai/gpt-5-nano"}
    ),
    "qwen3": Cast(
        roles={"debater_a": "vllm/Qwen/Qwen3-8B", "judge": "vllm/Qwen/Qwen3-4B"}
    ),
}

STUDY = Study("generative", RECOMMENDED, PAPER, CASTS)

if __name__ == "__main__":
    whole_study(STUDY)()
