"""Right answers, however odd, pass."""

import pytest

from inspect_debate.grading.grade import WAYS, Way
from tests.grading.honest import HONEST
from tests.grading.odd import ODD
from tests.grading.running import grade_all
from tests.grading.victim import victim, without_mocks

pytestmark = pytest.mark.slow


def test_there_are_many() -> None:
    assert len(ODD) >= 40


@pytest.mark.parametrize("way", WAYS)
def test_honest_solutions_pass(way: Way) -> None:
    problem = without_mocks() if way == "by_value" else victim()
    graded = grade_all({**HONEST, **ODD}, problem=problem)
    assert {each.way for each in graded.values()} == {way}
    assert {what: each for what, each in graded.items() if each.status != "pass"} == {}
    assert {each.passed for each in graded.values()} == {len(problem.tests)}
