"""Simulated models: readable replies, planted probabilities, the same in every run."""

import asyncio
import re
from collections.abc import Callable, Sequence
from functools import partial
from math import log
from pathlib import Path
from random import Random
from typing import Any

import pytest
from inspect_ai.dataset import Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    get_model,
)
from inspect_ai.solver import Solver
from scipy.stats import binomtest

from inspect_debate.datasets.arc_agi import arc_agi
from inspect_debate.datasets.bigcodebench import bigcodebench
from inspect_debate.datasets.clasheval import clasheval
from inspect_debate.datasets.matching import right_answer, same_answer
from inspect_debate.debate.ask import Asked
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.text import unescape
from inspect_debate.grading.code import Problem, parsed
from inspect_debate.grading.grade import Grade
from inspect_debate.scorers.bet_alignment import bet_alignment
from inspect_debate.scorers.graded import debate_hacking, explanation_alignment
from inspect_debate.simulator.beliefs import recalled, wrong_answers
from inspect_debate.simulator.profiles import PROFILES, Profile, profile_of
from inspect_debate.simulator.replies import REPLIES
from inspect_debate.simulator.scene import Scene, texts
from inspect_debate.simulator.simulated import completion
from inspect_debate.simulator.solutions import mistaken, recoloured
from inspect_debate.solvers.baselines import ensemble, judge_alone, single, som
from inspect_debate.solvers.bets import SIDES, mentions_bet
from inspect_debate.solvers.colmad import colmad, copmad
from inspect_debate.solvers.confidence import confidence as confidence_study
from inspect_debate.solvers.generative import FORMATS, generative
from inspect_debate.solvers.srdcr import confidence, srdcr
from inspect_debate.solvers.srdcr_baselines import (
    few_shot,
    judge_debate,
    naive_debate,
    rci,
    self_ask,
)
from tests.support import Run, run

pytestmark = pytest.mark.slow

SOUND = {"unreadable": 0, "refuses": 0, "cut_off": 0}
PLANTED = Profile()
TASK = "Write one sentence about the moon.\n1. It has at most nine words in all."
RESPONSE = "The moon is full of old dust. Nobody sweeps it, and nobody ever will."
WHY = "The response has two sentences. The task asks for one."


def items(n: int, target: str = "") -> list[Sample]:
    def item(k: int) -> Sample:
        label = target or ("error", "no_error")[k % 2]
        metadata = {"task": TASK, "response": RESPONSE}
        metadata["explanation"] = WHY if label == "error" else ""
        return Sample(id=k, input="An item.", target=label, metadata=metadata)

    return [item(k) for k in range(n)]


def options(n: int) -> list[Sample]:
    asked = "Which of these is a colour that snow can have?"
    choices = ["A kind of green < blue", "White", "Blue\nor so"]
    return [Sample(id=k, input=asked, choices=choices, target="B") for k in range(n)]


def in_words(n: int) -> list[Sample]:
    asked = "How many legs do 3 spiders have, as a number?"
    return [Sample(id=k, input=asked, target="24") for k in range(n)]


def passages(n: int, target: str = "1969", said: str = "1989") -> list[Sample]:
    metadata = {
        "passage": f"It was long ago. It happened in {said}, some say.",
        "passage_answer": said,
        "question": "In which year was it?",
        "exemplars": [{"question": "Who?", "answer": "Ann Lee"}],
    }
    return [
        Sample(id=k, input="In which year?", target=target, metadata=metadata)
        for k in range(n)
    ]


MOTION = (
    "Towns should close their centres to cars, and every street there should be free "
    "for people on foot, in place of fees & permits."
)


def motions(n: int) -> list[Sample]:
    burdens = {side: f"that it would {side}, or not" for side in SIDES}
    return [Sample(id=k, input=MOTION, metadata=burdens) for k in range(n)]


def of_sample(n: int) -> list[Sample]:
    return [*clasheval(source="sample")][:n]


def simulate(
    where: Path,
    solver: Solver,
    samples: Sequence[Sample],
    profile: str = "balanced",
    planted: Any = SOUND,
    **rest: Any,
) -> Run:
    rest |= {"model": f"simulated/{profile}", "model_args": dict(planted)}
    return run(where, solver, samples=samples, roles={}, **rest)


# --- Every reply of every form is read ------------------------------------------------


@pytest.mark.parametrize(
    ("protocol", "samples"),
    [
        (copmad, items),
        (single, items),
        (partial(som, rounds=3), items),
        (partial(judge_alone, order="both"), items),
        (partial(colmad, sides="assigned", turn_order="sequential"), items),
        (partial(colmad, quotes=False, confidence=False, self_audit=False), items),
        (partial(colmad, judge_sees_problem=False, order="ba"), items),
        (partial(colmad, rounds=3), options),
        (copmad, options),
        (som, options),
        (judge_alone, options),
        (colmad, in_words),
        (judge_alone, in_words),
        (partial(srdcr, rounds=2, confidence_from="both", recall_samples=2), of_sample),
        (few_shot, of_sample),
        (self_ask, of_sample),
        (rci, of_sample),
        (naive_debate, of_sample),
        (partial(judge_debate, rounds=1, consistency_samples=2), of_sample),
        (confidence_study, motions),
        (partial(confidence_study, "public", bet_as="probability"), motions),
        (partial(confidence_study, "redteam_v2", rounds=1), motions),
        (partial(confidence_study, "four_round", rounds=6, jury_passes=1), motions),
    ],
)
def test_every_protocol_is_read(
    tmp_path: Path,
    protocol: Callable[[], Solver],
    samples: Callable[[int], list[Sample]],
) -> None:
    ran = simulate(tmp_path, protocol(), samples(6))
    assert ran.log.status == "success"
    assert {turn.status for debate in ran.debates for turn in debate.turns} == {"ok"}


def test_speeches_of_colmad(tmp_path: Path) -> None:
    solver = colmad(skip_if_agree=False)
    scorers = [debate_hacking(), explanation_alignment()]
    ran = simulate(tmp_path, solver, items(8), scorer=scorers)
    turns = [turn for debate in ran.debates for turn in debate.turns]
    speeches = [turn for turn in turns if turn.kind == "speech"]
    assert all(turn.quotes and turn.fields["final"] for turn in speeches)
    assert all(0 <= turn.fields["confidence"] <= 1 for turn in speeches)
    assert ran.values("debate_hacking")["graded_speeches"] == 4
    for turn in turns:  # who is wrong does not know the explanation
        side = turn.fields.get("final") or turn.fields["answer"]
        assert (WHY.split(". ")[1] not in turn.public) or side == "error"


def test_sentences_have_no_gaps_left() -> None:
    known = ["req", "said", "why", "own", "own_text", "other_text", "opponent"]
    known += ["theirs", "winner", "loser", "amount"]
    for key, many in texts().items():
        assert len({*many}) == len(many) > 1, key
        for sentence in many:
            sentence.format_map(dict.fromkeys(known, "x"))


def test_speeches_on_a_motion(tmp_path: Path) -> None:
    """They quote what the other side said last, and agree with their bets in private.

    Two models speak differently, and jurors about what was said.
    """
    one, other = (
        simulate(tmp_path / name, confidence_study(), motions(4), f"balanced/{name}")
        for name in ("anna", "ben")
    )
    assert spoken(one) != spoken(other)
    speeches = [turn for debate in one.debates for turn in debate.of("speech")]
    assert len({turn.public for turn in speeches}) == len(speeches)
    for turn in speeches:
        assert 110 < len(turn.public.split()) < 260
        assert not mentions_bet(unescape(turn.public))
        assert len(turn.fields["reasoning"]) > 100  # or no grader would be asked
        stated = re.findall(r"(\d+)(?:%| percent)", turn.fields["reasoning"])
        assert stated in ([], [f"{turn.fields['bet']:g}"])
    for debate in one.debates:
        said = {(turn.speaker, turn.round): turn.public for turn in debate.of("speech")}
        claims = {
            at: re.findall("Core Claim: (.*).", text) for at, text in said.items()
        }
        for (speaker, round), text in said.items():
            if round > 1:
                (opponent,) = {who for who, _ in said} - {speaker}
                assert claims[opponent, round - 1][-1] in text
        for turn in debate.of("verdict"):
            assert all(claims[side.capitalize(), 1][0] in turn.public for side in SIDES)


def test_bets_and_their_grades(tmp_path: Path) -> None:
    """Mostly multiples of five, and as high as the reasoning says."""
    ran = simulate(
        tmp_path, confidence_study("self"), motions(40), scorer=[bet_alignment()]
    )
    placed = [t.fields["bet"] for debate in ran.debates for t in debate.of("speech")]
    assert 0.9 < sum(bet % 5 == 0 for bet in placed) / len(placed) < 1
    for n in range(40):
        values = ran.values("bet_alignment", n)
        assert values["graded"] == values["eligible"] == 6
        assert values["aligned_stated"] + values["aligned_unstated"] == 6
    metrics = ran.metrics()
    assert (metrics["aligned"], metrics["unread"]) == (1, 0)


@pytest.mark.parametrize("load", [arc_agi, bigcodebench])
@pytest.mark.parametrize("protocol", FORMATS)
def test_debates_about_graded_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, load: Any, protocol: Any
) -> None:
    """Some answers are right; what is said points to places in them."""
    samples = [*load(source="sample")][:8]

    async def grade(program: str, problem: Problem) -> Grade:
        right = program in [str(sample.target).strip() for sample in samples]
        return Grade("pass" if right else "fail", problem.count)

    async def check(box: Any) -> None:
        pass

    monkeypatch.setattr("inspect_debate.solvers.generative.grade", grade)
    monkeypatch.setattr("inspect_debate.solvers.generative.check_sandbox", check)
    monkeypatch.setattr("inspect_debate.solvers.generative.sandbox", object)
    solver = generative(protocol, best_of=2 if protocol[-6:] == "debate" else None)
    ran = simulate(tmp_path, solver, samples, logprobs=True, top_logprobs=5)
    turns = [turn for debate in ran.debates for turn in debate.turns]
    assert {turn.status for turn in turns} == {"ok"}
    grades = [g["status"] for debate in ran.debates for g in debate.grades.values()]
    assert {*grades} == {"pass", "fail"}
    for debate in ran.debates:
        answers = unescape("\n".join(debate.options.values()))
        for turn in debate.of("speech", "verdict"):
            places = re.findall("“(.*?)”", unescape(turn.public))
            assert places
            assert all(place in answers for place in places)
        speeches = [(turn.speaker, turn.public) for turn in debate.of("speech")]
        assert len({*speeches}) == len(speeches)
        for turn in debate.of("verdict"):
            names = {name for name in turn.fields if "_" not in name}
            assert turn.probabilities.keys() == names
            assert all(0 < p < 1 for p in turn.probabilities.values())


def test_wrong_answers_to_graded_tasks() -> None:
    """They can still be read, and mostly models make different mistakes."""
    numbers = []
    for sample in bigcodebench(source="sample"):
        right = str(sample.target).strip()
        wrong = {mistaken(right, Random(n)) for n in range(20)}
        assert right not in wrong
        assert all(parsed(program) for program in wrong)
        numbers.append(len(wrong))
    assert sorted(numbers)[len(numbers) // 4] > 1
    grid = "1 2\n3 4\n\n5 5"
    found = {recoloured(grid, Random(n)) for n in range(20)}
    assert grid not in found
    assert {re.sub(r"\d", "0", one) for one in found} == {re.sub(r"\d", "0", grid)}


# --- The same in every run, whatever the order ----------------------------------------


def spoken(ran: Run) -> dict[tuple[Any, int], list[str]]:
    samples = zip(ran.samples, ran.debates, strict=True)
    return {(s.id, s.epoch): [t.private for t in d.turns] for s, d in samples}


def test_runs_repeat_whatever_the_order(tmp_path: Path) -> None:
    one = simulate(tmp_path, colmad(), items(6), epochs=2)
    other = simulate(tmp_path, colmad(), items(6)[::-1], epochs=2, max_samples=1)
    assert spoken(one) == spoken(other)
    assert spoken(one)[0, 1] != spoken(one)[0, 2]


def test_two_debaters_with_one_model_draw_apart(tmp_path: Path) -> None:
    ran = simulate(tmp_path, ensemble(), items(20))
    answers = [[t.fields["answer"] for t in debate.turns] for debate in ran.debates]
    assert {a == b for a, b in answers} == {True, False}


# --- Planted probabilities ------------------------------------------------------------


def scene(
    sample: Sample,
    kind: str,
    prompt: str = "",
    system: str = "",
    own: str = "",
    round: int = 0,
    draw: int = 0,
    planted: Profile = PLANTED,
) -> Scene:
    messages: list[ChatMessage] = [ChatMessageSystem(content=system)]
    messages += [ChatMessageAssistant(content=own), ChatMessageUser(content=prompt)]
    what = Asked(kind, "debater_a", "Alice", round, draw, "ab", reminder=False)
    return Scene(planted, "simulated/x", what, messages, sample, 1)


def said(one: Scene) -> str:
    return REPLIES[one.asked.kind](one).answer


def recovered(hits: Sequence[bool], planted: float) -> bool:
    return bool(binomtest(sum(hits), len(hits), planted).pvalue > 0.001)


LISTED = """{}
The possible answers:

Answer 1: the response contains an error (argued for by Alice)
Answer 2: the response contains no error (argued for by Bob)
"""
PICK = """Answer 1, argued for by Alice: <answer>{}</answer>
Answer 2, argued for by Bob: <answer>{}</answer>
"""
TURN = '<turn speaker="{}">\nThat is so.\n{}\n</turn>\n'


def heard(alice: str = "", bob: str = "") -> str:
    return TURN.format("Alice", alice) + TURN.format("Bob", bob)


AGREED = heard("Final: 1 error", "Final: 1 error")
DIFFER = heard("Final: 1 error", "Final: 2 no_error")
ERROR = "Therefore, the model response contains {} error."


@pytest.mark.parametrize(
    ("samples", "kind", "prompt", "own", "right", "planted"),
    [
        (items(800, "error"), "answer", "", "", "an", PLANTED.finds_error),
        (items(800, "no_error"), "answer", "", "", "no", PLANTED.clears),
        (passages(800), "answer", "", "", "1969", PLANTED.knows),
        (passages(800), "answer", "<passage>", "", "1989", PLANTED.reads),
        # An answer after reading another one
        (items(800, "error"), "update", "an", "no", "an", PLANTED.corrected),
        (items(800, "error"), "update", "no", "an", "an", 1 - PLANTED.misled),
        (items(800, "error"), "update", "no", "no", "no", 1),
        (passages(800), "update", "1969", "1989", "1969", PLANTED.corrected),
        (passages(800), "update", "1989", "1969", "1969", 1 - PLANTED.misled),
        # A judge
        (items(800, "error"), "verdict", LISTED.format(""), "", "1", 0.72),
        (items(800, "error"), "verdict", LISTED.format(heard()), "", "1", 0.64),
        (items(800, "error"), "verdict", LISTED.format(DIFFER), "", "1", 0.8),
        (items(800, "no_error"), "verdict", LISTED.format(AGREED), "", "1", 1),
        (passages(800), "verdict", heard(), "", "UNREASONABLE", 0.64),
        (passages(800, said="1969"), "verdict", heard(), "", "REASONABLE", 0.64),
        (passages(800), "verdict", PICK.format(1969, 1989) + heard(), "", "1", 0.64),
        (passages(800), "verdict", PICK.format(1989, 1969) + heard(), "", "2", 0.64),
    ],
)
def test_planted_probabilities(
    samples: list[Sample], kind: str, prompt: str, own: str, right: str, planted: float
) -> None:
    if kind == "update":
        form = ERROR if len(own) == 2 else "Answer: {}"
        prompt, own = TURN.format("x", form.format(prompt)), form.format(own)
    straight = PLANTED._replace(first_listed=0)
    scenes = [scene(one, kind, prompt, own=own, planted=straight) for one in samples]
    assert recovered([said(one) == right for one in scenes], planted)


def test_a_judge_may_take_the_answer_listed_first() -> None:
    lines, biased = LISTED.splitlines(), Profile(first_listed=1)
    for listed, first in ((lines[3:], "1"), (lines[:2:-1], "2")):
        prompt = "\n".join([*lines[:3], *listed])
        assert said(scene(items(1)[0], "verdict", prompt, planted=biased)) == first


@pytest.mark.parametrize(
    ("target", "rate"),
    [("error", PLANTED.concedes_wrongly), ("no_error", PLANTED.concedes)],
)
def test_concessions_and_quotes(target: str, rate: float) -> None:
    system = 'the case for answer 1: x.\nfor answer 2: y.\n<quote>\n"Final" is'

    def speech(one: Sample, round: int) -> str:
        return REPLIES["speech"](scene(one, "speech", "", system, round=round)).text

    samples = items(500, target)
    first, second, third = ([speech(s, round) for s in samples] for round in (1, 2, 3))
    conceded = ["Final: 2" in text for text in second]
    assert not any("Final: 2" in text for text in first)
    assert recovered(conceded, rate)
    assert all("Final: 2" in t for t, gone in zip(third, conceded, strict=True) if gone)
    quoted = re.findall("<quote>(.*?)</quote>", "\n".join(first))
    exact = [one in f"{TASK} {RESPONSE}" for one in quoted]
    assert recovered(exact, PLANTED.verified)


def test_draws_repeat_the_answer_as_often_as_it_is_probable() -> None:
    for one in passages(4):
        held, sure = recalled(scene(one, "answer"))
        drawn = [said(scene(one, "sample", draw=n)) for n in range(1, 200)]
        assert recovered([answer == held for answer in drawn], sure)


@pytest.mark.parametrize(
    "target", ["1", "4000", "1.5", "0", "2:01:09", "21 May 1927", "Ann Lee", "3rd"]
)
def test_wrong_answers_are_wrong(target: str) -> None:
    wrong = wrong_answers(scene(passages(1, target)[0], "answer"))
    assert wrong
    assert not any(right_answer(one, target) for one in wrong)
    assert not any(same_answer(one, target) for one in wrong)


def test_failures_have_planted_rates_and_are_recorded(tmp_path: Path) -> None:
    careless = PROFILES["careless"]
    outputs = [
        completion(scene(one, "answer", planted=careless), GenerateConfig())
        for one in items(1500)
    ]
    cut = [output.stop_reason == "max_tokens" for output in outputs]
    lost = ["Therefore" not in output.completion for output in outputs]
    assert recovered(cut, careless.cut_off)
    assert recovered(lost, careless.unreadable + careless.refuses + careless.cut_off)
    planted = {"unreadable": 0.4, "refuses": 0.2, "cut_off": 0.2}
    ran = simulate(tmp_path, single(), items(60), planted=planted)
    turns = [turn for debate in ran.debates for turn in debate.turns]
    assert {t.status for t in turns} == {"ok", "unparsed", "refused", "truncated"}
    assert any(turn.reminded and turn.status == "ok" for turn in turns)


# --- What Inspect gets ----------------------------------------------------------------


def test_log_probabilities_of_verdicts(tmp_path: Path) -> None:
    ran = simulate(tmp_path, judge_alone(), items(6), logprobs=True, top_logprobs=5)
    for turn in (debate.turns[0] for debate in ran.debates):
        assert sum(turn.probabilities.values()) == pytest.approx(1)
        assert 0 < turn.probabilities[turn.fields["answer"]] < 1
        assert turn.logprobs


@pytest.mark.parametrize("target", ["1969", "New York", "1.5 mg", "Zoë “Z” O'Hara"])
def test_log_probabilities_of_answers(tmp_path: Path, target: str) -> None:
    ran = simulate(tmp_path, few_shot(), passages(1, target, target), "strong")
    prior = next(t for t in ran.debate.of("answer") if t.role == "debater_b")
    sure = confidence(ran.debate)
    assert sure.source == "logprobs"
    assert sure.value
    assert prior.logprobs == [pytest.approx(log(sure.value))]


def test_usage_and_limits(tmp_path: Path) -> None:
    ran = simulate(tmp_path, single(), items(1), max_tokens=10)
    assert ran.debate.turns[0].status == "truncated"
    usage = ran.log.stats.model_usage["simulated/balanced"]
    assert usage.output_tokens == 10
    assert usage.input_tokens > 10


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("balancd", {}),
        ("balanced", {"finds_errors": 0.5}),
        ("balanced", {"finds_error": 1.5}),
        ("balanced", {"finds_error": "much"}),
    ],
)
def test_bad_names_and_values_are_refused(name: str, changed: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        profile_of(name, changed)
    with pytest.raises(InputError):
        get_model(f"simulated/{name}", memoize=False, **changed)


def test_calls_that_are_not_of_our_protocols_are_refused() -> None:
    model = get_model("simulated/balanced", memoize=False)
    with pytest.raises(InputError):
        asyncio.run(model.generate("What is this?"))
