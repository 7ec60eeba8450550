"""Models without a network that play every part of a debate."""
