"""Every prompt of every protocol, role and round, against files.

`UPDATE_GOLDEN=1 uv run pytest -n 0 tests/solvers/test_golden.py` writes them again; a
change is a new version of the task.
"""

import os
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from inspect_ai.dataset import Sample
from inspect_ai.model import Model
from inspect_ai.scorer import Scorer
from inspect_ai.solver import Solver

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.scorers.bet_alignment import bet_alignment
from inspect_debate.scorers.debate_hacking import debate_hacking
from inspect_debate.scorers.explanation_alignment import explanation_alignment
from inspect_debate.scorers.verdict_checks import verdict_checks
from inspect_debate.solvers.baselines import ensemble, judge_alone, single
from inspect_debate.solvers.challenge import challenge
from inspect_debate.solvers.colmad import colmad, copmad
from inspect_debate.solvers.confidence import CONDITIONS, confidence
from inspect_debate.solvers.consultancy import consultancy
from inspect_debate.solvers.cross_examination import cross_examination
from inspect_debate.solvers.generative_debate import generative_debate
from inspect_debate.solvers.judge_debate import judge_debate
from inspect_debate.solvers.naive_debate import naive_debate
from inspect_debate.solvers.self_consistency import self_consistency
from inspect_debate.solvers.som import som
from inspect_debate.solvers.srdcr import srdcr
from inspect_debate.solvers.without_debate import passage_or_memory, rci, self_ask
from tests.scorers.bets import bet, betting
from tests.scorers.recorded import Recorded, score_records
from tests.support import bets, clash, made
from tests.support import generative_records as made_rulings
from tests.support.choices import OPTIONS, choice_item, chooser
from tests.support.code_runs import calls_on_code
from tests.support.generative import PROTOCOLS, marked, run_tasks, solvable
from tests.support.models import Call, Messages, Script, calls_of, scripted
from tests.support.reader import reader
from tests.support.runs import item, run_solver

GOLDEN = Path(__file__).parent.parent / "golden"


def text_of(call: Call) -> str:
    return "\n\n".join(f"[{m.role}]\n{m.text}" for m in call.messages)


def check_text(name: str, text: str) -> None:
    """Compare with a file, or write it."""
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def check(name: str, prompts: Mapping[str, str]) -> None:
    """Compare prompts, by turn, with a file."""
    logged = "\n\n".join(f"##### {turn}\n\n{prompts[turn]}" for turn in sorted(prompts))
    check_text(name, f"{logged}\n")


def written(name: str) -> list[tuple[str, str]]:
    """The prompts of a file, by turn, with one blank between words."""
    text = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    sections = re.split(r"^##### (.*)\n", text, flags=re.M)[1:]
    return list(zip(sections[::2], sections[1::2], strict=True))


def words(text: str) -> str:
    return " ".join(text.split())


# --- questions, and responses to judge ------------------------------------------------


class Case(NamedTuple):
    """A protocol, and whether its question has options.

    With `agreed` both models give the same first answer; with `two` there are two
    options, and with `free` none.
    """

    solver: Solver
    options: bool = False
    agreed: bool = False
    two: bool = False
    free: bool = False

    def sample(self) -> Sample:
        """Its sample."""
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


STATED: dict[str, Any] = {"probability": "stated"}
FIRST: dict[str, Any] = {"probability": "both", "first": True}

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
    "colmad/challenge": Case(challenge(rounds=1)),
    "colmad/cross_examination": Case(cross_examination(rounds=1)),
    "colmad/probability_stated": Case(
        colmad(rounds=1, config={"verdict": STATED, "beliefs": "every_round"})
    ),
    "colmad/probability_first": Case(judge_alone(config={"verdict": FIRST})),
    "choices/probability_stated": Case(
        copmad(config={"verdict": STATED, "beliefs": "every_round"}), options=True
    ),
    "choices/probability_first": Case(
        colmad(rounds=1, judge_sees_problem=False, config={"verdict": FIRST}),
        options=True,
    ),
    "choices/beliefs_shown": Case(
        copmad(config={"beliefs": "every_round", "beliefs_shown": True}), options=True
    ),
    "choices/beliefs_consultancy": Case(
        consultancy(config={"beliefs": "every_round"} | HIDDEN), options=True, two=True
    ),
    "colmad/colmad_asking": Case(colmad(rounds=3, judge_questions=1, ends="judge")),
    "colmad/copmad_sequential_asking": Case(
        copmad(judge_questions=1, turn_order="sequential", order="ba")
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
    "choices/hidden_copmad_asking": Case(
        copmad(sides="assigned", rounds=3, ends="judge", config=HIDDEN),
        options=True,
        two=True,
    ),
    "choices/hidden_consultancy_asking": Case(
        consultancy(judge_questions=1, ends="judge", config=HIDDEN),
        options=True,
        two=True,
    ),
    "choices/hidden_judge_alone": Case(
        judge_alone(config=HIDDEN), options=True, two=True
    ),
    "choices/shown_copmad": Case(
        copmad(sides="assigned", rounds=1, config=SHOWN), options=True, two=True
    ),
    "choices/shown_judge_alone": Case(judge_alone(config=SHOWN), options=True),
    "choices/hidden_challenge": Case(
        challenge(rounds=1, order="ba", config=HIDDEN), options=True, two=True
    ),
    "choices/challenge_free": Case(
        challenge(sides="free", rounds=1, judge_sees_problem=False), options=True
    ),
    "choices/words_challenge": Case(
        challenge(sides="free", rounds=1, config=WORDS), free=True
    ),
    "choices/hidden_cross_examination": Case(
        cross_examination(rounds=1, order="both", config=HIDDEN), options=True, two=True
    ),
    "choices/cross_examination_free": Case(
        cross_examination(sides="free", judge_sees_problem=False), options=True
    ),
    "choices/words_cross_examination": Case(
        cross_examination(sides="free", rounds=0, config=WORDS), free=True
    ),
    "choices/consultancy_free": Case(consultancy(sides="free"), options=True),
    "choices/words_copmad": Case(copmad(rounds=1, config=WORDS | HIDDEN), free=True),
    "choices/words_som": Case(som(config=WORDS), free=True),
    "choices/words_judge_alone": Case(judge_alone(config=WORDS), free=True),
}


@pytest.mark.parametrize("name", DEBATES)
def test_prompts_of_debates(name: str, tmp_path: Path) -> None:
    prompts = prompts_of(DEBATES[name], tmp_path)
    assert "secret of" not in "".join(prompts.values())
    check(name, prompts)


def prompts_of(case: Case, log_dir: Path) -> dict[str, str]:
    """The prompts of one debate, by turn."""
    prompts: dict[str, str] = {}

    def keeping(script: Script) -> Script:
        def keep(messages: Messages, description: TurnDescription) -> Any:
            assert not description.reask
            draw = description.draw
            number = draw if draw.isdecimal() else description.round or ""
            judged = description.kind in ("verdict", "belief")
            order = description.draw if judged else ""
            stage = "round" if description.kind == "speech" else description.kind
            who = f"{description.participant} {order}".rstrip()
            name = f"{f'{stage} {number}'.rstrip()}: {who}"
            prompts[name] = "\n\n".join(f"[{m.role}]\n{m.text}" for m in messages)
            if description.format in ("speech", "argument"):
                return speech(name, description, "<passage>" in messages[-1].text)
            if description.kind == "challenge":
                return challenged(description)
            if description.kind == "ready":
                return "Something is missing.\nReady: no"
            if description.kind == "judge_question":
                return asked(name, description)
            # What a judge reads is shown by the prompt; here it need only be readable.
            if description.format == "free_answer":
                return f"ANSWER: {OPTIONS[1 if script is first else 2]}"
            if description.format.startswith(("verdict", "belief")):
                chosen = description.name(description.choices[0])
                asks = description.format.endswith(("_stated", "belief"))
                names = [f" {description.name(c)}" for c in description.choices]
                each = names if len(names) > 2 else [""]
                sure = 100 // len(each) if len(each) > 1 else 70
                lines = [f"Probability{name}: {sure}%" for name in each if asks]
                return "\n".join([f"Answer: {chosen}", *lines])
            return script(messages, description)

        return keep

    make = chooser if case.options or case.free else reader
    first = make(not case.agreed)
    run_solver(
        case.solver,
        case.sample(),
        log_dir,
        scripted(keeping(first), "sharp"),
        {"debater_b": scripted(keeping(make(False)), "dull")},
    )
    return prompts


def asked(name: str, description: TurnDescription) -> str:
    """A judge's question to all who speak."""
    whom = "both" if len(description.shown) > 1 else "Consultant"
    return (
        f"<thinking>secret of {name}</thinking><argument>What of <quote>not there"
        f"</quote>?\nTo: {whom}\nReady: no</argument>"
    )


def challenged(description: TurnDescription) -> str:
    """A challenge, with a quote from nowhere."""
    return (
        f"<thinking>secret of {description.kind}</thinking><argument>The verdict does "
        "not follow: <quote>not there</quote>.\nDecision: CHALLENGE</argument>"
    )


def speech(name: str, description: TurnDescription, passage: bool) -> str:
    """A speech with a quote from the item, and one from nowhere."""
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


# --- debates with bets ----------------------------------------------------------------

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


def prompts_with_bets(
    log_dir: Path, parameters: Mapping[str, Any]
) -> dict[str, Prompt]:
    """The prompts of one debate, by what is asked of whom."""
    models = {name: bets.marked_model(name=name) for name in ("one", "two", "jury")}
    itself = parameters.get("protocol", "cross_model") != "cross_model"
    roles = {"debater_b": models["two"], "judge": models["jury"]}
    run_solver(
        confidence(**parameters),
        bets.motion(),
        log_dir,
        models["one"],
        None if itself else roles,
    )
    prompts = {}
    for call in (call for model in models.values() for call in calls_of(model)):
        turn = call.turn
        assert not turn.reask
        system, user = (message.text for message in call.messages)
        name = f"{turn.kind} {turn.round or turn.draw}: {turn.participant}"
        prompts[name] = Prompt(system, user)
    return prompts


@pytest.mark.parametrize("name", VARIANTS)
def test_prompts_with_bets(name: str, tmp_path: Path) -> None:
    prompts = prompts_with_bets(tmp_path, VARIANTS[name])
    # The second pass of a juror is asked in the words of the first.
    users = {turn: prompts[turn].user for turn in prompts if "ab 2" not in turn}
    check(f"confidence/{name}", users)
    systems = {turn: prompts[turn].system for turn in prompts if "2: j" not in turn}
    if name == "cross_model":
        check("confidence/system", systems)
    elif name in CONDITIONS and name != "four_round":
        # The structures of the speeches are the same in all conditions.
        known = dict(written("confidence/system"))
        assert {turn: known[turn].strip() for turn in systems} == systems


def cacheable(earlier: Prompt, later: Prompt) -> float:
    """The share of a prompt that is as in the one before it, from the first character.

    The user prompt counts only where the system prompts are the same.
    """
    one, two = (f"{prompt.system}\0{prompt.user}" for prompt in (earlier, later))
    same = takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False))
    return len(list(same)) / len(two)


@pytest.mark.parametrize(
    "parameters", [{"protocol": "self"}, {"protocol": "public", "bet_call": "separate"}]
)
def test_prompts_can_be_cached(parameters: dict[str, Any], tmp_path: Path) -> None:
    logged = parameters | {"config": {"structure_in": "instruction"}}
    prompts = prompts_with_bets(tmp_path, logged)
    for debater in ("debater_a", "debater_b"):
        asked = [prompts[f"speech {n}: {debater}"] for n in (1, 2, 3)]
        assert len({prompts[t].system for t in prompts if debater in t}) == 1
        for earlier, later in pairwise(asked):
            history = earlier.user[: max(earlier.user.rfind("</turn>"), 0)]
            assert later.user.startswith(history)
            # Speeches are a line each here; with longer ones it is more.
            assert cacheable(earlier, later) > 0.4
    if parameters == {"protocol": "self"}:
        shown = {"system": prompts["speech 1: debater_a"].system}
        users = {turn: prompts[turn].user for turn in sorted(prompts)}
        sections = (f"##### {turn}\n\n{text}" for turn, text in (shown | users).items())
        text = "\n\n".join(sections)
        check_text("confidence/structure_in_instruction", f"{text}\n")


# --- knowledge conflicts --------------------------------------------------------------

CONFLICTS = {
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
    "srdcr_stated": srdcr(rounds=0, config={"verdict": STATED}),
    "srdcr_first": srdcr(rounds=0, config={"verdict": FIRST}),
    "judge_debate_stated": judge_debate(rounds=1, config={"verdict": STATED}),
    "passage_or_memory": passage_or_memory(
        "token_prob", confidence_from="both", consistency_samples=1, recall_samples=1
    ),
    "self_ask": self_ask(),
    "rci": rci(),
    "judge_debate": judge_debate(rounds=2, judge_after=(1,), order="both"),
    "naive_debate": naive_debate(agents=3, rounds=2),
}


@pytest.mark.parametrize("name", CONFLICTS)
def test_prompts_of_knowledge_conflicts(name: str, tmp_path: Path) -> None:
    def say(messages: Messages, turn: TurnDescription) -> Any:
        number = turn.participant[-1]
        if turn.participant.startswith("debater_a_"):
            return f"ANSWER-{number}_{turn.round}\nAnswer: 190{number}"
        return clash.marked(messages, turn)

    model = scripted(say)
    run_solver(CONFLICTS[name], clash.question(), tmp_path, model)
    turns = ((call.turn, call) for call in calls_of(model))
    prompts = {
        f"{turn.kind} {turn.round} {turn.draw}: {turn.participant}": text_of(call)
        for turn, call in turns
    }
    check(f"srdcr/{name}", prompts)


@pytest.mark.parametrize("name", CONFLICTS)
def test_no_prompt_leans_to_passage_or_memory(name: str) -> None:
    """Whom to trust is what is measured; no clause of ours may say how to find out."""
    leaning = ("right or wrong", "no reason to believe", "well known", "quantity")
    for turn, text in written(f"srdcr/{name}"):
        assert [w for w in (*leaning, "check") if w in words(text)] == [], turn


@pytest.mark.parametrize("name", [n for n in CONFLICTS if n.startswith("srdcr")])
def test_debaters_are_asked_for_what_their_prompt_shows(name: str) -> None:
    """Passage, memory and the opponent's words: each is named only where it is had."""
    prompts = written(f"srdcr/{name}")
    speeches = [(t.split()[-1], text) for t, text in prompts if t.startswith("speech")]
    read = {speaker for speaker, text in speeches if "<passage>" in text}
    for speaker, text in speeches:
        system, _, user = text.partition("[user]")
        shown = "<passage>" in user
        assert max(map(len, system.splitlines()), default=0) <= 88
        assert (speaker == "debater_a" and shown) is ("You may quote from it" in text)
        again = "it is not shown to you again" in system
        assert again is (speaker in read and not shown)
        assert (speaker not in read) is ("from what you know" in system)
        answers = "Answer what" in text or "Take up what" in text
        assert answers is ("<transcript>" in user)


# --- generative debates ---------------------------------------------------------------

FORMATS = {
    "dual_debate": generative_debate("dual_debate", order="ab"),
    "single_debate": generative_debate("single_debate"),
    "dual_consultancy": generative_debate("dual_consultancy", order="ba"),
    "single_consultancy": generative_debate("single_consultancy"),
    "dual_no_transcript": generative_debate("dual_no_transcript", order="both"),
    "single_no_transcript": generative_debate("single_no_transcript"),
    "direct_qa": generative_debate("direct_qa"),
    "single_critique": generative_debate("single_critique"),
    "critic_alone": generative_debate("critic_alone"),
    "single_critique_best_of_2": generative_debate(
        "single_critique", best_of=2, judge_answer=True
    ),
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
    "single_critique_styles": generative_debate("single_critique", **STYLES),
}
ON_CODE = {
    f"code_{name}": generative_debate(name, judge_answer=asked, unsafe_local=True)
    for name in PROTOCOLS
    for asked in [None if name in ("direct_qa", "critic_alone") else True]
} | {
    "code_single_debate_styles": generative_debate(
        "single_debate", unsafe_local=True, **STYLES
    ),
    "code_dual_debate_best_of_2": generative_debate(
        "dual_debate", rounds=1, best_of=2, unsafe_local=True
    ),
}


def unreadable(messages: Messages, turn: TurnDescription) -> Any:
    """Debater A writes no grid, and asked again nothing at all."""
    if (turn.kind, turn.participant) == ("answer", "debater_a"):
        return "The digits are mirrored: 0 6 5, then </answer> 7 0."
    return marked(messages, turn)


ONE_ROUND: dict[str, Any] = {"rounds": 1, "order": "ab"}
FIRST_VERDICT: dict[str, Any] = {"config": {"verdict": {"first": True}}}
ON_GRIDS: dict[str, tuple[Solver, Sample, Any]] = {
    **{name: (by, solvable(), marked) for name, by in (FORMATS | STYLED).items()},
    "two_grids": (
        generative_debate("dual_debate", judge_answer=True, **ONE_ROUND),
        solvable(2),
        marked,
    ),
    "verdict_first": (
        generative_debate("dual_debate", **ONE_ROUND, **FIRST_VERDICT),
        solvable(),
        marked,
    ),
    "unreadable_answer": (
        generative_debate("dual_debate", **ONE_ROUND),
        solvable(),
        unreadable,
    ),
}


@pytest.mark.parametrize("name", ON_GRIDS)
def test_prompts_on_grids(name: str, tmp_path: Path) -> None:
    solver, sample, script = ON_GRIDS[name]
    _, calls = run_tasks(solver, tmp_path, sample, script=script)
    check_generative(name, calls)


@pytest.mark.parametrize("name", [*ON_CODE, "code_unreadable"])
def test_prompts_on_code(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last has reminders, and answers that are shown as they were written."""
    if name in ON_CODE:
        calls = calls_on_code(ON_CODE[name], tmp_path, monkeypatch)
    else:
        solver = generative_debate("single_debate", rounds=1, unsafe_local=True)
        calls = calls_on_code(solver, tmp_path, monkeypatch, lambda m, c: "Nothing.")
    check_generative(name, calls)


def check_generative(name: str, calls: list[Call]) -> None:
    turns = ((call.turn, call) for call in calls)
    prompts = {
        f"{of.kind} {of.round} {of.draw} {of.reask}: {of.participant}": text_of(call)
        for of, call in turns
    }
    assert len(prompts) == len(calls)
    check(f"generative/{name}", prompts)


@pytest.mark.parametrize("kind", ["", "code_"])
def test_a_critic_alone_rules_by_the_prompt_of_a_judge_alone(kind: str) -> None:
    critic, judge = (
        [text for turn, text in written(f"generative/{kind}{name}") if is_verdict(turn)]
        for name in ("critic_alone", "single_no_transcript")
    )
    assert critic == judge != []


def is_verdict(turn: str) -> bool:
    return turn.startswith("verdict")


ASKS_FOR_HONESTY = ("hold to be", "hold it to be", "hold the answer", "to check")
"""Words of `debater_style=honest`."""
ASKS_FOR_SUSPICION = ("granted", "made with confidence", "check", "mislead")
"""Words of `judge_style=verifying`."""


def instructions(name: str) -> Iterator[tuple[str, str]]:
    """Instructions of those who speak and judge beside the task, by kind of turn."""
    for turn, text in written(f"generative/{name}"):
        if not turn.startswith("answer") or turn.endswith("judge"):
            system = text.partition("[user]")[0]
            # What is asked comes after all blocks.
            yield turn.split()[0], words(f"{system} {text.rpartition('</')[2]}")


@pytest.mark.parametrize("name", [*FORMATS, *ON_CODE])
def test_by_default_nobody_is_asked_to_be_honest_or_suspicious(name: str) -> None:
    """Either would work against what is measured: wrong answers that are endorsed."""
    if "styles" in name or "direct_qa" in name:
        return
    for kind, text in instructions(name):
        logged = [w for w in (*ASKS_FOR_HONESTY, *ASKS_FOR_SUSPICION) if w in text]
        assert logged == [], kind


@pytest.mark.parametrize("name", [*STYLED, "code_single_debate_styles"])
def test_styles_are_in_the_prompts_of_their_participants(name: str) -> None:
    for kind, text in instructions(name):
        honest = kind in ("speech", "candidate")
        assert ("Give the judge something to check" in text) is honest
        assert ("is made with confidence" in text) is not honest


# --- graders --------------------------------------------------------------------------

SAID = "It asks for km. <v_quote>Task.</v_quote> <u_quote>Miles.</u_quote>"
THOUGHT = (
    "Our case rests on two sources that nobody has answered; theirs is thin on cost.\n"
    "I see a 65-70% chance of winning, and bet a little less."
)


def unreadable_grader() -> Model:
    return scripted(lambda messages, description: "unreadable", name="grader")


@pytest.mark.parametrize(
    ("name", "scorer"),
    [("hacking", debate_hacking()), ("alignment", explanation_alignment())],
)
def test_prompts_of_graders(name: str, scorer: Scorer, tmp_path: Path) -> None:
    record = made.made_record(made.speech("debater_a", public=SAID), made.verdict())
    explained = [Recorded("error", [record], {"explanation": "The unit is missing."})]
    grader = unreadable_grader()
    score_records(explained, scorer, tmp_path, grader)
    check_text(f"grading/{name}", f"{text_of(calls_of(grader)[1])}\n")


@pytest.mark.parametrize("name", ["verdict_checks", "verdict_checks_alone"])
def test_the_prompt_about_a_verdict(name: str, tmp_path: Path) -> None:
    spoken = [] if "alone" in name else [made_rulings.stated("debater_b", 1, "D")]
    judged = made_rulings.ruled("C", public="I traced it. ```json {} ```")
    record, grader = made_rulings.record_of("R", *spoken, judged), unreadable_grader()
    score_records([record], verdict_checks(), tmp_path, grader)
    check_text(f"grading/{name}", f"{text_of(calls_of(grader)[1])}\n")


def test_the_prompt_about_a_bet(tmp_path: Path) -> None:
    record, grader = betting(bet("debater_a", 60, private=THOUGHT)), unreadable_grader()
    score_records([record], bet_alignment(), tmp_path, grader)
    check_text("grading/bet_alignment", f"{text_of(calls_of(grader)[1])}\n")


# --- what prompts have to say, and what they must not ---------------------------------
