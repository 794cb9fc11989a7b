"""Kinds of axioms: the one place that tells them apart.

An axiom's class says how it is decided (`Axiom.kind`). Code outside this package asks the functions here.
"""

from __future__ import annotations

from typing import TypeGuard

from axiomcheck.axioms.base import Axiom, PairAxiom
from axiomcheck.axioms.bounds import ScoreAxiom
from axiomcheck.axioms.thresholds import ThresholdAxiom


def about_pairs(axiom: Axiom) -> TypeGuard[PairAxiom]:
    """Return true for an axiom of which single instances are drawn: on two rankings, or on the score of one."""
    return axiom.kind != "blocks"


def about_scores(axiom: Axiom) -> TypeGuard[ScoreAxiom]:
    """Return true for an axiom on the score of a single ranking."""
    return axiom.kind == "scores"


def about_blocks(axiom: Axiom) -> TypeGuard[ThresholdAxiom]:
    """Return true for an axiom on long blocks of documents, of which every length is decided."""
    return axiom.kind == "blocks"
