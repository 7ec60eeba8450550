"""SR-DCR: what is asked and who reads what, confidence, and what decides."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from math import log
from pathlib import Path
from typing import Any

import anyio
import pytest
from inspect_ai.dataset import Sample
from inspect_ai.model import Logprob, Logprobs, ModelOutput, get_model
from inspect_ai.model._cache import cache_clear

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import Debate, Status, Turn
from inspect_debate.solvers.srdcr import (
    CRITIC,
    DEFENDER,
    RULES,
    confidence,
    decide,
    last_verdict,
    read_answer,
    read_verdict,
    srdcr,
)
from inspect_debate.solvers.srdcr_baselines import few_shot
from tests.support import Answer, Call, Run, Script, reply
from tests.support import run as run_anywhere

PASSAGE = "London is the capital, says the passage."
EXEMPLARS = [{"question": f"Shown {n}?", "answer": f"Shown <{n}>"} for n in range(4)]
VERDICTS = {"R": "Verdict: REASONABLE", "U": "Verdict: UNREASONABLE", "?": "Maybe."}


def questions(n: int = 1, **metadata: Any) -> list[Sample]:
    """Questions that are answered with Paris, and with London by the passage."""
    known = {"passage": PASSAGE, "passage_answer": "London", "exemplars": EXEMPLARS}
    known |= {"question": "What is the capital?", "condition": "perturbed"}
    return [
        Sample(id=f"q{k}", input="?", target="GOLD", metadata=known | metadata)
        for k in range(n)
    ]


def run(where: Path, solver: Any, answer: Answer | Script, **rest: Any) -> Run:
    return run_anywhere(where, solver, answer, **{"samples": questions(), **rest})


def with_tokens(answer: str, *probabilities: float) -> ModelOutput:
    """An answer in as many tokens as there are probabilities."""
    size = -(-len(answer) // len(probabilities))
    parts = [answer[k : k + size] for k in range(0, len(answer), size)]
    output = reply(f"Answer: {answer}")
    own = zip(parts, map(log, probabilities), strict=True)
    tokens = [Logprob(token=text, logprob=p) for text, p in [("Answer: ", -3.0), *own]]
    output.choices[0].logprobs = Logprobs(content=tokens)
    return output


def model(
    prior: str = "Paris",
    contextual: str = "London",
    verdicts: str = "R",
    sure: Sequence[float] = (),
    contextual_sure: Sequence[float] = (),
    draws: str = "",
) -> Answer:
    """A model with given answers, probabilities of their tokens, and verdicts.

    Of its further answers the first are `draws`: "=" the same, "x" another, "?" none.
    """

    def answer(call: Call) -> str | ModelOutput:
        what = call.what
        own, p = (prior, sure) if what.role == CRITIC else (contextual, contextual_sure)
        if what.kind == "speech":
            return f"{what.name} in round {what.round}."
        if what.kind == "verdict":
            return VERDICTS[verdicts[min(what.round, len(verdicts) - 1)]]
        if what.kind != "answer":
            drawn = draws[what.draw - 1 : what.draw] or "="
            return {"=": f"Answer: {own}", "x": "Answer: Rome", "?": "?"}[drawn]
        return with_tokens(own, *p) if p and call.config.logprobs else f"Answer: {own}"

    return answer


# --- Five records, worked out by hand -------------------------------------------------

C, P, A = "contextual", "prior", "abstain"
# The prior answer's tokens have 0.9 and 0.4, whose geometric mean is 0.6, or 0.96 and
# 0.9375: 0.948...; the contextual answer's 0.8.
UNSURE, SURE = (0.9, 0.4), (0.96, 0.9375)


@pytest.mark.parametrize(
    ("answers", "sure", "verdicts", "outcomes"),
    [
        # srdcr, acvd_only, confidence_only, few_shot, prior, token_prob
        pytest.param({}, UNSURE, "UUR", (C, C, C, C, P, C), id="reasonable"),
        pytest.param({}, SURE, "RUU", (P, P, P, C, P, P), id="unreasonable and sure"),
        pytest.param({}, UNSURE, "RUU", (A, P, C, C, P, C), id="unsure"),
        pytest.param({}, SURE, "RU?", (None, None, P, C, P, P), id="unreadable"),
        pytest.param(
            {"prior": "the London"}, UNSURE, "U", (C, C, C, C, P, C), id="equal"
        ),
    ],
)
def test_what_rules_make_of_records(
    tmp_path: Path, answers: Any, sure: Any, verdicts: str, outcomes: tuple[Any, ...]
) -> None:
    script = model(**answers, sure=sure, contextual_sure=(0.8,), verdicts=verdicts)
    done = run(tmp_path, srdcr(rounds=3), script)
    debate = done.debate
    found = [decide(debate, rule=rule) for rule in RULES]
    assert tuple(outcome.answer for outcome in found) == outcomes
    assert [bool(one.reason) for one in found[2:]] == [False] * 4
    assert (debate.answer, debate.complete) == (outcomes[0], True)
    assert bool(debate.skip_reason) == (outcomes[0] is None or bool(answers))
    assert confidence(debate).value == pytest.approx((sure[0] * sure[1]) ** 0.5)
    assert done.samples[0].output.completion == {
        **{C: "London", P: "Paris", A: "ABSTAIN", None: ""},
    }[outcomes[0]]  # fmt: skip
    kinds = ["answer"] * 2
    if not answers:
        kinds += ["speech", "speech", "verdict"] * 3
    assert [turn.kind for turn in debate.turns] == kinds


# --- Rules on records -----------------------------------------------------------------


def made(kind: str, role: str, round: int = 0, **fields: str | None) -> Turn:
    """A turn that was read if it has fields other than None."""
    read = {name: one for name, one in fields.items() if one}
    status: Status = "ok" if read else "unparsed"
    turn = Turn(speaker=role, role=role, kind=kind, round=round, status=status)
    return turn.model_copy(update={"fields": read})


def record(*turns: Turn, source: str = "auto", **answers: Any) -> Debate:
    """A record with two answers, of which more may be said by role."""
    own = [
        made("answer", role, answer=text).model_copy(update=answers.get(role, {}))
        for role, text in ((DEFENDER, "London"), (CRITIC, "Paris"))
    ]
    return Debate(
        parameters={"confidence_from": source},
        turns=[*own, *turns],
    )


def drawn(draws: str, role: str = CRITIC, own: str = "Paris") -> list[Turn]:
    texts = {"=": f"the {own}", "x": "Rome"}
    return [made("sample", role, answer=texts.get(one)) for one in draws]


def judged(*rounds: str) -> list[Turn]:
    """Speeches, and the verdicts of one judge or several in each round."""
    names = {"R": "reasonable", "U": "unreasonable"}
    return [
        turn
        for n, votes in enumerate(rounds)
        for turn in (
            made("speech", DEFENDER, n),
            *(made("verdict", "judge", n, verdict=names.get(vote)) for vote in votes),
        )
    ]


@pytest.mark.parametrize(
    ("verdict", "p", "answer"),
    [
        ("R", 0.9, C), ("R", None, C), ("U", 0.9, P), ("U", 0.8999, A), ("U", 1.0, P),
        ("U", None, None), ("?", 0.99, None),
    ],
)  # fmt: skip
def test_the_gate(verdict: str, p: float | None, answer: str | None) -> None:
    """A missing confidence leaves it open; equality with tau passes."""
    own = {"logprobs": [] if p is None else [log(p)]}
    debate = record(*judged(verdict), debater_b=own, source="logprobs")
    found = decide(debate)
    assert (found.answer, bool(found.reason)) == (answer, answer is None)


@pytest.mark.parametrize(
    ("rounds", "last"),
    [
        (["R", "U"], "unreasonable"),
        (["R", "U", "?"], None),  # it does not fall back
        (["RUR"], "reasonable"),
        (["RU"], None),
        (["RU?"], None),
        (["UU?"], "unreasonable"),
        (["R", "UUR"], "unreasonable"),
        ([], None),
    ],
)
def test_the_last_verdict(rounds: list[str], last: str | None) -> None:
    assert last_verdict(record(*judged(*rounds))) == last


@pytest.mark.parametrize(("votes", "answer"), [("RU", None), ("RUU", "prior")])
def test_a_panel(tmp_path: Path, votes: str, answer: str | None) -> None:
    def script(call: Call) -> str | ModelOutput:
        name, number = call.what.kind, call.what.name[-1]
        return VERDICTS[votes[int(number) - 1]] if name == "verdict" else own(call)

    own = model(sure=(0.95,))
    roles = {role: Script(script).model() for role in (DEFENDER, CRITIC)}
    panel = [Script(script).model() for _ in votes]
    done = run(tmp_path, srdcr(rounds=2), script, roles={**roles, "judge": panel})
    assert len(done.debate.of("verdict")) == 2 * len(votes)
    assert done.debate.answer == answer


@pytest.mark.parametrize(
    ("draws", "share"),
    [
        ("=" * 16, 1.0),
        ("=" * 12 + "xxxx", 0.75),
        ("==xx????", 0.5),  # half were read
        ("=xx?????", None),
        ("=" * 8 + "?" * 8, 1.0),
        ("=" * 7 + "?" * 9, None),
        ("", None),
    ],
)
def test_the_share_of_further_answers(draws: str, share: float | None) -> None:
    debate = record(*drawn(draws), source="self_consistency")
    assert confidence(debate).value == share
    unread = record(*drawn("=="))
    unread.turns[1].fields, unread.turns[1].status = {}, "missing"
    assert confidence(unread).value is None


@pytest.mark.parametrize(
    ("prior", "contextual", "draws", "answer"),
    [
        (0.95, 0.9, "", P),
        (0.9, 0.95, "", C),
        (0.9, 0.9, "", C),  # equal
        (0.95, None, "", None),
        (0.6, None, "====", P),  # 1 against 1/2, not 0.6
        (None, None, "====", P),
        (None, 0.99, "x===", P),
        (None, 0.99, "xxx=", C),
    ],
)
def test_token_probability_is_on_one_scale(
    prior: float | None, contextual: float | None, draws: str, answer: str | None
) -> None:
    tokens: dict[str, Any] = {
        role: {"logprobs": [] if p is None else [log(p)]}
        for role, p in ((CRITIC, prior), (DEFENDER, contextual))
    }
    own = drawn(draws) + (drawn("=x", DEFENDER, "London") if draws else [])
    assert decide(record(*own, **tokens), rule="token_prob").answer == answer


@pytest.mark.parametrize("unread", [DEFENDER, CRITIC])
def test_rules_without_an_answer_that_they_need(unread: str) -> None:
    more: dict[str, Any] = {unread: {"logprobs": [0.0]}}
    debate = record(*judged("R"), **more)
    turn = next(t for t in debate.turns if t.role == unread)
    turn.status, turn.fields = "refused", {}
    found = {rule for rule in RULES if decide(debate, rule=rule).answer}
    assert found == ({"prior"} if unread == DEFENDER else {"few_shot"})


# --- What is asked, and when ----------------------------------------------------------


async def until(event: anyio.Event) -> None:
    with anyio.fail_after(20):
        await event.wait()


@pytest.mark.parametrize("turn_order", ["sequential", "simultaneous"])
def test_order(tmp_path: Path, turn_order: Any) -> None:
    """Verdicts and further answers, held up here to the end, hold up nothing."""
    script = Script(model())
    over, arrived = anyio.Event(), Counter[int]()
    both: dict[int, anyio.Event] = {}

    async def held(messages: Any, tools: Any, choice: Any, config: Any) -> Any:
        output = script(messages, tools, choice, config)
        what = script.calls[-1].what
        if what.kind in ("verdict", "sample", "recall"):
            await until(over)
        elif what.kind == "speech":
            arrived[what.round] += 1
            event = both.setdefault(what.round, anyio.Event())
            if arrived[what.round] == 2:
                event.set()
            if what.round == 0 or turn_order == "simultaneous":
                await until(event)
            if what.round == 2 and what.name == "Defender":
                over.set()
        return output

    solver = srdcr(
        rounds=3, turn_order=turn_order, consistency_samples=2, recall_samples=1,
        confidence_from="self_consistency",
    )  # fmt: skip
    bound = get_model("mockllm/model", memoize=False, custom_outputs=held)
    roles = dict.fromkeys((DEFENDER, CRITIC, "judge"), bound)
    done = run(tmp_path, solver, script, roles=roles)
    assert done.log.status == "success"
    assert [(t.kind, t.round) for t in done.debate.turns] == [
        *[("answer", 0)] * 2, *[("sample", 0)] * 2, ("recall", 0),
        *((kind, n) for n in range(3) for kind in ("speech", "speech", "verdict")),
    ]  # fmt: skip
    spoken = [(c.what.name, c.what.round) for c in done.calls if c.what[0] == "speech"]
    if turn_order == "sequential":
        assert spoken[2:] == [
            (name, n) for n in (1, 2) for name in ("Critic", "Defender")
        ]
    seen = [c.text.count('round="1"') for c in done.calls if c.what.round == 1]
    sequential = turn_order == "sequential"
    assert sorted(seen) == ([0, 1, 2] if sequential else [0, 0, 2])


@pytest.mark.parametrize(
    ("parameters", "tokens", "prior", "draws"),
    [
        ({}, True, "Paris", {}),
        ({}, False, "Paris", {CRITIC: 3}),
        ({}, False, "?", {}),  # nothing is drawn for an answer that was not read
        ({"confidence_from": "logprobs"}, False, "Paris", {}),
        ({"confidence_from": "both"}, True, "Paris", {CRITIC: 3}),
        ({"confidence_from": "self_consistency"}, True, "Paris", {CRITIC: 3}),
    ],
)
def test_further_answers(
    tmp_path: Path, parameters: Any, tokens: bool, prior: str, draws: dict[str, int]
) -> None:
    p = (0.5,) if tokens else ()
    script = model(prior=prior, sure=p, contextual_sure=p)
    solver = srdcr(rounds=1, consistency_samples=3, **parameters)
    done = run(tmp_path, solver, script)
    assert Counter(turn.role for turn in done.debate.of("sample")) == draws
    asked = {c.config.logprobs for c in done.calls if c.what.kind == "answer"}
    own = parameters.get("confidence_from") != "self_consistency"
    assert asked == {True if own else None}
    others = [c.config.logprobs for c in done.calls if c.what.kind != "answer"]
    assert not any(others)


@pytest.mark.parametrize(
    ("prior", "sure", "draws"),
    [
        ("Paris", (0.5,), {DEFENDER: 3, CRITIC: 3}),  # to be on one scale
        ("?", (), {DEFENDER: 3}),
    ],
)
def test_where_one_answer_lacks_tokens(
    tmp_path: Path, prior: str, sure: Any, draws: dict[str, int]
) -> None:
    script = model(prior=prior, sure=sure, draws="=xx")
    done = run(tmp_path, few_shot(consistency_samples=3), script)
    assert Counter(t.role for t in done.debate.of("sample")) == draws
    assert done.debate.answer == C


@pytest.mark.parametrize(("agreed", "skip"), [(True, False), (False, True)])
def test_debates_without_a_short_cut(tmp_path: Path, agreed: bool, skip: bool) -> None:
    script = model(prior="The  london" if agreed else "Paris", sure=(0.1,))
    done = run(tmp_path, srdcr(rounds=2, skip_if_agree=skip), script)
    assert len(done.debate.of("speech")) == 4


# --- Settings -------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["nowhere", "run", "role"])
def test_settings_and_draws(tmp_path: Path, where: str) -> None:
    script = Script(model())
    own = {"temperature": 0.0, "seed": 5} if where == "role" else {}
    roles = {role: script.model(**own) for role in (DEFENDER, CRITIC, "judge")}
    of_run = {"temperature": 0.0, "seed": 5} if where == "run" else {}
    solver = srdcr(rounds=1, recall_samples=32)
    done = run(tmp_path, solver, script, roles=roles, **of_run)
    kinds = Counter(call.what.kind for call in done.calls)
    assert kinds == dict(answer=2, sample=16, recall=32, speech=2, verdict=1)
    for call in done.calls:
        draw = call.what.kind in ("sample", "recall")
        assert call.config.temperature == (0.5 if draw else 0.0)
        assert call.config.max_tokens == 1024
        assert (call.what.draw > 0) == draw
    seeds = [c.config.seed for c in done.calls if c.what.role == CRITIC and c.what.draw]
    assert len({*seeds}) == (1 if where == "nowhere" else 48)


def test_draws_are_cached_apart(tmp_path: Path) -> None:
    script = Script(model())
    solver = partial(
        srdcr, rounds=1, consistency_samples=3, recall_samples=2, skip_if_agree=False
    )
    cache_clear()
    for n in range(2):
        run(tmp_path / str(n), solver(), script, cache=True)
        assert len(script.calls) == 2 + 3 + 2 + 2 + 1


def test_questions_without_a_passage_are_refused(tmp_path: Path) -> None:
    done = run(tmp_path, srdcr(), model(), samples=questions(passage=" "))
    assert done.log.error
    assert "passage" in done.log.error.message
    assert done.calls == []


@pytest.mark.parametrize(
    "parameters",
    [{"rounds": 0}, {"tau": 1.5}, {"confidence_from": "tokens"}, {"round": 3}],
)
def test_parameters_that_are_not_allowed(parameters: Any) -> None:
    with pytest.raises(InputError):
        srdcr(**parameters)


# --- Who reads what -------------------------------------------------------------------


def secretive(call: Call) -> str | ModelOutput:
    """A model that thinks in private, and defends itself in the open."""
    what = call.what
    said = model(verdicts="U")(call)
    assert isinstance(said, str)
    reasons = "" if what.kind in ("answer", "sample", "recall") else "REASONS "
    return f"<think>PRIVATE {what.name}</think>{reasons}{said}"


@pytest.mark.parametrize("critic", [False, True])
@pytest.mark.parametrize("judge", [False, True])
def test_sight(tmp_path: Path, critic: bool, judge: bool) -> None:
    solver = srdcr(
        rounds=3, critic_sees_context=critic, judge_sees_context=judge,
        consistency_samples=2, recall_samples=2,
    )  # fmt: skip
    done = run(tmp_path, solver, secretive)
    for call in done.calls:
        what, text = call.what, call.text
        assert "PRIVATE" not in text
        assert "GOLD" not in text
        assert "What is the capital?" in text
        passage = {
            "speech": what.name == "Defender" or critic, "verdict": judge,
        }.get(what.kind, what.name == "Defender" and what.kind == "answer")  # fmt: skip
        assert (PASSAGE in text) == passage
        assert (text.count("Shown <") == 4) == (what.kind not in ("speech", "verdict"))
        answers = [f"<answer>{own}</answer>" in text for own in ("London", "Paris")]
        defends = what.name == "Defender"
        of_kind = {"speech": [defends, not defends], "verdict": [True, True]}
        assert answers == of_kind.get(what.kind, [False, False])
        if what.kind == "verdict":
            assert text.count("in round") == 2 * (what.round + 1)
            assert "REASONS Maybe" not in text
            assert (
                "Verdict: UNREASONABLE"
                not in text.split("<transcript>")[1].split("</transcript>")[0]
            )  # of earlier rounds


@pytest.mark.parametrize("shots", [0, 4])
def test_examples_before_the_two_answers(tmp_path: Path, shots: int) -> None:
    samples = questions(exemplars=EXEMPLARS[:shots])
    done = run(tmp_path, few_shot(), model(sure=(1,), contextual_sure=(1,)),
               samples=samples)  # fmt: skip
    for call in done.calls:
        assert call.text.count("<example>") == shots
        assert call.text.index("What is the capital?") > call.text.rfind("Shown")
        assert call.text.count("\nQuestion:") == shots + 1


# --- Replies --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("It holds.\nVerdict: REASONABLE", "reasonable"),
        ("Verdict: REASONABLE\nNo.\n**Verdict:** Unreasonable.", "unreasonable"),
        ("Verdict: REASONABLE because the doubts are unreasonable", "reasonable"),
        ("Verdict: **UNREASONABLE** - the date is off", "unreasonable"),
        ("Verdict: REASONABLE. It fits what is known.", "reasonable"),
        ("Verdict:\n**UNREASONABLE**\nIt is off.", "unreasonable"),
        ("REASONABLE", "reasonable"),
        ("Verdict: REASONABLE to doubt the passage", None),
        ("Verdict: REASONABLE doubt remains", None),
        ("It is reasonable to rely on it.", None),
        ("verdict: not reasonable", None),
        ("Verdict: it is reasonable to doubt the passage", None),
        ("Verdict: REASONABLE or UNREASONABLE", None),
        # Of Qwen2.5-Coder-1.5B.
        ("Reasons: at most three sentences\nVerdict: REASONABLE or UNREASONABLE", None),
        ("Therefore, it is reasonable to rely on the passage for the answer.", None),
        (
            "Reasons: It is not said, which is reasonable. Verdict: REASONABLE",
            "reasonable",
        ),
        ("Verdict: unclear", None),
        ("Reasonable people disagree.", None),
    ],
)
def test_verdicts(said: str, verdict: str | None) -> None:
    read = read_verdict(said)
    assert (read.fields["verdict"], read.ok) == (verdict, verdict is not None)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("Answer: Paris", "Paris"),
        ("Answer: Rome\nNo.\nAnswer: 2 mg.", "2 mg"),
        ("Answer: <answer>", None),
        ("Which city is meant?", None),
        ("Answer: " + "so " * 150, None),
        ("Answer: I don't know.", None),
        ("Answer: unknown", None),
    ],
)
def test_answers(said: str, answer: str | None) -> None:
    read = read_answer(said)
    assert (read.fields["answer"], read.ok) == (answer, answer is not None)
    assert answer is None or read.public == answer
    assert answer is None or said[slice(*(read.place or (0, 0)))] == answer


def test_an_answer_is_asked_for_once_more_and_then_missing(tmp_path: Path) -> None:
    done = run(tmp_path, srdcr(), model(prior="I don't know", sure=(1,)))
    assert done.kinds() == ["answer", "answer", "answer?"]
    assert (done.debate.answer, done.debate.of("speech")) == (None, [])
    assert done.debate.turns[1].reminded
