"""Whose answer is given: the passage's, or what the model knew before."""

from collections.abc import Callable, Iterator, Mapping

import pandas as pd

from inspect_debate.metrics.agreement import Share
from inspect_debate.metrics.knowledge import biases, passage_alone
from inspect_debate.reports.elements import COUNT, PERCENT, Figure, Notice, Table
from inspect_debate.reports.panels import Series, line_panels
from inspect_debate.reports.srdcr.shown import (
    INTERVALS,
    LIMITS,
    PLACES,
    SEVERITY,
    STRATA,
    Shown,
    by_arm,
    by_model,
    by_severity,
    debated,
    halves,
    model_title,
    needs,
    on_shared,
    series,
    share_of,
    titled,
)
from inspect_debate.reports.srdcr.study import JUDGE_DEBATES, OFFSETS, SEVERITIES, TIERS
from inspect_debate.reports.srdcr.tables import (
    ARM,
    CLUSTERED,
    HALF_TITLES,
    MODEL,
    Rows,
    in_halves,
    rows_of,
    with_ends,
)
from inspect_debate.reports.srdcr.verdicts import ROUND

SEED = 0
"""Of all resampling, so that the same logs give the same report."""

CONTEXT, PRIOR = "Passage's", "Prior"

_GIVEN = {"context": CONTEXT, "prior": PRIOR}
_NOTE = (
    "Percent of the answers and abstentions with a perturbed passage that are what the "
    "passage says, and that are the model's own prior answer; other answers and "
    "abstentions are neither, equal answers both. Arms that ask for no prior answer "
    f"have no second row. {CLUSTERED}"
)


def preference_tables(answers: pd.DataFrame) -> Iterator[Table]:
    """Whose answer every arm gives with perturbed passages, by severity and by tier.

    Args:
        answers: As from `answers_of`.

    Yields:
        The tables; no second one where nothing was recalled, none without perturbed
        passages whose answer is known.
    """
    perturbed = answers[(answers["severity"] > 0) & answers["context"].notna()]
    if perturbed.empty:
        return
    by_severity = {f"Severity {n}": perturbed["severity"] == n for n in SEVERITIES}
    by_tier = {tier: perturbed["tier"] == n for n, tier in enumerate(TIERS)}
    yield _preferences(perturbed, "severity", by_severity)
    if perturbed["tier"].notna().any():
        known = perturbed[perturbed["tier"].notna()]
        yield _preferences(known, "tier", by_tier)


def rounds_table(rounds: pd.DataFrame) -> Table | None:
    """Preferences and accuracy if the debate had ended after each of its rounds.

    Args:
        rounds: As from `rounds_of`.

    Returns:
        The table; None without debates.
    """
    if rounds.empty:
        return None
    rows = [
        _of_round(of, int(str(round)), part)
        for of in rows_of(rounds)
        for round, part in of.answers.groupby("round")
    ]
    shares = [*HALF_TITLES.values(), "Overall", "Coverage"]
    return Table(
        name="rounds",
        title="Decisions by round of the debate",
        frame=pd.DataFrame(rows),
        groups=MODEL,
        formats={
            **dict.fromkeys([*shares, CONTEXT, PRIOR], PERCENT),
        },
        note="What the verdict after a round would have decided; round 0 are the "
        "opening speeches. Accuracies are "
        "strict; an abstention is not right. Passage's and prior: with perturbed "
        "passages, the share of decisions that are the passage's answer, or the prior "
        "one. "
        f"{CLUSTERED}",
    )


def biases_table(answers: pd.DataFrame) -> Table | None:
    """ClashEval's measures: where exactly one of prior and passage is right.

    Whether two answers are the same is one of what they say, so here right is, too.

    Args:
        answers: As from `answers_of`.

    Returns:
        The table; None where no prior answer is known that clashes with a passage.
    """
    rows = [row for of in rows_of(answers) if (row := _biases(of)) is not None]
    if not rows:
        return None
    return Table(
        name="biases",
        title="Context bias and prior bias",
        frame=pd.DataFrame(rows),
        groups=MODEL,
        formats=dict.fromkeys(_BIASES, PERCENT),
        note="ClashEval's measures, in percent, with 95 % intervals of a bootstrap of "
        "questions, by what answers say and not by their words. Accuracy: where "
        "exactly one of the prior answer and the passage is right. Context bias: "
        "answers of a wrong passage over a right prior answer. Prior bias: a wrong "
        "prior answer kept over a right passage. Arms without a prior answer of their "
        "own (Self-Ask, RCI, Naive Debate) are held against that of the model's newest "
        "run; their prior bias is not known, as their scores do not tell whether they "
        "keep it.",
    )


def contested_table(answers: pd.DataFrame) -> Table | None:
    """Accuracy on the items of which prior and contextual answer differ.

    Args:
        answers: As from `answers_of`.

    Returns:
        The table; None where no two such answers are known.
    """
    contested = answers[answers["agree"] == 0]
    if contested.empty:
        return None
    rows = [
        {
            **of.named,
            **{
                name: value
                for half, found in in_halves(of.answers)._asdict().items()
                for name, value in with_ends(half.capitalize(), found.accuracy).items()
            },
            "Coverage": in_halves(of.answers).overall.coverage.value,
            "Samples": int(of.answers["strict"].notna().sum()),
        }
        for of in rows_of(contested)
    ]
    return Table(
        name="contested",
        title="Accuracy where prior and contextual answer differ",
        frame=pd.DataFrame(rows),
        groups=MODEL,
        formats=dict.fromkeys([*HALF_TITLES.values(), "Overall", "Coverage"], PERCENT),
        note="Percent; strict; an abstention is not right. Only here can arbitration "
        f"matter. {CLUSTERED}",
    )


def agreement_table(answers: pd.DataFrame) -> Table | None:
    """How often prior and contextual answer say the same, by half.

    Args:
        answers: As from `answers_of`.

    Returns:
        The table; None where no two such answers are known.
    """
    rows = []
    known = answers[answers["agree"].notna()]
    for model, of_model in by_model(known).items():
        samples = of_model.drop_duplicates(["sample", "epoch"])
        for half, title in HALF_TITLES.items():
            part = samples[samples["half"] == half]
            rows.append(
                {
                    MODEL: model_title(model),
                    "Half": title,
                    **with_ends("Agree", share_of(part, "agree")),
                    "Samples": len(part),
                }
            )
    if not rows:
        return None
    return Table(
        name="agreement",
        title="Prior and contextual answer say the same",
        frame=pd.DataFrame(rows),
        formats={"Agree": PERCENT, "Samples": COUNT},
        note=f"Percent of the samples of which both could be read. {CLUSTERED}",
    )


def agents_table(items: pd.DataFrame) -> Table | None:
    """How often the first answers of all agents of a debate among them are the same.

    Args:
        items: As from `items_of`.

    Returns:
        The table; None without such debates.
    """
    if "first_answers_same" not in items:
        return None
    rows = [
        {
            MODEL: model_title(model),
            ARM: title,
            **with_ends("The same", share_of(of, "first_answers_same")),
            "Samples": len(of),
        }
        for model, known in by_model(items.dropna(subset="first_answers_same")).items()
        for title, of in known.groupby("title")
    ]
    if not rows:
        return None
    return Table(
        name="agents",
        title="Agents whose first answers are the same",
        frame=pd.DataFrame(rows),
        groups=MODEL,
        formats={"The same": PERCENT, "Samples": COUNT},
        note="Percent of the samples on which the first answers of all agents could be "
        "read. Where they are the same there is nothing to debate. In the paper all "
        "agents have one prompt and temperature 0, so only the provider's own "
        f"randomness tells them apart. {CLUSTERED}",
    )


def _preferences(
    answers: pd.DataFrame, what: str, strata: Mapping[str, "pd.Series[bool]"]
) -> Table:
    parts = {"All": pd.Series(True, answers.index)} | dict(strata)
    rows = [
        {**of.named, "Given": told, **_shares(of.answers, measure, parts)}
        for of in rows_of(answers)
        for measure, told in _GIVEN.items()
        if of.answers[measure].notna().any()
    ]
    return Table(
        name=f"preference_{what}",
        title=f"Whose answer is given with perturbed passages, by {what}",
        frame=pd.DataFrame(rows),
        groups=MODEL,
        formats=dict.fromkeys(parts, PERCENT),
        note=_NOTE,
    )


def _shares(
    answers: pd.DataFrame, measure: str, parts: Mapping[str, "pd.Series[bool]"]
) -> dict[str, object]:
    cells: dict[str, object] = {}
    for name, which in parts.items():
        part = answers[which.reindex(answers.index)]
        cells |= with_ends(name, share_of(part, measure))
    return cells | {"Samples": int(answers[measure].notna().sum())}


def _of_round(of: Rows, round: int, rows: pd.DataFrame) -> dict[str, object]:
    found = in_halves(rows)
    perturbed = rows[rows["half"] == "perturbed"]
    return {
        **of.named,
        "Round": round,
        **with_ends("Standard", found.standard.accuracy),
        **with_ends("Perturbed", found.perturbed.accuracy),
        **with_ends("Overall", found.overall.accuracy),
        "Coverage": found.overall.coverage.value,
        CONTEXT: share_of(perturbed, "context").value,
        PRIOR: share_of(perturbed, "prior").value,
    }


_BIASES = ("Accuracy", "Context bias", "Prior bias")


def _biases(of: Rows) -> dict[str, object] | None:
    rows = of.answers
    standard = (rows["half"] == "standard").astype(float)
    alone = passage_alone(rows["normalised_prior"], standard, rows["context_prior"])
    found = biases(
        alone,
        rows["question_id"],
        correct=rows["normalised"],
        from_passage=rows["context"],
        from_prior=rows["prior"],
        seed=SEED,
    )
    if not found.accuracy.n:
        return None
    row: dict[str, object] = of.named
    for name, share in zip(_BIASES, found, strict=True):
        row |= {**with_ends(name, share), f"{name}: n": share.n}
    return row


# Whose answer is given when the passage is wrong: figures 2, 4, 8, 9, and more.

_PREFERENCES = {
    "context": "the passage's answer",
    "prior": "the prior answer",
    "abstained": "none (it abstains)",
}
_GIVEN_NOTE = (
    "On perturbed passages, whoever is right. Where the prior answer is the passage's "
    "it counts for both, other answers count for neither; abstentions stand where "
    f"there are any. Arms whose runs ask for no prior answer have no line of it. "
    f"{INTERVALS}"
)
_BY_DEFINITION = ("prior", "golden")
"""Arms that are defined by whose answer they give."""

_DEBATE = ("-T protocol=srdcr --model M",)
_JUDGED = ("-T protocol=judge_debate --model M",)
_RECALL = ("-T protocol=srdcr -T recall_samples=32 --model M",)
_TIER_PLACES = dict(enumerate(tier.removesuffix(" known").lower() for tier in TIERS))

Strata = Callable[[pd.DataFrame, str], dict[int, Share]]
"""The share of ones in a column, by stratum."""


def preference_by_round(rounds: pd.DataFrame) -> Figure | Notice:
    """By round: what the asymmetric debate would have decided after each.

    Args:
        rounds: As from `rounds_of`.
    """
    perturbed = rounds[rounds["half"] == "perturbed"]
    panels = {
        f"{model_title(model)}: {title}": rows
        for model, of_model in by_model(perturbed).items()
        for title, rows in by_arm(of_model).items()
    }
    if not panels:
        return needs(f"{_FIGURE} by round", "debates on perturbed passages", _DEBATE)
    sizes = "; ".join(f"{halves(debated(of))} ({t})" for t, of in panels.items())
    return Figure(
        name="figure_preference_rounds",
        title=f"{_TITLE} by round of SR-DCR's debate",
        figure=line_panels(
            {title: _preferences_of(rows, _by_round) for title, rows in panels.items()},
            label="decisions (%)",
            x_label=ROUND,
            format=PERCENT,
            limits=LIMITS,
        ),
        alt=f"{_ALT} the rounds, a panel per way to decide: {', '.join(panels)}.",
        note=f"{_GIVEN_NOTE} Of the rounds whose verdict could be read, in {sizes}.",
    )


def preference_by_severity(answers: pd.DataFrame) -> Iterator[Figure | Notice]:
    """By severity of the perturbation, a figure per model.

    Args:
        answers: As from `answers_of`.
    """
    number = 0
    for model, shown in _models(answers).items():
        number += 1
        yield Figure(
            name=f"figure_preference_severity_{number}",
            title=f"{_TITLE} by severity, {model_title(model)}",
            figure=line_panels(
                {
                    n: _preferences_of(rows, by_severity)
                    for n, rows in shown.parts.items()
                },
                label="answers (%)",
                x_label=SEVERITY,
                format=PERCENT,
                places=PLACES,
                limits=LIMITS,
            ),
            alt=f"{_ALT} severity, a panel per arm: {_list(shown)}.",
            note=f"{shown.note} {_GIVEN_NOTE} {STRATA}",
        )
    if not number:
        yield needs(f"{_FIGURE} by severity", "answers on perturbed passages", _DEBATE)


def preference_by_tier(answers: pd.DataFrame) -> Iterator[Figure | Notice]:
    """By how well the model knows the answer, a figure per model.

    Args:
        answers: As from `answers_of`. An arm whose run asked for no recall has the
            tiers of another run of the model.
    """
    number = 0
    for model, shown in _models(_with_tiers(answers)).items():
        number += 1
        yield Figure(
            name=f"figure_preference_tiers_{number}",
            title=f"{_TITLE} by knowledge, {model_title(model)}",
            figure=line_panels(
                {n: _preferences_of(rows, _by_tier) for n, rows in shown.parts.items()},
                label="answers (%)",
                x_label="how well the right answer is known without the passage",
                format=PERCENT,
                places=_TIER_PLACES,
                limits=LIMITS,
            ),
            alt=f"{_ALT} tiers of knowledge, a panel per arm: {_list(shown)}.",
            note=f"{shown.note} {_GIVEN_NOTE}",
        )
    if not number:
        yield needs(f"{_FIGURE} by knowledge", "recall on perturbed passages", _RECALL)


def preference_by_severity_and_tier(answers: pd.DataFrame) -> Figure | Notice:
    """Figures 2 and 8: few-shot's preference for the passage by severity and tier.

    Args:
        answers: As from `answers_of`, tiers as in `preference_by_tier`.
    """
    known = _with_tiers(answers)
    rows = known[(known["arm"] == "few_shot") & (known["half"] == "perturbed")]
    panels = {
        titled(model_title(model), str(variant)): of
        for model, of_model in by_model(rows[rows["context"].notna()]).items()
        for variant, of in of_model.groupby("variant")
    }
    if not panels:
        return needs(
            "The paper's Figures 2 and 8", "recall on perturbed passages", _RECALL
        )
    return Figure(
        name="figure_2_and_8",
        title="The paper's Figures 2 and 8: the passage's answer, by severity and "
        "knowledge (few-shot)",
        figure=line_panels(
            {title: _in_tiers(of) for title, of in panels.items()},
            label="answers that are the passage's (%)",
            x_label=SEVERITY,
            format=PERCENT,
            places=PLACES,
            limits=LIMITS,
        ),
        alt="Share of contextual answers that say what the perturbed passage says, "
        f"over its severity, a line per tier of knowledge; {', '.join(panels)}.",
        note=f"The paper has years alone, by offset. {_sizes(panels)} {STRATA} "
        f"{INTERVALS}",
    )


def preference_by_round_and_severity(answers: pd.DataFrame) -> Figure | Notice:
    """Figures 4 and 9: Judge Debate's preference for the prior answer.

    By the rounds after which it is judged, and by severity.

    Args:
        answers: As from `answers_of`.
    """
    judged = answers[answers["arm"].isin(JUDGE_DEBATES) & answers["prior"].notna()]
    rows = judged[judged["half"] == "perturbed"]
    rows = rows.assign(held=[int(arm.rpartition("_")[2]) for arm in rows["arm"]])
    panels = {
        titled(model_title(model), str(variant)): of
        for model, of_model in by_model(rows).items()
        for variant, of in of_model.groupby("variant")
    }
    if not panels:
        return needs(
            "The paper's Figures 4 and 9", "Judge Debate on perturbed passages", _JUDGED
        )
    return Figure(
        name="figure_4_and_9",
        title="The paper's Figures 4 and 9: the prior answer, by round and severity "
        "(Judge Debate)",
        figure=line_panels(
            {title: _in_severities(of) for title, of in panels.items()},
            label="decisions for the prior answer (%)",
            x_label="rounds of speeches before the verdict",
            format=PERCENT,
            limits=LIMITS,
        ),
        alt="Share of Judge Debate's decisions that are the prior answer, over the "
        "rounds after which it is judged, a line per severity of the perturbation; "
        f"{', '.join(panels)}.",
        note="On perturbed passages, whoever is right; where the prior answer is the "
        f"passage's it counts. The paper has years alone, by offset. {_sizes(panels)} "
        f"{STRATA} {INTERVALS}",
    )


def _in_tiers(rows: pd.DataFrame) -> Series:
    """A line per tier, the best known first, over the severities."""
    tiers = {tier: rows[rows["tier"] == n] for n, tier in enumerate(TIERS)}
    return series(
        {t: by_severity(of, "context") for t, of in [*tiers.items()][::-1] if len(of)}
    )


def _in_severities(rows: pd.DataFrame) -> Series:
    """A line per severity, over the rounds."""
    found = {n: rows[rows["severity"] == n] for n in SEVERITIES}
    return series(
        {
            f"severity {n} ({OFFSETS[n - 1]} years)": _by_number(of, "held", "prior")
            for n, of in found.items()
            if len(of)
        }
    )


def _sizes(panels: Mapping[str, pd.DataFrame]) -> str:
    """How many samples each panel has."""
    told = (f"{halves(debated(of))} ({title})" for title, of in panels.items())
    return f"Of {'; '.join(told)}."


def _models(answers: pd.DataFrame) -> dict[str, Shown]:
    """By model the arms with a choice, on perturbed passages."""
    free = answers[~answers["arm"].isin(_BY_DEFINITION)]
    perturbed = by_model(free[free["half"] == "perturbed"])
    found = {model: on_shared(by_arm(rows)) for model, rows in perturbed.items()}
    return {model: shown for model, shown in found.items() if shown.parts}


def _with_tiers(answers: pd.DataFrame) -> pd.DataFrame:
    """The answers to questions whose tier is known from any run of the model."""
    if "tier" not in answers:
        return answers.head(0)
    of_item = answers.groupby(["model", "sample"])["tier"].transform("first")
    return answers.assign(tier=of_item)[of_item.notna()]


def _preferences_of(rows: pd.DataFrame, strata: Strata) -> Series:
    told = rows.assign(abstained=1 - rows["answered"])
    names = dict(_PREFERENCES)
    if not told["abstained"].any():
        del names["abstained"]
    return series({name: strata(told, key) for key, name in names.items()})


def _by_round(rows: pd.DataFrame, column: str) -> dict[int, Share]:
    return _by_number(rows, "round", column)


def _by_tier(rows: pd.DataFrame, column: str) -> dict[int, Share]:
    return _by_number(rows, "tier", column)


def _by_number(rows: pd.DataFrame, stratum: str, column: str) -> dict[int, Share]:
    numbers = rows[stratum].astype(int)
    return {n: share_of(rows[numbers == n], column) for n in sorted(set(numbers))}


def _list(shown: Shown) -> str:
    return "; ".join(shown.parts)


_FIGURE = "The figure of whose answer is given"
_TITLE = "Whose answer is given,"
_ALT = (
    "Shares of answers that are the passage's wrong one, the model's prior one, and of "
    "abstentions, over"
)
