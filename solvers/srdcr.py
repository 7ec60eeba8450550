"""SR-DCR ("When to Trust Context", arXiv 2506.06020): passage, memory, or neither?"""

import re
from collections.abc import Sequence
from math import exp, fsum
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from inspect_ai.model import GenerateConfig, ModelOutput
from inspect_ai.solver import Generate, Solver, TaskState, solver
from pydantic import Field

from inspect_debate.datasets.matching import same_answer
from inspect_debate.debate.ask import (
    Asking,
    Read,
    Start,
    ask,
    background,
    free_text,
    together,
)
from inspect_debate.debate.errors import InputError, validated
from inspect_debate.debate.prompts import Prompts
from inspect_debate.debate.readers import abstains, choice, short_answer
from inspect_debate.debate.record import Debate, Turn, recorded
from inspect_debate.debate.roles import Participant, check_roles, participants
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
    rounds: Annotated[int, Field(ge=1)] = 6,
    tau: Annotated[float, Field(ge=0, le=1)] = 0.9,
    confidence_from: ConfidenceFrom = "auto",
    consistency_samples: Annotated[int, Field(ge=1)] = 16,
    recall_samples: Annotated[int, Field(ge=0)] = 0,
    skip_if_agree: bool = True,
    turn_order: Literal["sequential", "simultaneous"] = "sequential",
    critic_sees_context: bool = False,
    judge_sees_context: bool = False,
    word_limit: Annotated[int, Field(ge=1)] = 150,
    reminders: Annotated[int, Field(ge=0)] = 1,
    max_tokens: Annotated[int, Field(ge=1)] = 1024,
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
    parameters = dict(locals())
    check_roles()
    texts = Prompts(PROMPTS, overlay=prompts)
    config = PAPER.merge(GenerateConfig(max_tokens=max_tokens))

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        with recorded("srdcr", parameters) as debate:
            debate.prompts = texts.hashes
            pair = TwoAnswers(state, texts, config, reminders)
            async with background(debate) as start:
                if await pair.answer(debate, start):
                    await hold(debate, pair, start)
            in_reading_order(debate)
            debate.answer, debate.skip_reason = decide(debate, tau)
        return finish(state, debate)

    async def hold(debate: Debate, pair: TwoAnswers, start: Start) -> None:
        agreed = same_answer(*pair.own.values())
        if agreed and skip_if_agree:
            return
        debate.defends = {DEFENDER: CONTEXTUAL, CRITIC: PRIOR}
        sees = {DEFENDER: True, CRITIC: critic_sees_context}
        common = {
            "agreed": agreed,
            "critic_sees_context": critic_sees_context,
            "judge_sees_context": judge_sees_context,
            "word_limit": word_limit,
            "first_round": 0,
        }

        def speech(role: str, round: int) -> Asking:
            values = pair.item(passage=sees[role]) | common
            values |= {"own": escape(pair.own[role]), "turns": spoken(debate)}
            values |= {"name": f"the {NAMES[role]}", "round": round}
            values |= {
                "opponent": f"the {NAMES[CRITIC if role == DEFENDER else DEFENDER]}"
            }
            return ask(
                pair.who[role],
                "speech",
                texts("speech", **values),
                free_text,
                system=texts(NAMES[role].lower(), **values),
                reminder=texts("speech_reminder"),
                reminders=reminders,
                config=config,
                round=round,
            )

        def verdict(judge: Participant, round: int) -> Asking:
            values = pair.item(passage=judge_sees_context) | common
            values |= {"turns": spoken(debate)}
            values |= {
                CONTEXTUAL: escape(pair.own[DEFENDER]),
                PRIOR: escape(pair.own[CRITIC]),
            }
            return ask(
                judge,
                "verdict",
                texts("verdict", **values),
                read_verdict,
                system=texts("judge", **values),
                reminder=texts("verdict_reminder"),
                reminders=reminders,
                config=config,
                round=round,
            )

        judges = participants("judge", fallback=DEFENDER)
        for round in range(rounds):  # section 3.1
            if round == 0 or turn_order == "simultaneous":
                await together(debate, speech(DEFENDER, round), speech(CRITIC, round))
            else:
                await together(debate, speech(CRITIC, round))
                await together(debate, speech(DEFENDER, round))
            for judge in judges:  # the debate does not wait for verdicts
                start(verdict(judge, round))

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


def last_verdict(debate: Debate) -> str | None:
    """The last round's verdict, which V* of section 3.1 always equals.

    Of several judges that of most; None for a tie, or if none could be read. An unread
    verdict does not fall back to an earlier one.
    """
    verdicts = debate.of("verdict")
    last = max((turn.round for turn in verdicts), default=0)
    votes = [t.fields["verdict"] for t in verdicts if t.round == last and t.fields]
    relies = votes.count("reasonable")
    if 2 * relies == len(votes):
        return None
    return "reasonable" if 2 * relies > len(votes) else "unreasonable"


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
        return Confidence(exp(fsum(own.logprobs) / len(own.logprobs)), "logprobs")
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


def spoken(debate: Debate) -> list[dict[str, Any]]:
    """The speeches so far, for the templates."""
    return [
        {"speaker": t.speaker, "round": t.round, "text": t.public or "(no speech)"}
        for t in debate.of("speech")
    ]


def passage_item(state: TaskState) -> dict[str, Any]:
    """The question and its passage for the templates.

    Raises:
        InputError: If the sample has no passage.
    """
    metadata = state.metadata or {}
    passage = str(metadata.get("passage") or "")
    if not passage.strip():
        raise InputError(
            f"sample {state.sample_id!r} has no passage in its metadata, which this "
            "protocol needs."
        )
    question = str(metadata.get("question") or state.input_text)
    return {"question": escape(question), "passage": escape(passage)}


class TwoAnswers:
    """The contextual and the prior answer to a question (sections 2.2 and 2.3).

    Attributes:
        who: The two participants, by role.
        own: Their answers, once they were given.
    """

    def __init__(
        self, state: TaskState, texts: Prompts, config: GenerateConfig, reminders: int
    ) -> None:
        """Read the question off a sample."""
        self._item = passage_item(state)
        metadata = state.metadata or {}
        self._exemplars = [
            {key: escape(str(one[key])) for key in ("question", "answer")}
            for one in metadata.get("exemplars", [])
        ]
        self._texts, self._config, self._reminders = texts, config, reminders
        critic = participants(CRITIC, NAMES[CRITIC], fallback=DEFENDER)[0]
        self.who = {
            DEFENDER: participants(DEFENDER, NAMES[DEFENDER])[0],
            CRITIC: critic,
        }
        self.own: dict[str, str] = {}
        self._logprobs = True

    def item(self, passage: bool) -> dict[str, Any]:
        """The question for the templates, with the passage where it may be read."""
        return self._item if passage else self._item | {"passage": ""}

    async def answer(
        self, debate: Debate, start: Start, sampled: Sequence[str] = (CRITIC,)
    ) -> bool:
        """Ask for both answers, and for further ones where the parameters want them.

        Nobody waits for the further answers.

        Args:
            debate: The record, with the parameters.
            start: Starts a call in the background.
            sampled: Whose further answers measure confidence.

        Returns:
            Whether both answers could be read.
        """
        wanted = debate.parameters["confidence_from"]
        self._logprobs = wanted != "self_consistency"
        samples = debate.parameters["consistency_samples"]
        recalls = debate.parameters["recall_samples"]
        draws = [(role, n) for role in sampled for n in range(1, samples + 1)]
        if wanted in ("self_consistency", "both"):
            for role, n in draws:
                start(self._ask(role, "sample", n))
        for n in range(samples + 1, samples + recalls + 1):  # no draw is used twice
            start(self._ask(CRITIC, "recall", n))
        answers = await together(
            debate, *(self._ask(role, "answer") for role in self.who)
        )
        read = [t for t in answers if t.role in sampled and t.status == "ok"]
        if wanted == "auto" and not all(t.logprobs for t in read):
            for role, n in draws:  # of all that were read, to be on one scale
                if role in {t.role for t in read}:
                    start(self._ask(role, "sample", n))
        self.own = {t.role: t.fields["answer"] for t in answers if t.fields}
        debate.options = {CONTEXTUAL: "", PRIOR: "", ABSTAIN: "abstains"}
        for role, option in ((DEFENDER, CONTEXTUAL), (CRITIC, PRIOR)):
            debate.options[option] = escape(self.own.get(role, ""))
        return len(self.own) == len(self.who)

    def _ask(self, role: str, kind: str, draw: int = 0) -> Asking:
        wants = kind == "answer" and self._logprobs
        values = self.item(passage=role == DEFENDER) | {"exemplars": self._exemplars}
        return ask(
            self.who[role],
            kind,
            self._texts("answer", **values),
            read_answer,
            reminder=self._texts("answer_reminder"),
            reminders=self._reminders,
            config=self._config.merge(GenerateConfig(logprobs=wants or None)),
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
    later = ("speech", "verdict")
    debate.turns.sort(
        key=lambda t: (
            t.kind in later,
            t.round if t.kind in later else 0,
            kinds.index(t.kind),
        )
    )


def finish(state: TaskState, debate: Debate) -> TaskState:
    """Put the debate and its answer where the viewer and the task's scorers look."""
    metadata = state.metadata or {}
    question = metadata.get("question") or state.input_text
    shown = f"**Question**\n\n{question}\n\n**Passage**\n\n{metadata.get('passage')}"
    state.messages = messages(debate, shown)
    text = debate.options.get(debate.answer or "", "")
    completion = "ABSTAIN" if debate.answer == ABSTAIN else unescape(text)
    state.output = ModelOutput.from_content(debate.protocol, completion)
    return state
