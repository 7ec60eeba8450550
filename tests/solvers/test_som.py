"""Society of Minds: who reads what in an update, and what a coin decides."""

from collections.abc import Callable
from pathlib import Path

import pytest
from inspect_ai import Task
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

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.outcome import Outcome, outcome, probability
from inspect_debate.debate.record import DebateRecord, Status
from inspect_debate.debate.seeds import seeded
from inspect_debate.solvers.baselines import ensemble, single
from inspect_debate.solvers.colmad import colmad
from inspect_debate.solvers.som import som
from tests.support.models import Call, Script, calls_of, scripted
from tests.support.reader import reader
from tests.support.runs import dataset, item, record, records, run, samples

LABELS = {"debater_a": "an", "debater_b": "no"}


def sentence(description: TurnDescription) -> str:
    label = LABELS[description.participant]
    return f"Therefore, the model response contains {label} error."


def said(description: TurnDescription, round: int) -> str:
    """What a member's turn of a round says in public, with a mark of its own."""
    return f"PUB-{description.participant}-{round} {sentence(description)}"


def speak(
    messages: list[ChatMessage], description: TurnDescription | None
) -> ModelOutput:
    """Every turn is read at the second attempt, and thinks in two ways."""
    assert description is not None
    hidden = f"HID-{description.participant}-{description.round}"
    text = (
        said(description, description.round)
        if description.reask
        else f"OWN-{description.participant}-{description.round}"
    )
    content: list[Content] = [
        ContentReasoning(reasoning=hidden, signature=hidden),
        ContentText(text=f"<think>{hidden}</think>{text}"),
    ]
    message = ChatMessageAssistant(content=content)
    return ModelOutput(model="x", choices=[ChatCompletionChoice(message=message)])


def society(
    solver: Solver, log_dir: Path, script: Script, ids: tuple[str, ...] = ("item",)
) -> tuple[EvalLog, list[Call]]:
    a, b = scripted(script, "a"), scripted(script, "b")
    log = run(
        Task(dataset=dataset(*map(item, ids)), solver=solver),
        log_dir,
        roles={"debater_a": a, "debater_b": b},
        epochs=2,
    )
    return log, [*calls_of(a), *calls_of(b)]


def asked(calls: list[Call]) -> dict[tuple[str, int, int, int], list[tuple[str, str]]]:
    """Messages by participant, epoch, round and attempt."""
    found: dict[tuple[str, int, int, int], list[tuple[str, str]]] = {}
    for call in calls:
        description = call.description
        assert description is not None
        key = (
            description.participant,
            description.epoch,
            description.round,
            description.reask,
        )
        assert key not in found
        found[key] = [(message.role, message.text) for message in call.messages]
    return found


def test_a_member_reads_the_answers_of_the_round_before(tmp_path: Path) -> None:
    log, calls = society(som(rounds=3), tmp_path, speak)
    prompts = asked(calls)
    assert len(prompts) == len(calls) == 2 * 2 * 4 * 2
    other = {"debater_a": "debater_b", "debater_b": "debater_a"}
    for (who, epoch, round, reask), messages in prompts.items():
        description = next(
            c.description
            for c in calls
            if c.description and c.description.participant == who
        )
        peer = next(
            c.description
            for c in calls
            if c.description and c.description.participant == other[who]
        )
        roles = ["user", *["assistant", "user"] * (round + reask)]
        assert [role for role, _ in messages] == roles
        # The same beginning in every round: the item and what was asked first.
        assert messages[0] == prompts["debater_a", epoch, 0, 0][0]
        # Its own turns, as the others were shown them, and what the others said.
        own = [text for role, text in messages if role == "assistant"]
        assert own[:round] == [said(description, earlier) for earlier in range(round)]
        for earlier in range(round):
            update = messages[2 * earlier + 2][1]
            assert update.count("<turn ") == update.count("</turn>") == 1
            assert f">\n{said(peer, earlier)}\n</turn>" in update
            assert update.count("PUB-") == 1
        sent = "".join(text for _, text in messages)
        assert "HID" not in sent
        # A draft is shown to its own writer alone, while it is asked again.
        drafts = [f"OWN-{who}-{round}"] if reask else []
        assert [text for text in own if "OWN" in text] == drafts
        assert sent.count("OWN") == len(drafts)
    for call in calls:
        whole = "\n".join(message.model_dump_json() for message in call.messages)
        assert "HID" not in whole
    for held in records(log):
        assert [f"{t.kind} {t.round} {t.participant}" for t in held.turns] == [
            f"{'update' if round else 'answer'} {round} debater_{member}"
            for round in range(4)
            for member in "ab"
        ]
        assert all(turn.calls == 2 and turn.superseded for turn in held.turns)


def test_an_update_is_cued_with_what_it_was_shown(tmp_path: Path) -> None:
    def swap(messages: list[ChatMessage], description: TurnDescription | None) -> str:
        assert description is not None
        first = LABELS[description.participant] == "an"
        label = "an" if first != (description.round % 2 == 1) else "no"
        return f"Therefore, the model response contains {label} error."

    _, calls = society(som(rounds=2), tmp_path, swap)
    told = {
        (call.description.participant, call.description.round): (
            call.description.own_answer,
            call.description.shown,
        )
        for call in calls
        if call.description is not None
    }
    assert told == {
        ("debater_a", 0): (None, ()),
        ("debater_b", 0): (None, ()),
        ("debater_a", 1): ("error", ("no_error",)),
        ("debater_b", 1): ("no_error", ("error",)),
        ("debater_a", 2): ("no_error", ("error",)),
        ("debater_b", 2): ("error", ("no_error",)),
    }


def test_who_is_convinced_changes_its_answer(tmp_path: Path) -> None:
    log = run(
        Task(dataset=dataset(item()), solver=som()),
        tmp_path,
        model=scripted(reader(True), "sharp"),
        roles={"debater_b": scripted(reader(False), "dull")},
    )
    (held,) = records(log)
    values = [turn.field("answer").value for turn in held.turns]
    assert values == ["error", "no_error", "error", "error"]
    assert outcome(held) == Outcome("error", "ok")
    assert held.drawn is None
    assert (held.protocol, held.aggregation, held.debated) == ("som", "coin", False)
    assert not held.of_kind("verdict")


def stubborn(messages: list[ChatMessage], description: TurnDescription | None) -> str:
    assert description is not None
    return sentence(description)


IDS = tuple(f"item-{n}" for n in range(12))


@pytest.mark.slow
@pytest.mark.parametrize("protocol", [som, ensemble])
def test_a_coin_is_tossed_once_and_mirrored(
    protocol: Callable[..., Solver], tmp_path: Path
) -> None:
    def coins(seed: int, ids: tuple[str, ...]) -> dict[tuple[str, int], str | None]:
        log, _ = society(protocol(seed=seed), tmp_path, stubborn, ids)
        return {
            (str(sample.id), sample.epoch): record(sample).drawn
            for sample in samples(log)
        }

    drawn = coins(0, IDS)
    assert len(drawn) == 2 * len(IDS)
    for id in IDS:
        assert {drawn[id, 1], drawn[id, 2]} == {"error", "no_error"}
        pair = ["error", "no_error"]
        seeded(0, "coin", id, 0).shuffle(pair)
        assert drawn[id, 1] == pair[0]
    first = {drawn[id, 1] for id in IDS}
    assert first == {"error", "no_error"}
    # Only the seed and the item decide, not how many others there are, or their order.
    assert coins(0, IDS[:4:-1]) == {
        key: drawn[key] for key in drawn if key[0] in IDS[5:]
    }
    assert coins(1, IDS) != drawn


def test_a_tossed_answer_has_a_probability_of_one_half(tmp_path: Path) -> None:
    log, _ = society(som(rounds=2), tmp_path, stubborn)
    for held in records(log):
        assert outcome(held) == Outcome(held.drawn, "coin")
        assert probability(held, "error") == probability(held, "no_error") == 0.5


def unread_in(round: int) -> Script:
    def say(messages: list[ChatMessage], description: TurnDescription | None) -> str:
        assert description is not None
        silent = (description.participant, description.round) == ("debater_b", round)
        return "I see it both ways." if silent else sentence(description)

    return say


def test_a_last_answer_that_was_not_read_predicts_nothing(tmp_path: Path) -> None:
    log, _ = society(som(rounds=2), tmp_path, unread_in(2))
    for held in records(log):
        assert held.complete
        assert outcome(held) == Outcome(None, "unparsed")
        assert probability(held, "error") is None
        assert held.drawn is None


@pytest.mark.parametrize("round", [0, 1])
def test_an_earlier_answer_that_was_not_read_goes_on(
    round: int, tmp_path: Path
) -> None:
    log, calls = society(som(rounds=2), tmp_path, unread_in(round))
    for held in records(log):
        assert len(held.turns) == 6
        (unread,) = [t for t in held.turns if t.field("answer").status != Status.OK]
        assert (unread.participant, unread.round) == ("debater_b", round)
        assert outcome(held).status == "coin"
    # What could not be read as an answer is shown all the same, and named nowhere.
    reading = [
        call
        for call in calls
        if call.description is not None
        and (call.description.participant, call.description.round)
        == ("debater_a", round + 1)
    ]
    assert len(reading) == 2
    for call in reading:
        assert "I see it both ways." in call.messages[-1].text
        assert call.description is not None
        assert call.description.shown == ()


@pytest.mark.parametrize(
    ("source", "asked_for"),
    [(colmad(), []), (ensemble(), []), (som(), []), (single(), ["debater_b"])],
    ids=["colmad", "ensemble", "som", "single"],
)
def test_first_answers_are_not_asked_for_again(
    source: Solver, asked_for: list[str], tmp_path: Path
) -> None:
    before, _ = society(source, tmp_path / "before", reader(False))
    log, calls = society(som(reuse=before.location), tmp_path / "after", reader(False))
    new = [call.description for call in calls if call.description is not None]
    answers = [
        description.participant for description in new if description.kind == "answer"
    ]
    assert answers == asked_for * 2
    assert [description.kind for description in new].count("update") == 2 * 2
    for held, earlier in zip(records(log), records(before), strict=True):
        assert held.reused_from == before.eval.eval_id
        assert [t.participant for t in held.turns[:2]] == ["debater_a", "debater_b"]
        assert_reused(held, earlier, asked_for)


def assert_reused(held: DebateRecord, earlier: DebateRecord, but: list[str]) -> None:
    told = {turn.participant: turn for turn in earlier.of_kind("answer")}
    for turn in held.turns:
        assert turn.reused == (turn.kind == "answer" and turn.participant not in but)
        if turn.reused:
            assert turn.public == told[turn.participant].public
