"""Passage or memory? What SR-DCR and its baselines decide, from the record alone.

An arm is one way to decide. Several share the same two answers, and so one run holds
several: the prior answer (the Critic's, from memory) and the contextual answer (the
Defender's, from the passage) are arms by themselves, and so are the decisions between
them that the confidences or the judge's verdicts make.
"""

from collections.abc import Callable, Sequence
from functools import partial

from inspect_debate.debate.matching import canonical
from inspect_debate.debate.record import DebateRecord, Order, Parsed, Status, Turn
from inspect_debate.debate.rendering import table_cell
from inspect_debate.debate.self_confidence import answer_of, estimate, on_one_scale
from inspect_debate.debate.voting import Outcome, majority

DEFENDER, CRITIC = "debater_a", "debater_b"

TWO_ANSWERS = ("prior", "few_shot", "golden", "token_prob", "confidence_only")
"""The arms of every run that asks for both answers.

`prior` and `few_shot` are the two answers; `golden` takes the better source by the
condition, which the record does not know; `token_prob` the more probable answer, and
`confidence_only` the prior one where the model is confident of it (ClashEval; SR-DCR).
"""

_JUDGED = ("acvd_only", "srdcr")


def arms_of(record: DebateRecord) -> tuple[str, ...]:
    """The arms that a run holds, the same for all of its records."""
    match record.protocol:
        case "srdcr" | "acvd_only":
            return (*TWO_ANSWERS, *_JUDGED)
        case "judge_debate":
            after = (f"judge_debate_{r}" for r in judged_rounds(record))
            return (*TWO_ANSWERS, *after)
        case "rci":
            return ("rci_first", "rci")
        case "self_ask" | "naive_debate":
            return (record.protocol,)
    return TWO_ANSWERS


def own_arm(record: DebateRecord) -> str:
    """The arm that is the protocol itself."""
    if record.protocol == "judge_debate":
        return f"judge_debate_{judged_rounds(record)[-1]}"
    return record.protocol


def decision(
    record: DebateRecord,
    arm: str | None = None,
    judge: str | None = None,
    order: Order | None = None,
) -> Outcome:
    """What an arm answers.

    Args:
        record: A complete record.
        arm: One of `arms_of(record)`; by default the protocol's own.
        judge: Count this judge's verdicts only; all judges' by default.
        order: Count verdicts given in this order only; all orders' by default.

    Returns:
        The answer in words, or why there is none: `abstained`, how a field that it
        needs was read, `tied` where judges are, or `elsewhere` where it takes the
        condition (`golden`) or all items (`calibrated_token_prob`) to decide.
    """
    arm = own_arm(record) if arm is None else arm
    if arm.startswith("judge_debate_"):
        last = int(arm.rpartition("_")[2])
        return _picked(record, verdict_after(record, last, judge, order))
    rule = _RULES.get(arm)
    if rule is not None:
        return rule(record)
    final = judged_rounds(record)[-1]
    return _gated(record, verdict_after(record, final, judge, order), arm)


def judged_rounds(record: DebateRecord) -> list[int]:
    """The rounds after which a verdict is given, in order: all rounds, or some."""
    if (after := record.parameters.get("judge_after")) is not None:
        return [int(round) for round in after]
    return list(range(max(1, int(record.parameters.get("rounds", 0)))))


def verdict_after(
    record: DebateRecord,
    round: int,
    judge: str | None = None,
    order: Order | None = None,
) -> Outcome:
    """The verdict after a round: the only judge's, or that of most judges and orders.

    Returns:
        `reasonable` or `unreasonable`, or in a judged debate `contextual` or `prior`.
    """
    field = "answer" if record.protocol == "judge_debate" else "verdict"
    return majority(
        turn.field(field)
        for turn in record.of_kind("verdict")
        if turn.round == round
        and judge in (None, turn.participant)
        and order in (None, turn.order)
    )


def confident(record: DebateRecord) -> bool | None:
    """Whether the prior answer's confidence reaches tau; None if it has none."""
    value = estimate(record, CRITIC).value
    return None if value is None else value >= record.parameters["tau"]


# --- rules ---------------------------------------------------------------------------


def _answer(participant: str, record: DebateRecord) -> Outcome:
    return _as_outcome(answer_of(record, participant))


def _as_outcome(answer: Parsed) -> Outcome:
    if answer.value is None:
        return Outcome(None, answer.status.value)
    return Outcome(str(answer.value), "ok")


def _elsewhere(record: DebateRecord) -> Outcome:
    return Outcome(None, "elsewhere")


def _more_probable(record: DebateRecord) -> Outcome:
    """The answer of higher confidence; the contextual one where both have the same."""
    source, confidences = on_one_scale(record, CRITIC, DEFENDER)
    if source is None:
        return Outcome(None, "missing")
    prior, contextual = confidences
    return _answer(CRITIC if prior > contextual else DEFENDER, record)


def _by_confidence(record: DebateRecord) -> Outcome:
    """The prior answer where the model is confident of it, else the contextual one."""
    sure = confident(record)
    if sure is None:
        return Outcome(None, "missing")
    return _answer(CRITIC if sure else DEFENDER, record)


def _gated(record: DebateRecord, verdict: Outcome, arm: str) -> Outcome:
    """SR-DCR (section 2.3): the passage if it is held reasonable; else memory, if sure.

    Without the gate (`acvd_only`) memory answers whether it is sure or not. Where both
    answers were the same and nothing was debated, that is the answer.
    """
    if record.undebated_because is not None:
        return _undebated(record)
    if verdict.answer is None:
        return verdict
    if verdict.answer == "reasonable":
        return _answer(DEFENDER, record)
    sure = True if arm == "acvd_only" else confident(record)
    if sure is None:
        return Outcome(None, "missing")
    return _answer(CRITIC, record) if sure else Outcome(None, "abstained")


def _picked(record: DebateRecord, verdict: Outcome) -> Outcome:
    if record.undebated_because is not None:
        return _undebated(record)
    if verdict.answer is None:
        return verdict
    return _answer(DEFENDER if verdict.answer == "contextual" else CRITIC, record)


def _undebated(record: DebateRecord) -> Outcome:
    """What stands where there was no debate: the answer that both gave, if they did."""
    outcomes = [_answer(who, record) for who in (DEFENDER, CRITIC)]
    return next((o for o in outcomes if o.answer is None), outcomes[0])


def _last(
    kind_of_turn: Callable[[DebateRecord], Sequence[Turn]], record: DebateRecord
) -> Outcome:
    turns = kind_of_turn(record)
    return _as_outcome(turns[-1].field("answer") if turns else Parsed())


def all_agree(turns: Sequence[Turn]) -> bool:
    """Whether all answers could be read and say the same."""
    answers = [turn.field("answer") for turn in turns]
    read = {canonical(str(a.value)) for a in answers if a.status == Status.OK}
    return len(read) == 1 and all(a.status == Status.OK for a in answers)


def most_common(answers: Sequence[Parsed]) -> Outcome:
    """The answer of most of those that could be read, by what they say in any spelling.

    Ties go to the answer of the participant with the lowest number, in whose words it
    is given.
    """
    read = [str(a.value) for a in answers if a.status == Status.OK]
    if not read:
        return Outcome(None, answers[0].status.value if answers else "missing")
    forms = [canonical(answer) for answer in read]
    return Outcome(max(read, key=lambda answer: forms.count(canonical(answer))), "ok")


_RULES: dict[str, Callable[[DebateRecord], Outcome]] = {
    "prior": partial(_answer, CRITIC),
    "few_shot": partial(_answer, DEFENDER),
    "golden": _elsewhere,
    "calibrated_token_prob": _elsewhere,
    "token_prob": _more_probable,
    "confidence_only": _by_confidence,
    "self_ask": partial(_last, lambda record: record.of_kind("answer")),
    "rci_first": partial(_last, lambda record: record.of_kind("answer")),
    "rci": partial(_last, lambda record: record.of_kind("update")),
    "naive_debate": lambda record: most_common(
        [turn.field("answer") for turn in record.last_answers()]
    ),
}


# A debate about a passage at a glance.


def arbitration_card(record: DebateRecord) -> str:
    """Answers, confidences, verdicts and what every arm makes of them, as Markdown."""
    decided = decision(record)
    lines = [f"**{record.protocol}: {_shown(decided)}**"]
    if record.undebated_because:
        lines.append(f"No debate: {record.undebated_because}.")
    arms = arms_of(record)
    if set(TWO_ANSWERS) <= set(arms):
        lines += ["", *_answers(record)]
    if record.of_kind("verdict"):
        lines += ["", *_verdicts(record)]
    lines += ["", "| arm | answer |", "|---|---|"]
    outcomes = {arm: decision(record, arm) for arm in arms}
    lines += [
        f"| {arm} | {_shown(outcome)} |"
        for arm, outcome in outcomes.items()
        if outcome.status != "elsewhere"
    ]
    lines += [f"\n⚠ {warning}" for warning in record.warnings]
    return "\n".join(lines)


def _answers(record: DebateRecord) -> list[str]:
    lines = ["| | answer | confidence | why |", "|---|---|---|---|"]
    for name, who in (("from the passage", DEFENDER), ("from memory", CRITIC)):
        answer, sure = answer_of(record, who), estimate(record, who)
        said = table_cell(str(answer.value or f"({answer.status})"))
        value = "" if sure.value is None else f"{sure.value:.3f}"
        lines.append(f"| {name} | {said} | {value} | {sure.reason} |")
    return lines


def _verdicts(record: DebateRecord) -> list[str]:
    rounds = judged_rounds(record)
    said = [_shown(verdict_after(record, round)) for round in rounds]
    return [
        f"| after round | {' | '.join(map(str, rounds))} |",
        "|---" * (len(rounds) + 1) + "|",
        f"| verdict | {' | '.join(said)} |",
    ]


def _shown(outcome: Outcome) -> str:
    return table_cell(outcome.answer or f"({outcome.status})")
