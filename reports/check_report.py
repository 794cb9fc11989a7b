"""Render the results of checking metrics (verdicts, contract checks, known definition) as text or HTML."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

from axiomcheck.checks.contract import CHECKS, Outcome
from axiomcheck.checks.definitions.known import KnownDefinition
from axiomcheck.checks.metric import Checked
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import counted, escaped, printable
from axiomcheck.core.verdict import Failure, Verdict
from axiomcheck.metrics import parse
from axiomcheck.records.cells import Cell
from axiomcheck.records.evidence import ThresholdEvidence
from axiomcheck.reports.contract_case import case_program, case_text
from axiomcheck.reports.html.cells import shown_cells
from axiomcheck.reports.html.page import render_page
from axiomcheck.reports.layout import Layout, sensitivity
from axiomcheck.reports.symbols import SYMBOLS, WORDS
from axiomcheck.reports.table import Column, Report, Section, Table, Value
from axiomcheck.reports.words import GLOSSARY, told_cells
from axiomcheck.sources.declarations import table_for
from axiomcheck.sources.function_metrics import EXAMPLES
from axiomcheck.sources.names import read_name

_AS_ABOVE = "the same error as in the cells above"
_CHECKS = (Column("Check"), Column("Outcome"), Column("Cases", ","), Column("Requirement"), Column("Needs"))
_BAD = ("failed", "error")
_LIKELY = "Likely properties (not proved) that you may declare"


def programs_of(found: Sequence[Checked]) -> str:
    """Return Python programs that reproduce the failed and admitted contract checks; a comment if there are none."""
    parts = [part for checked in found for part in _programs(checked)]
    return "\n\n".join(parts) or "# no contract check failed\n"


def _programs(checked: Checked) -> Iterator[str]:
    for outcome in checked.tried.contract:
        if outcome.status in (*_BAD, "admitted") and outcome.counterexample is not None:
            said = printable(f"{checked.metric}, {outcome.check}: {outcome.reason}")
            yield f"# {said}\n{case_program(checked.metric, outcome.counterexample)}"


def checks_report(found: Sequence[Checked], verbose: bool = False) -> Report:
    """Return the reports on several checked metrics one after the other, or the report on a single one.

    Args:
        found: Results of `axiomcheck.checks.metric.check_metric`.
        verbose: True for full reports, False for one screen per metric.

    """
    report = check_report if verbose else brief_report
    if len(found) == 1:
        return report(found[0])
    sections = [part for one in found for part in (Section(one.metric), *report(one).sections)]
    return Report("Metrics checked", [], sections)


def check_report(checked: Checked) -> Report:
    """Return the full report on one checked metric."""
    sections = [
        *_cells(checked),
        *_definition(checked),
        *_fold(checked),
        *_contract(checked),
        *_inferred(checked),
    ]
    if checked.tried.notes:
        sections.append(Section("Verdicts depend on", [f"- {note}" for note in checked.tried.notes]))
    return Report(f"{checked.metric} checked", [checked.metric], sections)


def brief_report(checked: Checked) -> Report:
    """Return a one-screen report on one checked metric: what fails, how much holds, and what to do next."""
    command = shlex.join(["axiomcheck", "check", checked.metric])
    errors = dict.fromkeys(cell.reason for cell in checked.cells)
    given = checked.ledgers[0].settings.budget if checked.ledgers else None
    limited = given or any("(--timeout)" in reason for reason in errors)  # otherwise, memory ran out or processes died
    if checked.cells and limited and all(cell.failure is Failure.LIMIT for cell in checked.cells):
        lines = [f"! {printable(next(iter(errors)))}"] if not given else []
        lines += [f"No axiom was decided within the budget of {given:g} s."] if given else []
        lines.append(f"To give it more time: {command} --{f'budget {4 * given:g}s' if given else 'timeout 600'}")
        return Report(f"{checked.metric} checked", [checked.metric], [Section(lines=lines)])
    if checked.cells and all(cell.verdict is Verdict.ERROR for cell in checked.cells):
        alike = {re.sub(r"\d[\d.e-]*", "0", reason): reason for reason in reversed(errors)}
        lines = [f"! {printable(reason)}" for reason in reversed(alike.values())]
        right = [code for given, code in EXAMPLES.items() if any(given in line for line in lines)]
        sections = [Section(lines=lines), *(Section("A correct example", code=code) for code in right)]
        sections.append(Section(lines=[f"No axiom could be decided. Once the error is corrected, run: {command}"]))
        return Report(f"{checked.metric} checked", [checked.metric], sections)
    sections = [Section(lines=_bad_checks(checked)), *_definition(checked), *_fold(checked)]
    if checked.cells:
        sections[:0] = [
            Section(table=_row(checked), notes=[_legend(checked)]),
            Section(lines=_reasons(checked, brief=True)),
        ]
    end = [_summary(checked)]
    if likely := [one.declare.decorator for one in checked.tried.inferred if one.seems_so and one.declare]:
        end.append(f"{_LIKELY}: {', '.join(likely)}")
        blocks = [cell for cell in checked.cells if isinstance(cell.evidence, ThresholdEvidence)]
        left = dict.fromkeys(cell.axiom for cell in blocks if cell.verdict is Verdict.UNDECIDED)
        cutoff = [one for one in likely if one.startswith("cutoff=")]
        end += [f"Declare {cutoff[0]} to decide {' and '.join(left)}."] if cutoff and left else []
    end.append(f"Next: {command} -v")
    told = [one for one in (*sections, Section(lines=end)) if one.lines or one.table]
    return Report(f"{checked.metric} checked", [checked.metric], told)


def _legend(checked: Checked) -> str:
    """Return the text below the verdict table: a legend of symbols, the search settings, and a link to the glossary."""
    there = {cell.verdict for cell in checked.cells}
    words = [f"{symbol} {verdict.value.replace('-', ' ')}" for verdict, symbol in SYMBOLS.items() if verdict in there]
    return f"{', '.join(words)}. {tried_text(checked)} {GLOSSARY}"


def _reasons(checked: Checked, brief: bool) -> list[str]:
    """Return the counterexamples and other reasons for verdicts, each in a line with its axioms and regimes.

    Args:
        checked: Result of the check.
        brief: True for one line per axiom that is not satisfied, with its simplest counterexample.

    """
    merged: dict[tuple[str, str], tuple[list[str], Cell]] = {}
    for of_axiom in zip(*(ledger.cells for ledger in checked.ledgers), strict=True):
        for ledger, cell in zip(checked.ledgers, of_axiom, strict=True):
            if not (brief and cell.verdict.satisfied):
                key = (cell.axiom, cell.verdict.value if brief else told_cells([("", cell)])[0])
                regimes, _ = merged.get(key, ([], cell))
                merged[key] = [*regimes, ledger.regime], cell  # the finite regime, without eps, is last
    named = []
    for (axiom, _), (regimes, cell) in merged.items():
        where = "" if len(regimes) == len(checked.ledgers) else f" ({', '.join(regimes)})"
        named.append((f"{axiom}{where}", cell))
    named.sort(key=lambda one: (one[1].verdict.satisfied, one[1].verdict is Verdict.NOT_APPLICABLE))
    return told_cells(named, brief)


def _summary(checked: Checked) -> str:
    """Return a sentence that counts the axioms that hold, and the contract checks that fail."""
    rows = [[cell.verdict for cell in ledger.cells] for ledger in checked.ledgers]
    asked = [set(verdicts) - {Verdict.NOT_APPLICABLE} for verdicts in zip(*rows, strict=True)]
    parts = []
    if applicable := [verdicts for verdicts in asked if verdicts]:
        holding = [verdicts for verdicts in applicable if all(verdict.satisfied for verdict in verdicts)]
        unproved = sum(Verdict.HELD in verdicts for verdicts in holding)
        holds = "holds" if len(applicable) == 1 else "hold"
        everywhere = " wherever they apply" if any(row != rows[0] for row in rows) else ""
        parts.append(f"{len(holding)} of {counted(len(applicable), 'axiom')} {holds}{everywhere}")
        parts[0] += f" ({unproved} without a proof)" if unproved else ""
    return f"{'; '.join([*parts, _failures(checked)])}."


def _failures(checked: Checked) -> str:
    """Return a phrase that counts the applicable contract checks, those that failed, and those without an answer."""
    asked = [one.status for one in checked.tried.contract if one.status != "not-applicable"]
    unfinished = f"; {asked.count('error')} ended in an error" if "error" in asked else ""
    return f"{asked.count('failed')} of {counted(len(asked), 'contract check')} failed{unfinished}"


# Cells


def _cells(checked: Checked) -> Iterator[Section]:
    """Yield two sections: the table of verdicts, and the counterexample or reason for each cell."""
    if not checked.cells:
        return
    yield Section(table=_row(checked), notes=[_legend(checked)], place="text")
    yield Section("Why", _reasons(checked, brief=False))


def _row(checked: Checked) -> Table:
    """Return the table of verdicts, in which regimes with the same verdicts share a row."""
    groups = Layout(checked.ledgers[0]).groups.items()
    columns = [Column("Regime"), *(Column(axiom, group=group) for group, axioms in groups for axiom in axioms)]
    alike: dict[tuple[str, ...], list[str]] = {}
    for ledger in checked.ledgers:
        verdicts = {cell.axiom: cell.verdict for cell in ledger.cells}
        symbols = tuple(SYMBOLS[verdicts[column.heading]] for column in columns[1:])
        alike.setdefault(symbols, []).append(ledger.regime)
    named = ((regimes, symbols) for symbols, regimes in alike.items())
    rows = [[", ".join(regimes) if len(regimes) < 3 else "all three", *symbols] for regimes, symbols in named]
    return Table(tuple(columns), rows, folds=True)


def tried_text(checked: Checked) -> str:
    """Return sentences on the grades, seed and time limit of a check, and on how many instances were searched."""
    held = [c.instances for c in checked.cells if c.verdict is Verdict.HELD]
    domain, settings = checked.ledgers[0].domain, checked.ledgers[0].settings
    text = f"Grades {'0 or one rc' if domain == 'binary' else 'in [0, 1]'}, seed {settings.seed}."
    if settings.budget:
        text += f" At most {settings.budget:g} s, so the number of instances depends on the machine."
    if held:
        span = f"{min(held):,}" + (f" to {max(held):,}" if min(held) < max(held) else "")
        found = sensitivity(c for c in checked.cells if c.verdict is Verdict.HELD)
        text += f" Held is not a proof: N = {span}{f'; {found}' if found else ''}."
    reasons = {c.pairs.numerical: None for c in checked.cells if c.pairs and c.pairs.numerical}
    for reason in reasons:
        text += f" In floats only: {reason}."
    return text


# What else was tried


def _sentence(reason: str) -> str:
    """Turn a reason such as "calls sorted" or "line 3: ..." into a sentence."""
    start = "it " if not reason.startswith(("line ", "it ", "its ")) else ""
    text = f"{start}{reason}"
    return f"{text[0].upper()}{text[1:]}."


def _definition(checked: Checked) -> Iterator[Section]:
    """Yield a section on the known metric that fits the scores best, with the smallest input for each difference."""
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
    if known.exact:
        lines.append(f"Apart from that, its scores are the same: on all {counted(known.cases, 'ranking')} tried.")
        yield Section(f"What it computes: {name}, except", lines)
    else:
        lines.append(f"Its scores are the same on {known.agreeing:,} of {known.cases:,} rankings tried.")
        yield Section(f"Closest known definition: {name}, but its scores differ", lines)


def _fold(checked: Checked) -> Iterator[Section]:
    """Yield a section with the sum over ranks that a function computes, or with the reason why none was derived."""
    tried = checked.tried
    if tried.derived:
        letters = "r is the grade, and hit is 1 if r > 0, else 0."
        lines = [f"Its source is a sum over ranks: {printable(tried.derived)}. {letters}"]
        if tried.underived:
            lines.append(f"No sum was derived for several aspects. {printable(_sentence(tried.underived))}")
        yield Section(lines=lines)
    elif tried.underived:
        said = printable(_sentence(tried.underived))
        lines = [f"No proof for rankings of every length: its source is not a sum over ranks. {said}"]
        if twin := _twin(tried.known):
            lines.append(
                f"If it equals {twin} on every ranking, it has the same row; to see it: axiomcheck matrix "
                f"{shlex.quote(twin)}"
            )
        yield Section(lines=lines)


def _twin(known: KnownDefinition | None) -> str | None:
    """Return the name of the catalogue metric whose scores the checked metric computes exactly, or None."""
    if known is None or known.differences or known.aspects:
        return None
    try:
        return parse(known.name).canonical
    except InvalidInput:
        return None


def _contract(checked: Checked) -> Iterator[Section]:
    """Yield sections on the contract checks: the failures by reason; on pages, also all checks and programs."""
    outcomes = checked.tried.contract
    lines = _bad_checks(checked, cases=True)
    if other := [one for one in outcomes if one.status == "not-applicable"]:
        lines.append(f"- {counted(len(other), 'check')} skipped; -f json lists what each needs")
    yield Section(_failures(checked), lines)
    asked: list[list[Value]] = [
        [o.check, o.status, o.cases, CHECKS[o.check].asks if o.check in CHECKS else "", _needs(o)] for o in outcomes
    ]
    yield Section("All checks", table=Table(_CHECKS, asked), place="page")
    if programs := "\n\n".join(_programs(checked)):
        yield Section("Contract checks that failed, as a program", code=programs, place="page")


def _bad_checks(checked: Checked, cases: bool = False) -> list[str]:
    """Return lines on failed contract checks, with equal reasons joined, and on agreement with the reference metric.

    Args:
        checked: Result of the check.
        cases: True to add a counterexample to each reason, and to list documented deviations.

    """
    lines = []
    causes: dict[tuple[str, str], list[Outcome]] = {}
    for outcome in checked.tried.contract:
        if outcome.status == "passed" and outcome.check == "reference":
            lines.append(f"= {outcome.check}: {printable(outcome.reason)}")
        elif outcome.status in _BAD or (cases and outcome.status == "admitted"):
            said = _AS_ABOVE if _repeats_cell_error(checked, outcome) else printable(outcome.reason)
            causes.setdefault(("~" if outcome.status == "admitted" else "!", said), []).append(outcome)
    for (sign, said), alike in sorted(causes.items(), key=lambda cause: cause[0][0]):
        lines.append(f"{sign} {', '.join(one.check for one in alike)}: {said}")
        case = alike[0].counterexample
        lines += [f"  {case_text(case)}"] if cases and case is not None else []
    return lines


def _needs(outcome: Outcome) -> str:
    """Return why a contract check does not apply, such as the property that the metric must have; '' if it applies."""
    return outcome.needs or (printable(outcome.reason) if outcome.status == "not-applicable" else "")


def _repeats_cell_error(checked: Checked, outcome: Outcome) -> bool:
    """Return True if a contract check failed with an error that the report already shows for a cell."""
    errors = {cell.reason for cell in checked.cells if cell.verdict is Verdict.ERROR}
    return outcome.status == "error" and any(
        reason.endswith(outcome.reason) or outcome.reason.endswith(reason) for reason in errors
    )


def _inferred(checked: Checked) -> Iterator[Section]:
    """Yield sections on properties that a metric could declare, and on a counterexample to monotonicity."""
    for one in checked.tried.inferred:
        if one.about == "monotone" and one.contrary:
            yield Section(lines=[f"- monotone is not declared: {one.says}", f"  {case_text(one.contrary)}"])
    found = [one for one in checked.tried.inferred if one.seems_so]
    if not found:
        return
    lines = [f"~ {one.says} ({counted(one.probes, 'probe')})" for one in found]
    declare = [one.declare for one in found if one.declare is not None]
    if not declare:
        yield Section(_LIKELY, lines)
        return
    decorator = f"@axiomcheck.metric({', '.join(one.decorator for one in declare)})"
    yield Section(_LIKELY, [*lines, "To declare them in its code:"], code=decorator)
    if (table := table_for(read_name(checked.metric))) is not None:
        path, header = table
        code = [f"# {escaped(str(path))}", header, *(one.toml for one in declare)]
        yield Section(lines=["or in a file in the same folder:"], code="\n".join(code))


def check_page(found: Sequence[Checked]) -> str:
    """Return the HTML page of checked metrics."""
    ledgers = [ledger for checked in found for ledger in checked.ledgers]
    cells = [cell for ledger in ledgers for cell in ledger.cells]
    there = {cell.verdict for cell in cells}
    marks = dict.fromkeys(line for ledger in ledgers for line in Layout(ledger).legend() if line[0] is None)
    axioms = [cell.axiom for cell in found[0].ledgers[0].cells] if found and found[0].cells else []
    shown = shown_cells(*ledgers)
    parts = iter(shown)
    return render_page(
        "check.html.j2",
        styles=("matrix.css", "cell.css", "tables.css", "plots.css"),
        scripts=("matrix.js", "copy.js", "sort.js") if axioms else ("copy.js", "sort.js"),
        metrics=[
            {
                "name": checked.metric,
                "rows": [(ledger.regime, [next(parts) for _ in ledger.cells]) for ledger in checked.ledgers],
                "report": check_report(checked),
                "tried": tried_text(checked) if checked.cells else "",
            }
            for checked in found
        ],
        axioms=axioms,
        verdicts=[verdict for verdict in SYMBOLS if verdict in there],
        legend=[*((verdict, SYMBOLS[verdict], WORDS[verdict]) for verdict in SYMBOLS if verdict in there), *marks],
        cells=shown,
    )
