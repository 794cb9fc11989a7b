"""Run work in worker processes, which `axiomcheck.processes.isolation` starts.

Trusted code, such as the catalogue's metrics, is called in long-lived worker processes. External metrics are isolated:
the run starts a supervisor, the supervisor forks a keeper, and the keeper forks one process for each piece of work:

    the run -> worker (trusted code)
    the run -> supervisor -> keeper -> piece (foreign code)
    the run -> supervisor -> keeper -> host (one metric, loaded and tried) -> piece (foreign code)

Only hosts and the processes of pieces of work run foreign code. A metric can thus affect only its own processes, and
every piece of work runs as if no other metric had run before. Each piece of work costs one fork. A host loads and tries
its metric once for all its cells. If loading fails, or if forks of the host would share open files or lack threads, the
cells are forked from the keeper instead.

Orphaned processes are adopted by the keeper or, if the keeper has ended, by the supervisor. These two kill the
processes that a piece of work leaves behind, and all processes once the run has ended.
"""
