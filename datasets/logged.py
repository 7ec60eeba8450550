"""The samples of a log with their debates, to judge them again."""

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog, read_eval_log, read_eval_log_samples

from inspect_debate.debate.errors import InputError, typed_path
from inspect_debate.debate.record import Debate, debate_of


class Logged(NamedTuple):
    """The header of a log, its samples, and their records by sample id and epoch."""

    log: EvalLog
    samples: MemoryDataset
    debates: dict[tuple[int | str, int], Debate]


def logged(path: str, parameter: str = "debates") -> Logged:
    """Read the debates of a log, whose path was given as `parameter`."""
    place = path if "://" in path else str(typed_path(path))
    file = Path(place)
    return _read(place, path, parameter, file.stat().st_mtime if file.exists() else 0)


@lru_cache(maxsize=2)  # a task and its solver read the same one
def _read(place: str, path: str, parameter: str, changed: float) -> Logged:
    if Path(place).is_dir():
        raise InputError(f"{parameter}={path} is a folder; give one log in it.")
    try:
        log = read_eval_log(place, header_only=True)
        skipped = {"events", "messages", "attachments"}
        found = read_eval_log_samples(
            place, all_samples_required=False, exclude_fields=skipped
        )
        ran = [*found]
    except Exception as error:  # Inspect raises what its file, zip or JSON reader does
        reason = str(error).strip().partition("\n")[0]
        raise InputError(
            f"{parameter}={path} cannot be read as a log: {reason}."
        ) from None
    records = {(sample.id, sample.epoch): debate_of(sample) for sample in ran}
    debates = {key: debate for key, debate in records.items() if debate}
    ended = sum(debate.complete for debate in debates.values())
    expected = len({sample.id for sample in ran}) * (log.eval.config.epochs or 1)
    if not debates:
        raise InputError(
            f"{parameter}={path} is a log of {log.eval.task} without debates; give one "
            "of a protocol of inspect_debate."
        )
    if ended < expected or log.status != "success":
        raise InputError(
            f"{parameter}={path} has {ended} debates that have ended, of {expected} "
            f"samples and epochs, and its status is {log.status}; complete it by "
            "`inspect eval-retry`."
        )
    samples = {
        sample.id: Sample(
            sample.input,
            choices=sample.choices,
            target=sample.target,
            id=sample.id,
            metadata=sample.metadata,
        )
        for sample in ran
    }
    return Logged(log, MemoryDataset([*samples.values()]), debates)
