"""The program: ``axiomcheck``, and ``python -m axiomcheck``."""

from __future__ import annotations

import sys

from axiomcheck.interrupts import EXIT_INTERRUPTED, ignore, take_over

__all__ = ["run"]


def run() -> None:
    """Runs the command line, and ends with its exit code; Ctrl-C is 130 from here on, while modules are loaded too.

    Raises:
        SystemExit: always.

    """
    take_over()
    try:
        from axiomcheck.cli import main

        main(prog_name="axiomcheck")
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)
    finally:
        ignore()  # nothing but the end of the interpreter is left


if __name__ == "__main__":
    run()
