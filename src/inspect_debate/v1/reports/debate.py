"""The report on debates over questions: runs of the task `debate` on any data."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress, permutations
from typing import Any

import pandas as pd

from inspect_debate.v1.debate.participants import PEOPLE, PERSON, ROLES
from inspect_debate.v1.reports.calls import Calls, read_with_calls
from inspect_debate.v1.reports.comparisons import (
    Planned,
    comparison_tables,
    unpaired_table,
)
from inspect_debate.v1.reports.conditions import (
    CONDITION,
    ConditionSamples,
    Grouped,
    flat,
    group_conditions,
    text,
)
from inspect_debate.v1.reports.elements import (
    COUNT,
    NUMBER,
    PERCENT,
    POINTS,
    Column,
    Figure,
    Format,
    Item,
    Main,
    Notice,
    Section,
    Table,
    counted,
)
from inspect_debate.v1.reports.estimates import Estimate, clusters, ratio, share
from inspect_debate.v1.reports.figures import forest
from inspect_debate.v1.reports.frames import scores_of, under_own_names
from inspect_debate.v1.reports.judges.verdicts import (
    right_answers,
)
from inspect_debate.v1.reports.logs import Log
from inspect_debate.v1.reports.notices import study_notices
from inspect_debate.v1.reports.probabilities import chapter, condition_rows
from inspect_debate.v1.reports.provenance import provenance_section, runs_of
from inspect_debate.v1.reports.rounds import (
    ROUND_FACTS,
    consultants_view,
    round_facts,
    rounds_view,
)
from inspect_debate.v1.reports.samples import Held
from inspect_debate.v1.reports.sanity import STAGES, sanity_section
from inspect_debate.v1.reports.views import Measure, StudyReport, View, mean, rate
from inspect_debate.v1.reports.views import Part as Declared

# How samples become rows: those of a condition, each on one data set.

DATA = "Data"
"""The column by which conditions are told apart beside their names."""

KEY = ["run", "id", "epoch"]
"""What identifies a sample of a run."""

FROM = "quoted_from_"
"""The beginning of the columns that count the quotes found in a source."""

SCORERS = ("question_answering", "debate_process")
"""Whose values are reported; of a name that several have, the first one's."""

KINDS = {
    "answers": "Answers without a judge",
    "judge": "Judge without speeches",
    "consultancy": "One side speaks to a judge",
    "speeches": "Speeches without a judge",
    "debate": "Both sides speak to a judge",
}
"""What a condition is, by who spoke and who decided, whatever its protocol is."""

CAUSES = {
    "outcome_unparsed": "Unreadable",
    "outcome_refused": "Refused",
    "outcome_truncated": "Cut off",
    "outcome_capped": "Too long",
    "outcome_tied": "Tied",
    "outcome_missing": "Missing",
}
"""Why a scored sample has no outcome."""

_CHANGES = {
    "wrong_to_right": "Wrong to right",
    "right_to_wrong": "Right to wrong",
    "first_right_debater_a": "First answer A right",
    "first_right_debater_b": "First answer B right",
}
_QUOTES = ("quotes", "empty", "verified", "typography", "quoting_speeches", "duplicate")
_IF_SCORED = [
    *("chance", "debated", "agreed_before", "speeches", "concessions", "final_ok"),
    *("calls", "tokens", "reused_calls", "reused_tokens", "seconds"),
    *(*CAUSES, *_CHANGES, *_QUOTES, *ROUND_FACTS),
]
_PASSAGE = "passage"


@dataclass(frozen=True)
class Data:
    """What the logs hold.

    Attributes:
        frame: All samples, as from `conditions_of`.
        logs: The logs.
        grouped: The samples by condition, with the numbers of their runs.
        calls: What the calls say.
    """

    frame: pd.DataFrame
    logs: Sequence[Log] = ()
    grouped: Grouped | None = None
    calls: Calls = field(default_factory=lambda: Calls({}, {}, []))

    @cached_property
    def items(self) -> pd.DataFrame:
        """The scored samples, with their prices and what quotes there are."""
        rows = self.frame[self.frame["scored"]].reset_index(drop=True)
        rows = rows.reindex(columns=[*dict.fromkeys([*rows.columns, *_IF_SCORED])])
        keys = rows[KEY].itertuples(index=False, name=None)
        said = rows["quotes"] - rows["empty"].fillna(0)
        return rows.assign(
            usd=[self.calls.prices.get(key, float("nan")) for key in keys],
            said=said,
            unverified=said - rows["verified"],
        )


def read(logs: Sequence[Log]) -> Data | None:
    """Read the logs; None if no sample was scored."""
    calls, seen = read_with_calls(logs, _see)
    facts = pd.DataFrame([one["facts"] for one in seen if one["facts"]])
    facts = facts.reindex(columns=[*dict.fromkeys([*KEY, *_WHO, *facts.columns])])
    names = {one["run"]: one["data"] for one in seen if one["data"] is not None}
    grouped = conditions_of(scores_of(logs), facts, data_sets(logs, names))
    frame = grouped.frame
    if not frame["scored"].any() or "correct" not in frame:
        return None
    return Data(frame, logs, grouped, calls)


_WHO = ("speakers", "judges")


def _see(held: Held) -> dict[str, Any]:
    """What only the record of a sample says: speakers, judges, quotes and verdicts."""
    log, sample, record = held
    run, name = log.header.eval.eval_id, (sample.metadata or {}).get("data_name")
    facts: dict[str, Any] = {}
    if record is not None:
        spoken = [turn for turn in record.spoken() if turn.role != "judge"]
        verdicts = record.of_kind("verdict")
        facts = {
            **{"run": run, "id": str(sample.id), "epoch": sample.epoch},
            "speakers": len({turn.participant for turn in spoken}),
            "judges": len({turn.participant for turn in verdicts}),
            **round_facts(
                record,
                right_answers(sample.target, record),
                (sample.metadata or {}).get("passage"),
            ),
        }
        for quote in (quote for turn in spoken for quote in turn.quotes):
            if quote.source is not None:
                source = f"{FROM}{quote.source}"
                facts[source] = facts.get(source, 0) + 1
    return {
        "run": run,
        "data": None if name is None else str(name),
        "facts": facts,
    }


def conditions_of(
    scores: pd.DataFrame, facts: pd.DataFrame, data_sets: Mapping[str, str]
) -> Grouped:
    """Group samples into conditions, each on one data set.

    Args:
        scores: Rows as from `scores_of`.
        facts: A row per sample with a record: `KEY`, the number of `speakers` and
            `judges`, and how many quotes were found in each source, as `FROM` and its
            name.
        data_sets: By run the name of its data set.

    Returns:
        As from `group_conditions`; `frame` has the scorers' values under their own
        names, the columns of `facts`, and of the condition its data set's name
        (`data_name`), its `kind` (a key of `KINDS`), its `title`, which tells it from
        the others on the data, and what its `debates` are called, whoever judges. Its
        rows are ordered by data set, kind and title.
    """
    own = under_own_names(scores, SCORERS)
    own = own[[column for column in own if "." not in str(column)]]
    known = own.merge(facts, on=KEY, how="left", validate="one_to_one")
    parts = zip(known["parameters"], known["run"], strict=True)
    parameters = [{**given, "data": data_sets[run]} for given, run in parts]
    grouped = group_conditions(
        known.assign(
            data_name=known["run"].map(data_sets),
            parameters=pd.Series(parameters, known.index, dtype=object),
        )
    )
    frame, overview = grouped.frame, grouped.overview
    kinds = {label: _kind(rows) for label, rows in frame.groupby("condition")}
    kind = frame["condition"].map(kinds)
    frame = frame.assign(
        kind=kind,
        place=kind.map(list(KINDS).index),
        title=frame["condition"].map(_titles(overview)),
        debates=frame["condition"].map(_titles(overview, judge=False)),
    ).sort_values(["data_name", "place", "title", "id", "epoch"], kind="stable")
    return grouped._replace(frame=frame.reset_index(drop=True))


def _kind(rows: pd.DataFrame) -> str:
    speakers, judged = rows["speakers"].max(), rows["judges"].max() > 0
    if speakers >= 1 and not judged:
        return "speeches"
    if speakers >= 1:
        return "debate" if speakers > 1 else "consultancy"
    return "judge" if judged else "answers"


def _titles(overview: pd.DataFrame, *, judge: bool = True) -> dict[str, str]:
    """Labels without data sets and providers, where passages differ with the passage.

    Args:
        overview: `Grouped.overview`.
        judge: Whether the judge is named where conditions differ in it.
    """
    rows = overview.to_dict("records")
    differ = len({row["parameters"].get(_PASSAGE) for row in rows}) > 1
    joined = pd.concat([overview[role] for role in ROLES]).dropna()
    models = {model for names in joined for model in str(names).split(", ")}
    short = {model: model.rpartition("/")[2] for model in sorted(models)}
    used = list(short.values())
    titles = {}
    for row in rows:
        title = row["condition"].replace(f" data={row['parameters']['data']}", "")
        if not judge:
            title = title.replace(f" judge={row['judge']}", "")
        for model, name in short.items():
            title = title.replace(model, name if used.count(name) == 1 else model)
        passage = row["parameters"].get(_PASSAGE)
        told = f" {_PASSAGE}={passage}"
        # A hidden passage is what conditions without a word about it have.
        shown = differ and passage in ("shown", "unused") and told not in title
        titles[row["condition"]] = f"{title}{told}" if shown else title
    return titles


def names_of(frame: pd.DataFrame, name: str = "title") -> dict[str, str]:
    """What readers call conditions, by label: with the data set if there are several.

    Args:
        frame: As in `conditions_of`.
        name: `title`, or `debates`.
    """
    first = frame.drop_duplicates("condition")
    several = first["data_name"].nunique() > 1
    return {
        row["condition"]: f"{row[name]} ({row['data_name']})" if several else row[name]
        for row in first.to_dict("records")
    }


def data_sets(logs: Sequence[Log], names: Mapping[str, str]) -> dict[str, str]:
    """What readers call the data set of each run.

    Args:
        logs: The logs.
        names: By run the name of its data set, where samples have one.

    Returns:
        By run the name; where data of one name were taken in several ways, such as with
        two candidates and with all, with what differs.
    """
    given = {log.header.eval.eval_id: _provenance_of(log, names) for log in logs}
    # Debates that were imported, or are judged anew, are as they are.
    imported = {log.header.eval.eval_id for log in logs if "condition" in log.metadata}
    taken = [of for run, of in given.items() if run not in imported]
    named = {}
    for run, of in given.items():
        if run in imported:
            named[run] = of["name"]
            continue
        alike = [other for other in taken if other["name"] == of["name"]]
        differing = [
            f"{key}={of.get(key, '(absent)')}"
            for key in dict.fromkeys(key for other in alike for key in other)
            if len({other.get(key) for other in alike}) > 1
        ]
        named[run] = " ".join([of["name"], *differing])
    return named


def _provenance_of(log: Log, names: Mapping[str, str]) -> dict[str, str]:
    provenance = log.metadata.get("data") or {}
    name = names.get(log.header.eval.eval_id, provenance.get("source"))
    rest = {key: text(value) for key, value in flat(provenance)}
    return rest | {"name": str(name or log.header.eval.dataset.name or "unknown")}


# What was run, and how often each condition is right.

BY = {DATA: "data_name", CONDITION: "title"}
_ROLES = {"debater_a": "Debater A", "debater_b": "Debater B", "judge": "Judge"}
_SHAPE = ("passage", "sides", "rounds", "order", "turn_order", "skip_if_agree")
_STRICT = "No outcome as wrong"
_CLUSTERED = "95 % intervals are clustered by sample and by group of samples."


def _kind_of(rows: pd.DataFrame) -> str:
    return KINDS[rows["kind"].iloc[0]]


def _parameter(name: str) -> Measure:
    def given(rows: pd.DataFrame) -> str | None:
        parameters = rows["parameters"].iloc[0]
        value = parameters.get(name)
        if name == "rounds" and parameters.get("ends") == "judge":
            return f"up to {value}"
        return None if value is None else text(value)

    return Measure(name.replace("_", " ").capitalize(), given)


def _role(role: str, title: str) -> Measure:
    return Measure(title, lambda rows: rows[role].iloc[0])


CONDITIONS: View[Data] = View(
    "conditions",
    "What was run",
    lambda data: data.frame,
    BY,
    [
        Measure("Kind", _kind_of, hidden=True),  # the next table shows it
        *(_role(role, title) for role, title in _ROLES.items()),
        *map(_parameter, _SHAPE),
    ],
    known_only=True,
    note="A condition is called by its protocol and the parameters in which it differs "
    "from others of that protocol. All parameters are listed under Provenance.",
)


def _strict(rows: pd.DataFrame) -> Estimate:
    return ratio(rows, rows["correct"].fillna(0.0), pd.Series(1.0, rows.index))


def _no_outcome(rows: pd.DataFrame) -> float:
    return float(rows["correct"].isna().mean())


def _baselines(rows: pd.DataFrame) -> Iterator[dict[Column, object]]:
    """How often one is right who knows the number of options alone."""
    choices = rows.drop_duplicates("id").dropna(subset="chance")
    if choices.empty:
        return
    letters = choices["target"].value_counts(normalize=True)
    right = {
        "Guessing": choices["chance"].mean(),
        "Always the first option": letters.get("A", 0.0),
        "Always the letter that is right most often": letters.max(),
    }
    for name, accuracy in right.items():
        yield {
            DATA: rows["data_name"].iloc[0],
            CONDITION: name,
            "Kind": "Without reading",
            "Accuracy": accuracy,
            _STRICT: accuracy,
            "No outcome": 0.0,
            "Samples": len(choices),
        }


ACCURACY: View[Data] = View(
    "accuracy",
    "Accuracy",
    lambda data: data.items,
    BY,
    [
        Measure("Kind", _kind_of),
        Measure("Accuracy", rate("correct"), PERCENT),
        Measure(_STRICT, _strict, PERCENT),
        Measure("Chance", mean("chance"), PERCENT),
        Measure("No outcome", _no_outcome, PERCENT),
        Measure("Samples", len, COUNT),
    ],
    also=_baselines,
    known_only=True,
    note="Percent of the samples with an outcome, or of all scored samples where those "
    f"without one count as wrong; a random tie-break counts half. {_CLUSTERED}",
)


def _accuracy_figures(data: Data) -> Iterator[Figure]:
    """Accuracy of all conditions on a data set, about that of guessing."""
    groups = data.items.groupby("data_name", sort=False)
    for number, (name, rows) in enumerate(groups, start=1):
        chance = rows.drop_duplicates("id")["chance"].mean()
        if pd.isna(chance):
            continue
        found = {
            (_kind_of(of), str(title)): share(of, "correct")
            for title, of in rows.groupby("title", sort=False)
        }
        index = pd.MultiIndex.from_tuples(found)
        columns = ["estimate", "low", "high"]
        yield Figure(
            name=f"accuracy_{number}",
            title=f"Accuracy on {name}",
            figure=forest(
                pd.DataFrame([*found.values()], index).set_axis(columns, axis=1),
                label="accuracy (%)",
                format=PERCENT,
                zero=float(chance),
            ),
            alt="Accuracy of each condition with its interval: "
            + "; ".join(title for _, title in found)
            + ".",
            note="Lines are 95 % intervals, clustered as in the table. The dashed line "
            "is guessing.",
        )


OUTCOMES: View[Data] = View(
    "outcomes",
    "Samples without an outcome, by cause",
    lambda data: data.items if data.items["correct"].isna().any() else data.items[:0],
    BY,
    [
        Measure("Samples", len),
        Measure("No outcome", _no_outcome, PERCENT),
        *(Measure(title, mean(cause), PERCENT) for cause, title in CAUSES.items()),
    ],
    note="Percent of the scored samples. Tied: as many votes for one answer as for "
    "another, or a judge whose verdicts in both orders differ.",
)

# What happened on the way: debates, changes of mind, quotes, and what it cost.

_SPOKEN = ("debate", "speeches", "consultancy")

DEBATES: View[Data] = View(
    "debates",
    "Debates and changes of mind",
    lambda data: data.items[data.items["kind"].isin(_SPOKEN)],
    BY,
    [
        Measure("Debated", mean("debated"), PERCENT),
        Measure("Agreed before", mean("agreed_before"), PERCENT),
        Measure("Speeches", lambda rows: rows["speeches"].sum(), COUNT),
        Measure("Concessions", rate("concessions", "final_ok"), PERCENT),
        *(Measure(title, mean(name), PERCENT) for name, title in _CHANGES.items()),
    ],
    known_only=True,
    note="Percent of the samples; concessions, in which a speech ends with another "
    "answer than the one it should defend, of the speeches with a readable last line. "
    "Wrong to right and right to wrong: from debater A's first answer to the outcome.",
)

ROUNDS: View[Data] = rounds_view(lambda data: data.items, BY)
CONSULTANTS: View[Data] = consultants_view(lambda data: data.items, BY)


def _of(part: str, whole: str) -> Measure:
    """A share of quotes without an interval."""

    def share_of(rows: pd.DataFrame) -> float:
        known = rows[part].notna().any()
        return rows[part].sum() / rows[whole].sum() if known else float("nan")

    title = part.removeprefix(FROM).capitalize()
    return Measure(
        f"Found in: {title}" if part != part.removeprefix(FROM) else title,
        share_of,
        PERCENT,
    )


def _quotes(data: Data) -> Iterator[Item]:
    """What was quoted in speeches, and found; nothing where nothing was quoted."""
    sources = [str(name) for name in data.items if str(name).startswith(FROM)]
    per_speech = _of("quotes", "quoting_speeches").of
    typography = _of("typography", "said").of
    yield from View[Data](
        "quotes",
        "Quotes in speeches",
        lambda data: data.items,
        BY,
        [
            Measure("Quotes", lambda rows: rows["quotes"].sum(), COUNT),
            Measure("Per speech", per_speech, NUMBER),
            Measure("Verified", rate("verified", "said"), PERCENT),
            Measure("Differs in typography", typography, PERCENT),
            _of("unverified", "said"),
            *(_of(source, "said") for source in sources),
            _of("duplicate", "quotes"),
            _of("empty", "quotes"),
        ],
        keep=lambda rows: bool(rows["quotes"].sum()),
        known_only=True,
        note="Percent of the quotes that are not empty; of all quotes for the last two "
        "columns. Verified: found in a text that the speaker was given, by the rule "
        "that `config.quotes` sets, which may allow for differences in typography.",
    )(data)


def _if_debated(rows: pd.DataFrame) -> float:
    return float(rows.loc[rows["debated"] == 1, "tokens"].mean())


def _has_calls(rows: pd.DataFrame) -> bool:
    """Whether any model took part, and not people alone."""
    every = rows["calls"].add(rows["reused_calls"], fill_value=0)
    return not every.eq(0).all()


COST: View[Data] = View(
    "cost",
    "What it costs",
    lambda data: data.items,
    BY,
    [
        Measure("Calls", mean("calls"), NUMBER),
        Measure("Tokens", mean("tokens"), COUNT),
        Measure("Tokens if debated", _if_debated, COUNT),
        Measure("Calls reused", mean("reused_calls"), NUMBER),
        Measure("Tokens reused", mean("reused_tokens"), COUNT),
        Measure("US dollars", lambda rows: rows["usd"].mean(skipna=False), Format(4)),
        Measure("Seconds", mean("seconds"), Format(1)),
        Measure("Debated", mean("debated"), PERCENT),
    ],
    known_only=True,
    keep=_has_calls,
    note="Means per sample, debated in percent; calls and tokens that an earlier run "
    "paid for are counted as reused only. The price is known for models with prices "
    "only, and seconds are wall time, with waiting.",
)

# Which conditions are compared, and to what question, by who spoke and who decided.

QUESTIONS = {
    "judge": "What do speeches add? Against the same judge without them",
    "reader": "Do they make up for reading? Against the same judge with the passage",
    "consultancy": "Both sides or one? Against a single speaker before the same judge",
    "answers": "Against answers without a judge, of the same models",
    "variant": "Debates that differ in one thing",
    "passage": "What is there to gain? The judge with the passage less without it",
}
"""In the order of the table."""

_BEFORE_PEOPLE = ("the same judge", "people as judges")
_TOKENS = "Tokens, times"
_HIDDEN, _SHOWN = "hidden", "shown"


@dataclass(frozen=True)
class _Condition:
    """A condition as comparisons take it: its place among those on its data set."""

    place: int
    rows: pd.DataFrame

    @cached_property
    def first(self) -> dict[Any, Any]:
        return self.rows.iloc[0].to_dict()

    @property
    def models(self) -> list[str]:
        """Debaters, then judges."""
        found = (self.first[role] for role in _ROLES)
        return [model for model in found if isinstance(model, str)]

    @property
    def debaters(self) -> set[object]:
        """The debaters' models."""
        return {self.first["debater_a"], self.first["debater_b"]} & {*self.models}

    @property
    def judge(self) -> str | None:
        """The judge's model; of several, all."""
        found = self.first["judge"]
        return found if isinstance(found, str) else None

    @property
    def passage(self) -> object:
        """What became of the samples' passage."""
        return self.first["parameters"].get(_PASSAGE)

    @property
    def shape(self) -> dict[str, str]:
        """All that shapes a debate, by name."""
        named = ("protocol", "debater_a", "debater_b", "judge", "prompts", "seed")
        given = flat({"": self.first["parameters"], "model": self.first["settings"]})
        own = {name: str(self.first[name]) for name in named}
        return own | {name: str(value) for name, value in given}

    @property
    def answers(self) -> pd.DataFrame:
        """Its rows as `pair` takes them: an answer is found right, or not."""
        return self.rows.assign(gold=1.0, prediction=self.rows["correct"])

    @property
    def tokens(self) -> float:
        return float(self.rows["tokens"].mean()) or float("nan")


def _comparisons(data: Data) -> Iterator[Table]:
    """All comparisons that the conditions allow."""
    pairs = [
        pair for _, part in data.frame.groupby("data_name") for pair in _pairs(part)
    ]
    pairs.sort(key=lambda pair: list(QUESTIONS).index(pair[0]))
    if not pairs:
        return
    several = data.frame["data_name"].nunique() > 1
    planned = [
        Planned(
            QUESTIONS[question].replace(*_BEFORE_PEOPLE)
            if one.judge == PEOPLE
            else QUESTIONS[question],
            " + ".join(model.rpartition("/")[2] for model in one.models),
            f"{one.first['title']} − {other.first['title']}"
            + (f" ({one.first['data_name']})" if several else ""),
            other.answers,
            one.answers,
        )
        for question, one, other in pairs
    ]
    apart = [_only_groups_are_shared(one) for one in planned]
    if any(apart):
        yield unpaired_table([*compress(planned, apart)])
    same = [not one for one in apart]
    if not any(same):
        return
    table, _ = comparison_tables([*compress(planned, same)])
    ratios = [one.tokens / other.tokens for _, one, other in compress(pairs, same)]
    yield replace(
        table,
        name="comparisons",
        frame=table.frame.assign(**{_TOKENS: ratios}),
        formats={**table.formats, _TOKENS: NUMBER},
        note=f"{table.note} {_TOKENS}: mean tokens of a sample of the first named over "
        "those of the second, without what an earlier run paid for.",
    )


def _only_groups_are_shared(planned: Planned) -> bool:
    """Whether two conditions have no sample, but groups of samples in common."""
    samples, groups = (
        [{*of(frame)} for frame in (planned.a, planned.b)]
        for of in (lambda frame: frame["id"], clusters)
    )
    return not samples[0] & samples[1] and bool(groups[0] & groups[1])


def _pairs(frame: pd.DataFrame) -> Iterator[tuple[str, _Condition, _Condition]]:
    """The question that two conditions on one data set answer, and the two."""
    parts = (rows for _, rows in frame.groupby("title", sort=False))
    answered = [rows for rows in parts if rows["correct"].notna().any()]
    for one, other in permutations(map(_Condition, range(len(answered)), answered), 2):
        if question := _question(one, other):
            yield question, one, other


def _question(one: _Condition, other: _Condition) -> str | None:
    """What the first condition less the other one tells; None if nothing is planned."""
    same_judge, passages = one.judge == other.judge, (one.passage, other.passage)
    match one.first["kind"], other.first["kind"]:
        case (("debate" | "speeches" | "consultancy"), "judge") if same_judge:
            return "reader" if passages == (_HIDDEN, _SHOWN) else "judge"
        case "debate", "consultancy" if same_judge:
            return "consultancy"
        case (("debate" | "speeches" | "consultancy"), "answers") if (
            other.debaters <= one.debaters
        ):
            return "answers"
        case "judge", "judge" if passages == (_SHOWN, _HIDDEN) and same_judge:
            return "passage"
        case (("debate" | "speeches"), ("debate" | "speeches")) if (
            one.place > other.place and _alike(one, other)
        ):
            return "variant"
    return None


def _alike(one: _Condition, other: _Condition) -> bool:
    """Whether two debates differ in nothing but one setting, or in the protocol."""
    a, b = one.shape, other.shape
    if a["protocol"] != b["protocol"]:
        return one.debaters == other.debaters and one.judge == other.judge
    return [a.get(name) == b.get(name) for name in {*a, *b}].count(False) == 1


def probabilities_of(data: Data) -> pd.DataFrame:
    """Judges' probabilities, as for the chapter that reports share."""
    names = data.frame["condition"].map(names_of(data.frame))
    return condition_rows(
        data.calls.probabilities, data.frame[KEY].assign(Condition=names)
    )


# What must be read first, and whether the runs can be trusted.


def parts(frame: pd.DataFrame) -> list[ConditionSamples]:
    """The conditions, as the sections and notices that all reports share have them.

    Args:
        frame: As in `conditions_of`.
    """
    found = []
    for (data, title), rows in frame.groupby(["data_name", "title"], sort=False):
        first = rows.iloc[0]
        judged = first["kind"] in ("debate", "consultancy")
        found.append(
            ConditionSamples(
                named={DATA: str(data), CONDITION: str(title)},
                samples=rows,
                unknown=int(rows.loc[rows["scored"], "correct"].isna().sum()),
                debaters=_models(first, "debater_a", "debater_b") if judged else [],
                judges=_models(first, "judge") if judged else [],
            )
        )
    return found


def _models(row: "pd.Series[Any]", *roles: str) -> list[str]:
    """The models in some roles, without people."""
    named = [name for role in roles for name in str(row[role]).split(", ")]
    return [n for n in named if n != PEOPLE and not n.startswith(PERSON)]


def _notices(data: Data) -> Iterator[Notice]:
    assert data.grouped is not None
    names, all = names_of(data.frame), parts(data.frame)
    given = (data.logs, data.grouped, names, all, data.calls)
    return study_notices(*given, apart=DATA)


def _sanity(data: Data) -> Section:
    return sanity_section(parts(data.frame), STAGES, data.calls)


def _provenance(data: Data) -> Section:
    assert data.grouped is not None
    return provenance_section(data.logs, runs_of(data.grouped, names_of(data.frame)))


def _summary(data: Data) -> str:
    frame = data.frame
    questions = len(frame.drop_duplicates(["data_name", "id"]))
    # Of imported debates several may be on one question.
    what = "debate" if frame["named"].notna().any() else "question"
    return (
        f"{counted(frame['condition'].nunique(), 'condition')} on "
        f"{counted(questions, what)} "
        f"of {counted(frame['data_name'].nunique(), 'data set')}, from "
        f"{counted(len(data.logs), 'log')}. A condition is a protocol with its models, "
        "parameters, prompts and seed on one data set; it is called by its protocol "
        "and the parameters in which it differs from others of that protocol."
    )


REPORT: StudyReport[Data] = StudyReport(
    study="debate",
    title="Debates over questions",
    source="Runs of the task inspect_debate/debate",
    read=read,
    summary=_summary,
    notices=_notices,
    parts=[
        Declared("What was run", [CONDITIONS]),
        Declared(
            "Accuracy",
            [ACCURACY, _accuracy_figures, OUTCOMES, CONSULTANTS],
            "Compare an accuracy with that of guessing, and with that of the judge "
            "without a debate, where it was run.",
        ),
        Declared(
            "Comparisons",
            [_comparisons],
            otherwise="No two conditions answer a question that is asked here. A "
            "debate compares with the same judge alone (`protocol=judge_alone`), with "
            "`protocol=consultancy`, and with answers of its debaters "
            "(`protocol=single`), on the same questions.",
        ),
        Declared(
            "Debates and quotes",
            [DEBATES, ROUNDS, _quotes],
            otherwise="No condition has speeches.",
        ),
        chapter(probabilities_of),
        Declared("Cost", [COST]),
        _sanity,
        _provenance,
    ],
    main=(
        Main(
            *("comparisons", "Difference", "Samples"),
            "{Compared} ({Models}): accuracy differs by {value}.",
            POINTS,
            " points",
        ),
        Main(
            *("comparisons_unpaired", "Difference", "Samples"),
            "{Compared} ({Models}, not paired): accuracy differs by {value}.",
            POINTS,
            " points",
        ),
        Main(
            *("accuracy", "Accuracy", "Samples"),
            f"{{{CONDITION}}}: accuracy is {{value}}.",
            PERCENT,
            " %",
        ),
    ),
    figure=("accuracy_1",),
)
