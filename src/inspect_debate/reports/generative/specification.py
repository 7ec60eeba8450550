"""Where participants say that the task itself is at fault: a list for a reviewer."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from math import nan
from textwrap import shorten
from typing import Literal, NamedTuple, cast

import pandas as pd

from inspect_debate.debate.record import DebateRecord, Kind
from inspect_debate.reports.calls import Calls, read_with_calls
from inspect_debate.reports.elements import COUNT, PERCENT, Table
from inspect_debate.reports.generative.rows import (
    QUESTION,
    SAMPLE,
    Rows,
    benchmark_title,
    proposed,
)
from inspect_debate.reports.logs import Log
from inspect_debate.reports.samples import Held
from inspect_debate.solvers.rulings import PROPOSERS, critic

# What the records of all debates say, of which every log is read once.

TURN = [
    *(*SAMPLE, "turn", "participant", "role", "model", "kind", "round", "draw"),
    *("words", "points"),
]
REACHING = [*SAMPLE, "reaching"]
REWARD = [*SAMPLE, "participant", "round", "reward", "chosen", "critic", "right"]

_READ: tuple[Kind, ...] = ("answer", "speech", "candidate", "verdict")
_REACHES = "reaches for"
"""What the note of a grade says where a solution uses what no solution needs."""


class Records(NamedTuple):
    """What all records say.

    Attributes:
        calls: As from `read_calls`.
        turns: One row per answer, speech, candidate and verdict: the columns `TURN`, of
            which `turn` is its place in the debate, `words` a number that is the same
            where the text is, and `points` the sentences that say that the task is at
            fault.
        reaching: One row per debate of whose answers some passed and reach for what no
            solution needs: the columns `REACHING`, the last one their number.
        rewards: One row per candidate whose reward was read: the columns `REWARD`, of
            which `chosen` says whether it became the speech, and `right` is 1 where the
            speaker's answer, or the stance of a `critic`, is right, 0 where it is
            wrong, and NaN where that is not known.
    """

    calls: Calls
    turns: Rows
    reaching: Rows
    rewards: Rows


NO_RECORDS = Records(
    Calls({}, {}, ()),
    pd.DataFrame(columns=pd.Index(TURN)),
    pd.DataFrame(columns=pd.Index(REACHING)),
    pd.DataFrame(columns=pd.Index(REWARD)),
)


def read_records(logs: Sequence[Log]) -> Records:
    """Go through the records of all logs once, log by log."""
    calls, seen = read_with_calls(logs, _see)
    turns, reaching, rewards = (
        pd.DataFrame([row for one in seen for row in one[n]], columns=pd.Index(columns))
        for n, columns in enumerate((TURN, REACHING, REWARD))
    )
    return Records(calls, turns, reaching, rewards)


_Rows = list[tuple[object, ...]]


def _see(seen: Held) -> tuple[_Rows, _Rows, _Rows]:
    """The rows of one debate, of `turns`, `reaching` and `rewards`."""
    if seen.record is None:
        return [], [], []
    key = (seen.log.header.eval.eval_id, str(seen.sample.id), seen.sample.epoch)
    turns: list[tuple[object, ...]] = []
    for place, turn in enumerate(seen.record.turns):
        if turn.kind in _READ:
            # An answer alone is public; what led to it is private.
            text = turn.private or turn.public
            who = (turn.participant, turn.role, turn.model)
            about = (turn.kind, turn.round, turn.draw)
            points = tuple(points_in(text))
            turns.append((*key, place, *who, *about, _number(text), points))
    found = sum(
        grade.status == "pass" and _REACHES in grade.note and not grade.reused
        for grade in seen.record.grades
    )
    rewards = [(*key, *row) for row in reward_rows(seen.record)]
    return turns, [(*key, found)] if found else [], rewards


def reward_rows(record: DebateRecord) -> Iterator[tuple[object, ...]]:
    """The rewards of a debate's candidates: the columns `REWARD` after the sample's."""
    truth = {grade.participant: grade.right for grade in record.grades}
    rival = critic(record)
    for turn in record.turns:
        reward = turn.field("reward").value
        if turn.kind not in ("speech", "candidate") or reward is None:
            continue
        who, right = turn.participant, truth.get(turn.participant)
        if who == rival:
            stance, of_other = turn.field("stance").value, truth.get(PROPOSERS[0])
            known = stance is not None and of_other is not None
            right = (stance == "agree") == of_other if known else None
        value = nan if right is None else float(right)
        chosen = turn.kind == "speech"
        yield who, turn.round, float(reward), chosen, who == rival, value


def _number(text: str) -> int:
    """A number that is the same for the same text, in every process."""
    return int.from_bytes(blake2b(text.encode(), digest_size=7).digest())


_SHOWN = 25
"""Rows that the page shows; the files have all."""


def first_said(records: Records, items: Rows) -> Rows:
    """All turns that were read, with their task; of those of one wording the first.

    What several runs have in common word for word, as answers that are used again, is
    the first run's. Debates without a row in `items`, which newer logs replaced, do not
    count.

    Args:
        records: As from `read_records`.
        items: As from `items_of`.

    Returns:
        The columns `QUESTION` and `TURN`, and the run's `log` and `title`.
    """
    of_items = items[[*SAMPLE, *QUESTION, "log", "title"]]
    turns = records.turns.merge(of_items, on=SAMPLE)
    own = ("run", "id", "turn", "points")
    return turns.drop_duplicates([*QUESTION, *(n for n in TURN if n not in own)])


def points_of(turns: Rows) -> Rows:
    """Every sentence of some turns that says that a task is at fault.

    Args:
        turns: As from `first_said`.

    Returns:
        A row per sentence: the columns of its turn, `about`, and the `sentence`.
    """
    points = turns.explode("points").dropna(subset="points")
    return points.assign(
        about=[point.about for point in points["points"]],
        sentence=[point.sentence for point in points["points"]],
    )


def specification_tables(records: Records, items: Rows) -> list[Table]:
    """The tasks that participants say are at fault, and the sentences that say so.

    Args:
        records: As from `read_records`.
        items: As from `items_of`.

    Returns:
        The tasks, those of most participants first, and the sentences; no table where
        nobody says so.
    """
    turns = first_said(records, items)
    points = points_of(turns)
    if points.empty:
        return []
    return [_tasks(turns, points, items), _sentences(points)]


def _tasks(turns: Rows, points: Rows, items: Rows) -> Table:
    by_task = points.groupby(QUESTION)
    numbers = {
        "Participants": _different(points, [*SAMPLE, "participant"]),
        "of all": _different(turns, [*SAMPLE, "participant"]),
        "Debates": _different(points, SAMPLE),
        "of all debates": _different(turns, SAMPLE),
        "Models": _different(points, ["model"]),
        "of all models": _different(turns, ["model"]),
        "Runs": by_task["run"].nunique(),
    }
    about = by_task["about"].agg(_by_number)
    right = _answers(items).groupby(QUESTION)["right"]
    rows = (
        pd.DataFrame({**numbers, "About": about})
        .dropna(subset="About")
        .astype(dict.fromkeys(numbers, int))
        .join(pd.DataFrame({"Right answers": right.mean(), "Answers": right.size()}))
    )
    rows["All wrong"] = (rows["Right answers"] == 0).where(
        rows["Answers"].notna(), None
    )
    rows["For example"] = by_task["sentence"].first()
    # Of as many participants and runs the first in the alphabet, whatever the logs.
    ordered = rows.reset_index().sort_values(
        ["Participants", "Runs", *QUESTION], ascending=[False, False, True, True, True]
    )
    return Table(
        name="specification",
        title="Tasks that participants say are at fault",
        frame=_named(ordered),
        formats={"Right answers": PERCENT, "Answers": COUNT},
        first=_SHOWN,
        note="A list to review, not a measurement: sentences are found by their words. "
        "Participants are counted in each debate, with what several runs share counted "
        "once; about: the part said to be at fault, with the number of sentences.",
    )


def _sentences(points: Rows) -> Table:
    names = ("about", "sentence", "role", "model", "kind", "round", "epoch")
    ordered = points.sort_values([*QUESTION, "about"], kind="stable")
    titles = {name: name.capitalize() for name in names}
    titles |= {"title": "Condition", "log": "Log"}
    return Table(
        name="specification_points",
        title="What participants say is at fault, sentence by sentence",
        frame=_named(ordered[[*QUESTION, *titles]].rename(columns=titles)),
        note="Sentences are shortened, and without markup.",
        folded=True,
        first=_SHOWN,
    )


def _named(rows: Rows) -> Rows:
    """With names of tasks and data in place of `QUESTION`."""
    data = zip(rows["dataset"], rows["version"], strict=True)
    tasks = {"Task": rows["question_id"], "Data": [benchmark_title(*of) for of in data]}
    rest = rows.drop(columns=QUESTION)
    return pd.concat([pd.DataFrame(tasks, rows.index), rest], axis=1).reset_index(
        drop=True
    )


def _different(rows: Rows, key: Sequence[str]) -> "pd.Series[int]":
    """How many different ones there are of each task."""
    return rows.drop_duplicates([*QUESTION, *key]).groupby(QUESTION).size()


def _by_number(about: "pd.Series[str]") -> str:
    numbers = about.value_counts().sort_index().sort_values(ascending=False)
    return ", ".join(f"{part} ({number})" for part, number in numbers.items())


def _answers(items: Rows) -> Rows:
    """The graded answers, each once."""
    alone = items.loc[items["proposers"] == 0, [*QUESTION, "epoch"]].assign(
        seat="judge",
        model=items["judge"],
        answer=items["run"],
        right=items["answer_right"],
    )
    every = pd.concat([proposed(items), alone])
    return every.dropna(subset="right").drop_duplicates()


# Sentences that say that a task's tests, statement or examples are at fault.
#
# A sentence is one if a part of the task is called wrong, unclear or contradictory, or
# leaves something open. That an answer is wrong, or differs from the task, does not
# count: the fault has to be that of the part itself, and of no answer to it. All
# follows from lists of words and from how they are put together (both below); irony,
# pronouns, and what is spread over several sentences go unnoticed.

About = Literal["tests", "statement", "examples"]

LENGTH = 200
"""Characters of a sentence that are kept."""

_LONGEST = 1000
"""Characters beyond which something is no sentence but a dump of data."""

_NEAR = 60
"""Characters after a part of the task in which what it differs from may be named."""


class Point(NamedTuple):
    """A sentence that says that the task is at fault.

    Attributes:
        about: The part of the task; the task as a whole is its statement.
        sentence: Without markup, shortened to `LENGTH`.
    """

    about: About
    sentence: str


def points_in(text: str) -> Iterator[Point]:
    """The sentences of a text that say that the task is at fault.

    Args:
        text: What somebody wrote. Of code only the comments are read.
    """
    prose = _FENCED.sub(_comments, text) if "```" in text else text
    for written in _SENTENCE_END.split(prose.replace("’", "'")):
        lower = written.lower()
        # Most sentences do not have the words, and are not looked at closely.
        if len(written) > _LONGEST or not (
            _A_PART.search(lower) and _A_FAULT.search(lower)
        ):
            continue
        sentence = " ".join(_MARKUP.sub("", written).split())
        if about := fault_of(sentence):
            yield Point(about, shorten(sentence, LENGTH, placeholder=" …"))


@lru_cache(maxsize=16_384)  # the same answers are in the logs of all formats
def fault_of(sentence: str) -> About | None:
    """What part of the task a sentence says is at fault; None if it says no such thing.

    Args:
        sentence: One, without markup.
    """
    sentence = sentence.lower()
    for subject in _SUBJECT.finditer(sentence):
        before = _CLAUSE_END.split(sentence[: subject.start()])[-1]
        after = sentence[subject.end() :]
        whole = subject.lastgroup == "task"
        if not _OWN.search(before) and _at_fault(before, after, whole=whole):
            return cast(About, "statement" if whole else subject.lastgroup)
    return None


def _at_fault(before: str, after: str, *, whole: bool) -> bool:
    """Whether a fault is named after what has it, before it, or around it."""
    named_after = (_TASK_AFTER if whole else _AFTER).match(after) or (
        _CALLED.search(before) and _IS_CALLED.match(after)
    )
    if named_after and not (_OF_AN_ANSWER.search(before) or _DENIED.search(before)):
        return True
    if _UNCLEAR_WHAT.search(before) and _WANTS.match(after):
        return True
    named = _BEFORE.search(before)
    if named is None or _DENIED.search(before[: named.start()]):
        return False
    if named["slip"] and _MAKES.search(before[: named.start()]):
        return False
    return not (named["between"] and _ANSWERS.search(after[:_NEAR]))


def _comments(block: re.Match[str]) -> str:
    return "\n".join(["", *_COMMENT.findall(block[0]), ""])


_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_COMMENT = re.compile(r"#\s*(.*)")
_MARKUP = re.compile(r"[*`]+|^\W+(?=\w)")
_SENTENCE_END = re.compile(
    r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!vs\.)[\"')*`]*\s+|\n(?![ \t]*[a-z])"
)


# The words by which a sentence says that a task is at fault, and of what.

# What a task consists of, by what a reader would have to look at.
_TESTS = (
    r"(?:(?:unit|hidden|failing|reference|official)[ -])?(?<!to )(?<!\bi )(?<!we )"
    r"tests?(?![ -](?:outputs?|grids?|answers?|results?|predictions?)\b)"
    r"(?:[ -](?:cases?|suites?|methods?|inputs?|class(?:es)?|code))?"
    r"|test_\w+|testcases?|assert(?:ion)?s?(?: statements?)?"
    r"|expected (?:outputs?|values?|results?|answers?|grids?)"
)
_EXAMPLES = (
    r"(?<!for )(?<!as an )(?:(?:worked|training|train|input-output) )?examples?"
    r"(?: (?:pairs?|outputs?|inputs?|grids?))?"
    r"|training (?:pairs?|inputs?|outputs?|grids?)|demonstrations?|doctests?"
)
_STATEMENT = (
    r"docstrings?|(?:problem |task )?(?:specifications?|specs?)"
    r"|(?<!return )(?<!if )(?<!print )(?<!import )(?<!with )(?<!raise )(?<!for )"
    r"(?:problem |task |question )?statements?"
    r"|(?:(?:problem|task|question|function) )?(?:descriptions?|signatures?)"
    r"|prompts?|(?:task )?instructions?|requirements?|wording"
)
# These words may mean much else, so that only some faults count for them.
_TASK = r"(?<=the )(?:task|problem|question|puzzle)|(?<=this )(?:task|problem|puzzle)"

_PART = rf"\b(?:{_TESTS}|{_EXAMPLES}|{_STATEMENT})(?:(?: |_|#)\d+)?\b"
_SUBJECT = re.compile(
    rf"\b(?:(?P<tests>{_TESTS})|(?P<examples>{_EXAMPLES})|(?P<statement>{_STATEMENT})"
    rf"|(?P<task>{_TASK}))(?:(?: |_|#)\d+(?:(?:, | and | or )\d+)*)?\b"
)
"""A part of the task, or the task, in a group named after it; in lower case."""

_ANSWER = (
    r"(?:answers?|solutions?|code|implementations?|programs?|submissions?|outputs?"
    r"|results?|predictions?|grids?|proposals?|responses?|approach(?:es)?|claims?"
    r"|readings?|interpretations?|handling|treatment|uses?|rules?|case"
    r"|alice|bob|debaters?|proposers?|opponents?|critics?|candidates?)(?:'s)?"
)
"""What most sentences are about: what is put to the judge, or who puts it."""

_WRONG = (
    r"(?:wrong|incorrect|broken|buggy|flawed|faulty|erroneous|mistaken|defective"
    r"|inaccurate|misleading|nonsensical)"
)
_UNCLEAR = (
    r"(?:ambiguous|unclear|under-?specified|unspecified|vague|imprecise|confusing"
    r"|incomplete|ill[- ](?:defined|posed|specified)|silent|too vague"
    r"|open to interpretation|underdetermined|insufficient)"
)
_AT_ODDS = (
    r"(?:contradictory|self-contradictory|inconsistent|conflicting|incompatible"
    r"|at odds|in conflict|irreconcilable|mutually exclusive)"
)
"""Faults that lie between two parts of a task, or between a task and an answer."""

_IMPOSSIBLE = r"(?:impossible|unsatisfiable|unsolvable|insoluble|infeasible)"

_SOUND = (
    r"(?:clear|right|correct|accurate|precise|explicit|specific|sufficient|enough"
    r"|well[- ](?:defined|specified|posed)|unambiguous|specified|stated|satisfiable)"
)
_GAP = (
    r"(?:ambiguit(?:y|ies)|contradictions?|inconsistenc(?:y|ies)|mismatch(?:es)?"
    r"|discrepanc(?:y|ies)|conflicts?|disagreements?|vagueness)"
)
_SLIP = r"(?:typos?|bugs?|errors?|mistakes?|flaws?|defects?)"
_NOT = (
    r"(?:not(?! only| just| merely| simply)|never|hardly|scarcely|neither|far from"
    r"|nowhere near|anything but|no longer|by no means|in no way|less than)"
)
_MANY = (
    r"(?:two|2|three|several|multiple|many|both|either|competing|various|different"
    r"|more than one|at least two)"
)
_READINGS = (
    r"(?:readings?|interpretations?|rules?|meanings?|patterns?|transformations?"
    r"|hypothes[ie]s|explanations?)"
)
_THE = r"(?:the|this|that|these|those|its|their|a|an|each|every|all|both|our|some)"


# How the words above are put together in what is looked for.
#
# A part of the task splits its clause in two. Patterns named _AFTER are matched against
# what follows it, those named _BEFORE are searched in what leads up to it, which they
# end. All is in lower case.

_A_PART = re.compile(
    "test|assert|expected|example|training|demonstration|docstring|spec|statement"
    "|descri|signature|prompt|instruction|requirement|wording|task|problem|question"
    "|puzzle"
)
_A_FAULT = re.compile(
    "wrong|incorrect|broken|buggy|flaw|fault|erro|mistak|defect|inaccura|mislead"
    "|nonsens|ambigu|unclear|specified|vague|imprecis|confus|incomplete|ill-|ill "
    "|silent|interpret|contradict|inconsist|conflict|incompat|odds|irrecon|mutual"
    "|impossib|satisf|solvable|solubl|feasib|mismatch|discrepan|disagree|typo|bug"
    "|reading|n't|not|never|fails? to|nothing|be read|be understood|be parsed"
    "|be taken|underdeter|insuff|clash|both|two|leave|left|several|multiple|opposite"
    "|no "
)
"""What a sentence needs to have of both, in lower case, to be looked at closely."""

_CLAUSE_END = re.compile(
    r"[,;:()—–]|\b(?:because|but|while|since|although|though|whereas|and|however)\b"
)

_ADVERBS = (
    r"(?:\s+(?:\w+ly|very|quite|rather|somewhat|just|itself|themselves|also|still"
    r"|indeed|in fact|too|so|a bit|a little|at best|both|either|even|as written"
    r"|most|more))*"
)
_PERHAPS = r"(?:\s+(?:\w+ly|also|may|might|could|must|seems? to|appears? to|itself))*"
_NO_PART_OF_IT = (
    r"(?:shows?|proves?|means?|says?|suggests?|expects?|fails?|passes|pass|that|which"
    rf"|because|where|how|why|and|but|is|are|was|were|{_ANSWER})\b"
)
_OF_IT = (
    r"(?:\s+(?:in|for|of|on|at|about|under|from"
    r"|(?:that|which)\s+(?:expects?|demands?|requires?|wants?|asserts?|checks?))"
    rf"(?:\s+(?!{_NO_PART_OF_IT})[\w'./-]+){{1,5}}?)?"
    r"(?:\s+(?:itself|themselves|here|above|below|as (?:given|written|stated)|alone"
    r"|both|all))?(?:\s*\([^()]{0,40}\))?"
    r"(?:,\s+(?:however|though|too|then|as (?:written|stated|given)|in fact),)?"
)
"""What may come between a part of the task and the verb."""

_IS = (
    r"\s+(?:(?:may|might|could|must|can|will)\s+(?:\w+ly\s+)?be|is|are|was|were|being"
    r"|seems?(?: to be)?|appears?(?: to be)?|looks?|remains?|becomes?|stays?)"
)
_IS_NOT = rf"(?:{_IS}(?:n't|{_ADVERBS}\s+{_NOT})|\s+(?:seems?|looks?)\s+{_NOT})"
_SELF = r"(?:itself|themselves|each other|one another|the others?|the rest)\b"
_OTHER_PART = rf"(?:(?!{_ANSWER}\b)[\w'-]+\s+){{0,6}}?(?:{_PART}|{_SELF})"
_IN_CONFLICT = (
    rf"{_AT_ODDS}\b(?:(?!\s+(?:with|to|from)\b)|\s+(?:with|to|from)\s+{_OTHER_PART})"
)
_CONSISTENT = rf"(?:consistent|compatible)\b(?:(?!\s+with\b)|\s+with\s+{_OTHER_PART})"
_SAY = (
    r"(?:say|specify|state|mention|define|clarify|tell|explain|indicate|cover|address"
    r"|determine|decide|settle|pin down|disambiguate|distinguish|spell out|make clear"
    r"|make it clear|make sense|says|specifies|states|mentions|defines|clarifies|tells"
    rf"|(?:match|agree with|fit|follow from)\s+{_OTHER_PART})\b"
)
_DOES_NOT = (
    r"\s+(?:(?:does|do|did|can|could)(?:n't|not| not)|cannot|never|nowhere|fails? to)"
)

_UNCLEAR_IN_ITSELF = (
    # "... is not clear"
    rf"{_IS_NOT}{_ADVERBS}\s+(?:{_SOUND}\b|{_CONSISTENT})",
    # "... does not say", "... says nothing about", "... makes no sense"
    rf"{_DOES_NOT}{_ADVERBS}\s+{_SAY}",
    r"\s+(?:says?|tells? us)\s+nothing\b(?!\s+(?:is|was|has|will|should|must|can)\b)"
    r"|\s+makes?\s+no\s+sense\b",
    # "... leaves it open"
    r"\s+(?:leaves?|left)\s+(?!(?:only |just )?one\b)(?:[\w'-]+\s+){0,7}?"
    r"(?:open|undefined|unspecified|unclear|ambiguous|to interpretation)\b",
    # "... can be read in two ways", "... is consistent with two rules"
    r"\s+(?:can|could|may|might)\s+(?:(?:\w+ly|also|well|just as \w+)\s+)*be\s+"
    r"(?:read|interpreted|understood|parsed|taken)\b(?!\s+(?:from|off|into|by)\b)",
    r"(?:\s+(?:is|are)\s+(?:\w+ly\s+)?(?:consistent|compatible)\s+with"
    r"|\s+(?:admits?|allows?|permits?|supports?|has|have|leaves?|fits?|invites?))"
    rf"\s+(?:[\w-]+\s+){{0,3}}?{_MANY}\s+(?:[\w-]+\s+){{0,3}}?{_READINGS}\b",
    r"\s+(?:is|are)\s+(?:open|subject)\s+to\s+(?:[\w-]+\s+){0,4}?"
    r"(?:interpretations?|readings?)\b",
    # "... cannot be satisfied by any solution", "... cannot all be right"
    r"\s+can(?:not|'t| not| never)(?:\s+(?:both|all|ever|simultaneously|possibly))*\s+"
    r"(?:be\s+(?:satisfied|met|passed|solved|fulfilled|right|correct)|pass)\b"
    r"(?!\s+(?:by|with|for|on|under)\s+(?!any\b|every\b|all\b|a (?:correct|valid)\b))",
)
_AT_FAULT = (
    # "... is ambiguous", "... are long and contradictory"
    rf"{_IS}{_ADVERBS}\s+(?:(?:not only\s+)?\w+\s+(?:and|or|but|yet)\s+)?"
    rf"(?:(?:{_WRONG}|{_UNCLEAR}|{_IMPOSSIBLE})\b|{_IN_CONFLICT})",
    # "... contradicts the docstring", "... disagree."
    rf"{_PERHAPS}\s+(?:contradicts?|conflicts?\s+with|disagrees?\s+with"
    rf"|clash(?:es)?\s+with)\s+{_OTHER_PART}",
    r"\s+(?:conflict|disagree|clash)(?=\s*(?:[.,;:!?)]|$|here\b|on\b|about\b))",
    # "... contains a typo"
    rf"{_PERHAPS}\s+(?:has|have|contains?|includes?|suffers?\s+from)\s+"
    rf"(?:(?!no\b)[\w-]+\s+){{0,3}}?(?:{_GAP}|{_SLIP})\b",
    # "... expects the wrong value", "... checks the opposite"
    r"\s+(?:expects?|asserts?|requires?|demands?)\s+(?:[\w-]+\s+){0,2}?"
    r"(?:wrong|incorrect|impossible|contradictory|conflicting|inconsistent)\b"
    r"(?!\s+(?:inputs?|arguments?|data|types?)\b)",
    r"\s+(?:checks?|expects?|asserts?|requires?|demands?)\s+(?:for\s+)?the\s+opposite\b",
)
_AFTER = re.compile(rf"{_OF_IT}(?:{'|'.join((*_AT_FAULT, *_UNCLEAR_IN_ITSELF))})")

_TASK_IS = rf"{_IS}{_ADVERBS}\s+(?:(?:{_UNCLEAR}|{_IMPOSSIBLE})\b|{_IN_CONFLICT})"
_TASK_AFTER = re.compile(rf"{_OF_IT}(?:{'|'.join((_TASK_IS, *_UNCLEAR_IN_ITSELF))})")
"""Of a word for the whole task: "the problem is wrong indexing" is not about it."""

_WORD = (
    r"(?:(?!(?:of|in|for|on|at|about|with|to|by|from|if|when|as|that|is|are)\b)"
    r"[\w-]+\s+)"
)
_WORDS = rf"{_WORD}{{0,2}}$"
_IN = rf"\s+(?:in|within|of|among)\s+(?:{_THE}\s+)?{_WORDS}"
_UNSAID = (
    r"(?:(?:not|n't|never|nowhere)(?:\s+\w+ly)?\s+(?:specified|stated|clear|mentioned"
    r"|said|explained|determined|given|spelled out)"
    r"|(?<!not )(?<!n't )(?:unclear|ambiguous|unspecified|under-?specified"
    r"|left (?:open|undefined|unspecified|unclear|ambiguous)))"
)
_FIT = (
    r"(?:(?:that|which|can|could|both|all|equally|would)\s+)*(?:fit|fits|explain"
    r"|explains|match|satisfy|reproduce|agree with|are consistent with|hold in"
    r"|work for|work on|account for)"
)
_PASS = rf"(?:pass|satisfy|meet|fulfil)\s+(?:(?:{_THE}|of)\s+)*{_WORDS}"
_BEFORE = re.compile(
    # "an ambiguous docstring"; "the wrong example" may be a right one
    rf"\b(?:{_UNCLEAR}|{_AT_ODDS}|{_IMPOSSIBLE}|contradicting|(?<!the ){_WRONG})\s+"
    rf"(?:(?:and|or)\s+)?{_WORD}?$"
    # "an ambiguity in the statement", "a typo in the test"
    rf"|\b{_GAP}{_IN}|(?P<slip>\b{_SLIP}){_IN}"
    # "a contradiction between the statement and the tests"
    rf"|(?P<between>\b{_GAP}\s+between)\s+(?:{_THE}\s+)?{_WORDS}"
    # "is not specified in the docstring"
    rf"|\b{_UNSAID}\s+(?:anywhere\s+)?(?:in|by|from|within)\s+(?:{_THE}\s+)?{_WORDS}"
    # "two readings of the statement", "both rules fit the examples"
    rf"|\b{_MANY}\s+(?:[\w-]+\s+){{0,3}}?(?:(?:readings|interpretations|meanings)\s+"
    rf"(?:of|for|in|under)|{_READINGS}\s+{_FIT})\s+(?:all\s+|of\s+)*(?:{_THE}\s+)?{_WORDS}"
    # "no solution can pass these tests", "it is impossible to satisfy both tests"
    r"|\bno\s+(?:[\w-]+\s+){0,2}?(?:answer|solution|code|program|function|one)\s+"
    rf"(?:can|could|will|would)\s+(?:ever\s+|possibly\s+)?{_PASS}"
    rf"|\bimpossible\s+to\s+{_PASS}"
)

_UNCLEAR_WHAT = re.compile(
    r"(?:unclear|not (?:\w+ly )?clear|n't clear|ambiguous|not obvious)\s+"
    rf"(?:exactly\s+)?(?:what|whether|how|which|if|why)\s+(?:exactly\s+)?(?:{_THE}\s+)?"
    r"(?:[\w-]+\s+)?$"
)
_WANTS = re.compile(
    rf"{_OF_IT}\s+(?:really\s+|actually\s+)?(?:expects?|wants?|means?|intends?|asks?"
    r"|requires?|allows?|demands?|says?|refers?|calls?|is supposed)\b"
)
"""Together: "unclear what the tests expect"."""

_CALLED = re.compile(
    rf"\b(?:find|found|consider|call|deem|judge|regard|mak|render)\w*\s+"
    rf"(?:{_THE}\s+)?(?:[\w-]+\s+)?$"
)
_IS_CALLED = re.compile(
    rf"{_OF_IT}(?:\s+(?:as|to be))?{_ADVERBS}\s+"
    rf"(?:{_WRONG}|{_UNCLEAR}|{_AT_ODDS}|{_IMPOSSIBLE})\b(?=\s*(?:[.,;:!?)]|$|and\b|here\b))"
)
"""Together: "I find the docstring ambiguous"."""

_ANSWERS = re.compile(
    rf"\b(?!expected ){_ANSWER}\b|\b(?:my|his|her|your|he|she|they|you|i)\b"
)
_OWN = re.compile(
    r"(?:\b(?!(?:task|problem|docstring|statement|prompt|function|puzzle|author)'s)"
    r"\w+'s|\b(?:my|your|his|her))\s+(?:[\w-]+\s+)?$"
)
"""Before what is no part of the task: "Bob's test"."""

_OF_AN_ANSWER = re.compile(
    rf"\b(?<!expected ){_ANSWER}\s+(?:of|for|to|on|in|with|against|from|under)\s+"
    rf"(?:{_THE}\s+)?(?:[\w-]+\s+){{0,2}}$"
)
"""Before a part of the task that is not what the sentence is about: "the answer to"."""

_MAKES = re.compile(
    r"\b(?:rais|throw|threw|caus|produc|get|giv|mak|made|introduc|hit|return|trigger"
    r"|has|had|have|commit|contain|leads? to|run into)\w*\s+(?:[\w-]+\s+){0,3}$"
)
_DENIED = re.compile(
    r"\b(?:no|without)\s+(?:[\w-]+\s+){0,3}$"
    r"|(?:\b(?:none of|neither|nor|nothing (?:in|about)|hardly|not|never)|n't)\s+"
    rf"(?:(?:{_THE}|of|any|one|single|real|true|such|really|at all|that)\s+){{0,4}}$"
    r"|(?:\b(?:not|never|cannot|hardly|no reason to)|n't)\s+(?:\w+ly\s+)?(?:think"
    r"|believe|see|find|found|agree|accept|say|mean|claim|consider|call|follow|clear"
    r"|true|the case|shown?|evidence)\b[^.]{0,40}$"
    r"|\b(?:disagree|den(?:y|ies|ied)|reject|disput|doubt|refut|falsely|mistakenly"
    r"|wrongly|incorrectly|wrong (?:that|to|in)|instead of|rather than|if|unless"
    r"|suppos|assum|whether)\w*\b[^.]{0,30}$"
)
"""Before a fault that is denied, or supposed for argument's sake."""
