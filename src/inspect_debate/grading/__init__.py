"""Answers to tasks: programs graded by unit tests in a sandbox, and grids."""
