"""Whose gain: do protocols and best-of-n help whoever is right, and how far?"""

from collections.abc import Iterator
from dataclasses import replace

from inspect_debate.metrics.dependence import clustered_mean
from inspect_debate.metrics.gain import mean_difference
from inspect_debate.reports import views
from inspect_debate.reports.conditions import CONDITION
from inspect_debate.reports.elements import (
    COUNT,
    PERCENT,
    POINTS,
    Column,
    Format,
    Item,
)
from inspect_debate.reports.estimates import Estimate, of_mean
from inspect_debate.reports.gain import Gap, recovered_view
from inspect_debate.reports.generative.comparisons import MODELS, Comparison, Data
from inspect_debate.reports.generative.rows import (
    KEYS,
    SAMPLE,
    Condition,
    Conditions,
    Rows,
    fpr,
    heading_of,
    share,
)
from inspect_debate.reports.generative.tables import REGIMES

# The gap between the judge alone and the debaters.


def alone(found: Conditions, condition: Condition, rows: Rows) -> Rows | None:
    """The rows of the same judge's own answers to the same questions.

    Args:
        found: As from `conditions_in`.
        condition: One in which answers are judged.
        rows: Its rows.

    Returns:
        Those of `direct_qa`; of several the one with the same variant, or else that
        without any. None where there is none, or several that fit equally well.
    """
    fitting = {
        other.variant: theirs
        for other, theirs in found.items()
        if not other.proposers
        and (other.dataset, other.version, other.split)
        == (condition.dataset, condition.version, condition.split)
        and {*theirs["judge"]} == {*rows["judge"]}
    }
    for variant in (condition.variant, ""):
        if variant in fitting:
            return fitting[variant]
    return next(iter(fitting.values())) if len(fitting) == 1 else None


def _with_alone(found: Conditions, condition: Condition, rows: Rows) -> Rows:
    """Rows with `alone`: whether the judge's own answer is right, NaN if not known."""
    own = alone(found, condition, rows)
    if own is None:
        return rows.assign(alone=float("nan"))
    own = own[[*KEYS, "answer_right"]].drop_duplicates(KEYS)
    return rows.merge(
        own.rename(columns={"answer_right": "alone"}), on=KEYS, how="left"
    )


def _gaps(data: Data) -> Iterator[Gap]:
    for condition, rows in data.conditions.items():
        if not condition.proposers:
            continue
        both = _with_alone(data.conditions, condition, rows)
        known = (both["verdict_ok"] == 1) & (both["verdict_tied"] != 1)
        known &= both["regime"].notna()
        # Who accepts no answer has none that is right.
        accepted = both["accepted_right"].fillna(0.0).where(known)
        yield Gap(
            {MODELS: heading_of(rows), CONDITION: condition.title},
            both.assign(
                protocol=accepted,
                debaters=both["answer_right"],
                cluster=both["question_id"],
            ),
        )


def recovered(data: Data) -> Iterator[Item]:
    """What each condition recovers of the gap."""
    yield from _RECOVERED(list(_gaps(data)))


_RECOVERED = recovered_view(
    MODELS,
    "Outcome: the share of right ones among the answers that the judge calls correct, "
    "0 where it calls none so; debaters: that among the answers put to it; judge "
    "alone: direct QA. A judge that calls all answers correct recovers the whole gap: "
    "read it beside the FPR.",
)

# Gains by how many answers are right.

ALL = "All"


def _parts(one: Comparison) -> Iterator[tuple[str, Comparison]]:
    yield ALL, one
    for name, right in REGIMES[2].items():
        keep = (one.b["regime"] == right).to_numpy()
        if keep.any():
            yield name, replace(one, a=one.a[keep], b=one.b[keep], drops={})


def _by_regime(data: Data) -> Iterator[dict[Column, object]]:
    families = (data.no_transcript, data.consultancy, data.gains)
    for one in (one for family in families for one in family.made):
        if one.condition.proposers != 2:
            continue
        found = _with_alone(data.conditions, one.condition, one.b)["alone"]
        for name, part in _parts(one):
            yield {
                MODELS: one.heading,
                "Compared": one.compared,
                "Answers": name,
                "Judge alone": found.mean() if name == ALL else None,
                "Debaters": part.b["answer_right"].mean() if name == ALL else None,
                "Samples": part.samples,
                "First": part.b["verdict_correct"].mean(),
                "Second": part.a["verdict_correct"].mean(),
                "Gain": Estimate(*part.difference[:3]),
                "FPR": fpr(part.b).value,
                "FPR change": Estimate(*part.fpr[:3]),
            }


GAIN_REGIMES = views.Rows[Data](
    "gain_regimes",
    "Gains by how many of two answers are right",
    _by_regime,
    {
        **dict.fromkeys(["Judge alone", "Debaters", "First", "Second", "FPR"], PERCENT),
        **dict.fromkeys(["Gain", "FPR change"], POINTS),
        "Samples": COUNT,
    },
    groups=MODELS,
    known_only=True,
    note="Verdict accuracy of the first named condition less that of the second, on "
    "the same answers, in percentage points; FPR is that of the first. What a judge "
    "gains where all answers are right and loses where all are wrong is a change in "
    "how often it says “correct”; only contested samples show that it picks the right "
    "one. Judge alone: direct QA.",
)

# Rewards of candidates, by whether the speaker is right.

_SPEECH = [*SAMPLE, "participant", "round"]


def _speeches(data: Data) -> Rows:
    """A row per speech that was chosen among several candidates.

    `reward` is that of the chosen one, `rest` the mean of the others', `every` that of
    all, `variance` theirs, and `number` how many there are; `right` says whether the
    chosen one's speaker is right, `right_share` what share of the candidates' is.
    """
    named = data.items[[*SAMPLE, "question_id", "heading", "title"]]
    rewards = data.records.rewards.merge(named, on=SAMPLE)
    of_speech = rewards.groupby(_SPEECH)
    sizes = of_speech["reward"].transform("size")
    found = rewards.assign(
        number=sizes,
        every=of_speech["reward"].transform("mean"),
        variance=of_speech["reward"].transform("var"),
        right_share=of_speech["right"].transform("mean"),
        rest=(of_speech["reward"].transform("sum") - rewards["reward"]) / (sizes - 1),
    )
    found = found[found["chosen"].eq(True) & (sizes > 1) & found["right"].notna()]
    order = {title: n for n, title in enumerate(named["title"].unique())}
    return found.sort_values("title", key=lambda of: of.map(order), kind="stable")


_GAINED = "Chosen less rest"


def _rewards(data: Data) -> Iterator[dict[Column, object]]:
    for (heading, title), rows in _speeches(data).groupby(
        ["heading", "title"], sort=False
    ):
        rows = rows.assign(gained=rows["reward"] - rows["rest"])
        named: dict[Column, object] = {MODELS: heading, CONDITION: title}
        for value, name in ((1, "right"), (0, "wrong")):
            of = rows[rows["right"] == value]
            if len(of):
                gained = clustered_mean(of["gained"], of["question_id"])
                yield {
                    **named,
                    "Speaker": name,
                    "All": of_mean(
                        clustered_mean(of["every"], of["question_id"]), (-1, 1)
                    ),
                    "Chosen": of["reward"].mean(),
                    "Rest": of["rest"].mean(),
                    _GAINED: of_mean(gained, (-2, 2)),
                    "Variance": of["variance"].mean(),
                    "Speeches": len(of),
                    "Candidates": int(of["number"].sum()),
                }
        if rows["right"].nunique() > 1:
            apart: dict[Column, object] = {
                column: of_mean(
                    mean_difference(rows[name], rows["right"], rows["question_id"])
                )
                for column, name in (("All", "every"), (_GAINED, "gained"))
            }
            yield {**named, "Speaker": "right less wrong", **apart}


REWARDS = views.Rows[Data](
    "reward_truth",
    "Rewards of candidates by whether the speaker is right",
    _rewards,
    {
        **dict.fromkeys(
            ["All", "Chosen", "Rest", _GAINED], Format(digits=2, signed=True)
        ),
        "Variance": Format(digits=3),
        "Speeches": COUNT,
        "Candidates": COUNT,
    },
    groups=MODELS,
    note="Rewards are from −1 to 1, and do not know which answers are right. A speaker "
    "is right if its answer is, a critic if the stance of its chosen speech is. "
    "Variance: of the candidates of one speech, its mean. “Right less wrong” under "
    f"“All” is what the rewards know of the truth; under “{_GAINED}” it is whether "
    "choosing helps those that are right more. Intervals are 95 %, clustered by "
    "question.",
)


def _stances(data: Data) -> Iterator[dict[Column, object]]:
    speeches = _speeches(data)
    of_critics = speeches[speeches["critic"].eq(True)]
    for (heading, title), rows in of_critics.groupby(["heading", "title"], sort=False):
        apart = clustered_mean(rows["right"] - rows["right_share"], rows["question_id"])
        yield {
            MODELS: heading,
            CONDITION: title,
            "Candidates right": rows["right_share"].mean(),
            "Chosen right": share(rows, rows["right"]),
            "Difference": of_mean(apart, (-1, 1)),
            "Speeches": len(rows),
        }


STANCES = views.Rows[Data](
    "reward_stances",
    "Whether choosing favours critics' stances that are right",
    _stances,
    {
        **dict.fromkeys(["Candidates right", "Chosen right"], PERCENT),
        "Difference": POINTS,
        "Speeches": COUNT,
    },
    groups=MODELS,
    note="Percent of the stances of all candidates, and of those that were chosen, "
    "that are right about the answer. Candidates of a proposer all argue for its own.",
    folded=True,
)

TEXT = (
    "How much of the distance between judge and debaters a condition covers (the "
    "performance gap recovered of Burns et al., arXiv 2312.09390), on which answers "
    "verdicts gain, and whether choosing speeches helps those that are right. "
    "Intervals are 95 %."
)
SHOWS = (recovered, GAIN_REGIMES, REWARDS, STANCES)
