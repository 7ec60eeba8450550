"""All conditions of a study, as its paper has them.

    python configs/study.py STUDY LOG_DIR --model MODEL --model-role judge=JUDGE

Started again with the same LOG_DIR, it goes on where it stopped.
"""

import re
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click
import yaml
from inspect_ai import eval_set

SPOKEN = ["dual_debate", "single_debate", "dual_consultancy", "single_consultancy"]
SILENT = ["dual_no_transcript", "single_no_transcript", "direct_qa"]
STUDIES: dict[str, list[dict[str, Any]]] = {
    "colmad": [  # the first pair of the paper is gpt-4o-mini and Llama3.1-70B
        {"protocol": "colmad"},  # calls per item: 2, or 7 with a debate
        {"protocol": "colmad", "skip_if_agree": False},  # 7
        {"protocol": "copmad"},  # 7
        {"protocol": "copmad", "skip_if_agree": True},  # 2 or 7
        {"protocol": "colmad", "rounds": 0, "skip_if_agree": False},  # 3: openings
        {"protocol": "som"},  # 4
        {"protocol": "self_consistency"},  # 7
        *({"protocol": name} for name in ("ensemble", "single", "judge_alone")),  # 2, 1
    ],
    "srdcr": [
        # The run of SR-DCR also has the results of few-shot, golden and the token
        # probabilities. Calls per item: 2, or 20 with a debate, and 32 recalls.
        {"protocol": "srdcr", "recall_samples": 32},
        *(
            {"protocol": name} for name in ("judge_debate", "naive_debate")
        ),  # 15 or less
        *({"protocol": name} for name in ("rci", "self_ask")),  # 3, 1
    ],
    # A debate takes 6 calls (with four rounds 8), and between models 2 for each judge.
    # Of a pool in debater_a all meet; the jury is qwq-32b, gemini-pro-1.5 and
    # deepseek-chat.
    "confidence": [
        {"protocol": "cross_model", "order": "ab"},  # as in the released verdicts
        {"protocol": "informed_self", "own_bets_shown": True},
        *({"protocol": name} for name in ("self", "informed_self", "public")),
        *({"protocol": name} for name in ("redteam", "four_round")),
    ],
    # Calls per item with best of 1 / of 4 (others: 3, 2, 1): debate and consultancy of
    # two 7 / 35, single_debate 6 / 34, single_consultancy 4 / 18; answers only once.
    "generative": [
        *({"protocol": name} for name in SPOKEN + SILENT),
        *({"protocol": name, "best_of": 4} for name in SPOKEN),
    ],
    # Twice, so that each debater argues once for each answer; calls: 7, 4, 1, 1, 1.
    "debate": [
        *({"protocol": name} for name in ("debate", "consultancy", "judge_alone")),
        {"protocol": "judge_alone", "judge_sees_passage": True},
        {"protocol": "single"},  # the debater, who has read the passage
    ],
}


def pairs(_: click.Context, __: click.Parameter, given: Sequence[str]) -> Any:
    """Read NAME=VALUE."""
    if bad := [one for one in given if "=" not in one]:
        raise click.BadParameter(f"{bad[0]!r} is not NAME=VALUE.")
    return dict(one.split("=", 1) for one in given)


@click.command()
@click.argument("study", type=click.Choice([*STUDIES]))
@click.argument("log_dir")
@click.option("--model", required=True, help="Plays every role that is not given.")
@click.option("--model-role", multiple=True, callback=pairs, help="ROLE=MODEL,MODEL")
@click.option("-T", "args", multiple=True, callback=pairs, help="As source=sample.")
@click.option("--limit", type=click.IntRange(1), help="Run the first items only.")
def main(
    study: str,
    log_dir: str,
    args: dict[str, str],
    model_role: dict[str, str],
    **how: Any,
) -> None:
    """Run all conditions of a study."""
    given = {name: yaml.safe_load(value) for name, value in args.items()}
    conditions = [own | given for own in STUDIES[study]]
    lists = {role: models.split(",") for role, models in model_role.items()}
    how["model_roles"] = {r: m if len(m) > 1 else m[0] for r, m in lists.items()}
    if study == "debate":
        how["epochs"] = 2
    if study == "confidence":  # pairs the models of its pool, known once it is run
        sets: list[tuple[Any, str, dict[str, Any]]] = [
            (f"inspect_debate/{study}", f"{log_dir}/{number}", {"task_args": own})
            for number, own in enumerate(conditions)
        ]
    else:  # together, so that the formats of generative debate share their answers
        task = getattr(import_module(f"inspect_debate.evals.{study}"), study)
        made = [task(**own) for own in conditions]
        sets = [(made, log_dir, {"max_tasks": len(made)})]
    try:
        complete = [eval_set(task, at, **how, **more)[0] for task, at, more in sets]
    except click.ClickException:
        raise
    except Exception as error:  # Inspect and providers have types of their own
        said = str(getattr(error, "message", error)).removeprefix("ERROR: ")
        text = " ".join(re.sub(r"\[/?[a-z ]+\]", "", said).split())
        raise click.ClickException(text or type(error).__name__) from error
    sys.exit(not all(complete))


if __name__ == "__main__":
    main()
