"""Processes that work for a run; `axiomcheck.processes.isolation` starts them.

What is trusted, such as the catalogue's metrics, is called in worker processes that stay. External metrics are
isolated: a supervisor, which the run starts, forks a keeper, which forks one process for every piece of work:

    the run -> worker (trusted code)
    the run -> supervisor -> keeper -> piece (foreign code)

All but the piece run nothing but trusted code. A piece is thus as if no other metric had ever been there, whatever the
ones before it did to their processes, and costs a fork. Orphans come back to the nearest of supervisor and keeper,
which kill whatever a piece left behind, and everything once the run is gone.
"""
