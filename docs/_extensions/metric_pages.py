"""Write a page for each catalogue metric, with its definition, parameters and rows of the matrix."""

from __future__ import annotations

import inspect

from cells import answers
from pages import Pages
from runs import Study

from axiomcheck.metrics import CATALOGUE, parse
from axiomcheck.metrics.catalogue import FAMILIES, attribute_name
from axiomcheck.records.cells import Ledger
from axiomcheck.reports.bibliography import references_in
from axiomcheck.reports.listing import metric_entries
from axiomcheck.reports.symbols import SYMBOLS
from axiomcheck.sources.names import family_of

FOLDER = "metrics"
TOP = "../../"


def write(pages: Pages, ledger: Ledger, studies: list[Study]) -> None:
    """Write the list of the metrics, and a page for each."""
    names = list(dict.fromkeys(cell.metric for cell in ledger.cells))
    rows = {name: [cell for cell in ledger.cells if cell.metric == name] for name in names}
    entries = metric_entries()
    pages.fill(
        f"{FOLDER}/index.md",
        "metrics.md.j2",
        families={
            family: [
                {**entry, "page": attribute_name(entry["name"])}
                for entry in entries
                if family_of(entry["name"]) == family
            ]
            for family in FAMILIES
            if any(family_of(entry["name"]) == family for entry in entries)
        },
        axioms=list(dict.fromkeys(cell.axiom for cell in ledger.cells)),
        rows={name: [SYMBOLS[c.verdict] + ("*" if c.finding else "") for c in cells] for name, cells in rows.items()},
        page_of={name: attribute_name(type(parse(name)).name) for name in names},
    )
    for entry in entries:
        cls = CATALOGUE[entry["name"]]
        own = {name: answers(cells, TOP) for name, cells in rows.items() if type(parse(name)) is cls}
        pages.fill(
            f"{FOLDER}/{attribute_name(entry['name'])}.md",
            "metric.md.j2",
            entry=entry,
            attribute=attribute_name(entry["name"]),
            references=references_in(entry["source"]),
            words=inspect.cleandoc(cls.__doc__ or ""),
            rows=own,
            studies=[study for study in studies if study.metric in own and study.depends],
        )
