"""Check a metric as a whole: its row of verdicts, its contract checks and its nearest neighbours."""
