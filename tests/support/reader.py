"""A model that acts on nothing but the text of its prompt.

It fails with an assertion where a prompt lacks what a participant needs: the item, its
side, the other's name, the rounds so far, the two answers, the form of the answer.
"""

import re
from collections.abc import Callable

from inspect_ai.model import ChatMessage

from inspect_debate.debate.calls import TurnDescription

Script = Callable[[list[ChatMessage], TurnDescription | None], str]


def reader(finds_errors: bool) -> Script:
    """A model that adds up, or one that finds every response fine."""

    def read(messages: list[ChatMessage], _: TurnDescription | None) -> str:
        system = "\n".join(m.text for m in messages if m.role == "system")
        user = messages[-1].text
        if "You are the judge" in system:
            return _judge(user)
        task, response = _item(messages[0].text if not system else user)
        wrong = finds_errors and not _adds_up(task, response)
        if side := re.search(r"make the case for answer (\d): ([^.]+)\.", system):
            return _debate(system, user, task, side[1], side[2], wrong)
        if side := re.search(r"You argue for answer (\d): ([^.]+)\.", system):
            return _compete(system, user, task, side[1], side[2])
        if len(messages) > 1:
            return _update(messages, wrong)
        return _answer(user, wrong)

    return read


def _item(user: str) -> tuple[str, str]:
    item = re.search(
        r"<task>\n(.*?)\n</task>.*?<response>\n(.*?)\n</response>", user, re.S
    )
    assert item, "the prompt shows no item"
    return item[1], item[2]


def _adds_up(task: str, response: str) -> bool:
    terms = re.search(r"sum of (\d+) and (\d+)", task)
    stated = re.search(r"is (\d+) km", response)
    assert terms
    assert stated
    return int(terms[1]) + int(terms[2]) == int(stated[1])


def _answer(user: str, wrong: bool) -> str:
    form = r"Therefore, the model response contains (?:an|no) error\."
    offered: list[str] = re.findall(form, user)
    assert len(set(offered)) == 2, "the prompt does not say how to answer"
    kind = "an" if wrong else "no"
    return "I added up. " + next(
        line for line in offered if f"contains {kind} " in line
    )


def _update(messages: list[ChatMessage], wrong: bool) -> str:
    """Who finds errors keeps its answer; the other is convinced by one it is told."""
    roles = ["user", *["assistant", "user"] * (len(messages) // 2)]
    assert [message.role for message in messages] == roles
    user = messages[-1].text
    peers = re.findall(
        r'<turn speaker="another participant">\n(.*?)\n</turn>', user, re.S
    )
    assert peers, "the prompt shows nobody else's answer"
    convinced = any("contains an error." in peer for peer in peers)
    return _answer(user, wrong or convinced)


def _debate(
    system: str, user: str, task: str, number: str, position: str, wrong: bool
) -> str:
    me = re.search(r"You are (\w+)\. Together with (\w+)", system)
    now = check_debate(system, user)
    assert me, "the prompt does not say who is who"
    check_position(number, position)
    assert re.search(r"^Final:", system, re.M), "no final line is asked for"
    assert re.search(r"^Conf:", system, re.M), "no confidence is asked for"
    final = "1 error" if wrong else "2 no_error"
    return (
        f"<thinking>I hold side {number}.</thinking>\n<argument>\nMy position: "
        f"{position}. {_quote(system, task)} {me[2]} should look at it "
        f"in round {now}.\n"
        f"Final: {final}\nConf: 0.9 - I added up\n</argument>"
    )


def _compete(system: str, user: str, task: str, number: str, position: str) -> str:
    me = re.search(r"You are (\w+)\. You debate with (\w+)", system)
    now = check_debate(system, user)
    assert me, "the prompt does not say who is who"
    check_position(number, position)
    assert f"You win if the judge decides for answer {number}" in system
    assert not re.search(r"Final:|Conf:|contest", system + user), "it is to conclude"
    return (
        f"<thinking>I hold side {number}.</thinking>\n<argument>\nMy position: "
        f"{position}. {_quote(system, task)} {me[2]} is wrong "
        f"in round {now}.\n</argument>"
    )


def _quote(system: str, task: str) -> str:
    assert "<quote>" in system, "the prompt does not explain quotes"
    return f"<quote>{task.split('.')[0]}</quote>"


def check_position(number: str, position: str) -> None:
    """A position is what its number says."""
    kind = {"1": "an", "2": "no"}[number]
    assert position == f"the response contains {kind} error"


def check_debate(system: str, user: str) -> int:
    """A debater's prompt has the tags, the round, and all earlier turns in order.

    Returns:
        The round.
    """
    for tag in ("<thinking>", "</thinking>", "<argument>", "</argument>"):
        assert tag in system, f"the prompt does not explain {tag}"
    now = re.search(r"contribution to round (\d+);", user)
    assert now, "the prompt does not say which round it is"
    me = re.search(r"You are (\w+)\.", system)
    assert me, "the prompt does not say who is who"
    answers = [(name, "first answer") for name in ("Alice", "Bob")]
    stages = [f"round {n}" for n in range(1, int(now[1]))]
    rounds = [(name, stage) for stage in stages for name in ("Alice", "Bob")]
    shown = [(speaker, stage) for speaker, stage, _ in turns_of(user)]
    # Of first answers all are shown, or one's own alone.
    own = [answer for answer in answers if answer[0] == me[1]]
    assert shown in (answers + rounds, own + rounds)
    return int(now[1])


def _judge(user: str) -> str:
    listed = re.findall(
        r"^Answer (\d) \((\w+)\): .*?(?:\(argued for by (\w+)\))?\.$", user, re.M
    )
    assert {number for number, _, _ in listed} == {"1", "2"}, "no answers are listed"
    assert '"Answer: 1"' in user, "the prompt does not say how to answer"
    said = turns_of(user)
    if not said:
        task, response = _item(user)
        return f"Answer: {2 if _adds_up(task, response) else 1}"
    spoken = any(stage.startswith("round") for _, stage, _ in said)
    assert ("<v_quote>" in user) == spoken, "no quote was verified"
    finals = re.findall(r"^Final: (\d)", user, re.M)
    votes = finals or ["1" if "contains an error" in text else "2" for *_, text in said]
    # Whom most believe in the end; the one shown first where they do not agree.
    chosen = max(dict.fromkeys(votes), key=votes.count)
    return f"{said[0][0]} spoke first.\n\nAnswer: {chosen}"


def turns_of(user: str) -> list[tuple[str, str, str]]:
    """The turns of a transcript: speaker, stage and text."""
    return [
        (speaker, stage, text)
        for speaker, stage, text in re.findall(
            r'<turn speaker="(\w+)" stage="([\w ]+)">\n(.*?)\n</turn>', user, re.S
        )
    ]
