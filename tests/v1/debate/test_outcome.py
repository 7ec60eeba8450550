from typing import Any

import pytest

from inspect_debate.v1.debate.outcome import (
    Outcome,
    given_answers,
    graded,
    judges_of,
    majority,
    outcome,
    probability,
    right_forms,
)
from inspect_debate.v1.debate.record import DebateRecord, Parsed, Status, Turn
from tests.v1.support.made import answer, made_record, speech, verdict

UNREAD, REFUSED = Parsed.unparsed(), Parsed(status=Status.REFUSED)
TRUNCATED, MISSING = Parsed(status=Status.TRUNCATED), Parsed()
E, N = Parsed.ok("error"), Parsed.ok("no_error")


@pytest.mark.parametrize(
    ("votes", "decided"),
    [
        ([], Outcome(None, "missing")),
        ([E], Outcome("error", "ok")),
        ([N, E, N], Outcome("no_error", "ok")),
        ([E, N], Outcome(None, "tied")),
        ([N, E, E, N], Outcome(None, "tied")),
        ([E, Parsed.ok("a"), Parsed.ok("b")], Outcome(None, "tied")),
        ([E, N, Parsed.ok("a"), E], Outcome("error", "ok")),
        # What could not be read is no vote: neither for an answer nor against one.
        ([UNREAD, E], Outcome("error", "ok")),
        ([REFUSED, UNREAD, N], Outcome("no_error", "ok")),
        ([UNREAD, UNREAD, E, N], Outcome(None, "tied")),
        ([UNREAD], Outcome(None, "unparsed")),
        ([REFUSED, UNREAD], Outcome(None, "refused")),
        ([TRUNCATED], Outcome(None, "truncated")),
        ([MISSING], Outcome(None, "missing")),
    ],
)
def test_majority(votes: list[Parsed], decided: Outcome) -> None:
    assert majority(iter(votes)) == decided


AE, AN, AU = (answer("debater_a", value) for value in (E, N, UNREAD))
BE, BN, BU = (answer("debater_b", value) for value in (E, N, UNREAD))
CE, CN, CU = (answer("debater_c", value, role="judge") for value in (E, N, UNREAD))
REFUSING = answer("debater_a", REFUSED)


@pytest.mark.parametrize(
    ("turns", "decided"),
    [
        ([], Outcome(None, "missing")),
        ([AE], Outcome("error", "ok")),
        ([AN, BN], Outcome("no_error", "ok")),
        ([AN, BE], Outcome(None, "tied")),
        # Of three, two are most.
        ([AE, BE, CN], Outcome("error", "ok")),
        ([AN, BE, CN], Outcome("no_error", "ok")),
        ([AE, BE, CU], Outcome(None, "unparsed")),
        # One answer that could not be read is no agreement.
        ([AN, BU], Outcome(None, "unparsed")),
        ([AU, BE], Outcome(None, "unparsed")),
        ([REFUSING, BN], Outcome(None, "refused")),
        # Verdicts decide where there are any, even if none could be read.
        ([AN, BN, verdict(E)], Outcome("error", "ok")),
        ([AN, BN, verdict(UNREAD)], Outcome(None, "unparsed")),
        # A speaker's final answer decides nothing.
        ([speech("debater_a"), speech("debater_b")], Outcome(None, "missing")),
        ([AN, BE, speech("debater_a")], Outcome(None, "tied")),
    ],
)
def test_outcome(turns: list[Turn], decided: Outcome) -> None:
    assert outcome(made_record(*turns)) == decided


PANEL = made_record(
    verdict(E, "judge_1", "ab"),
    verdict(N, "judge_1", "ba"),
    verdict(E, "judge_2", "ab"),
    verdict(E, "judge_2", "ba"),
    verdict(UNREAD, "judge_3", "ab"),
    verdict(N, "judge_3", "ba"),
)


def test_outcome_of_a_panel_by_judge_and_order() -> None:
    assert outcome(PANEL) == Outcome("error", "ok")
    assert outcome(PANEL, judge="judge_1") == Outcome(None, "tied")
    assert outcome(PANEL, judge="judge_2") == Outcome("error", "ok")
    assert outcome(PANEL, judge="judge_3") == Outcome("no_error", "ok")
    assert outcome(PANEL, order="ab") == Outcome("error", "ok")
    assert outcome(PANEL, order="ba") == Outcome("no_error", "ok")
    assert outcome(PANEL, "judge_3", "ab") == Outcome(None, "unparsed")
    assert outcome(PANEL, "judge_4") == Outcome(None, "missing")


def test_the_first_verdict_decides_where_that_is_the_rule() -> None:
    votes = [verdict(N, "judge_2"), verdict(E, "judge_1"), verdict(E, "judge_3")]
    record = made_record(*votes, aggregation="first")
    assert outcome(record) == Outcome("no_error", "ok")
    assert outcome(record, "judge_3") == Outcome("error", "ok")
    assert outcome(record, "judge_4") == Outcome(None, "missing")


def test_judges_of() -> None:
    assert judges_of(PANEL) == ["judge_1", "judge_2", "judge_3"]
    assert judges_of(made_record(answer("debater_a"))) == []


# --- Answers alone, by the rule of aggregation ----------------------------------------


def drew(number: int, value: Parsed) -> Turn:
    return answer("debater_a", value, draw=number)


def updated(participant: str, value: Parsed, round: int = 1) -> Turn:
    return answer(participant, value, kind="update", round=round)


@pytest.mark.parametrize(
    ("votes", "decided", "error"),
    [
        ([E], Outcome("error", "ok"), 1.0),
        ([E, N, E], Outcome("error", "ok"), 1.0),
        ([E, N, N], Outcome("no_error", "ok"), 0.0),
        ([E, N], Outcome(None, "tied"), None),
        ([E, UNREAD], Outcome("error", "ok"), 1.0),
        ([N, UNREAD, REFUSED, TRUNCATED], Outcome("no_error", "ok"), 0.0),
        ([UNREAD, REFUSED], Outcome(None, "unparsed"), None),
        ([Parsed.ok(x) for x in "ABBC"], Outcome("B", "ok"), 0.0),
        ([Parsed.ok(x) for x in "ABBAC"], Outcome(None, "tied"), None),
        ([Parsed.ok(x) for x in "ABC"], Outcome(None, "tied"), None),
    ],
)
def test_most_draws_decide(
    votes: list[Parsed], decided: Outcome, error: float | None
) -> None:
    turns = [drew(n, vote) for n, vote in enumerate(votes, start=1)]
    record = made_record(*turns, aggregation="majority")
    assert outcome(record) == decided
    assert probability(record, "error") == error
    assert record.last_answers() == turns


@pytest.mark.parametrize(
    ("turns", "drawn", "decided", "error"),
    [
        ([AE, BE], None, Outcome("error", "ok"), 1.0),
        ([AN, BN], None, Outcome("no_error", "ok"), 0.0),
        ([AE, BN], "error", Outcome("error", "coin"), 0.5),
        ([AE, BN], "no_error", Outcome("no_error", "coin"), 0.5),
        ([AE, BU], None, Outcome(None, "unparsed"), None),
        ([REFUSING, BU], None, Outcome(None, "refused"), None),
    ],
)
def test_a_coin_decides_between_answers_that_differ(
    turns: list[Turn], drawn: str | None, decided: Outcome, error: float | None
) -> None:
    record = made_record(*turns, aggregation="coin", drawn=drawn)
    assert outcome(record) == decided
    assert probability(record, "error") == error


def test_last_updates_replace_answers() -> None:
    early = [updated("debater_a", N), updated("debater_b", UNREAD)]
    late = [updated("debater_a", E, 2), updated("debater_b", E, 2)]
    record = made_record(AN, BU, *early, *late, aggregation="coin")
    assert record.last_answers() == late
    assert outcome(record) == Outcome("error", "ok")
    record = made_record(AE, BE, *early, aggregation="coin")
    assert outcome(record) == Outcome(None, "unparsed")
    tossed = made_record(AE, BE, early[0], late[1], aggregation="coin", drawn="error")
    assert probability(tossed, "error") == probability(tossed, "no_error") == 0.5


def test_an_answer_that_nobody_gave_is_not_probable() -> None:
    pair = [answer("debater_a", "A"), answer("debater_b", "C")]
    record = made_record(*pair, aggregation="coin", drawn="C", choices=tuple("ABCD"))
    assert [probability(record, letter) for letter in "ABCD"] == [0.5, 0, 0.5, 0]


PRO, OPP = "proposition", "opposition"
# --- Answers in words -----------------------------------------------------------------


def worded(who: str, form: str, reply: str | None = None, **changes: Any) -> Turn:
    """An answer by its canonical form, and as it was put."""
    fields = {"answer": Parsed.ok(form)} | ({"said": Parsed.ok(reply)} if reply else {})
    return answer(who, fields=fields, **changes)


def in_words(a: str, b: str, drawn: str | None = None, **changes: Any) -> DebateRecord:
    """A debate on how much: 400, 400 mg (0.4 g) or 5 g, whose judge could not say."""
    record = made_record(
        worded("debater_a", "400", "400.0"),
        worded("debater_b", "0.4 g", "400 mg"),
        worded("debater_c", "5 g", role="judge"),
        worded("debater_c", "5 g", "five grams", role="judge"),
        speech("debater_b", fields={"final": Parsed.ok(b), "x": Parsed.ok("400")}),
        verdict(UNREAD, listed_first=a),
        verdict(b),
        **{
            "choices": tuple(dict.fromkeys((a, b, "5 g"))),
            "drawn": drawn,
            "parameters": {"answers": "free"},
            **changes,
        },
    )
    sides = {"debater_a": a, "debater_b": b}
    people = [
        p.model_copy(update={"defends": sides.get(p.id)}) for p in record.participants
    ]
    return record.model_copy(update={"participants": tuple(people)})


def test_answers_are_given_as_they_were_put_first() -> None:
    assert given_answers([AU, *in_words("400", "0.4 g").turns, AE]) == {
        "400": "400.0",
        "0.4 g": "400 mg",
        "5 g": "5 g",
        "error": "error",
    }


@pytest.mark.parametrize(
    ("accepted", "right"),
    [
        # A number without its unit is right; with two units it is not.
        (["400 mg"], {"400", "0.4 g"}),
        (["400"], {"400", "0.4 g"}),
        (["400 g", "5 g"], {"400 g", "400", "5 g"}),
        (["7"], {"7"}),
    ],
)
def test_forms_of_the_right_answer(accepted: list[str], right: set[str]) -> None:
    assert right_forms(in_words("400", "0.4 g"), accepted) == right


@pytest.mark.parametrize("drawn", [None, "400", "5 g"])
def test_right_answers_in_words_are_graded_as_one(drawn: str | None) -> None:
    found, gold = graded(in_words("400", "0.4 g", drawn), ["400 mg"])
    assert gold == "0.4 g"
    one = in_words("0.4 g", "0.4 g", "5 g" if drawn == "5 g" else drawn and "0.4 g")
    first = one.turns[0].model_copy(
        update={"fields": {**one.turns[0].fields, "answer": Parsed.ok("0.4 g")}}
    )
    assert found == one.model_copy(update={"turns": (first, *one.turns[1:])})


def test_a_record_is_graded_as_it_is_where_nothing_is_to_be_put_as_one() -> None:
    chosen = in_words("400", "0.4 g", parameters={})
    assert right_forms(chosen, ["400"]) == {"400"}
    assert graded(chosen, ["400"]) == (chosen, "400")
    wrong = in_words("400", "0.4 g")
    assert graded(wrong, ["7"]) == (wrong, "7")
