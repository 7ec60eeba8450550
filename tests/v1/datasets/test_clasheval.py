"""ClashEval's testbed: samples, order, sources, and the sample that ships."""

import hashlib
import json
import logging
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from inspect_ai.dataset import Sample

from inspect_debate.v1.datasets import sources as answer_key
from inspect_debate.v1.datasets.clasheval import (
    clasheval,
    load,
    replaced,
    sample_records,
)
from inspect_debate.v1.datasets.clasheval_questions import (
    question_id,
    shift_year,
    with_degrees,
)
from inspect_debate.v1.datasets.sources import Loaded, shipped_yaml
from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.matching import right_answer, same_answer
from inspect_debate.v1.debate.question import passage_fingerprint
from tests.v1.datasets.made_clasheval import (
    DOMAINS,
    PUBLISHED,
    made_rows,
    records,
    saved,
)
from tests.v1.datasets.made_up import ids, metadata

SIXTY = 10
SEVERITY = {
    **{"0.8": 1, "1.2": 1, "1.5": 2, "0.4": 3, "2": 3},
    **{"0.2": 4, "3": 4, "0.1": 5, "5": 5, "10": 5},
    **{"slight": 1, "significant": 3, "comical": 5},
    **{"20": 1, "40": 2, "60": 3, "100": 4, "200": 5},
}
NOTHING: dict[str, Any] = {"rows": {}, "questions": {}}


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Sixty questions, ten of each domain."""
    folder = tmp_path_factory.mktemp("clasheval")
    return saved(made_rows(SIXTY), folder / "made.parquet")


@pytest.fixture(scope="session")
def full(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    """The default testbed of as many questions as were published."""
    folder = tmp_path_factory.mktemp("clasheval")
    return clasheval(saved(made_rows(PUBLISHED), folder / "full.parquet"))


def pairs(loaded: Loaded) -> list[tuple[Sample, Sample]]:
    """The standard and the perturbed sample of each question, in order."""
    samples = list(loaded.dataset)
    return [
        (one, two) if metadata(one)["condition"] == "standard" else (two, one)
        for one, two in zip(samples[::2], samples[1::2], strict=True)
    ]


def test_the_default_testbed(full: Loaded) -> None:
    balance = full.provenance["balance"]
    assert len(full.dataset) == balance["samples"] == 600
    assert full.dataset.name == "clasheval"
    assert balance["condition"] == {
        name: {"perturbed": 50, "standard": 50} for name in sorted(DOMAINS)
    }
    assert balance["severity"] == dict.fromkeys("12345", 60)
    assert (balance["asked"], balance["questions"]) == (300, 300)
    assert (balance["replaced"], balance["moved"]) == (0, 0)
    assert balance["domain_severity"]["names"].keys() == {"1", "3", "5"}
    assert set(balance["degree"]["drugs"]) <= SEVERITY.keys()
    assert sum(balance["offset_sign"].values()) == 50
    assert full.provenance["questions"] == PUBLISHED
    assert full.provenance["left_out"] == NOTHING
    assert full.provenance["measured"] == []
    assert json.loads(json.dumps(full.provenance)) == full.provenance


def test_every_prefix_is_balanced(full: Loaded) -> None:
    """Halves alternate; domains, severities and both crossed are near their shares."""
    samples = [metadata(sample) for sample in full.dataset]
    for one, two in zip(samples[::2], samples[1::2], strict=True):
        assert {one["condition"], two["condition"]} == {"standard", "perturbed"}
    perturbed = [sample for sample in samples if sample["severity"]]
    for factors in (["domain"], ["severity"], ["domain", "severity"]):
        keys = [tuple(sample[name] for name in factors) for sample in perturbed]
        whole, so_far = Counter(keys), Counter[tuple[Any, ...]]()
        for place, key in enumerate(keys, start=1):
            so_far[key] += 1
            for other, count in whole.items():
                assert abs(so_far[other] - place * count / len(keys)) < 2, (key, place)


def test_the_halves_of_a_question(full: Loaded) -> None:
    first = 0
    for standard, perturbed in pairs(full):
        about, other, right = metadata(standard), metadata(perturbed), standard.target
        for half in (standard, perturbed):
            found = metadata(half)
            assert half.id == f"{about['question_id']}-{found['condition']}"
            assert (half.input, half.target) == (standard.input, right)
            assert found["exemplars"] == about["exemplars"]
            shifted = found["domain"] == "years" and found["severity"] > 0
            assert (found["offset"] is not None) == shifted
        assert about["domain"] == other["domain"]
        first += ids(full.dataset).index(standard.id) % 2 == 0
        nothing = {"severity": 0, "degree": "0", "offset": None, "split": None}
        assert nothing.items() <= about.items()
        assert about["passage_answer"] == right
        assert str(right) in about["passage"]
        assert not same_answer(other["passage_answer"], str(right))
        assert SEVERITY[other["degree"].lstrip("+-")] == other["severity"]
        says = about["passage"].replace(str(right), other["passage_answer"])
        assert other["passage"] == says
    assert 100 < first < 200  # either half comes first, as the seed decides
    assert len(set(ids(full.dataset))) == 600


def test_years_are_shifted_from_the_right_passage(full: Loaded) -> None:
    shifted = [pair for pair in pairs(full) if metadata(pair[0])["domain"] == "years"]
    assert len(shifted) == 50
    for standard, perturbed in shifted:
        about, other = metadata(standard), metadata(perturbed)
        year, offset = int(str(standard.target)), other["offset"]
        assert other["degree"] == f"{offset:+d}"
        assert other["passage_answer"] == str(year + offset)
        assert other["passage"] == shift_year(about["passage"], year, offset)
    signs = Counter(metadata(perturbed)["offset"] > 0 for _, perturbed in shifted)
    assert min(signs.values()) > 10


def test_solved_questions(full: Loaded) -> None:
    """Four others of the domain with their right answers, not always the same ones."""
    table = made_rows(PUBLISHED)
    answers = dict(zip(table["question"], table["answer_original"], strict=True))
    shown: Counter[str] = Counter()
    for standard, _ in pairs(full):
        about = metadata(standard)
        assert len({one["question_id"] for one in about["exemplars"]}) == 4
        for one in about["exemplars"]:
            assert one["question"] != standard.input
            assert one["question_id"] == question_id(about["domain"], one["question"])
            assert one["answer"] == answers[one["question"]]
            shown[one["question_id"]] += 1
    assert len(shown) > 500
    assert shown.keys() - {metadata(sample)["question_id"] for sample in full.dataset}


def test_simulated_models_know_what_is_true(full: Loaded) -> None:
    marks = set()
    for sample in full.dataset:
        about = metadata(sample)
        passage, exemplars = about["passage"], about["exemplars"]
        mark = passage_fingerprint(str(sample.input), passage, exemplars)
        assert about["fingerprint"] == mark
        marks.add(mark)
        truth = answer_key.passage_truth(mark)
        assert truth is not None
        says = about["passage_answer"]
        assert truth[:3] == (sample.target, says, about["severity"])
        assert len(truth.others) == len(set(truth.others)) == 8
        assert not any(right_answer(other, truth.answer) for other in truth.others)
        assert not any(same_answer(other, truth.says) for other in truth.others)
    assert len(marks) == 600


def dump(loaded: Loaded) -> list[dict[str, Any]]:
    return [sample.model_dump() for sample in loaded.dataset]


def test_order_of_rows_has_no_influence(made: str, tmp_path: Path) -> None:
    expected = clasheval(made, questions=30, seed=3)
    table = pd.read_parquet(made)
    for shuffle in range(3):
        order = list(range(len(table)))
        random.Random(shuffle).shuffle(order)
        path = saved(table.iloc[order], tmp_path / f"{shuffle}.parquet")
        loaded = clasheval(path, questions=30, seed=3)
        assert dump(loaded) == dump(expected)
        assert loaded.provenance["balance"] == expected.provenance["balance"]


def test_the_seed_decides(made: str) -> None:
    one, same, two = (clasheval(made, questions=30, seed=s) for s in (1, 1, 2))
    assert dump(one) == dump(same)
    assert set(ids(one.dataset)) != set(ids(two.dataset))


def test_ids_do_not_depend_on_other_questions(made: str) -> None:
    everything = set(ids(clasheval(made).dataset))
    assert len(everything) == 120
    assert everything >= set(ids(clasheval(made, domains="years").dataset))
    assert question_id("years", "What is number 3 of years?") == "years-8cae9f08"
    spaced = "  what IS  number 3\nof years?"
    assert question_id("years", spaced) == "years-8cae9f08"
    assert question_id("names", spaced) != question_id("years", spaced)


DOMAINS_GIVEN: list[tuple[Any, list[str]]] = [
    ("all", [*DOMAINS]),
    ("years", ["years"]),
    ("years,drugs", ["drugs", "years"]),
    ("Wiki dates, sports records", ["records", "years"]),
    (["names", "locations", "names"], ["names", "locations"]),
]


@pytest.mark.parametrize(("domains", "expected"), DOMAINS_GIVEN)
def test_domains(made: str, domains: Any, expected: list[str]) -> None:
    loaded = clasheval(made, domains=domains)
    assert list(loaded.provenance["questions"]) == list(expected)
    assert {metadata(s)["domain"] for s in loaded.dataset} == set(expected)
    assert len(loaded.dataset) == 2 * SIXTY * len(expected)


def test_a_warning_where_there_are_too_few_questions(
    made: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        balance = clasheval(made, domains="years").provenance["balance"]
    assert (balance["asked"], balance["questions"]) == (300, 10)
    assert balance["severity"] == dict.fromkeys("12345", 2)
    assert "questions=300 were asked for; there are 10" in caplog.text
    caplog.clear()
    clasheval(made, questions=60)
    assert caplog.text == ""


@pytest.mark.parametrize("shots", [0, 1, 9])
def test_shots(made: str, shots: int) -> None:
    for sample in clasheval(made, questions=12, shots=shots).dataset:
        assert len(metadata(sample)["exemplars"]) == shots


def test_a_domain_that_is_not_there(tmp_path: Path) -> None:
    path = saved(made_rows({"names": 6}), tmp_path / "names.csv")
    with pytest.raises(InputError, match="has no question of drugs, news with pass"):
        clasheval(path, domains="news,drugs")
    loaded = clasheval(path, questions=6)
    assert len(loaded.dataset) == 12
    assert loaded.provenance["questions"]["news"] == 0


ENDINGS = pytest.mark.parametrize("ending", ["parquet", "pqt", "csv", "jsonl"])


def save(table: pd.DataFrame, path: Path) -> str:
    if path.suffix == ".pqt":
        table.to_parquet(path)
        return str(path)
    return saved(table, path)


@ENDINGS
def test_files_of_each_kind(ending: str, tmp_path: Path) -> None:
    """Sixty questions: the same samples from each, and the file in the provenance."""
    first = clasheval(saved(made_rows(10), tmp_path / "first.jsonl"))
    path = save(made_rows(10), tmp_path / f"made.{ending}")
    loaded = clasheval(path)
    assert dump(loaded) == dump(first)
    assert len(loaded.dataset) == 120
    origin = {"source": "path", "file": f"made.{ending}"}
    origin["sha256"] = hashlib.sha256(Path(path).read_bytes()).hexdigest()
    assert origin.items() <= loaded.provenance.items()
    assert str(tmp_path) not in json.dumps(loaded.provenance)


@ENDINGS
def test_texts_stay_what_they_are(ending: str, tmp_path: Path) -> None:
    """Nothing is guessed to be missing, a number or a time."""
    table = made_rows({"names": 5})
    for number, answer in enumerate(["NA", "0.10", "1:30", "null", '"a, b"\n']):
        table.loc[4 * number : 4 * number + 3, "answer_original"] = answer
        table.loc[4 * number, "context_original"] = f"A {answer} {'x' * 10_000}é\n\n"
    rows = load(save(table, tmp_path / f"made.{ending}")).rows
    assert [row.answer for row in rows[::4]] == ["NA", "0.10", "1:30", "null", '"a, b"']
    assert [row.context for row in rows] == list(table["context_original"])


def test_values_in_the_types_of_parquet(tmp_path: Path) -> None:
    """Numbers in columns of numbers, missing values, and further columns."""
    table = pd.DataFrame(records("years", 1) + records("drugs", 1))
    table["mod_degree"] = table["mod_degree"].astype(float)
    table["prior_logprobs"] = None
    table.loc[3, "context_mod"] = None
    table.loc[4, "context_mod"] = float("nan")
    nullable = table.convert_dtypes()
    nullable.loc[5, "answer_mod"] = pd.NA
    plain, other = (
        load(saved(t, tmp_path / f"{n}.parquet")).rows
        for n, t in enumerate((table, nullable))
    )
    assert [row.degree for row in plain[:3]] == ["0", "-100", "-77"]
    assert [row.degree for row in plain[12:14]] == ["0.1", "0.2"]
    assert (plain[3].passage, plain[4].passage) == ("", "")
    assert other == [*plain[:5], plain[5]._replace(says=""), *plain[6:]]


def test_a_split_column_is_kept(tmp_path: Path) -> None:
    table = made_rows({"names": 6})
    table["split"] = "test"
    loaded = clasheval(saved(table, tmp_path / "a.csv"))
    assert {metadata(sample)["split"] for sample in loaded.dataset} == {"test"}


# The sample that ships.

ITEMS: list[dict[str, Any]] = shipped_yaml("clasheval_sample.yaml")
MULTIPLIED, WORDED = ("drugs", "records", "news"), ("names", "locations")
MODIFIED = ("slight", "significant", "comical")
NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
WORDS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
fifteen sixteen seventeen eighteen nineteen
""".split()  # noqa: SIM905 (shorter than a list)
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def test_the_sample() -> None:
    """Nothing of it is left out, and its strata are even."""
    provenance = clasheval("sample").provenance
    assert {
        "source": "sample",
        "file": "clasheval_sample.yaml",
    }.items() <= provenance.items()
    assert min(provenance["questions"].values()) >= 15
    assert provenance["left_out"] == NOTHING
    assert (provenance["measured"], provenance["balance"]["moved"]) == ([], 0)
    strata = provenance["balance"]["severity"]
    assert max(strata.values()) - min(strata.values()) <= 1
    assert "/" not in json.dumps(provenance)


def test_the_samples_rows() -> None:
    rows = load("sample").rows
    counts = Counter((row.domain, row.question) for row in rows)
    expected = {"years": [1], "names": [4], "locations": [4]}
    for (domain, _), count in counts.items():
        assert count in expected.get(domain, range(9, 12))
    assert len({(row.question, row.degree) for row in rows}) == len(rows)
    assert len({row.question for row in rows if row.degree == "0"}) == len(counts)
    for row in rows:
        assert row.says in row.passage
        assert (row.passage == row.context) == (row.degree == "0")
    several = [row for row in rows if row.domain in MULTIPLIED]
    unnamed = [r if r.degree == "0" else r._replace(degree="-1") for r in several]
    assert with_degrees(unnamed) == (several, sorted(MULTIPLIED))


def test_rows_of_the_published_schema() -> None:
    item = {
        **{"domain": "names", "question": "Which?", "answer": "Ada"},
        **{"passage": "Ada. Adam, not Ada\n"},
    }
    rows = list(sample_records(item | {word: f"a {word} one" for word in MODIFIED}))
    assert [row["mod_degree"] for row in rows] == ["0", *MODIFIED]
    assert rows[2] == {
        "question": "Which?",
        "context_original": "Ada. Adam, not Ada",
        "context_mod": "a significant one. Adam, not a significant one",
        "answer_original": "Ada",
        "answer_mod": "a significant one",
        "mod_degree": "significant",
        "dataset": "names",
    }
    assert [row["mod_degree"] for row in sample_records(item)] == ["0"]


REPLACED = [
    ("30, 30. (30)", "30", "X, X. (X)"),
    (same := "30.5 1:30 1,300 130 30,5 30:00 0.30", "30", same),
    ("30 mg, 30 mgs, 130 mg", "30 mg", "X, 30 mgs, 130 mg"),
    ("51.9 %, 51.9 %.", "51.9 %", "X, X."),
    ("US$5 and $5.", "$5", "USX and X."),
    ("Paris, Parisian, Paris's", "Paris", "X, Parisian, X's"),
    ("St. John's (N.L.)", "St. John's", "X (N.L.)"),
    ("a+b", "a+b", "X"),
]


@pytest.mark.parametrize(("text", "answer", "expected"), REPLACED)
def test_replaced(text: str, answer: str, expected: str) -> None:
    assert replaced(text, answer, "X") == expected
    # The other answer is taken as it is.
    assert replaced(text, answer, r"\1") == expected.replace("X", r"\1")


def of(*domains: str) -> list[dict[str, Any]]:
    """The items of some domains."""
    return [item for item in ITEMS if item["domain"] in domains]


def occurrences(text: str, passage: str) -> int:
    """How often a text is in a passage as words of its own, in any case."""
    return len(re.findall(rf"(?<!\w){re.escape(text)}(?!\w)", passage, re.IGNORECASE))


def in_words(number: str) -> str:
    """A whole number below 100 as it is written out; others as they are."""
    if not re.fullmatch(r"\d\d?", number):
        return number
    tens, units = divmod(int(number), 10)
    if tens < 2:
        return WORDS[int(number)]
    return TENS[tens - 2] + (f"-{WORDS[units]}" if units else "")


def test_texts_are_clean_of_one_length_and_occur_once() -> None:
    domains = Counter(item["domain"] for item in ITEMS)
    assert domains == dict.fromkeys((*MULTIPLIED, "years", *WORDED), 17)
    for key in ("question", "passage"):
        assert len({item[key].casefold() for item in ITEMS}) == len(ITEMS)
    questions = [item["question"].rstrip("?").casefold() for item in ITEMS]
    passages = "\n".join(item["passage"] for item in ITEMS).casefold()
    assert [question for question in questions if question in passages] == []
    more = {
        **dict.fromkeys(MULTIPLIED, ("modified",)),
        **dict.fromkeys(WORDED, MODIFIED),
    }
    for item in ITEMS:
        keys = {"domain", "question", "answer", "passage"}
        assert item.keys() == keys.union(more.get(item["domain"], ()))
        texts = [text for key, text in item.items() if key != "modified"]
        for text in (*texts, *item.get("modified", {}).values()):
            assert text == " ".join(text.split()) != ""
            assert "\ufffd" not in text
        assert item["question"].endswith("?")
        assert item["passage"].endswith(".")
        assert 40 <= len(item["passage"].split()) <= 160
        assert len(re.findall(r"[.!?](?=\s|$)", item["passage"])) >= 3


def test_answers_are_in_their_passage_alone() -> None:
    for item in ITEMS:
        answer, passage = item["answer"], item["passage"]
        assert passage.count(answer) == occurrences(answer, passage) > 0
        assert occurrences(answer, item["question"]) == 0


def test_answer_is_one_number_that_is_not_given_away() -> None:
    assert [*map(in_words, ("4", "13", "92"))] == ["four", "thirteen", "ninety-two"]
    for item in of(*MULTIPLIED):
        assert re.fullmatch(r"\d[\d.:]*( \D+)?", item["answer"])
        number = NUMBER.findall(item["answer"])[0]
        rest = item["passage"].replace(item["answer"], "") + item["question"]
        assert number not in NUMBER.findall(rest)
        written = re.escape(in_words(number))
        assert not re.search(rf"(?<![\w-]){written}(?![\w-])", rest, re.IGNORECASE)
    assert 1 <= sum(":" in item["answer"] for item in ITEMS) <= 3


def test_year_has_room_for_every_offset_and_is_the_only_one() -> None:
    for item in of("years"):
        assert re.fullmatch(r"\d{4}", item["answer"])
        assert 300 < int(item["answer"]) <= 2999 - 220
        assert set(re.findall(r"\d{4,}", item["passage"])) == {item["answer"]}
        others = r"\d0s\b|centur|decade|years? (?:ago|before|after|later)"
        assert not re.search(others, item["passage"])


def test_modified_answers_are_wrong_in_three_ways() -> None:
    for item in of(*WORDED):
        right, *wrong = (item[key].casefold() for key in ("answer", *MODIFIED))
        assert len({right, *wrong}) == 4
        texts = f"{item['passage']} {item['question']}"
        for modified in wrong:
            assert right not in modified
            assert modified not in right
            assert modified not in texts.casefold()
        rest = item["passage"].replace(item["answer"], "") + item["question"]
        assert not any(occurrences(word, rest) for word in item["answer"].split())
