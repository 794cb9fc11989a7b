"""Exit codes, the same for every command."""

from __future__ import annotations

from textwrap import fill

from axiomcheck.processes.interrupts import EXIT_INTERRUPTED

__all__ = [
    "EXITS",
    "EXIT_CONTRACT",
    "EXIT_DISAGREEMENT",
    "EXIT_EXPECTATION",
    "EXIT_INTERRUPTED",
    "EXIT_PIPE",
    "EXIT_UNDECIDED",
    "EXIT_USAGE",
    "MEANINGS",
]

EXIT_EXPECTATION = 1
EXIT_USAGE = 2
EXIT_DISAGREEMENT = 3
EXIT_UNDECIDED = 4
EXIT_CONTRACT = 5
EXIT_PIPE = 141
"""Nobody reads the output any more: what a shell says of a program that SIGPIPE ended."""

MEANINGS: dict[int, str] = {
    0: "every cell decided, whatever the verdicts",
    EXIT_EXPECTATION: "an expectation was not met",
    EXIT_USAGE: "usage, unusable input, or output that cannot be written",
    EXIT_DISAGREEMENT: "axiomcheck contradicts itself (a defect)",
    EXIT_UNDECIDED: "some cell is undecided, or a cell or contract check is in error",
    EXIT_CONTRACT: f"a contract check failed ('check' only, and before {EXIT_UNDECIDED})",
    EXIT_INTERRUPTED: "interrupted",
    EXIT_PIPE: "nobody reads the output any more, as in '| head'",
}
"""Exit code -> what a command says by it."""

_CODES = "; ".join(f"{code} {meaning}" for code, meaning in MEANINGS.items())

EXITS = "\n\b\n" + fill(f"Exit codes: {_CODES}.", 80) + "\n"
"""The end of a command's help."""
