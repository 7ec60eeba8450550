"""What simulated models are told of a task and of a format, beside the prompt."""

from pathlib import Path

import pytest

from inspect_debate.solvers.formats import FORMATS
from inspect_debate.solvers.generative_debate import (
    GenerativeProtocol,
    generative_debate,
)
from tests.support.generative import PROTOCOLS, by_kind, description_of, held


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_what_is_told(protocol: GenerativeProtocol, tmp_path: Path) -> None:
    """The kind of a solution in every turn, and the format wherever there is one."""
    spoken = FORMATS[protocol].interaction != "none"
    solver = generative_debate(protocol=protocol, best_of=2 if spoken else None)
    _, calls = held(solver, tmp_path)
    assert {description_of(call).answer_kind for call in calls} == {"grids"}
    for call in calls:
        description = description_of(call)
        told = (description.interaction, description.best_of)
        first = call in by_kind(calls, "answer") and description.participant != "judge"
        expected = (FORMATS[protocol].interaction, 2 if spoken else 1)
        assert told == (("", 1) if first or protocol == "direct_qa" else expected)
