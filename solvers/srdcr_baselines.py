"""The baselines of SR-DCR's paper (arXiv 2506.06020), with its limits and settings."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageUser
from inspect_ai.solver import Generate, Solver, TaskState, solver

from inspect_debate.datasets.matching import canonical
from inspect_debate.debate.ask import (
    Asking,
    Parse,
    Read,
    Start,
    background,
    free_text,
    together,
)
from inspect_debate.debate.errors import Count, Positive, Share, validated
from inspect_debate.debate.prompted import Prompted
from inspect_debate.debate.readers import choice
from inspect_debate.debate.record import Debate, Turn
from inspect_debate.debate.roles import Participant, participants
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
    last_verdict,
    passage_item,
    read_answer,
)

_PROMPTS = Path(__file__).with_suffix(".yaml")
JUDGE_AFTER = (1, 3, 5)
"""The rounds after which a debate is judged, besides the last one."""


@solver
@validated
def few_shot(
    tau: Share = 0.9,
    confidence_from: ConfidenceFrom = "auto",
    consistency_samples: Positive = 16,
    recall_samples: Count = 0,
    reminders: Count = 1,
    max_tokens: Positive = 1024,
    seed: int = 0,
    prompts: str | None = None,
) -> Solver:
    """The answer from the passage; the answer from memory is asked for as well.

    So one run has the results of `few_shot`, `golden`, `token_prob` and
    `confidence_only`, from the same two answers. Parameters as for `srdcr`.
    """
    prompted = Prompted.of(dict(locals()), PAPER, PROMPTS, _PROMPTS)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        with prompted.recorded("few_shot") as debate:
            pair = TwoAnswers(state, prompted, debate)
            async with background(debate) as start:
                await pair.answer(start, sampled=(DEFENDER, CRITIC))
            in_reading_order(debate)
            debate.answer, debate.skip_reason = decide(debate, tau, "few_shot")
        return finish(state, debate)

    return solve


@solver
@validated
def self_ask(
    reminders: Count = 1,
    max_tokens: Positive = 400,
    seed: int = 0,
    prompts: str | None = None,
) -> Solver:
    """A sub-question, its answer, and the final answer in one reply (Press et al.)."""
    parameters = dict(locals())

    async def steps(debate: Debate, chats: list[Chat]) -> Turn:
        call = chats[0].ask("answer", "self_ask", read_explained, "self_ask_reminder")
        return (await together(debate, call))[0]

    return _alone("self_ask", parameters, steps)


@solver
@validated
def rci(
    reminders: Count = 1,
    max_tokens: Positive = 300,
    seed: int = 0,
    prompts: str | None = None,
) -> Solver:
    """An answer, a critique of it, and a revision, in one chat (Kim et al.)."""
    parameters = dict(locals())

    async def steps(debate: Debate, chats: list[Chat]) -> Turn:
        for kind, prompt, read, reminder in (
            ("answer", "rci_answer", read_explained, "answer_reminder"),
            ("critique", "rci_critique", free_text, "critique_reminder"),
            ("update", "rci_revision", read_explained, "answer_reminder"),
        ):
            call = chats[0].ask(kind, prompt, read, reminder)
            (turn,) = await together(debate, call)
        return turn

    return _alone("rci", parameters, steps)


@solver
@validated
def naive_debate(
    rounds: Positive = 5,
    reminders: Count = 1,
    max_tokens: Positive = 250,
    seed: int = 0,
    prompts: str | None = None,
) -> Solver:
    """Three agents of one model answer, and update their answers (Du et al.).

    It ends when all say the same, or after the last round with the answer of most; a
    tie goes to the agent with the lowest number. As all are asked at temperature 0,
    most of their first answers are the same. Further parameters are those of `srdcr`.

    Args:
        rounds: Rounds of answers, the first one included.
    """
    parameters = dict(locals())

    async def steps(debate: Debate, chats: list[Chat]) -> Turn:
        calls = (chat.ask("answer", "agent_answer", read_explained) for chat in chats)
        turns = await together(debate, *calls)
        for round in range(1, rounds):
            agreed = {*map(_form, turns)}
            if len(agreed) == 1 and None not in agreed:
                break
            calls = (
                chat.ask(
                    "update",
                    "agent_update",
                    read_explained,
                    round=round,
                    turns=[t.shown() for t in turns if t.speaker != chat.who.name],
                )
                for chat in chats
            )
            turns = await together(debate, *calls)
        forms = [*map(_form, turns)]
        read = [turn for turn in turns if turn.fields]
        return max(read, key=lambda t: forms.count(_form(t)), default=turns[0])

    return _alone("naive_debate", parameters, steps, agents=3)


@solver
@validated
def judge_debate(
    rounds: Positive = 5,
    order: Literal["ab", "ba"] = "ab",
    tau: Share = 0.9,
    confidence_from: ConfidenceFrom = "auto",
    consistency_samples: Positive = 16,
    recall_samples: Count = 0,
    word_limit: Positive = 150,
    reminders: Count = 1,
    max_tokens: Positive = 300,
    seed: int = 0,
    prompts: str | None = None,
) -> Solver:
    """Two debaters defend the two answers, and a judge names the right one (Liang).

    All of them read the passage. The judge is asked after rounds 1, 3, 5 and the last;
    nobody waits for the verdicts. Further parameters are those of `srdcr`.

    Args:
        rounds: Rounds of the debate.
        order: Which answer the judge reads first: `ab` the contextual one; mirrored in
            every second epoch.
        max_tokens: The limit of speeches and verdicts; the two answers have 1024.
        seed: Seed of who speaks first.
    """
    prompted = Prompted.of(dict(locals()), PAPER, PROMPTS, _PROMPTS)
    names = {DEFENDER: "Alice", CRITIC: "Bob"}

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        with prompted.recorded("judge_debate") as debate:
            pair = TwoAnswers(state, prompted._replace(config=PAPER), debate)
            async with background(debate) as start:
                if await pair.answer(start):
                    await hold(state, debate, pair, start)
            in_reading_order(debate)
            debate.answer, debate.skip_reason = decide_judged(debate)
        return finish(state, debate)

    async def hold(
        state: TaskState, debate: Debate, pair: TwoAnswers, start: Start
    ) -> None:
        debate.defends = {DEFENDER: CONTEXTUAL, CRITIC: PRIOR}
        step = -1 if (order == "ba") != (state.epoch % 2 == 0) else 1  # mirrored
        listed = [*debate.defends.items()][::step]
        numbers = {option: [str(n)] for n, (_, option) in enumerate(listed, 1)}
        shown = [{"name": names[r], "answer": debate.options[o]} for r, o in listed]

        def speech(role: str, round: int) -> Asking:
            other = CRITIC if role == DEFENDER else DEFENDER
            now = pair.values(
                passage=True,
                name=names[role],
                opponent=names[other],
                own=debate.options[debate.defends[role]],
                other=debate.options[debate.defends[other]],
                round=round,
                first_round=1,
            )
            return prompted.ask(
                pair.who[role]._replace(name=names[role]),
                "speech",
                free_text,
                now,
                prompt="debate_speech",
                system="debater",
                reminder="speech_reminder",
                round=round,
            )

        def verdict(judge: Participant, round: int) -> Asking:
            return prompted.ask(
                judge,
                "verdict",
                partial(read_pick, numbers),
                pair.values(passage=True, listed=shown),
                prompt="pick",
                system="picker",
                order="ab" if listed[0][0] == DEFENDER else "ba",
                round=round,
            )

        turned = flipped(state, seed, "who speaks first")
        for round in range(1, rounds + 1):
            for role in (CRITIC, DEFENDER) if turned else (DEFENDER, CRITIC):
                await together(debate, speech(role, round))
            if round in (*JUDGE_AFTER, rounds):
                for judge in participants("judge", fallback=DEFENDER):
                    start(verdict(judge, round))

    return solve


def decide_judged(debate: Debate) -> Outcome:
    """The answer that the judge names after the last round.

    Of several judges that of most; a tie or an unread verdict gives none.
    """
    if any(turn.status != "ok" for turn in debate.of("answer")):
        return Outcome(None, "an answer could not be read")
    answer = last_verdict(debate, "answer")
    unread = "the judge's verdict could not be read, or is tied"
    return Outcome(answer, "" if answer else unread)


# --- One model alone ------------------------------------------------------------------

ALONE = "answer"
"""The option of protocols with one answer."""


@dataclass
class Chat:
    """A conversation with one participant, who has read the passage."""

    who: Participant
    draw: int
    item: dict[str, Any]
    prompted: Prompted
    history: list[ChatMessage] = field(default_factory=list)

    async def ask(
        self,
        kind: str,
        prompt: str,
        read: Parse,
        reminder: str = "answer_reminder",
        round: int = 0,
        **more: Any,
    ) -> Turn:
        """Ask for the next turn, and take it into the conversation."""
        turn = await self.prompted.ask(
            self.who,
            kind,
            read,
            self.item | more,
            prompt=prompt,
            reminder=reminder,
            history=self.history,
            round=round,
            draw=self.draw,
        )
        self.history += [
            ChatMessageUser(content=self.prompted.texts(prompt, **self.item, **more)),
            ChatMessageAssistant(content=unescape(turn.public) or "(no answer)"),
        ]
        return turn


Steps = Callable[[Debate, list[Chat]], Awaitable[Turn]]


def _alone(
    name: str, parameters: dict[str, Any], steps: Steps, agents: int = 1
) -> Solver:
    """A protocol of one model, or of several agents of it; one turn has the answer."""
    prompted = Prompted.of(parameters, PAPER, PROMPTS, _PROMPTS)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        with prompted.recorded(name) as debate:
            who, item = participants(DEFENDER)[0], passage_item(state)
            numbered = [f"agent_{n}" for n in range(1, agents + 1)]
            chats = [
                Chat(who._replace(name=one), draw, item, prompted)
                for draw, one in enumerate(numbered if agents > 1 else [who.name])
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


def read_explained(reply: str) -> Read:
    """An answer with its reasons, which others may read."""
    return read_answer(reply)._replace(public=escape(reply))


def read_pick(numbers: dict[str, list[str]], reply: str) -> Read:
    """A line with the number of an answer, and reasons."""
    found = choice(reply, "answer", numbers)
    answer = None if found is None else found.value
    return Read(escape(reply), {"answer": answer}, found is not None, strict=True)
