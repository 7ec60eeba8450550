"""The tags that a reader of a prompt sees, and those that belong there."""

import re
import unicodedata

from inspect_ai.log import EvalSample

from tests.support.models import Call
from tests.support.runs import record

_NAMES = (
    r"transcript|turn|item|task|response|choices|instructions?|system|assistant|user"
    r"|human|judge|debater|thinking|think|argument|speech|verdict|openings?|sys"
    r"|start_of_turn|end_of_turn|question|options|(?:[vu]\s*[-_]?\s*)?quote"
)
_SEEN = re.compile(rf"<\s*(/?)\s*({_NAMES})\b([^<>]*)", re.I)
CONTROL = re.compile(r"<\||\|>|\[/?INST\]|</?s>", re.I)


def seen(text: str) -> str:
    """A text as a reader might take it: no invisible characters, one kind of width."""
    normal = unicodedata.normalize("NFKC", text)
    return normal.translate({ord(c): None for c in set(normal) if _invisible(c)})


def _invisible(character: str) -> bool:
    return character in "\u115f\u1160" or (
        character not in "\n\t\r"
        and unicodedata.category(character) in ("Cc", "Cf", "Cn", "Co", "Cs", "Mn")
    )


def tags(text: str) -> list[str]:
    """All that a reader might take for a tag of our prompts, in order."""
    return [
        f"<{close}{name.lower()}{rest.rstrip()}>"
        for close, name, rest in _SEEN.findall(seen(text))
    ]


def check_prompts(sample: EvalSample, calls: list[Call], quoted: int = 0) -> None:
    """Every prompt of a sample has the tags that belong there, once, and no other."""
    shown = record(sample)
    for call in calls:
        assert call.description is not None
        if call.description.sample != str(sample.id) or call.description.reask:
            continue
        users = [message for message in call.messages if message.role == "user"]
        assert len(users) == 1
        assert call.messages[-1] is users[0]
        prompt = users[0].text
        judging = call.description.kind == "verdict"
        rounds = call.description.rounds if judging else call.description.round - 1
        turns = [t for t in shown.turns if t.kind != "verdict" and t.round <= rounds]
        expected = ["<item>", "<task>", "</task>", "<response>", "</response>"]
        expected += ["</item>"]
        if call.description.kind != "answer":
            expected += ["<transcript>"]
            for turn in turns:
                name = shown.participant(turn.participant).name
                stage = f"round {turn.round}" if turn.round else "first answer"
                expected += [f'<turn speaker="{name}" stage="{stage}">', "</turn>"]
            expected += ["</transcript>"]
        found = tags(prompt)
        if judging:
            assert found[-2:] == ["<v_quote>", "<u_quote>"]  # mentioned in its rules
            found = found[:-2]
        assert [t for t in found if "_quote" not in t] == expected, call.prompt
        check_quote_tags([t for t in found if "_quote" in t], quoted * len(turns))
        # The item has a control token of its own nowhere.
        assert not CONTROL.search(prompt)


def check_quote_tags(found: list[str], verified: int) -> None:
    """Quote tags come in pairs, as many verified ones as there are verified quotes."""
    for opening, closing in zip(found[::2], found[1::2], strict=True):
        assert opening in ("<v_quote>", "<u_quote>")
        assert closing == opening.replace("<", "</")
    assert found.count("<v_quote>") == verified
