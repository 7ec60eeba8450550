"""Small data sets of questions, of three shapes, and the files that hold them."""

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from inspect_ai.dataset import Sample

from inspect_debate.v1.datasets.sources import Loaded

Row = dict[str, Any]
Rows = Sequence[Mapping[str, Any]]

COLOURS = ("red", "green", "blue", "white", "black")


def lettered(count: int = 12) -> list[Row]:
    """Options in columns of their own, the answer a letter: `C` for colour 2, blue."""
    return [
        {
            "nr": f"n{number}",
            "asked": f"Which colour has house {number}?",
            **dict(zip("abcd", COLOURS[number % 2 :], strict=False)),
            "key": "ABCD"[number % 4],
        }
        for number in range(count)
    ]


LETTERED = {
    "question": "asked",
    "options": ["a", "b", "c", "d"],
    "answer": "key",
    "id": "nr",
}


def about_passages(count: int = 12) -> list[Row]:
    """A list of options, the answer one of their texts, three questions a passage."""
    return [
        {
            "question": f"How many sheep has farm {number}?",
            "choices": [str(number + more) for more in (5, 6, 7)],
            "answer": str(number + 5 + number % 3),
            "article": f"Farm {number // 3} and its neighbours keep sheep.",
        }
        for number in range(count)
    ]


def in_words(count: int = 12) -> list[Row]:
    """No options; several answers are accepted."""
    return [
        {
            "q": f"Who lives in room {number}?",
            "names": [f"Person {number}", f"P. {number}"],
            "notes": {"floor": number // 4},
        }
        for number in range(count)
    ]


IN_WORDS = {"question": "q", "answer": "names", "group": "notes.floor"}


def saved(rows: Rows, path: Path) -> str:
    """A file of rows, of the kind that its ending says; returns its path."""
    if path.suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    elif path.suffix == ".parquet":
        pd.DataFrame([dict(row) for row in rows]).to_parquet(path)
    elif path.suffix == ".json":
        path.write_text(json.dumps(list(rows)), "utf-8")
    else:
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return str(path)


def by_id(loaded: Loaded) -> dict[str, Sample]:
    return {str(sample.id): sample for sample in loaded.dataset}


def right(sample: Sample) -> str:
    """The text of the option that the target names."""
    assert sample.choices is not None
    return sample.choices["ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(str(sample.target))]


def dump(loaded: Loaded) -> list[dict[str, Any]]:
    return [sample.model_dump() for sample in loaded.dataset]
