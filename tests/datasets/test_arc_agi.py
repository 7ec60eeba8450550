import io
import json
import os
import zipfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from inspect_debate.datasets import download
from inspect_debate.datasets.arc_agi import RELEASES, arc_agi
from inspect_debate.datasets.common import Sourced
from inspect_debate.datasets.download import json_sha256
from inspect_debate.debate.errors import InputError

DATA = os.environ.get("INSPECT_DEBATE_DATA")
Value = dict[str, Any]


def made(number: int, tests: int = 1) -> Value:
    """A task whose rule is to turn the grid upside down."""
    rows = [[number % 10, number // 10 % 10, cell] for cell in range(2, 4 + tests)]
    pairs = [{"input": [r, [0, 0, 1]], "output": [[0, 0, 1], r]} for r in rows]
    return {"train": pairs[:2], "test": pairs[2:]}


def tasks(training: int = 12, evaluation: int = 6) -> dict[str, Value]:
    """Every third has two test inputs."""
    numbers = {"training": range(training), "evaluation": range(50, 50 + evaluation)}
    return {
        f"{split}/{n:08x}.json": made(n, 2 if n % 3 == 0 else 1)
        for split, those in numbers.items()
        for n in those
    }


def write(content: Mapping[str, object], folder: Path) -> str:
    for name, value in content.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value))
    return str(folder)


def ids(data: Sourced) -> list[str]:
    return [str(sample.id) for sample in data]


def column(data: Sourced, name: str) -> list[Any]:
    return [(sample.metadata or {})[name] for sample in data]


BELOW = "\n0 0 1\n\n"
TEXT = (
    f"Example 1\n\nInput:\n1 0 2{BELOW}Output:\n0 0 1\n1 0 2\n\n"
    f"Example 2\n\nInput:\n1 0 3{BELOW}Output:\n0 0 1\n1 0 3\n\n"
    f"Test input 1:\n1 0 4{BELOW}Test input 2:\n1 0 5\n0 0 1"
)


def test_a_sample(tmp_path: Path) -> None:
    value = made(1, 2) | {"name": "left out"}
    (sample,) = arc_agi(source=write({"training/007bbfb7.json": value}, tmp_path))
    assert (sample.id, sample.input) == ("arcown-007bbfb7", TEXT)
    assert sample.target == "[[[0, 0, 1], [1, 0, 4]], [[0, 0, 1], [1, 0, 5]]]"
    assert sample.metadata == {
        **{"dataset": "arc", "version": "own", "split": "training"},
        **{"answer_kind": "grids", "test_inputs": ["1 0 4\n0 0 1", "1 0 5\n0 0 1"]},
        "grids": 2,
    }


def test_the_seed_decides_and_every_prefix_is_balanced(tmp_path: Path) -> None:
    one = write(tasks(40, 20), tmp_path / "one")
    other = write(dict(reversed(tasks(40, 20).items())), tmp_path / "other")
    data = arc_agi(source=one)
    assert ids(data) == ids(arc_agi(source=other)) != ids(arc_agi(source=one, seed=1))
    for name in ("split", "grids"):
        kinds = column(data, name)
        for kind, count in Counter(kinds).items():
            for end in range(1, 61):
                assert abs(kinds[:end].count(kind) - count * end / 60) <= 2.5


PAIR = {"input": [[0]], "output": [[9] * 30] * 30}
CELLS = (-1, 10, 1.0, True, "1", None)
GRIDS: tuple[object, ...] = ([], [[]], [1], "1", [[1, 2], [3]], [[0] * 31], [[0]] * 31)


def test_what_is_not_a_task(tmp_path: Path) -> None:
    right: Value = {"train": [PAIR], "test": [PAIR]}
    assert len(arc_agi(source=write({"x.json": right}, tmp_path))) == 1
    wrong: list[tuple[Value, str]] = [
        *(({"test": []}, "test"), ({"train": None}, "train")),
        ({"test": [{"input": [[1]]}]}, "test.0.output"),
    ]
    for grid in (*GRIDS, *([[cell]] for cell in CELLS)):
        wrong.append(({"test": [PAIR, PAIR | {"output": grid}]}, "test.1.output"))
    for change, named in wrong:
        write({"x.json": right | change}, tmp_path)
        with pytest.raises(InputError, match=f"x.json .*{named}"):
            arc_agi(source=str(tmp_path))


def test_folders_and_files(tmp_path: Path) -> None:
    write(tasks(), tmp_path / "clone/data")
    write({"README.md": "", "apps/x.json": "{}"}, tmp_path / "clone")
    whole = arc_agi(source=str(tmp_path / "clone"))
    assert whole.provenance == {
        **{"source": "path", "file": "clone", "version": "own", "split": "both"},
        "sha256": json_sha256(tasks().items()),
        **{"verified": False, "tasks": 18},
    }
    assert ids(arc_agi(source=str(tmp_path / "clone/data"))) == ids(whole)
    part = arc_agi(split="evaluation", source=str(tmp_path / "clone"))
    assert ids(part) == ids(arc_agi(source=str(tmp_path / "clone/data/evaluation")))
    assert column(part, "split") == ["evaluation"] * 6
    own = write({"a.json": made(1), "b.json": made(2), "c.txt": ""}, tmp_path / "own")
    assert sorted(ids(arc_agi(source=own))) == ["arcown-a", "arcown-b"]
    assert column(arc_agi(source=f"{own}/b.json"), "split") == ["own"]
    with pytest.raises(InputError, match="version=2"):
        arc_agi(version=2, source=own)


@pytest.fixture
def github(server: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A server whose release of version 1 is made up."""
    monkeypatch.setattr(download, "GITHUB", server.url.rpartition("/")[0])
    made_up = RELEASES[1]._replace(sha256=json_sha256(tasks().items()))
    monkeypatch.setitem(RELEASES, 1, made_up)
    return server


@pytest.mark.usefixtures("github")
def test_a_version_is_found_by_content(tmp_path: Path) -> None:
    source = write(tasks(), tmp_path / "data")
    found = arc_agi(source=source, split="training")
    assert (found.provenance["version"], found.provenance["verified"]) == (1, True)
    assert all(id.startswith("arc1-") for id in ids(found))
    write({"training/00000001.json": made(9)}, tmp_path / "data")
    found = arc_agi(source=source)
    assert (found.provenance["version"], found.provenance["verified"]) == ("own", False)


def test_faults_of_the_input(tmp_path: Path) -> None:
    bad = write({"bad.json": "{", "deep.json": "[" * 100_000}, tmp_path / "bad")
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("split='test'", {"split": "test"}),
        ("version=3", {"version": 3}),
        ("version=1", {"version": 1, "source": "sample"}),
        ("training", {"split": "training", "source": "sample"}),
        ("Did you mean 'published'", {"source": "publishd"}),
        ("bad.json", {"source": bad}),
        ("deep.json", {"source": f"{bad}/deep.json"}),
        ("no task files", {"source": str(tmp_path)}),
    ]
    for named, arguments in wrong:
        with pytest.raises(InputError, match=named):
            arc_agi(**arguments)


def zipped(content: Mapping[str, Any], indent: int = 0) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("", "data/a.txt", "apps/data/training/no.json"):
            archive.writestr(f"top/{name}", "no task")
        for name, value in content.items():
            archive.writestr(f"top/data/{name}", json.dumps(value, indent=indent))
    return packed.getvalue()


def test_a_download(github: Any, cache: Path) -> None:
    right, less = zipped(tasks()), zipped(tasks(11))
    damaged = right[:1000] + bytes(9) + right[1009:]
    failures: list[tuple[str, dict[str, Any]]] = [
        *(("sha256", {"body": body}) for body in (less, damaged, b"<html>")),
        ("404", {"status": 404}),
        ("closed", {"status": 200, "body": right[:99], "claimed": len(right)}),
    ]
    for named, behaviour in failures:
        vars(github).update(behaviour)
        with pytest.raises(InputError, match=named):
            arc_agi()
        assert not [path for path in cache.rglob("*") if path.is_file()]
    # Other bytes with the same values are right.
    vars(github).update(body=zipped(tasks(), indent=3), claimed=None, requests=0)
    assert len(arc_agi()) == 18
    assert arc_agi(split="evaluation").provenance == {
        **{"source": "published", "repository": RELEASES[1].repository},
        **{"commit": RELEASES[1].commit, "version": 1, "split": "evaluation"},
        **{"sha256": RELEASES[1].sha256, "verified": True, "tasks": 6},
    }
    assert github.requests == 1


# By version and split: tasks by the number of their test inputs.
COUNTS = {
    (1, "training"): {1: 386, 2: 12, 3: 2},
    (1, "evaluation"): {1: 381, 2: 19},
    (2, "training"): {1: 931, 2: 63, 3: 5, 4: 1},
    (2, "evaluation"): {1: 75, 2: 43, 3: 2},
}


@pytest.mark.skipif(not DATA, reason="needs INSPECT_DEBATE_DATA")
def test_published_counts() -> None:
    first, second = (arc_agi(source=f"{DATA}/arc_agi_{n}") for n in RELEASES)
    for (version, split), expected in COUNTS.items():
        data = (first, second)[version - 1]
        assert (data.provenance["version"], data.provenance["verified"]) == (version, 1)
        splits = zip(column(data, "split"), column(data, "grids"), strict=True)
        counts = Counter(grids for name, grids in splits if name == split)
        assert counts == expected
    assert len({*ids(first), *ids(second)}) == 1920
    shared = {id[5:] for id in ids(first)} & {id[5:] for id in ids(second)}
    assert len(shared) == 391 + 376 + 6


def test_what_ships() -> None:
    data = arc_agi(source="sample")
    assert {*column(data, "split")} == {"sample"}
    assert sorted(column(data, "grids")) == [1] * 11 + [2, 2, 3]
    # Of tasks whose outputs were once compared with those of rules written anew.
    assert data.provenance["sha256"].startswith("15158cd29d97cb93")
