"""Check a metric as a whole: its row, the contract checks, its nearest neighbours."""
