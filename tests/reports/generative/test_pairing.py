"""How samples are paired, and which are not."""

from typing import Any

import pandas as pd
import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.reports.generative.pairing import PairingError, pair_up
from tests.reports.generative.made import Round, joined, made_items, unscored

TWO = (Round("q1", "10", "11"), Round("q2", "00", "01"))
DEBATE = made_items("dual_debate", TWO)
CONSULTANCY = made_items("dual_consultancy", TWO)


def refusal(a: pd.DataFrame, b: pd.DataFrame) -> str:
    with pytest.raises(PairingError) as refused:
        pair_up(a, b, what="debate and consultancy")
    assert isinstance(refused.value, InputError)
    return refused.value.message


def test_pairs_are_in_the_same_order() -> None:
    paired = pair_up(DEBATE, CONSULTANCY[::-1], what="")
    assert paired.a["question_id"].tolist() == paired.b["question_id"].tolist()
    assert list(paired.a.columns) == list(paired.b.columns)
    assert paired.a["title"].unique().tolist() == ["Dual debate"]
    assert paired.drops == {}
    assert paired.independent


def test_everything_that_is_left_out_is_counted_by_cause() -> None:
    a = made_items(
        "dual_debate",
        [
            *TWO,
            *(Round(f"only{n}", "11", "11") for n in range(3)),
            Round("epochs", "11", "11"),
            *(Round("epochs", "11", "11", epoch=n) for n in (2, 3)),
            Round("failed", "11", "11"),
            Round("unread", "11", "1?"),
            Round("tied", "11", "1?", more={"verdict_ok": 1, "verdict_tied": 1}),
            Round("unknown", "1?", "11"),
        ],
    )
    b = made_items(
        "dual_consultancy",
        [
            *TWO,
            Round("epochs", "11", "11"),
            Round("failed", "11", "11"),
            Round("unread", "11", "11"),
            Round("tied", "11", "11"),
            Round("unknown", "1?", "11"),
            Round("theirs", "11", "11"),
        ],
    )
    paired = pair_up(a, unscored(b, 3), what="")
    assert paired.a["question_id"].tolist() == ["epochs", "q1", "q2"]
    assert paired.drops == {
        "in one of the two only": 4,
        "epochs that only one of them has": 2,
        "failed or not scored": 1,
        "verdict not read": 1,
        "verdict tied": 1,
        "answer of unknown worth": 1,
    }


def test_epochs_of_a_question_are_not_independent() -> None:
    twice = [Round("q1", "11", "11", epoch=epoch) for epoch in (1, 2)]
    a, b = (made_items(name, twice) for name in ("dual_debate", "dual_consultancy"))
    paired = pair_up(a, b, what="")
    assert len(paired.a) == 2
    assert not paired.independent


@pytest.mark.parametrize(
    ("column", "value", "says"),
    [
        ("judge", "other/judge", "have different judges"),
        ("prompts", "abc", "have different prompts"),
        ("version", "2", "have different versions of the data"),
        ("dataset", "bcb_plus", "have different data sets"),
        ("data", "published 4567", "have different sources or revisions of the data"),
    ],
)
def test_other_settings_are_refused(column: str, value: str, says: str) -> None:
    was = CONSULTANCY[column].iloc[0]
    said = refusal(DEBATE, CONSULTANCY.assign(**{column: value}))
    assert said == (
        f"debate and consultancy {says}, so they are not paired: {was} against {value}."
    )


def test_several_judges_in_one_format_are_refused() -> None:
    mixed = CONSULTANCY.assign(judge=["one", "two"])
    assert "different judges" in refusal(mixed, mixed)


def test_other_answers_are_refused_however_few() -> None:
    many = [Round(f"q{n}", "10", "11") for n in range(9)]
    other = [Round(f"q{n}", "10", "11", answers="'" if n > 4 else "") for n in range(9)]
    a, b = made_items("dual_debate", many), made_items("dual_consultancy", other)
    assert refusal(a, b) == (
        "debate and consultancy put different answers to the judge in 4 of 9 shared "
        "samples (first: q5 epoch 1, q6 epoch 1, q7 epoch 1, ...), so they are not "
        "paired; run one of them with reuse=LOG of the other and reuse_until=answers."
    )
    assert "in 1 of 5" in refusal(a[1:6], b[1:6])
    assert len(pair_up(a[:5], b[:5], what="").a) == 5


def test_the_other_answer_of_a_dual_format_matters_to_dual_formats_alone() -> None:
    dual = made_items("dual_debate", [Round("q1", "10", "11")])
    other = made_items("dual_consultancy", [Round("q1", "11", "11")])
    single = made_items("single_debate", [Round("q1", "1", "1")])
    assert "in 1 of 1" in refusal(dual, other)
    assert len(pair_up(dual, single, what="").a) == 1
    wrong = made_items("single_debate", [Round("q1", "0", "1")])
    assert "put different answers A to the judge in 1 of 1" in refusal(wrong, dual)


@pytest.mark.parametrize("column", ["answer_set_id"])
def test_answers_that_are_not_known_are_refused(column: str) -> None:
    unknown: Any = [None, None]
    frames = (rows.assign(**{column: unknown}) for rows in (DEBATE, CONSULTANCY))
    assert "in 2 of 2 shared samples" in refusal(*frames)


def test_samples_that_failed_do_not_count_as_other_answers() -> None:
    paired = pair_up(unscored(DEBATE, 0), CONSULTANCY, what="")
    assert paired.drops == {"failed or not scored": 1}


def test_a_sample_that_is_there_twice_is_refused() -> None:
    twice = joined(DEBATE, DEBATE[:1].assign(log="again.eval"))
    said = refusal(CONSULTANCY, twice)
    assert "1 sample more than once in " in said
    assert "again.eval" in said
    assert "(first: q1 epoch 1)" in said
