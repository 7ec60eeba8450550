"""For every fault of printed numbers a correction that takes it away."""

from collections.abc import Mapping

from tests.reports.corrected import (
    GPT35,
    SONNET,
    Edit,
    all_copmad,
    both,
    cell,
    claim,
    code,
    every,
    flagged,
    like,
    rows,
    share,
    told,
    unflagged,
    with_cells_of,
)

CORRECTED: Mapping[str, Edit] = {
    # 75 of 88 errors found, with 30 false alarms.
    "colmad-fact-with-85-errors": rows(
        *("gpt4", "single", "QwQ-32B", None), fact=[77.72, 82.06]
    ),
    "colmad-averages-swapped": rows(
        *("gpt4", "human", "Human", None), mean=[91.98, 89.44]
    ),
    "colmad-rounded-twice": rows(
        *("llama2", "human", "Human", None), math=[98.31, 97.32]
    ),
    "colmad-not-an-ensemble": with_cells_of("not_an_ensemble", "colmad"),
    "colmad-of-the-other-table": with_cells_of("of_the_other_table", "colmad"),
    "colmad-no-short-cut": with_cells_of("no_short_cut", "colmad"),
    "colmad-always-error-is-better": rows(
        *("gpt4", "single", "QwQ-32B", None), mean=[80.0, 89.25]
    ),
    "colmad-copmad-decrease": rows(
        *("gpt4", "copmad", "GPT4o-mini", "Llama3.1-70B"), mean=[61.85, 67.2]
    ),
    "colmad-larger-gain": rows(
        *("gpt4", "colmad", "QwQ-32B", "DeepSeek-R1"), mean=[79.4, 78.1]
    ),
    "colmad-small-margin": all_copmad([20.0, 20.0]),
    "srdcr-overall-not-mean": flagged("overall_not_mean", 69.49),
    "srdcr-self-ask-not-mean": flagged("self_ask_not_mean", 14.84),
    "srdcr-sonnet-not-mean": both(
        flagged("sonnet_not_mean", 48.08),
        share("table_1", SONNET, "srdcr", perturbed=48.08),
    ),
    "srdcr-fewer-items": flagged("fewer_items", 46.67),
    "srdcr-fewer-standard-items": flagged("fewer_standard_items", 91.0),
    "srdcr-not-of-60": flagged("not_of_60", 31.67),
    "srdcr-not-of-300": flagged("not_of_300", 95.0),
    "srdcr-above-golden": flagged("above_golden", 47.0),
    "srdcr-golden-is-another-run": every("golden", "few_shot"),
    "srdcr-gpt-4o-over-judge-debate": claim(
        "gpt_4o_over_judge_debate", "10.2 points", "9.2 points"
    ),
    "srdcr-haiku-over-rci": claim("haiku_over_rci", "20.2 points", "27.9 points"),
    "srdcr-best-at-every-offset": share("table_2", GPT35, "srdcr", **{"200": 40.0}),
    "srdcr-best-on-sonnet": share("table_1", SONNET, "srdcr", perturbed=50.33),
    "srdcr-upper-bound": every("srdcr", "golden"),
    "srdcr-moderate-shift": claim("moderate_shift", "is moderate", "is mild"),
    "srdcr-code-critic-reads-passage": code("critic_reads_passage"),
    "srdcr-code-no-gate": code("no_gate"),
    "srdcr-code-judge-round-behind": code("judge_round_behind"),
    "srdcr-code-presume-passage": code("presume_passage"),
    "srdcr-code-exemplars-are-test-items": code("exemplars_are_test_items"),
    "srdcr-code-not-clasheval": code("not_clasheval"),
    "srdcr-code-naive-temperature": code("naive_temperature"),
    "srdcr-code-tiers": code("tiers"),
    "srdcr-code-stored-output": share(
        "table_1", GPT35, "few_shot", standard=100, perturbed=10, overall=55
    ),
    "srdcr-code-readme-omits-sonnet": share("table_1", SONNET, "srdcr", overall=72.67),
    "generative-tripling": told(fpr__times="2 times"),
    "generative-fpr": told(fpr__debate="80 %"),
    "generative-tally": told(loses="6", ties="2", wins="0"),
    "generative-derived": told(net__debate="−9.0 points"),
    "generative-paired-by-task": told(did__bcb_plus__gpt5="−1.9 points, p = 0.4"),
    "generative-of-800": told(
        accuracy__debate__1="72.5 %", accuracy__debate__4="80.0 %", only_win="+5.0"
    ),
    "generative-elliptic": unflagged("elliptic"),
    "generative-reused": told(hard__answers="0 points"),
    "confidence-nothing-to-rank": cell(
        "table_7", "informed_self openai/o3-mini", "wilcoxon_p=1.0000"
    ),
    "confidence-strictly-above-75": cell(
        "introduction", "both_ge75 cross_model", "value=71.7"
    ),
    "confidence-even-splits-given-away": cell(
        "appendix_d", "opposition_win_pct", "value=63.3"
    ),
    "confidence-labels-folded": cell(
        *("table_17", "Assessment/Overbetting"), "informed_self=11.6%", "public=10.0%"
    ),
    "confidence-rounded-parts-added": both(
        cell("table_18", "informed_self", "absent/Overbetting=10.4%"),
        cell("table_18", "public", "present/Overbetting=15.6%"),
    ),
    "confidence-mixed-class-left-out": cell(
        "section_4_3", "both_gt50 overall", "value=87.5"
    ),
    "confidence-table-5-prose": claim(
        *("table_5_prose", "11 debates, and every model 10 to 12"),
        "12 debates, and every model 11 to 13",
    ),
    "confidence-standard-debate-open": cell(
        "section_5_3", "open_to_closing self", "value=11.1"
    ),
    "confidence-two-spreads": cell("table_3", "cross_model", "opening=72.92 ± 7.93"),
    # Of the tables of ten models with twelve bets each.
    "confidence-table-15": like("table_15", "table_10"),
    "confidence-table-16": like("table_16", "table_10"),
}
"""For each fault of printed numbers what takes it away."""
