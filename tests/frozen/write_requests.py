"""Writes the expected requests and records, once: files that exist stay as they are.

uv run python -m tests.frozen.write_requests [FOLDER]
"""

import gzip
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.frozen.recorder import packed
from tests.frozen.requests_cases import GROUPS, file_name

EXPECTED = Path(__file__).parent / "expected"


def main(folder: Path) -> None:
    """Write the groups that have no file yet.

    Raises:
        SystemExit: If all have one.
    """
    left = [group for group in GROUPS if not (folder / file_name(group)).exists()]
    if not left:
        raise SystemExit("Every file exists, and none is written again.")
    for group in left:
        texts: dict[str, str] = {}
        kept: dict[str, Any] = {}
        for name, case in GROUPS[group].items():
            with tempfile.TemporaryDirectory() as scratch:
                kept[name] = packed(case.kept(Path(scratch)), texts)
        text = json.dumps(
            {"cases": kept, "texts": texts}, sort_keys=True, indent=1, allow_nan=False
        )
        data = gzip.compress(text.encode(), mtime=0)
        (folder / file_name(group)).write_bytes(data)
        print(f"{file_name(group)}: {len(data)} bytes of {len(text)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else EXPECTED)
