"""Log-probabilities as the provider sends them, and as a protocol reads them."""

from itertools import product
from math import log
from statistics import mean
from typing import Any

import pytest
from inspect_ai.model import GenerateConfig, ModelOutput

from inspect_debate.debate.answers import short_answer
from inspect_debate.debate.tokens import answer_tokens, mean_probability
from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.knowledge_conflict import StatedAnswer, stated_answer
from inspect_debate.simulator.policy import Draws
from inspect_debate.simulator.profiles import PROFILES
from inspect_debate.simulator.simulated import logprobs_of
from tests.simulator.asking import api_for, ask, check_share, cue_for
from tests.simulator.clash_asking import (
    clash_cue,
    clash_kinds,
    contextual_cue,
    prior_cue,
)

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
    cues = [make(n, n % 6) for n in range(150) for make in (prior_cue, contextual_cue)]
    counts = set()
    for description, output in zip(cues, ask(api, *cues, config=ASKED), strict=True):
        assert _spelt(output) == output.completion
        sure = stated_answer(Draws(api.behaviour, description))
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
        draws = Draws(Behaviour(), clash_cue("answer", n))
        output = ModelOutput.from_content("m", text)
        output.choices[0].logprobs = logprobs_of(draws, text, StatedAnswer(answer, 0.5))
        assert _spelt(output) == text
        found = answer_tokens(output, str(short_answer(text).value))
        if short_answer(text).value == answer:
            assert mean(found.logprobs) == pytest.approx(log(0.5))


def test_all_turns_have_tokens_where_they_are_asked_for() -> None:
    cues = [
        *(description for n in range(5) for description in clash_kinds(n)),
        cue_for("speech"),
    ]
    faults = (
        api_for(),
        api_for("malformed"),
        api_for("truncating"),
        api_for("refusing"),
    )
    for api in faults:
        for output in ask(api, *cues, config=ASKED):
            assert _spelt(output) == output.completion
    for output in ask(api_for(), *cues):
        assert output.choices[0].logprobs is None


def test_what_max_tokens_cuts_has_no_more_tokens_than_text() -> None:
    config = GenerateConfig(logprobs=True, max_tokens=3)
    for output in ask(api_for(), *(prior_cue(n) for n in range(30)), config=config):
        assert len(output.completion) <= 12
        assert _spelt(output) == output.completion


def test_quotes_and_line_ends_are_glued_now_and_then() -> None:
    outputs = ask(api_for(), *(prior_cue(n) for n in range(400)), config=ASKED)
    tokens = [
        token.token
        for output in outputs
        if output.choices[0].logprobs
        for token in output.choices[0].logprobs.content
    ]
    said = [token.strip(" ") for token in tokens]
    assert {'"', ":"} < {*said}
    assert any(token[0] == '"' and token[1:].isalpha() for token in said)
    assert any(token[-1] == '"' and token[:-1].isdigit() for token in said)
    assert any(token.endswith("\n") and token.strip() for token in tokens)
    assert any(token.startswith(" ") for token in tokens)


# --- where there are none, or wrong ones -------------------------------------------


def test_none_are_sent() -> None:
    for output in ask(api_for("no_logprobs"), prior_cue(), config=ASKED):
        assert output.choices[0].logprobs is None
        assert _status(output) == "absent"
    assert PROFILES["no_logprobs"].logprobs == "none"


def test_a_request_for_them_is_refused() -> None:
    api = api_for(logprobs="refused")
    with pytest.raises(RuntimeError, match="'logprobs' is not supported"):
        ask(api, prior_cue(), config=ASKED)
    (output,) = ask(api, prior_cue())
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
    cues = [make(n, n % 6) for n in range(200) for make in (prior_cue, contextual_cue)]
    found = [_status(output) for output in ask(api_for(**rates), *cues, config=ASKED)]
    for status, law in laws.items():
        check_share([one == status for one in found], law)


@pytest.mark.parametrize("rate", ["logprobs_misaligned_rate", "logprobs_cut_rate"])
@pytest.mark.parametrize("answer", ["7", "Rome", "D & C", "a b c d e f"])
@pytest.mark.parametrize("form", ["{}", "Answer: {}", 'Yes.\nAnswer: "{}"\n'])
def test_spoiled_tokens_never_pass(rate: str, answer: str, form: str) -> None:
    behaviour = Behaviour.model_validate({rate: 1.0})
    text = form.format(answer)
    for n in range(40):
        draws = Draws(behaviour, clash_cue("answer", n))
        output = ModelOutput.from_content("m", text)
        output.choices[0].logprobs = logprobs_of(draws, text, StatedAnswer(answer, 0.5))
        assert _status(output) == rate.split("_")[1]


def test_tokens_do_not_depend_on_the_order_of_calls() -> None:
    cues = [prior_cue(n) for n in range(10)]
    one, other = (ask(api_for(), *asked, config=ASKED) for asked in (cues, cues[::-1]))
    for a, b in zip(one, other[::-1], strict=True):
        assert a.choices[0].logprobs == b.choices[0].logprobs
    (reasked,) = ask(api_for(), cues[0].model_copy(update={"reask": 1}), config=ASKED)
    assert _spelt(reasked) == reasked.completion
