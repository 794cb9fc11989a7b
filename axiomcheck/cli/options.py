"""What several commands share: exit codes, options, completion, and the names of metrics that they take."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from axiomcheck.core.errors import InvalidInput
from axiomcheck.processes.interrupts import EXIT_INTERRUPTED

if TYPE_CHECKING:
    from axiomcheck.engine.matrix import Foreign
    from axiomcheck.metrics import Metric

__all__ = [
    "EXAMPLES",
    "EXITS",
    "EXIT_DISAGREEMENT",
    "EXIT_EXPECTATION",
    "EXIT_INTERRUPTED",
    "EXIT_PIPE",
    "EXIT_UNDECIDED",
    "EXIT_USAGE",
    "check_writable",
    "complete_axiom",
    "complete_metric",
    "metric_or_foreign",
    "shared",
    "usable_cpus",
]

EXIT_EXPECTATION = 1
EXIT_USAGE = 2
EXIT_DISAGREEMENT = 3
EXIT_UNDECIDED = 4
EXIT_PIPE = 141
"""Nobody reads the output any more: what a shell says of a program that SIGPIPE ended."""

EXITS = """
\b
Exit codes: 0 every cell decided, whatever the verdicts; 1 an expectation was
not met; 2 usage, unusable input, or output that cannot be written; 3 axiomcheck
contradicts itself (a defect); 4 some cell is undecided or in error; 130
interrupted; 141 nobody reads the output any more, as in '| head'.
"""


def complete_metric(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Names of the catalogue's metrics that begin with what was typed."""
    from axiomcheck.metrics import metric_names

    return [name for name in metric_names() if name.casefold().startswith(incomplete.casefold())]


def complete_axiom(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Names of constraints that begin with what was typed."""
    from axiomcheck.axioms import axiom_names

    return [name for name in axiom_names() if name.casefold().startswith(incomplete.casefold())]


EXAMPLES = click.IntRange(0, 10**12)
"""Budgets of a search: more than anybody can wait for."""

_SHARED: dict[str, Any] = {
    "axioms": click.option(
        "-a",
        "--axiom",
        "axioms",
        multiple=True,
        metavar="AXIOM",
        shell_complete=complete_axiom,
        help="A constraint, such as Red; may be repeated. Default: all ten.",
    ),
    "regime": click.option(
        "--regime",
        type=click.Choice(["stated", "limit", "finite"]),
        default="stated",
        show_default=True,
        help="Where r << 1 is assumed: where the paper states it, everywhere but Sat, or nowhere.",
    ),
    "domain": click.option(
        "--domain",
        type=click.Choice(["graded", "binary"]),
        default="graded",
        show_default=True,
        help="Grades in [0, 1], or 0 and one rc.",
    ),
    "examples": click.option(
        "--examples",
        type=EXAMPLES,
        default=100_000,
        show_default=True,
        help="Distinct random instances to try per cell; fewer of metrics that are slow to call.",
    ),
    "seed": click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random search."),
    "jobs": click.option(
        "-j", "--jobs", type=click.IntRange(min=1), default=None, help="Worker processes. Default: one per usable CPU."
    ),
    "timeout": click.option(
        "--timeout",
        type=click.FloatRange(min=0, min_open=True),
        default=120.0,
        show_default=True,
        help="Seconds that a cell of a metric from outside the catalogue may take.",
    ),
    "memory": click.option(
        "--memory",
        type=click.IntRange(min=64),
        default=2048,
        show_default=True,
        help="Megabytes that such a cell may take.",
    ),
    "json": click.option("--json", "as_json", is_flag=True, help="Print JSON."),
    "output": click.option(
        "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write there instead."
    ),
    "pictures": click.option(
        "--picture",
        "pictures",
        multiple=True,
        type=click.Path(dir_okay=False, path_type=Path),
        help="Draw to FILE.png or FILE.svg; may be repeated. Needs matplotlib (axiomcheck[plot]).",
    ),
}


_Command = TypeVar("_Command", bound=Callable[..., Any])


def shared(*names: str) -> Callable[[_Command], _Command]:
    """The options that several commands have, in that order."""

    def decorate(function: _Command) -> _Command:
        for name in reversed(names):
            function = _SHARED[name](function)
        return function

    return decorate


def usable_cpus() -> int:
    """The CPUs that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def metric_or_foreign(name: str) -> Metric | Foreign:
    """A metric by name: of the catalogue as an object, from outside by name only, to be loaded in workers.

    Raises:
        InvalidInput: no such metric.

    """
    from axiomcheck.engine.matrix import Foreign
    from axiomcheck.sources.resolve import is_foreign, resolve

    return Foreign(name) if is_foreign(name) else resolve(name)


def check_writable(path: Path | None) -> None:
    """Fails before the work rather than after it."""
    if path is not None and not (path.parent.is_dir() and os.access(path.parent, os.W_OK)):
        raise InvalidInput(f"cannot write {path}: {path.parent} is not a directory that can be written to")
