"""Render the result of a gate: met and broken expectations of each metric with reasons, and a summary line."""

from __future__ import annotations

from collections import Counter

from axiomcheck.axioms import AXIOMS
from axiomcheck.core.printable import counted
from axiomcheck.gating.config import MetricContract
from axiomcheck.gating.judge import Judged, JudgedCheck, Status
from axiomcheck.gating.record import unexplained, unsettled
from axiomcheck.gating.run import GateResult
from axiomcheck.reports.table import Report, Section, report_markdown
from axiomcheck.reports.words import GLOSSARY

_MARKS = {"worse": "✗", "better": "✗", "unrecorded": "?", "error": "!", "disagreement": "!"}
_WORDS = {
    "worse": "worse than expected",
    "better": "better than expected",
    "unrecorded": "not recorded",
    "error": "in error",
    "disagreement": "contradicting axiomcheck",
}


def gate_report(result: GateResult, recorded: bool = False) -> Report:
    """Return the report on a run of the gate; the summary comes first in Markdown and last on a terminal.

    If an expectation is broken, the report lists the broken ones, and the summary counts the expectations that are met.

    Args:
        result: Result of the run.
        recorded: Whether the result was written to the contract, so that no expectation is broken any longer.

    """
    shown = unexplained(result) if recorded else {}
    sections = []
    for metric in result.contract.metrics:
        cells = [j for j in result.cells if j.metric == metric.name]
        checks = [j for j in result.checks if j.metric == metric.name]
        if not recorded:
            lines = _broken([*cells, *checks]) if result.broken else _held(metric, cells, checks)
        else:
            new = [f"○ {asked}: {sentence}" for (name, asked), sentence in shown.items() if name == metric.name]
            lines = [*_recorded(cells, checks), *new]
        if lines:
            sections.append(Section(f"{metric.name} ({metric.reading.regime}, {metric.reading.domain})", lines))
    summary = gate_summary(result, recorded)
    return Report(summary, [], [*sections, Section(summary, notes=[f"{GLOSSARY}."], place="text")])


def _broken(judged: list[Judged | JudgedCheck]) -> list[str]:
    """Return lines on the broken expectations of a metric, joined if they have the same reason; worst results first."""
    told: dict[tuple[Status, str], list[str]] = {}
    for status in _WORDS:
        for one in judged:
            if one.status == status:
                told.setdefault((status, one.message), []).append(one.asked)
    return [f"{_MARKS[status]} {', '.join(asked)}: {message}" for (status, message), asked in told.items()]


def _held(metric: MetricContract, cells: list[Judged], checks: list[JudgedCheck]) -> list[str]:
    """Return lines for a metric that meets its contract: counts, remarks, and reasons for accepted violations."""
    lines = []
    if cells or checks:
        replayed = sum(j.replayed for j in cells)
        pinned = f" ({replayed} violated by {'its' if replayed == 1 else 'their'} pinned witness)" if replayed else ""
        axioms = f"{counted(len(cells), 'axiom')}{pinned}"
        lines.append(f"✓ {axioms} and {counted(len(checks), 'contract check')} as expected")
    remarked = [judged for judged in cells if judged.remark]
    lines += [f"· {j.axiom}: {j.remark}; axiomcheck gate --update pins the new counterexample" for j in remarked]
    lines += [f"· {asked} as expected: {reason}" for asked, reason in _excused(metric, cells, checks)]
    left = [axiom for axiom in AXIOMS if axiom not in metric.axioms] if metric.axioms else []
    return [*lines, *([f"· not in the contract: {', '.join(left)}"] if left else [])]


def _excused(metric: MetricContract, good: list[Judged], passed: list[JudgedCheck]) -> list[tuple[str, str]]:
    """Return (sentence, reason) pairs for the violations and failures that the contract accepts or a library documents.

    A sentence is, for example, "Red is violated".
    """
    violated = [j.axiom for j in good if metric.axioms[j.axiom].expect == "violated"]
    failing = [j.check for j in passed if j.check in metric.checks]
    told = [(f"{axiom} is violated", metric.axioms[axiom].reason) for axiom in violated]
    told += [(f"{check} fails", metric.checks[check]) for check in failing]
    outcomes = [judged.outcome for judged in passed if judged.outcome is not None]
    return told + [(f"{found.check} is admitted", found.reason) for found in outcomes if found.status == "admitted"]


def _recorded(cells: list[Judged], checks: list[JudgedCheck]) -> list[str]:
    """Return lines on the verdicts and failed checks of a metric that an update has written to the contract."""
    verdicts: dict[str, list[str]] = {}
    for judged in cells:
        if judged.cell is not None:
            verdicts.setdefault(judged.cell.verdict.value, []).append(judged.axiom)
    lines = [f"  {verdict}: {', '.join(axioms)}" for verdict, axioms in verdicts.items()]
    failing = [j.check for j in checks if j.outcome is not None and j.outcome.failing]
    return [*lines, *([f"  contract checks that fail: {', '.join(failing)}"] if failing else [])]


def gate_summary(result: GateResult, recorded: bool = False) -> str:
    """Return a one-line summary of a gate run: the counts, and the command that records new results."""
    name = result.contract.path.name
    if recorded:
        cells = len(result.cells) - len(unsettled(result))
        return f"{name}: recorded {counted(cells, 'cell')} and {counted(len(result.checks), 'check')}."
    total = len(result.judged)
    if not total and result.interrupted:
        return f"{name}: interrupted before any cell or check was decided."
    asked = "1 cell or check" if total == 1 else f"{total} cells and checks"
    known = f", {result.cached} of them from the ledger" if result.cached else ""
    ended = " before it was interrupted" if result.interrupted else ""
    if not result.broken:
        return f"{name}: {'' if total == 1 else 'all '}{asked} as expected{ended}{known}."
    counts = Counter(str(judged.status) for judged in result.judged)
    told = ", ".join(f"{counts[status]} {words}" for status, words in _WORDS.items() if counts[status])
    # With --update, undecided cells keep their recorded violations, and any error prevents the update.
    other = len(result.broken) > len(unsettled(result)) and not (counts["error"] or counts["disagreement"])
    hint = " If this is intended, run: axiomcheck gate --update" if other else ""
    return f"{name}: {told}; {counts['as-expected']} of {asked} as expected{ended}{known}.{hint}"


def gate_markdown(result: GateResult) -> str:
    """Return a gate's result as GitHub Markdown."""
    return report_markdown(gate_report(result))
