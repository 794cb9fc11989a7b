"""Report the check of one metric: its row under every regime, its violations, its contract and its definition."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import structs

from axiomcheck.checks.as_fold import LONGEST
from axiomcheck.checks.contract import CHECKS, Outcome
from axiomcheck.checks.metric import Checked
from axiomcheck.core.counting import counted
from axiomcheck.core.domain import Reading
from axiomcheck.core.printable import escaped, printable
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.cells import Cell
from axiomcheck.records.values import ReadingRecord
from axiomcheck.reports.contract_case import case_program, case_text
from axiomcheck.reports.layout import Layout, sensitivity
from axiomcheck.reports.symbols import SYMBOLS, WORDS
from axiomcheck.reports.table import Column, Report, Section, Table, TableEntry, Value
from axiomcheck.reports.words import told_cells
from axiomcheck.sources.declarations import table_for
from axiomcheck.sources.names import read_name

_AS_ABOVE = "the error of the cells above"
_ANY_READING = ReadingRecord.of(Reading())
_VIOLATIONS = (
    Column("Axiom"),
    Column("Regimes"),
    Column("Share of random instances", ".3g"),
    Column("Reversals", ","),
    Column("Ties", ","),
    Column("Largest margin", ".3g"),
)
_CHECKS = (Column("Check"), Column("Outcome"), Column("Cases", ","), Column("What it asks"))
_BAD = ("failed", "error")
_SATISFIED = "Satisfied"


def programs_of(found: Sequence[Checked]) -> str:
    """Return Python programs that reproduce the failed contract checks, one after the other."""
    parts = [part for checked in found for part in _programs(checked)]
    return "\n\n".join(parts) or "# no contract check failed\n"


def _programs(checked: Checked) -> Iterator[str]:
    for outcome in checked.tried.contract:
        if outcome.status in (*_BAD, "admitted") and outcome.counterexample is not None:
            said = printable(f"{checked.metric}, {outcome.check}: {outcome.reason}")
            yield f"# {said}\n{case_program(checked.metric, outcome.counterexample)}"


def checks_report(found: Sequence[Checked]) -> Report:
    """Return the reports of several checked metrics one after the other, or the report of a single one."""
    if len(found) == 1:
        return check_report(found[0])
    sections = [part for one in found for part in (Section(one.metric), *check_report(one).sections)]
    return Report("Metrics checked", [], sections)


def check_report(checked: Checked, reasons: bool = False) -> Report:
    """Return the report of one checked metric.

    Args:
        checked: Result of `axiomcheck.checks.metric.check_metric`.
        reasons: True if the text, too, has the reasons why axioms are satisfied.

    """
    sections = [
        *_cells(checked, reasons),
        *_definition(checked),
        *_fold(checked),
        *_contract(checked),
        *_inferred(checked),
    ]
    if checked.tried.notes:
        sections.append(Section("Verdicts depend on", [f"- {note}" for note in checked.tried.notes]))
    return Report(f"{checked.metric} checked", [checked.metric], sections)


# Cells


def _cells(checked: Checked, reasons: bool) -> Iterator[Section]:
    """Yield the table of verdicts, then the unsatisfied cells under headings that give the reason."""
    if not checked.cells:
        return
    there = {cell.verdict for cell in checked.cells}
    legend = [f"{symbol} {WORDS[verdict]}" for verdict, symbol in SYMBOLS.items() if verdict in there]
    yield Section(table=_row(checked), notes=[*legend, tried_text(checked)], place="text")
    merged = _merged(checked)
    for heading, verdicts in _headings(checked).items():
        cells = [(regimes, cell) for regimes, cell in merged if verdicts(regimes, cell)]
        named = [(_where(regimes, cell, len(checked.ledgers)), cell) for regimes, cell in cells]
        if named:
            brief = heading == _SATISFIED and not reasons
            yield Section(heading, told_cells(named), place="page" if brief else "everywhere")
    rows = [row for row in map(_how_often, *zip(*merged, strict=True)) if row is not None]
    yield Section("How often", table=Table(_VIOLATIONS, rows), place="page")


def _row(checked: Checked) -> Table:
    groups = Layout(checked.ledgers[0]).groups.items()
    columns = [Column("Regime"), *(Column(axiom, group=group) for group, axioms in groups for axiom in axioms)]
    rows: list[list[Value]] = []
    for ledger in checked.ledgers:
        verdicts = {cell.axiom: cell.verdict for cell in ledger.cells}
        rows.append([ledger.regime, *(SYMBOLS[verdicts[column.heading]] for column in columns[1:])])
    return Table(tuple(columns), rows, folds=True)


def tried_text(checked: Checked) -> str:
    """Return sentences on the reading and settings of the verdicts, and the search effort of held cells."""
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


def _merged(checked: Checked) -> list[tuple[list[str], Cell]]:
    """Return (regimes, cell) pairs, with equal cells of several regimes merged, in the table's order."""
    merged: list[tuple[list[str], Cell]] = []
    for axiom in [cell.axiom for cell in checked.ledgers[0].cells]:
        for ledger in checked.ledgers:
            cell = next(c for c in ledger.cells if c.axiom == axiom)
            same = next((regimes for regimes, other in merged if _like(other, cell)), None)
            if same is None:
                merged.append(([ledger.regime], cell))
            else:
                same.append(ledger.regime)
    return merged


def _like(one: Cell, other: Cell) -> bool:
    """Return True if two cells are equal except for the regime that they are reported under."""
    a, b = (c.witness and structs.replace(c.witness, reading=_ANY_READING) for c in (one, other))
    same = (one.axiom, one.verdict, one.reason) == (other.axiom, other.verdict, other.reason)
    return same and a == b and one.evidence == other.evidence


def _headings(checked: Checked) -> dict[str, Callable[[list[str], Cell], bool]]:
    """Return a predicate for each heading, which selects the heading's cells by the regimes that share a cell."""
    shared = {(v.regime, v.axiom): v.shared for v in checked.violations}

    def violated(has: bool | None) -> Callable[[list[str], Cell], bool]:
        """Return a predicate for violations that the compared metric has (True), lacks (False) or leaves open."""

        def asked(regimes: list[str], cell: Cell) -> bool:
            if cell.verdict is not Verdict.REFUTED:
                return False
            answers = {shared[regime, cell.axiom] for regime in regimes}
            return has is (False if False in answers else None if None in answers else True)

        return asked

    headings: dict[str, Callable[[list[str], Cell], bool]] = {
        f"Violations, other than {checked.yardstick}": violated(False),
        f"Violations where {checked.yardstick} has no answer": violated(None),
        f"Violations, as {checked.yardstick} has them": violated(True),
    }
    if not checked.yardstick:
        headings = {"Violations": lambda regimes, cell: cell.verdict is Verdict.REFUTED}
    return headings | {
        "Incomparable": lambda regimes, cell: cell.verdict is Verdict.INCOMPARABLE,
        "Without an answer": lambda regimes, cell: not cell.verdict.decided,
        "Not applicable": lambda regimes, cell: cell.verdict is Verdict.NOT_APPLICABLE,
        _SATISFIED: lambda regimes, cell: cell.verdict.satisfied,
    }


def _where(regimes: list[str], cell: Cell, regimes_asked: int) -> str:
    return cell.axiom + ("" if len(regimes) == regimes_asked else f" ({', '.join(regimes)})")


def _how_often(regimes: list[str], cell: Cell) -> list[Value] | None:
    """Return the table row of a violated axiom for the regimes with the same numbers; None for other cells."""
    violations = cell.pairs.violations if cell.pairs is not None else None
    if not violations:
        return None
    share, margin = violations.share, violations.largest_relative_margin
    return [
        cell.axiom,
        ", ".join(regimes),
        None if share is None else TableEntry(f"{100 * share:.3g}%", share),
        violations.reversals,
        violations.ties,
        TableEntry(f"{100 * margin:.3g}% of the score", margin) if violations.reversals else None,
    ]


# What else was tried


def _sentence(reason: str) -> str:
    """Return a reason that may begin with a line of code as a sentence."""
    start = "it " if not reason.startswith(("line ", "it ", "its ")) else ""
    text = f"{start}{reason}"
    return f"{text[0].upper()}{text[1:]}."


def _definition(checked: Checked) -> Iterator[Section]:
    """Yield a section that names the known definition of the scores, with the smallest input for each difference."""
    known = checked.tried.known
    if known is None:
        return
    name = f"{known.name}, {known.aspects}" if known.aspects else known.name
    if not known.differences:
        yield Section(
            f"What it computes: {name}", [f"Its scores are the same on all {counted(known.cases, 'ranking')} tried."]
        )
        return
    lines = []
    for one in known.differences:
        shown = {key: value for key, value in one.counterexample.items() if key != "reference"}
        lines.append(f"! {printable(one.says)}" + (f" ({one.name})" if one.name else ""))
        lines.append(f"  {case_text(shown)}: {printable(one.metric_sum)}")
        lines.append(f"  {known.name} gives {printable(one.standard_sum)}")
    of = f"all {counted(known.cases, 'ranking')}" if known.exact else f"{known.agreeing:,} of {known.cases:,} rankings"
    lines.append(f"Apart from that, its scores are the same: on {of} tried.")
    yield Section(f"What it computes: {name}, except", lines)


def _fold(checked: Checked) -> Iterator[Section]:
    tried, fold = checked.tried, checked.tried.fold
    if tried.derived:
        yield Section(
            "Its source, run on an unknown ranking, is a sum over ranks",
            [printable(tried.derived[0].upper() + tried.derived[1:]) + ".", "r is a grade, and hit is 1 where r > 0."],
        )
    elif tried.underived:
        yield Section(
            "No proof for rankings of every length",
            [f"No sum over ranks was derived from its source. {printable(_sentence(tried.underived))}"],
        )
    if fold is not None:
        yield Section(
            f"Agrees exactly with a fold on all {counted(fold.patterns, 'pattern')} up to n = {LONGEST}",
            [
                "The lines below declare it. That is no proof that the two agree everywhere; the fold itself has "
                f"proofs for rankings of every length: to have them, run axiomcheck check pasted.py:{fold.name}"
            ],
            code=fold.source,
        )


def _contract(checked: Checked) -> Iterator[Section]:
    """Yield the failed contract checks, each reason once with a counterexample, and the checks that do not apply."""
    outcomes = checked.tried.contract
    passed, admitted, other = (
        [one for one in outcomes if one.status == status] for status in ("passed", "admitted", "not-applicable")
    )
    bad = [outcome for outcome in outcomes if outcome.status in _BAD]
    lines = [f"= {one.check}: {printable(one.reason)}" for one in passed if one.check == "reference"]
    causes: dict[tuple[str, str], list[Outcome]] = {}
    for outcome in [*bad, *admitted]:
        said = _AS_ABOVE if _told_of_cells(checked, outcome) else printable(outcome.reason)
        causes.setdefault(("~" if outcome.status == "admitted" else "!", said), []).append(outcome)
    for (sign, said), alike in causes.items():
        lines.append(f"{sign} {', '.join(one.check for one in alike)}: {said}")
        case = alike[0].counterexample
        lines += [f"  {case_text(case)}"] if case is not None else []
    counts = f"{len(passed)} passed ({counted(sum(one.cases for one in passed), 'case')}), {len(bad)} failed, "
    counts += f"{len(admitted)} admitted by documentation, " if admitted else ""
    counts += f"{len(other)} not applicable"
    if wanting := _not_asked(outcomes):
        lines.append(f"- {counted(sum(map(len, wanting.values())), 'check')} not asked: -f json has what each needs")
    yield Section(f"Contract checks: {counts}", lines)
    needed = [f"- {', '.join(names)}: {needs}" for needs, names in wanting.items()]
    yield Section("Checks that were not asked", needed, place="page")
    asked: list[list[Value]] = [
        [o.check, o.status, o.cases, CHECKS[o.check].asks if o.check in CHECKS else ""] for o in outcomes
    ]
    yield Section("What each check asks", table=Table(_CHECKS, asked), place="page")
    if programs := "\n\n".join(_programs(checked)):
        yield Section("Contract checks that failed, as a program", code=programs, place="page")


def _not_asked(outcomes: Sequence[Outcome]) -> dict[str, list[str]]:
    """Return the contract checks that do not apply, grouped by the missing requirement or another reason."""
    found: dict[str, list[str]] = {}
    for outcome in outcomes:
        if outcome.status == "not-applicable":
            wanting = f"needs {outcome.needs}" if outcome.needs else printable(outcome.reason)
            found.setdefault(wanting, []).append(outcome.check)
    return found


def _told_of_cells(checked: Checked, outcome: Outcome) -> bool:
    """Return True if the cause of a check's error is already reported with the cells."""
    errors = {cell.reason for cell in checked.cells if cell.verdict is Verdict.ERROR}
    return outcome.status == "error" and any(reason.endswith(outcome.reason) for reason in errors)


def _inferred(checked: Checked) -> Iterator[Section]:
    """Yield sections on properties that a metric seems to have but does not declare, and on a non-monotone case."""
    for one in checked.tried.inferred:
        if one.about == "monotone" and one.contrary:
            yield Section(lines=[f"- monotone is not declared: {one.says}", f"  {case_text(one.contrary)}"])
    found = [one for one in checked.tried.inferred if one.seems_so]
    if not found:
        return
    lines = [f"~ {one.says} ({counted(one.probes, 'probe')})" for one in found]
    declare = [one.declare for one in found if one.declare is not None]
    heading = "Not declared, and no probe to the contrary, which proves nothing"
    if not declare:
        yield Section(heading, lines)
        return
    decorator = f"@axiomcheck.metric({', '.join(one.decorator for one in declare)})"
    yield Section(heading, [*lines, "To declare it, in its code:"], code=decorator)
    if (table := table_for(read_name(checked.metric))) is not None:
        path, header = table
        code = [f"# {escaped(str(path))}", header, *(one.toml for one in declare)]
        yield Section(lines=["or in a file beside it:"], code="\n".join(code))
