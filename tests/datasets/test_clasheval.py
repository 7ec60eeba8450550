"""ClashEval's testbed: the samples, their pairs, their order and their balance."""

import json
import logging
import random
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from inspect_ai.dataset import Sample

from inspect_debate.datasets import sources as answer_key
from inspect_debate.datasets.clasheval import Loaded, clasheval
from inspect_debate.datasets.clasheval_questions import question_id, shift_year
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.matching import right_answer, same_answer
from inspect_debate.debate.question import passage_fingerprint
from tests.datasets.made_clasheval import DOMAINS, PUBLISHED, made_rows, saved
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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"shots": 10}, "shots=10 is not possible: .* has 10 questions"),
        ({"domains": ""}, "'' is no domain"),
        ({"domains": "all,years"}, "'all' is no domain"),
        ({"revision": "main"}, "revision='main' is only for source=published"),
    ],
)
def test_wrong_arguments(made: str, arguments: Mapping[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        clasheval(made, **arguments)


def test_a_domain_that_is_not_there(tmp_path: Path) -> None:
    path = saved(made_rows({"names": 6}), tmp_path / "names.csv")
    with pytest.raises(InputError, match="has no question of drugs, news with pass"):
        clasheval(path, domains="news,drugs")
    loaded = clasheval(path, questions=6)
    assert len(loaded.dataset) == 12
    assert loaded.provenance["questions"]["news"] == 0
