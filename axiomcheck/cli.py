"""The command line. Imports only what ``--help`` needs; each command imports what it uses."""

from __future__ import annotations

import io
import sys
from typing import Any

import click

from axiomcheck.commands.check import check
from axiomcheck.commands.claims import claims
from axiomcheck.commands.gate import gate
from axiomcheck.commands.identity import identity
from axiomcheck.commands.independence import independence
from axiomcheck.commands.look import explain, list_
from axiomcheck.commands.matrix import matrix
from axiomcheck.commands.options import EXITS
from axiomcheck.commands.prove import prove
from axiomcheck.commands.region import region
from axiomcheck.commands.replay import replay
from axiomcheck.commands.score import score
from axiomcheck.commands.simulate import simulate
from axiomcheck.commands.weakest import weakest
from axiomcheck.errors import InvalidInput
from axiomcheck.interrupts import EXIT_INTERRUPTED

__all__ = ["main"]


class _Group(click.Group):
    """Turns errors about input into one line on stderr and exit code 2, and Ctrl-C into exit code 130."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().main(*args, **kwargs)
        except SystemExit as end:
            if isinstance(end.__context__, click.Abort):  # for click, that is 1
                sys.exit(EXIT_INTERRUPTED)
            raise

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except InvalidInput as error:
            raise click.UsageError(str(error), ctx=None) from None


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EXITS)
@click.version_option(package_name="axiomcheck")
def main() -> None:
    """Decide which axioms an evaluation metric satisfies; hand over the counterexample when it does not."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that knows no circles gets question marks


for _command in (
    *(matrix, check, gate, prove, region, weakest, identity, independence, replay),
    *(score, simulate, claims),
    *(explain, list_),
):
    main.add_command(_command)


@main.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script of a shell, to be evaluated in its start-up file."""
    from click.shell_completion import get_completion_class

    script = get_completion_class(shell)
    assert script is not None
    click.echo(script(main, {}, "axiomcheck", "_AXIOMCHECK_COMPLETE").source())
