"""List the metrics in the catalogue and the axioms."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from axiomcheck.axioms import AXIOMS, Axiom, installed_axioms
from axiomcheck.core.packages import shipped, shipper
from axiomcheck.metrics import CATALOGUE, in_reading_order
from axiomcheck.reports.table import Report, Section
from axiomcheck.sources.names import GROUP, family_of

_PLUGINS = "Installed plugins"


def metric_entries() -> list[dict[str, Any]]:
    """Return the entries of all catalogue metrics by family, followed by the entries of plugin metrics."""
    return [*(metric_entry(name) for name in in_reading_order()), *plugin_entries()]


def plugin_entries() -> list[dict[str, Any]]:
    """Return the entries of the metrics of installed plugins.

    Plugins are not loaded, so only the name and the package of a metric are known.
    """
    return [
        {
            "name": name,
            "family": _PLUGINS,
            "definition": None,
            "parameters": [],
            "cutoff": None,
            "binary_only": None,
            "single_aspect": None,
            "source": f"{', '.join(point.value for point in points)} of {shipper(*points)}",
        }
        for name, points in sorted(shipped(GROUP).items())
    ]


def metric_entry(name: str) -> dict[str, Any]:
    """Return the name, family, definition, parameters, cutoff and source of a catalogue metric as a dictionary.

    Each parameter has its range and default.
    """
    cls = CATALOGUE[name]
    return {
        "name": cls.name,
        "family": family_of(cls.name),
        "definition": cls.summary,
        "parameters": [
            {
                "name": p.name,
                "default": p.text(p.parse(p.default)),
                "range": p.range(),
                "description": p.description,
            }
            for p in cls.declared
        ],
        "cutoff": cls.default_cutoff,
        "binary_only": cls.binary_only,
        "single_aspect": cls.single_aspect,
        "source": cls.source,
    }


def axiom_entries() -> list[dict[str, Any]]:
    """Return the entries of all axioms, with those of plugins last.

    Raises:
        InvalidInput: An installed plugin is unusable.

    """
    return [axiom_entry(axiom) for axiom in (*AXIOMS.values(), *installed_axioms().values())]


def axiom_entry(axiom: Axiom) -> dict[str, Any]:
    """Return the name, number (None for axioms of plugins), sentence, formula, assumptions and source of an axiom."""
    return {
        "name": axiom.name,
        "number": axiom.number,
        "title": axiom.title,
        "group": axiom.group,
        "sentence": axiom.words,
        "formula": axiom.symbols,
        "assumptions": list(axiom.assumptions),
        "reading": list(axiom.reading),
        "source": axiom.source,
    }


def metrics_report(entries: Sequence[dict[str, Any]]) -> Report:
    """Return a report that lists metrics by family.

    Args:
        entries: Entries of the metrics, see `metric_entries`.

    """
    sections = [
        Section(family, [line for entry in group for line in metric_lines(entry)])
        for family, group in groupby(entries, key=lambda entry: str(entry["family"]))
    ]
    how = "Type NAME(parameter=value, ...)@cutoff; omitted parts have their defaults, and @inf means no cutoff."
    return Report("Metrics", [], [*sections, Section(lines=[how])])


def metric_lines(entry: dict[str, Any]) -> list[str]:
    """Return the entry of a metric as lines of text."""
    cutoff = f"@{entry['cutoff']}" if entry["cutoff"] else ""
    kinds = [word.replace("_", " ") for word in ("binary_only", "single_aspect") if entry[word]]
    lines = [f"{entry['name']}{cutoff}" + (f"  ({', '.join(kinds)})" if kinds else "")]
    lines += [f"    {entry['definition']}"] if entry["definition"] else []
    lines += [f"    {p['name']}={p['default']}  {p['description']} ({p['range']})" for p in entry["parameters"]]
    return [*lines, f"    source: {entry['source']}"]


def axioms_report(entries: Sequence[dict[str, Any]]) -> Report:
    """Return a report that lists axioms with their sentences, formulas and assumptions.

    Args:
        entries: Entries of the axioms, see `axiom_entries`.

    """
    lines = []
    for entry in entries:
        number = "  +" if entry["number"] is None else f"{entry['number']:>2}."
        lines.append(f"{number} {entry['name']}  {entry['title']}  ({entry['group']})")
        lines += [f"    {entry['sentence']}", f"    {entry['formula']}"]
        lines.append(f"    assumes: {'; '.join(entry['assumptions'])}")
        lines += [f"    source: {entry['source']}"] if entry["number"] is None else []
    how = "axiomcheck explain NAME shows an axiom with an example."
    return Report("Axioms", [], [Section(lines=lines), Section(lines=[how])])
