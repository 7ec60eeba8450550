"""A testbed of questions, even over domains and over the severities of their errors."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from inspect_debate.v1.debate.seeds import seeded

SEVERITIES = (1, 2, 3, 4, 5)


class Candidate(NamedTuple):
    """A question by its id, and the severities at which it can be asked."""

    id: str
    domain: str
    severities: Collection[int]


class Pick(NamedTuple):
    """A question that was chosen, and the severity at which it is asked."""

    id: str
    domain: str
    severity: int


class Chosen(NamedTuple):
    """The picks, and how many are not as they were planned.

    Attributes:
        picks: Each question once.
        replaced: Questions that were passed over for one that has the severity needed.
        moved: Questions at another severity, as none was left that has the one needed.
    """

    picks: list[Pick]
    replaced: int
    moved: int


def choose(candidates: Iterable[Candidate], questions: int, seed: int) -> Chosen:
    """Choose questions, as many of each domain and at each severity.

    Domains that have few severities come first, each spread evenly over its own; the
    others then fill what lacks, each in about the same way.

    Args:
        candidates: Questions in any order; those without severities are not chosen.
        questions: How many to choose; all, if there are fewer.
        seed: Decides which, together with their ids.
    """
    domains: defaultdict[str, list[Candidate]] = defaultdict(list)
    for candidate in sorted(candidates, key=lambda one: _draw(seed, one.id)):
        if candidate.severities:
            domains[candidate.domain].append(candidate)
    sizes = _even({name: len(domains[name]) for name in sorted(domains)}, questions)
    total = sum(sizes.values())
    picked: list[Chosen] = []
    for name in sorted(sizes, key=lambda name: (len(_offered(domains[name])), name)):
        so_far = Counter(pick.severity for part in picked for pick in part.picks)
        # Five times what lacks, in whole numbers.
        lacking = {
            level: max(0, total - len(SEVERITIES) * so_far[level])
            for level in _offered(domains[name])
        }
        plan = _apportioned(sizes[name], lacking)
        picked.append(_picked(domains[name], plan, lacking))
    return Chosen(
        picks=[pick for part in picked for pick in part.picks],
        replaced=sum(part.replaced for part in picked),
        moved=sum(part.moved for part in picked),
    )


def balance(samples: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """How many samples there are of which kind, for the log.

    Args:
        samples: The samples' metadata: `domain`, `condition`, `severity`, `degree` and
            `offset` of each.

    Returns:
        Counts of all samples by domain and condition, and of the perturbed ones by
        severity, by domain and severity, by domain and degree, and by the sign of
        their offset.
    """
    everything = list(samples)
    perturbed = [one for one in everything if one["severity"]]
    offsets = [one["offset"] for one in perturbed if one["offset"] is not None]
    return {
        "samples": len(everything),
        "condition": _counts(everything, "domain", "condition"),
        "severity": _counted(one["severity"] for one in perturbed),
        "domain_severity": _counts(perturbed, "domain", "severity"),
        "degree": _counts(perturbed, "domain", "degree"),
        "offset_sign": _counted("+" if offset > 0 else "-" for offset in offsets),
    }


def _counts(
    samples: Iterable[Mapping[str, Any]], row: str, column: str
) -> dict[str, dict[str, int]]:
    groups: defaultdict[str, list[object]] = defaultdict(list)
    for sample in samples:
        groups[sample[row]].append(sample[column])
    return {name: _counted(groups[name]) for name in sorted(groups)}


def _counted(values: Iterable[object]) -> dict[str, int]:
    return dict(sorted(Counter(map(str, values)).items()))


def _draw(seed: int, id: str) -> tuple[float, str]:
    return seeded(seed, "testbed", id).random(), id


def _offered(candidates: Iterable[Candidate]) -> list[int]:
    return sorted({level for one in candidates for level in one.severities})


def _even(available: Mapping[str, int], total: int) -> dict[str, int]:
    """A total shared out evenly, within what is available."""
    shares = dict.fromkeys(available, 0)
    for _ in range(min(total, sum(available.values()))):
        open_to = [name for name in shares if shares[name] < available[name]]
        shares[min(open_to, key=lambda name: shares[name])] += 1
    return shares


def _apportioned(total: int, weights: Mapping[int, int]) -> dict[int, int]:
    """A total shared out by weights, rounded by largest remainders."""
    if not sum(weights.values()):
        weights = dict.fromkeys(weights, 1)
    whole = sum(weights.values())
    shares = {level: total * weight // whole for level, weight in weights.items()}
    by_remainder = sorted(weights, key=lambda n: (-(total * weights[n] % whole), n))
    for level in by_remainder[: total - sum(shares.values())]:
        shares[level] += 1
    return shares


def _picked(
    candidates: Sequence[Candidate], plan: Mapping[int, int], lacking: Mapping[int, int]
) -> Chosen:
    """One domain's questions at the planned severities, as far as they have them."""
    size = sum(plan.values())
    assigned: dict[str, int] = {}
    for level, count in plan.items():
        for _ in range(count):
            _assign(level, candidates, assigned, set())
    placed = len(assigned)
    for one in candidates:
        if len(assigned) < size and one.id not in assigned:
            assigned[one.id] = max(one.severities, key=lambda n: (lacking[n], -n))
    picks = [
        Pick(c.id, c.domain, assigned[c.id]) for c in candidates if c.id in assigned
    ]
    replaced = sum(one.id not in assigned for one in candidates[:size])
    return Chosen(picks, replaced, moved=size - placed)


def _assign(
    level: int,
    candidates: Sequence[Candidate],
    assigned: dict[str, int],
    tried: set[int],
) -> bool:
    """Give a question to a severity; perhaps one of another, which then gets a new one.

    Args:
        level: The severity.
        candidates: All questions of the domain.
        assigned: The severities of those that have one, by id; gets one more.
        tried: Severities that cannot get another question.
    """
    able = [one for one in candidates if level in one.severities]
    free = next((one for one in able if one.id not in assigned), None)
    if free is not None:
        assigned[free.id] = level
        return True
    tried.add(level)
    for one in able:
        current = assigned[one.id]
        if current not in tried and _assign(current, candidates, assigned, tried):
            assigned[one.id] = level
            return True
    return False
