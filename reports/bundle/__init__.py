"""Build bundles: folders that show a witness in another tool, with judgments, two runs, the witness and commands."""

from __future__ import annotations

from axiomcheck.reports.bundle.build import Bundle, bundle_of

__all__ = ["Bundle", "bundle_of"]
