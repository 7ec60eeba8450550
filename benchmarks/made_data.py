"""Made-up data of any size, about as long as the studies' own."""

import json
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

from tests.datasets.made_arc import written
from tests.datasets.made_clasheval import DOMAINS, made_records

_SUBSETS = (
    "math_word_problem_generation",
    "finegrained_fact_verification",
    "answerability_classification",
)


def responses(count: int, folder: Path) -> Path:
    """Responses to check: about 300 words of task, 120 of response."""
    return _jsonl(
        folder / "responses.jsonl",
        (
            {
                "input": f"Task {n}. "
                + "Check the stated requirement with care. " * 50,
                "llm_response": f"Response {n}. " + "The stated total is 42 km. " * 24,
                "error_label": "error" if n % 3 else "no_error",
                "human_explanation": "",
                "error_categories": ["Reasoning Correctness"] if n % 3 else [],
                "metadata": {
                    "id": f"made_{n}",
                    "task_name": _SUBSETS[n % len(_SUBSETS)],
                    "task_source": "made",
                    "llm_response_model": "gpt-4-0613",
                    "difficulty": "made",
                },
            }
            for n in range(count)
        ),
    )


def questions(count: int, folder: Path, words: int = 400) -> Path:
    """Questions with four options, three about each passage of about so many words."""
    return _jsonl(
        folder / "questions.jsonl",
        (
            {
                "id": f"made-{n}",
                "group": f"passage-{n // 3}",
                "passage": f"Passage {n // 3}. "
                + "The boat leaves the harbour at noon and comes back at dusk. "
                * (words // 12),
                "question": f"When does boat {n} leave?",
                "options": [f"{hour}:{n % 60:02}" for hour in (9, 10, 11, 12)],
                "answer": "ABCD"[n % 4],
            }
            for n in range(count)
        ),
    )


def motions(count: int, folder: Path) -> Path:
    """Motions to debate."""
    path = folder / "motions.txt"
    text = "".join(f"This house would ban number {n}\n" for n in range(count))
    path.write_text(text, encoding="utf-8")
    return path


def passages(questions: int, folder: Path) -> Path:
    """Questions about passages of 200 words, right and perturbed."""
    filler = " The rest of the passage is about other matters." * 20
    # Five more than are asked, as four of the others are shown as solved.
    rows = made_records(questions // len(DOMAINS) + 5)
    contexts = ("context_original", "context_mod")
    return _jsonl(
        folder / "clasheval.jsonl",
        (row | {name: row[name] + filler for name in contexts} for row in rows),
    )


def grids(count: int, folder: Path) -> Path:
    """Tasks about as long as ARC-AGI-1's: three examples, grids of ten by ten."""
    tasks = {f"{number:08x}.json": _grids_to_find(number) for number in range(count)}
    return written(tasks, folder / "tasks")


def _grids_to_find(number: int) -> dict[str, Any]:
    rng = Random(number)

    def pair() -> dict[str, Any]:
        grid = [[rng.randrange(10) for _ in range(10)] for _ in range(10)]
        return {"input": grid, "output": grid[::-1]}

    return {"train": [pair() for _ in range(3)], "test": [pair()]}


def _jsonl(path: Path, rows: Iterable[object]) -> Path:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    return path
