"""What people and GPT-4 wrote in 413 debates (arXiv 2311.08702), read by our code."""

import re
import string
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from inspect_debate.debate.parsing import (
    declines_to_speak,
    looks_refused,
    split_argument,
    split_reasoning,
)
from inspect_debate.debate.quotes import quoted, verify_quotes
from inspect_debate.debate.record import Quote
from inspect_debate.debate.rendering import as_shown, neutralise
from inspect_debate.reports.export import Redactor
from tests.support.released import needs_data, nyu_debates, nyu_speeches

pytestmark = needs_data

SPEECHES, QUOTES, WITHOUT_LETTERS = 2214, 5852, 86


def kind_of(quote: Quote) -> str:
    if quote.empty:
        return "no letter or digit"
    if not quote.verified:
        return "not found"
    return "other typography" if quote.typography else "exact"


def test_every_certified_quote_is_found() -> None:
    """They are spans of the story, so verbatim: 98.5 % exact, none in other letters."""
    kinds = Counter[str]()
    for story, speech in nyu_speeches():
        sources = {"passage": as_shown(story)}
        for quote, real in zip(
            verify_quotes(speech["marked_text"], sources).quotes,
            speech["quotes"],
            strict=True,
        ):
            assert quote.text == real["text"]
            kinds[kind_of(quote)] += 1
            if quote.verified:
                assert quote.text.split() == story[quote.start : quote.end].split()
    assert kinds == {"exact": 5766, "no letter or digit": WITHOUT_LETTERS}
    assert kinds.total() == QUOTES


def plain(text: str) -> str:
    """Khan et al.: straight marks, no ASCII punctuation, lower case, single spaces."""
    kept = []
    for character in text:
        if character in "“”„‟«»‘’‚‛‹›" or character in string.punctuation:
            continue
        kept.append(character.lower())
    return " ".join("".join(kept).split())


def by_khan(speech: str, story: str) -> Iterator[tuple[str, bool]]:
    """What is between tags on one line, and whether it is in the story."""
    for line in speech.split("\n"):
        while (start := line.find("<quote>")) >= 0:
            inner = line[start + len("<quote>") :]
            if (end := inner.find("</quote>")) < 0:
                break
            yield inner[:end], plain(inner[:end]) in story
            line = inner[end + len("</quote>") :]


def test_khans_rule_is_that_of_another_implementation() -> None:
    """It skips the 272 quotes with a line break, and verifies all others."""
    stories = {story: plain(story) for story in {of for of, _ in nyu_speeches()}}
    checked = Counter[bool]()
    for story, speech in nyu_speeches():
        found = verify_quotes(speech["marked_text"], {"passage": story}, rule="khan")
        ours = [(quote.text, quote.verified) for quote in found.quotes]
        assert ours == list(by_khan(speech["marked_text"], stories[story]))
        checked.update(verified for _, verified in ours)
    breaks = sum(
        "\n" in q["text"] for _, speech in nyu_speeches() for q in speech["quotes"]
    )
    assert checked == {True: QUOTES - breaks}
    assert breaks == 272


def test_no_speech_is_altered_or_lost_by_readers_and_rendering() -> None:
    unchanged = Counter[str]()
    marks_added = 0
    for story, speech in nyu_speeches():
        text, marked = speech["text"], speech["marked_text"]
        reply = split_argument(split_reasoning(marked).visible)
        unchanged["read"] += (reply.argument, reply.thinking) == (marked.strip(), "")
        unchanged["not a refusal"] += not (
            looks_refused(text) or declines_to_speak(text)
        )
        unchanged["in a prompt"] += neutralise(text) == text
        shown = verify_quotes(neutralise(marked), {"passage": as_shown(story)}).text
        read = "".join(part.text for part in quoted(shown))
        # Tags around what has no letter become quotation marks, and nothing else.
        marks_added += read != text
        hidden = re.sub(r"<quote>([\W_]*?)</quote>", r"“\1”", marked)
        unchanged["with quotes"] += read == re.sub("</?quote>", "", hidden)
    assert unchanged == dict.fromkeys(
        ("read", "not a refusal", "in a prompt", "with quotes"), SPEECHES
    )
    assert marks_added == 78


def test_redaction_masks_the_story_and_leaves_the_rest() -> None:
    """Of every third speech."""
    texts = {
        text
        for debate in nyu_debates()
        for text in (debate["passage"]["text"], debate["question"], *debate["options"])
    }
    redactor = Redactor(texts)
    masked = 0
    for _, speech in islice(nyu_speeches(), 0, None, 3):
        result = redactor.mask(speech["text"])
        redactor.check(result)  # no seven words of the data in a row are left
        masked += result != speech["text"]
        place = 0
        for part in re.split(r"\[\d+ words?\]", result):
            found = speech["text"].find(part, place)
            assert found >= 0
            place = found + len(part)
    assert masked == 680
