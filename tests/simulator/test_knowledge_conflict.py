"""Questions with passages, as they are decided and given, and log-probabilities."""

from itertools import pairwise, product
from math import log
from statistics import mean
from typing import Any

import pytest
from inspect_ai.model import GenerateConfig, ModelOutput

from inspect_debate.debate.answers import short_answer
from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.tokens import answer_tokens, mean_probability
from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.knowledge_conflict import (
    StatedAnswer,
    credulity,
    follow_probability,
    picked,
    question_of,
    reasonable,
    recall_rates,
    stated_answer,
    tier,
    tier_shares,
)
from inspect_debate.simulator.policy import Draws
from inspect_debate.simulator.profiles import PROFILES
from inspect_debate.simulator.simulated import logprobs_of
from tests.simulator.asking import api_for, ask, check_share, turn_for
from tests.simulator.clash_asking import (
    CHOICES,
    QUESTIONS,
    clash_turn,
    clash_turns,
    contextual_turn,
    passage,
    pick_turn,
    prior_turn,
)

AGENTS = [f"debater_a_{n}" for n in (1, 2, 3)]
BALANCED = PROFILES["balanced"]


def _answer(behaviour: Behaviour, turn: TurnDescription) -> str:
    return stated_answer(Draws(behaviour, turn)).answer


def _right(behaviour: Behaviour, turn: TurnDescription, n: int) -> bool:
    return _answer(behaviour, turn) == f"Right {n}"


# --- knowledge ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sample", "question"),
    [
        ("years-12ab-standard", "years-12ab"),
        ("years-12ab-perturbed", "years-12ab"),
        ("q-standard-x", "q-standard-x"),
        ("17", "17"),
    ],
)
def test_questions_of_samples(sample: str, question: str) -> None:
    assert question_of(clash_turn("answer", sample=sample)) == question


def test_knowledge_is_of_the_question() -> None:
    tiers = [tier(Draws(BALANCED, prior_turn(n))) for n in range(QUESTIONS)]
    for known, share in enumerate(tier_shares(BALANCED)):
        check_share([t == known for t in tiers], share)
    for change in ({"seed": 4}, {"epoch": 2}, {"participant": "debater_a"}):
        again = [tier(Draws(BALANCED, prior_turn(n, 3, **change))) for n in range(99)]
        assert again == tiers[:99]
    other = BALANCED.model_copy(update={"seed": 1})
    assert [tier(Draws(other, prior_turn(n))) for n in range(99)] != tiers[:99]


def test_prior_answers_are_right_at_the_rate_of_their_tier() -> None:
    right: dict[int, list[bool]] = {}
    for n in range(2 * QUESTIONS):
        draws = Draws(BALANCED, prior_turn(n))
        right.setdefault(tier(draws), []).append(_right(BALANCED, draws.description, n))
    assert not any(right[0])
    for known in (1, 2, 3):
        check_share(right[known], float(recall_rates(BALANCED)[known]))


@pytest.mark.parametrize(
    "change", [{"participant": "debater_a"}, {"severity": 4}, {"draw": "1"}]
)
def test_a_prior_answer_is_shared(change: dict[str, Any]) -> None:
    for n in range(60):
        one, other = (
            stated_answer(Draws(BALANCED, prior_turn(n, **values)))
            for values in ({}, change)
        )
        assert one == other


@pytest.mark.parametrize("change", [{"epoch": 2}, {"seed": 1}])
def test_a_prior_answer_is_drawn_anew(change: dict[str, Any]) -> None:
    coin = PROFILES["coin"]
    same = [
        _right(coin, prior_turn(n), n) == _right(coin, prior_turn(n, **change), n)
        for n in range(400)
    ]
    check_share(same, 0.5)


def test_recalls_are_right_at_the_rate_of_the_tier() -> None:
    drawn: dict[int, list[bool]] = {}
    for n in range(150):
        for draw in range(1, 33):
            turn = clash_turn("recall", n, draw=str(draw))
            known = tier(Draws(BALANCED, turn))
            drawn.setdefault(known, []).append(_right(BALANCED, turn, n))
    for known, right in drawn.items():
        check_share(right, float(recall_rates(BALANCED)[known]))


def test_wrong_answers_are_those_of_the_question() -> None:
    unknowing = Behaviour(highly_known=0, maybe_known=0, weakly_known=0)
    recalled = set()
    for n in range(60):
        assert _answer(unknowing, prior_turn(n)) in passage(n).others
        turns = (clash_turn("recall", n, draw=str(draw)) for draw in range(9))
        recalled |= {_answer(unknowing, turn)[:7] for turn in turns}
    assert recalled == {"Other a", "Other b", "Other c"}


# --- confidence --------------------------------------------------------------------


@pytest.mark.parametrize("reads", [True, False])
def test_further_draws_repeat_the_answer_as_often_as_it_is_probable(
    reads: bool,
) -> None:
    who = "debater_a" if reads else "debater_b"
    excess, shares = [], []
    for n in range(200):
        seat: dict[str, Any] = {"participant": who, "passage": reads}
        first = stated_answer(Draws(BALANCED, clash_turn("answer", n, 2, **seat)))
        draws = [
            _answer(BALANCED, clash_turn("sample", n, 2, draw=str(draw), **seat))
            for draw in range(1, 17)
        ]
        share = mean(answer == first.answer for answer in draws)
        shares.append(share)
        excess.append(share - first.certainty)
        known = {*passage(n, 2).others, f"Right {n}", *([f"Said {n}"] * reads)}
        assert set(draws) <= known
    assert mean(excess) == pytest.approx(0, abs=0.03)
    assert max(shares) - min(shares) > 0.3


def test_certainty_goes_by_whether_the_answer_is_right() -> None:
    behaviour = Behaviour(
        certainty_right=0.9,
        certainty_wrong=0.4,
        passage_certainty_right=0.8,
        passage_certainty_wrong=0.6,
        certainty_spread=0.1,
    )
    for make, means in ((prior_turn, (0.4, 0.9)), (contextual_turn, (0.6, 0.8))):
        found: dict[bool, list[float]] = {True: [], False: []}
        for n in range(QUESTIONS):
            answer = stated_answer(Draws(behaviour, make(n, 3)))
            found[answer.answer == f"Right {n}"].append(answer.certainty)
        for right, law in enumerate(means):
            assert mean(found[bool(right)]) == pytest.approx(law, abs=0.02)
            assert max(found[bool(right)]) <= law + 0.1


# --- passages ----------------------------------------------------------------------


@pytest.mark.parametrize("severity", [0, 1, 5])
@pytest.mark.parametrize("form", ["short_answer", "self_ask"])
def test_passages_are_followed_as_planted(severity: int, form: str) -> None:
    follow = float(follow_probability(BALANCED, severity))
    follows = []
    for n in range(QUESTIONS):
        prior = _answer(BALANCED, prior_turn(n, severity))
        answers = _answer(BALANCED, contextual_turn(n, severity, format=form))
        assert answers in (prior, passage(n, severity).says)
        if prior != passage(n, severity).says:
            follows.append(answers != prior)
    check_share(follows, follow)


def test_forms_epochs_and_agents_are_drawn_apart() -> None:
    """With a coin between two answers; what is shared would always be the same."""
    behaviour = Behaviour(
        highly_known=1, maybe_known=0, weakly_known=0, recall_highly=1,
        follows_passage=0.5, follow_per_severity=0,
    )  # fmt: skip
    first = _follows(behaviour)
    changes: list[dict[str, Any]] = [{"format": "self_ask"}, {"epoch": 2}]
    changes += [{"participant": agent} for agent in AGENTS]
    for change in changes:
        other = _follows(behaviour, **change)
        check_share([a == b for a, b in zip(first, other, strict=True)], 0.5)


def _follows(behaviour: Behaviour, severity: int = 1, **values: Any) -> list[bool]:
    turns = (contextual_turn(n, severity, **values) for n in range(400))
    return [_answer(behaviour, turn).startswith("Said") for turn in turns]


# --- updates -----------------------------------------------------------------------


@pytest.mark.parametrize(("before", "law"), [("Right {n}", 0.1), ("Oslo", 0.7)])
def test_agents_yield_to_the_majority(before: str, law: float) -> None:
    behaviour = Behaviour(yield_right=0.1, yield_wrong=0.7)
    yields = []
    for n in range(400):
        own = before.format(n=n)
        turn = clash_turn("update", n, own_answer=own, shown=("Rome", "Rome"), round=1)
        assert _answer(behaviour, turn) in (own, "Rome")
        yields.append(_answer(behaviour, turn) == "Rome")
    check_share(yields, law)


@pytest.mark.parametrize(
    ("shown", "answers"),
    [
        (("Oslo", "Rome"), {"Oslo"}),  # it is the majority
        (("Rome", "Bonn"), {"Rome", "Bonn"}),
        (("Rome",), {"Rome"}),
        (("Bonn", "Rome", "Rome", "Oslo"), {"Rome"}),
        (("Bonn", "Rome", "Rome", "Rome", "Oslo"), {"Rome"}),
        (("Oslo", "Oslo"), {"Oslo"}),
    ],
)
def test_who_always_yields_goes_where_most_are(
    shown: tuple[str, ...], answers: set[str]
) -> None:
    behaviour = Behaviour(yield_right=1, yield_wrong=1)
    turns = (clash_turn("update", n, own_answer="Oslo", shown=shown) for n in range(50))
    assert {_answer(behaviour, turn) for turn in turns} == answers


@pytest.mark.parametrize(
    ("before", "severity", "law", "revised"),
    [
        ("Right {n}", 2, 0.2, "Said {n}"),
        ("Right {n}", 0, 0.2, "Other"),
        ("Said {n}", 2, 0.6, "Right {n}"),
        ("Oslo", 0, 0.6, "Right {n}"),
    ],
)
def test_revisions_follow_the_law(
    before: str, severity: int, law: float, revised: str
) -> None:
    behaviour = Behaviour(yield_right=0.2, yield_wrong=0.6)
    changed = []
    for n in range(400):
        own = before.format(n=n)
        answer = _answer(behaviour, clash_turn("update", n, severity, own_answer=own))
        changed.append(answer != own)
        assert answer == own or answer.startswith(revised.format(n=n))
    check_share(changed, law)


def test_who_was_not_understood_answers_anew() -> None:
    follower = Behaviour(follows_passage=1, follow_per_severity=0)
    turns = [clash_turn("update", n, 3, shown=("Rome", "Rome")) for n in range(50)]
    assert all(_answer(follower, turn).startswith("Said") for turn in turns)


# --- verdicts ----------------------------------------------------------------------


@pytest.mark.parametrize("severity", [0, 1, 4])
def test_verdicts_follow_credulity(severity: int) -> None:
    turns = [clash_turn("verdict", n, severity) for n in range(QUESTIONS)]
    found = [reasonable(Draws(BALANCED, turn)) for turn in turns]
    check_share(found, float(credulity(BALANCED, severity)))


def test_earlier_verdicts_flip_and_the_last_stands() -> None:
    behaviour = Behaviour(verdict_flip=0.3)
    series = [
        [
            reasonable(Draws(behaviour, clash_turn("verdict", n, 2, round=round)))
            for round in range(6)
        ]
        for n in range(QUESTIONS)
    ]
    for round in range(5):
        check_share([one[round] == one[-1] for one in series], 0.7)
    for one, other in pairwise(range(5)):
        check_share([s[one] == s[other] for s in series], 0.49 + 0.09)
    steady = Behaviour(verdict_flip=0)
    for n in range(50):
        turns = [clash_turn("verdict", n, 2, round=round) for round in range(6)]
        assert len({reasonable(Draws(steady, turn)) for turn in turns}) == 1


def test_judged_debates_are_settled_after_their_last_round() -> None:
    behaviour = Behaviour(verdict_flip=1)
    for n in range(50):
        first, fourth, last = (
            picked(Draws(behaviour, pick_turn(n, 2, round=round)))
            for round in (1, 4, 5)
        )
        assert first == fourth != last


@pytest.mark.parametrize("choices", [CHOICES, CHOICES[::-1]])
@pytest.mark.parametrize("severity", [0, 3])
def test_picks_follow_credulity_and_order(
    choices: tuple[str, ...], severity: int
) -> None:
    behaviour = Behaviour(follow_first=0.2)
    turns = [pick_turn(n, severity, choices=choices) for n in range(QUESTIONS)]
    found = [picked(Draws(behaviour, turn)) == "contextual" for turn in turns]
    first = choices[0] == "contextual"
    own = float(credulity(behaviour, severity))
    check_share(found, 0.2 * first + 0.8 * own)


def test_judges_are_drawn_apart() -> None:
    coin = PROFILES["coin"]
    one, other = (
        [
            reasonable(Draws(coin, clash_turn("verdict", n, participant=judge)))
            for n in range(400)
        ]
        for judge in ("judge_1", "judge_2")
    )
    check_share([a == b for a, b in zip(one, other, strict=True)], 0.5)


# --- what is drawn is what is read -------------------------------------------------


@pytest.mark.parametrize("kind", ["answer", "recall", "sample", "verdict"])
def test_what_no_data_set_has_registered_is_not_played(kind: Any) -> None:
    turn = clash_turn(kind, question="nowhere")
    with pytest.raises(InputError, match="sample 'clash1-standard'"):
        ask(api_for(), turn)


# --- profiles ----------------------------------------------------------------------


def test_perfect_models_are_right_everywhere() -> None:
    perfect = PROFILES["perfect"]
    for n in range(40):
        for severity in (0, 1, 5):
            turns = [
                prior_turn(n, severity),
                contextual_turn(n, severity),
                contextual_turn(n, severity, format="self_ask"),
                clash_turn("recall", n, severity),
                clash_turn("sample", n, severity),
                clash_turn("update", n, severity, own_answer="Oslo"),
                clash_turn("update", n, severity, own_answer=f"Right {n}"),
            ]
            assert {_answer(perfect, turn) for turn in turns} == {f"Right {n}"}
            verdict = Draws(perfect, clash_turn("verdict", n, severity, round=0))
            assert reasonable(verdict) == (severity == 0)
            assert stated_answer(Draws(perfect, prior_turn(n, severity))).certainty == 1


@pytest.mark.parametrize(("profile", "verdict"), [("credulous", 1), ("sceptic", 0)])
def test_judges_of_one_mind(profile: str, verdict: int) -> None:
    behaviour = PROFILES[profile]
    for n in range(60):
        turn = clash_turn("verdict", n, n % 6, round=n % 5)
        assert reasonable(Draws(behaviour, turn)) == verdict
        pick = picked(Draws(behaviour, pick_turn(n, n % 6, round=1)))
        assert pick == CHOICES[1 - verdict]


# --- what goes wrong ---------------------------------------------------------------


ASKED = GenerateConfig(logprobs=True)
FAULTS: dict[str, Any] = {
    "fine": {},
    "short": {"highly_known": 0.2, "certainty_spread": 0.1},
    "sure": {"certainty_right": 1, "certainty_wrong": 1, "certainty_spread": 0},
    "hostile": {"hostile_rate": 1},
    "thinking": {"reasoning_words": 30},
}


def _spelt(output: ModelOutput) -> str:
    logprobs = output.choices[0].logprobs
    assert logprobs is not None
    return "".join(token.token for token in logprobs.content)


def _status(output: ModelOutput) -> str:
    answer = short_answer(output.completion).value
    return answer_tokens(output, None if answer is None else str(answer)).status


@pytest.mark.parametrize("values", FAULTS.values(), ids=FAULTS)
def test_tokens_spell_the_completion_and_say_how_sure_the_answer_is(
    values: dict[str, Any],
) -> None:
    if "certainty_spread" in values and values["certainty_spread"] == 0:
        values = {**values, "passage_certainty_right": 1, "passage_certainty_wrong": 1}
    api = api_for(**values)
    turns = [
        make(n, n % 6) for n in range(150) for make in (prior_turn, contextual_turn)
    ]
    counts = set()
    for turn, output in zip(turns, ask(api, *turns, config=ASKED), strict=True):
        assert _spelt(output) == output.completion
        sure = stated_answer(Draws(api.behaviour, turn))
        found = answer_tokens(output, sure.answer)
        assert found.status == "ok"
        assert mean_probability(found) == pytest.approx(sure.certainty, abs=1e-12)
        assert sure.answer in "".join(found.tokens)
        assert all(value <= 0 for value in found.logprobs)
        counts.add(len(found.tokens))
    assert len(counts) > 3


@pytest.mark.parametrize("answer", ["7", "Rome", "D & C", "São Paulo", "a  b", '12"'])
def test_any_answer_is_found_among_its_tokens(answer: str) -> None:
    """Also beside one like it, in quotation marks, before a line's end."""
    forms = (
        answer,
        f"{answer}? No.\nAnswer: {answer}\n",
        f'{answer}.\n\nAnswer: "{answer}"',
    )
    for text, n in product(forms, range(40)):
        draws = Draws(Behaviour(), clash_turn("answer", n))
        output = ModelOutput.from_content("m", text)
        output.choices[0].logprobs = logprobs_of(draws, text, StatedAnswer(answer, 0.5))
        assert _spelt(output) == text
        found = answer_tokens(output, str(short_answer(text).value))
        if short_answer(text).value == answer:
            assert mean(found.logprobs) == pytest.approx(log(0.5))


def test_all_turns_have_tokens_where_they_are_asked_for() -> None:
    turns = [
        *(turn for n in range(5) for turn in clash_turns(n)),
        turn_for("speech"),
    ]
    faults = (
        api_for(),
        api_for("malformed"),
        api_for("truncating"),
        api_for("refusing"),
    )
    for api in faults:
        for output in ask(api, *turns, config=ASKED):
            assert _spelt(output) == output.completion
    for output in ask(api_for(), *turns):
        assert output.choices[0].logprobs is None


def test_what_max_tokens_cuts_has_no_more_tokens_than_text() -> None:
    config = GenerateConfig(logprobs=True, max_tokens=3)
    for output in ask(api_for(), *(prior_turn(n) for n in range(30)), config=config):
        assert len(output.completion) <= 12
        assert _spelt(output) == output.completion


def test_quotes_and_line_ends_are_glued_now_and_then() -> None:
    outputs = ask(api_for(), *(prior_turn(n) for n in range(400)), config=ASKED)
    tokens = [
        token.token
        for output in outputs
        if output.choices[0].logprobs
        for token in output.choices[0].logprobs.content
    ]
    answers = [token.strip(" ") for token in tokens]
    assert {'"', ":"} < {*answers}
    assert any(token[0] == '"' and token[1:].isalpha() for token in answers)
    assert any(token[-1] == '"' and token[:-1].isdigit() for token in answers)
    assert any(token.endswith("\n") and token.strip() for token in tokens)
    assert any(token.startswith(" ") for token in tokens)


# --- where there are none, or wrong ones -------------------------------------------


def test_none_are_sent() -> None:
    for output in ask(api_for("no_logprobs"), prior_turn(), config=ASKED):
        assert output.choices[0].logprobs is None
        assert _status(output) == "absent"
    assert PROFILES["no_logprobs"].logprobs == "none"


def test_a_request_for_them_is_refused() -> None:
    api = api_for(logprobs="refused")
    with pytest.raises(RuntimeError, match="'logprobs' is not supported"):
        ask(api, prior_turn(), config=ASKED)
    (output,) = ask(api, prior_turn())
    assert short_answer(output.completion).value


@pytest.mark.parametrize(
    ("rates", "laws"),
    [
        ({"logprobs_misaligned_rate": 1.0}, {"misaligned": 1.0}),
        ({"logprobs_cut_rate": 1.0}, {"cut": 1.0}),
        (
            {"logprobs_misaligned_rate": 0.3, "logprobs_cut_rate": 0.2},
            {"misaligned": 0.3, "cut": 0.2, "ok": 0.5},
        ),
    ],
)
def test_tokens_are_spoiled_at_their_rates(
    rates: dict[str, Any], laws: dict[str, float]
) -> None:
    turns = [
        make(n, n % 6) for n in range(200) for make in (prior_turn, contextual_turn)
    ]
    found = [_status(output) for output in ask(api_for(**rates), *turns, config=ASKED)]
    for status, law in laws.items():
        check_share([one == status for one in found], law)


@pytest.mark.parametrize("rate", ["logprobs_misaligned_rate", "logprobs_cut_rate"])
@pytest.mark.parametrize("answer", ["7", "Rome", "D & C", "a b c d e f"])
@pytest.mark.parametrize("form", ["{}", "Answer: {}", 'Yes.\nAnswer: "{}"\n'])
def test_spoiled_tokens_never_pass(rate: str, answer: str, form: str) -> None:
    behaviour = Behaviour.model_validate({rate: 1.0})
    text = form.format(answer)
    for n in range(40):
        draws = Draws(behaviour, clash_turn("answer", n))
        output = ModelOutput.from_content("m", text)
        output.choices[0].logprobs = logprobs_of(draws, text, StatedAnswer(answer, 0.5))
        assert _status(output) == rate.split("_")[1]


def test_tokens_do_not_depend_on_the_order_of_calls() -> None:
    turns = [prior_turn(n) for n in range(10)]
    one, other = (
        ask(api_for(), *asked, config=ASKED) for asked in (turns, turns[::-1])
    )
    for a, b in zip(one, other[::-1], strict=True):
        assert a.choices[0].logprobs == b.choices[0].logprobs
    (reasked,) = ask(api_for(), turns[0].model_copy(update={"reask": 1}), config=ASKED)
    assert _spelt(reasked) == reasked.completion
