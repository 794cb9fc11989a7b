"""Check a metric as a whole: its row of verdicts, its contract checks and the known definition that it computes."""
