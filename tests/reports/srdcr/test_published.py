"""SR-DCR's tables as printed: what adds up, and a check behind every flag."""

from collections.abc import Iterator

from inspect_debate.published.printed import PublishedShare, srdcr_tables
from inspect_debate.reports.srdcr.study import ARMS, MODELS, OFFSETS

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


def test_claims_are_not_borne_out() -> None:
    def perturbed(model: str, arm: str) -> float:
        return value("table_1", model, arm, "perturbed")

    four, haiku = "gpt-4o-2024-08-06", "claude-3-5-haiku-20241022"
    text = " ".join(claim.tables for claim in PUBLISHED.claims)
    gap = perturbed(four, "srdcr") - perturbed(four, "judge_debate_5")
    assert f"is {gap:.2f};" in text
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
