"""What every certificate begins with."""

from __future__ import annotations

from typing import Any

from axiomcheck.axioms import Axiom
from axiomcheck.metrics import Metric


def certificate(kind: str, metric: Metric, axiom: Axiom, **entries: Any) -> dict[str, Any]:
    """A certificate of some kind about a metric and an axiom, with further entries in their order."""
    head = {"schema": "axiomcheck/certificate", "version": 1, "kind": kind}
    return {**head, "metric": metric.canonical, "axiom": axiom.name, **entries}
