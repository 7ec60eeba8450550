import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from inspect_debate.datasets import realmistake as realmistake_sources
from inspect_debate.datasets.archive import Pinned
from inspect_debate.datasets.realmistake import provenance, realmistake
from inspect_debate.debate.errors import InputError
from tests.datasets.loopback import Reply, serve
from tests.datasets.made_up import (
    ITEMS,
    TABLE,
    Record,
    benchmark,
    examples,
    ids,
    lines,
    unpacked,
    zipped,
)
from tests.datasets.zipcrypto import encrypted_zip


def test_the_same_data_from_every_kind_of_path(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspect_debate.debate.paths.STARTED_IN", tmp_path)
    unpacked(benchmark(), tmp_path / "near/data")
    (tmp_path / "all.jsonl").write_bytes(
        lines(record for records in benchmark().values() for record in records)
    )
    expected = ids(realmistake(str(archive)))
    assert len(expected) == 420
    for typed in ("near", "near/data", "near/data/", "all.jsonl"):
        assert ids(realmistake(typed)) == expected


def test_one_jsonl_may_be_any_part(tmp_path: Path) -> None:
    path = tmp_path / "example.jsonl"
    path.write_bytes(lines(examples()))
    assert set(ids(realmistake(str(path)))) == {
        example["metadata"]["id"] for example in examples()
    }
    with pytest.raises(InputError, match="has no record of math/llama2"):
        realmistake(str(path), subset="math", response_author="llama2")


def lacking(files: dict[str, list[Record]]) -> None:
    files[TABLE].pop()


def relabelled(files: dict[str, list[Record]]) -> None:
    files[TABLE][0]["error_label"] = "no_error"


def misplaced(files: dict[str, list[Record]]) -> None:
    files[TABLE] = files[TABLE.replace("gpt-4-0613", "Llama-2-70b-chat-hf")]


def doubled(files: dict[str, list[Record]]) -> None:
    files[TABLE][1]["metadata"]["id"] = files[TABLE][0]["metadata"]["id"]


@pytest.mark.parametrize("kind", ["archive", "folder"])
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lacking, "math/gpt4 has 139 items, 87 of them.* have 140 and 87"),
        (relabelled, "math/gpt4 has 140 items, 86 of them"),
        (misplaced, "math/gpt4 has 0 items"),
        (doubled, "has 2 records of id 'math_problem_generation_0_gpt-4-0613'"),
    ],
)
def test_a_whole_benchmark_is_counted(
    change: Callable[[dict[str, list[Record]]], None],
    said: str,
    kind: str,
    tmp_path: Path,
) -> None:
    files = benchmark()
    change(files)
    path = tmp_path / "data.zip"
    path.write_bytes(zipped(files))
    if kind == "folder":
        path = unpacked(files, tmp_path / "data")
    with pytest.raises(InputError, match=said):
        realmistake(str(path))
    assert len(realmistake(str(path), subset="fact")) == 140


def test_the_sample_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    class Cut:
        def __truediv__(self, name: str) -> "Cut":
            return self

        def read_bytes(self) -> bytes:
            return lines(ITEMS[1:])

    monkeypatch.setattr("importlib.resources.files", lambda _: Cut())
    with pytest.raises(InputError, match="has 6 items"):
        realmistake("sample", response_author="both")


BROKEN = {
    "password": (lambda: zipped(benchmark(), "another"), "the password|is damaged"),
    "no zip": (lambda: b"not a zip", "no zip archive"),
    "no task": (lambda: encrypted_zip({"x": b"1"}, "p"), "has no file data/math_word"),
    "no JSON": (
        lambda: encrypted_zip({f"data/{TABLE}": b"1,2\n"}, "open-realmistake"),
        "data.zip/data/math_word_problem_generation/gpt-4-0613.jsonl, line 1 is not",
    ),
}


@pytest.mark.parametrize(("content", "said"), BROKEN.values(), ids=BROKEN)
def test_a_broken_archive(
    content: Callable[[], bytes], said: str, tmp_path: Path
) -> None:
    path = tmp_path / "data.zip"
    path.write_bytes(content())
    with pytest.raises(InputError, match=said):
        realmistake(str(path))


# --- the published archive -----------------------------------------------------------


def pin(monkeypatch: pytest.MonkeyPatch, url: str, content: bytes) -> None:
    pinned = Pinned(url, hashlib.sha256(content).hexdigest(), "realmistake/data.zip")
    monkeypatch.setattr(realmistake_sources, "PUBLISHED", pinned)


def test_published_is_downloaded_once_and_stays_encrypted(
    archive: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = archive.read_bytes()
    with serve(Reply(content)) as server:
        pin(monkeypatch, server.url, content)
        assert ids(realmistake()) == ids(realmistake(str(archive)))
        assert len(realmistake(response_author="both")) == 900
    assert len(server.requests) == 1
    assert [path for path in cache.rglob("*") if path.is_file()] == [
        cache / "realmistake/data.zip"
    ]
    assert (cache / "realmistake/data.zip").read_bytes() == content


def test_published_that_cannot_be_had_names_the_other_sources(
    archive: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(Reply(b"other bytes")) as server:
        pin(monkeypatch, server.url, archive.read_bytes())
        with pytest.raises(InputError) as caught:
            realmistake()
    assert caught.value.message.endswith(
        "Other sources: source=huggingface, source=sample or source=PATH to data.zip, "
        "its unpacked folder or one .jsonl."
    )


def test_published_is_what_the_authors_pinned() -> None:
    assert realmistake_sources.PUBLISHED.url == (
        "https://github.com/psunlpgroup/ReaLMistake/raw/"
        "f94a8b978926414deb1dcf6b50076fd06c892192/data.zip"
    )


# --- provenance ----------------------------------------------------------------------


def test_provenance(archive: Path) -> None:
    assert provenance("published") == {
        "source": "published",
        "url": "https://github.com/psunlpgroup/ReaLMistake/raw/"
        "f94a8b978926414deb1dcf6b50076fd06c892192/data.zip",
        "commit": "f94a8b978926414deb1dcf6b50076fd06c892192",
        "sha256": "84621a2898fe3ff9ad4162a00e44a19d586ff5ad39ff4a785c79b28d06d9159a",
    }
    assert provenance("huggingface") == {
        "source": "huggingface",
        "dataset": "ryokamoi/realmistake",
    }
    assert provenance("sample") == {
        "source": "sample",
        "file": "realmistake_sample.jsonl",
    }
    assert provenance(str(archive)) == {
        "source": "path",
        "file": "data.zip",
        "sha256": hashlib.sha256(archive.read_bytes()).hexdigest(),
    }
    assert provenance(str(archive.parent)) == {
        "source": "path",
        "file": archive.parent.name,
    }
    with pytest.raises(InputError):
        provenance("publishd")
