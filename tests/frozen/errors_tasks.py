"""Parameters that the tasks refuse, before any data are read or any model is asked."""

from typing import Any

from tests.frozen.errors_data import COST, Case, _tasks

NAN, INFINITE = float("nan"), float("inf")

COLMAD: dict[str, Any] = {
    "protocol": {"protocol": "colmat"},
    "rounds -1": {"rounds": -1},
    "rounds 0 assigned": {"rounds": 0, "sides": "assigned"},
    "rounds 0 without openings": {"rounds": 0, "show_openings": False},
    "sides": {"sides": "both"},
    "skip_if_agree": {"skip_if_agree": "yes"},
    "turn_order": {"turn_order": "parallel"},
    "order": {"order": "abba"},
    "show_openings": {"show_openings": 1},
    "judge_sees_problem": {"judge_sees_problem": "no"},
    "config.max_unparsed": {"config.max_unparsed": 0.1},
    "reuse": {"reuse": "none.eval"},
    "reuse a number": {"reuse": 7},
    "reuse_until": {"reuse_until": "verdict"},
    "reuse_until alone": {"reuse_until": "answers"},
    "reuse_until of another": {"protocol": "single", "reuse_until": "bogus"},
    "rounds of single": {"protocol": "single", "rounds": 3},
    "reuse of judge_alone": {"protocol": "judge_alone", "reuse": "x"},
    "order of single": {"protocol": "single", "order": "ab"},
    "rounds of som 0": {"protocol": "som", "rounds": 0},
    "rounds of som 2.0": {"protocol": "som", "rounds": 2.0},
    "n 0": {"protocol": "self_consistency", "n": 0},
    "n a text": {"protocol": "self_consistency", "n": "7"},
    "match": {"protocol": "self_consistency", "match": "none.eval"},
    "match and n": {"protocol": "self_consistency", "n": 7, "match": "none.eval"},
    "match_on": {"protocol": "self_consistency", "match_on": "time"},
    "match_on alone": {"protocol": "self_consistency", "match_on": "calls"},
    "grade": {"grade": "debate_hackin"},
    "grade of two": {"grade": ["debate_hacking", "x"]},
    "grade empty": {"grade": ""},
    "seed": {"seed": -1},
    "no parameter": {"roundz": 1},
    "answers reused where sides are assigned": (
        {"sides": "assigned", "reuse": "x.eval", "reuse_until": "answers"},
        {"x.eval": "x"},
    ),
    "reuse no log": ({"reuse": "x.eval"}, {"x.eval": "x"}),
    "match no log": (
        {"protocol": "self_consistency", "match": "x.eval"},
        {"x.eval": "x"},
    ),
    "reuse a JSON file": ({"reuse": "x.json"}, {"x.json": {}}),
    **{
        f"budget_usd {value!r}": {"budget_usd": value}
        for value in (0, -1, "5", True, NAN, INFINITE)
    },
    **{
        f"max_unparsed {value!r}": {"max_unparsed": value}
        for value in (0, -0.1, 1.01, "0.1", True, NAN)
    },
    "prices alone": {"prices": {"m": COST}},
}
CONFIDENCE: dict[str, Any] = {
    str(given): given
    for given in (
        {"protocol": "selff"},
        {"rounds": 0},
        {"rounds": 2.5},
        {"win_probability": 150},
        {"win_probability": "fifty"},
        {"bet_visibility": "secret"},
        {"own_bets_shown": "yes"},
        {"bet_as": "stake", "stakes": False},
        {"bet_as": "apart", "stakes": False},
        {"bet_as": "both of them"},
        {"bet_call": "later"},
        {"bet_reasoning": "slow"},
        {"opponent": "nobody"},
        {"opponent_note": "strong"},
        {"turn_order": "random"},
        {"jury_passes": -1},
        {"order": "abba"},
        {"repetitions": 0},
        {"repetitions": 1.5},
        {"seed": -1},
        {"alignment": "maybe"},
        {"prompts": "nowhere.yaml"},
        {"reuse": 7},
        {"reuse": "nowhere.eval"},
        {"reuse_until": "debate"},
        {"reuse_until": "bets"},
        {"config.shortest": -1},
        {"config.shortests": 1},
        {"wings": 2},
        {"budget_usd": 0},
        {"max_unparsed": 2},
    )
}
DEBATE: dict[str, Any] = {
    str(given): given
    for given in (
        {"protocol": "colmat"},
        {"protocol": "nobody/knows"},
        {"protocol": "copmad", "protocol.turns": 3},
        {"protocol": "single", "rounds": 1},
        {"protocol": "x/y", "rounds": 1, "protocol.rounds": 2},
        {"protocol": "inspect_ai/prompt_template", "protocol.turns": 2},
        {"hidden": "question"},
        {"fields": {"query": "ask"}},
        {"fields": "f.yaml", "fields.question": "q"},
        {"candidates": "all"},
        {"answers": "free", "sides": "assigned"},
        {"answers": "free", "protocol": "consultancy"},
        {"reuse_until": "debate"},
        {"reuse": "none.eval"},
        {"roundz": 1},
        {"seed": -1},
        {"config.speach": 1},
        {"config.passage": "shown"},
        {"config.max_unparsed": 0.5},
        {"config": {"answers": "free"}},
        {"budget_usd": 0},
        {"max_unparsed": 2},
        {"prompts": "none.yaml"},
        {"grade": "x"},
    )
}
GENERATIVE: dict[str, Any] = {
    str(given): given
    for given in (
        {"protocol": "dual_debates"},
        {"protocol": "debate"},
        {"dataset": "bcbs"},
        {"seed": 0.5},
        {"rounds": -1},
        {"rounds": True},
        {"rounds": 1.5},
        {"rounds": "two"},
        {"best_of": 0},
        {"best_of": "4x"},
        {"rounds": 0, "best_of": 4},
        {"rounds": 0, "turn_order": "sequential"},
        {"rounds": 0, "debater_style": "honest"},
        {"turn_order": "parallel"},
        {"order": "random"},
        {"judge_answer": "yes"},
        {"judge_style": "strict"},
        {"debater_style": "true"},
        {"protocol": "direct_qa", "rounds": 1},
        {"protocol": "dual_no_transcript", "best_of": 2},
        {"answers": "same"},
        {"reuse_until": "answers"},
        {"reuse_until": "all"},
        {"reuse": "none.eval"},
        {"reuse": "x", "reuse_until": "speech"},
        {"reuse": "x.eval", "answers": "fresh"},
        {"protocol": "direct_qa", "reuse": "x.eval"},
        {
            "protocol": "dual_no_transcript",
            "reuse": "x.eval",
            "reuse_until": "debate",
        },
        {"config": {"word_limit": 0}},
        {"config": {"words": 1}},
        {"config.max_reasks": -1},
        {"config.answer.temperature": -1},
        {"config.candidate.temperature": 1},
        {"prompts": "no/such.yaml"},
        {"speech_rounds": 2},
        {"temperature": 0},
        {"sandbox": "bubblewrap"},
        {"interpreter": "python3"},
        {"eligible": "list.jsonl"},
        {"grades": "folder"},
        {"unsafe_local": True},
        {"budget_usd": 0},
        {"max_unparsed": 2},
    )
}
DOCKER: dict[str, Any] = {"sandbox": "docker"}
UNSAFE: dict[str, Any] = {"sandbox": "local", "unsafe_local": True}
CODED_WRONG: tuple[dict[str, Any], ...] = (
    {"dataset": "bigcodebench"},
    {"dataset": "bcb", "split": "test"},
    {"sandbox": "local"},
    {"sandbox": "podman"},
    {"sandbox": "bubblewrap:a.yaml"},
    {"sandbox": "docker:none.yaml"},
    UNSAFE | {"interpreter": "no/such/python"},
    UNSAFE | {"interpreter": "no-such-python"},
    UNSAFE | {"config.grading.processes": 99},
    DOCKER | {"config.grading.memory_mb": 999},
    UNSAFE | {"config.grading.seconds": 0},
    UNSAFE | {"config.grading.minutes": 1},
    UNSAFE | {"eligible": "no/such.jsonl"},
)
CODED: dict[str, Any] = {str(given): given for given in CODED_WRONG}
HEADER = '{"data": {}, "grader": {}}\n'
LISTED = {
    "empty": "",
    "a word": "bcbs-night-shifts\n",
    "another key": '{"data": {}, "grader": {}, "more": 1}\n',
    "a wrong status": HEADER + '{"task": "a", "status": "good"}\n',
    "other tasks": '{"data": {"dataset": "bcb"}, "grader": {}}\n',
    "a folder": None,
}
CODED |= {
    f"eligible {id}": (UNSAFE | {"eligible": "list.jsonl"}, {"list.jsonl": content})
    for id, content in LISTED.items()
}
CODED |= {
    "no Python that runs": (UNSAFE | {"interpreter": "./a.txt"}, {"a.txt": "x"}),
    "no folder for grades": (UNSAFE | {"grades": "a.txt/x"}, {"a.txt": "x"}),
}
CHECK_WRONG: tuple[dict[str, Any], ...] = (
    {"checks": "orderr"},
    {"checks": []},
    {"seed": -1},
    {"human_labels": "none.csv"},
    {"config.passage": "shown"},
    {"prompts": "none.yaml"},
    {"judge": "x"},
    {"debates": "none.eval"},
    {"debates": 7},
    {"budget_usd": 0},
    {"max_unparsed": 2},
)
JUDGE_CHECK: dict[str, Any] = {str(given): given for given in CHECK_WRONG}
LABELS = {
    "another id": ("l.csv", "id,answer\nq9,A\n"),
    "no answer": ("l.csv", "id,label\nq1,A\n"),
    "another column": ("l.csv", "id,answer,who\nq1,A,x\n"),
    "an empty answer": ("l.csv", "id,answer\nq1,\n"),
    "no label": ("l.csv", "id,answer\n"),
    "more cells": ("l.csv", "id,answer\nq1,A,x,y\n"),
    "no JSON": ("l.jsonl", "{"),
    "a list": ("l.jsonl", "[1]"),
    "another ending": ("l.txt", "x"),
}
JUDGE_CHECK |= {
    f"labels: {id}": ({"human_labels": name}, {name: text})
    for id, (name, text) in LABELS.items()
}
SRDCR: dict[str, Any] = {
    str(given): given
    for given in (
        {"protocol": "srdrc"},
        {"rounds": True},
        {"rounds": -1},
        {"tau": 1.5},
        {"confidence_from": "logprob"},
        {"consistency_samples": 0},
        {"recall_samples": -32},
        {"turn_order": "parallel"},
        {"critic_sees_context": "rebuttals"},
        {"followups_see": "passage"},
        {"agents": 3},
        {"order": "ba"},
        {"protocol": "judge_debate", "order": "up"},
        {"protocol": "judge_debate", "judge_after": "1,x"},
        {"protocol": "judge_debate", "judge_after": "1,7"},
        {"protocol": "judge_debate", "judge_after": []},
        {"protocol": "naive_debate", "rounds": -1},
        {"protocol": "naive_debate", "agents": 0},
        {"protocol": "rci", "tau": 0.9},
        {"protocol": "golden", "rounds": 6},
        {"skip_if_agree": "yes"},
        {"show_openings": "yes"},
        {"judge_sees_context": 2},
        {"reuse_until": "answers"},
        {"reuse": "none.eval"},
        {"protocol": "rci", "reuse": "x.eval"},
        {"protocol": "judge_debate", "reuse": "x", "reuse_until": "debate"},
        {"reuse": "x", "reuse_until": "speech"},
        {"config": {"word_limit": 0}},
        {"config": {"words": 1}},
        {"config.recall.temperature": -1},
        {"temperature": 0},
        {"prompts": "none.yaml"},
        {"seed": -1},
        {"budget_usd": 0},
        {"max_unparsed": 2},
    )
}


def _on_logs() -> list[Case]:
    """Logs that cannot be used again or judged, by (task, args, the log)."""
    sample = {"source": "sample"}
    reuse = {"reuse": "colmad.eval"}
    tried: dict[str, tuple[str, dict[str, Any], str]] = {
        "foreign": ("colmad", sample | {"reuse": "foreign.eval"}, "foreign"),
        "another study": ("colmad", sample | {"reuse": "srdcr.eval"}, "srdcr"),
        "other rounds": ("colmad", sample | reuse | {"rounds": 2}, "colmad"),
        "single": ("colmad", sample | {"reuse": "single.eval"}, "single"),
        "debate by ensemble": (
            "colmad",
            sample | {"reuse": "ensemble.eval", "reuse_until": "debate"},
            "ensemble",
        ),
        "match without debates": (
            "colmad",
            sample | {"protocol": "self_consistency", "match": "single.eval"},
            "single",
        ),
        "match foreign": (
            "colmad",
            sample | {"protocol": "self_consistency", "match": "foreign.eval"},
            "foreign",
        ),
        "match on cost": (
            "colmad",
            sample
            | {"protocol": "self_consistency", "match": "colmad.eval"}
            | {"match_on": "cost"},
            "colmad",
        ),
        "srdcr missing": ("srdcr", sample | {"reuse": "srdcr.eval"}, "srdcr"),
        "srdcr other rounds": (
            "srdcr",
            sample | {"reuse": "srdcr.eval", "reuse_until": "debate", "rounds": 6},
            "srdcr",
        ),
        "srdcr of colmad": ("srdcr", sample | reuse, "colmad"),
        "generative other data": (
            "generative",
            {"dataset": "arc", "source": "sample", "reuse": "other.eval"},
            "other",
        ),
        "generative direct": (
            "generative",
            sample | {"reuse": "direct.eval"},
            "direct",
        ),
        "generative style": (
            "generative",
            sample
            | {"reuse": "generative.eval", "reuse_until": "debate"}
            # A debate that was run otherwise.
            | {"debater_style": "honest"},
            "generative",
        ),
        "confidence foreign": ("confidence", {"reuse": "foreign.eval"}, "foreign"),
        "confidence of colmad": ("confidence", reuse, "colmad"),
        "confidence preset": (
            "confidence",
            {"reuse": "confidence.eval", "protocol": "public", "jury_passes": 1},
            "confidence",
        ),
        "confidence rounds": (
            "confidence",
            {"reuse": "confidence.eval", "rounds": 2, "jury_passes": 1},
            "confidence",
        ),
        "confidence motions": (
            "confidence",
            {"reuse": "confidence.eval", "motions": "a.txt"},
            "confidence",
        ),
        "debate of other sides": (
            "debate",
            {"protocol": "copmad", "reuse": "debate.eval", "sides": "free"},
            "debate",
        ),
        "judge check foreign": ("judge_check", {"debates": "foreign.eval"}, "foreign"),
        "judge check alone": ("judge_check", {"debates": "alone.eval"}, "alone"),
        "judge check consultancy": (
            "judge_check",
            {"debates": "consultancy.eval"},
            "consultancy",
        ),
    }
    return [
        {"id": f"log: {id}", "run": "task", "name": task, "args": args, "logs": [log]}
        for id, (task, args, log) in tried.items()
    ]


CASES: list[Case] = [
    *_tasks("colmad", "colmad", COLMAD, source="sample"),
    *_tasks("confidence", "confidence", CONFIDENCE),
    *_tasks("debate", "debate", DEBATE),
    *_tasks("generative", "generative", GENERATIVE, source="sample"),
    *_tasks("generative", "code", CODED, source="sample", dataset="bcb_plus"),
    *_tasks("judge_check", "judge_check", JUDGE_CHECK),
    *_tasks("srdcr", "srdcr", SRDCR, source="sample"),
    *_on_logs(),
]
