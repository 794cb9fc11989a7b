"""Lay out the help of all commands: options in sections, then examples. Define the shared exit codes."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import fill
from typing import Any

import click

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


_SECTIONS = {
    "Runs": (
        *("qrels", "runs", "qrels_kind", "weights", "ties", "unjudged", "gain", "gmax", "level"),
        *("max_results", "complete"),
    ),
    "How long": ("examples", "seed", "proofs", "jobs", "budget", "until", "timeout", "memory", "scheduler", "depth"),
    "Output": ("verbose", "per_topic", "format_", "output", "witnesses", "help"),
}
"""Names of the options in each section; all other options determine what is decided, and come first."""


class Command(click.Command):
    """Click command whose help groups the options in sections."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options in sections by topic, omitting sections without options."""
        section_of = {name: section for section, names in _SECTIONS.items() for name in names}
        rows: dict[str, list[tuple[str, str]]] = {section: [] for section in ("", *_SECTIONS)}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if record is not None:
                name = "help" if "--help" in parameter.opts else parameter.name or ""
                rows[section_of.get(name, "")].append(record)
        decides = rows["How long"] and not rows["Runs"]
        first = {"What to decide" if decides else "Options": rows.pop("")}
        for section, records in (first | rows).items():
            if records:
                with formatter.section(section):
                    formatter.write_dl(records)


def examples(*commands: str) -> str:
    """Format the examples at the end of a command's help text.

    Args:
        commands: Commands, each starting on a new line. A backslash continues a command on the next line.

    """
    return "\n".join(["\b", "Examples:", *(f"  {command}" for command in commands)]) + "\n"


def command_named(
    name: str, *shown: str, of: click.Group | None = None
) -> Callable[[Callable[..., Any]], click.Command]:
    """Return a decorator that creates a command from a function.

    Args:
        name: Name of the command.
        shown: Examples at the end of its help, see `examples`.
        of: Group that the command belongs to.

    """
    made = click if of is None else of
    return made.command(name, cls=Command, epilog=examples(*shown))
