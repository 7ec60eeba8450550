"""Reading a prompt about a task and answers to it, and checking what it shows."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from tests.support.clash_texts import Spoken, speeches_of


class Shown(NamedTuple):
    """An answer that a prompt shows: under which heading, and without its labels."""

    own: bool
    unread: bool
    text: str


def unwrapped(text: str) -> str:
    """A text without its line ends."""
    return " ".join(text.split())


def task_of(text: str) -> str:
    """The task that a prompt shows."""
    (task,) = re.findall(r"^<task>\n(.*?)\n</task>$", text, re.M | re.S) or [None]
    assert task, "the prompt shows no task"
    assert re.search(r"^Test input 1:$", str(task), re.M), "the task has no test input"
    return str(task)


def answers_of(text: str) -> dict[str, Shown]:
    """The answers that a prompt shows, by whom, in their order."""
    found = re.findall(
        r"^(Your answer:|The answer of (\w+):)( \(It is not in the form.*\))?\n\n"
        r'<answer by="(\w+)">\n(.*?)\n</answer>$',
        text,
        re.M | re.S,
    )
    assert len(found) == text.count("<answer"), "an answer has no heading"
    assert all(name in ("", by) for _, name, _, by, _ in found), "whose answer is it?"
    return {
        by: Shown(not name, bool(unread), unlabelled(answer))
        for _, name, unread, by, answer in found
    }


def unlabelled(answer: str) -> str:
    """Several grids without the lines that number them."""
    return re.sub(r"^Output \d+:\n", "", answer, flags=re.M)


def transcripts_of(text: str) -> list[tuple[Spoken, ...]]:
    """The transcripts that a prompt shows."""
    found = re.findall(r"^<transcript>\n(.*?)\n</transcript>$", text, re.M | re.S)
    return [speeches_of(each) for each in found]


def check_blocks(task: str, text: str) -> None:
    """As many grids are asked for as there are test inputs, in fenced blocks."""
    count = len(re.findall(r"^Test input \d+:$", task, re.M))
    many = f"the {count} output grids in the order of the test inputs, each in a fenced"
    asked = "the output grid in a fenced code block" if count == 1 else many
    assert asked in unwrapped(text), "no form is given"


def round_of(user: str, name: str) -> int:
    """The round in which a speech is asked for."""
    first, later = (
        re.search(pattern, user)
        for pattern in (
            rf"Speak now as {name}, without",
            rf"Speak again as {name}, in round (\d+), without",
        )
    )
    assert bool(first) != bool(later), "the prompt does not ask for a speech"
    return int(later[1]) if later else 1


def check_rounds(
    speeches: Sequence[Spoken], speakers: set[str], rounds: int
) -> list[str]:
    """So many rounds are complete, and come in their order.

    Returns:
        Those who are heard in the round after.
    """
    assert {speech.speaker for speech in speeches} <= speakers, "a stranger is heard"
    assert [s.round for s in speeches] == sorted(s.round for s in speeches)
    for round in range(1, rounds + 1):
        heard = sorted(s.speaker for s in speeches if s.round == round)
        assert heard == sorted(speakers), f"in round {round} there spoke {heard}"
    assert all(s.round <= rounds + 1 for s in speeches), "a later round is shown"
    return [s.speaker for s in speeches if s.round == rounds + 1]


def ruled_on(text: str) -> list[str]:
    """Those on whom the form at the end of a prompt asks for a ruling."""
    forms = re.findall(r"^```json\n(.*?)\n```$", text, re.M | re.S)
    assert forms, "the prompt gives no form"
    entry = r'"(\w+)": \{"verdict": "correct\|incorrect", "confidence": 0\.50-1\.00\}'
    return re.findall(entry, forms[-1])
