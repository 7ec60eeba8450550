"""Values of answers about passages that were made by hand, against hand counts."""

from collections.abc import Sequence
from math import isnan
from pathlib import Path

import pytest

from inspect_debate.debate.record import DebateRecord, Parsed, Status
from inspect_debate.scorers.knowledge_conflict import (
    Facts,
    clash,
    conflict_values,
    explanation,
    facts_of,
)
from tests.scorers.recorded import Held, score_held
from tests.support.clash_records import (
    GOLD,
    NAN,
    OTHER,
    PERTURBED,
    RIGHT_PASSAGE,
    SAYS,
    Said,
    Sure,
    agents,
    contextual,
    debate,
    further,
    held,
    of_arm,
    prior,
    series,
    speeches,
)
from tests.support.runs import samples, values

REFUSED, TRUNCATED = (Parsed(status=s) for s in (Status.REFUSED, Status.TRUNCATED))
COUNTED = ("answers_", "speeches_", "verdicts_", "outcome_")


def near(numbers: object) -> object:
    return pytest.approx(numbers, nan_ok=True)


@pytest.mark.parametrize(
    ("letters", "memory", "sure", "expected"),
    [
        ("R", GOLD, 0.95, [0, 0, 1, 1, 0]),  # a wrong passage is followed
        ("U", GOLD, 0.95, [1, 1, 1, 0, 1]),  # memory is kept, and right
        ("U", OTHER, 0.95, [0, 0, 1, 0, 1]),
        ("U", GOLD, 0.5, [0, 0, 0, 0, 0]),  # an abstention, although memory is right
        ("U", SAYS, 0.95, [0, 0, 1, 1, 1]),  # memory is what the passage says
        ("?", GOLD, 0.95, [NAN] * 5),
        ("U", GOLD, None, [NAN] * 5),
    ],
)
def test_an_arm_s_values(
    letters: str, memory: str, sure: Sure, expected: Sequence[float]
) -> None:
    record = held("srdcr", prior(memory, sure), contextual(), series(letters), rounds=1)
    found = conflict_values(record, PERTURBED)
    assert of_arm(found, "srdcr") == near(expected)
    assert found["correct"] == near(expected[0])


def test_the_arms_of_one_run() -> None:
    found = conflict_values(debate("RU", 0.5), PERTURBED)
    assert of_arm(found, "prior") == [0, 0, 1, 0, 1]
    assert of_arm(found, "few_shot") == [0, 0, 1, 1, 0]
    assert of_arm(found, "golden") == [0, 0, 1, 0, 1]
    assert of_arm(found, "token_prob") == [0, 0, 1, 1, 0]
    assert of_arm(found, "confidence_only") == [0, 0, 1, 1, 0]
    assert of_arm(found, "acvd_only") == [0, 0, 1, 0, 1]
    assert of_arm(found, "srdcr") == [0, 0, 0, 0, 0]
    assert (found["p_prior"], found["p_contextual"]) == near((0.5, 0.8))
    assert (found["standard"], found["severity"], found["offset"]) == (0, 2, 40)
    assert (found["answers_ok"], found["verdicts_ok"]) == (2, 2)
    assert found["verdicts_unparsed"] == 0


@pytest.mark.parametrize("protocol", ["golden", "few_shot", "srdcr"])
@pytest.mark.parametrize("facts", [RIGHT_PASSAGE, PERTURBED])
def test_golden_takes_the_better_source(protocol: str, facts: Facts) -> None:
    record = held(protocol, prior("1870"), contextual("1911"))
    found = conflict_values(record, facts)
    source = "few_shot" if facts.standard else "prior"
    assert of_arm(found, "golden") == of_arm(found, source)
    if protocol == "golden":
        assert found["correct"] == found[f"strict_{source}"]


def test_the_calibrated_choice_is_left_to_the_run() -> None:
    found = conflict_values(
        held("calibrated_token_prob", prior(), contextual()), PERTURBED
    )
    assert isnan(found["correct"])
    assert "strict_calibrated_token_prob" not in found
    assert (found["p_prior"], found["p_contextual"]) == near((0.95, 0.8))


@pytest.mark.parametrize(
    ("sure", "passage_sure", "expected"),
    [(0.95, 0.8, (0.95, 0.8)), (0.95, "absent", (NAN, NAN)), (None, 0.8, (NAN, NAN))],
)
def test_confidences_that_can_be_compared(
    sure: Sure, passage_sure: Sure, expected: tuple[float, float]
) -> None:
    record = held("srdcr", prior(GOLD, sure), contextual(sure=passage_sure))
    found = conflict_values(record, PERTURBED)
    assert (found["p_prior"], found["p_contextual"]) == near(expected)


OUTCOMES = ("abstained", "tied", "unparsed", "refused", "truncated", "missing")


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (debate("R"), None),
        (debate("U", 0.5), "abstained"),
        (debate("?"), "unparsed"),
        (debate("U", "absent"), "missing"),
        (held("few_shot", prior(None), contextual()), None),
        (held("golden", prior(None), contextual()), "unparsed"),
        (held("few_shot", prior(), contextual(REFUSED)), "refused"),
        (held("token_prob", prior(), contextual(sure="cut")), "missing"),
        (held("naive_debate", agents([None, REFUSED, None])), "unparsed"),
        (held("rci", agents([GOLD], [TRUNCATED])), "truncated"),
        (held("calibrated_token_prob", prior(), contextual()), None),
    ],
)
def test_why_there_is_no_answer(record: DebateRecord, why: str | None) -> None:
    found = conflict_values(record, PERTURBED)
    told = [name for name in OUTCOMES if found[f"outcome_{name}"]]
    assert told == ([] if why is None else [why])


def test_turns_are_counted_by_how_they_were_read() -> None:
    first, *others = speeches(2)
    cut = first.model_copy(update={"fields": {"speech": TRUNCATED}})
    turns = [prior(REFUSED), contextual(), cut, *others, *further(None)]
    found = conflict_values(held("srdcr", *turns), PERTURBED)
    told = {name: n for name, n in found.items() if n and name.startswith(COUNTED)}
    assert told == {
        "answers_ok": 1,
        "answers_refused": 1,
        "speeches_ok": 3,
        "speeches_truncated": 1,
        "outcome_missing": 1,
    }


@pytest.mark.parametrize(
    ("answer", "gold", "strict", "normalised"),
    [
        ("1871", "1871", 1, 1),
        ("2:01:09", "7269 seconds", 0, 1),
        ("3:30", "210 s", 0, 1),
        ("1,200", "1200", 0, 1),
        ("twelve", "12", 0, 1),
        ("400", "400 mg", 0, 1),
        ("0.4 g", "400 mg", 0, 1),
        ("the hague", "The Hague", 0, 1),
        ("Dr. Ada Lovelace", "Ada Lovelace", 0, 1),
        ("Lovelace, Ada", "Ada Lovelace", 0, 1),
        ("1872", "1871", 0, 0),
        ("2:01:08", "2:01:09", 0, 0),
        ("-12", "12", 0, 0),
        ("400 g", "400 mg", 0, 0),
        ("Ida Lovelace", "Ada Lovelace", 0, 0),
    ],
)
def test_strict_and_normalised(
    answer: str, gold: str, strict: float, normalised: float
) -> None:
    facts = Facts(gold, standard=True, severity=0, offset=NAN, says=gold)
    found = conflict_values(held("few_shot", prior(gold), contextual(answer)), facts)
    assert of_arm(found, "few_shot")[:4] == [strict, normalised, 1, normalised]
    assert found["correct"] == strict
    assert of_arm(found, "prior") == [1, 1, 1, 1, 1]


def test_without_what_the_passage_says_nobody_follows_it() -> None:
    facts = PERTURBED._replace(says=None)
    found = conflict_values(debate("U", 0.5), facts)
    for arm in ("prior", "few_shot", "srdcr"):
        assert isnan(found[f"context_{arm}"])
    assert found["prior_srdcr"] == 0


def test_without_an_answer_from_memory_nobody_keeps_it() -> None:
    found = conflict_values(
        held("few_shot", prior(None), contextual(GOLD)), RIGHT_PASSAGE
    )
    assert of_arm(found, "few_shot") == near([1, 1, 1, 1, NAN])
    assert of_arm(found, "prior") == near([NAN] * 5)
    assert isnan(found["agree"])
    assert isnan(found["p_prior"])
    assert (found["answers_ok"], found["answers_unparsed"]) == (1, 1)


@pytest.mark.parametrize(
    ("first", "second", "agree"),
    [("1911", "1911", 1), ("3:30", "210 s", 1), ("1911", "1902", 0)],
)
def test_whether_both_answers_agree(first: str, second: str, agree: float) -> None:
    record = held("few_shot", prior(first), contextual(second))
    assert conflict_values(record, PERTURBED)["agree"] == agree


def test_equal_answers_that_were_not_debated() -> None:
    record = held(
        "srdcr",
        prior("1871.", 0.1),
        contextual("1871"),
        skip_if_agree=True,
        skip_reason="both answers agree",
    )
    found = conflict_values(record, RIGHT_PASSAGE)
    assert found["agree"] == 1
    assert of_arm(found, "srdcr") == [1, 1, 1, 1, 1], "and no abstention"
    assert isnan(found["settled"])
    assert isnan(found["verdict_0"])
    assert found["verdicts_missing"] == 0


@pytest.mark.parametrize(
    ("rounds", "expected", "held_for", "same"),
    [
        ([["1871"] * 3], [1, 1, 1, 0, NAN], 1, 1),
        ([["1871", "1911", "1902"]], [1, 1, 1, 0, NAN], 1, 0),
        ([["1911", "1871", "1902"]], [0, 0, 1, 1, NAN], 1, 0),
        ([[None, "1871", "1902"]], [1, 1, 1, 0, NAN], 1, NAN),
        ([[None] * 3], [NAN] * 5, 1, NAN),
        ([["1911", "1911", "1871"], ["1871"] * 3], [1, 1, 1, 0, NAN], 2, 0),
        ([["1911"] * 3, ["1911", "1871.", "1871"]], [0, 1, 1, 0, NAN], 2, 1),
    ],
)
def test_naive_debate(
    rounds: Sequence[Sequence[Said]],
    expected: Sequence[float],
    held_for: int,
    same: float,
) -> None:
    found = conflict_values(held("naive_debate", agents(*rounds)), PERTURBED)
    assert of_arm(found, "naive_debate") == near(expected)
    assert found["rounds_held"] == held_for
    assert found["first_answers_same"] == near(same)
    said = [answer for answers in rounds for answer in answers]
    assert found["answers_ok"] == len(said) - said.count(None)
    assert found["answers_unparsed"] == said.count(None)


def test_rci_before_and_after_the_critique() -> None:
    found = conflict_values(held("rci", agents(["1911"], ["1871"])), PERTURBED)
    assert of_arm(found, "rci_first") == near([0, 0, 1, 1, NAN])
    assert of_arm(found, "rci") == near([1, 1, 1, 0, NAN])
    assert found["correct"] == 1
    assert found["answers_ok"] == 2


def test_facts_of_a_sample() -> None:
    metadata = {
        "condition": "perturbed",
        "severity": 3,
        "offset": -60,
        "passage_answer": "1811",
    }
    assert facts_of(GOLD, metadata) == Facts(GOLD, False, 3, -60, "1811")
    right = facts_of(GOLD, {"condition": "standard", "severity": 0, "offset": None})
    assert right[:3] == (GOLD, True, 0)
    assert isnan(right.offset)
    assert right.says is None
    assert isnan(facts_of(GOLD, {"condition": "perturbed"}).severity)


def test_an_explanation_tells_what_the_passage_says() -> None:
    told = explanation(debate("R"), PERTURBED)
    assert "**Right answer:** 1871" in told
    assert "perturbed, severity 2; it says 1911" in told
    assert "| srdcr | 1911 |" in told


def test_a_record_that_ended_early_is_unscored(tmp_path: Path) -> None:
    stopped = debate("R").model_copy(update={"complete": False, "ended_by": "a limit"})
    metadata = {"condition": "perturbed", "severity": 2, "passage_answer": SAYS}
    held_here = [
        Held(GOLD, [stopped], metadata),
        Held(GOLD, [debate("U", 0.5)], metadata),
        Held(GOLD, [None], metadata),
        Held(GOLD, [debate("?")], metadata),
    ]
    log = score_held(held_here, clash(), tmp_path)
    first, abstained, without, unread = samples(log)
    for sample, because in ((first, "a limit"), (without, "no record")):
        assert sample.scores is not None
        score = sample.scores["clash"]
        assert isinstance(score.value, float)
        assert isnan(score.value)
        assert because in (score.explanation or "")
    assert values(abstained, "clash")["strict_srdcr"] == 0
    assert isnan(values(unread, "clash")["strict_srdcr"])
    for sample, answer in ((abstained, "(abstained)"), (unread, "(unparsed)")):
        assert sample.scores is not None
        assert sample.scores["clash"].answer == answer
        assert (sample.scores["clash"].metadata or {})["arm"] == "srdcr"
    told = values(abstained, "clash")
    assert told["debated"] == 1
    assert (told["calls"], told["tokens"]) == (5, 75)
    assert told["severity"] == 2
