"""Define typed records of results, which are written to JSON reports and read back."""
