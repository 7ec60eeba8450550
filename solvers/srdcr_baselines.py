"""The baselines of SR-DCR's paper (arXiv 2506.06020), with its limits and settings."""

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    GenerateConfig,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from pydantic import BeforeValidator, Field

from inspect_debate.datasets.matching import canonical, same_answer
from inspect_debate.debate.ask import (
    Asking,
    Parse,
    Read,
    Start,
    ask,
    background,
    free_text,
    together,
)
from inspect_debate.debate.errors import validated
from inspect_debate.debate.prompts import Prompts
from inspect_debate.debate.readers import choice, labelled
from inspect_debate.debate.record import Debate, Turn, recorded
from inspect_debate.debate.roles import Participant, check_roles, participants
from inspect_debate.debate.seeds import flipped
from inspect_debate.debate.text import escape, unescape
from inspect_debate.solvers.srdcr import (
    CONTEXTUAL,
    CRITIC,
    DEFENDER,
    PAPER,
    PRIOR,
    PROMPTS,
    ConfidenceFrom,
    Outcome,
    TwoAnswers,
    decide,
    finish,
    in_reading_order,
    passage_item,
    read_answer,
    spoken,
)

_PROMPTS = Path(__file__).with_suffix(".yaml")
# `-T judge_after=3` is a number on the command line, and `1,3` a list.
Rounds = Annotated[
    tuple[int, ...],
    BeforeValidator(lambda given: (given,) if isinstance(given, int) else given),
]


@solver
@validated
def few_shot(
    tau: Annotated[float, Field(ge=0, le=1)] = 0.9,
    confidence_from: ConfidenceFrom = "auto",
    consistency_samples: Annotated[int, Field(ge=1)] = 16,
    recall_samples: Annotated[int, Field(ge=0)] = 0,
    reminders: Annotated[int, Field(ge=0)] = 1,
    max_tokens: Annotated[int, Field(ge=1)] = 1024,
    seed: int = 0,
    prompts: str | None = None,
) -> Solver:
    """The answer from the passage; the answer from memory is asked for as well.

    So one run has the results of `few_shot`, `golden`, `token_prob` and
    `confidence_only`, from the same two answers. Parameters as for `srdcr`.
    """
    parameters = dict(locals())
    check_roles()
    texts = Prompts(PROMPTS, _PROMPTS, overlay=prompts)
    config = PAPER.merge(GenerateConfig(max_tokens=max_tokens))

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        with recorded("few_shot", parameters) as debate:
            debate.prompts = texts.hashes
            pair = TwoAnswers(state, texts, config, reminders)
            async with background(debate) as start:
                await pair.answer(debate, start, sampled=(DEFENDER, CRITIC))
            in_reading_order(debate)
            debate.answer, debate.skip_reason = decide(debate, tau, "few_shot")
        return finish(state, debate)

    return solve


@solver
@validated
def self_ask(
    reminders: Annotated[int, Field(ge=0)] = 1,
    max_tokens: Annotated[int, Field(ge=1)] = 400,
    seed: int = 0,
    prompts: str | None = None,
) -> Solver:
    """A sub-question, its answer, and the final answer in one reply (Press et al.)."""
    parameters = dict(locals())

    async def steps(debate: Debate, chats: list[Chat]) -> Turn:
        asked = chats[0].ask("answer", "self_ask", "self_ask_reminder", read_self_ask)
        return (await together(debate, asked))[0]

    return _alone("self_ask", parameters, steps)


@solver
@validated
def rci(
    reminders: Annotated[int, Field(ge=0)] = 1,
    max_tokens: Annotated[int, Field(ge=1)] = 300,
    seed: int = 0,
    prompts: str | None = None,
) -> Solver:
    """An answer, a critique of it, and a revision, in one chat (Kim et al.)."""
    parameters = dict(locals())

    async def steps(debate: Debate, chats: list[Chat]) -> Turn:
        chat = chats[0]
        for kind, prompt, reminder, read in (
            ("answer", "rci_answer", "answer_reminder", read_explained),
            ("critique", "rci_critique", "critique_reminder", free_text),
            ("update", "rci_revision", "answer_reminder", read_explained),
        ):
            (turn,) = await together(debate, chat.ask(kind, prompt, reminder, read))
            chat.add(turn)
        return turn

    return _alone("rci", parameters, steps)


@solver
@validated
def naive_debate(
    agents: Annotated[int, Field(ge=2)] = 3,
    rounds: Annotated[int, Field(ge=1)] = 5,
    reminders: Annotated[int, Field(ge=0)] = 1,
    max_tokens: Annotated[int, Field(ge=1)] = 250,
    seed: int = 0,
    prompts: str | None = None,
) -> Solver:
    """Agents of one model answer, and update their answers (Du et al.).

    It ends when all say the same, or after the last round with the answer of most; a
    tie goes to the agent with the lowest number. As all are asked at temperature 0,
    most of their first answers are the same.

    Args:
        agents: How many.
        rounds: Rounds of answers, the first one included.
        reminders: How often an unread reply is asked for again.
        max_tokens: The limit of each reply.
        seed: Unused, as nothing is drawn; accepted in all protocols.
        prompts: A YAML file that replaces some of the prompts.
    """
    parameters = dict(locals())

    async def steps(debate: Debate, chats: list[Chat]) -> Turn:
        form = ("answer_reminder", read_explained)
        calls = (chat.ask("answer", "agent_answer", *form) for chat in chats)
        turns = await together(debate, *calls)
        for round in range(1, rounds):
            if len({_form(turn) for turn in turns} - {None}) == 1 and all(
                turn.fields for turn in turns
            ):
                break
            for chat, turn in zip(chats, turns, strict=True):
                chat.add(turn)
            calls = (
                chat.ask(
                    "update",
                    "agent_update",
                    *form,
                    round=round,
                    turns=[
                        {"speaker": turn.speaker, "text": turn.public or "(no answer)"}
                        for turn in turns
                        if turn.speaker != chat.who.name
                    ],
                )
                for chat in chats
            )
            turns = await together(debate, *calls)
        forms = [_form(turn) for turn in turns]
        read = [turn for turn in turns if turn.fields]
        return max(read, key=lambda t: forms.count(_form(t)), default=turns[0])

    return _alone("naive_debate", parameters, steps, agents)


@solver
@validated
def judge_debate(
    rounds: Annotated[int, Field(ge=1)] = 5,
    judge_after: Rounds = (1, 3, 5),
    turn_order: Literal["sequential", "simultaneous"] = "sequential",
    order: Literal["ab", "ba"] = "ab",
    skip_if_agree: bool = False,
    tau: Annotated[float, Field(ge=0, le=1)] = 0.9,
    confidence_from: ConfidenceFrom = "auto",
    consistency_samples: Annotated[int, Field(ge=1)] = 16,
    recall_samples: Annotated[int, Field(ge=0)] = 0,
    word_limit: Annotated[int, Field(ge=1)] = 150,
    reminders: Annotated[int, Field(ge=0)] = 1,
    max_tokens: Annotated[int, Field(ge=1)] = 300,
    seed: int = 0,
    prompts: str | None = None,
) -> Solver:
    """Two debaters defend the two answers, and a judge names the right one (Liang).

    All of them read the passage. Nobody waits for the verdicts.

    Args:
        rounds: Rounds of the debate.
        judge_after: Rounds after which the judge is asked, besides the last.
        turn_order: One after the other, or both at once.
        order: Which answer the judge reads first: `ab` the contextual one; mirrored in
            every second epoch.
        skip_if_agree: Equal answers are the outcome, without a debate.
        tau: As for `srdcr`, like the parameters below.
        confidence_from: How the prior answer's confidence is measured.
        consistency_samples: How many further answers that takes.
        recall_samples: How many answers for knowledge recall.
        word_limit: The limit that debaters are told.
        reminders: How often an unread reply is asked for again.
        max_tokens: The limit of speeches and verdicts; the two answers have 1024.
        seed: Seed of who speaks first.
        prompts: A YAML file that replaces some of the prompts.
    """
    parameters = dict(locals())
    check_roles()
    texts = Prompts(PROMPTS, _PROMPTS, overlay=prompts)
    config = PAPER.merge(GenerateConfig(max_tokens=max_tokens))
    names = {DEFENDER: "Alice", CRITIC: "Bob"}

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        with recorded("judge_debate", parameters) as debate:
            debate.prompts = texts.hashes
            pair = TwoAnswers(state, texts, PAPER, reminders)
            async with background(debate) as start:
                read = await pair.answer(debate, start)
                skip = skip_if_agree and read and same_answer(*pair.own.values())
                if read and not skip:
                    await hold(state, debate, pair, start)
            in_reading_order(debate)
            debate.answer, debate.skip_reason = decide_judged(debate)
        return finish(state, debate)

    async def hold(
        state: TaskState, debate: Debate, pair: TwoAnswers, start: Start
    ) -> None:
        debate.defends = {DEFENDER: CONTEXTUAL, CRITIC: PRIOR}

        def speech(role: str, round: int) -> Asking:
            other = CRITIC if role == DEFENDER else DEFENDER
            values = pair.item(passage=True) | {
                "name": names[role],
                "opponent": names[other],
                "own": escape(pair.own[role]),
                "other": escape(pair.own[other]),
                "turns": spoken(debate),
                "round": round,
                "first_round": 1,
                "word_limit": word_limit,
            }
            return ask(
                pair.who[role]._replace(name=names[role]),
                "speech",
                texts("debate_speech", **values),
                free_text,
                system=texts("debater", **values),
                reminder=texts("speech_reminder"),
                reminders=reminders,
                config=config,
                round=round,
            )

        def verdict(judge: Participant, round: int) -> Asking:
            listed = listed_in(order, state.epoch)
            shown = [
                {"name": names[r], "answer": escape(pair.own[r])} for _, r in listed
            ]
            numbers = {option: [str(n)] for n, (option, _) in enumerate(listed, 1)}
            values = pair.item(passage=True)
            return ask(
                judge,
                "verdict",
                texts("pick", **values, listed=shown, turns=spoken(debate)),
                partial(read_pick, numbers),
                system=texts("picker"),
                reminder=texts("pick_reminder"),
                reminders=reminders,
                config=config,
                order="ab" if listed[0][0] == CONTEXTUAL else "ba",
                round=round,
            )

        turned = flipped(state, seed, "who speaks first")
        steps = [[CRITIC], [DEFENDER]] if turned else [[DEFENDER], [CRITIC]]
        steps = [[DEFENDER, CRITIC]] if turn_order == "simultaneous" else steps
        for round in range(1, rounds + 1):
            for roles in steps:
                await together(debate, *(speech(role, round) for role in roles))
            if round in (*judge_after, rounds):
                for judge in participants("judge", fallback=DEFENDER):
                    start(verdict(judge, round))

    return solve


def listed_in(order: str, epoch: int) -> list[tuple[str, str]]:
    """The two answers with who gave them, mirrored in every second epoch."""
    listed = [(CONTEXTUAL, DEFENDER), (PRIOR, CRITIC)]
    return listed[::-1] if (order == "ba") != (epoch % 2 == 0) else listed


def decide_judged(debate: Debate, round: int | None = None) -> Outcome:
    """The answer that the judge names after a round, by default the last.

    Of several judges that of most; a tie or an unread verdict gives none.
    """
    if any(turn.status != "ok" for turn in debate.of("answer")):
        return Outcome(None, "an answer could not be read")
    if not debate.of("speech"):
        return Outcome(CONTEXTUAL, "both answers are the same")
    verdicts = debate.of("verdict")
    last = max((turn.round for turn in verdicts), default=0) if round is None else round
    votes = [t.fields["answer"] for t in verdicts if t.round == last and t.fields]
    lead = votes.count(CONTEXTUAL) - votes.count(PRIOR)
    if lead == 0:
        return Outcome(None, "the judge's verdict could not be read, or is tied")
    return Outcome(CONTEXTUAL if lead > 0 else PRIOR)


# --- One model alone ------------------------------------------------------------------

ALONE = "answer"
"""The option of protocols with one answer."""


class Chat:
    """A conversation with one participant, who has read the passage.

    Attributes:
        who: The participant.
    """

    def __init__(
        self,
        who: Participant,
        texts: Prompts,
        item: dict[str, Any],
        config: GenerateConfig,
        reminders: int,
        draw: int,
    ) -> None:
        """Begin the conversation."""
        self.who = who
        self._texts, self._item, self._config = texts, item, config
        self._reminders, self._draw, self._prompt = reminders, draw, ""
        self._history: list[ChatMessage] = []

    def ask(
        self,
        kind: str,
        prompt: str,
        reminder: str,
        read: Parse,
        round: int = 0,
        **more: Any,
    ) -> Asking:
        """Ask for the next turn."""
        self._prompt = self._texts(prompt, **self._item, **more)
        return ask(
            self.who,
            kind,
            self._prompt,
            read,
            reminder=self._texts(reminder),
            reminders=self._reminders,
            history=self._history,
            config=self._config,
            round=round,
            draw=self._draw,
        )

    def add(self, turn: Turn) -> None:
        """Take the turn into the conversation."""
        said = unescape(turn.public) or "(no answer)"
        self._history = [
            *self._history,
            ChatMessageUser(content=self._prompt),
            ChatMessageAssistant(content=said),
        ]


Steps = Callable[[Debate, list[Chat]], Awaitable[Turn]]


def _alone(
    name: str, parameters: dict[str, Any], steps: Steps, agents: int = 1
) -> Solver:
    """A protocol of one model, or of several agents of it; one turn has the answer."""
    check_roles()
    texts = Prompts(PROMPTS, _PROMPTS, overlay=parameters["prompts"])
    config = PAPER.merge(GenerateConfig(max_tokens=parameters["max_tokens"]))

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        with recorded(name, parameters) as debate:
            debate.prompts = texts.hashes
            item = passage_item(state)
            who = participants(DEFENDER)[0]
            names = (
                [f"agent_{n}" for n in range(1, agents + 1)]
                if agents > 1
                else [who.name]
            )
            chats = [
                Chat(
                    who._replace(name=n),
                    texts,
                    item,
                    config,
                    parameters["reminders"],
                    draw,
                )
                for draw, n in enumerate(names)
            ]
            last = await steps(debate, chats)
            if said := last.fields.get("answer"):
                debate.options, debate.answer = {ALONE: escape(said)}, ALONE
            else:
                debate.skip_reason = f"the answer is {last.status}"
        return finish(state, debate)

    return solve


def _form(turn: Turn) -> str | None:
    answer = turn.fields.get("answer")
    return None if answer is None else canonical(answer)


def read_self_ask(reply: str) -> Read:
    """Three labelled lines, of which the last has the answer."""
    read = read_explained(reply)
    lines = {label: labelled(reply, label) for label in ("sub-question", "sub-answer")}
    said = {label: None if line is None else line.text for label, line in lines.items()}
    return read._replace(fields={**read.fields, **said})


def read_explained(reply: str) -> Read:
    """An answer with its reasons, which others may read."""
    return read_answer(reply)._replace(public=escape(reply))


def read_pick(numbers: dict[str, list[str]], reply: str) -> Read:
    """A line with the number of an answer, and reasons."""
    found = choice(reply, "answer", numbers)
    answer = None if found is None else found.value
    return Read(escape(reply), {"answer": answer}, found is not None, strict=True)
