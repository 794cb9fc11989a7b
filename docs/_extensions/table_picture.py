"""The picture of the table that the README shows: `docs/table.svg`, which is committed and held to what is computed."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from sphinx.util.logging import getLogger

from axiomcheck.cli.console import draw_report
from axiomcheck.metrics import paper_rows
from axiomcheck.records.cells import Ledger
from axiomcheck.reports.matrix_report import matrix_report

FILE = "table.svg"

# rich's own form loads a font from elsewhere; this one takes what the reader has.
_FORM = """<svg class="rich-terminal" viewBox="0 0 {terminal_width} {terminal_height}" xmlns="http://www.w3.org/2000/svg"
 role="img" aria-label="The table of axiomcheck matrix">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
 font-size: {char_height}px; line-height: {line_height}px; font-variant-east-asian: full-width; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}</defs>
<rect width="{terminal_width}" height="{terminal_height}" rx="8" fill="#292929"/>
<g transform="translate(12, 8)" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">{matrix}</g>
</g>
</svg>
"""


def picture(ledger: Ledger) -> str:
    """The paper's twenty rows of a ledger as a terminal shows them."""
    wanted = {metric.canonical for metric in paper_rows()}
    rows = replace(ledger, cells=tuple(cell for cell in ledger.cells if cell.metric in wanted))
    console = Console(
        record=True, width=80, file=io.StringIO(), force_terminal=True, color_system="truecolor", legacy_windows=False
    )
    report = matrix_report(rows)
    draw_report(console, replace(report, sections=report.sections[:2]))
    console.print()  # room for the margin above
    return console.export_svg(title="axiomcheck matrix", code_format=_FORM, unique_id="axiomcheck")


def hold(docs: Path, ledger: Ledger) -> None:
    """Writes the picture anew where it is not what the ledger says, and warns, for it has to be committed then."""
    file, now = docs / FILE, picture(ledger)
    if not file.exists() or file.read_text(encoding="utf-8") != now:
        file.write_text(now, encoding="utf-8")
        getLogger(__name__).warning(
            "docs/%s was not what the matrix is now; it was written anew, and wants a commit", FILE
        )
