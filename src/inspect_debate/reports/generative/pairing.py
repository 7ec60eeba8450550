"""How samples of two formats or data sets are paired, and which are refused."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pandas as pd

from inspect_debate.debate.errors import InputError
from inspect_debate.reports.elements import counted
from inspect_debate.reports.generative.frames import differences

KEYS = ["question_id", "epoch"]
"""What a sample is known by across runs on the same data."""

QUESTION = ["dataset", "version", "question_id"]
"""What a question is known by: versions and cleaned tasks share their ids."""

_DATA = {
    "dataset": "data sets",
    "version": "versions of the data",
    "data": "sources or revisions of the data",
}
_ASKED = {"judge": "judges", "prompts": "prompts"}
_EXAMPLES = 3

Drops = Mapping[str, int]
"""Numbers of samples and epochs that are left out, by cause."""


class PairingError(InputError):
    """Two runs that no pair of samples can be made of, and why."""


@dataclass(frozen=True)
class Paired:
    """The samples that two formats share, row by row, and what was left out.

    Attributes:
        a: Rows of the one, all with a verdict whose correctness is known.
        b: Rows of the other, about the same answers in the same order.
        drops: What of either is left out.
    """

    a: pd.DataFrame
    b: pd.DataFrame
    drops: Drops

    @property
    def questions(self) -> "pd.Series[str]":
        """The question of each pair, of which there may be several epochs."""
        return self.a["question_id"]

    @property
    def independent(self) -> bool:
        """Whether no two pairs are about one question."""
        return not self.questions.duplicated().any()


def pair_up(a: pd.DataFrame, b: pd.DataFrame, *, what: str) -> Paired:
    """Pair the samples of two formats on question and epoch, on the same answers.

    Left out are samples or epochs that only one has, that failed or were not scored in
    either, without a readable verdict or with one on which judges tie in either, and
    those of whose answers nobody knows whether they are right.

    Args:
        a: Rows of one condition, as from `items_of`.
        b: Rows of another.
        what: The two, as an error names them: "dual debate and dual consultancy".

    Raises:
        PairingError: If either has a question and epoch twice, or if data, judges,
            prompts, settings (see `differences`), or the answers that were put to the
            judge differ. Where one has two answers and the other one, answer A has to
            be the same.
    """
    both = _met(a, b, what, _DATA | _ASKED)
    scored = both[both["scored"]]
    _check_answers(scored, what, same_number=_proposers(a) == _proposers(b))
    return _paired(a, b, both)


def pair_tasks(a: pd.DataFrame, b: pd.DataFrame, *, what: str) -> Paired:
    """Pair one format's samples on the tasks that two data sets share, by id and epoch.

    The answers are others, as the tasks differ; what is left out is as in `pair_up`.

    Args:
        a: Rows on the one data set, as from `items_of`.
        b: Rows on the other.
        what: The two, as an error names them.

    Raises:
        PairingError: If either has a question and epoch twice, or if judges, prompts
            or settings (see `differences`) differ.
    """
    return _paired(a, b, _met(a, b, what, _ASKED))


def _met(
    a: pd.DataFrame, b: pd.DataFrame, what: str, same: Mapping[str, str]
) -> pd.DataFrame:
    """What is known of the samples of either: whether they are in both, scored, ..."""
    for rows in (a, b):
        _check_once(rows, what)
    for column, named in same.items():
        _check_same(a, b, column, f"{what} have different {named}")
    _check_settings(a, b, what)
    both = _states(a).merge(
        _states(b), on=KEYS, suffixes=(" a", " b"), how="outer", indicator=True
    )
    return both.assign(
        met=both["_merge"] == "both",
        **{
            state: both[f"{state} a"].eq(True) & both[f"{state} b"].eq(True)
            for state in ("scored", "read", "decided", "known")
        },
    )


def _paired(a: pd.DataFrame, b: pd.DataFrame, both: pd.DataFrame) -> Paired:
    met, scored, read, decided, known = (
        both[state] for state in ("met", "scored", "read", "decided", "known")
    )
    question = both["question_id"]
    twice = question.isin(a["question_id"]) & question.isin(b["question_id"])
    left = {
        "in one of the two only": ~met & ~twice,
        "epochs that only one of them has": ~met & twice,
        "failed or not scored": met & ~scored,
        "verdict not read": scored & ~read,
        "verdict tied": scored & read & ~decided,
        "answer of unknown worth": scored & read & decided & ~known,
    }
    shared = both.loc[scored & read & known, KEYS]
    return Paired(
        a=shared.merge(a, on=KEYS, validate="one_to_one"),
        b=shared.merge(b, on=KEYS, validate="one_to_one"),
        drops={cause: int(rows.sum()) for cause, rows in left.items() if rows.any()},
    )


def _check_once(rows: pd.DataFrame, what: str) -> None:
    again = rows[rows.duplicated(KEYS)]
    if len(again):
        logs = ", ".join(sorted(rows["log"].unique()))
        raise PairingError(
            f"{what} cannot be paired: {counted(len(again), 'sample')} more than "
            f"once in {logs} (first: {_listed(_places(again))}); give one run of "
            "each format, or runs of different samples."
        )


def _check_same(a: pd.DataFrame, b: pd.DataFrame, column: str, said: str) -> None:
    one, other = ({str(value) for value in rows[column]} for rows in (a, b))
    # Several in one run would differ as much as those of two.
    if len(one | other) > 1:
        raise PairingError(
            f"{said}, so they are not paired: {_listed(sorted(one))} against "
            f"{_listed(sorted(other))}."
        )


def _check_settings(a: pd.DataFrame, b: pd.DataFrame, what: str) -> None:
    apart = differences(a, b)
    if apart:
        raise PairingError(
            f"{what} were not asked for alike, so they are not paired: "
            f"{'; '.join(apart)}."
        )


def _check_answers(both: pd.DataFrame, what: str, *, same_number: bool) -> None:
    column = "answer_set_id" if same_number else "answer_id_a"
    one, other = both[f"{column} a"], both[f"{column} b"]
    apart = both[(one != other) | one.isna() | other.isna()]
    if len(apart):
        named = "answers" if same_number else "answers A"
        raise PairingError(
            f"{what} put different {named} to the judge in {len(apart)} of "
            f"{len(both)} shared samples (first: {_listed(_places(apart))}), so they "
            "are not paired; run one of them with reuse=LOG of the other and "
            "reuse_until=answers."
        )


def _proposers(rows: pd.DataFrame) -> frozenset[int]:
    return frozenset(rows["proposers"])


def _states(rows: pd.DataFrame) -> pd.DataFrame:
    """What decides whether a sample is paired."""
    return rows[[*KEYS, "answer_set_id", "answer_id_a"]].assign(
        scored=rows["scored"] == 1,
        read=rows["verdict_ok"] == 1,
        decided=rows["verdict_tied"] != 1,
        known=rows["verdict_correct"].notna(),
    )


def _places(rows: pd.DataFrame) -> list[str]:
    told = zip(rows["question_id"], rows["epoch"], strict=True)
    return [f"{question} epoch {epoch}" for question, epoch in told]


def _listed(names: list[str]) -> str:
    return ", ".join(_shortened(names)) or "none"


def _shortened(names: list[str]) -> Iterator[str]:
    yield from names[:_EXAMPLES]
    if len(names) > _EXAMPLES:
        yield "..."
