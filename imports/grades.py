"""Published grades of bets, each matched with the bet that it is about."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspect_debate.core.errors import InputError
from inspect_debate.imports.debates import SPEECHES, Debate, UnreadableError
from inspect_debate.scorers.bet_grading import BetGrade
from inspect_debate.scorers.published_grades import grade_of_published

# What stands in a grade of the bet that it is about, by the names in a transcript.
_BET = {
    **{key: key for key in ("side", "speech_type")},
    "amount": "raw_bet_amount",
    "thoughts": "raw_thoughts",
}
# A debate's file, a side and a round.
_Key = tuple[str, str, int]


@dataclass(frozen=True)
class Grades:
    """Grades of bets.

    Attributes:
        found: The grades, by the debate's file, side and round.
        differing: The number of grades that fit no bet in the transcript of that name.
        elsewhere: The number of grades of debates that are not here.
    """

    found: Mapping[_Key, BetGrade] = field(default_factory=dict)
    differing: int = 0
    elsewhere: int = 0

    def of(self, debate: Debate) -> list[BetGrade]:
        """The grades of a debate's bets, in the order of the bets."""
        keys = [(debate.file, side, round) for side, round in debate.bets]
        return [self.found[key] for key in keys if key in self.found]


def is_grades(content: Any) -> bool:
    """Whether a file's content is a list of published grades."""
    return is_list_of(content, {"debate_id", "side", "speech_type", "analysis"})


def is_list_of(content: Any, keys: set[str]) -> bool:
    """Whether a file's content is a list of entries that all have some keys."""
    return (
        isinstance(content, list)
        and bool(content)
        and all(isinstance(entry, dict) and keys <= entry.keys() for entry in content)
    )


def read_grades(
    entries: Sequence[Mapping[str, Any]], debates: Iterable[Debate], known: Grades
) -> Grades:
    """Match published grades with bets.

    A grade belongs to the bet of its side and speech in a transcript whose file bears
    its `debate_id`, if amount and reasoning are the same there.

    Args:
        entries: A file of grades, all of which have to be readable.
        debates: The debates that were read.
        known: Grades that were read before.

    Returns:
        The known and the new ones.

    Raises:
        UnreadableError: If an entry is not a grade, or grades a bet once more.
    """
    named: dict[str, list[Debate]] = {}
    for debate in debates:
        named.setdefault(debate.id, []).append(debate)
    found, differing, elsewhere = dict(known.found), known.differing, known.elsewhere
    for number, entry in enumerate(entries):
        here = named.get(str(entry["debate_id"]), ())
        graded = _graded(entry, here)
        try:
            grade = grade_of_published(entry, _rounds(entry, graded))
        except InputError as error:
            raise UnreadableError(f"entry {number}: {error.message}") from error
        if graded is None:
            differing += bool(here)
            elsewhere += not here
            continue
        key = (graded.file, grade.side, grade.round)
        if key in found:
            raise UnreadableError(f"entry {number} grades a bet that is graded already")
        found[key] = grade
    return Grades(found, differing, elsewhere)


def _graded(entry: Mapping[str, Any], debates: Iterable[Debate]) -> Debate | None:
    """The debate of which an entry grades a bet."""
    bet = {key: entry.get(name) for key, name in _BET.items()}
    return next(
        (
            debate
            for debate in debates
            if any(made.model_dump() == bet for made in debate.transcript.debator_bets)
        ),
        None,
    )


def _rounds(entry: Mapping[str, Any], debate: Debate | None) -> int:
    """The rounds of the debate; of one that is not here, what fits its speech."""
    if debate is not None:
        return debate.rounds
    fitting = (n for n, names in SPEECHES.items() if entry["speech_type"] in names)
    return next(fitting, 3)
