"""The shipped sample of ClashEval's kind, made into rows of the published schema."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal

from inspect_debate.datasets.clasheval_degrees import FACTORS, UNMODIFIED
from inspect_debate.datasets.multiples import multiplied

_WORDED = ("slight", "significant", "comical")


def sample_records(entry: Mapping[str, object]) -> Iterator[dict[str, str]]:
    """The rows of one question: as it is, and its answer replaced at every degree.

    Args:
        entry: `domain`, `question`, `answer`, `passage`; of names and locations also
            the other answers `slight`, `significant` and `comical`.

    Yields:
        Rows of the published schema. Of years only the unmodified one; multiples that
        cannot be written about as precisely as the answer are left out.
    """
    told = {key: str(value).strip() for key, value in entry.items()}
    answer, passage = told["answer"], told["passage"]
    answers = {UNMODIFIED: answer, **_modified(told)}
    for degree, modified in answers.items():
        yield {
            "question": told["question"],
            "context_original": passage,
            "context_mod": replaced(passage, answer, modified),
            "answer_original": answer,
            "answer_mod": modified,
            "mod_degree": degree,
            "dataset": told["domain"],
        }


def _modified(told: Mapping[str, str]) -> dict[str, str]:
    if told["domain"] == "years":
        return {}
    if told["domain"] in ("names", "locations"):
        return {degree: told[degree] for degree in _WORDED}
    finer = told["domain"] == "drugs"  # half a tablet, but no half a person
    products = {
        factor: multiplied(told["answer"], Decimal(factor), finer) for factor in FACTORS
    }
    return {factor: made for factor, made in products.items() if made is not None}


def replaced(text: str, answer: str, other: str) -> str:
    """A text in which another answer stands wherever the answer stands by itself.

    Not inside a word or a longer number: `30` stays in `30.5`, `1:30` and `1,300`.
    """
    before = r"(?<!\w)(?<!\d[.,:])" if answer[:1].isalnum() else ""
    after = r"(?!\w)(?![.,:]\d)" if answer[-1:].isalnum() else ""
    return re.sub(before + re.escape(answer) + after, lambda _: other, text)
