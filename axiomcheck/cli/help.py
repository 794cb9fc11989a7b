"""Define the help of commands: options in sections, then examples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

_SECTIONS = {
    "Runs": (
        *("qrels", "runs", "scoring", "qrels_kind", "weights", "ties", "unjudged", "gain", "gmax", "level"),
        *("max_results", "complete"),
    ),
    "How long": (
        *("examples", "seed", "proofs", "jobs", "budget", "until", "timeout", "memory", "scheduler", "depth"),
        "samples",
    ),
    "Output": ("verbose", "per_topic", "format_", "output", "outputs", "witnesses", "help"),
}
"""Names of the options in each section; all other options determine what is decided, and come first."""


class Command(click.Command):
    """Command whose help shows its options in sections."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections for what is decided, the runs, the work and the output, omitting those without options."""
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
    """Return the end of a command's help.

    Args:
        commands: Commands, each shown on separate lines. A backslash continues a command on the next line.

    """
    return "\n".join(["\b", "Examples:", *(f"  {command}" for command in commands)]) + "\n"


def command_named(
    name: str, *shown: str, of: click.Group | None = None
) -> Callable[[Callable[..., Any]], click.Command]:
    """Create a command from a function.

    Args:
        name: Name of the command.
        shown: Examples at the end of its help, see `examples`.
        of: Group that the command belongs to.

    """
    made = click if of is None else of
    return made.command(name, cls=Command, epilog=examples(*shown))
