"""Debates in which every text carries a mark that says who may read it.

`PUB` may be read where the protocol shows the turn, `OWN` (thinking, drafts, what
is outside the argument) by its speaker alone when asked again, `HID` (reasoning,
gold label, settings) by nobody.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    Content,
    ContentReasoning,
    ContentText,
    ModelOutput,
)
from inspect_ai.solver import Solver

from inspect_debate.v1.debate.calls import TurnDescription
from tests.v1.support.models import Call, calls_of, scripted
from tests.v1.support.runs import dataset, item, run, samples

MARK = re.compile(r"(?:PUB|OWN|HID)-[\w-]+")


class Shape(NamedTuple):
    """A speech, and the reply when it is asked for again."""

    text: str
    again: str | None = None


GOOD = "<thinking>OWN</thinking><argument>PUB\nFinal: 1\nConf: 0.9</argument>"
SHAPES = {
    "plain": Shape(GOOD),
    "capitals": Shape("<THINKING>OWN</THINKING>\n<ARGUMENT>PUB</ARGUMENT>"),
    "blanks": Shape("< thinking >OWN< / thinking >< argument\n>PUB</ argument >"),
    "attributes": Shape(
        '<thinking mode="OWN">OWN</thinking x><argument>PUB</argument>'
    ),
    "outside": Shape("OWN<thinking>OWN</thinking>OWN<argument>PUB</argument>OWN"),
    "fenced": Shape("```xml\n<thinking>OWN</thinking>\n```\n<argument>PUB</argument>"),
    "entities": Shape("&lt;thinking&gt;OWN&lt;/thinking&gt;<argument>PUB</argument>"),
    "full width": Shape("＜thinking＞OWN＜/thinking＞<argument>PUB</argument>"),
    "zero width": Shape("<thin\u200bking>OWN</thinking\u200b><argument>PUB</argument>"),
    "two arguments": Shape("<argument>OWN</argument><argument>PUB</argument>"),
    "argument reopened": Shape("<argument>OWN<argument>PUB</argument>"),
    "cut second": Shape("<argument>PUB</argument><argument>OWN"),
    "argument in thinking": Shape(
        "<thinking>OWN<argument>OWN</argument></thinking><argument>PUB</argument>"
    ),
    "draft after": Shape(
        "<argument>PUB</argument><thinking><argument>OWN</argument></thinking>"
    ),
    "thinking in argument": Shape("<argument>PUB<thinking>OWN</thinking></argument>"),
    "nested": Shape(
        "<thinking>OWN<thinking>OWN</thinking>OWN</thinking><argument>PUB</argument>"
    ),
    "twice": Shape("<thinking>OWN</thinking><thinking>OWN</thinking>" + GOOD),
    "stray close": Shape("OWN</thinking><argument>PUB</argument>"),
    "late close": Shape(
        "<argument>OWN</argument>OWN</thinking><argument>PUB</argument>"
    ),
    "unclosed at end": Shape("<argument>PUB</argument><thinking>OWN"),
    "unclosed": Shape("<thinking>OWN<argument>OWN</argument>", GOOD),
    "unclosed tag": Shape("<thinking OWN", GOOD),
    "unclosed twice": Shape("<thinking>OWN", "<thinking>OWN"),
    "thinking only": Shape("<thinking>OWN</thinking>", "<thinking>OWN</thinking>"),
    "no tags at first": Shape("OWN without tags", GOOD),
    "no tags": Shape("OWN", "<thinking>OWN</thinking>PUB"),
    "open argument": Shape("<argument>OWN", "<thinking>OWN</thinking><argument>PUB"),
    "empty argument": Shape("<thinking>OWN</thinking><argument> </argument>", GOOD),
    "think": Shape("<think>HID</think>" + GOOD),
    "think in capitals": Shape("< THINK >HID</ Think>" + GOOD),
    "think in argument": Shape("<argument>PUB<think>HID</think></argument>"),
    "think unclosed": Shape("<argument>PUB</argument><think>HID"),
    "think closed": Shape("HID</think><argument>PUB</argument>"),
    "think, wrong close": Shape("<think>HID</thinking><argument>HID</argument>", GOOD),
    "thinking, wrong close": Shape("<thinking>HID</think><argument>PUB</argument>"),
    "reasoning": Shape("{reasoning}" + GOOD),
    "redacted": Shape("{redacted}" + GOOD),
    "reasoning again": Shape("{reasoning}<think>HID</think>OWN", "{reasoning}" + GOOD),
}


def fill(template: str, turn: str) -> str:
    """A template whose marks name their turn and number."""
    numbers = iter(range(1, 100))
    return re.sub("PUB|OWN|HID", lambda m: f"{m[0]}-{turn}-{next(numbers)}", template)


def turn_name(description: TurnDescription, reask: int) -> str:
    where = (
        f"{description.sample}-e{description.epoch}-{description.participant}-"
        f"{description.kind}{description.round}"
    )
    return f"{where}-{description.draw}-try{reask}".replace(" ", "_").replace(",", "")


def template(description: TurnDescription, reask: int) -> str:
    """What a participant says in a turn, at an attempt."""
    shape = SHAPES[description.sample]
    if description.kind == "judge_question":
        if not reask and shape.again is not None:
            return "<thinking>OWN</thinking>OWN, I cannot tell."
        return "OWN<thinking>OWN</thinking><argument>PUB\nTo: both</argument>OWN"
    if description.kind not in ("answer", "update", "verdict"):
        return (shape.again or "") if reask else shape.text
    hidden = "{reasoning}{redacted}<think>HID</think>"
    if description.kind == "verdict":
        first = description.choices[0]
        return (
            hidden
            + f"PUB\nAnswer: {first if reask else ' or '.join(description.choices)}"
        )
    if not reask and shape.again is not None:
        return hidden + "OWN, I cannot tell."
    if description.format == "answer_line":
        letter = "A" if description.participant == "debater_a" else "C"
        return f"{hidden}PUB\nANSWER: {letter}"
    label = "an" if description.participant == "debater_a" else "no"
    return f"{hidden}PUB Therefore, the model response contains {label} error."


def spoken(description: TurnDescription, reask: int) -> str:
    return fill(template(description, reask), turn_name(description, reask))


def public(description: TurnDescription) -> set[str]:
    """What others may read of the last attempt of a turn."""
    last = 0 if SHAPES[description.sample].again is None else 1
    return {m for m in MARK.findall(spoken(description, last)) if m.startswith("PUB")}


def speak(
    messages: list[ChatMessage], description: TurnDescription | None
) -> ModelOutput:
    """Says what its turn's template says, with reasoning parts apart from the text."""
    assert description is not None
    reply = spoken(description, description.reask)
    hidden = f"HID-{turn_name(description, description.reask)}-part"
    content: list[Content] = [ContentText(text=re.sub(r"\{\w+\}", "", reply))]
    if "{redacted}" in reply:
        part = ContentReasoning(reasoning="x", summary=hidden, redacted=True)
        content.insert(0, part)
    if "{reasoning}" in reply:
        part = ContentReasoning(reasoning=hidden, signature=f"{hidden}-signature")
        content.insert(0, part)
    message = ChatMessageAssistant(content=content)
    return ModelOutput(model="x", choices=[ChatCompletionChoice(message=message)])


def marked_item(name: str) -> Sample:
    """An item with marks in both texts, and secrets in whatever a sample holds."""
    mark = name.replace(" ", "_").replace(",", "")
    sample = item(name, f"It is PUB-{mark}-response.", "HID-gold", f"PUB-{mark}-task")
    assert sample.metadata is not None
    secrets = {"explanation": "HID-explanation", "error_categories": ["HID-category"]}
    sample.metadata |= secrets | {"human_explanation": "HID-explanation"}
    return sample


def marked_choice(name: str) -> Sample:
    """The same with options; nothing that is shown says what is right."""
    mark = name.replace(" ", "_").replace(",", "")
    return Sample(
        id=name,
        input=f"Which one? PUB-{mark}-task",
        choices=["it", "they", f"PUB-{mark}-response", "none"],
        target="C",
        metadata={"explanation": "HID-explanation"},
    )


def item_marks(description: TurnDescription) -> set[str]:
    mark = description.sample.replace(" ", "_").replace(",", "")
    return {f"PUB-{mark}-task", f"PUB-{mark}-response"}


def run_marked(
    solver: Solver,
    log_dir: Path,
    names: Sequence[str],
    panel: int = 1,
    made: Callable[[str], Sample] = marked_item,
) -> tuple[EvalLog, list[Call]]:
    """Run a protocol on marked items for two epochs; returns the log and every call."""
    a, b = scripted(speak, "HID-model-a"), scripted(speak, "HID-model-b")
    judges = [scripted(speak, f"HID-judge-{n}") for n in range(panel)]
    log = run(
        Task(dataset=dataset(*map(made, names)), solver=solver),
        log_dir,
        roles={"debater_a": a, "debater_b": b, "judge": judges},
        epochs=2,
    )
    assert all(sample.error is None for sample in samples(log))
    return log, [call for model in (a, b, *judges) for call in calls_of(model)]


def check(call: Call, expected: set[str]) -> None:
    """A call's messages, with all they carry, hold exactly the expected marks."""
    description = call.description
    assert description is not None
    expected = set(expected)
    if description.reask:
        first = MARK.findall(spoken(description, 0))
        expected |= {mark for mark in first if not mark.startswith("HID")}
        assert [m.role for m in call.messages[-2:]] == ["assistant", "user"]
    sent = "\n".join(message.model_dump_json() for message in call.messages)
    assert set(MARK.findall(sent)) == expected, (description, call.prompt)
    assert "HID" not in sent
