"""An earlier run of a study, all of whose debates are used again as they were held."""

from dataclasses import dataclass
from typing import Any

from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log_sample, read_eval_log_sample_summaries

from inspect_debate.core.errors import InputError
from inspect_debate.core.paths import existing_log, user_path

_UNREAD = {"events", "messages", "attachments", "store"}


@dataclass(frozen=True)
class Earlier:
    """A finished run of a study, all of whose debates are used again."""

    path: str
    metadata: dict[str, Any]

    @property
    def protocol(self) -> str:
        """Its protocol."""
        return str(self.metadata["protocol"])

    @property
    def parameters(self) -> dict[str, Any]:
        """Its effective parameters."""
        return dict(self.metadata["parameters"])

    def samples(self) -> list[Sample]:
        """What was debated: the samples of its first epoch, with their metadata."""
        summaries = read_eval_log_sample_summaries(self.path)
        ids = [summary.id for summary in summaries if summary.epoch == 1]
        logged = (
            read_eval_log_sample(self.path, id, exclude_fields=_UNREAD) for id in ids
        )
        return [
            Sample(id=s.id, input=s.input, target=s.target, metadata=s.metadata)
            for s in logged
        ]


def earlier_run(typed: str, study: str) -> Earlier:
    """A study's run that is used again as it is.

    Args:
        typed: Its log, as the user typed it.
        study: The study.

    Raises:
        InputError: If there is no such log, or it is of something else.
    """
    metadata = existing_log("reuse", typed).eval.metadata or {}
    if metadata.get("study") != study:
        raise InputError(f"reuse={typed} is not the log of a run of study {study!r}.")
    return Earlier(str(user_path(typed)), metadata)
