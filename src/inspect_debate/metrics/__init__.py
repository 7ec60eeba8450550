"""Statistics of predictions and outcomes, as pure functions."""
