"""Further inputs that are refused, of several parts."""

from typing import Any

from tests.frozen.errors_data import COLUMNS, Case

CHECK = "check --model-role"
SHEET = ["judge-sheet", "write", "debate.eval", "--out", "sheet"]
READ = ["judge-sheet", "read", "--key", "sheet/key.json"]
ACCEPTED: dict[str, Any] = {"question": "task", "accepted": "label", "answer": None}

CASES: list[Case] = [
    {
        "id": "cli: a setting of a role",
        "run": "cli",
        "args": [*CHECK.split(), "judge={model: simulated/coin, temperature: x}"],
    },
    {
        "id": "sheet: no such file",
        "run": "cli",
        "logs": ["debate"],
        "before": [SHEET],
        "args": [*READ, "none.csv", "--out", "back"],
    },
    {
        "id": "questions: options without an answer",
        "run": "task",
        "name": "debate",
        "args": {
            "dataset": "data.csv",
            "fields": ACCEPTED | {"options": ["options", "key"]},
        },
        "files": COLUMNS,
    },
    {
        "id": "config: a setting of a number",
        "run": "task",
        "name": "colmad",
        "args": {
            "source": "sample",
            "config": {"word_limit": 3},
            "config.word_limit.x": 1,
        },
    },
    {
        "id": "solver: tokens of another task",
        "run": "eval",
        "foreign": [{"id": "one", "input": "What?", "target": "A", "choices": ["a"]}],
        "solver": "consultancy",
        "solver_args": {"config": {"answer": 3}},
    },
]
