"""Every prompt of every role and round, against files that show a change of wording.

`UPDATE_GOLDEN=1 uv run pytest tests/solvers/test_golden_prompts.py` writes them again;
a change is a new version of the task.
"""

import os
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage
from inspect_ai.solver import Solver

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.solvers.baselines import ensemble, judge_alone, single
from inspect_debate.solvers.colmad import colmad, copmad
from inspect_debate.solvers.consultancy import consultancy
from inspect_debate.solvers.self_consistency import self_consistency
from inspect_debate.solvers.som import som
from tests.support.choices import OPTIONS, choice_item, chooser
from tests.support.models import scripted
from tests.support.reader import Script, reader
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
        def keep(
            messages: list[ChatMessage], description: TurnDescription | None
        ) -> str:
            assert description is not None
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
