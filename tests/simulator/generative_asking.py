"""Asking simulated models for solutions, speeches about them, and rulings."""

from collections.abc import Sequence
from typing import Any

from inspect_debate.datasets import sources as answer_key
from inspect_debate.datasets.sources import SolutionTruth as Solution
from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.record import Kind, Parsed
from inspect_debate.grading.code import read_code
from inspect_debate.grading.grids import read_grids
from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.generative import rulings
from inspect_debate.simulator.policy import Draws
from inspect_debate.solvers.rulings import read_rulings, read_stance

PARTS = 2
ENTRY_POINT = "task_func"
INTERACTIONS = ("none", "consultancy", "debate")


def known(n: int) -> Solution:
    """What is true of task `n`: two grids, the second of a single cell."""
    texts = [f"{n % 10} 0 {x}\n1 {x} 2\n\n{x}" for x in range(4)]
    return Solution(texts[0], tuple(texts[1:]))


def known_code(n: int) -> Solution:
    """What is true of programming task `n`; blank lines part nothing."""
    texts = [
        f"import os\n\n\ndef {ENTRY_POINT}(x):\n    y = {n}\n\n    return x + y - {x}"
        for x in range(4)
    ]
    return Solution(texts[0], tuple(texts[1:]))


def in_code(turn: TurnDescription, n: int) -> TurnDescription:
    """A turn on task `n`, as it is on programming task `n`."""
    question, grids, code = f"code {n}", known(n), known_code(n)
    answer_key.register_solution(question, code)
    of = {grids.right: code.right, **dict(zip(grids.wrong, code.wrong, strict=True))}
    return turn.model_copy(
        update={
            "question": question,
            "answer_kind": "code",
            "shown": tuple(of[answer] for answer in turn.shown),
            "own_answer": of.get(turn.own_answer or "", turn.own_answer),
        }
    )


def generative_turn(kind: Kind, n: int = 1, **values: Any) -> TurnDescription:
    """A turn of the first proposer, or of a judge of two right answers, on task `n`."""
    question = f"task {n}"
    answer_key.register_solution(question, known(n))
    spoken = {"format": "case", "round": 1, "rounds": 2, "interaction": "debate"}
    spoken |= {"own_answer": known(n).right}
    ruled = {"format": "rulings", "interaction": "debate", "choices": ("Alice", "Bob")}
    ruled |= {"shown": (known(n).right,) * 2}
    defaults: dict[Kind, dict[str, Any]] = {
        "answer": {"format": "solution"},
        "speech": spoken,
        "candidate": spoken | {"draw": "1", "best_of": 4},
        "verdict": ruled | {"participant": "judge"},
        "belief": ruled | {"participant": "judge", "format": "rulings_belief"},
        "reward": ruled
        | {"participant": "reward", "draw": "debater_a 1", "defends": "Alice"}
        | {"round": 1, "best_of": 4},
    }
    asked: dict[str, Any] = {"question": question, "sample": f"task{n}", "epoch": 1}
    asked |= {"seed": 0, "choices": (), "participant": "debater_a", "kind": kind}
    return TurnDescription(**{**asked, **defaults[kind], **values})


def review_turn(n: int = 1, **values: Any) -> TurnDescription:
    """A speech of the critic on a right answer."""
    kind: Kind = "candidate" if "draw" in values else "speech"
    asked = {"participant": "debater_b", "format": "review", **values}
    return generative_turn(kind, n, **asked)


def verdict_turn(
    n: int = 1, right: Sequence[bool] = (True,), kind: Kind = "verdict", **values: Any
) -> TurnDescription:
    """A verdict, or a reward, on right and wrong answers that are listed so."""
    shown = tuple(known(n).right if each else known(n).wrong[0] for each in right)
    choices = ("Alice", "Bob")[: len(right)]
    return generative_turn(kind, n, **{"choices": choices, "shown": shown} | values)


def generative_turns(n: int) -> list[TurnDescription]:
    """All turns of the study."""
    wrong = known(n).wrong[0]
    reviewed = {"choices": ("Alice", "Bob"), "shown": (wrong,)}
    return [
        generative_turn("answer", n),
        generative_turn("answer", n, participant="debater_b", interaction="debate"),
        generative_turn("answer", n, participant="judge"),
        generative_turn("answer", n, draw="dual_debate"),
        generative_turn("speech", n, own_answer=None),
        generative_turn("speech", n, round=2, interaction="consultancy"),
        generative_turn("candidate", n, draw="2", participant="debater_b"),
        review_turn(n),
        review_turn(n, round=2, draw="3", own_answer=wrong),
        *(
            verdict_turn(n, right, interaction=interaction)
            for interaction in INTERACTIONS
            for right in ((True,), (False, True), (False, False))
        ),
        verdict_turn(n, (True, False), choices=("Bob", "Alice"), best_of=4, draw="ba"),
        verdict_turn(n, (True,), choices=("Alice", "Bob"), own_answer="agree"),
        verdict_turn(n, (True, False), format="rulings_first"),
        generative_turn("belief", n, round=1),
        generative_turn("reward", n),
        generative_turn("reward", n, **reviewed, own_answer="disagree", defends="Bob"),
        generative_turn("reward", n, **reviewed, own_answer=None, draw="debater_b 2"),
    ]


def read_generative(turn: TurnDescription, text: str) -> dict[str, Parsed]:
    """What a protocol reads in a completion."""
    match turn.format:
        case "solution" if turn.answer_kind == "code":
            return {"answer": read_code(text, ENTRY_POINT)}
        case "solution":
            return {"answer": read_grids(text, PARTS)}
        case "review":
            return {"stance": read_stance(text)}
        case "rulings" | "rulings_first" | "rulings_belief":
            return {
                f"{what} {name}": found
                for name, ruling in read_rulings(text, turn.choices).items()
                for what, found in ruling._asdict().items()
            }
        case _:
            return {"speech": Parsed.ok("") if text.strip() else Parsed.unparsed()}


def endorsed(behaviour: Behaviour, turn: TurnDescription) -> tuple[bool, ...]:
    """Who is ruled correct, in the order of the choices."""
    return tuple(ruling.correct for ruling in rulings(Draws(behaviour, turn)).values())
