"""Which arms of the ColMAD study are compared, and what models could gain."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from inspect_debate.metrics.detection import (
    OracleReduction,
    gap_closed,
    oracle_reduction,
)
from inspect_debate.reports.colmad.frames import (
    AUTHORS,
    DEBATES,
    PUBLISHED,
    SUBSETS,
    Arm,
    short,
)
from inspect_debate.reports.comparisons import Planned, comparison_tables
from inspect_debate.reports.elements import (
    COUNT,
    NUMBER,
    PERCENT,
    POINTS,
    Format,
    Table,
)
from inspect_debate.reports.estimates import clusters, expected, share


class Question(NamedTuple):
    """What a comparison is to answer, and which two arms it takes for that.

    `of_variants` tells whether it is asked of all variants of a debate.
    """

    text: str
    applies: Callable[[Arm, Arm], bool]
    of_variants: bool = False


def comparisons(arms: Sequence[Arm]) -> list[Table]:
    """All comparisons of the study that the arms allow; none without a debate.

    Variants of a debate are compared with each other; with other protocols only the
    debate as published is, where it was run, to keep the family of tests small.
    """
    debates = [arm for arm in arms if arm.protocol in DEBATES and arm.rounds]
    planned = [
        Planned(
            question.text,
            debate.models,
            _label(debate, other),
            other.samples,
            debate.samples,
        )
        for question in QUESTIONS
        for debate in (debates if question.of_variants else main_debates(debates))
        for other in arms
        if question.applies(debate, other)
    ]
    return list(comparison_tables(planned)) if planned else []


def missing_openings(arms: Sequence[Arm]) -> str:
    """Which runs would tell what the speeches of these arms add; "" where none lacks.

    They are the same debates without a round, on the first answers of the debates.
    """
    wanted: dict[str, list[str]] = {}
    for debate in arms:
        shown = debate.rounds and debate.parameters.get("show_openings")
        if shown and not any(gain_over_openings(debate, a) for a in arms):
            wanted.setdefault(_openings(debate), []).append(debate.name)
    if not wanted:
        return ""
    lines = [f"- {'; '.join(names)}: `{run}`" for run, names in wanted.items()]
    return (
        "What the speeches add cannot be told of the debates below, which have no "
        "twin without a round. This is missing, LOG being the debate's log, and all "
        "else as in it:\n\n" + "\n".join(lines)
    )


def _openings(debate: Arm) -> str:
    given: dict[str, object] = {"protocol": debate.protocol, "rounds": 0}
    published = PUBLISHED[debate.protocol]
    for name, value in debate.parameters.items():
        if name == "skip_if_agree" or value != published.get(name, value):
            given.setdefault(name, str(value).lower())
    given |= {"reuse": "LOG", "reuse_until": "answers"}
    roles = {"debater_a": debate.debater_a, "debater_b": debate.debater_b}
    if debate.judge != debate.debater_a:
        roles["judge"] = (debate.judge or "").replace(", ", ",")
    words = [f"-T {name}={value}" for name, value in given.items()]
    words += [f"--model-role {role}={model}" for role, model in roles.items()]
    return " ".join(["inspect eval inspect_debate/colmad", *words])


class Shared(NamedTuple):
    """Arms on the same samples.

    `arms` have only rows that all of them have and predict, `samples` of them each;
    `left_out` names those that share none with the arms before them.
    """

    arms: list[Arm]
    samples: int
    left_out: list[str]


def on_shared(arms: Sequence[Arm]) -> Shared:
    """Restrict arms to the samples and epochs that all of them predict.

    Args:
        arms: The most important first: one that shares no sample with all before it is
            left out.
    """
    kept: list[Arm] = []
    shared: set[tuple[Hashable, ...]] = set()
    for arm in arms:
        own = set(_keys(arm.rows)[arm.rows["prediction"].notna()])
        common = own & shared if kept else own
        if common:
            kept.append(arm)
            shared = common
    names = {arm.name for arm in kept}
    return Shared(
        [
            replace(arm, samples=arm.rows[_keys(arm.rows).isin(list(shared))])
            for arm in kept
        ],
        len(shared),
        [arm.name for arm in arms if arm.name not in names],
    )


def _keys(rows: pd.DataFrame) -> pd.MultiIndex:
    """What identifies a sample: one of the same id but other content is another."""
    parts = [rows["id"], rows["epoch"], rows["gold"], clusters(rows)]
    return pd.MultiIndex.from_arrays(parts)


def main_debates(debates: Sequence[Arm]) -> list[Arm]:
    """Debates as published, and all of a protocol and its people that has none."""
    return [
        debate
        for debate in debates
        if debate.as_published
        or not any(
            other.as_published
            and other.protocol == debate.protocol
            and _same_people(debate, other)
            for other in debates
        )
    ]


def gain_over_openings(debate: Arm, other: Arm) -> bool:
    """Whether the other arm is the same debate without a round of speeches."""
    return (
        other.protocol == debate.protocol
        and other.rounds == 0
        and _same_people(debate, other)
        and _differ_in(debate, other) <= {"rounds"}
    )


def _over_judge_alone(debate: Arm, other: Arm) -> bool:
    return other.protocol == "judge_alone" and other.judge == debate.judge


def _over_single(debate: Arm, other: Arm) -> bool:
    return other.protocol == "single" and other.debaters <= debate.debaters


def _over_votes(debate: Arm, other: Arm) -> bool:
    return other.protocol == "self_consistency" and other.debaters <= debate.debaters


def _over_pair_without_judge(debate: Arm, other: Arm) -> bool:
    return other.protocol in ("ensemble", "som") and other.debaters == debate.debaters


def _collaboration(debate: Arm, other: Arm, same_settings: bool) -> bool:
    if (debate.protocol, other.protocol) != ("colmad", "copmad"):
        return False
    differ = _differ_in(debate, other)
    confounded = {"skip_if_agree"} <= differ <= {"skip_if_agree", "show_openings"}
    alike = not differ if same_settings else confounded
    return _same_people(debate, other) and alike


def _short_cut(debate: Arm, other: Arm) -> bool:
    return (
        debate.protocol == other.protocol
        and bool(debate.parameters["skip_if_agree"])
        and _same_people(debate, other)
        and _differ_in(debate, other) == {"skip_if_agree"}
    )


def _openings_shown(debate: Arm, other: Arm) -> bool:
    return (
        debate.protocol == other.protocol
        and bool(debate.parameters.get("show_openings"))
        and _same_people(debate, other)
        and _differ_in(debate, other) == {"show_openings"}
    )


QUESTIONS = (
    Question(
        "What do the speeches add? Against the same judge on first answers alone",
        gain_over_openings,
        of_variants=True,
    ),
    Question("Is it better than the judge alone?", _over_judge_alone),
    Question("Is it better than one of its debaters alone?", _over_single),
    Question("Is it better than a vote over answers of one model?", _over_votes),
    Question(
        "Is it better than both models without a judge?", _over_pair_without_judge
    ),
    Question(
        "Collaboration against competition, both with or both without the short-cut",
        lambda debate, other: _collaboration(debate, other, same_settings=True),
        of_variants=True,
    ),
    Question(
        "Collaboration against competition, confounded: only one has the short-cut",
        lambda debate, other: _collaboration(debate, other, same_settings=False),
        of_variants=True,
    ),
    Question("What does the agreement short-cut change?", _short_cut, of_variants=True),
    Question(
        "What does it change to show the first answers?",
        _openings_shown,
        of_variants=True,
    ),
)
"""In the order of the table."""


def _same_people(one: Arm, other: Arm) -> bool:
    people = [(arm.debater_a, arm.debater_b, arm.judge) for arm in (one, other)]
    return people[0] == people[1]


def _differ_in(one: Arm, other: Arm) -> set[str]:
    a, b = one.condition, other.condition
    return {name for name in {*a, *b} if a.get(name) != b.get(name)}


def _label(debate: Arm, other: Arm) -> str:
    of_others = f" ({other.models})" if other.models != debate.models else ""
    return f"{debate.title} − {other.title}{of_others}"


# What models could gain from each other, and what debates make of it.

_KEYS = ["id", "epoch"]
_DEBATERS = ("debater_a", "debater_b")

Detectors = Mapping[str, pd.DataFrame]
"""By model its own answers: indexed by id and epoch, with `gold`, `prediction`,
`input_group`, `subset` and `response_author`. Two models may have answered different
samples."""

POOLED = "all tasks and authors, pooled"
_POOLED_ROWS = "Pooled, which the paper does not do"

_FEW = 20


def detectors(arms: Sequence[Arm]) -> dict[str, pd.DataFrame]:
    """Each model's own answers, from the arm that has most of them.

    They come from runs of `single`, and for models without one from the first answers
    of a debate.
    """
    alone: dict[str, pd.DataFrame] = {}
    debating: dict[str, pd.DataFrame] = {}
    for arm in arms:
        if arm.protocol == "single" and arm.debater_a:
            _keep_most(alone, arm.debater_a, arm.rows, arm.rows["prediction"])
        for role in _DEBATERS:
            model = arm.debater_a if role == "debater_a" else arm.debater_b
            if model and _has_first_answers(arm):
                right = arm.rows[f"first_right_{role}"]
                gold = arm.rows["gold"]
                said = gold.where(right == 1, 1 - gold).where(right.notna())
                _keep_most(debating, model, arm.rows, said)
    return alone | {m: rows for m, rows in debating.items() if m not in alone}


def restricted(
    found: Detectors, author: str | None = None, subset: str | None = None
) -> Detectors:
    """The answers about one author's responses, or to one kind of task, only."""
    wanted = {"response_author": author, "subset": subset}
    given = {column: value for column, value in wanted.items() if value is not None}
    return {
        model: rows[(rows[list(given)] == pd.Series(given)).all(axis=1)]
        for model, rows in found.items()
    }


def places(found: Detectors) -> dict[str, list[str]]:
    """The kinds of task that any model answered, by author of the responses."""
    present = {
        (author, subset)
        for rows in found.values()
        for author, subset in rows[["response_author", "subset"]].itertuples(
            index=False
        )
    }
    by_author = {a: [s for s in SUBSETS if (a, s) in present] for a in AUTHORS}
    return {author: subsets for author, subsets in by_author.items() if subsets}


def ratios(found: Detectors) -> pd.DataFrame:
    """Eq. (4) by pair as a share of the better model's errors, symmetric.

    All answers count as one set. NaN where the better one makes no error, or the two
    share no sample.
    """
    matrix = pd.DataFrame(index=list(found), columns=list(found), dtype=float)
    for a, b in combinations_with_replacement(found, 2):
        gains = _reduction(*_shared(found[a], found[b]))
        matrix.loc[a, b] = matrix.loc[b, a] = float(np.asarray(gains.ratio))
    return matrix


def mean_ratios(found: Detectors, author: str) -> pd.DataFrame:
    """The mean of `ratios` over the tasks of an author's responses, each for itself.

    NaN where one of the tasks has none.
    """
    subsets = places(found)[author]
    matrices = [ratios(restricted(found, author, subset)) for subset in subsets]
    return pd.DataFrame(
        np.mean([m.to_numpy(dtype=float) for m in matrices], axis=0),
        index=matrices[0].index,
        columns=matrices[0].columns,
    )


def pairs(found: Detectors) -> dict[tuple[str, str], int]:
    """All pairs of models, with the number of samples that both answered."""
    return {
        (a, b): len(_shared(found[a], found[b])[0]) for a, b in combinations(found, 2)
    }


def few_shared(found: Detectors) -> str:
    """A sentence on pairs that share too few samples; empty without any."""
    few = [
        f"{short(a)} + {short(b)} ({size})"
        for (a, b), size in pairs(found).items()
        if size < _FEW
    ]
    return f" Fewer than {_FEW} samples in common: {', '.join(few)}." if few else ""


def oracle_table(found: Detectors) -> Table | None:
    """Eq. (4) and the ensemble's expectation by pair and cell; None without a pair.

    A cell is a kind of task with the responses of one author, as in the paper; the
    means over an author's tasks follow, and the same over all samples at once.
    """
    rows = list(_oracle_rows(found))
    if not rows:
        return None
    counts = ("Errors of the better", "Removed")
    return Table(
        name="oracle",
        title="What an oracle could make of two models' own answers",
        frame=pd.DataFrame(rows),
        groups="Responses of",
        formats={
            **dict.fromkeys(counts, COUNT),
            "Expected": NUMBER,
            "Observed less expected": Format(digits=2, signed=True),
            "Share (Eq. 4)": PERCENT,
            "Corrected share": POINTS,
            "Ensemble F1": PERCENT,
            "Ensemble F2": PERCENT,
        },
        note="Each pair on the samples that both answered, by task and author of the "
        "responses; Average: unweighted, over the tasks. Removed: errors of "
        "the better model on which the other is right (ColMAD, Eq. 4); an answer that "
        "could not be read is wrong. Expected: the same if both erred independently "
        "given the gold label; Eq. (4) alone mostly shows opposite biases. Ensemble: "
        "the shared answer, a fair coin where they differ; its exact expectation in "
        "the convention of ReaLMistake's authors, in which an answer that could not be "
        f"read says that there is no error.{few_shared(found)}",
    )


def gap_table(arms: Sequence[Arm]) -> Table | None:
    """What debates make of first answers; None where no arm has two of them."""
    rows = [_gap_row(arm) for arm in arms if _has_first_answers(arm)]
    if not rows:
        return None
    shares = ("First answer A", "First answer B", "Oracle", "Outcome")
    return Table(
        name="gap",
        title="From first answers to outcomes",
        frame=pd.DataFrame(rows),
        formats={
            **dict.fromkeys(shares, PERCENT),
            "Gap closed": PERCENT,
            "Both wrong, then right": PERCENT,
            "Both right, then wrong": PERCENT,
        },
        note="Accuracies in percent, on samples with both first answers and an "
        "outcome, all tasks and authors pooled. The oracle is right where either first "
        "answer is. Gap closed: the outcome's gain over the better debater as a share "
        "of the oracle's. The last two columns are shares of the samples that both had "
        "wrong, or both right, and on which a verdict or an update followed: none "
        "where agreement ends the debate.",
    )


def _has_first_answers(arm: Arm) -> bool:
    rows = arm.rows
    names = [f"first_right_{role}" for role in _DEBATERS]
    return all(name in rows and rows[name].notna().any() for name in names)


def _keep_most(
    found: dict[str, pd.DataFrame], model: str, rows: pd.DataFrame, said: pd.Series
) -> None:
    if model not in found or len(rows) > len(found[model]):
        columns = [*_KEYS, "gold", "input_group", "subset", "response_author"]
        frame = rows[columns].assign(prediction=said)
        found[model] = frame.set_index(_KEYS)


def _shared(
    one: pd.DataFrame, other: pd.DataFrame
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Both models' answers to the samples that both answered, in one order."""
    both = one.index[one.index.isin(other.index)]
    return one.loc[both], other.loc[both]


def _reduction(one: pd.DataFrame, other: pd.DataFrame) -> OracleReduction:
    """Eq. (4) of a pair; an answer that could not be read counts as wrong."""
    a, b = ((of["prediction"] == of["gold"]).astype(float) for of in (one, other))
    return oracle_reduction(a, b, one["gold"])


def _oracle_rows(found: Detectors) -> Iterator[dict[str, Any]]:
    of_authors = places(found)
    for author, subsets in of_authors.items():
        parts = [restricted(found, author, subset) for subset in subsets]
        for a, b in _answered(restricted(found, author)):
            rows = [_pair_row(part, a, b) for part in parts]
            tasks = [SUBSETS[subset] for subset in subsets]
            if len(rows) > 1:
                rows.append(_average(rows))
                tasks.append("Average")
            for task, row in zip(tasks, rows, strict=True):
                models = {"Models": row.pop("Models"), "Task": task}
                yield {"Responses of": AUTHORS[author]} | models | row
    if sum(map(len, of_authors.values())) > 1:
        for a, b in _answered(found):
            row = _pair_row(found, a, b)
            models = {"Models": row.pop("Models"), "Task": POOLED}
            yield {"Responses of": _POOLED_ROWS} | models | row


def _answered(found: Detectors) -> list[tuple[str, str]]:
    """The pairs that share a sample."""
    return [pair for pair, size in pairs(found).items() if size]


def _pair_row(found: Detectors, a: str, b: str) -> dict[str, Any]:
    one, other = _shared(found[a], found[b])
    named = {"Models": f"{short(a)} + {short(b)}", "Samples": len(one)}
    if one.empty:
        return named | dict.fromkeys((*_COUNTED, *_MEANS), np.nan)
    gains = _reduction(one, other)
    # The mean of two answers: the shared one, or a coin (0.5). By the convention of
    # ReaLMistake's authors one that could not be read says that there is no error.
    read = [of["prediction"].fillna(0.0) for of in (one, other)]
    together = one.assign(prediction=(read[0] + read[1]) / 2)
    counted = (gains.better_errors, gains.observed, gains.expected, gains.corrected)
    means = (
        *(gains.ratio, gains.corrected_ratio),
        *(expected(together, score) for score in ("f1", "f2")),
    )
    return (
        named
        | dict(zip(_COUNTED, map(float, counted), strict=True))
        | dict(zip(_MEANS, map(float, means), strict=True))
    )


def _average(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The unweighted mean over tasks; NaN where a task has no value."""
    return {
        "Models": rows[0]["Models"],
        "Samples": sum(row["Samples"] for row in rows),
        **dict.fromkeys(_COUNTED, np.nan),
        **{name: float(np.mean([row[name] for row in rows])) for name in _MEANS},
    }


_COUNTED = (
    *("Errors of the better", "Removed"),
    *("Expected", "Observed less expected"),
)
_MEANS = ("Share (Eq. 4)", "Corrected share", "Ensemble F1", "Ensemble F2")


def _gap_row(arm: Arm) -> dict[str, Any]:
    first = [f"first_right_{role}" for role in _DEBATERS]
    rows = arm.rows.dropna(subset=[*first, "correct"])
    a, b = rows[first[0]], rows[first[1]]
    return {
        "Protocol": arm.title,
        "Models": arm.models,
        "Samples": len(rows),
        "First answer A": a.mean(),
        "First answer B": b.mean(),
        "Oracle": np.maximum(a, b).mean(),
        "Outcome": rows["correct"].mean(),
        "Gap closed": gap_closed(a, b, rows["correct"]),
        **share(arm.rows, "both_wrong_to_right").columns("Both wrong, then right"),
        **share(arm.rows, "both_right_to_wrong").columns("Both right, then wrong"),
    }
