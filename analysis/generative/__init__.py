"""The report on the generative-debate study."""
