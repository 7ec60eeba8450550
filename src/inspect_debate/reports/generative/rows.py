"""How logs of the study become rows and conditions, and which of them are paired.

A row is a sample of a run. A condition is a format (`dual_debate`, ...) with its
models, data and parameters. Two conditions are paired only where their samples put the
same answers to the same judge, asked in the same way.
"""

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import pandas as pd

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.prompts import shipped_hashes
from inspect_debate.metrics.tiers import difficulty
from inspect_debate.reports.conditions import Grouped, flat, group_conditions, text
from inspect_debate.reports.elements import counted
from inspect_debate.reports.frames import scores_of
from inspect_debate.reports.logs import Log
from inspect_debate.solvers.formats import FORMATS, Interaction
from inspect_debate.solvers.generative import GenerativeConfig
from inspect_debate.solvers.generative_debate import GenerativeParameters

STUDY = "generative"

PROTOCOLS = {
    "dual_debate": "Dual debate",
    "single_debate": "Single debate",
    "dual_consultancy": "Dual consultancy",
    "single_consultancy": "Single consultancy",
    "dual_no_transcript": "Dual, no transcript",
    "single_no_transcript": "Single, no transcript",
    "direct_qa": "Direct QA",
}
"""The formats as readers see them, in the order in which they are reported."""

KINDS: Mapping[int, Literal["dual", "single"]] = {2: "dual", 1: "single"}
"""What formats with so many answers before the judge are called."""

FAMILIES = {
    "gpt5": ("gpt-5-mini", "gpt-5-nano"),
    "qwen3": ("qwen3-8b", "qwen3-4b"),
}
"""Debater and judge of the study's families."""

FAMILY_TITLES = {
    "gpt5": "GPT-5-mini > GPT-5-nano",
    "qwen3": "Qwen3-8B > Qwen3-4B",
}

CLEANED, ORIGINAL = "bcb_plus", "bcb"
"""The study's programming tasks, and those that they were made of, by the same ids."""

STUDY_VERSIONS = {"arc": "1", CLEANED: "v0.1.0"}
"""The study's data; the version of ARC-AGI is inferred."""

BEST_OF = (1, 4)
"""Of how many candidates the study's speeches are chosen."""

ALPHA = 0.05
"""The level at which a difference counts."""

VERSIONS = ("2-A", "3-A", "3-B")
"""The versions of the task that have these defaults."""

DEFAULTS: Mapping[str, object] = dict(
    flat(
        GenerativeParameters().model_dump(mode="json")
        | GenerativeConfig().model_dump(mode="json", exclude_none=True)
    )
)
"""The task's defaults; a parameter with another value is part of a condition's name."""

_DATA_TITLES = {CLEANED: "BigCodeBench-Plus", ORIGINAL: "BigCodeBench"}


def format_of(protocol: str, rounds: int | None) -> str:
    """The format of a run; without rounds of speeches, the one without a transcript."""
    proposers, interaction = FORMATS[protocol]
    return format_named(proposers, "none" if rounds == 0 else interaction)


def format_named(proposers: int, interaction: Interaction) -> str:
    """The format with so many proposers and this way of speaking."""
    return next(
        name for name, found in FORMATS.items() if found == (proposers, interaction)
    )


def titled(format: str, best_of: int = 1, variant: str = "") -> str:
    """A condition's name: "Dual debate, best of 4, turn_order=sequential"."""
    chosen = f"best of {best_of}" if best_of > 1 else ""
    return ", ".join(filter(None, (PROTOCOLS[format], chosen, variant)))


def family_key(family: str) -> str | None:
    """The key in `FAMILIES` of "debater > judge", with or without providers."""
    bare = tuple(bare_name(model) for model in family.split(" > "))
    return next((key for key, models in FAMILIES.items() if models == bare), None)


def family_title(family: str) -> str:
    """A family as the study calls it, where it is one of the study's."""
    return FAMILY_TITLES.get(family_key(family) or "", family)


def bare_name(model: str) -> str:
    """A model's name without its provider."""
    return model.strip().rpartition("/")[2].lower()


def benchmark_title(dataset: str, version: str, split: str) -> str:
    """Data as readers see them: "ARC-AGI-1, evaluation", or "ARC tasks, own"."""
    title = _DATA_TITLES.get(dataset, dataset.upper())
    if version == "sample":
        return f"{title}, shipped sample"
    if dataset != "arc":
        named = f"{title} {version}" if _is_release(version) else f"{title}, {version}"
    elif version in ("1", "2"):
        named = f"ARC-AGI-{version}"
    else:
        named = f"ARC tasks, {version}"
    return named if split in ("", "both") else f"{named}, {split}"


def of_study(dataset: str, version: str) -> bool:
    """Whether data are the study's, as far as is known.

    Any release of BigCodeBench-Plus counts: the study's own is no longer available.
    """
    if dataset == CLEANED:
        return _is_release(version)
    return STUDY_VERSIONS.get(dataset) == version


def _is_release(version: str) -> bool:
    return re.fullmatch(r"v?\d+(?:\.\d+)+", version) is not None


# From logs to rows.

KEYS = ["question_id", "epoch"]
"""What identifies a sample across runs on the same data."""

QUESTION = ["dataset", "version", "question_id"]
"""What identifies a question: versions and cleaned tasks share their ids."""

SAMPLE = ["run", "id", "epoch"]
"""What identifies a debate."""

IDENTITIES = ("answer_set_id", "answer_id_a")
"""Equal where samples put the same answers (or the same answer A) to the judge."""

ITEM = [
    *("run", "log", "created", "condition", "title", "variant", "protocol", "format"),
    *("proposers", "interaction", "best_of", "debater", "debater_b"),
    *("judge", "family", "dataset", "version", "split", "question_id"),
    *("id", "epoch", "target", *IDENTITIES, "prompts", "data", "reuse"),
    *("judging", "speaking", "parameters", "models", "scored", "error", "limit"),
]
"""The columns of rows before the scores."""

TIER = "tier"

_SCORER = "verdicts."
_GRADER = "grader"
# Parameters that the rest of a condition's name already tells, or that shape nothing.
_TOLD = ("rounds", "best_of", "dataset", "samples", "reuse_until")
# Whose model another role has where none is bound to it.
_STAND_INS = {"debater_b": "debater_a", "reward": "judge"}


def read_scores(logs: Sequence[Log]) -> pd.DataFrame:
    """The scores of all samples, with the facts of each sample's data and answers.

    Args:
        logs: Logs of this study.

    Returns:
        The columns of `scores_of`, `dataset`, `version`, `question_id`, the run's
        `split` (`both` where it has samples of either), `IDENTITIES`, and `data`, the
        source and the first digits of its hash or revision.
    """
    facts = pd.DataFrame([row for log in logs for row in _facts(log)])
    scores = scores_of(logs)
    kept = scores[[name for name in scores if name in SAMPLE or name not in facts]]
    return kept.merge(facts, on=SAMPLE, validate="one_to_one")


def _facts(log: Log) -> Iterator[dict[str, object]]:
    data = log.metadata.get("data") or {}
    splits = {str(s.metadata.get("split") or "") for s in log.summaries}
    split = splits.pop() if len(splits) == 1 else "both"
    revision = data.get("sha256") or data.get("revision")
    source = [str(data.get("source", "")), str(revision or "")[:12]]
    for summary in log.summaries:
        found = summary.metadata
        scored = [score.metadata or {} for score in (summary.scores or {}).values()]
        ids = next((one for one in scored if "answer_set_id" in one), {})
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
            "data": " ".join(filter(None, source)),
        }


def conditions(scores: pd.DataFrame) -> Grouped:
    """Group samples into conditions.

    Args:
        scores: Rows as from `read_scores`.

    Returns:
        As `group_conditions`; `frame` has also the columns of `ITEM`. Of these
        `variant` names what differs from the study's defaults, `judging` and `speaking`
        are the functions of these names below, and `debater` and `judge` are models.
    """
    grouped = group_conditions(_named(scores))
    frame = grouped.frame
    runs = frame.drop_duplicates("run").to_dict("records")
    asked = {run["run"]: (judging(run), speaking(run)) for run in runs}
    of_rows = pd.DataFrame(
        [asked[run] for run in frame["run"]], frame.index, ["judging", "speaking"]
    )
    frame = pd.concat([frame, of_rows], axis=1)
    variant = frame["condition"].map(_variants(frame.drop_duplicates("condition")))
    parts = zip(frame["format"], frame["best_of"], variant, strict=True)
    return grouped._replace(
        frame=frame.assign(variant=variant, title=[titled(*of) for of in parts])
    )


def titles_of(grouped: Grouped) -> dict[str, str]:
    """The names of conditions that have rows, by label."""
    known = grouped.frame.drop_duplicates("condition")
    return dict(zip(known["condition"], known["title"], strict=True))


def _named(scores: pd.DataFrame) -> pd.DataFrame:
    """With the format, models, and the data among the parameters."""
    given = [*zip(scores["protocol"], scores["parameters"], strict=True)]
    formats = [format_of(name, of.get("rounds")) for name, of in given]
    data = zip(*(scores[name] for name in ("version", "split", "data")), strict=True)
    interactions = [FORMATS[format].interaction for format in formats]
    named = scores.assign(
        parameters=[
            of | {"samples": ", ".join(filter(None, facts))}
            for (_, of), facts in zip(given, data, strict=True)
        ],
        format=formats,
        proposers=[FORMATS[format].proposers for format in formats],
        interaction=interactions,
        best_of=[
            1 if way == "none" else int(of.get("best_of") or 1)
            for way, (_, of) in zip(interactions, given, strict=True)
        ],
        debater=scores["debater_a"].astype(object).fillna(""),
        judge=scores["judge"].astype(object).fillna(""),
    )
    return named.assign(family=_families(named))


def _families(named: pd.DataFrame) -> "pd.Series[str]":
    """Debater and judge; a judge alone joins the family in which it judges the rest."""
    debated = named[named["debater"] != ""]
    by_judge = debated.groupby("judge")["debater"].unique()
    alone = {judge: found[0] for judge, found in by_judge.items() if len(found) == 1}
    of_judge = named["judge"].map(lambda judge: alone.get(judge, ""))
    debater = named["debater"].where(named["debater"] != "", of_judge)
    return (debater + " > " + named["judge"]).str.removeprefix(" > ")


def _variants(firsts: pd.DataFrame) -> dict[str, str]:
    """What differs from the defaults, by condition, from a row of each."""
    graders = firsts["parameters"].map(_grader)
    # What grades other data cannot differ from it, so it is in no name.
    differ = graders.groupby(firsts["dataset"]).transform("nunique") > 1
    return {
        str(row["condition"]): ", ".join(filter(None, [*_details(row), grader]))
        for row, grader in zip(
            firsts.to_dict("records"), graders.where(differ, ""), strict=True
        )
    }


def _grader(parameters: Mapping[str, Any]) -> str:
    grader = parameters.get(_GRADER)
    return f"grader={grader['id'][:6]}" if grader else ""


def _details(row: Mapping[Any, Any]) -> Iterator[str]:
    if row["protocol"] != row["format"]:
        # Another protocol, though nothing is spoken in either.
        yield f"{row['protocol']} rounds=0"
    given = {n: value for n, value in row["parameters"].items() if n != _GRADER}
    for name, value in flat(given):
        if name not in _TOLD and value not in (None, DEFAULTS.get(name)):
            yield f"{name}={text(value)}"
    rounds = row["parameters"].get("rounds", DEFAULTS["rounds"])
    if row["interaction"] != "none" and rounds != DEFAULTS["rounds"]:
        yield f"rounds={rounds}"
    yield from (f"model.{name}={text(value)}" for name, value in flat(row["settings"]))
    for role, other in _STAND_INS.items():
        if isinstance(row.get(role), str) and row[role] != row[other]:
            yield f"{role}={bare_name(row[role])}"
    # Prompts go by the first digits of their hash.
    if row["prompts"] not in shipped_hashes(STUDY):
        yield f"prompts={str(row['prompts'])[:6]}"
    if row["seed"]:
        yield f"seed={row['seed']}"
    if row["task_version"] not in VERSIONS:
        yield f"version={row['task_version']}"


def items_of(grouped: Grouped) -> pd.DataFrame:
    """A row per run, sample and epoch, those without a score included.

    Args:
        grouped: As from `conditions`.

    Returns:
        The columns `ITEM`, all values of the scorer `verdicts` under their own names,
        NaN where a run or sample has no such value, and those of `in_order`.
    """
    frame = grouped.frame
    scores = {
        column: bare
        for column in map(str, frame.columns)
        if (bare := column.removeprefix(_SCORER)) != column and bare not in ITEM
    }
    # Runs from before ties were recorded have no such value.
    scores.setdefault(f"{_SCORER}verdict_tied", "verdict_tied")
    named = frame.reindex(columns=[*ITEM, *scores]).rename(columns=scores)
    return in_order(named)


def in_order(items: pd.DataFrame) -> pd.DataFrame:
    """Rows in the order in which conditions are reported.

    Args:
        items: The columns `ITEM` and scores.

    Returns:
        The study's families and formats come first. New columns: `heading` (models and
        data as readers see them), `kind` ("Dual" or "Single") and `tier`.
    """
    groups: list[tuple[Any, pd.DataFrame]] = list(
        items.groupby(list(Condition._fields), sort=False)
    )
    families = sorted(set(items["family"]))
    titles = [family_title(family) for family in families]
    names = {
        family: title if titles.count(title) == 1 else family
        for family, title in zip(families, titles, strict=True)
    }
    keys = [*FAMILIES, None]
    families.sort(key=lambda family: keys.index(family_key(family)))

    def place(named: tuple[Any, pd.DataFrame]) -> tuple[object, ...]:
        of = Condition(*named[0])
        data = (of.dataset, of.version, of.split)
        format = list(PROTOCOLS).index(of.format)
        return (families.index(of.family), *data, format, of.variant, of.best_of)

    rows = [
        rows.assign(
            heading=f"{names[(of := Condition(*key)).family]}, {of.benchmark}",
            kind=KINDS.get(of.proposers, "").capitalize(),
        )
        for key, rows in sorted(groups, key=place)
    ]
    return _tiered(pd.concat(rows, ignore_index=True))


def second_debater(items: pd.DataFrame) -> "pd.Series[str]":
    """The model of debater B: that of debater A unless another is bound to it."""
    return items["debater_b"].fillna(items["debater"])


def _tiered(items: pd.DataFrame) -> pd.DataFrame:
    """With the tier of each row's question; None where a debater has no graded answer.

    The answers of one model, epoch and participant have the same weight, whether
    several conditions share an answer or each has its own.
    """
    tiers = {
        question: tier
        for rates in _solve_rates(items)
        for question, tier in zip(rates.index, difficulty(rates), strict=True)
    }
    keys = zip(*(items[name] for name in QUESTION), strict=True)
    found = [tiers.get(key) for key in keys]
    return items.assign(**{TIER: pd.Series(found, items.index, dtype=object)})


def _solve_rates(items: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """For each version of the data, a table (questions, debaters)."""
    by = [*QUESTION, "model"]
    answers = proposed(items).dropna(subset="right")
    once = answers.groupby([*by, "epoch", "seat"])["right"].mean()
    rates = once.groupby(by).mean()
    for _, of in rates.groupby(QUESTION[:-1]):
        yield of.unstack("model")


def proposed(items: pd.DataFrame) -> pd.DataFrame:
    """The answers that are put to judges.

    Args:
        items: As from `items_of`.

    Returns:
        A row for each: `QUESTION`, `epoch`, the `seat` and `model` of who proposes it,
        `answer` (the same for answers that are shared) and whether it is `right`.
    """
    models = {"a": items["debater"], "b": second_debater(items)}
    identities = {"a": "answer_id_a", "b": "answer_set_id"}
    seats = [
        items.loc[items["proposers"] >= least, [*QUESTION, "epoch"]].assign(
            seat=seat,
            model=models[seat],
            answer=items[identities[seat]],
            right=items[f"right_{seat}"],
        )
        for seat, least in (("a", 1), ("b", 2))
    ]
    return pd.concat(seats)


# Conditions, and which one another is compared with.


class Condition(NamedTuple):
    """A format with its models, data and parameters.

    Attributes:
        family: "debater > judge".
        dataset: Name of the data.
        version: Their version.
        split: The run's part of them.
        proposers: How many answers are put to the judge.
        interaction: Whether those who speak hear each other.
        best_of: Of how many candidates a speech is chosen.
        variant: What differs from the study's defaults; mostly empty.
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
        """Its name among the conditions with the same models and data."""
        return titled(self.format, self.best_of, self.variant)

    @property
    def benchmark(self) -> str:
        """The name of its data."""
        return benchmark_title(self.dataset, self.version, self.split)


Conditions = Mapping[Condition, pd.DataFrame]
"""The rows of each condition."""


def conditions_in(items: pd.DataFrame) -> dict[Condition, pd.DataFrame]:
    """The rows of each condition, in the order of the rows."""
    groups = items.groupby(list(Condition._fields), sort=False)
    return {
        Condition(*rows[list(Condition._fields)].iloc[0].tolist()): rows
        for _, rows in groups
    }


def partner(
    found: Conditions,
    condition: Condition,
    interaction: Interaction,
    best_of: int | None = None,
) -> Condition | None:
    """The condition that another is compared with, with as many proposers.

    Of several, those whose verdicts and speeches were asked for alike are preferred,
    then the one with the same variant, then that without any, since not every format
    has every parameter.

    Args:
        found: As from `conditions_in`.
        condition: One of them.
        interaction: The way of speaking of the other.
        best_of: Its `best_of`; by default the same.

    Returns:
        The other; None where there is none, or several that fit equally well.
    """
    near = alike(found, condition, interaction, best_of)
    fitting = [of for of in near if not differences(found[condition], found[of])]
    left = fitting or near
    for variant in (condition.variant, ""):
        for other in left:
            if other.variant == variant:
                return other
    return left[0] if len(left) == 1 else None


def alike(
    found: Conditions,
    condition: Condition,
    interaction: Interaction,
    best_of: int | None = None,
) -> list[Condition]:
    """As `partner`, all that one could be compared with, whatever their variant."""
    # Without a transcript nothing is chosen, so `best_of` does not matter.
    chosen = 1 if interaction == "none" else best_of or condition.best_of
    wanted = condition._replace(interaction=interaction, best_of=chosen)
    return [of for of in found if of._replace(variant=condition.variant) == wanted]


def judging(run: Mapping[Any, Any]) -> str:
    """What shaped a run's verdicts, other than judge, prompts and what was judged.

    What graded the answers counts, too: it decides which verdicts are right.

    Args:
        run: A row of it, as from `scores_df`.

    Returns:
        Canonical JSON of settings by name; those of a model's completions are nested.
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
    """What shaped a run's speeches, other than the format and `best_of`.

    Args:
        run: A row of it, as from `scores_df`, with `interaction` and `best_of`.

    Returns:
        As `judging`, with the models of those who speak and of the one that scores
        candidates; an empty object where nobody speaks.
    """
    if run["interaction"] == "none":
        return _canonical({})
    shared = ("rounds", "turn_order", "word_limit", "debater_style")
    told = {name: run["parameters"].get(name) for name in shared}
    asked = {"debater_a": "speech", "debater_b": "speech"}
    if run["best_of"] > 1:
        asked["reward"] = "reward"
        told["reward style"] = run["parameters"].get("judge_style")
    of_models = {
        role: {"model": run[role]} | _completions(run, kind, role)
        for role, kind in asked.items()
        if isinstance(run[role], str)
    }
    return _canonical(told | of_models)


def differences(a: pd.DataFrame, b: pd.DataFrame) -> list[str]:
    """What was set differently for the verdicts or speeches of two conditions.

    What only one of them has does not count: speeches where the other has none, the
    critic or the order of turns of a debate where the other is a consultancy, and the
    reward where the other has no candidates to choose from.

    Args:
        a: Rows of one condition.
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
    """Settings of a role's completions, in the order in which they take effect."""
    settings: Mapping[str, Any] = run["settings"]
    of_kind = run["parameters"].get(kind) or {}
    found = {name: value for name, value in settings.items() if "." not in name}
    found |= {name: value for name, value in of_kind.items() if value is not None}
    for name, value in settings.items():
        seat, _, bare = name.partition(".")
        if seat == role:
            found[bare] = value
        elif seat.startswith(f"{role}_"):  # one of several judges keeps its name
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
            values = ("the default" if of is None else text(of) for of in (a, b))
            yield f"{within}{name} ({' against '.join(values)})"


# Pairs of samples.


class PairingError(InputError):
    """Two conditions that must not be paired, and why."""


@dataclass(frozen=True)
class Paired:
    """The samples that two conditions share, row by row.

    Attributes:
        a: Rows of the one, each with a verdict of which it is known if it is right.
        b: Rows of the other, on the same questions and epochs in the same order.
        drops: How many samples of either are left out, by cause.
    """

    a: pd.DataFrame
    b: pd.DataFrame
    drops: Mapping[str, int]

    @property
    def questions(self) -> "pd.Series[str]":
        """The question of each pair, of which there may be several epochs."""
        return self.a["question_id"]

    @property
    def independent(self) -> bool:
        """Whether no two pairs are about one question."""
        return not self.questions.duplicated().any()


_DATA = {
    "dataset": "data sets",
    "version": "versions of the data",
    "data": "sources or revisions of the data",
}
_ASKED = {"judge": "judges", "prompts": "prompts"}
_EXAMPLES = 3


def pair_up(a: pd.DataFrame, b: pd.DataFrame, *, what: str) -> Paired:
    """Pair the samples of two conditions on question and epoch, on the same answers.

    Left out are samples and epochs that only one has, that failed or were not scored in
    either, without a readable verdict or with a tied one in either, and those with an
    answer that could not be graded.

    Args:
        a: Rows of one condition.
        b: Rows of another.
        what: The two, as an error names them: "dual debate and dual consultancy".

    Raises:
        PairingError: If either has a question and epoch twice, or if data, judges,
            prompts, settings (see `differences`), or the answers that were put to the
            judge differ. Where one has two answers and the other one, answer A has to
            be the same.
    """
    both = _met(a, b, what, _DATA | _ASKED)
    scored = both[both["scored"]]
    same_number = {*a["proposers"]} == {*b["proposers"]}
    _check_answers(scored, what, same_number=same_number)
    return _paired(a, b, both)


def pair_tasks(a: pd.DataFrame, b: pd.DataFrame, *, what: str) -> Paired:
    """Pair samples of one format on the tasks of two data sets, by id and epoch.

    The answers differ, as the tasks do; what is left out is as in `pair_up`.

    Args:
        a: Rows on the one data set.
        b: Rows on the other.
        what: The two, as an error names them.

    Raises:
        PairingError: If either has a question and epoch twice, or if judges, prompts
            or settings (see `differences`) differ.
    """
    return _paired(a, b, _met(a, b, what, _ASKED))


def _met(
    a: pd.DataFrame, b: pd.DataFrame, what: str, same: Mapping[str, str]
) -> pd.DataFrame:
    """Whether the samples of either are in both, scored, readable, and so on."""
    for rows in (a, b):
        _check_once(rows, what)
    for column, named in same.items():
        one, other = ({str(value) for value in rows[column]} for rows in (a, b))
        # Several in one run would differ as much as those of two.
        if len(one | other) > 1:
            raise PairingError(
                f"{what} have different {named}, so they are not paired: "
                f"{_listed(sorted(one))} against {_listed(sorted(other))}."
            )
    if apart := differences(a, b):
        raise PairingError(
            f"{what} were not asked for alike, so they are not paired: "
            f"{'; '.join(apart)}."
        )
    both = _states(a).merge(
        _states(b), on=KEYS, suffixes=(" a", " b"), how="outer", indicator=True
    )
    return both.assign(
        met=both["_merge"] == "both",
        **{
            state: both[f"{state} a"].eq(True) & both[f"{state} b"].eq(True)
            for state in ("scored", "read", "decided", "known")
        },
    )


def _states(rows: pd.DataFrame) -> pd.DataFrame:
    return rows[[*KEYS, *IDENTITIES]].assign(
        scored=rows["scored"] == 1,
        read=rows["verdict_ok"] == 1,
        decided=rows["verdict_tied"] != 1,
        known=rows["verdict_correct"].notna(),
    )


def _paired(a: pd.DataFrame, b: pd.DataFrame, both: pd.DataFrame) -> Paired:
    met, scored, read, decided, known = (
        both[state] for state in ("met", "scored", "read", "decided", "known")
    )
    question = both["question_id"]
    twice = question.isin(a["question_id"]) & question.isin(b["question_id"])
    left = {
        "in one of the two only": ~met & ~twice,
        "epochs that only one of them has": ~met & twice,
        "failed or not scored": met & ~scored,
        "verdict not read": scored & ~read,
        "verdict tied": scored & read & ~decided,
        "answer of unknown worth": scored & read & decided & ~known,
    }
    shared = both.loc[scored & read & known, KEYS]
    return Paired(
        a=shared.merge(a, on=KEYS, validate="one_to_one"),
        b=shared.merge(b, on=KEYS, validate="one_to_one"),
        drops={cause: int(rows.sum()) for cause, rows in left.items() if rows.any()},
    )


def _check_once(rows: pd.DataFrame, what: str) -> None:
    again = rows[rows.duplicated(KEYS)]
    if len(again):
        logs = ", ".join(sorted(rows["log"].unique()))
        raise PairingError(
            f"{what} cannot be paired: {counted(len(again), 'sample')} more than "
            f"once in {logs} (first: {_places(again)}); give one run of each "
            "condition, or runs of different samples."
        )


def _check_answers(both: pd.DataFrame, what: str, *, same_number: bool) -> None:
    column = "answer_set_id" if same_number else "answer_id_a"
    one, other = both[f"{column} a"], both[f"{column} b"]
    apart = both[(one != other) | one.isna() | other.isna()]
    if len(apart):
        named = "answers" if same_number else "answers A"
        raise PairingError(
            f"{what} put different {named} to the judge in {len(apart)} of "
            f"{len(both)} shared samples (first: {_places(apart)}), so they are not "
            "paired; run one of them with reuse=LOG of the other and "
            "reuse_until=answers."
        )


def _places(rows: pd.DataFrame) -> str:
    told = zip(rows["question_id"], rows["epoch"], strict=True)
    return _listed([f"{question} epoch {epoch}" for question, epoch in told])


def _listed(names: Sequence[str]) -> str:
    more = ["..."] if len(names) > _EXAMPLES else []
    return ", ".join([*names[:_EXAMPLES], *more]) or "none"
