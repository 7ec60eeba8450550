"""The report on the confidence study: two sides that are both sure of winning."""

from collections.abc import Iterator, Sequence

import pandas as pd

from inspect_debate.v1.published.tables import title_of
from inspect_debate.v1.reports.calls import call_notices
from inspect_debate.v1.reports.conditions import CONDITION
from inspect_debate.v1.reports.conditions import ConditionSamples as Condition
from inspect_debate.v1.reports.confidence.bets import PARTS as ON_BETS
from inspect_debate.v1.reports.confidence.bets import strategic_cases
from inspect_debate.v1.reports.confidence.compared import EVEN
from inspect_debate.v1.reports.confidence.frames import (
    DEBATE,
    PROTOCOLS,
    SCORER,
    STUDY,
    TIE,
    by_condition,
    decisions,
    model_name,
    protocol_of,
    seats,
    title,
    titled,
)
from inspect_debate.v1.reports.confidence.jury import COMMAND, judged_debates
from inspect_debate.v1.reports.confidence.jury import PARTS as ON_THE_JURY
from inspect_debate.v1.reports.confidence.measures import SIGNED, Data, paper, read
from inspect_debate.v1.reports.confidence.paper_bets import printed_tables
from inspect_debate.v1.reports.confidence.paper_others import dollars, rates_of
from inspect_debate.v1.reports.elements import (
    COUNT,
    NUMBER,
    Main,
    Notice,
    Section,
    Table,
    counted,
)
from inspect_debate.v1.reports.logs import Log
from inspect_debate.v1.reports.notices import (
    listing,
    reuse_notices,
    run_notices,
    sample_notices,
)
from inspect_debate.v1.reports.probabilities import condition_rows, jury_chapter
from inspect_debate.v1.reports.provenance import (
    command_list,
    commands,
    provenance_section,
    runs_of,
)
from inspect_debate.v1.reports.sanity import sanity_section, unread_notices
from inspect_debate.v1.reports.views import Measure, Part, StudyReport, View, total
from inspect_debate.v1.solvers.bet_records import SIDES

# Cells beside the paper's.

UNEXPLAINED = "–"
"""Where nothing is known to be wrong with the printed cell."""


def cells_table(data: Data) -> Table | None:
    """The cells of each of the paper's tables, equal to the printed digit or not."""
    rows = [
        {
            "Table": table.title,
            "Compared": found["equal"] + found["differs"],
            "Equal": found["equal"],
            "Different": found["differs"],
        }
        for table in data.paper
        for found in [table.counts()]
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


def differences_table(data: Data) -> Table | None:
    """The cells of a release that differ from the printed, and why where known."""
    rows = [
        {
            "Table": title_of(cell.paper.table) if cell.paper else table.title,
            "Row": f"{row.group}: {row.title}" if row.group else row.title,
            "Column": table.columns[column],
            "Ours": cell.ours,
            "Paper": cell.paper and cell.paper.printed,
            "Why": cell.note or UNEXPLAINED,
        }
        for table in data.paper
        for row in table.rows
        for column, cell in row.cells.items()
        if cell.status == "differs"
    ]
    if not rows or not any(map(is_rebuilt, data.logs)):
        return None
    title = "Cells that are not as printed"
    return Table("differences", title, pd.DataFrame(rows))


# What the debaters spent.


SPENT = View[Data](
    "spent",
    "What the debaters spent by condition",
    lambda data: titled(
        data.records.spent.assign(
            dollars=dollars(data.records.spent, rates_of(data.logs))
        )
    ),
    {"Condition": "title"},
    [
        Measure("Debates", lambda rows: rows["debate"].nunique(), COUNT),
        Measure("Tokens", lambda rows: rows["tokens"].sum(skipna=False), COUNT),
        Measure("US dollars", lambda rows: rows["dollars"].sum(skipna=False), NUMBER),
    ],
    note="Tokens and cost are missing where they are not known.",
)


# Imported transcripts.


def is_rebuilt(log: Log) -> bool:
    """Whether a log was imported from released transcripts."""
    return bool(log.metadata.get("rebuilt"))


def transcript_notices(logs: Sequence[Log]) -> Iterator[Notice]:
    """Files that could not be read, and what no transcript has."""
    rebuilt = [log for log in logs if is_rebuilt(log)]
    stopped = {
        str(stop["file"]): str(stop["reason"])
        for log in rebuilt
        for stop in (log.metadata.get("import") or {}).get("stopped", ())
    }
    yield from listing(
        (f"`{file}`: {reason}" for file, reason in stopped.items()),
        "Transcripts that could not be read.",
    )
    yield from listing(
        (f"`{log.path.name}`" for log in rebuilt),
        "Made of released transcripts, which have neither prompts nor settings of "
        "single calls: the prompts in these logs are rebuilt.",
        "info",
    )


def transcripts_table(logs: Sequence[Log]) -> Table | None:
    """What the import counted in the transcripts; None without any."""
    rebuilt = [log for log in logs if is_rebuilt(log)]
    names = [title(str(log.metadata["protocol"])) for log in rebuilt]
    if len(set(names)) < len(names):
        names = [log.path.name for log in rebuilt]
    counts = {
        name: {
            key: n
            for key, n in (log.metadata.get("import") or {}).items()
            if isinstance(n, int)
        }
        for name, log in zip(names, rebuilt, strict=True)
    }
    if not any(counts.values()):
        return None
    frame = pd.DataFrame(counts)
    words = [str(key).replace("_", " ") for key in frame.index]
    frame.insert(0, "What was found", words)
    return Table(
        name="transcripts",
        title="What is in the transcripts",
        frame=frame.reset_index(drop=True),
        note="Zeros are bets of 0: missing ones were not made. Placeholder reasonings "
        "are “NA”, and the like; repeated debates are of the same models and motion.",
    )


def probabilities_of(data: Data) -> pd.DataFrame:
    """Jurors' probabilities that the proposition wins, for the chapter on them."""
    names = {"debate": "id", "title": "Condition"}
    debates = data.debates[["run", "debate", "epoch", "motion", "title"]]
    rows = condition_rows(
        data.records.calls.probabilities, debates.rename(columns=names), SIDES[0]
    )
    return rows.assign(question=rows["motion"])


# What must be read before the numbers.


def missing_notices(bets: pd.DataFrame) -> Iterator[Notice]:
    """Bets that were not made.

    Args:
        bets: As from `bets_of`.
    """
    lines = []
    for condition, part in by_condition(bets).items():
        missing = part[part["bet"].isna()]
        numbers = sorted({f"{n:g}" for n in missing["recorded"].dropna()})
        instead = f"; in their place the data have {', '.join(numbers)}"
        if len(missing):
            line = f"{title(condition)}: {len(missing)} of {len(part)} bets"
            lines.append(line + (instead if numbers else ""))
    yield from listing(
        lines,
        "Some bets were not made. They are left out, but for the paper's own tables, "
        "which count what the data have in their place as a bet.",
    )


def text_notices(debates: pd.DataFrame) -> Iterator[Notice]:
    """Speeches that speak of bets, which in private debates nobody should read."""
    parts = by_condition(debates[debates["scored"]])
    left, cut = (
        [
            f"{title(condition)}: {n:.0f} speech{'' if n == 1 else 'es'}"
            for condition, part in parts.items()
            if (n := part[f"bets.bet_text_{which}"].sum())
        ]
        for which in ("left", "stripped")
    )
    yield from listing(
        left,
        "Speeches that others read still speak of bets, so that these were not "
        "private.",
    )
    yield from listing(
        cut,
        "Some debaters spoke of bets outside the tags. Here this is cut before others "
        "read a speech; in released transcripts the other side and the jury read it.",
        "info",
    )


def jury_notices(verdicts: pd.DataFrame, bets: pd.DataFrame) -> Iterator[Notice]:
    """Ties, verdicts that are missing, and judges that debate as well.

    Args:
        verdicts: As from `verdicts_of`.
        bets: As from `bets_of`.
    """
    yield from listing(
        (
            f"{title(condition)}: {line}"
            for condition, own in by_condition(verdicts).items()
            for line in _ties(own)
        ),
        "A tie counts for neither side, and is left out where bets are compared with "
        "the jury's decision.",
    )
    judged = judged_debates(verdicts, bets)
    if both := sorted(set(judged.loc[judged["on_itself"], "judge"])):
        yield Notice(
            f"Judges that are debaters, too: {', '.join(both)}. The table of judges "
            "has how often they voted for themselves.",
            "info",
        )


def _ties(verdicts: pd.DataFrame) -> Iterator[str]:
    decided = decisions(verdicts)
    tied, even = ((decided[rule] == TIE).sum() for rule in ("by_sum", "by_majority"))
    if tied or even:
        yield (
            f"of {len(decided)} debates {tied} tied in the sum of confidences, {even} "
            "in the number of verdicts"
        )
    votes = seats(verdicts).notna()
    given, most = votes.sum(axis=1), votes.shape[1]
    if fewer := int((given < most).sum()):
        yield f"{fewer} of {len(given)} debates have fewer than {most} verdicts"


def confound_notices(debates: pd.DataFrame) -> Iterator[Notice]:
    """What keeps conditions from being compared by their names alone.

    Args:
        debates: As `Grouped.frame` from `conditions`.
    """
    parts = by_condition(debates[debates["scored"]])
    shown: dict[bool, list[str]] = {True: [], False: []}
    for condition, part in parts.items():
        shown[part.iloc[0]["parameters"]["own_bets_shown"]].append(title(condition))
    both = {"Shown": shown[True], "Not shown": shown[False]}
    yield from listing(
        (f"{how}: {'; '.join(of)}" for how, of in both.items() if all(both.values())),
        "Conditions differ in whether debaters are shown their own earlier bets and "
        "reasoning again. What else differs between them, above all how bets rise, may "
        "be due to that.",
    )
    motions = {c: frozenset(part["motion"]) for c, part in parts.items()}
    several = len(set(motions.values())) > 1
    yield from listing(
        (f"{title(c)}: {len(found)}" for c, found in motions.items() if several),
        "Conditions are not on the same motions, which is part of their differences. "
        "Numbers of motions:",
    )


_REUSED = (
    "If that run is among these logs, too, its debates count twice in what is graded "
    "or stated over all conditions."
)
STAGES = {
    "bets.bets": "Bets",
    "jury.verdicts": "Verdicts",
    f"{SCORER}.assessment": "Grades",
}
"""What is asked for, as readers see it."""


def sanity_parts(debates: pd.DataFrame) -> list[Condition]:
    """The conditions, for the pages on whether runs can be trusted.

    Args:
        debates: As `Grouped.frame` from `conditions`.
    """
    graded = f"{SCORER}.graded"
    if graded in debates:  # under the name that other counts have
        debates = debates.assign(**{f"{SCORER}.assessment_ok": debates[graded]})
    return [
        Condition(
            named={CONDITION: title(condition)},
            samples=part,
            item="motion",
            told={
                "Debaters": len(
                    {
                        model_name(model)
                        for sides in part["sides"].dropna()
                        for model in sides.values()
                    }
                )
            },
        )
        for condition, part in by_condition(debates).items()
    ]


def notices(data: Data) -> Iterator[Notice]:
    """All notices, the gravest first."""
    names = {c: title(c) for c in data.grouped.frame["condition"].unique()}
    yield from run_notices(data.logs)
    yield from sample_notices(data.grouped, names)
    yield from missing_notices(data.bets)
    yield from unread_notices(sanity_parts(data.debates), STAGES)
    yield from confound_notices(data.debates)
    yield from jury_notices(data.verdicts, data.judged)
    yield from text_notices(data.debates)
    yield from call_notices(data.records.calls)
    yield from reuse_notices(data.grouped.frame, names, _REUSED)
    yield from transcript_notices(data.logs)


# Whether the runs can be trusted, how to repeat them, and which are missing.

TEXTS = View[Data](
    "texts",
    "Speeches with text on bets, and short ones",
    lambda data: data.debates[data.debates["scored"]],
    {CONDITION: "title"},
    [
        Measure("Speak of bets", total("bets.bet_text_stripped"), COUNT),
        Measure("Still do when shown", total("bets.bet_text_left"), COUNT),
        Measure("Short", total("bets.short_speeches"), COUNT),
        Measure("Asked again", total("bets.reasks"), COUNT),
    ],
    note="Text on bets outside the tags is cut before others read a speech; what still "
    "speaks of bets then is counted, too. Short: below 200 characters; asked again: "
    "completions that were replaced.",
)

_POOL = "--model none --model-role debater_a=M1,M2,M3"


def _sanity(data: Data) -> Section:
    own = [*TEXTS(data), transcripts_table(data.logs)]
    return sanity_section(sanity_parts(data.debates), STAGES, data.records.calls, own)


def _provenance(data: Data) -> Section:
    names = {c: title(c) for c in data.grouped.runs["condition"]}
    imports = [
        "inspect-debate import llms-overconfidence "
        f"{log.metadata['data'].get('folder', 'DIR')} --out LOGDIR"
        for log in data.logs
        if is_rebuilt(log)
    ]
    ran = commands([log for log in data.logs if not is_rebuilt(log)])
    again = list(dict.fromkeys([*imports, *ran]))
    return provenance_section(data.logs, runs_of(data.grouped, names), again=again)


def _absent(data: Data) -> str:
    here = set(data.bets["condition"].map(protocol_of))
    lines = [
        f"{COMMAND} -T protocol={protocol} {_POOL}"
        for protocol in PROTOCOLS
        if protocol not in here
    ]
    what = (
        "The study's conditions that these logs do not have, with what runs them. "
        "Below is what the paper prints of them."
    )
    return command_list(what, lines)


def _summary(data: Data) -> str:
    bets = data.bets
    counts = {
        "condition": bets["condition"].nunique(),
        "debate": len(bets.drop_duplicates(DEBATE)),
        "model": bets["model"].nunique(),
        "log": len(data.logs),
    }
    found = ", ".join(counted(count, what) for what, count in counts.items())
    return (
        f"{found}. A condition is a preset of the study with its parameters, prompts "
        "and jury, whoever debates; after its name is what differs from other runs of "
        "the preset. Bets are in percent."
    )


REPORT = StudyReport[Data](
    study=STUDY,
    title="Confidence: two sides that are both sure of winning",
    source="When Two LLMs Debate, Both Think They'll Win (arXiv 2505.19184)",
    read=read,
    summary=_summary,
    notices=notices,
    parts=[
        Part(
            "Beside the paper",
            [cells_table, differences_table],
            "Every table of the paper for which these logs have debates, cell by cell.",
            "The paper has no cell about these debates: other models debated.",
        ),
        *ON_BETS,
        Part(
            "Who debated, and what it took (Tables 5 and 6)",
            [paper("table_5|seats_.*", ".*"), paper("table_6"), SPENT],
        ),
        *ON_THE_JURY,
        jury_chapter(probabilities_of),
        Part(
            "Four rounds (Appendix O)",
            [paper("appendix_o.*")],
            otherwise="No debates of four rounds are among these logs.",
        ),
        Part(
            "Conditions that are not here",
            [lambda data: [t.table(folded=True) for t in printed_tables(data.bets)]],
            _absent,
        ),
        Part(
            "Strategic bets to read",
            [strategic_cases],
            "For the links, start `inspect view --log-dir FOLDER` with the folder of "
            "the logs; they open the sample's scores. Without it, open the log that is "
            "named and search for the sample.",
            "None was found, or no grader looked.",
        ),
        _sanity,
        _provenance,
    ],
    main=(
        Main(
            *("openings", "Mean", "Bets"),
            "{Condition}: bets before the debate differ by {value} from the 50 % that "
            "one of two equal sides has.",
            SIGNED,
            " points",
            "bets",
            baseline=EVEN,
        ),
    ),
    figure=("figure_rounds", "figure_openings"),
)
"""The report on runs of the confidence study, or on its released transcripts."""
