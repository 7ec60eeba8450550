"""The released data, where `INSPECT_DEBATE_DATA` says they are: figures, no texts."""

from collections import Counter
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import pytest
from inspect_ai.dataset import Sample

from inspect_debate.datasets import realmistake as realmistake_sources
from inspect_debate.datasets.archive import read_member, sha256_of
from inspect_debate.datasets.realmistake import realmistake
from inspect_debate.datasets.sources import read_jsonl
from inspect_debate.debate.seeds import fingerprint
from tests.datasets.made_up import ids, metadata
from tests.support.released import DATA

pytestmark = pytest.mark.released
ARCHIVE = DATA / "realmistake/data.zip"


class Facts(NamedTuple):
    """Of one cell: counts, and whitespace-separated words on average, rounded."""

    items: int
    errors: int
    words_in: int
    words_out: int
    leading_space: int
    errors_without_category: int
    categories_without_error: int
    explanations_without_error: int
    errors_without_explanation: int
    easy: int
    categories: dict[str, int]


REASONING = "Reasoning Correctness"
INSTRUCTION = "Instruction-Following"
CONTEXT = "Context-Faithfulness"
KNOWLEDGE = "Parameterized Knowledge"
CELLS = {
    ("math", "gpt4"): Facts(
        *(140, 87, 252, 151, 0, 0, 0, 0, 0, 20),
        {INSTRUCTION: 80, REASONING: 35},
    ),
    ("fact", "gpt4"): Facts(
        *(140, 88, 523, 83, 0, 0, 0, 0, 0, 17),
        {CONTEXT: 63, REASONING: 36, INSTRUCTION: 8},
    ),
    ("answerability", "gpt4"): Facts(
        *(140, 87, 119, 75, 0, 0, 1, 2, 0, 24),
        {KNOWLEDGE: 57, REASONING: 31, CONTEXT: 12},
    ),
    ("math", "llama2"): Facts(
        *(160, 128, 235, 163, 145, 3, 0, 1, 0, 40),
        {INSTRUCTION: 108, REASONING: 82},
    ),
    ("fact", "llama2"): Facts(
        *(160, 129, 511, 168, 140, 0, 0, 0, 1, 37),
        {REASONING: 91, CONTEXT: 73, INSTRUCTION: 71},
    ),
    ("answerability", "llama2"): Facts(
        *(160, 130, 119, 96, 90, 2, 0, 0, 0, 44),
        {REASONING: 77, KNOWLEDGE: 77},
    ),
}


@pytest.fixture(scope="module")
def released() -> list[Sample]:
    return list(realmistake(str(ARCHIVE), response_author="both"))


def texts(sample: Sample) -> tuple[str, str]:
    assert not isinstance(sample.input, str)
    task, response = sample.input
    return task.text, response.text


@pytest.mark.parametrize("cell", CELLS, ids="/".join)
def test_facts_of_a_cell(cell: tuple[str, str]) -> None:
    subset, author = cell
    samples = list(realmistake(str(ARCHIVE), subset, author))
    wrong = [sample for sample in samples if sample.target == "error"]
    right = [sample for sample in samples if sample.target == "no_error"]
    assert CELLS[cell] == Facts(
        items=len(samples),
        errors=len(wrong),
        words_in=round(mean(len(texts(s)[0].split()) for s in samples)),
        words_out=round(mean(len(texts(s)[1].split()) for s in samples)),
        leading_space=sum(texts(s)[1].startswith(" ") for s in samples),
        errors_without_category=sum(not metadata(s)["categories"] for s in wrong),
        categories_without_error=sum(bool(metadata(s)["categories"]) for s in right),
        explanations_without_error=sum(bool(metadata(s)["explanation"]) for s in right),
        errors_without_explanation=sum(not metadata(s)["explanation"] for s in wrong),
        easy=sum(metadata(s)["difficulty"] == "easy" for s in samples),
        categories=dict(Counter(c for s in samples for c in metadata(s)["categories"])),
    )


def test_label_and_categories_disagree_six_times(released: list[Sample]) -> None:
    disagreeing = [
        sample
        for sample in released
        if (sample.target == "error") != bool(metadata(sample)["categories"])
    ]
    assert len(disagreeing) == 6


def test_texts_are_those_of_the_file(released: list[Sample]) -> None:
    """Also after the messages: they keep spaces, and take nothing for reasoning."""
    by_id = {sample.id: sample for sample in released}
    seen = 0
    for cell in CELLS:
        file = f"data/{realmistake_sources.Subset(*cell).file}"
        content = read_member(ARCHIVE, file, realmistake_sources.PASSWORD)
        for _, record in read_jsonl(content, file):
            assert isinstance(record, dict)
            sample = by_id[record["metadata"]["id"]]
            # Compared as a truth value, so that a failure prints no text of the data.
            same = texts(sample) == (record["input"], record["llm_response"])
            assert same, sample.id
            assert metadata(sample)["fingerprint"] == fingerprint(*texts(sample))
            seen += 1
    assert seen == 900


@pytest.mark.parametrize("subset", ["math", "fact", "answerability"])
def test_every_input_of_gpt4_recurs_with_llama2(subset: str) -> None:
    groups = {
        author: {
            metadata(sample)["input_group"]
            for sample in realmistake(str(ARCHIVE), subset, author)
        }
        for author in ("gpt4", "llama2")
    }
    assert len(groups["gpt4"]) == 140
    assert len(groups["llama2"]) == 160
    assert groups["gpt4"] < groups["llama2"]


def test_the_examples_of_the_paper_are_copies_of_records(
    released: list[Sample],
) -> None:
    """So the benchmark without repeated records is the benchmark without them."""
    content = read_member(ARCHIVE, "data/example.jsonl", realmistake_sources.PASSWORD)
    examples = [record for _, record in read_jsonl(content, "example.jsonl")]
    assert len(examples) == 3
    for example in examples:
        assert isinstance(example, dict)
        file = realmistake_sources.Subset(
            next(
                metadata(sample)["subset"]
                for sample in released
                if sample.id == example["metadata"]["id"]
            ),
            "gpt4",
        ).file
        whole = read_member(ARCHIVE, f"data/{file}", realmistake_sources.PASSWORD)
        copies = [record for _, record in read_jsonl(whole, file) if record == example]
        assert len(copies) == 1


def test_published_is_this_archive(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With the pinned checksum in the cache, `published` asks no server."""
    assert sha256_of(ARCHIVE) == realmistake_sources.PUBLISHED.sha256
    cached = tmp_path / realmistake_sources.PUBLISHED.name
    cached.parent.mkdir()
    cached.symlink_to(ARCHIVE.resolve())
    monkeypatch.setenv("INSPECT_DEBATE_CACHE", str(tmp_path))
    assert ids(realmistake()) == ids(realmistake(str(ARCHIVE)))
