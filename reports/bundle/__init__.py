"""Show a witness in another tool: a folder with judgments, two runs, the witness and the commands."""

from __future__ import annotations

from axiomcheck.reports.bundle.build import Bundle, bundle_of

__all__ = ["Bundle", "bundle_of"]
