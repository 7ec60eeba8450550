"""Answers beside right and perturbed passages, and confidence in prior answers."""

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from inspect_debate.v1.metrics.abstention import Answered, by_condition
from inspect_debate.v1.metrics.agreement import Share
from inspect_debate.v1.metrics.calibration import (
    brier,
    expected_calibration_error,
    log_score,
)
from inspect_debate.v1.metrics.knowledge import (
    TIERS,
    biases,
    p_known_given,
    passage_alone,
    tier_shares,
)
from inspect_debate.v1.metrics.means import calibrated_choice
from inspect_debate.v1.metrics.shares import share
from inspect_debate.v1.scorers.common import NAN
from tests.v1.support.measures.columns import (
    Measure,
    Measures,
    Numbers,
    Scores,
    mean,
    with_ends,
)

CALIBRATED = "calibrated_token_prob"
TAUS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


class Preferences(NamedTuple):
    """How often the passage's answer is given, and how often the prior one."""

    context: Share
    prior: Share


def preferences(
    standard: ArrayLike,
    clusters: Iterable[Hashable],
    *,
    from_passage: ArrayLike,
    from_prior: ArrayLike,
) -> Preferences:
    """Whose answer is given with a perturbed passage, whoever is right."""
    perturbed, names = np.asarray(standard) == 0, list(clusters)
    given = (np.asarray(of, dtype=float) for of in (from_passage, from_prior))
    return Preferences(*(share(np.where(perturbed, of, NAN), names) for of in given))


def own_accuracy(scores: Scores) -> Measures:
    """The protocol's own answers by right and perturbed passages."""
    own = own_condition(scores)
    strict, loose = (halves(scores, own, how) for how in ("strict", "normalised"))
    found: Measures = {}
    for name, half in strict.items():
        found |= with_ends(name, half.accuracy)
        found[f"normalised_{name}"] = loose[name].accuracy.value
    for order in ("ab", "ba"):
        if scores.names(f"strict_{own}_{order}"):
            alone = halves(scores, f"{own}_{order}", "strict")["overall"]
            found[f"overall_{order}"] = alone.accuracy.value
    unscored = np.isnan(answers(scores, own, "strict")).astype(float)
    return found | {
        **_abstaining(strict["overall"]),
        "normalised_selective": loose["overall"].selective.value,
        "items": float(len(scores)),
        "unscored_share": mean(unscored),
    }


def every_condition(scores: Scores) -> Measures:
    """The accuracy of every condition of the run."""
    found: Measures = {}
    names = [name.removeprefix("strict_") for name in scores.names("strict_")]
    for name in (*names, *([CALIBRATED] if "prior" in names else [])):
        here = halves(scores, name, "strict")
        found |= {f"{half}_{name}": of.accuracy.value for half, of in here.items()}
        if name == "srdcr":
            more = _abstaining(here["overall"])
            found |= {f"{key}_{name}": value for key, value in more.items()}
    return found


def by_severity(scores: Scores) -> Measures:
    """The own accuracy by how far the passage is from the truth."""
    strict = answers(scores, own_condition(scores), "strict")
    severity = scores["severity"]
    found: Measures = {}
    for level in sorted({*severity[severity > 0]}):
        values = np.where(severity == level, strict, np.nan)
        found |= with_ends(f"perturbed_{level:g}", share(values, scores.items))
    return found


def passage_or_prior(scores: Scores) -> Measures:
    """Whom the own answers follow (ClashEval), and where the two answers differ."""
    names, standard = scores.items, scores["standard"]
    strict, right, passage, prior = (
        answers(scores, own_condition(scores), kind)
        for kind in ("strict", "normalised", "context", "prior")
    )
    origins = {"from_passage": passage, "from_prior": prior}
    alone = passage_alone(scores["normalised_prior"], standard, scores["context_prior"])
    found = biases(alone, names, correct=right, seed=0, **origins)
    preferred = preferences(standard, names, **origins)
    contested = np.where(scores["agree"] == 0, strict, np.nan)
    return {
        "one_right": found.accuracy.value,
        **with_ends("context_bias", found.context_bias),
        **with_ends("prior_bias", found.prior_bias),
        "context_preference": preferred.context.value,
        "prior_preference": preferred.prior.value,
        "contested": share(contested, names).value,
        "agree_share": share(scores["agree"], names).value,
        **{
            key: share(scores[key], names).value
            for key in scores.names("first_answers_same")
        },
    }


def verdict_series(scores: Scores) -> Measures:
    """The share for the passage by round, and when verdicts settle."""
    found: Measures = {}
    for key in (key for key in scores.names("verdict_") if key.count("_") == 1):
        for name, half in (("standard", 1), ("perturbed", 0)):
            values = scores[key][scores["standard"] == half]
            found[f"for_passage_{key.rpartition('_')[2]}_{name}"] = mean(values)
    if "settled" in scores.names():
        found["settled"] = scores.mean("settled")
    return found


def statuses(scores: Scores) -> Measures:
    """How many turns could be read, and why there is no answer."""
    names = ("outcome_", "answers_", "speeches_", "verdicts_")
    return scores.totals(key for name in names for key in scores.names(name))


CLASH: Sequence[Measure] = (
    *(own_accuracy, every_condition, by_severity),
    *(passage_or_prior, verdict_series, statuses),
)


def calibration(scores: Scores) -> Measures:
    """How the confidence agrees with the prior answer being right."""
    right = scores["prior_strict"]
    found: Measures = {}
    for suffix in ("", "_logprobs", "_consistency"):
        stated = scores[f"confidence{suffix}"]
        found |= {
            f"ece{suffix}": expected_calibration_error(stated, right),
            f"brier{suffix}": brier(stated, right),
            f"log_score{suffix}": log_score(stated, right),
        }
    rate = mean(right[~np.isnan(scores["confidence"])])
    return found | {"base_brier": rate * (1 - rate), "prior_right": rate}


def sources(scores: Scores) -> Measures:
    """Where confidences come from, and by how much two sources differ."""
    source = scores["source"]
    gap = np.abs(scores["confidence_logprobs"] - scores["confidence_consistency"])
    return {
        "from_logprobs": float(np.sum(source == 1)),
        "from_consistency": float(np.sum(source == 2)),
        "without_confidence": float(np.sum(np.isnan(source))),
        "confident_share": share(scores["confident"], scores.items).value,
        "sources_gap": mean(gap),
        **{key: float(scores[key].sum()) for key in scores.names("tokens_")},
    }


def known(scores: Scores) -> Measures:
    """Shares of the tiers of knowledge, and P(highly known | confidence >= tau)."""
    tiers, names = scores["tier"], scores.items
    shares = zip(TIERS, tier_shares(tiers, names), strict=True)
    given = p_known_given(scores["confidence"], tiers, TAUS, names)
    return {
        **{f"tier_{name.split()[0].lower()}": one.value for name, one in shares},
        **{f"known_at_{t:g}": one.value for t, one in zip(TAUS, given, strict=True)},
    }


CONFIDENCE: Sequence[Measure] = (calibration, sources, known)


def own_condition(scores: Scores) -> str:
    """The condition that the protocol is; empty without scores."""
    known = (score.score.metadata or {} for score in scores.scores)
    return next((str(data["arm"]) for data in known if "arm" in data), "")


def halves(scores: Scores, condition: str, how: str) -> dict[str, Answered]:
    """Accuracy with right and with perturbed passages, and overall."""
    found = by_condition(
        answers(scores, condition, how),
        answers(scores, condition, "answered"),
        scores["standard"],
        scores.items,
    )
    return found._asdict()


def answers(scores: Scores, condition: str, what: str) -> Numbers:
    """A column of a condition; that of the calibrated one is put together from two."""
    if condition != CALIBRATED:
        return scores[f"{what}_{condition}"]
    chosen = calibrated_choice(scores["p_prior"], scores["p_contextual"])
    taken = np.where(chosen == 1, scores[f"{what}_few_shot"], scores[f"{what}_prior"])
    return np.where(np.isnan(chosen), np.nan, taken)


def _abstaining(found: Answered) -> Measures:
    return {"coverage": found.coverage.value, "selective": found.selective.value}
