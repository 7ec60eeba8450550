"""Which models answered: providers may serve another than the one that was asked."""

from collections.abc import Iterator

from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalSampleSummary, read_eval_log_sample

from inspect_debate.analysis.compare.facts import SERVED, Fact
from inspect_debate.analysis.compare.runs import Run

LOOKED_AT = 4
"""Samples of a log that are read in full for this, spread over the log."""


def served_facts(run: Run) -> dict[Fact, str]:
    """The names under which models answered, by the name under which they were asked.

    Only `LOOKED_AT` samples are read; a model that served others goes unseen.
    """
    found: dict[str, dict[str, None]] = {}
    for sample in _spread(run):
        for asked, served in _served(run, sample):
            found.setdefault(asked, {})[served] = None
    return {
        Fact(SERVED, asked): ", ".join(sorted(names))
        for asked, names in sorted(found.items())
    }


def _spread(run: Run) -> list[EvalSampleSummary]:
    known = [sample for sample in run.samples if sample.completed]
    last = len(known) - 1
    places = {part * last // (LOOKED_AT - 1) for part in range(LOOKED_AT)}
    return [known[place] for place in sorted(places) if known]


def _served(run: Run, sample: EvalSampleSummary) -> Iterator[tuple[str, str]]:
    read = read_eval_log_sample(
        str(run.log.path),
        sample.id,
        sample.epoch,
        exclude_fields={"store", "messages", "attachments"},
    )
    for event in read.events:
        if isinstance(event, ModelEvent) and event.output.model:
            yield event.model, event.output.model
