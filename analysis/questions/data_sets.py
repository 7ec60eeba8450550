"""Which data sets runs are on, by names that tell them apart."""

from collections.abc import Mapping, Sequence

from inspect_debate.analysis.arms import flat, text
from inspect_debate.analysis.logs import Log


def data_sets(logs: Sequence[Log], names: Mapping[str, str]) -> dict[str, str]:
    """What readers call the data set of each run.

    Args:
        logs: The logs.
        names: By run the name of its data set, where samples have one.

    Returns:
        By run the name; where data of one name were taken in several ways, such as with
        two candidates and with all, with what differs.
    """
    told = {log.header.eval.eval_id: _told(log, names) for log in logs}
    return {
        run: _named(
            of, [other for other in told.values() if other["name"] == of["name"]]
        )
        for run, of in told.items()
    }


def _told(log: Log, names: Mapping[str, str]) -> dict[str, str]:
    """The name and provenance of a run's data, by flat names."""
    provenance = log.metadata.get("data") or {}
    name = names.get(log.header.eval.eval_id, provenance.get("source"))
    rest = {key: text(value) for key, value in flat(provenance)}
    return rest | {"name": str(name or log.header.eval.dataset.name or "unknown")}


def _named(of: Mapping[str, str], alike: Sequence[Mapping[str, str]]) -> str:
    differing = [
        f"{key}={of.get(key, '(absent)')}"
        for key in dict.fromkeys(key for other in alike for key in other)
        if len({other.get(key) for other in alike}) > 1
    ]
    return " ".join([of["name"], *differing])
