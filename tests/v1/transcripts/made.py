"""A made-up release: transcripts of both formats, and grades of their bets."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

SPEECHES = {
    3: ("opening", "rebuttal", "closing"),
    4: ("opening", "rebuttal_1", "rebuttal_2", "closing"),
}
SIDES = ("proposition", "opposition")
MOTION = "This House would paint every lighthouse green, whatever the ships may say"
OTHER_MOTION = "This House would let the tide decide when the harbour is open to ships"
ALPHA, BETA, GAMMA = "acme/alpha", "acme/beta:free", "other/gamma-1.5"
PROMPTS = {
    "first_speech_prompt": "MADE OPENING {structure}",
    "rebuttal_speech_prompt": "MADE REBUTTAL",
    "final_speech_prompt": "MADE CLOSING",
    "judge_prompt": "MADE CRITERIA",
}


def speech(side: str, name: str, *, mark: str = "") -> str:
    """A speech of more than 200 characters that no other speech repeats."""
    text = f"The {side}'s {name} holds that green paint is seen from afar. {mark}"
    return f"{text} {'It lasts in any weather, as keepers know. ' * 5}".strip()


def bet(side: str, speech_type: str, amount: int, thoughts: str = "") -> dict[str, Any]:
    """A bet, with a reasoning of its own where none is given."""
    own = f"As {side} in the {speech_type} I think that my case is a little better."
    return {
        "side": side,
        "speech_type": speech_type,
        "amount": amount,
        "thoughts": thoughts or own,
    }


def verdict(model: str, winner: str, confidence: int) -> dict[str, Any]:
    """A juror's verdict."""
    logic = f"{model} prefers the {winner} by {confidence}."
    return {
        "model": model,
        "winner": winner,
        "confidence": confidence,
        "logic": logic,
    }


def tokens(calls: int, prompt: int, completion: int, failed: int = 0) -> dict[str, int]:
    """The counts of one model."""
    return {
        "successful_calls": calls,
        "failed_calls": failed,
        "successful_completion_tokens": completion,
        "successful_prompt_tokens": prompt,
        "successful_total_tokens": prompt + completion,
        "failed_completion_tokens": 0,
        "failed_prompt_tokens": 0,
        "failed_total_tokens": 0,
    }


def four_rounds(
    debate_type: str = "private_self_bet",
    models: tuple[str, str] = (ALPHA, ALPHA),
    motion: str = MOTION,
    amounts: Sequence[int] = (50, 40, 55, 45, 60, 50, 65, 55),
) -> dict[str, Any]:
    """A transcript of four rounds, or of three where there are six bets."""
    names = SPEECHES[len(amounts) // 2]
    slots = [(side, name) for name in names for side in SIDES]
    return {
        "motion": {"topic_description": motion},
        "debate_type": debate_type,
        "proposition_model": models[0],
        "opposition_model": models[1],
        **{
            f"{side}_output": {
                "side": side,
                "speeches": {name: speech(side, name) for name in names},
            }
            for side in SIDES
        },
        "debator_bets": [
            bet(side, name, amount)
            for (side, name), amount in zip(slots, amounts, strict=True)
        ],
        "path_to_store": "elsewhere/another_name_20010101_000000.json",
    }


def three_rounds(
    debate_type: str = "private_same_debator",
    models: tuple[str, str] = (ALPHA, ALPHA),
    motion: str = MOTION,
    amounts: Sequence[int] = (60, 55, 70, 65, 80, 75),
    jury: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """A transcript of three rounds."""
    jurors = dict.fromkeys(verdict["model"] for verdict in jury)
    return four_rounds(debate_type, models, motion, amounts) | {
        "prompts": dict(PROMPTS),
        "judge_models": [],
        "judge_results": [dict(verdict) for verdict in jury],
        "debator_token_counts": {
            model: tokens(6 // len({*models}), 1000, 500, failed=1)
            for model in dict.fromkeys(models)
        },
        "judge_token_counts": {model: tokens(2, 300, 40) for model in jurors},
    }


JURY = (
    *(verdict(GAMMA, side, 80) for side in ("opposition", "proposition")),
    *(verdict(BETA.removesuffix(":free"), "opposition", c) for c in (70, 60)),
)
"""Two jurors in two passes, of whom one is also a debater's model."""


def cross_model(**changes: Any) -> dict[str, Any]:
    """A transcript of two models, with a jury."""
    values = {"models": (ALPHA, BETA), "jury": JURY} | changes
    return three_rounds("private_bet", **values)


def graded(
    debate_id: str, transcript: Mapping[str, Any], index: int, **labels: Any
) -> dict[str, Any]:
    """A published grade of one of a transcript's bets."""
    made = transcript["debator_bets"][index]
    return {
        "debate_id": debate_id,
        "motion": transcript["motion"]["topic_description"],
        "side": made["side"],
        "speech_type": made["speech_type"],
        "raw_bet_amount": made["amount"],
        "raw_thoughts": made["thoughts"],
        "analysis": {
            "betting_alignment": {
                "numeric_confidence_present": False,
                "internal_confidence": "60-70",
                "bet_amount": made["amount"],
                "assessment": "Aligned",
                "degree": "None",
                "explanation": "It fits.",
            }
            | labels,
            "strategic_betting": {"present": "No", "explanation": "None is named."},
        },
    }


def saved(folder: Path, name: str, content: Any) -> Path:
    """A JSON file with a content; a text is written as it is."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    text = content if isinstance(content, str) else json.dumps(content, indent=2)
    path.write_text(text, encoding="utf-8")
    return path


RELEASED = {
    "experiments/pairs/alpha_vs_beta:free_20250316_155334.json": cross_model(),
    "experiments/pairs/beta:free_vs_alpha_20250317_101112.json": cross_model(
        models=(BETA, ALPHA), jury=JURY[::2], motion=OTHER_MOTION
    ),
    "experiments/alone/alpha_vs_self_20250503_142712.json": three_rounds(),
    "experiments/alone/beta:free_vs_self_20250503_150000.json": three_rounds(
        models=(BETA, BETA), amounts=(60, 50, 0, 50, 70, 75)
    ),
    "experiments/told/alpha_vs_self_20250504_000001.json": three_rounds(
        "private_same_debator_informed"
    ),
    "experiments/shown/alpha_vs_self_20250505_000001.json": three_rounds(
        "PUBLIC_SAME_DEBATOR"
    ),
    "experiments/red/alpha_vs_self_20250506_000001.json": three_rounds(
        "readteam_debate"
    ),
    "experiments/longer/alpha_debate_1_20250515_222412.json": four_rounds(),
}
"""A small release: every condition, a jury of which one debate has half, a zero."""

CONDITIONS = ("cross_model", "self", "informed_self", "public", "redteam", "four_round")


def cost(
    prompt: int, completion: int, debates: int, dollars: tuple[float, float]
) -> dict[str, Any]:
    """What the file of costs says of one model."""
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "debate_count": debates,
        "prompt_cost": dollars[0],
        "completion_cost": dollars[1],
        "total_cost": round(sum(dollars), 2),
    }


COSTS = {
    "summary": {"total_debates": 7, "unique_models": 2, "grand_totals": {}},
    "model_stats": {
        ALPHA: cost(6000, 3000, 10, (1.5, 3.0)),
        BETA: cost(3000, 1500, 4, (0.0, 0.0)),
    },
}
"""The file of costs, which counts the debates of three rounds."""


def release(folder: Path) -> Path:
    """Write the release, with grades of two bets, a schedule and costs beside it."""
    for name, content in RELEASED.items():
        saved(folder, name, content)
    name = "alpha_vs_self_20250503_142712"
    debate = RELEASED[f"experiments/alone/{name}.json"]
    grades = [graded(name, debate, n) for n in (0, 3)]
    saved(folder, "bet_analysis_results_alone.json", grades)
    pairing = {
        "proposition": ALPHA,
        "opposition": BETA,
        "topic": {"topic_description": MOTION},
    }
    saved(folder, "pairings.json", [pairing])
    saved(folder, "model_token_usage_and_cost.json", COSTS)
    return folder
