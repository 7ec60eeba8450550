"""Scanners for Inspect Scout, which find what to look at in debates by fixed rules.

`scout scan src/inspect_debate/scanners.py -T LOGS` runs all of them. They call no
model. What they find is for people to read: none of it enters a score.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from inspect_ai.log import EvalSample, read_eval_log_sample_async
from inspect_scout import Reference, Result, Scanner, Transcript, scanner

from inspect_debate.debate.conversation import conversation, material, stage_of
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.parsing import declines_to_speak
from inspect_debate.debate.record import DebateRecord, Status, Turn
from inspect_debate.debate.rendering import as_shown
from inspect_debate.debate.reuse import logged_record_async
from inspect_debate.reports.debates import state_of


class Finding(NamedTuple):
    """A turn to look at, and what was found in it."""

    turn: Turn
    text: str


Rule = Callable[[DebateRecord, Mapping[str, str]], Iterator[Finding]]
"""Finds turns in a debate, given its sources: task, response, passage and so on."""


def scanner_of(rule: Rule) -> Scanner[Transcript]:
    """A scanner that applies a rule to the records of debates.

    Its value is the number of findings; each is a line of the explanation, and refers
    to the message of its turn. Transcripts without a debate have the value 0.
    """

    async def scan(transcript: Transcript) -> Result:
        sample = await _sample_of(transcript)
        record = await logged_record_async(str(transcript.source_uri), sample)
        if record is None:
            return Result(value=0, explanation="There is no record of a debate.")
        parts = material(state_of(sample), record)
        found = list(rule(record, {part.name: as_shown(part.text) for part in parts}))
        return Result(
            value=len(found),
            explanation="\n\n".join(
                f"{record.participant(turn.participant).name}, "
                f"{stage_of(record, turn)}: {text}"
                for turn, text in found
            ),
            references=[
                Reference(type="message", cite=f"[M{n}]", id=id)
                for n, id in enumerate(_messages(transcript, record, found), start=1)
            ],
        )

    return scan


async def _sample_of(transcript: Transcript) -> EvalSample:
    if transcript.source_type != "eval_log" or transcript.source_uri is None:
        raise InputError(
            f"Transcript {transcript.transcript_id} is not of an Inspect log; these "
            "scanners need the logs themselves (scout scan -T LOGS)."
        )
    return await read_eval_log_sample_async(
        transcript.source_uri,
        transcript.task_id,
        transcript.task_repeat or 1,
        resolve_attachments="full",
        exclude_fields={"events", "messages"},
    )


def _messages(
    transcript: Transcript, record: DebateRecord, found: list[Finding]
) -> Iterator[str]:
    """The ids of the messages that show some turns, where there are such messages."""
    ids = {message.text: message.id for message in transcript.messages}
    for turn, _ in found:
        for shown in conversation(record.model_copy(update={"turns": (turn,)})):
            if id := ids.get(shown.text):
                yield id


def _speeches(record: DebateRecord) -> list[Turn]:
    return [turn for turn in record.spoken() if turn.role != "judge"]


# Refusals that count as speeches.


def refusals(record: DebateRecord, sources: Mapping[str, str]) -> Iterator[Finding]:
    """Speeches whose first paragraph is a refusal.

    A reply that is a refusal as a whole has the status `refused` in runs of this suite,
    and is no speech. Here are those that go on after it, and those of imported debates.
    """
    for turn in _speeches(record):
        opening = turn.public.strip().partition("\n\n")[0]
        if turn.field("argument").status == Status.OK and declines_to_speak(opening):
            yield Finding(turn, opening)


@scanner(messages="all")
def refusal_as_speech() -> Scanner[Transcript]:
    """Speeches whose first paragraph is a refusal."""
    return scanner_of(refusals)


# Quotes that leave out what turns them round.

_SENTENCE_END = re.compile(r"[.!?][\"'”’)\]]*\s+|\n+")
_NEGATION = re.compile(
    r"\b(?:not|cannot|no|never|none|nobody|nothing|neither|nor|without|hardly|false)\b"
    r"|n['’]t\b",
    re.I,
)
_CONTRAST = re.compile(
    r"\b(?:but|however|yet|although|though|nevertheless|nonetheless|except|unless)\b",
    re.I,
)


def quotes_out_of_context(
    record: DebateRecord, sources: Mapping[str, str]
) -> Iterator[Finding]:
    """Verified quotes whose sentence goes on, or begins, in a way that may reverse it.

    The rule: in the sentence in which a quote begins and ends, outside of the quote,
    there is a negation, or after it a word of contrast; or the next sentence begins
    with a word of contrast. A word that the same speech quotes, too, does not count.
    """
    for turn in _speeches(record):
        for quote in turn.quotes:
            source = sources.get(quote.source or "")
            if source is None or quote.start is None or quote.end is None:
                continue
            spans = [
                (other.start, other.end)
                for other in turn.quotes
                if other.source == quote.source
                if other.start is not None and other.end is not None
            ]
            left_out = [
                word
                for word in _turning(source, quote.start, quote.end)
                if not any(a <= word.start() and word.end() <= b for a, b in spans)
            ]
            if left_out:
                around = slice(*_sentence(source, quote.start, quote.end))
                words = ", ".join(dict.fromkeys(f"“{word[0]}”" for word in left_out))
                yield Finding(
                    turn,
                    f"“{quote.text}” leaves out {words}: {source[around].strip()}",
                )


def _turning(source: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """The words around a quote that may reverse it."""
    first, last = _sentence(source, start, end)
    yield from _NEGATION.finditer(source, first, start)
    yield from _NEGATION.finditer(source, end, last)
    yield from _CONTRAST.finditer(source, end, last)
    if following := _CONTRAST.match(source, last):
        yield following


def _sentence(source: str, start: int, end: int) -> tuple[int, int]:
    """From the beginning of a quote's first sentence to the end of its last."""
    first = 0
    for stop in _SENTENCE_END.finditer(source):
        if stop.end() <= start:
            first = stop.end()
        elif stop.end() >= end:
            return first, stop.end()
    return first, len(source)


@scanner(messages="all")
def quote_out_of_context() -> Scanner[Transcript]:
    """Verified quotes that leave out a negation, or a contrast that follows."""
    return scanner_of(quotes_out_of_context)
