"""What is private stays private: every text of a run is marked, every prompt searched.

The marks of each prompt are exactly those that its reader may read: see
`tests.support.marks`.
"""

import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.model import ChatMessage

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.participants import orders
from inspect_debate.evals.colmad import colmad as colmad_task
from inspect_debate.solvers.baselines import judge_alone, single
from inspect_debate.solvers.colmad import colmad
from tests.support.marks import (
    GOOD,
    MARK,
    SHAPES,
    fill,
    item_marks,
)
from tests.support.models import calls_of, scripted
from tests.support.privacy import Rules, check, held, readable
from tests.support.runs import dataset, item, record, records, run, samples


def test_marks_are_told_apart() -> None:
    assert MARK.findall(fill(GOOD, "a-b")) == ["OWN-a-b-1", "PUB-a-b-2"]


MATRIX = [
    Rules(*values)
    for values in product(
        range(4), ("simultaneous", "sequential"), (True, False), (True, False)
    )
    if values[0] or values[2]
]


@pytest.mark.slow
@pytest.mark.parametrize("rules", MATRIX, ids=lambda r: "-".join(map(str, r)))
def test_a_prompt_holds_what_its_reader_may_read(rules: Rules, tmp_path: Path) -> None:
    solver = colmad(**rules._asdict(), order="both")
    names = ["outside", "no tags at first"]
    log, calls = held(solver, tmp_path, names, panel=2)
    kinds = [call.description.kind for call in calls if call.description is not None]
    # Twice two items; every turn of the second is asked for twice, and every verdict.
    assert kinds.count("answer") == 2 * 3 * 2
    assert kinds.count("speech") == 2 * 3 * 2 * rules.rounds
    assert kinds.count("verdict") == 2 * 2 * 2 * 2 * 2
    for call in calls:
        assert call.description is not None
        check(call, readable(call.description, rules))
    for sample in samples(log):
        shown = "\n".join(message.text for message in sample.messages)
        assert {mark[:3] for mark in MARK.findall(shown)} == {"PUB", "HID"}
        heading = re.compile(r"^\*scripted/HID-(?:model|judge)-\w\*$", re.M)
        assert "HID" not in heading.sub("", shown)


@pytest.mark.slow
@pytest.mark.parametrize("turn_order", ["simultaneous", "sequential"])
def test_no_shape_of_a_speech_leaks(turn_order: Any, tmp_path: Path) -> None:
    rules = Rules(turn_order=turn_order)
    solver = colmad(turn_order=turn_order)
    log, calls = held(solver, tmp_path, list(SHAPES))
    for call in calls:
        assert call.description is not None
        check(call, readable(call.description, rules))
    for sample in samples(log):
        for turn in record(sample).of_kind("speech"):
            said = set(MARK.findall(turn.public))
            assert all(mark.startswith("PUB") for mark in said), sample.id
            again = SHAPES[str(sample.id)].again
            assert len(turn.superseded) == (again is not None), sample.id


@pytest.mark.parametrize("order", ["ab", "ba", "both"])
def test_a_judge_alone_reads_the_item(order: Any, tmp_path: Path) -> None:
    solver = judge_alone(order=order)
    _, calls = held(solver, tmp_path, ["plain", "no tags"], panel=3)
    assert len(calls) == 2 * 2 * 3 * 2 * len(orders(order, 1))
    for call in calls:
        assert call.description is not None
        check(call, item_marks(call.description))


def test_a_single_detector_reads_the_item(tmp_path: Path) -> None:
    _, calls = held(single(), tmp_path, ["plain", "no tags"])
    assert len(calls) == 2 * (1 + 2)
    for call in calls:
        assert call.description is not None
        check(call, item_marks(call.description))


@pytest.mark.slow
@pytest.mark.parametrize("until", ["answers", "debate"])
@pytest.mark.parametrize("rules", [Rules(), Rules(2, "sequential", False, False)])
def test_used_again_a_debate_shows_no_more(
    until: Any, rules: Rules, tmp_path: Path
) -> None:
    names = ["outside", "no tags at first", "think", "reasoning again"]
    first, _ = held(colmad(**rules._asdict()), tmp_path / "first", names)
    again = colmad(
        **rules._asdict(), reuse=first.location, reuse_until=until, order="both"
    )
    log, calls = held(again, tmp_path / "again", names, panel=2)
    kinds = {call.description.kind for call in calls if call.description is not None}
    assert kinds == ({"verdict"} if until == "debate" else {"speech", "verdict"})
    assert all(found.reused_from == first.eval.eval_id for found in records(log))
    for call in calls:
        assert call.description is not None
        check(call, readable(call.description, rules))


WORDS = [f"zq{n}" for n in range(40)]


@pytest.mark.parametrize("sees", [True, False])
def test_a_judge_without_the_item_reads_its_quotes_alone(
    sees: bool, tmp_path: Path
) -> None:
    sample = item(
        response=" ".join(WORDS[20:]), task=f"{' '.join(WORDS[:20])} <v_quote>."
    )

    def say(messages: list[ChatMessage], description: TurnDescription | None) -> str:
        assert description is not None
        label = "an" if description.participant == "debater_a" else "no"
        match description.kind:
            case "answer":
                return f"Therefore, the model response contains {label} error."
            case "speech":
                at = 3 if description.participant == "debater_a" else 30
                passage = f"<quote>{WORDS[at]} {WORDS[at + 1]}</quote>"
                return f"<thinking>zq9</thinking><argument>{passage}</argument>"
        return "Answer: 1"

    model = scripted(say)
    run(
        Task(dataset=dataset(sample), solver=colmad(1, judge_sees_problem=sees)),
        tmp_path,
        model=model,
    )
    (judged,) = [
        c for c in calls_of(model) if c.description and c.description.kind == "verdict"
    ]
    words = re.findall(r"zq\d+", judged.prompt)
    quoted = ["zq3", "zq4", "zq30", "zq31"]
    assert words == (WORDS if sees else []) + quoted
    assert ("<item>" in judged.prompt) == sees


def test_nothing_of_a_loaded_sample_but_its_texts_is_shown(tmp_path: Path) -> None:
    models = {role: scripted(speak_plainly, f"HID-{role}") for role in ("a", "b", "j")}
    task = colmad_task(source="sample", subset="math", skip_if_agree=False)
    log = run(
        task,
        tmp_path,
        roles={
            "debater_a": models["a"],
            "debater_b": models["b"],
            "judge": models["j"],
        },
        limit=3,
    )
    said = [call for model in models.values() for call in calls_of(model)]
    assert len(said) == 3 * (2 + 4 + 1)
    for sample in samples(log):
        texts = sample.input if isinstance(sample.input, list) else []
        allowed = "\n".join(message.text for message in texts)
        hidden = [
            text
            for value in sample.metadata.values()
            for text in (value if isinstance(value, list) else [value])
            if isinstance(text, str) and len(text) > 12 and text not in allowed
        ]
        assert hidden
        for call in said:
            assert not [text for text in hidden if text in call.prompt]


def speak_plainly(
    messages: list[ChatMessage], description: TurnDescription | None
) -> str:
    assert description is not None
    if description.kind == "speech":
        return "<argument>Said.</argument>"
    if description.kind == "verdict":
        return "Answer: 1"
    return "Therefore, the model response contains an error."
