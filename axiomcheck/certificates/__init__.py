"""The check of certificates: shares metrics and constraints with the provers of `axiomcheck.proof`, nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from axiomcheck.errors import InvalidInput

if TYPE_CHECKING:
    from axiomcheck.axioms import PairAxiom
    from axiomcheck.metrics import Metric

__all__ = ["check_certificate"]


def check_certificate(document: Any, metric: Metric | None = None, axiom: PairAxiom | None = None) -> None:
    """Checks a certificate from scratch.

    Args:
        document: as a prover made it, or as it was read from a file.
        metric: that it is about; left out, the one that it names.
        axiom: that it is about, where it is none that has a name.

    Raises:
        InvalidInput: it does not prove what it says; the message says where.

    """
    kind = document.get("kind") if isinstance(document, dict) else None
    if kind == "tail":
        from axiomcheck.certificates.thresholds import check_threshold

        check_threshold(document)
    elif kind == "blocks":
        from axiomcheck.certificates.blocks import check_blocks

        check_blocks(document)
    elif kind in ("induction", "mixture"):
        from axiomcheck.certificates.induction import check_induction

        check_induction(document, metric, axiom)
    elif kind in ("orthant", "smt"):
        from axiomcheck.certificates.bounded import check_bounded

        check_bounded(document, metric, axiom)
    else:
        raise InvalidInput(f"certificate: kind is {kind!r}; expected blocks, induction, mixture, orthant, smt or tail")
