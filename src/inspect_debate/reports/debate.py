"""The report on debates over questions, by our protocols or by those of others."""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import permutations
from math import isnan, nan
from typing import Any, NamedTuple

import pandas as pd
from inspect_ai.log import EvalSampleSummary, HeadlineMetric, read_eval_log_samples

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import debate_of
from inspect_debate.metrics import paired
from inspect_debate.reports import colmad, figures, stats, trust
from inspect_debate.reports.frames import Protocol, as_number, content, finished
from inspect_debate.reports.report import Figure, Headline, Item, Notice, Table

TITLE = "Debates over questions"
PROTOCOLS = {
    "debate": Protocol("Debate"),
    **colmad.PROTOCOLS,
    "consultancy": Protocol("Consultancy", ("debater_a", "judge")),
}
AGAINST = {
    "judge": "The same judge alone",
    "consultancy": "The same judge, one side",
    "reader": "The same judge, passage read",
    "answers": "Answers without a judge",
    "debate": "Another debate",
}
"""What a condition of some kind is as a baseline; the first one is the main result."""
TREATMENTS = ["debate", "consultancy", "reader"]
"""The kinds of conditions that are compared with others, the main one first."""
OUTCOME = "correct"
_SCORER = "question_answering"
_PROCESS = (
    *("speeches", "speeches_lost", "concessions", "words"),
    *("quotes", "quotes_verified", "passage_read", "honest"),
)


class Comparison(NamedTuple):
    """A paired difference in accuracy, treatment minus baseline."""

    treatment: str
    baseline: str
    kind: str
    found: paired.PairedDifference


def report(samples: pd.DataFrame, full: bool = False) -> Iterator[Item]:
    """Report on `frames.samples(logs, "debate", PROTOCOLS)`; `full` adds the rest."""
    samples = with_outcomes(samples)
    rows = read(samples)
    compared = comparisons(rows)
    main = compared[0].treatment if compared else str(rows["Condition"].iloc[0])
    yield Headline(_headline(rows, main, compared))
    yield Notice(trust.warnings(samples, OUTCOME))
    yield _figure(rows, main, compared)
    yield _accuracy(rows)
    again = {*rows.loc[rows["again"], "Condition"], main}
    shown = [c for c in compared if full or c.kind != "debate" or c.treatment in again]
    if shown:
        found = {(c.treatment, c.baseline): {"Difference": c.found} for c in shown}
        table = figures.paired_table(found)
        table.frame["Compared with"] = [_against(one, rows) for one in shown]
        yield table
    yield from _process(rows)
    yield from trust.section(samples, OUTCOME)


def with_outcomes(samples: pd.DataFrame) -> pd.DataFrame:
    """Add `correct` and its `chance`, and make ids tell samples of tasks apart.

    Of our own runs `correct` is that of the scorer `question_answering`, of others the
    headline's score, or else the first. Logs without a score from 0 to 1 are left out.
    """
    notes, parts = [*samples.attrs["notes"]], []
    for _, rows in samples.groupby("log", sort=False):
        try:
            parts.append(rows.assign(correct=_outcomes(rows)))
            if rows["outside"].iloc[0] and (n := _unanswered(rows)):
                notes.append(
                    f"{n} of {len(rows)} debates in {rows['file'].iloc[0]} have no "
                    "answer; the task's own scorer counts them all the same."
                )
        except ValueError as error:
            notes.append(f"{rows['file'].iloc[0]} is left out: {error}.")
    if not any(rows["status"].eq("finished").any() for rows in parts):
        raise InputError(" ".join(notes))
    found = pd.concat(parts).sort_index()
    guesses = [1 / len(of.choices) if of.choices else nan for of in found["summary"]]
    guess = pd.Series(guesses, found.index)
    found["chance"] = found.get(f"{_SCORER}.chance", guess).astype(float).fillna(guess)
    found["id"] = [f"{of.id} {content(of)}" for of in found["summary"]]
    found.attrs["notes"] = notes
    return found


def _unanswered(rows: pd.DataFrame) -> int:
    """How many debates of a log on another's task ended without an answer."""
    if any(_SCORER in (of.scores or {}) for of in rows["summary"]):
        return 0  # it leaves them out
    heavy = {"events", "messages", "attachments"}
    of_log = read_eval_log_samples(
        rows["log"].iloc[0], all_samples_required=False, exclude_fields=heavy
    )
    records = [one for one in map(debate_of, of_log) if one and one.complete]
    return sum(one.answer is None and not one.tied for one in records)


def _outcomes(rows: pd.DataFrame) -> list[float]:
    """Whether each sample of a log was right; NaN without an outcome."""
    summaries, headline = rows["summary"], rows["headline"].iloc[0]
    if rows["status"].eq("finished").any() and not any(of.scores for of in summaries):
        raise ValueError("it has no scores")
    return [_outcome(of, headline) for of in summaries]


def _outcome(of: EvalSampleSummary, headline: HeadlineMetric) -> float:
    scores = {name: score.value for name, score in (of.scores or {}).items()}
    scorers = [n for n in (_SCORER, headline.scorer, *scores) if n in scores]
    value: Any = scores[scorers[0]] if scorers else None
    if isinstance(value, Mapping):
        keys = (OUTCOME, headline.score, *value)
        value = next((value[key] for key in keys if key in value), None)
    right = as_number(value)
    if right < 0 or right > 1:
        raise ValueError(f"{scorers[0]} of sample {of.id} is {value}, not from 0 to 1")
    return right


def read(samples: pd.DataFrame) -> pd.DataFrame:
    """The finished samples, with the `kind` of their condition; see `AGAINST`."""
    rows = finished(samples, {f"process.{name}": name for name in _PROCESS})
    rows["Data"] = rows["source"]
    rows["again"] = rows["debates"].str.startswith("debates of")
    about = zip(rows["protocol"], rows["solver"], rows["parameters"], strict=True)
    rows["kind"] = [_kind(*of) for of in about]
    # What a user's own protocol is compared with comes after it.
    own = (rows["kind"] == "debate") & ~rows["protocol"].isin([*PROTOCOLS])
    return pd.concat([rows[own], rows[~own]])


def _kind(protocol: str, solver: str, parameters: Mapping[str, Any]) -> str:
    if protocol == "judge_alone":
        return "reader" if parameters.get("judge_sees_passage") else "judge"
    if protocol == "consultancy":
        return protocol
    if protocol in PROTOCOLS:
        return "debate" if "judge" in PROTOCOLS[protocol].roles else "answers"
    return "debate" if solver else "answers"  # the solver of another's task


def comparisons(rows: pd.DataFrame) -> list[Comparison]:
    """All comparisons that the conditions allow, the most important ones first."""
    conditions = {str(name): of for name, of in rows.groupby("Condition", sort=False)}
    kinds = {name: str(of["kind"].iloc[0]) for name, of in conditions.items()}
    again = {name: bool(of["again"].iloc[0]) for name, of in conditions.items()}
    found = []
    for (n, one), (m, other) in permutations(enumerate(conditions), 2):
        after, before = conditions[one], conditions[other]
        # Of two debates the one that was judged again is the treatment.
        backwards = (again[one], -n) < (again[other], -m)
        repeated = backwards and kinds[one] == kinds[other]
        if _comparable(after.iloc[0], before.iloc[0]) and not repeated:
            pair = paired.mean_difference(before, after, OUTCOME)
            place = TREATMENTS.index(kinds[one]), n, [*AGAINST].index(kinds[other])
            found.append((place, Comparison(one, other, kinds[other], pair)))
    found.sort(key=lambda of: of[0])
    return [comparison for _, comparison in found if comparison.found.pairs]


def _comparable(one: "pd.Series[Any]", other: "pd.Series[Any]") -> bool:
    """Whether the difference between two conditions answers a question.

    Judges are compared with themselves, and debaters are.
    """
    match one["kind"], other["kind"]:
        case ("debate", "debate"):
            return True
        case ("debate" | "consultancy", "answers"):
            protocol = PROTOCOLS.get(other["protocol"], PROTOCOLS["single"])
            speaks = PROTOCOLS.get(one["protocol"], PROTOCOLS["debate"]).roles
            debaters = {one[role] for role in speaks if role != "judge"}
            return {other[role] for role in protocol.roles} <= debaters
        case (
            ("debate" | "consultancy", "judge" | "reader")
            | ("debate", "consultancy")
            | ("reader", "judge")
        ):
            return bool(one["judge"] == other["judge"])
    return False


# What is shown.


def _against(one: Comparison, rows: pd.DataFrame) -> str:
    """What the baseline of a comparison is."""
    ends = (rows[rows["Condition"] == name] for name in (one.treatment, one.baseline))
    after, before = (end.iloc[0] for end in ends)
    same = after["debates"] in (before["debates"], f"debates of {before['file']}")
    return "The same debates" if after["again"] and same else AGAINST[one.kind]


def _headline(rows: pd.DataFrame, main: str, compared: list[Comparison]) -> str:
    own = rows[rows["Condition"] == main]
    chance = stats.number(100 * own["chance"].mean())
    guessing = "" if chance == stats.DASH else f" Guessing gets {chance} % right."
    if compared:
        found = stats.difference(
            "accuracy", main, compared[0].baseline, compared[0].found
        )
        return found + guessing
    value, n = stats.mean(OUTCOME, own), int(own[OUTCOME].notna().sum())
    return f"The accuracy of {main} is {value.text()} % ({n} samples).{guessing}"


def _figure(rows: pd.DataFrame, main: str, compared: list[Comparison]) -> Figure:
    groups = rows.groupby("Condition", sort=False)
    values = {str(name): stats.mean(OUTCOME, of) for name, of in groups}
    chances = rows["chance"].round(6).unique()
    chance = 100 * float(chances[0]) if len(chances) == 1 else nan
    line = None if isnan(chance) else chance
    note = "Lines are 95 % intervals, clustered by question. Filled dots are debates."
    if line:
        note += " Dashed: guessing."
    if own := {
        c.baseline: stats.percent(c.found) for c in compared if c.treatment == main
    }:
        note += f" Right: paired differences, {main} minus each condition."
    panel = figures.Panel("Accuracy (%)", values, line)
    debates = {*rows.loc[rows["kind"] == "debate", "Condition"]}
    return figures.compared("accuracy", "Accuracy", panel, own, debates, note)


def _accuracy(rows: pd.DataFrame) -> Table:
    measures: stats.Measures = {
        "Accuracy": partial(stats.mean, OUTCOME),
        "Of all samples": lambda of: stats.mean(OUTCOME, of.fillna({OUTCOME: 0.0})),
        "Chance": lambda of: 100 * float(of["chance"].mean()),
        "Samples": len,
        "No outcome": lambda of: int(of[OUTCOME].isna().sum()),
    }
    note = (
        "Percent with 95 % intervals, clustered by question. Accuracy is that of the "
        "samples with an outcome; a tie between two answers counts half. Of all "
        "samples: those without an outcome count as wrong."
    )
    if rows["Data"].nunique() > 1:
        note += " Other tasks keep their own scores."
    if rows["honest"].notna().any():
        measures["Honest"] = lambda of: stats.mean(OUTCOME, of[of["honest"] == 1])
        measures["Dishonest"] = lambda of: stats.mean(OUTCOME, of[of["honest"] == 0])
        note += " Honest: where the consultant argues for the right answer."
    keys = ["Data", "Condition"] if rows["Data"].nunique() > 1 else ["Condition"]
    frame = stats.by(rows.sort_values(keys[:-1], kind="stable"), keys, measures)
    return Table("scores", "Accuracy by condition", frame, note, group="Data")


def _process(rows: pd.DataFrame) -> Iterator[Item]:
    shown = rows[rows["speeches"] > 0]
    if shown.empty:
        return
    measures: stats.Measures = {
        "Debates": len,
        "Quotes a debate": lambda of: of["quotes"].mean(),
        **trust.SPEECHES,
        "Passage read": partial(stats.mean, "passage_read"),
    }
    note = (
        f"{trust.SPEECHES_NOTE} Passage read: share of the passage's words that the "
        "judge could read."
    )
    title = "What was said in debates"
    yield Table("debates", title, stats.by(shown, ["Condition"], measures), note)
