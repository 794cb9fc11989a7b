"""What every certificate begins with."""

from __future__ import annotations

__all__ = ["SCHEMA", "VERSION"]

SCHEMA = "axiomcheck/certificate"
VERSION = 1
