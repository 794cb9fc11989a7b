"""Write a page for each command, and the page on exit codes."""

from __future__ import annotations

import click
from pages import Pages

from axiomcheck.cli.help import MEANINGS
from axiomcheck.cli.program import main


def write(pages: Pages) -> None:
    """Write the list of the commands, a page for each, and the exit codes."""
    context = click.Context(main)
    names = main.list_commands(context)
    pages.fill("commands/index.md", "commands.md.j2", names=names)
    for name in names:
        command = main.get_command(context, name)
        assert command is not None
        pages.fill(f"commands/{name}.md", "command.md.j2", name=name)
    pages.fill("exit-codes.md", "exit-codes.md.j2", meanings=MEANINGS)
