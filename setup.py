"""Stops an installation from a checkout in which git made no symbolic links."""

from pathlib import Path

from setuptools import setup

if not (Path(__file__).parent / "src" / "inspect_debate" / "solvers").is_dir():
    raise SystemExit(
        "src/inspect_debate/solvers is no link to solvers/, so the package would lack "
        "it: allow symbolic links (`git config core.symlinks true`, on Windows with "
        "developer mode) and check out again."
    )
setup()
