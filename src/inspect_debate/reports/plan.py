"""What a run will cost and what it can find, from a pilot on a few items."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from math import isnan, nan, sqrt
from typing import Any

import pandas as pd
from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalSample, read_eval_log_samples_by_id

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import tokens_read
from inspect_debate.metrics import power
from inspect_debate.reports import compare
from inspect_debate.reports.compare import SIDES, Side

_DISCORDANCES = (0.1, 0.2, 0.3)
"""Shares of items on which one condition alone is right, where there is no pilot."""
_USED = ["calls", "input tokens", "output tokens", "dollars", "serial minutes"]
_HEAVY = {"messages", "store", "attachments"}


def plan(
    logs: Sequence[str],
    items: int | None = None,
    epochs: int | None = None,
    effect: float | None = None,
    score: str | None = None,
) -> dict[str, Any]:
    """Forecast a run from a pilot of one condition, or of two on the same samples.

    The arguments are those of the command, and the result is what its `--json` prints.
    """
    if len({*logs}) != len(logs) or len(logs) > 2:
        raise InputError(
            f"{', '.join(logs)} were given; give the log, or the folder of logs, of "
            "one condition or of two different ones."
        )
    sides = [compare.side_of(given) for given in logs]
    spec = sides[0].logs[-1][1].eval
    items = items or spec.dataset.samples or len({id for id, _ in sides[0].samples})
    epochs = epochs or spec.config.epochs or 1
    names = compare.differs(sides)[1] if len(sides) > 1 else [spec.task.split("/")[-1]]
    found: dict[str, Any] = {"items": items, "epochs": epochs, "effect": effect}
    found["conditions"] = [
        {"condition": name} | _used(side, items * epochs)
        for name, side in zip(names, sides, strict=True)
    ]
    if len(sides) > 1:
        found["paired"] = _paired(sides, items, epochs, effect, score)
    if isnan(found.get("paired", {}).get("deviation", nan)):
        found["assumed"] = [_assumed(share, items, effect) for share in _DISCORDANCES]
    return dict(json.loads(pd.Series(found).to_json(double_precision=15)))


def as_text(found: dict[str, Any]) -> Iterator[str]:
    """At most eight lines for the terminal."""
    run = f"{found['items']:,} items, {found['epochs']} epoch"
    run += "s" * (found["epochs"] > 1)
    rows: dict[str, Any] = {}
    unknown: Counter[str] = Counter()
    for of in found["conditions"]:
        failed = f", {of['failed']} failed" * bool(of["failed"])
        name = f"{of['condition']}: a sample, mean of {of['samples']}{failed}"
        rows[name] = of["per_sample"]
        rows[f"{of['condition']}: {run}"] = of["total"]
        unknown.update(of["unknown"])
    cells = {name: [_number(row[name]) for row in rows.values()] for name in _USED}
    yield pd.DataFrame(cells, index=[*rows]).to_string()
    if unknown:
        why = ", ".join(f"{what} ({n} x)" for what, n in unknown.items())
        yield f"Cost unknown: {why}. For prices, run with --model-cost-config FILE."
    yield from _words(found)


def _words(found: dict[str, Any]) -> Iterator[str]:
    """What the run can find."""
    start, effect = f"{found['items']:,} items find a difference of", found["effect"]
    test = "(80 % power, 5 %, two-sided)"
    if of := found.get("paired"):
        pilot = f"{of['pairs']} pairs in {of['clusters']} clusters"
        if of["deviation"] is None:
            yield (
                f"Too few to measure what {of['score']} can show: {pilot}; it takes "
                f"{power.FEWEST} clusters, {power.FEWEST_DIFFERING} with a difference."
            )
        else:
            least, needed = (
                f"{_number(of[name])} [{_number(of[f'{name}_low'])}, "
                f"{_number(of[f'{name}_high'])}]"
                for name in ("smallest", "needed")
            )
            more = f"; {effect:g} need {needed} items" if effect else ""
            unit = "points" if of["unit"] == 100 else "(as scored)"
            yield f"{start} {least} {unit} in {of['score']} {test}{more}."
            yield f"In brackets: 95 % intervals, as the pilot has only {pilot}."
    if assumed := found.get("assumed"):
        shares, least, needed = (
            " / ".join(_number(of[name], "none") for of in assumed)
            for name in ("discordance", "smallest", "needed")
        )
        more = f"; {effect:g} need {needed} items" if effect else ""
        yield (
            f"Assuming that one condition alone is right on {shares} % of independent "
            f"items, {start} {least} points in accuracy {test}{more}."
        )


def _number(value: float | None, missing: str = "unknown") -> str:
    if value is None:
        return missing
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


# What a sample takes.


def _used(side: Side, runs: int) -> dict[str, Any]:
    """Means per sample (in one epoch), and what `runs` of them will take."""
    ended = [row for row in side.samples.values() if row["status"] != "failed"]
    if not ended:
        raise InputError(f"No sample in {side.given} has ended; run the pilot again.")
    unknown: Counter[str] = Counter()
    used = []
    for path in {row["log"] for row in ended}:
        of = [row["summary"] for row in ended if row["log"] == path]
        keys = [(one.id, one.epoch) for one in of]
        read = read_eval_log_samples_by_id(path, keys, exclude_fields=_HEAVY)
        used += [_of_sample(sample, unknown) for sample in read]
    mean = pd.DataFrame(used, columns=_USED).mean(skipna=False)
    return {
        "samples": len(used),
        "failed": len(side.samples) - len(used),
        "per_sample": {**mean},
        "total": {**(runs * mean)},
        "unknown": unknown,
    }


def _of_sample(sample: EvalSample, unknown: Counter[str]) -> list[float]:
    """What a sample took. The log's own sums count a reply without usage as 0."""
    took = [
        _of_call(event, unknown)
        for event in sample.events
        if isinstance(event, ModelEvent) and not event.error  # then it is repeated
    ]
    if not took:
        unknown["samples without logged calls"] += 1
        took = [[nan] * 4]
    minutes = nan if sample.total_time is None else sample.total_time / 60
    return [*map(sum, zip(*took, strict=True)), minutes]


def _of_call(call: ModelEvent, unknown: Counter[str]) -> list[float]:
    usage = call.output.usage
    if not usage or not usage.total_tokens:
        unknown[f"no usage in replies of {call.model}"] += 1
        return [1, nan, nan, nan]
    if usage.total_cost is None:
        unknown[f"no price of {call.model}"] += 1
    cost = nan if usage.total_cost is None else usage.total_cost
    return [1, tokens_read(usage), usage.output_tokens, cost]


# What can be found.


def _paired(
    sides: Sequence[Side], items: int, epochs: int, effect: float | None, score: Any
) -> dict[str, Any]:
    """What the paired variance of the pilot lets a run find."""
    score = compare.chosen(sides, score)
    both = compare.paired_samples(sides, score).dropna(subset=SIDES)
    both["difference"] = both["treatment"] - both["baseline"]
    values = both[SIDES]
    unit = 100 if (values.ge(0) & values.le(1)).all(axis=None) else 1
    found = {"score": score.removesuffix(".value"), "unit": unit}
    found |= {"pairs": len(both), "clusters": both["cluster"].nunique()}
    variance = power.paired_variance(both, epochs)
    for end, value in zip(("", "_low", "_high"), variance, strict=True):
        found[f"deviation{end}"] = unit * sqrt(value)
        found[f"smallest{end}"] = unit * power.smallest_difference(items, value)
        found[f"needed{end}"] = power.items_needed((effect or nan) / unit, value)
    return found


def _assumed(share: float, items: int, effect: float | None) -> dict[str, float]:
    """The same of right and wrong answers, if conditions differ on a share of items."""
    smallest = 100 * power.smallest_discordant(items, share)
    difference = (effect or nan) / 100
    possible = nan if difference > share else share - difference**2
    needed = power.items_needed(difference, possible)
    return {"discordance": 100 * share, "smallest": smallest, "needed": needed}
