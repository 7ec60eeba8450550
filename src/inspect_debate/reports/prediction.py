"""From the debates of a rehearsal to those of a whole run."""

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from inspect_ai.dataset import Sample
from inspect_ai.event import ModelEvent
from inspect_ai.log import read_eval_log_sample
from inspect_ai.model import ModelCost, ModelUsage, get_model_info
from pydantic import ValidationError

from inspect_debate.debate.calls import TurnDescription, description_of
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.outcome import outcome, votes_missing
from inspect_debate.debate.prompt_cache import RULES, Sent, served
from inspect_debate.debate.record import DebateRecord, Kind, Turn
from inspect_debate.debate.spending import is_free
from inspect_debate.metrics.agreement import Share
from inspect_debate.metrics.intervals import Interval, proportion_interval
from inspect_debate.metrics.prices import Array, rates, uncached
from inspect_debate.reports.logs import Log
from inspect_debate.reports.samples import Held, read_samples
from inspect_debate.scorers.common import counted

# What the debates of a run cost, by stage, role and model.

Stage = Literal["answers", "debated", "skipped"]

QUANTITIES = (
    *("turns", "calls", "input_tokens", "cache_read_tokens", "cache_write_tokens"),
    *("output_tokens", "cost", "uncached_cost", "seconds"),
)
"""What is added up. Costs are in US dollars, NaN where a price is unknown;
`uncached_cost` is what it would be without a provider's cache."""

_PRICED = [
    *("input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens")
]

_ANSWERS: tuple[Kind, ...] = ("answer", "sample", "recall")


class Spent(NamedTuple):
    """What debates cost.

    `stages` has a row per debate and stage that was gone through: `debate` (a running
    number), `id`, `stage`, and the `depth` of the whole debate. Of each debate that is
    `answers`, what the participants said without having read each other, and then
    either `debated`, the rest, or, where a look at the answers ended it, `skipped`.

    `costs` has a row per such stage, role and model, with `QUANTITIES`; what is used
    again from an earlier run costs nothing. `debates` has a row per debate, with `id`,
    `may_skip` (whether a look at the answers may end it), `went_on` (whether it did
    not) and `changed` (1 where it ended with another answer than debater A's first,
    else 0; NaN where that is not known); one that was only run to see what it costs
    has none. `left` counts the samples that have no complete record, `varied` the
    debates whose votes were asked for only as long as they could matter.
    """

    stages: pd.DataFrame
    costs: pd.DataFrame
    debates: pd.DataFrame
    left: int
    varied: int = 0

    @property
    def seconds_per_call(self) -> float:
        """The mean over all calls; 0 where none was made."""
        calls = self.costs["calls"].sum()
        return float(self.costs["seconds"].sum() / calls) if calls else 0.0


def spent(logs: Sequence[Log], prices: Mapping[str, ModelCost] | None = None) -> Spent:
    """Read what the debates of some logs cost.

    Args:
        logs: Of one task. One that uses the answers of another of them again shows
            what the debates of that one would have cost that it skipped.
        prices: By model, in place of those in the logs.

    Raises:
        InputError: If no sample has a complete record of a debate.
    """
    runs = {one.header.eval.eval_id for log in logs for one in log.shards or [log]}
    stages: list[dict[str, Any]] = []
    costs: list[dict[str, Any]] = []
    debates: list[dict[str, Any]] = []
    left = varied = 0
    for number, logged in enumerate(
        debate for log in logs for debate in read_samples(log)
    ):
        record = logged.record
        if record is None or not record.complete:
            left += 1
            continue
        varied += votes_missing(record)
        again = record.reused_from in runs
        key = {"debate": number, "id": str(logged.sample.id)}
        deep = {"depth": depth(record.turns, record.parameters, reused=again)}
        went_on = record.skip_reason is None
        rest: Stage = "debated" if went_on else "skipped"
        if not again:
            may_skip = record.parameters.get("skip_if_agree") is True
            seen = {"went_on": went_on, "changed": _changed(record)}
            debates.append(key | {"may_skip": may_skip} | seen)
            stages.append(key | {"stage": "answers"} | deep)
        if went_on or not again:
            stages.append(key | {"stage": rest} | deep)
            costs += [key | row for row in _rows(logged, record, rest)]
    if not debates:
        raise InputError(
            f"{', '.join(log.typed for log in logs)}: no sample has a complete record "
            "of a debate."
        )
    keys = ["debate", "id", "stage"]
    columns = [*keys, "role", "model", *QUANTITIES]
    frame = _priced(pd.DataFrame(costs, columns=columns), prices or {})
    return Spent(
        pd.DataFrame(stages),
        summed(frame, [*keys, "role", "model"]).reset_index(),
        pd.DataFrame(debates),
        left,
        varied,
    )


def _priced(costs: pd.DataFrame, given: Mapping[str, ModelCost]) -> pd.DataFrame:
    """Costs with those that are not known yet: of simulated caches, and without any."""
    parts = []
    for model, own in costs.groupby("model", sort=False):
        asked = own[own["calls"] > 0]
        prices = rates(_tokens_of(asked), asked["cost"].to_numpy(float))
        info, price = get_model_info(str(model)), given.get(str(model))
        if price is None and np.isnan(prices[0]) and info is not None:
            price = info.cost
        if price is not None:
            known = price.input, price.input_cache_read, price.input_cache_write
            prices = np.array([*known, price.output]) / 1e6
        tokens = _tokens_of(own)
        per_token = np.where(tokens == 0, 0.0, prices)
        to_price = own["calls"].eq(0) & own["cost"].isna() | (str(model) in given)
        cost = own["cost"].where(~to_price, (tokens * per_token).sum(axis=1))
        without = uncached(tokens, cost.to_numpy(float), prices)
        parts.append(own.assign(cost=cost, uncached_cost=without))
    return pd.concat(parts).sort_index() if parts else costs


def _tokens_of(costs: pd.DataFrame) -> Array:
    return costs[_PRICED].to_numpy(float)


def _changed(record: DebateRecord) -> float:
    """Whether a debate ended with another answer than debater A's first.

    Between two possible answers the share of such debates is the discordance of debater
    A alone and the debate. Only questions with choices count, where both were read.
    """
    answers = [
        turn.field("answer").value
        for turn in record.of_kind("answer")
        if turn.participant == "debater_a" and turn.draw <= 1
    ]
    decided = outcome(record).answer
    known = decided in record.choices and {*answers} & {*record.choices}
    return (
        float(decided != answers[0]) if known and not record.reused_from else math.nan
    )


def summed(costs: pd.DataFrame, by: Sequence[str] = ("role", "model")) -> pd.DataFrame:
    """Sums of `QUANTITIES` by columns or levels of the index, in their first order.

    A price that is unknown once makes the sum unknown.
    """
    return costs.groupby([*by], sort=False)[[*QUANTITIES]].agg(_sum)


def _sum(part: "pd.Series[float]") -> float:
    return float(part.sum(skipna=False))


def _rows(logged: Held, record: DebateRecord, rest: Stage) -> Iterator[dict[str, Any]]:
    for turn in record.turns:
        # A draw that came with the reply to another is no call.
        if turn.reused or not turn.calls:
            continue
        # A judge may answer, too, after a debate.
        first = turn.kind in _ANSWERS and turn.role != "judge"
        yield {
            "stage": "answers" if first else rest,
            "role": turn.role,
            "model": turn.model,
            "turns": 1,
            "calls": turn.calls,
            "seconds": turn.seconds,
            **_tokens(turn.usage, turn.model),
        }
    yield from _graded(logged, rest)
    yield from _of_caches(logged, record, rest)


def _of_caches(
    logged: Held, record: DebateRecord, rest: Stage
) -> Iterator[dict[str, Any]]:
    """By how much simulated models are off in what they read from a cache.

    What counts is what OpenAI's rule gives for the prompts of the sample. A price is
    not known here.
    """
    new = {turn.participant: turn for turn in record.turns if not turn.reused}
    if not any(is_free(turn.model) for turn in new.values()):
        return
    path = logged.log.path_of(logged.sample.id, logged.sample.epoch)
    sample = read_eval_log_sample(
        str(path), logged.sample.id, logged.sample.epoch, resolve_attachments="full"
    )
    asked: list[tuple[ModelEvent, TurnDescription]] = []
    for event in sample.events:
        if isinstance(event, ModelEvent) and is_free(event.model):
            try:
                said = description_of(event.input)
            except ValidationError:
                return  # older logs describe turns otherwise
            if said is not None and said.participant in new:
                asked.append((event, said))
    stages: dict[Hashable, int] = {}
    sent = []
    for event, said in asked:
        step = said.kind, said.round, said.reask
        stage = stages.setdefault(step, len(stages))
        texts = tuple(message.text for message in event.input)
        sent.append(Sent(stage, event.model, texts))
    found = served(sent, RULES["OpenAI"])
    for (event, said), one in zip(asked, found, strict=True):
        turn, usage = new[said.participant], event.output.usage
        said_read = (usage and usage.input_tokens_cache_read) or 0
        first = said.kind in _ANSWERS and turn.role != "judge"
        yield {
            **dict.fromkeys(QUANTITIES, 0.0),
            "stage": "answers" if first else rest,
            "role": turn.role,
            "model": turn.model,
            "input_tokens": said_read - one.read,
            "cache_read_tokens": one.read - said_read,
            "cost": math.nan,
        }


def _graded(logged: Held, rest: Stage) -> Iterator[dict[str, Any]]:
    """What a grader cost, which no record has: it is asked when a debate is scored."""
    used = logged.sample.role_usage.get("grader")
    if used is None:
        return
    scores = (logged.sample.scores or {}).values()
    names = {(score.metadata or {}).get("grader") for score in scores} - {None}
    calls = sum(counted(score, "grader_calls") for score in scores)
    model = ", ".join(sorted(map(str, names)))
    yield {
        "stage": rest,
        "role": "grader",
        "model": model,
        "turns": calls,
        "calls": calls,
        "seconds": 0.0,
        **_tokens(used, model),
    }


def _tokens(used: ModelUsage, model: str) -> dict[str, float]:
    unpriced = 0.0 if is_free(model) else float("nan")
    return {
        "input_tokens": used.input_tokens,
        "cache_read_tokens": used.input_tokens_cache_read or 0,
        "cache_write_tokens": used.input_tokens_cache_write or 0,
        "output_tokens": used.output_tokens,
        "cost": unpriced if used.total_cost is None else used.total_cost,
    }


_COUNTED = ("turns", "calls")
"""Quantities that do not depend on an item's length."""

_UNKNOWN = pd.DataFrame(
    float("nan"),
    index=pd.MultiIndex.from_tuples([("?", "?")], names=["role", "model"]),
    columns=[*QUANTITIES],
)


class Prediction(NamedTuple):
    """What a run will cost.

    `answers`, `debated` and `skipped` hold, by role and model, the sums of
    `QUANTITIES` if all `samples` go through that stage; None where the rehearsal did
    not show it. `share` is that of the samples that go past the answers;
    `certain` says that all of them do by the task's own rules. `depth` is the greatest
    number of calls one after the other, and `depth_skipped` that where a debate was
    skipped, if one was. `asked_again` is the share of turns that were asked twice.
    """

    samples: int
    answers: pd.DataFrame
    debated: pd.DataFrame | None
    skipped: pd.DataFrame | None
    share: Share
    certain: bool
    depth: int
    depth_skipped: int | None
    asked_again: Share

    @property
    def calls(self) -> Interval:
        """The fewest calls, and the most.

        The fewest: nothing is asked again, and nothing debated where that is not
        certain. The most: all are debated, and as much asked again as the end of that
        share's interval says.
        """
        fewest = self.at(self.samples if self.certain else 0)["turns"].sum()
        every = self.at(self.samples)["turns"].sum(skipna=False)
        return Interval(float(fewest), float(every * (1 + self.asked_again.high)))

    def at(self, debated: float) -> pd.DataFrame:
        """The run's costs by role and model, if so many of its samples go on.

        Args:
            debated: Number of samples that go past the answers, up to `samples`.

        Returns:
            `QUANTITIES` by role and model; NaN where the rehearsal did not show what is
            needed.
        """
        share = debated / self.samples
        parts = [self.answers]
        if share > 0:
            parts.append(_UNKNOWN if self.debated is None else self.debated * share)
        if share < 1 and self.skipped is not None:
            parts.append(self.skipped * (1 - share))
        return summed(pd.concat(parts))


def predict(shown: Spent, lengths: Mapping[str, int], epochs: int) -> Prediction:
    """Predict a run from a rehearsal on some of its items.

    Costs by role and model are taken to be a fixed part and one in proportion to the
    length of the item, fitted by least squares stage by stage. So an item counts with
    its own length, and the transcript, which grows with the debate and not with the
    item, is in the fixed part.

    Args:
        shown: The debates of the rehearsal.
        lengths: Of all items of the run, by sample id, in characters.
        epochs: How often each item is debated.

    Raises:
        InputError: If the rehearsal has items that the run does not have.
    """
    other = sorted(set(shown.stages["id"]) - lengths.keys())
    if other:
        raise InputError(
            f"The rehearsal has {len(other)} samples that this task does not have, "
            f"{other[0]} among them; give the task and the parameters of that run."
        )
    whole = np.array(list(lengths.values()), dtype=np.float64)

    def fitted(stage: Stage) -> pd.DataFrame | None:
        if stage not in set(shown.stages["stage"]):
            return None
        return _fitted(shown, stage, lengths, whole) * epochs

    debates = shown.debates
    went_on = debates["went_on"].astype(bool)
    deepest = shown.stages.groupby("stage")["depth"].max().to_dict()
    counts = shown.costs[[*_COUNTED]].sum()
    again = min(counts["calls"] - counts["turns"], counts["turns"])
    return Prediction(
        samples=len(lengths) * epochs,
        answers=_fitted(shown, "answers", lengths, whole) * epochs,
        debated=fitted("debated"),
        skipped=fitted("skipped"),
        share=_share(int(went_on.sum()), len(went_on)),
        certain=bool(went_on.all()) and not debates["may_skip"].any(),
        depth=deepest.get("debated", deepest["answers"]),
        depth_skipped=deepest.get("skipped"),
        asked_again=_share(int(again), int(counts["turns"])),
    )


def _share(ones: int, n: int) -> Share:
    if not n:
        return Share(float("nan"), float("nan"), float("nan"), 0)
    interval: Interval = proportion_interval(ones, n)
    return Share(ones / n, *interval, n)


def _fitted(
    shown: Spent, stage: Stage, lengths: Mapping[str, int], whole: Array
) -> pd.DataFrame:
    """Sums over all items by role and model, if all go through a stage."""
    debates = shown.stages[shown.stages["stage"] == stage]
    costs = shown.costs[shown.costs["stage"] == stage]
    x = np.array([lengths[id] for id in debates["id"]], dtype=np.float64)
    rows = {}
    for who, own in costs.groupby(["role", "model"], sort=False):
        # Who was not asked in a debate cost nothing there.
        values = own.set_index("debate")[[*QUANTITIES]]
        values = values.reindex(debates["debate"], fill_value=0.0)
        rows[who] = {
            name: _total(x, values[name].to_numpy(float), whole, name in _COUNTED)
            for name in QUANTITIES
        }
    index = pd.MultiIndex.from_tuples(list(rows), names=["role", "model"])
    return pd.DataFrame(list(rows.values()), index=index, columns=[*QUANTITIES])


def _total(x: Array, y: Array, whole: Array, counted: bool) -> float:
    """The sum over all items of a line through some."""
    slope = 0.0 if counted else _slope(x, y)
    mean = y.mean() + slope * (whole.mean() - x.mean())
    return float(max(0.0, mean) * len(whole)) if not np.isnan(mean) else float("nan")


def _slope(x: Array, y: Array) -> float:
    """Of the least-squares line; 0 where two lengths or fewer would decide it."""
    if len(set(x.tolist())) < 3:
        return 0.0
    centred = x - x.mean()
    return float(centred @ y / (centred @ centred))


# How many calls of a debate have to be made one after the other.

_UNHEARD = ("verdict", "sample", "recall", "grade")
"""What nobody waits for but the end; no later prompt has it."""


def depth(
    turns: Sequence[Turn], parameters: Mapping[str, Any], *, reused: bool = False
) -> int:
    """The longest chain of turns that wait for each other.

    Turns of one kind and round are asked for at once; where the turn order is
    sequential, speeches after one another (round 0, the openings, excepted). Each such
    step waits for the one before. Verdicts and further answers wait for what was said
    before them, and nothing waits for them. A turn that was asked again counts once.

    Args:
        turns: Of one debate, in the protocol's order.
        parameters: The protocol's, of which `turn_order` and `confidence_from` matter.
        reused: Whether turns count that are used again from another run, and cost no
            time there.

    Returns:
        Number of calls one after the other, 0 where none was made.
    """
    sequential = parameters.get("turn_order") == "sequential"
    # Only there is the first answer looked at before others are drawn.
    waits_for_answers = parameters.get("confidence_from") == "auto"
    steps = longest = 0
    before: Hashable = None
    for turn in turns:
        if turn.reused and not reused:
            continue
        if turn.kind in _UNHEARD or (turn.kind == "answer" and turn.role == "judge"):
            drawn = turn.kind in ("sample", "recall") and not (
                turn.kind == "sample" and waits_for_answers
            )
            longest = max(longest, 1 if drawn else steps + 1)
            continue
        step = _step(turn, sequential)
        steps += step != before
        before = step
        longest = max(longest, steps)
    return longest


def _step(turn: Turn, sequential: bool) -> Hashable:
    """What turns have in common that are asked for at once."""
    kind = "speech" if turn.kind == "candidate" else turn.kind
    in_turn = sequential and turn.round > 0 and kind in ("speech", "reward")
    return kind, turn.round, (turn.about or turn.participant) if in_turn else None


# The items of a task: how long they are, and which of them to rehearse on.

_SHOWN = ("passage", "proposition_burden", "opposition_burden")
"""Metadata of samples that prompts have beside the input."""


def lengths(samples: Sequence[Sample]) -> dict[str, int]:
    """How much text each item puts into prompts, by sample id, in characters.

    Counted are the input, the choices, and the metadata that protocols show.
    """
    return {str(sample.id): _length(sample) for sample in samples}


def spread(lengths: Mapping[str, int], number: int) -> list[str]:
    """Typical items: of equal groups by length, one of each.

    From each group the item nearest to the group's mean length is taken, not the
    middle one: lengths are skewed, and totals follow from means.

    Args:
        lengths: By sample id.
        number: How many items; all where there are no more.

    Returns:
        Their ids, the shortest item first.
    """
    ascending = sorted(lengths, key=lambda id: (lengths[id], id))
    groups = np.array_split(np.arange(len(ascending)), min(number, len(ascending)))
    chosen = []
    for places in groups:
        group = [ascending[place] for place in places]
        mean = sum(lengths[id] for id in group) / len(group)
        chosen.append(min(group, key=lambda id: abs(lengths[id] - mean)))
    return chosen


def _length(sample: Sample) -> int:
    asked = sample.input
    texts = [asked] if isinstance(asked, str) else [message.text for message in asked]
    metadata = sample.metadata or {}
    texts += sample.choices or []
    texts += [str(metadata[name]) for name in _SHOWN if metadata.get(name)]
    return sum(map(len, texts))
