"""The chapters on comparisons: of conditions, and of models with an oracle."""

from collections.abc import Callable, Iterator, Sequence

import pandas as pd

from inspect_debate.metrics.detection import gap_closed
from inspect_debate.reports.colmad.conditions import Condition, short
from inspect_debate.reports.colmad.measures import BY, CHANGES, Data
from inspect_debate.reports.colmad.pairs import (
    COUNTS,
    FIRST,
    MEANS,
    RESPONSES,
    has_first_answers,
)
from inspect_debate.reports.comparisons import Planned, comparison_tables
from inspect_debate.reports.elements import (
    COUNT,
    NUMBER,
    PERCENT,
    POINTS,
    Format,
    Item,
    Table,
    listed,
)
from inspect_debate.reports.gain import OWN_ANSWERS, gap_of, recovered_view
from inspect_debate.reports.views import Measure, Part, View, mean, rate

# Which conditions are compared.

QUESTIONS = {
    "speeches": "What do the speeches add? Against the same judge on first answers "
    "alone",
    "judge_alone": "Is it better than the judge alone?",
    "placebo": "Argument or length? Against the same judge with another item's debate",
    "single": "Is it better than one of its debaters alone?",
    "self_consistency": "Is it better than a vote over answers of one model?",
    "pair": "Is it better than both models without a judge?",
    "equal": "Collaboration against competition, both with or both without skip on "
    "agreement",
    "confounded": "Collaboration against competition, confounded: only one has skip on "
    "agreement",
    "skip_if_agree": "What does skip on agreement change?",
    "show_openings": "What does it change to show the first answers?",
}
"""What is asked of two conditions, in the order of the table."""


def _questions(debate: Condition, other: Condition) -> Iterator[str]:
    """What two variants of a debate, or the two kinds of debate, answer."""
    differ = debate.differs(other)
    if debate.people != other.people:
        return
    if debate.protocol == other.protocol:
        if not other.rounds and differ <= {"rounds"}:
            yield "speeches"
        for name in ("skip_if_agree", "show_openings"):
            if differ == {name} and debate.parameters.get(name):
                yield name
    elif (debate.protocol, other.protocol) == ("colmad", "copmad"):
        if not differ:
            yield "equal"
        elif {"skip_if_agree"} <= differ <= {"skip_if_agree", "show_openings"}:
            yield "confounded"


def questions_beside(debate: Condition, other: Condition) -> Iterator[str]:
    """What a debate and another protocol with its models answer."""
    match other.protocol:
        case "judge_alone" if other.judge == debate.judge:
            yield "judge_alone"
        case "placebo" if other.judge == debate.judge:
            protocol, *_ = str(other.parameters.get("debates")).split()
            if protocol == debate.protocol:
                yield "placebo"
        case "single" | "self_consistency" if other.debaters <= debate.debaters:
            yield other.protocol
        case "ensemble" | "som" if other.debaters == debate.debaters:
            yield "pair"


def main_debates(debates: Sequence[Condition]) -> list[Condition]:
    """Debates as published, and all of a protocol and its models that has none."""
    published = {(one.protocol, one.people) for one in debates if one.as_published}
    return [
        one
        for one in debates
        if one.as_published or (one.protocol, one.people) not in published
    ]


def _planned(conditions: Sequence[Condition]) -> list[Planned]:
    """All comparisons; other protocols are compared only with the debate as published,
    to keep the family of tests small."""
    debates = [one for one in conditions if one.rounds]
    main = [one.name for one in main_debates(debates)]
    return [
        Planned(
            words, debate.models, _label(debate, other), other.samples, debate.samples
        )
        for question, words in QUESTIONS.items()
        for debate in debates
        for other in conditions
        if question in _questions(debate, other)
        or (debate.name in main and question in questions_beside(debate, other))
    ]


def _label(debate: Condition, other: Condition) -> str:
    of_others = f" ({other.models})" if other.models != debate.models else ""
    return f"{debate.title} − {other.title}{of_others}"


def _comparisons(data: Data) -> Sequence[Table]:
    planned = _planned(data.conditions)
    return comparison_tables(planned) if planned else ()


def _comparisons_text(data: Data) -> str:
    """Whether there is a comparison, and which runs show what speeches add."""
    lacking = [
        debate.name
        for debate in data.conditions
        if debate.rounds and debate.parameters.get("show_openings")
        if not any("speeches" in _questions(debate, one) for one in data.conditions)
    ]
    none = "" if _planned(data.conditions) else _NO_COMPARISON
    more = f"{_NO_OPENINGS}\n\n{listed(lacking)}" if lacking else ""
    return "\n\n".join(filter(None, [none, more]))


# What models could gain from each other, and what debates make of it.


def _oracle(data: Data) -> Iterator[Table]:
    """Eq. (4) and the ensemble's expectation for pairs that share a sample."""
    pairs = data.pairs
    if pairs.empty:
        return
    met = pairs.groupby([RESPONSES, "a", "b"])["Samples"].transform("sum") > 0
    shown = pairs[met & (pairs["a"] != pairs["b"])]
    if shown.empty:
        return
    models = shown["a"].map(short) + " + " + shown["b"].map(short)
    columns = [RESPONSES, "Models", "Task", "Samples", *COUNTS, *MEANS]
    yield Table(
        name="oracle",
        title="What an oracle could make of two models' own answers",
        frame=shown.assign(Models=models)[columns].reset_index(drop=True),
        groups=RESPONSES,
        formats={
            **dict.fromkeys(COUNTS[:2], COUNT),
            "Expected": NUMBER,
            "Observed less expected": Format(digits=2, signed=True),
            **dict.fromkeys(MEANS, PERCENT),
            "Corrected share": POINTS,
        },
        note="Removed: errors of the better model on which the other is right (Eq. 4); "
        "expected: the same if both erred independently given the gold label. The "
        "ensemble breaks ties at random.",
    )


def _answered(of: Callable[[pd.DataFrame], object]) -> Callable[[pd.DataFrame], object]:
    """On the samples with both first answers and an outcome."""
    return lambda rows: of(rows.dropna(subset=[*FIRST, "correct"]))


def _gap_closed(rows: pd.DataFrame) -> float:
    a, b = FIRST
    return gap_closed(rows[a], rows[b], rows["correct"])


GAP: View[Data] = View(
    "gap",
    "From first answers to outcomes",
    lambda data: data.of(filter(has_first_answers, data.conditions)),
    BY,
    [
        Measure("Samples", _answered(len)),
        Measure("First answer A", _answered(mean(FIRST[0])), PERCENT),
        Measure("First answer B", _answered(mean(FIRST[1])), PERCENT),
        Measure(
            "Oracle", _answered(lambda rows: rows[FIRST].max(axis=1).mean()), PERCENT
        ),
        Measure("Outcome", _answered(mean("correct")), PERCENT),
        Measure("Gap closed", _answered(_gap_closed), PERCENT),
        *(Measure(words, rate(name), PERCENT) for name, words in CHANGES.items()),
    ],
    heads=False,
    note="Accuracies in percent; the oracle is right where either first answer is, and "
    "gap closed is the outcome's gain over the better debater as a share of the "
    "oracle's. The last two columns are shares of the samples that both had wrong, or "
    "both right, and on which a verdict or an update followed.",
)


_NO_COMPARISON = (
    "None of the conditions is a debate for which there is another condition of the "
    "same models to compare it with."
)
_NO_OPENINGS = (
    "What the speeches add to the first answers is not known for the debates below. It "
    "takes the command of each run under Provenance, again with `-T rounds=0 "
    "-T reuse=LOG -T reuse_until=answers`, where LOG is the log of that run:"
)


def _recovered(data: Data) -> Iterator[Item]:
    """What debates recover of the gap between the judge alone and their debaters."""
    gaps = []
    for one in data.conditions:
        beside = [
            (question, other.rows)
            for other in data.conditions
            for question in (questions_beside(one, other) if one.rounds else ())
        ]
        alone = [rows for question, rows in beside if question == "judge_alone"]
        if alone:
            answers = [rows for question, rows in beside if question == "single"]
            named = {"Models": one.models, "Protocol": one.title}
            gaps.append(gap_of(named, one.rows, alone[0], answers))
    yield from recovered_view("Models", OWN_ANSWERS)(gaps)


PARTS: Sequence[Part[Data]] = [
    Part("Paired comparisons", [_comparisons, _recovered], _comparisons_text),
    Part(
        "Oracle collaboration",
        [_oracle, GAP],
        otherwise="This needs the own answers of two models: runs of "
        "`protocol=single`, or debates.",
    ),
]
