"""Scripts of this folder in processes of their own, away from the checkout."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any


def answer_of(script: str, given: Any = None) -> Any:
    """What a script of this folder prints in its last line, as JSON.

    Args:
        script: The name of its file.
        given: Its standard input, as JSON.

    Raises:
        RuntimeError: If it fails; with what it wrote to the standard error.
    """
    path = Path(__file__).with_name(script)
    left = {k: v for k, v in os.environ.items() if not k.startswith("INSPECT_")}
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder) / "here"
        here.mkdir()
        done = subprocess.run(
            [sys.executable, "-P", str(path)],
            cwd=here,
            env=left | {"COLUMNS": "200", "NO_COLOR": "1", "PYTHONPATH": ""},
            input=json.dumps(given),
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])
