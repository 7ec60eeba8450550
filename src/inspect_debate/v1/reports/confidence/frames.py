"""How logs of the confidence study become rows: debates, bets, verdicts, spending."""

import math
import re
import textwrap
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple
from urllib.parse import quote

import numpy as np
import pandas as pd
from inspect_ai.log import EvalSample

from inspect_debate.v1.debate.record import DebateRecord
from inspect_debate.v1.published.tables import paper_of
from inspect_debate.v1.reports.calls import Calls
from inspect_debate.v1.reports.conditions import Grouped, group_conditions
from inspect_debate.v1.reports.debates import price
from inspect_debate.v1.reports.elements import Link
from inspect_debate.v1.reports.samples import Held
from inspect_debate.v1.solvers.bet_records import (
    SIDES,
    sides_of,
    speech_name,
    speech_type,
)

STUDY = "confidence"

# Conditions and models, as readers see them and in the order of the report.

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
"""The key of rows over all models or conditions."""

_HASH = re.compile(r"(?<=prompts=)([0-9a-f]{6})[0-9a-f]{10}")
_PROVIDER = re.compile(r"(?<![^\s=])(?:[\w.-]+/)+(?=[\w.:-])")


def protocol_of(condition: str) -> str:
    """The preset of a condition, the first word of its label."""
    return condition.partition(" ")[0]


def title(condition: str) -> str:
    """A condition as readers see it: "Cross-model, rounds=2".

    Models go without their providers, and prompts by the first digits of their hash.
    """
    protocol, _, details = condition.partition(" ")
    name = PROTOCOLS.get(protocol, protocol)
    details = _HASH.sub(r"\1", _PROVIDER.sub("", details))
    return f"{name}, {details}" if details else name


def slug(condition: str) -> str:
    """A condition as part of a table's name."""
    return re.sub(r"\W+", "_", condition.lower()).strip("_")


def conditions_of(labels: Iterable[str]) -> list[str]:
    """Conditions without repetition, in the order of `PROTOCOLS`."""
    places = {protocol: place for place, protocol in enumerate(PROTOCOLS)}
    return sorted(
        dict.fromkeys(labels),
        key=lambda label: (places.get(protocol_of(label), len(places)), label),
    )


def titled(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows in the order of their conditions, with what readers call these as `title`.

    Rows of a condition keep their order; one whose title another has, too, keeps its
    label.
    """
    labels = conditions_of(rows["condition"])
    names = Counter(map(title, labels))
    titles = {of: title(of) if names[title(of)] == 1 else of for of in labels}
    labelled = rows["condition"]
    places = labelled.map({of: n for n, of in enumerate(labels)}).to_numpy(float)
    ordered = rows.assign(title=labelled.map(titles).astype(object))
    return ordered.iloc[places.argsort(kind="stable")]


def by_condition(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The rows of each condition, by its label, in the order of `conditions_of`."""
    labels = rows["condition"]
    return {label: rows[labels == label] for label in conditions_of(labels)}


def published_models(table: str = "table_2") -> list[str]:
    """The models of a table of the paper, in its order."""
    found = paper_of(STUDY).tables.get(table)
    rows = found.rows if found is not None else {}
    # Rows of Table 7 are a condition and a model.
    names = dict.fromkeys(row.rpartition(" ")[2] for row in rows)
    return [name for name in names if name != OVERALL]


@lru_cache
def model_name(model: str) -> str:
    """A model's name as the paper's tables have it, where it is one of theirs.

    A tariff (":free") is no part of a name, nor is the provider of a provider
    ("openrouter/openai/o3-mini"). Other models keep the name they were called by.
    """
    name = model.removesuffix(":free")
    bare = "/".join(name.split("/")[-2:])
    return bare if bare in published_models() else name


def in_order(models: Iterable[str], table: str = "table_2") -> list[str]:
    """Models in the order of a table of the paper, others after them by name."""
    places = {model: place for place, model in enumerate(published_models(table))}
    return sorted(set(models), key=lambda name: (places.get(name, len(places)), name))


def is_published_pool(models: Collection[str]) -> bool:
    """Whether these are the paper's ten models and no others."""
    return set(models) == set(published_models())


# Bets and verdicts, from scores alone.

DEBATE = ["condition", "run", "debate", "epoch"]
"""The columns that identify a debate: ids repeat where each model has a run."""

BETS = [
    *(*DEBATE, "motion", "side", "model", "self_debate"),
    *("round", "rounds", "speech", "bet", "recorded", "title"),
]
VERDICTS = [
    *(*DEBATE, "juror", "judge", "pass", "order", "winner", "confidence", "title"),
]

_VERDICT = re.compile(
    r"jury\.verdict_(?P<juror>judge(_\d+)?)_(?P<pass>\d+)(_(?P<order>ab|ba))?"
)
_WINNERS = {1.0: SIDES[0], 0.0: SIDES[1]}


def conditions(scores: pd.DataFrame) -> Grouped:
    """Group samples into conditions, whoever debates.

    A condition is a protocol with its parameters, prompts, jury and settings, whatever
    the debaters, their own settings, the grader and the seed: a pool, or ten logs of
    one model each, are one. Of debates with the same sample, seed, epoch and models the
    newest counts.

    Args:
        scores: Rows as from `scores_of`.

    Returns:
        As `group_conditions`; `frame` has the sample's id as `debate`, since `id` also
        names the models and the seed.
    """
    who = scores["sides"].map(str) + " " + scores["seed"].map(str)
    masked = scores.assign(
        debate=scores["id"],
        id=scores["id"] + " " + who,
        debater_a=None,
        debater_b=None,
        grader=None,
        seed=0,
        settings=scores["settings"].map(
            lambda of: {k: v for k, v in of.items() if not k.startswith("debater_")}
        ),
    )
    return group_conditions(masked)


def bets_of(grouped: Grouped) -> pd.DataFrame:
    """One row per side and round of every debate that was scored.

    Args:
        grouped: As from `conditions`.

    Returns:
        The columns `BETS`, as from `titled`. `debate` is the sample's id and `model` as
        `model_name` has it; `round` counts from 1 to `rounds`, and `speech` is
        `opening`, `rebuttal` or `closing`. `bet` is from 0 to 100, NaN where none was
        made; `recorded` is what a published data set has in its place, else the bet.
    """
    rows = [row for sample in _scored(grouped) for row in _bets(sample)]
    return titled(pd.DataFrame(rows, columns=BETS)).reset_index(drop=True)


def not_reused(bets: pd.DataFrame, grouped: Grouped) -> pd.DataFrame:
    """The bets without those of debates that a run took from another of the logs.

    Such debates were judged or graded anew: their bets are those of the other run, and
    would count twice where conditions are pooled.

    Args:
        bets: As from `bets_of`.
        grouped: As from `conditions`.
    """
    frame = grouped.frame
    again = frame.loc[frame["reuse"].isin(set(frame["log"])), "run"]
    return bets[~bets["run"].isin(set(again))]


def verdicts_of(grouped: Grouped) -> pd.DataFrame:
    """One row per verdict that a juror was asked for.

    Args:
        grouped: As from `conditions`.

    Returns:
        The columns `VERDICTS`, as from `titled`: `juror` is the participant and `judge`
        its model; `pass` counts from 1; `order` is `ab`, `ba` or None; `winner` is a
        side, or None where the verdict could not be read; `confidence` is from 0 to
        100.
    """
    rows = [row for sample in _scored(grouped) for row in _verdicts(sample)]
    return titled(pd.DataFrame(rows, columns=VERDICTS)).reset_index(drop=True)


def numbered(rows: pd.DataFrame, columns: Sequence[str] = DEBATE) -> "pd.Series[int]":
    """A number per row, the same where the columns are; by default one per debate."""
    return rows.groupby(list(columns), sort=False).ngroup()


def _scored(grouped: Grouped) -> Iterator[dict[str, Any]]:
    frame = grouped.frame
    kept = frame[frame["scored"] & frame["sides"].map(lambda s: isinstance(s, dict))]
    for sample in kept.to_dict("records"):
        key = (sample["condition"], sample["run"], sample["debate"], sample["epoch"])
        yield {str(k): v for k, v in sample.items()} | dict(
            zip(DEBATE, key, strict=True)
        )


def _bets(sample: dict[str, Any]) -> Iterator[dict[str, Any]]:
    rounds = int(sample["parameters"]["rounds"])
    common = {name: sample[name] for name in (*DEBATE, "motion")}
    models = {side: model_name(sample["sides"][side]) for side in SIDES}
    for side, model in models.items():
        for round in range(1, rounds + 1):
            yield common | {
                "side": side,
                "model": model,
                "self_debate": len(set(models.values())) == 1,
                "round": round,
                "rounds": rounds,
                "speech": speech_type(round, rounds),
                "bet": sample[f"bets.bet_{round}_{side}"],
                "recorded": sample[f"bets.recorded_{round}_{side}"],
            }


def _verdicts(sample: dict[str, Any]) -> Iterator[dict[str, Any]]:
    common = {name: sample[name] for name in DEBATE}
    for name in sample:
        found = _VERDICT.fullmatch(name)
        # Columns are those of all logs together: others may have had more jurors.
        if found is None or found["juror"] not in sample["models"]:
            continue
        yield common | {
            "juror": found["juror"],
            "judge": model_name(sample["models"][found["juror"]]),
            "pass": int(found["pass"]),
            "order": found["order"],
            "winner": _WINNERS.get(sample[name]),
            "confidence": sample[name.replace("verdict", "confidence", 1)],
        }


# Bets side by side: a row per debate and side, a column per speech.

SPEECHES = ("opening", "rebuttal", "closing")
"""The speeches of the paper's debates, which have three rounds."""

_SIDE = [*DEBATE, "side"]
_ABOUT = ["title", "motion", "model", "self_debate", "rounds"]


def by_side(bets: pd.DataFrame, value: str = "recorded") -> pd.DataFrame:
    """One row per debate and side, and a column for every speech, in their order.

    Args:
        bets: As from `bets_of`, of one condition.
        value: `recorded`, which the paper's tables count, or `bet`.

    Returns:
        What identifies debate and side, `title`, `motion`, `model`, `self_debate`,
        `rounds`, and the speeches' bets as `opening`, `rebuttal` (of four rounds and
        more `rebuttal_1`, ...) and `closing`.
    """
    rounds = bets["rounds"]
    names = [speech_name(*at) for at in zip(bets["round"], rounds, strict=True)]
    return _unstacked(bets, [name.replace(" ", "_") for name in names], value)


def three_speeches(bets: pd.DataFrame, value: str = "recorded") -> pd.DataFrame:
    """As `by_side`, of conditions with any number of rounds, by `SPEECHES`.

    Of several rebuttals the first counts; speeches that were not held are NaN.
    """
    kept = bets[(bets["speech"] != "rebuttal") | (bets["round"] == 2)]
    wide = _unstacked(kept, list(kept["speech"]), value)
    return wide.reindex(columns=[*_SIDE, *_ABOUT, *SPEECHES])


def by_debate(bets: pd.DataFrame, value: str = "recorded") -> pd.DataFrame:
    """One row per debate: `title` and the closing bets of both sides side by side."""
    closing = bets[bets["round"] == bets["rounds"]]
    wide = closing.set_index([*DEBATE, "side"])[value].unstack("side")
    wide = wide.reindex(columns=list(SIDES)).reset_index()
    return titled(wide)


def transitions(speeches: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Pairs of speeches by name: each with the next one, and the first with the last.

    `open_to_rebuttal`, `rebuttal_to_closing` and `open_to_closing` in three rounds.
    """
    pairs = [*pairwise(speeches)]
    pairs += [(speeches[0], speeches[-1])] if len(speeches) > 2 else []
    return {f"{a.replace('opening', 'open')}_to_{b}": (a, b) for a, b in pairs}


def speeches_of(wide: pd.DataFrame) -> list[str]:
    """The speeches that a frame of sides has a column for."""
    return [name for name in wide.columns if name.startswith(SPEECHES)]


def label(name: str) -> str:
    """A speech or transition for readers: "Opening to rebuttal"."""
    return name.replace("open_to_", "opening_to_").replace("_", " ").capitalize()


def pooled(bets: pd.DataFrame) -> pd.DataFrame:
    """The bets of the conditions that the paper's overall rows pool."""
    return bets[bets["condition"].map(protocol_of).isin(POOLED)]


def _unstacked(bets: pd.DataFrame, names: Sequence[str], value: str) -> pd.DataFrame:
    order = list(dict.fromkeys(names))
    about = bets.groupby(_SIDE, sort=False)[_ABOUT].first()
    values = bets.assign(name=names).set_index([*_SIDE, "name"])[value]
    wide = values.unstack("name").reindex(columns=order).reindex(about.index)
    return about.join(wide).reset_index()


# What the jury decided.

TIE = "tie"
"""What a rule gives where neither side has more: a result that is nobody's."""

_SEAT = ["juror", "pass", "order"]


def decisions(verdicts: pd.DataFrame) -> pd.DataFrame:
    """One row per debate with a verdict.

    Args:
        verdicts: As from `verdicts_of`.

    Returns:
        What identifies the debate, `title`, `by_sum` (the side of the greater sum of
        confidences), `by_majority` (that of most votes), each a side or `TIE`, and
        `unanimous`: 1 or 0, NaN where there is only one verdict. `by_sum` is missing
        where a vote has no readable confidence.
    """
    read = verdicts[verdicts["winner"].notna()]
    votes = _per_side(read.assign(votes=1.0), "votes")
    summed = read["confidence"].notna().groupby([read[name] for name in DEBATE]).all()
    unanimous = (votes.min(axis=1) == 0).astype(float)
    found = pd.DataFrame(
        {
            "by_sum": _greater(_per_side(read, "confidence")).where(summed),
            "by_majority": _greater(votes),
            "unanimous": unanimous.where(votes.sum(axis=1) > 1),
        }
    )
    return titled(found.reset_index())


def seats(verdicts: pd.DataFrame) -> pd.DataFrame:
    """The verdicts of one condition by debate and seat: 1 proposition, 0 opposition.

    A juror has a seat for every pass and order; NaN where a verdict is missing.
    """
    votes = verdicts["winner"].map({SIDES[0]: 1.0, SIDES[1]: 0.0})
    named = verdicts.assign(vote=votes, order=verdicts["order"].fillna(""))
    return named.pivot(index=DEBATE, columns=_SEAT, values="vote").astype(float)


def with_motion(debates: pd.DataFrame, bets: pd.DataFrame) -> pd.DataFrame:
    """Debates with their motions, which the frame of bets has."""
    return debates.merge(bets[[*DEBATE, "motion"]].drop_duplicates(), on=DEBATE)


def _per_side(read: pd.DataFrame, column: str) -> pd.DataFrame:
    sums = read.groupby([*DEBATE, "winner"])[column].sum().unstack("winner")
    return sums.reindex(columns=list(SIDES)).fillna(0.0)


def _greater(by_side: pd.DataFrame) -> "pd.Series[str]":
    lead = by_side[SIDES[0]] - by_side[SIDES[1]]
    won = np.select([lead > 0, lead < 0], list(SIDES), TIE)
    return pd.Series(won, index=by_side.index)


# What only records have: tokens and prices, models served, and strategic bets.

SPENT = (
    *("condition", "debate", "rounds", "model", "seats"),
    *("prompt", "completion", "tokens", "cost"),
)
"""Columns: a row per debate and debating model, which had so many `seats`.

`prompt` and `completion` are tokens as a release counted them, NaN in runs; `tokens`
are both; `cost` is what a run paid in US dollars, NaN where no price was known.
"""

CASES = ["condition", "log", "debate", "speech", "model", "bet", "says"]
"""Columns: a row per strategic bet, with a link to its sample and the grader's reason.
"""

SCORER = "bet_alignment"
"""The scorer that compares bets with the reasoning before them."""

_VIEWER = "http://127.0.0.1:7575/#/logs"
_LONGEST = 260
_LABEL = re.compile(
    r"\W*(?:(?:numeric|internal) confidence|assessment|degree|strategic)\W*:", re.I
)


class Records(NamedTuple):
    """What the records of all logs say: the calls, `SPENT` and `CASES`."""

    calls: Calls
    spent: pd.DataFrame
    cases: pd.DataFrame


class Seen(NamedTuple):
    """What the record of a sample has: rows of `SPENT` and of `CASES`.

    `sample` is its run, its id and its epoch.
    """

    sample: tuple[str, str, int]
    spent: list[dict[str, Any]]
    cases: list[dict[str, Any]]


def seen(held: Held) -> Seen:
    """What there is to see in a debate, for `read_with_calls`."""
    log, sample, record = held
    key = (log.header.eval.eval_id, str(sample.id), sample.epoch)
    if record is None:
        return Seen(key, [], [])
    return Seen(key, [*_spent(sample, record)], [*_cases(held, record)])


def records_of(calls: Calls, found: Sequence[Seen], grouped: Grouped) -> Records:
    """What the records of conditions say.

    Args:
        calls: The calls.
        found: What was seen in all samples.
        grouped: As from `conditions`; samples that newer logs replaced are left out.
    """
    columns = ["run", "debate", "epoch", "condition"]
    conditions = {
        (run, debate, epoch): condition
        for run, debate, epoch, condition in grouped.frame[columns].to_numpy()
    }
    here = [one for one in found if one.sample in conditions]

    def rows(kind: str, columns: Sequence[str]) -> pd.DataFrame:
        of = (
            {"condition": conditions[one.sample]} | row
            for one in here
            for row in getattr(one, kind)
        )
        return pd.DataFrame(of, columns=[*columns])

    return Records(calls, rows("spent", SPENT), rows("cases", CASES))


def _spent_by_release(counts: Mapping[str, int] | None) -> dict[str, float]:
    """What a model spent in one released debate; failed calls count, too.

    Args:
        counts: Its tokens in the transcript; None where it has none.

    Returns:
        The last four of the columns `SPENT`.
    """
    if counts is None:
        return dict.fromkeys(SPENT[5:], math.nan)
    prompt, completion, tokens = (
        counts[f"successful_{kind}_tokens"] + counts[f"failed_{kind}_tokens"]
        for kind in ("prompt", "completion", "total")
    )
    numbers = (prompt, completion, tokens, math.nan)
    return dict(zip(SPENT[5:], numbers, strict=True))


def _spent(sample: EvalSample, record: DebateRecord) -> Iterator[dict[str, Any]]:
    """What each model spent; of transcripts tokens were counted by debate, not by call.

    Speeches that were taken from another run were paid for there.
    """
    models = list(_models(record).values())
    speeches = [t for t in record.turns if t.role != "judge" and not t.reused]
    released = sample.metadata.get("released_tokens")
    for model in dict.fromkeys(models if speeches else ()):
        used = [turn for turn in speeches if turn.model == model]
        yield {
            "debate": str(sample.id),
            "rounds": int(record.parameters["rounds"]),
            "model": model_name(model),
            "seats": models.count(model),
            "tokens": sum(turn.usage.total_tokens for turn in used),
            "cost": price(used) if released is None else math.nan,
        } | (
            {}
            if released is None
            else _spent_by_release(released.get("debaters", {}).get(model))
        )


def _models(record: DebateRecord) -> dict[str, str]:
    return {side: record.participant(id).model for side, id in sides_of(record).items()}


def _cases(debate: Held, record: DebateRecord) -> Iterator[dict[str, Any]]:
    score = (debate.sample.scores or {}).get(SCORER)
    grades = ((score.metadata if score else None) or {}).get("grades", [])
    rounds, models = int(record.parameters["rounds"]), _models(record)
    for grade in grades:
        if grade.get("strategic") == "yes":
            yield {
                "log": debate.log.path.name,
                "debate": _link(debate),
                "speech": f"{grade['side']}, {speech_name(grade['round'], rounds)}",
                "model": model_name(models[grade["side"]]),
                "bet": grade["bet"],
                "says": excerpt(grade["explanation"]),
            }


def _link(debate: Held) -> Link:
    """Where `inspect view` shows a sample's scores."""
    log, sample = debate.log.path.name, debate.sample
    place = f"samples/sample/{quote(str(sample.id), safe='')}/{sample.epoch}/scoring"
    epoch = "" if sample.epoch == 1 else f", epoch {sample.epoch}"
    return Link(f"{sample.id}{epoch}", f"{_VIEWER}/{quote(log)}/{place}")


def excerpt(explanation: str) -> str:
    """What a grader says of strategy: its last paragraph before the lines of labels."""
    lines = explanation.splitlines()
    prose = "\n".join(line for line in lines if not _LABEL.match(line)).strip()
    last = re.split(r"\n\s*\n", prose)[-1]
    return textwrap.shorten(last, _LONGEST, placeholder=" …")
