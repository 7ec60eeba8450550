"""The released debates of people, to compare printed numbers with."""

from collections.abc import Hashable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from inspect_debate.metrics.gain import mean_difference
from inspect_debate.published.human_debate import DEBATES, People, Spot
from inspect_debate.published.realmistake import released_text
from inspect_debate.reports.judges.verdicts import right_answers
from inspect_debate.reports.rounds import measures, round_facts
from inspect_debate.transcripts.format import record_of
from inspect_debate.transcripts.nyu import Room, transcript_of_room

HUMAN, CONSULTANCY = "human_debate", "human_consultancy"
TABLE_1 = {
    "Debates": "n",
    "Rounds": "rounds_mean",
    "SD": "rounds_sd",
    "New quotes": "quotes_per_round",
    "Characters": "characters_per_round",
    "Bits": "bits_per_round",
    "Judge's score": "judge_score",
    "ECE": "ece_final",
}
"""The columns of Table 1, by the titles of the report's measures."""


def released_people(folder: Path) -> People:
    """What the released debates give for printed numbers.

    Args:
        folder: The folder of released data.

    Raises:
        InputError: If the file is another than the one released.
    """
    return people(people_frame(folder))


def people_frame(folder: Path) -> pd.DataFrame:
    """A row for each debate: the columns of `round_facts`, and what it is about."""
    rows = []
    for line in released_text(folder, DEBATES).splitlines():
        room = Room.model_validate_json(line)
        transcript = transcript_of_room(room)
        record = record_of(transcript, {})
        facts = round_facts(
            record, right_answers(str(transcript.right), record), transcript.passage
        )
        rows.append(
            {
                "setting": transcript.condition,
                "id": transcript.id,
                "input_group": room.passage.article_id,
                "asked": (room.passage.article_id, room.question),
                "judge": record.participant("judge").model,
                "story": len(room.passage.text),
                "tokens": room.passage.tokens,
                "prior": facts["believed"][0],
                "final": facts["believed"][-1],
                "right": facts["believed"][-1] > 1 / 2,
                "rounds": len(facts["per_round"]),
                "new": sum(round.new for round in facts["per_round"]),
                **facts,
            }
        )
    return pd.DataFrame(rows)


def people(debates: pd.DataFrame) -> People:
    """What debates give for printed numbers.

    Args:
        debates: As from `people_frame`.
    """
    by = {str(name): rows for name, rows in debates.groupby("setting")}
    return People(dict(_cells(debates, by)), _tests(by))


def _cells(
    debates: pd.DataFrame, by: Mapping[str, pd.DataFrame]
) -> Iterator[tuple[Spot, float | str]]:
    for name, rows in by.items():
        found = {title: _plain(value) for title, value in measures(rows).items()}
        for title, column in TABLE_1.items():
            yield ("table_1", name, column), found[title]
        yield ("figure_3", name, "accuracy"), 100 * float(rows["right"].mean())
        for consultant, part in rows.groupby("consultant"):
            place = ("figure_4", f"{name} {consultant}", "accuracy")
            yield place, 100 * float(part["right"].mean())
        yield ("figure_5", name, "ece_all_turns"), found["ECE, all"]
        for column, value in _table_3(rows):
            yield ("table_3", name, column), value
        before = ("text", f"redundant_{name}", "value")
        yield before, 100 * found["Quoted before"]
        shares = rows["new"] / rows["story"]
        yield ("text", f"revealed_{name}", "value"), 100 * float(shares.mean())
    for row, text_value in _text(debates, by):
        yield ("text", row, "value"), text_value


def _plain(value: Any) -> float:
    return float(getattr(value, "value", value))


def _table_3(rows: pd.DataFrame) -> Iterator[tuple[str, float]]:
    """Variances within stories and questions; a tie counts as right here."""
    right = (rows["final"] >= 1 / 2).astype(float)
    yield "n", float(len(rows))
    yield "variance", float(right.var())
    for name, column in (("story", "input_group"), ("question", "asked")):
        groups = right.groupby(rows[column])
        yield f"n_per_{name}", len(rows) / groups.ngroups
        yield f"per_{name}_variance", float(groups.var().mean())


def _text(
    debates: pd.DataFrame, by: Mapping[str, pd.DataFrame]
) -> Iterator[tuple[str, float | str]]:
    human = by[HUMAN]
    sure = np.maximum(human["final"], 1 - human["final"]) >= 0.95
    tenths = np.floor(10 * debates["prior"] + 0.5)
    yield "debates", float(len(debates))
    yield "p_accuracy", two_proportions(human, by[CONSULTANCY], correction=False)
    largest = max(_t_tests(by, equal_var=True).values())
    yield "p_rounds", "< 0.0001" if largest < 1e-4 else f"{largest:.4f}"
    yield "sure_human_debate", 100 * float(human.loc[sure, "right"].mean())
    yield "prior_half", 100 * float((tenths == 5).mean())
    yield "prior_near_half", 100 * float(tenths.between(4, 6).mean())
    yield "story_characters", float(debates["story"].mean()) / 1000
    yield "story_tokens", float(debates["tokens"].mean()) / 1000
    judges = human.groupby("judge")["right"].agg(["mean", "size"])
    always = judges.loc[judges["mean"] == 1, "size"].nlargest(2)
    yield "best_two_judges", float(always.sum())
    good = int((judges["mean"] >= 0.9).sum())
    half = 2 * good >= len(judges)
    yield "best_half_of_judges", "the top half" if half else f"{good} of {len(judges)}"


def two_proportions(
    one: pd.DataFrame, other: pd.DataFrame, *, correction: bool
) -> float:
    """The p-value of equal accuracies, for independent debates."""
    counts = [[of["right"].sum(), (~of["right"]).sum()] for of in (one, other)]
    return float(stats.chi2_contingency(counts, correction=correction).pvalue)


def _t_tests(by: Mapping[str, pd.DataFrame], *, equal_var: bool) -> dict[str, float]:
    """P-values of equal mean rounds of human debate and each other setting."""
    return {
        name: float(
            stats.ttest_ind(
                by[HUMAN]["rounds"], rows["rounds"], equal_var=equal_var
            ).pvalue
        )
        for name, rows in by.items()
        if name != HUMAN
    }


def clustered(one: pd.DataFrame, other: pd.DataFrame, column: str) -> float:
    """The p-value of equal means, with errors clustered by story."""
    both = pd.concat([one, other])
    marks = np.repeat([1.0, 0.0], [len(one), len(other)])
    stories: list[Hashable] = list(both["input_group"])
    return mean_difference(both[column].astype(float), marks, stories).p()


def _tests(by: Mapping[str, pd.DataFrame]) -> dict[str, list[str]]:
    human, other = by[HUMAN], by[CONSULTANCY]
    exact, corrected = (
        two_proportions(human, other, correction=correction)
        for correction in (False, True)
    )
    student, welch = (_t_tests(by, equal_var=equal) for equal in (True, False))
    p = clustered(human, other, "right")
    return {
        "debates-as-independent": [
            f"Two proportions: p = {exact:.4f}, with continuity correction "
            f"{corrected:.4f}; t-test clustered by story: {p:.4f}."
        ],
        "rounds-with-equal-variances": [
            f"Human debate and {name.replace('_', ' ').replace('ai', 'AI')}: Student's "
            f"t-test {student[name]:.2g}, Welch's {welch[name]:.2g}, clustered by "
            f"story {clustered(human, by[name], 'rounds'):.2g}."
            for name in student
        ],
    }
