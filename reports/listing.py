"""The catalogue and the axioms as lists."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from axiomcheck.axioms import AXIOMS, Axiom, installed_axioms
from axiomcheck.core.packages import shipped, shipper
from axiomcheck.core.printable import escaped
from axiomcheck.metrics import CATALOGUE, in_reading_order
from axiomcheck.reports.paragraphs import paragraph
from axiomcheck.sources.names import GROUP, family_of

_PLUGINS = "Installed plugins"
_INDENT = "    "


def metric_entries() -> list[dict[str, Any]]:
    """Every metric of the catalogue by family, then those of installed plugins, as `metric_entry` has them."""
    return [*(metric_entry(name) for name in in_reading_order()), *plugin_entries()]


def plugin_entries() -> list[dict[str, Any]]:
    """The metrics of installed plugins, which are not loaded, so that there is the name and the package alone."""
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
    """A metric of the catalogue: name, family, definition, parameters with range and default, cutoff, source."""
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
    """Every axiom, those of plugins last: name, number (None for those), sentence, formula, assumptions, source.

    Raises:
        InvalidInput: an installed plugin is not usable.

    """
    return [axiom_entry(axiom) for axiom in (*AXIOMS.values(), *installed_axioms().values())]


def axiom_entry(axiom: Axiom) -> dict[str, Any]:
    """Return the entry of one axiom, as `axiom_entries` has it."""
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


def print_metrics(console: Console, entries: list[dict[str, Any]]) -> None:
    """Prints `metric_entries` for people, below the headings of their families."""
    family = ""
    for entry in entries:
        if entry["family"] != family:
            if family:
                console.print()
            family = entry["family"]
            paragraph(console, family, style="bold underline")
        print_metric(console, entry)
    console.print()
    paragraph(
        console, "Type NAME(parameter=value, ...)@cutoff; what is left out has its default, @inf asks for no cutoff."
    )


def print_metric(console: Console, entry: dict[str, Any]) -> None:
    """Prints one `metric_entry`."""
    cutoff = f"@{entry['cutoff']}" if entry["cutoff"] else ""
    kinds = [word.replace("_", " ") for word in ("binary_only", "single_aspect") if entry[word]]
    _heading(console, f"{entry['name']}{cutoff}", f"  ({', '.join(kinds)})" if kinds else "")
    if entry["definition"]:
        paragraph(console, entry["definition"], _INDENT)
    for p in entry["parameters"]:
        paragraph(console, f"{p['description']} ({p['range']})", f"{_INDENT}{p['name']}={p['default']}  ")
    paragraph(console, entry["source"], f"{_INDENT}source: ", "dim")


def _heading(console: Console, name: str, more: str) -> None:
    """A name in bold, and what belongs to it; names are escaped, never wrapped."""
    console.print(Text.assemble((escaped(name), "bold"), (escaped(more), "dim")), soft_wrap=True)


def print_axioms(console: Console, entries: list[dict[str, Any]]) -> None:
    """Prints `axiom_entries` for people."""
    for entry in entries:
        number = "  +" if entry["number"] is None else f"{entry['number']:>2}."
        _heading(console, f"{number} {entry['name']}", f"  {entry['title']}  ({entry['group']})")
        paragraph(console, entry["sentence"], _INDENT)
        paragraph(console, entry["formula"], _INDENT)
        paragraph(console, "; ".join(entry["assumptions"]), f"{_INDENT}assumes: ", "dim")
        if entry["number"] is None:
            paragraph(console, entry["source"], f"{_INDENT}source: ", "dim")
    console.print()
    paragraph(console, "axiomcheck explain NAME shows one with an example.")
