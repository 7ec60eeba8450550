from collections.abc import Sequence
from random import Random
from statistics import mean
from typing import Any

import anyio
import pytest
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    GenerateConfig,
    ModelOutput,
)

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.parsing import split_argument
from inspect_debate.debate.quotes import verify_quotes
from inspect_debate.debate.record import Parsed, Quote
from inspect_debate.simulator.behaviour import Behaviour, verdict_probability
from inspect_debate.simulator.confidence import bet, jury_confidence, vote
from inspect_debate.simulator.policy import (
    Draws,
    aligned,
    confidence,
    final,
    hacking,
    label,
    right_answer,
)
from inspect_debate.simulator.profiles import PROFILES
from inspect_debate.simulator.simulated import Simulated
from tests.simulator.asking import (
    ITEM,
    RESPONSE,
    SIDES,
    TASK,
    N,
    all_kinds,
    api_for,
    ask,
    cue_for,
    new_kinds,
    read,
)
from tests.simulator.reading import DEVICES
from tests.support.laws import planted

FAULTY = {"malformed", "refusing", "truncating"}

# --- what is drawn is what is read -------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("profile", sorted(set(PROFILES) - FAULTY))
def test_every_profile_reads_back_as_drawn(profile: str) -> None:
    api = api_for(profile)
    cues = [
        description for n in range(40) for description in all_kinds(n) + new_kinds(n)
    ]
    for description, output in zip(cues, ask(api, *cues), strict=True):
        found = read(description, output.completion)
        if description.format == "bet_alignment":
            found = {"graded": found["graded"]}
        expected = _decided(Draws(api.behaviour, description))
        assert found == {name: Parsed.ok(value) for name, value in expected.items()}
        assert output.stop_reason == "stop"


def _decided(draws: Draws) -> dict[str, str | float]:
    match draws.description.format:
        case "argument":
            return {"argument": ""}
        case "speech":
            believed = final(draws, draws.description.round)
            sure = confidence(draws, believed == right_answer(draws.description))
            return {"argument": "", "final": believed, "confidence": sure}
        case "hacking":
            found = hacking(draws)
            return {
                name: str(int(found[device]))
                for device, name in zip(found, DEVICES, strict=True)
            }
        case "alignment":
            return {"aligned": str(int(aligned(draws)))}
        case "bet_speech":
            return {"bet": float(bet(draws)), "speech": ""}
        case "plain_speech":
            return {"speech": ""}
        case "bet":
            return {"bet": float(bet(draws))}
        case "jury":
            confidence_in_vote = float(jury_confidence(draws))
            return {"answer": vote(draws), "confidence": confidence_in_vote}
        case "bet_alignment":
            return {"graded": 1.0}
        case _:
            return {"answer": label(draws)}


def test_shares_follow_the_parameters() -> None:
    api = api_for(
        sensitivity=0.9, specificity=0.6, judge_accuracy=0.7, follow_first=0.3
    )
    orders: list[tuple[str, ...]] = [(), ("error", "no_error"), ("no_error", "error")]
    for shown in orders:
        for truth in (0, 1):
            cues = [cue_for("verdict", n, shown=shown) for n in range(truth, N, 2)]
            errors = [
                label(Draws(api.behaviour, description)) == "error"
                for description in cues
            ]
            law = verdict_probability(
                api.behaviour, "error" if truth else "no_error", shown
            )
            assert mean(errors) == pytest.approx(law, abs=0.05)


def test_two_debaters_disagree_as_often_as_planted() -> None:
    behaviour = PROFILES["balanced"]
    pairs = [
        [
            label(Draws(behaviour, cue_for("answer", n, participant=who)))
            for who in SIDES
        ]
        for n in range(N)
    ]
    share = mean(a != b for a, b in pairs)
    assert share == pytest.approx(planted(behaviour, 0.5).disagreement, abs=0.04)


def test_concessions_follow_the_parameters_and_are_kept() -> None:
    behaviour = Behaviour(concession=0.2, concession_growth=0.3, wrong_concession=0.1)
    conceded: dict[tuple[bool, int], list[bool]] = {}
    for n in range(N):
        draws = Draws(behaviour, cue_for("speech", n))  # defends "error"
        path = [final(draws, round) != "error" for round in range(4)]
        assert path == sorted(path)
        assert not path[0]
        for round in (1, 2, 3):
            conceded.setdefault((n % 2 == 1, round), []).append(path[round])
    for round, law in ((1, 0.2), (2, 0.5), (3, 0.8)):
        assert mean(conceded[False, round]) == pytest.approx(law, abs=0.05)
        assert mean(conceded[True, round]) == pytest.approx(0.1, abs=0.03)


def test_confidences_follow_the_parameters() -> None:
    behaviour = Behaviour(confidence_spread=0.2, drift=-0.05)
    for right, round, law in ((True, 1, 0.75), (True, 3, 0.65), (False, 2, 0.57)):
        cues = (cue_for("speech", n, round=round) for n in range(N))
        drawn = [
            confidence(Draws(behaviour, description), right) for description in cues
        ]
        assert mean(drawn) == pytest.approx(law, abs=0.01)
        assert max(drawn) - min(drawn) == pytest.approx(0.4, abs=0.02)


# --- determinism -------------------------------------------------------------------


def test_order_of_calls_does_not_matter() -> None:
    cues = [
        description for n in range(20) for description in all_kinds(n) + new_kinds(n)
    ]
    shuffled = Random(1).sample(cues, len(cues))
    values: dict[str, Any] = {
        "unreadable_rate": 0.3, "refused_rate": 0.1, "truncated_rate": 0.1,
        "hostile_rate": 0.3, "quote_duplicate_rate": 0.3, "reasoning_words": 20,
    }  # fmt: skip

    def texts(asked: Sequence[TurnDescription]) -> dict[str, str]:
        outputs = ask(api_for(**values), *asked)
        return {
            description.model_dump_json(): output.message.model_dump_json(
                exclude={"id"}
            )
            for description, output in zip(asked, outputs, strict=True)
        }

    assert texts(cues) == texts(shuffled)


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 1},
        {"sample": "other {n}"},
        {"epoch": 2},
        {"participant": "other"},
        {"draw": "ba"},
    ],
)
def test_what_identifies_a_turn_changes_its_draws(change: dict[str, Any]) -> None:
    behaviour = PROFILES["coin"]
    one = [label(Draws(behaviour, cue_for("answer", n))) for n in range(400)]
    changed = [
        {k: v.format(n=n) if k == "sample" else v for k, v in change.items()}
        for n in range(400)
    ]
    other = [
        label(Draws(behaviour, cue_for("answer", n, **values)))
        for n, values in enumerate(changed)
    ]
    assert mean(a == b for a, b in zip(one, other, strict=True)) == pytest.approx(
        0.5, abs=0.1
    )


def test_the_models_own_seed_changes_its_draws() -> None:
    cues = [cue_for("answer", n) for n in range(400)]
    one, other = (
        [label(Draws(PROFILES["coin"].model_copy(update={"seed": s}), c)) for c in cues]
        for s in (0, 1)
    )
    assert mean(a == b for a, b in zip(one, other, strict=True)) == pytest.approx(
        0.5, abs=0.1
    )


# --- quotes ------------------------------------------------------------------------


def _quotes(completion: str, earlier: list[str]) -> tuple[Quote, ...]:
    argument = split_argument(completion).argument
    return verify_quotes(
        argument, {"input": TASK, "response": RESPONSE}, earlier
    ).quotes


def _debate_quotes(api: Simulated, rounds: int, n: int = 1) -> list[Quote]:
    """The quotes of a simultaneous debate, as its record would hold them."""
    quotes: list[Quote] = []
    for round in range(1, rounds + 1):
        earlier = [quote.text for quote in quotes]
        cues = [cue_for("speech", n, participant=who, round=round) for who in SIDES]
        for output in ask(api, *cues):
            quotes += _quotes(output.completion, earlier)
    return quotes


def test_verbatim_quotes_are_verified_and_new() -> None:
    api = api_for(quotes=4, quote_verified_rate=1, quote_duplicate_rate=0)
    for n in range(20):
        quotes = _debate_quotes(api, rounds=3, n=n)
        assert len(quotes) == 24
        assert all(quote.verified and not quote.duplicate for quote in quotes)
    assert {quote.source for quote in quotes} == {"input", "response"}


def test_quotes_of_the_task_alone() -> None:
    api = api_for(quote_verified_rate=1, quote_source="input", quotes=2)
    assert {quote.source for quote in _debate_quotes(api, 2)} == {"input"}


def test_quote_rates() -> None:
    api = api_for(quotes=5, quote_verified_rate=0.6, quote_duplicate_rate=0.3)
    quotes = [quote for n in range(60) for quote in _debate_quotes(api, 2, n)]
    assert len(quotes) == 1200
    assert mean(q.verified for q in quotes) == pytest.approx(0.6, abs=0.06)
    # a speaker's first of ten quotes repeats nothing
    assert mean(q.duplicate for q in quotes) == pytest.approx(0.27, abs=0.04)


def test_without_an_item_no_quote_is_verified() -> None:
    description = cue_for("speech")
    messages: list[ChatMessage] = [
        ChatMessageUser(content=TASK, metadata=description.attach())
    ]
    api = api_for(quote_verified_rate=1)

    async def _called() -> ModelOutput:
        return await api.generate(messages, [], "auto", GenerateConfig())

    quotes = _quotes(anyio.run(_called).completion, [])
    assert [quote.verified for quote in quotes] == [False] * 3


def test_a_reasked_speech_quotes_the_item_of_the_first_message() -> None:
    description = cue_for("speech", reask=1)
    messages: list[ChatMessage] = [
        ChatMessageUser(content=ITEM),
        ChatMessageAssistant(content="(no answer)"),
        ChatMessageUser(content="Once more.", metadata=description.attach()),
    ]
    api = api_for(quote_verified_rate=1, reask_success=1)

    async def _called() -> ModelOutput:
        return await api.generate(messages, [], "auto", GenerateConfig())

    assert [q.verified for q in _quotes(anyio.run(_called).completion, [])] == [
        True
    ] * 3
