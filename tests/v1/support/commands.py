"""Commands in processes of their own, as a user starts them."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

INSPECT = Path(sys.executable).parent / "inspect"


def inspect(
    folder: Path, *arguments: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the command `inspect` to its end.

    Args:
        folder: Where it is typed.
        arguments: What is typed after it.
        environment: Variables of its own.
    """
    return subprocess.run(
        [str(INSPECT), *arguments],
        cwd=folder,
        env=os.environ | {"COLUMNS": "200"} | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def as_installed(folder: Path) -> dict[str, str]:
    """An environment for commands as our users have it: without inspect_evals.

    Where it is installed, Inspect loads its hundred tasks whenever it starts, which
    takes as long as all the rest; what Inspect Scout brings takes some of it, too. So
    empty packages take their place.

    Args:
        folder: Where these are written.
    """
    for package in ("inspect_evals", "inspect_swe"):
        empty = folder / "as installed" / package
        empty.mkdir(parents=True, exist_ok=True)
        for name in ("__init__", "_registry"):
            (empty / f"{name}.py").touch()
    return {"PYTHONPATH": str(folder / "as installed")}


@cache
def loaded_with(module: str) -> frozenset[str]:
    """The names of all modules that are loaded once one is, in a new interpreter."""
    code = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    loaded = frozenset(done.stdout.split())
    assert module in loaded
    return loaded
