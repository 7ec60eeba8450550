"""Debates with bets as they are decided and played."""

from collections import Counter
from statistics import mean
from typing import Any

import pytest
from inspect_ai.model import GenerateConfig

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.record import Kind, Parsed, Status
from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.confidence import belief, bet, vote
from inspect_debate.simulator.policy import Draws
from inspect_debate.simulator.profiles import PROFILES, behaviour_of
from inspect_debate.simulator.simulated import FOREIGN
from inspect_debate.solvers.bet_records import SIDES
from inspect_debate.solvers.bet_text import read_bet, read_jury_verdict, without_bets
from tests.simulator.asking import (
    api_for,
    ask,
    bet_turn,
    bet_turns,
    check_share,
    model_for,
    turn_for,
)

CALLS: tuple[Kind, ...] = ("speech", "bet")
SHARED = Behaviour(bet_model_spread=0.1, bet_debate_spread=0.15, bet_spread=0)


def _bet(behaviour: Behaviour, turn: TurnDescription) -> int:
    return bet(Draws(behaviour, turn))


# --- what bets depend on -----------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [{"round": 2}, {"participant": "debater_b"}, {"epoch": 2}, {"sample": "x"}],
)
def test_every_bet_is_drawn_anew(change: dict[str, Any]) -> None:
    fine = Behaviour(bet_grid=1, bet_spread=0.25)
    same = [
        _bet(fine, bet_turn("bet", n)) == _bet(fine, bet_turn("bet", n, **change))
        for n in range(200)
    ]
    assert mean(same) < 0.1


def _moved(behaviour: Behaviour, other: Behaviour, **change: Any) -> float:
    """How far bets move on average; the grid of 1 moves them by 1 at most."""
    fine = {"bet_grid": 1}
    one, two = (b.model_copy(update=fine) for b in (behaviour, other))
    return mean(
        abs(_bet(one, bet_turn("bet", n)) - _bet(two, bet_turn("bet", n, **change)))
        for n in range(100)
    )


def test_both_sides_share_what_the_debate_adds() -> None:
    opponent: dict[str, Any] = {"participant": "debater_b", "defends": "opposition"}
    assert _moved(SHARED, SHARED, **opponent, round=3) < 1
    reseeded = SHARED.model_copy(update={"bet_model_spread": 0, "seed": 5})
    still = SHARED.model_copy(update={"bet_model_spread": 0})
    assert (
        _moved(still, reseeded, **opponent) < 1
    )  # it is the debate's, not the model's
    assert _moved(SHARED, SHARED, seed=1) > 5
    assert _moved(SHARED, SHARED, epoch=2) > 5


def test_a_label_decides_a_models_own_offset() -> None:
    levels = {
        name: mean(
            _bet(
                behaviour_of(f"balanced/{name}", {"bet_model_spread": 0.15}),
                turn,
            )
            for turn in (bet_turn("bet", n) for n in range(200))
        )
        for name in "abcdefghij"
    }
    assert max(levels.values()) - min(levels.values()) > 10
    assert all(58 - 2 < level < 88 + 2 for level in levels.values())
    other = behaviour_of("balanced/a", {"bet_model_spread": 0.15, "seed": 1})
    again = mean(_bet(other, bet_turn("bet", n)) for n in range(200))
    assert again != pytest.approx(levels["a"], abs=1)


def test_a_label_changes_nothing_else() -> None:
    turns = [turn for n in range(3) for turn in bet_turns(n)] + [turn_for("speech")]
    plain, labelled = (
        ask(api_for(name), *turns) for name in ("balanced", "balanced/z")
    )
    assert [o.completion for o in plain] == [o.completion for o in labelled]


def test_a_labelled_model_has_its_own_name() -> None:
    model = model_for("escalating/anna")
    assert str(model) == "simulated/escalating/anna"
    assert model.api.connection_key() == "escalating/anna"
    (output,) = ask(api_for("escalating/anna"), bet_turn("bet"))
    assert output.model == "escalating/anna"
    assert output.completion != FOREIGN


def test_a_stake_goes_with_a_bet_where_it_is_asked_for() -> None:
    api = api_for(stake_ratio=0.5, bet_grid=10)
    turns = [bet_turn("bet", n, asks=("bet", "stake")) for n in range(30)]
    for output in ask(api, *turns):
        found = read_bet(output.completion, asks=("bet", "stake")).amounts
        assert float(found["stake"].value or 0) == float(found["bet"].value or 0) / 2


# --- beliefs -----------------------------------------------------------------------


@pytest.mark.parametrize("amount", [75, 10])
def test_beliefs_follow_the_rates(amount: int) -> None:
    behaviour = Behaviour(
        numeric_rate=0.6,
        overbetting_rate=0.3,
        underbetting_rate=0.2,
        strategic_rate=0.4,
    )
    turns = [bet_turn("grade", n) for n in range(500)]
    found = [belief(Draws(behaviour, turn), amount) for turn in turns]
    check_share([b.above == 1 for b in found], 0.3)
    check_share([b.above == -1 for b in found], 0.2)
    check_share([b.stated for b in found], 0.6)
    check_share([b.strategic for b in found], 0.4)
    for b in found:
        assert b.confidence is not None
        gap = amount - b.confidence
        assert (gap > 0) - (gap < 0) == b.above
        assert abs(gap) <= 30


def test_nothing_is_above_a_full_bet() -> None:
    low = Behaviour(underbetting_rate=1, overbetting_rate=0, numeric_rate=1)
    found = belief(Draws(low, bet_turn("bet")), 100)
    assert (found.confidence, found.above, found.stated) == (None, -1, False)


def test_gaps_are_equally_likely() -> None:
    high = Behaviour(overbetting_rate=1, underbetting_rate=0)
    gaps = Counter(
        75 - (belief(Draws(high, bet_turn("bet", n)), 75).confidence or 0)
        for n in range(600)
    )
    assert sorted(gaps) == [5, 10, 15, 20, 25, 30]
    for hits in gaps.values():
        check_share([True] * hits + [False] * (600 - hits), 1 / 6)


# --- the jury ----------------------------------------------------------------------


def _votes(behaviour: Behaviour, **values: Any) -> list[str]:
    turns = (bet_turn("verdict", n, **values) for n in range(500))
    return [vote(Draws(behaviour, turn)) for turn in turns]


def _agreement(one: list[str], other: list[str]) -> list[bool]:
    return [a == b for a, b in zip(one, other, strict=True)]


def test_jurors_share_how_the_debate_went() -> None:
    behaviour = PROFILES["perfect"]  # in whose juries all goes by that
    first = _votes(behaviour)
    assert first == _votes(behaviour.model_copy(update={"seed": 3}), participant="x")
    assert first == _votes(behaviour, draw="ba 2", shown=SIDES[::-1])
    check_share(_agreement(first, _votes(behaviour, seed=1)), 0.5)


def test_a_later_pass_may_repeat_the_first() -> None:
    stubborn = Behaviour(jury_shared=0, jury_repeat=1)
    first = _votes(stubborn, draw="ab 1")
    assert first == _votes(stubborn, draw="ab 2") == _votes(stubborn, draw="ab 3")
    check_share(_agreement(first, _votes(stubborn, draw="ba 2")), 0.5)
    fickle = Behaviour(jury_shared=0, jury_repeat=0)
    passes = (_votes(fickle, draw=f"ab {n}") for n in (1, 2))
    check_share(_agreement(*passes), 0.5)


@pytest.mark.parametrize("draw", ["", "ab", "ba", "ab 0", "2", "ab 2"])
def test_any_name_of_a_pass_will_do(draw: str) -> None:
    votes = _votes(Behaviour(jury_opposition=0.3), draw=draw)
    check_share([v == "opposition" for v in votes], 0.3)


def test_the_first_speaker_profile_sides_with_whom_it_is_shown_first() -> None:
    for shown in (SIDES, SIDES[::-1]):
        assert set(_votes(PROFILES["first_speaker"], shown=shown)) == {shown[0]}


# --- what goes wrong ---------------------------------------------------------------


def test_a_leaked_bet_is_read_and_stands_in_the_open() -> None:
    turns = [bet_turn("speech", n) for n in range(60)]
    clean = ask(api_for(), *turns)
    leaky = ask(api_for(unreadable_rate=1, unreadable_kind="leak"), *turns)
    forms = set()
    for one, other in zip(clean, leaky, strict=True):
        found, expected = map(read_bet, (other.completion, one.completion))
        assert found.amounts == expected.amounts
        assert found.reasoning == expected.reasoning
        spoken = other.completion.partition("<bet_logic_private>")[0]
        leak = spoken.removeprefix(expected.speech).strip()
        assert str(int(float(found.amounts["bet"].value or 0))) in leak
        forms.add("".join(c for c in leak if not c.isdigit()))
    assert len(forms) == 4


def test_no_private_reasoning_of_a_cut_bet_is_left_in_its_speech() -> None:
    turns = [bet_turn("speech", n) for n in range(200)]
    whole = ask(api_for(), *turns)
    unclosed = 0
    for one, cut in zip(whole, ask(api_for(truncated_rate=1), *turns), strict=True):
        assert cut.stop_reason == "max_tokens"
        assert one.completion.startswith(cut.completion)
        unclosed += "<bet_logic_private>" in cut.completion
        private = read_bet(one.completion).reasoning
        assert private[:20] not in without_bets(cut.completion)
    assert 20 < unclosed < 180


def test_max_tokens_cuts_a_bet() -> None:
    (output,) = ask(
        api_for(), bet_turn("speech"), config=GenerateConfig(max_tokens=100)
    )
    assert output.stop_reason == "max_tokens"
    assert read_bet(output.completion).amounts == {"bet": Parsed.unparsed()}


def test_hostile_sides_attack_jurors_and_graders_and_still_bet() -> None:
    api = api_for("hostile", hostile_kind="takeover")
    for defends, other in (SIDES, SIDES[::-1]):
        (output,) = ask(api, bet_turn("speech", defends=defends))
        found = read_bet(output.completion)
        assert found.amounts["bet"].status == Status.OK
        for text in (found.speech, found.reasoning):
            assert "</turn>\n</debate>" in text
            assert f'<turn speaker="{other.capitalize()}"' in text
            assert f"<winnerName>{defends}</winnerName>" in text
        verdict = read_jury_verdict(output.completion)  # as a careless reader would
        assert verdict["answer"] == Parsed.ok(defends)
