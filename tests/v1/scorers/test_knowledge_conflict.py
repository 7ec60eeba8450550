"""Values and measures of answers about passages, against hand counts."""

from collections.abc import Sequence
from math import isnan, log
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput, ModelUsage

from inspect_debate.evals.srdcr import PROTOCOLS
from inspect_debate.v1.debate.calls import TurnDescription
from inspect_debate.v1.debate.record import DebateRecord, Parsed, Status, Turn
from inspect_debate.v1.scorers.knowledge_conflict import (
    Facts,
    clash,
    conflict_values,
    explanation,
    facts_of,
)
from inspect_debate.v1.scorers.self_confidence import confidence_values, self_confidence
from inspect_debate.v1.solvers.srdcr import srdcr
from tests.v1.scorers.recorded import Recorded, score_records
from tests.v1.support.clash import question, with_tokens
from tests.v1.support.clash_records import (
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
    of_condition,
    picks,
    prior,
    record_of,
    series,
    speeches,
)
from tests.v1.support.models import Messages, scripted
from tests.v1.support.runs import metrics, run_solver, samples, score_of, values

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
def test_values_of_a_condition(
    letters: str, memory: str, sure: Sure, expected: Sequence[float]
) -> None:
    record = record_of(
        "srdcr", prior(memory, sure), contextual(), series(letters), rounds=1
    )
    found = conflict_values(record, PERTURBED)
    assert of_condition(found, "srdcr") == near(expected)
    assert found["correct"] == near(expected[0])


def test_conditions_of_one_run() -> None:
    found = conflict_values(debate("RU", 0.5), PERTURBED)
    assert of_condition(found, "prior") == [0, 0, 1, 0, 1]
    assert of_condition(found, "few_shot") == [0, 0, 1, 1, 0]
    assert of_condition(found, "golden") == [0, 0, 1, 0, 1]
    assert of_condition(found, "token_prob") == [0, 0, 1, 1, 0]
    assert of_condition(found, "confidence_only") == [0, 0, 1, 1, 0]
    assert of_condition(found, "acvd_only") == [0, 0, 1, 0, 1]
    assert of_condition(found, "srdcr") == [0, 0, 0, 0, 0]
    assert (found["p_prior"], found["p_contextual"]) == near((0.5, 0.8))
    assert (found["standard"], found["severity"], found["offset"]) == (0, 2, 40)
    assert (found["answers_ok"], found["verdicts_ok"]) == (2, 2)
    assert found["verdicts_unparsed"] == 0


@pytest.mark.parametrize("protocol", ["golden", "few_shot", "srdcr"])
@pytest.mark.parametrize("facts", [RIGHT_PASSAGE, PERTURBED])
def test_golden_takes_the_better_source(protocol: str, facts: Facts) -> None:
    record = record_of(protocol, prior("1870"), contextual("1911"))
    found = conflict_values(record, facts)
    source = "few_shot" if facts.standard else "prior"
    assert of_condition(found, "golden") == of_condition(found, source)
    if protocol == "golden":
        assert found["correct"] == found[f"strict_{source}"]


def test_the_calibrated_choice_is_left_to_the_run() -> None:
    found = conflict_values(
        record_of("calibrated_token_prob", prior(), contextual()), PERTURBED
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
    record = record_of("srdcr", prior(GOLD, sure), contextual(sure=passage_sure))
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
        (record_of("few_shot", prior(None), contextual()), None),
        (record_of("golden", prior(None), contextual()), "unparsed"),
        (record_of("few_shot", prior(), contextual(REFUSED)), "refused"),
        (record_of("token_prob", prior(), contextual(sure="cut")), "missing"),
        (record_of("naive_debate", agents([None, REFUSED, None])), "unparsed"),
        (record_of("rci", agents([GOLD], [TRUNCATED])), "truncated"),
        (record_of("calibrated_token_prob", prior(), contextual()), None),
    ],
)
def test_why_there_is_no_answer(record: DebateRecord, why: str | None) -> None:
    found = conflict_values(record, PERTURBED)
    logged = [name for name in OUTCOMES if found[f"outcome_{name}"]]
    assert logged == ([] if why is None else [why])


def test_turns_are_counted_by_how_they_were_read() -> None:
    first, *others = speeches(2)
    cut = first.model_copy(update={"fields": {"speech": TRUNCATED}})
    turns = [prior(REFUSED), contextual(), cut, *others, *further(None)]
    found = conflict_values(record_of("srdcr", *turns), PERTURBED)
    logged = {name: n for name, n in found.items() if n and name.startswith(COUNTED)}
    assert logged == {
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
        ("400", "400 mg", 0, 1),
        ("Lovelace, Ada", "Ada Lovelace", 0, 1),
        ("1872", "1871", 0, 0),
        ("400 g", "400 mg", 0, 0),
    ],
)
def test_strict_and_normalised(
    answer: str, gold: str, strict: float, normalised: float
) -> None:
    facts = Facts(gold, standard=True, severity=0, offset=NAN, says=gold)
    found = conflict_values(
        record_of("few_shot", prior(gold), contextual(answer)), facts
    )
    assert of_condition(found, "few_shot")[:4] == [strict, normalised, 1, normalised]
    assert found["correct"] == strict
    assert of_condition(found, "prior") == [1, 1, 1, 1, 1]


def test_without_what_the_passage_says_nobody_follows_it() -> None:
    facts = PERTURBED._replace(says=None)
    found = conflict_values(debate("U", 0.5), facts)
    for condition in ("prior", "few_shot", "srdcr"):
        assert isnan(found[f"context_{condition}"])
    assert found["prior_srdcr"] == 0


def test_without_an_answer_from_memory_nobody_keeps_it() -> None:
    found = conflict_values(
        record_of("few_shot", prior(None), contextual(GOLD)), RIGHT_PASSAGE
    )
    assert of_condition(found, "few_shot") == near([1, 1, 1, 1, NAN])
    assert of_condition(found, "prior") == near([NAN] * 5)
    assert isnan(found["agree"])
    assert isnan(found["p_prior"])
    assert (found["answers_ok"], found["answers_unparsed"]) == (1, 1)


@pytest.mark.parametrize(
    ("first", "second", "agree"),
    [("1911", "1911", 1), ("3:30", "210 s", 1), ("1911", "1902", 0)],
)
def test_whether_both_answers_agree(first: str, second: str, agree: float) -> None:
    record = record_of("few_shot", prior(first), contextual(second))
    assert conflict_values(record, PERTURBED)["agree"] == agree


def test_equal_answers_that_were_not_debated() -> None:
    record = record_of(
        "srdcr",
        prior("1871.", 0.1),
        contextual("1871"),
        skip_if_agree=True,
        skip_reason="both answers agree",
    )
    found = conflict_values(record, RIGHT_PASSAGE)
    assert found["agree"] == 1
    assert of_condition(found, "srdcr") == [1, 1, 1, 1, 1], "and no abstention"
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
    found = conflict_values(record_of("naive_debate", agents(*rounds)), PERTURBED)
    assert of_condition(found, "naive_debate") == near(expected)
    assert found["rounds_held"] == held_for
    assert found["first_answers_same"] == near(same)
    reply = [answer for answers in rounds for answer in answers]
    assert found["answers_ok"] == len(reply) - reply.count(None)
    assert found["answers_unparsed"] == reply.count(None)


def test_rci_before_and_after_the_critique() -> None:
    found = conflict_values(record_of("rci", agents(["1911"], ["1871"])), PERTURBED)
    assert of_condition(found, "rci_first") == near([0, 0, 1, 1, NAN])
    assert of_condition(found, "rci") == near([1, 1, 1, 0, NAN])
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
    logged = explanation(debate("R"), PERTURBED)
    assert "**Right answer:** 1871" in logged
    assert "perturbed, severity 2; it says 1911" in logged
    assert "| srdcr | 1911 |" in logged


def test_a_record_that_ended_early_is_unscored(tmp_path: Path) -> None:
    stopped = debate("R").model_copy(update={"complete": False, "ended_by": "a limit"})
    metadata = {"condition": "perturbed", "severity": 2, "passage_answer": SAYS}
    held_here = [
        Recorded(GOLD, [stopped], metadata),
        Recorded(GOLD, [debate("U", 0.5)], metadata),
        Recorded(GOLD, [None], metadata),
        Recorded(GOLD, [debate("?")], metadata),
    ]
    log = score_records(held_here, clash(), tmp_path)
    first, abstained, without, unread = samples(log)
    for sample, because in ((first, "a limit"), (without, "no record")):
        score = score_of(sample, "clash")
        assert isinstance(score.value, float)
        assert isnan(score.value)
        assert because in (score.explanation or "")
    assert values(abstained, "clash")["strict_srdcr"] == 0
    assert isnan(values(unread, "clash")["strict_srdcr"])
    for sample, answer in ((abstained, "(abstained)"), (unread, "(unparsed)")):
        assert score_of(sample, "clash").answer == answer
        assert (score_of(sample, "clash").metadata or {})["arm"] == "srdcr"
    logged = values(abstained, "clash")
    assert logged["debated"] == 1
    assert (logged["calls"], logged["tokens"]) == (5, 75)
    assert logged["severity"] == 2


@pytest.mark.parametrize(
    ("letters", "verdicts", "settled"),
    [
        ("RRRRRR", [1, 1, 1, 1, 1, 1], 0),
        ("UUURRR", [0, 0, 0, 1, 1, 1], 3),
        ("RURURU", [1, 0, 1, 0, 1, 0], 5),
        ("RRRRRU", [1, 1, 1, 1, 1, 0], 5),
        ("RR?RRR", [1, 1, NAN, 1, 1, 1], 3),
        ("?RRRRR", [NAN, 1, 1, 1, 1, 1], 1),
        ("RRRR?R", [1, 1, 1, 1, NAN, 1], 5),
        ("RRRRR?", [1, 1, 1, 1, 1, NAN], NAN),
        ("??????", [NAN] * 6, NAN),
        ("U", [0], 0),
    ],
)
def test_when_verdicts_settle(
    letters: str, verdicts: Sequence[float], settled: float
) -> None:
    found = conflict_values(debate(letters), PERTURBED)
    assert [found[f"verdict_{r}"] for r in range(len(letters))] == near(verdicts)
    assert found["settled"] == near(settled)
    assert found["verdicts_unparsed"] == letters.count("?")
    assert found["verdicts_ok"] == len(letters) - letters.count("?")
    assert isnan(found["strict_srdcr"]) == (letters[-1] == "?"), "unscored, not wrong"


@pytest.mark.parametrize(
    ("letters", "settled"),
    [("CCC", 1), ("PCC", 3), ("CCP", 5), ("C?C", 5), ("CC?", NAN)],
)
def test_verdicts_of_a_judged_debate(letters: str, settled: float) -> None:
    record = record_of("judge_debate", prior(GOLD), contextual(), picks(letters))
    found = conflict_values(record, PERTURBED)
    for round, letter in zip((1, 3, 5), letters, strict=True):
        number = {"C": 1.0, "P": 0.0, "?": NAN}[letter]
        assert found[f"verdict_{round}"] == near(number)
        # The passage is wrong, memory is right.
        assert found[f"strict_judge_debate_{round}"] == near(1 - number)
        assert found[f"context_judge_debate_{round}"] == near(number)
    assert found["correct"] == near(found["strict_judge_debate_5"])
    assert found["settled"] == near(settled)
    assert "verdict_0" not in found


def test_a_panel_and_each_of_its_judges() -> None:
    judges = ("judge_1", "judge_2", "judge_3")
    votes = [
        t
        for judge, letters in zip(judges, ("RR", "RU", "?U"), strict=True)
        for t in series(letters, judge)
    ]
    record = record_of(
        "srdcr", prior(GOLD, 0.5), contextual(), votes, judges=judges, rounds=2
    )
    found = conflict_values(record, PERTURBED)
    assert (found["verdict_0"], found["verdict_1"], found["settled"]) == (1, 0, 1)
    logged = [found[f"verdict_{r}_{judge}"] for judge in judges for r in range(2)]
    assert logged == near([1, 1, 1, 0, NAN, 0])
    assert of_condition(found, "srdcr") == [0, 0, 0, 0, 0]
    assert of_condition(found, "srdcr_judge_1") == [0, 0, 1, 1, 0]
    assert of_condition(found, "srdcr_judge_2") == [0, 0, 0, 0, 0]
    assert (found["verdicts_ok"], found["verdicts_unparsed"]) == (5, 1)


def test_a_panel_that_is_tied_is_unscored() -> None:
    judges = ("judge_1", "judge_2")
    record = record_of(
        "acvd_only",
        *(prior(GOLD), contextual(), series("R", "judge_1"), series("U", "judge_2")),
        judges=judges,
        rounds=1,
    )
    found = conflict_values(record, PERTURBED)
    assert of_condition(found, "acvd_only") == near([NAN] * 5)
    assert isnan(found["verdict_0"])
    assert isnan(found["settled"])
    assert of_condition(found, "acvd_only_judge_1") == [0, 0, 1, 1, 0]
    assert of_condition(found, "acvd_only_judge_2") == [1, 1, 1, 0, 1]


def test_a_judge_shown_both_orders() -> None:
    both = [*picks("CCP", order="ab"), *picks("CPP", order="ba")]
    record = record_of("judge_debate", prior(GOLD), contextual(), both, order="both")
    found = conflict_values(record, PERTURBED)
    assert [found[f"verdict_{r}"] for r in (1, 3, 5)] == near([1, NAN, 0])
    assert found["settled"] == 5
    for condition in ("judge_debate_5", "judge_debate_5_ab", "judge_debate_5_ba"):
        assert of_condition(found, condition) == [1, 1, 1, 0, 1]
    # The orders are tied: half of the right prior, and half of the passage's answer.
    assert of_condition(found, "judge_debate_3") == [0.5, 0.5, 1, 0.5, 0.5]
    assert found["verdicts_ok"] == 6
    apart = [*picks("CCC", order="ab"), *picks("CPP", order="ba")]
    record = record_of("judge_debate", prior(GOLD), contextual(), apart, order="both")
    found = conflict_values(record, PERTURBED)
    assert of_condition(found, "judge_debate_5") == [0.5, 0.5, 1, 0.5, 0.5]
    assert (found["correct"], found["outcome_tied"]) == (0.5, 1)
    assert found["strict_judge_debate_5_ab"] == 0
    assert found["strict_judge_debate_5_ba"] == 1


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("judges", [("judge",), ("judge_1", "judge_2")])
def test_keys_of_samples(protocol: str, judges: tuple[str, ...]) -> None:
    judged = protocol in ("srdcr", "acvd_only", "judge_debate")
    changes: dict[str, Any] = {"judges": judges} if judged else {}
    if protocol == "judge_debate":
        changes["order"] = "both"
    made: list[tuple[list[Turn], dict[str, Any]]] = [
        ([prior(), contextual(), *further("1902", None)], {}),
        ([prior(None, "no_answer"), contextual(None, "cut")], {}),
        ([prior("1911"), contextual()], {"skip_reason": "both answers agree"}),
    ]
    if judged:
        make = picks if protocol == "judge_debate" else series
        letters = "CP?" if protocol == "judge_debate" else "RUUR?R"
        votes = [t for judge in judges for t in make(letters, judge=judge)]
        made.append(([prior(), contextual(), *speeches(), *votes], {}))
    if protocol in ("rci", "naive_debate", "self_ask"):
        made = [([*agents(["1911"])], {}), ([*agents([None], ["1871"])], {})]
    keys = set()
    for turns, more in made:
        record = record_of(protocol, *turns, **changes, **more)
        for facts in (RIGHT_PASSAGE, PERTURBED._replace(says=None)):
            found = conflict_values(record, facts)
            if "tau" in record.parameters:
                found |= confidence_values(record, GOLD)
            keys.add(tuple(found))
    assert len(keys) == 1


TURNS = [
    prior("1902", "absent"),
    contextual("1911", 0.8),
    *further("1902", "1911", None, "1902"),
    *further("1871", "1902", None, kind="recall"),
    *speeches(2),
    *series("RU", "judge_1"),
    *series("?U", "judge_2"),
    *series("UR", "judge_3"),
]


@settings(max_examples=20, deadline=None)
@given(st.permutations(TURNS))
def test_the_order_of_independent_draws_changes_nothing(turns: list[Turn]) -> None:
    def of(order: Sequence[Turn]) -> dict[str, float | None]:
        judges = ("judge_1", "judge_2", "judge_3")
        record = record_of("srdcr", *order, judges=judges, rounds=2)
        found = conflict_values(record, PERTURBED) | confidence_values(record, GOLD)
        return {k: None if isnan(v) else v for k, v in found.items()}

    assert of(turns) == of(TURNS)


class Planned(NamedTuple):
    """The replies on a sample in an epoch: answers, verdicts, recall."""

    memory: str
    sure: float
    passage: str
    passage_sure: float
    letters: str
    recalled: Sequence[str] = ("1871", "1902")


# The right answer is 1871; the perturbed passage says 1911, and its severity is 2.
PLAN = {
    ("lamp-standard", 1): Planned("1871", 0.95, "1871", 0.6, "RR", ("1871", "1871")),
    ("lamp-standard", 2): Planned("1902", 0.5, "1871", 0.7, "RU"),  # abstains
    ("lamp-perturbed", 1): Planned("1871", 0.96, "1911", 0.3, "RU", ("1871.", "1")),
    ("lamp-perturbed", 2): Planned("1902", 0.97, "1911", 0.8, "UR", ("1", "2")),
    ("bell-standard", 1): Planned("1871", 0.4, "1902", 0.2, "RR"),
    ("bell-standard", 2): Planned("1902", 0.3, "1871", 0.5, "R?"),  # unscored
    ("bell-perturbed", 1): Planned("1871", 0.9, "1911", 0.9, "RR"),  # stopped
    ("bell-perturbed", 2): Planned("1871", 0.98, "1911", 0.4, "RR"),
}
STOPPED = ("bell-perturbed", 1)
VERDICTS = {"R": "Verdict: REASONABLE", "U": "Verdict: UNREASONABLE", "?": "Well."}


def says(messages: Messages, description: TurnDescription) -> str | ModelOutput:
    planned = PLAN[description.sample, description.epoch]
    if description.kind == "verdict":
        return VERDICTS[planned.letters[description.round]]
    if description.kind == "recall":
        return f"Answer: {planned.recalled[int(description.draw) - 1]}"
    if description.kind == "speech":
        output = ModelOutput.from_content("x", "I hold to it.")
        if (description.sample, description.epoch) == STOPPED:
            output.usage = ModelUsage(output_tokens=5000, total_tokens=5000)
        return output
    answer, sure = planned[2:4] if description.passage else planned[:2]
    return with_tokens(f"Answer: {answer}", log(sure))


@pytest.fixture(scope="module")
def log_of_run(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    halves = [
        question(condition, f"{name}-{condition}", question_id=f"years-{name}")
        for name in ("lamp", "bell")
        for condition in ("standard", "perturbed")
    ]
    return run_solver(
        srdcr(rounds=2, recall_samples=2),
        halves,
        tmp_path_factory.mktemp("logs"),
        scripted(says),
        epochs=2,
        token_limit=4000,
        score_display=True,
        scorer=[clash(), self_confidence()],
    )


def near_run(number: float) -> object:
    return pytest.approx(number, nan_ok=True)


def test_accuracy(log_of_run: EvalLog) -> None:
    found = metrics(log_of_run, "clash")
    # lamp: right, abstained; bell: wrong, unread.
    assert found["standard"] == near_run(1 / 3)
    # lamp: right, wrong; bell: stopped, wrong.
    assert found["perturbed"] == found["perturbed_2"] == near_run(1 / 3)
    assert found["overall"] == near_run(1 / 3)
    assert found["coverage"] == near_run((2 / 3 + 1) / 2)
    assert found["selective"] == near_run(2 / 5)
    assert found["items"] == 7
    assert found["unscored_share"] == near_run(1 / 7)
    assert log_of_run.results is not None
    for score in log_of_run.results.scores:
        assert (score.scored_samples, score.unscored_samples) == (7, 1)


def test_samples(log_of_run: EvalLog) -> None:
    logged = {(str(s.id), s.epoch): s for s in samples(log_of_run)}
    stopped = logged.pop(STOPPED)
    for score in (stopped.scores or {}).values():
        assert isinstance(score.value, float)
        assert isnan(score.value)
        assert "token limit" in (score.explanation or "")
    assert len(logged) == 7
    for name in ("clash", "self_confidence"):
        keys = {tuple(values(s, name)) for s in logged.values()}
        assert len(keys) == 1
    # Two answers, two recalls, four speeches, two verdicts; one was asked for again.
    calls = {place: values(s, "clash")["calls"] for place, s in logged.items()}
    assert calls == {place: 10 + (place == ("bell-standard", 2)) for place in logged}
    abstained = logged["lamp-standard", 2]
    assert score_of(abstained, "clash").answer == "(abstained)"
