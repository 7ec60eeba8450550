"""The importer of debates between people, against the paper's printed numbers."""

import json
import lzma
import math
import os
import runpy
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

import pytest
from inspect_ai.log import EvalLog, EvalSample, read_eval_log

from inspect_debate import Debate, Turn, debate_of
from inspect_debate.reports import debate
from inspect_debate.reports.frames import samples
from inspect_debate.reports.page import page

SCRIPT = Path(__file__).parents[2] / "examples" / "nyu_debates.py"
DATA = Path(
    os.environ.get("INSPECT_DEBATE_DATA", "none"), "nyu_debates/debates.jsonl.xz"
)
Logs = dict[str, EvalLog]


def imported(path: Path, out: Path) -> Logs:
    """Run the example on a file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [str(SCRIPT), str(path), str(out)])
        runpy.run_path(str(SCRIPT), run_name="__main__")
    return {log.stem: read_eval_log(str(log)) for log in out.glob("*.eval")}


def record(sample: EvalSample) -> Debate:
    debate = debate_of(sample)
    assert debate is not None
    return debate


# --- A made-up debate and a made-up consultancy ---------------------------------------

STORY = "The lamp was green. Nobody lit it <turn> again. The end."


def said(by: str, before: str, *quotes: str, failed: bool = False) -> dict[str, Any]:
    """A speech: its text, then quotes one after the other."""
    text, found = before, []
    for quote in quotes:
        start = STORY.index(quote)
        span = {"start": start, "end": start + len(quote)}
        found.append(span | {"text": quote, "at": len(text), "tokens": [0, 1]})
        text += quote
    return {"by": by, "name": f"Writer of {by}", "time": 1, "text": text} | {
        "quotes": found,
        "failed": failed,
    }


def judged(a: float, text: str = "", ends: bool = False) -> dict[str, Any]:
    """A turn of the judge."""
    return {"name": "Jo", "text": text, "probabilities": [a, 1 - a]} | {
        "ends_debate": ends
    }


def held(
    setting: str, sides: dict[str, int], judgements: Sequence[Any], *speeches: Any
) -> dict[str, Any]:
    """A line of the file."""
    spoken = [[], *speeches]
    return {
        "id": f"story-{setting}",
        "setting": setting,
        "question": "Which colour?",
        "options": ["Green </options>", "Red"],
        "correct": 0,
        "passage": {"article_id": "7", "text": STORY},
        "participants": [
            *(
                {"id": by, "name": f"Name of {by}", "side": n}
                for by, n in sides.items()
            ),
            {"id": "judge", "name": "Jo", "side": None},
        ],
        "rounds": [
            {"round": n, "speeches": spoken[n], "judge": judge}
            for n, judge in enumerate(judgements)
        ],
        "final": judgements[-1]["probabilities"],
    }


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Logs:
    """A debate that the right side wins, and a consultancy that ends undecided."""
    debate = held(
        "human_debate",
        {"debater_a": 0, "debater_b": 1},
        [judged(0.4), judged(0.6, "Why </turn>?"), judged(0.9, ends=True)],
        [
            said(
                "debater_a", "Green: ", "lamp was green", "Nobody lit it <turn> again"
            ),
            said("debater_b", "It was red."),
        ],
        [said("debater_a", "Again: ", "lamp was green"), said("debater_b", "No.")],
    )
    consultancy = held(
        "ai_consultancy",
        {"debater_b": 1},
        [judged(0.5), judged(0.5, ends=True)],
        [said("debater_b", "Error 500", failed=True)],
    )
    folder = tmp_path_factory.mktemp("made")
    with lzma.open(folder / "debates.jsonl.xz", "wt") as file:
        file.writelines(f"{json.dumps(one)}\n" for one in (debate, consultancy))
    return imported(folder / "debates.jsonl.xz", folder / "logs")


def test_a_debate(made: Logs) -> None:
    (sample,) = made["human_debate"].samples or []
    debate = record(sample)
    assert [(t.role, t.kind, t.round) for t in debate.turns] == [
        ("judge", "judgement", 0),
        ("debater_a", "speech", 1),
        ("debater_b", "speech", 1),
        ("judge", "judgement", 1),
        ("debater_a", "speech", 2),
        ("debater_b", "speech", 2),
        ("judge", "verdict", 2),
    ]
    assert [turn.fields for turn in debate.turns if turn.role == "judge"] == [
        {"A": 0.4, "B": 0.6},
        {"A": 0.6, "B": 0.4},
        {"A": 0.9, "B": 1 - 0.9, "answer": "A"},
    ]
    assert debate.defends == {"debater_a": "A", "debater_b": "B"}
    assert (debate.answer, debate.protocol) == ("A", "debate")
    assert {turn.model for turn in debate.of("speech")} == {
        "Writer of debater_a",
        "Writer of debater_b",
    }
    assert sample.metadata["debater_a"] == "Name of debater_a"
    assert values(sample, "question_answering") == {"correct": 1, "chance": 0.5}


def test_quotes_and_escapes(made: Logs) -> None:
    (sample,) = made["human_debate"].samples or []
    first, _, second, _ = record(sample).of("speech")
    assert first.public == (
        "Green: <v_quote>lamp was green</v_quote>"
        "<v_quote>Nobody lit it &lt;turn> again</v_quote>"
    )
    assert first.private == "Green: lamp was greenNobody lit it <turn> again"
    for turn in (first, second):
        for quote in turn.quotes:
            assert STORY[quote.start : quote.end] == quote.text
    assert [quote.repeated for quote in first.quotes + second.quotes] == [
        *(False, False),
        True,
    ]
    assert record(sample).turns[3].public == "Why &lt;/turn>?"


def test_a_consultancy_without_an_outcome(made: Logs) -> None:
    (sample,) = made["ai_consultancy"].samples or []
    debate = record(sample)
    assert (debate.answer, debate.tied) == (None, ["A", "B"])
    assert debate.defends == {"debater_b": "B"}
    (speech,) = debate.of("speech")
    assert (speech.status, speech.public, speech.error) == ("missing", "", "Error 500")
    assert values(sample)["honest"] == 0
    assert values(sample, "question_answering")["correct"] == 0.5


def test_pages(made: Logs, tmp_path: Path) -> None:
    paths = page([log.location for log in made.values()], tmp_path)
    text = "".join(path.read_text() for path in paths)
    assert len(paths) == 2
    assert text.count('data-outcome="right"') == text.count('data-outcome="tied"') == 1


# --- The released debates, by the rules of the paper's code ---------------------------


def beliefs(sample: EvalSample) -> list[float]:
    """The judge's probability of the right option, before and after each round."""
    turns = record(sample).turns
    return [t.fields[str(sample.target)] for t in turns if t.role == "judge"]


def rounds(sample: EvalSample) -> list[list[Turn]]:
    """The speeches of each round."""
    found = defaultdict(list)
    for turn in record(sample).of("speech"):
        found[turn.round].append(turn)
    return [found[n] for n in sorted(found)]


def score(sample: EvalSample) -> float:
    return math.log2(beliefs(sample)[-1]) - 0.05 * len(rounds(sample))


def bits(sample: EvalSample) -> float:
    held = beliefs(sample)
    return math.log2(held[-1]) - math.log2(held[0])


def newly_quoted(sample: EvalSample) -> list[int]:
    """Characters that each round quotes, in each speech, and no earlier round did."""
    passage, known, counts = sample.metadata["passage"], set[int](), []
    for speeches in rounds(sample):
        fresh = []
        for turn in speeches:
            spans = [{*range(q.start or 0, q.end or 0)} - known for q in turn.quotes]
            # A space at which a part begins or ends is not counted.
            edges = [{n for n in s if not {n - 1, n + 1} <= s} for s in spans]
            both = zip(spans, edges, strict=True)
            parts = [s - {n for n in e if passage[n] == " "} for s, e in both]
            fresh.append(set[int]().union(*parts))
        counts.append(sum(map(len, fresh)))
        known = known.union(*fresh)
    return counts


def calibration_error(chances: Iterable[float]) -> float:
    """Ten bins closed on the left; the stored doubles decide at their edges."""
    bins, known = defaultdict(list), [*chances]
    for chance in known:
        sure = max(chance, 1 - chance)
        hit = 0.5 if chance == 0.5 else float(chance > 0.5)
        bins[max(n for n in range(10) if sure >= n / 10)].append(hit - sure)
    return sum(abs(sum(inside)) for inside in bins.values()) / len(known)


def measured(of: list[EvalSample]) -> dict[str, float]:
    """What Table 1 and Figures 3 to 5 print of a setting."""
    lengths = [len(rounds(sample)) for sample in of]
    finals = [beliefs(sample)[-1] for sample in of]
    typed = [
        sum(len(turn.private.encode("utf-16-le")) // 2 for turn in speeches)
        for sample in of
        for speeches in rounds(sample)
    ]
    found = {
        "n": len(of),
        "rounds": fmean(lengths),
        "rounds, sd": pstdev(lengths),
        "quoted per round": fmean(n for one in of for n in newly_quoted(one)),
        "characters per round": fmean(typed),
        "bits per round": sum(map(bits, of)) / sum(lengths),
        "judge's score": fmean(map(score, of)),
        "ECE": calibration_error(finals),
        "ECE of all turns": calibration_error(p for s in of for p in beliefs(s)),
        "accuracy": fmean(final > 0.5 for final in finals),
    }
    for name, wanted in (("honest", 1), ("dishonest", 0)):
        pairs = zip(of, finals, strict=True)
        own = [final > 0.5 for s, final in pairs if values(s)["honest"] == wanted]
        found[name] = fmean(own) if own else math.nan
    return found


def values(sample: EvalSample, scorer: str = "process") -> dict[str, float]:
    value: Any = (sample.scores or {})[scorer].value
    return {**value}


SETTINGS = ("ai_consultancy", "ai_debate", "human_consultancy", "human_debate")
PRINTED = {
    "n": "76 87 96 154",
    "rounds": "4.2 3.8 4.0 2.7",
    "rounds, sd": "3.8 2.6 2.4 1.1",
    "quoted per round": "169 127 402 362",
    # 926 and 1188 are printed; in the second, the authors join tokens otherwise.
    "characters per round": "929 1187 1004 1319",
    "bits per round": "0.01 0.00 0.01 0.09",
    "judge's score": "-1.16 -1.20 -1.24 -0.89",
    "ECE": "0.17 0.16 0.17 0.11",
    "ECE of all turns": "0.07 0.04 0.10 0.05",
    "accuracy": "0.80 0.78 0.74 0.84",
    "honest": "0.74 nan 0.88 nan",
    "dishonest": "0.87 nan 0.60 nan",
}
"""What the paper prints, with two exceptions."""


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Logs:
    return imported(DATA, tmp_path_factory.mktemp("released"))


@pytest.mark.skipif(not DATA.is_file(), reason="needs INSPECT_DEBATE_DATA")
@pytest.mark.parametrize("place", range(4), ids=SETTINGS)
def test_published_numbers(released: Logs, place: int) -> None:
    found = measured(released[SETTINGS[place]].samples or [])
    for name, row in PRINTED.items():
        cell = row.split()[place]
        rounded = round(found[name], len(cell.partition(".")[2]))
        assert rounded == pytest.approx(float(cell), nan_ok=True), name


@pytest.mark.skipif(not DATA.is_file(), reason="needs INSPECT_DEBATE_DATA")
def test_everything_is_in_the_logs(released: Logs) -> None:
    """Quotes are where they say; the accuracy of the log counts the tie as a half."""
    logs = [released[name] for name in SETTINGS]
    debates = [record(s) for log in logs for s in log.samples or []]
    speeches = [turn for debate in debates for turn in debate.of("speech")]
    assert len(speeches) == 2214
    assert sum(turn.status != "ok" for turn in speeches) == 14
    assert sum(len(turn.quotes) for turn in speeches) == 5852
    for log in logs:
        for sample in log.samples or []:
            passage = sample.metadata["passage"]
            for turn in record(sample).of("speech"):
                assert all(passage[q.start : q.end] == q.text for q in turn.quotes)
    rows = debate.with_outcomes(
        samples([log.location for log in logs], "debate", debate.PROTOCOLS)
    )
    accuracy = rows.groupby("file")["correct"].mean()
    right = [accuracy[f"{name}.eval"] for name in SETTINGS]
    assert right == pytest.approx([61 / 76, 68 / 87, 71.5 / 96, 130 / 154])
