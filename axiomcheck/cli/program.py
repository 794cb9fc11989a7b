"""Define the command group; a command is imported when it is called, and none is imported for ``--help``.

Standard output and error are guarded while a command runs: unprintable text is escaped, and the program exits cleanly
if a stream fails. A closed pipe or a full disk is neither a verdict nor a defect, so all commands report it in the same
way.
"""

from __future__ import annotations

import codecs
import contextlib
import errno
import gc
import io
import os
import re
import shlex
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import click
from click.shell_completion import CompletionItem

from axiomcheck.cli.help import EXIT_DISAGREEMENT, EXIT_INTERRUPTED, EXIT_PIPE, EXIT_USAGE, EXITS, examples
from axiomcheck.core.errors import InternalDisagreement, InvalidInput, MetricError, UnknownName
from axiomcheck.core.printable import escaped, in_units, printable
from axiomcheck.engine.events import Interrupted

_ESCAPE = "axiomcheck.escape"


def _escape(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return "".join(map(in_units, error.object[error.start : error.end])), error.end


codecs.register_error(_ESCAPE, _escape)


class _Lost(Exception):
    """Raised when a standard stream cannot be written to.

    It is not an OSError, because rich, click and other libraries handle OSErrors themselves.

    Args:
        stream: Failed stream.
        error: Error from the operating system.

    """

    def __init__(self, stream: _Stream, error: OSError) -> None:
        super().__init__(str(error))
        self.stream, self.error = stream, error


class _Stream(io.TextIOWrapper):
    """Standard stream that raises `_Lost` if it fails, and escapes unprintable text but not terminal sequences."""

    owns_buffer = False
    """True if the interpreter's own stream does not use this one's buffer."""

    def write(self, text: str) -> int:
        # Colour sequences and the carriage returns of progress bars pass. Names and messages are escaped by their
        # callers.
        shown = "\x1b".join("\r".join(map(escaped, part.split("\r"))) for part in text.split("\x1b"))
        try:
            super().write(shown)
        except OSError as error:
            raise _Lost(self, error) from None
        return len(text)

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            raise _Lost(self, error) from None


@contextlib.contextmanager
def guarded_streams() -> Iterator[None]:
    """Replace standard output and error with guarded streams, and exit if one of them fails.

    Raises:
        SystemExit: A stream failed. The code is `EXIT_PIPE`, without a message, for a closed pipe, else `EXIT_USAGE`
            with a message.

    """
    kept = sys.stdout, sys.stderr
    own = sys.stdout, sys.stderr = _guarded(kept[0], "rb"), _guarded(kept[1], "wb")
    try:
        try:
            yield
        finally:
            for stream in own:
                stream.flush()
    except _Lost as lost:
        _abandon(lost.stream)
        if lost.error.errno == errno.EPIPE:
            sys.exit(EXIT_PIPE)
        name = "output" if lost.stream is own[0] else "error"
        with contextlib.suppress(_Lost):  # standard error itself failed, so that no message can be shown
            click.echo(f"Error: cannot write to standard {name}: {lost.error.strerror or 'it is closed'}", err=True)
        sys.exit(EXIT_USAGE)
    finally:
        sys.stdout, sys.stderr = kept
        for stream in own:
            if isinstance(stream, _Stream):
                _leave(stream)


def _guarded(stream: Any, closed: str) -> Any:
    """Return a guarded replacement for a standard stream. A custom stream, such as that of a test, is kept.

    Args:
        stream: The interpreter's stream; None if it was closed.
        closed: Mode in which the null device is opened in place of a closed stream, so that no other file gets its
            descriptor. Writing fails in the mode ``rb``.

    """
    if stream is None:
        return _Stream(open(os.devnull, closed), "utf-8")
    if type(stream) is not io.TextIOWrapper:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_ESCAPE)
        return stream
    stream.flush()
    if not isinstance(stream.buffer, io.RawIOBase):
        return _Stream(stream.buffer, stream.encoding, _ESCAPE, line_buffering=stream.line_buffering)
    # With PYTHONUNBUFFERED there is no buffer, and what the system does not take at once would be lost.
    made = _Stream(io.BufferedWriter(stream.buffer), stream.encoding, _ESCAPE, line_buffering=True)
    made.owns_buffer = True
    return made


def _leave(stream: _Stream) -> None:
    """Detach the buffer of a guarded stream, so that the interpreter's own stream can use it again."""
    try:
        buffer: Any = stream.detach()
    except _Lost:  # the second failed stream, which cannot be reported
        _abandon(stream)
        buffer = stream.detach()
    if stream.owns_buffer:
        buffer.detach()


def _abandon(stream: _Stream) -> None:
    """Redirect a failed stream to the null device, so that the interpreter does not try to flush it again at exit."""
    with contextlib.suppress(OSError), open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())


_SECTIONS: dict[str, dict[str, str]] = {
    "Decide": {
        "check": "Check a metric: counterexamples, faults and definition.",
        "matrix": "Decide every cell in a table of metrics and axioms.",
        "report": "Show saved reports of matrix in another format.",
        "explain": "Explain an axiom or a metric: meaning, formula and source.",
        "list": "List the metrics in the catalogue, or the axioms.",
    },
    "Prove": {
        "prove": "Prove one cell, or show a counterexample.",
        "replay": "Check witnesses, certificates and reports again.",
    },
    "Gate": {
        "gate": "Compare metrics with the verdicts in a contract file.",
        "diff": "Compare the verdicts of two saved reports.",
    },
    "Runs": {
        "score": "Score runs against judgments, as trec_eval does.",
    },
    "Upkeep": {
        "ledger": "Show or delete saved results.",
    },
    "Studies": {
        "weakest": "Find assumptions under which a metric satisfies an axiom.",
        "region": "Show for which parameters a metric satisfies axioms.",
        "identity": "Decide whether two metrics are equal or proportional.",
    },
}
"""Commands by section, with their lines in ``--help``; the module named after a command defines ``command``."""

_COMMANDS = {name: line for commands in _SECTIONS.values() for name, line in commands.items()}

_INSTEAD = {
    "--over": "axiomcheck region METRIC AXIOM --over NAME=LOW:HIGH",
    "--regime": "axiomcheck matrix METRIC --regime",
    "--cutoff": "a cutoff in the name, such as nDCG@10",
    "-k": "a cutoff in the name, such as nDCG@10",
    "-M": "a cutoff in the name, such as nDCG@10",
}
"""Option that a command lacks -> what to type instead."""

_HELP: Any = getattr(click.exceptions, "NoArgsIsHelpError", ())
"""Exception that newer versions of click raise for a command without arguments, with the help as its message."""


class _Group(click.Group):
    """Command group that imports its commands on demand.

    The group converts errors about input to a one-line message and exit code 2, and Ctrl-C to exit code 130. It also
    guards the standard streams.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = f"axiomcheck.cli.{cmd_name}"
        if module not in sys.modules:  # imported code is never garbage, and looking for some takes 1/7 of the time
            gc.disable()
            try:
                import_module(module)
            finally:
                gc.freeze()
                gc.enable()
        found: click.Command = import_module(module).command
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in _COMMANDS and not args[0].startswith("-"):
            check = f"; to check a metric, run: axiomcheck check {shlex.join(args)}" if ":" in args[0] else ""
            raise click.UsageError(f"{UnknownName('command', args[0], _COMMANDS)}{check}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, _COMMANDS))
        for section, commands in _SECTIONS.items():
            with formatter.section(section):
                formatter.write_dl([(name.ljust(width), line) for name, line in commands.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        named = [CompletionItem(name, help=_COMMANDS[name]) for name in _COMMANDS if name.startswith(incomplete)]
        return [*named, *click.Command.shell_complete(self, ctx, incomplete)]

    def main(self, *args: Any, **extra: Any) -> Any:
        with guarded_streams():
            return super().main(*args, **extra)

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        with printable_errors():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with printable_errors():
            return super().invoke(ctx)


@contextlib.contextmanager
def printable_errors() -> Iterator[None]:
    """Report errors with unprintable characters escaped, and exit with 130 on Ctrl-C."""
    try:
        yield
    except (KeyboardInterrupt, Interrupted):  # click would exit with 1 after KeyboardInterrupt
        click.echo("interrupted", err=True)
        sys.exit(EXIT_INTERRUPTED)
    except (InvalidInput, MetricError) as error:  # MetricError: the metric fails on the given input
        raise click.UsageError(printable(str(error)), ctx=None) from None
    except InternalDisagreement as error:
        click.echo(f"internal disagreement: {printable(str(error))}", err=True)
        sys.exit(EXIT_DISAGREEMENT)
    except click.UsageError as error:
        if isinstance(error, _HELP):
            raise
        raise click.UsageError(printable(_as_argument(error) or error.format_message()), error.ctx) from None


def _as_argument(error: click.UsageError) -> str:
    """Return a message that says what to type instead of an unknown option or argument; '' if none is known."""
    if isinstance(error, click.NoSuchOption) and error.ctx is not None:
        command = error.ctx.command
        named = {"-m": "metric", "-a": "axiom"}.get(error.option_name, error.option_name.lstrip("-"))
        for taken in command.params:
            if isinstance(taken, click.Argument) and taken.name in (named, f"{named}s"):
                usage = " ".join([error.ctx.command_path, *command.collect_usage_pieces(error.ctx)])
                return f"{command.name} takes {taken.human_readable_name} without {error.option_name}: {usage}"
        instead = _INSTEAD.get(error.option_name)
        if instead is not None:
            return f"no option {error.option_name}; expected {instead}"
    extra = re.search(r"extra arguments? \((.+)\)", error.message)
    if extra and error.ctx is not None and error.ctx.command.name == "gate":
        return (
            f"gate does not take a METRIC, but was given {extra[1]}; it compares the metrics in the contract file. "
            f"To create a contract, run: axiomcheck gate{''.join(f' --init {name}' for name in extra[1].split())}"
        )
    return ""


@click.group(
    cls=_Group,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples(
        "axiomcheck matrix RBU",
        "axiomcheck check my_metric.py:patient_gain",
        "axiomcheck explain Red",
    )
    + f"\n\b\n{EXITS}\n",
)
@click.version_option(package_name="axiomcheck")
def main() -> None:
    """Decide which axioms an evaluation metric satisfies, and show a counterexample if it violates one."""
