"""What all protocols share: the record, calls, prompts, parsing, settings, reuse."""
