"""Cross-examination: who is asked what, who reads it, and what a judge makes of it."""

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from inspect_debate.cli.main import main
from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import DebateRecord
from inspect_debate.evals.colmad import colmad as colmad_task
from inspect_debate.evals.debate import debate as debate_task
from inspect_debate.scorers.debate_process import debate_process
from inspect_debate.solvers.colmad import copmad
from inspect_debate.solvers.cross_examination import cross_examination
from tests.support.choices import OPTIONS, choice_item
from tests.support.marks import (
    check,
    item_marks,
    marked_choice,
    marked_item,
    public,
    run_marked,
)
from tests.support.models import Messages, Script, calls_of, scripted
from tests.support.runs import (
    error_of,
    item,
    records,
    run,
    run_solver,
    samples,
    values,
)
from tests.support.wire.client import wire_model
from tests.support.wire.replies import Reply
from tests.support.wire.requests import ChatRequest
from tests.support.wire.server import WireServer

DEBATERS = ("debater_a", "debater_b")
STAGES = [
    ("opening", 1),
    ("cross_question", 1),
    ("cross_answer", 1),
    ("cross_question", 2),
    ("cross_answer", 2),
    ("closing", 3),
]
"""Of two rounds, in order; both sides take each stage at once."""


def stages(record: DebateRecord) -> list[tuple[str, str, int]]:
    return [(turn.kind, turn.participant, turn.round) for turn in record.turns]


def say(messages: Messages, description: TurnDescription) -> str:
    if description.kind == "verdict":
        return f"Answer: {description.name('error')}"
    return (
        f"<thinking>OWN</thinking><argument>{description.kind} of "
        f"{description.participant} in {description.round}</argument>"
    )


def test_the_order_of_turns_and_the_outcome(tmp_path: Path) -> None:
    log = run_solver(cross_examination(), item(), tmp_path, scripted(say))
    (record,) = records(log)
    spoken = [(kind, who, round) for kind, round in STAGES for who in DEBATERS]
    assert stages(record) == [*spoken, ("verdict", "judge", 0)]
    assert record.protocol == "cross_examination"
    assert record.parameters["show_openings"] is False
    (sample,) = samples(log)
    assert sample.output.completion == "error"


def test_messages_read_as_the_debate(tmp_path: Path) -> None:
    log = run_solver(cross_examination(rounds=1), item(), tmp_path, scripted(say))
    (sample,) = samples(log)
    _, *said, ending = [message.text for message in sample.messages]
    headings = [text.splitlines()[0] for text in said]
    assert len(headings) == 8 + 1
    assert all(h.startswith(("### Alice", "### Bob")) for h in headings[:-1])
    named = [h.rpartition(" · ")[2] for h in headings[:-1:2]]
    assert named == [
        "opening, round 1",
        "cross question, round 1",
        "cross answer, round 1",
        "closing, round 2",
    ]
    assert ending == "### Outcome: error"
    assert not any("OWN" in text for text in said)


def readable(turn: TurnDescription) -> set[str]:
    """The marks that a prompt has to hold: all public texts of earlier stages."""
    marks = item_marks(turn)
    until = len(STAGES)
    if turn.kind == "answer":
        return marks
    if turn.kind != "verdict":
        until = STAGES.index((turn.kind, turn.round))
    if turn.kind != "verdict" and "error" not in turn.choices:  # it answered first
        own = {"kind": "answer", "round": 0, "draw": "", "format": "answer_line"}
        marks |= public(turn.model_copy(update=own))
    for kind, round in STAGES[:until]:
        for who in DEBATERS:
            said = {"participant": who, "kind": kind, "round": round, "draw": ""}
            marks |= public(turn.model_copy(update=said | {"format": "argument"}))
    return marks


@pytest.mark.parametrize("made", [marked_item, marked_choice])
def test_nobody_reads_what_is_private(made: object, tmp_path: Path) -> None:
    names = ("outside", "no tags at first", "reasoning again")
    sides = "assigned" if made is marked_item else "free"
    solver = cross_examination(sides=sides, order="both")
    make = marked_item if made is marked_item else marked_choice
    _, calls = run_marked(solver, tmp_path, names, 2, make)
    assert {call.turn.kind for call in calls} >= {kind for kind, _ in STAGES}
    for call in calls:
        check(call, readable(call.turn))


def test_another_judge_decides_on_the_same_debates(tmp_path: Path) -> None:
    first = run_solver(
        cross_examination(rounds=1), item(), tmp_path / "first", scripted(say)
    )
    judge = scripted(say, "other")
    again = run_solver(
        cross_examination(rounds=1, reuse=first.location),
        item(),
        tmp_path / "again",
        scripted(say),
        {"judge": judge},
    )
    (record,) = records(again)
    assert [turn.reused for turn in record.turns] == [True] * 8 + [False]
    (call,) = calls_of(judge)
    assert "cross_answer of debater_a in 1" in call.prompt
    assert "OWN" not in call.prompt


def test_judges_of_reused_debates_believe_at_the_same_times(tmp_path: Path) -> None:
    def believing(messages: Messages, description: TurnDescription) -> str:
        believes = description.kind == "belief"
        return "Answer: 1\nProbability: 70%" if believes else say(messages, description)

    config, place = {"beliefs": "every_round"}, None
    for name in ("first", "again"):
        model = scripted(believing, name)
        solver = cross_examination(config=config, reuse=place)
        place = run_solver(solver, item(), tmp_path / name, model).location
        asked = [call for call in calls_of(model) if call.turn.kind == "belief"]
        read = {
            (call.turn.round, "question_alone" in call.turn.draw): len(
                TURN.findall(call.prompt)
            )
            for call in asked
        }
        assert len(asked) == len(read)
        # Before anything, after the openings, both rounds and the closings.
        steps = {(0, True): 0, (0, False): 2, (1, False): 6, (2, False): 10}
        assert read == steps | {(3, False): 12}


def test_first_answers_of_another_protocol_are_used_again(tmp_path: Path) -> None:
    def answers(messages: Messages, description: TurnDescription) -> str:
        if description.kind == "answer":
            return f"ANSWER: {'A' if description.participant == 'debater_a' else 'C'}"
        if description.kind == "verdict":
            return f"Answer: {description.choices[0]}"
        return "<argument>It is.</argument>"

    sample = choice_item(options=OPTIONS)
    first = run_solver(copmad(rounds=1), sample, tmp_path / "1", scripted(answers))
    solver = cross_examination(
        sides="free", rounds=0, reuse=first.location, reuse_until="answers"
    )
    again = run_solver(solver, sample, tmp_path / "2", scripted(answers))
    (record,) = records(again)
    assert [(t.kind, t.reused) for t in record.turns[:3]] == [
        ("answer", True),
        ("answer", True),
        ("opening", False),
    ]
    assert {p.defends for p in record.participants if p.defends} == {"A", "C"}


def test_what_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing to use again"):
        cross_examination(reuse=str(tmp_path / "x.eval"), reuse_until="answers")
    with pytest.raises(InputError, match="rounds=-1"):
        cross_examination(rounds=-1)
    log = run_solver(
        cross_examination(), choice_item(), tmp_path, scripted(say), success=False
    )
    assert "Give sides=free" in error_of(log)


# --- judges who ask, or end the debate ------------------------------------------------


def judge_says(*replies: str) -> Script:
    """The judge's turns after rounds, by round; a debater answers what it asks."""

    def script(messages: Messages, description: TurnDescription) -> str:
        if description.kind in ("judge_question", "ready"):
            return replies[description.round - 1]
        return say(messages, description)

    return script


def test_what_a_judge_asks_is_answered_with_the_other_sides_question(
    tmp_path: Path,
) -> None:
    model = scripted(judge_says("<argument>Which unit?\nTo: Bob</argument>"))
    solver = cross_examination(judge_questions=1)
    (record,) = records(run_solver(solver, item(), tmp_path, model))
    (asked,) = record.of_kind("judge_question")
    (bob,) = (p.id for p in record.participants if p.name == "Bob")
    assert (asked.round, asked.field("to").value) == (1, bob)
    told = [
        (c.turn.kind, c.turn.participant, c.turn.round)
        for c in calls_of(model)
        if "question of the judge" in c.prompt
    ]
    assert told == [("cross_answer", bob, 2)]
    later = [c for c in calls_of(model) if (c.turn.round, c.turn.kind) > (1, "z")]
    assert later
    assert all("Which unit?" in call.prompt for call in later)


@pytest.mark.parametrize("ready", [1, None])
def test_a_judge_who_is_ready_decides_without_closings(
    ready: int | None, tmp_path: Path
) -> None:
    replies = [f"Ready: {'yes' if n == ready else 'no'}" for n in (1, 2)]
    model = scripted(judge_says(*replies))
    solver = cross_examination(rounds=3, ends="judge")
    log = run_solver(solver, item(), tmp_path, model, scorer=debate_process())
    (record,) = records(log)
    counts = values(samples(log)[0], "debate_process")
    assert counts["rounds_held"] == len(record.of_kind("cross_answer")) / 2
    assert (counts["rounds_held"], counts["ended_by_judge"]) == (ready or 3, ready or 0)
    assert len(record.of_kind("closing")) == (0 if ready else 2)
    assert len(record.of_kind("ready")) == (ready or 2)
    assert len(record.of_kind("verdict")) == 1


def test_a_debate_that_a_judge_ended_is_used_again(tmp_path: Path) -> None:
    given: dict[str, Any] = {"judge_questions": 1, "ends": "judge"}
    asks = "<argument>Which unit?\nTo: both\nReady: no</argument>"
    model = scripted(judge_says(asks, "Ready: yes"))
    solver = cross_examination(rounds=3, **given)
    first = run_solver(solver, item(), tmp_path / "1", model)
    other = cross_examination(rounds=3, **given, reuse=first.location)
    (record,) = records(run_solver(other, item(), tmp_path / "2", scripted(say, "y")))
    assert [t.kind for t in record.turns if not t.reused] == ["verdict"]
    assert "closing" not in {turn.kind for turn in record.turns}


# --- by a model that reads its prompts over HTTP --------------------------------------

TURN = re.compile(
    r'<turn speaker="(?P<who>\w+)" stage="(?P<stage>[^"]+)">\n(?P<text>.*?)\n</turn>',
    re.S,
)


def examiner(request: ChatRequest) -> Reply:
    """A debater that asks about what the other said, and a judge who counts replies.

    It knows what is asked of it by the text of its prompt alone.
    """
    system, user = (message.text for message in request.messages)
    turns = [match.groupdict() for match in TURN.finditer(user)]
    if system.startswith("You are the judge"):
        asked = [t for t in turns if t["stage"].startswith("cross question")]
        replied = [t for t in turns if t["text"].startswith("To your question")]
        assert len(asked) == len(replied) == 4
        label = re.search(r"^Answer (\w).*argued for by Alice", user, re.M)
        assert label
        return Reply(f"Alice was clearer.\nAnswer: {label[1]}")
    sides = re.match(r"You are (\w+)\..* with (\w+)\.", system)
    assert sides
    me, other = sides.groups()
    theirs = [turn["text"] for turn in turns if turn["who"] == other]
    last = user.rpartition("\n\n")[2]
    if "put one question" in last:
        text = f"What of “{theirs[-1]}”?"
    elif "answer the question" in last:
        text = f"To your question {theirs[-1]}: yes."
    elif last.startswith("Close"):
        text = f"I close after {len(turns)} turns."
    else:
        assert not turns
        text = f"I, {me}, open."
    return Reply(f"<thinking>Mine.</thinking>\n<argument>{text}</argument>")


@pytest.mark.parametrize("task", [debate_task, colmad_task])
def test_over_a_wire(task: object, tmp_path: Path) -> None:
    own = {"source": "sample"} if task is colmad_task else {}
    make = colmad_task if task is colmad_task else debate_task
    with WireServer(examiner) as server:
        log = run(
            make(protocol="cross_examination", **own),
            tmp_path,
            wire_model(server),
            limit=2,
        )
    assert server.counts == {"answered": 2 * 13}
    for record, sample in zip(records(log), samples(log), strict=True):
        texts = {(t.kind, t.round, t.participant): t.public for t in record.spoken()}
        names = {p.id: p.name for p in record.participants}
        asked = texts["cross_question", 1, "debater_a"]
        assert asked == f"What of “I, {names['debater_b']}, open.”?"
        replied = texts["cross_answer", 1, "debater_b"]
        assert replied == f"To your question {asked}: yes."
        assert texts["closing", 3, "debater_a"] == "I close after 10 turns."
        (alice,) = (p for p in record.participants if p.name == "Alice")
        (verdict,) = record.of_kind("verdict")
        assert verdict.field("answer").value == alice.defends
        process = values(sample, "debate_process")
        assert (process["speeches"], process["calls"]) == (12, 13)


def test_simulated_models_speak_and_a_report_shows_it(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    for protocol in ("cross_examination", "judge_alone"):
        run(debate_task(protocol=protocol, rounds=None), logs, limit=4)
    on_errors = tmp_path / "errors"
    for protocol in ("cross_examination", "colmad"):
        task = colmad_task(protocol=protocol, source="sample")
        run(task, on_errors, "simulated/balanced", limit=6)
    for study, folder in (("debate", logs), ("colmad", on_errors)):
        out = tmp_path / study
        done = CliRunner().invoke(
            main, ["report", study, str(folder), "--out", str(out), "--pages"]
        )
        assert done.exit_code == 0, done.output
        page = (out / "report.html").read_text(encoding="utf-8")
        assert ("cross_examination" in page) or ("Cross-examination" in page)
        pages = "".join(p.read_text("utf-8") for p in (out / "debates").glob("*.html"))
        assert "cross question, round 1" in pages.lower()


def test_its_prompts_are_shown() -> None:
    shown = CliRunner().invoke(main, ["prompts", "show", "cross_examination"])
    assert shown.exit_code == 0, shown.output
    assert "--- cross_question (opponent)" in shown.output
    assert "--- judge_instruction" in shown.output


def test_a_users_file_changes_its_prompts(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("closing: MINE\n", encoding="utf-8")
    for task in (debate_task, colmad_task):
        own = {"source": "sample"} if task is colmad_task else {}
        model = scripted(say)
        make = colmad_task if task is colmad_task else debate_task
        run(
            make(protocol="cross_examination", prompts=str(mine), rounds=0, **own),
            tmp_path,
            model,
            limit=1,
            success=False,
        )
        assert sum("MINE" in call.prompt for call in calls_of(model)) == 2
