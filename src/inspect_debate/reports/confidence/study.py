"""What the confidence study is made of: its conditions and the names of its models."""

import re
from collections.abc import Collection, Iterable
from functools import lru_cache

from inspect_debate.published.printed import confidence_tables

PROTOCOLS = {
    "cross_model": "Cross-model",
    "self": "Self-debate",
    "informed_self": "Informed self (told 50 %)",
    "public": "Public bets",
    "redteam": "Red-teaming",
    "redteam_v2": "Red-teaming by perspectives",
    "deceptive": "Told of a skilled opponent",
    "four_round": "Four rounds",
}
"""The presets in the order in which they are reported, as readers see them."""

POOLED = ("cross_model", "self", "informed_self", "public")
"""The conditions that the paper's overall rows pool."""

OVERALL = "overall"
"""The row, or the cells, over all models or conditions."""

EVEN = 50.0
"""The chance of winning in percent that a side has before anything is known."""

HUMANS = "College debaters (Meer and Van Wesep 2007)"
"""The human baseline of opening confidence."""


def protocol_of(condition: str) -> str:
    """The preset of a condition, whose label it begins."""
    return condition.partition(" ")[0]


def title(condition: str) -> str:
    """A condition as readers see it: "Cross-model, rounds=2".

    Models go without their providers, and prompts by the first digits of their hash.
    """
    protocol, _, details = condition.partition(" ")
    name = PROTOCOLS.get(protocol, protocol)
    details = _HASH.sub(r"\1", _PROVIDER.sub("", details))
    return f"{name}, {details}" if details else name


_HASH = re.compile(r"(?<=prompts=)([0-9a-f]{6})[0-9a-f]{10}")
_PROVIDER = re.compile(r"(?<![^\s=])(?:[\w.-]+/)+(?=[\w.:-])")


def titles_of(conditions: Iterable[str]) -> dict[str, str]:
    """What readers call conditions."""
    return {condition: title(condition) for condition in conditions}


def slug(condition: str) -> str:
    """A condition in the name of a table."""
    return re.sub(r"\W+", "_", condition.lower()).strip("_")


def conditions_of(found: Iterable[str]) -> list[str]:
    """Conditions without repetition, in the order of `PROTOCOLS`."""
    places = {protocol: place for place, protocol in enumerate(PROTOCOLS)}
    return sorted(
        dict.fromkeys(found),
        key=lambda label: (places.get(protocol_of(label), len(places)), label),
    )


def published_models(table: str = "table_2") -> list[str]:
    """The models of a table of the paper, in its order."""
    rows = confidence_tables().tables.get(table, {})
    # Rows of Table 7 are a condition and a model.
    named = dict.fromkeys(row.rpartition(" ")[2] for row in rows)
    return [name for name in named if name != OVERALL]


@lru_cache
def model_name(model: str) -> str:
    """A model's name as the paper's tables have it, where it is one of theirs.

    A tariff (":free") is no part of a name, nor is the provider of a provider
    ("openrouter/openai/o3-mini"). Other models keep the name they were called by.
    """
    name = model.removesuffix(":free")
    bare = "/".join(name.split("/")[-2:])
    return bare if bare in published_models() else name


def in_order(models: Iterable[str], table: str) -> list[str]:
    """Models in the order of a table of the paper, others after them by name."""
    places = {model: place for place, model in enumerate(published_models(table))}
    return sorted(set(models), key=lambda name: (places.get(name, len(places)), name))


def is_published_pool(models: Collection[str]) -> bool:
    """Whether these are the paper's ten models and no others."""
    return set(models) == set(published_models())
