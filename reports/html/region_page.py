"""Render regions as an HTML page, with the evidence for each of their parts and the counterexamples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from axiomcheck.axioms import find_axiom
from axiomcheck.core.counting import counted
from axiomcheck.reports.html.cells import replay_command, shown_witness
from axiomcheck.reports.html.page import render_page
from axiomcheck.reports.region_report import region_report, witness_id
from axiomcheck.reports.table import Report, Section
from axiomcheck.sources.names import catalogue_metric
from axiomcheck.studies.region.result import Region


def regions_page(regions: Sequence[Region], command: str) -> str:
    """Return the HTML page of regions of one metric.

    Args:
        regions: One or more regions.
        command: Command that reproduces the page.

    """
    sections: list[Section] = []
    witnesses = []
    for region in regions:
        report, axiom = region_report(region), find_axiom(region.axiom)
        words = f"{axiom.words} ({axiom.title}, {region.reading_text})"
        sections.append(Section(region.title if len(regions) > 1 else "", [words, *report.lines[1:]]))
        sections += [replace(section, id=f"{region.axiom}-{number}") for number, section in enumerate(report.sections)]
        for number, witness in enumerate(region.witnesses):
            metric, file = catalogue_metric(witness.metric), f"witness-{number + 1}.json"
            shown = shown_witness(witness, axiom, metric, file, axiom.binary)
            title = f"{region.axiom}, witness {number + 1}: {witness.metric}"
            witnesses.append((witness_id(region, number), title, shown))
    several = f"{counted(len(regions), 'axiom')} of {regions[0].subject}"
    return render_page(
        "region.html.j2",
        styles=("cell.css", "tables.css", "plots.css"),
        scripts=("copy.js", "sort.js"),
        report=Report(regions[0].title if len(regions) == 1 else several, [], sections),
        witnesses=witnesses,
        replay=replay_command(regions[0].metric),
        command=command,
    )
