"""Faults of printed numbers: what shows each, and that it can be absent."""

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, cast

import pandas as pd
import pytest

from inspect_debate.published.faults import Fault, Finding, shown
from inspect_debate.published.printed import (
    colmad_tables,
    confidence_tables,
    generative_claims,
    srdcr_tables,
)
from inspect_debate.reports.colmad.audit import faults as colmad_faults
from inspect_debate.reports.colmad.audit import opposite_biases, rows_of
from inspect_debate.reports.confidence.audit import DATA_CHECKS, Released, Spot, spots
from inspect_debate.reports.confidence.audit import faults as confidence_faults
from inspect_debate.reports.generative.audit import faults as generative_faults
from inspect_debate.reports.printed_studies import Sources, all_faults
from inspect_debate.reports.srdcr.audit import cells
from inspect_debate.reports.srdcr.audit import faults as srdcr_faults
from tests.reports.corrected import corrected
from tests.reports.corrections import CORRECTED
from tests.support.released import needs_data, sources

FAULTS: Mapping[str, Callable[..., list[Fault]]] = {
    "colmad": colmad_faults,
    "confidence": confidence_faults,
    "srdcr": srdcr_faults,
    "generative": generative_faults,
}

OF_DATA = {
    "colmad-opposite-biases",
    *(f"confidence-{name.replace('_', '-')}" for name in DATA_CHECKS),
    *("confidence-nothing-to-rank", "confidence-strictly-above-75"),
    *("confidence-even-splits-given-away", "confidence-labels-folded"),
    "confidence-rounded-parts-added",
}
"""Faults that the released data show."""


def faults_of(study: str, published: Any) -> dict[str, Fault]:
    """The faults of printed numbers, with the released data where there are any."""
    found = sources()
    data: dict[str, tuple[Callable[[], Any], ...]] = {
        "colmad": (lambda: found.detectors,),
        "confidence": (lambda: found.released,),
    }
    made = FAULTS[study](published, *data.get(study, ()))
    return {fault.id: fault for fault in made}


def places(fault: Fault) -> set[Any]:
    finding = fault.check()
    assert finding is not None
    return set(finding.places)


def marked(study: str) -> dict[Any, tuple[str, ...]]:
    """The places that the tables of reports mark, with their flags."""
    tables = colmad_tables()
    if study == "colmad":
        every_row = rows_of(tables) | rows_of(tables, people=True)
        return {at: row.flags for at, row in every_row.items()}
    flags: dict[str, dict[Any, str | None]] = {
        "confidence": {at: one.flag for at, one in spots(confidence_tables())},
        "srdcr": {at: one.flag for at, one in cells(srdcr_tables()).items()},
        "generative": {one.id: one.flag for one in generative_claims().claims},
    }
    return {at: () if flag is None else (flag,) for at, flag in flags[study].items()}


FLAGS = {
    "colmad": colmad_tables().flags,
    "confidence": confidence_tables().flags,
    "srdcr": srdcr_tables().flags,
    "generative": generative_claims().flags,
}


@pytest.mark.parametrize("study", FAULTS)
def test_every_flag_of_a_report_is_a_fault_with_a_check(study: str) -> None:
    names = {fault.name: fault.said for fault in all_faults(Sources(), [study])}
    assert FLAGS[study].items() <= names.items()


@pytest.mark.parametrize("study", FAULTS)
def test_reports_mark_the_cells_that_the_checks_find(study: str) -> None:
    at = marked(study)
    for fault in all_faults(sources(), [study]):
        if fault.name not in FLAGS[study] or fault.check() is None:
            continue
        found = places(fault)
        assert {place for place in at if fault.name in at[place]} <= found, fault.id
        # A cell bears one flag at most, but in the tables of ColMAD.
        assert all(at[place] for place in found), fault.id


def test_every_fault_is_corrected_below_or_shown_by_data() -> None:
    ids = [fault.id for fault in all_faults(Sources())]
    assert len(set(ids)) == len(ids)
    assert set(CORRECTED) | OF_DATA == set(ids)


@pytest.mark.parametrize("id", [id for id in CORRECTED if id not in OF_DATA])
def test_a_fault_is_found_and_gone_when_corrected(id: str) -> None:
    _found_and_gone(id)


@needs_data
@pytest.mark.parametrize("id", [id for id in CORRECTED if id in OF_DATA])
def test_a_fault_that_data_show_is_gone_when_corrected(id: str) -> None:
    _found_and_gone(id)


def _found_and_gone(id: str) -> None:
    study = id.partition("-")[0]
    as_printed = faults_of(study, corrected(study, lambda content: None))
    assert shown(as_printed[id]).holds
    now = faults_of(study, corrected(study, CORRECTED[id]))
    assert shown(now[id]).holds is False
    assert "right" in shown(now[id]).text


@needs_data
@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("one_juror", lambda r: r._replace(verdicts=_alternating(r.verdicts))),
        ("missing_as_zero", lambda r: r._replace(bets=_all_made(r.bets))),
        ("three_motions", lambda r: r._replace(bets=r.bets.assign(motion="one"))),
        ("stakes", lambda r: r._replace(bets=r.bets.assign(bet=50.0))),
        ("table_6_caption", lambda r: r._replace(spent=_costing(r.spent, 13.16))),
        ("assessments", lambda r: r._replace(graded=_graded(r.graded, 480))),
        ("appendix_h", lambda r: r._replace(texts=r.texts.assign(reasoning="even"))),
    ],
)
def test_what_only_the_data_show_is_gone_in_other_data(
    name: str, change: Callable[[Released], Released]
) -> None:
    released = sources().released
    assert released is not None
    found, other = DATA_CHECKS[name](released), DATA_CHECKS[name](change(released))
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
    column = "bet_alignment.graded"
    return graded.assign(**{column: count / len(graded)})


def _debates(condition: str, openings: tuple[str, str], debates: int = 3) -> Any:
    return [
        {"condition": condition, "debate": f"d{n}", "round": 1, "speech": speech}
        for n in range(debates)
        for speech in openings
    ]


def test_openings_that_quote_each_other_show_who_has_read_whom() -> None:
    said = "the sea is wide and the harbour is small and the light is green"
    quoting = (said, f"They say that {said}, which is wrong")
    apart = (said, "nothing of it is so")
    check = DATA_CHECKS["appendix_o"]

    def found(*rows: Any) -> Any:
        texts = pd.DataFrame([row for part in rows for row in part])
        return check(cast("Released", SimpleNamespace(texts=texts)))

    own = _debates("self", apart)
    assert found(own) is None
    # 14 words have six runs of nine.
    assert (
        "self 0.0, four_round 6.0" in found(own, _debates("four_round", quoting))[0][0]
    )
    assert not found(own, _debates("four_round", apart)).lines


def _all_made(bets: Any) -> Any:
    return bets.assign(bet=bets["recorded"])


@needs_data
def test_opposite_biases_are_gone_where_detectors_are_alike() -> None:
    detectors = sources().detectors
    assert detectors is not None
    found = opposite_biases(detectors)
    assert found is not None
    assert "0.78 to 1.00" in found.lines[0]
    assert "-0.14 to 0.20" in found.lines[0]
    alike = {
        detector: detectors.labels[detector._replace(model="gpt-4-0613")]
        for detector in detectors.labels
    }
    assert opposite_biases(detectors._replace(labels=alike)) == Finding()


def test_without_data_faults_say_what_they_need() -> None:
    found = {fault.id: shown(fault) for fault in all_faults(Sources())}
    assert {id for id, one in found.items() if one.holds is None} == OF_DATA
    for id in OF_DATA:
        assert "INSPECT_DEBATE_DATA" in found[id].text
    assert all(one.holds for id, one in found.items() if id not in OF_DATA)


@needs_data
def test_the_numbers_of_the_faults() -> None:
    texts = {
        fault.id: " ".join(shown(fault).text.split()) for fault in all_faults(sources())
    }
    for id, *numbers in (
        ("colmad-fact-with-85-errors", "0 of 30", "85 for 30", "for 0 at most"),
        ("colmad-averages-swapped", "91.98 and 89.44"),
        ("colmad-rounded-twice", "29 of 30 errors", "98.31 and 97.32"),
        ("colmad-no-short-cut", "25, in 10 of 12 rows"),
        ("colmad-not-an-ensemble", "14 false alarms", "2, in 1 of 12 rows"),
        ("colmad-always-error-is-better", "89.24", "86.29", "95.41"),
        ("colmad-copmad-decrease", "13.76 and 24.86"),
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
    ):
        for number in numbers:
            assert number in texts[id], id


def test_the_spots_of_the_paper_have_their_names() -> None:
    assert [str(Spot(*place, "value")) for place in _NAMED] == list(_NAMED.values())


_NAMED = {
    ("table_2", "a"): "Table 2, a",
    ("section_4_1", "t self"): "Section 4.1, t self",
    ("appendix_d", "space"): "Appendix D, space",
    ("abstract", "opening self"): "Abstract, opening self",
    ("human", "opening"): "Human baseline, opening",
}
