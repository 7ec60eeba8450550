"""Commands that are refused, with what `inspect-debate` prints then."""

from typing import Any

from tests.frozen.errors_data import Case

OWN = """
from inspect_ai import Task, task
from inspect_ai.dataset import Sample

@task
def own():
    return Task(dataset=[Sample(input="What?", target="That")])
"""
SEVERAL = OWN + OWN.replace("def own", "def other").rpartition("\n\n@task")[2].join(
    ("\n\n@task", "")
)
COIN = "--model simulated/coin"
COLMAD = f"estimate inspect_debate/colmad -T source=sample {COIN}"
SHEET = ["judge-sheet", "write", "debate.eval", "--out", "sheet"]
READ = "judge-sheet read {} --key sheet/key.json --out back --log debate.eval"

PLAIN = (
    # check
    "check",
    "check -M a=1",
    f"check {COIN} -M words",
    f"check {COIN} -M a=[",
    f"check {COIN} -M none=1",
    f"check {COIN} --study colmat",
    f"check {COIN} --items 0",
    f"check {COIN} --items x",
    f"check {COIN} --seed -1",
    f"check {COIN} --max-retries -1",
    f"check {COIN} --max-unparsed 2",
    f"check {COIN} --temperature x",
    f"check {COIN} --json no/f",
    f"check {COIN} --model-cost-config no",
    f"check {COIN} --none",
    "check --model-role juge=simulated/coin",
    "check --model-role judge=simulated/coin --study colmad",
    "check --model-role judge={top_p: 1}",
    "check --model-role judge={model: simulated/coin, top: 1}",
    "check --model-role judge",
    "check --model-role judge=simulated/coins",
    f"check {COIN} --model-role debater_a=simulated/coin,simulated/perfect",
    "check --model simulated/coins",
    "check --model simulated/coin/a,b",
    "check --model nobody/knows",
    # compare
    "compare colmad.eval",
    "compare --metric m",
    "compare colmad.eval --metric correct",
    "compare colmad.eval none.eval --metric correct",
    "compare colmad.eval single.eval --metric f1",
    "compare colmad.eval foreign.eval --metric match",
    "compare colmad.eval single.eval --metric correct --factor task",
    "compare colmad.eval single.eval --metric correct --factor nothing",
    "compare colmad.eval single.eval --metric correct --margin 0",
    "compare colmad.eval single.eval --metric correct --baseline none.eval",
    "compare colmad.eval partial.eval --metric correct",
    "compare colmad.eval debate.eval --metric correct",
    # estimate
    "estimate",
    f"estimate none.py {COIN}",
    f"estimate inspect_debate/none {COIN}",
    f"estimate several.py {COIN}",
    f"estimate own.py@on {COIN}",
    f"estimate own.py -T none=1 {COIN}",
    f"{COLMAD} -T rounds",
    f"{COLMAD} -T rounds={{",
    f"{COLMAD} -T rounds=-1",
    f"{COLMAD} -T none=1",
    f"{COLMAD} --rehearse 0",
    f"{COLMAD} --limit 0",
    f"{COLMAD} --epochs 0",
    f"{COLMAD} --connections 0",
    f"{COLMAD} --seconds-per-call 0",
    f"{COLMAD} --rehearsal none.eval",
    f"{COLMAD} --rehearsal single.eval",
    f"{COLMAD} --rehearsal foreign.eval",
    f"{COLMAD} -T rounds=1 --rehearsal partial.eval",
    f"{COLMAD} --generate-config list.yaml",
    f"{COLMAD} --generate-config none.yaml",
    f"{COLMAD} --prices list.yaml",
    f"{COLMAD} --prices none.yaml",
    # export
    "export none.eval --out x",
    "export list.yaml --out x",
    "export foreign.eval --out x",
    "export none.eval",
    "export --out x",
    "export none.eval --out x --format xlsx",
    # import
    "import llms-overconfidence nowhere --out x",
    "import llms-overconfidence nowhere",
    "import llms-overconfidence --out x",
    "import llms-overconfidence empty --out x",
    "import llms-overconfidence transcripts --out x",
    "import llms-overconfidence transcripts --out list.yaml",
    "import other",
    # judge-sheet
    "judge-sheet write none.eval --out x",
    "judge-sheet write --out x",
    "judge-sheet write none.eval",
    "judge-sheet write debate.eval --out x --limit 0",
    "judge-sheet write debate.eval --out x --per-stratum 0",
    "judge-sheet write alone.eval --out x",
    "judge-sheet write foreign.eval --out x",
    "judge-sheet write debate.eval copy/debate.eval --out x",
    "judge-sheet read a.csv --out x",
    "judge-sheet read a.csv --out x --key k",
    "judge-sheet read a.csv --out x --key list.yaml",
    # pairings
    "pairings balanced",
    "pairings balanced a",
    "pairings balanced a a",
    "pairings balanced a b --debates -1",
    "pairings balanced a b --debates x",
    "pairings balanced a b --motions 7",
    "pairings balanced a b --motions 0",
    "pairings balanced a b --motions x.yaml",
    "pairings balanced a b --family a",
    "pairings balanced a b --family c=x",
    "pairings balanced a b --out no/x.csv",
    "pairings swiss",
    "pairings swiss none",
    "pairings swiss confidence.eval",
    "pairings swiss colmad.eval",
    "pairings swiss --models a",
    "pairings rebalance",
    "pairings rebalance none.csv",
    "pairings rebalance none",
    "pairings rebalance self.csv",
    "pairings rebalance confidence.eval",
    # prompts
    "prompts show colmd",
    "prompts show colmad --key itm",
    "prompts show colmad --prompts none.yaml",
    "prompts diff colmad none.yaml",
    "prompts diff colmad list.yaml",
    # published
    "published counts colmda",
    "published faults --only colmad-x",
    "published counts --data nowhere",
    "published counts colmad --out no/x.csv",
    "published faults --data nowhere",
    # report
    "report colmda colmad.eval --out x",
    "report colmad none.eval --out x",
    "report colmad list.yaml --out x",
    "report colmad empty --out x",
    "report colmad foreign.eval --out x",
    "report colmad srdcr.eval --out x",
    "report srdcr colmad.eval --out x",
    "report debate colmad.eval --out x",
    "report generative colmad.eval --out x",
    "report confidence colmad.eval --out x",
    "report judge_check colmad.eval --out x",
    "report colmad partial.eval --out x",
    "report colmad unscored.eval --out x",
    "report colmad colmad.eval --out list.yaml",
    "report colmad none.eval",
    "report colmad --out x",
    # code
    "bcb-eligible --source sample --out l.jsonl --seconds 0",
    "bcb-eligible --source sample --out l.jsonl --memory-mb 1",
    "bcb-eligible --source sample --out l.jsonl --workers 0",
    "bcb-eligible --source sample --out l.jsonl --limit 0",
    "bcb-eligible --source sample --out l.jsonl --sandbox local",
    "bcb-eligible --source sample --out l.jsonl --sandbox podman",
    "bcb-eligible --source sample --out list.yaml --sandbox local --unsafe-local",
    "bcb-eligible --source sample --out empty --sandbox local --unsafe-local",
    "bcb-eligible --source sample --out list.yaml/x --sandbox local --unsafe-local",
    "bcb-eligible --source sample --out begun.jsonl --sandbox local --unsafe-local",
    "bcb-eligible --source no/such.jsonl --out l.jsonl",
    "bcb-eligible --dataset arc --out l.jsonl",
    "bcb-env",
    "bcb-env env --requirements none",
    "bcb-env env --without scipi",
    "bcb-env env --without scipy --requirements x",
    "bcb-env env --python 3.99",
    "bcb-env env --python ./none",
    "bcb-env empty --nltk-data empty",
    "sandbox-check --sandbox podman",
    "sandbox-check --sandbox local",
    "sandbox-check --sandbox local --unsafe-local --interpreter ./none",
    # of the command itself
    "repot",
    "--none",
)
LOGS = (
    *("alone", "colmad", "confidence", "debate", "foreign", "partial", "single"),
    *("srdcr", "unscored"),
)
FILES: dict[str, Any] = {
    "list.yaml": "- 1\n",
    "own.py": OWN,
    "several.py": SEVERAL,
    "empty": None,
    "transcripts/bad.json": "{",
    "transcripts/type.json": {"debate_type": "baseline"},
    "self.csv": "motion,proposition,opposition\ncars,a,a\n",
    "begun.jsonl": '{"data": {"dataset": "bcb_plus"}, "grader": {"sandbox": "x"}}\n',
}
FILLED = {
    "no table": ("mary.csv", ""),
    "no column": ("mary.csv", "code,answer\na,b\n"),
    "no verdict": ("mary.csv", "code,verdict\n"),
    "another code": ("mary.csv", "code,verdict\nnone,A\n"),
    "majority": ("majority.csv", "code,verdict\n"),
    "no name": ("--.csv", "code,verdict\n"),
    "cells": ("mary.csv", 'code,verdict\n"a,b\n'),
}


def _words(line: str) -> list[str]:
    """The words of a line; what is in braces is one of them."""
    words: list[str] = []
    for word in line.split(" "):
        if words and words[-1].count("{") > words[-1].count("}") and " " in line:
            words[-1] += f" {word}"
        else:
            words.append(word)
    return words


def _needed(words: list[str]) -> dict[str, Any]:
    """The files and logs of those above that a command names."""
    named = " ".join(words)
    files = {
        name: content
        for name, content in FILES.items()
        if name.split("/")[0] in (part.split("@")[0].split("/")[0] for part in words)
    }
    logs = [name for name in LOGS if f"{name}.eval" in named]
    return {"files": files, "logs": logs}


def _case(line: str) -> Case:
    words = _words(line)
    return {"id": f"cli: {line}", "run": "cli", "args": words} | _needed(words)


CASES: list[Case] = [
    *map(_case, PLAIN),
    *(
        {
            "id": f"sheet: {id}",
            "run": "cli",
            "logs": ["debate"],
            "before": [SHEET],
            "files": {name: text},
            "args": READ.format(f"./{name}").split(),
        }
        for id, (name, text) in FILLED.items()
    ),
    {
        "id": "sheet: a judge twice",
        "run": "cli",
        "logs": ["debate"],
        "before": [SHEET],
        "files": {"a/mary.csv": "code,verdict\n", "b/mary.csv": "code,verdict\n"},
        "args": READ.format("a/mary.csv b/mary.csv").split(),
    },
    {
        "id": "sheet: another log",
        "run": "cli",
        "logs": ["debate", "alone"],
        "before": [SHEET],
        "files": {"mary.csv": "code,verdict\n"},
        "args": READ.replace("debate.eval", "alone.eval").format("mary.csv").split(),
    },
    {
        "id": "sheet: another sheet's key",
        "run": "cli",
        "logs": ["debate"],
        "before": [SHEET],
        "args": [*SHEET, "--limit", "1"],
    },
]
