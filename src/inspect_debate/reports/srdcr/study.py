"""What the SR-DCR study is made of: arms, protocols, strata and names of models."""

from collections.abc import Iterable, Mapping
from typing import Literal

from inspect_debate.debate.config import MAX_CHARACTERS

STUDY = "srdcr"

Half = Literal["standard", "perturbed"]
HALVES: tuple[Half, ...] = ("standard", "perturbed")
"""The halves of the testbed: the passage as it was, and with a wrong answer in it."""

JUDGED_AFTER = range(31)
"""The rounds of a judged debate after which a verdict can be reported."""

_JUDGE_DEBATES = {
    f"judge_debate_{n}": f"Judge Debate, {n} round{'' if n == 1 else 's'}"
    for n in JUDGED_AFTER
}
JUDGE_DEBATES = tuple(_JUDGE_DEBATES)
"""One debate, as it would have ended after so many rounds; the paper has 1, 3, 5."""

ARMS = {
    "prior": "Prior answer (closed book)",
    "few_shot": "Few-shot (contextual answer)",
    "self_ask": "Self-Ask",
    "rci_first": "RCI, first answer",
    "rci": "RCI",
    **_JUDGE_DEBATES,
    "naive_debate": "Naive Debate",
    "token_prob": "Token probability",
    "calibrated_token_prob": "Calibrated token probability",
    "confidence_only": "Confidence gate alone",
    "acvd_only": "Debate alone (ACVD)",
    "srdcr": "SR-DCR",
    "golden": "Golden",
}
"""All ways to an answer, in the order in which they are reported."""

PROTOCOL_OF = {
    **{arm: arm for arm in ARMS if arm != "prior"},
    **dict.fromkeys(JUDGE_DEBATES, "judge_debate"),
    "rci_first": "rci",
}
"""The protocol that is run for an arm's sake; the prior answer has none."""

PROTOCOLS = {
    protocol: ARMS.get(protocol, "Judge Debate")
    for protocol in dict.fromkeys(PROTOCOL_OF[arm] for arm in ARMS if arm != "prior")
}
"""All protocols as readers see them, in the order in which they are reported."""

DEBATES = ("acvd_only", "srdcr")
"""The arms that the asymmetric debate decides."""

ANSWERS = ("prior", "few_shot", "golden", "token_prob", "calibrated_token_prob")
"""The arms that follow from the two answers and their probabilities alone."""

HELD = (*ANSWERS, "confidence_only", *DEBATES)
"""The arms that a run of SR-DCR holds, all on the same two answers."""

DOMAINS = {
    "drugs": "Drug dosages",
    "records": "Sports records",
    "news": "Latest news",
    "years": "Wikipedia dates",
    "names": "Names",
    "locations": "Locations",
}

OFFSETS = (20, 40, 60, 100, 200)
"""Years by which dates are shifted, which are the severities 1 to 5."""

SEVERITIES = (1, 2, 3, 4, 5)

TIERS = ("Unknown", "Weakly known", "Maybe known", "Highly known")
"""What the values 0 to 3 of a knowledge tier mean."""

MODELS = {
    "gpt-3.5-turbo-0125": "GPT-3.5",
    "gpt-4o-2024-08-06": "GPT-4o",
    "claude-3-5-haiku-20241022": "Claude Haiku 3.5",
    "claude-3-7-sonnet-20250219": "Claude Sonnet 3.7",
    "llama-3.3-70b": "Llama 3.3 70B",
}
"""The models of the paper's tables in their order, as the paper calls them."""


VERSIONS = ("2-A", "3-A", "3-B")
"""The versions of the task that have these defaults."""

_OF_ALL: Mapping[str, object] = {
    "shots": 4,
    "word_limit": 150,
    "max_reasks": 1,
    "max_characters": MAX_CHARACTERS,
}
_ANSWERED = {
    **_OF_ALL,
    "tau": 0.9,
    "confidence_from": "auto",
    "consistency_samples": 16,
}
_DEBATE = {
    **_ANSWERED,
    "rounds": 6,
    "turn_order": "sequential",
    **dict.fromkeys(("skip_if_agree", "show_openings"), False),
    **dict.fromkeys(("judge_sees_context", "critic_sees_context"), False),
    "followups_see": "all",
}
_OWN: Mapping[str, Mapping[str, object]] = {
    **dict.fromkeys(("self_ask", "rci"), _OF_ALL),
    "naive_debate": {**_OF_ALL, "rounds": 4, "agents": 3},
    "judge_debate": {
        **_ANSWERED,
        "rounds": 5,
        "judge_after": [1, 3, 5],
        "turn_order": "sequential",
        "order": "ab",
        "skip_if_agree": False,
    },
    **dict.fromkeys(DEBATES, _DEBATE),
}
DEFAULTS = {protocol: _OWN.get(protocol, _ANSWERED) for protocol in PROTOCOLS}
"""All parameters as the task has them; arms that have them are called by their name
alone. Those that change no answer, as `recall_samples`, are not in it."""


def titled(name: str, details: str) -> str:
    """A name with what tells it from others of it: "SR-DCR, tau=0.8"."""
    return ", ".join(filter(None, (name, details)))


def model_name(model: str) -> str:
    """A model's name as the published values have it, where it is one of the paper's.

    Providers and `-instruct` are no part of a name. Other models keep the name that
    they were called by.
    """
    bare = model.rpartition("/")[2].lower().removesuffix("-instruct")
    return bare if bare in MODELS else model


def in_order(models: Iterable[str]) -> list[str]:
    """Models without repetition, those of the paper first and in its order."""
    places = {model: place for place, model in enumerate(MODELS)}
    return sorted(set(models), key=lambda name: (places.get(name, len(places)), name))


def arms_in_order(found: Iterable[str]) -> list[str]:
    """Arms without repetition, in the order of `ARMS`."""
    here = set(found)
    return [arm for arm in ARMS if arm in here]
