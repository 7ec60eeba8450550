"""ClashEval: questions with a passage that is right, or that was perturbed.

Six domains (Wu et al. 2024, "ClashEval: Quantifying the tug-of-war between an LLM's
internal prior and external evidence", CC BY 4.0), of which SR-DCR takes a testbed: 300
questions, each once with the right and once with a perturbed passage. The offsets that
SR-DCR names, 20 to 200 years, are not ClashEval's own. That they are years, made by
shifting the passages of its domain `years`, is our inference; the other domains have
the perturbations that were published, in five equal strata of severity.
"""

import hashlib
import importlib
import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from logging import getLogger
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from inspect_ai.dataset import MemoryDataset, Sample

from inspect_debate.datasets.download import json_lines, read_file, user_path
from inspect_debate.datasets.matching import right_answer, same_answer
from inspect_debate.debate.errors import InputError, check_known
from inspect_debate.debate.seeds import seeded

logger = getLogger(__name__)

HUB = "kewu93/ClashEval"
SAMPLE = Path(__file__).parent / "data" / "clasheval_sample.yaml"
QUESTIONS = 300

SIZES = {
    **{"drugs": 249, "records": 191, "news": 238},
    **{"years": 200, "names": 200, "locations": 200},
}
"""The questions that each domain has as published."""

OFFSETS = {1: 20, 2: 40, 3: 60, 4: 100, 5: 200}
"""The years by which a year is shifted, by severity (SR-DCR)."""

FACTORS = {
    **{"0.8": 1, "1.2": 1, "1.5": 2, "0.4": 3, "2": 3},
    **{"0.2": 4, "3": 4, "0.1": 5, "5": 5, "10": 5},
}
"""The severity of each factor by which drugs, records and news were multiplied."""

WORDS = {"slight": 1, "1": 1, "significant": 3, "2": 3, "comical": 5, "3": 5}
"""The severity of each degree of names and locations, which may be numbered."""

WORDED = ("names", "locations")


class ClashEval(MemoryDataset):
    """Samples, and where they come from.

    Attributes:
        provenance: For the log: the source with its commit or checksum; `questions`,
            how many there are by domain; `missing`, how many the hub lacks of those
            published;
            `left_out`, how many rows and questions, by domain and reason;
            `severities`, how many of each were chosen.
    """

    def __init__(self, samples: list[Sample], provenance: dict[str, Any]) -> None:
        super().__init__(samples, name="clasheval")
        self.provenance = provenance


def clasheval(
    source: str = "huggingface",
    domains: str | Sequence[str] = "all",
    severities: str | int | Sequence[str | int] = "all",
    shots: int = 4,
    seed: int = 0,
    revision: str | None = None,
) -> ClashEval:
    """Load SR-DCR's testbed in an order that is balanced wherever `--limit` cuts it.

    At most 300 questions, taken in rounds of one per domain; each round adds to the
    severities that lag behind. The two samples of a question are next to each other.

    Args:
        source: `huggingface`, `sample` (20 questions written for this package), or the
            path of a `.csv`, `.parquet` or `.jsonl` file with the published columns.
        domains: `all`, or some of `drugs`, `records`, `news`, `years`, `names` and
            `locations`.
        severities: `all`, or some of 1 (subtle) to 5 (blatant).
        shots: The number of solved questions of its domain shown with each question.
        seed: Decides questions, perturbations, examples and order.
        revision: Pins a branch, tag or commit of the hub; by default the newest.

    Returns:
        Two samples per question, whose input is the question and whose target is the
        right answer. Their metadata: `question_id`, `domain`, `condition` (`standard`
        or `perturbed`), `severity` (0 if standard), `degree` as published, `offset` in
        years, `question`, `passage`, `passage_answer` and `exemplars`.

    Raises:
        InputError: If an argument is not allowed, or the source is not available or
            does not have the published form.
    """
    names = _listed("domains", domains, SIZES)
    levels = [int(n) for n in _listed("severities", severities, map(str, OFFSETS))]
    records, provenance = _read(source, revision)
    where = provenance.get("file", HUB)
    left_out = Counter[str]()
    rows = [row for row in _rows(records, where) if row.domain in names]
    questions = _questions(rows, where, seed, left_out)
    chosen = _chosen(questions, levels, seed)
    if not chosen:
        raise InputError(
            f"source={source!r} has no question of the domains {', '.join(names)} with "
            f"a passage of severity {', '.join(map(str, levels))}; choose others."
        )
    found = Counter(question.domain for question in questions if question.passage)
    short = {name: SIZES[name] - found[name] for name in names}
    provenance |= {
        "questions": {name: found[name] for name in names},
        "missing": {n: k for n, k in short.items() if k and source == "huggingface"},
        "left_out": dict(sorted((+left_out).items())),
        "severities": dict(sorted(Counter(level for _, level in chosen).items())),
    }
    if provenance["missing"]:
        logger.warning(
            f"{HUB} does not have as many questions with passages as were published; "
            f"missing: {provenance['missing']}; left out: {provenance['left_out']}."
        )
    samples = [
        sample
        for question, level in chosen
        for sample in _pair(question, level, questions, shots, seed)
    ]
    return ClashEval(samples, provenance)


def _listed(name: str, given: Any, values: Iterable[str]) -> list[str]:
    """A parameter that takes one value or several, in the order of those allowed."""
    allowed = list(values)
    typed = str(given).split(",") if isinstance(given, str | int) else given
    listed = [str(one).strip() for one in typed]
    if listed == ["all"]:
        return allowed
    for one in listed or [""]:
        check_known(name, one, [*allowed, "all"])
    return [one for one in allowed if one in listed]


# --- Sources --------------------------------------------------------------------------


def _read(source: str, revision: str | None) -> tuple[list[Any], dict[str, Any]]:
    if source == "huggingface":
        commit, records = _on_hub(revision)
        return records, {"source": source, "dataset": HUB, "revision": commit}
    if revision is not None:
        raise InputError(
            f"revision={revision!r} belongs to source=huggingface, and the source is "
            f"{source!r}; leave one of the two out."
        )
    if source == "sample":
        entries = yaml.safe_load(SAMPLE.read_text(encoding="utf-8"))
        records = [record for entry in entries for record in _sample_records(entry)]
        return records, {"source": source, "file": SAMPLE.name}
    kinds = "a .csv, .parquet or .jsonl file with the published columns"
    path = user_path(source, ("huggingface", "sample"), kinds)
    if path.suffix not in (".csv", ".parquet", ".jsonl") or not path.is_file():
        raise InputError(f"source={source!r} is of another kind; give {kinds}.")
    content = read_file(path)
    sha256 = hashlib.sha256(content).hexdigest()
    found = {"source": "path", "file": path.name, "sha256": sha256}
    if path.suffix == ".jsonl":
        records = [value for _, value in json_lines(content, path.name)]
        if not all(isinstance(record, dict) for record in records):
            raise InputError(f"{path.name} has lines that are no objects; check it.")
        return records, found
    return _table(path), found


def _table(path: Path) -> list[Any]:
    import pandas as pd  # slow to import

    try:
        if path.suffix == ".parquet":
            table = pd.read_parquet(path)
        else:
            # As text, so that "0.10", "1:30" and the surname Null stay what they are.
            table = pd.read_csv(path, dtype=str, keep_default_na=False)
    except (OSError, ValueError) as error:
        reason = str(error).partition("\n")[0].rstrip(".")
        raise InputError(f"{path.name} cannot be read ({reason}); check it.") from None
    present = table.astype(object).where(table.notna(), None)
    return [{str(k): v for k, v in row.items()} for row in present.to_dict("records")]


def _on_hub(revision: str | None) -> tuple[str, list[Any]]:
    # Slow to import. By name, because at the root of a checkout a type checker takes
    # `import datasets` for this folder.
    hub = importlib.import_module("huggingface_hub")
    datasets = importlib.import_module("datasets")
    try:
        commit = str(hub.HfApi().dataset_info(HUB, revision=revision).sha)
        parts = datasets.load_dataset(HUB, revision=commit)
        return commit, [row for part in parts.values() for row in part]
    except Exception as error:  # of many libraries, with no common base class
        reason = str(error).partition("\n")[0].rstrip(".") or type(error).__name__
        raise InputError(
            f"source='huggingface': {HUB} could not be loaded ({reason}); try again, "
            "or get its file another way and pass its path as source=PATH."
        ) from error


def _sample_records(entry: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """A question of the sample as rows of the published form, one per perturbation."""
    answer, passage = entry["answer"], entry.get("passage", "")
    for degree, other in {"0": answer, **entry.get("perturbed", {})}.items():
        yield {
            "question": entry["question"],
            "context_original": passage,
            "context_mod": passage.replace(answer, other),
            "answer_original": answer,
            "answer_mod": other,
            "mod_degree": degree,
            "dataset": entry["domain"],
        }


# --- Rows and questions ---------------------------------------------------------------

COLUMNS = (
    *("question", "context_original", "context_mod"),
    *("answer_original", "answer_mod", "dataset"),
)
# The first in the data, the second in the authors' files of responses.
DEGREE_COLUMNS = ("mod_degree", "mod_type")


class Row(NamedTuple):
    """A question with its passage, and one perturbation of both passage and answer."""

    domain: str
    question: str
    answer: str
    passage: str
    perturbed_answer: str
    perturbed_passage: str
    degree: str


class Perturbed(NamedTuple):
    """A passage that gives another answer than the right one."""

    passage: str
    answer: str
    degree: str
    offset: int | None = None


@dataclass(frozen=True)
class Question:
    """A question with its right passage and the perturbed ones by severity.

    Without a passage it can still be shown as a solved example.
    """

    id: str
    domain: str
    text: str
    answer: str
    passage: str = ""
    perturbed: Mapping[int, Sequence[Perturbed]] = field(default_factory=dict)


def _rows(records: Iterable[Mapping[str, Any]], where: str) -> list[Row]:
    rows = []
    for record in records:
        missing = [column for column in COLUMNS if column not in record]
        degree = next((name for name in DEGREE_COLUMNS if name in record), None)
        if missing or degree is None:
            listed = ", ".join(missing or [" or ".join(DEGREE_COLUMNS)])
            raise InputError(
                f"{where} does not have ClashEval's columns: {listed} is missing; "
                f"it has {', '.join(map(str, record)) or 'none'}."
            )
        text = {column: _text(record[column]) for column in COLUMNS}
        domain = text["dataset"].strip().lower()
        if domain not in SIZES:
            raise InputError(
                f"{where}: {text['dataset']!r} in the column dataset is no domain of "
                f"ClashEval; allowed: {', '.join(SIZES)}."
            )
        rows.append(
            Row(
                domain=domain,
                question=text["question"].strip(),
                answer=text["answer_original"].strip(),
                passage=text["context_original"].strip(),
                perturbed_answer=text["answer_mod"].strip(),
                perturbed_passage=text["context_mod"].strip(),
                degree=_degree(_text(record[degree])),
            )
        )
    if not rows:
        raise InputError(f"{where} has no rows; check the file.")
    return rows


def _text(value: object) -> str:
    if isinstance(value, float):  # also what is missing in a column of numbers
        return "" if math.isnan(value) else f"{value:.15g}"
    return "" if value is None else str(value)


def _degree(text: str) -> str:
    """A degree in one spelling: "2" for "2.0", "slight" for "Slight"."""
    try:
        return f"{float(text):g}"
    except ValueError:
        return text.strip().lower()


def question_id(domain: str, question: str) -> str:
    """A stable id: the domain, and a hash of the words in any case and spacing."""
    words = " ".join(question.casefold().split())
    return f"{domain}-{hashlib.sha256(words.encode()).hexdigest()[:8]}"


def _questions(
    rows: Sequence[Row], where: str, seed: int, left_out: Counter[str]
) -> list[Question]:
    """The questions of rows in any order, by id."""
    groups: defaultdict[str, list[Row]] = defaultdict(list)
    times = Counter(rows)
    for row in sorted(times):
        left_out[f"{row.domain}: duplicate row"] += times[row] - 1
        if row.question and row.answer:
            groups[question_id(row.domain, row.question)].append(row)
        else:
            left_out[f"{row.domain}: row without question or answer"] += 1
    found = [_question(id, groups[id], seed, left_out) for id in sorted(groups)]
    modified = Counter(row.domain for row in times if row.degree != "0")
    for name, count in modified.items():
        if 2 * left_out[f"{name}: row of unknown degree"] > count:
            raise InputError(
                f"{where}: most degrees of the domain {name} are not known; "
                f"allowed: {', '.join(WORDS if name in WORDED else FACTORS)}."
            )
    return [question for question in found if question is not None]


def _question(
    id: str, rows: Sequence[Row], seed: int, left_out: Counter[str]
) -> Question | None:
    domain, text, answer = rows[0][:3]
    if not all(same_answer(row.answer, answer) for row in rows):
        left_out[f"{domain}: question with contradictory right answers"] += 1
        return None
    shown = [row for row in rows if row.passage and row.perturbed_passage]
    left_out[f"{domain}: row without passage"] += len(rows) - len(shown)
    if not shown:
        return Question(id, domain, text, answer)
    # Where only spelling or passage differ, the version of most rows is kept.
    version = Counter(row[1:4] for row in shown).most_common(1)[0][0]
    kept = [row for row in shown if row[1:4] == version]
    left_out[f"{domain}: row of another version"] += len(shown) - len(kept)
    if domain == "years":  # the published offsets are others than SR-DCR's
        perturbed = _shifted(id, kept[0], seed)
    else:
        perturbed = _by_severity(kept, left_out)
    if not perturbed:
        left_out[f"{domain}: question without perturbed passage"] += 1
    return Question(id, domain, *version, perturbed)


def _shifted(id: str, row: Row, seed: int) -> dict[int, list[Perturbed]]:
    """The right passage with its year shifted, by each offset that is possible."""
    made = {}
    for level, years in OFFSETS.items():
        sign = seeded(seed, "sign", id, level).choice((1, -1))
        made[level] = perturbed_year(row.passage, row.answer, sign * years)
    return {level: [one] for level, one in made.items() if one is not None}


def _by_severity(
    rows: Iterable[Row], left_out: Counter[str]
) -> dict[int, list[Perturbed]]:
    perturbed: defaultdict[int, list[Perturbed]] = defaultdict(list)
    seen = {"0"}
    for row in rows:
        level = (WORDS if row.domain in WORDED else FACTORS).get(row.degree)
        if row.degree == "0":
            continue
        if level is None:
            left_out[f"{row.domain}: row of unknown degree"] += 1
        elif (
            not row.perturbed_answer
            or row.perturbed_passage == row.passage
            or right_answer(row.perturbed_answer, row.answer)
        ):
            left_out[f"{row.domain}: row perturbed in name only"] += 1
        elif row.degree in seen:
            left_out[f"{row.domain}: row of a repeated degree"] += 1
        else:
            seen.add(row.degree)
            perturbed[level].append(
                Perturbed(row.perturbed_passage, row.perturbed_answer, row.degree)
            )
    return dict(perturbed)


# --- Years ----------------------------------------------------------------------------

# The end of a range may be short: 1914-18, 2006–07. Before another hyphen and digits it
# is the month of a date, 2006-07-15.
_SHORT_END = r"(?:(?P<dash>[-–/])(?P<end>\d\d)(?![-–/.]?\d))?"
# A year is no part of a longer run of digits or of a decimal number; the dots of dates,
# 1.12.2006 and 2006.12.01, are no decimal points.
_MENTION = (
    r"{year}(?<!\d{year})"
    r"(?:(?<!\d\.{year})|(?<=\d\.\d\.{year})|(?<=\d\.\d\d\.{year}))"
    r"(?!\d)(?!\.\d+(?!\.?\d))" + _SHORT_END
)
_YEAR = re.compile(r"(?<!\d)[1-9]\d{2,3}(?!\d)", re.ASCII)


def perturbed_year(passage: str, answer: str, offset: int) -> Perturbed | None:
    """Shift the year of an answer, in its passage and in the answer.

    Args:
        passage: The passage.
        answer: A year, or words with a single year of three or four digits.
        offset: In years. The other sign is taken where the result leaves 1 to 2999.

    Returns:
        The perturbed passage, with the signed offset; None if the answer has no year,
        the passage does not mention it, or both signs lead out of range.
    """
    years = {int(found) for found in _YEAR.findall(answer)}
    if re.fullmatch("[1-9][0-9]{0,3}", answer):
        years = {int(answer)}
    if len(years) != 1:
        return None
    year = years.pop()
    for signed in (offset, -offset):
        if 1 <= year + signed <= 2999:
            shifted = shift_year(passage, year, signed)
            says = shift_year(answer, year, signed)
            if shifted == passage or says == answer:
                return None
            return Perturbed(shifted, says, f"{signed:+d}", signed)
    return None


def shift_year(text: str, year: int, offset: int) -> str:
    """Shift every mention of a year in a text.

    Letters may follow it, as in "1990s". Longer runs of digits ("12006") and decimal
    numbers ("2006.5") stay as they are. A range with a short end moves as a whole
    ("2006-07" by -40 is "1966-67"); an end that is no later year is a month and stays
    ("2006-03"); a full end ("2006-2007") is another year.
    """

    def shifted(mention: re.Match[str]) -> str:
        moved, dash, end = str(year + offset), mention["dash"], mention["end"]
        if end is None:
            return moved
        length = (int(end) - year) % 100
        if not 0 < length < 50:
            return f"{moved}{dash}{end}"
        return f"{moved}{dash}{(year + offset + length) % 100:02d}"

    return re.sub(_MENTION.format(year=year), shifted, text)


# --- Testbed --------------------------------------------------------------------------


def _chosen(
    questions: Iterable[Question], levels: Collection[int], seed: int
) -> list[tuple[Question, int]]:
    """Questions with the severity at which each is asked, in their order.

    A round takes one question of each domain. Those with few severities come first in
    it, so that the others can make up for what lacks.
    """
    usable = [question for question in questions if _offered([question], levels)]
    usable.sort(key=lambda question: seeded(seed, "order", question.id).random())
    queues: defaultdict[str, list[Question]] = defaultdict(list)
    for question in usable:
        queues[question.domain].append(question)
    overall, within = Counter[int](), Counter[tuple[str, int]]()
    chosen: list[tuple[Question, int]] = []
    while any(queues.values()) and len(chosen) < QUESTIONS:
        names = sorted(name for name in queues if queues[name])
        seeded(seed, "round", len(chosen)).shuffle(names)
        names.sort(key=lambda name: len(_offered(queues[name], levels)))
        for name in names[: QUESTIONS - len(chosen)]:
            offered = sorted(_offered(queues[name], levels))
            seeded(seed, "severity", len(chosen)).shuffle(offered)
            level = min(offered, key=lambda n: (overall[n], within[name, n]))
            question = next(q for q in queues[name] if level in q.perturbed)
            queues[name].remove(question)
            overall[level] += 1
            within[name, level] += 1
            chosen.append((question, level))
    return chosen


def _offered(questions: Iterable[Question], levels: Collection[int]) -> set[int]:
    return {n for question in questions for n in question.perturbed if n in levels}


def _pair(
    question: Question, level: int, questions: Iterable[Question], shots: int, seed: int
) -> list[Sample]:
    """The two samples of a question, in seeded order, with the same examples."""
    domain = [one for one in questions if one.domain == question.domain]
    others = [one for one in domain if one.id != question.id]
    if not 0 <= shots <= len(others):
        raise InputError(
            f"shots={shots} is not possible: the domain {question.domain} has "
            f"{len(others)} other questions; choose 0 to {len(others)}."
        )
    drawn = seeded(seed, "exemplars", question.id).sample(others, shots)
    exemplars = [{"question": one.text, "answer": one.answer} for one in drawn]
    perturbed = seeded(seed, "degree", question.id).choice(question.perturbed[level])
    standard = Perturbed(question.passage, question.answer, "0")
    samples = [
        Sample(
            id=f"{question.id}-{f'severity{severity}' if severity else 'standard'}",
            input=question.text,
            target=question.answer,
            metadata={
                "question_id": question.id,
                "domain": question.domain,
                "condition": "perturbed" if severity else "standard",
                "severity": severity,
                "degree": shown.degree,
                "offset": shown.offset,
                "question": question.text,
                "passage": shown.passage,
                "passage_answer": shown.answer,
                "exemplars": exemplars,
            },
        )
        for shown, severity in ((standard, 0), (perturbed, level))
    ]
    seeded(seed, "halves", question.id).shuffle(samples)
    return samples
