"""What SR-DCR and its baselines decide, from records made by hand."""

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import pytest

from inspect_debate.evals.srdcr import PROTOCOLS
from inspect_debate.v1.debate.outcome import (
    Outcome,
    outcome,
    own_condition,
    probability,
)
from inspect_debate.v1.debate.record import DebateRecord, Parsed, Status
from inspect_debate.v1.solvers.knowledge_conflict import (
    TWO_ANSWERS,
    conditions_of,
    confident,
    decision,
    decision_card,
    judged_rounds,
    verdict_after,
)
from inspect_debate.v1.solvers.naive_debate import all_agree, most_common
from tests.v1.support.clash_records import (
    OTHER,
    SAYS,
    Said,
    Sure,
    agents,
    contextual,
    debate,
    field_of,
    further,
    picks,
    prior,
    record_of,
    series,
    speeches,
)

PRIOR, CONTEXTUAL = Outcome(OTHER, "ok"), Outcome(SAYS, "ok")
ABSTAINED, MISSING = Outcome(None, "abstained"), Outcome(None, "missing")
UNPARSED = Outcome(None, "unparsed")
REFUSED = Parsed(status=Status.REFUSED)


# --- conditions ----------------------------------------------------------------------


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_conditions_of_a_protocol(protocol: str) -> None:
    record = record_of(protocol)
    more: dict[str, tuple[str, ...]] = {
        "srdcr": (*TWO_ANSWERS, "acvd_only", "srdcr"),
        "acvd_only": (*TWO_ANSWERS, "acvd_only", "srdcr"),
        "judge_debate": (
            *TWO_ANSWERS,
            *("judge_debate_1", "judge_debate_3", "judge_debate_5"),
        ),
        "rci": ("rci_first", "rci"),
        "self_ask": ("self_ask",),
        "naive_debate": ("naive_debate",),
    }
    assert conditions_of(record) == more.get(protocol, TWO_ANSWERS)
    own = "judge_debate_5" if protocol == "judge_debate" else protocol
    assert own_condition(record) == own
    assert own in (*conditions_of(record), "calibrated_token_prob")


@pytest.mark.parametrize(
    ("protocol", "parameters", "rounds"),
    [
        ("srdcr", {}, [0, 1, 2, 3, 4, 5]),
        ("srdcr", {"rounds": 1}, [0]),
        ("srdcr", {"rounds": 0}, [0]),
        ("judge_debate", {}, [1, 3, 5]),
        ("judge_debate", {"rounds": 4}, [1, 3, 4]),
        ("judge_debate", {"rounds": 0}, [0]),
        ("judge_debate", {"judge_after": (2,), "rounds": 3}, [2, 3]),
    ],
)
def test_the_rounds_after_which_there_are_verdicts(
    protocol: str, parameters: dict[str, Any], rounds: list[int]
) -> None:
    assert judged_rounds(record_of(protocol, **parameters)) == rounds


# --- the gate ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("letters", "sure", "gated", "ungated"),
    [
        ("UUURRR", 0.95, CONTEXTUAL, CONTEXTUAL),
        ("RRRUUU", 0.95, PRIOR, PRIOR),
        ("RRRUUU", 0.5, ABSTAINED, PRIOR),
        # Only the last verdict decides, and where it was not read nothing does.
        ("?U?RR", 0.5, CONTEXTUAL, CONTEXTUAL),
        ("RRR?U", 0.95, PRIOR, PRIOR),
        ("RRRR?", 0.95, UNPARSED, UNPARSED),
        ("UUUU?", 0.5, UNPARSED, UNPARSED),
        ("R", 0.5, CONTEXTUAL, CONTEXTUAL),
        # tau is reached by what equals it.
        ("U", 0.9, PRIOR, PRIOR),
        ("U", (0.9, 0.9, 0.9), PRIOR, PRIOR),
        ("U", 0.8999, ABSTAINED, PRIOR),
        # Without a confidence nothing is known, unless none is needed.
        ("U", "absent", MISSING, PRIOR),
        ("U", None, MISSING, PRIOR),
        ("R", "absent", CONTEXTUAL, CONTEXTUAL),
    ],
)
def test_verdict_and_gate(
    letters: str, sure: Sure, gated: Outcome, ungated: Outcome
) -> None:
    record = debate(letters, sure)
    assert decision(record, "srdcr") == gated
    assert decision(record, "acvd_only") == ungated
    assert decision(record) == outcome(record) == gated
    only = record.model_copy(update={"protocol": "acvd_only"})
    assert decision(only) == ungated
    assert decision(only, "srdcr") == gated
    assert probability(record, SAYS) == (
        None if gated.answer is None else float(gated == CONTEXTUAL)
    )


def test_a_missing_verdict_decides_nothing() -> None:
    record = record_of("srdcr", prior(), contextual(), speeches(), rounds=1)
    assert decision(record) == MISSING
    # These verdicts have no order of answers.
    assert decision(debate("R"), order="ba") == MISSING


@pytest.mark.parametrize("tau", [0.0, 0.5, 0.7, 0.75, 0.9, 1.0])
def test_a_share_of_draws_that_equals_tau_reaches_it(tau: float) -> None:
    alike = round(20 * tau)

    def with_alike(n: int) -> DebateRecord:
        draws = further(*[OTHER] * n, *["1871"] * (20 - n))
        turns = [prior(sure=None), contextual(), *draws, *series("U")]
        return record_of("srdcr", *turns, tau=tau, rounds=1)

    assert confident(with_alike(alike))
    assert decision(with_alike(alike)) == PRIOR
    if alike:
        assert not confident(with_alike(alike - 1))
        assert decision(with_alike(alike - 1)) == ABSTAINED


@pytest.mark.parametrize(
    ("first", "second", "because", "decided"),
    [
        ("1911", "1911.", "both answers agree", Outcome("1911", "ok")),
        ("1911", None, "the Critic's answer is unparsed", UNPARSED),
        (REFUSED, "1911", "the Defender's answer is refused", Outcome(None, "refused")),
        (REFUSED, None, "the Defender's answer is refused", Outcome(None, "refused")),
    ],
)
def test_without_a_debate_first_answers_count(
    first: Said, second: Said, because: str, decided: Outcome
) -> None:
    for protocol in ("srdcr", "acvd_only", "judge_debate"):
        record = record_of(
            protocol,
            contextual(first),
            prior(second, 0.1),
            skip_if_agree=True,
            skip_reason=because,
        )
        assert decision(record) == decided
        assert decision(record, "few_shot").answer == field_of(first).value


# --- choices by confidence -----------------------------------------------------------


@pytest.mark.parametrize(
    ("memory", "passage", "more_probable", "by_confidence"),
    [
        (0.95, 0.8, PRIOR, PRIOR),
        (0.7, 0.8, CONTEXTUAL, CONTEXTUAL),
        (0.85, 0.8, PRIOR, CONTEXTUAL),
        (0.95, 0.99, CONTEXTUAL, PRIOR),
        (0.9, 0.9, CONTEXTUAL, PRIOR),
        ((0.4, 0.9), (0.9, 0.4), CONTEXTUAL, CONTEXTUAL),
        (0.9, 0.5, PRIOR, PRIOR),
        ("absent", 0.8, MISSING, MISSING),
        (0.95, "cut", MISSING, PRIOR),
        (0.5, None, MISSING, CONTEXTUAL),
    ],
)
def test_choices_by_confidence(
    memory: Sure, passage: Sure, more_probable: Outcome, by_confidence: Outcome
) -> None:
    for protocol in ("token_prob", "confidence_only", "srdcr"):
        record = record_of(protocol, prior(OTHER, memory), contextual(SAYS, passage))
        assert decision(record, "token_prob") == more_probable
        assert decision(record, "confidence_only") == by_confidence
        assert decision(record, "prior") == PRIOR
        assert decision(record, "few_shot") == CONTEXTUAL


def test_a_token_probability_is_not_compared_with_a_share_of_draws() -> None:
    answers = [prior(OTHER, 0.6), contextual(SAYS, "absent")]
    memory = further(*[OTHER] * 3, SAYS)
    passage = further(*[SAYS] * 2, *[OTHER] * 2, who="debater_a")
    # 0.6 against 0.5; and 0.75 against 0.5, where both are shares.
    assert decision(record_of("token_prob", *answers, passage)) == MISSING
    assert decision(record_of("token_prob", *answers, memory, passage)) == PRIOR
    surer = further(*[SAYS] * 4, who="debater_a")
    assert decision(record_of("token_prob", *answers, memory, surer)) == CONTEXTUAL


def test_an_answer_that_was_not_read_is_chosen_by_no_rule() -> None:
    unread = record_of("token_prob", prior(None), contextual())
    assert decision(unread, "prior") == UNPARSED
    assert decision(unread, "token_prob") == MISSING
    assert decision(unread, "confidence_only") == MISSING
    assert decision(unread, "few_shot") == CONTEXTUAL
    unread = record_of("token_prob", prior(sure=0.5), contextual(REFUSED))
    assert decision(unread, "token_prob") == MISSING
    assert decision(unread, "confidence_only") == Outcome(None, "refused")


@pytest.mark.parametrize("condition", ["golden", "calibrated_token_prob"])
def test_what_takes_more_than_the_record(condition: str) -> None:
    record = record_of(condition, prior(), contextual())
    assert decision(record) == outcome(record) == Outcome(None, "elsewhere")
    assert probability(record, SAYS) is None


# --- answers alone -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "decided"),
    [
        (["1871", "1911", "1911"], Outcome("1911", "ok")),
        (["1871", "1911", "1902"], Outcome("1871", "ok")),
        (["1911", "1871", "1871."], Outcome("1871", "ok")),
        (["210 s", "4 min", "3:30"], Outcome("210 s", "ok")),
        (["4 min", "3:30", "210 s"], Outcome("3:30", "ok")),
        ([None, "1911", "1871"], Outcome("1911", "ok")),
        (["1902", None, "1871"], Outcome("1902", "ok")),
        ([None, None, "1871"], Outcome("1871", "ok")),
        ([None, None, None], UNPARSED),
        ([REFUSED, None, None], Outcome(None, "refused")),
        (["1", "2", "2", "1", "3"], Outcome("1", "ok")),
        (["3", "2", "1", "1", "2"], Outcome("2", "ok")),
        ([], MISSING),
    ],
)
def test_ties_among_agents(answers: Sequence[Said], decided: Outcome) -> None:
    assert most_common([field_of(answer) for answer in answers]) == decided
    assert decision(record_of("naive_debate", agents(answers))) == decided


@pytest.mark.parametrize(
    ("answers", "agree"),
    [
        (["1871", "1871.", "1871"], True),
        (["1871"], True),
        (["1871", "1871", "1911"], False),
        (["1871", None], False),
        ([REFUSED, None], False),
        ([], False),
    ],
)
def test_agents_agree_if_all_say_the_same(answers: Sequence[Said], agree: bool) -> None:
    assert all_agree(agents(answers)) is agree


def test_agents_last_answers_count() -> None:
    rounds: list[list[Said]] = [
        ["1871", "1871", "1902"],
        ["1911", "1902", "1911"],
        ["1", None, "2"],
    ]
    decided = ["1871", "1911", "1"]
    for n, answer in enumerate(decided, start=1):
        assert decision(record_of("naive_debate", agents(*rounds[:n]))).answer == answer


def test_a_revision_counts_and_the_answer_before_it() -> None:
    record = record_of("rci", agents(["1911"], ["1871"]))
    assert decision(record, "rci_first").answer == "1911"
    assert decision(record).answer == "1871"
    unread = record_of("rci", agents(["1911"], [None]))
    assert decision(unread, "rci_first").answer == "1911"
    assert decision(unread) == UNPARSED
    assert decision(record_of("rci", agents(["1911"]))) == MISSING
    assert decision(record_of("self_ask", agents(["1911"]))) == CONTEXTUAL


def test_a_debate_at_a_glance() -> None:
    turns = [prior(), contextual(), *series("R?U")]
    warnings = ("Both are one model.",)
    record = record_of("srdcr", *turns, rounds=3, warnings=warnings)
    lines = decision_card(record).splitlines()
    for line in (
        "**Outcome: 1902**",
        "| from the passage | 1911 | 0.800 | its tokens have log-probabilities |",
        "| from memory | 1902 | 0.950 | its tokens have log-probabilities |",
        "| after round | 0 | 1 | 2 |",
        "| verdict | reasonable | (unparsed) | unreasonable |",
        "| few_shot | 1911 |",
        "| srdcr | 1902 |",
        "⚠ Both are one model.",
    ):
        assert line in lines, line
    assert not any(line.startswith("| golden") for line in lines), "known elsewhere"


def test_a_card_without_a_debate_says_why_and_keeps_its_tables() -> None:
    record = record_of(
        "srdcr",
        prior("a|b", None),
        contextual(None),
        skip_reason="the Defender's answer is unparsed",
    )
    card = decision_card(record)
    assert "**Outcome: none, as it could not be read**" in card
    assert "No debate: the Defender's answer is unparsed." in card
    assert "| from memory | a\\|b |  | nothing was asked for |" in card
    assert "| from the passage | (unparsed) |  | the answer is unparsed |" in card
    assert "after round" not in card


@pytest.mark.parametrize("protocol", ["self_ask", "rci", "naive_debate"])
def test_a_card_of_answers_from_the_passage_alone(protocol: str) -> None:
    card = decision_card(record_of(protocol, agents(["1911"], ["1871"])))
    assert f"**Outcome: {'1911' if protocol == 'self_ask' else '1871'}**" in card
    assert "from memory" not in card


UNPARSED_PANEL, TIED = Outcome(None, "unparsed"), Outcome(None, "tied")
JUDGES = ("judge_1", "judge_2", "judge_3")


@pytest.mark.parametrize(
    ("last", "decided"),
    [
        ("RRU", CONTEXTUAL),
        ("RUU", PRIOR),
        ("UUU", PRIOR),
        ("R?U", TIED),
        ("R??", CONTEXTUAL),
        ("???", UNPARSED_PANEL),
        ("RR", CONTEXTUAL),
        ("RU", TIED),
    ],
)
def test_a_majority_of_a_panel(last: str, decided: Outcome) -> None:
    judges = JUDGES[: len(last)]
    for way in permutations(zip(judges, last, strict=True)):
        votes = [series("U" + letter, judge) for judge, letter in way]
        record = record_of(
            "srdcr", prior(), contextual(), *votes, judges=judges, rounds=2
        )
        assert decision(record) == decided
        assert verdict_after(record, 0).answer == "unreasonable"
        for judge, letter in way:
            alone = {"R": CONTEXTUAL, "U": PRIOR, "?": UNPARSED_PANEL}[letter]
            assert decision(record, judge=judge) == alone
            assert outcome(record, judge=judge) == alone


@pytest.mark.parametrize(
    ("ab", "ba", "decided"),
    [
        ("C", "C", CONTEXTUAL),
        ("P", "P", PRIOR),
        ("C", "P", TIED),
        ("?", "P", PRIOR),
        ("?", "?", UNPARSED_PANEL),
    ],
)
def test_a_judge_shown_both_orders(ab: str, ba: str, decided: Outcome) -> None:
    record = record_of(
        "judge_debate",
        prior(),
        contextual(),
        picks("PP" + ab, order="ab"),
        picks("PP" + ba, order="ba"),
        order="both",
    )
    alone = {"C": CONTEXTUAL, "P": PRIOR, "?": UNPARSED_PANEL}
    assert decision(record) == outcome(record) == decided
    assert decision(record, order="ab") == alone[ab]
    assert outcome(record, order="ba") == alone[ba]
    assert decision(record, "judge_debate_3") == PRIOR


def test_judges_of_a_judged_debate() -> None:
    votes = [picks("CCC", judge="judge_1"), picks("CPP", judge="judge_2")]
    record = record_of("judge_debate", prior(), contextual(), *votes, judges=JUDGES[:2])
    assert decision(record) == TIED
    assert decision(record, "judge_debate_1") == CONTEXTUAL
    assert decision(record, judge="judge_1") == CONTEXTUAL
    assert decision(record, judge="judge_2") == PRIOR


def test_each_round_of_a_judged_debate_is_a_condition() -> None:
    record = record_of("judge_debate", prior(), contextual(), picks("CP?"))
    assert decision(record, "judge_debate_1") == CONTEXTUAL
    assert decision(record, "judge_debate_3") == PRIOR
    assert decision(record, "judge_debate_5") == decision(record) == UNPARSED_PANEL
