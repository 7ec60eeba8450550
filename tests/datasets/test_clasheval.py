"""ClashEval's testbed: samples, order, sources, and the sample that ships."""

import hashlib
import json
import logging
import random
import re
from collections import Counter
from decimal import Decimal
from importlib import resources
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml
from inspect_ai.dataset import Sample

from inspect_debate.datasets import sources as answer_key
from inspect_debate.datasets.clasheval import (
    Loaded,
    clasheval,
    load,
    multiplied,
    replaced,
    sample_records,
)
from inspect_debate.datasets.clasheval_questions import Row, question_id, shift_year
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.matching import right_answer, same_answer
from inspect_debate.debate.question import passage_fingerprint
from tests.datasets.made_clasheval import DOMAINS, PUBLISHED, made_rows, records, saved
from tests.datasets.made_up import ids, metadata

SIXTY = 10
SEVERITY = {
    **{"0.8": 1, "1.2": 1, "1.5": 2, "0.4": 3, "2": 3},
    **{"0.2": 4, "3": 4, "0.1": 5, "5": 5, "10": 5},
    **{"slight": 1, "significant": 3, "comical": 5},
    **{"20": 1, "40": 2, "60": 3, "100": 4, "200": 5},
}


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
    found = []
    for first, second in zip(samples[::2], samples[1::2], strict=True):
        halves = {metadata(half)["condition"]: half for half in (first, second)}
        found.append((halves["standard"], halves["perturbed"]))
    return found


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
    assert full.provenance["left_out"] == {"rows": {}, "questions": {}}
    assert full.provenance["measured"] == []
    assert json.loads(json.dumps(full.provenance)) == full.provenance


def test_every_prefix_is_balanced(full: Loaded) -> None:
    """Halves alternate; domains, severities and both crossed are near their shares."""
    told = [metadata(sample) for sample in full.dataset]
    seen = [0, 0]
    for sample in told:
        seen[sample["condition"] == "perturbed"] += 1
        assert abs(seen[0] - seen[1]) <= 1
    perturbed = [sample for sample in told if sample["severity"]]
    for factors in (["domain"], ["severity"], ["domain", "severity"]):
        keys = [tuple(sample[name] for name in factors) for sample in perturbed]
        whole, so_far = Counter(keys), Counter[tuple[Any, ...]]()
        for place, key in enumerate(keys, start=1):
            so_far[key] += 1
            for other, count in whole.items():
                assert abs(so_far[other] - place * count / len(keys)) < 2, (key, place)


def test_pairs_stand_together(full: Loaded) -> None:
    first = 0
    for standard, perturbed in pairs(full):
        about, other = metadata(standard), metadata(perturbed)
        assert standard.id == f"{about['question_id']}-standard"
        assert perturbed.id == f"{about['question_id']}-perturbed"
        for key in ("question_id", "domain", "exemplars"):
            assert about[key] == other[key]
        assert (standard.input, standard.target) == (perturbed.input, perturbed.target)
        first += ids(full.dataset).index(standard.id) % 2 == 0
    assert 100 < first < 200  # either half comes first, as the seed decides
    assert len(set(ids(full.dataset))) == 600


def test_what_the_halves_say(full: Loaded) -> None:
    for standard, perturbed in pairs(full):
        about = metadata(standard)
        right = str(standard.target)
        assert about["passage_answer"] == right
        assert right in about["passage"]
        nothing = {"severity": 0, "degree": "0", "offset": None, "split": None}
        assert nothing.items() <= about.items()
        other = metadata(perturbed)
        assert not same_answer(other["passage_answer"], right)
        assert other["passage"] == about["passage"].replace(
            right, other["passage_answer"]
        )
        assert SEVERITY[other["degree"].lstrip("+-")] == other["severity"]


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
    for sample in full.dataset:
        about = metadata(sample)
        assert (about["offset"] is None) == (
            about["domain"] != "years" or not about["severity"]
        )


def test_solved_questions(full: Loaded) -> None:
    """Four others of the domain with their right answers, not always the same ones."""
    table = made_rows(PUBLISHED)
    answers = dict(zip(table["question"], table["answer_original"], strict=True))
    shown: Counter[str] = Counter()
    for standard, _ in pairs(full):
        about = metadata(standard)
        exemplars = about["exemplars"]
        assert len({one["question_id"] for one in exemplars}) == 4
        for one in exemplars:
            assert one["question"] != standard.input
            assert one["question_id"] == question_id(about["domain"], one["question"])
            assert one["question_id"].startswith(about["domain"])
            assert one["answer"] == answers[one["question"]]
        shown.update(one["question_id"] for one in exemplars)
    assert len(shown) > 500
    in_testbed = {metadata(sample)["question_id"] for sample in full.dataset}
    assert shown.keys() - in_testbed


def test_what_is_true_is_told_to_simulated_models(full: Loaded) -> None:
    for sample in full.dataset:
        about = metadata(sample)
        mark = about["fingerprint"]
        assert mark == passage_fingerprint(
            str(sample.input), about["passage"], about["exemplars"]
        )
        truth = answer_key.passage_truth(mark)
        assert truth is not None
        assert truth[:3] == (
            *(sample.target, about["passage_answer"]),
            about["severity"],
        )
        assert len(truth.others) == len(set(truth.others)) == 8
        for other in truth.others:
            assert not right_answer(other, truth.answer)
            assert not same_answer(other, truth.says)
    marks = {metadata(sample)["fingerprint"] for sample in full.dataset}
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
    everything = {sample.id: sample for sample in clasheval(made).dataset}
    years = {sample.id: sample for sample in clasheval(made, domains="years").dataset}
    assert len(everything) == 120
    assert everything.keys() >= years.keys()
    assert question_id("years", "What is number 3 of years?") == "years-8cae9f08"
    spaced = "  what IS  number 3\nof years?"
    assert question_id("years", spaced) == "years-8cae9f08"
    assert question_id("names", spaced) != question_id("years", spaced)


@pytest.mark.parametrize(
    ("domains", "expected"),
    [
        ("all", DOMAINS),
        ("years", ["years"]),
        ("years,drugs", ["drugs", "years"]),
        ("Wiki dates, sports records", ["records", "years"]),
        (["names", "locations", "names"], ["names", "locations"]),
    ],
)
def test_domains(made: str, domains: Any, expected: list[str]) -> None:
    loaded = clasheval(made, domains=domains)
    assert list(loaded.provenance["questions"]) == list(expected)
    assert {metadata(s)["domain"] for s in loaded.dataset} == set(expected)
    assert len(loaded.dataset) == 2 * SIXTY * len(expected)


def test_too_few_questions_are_said(
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
    loaded = clasheval(made, questions=12, shots=shots)
    for sample in loaded.dataset:
        assert len(metadata(sample)["exemplars"]) == shots


def test_a_domain_that_is_not_there(tmp_path: Path) -> None:
    path = saved(made_rows({"names": 6}), tmp_path / "names.csv")
    with pytest.raises(InputError, match="has no question of drugs, news with pass"):
        clasheval(path, domains="news,drugs")
    loaded = clasheval(path, questions=6)
    assert len(loaded.dataset) == 12
    assert loaded.provenance["questions"]["news"] == 0


ENDINGS = ("parquet", "pqt", "csv", "jsonl")


def save(table: pd.DataFrame, path: Path) -> str:
    if path.suffix == ".pqt":
        table.to_parquet(path)
        return str(path)
    return saved(table, path)


@pytest.mark.parametrize("ending", ENDINGS)
def test_files_of_each_kind(ending: str, tmp_path: Path) -> None:
    """Sixty questions: the same samples from each, and the file in the provenance."""
    table = made_rows(10)
    first = clasheval(saved(table, tmp_path / "first.jsonl"))
    path = save(table, tmp_path / f"made.{ending}")
    loaded = clasheval(path)
    assert [sample.model_dump() for sample in loaded.dataset] == [
        sample.model_dump() for sample in first.dataset
    ]
    assert len(loaded.dataset) == 120
    told = {"source": "path", "file": f"made.{ending}"}
    told["sha256"] = hashlib.sha256(Path(path).read_bytes()).hexdigest()
    assert told.items() <= loaded.provenance.items()
    assert str(tmp_path) not in json.dumps(loaded.provenance)


@pytest.mark.parametrize("ending", ENDINGS)
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
    assert other == [
        row._replace(says="") if number == 5 else row
        for number, row in enumerate(plain)
    ]


def test_a_split_column_is_kept(tmp_path: Path) -> None:
    table = made_rows({"names": 6})
    table["split"] = "test"
    loaded = clasheval(saved(table, tmp_path / "a.csv"))
    assert {(sample.metadata or {})["split"] for sample in loaded.dataset} == {"test"}


def questions(rows: list[Row]) -> dict[tuple[str, str], list[Row]]:
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        found.setdefault((row.domain, row.question), []).append(row)
    return found


def test_the_sample() -> None:
    """At least fifteen questions of each domain, and nothing of it is left out."""
    loaded = clasheval("sample")
    told = {"source": "sample", "file": "clasheval_sample.yaml"}
    assert told.items() <= loaded.provenance.items()
    assert min(loaded.provenance["questions"].values()) >= 15
    assert sum(loaded.provenance["questions"].values()) >= 90
    assert loaded.provenance["left_out"] == {"rows": {}, "questions": {}}
    assert loaded.provenance["measured"] == []
    strata = loaded.provenance["balance"]["severity"]
    assert max(strata.values()) - min(strata.values()) <= 1
    assert loaded.provenance["balance"]["moved"] == 0


def test_the_samples_rows() -> None:
    for (domain, _), rows in questions(load("sample").rows).items():
        degrees = [row.degree for row in rows]
        assert len(degrees) == len(set(degrees))
        assert degrees[0] == "0"
        expected = {"years": 1, "names": 4, "locations": 4}
        assert expected.get(domain, 9) <= len(rows) <= 11
        for row in rows:
            assert row.says in row.passage
            assert (row.passage == row.context) == (row.degree == "0")


def test_samples_of_the_sample_know_no_folder() -> None:
    provenance: dict[str, Any] = clasheval("sample", questions=6).provenance
    assert "/" not in json.dumps(provenance)


def entry(domain: str, answer: str, passage: str) -> dict[str, str]:
    told = {"domain": domain, "question": "Which?", "answer": answer}
    if domain in ("names", "locations"):
        told |= {word: f"a {word} one" for word in ("slight", "significant", "comical")}
    return told | {"passage": passage}


def says(domain: str, answer: str) -> dict[str, str]:
    rows = sample_records(entry(domain, answer, f"It is {answer}."))
    return {row["mod_degree"]: row["answer_mod"] for row in rows}


def test_rows_of_the_published_schema() -> None:
    row = list(sample_records(entry("names", "Ada", "Ada. Adam, not Ada\n")))[2]
    assert row == {
        "question": "Which?",
        "context_original": "Ada. Adam, not Ada",
        "context_mod": "a significant one. Adam, not a significant one",
        "answer_original": "Ada",
        "answer_mod": "a significant one",
        "mod_degree": "significant",
        "dataset": "names",
    }


def test_degrees_of_each_kind_of_domain() -> None:
    assert says("years", "1859") == {"0": "1859"}
    assert says("locations", "Rome") == {
        "0": "Rome",
        **{word: f"a {word} one" for word in ("slight", "significant", "comical")},
    }
    assert says("drugs", "5 mg") == {
        **{"0": "5 mg", "0.8": "4 mg", "1.2": "6 mg", "1.5": "7.5 mg"},
        **{"0.4": "2 mg", "2": "10 mg", "0.2": "1 mg", "3": "15 mg"},
        **{"0.1": "0.5 mg", "5": "25 mg", "10": "50 mg"},
    }
    assert says("news", "5 people") == {
        **{"0": "5 people", "0.8": "4 people", "1.2": "6 people", "1.5": "8 people"},
        **{"0.4": "2 people", "2": "10 people", "0.2": "1 people"},
        **{"3": "15 people", "5": "25 people", "10": "50 people"},
    }
    assert says("records", "none") == {"0": "none"}


@pytest.mark.parametrize(
    ("text", "answer", "expected"),
    [
        ("30, 30. (30)", "30", "X, X. (X)"),
        ("30.5 1:30 1,300 130 30,5 30:00 0.30", "30", None),
        ("30 mg, 30 mgs, 130 mg", "30 mg", "X, 30 mgs, 130 mg"),
        ("51.9 %, 51.9 %.", "51.9 %", "X, X."),
        ("US$5 and $5.", "$5", "USX and X."),
        ("Paris, Parisian, Paris's", "Paris", "X, Parisian, X's"),
        ("St. John's (N.L.)", "St. John's", "X (N.L.)"),
        ("a+b", "a+b", "X"),
    ],
)
def test_replaced(text: str, answer: str, expected: str | None) -> None:
    assert replaced(text, answer, "X") == (text if expected is None else expected)


def test_replaced_takes_the_other_answer_as_it_is() -> None:
    assert replaced("It is 5.", "5", r"\1 \g<0>") == r"It is \1 \g<0>."


@pytest.mark.parametrize(
    ("text", "factor", "product"),
    [
        ("30 mg", "0.1", "3 mg"),
        ("$1,390 a day", "2", "$2,780 a day"),
        ("1,390", "0.1", "139"),
        ("1,390", "10", "13,900"),
        ("850", "10", "8500"),
        ("2.40 m", "1.5", "3.60 m"),
        ("9.58", "0.1", "0.96"),
        ("139", "0.1", "14"),
        ("13", "1.5", "20"),
        # Rounding may not make it another multiple, or nothing.
        ("3", "0.1", None),
        ("2", "1.2", None),
        ("7", "0.4", "3"),
        ("0", "2", None),
        # Times are multiplied in seconds, and keep their fields and places.
        ("1:40.91", "10", "16:49.10"),
        ("1:40.91", "0.1", "0:10.09"),
        ("59:59.9", "1.2", "1:11:59.9"),
        ("90:30", "2", "181:00"),
        ("2:00:35", "0.4", "0:48:14"),
        ("2:00:35 h", "10", "20:05:50 h"),
        ("0:59.96", "1.2", "1:11.95"),
        ("5 to 10", "2", None),
        ("none", "2", None),
    ],
)
def test_multiplied(text: str, factor: str, product: str | None) -> None:
    assert multiplied(text, Decimal(factor)) == product


@pytest.mark.parametrize(
    ("text", "factor", "product"),
    [
        ("5 mg", "0.1", "0.5 mg"),
        ("5 mg", "2", "10 mg"),
        ("12.5 mg", "0.1", "1.25 mg"),
        ("12.5 mg", "0.8", "10.0 mg"),
        ("0.15 mg", "1.5", "0.225 mg"),
        ("4:05", "0.1", "0:25"),
    ],
)
def test_one_place_more(text: str, factor: str, product: str) -> None:
    assert multiplied(text, Decimal(factor), finer=True) == product


DATA = resources.files("inspect_debate.datasets") / "data"
ITEMS: list[dict[str, Any]] = yaml.safe_load(
    (DATA / "clasheval_sample.yaml").read_text(encoding="utf-8")
)

MULTIPLIED, WORDED = ("drugs", "records", "news"), ("names", "locations")
MODIFIED = ("slight", "significant", "comical")
KEYS = {"domain", "question", "answer", "passage"}

NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
SENTENCE_END = re.compile(r"[.!?](?=\s|$)")
WORDS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
fifteen sixteen seventeen eighteen nineteen
""".split()  # noqa: SIM905 (shorter than a list)
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def of(*domains: str) -> list[dict[str, Any]]:
    """The items of some domains."""
    return [item for item in ITEMS if item["domain"] in domains]


def standing(text: str, passage: str) -> int:
    """How often a text stands in a passage as words of its own, in any case."""
    return len(re.findall(rf"(?<!\w){re.escape(text)}(?!\w)", passage, re.IGNORECASE))


def in_words(number: str) -> str:
    """A whole number below 100 as it is written out; others as they are."""
    if not re.fullmatch(r"\d\d?", number):
        return number
    tens, units = divmod(int(number), 10)
    if tens < 2:
        return WORDS[int(number)]
    return TENS[tens - 2] + (f"-{WORDS[units]}" if units else "")


def test_every_domain_has_as_many_items_and_no_text_occurs_twice() -> None:
    counts = Counter(item["domain"] for item in ITEMS)
    assert counts == dict.fromkeys((*MULTIPLIED, "years", *WORDED), 17)
    for key in ("question", "passage"):
        assert len({item[key].casefold() for item in ITEMS}) == len(ITEMS)
    questions = [item["question"].rstrip("?").casefold() for item in ITEMS]
    passages = "\n".join(item["passage"] for item in ITEMS).casefold()
    assert [question for question in questions if question in passages] == []


def test_texts_are_clean_and_of_one_length() -> None:
    for item in ITEMS:
        assert item.keys() == KEYS.union(MODIFIED if item["domain"] in WORDED else ())
        for text in item.values():
            assert isinstance(text, str)
            assert text == " ".join(text.split()) != ""
            assert "\ufffd" not in text
        assert item["question"].endswith("?")
        assert item["passage"].endswith(".")
        assert 40 <= len(item["passage"].split()) <= 160
        assert len(SENTENCE_END.findall(item["passage"])) >= 3


def test_answer_stands_in_its_passage_only() -> None:
    for item in ITEMS:
        answer, passage = item["answer"], item["passage"]
        assert answer in passage
        assert passage.count(answer) == standing(answer, passage)
        assert standing(answer, item["question"]) == 0


def test_answer_is_one_number_that_is_not_given_away() -> None:
    assert [in_words(n) for n in ("4", "13", "92")] == [
        "four",
        "thirteen",
        "ninety-two",
    ]
    for item in of(*MULTIPLIED):
        assert re.fullmatch(r"\d[\d.:]*( \D+)?", item["answer"])
        number = NUMBER.findall(item["answer"])[0]
        rest = item["passage"].replace(item["answer"], "") + item["question"]
        assert number not in NUMBER.findall(rest)
        written = re.escape(in_words(number))
        assert not re.search(rf"(?<![\w-]){written}(?![\w-])", rest, re.IGNORECASE)
    assert 1 <= sum(":" in item["answer"] for item in ITEMS) <= 3


def test_year_has_room_for_every_offset_and_stands_alone() -> None:
    for item in of("years"):
        assert re.fullmatch(r"\d{4}", item["answer"])
        assert 300 < int(item["answer"]) <= 2999 - 220
        assert set(re.findall(r"\d{4,}", item["passage"])) == {item["answer"]}
        assert not re.search(
            r"\d0s\b|centur|decade|years? (?:ago|before|after|later)", item["passage"]
        )


def test_modified_answers_are_wrong_in_three_ways() -> None:
    for item in of(*WORDED):
        answers = [item[key].casefold() for key in ("answer", *MODIFIED)]
        assert len(set(answers)) == 4
        for modified in answers[1:]:
            assert answers[0] not in modified
            assert modified not in answers[0]
            assert modified not in item["passage"].casefold()
            assert modified not in item["question"].casefold()
        rest = item["passage"].replace(item["answer"], "") + item["question"]
        assert [word for word in item["answer"].split() if standing(word, rest)] == []
