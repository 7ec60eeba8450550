"""How often each arm is right, beside whoever does not read the question."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd

from inspect_debate.reports.arms import ARM, flat
from inspect_debate.reports.comparisons import Planned, comparison_tables
from inspect_debate.reports.elements import (
    COUNT,
    NUMBER,
    PERCENT,
    Column,
    Format,
    Table,
    known_columns,
)
from inspect_debate.reports.estimates import ratio, share
from inspect_debate.reports.questions.frames import (
    CAUSES,
    DATA,
    FROM,
    KEY,
    KINDS,
    rows_of,
    value,
)

GUESS = "Guessing"
FIRST = "Always the first option"
COMMONEST = "Always the letter that is right most often"

_STRICT = "No outcome as wrong"

CLUSTERED = (
    "95 % intervals, which take epochs of a sample, and samples of one group, as one "
    "observation."
)


def accuracy_table(items: pd.DataFrame) -> Table:
    """Every arm and every trivial baseline.

    Args:
        items: As in `Data`.
    """
    rows: list[dict[str, object]] = []
    for data, of_data in items.groupby("data_name", sort=False):
        rows += [
            {DATA: data, ARM: title, **_row(of_arm)}
            for (_, title), of_arm in rows_of(of_data).items()
        ]
        rows += [{DATA: data, **row} for row in _baselines(of_data)]
    table = Table(
        name="accuracy",
        title="Accuracy",
        frame=pd.DataFrame(rows),
        groups=DATA,
        formats={
            **dict.fromkeys(("Accuracy", _STRICT, "Chance", "No outcome"), PERCENT),
            "Samples": COUNT,
        },
        note="Percent. Accuracy: of the samples with an outcome; a coin between two "
        "answers counts half for either. No outcome as wrong: of all scored samples, "
        "those without an outcome counted as wrong. Chance: the mean of one divided by "
        "a sample's number of options; missing for free answers. Samples: scored ones, "
        f"all epochs. {CLUSTERED}",
    )
    return known_columns(table)


def outcome_table(items: pd.DataFrame) -> Table | None:
    """Samples without an outcome by cause; None where all have one.

    Args:
        items: As in `Data`.
    """
    rows = []
    for (data, title), of_arm in rows_of(items).items():
        causes = {name: value(of_arm, key).mean() for key, name in CAUSES.items()}
        missing = float(value(of_arm, "correct").isna().mean())
        rows.append(
            {
                DATA: data,
                ARM: title,
                "Samples": len(of_arm),
                "No outcome": missing,
                **causes,
            }
        )
    if not any(row["No outcome"] for row in rows):
        return None
    return Table(
        name="outcomes",
        title="Samples without an outcome, by cause",
        frame=pd.DataFrame(rows),
        groups=DATA,
        formats=dict.fromkeys(["No outcome", *CAUSES.values()], PERCENT),
        note="Percent of the scored samples. Tied: as many votes for one answer as for "
        "another, or a judge whose verdicts in both orders differ. Missing: nothing "
        "was asked for that could decide.",
    )


def _row(rows: pd.DataFrame) -> dict[str, object]:
    ones = pd.Series(1.0, rows.index)
    return {
        "Kind": KINDS[rows["kind"].iloc[0]],
        **share(rows, "correct").columns("Accuracy"),
        **ratio(rows, rows["correct"].fillna(0.0), ones).columns(_STRICT),
        "Chance": value(rows, "chance").mean(),
        "No outcome": rows["correct"].isna().mean(),
        "Samples": len(rows),
    }


def _baselines(rows: pd.DataFrame) -> Iterator[dict[str, object]]:
    """What those would come to who know the options' number alone."""
    items = rows.assign(chance=value(rows, "chance")).drop_duplicates("id")
    choices = items[items["chance"].notna()]
    if choices.empty:
        return
    letters = choices["target"].value_counts(normalize=True)
    right = {
        GUESS: choices["chance"].mean(),
        FIRST: letters.get("A", 0.0),
        COMMONEST: letters.max(),
    }
    for name, accuracy in right.items():
        yield {
            ARM: name,
            "Kind": "Without reading",
            "Accuracy": accuracy,
            _STRICT: accuracy,
            "No outcome": 0.0,
            "Samples": len(choices),
        }


# What happened on the way: debates, changes of mind, quotes, and what it cost.

_CHANGES = {
    "wrong_to_right": "Wrong to right",
    "right_to_wrong": "Right to wrong",
    "first_right_debater_a": "First answer A right",
    "first_right_debater_b": "First answer B right",
}


def debates_table(items: pd.DataFrame) -> Table | None:
    """Whether debates were held, and what became of first answers; None without any.

    Args:
        items: As in `Data`.
    """
    rows = []
    for (data, title), of_arm in rows_of(items).items():
        if of_arm["kind"].iloc[0] not in ("debate", "speeches", "consultancy"):
            continue
        conceded, concluded = value(of_arm, "concessions"), value(of_arm, "final_ok")
        row = {
            DATA: data,
            ARM: title,
            "Debated": of_arm["debated"].mean(),
            "Agreed before": value(of_arm, "agreed_before").mean(),
            "Speeches": value(of_arm, "speeches").sum(),
            **ratio(of_arm, conceded, concluded).columns("Concessions"),
        }
        for key, name in _CHANGES.items():
            row[name] = value(of_arm, key).mean()
        rows.append(row)
    if not rows:
        return None
    shares = ["Debated", "Agreed before", "Concessions", *_CHANGES.values()]
    table = Table(
        name="debates",
        title="Debates and changes of mind",
        frame=pd.DataFrame(rows),
        groups=DATA,
        formats={**dict.fromkeys(shares, PERCENT), "Speeches": COUNT},
        note="Percent of the samples. Agreed before: both first answers were the same. "
        "Concessions: of the speeches with a readable last line, those for another "
        "answer than the one to be defended. Wrong to right, right to wrong: from "
        f"debater A's first answer to the outcome. {CLUSTERED}",
    )
    return known_columns(table)


def quotes_table(items: pd.DataFrame) -> Table | None:
    """What was quoted in speeches, and found; None where nothing was quoted.

    Args:
        items: As in `Data`.
    """
    sources = [str(name) for name in items if str(name).startswith(FROM)]
    rows = []
    for (data, title), of_arm in rows_of(items).items():
        quotes = value(of_arm, "quotes")
        if not quotes.sum():
            continue
        said = quotes - value(of_arm, "empty").fillna(0)
        of_arm = of_arm.assign(said=said, unverified=said - value(of_arm, "verified"))
        row = {
            DATA: data,
            ARM: title,
            "Quotes": quotes.sum(),
            "Per speech": quotes.sum() / value(of_arm, "quoting_speeches").sum(),
            **ratio(of_arm, "verified", "said").columns("Verified"),
        }
        blind = value(of_arm, "typography")
        if blind.notna().any():
            row["Differs in typography"] = blind.sum() / said.sum()
        row["Unverified"] = of_arm["unverified"].sum() / said.sum()
        for source in sources:
            name = source.removeprefix(FROM).capitalize()
            row[f"Found in: {name}"] = of_arm[source].sum() / said.sum()
        for name in ("duplicate", "empty"):
            row[name.capitalize()] = value(of_arm, name).sum() / quotes.sum()
        rows.append(row)
    if not rows:
        return None
    counted: dict[Column, Format] = {"Quotes": COUNT, "Per speech": NUMBER}
    shares = [name for name in rows[0] if name not in (DATA, ARM, *counted)]
    return Table(
        name="quotes",
        title="Quotes in speeches",
        frame=pd.DataFrame(rows),
        groups=DATA,
        formats={**dict.fromkeys(shares, PERCENT), **counted},
        note="Percent of the quotes that are not empty; of all quotes for the last two "
        "columns. Verified: found in a text that the speaker was given, by the rule "
        "that `config.quotes` sets; the columns after it say how many of these differ "
        "from the text in typography (dashes, quotation marks, spaces at punctuation "
        "and the like), and in which text they are. Duplicate: quoted earlier, "
        "verified or not. Empty: without a letter or digit, neither verified nor "
        f"unverified. {CLUSTERED}",
    )


def cost_table(
    items: pd.DataFrame, prices: Mapping[tuple[str, str, int], float]
) -> Table:
    """Calls, tokens and price of a sample, and what earlier runs paid for.

    Args:
        items: As in `Data`.
        prices: As in `Calls`.
    """
    rows = []
    for (data, title), of_arm in rows_of(items).items():
        keys = of_arm[KEY].itertuples(index=False, name=None)
        debated = of_arm[of_arm["debated"] == 1]
        rows.append(
            {
                DATA: data,
                ARM: title,
                "Calls": of_arm["calls"].mean(),
                "Tokens": of_arm["tokens"].mean(),
                "Tokens if debated": debated["tokens"].mean(),
                "Calls reused": value(of_arm, "reused_calls").mean(),
                "Tokens reused": value(of_arm, "reused_tokens").mean(),
                "US dollars": np.mean([prices.get(key, np.nan) for key in keys]),
                "Seconds": of_arm["seconds"].mean(),
                "Debated": share(of_arm, "debated").value,
            }
        )
    table = Table(
        name="cost",
        title="What it costs",
        frame=pd.DataFrame(rows),
        groups=DATA,
        formats={
            "Calls": NUMBER,
            "Tokens": COUNT,
            "Tokens if debated": COUNT,
            "Calls reused": NUMBER,
            "Tokens reused": COUNT,
            "US dollars": Format(digits=4),
            "Seconds": Format(digits=1),
            "Debated": PERCENT,
        },
        note="Means per sample; debated in percent. Calls and tokens that an earlier "
        "run paid for stand under reused alone. The price is that of the run, and "
        "known for models with prices only. Seconds: wall time, with waiting.",
    )
    return known_columns(table)


# Which arms are compared, and to what question, by who spoke and who decided.

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
