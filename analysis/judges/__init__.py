"""What judges say: several models, and people."""
