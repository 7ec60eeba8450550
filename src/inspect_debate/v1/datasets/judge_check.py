"""Finished debates on which a judge is checked: a sample, or those of a log."""

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from logging import getLogger
from typing import Any, NamedTuple

from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import (
    EvalSample,
    read_eval_log_sample,
    read_eval_log_sample_summaries,
)
from inspect_ai.scorer import Target

from inspect_debate.v1.datasets.questions_sources import load
from inspect_debate.v1.datasets.sources import (
    Loaded,
    read_jsonl,
    register_truth,
    shipped_yaml,
)
from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.judge_checks import DEBATE, PERTURBED, unusable_because
from inspect_debate.v1.debate.matching import canonical
from inspect_debate.v1.debate.outcome import right_forms
from inspect_debate.v1.debate.participants import PERSON
from inspect_debate.v1.debate.paths import existing_log, file_name, user_path
from inspect_debate.v1.debate.question import choice_fingerprint
from inspect_debate.v1.debate.record import DebateRecord
from inspect_debate.v1.debate.reuse import NOT_NEEDED, logged_record
from inspect_debate.v1.debate.seeds import seeded
from inspect_debate.v1.debate.stored import each_sample

logger = getLogger(__name__)

STUDIES = ("colmad", "debate")
"""The tasks whose logs hold debates that can be judged again."""

_NAMES = ("Alice", "Bob")


def finished_debates(debates: str, seed: int = 0) -> Loaded:
    """The samples of a judge check, in a seeded order.

    Args:
        debates: `sample` (24 debates written for this package), or the log of a run of
            task `colmad` or `debate`, of which the first epoch's debates are taken.
        seed: Decides the order, and whose speech is manipulated.

    Returns:
        A sample for each debate, as it was there. The metadata have `manipulated`, the
        answer whose side a check may manipulate: the first and the second, and the
        right one and a wrong one, as equally often as can be. The provenance has the
        source, the number of debates, and the samples that were left out, by reason.

    Raises:
        InputError: If there is no such log, or it has no debates of two.
    """
    loaded = _shipped() if debates == "sample" else _logged(debates)
    samples = sorted(
        loaded.dataset, key=lambda s: seeded(seed, "order", str(s.id)).random()
    )
    _draw_sides(samples, seed)
    provenance = loaded.provenance | {"debates": len(samples)}
    return Loaded(MemoryDataset(samples, name=loaded.dataset.name), provenance)


def _draw_sides(samples: Sequence[Sample], seed: int) -> None:
    """Say whose speech is manipulated: the first side's and the second's by turns.

    By turns by itself where the right side is the first, where it is the second, and
    where it is not known: so right sides and wrong ones are manipulated by turns, too.
    """
    start = seeded(seed, "manipulated").random() < 0.5
    places: defaultdict[int | None, bool] = defaultdict(lambda: start)
    for sample in samples:
        assert sample.metadata is not None
        sides, right = sample.metadata.pop("sides"), sample.metadata.pop("right")
        where = sides.index(*right) if len(right) == 1 else None
        sample.metadata[PERTURBED] = sides[places[where]]
        places[where] = not places[where]


# --- the sample ----------------------------------------------------------------------


def _shipped() -> Loaded:
    records = [e.record for e in load("sample").entries]
    asked = {str(r["id"]): r for r in records if isinstance(r, Mapping)}
    written = shipped_yaml("judge_check_sample.yaml")
    samples = [
        _written_sample(place, entry, asked[entry["question"]])
        for place, entry in enumerate(written)
    ]
    dataset = MemoryDataset(samples, name="judge_check_sample")
    return Loaded(dataset, {"source": "sample", "left_out": {}})


def _written_sample(place: int, entry: Mapping[str, Any], asked: Any) -> Sample:
    """A debate of the sample; where its right answer stands goes by its place."""
    right_first, right_is_alice = place % 2 == 0, place % 4 < 2
    right = asked["options"]["ABCD".index(asked["answer"])]
    options = (
        [right, entry["wrong_answer"]]
        if right_first
        else [entry["wrong_answer"], right]
    )
    fingerprint = choice_fingerprint(asked["question"], options, asked["passage"])
    target = "A" if right_first else "B"
    register_truth(fingerprint, target)
    names = _NAMES if right_is_alice else _NAMES[::-1]
    letters = ("A", "B") if right_first else ("B", "A")
    speeches = [
        {
            "speaker": "debater_a" if name == "Alice" else "debater_b",
            "name": name,
            "defends": letter,
            "round": number,
            "text": text.strip().format(opponent=other, own=letter, other=against),
        }
        for side, name, other, letter, against in (
            ("right", *names, *letters),
            ("wrong", *names[::-1], *letters[::-1]),
        )
        for number, text in enumerate(entry[side], start=1)
    ]
    speeches.sort(key=lambda speech: (speech["round"], speech["speaker"]))
    return Sample(
        id=asked["id"],
        input=asked["question"],
        choices=options,
        target=target,
        metadata={
            "data_name": "judge_check_sample",
            "passage": asked["passage"],
            "fingerprint": fingerprint,
            "sides": ["A", "B"],
            "right": [target],
            DEBATE: speeches,
        },
    )


# --- the debates of a log ------------------------------------------------------------


def _logged(typed: str) -> Loaded:
    header = existing_log("debates", typed)
    metadata = header.eval.metadata or {}
    if metadata.get("study") not in STUDIES:
        raise InputError(
            f"debates={typed} is not the log of a run of the tasks "
            f"{' or '.join(STUDIES)}."
        )
    path = str(user_path(typed))
    left_out: Counter[str] = Counter()
    samples = []
    for summary in read_eval_log_sample_summaries(path):
        if summary.epoch > 1:
            continue
        sample = read_eval_log_sample(
            path,
            id=summary.id,
            epoch=1,
            exclude_fields=NOT_NEEDED,
            resolve_attachments="full",
        )
        record = logged_record(path, sample)
        if (reason := unusable_because(record)) is not None:
            left_out[reason] += 1
            continue
        assert record is not None
        samples.append(_logged_sample(sample, record, typed))
    if not samples:
        reasons = ", ".join(f"{n} {reason}" for reason, n in left_out.items())
        raise InputError(f"debates={typed} holds no debate ({reasons or 'no sample'}).")
    if left_out:
        logger.warning(f"debates={typed}: left out are {dict(left_out)}.")
    provenance = {
        "source": file_name(typed),
        "protocol": metadata.get("protocol"),
        "run": header.eval.eval_id,
        "left_out": dict(left_out),
    }
    return Loaded(MemoryDataset(samples, name=header.eval.dataset.name), provenance)


def _logged_sample(sample: EvalSample, record: DebateRecord, typed: str) -> Sample:
    defended = {p.defends for p in record.participants if p.role != "judge"}
    sides = [choice for choice in record.choices if choice in defended]
    if len(sides) != 2:
        raise InputError(
            f"debates={typed} has speeches for one side alone (protocol="
            f"{record.protocol}), or for none; a judge check needs debates of two."
        )
    if isinstance(sample.target, str):
        register_truth(record.question, sample.target)
    right = right_forms(record, [*Target(sample.target)])
    return Sample(
        id=sample.id,
        input=sample.input,
        choices=sample.choices,
        target=sample.target,
        metadata=sample.metadata
        | {"sides": sides, "right": [side for side in sides if side in right]},
    )


# Answers that people gave to the questions of debates, from a file.

_COLUMNS = {"id", "answer", "annotator"}
_CALLED = {"error": "error", "1": "error", "no_error": "no_error", "2": "no_error"}
_NAMED = 3


class HumanLabels(NamedTuple):
    """What people answered.

    Attributes:
        answers: By sample id the answer of most annotators; None where they tie.
        provenance: The file's name, and how much is in it, for the log.
    """

    answers: Mapping[str, str | None]
    provenance: dict[str, Any]


def human_labels(typed: str, samples: Sequence[Sample]) -> HumanLabels:
    """Read human labels of samples.

    Args:
        typed: A CSV file, or JSON lines: `id`, `answer`, and `annotator` where several
            people labelled; or a log of debates that people judged. An answer is a
            letter or an option's text; in error detection `error` or `no_error`, or 1
            or 2; in words, words.
        samples: All that may be labelled.

    Raises:
        InputError: If the file cannot be read, lacks a column, names an unknown sample
            or answer, or has an annotator label a sample twice.
    """
    where = f"human_labels={typed}"
    known = {str(sample.id): sample for sample in samples}
    votes: defaultdict[str, dict[str, str]] = defaultdict(dict)
    wrong: list[str] = []
    rows = _people(typed, known) if typed.endswith(".eval") else _rows(typed, where)
    for place, row in rows:
        _check_columns(row, f"{where}, {place}")
        id, given = str(row["id"]), str(row["answer"]).strip()
        named = row.get("annotator")
        annotator = "" if named is None else str(named)
        if id not in known:
            wrong.append(f"{place}: no debate has the id {id!r}")
        elif (answer := _answer(given, known[id])) is None:
            wrong.append(f"{place}: {given!r} is no answer to {id}")
        elif annotator in votes[id]:
            who = f"annotator {annotator!r}" if annotator else "nobody in particular"
            wrong.append(f"{place}: {id} is labelled by {who} twice")
        else:
            votes[id][annotator] = answer
    if wrong:
        shown = "; ".join(wrong[:_NAMED])
        raise InputError(f"{where} has {len(wrong)} wrong lines: {shown}.")
    if not votes:
        raise InputError(f"{where} has no label.")
    answers = {id: _majority([*given.values()]) for id, given in votes.items()}
    provenance = {
        "file": file_name(typed),
        "labels": sum(map(len, votes.values())),
        "annotators": len({who for given in votes.values() for who in given}),
        "labelled": len(votes),
        "tied": sum(answer is None for answer in answers.values()),
    }
    return HumanLabels(answers, provenance)


def _people(
    typed: str, known: Collection[str]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The verdicts of people on some samples of a log."""
    existing_log("human_labels", typed)
    path = user_path(typed)
    for sample in each_sample(path):
        record = logged_record(str(path), sample)
        if record is None or sample.epoch > 1 or str(sample.id) not in known:
            continue
        for turn in record.of_kind("verdict"):
            answer = turn.field("answer").value
            if turn.model.startswith(PERSON) and answer is not None:
                row = {"id": sample.id, "answer": answer, "annotator": turn.model}
                yield f"sample {sample.id}", row


def _rows(typed: str, where: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    path = user_path(typed)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{where} cannot be read: {error}.") from error
    if path.suffix.lower() == ".csv":
        reader = csv.DictReader(io.StringIO(text, newline=""), restkey="more cells")
        for row in reader:
            yield f"line {reader.line_num}", row
        return
    for number, value in read_jsonl(text.encode(), where):
        if not isinstance(value, dict):
            raise InputError(f"{where}, line {number} is no JSON object.")
        yield f"line {number}", value


def _check_columns(row: Mapping[str, Any], where: str) -> None:
    missing = [name for name in ("id", "answer") if row.get(name) in (None, "")]
    unknown = [str(name) for name in row if name not in _COLUMNS]
    if missing or unknown:
        what = f"lacks {missing[0]!r}" if missing else f"has {unknown[0]!r}"
        raise InputError(f"{where} {what}; allowed: {', '.join(sorted(_COLUMNS))}.")


def _answer(given: str, sample: Sample) -> str | None:
    """The answer as records have it; None if the sample has no such answer."""
    if not sample.choices:
        detects = not isinstance(sample.input, str)
        return _CALLED.get(given) if detects else canonical(given) or None
    letters = [chr(ord("A") + n) for n in range(len(sample.choices))]
    if given.upper() in letters:
        return given.upper()
    same = [
        letter
        for letter, text in zip(letters, sample.choices, strict=True)
        if canonical(text) == canonical(given)
    ]
    return same[0] if len(same) == 1 else None


def _majority(answers: Sequence[str]) -> str | None:
    (answer, most), *others = Counter(answers).most_common()
    return None if others and others[0][1] == most else answer
