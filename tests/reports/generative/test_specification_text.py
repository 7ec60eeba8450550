"""Sentences that say that a task is at fault, and sentences that do not."""

import pytest

from inspect_debate.reports.generative.specification import (
    points_in,
)
from inspect_debate.simulator.generative import DOUBTS
from inspect_debate.simulator.texts import SENTENCES

TESTS = (
    "The tests are wrong.",
    "I believe that the hidden tests are simply broken here.",
    "Test 3 is incorrect, since a list is returned.",
    "The test for the empty string is buggy.",
    "test_case_2 is inconsistent with the docstring.",
    "The unit test contradicts the statement.",
    "The expected output contradicts the example in the docstring.",
    "The expected value in the second test is clearly wrong.",
    "There is a bug in the tests.",
    "I see a typo in the second test case.",
    "The tests expect the wrong value for an empty frame.",
    "The tests cannot be satisfied by any implementation.",
    "No correct solution can pass these tests.",
    "It is impossible to satisfy both assertions.",
    "The tests do not match the description.",
    "The second and third test cases contradict each other.",
    "Bob's code does not pass because the test is wrong.",
    "The tests are flawed, not the code.",
    "It is unclear what the tests expect for negative numbers.",
    "The assertion in test_two is misleading.",
    "The tests aren't consistent with the docstring.",
    "These are contradictory tests.",
    "I consider the tests wrong.",
    "The answer is fine; the test contains an error.",
    "The tests are not only strict but wrong.",
    "The docstring and the tests conflict.",
    "The test suite may have a bug.",
    "The test case appears to contradict the specification.",
    "A test that expects anything else is simply wrong.",
    "The hidden tests cannot all be right.",
    "The test suite checks the opposite of what is asked.",
    "The **unit tests** are not correct here.",
)
STATEMENT = (
    "The statement is ambiguous.",
    "The docstring is somewhat ambiguous about the order.",
    "The specification does not say whether the bounds are inclusive.",
    "The docstring doesn't specify what happens with an empty list.",
    "The statement is silent on ties.",
    "The prompt never states which separator is used.",
    "The problem statement is underspecified.",
    "This task is under-specified.",
    "The task is ill-defined where two rows are equal.",
    "The description could be read as asking for a copy.",
    "The wording can equally be interpreted as a strict bound.",
    "There are two possible readings of the statement.",
    "The requirement allows two interpretations.",
    "The instructions are vague.",
    "The order of the keys is not specified in the docstring.",
    "The rounding is left open by the specification.",
    "There is an ambiguity in the description.",
    "There is a contradiction between the docstring and the tests.",
    "The signature does not match the docstring.",
    "The docstring has a typo.",
    "The statement contradicts itself.",
    "The requirements are conflicting.",
    "These are conflicting requirements.",
    "The statement leaves the return type open.",
    "The spec is not clear on this.",
    "It isn't clear what the docstring means by unique.",
    "The statement says nothing about duplicates.",
    "The prompt is open to interpretation.",
    "I find the docstring ambiguous.",
    "The task is impossible as stated.",
    "The requirement cannot be met.",
    "The description makes no sense for one row.",
    "The docstring, as written, is misleading.",
    "The problem is ambiguous.",
    "An ambiguous statement is no excuse for it.",
    "Alice is right that the wording is unclear.",
    "The mismatch between the signature and the example is in the task itself.",
)
EXAMPLES = (
    "The examples are ambiguous.",
    "The examples are consistent with two rules.",
    "Two different rules fit all the examples.",
    "Both readings explain the examples.",
    "The examples do not determine what happens at the border.",
    "The examples don't tell which of the colours wins.",
    "The training pairs leave it open whether the shape is mirrored.",
    "Example 2 contradicts example 1.",
    "The second example is wrong.",
    "The examples in the docstring are inconsistent with the statement.",
    "Examples 1 and 3 contradict each other.",
    "The examples allow several interpretations.",
    "The training examples are not sufficient to decide this.",
    "The last example is inconsistent with the others.",
    "The doctest is broken.",
    "The given examples are insufficient to determine the mapping.",
    "The example output is incorrect for this input.",
)
NONE = (
    # about an answer
    "The answer contradicts the statement.",
    "Bob's code fails the test.",
    "This output is inconsistent with the example.",
    "The output for the second example is wrong.",
    "Alice's answer is wrong because the tests expect a list.",
    "The grid is inconsistent with the training examples.",
    "Bob's handling of the docstring is incorrect.",
    "The code raises an error in the test.",
    "This solution has a bug in the second example.",
    "There is a contradiction between Bob's answer and the statement.",
    "There is a mismatch between the output and the expected output.",
    "The example contradicts Bob's rule.",
    "The examples are inconsistent with the rule that Alice states.",
    "The docstring shows that Bob is wrong.",
    "According to the specification the code is incorrect.",
    "The answer does not match the expected output.",
    "The result does not match the docstring.",
    "The code violates the requirement that the list is sorted.",
    "Alice makes a mistake in the second example.",
    "Bob uses the wrong example to argue.",
    "Bob's test is wrong.",
    "My description was unclear.",
    "The code is wrong for test case 3.",
    "Since the docstring says nothing is returned, None is right.",
    "The docstring specifies a list, so returning a tuple is wrong.",
    "A bug in the code makes the first test fail.",
    "There is nothing wrong with the statement.",
    "For example, the code is wrong.",
    "The answer to the test is incorrect.",
    "The return statement is wrong.",
    "The test output is wrong.",
    "Both answers satisfy the statement.",
    "The tests cannot be passed by this code.",
    "The solution is ambiguous about types, as the docstring shows.",
    "A case that the tests cover is handled incorrectly.",
    "The problem is wrong indexing in the loop.",
    "The code does not follow the specification.",
    "Bob did not read the docstring.",
    "The function never checks the requirement.",
    "I test wrong inputs first.",
    "Bob's interpretation of the statement is wrong.",
    "The rule can be read off the examples.",
    "Its reading of the prompt is mistaken.",
    # nothing is wrong
    "The statement is not ambiguous.",
    "The docstring is clear.",
    "The statement isn't ambiguous at all.",
    "The specification is unambiguous.",
    "The tests are right.",
    "No test is wrong.",
    "None of the tests is broken.",
    "Nothing in the statement is ambiguous.",
    "I do not think that the tests are wrong.",
    "I see no ambiguity in the docstring.",
    "There is no contradiction between the statement and the tests.",
    "The examples are consistent with one rule only.",
    "The statement is neither vague nor contradictory.",
    "The docstring is far from ambiguous.",
    "I disagree that the statement is ambiguous.",
    "Bob is wrong that the docstring is unclear.",
    "If the statement were ambiguous, either would do.",
    "Whether the tests are wrong does not matter.",
    "The examples do not allow two readings.",
    "The docstring says exactly what to return.",
    "The statement cannot be read as asking for a copy.",
    "The examples leave little room for a second reading.",
    "Is the statement ambiguous?",
    "The tests check that invalid inputs raise an error.",
    "The tests expect wrong inputs to be refused.",
    "The docstring contains no typo.",
    "The examples are never inconsistent.",
    "I would not call the docstring vague.",
    "I checked the result against the examples once more.",
    "The task leaves one reading once all of its examples are taken together.",
    "The first reading that comes to mind fails on the second example.",
)


@pytest.mark.parametrize("sentence", TESTS)
def test_the_tests_are_at_fault(sentence: str) -> None:
    assert [point.about for point in points_in(sentence)] == ["tests"]


@pytest.mark.parametrize("sentence", STATEMENT)
def test_the_statement_is_at_fault(sentence: str) -> None:
    assert [point.about for point in points_in(sentence)] == ["statement"]


@pytest.mark.parametrize("sentence", EXAMPLES)
def test_the_examples_are_at_fault(sentence: str) -> None:
    assert [point.about for point in points_in(sentence)] == ["examples"]


@pytest.mark.parametrize("sentence", NONE)
def test_no_part_of_the_task_is_at_fault(sentence: str) -> None:
    assert list(points_in(sentence)) == []


def test_doubts_of_simulated_models_are_found() -> None:
    found = {
        said: [point.about for point in points_in(said)]
        for sentences in DOUBTS.values()
        for said in sentences
    }
    doubts = {said: [about] for about, lines in DOUBTS.items() for said in lines}
    assert sum(found[said] == doubts[said] for said in doubts) / len(doubts) > 0.75


@pytest.mark.parametrize("sentence", SENTENCES)
def test_nothing_else_that_they_say_is_a_doubt(sentence: str) -> None:
    assert list(points_in(sentence)) == []
