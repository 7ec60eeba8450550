"""Items of generative-debate runs as a frame, from scores alone, and its cells."""

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from inspect_debate.debate.prompts import shipped_hashes
from inspect_debate.reports.arms import Arms, arms, flat, text
from inspect_debate.reports.frames import scores_of
from inspect_debate.reports.generative.study import (
    DEFAULTS,
    PROTOCOLS,
    VERSIONS,
    bare_name,
    benchmark_title,
    families_in_order,
    format_named,
    format_of,
    titled,
)
from inspect_debate.reports.logs import Log
from inspect_debate.solvers.formats import FORMATS, Interaction

# Scores of generative-debate runs by condition: format, models and parameters.

FACTS = ("dataset", "version", "split", "question_id")
"""What a sample's metadata say of it."""

IDENTITIES = ("answer_set_id", "answer_id_a")
"""What tells whether samples put the same answers to the judge."""

# Parameters of a format, and those that say which samples there are.
_OF_FORMAT = ("rounds", "best_of")
_OF_SAMPLES = ("dataset", "samples")
# Where earlier stages came from.
_ORIGINS = ("reuse_until",)
_GRADER = "grader"
# Whose model another seat has where none is bound to it.
_STAND_INS = {"debater_b": "debater_a", "reward": "judge"}
_KEY = ["run", "id", "epoch"]


def read_scores(logs: Sequence[Log]) -> pd.DataFrame:
    """As `scores_of`, with the `FACTS` and `IDENTITIES` of every sample.

    Args:
        logs: Logs of this study.

    Returns:
        Those columns; `split` is the run's, so `both` where samples are of either;
        `data` tells the source and what it held.
    """
    facts = pd.DataFrame([row for log in logs for row in _facts(log)])
    scores = scores_of(logs)
    kept = scores[[name for name in scores if name in _KEY or name not in facts]]
    return kept.merge(facts, on=_KEY, validate="one_to_one")


def conditions(scores: pd.DataFrame) -> Arms:
    """Group rows into conditions: formats with their models and parameters.

    Args:
        scores: Rows as from `read_scores`.

    Returns:
        As `arms`; `frame` has of the condition also `format`, `proposers`,
        `interaction`, `best_of`, `debater`, `judge`, `family`, `judging` and `speaking`
        (see there), `variant` (what else is not as in the study) and `title`, what
        readers call it.
    """
    grouped = arms(_named(scores))
    frame = _with_settings(grouped.frame)
    firsts = frame.drop_duplicates("arm").set_index("arm")
    graders = firsts["parameters"].map(_grader)
    # What grades other data cannot differ from it, so it names no condition.
    differ = graders.groupby(firsts["dataset"]).transform("nunique") > 1
    told = graders.where(differ, "")
    variants = {
        arm: ", ".join([*_details(row.to_dict()), *filter(None, [told[str(arm)]])])
        for arm, row in firsts.iterrows()
    }
    variant = frame["arm"].map(variants)
    parts = zip(frame["format"], frame["best_of"], variant, strict=True)
    return grouped._replace(
        frame=frame.assign(variant=variant, title=[titled(*of) for of in parts])
    )


def titles_of(grouped: Arms) -> dict[str, str]:
    """What readers call the conditions that have rows, by label.

    Args:
        grouped: As from `conditions`.
    """
    known = grouped.frame.drop_duplicates("arm")
    return dict(zip(known["arm"], known["title"], strict=True))


def _named(scores: pd.DataFrame) -> pd.DataFrame:
    """With what the format and the models are called."""
    given = zip(scores["protocol"], scores["parameters"], strict=True)
    formats = [format_of(name, of.get("rounds")) for name, of in given]
    silent = [FORMATS[format].interaction == "none" for format in formats]
    best_of = [
        1 if quiet else int(of.get("best_of") or 1)
        for quiet, of in zip(silent, scores["parameters"], strict=True)
    ]
    data = zip(*(scores[name] for name in ("version", "split", "data")), strict=True)
    named = scores.assign(
        parameters=[
            of | {"samples": ", ".join(filter(None, told))}
            for of, told in zip(scores["parameters"], data, strict=True)
        ],
        format=formats,
        proposers=[FORMATS[format].proposers for format in formats],
        interaction=[FORMATS[format].interaction for format in formats],
        best_of=best_of,
        debater=_of_run(scores, "debater_a"),
        judge=_of_run(scores, "judge"),
    )
    return named.assign(family=_families(named))


def _with_settings(frame: pd.DataFrame) -> pd.DataFrame:
    runs = frame.drop_duplicates("run").to_dict("records")
    told = {run["run"]: (judging(run), speaking(run)) for run in runs}
    of_rows = pd.DataFrame(
        [told[run] for run in frame["run"]], frame.index, ["judging", "speaking"]
    )
    return pd.concat([frame, of_rows], axis=1)


def _of_run(scores: pd.DataFrame, role: str) -> "pd.Series[str]":
    return scores[role].astype(object).fillna("")


def _families(named: pd.DataFrame) -> "pd.Series[str]":
    """Debater and judge; a judge alone is of the family of which it judges the rest."""
    debated = named[named["debater"] != ""]
    by_judge = debated.groupby("judge")["debater"].unique()
    alone = {judge: found[0] for judge, found in by_judge.items() if len(found) == 1}
    of_judge = named["judge"].map(lambda judge: alone.get(judge, ""))
    debater = named["debater"].where(named["debater"] != "", of_judge)
    return (debater + " > " + named["judge"]).str.removeprefix(" > ")


def _grader(parameters: Mapping[str, Any]) -> str:
    """What graded programs, by the first digits of its id; nothing for other tasks."""
    grader = parameters.get(_GRADER)
    return f"grader={grader['id'][:6]}" if grader else ""


def _details(row: Mapping[Any, Any]) -> Iterator[str]:
    """What of a condition neither its format nor its models tell."""
    if row["protocol"] != row["format"]:
        # Another protocol, though nothing is spoken in either.
        yield f"{row['protocol']} rounds=0"
    given = {n: value for n, value in row["parameters"].items() if n != _GRADER}
    for name, value in flat(given):
        if name not in (*_OF_FORMAT, *_OF_SAMPLES, *_ORIGINS) and value not in (
            None,
            DEFAULTS.get(name),
        ):
            yield f"{name}={text(value)}"
    rounds = row["parameters"].get("rounds", DEFAULTS["rounds"])
    if row["interaction"] != "none" and rounds != DEFAULTS["rounds"]:
        yield f"rounds={rounds}"
    yield from (f"model.{name}={text(value)}" for name, value in flat(row["settings"]))
    for role, other in _STAND_INS.items():
        if isinstance(row.get(role), str) and row[role] != row[other]:
            yield f"{role}={bare_name(row[role])}"
    # Prompts go by the first digits of their hash.
    if row["prompts"] not in shipped_hashes("generative"):
        yield f"prompts={str(row['prompts'])[:6]}"
    if row["seed"]:
        yield f"seed={row['seed']}"
    if row["task_version"] not in VERSIONS:
        yield f"version={row['task_version']}"


def _facts(log: Log) -> Iterator[dict[str, object]]:
    data = log.metadata.get("data") or {}
    splits = {str(s.metadata.get("split") or "") for s in log.summaries}
    split = splits.pop() if len(splits) == 1 else "both"
    for summary in log.summaries:
        found = summary.metadata
        told = [score.metadata or {} for score in (summary.scores or {}).values()]
        ids = next((one for one in told if "answer_set_id" in one), {})
        yield {
            "run": log.header.eval.eval_id,
            "id": str(summary.id),
            "epoch": summary.epoch,
            "dataset": found.get("dataset", ""),
            "version": str(found.get("dataset_version", "")),
            "split": str(data.get("split") or split),
            "question_id": str(found.get("question_id", summary.id)),
            "answer_set_id": ids.get("answer_set_id"),
            "answer_id_a": (ids.get("answer_ids") or {}).get("debater_a"),
            "data": _data(data),
        }


def _data(data: Mapping[str, Any]) -> str:
    """The source of data with the first digits of their hash or revision."""
    revision = data.get("sha256") or data.get("revision")
    known = [str(data.get("source", "")), str(revision or "")[:12]]
    return " ".join(filter(None, known))


ITEM = [
    *("run", "log", "created", "arm", "title", "variant", "protocol", "format"),
    *("proposers", "interaction", "best_of", "debater", "debater_b"),
    *("judge", "family"),
    *(*FACTS, "id", "epoch", "target", *IDENTITIES, "prompts", "data", "reuse"),
    *("judging", "speaking", "parameters", "models", "scored", "error", "limit"),
]
"""The columns of items before the scores."""

_SCORER = "verdicts."


class Cell(NamedTuple):
    """What is reported as one: a format of a family on some data.

    Attributes:
        family: "debater > judge".
        dataset: Name of the data.
        version: Their version.
        split: The run's part of them.
        proposers: How many answers are put to the judge.
        interaction: How those who speak meet.
        best_of: Of how many candidates a speech is chosen.
        variant: What else is not as in the study; mostly empty.
    """

    family: str
    dataset: str
    version: str
    split: str
    proposers: int
    interaction: Interaction
    best_of: int
    variant: str = ""

    @property
    def format(self) -> str:
        """The format, a key of `PROTOCOLS`."""
        return format_named(self.proposers, self.interaction)

    @property
    def title(self) -> str:
        """What readers call it among those of its family and data."""
        return titled(self.format, self.best_of, self.variant)

    def against(self, other: "Cell") -> str:
        """Its title, with that of another where it has parameters of its own."""
        if other.variant in ("", self.variant):
            return self.title
        return f"{self.title} (against {other.title})"

    @property
    def benchmark(self) -> str:
        """What readers call its data."""
        return benchmark_title(self.dataset, self.version, self.split)


def items_of(grouped: Arms) -> pd.DataFrame:
    """One row per run, sample and epoch, those that nothing scored included.

    Args:
        grouped: As from `conditions`.

    Returns:
        The columns `ITEM`, and all values of the scorer `verdicts` under their own
        names, NaN where a run or sample has no such value. `format` is the protocol,
        or that without a transcript where nobody speaks; `title` is what readers call
        it, with `best_of` and the `variant`, which is what else is not as in the study.
        `debater_b` is the model of that seat, missing where none has it.
        `answer_set_id` is the same where a judge saw the same answers; `prompts` and
        `data` are the run's; `judging` and `speaking` as from `settings`.
    """
    frame = grouped.frame
    scores = {
        column: bare
        for column in map(str, frame.columns)
        if (bare := column.removeprefix(_SCORER)) != column and bare not in ITEM
    }
    # Runs from before ties were told apart have no such value.
    scores.setdefault(f"{_SCORER}verdict_tied", "verdict_tied")
    named = frame.reindex(columns=[*ITEM, *scores]).rename(columns=scores)
    return named.reset_index(drop=True)


def cells_of(items: pd.DataFrame) -> dict[Cell, pd.DataFrame]:
    """The rows of each cell, families of the study first and formats in its order.

    Args:
        items: As from `items_of`.
    """
    found = {
        Cell(*rows[list(Cell._fields)].iloc[0].tolist()): rows
        for _, rows in items.groupby(list(Cell._fields), sort=False)
    }
    families = families_in_order(cell.family for cell in found)
    formats = list(PROTOCOLS)

    def place(cell: Cell) -> tuple[object, ...]:
        data = (cell.dataset, cell.version, cell.split)
        of = (formats.index(cell.format), cell.variant, cell.best_of)
        return (families.index(cell.family), *data, *of)

    return {cell: found[cell] for cell in sorted(found, key=place)}


def partner(
    cells: Mapping[Cell, pd.DataFrame],
    cell: Cell,
    interaction: Interaction,
    best_of: int | None = None,
) -> Cell | None:
    """The cell that another is held against, with as many proposers.

    Of several those whose verdicts and speeches were asked for alike, if there are any;
    of these the one with the same variant, or else that with none, since not every
    format has every parameter, or the only one.

    Args:
        cells: As from `cells_of`.
        cell: One of them.
        interaction: How those who speak in the other meet.
        best_of: Of how many candidates its speeches are chosen; by default of as many.

    Returns:
        The other cell; None where there is none, or none that stands out.
    """
    near = alike(cells, cell, interaction, best_of)
    fitting = [of for of in near if not differences(cells[cell], cells[of])]
    found = fitting or near
    for variant in (cell.variant, ""):
        for other in found:
            if other.variant == variant:
                return other
    return found[0] if len(found) == 1 else None


def alike(
    cells: Mapping[Cell, pd.DataFrame],
    cell: Cell,
    interaction: Interaction,
    best_of: int | None = None,
) -> list[Cell]:
    """The cells that one could be held against, whatever their variant.

    Args:
        cells: As from `cells_of`.
        cell: What is held against them.
        interaction: How those who speak in them meet. Without a transcript nothing is
            chosen, so that `best_of` does not matter.
        best_of: Of how many candidates their speeches are chosen; by default of as
            many as the cell's.
    """
    chosen = 1 if interaction == "none" else best_of or cell.best_of
    wanted = cell._replace(interaction=interaction, best_of=chosen)
    return [other for other in cells if other._replace(variant=cell.variant) == wanted]


def contexts(items: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Family, data and their rows, in the order of `cells_of`.

    Args:
        items: As from `items_of`.

    Returns:
        What readers read the family's cells under: the family as it is in `items`, and
        the title of the data.
    """
    places: dict[tuple[str, ...], list[pd.DataFrame]] = {}
    for cell, rows in cells_of(items).items():
        places.setdefault(tuple(cell[:4]), []).append(rows)
    for (family, *data), parts in places.items():
        yield family, benchmark_title(*data), pd.concat(parts).sort_index()


# How verdicts and speeches were asked for, so that only like ones are compared.

_SHARED = ("rounds", "turn_order", "word_limit", "debater_style")
_SPEAKERS = ("debater_a", "debater_b")


def judging(run: Mapping[Any, Any]) -> str:
    """What shaped a run's verdicts beside judge, prompts and what was put to them.

    What graded the answers counts, too: it decides which verdicts are right.

    Args:
        run: A row of it, as from `scores_df`.

    Returns:
        Canonical JSON of settings by name; nested are those of a model's completions.
    """
    parameters = run["parameters"]
    return _canonical(
        {
            "verdict": _completions(run, "verdict", "judge"),
            "max_reasks": parameters.get("max_reasks"),
            "order": parameters.get("order"),
            "judge_style": parameters.get("judge_style"),
            "grader": parameters.get("grader"),
            "task version": run["task_version"],
        }
    )


def speaking(run: Mapping[Any, Any]) -> str:
    """What shaped a run's speeches beside the format and `best_of`.

    Args:
        run: A row of it, as from `scores_df`, with `interaction` and `best_of`.

    Returns:
        As `judging`, with the models of those who speak and of whoever scores
        candidates; nothing where nobody speaks.
    """
    if run["interaction"] == "none":
        return _canonical({})
    asked = dict.fromkeys(_SPEAKERS, "speech")
    if run["best_of"] > 1:
        asked["reward"] = "reward"
    told = {name: run["parameters"].get(name) for name in _SHARED}
    if run["best_of"] > 1:
        told["reward style"] = run["parameters"].get("judge_style")
    of_models = {
        role: {"model": run[role]} | _completions(run, kind, role)
        for role, kind in asked.items()
        if isinstance(run[role], str)
    }
    return _canonical(told | of_models)


def differences(a: pd.DataFrame, b: pd.DataFrame) -> list[str]:
    """What was set differently for the verdicts or speeches of two conditions.

    What only one of them has does not count: speeches where the other is without, the
    critic or the order of turns of a debate where the other is a consultancy, and the
    reward where the other has no candidates to choose from.

    Args:
        a: Rows of one condition, as from `items_of`.
        b: Rows of another.

    Returns:
        A few words for each, such as "verdict.temperature (0.5 against the default)".
    """
    found = [
        told
        for column in ("judging", "speaking")
        # Several in one condition differ as much as those of two.
        for one, other in itertools.combinations(
            dict.fromkeys([*a[column], *b[column]]), 2
        )
        for told in _apart(json.loads(one), json.loads(other))
    ]
    return list(dict.fromkeys(found))


def _canonical(told: Mapping[str, Any]) -> str:
    return json.dumps(
        {name: value for name, value in told.items() if value is not None},
        sort_keys=True,
    )


def _completions(run: Mapping[Any, Any], kind: str, role: str) -> dict[str, Any]:
    """Settings of a role's completions, in the order in which they take effect.

    The run's own hold for all models; those of one of several judges keep its name.
    """
    settings: Mapping[str, Any] = run["settings"]
    of_kind = run["parameters"].get(kind) or {}
    found = {name: value for name, value in settings.items() if "." not in name}
    found |= {name: value for name, value in of_kind.items() if value is not None}
    for name, value in settings.items():
        seat, _, bare = name.partition(".")
        if seat == role:
            found[bare] = value
        elif seat.startswith(f"{role}_"):
            found[name] = value
    return found


def _apart(
    one: Mapping[str, Any], other: Mapping[str, Any], within: str = ""
) -> Iterator[str]:
    # Within the settings of a model, those that are not set are the default.
    names = [*one, *(name for name in other if name not in one)] if within else one
    for name in names:
        if not within and name not in other:
            continue
        a, b = one.get(name), other.get(name)
        if isinstance(a, Mapping) and isinstance(b, Mapping):
            yield from _apart(a, b, f"{name}.")
        elif a != b:
            yield f"{within}{name} ({_said(a)} against {_said(b)})"


def _said(value: object) -> str:
    return "the default" if value is None else text(value)
