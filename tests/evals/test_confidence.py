"""The task: every condition on our motions, pools of models, what the header says."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import get_model

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.confidence import confidence
from inspect_debate.solvers.bets import SIDES
from inspect_debate.solvers.confidence import PRESETS
from tests.support import DEBATERS, Call, Run, Script
from tests.support import run as run_anywhere

FILLER = "The reasons follow one by one, each with its case. " * 5
REASONING = "I expect to win this, and give my reasons at some length. " * 3
NAMES = ("one", "two", "three", "four")


def keeps_to_the_form(call: Call) -> str:
    """Bets rise by five from 70, and the opposition wins."""
    if call.what.kind == "grade":
        return "Stated confidence: 70\nAssessment: Aligned\nDegree: None\nStrategic: no"
    if call.what.kind == "verdict":
        return "<winnerName>opposition</winnerName>\n<confidence>80</confidence>"
    return (
        f"{FILLER}\n<bet_logic_private>{REASONING}</bet_logic_private>\n"
        f"<bet_amount>{65 + 5 * call.what.round}</bet_amount>"
    )


def run(where: Path, pool: tuple[str, ...] = (), **args: Any) -> Run:
    """A run as it is started at the terminal, of one model or of a pool."""
    script = Script(keeps_to_the_form)
    models = [
        get_model(f"mockllm/{name}", memoize=False, custom_outputs=script)
        for name in pool
    ]
    return run_anywhere(
        where, "inspect_debate/confidence", script, model="scripted",
        roles={"debater_a": models} if pool else {}, task_args=args,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("protocol", PRESETS)
def test_every_condition_on_our_motions(tmp_path: Path, protocol: str) -> None:
    done = run(tmp_path, protocol=protocol)
    rounds = 4 if protocol == "four_round" else 3
    jury = 2 if protocol == "cross_model" else 0
    assert len({str(sample.input) for sample in done.samples}) == 6
    assert len(done.calls) == 6 * (2 * rounds + jury)
    assert {turn.status for debate in done.debates for turn in debate.turns} == {"ok"}
    header = done.log.eval.metadata or {}
    assert (header["study"], header["protocol"]) == ("confidence", protocol)
    assert (header["changed"], header["data"]["source"]) == ({}, "sample")
    assert header["parameters"] == done.debate.parameters
    assert header["parameters"].items() >= PRESETS[protocol].items()
    expected = {"opening": 70, "closing": 65 + 5 * rounds, "missing": 0}
    expected |= {"escalation": 5 * (rounds - 1), "over_100": 1, "both_over_50": 1}
    expected |= {"proposition": 0} if jury else {}
    assert done.metrics().items() >= expected.items()


def test_what_is_changed_and_graded(tmp_path: Path) -> None:
    overlay = tmp_path / "mine.yaml"
    overlay.write_text("juror: |\n  OWN WORDS.\n")
    motions = tmp_path / "motions.txt"
    motions.write_text("Tea is better than coffee.\n")
    given: dict[str, Any] = {"prompts": str(overlay), "motions": str(motions)}
    given |= {"rounds": 1, "own_bets_shown": True, "alignment": True}
    done = run(tmp_path, **given)
    header = done.log.eval.metadata or {}
    assert header["changed"] == {"rounds": 1}  # bets are shown anyway
    assert header["data"]["source"] == given["motions"]
    by_kind = {
        kind: [call.text for call in done.calls if call.what.kind == kind]
        for kind in ("speech", "verdict", "grade")
    }
    assert all("Tea is better" in text for text in by_kind["speech"])
    assert all("OWN WORDS." in text for text in by_kind["verdict"])
    assert [FILLER in text for text in by_kind["grade"]] == [False, False]
    assert done.metrics()["aligned"] == 1


@pytest.mark.parametrize(
    "given",
    [
        *({"protocol": "self_debate"}, {"roundz": 3}, {"motions": "nowhere.yaml"}),
        {"repetitions": 0},
        {"protocol": "self", "bet_visibility": "public"},  # which is `public`
        {"pairings": "schedule.csv"},  # without a pool
    ],
)
def test_what_is_not_allowed(given: Any) -> None:
    with pytest.raises(InputError):
        confidence(**given)


@pytest.mark.parametrize("protocol", ["cross_model", "self"])
def test_a_pool_of_models(tmp_path: Path, protocol: str) -> None:
    """All pairs meet once, or each model debates itself on every motion."""
    done = run(tmp_path, NAMES, protocol=protocol, rounds=1, jury_passes=0)
    pairs = Counter[frozenset[str]]()
    for sample, debate in zip(done.samples, done.debates, strict=True):
        models = {turn.role: turn.model for turn in debate.of("speech")}
        assert models == {role: sample.metadata[role] for role in DEBATERS}
        pairs[frozenset(models.values())] += 1
    if protocol == "self":
        assert pairs == {frozenset([f"mockllm/{name}"]): 6 for name in NAMES}
    else:
        assert (len(pairs), {*pairs.values()}) == (6, {1})


def test_a_schedule(tmp_path: Path) -> None:
    """Every second repetition swaps the sides; the names go without the provider."""
    schedule = tmp_path / "pairs.csv"
    schedule.write_text("proposition,opposition,motion\ntwo,one,space\n")
    done = run(
        tmp_path, ("one", "two"), pairings=str(schedule), repetitions=2, rounds=1
    )
    sides = [
        {debate.defends[turn.role]: turn.model for turn in debate.of("speech")}
        for debate in done.debates
    ]
    models = ("mockllm/two", "mockllm/one")
    assert sides == [
        dict(zip(SIDES, pair, strict=True)) for pair in (models, models[::-1])
    ]
    assert [done.values("bets", n)["swapped"] for n in (0, 1)] == [0, 1]
