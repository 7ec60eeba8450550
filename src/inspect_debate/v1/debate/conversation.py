"""What a person sees of a debate: the Messages tab, and a card with its outcome."""

import re
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from inspect_ai.log import transcript
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    ContentText,
    ModelName,
    ModelOutput,
)
from inspect_ai.scorer import CORRECT, Scorer, Target
from inspect_ai.solver import TaskState
from inspect_ai.util import registry_create

from inspect_debate.v1.debate.outcome import given_answers, graded, outcome
from inspect_debate.v1.debate.question import (
    choice_question,
    error_detection_question,
    media_asked,
    passage_of,
    text_asked,
)
from inspect_debate.v1.debate.quotes import quoted
from inspect_debate.v1.debate.record import (
    PROBABILITY_OF,
    DebateRecord,
    Donor,
    Parsed,
    Status,
    Turn,
    capitalised,
    order_shown,
    person,
    read_record,
    stage,
    without_answer,
)
from inspect_debate.v1.debate.rendering import table, table_cell
from inspect_debate.v1.debate.settings import (
    OWN_SCORERS,
    TaskScorer,
    say_once,
    scorers_of_run,
)

# Further answers are only counted.
_UNSPOKEN = ("sample", "verdict_sample")

AnswerForm = Literal["auto", "line", "bare"]
"""How the output of a sample gives an answer in words, see `free_answers.output_of`."""

Card = Callable[[DebateRecord], str]
"""A debate at a glance as Markdown; its first line is the outcome, in bold."""


def show(
    state: TaskState,
    card: Card | None = None,
    answer_form: AnswerForm = "auto",
) -> TaskState:
    """Lay out a finished debate for reading.

    Args:
        state: A sample whose store holds the record, and whose input is the item.
        card: Shows the debate at a glance; `outcome_card` where none is given.
        answer_form: How the output gives an answer in words, see `output_of`.

    Returns:
        The same state. Its messages are all that the debate is about, the public turns,
        each headed by who speaks, for what and when, and the outcome; where all scorers
        are of this suite, with whether it is right. A card with answers, stated
        confidences and verdicts is in the Transcript tab, and private parts are with
        the model calls there. The output is the outcome; where the item has options,
        that is the line `ANSWER: B`, or the option itself in the form `bare`, and every
        option is marked as chosen or not, which is what Inspect's own scorers read.
    """
    record = read_record(state.store)
    if record is None:
        return state
    shown = (card or outcome_card)(record)
    state.messages = [
        item_message(state, record),
        *conversation(record),
        ending(shown, right_outcome(state, record)),
    ]
    decided = outcome(record)
    answer = decided.answer or f"({decided.status})"
    if record.answers_free and decided.answer:
        answer = given_answers(record.turns).get(answer, answer)
        answer = output_of(answer, answer_form, scorers_of_run())
    if len(state.choices):
        if decided.answer is not None and answer_form == "bare":
            answer = str(state.choices[record.choices.index(decided.answer)].value)
        elif decided.answer is not None:
            answer = f"ANSWER: {decided.answer}"
        for letter, index in zip(
            record.choices, range(len(state.choices)), strict=True
        ):
            state.choices.mark_choice(index, letter == decided.answer)
    state.output = ModelOutput.from_content(model=record.protocol, content=answer)
    transcript().info(shown, source="outcome")
    return state


def conversation(record: DebateRecord) -> list[ChatMessage]:
    """The public turns as messages, each headed by who speaks, for what and when."""
    return [
        _message(record, turn) for turn in record.turns if turn.kind not in _UNSPOKEN
    ]


def right_outcome(state: TaskState, record: DebateRecord) -> bool | None:
    """Whether a debate on a sample ended with its right answer.

    None where there is no answer, or none is known to be right, or where a scorer that
    is not of this suite will score the sample: it may read the messages.
    """
    names = [scorer.name.rpartition("/")[2] for scorer in scorers_of_run()]
    if not names or any(name not in OWN_SCORERS for name in names):
        return None
    if not state.target.text:
        return None
    known, gold = graded(record, state.target)
    answer = outcome(known).answer
    return None if answer is None else answer == gold


def outcome_in_words(record: DebateRecord) -> str:
    """The answer with which a debate ended, or why there is none."""
    if not record.complete:
        return f"none, as the debate was stopped by {record.ended_by}"
    decided = outcome(record)
    if decided.answer is None:
        return without_answer(decided.status)
    drawn = ", by a random tie-break" if decided.status == "coin" else ""
    return answer_in_words(record, decided.answer) + drawn


def answer_in_words(record: DebateRecord, answer: str) -> str:
    """An answer as a person writes it: `no error`, and free ones as they were given."""
    if record.answers_free:
        return given_answers(record.turns).get(answer, answer)
    return answer.replace("_", " ") if answer in record.choices else answer


def outcome_card(record: DebateRecord) -> str:
    """The debate at a glance, as Markdown: who answered, believed and decided what."""
    lines = [f"**Outcome: {outcome_in_words(record)}**"]
    if record.skip_reason:
        lines.append(f"No debate: {record.skip_reason}.")
    if record.donor:
        lines.append(donor_in_words(record.donor))
    head = ["turn", "who", "answer", "confidence", "quotes"]
    lines += ["", *table(head, (_row(record, turn) for turn in record.turns))]
    lines += [f"\n⚠ {warning}" for warning in record.warnings]
    return "\n".join(lines)


def _row(record: DebateRecord, turn: Turn) -> list[str]:
    order = f" ({shown})" if (shown := order_shown(record, turn)) else ""
    quotes = [quote for quote in turn.quotes if not quote.empty]
    verified = sum(quote.verified for quote in quotes)
    cells = [
        stage_of(record, turn) + order,
        speaker(record, turn.participant),
        shown_value(_decided(turn)),
        shown_value(turn.field("confidence")),
        f"{verified} of {len(quotes)} verified" if quotes else "",
    ]
    return [*map(table_cell, cells)]


def donor_in_words(donor: Donor) -> str:
    """Whose speeches a judge read, and how long they are."""
    return (
        f"The speeches are about another item, {donor.sample}: {donor.words} words; "
        f"the item's own have {donor.own_words}."
    )


def _decided(turn: Turn) -> Parsed:
    """What a turn says in the end: of a challenge, whether it is one."""
    if turn.kind == "challenge":
        return turn.field("decision")
    return turn.field("final" if turn.is_spoken else "answer")


def stage_of(record: DebateRecord, turn: Turn) -> str:
    """When a turn was taken: `round 2`, `update 1`, `answer 3` of several."""
    in_series = record.aggregation == "arbitration"
    about = turn.about if turn.kind in ("verdict", "belief") else None
    return stage(turn.kind, turn.round, turn.draw, about, in_series=in_series)


def shown_value(parsed: Parsed) -> str:
    """A field as a person reads it: its value, or why there is none in brackets."""
    if parsed.status == Status.MISSING:
        return ""
    return str(parsed.value) if parsed.status == Status.OK else f"({parsed.status})"


def speaker(record: DebateRecord, id: str) -> str:
    """A participant as a person reads of it: `Alice (debater A, for error)`."""
    participant = record.participant(id)
    named = participant.name.lower()
    beside = [] if named == person(id).lower() else [person(id)]
    if participant.defends and participant.defends.lower() != named:
        beside.append(f"for {answer_in_words(record, participant.defends)}")
    name = participant.name if person(id) in beside else capitalised(person(id))
    return f"{name} ({', '.join(beside)})" if beside else name


def item_message(state: TaskState, record: DebateRecord) -> ChatMessage:
    """All that a debate is about, as the message with which it begins."""
    parts = [f"### {part.title}\n\n{part.text}" for part in material(state, record)]
    text = "\n\n".join(parts)
    media = media_asked(state)
    return ChatMessageUser(content=[ContentText(text=text), *media] if media else text)


def _message(record: DebateRecord, turn: Turn) -> ChatMessage:
    stage = stage_of(record, turn)
    if stage == "answer":
        stage = "first answer"
    order = f", {shown}" if (shown := order_shown(record, turn)) else ""
    reused = " · reused" if turn.reused else ""
    if record.donor and turn.is_spoken:
        reused = f" · about another item, {record.donor.sample}"
    who = speaker(record, turn.participant)
    heading = f"### {who} · {stage}{order}{reused}\n*{turn.model}*"
    text = with_marked_quotes(turn) or _believed(turn) or "(nothing public)"
    return ChatMessageAssistant(content=f"{heading}\n\n{text}")


def _believed(turn: Turn) -> str:
    """How probable each answer is, of a judge who said that in numbers alone."""
    each = [
        f"{name.removeprefix(PROBABILITY_OF)}: {float(sure.value):.0%}"
        for name, sure in turn.fields.items()
        if name.startswith(PROBABILITY_OF) and sure.value is not None
    ]
    return f"*{', '.join(each)}*" if each else ""


def with_marked_quotes(turn: Turn) -> str:
    """A turn's public text with a sign after each quote: ✓ verified, ✗ not found."""
    signs = {None: "", "verified": " ✓", "unverified": " ✗ (not found)"}
    return "".join(
        f"“{text}”{signs[quote]}" if quote else text
        for text, quote in quoted(turn.public)
    )


RIGHT = {True: " (right)", False: " (wrong)", None: ""}
"""What is added to an outcome; nothing where it is not known."""


def ending(card: str, right: bool | None = None) -> ChatMessage:
    """The message with which a debate ends: the first line of its card.

    Args:
        card: The debate at a glance.
        right: Whether the outcome is right, where that is known.
    """
    line = card.partition("\n")[0].strip("*")
    return ChatMessageAssistant(content=f"### {line}{RIGHT[right]}")


# The output of a sample with an answer in words, for the task's scorers.

# Inspect's own scorers that find an answer on its line or within a text.
_FIND = re.compile(
    r"answer|includes|math|model_graded_\w+|(inspect_debate/)?debate_judge"
)


def output_of(answer: str, form: AnswerForm, scorers: Sequence[TaskScorer]) -> str:
    """An answer in words as a sample's output gives it, for the task's scorers.

    Args:
        answer: The answer.
        form: `line`, the line `ANSWER: x`; `bare`, the answer and nothing else; `auto`,
            the line, unless a scorer compares the whole output: `exact`, `f1` without a
            function of its own, `match` at the beginning or of all, and `pattern` where
            its expression does not find in the line what it finds in the bare answer.
            Bare, too, where all scorers are of this suite, which read the record.
        scorers: The task's.
    """
    line = f"ANSWER: {answer}"
    if form != "auto":
        return line if form == "line" else answer
    others = [s for s in scorers if s.name.rpartition("/")[2] not in OWN_SCORERS]
    if scorers and not others:
        return answer
    whole = [_compares_all(scorer, answer, line) for scorer in others]
    for scorer, compares in zip(others, whole, strict=True):
        if compares is None:
            say_once(
                f"It is not known how the scorer {scorer.name} reads an answer in words"
                f": the output is {'bare' if True in whole else 'the line `ANSWER: x`'}"
                ". If it takes another form, give -S config.answer_form=line or =bare."
            )
    return answer if True in whole else line


def _compares_all(scorer: TaskScorer, answer: str, line: str) -> bool | None:
    """Whether a scorer compares the whole output; None where that is not known."""
    options = scorer.options
    match scorer.name.removeprefix("inspect_ai/"):
        case "exact":
            return True
        case "f1":
            return options.get("answer_fn") is None
        case "match":
            return options.get("location") in ("begin", "exact")
        case "pattern":
            flags = re.I if options.get("ignore_case", True) else 0
            expression = re.compile(str(options["pattern"]), flags)
            bare, found = expression.search(answer), expression.search(line)
            if bare is None or found is None:
                return bare is not None
            return bare.groups() != found.groups()
        case name:
            return False if _FIND.fullmatch(name) else None


_COMPARE = ("exact", "match", "math")
"""Inspect's own scorers that say whether two answers are the same."""


async def same_to_task(one: str, other: str) -> bool:
    """Whether the task that runs takes either of two answers in words for the other.

    Its scorers `exact`, `match` and `math` are asked, each with the arguments that it
    was made with; all have to agree, both ways round. Without such a scorer: no.
    """
    asked = [
        s for s in scorers_of_run() if s.name.removeprefix("inspect_ai/") in _COMPARE
    ]
    for scorer in asked:
        score: Scorer = registry_create("scorer", scorer.name, **scorer.options)
        for given, target in ((one, other), (other, one)):
            output = output_of(given, "auto", [scorer])
            state = TaskState(
                model=ModelName("none/none"),
                sample_id="",
                epoch=1,
                input="",
                messages=[],
                output=ModelOutput.from_content("none/none", output),
            )
            found = await score(state, Target(target))
            if found is None or found.value != CORRECT:
                return False
    return bool(asked)


# What a debate is about, as a person reads it: question, options, passage.

_TITLES = {
    "input": "The task given to the model",
    "response": "The model's response",
    "question": "The question",
    "options": "The options",
    "passage": "The passage",
}


class Part(NamedTuple):
    """A text that a debate is about, by the name under which it can be quoted."""

    name: str
    title: str
    text: str


def material(state: TaskState, record: DebateRecord) -> list[Part]:
    """All that a debate is about, whoever of its participants may read it.

    Args:
        state: The sample.
        record: Its debate.

    Raises:
        InputError: If the sample's input is nothing that can be debated.
    """
    if len(state.choices):
        found = dict(choice_question(state).sources)
    elif "no_error" in record.choices and not isinstance(state.input, str):
        found = dict(error_detection_question(state).sources)
    else:
        found = {"question": text_asked(state, media=True)}
    if record.parameters.get("passage") != "unused" and (passage := passage_of(state)):
        found["passage"] = passage
    return [Part(name, _TITLES[name], text) for name, text in found.items()]
