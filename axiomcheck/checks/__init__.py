"""Check a whole metric: its row of verdicts, its contract checks, and the known definition that it computes."""
