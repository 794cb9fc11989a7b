"""A witness as a folder that shows it in somebody else's tool: judgments, two runs, the command, a test."""

from __future__ import annotations

from axiomcheck.reports.bundle.build import Bundle, bundle_of

__all__ = ["Bundle", "bundle_of"]
