"""Logs of tasks that are not ours: of Inspect's register, by its own scorers."""

from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from unittest.mock import patch

import pytest
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage, Model, ModelOutput

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.reports.compare.comparison import compare
from tests.reports.made_logs import logged
from tests.support.inspect_evals import INSTALLED
from tests.support.models import scripted
from tests.support.runs import dataset, run

pytestmark = [INSTALLED, pytest.mark.slow]
CHOICES = ["ice", "tea", "soot", "mist"]


def answers(name: str, share: int, line: str, served: str = "") -> Model:
    """Right on all but every `share`-th question, of which each has a number."""

    def say(
        messages: list[ChatMessage], description: TurnDescription | None
    ) -> ModelOutput:
        number = int(messages[-1].text.partition("Number ")[2].partition(":")[0])
        text = line.format(
            "BD"[number % share == 0], ["Yes", "No"][number % share == 0]
        )
        return ModelOutput.from_content(served or name, text)

    return scripted(say, name)


def asked(number: int, *, letter: bool) -> list[Sample]:
    return [
        Sample(
            id=f"q{n}",
            input=f"Number {n}: which is a drink?",
            choices=CHOICES if letter else None,
            target="B" if letter else "Yes",
        )
        for n in range(1, number + 1)
    ]


def of_arc() -> Task:
    from inspect_evals.arc import arc_easy

    made = dataset(*asked(40, letter=True))
    with patch("inspect_evals.arc.arc.hf_dataset", lambda **_: made):
        return arc_easy()


def of_boolq() -> Task:
    from inspect_evals.boolq import boolq

    made = dataset(*asked(10, letter=False))
    with patch("inspect_evals.boolq.boolq.hf_dataset", lambda **_: made):
        return boolq()


@cache
def logs() -> dict[str, list[Path]]:
    folder = Path(mkdtemp())
    letter, word = "ANSWER: {0}", "{1}"
    return {
        "arc": [
            logged(run(of_arc(), folder, answers("weak", 2, letter))),
            logged(run(of_arc(), folder, answers("strong", 8, letter))),
        ],
        "boolq": [
            logged(run(of_boolq(), folder, answers("m", 4, word, "m-may"), epochs=2)),
            logged(run(of_boolq(), folder, answers("m", 2, word, "m-june"), epochs=3)),
        ],
    }


def test_two_models_on_one_task() -> None:
    of = compare(logs()["arc"], "accuracy", margin=0.05)
    assert of.metric == "choice"
    (factor,) = of.split.factor
    assert factor == (("models", "model"), ("scripted/weak", "scripted/strong"))
    assert of.split.confounds == []
    (found,) = of.compared
    assert (found.mean_a, found.mean_b) == (0.5, 0.875)
    assert found.discordant is not None
    # Every second but not every eighth of 40.
    assert found.discordant[:2] == (0, 15)
    assert found.p == pytest.approx(2 / 2**15 / 2)
    assert [one.drops for one in of.conditions] == [{}, {}]
    assert [one.cost[:2] for one in of.conditions] == [(1, 15), (1, 15)]


def test_a_model_that_became_another_and_more_epochs() -> None:
    of = compare(logs()["boolq"], "pattern")
    assert [one.fact for one in of.split.confounds] == [
        ("run", "epochs"),
        ("served", "scripted/m"),
    ]
    assert of.split.confounds[1].values == ("m-may", "m-june")
    assert "give --factor" in of.split.chosen
    assert len(of.clusters) == 20
    assert [one.drops for one in of.conditions] == [
        {},
        {"not in another condition": 10},
    ]
    (found,) = of.compared
    assert found.test == "sign flip"
    assert found.difference.difference == pytest.approx(-0.3)
