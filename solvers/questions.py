"""What protocols on questions share: the question, how replies are read, the outcome.

A question has labels (error detection), options (an Inspect task with choices), or is
answered in words; then the first answers are its options.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from string import ascii_uppercase
from typing import Any, Literal

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    ContentText,
    GenerateConfig,
    ModelOutput,
)
from inspect_ai.solver import TaskState
from inspect_ai.util import message_limit

from inspect_debate.debate.ask import Asking, Read
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.prompted import Prompted
from inspect_debate.debate.readers import (
    ERROR_CLAIMS,
    choice,
    labelled,
    numbered,
    realmistake_label,
    short_answer,
    stated,
)
from inspect_debate.debate.record import Debate, Turn
from inspect_debate.debate.roles import Participant, participants
from inspect_debate.debate.seeds import seeded
from inspect_debate.debate.text import escape, unescape
from inspect_debate.debate.view import messages

PAPER = GenerateConfig(temperature=0.0, max_tokens=4096)
"""ColMAD runs everything at temperature 0; it names no token limit."""
PROMPTS = Path(__file__).with_name("questions.yaml")
LABELS = {
    "error": "the response contains an error",
    "no_error": "the response contains no error",
}
Parser = Literal["last_sentence", "realmistake"]
Order = Literal["ab", "ba", "both"]


@dataclass(frozen=True)
class Question:
    """What a sample asks, without its right answer.

    It may be about a passage, which is in the sample's metadata.

    Attributes:
        item: The item's texts by the names that prompts use, escaped.
        options: The possible answers; empty until a question in words is answered.
        names: What replies call each of them: a number or a letter.
        sources: What may be quoted, unescaped.
        labelled: Whether this is error detection.
        in_words: Whether answers are in words.
    """

    item: Mapping[str, str]
    options: Mapping[str, str]
    names: Mapping[str, str]
    sources: Mapping[str, str] = field(default_factory=dict)
    labelled: bool = False
    in_words: bool = False

    @property
    def quotable(self) -> str:
        """What may be quoted, in words: `the passage`; empty if there is nothing."""
        return " or ".join(f"the {name}" for name in self.sources)

    def called(self, option: str) -> str:
        """An option as replies name it: `1 error`, or `B`."""
        return f"{self.names[option]} {option}" if self.labelled else self.names[option]


def question_of(state: TaskState) -> Question:
    """What a sample asks: for a label, one of its options, or an answer in words.

    Raises:
        InputError: If it asks for something that a debate of two cannot give.
    """
    found = {"task", "response"} <= (state.metadata or {}).keys()
    if found and state.target.text in LABELS:  # other tasks have such metadata, too
        sources = {key: str(state.metadata[key]) for key in ("task", "response")}
        item = {key: escape(text) for key, text in sources.items()}
        item |= {"question": "", "passage": ""}
        names = {"error": "1", "no_error": "2"}
        return Question(item, LABELS, names, sources, labelled=True)
    text, passage = _text(state), str((state.metadata or {}).get("passage") or "")
    # Other tasks may keep what their input has, too.
    sources = {"passage": passage} if passage and passage not in text else {}
    item = {"task": "", "response": "", "question": escape(text)}
    item["passage"] = escape(sources.get("passage", ""))
    if not len(state.choices):
        return Question(item, {}, {}, sources, in_words=True)
    _check_choices(state)
    letters = ascii_uppercase[: len(state.choices)]
    # Indented, so that an option's further lines cannot pose as other options.
    texts = [escape(c.value).strip().replace("\n", "\n    ") for c in state.choices]
    options = dict(zip(letters, texts, strict=True))
    return Question(item, options, {letter: letter for letter in letters}, sources)


def _text(state: TaskState) -> str:
    if isinstance(state.input, str):
        return state.input
    for message in state.input:
        parts = message.content if isinstance(message.content, list) else []
        if not all(isinstance(part, ContentText) for part in parts):
            raise InputError(
                f"sample {state.sample_id!r} has images, audio or files in its input; "
                "debates are about text."
            )
    if len(state.input) == 1:
        return state.input[0].text
    return "\n\n".join(f"{m.role.capitalize()}: {m.text}" for m in state.input)


def _check_choices(state: TaskState) -> None:
    where, count = f"sample {state.sample_id!r}", len(state.choices)
    if not 2 <= count <= 26:
        raise InputError(f"{where} has {count} options; a debate takes 2 to 26.")
    letters = {*state.target.text.replace(",", "").replace(" ", "")}
    if len(state.target) > 1 or (len(letters) > 1 and letters <= {*ascii_uppercase}):
        raise InputError(f"{where} has several right options; a debate gives one.")
    if any(c.original_position != n for n, c in enumerate(state.choices)):
        raise InputError(
            f"a solver before the debate shuffled the options of {where}; shuffle them "
            "in the dataset instead (shuffle_choices), where the target moves along."
        )


# --- Asking ---------------------------------------------------------------------------


@dataclass
class Asker:
    """Asks what all protocols ask about a sample.

    Attributes:
        question: What is asked.
        prompted: Prompts and parameters; with `parser=realmistake` answers of error
            detection are read by the rule of ReaLMistake's authors.
        reads_passage: Whether answers are given by who reads the passage.
    """

    question: Question
    prompted: Prompted
    reads_passage: bool = True

    def answer(self, who: Participant, kind: str = "answer", **how: Any) -> Asking:
        """A participant's own answer, before any debate."""
        values = self.values()
        return self.prompted.ask(
            who, kind, self.read_answer, values, prompt="answer", **how
        )

    def update(
        self, who: Participant, own: Sequence[Turn], others: Sequence[Sequence[Turn]]
    ) -> Asking:
        """An answer after reading those of others, in one chat (Du et al. 2023)."""
        chat: list[ChatMessage] = []
        key, values = "answer", self.values()
        for round, said in enumerate(own):
            prompt = self.prompted.texts(key, **values)
            chat.append(ChatMessageUser(content=prompt))
            chat.append(ChatMessageAssistant(content=unescape(said.public) or "-"))
            turns = [{"text": each[round].public or "(no answer)"} for each in others]
            key, values = "update", self.values() | {"turns": turns}
        how: dict[str, Any] = {"history": chat, "round": len(own)}
        how["reminder"] = "answer_reminder"
        return self.prompted.ask(who, "update", self.read_answer, values, **how)

    def verdicts(
        self,
        order: Order,
        epoch: int,
        *,
        among: Mapping[str, str] | None = None,
        transcript: Callable[[str], list[dict[str, str]]] = lambda order: [],
        draw: int = 0,
        **shown: Any,
    ) -> list[Asking]:
        """The decisions of all judges between answers, in one order or in both.

        Args:
            order: `ab` lists the answers in their order, `ba` the other way round;
                mirrored in every second epoch.
            epoch: The sample's epoch.
            among: The answers, with the name of who argues for each; by default all.
            transcript: What judges read in an order.
            draw: The number of the decision where several are drawn.
            shown: What else the prompt is told: `debated`, `assigned`, `consulted` (the
                name of a consultant), `visible` and `reads_passage` (whether the judge
                reads the item, and its passage) and `quotable` (what quotes were
                checked against; empty without quotes).
        """
        orders = ["ab", "ba"] if order == "both" else [str(order)]
        if epoch % 2 == 0:
            orders = ["ba" if one == "ab" else "ab" for one in orders]
        speakers = among or dict.fromkeys(self.question.options, "")
        keys = [key for key in self.question.options if key in speakers]
        listed = [self.option(key) | {"argued_for": speakers[key]} for key in keys]
        values = self.values() | {"assigned": False, "quotable": ""} | shown
        if not values["reads_passage"]:  # a user's prompt cannot show it, either
            values["passage"] = ""
        if len(listed) == len(values["options"]):  # listed once, in the judge's order
            values["options"] = []
        values["quotes"] = bool(values["quotable"])

        def verdict(judge: Participant, order: str) -> Asking:
            now = {
                "turns": transcript(order),
                "listed": listed[:: 1 if order == "ab" else -1],
            }
            read = partial(self.read_verdict, keys=keys)
            how: dict[str, Any] = {"system": "judge", "order": order, "draw": draw}
            return self.prompted.ask(judge, "verdict", read, values | now, **how)

        judges = participants("judge", fallback="debater_a")
        return [verdict(judge, one) for judge in judges for one in orders]

    def values(self) -> dict[str, Any]:
        """The question, for the templates."""
        question = self.question
        keys = [] if question.in_words else [*question.options]
        letters = [question.names[key] for key in keys]
        return {
            **question.item,
            "passage": question.item["passage"] if self.reads_passage else "",
            "about_passage": bool(question.item["passage"]),
            "labelled": question.labelled,
            "visible": True,
            "reads_passage": self.reads_passage,
            "debated": False,
            "consulted": "",
            "options": [self.option(key) for key in keys],
            "letters": " or ".join(
                filter(None, [", ".join(letters[:-1]), *letters[-1:]])
            ),
        }

    def option(self, key: str) -> dict[str, str]:
        """One of the answers, for the templates."""
        question = self.question
        text, name = question.options[key], question.names[key]
        return {"key": key, "name": name, "text": text, "called": question.called(key)}

    # --- Reading ----------------------------------------------------------------------

    def read_answer(self, reply: str) -> Read:
        """One's own answer: a sentence with its label, a letter, or words."""
        question = self.question
        if question.labelled:
            if self.prompted.parameters.get("parser") == "realmistake":
                label = realmistake_label(reply)
                return Read(escape(reply), {"answer": label}, label is not None, True)
            return self._read(reply, stated(reply, ERROR_CLAIMS))
        if question.in_words:
            found = short_answer(reply)
            said = None if found is None else found.value
            place = None if found is None else (found.start, found.end)
            ok = found is not None
            return Read(escape(reply), {"answer": said}, ok=ok, place=place)
        return self._read(reply, choice(reply, "answer", self.names(question.options)))

    def read_verdict(self, reply: str, keys: Sequence[str]) -> Read:
        """A judge's line `Answer: 1`; in error detection else the label's sentence."""
        found = choice(reply, "answer", self.names(keys))
        if found is None and self.question.labelled and not labelled(reply, "answer"):
            found = stated(reply, ERROR_CLAIMS)
        return self._read(reply, found)

    def names(self, keys: Sequence[str] | Mapping[str, str]) -> dict[str, list[str]]:
        """What replies may call each of some answers."""
        question = self.question
        if question.labelled:
            return numbered({key: question.options[key] for key in question.options})
        called = {*question.names.values()}
        texts = {key: unescape(question.options[key]) for key in keys}
        return {
            key: [question.names[key], *([text] if text not in called else [])]
            for key, text in texts.items()
        }

    def _read(self, reply: str, found: Any) -> Read:
        answer = None if found is None else found.value
        place = None if found is None else (found.start, found.end)
        names = dict(self.question.names)
        ok = found is not None
        return Read(escape(reply), {"answer": answer}, ok, True, (), place, names)


# --- The outcome ----------------------------------------------------------------------


def with_options(
    debate: Debate, question: Question, answers: Sequence[Turn]
) -> Question:
    """Record the options; for a question in words these are the answers given to it.

    Answers that differ in nothing but form are one. The turns then have the letter of
    their answer, and its words as `said`.
    """
    if not question.in_words:
        debate.options = dict(question.options)
        return question
    letters: dict[str, str] = {}
    options: dict[str, str] = {}
    for turn in answers:
        # A turn of an earlier log has its letter already.
        said = turn.fields.get("said") or turn.fields.get("answer")
        if said is None:
            continue
        more, place = divmod(len(letters), 26)
        next_letter = ascii_uppercase[more - 1] * (more > 0) + ascii_uppercase[place]
        letter = letters.setdefault(_form(said), next_letter)
        options.setdefault(letter, escape(said))
        turn.fields |= {"answer": letter, "said": said}
    debate.options = options
    return replace(question, options=options, names={key: key for key in options})


def _form(answer: str) -> str:
    """What answers have in common that differ in form alone: `1,000.0` and `1000`."""
    form = " ".join(answer.casefold().split()).removeprefix("the ").rstrip(".")
    if re.fullmatch(r"[+-]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?", form):
        return str(float(form.replace(",", "")))
    return form


def majority(
    debate: Debate, turns: Sequence[Turn], seed: int, *item: str | int
) -> None:
    """Decide by the most frequent answer that was read; a tie is drawn, and recorded.

    The draw is fixed by the seed and the item, the sample's id and epoch.
    """
    votes = [turn.fields["answer"] for turn in turns if turn.status == "ok"]
    if not votes:
        debate.skip_reason = "no answer could be read"
        return
    most = max(votes.count(answer) for answer in votes)
    first = [key for key in debate.options if votes.count(key) == most]
    if len(first) == 1:
        debate.answer = first[0]
        return
    debate.tied, debate.skip_reason = first, "the answers are tied"
    debate.drawn = seeded(seed, "tie-break", *item).choice(first)


def finish(state: TaskState, debate: Debate, question: Question) -> TaskState:
    """Put the debate and its answer where the viewer and the task's scorers look."""
    item = question.item
    text = f"**Task**\n\n{item['task']}\n\n**Response**\n\n{item['response']}"
    if not question.labelled:
        listed = [f"{question.names[k]}) {t}" for k, t in question.options.items()]
        asked = [item["passage"], item["question"]]
        asked += [] if question.in_words else listed
        text = "\n\n".join(filter(None, asked))
    with message_limit(None):  # it is over: this only lays it out
        state.messages = messages(debate, text)
    answer = debate.answer or debate.drawn
    completion = answer or ""
    if question.in_words and answer:
        # Without its reasons, in which a task's scorer may find the target, too.
        completion = unescape(debate.options.get(answer, answer))
    elif len(state.choices):
        for index, letter in enumerate(ascii_uppercase[: len(state.choices)]):
            state.choices.mark_choice(index, letter == answer)
        completion = f"ANSWER: {answer}" if answer else ""
    state.output = ModelOutput.from_content(debate.protocol, completion)
    return state
