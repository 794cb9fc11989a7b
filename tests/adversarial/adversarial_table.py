"""Entries of the tables, how large their violations are, and what makes the verdict of a cell false."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from dataclasses import dataclass

from axiomcheck import Cell, InvalidInput, Metric, Reading, Regime, Verdict, find_axiom
from axiomcheck.core.documents import document_of
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from axiomcheck.records.certificates import Bounds
from axiomcheck.records.evidence import ThresholdEvidence


@dataclass(frozen=True)
class Size:
    """Size of the smallest violation that is known: of the rankings, of what they leave out, and of the aspects."""

    ranked: int
    unretrieved: int = 0
    aspects: int = 1


SETTINGS = Settings(examples=100)
GREEN = (Verdict.PROVED, Verdict.BOUNDED, Verdict.HELD)
STRENGTH = {Verdict.HELD: 1, Verdict.BOUNDED: 2, Verdict.PROVED: 3}


@dataclass(frozen=True)
class Lie:
    """A cell of which a certificate would be false, and (unless ``held``) any satisfied verdict.

    Args:
        id: for pytest.
        make: a fresh metric.
        axiom, regime: the cell.
        beyond: the size of what violates the axiom, where a proof of smaller sizes would be true; None where it is
            violated in sizes that every bounded proof is about.
        held: whether "no violation in what was tried" is true: the search tries nothing like the violation.
        untrue: what no reason or evidence may say.

    """

    id: str
    make: Callable[[], Metric]
    axiom: str
    beyond: Size | None = None
    regime: str = "stated"
    held: bool = False
    untrue: tuple[str, ...] = ()


held = functools.partial(Lie, held=True)
"""A `Lie` of which "no violation in what was tried" is true."""


@dataclass(frozen=True)
class Outcome:
    """A cell, or the sentence with which the metric was refused."""

    cell: Cell | None
    refused: str = ""

    @property
    def verdict(self) -> str:
        return self.cell.verdict.value if self.cell else "refused"

    @property
    def said(self) -> str:
        """Every word about it."""
        if self.cell is None:
            return self.refused
        return json.dumps(
            [self.cell.reason, self.cell.evidence and document_of(self.cell.evidence)], ensure_ascii=False
        )


def decide(make: Callable[[], Metric], axiom: str, regime: str) -> Outcome:
    """Return the cell of a metric as a user gets it."""
    try:
        ledger = run_matrix([make()], [find_axiom(axiom)], Reading(Regime(regime)), SETTINGS)
    except InvalidInput as error:
        return Outcome(None, str(error))
    return Outcome(ledger.cells[0])


def complaint(lie: Lie, outcome: Outcome) -> str:
    """Say what is false about an outcome; empty if nothing is."""
    texts = (*lie.untrue, "internal disagreement", "defect of axiomcheck")
    found = [f"says {text!r}" for text in texts if text in outcome.said]
    return "; ".join([*_verdict_complaint(lie, outcome.cell), *found])


def _verdict_complaint(lie: Lie, cell: Cell | None) -> list[str]:
    if cell is None or cell.verdict not in GREEN:
        return []
    if cell.verdict is Verdict.PROVED:
        return ["proved, and violated"]
    if cell.verdict is Verdict.BOUNDED:
        return [] if _beyond(lie, cell) else ["bounded, and violated within the bounds"]
    if cell.certificate is not None:
        return ["held with a certificate"]
    if not lie.held:
        return ["held, and violated by what the search claims to have tried"]
    argument = isinstance(cell.evidence, ThresholdEvidence) and cell.evidence.argument
    return [f"held by a false argument: {argument}"] if argument else []


def _beyond(lie: Lie, cell: Cell) -> bool:
    """Tell whether the violation is larger than what a bounded proof speaks of."""
    if lie.beyond is None or cell.certificate is None:
        return False
    scope = cell.certificate.scope
    assert isinstance(scope, Bounds)
    more = scope.unretrieved != "any" and lie.beyond.unretrieved > scope.unretrieved
    return bool(lie.beyond.ranked > scope.ranked or lie.beyond.aspects > scope.aspects or more)
