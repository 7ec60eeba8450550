"""Tasks that are published as a repository on GitHub: downloaded once, and checked."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from inspect_debate.datasets import arc_agi, archive, bigcodebench
from inspect_debate.datasets.arc_agi import Size, arc
from inspect_debate.datasets.archive import Patience, sha256_of
from inspect_debate.datasets.sources import Loaded
from inspect_debate.debate.errors import InputError
from tests.datasets import made_arc, made_bigcodebench
from tests.datasets.loopback import Failing, Reply, Served, failing, serve
from tests.datasets.made_bigcodebench import flat, nested

ARC_COMMIT = "399030444e0ab0cc8b4e199870fb20b863846f34"
BCB_COMMIT = "e86d63d8c089bd8fd1e16ff6daaa7b43f13e34dc"
TASKS = made_arc.release()
PROGRAMS = made_bigcodebench.release()


class Published(NamedTuple):
    """A data set, and what a server may send in place of it."""

    load: Callable[[], Loaded]
    path: str
    cached: str
    tasks: int
    good: bytes
    repacked: bytes
    others: dict[str, bytes]
    other_sources: str


ARC = Published(
    load=arc,
    path=f"/fchollet/ARC-AGI/zip/{ARC_COMMIT}",
    cached=f"arc_agi/{ARC_COMMIT}.zip",
    tasks=18,
    good=made_arc.zipped(TASKS),
    repacked=made_arc.zipped(dict(reversed(TASKS.items())), top="ARC-AGI-another-name"),
    others={
        "other tasks": made_arc.zipped(
            {**TASKS, "training/00000000.json": made_arc.made(0)}
        ),
        "a task less": made_arc.zipped(made_arc.release(11)),
        "no tasks": made_arc.zipped({}),
    },
    other_sources=" Other sources: source=sample or source=PATH to a folder with "
    "training/ and evaluation/ (such as data/ of a clone of the repository), to one "
    "with task files, or to one task file (.json).",
)
BCB = Published(
    load=bigcodebench.bigcodebench,
    path=f"/ethanelasky/BCBPlus/zip/{BCB_COMMIT}",
    cached=f"bigcodebench_plus/{BCB_COMMIT}.zip",
    tasks=12,
    good=made_bigcodebench.zipped(PROGRAMS),
    repacked=made_bigcodebench.zipped(PROGRAMS[::-1], top="another-name"),
    others={
        "another test": made_bigcodebench.zipped(
            [nested(0, test=flat(1)["test"]), *PROGRAMS[1:]]
        ),
        "a task less": made_bigcodebench.zipped(PROGRAMS[1:]),
        "no tasks": made_bigcodebench.zipped([]),
    },
    other_sources=" Other sources: source=sample or source=PATH to a file of tasks "
    "(.jsonl, .json, .parquet), or to a folder with one in each .json file (such as "
    "problems/ of a clone of the repository).",
)
DATA = {"arc": ARC, "bcb_plus": BCB}
FAILURES = [
    pytest.param(data, failure, id=f"{name}, {what}")
    for name, data in DATA.items()
    for what, failure in failing(data.good, data.others).items()
]

each = pytest.mark.parametrize("data", DATA.values(), ids=DATA)


@pytest.fixture(autouse=True)
def pinned(monkeypatch: pytest.MonkeyPatch) -> None:
    """The made-up releases are the published ones, and no server is waited for."""
    quick = Patience(timeout=0.3, retries=1, backoff=0.0)
    monkeypatch.setattr(archive, "Patience", lambda: quick)
    sizes = {(1, "training"): Size(12, 16), (1, "evaluation"): Size(6, 8)}
    monkeypatch.setattr(arc_agi, "PUBLISHED_SIZES", sizes)
    first = arc_agi.RELEASES[1]._replace(sha256=made_arc.sha256(TASKS))
    monkeypatch.setitem(arc_agi.RELEASES, 1, first)
    known = bigcodebench.RELEASES["v1.0.2"]
    known = known._replace(sha256=made_bigcodebench.sha256(PROGRAMS))
    monkeypatch.setitem(bigcodebench.RELEASES, "v1.0.2", known)


@pytest.fixture
def send(monkeypatch: pytest.MonkeyPatch) -> Callable[[Served], None]:
    """Lets a server be taken for GitHub."""

    def taken(server: Served) -> None:
        base = server.url.removesuffix("/data.zip")
        monkeypatch.setattr(archive, "GITHUB", base)

    return taken


Send = Callable[[Served], None]


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_published_is_what_the_repositories_hold_at_a_commit() -> None:
    found = [
        {version: it.archive("x", sha256_of).url for version, it in releases.items()}
        for releases in (arc_agi.RELEASES, bigcodebench.RELEASES)
    ]
    grids = {
        1: f"https://codeload.github.com{ARC.path}",
        2: "https://codeload.github.com/arcprize/ARC-AGI-2/zip/"
        "f3283f727488ad98fe575ea6a5ac981e4a188e49",
    }
    assert found == [grids, {"v1.0.2": f"https://codeload.github.com{BCB.path}"}]


@each
def test_published_is_downloaded_once(data: Published, cache: Path, send: Send) -> None:
    with serve(Reply(data.good)) as server:
        send(server)
        loaded, again = data.load(), data.load()
    assert [s.id for s in loaded.dataset] == [s.id for s in again.dataset]
    assert server.requests == [data.path]
    assert files(cache) == [cache / data.cached]
    assert loaded.provenance["tasks"] == len(loaded.dataset) == data.tasks


def test_where_published_tasks_come_from_is_in_the_provenance(
    cache: Path, send: Send
) -> None:
    with serve(Reply(ARC.good), Reply(BCB.good)) as server:
        send(server)
        grids, programs = ARC.load(), BCB.load()
        assert len(arc("1", "evaluation").dataset) == 6
        assert bigcodebench.bigcodebench("bcb_plus", "v1.0.2").provenance == (
            programs.provenance
        )
    assert grids.provenance == {
        "source": "published",
        "repository": "fchollet/ARC-AGI",
        "commit": ARC_COMMIT,
        "version": 1,
        "split": "both",
        "sha256": made_arc.sha256(TASKS),
        "tasks": 18,
        "grids": 24,
    }
    assert programs.provenance == {
        "source": "published",
        "repository": "ethanelasky/BCBPlus",
        "commit": BCB_COMMIT,
        "dataset": "bcb_plus",
        "version": "v1.0.2",
        "sha256": made_bigcodebench.sha256(PROGRAMS),
        "verified": True,
        "tasks": 12,
        "tests": 24,
        "excluded": {},
    }


@each
def test_the_same_tasks_packed_otherwise_are_the_published_ones(
    data: Published, cache: Path, send: Send
) -> None:
    with serve(Reply(data.repacked)) as server:
        send(server)
        assert len(data.load().dataset) == data.tasks


@pytest.mark.parametrize(("data", "failure"), FAILURES)
def test_published_that_cannot_be_had_names_the_other_sources(
    data: Published, failure: Failing, cache: Path, send: Send
) -> None:
    with serve(failure.reply) as server:
        send(server)
        with pytest.raises(InputError, match=failure.reason) as caught:
            data.load()
    assert len(server.requests) == failure.requests
    assert caught.value.message.endswith(data.other_sources)
    assert files(cache) == []


@each
def test_a_damaged_file_in_the_cache_is_replaced(
    data: Published, cache: Path, send: Send
) -> None:
    path = cache / data.cached
    path.parent.mkdir(parents=True)
    path.write_bytes(data.good[:100])
    with serve(Reply(data.good)) as server:
        send(server)
        assert len(data.load().dataset) == data.tasks
    assert path.read_bytes() == data.good


@pytest.mark.parametrize("split", ["evaluation", "both"])
def test_published_tasks_are_counted(
    split: str, cache: Path, send: Send, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = {**arc_agi.PUBLISHED_SIZES, (1, "evaluation"): Size(6, 9)}
    monkeypatch.setattr(arc_agi, "PUBLISHED_SIZES", sizes)
    said = "evaluation of version 1 has 6 tasks with 8 test inputs, and should have 6"
    with serve(Reply(ARC.good)) as server:
        send(server)
        with pytest.raises(InputError, match=said):
            arc(split=split)
        assert len(arc(split="training").dataset) == 12
