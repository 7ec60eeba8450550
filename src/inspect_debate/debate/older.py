"""Logs of earlier versions: their records and metadata as they would be written now.

Version 1 counted the first answers of `naive_debate` among its rounds, and called the
rounds of generative debate `speech_rounds`. Since version 2 `rounds` are rounds of
speeches (or of updates) after the first answers, everywhere. Version 3 renamed
`undebated_because` to `skip_reason`.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from inspect_ai.log import EvalSpec
from inspect_ai.log._samples import sample_active  # nothing public names a run's log

from inspect_debate.debate.errors import InputError

RECORD_VERSION = 3


def upgraded(text: str) -> str:
    """A record's JSON as this version writes it."""
    if text.startswith(f'{{"version":{RECORD_VERSION},'):
        return text
    record = json.loads(text)
    if not {"protocol", "parameters"} <= record.keys():
        return text  # no record of ours, as whoever reads it will find
    if record.pop("version", 1) == 1:
        record["parameters"] = _parameters(record["protocol"], record["parameters"])
    if "undebated_because" in record:
        record["skip_reason"] = record.pop("undebated_because")
    return json.dumps({"version": RECORD_VERSION} | record, separators=(",", ":"))


def upgraded_metadata(metadata: Mapping[str, Any] | None) -> dict[str, Any]:
    """A task's metadata as this version writes them; those of others as they are.

    Version 1 had the version of the task as `version`, and not as `task_version`.
    """
    found = dict(metadata or {})
    if "task_version" in found or not {"version", "parameters"} <= found.keys():
        return found
    parameters = _parameters(str(found.get("protocol")), found["parameters"])
    return {**found, "task_version": found["version"], "parameters": parameters}


def check_version() -> None:
    """Check that a run does not go on with the samples of an earlier version.

    `inspect eval-retry` runs the task as it is now, and the run has the earlier run's
    metadata beside its own.

    Raises:
        InputError: If it does.
    """
    sample = sample_active()
    place = Path(sample.log_location.removeprefix("file://")) if sample else Path()
    if place.suffix != ".eval" or not place.is_file():
        return  # elsewhere reading would make this sample wait, and change the order
    with ZipFile(place) as log:
        there = (
            json.loads(log.read("_journal/start.json"))["eval"].get("metadata") or {}
        )
    begun, now = there.get("version"), there.get("task_version")
    if begun is not None and begun != now:
        raise InputError(
            f"This log was begun by version {begun} of the task. It cannot go on with "
            f"version {now}, whose parameters or scores differ: run the task again. "
            "Answers and debates that are done can be used with reuse=LOG."
        )


def upgraded_arguments(spec: EvalSpec) -> dict[str, Any]:
    """What a user gave to a task, as this version takes it."""
    given = dict(spec.task_args_passed or {})
    metadata = spec.metadata or {}
    if "task_version" in metadata or "version" not in metadata:
        return given
    return _parameters(str(metadata.get("protocol")), given)


def _parameters(protocol: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    found = {
        "rounds" if name == "speech_rounds" else name: value
        for name, value in parameters.items()
    }
    if protocol == "naive_debate" and "rounds" in found:
        found["rounds"] -= 1
    return found
