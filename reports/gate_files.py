"""What the gate writes to files of its own, for build servers and code hosts."""

from __future__ import annotations

from collections.abc import Callable

from axiomcheck.gating import GateResult
from axiomcheck.reports.gate_report import gate_markdown
from axiomcheck.reports.junit import to_junit
from axiomcheck.reports.sarif import to_sarif

GATE_FILES: dict[str, tuple[str, Callable[[GateResult], str]]] = {
    "junit": ("JUnit XML", to_junit),
    "sarif": ("SARIF 2.1.0", to_sarif),
    "markdown": ("a Markdown summary", gate_markdown),
}
"""Option of ``axiomcheck gate`` -> what its file has, in words, and the writer of that."""
