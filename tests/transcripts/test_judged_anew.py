"""Other judges on imported debates: what they read, and what is compared."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log

from inspect_debate.evals.debate import debate
from inspect_debate.evals.judge_check import judge_check
from tests.support.models import Call, calls_of, scripted
from tests.support.runs import records, run
from tests.transcripts.test_format import changed, imported

ASKED = "Who says that the kiln was not at the river?"
BELIEVED = 0.8125


def held(id: str, right: str = "B") -> dict[str, Any]:
    """A debate that a judge ended after two rounds, for the second answer."""
    line = changed(id=id, right=right, ends="judge", condition="people")
    belief, first, second, question, verdict = line["turns"]
    question |= {"to": "both", "text": ASKED}
    believed = {
        **{"by": "judge", "kind": "belief", "round": 1},
        "probabilities": {"A": 1 - BELIEVED, "B": BELIEVED},
    }
    later = [{**turn, "round": 2} for turn in (first, second)]
    line["turns"] = [
        *(belief, first, second, believed, question),
        *(*later, {**believed, "round": 2}, verdict),
    ]
    return line


@pytest.fixture
def people(tmp_path: Path) -> str:
    result = imported(tmp_path, held("one"), held("two", right="A"))
    assert result.exit_code == 0, result.output
    return str(tmp_path / "logs" / "people.eval")


def judged(people: str, tmp_path: Path, **given: Any) -> tuple[EvalLog, list[Call]]:
    reply = "Fine.\n\nAnswer: B\nProbability: 70%"
    judge = scripted(partial(_says, reply), "other")
    log = run(debate(reuse=people, **given), tmp_path / "anew", roles={"judge": judge})
    return log, calls_of(judge)


def test_a_new_judge_reads_the_debate_and_no_earlier_judgement(
    people: str, tmp_path: Path
) -> None:
    log, calls = judged(people, tmp_path)
    assert len(calls) == 2  # one verdict for each debate, and nothing else
    for call in calls:
        assert call.prompt.count("Water is at the river.") == 2
        assert "<v_quote>carried water up</v_quote>" in call.prompt
        assert ASKED in call.prompt
        assert "81" not in call.prompt  # nor in percent
        assert "It was up." not in call.prompt  # the earlier verdict
        assert "kiln on the hill" not in call.prompt  # judges did not read the passage
        assert not any(name in call.prompt for name in ("Ava", "acme", "Jo"))
    for record in records(log):
        assert record.parameters["ends"] == "judge"
        assert [t.kind for t in record.turns if not t.reused] == ["verdict"]
        assert any("length says something" in one for one in record.warnings)
    assert log.results is not None
    assert log.results.scores[0].metrics["accuracy"].value == 0.5


def test_a_log_cannot_make_an_earlier_verdict_a_part_of_the_debate(
    people: str, tmp_path: Path
) -> None:
    log = read_eval_log(people)
    for sample in log.samples or []:
        record = json.loads(sample.store["Debate:text"])
        for turn in record["turns"]:
            if turn["kind"] in ("belief", "verdict"):
                turn |= {"spoken": True, "public": "LEAK"}
        sample.store["Debate:text"] = json.dumps(record)
    write_eval_log(log, people)
    anew, calls = judged(people, tmp_path)
    assert not any("LEAK" in call.prompt for call in calls)
    assert [len(record.of_kind("verdict")) for record in records(anew)] == [1, 1]


@pytest.mark.parametrize("shape", ["three options", "one round", "one side"])
def test_debates_of_other_shapes_are_judged_anew(shape: str, tmp_path: Path) -> None:
    line = held("one")
    if shape == "three options":
        line["options"].append("In the valley")
        for turn in line["turns"]:
            if "probabilities" in turn:
                turn["probabilities"]["C"] = 0
    else:
        line["turns"] = [t for t in line["turns"] if t.get("round", 0) < 2]
    if shape == "one side":
        line["participants"] = [
            p for p in line["participants"] if p["id"] != "debater_a"
        ]
        line["turns"] = [t for t in line["turns"] if t["by"] != "debater_a"]
    assert imported(tmp_path, line).exit_code == 0
    log, calls = judged(str(tmp_path / "logs" / "people.eval"), tmp_path)
    assert len(calls) == 1
    assert records(log)[0].of_kind("verdict")[0].field("answer").value == "B"


def test_what_the_earlier_judge_asked_can_be_hidden(
    people: str, tmp_path: Path
) -> None:
    _, calls = judged(people, tmp_path, **{"config.reused_questions": "hidden"})
    assert not any(ASKED in call.prompt for call in calls)


def test_beliefs_are_asked_for_after_each_round_that_there_was(
    people: str, tmp_path: Path
) -> None:
    log, calls = judged(people, tmp_path, **{"config.beliefs": "every_round"})
    for record in records(log):
        beliefs = [t.round for t in record.of_kind("belief") if not t.reused]
        assert beliefs == [0, 1, 2]
    assert len(calls) == 8


def _says(reply: str, messages: object, description: object) -> str:
    return reply


def test_peoples_verdicts_are_labels_of_a_judge_check(
    people: str, tmp_path: Path
) -> None:
    """The people said B of both; a judge who says A never agrees with them."""
    for answer, agreement in (("A", 0.0), ("B", 1.0)):
        judge = scripted(partial(_says, f"Well.\n\nAnswer: {answer}"))
        log = run(
            judge_check(debates=people, human_labels=people, checks="repeat"),
            tmp_path / answer,
            roles={"judge": judge},
        )
        assert log.results is not None
        metrics = log.results.scores[0].metrics
        assert metrics["human_agreement"].value == agreement
