"""Processes that foreign code runs in, and those that keep them; `axiomcheck.processes.isolation` starts the latter.

A supervisor, which the run starts, forks a keeper, which forks one process for every piece of work:

    the run -> supervisor -> keeper -> piece (foreign code)

The first three run nothing but axiomcheck. A piece is thus as if no other metric had ever been there, whatever the ones
before it did to their processes, and costs a fork. Orphans come back to the nearest of supervisor and keeper, which
kill whatever a piece left behind, and everything once the run is gone.
"""
