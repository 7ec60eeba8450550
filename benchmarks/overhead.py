"""CPU of a study's run over that of a plain Inspect task with the same calls.

    uv run python -m benchmarks.overhead [--study colmad|srdcr|generative]
        [--items 900] [--repeats 3] [--profile]

Both make the same calls with the same prompts and settings, and get the same
completions from the same canned provider; the plain task makes those of a stage
together through Inspect's `collect`, appends them to its messages and has one plain
scorer. Runs alternate; the ratio is of the medians.
"""

import argparse
import tempfile
from pathlib import Path

from benchmarks.canned import Can
from benchmarks.measuring import canned_models, compare, print_profile, run
from benchmarks.studies import STUDIES

_ITEMS = {"colmad": 900, "srdcr": 600, "generative": 200}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--study", choices=STUDIES, default="colmad")
    parser.add_argument("--items", type=int)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--profile", action="store_true")
    arguments = parser.parse_args()
    name = arguments.study

    with tempfile.TemporaryDirectory() as folder:
        study = STUDIES[name](arguments.items or _ITEMS[name], Path(folder))
        can = Can()
        models = canned_models(study, can)
        run(study.debated(), models, folder)  # fills the can, and imports what is lazy
        compare(name, study, can, models, arguments.repeats, folder)
        if arguments.profile:
            print_profile(study, models, folder)


if __name__ == "__main__":
    main()
