"""Power and false alarms of the judge check, on judges with one planted bias each.

    uv run python -m benchmarks judge_check [--seeds 200] [--epochs 1] [--strength 4]
        [--noise 0.5]

The judges read the prompts that a judge check on the shipped debates makes, and nothing
else; each seed has noise of its own. A row is a judge, a column a check: the share
of seeds in which the check raises an alarm. The last column is the share in which any
does, for the unbiased judge the rate of false alarms of all checks together.
"""

import argparse
from collections import Counter

from inspect_debate.debate.judge_checks import CHECKS, Check
from inspect_debate.metrics.judge_checks import findings
from inspect_debate.simulator.reading_judge import BIASES, NOISE, STRENGTH
from tests.support.judge_checks import simulated_moves


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--strength", type=float, default=STRENGTH)
    parser.add_argument("--noise", type=float, default=NOISE)
    given = parser.parse_args()
    print(f"| {' | '.join(('judge', *CHECKS, 'any'))} |")
    print(f"|{'---|' * (len(CHECKS) + 2)}")
    for bias in BIASES:
        raised = alarms(bias, given.seeds, given.epochs, given.strength, given.noise)
        cells = [f"{raised[name] / given.seeds:.3f}" for name in (*CHECKS, "any")]
        print(f"| {' | '.join((bias, *cells))} |", flush=True)


def alarms(
    bias: str, seeds: int, epochs: int, strength: float, noise: float
) -> Counter[Check | str]:
    """In how many of the seeds each check raises an alarm, and any of them."""
    raised: Counter[Check | str] = Counter()
    for seed in range(seeds):
        moves, clusters = simulated_moves(
            bias, seed, epochs=epochs, strength=strength, noise=noise
        )
        found = findings(moves, clusters)
        alarmed = [check for check in CHECKS if found.alarms(check)]
        raised.update([*alarmed, *["any"] * bool(alarmed)])
    return raised


if __name__ == "__main__":
    main()
