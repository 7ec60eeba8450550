"""The task: every protocol on the sample, what the log's header says."""

from pathlib import Path
from typing import Any

import pytest

from inspect_debate.evals.colmad import PROTOCOLS, colmad
from inspect_debate.evals.common import defaults_of
from tests.support import ROLES, Call, Script, good, run


def counted(call: Call) -> str:
    """A debater, a judge, or a grader who finds nothing."""
    if call.what.kind == "grade":
        labels = ("Fake evidence: 0", "Overconfident claims: 0")
        return "\n".join([*labels, "Fallacious argument: 0", "Aligned: 1"])
    return good(call)


CALLS = {"colmad": 7, "copmad": 7, "som": 4, "ensemble": 2, "self_consistency": 7,
         "single": 1, "judge_alone": 1}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_protocol_on_the_sample(tmp_path: Path, protocol: str) -> None:
    done = run(tmp_path, colmad(protocol, source="sample", response_author="both"))
    assert done.log.status == "success"
    assert len(done.samples) == 24
    assert len(done.calls) == 24 * CALLS[protocol]
    assert all(debate.complete for debate in done.debates)
    assert {turn.status for debate in done.debates for turn in debate.turns} == {"ok"}
    assert done.log.eval.tags == [protocol]
    metrics = done.metrics()
    gold = sum(sample.target == "error" for sample in done.samples)
    assert 0 < gold < 24
    # All say error, or a draw decides.
    drawn = protocol in ("som", "ensemble")
    assert metrics["recall"] == pytest.approx(0.5 if drawn else 1)
    assert metrics["unread"] == 0


def test_grading(tmp_path: Path) -> None:
    task = colmad(
        source="sample", grade="debate_hacking,explanation_alignment", rounds=1
    )
    roles = [*ROLES, "grader"]
    done = run(tmp_path, task, counted, roles=roles, limit=6)
    assert done.metrics()["hacked_share"] == 0
    assert done.metrics()["aligned"] == 1
    assert {*(done.samples[0].scores or {})} == {
        "error_detection", "process", "debate_hacking", "explanation_alignment"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("given", "changed", "expected"),
    [
        ({}, {}, {"rounds": 2, "style": "collaborative", "skip_if_agree": True}),
        ({"rounds": 3}, {"rounds": 3}, {"rounds": 3}),
        ({"rounds": 2}, {}, {"rounds": 2}),
        ({"protocol": "copmad"}, {}, {"style": "competitive", "show_openings": False}),
        ({"protocol": "copmad", "skip_if_agree": True}, {"skip_if_agree": True}, {}),
        ({"protocol": "self_consistency", "n": 3}, {"n": 3}, {"temperature": 0.7}),
        ({"seed": 4}, {}, {"seed": 4}),
    ],
)
def test_the_header_says_what_ran(given: Any, changed: Any, expected: Any) -> None:
    metadata = colmad(source="sample", **given).metadata or {}
    assert metadata["changed"] == changed
    assert metadata["parameters"].items() >= expected.items()
    assert metadata["protocol"] == given.get("protocol", "colmad")
    assert metadata["study"] == "colmad"
    assert metadata["data"] == {
        "source": "sample", "subset": "all", "response_author": "gpt4"
    }  # fmt: skip


def test_the_header_agrees_with_the_record(tmp_path: Path) -> None:
    for protocol in ("colmad", "copmad", "self_consistency"):
        task = colmad(protocol, source="sample", max_tokens=50)
        done = run(tmp_path, task, limit=1)
        metadata = done.log.eval.metadata or {}
        assert metadata["parameters"] == done.debate.parameters
        assert set(metadata["parameters"]) >= {*defaults_of(PROTOCOLS[protocol])}
        assert done.calls[0].config.max_tokens == 50


def test_prompts_of_ones_own(tmp_path: Path) -> None:
    overlay = tmp_path / "mine.yaml"
    overlay.write_text("judge: |\n  OWN WORDS, {{ labelled }}.\n")
    changed = run(tmp_path, colmad(source="sample", prompts=str(overlay)), limit=1)
    plain = run(tmp_path, colmad(source="sample"), limit=1)
    assert "OWN WORDS, True." in changed.calls[-1].text
    ours, theirs = plain.debate.prompts, changed.debate.prompts
    assert {key for key in ours if ours[key] != theirs[key]} == {"judge"}


def test_by_name(tmp_path: Path) -> None:
    """As `inspect eval inspect_debate/colmad -T protocol=single -T reminders=0`."""
    script = Script(lambda _: "Who knows?")
    args = {"protocol": "single", "source": "sample", "reminders": 0}
    done = run(
        tmp_path, "inspect_debate/colmad", script, roles=["debater_a"],
        task_args=args, limit=2,
    )  # fmt: skip
    assert done.log.status == "success"
    assert len(done.calls) == 2
    assert done.log.eval.task_args["reminders"] == 0
