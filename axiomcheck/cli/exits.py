"""Exit codes, the same for every command."""

from __future__ import annotations

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
    "SHOWS",
    "epilog",
]

EXIT_EXPECTATION = 1
EXIT_USAGE = 2
EXIT_DISAGREEMENT = 3
EXIT_UNDECIDED = 4
EXIT_CONTRACT = 5
EXIT_PIPE = 141
"""Nobody reads the output any more: what a shell says of a program that SIGPIPE ended."""

EXITS = """
Exit codes: 0 every cell decided, whatever the verdicts; 1 an expectation was
not met; 2 usage, unusable input, or output that cannot be written;
3 axiomcheck contradicts itself (a defect); 4 some cell is undecided, or a
cell or contract check is in error; 5 a contract check failed ('check' only,
and before 4); 130 interrupted; 141 nobody reads the output any more, as in
'| head'.
"""

SHOWS = """
Exit codes: 0 it is shown; 2 usage, or output that cannot be written.
"""


def epilog(*examples: str, exits: str = EXITS) -> str:
    """What the help of a command ends with.

    Args:
        examples: commands, which stay on lines of their own; two blanks and # may follow with what they do.
        exits: its exit codes.

    """
    lines = ["\b", "Examples:", *(f"  {example}" for example in examples)]
    return "\n".join(lines) + f"\n\n\b\n{exits.strip()}\n"
