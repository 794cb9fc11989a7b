"""Exit codes, which are the same for all commands."""

from __future__ import annotations

from textwrap import fill

from axiomcheck.processes.interrupts import EXIT_INTERRUPTED as EXIT_INTERRUPTED

EXIT_EXPECTATION = 1
EXIT_USAGE = 2
EXIT_DISAGREEMENT = 3
EXIT_UNDECIDED = 4
EXIT_CONTRACT = 5
EXIT_PIPE = 141
"""Exit code when the output pipe is closed: the code that shells report for a program terminated by SIGPIPE."""

MEANINGS: dict[int, str] = {
    0: "every cell was decided, whatever the verdicts",
    EXIT_EXPECTATION: "an expectation was not met",
    EXIT_USAGE: "usage error, unusable input, or output that cannot be written",
    EXIT_DISAGREEMENT: "axiomcheck contradicts itself (a defect)",
    EXIT_UNDECIDED: "a cell is undecided (for 'prove', undecided or held), or a cell or contract check ended in an "
    "error",
    EXIT_CONTRACT: f"a contract check failed ('check' only; takes precedence over {EXIT_UNDECIDED})",
    EXIT_INTERRUPTED: "interrupted",
    EXIT_PIPE: "the reader of the output has closed it, as in '| head'",
}
"""Meanings of the exit codes."""

_CODES = "; ".join(f"{code} {meaning}" for code, meaning in MEANINGS.items())

EXITS = fill(f"Exit codes: {_CODES}.".replace("| ", "|\0"), 78).replace("\0", " ")  # keeps a command on one line
"""List of the exit codes at the end of the main help."""
