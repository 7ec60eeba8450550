"""Runs against each other: any Inspect logs, paired."""
