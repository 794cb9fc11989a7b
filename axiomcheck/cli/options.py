"""Create click arguments and options, both those shared with the API functions and those that only commands have."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeVar, get_args

import click
from click.shell_completion import CompletionItem
from msgspec import inspect

from axiomcheck.api.options import LONGEST_BUDGET, Option, options_of
from axiomcheck.core.packages import shipped
from axiomcheck.metrics import metric_names
from axiomcheck.sources.adapters import adapter_names
from axiomcheck.sources.names import GROUP

_Command = TypeVar("_Command", bound=Callable[..., object])


class Decorator(Protocol):
    """Type of a decorator that adds an argument or option to a command."""

    def __call__(self, command: _Command, /) -> _Command:
        """Return the command with an argument or option added."""


def complete_metric(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Return names of catalogue and plugin metrics, and prefixes of libraries, that start with the typed text."""
    names = [*metric_names(), *shipped(GROUP), *(f"{prefix}:" for prefix in adapter_names())]
    return [name for name in names if name.casefold().startswith(incomplete.casefold())]


def complete_axiom(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Return names of axioms that start with the typed text."""
    from axiomcheck.axioms import axiom_names  # lazy: only completion needs them here

    return [name for name in axiom_names() if name.casefold().startswith(incomplete.casefold())]


def complete_axiom_or_metric(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Return names of axioms, then of metrics, that start with the typed text."""
    return [*complete_axiom(ctx, parameter, incomplete), *complete_metric(ctx, parameter, incomplete)]


_SECONDS = {"": 1, "s": 1, "ms": 0.001, "m": 60, "h": 3600}


def duration(text: str) -> float:
    """Parse a duration such as ``60s``, ``2m``, ``500ms``, ``1h`` or a plain number of seconds, and return seconds.

    Raises:
        BadParameter: The text is not a positive duration.

    """
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) *(ms|s|m|h|)", text.strip())
    seconds = float(found[1]) * _SECONDS[found[2]] if found else 0.0
    if not 0 < seconds <= LONGEST_BUDGET:
        raise click.BadParameter(
            f"{text[:80]!r} is not a time; expected 60s, 2m, 500ms, 1h or a positive number of seconds"
        )
    return seconds


class WholeRange(click.IntRange):
    """Click type for integers within a range."""

    name = "integer"


def click_type(option: Option) -> click.ParamType[object] | Callable[[str], object]:
    """Derive the click type that parses an option on the command line from the type of its values."""
    if option.is_time:
        return duration
    if option.is_file:
        return click.Path(allow_dash=True, dir_okay=False)
    if option.choices:
        return click.Choice(option.choices, case_sensitive=False)
    if option.kind is None:
        return click.STRING
    node = inspect.type_info(option.kind)
    if isinstance(node, inspect.UnionType):
        (node,) = [each for each in node.types if not isinstance(each, inspect.NoneType)]
    if isinstance(node, inspect.EnumType):
        return click.Choice([member.value for member in node.cls])
    if isinstance(node, inspect.LiteralType):
        return click.Choice(get_args(option.kind))  # keeps the order of the declaration
    if isinstance(node, inspect.IntType):
        within = WholeRange(node.ge, node.le)
        return lambda text: int(within(text))  # the range is shown in error messages, but not in the help
    if isinstance(node, inspect.FloatType):
        least = node.gt if node.gt is not None else node.ge
        most = node.lt if node.lt is not None else node.le
        real = click.FloatRange(least, most, min_open=node.gt is not None, max_open=node.lt is not None)
        real.name = "number"  # in error messages
        return lambda text: float(real(text))
    return click.STRING


def asks(kind: type, *, without: tuple[str, ...] = ()) -> Decorator:
    """Return a decorator that adds the options of an API function to a command, which receives them as keywords.

    Args:
        kind: TypedDict of the function's options, see `axiomcheck.api.options`.
        without: Options that the command does not have.

    """
    named = {name: option for name, option in options_of(kind).items() if name not in without}

    def decorate(command: _Command) -> _Command:
        for name, option in reversed(named.items()):
            flags = option.flags or (f"--{name.replace('_', '-')}",)
            if isinstance(option.default, bool):
                made = click.option(
                    *flags, name, is_flag=True, flag_value=not option.default, default=option.default, help=option.help
                )
            else:
                shown = option.default is not None
                made = click.option(
                    *(*flags, name),
                    type=click_type(option),
                    default=option.default,
                    show_default=shown,
                    metavar=option.metavar,
                    help=option.help,
                    shell_complete=complete_metric if option.metavar == "METRIC" else None,
                )
            command = made(command)
        return command

    return decorate


FILE = click.Path(dir_okay=False, path_type=Path)
"""Type of an argument that names a file to read."""

metric_argument = click.argument("metric", shell_complete=complete_metric)
axiom_argument = click.argument("axiom", shell_complete=complete_axiom)
metrics_argument = click.argument(
    "metrics", nargs=-1, required=True, metavar="METRIC...", shell_complete=complete_metric
)


metrics_of_files_option: Decorator = click.option(
    *("-m", "--metric", "metrics"),
    multiple=True,
    metavar="METRIC",
    shell_complete=complete_metric,
    help="A metric from a file or module that FILES use. It is loaded only if you name it. May be repeated.",
)


def verbose_option(words: str) -> Decorator:
    """Return a decorator that adds the option ``--verbose``, described by ``words``, to a command."""
    return click.option("-v", "--verbose", is_flag=True, help=words)


witnesses_option: Decorator = click.option(
    "--witnesses",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write each counterexample to a file in DIR, for 'axiomcheck replay'.",
)


def _complete_file(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the value of an option as a file name; for the ``shell_complete`` argument of click."""
    return [CompletionItem(incomplete, type="file")]


def _not_built_in(ctx: click.Context, parameter: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """Check that no built-in axiom is named in an option that only loads the user's own axioms."""
    for name in names:
        if name in complete_axiom(ctx, parameter, name):
            raise click.BadParameter(f"{name} is built in; -a only loads your own axioms and does not select axioms")
    return names


axioms_option: Decorator = click.option(
    *("-a", "--axiom", "axioms"),
    multiple=True,
    metavar="AXIOM",
    shell_complete=complete_axiom,
    help="An axiom, such as Red; may be repeated. Default: all ten.",
)
axioms_of_files_option: Decorator = click.option(
    *("-a", "--axiom", "axioms"),
    multiple=True,
    metavar="AXIOM",
    shell_complete=_complete_file,
    callback=_not_built_in,
    help="An axiom from a file or module that the reports use. It is loaded only if you name it. May be repeated.",
)
