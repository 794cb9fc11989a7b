"""Define the command `axiomcheck explain`."""

from __future__ import annotations

import contextlib
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from axiomcheck.axioms import Axiom, axiom_names, find_axiom, guessed_axiom
from axiomcheck.cli.console import deliver
from axiomcheck.cli.forms import formats
from axiomcheck.cli.help import command_named
from axiomcheck.cli.options import complete_axiom_or_metric
from axiomcheck.core.errors import InvalidInput, UnknownName
from axiomcheck.core.writing import json_text
from axiomcheck.metrics import metric_names, parse
from axiomcheck.metrics.spelling import spelled
from axiomcheck.reports.explain import axiom_report, known_metric_report, plugin_metric_report
from axiomcheck.reports.listing import axiom_entry, metric_entry, plugin_entries
from axiomcheck.reports.table import Report
from axiomcheck.sources.names import Home, is_foreign, read_name
from axiomcheck.sources.resolve import named_without_metric, resolve, resolve_axiom


@command_named(
    "explain",
    "axiomcheck explain Red",
    'axiomcheck explain "aspect relevance"',
    "axiomcheck explain RBU",
)
@click.argument("name", shell_complete=complete_axiom_or_metric)
@formats()
def command(name: str, format_: str, output: Path | None) -> None:
    """Explain an axiom or a metric.

    For an axiom, show its sentence, formula, source, assumptions and a small example. NAME is its short name, number or
    title, or the beginning of one of these, such as Red, 7 or redund. For a metric in the catalogue, show its
    definition, parameters and source; for a plugin's metric, show its origin.
    """
    with contextlib.redirect_stdout(sys.stderr):  # output of a user's file is not part of the result
        entry, report = _found(name)
    deliver(format_, report, {"json": lambda: json_text(entry)}, output)


def _found(name: str) -> tuple[dict[str, Any], Callable[[], Report]]:
    """Look up an axiom or metric by name; return its explanation as JSON and a function that returns the report.

    Raises:
        UnknownName: There is no axiom or metric with that name. The message suggests the nearest name.
        InvalidInput: The plugin's metric or the user's axiom cannot be used, the catalogue metric has invalid
            parameters, or the metric is neither from the catalogue nor from a plugin.

    """
    if ":" in name:
        try:
            return _of_axiom(resolve_axiom(name))
        except InvalidInput:
            if read_name(name).home in (Home.FILE, Home.MODULE) and not _is_metric(name):
                raise
    else:
        with contextlib.suppress(UnknownName):
            return _of_axiom(find_axiom(name))
    try:
        known = parse(name)
        entry = metric_entry(known.name)
        return entry, lambda: known_metric_report(entry, known)
    except InvalidInput as error:
        wrong = error
    plugins = {entry["name"]: entry for entry in plugin_entries()}
    if name in plugins:
        return plugins[name], lambda: plugin_metric_report(plugins[name])
    guessed = guessed_axiom(name)
    if guessed is not None:
        return _of_axiom(guessed)
    if name.endswith(".py"):
        raise named_without_metric(name)
    if is_foreign(name):
        check = shlex.join(["axiomcheck", "check", name])
        raise InvalidInput(f"{name} is not in the catalogue, so it cannot be explained; to check it, run: {check}")
    if name.strip() and (not isinstance(wrong, UnknownName) or _is_catalogued(name)):
        raise wrong
    raise UnknownName("axiom or metric", name, [*axiom_names(), *metric_names(), *plugins])


def _of_axiom(axiom: Axiom) -> tuple[dict[str, Any], Callable[[], Report]]:
    return axiom_entry(axiom), lambda: axiom_report(axiom)


def _is_metric(name: str) -> bool:
    """Return True if a name such as ``file.py:metric`` names a metric."""
    try:
        resolve(name)
    except InvalidInput:
        return False
    return True


def _is_catalogued(name: str) -> bool:
    """Return True if the name without parameters and cutoff is in the catalogue."""
    said = spelled(name)
    try:
        return said is not None and parse(said.name) is not None
    except InvalidInput:
        return False
