"""BigCodeBench: Python functions to be written, graded by unit tests.

The original (Zhuo et al. 2024, "BigCodeBench: Benchmarking Code Generation with Diverse
Function Calls and Complex Instructions"), and BigCodeBench+, which corrects statements,
tests and solutions; both under Apache-2.0. A task has the same id in both.

The study of generative debate used v0.1.0 of BigCodeBench+, which was later changed
without a new version. Only v1.0.2 can be pinned by its content. The study left out 4 of
the 1,140 tasks (354, 501, 814 and 1040), which v1.0.2 does not have either.
"""

import re
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from inspect_ai.dataset import Sample
from pydantic import BaseModel, Field

from inspect_debate.datasets.common import Sourced, balanced, checked
from inspect_debate.datasets.download import (
    Release,
    fetch_from_hub,
    fetch_release,
    json_sha256,
    read_rows,
    user_path,
)
from inspect_debate.debate.errors import InputError, validated

RELEASE = Release(
    "ethanelasky/BCBPlus",
    "e86d63d8c089bd8fd1e16ff6daaa7b43f13e34dc",
    "fefab9db6e38d1816da98434afbfa994ff8a65ff161a8fd14e595185e46141b3",
)
FILES = r"(problems/[^/]+\.json)"
HUB = "bigcode/bigcodebench"
VERSIONS = {"bcb_plus": "v1.0.2", "bcb": "v0.1.4"}
SIZE = 1140  # of the original, which has no checksum
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


@validated
def bigcodebench(
    dataset: Literal["bcb_plus", "bcb"] = "bcb_plus",
    split: Literal["complete", "instruct"] = "complete",
    source: str = "published",
    seed: int = 0,
    ungradable: bool = False,
) -> Sourced:
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
        provenance has the source with its commit or file, whether the tasks are those
        of v1.0.2 (`verified`), and which were `excluded`, with reasons.
    """
    found, provenance = _read(dataset, source)
    sha256 = json_sha256(found.values())
    verified = sha256 == RELEASE.sha256
    if verified and dataset == "bcb":
        raise InputError(f"source={source!r} is BigCodeBench+; use dataset=bcb_plus.")
    version = "sample" if source == "sample" else "own"
    if verified or source == "published":
        version = VERSIONS[dataset]
    records = [_record(value, place) for place, value in found.items()]
    excluded: dict[str, str] = {}
    if verified and not ungradable:
        excluded = {f"BigCodeBench/{n}": why for n, why in UNGRADABLE.items()}
    samples = [
        _sample(record, dataset, version, split)
        for record in records
        if record.task_id not in excluded
    ]
    provenance |= {
        **{"dataset": dataset, "version": version, "split": split},
        **{"sha256": sha256, "verified": verified},
        **{"tasks": len(samples), "excluded": excluded},
    }

    def stratum(sample: Sample) -> tuple[Any, ...]:
        libraries = re.findall(r"\w+", str((sample.metadata or {})["libs"]))
        return (bool(SCIENTIFIC & {*libraries}),)

    return Sourced(balanced(samples, stratum, seed), provenance, dataset)


# --- Sources --------------------------------------------------------------------------


def _read(dataset: str, source: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return records by the places where they were found, and their origin."""
    if source == "published" and dataset == "bcb":
        commit, rows = fetch_from_hub(HUB, split=VERSIONS["bcb"])
        if len(rows) != SIZE:
            raise InputError(f"{HUB} has {len(rows)} tasks, and should have {SIZE}.")
        found = {f"{HUB}, row {n}": row for n, row in enumerate(rows, start=1)}
        return found, {"source": source, "repository": HUB, "commit": commit}
    if source == "published":
        origin = {"repository": RELEASE.repository, "commit": RELEASE.commit}
        found = fetch_release(RELEASE, FILES, lambda v: json_sha256(v.values()))
        return found, {"source": source, **origin}
    if source == "sample":
        entries = yaml.safe_load(SAMPLE.read_text(encoding="utf-8"))
        found = dict(map(_shipped, entries.items()))
        return found, {"source": source, "file": SAMPLE.name}
    path = user_path(source, ("published", "sample"), "a .jsonl or .json file")
    rows = read_rows(path)
    if not rows:
        raise InputError(f"source={source!r} has no tasks; give another file.")
    found = {f"{path.name}, record {n}": row for n, row in enumerate(rows, start=1)}
    return found, {"source": "path", "file": path.name}


def _shipped(entry: tuple[str, dict[str, Any]]) -> tuple[str, dict[str, Any]]:
    name, task = entry
    head = task["complete_prompt"].partition('    """')[0]
    own = {"task_id": f"bcbs/{name}", "code_prompt": head, "entry_point": "task_func"}
    return f"{SAMPLE.name}: {name}", own | task


# --- Records --------------------------------------------------------------------------

_Text = Annotated[str, Field(pattern=r"\S")]


class _Record(BaseModel):
    # Also a sample's id and part of a log's file names.
    task_id: str = Field(pattern=r"^([A-Za-z0-9_.-]+/)?[A-Za-z0-9_.-]+$")
    complete_prompt: _Text
    instruct_prompt: str = ""
    code_prompt: _Text
    canonical_solution: _Text
    test: _Text
    entry_point: _Text
    libs: list[str] | str  # in BigCodeBench the text of a list

    @property
    def program(self) -> str:
        """The canonical solution with its head."""
        body = self.canonical_solution.strip("\n").rstrip()
        return f"{self.code_prompt.strip()}\n{body}"


def _record(value: object, place: str) -> _Record:
    """Read a record of either data set; BigCodeBench+ has its texts in `content`."""
    if isinstance(value, dict) and isinstance(value.get("content"), dict):
        value = value | value["content"]
    return checked(_Record, value, place, "BigCodeBench's schema")


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
