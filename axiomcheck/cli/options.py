"""Arguments and options that several commands have, and the names that they take."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from axiomcheck.api.asked import LONGEST_BUDGET
from axiomcheck.axioms import axiom_names
from axiomcheck.core.entry_points import shipped
from axiomcheck.metrics import metric_names
from axiomcheck.sources.adapters import adapter_names
from axiomcheck.sources.names import GROUP

_Command = TypeVar("_Command", bound=Callable[..., Any])


def complete_metric(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Names of metrics of the catalogue and of installed plugins, and prefixes of libraries, that begin so."""
    names = [*metric_names(), *shipped(GROUP), *(f"{prefix}:" for prefix in adapter_names())]
    return [name for name in names if name.casefold().startswith(incomplete.casefold())]


def complete_axiom(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Names of axioms that begin with what was typed."""
    return [name for name in axiom_names() if name.casefold().startswith(incomplete.casefold())]


def complete_axiom_or_metric(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Names of axioms, then of metrics, that begin with what was typed."""
    return [*complete_axiom(ctx, parameter, incomplete), *complete_metric(ctx, parameter, incomplete)]


_SECONDS = {"": 1, "s": 1, "ms": 0.001, "m": 60, "h": 3600}


def duration(text: str) -> float:
    """Seconds as people write them: ``60s``, ``2m``, ``500ms``, ``1h``, or a number.

    Raises:
        BadParameter: no such time, or none above 0.

    """
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) *(ms|s|m|h|)", text.strip())
    seconds = float(found[1]) * _SECONDS[found[2]] if found else 0.0
    if not 0 < seconds <= LONGEST_BUDGET:
        raise click.BadParameter(
            f"{text[:80]!r} is no time; expected 60s, 2m, 500ms, 1h or a number of seconds, above 0"
        )
    return seconds


def _within(low: int, high: int) -> Callable[[str], int]:
    """A whole number from a range whose ends are nobody's concern: an error says them, the help does not."""
    return lambda text: int(click.IntRange(low, high)(text))


FILE = click.Path(dir_okay=False, path_type=Path)
"""A file to be written."""

_REGIME = click.Choice(["stated", "limit", "finite"])

_SHARED: dict[str, Any] = {
    "metric": click.argument("metric", shell_complete=complete_metric),
    "axiom": click.argument("axiom", shell_complete=complete_axiom),
    "metrics": click.argument("metrics", nargs=-1, required=True, metavar="METRIC...", shell_complete=complete_metric),
    "axioms": click.option(
        "-a",
        "--axiom",
        "axioms",
        multiple=True,
        metavar="AXIOM",
        shell_complete=complete_axiom,
        help="An axiom, such as Red; may be repeated. Default: all ten.",
    ),
    "axioms of files": click.option(
        "-a",
        "--axiom",
        "axioms",
        multiple=True,
        metavar="AXIOM",
        shell_complete=complete_axiom,
        help="An axiom in a file or module that the reports are about, which they alone do not get to load; may be "
        "repeated.",
    ),
    "regime": click.option(
        "--regime",
        type=_REGIME,
        default="stated",
        show_default=True,
        help="Where r << 1 is assumed: where the paper states it, everywhere but Sat, or nowhere.",
    ),
    "regimes": click.option(
        "--regime",
        "regimes",
        type=_REGIME,
        multiple=True,
        help="Where r << 1 is assumed; may be repeated. Default: all three.",
    ),
    "domain": click.option(
        "--domain",
        type=click.Choice(["graded", "binary"]),
        default="graded",
        show_default=True,
        help="Grades in [0, 1], or 0 and one rc.",
    ),
    "seed": click.option(
        "--seed",
        metavar="N",
        type=_within(-(2**63), 2**63 - 1),
        default=0,
        show_default=True,
        help="Seed of whatever is drawn at random; the same seed gives the same output.",
    ),
    "exhaustive": click.option("--no-exhaustive", is_flag=True, help="Leave out the enumeration of small shapes."),
    "jobs": click.option(
        "-j",
        "--jobs",
        metavar="N",
        type=click.IntRange(min=1),
        default=None,
        help="Worker processes. Default: one per usable CPU.",
    ),
    "timeout": click.option(
        "--timeout",
        metavar="SECONDS",
        type=click.FloatRange(min=0, min_open=True),
        default=120.0,
        show_default=True,
        help="Seconds that a cell of a metric from outside the catalogue may take.",
    ),
    "budget": click.option(
        "--budget",
        type=duration,
        metavar="TIME",
        help="The time that the whole run may take, such as 60s or 2m: cells get as many instances as it allows, and "
        "say how many; how many those are depends on the machine.",
    ),
    "until": click.option(
        "--until",
        type=duration,
        metavar="TIME",
        help="Go on searching until so much time is over, such as 90s or 2h, counted from the start: when every cell "
        "is decided as without this option, those of which least is known get more instances. How many depends on the "
        "machine.",
    ),
    "memory": click.option(
        "--memory",
        metavar="MEGABYTES",
        type=click.IntRange(min=64),
        default=2048,
        show_default=True,
        help="Megabytes that such a cell may take.",
    ),
    "output": click.option("-o", "--output", type=FILE, help="Write there instead of printing."),
    "output-or-folder": click.option(
        "-o",
        "--output",
        type=click.Path(),
        help="Write there instead of printing; of HTML, NAME/ is a folder with a page for each cell.",
    ),
    "pictures": click.option(
        "--picture",
        "pictures",
        multiple=True,
        type=FILE,
        help="Draw to FILE.png or FILE.svg; may be repeated. Needs matplotlib (axiomcheck[plot]).",
    ),
}


def shared(*names: str) -> Callable[[_Command], _Command]:
    """The arguments and options that several commands have, in that order."""

    def decorate(function: _Command) -> _Command:
        for name in reversed(names):
            function = _SHARED[name](function)
        return function

    return decorate


def examples(default: int) -> Callable[[_Command], _Command]:
    """The option for the budget of a search; `axiomcheck.decide.budgets` has the defaults and their reasons."""
    return click.option(
        "--examples",
        metavar="N",
        type=_within(0, 10**12),  # more than anybody can wait for
        default=default,
        show_default=True,
        help="Distinct random instances to try per cell, besides the enumerated ones; fewer of metrics that are slow "
        "to call, of which it bounds the enumeration, too.",
    )


def formats(*more: str, output: str = "output") -> Callable[[_Command], _Command]:
    """The options that say what a result is shown as, "table" and "json" among it, and where it goes.

    Args:
        more: formats besides these two.
        output: which of the shared options says where to.

    """

    def decorate(function: _Command) -> _Command:
        return click.option(
            "-f",
            "--format",
            "format_",
            type=click.Choice([*dict.fromkeys(("table", "json", *more))]),
            default="table",
            show_default=True,
            help="What to print.",
        )(shared(output)(function))

    return decorate
