"""The report on debates about questions of one's own."""
