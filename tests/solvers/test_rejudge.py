"""Judging the debates of a log again: nothing else is asked, whatever the study."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import get_model

from inspect_debate.datasets.logged import logged
from inspect_debate.debate.errors import InputError
from inspect_debate.evals.rejudge import rejudge
from inspect_debate.reports.debate import (
    PROTOCOLS,
    comparisons,
    read,
    report,
    with_outcomes,
)
from inspect_debate.reports.frames import samples
from inspect_debate.reports.report import Table
from inspect_debate.solvers.baselines import single
from inspect_debate.solvers.rejudge import rejudge as solver
from tests.grading.victim import needs_bubblewrap
from tests.support import Run, items, run, values

RUNS: list[tuple[str, dict[str, Any]]] = [
    ("colmad", {"source": "sample", "skip_if_agree": False}),
    ("colmad", {"source": "sample", "protocol": "judge_alone"}),
    ("debate", {"word_limit": 80}),
    ("debate", {"protocol": "consultancy"}),
    ("debate", {"protocol": "judge_alone", "candidates": "all"}),
    ("srdcr", {"source": "sample"}),
    ("confidence", {"protocol": "self", "jury_passes": 1}),
    ("generative", {"dataset": "arc", "source": "sample", "protocol": "dual_debate"}),
    ("generative", {"dataset": "arc", "source": "sample", "best_of": 2}),
]
PROGRAMS = {"dataset": "bcb_plus", "source": "sample", "protocol": "single_debate"}


def asked(done: Run) -> Counter[str | None]:
    """How often each role was called."""
    events = [event for sample in done.samples for event in sample.events]
    return Counter(event.role for event in events if event.event == "model")


def of_study(folder: Path, task: str, arguments: dict[str, Any]) -> Run:
    """A run of a study with simulated models."""
    return run(
        folder,
        f"inspect_debate/{task}",
        roles={},
        model="simulated/balanced",
        task_args=arguments,
        limit=2,
        epochs=2,
    )


@pytest.mark.parametrize(
    ("task", "arguments"),
    [*RUNS, pytest.param("generative", PROGRAMS, marks=needs_bubblewrap)],
)
def test_a_judge_who_decides_alike_gives_the_same_log(
    tmp_path: Path, task: str, arguments: dict[str, Any]
) -> None:
    first = of_study(tmp_path, task, arguments)
    assert first.log.status == "success"
    again = run(
        tmp_path,
        rejudge(first.log.location),
        roles={"judge": "simulated/balanced"},
    )
    assert again.log.status == "success"
    for before, after in zip(first.debates, again.debates, strict=True):
        for debate in (before, after):
            debate.parameters.pop("answers", None)
            for turn in debate.of("answer"):  # generative's come without their costs
                turn.calls = turn.input_tokens = turn.output_tokens = 0
        assert after == before
    turns = [turn for debate in first.debates for turn in debate.turns]
    calls = sum(turn.calls for turn in turns if turn.role == "judge")
    assert asked(again) == ({"judge": calls} if calls else {})
    for one, other in zip(first.samples, again.samples, strict=True):
        scores = one.scores or {}
        assert scores.keys() <= (other.scores or {}).keys()
        for name, score in scores.items():
            assert repr(values((other.scores or {})[name])) == repr(values(score))
    about, earlier = again.log.eval.metadata or {}, first.log.eval.metadata or {}
    for name in ("study", "protocol", "changed", "data", "prompts"):
        assert about[name] == earlier[name]


def test_other_judges_and_another_prompt_of_theirs(tmp_path: Path) -> None:
    first = of_study(tmp_path, "debate", {})
    prompts = tmp_path / "prompts.yaml"
    prompts.write_text("judge: |\n  You never trust Alice.\n")
    given = {"prompts": str(prompts), "order": "both", "judge_sees_passage": True}
    again = run(
        tmp_path, rejudge(first.log.location, **given), lambda call: "Answer: B",
        roles=["judge"],
    )  # fmt: skip
    assert again.log.status == "success"
    assert again.kinds() == ["verdict"] * 8
    passage = str(again.samples[0].metadata["passage"])
    for call in again.calls:
        assert "You never trust Alice." in call.text
        assert passage[:40] in call.text or "<passage>" in call.text
    assert all(debate.answer == "B" for debate in again.debates)
    about = again.log.eval.metadata or {}
    assert about["changed"] == {"order": "both", "judge_sees_passage": True}
    assert about["spoke"]["debater_a"] == "simulated/balanced"
    assert [*about["prompts"]] == ["judge"]
    # And once more, with the first judge's settings but for the prompt.
    third = run(tmp_path, rejudge(again.log.location), lambda call: "Answer: A",
                roles=["judge"])  # fmt: skip
    assert third.kinds() == ["verdict"] * 8


def test_what_cannot_be_judged_again_is_refused_before_any_call(
    tmp_path: Path,
) -> None:
    first = of_study(tmp_path, "debate", {"rounds": 1})
    for name, value in {"rounds": 2, "seed": 1, "quote_limit": 5}.items():
        with pytest.raises(InputError, match=name):  # they are of the debates
            rejudge(first.log.location, **{name: value})
    other = run(tmp_path, solver(first.log.location), samples=items(), roles=["judge"])
    assert other.log.status == "error"
    assert not other.calls
    epochs = run(tmp_path, rejudge(first.log.location), roles=["judge"], epochs=3)
    assert epochs.log.status == "error"
    (tmp_path / "bad.eval").write_text("no log")
    for path in ("nowhere.eval", str(tmp_path / "bad.eval")):
        with pytest.raises(InputError):
            rejudge(path)


def test_debates_that_have_not_ended_are_counted(tmp_path: Path) -> None:
    stopped = run(
        tmp_path, "inspect_debate/debate", roles={}, model="simulated/balanced",
        limit=2, message_limit=1,
    )  # fmt: skip
    with pytest.raises(InputError, match="0 debates"):
        logged(stopped.log.location)
    with pytest.raises(InputError, match="folder"):
        logged(str(tmp_path))
    alone = run(tmp_path, single(), samples=items(), model="scripted", roles={})
    with pytest.raises(InputError, match="without a judge"):
        rejudge(alone.log.location)


def test_conditions_of_other_debates_are_not_pooled(tmp_path: Path) -> None:
    """Also if the same judge decides on them, with the same parameters."""
    logs = []
    for share in (0, 1):  # of a debater's right first answers
        debater = get_model("simulated/balanced", memoize=False, finds_error=share)
        held = run(
            tmp_path, "inspect_debate/debate", roles={"debater_a": debater},
            model="simulated/balanced", limit=2,
        )  # fmt: skip
        task = rejudge(held.log.location)
        logs += [run(tmp_path, task, lambda _: "Answer: A", roles=["judge"]).log]
    frame = samples([log.location for log in logs], "debate", PROTOCOLS)
    assert frame.groupby("condition")["id"].count().tolist() == [2, 2]


def test_debates_that_were_judged_again_are_the_treatment(tmp_path: Path) -> None:
    first = of_study(tmp_path, "debate", {}).log.location
    again = run(tmp_path, rejudge(first), lambda _: "Answer: B", roles=["judge"])
    for logs in ([first, again.log.location], [again.log.location, first]):
        rows = read(with_outcomes(samples(logs, "debate", PROTOCOLS)))
        (found,) = comparisons(rows)
        names = rows.groupby("log")["Condition"].first()
        assert found.treatment == names[again.log.location]
        assert found.baseline == names[first]
        shown = report(samples(logs, "debate", PROTOCOLS))
        tables = {one.name: one.frame for one in shown if isinstance(one, Table)}
        assert [*tables["paired"]["Compared with"]] == ["The same debates"]
