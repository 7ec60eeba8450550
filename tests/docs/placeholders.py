"""Models, logs and files in place of the names that pages leave to their readers."""

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path

from inspect_ai.log import read_eval_log_sample_summaries

from inspect_debate.reports.judges.sheet import sheet_of, write_key
from inspect_debate.reports.judges.steps import Judging, Said, said_now
from tests.support.pages import PAGES, ROOT, blocks
from tests.transcripts.made import release

MODELS = {
    "M1": "simulated/balanced",
    "M2": "simulated/hesitant",
    "M3": "simulated/perfect",
    "M4": "simulated/overconfident",
    "M5": "simulated/first_speaker",
    "J1": "simulated/balanced",
    "J2": "simulated/hesitant",
    "J3": "simulated/calibrated",
    "J4": "simulated/first_speaker",
    "MODEL": "simulated/balanced",
    "M": "simulated/balanced",
}
REAL = re.compile(r"\b(openai|together|anthropic|google)/[\w./-]+")
NAMED = re.compile(rf"\b({'|'.join(MODELS)})\b")
REHEARSAL = re.compile(r"logs/rehearsals/[\w-]+|\bFOLDER\b")

# Their data would be downloaded.
PUBLISHED = ("colmad", "srdcr", "generative")

TASK = """
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import choice


@task
def mine() -> Task:
    samples = [
        Sample(id=n, input=f"{n} + {n}?", choices=["3", str(2 * n)], target="B")
        for n in range(4, 8)
    ]
    return Task(dataset=MemoryDataset(samples), scorer=choice())
"""
GRIDS = """
from inspect_ai import Task, task

from inspect_debate.evals.generative import load


@task
def grids() -> Task:
    return Task(dataset=load("arc", None, None, "sample", 0).dataset)
"""
FARMS = [
    {
        "id": f"farm-{n}",
        "question": f"Which crop grows on field {n}?",
        "options": ["rye", "oats", "flax"],
        "answer": "ABC"[n % 3],
        "passage": f"On field {n} there is {('rye', 'oats', 'flax')[n % 3]} this year.",
    }
    for n in range(4)
]
HOUSES = """nr,asked,a,b,c,d,key
1,Which house is red?,the first,the second,the third,the last,B
2,Which house is tall?,the first,the second,the third,the last,D
"""
ROOMS = [
    {"q": "Which room has no window?", "names": ["the cellar", "cellar"]},
    {"q": "Which room is the largest?", "names": "the hall"},
]


def furnish(folder: Path) -> None:
    """Write what the pages' commands read: the tasks, and a reader's own files.

    A file that a page shows begins with its name.

    Args:
        folder: Where commands are typed.
    """
    for name in ("configs", "docs", "evals", "examples"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "logs").mkdir()
    (folder / "logs" / "examples").symlink_to(ROOT / "logs" / "examples")
    (folder / "mine.py").write_text(TASK)
    (folder / "grids.py").write_text(GRIDS)
    lines = "".join(json.dumps(row) + "\n" for row in FARMS)
    (folder / "farms.jsonl").write_text(lines)
    (folder / "mine.jsonl").write_text(lines)
    (folder / "houses.csv").write_text(HOUSES)
    (folder / "rooms.json").write_text(json.dumps(ROOMS))
    release(folder / "llms_overconfidence")
    for block in blocks(ROOT / "docs" / "transcripts.md", "json"):
        line = json.dumps(json.loads(block.text))
        (folder / "debates.jsonl").write_text(line + "\n")
    for page in PAGES:
        for block in blocks(page, "yaml"):
            if named := re.match(r"# ([\w.]+)", block.text):
                (folder / named[1]).write_text(block.text)


def placed(words: list[str], folder: Path, logs: list[Path]) -> list[str]:
    """A command with its placeholders replaced, on one sample of the suite.

    Args:
        words: The command on the page.
        folder: Where it is typed.
        logs: Logs of the earlier runs; LOG is the first and DEBATES the last.
    """
    done = list(_placed(words, folder, logs))
    evaluated = done[:2] == ["inspect", "eval"]
    if not any(word.startswith("source=") for word in done) and _downloads(done):
        done += ["-T", "source=sample"]
    if evaluated and "--limit" not in done:
        done += ["--limit", "1"]
    return done


def _downloads(words: list[str]) -> bool:
    """Whether the first file that a command names is that of a study with such data."""
    files = (word for word in words if word.endswith((".py", ".yaml")))
    study = Path(next(files, "")).stem.removesuffix("_paper")
    return study in PUBLISHED


def _placed(words: list[str], folder: Path, logs: list[Path]) -> Iterator[str]:
    following = iter(logs)
    for before, word in zip(["", *words], words, strict=False):
        if word in ("mary.csv", "tom.csv"):
            _fill_in(folder / "sheet" / "sheet.csv", folder / word)
        if word.endswith(("mary.jsonl", "tom.jsonl")):
            _judge(logs[0], folder / word)
        if word.endswith("=labels.csv"):
            _label(logs[0], folder / "labels.csv")
        if word == "LOG" and not before.startswith("-"):
            yield str(next(following))
        elif "*" in word:
            yield from map(str, sorted(folder.glob(word)))
        elif word.startswith("-"):
            yield word
        else:
            yield _named(word, folder, logs)


def _named(word: str, folder: Path, logs: list[Path]) -> str:
    """A word with its placeholders replaced."""
    if re.search(r"\bLOG\b", word):
        word = word.replace("logs/LOG.eval", str(logs[0]))
        word = word.replace("scores/LOG/", f"scores/{logs[0].stem}/")
        word = re.sub(r"\bLOG\b", str(logs[0]), word)
    if "DEBATES" in word:
        word = word.replace("DEBATES", str(logs[-1]))
    if REHEARSAL.search(word):
        first = min((folder / "logs" / "rehearsals").iterdir())
        word = REHEARSAL.sub(str(first), word)
    word = REAL.sub("simulated/balanced", word)
    return NAMED.sub(lambda found: MODELS[found[0]], word)


def _label(log: Path, labels: Path) -> None:
    """Write human labels of a log's debates."""
    ids = {summary.id for summary in read_eval_log_sample_summaries(str(log))}
    labels.write_text(
        "id,answer\n" + "".join(f"{id},A\n" for id in sorted(map(str, ids)))
    )


def _judge(log: Path, said: Path) -> None:
    """Write what a judge said step by step of the debates of a log."""
    sheet = sheet_of(log, limit=40)
    write_key(sheet.key, said.parent)
    judging = Judging(said.stem, {e.code: e.shown for e in sheet.entries}, said)
    while place := judging.place():
        given = said_now(place, {"answer": "X", "percent": "70", "remark": "so"}, 1)
        assert isinstance(given, Said)
        judging.say(given)


def _fill_in(sheet: Path, filled: Path) -> None:
    """Write the sheet of a judge who always decides for the first side."""
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row |= {"verdict": "X", "confidence": "70"}
    with filled.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
