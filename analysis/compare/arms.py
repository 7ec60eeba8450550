"""The arms that are compared: runs that are the same in everything."""

import string
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from inspect_debate.analysis.compare.facts import (
    CHOICE_OF_SAMPLES,
    SERVED,
    Facts,
    facts_of,
)
from inspect_debate.analysis.compare.runs import Run
from inspect_debate.analysis.compare.served import served_facts
from inspect_debate.core.errors import InputError


@dataclass(frozen=True)
class Arm:
    """Runs that are the same in everything but in which samples they have.

    Attributes:
        letter: What tables call it.
        runs: Its runs, in the order in which they were given.
        facts: What characterises it; where its runs differ, all values.
    """

    letter: str
    runs: Sequence[Run]
    facts: Facts

    @property
    def logs(self) -> str:
        """The names of its logs."""
        return ", ".join(run.name for run in self.runs)


def arms_of(runs: Sequence[Run]) -> list[Arm]:
    """Put runs of one arm together, and name the arms A, B and so on.

    Where all are of one arm, as when a run was repeated, each is an arm of its own.

    Args:
        runs: Two at least.

    Raises:
        InputError: If there is but one run, or more arms than letters.
    """
    if len(runs) < 2:
        named = ", ".join(run.log.typed for run in runs)
        raise InputError(f"There is nothing to compare {named} with: give two logs.")
    all_facts = [facts_of(run) for run in runs]
    groups: dict[frozenset[object], list[int]] = {}
    for place, facts in enumerate(all_facts):
        identity = (i for i in facts.items() if i[0] not in CHOICE_OF_SAMPLES)
        groups.setdefault(frozenset(identity), []).append(place)
    if len(groups) == 1:
        parts = [[place] for place in range(len(runs))]
    else:
        parts = list(groups.values())
    if len(parts) > len(string.ascii_uppercase):
        raise InputError(
            f"These are {len(parts)} arms; at most {len(string.ascii_uppercase)} can "
            "be compared at a time."
        )
    return [
        _arm(letter, [runs[p] for p in part], [all_facts[p] for p in part])
        for letter, part in zip(string.ascii_uppercase, parts, strict=False)
    ]


def _arm(letter: str, runs: Sequence[Run], facts: Sequence[Facts]) -> Arm:
    served = [served_facts(run) for run in runs]
    known = dict.fromkeys(fact for one in (*facts, *served) for fact in one)
    merged = {
        fact: _together(
            one[fact]
            for one in (served if fact.kind == SERVED else facts)
            if fact in one
        )
        for fact in known
    }
    return Arm(letter, runs, merged)


def _together(values: Iterable[str]) -> str:
    return " / ".join(dict.fromkeys(values))
