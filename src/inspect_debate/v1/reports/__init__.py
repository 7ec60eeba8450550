"""Logs to data frames, to tables and figures; a study has its report in one file."""
