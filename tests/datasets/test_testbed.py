"""Testbeds: quotas over domains and severities, and what happens if degrees lack."""

import random
from collections import Counter
from collections.abc import Collection, Sequence

import pytest

from inspect_debate.datasets.testbed import (
    SEVERITIES,
    Candidate,
    Chosen,
    balance,
    choose,
)

FEW = (1, 3, 5)


def candidates(
    domain: str, count: int, severities: Collection[int] = SEVERITIES, start: int = 0
) -> list[Candidate]:
    numbers = range(start, start + count)
    return [Candidate(f"{domain}-{n}", domain, severities) for n in numbers]


def six(count: int) -> list[Candidate]:
    full = [c for name in "abcd" for c in candidates(name, count)]
    return [*full, *candidates("e", count, FEW), *candidates("f", count, FEW)]


def severities(chosen: Chosen, domain: str | None = None) -> dict[int, int]:
    picks = (p for p in chosen.picks if domain in (None, p.domain))
    return dict(sorted(Counter(pick.severity for pick in picks).items()))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("count", [50, 57, 200])
def test_complete_domains_give_equal_strata(count: int, seed: int) -> None:
    chosen = choose(six(count), 300, seed)
    assert severities(chosen) == dict.fromkeys(SEVERITIES, 60)
    assert Counter(pick.domain for pick in chosen.picks) == dict.fromkeys("abcdef", 50)
    assert len({pick.id for pick in chosen.picks}) == 300
    assert (chosen.replaced, chosen.moved) == (0, 0)
    for name in "abcd":
        found = severities(chosen, name)
        assert (found[2], found[4]) == (15, 15)
        assert {found[level] for level in FEW} <= {6, 7}
    for name in "ef":
        found = severities(chosen, name)
        assert set(found) == set(FEW)
        assert set(found.values()) <= {16, 17}


@pytest.mark.parametrize("questions", [1, 5, 6, 7, 30, 61, 100, 299])
def test_any_number_of_questions(questions: int) -> None:
    """Domains differ by one at most, and so do strata once each domain has some."""
    chosen = choose(six(60), questions, 0)
    domains = Counter(pick.domain for pick in chosen.picks)
    counts = [domains[name] for name in "abcdef"]
    assert sum(counts) == questions
    assert max(counts) - min(counts) <= 1
    found = [severities(chosen).get(level, 0) for level in SEVERITIES]
    if questions >= 30:
        assert max(found) - min(found) <= 1


def test_one_domain_is_spread_over_what_it_has() -> None:
    assert severities(choose(candidates("e", 80, FEW), 50, 0)) == {1: 17, 3: 17, 5: 16}
    full = choose(candidates("a", 200), 300, 0)
    assert severities(full) == dict.fromkeys(SEVERITIES, 40)


def test_a_small_domain_is_taken_whole_and_the_others_make_up_for_it() -> None:
    chosen = choose([*candidates("a", 4), *candidates("b", 50)], 40, 0)
    assert Counter(pick.domain for pick in chosen.picks) == {"a": 4, "b": 36}
    assert severities(chosen) == dict.fromkeys(SEVERITIES, 8)


def test_another_question_takes_the_place_of_one_that_lacks_the_degree() -> None:
    poor, rich = candidates("a", 40, [1]), candidates("a", 40, start=40)
    chosen = choose([*poor, *rich], 50, 0)
    assert severities(chosen) == dict.fromkeys(SEVERITIES, 10)
    assert chosen.moved == 0
    # Ten of the poor are needed; of the first fifty more than ten are poor.
    first = choose([*candidates("a", 80)], 50, 0).picks
    expected = sum(int(pick.id.split("-")[1]) < 40 for pick in first) - 10
    assert chosen.replaced == expected > 0


def test_another_severity_where_no_question_has_the_degree() -> None:
    chosen = choose([*candidates("a", 44, [1]), *candidates("a", 6, start=44)], 50, 0)
    found = severities(chosen)
    assert sum(found.values()) == 50
    assert found[1] == 44
    assert chosen.moved == 34
    assert chosen.replaced == 0


def test_a_question_gives_way_to_one_that_has_nothing_else() -> None:
    """However they are drawn: a full assignment is found if there is one."""
    chain = [
        Candidate("a", "x", [1]),
        Candidate("b", "x", [1, 2]),
        Candidate("c", "x", [2, 3]),
        Candidate("d", "x", [3, 4]),
        Candidate("e", "x", [4, 5]),
    ]
    for seed in range(30):
        chosen = choose(chain, 5, seed)
        assert {pick.id: pick.severity for pick in chosen.picks} == {
            **{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}
        }


@pytest.mark.parametrize("case", range(20))
def test_what_is_chosen_is_possible(case: int) -> None:
    """Any candidates: as many as there are, each once, at a severity it has."""
    rng = random.Random(case)
    given = [
        Candidate(
            f"{name}-{n}", name, rng.sample(SEVERITIES, rng.choice([0, 1, 2, 3, 5]))
        )
        for name in "abc"
        for n in range(rng.randrange(40))
    ]
    usable = {one.id: one for one in given if one.severities}
    questions = rng.randrange(1, 80)
    chosen = choose(given, questions, case)
    assert len(chosen.picks) == min(questions, len(usable))
    assert len({pick.id for pick in chosen.picks}) == len(chosen.picks)
    for pick in chosen.picks:
        assert pick.severity in usable[pick.id].severities
        assert pick.domain == usable[pick.id].domain


def test_order_of_candidates_has_no_influence_and_the_seed_has() -> None:
    given = six(60)
    expected = choose(given, 100, 1)
    for shuffle in range(3):
        random.Random(shuffle).shuffle(given)
        assert choose(given, 100, 1) == expected
    assert choose(given, 100, 2).picks != expected.picks


def test_nothing_to_choose_from() -> None:
    assert choose([], 10, 0) == Chosen([], 0, 0)
    assert choose(candidates("a", 3, []), 10, 0) == Chosen([], 0, 0)


def sample(
    domain: str, severity: int, degree: str, offset: int | None = None
) -> dict[str, object]:
    condition = "perturbed" if severity else "standard"
    known: Sequence[tuple[str, object]] = [("domain", domain), ("condition", condition)]
    return dict(known) | {"severity": severity, "degree": degree, "offset": offset}


def test_balance() -> None:
    assert balance(
        [
            sample("years", 0, "0"),
            sample("years", 2, "-40", -40),
            sample("years", 2, "+40", 40),
            sample("years", 5, "-200", -200),
            sample("names", 0, "0"),
            sample("names", 5, "comical"),
        ]
    ) == {
        "samples": 6,
        "condition": {
            "names": {"perturbed": 1, "standard": 1},
            "years": {"perturbed": 3, "standard": 1},
        },
        "severity": {"2": 2, "5": 2},
        "domain_severity": {"names": {"5": 1}, "years": {"2": 2, "5": 1}},
        "degree": {"names": {"comical": 1}, "years": {"+40": 1, "-200": 1, "-40": 1}},
        "offset_sign": {"+": 1, "-": 2},
    }
