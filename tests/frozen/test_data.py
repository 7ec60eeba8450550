"""Samples of every data set that ships, of made files, and of released data.

Frozen are the samples' order, what each holds (its input, choices and target as one
digest), and every field of their metadata over all samples. Released data are kept as
digests alone, names included.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.dataset import Sample
from inspect_ai.util import registry_create
from pydantic_core import to_jsonable_python

from tests.frozen.comparing import DATA, LOGS, ROOT, assert_same, command, needs_data
from tests.frozen.mapping import load

# Programs are not run: whatever sandboxes there are makes no difference.
CODE = {"sandbox": "local", "unsafe_local": True, "source": "sample"}
SAMPLE = {"source": "sample"}
FREE = {"sides": "free", "skip_if_agree": False}
Case = tuple[str, dict[str, Any]]

SHIPPED: dict[str, Case] = {
    "colmad": ("colmad", SAMPLE),
    "colmad_both": ("colmad", SAMPLE | {"response_author": "both", "seed": 1}),
    "colmad_math": (
        "colmad",
        SAMPLE | {"subset": "math", "response_author": "llama2", "seed": 2},
    ),
    "colmad_fact": ("colmad", SAMPLE | {"subset": "fact"}),
    "colmad_answerability": ("colmad", SAMPLE | {"subset": "answerability"}),
    "confidence": ("confidence", {}),
    "confidence_repeated": ("confidence", {"repetitions": 3, "seed": 4}),
    "confidence_self": ("confidence", {"protocol": "self", "repetitions": 2}),
    "srdcr": ("srdcr", SAMPLE),
    "srdcr_few": (
        "srdcr",
        SAMPLE | {"domains": "years, names", "questions": 12, "shots": 2, "seed": 5},
    ),
    "srdcr_no_shots": ("srdcr", SAMPLE | {"questions": 6, "shots": 0}),
    "arc": ("generative", SAMPLE),
    "arc_seed": ("generative", SAMPLE | {"seed": 3}),
    "bcb_plus": ("generative", CODE | {"dataset": "bcb_plus"}),
    "bcb": ("generative", CODE | {"dataset": "bcb", "seed": 6}),
    "debate": ("debate", {}),
    "debate_seed": ("debate", {"seed": 7}),
    "debate_all": ("debate", FREE | {"candidates": "all"}),
    "debate_free": ("debate", {"answers": "free"}),
    "debate_open": ("debate", {"hidden": "nothing", "protocol": "judge_alone"}),
    "judge_check": ("judge_check", {}),
    "judge_check_seed": ("judge_check", {"seed": 8}),
    "judge_check_colmad": (
        "judge_check",
        {"debates": f"{LOGS.as_posix()}/colmad.eval"},
    ),
    "judge_check_debate": (
        "judge_check",
        {"debates": f"{LOGS.as_posix()}/debate.eval"},
    ),
}

_RELEASE = "llms_overconfidence/experiments"
RELEASED: dict[str, Case] = {
    "realmistake": (
        "colmad",
        {"source": "realmistake/data.zip", "response_author": "both"},
    ),
    "realmistake_gpt4": ("colmad", {"source": "realmistake/data.zip", "seed": 1}),
    "realmistake_fact": (
        "colmad",
        {
            "source": "realmistake/data.zip",
            "subset": "fact",
            "response_author": "llama2",
        },
    ),
    "arc_1": ("generative", {"source": "arc_agi_1"}),
    "arc_1_evaluation": ("generative", {"source": "arc_agi_1", "split": "evaluation"}),
    "arc_2": (
        "generative",
        {"source": "arc_agi_2", "version": 2, "split": "evaluation", "seed": 1},
    ),
    "bcb_plus": (
        "generative",
        CODE | {"dataset": "bcb_plus", "source": "bigcodebench_plus/problems.jsonl"},
    ),
    "motions": (
        "confidence",
        {"motions": f"{_RELEASE}/private_bet_experiments_diff_models"},
    ),
    "motions_self": ("confidence", {"motions": f"{_RELEASE}/private_self_bet"}),
}


def digest(value: Any) -> str:
    """A short digest of anything that is JSON, or made of models of pydantic."""
    plain = to_jsonable_python(value)
    text = json.dumps(plain, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def content(sample: Sample) -> Any:
    """What a sample asks and is graded with; messages without their random ids."""
    asked: Any = sample.input
    if not isinstance(asked, str):
        asked = [(message.role, message.text) for message in asked]
    return [asked, sample.choices, sample.target]


def dataset(case: Case) -> Iterator[Sample]:
    """The samples of a task in their order; the working directory matters for paths."""
    name, parameters = case
    made = registry_create("task", f"inspect_debate/{name}", **parameters)
    yield from made.dataset


def described(samples: list[Sample], *, names: bool) -> dict[str, Any]:
    """All of some samples, as digests; with their names, or with digests of these."""
    fields = sorted({key for sample in samples for key in sample.metadata or {}})
    ids = [str(sample.id) for sample in samples]
    shown = ids if names else [digest(each)[:8] for each in ids]
    return {
        "count": len(samples),
        "order": digest(ids),
        "samples": [
            f"{id} {digest(content(sample))}"
            for id, sample in zip(shown, samples, strict=True)
        ],
        "metadata": {
            field: digest([[s.id, (s.metadata or {}).get(field)] for s in samples])
            for field in fields
        },
        "else": digest([[s.id, s.files, s.setup, s.sandbox] for s in samples]),
    }


def released(name: str) -> dict[str, Any]:
    """Released data, described; paths in `RELEASED` are those in the folder of them."""
    task, parameters = RELEASED[name]
    folder = Path(DATA or "")
    paths = {
        key: str(folder / parameters[key])
        for key in ("source", "motions")
        if key in parameters
    }
    return described(list(dataset((task, parameters | paths))), names=False)


def lettered(folder: Path) -> Case:
    """Questions of one's own in a JSONL file."""
    colours = ("red", "green", "blue", "white", "black")
    rows = [
        {
            "nr": f"n{number}",
            "asked": f"Which colour has house {number}?",
            **dict(zip("abcd", colours[number % 2 :], strict=False)),
            "key": "ABCD"[number % 4],
        }
        for number in range(12)
    ]
    path = folder / "mine.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    columns = {"question": "asked", "options": [*"abcd"], "answer": "key", "id": "nr"}
    return "debate", {"dataset": str(path), "fields": columns, "seed": 3}


def passages(folder: Path) -> Case:
    """Questions about passages, several of which share one, in a JSONL file."""
    rows = [
        {
            "question": f"How many sheep has farm {number}?",
            "choices": [str(number + more) for more in (5, 6, 7)],
            "answer": str(number + 5 + number % 3),
            "article": f"Farm {number // 3} and its neighbours keep sheep.",
        }
        for number in range(12)
    ]
    path = folder / "farms.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    columns = {
        **{"question": "question", "options": "choices"},
        **{"answer": "answer", "passage": "article"},
    }
    return "debate", {"dataset": str(path), "fields": columns}


def clasheval(folder: Path) -> Case:
    """A file of ClashEval's published columns."""
    degrees = ("0", "0.1", "0.5", "0.9", "1.5", "2.0", "3.0")
    rows = []
    for domain in ("drugs", "records", "news"):
        for number in range(8):
            right = 1000 + 10 * number
            for degree in degrees:
                given = right if degree == "0" else round(right * float(degree))
                rows.append(
                    {
                        "question": f"What is number {number} of {domain}?",
                        "context_original": f"Passage {number} of {domain}: {right}.",
                        "context_mod": f"Passage {number} of {domain}: {given}.",
                        "answer_original": str(right),
                        "answer_mod": str(given),
                        "mod_degree": degree,
                        "dataset": domain,
                    }
                )
    path = folder / "clasheval.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return "srdcr", {"source": str(path), "questions": 9, "shots": 2}


MADE = {"lettered": lettered, "passages": passages, "clasheval": clasheval}


SCHEDULES = {
    "balanced": ("balanced", *(f"simulated/{each}" for each in "abcde"), "--seed", 2),
    "few": (
        *("balanced", "x/a1", "x/b1", "y/a2", "y/b2", "z/a3"),
        *("--motions", 2, "--debates", 7, "--family", "x/b1=y"),
    ),
    "rebalance": ("rebalance", LOGS / "confidence_pool.eval", "--debates", 6),
    "swiss": ("swiss", LOGS / "confidence_pool.eval", "--seed", 1),
}


def schedules() -> Any:
    """What `inspect-debate pairings` prints for pools of models."""
    done = {name: command("pairings", *of) for name, of in SCHEDULES.items()}
    assert all(each.exit_code == 0 for each in done.values()), done
    return {name: each.output.splitlines() for name, each in done.items()}


@pytest.fixture(autouse=True)
def _in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("name", SHIPPED)
def test_what_ships(name: str) -> None:
    found = described(list(dataset(SHIPPED[name])), names=True)
    assert_same(found, load("data_shipped.json")[name])


@pytest.mark.parametrize("name", MADE)
def test_made_files(name: str, tmp_path: Path) -> None:
    found = described(list(dataset(MADE[name](tmp_path))), names=True)
    assert_same(found, load("data_made.json")[name])


@needs_data
@pytest.mark.parametrize("name", RELEASED)
def test_released_data(name: str) -> None:
    assert_same(released(name), load("data_released.json")[name])


def test_schedules_of_debates() -> None:
    assert_same(schedules(), load("data_schedules.json"))
