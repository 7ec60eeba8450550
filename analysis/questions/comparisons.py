"""Which arms are compared, and to what question, by who spoke and who decided."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

import pandas as pd

from inspect_debate.analysis.arms import flat
from inspect_debate.analysis.comparisons import Planned, comparison_tables
from inspect_debate.analysis.questions.frames import rows_of
from inspect_debate.analysis.reporting.elements import Table
from inspect_debate.analysis.reporting.formats import NUMBER

QUESTIONS = {
    "judge": "What do speeches add? Against the same judge without them",
    "reader": "Do they make up for reading? Against the same judge with the passage",
    "consultancy": "Both sides or one? Against a single speaker before the same judge",
    "answers": "Against answers without a judge, of the same models",
    "variant": "Debates that differ in one thing",
    "passage": "What is there to gain? The judge with the passage less without it",
}
"""In the order of the table."""

_SPOKEN = ("debate", "speeches", "consultancy")
_SHOWN, _HIDDEN = "shown", "hidden"
_RATIO = "Tokens, times"


@dataclass(frozen=True)
class Compared:
    """An arm as comparisons take it.

    Attributes:
        place: Among the arms on its data set.
        rows: Its samples, failed ones too, as in `Arms.frame`.
    """

    place: int
    rows: pd.DataFrame

    @property
    def first(self) -> Mapping[Any, Any]:
        """What all rows have in common."""
        found: dict[Any, Any] = self.rows.iloc[0].to_dict()
        return found

    @property
    def title(self) -> str:
        """What readers call it."""
        return str(self.first["title"])

    @property
    def kind(self) -> str:
        """A key of `KINDS`."""
        return str(self.first["kind"])

    @property
    def judge(self) -> str | None:
        """The judge's model; of several, all."""
        found = self.first["judge"]
        return found if isinstance(found, str) else None

    @property
    def debaters(self) -> frozenset[str]:
        """The debaters' models."""
        seats = (self.first["debater_a"], self.first["debater_b"])
        return frozenset(model for model in seats if isinstance(model, str))

    @property
    def passage(self) -> object:
        """What became of the samples' passage."""
        return self.first["parameters"].get("passage")

    @property
    def condition(self) -> dict[str, Any]:
        """All that shapes a debate, by name."""
        named = ("protocol", "debater_a", "debater_b", "judge", "prompts", "seed")
        given = flat({"": self.first["parameters"], "model": self.first["settings"]})
        return {name: str(self.first[name]) for name in named} | {
            name: str(value) for name, value in given
        }

    @property
    def answers(self) -> pd.DataFrame:
        """Its rows as `pair` takes them: an answer is found right, or not."""
        return self.rows.assign(gold=1.0, prediction=self.rows["correct"])


def comparisons(frame: pd.DataFrame) -> Table | None:
    """All comparisons that the arms allow; None without any.

    Args:
        frame: `Arms.frame` as from `arms_of`.
    """
    pairs = [pair for _, part in frame.groupby("data_name") for pair in _pairs(part)]
    pairs.sort(key=lambda pair: list(QUESTIONS).index(pair[0]))
    if not pairs:
        return None
    several = frame["data_name"].nunique() > 1
    planned = [
        Planned(
            QUESTIONS[question],
            _models(arm),
            f"{arm.title} − {other.title}"
            + (f" ({arm.first['data_name']})" if several else ""),
            other.answers,
            arm.answers,
        )
        for question, arm, other in pairs
    ]
    table, _ = comparison_tables(planned)
    ratios = [_tokens(arm) / _tokens(other) for _, arm, other in pairs]
    return replace(
        table,
        name="comparisons",
        frame=table.frame.assign(**{_RATIO: ratios}),
        formats={**table.formats, _RATIO: NUMBER},
        note=f"{table.note} {_RATIO}: mean tokens of a sample of the first named over "
        "those of the second, without what an earlier run paid for.",
    )


def _pairs(frame: pd.DataFrame) -> Iterator[tuple[str, Compared, Compared]]:
    """The question that two arms on one data set answer, and the two."""
    parts = [rows for rows in rows_of(frame).values() if rows["correct"].notna().any()]
    arms = [Compared(place, rows) for place, rows in enumerate(parts)]
    for arm, other in permutations(arms, 2):
        if question := _question(arm, other):
            yield question, arm, other


def _question(arm: Compared, other: Compared) -> str | None:
    """What the first arm less the other one tells; None if nothing is planned."""
    same_judge = arm.judge == other.judge
    if arm.kind in _SPOKEN and other.kind == "judge":
        reads = (arm.passage, other.passage) == (_HIDDEN, _SHOWN)
        return ("reader" if reads else "judge") if same_judge else None
    if arm.kind == "debate" and other.kind == "consultancy":
        return "consultancy" if same_judge else None
    if arm.kind in _SPOKEN and other.kind == "answers":
        return "answers" if other.debaters <= arm.debaters else None
    if arm.kind == other.kind == "judge":
        sees = (arm.passage, other.passage) == (_SHOWN, _HIDDEN)
        return "passage" if sees and same_judge else None
    if {arm.kind, other.kind} <= {"debate", "speeches"}:
        later = arm.place > other.place
        return "variant" if later and _alike(arm, other) else None
    return None


def _alike(arm: Compared, other: Compared) -> bool:
    """Whether two debates differ in nothing but one setting, or in the protocol."""
    a, b = arm.condition, other.condition
    if a["protocol"] != b["protocol"]:
        return arm.debaters == other.debaters and arm.judge == other.judge
    return [a.get(name) == b.get(name) for name in {*a, *b}].count(False) == 1


def _models(arm: Compared) -> str:
    """Who took part: debaters and judge, without providers."""
    roles = (arm.first[role] for role in ("debater_a", "debater_b", "judge"))
    shown = [role.rpartition("/")[2] for role in roles if isinstance(role, str)]
    return " + ".join(shown)


def _tokens(arm: Compared) -> float:
    return float(arm.rows["tokens"].mean()) or float("nan")
