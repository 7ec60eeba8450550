"""ClashEval: questions asked about a passage that is right, or that was modified.

Six domains of questions and passages (Wu et al. 2024, "ClashEval: Quantifying the
tug-of-war between an LLM's internal prior and external evidence", CC BY 4.0), of which
SR-DCR takes a testbed: each question once with the right and once with a modified
passage, the latter in five equal strata of severity.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from logging import getLogger
from pathlib import Path
from typing import Any, NamedTuple

from inspect_ai.dataset import MemoryDataset, Sample

from inspect_debate.v1.datasets.archive import download_errors, from_hub, sha256_of
from inspect_debate.v1.datasets.clasheval_questions import (
    DOMAINS,
    UNMODIFIED,
    WITHHELD,
    ConflictItem,
    LeftOut,
    Record,
    Row,
    domain_of,
    pair,
    passage_items,
    read_rows,
)
from inspect_debate.v1.datasets.sources import (
    Loaded,
    Sources,
    interleaved,
    read_jsonl,
    shipped_yaml,
)
from inspect_debate.v1.datasets.testbed import Candidate, Pick, balance, choose
from inspect_debate.v1.debate.errors import InputError, check_whole_number

logger = getLogger(__name__)

PUBLISHED_QUESTIONS = {
    **{"drugs": 249, "records": 191, "news": 238},
    **{"years": 200, "names": 200, "locations": 200},
}
"""How many questions the published data should have (Wu et al. 2024)."""


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
    items, measured = passage_items(
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


def _candidates(items: Iterable[ConflictItem]) -> list[Candidate]:
    return [Candidate(item.id, item.domain, [*item.modified]) for item in items]


def _samples(
    items: Iterable[ConflictItem], picks: Iterable[Pick], shots: int, seed: int
) -> list[Sample]:
    """The pairs of the picks, in an order that is fair to domains and severities."""
    by_id = {item.id: item for item in items}
    domains: defaultdict[str, list[ConflictItem]] = defaultdict(list)
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


# Where ClashEval's rows are read from: its hub, a file, or the shipped sample.

HUB = "kewu93/ClashEval"
SAMPLE_FILE = "clasheval_sample.yaml"

SOURCES = Sources(
    words=("published", "sample"),
    path="PATH to a .parquet, .csv or .jsonl file of its schema",
    endings=(".parquet", ".pqt", ".csv", ".jsonl"),
)


class Source(NamedTuple):
    """Rows, and where they come from, for the log: no folders."""

    rows: list[Row]
    provenance: dict[str, Any]


def load(source: str, revision: str | None = None) -> Source:
    """The rows of a source.

    Args:
        source: `published`, `sample`, or a path.
        revision: A branch, tag or commit of the published data; their newest if None.

    Raises:
        InputError: If the source cannot be had or is not of ClashEval's schema, or if
            a revision is given of another source than `published`.
    """
    if source == "published":
        # `-T revision=1234567` gives a number.
        return _published(None if revision is None else str(revision))
    if revision is not None:
        raise InputError(
            f"revision={revision!r} is only for source=published, not source={source}."
        )
    if source == "sample":
        entries = shipped_yaml(SAMPLE_FILE)
        records = (record for entry in entries for record in sample_records(entry))
        provenance = {"source": source, "file": SAMPLE_FILE}
        return Source(read_rows(records, SAMPLE_FILE), provenance)
    path = SOURCES.existing(source)
    rows = read_rows(_records(path), path.name)
    found = {"source": "path", "file": path.name, "sha256": sha256_of(path)}
    return Source(rows, found)


def _records(path: Path) -> Iterable[Record]:
    ending = path.suffix.lower()
    try:
        if ending == ".jsonl":
            return list(_of_jsonl(path))
        # Slow to import, hence here.
        import pandas as pd

        if ending == ".csv":
            # As text: `1:30`, `0.10` and the surname `Null` stay what they are.
            table = pd.read_csv(
                path, dtype=str, keep_default_na=False, encoding="utf-8-sig"
            )
        else:
            table = pd.read_parquet(path)
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        reason = " ".join(str(error).split())
        raise InputError(f"{path.name} cannot be read: {reason}.") from error
    present = table.astype(object).where(table.notna(), None)
    return [
        {str(key): value for key, value in record.items()}
        for record in present.to_dict("records")
    ]


def _of_jsonl(path: Path) -> Iterator[Record]:
    for number, record in read_jsonl(path.read_bytes(), path.name):
        if not isinstance(record, dict):
            raise InputError(f"{path.name}, line {number} is no JSON object.")
        yield record


def _published(revision: str | None) -> Source:
    wanted = "" if revision is None else f" at revision {revision!r}"
    with download_errors(f"Hugging Face's {HUB}{wanted}", SOURCES.others("published")):
        commit, parts = from_hub(HUB, revision=revision)
        records = [
            {**record, "split": split}
            for split, part in parts.items()
            for record in part
        ]
    rows = read_rows(records, HUB)
    return Source(rows, {"source": "published", "dataset": HUB, "revision": commit})


# The shipped sample of ClashEval's kind, made into rows of the published schema.

_WORDED = ("slight", "significant", "comical")


def sample_records(entry: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """The rows of one question: as it is, and its answer replaced at every degree.

    Args:
        entry: `domain`, `question`, `answer`, `passage`; of drugs, records and news
            `modified`, other answers by their factors, as far as they can be written
            as precisely as the right one; of names and locations the other answers
            `slight`, `significant` and `comical`.

    Yields:
        Rows of the published schema; of years only the unmodified one.
    """
    answer, passage = entry["answer"].strip(), entry["passage"].strip()
    worded = {degree: entry[degree] for degree in _WORDED if degree in entry}
    modified: dict[str, str] = entry.get("modified", worded)
    for degree, other in {UNMODIFIED: answer, **modified}.items():
        yield {
            "question": entry["question"].strip(),
            "context_original": passage,
            "context_mod": replaced(passage, answer, other),
            "answer_original": answer,
            "answer_mod": other,
            "mod_degree": degree,
            "dataset": entry["domain"],
        }


def replaced(text: str, answer: str, other: str) -> str:
    """A text with every standalone occurrence of the answer replaced.

    Not inside a word or a longer number: `30` stays in `30.5`, `1:30` and `1,300`.
    """
    before = r"(?<!\w)(?<!\d[.,:])" if answer[:1].isalnum() else ""
    after = r"(?!\w)(?![.,:]\d)" if answer[-1:].isalnum() else ""
    return re.sub(before + re.escape(answer) + after, lambda _: other, text)
