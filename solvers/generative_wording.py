"""What the prompts of generative debate say, and how replies are read.

Everything that is shown of others comes in as `Heard`, through the rule of who may read
what.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from inspect_debate.debate.calls import Form, Reading
from inspect_debate.debate.generative import Format, SolvableTask
from inspect_debate.debate.prompts import PromptSet
from inspect_debate.debate.record import Parsed, Status
from inspect_debate.debate.rendering import as_shown, block, paragraphs
from inspect_debate.debate.rulings import (
    confidence_field,
    read_rulings,
    read_stance,
    verdict_field,
)
from inspect_debate.debate.seats import Speaker
from inspect_debate.debate.visibility import Heard
from inspect_debate.solvers.asking import Texts
from inspect_debate.solvers.generative_answers import kind_of
from inspect_debate.solvers.generative_settings import (
    DebaterStyle,
    GenerativeConfig,
    JudgeStyle,
)


@dataclass(frozen=True)
class GenerativeWording:
    """The prompts about one task. Texts of others come in neutralised.

    `one_by_one` tells whether speeches of a round were given one after the other; the
    styles are those of `GenerativeParameters`.
    """

    task: SolvableTask
    prompts: PromptSet
    config: GenerativeConfig
    format: Format
    one_by_one: bool = False
    judge_style: JudgeStyle = "neutral"
    debater_style: DebaterStyle = "neutral"

    def text(self, key: str) -> str:
        """A prompt without placeholders."""
        return self.prompts.render(key)

    def answer(self) -> str:
        """Asks for a solution, without a word of any debate."""
        return self.prompts.render(
            f"answer_{self.task.kind}",
            item=self._item(),
            blocks=self._counted("blocks"),
        )

    def answer_reminder(self) -> str:
        """Asks for a solution again that could not be read."""
        return self.prompts.render(
            f"answer_{self.task.kind}_reminder", blocks=self._counted("blocks")
        )

    def ruling_reminder(self, names: Iterable[str]) -> str:
        """Asks again for rulings that could not be read."""
        return self.prompts.render("ruling_reminder", form=self._form(names))

    def speech(
        self,
        own: Speaker,
        others: Sequence[Speaker],
        round: int,
        heard: Sequence[Heard],
        *,
        unread: Sequence[str],
    ) -> Texts:
        """Asks a proposer or the critic for a speech.

        Args:
            own: Who speaks.
            others: The other one who speaks, where it is heard.
            round: The round, from 1.
            heard: What the speaker may read.
            unread: The participants whose answers could not be read.
        """
        answers = {h.participant: h for h in heard if h.kind == "answer"}
        reviews = own.id not in answers
        shown = [
            self._answer(side, answers[side.id], own=side is own, unread=unread)
            for side in (own, *others)
            if side.id in answers
        ]
        return Texts(
            self._system(own, others, reviews=reviews),
            paragraphs(
                [
                    self._item(),
                    *shown,
                    self._transcript((own, *others), heard),
                    self.prompts.render("speech_first", name=own.name)
                    if round == 1
                    else self.prompts.render(
                        "speech_later", name=own.name, round=round
                    ),
                    self.prompts.render("stance", other=others[0].name)
                    if reviews
                    else "",
                ]
            ),
        )

    def judge(
        self,
        listed: Sequence[Speaker],
        heard: Sequence[Heard],
        *,
        unread: Sequence[str],
    ) -> Texts:
        """Asks a judge for its rulings.

        Args:
            listed: Those who answered, in the order in which they are shown, and after
                them a critic.
            heard: The answers, and what was said.
            unread: The participants whose answers could not be read.
        """
        form = self._form(side.name for side in listed)
        final = self.prompts.render("ruling", form=form)
        return self._to_judge(listed, heard, final, unread=unread)

    def judge_answer(
        self,
        listed: Sequence[Speaker],
        heard: Sequence[Heard],
        *,
        unread: Sequence[str],
    ) -> Texts:
        """Asks a judge who reads the same for a solution of its own."""
        final = self.prompts.render(
            f"judge_answer_{self.task.kind}", blocks=self._counted("blocks")
        )
        return self._to_judge(listed, heard, final, unread=unread)

    # --- parts -----------------------------------------------------------------------

    def _to_judge(
        self,
        listed: Sequence[Speaker],
        heard: Sequence[Heard],
        final: str,
        *,
        unread: Sequence[str],
    ) -> Texts:
        answers = {h.participant: h for h in heard if h.kind == "answer"}
        shown = [
            self._answer(side, answers[side.id], own=False, unread=unread)
            for side in listed
            if side.id in answers
        ]
        dual, interaction = self.format.proposers == 2, self.format.interaction
        names = [side.name for side in listed]
        # As long as a critic has said nothing, the proposer speaks alone.
        alone = interaction == "debate" and len(names) == 1
        met = "consultancy" if alone else interaction
        scene = self.prompts.render(
            f"scene_{'dual' if dual else 'single'}_{met}",
            first=names[0],
            second=names[-1],
        )
        apart = interaction == "consultancy"
        spoken = (
            [self._transcript((side,), heard) for side in listed]
            if apart
            else [self._transcript(listed, heard)]
        )
        return Texts(
            self.prompts.render(
                "judge_system",
                scene=scene,
                means=self._means(),
                untrusted=self.text("untrusted"),
            ),
            paragraphs([self._item(), *shown, *spoken, final]),
        )

    def _means(self) -> str:
        """What correct means, and how the judge is to find out."""
        means = self.text(f"means_{self.task.kind}")
        if self.judge_style == "neutral":
            return means
        return f"{means}\n{self.text(f'verifying_{self.task.kind}')}"

    def _system(self, own: Speaker, others: Sequence[Speaker], *, reviews: bool) -> str:
        style = "proposer"
        if self.format.interaction == "consultancy":
            role = "consultant"
        elif self.format.proposers == 2:
            role = style = "debater"
        else:
            role = style = "critic" if reviews else "proposer"
        other = others[0].name if others else ""
        return self.prompts.render(
            f"{role}_system",
            name=own.name,
            other=other,
            style=self.prompts.render(f"{style}_{self.debater_style}", other=other),
            word_limit=self.config.word_limit,
            untrusted=self.text("untrusted"),
        )

    def _item(self) -> str:
        return self.prompts.render(
            f"task_{self.task.kind}",
            task=as_shown(self.task.task),
            tests=self._counted("tests"),
        )

    def _counted(self, key: str) -> str:
        if self.task.parts == 1:
            return self.text(f"{key}_one")
        return self.prompts.render(f"{key}_several", count=self.task.parts)

    def _answer(
        self, side: Speaker, answer: Heard, *, own: bool, unread: Sequence[str]
    ) -> str:
        heading = (
            self.text("own_answer")
            if own
            else self.prompts.render("other_answer", name=side.name)
        )
        if side.id in unread:
            heading = f"{heading} {self.text('unread_answer')}"
        written = answer.text or "(nothing)"
        return f"{heading}\n\n{block('answer', written, {'by': side.name})}"

    def _form(self, names: Iterable[str]) -> str:
        entries = [self.prompts.render("ruling_entry", name=name) for name in names]
        return "{" + ",\n ".join(entries) + "}"

    def _transcript(self, sides: Sequence[Speaker], heard: Sequence[Heard]) -> str:
        """The speeches of some; those of one round as their speakers are listed."""
        names = {side.id: side.name for side in sides}
        speeches = [h for h in heard if h.kind == "speech" and h.participant in names]
        if not self.one_by_one:
            places = {id: place for place, id in enumerate(names)}
            speeches.sort(key=lambda h: (h.round, places[h.participant]))
        turns = [
            block(
                "turn",
                h.text or "(nothing)",
                {"speaker": names[h.participant], "round": h.round},
            )
            for h in speeches
        ]
        return block("transcript", "\n\n".join(turns)) if turns else ""


# How answers, speeches, stances and rulings on answers are read.

SPEECH, STANCE = "speech", "stance"
"""The fields of a speech: its characters, and a critic's stance."""


@dataclass(frozen=True)
class GenerativeForms:
    """The forms of generative debate; public texts come out safe for prompts."""

    task: SolvableTask
    wording: GenerativeWording

    def answer(self) -> Form:
        """A solution, which alone is public: what led to it is not shown."""
        kind = kind_of(self.task)

        def read(text: str) -> Reading:
            found = kind.read(text, self.task)
            if found.value is None:
                return Reading(as_shown(text).strip(), {"answer": found})
            public = kind.shown(str(found.value))
            return Reading(as_shown(public), {"answer": found}, private=text)

        reminder = self.wording.answer_reminder()
        return Form(read, "answer", reminder, _last_read, even_cut=True)

    def speech(self) -> Form:
        """A text without a form."""
        reminder = self.wording.text("speech_reminder")
        return Form(_read_speech, SPEECH, reminder, speech=SPEECH)

    def review(self) -> Form:
        """A text that ends with a stance."""
        reminder = self.wording.text("stance_reminder")
        required = (SPEECH, STANCE)
        return Form(_read_review, required, reminder, _with_stance, speech=SPEECH)

    def rulings(self, names: Mapping[str, str], required: Sequence[str]) -> Form:
        """Reasons, and an object with a ruling on each of some participants.

        Args:
            names: What they are called, by id, in the order in which they are listed.
            required: The fields that are asked for again where they cannot be read.
        """

        def read(text: str) -> Reading:
            found = read_rulings(text, list(names.values()))
            fields: dict[str, Parsed] = {}
            for id, name in names.items():
                fields[verdict_field(id)] = found[name].verdict
                fields[confidence_field(id)] = found[name].confidence
            return Reading(as_shown(text).strip(), fields)

        def combined(earlier: Reading, later: Reading) -> Reading:
            fields = dict(earlier.fields)
            for id in names:
                if later.fields[verdict_field(id)].status == Status.OK:
                    own = (verdict_field(id), confidence_field(id))
                    fields |= {name: later.fields[name] for name in own}
            return replace(later, fields=fields)

        reminder = self.wording.ruling_reminder(names.values())
        return Form(read, tuple(required), reminder, combined)


def _last_read(earlier: Reading, later: Reading) -> Reading:
    """An answer that was asked for again, if that helped."""
    return later if later.fields["answer"].status == Status.OK else earlier


def _read_speech(text: str) -> Reading:
    said = as_shown(text).strip()
    length = Parsed.ok(float(len(said))) if said else Parsed.unparsed()
    return Reading(said, {SPEECH: length})


def _read_review(text: str) -> Reading:
    speech = _read_speech(text)
    return Reading(speech.public, {**speech.fields, STANCE: read_stance(text)})


def _with_stance(earlier: Reading, later: Reading) -> Reading:
    """A speech with the stance that was asked for again."""
    stance = later.fields[STANCE]
    if not earlier.public or stance.value is None:
        return later if not earlier.public else earlier
    said = f"{earlier.public}\n\nStance: {str(stance.value).upper()}"
    return Reading(said, {**earlier.fields, STANCE: stance})
