"""The runs whose requests and records are frozen: every protocol of every task."""

import shutil
import sys
from pathlib import Path
from typing import Any, NamedTuple

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import answer, choice, match

from tests.frozen.recorder import hashed, record, solver_named

TWO = {"debater_a": "a", "debater_b": "b", "judge": "j"}
ONE = {"debater_a": "a", "judge": "j"}
GRADED = {**TWO, "grader": "g"}
PANEL = {**TWO, "judge": ["j", "k"]}
POOL = {"debater_a": ["a", "b", "c"], "judge": ["j", "k"]}
REWARDED = {**TWO, "reward": "r"}


class Case(NamedTuple):
    """A run.

    Attributes:
        task: A registered task, or one of `FOREIGN`.
        args: The task's parameters, or the solver's on a foreign task.
        roles: The models' labels by role.
        replies: As of `Recorded`.
        limit: How many samples, each of which is run twice.
        solver: The solver on a foreign task.
        settings: Further settings of the run.
    """

    task: str
    args: dict[str, Any] = {}  # noqa: RUF012 (read only)
    roles: dict[str, Any] = TWO
    replies: str = "reader"
    limit: int = 1
    solver: str | None = None
    settings: dict[str, Any] = {}  # noqa: RUF012 (read only)

    def run(self, folder: Path) -> dict[str, Any]:
        """What the run asked for and left.

        Texts of simulated models are kept as hashes.
        """
        given: dict[str, Any] = {"roles": self.roles, "replies": self.replies}
        given |= {"limit": self.limit, **self.settings}
        if self.solver is None:
            return record(self.task, folder, args=self.args, **given)
        solver = solver_named(self.solver, **self.args)
        return record(FOREIGN[self.task](), folder, solver=solver, **given)

    def kept(self, folder: Path) -> dict[str, Any]:
        """The run as it is kept."""
        found = self.run(folder)
        return dict(hashed(found)) if self.simulated else found

    @property
    def simulated(self) -> bool:
        """Whether a simulated model replies."""
        return self.replies not in ("reader", "troubled")


def towns() -> Task:
    """Questions with options."""
    return Task(
        dataset=MemoryDataset(
            [
                Sample(
                    id="rivers",
                    input="Which of these rivers flows through Vienna?",
                    choices=["the Rhine", "the Danube", "the Elbe", "the Po"],
                    target="B",
                ),
                Sample(
                    id="lakes",
                    input="Which lake is the deepest?",
                    choices=["Baikal", "Garda", "Balaton"],
                    target="A",
                ),
            ]
        ),
        scorer=choice(),
    )


def sums() -> Task:
    """Questions that are answered in words."""
    return Task(
        dataset=MemoryDataset(
            [
                Sample(id="sum", input="What is two plus three?", target="five"),
                Sample(id="legs", input="How many legs has a fly?", target="six"),
            ]
        ),
        scorer=[match(location="end"), answer("line")],
    )


def passages() -> Task:
    """Questions with options about passages."""
    return Task(
        dataset=MemoryDataset(
            [
                Sample(
                    id="ferry",
                    input="When does the last boat leave in summer?",
                    choices=["at 18:00", "at 17:00"],
                    target="A",
                    metadata={
                        "passage": "From April to September boats leave at 07:10, "
                        "10:40, 14:20 and 18:00. In winter the last boat leaves an "
                        "hour earlier than in summer."
                    },
                )
            ]
        ),
        scorer=choice(),
    )


def grids() -> Task:
    """Tasks that are solved with grids."""
    return Task(
        dataset=MemoryDataset(
            [
                Sample(
                    id="turned",
                    input="Example: 1 2 becomes 2 1. What do 1 0 and 3 4 become?",
                    target="0 1\n\n4 3",
                    metadata={"answer_kind": "grids", "parts": 2},
                )
            ]
        ),
        scorer=match(),
    )


FOREIGN = {"towns": towns, "sums": sums, "passages": passages, "grids": grids}


def _colmad(**args: Any) -> dict[str, Any]:
    return {"source": "sample", **args}


def _arc(**args: Any) -> dict[str, Any]:
    return {"source": "sample", **args}


_SHORT = {"rounds": 1, "skip_if_agree": False}

COLMAD = {
    "colmad": Case("colmad", _colmad(), limit=2),
    "colmad_troubled": Case("colmad", _colmad(), replies="troubled", limit=3),
    "colmad_sequential": Case(
        "colmad", _colmad(turn_order="sequential", order="both", **_SHORT)
    ),
    "colmad_blind": Case(
        "colmad",
        _colmad(sides="assigned", show_openings=False, judge_sees_problem=False),
    ),
    "colmad_no_rounds": Case(
        "colmad", _colmad(rounds=0, skip_if_agree=False, order="ba"), PANEL
    ),
    "colmad_settings": Case(
        "colmad",
        _colmad(
            **_SHORT,
            config={
                "quotes": "khan",
                "quote_source": "input",
                "word_limit": 120,
                "parser": "realmistake",
                "max_reasks": 2,
                "verdict": {"temperature": 0.2, "max_tokens": 900},
                "speech": {"temperature": "provider"},
            },
        ),
        {"judge": "j"},
        replies="troubled",
        settings={"temperature": 0.3, "max_tokens": 5000, "seed": 7, "top_p": 0.9},
    ),
    "colmad_graded": Case(
        "colmad",
        _colmad(**_SHORT, grade=["debate_hacking", "explanation_alignment"]),
        GRADED,
        replies="troubled",
        limit=2,
    ),
    "copmad": Case("colmad", _colmad(protocol="copmad"), limit=2),
    "copmad_troubled": Case(
        "colmad", _colmad(protocol="copmad"), replies="troubled", limit=2
    ),
    "som": Case("colmad", _colmad(protocol="som", rounds=2), replies="troubled"),
    "ensemble": Case("colmad", _colmad(protocol="ensemble"), limit=2),
    "self_consistency": Case("colmad", _colmad(protocol="self_consistency", n=3)),
    "single": Case("colmad", _colmad(protocol="single"), {}),
    "judge_alone": Case("colmad", _colmad(protocol="judge_alone", order="both"), PANEL),
    "simulated_colmad": Case("colmad", _colmad(), replies="balanced", limit=3),
    "simulated_malformed": Case("colmad", _colmad(), replies="malformed", limit=3),
    "simulated_som": Case(
        "colmad", _colmad(protocol="som", seed=3), replies="refusing", limit=2
    ),
}

CONFIDENCE = {
    "cross_model": Case("confidence", {"protocol": "cross_model"}, PANEL, limit=2),
    "cross_model_troubled": Case(
        "confidence", {"protocol": "cross_model"}, replies="troubled", limit=2
    ),
    **{
        name: Case("confidence", {"protocol": name}, {})
        for name in ("self", "informed_self", "public", "redteam", "redteam_v2")
    },
    "deceptive": Case("confidence", {"protocol": "deceptive"}, {}, replies="troubled"),
    "four_round": Case("confidence", {"protocol": "four_round"}, {}),
    "apart": Case(
        "confidence",
        {
            "bet_as": "apart",
            "bet_call": "separate",
            "bet_visibility": "public",
            "rounds": 2,
            "jury_passes": 1,
            "order": "both",
            "win_probability": 60,
            "config": {"juror_sees_motion": True, "structure_in": "instruction"},
        },
        replies="troubled",
        limit=2,
    ),
    "probability": Case(
        "confidence",
        {"bet_as": "probability", "rounds": 1, "order": "ba", "alignment": True},
        GRADED,
    ),
    "pool": Case(
        "confidence",
        {"rounds": 1, "jury_passes": 1, "turn_order": "sequential", "repetitions": 2},
        POOL,
        limit=3,
    ),
    "simulated_cross_model": Case("confidence", replies="escalating", limit=2),
    "simulated_hostile": Case(
        "confidence",
        {"protocol": "four_round", "jury_passes": 1, "seed": 5},
        ONE,
        replies="hostile",
        limit=2,
    ),
}

_CLASH: dict[str, Any] = {"source": "sample", "questions": 6, "shots": 2}

_ANSWERED: dict[str, dict[str, Any]] = {
    "confidence_only": {"tau": 0.5},
    "few_shot": {"confidence_from": "self_consistency"},
    "golden": {},
    "token_prob": {"confidence_from": "logprobs"},
    "calibrated_token_prob": {"recall_samples": 1},
}


SRDCR = {
    "srdcr": Case("srdcr", {**_CLASH, "rounds": 2}, limit=2),
    "srdcr_troubled": Case(
        "srdcr",
        {
            **_CLASH,
            "rounds": 3,
            "confidence_from": "both",
            "consistency_samples": 2,
            "recall_samples": 2,
        },
        PANEL,
        replies="troubled",
        limit=2,
    ),
    "acvd_only": Case(
        "srdcr",
        {
            **_CLASH,
            "protocol": "acvd_only",
            "rounds": 2,
            "turn_order": "simultaneous",
            "show_openings": True,
            "judge_sees_context": True,
            "critic_sees_context": True,
        },
    ),
    "released": Case(
        "srdcr",
        {
            **_CLASH,
            "rounds": 3,
            "critic_sees_context": "openings",
            "followups_see": "transcript",
        },
        {},
    ),
    **{
        name: Case("srdcr", {**_CLASH, "protocol": name, **more}, {})
        for name, more in _ANSWERED.items()
    },
    "self_ask": Case("srdcr", {**_CLASH, "protocol": "self_ask"}, {}, "troubled", 4),
    "rci": Case("srdcr", {**_CLASH, "protocol": "rci"}, {}, "troubled", 2),
    "judge_debate": Case(
        "srdcr",
        {**_CLASH, "protocol": "judge_debate", "rounds": 3, "order": "both"},
        replies="troubled",
        limit=2,
    ),
    "judge_debate_at_once": Case(
        "srdcr",
        {
            **_CLASH,
            "protocol": "judge_debate",
            "rounds": 2,
            "judge_after": 1,
            "turn_order": "simultaneous",
        },
        {},
    ),
    "naive_debate": Case(
        "srdcr",
        {**_CLASH, "protocol": "naive_debate", "agents": 3, "rounds": 2},
        replies="troubled",
    ),
    "simulated_srdcr": Case("srdcr", {**_CLASH, "recall_samples": 2}, limit=2)._replace(
        replies="balanced"
    ),
    "simulated_judge_debate": Case(
        "srdcr", {**_CLASH, "protocol": "judge_debate"}, replies="truncating", limit=2
    ),
}

GENERATIVE = {
    **{
        name: Case("generative", _arc(protocol=name))
        for name in (
            "single_consultancy",
            "dual_no_transcript",
            "single_no_transcript",
            "direct_qa",
        )
    },
    "dual_debate": Case("generative", _arc(), PANEL, limit=2),
    "dual_debate_troubled": Case(
        "generative", _arc(judge_answer=True), replies="troubled", limit=2
    ),
    "dual_debate_chosen": Case(
        "generative",
        _arc(
            best_of=2,
            turn_order="sequential",
            order="both",
            judge_style="verifying",
            debater_style="honest",
            answers="fresh",
        ),
        REWARDED,
        replies="troubled",
    ),
    "dual_consultancy": Case(
        "generative", _arc(protocol="dual_consultancy", order="ba", rounds=1)
    ),
    "single_debate": Case("generative", _arc(protocol="single_debate"), {}),
    "single_debate_chosen": Case(
        "generative",
        _arc(protocol="single_debate", best_of=3, turn_order="sequential"),
        REWARDED,
        replies="troubled",
        settings={"seed": 11},
    ),
    "simulated_dual_debate": Case(
        "generative", _arc(best_of=2), replies="balanced", limit=2
    ),
    "simulated_single_debate": Case(
        "generative", _arc(protocol="single_debate"), replies="malformed", limit=2
    ),
}

CODE = {
    "code": Case(
        "generative",
        {
            "dataset": "bcb_plus",
            "source": "sample",
            "sandbox": "bubblewrap",
            "protocol": "dual_debate",
            "judge_answer": True,
            "rounds": 1,
        },
    ),
}

DEBATE = {
    "copmad": Case("debate", limit=2),
    "copmad_troubled": Case("debate", replies="troubled", limit=2),
    "copmad_free_sides": Case(
        "debate",
        {
            "sides": "free",
            "candidates": "all",
            "hidden": "nothing",
            "show_openings": True,
            "turn_order": "sequential",
            "order": "both",
            "rounds": 1,
        },
    ),
    "copmad_blind": Case("debate", {"judge_sees_problem": False, "rounds": 1}, PANEL),
    "colmad": Case("debate", {"protocol": "colmad", "rounds": 1}),
    "consultancy": Case(
        "debate", {"protocol": "consultancy"}, replies="troubled", limit=2
    ),
    "consultancy_free_sides": Case(
        "debate",
        {"protocol": "consultancy", "sides": "free", "order": "both", "rounds": 1},
    ),
    "som": Case("debate", {"protocol": "som"}),
    "ensemble": Case("debate", {"protocol": "ensemble"}),
    "self_consistency": Case("debate", {"protocol": "self_consistency", "n": 2}),
    "single": Case("debate", {"protocol": "single"}, {}),
    "judge_alone": Case("debate", {"protocol": "judge_alone", "order": "both"}),
    "simulated_copmad": Case("debate", {"seed": 2}, replies="balanced", limit=2),
    "simulated_consultancy": Case(
        "debate", {"protocol": "consultancy"}, replies="hostile", limit=2
    ),
}

JUDGE_CHECK = {
    "all": Case("judge_check", {}, {"judge": "j"}, limit=2),
    "troubled": Case(
        "judge_check", {"checks": ["order", "padded"]}, {}, "troubled", limit=3
    ),
    "simulated": Case("judge_check", {"seed": 4}, {}, "balanced", limit=2),
}

_UNREAD = {"config": {"max_unparsed": 1.0}}
_WORDS = {"config": {"answers": "free"}}

SOLVERS = {
    "colmad": Case("towns", _UNREAD, TWO, "troubled", 2, "colmad"),
    "copmad": Case("towns", {"rounds": 1}, PANEL, limit=2, solver="copmad"),
    "consultancy": Case("towns", {"rounds": 1, "sides": "free"}, solver="consultancy"),
    "som": Case("towns", solver="som"),
    "ensemble": Case("towns", solver="ensemble"),
    "self_consistency": Case("towns", {"n": 3}, solver="self_consistency"),
    "single": Case("towns", {}, {}, solver="single", limit=2),
    "judge_alone": Case("towns", {"order": "both"}, {}, solver="judge_alone"),
    "words_colmad": Case("sums", _WORDS, limit=2, solver="colmad"),
    "words_copmad": Case(
        "sums",
        {"config": {**_WORDS["config"], **_UNREAD["config"]}},
        TWO,
        "troubled",
        2,
    )._replace(solver="copmad"),
    "words_som": Case("sums", _WORDS, solver="som"),
    "words_single": Case(
        "sums", {"config": {"answers": "free", "answer_form": "bare"}}, solver="single"
    ),
    "words_judge_alone": Case("sums", _WORDS, solver="judge_alone"),
    "passage_copmad": Case(
        "passages", {"config": {"passage": "hidden"}, "rounds": 1}, solver="copmad"
    ),
    "grids": Case("grids", {"protocol": "single_debate", "rounds": 1}, ONE)._replace(
        solver="generative_debate"
    ),
}

GROUPS: dict[str, dict[str, Case]] = {
    "colmad": COLMAD,
    "confidence": CONFIDENCE,
    "srdcr": SRDCR,
    "generative": GENERATIVE,
    "code": CODE,
    "debate": DEBATE,
    "judge_check": JUDGE_CHECK,
    "solvers": SOLVERS,
}

BOXED = sys.platform == "linux" and shutil.which("bwrap") is not None


def file_name(group: str) -> str:
    """Where the expected values of a group are."""
    return f"requests_{group}.json.gz"
