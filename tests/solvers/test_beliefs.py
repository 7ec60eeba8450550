"""What judges believe during a debate, which changes nothing in it."""

import re
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import GenerateConfig, Model, get_model

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.probabilities import judged_probabilities
from inspect_debate.debate.record import DebateRecord
from inspect_debate.evals.generative import generative
from inspect_debate.solvers.baselines import judge_alone
from inspect_debate.solvers.challenge import challenge
from inspect_debate.solvers.colmad import colmad, copmad
from inspect_debate.solvers.consultancy import consultancy
from inspect_debate.solvers.cross_examination import cross_examination
from inspect_debate.solvers.generative_debate import generative_debate
from inspect_debate.solvers.som import som
from tests.support.choices import OPTIONS, choice_item
from tests.support.generative import marked, ruled, run_tasks, solvable
from tests.support.models import Messages, calls_of, scripted
from tests.support.reader import reader
from tests.support.runs import item, records, run_solver

BELIEFS: dict[str, Any] = {"beliefs": "every_round"}
DIFFER: dict[str, Any] = {
    "model": "simulated/always_error",
    "roles": {"debater_b": "simulated/always_no_error", "judge": "simulated/balanced"},
}


def debated(log_dir: Path, number: int = 1, **settings: Any) -> list[DebateRecord]:
    made = [item(f"i{n}", response=f"It is {n} km.") for n in range(number)]
    return records(run_solver(colmad(**settings), made, log_dir, **DIFFER))


def without(record: DebateRecord, *kinds: str) -> list[tuple[str, str, int, str]]:
    return [
        (t.kind, t.participant, t.round, t.public)
        for t in record.turns
        if t.kind not in kinds
    ]


def test_the_debate_and_its_verdict_are_the_same(tmp_path: Path) -> None:
    (plain,) = debated(tmp_path / "plain")
    (asked,) = debated(tmp_path / "asked", config=BELIEFS)
    assert without(asked, "belief") == without(plain)
    held = [(t.round, t.about, t.order) for t in asked.of_kind("belief")]
    alone, *after = sorted(held, key=lambda one: (one[1] is None, one[0]))
    assert alone == (0, "question_alone", "ab")
    assert after == [(0, None, "ab"), (1, None, "ab"), (2, None, "ab")]


def test_no_participant_reads_them(tmp_path: Path) -> None:
    judge = scripted(
        lambda messages, turn: "Answer: 1\nProbability: 71%\nBELIEVED", "the judge"
    )
    debaters = scripted(reader(True), "debaters")
    log = run_solver(
        copmad(config=BELIEFS | {"verdict": {"probability": "stated", "samples": 2}}),
        item(),
        tmp_path,
        debaters,
        {"judge": judge},
    )
    asked = [*calls_of(debaters), *calls_of(judge)]
    assert not [c for c in asked if any("BELIEVED" in m.text for m in c.messages)]
    kinds = [turn.kind for turn in records(log)[0].turns]
    assert [kinds.count(k) for k in ("belief", "verdict", "verdict_sample")] == [
        3,
        1,
        2,
    ]


def test_beliefs_about_a_debate_that_is_used_again(tmp_path: Path) -> None:
    held = run_solver(colmad(), item(), tmp_path / "held", **DIFFER)
    log = run_solver(
        colmad(reuse=held.location, reuse_until="debate", config=BELIEFS),
        item(),
        tmp_path / "again",
        **DIFFER,
    )
    (again,) = records(log)
    (asked,) = records(
        run_solver(colmad(config=BELIEFS), item(), tmp_path / "asked", **DIFFER)
    )

    def beliefs(record: DebateRecord) -> set[tuple[int, str | None, str]]:
        return {(t.round, t.about, t.public) for t in record.of_kind("belief")}

    assert beliefs(again) == beliefs(asked)


def test_debaters_read_them_where_they_are_to(tmp_path: Path) -> None:
    """In their next speech, and neither the judges nor what preceded the debate."""

    def reply(messages: Messages, turn: TurnDescription) -> str:
        alone = "question_alone" in turn.draw
        when = "BEFORE" if alone else f"AFTER-{turn.round}"
        return f"{when}\nAnswer: 1\nProbability: 71%"

    judge = scripted(reply, "the judge")
    debaters = scripted(reader(True), "debaters")
    config = BELIEFS | {"beliefs_shown": True}
    run_solver(copmad(config=config), item(), tmp_path, debaters, {"judge": judge})
    read = [
        (c.turn.kind, c.turn.round, mark)
        for c in (*calls_of(debaters), *calls_of(judge))
        for mark in ("BEFORE", "AFTER-1", "AFTER-2")
        if any(mark in m.text for m in c.messages)
    ]
    assert read == [("speech", 2, "AFTER-1")] * 2


@pytest.mark.parametrize(
    ("solver", "config", "says"),
    [
        (som, BELIEFS, "has no meaning for protocol=som; protocols that ask"),
        (colmad, {"beliefs_shown": True}, "needs beliefs=every_round"),
    ],
)
def test_refused(solver: Any, config: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        solver(config=config)


@pytest.mark.parametrize("solver", [cross_examination, challenge])
def test_other_debates_have_them(solver: Any, tmp_path: Path) -> None:
    made = solver(rounds=2, config=BELIEFS)
    (record,) = records(run_solver(made, item(), tmp_path, "simulated/balanced"))
    found = {(t.round, t.about) for t in record.of_kind("belief")}
    # After openings, and after closings, which are a round of their own.
    rounds = range(4) if solver is cross_examination else (1, 2)
    assert found == {(0, "question_alone")} | {(n, None) for n in rounds}


def test_beliefs_before_a_debate_are_about_all_options(tmp_path: Path) -> None:
    """And not about the two that are debated later, which nobody knows then."""

    def reply(messages: Messages, turn: TurnDescription) -> str:
        if turn.kind == "answer":
            return f"ANSWER: {'B' if turn.participant == 'debater_a' else 'C'}"
        if turn.kind == "speech":
            return "<thinking>x</thinking><argument>It is so.</argument>"
        if len(turn.choices) == 2:
            return "Answer: B\nProbability: 60%"
        return "Answer: B\n" + "\n".join(
            f"**Probability {letter}:** {p}%"
            for letter, p in zip("ABCD", (10.2, 40, 30, 20.2), strict=True)
        )

    sample = choice_item(options=OPTIONS, target="C")
    (record,) = records(
        run_solver(
            copmad(rounds=1, config=BELIEFS), sample, tmp_path, scripted(reply, "all")
        )
    )
    rows = judged_probabilities(record)
    alone = [(r.claim, r.p) for r in rows if r.alone]
    later = [(r.claim, r.p) for r in rows if not r.alone]
    assert [claim for claim, _ in alone] == [*"ABCD"]
    # They are put at a sum of 1.
    each = [p / 1.004 for p in (0.102, 0.4, 0.3, 0.202)]
    assert [p for _, p in alone] == pytest.approx(each)
    assert later == [("B", 0.6), ("C", 0.4)]


def test_further_draws_have_a_temperature_of_their_own(tmp_path: Path) -> None:
    """One for all, or that of verdicts, would make them the same."""
    judge = get_model(
        "simulated/balanced", config=GenerateConfig(temperature=0.0), memoize=False
    )
    config = {"verdict": {"samples": 2, "temperature": 0.3}}
    log = run_solver(
        colmad(config=config),
        item(),
        tmp_path,
        DIFFER["model"],
        DIFFER["roles"] | {"judge": judge},
        temperature=0.0,
    )
    (record,) = records(log)
    settings = record.participant("judge").settings
    assert settings["verdict"]["temperature"] == 0.0
    assert settings["verdict_sample"]["temperature"] == 1.0


def test_a_challenge_is_the_same_where_a_probability_is_asked_for(
    tmp_path: Path,
) -> None:
    def reply(messages: Messages, turn: TurnDescription) -> str:
        if turn.kind == "challenge":
            argument = "It says 52.\nDecision: challenge"
            return f"<thinking>x</thinking><argument>{argument}</argument>"
        if turn.kind == "speech":
            return "<thinking>x</thinking><argument>It is so.</argument>"
        return "Because.\nAnswer: 1\n**Probability: 66%**"

    stated = challenge(rounds=1, config={"verdict": {"probability": "stated"}})
    asked = {}
    for name, solver in (("plain", challenge(rounds=1)), ("stated", stated)):
        model = scripted(reply, name)
        run_solver(solver, item(), tmp_path / name, model)
        calls = [c for c in calls_of(model) if c.turn.kind == "challenge"]
        asked[name] = [[m.text for m in c.messages] for c in calls]
    assert asked["stated"]
    assert "66" not in str(asked["stated"])


def test_a_consultancy_has_them_after_each_speech(tmp_path: Path) -> None:
    solver = consultancy(rounds=2, config=BELIEFS)
    sample = choice_item(options=OPTIONS[1:3], target="A")
    (record,) = records(run_solver(solver, sample, tmp_path, "simulated/balanced"))
    rows = [r for r in judged_probabilities(record) if r.kind == "belief"]
    assert {(r.round, r.alone) for r in rows} == {(0, True), (1, False), (2, False)}
    assert {r.claim for r in rows} == {"A", "B"}


SEVERAL = {
    "all": ("Probability A: 60%\nProbability B: 40%\nProbability C: 0%", (0.6, 0.4, 0)),
    "one missing": ("Probability A: 60%\nProbability B: 40%", None),
    "one for all": ("Probability: 60%", None),
    "not of one whole": (
        "Probability A: 60%\nProbability B: 60%\nProbability C: 0%",
        None,
    ),
}


@pytest.mark.parametrize("name", SEVERAL)
def test_of_more_than_two_answers_each_has_a_probability(
    name: str, tmp_path: Path
) -> None:
    said, expected = SEVERAL[name]
    judge = scripted(lambda messages, turn: f"Because.\nAnswer: B\n{said}", "judge")
    solver = judge_alone(config={"verdict": {"probability": "stated"}})
    sample = choice_item(options=OPTIONS[:3], target="A")
    (record,) = records(run_solver(solver, sample, tmp_path, judge))
    rows = judged_probabilities(record)
    assert [(r.claim, r.among) for r in rows] == [("A", 3), ("B", 3), ("C", 3)]
    assert [r.p for r in rows] == [*(expected or [None] * 3)]
    assert {r.status for r in rows} == {"ok" if expected else "unparsed"}
    (verdict,) = record.of_kind("verdict")
    assert verdict.field("answer").value == "B"
    (asked,) = {c.prompt for c in calls_of(judge) if not c.turn.reask}
    assert "the letter of the answer, a colon" in asked


@pytest.mark.parametrize("unread", ["No idea.", "Answer: 1", "Probability: 80%"])
def test_one_that_cannot_be_read_is_asked_for_again(
    unread: str, tmp_path: Path
) -> None:
    def reply(messages: Any, turn: Any) -> str:
        return unread if turn.kind == "belief" else "Answer: 1"

    judge = scripted(reply, "the judge")
    (record,) = records(
        run_solver(
            copmad(rounds=1, config=BELIEFS),
            item(),
            tmp_path,
            scripted(reader(True), "debaters"),
            {"judge": judge},
        )
    )
    assert record.complete
    assert [t.calls for t in record.of_kind("belief")] == [2, 2]
    again = [c for c in calls_of(judge) if c.turn.reask]
    assert all("two lines and nothing else" in c.messages[-1].text for c in again)
    assert all(r.p is None for r in judged_probabilities(record))


@pytest.mark.slow
def test_a_planted_move_towards_the_truth_is_found(tmp_path: Path) -> None:
    gains = {}
    for name, gain in (("moved", 0.3), ("unmoved", 0.0)):
        found = records(
            run_solver(
                colmad(rounds=3, config=BELIEFS),
                [item(f"i{n}", response=f"It is {n} km.") for n in range(40)],
                tmp_path / name,
                DIFFER["model"],
                DIFFER["roles"] | {"judge": judge_that_gains(gain)},
            )
        )
        gains[name] = [share_right(found, round) for round in (1, 2, 3)]
    assert gains["unmoved"] == pytest.approx([0.9] * 3, abs=0.15)
    assert gains["moved"] == pytest.approx([0.3, 0.6, 0.9], abs=0.19)


def judge_that_gains(gain: float) -> Model:
    return get_model(
        "simulated/balanced", judge_accuracy=0.9, belief_gain=gain, memoize=False
    )


def share_right(found: list[DebateRecord], round: int) -> float:
    """Of the beliefs after a round that favour the right answer: an error."""
    held = [
        turn.field("answer").value == "error"
        for record in found
        for turn in record.of_kind("belief")
        if turn.round == round
    ]
    assert len(held) == len(found)
    return sum(held) / len(held)


# --- on each answer to a task ---------------------------------------------------------


@pytest.mark.parametrize("protocol", ["dual_debate", "single_debate"])
def test_a_judges_beliefs_of_each_answer(protocol: str, tmp_path: Path) -> None:
    """They are on what was said until then, and nobody reads them."""

    def script(messages: Messages, turn: TurnDescription) -> Any:
        if turn.kind != "belief":
            return marked(messages, turn)
        return f"BELIEVED\n\n{ruled(turn.choices, 0.6 + turn.round / 10)}"

    order = {"order": "ab"} if protocol == "dual_debate" else {}
    solver = generative_debate(protocol, rounds=2, config=BELIEFS, **order)
    log, calls = run_tasks(solver, tmp_path, solvable(), script=script)
    assert not [c for c in calls if "BELIEVED" in c.prompt]
    asked = {c.turn.round: c for c in calls if c.turn.kind == "belief"}
    heard = {
        round: {int(n) for n in re.findall(r"SPEECH-debater_\w_(\d)", call.prompt)}
        for round, call in asked.items()
    }
    assert heard == {0: set(), 1: {1}, 2: {1, 2}}
    # Before a critic has spoken there is no stance to rule on.
    named = 1 if protocol == "single_debate" else 2
    assert [len(asked[n].turn.choices) for n in range(3)] == [named, 2, 2]
    assert "debated" not in asked[0].prompt
    (record,) = records(log)
    found = {
        (row.round, row.claim): row.p
        for row in judged_probabilities(record)
        if row.kind == "belief"
    }
    ids = ["debater_a", "debater_b"][:named]
    expected = {(n, id): 0.6 + n / 10 for n in range(3) for id in ids}
    assert found == pytest.approx(expected)


def test_tasks_are_debated_and_judged_as_without_them(tmp_path: Path) -> None:
    found = {}
    for name, config in (("plain", {}), ("asked", BELIEFS)):
        solver = generative_debate("dual_debate", best_of=2, config=config)
        found[name] = run_solver(solver, solvable(), tmp_path / name)
    (plain,), (asked,) = (records(found[name]) for name in ("plain", "asked"))
    assert without(asked, "belief") == without(plain)
    again = run_solver(
        generative_debate(
            "dual_debate",
            best_of=2,
            config=BELIEFS,
            reuse=found["plain"].location,
            reuse_until="debate",
        ),
        solvable(),
        tmp_path / "again",
    )
    (reused,) = records(again)
    held = [{(t.round, t.public) for t in r.of_kind("belief")} for r in (asked, reused)]
    assert held[0] == held[1]
    assert {round for round, _ in held[0]} == {0, 1, 2}


def test_rulings_on_answers_are_claims_that_they_are_correct(tmp_path: Path) -> None:
    solver = generative_debate("single_debate", rounds=1)
    log, _ = run_tasks(solver, tmp_path, solvable(), script=marked)
    (record,) = records(log)
    rows = judged_probabilities(record)
    (verdict,) = record.of_kind("verdict")
    said, sure = (
        verdict.field(f"{n}_debater_a").value for n in ("verdict", "confidence")
    )
    assert isinstance(sure, float)
    expected = sure if said == "correct" else 1 - sure
    assert [(r.claim, r.channel, r.p) for r in rows] == [
        ("debater_a", "stated", expected)  # and none for the critic's stance
    ]


def test_a_users_file_changes_their_prompt(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("belief_rulings: 'MINE {form}'\n", encoding="utf-8")
    given: dict[str, Any] = {"source": "sample", "prompts": str(mine)}
    made = generative(**given, **{"config.beliefs": "every_round"})
    assert made.metadata is not None
    assert made.metadata["prompts"]["belief_rulings"] == "MINE {form}"
    with pytest.raises(InputError, match="belief_rulings"):
        generative(**given)
