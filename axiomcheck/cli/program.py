"""The command line. Imports only what ``--help`` needs; each command imports what it uses."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

import click

from axiomcheck.cli.check import check
from axiomcheck.cli.claims import claims
from axiomcheck.cli.gate import gate
from axiomcheck.cli.identity import identity
from axiomcheck.cli.independence import independence
from axiomcheck.cli.look import explain, list_
from axiomcheck.cli.matrix import matrix
from axiomcheck.cli.options import EXIT_DISAGREEMENT, EXITS
from axiomcheck.cli.prove import prove
from axiomcheck.cli.region import region
from axiomcheck.cli.replay import replay
from axiomcheck.cli.score import score
from axiomcheck.cli.simulate import simulate
from axiomcheck.cli.streams import guarded_streams
from axiomcheck.cli.weakest import weakest
from axiomcheck.core.errors import InternalDisagreement, InvalidInput, MetricError
from axiomcheck.core.printable import printable
from axiomcheck.processes.interrupts import EXIT_INTERRUPTED

__all__ = ["main"]


_HELP: Any = getattr(click.exceptions, "NoArgsIsHelpError", ())
"""What a command without arguments ends with, in a click that has it; its message is the help."""


class _Group(click.Group):
    """Turns errors about input into one line and exit code 2, Ctrl-C into 130, and answers for the standard streams."""

    def main(self, *args: Any, **extra: Any) -> Any:
        with guarded_streams():
            return super().main(*args, **extra)

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        with _printable_errors():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with _printable_errors():
            return super().invoke(ctx)


@contextlib.contextmanager
def _printable_errors() -> Iterator[None]:
    """Has what is wrong said in text that can be shown, whatever name or value it is about; Ctrl-C is 130."""
    try:
        yield
    except KeyboardInterrupt:  # which for click is 1
        click.echo("interrupted", err=True)
        sys.exit(EXIT_INTERRUPTED)
    except (InvalidInput, MetricError) as error:  # a metric that fails at what a command was given
        raise click.UsageError(printable(str(error)), ctx=None) from None
    except InternalDisagreement as error:
        click.echo(f"internal disagreement: {printable(str(error))}", err=True)
        sys.exit(EXIT_DISAGREEMENT)
    except click.UsageError as error:
        if isinstance(error, _HELP):
            raise
        raise click.UsageError(printable(error.format_message()), error.ctx) from None


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EXITS)
@click.version_option(package_name="axiomcheck")
def main() -> None:
    """Decide which axioms an evaluation metric satisfies; hand over the counterexample when it does not."""


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
