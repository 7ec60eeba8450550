"""Protocols without a debate: ensembles, societies, and several draws of one model."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog
from inspect_ai.model import (
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.solver import Solver

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.outcome import Outcome, outcome, probability
from inspect_debate.debate.record import DebateRecord, Status
from inspect_debate.debate.seeds import seeded
from inspect_debate.evals.colmad import colmad as colmad_task
from inspect_debate.solvers.baselines import ensemble, single
from inspect_debate.solvers.colmad import colmad
from inspect_debate.solvers.self_consistency import self_consistency
from inspect_debate.solvers.som import som
from tests.support.models import Call, Messages, Script, calls_of, scripted
from tests.support.reader import reader
from tests.support.runs import (
    RIGHT,
    item,
    record,
    records,
    run,
    run_solver,
    samples,
    values,
)


def says(words: str) -> Script:
    return lambda messages, description: words


ERROR = "Therefore, the model response contains an error."
NONE = "Therefore, the model response contains no error."
UNREAD = "I see it both ways."
REFUSED = "I'm sorry, but I can't help with that."


def says_by_seat(a: str, b: str) -> Script:
    return lambda messages, turn: a if turn.participant == "debater_a" else b


@pytest.mark.parametrize(
    ("a", "b", "status", "error"),
    [
        (ERROR, ERROR, "ok", 1.0),
        (ERROR, NONE, "coin", 0.5),
        (UNREAD, NONE, "unparsed", None),
        (REFUSED, NONE, "refused", None),
    ],
)
def test_ensemble(
    a: str, b: str, status: str, error: float | None, tmp_path: Path
) -> None:
    model = scripted(says_by_seat(a, b))
    (found,) = records(run_solver(ensemble(), item(), tmp_path, model))
    turns = [(turn.kind, turn.participant) for turn in found.turns]
    assert turns == [("answer", "debater_a"), ("answer", "debater_b")]
    assert outcome(found).status == status
    assert probability(found, "error") == error
    assert (found.drawn is not None) == (status == "coin")
    assert (found.complete, found.debated) == (True, False)


def test_scores_take_the_expectation_whatever_was_drawn(tmp_path: Path) -> None:
    model = scripted(says_by_seat(ERROR, NONE))
    task = colmad_task(protocol="ensemble", source="sample")
    log = run(task, tmp_path, model)
    assert len({record.drawn for record in records(log)}) == 2
    for sample in samples(log):
        assert values(sample, "error_detection")["prediction"] == 0.5
    assert len(calls_of(model)) == 2 * len(samples(log))


def by_name(name: str) -> Model:
    """A model whose answers depend on its name and the item, not on its role."""

    def answer(messages: Messages, description: TurnDescription) -> str:
        return seeded(0, name, description.sample).choice([ERROR, NONE])

    return scripted(answer, name)


@pytest.mark.slow
def test_expected_counts_are_the_mean_of_both_alone(tmp_path: Path) -> None:
    """E[tp] and E[fp], against three runs of their own."""

    def counts(protocol: Any, **roles: Model) -> list[float]:
        task = colmad_task(protocol=protocol, source="sample", response_author="both")
        found = [
            values(sample, "error_detection")
            for sample in samples(run(task, tmp_path, roles=roles))
        ]
        return [
            sum(value["prediction"] for value in found if value["gold"] == gold)
            for gold in (1, 0)
        ]

    one, other = by_name("one"), by_name("other")
    alone = [counts("single", debater_a=model) for model in (one, other)]
    both = counts("ensemble", debater_a=one, debater_b=other)
    assert alone[0] != alone[1]
    assert both == [sum(pair) / 2 for pair in zip(*alone, strict=True)]
    assert both == counts("ensemble", debater_a=other, debater_b=one)


stubborn = says_by_seat(ERROR, NONE)


def society(
    solver: Solver, log_dir: Path, script: Script, ids: tuple[str, ...] = ("item",)
) -> tuple[EvalLog, list[Call]]:
    a, b = scripted(script, "a"), scripted(script, "b")
    log = run_solver(
        solver,
        list(map(item, ids)),
        log_dir,
        roles={"debater_a": a, "debater_b": b},
        epochs=2,
    )
    return log, [*calls_of(a), *calls_of(b)]


IDS = tuple(f"item-{n}" for n in range(12))


@pytest.mark.slow
@pytest.mark.parametrize("protocol", [som, ensemble])
def test_one_tie_break(protocol: Callable[..., Solver], tmp_path: Path) -> None:
    def coins(seed: int, ids: tuple[str, ...]) -> dict[tuple[str, int], str | None]:
        log, _ = society(protocol(seed=seed), tmp_path, stubborn, ids)
        return {
            (str(sample.id), sample.epoch): record(sample).drawn
            for sample in samples(log)
        }

    drawn = coins(0, IDS)
    assert len(drawn) == 2 * len(IDS)
    for id in IDS:
        assert {drawn[id, 1], drawn[id, 2]} == {"error", "no_error"}
        pair = ["error", "no_error"]
        seeded(0, "coin", id, 0).shuffle(pair)
        assert drawn[id, 1] == pair[0]
    first = {drawn[id, 1] for id in IDS}
    assert first == {"error", "no_error"}
    # Only the seed and the item decide, not how many others there are, or their order.
    assert coins(0, IDS[:4:-1]) == {
        key: drawn[key] for key in drawn if key[0] in IDS[5:]
    }
    assert coins(1, IDS) != drawn


@pytest.mark.parametrize("round", [0, 1, 2])
def test_an_answer_of_a_society_is_unread(round: int, tmp_path: Path) -> None:
    def say(messages: Messages, description: TurnDescription) -> str:
        silent = (description.participant, description.round) == ("debater_b", round)
        return UNREAD if silent else str(stubborn(messages, description))

    log, calls = society(som(rounds=2), tmp_path, say)
    for found in records(log):
        assert found.complete
        (unread,) = [t for t in found.turns if t.field("answer").status != Status.OK]
        assert (unread.participant, unread.round) == ("debater_b", round)
        if round == 2:  # the last
            assert outcome(found) == Outcome(None, "unparsed")
            assert (probability(found, "error"), found.drawn) == (None, None)
        else:
            assert outcome(found).status == "coin"
    # What could not be read as an answer is shown all the same, and named nowhere.
    place = ("debater_a", round + 1)
    reading = [c for c in calls if (c.turn.participant, c.turn.round) == place]
    assert len(reading) == (2 if round < 2 else 0)
    for call in reading:
        assert UNREAD in call.messages[-1].text
        assert call.turn.shown == ()


@pytest.mark.parametrize(
    ("source", "asked_for"),
    [(colmad(), []), (ensemble(), []), (som(), []), (single(), ["debater_b"])],
    ids=["colmad", "ensemble", "som", "single"],
)
@pytest.mark.parametrize(("again", "updates"), [(som, 2), (ensemble, 0)])
def test_answers_reused(
    source: Solver,
    asked_for: list[str],
    again: Callable[..., Solver],
    updates: int,
    tmp_path: Path,
) -> None:
    before, _ = society(source, tmp_path / "before", reader(False))
    later = again(reuse=before.location)
    log, calls = society(later, tmp_path / "after", reader(False))
    kinds = [(call.turn.kind, call.turn.participant) for call in calls]
    answers = [who for kind, who in kinds if kind == "answer"]
    assert answers == asked_for * 2
    assert len(kinds) - len(answers) == updates * 2
    for found, earlier in zip(records(log), records(before), strict=True):
        assert found.reused_from == before.eval.eval_id
        assert [t.participant for t in found.turns[:2]] == ["debater_a", "debater_b"]
        texts = {turn.participant: turn.public for turn in earlier.of_kind("answer")}
        for turn in found.turns:
            own = turn.kind == "answer" and turn.participant not in asked_for
            assert turn.reused == own
            assert not own or turn.public == texts[turn.participant]


def drawing(*reply: str) -> Script:
    """Says a text by the number of the draw."""

    def draw(messages: Messages, description: TurnDescription) -> str:
        return reply[int(description.draw) - 1]

    return draw


def draws_of(script: Script, log_dir: Path, n: int, **settings: Any) -> DebateRecord:
    log = run_solver(
        self_consistency(n=n), item(), log_dir, scripted(script), **settings
    )
    (found,) = records(log)
    return found


@pytest.mark.parametrize(
    ("reply", "status", "answer"),
    [
        ((ERROR, NONE, ERROR), "ok", "error"),
        ((ERROR, NONE), "tied", None),
        ((UNREAD, UNREAD, UNREAD, NONE), "ok", "no_error"),
        ((UNREAD, UNREAD), "unparsed", None),
    ],
)
def test_most_votes_decide(
    reply: tuple[str, ...], status: str, answer: str | None, tmp_path: Path
) -> None:
    found = draws_of(drawing(*reply), tmp_path, len(reply))
    assert outcome(found) == (answer, status)
    assert [turn.draw for turn in found.turns] == [*range(1, len(reply) + 1)]
    assert {turn.participant for turn in found.turns} == {"debater_a"}
    assert found.aggregation == "majority"
    assert found.drawn is None
    for label in ("error", "no_error"):
        expected = None if answer is None else float(label == answer)
        assert probability(found, label) == expected


# --- Temperature ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("config", "role", "settings", "sent", "warned"),
    [
        (None, None, {}, 0.7, False),
        ({"answer.temperature": 0.3}, None, {}, 0.3, False),
        ({"answer.temperature": 0.3}, 1.1, {}, 1.1, False),
        (None, 1.1, {"temperature": 0.2}, 1.1, False),
        (None, None, {"temperature": 0.2}, 0.2, False),
        (None, 0.0, {}, 0.0, True),
        ({"answer.temperature": 0}, None, {}, 0.0, True),
        ({"answer.temperature": "provider"}, None, {}, None, False),
    ],
)
def test_draws_differ_by_temperature(
    config: dict[str, Any] | None,
    role: float | None,
    settings: dict[str, Any],
    sent: float | None,
    warned: bool,
    tmp_path: Path,
) -> None:
    own = None if role is None else GenerateConfig(temperature=role)
    model = scripted(says(ERROR), config=own)
    log = run_solver(
        self_consistency(n=2, config=config),
        item(),
        tmp_path,
        roles={"debater_a": model},
        **settings,
    )
    (found,) = records(log)
    assert [call.config.temperature for call in calls_of(model)] == [sent] * 2
    logged = found.participant("debater_a").settings["answer"].get("temperature")
    assert logged == sent
    assert any("at temperature 0" in w for w in found.warnings) == warned


# --- Cache ----------------------------------------------------------------------------


COSTS = {"answer": 10, "speech": 25, "verdict": 100}
"""Tokens of each kind of turn; in dollars a thousandth of the square."""


def priced(script: Script) -> Script:
    """Make each turn cost what `COSTS` says."""

    def say(messages: Messages, description: TurnDescription) -> ModelOutput:
        output = ModelOutput.from_content("x", str(script(messages, description)))
        tokens = COSTS[description.kind]
        output.usage = ModelUsage(
            input_tokens=tokens - 1,
            output_tokens=1,
            total_tokens=tokens,
            total_cost=0.001 * tokens**2,
        )
        return output

    return say


@pytest.fixture(scope="module")
def debates(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    """One debated item of two rounds and one on which both agree."""
    items = (item("debated"), item("agreed", response=RIGHT))
    return run_solver(
        colmad(),
        items,
        tmp_path_factory.mktemp("debates"),
        scripted(priced(reader(True)), "sharp"),
        {"debater_b": scripted(priced(reader(False)), "dull")},
    )


def matched(log: EvalLog, **parameters: Any) -> dict[str, Any]:
    task = colmad_task(
        "self_consistency", source="sample", match=log.location, **parameters
    )
    assert task.metadata is not None
    found: dict[str, Any] = task.metadata["parameters"]
    return found


@pytest.mark.parametrize(
    ("unit", "n", "per_debate", "per_answer"),
    [
        ("calls", 7, 7, 1),
        # Two answers, four speeches and a verdict: 20 + 100 + 100 tokens, of 10 each.
        ("tokens", 22, 220, 10),
        # Squares: 2 x 100 + 4 x 625 + 10,000 against 100.
        ("cost", 127, 12.7, 0.1),
    ],
)
def test_as_many_draws_as_a_debated_item_takes(
    unit: str, n: int, per_debate: float, per_answer: float, debates: EvalLog
) -> None:
    message = matched(debates, match_on=unit)
    assert message["n"] == n
    assert message["matched"] == {
        "run": debates.eval.eval_id,
        "unit": unit,
        "per_debate": pytest.approx(per_debate),
        "per_answer": pytest.approx(per_answer),
    }


def test_number_of_draws_of_the_solver(debates: EvalLog, tmp_path: Path) -> None:
    model = scripted(lambda *_: ERROR)
    solver = self_consistency(match=debates.location, match_on="tokens")
    run_solver(solver, item(), tmp_path, model)
    assert len(calls_of(model)) == 22


def test_what_was_asked_again_counts(tmp_path: Path) -> None:
    def slow(messages: Messages, description: TurnDescription) -> Any:
        if description.kind == "verdict":
            return "Answer: 1" if description.reask else "Undecided."
        return reader(True)(messages, description)

    log = run_solver(
        colmad(),
        item(),
        tmp_path,
        scripted(slow, "slow"),
        {"debater_b": scripted(reader(False), "dull")},
    )
    assert matched(log)["matched"]["per_debate"] == 8
