"""What a run will take, and what it can show."""
