"""Define the command `axiomcheck completion`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from axiomcheck.cli.help import command_named


@command_named(
    "completion",
    "axiomcheck completion bash >> ~/.bashrc",
    "axiomcheck completion zsh >> ~/.zshrc",
    "axiomcheck completion fish > ~/.config/fish/completions/axiomcheck.fish",
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script for a shell, to be loaded by its start-up file."""
    script = get_completion_class(shell)
    assert script is not None
    click.echo(script(ctx.find_root().command, {}, "axiomcheck", "_AXIOMCHECK_COMPLETE").source())
