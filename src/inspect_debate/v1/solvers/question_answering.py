"""What protocols on questions with options and on error detection share.

How first answers, updates, speeches and verdicts are asked for, and how the replies are
read. Protocols decide who is asked, when, and what follows.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from inspect_ai.model import GenerateConfig
from inspect_ai.solver import TaskState
from pydantic import Field

from inspect_debate.v1.debate.answers import (
    Decision,
    decision_on_line,
    find_answer,
    letter_line,
    line_after,
)
from inspect_debate.v1.debate.calls import Reading
from inspect_debate.v1.debate.conversation import AnswerForm, same_to_task
from inspect_debate.v1.debate.engine import (
    SHAPES,
    SHAPES_DEBATE,
    AskerConfig,
    Parameters,
    TurnKind,
)
from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.judge_checks import REPEAT
from inspect_debate.v1.debate.matching import canonical
from inspect_debate.v1.debate.outcome import SAID, given_answers
from inspect_debate.v1.debate.parsing import (
    choice_line,
    label_sentence,
    realmistake_label,
    split_argument,
    stated_confidence,
    verdict,
)
from inspect_debate.v1.debate.participants import (
    Debater,
    ModelParticipant,
    as_listed,
    orders,
    pair,
)
from inspect_debate.v1.debate.probabilities import (
    PROBABILITY,
    as_drawn,
    as_judged,
    with_probability,
)
from inspect_debate.v1.debate.question import (
    PROMPT_SETS,
    Question,
    indented,
    question_of,
)
from inspect_debate.v1.debate.quotes import Verified, verify_quotes
from inspect_debate.v1.debate.record import Order, Parsed, Status, Turn
from inspect_debate.v1.debate.recording import Debate
from inspect_debate.v1.debate.rendering import as_shown, escape_quote_tags, neutralise
from inspect_debate.v1.debate.settings import Judging, Sampling
from inspect_debate.v1.debate.study import Study
from inspect_debate.v1.debate.visibility import (
    VisibleTurn,
    by_stage,
    visible_to_debater,
    visible_to_judge,
)

# The paper runs everything at temperature 0. It names no limit of tokens.
STUDY_DEFAULT = GenerateConfig(temperature=0.0, max_tokens=4096)
# At temperature 0 all draws would be one answer.
SAMPLING = STUDY_DEFAULT.merge(GenerateConfig(temperature=0.7))


class DebateConfig(AskerConfig):
    """What is rarely changed in an error-detection debate.

    Attributes:
        quotes: How quotes are verified: `exact`; `typography_blind`, also if dashes,
            quotation marks, ellipses, spaces or ligatures differ; `khan`, Khan et al.'s
            rule, blind to case and punctuation (`x < 5` verifies `x > 5`); `none`, no
            quotes. Questions without a passage have none, unless `quote_source=input`.
        quote_source: What may be quoted: task and response, or the task (`input`);
            without a passage, `input` is the question and its options.
        answers: What an answer is: one of the `options` (or a label); or, where samples
            have none, `free`, in the answerer's own words.
        passage: What becomes of a passage in the samples' metadata: `unused`; `hidden`,
            read by those who answer and debate, and not by judges; or `shown` to all.
            Where it is read, what is quoted is checked against it alone.
        word_limit: The limit that debaters read; longer speeches are not cut.
        parser: How a first answer is read: the `last_sentence`, or `realmistake`, the
            published detectors' own rule.
        answer_form: How a sample's output gives an answer in words: `line`, as the line
            `ANSWER: x`; `bare`, as the answer and nothing else; or `auto`, as the
            task's scorers read it. With options `bare` is what the option says, not
            its letter.
        max_unparsed: The share of what is asked for that may be unreadable; above it
            the run ends; of no use on tasks of this suite.
        answer: Generation settings of first answers.
        speech: Generation settings of speeches.
        verdict: Generation settings of verdicts, and how a judge's
            probability is asked for.
        reused_questions: Whether a judge of reused debates reads what the judge of the
            earlier run asked.
        second_order_below: With `order=both`, the second order is asked of all judges
            only where one of them gave its first verdict a lower probability than
            this (above 0.5), or none. Where they are surer, the effect of the order is
            not averaged out.
    """

    quotes: Literal["typography_blind", "exact", "khan", "none"] = Field(
        default="typography_blind", json_schema_extra=SHAPES
    )
    quote_source: Literal["input_and_response", "input"] = Field(
        default="input_and_response", json_schema_extra=SHAPES
    )
    answers: Literal["options", "free"] = "options"
    passage: Literal["unused", "hidden", "shown"] = "unused"
    word_limit: int = Field(
        default=300, ge=1, strict=True, json_schema_extra=SHAPES_DEBATE
    )
    parser: Literal["last_sentence", "realmistake"] = Field(
        default="last_sentence", json_schema_extra=SHAPES
    )
    # Arguments of the solver in the log, and no part of what shapes a debate.
    answer_form: AnswerForm = Field(default="auto", exclude=True)
    max_unparsed: float | None = Field(default=0.5, gt=0, le=1, exclude=True)
    answer: Sampling = Field(default=Sampling(), json_schema_extra=SHAPES)
    speech: Sampling = Field(default=Sampling(), json_schema_extra=SHAPES_DEBATE)
    verdict: Judging = Judging()
    reused_questions: Literal["shown", "hidden"] = Field(
        default="shown", exclude_if=lambda value: value == "shown"
    )
    second_order_below: float | None = Field(
        default=None, gt=0, le=1, exclude_if=lambda value: value is None
    )

    def check_for(self, protocol: str, parameters: Parameters) -> None:
        """Check that there are votes that can be left out."""
        order = getattr(parameters, "order", None)
        if (bound := self.second_order_below) is not None:
            if order != "both" or self.verdict.probability == "none":
                raise InputError(
                    f"config.second_order_below={bound} needs order=both, and "
                    "config.verdict.probability=stated or =token."
                )
            if bound <= 0.5:
                raise InputError(
                    f"config.second_order_below={bound}: of two answers a judge gives "
                    "the likelier one, whose probability is never below 0.5. Give a "
                    "number above 0.5, up to 1."
                )


ON_OTHER_TASKS = ("answer_form", "max_unparsed")
"""Settings for protocols on tasks that are not of this suite."""


def asked(state: TaskState, config: DebateConfig) -> Question:
    """What a sample asks, as far as the settings let participants know it."""
    return question_of(
        state,
        with_passage=config.passage != "unused",
        free=config.answers == "free",
    )


STUDY = Study(
    name="colmad",
    prompts=PROMPT_SETS,
    config=DebateConfig,
    question=asked,
    default=lambda protocol, kind, parameters: (
        SAMPLING if protocol == "self_consistency" else STUDY_DEFAULT
    ),
    fixed=lambda config, kind: config.verdict.fixed(kind),
)


class Plain(Parameters):
    """Parameters of protocols without a debate: judges see everything."""

    @property
    def show_openings(self) -> bool:
        """First answers are part of what judges read."""
        return True

    @property
    def judge_sees_problem(self) -> bool:
        """Judges read the item."""
        return True


# --- Kinds of turn --------------------------------------------------------------------

ANSWER = TurnKind(
    "answer",
    prompt="first_answer",
    form="label_sentence",
    required="answer",
    reminder="answer_reminder",
    stage="answers",
)


def speech_of(who: str, form: str, reminder: str, kind: str = "speech") -> TurnKind:
    """A speech: a public argument after private thinking.

    Args:
        who: The beginning of its prompts' keys, `WHO_system` and `WHO_speech`.
        form: `speech`, which ends with what its speaker now believes (`Final:`) and how
            firmly (`Conf:`), or `argument`, without these lines.
        reminder: The key of the prompt that asks again.
        kind: What the record calls it; a kind of one's own is read like a speech.
    """
    return TurnKind(
        kind,
        prompt=f"{who}_speech",
        system=f"{who}_system",
        form=form,
        required="argument",
        reminder=reminder,
        speech="argument",
        stage="debate",
        spoken=kind != "speech",
    )


COLLABORATIVE = speech_of("debater", "speech", "speech_reminder")
COMPETITIVE = speech_of("competitor", "argument", "competitor_reminder")
CONSULTING = speech_of("consultant", "argument", "consultant_reminder")
"""The speech of a consultant, who argues alone."""

VERDICT = TurnKind(
    "verdict",
    prompt="verdict",
    system="judge_system",
    form="verdict",
    required="answer",
    reminder="verdict_reminder",
)


def in_place_of_instructions(key: str) -> tuple[tuple[str, str], ...]:
    """The instructions of a verdict, and the prompt that is shown in their place."""
    return (("judge_instruction", key), ("judge_alone_instruction", key))


AnyDebate = Debate[Any, Question]

# --- Answers --------------------------------------------------------------------------


def answer(
    debate: AnyDebate, participant: ModelParticipant, draw: int = 0
) -> Awaitable[Turn]:
    """A participant's own answer, before any debate.

    Args:
        debate: The debate.
        participant: The participant.
        draw: The number of this completion where several are drawn.
    """
    return debate.ask(
        participant,
        as_asked(ANSWER, debate.question),
        draw=draw,
        read=partial(read_answer, debate.question, debate.config),
        **material(debate),
    )


async def first_answers(
    debate: AnyDebate, *participants: ModelParticipant
) -> list[Parsed]:
    """All first answers, asked for at once; those of an earlier run are reused.

    Returns:
        The answers in the order of the participants. Two in words of which the task
        takes either for the other are the same.

    Raises:
        InputError: If a participant was another model in the earlier run.
    """
    sitting = {participant.id for participant in participants}
    reused = debate.reuse("answers", participants)
    debate.turns += [turn for turn in reused if turn.participant in sitting]
    there = {turn.participant: turn for turn in debate.turns}
    given = await debate.together(
        *(
            answer(debate, participant)
            for participant in participants
            if participant.id not in there
        )
    )
    there |= {turn.participant: turn for turn in given}
    if debate.question.free and len(participants) == 2:
        first, second = (there[participant.id] for participant in participants)
        there[second.participant] = await _as_the_same(debate, first, second)
    return [there[participant.id].field("answer") for participant in participants]


async def _as_the_same(debate: AnyDebate, first: Turn, second: Turn) -> Turn:
    """The second of two answers in words, as the first where only their form differs.

    That is what the task's own scorers say; how it was put is recorded as ever.
    """
    one, other = first.field("answer"), second.field("answer")
    if one.value is None or other.value is None or one.value == other.value:
        return second
    put = (str(turn.field(SAID).value) for turn in (first, second))
    if not await same_to_task(*put):
        return second
    same = second.model_copy(update={"fields": {**second.fields, "answer": one}})
    debate.turns = [same if turn is second else turn for turn in debate.turns]
    return same


def as_asked(turn: TurnKind, question: Question) -> TurnKind:
    """The form of an answer to a kind of question."""
    if question.free:
        free = {"update": "update_free"}.get(turn.prompt, turn.prompt)
        return replace(
            turn, form="free_answer", prompt=free, reminder="answer_free_reminder"
        )
    return replace(turn, form="answer_line") if question.options else turn


# --- Speeches -------------------------------------------------------------------------


def speech(
    debate: AnyDebate,
    turn: TurnKind,
    participant: ModelParticipant,
    opponent: ModelParticipant | None,
    round: int,
) -> Awaitable[Turn]:
    """A debater's speech in a round, knowing what it may read of the debate so far.

    Args:
        debate: The debate.
        turn: What kind of speech.
        participant: The debater.
        opponent: The other one; None for a consultant, who speaks alone.
        round: The round, from 1.
    """
    p, question = debate.parameters, debate.question
    visible = visible_to_debater(
        participant.id,
        debate.turns,
        show_openings=p.show_openings,
    )
    debaters = [side for side in (participant, opponent) if side is not None]
    listed = (
        question.choices if opponent is None else question.in_order(pair(*debaters))
    )
    other: dict[str, Any] = {}
    if opponent is not None:
        other = {
            "opponent": opponent.name,
            "other_answer": opponent.defends,
            "other_number": question.called(str(opponent.defends)),
            "other_position": _position(debate, str(opponent.defends)),
        }
    return debate.ask(
        participant,
        turn,
        round=round,
        read=partial(
            read_speech, question, debate.config, turn, listed, _quoted(debate.turns)
        ),
        description={"choices": listed},
        **material(debate) | {"letters": _letters(question, listed)},
        **other,
        name=participant.name,
        answer=participant.defends,
        number=question.called(str(participant.defends)),
        position=_position(debate, str(participant.defends)),
        listed=_listing(debate, listed, ()),
        said=_transcript(debate, visible, debaters, "ab"),
        assigned=_assigned(debate),
        word_limit=debate.config.word_limit,
    )


# --- Verdicts -------------------------------------------------------------------------

OrderSetting = Literal["ab", "ba", "both"]


async def judged(
    debate: AnyDebate,
    panel: Sequence[ModelParticipant],
    debaters: Sequence[Debater],
    order: OrderSetting,
    turns: Sequence[Turn] | None = None,
) -> None:
    """Let all judges decide at once, unless there was no debate.

    Where `config.verdict.samples` asks for it, each verdict is drawn further times.
    With `config.second_order_below` the second order may be left out.

    Args:
        debate: The debate.
        panel: The judges.
        debaters: Who debated; empty if judges decide alone.
        order: Which answer and defender they are shown first; `both` asks for two
            verdicts of each.
        turns: The turns to show; by default all so far.
    """
    between_answers(debate)
    draws = debate.config.verdict.draws
    for judge in panel:
        debate.takes_part(judge, *(as_drawn(VERDICT, draw) for draw in draws))
    shown = orders(order, debate.question.epoch)
    if not debate.question.choices:
        shown = shown[:1]  # where nothing is listed, nothing has an order
    if debate.skip_reason is not None:
        return
    parts, bound = [shown], debate.config.second_order_below
    if bound is not None and shown[1:]:
        # The first order is the other one in every second epoch.
        first = orders("ab", debate.question.epoch)
        parts = [first, [one for one in shown if one not in first]]
    turns = [*debate.turns] if turns is None else turns
    for part in parts:
        verdicts = await cast_votes(
            debate,
            [
                [
                    give_verdict(debate, judge, one, debaters, turns, draw=draw)
                    for draw in draws
                ]
                for judge in panel
                for one in part
            ],
        )
        if bound is not None and all(certainty(v) >= bound for v in verdicts):
            return


async def cast_votes(
    debate: AnyDebate, ballots: Sequence[Sequence[Awaitable[Turn]]]
) -> list[Turn]:
    """Ask for votes at once.

    Args:
        debate: The debate.
        ballots: For each vote its call, and those for further draws of it.

    Returns:
        The votes.
    """
    turns = await debate.together(*(call for ballot in ballots for call in ballot))
    return [turn for turn in turns if turn.kind != "verdict_sample"]


def certainty(verdict: Turn) -> float:
    """The probability that a judge gave its verdict: in words, or else by its token.

    0 where there is none, or no verdict.
    """
    answer = verdict.field("answer").value
    stated = verdict.field(PROBABILITY).value
    if answer is None:
        return 0.0
    if stated is not None:
        return float(stated)
    tokens = (verdict.probabilities or {}).get("answer")
    return 0.0 if tokens is None else tokens.by_answer.get(str(answer), 0.0)


def between_answers(debate: AnyDebate) -> None:
    """Narrow a question with free answers to the answers that were given."""
    if debate.question.free:
        debate.question = debate.question.between(given_answers(debate.turns))


def give_verdict(
    debate: AnyDebate,
    judge: ModelParticipant,
    order: Order,
    debaters: Sequence[Debater],
    turns: Sequence[Turn] | None = None,
    *,
    kind: TurnKind = VERDICT,
    round: int = 0,
    draw: int = 0,
    check: str | None = None,
    favours: str | None = None,
    read: Callable[[str], Reading] | None = None,
    **values: Any,
) -> Awaitable[Turn]:
    """A judge's verdict on what it may read of a debate, shown in an order.

    Args:
        debate: The debate.
        judge: The judge.
        order: `ab` lists the first answer and shows its defender first, `ba` last.
        debaters: Who debated; empty if the judge decides alone.
        turns: The turns to show; by default all so far.
        kind: What the verdict is for, if it is not the one that decides.
        round: After which round, if not at the end.
        draw: The number of a further draw of the same verdict, from 1.
        check: What the verdict checks of the judge (`debate/judge_checks.py`).
        favours: The answer that the check may help.
        read: Reads the reply, where it is no verdict.
        values: What else the prompt shows.
    """
    question, turns = debate.question, debate.turns if turns is None else turns
    visible = visible_to_judge(turns, show_openings=debate.parameters.show_openings)
    ordered = as_listed(question, debaters, order)
    choices = question.choices
    if len(debaters) == 2:  # of one who speaks alone, all answers can be right
        choices = question.in_order(pair(*debaters))
    listed = choices if order == "ab" else choices[::-1]
    spoken = any(turn.is_spoken for turn in turns)
    argued = spoken or len(_answers(turns)) > 1
    turn = as_drawn(kind, draw)
    if not choices:  # a judge who answers in words, without a debate
        turn = replace(turn, form="free_answer", reminder="answer_free_reminder")
    elif kind is VERDICT:
        first = in_place_of_instructions("verdict_first")
        turn = as_judged(turn, debate.config.verdict, *first)
    quoted = any(h.kind != "answer" for h in visible) and quotable(
        question, debate.config
    )
    if len(choices) > 2:
        values["several"] = True
    rules = (
        debate.prompts.render("judge_quote_rules", **material(debate)) if quoted else ""
    )
    return debate.ask(
        judge,
        turn,
        round=round,
        draw=draw,
        order=order,
        apart=draw or (1 if check == REPEAT else 0),
        listed_first=listed[0] if listed else None,
        shown_first=ordered[0].id if len(ordered) == 2 else None,
        about=check,
        favours=favours,
        read=read or partial(read_verdict_of, question, choices, turn=turn),
        decided=partial(decision_of, question, choices)
        if choices and not read
        else None,
        description={
            "draw": " ".join(filter(None, (order, check, str(draw or "")))),
            "shown": tuple(pair(*ordered)),
            "choices": choices,
            "hidden": passage_hidden(debate),
        },
        **material(debate)
        | {
            "quote_rules": rules,
            "letters": _letters(question, question.in_order(listed)),
        },
        listed=_listing(debate, listed, debaters if argued else ()),
        said=_transcript(debate, visible, debaters, order),
        assigned=_assigned(debate, turns) and spoken,
        debated=bool(debaters),
        consulted=len(debaters) == 1,
        answered=any(turn.kind == "answer" for turn in turns),
        number=question.called(str(debaters[0].defends)) if len(debaters) == 1 else "",
        **values,
    )


# --- What participants are shown ------------------------------------------------------

# Where prompts call a source by another name.
_PLACEHOLDERS = {"input": "task"}


def passage_hidden(debate: AnyDebate) -> bool:
    """Whether there is a passage that judges may not read."""
    return debate.question.passage is not None and debate.config.passage == "hidden"


def material(debate: AnyDebate) -> dict[str, Any]:
    """The item, and the rules about it, for the templates."""
    question, config = debate.question, debate.config
    texts = {
        _PLACEHOLDERS.get(name, name): as_shown(text)
        for name, text in question.sources.items()
        if name != "passage"
    }
    passage = question.passage
    rules = {} if quotable(question, config) else {"quote_rules": ""}
    return {
        **texts,
        **rules,
        **numbers(question),
        "passage": None if passage is None else as_shown(passage),
        "passage_hidden": passage_hidden(debate),
        "judge_sees_problem": debate.parameters.judge_sees_problem,
        "free": question.free,
        "letters": _letters(question, question.choices),
        "quote_source": config.quote_source,
    }


def _letters(question: Question, choices: Sequence[str]) -> str:
    """Some of the choices in words: `A or B`, `A, B, C or D`."""
    return either(sorted(question.called(choice) for choice in choices))


def _listing(
    debate: AnyDebate, listed: Sequence[str], debaters: Sequence[Debater]
) -> list[dict[str, str]]:
    argued_for = {
        participant.defends: f" (argued for by {participant.name})"
        for participant in debaters
    }
    return [
        {
            "number": debate.question.called(answer),
            "answer": answer,
            "text": _position(debate, answer),
            "argued_for": argued_for.get(answer, ""),
        }
        for answer in listed
    ]


def _position(debate: AnyDebate, answer: str) -> str:
    """What an answer says: an option's own text, or the words of the prompts."""
    if debate.question.options:
        return as_shown(indented(debate.question.options[answer]))
    if (key := ("position", debate.prompts.name, answer)) not in debate.shared:
        debate.shared[key] = debate.prompts.render("position", answer=answer)
    return str(debate.shared[key])


def _transcript(
    debate: AnyDebate,
    visible: Sequence[VisibleTurn],
    debaters: Sequence[Debater],
    order: Order,
) -> list[dict[str, str]]:
    """The transcript, stage by stage; within a stage the speakers in order."""
    listed = as_listed(debate.question, debaters, order) if visible else ()
    names = {p.id: p.name for p in debate.participants}
    names |= {participant.id: participant.name for participant in debaters}
    return [
        {"speaker": names[turn.participant], "stage": turn.stage, "text": turn.text}
        for turn in by_stage(visible, [participant.id for participant in listed])
    ]


def shown(
    debate: AnyDebate,
    visible: Sequence[VisibleTurn],
    debaters: Sequence[Debater],
    order: Order,
    listed: Sequence[str],
    *,
    argued: bool,
) -> dict[str, Any]:
    """A debate between two, for the templates of turns after the verdict.

    Args:
        debate: The debate.
        visible: Its turns, as the reader may know them.
        debaters: Who debated.
        order: Whether the first answer's defender is shown first.
        listed: The answers as they are listed.
        argued: Whether it is said who argued for which of them.
    """
    return {
        "listed": _listing(debate, listed, debaters if argued else ()),
        "letters": _letters(debate.question, debate.question.in_order(listed)),
        "said": _transcript(debate, visible, debaters, order),
        "assigned": _assigned(debate),
    }


def _answers(turns: Sequence[Turn]) -> set[Any]:
    return {turn.field("answer").value for turn in turns if turn.kind == "answer"}


def _assigned(debate: AnyDebate, turns: Sequence[Turn] | None = None) -> bool:
    """Whether readers can see that both debaters gave one answer first."""
    given = _answers(debate.turns if turns is None else turns)
    return debate.parameters.show_openings and len(given) == 1


def _quoted(turns: Sequence[Turn]) -> list[str]:
    return [quote.text for turn in turns for quote in turn.quotes]


def either(choices: Sequence[str]) -> str:
    """The letters of a choice in words: `A or B`, `A, B, C or D`; empty without any."""
    if not choices:
        return ""
    *others, last = choices
    return f"{', '.join(others)} or {last}" if others else last


def quotable(question: Question, config: DebateConfig) -> tuple[str, ...]:
    """The sources that may be quoted; empty if quotes are not asked for.

    A question without a passage has none, unless `quote_source=input` makes the
    question itself the source.
    """
    if config.quotes == "none":
        return ()
    if question.passage is not None:
        return ("passage",)
    if question.prompt_set == "colmad":
        both = config.quote_source == "input_and_response"
        return tuple(question.sources) if both else ("input",)
    return tuple(question.sources) if config.quote_source == "input" else ()


def numbers(question: Question) -> dict[str, str]:
    """The numbers of the answers in error detection, by placeholder."""
    if question.prompt_set != "colmad":
        return {}
    return {choice: question.called(choice) for choice in question.choices}


# --- How replies are read -------------------------------------------------------------


def read_answer(question: Question, config: DebateConfig, text: str) -> Reading:
    """An answer ends with a sentence or line that holds its label."""
    found = checked(question, config, text)
    fields = (
        free_answer(text)
        if question.free
        else {"answer": read_label(text, question, config.parser)}
    )
    return Reading(found.text, fields, quotes=found.quotes)


def read_speech(
    question: Question,
    config: DebateConfig,
    turn: TurnKind,
    listed: Sequence[str],
    earlier: Sequence[str],
    text: str,
) -> Reading:
    """A speech; its field `argument` has the number of words as its value.

    Where debaters conclude, `final` is the answer that the speaker now believes and
    `confidence` its probability.

    Args:
        question: What is debated.
        config: The rarer settings.
        turn: What kind of speech.
        listed: The answers that are debated.
        earlier: Quotes used in the debate so far.
        text: The reply.
    """
    thinking, argument, status = split_argument(text)
    complete = status == Status.OK
    words = Parsed.ok(len(argument.split())) if complete else Parsed(status=status)
    fields = {"argument": words}
    if turn.form == "speech":
        fields["final"] = read_final(argument, question, listed)
        fields["confidence"] = stated_confidence(argument)
    found = checked(question, config, argument, earlier)
    return Reading(found.text, fields, thinking, found.quotes)


def read_verdict_of(
    question: Question, choices: Sequence[str], text: str, turn: TurnKind = VERDICT
) -> Reading:
    """A verdict has an answer line, and perhaps one with its probability.

    Args:
        question: What is judged.
        choices: The answers between which the judge decides; none where it answers in
            words.
        text: The reply.
        turn: What kind of verdict.
    """
    if not choices:
        return Reading(text, free_answer(text))
    found = Reading(text, {"answer": read_verdict(text, question, choices)})
    names = {choice: question.called(choice) for choice in choices}
    return with_probability(turn, found, text, names if len(names) > 2 else {})


def decision_of(
    question: Question, choices: Sequence[str], text: str
) -> dict[str, Decision | None]:
    """Where a verdict decides, and what each of the choices may be called there.

    Args:
        question: What is judged.
        choices: The answers between which the judge decides.
        text: The reply, without its reasoning.
    """
    names = {
        choice: (question.called(choice), *_WORDS.get(choice, ()))
        if not question.options
        else (question.called(choice), question.options[choice])
        for choice in choices
    }
    return {"answer": decision_on_line(text, "answer", names)}


def checked(
    question: Question, config: DebateConfig, text: str, earlier: Sequence[str] = ()
) -> Verified:
    """A public text as others read it: escaped for prompts, with its quotes checked.

    Args:
        question: Has the sources of quotes.
        config: Says how quotes are checked.
        text: What a participant wrote.
        earlier: Quotes used in the debate so far.
    """
    text = neutralise(text)
    names = quotable(question, config)
    if not names or config.quotes == "none":
        return Verified(escape_quote_tags(text), ())
    # As participants were shown them.
    sources = {name: as_shown(question.sources[name]) for name in names}
    return verify_quotes(text, sources, earlier, config.quotes)


# Which answer a text ends with: a label, or the letter of an option.

# Tags that prompts ask for elsewhere, around an answer.
_OWN_TAGS = re.compile(r"</?(?:quote|answer)>", re.I)
_WORDS: Mapping[str, Sequence[str]] = {
    "error": ("error", "an error", "contains an error"),
    "no_error": ("no_error", "no error", "contains no error"),
}
_LABELS: Mapping[str, Sequence[str]] = {
    "error": ("1", *_WORDS["error"]),
    "no_error": ("2", *_WORDS["no_error"]),
}


def read_label(
    text: str, question: Question, parser: Literal["last_sentence", "realmistake"]
) -> Parsed:
    """A participant's own answer: its label sentence, or its line `ANSWER: B`."""
    if question.options:
        return _chosen(text, "answer", question, question.choices)
    return (
        label_sentence(text) if parser == "last_sentence" else realmistake_label(text)
    )


def read_final(text: str, question: Question, pair: Sequence[str]) -> Parsed:
    """The answer that a debater now believes: its line `Final: ...`.

    Args:
        text: A speech.
        question: What is debated.
        pair: The two answers that are debated.
    """
    if question.options:
        return _chosen(text, "final", question, pair)
    return choice_line(text, "Final", _LABELS)


def read_verdict(text: str, question: Question, choices: Sequence[str]) -> Parsed:
    """A judge's verdict: its line `Answer: ...`, in error detection else its sentence.

    Args:
        text: A judge's completion.
        question: What is judged.
        choices: The answers between which the judge decides.
    """
    if question.options:
        return _chosen(text, "answer", question, choices)
    labels = {c: (question.called(c), *words) for c, words in _WORDS.items()}
    return verdict(text, labels)


def free_answer(text: str) -> dict[str, Parsed]:
    """An answer in words: the form in which it is compared, and how it was put."""
    answer = _with_brackets(_OWN_TAGS.sub("", text))
    form = "" if answer.value is None else canonical(str(answer.value))
    if not form:
        return {"answer": Parsed.unparsed()}
    return {"answer": Parsed.ok(form), SAID: answer}


def _with_brackets(text: str) -> Parsed:
    """A short answer; the brackets of an interval or a list are part of it."""
    span = find_answer(text)
    if span is None:
        return Parsed.unparsed()
    start, end = span
    if "," in text[start:end] and (text[start - 1 : start], text[end : end + 1]) == (
        "[",
        "]",
    ):
        start, end = start - 1, end + 1
    return Parsed.ok(text[start:end])


def _chosen(
    text: str, label: str, question: Question, choices: Sequence[str]
) -> Parsed:
    """One of some choices, by its letter, or by what it says.

    "B cells" is not the letter B if it is an answer. A lone letter that is one answer
    and the letter of another is ambiguous, and unparsed.
    """
    letters = {question.called(choice): choice for choice in choices}
    line = line_after(text, label) or ""
    by_text = [c for c in choices if canonical(question.options[c]) == canonical(line)]
    if len(by_text) == 1 and line:
        letter = line.strip(" .*()").upper()
        if letters.get(letter, by_text[0]) == by_text[0]:
            return Parsed.ok(by_text[0])
        if question.free:
            return Parsed.unparsed()
    named = letter_line(text, label, tuple(letters))
    return named if named.value is None else Parsed.ok(letters[str(named.value)])
