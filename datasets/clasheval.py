"""ClashEval: questions asked about a passage that is right, or that was modified.

Six domains of questions and passages (Wu et al. 2024, "ClashEval: Quantifying the
tug-of-war between an LLM's internal prior and external evidence", CC BY 4.0), of which
SR-DCR takes a testbed: each question once with the right and once with a modified
passage, the latter in five equal strata of severity.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from logging import getLogger
from typing import Any, NamedTuple

from inspect_ai.dataset import MemoryDataset, Sample

from inspect_debate.core.errors import InputError, check_whole_number
from inspect_debate.datasets.clasheval_pairs import pair
from inspect_debate.datasets.clasheval_questions import (
    WITHHELD,
    ClashItem,
    LeftOut,
    clash_items,
)
from inspect_debate.datasets.clasheval_rows import DOMAINS, domain_of
from inspect_debate.datasets.clasheval_sources import load
from inspect_debate.datasets.order import interleaved
from inspect_debate.datasets.testbed import Candidate, Pick, balance, choose

logger = getLogger(__name__)

PUBLISHED_QUESTIONS = {
    **{"drugs": 249, "records": 191, "news": 238},
    **{"years": 200, "names": 200, "locations": 200},
}
"""How many questions the published data should have (Wu et al. 2024)."""


class Loaded(NamedTuple):
    """The samples, and for the log where they come from and how they are balanced."""

    dataset: MemoryDataset
    provenance: dict[str, Any]


def clasheval(
    source: str = "published",
    revision: str | None = None,
    domains: str | Sequence[str] = "all",
    questions: int = 300,
    shots: int = 4,
    seed: int = 0,
) -> Loaded:
    """Load a testbed of ClashEval, in an order of which every prefix is balanced.

    Args:
        source: `published` (Hugging Face), `sample` (questions written for this
            package), or the path of a .parquet, .csv or .jsonl file of its schema.
        revision: A branch, tag or commit of the published data; None for the newest.
        domains: `all`, or some of `drugs`, `records`, `news`, `years`, `names` and
            `locations`, as a list or separated by commas.
        questions: How many, as evenly as may be over the domains; each gives two
            samples. Fewer if there are not as many.
        shots: How many solved questions of its domain are shown with each question.
        seed: Decides which questions, which modification of each, and the order.

    Returns:
        Two samples per question, next to each other: `{id}-standard` with the right
        passage and `{id}-perturbed`. The provenance has the source, with the commit of
        published data or the sha256 of a file; `questions`, those with passages by
        domain; `missing`, by how many they are fewer than was published; `measured`,
        the domains whose degrees were measured on the answers; `left_out`, counts of
        rows and questions by reason and domain; and `balance`.

    Raises:
        InputError: If an argument is not allowed, the source cannot be had or is not of
            the schema, or a domain has too few questions to show as solved.
    """
    check_whole_number("questions", questions, 1)
    check_whole_number("shots", shots, 0)
    check_whole_number("seed", seed, 0)
    names = _domains(domains)
    rows, provenance = load(source, revision)
    left_out = LeftOut()
    items, measured = clash_items(
        (row for row in rows if row.domain in names), seed, left_out
    )
    found = Counter(item.domain for item in items if item.modified)
    if not found:
        raise InputError(
            f"source={source!r} has no question of {', '.join(names)} with passages."
        )
    chosen = choose(_candidates(items), questions, seed)
    samples = _samples(items, chosen.picks, shots, seed)
    counts = {name: found[name] for name in names}
    provenance |= {
        "questions": counts,
        "missing": _missing(source, counts),
        "measured": measured,
        "left_out": left_out.as_json(),
        "balance": {
            "asked": questions,
            "questions": len(chosen.picks),
            "replaced": chosen.replaced,
            "moved": chosen.moved,
            **balance(sample.metadata or {} for sample in samples),
        },
    }
    _warn(provenance)
    return Loaded(MemoryDataset(samples, name="clasheval"), provenance)


def _domains(given: str | Sequence[str]) -> list[str]:
    typed = str(given).split(",") if isinstance(given, str | int) else [*given]
    if typed == ["all"]:
        return list(DOMAINS)
    wanted = {domain_of(str(name)) for name in typed}
    if not wanted:
        raise InputError(
            f"domains={given!r} names no domain; allowed: all, {', '.join(DOMAINS)}."
        )
    return [name for name in DOMAINS if name in wanted]


def _candidates(items: Iterable[ClashItem]) -> list[Candidate]:
    return [Candidate(item.id, item.domain, [*item.modified]) for item in items]


def _samples(
    items: Iterable[ClashItem], picks: Iterable[Pick], shots: int, seed: int
) -> list[Sample]:
    """The pairs of the picks, in an order that is fair to domains and severities."""
    by_id = {item.id: item for item in items}
    domains: defaultdict[str, list[ClashItem]] = defaultdict(list)
    for item in by_id.values():
        domains[item.domain].append(item)
    ordered = interleaved(
        picks,
        identity=lambda pick: pick.id,
        stratum=lambda pick: (pick.domain, pick.severity),
        seed=seed,
    )
    return [
        sample
        for pick in ordered
        for sample in pair(
            by_id[pick.id], pick.severity, domains[pick.domain], shots, seed
        )
    ]


def _missing(source: str, found: Mapping[str, int]) -> dict[str, int]:
    """By how many questions domains of the published data fall short."""
    if source != "published":
        return {}
    short = {name: PUBLISHED_QUESTIONS[name] - count for name, count in found.items()}
    return {name: count for name, count in short.items() if count > 0}


def _warn(provenance: Mapping[str, Any]) -> None:
    """Say what a reader of the results would not expect."""
    withheld = provenance["left_out"]["rows"].get(WITHHELD, {})
    if withheld:
        logger.warning(
            f"ClashEval: rows without a passage left out: {_told(withheld)}."
        )
    if provenance["missing"]:
        logger.warning(
            "ClashEval: fewer questions with passages than were published, by "
            f"{_told(provenance['missing'])}."
        )
    if provenance["measured"]:
        logger.warning(
            "ClashEval: the degrees do not say by what answers were multiplied; it is "
            f"measured on the answers of {', '.join(provenance['measured'])}."
        )
    balanced, shipped = provenance["balance"], provenance["source"] == "sample"
    if balanced["questions"] < balanced["asked"] and not shipped:
        logger.warning(
            f"ClashEval: questions={balanced['asked']} were asked for; "
            f"there are {balanced['questions']}, and all are taken."
        )


def _told(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())
