"""The task: every protocol on the sample, columns, what the log's header says."""

from pathlib import Path
from typing import Any

import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.debate import PROTOCOLS, debate
from tests.support import run

CALLS = {"debate": 7, "consultancy": 4, "judge_alone": 1, "single": 1, "ensemble": 2,
         "self_consistency": 7, "som": 4, "colmad": 7, "copmad": 7}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_protocol_on_the_sample(tmp_path: Path, protocol: str) -> None:
    done = run(tmp_path, debate(protocol))
    assert done.log.status == "success"
    assert len(done.samples) == 27
    assert len(done.calls) == 27 * CALLS[protocol]
    assert {turn.status for record in done.debates for turn in record.turns} == {"ok"}
    drawn = protocol in ("som", "ensemble")
    share = sum(sample.target == "A" for sample in done.samples) / 27
    expected = 0.5 if drawn else share
    assert done.metrics()["accuracy"] == pytest.approx(expected)
    assert done.metrics()["no_outcome"] == 0
    about = done.log.eval.metadata or {}
    assert (about["study"], about["protocol"]) == ("debate", protocol)
    assert about["changed"] == {}
    assert about["data"]["source"] == "sample"
    assert done.log.eval.tags == [protocol]


def test_columns_are_given_one_by_one_or_in_a_file(tmp_path: Path) -> None:
    data = tmp_path / "q.csv"
    data.write_text("asked,a,b,key\nWhich?,this,that,b\nWho?,she,he,a\n")
    given: dict[str, Any] = {
        "fields.question": "asked", "fields.answer": "key",
        "fields.options": ["a", "b"],
    }  # fmt: skip
    path = tmp_path / "fields.yaml"
    path.write_text("question: asked\noptions: [a, b]\nanswer: key\n")
    one = run(tmp_path, debate("single", str(data), **given))
    other = run(tmp_path, debate("single", str(data), fields=str(path)))
    for done in (one, other):
        assert {sample.input for sample in done.samples} == {"Which?", "Who?"}
    with pytest.raises(InputError, match=r"fields\.question"):
        debate("single", str(data), fields=str(path), **given)


@pytest.mark.parametrize(
    ("protocol", "given"),
    [
        ("debates", {}),
        ("debate", {"candidates": "all"}),
        ("consultancy", {"candidates": "all"}),
        ("debate", {"candidates": "three"}),
        ("debate", {"round": 2}),
        ("debate", {"sides": "free"}),
        ("consultancy", {"style": "competitive"}),
        ("debate", {"dataset": "nowhere.csv"}),
    ],
)
def test_bad_parameters_are_refused(protocol: str, given: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        debate(protocol, **given)
