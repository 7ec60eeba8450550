"""What a person reads of a debate: marked quotes, and whether its outcome is right."""

from pathlib import Path

import pytest
from inspect_ai import Task
from inspect_ai.scorer import Scorer, includes

from inspect_debate.debate.conversation import with_marked_quotes
from inspect_debate.scorers.error_detection import error_detection
from inspect_debate.solvers.colmad import colmad
from tests.support.made import speech
from tests.support.models import scripted
from tests.support.reader import reader
from tests.support.runs import WRONG, dataset, item, run, samples


def test_quotes_have_signs_in_place_of_tags() -> None:
    said = "It says <v_quote>52 km</v_quote>, not <u_quote>42</u_quote>; 1 < 2."
    turn = speech("debater_a").model_copy(update={"public": said})
    assert with_marked_quotes(turn) == (
        "It says “52 km” ✓, not “42” ✗ (not found); 1 < 2."
    )


@pytest.mark.parametrize(
    ("scorers", "target", "told"),
    [
        ([error_detection()], "error", "### Outcome: error (right)"),
        ([error_detection()], "no_error", "### Outcome: error (wrong)"),
        ([error_detection(), includes()], "error", "### Outcome: error"),
    ],
)
def test_messages_end_with_the_outcome(
    scorers: list[Scorer], target: str, told: str, tmp_path: Path
) -> None:
    """A scorer of another package may read the messages: they do not tell the truth."""
    sample = item(response=WRONG)
    sample.target = target
    log = run(
        Task(dataset=dataset(sample), solver=colmad(), scorer=scorers),
        tmp_path,
        model=scripted(reader(True), "sharp"),
    )
    (held,) = samples(log)
    assert held.messages[-1].text == told
    assert sum("Outcome" in message.text for message in held.messages) == 1
