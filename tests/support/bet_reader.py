"""A debater and a juror that act on nothing but the text of their prompts.

They fail with an assertion where a prompt lacks what they need: the motion, the side,
the speech to be given, the debate so far, the form of a bet or of a verdict.
"""

import re

from inspect_ai.model import ChatMessage

from inspect_debate.debate.calls import TurnDescription
from tests.support.bets import MOTION

_SPEECHES = ("OPENING", "REBUTTAL", "CLOSING")


def bet_reader(messages: list[ChatMessage], _: TurnDescription | None) -> str:
    """What somebody says who reads its prompt."""
    system, user = messages[0].text, messages[-1].text
    if "<winnerName>" in user:
        return _judged(user)
    assert MOTION in user, "the prompt shows no motion"
    side = re.search(r"speak for the (proposition|opposition)", system)
    assert side, "the prompt names no side"
    speech = _speech_asked(system, user, side[1])
    assert "<bet_amount>" in user, "the prompt asks for no bet"
    assert "<bet_logic_private>" in user, "the prompt asks for no reasoning"
    seen = re.findall(r'<turn speaker="(\w+)" stage="([\w ]+)">', user)
    return (
        f"{speech} of {side[1]}, who has read {len(seen)} speeches.\n"
        + "Lamps burn, ships come home, and nobody is the poorer for it. " * 5
        + f"\n<bet_logic_private>{_note(user)}</bet_logic_private>"
        + f"\n<bet_amount>{50 + 5 * len(seen)}</bet_amount>"
    )


def _speech_asked(system: str, user: str, side: str) -> str:
    if "now is your opening speech" in user:
        return "OPENING"
    task = re.search(r"for the (\w+), give the (\w+)(?: \d)? speech", user)
    assert task, "the prompt asks for no speech"
    assert task[1] == side
    assert task[2].upper() in _SPEECHES
    return task[2].upper()


def _note(user: str) -> str:
    """What the debater is told of its opponent, in its own words."""
    told = {
        "identical": "it is me" if "is yourself" in user else "",
        "chance": "even" if "exactly 50 percent" in user else "",
        "skilled": "it is skilled" if "highly skilled" in user else "",
        "public": "all see it" if "is\npublic" in user or "is public" in user else "",
        "tokens": "tokens" if "100 tokens" in user else "",
    }
    return ", ".join(filter(None, told.values())) or "nothing told"


def _judged(user: str) -> str:
    turns = re.findall(
        r'<turn speaker="(\w+)" stage="([\w ]+)">\n(.*?)\n</turn>', user, re.S
    )
    assert turns, "the prompt shows no debate"
    assert {speaker for speaker, _, _ in turns} == {"Proposition", "Opposition"}
    read = {
        who: sum(len(text) for s, _, text in turns if s == who) for who, *_ in turns
    }
    winner = max(read, key=lambda who: read[who])
    return (
        f"{len(turns)} speeches.\n<winnerName>{winner.lower()}</winnerName>\n"
        "<confidence>70</confidence>"
    )
