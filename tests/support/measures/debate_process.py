"""Changes of mind, quotes and failures over scores.

The numbers of reports and of single samples are held against these, which are computed
another way: from all values of the scorer `debate_process`, score by score.
"""

import numpy as np
from inspect_ai.scorer import Metric, SampleScore, Value, metric
from numpy.typing import NDArray

from inspect_debate.debate.record import Status
from inspect_debate.metrics.calibration import brier, expected_calibration_error
from inspect_debate.metrics.detection import gap_closed
from inspect_debate.scorers.common import NAN, column, keys

_DEBATERS = ("debater_a", "debater_b")
_CHANGES = (
    "right_to_wrong",
    "wrong_to_right",
    "both_wrong_to_right",
    "both_right_to_wrong",
)
_FIELDS = ("answer", "update", "speech", "final", "confidence", "verdict")
_NOT_OK = (Status.UNPARSED, Status.REFUSED, Status.TRUNCATED, Status.CAPPED)


@metric(scores="unreduced")
def changes() -> Metric:
    """Means of the changes, and what the debate makes of the better first answer.

    Each mean leaves out the items on which its value is not defined (see
    `change_values`). The oracle is right where either first answer is, and
    `best_first_accuracy` is that of the better debater; `oracle_gap_closed` is the
    share of the gap between them that the outcomes close. These three are over the
    `oracle_items`, on which both first answers could be read and there is an outcome.
    """

    def over_items(scores: list[SampleScore]) -> Value:
        found = {key: _mean(column(scores, key)) for key in _CHANGES}
        first = [column(scores, f"first_right_{who}") for who in _DEBATERS]
        for who, values in zip(_DEBATERS, first, strict=True):
            found[f"first_right_{who}"] = _mean(values)
        outcomes = column(scores, "correct")
        whole = ~np.isnan(np.stack([*first, outcomes])).any(axis=0)
        a, b, after = first[0][whole], first[1][whole], outcomes[whole]
        return found | {
            "oracle_items": float(whole.sum()),
            "oracle_accuracy": _mean(np.maximum(a, b)),
            "best_first_accuracy": max(_mean(a), _mean(b)),
            "oracle_gap_closed": gap_closed(a, b, after),
        }

    return over_items


def _mean(values: NDArray[np.float64]) -> float:
    return float(np.nanmean(values)) if (~np.isnan(values)).any() else NAN


@metric(scores="unreduced")
def quote_shares() -> Metric:
    """Shares of quotes, as ratios of sums, and quotes per speech.

    The shares of verified and unverified quotes, and of those that differ in
    typography, are over quotes that are not empty.
    """

    def shares(scores: list[SampleScore]) -> Value:
        total = {key: float(np.nansum(column(scores, key))) for key in keys(scores)}
        quotes, speeches = total.get("quotes", 0.0), total.get("quoting_speeches", 0.0)
        said = quotes - total.get("empty", 0.0)
        of = {
            **dict.fromkeys(("verified", "typography", "unverified"), said),
            **dict.fromkeys(("duplicate", "empty"), quotes),
        }
        found = {
            f"{part}_share": total.get(part, 0.0) / whole if whole else NAN
            for part, whole in of.items()
        }
        return found | {"quotes_per_speech": quotes / speeches if speeches else NAN}

    return shares


@metric(scores="unreduced")
def calibration() -> Metric:
    """Brier score and expected calibration error of both debaters' last statements.

    Single statements are compared with single outcomes, never means over epochs.
    """

    def over_statements(scores: list[SampleScore]) -> Value:
        stated = np.concatenate([column(scores, f"confidence_{d}") for d in _DEBATERS])
        right = np.concatenate([column(scores, f"right_{d}") for d in _DEBATERS])
        both = ~np.isnan(stated) & ~np.isnan(right)
        if not both.any():
            return dict.fromkeys(("brier", "ece", "mean_confidence", "right"), NAN)
        return {
            "statements": float(both.sum()),
            "brier": brier(stated, right),
            "ece": expected_calibration_error(stated, right),
            "mean_confidence": float(stated[both].mean()),
            "right": float(right[both].mean()),
        }

    return over_statements


@metric(scores="unreduced")
def process() -> Metric:
    """Rates over all debates: what was counted, over what it could have been.

    Shares are ratios of sums: of concessions over speeches with a readable final line,
    of verdicts for the side shown first over readable verdicts, of a status over the
    fields of its kind, for stages of which there were any. Calls, tokens and re-asks
    are means over all samples.
    """

    def rates(scores: list[SampleScore]) -> Value:
        total = {key: float(np.nansum(column(scores, key))) for key in keys(scores)}

        def share(part: str, whole: str) -> float:
            return total[part] / total[whole] if total.get(whole) else NAN

        def mean(key: str) -> float:
            values = column(scores, key)
            return float(np.nanmean(values)) if (~np.isnan(values)).any() else NAN

        found = {
            "concession_rate": share("concessions", "final_ok"),
            "over_word_limit_rate": share("over_word_limit", "speech_ok"),
            "shown_first_rate": share("shown_first", "verdict_ok"),
            "cached_input_share": share("cached_tokens", "input_tokens"),
        }
        for name in _FIELDS:
            all_of_it = sum(
                total.get(f"{name}_{s}", 0.0) for s in (Status.OK, *_NOT_OK)
            )
            if all_of_it:  # of stages that the protocol does not have, nothing is said
                for status in _NOT_OK:
                    told = total.get(f"{name}_{status}", 0.0)
                    found[f"{name}_{status}_rate"] = told / all_of_it
        return found | {key: mean(key) for key in ("calls", "tokens", "reasks")}

    return rates
