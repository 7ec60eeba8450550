"""ClashEval: questions with a passage that is right, or that was perturbed.

Six domains (Wu et al. 2024, "ClashEval: Quantifying the tug-of-war between an LLM's
internal prior and external evidence", CC BY 4.0), of which SR-DCR takes a testbed: 300
questions, each once with the right and once with a perturbed passage. The offsets that
SR-DCR names, 20 to 200 years, are not ClashEval's own. That they are years, made by
shifting the passages of its domain `years`, is our inference; the other domains have
the perturbations that were published, in five equal strata of severity.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from logging import getLogger
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml
from inspect_ai.dataset import Sample

from inspect_debate.datasets.common import Sourced
from inspect_debate.datasets.download import (
    KINDS,
    fetch_from_hub,
    read_file,
    read_rows,
    sha256_of,
    user_path,
)
from inspect_debate.datasets.matching import canonical, right_answer
from inspect_debate.debate.errors import InputError, check_known
from inspect_debate.debate.seeds import seeded

if TYPE_CHECKING:
    import pandas as pd  # slow to import

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


def clasheval(
    source: str = "huggingface",
    domains: str | Sequence[str] = "all",
    shots: int = 4,
    seed: int = 0,
    revision: str | None = None,
) -> Sourced:
    """Load SR-DCR's testbed in an order that is balanced wherever `--limit` cuts it.

    At most 300 questions, taken in rounds of one per domain; each round adds to the
    severities that lag behind. The two samples of a question are next to each other.

    Args:
        source: `huggingface`, `sample` (20 questions written for this package), or the
            path of a table with the published columns.
        domains: `all`, or some of `drugs`, `records`, `news`, `years`, `names` and
            `locations`.
        shots: The number of solved questions of its domain shown with each question.
        seed: Decides questions, perturbations, examples and order.
        revision: Pins a branch, tag or commit of the hub; by default the newest.

    Returns:
        Two samples per question, whose input is the question and whose target is the
        right answer. Their metadata: `question_id`, `domain`, `condition` (`standard`
        or `perturbed`), `severity` (0 if standard), `degree` as published, `offset` in
        years, `question`, `passage`, `passage_answer` and `exemplars`. The provenance
        has the source with its commit or checksum, `questions` by domain, what was
        `left_out` by domain and reason, and how many of the `severities` were chosen.
    """
    names = [domains] if isinstance(domains, str) else domains
    for name in names:
        check_known("domains", name, (*SIZES, "all"))
    if "all" in names:
        names = [*SIZES]
    table, provenance = _read(source, revision)
    left_out = Counter[str]()
    rows = _rows(table, provenance.get("file", HUB))
    questions = _questions(rows[rows["domain"].isin(names)], seed, left_out)
    chosen = _chosen(questions, seed)
    if not chosen:
        raise InputError(
            f"source={source!r} has no question of the domains {', '.join(names)} with "
            "a perturbed passage; choose others."
        )
    found = Counter(question.domain for question in questions if question.passage)
    provenance |= {
        "questions": dict(found),
        "left_out": dict(sorted(left_out.items())),
        "severities": dict(sorted(Counter(level for _, level in chosen).items())),
    }
    published = {name: SIZES[name] for name in names}
    if source == "huggingface" and found != published:
        logger.warning(
            f"{HUB} has {dict(found)} questions with passages, and should have "
            f"{published}; left out: {provenance['left_out']}."
        )
    samples = [
        sample
        for question, level in chosen
        for sample in _pair(question, level, questions, shots, seed)
    ]
    return Sourced(samples, provenance, "clasheval")


# --- Sources --------------------------------------------------------------------------


def _read(source: str, revision: str | None) -> tuple["pd.DataFrame", dict[str, Any]]:
    """Return a table, and its origin."""
    import pandas as pd

    if source == "huggingface":
        commit, parts = fetch_from_hub(HUB, revision)
        table = pd.DataFrame([row for part in parts.values() for row in part])
        return table, {"source": source, "dataset": HUB, "revision": commit}
    if revision is not None:
        raise InputError(
            f"revision={revision!r} belongs to source=huggingface, and the source is "
            f"{source!r}; leave one of the two out."
        )
    if source == "sample":
        entries = yaml.safe_load(SAMPLE.read_text(encoding="utf-8"))
        records = [record for entry in entries for record in _sample_records(entry)]
        return pd.DataFrame(records), {"source": source, "file": SAMPLE.name}
    path = user_path(source, ("huggingface", "sample"), KINDS)
    found = {"source": "path", "file": path.name, "sha256": sha256_of(read_file(path))}
    return pd.DataFrame(read_rows(path)), found


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

COLUMNS = {
    "dataset": "domain",
    "question": "question",
    "answer_original": "answer",
    "context_original": "passage",
    "answer_mod": "perturbed_answer",
    "context_mod": "perturbed_passage",
    "mod_degree": "degree",
}
"""The published columns, and what they are called here."""


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
    passage: str
    perturbed: Mapping[int, Sequence[Perturbed]]


def _rows(table: "pd.DataFrame", where: str) -> "pd.DataFrame":
    """A table as text, with our names and in an order that is not that of the file."""
    if "mod_degree" not in table:  # as in the authors' files of responses
        table = table.rename(columns={"mod_type": "mod_degree"})
    if missing := [column for column in COLUMNS if column not in table]:
        raise InputError(
            f"{where} does not have ClashEval's columns: {', '.join(missing)} is "
            f"missing; it has {', '.join(map(str, table)) or 'none'}."
        )
    rows = table[[*COLUMNS]].map(_text).rename(columns=COLUMNS)
    rows["domain"] = rows["domain"].str.lower()
    rows["degree"] = rows["degree"].map(_degree)
    for name in rows["domain"].unique():
        check_known(f"{where}: dataset", name, SIZES)
    return rows.sort_values([*rows])


def _text(value: object) -> str:
    if isinstance(value, float):  # also what is missing
        return "" if math.isnan(value) else f"{value:.15g}"
    return "" if value is None else str(value).strip()


def _degree(text: str) -> str:
    """A degree in one spelling: "2" for "2.0", "slight" for "Slight"."""
    try:
        return f"{float(text):g}"
    except ValueError:
        return text.lower()


def question_id(domain: str, question: str) -> str:
    """A stable id: the domain, and a hash of the words in any case and spacing."""
    words = " ".join(question.casefold().split())
    return f"{domain}-{sha256_of(words.encode())[:8]}"


def _questions(
    rows: "pd.DataFrame", seed: int, left_out: Counter[str]
) -> list[Question]:
    """The questions of rows, by id."""
    import pandas as pd

    rows = _kept(rows, ~rows.duplicated(), "duplicate row", left_out)
    whole = (rows["question"] != "") & (rows["answer"] != "")
    rows = _kept(rows, whole, "row without question or answer", left_out)
    rows = rows.assign(
        id=[*map(question_id, rows["domain"], rows["question"])],
        form=rows["answer"].map(canonical),
    )
    agreed = rows.groupby("id")["form"].transform("nunique") == 1
    rows = _kept(rows, agreed, "row with a contradictory right answer", left_out)
    with_passage = (rows["passage"] != "") & (rows["perturbed_passage"] != "")
    shown = _kept(rows, with_passage, "row without passage", left_out)
    perturbed = _by_severity(shown, left_out)
    questions = []
    unshown = rows.assign(passage="")
    for row in pd.concat([shown, unshown]).drop_duplicates("id").itertuples():
        found: Any = row
        levels = perturbed[found.id]
        if found.domain == "years":  # the published offsets are others than SR-DCR's
            levels = _shifted(found.id, found.passage, found.answer, seed)
        if found.passage and not levels:
            left_out[f"{found.domain}: question without perturbed passage"] += 1
        texts = found.domain, found.question, found.answer, found.passage
        questions.append(Question(found.id, *texts, levels))
    return sorted(questions, key=lambda question: question.id)


def _kept(
    rows: "pd.DataFrame", those: "pd.Series[bool]", why: str, left_out: Counter[str]
) -> "pd.DataFrame":
    """Those rows; the others are counted, with the reason."""
    left_out.update(f"{domain}: {why}" for domain in rows.loc[~those, "domain"])
    return rows[those]


def _shifted(
    id: str, passage: str, answer: str, seed: int
) -> dict[int, list[Perturbed]]:
    """The right passage with its year shifted, by each offset that is possible."""
    made = {}
    for level, years in OFFSETS.items():
        sign = seeded(seed, "sign", id, level).choice((1, -1))
        made[level] = perturbed_year(passage, answer, sign * years)
    return {level: [one] for level, one in made.items() if one is not None}


def _by_severity(
    rows: "pd.DataFrame", left_out: Counter[str]
) -> defaultdict[str, dict[int, list[Perturbed]]]:
    """The published perturbations by question and severity."""
    rows = rows[(rows["degree"] != "0") & (rows["domain"] != "years")]
    rows = rows.assign(
        severity=[*map(_severity, rows["domain"], rows["degree"])],
        right=[*map(right_answer, rows["perturbed_answer"], rows["answer"])],
    )
    known = rows["severity"] > 0
    for name, share in known.groupby(rows["domain"]).mean().items():
        if share < 0.5:
            raise InputError(
                f"Most degrees of the domain {name} are not known; allowed: "
                f"{', '.join(WORDS if name in WORDED else FACTORS)}."
            )
    rows = _kept(rows, known, "row of unknown degree", left_out)
    changed = rows["perturbed_passage"] != rows["passage"]
    real = changed & (rows["perturbed_answer"] != "") & ~rows["right"].astype(bool)
    rows = _kept(rows, real, "row perturbed in name only", left_out)
    found: defaultdict[str, dict[int, list[Perturbed]]] = defaultdict(dict)
    columns = ["id", "severity", "perturbed_passage", "perturbed_answer", "degree"]
    for id, severity, *texts in rows[columns].itertuples(index=False):
        found[id].setdefault(severity, []).append(Perturbed(*texts))
    return found


def _severity(domain: str, degree: str) -> int:
    return (WORDS if domain in WORDED else FACTORS).get(degree, 0)


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


def _chosen(questions: Iterable[Question], seed: int) -> list[tuple[Question, int]]:
    """Questions with the severity at which each is asked, in their order.

    A round takes one question of each domain, at the severity that lags behind. Those
    with few severities come first in it, so that the others can make up for them.
    """
    queues = defaultdict[str, list[Question]](list)
    for question in questions:
        if question.perturbed:
            queues[question.domain].append(question)
    for queue in queues.values():
        queue.sort(key=lambda question: seeded(seed, "order", question.id).random())
    names = sorted(queues, key=lambda name: len(queues[name][0].perturbed))
    rounds = zip_longest(*(queues[name] for name in names))
    overall, within = Counter[int](), Counter[tuple[str, int]]()
    chosen: list[tuple[Question, int]] = []
    for question in filter(None, chain.from_iterable(rounds)):
        levels = sorted(question.perturbed)
        seeded(seed, "severity", question.id).shuffle(levels)
        domain = question.domain
        level = min(levels, key=lambda n: (overall[n], within[domain, n]))
        overall[level] += 1
        within[domain, level] += 1
        chosen.append((question, level))
    return chosen[:QUESTIONS]


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
