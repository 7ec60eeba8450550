"""What the study of generative debate is made of: formats, families and defaults."""

import re
from collections.abc import Iterable, Mapping
from typing import Literal

from inspect_debate.debate.config import MAX_CHARACTERS
from inspect_debate.solvers.formats import FORMATS, Interaction

STUDY = "generative"

PROTOCOLS = {
    "dual_debate": "Dual debate",
    "single_debate": "Single debate",
    "dual_consultancy": "Dual consultancy",
    "single_consultancy": "Single consultancy",
    "dual_no_transcript": "Dual, no transcript",
    "single_no_transcript": "Single, no transcript",
    "direct_qa": "Direct QA",
}
"""The formats as readers see them, in the order in which they are reported."""

KINDS: Mapping[int, Literal["dual", "single"]] = {2: "dual", 1: "single"}
"""What formats with so many answers before the judge are called."""

REGIMES: Mapping[int, Mapping[str, int]] = {
    2: {"All right": 2, "Contested": 1, "All wrong": 0},
    1: {"All right": 1, "All wrong": 0},
}
"""By number of answers, what may be true of them: how many are right."""

VERDICTS: Mapping[int, Mapping[str, int]] = {
    2: {"Win-win": 3, "A only": 1, "B only": 2, "Loss-loss": 0},
    1: {"Accepted": 1, "Rejected": 0},
}
"""Kinds of verdicts by number of answers, as `verdict_class` has them."""

FAMILIES = {
    "gpt5": ("gpt-5-mini", "gpt-5-nano"),
    "qwen3": ("qwen3-8b", "qwen3-4b"),
}
"""Debater and judge of the study's families."""

FAMILY_TITLES = {
    "gpt5": "GPT-5-mini > GPT-5-nano",
    "qwen3": "Qwen3-8B > Qwen3-4B",
}

ARC_VERSIONS = ("1", "2")
"""Those of ARC-AGI; tasks of people's own go by other words."""

CLEANED, ORIGINAL = "bcb_plus", "bcb"
"""The study's programming tasks, and those that they were made of, by the same ids."""

STUDY_VERSIONS = {"arc": "1", CLEANED: "v0.1.0"}
"""The study's data; that of ARC-AGI is inferred."""

_TITLES = {CLEANED: "BigCodeBench-Plus", ORIGINAL: "BigCodeBench"}

BEST_OF = (1, 4)
"""Of how many candidates the study's speeches are chosen."""

ALPHA = 0.05
"""The level at which a difference counts."""

VERSIONS = ("2-A", "3-A", "3-B")
"""The versions of the task that have these defaults."""

DEFAULTS: Mapping[str, object] = {
    "rounds": 2,
    "best_of": 1,
    "turn_order": "simultaneous",
    "order": "hash",
    "judge_answer": False,
    "answers": "reuse",
    "judge_style": "neutral",
    "debater_style": "neutral",
    "word_limit": 250,
    "max_reasks": 1,
    "max_characters": MAX_CHARACTERS,
    "grading.seconds": 240,
    "grading.memory_mb": 2048,
    "grading.disk_mb": 512,
    "grading.processes": 512,
}
"""Parameters as the task has them; formats that have them go by their name alone."""


def format_of(protocol: str, rounds: int | None) -> str:
    """The format that a protocol is: without speeches that without a transcript."""
    proposers, interaction = FORMATS[protocol]
    return format_named(proposers, "none" if rounds == 0 else interaction)


def format_named(proposers: int, interaction: Interaction) -> str:
    """The format with so many proposers and this way of speaking."""
    return next(
        name for name, found in FORMATS.items() if found == (proposers, interaction)
    )


def titled(format: str, best_of: int = 1, variant: str = "") -> str:
    """A format as readers see it: "Dual debate, best of 4, turn_order=sequential"."""
    chosen = f"best of {best_of}" if best_of > 1 else ""
    return ", ".join(filter(None, (PROTOCOLS[format], chosen, variant)))


def family_key(family: str) -> str | None:
    """The study's family that a debater and judge are; None for others.

    Args:
        family: "debater > judge", with or without providers.
    """
    bare = tuple(bare_name(model) for model in family.split(" > "))
    return next((key for key, models in FAMILIES.items() if models == bare), None)


def family_title(family: str) -> str:
    """A family as the study calls it, where it is one of the study's."""
    return FAMILY_TITLES.get(family_key(family) or "", family)


def families_in_order(found: Iterable[str]) -> list[str]:
    """Families without repetition, those of the study first and in its order."""
    places = [*FAMILIES, None]
    return sorted(set(found), key=lambda name: (places.index(family_key(name)), name))


def bare_name(model: str) -> str:
    """A model's name without its provider."""
    return model.strip().rpartition("/")[2].lower()


def benchmark_title(dataset: str, version: str, split: str) -> str:
    """Data as readers see them: "ARC-AGI-1, evaluation", or "ARC tasks, own"."""
    title = _TITLES.get(dataset, dataset.upper())
    if version == "sample":
        return f"{title}, shipped sample"
    if dataset != "arc":
        named = f"{title} {version}" if is_release(version) else f"{title}, {version}"
    elif version in ARC_VERSIONS:
        named = f"ARC-AGI-{version}"
    else:
        named = f"ARC tasks, {version}"
    return named if split in ("", "both") else f"{named}, {split}"


def is_release(version: str) -> bool:
    """Whether a version is a number, as published ones have, and no word."""
    return re.fullmatch(r"v?\d+(?:\.\d+)+", version) is not None


def of_study(dataset: str, version: str) -> bool:
    """Whether data are the study's, as far as is known: ARC-AGI's version is inferred.

    Args:
        dataset: Their name.
        version: Their version. Of BigCodeBench-Plus any release counts: that of the
            study was changed since, and is not to be had.
    """
    if dataset == CLEANED:
        return is_release(version)
    return STUDY_VERSIONS.get(dataset) == version
