"""The protocol, step by step, with models that read their prompts."""

from pathlib import Path
from typing import Any

from inspect_ai.solver import Solver

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.record import DebateRecord
from inspect_debate.solvers.colmad import colmad
from tests.support.models import Messages, Script, scripted
from tests.support.reader import reader
from tests.support.runs import RIGHT, WRONG, item, records, run_solver, samples


def debate(
    solver: Solver, log_dir: Path, response: str = WRONG, **settings: Any
) -> list[DebateRecord]:
    """A debate between one who adds up and one who finds everything fine."""
    log = run_solver(
        solver,
        item(response=response),
        log_dir,
        scripted(reader(True), "sharp"),
        {"debater_b": scripted(reader(False), "dull")},
        **settings,
    )
    return records(log)


def steps(record: DebateRecord) -> list[str]:
    return [f"{t.kind} {t.round} {t.participant}" for t in record.turns]


def test_a_debate_from_first_answers_to_verdict(tmp_path: Path) -> None:
    (record,) = debate(colmad(), tmp_path)
    assert steps(record) == [
        "answer 0 debater_a",
        "answer 0 debater_b",
        "speech 1 debater_a",
        "speech 1 debater_b",
        "speech 2 debater_a",
        "speech 2 debater_b",
        "verdict 0 judge",
    ]
    assert record.complete
    assert record.debated
    assert record.participant("debater_a").name == "Alice"
    assert record.participant("debater_a").defends == "error"
    assert record.participant("debater_b").name == "Bob"
    assert record.participant("judge").model == "scripted/sharp"
    verdict = record.turns[-1]
    assert verdict.field("answer").value == "error"
    assert (verdict.listed_first, verdict.shown_first) == ("error", "debater_a")
    assert all(t.field("confidence").value == 0.9 for t in record.of_kind("speech"))
    assert any("is also a debater" in warning for warning in record.warnings)


def test_a_forced_debate_draws_sides_and_mirrors_them(tmp_path: Path) -> None:
    solver = colmad(skip_if_agree=False)
    first, second = debate(solver, tmp_path, response=RIGHT, epochs=2)
    sides = [
        [record.participant(d).defends for d in ("debater_a", "debater_b")]
        for record in (first, second)
    ]
    assert sorted(map(str, sides[0])) == ["error", "no_error"]
    assert sides[1] == sides[0][::-1]
    assert first.turns[-1].order == "ab"
    assert second.turns[-1].order == "ba"


def test_no_rounds_lets_the_judge_decide_on_the_answers(tmp_path: Path) -> None:
    def judge(messages: Messages, description: TurnDescription) -> str:
        assert 'stage="first answer"' in messages[-1].text
        assert 'stage="round' not in messages[-1].text
        return "Answer: 2"

    log = run_solver(
        colmad(rounds=0),
        item(),
        tmp_path,
        scripted(reader(True), "sharp"),
        {
            "debater_b": scripted(reader(False), "dull"),
            "judge": scripted(judge, "judge"),
        },
    )
    (record,) = records(log)
    assert steps(record)[2:] == ["verdict 0 judge"]
    assert not record.debated


def test_sequential_speakers_hear_each_other(tmp_path: Path) -> None:
    prompts: dict[tuple[int, int, str], str] = {}

    def keep(script: Script) -> Script:
        def read(messages: Messages, description: TurnDescription) -> Any:
            if description.kind == "speech":
                prompts[
                    description.epoch, description.round, description.participant
                ] = messages[-1].text
                return (
                    f"<argument>said {description.round} {description.participant} "
                    "<quote>sum</quote>"
                    "\nFinal: 1 error\nConf: 0.5</argument>"
                )
            return script(messages, description)

        return read

    log = run_solver(
        colmad(turn_order="sequential"),
        item(),
        tmp_path,
        scripted(keep(reader(True)), "sharp"),
        {"debater_b": scripted(keep(reader(False)), "dull")},
        epochs=2,
    )
    first, second = records(log)
    assert steps(first)[2:4] == ["speech 1 debater_a", "speech 1 debater_b"]
    assert steps(second)[2:4] == ["speech 1 debater_b", "speech 1 debater_a"]
    assert "said 1 debater_a" in prompts[1, 1, "debater_b"]
    assert "said 1 debater_b" not in prompts[1, 1, "debater_a"]
    assert "said 2 debater_a" in prompts[1, 2, "debater_b"]
    assert "said 1 debater_b" in prompts[2, 1, "debater_a"]
    assert "said 1 debater_a" not in prompts[2, 1, "debater_b"]


def test_the_messages_tab_shows_what_is_public(tmp_path: Path) -> None:
    log = run_solver(
        colmad(),
        item(),
        tmp_path,
        scripted(reader(True), "sharp"),
        {"debater_b": scripted(reader(False), "dull")},
    )
    (sample,) = samples(log)
    texts = [message.text for message in sample.messages]
    assert len(texts) == 1 + 7 + 1
    assert texts[0].endswith(f"### The model's response\n\n{WRONG}")
    assert texts[1].startswith("### Alice (debater A, for error) · first answer")
    assert texts[3].startswith("### Alice (debater A, for error) · round 1")
    assert texts[7].startswith("### Judge · verdict, Alice shown first")
    assert texts[8] == "### Outcome: error", "no scorer says what is right"
    assert not any("I hold side" in text for text in texts)
    assert sample.output.completion == "error"


def test_a_forced_verdict_on_equal_answers_names_no_advocates(tmp_path: Path) -> None:
    def judge(messages: Messages, description: TurnDescription) -> str:
        assert "argued for by" not in messages[-1].text
        return "Answer: 2"

    log = run_solver(
        colmad(rounds=0, skip_if_agree=False),
        item(response=RIGHT),
        tmp_path,
        scripted(reader(False), "dull"),
        {"judge": scripted(judge, "judge")},
    )
    (record,) = records(log)
    assert record.turns[-1].field("answer").value == "no_error"
