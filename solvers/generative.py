"""Generative debate on tasks whose answers can be graded.

The seven formats of "Inference-time Generative Debates on Coding and Reasoning Tasks
for Scalable Oversight".
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal, NamedTuple

import anyio
from inspect_ai.model import GenerateConfig, ModelOutput
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import sandbox

from inspect_debate.datasets.logged import Logged, logged
from inspect_debate.debate.ask import Asking, Parse, Read, free_text, together
from inspect_debate.debate.errors import (
    Count,
    InputError,
    Positive,
    check_known,
    validated,
)
from inspect_debate.debate.prompted import Prompted
from inspect_debate.debate.readers import choice
from inspect_debate.debate.record import Debate, Turn
from inspect_debate.debate.roles import Participant, current_run, participants, replayed
from inspect_debate.debate.seeds import flipped
from inspect_debate.debate.text import escape
from inspect_debate.debate.view import messages
from inspect_debate.grading.code import Problem, program
from inspect_debate.grading.grade import check_sandbox, grade
from inspect_debate.grading.grids import Grid, grids, grids_right, render
from inspect_debate.solvers.rulings import read_rulings, reward, ruled

PROMPTS = Path(__file__).with_suffix(".yaml")
ALICE, BOB = "Alice", "Bob"
# Answers of one model, and candidates for a speech, are to differ. The study names no
# settings; its debaters reason, which takes room.
ANSWERS = GenerateConfig(temperature=1.0, max_tokens=16384)
SPEECHES = GenerateConfig(temperature=1.0, max_tokens=8192)
RULINGS = GenerateConfig(temperature=0.0, max_tokens=8192)


class Format(NamedTuple):
    """How many answers are put to the judge, and what is said about them."""

    proposers: int
    interaction: Literal["debate", "consultancy", "none"]


FORMATS = {
    "dual_debate": Format(2, "debate"),
    "single_debate": Format(1, "debate"),
    "dual_consultancy": Format(2, "consultancy"),
    "single_consultancy": Format(1, "consultancy"),
    "dual_no_transcript": Format(2, "none"),
    "single_no_transcript": Format(1, "none"),
    "direct_qa": Format(0, "none"),
}
_FREE = {"calls": 0, "input_tokens": 0, "output_tokens": 0}
"""The costs of a turn that was asked for elsewhere."""


@solver
@validated
def generative(
    protocol: str = "dual_debate",
    rounds: Positive | None = None,
    best_of: Positive | None = None,
    turn_order: Literal["simultaneous", "sequential"] | None = None,
    sides: Literal["free", "assigned"] | None = None,
    debater_style: Literal["neutral", "honest"] | None = None,
    word_limit: Positive | None = None,
    answers: str | None = None,
    reminders: Count = 1,
    seed: int = 0,
    prompts: str | None = None,
) -> Solver:
    """One or two proposers answer and speak; a judge rules on each answer by itself.

    Answers come first, by a prompt that knows of no debate, and are frozen. In a debate
    the proposers, or the one proposer and a critic, then hear each other; in a
    consultancy each speaks for itself. All answers may be correct, or none.

    Samples have `answer_kind` in their metadata: `grids`, with the right ones as the
    target, or `code`, with the tests; programs are graded in the sample's sandbox.
    Roles: `debater_a` (Alice), `debater_b` (Bob: the second proposer, or the critic; by
    default another draw of the same model), `judge`, which may be a list, and `reward`,
    which scores candidates for a speech, by default the first judge.

    Args:
        protocol: The format. In `direct_qa` the judge answers alone.
        rounds: Rounds of speeches; 2 in the study.
        best_of: Of how many candidates each speech is chosen by its reward; 1 or 4 in
            the study.
        turn_order: In a debate both speak at once, as in the study, or one has heard
            the other.
        sides: `assigned`: a zero-sum debate about the same answers, in which each side
            argues for its own answer, and a critic against it.
        debater_style: `honest` asks debaters to say what they believe.
        word_limit: The limit of a speech that debaters are told, 250 by default.
        answers: A log whose answers are debated, with their grades; by default formats
            that run together (in one `inspect eval` or `eval-set`) share theirs.
        reminders: How often an unread reply is asked for again.
        seed: Of the order in which answers are listed and debaters speak.
        prompts: A YAML file that replaces some of the prompts.

    Raises:
        InputError: If a parameter has no meaning in the format, or the log no answers.
    """
    given = {name: value for name, value in locals().items() if name in DEFAULTS}
    settings = effective(protocol, given)
    format = FORMATS[protocol]
    if answers and not format.proposers:
        raise InputError(
            f"answers={answers} has no meaning in protocol={protocol}; leave it out."
        )
    earlier = logged(answers, "answers") if answers else None
    settings |= {"answers": answers, "reminders": reminders, "seed": seed}
    settings |= {"prompts": prompts}
    prompted = Prompted.of(settings, GenerateConfig(), PROMPTS)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        with prompted.recorded(protocol) as debate:
            talk = Discussion(state, debate, format, prompted)
            if not earlier:  # which come with their grades
                await talk.check()
            await talk.answer(earlier)
            for round in range(1, settings.get("rounds", 0) + 1):
                for speakers in talk.turns():
                    await talk.speak(speakers, round)
            if format.proposers:
                judges = participants("judge")
                await together(debate, *(talk.rule(one, "verdict") for one in judges))
                debate.answer, debate.skip_reason = in_words(debate)
            await talk.grade()
        state.messages = messages(debate, state.input_text)
        state.output = ModelOutput.from_content(protocol, debate.answer or "")
        return state

    return solve


DEFAULTS: dict[str, Any] = {
    "rounds": 2,
    "best_of": 1,
    "turn_order": "simultaneous",
    "sides": "free",
    "debater_style": "neutral",
    "word_limit": 250,
}


def effective(protocol: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a format, of which each has those that it has a use for."""
    check_known("protocol", protocol, FORMATS)
    only_debate = ("turn_order", "sides")
    unused = {"debate": (), "consultancy": only_debate, "none": tuple(DEFAULTS)}[
        FORMATS[protocol].interaction
    ]
    chosen = {name: value for name, value in given.items() if value is not None}
    for name in [name for name in unused if name in chosen]:
        raise InputError(
            f"{name}={chosen[name]} has no meaning in protocol={protocol}; leave it "
            "out."
        )
    return {name: DEFAULTS[name] for name in DEFAULTS if name not in unused} | chosen


# --- Answers that formats share -------------------------------------------------------

_checked: set[Any] = set()
_drawn: dict[tuple[Any, ...], Turn] = {}
_asking: dict[tuple[Any, ...], anyio.Lock] = {}


async def drawn_once(key: tuple[Any, ...], call: Asking) -> Turn:
    """An answer, which the first format of a run that needs it asks for.

    Formats can only be compared on the same answers. The key is the run, and all that
    the answer depends on.
    """
    if any(other[0] != key[0] for other in [*_asking][:1]):  # an earlier run's
        _drawn.clear()
        _asking.clear()
    async with _asking.setdefault(key, anyio.Lock()):
        if key in _drawn:
            call.close()
            return _drawn[key].model_copy(update=_FREE, deep=True)
        _drawn[key] = await call
        return _drawn[key]


# --- A debate -------------------------------------------------------------------------


class Discussion:
    """The answers to a task, what is said about them, and what is ruled.

    Attributes:
        proposers: Those whose answers are put to the judge.
        speakers: Those who speak: the proposers, and the critic of a single answer.
        listed: The proposers as the judge reads their answers, and after them a critic.
    """

    def __init__(
        self, state: TaskState, debate: Debate, format: Format, prompted: Prompted
    ) -> None:
        """Find out who takes part, and what is asked."""
        self.state, self.debate, self.format = state, debate, format
        self.settings, self.prompted = debate.parameters, prompted
        self.kind = str(state.metadata.get("answer_kind"))
        about = f"sample {state.sample_id!r}: answer_kind"
        check_known(about, self.kind, ("grids", "code"))
        self.proposers: list[Participant] = []
        self.critics: list[Participant] = []
        if format.proposers:
            self.proposers = participants("debater_a", ALICE)
            bob = participants("debater_b", BOB, fallback="debater_a")
            if format.proposers == 2:
                self.proposers += bob
            elif format.interaction == "debate":
                self.critics = bob
        self.speakers = [*self.proposers, *self.critics]
        seed = self.settings["seed"]
        turned = len(self.proposers) == 2 and flipped(state, seed, "listed first")
        self.order = "ba" if turned else "ab"
        self.listed = [*self.proposers[:: -1 if turned else 1], *self.critics]
        self.item: dict[str, Any] = {
            "kind": self.kind,
            "parts": state.metadata.get("grids", 1),
            "task": escape(state.input_text),
            "interaction": format.interaction,
            "dual": format.proposers == 2,
            "assigned": self.settings.get("sides") == "assigned",
        }

    # Answers.

    async def check(self) -> None:
        """Raise InputError, before any call, for what could not be graded."""
        if self.kind == "grids":
            grids_of(self.state)
            return
        Problem.of(self.state.sample_id, self.state.metadata)
        try:
            box = sandbox()
        except ProcessLookupError:
            raise InputError(
                f"Sample {self.state.sample_id!r} is graded by running a program, and "
                "there is no sandbox; install Docker or bubblewrap, or give --sandbox."
            ) from None
        if (key := (current_run.get(), type(box))) not in _checked:
            await check_sandbox(box)
            _checked.add(key)

    async def answer(self, earlier: Logged | None) -> None:
        """Take the answers from an earlier run, or ask as in every other format."""
        if earlier:
            self._take_over(earlier)
        else:
            who = self.proposers or participants("judge")
            calls = (self._solve(one, draw) for draw, one in enumerate(who))
            await together(self.debate, *calls)
        for turn in self.debate.of("answer"):
            self.debate.options[turn.speaker] = turn.public or "(nothing)"

    def _solve(self, who: Participant, draw: int) -> Asking:
        read = solution_reader(self.kind, self.state)
        call = self.prompted.ask(
            who, "answer", read, self.item, config=ANSWERS, draw=draw
        )
        run = current_run.get() or object()
        which = (str(self.state.sample_id), self.state.epoch, who.role, draw)
        # Objects by their type: their repr has an address, which differs between tasks.
        args = json.dumps(
            who.model.model_args, sort_keys=True, default=lambda x: type(x).__name__
        )
        settings = who.model.config.model_dump_json()
        prompt = self.prompted.texts("answer", **self.item)
        return drawn_once((run, *which, str(who.model), args, settings, prompt), call)

    def _take_over(self, earlier: Logged) -> None:
        """Use the answers of an earlier run, with their grades."""
        given = f"answers={self.settings['answers']}"
        id, epoch = self.state.sample_id, self.state.epoch
        asked = {sample.id: sample.input for sample in earlier.samples}
        debate = earlier.debates.get((id, epoch))
        if debate is None or asked[id] != self.state.input_text:
            raise InputError(
                f"{given} has no answers to sample {id!r} in epoch {epoch} as it is "
                "asked here; run the same samples and epochs as there."
            )
        answers = {turn.role: turn for turn in debate.of("answer")}
        for who in self.proposers:
            if (turn := answers.get(who.role)) is None:
                raise InputError(
                    f"{given} has no answer of {who.role}; for two answers give the "
                    "log of a dual format."
                )
            if turn.model != str(who.model) and replayed.get() is None:
                raise InputError(
                    f"{given} has answers of {turn.model} as {who.role}, which is "
                    f"{who.model} here; bind the same models, or leave it out."
                )
            self.debate.turns.append(turn.model_copy(update=_FREE))
            self.debate.grades[who.name] = debate.grades[who.name]

    async def grade(self) -> None:
        """Grade the answers; no grade reaches a prompt."""
        for turn in self.debate.of("answer"):
            grades = self.debate.grades
            if turn.speaker not in grades:
                grades[turn.speaker] = await self._grade(turn)

    async def _grade(self, turn: Turn) -> dict[str, Any]:
        if turn.status != "ok":
            return {"status": "unread"}
        for other in self.debate.of("answer"):  # the same answer is graded once
            same = other.fields.get("answer") == turn.fields["answer"]
            if same and other.speaker in self.debate.grades:
                return self.debate.grades[other.speaker]
        if self.kind == "grids":
            target = grids_of(self.state)
            answer = grids(turn.fields["answer"], len(target)) or []
            right = grids_right(answer, target)
            status = "pass" if right == len(target) else "fail"
            return {"status": status, "tests": len(target), "passed": right}
        problem = Problem.of(self.state.sample_id, self.state.metadata)
        return asdict(await grade(turn.fields["answer"], problem))

    # Speeches.

    def turns(self) -> list[list[Participant]]:
        """Who speaks at once in a round: all, or one who has heard the other."""
        if self.settings.get("turn_order") != "sequential":
            return [self.speakers]
        turned = not self.critics and flipped(  # a critic always speaks last
            self.state, self.settings["seed"], "first speaker"
        )
        return [[one] for one in self.speakers[:: -1 if turned else 1]]

    async def speak(self, speakers: Sequence[Participant], round: int) -> None:
        """Speeches at once; of several candidates each speaker's best."""
        draws = range(self.settings["best_of"])
        calls = (self._speech(one, round, n) for one in speakers for n in draws)
        drawn = await together(self.debate, *calls)
        if len(draws) == 1:
            return
        for turn in drawn:
            turn.kind = "candidate"
        scorer = participants("reward", fallback="judge")[0]
        readable = [one for one in drawn if one.status == "ok"]
        rewards = (self.rule(scorer, "reward", one) for one in readable)
        scored = await together(self.debate, *rewards)
        for turn, ruling in zip(readable, scored, strict=True):
            value = reward(ruling, turn)
            turn.fields |= {} if value is None else {"reward": value}
        for one in speakers:
            own = [turn for turn in drawn if turn.role == one.role]
            known = [turn for turn in own if "reward" in turn.fields] or own[:1]
            best = max(known, key=lambda turn: turn.fields.get("reward", 0.0))
            best.kind = "speech"  # the first of several

    def _speech(self, who: Participant, round: int, draw: int = 0) -> Asking:
        alone = self.format.interaction == "consultancy"
        others = [one for one in self.speakers if one != who and not alone]
        critic = who in self.critics
        values = {
            **self.item,
            **self.settings,
            "name": who.name,
            "other": others[0].name if others else "",
            "critic": critic,
            "stance": critic and not self.item["assigned"],
            "honest": self.settings["debater_style"] == "honest",
            "round": round,
            "answers": self._answers([who, *others], reader=who),
            "transcripts": self._transcripts([[who, *others]], self.debate.turns),
        }
        return self.prompted.ask(
            who,
            "speech",
            review if values["stance"] else free_text,
            values,
            system="speaker",
            config=SPEECHES,
            round=round,
            draw=draw,
        )

    # Rulings.

    def rule(
        self, judge: Participant, kind: str, candidate: Turn | None = None
    ) -> Asking:
        """Rulings on all answers.

        Args:
            judge: Who rules.
            kind: `verdict`; or `reward`, what a judge would rule after a candidate.
            candidate: A candidate for the next speech, which it reads as well.
        """
        heard = [*self.debate.turns]
        if candidate:
            heard.append(candidate.model_copy(update={"kind": "speech"}))
        spoke = {turn.role for turn in heard if turn.kind == "speech"}
        shown = [w for w in self.listed if w not in self.critics or w.role in spoke]
        met = self.format.interaction
        groups = [[one] for one in shown] if met == "consultancy" else [shown]
        if met == "debate" and len(shown) == 1:  # a critic who has not spoken
            met = "consultancy"
        values = self.item | {
            "met": met,
            "first": shown[0].name,
            "second": shown[-1].name,
            "answers": self._answers(shown),
            "transcripts": self._transcripts(groups, heard),
        }
        free = not self.item["assigned"]
        ruled_on = [one for one in shown if one not in self.critics or free]
        values["names"] = names = [who.name for who in ruled_on]
        needed = [who.name for who in self.proposers]
        if candidate and candidate.speaker in names:
            needed = [candidate.speaker]
        return self.prompted.ask(
            judge,
            kind,
            ruling_reader(names, needed, with_confidence=candidate is not None),
            values,
            prompt="ruling",
            system="judge",
            config=RULINGS,
            order=self.order,
            round=candidate.round if candidate else 0,
            draw=candidate.draw if candidate else 0,
        )

    # What prompts show.

    def _answers(
        self, of: Sequence[Participant], reader: Participant | None = None
    ) -> list[dict[str, Any]]:
        unread = {t.speaker for t in self.debate.of("answer") if t.status != "ok"}
        return [
            {
                "by": who.name,
                "text": self.debate.options[who.name],
                "own": who == reader,
                "unread": who.name in unread,
            }
            for who in of
            if who.name in self.debate.options
        ]

    def _transcripts(
        self, groups: Sequence[Sequence[Participant]], turns: Sequence[Turn]
    ) -> list[list[dict[str, Any]]]:
        """The speeches of each group; those of a round as their speakers are listed."""
        found = []
        for group in groups:
            places = {who.role: place for place, who in enumerate(group)}
            own = [t for t in turns if t.kind == "speech" and t.role in places]
            if self.settings.get("turn_order") != "sequential":
                own.sort(key=lambda turn: (turn.round, places[turn.role]))
            found.append([turn.shown() for turn in own])
        return [speeches for speeches in found if speeches]


# --- The task, its answers, and how replies are read ----------------------------------


def grids_of(state: TaskState) -> list[Grid]:
    """The right grids of a sample."""
    count = int(state.metadata.get("grids", 1))
    found = grids(state.target.text, count)
    if found is None:
        raise InputError(
            f"The target of sample {state.sample_id!r} is not {count} grids, as its "
            "metadata say."
        )
    return found


def solution_reader(kind: str, state: TaskState) -> Parse:
    """A reader of answers. The answer alone is public, not what led to it.

    One that cannot be read is shown as it was written.
    """

    def read(reply: str) -> Read:
        answer, language = None, ""
        if kind == "code":
            answer, language = program(reply, state.metadata["entry_point"]), "python"
        elif found := grids(reply, int(state.metadata.get("grids", 1))):
            answer = "\n\n".join(map(render, found))
        if answer is None:
            return Read(escape(reply), {}, ok=False, complete=True)
        fence = "```" if "```" not in answer else "`````"
        shown = f"{fence}{language}\n{answer}\n{fence}"
        return Read(escape(shown), {"answer": answer}, strict=True, complete=True)

    return read


def review(reply: str) -> Read:
    """A critic's speech, which ends with a stance."""
    stances = {"agree": ["agree"], "disagree": ["disagree"]}
    found = choice(reply, "stance", stances)
    stance = found.value if found else None
    return Read(escape(reply), {"stance": stance}, ok=stance is not None)


def ruling_reader(
    names: Sequence[str], needed: Sequence[str], with_confidence: bool
) -> Parse:
    """A reader of one turn; a reminder adds to the rulings that were already read."""
    fields: dict[str, Any] = {}

    def read(reply: str) -> Read:
        found = read_rulings(reply, names)
        for name, one in found.items():
            if one.verdict:
                fields.update({name: one.verdict, f"{name}_confidence": one.confidence})
        known = {key: value for key, value in fields.items() if value is not None}
        required = [*needed]
        if with_confidence:
            required += [f"{name}_confidence" for name in needed]
        ok = known.keys() >= {*required}
        places = {name: one.place for name, one in found.items() if one.place}
        verdicts = {"correct": "correct", "incorrect": "incorrect"}
        return Read(
            escape(reply), known, ok, strict=True, places=places, names=verdicts
        )

    return read


def in_words(debate: Debate) -> tuple[str | None, str]:
    """What was ruled, and why nothing was."""
    found = ruled(debate)
    if any(verdict is None for verdict in found.values()):
        return None, "not all rulings could be read, or the judges are tied"
    words = {True: "correct", False: "incorrect"}
    return ", ".join(f"{n} {words[bool(v)]}" for n, v in found.items()), ""
