"""What ends a run, or a sample of it; and what models and scorers refuse."""

from typing import Any

from tests.frozen.errors_data import COST, Case

SAMPLE = {"source": "sample"}
TWO = ["simulated/balanced/anna", "simulated/balanced/ben"]


def _run(id: str, name: str, args: dict[str, Any] | None = None, **more: Any) -> Case:
    """A run of a task; `more` are settings of Inspect's."""
    case = {"id": f"run: {id}", "run": "eval", "name": name, "args": args or {}}
    return case | {"settings": more}


def _foreign(
    id: str, solver: str, sample: dict[str, Any], more: Any = None, **args: Any
) -> Case:
    """A protocol on a task of somebody else's; `more` are settings of Inspect's."""
    return {
        "id": f"solver: {id}",
        "run": "eval",
        "foreign": [{"id": "one", "input": "What?", "target": "A"} | sample],
        "solver": solver,
        "solver_args": args,
        "settings": more or {},
    }


def _model(name: str, **args: Any) -> Case:
    return {"id": f"model: {name} {args}", "run": "model", "name": name, "args": args}


def _scorer(name: str, log: str, **args: Any) -> Case:
    id = f"scorer: {name} {args}"
    return {"id": id, "run": "score", "name": name, "args": args, "log": log}


AB: dict[str, Any] = {"choices": ["this", "that"]}
ABC: dict[str, Any] = {"choices": ["this", "that", "neither"]}
GRIDS = {"answer_kind": "grids"}
CODE = {
    "answer_kind": "code",
    "code_prompt": "def f():\n",
    "test": "import unittest\nclass TestCases(unittest.TestCase):\n"
    "    def test_0(self):\n        pass\n",
    "entry_point": "f",
}
IMAGE = [
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "What?"},
            {"type": "image", "image": "data:image/png;base64,AAAA"},
        ],
    }
]


def _without(key: str) -> dict[str, Any]:
    return {"metadata": {k: v for k, v in CODE.items() if k != key}}


CASES: list[Case] = [
    *(
        _run(f"{task} role {role}", task, args, model_roles={role: "simulated/perfect"})
        for task, args, role in (
            ("colmad", SAMPLE, "referee"),
            ("confidence", {}, "juge"),
            ("srdcr", SAMPLE, "critic"),
        )
    ),
    _run(
        "budget",
        "colmad",
        SAMPLE
        | {"protocol": "single", "budget_usd": 1e-9}
        | {"prices": {"simulated/balanced": COST}},
        limit=3,
        max_samples=1,
    ),
    _run("two for a debater", "colmad", SAMPLE, model_roles={"debater_a": TWO}),
    _run("two for another", "srdcr", SAMPLE, model_roles={"debater_a": TWO}),
    _run("two judges in a check", "judge_check", {}, model_roles={"judge": TWO}),
    _run(
        "self-debate with another",
        "confidence",
        {"protocol": "self"},
        model_roles={"debater_b": "simulated/perfect"},
    ),
    _run(
        "a pool and another",
        "confidence",
        {"protocol": "cross_model"},
        model_roles={"debater_a": TWO, "debater_b": "simulated/perfect"},
    ),
    _run(
        "one model twice",
        "confidence",
        {"protocol": "cross_model"},
        model_roles={"debater_a": [TWO[0], TWO[0]]},
    ),
    _run(
        "no model for a jury",
        "confidence",
        {"protocol": "self", "jury_passes": 1},
        model=None,
        model_roles={"debater_a": TWO[0]},
    ),
    _run(
        "no model for a side",
        "confidence",
        {"protocol": "cross_model", "jury_passes": 0},
        model=None,
        model_roles={"debater_a": TWO[0]},
    ),
    _run(
        "another model for answers used again",
        "colmad",
        SAMPLE | {"reuse": "colmad.eval", "reuse_until": "answers", "rounds": 1},
        model="simulated/perfect",
    )
    | {"logs": ["colmad"]},
    # questions
    _foreign("no response", "single", {}),
    _foreign("one choice", "single", {"choices": ["this"]}),
    _foreign("many choices", "single", {"choices": [str(n) for n in range(27)]}),
    _foreign("two right", "single", ABC | {"target": ["A", "B"]}),
    _foreign("an image", "single", AB | {"input": IMAGE}),
    _foreign("words", "consultancy", {}, config={"answers": "free"}),
    _foreign("three for two sides", "colmad", ABC, sides="assigned"),
    _foreign("no debate without reading", "colmad", AB, rounds=0, show_openings=False),
    _foreign(
        "prompts of another kind",
        "single",
        AB,
        prompts="p.yaml",
    )
    | {"files": {"p.yaml": "position_error: x\n"}},
    _foreign("no such setting", "single", AB, config={"words": 1}),
    _foreign("no such parameter", "single", AB, rounds=1),
    _foreign("n and match", "self_consistency", AB, n=3, match="x.eval"),
    _foreign("match_on", "self_consistency", AB, match_on="calls"),
    _foreign("reuse", "colmad", AB, reuse="none.eval"),
    _foreign("reuse of another sample", "colmad", AB, reuse="colmad.eval", rounds=1)
    | {"logs": ["colmad"]},
    # passages
    _foreign("no passage", "srdcr", {}),
    _foreign("a number as passage", "srdcr", {"metadata": {"passage": 3}}),
    _foreign("nothing known", "rci", {"metadata": {"passage": "P."}}),
    _foreign("srdcr protocol", "srdcr", {}, protocol="rci"),
    _foreign("srdcr tau", "srdcr", {}, tau=2),
    # tasks that are solved
    _foreign("choices on a task", "generative_debate", AB),
    _foreign("no kind", "generative_debate", {}),
    _foreign("no parts", "generative_debate", {"metadata": GRIDS | {"parts": 0}}),
    _foreign("another kind", "generative_debate", {"metadata": {"answer_kind": "x"}}),
    _foreign("no grids", "generative_debate", {"metadata": GRIDS}),
    _foreign(
        "other parts",
        "generative_debate",
        {"target": "0 1\n1 0", "metadata": GRIDS | {"parts": 2}},
    ),
    _foreign("no solution", "generative_debate", {"target": "0", "metadata": GRIDS}),
    _foreign("no sandbox", "generative_debate", {"metadata": CODE}),
    _foreign("local", "generative_debate", {"metadata": CODE}, {"sandbox": "local"}),
    _foreign("no tests", "generative_debate", _without("test")),
    _foreign("no name", "generative_debate", _without("entry_point")),
    _foreign("tests", "generative_debate", {"metadata": CODE | {"test": "class"}}),
    _foreign("untested", "generative_debate", {"metadata": CODE | {"test": "x = 1"}}),
    # models
    _model("simulated/coins"),
    _model("simulated/coin/a,b"),
    _model("simulated/coin", judge_accuracy=2),
    _model("simulated/coin", juge_accuracy=1),
    _model("simulated/coin", refused_rate=0.7, truncated_rate=0.7),
    _model("simulated/balanced", confidence_right=0.99, confidence_spread=0.3),
    _model("simulated/coin", overbetting_rate=0.7, underbetting_rate=0.7),
    _model("simulated/coin", bet_opening=0.99, bet_spread=0.3),
    _model("simulated/coin", highly_known=0.7, maybe_known=0.7),
    _model("simulated/coin", logprobs_misaligned_rate=0.7, logprobs_cut_rate=0.7),
    _model("simulated/coin", certainty_right=0.99, certainty_spread=0.3),
    _model(
        "simulated/coin", ruling_confidence_right=0.99, ruling_confidence_spread=0.3
    ),
    _model("reading_judge/length", strength=-1),
    # scorers
    _scorer("bet_alignment", "confidence", min_bet=-1),
    _scorer("bet_alignment", "confidence", min_characters=True),
    # where nothing is installed
    {
        "id": "run: no sandbox works",
        "run": "task",
        "name": "generative",
        "args": SAMPLE | {"dataset": "bcb_plus"},
        "env": {"PATH": "/nonexistent"},
    },
    {
        "id": "run: no bubblewrap",
        "run": "eval",
        "name": "generative",
        "args": SAMPLE | {"dataset": "bcb_plus", "sandbox": "bubblewrap"},
        "env": {"PATH": "/nonexistent"},
    },
]
