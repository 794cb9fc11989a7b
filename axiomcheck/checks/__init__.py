"""Check a metric as a whole: its row of verdicts, the contract checks and its nearest neighbours."""
