"""SR-DCR's tables as printed: what adds up, and a check behind every flag."""

from collections.abc import Iterator

import pytest

from inspect_debate.analysis.published import PublishedShare, srdcr_tables
from inspect_debate.analysis.srdcr.study import ARMS, MODELS, OFFSETS

PUBLISHED = srdcr_tables()
SONNET, GPT35 = "claude-3-7-sonnet-20250219", "gpt-3.5-turbo-0125"
HALVES = ("standard", "perturbed")
YEARS = tuple(map(str, OFFSETS))


def value(table: str, model: str, arm: str, column: str) -> float:
    found = PUBLISHED.cell(table, model, arm, column).value
    assert found is not None
    return found


def cells() -> Iterator[tuple[str, str, str, str, PublishedShare]]:
    for table, models in PUBLISHED.tables.items():
        for model, arms in models.items():
            for arm, columns in arms.items():
                for column, cell in columns.items():
                    yield table, model, arm, column, cell


def flagged(*flags: str) -> set[tuple[str, str, str, str]]:
    return {
        (table, model, arm, column)
        for table, model, arm, column, cell in cells()
        if cell.flag in flags
    }


def is_share_of(printed: float, n: int) -> bool:
    """Whether some number of n items is printed so, to one digit or two."""
    digits = max(1, len(str(printed).partition(".")[2]))
    half = 0.5 * 10**-digits + 1e-9
    return any(abs(100 * k / n - printed) <= half for k in range(n + 1))


def test_tables_have_the_models_and_arms_of_the_study() -> None:
    for table in PUBLISHED.tables.values():
        assert list(table) == list(MODELS)
        for arms in table.values():
            assert set(arms) <= set(ARMS)


def test_a_row_that_cannot_be_read_has_no_value() -> None:
    empty = {
        (table, model, arm)
        for table, models in PUBLISHED.tables.items()
        for model, arms in models.items()
        for arm, columns in arms.items()
        if not columns
    }
    unread = ("naive_debate", "srdcr")
    assert empty == {
        ("table_1", "llama-3.3-70b", "golden"),
        *(
            (table, "llama-3.3-70b", arm)
            for table in PUBLISHED.tables
            for arm in unread
        ),
    }
    assert PUBLISHED.cell("table_1", "llama-3.3-70b", "srdcr", "overall").value is None
    assert PUBLISHED.cell("table_1", "acme/other", "srdcr", "overall").value is None


def test_overall_is_the_mean_of_both_halves_but_for_the_flagged() -> None:
    wrong = set()
    for table, model, arm, column, cell in cells():
        if table == "table_1" and column == "overall" and cell.value is not None:
            mean = sum(value(table, model, arm, half) for half in HALVES) / 2
            if abs(mean - cell.value) > 0.0101:
                wrong.add((table, model, arm, column))
    assert wrong == flagged("overall_not_mean")
    assert sum(value("table_1", SONNET, "srdcr", half) for half in HALVES) / 2 == (
        pytest.approx(69.49)
    )


def test_table_2_averages_to_its_overall_but_for_the_flagged() -> None:
    wrong = set()
    for table, model, arm, column, cell in cells():
        if table == "table_2" and column == "overall" and cell.value is not None:
            mean = sum(value(table, model, arm, year) for year in YEARS) / len(YEARS)
            if abs(mean - cell.value) > 0.0151:
                wrong.add((table, model, arm, column))
    in_table_1 = ("table_1", GPT35, "self_ask", "perturbed")
    assert wrong == flagged("self_ask_not_mean", "sonnet_not_mean") - {in_table_1}
    mean = sum(value("table_2", GPT35, "self_ask", year) for year in YEARS) / 5
    assert round(mean, 2) == 14.84
    mean = sum(value("table_2", SONNET, "srdcr", year) for year in YEARS) / 5
    assert round(mean, 2) == 48.08


def test_cells_are_shares_of_sixty_or_three_hundred_but_for_the_flagged() -> None:
    wrong = {
        (table, model, arm, column)
        for table, model, arm, column, cell in cells()
        if cell.value is not None
        and (
            (column in YEARS and not is_share_of(cell.value, 60))
            or (column == "standard" and not is_share_of(cell.value, 300))
        )
    }
    fewer = flagged("fewer_items", "fewer_standard_items")
    assert wrong == fewer | flagged("not_of_60", "not_of_300")
    assert {arm for _, _, arm, _ in fewer} == {"srdcr"}
    assert GPT35 not in {model for _, model, _, _ in fewer}
    assert is_share_of(value("table_1", SONNET, "srdcr", "standard"), 279)


def test_golden_is_no_upper_bound_where_it_is_flagged() -> None:
    above, other = set(), set()
    for table, model, arm, column, cell in cells():
        golden = PUBLISHED.cell("table_1", model, "golden", column).value
        if table != "table_1" or golden is None or cell.value is None:
            continue
        if arm == "srdcr" and cell.value > golden:
            above.add((table, model, arm, column))
        if (arm, column) == ("few_shot", "standard") and cell.value != golden:
            other.add((table, model, "golden", column))
    assert above == flagged("above_golden")
    assert other == flagged("golden_is_another_run")


def test_claims_are_not_borne_out() -> None:
    def perturbed(model: str, arm: str) -> float:
        return value("table_1", model, arm, "perturbed")

    four, haiku = "gpt-4o-2024-08-06", "claude-3-5-haiku-20241022"
    text = " ".join(claim.tables for claim in PUBLISHED.claims)
    gap = perturbed(four, "srdcr") - perturbed(four, "judge_debate_5")
    assert f"is {gap:.2f}." in text
    assert f"is {perturbed(haiku, 'srdcr') - perturbed(haiku, 'rci'):.2f};" in text
    gap = perturbed(haiku, "srdcr") - perturbed(haiku, "naive_debate")
    assert f"{gap:.2f} is the gap" in text
    assert value("table_2", GPT35, "naive_debate", "200") > value(
        "table_2", GPT35, "srdcr", "200"
    )
    best = max(PUBLISHED.tables["table_1"][SONNET], key=lambda a: perturbed(SONNET, a))
    assert best == "judge_debate_1"
    overall = {
        arm: value("table_1", SONNET, arm, "overall")
        for arm in PUBLISHED.tables["table_1"][SONNET]
    }
    ahead = {arm for arm in overall if overall[arm] > overall["srdcr"]} - {"golden"}
    assert ahead == {"few_shot", "self_ask", "naive_debate"}


def test_every_flag_and_note_is_used() -> None:
    assert {cell.flag for *_, cell in cells()} - {None} == set(PUBLISHED.flags)
    assert set(PUBLISHED.notes) == set(PUBLISHED.tables)
    flag = PUBLISHED.cell("table_1", SONNET, "srdcr", "overall")
    assert "69.49" in PUBLISHED.reason(flag)
    assert PUBLISHED.reason(PublishedShare(value=1.0)) == ""
