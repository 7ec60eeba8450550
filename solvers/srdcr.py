"""SR-DCR ("When to Trust Context", arXiv 2506.06020): passage, memory, or neither?"""

import re
from collections.abc import Sequence
from math import exp
from pathlib import Path
from statistics import fmean, multimode
from typing import Any, Literal, NamedTuple

from inspect_ai.model import GenerateConfig, ModelOutput
from inspect_ai.solver import Generate, Solver, TaskState, solver

from inspect_debate.datasets.matching import same_answer
from inspect_debate.debate.ask import (
    Asking,
    Read,
    Start,
    background,
    free_text,
    together,
)
from inspect_debate.debate.errors import Count, InputError, Positive, Share, validated
from inspect_debate.debate.prompted import Prompted
from inspect_debate.debate.readers import abstains, choice, short_answer
from inspect_debate.debate.record import Debate, Turn
from inspect_debate.debate.roles import participants
from inspect_debate.debate.text import escape, unescape
from inspect_debate.debate.view import messages

DEFENDER, CRITIC = "debater_a", "debater_b"
NAMES = {DEFENDER: "Defender", CRITIC: "Critic"}
CONTEXTUAL, PRIOR, ABSTAIN = "contextual", "prior", "abstain"
PROMPTS = Path(__file__).with_suffix(".yaml")
PAPER = GenerateConfig(temperature=0.0, max_tokens=1024)
"""Temperature 0 throughout (appendix A.2); the paper names no limit for its method."""
DRAWS = GenerateConfig(temperature=0.5)
"""Of further answers (section 3.1), whatever the run or a role sets: at 0 all draws
would be one answer."""

ConfidenceFrom = Literal["auto", "logprobs", "self_consistency", "both"]


@solver
@validated
def srdcr(
    rounds: Positive = 6,
    tau: Share = 0.9,
    confidence_from: ConfidenceFrom = "auto",
    consistency_samples: Positive = 16,
    recall_samples: Count = 0,
    skip_if_agree: bool = True,
    turn_order: Literal["sequential", "simultaneous"] = "sequential",
    critic_sees_context: bool = False,
    judge_sees_context: bool = False,
    word_limit: Positive = 150,
    reminders: Count = 1,
    max_tokens: Positive = 1024,
    seed: int = 0,
    prompts: str | None = None,
) -> Solver:
    """SR-DCR: an asymmetric debate (section 3.1), then self-confidence (section 3.2).

    Samples have a `passage` in their metadata, and perhaps `exemplars`. Roles:
    `debater_a` (the Defender), `debater_b` (the Critic) and `judge`, both by default
    the Defender's model, as in the paper.

    Args:
        rounds: Rounds of the debate, round 0 included: 6 in section 3.1, "5-round" in
            the appendix.
        tau: The confidence from which the prior answer is trusted.
        confidence_from: `logprobs` of the answer's tokens (section 2.3), the share of
            further answers that say the same (`self_consistency`), or `both`; `auto`
            draws further answers only where there are no log-probabilities.
        consistency_samples: How many further answers.
        recall_samples: How many answers for knowledge recall (section 2.2); 32 there.
        skip_if_agree: Equal answers are the outcome: the caption of Figure 1 has the
            debate where the two conflict. The text does not mention it.
        turn_order: After round 0, in which both open at once, the Critic speaks first;
            or both at once.
        critic_sees_context: The Critic reads the passage, too.
        judge_sees_context: The judge reads the passage, too.
        word_limit: The limit that debaters are told; the paper names none.
        reminders: How often an unread reply is asked for again.
        max_tokens: The limit of each reply.
        seed: Unused, as nothing is drawn; accepted in all protocols.
        prompts: A YAML file that replaces some of the prompts.
    """
    prompted = Prompted.of(dict(locals()), PAPER, PROMPTS)
    reads = {DEFENDER: True, CRITIC: critic_sees_context}

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        with prompted.recorded("srdcr") as debate:
            pair = TwoAnswers(state, prompted, debate)
            async with background(debate) as start:
                if await pair.answer(start):
                    await hold(debate, pair, start)
            in_reading_order(debate)
            debate.answer, debate.skip_reason = decide(debate, tau)
        return finish(state, debate)

    async def hold(debate: Debate, pair: TwoAnswers, start: Start) -> None:
        agreed = same_answer(*pair.own.values())
        if agreed and skip_if_agree:
            return
        debate.defends = {DEFENDER: CONTEXTUAL, CRITIC: PRIOR}

        def speech(role: str, round: int) -> Asking:
            other = CRITIC if role == DEFENDER else DEFENDER
            now = pair.values(
                reads[role],
                agreed=agreed,
                own=debate.options[debate.defends[role]],
                name=f"the {NAMES[role]}",
                opponent=f"the {NAMES[other]}",
                round=round,
                first_round=0,
            )
            who, system = pair.who[role], NAMES[role].lower()
            return prompted.ask(
                who, "speech", free_text, now, system=system, round=round
            )

        judges = participants("judge", fallback=DEFENDER)
        for round in range(rounds):  # section 3.1
            if round == 0 or turn_order == "simultaneous":
                await together(debate, speech(DEFENDER, round), speech(CRITIC, round))
            else:
                await together(debate, speech(CRITIC, round))
                await together(debate, speech(DEFENDER, round))
            for judge in judges:  # the debate does not wait for verdicts
                now = pair.values(judge_sees_context, agreed=agreed)
                verdict = prompted.ask(
                    judge, "verdict", read_verdict, now, system="judge", round=round
                )
                start(verdict)

    return solve


class Outcome(NamedTuple):
    """What a rule answers: `contextual`, `prior` or `abstain`; else why it does not."""

    answer: str | None
    reason: str = ""


def decide(debate: Debate, tau: float = 0.9, rule: str = "srdcr") -> Outcome:
    """What a rule answers on a record; several rules follow from the same one.

    Args:
        debate: The record.
        tau: The confidence from which the prior answer is trusted; equality passes.
        rule: `srdcr` (section 3.2), `acvd_only` without its gate, `confidence_only`
            without its debate; `few_shot` and `prior`, the two answers; `token_prob`,
            the more probable of them (ClashEval).

    Returns:
        The outcome. What a rule needs and was not read leaves it without an answer; it
        never abstains for that.
    """
    needed = {"few_shot": (DEFENDER,), "prior": (CRITIC,)}.get(rule, (DEFENDER, CRITIC))
    for turn in debate.of("answer"):
        if turn.status != "ok" and turn.role in needed:
            return Outcome(None, f"the {turn.speaker}'s answer is {turn.status}")
    if rule in ("few_shot", "prior"):
        return Outcome(CONTEXTUAL if rule == "few_shot" else PRIOR)
    if rule == "token_prob":
        return _more_probable(debate)
    if rule == "confidence_only":
        return _if_sure(debate, tau, otherwise=CONTEXTUAL)
    if not debate.of("speech"):
        return Outcome(CONTEXTUAL, "both answers are the same")
    verdict = last_verdict(debate)
    if verdict is None:
        return Outcome(None, "the last verdict could not be read")
    if verdict == "reasonable":
        return Outcome(CONTEXTUAL)
    return Outcome(PRIOR) if rule == "acvd_only" else _if_sure(debate, tau, ABSTAIN)


def _if_sure(debate: Debate, tau: float, otherwise: str) -> Outcome:
    sure = confidence(debate)
    if sure.value is None:
        return Outcome(None, sure.source)
    return Outcome(PRIOR if sure.value >= tau else otherwise)


def _more_probable(debate: Debate) -> Outcome:
    prior, contextual = confidence(debate), confidence(debate, DEFENDER)
    if prior.source != contextual.source:
        prior, contextual = (_share(debate, role) for role in (CRITIC, DEFENDER))
    if prior.value is None or contextual.value is None:
        return Outcome(None, "the two confidences are not on one scale")
    return Outcome(PRIOR if prior.value > contextual.value else CONTEXTUAL)


RULES = ("srdcr", "acvd_only", "confidence_only", "few_shot", "prior", "token_prob")


def last_verdict(debate: Debate, field: str = "verdict") -> str | None:
    """The last round's verdict, which V* of section 3.1 always equals.

    Of several judges that of most; None for a tie, or if none could be read. An unread
    verdict does not fall back to an earlier one.
    """
    verdicts = debate.of("verdict")
    last = max((turn.round for turn in verdicts), default=0)
    most = multimode(t.fields[field] for t in verdicts if t.round == last and t.fields)
    return most[0] if len(most) == 1 else None


class Confidence(NamedTuple):
    """A confidence from 0 to 1, and where it comes from, or why there is none."""

    value: float | None
    source: str


def confidence(debate: Debate, role: str = CRITIC) -> Confidence:
    """How sure a model is of its answer.

    By its tokens, exp of their mean log-probability (section 2.3), or by the share of
    further answers that say the same (section 3.1), as `confidence_from` says; the two
    are different scales.
    """
    wanted = debate.parameters["confidence_from"]
    own = _own_answer(debate, role)
    if own.logprobs and wanted != "self_consistency":
        return Confidence(exp(fmean(own.logprobs)), "logprobs")
    if wanted == "logprobs":
        return Confidence(None, "the answer has no log-probabilities")
    return _share(debate, role)


def _own_answer(debate: Debate, role: str) -> Turn:
    return next(turn for turn in debate.of("answer") if turn.role == role)


def _share(debate: Debate, role: str) -> Confidence:
    own = _own_answer(debate, role)
    drawn = [turn for turn in debate.of("sample") if turn.role == role]
    read = [turn.fields["answer"] for turn in drawn if turn.status == "ok"]
    if own.status != "ok" or not drawn:
        return Confidence(None, "the answer was not read, or nothing else was drawn")
    if 2 * len(read) < len(drawn):
        return Confidence(None, "under half of the further answers could be read")
    share = sum(same_answer(own.fields["answer"], one) for one in read) / len(read)
    return Confidence(share, "self_consistency")


def passage_item(state: TaskState) -> dict[str, Any]:
    """The question, its passage and its exemplars for the templates."""
    metadata = state.metadata or {}
    passage = str(metadata.get("passage") or "")
    if not passage.strip():
        raise InputError(
            f"sample {state.sample_id!r} has no passage in its metadata, which this "
            "protocol needs."
        )
    return {
        "question": escape(str(metadata.get("question") or state.input_text)),
        "passage": escape(passage),
        "exemplars": [
            {key: escape(str(one[key])) for key in ("question", "answer")}
            for one in metadata.get("exemplars", [])
        ],
    }


class TwoAnswers:
    """The contextual and the prior answer to a question (sections 2.2 and 2.3).

    Attributes:
        who: The two participants, by role.
        own: Their answers, once they were given.
    """

    def __init__(self, state: TaskState, prompted: Prompted, debate: Debate) -> None:
        """Read the question off a sample."""
        self._item, self._prompted = passage_item(state), prompted
        self._debate = debate
        self.who = {
            role: participants(role, name, fallback=DEFENDER)[0]
            for role, name in NAMES.items()
        }
        self.own: dict[str, str] = {}

    def item(self, passage: bool) -> dict[str, Any]:
        """The question for the templates, with the passage where it may be read."""
        return self._item if passage else self._item | {"passage": ""}

    def values(self, passage: bool, **more: Any) -> dict[str, Any]:
        """What else they need once there are two answers."""
        turns = [turn.shown() for turn in self._debate.of("speech")]
        known = self.item(passage) | self._debate.parameters | self._debate.options
        return known | {"turns": turns} | more

    async def answer(self, start: Start, sampled: Sequence[str] = (CRITIC,)) -> bool:
        """Ask for both answers, and for further ones where the parameters want them.

        Nobody waits for the further answers.

        Args:
            start: Starts a call in the background.
            sampled: Whose further answers measure confidence.

        Returns:
            Whether both answers could be read.
        """
        debate = self._debate
        wanted = debate.parameters["confidence_from"]
        samples = debate.parameters["consistency_samples"]
        recalls = debate.parameters["recall_samples"]
        draws = [(role, n) for role in sampled for n in range(1, samples + 1)]
        if wanted in ("self_consistency", "both"):
            for role, n in draws:
                start(self._ask(role, "sample", n))
        for n in range(samples + 1, samples + recalls + 1):  # no draw is used twice
            start(self._ask(CRITIC, "recall", n))
        tokens = wanted != "self_consistency"
        calls = (self._ask(role, "answer", logprobs=tokens) for role in self.who)
        read = {t.role: t for t in await together(debate, *calls) if t.status == "ok"}
        sure = [t.logprobs for role, t in read.items() if role in sampled]
        if wanted == "auto" and not all(sure):
            for role, n in draws:  # of all that were read, to be on one scale
                if role in read:
                    start(self._ask(role, "sample", n))
        self.own = {role: turn.fields["answer"] for role, turn in read.items()}
        debate.options = {
            CONTEXTUAL: escape(self.own.get(DEFENDER, "")),
            PRIOR: escape(self.own.get(CRITIC, "")),
            ABSTAIN: "abstains",
        }
        return len(self.own) == len(self.who)

    def _ask(
        self, role: str, kind: str, draw: int = 0, logprobs: bool = False
    ) -> Asking:
        own = GenerateConfig(logprobs=logprobs or None)
        return self._prompted.ask(
            self.who[role],
            kind,
            read_answer,
            self.item(passage=role == DEFENDER),
            prompt="answer",
            config=self._prompted.config.merge(own),
            fixed=DRAWS if kind != "answer" else None,
            draw=draw,
        )


def read_answer(reply: str) -> Read:
    """The answer alone is public, without reasons; "I don't know" is none."""
    found = short_answer(reply)
    if found is None or abstains(found.value):
        return Read(escape(reply), {"answer": None}, ok=False)
    place = (found.start, found.end)
    return Read(escape(found.value), {"answer": found.value}, place=place)


def read_verdict(reply: str) -> Read:
    """Reasons, and a line that says whether it is reasonable to rely on the passage."""
    found = choice(reply, "verdict", {v: [v] for v in ("reasonable", "unreasonable")})
    stands = found is not None and _STANDS_ALONE.match(reply, found.end)
    verdict = found.value if found and stands else None
    return Read(escape(reply), {"verdict": verdict}, bool(stands), strict=True)


# "It is reasonable to doubt the passage" is no verdict for it.
_STANDS_ALONE = re.compile(
    r"[^\w\n]*+(?:\Z|\n|(?<=[.,;:!(—–-])|(?<=[.,;:!(—–-][ *])|(?:because|since|as)\b)"
)


def in_reading_order(debate: Debate) -> None:
    """Put what ran in the background where a reader expects it."""
    kinds = ("answer", "sample", "recall", "speech", "verdict")
    debate.turns.sort(key=lambda turn: (turn.round, kinds.index(turn.kind)))


def finish(state: TaskState, debate: Debate) -> TaskState:
    """Put the debate and its answer where the viewer and the task's scorers look."""
    item = passage_item(state)
    shown = f"**Question**\n\n{item['question']}\n\n**Passage**\n\n{item['passage']}"
    state.messages = messages(debate, shown)
    text = debate.options.get(debate.answer or "", "")
    completion = "ABSTAIN" if debate.answer == ABSTAIN else unescape(text)
    state.output = ModelOutput.from_content(debate.protocol, completion)
    return state
