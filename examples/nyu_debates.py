"""Debates that people held and judged (Michael et al., arXiv 2311.08702), as logs.

    python examples/nyu_debates.py debates.jsonl.xz logs/nyu

Each setting becomes a log. The judge's probabilities after each round are in the fields
of its turns, unrounded; texts as they were typed are in `private`.
"""

import json
import lzma
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

from inspect_ai.dataset import Sample
from inspect_ai.log import write_eval_log

from inspect_debate import Debate, Quote, Turn, debate_log, debate_sample, escape

JSON = dict[str, Any]


def sample(held: JSON) -> Sample:
    """What was debated, and by whom."""
    text, story = held["question"], held["passage"]
    people = {one["id"]: one["name"] for one in held["participants"]}
    about = {"passage": story["text"], "input_group": story["article_id"]}
    about["question_id"] = f"{story['article_id']} {text}"
    target = "AB"[held["correct"]]
    return Sample(text, held["options"], target, held["id"], people | about)


def record(held: JSON) -> Debate:
    """The judge's prior, then speeches and a judgement in each round."""
    debate = Debate(protocol=held["setting"].partition("_")[2], complete=True)
    debate.options = dict(zip("AB", map(escape, held["options"]), strict=True))
    for now in held["rounds"]:
        earlier = {quote.text for turn in debate.turns for quote in turn.quotes}
        for said in now["speeches"]:
            debate.defends[said["by"]] = said["by"][-1].upper()
            turn = Turn(speaker="", role=said["by"], kind="speech", round=now["round"])
            debate.turns.append(filled(turn, said, earlier))
            turn.fields["words"] = len(said["text"].split())
        kind = "verdict" if now["judge"]["ends_debate"] else "judgement"
        turn = Turn(speaker="", role="judge", kind=kind, round=now["round"])
        debate.turns.append(filled(turn, now["judge"], earlier))
        turn.fields = dict(zip("AB", now["judge"]["probabilities"], strict=True))
    a, b = held["final"]
    if a == b:
        debate.tied, debate.skip_reason = ["A", "B"], "the judge is undecided"
    else:
        debate.answer = turn.fields["answer"] = "A" if a > b else "B"
    return debate


def filled(turn: Turn, said: JSON, earlier: set[str]) -> Turn:
    """A turn with what its writer typed. Quotes are spans of the passage."""
    text, at = said["text"], 0
    turn.speaker = turn.role.replace("_", " ").title()
    turn.model, turn.private = said["name"], text
    if said.get("failed"):  # a server's message in place of the model's speech
        turn.error = text
        return turn
    for one in said.get("quotes", ()):
        quote = Quote(**one, source="passage", exact=True)
        quote.repeated = quote.text in earlier
        turn.quotes.append(quote)
        turn.public += escape(text[at : one["at"]])
        turn.public += f"<v_quote>{escape(quote.text)}</v_quote>"
        at = one["at"] + len(quote.text)
    turn.public += escape(text[at:])
    turn.status = "ok"
    return turn


if __name__ == "__main__":
    source, out = map(Path, sys.argv[1:])
    with lzma.open(source, "rt", encoding="utf-8") as lines:
        debates = sorted(map(json.loads, lines), key=lambda held: str(held["setting"]))
    for setting, group in groupby(debates, key=lambda held: str(held["setting"])):
        who, _, protocol = setting.partition("_")
        debater = "GPT-4" if who == "ai" else "people"
        roles = {"debater_a": debater, "debater_b": debater, "judge": "people"}
        samples = [debate_sample(sample(held), record(held)) for held in group]
        log = debate_log("nyu_debates", protocol, roles, samples)
        write_eval_log(log, str(out / f"{setting}.eval"))
