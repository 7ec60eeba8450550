"""The report on the confidence study: tables, comparisons and figures from logs."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

import pandas as pd

from inspect_debate.reports.arms import ARM, Part
from inspect_debate.reports.calls import call_notices
from inspect_debate.reports.confidence.alignment import SCORER, by_condition
from inspect_debate.reports.confidence.calibration import (
    calibration_table,
    cases_table,
    closing_bets,
    excess_table,
    graded_gaps_table,
    models_table,
    stated_gaps_table,
    strategic_table,
)
from inspect_debate.reports.confidence.costs import rates_of, spent_table
from inspect_debate.reports.confidence.data import (
    Data,
    is_rebuilt,
    read_data,
    transcript_notices,
    transcripts_table,
)
from inspect_debate.reports.confidence.dependence import (
    comparisons_table,
    escalation_table,
    openings_table,
)
from inspect_debate.reports.confidence.escalation import missing_table
from inspect_debate.reports.confidence.figures import (
    calibration_figure,
    closing_figure,
    escalation_figure,
    opening_figure,
    rounds_figure,
)
from inspect_debate.reports.confidence.frames import DEBATE
from inspect_debate.reports.confidence.jury import (
    TIE,
    agreement_table,
    decisions,
    judges_table,
    motions_table,
    own_votes,
    rules_table,
    seats,
)
from inspect_debate.reports.confidence.paper import printed_tables
from inspect_debate.reports.confidence.sides import by_condition as bets_by_condition
from inspect_debate.reports.confidence.study import (
    PROTOCOLS,
    conditions_of,
    model_name,
    protocol_of,
    title,
    titles_of,
)
from inspect_debate.reports.confidence.twins import PaperTable, Twin, counts
from inspect_debate.reports.elements import (
    COUNT,
    Format,
    Item,
    Main,
    Notice,
    Report,
    Section,
    Table,
    counted,
    listed,
    section_of,
)
from inspect_debate.reports.logs import Log, LogPaths, study_logs
from inspect_debate.reports.notices import (
    reuse_notices,
    run_notices,
    sample_notices,
)
from inspect_debate.reports.provenance import (
    command_list,
    commands,
    provenance_section,
    runs_of,
)
from inspect_debate.reports.sanity import sanity_section, unread_notices

STUDY = "confidence"


def confidence_report(logs: LogPaths, *, allow_partial: bool = False) -> Report:
    """The report on runs of the confidence study, or on its released transcripts.

    Args:
        logs: Log files or folders of them.
        allow_partial: Whether to take logs of runs that did not finish.

    Raises:
        InputError: If there are no such logs, or one of them is of no use.
    """
    data = read_data(study_logs(logs, STUDY, allow_partial=allow_partial))
    debates = data.grouped.frame
    names = titles_of(debates["arm"].unique())
    return Report(
        title="Confidence: two sides that are both sure of winning",
        study="When Two LLMs Debate, Both Think They'll Win (arXiv 2505.19184)",
        summary=_summary(data),
        notices=[
            *run_notices(data.logs),
            *sample_notices(data.grouped, names),
            *missing_notices(data.bets),
            *unread_notices(parts(debates), STAGES),
            *confound_notices(debates),
            *jury_notices(data.verdicts, data.judged),
            *text_notices(debates),
            *call_notices(data.told.calls),
            *reuse_notices(debates, names, TWICE),
            *transcript_notices(data.logs),
        ],
        sections=sections(data),
        main=_MAIN,
        figure=("figure_rounds", "figure_openings"),
    )


_MAIN = (
    Main(
        *("openings", "Mean", "Bets"),
        "{Condition}: the mean opening bet on winning is {value}, where the chance "
        "of both sides together is 50 %.",
        Format(digits=1),
        " %",
        "bets",
    ),
)


def _summary(data: Data) -> str:
    bets = data.bets
    counts = {
        "condition": bets["condition"].nunique(),
        "debate": len(bets.drop_duplicates(DEBATE)),
        "model": bets["model"].nunique(),
        "log": len(data.logs),
    }
    told = ", ".join(counted(count, what) for what, count in counts.items())
    return (
        f"Here are: {told}. A condition is a preset of the study with its parameters, "
        "prompts and jury, whoever debates; what differs from other runs of the preset "
        "stands after its name. Bets are in percent points."
    )


# The sections of the report, in the order of the paper.


def sections(data: Data) -> list[Section]:
    """All sections; those without anything in them say what is missing."""
    return [section(data) for section in _SECTIONS]


def _checks(data: Data) -> Section:
    tables = [counts_table(data.paper)]
    if any(is_rebuilt(log) for log in data.logs):
        tables.append(differences_table(data.paper))
    return section_of("Beside the paper", _CHECKS, tables, otherwise=_NO_TWIN)


def _openings(data: Data) -> Section:
    items: list[Item] = [
        *_paper(data, "table_2"),
        opening_figure(data.bets),
        openings_table(data.bets),
        *_paper(data, "table_7"),
    ]
    return section_of("Confidence before the debate (section 4.1)", _OPENINGS, items)


def _escalation(data: Data) -> Section:
    items: list[Item | None] = [
        *_paper(data, "table_3"),
        rounds_figure(data.bets),
        escalation_figure(data.bets),
        escalation_table(data.bets),
        *_paper(data, "table_(8|9|1[0-6])|bets_.*"),
        missing_table(data.bets),
    ]
    return section_of("Escalation (section 4.2)", _ESCALATION, items)


def _zero_sum(data: Data) -> Section:
    items = [
        *_paper(data, "table_4"),
        closing_figure(data.bets),
        excess_table(data.bets),
    ]
    return section_of("Both sides sure of winning (section 4.3)", _ZERO_SUM, items)


def _alignment(data: Data) -> Section:
    items: list[Item | None] = [*_paper(data, "table_1[7-9]|section_4_4")]
    if items:
        items += [graded_gaps_table(data.graded), strategic_table(data.graded)]
    items.append(stated_gaps_table(data.grouped.frame))
    told = _ALIGNMENT if len(data.graded) else f"{_NOT_GRADED}\n\n- `{GRADED}`"
    return section_of("Bets and private reasoning (section 4.4)", told, items)


def _conditions(data: Data) -> Section:
    items = [comparisons_table(data.bets), *_paper(data, "text_numbers")]
    return section_of("Conditions compared, and numbers in the text", "", items)


def _schedule(data: Data) -> Section:
    items = [
        *_paper(data, "table_5|seats_.*|table_6"),
        spent_table(data.told.spent, rates_of(data.logs)),
    ]
    return section_of("Who debated, and what it took (Tables 5 and 6)", "", items)


def _jury(data: Data) -> Section:
    if data.verdicts.empty:
        return Section("The jury (Appendix D)", f"{_NO_JURY}\n\n- `{JUDGED}`")
    items = [
        *_paper(data, "appendix_d.*"),
        rules_table(data.verdicts, data.judged),
        judges_table(data.verdicts, data.judged),
        agreement_table(data.verdicts),
        motions_table(data.verdicts, data.judged),
    ]
    return section_of("The jury (Appendix D)", "", items)


def _calibration(data: Data) -> Section:
    closing = closing_bets(data.judged, data.verdicts)
    if closing.empty:
        return Section("Calibration", f"{_NO_OUTCOME}\n\n- `{JUDGED}`")
    items = [
        calibration_figure(closing),
        calibration_table(closing),
        models_table(closing),
    ]
    return section_of("Calibration", _CALIBRATION, items)


def _four_rounds(data: Data) -> Section:
    title = "Four rounds (Appendix O)"
    return section_of(
        title, "", _paper(data, "appendix_o.*"), otherwise=_NO_FOUR_ROUNDS
    )


def _printed(data: Data) -> Section:
    tables = [t.table() for t in printed_tables(data.bets)]
    told = command_list(_ABSENT, absent_conditions(data.bets))
    return section_of("Conditions that are not here", told, tables)


def _cases(data: Data) -> Section:
    title = "Strategic bets to read"
    if data.told.cases.empty:
        return Section(title, _NO_CASES)
    return Section(title, _CASES, [cases_table(data.told.cases)])


def _sanity(data: Data) -> Section:
    debates = data.grouped.frame
    own = [text_table(debates), transcripts_table(data.logs)]
    return sanity_section(parts(debates), STAGES, data.told.calls, own)


def _provenance(data: Data) -> Section:
    runs = runs_of(data.grouped, titles_of(data.grouped.runs["arm"]))
    return provenance_section(data.logs, runs, again=repeating(data.logs))


def _paper(data: Data, pattern: str) -> list[Table]:
    """The paper's tables whose names match."""
    return [t.table() for t in data.paper if re.fullmatch(pattern, t.name)]


_SECTIONS: tuple[Callable[[Data], Section], ...] = (
    *(_checks, _openings, _escalation, _zero_sum, _alignment, _conditions),
    *(_schedule, _jury, _calibration, _four_rounds, _printed, _cases),
    *(_sanity, _provenance),
)

_CHECKS = "Every table of the paper that these logs have the debates for, cell by cell."
_NO_TWIN = "No cell of these tables has a twin in the paper: other models debated."
_OPENINGS = (
    "A debater who knew nothing but that one of two equal sides wins would bet 50 "
    "before the debate. The study's prompts ask for one number that is both a chance "
    "of winning and a stake."
)
_ESCALATION = (
    "Both sides of a debate cannot become surer of winning at once and both be right."
)
_ZERO_SUM = (
    "Two chances of winning the same debate add up to 100; how far closing bets exceed "
    "that does not depend on who won."
)
_ALIGNMENT = (
    "Whether debaters bet what their private reasoning says. The strategic bets are "
    "listed in a section of their own."
)
_NOT_GRADED = "No grader compared bets with the reasoning; what is needed:"
_NO_JURY = "No debate was judged; what is needed, with the logs in place of LOG:"
_NO_OUTCOME = (
    "Bets can be held against a jury's decision, or in debates with oneself against "
    "the chance of one half. There is neither; what is needed:"
)
_CALIBRATION = (
    "Bets taken as chances of winning. A jury's decision is not the truth about a "
    "debate; in debates with oneself the chance of one half is."
)
_NO_FOUR_ROUNDS = "No debates of four rounds are among these logs."
_ABSENT = (
    "The study's conditions that these logs do not have, with what runs them. Below is "
    "what the paper prints of them."
)
_NO_CASES = "None was found, or no grader looked."
_CASES = (
    "For the links, start `inspect view --log-dir FOLDER` with the folder of the logs; "
    "they open the sample's scores. Without it, open the log that is named and search "
    "for the sample."
)


# What has to be read before the numbers: about bets, texts and the jury.


def missing_notices(bets: pd.DataFrame) -> Iterator[Notice]:
    """Bets that were not made.

    Args:
        bets: As from `bets_of`.
    """
    parts = bets_by_condition(bets)
    lost = [
        f"{title(condition)}: {_lost(parts[condition])}"
        for condition in conditions_of(parts)
        if parts[condition]["bet"].isna().any()
    ]
    if lost:
        yield Notice(
            "Some bets were not made. They are left out, but for the paper's own "
            "tables, which take what the data have in their place for a bet."
            f"\n\n{listed(lost)}"
        )


def text_notices(debates: pd.DataFrame) -> Iterator[Notice]:
    """Speeches that speak of bets, which in private debates nobody should read."""
    parts = by_condition(debates[debates["scored"]])
    left, cut = (
        [
            f"{title(condition)}: {count:.0f} speeches"
            for condition, part in parts.items()
            if (count := part[f"bets.bet_text_{which}"].sum())
        ]
        for which in ("left", "stripped")
    )
    if left:
        yield Notice(
            "Speeches that others read still speak of bets, so that these were not "
            f"private.\n\n{listed(left)}"
        )
    if cut:
        yield Notice(
            "Some debaters spoke of bets outside the tags. Here this is cut before "
            "others read a speech; in released transcripts the other side and the jury "
            f"read it.\n\n{listed(cut)}",
            "info",
        )


def jury_notices(verdicts: pd.DataFrame, bets: pd.DataFrame) -> Iterator[Notice]:
    """Ties, verdicts that are missing, and judges that debate as well.

    Args:
        verdicts: As from `verdicts_of`.
        bets: As from `bets_of`.
    """
    lines = [
        f"{title(condition)}: {line}"
        for condition in conditions_of(verdicts["condition"])
        for line in _of_jury(verdicts[verdicts["condition"] == condition])
    ]
    if lines:
        yield Notice(
            "A tie is nobody's: it is not given to a side, and left out where bets are "
            f"held against the jury.\n\n{listed(lines)}"
        )
    both = [judge for judge, own in own_votes(verdicts, bets).items() if own.given]
    if both:
        yield Notice(
            f"Judges that are debaters, too: {', '.join(sorted(both))}. How often they "
            "voted for themselves is told with the jury.",
            "info",
        )


def _lost(bets: pd.DataFrame) -> str:
    missing = bets[bets["bet"].isna()]
    told = f"{len(missing)} of {len(bets)} bets"
    numbers = sorted({f"{number:g}" for number in missing["recorded"].dropna()})
    return (
        f"{told}; in their place the data have {', '.join(numbers)}"
        if numbers
        else told
    )


def _of_jury(verdicts: pd.DataFrame) -> Iterator[str]:
    decided = decisions(verdicts)
    tied = (decided["by_sum"] == TIE).sum()
    even = (decided["by_majority"] == TIE).sum()
    if tied or even:
        yield (
            f"of {len(decided)} debates {tied} tied in the sum of confidences, {even} "
            "in the number of verdicts"
        )
    given = seats(verdicts).notna().sum(axis=1)
    most = seats(verdicts).shape[1]
    if fewer := int((given < most).sum()):
        yield f"{fewer} of {len(given)} debates have fewer than {most} verdicts"


# Which runs a report is about, how to repeat them, and which are missing.

COMMAND = "inspect eval inspect_debate/confidence"
POOL = "--model none --model-role debater_a=M1,M2,M3"

JUDGED = (
    f"{COMMAND} -T reuse=LOG -T jury_passes=2 --model none --model-role judge=J1,J2"
)
"""What has debates judged that were held before."""

GRADED = (
    "inspect score LOG --scorer inspect_debate/bet_alignment --action append "
    "--model-role grader=G"
)
"""What has bets compared with the reasoning before them."""


def repeating(logs: Sequence[Log]) -> list[str]:
    """The commands that make the logs again, oldest first, each once."""
    imports = [
        f"inspect-debate import llms-overconfidence {_folder(log)} --out LOGDIR"
        for log in logs
        if is_rebuilt(log)
    ]
    ran = commands([log for log in logs if not is_rebuilt(log)])
    return list(dict.fromkeys([*imports, *ran]))


def absent_conditions(bets: pd.DataFrame) -> list[str]:
    """The commands of the study's conditions that these logs do not have."""
    here = set(bets["condition"].map(protocol_of))
    return [
        f"{COMMAND} -T protocol={protocol} {POOL}"
        for protocol in PROTOCOLS
        if protocol not in here
    ]


def _folder(log: Log) -> str:
    return str(log.metadata["data"].get("folder", "DIR"))


# Whether the runs can be trusted: samples, statuses, and what texts hold.

STAGES = {
    "bets.bets": "Bets",
    "jury.verdicts": "Verdicts",
    f"{SCORER}.assessment": "Grades",
}
"""What is asked for, as readers see it."""

_TEXTS = {
    "bets.bet_text_stripped": "Speak of bets",
    "bets.bet_text_left": "Still do when shown",
    "bets.short_speeches": "Short",
    "bets.reasks": "Asked again",
}


def parts(debates: pd.DataFrame) -> list[Part]:
    """The conditions.

    Args:
        debates: As `Arms.frame` from `conditions`.
    """
    return [
        Part(
            named={ARM: title(condition)},
            samples=_with_grades(part),
            item="motion",
            told={"Debaters": len(_models(part))},
        )
        for condition, part in by_condition(debates).items()
    ]


def text_table(debates: pd.DataFrame) -> Table:
    """Speeches that speak of bets outside the tags, or are short, by condition."""
    rows = [
        {
            ARM: title(condition),
            **{name: part[column].sum() for column, name in _TEXTS.items()},
        }
        for condition, part in by_condition(debates[debates["scored"]]).items()
    ]
    return Table(
        name="texts",
        title="Speeches with text on bets, and short ones",
        frame=pd.DataFrame(rows),
        formats=dict.fromkeys(_TEXTS.values(), COUNT),
        note="Speeches. Text on bets outside the tags is cut before others read a "
        "speech; what still speaks of bets then is counted, too. Short: below 200 "
        "characters. Asked again: completions that were replaced.",
    )


def _with_grades(debates: pd.DataFrame) -> pd.DataFrame:
    """With the count of readable grades under the name that other counts have."""
    graded = f"{SCORER}.graded"
    if graded not in debates:
        return debates
    return debates.assign(**{f"{SCORER}.assessment_ok": debates[graded]})


def _models(debates: pd.DataFrame) -> set[str]:
    told = debates["sides"].dropna()
    return {model_name(model) for sides in told for model in sides.values()}


# In what conditions differ beside their names.


def confound_notices(debates: pd.DataFrame) -> Iterator[Notice]:
    """What keeps conditions from being compared by their names alone.

    Args:
        debates: As `Arms.frame` from `conditions`.
    """
    parts = by_condition(debates[debates["scored"]])
    shown = {
        c: part.iloc[0]["parameters"]["own_bets_shown"] for c, part in parts.items()
    }
    if len(set(shown.values())) > 1:
        yield Notice(
            "Conditions differ in whether debaters are shown their own earlier bets "
            "and reasoning again. What else differs between them, above all how bets "
            f"rise, may be due to that.\n\n{listed(_shown(shown))}"
        )
    motions = {c: frozenset(part["motion"]) for c, part in parts.items()}
    if len(set(motions.values())) > 1:
        lines = [f"{title(c)}: {len(found)}" for c, found in motions.items()]
        yield Notice(
            "Conditions are not on the same motions, so that these are in their "
            f"differences, too. Numbers of motions:\n\n{listed(lines)}"
        )


def _shown(shown: Mapping[str, bool]) -> Iterator[str]:
    for value, words in ((True, "Shown"), (False, "Not shown")):
        names = [
            title(condition) for condition, given in shown.items() if given == value
        ]
        yield f"{words}: {'; '.join(names)}"


TWICE = (
    "If that run is here, too, its debates are in what is graded or stated of them "
    "over all conditions twice."
)
"""What it means in the study to use debates again."""


# How many cells are equal to the printed ones, and which are not.

UNEXPLAINED = "–"
"""Where nothing is known to be wrong with the printed cell."""


def counts_table(tables: Sequence[PaperTable]) -> Table | None:
    """The cells of each of the paper's tables, equal to the printed digit or not.

    Args:
        tables: Ours.

    Returns:
        The table; None where no cell has a twin in the paper.
    """
    titles = {table.name: table.title for table in tables}
    rows = [
        {
            "Table": titles[name],
            "Compared": found["equal"] + found["differs"],
            "Equal": found["equal"],
            "Different": found["differs"],
        }
        for name, found in counts(tables).items()
        if found["equal"] + found["differs"]
    ]
    if not rows:
        return None
    frame = pd.DataFrame(rows)
    whole = {"Table": "All", **frame.sum(numeric_only=True).to_dict()}
    return Table(
        name="cells",
        title="Cells beside the paper's",
        frame=pd.concat([frame, pd.DataFrame([whole])], ignore_index=True),
        note="Equal: to the last printed digit, and in stars and signs.",
    )


def differences_table(tables: Sequence[PaperTable]) -> Table | None:
    """The cells that differ from the printed ones, and why where that is known.

    Args:
        tables: Ours.

    Returns:
        The table; None where all are equal.
    """
    rows = [
        {
            "Table": table.title,
            "Row": _row(table, row),
            "Column": table.columns[column],
            "Ours": twin.ours,
            "Paper": twin.paper.printed if twin.paper else None,
            "Why": twin.reason or UNEXPLAINED,
        }
        for table in tables
        for row, column, twin in _different(table)
    ]
    if not rows:
        return None
    return Table(
        name="differences",
        title="Cells that are not as printed",
        frame=pd.DataFrame(rows),
    )


def _different(table: PaperTable) -> Iterator[tuple[str, str, Twin]]:
    for (row, column), twin in table.cells.items():
        if twin.status == "differs":
            yield row, column, twin


def _row(table: PaperTable, row: str) -> str:
    group = table.groups.get(row)
    return f"{group}: {table.rows[row]}" if group else table.rows[row]
