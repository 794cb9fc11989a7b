"""A gate's result for people: on a terminal and as Markdown."""

from __future__ import annotations

from collections import Counter
from types import MappingProxyType

from rich.console import Console

from axiomcheck.axioms import AXIOMS
from axiomcheck.core.counting import counted
from axiomcheck.gating.expectations import MetricContract
from axiomcheck.gating.judge import Judged, JudgedCheck, Status
from axiomcheck.gating.record import Reasons, unexplained
from axiomcheck.gating.run import GateResult
from axiomcheck.reports.paragraphs import paragraph
from axiomcheck.reports.table import Column, Report, Section, Table, TableEntry, Value, report_markdown

_MARKS = {
    "as-expected": ("✓", "green"),
    "worse": ("✗", "bold red"),
    "better": ("✗", "bold yellow"),
    "unrecorded": ("?", "bold yellow"),
    "error": ("!", "bold red"),
    "disagreement": ("!", "bold magenta"),
}
_WORDS = {
    "worse": "worse than expected",
    "better": "better than expected",
    "unrecorded": "not recorded",
    "error": "in error",
    "disagreement": "contradicting axiomcheck",
}


def print_gate(
    console: Console, result: GateResult, recorded: bool = False, reasons: Reasons = MappingProxyType({})
) -> None:
    """Prints what came of a run of the gate.

    Args:
        console: where to.
        result: of the run.
        recorded: whether it was written to the contract, so that nothing in it is wrong any more.
        reasons: that were recorded with it.

    """
    shown = unexplained(result) if recorded else {}
    for number, metric in enumerate(result.contract.metrics):
        cells, checks = _of(result, metric)
        if number:
            console.print()
        paragraph(console, f"{metric.name} ({metric.reading.regime}, {metric.reading.domain})", style="bold")
        if recorded:
            _print_recorded(console, cells, checks)
            for asked in (*(j.axiom for j in cells), *(j.check for j in checks)):
                if sentence := shown.get((metric.name, asked)):
                    paragraph(console, f"{asked}: {sentence}", "  ○ ")
                    if reason := reasons.get((metric.name, asked)):
                        paragraph(console, f"all right because: {reason}", "    ")
            continue
        good = [j for j in cells if j.status == "as-expected"]
        passed = [j for j in checks if j.status == "as-expected"]
        if good or passed:
            text = f"{_counted(good)} and {counted(len(passed), 'contract check')} as expected"
            paragraph(console, text, "✓ ", lead_style="green")
        for judged in good:
            if judged.remark:
                text = f"{judged.axiom}: {judged.remark}; axiomcheck gate --update pins what violates it now"
                paragraph(console, text, "· ", "dim")
        for asked, reason in _excused(metric, good, passed):
            paragraph(console, f"{asked} as expected: {reason}", "· ", "dim")
        both: list[Judged | JudgedCheck] = [*cells, *checks]
        told: dict[tuple[Status, str], list[str]] = {}
        for one in both:
            if one.status != "as-expected":
                told.setdefault((one.status, one.message), []).append(one.asked)
        for (status, message), asked_of in told.items():
            mark, style = _MARKS[status]
            paragraph(console, f"{', '.join(asked_of)}: {message}", f"{mark} ", lead_style=style)
        left = _left_out(metric)
        if left:
            paragraph(console, f"not in the contract: {', '.join(left)}", "· ", "dim")
    console.print()
    paragraph(console, gate_summary(result, recorded), style="bold")


def _excused(metric: MetricContract, good: list[Judged], passed: list[JudgedCheck]) -> list[tuple[str, str]]:
    """Return each expected violation or failure with the reason that the contract or the library gives."""
    violated = [j.axiom for j in good if metric.axioms[j.axiom].expect == "violated"]
    failing = [j.check for j in passed if j.check in metric.checks]
    told = [(f"{axiom} is violated", metric.axioms[axiom].reason) for axiom in violated]
    told += [(f"{check} fails", metric.checks[check]) for check in failing]
    outcomes = [judged.outcome for judged in passed if judged.outcome is not None]
    return told + [(f"{found.check} is admitted", found.reason) for found in outcomes if found.status == "admitted"]


def _print_recorded(console: Console, cells: list[Judged], checks: list[JudgedCheck]) -> None:
    verdicts: dict[str, list[str]] = {}
    for judged in cells:
        if judged.cell is not None:
            verdicts.setdefault(judged.cell.verdict.value, []).append(judged.axiom)
    for verdict, axioms in verdicts.items():
        paragraph(console, f"{verdict}: {', '.join(axioms)}", "  ")
    failing = [j.check for j in checks if j.outcome is not None and j.outcome.status in ("failed", "error")]
    if failing:
        paragraph(console, f"contract checks that fail: {', '.join(failing)}", "  ")


def _of(result: GateResult, metric: MetricContract) -> tuple[list[Judged], list[JudgedCheck]]:
    return (
        [j for j in result.cells if j.metric == metric.name],
        [j for j in result.checks if j.metric == metric.name],
    )


def _counted(good: list[Judged]) -> str:
    replayed = sum(j.replayed for j in good)
    pinned = f" ({replayed} violated by {'its' if replayed == 1 else 'their'} pinned witness)" if replayed else ""
    return f"{counted(len(good), 'axiom')}{pinned}"


def _asked(result: GateResult) -> str:
    total = len(result.cells) + len(result.checks)
    return "1 cell or check" if total == 1 else f"{total} cells and checks"


def _left_out(metric: MetricContract) -> list[str]:
    return [axiom for axiom in AXIOMS if axiom not in metric.axioms] if metric.axioms else []


def gate_summary(result: GateResult, recorded: bool = False) -> str:
    """Return the result of a run in one line."""
    name = result.contract.path.name
    if recorded:
        return f"{name}: recorded {counted(len(result.cells), 'cell')} and {counted(len(result.checks), 'check')}."
    asked = _asked(result)
    known = f", {result.cached} of them known from before" if result.cached else ""
    ended = " before it was interrupted" if result.interrupted else ""
    if not result.broken:
        every = "" if asked.startswith("1 ") else "all "
        return f"{name}: {every}{asked} as expected{ended}{known}."
    counts = Counter(str(judged.status) for judged in result.broken)
    told = ", ".join(f"{counts[status]} {words}" for status, words in _WORDS.items() if counts[status])
    hint = "" if counts["error"] or counts["disagreement"] else " If that is right: axiomcheck gate --update"
    return f"{name}: {told}, of {asked}{ended}{known}.{hint}"


def gate_markdown(result: GateResult) -> str:
    """Return a gate's result as GitHub Markdown: what is not as expected, then every metric in one line."""
    broken = Table(
        tuple(map(Column, ("Metric", "Axiom or check", "Status", "Why"))),
        [[j.metric, j.asked, _WORDS[j.status], j.message] for j in result.broken],
    )
    rows: list[list[Value]] = []
    for metric in result.contract.metrics:
        cells, checks = _of(result, metric)
        good = [j for j in cells if j.status == "as-expected"]
        passed = [j for j in checks if j.status == "as-expected"]
        shares = (f"{len(good)} of {len(cells)}", str(sum(j.replayed for j in good)), f"{len(passed)} of {len(checks)}")
        rows.append([metric.name, *map(TableEntry, shares)])
    counts = (Column(heading, "d") for heading in ("As expected", "By pinned witness", "Contract checks"))
    sections = [Section(table=broken), Section(table=Table((Column("Metric"), *counts), rows))]
    return report_markdown(Report(gate_summary(result), [], sections))
