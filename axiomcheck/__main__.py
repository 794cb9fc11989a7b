"""The program: ``axiomcheck``, and ``python -m axiomcheck``."""

from __future__ import annotations

import sys

from axiomcheck.processes.interrupts import EXIT_INTERRUPTED, ignore, take_over, was_interrupted


def run() -> None:
    """Runs the command line, and ends with its exit code; Ctrl-C is 130 from here on, while modules are loaded too.

    Raises:
        SystemExit: always.

    """
    take_over()
    try:
        from axiomcheck.cli.program import main

        main(prog_name="axiomcheck")
    except (KeyboardInterrupt, SystemExit) as end:
        if was_interrupted() or isinstance(end, KeyboardInterrupt):  # whatever a library made of it
            sys.exit(EXIT_INTERRUPTED)
        raise
    finally:
        ignore()  # nothing but the end of the interpreter is left


if __name__ == "__main__":
    run()
