"""The conditions of the SR-DCR study, and how its logs become rows.

A run of one protocol gives the answers of several conditions: all that follow from its
prior answer, given without the passage, and its contextual answer, given with it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd

from inspect_debate.v1.debate.calls import MAX_CHARACTERS
from inspect_debate.v1.debate.prompts import shipped_hashes
from inspect_debate.v1.metrics.means import calibrated_choice
from inspect_debate.v1.metrics.transitions import gated
from inspect_debate.v1.reports.conditions import Grouped, flat, group_conditions, text
from inspect_debate.v1.reports.frames import scores_of
from inspect_debate.v1.reports.logs import Log

STUDY = "srdcr"

# The study's conditions, samples and models.

Half = Literal["standard", "perturbed"]
HALVES: tuple[Half, ...] = ("standard", "perturbed")
"""The halves of the data set: the passage as it was, and with a wrong answer in it."""

_JUDGE_DEBATES = {
    f"judge_debate_{n}": f"Judge Debate, {n} round{'' if n == 1 else 's'}"
    for n in range(31)
}
JUDGE_DEBATES = tuple(_JUDGE_DEBATES)
"""One debate, judged after each of these rounds; the paper has 1, 3 and 5."""

CONDITIONS = {
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
"""All conditions by key, in the order in which they are reported."""

PROTOCOL_OF = {
    **{key: key for key in CONDITIONS if key != "prior"},
    **dict.fromkeys(JUDGE_DEBATES, "judge_debate"),
    "rci_first": "rci",
}
"""The protocol that is run for a condition; the prior answer has none of its own."""

PROTOCOLS = {
    protocol: CONDITIONS.get(protocol, "Judge Debate")
    for protocol in dict.fromkeys(PROTOCOL_OF[key] for key in [*CONDITIONS][1:])
}
"""All protocols as readers see them, in the order in which they are reported."""

DEBATES = ("acvd_only", "srdcr")
"""The conditions that the asymmetric debate decides."""

OF_SRDCR = (
    *("prior", "few_shot", "golden", "token_prob", "calibrated_token_prob"),
    *("confidence_only", *DEBATES),
)
"""The conditions that a run of SR-DCR contains, all from the same two answers."""

TWO_ANSWERS = (*OF_SRDCR, *JUDGE_DEBATES)
"""The conditions that follow from a prior and a contextual answer."""

DOMAINS = {
    "drugs": "Drug dosages",
    "records": "Sports records",
    "news": "Latest news",
    "years": "Wikipedia dates",
    "names": "Names",
    "locations": "Locations",
}
SEVERITIES = (1, 2, 3, 4, 5)
OFFSETS = (20, 40, 60, 100, 200)
"""Years by which dates are shifted at severities 1 to 5."""

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
"""The task's parameters, which titles of conditions leave out; without those that
change no answer, such as `recall_samples`."""


def titled(name: str, details: object) -> str:
    """A name with the parameters that differ from the study's: "SR-DCR, tau=0.8"."""
    return f"{name}, {details}" if details else name


def model_name(model: str) -> str:
    """The paper's name of a model, without provider and `-instruct`; others as is."""
    bare = model.rpartition("/")[2].lower().removesuffix("-instruct")
    return bare if bare in MODELS else model


def model_title(model: str) -> str:
    """A model as the paper's tables call it, where it is one of the paper's."""
    return MODELS.get(model, model)


def in_order(models: Iterable[str]) -> list[str]:
    """Models without repetition, those of the paper first and in its order."""
    places = {model: place for place, model in enumerate(MODELS)}
    return sorted(set(models), key=lambda name: (places.get(name, len(places)), name))


# Scores by what was run: a protocol with its parameters, whatever the model.

FACTS = ("question_id", "domain", "severity", "offset", "degree")
"""What a sample's metadata say about it, besides the half that it belongs to."""

# Parameters that change no answer: which samples, and what else is asked about them.
_OF_SAMPLES = ("domains", "questions", "recall_samples")
_PROVIDER = re.compile(r"[\w.-]+/(?=[\w.:/-])")
_NUMBERS = ("severity", "offset")
_ROLES = ("debater_b", "judge")
_KEY = ["run", "id", "epoch"]


def read_scores(logs: Sequence[Log]) -> pd.DataFrame:
    """The rows of `scores_of`, with `half` and `FACTS` of every sample."""
    facts = pd.DataFrame([row for log in logs for row in _facts(log)])
    scores = scores_of(logs)
    new = [name for name in facts if name in _KEY or name not in scores]
    return scores.merge(facts[new], on=_KEY, validate="one_to_one")


def conditions(scores: pd.DataFrame) -> Grouped:
    """Group rows by what was run: protocol, parameters, prompts and settings.

    The samples and the defender's model do not matter; another critic or judge than
    that model does. Of rows with the same sample, epoch and model the newest counts.

    Args:
        scores: Rows as from `read_scores`.

    Returns:
        As `group_conditions`; `frame` has also the defender's `model` (as
        `model_name`), the sample's id as `sample`, `details` (the parameters that
        differ from the study's) and `title` (the protocol with these).
    """
    models = _defenders(scores)
    masked = scores.assign(
        model=models.map(model_name),
        sample=scores["id"],
        id=models + " " + scores["id"],  # rows of several models are no repetitions
        debater_a=None,
        parameters=scores["parameters"].map(_shaping),
        **{role: scores[role].where(scores[role] != models) for role in _ROLES},
    )
    grouped = group_conditions(masked)
    frame = grouped.frame
    firsts = frame.drop_duplicates("condition").to_dict("records")
    details = {first["condition"]: ", ".join(_details(first)) for first in firsts}
    titles = {
        first["condition"]: titled(
            PROTOCOLS[first["protocol"]], details[first["condition"]]
        )
        for first in firsts
    }
    return grouped._replace(
        frame=frame.assign(
            details=frame["condition"].map(details),
            title=frame["condition"].map(titles),
        )
    )


def _details(row: Mapping[Any, Any]) -> Iterator[str]:
    """What differs from the study: "tau=0.8"."""
    defaults = DEFAULTS[row["protocol"]]
    for name, value in flat(row["parameters"]):
        if name != "reuse_until" and value not in (None, defaults.get(name)):
            yield f"{name}={text(value)}"
    yield from (f"model.{name}={text(value)}" for name, value in flat(row["settings"]))
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


def _defenders(scores: pd.DataFrame) -> "pd.Series[str]":
    """The defender's model; of samples that never began, that of others of the run."""
    logged = scores["models"].map(_defender).fillna(scores["debater_a"])
    of_run = logged.groupby(scores["run"]).transform("first")
    return logged.fillna(of_run).fillna("unknown")


def _defender(models: object) -> str | None:
    found = models if isinstance(models, dict) else {}
    first = (found[id] for id in sorted(found) if id.startswith("debater_a"))
    return next(first, next(iter(found.values()), None))


# Items: what was run on a sample. Answers: the conditions of an item.

MEASURES = ("strict", "normalised", "answered", "context", "prior")
"""The scores of every condition's answer, in items under `{measure}_{condition}`."""

SOURCES = {
    "confidence_logprobs": "log-probabilities",
    "confidence_consistency": "self-consistency",
}
"""The estimates of the confidence in the prior answer, as readers see them."""

_ITEM = [
    *("condition", "title", "details", "protocol", "model", "run", "log", "created"),
    *("answer_set", "parameters", "models", "sample", "epoch", "half", *FACTS),
]
# Scores of a model's two answers, which other runs of it may lack.
_OF_BOTH = [
    *("agree", "tier", "strict_prior", "normalised_prior", "context_prior"),
    "strict_few_shot",
]
_SHARED = [
    *(*_OF_BOTH, "p_prior", "p_contextual", "confidence", "contextual_confidence"),
    *("confident", "calls", "tokens"),
]
_SCORERS = ("clash", "self_confidence")
_VERDICT = re.compile(r"verdict_(\d+)")
_SAMPLE = ["model", "sample", "epoch"]


def items_of(grouped: Grouped) -> pd.DataFrame:
    """One row per run condition, model, sample and epoch that was scored.

    Args:
        grouped: As from `conditions`.

    Returns:
        The scores of `clash` and `self_confidence` under their own names (those of
        `clash` first) with `details`, `title`, `protocol`, `model`, `run` (its id),
        `log` (its file name), `answer_set` (the log in which the answers were first
        asked for), `sample`, `epoch`, `half` and `FACTS`: `severity` is 0 to 5,
        `offset` is in years and signed, `degree` is the data set's own word. The
        condition `calibrated_token_prob`, which compares all samples of a run, is
        added. Rows are in the order of models, whose titles are in `Model`.
    """
    frame = grouped.frame[grouped.frame["scored"]].reset_index(drop=True)
    named = frame.assign(answer_set=frame["log"].map(_answer_sets(grouped.frame)))
    scores = _own_names(frame)
    items = named[[*_ITEM, *scores]].rename(columns=scores)
    return _ordered(_with_calibrated(items))


def answers_of(items: pd.DataFrame) -> pd.DataFrame:
    """One row per model, condition, sample and epoch.

    Several runs of a model may contain the same condition. It is taken from the run of
    SR-DCR, which has all of `OF_SRDCR` from the same two answers (or of the debate
    alone), else from the run of the condition's own protocol, else from the newest run.
    Runs of the own protocol with other parameters are further conditions.

    Args:
        items: As from `items_of`.

    Returns:
        The columns that describe an item, and:

        - `key`, a key of `CONDITIONS`, and `variant`, the parameters that differ from
          the study's; `Condition` has both in words;
        - `strict` and `normalised`: 1 where the answer equals the right one, 0 where it
          does not or there is an abstention, NaN where it is not scored;
        - `answered`: 0 for an abstention; `context`: 1 where the answer is the
          passage's; `prior`: 1 where it is the model's own prior answer;
        - scores of the two answers, of the newest run of the model where a run lacks
          them, confidences, and the `calls` and `tokens` of the run.

        Rows are in the order of models and conditions; `place` numbers these.
    """
    parts = [_answers(items, key) for key in CONDITIONS if f"strict_{key}" in items]
    answers = _once(pd.concat(parts, ignore_index=True), [])
    logged = items.reindex(columns=[*_SAMPLE, "created", *_OF_BOTH])
    newest = logged.sort_values("created").groupby(_SAMPLE)[_OF_BOTH].last()
    elsewhere = answers[_SAMPLE].join(newest, on=_SAMPLE)[_OF_BOTH]
    return _ordered(answers.fillna({name: elsewhere[name] for name in _OF_BOTH}))


def rounds_of(items: pd.DataFrame) -> pd.DataFrame:
    """What the asymmetric debate would have decided after each of its rounds.

    Args:
        items: As from `items_of`.

    Returns:
        The columns of `answers_of` by `round` (from 0), for both of `DEBATES`, with
        `verdict`: 1 reasonable, 0 not, NaN not read or not asked for, and `Debate`: the
        model with the parameters that differ. Without a readable verdict the measures
        are NaN; equal answers that were not debated count as decided.
    """
    debates = items[items["protocol"].isin(DEBATES)]
    if debates.empty:
        own = ("key", "variant", "verdict", "round", "Debate")
        columns = [*_ITEM, *own, *MEASURES, *_SHARED]
        return _ordered(pd.DataFrame(columns=columns))
    parts = [part for key in DEBATES for part in _by_round(debates, key)]
    rounds = pd.concat(parts, ignore_index=True)
    asked = rounds["parameters"].map(lambda given: max(1, int(given["rounds"])))
    found = _ordered(_once(rounds[rounds["round"] < asked], ["round"]))
    titles = zip(found["Model"], found["variant"], strict=True)
    return found.assign(Debate=[titled(model, variant) for model, variant in titles])


def estimates_of(items: pd.DataFrame) -> pd.DataFrame:
    """One row per model, sample and epoch with what is known of its prior answer.

    Args:
        items: As from `items_of`.

    Returns:
        The columns of the items, always with `SOURCES`, `tier` and `prior_strict`. Of
        runs that share a sample, the one with most of these counts, then the newest.
    """
    wanted = [*SOURCES, "tier", "prior_strict"]
    filled = items.assign(**{n: np.nan for n in wanted if n not in items})
    known = filled[wanted].notna().sum(axis=1)
    best_last = filled.assign(known=known).sort_values(["known", "created"])
    return best_last.drop_duplicates(_SAMPLE, keep="last").sort_index()


def stacked(
    rows: pd.DataFrame, column: str, parts: "Mapping[str, pd.Series[bool]]"
) -> pd.DataFrame:
    """Several selections of rows below each other, condition by condition.

    Args:
        rows: Rows with `place`, as from `answers_of`.
        column: The new column, with the names of the selections.
        parts: By name, which of the rows are selected.
    """
    found = [rows[which].assign(**{column: name}) for name, which in parts.items()]
    return pd.concat(found, ignore_index=True).sort_values("place", kind="stable")


def _ordered(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows in the order of models and conditions, with titles and `place`."""
    by = {"Model": rows["model"].map(in_order(rows["model"]).index)}
    titles = {"Model": rows["model"].map(model_title)}
    if "key" in rows:
        by |= {"key": rows["key"].map([*CONDITIONS].index), "variant": rows["variant"]}
        titles["Condition"] = pd.Series(
            [titled(CONDITIONS[k], v) for k, v in rows[["key", "variant"]].to_numpy()],
            rows.index,
            dtype=object,
        )
    order = pd.DataFrame(by).sort_values([*by]).index
    ordered = rows.assign(**titles).loc[order].reset_index(drop=True)
    places = ordered.groupby([*titles], sort=False).ngroup()
    return ordered.assign(place=places.astype(int))


def _answers(items: pd.DataFrame, key: str) -> pd.DataFrame:
    scored = items[f"strict_{key}"].notna().groupby(items["run"]).transform("any")
    part = items[scored]
    nothing = pd.Series(np.nan, part.index)
    return _long(part, key, {m: part.get(f"{m}_{key}", nothing) for m in MEASURES})


def _long(
    part: pd.DataFrame, key: str, values: "Mapping[str, pd.Series[float]]"
) -> pd.DataFrame:
    own = part["protocol"] == PROTOCOL_OF.get(key)
    variant = part["details"].where(own | (key in DEBATES), "")
    kept = part.reindex(columns=[*_ITEM, *_SHARED])
    return kept.assign(key=key, variant=variant, own=own, **values)


def _once(answers: pd.DataFrame, also: Sequence[str]) -> pd.DataFrame:
    """Every condition of a model once per item, and its own runs' variants."""
    item = [*_SAMPLE, "key", *also]
    debate = answers["variant"].where(answers["key"].isin(DEBATES), "")
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
    """Which run a condition is taken from: 3 and 2 debates, 1 its own, 0 others."""
    debate = answers["protocol"].map({"srdcr": 3, "acvd_only": 2})
    own = answers["own"].astype(int)
    return debate.where(answers["key"].isin(OF_SRDCR)).fillna(own).astype(int)


def _by_round(items: pd.DataFrame, key: str) -> Iterator[pd.DataFrame]:
    """What each verdict decides, with the confidence gate or without."""
    found = {int(m[1]): m[0] for c in items if (m := _VERDICT.fullmatch(str(c)))}
    names = [found[round] for round in sorted(found)]
    sure = items["confident"] if key == "srdcr" else np.ones(len(items))
    # Equal answers are not judged; they count as the passage's.
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
        yield _long(items, key, values).assign(verdict=items[name], round=place)


def _with_calibrated(items: pd.DataFrame) -> pd.DataFrame:
    """Add the condition that compares the ranks of probabilities within a run."""
    if not {"strict_prior", "p_prior"} <= set(items):
        return items
    choice = pd.Series(np.nan, items.index)
    for _, run in items.groupby("run"):
        choice[run.index] = calibrated_choice(run["p_prior"], run["p_contextual"])
    chosen = {
        f"{name}_calibrated_token_prob": items[f"{name}_few_shot"]
        .where(choice == 1, items[f"{name}_prior"])
        .where(choice.notna())
        for name in MEASURES
    }
    return items.assign(**chosen)


def _own_names(frame: pd.DataFrame) -> dict[str, str]:
    """Scores by their own names; those that both scorers have come first."""
    names: dict[str, str] = {}
    for scorer in _SCORERS:
        for column in map(str, frame.columns):
            bare = column.removeprefix(f"{scorer}.")
            if bare != column and bare not in {*names.values(), *_ITEM}:
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
