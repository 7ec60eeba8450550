"""How much of what was quoted does stand in the item?"""

import numpy as np
from inspect_ai.scorer import Metric, SampleScore, Value, metric

from inspect_debate.core.record import DebateRecord
from inspect_debate.scorers.common import NAN, Values, column, keys


def quote_values(record: DebateRecord, target: str) -> Values:
    """Counts of quotes in the speeches of one debate.

    `empty` quotes (without a letter or digit) are among the unverified; a duplicate is
    counted as verified or unverified as well.
    """
    speeches = record.of_kind("speech")
    quotes = [quote for turn in speeches for quote in turn.quotes]
    values: Values = {
        "quoting_speeches": len(speeches),
        "quotes": len(quotes),
        "verified": sum(quote.verified for quote in quotes),
        "unverified": sum(not quote.verified for quote in quotes),
        "duplicate": sum(quote.duplicate for quote in quotes),
        "empty": sum(quote.empty for quote in quotes),
    }
    for source in ("input", "response"):
        values[f"from_{source}"] = sum(quote.source == source for quote in quotes)
    return values


@metric(scores="unreduced")
def quote_shares() -> Metric:
    """Shares of all quotes, as ratios of sums, and quotes per speech."""

    def shares(scores: list[SampleScore]) -> Value:
        total = {key: float(np.nansum(column(scores, key))) for key in keys(scores)}
        quotes, speeches = total.get("quotes", 0.0), total.get("quoting_speeches", 0.0)
        parts = ("verified", "unverified", "duplicate", "empty")
        found = {
            f"{part}_share": total[part] / quotes if quotes else NAN for part in parts
        }
        return found | {"quotes_per_speech": quotes / speeches if speeches else NAN}

    return shares
