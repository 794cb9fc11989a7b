"""Entry point of the command ``axiomcheck`` and of ``python -m axiomcheck``."""

from __future__ import annotations

import sys

from axiomcheck.processes.interrupts import EXIT_INTERRUPTED, ignore, take_over, was_interrupted


def run() -> None:
    """Run the command line and exit. Ctrl-C exits with status 130, even while modules are still being imported.

    Raises:
        SystemExit: Always, with the exit status of the command.

    """
    take_over()
    try:
        from axiomcheck.cli.program import main

        main(prog_name="axiomcheck")
    except (KeyboardInterrupt, SystemExit) as end:
        if was_interrupted() or isinstance(end, KeyboardInterrupt):  # a library may have replaced the exception
            sys.exit(EXIT_INTERRUPTED)
        raise
    finally:
        ignore()  # the interpreter is about to end


if __name__ == "__main__":
    run()
