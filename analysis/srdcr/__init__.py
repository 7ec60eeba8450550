"""The report on the SR-DCR study."""
