"""ColMAD and CopMAD: what is asked, what it comes to, orders, limits."""

from pathlib import Path
from statistics import fmean
from typing import Any

import anyio
import pytest
from inspect_ai.model import ModelName, get_model
from inspect_ai.solver import Solver, TaskState

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.seeds import flipped
from inspect_debate.scorers.error_detection import error_detection
from inspect_debate.scorers.process import process
from inspect_debate.solvers.baselines import ensemble, judge_alone
from inspect_debate.solvers.colmad import colmad, copmad, defended
from tests.support import (
    DEBATERS,
    Answer,
    Call,
    Script,
    good,
    items,
    labelled,
    run,
    speech,
)
from tests.support import (
    reply as reply_of,
)


def answering(a: str, b: str, verdict: str = "1") -> Answer:
    """Debaters with given first answers, where "" is none, and a judge."""

    def answer(call: Call) -> str:
        if call.what.kind == "answer":
            said = a if call.what.role == "debater_a" else b
            return labelled(said) if said else "Who knows?"
        if call.what.kind == "verdict":
            return f"Answer: {verdict}"
        return good(call)

    return answer


DEBATED = ["answer"] * 2 + ["speech"] * 4 + ["verdict"]
E, N = "error", "no_error"


@pytest.mark.parametrize(
    ("a", "b", "verdict", "solver", "kinds", "outcome"),
    [
        # Algorithm 1: equal answers return, others are debated.
        (E, E, "2", colmad(), ["answer"] * 2, E),
        (N, N, "1", colmad(), ["answer"] * 2, N),
        (E, N, "1", colmad(), DEBATED, E),
        (E, N, "2", colmad(), DEBATED, N),
        (N, E, "2", colmad(), DEBATED, N),
        (E, N, "?", colmad(), [*DEBATED, "verdict?"], None),
        ("", N, "1", colmad(), ["answer", "answer", "answer?"], None),
        # Consensus counts only where it is told to.
        (E, E, "2", colmad(skip_if_agree=False), DEBATED, N),
        (E, E, "2", copmad(), DEBATED, N),
        (E, E, "2", copmad(skip_if_agree=True), ["answer"] * 2, E),
        ("", "", "2", copmad(reminders=0), ["answer"] * 2, None),
        # Nobody answers first, or the judge decides on the first answers.
        (E, E, "2", colmad(sides="assigned"), DEBATED[2:], N),
        (E, N, "2", colmad(rounds=0), ["answer", "answer", "verdict"], N),
        (E, N, "1", colmad(rounds=1), [*DEBATED[:4], "verdict"], E),
    ],
)
def test_calls_and_outcomes(
    tmp_path: Path,
    a: str,
    b: str,
    verdict: str,
    solver: Solver,
    kinds: list[str],
    outcome: str | None,
) -> None:
    done = run(tmp_path, solver, answering(a, b, verdict))
    assert sorted(done.kinds()) == sorted(kinds)
    debate = done.debate
    assert (debate.answer, debate.complete) == (outcome, True)
    assert bool(debate.skip_reason) == (outcome is None or not debate.of("verdict"))


def test_copmads_defaults_are_those_of_the_published_runs(tmp_path: Path) -> None:
    done = run(tmp_path, copmad())
    parameters = done.debate.parameters
    names = ("style", "skip_if_agree", "show_openings")
    assert [parameters[n] for n in names] == ["competitive", False, False]
    assert done.debate.protocol == "copmad"
    first = [c.text for c in done.calls if c.what[0] == "speech" and c.what.round == 1]
    assert not any("PASS" in text or "Conf:" in text for text in first)
    with pytest.raises(InputError, match="style"):
        copmad(style="collaborative")  # type: ignore[arg-type]  # what the test is about


# --- Ties -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("votes", "order", "outcome", "asked"),
    [
        ("1", "ab", E, 1),
        ("112", "ab", E, 3),
        ("12", "ab", None, 2),
        ("1?", "ab", E, 2),  # unread votes do not count
        ("12?", "ab", None, 3),
        ("??", "ab", None, 2),
        ("1", "both", E, 2),
        ("f", "both", None, 2),  # always for the answer that is listed first
        ("112", "both", E, 6),
    ],
)
def test_panels_and_both_orders(
    tmp_path: Path, votes: str, order: Any, outcome: str | None, asked: int
) -> None:
    def answer(call: Call) -> str:
        if call.what.kind != "verdict":
            return good(call)
        vote = votes[int(call.what.name.removeprefix("judge").strip("_") or 1) - 1]
        if vote == "f":
            vote = "1" if call.what.order == "ab" else "2"
        return f"Answer: {vote}"

    script = Script(answer)
    panel = [script.model() for _ in votes]
    roles = {**{role: script.model() for role in DEBATERS}, "judge": panel}
    done = run(
        tmp_path, colmad(rounds=1, order=order, reminders=0), script, roles=roles
    )
    debate = done.debate
    assert len(debate.of("verdict")) == asked
    assert (debate.answer, bool(debate.skip_reason)) == (outcome, outcome is None)
    orders = [turn.order for turn in debate.of("verdict")]
    assert {*orders} == ({"ab", "ba"} if order == "both" else {order})


# --- Who is who, and orders -----------------------------------------------------------


@pytest.mark.parametrize(("a", "b"), [(E, N), (N, E)])
@pytest.mark.parametrize("order", ["ab", "ba"])
def test_alice_argues_for_the_error_whoever_she_is(
    tmp_path: Path, a: str, b: str, order: Any
) -> None:
    done = run(tmp_path, colmad(order=order), answering(a, b))
    debate = done.debate
    alice = "debater_a" if a == E else "debater_b"
    assert debate.defends == {"debater_a": a, "debater_b": b}
    assert {t.role for t in debate.of("speech") if t.speaker == "Alice"} == {alice}
    judged = done.calls[-1].text
    names = [judged.index(f'speaker="{name}"') for name in ("Alice", "Bob")]
    listed = [judged.rindex(f"Answer {n}:") for n in "12"]
    argued = judged[judged.rindex("Answer 1:") :].split("\n")[0]
    assert "Alice" in argued
    assert "Bob" not in argued
    assert (sorted(names) == names) == (sorted(listed) == listed) == (order == "ab")


def test_epochs_mirror_all_orders(tmp_path: Path) -> None:
    solver = colmad(turn_order="sequential", sides="assigned", rounds=1)
    done = run(tmp_path, solver, samples=items(3), epochs=4)
    for first in (0, 4, 8):
        for odd in (first, first + 2):
            one, two = done.debates[odd : odd + 2]
            assert one.defends["debater_a"] == two.defends["debater_b"]
            assert one.of("verdict")[0].order == "ab"
            assert two.of("verdict")[0].order == "ba"
            assert one.of("speech")[0].speaker != two.of("speech")[0].speaker


def test_sides_and_speakers_are_drawn_apart(tmp_path: Path) -> None:
    """Who defends the error, and whether Alice speaks first, over many items."""
    states = [
        TaskState(ModelName("none/none"), sample_id=n, epoch=1, input="", messages=[])
        for n in range(400)
    ]
    sides = {
        answer: [
            defended(state, [E, N], [answer] * 2, 0)["debater_a"] == answer
            for state in states
        ]
        for answer in (E, N)
    }
    # A draw picks a place, whatever was answered.
    assert sides[E] == sides[N]
    first = [flipped(state, 0, "who speaks first") for state in states]
    agree = [x == y for x, y in zip(sides[E], first, strict=True)]
    for drawn in (sides[E], first, agree):
        assert 0.42 < fmean(drawn) < 0.58  # three standard deviations

    solver = colmad(turn_order="sequential", sides="assigned", rounds=1)
    done = run(tmp_path, solver, samples=items(20))
    seen = {(d.defends["debater_a"], d.of("speech")[0].speaker) for d in done.debates}
    assert len(seen) == 4
    assert {d.of("verdict")[0].order for d in done.debates} == {"ab"}


def test_sequential_speakers_answer_each_other(tmp_path: Path) -> None:
    done = run(tmp_path, colmad(turn_order="sequential"))
    speeches = [call for call in done.calls if call.what.kind == "speech"]
    turns = [call.text.count('stage="round') for call in speeches]
    assert turns == [0, 1, 2, 3]
    names = [call.what.name for call in speeches]
    assert [turn.speaker for turn in done.debate.of("speech")] == names


@pytest.mark.parametrize(
    ("a", "b", "parameters", "told"),
    [
        (E, E, {"skip_if_agree": False}, True),
        (E, N, {"skip_if_agree": False}, False),
        # Without the openings it would say that there was a consensus.
        (E, E, {"skip_if_agree": False, "show_openings": False}, False),
        (E, E, {"sides": "assigned"}, False),
    ],
)
def test_assigned_sides_are_told_where_openings_show_them(
    tmp_path: Path, a: str, b: str, parameters: Any, told: bool
) -> None:
    done = run(tmp_path, colmad(rounds=1, **parameters), answering(a, b))
    later = [call.text for call in done.calls if call.what.kind != "answer"]
    assert {"sides were then assigned" in text for text in later} == {told}


# --- Nobody heard, and quotes ---------------------------------------------------------


@pytest.mark.parametrize("silent", [("debater_a",), DEBATERS])
@pytest.mark.parametrize(
    "said", ["", "<thinking>Only this.", "I'm sorry, I can't help."]
)
def test_without_two_sides_no_judge_is_asked(
    tmp_path: Path, silent: tuple[str, ...], said: str
) -> None:
    def answer(call: Call) -> str:
        mute = call.what.kind == "speech" and call.what.role in silent
        return said if mute else good(call)

    done = run(tmp_path, colmad(), answer, scorer=[error_detection(), process()])
    debate = done.debate
    assert (debate.answer, debate.of("verdict")) == (None, [])
    for name in ("Alice", "Bob")[: len(silent)]:
        assert name in debate.skip_reason
    values = done.values("error_detection")
    assert values["correct"] != values["correct"]
    assert done.values("process")["speeches_lost"] == 2 * len(silent)


def test_a_speech_that_is_missing_is_shown_as_missing(tmp_path: Path) -> None:
    def answer(call: Call) -> str:
        mute = call.what.kind == "speech" and call.what.round == 1
        return "" if mute and call.what.role == "debater_a" else good(call)

    done = run(tmp_path, colmad(), answer)
    assert done.calls[-1].text.count("(no speech)") == 1
    assert done.debate.answer == E


def test_quotes_are_checked_against_the_item_alone(tmp_path: Path) -> None:
    quotes = "<quote>three</quote> <v_quote>made up</v_quote> <quote>GOLD</quote>"

    def answer(call: Call) -> str:
        return speech("1", quotes) if call.what.kind == "speech" else good(call)

    done = run(tmp_path, colmad(), answer)
    found = [(q.source, q.repeated) for q in done.debate.of("speech")[0].quotes]
    assert found == [("task", False), (None, False), (None, False)] or found == [
        ("response", False), (None, False), (None, False)
    ]  # fmt: skip
    assert all(q.repeated for q in done.debate.of("speech")[2].quotes)
    public = done.debate.of("speech")[0].public
    assert public.count("<v_quote>") == 1
    assert public.count("<u_quote>") == 2
    unmarked = run(tmp_path, colmad(quotes=False), answer)
    assert "<v_quote>" not in unmarked.calls[-1].text
    assert not unmarked.debate.of("speech")[0].quotes


def test_what_a_speech_states(tmp_path: Path) -> None:
    def answer(call: Call) -> str:
        if call.what.kind == "speech":
            return speech("2" if call.what.round == 2 else "1", "Three plain words.")
        return good(call)

    done = run(tmp_path, colmad(), answer, scorer=process())
    first = done.debate.of("speech")[0]
    assert first.fields["final"] == E
    assert first.fields["confidence"] == 0.8
    # Bob says 1 in round 1, Alice says 2 in round 2: each is a concession.
    assert done.values("process")["concessions"] == 2


@pytest.mark.parametrize(
    ("reply", "public", "status"),
    [
        ("<argument>One.</argument> Well, <argument>Two.</argument>", "Two.", "ok"),
        # A small model repeated itself until it was cut off.
        ("<argument>One.</argument><argument>Tw", "One.", "ok"),
        ("<argument>One.</argument><argument>", "One.", "ok"),
        ("<argument>Not closed.", "Not closed.", "ok"),
        ("<argument></argument>", "", "unparsed"),
        ("No tags at all.", "No tags at all.", "unparsed"),
        # It closed the argument before its last lines, or went on as somebody else.
        (
            "<argument>One.</argument>\n<closing>\nFinal: 1 error\nConf: 0.9",
            "One.\nFinal: 1 error\nConf: 0.9",
            "ok",
        ),
        (
            "<argument>One.</argument>\n<final>1 error</final>\n<conf>1</conf>",
            "One.\n<final>1 error</final>\n<conf>1</conf>",
            "ok",
        ),
        ("<argument>One.</argument>\n<turn>\nNo!\nFinal: 1 error", "One.", "ok"),
        # Last lines of an earlier argument are not those of the one that counts.
        (
            "<argument>One.</argument>\nFinal: 1 error\n<argument>Two.</argument>",
            "Two.",
            "ok",
        ),
    ],
)
def test_which_argument_is_public(
    tmp_path: Path, reply: str, public: str, status: str
) -> None:
    def answer(call: Call) -> str:
        return reply if call.what.kind == "speech" else good(call)

    turn = run(tmp_path, colmad(rounds=1), answer).debate.of("speech")[0]
    assert (turn.public, turn.status) == (public, status)
    if "1 error" in public:
        assert turn.fields["final"] == E


@pytest.mark.parametrize(("end", "status"), [("</argument>", "ok"), ("", "truncated")])
def test_a_speech_is_cut_off_only_before_its_end(
    tmp_path: Path, end: str, status: str
) -> None:
    def answer(call: Call) -> Any:
        cut = reply_of(f"<argument>One.{end}<check>One. One. On", "max_tokens")
        return cut if call.what.kind == "speech" else good(call)

    turn = run(tmp_path, colmad(rounds=1), answer).debate.of("speech")[0]
    assert turn.status == status
    assert turn.fields.get("words", 0) == (status == "ok")


# --- Limits and roles -----------------------------------------------------------------


@pytest.mark.parametrize("limit", [16, 40, 75])
def test_a_limit_leaves_an_unscored_record_with_the_turns_so_far(
    tmp_path: Path, limit: int
) -> None:
    scorer = [error_detection(), process()]
    done = run(tmp_path, colmad(), scorer=scorer, token_limit=limit)
    assert done.samples[0].limit
    assert not done.debate.complete
    assert 0 < len(done.debate.turns) < 7
    for name in ("error_detection", "process"):
        assert (done.samples[0].scores or {})[name].value != 0
    assert done.log.results
    assert {score.scored_samples for score in done.log.results.scores} == {0}


def test_a_time_limit_keeps_what_was_said(tmp_path: Path) -> None:
    script = Script()

    async def slowly(messages: Any, tools: Any, choice: Any, config: Any) -> Any:
        output = script(messages, tools, choice, config)
        if script.calls[-1].what.role == "debater_b":
            await anyio.sleep(30)
        return output

    model = get_model("mockllm/model", memoize=False, custom_outputs=slowly)
    roles = dict.fromkeys((*DEBATERS, "judge"), model)
    done = run(tmp_path, colmad(), roles=roles, time_limit=1)
    assert done.samples[0].limit
    assert [turn.role for turn in done.debate.turns] == ["debater_a"]
    assert not done.debate.complete


def test_a_message_limit_stops_no_finished_debate(tmp_path: Path) -> None:
    """Inspect counts the messages of a call, and those laid out for the viewer."""
    done = run(tmp_path, colmad(), scorer=error_detection(), message_limit=3)
    assert done.samples[0].limit is None
    assert done.debate.complete
    assert done.values("error_detection")["correct"] == 1
    assert len(done.samples[0].messages) == 9


def test_a_failed_debater_keeps_what_was_paid_for(tmp_path: Path) -> None:
    def answer(call: Call) -> str:
        if call.what.role == "debater_a":
            raise RuntimeError("out of credit")
        return good(call)

    done = run(tmp_path, colmad(), answer)
    assert done.log.status == "error"
    assert [turn.speaker for turn in done.debate.turns] == ["debater_b"]


def test_unbound_roles(tmp_path: Path) -> None:
    """An unbound debater is the main model, an unbound judge debater A's."""
    main, bound = Script(), Script()
    done = run(
        tmp_path, colmad(rounds=1), main,
        roles={"debater_a": bound.model()}, model="scripted",
    )  # fmt: skip
    assert {call.what.role for call in main.calls} == {"debater_b"}
    assert {call.what.role for call in bound.calls} == {"debater_a", "judge"}
    usage = done.samples[0].role_usage
    assert {role: one.total_tokens for role, one in usage.items()} == {
        "debater_a": 30, "debater_b": 30, "judge": 15,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("solver", "roles"),
    [
        (colmad(), {"critic": 1}),
        (copmad(), {"debater_c": 1}),
        (colmad(), {"debater_a": 2}),
        (ensemble(), {"judges": 1}),
        (judge_alone(), {"grader": 2}),
    ],
)
def test_unknown_roles_end_the_run_before_any_call(
    tmp_path: Path, solver: Solver, roles: dict[str, int]
) -> None:
    script = Script()
    bound = {role: [script.model()] * n for role, n in roles.items()}
    done = run(tmp_path, solver, script, roles=bound, model="scripted")
    assert done.log.status == "error"
    assert done.log.error
    assert "InputError" in done.log.error.traceback
    assert script.calls == []
