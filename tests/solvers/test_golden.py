"""Every prompt of every protocol, role and round, against files.

`UPDATE_GOLDEN=1 uv run pytest -n 0 tests/solvers/test_golden.py` writes them again; a
change is a new version of the task.
"""

import os
import re
from collections.abc import Callable, Mapping
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage, Model, ModelOutput
from inspect_ai.scorer import Scorer
from inspect_ai.solver import Solver

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.scorers.bet_alignment import bet_alignment
from inspect_debate.scorers.debate_hacking import debate_hacking
from inspect_debate.scorers.explanation_alignment import explanation_alignment
from inspect_debate.solvers.colmad import colmad
from inspect_debate.solvers.confidence import CONDITIONS, confidence
from inspect_debate.solvers.consultancy import consultancy
from inspect_debate.solvers.copmad import copmad
from inspect_debate.solvers.ensemble import ensemble
from inspect_debate.solvers.generative_debate import (
    GenerativeProtocol,
    generative_debate,
)
from inspect_debate.solvers.judge_alone import judge_alone
from inspect_debate.solvers.judge_debate import judge_debate
from inspect_debate.solvers.naive_debate import naive_debate
from inspect_debate.solvers.passage_or_memory import passage_or_memory
from inspect_debate.solvers.rci import rci
from inspect_debate.solvers.self_ask import self_ask
from inspect_debate.solvers.self_consistency import self_consistency
from inspect_debate.solvers.single import single
from inspect_debate.solvers.som import som
from inspect_debate.solvers.srdcr import srdcr
from tests.scorers.bets import bet, betting, score_bets
from tests.scorers.recorded import Held, score_held
from tests.support.bets import marked, marked_model, motion
from tests.support.choices import OPTIONS, choice_item, chooser
from tests.support.clash import marked as marked_conflict
from tests.support.clash import question
from tests.support.code_runs import calls_on_code
from tests.support.generative import PROTOCOLS, SPOKEN, description_of, held, solvable
from tests.support.generative import marked as marked_generative
from tests.support.made import made_record, verdict
from tests.support.made import speech as speech_grader
from tests.support.models import Call, Messages, Script, calls_of, scripted
from tests.support.reader import reader
from tests.support.runs import dataset, item, run

GOLDEN = Path(__file__).parent.parent / "golden"


class Case(NamedTuple):
    """A protocol, and whether it is held on a question with options.

    With `agreed` both models give the same first answer; with `two` there are two
    options, and with `free` none.
    """

    solver: Solver
    options: bool = False
    agreed: bool = False
    two: bool = False
    free: bool = False

    def sample(self) -> Sample:
        """What it is held on."""
        if not (self.options or self.free):
            return item()
        options = () if self.free else OPTIONS[1:3] if self.two else OPTIONS
        sample = choice_item(options=options, target="A" if self.two else "B")
        sample.metadata = {"passage": PASSAGE}
        return sample


PASSAGE = "The train goes 17 km to Ash.\nThen it goes 25 km more, to Elm."
HIDDEN: dict[str, Any] = {"passage": "hidden"}
SHOWN: dict[str, Any] = {"passage": "shown"}
WORDS: dict[str, Any] = {"answers": "free"}


DEBATES = {
    "colmad/single": Case(single()),
    "colmad/judge_alone": Case(judge_alone(order="both")),
    "colmad/colmad": Case(colmad(order="both")),
    "colmad/colmad_sequential": Case(colmad(turn_order="sequential")),
    "colmad/colmad_rounds_0": Case(colmad(rounds=0)),
    "colmad/colmad_blind": Case(
        colmad(rounds=1, show_openings=False, judge_sees_problem=False)
    ),
    "colmad/colmad_no_quotes": Case(colmad(rounds=1, config={"quotes": "none"})),
    "colmad/colmad_input_quotes": Case(
        colmad(rounds=1, config={"quote_source": "input", "word_limit": 120})
    ),
    "colmad/copmad": Case(copmad(order="both")),
    "colmad/copmad_agreed": Case(copmad(rounds=1), agreed=True),
    "colmad/copmad_agreed_shown": Case(
        copmad(rounds=1, show_openings=True), agreed=True
    ),
    "colmad/som_rounds_2": Case(som(rounds=2)),
    "colmad/ensemble": Case(ensemble()),
    "colmad/self_consistency": Case(self_consistency(n=2)),
    "choices/single": Case(single(), options=True),
    "choices/judge_alone": Case(judge_alone(order="both"), options=True),
    "choices/colmad": Case(colmad(order="both"), options=True),
    "choices/colmad_blind": Case(
        colmad(rounds=1, show_openings=False, judge_sees_problem=False), options=True
    ),
    "choices/copmad": Case(copmad(), options=True),
    "choices/copmad_agreed": Case(copmad(rounds=1), options=True, agreed=True),
    "choices/som": Case(som(rounds=2), options=True),
    "choices/hidden_copmad": Case(
        copmad(sides="assigned", config=HIDDEN), options=True, two=True
    ),
    "choices/hidden_colmad": Case(colmad(rounds=1, config=HIDDEN), options=True),
    "choices/hidden_consultancy": Case(
        consultancy(config=HIDDEN), options=True, two=True
    ),
    "choices/hidden_judge_alone": Case(
        judge_alone(config=HIDDEN), options=True, two=True
    ),
    "choices/shown_copmad": Case(
        copmad(sides="assigned", rounds=1, config=SHOWN), options=True, two=True
    ),
    "choices/shown_judge_alone": Case(judge_alone(config=SHOWN), options=True),
    "choices/consultancy_free": Case(consultancy(sides="free"), options=True),
    "choices/words_copmad": Case(copmad(rounds=1, config=WORDS | HIDDEN), free=True),
    "choices/words_som": Case(som(config=WORDS), free=True),
    "choices/words_judge_alone": Case(judge_alone(config=WORDS), free=True),
}


@pytest.mark.parametrize("name", DEBATES)
def test_prompts_are_as_written_down(name: str, tmp_path: Path) -> None:
    prompts = prompts_of(DEBATES[name], tmp_path)
    text = "\n\n".join(f"##### {turn}\n\n{prompts[turn]}" for turn in sorted(prompts))
    assert "secret of" not in text
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")
    assert text + "\n" == path.read_text(encoding="utf-8")


def prompts_of(case: Case, log_dir: Path) -> dict[str, str]:
    """The prompts of one debate, by turn."""
    prompts: dict[str, str] = {}

    def keeping(script: Script) -> Script:
        def keep(messages: Messages, description: TurnDescription) -> str:
            assert not description.reask
            draw = description.draw
            number = draw if draw.isdecimal() else description.round or ""
            order = description.draw if description.kind == "verdict" else ""
            stage = "round" if description.kind == "speech" else description.kind
            who = f"{description.participant} {order}".rstrip()
            name = f"{f'{stage} {number}'.rstrip()}: {who}"
            prompts[name] = "\n\n".join(f"[{m.role}]\n{m.text}" for m in messages)
            if description.kind == "speech":
                return speech(name, description, "<passage>" in messages[-1].text)
            # What a judge reads is shown by the prompt; here it need only be readable.
            if description.format == "free_answer":
                return f"ANSWER: {OPTIONS[1 if script is first else 2]}"
            if description.kind == "verdict":
                return f"Answer: {description.name(description.choices[0])}"
            return script(messages, description)

        return keep

    make = chooser if case.options or case.free else reader
    first = make(not case.agreed)
    run(
        Task(dataset=dataset(case.sample()), solver=case.solver),
        log_dir,
        model=scripted(keeping(first), "sharp"),
        roles={"debater_b": scripted(keeping(make(False)), "dull")},
    )
    return prompts


def speech(name: str, description: TurnDescription, passage: bool) -> str:
    """A speech with a quote that stands in the item, and one that does not."""
    options = "error" not in description.choices
    quote = "the sum of 17 and 25" if options else "in one sentence"
    if passage:
        quote = "goes 25 km more"
    final = description.name(description.choices[0]) if options else "1 error"
    conclusion = f"\nFinal: {final}\nConf: 0.8 - checked"
    return (
        f"<thinking>secret of {name}</thinking><argument>My case in {name}: "
        f"<quote>{quote}</quote> and <quote>not there</quote>."
        f"{conclusion if description.format == 'speech' else ''}</argument>"
    )


def test_a_participants_prompts_grow_at_the_end(tmp_path: Path) -> None:
    prompts = prompts_of(Case(colmad(rounds=3)), tmp_path)
    for debater in ("debater_a", "debater_b"):
        rounds = [prompts[f"round {n}: {debater}"] for n in (1, 2, 3)]
        for earlier, later in pairwise(rounds):
            # All of the earlier prompt up to the end of its transcript.
            assert later.startswith(earlier[: earlier.rindex("</transcript>")])


def test_a_members_conversation_grows_at_the_end(tmp_path: Path) -> None:
    prompts = prompts_of(Case(som(rounds=3)), tmp_path)
    for member in ("debater_a", "debater_b"):
        names = [f"answer: {member}", *(f"update {n}: {member}" for n in (1, 2, 3))]
        for earlier, later in pairwise(prompts[name] for name in names):
            assert later.startswith(earlier + "\n\n[assistant]\n")


GOLDEN_BETS = Path(__file__).parent.parent / "golden" / "confidence"

# What else can be asked, beside the presets.
VARIANTS: dict[str, dict[str, Any]] = {
    **{condition: {"protocol": condition} for condition in CONDITIONS},
    "separate_bets": {"protocol": "self", "bet_call": "separate", "rounds": 2},
    "bet_as_probability": {"protocol": "self", "bet_as": "probability", "rounds": 2},
    "bet_as_apart": {"protocol": "self", "bet_as": "apart", "rounds": 2},
    "order_both": {"rounds": 1, "order": "both", "jury_passes": 1},
    "juror_sees_motion": {
        "rounds": 1,
        "jury_passes": 1,
        "config": {"juror_sees_motion": True},
    },
}


class Prompt(NamedTuple):
    """The texts of one call."""

    system: str
    user: str


def prompts_of_bets(log_dir: Path, parameters: Mapping[str, Any]) -> dict[str, Prompt]:
    """The prompts of one debate, by what is asked of whom."""
    prompts: dict[str, Prompt] = {}

    def keep(messages: Messages, description: TurnDescription) -> str:
        assert not description.reask
        name = (
            f"{description.kind} {description.round or description.draw}: "
            f"{description.participant}"
        )
        system, user = (message.text for message in messages)
        prompts[name] = Prompt(system, user)
        return marked(messages, description)

    roles = {
        "debater_b": marked_model(keep, "two"),
        "judge": marked_model(keep, "jury"),
    }
    itself = parameters.get("protocol", "cross_model") != "cross_model"
    run(
        Task(dataset=dataset(motion()), solver=confidence(**parameters)),
        log_dir,
        model=marked_model(keep, "one"),
        roles=None if itself else roles,
    )
    return prompts


def compare(name: str, prompts: Mapping[str, str]) -> None:
    path = GOLDEN_BETS / f"{name}.txt"
    text = "\n\n".join(f"##### {turn}\n\n{prompts[turn]}" for turn in prompts) + "\n"
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", VARIANTS)
def test_prompts_are_as_written_down_bets(name: str, tmp_path: Path) -> None:
    prompts = prompts_of_bets(tmp_path, VARIANTS[name])
    # The second pass of a juror is asked in the words of the first.
    compare(
        name,
        {turn: prompts[turn].user for turn in sorted(prompts) if "ab 2" not in turn},
    )


def test_system_prompts_are_the_same_in_all_conditions(tmp_path: Path) -> None:
    found = {
        condition: {
            turn: prompt.system
            for turn, prompt in prompts_of_bets(
                tmp_path, {"protocol": condition, "rounds": 3}
            ).items()
        }
        for condition in CONDITIONS
    }
    base = found["cross_model"]
    compare("system", {turn: base[turn] for turn in sorted(base) if "2: j" not in turn})
    for condition, texts in found.items():
        assert texts == {turn: base[turn] for turn in texts}, condition


def cacheable(earlier: Prompt, later: Prompt) -> float:
    """The share of a prompt that is as in the one before it, from the first character.

    The user prompt counts only where the system prompts are the same.
    """
    one, two = (f"{prompt.system}\0{prompt.user}" for prompt in (earlier, later))
    same = takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False))
    return len(list(same)) / len(two)


@pytest.mark.parametrize(
    "parameters",
    [{"protocol": "self"}, {"protocol": "public", "bet_call": "separate"}],
)
def test_prompts_can_be_cached_up_to_the_instruction(
    parameters: dict[str, Any], tmp_path: Path
) -> None:
    told = parameters | {"config": {"structure_in": "instruction"}}
    prompts = prompts_of_bets(tmp_path, told)
    for debater in ("debater_a", "debater_b"):
        asked = [prompts[f"speech {n}: {debater}"] for n in (1, 2, 3)]
        assert len({prompts[t].system for t in prompts if debater in t}) == 1
        for earlier, later in pairwise(asked):
            history = earlier.user[: max(earlier.user.rfind("</turn>"), 0)]
            assert later.user.startswith(history)
            # Speeches are a line each here; with longer ones it is more.
            assert cacheable(earlier, later) > 0.4


def test_prompts_that_can_be_cached_are_as_written_down(tmp_path: Path) -> None:
    told = {"protocol": "self", "config": {"structure_in": "instruction"}}
    prompts = prompts_of_bets(tmp_path, told)
    written = {"system": prompts["speech 1: debater_a"].system}
    written |= {turn: prompts[turn].user for turn in sorted(prompts)}
    compare("structure_in_instruction", written)


def test_the_study_s_own_prompts_cannot_be_cached(tmp_path: Path) -> None:
    prompts = prompts_of_bets(tmp_path, {"protocol": "self"})
    first, second = (prompts[f"speech {n}: debater_a"] for n in (1, 2))
    assert cacheable(first, second) < 0.15


GOLDEN_CONFLICT = Path(__file__).parent.parent / "golden" / "srdcr"

SOLVERS = {
    "srdcr": srdcr(rounds=3),
    "srdcr_all_see": srdcr(
        rounds=2,
        turn_order="simultaneous",
        show_openings=True,
        judge_sees_context=True,
        critic_sees_context=True,
    ),
    "srdcr_without_debate": srdcr(rounds=0),
    "srdcr_released": srdcr(
        rounds=2,
        turn_order="simultaneous",
        critic_sees_context="openings",
        followups_see="transcript",
    ),
    "passage_or_memory": passage_or_memory(
        "token_prob", confidence_from="both", consistency_samples=1, recall_samples=1
    ),
    "self_ask": self_ask(),
    "rci": rci(),
    "judge_debate": judge_debate(rounds=2, judge_after=(1,), order="both"),
    "naive_debate": naive_debate(agents=3, rounds=2),
}

PASSAGE_CONFLICT = "<passage>"


@pytest.mark.parametrize("name", SOLVERS)
def test_prompts(name: str, tmp_path: Path) -> None:
    prompts = prompts_of_conflict(SOLVERS[name], tmp_path)
    path = GOLDEN_CONFLICT / f"{name}.txt"
    text = "\n\n".join(f"##### {turn}\n\n{said}" for turn, said in prompts) + "\n"
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SOLVERS)
def test_no_prompt_leans_to_passage_or_memory(name: str, tmp_path: Path) -> None:
    """Whom to trust is what is measured; no clause of ours may say how to find out."""
    leaning = (
        "right or wrong",
        "no reason to believe",
        "well known",
        "check",
        "quantity",
    )
    for turn, said in prompts_of_conflict(SOLVERS[name], tmp_path):
        text = " ".join(said.split())
        assert [words for words in leaning if words in text] == [], turn


@pytest.mark.parametrize("name", [n for n in SOLVERS if n.startswith("srdcr")])
def test_debaters_are_asked_for_what_their_prompt_shows(
    name: str, tmp_path: Path
) -> None:
    """Passage, memory and the opponent's words: each is named only where it is had."""
    prompts = prompts_of_conflict(SOLVERS[name], tmp_path)
    read = {
        t.split()[-1]
        for t, p in prompts
        if t.startswith("speech") and PASSAGE_CONFLICT in p
    }
    for turn, said in prompts:
        system, _, user = said.partition("[user]")
        assert max(map(len, system.splitlines()), default=0) <= 88, turn
        if not turn.startswith("speech"):
            continue
        speaker, shown = turn.split()[-1], PASSAGE_CONFLICT in user
        assert (speaker == "debater_a" and shown) is ("You may quote from it" in said)
        again = "it is not shown to you again" in system
        assert again is (speaker in read and not shown), turn
        assert (speaker not in read) is ("from what you know" in system), turn
        answers = "Answer what" in said or "Take up what" in said
        assert answers is ("<transcript>" in user), turn


@pytest.mark.parametrize(
    ("answer", "reminder"),
    [
        ("I could\nnot say.", "Reply with one line and nothing else"),
        ("", "Reply with one line and nothing else"),
    ],
)
def test_reminders(answer: str, reminder: str, tmp_path: Path) -> None:
    asked: list[list[ChatMessage]] = []

    def unreadable(messages: Messages, description: TurnDescription) -> str:
        asked.append(messages)
        return answer

    solver = passage_or_memory()
    model = scripted(unreadable)
    run(Task(dataset=dataset(question()), solver=solver), tmp_path, model=model)
    assert len(asked) == 4
    assert all(reminder in again[-1].text for again in asked if len(again) == 3)


def prompts_of_conflict(solver: Solver, log_dir: Path) -> list[tuple[str, str]]:
    """The prompts on one question, by what is asked of whom, in a fixed order."""
    prompts: dict[str, str] = {}

    def keep(messages: Messages, description: TurnDescription) -> str | ModelOutput:
        name = (
            f"{description.kind} {description.round} {description.draw}: "
            f"{description.participant}"
        )
        prompts[name] = "\n\n".join(f"[{m.role}]\n{m.text}" for m in messages)
        if description.participant.startswith("debater_a_"):
            number = description.participant[-1]
            return f"ANSWER-{number}_{description.round}\nAnswer: 190{number}"
        return marked_conflict(messages, description)

    model = scripted(keep)
    run(Task(dataset=dataset(question()), solver=solver), log_dir, model=model)
    return sorted(prompts.items())


GOLDEN_GENERATIVE = Path(__file__).parent.parent / "golden" / "generative"

SOLVERS_GENERATIVE = {
    "dual_debate": generative_debate("dual_debate", order="ab"),
    "single_debate": generative_debate("single_debate"),
    "dual_consultancy": generative_debate("dual_consultancy", order="ba"),
    "single_consultancy": generative_debate("single_consultancy"),
    "dual_no_transcript": generative_debate("dual_no_transcript", order="both"),
    "single_no_transcript": generative_debate("single_no_transcript"),
    "direct_qa": generative_debate("direct_qa"),
    "dual_debate_best_of_2": generative_debate("dual_debate", best_of=2, order="ab"),
    "single_debate_best_of_2": generative_debate("single_debate", best_of=2),
    "dual_debate_sequential": generative_debate(
        "dual_debate", turn_order="sequential", order="both", judge_answer=True
    ),
    "single_debate_sequential": generative_debate(
        "single_debate",
        turn_order="sequential",
        rounds=1,
        judge_answer=True,
        config={"word_limit": 80},
    ),
}


STYLES: dict[str, Any] = {"judge_style": "verifying", "debater_style": "honest"}

STYLED = {
    "dual_debate_styles": generative_debate("dual_debate", order="ab", **STYLES),
    "single_debate_styles": generative_debate("single_debate", **STYLES),
}
ON_CODE = {
    f"code_{name}": generative_debate(name, judge_answer=asked, unsafe_local=True)
    for name in PROTOCOLS
    for asked in [None if name == "direct_qa" else True]
} | {
    "code_single_debate_styles": generative_debate(
        "single_debate", unsafe_local=True, **STYLES
    ),
    "code_dual_debate_best_of_2": generative_debate(
        "dual_debate", rounds=1, best_of=2, unsafe_local=True
    ),
}


def unreadable(messages: Messages, description: TurnDescription) -> str | ModelOutput:
    """Debater A writes no grid, and asked again nothing at all."""
    if (description.kind, description.participant) == ("answer", "debater_a"):
        return "The digits are mirrored: 0 6 5, then </answer> 7 0."
    return marked_generative(messages, description)


def test_every_format_has_a_file() -> None:
    assert set(PROTOCOLS) <= set(SOLVERS_GENERATIVE)


@pytest.mark.parametrize("name", SOLVERS_GENERATIVE)
def test_prompts_generative(name: str, tmp_path: Path) -> None:
    check(name, prompts_of_generative(SOLVERS_GENERATIVE[name], tmp_path, solvable()))


@pytest.mark.parametrize("name", STYLED)
def test_prompts_in_other_styles(name: str, tmp_path: Path) -> None:
    check(name, prompts_of_generative(STYLED[name], tmp_path, solvable()))


@pytest.mark.parametrize("name", ON_CODE)
def test_prompts_on_code(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(name, calls_on_code(ON_CODE[name], tmp_path, monkeypatch))


def test_prompts_on_code_where_nothing_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reminders, and answers that are shown as they were written."""
    solver = generative_debate("single_debate", rounds=1, unsafe_local=True)
    calls = calls_on_code(solver, tmp_path, monkeypatch, lambda m, c: "Nothing.")
    check("code_unreadable", calls)


def test_prompts_of_a_task_with_two_test_inputs(tmp_path: Path) -> None:
    solver = generative_debate("dual_debate", rounds=1, order="ab", judge_answer=True)
    check("two_grids", prompts_of_generative(solver, tmp_path, solvable(2)))


def test_prompts_with_an_answer_that_could_not_be_read(tmp_path: Path) -> None:
    solver = generative_debate("dual_debate", rounds=1, order="ab")
    check(
        "unreadable_answer",
        prompts_of_generative(solver, tmp_path, solvable(), unreadable),
    )


@pytest.mark.parametrize(
    ("protocol", "parts", "reminders"),
    [
        (
            "single_debate",
            1,
            ["the output grid in a fenced code block and nothing else", "empty"],
        ),
        (
            "dual_debate",
            2,
            ["the 2 output grids in the order of the test inputs, each in a", "empty"],
        ),
    ],
)
def test_reminders_generative(
    protocol: GenerativeProtocol, parts: int, reminders: list[str], tmp_path: Path
) -> None:
    solver = generative_debate(protocol, rounds=1)
    _, calls = held(solver, tmp_path, solvable(parts), script=lambda m, c: "")
    again = [call for call in calls if description_of(call).reask]
    assert len(again) == len(calls) / 2
    told = {description_of(call).format: call.messages[-1].text for call in again}
    assert reminders[0] in " ".join(told["solution"].split())
    assert reminders[1] in told["case"]
    assert '"Alice": {"verdict": "correct|incorrect"' in told["rulings"]
    if protocol == "single_debate":
        assert '"Bob": {"verdict"' in told["rulings"]
        assert 'either "Stance: AGREE" or' in " ".join(told["review"].split())


def check(name: str, calls: list[Call]) -> None:
    """Compare prompts with a file, by what is asked of whom, in a fixed order."""
    prompts = {}
    for call in calls:
        of = description_of(call)
        turn = f"{of.kind} {of.round} {of.draw} {of.reask}: {of.participant}"
        prompts[turn] = "\n\n".join(f"[{m.role}]\n{m.text}" for m in call.messages)
    assert len(prompts) == len(calls)
    shown = (f"##### {turn}\n\n{said}" for turn, said in sorted(prompts.items()))
    text = "\n\n".join(shown) + "\n"
    path = GOLDEN_GENERATIVE / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def prompts_of_generative(
    solver: Solver, log_dir: Path, sample: Sample, script: object = marked_generative
) -> list[Call]:
    _, calls = held(solver, log_dir, sample, script=script)
    return calls


GOLDEN_GRADER = Path(__file__).parent.parent / "golden" / "grading"
SAID = "It asks for km. <v_quote>Task.</v_quote> <u_quote>Miles.</u_quote>"
THOUGHT = (
    "Our case rests on two sources that nobody has answered; theirs is thin on cost.\n"
    "I see a 65-70% chance of winning, and bet a little less."
)


@pytest.mark.parametrize(
    ("name", "scorer"),
    [("hacking", debate_hacking()), ("alignment", explanation_alignment())],
)
def test_prompts_are_as_written_down_grader(
    name: str, scorer: Scorer, tmp_path: Path
) -> None:
    record = made_record(speech_grader("debater_a", public=SAID), verdict())
    held = [Held("error", [record], {"explanation": "The unit is missing."})]
    grader = scripted(lambda messages, description: "unreadable", name="grader")
    score_held(held, scorer, tmp_path, grader)
    check_grader(name, grader)


def test_the_prompt_about_a_bet_is_as_written_down(tmp_path: Path) -> None:
    record = betting(bet("debater_a", 60, private=THOUGHT))
    grader = scripted(lambda messages, description: "unreadable", name="grader")
    score_bets([record], bet_alignment(), tmp_path, grader)
    check_grader("bet_alignment", grader)


def check_grader(name: str, grader: Model) -> None:
    """Compare the second of a grader's two calls with a file."""
    _, asked_again = calls_of(grader)
    text = "\n\n".join(f"[{m.role}]\n{m.text}" for m in asked_again.messages) + "\n"
    path = GOLDEN_GRADER / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


CRITERION = "contains an error if it breaks any of the instructions or requirements"
"""ReaLMistake's criterion, which ColMAD's prompts give to everybody."""


@pytest.mark.parametrize(
    "case",
    [
        Case(single()),
        Case(judge_alone()),
        Case(colmad()),
        Case(colmad(rounds=1, judge_sees_problem=False)),
        Case(copmad()),
        Case(som()),
    ],
    ids=["single", "judge_alone", "colmad", "blind_judge", "copmad", "som"],
)
def test_everybody_reads_what_an_error_is(case: Case, tmp_path: Path) -> None:
    prompts = prompts_of(case, tmp_path)
    without = [n for n, text in prompts.items() if CRITERION not in _words(text)]
    assert not without
    for name, text in prompts.items():
        assert "Style and taste" not in text, name
        assert "asserts something false" not in text, name


def _words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("make", [colmad, copmad])
@pytest.mark.parametrize("options", [False, True])
@pytest.mark.parametrize("seen", [False, True])
def test_debaters_know_whether_the_judge_sees_the_problem(
    make: Callable[..., Solver], options: bool, seen: bool, tmp_path: Path
) -> None:
    case = Case(make(rounds=1, judge_sees_problem=seen), options=options)
    for name, text in prompts_of(case, tmp_path).items():
        if name.startswith("round"):
            told = "is what is said in this discussion" in _words(text)
            assert told is not seen, name


@pytest.mark.parametrize("options", [False, True])
def test_prompts_mention_only_what_is_there(options: bool, tmp_path: Path) -> None:
    """A judge alone has no transcript; where nobody spoke, nobody quoted."""
    for solver in (judge_alone(), colmad(rounds=0)):
        for name, text in prompts_of(Case(solver, options=options), tmp_path).items():
            if "<transcript>" not in text:
                assert "transcript" not in text, name
            assert "quote" not in text, name
            assert "who argued" not in text, name


@pytest.mark.parametrize("options", [False, True])
@pytest.mark.parametrize("make", [colmad, copmad])
def test_debaters_are_asked_for_tests_and_not_told_when_it_ends(
    make: Callable[..., Solver], options: bool, tmp_path: Path
) -> None:
    prompts = prompts_of(Case(make(rounds=2), options=options), tmp_path)
    speeches = [_words(text) for name, text in prompts.items() if "round" in name]
    assert len(speeches) == 4
    for text in speeches:
        assert "Make two to four. Each takes" in text
        assert "says PASS or FAIL for" in text
        assert "more rounds may follow" in text
        assert not re.search(r"round \d of \d", text)


@pytest.mark.parametrize(
    ("case", "text"),
    [
        (Case(colmad(rounds=1)), "the task or the response"),
        (Case(copmad(rounds=1), options=True), None),
        (
            Case(copmad(rounds=1, config={"passage": "shown"}), options=True),
            "the passage",
        ),
        (
            Case(copmad(rounds=1, config={"quote_source": "input"}), options=True),
            "the question or its options",
        ),
        (Case(copmad(rounds=1, config={"answers": "free"}), free=True), None),
    ],
    ids=["error_detection", "no_passage", "passage", "question", "in_words"],
)
def test_quotes_are_asked_for_where_there_is_a_text(
    case: Case, text: str | None, tmp_path: Path
) -> None:
    prompts = prompts_of(case, tmp_path)
    asked = {n: t for n, t in prompts.items() if not n.startswith("answer")}
    assert len(asked) == 3
    for name, prompt in asked.items():
        words = re.sub(r"&lt;/?quote>", "", _words(prompt))  # what debaters wrote
        if text is None:
            assert "quote" not in words, name
        else:
            assert re.search(rf"(copied exactly from|do stand in) {text}", words), name


ASKS_FOR_HONESTY = ("hold to be", "hold it to be", "hold the answer", "to check")
"""Words of `debater_style=honest`."""
ASKS_FOR_SUSPICION = ("granted", "made with confidence", "check", "mislead")
"""Words of `judge_style=verifying`."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["grids", "code"])
@pytest.mark.parametrize("protocol", [p for p in PROTOCOLS if p != "direct_qa"])
def test_by_default_nobody_is_told_to_be_honest_or_suspicious(
    protocol: GenerativeProtocol,
    kind: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Either would work against what is measured: wrong answers that are endorsed."""
    best_of = 2 if protocol in SPOKEN else None
    solver = generative_debate(
        protocol, best_of=best_of, judge_answer=True, unsafe_local=True
    )
    told = _instructions(solver, kind, tmp_path, monkeypatch)
    for name, texts in told.items():
        for words in (*ASKS_FOR_HONESTY, *ASKS_FOR_SUSPICION):
            assert not any(words in text for text in texts), (name, words)


@pytest.mark.parametrize("kind", ["grids", "code"])
@pytest.mark.parametrize("protocol", SPOKEN)
def test_styles_are_told_to_those_whose_styles_they_are(
    protocol: GenerativeProtocol,
    kind: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solver = generative_debate(
        protocol,
        best_of=2,
        judge_style="verifying",
        debater_style="honest",
        unsafe_local=True,
    )
    told = _instructions(solver, kind, tmp_path, monkeypatch)
    for name, texts in told.items():
        honest = name == "candidate"
        for text in texts:
            assert ("Give the judge something to check" in text) is honest, name
            assert ("is made with confidence" in text) is not honest, name


def _instructions(
    solver: Solver, kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> dict[str, list[str]]:
    """What those who speak and judge are told beside the task, by kind of turn."""
    calls = (
        calls_on_code(solver, folder, monkeypatch)
        if kind == "code"
        else held(solver, folder)[1]
    )
    told: dict[str, list[str]] = {}
    for call in calls:
        description = description_of(call)
        if description.kind == "answer" and description.participant != "judge":
            continue
        system, asked = call.messages
        # What is asked comes after all blocks.
        final = asked.text.rpartition("</")[2]
        told.setdefault(description.kind, []).append(_words(f"{system.text} {final}"))
    return told
