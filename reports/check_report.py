"""One metric on a terminal: its row under every regime, why cells are refuted, its contract, its kin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import structs
from rich.console import Console
from rich.text import Text

from axiomcheck.checks.as_fold import LONGEST, ProposedFold
from axiomcheck.checks.contract import Outcome
from axiomcheck.checks.metric import Checked
from axiomcheck.core.counting import counted
from axiomcheck.core.domain import Reading
from axiomcheck.core.printable import escaped, printable
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.candidates import margin_of
from axiomcheck.records.cells import Cell, violation_sentence
from axiomcheck.records.sentences import counterexample_sentence
from axiomcheck.records.values import ReadingRecord
from axiomcheck.reports.contract_case import case_program, case_text
from axiomcheck.reports.layout import Layout, sensitivity
from axiomcheck.reports.paragraphs import paragraph
from axiomcheck.reports.symbols import STYLES, SYMBOLS, WORDS
from axiomcheck.reports.terminal import SymbolBlock, SymbolTable, print_symbols
from axiomcheck.sources.declarations import table_for
from axiomcheck.sources.names import read_name

_AS_ABOVE = "the error of the cells above"

_ANY_READING = ReadingRecord.of(Reading())


def print_checks(console: Console, found: Sequence[Checked]) -> None:
    """Prints checked metrics, one after the other."""
    for number, checked in enumerate(found):
        if number:
            console.print()
        print_check(console, checked)


def programs_of(found: Sequence[Checked]) -> str:
    """Python text that shows every failed contract check, one below the other."""
    parts = []
    for checked in found:
        for outcome in checked.tried.contract:
            shown = outcome.counterexample
            if outcome.status in ("failed", "error", "admitted") and shown is not None:
                said = printable(f"{checked.metric}, {outcome.check}: {outcome.reason}")
                parts.append(f"# {said}\n{case_program(checked.metric, shown)}")
    return "\n\n".join(parts) or "# no contract check failed\n"


def print_check(console: Console, checked: Checked) -> None:
    """Prints what is known of one metric.

    Args:
        console: where to.
        checked: as `axiomcheck.checks.metric.check_metric` returns it.

    """
    paragraph(console, checked.metric, style="bold")
    if checked.cells:
        _print_row(console, checked)
    if checked.tried.fold is not None:
        _print_fold(console, checked.tried.fold)
    _print_contract(console, checked)
    _print_inferred(console, checked)
    _print_neighbours(console, checked)
    if checked.tried.notes:
        console.print()
        paragraph(console, "Verdicts depend on", style="bold")
        for note in checked.tried.notes:
            paragraph(console, note, "- ")


def _print_row(console: Console, checked: Checked) -> None:
    rows = {
        ledger.regime: {c.axiom: Text(SYMBOLS[c.verdict], style=STYLES[c.verdict]) for c in ledger.cells}
        for ledger in checked.ledgers
    }
    print_symbols(console, SymbolTable("Regime", Layout(checked.ledgers[0]).groups, [SymbolBlock("", rows)]))
    shown = {cell.verdict for cell in checked.cells}
    for verdict, symbol in SYMBOLS.items():
        if verdict in shown:
            paragraph(console, WORDS[verdict], f"{symbol} ", "dim")
    paragraph(console, tried_text(checked), style="dim")
    for heading, told in told_cells(checked):
        _print_cells(console, heading, told)


def tried_text(checked: Checked) -> str:
    """The reading and settings that the verdicts belong to, and what held cells were searched for."""
    held = [c.instances for c in checked.cells if c.verdict is Verdict.HELD]
    domain, settings = checked.ledgers[0].domain, checked.ledgers[0].settings
    text = f"Reading: {domain} grades, seed {settings.seed}."
    if settings.budget:
        text += f" At most {settings.budget:g} s, so that how many instances a cell got depends on the machine."
    if held:
        found = sensitivity(c for c in checked.cells if c.verdict is Verdict.HELD)
        span = f"{min(held):,}" if min(held) == max(held) else f"{min(held):,} to {max(held):,}"
        text += f" Here N = {span}{f'; {found}' if found else ''}."
    reasons = {c.pairs.numerical: None for c in checked.cells if c.pairs and c.pairs.numerical}
    for reason in reasons:
        text += f" In floats only: {reason}."
    return text


def _merged(checked: Checked, wanted: Any) -> list[tuple[list[str], Cell]]:
    """Cells with the regimes in which they are the same, in the table's order."""
    found: list[tuple[list[str], Cell]] = []
    for axiom in [cell.axiom for cell in checked.ledgers[0].cells]:
        for ledger in checked.ledgers:
            cell = next(c for c in ledger.cells if c.axiom == axiom)
            if not wanted(cell):
                continue
            same = next(
                (e for e in found if e[1].axiom == axiom and e[1].reason == cell.reason and _like(e[1], cell)), None
            )
            if same is None:
                found.append(([ledger.regime], cell))
            else:
                same[0].append(ledger.regime)
    return found


def _violations(checked: Checked) -> Iterator[tuple[str, list[tuple[list[str], Cell]]]]:
    """Violations under their headings: what the metric beside it does not do comes first."""
    found = _merged(checked, lambda c: c.verdict is Verdict.REFUTED)
    if not checked.yardstick:
        yield "Violations", found
        return
    shared = {(v.regime, v.axiom): v.shared for v in checked.violations}

    def has(regimes: list[str], axiom: str) -> bool | None:
        answers = {shared[regime, axiom] for regime in regimes}
        return False if False in answers else None if None in answers else True

    headings = {
        False: f"Violations, other than {checked.yardstick}",
        None: f"Violations where {checked.yardstick} has no answer",
        True: f"Violations, as {checked.yardstick} has them",
    }
    for answer, heading in headings.items():
        yield heading, [(regimes, cell) for regimes, cell in found if has(regimes, cell.axiom) is answer]


def violations_told(checked: Checked) -> list[str]:
    """A sentence per axiom that is violated, and in which regimes where not in all."""
    told = []
    for regimes, cell in _merged(checked, lambda c: c.verdict is Verdict.REFUTED):
        where = "" if len(regimes) == len(checked.ledgers) else f" ({', '.join(regimes)})"
        told.append(f"{cell.axiom}{where}: {violation_sentence(cell)}")
    return told


def _like(one: Cell, other: Cell) -> bool:
    """Say whether two cells are the same but for the regime that they are reported under."""
    a, b = (c.witness and structs.replace(c.witness, reading=_ANY_READING) for c in (one, other))
    return a == b and one.evidence == other.evidence


@dataclass(frozen=True)
class ToldCells:
    """Cells of which the same is said.

    Args:
        verdict: of all of them.
        cells: each with the regimes in which it is the same.
        where: the axioms, with the regimes where these are not all.
        text: what is said.
        further: (what it is, sentence) of other counterexamples than the smallest.

    """

    verdict: Verdict
    cells: tuple[tuple[tuple[str, ...], Cell], ...]
    where: str
    text: str
    further: tuple[tuple[str, str], ...]


def told_cells(checked: Checked) -> Iterator[tuple[str, list[ToldCells]]]:
    """(heading, what is said below it) of the cells that are not satisfied; without headings of nothing."""
    groups = [
        *_violations(checked),
        ("Incomparable", _merged(checked, lambda c: c.verdict is Verdict.INCOMPARABLE)),
        ("Without an answer", _merged(checked, lambda c: not c.verdict.decided)),
        ("Not applicable", _merged(checked, lambda c: c.verdict is Verdict.NOT_APPLICABLE)),
    ]
    for heading, found in groups:
        if found:
            yield heading, _told(found, checked)


def _told(found: list[tuple[list[str], Cell]], checked: Checked) -> list[ToldCells]:
    told: dict[tuple[Verdict, str, tuple[tuple[str, str], ...]], list[tuple[list[str], Cell]]] = {}
    for regimes, cell in found:
        shown = cell.verdict in (Verdict.REFUTED, Verdict.INCOMPARABLE)
        text = violation_sentence(cell) if shown else cell.reason
        told.setdefault((cell.verdict, text, tuple(told_further(cell))), []).append((regimes, cell))
    out = []
    for (verdict, text, further), cells in told.items():
        axioms = [
            cell.axiom + ("" if len(regimes) == len(checked.ledgers) else f" ({', '.join(regimes)})")
            for regimes, cell in cells
        ]
        each = tuple((tuple(regimes), cell) for regimes, cell in cells)
        out.append(ToldCells(verdict, each, ", ".join(axioms), text, further))
    return out


def _print_cells(console: Console, heading: str, told: list[ToldCells]) -> None:
    console.print()
    paragraph(console, heading, style="bold")
    for one in told:
        paragraph(console, f"{one.where}: {one.text}", f"{SYMBOLS[one.verdict]} ", lead_style=STYLES[one.verdict])
        for what, sentence in one.further:
            paragraph(console, f"{what}: {sentence}.", "  ", "dim")


def _print_fold(console: Console, fold: ProposedFold) -> None:
    console.print()
    heading, text = told_fold(fold)
    paragraph(console, heading, style="bold")
    paragraph(console, text)
    console.print()
    _print_to_paste(console, fold.source.splitlines())


def told_fold(fold: ProposedFold) -> tuple[str, str]:
    """(heading, what to do with it) of a fold that the metric agrees with."""
    return (
        f"Agrees exactly with a fold on all {counted(fold.patterns, 'pattern')} up to n = {LONGEST}",
        "The lines below declare it. That is no proof that the two agree everywhere; the fold itself has proofs for "
        f"rankings of every length: put them into a file of their own and run axiomcheck check pasted.py:{fold.name}",
    )


def _print_to_paste(console: Console, lines: Iterable[str]) -> None:
    """Lines of a file, indented: never wrapped, for what is wrapped is another text."""
    for line in lines:
        console.print(f"    {escaped(line)}" if line else "", markup=False, highlight=False, soft_wrap=True)


def told_further(cell: Cell) -> list[tuple[str, str]]:
    """Other counterexamples than the smallest, each once."""
    said = {} if cell.further is None else cell.further.each
    told: dict[str, list[str]] = {}
    for name, witness in said.items():
        # Not the largest: making it small costs some of it, and very long rankings are not kept.
        margin = 100 * float(margin_of(witness.scores))
        what = "a reversal" if name == "reversal" else f"a large margin ({margin:.3g}% of the score)"
        told.setdefault(counterexample_sentence(cell.axiom, witness), []).append(what)
    return [(", ".join(names), sentence) for sentence, names in told.items()]


def contract_counts(checked: Checked) -> str:
    """Return a line that counts the contract checks by status."""
    outcomes = checked.tried.contract
    tally = Counter(outcome.status for outcome in outcomes)
    cases = sum(outcome.cases for outcome in outcomes if outcome.status == "passed")
    told = f"{tally['admitted']} admitted by documentation, " if tally["admitted"] else ""
    bad = tally["failed"] + tally["error"]
    passed = f"{tally['passed']} passed ({counted(cases, 'case')})"
    return f"{passed}, {bad} failed, {told}{tally['not-applicable']} not applicable"


def _print_contract(console: Console, checked: Checked) -> None:
    passed = [o for o in checked.tried.contract if o.status == "passed"]
    bad = [o for o in checked.tried.contract if o.status in ("failed", "error")]
    admitted = [o for o in checked.tried.contract if o.status == "admitted"]
    console.print()
    paragraph(console, f"Contract checks: {contract_counts(checked)}", style="bold")
    for outcome in passed:
        if outcome.check == "reference":
            paragraph(console, f"{outcome.check}: {printable(outcome.reason)}", "= ")
    causes: dict[tuple[str, str], list[Outcome]] = {}
    for outcome in [*bad, *admitted]:
        lead = "~ " if outcome.status == "admitted" else "! "
        said = _AS_ABOVE if _told_of_cells(checked, outcome) else printable(outcome.reason)
        causes.setdefault((lead, said), []).append(outcome)
    for (lead, said), outcomes in causes.items():
        names = ", ".join(outcome.check for outcome in outcomes)
        paragraph(console, f"{names}: {said}", lead, lead_style="bold yellow")
        if outcomes[0].counterexample is not None:
            paragraph(console, case_text(outcomes[0].counterexample), "  ", "dim")
    _print_not_asked(console, checked.tried.contract)


def _print_not_asked(console: Console, outcomes: Sequence[Outcome]) -> None:
    told = "; ".join(f"{', '.join(names)} ({wanting})" for wanting, names in not_asked(outcomes).items())
    if told:
        paragraph(console, f"not asked: {told}", "- ", "dim")


def not_asked(outcomes: Sequence[Outcome]) -> dict[str, list[str]]:
    """Return the checks that were not asked, by what each would need, or else why there is nothing to ask."""
    found: dict[str, list[str]] = {}
    for outcome in outcomes:
        if outcome.status == "not-applicable":
            wanting = f"needs {outcome.needs}" if outcome.needs else printable(outcome.reason)
            found.setdefault(wanting, []).append(outcome.check)
    return found


INFERRED = "Not declared, and no probe to the contrary, which proves nothing"


def _print_inferred(console: Console, checked: Checked) -> None:
    """Print what a metric seems to be and does not declare, what declares it, and a case where it is not monotone."""
    for one in checked.tried.inferred:
        if one.about == "monotone" and one.contrary:
            paragraph(console, f"monotone is not declared: {one.says}", "- ", "dim")
            paragraph(console, case_text(one.contrary), "  ", "dim")
    found = [one for one in checked.tried.inferred if one.seems_so]
    if not found:
        return
    console.print()
    paragraph(console, INFERRED, style="bold")
    for one in found:
        paragraph(console, f"{one.says} ({counted(one.probes, 'probe')})", "~ ")
    declare = [one.declare for one in found if one.declare is not None]
    if declare:
        paragraph(console, declaration(checked), "to declare it, in its code: ")
        if (table := table_for(read_name(checked.metric))) is not None:
            path, header = table
            console.print(escaped(f"or in {path}:"), markup=False, highlight=False, soft_wrap=True)
            console.print()
            _print_to_paste(console, [header, *(one.toml for one in declare)])


def declaration(checked: Checked) -> str:
    """Return the decorator that declares all that a metric seems to be; empty where nothing can be declared."""
    declare = [one.declare.decorator for one in checked.tried.inferred if one.seems_so and one.declare is not None]
    return f"@axiomcheck.metric({', '.join(declare)})" if declare else ""


def _told_of_cells(checked: Checked, outcome: Outcome) -> bool:
    """Say whether the cause of a check's error has been told with the cells already."""
    errors = {cell.reason for cell in checked.cells if cell.verdict is Verdict.ERROR}
    return outcome.status == "error" and any(reason.endswith(outcome.reason) for reason in errors)


def _print_neighbours(console: Console, checked: Checked) -> None:
    told = list(told_neighbours(checked))
    if not told:
        return
    console.print()
    paragraph(console, NEIGHBOURS, style="bold")
    for lead, text in told:
        paragraph(console, text, f"{lead} ")


NEIGHBOURS = "Among the catalogue's twenty rows"


def told_neighbours(checked: Checked) -> Iterator[tuple[str, str]]:
    """("=" or "~", sentence) of the metrics with the same answers, and of the nearest others."""
    same: dict[int, list[str]] = {}
    for near in checked.neighbours:
        if not near.differences:
            same.setdefault(near.compared, []).append(near.metric)
    for compared, names in same.items():
        yield "=", f"the same answers in {counted(compared, 'cell')} as {', '.join(names)}"
    for near in checked.neighbours:
        if not near.differences:
            continue
        differing = _by_axiom((d.axiom, d.regime, d.here) for d in near.differences)
        count = f"{near.compared - len(near.differences)} of {counted(near.compared, 'cell')} the same"
        yield "~", f"{near.metric}: {count}; other than it, this metric {differing}"


def _by_axiom(differences: Iterable[tuple[str, str, bool]]) -> str:
    told: dict[bool, dict[str, list[str]]] = {True: {}, False: {}}
    for axiom, regime, here in differences:
        told[here].setdefault(axiom, []).append(regime)
    parts = []
    for here, verb in ((True, "satisfies"), (False, "violates")):
        named = [a if len(r) == 3 else f"{a} ({', '.join(r)})" for a, r in told[here].items()]
        if named:
            parts.append(f"{verb} {', '.join(named)}")
    return " and ".join(parts)
