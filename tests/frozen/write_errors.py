"""Writes what test_errors.py compares with; never over a file that is there.

Type `uv run python -m tests.frozen.write_errors`.
"""

from tests.frozen.apart import answer_of
from tests.frozen.mapping import EXPECTED
from tests.frozen.test_errors import TABLES
from tests.frozen.write_interface import write

if __name__ == "__main__":
    for name, table in TABLES.items():
        if (EXPECTED / f"errors_{name}.json").exists():
            print(f"errors_{name}.json is there and stays as it is.")
            continue
        sentences = answer_of("errors_run.py", table)
        assert all(sentences.values()), [id for id in sentences if not sentences[id]]
        write(f"errors_{name}.json", sentences)
