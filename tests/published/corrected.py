"""Papers with a printed number corrected, so that an inconsistency is gone."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from inspect_debate.published.tables import Paper, paper_of, without_spaces

Edit = Callable[[Paper], Paper]

SONNET, GPT35 = "claude-3-7-sonnet-20250219", "gpt-3.5-turbo-0125"


def cells(pattern: str, *texts: str) -> Edit:
    """Other cells: one text for all of a pattern's, or one for each."""

    def edit(paper: Paper) -> Paper:
        found = paper.matching(pattern)
        assert found
        assert len(texts) in (1, len(found))
        return _with(paper, dict(zip(found, texts * len(found), strict=False)))

    return edit


def where(id: str, text: str) -> Edit:
    """Another text in all cells that an inconsistency is about."""

    def edit(paper: Paper) -> Paper:
        (entry,) = [one for one in paper.inconsistencies if one.id == id]
        return _with(paper, dict.fromkeys(paper.found(entry.where), text))

    return edit


def like(pattern: str, part: str, other: str) -> Edit:
    """The cells of a pattern are those of the row, or table, named with `other`."""

    def edit(paper: Paper) -> Paper:
        texts = {}
        for cell in paper.matching(pattern):
            at = (cell.table.replace(part, other), cell.row.replace(part, other))
            same = paper.cell(*at, cell.column)
            if same is not None:
                texts[cell] = same.printed
        assert texts
        return _with(paper, texts)

    return edit


def entry(id: str, **changes: Any) -> Edit:
    """Another claim, or code that does what the text says."""

    def edit(paper: Paper) -> Paper:
        entries = [
            one.model_copy(update=_changed(one.__dict__, changes))
            if one.id == id
            else one
            for one in paper.inconsistencies
        ]
        assert entries != list(paper.inconsistencies)
        return replace(paper, inconsistencies=tuple(entries))

    return edit


def code(id: str) -> Edit:
    """Released code that does what the text says."""
    (found,) = [one for one in paper_of("srdcr").inconsistencies if one.id == id]
    return entry(id, code=found.paper)


def all_of(*edits: Edit) -> Edit:
    """Several edits."""

    def edit(paper: Paper) -> Paper:
        for one in edits:
            paper = one(paper)
        return paper

    return edit


def _changed(old: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: {**old[name], **new} if isinstance(new, dict) else new
        for name, new in changes.items()
    }


def _with(paper: Paper, texts: Mapping[Any, str]) -> Paper:
    tables = {
        name: replace(
            table,
            rows={
                row: {
                    column: replace(
                        cell, printed=texts[cell], plain=without_spaces(texts[cell])
                    )
                    if cell in texts
                    else cell
                    for column, cell in of_row.items()
                }
                for row, of_row in table.rows.items()
            },
        )
        for name, table in paper.tables.items()
    }
    return replace(paper, tables=tables)


FOUR_PAIR = "GPT4o-mini + Mistral-7B-v0.3"
LLAMA_PAIR = "Llama3.1-70B + Mistral-7B-v0.3"

CORRECTED: Mapping[str, Edit] = {
    "human_debate-another-sample": cells("table_3 / human_debate / n", "154"),
    "human_debate-characters-ai-consultancy": cells(
        "table_1 / ai_consultancy / characters_per_round", "929"
    ),
    # 75 of 88 errors found, with 30 false alarms.
    "colmad-fact-with-85-errors": cells(
        "table_1 / single QwQ-32B / fact_f1, fact_f2", "77.72", "82.06"
    ),
    "colmad-averages-swapped": cells(
        "table_1 / human / mean_f1, mean_f2", "91.98", "89.44"
    ),
    "colmad-rounded-twice": cells(
        "table_2 / human / math_f1, math_f2", "98.31", "97.32"
    ),
    "colmad-not-an-ensemble": like(
        f"table_2 / ensemble {FOUR_PAIR} / *", "ensemble", "colmad"
    ),
    "colmad-of-the-other-table": like(
        f"table_2 / ensemble {LLAMA_PAIR} / *", "ensemble", "colmad"
    ),
    "colmad-no-skip-on-agreement": like("* / copmad * / *", "copmad", "colmad"),
    "colmad-always-error-is-better": cells(
        "table_1 / single QwQ-32B / mean_f1, mean_f2", "80.00", "89.25"
    ),
    "colmad-copmad-decrease": cells(
        "table_1 / copmad GPT4o-mini + Llama3.1-70B / mean_f1, mean_f2",
        *("61.85", "67.20"),
    ),
    "colmad-larger-gain": cells(
        "table_1 / colmad QwQ-32B + DeepSeek-R1 / mean_f1, mean_f2", "79.40", "78.10"
    ),
    "colmad-small-margin": cells("* / copmad * / *, !mean*", "20.00"),
    "srdcr-overall-not-mean": where("overall-not-mean", "69.49"),
    "srdcr-self-ask-not-mean": where("self-ask-not-mean", "14.84"),
    "srdcr-sonnet-not-mean": where("sonnet-not-mean", "48.08"),
    "srdcr-fewer-items": where("fewer-items", "46.67"),
    "srdcr-fewer-standard-items": where("fewer-standard-items", "91.0"),
    "srdcr-not-of-60": where("not-of-60", "31.67"),
    "srdcr-not-of-300": where("not-of-300", "95.0"),
    "srdcr-above-golden": where("above-golden", "47.0"),
    "srdcr-golden-is-another-run": like("table_1 / * golden / *", "golden", "few_shot"),
    "srdcr-gpt-4o-over-judge-debate": entry(
        "gpt-4o-over-judge-debate", numbers={"claimed": "9.2"}
    ),
    "srdcr-haiku-over-rci": entry("haiku-over-rci", numbers={"claimed": "27.9"}),
    "srdcr-best-at-every-offset": cells(f"table_2 / {GPT35} srdcr / 200", "40.0"),
    "srdcr-best-on-sonnet": cells(
        f"table_1 / {SONNET} srdcr / perturbed, overall", "50.33", "72.67"
    ),
    "srdcr-upper-bound": like("table_1 / * srdcr / *", "srdcr", "golden"),
    "srdcr-moderate-shift": entry("moderate-shift", numbers={"claimed": "mild"}),
    **{
        f"srdcr-{id}": code(id)
        for id in (
            *("code-critic-reads-passage", "code-no-gate", "code-judge-round-behind"),
            *("code-presume-passage", "code-exemplars-are-test-items", "code-tiers"),
            *("code-not-clasheval", "code-naive-temperature"),
        )
    },
    "srdcr-code-stored-output": cells(
        f"table_1 / {GPT35} few_shot / *", "100", "10", "55"
    ),
    "srdcr-code-readme-omits-sonnet": cells(f"table_1 / {SONNET} srdcr / *", "72.67"),
    "generative-tripling": cells("fpr.times", "2 times"),
    "generative-fpr": cells("fpr.debate", "80 %"),
    "generative-tally": all_of(
        cells("loses", "6"), cells("ties", "2"), cells("wins", "0")
    ),
    "generative-derived": cells("net.debate", "−9.0 points"),
    "generative-paired-by-task": cells("did.bcb_plus.gpt5", "−1.9 points, p = 0.4"),
    "generative-of-800": all_of(
        cells("accuracy.debate.1", "72.5 %"),
        cells("accuracy.debate.4", "80.0 %"),
        cells("only_win", "+5.0"),
    ),
    "generative-reused": cells("hard.answers", "0 points"),
    "confidence-nothing-to-rank": where("nothing-to-rank", "1.0000"),
    "confidence-strictly-above-75": where("strictly-above-75", "71.7"),
    "confidence-even-splits-given-away": where("even-splits-given-away", "63.3"),
    "confidence-labels-folded": cells(
        "table_17 / Assessment/Overbetting / informed_self, public", "11.6%", "10.0%"
    ),
    "confidence-rounded-parts-added": all_of(
        cells("table_18 / informed_self / absent/Overbetting", "10.4%"),
        cells("table_18 / public / present/Overbetting", "15.6%"),
    ),
    "confidence-mixed-class-left-out": where("mixed-class-left-out", "87.5"),
    "confidence-table-5-prose": entry(
        "table-5-prose", numbers={"claimed": "12", "fewest": "11", "most": "13"}
    ),
    "confidence-standard-debate-open": where("standard-debate-open", "11.1"),
    "confidence-two-spreads": cells("table_3 / cross_model / opening", "72.92 ± 7.93"),
    # Of the tables of ten models with twelve bets each.
    "confidence-table-15": like("table_15 / * / *", "table_15", "table_10"),
    "confidence-table-16": like("table_16 / * / *", "table_16", "table_10"),
}
"""For each inconsistency that arithmetic shows, what takes it away."""
