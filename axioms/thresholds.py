"""Axioms 3 and 4, the deepness threshold and the closeness threshold, which compare one document with a block."""

from __future__ import annotations

from typing import ClassVar, Literal

from axiomcheck.axioms.base import Axiom


class ThresholdAxiom(Axiom):
    """Axiom that compares one relevant document at the top with a block of n relevant documents further down.

    The top ranking has one relevant document followed by 2n - 1 non-relevant ones. The block ranking has n non-relevant
    documents followed by n relevant ones. ``winner`` is the ranking that the axiom requires to be ahead: ``top`` for
    every n from some n on (DeepTh), or ``block`` for some n (CloseTh).
    """

    kind = "blocks"
    group = "relevance"
    states_small = True
    binary = True
    max_aspects = 1
    drawn = False
    winner: ClassVar[Literal["top", "block"]]


class DeepnessThreshold(ThresholdAxiom):
    """For every large n, one relevant document on top is better than n of them after n non-relevant ones."""

    name = "DeepTh"
    number = 3
    title = "Deepness threshold"
    words = (
        "For n large enough, one relevant document on top is better than n relevant documents "
        "after n non-relevant ones."
    )
    symbols = "exists n0, for all n >= n0: Q(rel, nonrel^(2n-1)) > Q(nonrel^n, rel^n)"
    assumptions = ("one aspect", "binary grades {0, rc}", "r << 1")
    reading = (
        "'n large enough' is 'for every n from some n0 on'",
        "both rankings have length 2n, so a cost per document cancels",
        "n may exceed the cutoff, which is part of the metric",
        "if r << 1 is not assumed, there is such an n0 for every rc in (0, 1]",
    )
    winner = "top"


class ClosenessThreshold(ThresholdAxiom):
    """For some n, n relevant documents after n non-relevant ones are better than one on top."""

    name = "CloseTh"
    number = 4
    title = "Closeness threshold"
    words = "For some m, m relevant documents after m non-relevant ones are better than one relevant document on top."
    symbols = "exists m: Q(rel, nonrel^(2m-1)) < Q(nonrel^m, rel^m)"
    assumptions = ("one aspect", "binary grades {0, rc}", "r << 1")
    reading = (
        "both rankings have length 2m, so a cost per document cancels",
        "m may exceed the cutoff, which is part of the metric",
        "if r << 1 is not assumed, there is such an m for every rc in (0, 1]",
    )
    winner = "block"
