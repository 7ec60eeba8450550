"""Programs whose values lie, in ways that the first grader did not know."""

import pytest

from inspect_debate.grading.grade import Graded
from tests.grading.hostile.links import SOLUTIONS as LINKS
from tests.grading.hostile.slots import SOLUTIONS
from tests.grading.kinds import CALLED, RIGHT, WRONG, kinds, lying
from tests.grading.running import grade_all
from tests.support.liars import PLACES, liars, liars_task, right_program, wrong_program

pytestmark = pytest.mark.slow


def passing(graded: dict[str, Graded]) -> set[str]:
    return {what for what, each in graded.items() if each.status == "pass"}


def test_the_task_tells_right_from_wrong_in_each_kind() -> None:
    wrong = {kind: lying(kind, value) for kind, value in WRONG.items()}
    graded = grade_all({"right": RIGHT + CALLED, **wrong}, problem=kinds())
    assert passing(graded) == {"right"}


def test_no_liar_is_accepted_in_the_process_of_the_tests() -> None:
    graded = grade_all(SOLUTIONS, problem=kinds())
    assert {each.way for each in graded.values()} == {"in_process"}
    assert passing(graded) == set()


def test_no_liar_is_accepted_by_value() -> None:
    graded = grade_all(SOLUTIONS, problem=kinds(mocked=False))
    assert {each.way for each in graded.values()} == {"by_value"}
    # They are right but for what the test that mocks asks.
    assert passing(graded) == {what for what in SOLUTIONS if "a mock that" in what}


def test_who_reaches_for_the_process_of_the_tests_fails() -> None:
    graded = grade_all(LINKS, problem=kinds(mocked=False))
    assert {each.way for each in graded.values()} == {"by_value"}
    assert {what: each for what, each in graded.items() if each.status != "fail"} == {}
    assert {what for what, each in graded.items() if "ZeroDivision" in each.note} == (
        set()
    )


def test_the_task_of_drawn_liars_tells_right_from_wrong() -> None:
    wrong = {place: wrong_program("str", place) for place in PLACES}
    graded = grade_all({"right": right_program(), **wrong}, problem=liars_task())
    assert passing(graded) == {"right"}


def test_no_drawn_liar_is_accepted_by_value() -> None:
    assert len(liars(2000)) == 2000
    graded = grade_all(liars(80, seed=1), problem=liars_task())
    assert {each.way for each in graded.values()} == {"by_value"}
    assert passing(graded) == set()


def test_no_drawn_liar_is_accepted_in_the_process_of_the_tests() -> None:
    graded = grade_all(liars(80, seed=2), problem=liars_task(), way="in_process")
    assert passing(graded) == set()
