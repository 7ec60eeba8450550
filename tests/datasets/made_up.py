"""The shipped sample's records, and a made-up benchmark of the published form."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from inspect_ai.dataset import Sample

from inspect_debate.datasets.sources import SolutionTruth, solution_truth
from tests.datasets.zipcrypto import encrypted_zip

Record = dict[str, Any]

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "datasets/data/realmistake_sample.jsonl"
ITEMS: list[Record] = [
    json.loads(line) for line in SAMPLE.read_text("utf-8").splitlines()
]
FOLDERS = {
    "math": "math_word_problem_generation",
    "fact": "finegrained_fact_verification",
    "answerability": "answerability_classification",
}
FILES = {"gpt4": "gpt-4-0613", "llama2": "Llama-2-70b-chat-hf"}
ERRORS = {
    "gpt4": {"math": 87, "fact": 88, "answerability": 87},
    "llama2": {"math": 128, "fact": 129, "answerability": 130},
}
ITEMS_PER_CELL = {"gpt4": 140, "llama2": 160}
TABLE = "math_word_problem_generation/gpt-4-0613.jsonl"


def made_up(subset: str, author: str, number: int) -> Record:
    """A record of the published form; both authors answer the same inputs."""
    task = FOLDERS[subset]
    if subset == "math":
        task = "math_problem_generation"
    model = FILES[author] if author == "gpt4" else f"meta-llama/{FILES[author]}"
    wrong = number < ERRORS[author][subset]
    return {
        "input": f"Task {number} of {subset}.",
        "llm_response": f" Answer {number} by {author} to {subset}.",
        "error_label": "error" if wrong else "no_error",
        "human_explanation": "Made up." if wrong else "",
        "error_categories": ["Instruction-Following"] if wrong else [],
        "metadata": {
            "id": f"{task}_{number}_{model}",
            "task_name": task,
            "task_source": "made up",
            "llm_response_model": model,
            "dataset": "realmistake",
            "difficulty": "easy",
        },
    }


def benchmark() -> dict[str, list[Record]]:
    """Its records by file."""
    return {
        f"{FOLDERS[subset]}/{FILES[author]}.jsonl": [
            made_up(subset, author, number) for number in range(ITEMS_PER_CELL[author])
        ]
        for subset in FOLDERS
        for author in FILES
    }


def lines(records: Iterable[object]) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def examples() -> list[Record]:
    return [made_up(subset, "gpt4", 3) for subset in FOLDERS]


def zipped(files: dict[str, list[Record]], password: str = "open-realmistake") -> bytes:
    members = {f"data/{name}": lines(records) for name, records in files.items()}
    return encrypted_zip({"data/example.jsonl": lines(examples())} | members, password)


def unpacked(files: dict[str, list[Record]], folder: Path) -> Path:
    for name, records in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(lines(records))
    return folder


def ids(samples: Iterable[Sample]) -> list[object]:
    return [sample.id for sample in samples]


def metadata(sample: Sample) -> dict[str, Any]:
    assert sample.metadata is not None
    return sample.metadata


def solutions(sample: Sample) -> SolutionTruth:
    """What simulated models know of a task that is solved."""
    found = solution_truth(metadata(sample)["fingerprint"])
    assert found is not None
    return found


def stratum(sample: Sample) -> tuple[object, ...]:
    given = metadata(sample)
    return given["subset"], given["response_author"], str(sample.target)
