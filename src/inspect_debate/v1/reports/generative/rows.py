"""How logs of the study become rows, which condition a row is of, and rates of rows.

A row is a sample of a run. A condition is a format (`dual_debate`, ...) with its
models, data and parameters.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import pandas as pd

from inspect_debate.v1.debate.prompts import shipped_hashes
from inspect_debate.v1.metrics.endorsement import endorsement_rate
from inspect_debate.v1.metrics.tiers import difficulty
from inspect_debate.v1.reports.conditions import Grouped, flat, group_conditions, text
from inspect_debate.v1.reports.estimates import Estimate
from inspect_debate.v1.reports.frames import scores_of
from inspect_debate.v1.reports.logs import Log
from inspect_debate.v1.solvers.formats import FORMATS, Interaction, is_spoken
from inspect_debate.v1.solvers.generative import GenerativeConfig
from inspect_debate.v1.solvers.generative_debate import GenerativeParameters

STUDY = "generative"

PROTOCOLS = {
    "dual_debate": "Dual debate",
    "single_debate": "Single debate",
    "dual_consultancy": "Dual consultancy",
    "single_consultancy": "Single consultancy",
    "dual_no_transcript": "Dual, no transcript",
    "single_no_transcript": "Single, no transcript",
    "direct_qa": "Direct QA",
    "single_critique": "Single critique",
    "critic_alone": "Critic alone",
}
"""The formats as readers see them, in the order in which they are reported."""

KINDS: Mapping[int, Literal["dual", "single"]] = {2: "dual", 1: "single"}
"""What formats with so many answers before the judge are called."""

FAMILIES = {"gpt5": "GPT-5-mini > GPT-5-nano", "qwen3": "Qwen3-8B > Qwen3-4B"}
"""Debater and judge of the study's families."""

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


def format_of(protocol: str, rounds: int | None) -> str:
    """The format of a run; without rounds of speeches, the one without a transcript."""
    proposers, interaction = FORMATS[protocol]
    return format_named(proposers, "none" if rounds == 0 else interaction)


def format_named(proposers: int, interaction: Interaction) -> str:
    """The format with so many proposers and this way of speaking."""
    wanted = (proposers, interaction)
    return next(name for name, found in FORMATS.items() if found == wanted)


def titled(format: str, best_of: int = 1, variant: str = "") -> str:
    """A condition's name: "Dual debate, best of 4, turn_order=sequential"."""
    return joined(PROTOCOLS[format], chosen(best_of), variant)


def chosen(best_of: int | None) -> str:
    """How speeches were chosen: "best of 4"; empty where there was no choice."""
    return f"best of {best_of}" if (best_of or 1) > 1 else ""


def joined(*parts: str | None) -> str:
    """The parts that are not empty, with commas between them."""
    return ", ".join(filter(None, parts))


def family_key(family: str) -> str | None:
    """The key in `FAMILIES` of "debater > judge", with or without providers."""
    bare = " > ".join(map(bare_name, family.split(" > ")))
    return next((key for key, of in FAMILIES.items() if of.lower() == bare), None)


def family_title(family: str) -> str:
    """A family as the study calls it, where it is one of the study's."""
    return FAMILIES.get(family_key(family) or "", family)


def bare_name(model: str) -> str:
    """A model's name without its provider."""
    return model.strip().rpartition("/")[2].lower()


def benchmark_title(dataset: str, version: str, split: str = "") -> str:
    """Data as readers see them: "ARC-AGI-1, evaluation", or "ARC tasks, own"."""
    titles = {CLEANED: "BigCodeBench-Plus", ORIGINAL: "BigCodeBench"}
    title = titles.get(dataset, dataset.upper())
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

Rows = pd.DataFrame

KEYS = ["question_id", "epoch"]
"""What identifies a sample across runs on the same data."""

QUESTION = ["dataset", "version", "question_id"]
"""What identifies a question: versions and cleaned tasks share their ids."""

SAMPLE = ["run", "id", "epoch"]
"""What identifies a debate."""

TIER = "tier"

_SCORER = "verdicts."
_TIED = "verdicts.verdict_tied"
_GRADER = "grader"
# Parameters that the rest of a condition's name already has, or that shape nothing.
_NAMED_ELSEWHERE = ("rounds", "best_of", "dataset", "samples", "reuse_until")
# Whose model another role has where none is bound to it.
_STAND_INS = {"debater_b": "debater_a", "reward": "judge"}


def read_scores(logs: Sequence[Log]) -> Rows:
    """The scores of all samples, with the facts of each sample's data and answers.

    Args:
        logs: Logs of this study.

    Returns:
        The columns of `scores_of`, `dataset`, `version`, `question_id`, the run's
        `split` (`both` where it has samples of either), `answer_set_id` and
        `answer_id_a`, which are equal where samples put the same answers (or the same
        answer A) to the judge, and `data`, the source and the first digits of its hash
        or revision.
    """
    facts = pd.DataFrame([row for log in logs for row in _facts(log)])
    scores = scores_of(logs)
    again = [name for name in scores if name in facts and name not in SAMPLE]
    return scores.drop(columns=again).merge(facts, on=SAMPLE, validate="one_to_one")


def _facts(log: Log) -> Iterator[dict[str, object]]:
    data = log.metadata.get("data") or {}
    summaries = log.summaries
    splits = {str(s.metadata.get("split") or "") for s in summaries}
    split = splits.pop() if len(splits) == 1 else "both"
    revision = str(data.get("sha256") or data.get("revision") or "")[:12]
    for summary in summaries:
        given = summary.metadata
        scored = [score.metadata or {} for score in (summary.scores or {}).values()]
        ids = next((one for one in scored if "answer_set_id" in one), {})
        yield {
            "run": log.header.eval.eval_id,
            "id": str(summary.id),
            "epoch": summary.epoch,
            "dataset": given.get("dataset", ""),
            "version": str(given.get("dataset_version", "")),
            "split": str(data.get("split") or split),
            "question_id": str(given.get("question_id", summary.id)),
            "answer_set_id": ids.get("answer_set_id"),
            "answer_id_a": (ids.get("answer_ids") or {}).get("debater_a"),
            "data": " ".join(filter(None, [str(data.get("source", "")), revision])),
        }


def conditions(scores: Rows) -> Grouped:
    """Group samples into conditions.

    Args:
        scores: Rows as from `read_scores`.

    Returns:
        As `group_conditions`; `frame` has also the fields of `Condition`, of which
        `variant` names what differs from the study's defaults, the condition's `format`
        and `title`, the models `debater` and `judge`, and `judging` and `speaking`, as
        the functions of these names below have them.
    """
    grouped = group_conditions(_with_format(scores))
    frame = grouped.frame
    runs = frame.drop_duplicates("run").to_dict("records")
    variants = _variants(frame.drop_duplicates("condition"))
    frame = frame.assign(
        judging=frame["run"].map({run["run"]: judging(run) for run in runs}),
        speaking=frame["run"].map({run["run"]: speaking(run) for run in runs}),
        variant=frame["condition"].map(variants),
    )
    parts = zip(frame["format"], frame["best_of"], frame["variant"], strict=True)
    return grouped._replace(frame=frame.assign(title=[titled(*of) for of in parts]))


def titles_of(grouped: Grouped) -> dict[str, str]:
    """The names of conditions that have rows, by label."""
    known = grouped.frame.drop_duplicates("condition")
    return dict(zip(known["condition"], known["title"], strict=True))


def _with_format(scores: Rows) -> Rows:
    """With the format, models, and the data among the parameters."""
    given = [*zip(scores["protocol"], scores["parameters"], strict=True)]
    formats = [format_of(name, of.get("rounds")) for name, of in given]
    data = zip(scores["version"], scores["split"], scores["data"], strict=True)
    named = scores.assign(
        parameters=[
            of | {"samples": joined(*facts)}
            for (_, of), facts in zip(given, data, strict=True)
        ],
        format=formats,
        proposers=[FORMATS[format].proposers for format in formats],
        interaction=[FORMATS[format].interaction for format in formats],
        best_of=[
            int(of.get("best_of") or 1) if FORMATS[format].spoken else 1
            for format, (_, of) in zip(formats, given, strict=True)
        ],
        debater=scores["debater_a"].astype(object).fillna(""),
        judge=scores["judge"].astype(object).fillna(""),
    )
    # A judge alone joins the family in which it judges the rest.
    debater = named["debater"]
    by_judge = named[debater != ""].groupby("judge")["debater"].unique()
    only = {judge: found[0] for judge, found in by_judge.items() if len(found) == 1}
    of_judge = named["judge"].map(lambda judge: only.get(judge, ""))
    debater = debater.where(debater != "", of_judge)
    # So does a critic alone, in the family of the only judge of the same debater.
    judging = named[named["judge"] != ""].groupby("debater")["judge"].unique()
    one = {of: found[0] for of, found in judging.items() if len(found) == 1}
    judge = named["judge"].where(
        named["judge"] != "", named["debater"].map(lambda of: one.get(of, "critic"))
    )
    family = (debater + " > " + judge).str.removeprefix(" > ")
    return named.assign(family=family)


def _variants(firsts: Rows) -> dict[str, str]:
    """What differs from the defaults, by condition, from a row of each."""
    graders = firsts["parameters"].map(lambda of: (of.get(_GRADER) or {}).get("id"))
    # What grades other data cannot differ from it, so it is in no name.
    differ = graders.groupby(firsts["dataset"]).transform("nunique", dropna=False) > 1
    return {
        row["condition"]: joined(
            *_details(row), f"grader={grader[:6]}" if differs and grader else ""
        )
        for row, grader, differs in zip(
            firsts.to_dict("records"), graders, differ, strict=True
        )
    }


def _details(row: Mapping[Any, Any]) -> Iterator[str]:
    if row["protocol"] != row["format"]:
        # Another protocol, though nothing is spoken in either.
        yield f"{row['protocol']} rounds=0"
    given = {n: value for n, value in row["parameters"].items() if n != _GRADER}
    for name, value in flat(given):
        if name not in _NAMED_ELSEWHERE and value not in (None, DEFAULTS.get(name)):
            yield f"{name}={text(value)}"
    rounds = row["parameters"].get("rounds", DEFAULTS["rounds"])
    if is_spoken(row["interaction"]) and rounds != DEFAULTS["rounds"]:
        yield f"rounds={rounds}"
    yield from (f"model.{name}={text(value)}" for name, value in flat(row["settings"]))
    for role, other in _STAND_INS.items():
        if isinstance(row.get(role), str) and row[role] != row[other]:
            yield f"{role}={bare_name(row[role])}"
    if row["prompts"] not in shipped_hashes(STUDY):
        yield f"prompts={str(row['prompts'])[:6]}"
    if row["seed"]:
        yield f"seed={row['seed']}"
    if row["task_version"] not in VERSIONS:
        yield f"version={row['task_version']}"


def items_of(grouped: Grouped) -> Rows:
    """A row per run, sample and epoch, those without a score included.

    Args:
        grouped: As from `conditions`.

    Returns:
        The columns of `conditions`, all values of the scorer `verdicts` under their own
        names, NaN where a run or sample has no such value, and those of `in_order`.
    """
    frame = grouped.frame
    others = [name for name in map(str, frame) if not name.startswith(_SCORER)]
    # Runs from before ties were recorded have no such value.
    scores = {
        name: bare
        for name in map(str, frame.columns.union([_TIED], sort=False))
        if (bare := name.removeprefix(_SCORER)) not in others
    }
    return in_order(frame.reindex(columns=[*others, *scores]).rename(columns=scores))


# What shaped verdicts and speeches, apart from the format.


def judging(run: Mapping[Any, Any]) -> str:
    """What shaped a run's verdicts, other than judge, prompts and what was judged.

    What graded the answers counts, too: it decides which verdicts are right.

    Args:
        run: A row of it, as from `scores_df`, with `interaction`.

    Returns:
        Canonical JSON of settings by name; those of a model's completions are nested.
    """
    names = ("max_reasks", "order", "judge_style", _GRADER)
    ruling = "debater_b" if run["interaction"] == "critic" else "judge"
    return _canonical(
        {name: run["parameters"].get(name) for name in names}
        | {
            "verdict": _completions(run, "verdict", ruling),
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
    if not is_spoken(run["interaction"]):
        return _canonical({})
    shared = ("rounds", "turn_order", "word_limit", "debater_style")
    found = {name: run["parameters"].get(name) for name in shared}
    asked = {"debater_a": "speech", "debater_b": "speech"}
    if run["best_of"] > 1:
        asked["reward"] = "reward"
        found["reward style"] = run["parameters"].get("judge_style")
    of_models = {
        role: {"model": run[role]} | _completions(run, kind, role)
        for role, kind in asked.items()
        if isinstance(run[role], str)
    }
    return _canonical(found | of_models)


def _canonical(found: Mapping[str, Any]) -> str:
    known = {name: value for name, value in found.items() if value is not None}
    return json.dumps(known, sort_keys=True)


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


# Conditions, in the order in which they are reported.


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
    def kind(self) -> str:
        """`dual` or `single`; empty where no answer is put to the judge."""
        return KINDS.get(self.proposers, "")

    @property
    def benchmark(self) -> str:
        """The name of its data."""
        return benchmark_title(self.dataset, self.version, self.split)


Conditions = Mapping[Condition, Rows]
"""The rows of each condition."""


def conditions_in(items: Rows) -> dict[Condition, Rows]:
    """The rows of each condition, in the order of the rows."""
    fields = [*Condition._fields]
    groups = items.groupby(fields, sort=False)
    return {Condition(*rows[fields].iloc[0]): rows for _, rows in groups}


def heading_of(rows: Rows) -> str:
    """Models and data of some rows, as readers see them."""
    return str(rows["heading"].iloc[0])


def in_order(items: Rows) -> Rows:
    """Rows in the order in which conditions are reported.

    Args:
        items: The columns of `conditions` and scores.

    Returns:
        The study's families and formats come first. New columns: `heading` (models and
        data as readers see them), `kind` ("Dual" or "Single") and `tier`.
    """
    keys = [*FAMILIES, None]
    known = sorted(set(items["family"]))
    families = sorted(known, key=lambda family: keys.index(family_key(family)))
    titles = [family_title(family) for family in families]
    names = {
        family: title if titles.count(title) == 1 else family
        for family, title in zip(families, titles, strict=True)
    }

    def place(of: Condition) -> tuple[object, ...]:
        data = (of.dataset, of.version, of.split)
        format = [*PROTOCOLS].index(of.format)
        return (families.index(of.family), *data, format, of.variant, of.best_of)

    found = conditions_in(items)
    rows = [
        found[of].assign(
            heading=f"{names[of.family]}, {of.benchmark}", kind=of.kind.capitalize()
        )
        for of in sorted(found, key=place)
    ]
    return _tiered(pd.concat(rows, ignore_index=True))


def second_debater(items: Rows) -> "pd.Series[str]":
    """The model of debater B: that of debater A unless another is bound to it."""
    return items["debater_b"].fillna(items["debater"])


def _tiered(items: Rows) -> Rows:
    """With the tier of each row's question; None where a debater has no graded answer.

    The answers of one model, epoch and participant have the same weight, whether
    several conditions share an answer or each has its own.
    """
    by = [*QUESTION, "model"]
    answers = proposed(items).dropna(subset="right")
    once = answers.groupby([*by, "epoch", "seat"])["right"].mean()
    tiers: dict[object, object] = {}
    for _, rates in once.groupby(by).mean().groupby(QUESTION[:-1]):
        table = rates.unstack("model")
        tiers |= dict(zip(table.index, difficulty(table), strict=True))
    keys = zip(*(items[name] for name in QUESTION), strict=True)
    found = [tiers.get(key) for key in keys]
    return items.assign(**{TIER: pd.Series(found, items.index, dtype=object)})


def proposed(items: Rows) -> Rows:
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


# Rates of rows, clustered by question.


def ratio(rows: Rows, part: "pd.Series[float]", whole: "pd.Series[float]") -> Estimate:
    """A ratio of sums, clustered by question; rows with NaN in `part` do not count."""
    return Estimate(*endorsement_rate(part, whole, rows["question_id"])[:3])


def share(rows: Rows, values: "pd.Series[float]") -> Estimate:
    """The mean of shares from 0 to 1 over the rows that have one."""
    return ratio(rows, values, values.notna().astype(float))


def fpr(rows: Rows) -> Estimate:
    """The share of the wrong answers that the judge calls correct."""
    return ratio(rows, rows["fp"], rows["n_wrong"])


def fnr(rows: Rows) -> Estimate:
    """The share of the right answers that the judge calls incorrect."""
    return ratio(rows, rows["fn"], rows["n_right"])


def accuracy(rows: Rows) -> Estimate:
    """The share of the readable verdicts that are right about every answer."""
    return share(rows, rows["verdict_correct"])


def tied(rows: Rows) -> int:
    """On how many samples the judges of a panel tie, so that there is no verdict."""
    return int((rows["verdict_tied"] == 1).sum())
