"""The report on judge checks: which judges change their mind, and over what."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from inspect_debate.v1.debate.judge_checks import (
    CHECKS,
    FAVOURED,
    HUMAN,
    PERTURBATIONS,
    REPEAT,
    REWRITES,
    SWAPS,
    WRITTEN,
    Check,
)
from inspect_debate.v1.debate.record import Status
from inspect_debate.v1.metrics.intervals import Share
from inspect_debate.v1.metrics.judge_checks import (
    LEAST_SHIFT,
    LEVEL,
    MOST_CHANGED,
    Findings,
    Shift,
    findings,
    least_visible,
    shift,
)
from inspect_debate.v1.metrics.shares import share
from inspect_debate.v1.reports.calls import Calls, call_notices, read_with_calls
from inspect_debate.v1.reports.conditions import (
    CONDITION,
    ConditionSamples,
    Grouped,
    group_conditions,
)
from inspect_debate.v1.reports.elements import (
    COUNT,
    P_VALUE,
    PERCENT,
    POINTS,
    Figure,
    Main,
    Notice,
    counted,
    listed,
)
from inspect_debate.v1.reports.estimates import Estimate, clusters
from inspect_debate.v1.reports.figures import forest
from inspect_debate.v1.reports.frames import scores_of
from inspect_debate.v1.reports.logs import Log
from inspect_debate.v1.reports.notices import item_notices, run_notices, sample_notices
from inspect_debate.v1.reports.probabilities import chapter, condition_rows
from inspect_debate.v1.reports.provenance import provenance_section, runs_of
from inspect_debate.v1.reports.samples import Held
from inspect_debate.v1.reports.sanity import sanity_section, unread_notices
from inspect_debate.v1.reports.views import Part, Rows, StudyReport

# What the logs of judge checks hold, judge by judge.

STUDY = "judge_check"
SCORER = "judge_check"
STAGES = {"verdict": "Verdicts"}
"""What is asked for, as readers see it."""

_KEY = ["run", "id", "epoch"]
_NOTHING = pd.Series(dtype=float)


class CheckedJudge(NamedTuple):
    """A judge, or one setting of it, and what its checks found.

    Attributes:
        name: What readers call it.
        samples: All of its samples.
        debates: How many of them were scored, and of how many `questions`.
        shifts: How verdicts moved, by swap and manipulation.
        findings: What the tests say.
        again: Agreement with itself, asked the very same again.
        right: The share of right verdicts on the debates as they were.
        human: Agreement with human labels.
        visible: By check the least shift that can ring by itself.
        left_out: How many samples a check was not made of, where that is so.
    """

    name: str
    samples: pd.DataFrame
    debates: int
    questions: int
    shifts: Mapping[Check, Shift]
    findings: Findings
    again: Share
    right: Share
    human: Share
    visible: Mapping[Check, float]
    left_out: Mapping[Check, int]

    @property
    def alarms(self) -> list[str]:
        """The checks that raised an alarm."""
        return [check for check in CHECKS if self.findings.alarms(check)]

    @property
    def silence(self) -> str:
        """What to call it that no check raised an alarm."""
        return "no alarm" if self.findings.tests else "no verdicts to compare"


class Data(NamedTuple):
    """Logs, their samples by condition, the judges, and what calls say."""

    logs: Sequence[Log]
    grouped: Grouped
    names: Mapping[str, str]
    judges: Sequence[CheckedJudge]
    calls: Calls

    @property
    def parts(self) -> list[ConditionSamples]:
        """The judges, for the pages on trust."""
        return [
            ConditionSamples({CONDITION: judge.name}, judge.samples)
            for judge in self.judges
        ]


def read_data(logs: Sequence[Log]) -> Data | None:
    """Read the logs; None where no sample was scored."""
    calls, statuses = read_with_calls(logs, _statuses)
    by_models = {of: n for of, n in calls.served.items() if WRITTEN not in of}
    calls = calls._replace(served=by_models)
    counts = pd.DataFrame(statuses, columns=pd.Index([*_KEY, *_COUNTS]))
    scores = scores_of(logs).merge(counts, on=_KEY, how="left")
    if not scores["scored"].any():
        return None
    grouped = group_conditions(scores)
    names = _names(grouped.overview)
    judges = [
        _judge(names[str(condition)], rows)
        for condition, rows in grouped.frame.groupby("condition", sort=False)
    ]
    return Data(logs, grouped, names, judges, calls)


_COUNTS = [f"verdict_{status}" for status in Status]


def _statuses(logged: Held) -> dict[str, Any]:
    """How the verdicts of a sample were read."""
    verdicts = [] if logged.record is None else logged.record.of_kind("verdict")
    found = [f"verdict_{turn.field('answer').status}" for turn in verdicts]
    key = (logged.log.header.eval.eval_id, str(logged.sample.id), logged.sample.epoch)
    return dict(zip(_KEY, key, strict=True)) | {c: found.count(c) for c in _COUNTS}


def _names(overview: pd.DataFrame) -> dict[str, str]:
    """Judges by condition, with what else they differ in."""
    names = {}
    for row in overview.to_dict("records"):
        judge = str(row["judge"])
        others = row["condition"].removeprefix(STUDY).replace(f" judge={judge}", "")
        names[row["condition"]] = f"{judge}{others}"
    return names


def _judge(name: str, samples: pd.DataFrame) -> CheckedJudge:
    scored = samples[samples["scored"]]
    of = [str(cluster) for cluster in clusters(scored)]
    moves = {
        check: scored[f"{SCORER}.{check}"].to_numpy(dtype=float)
        for check in CHECKS
        if f"{SCORER}.{check}" in scored and scored[f"{SCORER}.{check}"].notna().any()
    }
    moved = [check for check in (*SWAPS, *PERTURBATIONS) if check in moves]
    found = findings(moves, of)
    return CheckedJudge(
        name=name,
        samples=samples,
        debates=len(scored),
        questions=len(set(of)),
        shifts={check: shift(moves[check], of) for check in moved},
        findings=found,
        again=_share(scored, REPEAT, of),
        right=_share(scored, "correct", of),
        human=_share(scored, HUMAN, of),
        visible={
            check: least_visible(
                moves[check], of, found.tests, one_sided=check in PERTURBATIONS
            )
            for check in moved
        },
        left_out={
            check: int(number)
            for check in REWRITES
            if (number := scored.get(f"{SCORER}.{check}_left_out", _NOTHING).sum())
        },
    )


def _share(scored: pd.DataFrame, key: str, of: Sequence[str]) -> Share:
    column = f"{SCORER}.{key}"
    if column not in scored or scored.empty:
        return Share(float("nan"), float("nan"), float("nan"), 0)
    return share(scored[column].to_numpy(dtype=float), of)


_SEEN = 0.3
"""The least visible shift over which a report says that there is little to see."""


def _summary(data: Data) -> str:
    alarms = [
        f"{judge.name}: "
        + (", ".join(f"`{check}`" for check in judge.alarms) or judge.silence)
        for judge in data.judges
    ]
    return (
        f"{counted(len(data.judges), 'judge')}, from {counted(len(data.logs), 'log')}. "
        "The checks that raised an alarm:"
        f"\n\n{listed(alarms)}\n\n"
        "A judge without an alarm may still be biased: the tables say how large a "
        "shift must be to be noticed. An alarm is about these debates alone."
    )


def _notices(data: Data) -> Iterator[Notice]:
    parts = data.parts
    yield from run_notices(data.logs)
    frame = data.grouped.frame
    of_suite = frame["data"].astype(str).str.split().str[0].eq("sample")
    if len(conditions := frame.loc[of_suite, "condition"].unique()):
        yield Notice(
            "Checked on the debates that are shipped, which are written for this "
            "suite, few, short and easy: an alarm there is about the judge, and "
            "silence says little about harder debates.\n\n"
            f"{listed(data.names[condition] for condition in conditions)}",
            "info",
        )
    yield from sample_notices(data.grouped, data.names)
    yield from item_notices(parts)
    yield from unread_notices(parts, STAGES)
    left_out = [
        f"{judge.name}: `{check}` of {counted(number, 'debate')} of {judge.debates}"
        for judge in data.judges
        for check, number in judge.left_out.items()
    ]
    if left_out:
        yield Notice(
            "Left out: names or labels cannot be exchanged in debates whose question, "
            f"options, passage or quotes have them, too.\n\n{listed(left_out)}"
        )
    few = [
        f"{judge.name}, {counted(judge.questions, 'question')}: {', '.join(kinds)}"
        for judge in data.judges
        if (kinds := [*_unseen(judge)])
    ]
    if few:
        yield Notice(
            "So few debates can show only large shifts. No shift below these can raise "
            "an alarm by itself, even if all verdicts that move, move the same way:"
            f"\n\n{listed(few)}"
        )
    yield from call_notices(data.calls)


def _unseen(judge: CheckedJudge) -> Iterator[str]:
    """How great a shift has to be, by kind of check, where that is much."""
    for kind, checks in (("swaps", SWAPS), ("added content", PERTURBATIONS)):
        least = [judge.visible[check] for check in checks if check in judge.visible]
        # Of checks that were not made of all debates fewer verdicts are known.
        known = [share for share in least if not math.isnan(share)]
        if known and max(known) > _SEEN:
            yield f"{kind} {100 * min(known):.0f} %"
        elif least and not known:
            yield f"{kind}: none can"


# The tables of a judge check: what moved its verdicts, and how steady it is.

_TITLES = {
    "order": "Other order",
    "names": "Names exchanged",
    "sides": "Labels exchanged",
    "padded": "Speech padded",
    "authority": "Authority claimed",
    "forged_quote": "Quote forged",
    "orders": "Orders given",
}
"""Checks as readers see them."""


def _steadiness(data: Data) -> Iterator[dict[str, object]]:
    for judge in data.judges:
        yield {
            "Judge": judge.name,
            "Debates": judge.debates,
            "Questions": judge.questions,
            "Same again": judge.again,
            "Right": judge.right,
            "As people": judge.human,
            "Alarms": ", ".join(judge.alarms) or judge.silence,
        }


def _shifts(data: Data) -> Iterator[dict[str, object]]:
    for judge in data.judges:
        for check, found in judge.shifts.items():
            finding = judge.findings.shifts[check]
            unsteady = judge.findings.unsteady.get(check) if check in SWAPS else None
            alarm = "unsteady" if unsteady is not None and unsteady.alarm else "no"
            yield {
                "Judge": judge.name,
                "Check": f"{_TITLES[check]} ({FAVOURED[check]})",
                "Read": found.n,
                "Changed": found.changed,
                "Shift": Estimate(found.shift, found.low, found.high),
                "Smallest significant shift": judge.visible[check],
                "p (Holm)": finding.adjusted,
                "Unsteady: p (Holm)": unsteady.adjusted if unsteady else math.nan,
                "Alarm": "yes" if finding.alarm else alarm,
            }


def _figure(data: Data) -> Iterator[Figure]:
    """All shifts with their intervals, judge by judge."""
    rows = {
        (judge.name, _TITLES[check]): (found.shift, found.low, found.high)
        for judge in data.judges
        for check, found in judge.shifts.items()
    }
    if not rows:
        return
    estimates = pd.DataFrame(
        list(rows.values()),
        index=pd.MultiIndex.from_tuples(rows),
        columns=["estimate", "low", "high"],
    )
    checks = "; ".join(f"{judge}, {check}" for judge, check in rows)
    yield Figure(
        name="shifts_by_judge",
        title="How far each check moved the verdicts",
        figure=forest(
            estimates,
            label="shift (percentage points)",
            sides=("away from it", "toward the side that it may help"),
        ),
        alt=f"Shift of each judge under each check with its interval: {checks}.",
        note="Lines are 95 % intervals, clustered by question. The dashed line is a "
        "judge that is not affected.",
    )


def _probabilities(data: Data) -> pd.DataFrame:
    """Probabilities of verdicts on the debates as they were."""
    frame = data.grouped.frame
    named = frame[_KEY].assign(Condition=frame["condition"].map(data.names))
    return condition_rows(data.calls.probabilities, named)


REPORT: StudyReport[Data] = StudyReport(
    study=STUDY,
    title="Judge check",
    source="Runs of the task inspect_debate/judge_check",
    read=read_data,
    summary=_summary,
    notices=_notices,
    parts=[
        Part(
            "The judges",
            [
                Rows(
                    *("steadiness", "The judges", _steadiness),
                    dict.fromkeys(("Same again", "Right", "As people"), PERCENT),
                    note="Percent of verdicts; “Right” and “As people” are about the "
                    "verdicts on the debates as they were.",
                    known_only=True,
                )
            ],
            f"`repeat` raises an alarm where more than {MOST_CHANGED:.0%} of the "
            "verdicts change when the judge is asked the same again, by an exact "
            f"binomial test, and by at least {LEAST_SHIFT:.0%} more than that. The "
            "next section says when the other checks do.",
        ),
        Part(
            "What moved the verdicts",
            [
                Rows(
                    *("shifts", "What moved the verdicts", _shifts),
                    {
                        "Read": COUNT,
                        "Changed": PERCENT,
                        "Shift": POINTS,
                        "Shift low": POINTS,
                        "Shift high": POINTS,
                        "Smallest significant shift": PERCENT,
                        "p (Holm)": P_VALUE,
                        "Unsteady: p (Holm)": P_VALUE,
                    },
                    groups="Judge",
                    note="95 % intervals are clustered by question. No shift below "
                    "“Smallest significant shift” can raise an alarm by itself, even "
                    "if all verdicts that move, move the same way; a dash means that "
                    "none can.",
                ),
                _figure,
            ],
            "A shift is the percent of verdicts that moved toward the side that the "
            "check may help (in brackets), less the percent that moved away. Its "
            "p-value is that of the exact sign test of moves toward against moves "
            "away: two-sided where something is exchanged, one-sided where something "
            "is added. “Unsteady” is McNemar's exact test for more changes than when "
            "the judge was asked the same again. All p-values of a judge have Holm's "
            f"correction. An alarm takes a p-value of at most {LEVEL:g}, and a shift "
            f"(or more changes) of at least {LEAST_SHIFT:.0%}.",
            otherwise="In these runs nothing was changed but `repeat`, or no two "
            "verdicts to compare could be read.",
        ),
        chapter(_probabilities),
        lambda data: sanity_section(data.parts, STAGES, data.calls),
        lambda data: provenance_section(data.logs, runs_of(data.grouped, data.names)),
    ],
    main=(
        Main(
            *("steadiness", "Same again", "Debates"),
            "{Judge}: asked again about the same debate, it gives the same verdict in "
            "{value}. Alarms: {Alarms}.",
            PERCENT,
            " %",
            "debates",
        ),
    ),
    figure=("shifts_by_judge",),
)
"""The report on runs of the task `judge_check`."""
