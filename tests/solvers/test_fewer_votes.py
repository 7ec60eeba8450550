"""Votes that are not asked for: the same outcome, and the same turns before."""

from collections.abc import Sequence
from functools import partial
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.outcome import (
    graded,
    majority,
    outcome,
    still_needed,
    votes_missing,
)
from inspect_debate.debate.record import (
    DebateRecord,
    Parsed,
    Status,
    TokenProbabilities,
)
from inspect_debate.evals.colmad import colmad as colmad_task
from inspect_debate.reports.judges.verdicts import verdicts_df
from inspect_debate.reports.studies import report
from inspect_debate.scorers.common import decision_values
from inspect_debate.solvers.baselines import judge_alone, single
from inspect_debate.solvers.colmad import colmad
from inspect_debate.solvers.question_answering import certainty
from inspect_debate.solvers.self_consistency import self_consistency
from tests.support.made import answer, made_record, verdict
from tests.support.models import calls_of, scripted
from tests.support.runs import item, records, run, run_solver

UNREAD = [Parsed.unparsed(), Parsed(status=Status.REFUSED), Parsed()]
STOPS = {"stop_when_decided": True}


def waves(ballots: Sequence[Parsed], *, alike: bool = False) -> list[int]:
    """How many of some ballots are asked for at once, until no other matters."""
    asked: list[int] = []
    while (done := sum(asked)) < len(ballots):
        left = len(ballots) - done
        if not (number := still_needed(ballots[:done], left, alike=alike)):
            break
        asked.append(number)
    return asked


def one_by_one(ballots: Sequence[Parsed]) -> int:
    """After how many ballots no others could change the majority, by trying them."""
    answers = [Parsed.ok(name) for name in "abcd"] + UNREAD[:1]
    for cast in range(len(ballots) + 1):
        left = len(ballots) - cast
        ways = product(answers, repeat=left)
        if len({majority([*ballots[:cast], *rest]) for rest in ways}) == 1:
            return cast
    raise AssertionError


def drawn(random: Random, most: int) -> list[Parsed]:
    """Ballots for up to four answers, some of which cannot be read."""
    kinds = [Parsed.ok(name) for name in "abcd"[: random.randint(1, 4)]] + UNREAD
    weights = [random.random() ** 2 for _ in kinds]
    return random.choices(kinds, weights, k=random.randint(1, most))


def test_the_outcome_is_that_of_all_ballots() -> None:
    random = Random(1)
    decided = set()
    for _ in range(20_000):
        ballots = drawn(random, most=12)
        cast = sum(waves(ballots))
        assert majority(ballots[:cast]) == majority(ballots)
        decided.add((cast < len(ballots), majority(ballots).status))
    # Some stop; ties, and ballots of which none can be read, never do.
    assert decided == {(True, "ok")} | {
        (False, status) for status in ("ok", "tied", "unparsed", "refused", "missing")
    }


def test_no_ballot_is_asked_for_that_could_be_left_out() -> None:
    random = Random(2)
    for _ in range(60):
        ballots = drawn(random, most=5)
        # Where every ballot was asked for, the last may have been one too many.
        assert sum(waves(ballots)) == one_by_one(ballots)


def test_answers_that_turn_out_to_be_the_same_are_counted() -> None:
    """Right answers in other words are one, and no vote that they need is left out."""
    random = Random(3)
    forms = ["12", "12 km", "12.0", "13", "fourteen"]
    changed, stopped = {True: 0, False: 0}, 0
    for _ in range(600):
        n = random.randint(3, 9)
        given = random.choices(forms, [random.random() for _ in forms], k=n)
        ballots = [Parsed.ok(form) for form in given]
        for alike in changed:
            cast = sum(waves(ballots, alike=alike))
            stopped += alike and cast < n
            few, whole = (
                graded(_in_words(given[:number]), ["12"]) for number in (cast, n)
            )
            changed[alike] += outcome(few.record) != outcome(whole.record)
    assert stopped > 20
    assert changed[True] == 0
    assert changed[False] > 0


def _in_words(given: Sequence[str]) -> DebateRecord:
    turns = [
        answer("debater_a", Parsed.ok(form), draw=n) for n, form in enumerate(given)
    ]
    record = made_record(*turns)
    return record.model_copy(
        update={"aggregation": "majority", "parameters": {"answers": "free"}}
    )


PAID = {"usage", "calls", "seconds"}
JUDGES: dict[str, Any] = {"judge": ["simulated/balanced"] * 5}
ITEMS = [item(str(n), task=f"State the sum of {n} and 25.") for n in range(6)]
PANELS: dict[str, tuple[Any, dict[str, Any], dict[str, Any]]] = {
    "both orders": (judge_alone, {"order": "both"}, JUDGES),
    "after a debate": (colmad, {"skip_if_agree": False}, JUDGES),
    "draws of verdicts": (judge_alone, {"config": {"verdict": {"samples": 2}}}, JUDGES),
    "self-consistency": (self_consistency, {"n": 9}, {}),
}


@pytest.mark.parametrize("what", PANELS)
def test_turns_that_are_asked_for_are_those_of_all_votes(
    what: str, tmp_path: Path
) -> None:
    make, given, roles = PANELS[what]
    config = given.get("config", {})
    whole, fewer = (
        records(
            run_solver(
                make(**given | {"config": config | added}),
                ITEMS,
                tmp_path / name,
                roles=roles,
            )
        )
        for name, added in (("whole", {}), ("fewer", STOPS))
    )
    saved = 0
    for one, other in zip(whole, fewer, strict=True):
        assert outcome(one) == outcome(other)
        turns = [turn.model_dump(exclude=PAID) for turn in one.turns]
        asked = [turn.model_dump(exclude=PAID) for turn in other.turns]
        assert asked == turns[: len(asked)]
        saved += len(turns) - len(asked)
    assert saved > 0


def says(*answers: str) -> dict[str, Any]:
    """Judges, each of whom says the same of everything."""
    return {"judge": [scripted(partial(_says, answer)) for answer in answers]}


def _says(answer: str, messages: object, description: object) -> str:
    return answer


ERROR, NONE = "Answer: 1", "Answer: 2"
HM = "I do not know."


@pytest.mark.parametrize(
    ("answers", "order", "asked"),
    [
        ([ERROR, ERROR, NONE], "ab", [1, 1, 0]),
        ([ERROR, NONE, ERROR], "ab", [1, 1, 1]),
        ([ERROR, HM, ERROR], "ab", [1, 1, 1]),
        ([NONE, NONE, NONE, ERROR, ERROR], "ab", [1, 1, 1, 0, 0]),
        ([ERROR, ERROR, NONE], "both", [2, 2, 0]),
        ([ERROR, NONE, NONE], "both", [2, 2, 2]),
    ],
)
def test_judges_are_asked_until_the_majority_is_fixed(
    answers: list[str], order: Any, asked: list[int], tmp_path: Path
) -> None:
    roles, config = says(*answers), {"max_reasks": 0, **STOPS}
    run_solver(judge_alone(order=order, config=config), item(), tmp_path, roles=roles)
    assert [len(calls_of(judge)) for judge in roles["judge"]] == asked


SURE, UNSURE = f"{ERROR}\nProbability: 95%", f"{ERROR}\nProbability: 70%"
UNSTATED = f"{ERROR}\nProbability: high"
BELOW = {"second_order_below": 0.9, "verdict": {"probability": "stated"}}


@pytest.mark.parametrize(
    ("answers", "shown"),
    [
        ([SURE], ["ab", "ba"]),  # of two epochs
        ([UNSURE], ["ab", "ba", "ba", "ab"]),
        ([UNSTATED], ["ab", "ba", "ba", "ab"]),
        ([HM], ["ab", "ba", "ba", "ab"]),
        ([SURE, SURE], ["ab", "ab", "ba", "ba"]),
        ([SURE, UNSURE], ["ab", "ab", "ba", "ba", "ba", "ba", "ab", "ab"]),
    ],
)
def test_a_second_order_is_shown_to_the_unsure(
    answers: list[str], shown: list[str], tmp_path: Path
) -> None:
    solver = judge_alone(order="both", config={"max_reasks": 0, **BELOW})
    log = run_solver(solver, item(), tmp_path, roles=says(*answers), epochs=2)
    given = [turn.order for record in records(log) for turn in record.turns]
    assert given == shown


def test_a_probability_by_token_counts_where_none_is_stated() -> None:
    tokens = TokenProbabilities(
        status="ok", by_answer={"error": 0.8, "no_error": 0.2}, place="before_reasons"
    )
    given = verdict("error", probabilities={"answer": tokens})
    assert certainty(given) == 0.8
    stated = {"answer": Parsed.ok("error"), "probability": Parsed.ok(0.6)}
    assert certainty(given.model_copy(update={"fields": stated})) == 0.6
    assert certainty(verdict(Parsed.unparsed())) == 0.0


@pytest.mark.parametrize(
    ("make", "given", "config", "reason"),
    [
        (single, {}, STOPS, "no meaning for protocol=single"),
        (self_consistency, {}, STOPS | {"num_choices": True}, "num_choices=true"),
        (judge_alone, {}, BELOW, "needs order=both"),
        (judge_alone, {"order": "both"}, {"second_order_below": 0.9}, "probability"),
        (judge_alone, {"order": "both"}, BELOW | STOPS, "give one of the two"),
        *(
            (judge_alone, {"order": "both"}, BELOW | {"second_order_below": p}, "up to")
            for p in (0.3, 0.5)
        ),
    ],
)
def test_settings_that_leave_nothing_out_are_refused(
    make: Any, given: dict[str, Any], config: dict[str, Any], reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        make(**given, config=config)


def test_a_matched_budget_is_not_undercut(tmp_path: Path) -> None:
    log = run_solver(colmad(skip_if_agree=False), item(), tmp_path)
    with pytest.raises(InputError, match="cost as much as a debate"):
        self_consistency(match=log.location, config=STOPS)


@pytest.mark.parametrize("config", [STOPS, BELOW])
def test_numbers_on_judges_and_orders_leave_such_runs_out(
    config: dict[str, Any], tmp_path: Path
) -> None:
    solver = judge_alone(order="both", config=config)
    log = run_solver(solver, item(), tmp_path, roles=says(SURE, SURE))
    (record,) = records(log)
    names = decision_values(record, "correct", lambda alone: 1.0)
    assert not [name for name in names if name.startswith("correct_")]
    assert verdicts_df(log.location).empty
    whole = run_solver(judge_alone(order="both"), item(), tmp_path, roles=says(SURE))
    assert len(verdicts_df(whole.location)) == 2


@pytest.mark.parametrize(
    ("answers", "order", "missing"),
    [
        ([SURE], "ab", False),
        ([SURE], "both", False),
        ([SURE, SURE], "ab", False),
        ([SURE, SURE], "both", True),
        ([SURE, SURE, SURE], "ab", True),
    ],
)
def test_of_one_vote_or_two_none_can_be_missing(
    answers: list[str], order: Any, missing: bool, tmp_path: Path
) -> None:
    solver = judge_alone(order=order, config=STOPS)
    log = run_solver(solver, item(), tmp_path, roles=says(*answers))
    (record,) = records(log)
    assert votes_missing(record) == missing
    asked = len(answers) * (2 if order == "both" else 1)
    assert (len(record.turns) < asked) == missing
    assert verdicts_df(log.location).empty == missing


@pytest.mark.parametrize("added", [STOPS, {"second_order_below": 0.9}, {}])
def test_reports_leave_such_runs_out_of_orders_and_probabilities(
    added: dict[str, Any], tmp_path: Path
) -> None:
    """Debates on which a judge was unsure would count twice."""
    stated = {"max_reasks": 0, "verdict": {"probability": "stated"}}
    task = colmad_task(
        protocol="judge_alone", source="sample", order="both", config=stated | added
    )
    run(task, tmp_path, roles=says(SURE, SURE), limit=2)
    tables = {table.name for table in report("colmad", tmp_path).tables()}
    found = tables & {"orders", "probabilities"}
    assert found == (set() if added else {"orders", "probabilities"})
