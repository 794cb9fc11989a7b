"""The catalogue and the axioms as lists."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.markup import escape

from axiomcheck.axioms import AXIOMS, Axiom, installed_axioms
from axiomcheck.core.printable import escaped
from axiomcheck.metrics import CATALOGUE


def metric_entries() -> list[dict[str, Any]]:
    """Every metric of the catalogue: name, definition, parameters with range and default, cutoff, source."""
    return [
        {
            "name": cls.name,
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
        for cls in CATALOGUE.values()
    ]


def axiom_entries() -> list[dict[str, Any]]:
    """Every axiom, those of plugins last: name, number (None for those), sentence, formula, assumptions, source.

    Raises:
        InvalidInput: an installed plugin is not usable.

    """
    return [axiom_entry(axiom) for axiom in (*AXIOMS.values(), *installed_axioms().values())]


def axiom_entry(axiom: Axiom) -> dict[str, Any]:
    """What `axiom_entries` has of one axiom."""
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
    """Prints `metric_entries` for people."""
    for entry in entries:
        cutoff = f"@{entry['cutoff']}" if entry["cutoff"] else ""
        kinds = [word for word in ("binary_only", "single_aspect") if entry[word]]
        notes = f"  [dim]({', '.join(k.replace('_', ' ') for k in kinds)})[/dim]" if kinds else ""
        console.print(f"[bold]{entry['name']}[/bold]{cutoff}{notes}")
        console.print(f"    {entry['definition']}", markup=False)
        for p in entry["parameters"]:
            console.print(f"    {p['name']}={p['default']}  {p['description']} ({p['range']})", markup=False)
        console.print(f"    source: {entry['source']}", style="dim", markup=False)
    console.print(
        "\nType NAME(parameter=value, ...)@cutoff; what is left out has its default, @inf asks for no cutoff.",
        markup=False,
    )


def print_axioms(console: Console, entries: list[dict[str, Any]]) -> None:
    """Prints `axiom_entries` for people."""
    for plain in entries:
        entry = {key: escaped(value) if isinstance(value, str) else value for key, value in plain.items()}
        number = "  +" if entry["number"] is None else f"{entry['number']:>2}."
        heading = f"[bold]{number} {escape(entry['name'])}[/bold]  {escape(entry['title'])}"
        console.print(f"{heading}  [dim]({entry['group']})[/dim]")
        console.print(f"    {entry['sentence']}", markup=False)
        console.print(f"    {entry['formula']}", markup=False)
        console.print(f"    assumes: {escaped('; '.join(entry['assumptions']))}", style="dim", markup=False)
        if entry["number"] is None:
            console.print(f"    source: {entry['source']}", style="dim", markup=False)
    console.print("\naxiomcheck explain NAME shows one with an example.", markup=False)
