"""A model that acts on nothing but the text of its prompt.

It fails with an assertion where a prompt lacks what a participant needs: the item, its
side, the other's name, the rounds so far, the two answers, the form of the answer.
"""

import re
from collections.abc import Callable

from inspect_ai.model import ChatMessage

from inspect_debate.core.cue import Cue

Script = Callable[[list[ChatMessage], Cue | None], str]


def reader(finds_errors: bool) -> Script:
    """A model that adds up, or one that finds every response fine."""

    def read(messages: list[ChatMessage], _: Cue | None) -> str:
        system = "\n".join(m.text for m in messages if m.role == "system")
        user = messages[-1].text
        if "You are the judge" in system:
            return _judge(user)
        task, response = _item(user)
        wrong = finds_errors and not _adds_up(task, response)
        if side := re.search(r"make the case for answer (\d): ([^.]+)\.", system):
            return _debate(system, user, task, side[1], side[2], wrong)
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


def _debate(
    system: str, user: str, task: str, number: str, position: str, wrong: bool
) -> str:
    for tag in ("<thinking>", "</thinking>", "<argument>", "</argument>", "<quote>"):
        assert tag in system, f"the prompt does not explain {tag}"
    me = re.search(r"You are (\w+)\. Together with (\w+)", system)
    now = re.search(r"round (\d+) of (\d+)", user)
    assert me, "the prompt does not say who is who"
    assert now, "the prompt does not say which round it is"
    assert position == (
        "the response contains an error"
        if number == "1"
        else "the response contains no error"
    )
    said = _turns(user)
    expected = [(name, "first answer") for name in ("Alice", "Bob")] + [
        (name, f"round {n}") for n in range(1, int(now[1])) for name in ("Alice", "Bob")
    ]
    assert [(speaker, stage) for speaker, stage, _ in said] == expected
    assert re.search(r"^Final:", system, re.M), "no final line is asked for"
    assert re.search(r"^Conf:", system, re.M), "no confidence is asked for"
    final = "1 error" if wrong else "2 no_error"
    quote = task.split(".")[0]
    return (
        f"<thinking>I hold side {number}.</thinking>\n<argument>\nMy position: "
        f"{position}. <quote>{quote}</quote> {me[2]} should look at it in round "
        f"{now[1]}.\n"
        f"Final: {final}\nConf: 0.9 - I added up\n</argument>"
    )


def _judge(user: str) -> str:
    listed = re.findall(
        r"^Answer (\d) \((\w+)\): .*?(?:\(argued for by (\w+)\))?\.$", user, re.M
    )
    assert {number for number, _, _ in listed} == {"1", "2"}, "no answers are listed"
    assert '"Answer: 1"' in user, "the prompt does not say how to answer"
    said = _turns(user)
    if not said:
        task, response = _item(user)
        return f"Answer: {2 if _adds_up(task, response) else 1}"
    assert "<v_quote>" in user, "no quote was verified"
    finals = re.findall(r"^Final: (\d)", user, re.M)
    votes = finals or ["1" if "contains an error" in text else "2" for *_, text in said]
    # Whom most believe in the end; the one shown first where they do not agree.
    chosen = max(dict.fromkeys(votes), key=votes.count)
    return f"{said[0][0]} spoke first.\n\nAnswer: {chosen}"


def _turns(user: str) -> list[tuple[str, str, str]]:
    return [
        (speaker, stage, text)
        for speaker, stage, text in re.findall(
            r'<turn speaker="(\w+)" stage="([\w ]+)">\n(.*?)\n</turn>', user, re.S
        )
    ]
