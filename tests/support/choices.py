"""Questions with options, and a model that answers them by the text of its prompt."""

import re
from collections.abc import Sequence

from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.question import Question
from tests.support.reader import Script, check_debate, turns_of

ASKED = "A train goes 17 km, and then 25 km more. What is the sum of 17 and 25?"
OPTIONS = ("32 km.", "42 km.", "52 km.", "62 km.")


def choice_item(
    id: str = "item",
    asked: str | list[ChatMessage] = ASKED,
    options: Sequence[str] = OPTIONS,
    target: str | list[str] = "B",
) -> Sample:
    """A multiple-choice sample of no study of ours."""
    return Sample(id=id, input=asked, choices=list(options), target=target)


def lettered(id: str = "item", epoch: int = 1, letters: str = "ABCD") -> Question:
    """A question with as many options as letters."""
    options = {letter: f"option {letter}" for letter in letters}
    return Question(
        id=id,
        epoch=epoch,
        fingerprint="c" * 16,
        choices=tuple(letters),
        sources={"question": "Which?", "options": "\n".join(options.values())},
        options=options,
    )


def chooser(adds_up: bool) -> Script:
    """A model that adds up, or one that is ten too high until it is told better."""

    def choose(messages: list[ChatMessage], _: TurnDescription | None) -> str:
        system = "\n".join(m.text for m in messages if m.role == "system")
        user = messages[-1].text
        if "You are the judge" in system:
            return _judge(user)
        asked, options = _item(user if system else messages[0].text)
        own = _solve(asked, options, off=0 if adds_up else 10)
        if "a debate" in system or "You are Alice" in system or "You are Bob" in system:
            return _speak(system, user, asked, own)
        if len(messages) > 1:
            return _update(messages, own, adds_up)
        return _answer(user, tuple(options), own, adds_up)

    return choose


def _item(text: str) -> tuple[str, dict[str, str]]:
    item = re.search(
        r"<question>\n(.*?)\n</question>.*?<options>\n(.*?)\n</options>", text, re.S
    )
    assert item, "the prompt shows no question"
    return item[1], dict(re.findall(r"^([A-Z])\) (.*)$", item[2], re.M))


def _solve(asked: str, options: dict[str, str], off: int) -> str:
    terms = re.search(r"sum of (\d+) and (\d+)", asked)
    assert terms
    total = int(terms[1]) + int(terms[2]) + off
    return next(k for k, text in options.items() if re.search(rf"\b{total}\b", text))


def either(letters: Sequence[str]) -> str:
    """`A or B`, `A, B, C or D`."""
    return f"{', '.join(letters[:-1])} or {letters[-1]}"


def _answer(user: str, letters: tuple[str, ...], own: str, adds_up: bool) -> str:
    assert "the word ANSWER, a colon" in user, "the prompt does not say how to answer"
    assert f"you choose, {either(letters)}," in " ".join(user.split())
    return f"{'I added up.' if adds_up else 'I guessed.'}\n\nANSWER: {own}"


def _update(messages: list[ChatMessage], own: str, adds_up: bool) -> str:
    """Who does not add up is convinced by whoever did."""
    user = messages[-1].text
    peers = re.findall(r'<turn speaker="[\w ,]+">\n(.*?)\n</turn>', user, re.S)
    assert peers, "the prompt shows nobody else's answer"
    told = [p.rsplit("ANSWER: ", 1)[1] for p in peers if "I added up" in p]
    letters = tuple(_item(messages[0].text)[1])
    return _answer(user, letters, own if adds_up else (told or [own])[0], adds_up)


def _speak(system: str, user: str, asked: str, own: str) -> str:
    round = check_debate(system, user)
    listed = dict(_listed(system))
    side = re.search(r"(?:make the case for|You argue for)\s+answer ([A-Z])\.", system)
    other = re.search(r"(?:makes the\s+case|argues) for\s+answer\s+([A-Z])\.", system)
    assert side, "the prompt does not say which answer to defend"
    assert other, "the prompt does not say what the other defends"
    assert listed.keys() == {side[1], other[1]}
    assert all(listed.values()), "the prompt does not say what the answers are"
    said = f"I hold {side[1]} in round {round}."
    if "<quote>" in system:
        said += f" <quote>{asked.split('?')[0]}</quote>"
    if not re.search(r"^Final:", system, re.M):
        assert "You win if" in system
        return f"<argument>{said}</argument>"
    assert re.search(rf"^Final: .*\b{either(list(listed))}\b", system, re.M)
    assert re.search(r"^Conf:", system, re.M)
    final = own if own in listed else side[1]
    return f"<argument>{said}\nFinal: {final}\nConf: 0.9 - added up</argument>"


def _listed(text: str) -> list[tuple[str, str]]:
    return re.findall(r"^Answer ([A-Z]): <answer>(.*)</answer>", text, re.M)


def _judge(user: str) -> str:
    listed = dict(_listed(user))
    letters = either(sorted(listed))
    form = f"the word Answer, a colon and the letter, {letters},"
    assert form in " ".join(user.split()), "the prompt does not say how to answer"
    said = turns_of(user)
    if not said:
        return f"Answer: {_solve(*_item(user), off=0)}"
    assert ("<v_quote>" in user) == ("On quotes" in user), "no quote was verified"
    speakers = dict(re.findall(r"^Answer ([A-Z]):.*argued for by (\w+)", user, re.M))
    assert set(speakers.values()) == {"Alice", "Bob"}
    # Whoever wrote that it had added up before it debated; else who spoke first.
    added = [name for name, _, text in said if "I added up" in text]
    trusted = (added or [said[0][0]])[0]
    return f"Answer: {next(k for k, name in speakers.items() if name == trusted)}"
