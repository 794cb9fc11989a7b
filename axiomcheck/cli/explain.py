"""The command `axiomcheck explain`."""

from __future__ import annotations

from pathlib import Path

import click

from axiomcheck.axioms import Axiom, axiom_names, find_axiom, guessed_axiom
from axiomcheck.cli.console import check_writable, draw_or_write, print_or_write
from axiomcheck.cli.exits import SHOWS, epilog
from axiomcheck.cli.options import complete_axiom_or_metric, formats
from axiomcheck.core.errors import InvalidInput, UnknownName
from axiomcheck.core.writing import json_text
from axiomcheck.metrics import metric_names, parse
from axiomcheck.reports.explain import print_axiom, print_known_metric
from axiomcheck.reports.listing import axiom_entry, metric_entry


@click.command(
    "explain",
    epilog=epilog(
        "axiomcheck explain Red",
        'axiomcheck explain "aspect relevance"',
        "axiomcheck explain RBU",
        exits=SHOWS,
    ),
)
@click.argument("name", shell_complete=complete_axiom_or_metric)
@formats()
def command(name: str, format_: str, output: Path | None) -> None:
    """Show an axiom: its sentence, formula, source, assumptions, and a small drawn example.

    NAME is its short name or number, its title, or the beginning of either, such
    as Red, 7, redundancy or redund. Or it is a metric of the catalogue, of which
    the definition, parameters and source are shown.
    """
    check_writable(output)
    found = _named(name)
    if isinstance(found, str):
        entry, metric = metric_entry(found), parse(found)
        if format_ == "json":
            print_or_write(json_text(entry), output)
        else:
            draw_or_write(lambda console: print_known_metric(console, entry, metric), output)
    elif format_ == "json":
        print_or_write(json_text(axiom_entry(found)), output)
    else:
        draw_or_write(lambda console: print_axiom(console, found), output)


def _named(name: str) -> Axiom | str:
    """The axiom that a name means, or the catalogue's name of a metric.

    Raises:
        UnknownName: neither; the message has the nearest of both.
        InvalidInput: a plugin of that name is there and not usable.

    """
    try:
        return find_axiom(name)
    except UnknownName:
        pass
    try:
        return parse(name).name
    except InvalidInput:
        found = guessed_axiom(name)
    if found is None:
        raise UnknownName("axiom or metric", name, [*axiom_names(), *metric_names()])
    return found
