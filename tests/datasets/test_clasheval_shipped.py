"""How rows are made of the shipped sample's questions."""

import pytest

from inspect_debate.datasets.clasheval import replaced, sample_records


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
