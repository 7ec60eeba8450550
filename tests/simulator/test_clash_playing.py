"""Questions about passages, as they are played."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import Parsed, Status
from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.knowledge_conflict import (
    picked,
    reasonable,
    stated_answer,
)
from inspect_debate.simulator.policy import Draws
from inspect_debate.simulator.profiles import PROFILES
from tests.simulator.asking import api_for, ask, check_share
from tests.simulator.clash_asking import (
    CHOICES,
    clash_cue,
    clash_kinds,
    contextual_cue,
    pick_cue,
    prior_cue,
    read_clash,
)
from tests.support.clash_planted import planted_clash

FAULTY = {"malformed", "refusing", "truncating"}
AGENTS = [f"debater_a_{n}" for n in (1, 2, 3)]
BALANCED = PROFILES["balanced"]


def _said(behaviour: Behaviour, description: TurnDescription) -> str:
    return stated_answer(Draws(behaviour, description)).answer


# --- what is drawn is what is read -------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("profile", sorted(set(PROFILES) - FAULTY))
def test_every_profile_reads_back_as_drawn(profile: str) -> None:
    api = api_for(profile)
    cues = [description for n in range(8) for description in clash_kinds(n)]
    for description, output in zip(cues, ask(api, *cues), strict=True):
        found = read_clash(description.format, output.completion)
        assert found == Parsed.ok(_decided(Draws(api.behaviour, description))), (
            description
        )
        assert output.stop_reason == "stop"


def _decided(draws: Draws) -> str:
    match draws.description.format:
        case "critique" | "free_speech":
            return ""
        case "reasonable":
            return "reasonable" if reasonable(draws) else "unreasonable"
        case "pick":
            return str(1 + draws.description.choices.index(picked(draws)))
        case _:
            return stated_answer(draws).answer


def test_order_of_calls_does_not_matter() -> None:
    cues = [description for n in range(6) for description in clash_kinds(n)]
    shuffled = Random(1).sample(cues, len(cues))
    values: dict[str, Any] = {
        "unreadable_rate": 0.3, "refused_rate": 0.1, "truncated_rate": 0.1,
        "hostile_rate": 0.3, "reasoning_words": 20,
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


@pytest.mark.parametrize("kind", ["answer", "recall", "sample", "verdict"])
def test_what_no_data_set_has_registered_is_not_played(kind: Any) -> None:
    description = clash_cue(kind, question="nowhere")
    with pytest.raises(InputError, match="sample 'clash1-standard'"):
        ask(api_for(), description)


# --- what is planted ---------------------------------------------------------------


def _arms(behaviour: Behaviour, n: int, severity: int) -> dict[str, tuple[bool, bool]]:
    """What each arm gets right, and whether it answers, on one question and passage."""
    prior, contextual = (
        stated_answer(Draws(behaviour, make(n, severity)))
        for make in (prior_cue, contextual_cue)
    )
    holds = reasonable(Draws(behaviour, clash_cue("verdict", n, severity)))
    sure = prior.certainty >= 0.9
    revised = clash_cue("update", n, severity, own_answer=contextual.answer)
    surer = prior.certainty > contextual.certainty
    answers = {
        "prior": prior.answer,
        "few_shot": contextual.answer,
        "golden": prior.answer if severity else contextual.answer,
        "token_prob": prior.answer if surer else contextual.answer,
        "confidence_only": prior.answer if sure else contextual.answer,
        "acvd_only": contextual.answer if holds else prior.answer,
        "srdcr": contextual.answer if holds else prior.answer if sure else None,
        "rci": _said(behaviour, revised),
        "naive_debate": _debated(behaviour, n, severity),
    }
    return {
        arm: (answer == f"Right {n}", answer is not None)
        for arm, answer in answers.items()
    }


def _debated(behaviour: Behaviour, n: int, severity: int) -> str:
    """What three agents say after five rounds: the answer of most of them."""
    said = [
        _said(behaviour, contextual_cue(n, severity, participant=a)) for a in AGENTS
    ]
    for round in range(1, 5):
        said = [
            _said(
                behaviour,
                clash_cue(
                    "update", n, severity, participant=agent, round=round,
                    own_answer=said[k], shown=(*said[:k], *said[k + 1 :]),
                ),
            )
            for k, agent in enumerate(AGENTS)
        ]  # fmt: skip
    return max(said, key=said.count)


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["balanced", "overconfident"])
def test_what_is_played_has_the_planted_accuracies(profile: str) -> None:
    behaviour = PROFILES[profile]
    played = [
        [_arms(behaviour, n, severity) for severity in (0, 1 + n % 5)]
        for n in range(300)
    ]
    for arm, values in planted_clash(behaviour).arms.items():
        if arm not in played[0][0]:
            continue
        for half in (0, 1):
            found = [question[half][arm] for question in played]
            check_share([right for right, _ in found], values[half])
            check_share([answered for _, answered in found], values[2 + half])


# --- profiles ----------------------------------------------------------------------


def test_perfect_models_are_right_everywhere() -> None:
    perfect = PROFILES["perfect"]
    for n in range(40):
        for severity in (0, 1, 5):
            cues = [
                prior_cue(n, severity),
                contextual_cue(n, severity),
                contextual_cue(n, severity, format="self_ask"),
                clash_cue("recall", n, severity),
                clash_cue("sample", n, severity),
                clash_cue("update", n, severity, own_answer="Oslo"),
                clash_cue("update", n, severity, own_answer=f"Right {n}"),
            ]
            assert {_said(perfect, description) for description in cues} == {
                f"Right {n}"
            }
            verdict = Draws(perfect, clash_cue("verdict", n, severity, round=0))
            assert reasonable(verdict) == (severity == 0)
            assert stated_answer(Draws(perfect, prior_cue(n, severity))).certainty == 1


@pytest.mark.parametrize(("profile", "verdict"), [("credulous", 1), ("sceptic", 0)])
def test_judges_of_one_mind(profile: str, verdict: int) -> None:
    behaviour = PROFILES[profile]
    for n in range(60):
        description = clash_cue("verdict", n, n % 6, round=n % 5)
        assert reasonable(Draws(behaviour, description)) == verdict
        pick = picked(Draws(behaviour, pick_cue(n, n % 6, round=1)))
        assert pick == CHOICES[1 - verdict]


# --- what goes wrong ---------------------------------------------------------------


@pytest.mark.parametrize("kind", ["answer", "update", "recall", "critique", "verdict"])
def test_turns_go_wrong_as_often_as_others(kind: Any) -> None:
    cues = [clash_cue(kind, n) for n in range(300)]
    api = api_for(unreadable_rate=0.2, refused_rate=0.2, truncated_rate=0.2)
    outputs = ask(api, *cues)
    reasons = [output.stop_reason for output in outputs]
    for reason in ("content_filter", "max_tokens"):
        check_share([r == reason for r in reasons], 0.2)
    unread = [
        read_clash(description.format, output.completion).status == Status.UNPARSED
        for description, output in zip(cues, outputs, strict=True)
        if output.stop_reason == "stop"
    ]
    check_share(unread, 1 / 3)


@pytest.mark.parametrize("kind", ["answer", "sample", "critique", "speech", "verdict"])
def test_a_reask_says_the_same(kind: Any) -> None:
    cues = [clash_cue(kind, n, n % 6) for n in range(60)]
    again = [description.model_copy(update={"reask": 1}) for description in cues]
    outputs = ask(api_for(unreadable_rate=1, reask_success=1), *again)
    for description, output in zip(cues, outputs, strict=True):
        expected = Parsed.ok(_decided(Draws(BALANCED, description)))
        assert read_clash(description.format, output.completion) == expected
        if kind == "verdict":
            assert output.completion.startswith("Verdict: ")
