"""BigCodeBench: Python functions to be written, graded by unit tests.

The original (Zhuo et al. 2024, "BigCodeBench: Benchmarking Code Generation with Diverse
Function Calls and Complex Instructions"), and BigCodeBench+, which corrects statements,
tests and solutions; both under Apache-2.0. A task has the same id in both.

The study of generative debate used v0.1.0 of BigCodeBench+, which was later changed
without a new version. Only v1.0.2 can be pinned by its content. The study left out 4 of
the 1,140 tasks (354, 501, 814 and 1040), which v1.0.2 does not have either.
"""

import ast
import importlib
import json
import warnings
from collections import Counter
from collections.abc import Hashable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from inspect_ai.dataset import Sample
from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from inspect_debate.datasets.arc_agi import Gradable, balanced, thirds
from inspect_debate.datasets.download import (
    Release,
    fetch_release,
    json_lines,
    json_sha256,
    read_file,
    user_path,
)
from inspect_debate.debate.errors import InputError, check_known

RELEASE = Release(
    "ethanelasky/BCBPlus",
    "e86d63d8c089bd8fd1e16ff6daaa7b43f13e34dc",
    "fefab9db6e38d1816da98434afbfa994ff8a65ff161a8fd14e595185e46141b3",
)
FILES = r"(problems/[^/]+\.json)"
HUB = "bigcode/bigcodebench"
VERSIONS = {"bcb_plus": "v1.0.2", "bcb": "v0.1.4"}
SIZES = {"bcb_plus": 1136, "bcb": 1140}
SAMPLE = Path(__file__).parent / "data" / "bigcodebench_sample.yaml"

UNGRADABLE = {
    **dict.fromkeys((101, 176, 314), "needs the internet"),
    **dict.fromkeys((200, 232, 743, 1023, 1094, 1121), "fails its own tests"),
    **dict.fromkeys((612, 810, 1039), "has tests that no answer can pass"),
}
"""Tasks of v1.0.2 whose own solutions fail in any sandbox without a network.

Others fail where libraries or data are missing (734: NLTK's tagger).
"""

SCIENTIFIC = {"numpy", "pandas", "matplotlib", "scipy", "seaborn", "sklearn"}


def bigcodebench(
    dataset: Literal["bcb_plus", "bcb"] = "bcb_plus",
    split: Literal["complete", "instruct"] = "complete",
    source: str = "published",
    seed: int = 0,
    ungradable: bool = False,
) -> Gradable:
    """Load BigCodeBench in an order that is balanced wherever `--limit` cuts it.

    Args:
        dataset: `bcb_plus` or `bcb`.
        split: What models are given: the head of the function with its docstring
            (`complete`), or an instruction in words (`instruct`). Most corrections of
            BigCodeBench+ were made in the former only.
        source: `published` (downloaded once), `sample` (19 tasks written for this
            package), or the path of a .jsonl or .json file in the schema of either
            data set.
        seed: Decides the order.
        ungradable: Keep the 12 tasks of v1.0.2 whose own solutions fail in every
            sandbox. They are left out by default.

    Returns:
        A sample per task, whose target is the canonical solution, a whole program. The
        provenance also has which tasks were `excluded`, with reasons.

    Raises:
        InputError: If an argument is not allowed, or the source is not available or
            does not have the published form.
    """
    check_known("dataset", dataset, VERSIONS)
    check_known("split", split, ("complete", "instruct"))
    found, provenance = _read(dataset, source)
    sha256 = json_sha256(found.values())
    verified = sha256 == RELEASE.sha256
    if verified and dataset == "bcb":
        raise InputError(f"source={source!r} is BigCodeBench+; use dataset=bcb_plus.")
    version = "sample" if source == "sample" else "own"
    if verified or source == "published":
        version = VERSIONS[dataset]
        if len(found) != SIZES[dataset]:
            raise InputError(
                f"{version} has {len(found)} tasks, and should have {SIZES[dataset]}; "
                "give the path of a file as source=PATH."
            )
    records, excluded = _records(found, source)
    if verified and not ungradable:
        left_out = {f"BigCodeBench/{n}": why for n, why in UNGRADABLE.items()}
        excluded |= left_out
        records = [record for record in records if record.task_id not in left_out]
    samples = [_sample(record, dataset, version, split) for record in records]
    id, times = Counter(sample.id for sample in samples).most_common(1)[0]
    if times > 1:
        raise InputError(f"source={source!r} has {times} tasks of id {id}.")
    provenance |= {
        **{"dataset": dataset, "version": version, "split": split},
        **{"sha256": sha256, "verified": verified},
        **{"tasks": len(samples), "excluded": excluded},
    }
    third = thirds({sample.id: len(str(sample.input)) for sample in samples})

    def stratum(sample: Sample) -> Hashable:
        about: dict[str, Any] = sample.metadata or {}
        return bool(SCIENTIFIC & {*about["libs"]}), third[sample.id]

    return Gradable(balanced(samples, stratum, seed), provenance)


# --- Sources --------------------------------------------------------------------------


def _read(dataset: str, source: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return records by the places where they were found, and their origin."""
    if source == "published":
        if dataset == "bcb":
            return _on_hub()
        origin = {"repository": RELEASE.repository, "commit": RELEASE.commit}
        found = fetch_release(RELEASE, FILES, lambda v: json_sha256(v.values()))
        return found, {"source": source, **origin}
    if source == "sample":
        entries = yaml.safe_load(SAMPLE.read_text(encoding="utf-8"))
        found = dict(map(_shipped, entries.items()))
        return found, {"source": source, "file": SAMPLE.name}
    path = user_path(source, ("published", "sample"), "a .jsonl or .json file")
    found = dict(_in_file(path)) if path.suffix in (".json", ".jsonl") else {}
    if not found:
        raise InputError(
            f"source={source!r} has no tasks; give the path of a .jsonl or .json file."
        )
    return found, {"source": "path", "file": path.name}


def _in_file(path: Path) -> Iterator[tuple[str, Any]]:
    content = read_file(path)
    if path.suffix == ".jsonl":
        yield from json_lines(content, path.name)
        return
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        raise InputError(f"{path} is not JSON; check the file.") from None
    values = value if isinstance(value, list) else [value]
    for number, record in enumerate(values, start=1):
        yield f"{path.name}, record {number}", record


def _shipped(entry: tuple[str, dict[str, Any]]) -> tuple[str, dict[str, Any]]:
    name, task = entry
    head = task["complete_prompt"].partition('    """')[0]
    own = {"task_id": f"bcbs/{name}", "code_prompt": head, "entry_point": "task_func"}
    return f"{SAMPLE.name}: {name}", own | task


def _on_hub() -> tuple[dict[str, Any], dict[str, Any]]:
    # Slow to import. By name, because at the root of a checkout a type checker takes
    # `import datasets` for this folder.
    hub = importlib.import_module("huggingface_hub")
    try:
        commit = str(hub.HfApi().dataset_info(HUB).sha)
        load = importlib.import_module("datasets").load_dataset
        rows = load(HUB, split=VERSIONS["bcb"], revision=commit)
        found = {f"{HUB}, row {n}": row for n, row in enumerate(rows, start=1)}
    except Exception as error:  # of many libraries, with no common base class
        reason = str(error).partition("\n")[0].rstrip(".") or type(error).__name__
        raise InputError(
            f"{HUB} on Hugging Face could not be loaded ({reason}); try again, or pass "
            "a file's path as source=PATH."
        ) from error
    return found, {"source": "published", "repository": HUB, "commit": commit}


# --- Records --------------------------------------------------------------------------


def _listed(value: object) -> object:
    """A list that may be written as Python's text of one."""
    try:
        return ast.literal_eval(value) if isinstance(value, str) else value
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return value  # for pydantic to refuse


_Text = Annotated[str, Field(pattern=r"\S")]


class _Head(BaseModel):
    # Also a sample's id and part of a log's file names.
    task_id: str = Field(pattern=r"^([A-Za-z0-9_.-]+/)?[A-Za-z0-9_.-]+$")
    status: Literal["active", "excluded"] = "active"
    exclusion_reason: str | None = None
    content: dict[str, Any] | None = None  # BigCodeBench has the texts beside the id


class _Record(BaseModel):
    task_id: str
    complete_prompt: _Text
    instruct_prompt: str = ""
    code_prompt: _Text
    canonical_solution: _Text
    test: _Text
    entry_point: _Text
    libs: Annotated[list[str], BeforeValidator(_listed)]

    @property
    def program(self) -> str:
        """The canonical solution with its head."""
        body = self.canonical_solution.strip("\n").rstrip()
        return f"{self.code_prompt.strip()}\n{body}"


def _records(
    found: dict[str, Any], source: str
) -> tuple[list[_Record], dict[str, str]]:
    """Read records; also return which were excluded, with reasons."""
    records: list[_Record] = []
    excluded: dict[str, str] = {}
    for place, value in found.items():
        head = _validated(_Head, value, place)
        content = value if head.content is None else head.content
        reason = head.exclusion_reason
        if head.status == "excluded":
            reason = reason or "no reason given"
        if reason:
            excluded[head.task_id] = reason
            continue
        where = f"{place} ({head.task_id})"
        record = _validated(_Record, {**content, "task_id": head.task_id}, where)
        _check_program(record, where)
        records.append(record)
    if not records:
        raise InputError(f"source={source!r} has no tasks that are not excluded.")
    return records, excluded


def _validated(kind: type[Any], value: object, place: str) -> Any:
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        key = ".".join(map(str, fault["loc"])) or "the record"
        raise InputError(
            f"{place} does not have BigCodeBench's schema: {key}: {fault['msg']} "
            f"(given: {str(fault['input'])[:60]!r})."
        ) from None


def _check_program(record: _Record, place: str) -> None:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd escapes in strings
            body = ast.parse(record.program).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        body = []
    if not any(isinstance(n, functions) and n.name == record.entry_point for n in body):
        raise InputError(
            f"{place} cannot be graded: its canonical solution is no Python program "
            f"that defines {record.entry_point}."
        )


def _sample(record: _Record, dataset: str, version: str, split: str) -> Sample:
    prompt = record.complete_prompt if split == "complete" else record.instruct_prompt
    if not prompt.strip():
        raise InputError(
            f"{record.task_id} has no instruct_prompt; use split=complete."
        )
    prefix = {"sample": "bcbs"}.get(version, dataset.replace("_", ""))
    return Sample(
        id=f"{prefix}-{record.task_id.rpartition('/')[2]}",
        input=prompt,
        target=record.program,
        metadata={
            "dataset": dataset,
            "version": version,
            "answer_kind": "code",
            **record.model_dump(),
        },
    )
