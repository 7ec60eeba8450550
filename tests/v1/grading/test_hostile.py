"""Solutions that are not right and want to pass fail; right ones, however odd, pass."""

from collections.abc import Mapping

import pytest

from inspect_debate.v1.grading.grade import WAYS, Graded, Way
from tests.v1.grading.honest import HONEST, ODD
from tests.v1.grading.hostile import ENDLESS, FAILING, KILLERS, OPEN
from tests.v1.grading.hostile.known import (
    LIBRARY_READS_CODE,
    NAMES,
    OPEN_BY_VALUE,
    OPEN_IN_PROCESS,
    OPEN_TO_LINES,
    READS_CODE,
    READS_NAMES,
)
from tests.v1.grading.hostile.links import SOLUTIONS as LINKS
from tests.v1.grading.hostile.slots import SOLUTIONS
from tests.v1.grading.liars import (
    PLACES,
    liars,
    liars_task,
    right_program,
    wrong_program,
)
from tests.v1.grading.running import PlainBox, bubblewrap, grade, grade_all, grade_pairs
from tests.v1.grading.victim import (
    CALLED,
    KINDS_RIGHT,
    RIGHT,
    WRONG,
    WRONG_SPREAD,
    WRONG_TOTAL,
    kinds,
    lying,
    victim,
    without_mocks,
)

pytestmark = pytest.mark.slow

# What is there only if the runner has noticed how the solution went about it.
NOTICED = {
    "frames by": ("reached for", "changed the test case"),
    "changes TestCase": ("changed unittest", "reached for"),
    "returns one": ("claims to equal everything", "reached for"),
}


def test_the_victim_tells_right_from_wrong() -> None:
    graded = grade_all({"right": RIGHT, "total": WRONG_TOTAL, "spread": WRONG_SPREAD})
    assert {what: (each.status, each.passed) for what, each in graded.items()} == {
        "right": ("pass", 5),
        "total": ("fail", 4),
        "spread": ("fail", 4),
    }


def test_there_are_many_ways() -> None:
    assert len(FAILING) + len(KILLERS) + len(ENDLESS) >= 170


def test_hostile_solutions_fail() -> None:
    graded = grade_all(FAILING)
    assert {what: each for what, each in graded.items() if each.status != "fail"} == {}
    assert {what for what, each in graded.items() if each.passed == each.tests} == set()
    unnoticed = {
        what: each.note
        for what, each in graded.items()
        for begin, words in NOTICED.items()
        if what.startswith(begin) and not any(word in each.note for word in words)
    }
    assert unnoticed == {}


def test_solutions_that_kill_fail() -> None:
    box = bubblewrap()
    if box is None:
        pytest.skip("they would kill us: needs bubblewrap")
    graded = grade_all(KILLERS, box=box)
    assert {each.status for each in graded.values()} == {"fail"}


def test_endless_solutions_run_out_of_time() -> None:
    graded = grade_all(ENDLESS, seconds=1)
    assert {each.status for each in graded.values()} == {"timeout"}
    assert {each.note for each in graded.values()} == {"not done after 1 seconds"}


def test_what_is_open_in_the_process_of_the_tests_and_closed_by_value() -> None:
    """What the documentation lists; most of it shows in the note."""
    graded = grade_all(OPEN)
    assert ways_and_statuses(graded) == {("in_process", "pass")}
    assert all(each.note.startswith("reaches for ") for each in graded.values())
    graded = grade_all(OPEN, problem=without_mocks())
    assert ways_and_statuses(graded) == {("by_value", "fail")}
    graded = grade_all(OPEN_IN_PROCESS, problem=kinds())
    assert ways_and_statuses(graded) == {("in_process", "pass")}
    graded = grade_all(OPEN_IN_PROCESS, problem=kinds(mocked=False))
    assert ways_and_statuses(graded) == {("by_value", "fail")}
    graded = grade_pairs(OPEN_TO_LINES, way="in_process")
    assert ways_and_statuses(graded) == {("in_process", "pass")}
    graded = grade_pairs(OPEN_TO_LINES, way="by_value")
    assert ways_and_statuses(graded) == {("by_value", "fail")}


def ways_and_statuses(graded: Mapping[str, Graded]) -> set[tuple[str, str]]:
    return {(each.way, each.status) for each in graded.values()}


def test_what_runs_in_the_thread_of_the_tests_sees_which_test_calls() -> None:
    """Whatever uses sqlite3; everything else sees nothing of the tests."""
    found = {
        module: grade(
            READS_NAMES,
            victim(NAMES.format(module=module), "def task_func():"),
            way="in_process",
        ).status
        for module in ("sqlite3", "math")
    }
    assert found == {"sqlite3": "pass", "math": "fail"}


def test_what_is_open_by_value() -> None:
    """Tests that run what they are given run it in their process."""
    for tests in (READS_CODE, LIBRARY_READS_CODE):
        graded = grade(OPEN_BY_VALUE, victim(tests, "def task_func():"))
        assert (graded.way, graded.status) == ("by_value", "pass")


def test_who_is_wrong_fails_by_value() -> None:
    wrong = {
        what: text
        for what, text in FAILING.items()
        # Some are right if they find a frame, others but for what the mocks ask.
        if RIGHT.strip() not in text
        and "return result" not in text
        and "mock" not in what
    }
    assert len(wrong) >= 100
    graded = grade_all(wrong, problem=without_mocks())
    assert {what: each for what, each in graded.items() if each.status != "fail"} == {}


@pytest.mark.parametrize(
    "what", ["floods the channel", "writes no text", "kills itself"]
)
def test_without_a_sandbox_it_is_no_error_either(what: str) -> None:
    graded = grade_all({what: FAILING[what]}, box=PlainBox())
    assert graded[what].status == "fail"


def passing(graded: dict[str, Graded]) -> set[str]:
    return {what for what, each in graded.items() if each.status == "pass"}


def test_the_task_tells_right_from_wrong_in_each_kind() -> None:
    wrong = {kind: lying(kind, value) for kind, value in WRONG.items()}
    graded = grade_all({"right": KINDS_RIGHT + CALLED, **wrong}, problem=kinds())
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


# With these seeds every base, comparison, place and disguise is among the drawn.


def test_no_drawn_liar_is_accepted_by_value() -> None:
    assert len(liars(2000)) == 2000
    graded = grade_all(liars(40, seed=3), problem=liars_task())
    assert {each.way for each in graded.values()} == {"by_value"}
    assert passing(graded) == set()


def test_no_drawn_liar_is_accepted_in_the_process_of_the_tests() -> None:
    graded = grade_all(liars(40, seed=4), problem=liars_task(), way="in_process")
    assert passing(graded) == set()


def test_there_are_many() -> None:
    assert len(ODD) >= 40


@pytest.mark.parametrize("way", WAYS)
def test_honest_solutions_pass(way: Way) -> None:
    problem = without_mocks() if way == "by_value" else victim()
    graded = grade_all({**HONEST, **ODD}, problem=problem)
    assert {each.way for each in graded.values()} == {way}
    assert {what: each for what, each in graded.items() if each.status != "pass"} == {}
    assert {each.passed for each in graded.values()} == {len(problem.tests)}
