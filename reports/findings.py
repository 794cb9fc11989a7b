"""What a matrix found, on a terminal: the cells that differ from the published claim, and what to do next."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from axiomcheck.axioms import AXIOMS
from axiomcheck.core.printable import escaped
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.cells import Cell, Ledger
from axiomcheck.records.sentences import finding_sentence, findings_headline, published_word, verdict_in_brief
from axiomcheck.reports.layout import Layout, counts, hints, reasons_told_once
from axiomcheck.reports.paragraphs import paragraph
from axiomcheck.reports.rows import TableRows
from axiomcheck.reports.symbols import STYLES, SYMBOLS
from axiomcheck.sources.names import catalogue_metric


def print_findings(console: Console, ledger: Ledger, explain: bool = False, offered: Sequence[str] = ()) -> None:
    """Prints the cells that differ from the published claim, the counts, the cells without an answer, the next step.

    Args:
        console: where to.
        ledger: the cells.
        explain: whether each finding is a sentence with its counterexample rather than a line.
        offered: options that the command takes besides, as `next_steps` has them.

    """
    paragraph(console, findings_headline(ledger), style="bold")
    if explain:
        for cell in ledger.findings:
            paragraph(console, finding_sentence(cell), "- ")
    else:
        _print_in_brief(console, ledger)
    for hint in hints(ledger):
        paragraph(console, hint, "- ")
    console.print()
    paragraph(console, counts(ledger))
    missing = reasons_told_once(ledger)
    if missing:
        console.print()
        paragraph(console, "Without an answer", style="bold")
    for verdict, text in missing:
        paragraph(console, text, f"{SYMBOLS[verdict]} ", lead_style=STYLES[verdict])
    steps = next_steps(ledger, offered)
    if steps:
        console.print()
    for number, step in enumerate(steps):
        lead = "Next: " if number == 0 else "      "
        if step.startswith("axiomcheck "):  # is typed or copied: it has to stay one line
            console.print(Text(lead + escaped(step)), soft_wrap=True)
        else:
            paragraph(console, step, lead)


def _print_in_brief(console: Console, ledger: Ledger) -> None:
    """The findings by axiom and published claim, one line each."""
    names = TableRows(Layout(ledger)).names
    below: dict[tuple[str, str], list[Cell]] = {}
    for axiom in dict.fromkeys([*AXIOMS, *(cell.axiom for cell in ledger.cells)]):
        for cell in ledger.findings:
            if cell.axiom == axiom:
                below.setdefault((axiom, published_word(cell)), []).append(cell)
    widest = max((cell_len(escaped(names[cell.metric])) for cell in ledger.findings), default=0)
    for (axiom, published), cells in below.items():
        here = "violated" if cells[0].verdict is Verdict.REFUTED else "no violation"
        paragraph(console, f"{axiom} (published: {published}; {here} here)")
        for cell in cells:
            name = escaped(names[cell.metric])
            lead = f"  {SYMBOLS[cell.verdict]} {name}{' ' * (widest - cell_len(name))}  "
            paragraph(console, verdict_in_brief(cell), lead)


def next_steps(ledger: Ledger, offered: Sequence[str] = ()) -> list[str]:
    """What there is to be done with a run: commands that work for it, and options that it did not have.

    Args:
        ledger: the cells.
        offered: of ``--explain`` and ``--witnesses``, those that the command takes and was not given; it takes
            ``--format html``.

    """
    steps = []
    refuted = [cell for cell in ledger.cells if cell.verdict is Verdict.REFUTED]
    asked = Counter(cell.axiom for cell in ledger.findings or refuted)
    if asked:
        steps.append(f"axiomcheck explain {shlex.quote(asked.most_common(1)[0][0])}")
    certified = [cell for cell in ledger.cells if cell.certificate is not None]
    if certified:
        cell = next((cell for cell in certified if cell.finding), certified[0])
        # Short names of the catalogue mean the same metric; of a file's metric they leave out where the file is.
        named = TableRows(Layout(ledger)).names[cell.metric] if catalogue_metric(cell.metric) else cell.metric
        words = ["axiomcheck", "prove", named, cell.axiom, "--show"]
        words += ["--regime", ledger.regime] * (ledger.regime != "stated")
        words += ["--domain", ledger.domain] * (ledger.domain != "graded")
        steps.append(shlex.join(words))
    if not steps:
        return []
    options = []
    if ledger.findings and "--explain" in offered:
        options.append("--explain")
    if "--witnesses" in offered and any(cell.witness is not None for cell in refuted):
        options.append("--witnesses DIR")
    *others, last = [*options, "--format html -o report.html"]
    return [*steps, f"the same with {', '.join(others)}{' or ' if others else ''}{last}"]
