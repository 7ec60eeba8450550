"""Protocols without a debate: ensembles, societies, and several draws of one model."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessageAssistant,
    Content,
    ContentReasoning,
    ContentText,
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


def ensemble_of(a: str, b: str, log_dir: Path) -> DebateRecord:
    log = run_solver(
        ensemble(),
        item(),
        log_dir,
        roles={
            "debater_a": scripted(says(a), "a"),
            "debater_b": scripted(says(b), "b"),
        },
    )
    (found,) = records(log)
    assert [turn.participant for turn in found.turns] == ["debater_a", "debater_b"]
    assert {turn.kind for turn in found.turns} == {"answer"}
    return found


@pytest.mark.parametrize(
    ("a", "b", "status", "error"),
    [
        (ERROR, ERROR, "ok", 1.0),
        (ERROR, NONE, "coin", 0.5),
        (UNREAD, NONE, "unparsed", None),
        (REFUSED, NONE, "refused", None),
    ],
)
def test_agreement_is_kept_and_difference_tossed(
    a: str, b: str, status: str, error: float | None, tmp_path: Path
) -> None:
    found = ensemble_of(a, b, tmp_path)
    assert outcome(found).status == status
    assert probability(found, "error") == error
    assert (found.drawn is not None) == (status == "coin")
    if status == "ok":
        assert outcome(found) == Outcome("error" if error else "no_error", "ok")
    assert found.complete
    assert not found.debated


def test_scores_take_the_expectation_whatever_was_drawn(tmp_path: Path) -> None:
    def opposite(messages: Messages, description: TurnDescription) -> str:
        return ERROR if description.participant == "debater_a" else NONE

    model = scripted(opposite)
    task = colmad_task(protocol="ensemble", source="sample")
    log = run(task, tmp_path, model)
    assert len({record.drawn for record in records(log)}) == 2
    for sample in samples(log):
        assert values(sample, "error_detection")["prediction"] == 0.5
    assert len(calls_of(model)) == 2 * len(samples(log))


def test_answers_of_a_debate_make_an_ensemble_without_a_call(tmp_path: Path) -> None:
    roles = {
        "debater_a": scripted(says(ERROR), "a"),
        "debater_b": scripted(says(ERROR), "b"),
    }
    source = run_solver(colmad(), item(), tmp_path / "source", roles=roles)
    used = {role: len(calls_of(model)) for role, model in roles.items()}
    log = run_solver(
        ensemble(reuse=source.location), item(), tmp_path / "again", roles=roles
    )
    assert {role: len(calls_of(model)) for role, model in roles.items()} == used
    (found,) = records(log)
    assert all(turn.reused for turn in found.turns)
    assert outcome(found) == Outcome("error", "ok")


def by_name(name: str) -> Model:
    """A model whose answers depend on its name and the item, not on its seat."""

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


LABELS = {"debater_a": "an", "debater_b": "no"}


def sentence(description: TurnDescription) -> str:
    label = LABELS[description.participant]
    return f"Therefore, the model response contains {label} error."


def public_text(description: TurnDescription, round: int) -> str:
    """What a member's turn of a round says in public, with a mark of its own."""
    return f"PUB-{description.participant}-{round} {sentence(description)}"


def speak(messages: Messages, description: TurnDescription) -> ModelOutput:
    """Every turn is read at the second attempt, and thinks in two ways."""
    hidden = f"HID-{description.participant}-{description.round}"
    text = (
        public_text(description, description.round)
        if description.reask
        else f"OWN-{description.participant}-{description.round}"
    )
    content: list[Content] = [
        ContentReasoning(reasoning=hidden, signature=hidden),
        ContentText(text=f"<think>{hidden}</think>{text}"),
    ]
    message = ChatMessageAssistant(content=content)
    return ModelOutput(model="x", choices=[ChatCompletionChoice(message=message)])


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


def asked(calls: list[Call]) -> dict[tuple[str, int, int, int], list[tuple[str, str]]]:
    """Messages by participant, epoch, round and attempt."""
    found: dict[tuple[str, int, int, int], list[tuple[str, str]]] = {}
    for call in calls:
        description = call.turn
        key = (
            description.participant,
            description.epoch,
            description.round,
            description.reask,
        )
        assert key not in found
        found[key] = [(message.role, message.text) for message in call.messages]
    return found


def test_a_member_reads_the_answers_of_the_round_before(tmp_path: Path) -> None:
    log, calls = society(som(rounds=3), tmp_path, speak)
    prompts = asked(calls)
    assert len(prompts) == len(calls) == 2 * 2 * 4 * 2
    other = {"debater_a": "debater_b", "debater_b": "debater_a"}
    for (who, epoch, round, reask), messages in prompts.items():
        description = next(c.turn for c in calls if c.turn.participant == who)
        peer = next(c.turn for c in calls if c.turn.participant == other[who])
        roles = ["user", *["assistant", "user"] * (round + reask)]
        assert [role for role, _ in messages] == roles
        # The same beginning in every round: the item and what was asked first.
        assert messages[0] == prompts["debater_a", epoch, 0, 0][0]
        # Its own turns, as the others were shown them, and what the others said.
        own = [text for role, text in messages if role == "assistant"]
        assert own[:round] == [
            public_text(description, earlier) for earlier in range(round)
        ]
        for earlier in range(round):
            update = messages[2 * earlier + 2][1]
            assert update.count("<turn ") == update.count("</turn>") == 1
            assert f">\n{public_text(peer, earlier)}\n</turn>" in update
            assert update.count("PUB-") == 1
        sent = "".join(text for _, text in messages)
        assert "HID" not in sent
        # A draft is shown to its own writer alone, while it is asked again.
        drafts = [f"OWN-{who}-{round}"] if reask else []
        assert [text for text in own if "OWN" in text] == drafts
        assert sent.count("OWN") == len(drafts)
    for call in calls:
        whole = "\n".join(message.model_dump_json() for message in call.messages)
        assert "HID" not in whole
    for held in records(log):
        assert [f"{t.kind} {t.round} {t.participant}" for t in held.turns] == [
            f"{'update' if round else 'answer'} {round} debater_{member}"
            for round in range(4)
            for member in "ab"
        ]
        assert all(turn.calls == 2 and turn.superseded for turn in held.turns)


def stubborn(messages: Messages, description: TurnDescription) -> str:
    return sentence(description)


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


def unread_in(round: int) -> Script:
    def say(messages: Messages, description: TurnDescription) -> str:
        silent = (description.participant, description.round) == ("debater_b", round)
        return "I see it both ways." if silent else sentence(description)

    return say


def test_a_last_answer_that_was_not_read_predicts_nothing(tmp_path: Path) -> None:
    log, _ = society(som(rounds=2), tmp_path, unread_in(2))
    for held in records(log):
        assert held.complete
        assert outcome(held) == Outcome(None, "unparsed")
        assert probability(held, "error") is None
        assert held.drawn is None


@pytest.mark.parametrize("round", [0, 1])
def test_an_earlier_answer_is_unread(round: int, tmp_path: Path) -> None:
    log, calls = society(som(rounds=2), tmp_path, unread_in(round))
    for held in records(log):
        assert len(held.turns) == 6
        (unread,) = [t for t in held.turns if t.field("answer").status != Status.OK]
        assert (unread.participant, unread.round) == ("debater_b", round)
        assert outcome(held).status == "coin"
    # What could not be read as an answer is shown all the same, and named nowhere.
    reading = [
        call
        for call in calls
        if call.description is not None
        and (call.turn.participant, call.turn.round) == ("debater_a", round + 1)
    ]
    assert len(reading) == 2
    for call in reading:
        assert "I see it both ways." in call.messages[-1].text
        assert call.turn.shown == ()


@pytest.mark.parametrize(
    ("source", "asked_for"),
    [(colmad(), []), (ensemble(), []), (som(), []), (single(), ["debater_b"])],
    ids=["colmad", "ensemble", "som", "single"],
)
def test_answers_reused(source: Solver, asked_for: list[str], tmp_path: Path) -> None:
    before, _ = society(source, tmp_path / "before", reader(False))
    log, calls = society(som(reuse=before.location), tmp_path / "after", reader(False))
    new = [call.turn for call in calls]
    answers = [
        description.participant for description in new if description.kind == "answer"
    ]
    assert answers == asked_for * 2
    assert [description.kind for description in new].count("update") == 2 * 2
    for held, earlier in zip(records(log), records(before), strict=True):
        assert held.reused_from == before.eval.eval_id
        assert [t.participant for t in held.turns[:2]] == ["debater_a", "debater_b"]
        assert_reused(held, earlier, asked_for)


def assert_reused(held: DebateRecord, earlier: DebateRecord, but: list[str]) -> None:
    told = {turn.participant: turn for turn in earlier.of_kind("answer")}
    for turn in held.turns:
        assert turn.reused == (turn.kind == "answer" and turn.participant not in but)
        if turn.reused:
            assert turn.public == told[turn.participant].public


E = "Therefore, the model response contains an error."
N = "Therefore, the model response contains no error."
U = "I see it both ways."


def drawing(*said: str) -> Script:
    """Says a text by the number of the draw."""

    def draw(messages: Messages, description: TurnDescription) -> str:
        return said[int(description.draw) - 1]

    return draw


def draws_of(script: Script, log_dir: Path, n: int, **settings: Any) -> DebateRecord:
    log = run_solver(
        self_consistency(n=n), item(), log_dir, scripted(script), **settings
    )
    (found,) = records(log)
    return found


@pytest.mark.parametrize(
    ("said", "status", "answer"),
    [
        ((E, N, E), "ok", "error"),
        ((E, N), "tied", None),
        ((U, U, U, N), "ok", "no_error"),
        ((U, U), "unparsed", None),
    ],
)
def test_most_votes_decide(
    said: tuple[str, ...], status: str, answer: str | None, tmp_path: Path
) -> None:
    found = draws_of(drawing(*said), tmp_path, len(said))
    assert outcome(found) == (answer, status)
    assert [turn.draw for turn in found.turns] == [*range(1, len(said) + 1)]
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
    model = scripted(lambda *_: E, config=own)
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


def test_cached_draws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    said = [E, N, f"{E} {E}", f"{N} {N}", U]

    def texts(script: Script, name: str) -> list[str]:
        model = scripted(script, "cached")
        log = run_solver(
            self_consistency(n=5), item(), tmp_path / name, model, cache=True
        )
        (found,) = records(log)
        counts.append(len(calls_of(model)))
        return [turn.public for turn in found.turns]

    counts: list[int] = []
    first = texts(drawing(*said), "first")
    assert first == said
    # All come from the cache the second time, each its own.
    assert texts(lambda *_: "asked again", "second") == first
    assert counts == [6, 0]  # the last draw was asked for twice


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
    told = matched(debates, match_on=unit)
    assert told["n"] == n
    assert told["matched"] == {
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
