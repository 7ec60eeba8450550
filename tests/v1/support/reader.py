"""Two models that debate on sums: one adds up, and one finds every response fine.

What their prompts have to show is in the golden files.
"""

import re
from collections.abc import Callable

from inspect_ai.model import ChatMessage

from inspect_debate.v1.debate.calls import TurnDescription
from tests.v1.support.runs import TASK, WRONG

Script = Callable[[list[ChatMessage], TurnDescription | None], str]


def reader(finds_errors: bool) -> Script:
    """A model that adds up, or one that finds every response fine."""

    def reply(messages: list[ChatMessage], turn: TurnDescription | None) -> str:
        assert turn is not None
        prompt = "\n".join(message.text for message in messages)
        wrong = finds_errors and WRONG in prompt
        match turn.kind:
            case "answer":
                return _answer(wrong)
            case "update":  # it is convinced by whoever found an error
                peers = turns_of(messages[-1].text)
                return _answer(wrong or any("contains an error." in p for p in peers))
            case "speech":
                final = "1 error" if wrong else "2 no_error"
                conclusion = f"\nFinal: {final}\nConf: 0.9 - I added up"
                return (
                    f"<thinking>I hold side {turn.defends}.</thinking>\n<argument>\n"
                    f"It is as I say: <quote>{TASK.split('.')[0]}</quote>"
                    f"{conclusion if turn.format == 'speech' else ''}\n</argument>"
                )
        return f"Answer: {_voted(turns_of(prompt)) or (1 if WRONG in prompt else 2)}"

    return reply


def _answer(wrong: bool) -> str:
    kind = "an" if wrong else "no"
    return f"I added up. Therefore, the model response contains {kind} error."


def _voted(turns: list[str]) -> str | None:
    """Whom most believe in the end; the one shown first where they do not agree."""
    finals = re.findall(r"^Final: (\d)", "\n".join(turns), re.M)
    votes = finals or ["1" if "contains an error." in text else "2" for text in turns]
    return max(dict.fromkeys(votes), key=votes.count) if votes else None


def turns_of(prompt: str) -> list[str]:
    """The texts of the turns that a prompt shows."""
    return re.findall(r"<turn .*?>\n(.*?)\n</turn>", prompt, re.S)
