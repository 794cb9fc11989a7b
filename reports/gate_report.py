"""Render the result of a gate: met and broken expectations of each metric with reasons, and a summary line."""

from __future__ import annotations

from collections import Counter
from types import MappingProxyType

from axiomcheck.axioms import AXIOMS
from axiomcheck.core.counting import counted
from axiomcheck.gating.expectations import MetricContract
from axiomcheck.gating.judge import Judged, JudgedCheck, Status
from axiomcheck.gating.record import Reasons, unexplained
from axiomcheck.gating.run import GateResult
from axiomcheck.reports.table import Report, Section, report_markdown

_MARKS = {"worse": "✗", "better": "✗", "unrecorded": "?", "error": "!", "disagreement": "!"}
_WORDS = {
    "worse": "worse than expected",
    "better": "better than expected",
    "unrecorded": "not recorded",
    "error": "in error",
    "disagreement": "contradicting axiomcheck",
}


def gate_report(result: GateResult, recorded: bool = False, reasons: Reasons = MappingProxyType({})) -> Report:
    """Return the report of a run of the gate; the summary comes first in Markdown and last on a terminal.

    Args:
        result: Result of the run.
        recorded: Whether the result was written to the contract, so that no expectation is broken any more.
        reasons: Reasons for violations that were recorded with it.

    """
    shown = unexplained(result) if recorded else {}
    sections = []
    for metric in result.contract.metrics:
        cells = [j for j in result.cells if j.metric == metric.name]
        checks = [j for j in result.checks if j.metric == metric.name]
        lines = _recorded(cells, checks) if recorded else _held(metric, cells, checks)
        for asked in (*(j.axiom for j in cells), *(j.check for j in checks)):
            if sentence := shown.get((metric.name, asked)):
                lines.append(f"○ {asked}: {sentence}")
                if reason := reasons.get((metric.name, asked)):
                    lines.append(f"  all right because: {reason}")
        sections.append(Section(f"{metric.name} ({metric.reading.regime}, {metric.reading.domain})", lines))
    summary = gate_summary(result, recorded)
    return Report(summary, [], [*sections, Section(summary, place="text")])


def _held(metric: MetricContract, cells: list[Judged], checks: list[JudgedCheck]) -> list[str]:
    """Return lines on one metric: each broken expectation with its reason, and a line that counts the met ones."""
    good = [j for j in cells if j.status == "as-expected"]
    passed = [j for j in checks if j.status == "as-expected"]
    told: dict[tuple[Status, str], list[str]] = {}
    judged: list[Judged | JudgedCheck] = [*cells, *checks]
    for one in judged:
        if one.status != "as-expected":
            told.setdefault((one.status, one.message), []).append(one.asked)
    lines = [f"{_MARKS[status]} {', '.join(asked)}: {message}" for (status, message), asked in told.items()]
    if good or passed:
        replayed = sum(j.replayed for j in good)
        pinned = f" ({replayed} violated by {'its' if replayed == 1 else 'their'} pinned witness)" if replayed else ""
        axioms = f"{counted(len(good), 'axiom')}{pinned}"
        lines.append(f"✓ {axioms} and {counted(len(passed), 'contract check')} as expected")
    remarked = [judged for judged in good if judged.remark]
    lines += [f"· {j.axiom}: {j.remark}; axiomcheck gate --update pins what violates it now" for j in remarked]
    lines += [f"· {asked} as expected: {reason}" for asked, reason in _excused(metric, good, passed)]
    left = [axiom for axiom in AXIOMS if axiom not in metric.axioms] if metric.axioms else []
    return [*lines, *([f"· not in the contract: {', '.join(left)}"] if left else [])]


def _excused(metric: MetricContract, good: list[Judged], passed: list[JudgedCheck]) -> list[tuple[str, str]]:
    """Return each expected violation or failure with the reason given by the contract or the library."""
    violated = [j.axiom for j in good if metric.axioms[j.axiom].expect == "violated"]
    failing = [j.check for j in passed if j.check in metric.checks]
    told = [(f"{axiom} is violated", metric.axioms[axiom].reason) for axiom in violated]
    told += [(f"{check} fails", metric.checks[check]) for check in failing]
    outcomes = [judged.outcome for judged in passed if judged.outcome is not None]
    return told + [(f"{found.check} is admitted", found.reason) for found in outcomes if found.status == "admitted"]


def _recorded(cells: list[Judged], checks: list[JudgedCheck]) -> list[str]:
    """Return lines on the verdicts and failed checks that were recorded for a metric."""
    verdicts: dict[str, list[str]] = {}
    for judged in cells:
        if judged.cell is not None:
            verdicts.setdefault(judged.cell.verdict.value, []).append(judged.axiom)
    lines = [f"  {verdict}: {', '.join(axioms)}" for verdict, axioms in verdicts.items()]
    failing = [j.check for j in checks if j.outcome is not None and j.outcome.status in ("failed", "error")]
    return [*lines, *([f"  contract checks that fail: {', '.join(failing)}"] if failing else [])]


def gate_summary(result: GateResult, recorded: bool = False) -> str:
    """Return the result of a run in one line."""
    name = result.contract.path.name
    if recorded:
        return f"{name}: recorded {counted(len(result.cells), 'cell')} and {counted(len(result.checks), 'check')}."
    total = len(result.judged)
    asked = "1 cell or check" if total == 1 else f"{total} cells and checks"
    known = f", {result.cached} of them known from before" if result.cached else ""
    ended = " before it was interrupted" if result.interrupted else ""
    if not result.broken:
        return f"{name}: {'' if total == 1 else 'all '}{asked} as expected{ended}{known}."
    counts = Counter(str(judged.status) for judged in result.broken)
    told = ", ".join(f"{counts[status]} {words}" for status, words in _WORDS.items() if counts[status])
    hint = "" if counts["error"] or counts["disagreement"] else " If that is right: axiomcheck gate --update"
    return f"{name}: {told}, of {asked}{ended}{known}.{hint}"


def gate_markdown(result: GateResult) -> str:
    """Return a gate's result as GitHub Markdown."""
    return report_markdown(gate_report(result))
