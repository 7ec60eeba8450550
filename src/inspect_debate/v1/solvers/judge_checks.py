"""A judge on finished debates: as they were, and with one thing changed at a time."""

import re
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import cycle
from typing import Any, NamedTuple

from inspect_ai.solver import Generate, Solver, TaskState, solver

from inspect_debate.v1.debate.conversation import show
from inspect_debate.v1.debate.engine import INFO, Parameters, SolverInfo, load_config
from inspect_debate.v1.debate.errors import InputError, check_choice, check_whole_number
from inspect_debate.v1.debate.judge_checks import (
    CHECKS,
    DEBATE,
    PERTURBED,
    Check,
    FinishedDebate,
    debate_in_sample,
    finished_debate,
    unusable_because,
)
from inspect_debate.v1.debate.participants import (
    ModelParticipant,
    as_listed,
    check_roles,
    models_for,
    orders,
    pair,
)
from inspect_debate.v1.debate.paths import file_name
from inspect_debate.v1.debate.prompts import PromptSet, load_prompts
from inspect_debate.v1.debate.question import Question
from inspect_debate.v1.debate.quotes import Verified
from inspect_debate.v1.debate.record import Order, Participant, Turn
from inspect_debate.v1.debate.recording import Debate, recording
from inspect_debate.v1.debate.reuse import Source, open_source, record_of
from inspect_debate.v1.debate.seeds import mirrored, seeded
from inspect_debate.v1.solvers.question_answering import (
    STUDY,
    VERDICT,
    AnyDebate,
    DebateConfig,
    asked,
    between_answers,
    checked,
    give_verdict,
)

# Exchanging the two sides of a debate in one respect, and in no other.

_QUOTED = re.compile(
    r"(?:<|&lt;)(?P<tag>(?:[vu]_)?quote)>.*?(?:<|&lt;)/(?P=tag)>"
    r"|\"[^\"\n]*\"|[“„][^“”\n]*[“”]|‘[^‘’\n]*’|«[^«»\n]*»",
    re.DOTALL,
)


class Hearing(NamedTuple):
    """A debate of two as a judge is to hear it.

    Attributes:
        question: What is debated.
        debaters: Who debated, with their names and sides.
        turns: What they said.
        order: Whether the first answer is listed, and its defender shown, first.
    """

    question: Question
    debaters: Sequence[Participant]
    turns: Sequence[Turn]
    order: Order

    @property
    def listed(self) -> list[str]:
        """The two answers, in the order in which they are listed."""
        debaters = as_listed(self.question, self.debaters, self.order)
        return [str(speaker.defends) for speaker in debaters]


class Changed(NamedTuple):
    """A debate with one thing changed, and the answer that this may help."""

    hearing: Hearing
    favours: str | None


def repeated(hearing: Hearing) -> Changed:
    """The same debate."""
    return Changed(hearing, None)


def other_order(hearing: Hearing) -> Changed:
    """The other answer listed first, and its debater shown first."""
    other: Order = "ba" if hearing.order == "ab" else "ab"
    changed = hearing._replace(order=other)
    return Changed(changed, changed.listed[0])


def names_exchanged(hearing: Hearing) -> Changed | None:
    """Each debater called by the other's name, by the suite and by each other.

    None where one of the names occurs in the material or in a quote as well, where it
    may be another's.
    """
    one, other = hearing.debaters
    names = {one.name.lower(): other.name, other.name.lower(): one.name}
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b", re.IGNORECASE)

    def exchanged(match: re.Match[str]) -> str:
        name = names[match[0].lower()]
        cased = {str.isupper: str.upper, str.islower: str.lower}
        return next((to(name) for of, to in cased.items() if of(match[0])), name)

    turns = _rewritten(hearing, lambda text: pattern.sub(exchanged, text))
    if turns is None:
        return None
    debaters = [
        speaker.model_copy(update={"name": names[speaker.name.lower()]})
        for speaker in hearing.debaters
    ]
    first = min(debaters, key=lambda speaker: speaker.name)
    return Changed(hearing._replace(debaters=debaters, turns=turns), first.defends)


def labels_exchanged(hearing: Hearing) -> Changed | None:
    """Each answer called by the other's letter or number.

    In the lists, which keep their order, and in speeches. None where one of the labels
    stands by itself in the question, an option or a quote as well, where it may be no
    answer's; or beside one and the same word in a speech and in the passage, where the
    speech may mean what the passage does ("vitamin B").
    """
    one, other = hearing.listed
    question = hearing.question.relabelled(one, other)
    labels = {hearing.question.called(c): question.called(c) for c in (one, other)}
    if "I" in labels:  # which is a word of most speeches
        return None
    in_passage = uses(question.passage or "", labels)
    if any(uses(turn.public, labels) & in_passage for turn in hearing.turns):
        return None
    turns = _rewritten(hearing, lambda text: relabelled(text, labels), ("passage",))
    if turns is None:
        return None
    first = min((one, other), key=question.called)
    return Changed(hearing._replace(question=question, turns=turns), first)


def _rewritten(
    hearing: Hearing, rewrite: Callable[[str], str], but: Collection[str] = ()
) -> list[Turn] | None:
    """Turns with their public texts rewritten.

    None where this would rewrite a text of the material, or a quote.

    Args:
        hearing: The debate.
        rewrite: What becomes of a text.
        but: Sources in which it may find something.
    """
    question = hearing.question
    material = [
        text for name, text in question.sources.items() if name not in ("options", *but)
    ]
    if any(rewrite(text) != text for text in (*material, *question.options.values())):
        return None
    rewritten = [
        turn.model_copy(update={"public": rewrite(turn.public)})
        for turn in hearing.turns
    ]
    for before, after in zip(hearing.turns, rewritten, strict=True):
        if _quotes(before.public) != _quotes(after.public):
            return None
    return rewritten


def _quotes(text: str) -> list[str]:
    """What a text quotes; a single word in quotation marks is no quote."""
    found = (match for match in _QUOTED.finditer(text))
    return [m[0] for m in found if m["tag"] or re.search(r"\s", m[0])]


SWAPPED: Mapping[Check, Callable[[Hearing], Changed | None]] = {
    "repeat": repeated,
    "order": other_order,
    "names": names_exchanged,
    "sides": labels_exchanged,
}
"""How a debate is changed by the checks that add nothing to it.

They return None where nothing but that one thing could not be changed.
"""


PROMPTS = "judge_checks"
"""The prompt set with what manipulations add."""


@solver
def judge_checks(
    debates: str = "sample",
    checks: Sequence[Check] = CHECKS,
    seed: int = 0,
    prompts: str | None = None,
    config: Mapping[str, Any] | None = None,
) -> Solver:
    """One judge decides a finished debate, and then its changed forms, all at once.

    Args:
        debates: `sample`, where samples bring their debates along; or the log that
            holds them.
        checks: What is changed (`debate/judge_checks.py`).
        seed: Draws the wordings of what is added.
        prompts: A file laid over the judge's prompts and those of `judge_checks`.
        config: Values of `DebateConfig`; where debates are a log's, what a judge is
            shown is as it was there.

    Returns:
        A solver for the samples that `datasets/judge_check.py` makes. The judge is the
        model of role `judge`, or the main model.

    Raises:
        InputError: If a parameter is not allowed.
    """
    check_whole_number("seed", seed, at_least=0)
    for check in checks:
        check_choice("checks", check, CHECKS)
    check_roles()
    settings = load_config(DebateConfig, config)
    source = None if debates == "sample" else open_source(debates, "debate")
    logged = {"debates": file_name(debates), "checks": list(checks)}
    logged |= settings.model_dump(
        mode="json", include={"max_reasks", "max_characters", "verdict"}
    )

    @cache
    def prompts_for(kind: str) -> PromptSet:
        return load_prompts(kind, prompts, extra=(PROMPTS, *settings.extra_prompts))

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        finished = await _debate(state, source)
        shown = finished.settings(settings)
        question = asked(state, shown)
        parameters = logged | {"answers": shown.answers}
        prompt_set = prompts_for(question.prompt_set)
        debate: AnyDebate = Debate(
            study=STUDY,
            protocol="judge_check",
            question=question,
            parameters=Shown(
                rounds=finished.rounds,
                show_openings=finished.show_openings,
                judge_sees_problem=finished.judge_sees_problem,
            ),
            config=shown,
            prompts=prompt_set,
            seed=seed,
            state=state,
            aggregation="first",
        )
        async with recording(
            state,
            debate,
            study="judge_check",
            protocol="judge_check",
            parameters=parameters,
            prompts=prompt_set.used(),
            question=question,
            seed=seed,
            reused_from=None if source is None else source.run,
        ):
            manipulated = str(state.metadata[PERTURBED])
            await ask_verdicts(debate, the_judge(), finished, checks, manipulated)
        return show(state)

    setattr(solve, INFO, SolverInfo(STUDY, "judge_check", logged))
    return solve


class Shown(Parameters):
    """What a judge was shown of a debate, and how many rounds it had."""

    rounds: int
    show_openings: bool
    judge_sees_problem: bool


async def ask_verdicts(
    debate: AnyDebate,
    judge: ModelParticipant,
    finished: FinishedDebate,
    checks: Sequence[Check],
    manipulated: str,
) -> None:
    """Ask for the verdict on a debate and for those of its checks, all at once.

    Args:
        debate: Records the finished debate, its verdict, and those of the checks.
        judge: The judge.
        finished: The debate that is judged.
        checks: What is changed.
        manipulated: The answer whose side is manipulated; the other in even epochs.
    """
    debate.turns = list(finished.turns)
    between_answers(debate)
    debate.participants = list(finished.debaters)
    debate.takes_part(judge, VERDICT)
    (order,) = orders("ab", debate.question.epoch)
    hearing = Hearing(debate.question, finished.debaters, finished.turns, order)
    if mirrored(debate.question.epoch):
        (manipulated,) = (s for s in pair(*finished.debaters) if s != manipulated)
    changed = {
        check: changed_by(check, hearing, debate, manipulated) for check in checks
    }
    for check in (check for check, visible in changed.items() if visible is None):
        debate.warn(
            f"checks={check} is left out of debates in which what it exchanges stands "
            "in the material or in a quote as well."
        )
    await debate.together(
        give_verdict(debate, judge, order, finished.debaters),
        *(
            _verdict(debate, judge, c, visible)
            for c, visible in changed.items()
            if visible
        ),
    )


def changed_by(
    check: Check, hearing: Hearing, debate: AnyDebate, manipulated: str
) -> Changed | None:
    """A debate as a check changes it; None where it is left out.

    Args:
        check: The check.
        hearing: The debate as it was.
        debate: Whose prompts, settings and seed decide what is added.
        manipulated: The answer whose side a manipulation changes.
    """
    if (swapped := SWAPPED.get(check)) is not None:
        return swapped(hearing)
    return Manipulation(debate).of(check, hearing, manipulated)


def _verdict(
    debate: AnyDebate, judge: ModelParticipant, check: Check, changed: Changed
) -> Awaitable[Turn]:
    visible = changed.hearing
    # Another question, such as one whose answers have exchanged their names.
    return give_verdict(
        replace(debate, question=visible.question),
        judge,
        visible.order,
        visible.debaters,
        visible.turns,
        check=check,
        favours=changed.favours,
    )


def the_judge() -> ModelParticipant:
    """The judge that is checked.

    Raises:
        InputError: If several are bound.
    """
    models = models_for("judge")
    if len(models) > 1:
        names = ", ".join(str(model) for model in models)
        raise InputError(
            f"--model-role judge=... takes one model in a judge check, given were "
            f"{len(models)}: {names}. Give --model {','.join(map(str, models))} for "
            "a run of each."
        )
    return ModelParticipant("judge", "judge", models[0])


async def _debate(state: TaskState, source: Source | None) -> FinishedDebate:
    if PERTURBED not in state.metadata or not (source or DEBATE in state.metadata):
        raise InputError(
            f"Sample {state.sample_id!r} has no finished debate to judge: judge_checks "
            "is for the task inspect_debate/judge_check (-T debates=LOG)."
        )
    if source is None:
        return debate_in_sample(state)
    record = await record_of(source, str(state.sample_id), 1)
    if record is None or unusable_because(record):
        raise InputError(
            f"debates={source.typed} has no debate of sample {state.sample_id!r}."
        )
    return finished_debate(record)


# Adding to one side's last speech what should not win it a debate.

WORDINGS = 3
"""Of each manipulation; the prompts' keys are `padded_1` and so on."""

# Where collaborating debaters conclude, the lines that have to be last.
_CONCLUSION = re.compile(r"\n+\s*(?:\*\*)?Final:", re.IGNORECASE)
_SENTENCE_GAP = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True)
class Manipulation:
    """How a side's last speech is changed.

    Attributes:
        debate: Its prompts have the wordings, which its seed draws; its question has
            the sources of quotes.
    """

    debate: AnyDebate

    def of(self, check: Check, hearing: Hearing, answer: str) -> Changed:
        """A debate in which the side of an answer is manipulated.

        Args:
            check: One of `PERTURBATIONS`.
            hearing: The debate as it was.
            answer: The answer that the side defends.
        """
        speaker = next(s for s in hearing.debaters if s.defends == answer)
        last = next(t for t in reversed(hearing.turns) if t.participant == speaker.id)
        public = self._manipulated(check, hearing, speaker, last.public)
        spoken = last.model_copy(update={"public": public})
        turns = [spoken if turn is last else turn for turn in hearing.turns]
        return Changed(hearing._replace(turns=turns), answer)

    def _manipulated(
        self, check: Check, hearing: Hearing, speaker: Participant, speech: str
    ) -> str:
        if check == "padded":
            return appended(speech, self._padding(hearing, speech))
        wordings = self._wordings(check, hearing, speaker)
        if check == "authority":
            return f"{self._checked(wordings[0]).text} {speech}"
        if check == "forged_quote":
            return appended(speech, self._forged(wordings))
        return appended(speech, self._checked(wordings[0]).text)

    def _wordings(
        self, check: Check, hearing: Hearing, speaker: Participant
    ) -> list[str]:
        """A manipulation's wordings, the drawn one first."""
        (opponent,) = (s for s in hearing.debaters if s is not speaker)
        question, answer = hearing.question, str(speaker.defends)
        values = {
            "opponent": opponent.name,
            "number": question.called(answer),
            "position": self._position(hearing, answer),
        }
        first = self._drawn(check, hearing)
        places = [(first + n) % WORDINGS + 1 for n in range(WORDINGS)]
        return [self.debate.prompts.render(f"{check}_{n}", **values) for n in places]

    def _drawn(self, check: Check, hearing: Hearing) -> int:
        return seeded(self.debate.seed, check, hearing.question.id).randrange(WORDINGS)

    def _padding(self, hearing: Hearing, speech: str) -> str:
        """Empty sentences with about as many words as a speech."""
        first = self._drawn("padded", hearing)
        texts = [
            self.debate.prompts.render(f"padded_{(first + n) % WORDINGS + 1}")
            for n in range(WORDINGS)
        ]
        sentences = [
            s for text in texts for s in _SENTENCE_GAP.split(" ".join(text.split()))
        ]
        wanted, number = len(speech.split()), 0
        taken: list[str] = []
        for sentence in cycle(sentences):
            if number >= wanted:
                break
            taken.append(sentence)
            number += len(sentence.split())
        return self._checked(" ".join(taken)).text

    def _forged(self, wordings: Sequence[str]) -> str:
        """The first wording whose quote is found nowhere."""
        for wording in wordings:
            found = self._checked(wording)
            if not any(quote.verified for quote in found.quotes):
                return found.text
        raise ValueError("every forged quote of the prompts stands in the source.")

    def _checked(self, text: str) -> Verified:
        return checked(self.debate.question, self.debate.config, text)

    def _position(self, hearing: Hearing, answer: str) -> str:
        """What an answer says, in one line."""
        if not hearing.question.options:
            return self.debate.prompts.render("position", answer=answer)
        return " ".join(hearing.question.options[answer].split())


def appended(speech: str, addition: str) -> str:
    """A speech with something added at its end, or before its concluding lines."""
    ends = [match.start() for match in _CONCLUSION.finditer(speech)]
    if not ends:
        return f"{speech.rstrip()}\n\n{addition}"
    return f"{speech[: ends[-1]].rstrip()}\n\n{addition}{speech[ends[-1] :]}"


# Calling answers by other letters or numbers, where speeches name them.

# A vowel makes the article `An`, but where it sounds like none.
_NO_NOUN = re.compile(
    r"(?!one\b|once\b|eu)[aeio]|"
    r"(?:was|were|has|had|does|did|do|will|would|could|should|might|may|must|can|"
    r"cannot|said|gave|won|nor|not|vs|versus|but|because|since|so|than|by|to|for|with|"
    r"from|when|while|which|who|that|the|this|he|she|we|you|they|there|never|still|"
    r"therefore|thus|too|both)\b|(?:right|wrong|correct|true|false|better)(?:[.,;:]|$)|"
    r"(?!(?:series|species|news|lens)\b)[a-z]*[^aiosu\W]s\b",
    re.IGNORECASE,
)
"""What follows a letter that is no article: a verb, or a word that joins."""

_ADVERB = r"(?:(?:clearly|directly|simply|merely|really|correctly|rightly|wrongly) )?"
_NEXT = re.compile(rf"[ \u00a0]{_ADVERB}(?P<word>[\w'’]+)")
_SENTENCE_START = re.compile(
    r"(?:^|[\n.!?:;…]|[\"“‘'(\[>«])[\s\"“”‘’'()\[\]*_>#•–—-]*$"
)
_ENDED = re.compile(r"[.!?…][\"”’)\]*_]*\s+$")
_NAMED = re.compile(r"(?i:\b(?:answer|option|choice|side|position|final)s?)[ \n*_]+$")
_LAST = re.compile(r"([\w'’]+)[ \u00a0\"“‘'(\[*]*$")
_FIRST = re.compile(r"[ \u00a0\"”’'),\]*]*([\w'’]+)")
_JOINS = r"(?:and|or|nor|not|over|versus|vs\.?|rather than|instead of)"


def relabelled(text: str, labels: Mapping[str, str]) -> str:
    """A text that calls answers by other letters or numbers.

    A letter is exchanged wherever it is a word of its own, unless it is the article at
    the start of a sentence; a number only after words such as "answer", since numbers
    have many other uses.

    Args:
        text: A speech.
        labels: The new label by the old one.
    """
    if any(label.isdigit() for label in labels):
        return _numbers_exchanged(text, labels)
    return _letters_exchanged(text, labels)


def uses(text: str, labels: Mapping[str, str]) -> set[str]:
    """What would be exchanged in a text, each with the word before or after it.

    Args:
        text: A text of the material, or a speech.
        labels: As in `relabelled`.

    Returns:
        Pairs such as "vitamin B" and "B is"; of numbers all that names them.
    """
    if any(label.isdigit() for label in labels):
        return {match[0].lower() for match in _named_numbers(labels).finditer(text)}
    found: set[str] = set()
    for match in _alone(labels).finditer(text):
        before, after = text[: match.start()], text[match.end() :]
        letter = match[0].strip("_")
        if letter == "A" and _is_article(before, after):
            continue
        if word := _LAST.search(before[-40:]):
            found.add(f"{word[1].lower()} {letter}")
        if word := _FIRST.match(after):
            found.add(f"{letter} {word[1].lower()}")
    return found


def _letters_exchanged(text: str, labels: Mapping[str, str]) -> str:
    def exchanged(match: re.Match[str]) -> str:
        letter = match[0].strip("_")
        if letter == "A" and _is_article(text[: match.start()], text[match.end() :]):
            return match[0]
        return f"{match['mark']}{labels[letter]}{match['mark']}"

    return _alone(labels).sub(exchanged, text)


def _alone(labels: Collection[str]) -> re.Pattern[str]:
    """A letter that is a word of its own."""
    label = _any_of(labels)
    return re.compile(
        rf"(?<!\w)(?<!\w\.)(?P<mark>_*){label}(?P=mark)"
        rf"(?![\w+#]|\.\w|-(?!(?:{_JOINS}|{label})\b)\w)"
    )


def _is_article(before: str, after: str) -> bool:
    """Whether an `A` begins a sentence, and a noun or what belongs to one follows."""
    # Words farther away say nothing about it.
    before = before[-40:] if len(before) > 40 else f"\n{before}"
    follows = _NEXT.match(after)
    if not follows or _NAMED.search(before) or not _SENTENCE_START.search(before):
        return False
    word = follows["word"]
    if not word[0].islower() and not _ENDED.search(before):
        return False  # as in a list of answers: "A Paris"
    return not _NO_NOUN.match(after, follows.start("word"))


def _numbers_exchanged(text: str, labels: Mapping[str, str]) -> str:
    one = re.compile(_number(labels))
    return _named_numbers(labels).sub(
        lambda match: one.sub(lambda found: labels[found[0]], match[0]), text
    )


def _named_numbers(labels: Collection[str]) -> re.Pattern[str]:
    """Numbers after words such as "answer"."""
    label = _number(labels)
    # "Answers 1, 2" are two answers, "answer 1, 2 errors" is one.
    joined = rf"(?: ?[/&] ?|,? {_JOINS} |(?(several), ?|(?!)))"
    return re.compile(
        r"(?i:\b(?:(?:answer|option|choice|side|position)(?P<several>s)?\b"
        r"|final(?=[ *_]*:)))[ :*_`\"'“‘(\[]{0,6}"
        rf"{label}(?:[)\]*_`\"'”’]*{joined}[*_`\"'“‘(\[]*{label})*"
    )


def _number(labels: Collection[str]) -> str:
    return rf"{_any_of(labels)}(?!\w|[.,]\d| ?%)"


def _any_of(labels: Collection[str]) -> str:
    return f"(?:{'|'.join(map(re.escape, labels))})"
