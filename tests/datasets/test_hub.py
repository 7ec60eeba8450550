"""What is taken from Hugging Face, whose hub these tests replace."""

import logging
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from inspect_debate.datasets import bigcodebench as module
from inspect_debate.datasets.bigcodebench import bigcodebench
from inspect_debate.datasets.clasheval import clasheval
from inspect_debate.datasets.questions import questions
from inspect_debate.datasets.realmistake import realmistake
from inspect_debate.datasets.sources import content_sha256
from inspect_debate.debate.errors import InputError
from tests.datasets.hub import COMMIT, ERRORS, break_hub, datasets, replace_hub
from tests.datasets.made_bigcodebench import flat, nested, release, write_jsonl
from tests.datasets.made_clasheval import PUBLISHED, made_records
from tests.datasets.made_questions import (
    IN_WORDS,
    about_passages,
    by_id,
    dump,
    in_words,
    right,
    saved,
)
from tests.datasets.made_up import (
    FILES,
    FOLDERS,
    TABLE,
    Record,
    benchmark,
    examples,
    ids,
    metadata,
)

PLUS = "bubbleresearch/bigcodebench-plus"


def file_of(records: list[Any], folder: Path) -> Callable[[], str]:
    return lambda: write_jsonl(records, folder)


@pytest.fixture
def six(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The published BigCodeBench has six tasks."""
    monkeypatch.setattr(module, "ORIGINAL_TASKS", 6)
    return [flat(number) for number in range(6)]


@pytest.mark.parametrize(
    ("version", "split"), [(None, "v0.1.4"), ("v0.1.0_hf", "v0.1.0_hf")]
)
def test_the_original(
    version: str | None, split: str, six: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = replace_hub(monkeypatch, six)
    loaded = bigcodebench("bcb", version)
    assert asked == [
        ("info", "bigcode/bigcodebench", None),
        ("load", "bigcode/bigcodebench", {"split": split, "revision": COMMIT}),
    ]
    assert loaded.provenance == {
        "source": "published",
        "dataset": "bcb",
        "repository": "bigcode/bigcodebench",
        "revision": COMMIT,
        "version": split,
        "sha256": content_sha256(six),
        "verified": False,
        "tasks": 6,
        "tests": 12,
        "excluded": {},
    }
    assert {metadata(s)["dataset_version"] for s in loaded.dataset} == {split}
    assert {*ids(loaded.dataset)} == {f"bcb-{n}" for n in range(6)}


def test_the_original_is_counted_and_its_rows_are_named(
    six: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_hub(monkeypatch, six[1:])
    with pytest.raises(InputError, match="has 5 tasks, and should have 6"):
        bigcodebench("bcb")
    del six[3]["test"]
    replace_hub(monkeypatch, six)
    message = r"^bigcode/bigcodebench/v0\.1\.4, row 4 \(BigCodeBench/3\) .* needs test"
    with pytest.raises(InputError, match=message):
        bigcodebench("bcb")


@pytest.mark.parametrize("version", ["v0.1.0", COMMIT, 1234567])
def test_another_version_of_the_plus(
    version: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = replace_hub(monkeypatch, None, file_of(release(), tmp_path))
    loaded = bigcodebench(version=version)
    assert asked == [
        ("info", PLUS, str(version)),
        ("download", PLUS, "tasks.jsonl", {"repo_type": "dataset", "revision": COMMIT}),
    ]
    provenance = {
        "source": "published",
        "repository": PLUS,
        "revision": COMMIT,
        "version": str(version),
        "verified": False,
        "tasks": 12,
    }
    assert provenance.items() <= loaded.provenance.items()
    assert {*ids(loaded.dataset)} == {f"bcbplus-{n}" for n in range(12)}


def test_published_tasks_without_solution_are_left_out_and_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    records = release(4)
    del (
        records[1]["content"]["canonical_solution"],
        records[1]["content"]["entry_point"],
    )
    records[2]["content"]["canonical_solution"] = None
    replace_hub(monkeypatch, None, file_of(records, tmp_path))
    provenance = bigcodebench(version="v0.1.0").provenance
    assert provenance["tasks"] == 2
    assert provenance["excluded"] == {
        "BigCodeBench/1": "lacks canonical_solution and entry_point",
        "BigCodeBench/2": "lacks canonical_solution",
    }
    assert provenance["sha256"] == content_sha256(records)
    with pytest.raises(InputError, match="it needs canonical_solution, a text"):
        bigcodebench(source=str(tmp_path / "tasks.jsonl"))
    # Those that are broken otherwise are refused.
    replace_hub(monkeypatch, None, file_of([nested(1, test="x = 1")], tmp_path))
    message = rf"^{PLUS}/tasks\.jsonl, line 1 \(BigCodeBench/1\): .* no class TestCases"
    with pytest.raises(InputError, match=message):
        bigcodebench(version="v0.1.0")


@pytest.mark.parametrize("revision", [None, "v1.0", 1234567])
def test_the_resolved_revision_is_loaded_and_told(
    revision: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = replace_hub(monkeypatch, {"train": list(made_records(6))})
    loaded = clasheval(revision=revision, questions=36)
    assert asked == [
        ("info", "kewu93/ClashEval", revision and str(revision)),
        ("load", "kewu93/ClashEval", {"revision": COMMIT}),
    ]
    provenance = {
        "source": "published",
        "dataset": "kewu93/ClashEval",
        "revision": COMMIT,
    }
    assert provenance.items() <= loaded.provenance.items()
    assert len(loaded.dataset) == 72


def test_splits_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    records = list(made_records({"names": 10}))
    replace_hub(monkeypatch, {"train": records[:20], "test": records[20:]})
    found = [*map(metadata, clasheval().dataset)]
    assert len(found) == 20
    for sample in found:
        number = int(sample["passage"].split()[1])
        assert sample["split"] == ("train" if number < 5 else "test")


def test_questions_that_are_not_there_are_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As where passages are withheld for their licence."""
    expected = dict.fromkeys(PUBLISHED, 30)
    module = "inspect_debate.datasets.clasheval"
    monkeypatch.setattr(f"{module}.PUBLISHED_QUESTIONS", expected)
    records = list(made_records(expected | {"years": 20}))
    for record in records:
        if record["dataset"] == "news" and "number 1" in record["question"]:
            record["context_original"] = record["context_mod"] = ""
    withheld = 11  # 1 and 10 to 19
    replace_hub(monkeypatch, {"train": records})
    with caplog.at_level(logging.WARNING):
        loaded = clasheval(questions=12)
    provenance = loaded.provenance
    assert provenance["missing"] == {"news": withheld, "years": 10}
    assert provenance["questions"] == expected | {"news": 30 - withheld, "years": 20}
    assert provenance["left_out"] == {
        "rows": {"withheld context": {"news": 11 * withheld}},
        "questions": {"withheld context": {"news": withheld}},
    }
    assert [record.getMessage() for record in caplog.records] == [
        f"ClashEval: rows without a passage left out: news {11 * withheld}.",
        "ClashEval: fewer questions with passages than were published, by "
        f"news {withheld}, years 10.",
    ]


def test_warnings_of_what_was_published(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """None where all is there; one where degrees are measured on the answers."""
    replace_hub(monkeypatch, {"train": list(made_records({"names": 200}))})
    with caplog.at_level(logging.WARNING):
        provenance = clasheval(domains="names", questions=10).provenance
    assert (provenance["questions"], provenance["missing"]) == ({"names": 200}, {})
    assert caplog.text == ""
    records = list(made_records({"drugs": 6}))
    factors = list(dict.fromkeys(record["mod_degree"] for record in records))
    for record in records:
        record["mod_degree"] = str(factors.index(record["mod_degree"]))
    replace_hub(monkeypatch, {"train": records})
    with caplog.at_level(logging.WARNING):
        provenance = clasheval(domains="drugs", questions=6).provenance
    assert provenance["measured"] == ["drugs"]
    assert "it is measured on the answers of drugs" in caplog.text


@pytest.mark.parametrize(
    ("column", "named"),
    [("context_mod", "'context_mod'"), ("mod_degree", "'mod_degree' or 'mod_type'")],
)
def test_another_schema(
    column: str, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = list(made_records({"names": 6}))
    for record in records:
        del record[column]
    replace_hub(monkeypatch, {"train": records})
    with pytest.raises(InputError, match=f"^kewu93/ClashEval .* lacks {named};"):
        clasheval()


@pytest.fixture(autouse=True)
def offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No network, and a cache of the test's own."""
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)


def test_a_local_file_through_datasets(tmp_path: Path) -> None:
    path = saved(in_words(), tmp_path / "rooms.jsonl")
    loaded = questions(f"huggingface:{path}", IN_WORDS, seed=4)
    assert dump(loaded) == dump(questions(path, IN_WORDS, seed=4))
    provenance = {
        "source": "huggingface",
        "file": "rooms.jsonl",
        "split": "train",
        "fields": IN_WORDS,
        "rows": 12,
        "groups": 3,
    }
    assert provenance.items() <= loaded.provenance.items()
    assert len(loaded.provenance["sha256"]) == 64
    assert str(tmp_path) not in str(loaded.provenance)


@pytest.mark.parametrize("ending", ["csv", "json", "parquet"])
def test_kinds_of_files(ending: str, tmp_path: Path) -> None:
    path = saved(about_passages(), tmp_path / f"farms.{ending}")
    loaded = questions(f"huggingface:{path}")
    assert len(loaded.dataset) == 12
    assert {right(s) for s in loaded.dataset} == {
        row["answer"] for row in about_passages()
    }


def test_a_folder_with_splits(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    saved(about_passages(9), folder / "train.jsonl")
    saved(about_passages(3), folder / "test.jsonl")
    loaded = questions(f"huggingface:{folder}:test")
    assert len(loaded.dataset) == 3
    provenance = {"file": "data", "split": "test", "rows": 3}
    assert provenance.items() <= loaded.provenance.items()
    assert len(questions(f"huggingface:{folder}:train[:5]").dataset) == 5
    with pytest.raises(InputError, match=r'could not be loaded .*split "dev"'):
        questions(f"huggingface:{folder}:dev")


def test_a_saved_data_set(tmp_path: Path) -> None:
    whole = datasets.Dataset.from_list(about_passages())
    several = datasets.DatasetDict({"a": whole, "b": whole.select([0])})
    whole.save_to_disk(str(tmp_path / "one"))
    several.save_to_disk(str(tmp_path / "two"))
    one = questions(f"huggingface:{tmp_path}/one")
    assert (len(one.dataset), one.provenance["split"]) == (12, None)
    two = questions(f"huggingface:{tmp_path}/two:b")
    assert (len(two.dataset), two.provenance["split"]) == (1, "b")
    ((id, found),) = by_id(two).items()
    same = by_id(one)[id]
    same.metadata = metadata(same) | {"data_name": "two"}
    assert found == same
    with pytest.raises(InputError, match="has the splits a, b, and 'c' is none of"):
        questions(f"huggingface:{tmp_path}/two:c")


def test_the_sha256_is_that_of_the_rows(tmp_path: Path) -> None:
    digests = [
        questions(f"huggingface:{saved(rows, tmp_path / name)}").provenance["sha256"]
        for rows, name in (
            (about_passages(), "a.jsonl"),
            (about_passages(), "b.parquet"),
            (about_passages(11), "c.jsonl"),
        )
    ]
    assert digests[0] == digests[1] != digests[2]


NAMES: dict[str, tuple[str, str | None, str | None, str | None]] = {
    "o/n": ("o/n", None, None, None),
    "o/n:test": ("o/n", None, None, "test"),
    "o/n/c": ("o/n", None, "c", None),
    "o/n/c-1.0:test": ("o/n", None, "c-1.0", "test"),
    "o/n@v1": ("o/n", "v1", None, None),
    "o/n@v1/c:train[:10]": ("o/n", "v1", "c", "train[:10]"),
    "o/n@refs/convert/parquet/c": ("o/n", "refs/convert/parquet", "c", None),
    "o/n@refs/pr/3:test": ("o/n", "refs/pr/3", None, "test"),
    "squad": ("squad", None, None, None),
    "squad@1234567:validation": ("squad", "1234567", None, "validation"),
}


@pytest.mark.parametrize("typed", NAMES)
def test_names_on_the_hub(typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, revision, config, split = NAMES[typed]
    part = datasets.Dataset.from_list(about_passages())
    asked = replace_hub(monkeypatch, part if split else {"only": part})
    loaded = questions(f"huggingface:{typed}")
    assert asked == [
        ("info", name, revision),
        ("load", name, config, {"split": split, "revision": COMMIT}),
    ]
    provenance = {
        "source": "huggingface",
        "dataset": name,
        "revision": COMMIT,
        "config": config,
        "split": split or "only",
    }
    assert provenance.items() <= loaded.provenance.items()
    assert loaded.dataset.name == name


def test_rows_and_columns_of_the_hub_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = about_passages()
    rows[4]["answer"] = "none"
    replace_hub(monkeypatch, {"test": datasets.Dataset.from_list(rows)})
    message = r"12 rows of o/n cannot .* out\. o/n/test, row 5: its answer is none"
    with pytest.raises(InputError, match=message):
        questions("huggingface:o/n")
    with pytest.raises(InputError, match="in o/n the column 'task' is not known; allo"):
        questions("huggingface:o/n", {"question": "task"})


def test_images_are_not_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [row | {"seen": {"bytes": b"no image"}} for row in about_passages(3)]
    text = datasets.Value("string")
    kinds = {"choices": datasets.List(text), "seen": datasets.Image()}
    features = datasets.Features({name: kinds.get(name, text) for name in rows[0]})
    replace_hub(monkeypatch, {"t": datasets.Dataset.from_list(rows, features=features)})
    assert len(questions("huggingface:o/n").dataset) == 3


@pytest.mark.parametrize("where", ["hub", "saved", "parquet"])
def test_class_labels_have_their_names(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["entailment", "neutral", "contradiction"]
    kinds = {"question": datasets.Value("string")}
    features = datasets.Features(kinds | {"label": datasets.ClassLabel(names=names)})
    rows = [{"question": f"{n}?", "label": n - 1} for n in range(4)]
    made = datasets.Dataset.from_list(rows, features=features)
    if where == "hub":
        replace_hub(monkeypatch, {"t": made})
        asked = "huggingface:o/n"
    elif where == "saved":
        made.save_to_disk(str(tmp_path / "nli"))
        asked = f"huggingface:{tmp_path}/nli"
    else:
        asked = str(tmp_path / "nli.parquet")
        made.to_parquet(asked)
    with pytest.raises(InputError, match=r"(row|record) 1: it has no answer"):
        questions(asked)  # -1 is what hidden labels are called
    loaded = questions(asked, {"skip_bad": True, "shuffle": False})
    found = {str(s.input): (s.choices, right(s)) for s in loaded.dataset}
    assert found == {f"{n + 1}?": (names, name) for n, name in enumerate(names)}
    assert loaded.provenance["fields"]["labels"] == {name: name for name in names}


def test_huggingface_is_the_same_data_without_the_examples(
    archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The paper's three examples are copies of records, wherever they stand."""
    asked = []

    def load_dataset(path: str, name: str, split: str) -> list[Record]:
        asked.append((path, name, split))
        rows = benchmark()[f"{name}/{FILES[split]}.jsonl"]
        copies = [e for e in examples() if e in rows]
        return [*copies, *rows, *copies]

    monkeypatch.setattr(datasets, "load_dataset", load_dataset)
    loaded = realmistake("huggingface", response_author="both")
    assert ids(loaded) == ids(realmistake(str(archive), response_author="both"))
    assert sorted(asked) == sorted(
        ("ryokamoi/realmistake", folder, split)
        for folder in FOLDERS.values()
        for split in FILES
    )


def test_huggingface_is_counted_and_its_rows_are_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = benchmark()[TABLE]
    other = deepcopy(rows[0]) | {"llm_response": "Something else."}
    lacking = {k: v for k, v in rows[4].items() if k != "human_explanation"}
    for given, message in (
        (rows[:-1], "math/gpt4 has 139 items"),
        ([*rows, other], "has 2 records of id"),
        ([*rows[:4], lacking, *rows[5:]], r"realmistake/math_.*/gpt4, row 5: .*lacks"),
    ):
        monkeypatch.setattr(datasets, "load_dataset", lambda *_, g=given, **__: g)
        with pytest.raises(InputError, match=message):
            realmistake("huggingface", subset="math")


BCB_PATHS = (
    "a file of tasks (.jsonl, .json, .parquet), or to a folder with one in each .json "
    "file (such as problems/ of a clone of the repository)."
)
UNREACHABLE: dict[str, tuple[Callable[[], object], str]] = {
    "bcb": (
        lambda: bigcodebench("bcb", "v9"),
        "Version 'v9' of Hugging Face's bigcode/bigcodebench could not be loaded (Out "
        f"of reach). Other sources: source=sample or source=PATH to {BCB_PATHS}",
    ),
    "bcb_plus": (
        lambda: bigcodebench("bcb_plus", "v9"),
        f"Version 'v9' of Hugging Face's {PLUS} could not be loaded (Out of reach). "
        f"Other sources: source=sample or source=PATH to {BCB_PATHS}",
    ),
    "clasheval": (
        lambda: clasheval(revision="v9"),
        "Hugging Face's kewu93/ClashEval at revision 'v9' could not be loaded (Out of "
        "reach). Other sources: source=sample or source=PATH to a .parquet, .csv or "
        ".jsonl file of its schema.",
    ),
    "questions": (
        lambda: questions("huggingface:o/n"),
        "Hugging Face's o/n could not be loaded (Out of reach).",
    ),
    "realmistake": (
        lambda: realmistake("huggingface"),
        "Hugging Face's ryokamoi/realmistake could not be loaded (Out of reach). "
        "It is gated: agree to its terms at "
        "https://huggingface.co/datasets/ryokamoi/realmistake and log in with `hf auth "
        "login`. Other sources: source=published, source=sample or source=PATH to "
        "data.zip, its unpacked folder or one .jsonl.",
    ),
}


@pytest.mark.parametrize("place", ["info", "load"])
@pytest.mark.parametrize("kind", ERRORS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize(("load", "message"), UNREACHABLE.values(), ids=[*UNREACHABLE])
def test_a_hub_that_cannot_be_had(
    load: Callable[[], object],
    message: str,
    kind: Any,
    place: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if "realmistake" in message and place == "info":
        pytest.skip("it has no revisions")
    break_hub(monkeypatch, place, kind)
    with pytest.raises(InputError) as caught:
        load()
    assert caught.value.message == message
