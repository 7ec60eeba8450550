"""Bets of the released transcripts, read without the suite's own import."""

import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from inspect_debate.v1.reports.confidence.frames import BETS, model_name, titled

FOLDERS = {
    "cross_model": "private_bet_experiments_diff_models",
    "self": "private_self_bet",
    "informed_self": "private_self_bet_anchored",
    "public": "public_bets",
}
SPEECHES = ("opening", "rebuttal", "closing")


def release_folder() -> Path:
    """Where the folders of transcripts are."""
    data = Path(os.environ["INSPECT_DEBATE_DATA"])
    return data / "llms_overconfidence" / "experiments"


@cache
def released_bets() -> pd.DataFrame:
    """The four released conditions, as `bets_of` would have them."""
    rows = [
        row
        for condition, folder in FOLDERS.items()
        for path in sorted((release_folder() / folder).glob("*.json"))
        for row in _rows(condition, path)
    ]
    return titled(pd.DataFrame(rows, columns=BETS))


def _rows(condition: str, path: Path) -> Iterator[dict[str, Any]]:
    debate = json.loads(path.read_text(encoding="utf-8"))
    models = {
        side: model_name(debate[f"{side}_model"])
        for side in ("proposition", "opposition")
    }
    for bet in debate["debator_bets"]:
        amount = float(bet["amount"])
        yield {
            "condition": condition,
            "run": condition,
            "debate": path.stem,
            "epoch": 1,
            "motion": debate["motion"]["topic_description"],
            "side": bet["side"],
            "model": models[bet["side"]],
            "self_debate": len(set(models.values())) == 1,
            "round": SPEECHES.index(bet["speech_type"]) + 1,
            "rounds": 3,
            "speech": bet["speech_type"],
            "bet": float("nan") if _is_placeholder(amount, models) else amount,
            "recorded": amount,
        }


def _is_placeholder(amount: float, models: dict[str, str]) -> bool:
    """Of the zeros only one was meant: Qwen Max's against itself."""
    return amount == 0 and models["proposition"] != "qwen/qwen-max"
