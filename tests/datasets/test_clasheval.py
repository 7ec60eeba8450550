import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai.dataset import Sample

from inspect_debate.datasets.clasheval import (
    FACTORS,
    HUB,
    OFFSETS,
    SAMPLE,
    SIZES,
    Perturbed,
    clasheval,
    perturbed_year,
    question_id,
    shift_year,
)
from inspect_debate.datasets.common import Sourced
from inspect_debate.datasets.matching import right_answer
from inspect_debate.debate.errors import InputError

Row = dict[str, Any]
Write = Callable[..., str]
YEARS = (-100, -77, -55, -33, -11, 11, 33, 55, 77, 100)  # ClashEval's own
WORDED = ("names", "locations")
LEVELS = {"slight": 1, "significant": 3, "comical": 5, **FACTORS}


def answers(domain: str, number: int) -> dict[str, str]:
    """The answer by degree; that of degree 0 is right."""
    if domain == "years":
        year = 1700 + number
        return {"0": f"{year}"} | {f"{shift}": f"{year + shift}" for shift in YEARS}
    if domain in WORDED:
        words = ("slight", "significant", "comical")
        return {"0": f"Right N{number}"} | {word: f"{word} N{number}" for word in words}
    value = 1000 + 10 * number
    return {"0": f"{value}"} | {f: f"{value * float(f):.0f}" for f in FACTORS}


def question(domain: str, number: int, degree_column: str = "mod_degree") -> list[Row]:
    given = answers(domain, number)
    passage = "Passage {} of " + domain + ". It says {}, and 12 things more."
    return [
        {
            "question": f"What is number {number} of {domain}?",
            "context_original": passage.format(number, given["0"]),
            "context_mod": passage.format(number, says),
            "answer_original": given["0"],
            "answer_mod": says,
            degree_column: degree,
            "dataset": domain,
            "prior_response": "not used",
        }
        for degree, says in given.items()
    ]


def rows(count: int, *domains: str) -> list[Row]:
    return [r for d in domains or SIZES for n in range(count) for r in question(d, n)]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(records: list[Row], name: str = "data.jsonl") -> str:
        path = tmp_path / name
        if path.suffix == ".jsonl":
            path.write_text("".join(json.dumps(r) + "\n" for r in records))
        elif path.suffix == ".csv":
            pd.DataFrame(records).to_csv(path, index=False)
        else:
            pd.DataFrame(records).to_parquet(path)
        return str(path)

    return written


@pytest.fixture(scope="module")
def full() -> Iterator[Sourced]:
    """The testbed of as many questions as were published, through a fake hub."""
    published = [
        r for d, size in SIZES.items() for n in range(size) for r in question(d, n)
    ]
    with pytest.MonkeyPatch.context() as patch:
        calls = fake_hub(patch, {"train": published[:5000], "test": published[5000:]})
        yield clasheval(revision="v1")
    assert calls == [(HUB, "v1"), (HUB, "c0ffee")]


def fake_hub(patch: pytest.MonkeyPatch, parts: dict[str, list[Row]]) -> list[Any]:
    calls = []

    def info(name: str, revision: str | None) -> SimpleNamespace:
        calls.append((name, revision))
        return SimpleNamespace(sha="c0ffee")

    def load(name: str, revision: str) -> dict[str, list[Row]]:
        calls.append((name, revision))
        if not parts:
            raise RuntimeError("No such dataset.\nMore advice.")
        return parts

    api = SimpleNamespace(HfApi=lambda: SimpleNamespace(dataset_info=info))
    patch.setitem(sys.modules, "huggingface_hub", api)
    patch.setitem(sys.modules, "datasets", SimpleNamespace(load_dataset=load))
    return calls


def about(sample: Sample) -> dict[str, Any]:
    assert sample.metadata is not None
    return sample.metadata


def pairs(data: Sourced) -> list[tuple[Sample, Sample]]:
    """The standard and the perturbed sample of each question, in order."""
    samples = list(data)
    halves = zip(samples[::2], samples[1::2], strict=True)
    return [(a, b) if about(b)["severity"] else (b, a) for a, b in halves]


def degrees(data: Sourced) -> list[str]:
    return sorted(about(perturbed)["degree"] for _, perturbed in pairs(data))


# --- The testbed ----------------------------------------------------------------------


def test_the_testbed_of_the_study(full: Sourced) -> None:
    assert (len(full), full.name) == (600, "clasheval")
    perturbed = [about(two) for _, two in pairs(full)]
    assert Counter(one["severity"] for one in perturbed) == dict.fromkeys(OFFSETS, 60)
    assert Counter(one["domain"] for one in perturbed) == dict.fromkeys(SIZES, 50)
    assert full.provenance == {
        **{"source": "huggingface", "dataset": HUB, "revision": "c0ffee"},
        **{"questions": SIZES, "left_out": {}},
        "severities": dict.fromkeys(OFFSETS, 60),
    }


def test_every_prefix_is_balanced(full: Sourced) -> None:
    perturbed = [about(two) for _, two in pairs(full)]
    most = {("domain",): 1, ("severity",): 1.5, ("domain", "severity"): 4}
    for factors, bound in most.items():
        keys = [tuple(one[name] for name in factors) for one in perturbed]
        whole, so_far = Counter(keys), Counter[tuple[Any, ...]]()
        for place, key in enumerate(keys, start=1):
            so_far[key] += 1
            for other, count in whole.items():
                assert abs(so_far[other] - place * count / 300) < bound, place
    first = sum(about(sample)["severity"] == 0 for sample in list(full)[::2])
    assert 110 < first < 190  # either half comes first


def test_the_halves_of_a_question(full: Sourced) -> None:
    for standard, perturbed in pairs(full):
        one, two = about(standard), about(perturbed)
        for sample in (standard, perturbed):
            for name in ("question_id", "domain", "question", "exemplars"):
                assert about(sample)[name] == one[name]
            assert (sample.input, sample.target) == (one["question"], standard.target)
        assert (one["condition"], two["condition"]) == ("standard", "perturbed")
        assert (one["severity"], one["degree"], one["offset"]) == (0, "0", None)
        assert one["passage_answer"] == standard.target != two["passage_answer"]
        says = one["passage"].replace(str(standard.target), two["passage_answer"])
        assert two["passage"] == says
        assert standard.id == f"{one['question_id']}-standard"
        assert perturbed.id == f"{one['question_id']}-severity{two['severity']}"
        if one["domain"] == "years":
            year, offset = int(str(standard.target)), two["offset"]
            assert abs(offset) == OFFSETS[two["severity"]]
            assert two["degree"] == f"{offset:+d}"
            assert two["passage_answer"] == str(year + offset)
        else:
            assert two["offset"] is None
            assert LEVELS[two["degree"]] == two["severity"]
    ids = [str(sample.id) for sample in full]
    assert len({*ids}) == 600
    assert all(
        re.fullmatch("[a-z]+-[0-9a-f]{8}-(standard|severity[1-5])", i) for i in ids
    )
    offsets = [about(two)["offset"] for _, two in pairs(full) if about(two)["offset"]]
    assert 10 < sum(offset > 0 for offset in offsets) < 40


def test_examples_are_other_questions_of_the_domain(full: Sourced) -> None:
    right = {row["question"]: row["answer_original"] for row in rows(250)}
    shown = Counter[str]()
    for standard, _ in pairs(full):
        exemplars = about(standard)["exemplars"]
        asked = [one["question"] for one in exemplars]
        assert len({*asked}) == 4
        assert standard.input not in asked
        for one in exemplars:
            assert one == {
                "question": one["question"],
                "answer": right[one["question"]],
            }
            assert one["question"].endswith(f" of {about(standard)['domain']}?")
        shown.update(asked)
    assert len(shown) > 500


def test_the_seed_decides_and_the_order_of_rows_does_not(write: Write) -> None:
    records = rows(6)

    def dumped(records: list[Row], seed: int) -> list[dict[str, Any]]:
        data = clasheval(write(records), seed=seed)
        return [sample.model_dump() for sample in data]

    one = dumped(records, 1)
    assert one == dumped(records[::-1], 1) == dumped(records[30:] + records[:30], 1)
    assert one != dumped(records, 2)
    assert question_id("years", "  what IS\nit?") == question_id("years", "What is it?")
    assert question_id("years", "What is it?") != question_id("names", "What is it?")


@pytest.mark.parametrize(
    ("given", "domains", "severities"),
    [
        ({"domains": "years"}, {"years"}, {1, 2, 3, 4, 5}),
        ({"domains": ["names", "drugs"]}, {"names", "drugs"}, {1, 2, 3, 4, 5}),
        ({"domains": ["names", "locations"]}, {"names", "locations"}, {1, 3, 5}),
    ],
)
def test_domains_and_severities(
    write: Write, given: dict[str, Any], domains: set[str], severities: set[int]
) -> None:
    found = [about(two) for _, two in pairs(clasheval(write(rows(6)), **given))]
    assert {one["domain"] for one in found} == domains
    assert {one["severity"] for one in found} == severities
    assert len(found) == 6 * len(domains)


# --- Files and the hub ----------------------------------------------------------------


def test_files_of_each_kind(write: Write) -> None:
    loaded = [clasheval(write(rows(5), f"a.{k}")) for k in ("jsonl", "csv", "parquet")]
    dumped = [[sample.model_dump() for sample in data] for data in loaded]
    assert dumped[0] == dumped[1] == dumped[2]
    numbered = [r | {"mod_degree": float(r["mod_degree"])} for r in rows(5, "drugs")]
    text, numbers = (
        clasheval(write(records, "b.parquet"), domains="drugs")
        for records in (rows(5, "drugs"), numbered)
    )
    assert degrees(text) == degrees(numbers)
    assert loaded[1].provenance["file"] == "a.csv"
    assert "/" not in json.dumps(loaded[1].provenance)


def test_nothing_in_a_csv_is_taken_for_missing_or_a_number(write: Write) -> None:
    records = rows(5, "names")
    odd = ["Null", "NA", "0.10", "1:30", "a, “b”\nc"]
    for number, answer in enumerate(odd):
        for row in records[4 * number : 4 * number + 4]:
            row["answer_original"] = answer
    for kind in ("csv", "jsonl", "parquet"):
        data = clasheval(write(records, f"odd.{kind}"))
        assert {sample.target for sample in data} == {*odd}


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"answer_mod": None}, "answer_mod"),
        ({"mod_degree": None}, "mod_degree"),
        ({"dataset": "cities"}, "cities"),
    ],
)
def test_malformed_files(write: Write, change: Row, named: str) -> None:
    (key, value), *_ = change.items()
    records = rows(5, "names")
    for row in records:
        row |= change
        if value is None:
            del row[key]
    with pytest.raises(InputError, match=named):
        clasheval(write(records))


def test_other_faults_of_the_input(write: Write, tmp_path: Path) -> None:
    path = write(rows(4, "names"))
    (tmp_path / "text.txt").write_text("x")
    (tmp_path / "list.jsonl").write_text("[1]\n")
    (tmp_path / "bad.parquet").write_text("x")
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("shots=4", {}),
        ("shots=-1", {"shots": -1}),
        ("drugs", {"domains": "drugs"}),
        ("domains 'name'.*names", {"domains": "name"}),
        ("revision", {"revision": "v1"}),
        ("hugingface.*huggingface", {"source": "hugingface"}),
        ("text.txt", {"source": str(tmp_path / "text.txt")}),
        ("list.jsonl", {"source": str(tmp_path / "list.jsonl")}),
        ("bad.parquet", {"source": str(tmp_path / "bad.parquet")}),
        ("none.jsonl", {"source": write([], "none.jsonl")}),
    ]
    for named, arguments in wrong:
        with pytest.raises(InputError, match=named):
            clasheval(**{"source": path, **arguments})


def test_a_hub_that_fails_and_one_with_less(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fake_hub(monkeypatch, {})
    with pytest.raises(InputError, match="No such dataset"):
        clasheval()
    fake_hub(monkeypatch, {"train": rows(5)})
    assert clasheval().provenance["questions"]["drugs"] == 5
    assert "249" in caplog.text


# --- What is left out -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "change", "reason"),
    [  # rows of one question, of which the first is unmodified and the fifth is 3 times
        (7, {"mod_degree": "7"}, "row of unknown degree"),
        (7, {"answer_mod": ""}, "row perturbed in name only"),
        (7, {"answer_mod": "1,000 people"}, "row perturbed in name only"),
        (7, {"context_mod": question("news", 0)[0]["context_mod"]}, "row perturbed in"),
        (7, {"context_mod": "  "}, "row without passage"),
        (7, {"context_original": None}, "row without passage"),
        (7, {"question": " "}, "row without question"),
    ],
)
def test_rows_left_out(write: Write, place: int, change: Row, reason: str) -> None:
    records = rows(5, "news")
    degree = records[place]["mod_degree"]
    records[place] |= change
    data = clasheval(write(records))
    ((left, count),) = data.provenance["left_out"].items()
    assert left.startswith(f"news: {reason}")
    assert count == 1
    shown = {about(two)["degree"] for _, two in pairs(data) if "number 0" in two.input}
    assert degree not in shown


def test_duplicates_contradictions_and_questions_without_passages(write: Write) -> None:
    records = rows(6, "names")
    contradiction = [r | {"answer_original": "Somebody else"} for r in records[:2]]
    for row in records[4:8]:
        row["context_original"] = row["context_mod"] = ""
    data = clasheval(write([*records, *records[8:11], *contradiction]))
    assert data.provenance["left_out"] == {
        "names: duplicate row": 3,
        "names: row with a contradictory right answer": 6,
        "names: row without passage": 4,
    }
    asked = {str(sample.input) for sample in data}
    assert asked == {f"What is number {n} of names?" for n in (2, 3, 4, 5)}
    examples = {one["question"] for s in data for one in about(s)["exemplars"]}
    assert examples == {*asked, "What is number 1 of names?"}


def test_numbered_degrees(write: Write) -> None:
    """Names and locations may number theirs; numbered factors are refused."""
    numbers = {"0": "0", "slight": "1", "significant": "2", "comical": "3"}
    names = [r | {"mod_degree": numbers[r["mod_degree"]]} for r in rows(5, "names")]
    for _, perturbed in pairs(clasheval(write(names))):
        says, level = about(perturbed)["passage_answer"], about(perturbed)["severity"]
        assert LEVELS[says.split()[0]] == level
    responses = [r for n in range(5) for r in question("news", n, "mod_type")]
    assert len(clasheval(write(responses))) == 10
    numbered = [r | {"mod_degree": str(n % 11)} for n, r in enumerate(rows(5, "news"))]
    with pytest.raises(InputError, match="news"):
        clasheval(write(numbered))


# --- Years ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shifted"),
    [
        ("2006, then 2006; (2006)\n2006!", "1966, then 1966; (1966)\n1966!"),
        ("12006 20065 020062006", "12006 20065 020062006"),
        ("2006.5 km, 3.2006 and 0.2006.", "2006.5 km, 3.2006 and 0.2006."),
        ("1.12.2006 and 2006.12.01", "1.12.1966 and 1966.12.01"),
        ("2006-07-15 2006/07/15 15/07/2006", "1966-07-15 1966/07/15 15/07/1966"),
        ("2006-07, the 2006–07 season", "1966-67, the 1966–67 season"),
        ("2006-03 and 2006-06", "1966-03 and 1966-06"),
        ("2006-2007 and 2004–2006", "1966-2007 and 2004–1966"),
        ("the 2006s, c2006, [2006]", "the 1966s, c1966, [1966]"),
        ("2,006 and 206 and 2007", "2,006 and 206 and 2007"),
    ],
)
def test_shift_year(text: str, shifted: str) -> None:
    assert shift_year(text, 2006, -40) == shifted


@pytest.mark.parametrize(
    ("passage", "answer", "offset", "expected"),
    [
        ("On 16 May 1859.", "May 1859", -20, ("On 16 May 1839.", "May 1839", -20)),
        ("1999-00", "1999", 20, ("2019-20", "2019", 20)),
        ("In 980.", "980", 40, ("In 1020.", "1020", 40)),
        # The other sign where the first leaves 1 to 2999.
        ("In 101.", "101", -100, ("In 1.", "1", -100)),
        ("In 100.", "100", -100, ("In 200.", "200", 100)),
        ("In 2800.", "2800", 200, ("In 2600.", "2600", -200)),
        # No year, two years, not in the passage, never in range.
        ("Long ago.", "long ago", 20, None),
        ("1914 and 1918", "1914 to 1918", 20, None),
        ("In 1859.", "1860", 20, None),
        ("In 9999.", "9999", 20, None),
    ],
)
def test_perturbed_year(
    passage: str, answer: str, offset: int, expected: tuple[str, str, int] | None
) -> None:
    found = perturbed_year(passage, answer, offset)
    if expected is None:
        assert found is None
    else:
        text, says, signed = expected
        assert found == Perturbed(text, says, f"{signed:+d}", signed)


@given(
    st.integers(300, 2700),
    st.sampled_from([*OFFSETS.values()]),
    st.sampled_from([1, -1]),
    st.lists(st.sampled_from(["In {}, ", "({}) ", "the {}s ", "1{} ", "{}.5 ", "x "])),
)
def test_shifting_back_restores(
    year: int, by: int, sign: int, parts: list[str]
) -> None:
    passage = "".join(part.format(year) for part in [*parts, "In {}."])
    shifted = perturbed_year(passage, str(year), sign * by)
    assert shifted is not None
    assert shifted.offset == sign * by
    back = perturbed_year(shifted.passage, shifted.answer, -sign * by)
    assert back is not None
    assert (back.passage, back.answer) == (passage, str(year))


def test_questions_whose_year_cannot_be_shifted(write: Write) -> None:
    records = rows(6, "years")
    for row in records[:11]:
        row["answer_original"] = "in spring"
    data = clasheval(write(records))
    assert len(data) == 10
    left_out = {"years: question without perturbed passage": 1}
    assert data.provenance["left_out"] == left_out


# --- The sample -----------------------------------------------------------------------


def test_the_sample() -> None:
    data = clasheval("sample")
    assert len(data) == 40
    assert data.provenance["severities"] == dict.fromkeys(OFFSETS, 4)
    assert {reason.split(": ")[1] for reason in data.provenance["left_out"]} == {
        "row without passage"  # of questions that are only examples
    }
    assert {about(sample)["domain"] for sample in data} == {*SIZES}
    for standard, perturbed in pairs(data):
        one, two = about(standard), about(perturbed)
        assert not right_answer(two["passage_answer"], str(standard.target))
        assert two["passage_answer"] in two["passage"]
        assert str(standard.target) not in re.findall(r"[\w.:]*\w", two["passage"])
        assert len(one["exemplars"]) == 4


def standing_alone(text: str, passage: str) -> list[str]:
    """Where a text is no part of a longer word or number."""
    alone = rf"(?<![\w.,:]){re.escape(text)}(?![\w:]|[.,]\d)"
    return re.findall(alone, passage)


def test_the_answers_of_the_sample_stand_alone_in_their_passages() -> None:
    entries = yaml.safe_load(SAMPLE.read_text(encoding="utf-8"))
    assert len({entry["question"] for entry in entries}) == len(entries)
    for entry in entries:
        answer, passage = entry["answer"], entry.get("passage", "")
        assert len(standing_alone(answer, passage)) == passage.count(answer)
        assert (answer in passage) == bool(passage)
        assert not standing_alone(answer, entry["question"])
        for other in entry.get("perturbed", {}).values():
            assert not standing_alone(other, passage)
        if entry["domain"] == "years" and passage:
            assert {*re.findall(r"\d{4}", passage)} == {answer}
        elif passage:
            levels = {LEVELS[degree] for degree in entry["perturbed"]}
            assert levels == ({1, 3, 5} if entry["domain"] in WORDED else {*OFFSETS})
