"""What is wrong in printed numbers: what shows it, and that it can be absent."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pandas as pd
import pytest

from inspect_debate.published.audit import (
    Shown,
    checkings,
    inconsistencies,
    shown,
)
from inspect_debate.published.colmad import opposite_biases
from inspect_debate.published.confidence import DATA_CHECKS, Released
from inspect_debate.published.engine import CELL_RULES, Audit, Data, Finding
from inspect_debate.published.human_debate import CHECKS as PEOPLE_CHECKS
from inspect_debate.published.tables import STUDIES, Paper, PrintedCell, paper_of
from tests.published.corrected import CORRECTED, entry
from tests.support.released import data, needs_data

ENTRIES = {
    f"{study}-{one.id}": one
    for study in STUDIES
    for one in paper_of(study).inconsistencies
}
OF_DATA = {
    id
    for id, one in ENTRIES.items()
    if one.rule in ("convention", "opposite biases", *DATA_CHECKS, *PEOPLE_CHECKS)
}
"""Those that the released data show."""

READ = {"generative-elliptic"}
"""Those that only reading shows."""


def found_in(paper: Paper, id: str) -> Shown:
    (one,) = [o for o in checkings(Audit(paper, data())) if o.id == id]
    return shown(one)


@pytest.mark.parametrize("study", STUDIES)
def test_an_entry_lists_the_cells_that_its_check_finds(study: str) -> None:
    paper = paper_of(study)
    for one in checkings(Audit(paper, data())):
        finding = one.check()
        if finding is not None and one.entry.where:
            listed = set(paper.found(one.entry.where))
            found = set(finding.cells)
            if one.entry.rule in ("beside", "counts outside of bounds"):
                found &= listed  # others are about the same cells
            assert found == listed, one.id


@pytest.mark.parametrize("study", STUDIES)
def test_every_cell_that_breaks_its_rule_is_listed_somewhere(study: str) -> None:
    audit = Audit(paper_of(study))
    listed: set[PrintedCell] = set()
    for one in audit.paper.inconsistencies:
        listed |= set(audit.paper.found(one.where))
    for cell in audit.paper.cells():
        known = audit.known(cell)
        assert not (known and known.line) or cell in listed, cell.place


@pytest.mark.parametrize("study", STUDIES)
def test_the_state_of_an_entry_is_that_of_its_cells(study: str) -> None:
    audit = Audit(paper_of(study))
    for one in audit.paper.inconsistencies:
        if one.rule in CELL_RULES:
            hows = {
                known.how
                for cell in audit.paper.found(one.where)
                if (known := audit.known(cell))
            }
            if one.id == "not-of-60":
                hows.discard("convention")  # one of its cells may be of 58 items
            assert hows == {one.state}, one.id


def test_every_inconsistency_is_corrected_or_shown_by_data() -> None:
    assert set(CORRECTED) | OF_DATA | READ == set(ENTRIES)
    assert len(ENTRIES) == sum(len(paper_of(s).inconsistencies) for s in STUDIES)


@pytest.mark.parametrize("id", [id for id in CORRECTED if id not in OF_DATA])
def test_an_inconsistency_is_found_and_gone_when_corrected(id: str) -> None:
    _found_and_gone(id)


@needs_data
@pytest.mark.parametrize("id", [id for id in CORRECTED if id in OF_DATA])
def test_one_that_data_show_is_gone_when_corrected(id: str) -> None:
    _found_and_gone(id)


def _found_and_gone(id: str) -> None:
    paper = paper_of(id.partition("-")[0])
    assert found_in(paper, id).holds
    now = found_in(CORRECTED[id](paper), id)
    assert now.holds is False
    assert "right" in now.text


@needs_data
@pytest.mark.parametrize(
    ("rule", "change"),
    [
        ("one juror", lambda r: r._replace(verdicts=_alternating(r.verdicts))),
        ("missing bets as zero", lambda r: r._replace(missing=r.missing[:0])),
        ("motions of conditions", lambda r: r._replace(bets=r.bets.assign(motion="1"))),
        ("very low bets", lambda r: r._replace(bets=r.bets.assign(bet=50.0))),
        (
            "cost of cross-model debates",
            lambda r: r._replace(spent=_costing(r.spent, 13.16)),
        ),
        ("number of assessments", lambda r: r._replace(graded=_graded(r.graded, 480))),
        (
            "who speaks of one half",
            lambda r: r._replace(texts=r.texts.assign(reasoning="even")),
        ),
    ],
)
def test_what_only_the_data_show_is_gone_in_other_data(
    rule: str, change: Callable[[Released], Released]
) -> None:
    released = data().released
    assert released is not None
    (one,) = [entry for entry in ENTRIES.values() if entry.rule == rule]
    check = DATA_CHECKS[rule]
    found = check(released, **one.arguments)
    other = check(change(released), **one.arguments)
    assert found is not None
    assert found.lines
    assert other is not None
    assert not other.lines


def _alternating(verdicts: Any) -> Any:
    sides = ["proposition", "opposition"] * (len(verdicts) // 2 + 1)
    return verdicts.sort_values("judge").assign(winner=sides[: len(verdicts)])


def _costing(spent: Any, dollars: float) -> Any:
    cross = spent[spent["condition"] == "cross_model"]
    return cross.assign(cost=dollars / len(cross))


def _graded(graded: Any, count: int) -> Any:
    return graded.assign(**{"bet_alignment.graded": count / len(graded)})


def _debates(condition: str, openings: tuple[str, str], debates: int = 3) -> Any:
    return [
        {"condition": condition, "debate": f"d{n}", "round": 1, "speech": speech}
        for n in range(debates)
        for speech in openings
    ]


def test_openings_that_quote_each_other_show_who_has_read_whom() -> None:
    speech = "the sea is wide and the harbour is small and the light is green"
    quoting = (speech, f"They say that {speech}, which is wrong")
    apart = (speech, "nothing of it is so")

    def found(*rows: Any) -> Any:
        texts = pd.DataFrame([row for part in rows for row in part])
        released = cast("Released", SimpleNamespace(texts=texts))
        return DATA_CHECKS["shared words of openings"](released)

    own = _debates("self", apart)
    assert found(own) is None
    # 14 words have six runs of nine.
    quoted = found(own, _debates("four_round", quoting))
    assert "self 0.0, four_round 6.0" in quoted.lines[0]
    assert not found(own, _debates("four_round", apart)).lines


@needs_data
def test_opposite_biases_are_gone_where_detectors_are_alike() -> None:
    detectors = data().detectors
    assert detectors is not None
    one = ENTRIES["colmad-opposite-biases"]

    def found(labels: Any) -> Finding | None:
        other = SimpleNamespace(detectors=detectors._replace(labels=labels))
        audit = Audit(paper_of("colmad"), cast("Data", other))
        return opposite_biases(audit, one, **one.arguments)

    as_released = found(detectors.labels)
    assert as_released is not None
    assert "0.78 to 1.00" in as_released.lines[0]
    assert "-0.14 to 0.20" in as_released.lines[0]
    alike = {
        detector: detectors.labels[detector._replace(model="gpt-4-0613")]
        for detector in detectors.labels
    }
    assert found(alike) == Finding()


def test_without_data_the_needed_data_are_named() -> None:
    found = {one.id: shown(one) for one in inconsistencies()}
    assert {id for id, one in found.items() if one.holds is None} == OF_DATA
    for id in OF_DATA:
        assert "INSPECT_DEBATE_DATA" in found[id].text
    assert all(one.holds for id, one in found.items() if id not in OF_DATA)


def test_a_rule_that_does_not_exist_is_an_error() -> None:
    paper = entry("tripling", rule="magic")(paper_of("generative"))
    with pytest.raises(ValueError, match="tripling: there is no rule 'magic'"):
        found_in(paper, "generative-tripling")


@needs_data
def test_the_numbers_of_the_inconsistencies() -> None:
    texts = {
        one.id: " ".join(shown(one).text.split()) for one in inconsistencies(data())
    }
    for id, *numbers in (
        ("colmad-fact-with-85-errors", "0 of 30", "85 for 30", "for 0 at most"),
        ("colmad-averages-swapped", "91.98 and 89.44"),
        ("colmad-rounded-twice", "29 of 30 errors", "98.31 and 97.32"),
        ("colmad-no-skip-on-agreement", "25, in 10 of 12 rows"),
        ("colmad-not-an-ensemble", "14 false alarms", "2, in 1 of 12 rows"),
        ("colmad-always-error-is-better", "89.24 (88.94 with", "86.29", "95.41"),
        ("colmad-copmad-decrease", "13.76 and 24.86", "13.16 and 24.15 (Table 1, ens"),
        ("colmad-larger-gain", "The most of F1 is 4.64, which is 4 if cut off."),
        ("colmad-small-margin", "+2.81 of F1 and +6.04 of F2 at least."),
        ("confidence-even-splits-given-away", "71.7", "63.3"),
        ("confidence-mixed-class-left-out", "61.7", "87.5"),
        ("confidence-table-6-caption", "2.70", "13.16"),
        ("confidence-assessments", "1,399 assessed", "480 sides in 240 debates"),
        ("confidence-appendix-h", "informed_self 33 of 360, public 0 of 360"),
        ("confidence-standard-debate-open", "10.70 on average", "public 10.65"),
        ("srdcr-gpt-4o-over-judge-debate", "10.18 is the gap to Naive Debate"),
        ("confidence-one-juror", "108 of 119 (90.8 %)"),
        ("confidence-three-motions", "cross_model 6, self 3"),
        ("srdcr-overall-not-mean", "69.76", "69.49"),
        ("srdcr-self-ask-not-mean", "14.84", "0/60", "44/300 is 14.667, cut off"),
        ("srdcr-sonnet-not-mean", "140/292 is 47.945, cut off", "140/292 is 47.95."),
        ("srdcr-fewer-items", "28/59", "27/57", "29/55", "30/54", "39/57"),
        ("srdcr-fewer-items", "24/55 is 43.636, cut off"),
        ("srdcr-gpt-4o-over-judge-debate", "54.51 less 45.33 is 9.18, not 10.2"),
        ("generative-tripling", "90/39 is 2.3; 90/30 is 3.0"),
        ("generative-derived", "-10.9"),
        ("human_debate-characters-ai-consultancy", "printed 926; here 929.2"),
        ("human_debate-debates-as-independent", "0.0428", "0.0626", "story: 0.0737"),
        ("human_debate-rounds-with-equal-variances", "2.6e-05, Welch's 0.002,"),
        ("human_debate-half-of-judges", "here 7 of 19"),
    ):
        for number in numbers:
            assert number in texts[id], id
