"""Simulated models: readable replies, planted probabilities, the same in every run."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
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

from inspect_debate.debate.ask import Asked
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import Turn
from inspect_debate.scorers.graded import debate_hacking, explanation_alignment
from inspect_debate.simulator.profiles import PROFILES, Profile, profile_of
from inspect_debate.simulator.replies import REPLIES, texts
from inspect_debate.simulator.scene import Scene
from inspect_debate.simulator.simulated import completion, tokens
from inspect_debate.solvers.baselines import ensemble, judge_alone, single, som
from inspect_debate.solvers.colmad import colmad, copmad
from tests.support import Run, run

SOUND = {"unreadable": 0, "refuses": 0, "cut_off": 0}
TASK = "Write one sentence about the moon.\n1. It has at most nine words in all."
RESPONSE = "The moon is full of old dust. Nobody sweeps it, and nobody ever will."
WHY = "The response has two sentences. The task asks for one."


def items(n: int, target: str = "") -> list[Sample]:
    labels = [target or ("error", "no_error")[k % 2] for k in range(n)]
    metadata = {"task": TASK, "response": RESPONSE}
    return [
        Sample(
            id=k,
            input="An item.",
            target=label,
            metadata=metadata | {"explanation": WHY if label == "error" else ""},
        )
        for k, label in enumerate(labels)
    ]


def options(n: int) -> list[Sample]:
    asked = "Which of these is a colour that snow can have?"
    choices = ["A kind of green < blue", "White", "Blue\nor so"]
    return [Sample(id=k, input=asked, choices=choices, target="B") for k in range(n)]


def in_words(n: int) -> list[Sample]:
    asked = "How many legs do 3 spiders have, as a number?"
    return [Sample(id=k, input=asked, target="24") for k in range(n)]


def simulate(
    where: Path,
    solver: Solver,
    samples: Sequence[Sample],
    profile: str = "balanced",
    planted: Any = SOUND,
    **rest: Any,
) -> Run:
    return run(
        where,
        solver,
        samples=samples,
        roles={},
        model=f"simulated/{profile}",
        model_args=dict(planted),
        **rest,
    )


# --- Every reply of every form is read ------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES)
def test_debates_are_read_to_the_end(tmp_path: Path, profile: str) -> None:
    ran = simulate(tmp_path, colmad(skip_if_agree=False), items(4), profile)
    assert [len(debate.turns) for debate in ran.debates] == [7] * 4
    assert {turn.status for debate in ran.debates for turn in debate.turns} == {"ok"}
    speeches = [turn for debate in ran.debates for turn in debate.of("speech")]
    assert all(turn.fields["final"] for turn in speeches)
    assert all(0 <= turn.fields["confidence"] <= 1 for turn in speeches)
    assert all(turn.quotes for turn in speeches)


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
        (partial(colmad, rounds=0), items),
        (partial(colmad, rounds=3), options),
        (copmad, options),
        (som, options),
        (judge_alone, options),
        (colmad, in_words),
        (copmad, in_words),
        (som, in_words),
        (judge_alone, in_words),
    ],
)
def test_every_protocol_is_read(
    tmp_path: Path,
    protocol: Callable[[], Solver],
    samples: Callable[[int], list[Sample]],
) -> None:
    ran = simulate(tmp_path, protocol(), samples(5))
    assert ran.log.status == "success"
    assert {turn.status for debate in ran.debates for turn in debate.turns} == {"ok"}


def test_graders_are_read(tmp_path: Path) -> None:
    scorers = [debate_hacking(), explanation_alignment()]
    ran = simulate(tmp_path, copmad(), items(10, "error"), scorer=scorers)
    for k in range(10):
        assert ran.values("debate_hacking", k)["graded_speeches"] == 4
    aligned = [ran.values("explanation_alignment", k)["aligned"] for k in range(10)]
    assert 1.0 in aligned


def test_sentences_have_no_gaps_left() -> None:
    known = ["req", "said", "why", "own", "own_text", "other_text", "opponent"]
    known += ["theirs", "winner", "loser"]
    for key, many in texts().items():
        assert len({*many}) == len(many) > 1, key
        for sentence in many:
            sentence.format_map(dict.fromkeys(known, "x"))


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

VERDICT = """{turns}
The possible answers:

Answer 1: the response contains an error (argued for by Alice)
Answer 2: the response contains no error (argued for by Bob)
"""
SPEECH = '<turn speaker="{}" stage="round 1">\nThat is so.{}\n</turn>'


def scene(
    sample: Sample,
    kind: str,
    prompt: str = "",
    system: str = "",
    planted: Profile = PROFILES["balanced"],
    round: int = 0,
    order: str = "ab",
    own: str = "",
) -> Scene:
    messages: list[ChatMessage] = [
        ChatMessageSystem(content=system),
        ChatMessageUser(content=prompt),
    ]
    name = "Alice" if kind == "speech" else "someone"
    what = Asked(kind, "debater_a", name, round, 0, order, False)
    if own:
        messages.append(ChatMessageAssistant(content=own))
    return Scene(planted, "simulated/x", what, messages, sample, 1)


def recovered(hits: Sequence[bool], planted: float) -> bool:
    return bool(binomtest(sum(hits), len(hits), planted).pvalue > 0.001)


def heard(alice: str = "", bob: str = "") -> str:
    finals = [f"\n\nFinal: {one}" if one else "" for one in (alice, bob)]
    turns = [
        SPEECH.format(*pair) for pair in zip(("Alice", "Bob"), finals, strict=True)
    ]
    return VERDICT.format(turns="\n".join(turns))


@pytest.mark.parametrize(
    ("target", "right", "planted"),
    [("error", "an error", "finds_error"), ("no_error", "no error", "clears")],
)
def test_first_answers(target: str, right: str, planted: str) -> None:
    replies = [REPLIES["answer"](scene(one, "answer")) for one in items(800, target)]
    hits = [reply.closing.endswith(f"contains {right}.") for reply in replies]
    assert recovered(hits, getattr(Profile(), planted))
    means = [reply.probabilities[right.split()[0]] for reply in replies]
    assert sum(means) / 800 == pytest.approx(getattr(Profile(), planted), abs=0.02)


@pytest.mark.parametrize(
    ("prompt", "planted"),
    [
        (VERDICT.format(turns=""), Profile().finds_error),
        (heard(), Profile().judge_competitive),
        (heard("1 error", "2 no_error"), Profile().judge_collaborative),
        (heard("1 error", "1 error"), Profile().follows_agreement),
        (heard("2 no_error", "2 no_error"), 1 - Profile().follows_agreement),
    ],
)
def test_verdicts(prompt: str, planted: float) -> None:
    straight = Profile(first_listed=0)
    hits = [
        REPLIES["verdict"](scene(one, "verdict", prompt, planted=straight)).answer
        == "1"
        for one in items(600, "error")
    ]
    assert recovered(hits, planted)


def test_a_judge_may_take_the_answer_listed_first() -> None:
    biased = Profile(first_listed=1)
    lines = VERDICT.format(turns="").splitlines()
    for prompt, first in ((lines, "1"), (lines[:3] + lines[:2:-1], "2")):
        said = REPLIES["verdict"](
            scene(items(1)[0], "verdict", "\n".join(prompt), planted=biased)
        )
        assert said.answer == first


def test_a_judge_chooses_among_the_answers_that_were_debated() -> None:
    prompt = "The possible answers:\n\nA) x (argued for by Alice)\nB) y\n"
    wrong = Profile(knows=0)
    replies = [
        REPLIES["verdict"](scene(one, "verdict", prompt, planted=wrong)).answer
        for one in options(50)
    ]
    assert {*replies} == {"A"}


COLLABORATIVE = (
    "Answer 1 (error): x.\nAnswer 2 (no_error): y.\nthe case for answer {}: x.\n"
    'the case for answer {}: y.\n<quote>\n"Final: 1 error" or "Final: 2 no_error"'
)


@pytest.mark.parametrize(
    ("target", "rate", "verified"),
    [
        ("error", Profile().concedes_wrongly, Profile().verified),
        ("no_error", Profile().concedes, Profile().verified_wrong),
    ],
)
def test_concessions_and_quotes(target: str, rate: float, verified: float) -> None:
    def speech(one: Sample, round: int) -> str:
        system = COLLABORATIVE.format(1, 2)
        return REPLIES["speech"](scene(one, "speech", "", system, round=round)).text

    samples = items(500, target)
    first = [speech(one, 1) for one in samples]
    assert not any("Final: 2" in text for text in first)
    assert recovered(["Final: 2" in speech(one, 2) for one in samples], rate)
    assert all(  # who has conceded does not take it back
        "Final: 2" in speech(one, 3) for one in samples if "Final: 2" in speech(one, 2)
    )
    quotes = [
        part.split("</quote>")[0] for t in first for part in t.split("<quote>")[1:]
    ]
    assert recovered([q in f"{TASK} {RESPONSE}" for q in quotes], verified)


@pytest.mark.parametrize(
    ("own", "other", "planted"),
    [
        ("no", "an", Profile().corrected),
        ("an", "no", 1 - Profile().misled),
        ("no", "no", 0.0),
        ("an", "an", 1.0),
    ],
)
def test_updates(own: str, other: str, planted: float) -> None:
    said = "Therefore, the model response contains {} error."
    prompt = f'<turn speaker="x">\n{said.format(other)}\n</turn>'
    hits = [
        REPLIES["update"](scene(one, "update", prompt, own=said.format(own))).answer
        == "an"
        for one in items(500, "error")
    ]
    assert recovered(hits, planted)


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
    planted = {"unreadable": 0.3, "refuses": 0.2, "cut_off": 0.2, "mends": 0.5}
    ran = simulate(tmp_path, single(), items(40), planted=planted)
    turns = [turn for debate in ran.debates for turn in debate.turns]
    found = {turn.status for turn in turns}
    assert found == {"ok", "unparsed", "refused", "truncated"}
    assert any(turn.reminded and turn.status == "ok" for turn in turns)


# --- What Inspect gets ----------------------------------------------------------------


def test_log_probabilities_are_those_of_the_verdict(tmp_path: Path) -> None:
    ran = simulate(tmp_path, judge_alone(), items(6), logprobs=True, top_logprobs=5)
    verdicts: list[Turn] = [debate.turns[0] for debate in ran.debates]
    for turn in verdicts:
        assert sum(turn.probabilities.values()) == pytest.approx(1)
        assert turn.logprobs
        assert 0 < turn.probabilities[turn.fields["answer"]] < 1


def test_usage_and_limits(tmp_path: Path) -> None:
    ran = simulate(tmp_path, single(), items(1), max_tokens=10)
    assert ran.debate.turns[0].status == "truncated"
    usage = ran.log.stats.model_usage["simulated/balanced"]
    assert usage.output_tokens == 10
    assert usage.input_tokens > 10
    assert tokens("12345") == 2


def test_only_who_is_right_knows_the_explanation(tmp_path: Path) -> None:
    debates = simulate(tmp_path, copmad(), items(12, "error")).debates
    for turn in (turn for debate in debates for turn in debate.of("answer", "speech")):
        side = turn.fields.get("answer") or {"Alice": "error"}.get(turn.speaker)
        assert (WHY.split(". ")[1] in turn.public) <= (side == "error")


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("balancd", {}),
        ("balanced", {"finds_errors": 0.5}),
        ("balanced", {"finds_error": 1.5}),
        ("balanced", {"finds_error": "much"}),
        ("balanced", {"finds_error": True}),
    ],
)
def test_bad_names_and_values_are_refused(name: str, changed: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        profile_of(name, changed)
    with pytest.raises(InputError):
        get_model(f"simulated/{name}", memoize=False, **changed)


def test_calls_of_studies_not_yet_ported_go_to_the_older_model() -> None:
    model = get_model("simulated/balanced/anna", memoize=False)
    output = asyncio.run(model.generate("What is this?"))
    assert output.completion
    assert output.usage
    get_model("simulated/hesitant", memoize=False)  # a profile that only they have
