"""Runs of any Inspect tasks, compared on the samples that they share."""
