"""Every form: what is written can be read, also where it goes wrong or attacks."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from random import Random
from statistics import mean
from typing import Any

import pytest

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.parsing import looks_refused
from inspect_debate.debate.quotes import verify_quotes
from inspect_debate.debate.record import Kind, Parsed, Status
from inspect_debate.debate.rendering import neutralise
from inspect_debate.grading.code import read_code
from inspect_debate.grading.grids import read_grids
from inspect_debate.reports.generative.specification import fault_of
from inspect_debate.scorers.bet_grading import LINES, BetGrade, read_bet_grade
from inspect_debate.scorers.bets import stated_probability
from inspect_debate.simulator import (
    confidence,
    generative,
    knowledge_conflict,
    policy,
    question_answering,
)
from inspect_debate.simulator.behaviour import Behaviour, UnreadableKind
from inspect_debate.simulator.confidence import Belief, reasoning_of
from inspect_debate.simulator.corruption import (
    LONG,
    REFUSALS,
    hostile,
    truncated,
    unreadable,
)
from inspect_debate.simulator.forms import FORMS, form_of, register_form
from inspect_debate.simulator.policy import Draws
from inspect_debate.simulator.profiles import PROFILES
from inspect_debate.simulator.simulated import play
from inspect_debate.simulator.texts import SENTENCES, Content, Form, write_reasoning
from inspect_debate.solvers.bet_records import SIDES
from inspect_debate.solvers.bet_text import read_bet, without_bets
from tests.simulator.asking import (
    DEVICES,
    api_for,
    ask,
    bet_turn,
    check_share,
    turn_for,
)
from tests.simulator.clash_asking import clash_turn, contextual_turn
from tests.simulator.every_form import (
    BEHAVIOUR,
    RULINGS,
    every_kind,
    fields_of,
    status_of,
    written,
)
from tests.simulator.generative_asking import (
    ENTRY_POINT,
    generative_turn,
    in_code,
    known,
    known_code,
    review_turn,
)

EVERY = [turn for n in range(6) for turn in every_kind(n)]
BY_FORM = {form: [turn for turn in EVERY if turn.format == form] for form in FORMS}

# --- what is written is what is read ------------------------------------------------


def test_every_form_is_asked_for() -> None:
    assert all(BY_FORM.values())


def _reasonable(draws: Draws) -> dict[str, Any]:
    relies = knowledge_conflict.reasonable(draws)
    return {"answer": "reasonable" if relies else "unreasonable"}


def _picked(draws: Draws) -> dict[str, Any]:
    picked = draws.description.choices.index(knowledge_conflict.picked(draws))
    return {"answer": str(picked + 1)}


def _sure(draws: Draws) -> dict[str, Any]:
    return {"probability": policy.judge_confidence(draws, right=True)}


def _stated(draws: Draws) -> dict[str, Any]:
    answer = policy.label(draws)
    right = answer == policy.right_answer(draws.description)
    return {"answer": answer, "probability": policy.judge_confidence(draws, right)}


def _ruled(draws: Draws) -> dict[str, Any]:
    return {
        f"{what} {name}": value
        for name, ruling in generative.rulings(draws).items()
        for what, value in (
            ("verdict", "correct" if ruling.correct else "incorrect"),
            ("confidence", ruling.confidence),
        )
    }


IDS = {"Alice": "debater_a", "Bob": "debater_b"}


def _addressed(draws: Draws) -> str:
    to = question_answering.judge_question(draws, "").fields["to"]
    return IDS.get(to, to)


def _ready(draws: Draws) -> str:
    return question_answering.ready(draws, "").fields["ready"]


DECIDED: dict[str, Callable[[Draws], dict[str, Any]]] = {
    "label_sentence": lambda d: {"answer": policy.label(d)},
    "answer_line": lambda d: {"answer": policy.label(d)},
    "verdict": lambda d: {"answer": policy.label(d)},
    "verdict_first": lambda d: {"answer": policy.label(d)},
    "verdict_stated": lambda d: _stated(d),
    "verdict_first_stated": lambda d: _stated(d),
    "belief": lambda d: _stated(d),
    "speech": lambda d: {
        "argument": "",
        "final": policy.final(d, d.description.round),
        "confidence": policy.confidence(
            d,
            policy.final(d, d.description.round) == policy.right_answer(d.description),
        ),
    },
    "argument": lambda d: {"argument": ""},
    "challenge": lambda d: {
        "decision": "challenge"
        if policy.final(d, d.description.round) == d.description.defends
        else "accept"
    },
    "judge_question": lambda d: {"to": _addressed(d)},
    "judge_question_ready": lambda d: (
        {"to": "nobody", "ready": "yes"}
        if _ready(d) == "yes"
        else {"to": _addressed(d), "ready": "no"}
    ),
    "ready": lambda d: {"ready": _ready(d)},
    "hacking": lambda d: {
        name: "01"[found]
        for name, found in zip(DEVICES, policy.hacking(d).values(), strict=True)
        if not found
    },
    "alignment": lambda d: {"aligned": str(int(policy.aligned(d)))},
    "bet": lambda d: confidence.amounts(d),
    "bet_speech": lambda d: {**confidence.amounts(d), "speech": ""},
    "plain_speech": lambda d: {"speech": ""},
    "jury": lambda d: {
        "answer": confidence.vote(d),
        "confidence": confidence.jury_confidence(d),
    },
    "short_answer": lambda d: {"answer": knowledge_conflict.stated_answer(d).answer},
    "self_ask": lambda d: {"answer": knowledge_conflict.stated_answer(d).answer},
    "critique": lambda d: {"answer": ""},
    "free_speech": lambda d: {"answer": ""},
    "reasonable": lambda d: _reasonable(d),
    "pick": lambda d: _picked(d),
    "reasonable_stated": lambda d: _reasonable(d) | _sure(d),
    "reasonable_first": lambda d: _reasonable(d),
    "reasonable_first_stated": lambda d: _reasonable(d) | _sure(d),
    "pick_stated": lambda d: _picked(d) | _sure(d),
    "solution": lambda d: {"answer": generative.solution(d)},
    "case": lambda d: {"speech": ""},
    "review": lambda d: {"stance": generative.stance(d)},
    **dict.fromkeys(RULINGS, _ruled),
}


@pytest.mark.parametrize("form", DECIDED)
@pytest.mark.parametrize("words", [1, 160, 1000])
def test_what_was_decided_is_read(form: str, words: int) -> None:
    behaviour = Behaviour(words=words)
    for turn in BY_FORM[form]:
        if form.endswith("speech") and words == 1 and turn.kind != "grade":
            continue  # too short to be a speech
        draft = written(turn, behaviour)[2]
        read = fields_of(turn, draft.text)
        decided = DECIDED[form](Draws(behaviour, turn))
        assert {n: read[n].value for n in decided} == decided, draft.text
        assert {field.status for field in read.values()} == {Status.OK}
        assert "{" not in draft.body
        assert "\n\n\n" not in draft.body


@pytest.mark.slow
@pytest.mark.parametrize(
    "profile", sorted({*PROFILES} - {"malformed", "refusing", "truncating"})
)
def test_every_profile_reads_back_as_drawn(profile: str) -> None:
    api = api_for(profile)
    turns = [turn for n in range(4) for turn in every_kind(n)]
    for turn, output in zip(turns, ask(api, *turns), strict=True):
        assert output.stop_reason == "stop"
        found = fields_of(turn, output.completion)
        assert status_of(turn, output.completion) == Status.OK
        if turn.format in DECIDED:
            decided = DECIDED[turn.format](Draws(api.behaviour, turn))
            assert {n: found[n].value for n in decided} == decided, turn


def test_order_of_calls_does_not_matter() -> None:
    values: dict[str, Any] = {
        **{"unreadable_rate": 0.3, "refused_rate": 0.1, "truncated_rate": 0.1},
        **{"hostile_rate": 0.3, "quote_duplicate_rate": 0.3, "reasoning_words": 20},
    }

    def texts(asked: Sequence[TurnDescription]) -> dict[str, str]:
        outputs = ask(api_for(**values), *asked)
        return {
            turn.model_dump_json(): o.message.model_dump_json(exclude={"id"})
            for turn, o in zip(asked, outputs, strict=True)
        }

    assert texts(EVERY) == texts(Random(1).sample(EVERY, len(EVERY)))


def test_what_graders_find_is_read() -> None:
    for form in ("hacking", "bet_alignment", "verdict_checks"):
        for turn in BY_FORM[form]:
            read = fields_of(turn, written(turn)[2].text)
            assert {field.status for field in read.values()} == {Status.OK}


WITHOUT = {
    "argument",
    "plain_speech",
    "critique",
    "free_speech",
    "case",
    "bet",
    "bet_speech",
}


@pytest.mark.parametrize("form", sorted(set(FORMS) - WITHOUT - {"free_answer"}))
def test_nothing_is_read_but_for_the_last_lines(form: str) -> None:
    for turn in BY_FORM[form]:
        draft = written(turn)[2]
        if draft.body and form != "short_answer":
            read = fields_of(turn, draft.body)
            assert Status.OK not in {field.status for field in read.values()}


@pytest.mark.parametrize(
    "form",
    [
        "speech",
        "argument",
        "plain_speech",
        "free_speech",
        "case",
        "review",
        "label_sentence",
    ],
)
@pytest.mark.parametrize("words", [120, 300, 600])
def test_mean_length(form: str, words: int) -> None:
    behaviour = Behaviour(words=words, quotes=2, doubted_tasks=0)
    share = FORMS[form].length
    kinds = [turn for turn in BY_FORM[form] if not turn.reask]
    drafts = [
        written(turn.model_copy(update={"seed": seed}), behaviour)[2]
        for turn in kinds[:5]
        for seed in range(40)
    ]
    lengths = [len(f"{draft.body} {draft.closing}".split()) for draft in drafts]
    assert mean(lengths) == pytest.approx(words * share, rel=0.06)


@pytest.mark.parametrize("form", ["label_sentence", "speech", "verdict", "free_speech"])
def test_texts_vary(form: str) -> None:
    turns = [BY_FORM[form][0].model_copy(update={"seed": n}) for n in range(100)]
    assert len({written(turn)[2].text for turn in turns}) > 90


def test_speeches_quote_and_say_what_they_defend() -> None:
    gives_up = Behaviour(concession=1, wrong_concession=1, quotes=2)
    for turn in BY_FORM["speech"]:
        if turn.defends is None:
            continue
        content, draft = written(turn, gives_up)[1:]
        assert "I give up answer" in draft.body
        for quote in content.quotes:
            assert f"<quote>{quote.text}</quote>" in draft.body


@pytest.mark.parametrize("words", [0, 1, 40, 500])
def test_reasoning_has_its_length(words: int) -> None:
    assert len(write_reasoning(words, Random(1)).split()) == words


# --- what is written around it -------------------------------------------------------

DECIDING = re.compile(
    r"\bbet|wager|confiden|%|chance of|\d|[{}]|error|reasonable", re.IGNORECASE
)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_sentences_decide_nothing(sentence: str) -> None:
    assert not DECIDING.search(sentence)
    assert without_bets(sentence) == sentence
    assert not looks_refused(sentence)
    assert fault_of(sentence) is None


def test_sides_speak_for_themselves() -> None:
    for turn in BY_FORM["bet_speech"] + BY_FORM["plain_speech"]:
        body = written(turn)[2].body
        against = turn.defends == "opposition"
        assert ("against the motion" in body) == against
        assert without_bets(body) == body


def test_bets_are_in_their_tags() -> None:
    for turn in BY_FORM["bet_speech"]:
        draft = written(turn)[2]
        read = read_bet(draft.text)
        assert (read.speech, read.reasoning) == (draft.body, draft.logic)


@pytest.mark.parametrize("above", [1, 0, -1])
def test_the_number_of_a_reasoning_is_read_where_it_is_told(above: int) -> None:
    flags = (True, False)
    for number, stated, strategic in product((0, 45, 100), flags, flags):
        belief = Belief(number, above, stated, strategic)
        for n in range(10):
            text = reasoning_of(belief, Random(n))
            assert stated_probability(text) == ((number, number) if stated else None)
            assert len(text) > 100  # or it would not be graded
            assert not looks_refused(text)
    unknown = Belief(None, -1, stated=False, strategic=True)
    assert "None" not in reasoning_of(unknown, Random(1))


def test_grades_of_bets_read_as_what_they_find() -> None:
    """Also by the scorer's reader, which leaves contradictions unread."""
    names = {1: "overbetting", 0: "aligned", -1: "underbetting"}
    found = set()
    mixed = Behaviour(overbetting_rate=0.4, underbetting_rate=0.4, strategic_rate=0.5)
    for bet, n in product(range(0, 101, 5), range(30)):
        turn = bet_turn("grade", n, bet=bet)
        draws = Draws(mixed, turn)
        belief = confidence.belief(draws, bet)
        text = FORMS["bet_alignment"].says(draws, "")
        read = read_bet_grade(FORMS["bet_alignment"].closed(text).text, bet).fields
        grade = BetGrade(side="opposition", round=1, bet=bet, fields=read)
        assert all(grade.label(name) for name in LINES)
        assert grade.label("assessment") == names[belief.above]
        assert grade.label("strategic") == ("yes" if belief.strategic else "no")
        if belief.stated and belief.confidence is not None:
            ranged = belief.above == 0 and "-" in text.fields["internal"]
            assert ranged or grade.gap == bet - belief.confidence
        found.add((belief.above, belief.stated))
    assert len(found) == 6


ANSWERS = (
    "Rome", "1969", "7", "2.5 mg", "10:30 p.m.", "J. R. R. Tolkien", "O'Neill Jr.",
    'The "Iron" Duke', "São Paulo", "1,200", "-40 °C", "Passage: one?",
    "12 to 15 tablets, or as many as are needed",
)  # fmt: skip


@pytest.mark.parametrize("answer", ANSWERS)
def test_answers_in_words_are_read_as_they_are(
    answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        knowledge_conflict,
        "stated_answer",
        lambda draws: knowledge_conflict.StatedAnswer(answer, 0.5),
    )
    texts = []
    for n in range(100):
        for form in ("short_answer", "self_ask"):
            turn = contextual_turn(n, format=form)
            text = written(turn)[2].text
            assert fields_of(turn, text)["answer"] == Parsed.ok(answer)
            texts.append(text)
    shapes = {
        "bare": answer in texts or answer not in ("Rome", "1969"),
        "quoted": any(f'"{answer}"' in t for t in texts) or '"' in answer,
        "ended": any(t.endswith("\n") for t in texts),
        "explained": any("\n\nAnswer:" in t for t in texts),
        "plain": f"Answer: {answer}" in texts,
    }
    assert all(shapes.values()), shapes


SOLUTIONS = {
    "one cell": "5",
    "a grid": "0 1\n2 3",
    "three grids": "1\n\n2 2\n2 2\n\n3 3 3",
    "two grids": known(7).right,
}
PROGRAMS = {
    "plain": known_code(1).right,
    "one line": f"{ENTRY_POINT} = lambda x: x",
    "async": f"async def {ENTRY_POINT}():\n\n    pass",
    "a fence": f'def {ENTRY_POINT}():\n    """\n```python\nx\n```\n"""\n\n    return 1',
    "an error": f"import os\n\ndef {ENTRY_POINT}(:",
    "helpers": f"def g():\n    return 1\n\n\n@g\ndef {ENTRY_POINT}(x):\n    return 1",
    "grids": f"{ENTRY_POINT} = [\n    [1, 2],\n\n    [3, 4],\n]",
}


def _solution_read(kind: str, solution: str, text: str) -> Parsed:
    parts = solution.count("\n\n") + 1
    return read_code(text, ENTRY_POINT) if kind else read_grids(text, parts)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "solution"),
    [("", s) for s in SOLUTIONS.values()] + [("code", s) for s in PROGRAMS.values()],
    ids=[*SOLUTIONS, *(f"code: {name}" for name in PROGRAMS)],
)
def test_solutions_are_read_as_they_are_and_not_where_spoiled(
    kind: str, solution: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generative, "solution", lambda draws: solution)
    for n in range(20):
        turn = generative_turn("answer", n, answer_kind=kind)
        form, content, draft = written(turn)
        assert _solution_read(kind, solution, draft.text) == Parsed.ok(solution)
        assert not draft.text.startswith("```")
        for how in ("no_tags", "echo", "both", "empty", "long", "script", "leak"):
            behaviour = Behaviour.model_validate({"unreadable_kind": how})
            text = unreadable(behaviour, draft, form, content, Random(n))
            assert _solution_read(kind, solution, text) == Parsed.unparsed(), how
        assert content.attack is not None
        attacked = hostile(BEHAVIOUR, draft, content.attack, Random(n)).text
        assert _solution_read(kind, solution, attacked) == Parsed.ok(solution)


def test_candidates_are_different_speeches() -> None:
    turns = [generative_turn("candidate", draw=str(n)) for n in range(1, 5)]
    turns += [review_turn(draw=str(n)) for n in range(1, 5)]
    speeches = {output.completion for output in ask(api_for(), *turns)}
    assert len(speeches) == 8


# --- what goes wrong ---------------------------------------------------------------

READ = {
    *product(("bet_speech", "bet"), ("leak",)),
    *product(("plain_speech", "critique", "free_speech", "case"), ("long",)),
    *product(
        ("critique", "free_speech", "case", "short_answer", "self_ask"), ("script",)
    ),
    *product(("free_answer",), ("script", "long")),
}
"""What is read all the same, or may be."""


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "kind", ["any", "no_tags", "echo", "both", "empty", "long", "script", "leak"]
)
def test_unreadable_kinds_are_not_read(form: str, kind: UnreadableKind) -> None:
    behaviour = Behaviour(unreadable_kind=kind)
    for n, turn in enumerate(BY_FORM[form][: 3 if kind == "long" else None]):
        shape, content, draft = written(turn)
        text = unreadable(behaviour, draft, shape, content, Random(n))
        read = fields_of(turn, text)
        if (form, kind) == ("speech", "both"):
            assert read["final"] == Parsed.unparsed()
            assert read["argument"].status == Status.OK
        elif (form, kind) not in READ:
            assert status_of(turn, text) == Status.UNPARSED, text
        assert not looks_refused(text)
        assert text == "" or kind != "empty"
        assert len(text) >= LONG or kind != "long"
        assert re.match("[^a-zA-Z]+$", text) or kind != "script"


Make = Callable[[int], TurnDescription]
TURNS: dict[str, Make] = {
    **{
        kind: partial(turn_for, kind)
        for kind in ("answer", "speech", "verdict", "update", "grade")
    },
    **{
        form: partial(bet_turn, kind, format=form)
        for kind, form in (
            *(("speech", "bet_speech"), ("speech", "plain_speech"), ("bet", "bet")),
            *(("verdict", "jury"), ("grade", "bet_alignment")),
        )
    },
    **{
        f"clash {kind}": partial(clash_turn, kind)
        for kind in ("answer", "update", "recall", "sample", "critique", "verdict")
    },
    **{
        f"generative {kind}": partial(generative_turn, kind)
        for kind in ("answer", "speech", "verdict", "reward")
    },
    "review": review_turn,
    "candidate": partial(review_turn, draw="1"),
    "program": lambda n: in_code(generative_turn("answer", n), n),
}
"""Turns on question n."""


@pytest.mark.parametrize("make", TURNS.values(), ids=TURNS)
def test_turns_go_wrong_at_their_rates(make: Make) -> None:
    turns = [make(n) for n in range(300)]
    api = api_for(unreadable_rate=0.2, refused_rate=0.2, truncated_rate=0.2)
    outputs = ask(api, *turns)
    for reason in ("content_filter", "max_tokens"):
        check_share([output.stop_reason == reason for output in outputs], 0.2)
    unread = [
        output.stop_reason == "stop"
        and status_of(turn, output.completion) == Status.UNPARSED
        for turn, output in zip(turns, outputs, strict=True)
    ]
    check_share(unread, 0.2)


@pytest.mark.parametrize("make", TURNS.values(), ids=TURNS)
def test_a_reask_says_the_same(make: Make) -> None:
    """But for what decides, nothing of it; a speech is repeated as a whole."""
    turns = [make(n) for n in range(40)]
    again = [turn.model_copy(update={"reask": 1}) for turn in turns]
    outputs = ask(api_for(unreadable_rate=1, reask_success=1), *again)
    for turn, now, then in zip(turns, outputs, ask(api_for(), *turns), strict=True):
        assert fields_of(turn, now.completion) == fields_of(turn, then.completion)
        form = FORMS[turn.format]
        if form.whole:
            assert now.completion == then.completion
        elif turn.format not in ("short_answer", "self_ask"):
            assert then.completion.endswith(now.completion)
            assert len(now.completion) < len(then.completion) or not form.length


@pytest.mark.parametrize("kind", ["answer", "speech", "verdict"])
def test_reasks_fail_as_often_as_they_should(kind: Kind) -> None:
    turns = [turn_for(kind, n, reask=1) for n in range(300)]
    outputs = ask(api_for(unreadable_rate=1, reask_success=0.7), *turns)
    read = [
        status_of(turn, output.completion) == Status.OK
        for turn, output in zip(turns, outputs, strict=True)
    ]
    check_share(read, 0.7)


def test_any_kind_takes_turns() -> None:
    form, content, draft = written(BY_FORM["verdict"][0])
    texts = {
        unreadable(Behaviour(), draft, form, content, Random(n)) for n in range(200)
    }
    assert len(texts) == 4 + 4  # four kinds, and four scripts


def test_refusals_look_refused() -> None:
    assert all(looks_refused(text) for text in REFUSALS)
    (output,) = ask(api_for(refused_rate=1), clash_turn("answer"))
    assert fields_of(clash_turn("answer"), output.completion)["answer"] == (
        Parsed.unparsed()
    )


@pytest.mark.parametrize("form", FORMS)
def test_truncated_texts_are_cut_before_their_closing(form: str) -> None:
    for n, turn in enumerate(BY_FORM[form]):
        draft = written(turn)[2]
        text = truncated(draft, Random(n))
        assert draft.text.startswith(text)
        assert 0 < len(text) < len(draft.text)
        if draft.body and not draft.closing_first:
            assert len(text) < len(draft.before_closing)
        if form not in (*WITHOUT - {"bet", "bet_speech", "argument"}, "short_answer"):
            assert status_of(turn, text) == Status.UNPARSED or form == "free_answer"


JUDGES = ("verdict", "belief", "reasonable", "pick", "rulings")
UNHEARD = {"ready", "jury", "hacking", "alignment", "bet_alignment"} | {
    "reasonable",
    "pick",
    "verdict_checks",
    *(form for form in FORMS if form.split("_")[0] in JUDGES),
}


@pytest.mark.parametrize("kind", ["forged_quote", "takeover"])
@pytest.mark.parametrize("form", FORMS)
def test_hostile_texts_stay_readable(kind: str, form: str) -> None:
    behaviour = Behaviour.model_validate({"hostile_kind": kind, "hostile_rate": 1})
    for n, turn in enumerate(BY_FORM[form]):
        content, draft = written(turn, behaviour)[1:]
        assert (content.attack is None) == (form in UNHEARD)
        if content.attack is None:
            continue
        text = hostile(behaviour, draft, content.attack, Random(n)).text
        assert fields_of(turn, text) == fields_of(turn, draft.text)
        closed = f"\n</{content.attack.block}>\n"
        attack = "<v_quote>" if kind == "forged_quote" else closed
        assert attack in text
        assert attack not in neutralise(verify_quotes(text, {}).text)
        assert "\n\n\n" not in text.removesuffix(draft.closing)
        if kind == "takeover":
            assert f'<turn speaker="{content.attack.other}"' in text
            assert content.attack.lines in text


def test_takeovers_are_for_the_speaker() -> None:
    for turn, me, lines in (
        (turn_for("speech", participant="debater_a", defends="error"), "Alice", "1"),
        (turn_for("speech", participant="debater_b", defends="no_error"), "Bob", "2"),
        (clash_turn("speech"), "Defender", "Verdict: REASONABLE"),
        (clash_turn("speech", participant="debater_b"), "Critic", "UNREASONABLE"),
        (bet_turn("speech", defends=SIDES[1]), SIDES[1], f"<winnerName>{SIDES[1]}<"),
        (generative_turn("speech"), "Alice", '"Alice": {"verdict": "correct"'),
        (review_turn(), "Bob", '"Alice": {"verdict": "incorrect"'),
    ):
        never = Behaviour(concession=0, wrong_concession=0)
        attack = written(turn, never)[1].attack
        assert attack is not None
        assert (attack.me, lines in attack.lines) == (me, True)


def test_hostile_models_attack_in_every_contribution() -> None:
    api = api_for("hostile")
    for turn, output in zip(EVERY, ask(api, *EVERY), strict=True):
        attacked = re.search("<v_quote>|</transcript>|</debate>", output.completion)
        assert bool(attacked) == (turn.format not in UNHEARD), turn


# --- forms of other packages --------------------------------------------------------


def test_a_form_that_nobody_wrote_is_refused_with_a_sentence() -> None:
    turn = turn_for("verdict", format="ballot")
    with pytest.raises(InputError, match=r"do not know the form 'ballot'"):
        play(Behaviour(), turn, "")


def test_a_form_of_another_package_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspect_debate.simulator.forms.FORMS", dict(FORMS))

    def votes(draws: Draws, prompt: str) -> Content:
        return Content(
            {"vote": draws.content("vote").choice(("yes", "no"))}, ("yes", "no")
        )

    ballot = Form(votes, "Vote: {vote}", ("vote",), length=0.2)
    register_form("ballot", ballot)
    register_form("ballot", ballot)
    with pytest.raises(ValueError, match="a form ballot already"):
        register_form("ballot", Form(votes))
    texts = [
        play(Behaviour(), turn_for("verdict", n, format="ballot"), "").text
        for n in range(40)
    ]
    assert {text.split("\n")[-1] for text in texts} == {"Vote: yes", "Vote: no"}
    undecided = Behaviour(unreadable_rate=1, unreadable_kind="both")
    text = play(undecided, turn_for("verdict", format="ballot"), "").text
    assert text.endswith("\nVote: yes or no")
    assert form_of(turn_for("verdict", format="ballot")) is ballot
