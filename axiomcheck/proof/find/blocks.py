"""Finds certificates of the threshold axioms for metrics that are no folds; they count once they are checked."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from axiomcheck.axioms import ThresholdAxiom
from axiomcheck.core.errors import InvalidInput
from axiomcheck.decide.thresholds import ThresholdCase, examine
from axiomcheck.metrics import Metric
from axiomcheck.metrics.inst import Inst, InstUpper
from axiomcheck.metrics.stopping import StoppingMetric
from axiomcheck.proof.check import check_claim
from axiomcheck.proof.check.header import certificate
from axiomcheck.records.certificates import read_certificate

_MOST_TRIED = 4
"""Number of n tried: where the block is ahead at grade 1 alone, a larger n may do."""


def prove_blocks(axiom: ThresholdAxiom, metric: Metric, own_code: bool, small: bool) -> dict[str, Any] | None:
    """A certificate that a threshold axiom holds, or that it fails, at every n.

    Args:
        axiom: DeepTh or CloseTh.
        metric: of the catalogue INST or P@H; of code of one's own CloseTh alone.
        own_code: whether other code than axiomcheck's decides its scores.
        small: whether r << 1 is assumed.

    Returns:
        The certificate (JSON); None where nothing was shown.

    """
    if own_code:
        return _prove_ahead(axiom, metric, small) if axiom.winner == "block" else None
    if not isinstance(metric, Inst | StoppingMetric):
        return None
    tail = metric.tail() if metric.cutoff is None else None
    signs = list(examine(metric, ThresholdCase(Fraction(1), 0), True).signs) if small else []

    def document(holds: bool, lemma: str, data: dict[str, Any]) -> dict[str, Any]:
        claim, scope = "holds" if holds else "fails", {"n": "all n", "parameters": []}
        return certificate("blocks", metric, axiom, small=small, claim=claim, scope=scope, lemma=lemma, data=data)

    if axiom.winner == "block" and -1 in signs:
        m = signs.index(-1) + 1
        guess = document(True, "witness", {"m": m, "signs": signs[:m]})
    elif metric.cutoff is not None and signs and len(signs) >= metric.cutoff:
        last = signs[metric.cutoff - 1]
        guess = document(axiom.winner == "top" and last == 1, "cutoff", {"signs": signs[: metric.cutoff]})
    elif isinstance(metric, Inst | InstUpper) and tail is not None:
        start = max(tail.start, _monotone_from(metric))
        data: dict[str, Any] = {"n0": start}
        if axiom.winner == "block":
            if not 0 < start <= len(signs) + 1:
                return None
            data["signs"] = signs[: start - 1]
        guess = document(axiom.winner == "top", "inst", data)
    else:
        return None
    try:
        check_claim(read_certificate(guess), metric)
    except InvalidInput:
        return None
    return guess


def _prove_ahead(axiom: ThresholdAxiom, metric: Metric, small: bool) -> dict[str, Any] | None:
    """A certificate that the block is ahead at one n, for every grade."""
    signs = examine(metric, ThresholdCase(Fraction(1), 0), small).signs
    for m in [n for n, sign in enumerate(signs, start=1) if sign == -1][:_MOST_TRIED]:
        scope = {"n": "all n", "parameters": []}
        head = {"small": small, "claim": "holds", "scope": scope, "lemma": "ahead", "data": {"m": m}}
        guess = certificate("blocks", metric, axiom, **head)
        try:
            check_claim(read_certificate(guess), metric)
        except InvalidInput:
            continue
        return guess
    return None


def _monotone_from(metric: Metric) -> int:
    """The first n from which the bound of the lemma decreases."""
    c = 2 * Fraction(metric.values["T"]) - Fraction(1, 2)
    n = 1
    while 2 * n * n < c * c:
        n += 1
    return n
