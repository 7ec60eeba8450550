"""Items, answers and rounds of SR-DCR runs as frames, from scores alone."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from inspect_debate.debate.prompts import shipped_hashes
from inspect_debate.metrics.means import calibrated_choice
from inspect_debate.metrics.transitions import gated
from inspect_debate.reports.arms import Arms, arms, flat, text
from inspect_debate.reports.frames import scores_of
from inspect_debate.reports.logs import Log
from inspect_debate.reports.srdcr.study import (
    ARMS,
    DEBATES,
    DEFAULTS,
    HELD,
    PROTOCOL_OF,
    PROTOCOLS,
    VERSIONS,
    model_name,
    titled,
)

# Scores of SR-DCR runs by condition: protocol and parameters, whatever the model.

FACTS = ("question_id", "domain", "severity", "offset", "degree")
"""What a sample's metadata say of it, but for the half that it is in."""

# Parameters that change no answer: which samples, and what else is asked of them.
_OF_SAMPLES = ("domains", "questions", "recall_samples")
# Where earlier stages came from.
_ORIGINS = ("reuse_until",)
_PROVIDER = re.compile(r"[\w.-]+/(?=[\w.:/-])")
_NUMBERS = ("severity", "offset")
_ROLES = ("debater_b", "judge")
_KEY = ["run", "id", "epoch"]


def read_scores(logs: Sequence[Log]) -> pd.DataFrame:
    """As `scores_of`, with the `half` and the `FACTS` of every sample.

    Args:
        logs: Logs of this study.
    """
    facts = pd.DataFrame([row for log in logs for row in _facts(log)])
    scores = scores_of(logs)
    new = [name for name in facts if name in _KEY or name not in scores]
    return scores.merge(facts[new], on=_KEY, validate="one_to_one")


def conditions(scores: pd.DataFrame) -> Arms:
    """Group rows into conditions: arms of which it does not matter what model they are.

    A condition is a protocol with its parameters, prompts and settings, whichever the
    samples; a critic or judge that is not the defender's model makes another one. Of
    rows with the same sample, epoch and model the newest counts.

    Args:
        scores: Rows as from `read_scores`.

    Returns:
        As `arms`; `frame` has the defender's `model` as `model_name` has it, the
        sample's id as `sample`, since `id` also tells the model, and of the condition
        `details`, what is not as in the study, and `title`, the protocol's with them.
    """
    models = _models(scores)
    masked = scores.assign(
        model=models.map(model_name),
        sample=scores["id"],
        id=models + " " + scores["id"],
        debater_a=None,
        parameters=scores["parameters"].map(_shaping),
        **{role: scores[role].where(scores[role] != models) for role in _ROLES},
    )
    grouped = arms(masked)
    frame = grouped.frame
    firsts = frame.drop_duplicates("arm").to_dict("records")
    details = {first["arm"]: ", ".join(_details(first)) for first in firsts}
    titles = {
        first["arm"]: titled(PROTOCOLS[first["protocol"]], details[first["arm"]])
        for first in firsts
    }
    return grouped._replace(
        frame=frame.assign(
            details=frame["arm"].map(details), title=frame["arm"].map(titles)
        )
    )


def titles_of(grouped: Arms) -> dict[str, str]:
    """What readers call the conditions that have rows, by label.

    Args:
        grouped: As from `conditions`.
    """
    known = grouped.frame.drop_duplicates("arm")
    return dict(zip(known["arm"], known["title"], strict=True))


def _details(row: Mapping[Any, Any]) -> Iterator[str]:
    """What of a condition is not as in the study: "tau=0.8"."""
    defaults = DEFAULTS[row["protocol"]]
    for name, value in flat(row["parameters"]):
        if name not in _ORIGINS and value not in (None, defaults.get(name)):
            yield f"{name}={text(value)}"
    yield from (f"model.{name}={text(value)}" for name, value in flat(row["settings"]))
    # Models go without their providers, prompts by the first digits of their hash.
    for role in _ROLES:
        if isinstance(row[role], str):
            yield f"{role}={_PROVIDER.sub('', row[role])}"
    if row["prompts"] not in shipped_hashes("srdcr"):
        yield f"prompts={str(row['prompts'])[:6]}"
    if row["seed"]:
        yield f"seed={row['seed']}"
    if row["task_version"] not in VERSIONS:
        yield f"version={row['task_version']}"


def _shaping(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that can change an answer.

    Asking for both confidences decides as the automatic choice between them does.
    """
    kept = {k: v for k, v in parameters.items() if k not in _OF_SAMPLES}
    both = kept.get("confidence_from") == "both"
    return kept | ({"confidence_from": "auto"} if both else {})


def _facts(log: Log) -> Iterator[dict[str, object]]:
    for summary in log.summaries:
        found, id = summary.metadata, str(summary.id)
        question, _, half = id.rpartition("-")
        yield {
            "run": log.header.eval.eval_id,
            "id": id,
            "epoch": summary.epoch,
            "half": found.get("condition", half),
            **{name: found.get(name) for name in FACTS},
            "question_id": found.get("question_id", question),
            **{name: _number(found.get(name)) for name in _NUMBERS},
        }


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else np.nan


def _models(scores: pd.DataFrame) -> "pd.Series[str]":
    """The defender's model; of samples that never began, that of others of the run."""
    told = scores["models"].map(_defender).fillna(scores["debater_a"])
    of_run = told.groupby(scores["run"]).transform("first")
    return told.fillna(of_run).fillna("unknown")


def _defender(models: object) -> str | None:
    found = models if isinstance(models, dict) else {}
    first = (found[id] for id in sorted(found) if id.startswith("debater_a"))
    return next(first, next(iter(found.values()), None))


ITEM = [
    *("condition", "title", "details", "protocol", "model", "run", "log", "created"),
    *("answer_set", "parameters", "models", "sample", "epoch", "half", *FACTS),
]
"""The columns of items before the scores."""

MEASURES = ("strict", "normalised", "answered", "context", "prior")
"""What the scores say of every arm's answer, under `{measure}_{arm}`."""

ANSWERED = ["arm", "variant", *MEASURES]
"""The columns of answers beside those of `ITEM` and `SHARED`."""

KNOWN = [
    *("agree", "tier", "strict_prior", "normalised_prior", "context_prior"),
    "strict_few_shot",
]
"""Scores about a model's two answers, which other runs of it may lack."""

SHARED = [
    *(*KNOWN, "p_prior", "p_contextual", "confidence", "contextual_confidence"),
    *("confident", "calls", "tokens"),
]
"""Scores that answers have, too; NaN in runs without them."""

_SCORERS = ("clash", "self_confidence")
_VERDICT = re.compile(r"verdict_(\d+)")
_SAMPLE = ["model", "sample", "epoch"]
_CALIBRATED = "calibrated_token_prob"


def items_of(grouped: Arms) -> pd.DataFrame:
    """One row per condition, model, sample and epoch that was scored.

    Args:
        grouped: As from `conditions`.

    Returns:
        The columns `ITEM`, and all values of the scorers `clash` and `self_confidence`
        under their own names (of a name that both have, those of `clash`; NaN where a
        run has no such value). `condition` is the protocol with what tells it from
        other conditions of it, `details` what is not as in the study, and `title` what
        readers call it; `run` is
        the run's id and `log` the log's file name; `answer_set` is the log in which the
        answers were first asked for, the same in runs that use them again; `half` is
        `standard` or `perturbed`; `severity` is 0 to 5; `offset` is in years and
        signed, NaN in other domains; `degree` is the data set's own word for the
        perturbation. The arm `calibrated_token_prob`, which takes a whole run, is
        added.
    """
    frame = grouped.frame[grouped.frame["scored"]].reset_index(drop=True)
    named = frame.assign(
        condition=frame["arm"],
        answer_set=frame["log"].map(_answer_sets(grouped.frame)),
    )
    scores = _bare_names(frame)
    items = named[[*ITEM, *scores]].rename(columns=scores)
    return _with_calibrated(items)


def answers_of(items: pd.DataFrame) -> pd.DataFrame:
    """One row per model, arm, variant, sample and epoch.

    Runs of one model that have the same arm give it once: that of SR-DCR, which has all
    of `HELD` on the same two answers (one of the debate alone, where there is none),
    else the run whose protocol is the arm's own, else the newest. Runs for the arm's
    sake with other parameters are further variants of it.

    Args:
        items: As from `items_of`.

    Returns:
        The columns `ITEM`, `ANSWERED` and `SHARED`. `arm` is a key of `ARMS`.
        `variant` is what of the arm's own protocol is not as in the study (of the
        debate, for both of its arms); empty in other protocols' runs. `strict`
        and `normalised` are 1 where the answer equals the right one, 0 where it does
        not or the arm abstained, NaN where it is not scored; `answered` is 0 where it
        abstained; `context` is 1 where the answer is the passage's, `prior` where it
        is the model's own prior answer. `KNOWN` values that a run has not are those of
        the newest run of the model that has them. `calls` and `tokens` are the run's,
        so the arm's only where `protocol` is the arm's own.
    """
    parts = [_answers(items, arm) for arm in ARMS if f"strict_{arm}" in items]
    answers = _once(pd.concat(parts, ignore_index=True), [])
    told = items.reindex(columns=[*_SAMPLE, "created", *KNOWN]).sort_values("created")
    newest = told.groupby(_SAMPLE)[KNOWN].last()
    elsewhere = answers[_SAMPLE].join(newest, on=_SAMPLE)[KNOWN]
    return answers.fillna({name: elsewhere[name] for name in KNOWN})


def rounds_of(items: pd.DataFrame) -> pd.DataFrame:
    """What the asymmetric debate would have decided after each of its rounds.

    Args:
        items: As from `items_of`.

    Returns:
        One row per model, arm (`srdcr`, `acvd_only`), variant, sample, epoch and
        round, for the runs that `answers_of` takes: its columns, `round` (from 0)
        and `verdict` (1 reasonable, 0 not, NaN not read or not asked for). Where the
        verdict could not be read, what is decided is NaN; where equal answers were not
        debated, it is their answer.
    """
    debates = items[items["protocol"].isin(DEBATES)]
    if debates.empty:
        return pd.DataFrame(columns=[*ITEM, *ANSWERED, *SHARED, "verdict", "round"])
    parts = [part for arm in DEBATES for part in _by_round(debates, arm)]
    rounds = pd.concat(parts, ignore_index=True)
    return _once(rounds[rounds["round"] < _rounds(rounds)], ["round"])


def _answers(items: pd.DataFrame, arm: str) -> pd.DataFrame:
    scored = items[f"strict_{arm}"].notna().groupby(items["run"]).transform("any")
    part = items[scored]
    values = {name: _column(part, f"{name}_{arm}") for name in MEASURES}
    return _long(part, arm, values)


def _long(
    part: pd.DataFrame, arm: str, values: "dict[str, pd.Series[float]]"
) -> pd.DataFrame:
    own = part["protocol"] == PROTOCOL_OF.get(arm)
    detailed = own | (arm in DEBATES)
    return part.reindex(columns=[*ITEM, *SHARED]).assign(
        arm=arm, variant=part["details"].where(detailed, ""), own=own, **values
    )


def _once(answers: pd.DataFrame, also: Sequence[str]) -> pd.DataFrame:
    """Every arm of a model once per item, and variant of the arm's own runs."""
    item = [*_SAMPLE, "arm", *also]
    debate = answers["variant"].where(answers["arm"].isin(DEBATES), "")
    rank = _rank(answers)
    best = rank.groupby([*(answers[name] for name in item), debate]).transform("max")
    kept = answers[(rank == best) | (answers["own"] & (answers["variant"] != ""))]
    plain = kept["protocol"].isin(DEBATES) & (kept["details"] == "")
    best_last = kept.assign(rank=rank, plain=plain).sort_values(
        ["rank", "plain", "created"], kind="stable"
    )
    others = best_last.duplicated([*item, "variant"], keep="last").sort_index()
    return kept[~others].drop(columns="own").reset_index(drop=True)


def _rank(answers: pd.DataFrame) -> "pd.Series[int]":
    """Which run an arm is taken from: 3 and 2 its debates, 1 its own, 0 others."""
    held = answers["protocol"].map({"srdcr": 3, "acvd_only": 2})
    own = answers["own"].astype(int)
    return held.where(answers["arm"].isin(HELD)).fillna(own).astype(int)


def _by_round(items: pd.DataFrame, arm: str) -> Iterator[pd.DataFrame]:
    """What each verdict stands for, with the confidence gate or without."""
    found = {int(m[1]): m[0] for c in items if (m := _VERDICT.fullmatch(str(c)))}
    names = [found[round] for round in sorted(found)]
    sure = items["confident"] if arm == "srdcr" else np.ones(len(items))
    # What both answers say is not judged: it stands as the passage's would.
    agreed = (items["debated"] == 0) & (items["agree"] == 1)
    decided = {
        name: gated(
            items[names].mask(agreed, 1.0),
            sure,
            if_contextual=items[f"{name}_few_shot"],
            if_prior=items[f"{name}_prior"],
        )
        for name in MEASURES
    }
    for place, name in enumerate(names):
        values = {
            of: pd.Series(table[:, place], items.index) for of, table in decided.items()
        }
        yield _long(items, arm, values).assign(verdict=items[name], round=place)


def _rounds(frame: pd.DataFrame) -> "pd.Series[int]":
    return frame["parameters"].map(lambda given: max(1, int(given["rounds"])))


def _with_calibrated(items: pd.DataFrame) -> pd.DataFrame:
    """With the arm that compares the ranks of probabilities among all of the run."""
    if not {"strict_prior", "p_prior"} <= set(items):
        return items
    choice = pd.Series(np.nan, items.index)
    for _, run in items.groupby("run"):
        choice[run.index] = calibrated_choice(run["p_prior"], run["p_contextual"])
    arms = {
        f"{name}_{_CALIBRATED}": items[f"{name}_few_shot"]
        .where(choice == 1, items[f"{name}_prior"])
        .where(choice.notna())
        for name in MEASURES
    }
    return items.assign(**arms)


def _column(frame: pd.DataFrame, name: str) -> "pd.Series[float]":
    return frame[name] if name in frame else pd.Series(np.nan, index=frame.index)


def _bare_names(frame: pd.DataFrame) -> dict[str, str]:
    """Scores by their own names; those that both scorers have come first."""
    names: dict[str, str] = {}
    for scorer in _SCORERS:
        for column in map(str, frame.columns):
            bare = column.removeprefix(f"{scorer}.")
            if bare != column and bare not in {*names.values(), *ITEM}:
                names[column] = bare
    return names


def _answer_sets(frame: pd.DataFrame) -> dict[str, str]:
    """By log the log in which its answers were first asked for."""
    runs = frame.drop_duplicates("log").set_index("log")["reuse"].dropna()
    earlier = {str(log): str(of) for log, of in runs.items()}

    def first(log: str, seen: frozenset[str] = frozenset()) -> str:
        of = earlier.get(log)
        return log if of is None or of in seen else first(of, seen | {log})

    return {log: first(log) for log in frame["log"].unique()}
