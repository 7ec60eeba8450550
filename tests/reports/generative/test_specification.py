"""Tasks that participants say are at fault."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from inspect_ai.log import EvalLog

from inspect_debate.debate.record import DebateRecord, Turn
from inspect_debate.reports.elements import Table
from inspect_debate.reports.generative.comparisons import Data, read_data
from inspect_debate.reports.generative.report import REPORT
from inspect_debate.reports.generative.specification import (
    Records,
    first_said,
    points_in,
    points_of,
    read_records,
    specification_tables,
)
from inspect_debate.reports.logs import Log, study_logs
from inspect_debate.reports.samples import Held, read_samples
from inspect_debate.simulator.generative import DOUBTS
from inspect_debate.simulator.texts import SENTENCES
from tests.reports.generative.generative_logs import logged_records
from tests.reports.generative.made import only_row
from tests.reports.made_logs import changed, logged
from tests.support.generative_records import grade, record_of, ruled, stated
from tests.support.tables import rows

FINE = "The code follows the docstring."
VAGUE = "The docstring is ambiguous."
WRONG = "The tests are wrong."
UNSURE = "The statement does not say what is meant."


def said(turn: Turn, text: str, **changes: Any) -> Turn:
    return turn.model_copy(update={"public": text, **changes})


def thought(record: DebateRecord, **by_seat: str) -> DebateRecord:
    """With what led to answers, which nobody else may read."""
    turns = [
        turn.model_copy(update={"private": by_seat[turn.participant]})
        if turn.kind == "answer" and turn.participant in by_seat
        else turn
        for turn in record.turns
    ]
    return record.model_copy(update={"turns": tuple(turns)})


def debate(
    graded: str, a: str = FINE, b: str = FINE, judge: str = FINE, **changes: Any
) -> DebateRecord:
    """A dual debate of one round."""
    return record_of(
        graded,
        said(stated("debater_a", 1), a),
        said(stated("debater_b", 1), b),
        said(ruled("CC"), judge),
        protocol="dual_debate",
        **changes,
    )


def read(folder: Path) -> Data:
    found = read_data(study_logs(folder))
    assert found is not None
    return found


def table(data: Data) -> Table | None:
    return next(iter(specification_tables(data.records, data.items)), None)


def points(data: Data) -> pd.DataFrame:
    return points_of(first_said(data.records, data.items))


def test_tasks_are_listed_with_who_says_so_and_how_good_answers_are(
    tmp_path: Path,
) -> None:
    logged_records(
        tmp_path,
        {
            "BigCodeBench/1": debate("RW", VAGUE, judge=f"{UNSURE} {WRONG}"),
            "BigCodeBench/2": debate("WW", VAGUE, WRONG, f"{FINE} {VAGUE}"),
            "BigCodeBench/3": debate("RR"),
            "BigCodeBench/4": thought(debate("EW"), debater_b=f"Hm. {VAGUE} So be it."),
        },
    )
    found = table(read(tmp_path))
    assert found is not None
    assert found.frame["Task"].tolist() == [
        *("BigCodeBench/2", "BigCodeBench/1", "BigCodeBench/4")
    ]
    second = only_row(found, Task="BigCodeBench/2")
    assert (second["Participants"], second["of all"]) == (3, 3)
    assert (second["Debates"], second["of all debates"]) == (1, 1)
    assert (second["Models"], second["of all models"]) == (1, 1)
    assert second["About"] == "statement (2), tests (1)"
    assert (second["Right answers"], second["Answers"]) == (0, 2)
    assert second["All wrong"]
    assert second["For example"] == VAGUE
    assert second["Data"] == "BigCodeBench-Plus v1.0.2"
    first = only_row(found, Task="BigCodeBench/1")
    assert (first["Participants"], first["of all"]) == (2, 3)
    assert (first["Right answers"], first["All wrong"]) == (0.5, False)
    last = only_row(found, Task="BigCodeBench/4")
    assert (last["Participants"], last["Answers"]) == (1, 1)


def test_points_say_who_where_and_when(tmp_path: Path) -> None:
    answers = thought(debate("RW", judge=WRONG), debater_a=VAGUE)
    critic = said(stated("debater_b", 2, "D"), UNSURE, model="acme/critic")
    unchosen = said(stated("debater_a", 1), WRONG, kind="candidate", draw=2)
    reward = said(ruled("C", "reward", kind="reward"), VAGUE)
    hidden = said(stated("debater_a", 2), FINE, reasoning=VAGUE, superseded=(VAGUE,))
    spoken = record_of(
        *("W", unchosen, reward, hidden, critic, ruled("CI")), protocol="single_debate"
    )
    logged_records(tmp_path, {"q1": answers})
    logged_records(tmp_path, {"q2": spoken})
    found = points(read(tmp_path))
    assert found[
        ["question_id", "role", "model", "kind", "round", "about", "sentence"]
    ].to_numpy().tolist() == [
        ["q1", "debater_a", "scripted/x", "answer", 0, "statement", VAGUE],
        ["q1", "judge", "scripted/x", "verdict", 0, "tests", WRONG],
        ["q2", "debater_a", "scripted/x", "candidate", 1, "tests", WRONG],
        ["q2", "debater_b", "acme/critic", "speech", 2, "statement", UNSURE],
    ]
    assert found["title"].tolist() == ["Dual debate"] * 2 + ["Single debate"] * 2
    assert set(found["version"]) == {"v1.0.2"}


def test_an_answer_that_could_not_be_read_is_read_as_it_was_written(
    tmp_path: Path,
) -> None:
    unread = debate("UR")
    turns = [
        said(turn, VAGUE) if turn.participant == "debater_a" else turn
        for turn in unread.turns
        if turn.kind == "answer"
    ]
    rest = [turn for turn in unread.turns if turn.kind != "answer"]
    logged_records(
        tmp_path, {"q1": unread.model_copy(update={"turns": (*turns, *rest)})}
    )
    assert points(read(tmp_path))["kind"].tolist() == ["answer"]


def test_what_runs_have_in_common_counts_once(tmp_path: Path) -> None:
    first = thought(debate("RW", WRONG), debater_a=VAGUE)
    again = thought(record_of("RW", said(ruled("CC"), UNSURE)), debater_a=VAGUE)
    logged_records(tmp_path, {"q1": first})
    logged_records(tmp_path, {"q1": again})
    data = read(tmp_path)
    assert points(data)["sentence"].tolist() == [VAGUE, WRONG, UNSURE]
    found = only_row(table(data))
    # The answers are the first run's, in which A says two things; then another judge.
    assert (found["Participants"], found["of all"]) == (2, 4)
    assert (found["Debates"], found["of all debates"], found["Runs"]) == (2, 2, 2)
    assert (found["Answers"], found["Right answers"]) == (2, 0.5)


def test_data_that_share_ids_are_apart(tmp_path: Path) -> None:
    logged_records(tmp_path, {"q1": debate("RW", VAGUE)})
    logged_records(tmp_path, {"q1": debate("WW", VAGUE, WRONG)}, "bcb", "v0.1.4")
    found = table(read(tmp_path))
    assert found is not None
    shown = found.frame[["Data", "Participants", "Right answers", "All wrong"]]
    assert shown.to_numpy().tolist() == [
        ["BigCodeBench v0.1.4", 2, 0.0, True],
        ["BigCodeBench-Plus v1.0.2", 1, 0.5, False],
    ]


def test_of_as_many_participants_those_of_more_runs_come_first(tmp_path: Path) -> None:
    two = debate("RW", VAGUE, VAGUE)
    logged_records(tmp_path, {"q1": two, "q2": debate("RW", VAGUE)})
    other = record_of("W", said(ruled("C"), VAGUE))
    logged_records(tmp_path, {"q2": other})
    found = table(read(tmp_path))
    assert found is not None
    assert found.frame[["Task", "Participants", "Runs"]].to_numpy().tolist() == [
        ["q2", 2, 2],
        ["q1", 2, 1],
    ]


def test_debates_that_newer_logs_replace_do_not_count(tmp_path: Path) -> None:
    log = logged_records(tmp_path, {"q1": debate("RW", VAGUE)})
    newer = logged_records(tmp_path, {"q1": debate("RW", b=WRONG)})
    assert logged(log) != logged(newer)
    data = read(tmp_path)
    assert points(data)["sentence"].tolist() == [WRONG]
    assert only_row(table(data))["of all"] == 3


def test_where_nobody_finds_a_fault_the_report_says_so(tmp_path: Path) -> None:
    logged_records(tmp_path, {"q1": debate("RW")})
    data = read(tmp_path)
    assert table(data) is None
    report = REPORT(tmp_path)
    texts = {section.title: section.text for section in report.sections}
    assert "Nobody in these runs says" in texts["Tasks that may be at fault"]
    assert "-T dataset=bcb -T" in texts["Cleaned against original tasks"]


def test_the_report_has_the_list_and_the_comparison(tmp_path: Path) -> None:
    logged_records(tmp_path, {"q1": debate("RW", VAGUE), "q2": debate("RR")})
    logged_records(
        tmp_path, {"q1": debate("WW"), "q2": debate("RR", WRONG)}, "bcb", "v0.1.4"
    )
    report = REPORT(tmp_path)
    tables = {found.name: found for found in report.tables()}
    assert len(tables["specification"].frame) == 2
    points = tables["specification_points"].frame
    assert points[
        ["Task", "About", "Sentence", "Kind", "Condition"]
    ].to_numpy().tolist() == [
        ["q2", "tests", WRONG, "speech", "Dual debate"],
        ["q1", "statement", VAGUE, "speech", "Dual debate"],
    ]
    cleaned = only_row(tables["cleaned"])
    assert (cleaned["Cleaned"], cleaned["Original"]) == (0.5, 0.5)
    assert (cleaned["Answers cleaned"], cleaned["Answers original"]) == (0.75, 0.5)
    assert "4 questions" in report.summary
    data = tables["data"].frame
    versions = data.loc[data["Name"] == "Version", "Value"]
    assert set(versions) == {"v1.0.2", "v0.1.4"}


def test_passes_that_reach_too_far_are_counted_by_run(tmp_path: Path) -> None:
    notes: dict[str, dict[str, Any]] = {
        "debater_a": {"note": "reaches for sys, gc"},
        "debater_b": {"note": "reaches for os", "reused": True},
    }
    odd = debate("RR").model_copy(
        update={"grades": tuple(grade(who, "R", **of) for who, of in notes.items())}
    )
    failed = debate("WR").model_copy(
        update={"grades": (grade("debater_a", "W", note="reaches for sys"),)}
    )
    log = logged_records(tmp_path, {"q1": odd, "q2": odd, "q3": failed})
    data = read(tmp_path)
    assert data.records.reaching["reaching"].tolist() == [1, 1]
    tables = {found.name: found for found in REPORT(tmp_path).tables()}
    found = only_row(tables["grades"], Log=logged(log).name)
    assert (found["Right"], found["Wrong"]) == (4, 1)
    assert found["Right, to be looked at"] == 2


def read_once(log: EvalLog, monkeypatch: pytest.MonkeyPatch) -> tuple[Records, int]:
    """What is read, and how often a log is."""
    times = []

    def counted(one: Log, part: slice) -> Iterator[Held]:
        times.append(one)
        return read_samples(one, part)

    monkeypatch.setattr("inspect_debate.reports.samples.read_samples", counted)
    return read_records(study_logs(logged(log))), len(times)


def test_records_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = logged_records(tmp_path, {"q1": debate("RW", VAGUE)})
    found, times = read_once(log, monkeypatch)
    assert times == 1
    assert len(found.turns) == 5
    assert found.calls.served == {("scripted/x", "x"): 5}
    assert found.calls.prices
    assert found.calls.unread == []


def test_records_of_another_version_are_reported(tmp_path: Path) -> None:
    log = logged_records(tmp_path, {"q1": debate("RW", VAGUE)})
    assert log.samples is not None
    log.samples[0].store["Debate:text"] = '{"study": 1}'
    path = changed(logged(log), tmp_path, samples=log.samples)
    found = read_records(study_logs(path))
    assert len(found.calls.unread) == 1
    assert found.turns.empty


# Sentences that say that a task is at fault, and sentences that do not.

TESTS = """
The expected output contradicts the example in the docstring.   The tests are wrong.
It is unclear what the tests expect for negative numbers.   There is a bug in the tests.
The expected value in the second test is clearly wrong.   The test suite may have a bug.
I believe that the hidden tests are simply broken here.   These are contradictory tests.
The test case appears to contradict the specification.   I consider the tests wrong.
The second and third test cases contradict each other.
The test suite checks the opposite of what is asked.
The tests cannot be satisfied by any implementation.
The tests expect the wrong value for an empty frame.
Bob's code does not pass because the test is wrong.
A test that expects anything else is simply wrong.   The tests are flawed, not the code.
The answer is fine; the test contains an error.   The hidden tests cannot all be right.
The tests aren't consistent with the docstring.   The docstring and the tests conflict.
test_case_2 is inconsistent with the docstring.   I see a typo in the second test case.
Test 3 is incorrect, since a list is returned.   The tests do not match the description.
It is impossible to satisfy both assertions.   No correct solution can pass these tests.
The **unit tests** are not correct here.   The tests are not only strict but wrong.
The assertion in test_two is misleading.   The unit test contradicts the statement.
The test for the empty string is buggy.
"""
STATEMENT = """
The mismatch between the signature and the example is in the task itself.
The specification does not say whether the bounds are inclusive.
The docstring doesn't specify what happens with an empty list.
There is a contradiction between the docstring and the tests.
The wording can equally be interpreted as a strict bound.   The instructions are vague.
The order of the keys is not specified in the docstring.   This task is under-specified.
The docstring is somewhat ambiguous about the order.   The task is impossible as stated.
The description could be read as asking for a copy.   The requirements are conflicting.
It isn't clear what the docstring means by unique.   These are conflicting requirements.
There are two possible readings of the statement.   The statement contradicts itself.
The task is ill-defined where two rows are equal.   The statement is silent on ties.
The prompt never states which separator is used.   The prompt is open to interpretation.
The rounding is left open by the specification.   I find the docstring ambiguous.
The statement says nothing about duplicates.   The docstring, as written, is misleading.
Alice is right that the wording is unclear.   The statement leaves the return type open.
An ambiguous statement is no excuse for it.   There is an ambiguity in the description.
The description makes no sense for one row.   The problem statement is underspecified.
The signature does not match the docstring.   The requirement cannot be met.
The requirement allows two interpretations.   The spec is not clear on this.
The statement is ambiguous.   The problem is ambiguous.   The docstring has a typo.
"""
EXAMPLES = """
The examples in the docstring are inconsistent with the statement.
The training pairs leave it open whether the shape is mirrored.   The doctest is broken.
The given examples are insufficient to determine the mapping.
The examples do not determine what happens at the border.   The second example is wrong.
The training examples are not sufficient to decide this.   The examples are ambiguous.
The examples don't tell which of the colours wins.   Both readings explain the examples.
The last example is inconsistent with the others.   Example 2 contradicts example 1.
The example output is incorrect for this input.
The examples allow several interpretations.   Two different rules fit all the examples.
The examples are consistent with two rules.   Examples 1 and 3 contradict each other.
"""
OF_AN_ANSWER = """
There is a contradiction between Bob's answer and the statement.   Bob's test is wrong.
There is a mismatch between the output and the expected output.
The solution is ambiguous about types, as the docstring shows.
The docstring specifies a list, so returning a tuple is wrong.
The examples are inconsistent with the rule that Alice states.
Since the docstring says nothing is returned, None is right.   The test output is wrong.
The code violates the requirement that the list is sorted.   My description was unclear.
Alice's answer is wrong because the tests expect a list.   I test wrong inputs first.
According to the specification the code is incorrect.   Bob did not read the docstring.
The grid is inconsistent with the training examples.   For example, the code is wrong.
A case that the tests cover is handled incorrectly.   The code is wrong for test case 3.
Bob's interpretation of the statement is wrong.   Its reading of the prompt is mistaken.
The answer does not match the expected output.   The rule can be read off the examples.
This solution has a bug in the second example.   The docstring shows that Bob is wrong.
Bob's handling of the docstring is incorrect.   The tests cannot be passed by this code.
This output is inconsistent with the example.   The result does not match the docstring.
A bug in the code makes the first test fail.   The code raises an error in the test.
Alice makes a mistake in the second example.   The answer contradicts the statement.
The code does not follow the specification.   The function never checks the requirement.
The output for the second example is wrong.   The problem is wrong indexing in the loop.
There is nothing wrong with the statement.   The answer to the test is incorrect.
Bob uses the wrong example to argue.   Both answers satisfy the statement.
The example contradicts Bob's rule.   The return statement is wrong.
Bob's code fails the test.
"""
NOTHING_WRONG = """
The task leaves one reading once all of its examples are taken together.
The first reading that comes to mind fails on the second example.   The tests are right.
There is no contradiction between the statement and the tests.   The docstring is clear.
I checked the result against the examples once more.   The specification is unambiguous.
The examples leave little room for a second reading.   The docstring contains no typo.
The tests check that invalid inputs raise an error.   The statement is not ambiguous.
The statement cannot be read as asking for a copy.   None of the tests is broken.
If the statement were ambiguous, either would do.   The examples are never inconsistent.
The statement is neither vague nor contradictory.   The docstring is far from ambiguous.
The examples are consistent with one rule only.   Nothing in the statement is ambiguous.
The tests expect wrong inputs to be refused.   I do not think that the tests are wrong.
Whether the tests are wrong does not matter.   The examples do not allow two readings.
Bob is wrong that the docstring is unclear.   The docstring says exactly what to return.
I disagree that the statement is ambiguous.   I would not call the docstring vague.
The statement isn't ambiguous at all.   I see no ambiguity in the docstring.
Is the statement ambiguous?   No test is wrong.
"""


@pytest.mark.parametrize(
    ("sentence", "about"),
    [
        *(*rows(["tests"], TESTS), *rows(["statement"], STATEMENT)),
        *(*rows(["examples"], EXAMPLES), *rows([], OF_AN_ANSWER)),
        *(*rows([], NOTHING_WRONG), *((said, []) for said in SENTENCES)),
    ],
)
def test_what_a_sentence_says_is_at_fault(sentence: str, about: list[str]) -> None:
    assert [point.about for point in points_in(sentence)] == about


def test_doubts_of_simulated_models_are_found() -> None:
    found = {
        said: [point.about for point in points_in(said)]
        for sentences in DOUBTS.values()
        for said in sentences
    }
    doubts = {said: [about] for about, lines in DOUBTS.items() for said in lines}
    assert sum(found[said] == doubts[said] for said in doubts) / len(doubts) > 0.75
