"""The report on judge checks: which judges change their mind, and over what."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.judge_checks import (
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
from inspect_debate.debate.record import Status
from inspect_debate.metrics.agreement import Share
from inspect_debate.metrics.judge_checks import (
    LEAST_SHIFT,
    LEVEL,
    MOST_CHANGED,
    Finding,
    Findings,
    Shift,
    findings,
    least_visible,
    shift,
)
from inspect_debate.metrics.shares import share
from inspect_debate.reports.calls import Calls, call_notices, read_with_calls
from inspect_debate.reports.conditions import (
    CONDITION,
    ConditionSamples,
    Grouped,
    group_conditions,
)
from inspect_debate.reports.elements import (
    COUNT,
    P_VALUE,
    PERCENT,
    POINTS,
    Figure,
    Main,
    Notice,
    Report,
    Section,
    Table,
    counted,
    known_columns,
    listed,
    section_of,
)
from inspect_debate.reports.estimates import clusters
from inspect_debate.reports.figures import forest
from inspect_debate.reports.frames import scores_of
from inspect_debate.reports.logs import Log, LogPaths, study_logs
from inspect_debate.reports.notices import item_notices, run_notices, sample_notices
from inspect_debate.reports.provenance import provenance_section, runs_of
from inspect_debate.reports.samples import Held
from inspect_debate.reports.sanity import sanity_section, unread_notices

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


def read_data(logs: Sequence[Log]) -> Data:
    """Read the logs.

    Raises:
        InputError: If no sample was scored.
    """
    calls, statuses = read_with_calls(logs, _statuses)
    by_models = {of: n for of, n in calls.served.items() if WRITTEN not in of}
    calls = calls._replace(served=by_models)
    counts = pd.DataFrame(statuses, columns=pd.Index([*_KEY, *_COUNTS]))
    scores = scores_of(logs).merge(counts, on=_KEY, how="left")
    if not scores["scored"].any():
        raise InputError("No sample of these logs was scored: there is no report.")
    grouped = group_conditions(scores)
    names = _names(grouped.overview)
    judges = [
        _judge(names[str(condition)], rows)
        for condition, rows in grouped.frame.groupby("condition", sort=False)
    ]
    return Data(logs, grouped, names, judges, calls)


_COUNTS = [f"verdict_{status}" for status in Status]


def _statuses(held: Held) -> dict[str, Any]:
    """How the verdicts of a sample were read."""
    verdicts = [] if held.record is None else held.record.of_kind("verdict")
    found = [f"verdict_{turn.field('answer').status}" for turn in verdicts]
    key = (held.log.header.eval.eval_id, str(held.sample.id), held.sample.epoch)
    return dict(zip(_KEY, key, strict=True)) | {c: found.count(c) for c in _COUNTS}


def _names(overview: pd.DataFrame) -> dict[str, str]:
    """Judges by condition, with what else tells them apart."""
    names = {}
    for row in overview.to_dict("records"):
        judge = str(row["judge"])
        told = row["condition"].removeprefix(STUDY).replace(f" judge={judge}", "")
        names[row["condition"]] = f"{judge}{told}"
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


def judge_check_report(logs: LogPaths, *, allow_partial: bool = False) -> Report:
    """The report on runs of the task `judge_check`.

    Args:
        logs: Log files or folders of them.
        allow_partial: Whether to take logs of runs that did not finish.

    Raises:
        InputError: If there are no such logs, or one of them is of no use.
    """
    data = read_data(study_logs(logs, STUDY, allow_partial=allow_partial))
    parts = data.parts
    return Report(
        title="Judge check",
        study="Runs of the task inspect_debate/judge_check",
        summary=_summary(data),
        notices=[
            *run_notices(data.logs),
            *_shipped_notices(data),
            *sample_notices(data.grouped, data.names),
            *item_notices(parts),
            *unread_notices(parts, STAGES),
            *_left_out_notices(data),
            *_size_notices(data),
            *call_notices(data.calls),
        ],
        sections=[
            Section("The judges", _STEADY, [steadiness_table(data.judges)]),
            section_of(
                "What moved the verdicts",
                _MOVED,
                [shifts_table(data.judges), *shift_figure(data.judges)],
                otherwise="In these runs nothing was changed but `repeat`, or no two "
                "verdicts to compare could be read.",
            ),
            sanity_section(parts, STAGES, data.calls),
            provenance_section(data.logs, runs_of(data.grouped, data.names)),
        ],
        main=_MAIN,
    )


_MAIN = (
    Main(
        *("steadiness", "Same again", "Debates"),
        "{Judge}: of the same debate it gives the same verdict again in {value}. "
        "Alarms: {Alarms}.",
        PERCENT,
        " %",
        "debates",
    ),
)


def _summary(data: Data) -> str:
    rung = []
    for judge in data.judges:
        alarms = [check for check in CHECKS if judge.findings.alarms(check)]
        told = ", ".join(f"`{check}`" for check in alarms)
        rung.append(f"{judge.name}: {told or judge.silence}")
    return (
        f"{counted(len(data.judges), 'judge')}, from {counted(len(data.logs), 'log')}. "
        "The checks that raised an alarm:"
        f"\n\n{listed(rung)}\n\n"
        "A judge without an alarm may still be biased: the tables say how large a "
        "shift must be to be noticed. An alarm is about these debates alone."
    )


def _shipped_notices(data: Data) -> Iterator[Notice]:
    """Judges that were checked on the debates that are shipped."""
    frame = data.grouped.frame
    shipped = frame.loc[
        frame["data"].astype(str).str.split().str[0].eq("sample"), "condition"
    ].unique()
    if len(shipped):
        yield Notice(
            "Checked on the debates that are shipped, which are written for this "
            "suite, few, short and easy: an alarm there is about the judge, and "
            "silence says little about harder debates.\n\n"
            f"{listed(data.names[condition] for condition in shipped)}",
            "info",
        )


def _left_out_notices(data: Data) -> Iterator[Notice]:
    """Checks that were not made of some debates."""
    told = [
        f"{judge.name}: `{check}` of {counted(number, 'debate')} of {judge.debates}"
        for judge in data.judges
        for check, number in judge.left_out.items()
    ]
    if told:
        yield Notice(
            "Left out: names or labels cannot be exchanged in debates in which they "
            "stand in the question, its options, the passage or a quote as well."
            f"\n\n{listed(told)}"
        )


def _size_notices(data: Data) -> Iterator[Notice]:
    """Judges with too few debates for the checks to see anything."""
    few = [
        f"{judge.name}, {counted(judge.questions, 'question')}: {', '.join(told)}"
        for judge in data.judges
        if (told := [*_unseen(judge)])
    ]
    if few:
        yield Notice(
            "So few debates can show only large shifts. No shift below these can raise "
            "an alarm by itself, even if all verdicts that move, move the same way:"
            f"\n\n{listed(few)}"
        )


def _unseen(judge: CheckedJudge) -> Iterator[str]:
    """How great a shift has to be, by kind of check, where that is much."""
    for kind, checks in (("exchanges", SWAPS), ("what is added", PERTURBATIONS)):
        least = [judge.visible[check] for check in checks if check in judge.visible]
        # Of checks that were not made of all debates fewer verdicts are known.
        known = [share for share in least if not math.isnan(share)]
        if known and max(known) > _SEEN:
            yield f"{kind} {min(known):.0%}"
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


def shifts_table(judges: Sequence[CheckedJudge]) -> Table | None:
    """A row for each judge and check; None where nothing was changed."""
    rows = [row for judge in judges for row in _shifts(judge)]
    if not rows:
        return None
    marked = ("Shift", "Shift low", "Shift high")
    return Table(
        name="shifts",
        title="What moved the verdicts",
        frame=pd.DataFrame(rows),
        groups="Judge",
        formats={
            "Read": COUNT,
            "Changed": PERCENT,
            **dict.fromkeys(marked, POINTS),
            "Least to ring": PERCENT,
            **dict.fromkeys(("p (Holm)", "Unsteady: p (Holm)"), P_VALUE),
        },
        note="95 % intervals are clustered by question. No shift below “Least to ring” "
        "can raise an alarm by itself, even if all verdicts that move, move the same "
        "way; a dash means that none can.",
    )


_MOVED = (
    "A shift is the percent of verdicts that moved toward the side that the check may "
    "help (in brackets), less the percent that moved away. Its p-value is that of the "
    "exact sign test of moves toward against moves away: two-sided where something is "
    "exchanged, one-sided where something is added. “Unsteady” is McNemar's exact test "
    "for more changes than when the judge was asked the same again. All p-values of a "
    f"judge have Holm's correction. An alarm takes a p-value of at most {LEVEL:g}, and "
    f"a shift (or more changes) of at least {LEAST_SHIFT:.0%}."
)


def steadiness_table(judges: Sequence[CheckedJudge]) -> Table:
    """Agreement of each judge with itself, with people, and with the truth."""
    rows = []
    for judge in judges:
        shares = {
            "Same again": judge.again,
            "Right": judge.right,
            "As people": judge.human,
        }
        row: dict[str, Any] = {
            "Judge": judge.name,
            "Debates": judge.debates,
            "Questions": judge.questions,
        }
        for name, found in shares.items():
            row |= {name: found.value, f"{name} low": found.low}
            row |= {f"{name} high": found.high}
        alarms = [check for check in CHECKS if judge.findings.alarms(check)]
        rows.append(row | {"Alarms": ", ".join(alarms) or judge.silence})
    table = Table(
        name="steadiness",
        title="The judges",
        frame=pd.DataFrame(rows),
        formats=dict.fromkeys(("Same again", "Right", "As people"), PERCENT),
        note="Percent of verdicts; “Right” and “As people” are about the verdicts on "
        "the debates as they were.",
    )
    return known_columns(table)


_STEADY = (
    f"`repeat` raises an alarm where more than {MOST_CHANGED:.0%} of the verdicts "
    "change when the judge is asked the same again, by an exact binomial test, and by "
    f"at least {LEAST_SHIFT:.0%} more than that. The next section says when the other "
    "checks do."
)


def shift_figure(judges: Sequence[CheckedJudge]) -> Iterator[Figure]:
    """All shifts with their intervals, judge by judge."""
    rows = {
        (judge.name, _TITLES[check]): (found.shift, found.low, found.high)
        for judge in judges
        for check, found in judge.shifts.items()
    }
    if not rows:
        return
    estimates = pd.DataFrame(
        list(rows.values()),
        index=pd.MultiIndex.from_tuples(rows),
        columns=["estimate", "low", "high"],
    )
    yield Figure(
        name="shifts_by_judge",
        title="How far each check moved the verdicts",
        figure=forest(
            estimates,
            label="shift (percentage points)",
            sides=("away from it", "toward the side that it may help"),
        ),
        alt="Shift of each judge under each check with its interval: "
        + "; ".join(f"{judge}, {check}" for judge, check in rows)
        + ".",
        note="Lines are 95 % intervals, clustered by question. The dashed line is a "
        "judge that does not mind.",
    )


def _shifts(judge: CheckedJudge) -> Iterator[dict[str, Any]]:
    for check, found in judge.shifts.items():
        finding = judge.findings.shifts[check]
        unsteady = judge.findings.unsteady.get(check) if check in SWAPS else None
        yield {
            "Judge": judge.name,
            "Check": f"{_TITLES[check]} ({FAVOURED[check]})",
            "Read": found.n,
            "Changed": found.changed,
            "Shift": found.shift,
            "Shift low": found.low,
            "Shift high": found.high,
            "Least to ring": judge.visible[check],
            "p (Holm)": finding.adjusted,
            "Unsteady: p (Holm)": unsteady.adjusted if unsteady else float("nan"),
            "Alarm": _alarm(finding, unsteady),
        }


def _alarm(shift: Finding | None, unsteady: Finding | None = None) -> str:
    if shift is not None and shift.alarm:
        return "yes"
    return "unsteady" if unsteady is not None and unsteady.alarm else "no"
