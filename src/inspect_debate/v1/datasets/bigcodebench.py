"""BigCodeBench: Python functions to be written, graded by unit tests.

The original (Zhuo et al. 2024, "BigCodeBench: Benchmarking Code Generation with Diverse
Function Calls and Complex Instructions"), and BigCodeBench+, which corrects its
statements, tests and solutions; both under Apache-2.0. A task has the same id in both.
"""

import ast
import importlib
import re
import sys
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from inspect_ai.dataset import MemoryDataset, Sample

from inspect_debate.v1.datasets.archive import (
    Release,
    commit_of,
    download_errors,
    from_hub,
    read_members,
)
from inspect_debate.v1.datasets.sources import (
    Entry,
    Loaded,
    SolutionTruth,
    Source,
    Sources,
    check_unique,
    content_sha256,
    in_file,
    in_json,
    in_jsonl,
    in_list,
    interleaved,
    register_solution,
    shipped_yaml,
    thirds,
)
from inspect_debate.v1.debate.errors import InputError, check_choice, check_whole_number
from inspect_debate.v1.debate.question import RANK
from inspect_debate.v1.debate.seeds import fingerprint
from inspect_debate.v1.grading.code import code_problem

# Tasks of BigCodeBench: the schema of their records, and a record as a task.

TEXTS = ("complete_prompt", "code_prompt", "canonical_solution", "test", "entry_point")
STATUSES = ("active", "excluded")
_LINE_END = re.compile(r"\r\n?")
_ID = re.compile(r"(?:[A-Za-z0-9_.-]+/)?[A-Za-z0-9_.-]+")

# What Python's later versions no longer have, so that the order is the same in all.
_STANDARD = sys.stdlib_module_names | {
    *("aifc", "asynchat", "asyncore", "audioop", "cgi", "cgitb", "chunk", "crypt"),
    *("distutils", "imghdr", "imp", "lib2to3", "mailcap", "nis", "nntplib", "pipes"),
    *("smtpd", "sndhdr", "spwd", "sunau", "telnetlib", "uu", "xdrlib"),
}
_COMMON = {"numpy", "pandas", "matplotlib", "mpl_toolkits"}


class Record(NamedTuple):
    """A record whose texts are not read yet.

    Attributes:
        id: Of the task, as the data set names it.
        place: Where it was found, for errors.
        exclusion: Why the data set itself leaves the task out; None if it does not.
        content: The texts by their names.
    """

    id: str
    place: str
    exclusion: str | None
    content: Mapping[str, Any]

    @property
    def gap(self) -> str | None:
        """What it lacks of a solution; None if it has one."""
        wanted = ("canonical_solution", "entry_point")
        missing = [name for name in wanted if not self.content.get(name)]
        return f"lacks {' and '.join(missing)}" if missing else None


class Task(NamedTuple):
    """A task: what is asked, the canonical solution, and the tests.

    Attributes:
        id: As the data set names it, e.g. `BigCodeBench/123`.
        prompt: Imports, and the head of a function with its docstring.
        code_prompt: The same without docstring.
        solution: The canonical solution, the whole program, as an answer is read
            (`debate.code`).
        test: The source of the tests.
        entry_point: The name of the function.
        libs: What it uses, as the data set says; tests may import more.
        needs: What program and tests import: only `standard` modules, beside them
            `common` libraries (NumPy, pandas, Matplotlib), or any `other`.
        tests: The number of tests.
    """

    id: str
    prompt: str
    code_prompt: str
    solution: str
    test: str
    entry_point: str
    libs: tuple[str, ...]
    needs: str
    tests: int

    @property
    def name(self) -> str:
        """The last part of its id; of published tasks a number."""
        return self.id.rpartition("/")[2]


def read_record(value: object, where: str) -> Record:
    """A record of either schema.

    Args:
        value: With its texts (`TEXTS`) and `libs` under `content`, as BigCodeBench+
            has them, or beside the id, as BigCodeBench has them. Other keys are left
            alone.
        where: What to call it in an error.

    Raises:
        InputError: If it is no record, has no id, or a status that is none of
            `STATUSES`.
    """
    if not isinstance(value, dict):
        raise InputError(f"{where} holds no task: it is no JSON object.")
    id = value.get("task_id")
    if not isinstance(id, str) or not _ID.fullmatch(id):
        raise InputError(
            f"{where} has task_id={id!r}; allowed are a name or two with a slash "
            "between, of letters, digits, dots, hyphens and underscores "
            "(BigCodeBench/123)."
        )
    content = value.get("content", value)
    if not isinstance(content, dict):
        raise InputError(f"{where} ({id}) has a content that is no JSON object.")
    status = value.get("status", "active")
    if status not in STATUSES:
        raise InputError(
            f"{where} ({id}) has status={status!r}; allowed: {', '.join(STATUSES)}."
        )
    reason = value.get("exclusion_reason")
    if status == "excluded" and not reason:
        reason = "no reason given"
    return Record(id, f"{where} ({id})", str(reason) if reason else None, content)


def read_task(record: Record) -> Task:
    """The task in a record.

    Raises:
        InputError: If a text is missing or is not what it should be, or there are no
            tests.
    """
    where, content = record.place, record.content
    for name in TEXTS:
        if not isinstance(content.get(name), str) or not content[name].strip():
            raise InputError(
                f"{where} cannot be graded: it needs {name}, a text (given: "
                f"{content.get(name)!r}). To leave it out, give it status=excluded."
            )
    prompt, head, body, test, entry_point = (content[name] for name in TEXTS)
    libs = _libs(content.get("libs"), where)
    # As answers are read, which end with no white space.
    code_prompt = _LINE_END.sub("\n", head).strip()
    body = _LINE_END.sub("\n", body).strip("\n").rstrip()
    solution = f"{code_prompt}\n{body}"
    with warnings.catch_warnings():
        # Of escapes in strings; newer versions of Python print them.
        warnings.simplefilter("ignore")
        _parsed(f"{code_prompt}\n    pass", f"{where}: its code_prompt with a body")
        program = _parsed(solution, f"{where}: its canonical solution")
        if not _defines(program, entry_point):
            raise InputError(
                f"{where}: its canonical solution does not define {entry_point}."
            )
        tests = _test_count(record)
        needs = _needs(_imports(program) | _imports(ast.parse(test)))
    return Task(
        id=record.id,
        prompt=prompt,
        code_prompt=code_prompt,
        solution=solution,
        test=test,
        entry_point=entry_point,
        libs=libs,
        needs=needs,
        tests=tests,
    )


def _libs(value: object, where: str) -> tuple[str, ...]:
    found = value
    if isinstance(value, str):
        try:
            found = ast.literal_eval(value)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            found = None
    if not isinstance(found, list) or not all(isinstance(lib, str) for lib in found):
        raise InputError(
            f"{where} has libs={value!r}; allowed is a list of names, or the text of "
            "one (\"['csv', 'json']\")."
        )
    return tuple(found)


def _parsed(source: str, what: str) -> ast.Module:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise InputError(f"{what} is no Python ({error}).") from error


def _defines(program: ast.Module, name: str) -> bool:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return any(isinstance(n, functions) and n.name == name for n in program.body)


def _test_count(record: Record) -> int:
    try:
        return len(code_problem(record.id, record.content).tests)
    except InputError as error:
        raise InputError(f"{record.place}: {error.message}") from error


def _imports(tree: ast.AST) -> set[str]:
    """The top-level packages that are imported anywhere in a source."""
    modules: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules.add(node.module)
    return {module.partition(".")[0] for module in modules}


def _needs(imports: Iterable[str]) -> str:
    beyond = set(imports) - _STANDARD
    if not beyond:
        return "standard"
    return "common" if beyond <= _COMMON else "other"


# The published versions of BigCodeBench+ and of BigCodeBench.

PLUS_HUB = "bubbleresearch/bigcodebench-plus"
PLUS_FILE = "tasks.jsonl"
ORIGINAL_HUB = "bigcode/bigcodebench"
_MEMBER = re.compile(r"[^/]+/problems/[^/]+\.json")


RELEASES = {
    "v1.0.2": Release(
        "ethanelasky/BCBPlus",
        "e86d63d8c089bd8fd1e16ff6daaa7b43f13e34dc",
        "fefab9db6e38d1816da98434afbfa994ff8a65ff161a8fd14e595185e46141b3",
    )
}
"""The versions of BigCodeBench+ whose content is known."""


def plus(version: str, otherwise: str) -> Source:
    """BigCodeBench+: one of `RELEASES`, or what it was made from at a revision.

    Args:
        version: One of `RELEASES`, or a tag, branch or commit of `PLUS_HUB`. There,
            records may lack a solution (BigCodeBench/308 did), and count as excluded.
        otherwise: A sentence for the error: what else the user can do.

    Raises:
        InputError: If it cannot be had.
    """
    if version not in RELEASES:
        return _plus_on_hub(version, otherwise)
    release = RELEASES[version]
    folder = "bigcodebench_plus"
    entries = release.content(folder, _of_archive, records_sha256, otherwise)
    return Source(entries, release.provenance)


def original(version: str, otherwise: str) -> Source:
    """BigCodeBench as its authors publish it.

    Args:
        version: A split of `ORIGINAL_HUB`, e.g. `v0.1.4`.
        otherwise: A sentence for the error: what else the user can do.

    Raises:
        InputError: If it cannot be had.
    """
    with download_errors(_called(ORIGINAL_HUB, version), otherwise):
        commit, rows = from_hub(ORIGINAL_HUB, split=version)
    entries = in_list(rows, f"{ORIGINAL_HUB}/{version}", "row")
    provenance = {"repository": ORIGINAL_HUB, "revision": commit}
    return Source(entries, {"source": "published", **provenance})


def _plus_on_hub(revision: str, otherwise: str) -> Source:
    with download_errors(_called(PLUS_HUB, revision), otherwise):
        commit = commit_of(PLUS_HUB, revision)
        # Not `load_dataset`: `libs` is a list in some records and a text in others.
        hub = importlib.import_module("huggingface_hub")
        path = hub.hf_hub_download(
            PLUS_HUB, PLUS_FILE, repo_type="dataset", revision=commit
        )
        content = Path(path).read_bytes()
    entries = in_jsonl(content, f"{PLUS_HUB}/{PLUS_FILE}")
    provenance = {"repository": PLUS_HUB, "revision": commit}
    return Source(entries, {"source": "published", **provenance})


def _called(dataset: str, version: str) -> str:
    return f"Version {version!r} of Hugging Face's {dataset}"


def _of_archive(path: Path) -> list[Entry]:
    members = read_members(path, _MEMBER)
    return [
        entry
        for name, content in members.items()
        for entry in in_json(content, name.partition("/")[2])
    ]


DEFAULT_VERSIONS = {"bcb_plus": "v1.0.2", "bcb": "v0.1.4"}
"""The data sets, and of each the published version that is loaded if none is named."""

ORIGINAL_TASKS = 1140
"""How many tasks every version of BigCodeBench has."""

_PREFIXES = {"bcb_plus": "bcbplus", "bcb": "bcb"}


def bigcodebench(
    dataset: str = "bcb_plus",
    version: str | int | None = None,
    source: str = "published",
    seed: int = 0,
) -> Loaded:
    """Load BigCodeBench+ or BigCodeBench, in an order of which prefixes are balanced.

    Only v1.0.2 of BigCodeBench+ is pinned by its content (`verified`). v0.1.0, which is
    nearest to the study of generative debate, was changed in place under that name:
    it and others are taken from Hugging Face as they are there now, with the commit and
    the content's checksum in the provenance, so that two runs can be compared. For a
    certain state give a commit as version, or the path of a file that was kept.

    Args:
        dataset: `bcb_plus` or `bcb`.
        version: Of published tasks; v1.0.2 and v0.1.4 if None. Of `bcb_plus` also a
            tag, branch or commit of its data set on Hugging Face, of `bcb` a split
            there. With a path it only labels the tasks, by default with the version
            whose content they are, or else `own`; the sample has its own.
        source: `published` (downloaded once), `sample` (tasks written for this
            package), or a path: of a file (.jsonl, .json, .parquet) in the schema of
            either data set, or of a folder with a task in each .json file.
        seed: Decides the order, and nothing else does.

    Returns:
        One sample for each task that the data set does not exclude, with the canonical
        solution as target: a whole program. Prefixes are balanced by length and by
        what programs and tests import. The provenance has the source, with the commit
        of published tasks; data set and version; the content's sha256, and whether it
        is known to be that of this version; the numbers of tasks and of tests; and the
        tasks that are excluded, with reasons.

    Raises:
        InputError: If an argument is not allowed, the source cannot be had, or what it
            holds is not of the schema or cannot be graded.
    """
    check_choice("dataset", dataset, tuple(DEFAULT_VERSIONS))
    check_whole_number("seed", seed, 0)
    given = _given(dataset, version, source)
    found = load(dataset, source, given or "")
    digest = records_sha256(found.entries)
    known = [name for name, release in RELEASES.items() if release.sha256 == digest]
    if known and dataset == "bcb":
        raise InputError(
            f"source={source!r} holds {known[0]} of BigCodeBench+, which is "
            "dataset=bcb_plus and not dataset=bcb."
        )
    label = given or (known[0] if known else "own")
    tasks, excluded = _read(found)
    _check(tasks, excluded, dataset, source)
    provenance = found.provenance | {
        "dataset": dataset,
        "version": label,
        "sha256": digest,
        "verified": label in known,
        "tasks": len(tasks),
        "tests": sum(task.tests for task in tasks),
        "excluded": excluded,
    }
    # Ranks are those of the usual seed: in all runs the same.
    ranks = {task.name: at for at, task in enumerate(_ordered(tasks, 0))}
    samples = [
        _sample(task, dataset, label, source, ranks[task.name])
        for task in _ordered(tasks, seed)
    ]
    return Loaded(MemoryDataset(samples, name=dataset), provenance)


def _given(dataset: str, version: str | int | None, source: str) -> str | None:
    """The version to load, or what tasks are to be called; None if nobody says."""
    if source == "sample":
        if version is not None:
            raise InputError(
                f"version={version!r} is not for source=sample, which has none."
            )
        return "sample"
    if version is None:
        return DEFAULT_VERSIONS[dataset] if source == "published" else None
    # `-T version=1234567` gives a number.
    label = str(version)
    if isinstance(version, bool) or not re.fullmatch(r"[A-Za-z0-9._-]+", label):
        raise InputError(
            f"version={version!r} is not allowed; give a version such as "
            f"{DEFAULT_VERSIONS[dataset]}, or for tasks of your own a word of letters, "
            "digits, dots, hyphens and underscores."
        )
    return label


def _read(found: Source) -> tuple[list[Task], dict[str, str]]:
    """The tasks of a source; and those that are left out, with reasons."""
    published = found.provenance["source"] == "published"
    tasks: list[Task] = []
    excluded: dict[str, str] = {}
    for place, value in found.entries:
        record = read_record(value, place)
        # What published tasks lack is not the user's to mend.
        reason = record.exclusion or (record.gap if published else None)
        if reason:
            excluded[record.id] = reason
        else:
            tasks.append(read_task(record))
    return tasks, excluded


def _check(
    tasks: Sequence[Task], excluded: Collection[str], dataset: str, source: str
) -> None:
    if not tasks:
        raise InputError(f"source={source!r} has no task that is not excluded.")
    check_unique((task.name for task in tasks), source, "tasks of name")
    total = len(tasks) + len(excluded)
    if (dataset, source) == ("bcb", "published") and total != ORIGINAL_TASKS:
        raise InputError(
            f"The published BigCodeBench has {total} tasks, and should have "
            f"{ORIGINAL_TASKS}."
        )


def _ordered(tasks: Sequence[Task], seed: int) -> list[Task]:
    """Tasks in an order that is fair to lengths and to what programs need."""
    length = thirds({task.name: len(task.prompt) for task in tasks})
    return interleaved(
        tasks,
        identity=lambda task: task.name,
        stratum=lambda task: (task.needs, length[task.name]),
        seed=seed,
    )


def _sample(task: Task, dataset: str, version: str, source: str, rank: int) -> Sample:
    mark = fingerprint(task.prompt, "1")
    register_solution(mark, SolutionTruth(task.solution, wrong_solutions(task)))
    prefix = "bcbs" if source == "sample" else _PREFIXES[dataset]
    return Sample(
        input=task.prompt,
        target=task.solution,
        id=f"{prefix}-{task.name}",
        metadata={
            "dataset": dataset,
            "dataset_version": version,
            "question_id": task.id,
            "answer_kind": "code",
            "code_prompt": task.code_prompt,
            "test": task.test,
            "entry_point": task.entry_point,
            "libs": list(task.libs),
            "fingerprint": mark,
            RANK: rank,
        },
    )


# Folders of records of BigCodeBench, and the checksum of their content.


def records_sha256(entries: Iterable[Entry]) -> str:
    """The `content_sha256` of records, wherever they were found."""
    return content_sha256(entry.record for entry in entries)


def in_folder(path: Path) -> list[Entry]:
    """The records of a folder's `.json` files, or of those in its folder `problems`.

    Raises:
        InputError: If a file cannot be read.
    """
    root = path / "problems" if (path / "problems").is_dir() else path
    return [entry for file in sorted(root.glob("*.json")) for entry in in_file(file)]


# Where tasks of BigCodeBench are read from: its publishers, a path, or the sample.

SOURCES = Sources(
    words=("published", "sample"),
    path="PATH to a file of tasks (.jsonl, .json, .parquet), or to a folder with one "
    "in each .json file (such as problems/ of a clone of the repository)",
    endings=(".jsonl", ".json", ".parquet"),
    folders=True,
)
SAMPLE_FILE = "bigcodebench_sample.yaml"


def load(dataset: str, source: str, version: str) -> Source:
    """The tasks of a source.

    Args:
        dataset: `bcb_plus` or `bcb`.
        source: `published`, `sample`, or a path.
        version: Of published tasks.

    Raises:
        InputError: If the source cannot be had or read.
    """
    if source == "published":
        publish = plus if dataset == "bcb_plus" else original
        return publish(version, SOURCES.others(source))
    if source == "sample":
        return Source(_shipped_rows(), {"source": source, "file": SAMPLE_FILE})
    path = SOURCES.existing(source)
    entries = in_folder(path) if path.is_dir() else in_file(path)
    if not entries:
        raise InputError(f"{path} holds no tasks. {SOURCES.others()}")
    return Source(entries, {"source": "path", "file": path.name})


def _shipped_rows() -> list[Entry]:
    tasks = shipped_yaml(SAMPLE_FILE)
    return [
        Entry(f"{SAMPLE_FILE}: {name}", _record(name, task))
        for name, task in tasks.items()
    ]


def _record(name: str, task: dict[str, Any]) -> dict[str, Any]:
    """A shipped task as a record; its code prompt is its prompt up to the docstring."""
    head, _, _ = task["complete_prompt"].partition('    """')
    derived = {"code_prompt": head.rstrip(), "entry_point": "task_func"}
    return {"task_id": f"bcbs/{name}", **task, **derived}


# Wrong solutions of programming tasks, such as a solver might give.

_NEW_SCOPE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def wrong_solutions(task: Task) -> tuple[str, ...]:
    """Three wrong solutions of a task, different from each other.

    One returns nothing, one raises an error, and one is the canonical solution with
    whatever it returns put in a list; where it returns nothing, one returns a list.
    Where tests look at nothing but what a function does beside returning, the last one
    may pass: of the first 120 tasks of BigCodeBench+ v1.0.2, one did.
    """
    return (
        f"{task.code_prompt}\n    return None",
        f"{task.code_prompt}\n    raise NotImplementedError",
        _wrapped(task) or f"{task.code_prompt}\n    return []",
    )


def _wrapped(task: Task) -> str | None:
    """The canonical solution, returning lists of what it should return."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = ast.parse(task.solution)
    # The last one of this name is the one that is called.
    (*_, function) = (
        node
        for node in program.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name == task.entry_point
    )
    values = [node.value for node in _returns(function) if node.value is not None]
    # Columns are counted in bytes. From the last to the first, so that the places of
    # those which are still to come stay right.
    lines = task.solution.encode().split(b"\n")
    for value in reversed(values):
        for row, column, added in (
            (value.end_lineno, value.end_col_offset, b")]"),
            (value.lineno, value.col_offset, b"[("),
        ):
            assert row is not None
            assert column is not None
            line = lines[row - 1]
            lines[row - 1] = line[:column] + added + line[column:]
    return b"\n".join(lines).decode() if values else None


def _returns(node: ast.AST) -> Iterator[ast.Return]:
    """The returns of a function itself, in the order of the source."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Return):
            yield child
        elif not isinstance(child, _NEW_SCOPE):
            yield from _returns(child)
