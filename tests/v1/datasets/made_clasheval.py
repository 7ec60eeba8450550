"""Made-up rows of ClashEval's published schema, and files of them."""

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path

import pandas as pd

Record = dict[str, str]

DOMAINS = ("drugs", "records", "news", "years", "names", "locations")
FACTORS = ("0.1", "0.2", "0.4", "0.8", "1.2", "1.5", "2.0", "3.0", "5.0", "10.0")
YEARS = (-100, -77, -55, -33, -11, 11, 33, 55, 77, 100)
WORDS = ("slight", "significant", "comical")
PUBLISHED = {
    **{"drugs": 249, "records": 191, "news": 238},
    **{"years": 200, "names": 200, "locations": 200},
}


def answers(domain: str, number: int) -> dict[str, str]:
    """The answer at every degree; that at `0` is right."""
    if domain == "years":
        year = 1700 + number
        return {"0": str(year)} | {str(shift): str(year + shift) for shift in YEARS}
    if domain in ("names", "locations"):
        right = f"{domain[:-1].capitalize()}us Number{number}"
        return {"0": right} | {word: f"{right} the {word}" for word in WORDS}
    unit = {"drugs": " mg", "records": "", "news": " people"}[domain]
    value = Decimal(1000 + 10 * number)
    return {"0": f"{value}{unit}"} | {
        factor: f"{value * Decimal(factor):.0f}{unit}" for factor in FACTORS
    }


def records(
    domain: str, number: int, degree_column: str = "mod_degree"
) -> list[Record]:
    """The rows of one question, the unmodified one first."""
    given = answers(domain, number)

    def passage(answer: str) -> str:
        return f"Passage {number} of {domain}.\nIt says {answer}, and 12 things more."

    return [
        {
            "question": f"What is number {number} of {domain}?",
            "context_original": passage(given["0"]),
            "context_mod": passage(modified),
            "answer_original": given["0"],
            "answer_mod": modified,
            degree_column: degree,
            "dataset": domain,
        }
        for degree, modified in given.items()
    ]


def made_records(questions: Mapping[str, int] | int) -> Iterator[Record]:
    """The rows of so many questions per domain."""
    if isinstance(questions, int):
        questions = dict.fromkeys(DOMAINS, questions)
    for domain, count in questions.items():
        for number in range(count):
            yield from records(domain, number)


def made_rows(questions_per_domain: Mapping[str, int] | int) -> pd.DataFrame:
    """A table of the published schema, all values text."""
    return pd.DataFrame(list(made_records(questions_per_domain)))


def saved(table: pd.DataFrame, path: Path) -> str:
    """A file of a table, of the kind that its ending says; returns its path."""
    if path.suffix == ".parquet":
        table.to_parquet(path)
    elif path.suffix == ".csv":
        table.to_csv(path, index=False)
    else:
        rows = table.to_dict("records")
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return str(path)
