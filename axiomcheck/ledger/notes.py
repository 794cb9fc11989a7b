"""What is said on stderr of a ledger that cannot be used: the work goes on, so it is no error."""

from __future__ import annotations

import click

from axiomcheck.core.printable import printable


def note(text: str) -> None:
    """Prints a line on stderr, of whatever names it speaks."""
    click.echo(f"ledger: {printable(text)}", err=True)
