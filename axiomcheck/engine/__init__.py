"""Plan the cells of a run, decide them in this process or in workers, and report events."""
