"""Exit codes, the same for every command."""

from __future__ import annotations

from textwrap import fill

from axiomcheck.processes.interrupts import EXIT_INTERRUPTED as EXIT_INTERRUPTED

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

EXITS = fill(f"Exit codes: {_CODES}.".replace("| ", "|\0"), 78).replace("\0", " ")  # a command stays on its line
"""The exit codes in a command's help."""

SHOWS = "Exit codes: 0 it is shown; 2 usage, or output that cannot be written."
"""The same, of commands that decide nothing."""


def epilog(*examples: str, exits: str = EXITS) -> str:
    """Return the end of a command's help.

    Args:
        examples: commands, which stay on lines of their own; one may go on in the next after a backslash.
        exits: its exit codes.

    """
    lines = ["\b", "Examples:", *(f"  {example}" for example in examples)]
    return "\n".join(lines) + f"\n\n\b\n{exits.strip()}\n"
