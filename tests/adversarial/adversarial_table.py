"""Entries of the tables, what is true of them, and what makes the verdict of a cell false.

The premises are those of `scalar`, from section 3 of the specification, and the scores those of single rankings, so
that a verdict is called false by what is computed there, and not by what axiomcheck says of itself.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from axiomcheck import Cell, Instance, InvalidInput, Metric, Reading, Regime, Topic, Verdict, find_axiom
from axiomcheck.core.documents import document_of
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from axiomcheck.records.certificates import Bounds
from axiomcheck.records.evidence import ThresholdEvidence
from axiomcheck.sources.function_metrics import FunctionMetric
from tests.support.scalar import INCOMING, readings

Number = Fraction | float

EPSILONS = (Fraction(1, 10**3), Fraction(1, 10**6), Fraction(1, 10**9))
"""Stand for r << 1: every grade is multiplied by each."""


@dataclass(frozen=True)
class Pair:
    """Two rankings of one topic, the better of which has to score higher.

    Args:
        pool: the grades of every judged document.
        worse, better: documents of the pool in rank order.
        weights: of the aspects; equal ones if left out.

    """

    pool: tuple[tuple[Number, ...], ...]
    worse: tuple[int, ...]
    better: tuple[int, ...]
    weights: tuple[Fraction, ...] = ()

    @property
    def shares(self) -> tuple[Fraction, ...]:
        m = len(self.pool[0])
        return self.weights or (Fraction(1, m),) * m

    def scaled(self, eps: Fraction) -> Pair:
        return Pair(tuple(tuple(g * eps for g in row) for row in self.pool), self.worse, self.better, self.weights)


def of(grades: Sequence[Number]) -> tuple[tuple[Number, ...], ...]:
    """Return a pool of one aspect."""
    return tuple((g,) for g in grades)


def swapped(ranking: Sequence[int], i: int, j: int) -> tuple[int, ...]:
    out = list(ranking)
    out[i], out[j] = out[j], out[i]
    return tuple(out)


def meets_premises(axiom: str, pair: Pair) -> bool:
    """Tell whether a pair is an instance of an axiom, by `scalar`."""
    kept = pair.better if axiom == "Conf" else pair.worse
    names = {document: f"d{k}" for k, document in enumerate(kept, 1)}
    (incoming,) = INCOMING[axiom] or ("",)
    names |= {document: incoming for document in (*pair.worse, *pair.better) if document not in names}
    pool = {names.get(k, f"e{k}"): [Fraction(g) for g in row] for k, row in enumerate(pair.pool)}
    worse, better = ([names[k] for k in side] for side in (pair.worse, pair.better))
    return any(readings(axiom, Instance(Topic(pair.shares, pool), worse, better), binary=False))


@dataclass(frozen=True)
class Blocks:
    """Sizes n at which the block pair of DeepTh and CloseTh comes out against the axiom.

    For DeepTh these are some large n at which the block is not behind (that it is so at every larger one is said where
    the metric is defined); for CloseTh every n from 1 on, as far as it is worth while.
    """

    sizes: tuple[int, ...]


def block_pair(n: int, rc: Number = Fraction(1)) -> Pair:
    """Return the block ("worse") and the single top document ("better")."""
    zeros = tuple(range(n, 3 * n - 1))
    pool = of([rc] * n + [Fraction(0)] * (2 * n - 1))
    return Pair(pool, zeros[:n] + tuple(range(n)), (0, *zeros))


# ------------------------------------------------------------ what several tables have

LARGE = Blocks((35, 60, 120))
"""Sizes at which blocks are ahead of the top, by sums that grow with n."""

HALF_AHEAD = Pair(of([Fraction(1, 2), Fraction(1)]), (0, 1), (1, 0))
"""Pri in two documents: the better one on top."""


_LONG = tuple(range(31))
RANK_31 = Pair(of([Fraction(1, 2)] * 30 + [Fraction(1)]), _LONG, swapped(_LONG, 29, 30))
"""Pri between ranks 30 and 31."""


ONE_DOUBLE = Pair(of([0.1, 0.123456789]), (0, 1), (1, 0))


# ------------------------------------------------------------ entries

SETTINGS = Settings(examples=400)
GREEN = (Verdict.PROVED, Verdict.BOUNDED, Verdict.HELD)
STRENGTH = {Verdict.HELD: 1, Verdict.BOUNDED: 2, Verdict.PROVED: 3}


@dataclass(frozen=True)
class Broken:
    """A metric that is no function: what it takes to have it violate the axiom on one fixed pair.

    Args:
        show: gets a fresh metric; returns the scores (worse, better) of a pair that meets the premises.

    """

    show: Callable[[Metric], tuple[float, float]]


@dataclass(frozen=True)
class Lie:
    """A cell of which a certificate would be false, and (unless ``held``) any satisfied verdict.

    Args:
        id: for pytest.
        make: a fresh metric.
        axiom, regime: the cell.
        truth: what violates the axiom.
        held: whether "no violation in what was tried" is true: the search tries nothing like the violation.
        untrue: what no reason or evidence may say.

    """

    id: str
    make: Callable[[], Metric]
    axiom: str
    truth: Pair | Blocks | Broken
    regime: str = "stated"
    held: bool = False
    untrue: tuple[str, ...] = ()

    @property
    def small(self) -> bool:
        """Tell whether r << 1 is assumed, by section 2 of the specification."""
        stated = ("Pri", "Deep", "DeepTh", "CloseTh", "Conf", "AspDiv", "MRed")
        return self.axiom in stated if self.regime == "stated" else self.regime == "limit"


held = functools.partial(Lie, held=True)
"""A `Lie` of which "no violation in what was tried" is true."""


@dataclass(frozen=True)
class Honest:
    """A cell that has to keep what it has.

    Args:
        id, make, axiom: as in `Lie`.
        least: the verdict today; another one is as good if it is stronger.

    """

    id: str
    make: Callable[[], Metric]
    axiom: str
    least: str


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
    if not isinstance(lie.truth, Pair) or cell.certificate is None:
        return False
    scope = cell.certificate.scope
    assert isinstance(scope, Bounds)
    pool, ranked = lie.truth.pool, len(lie.truth.better)
    most = scope.unretrieved
    more = most != "any" and len(pool) - ranked > most
    return bool(ranked > scope.ranked or len(pool[0]) > scope.aspects or more)


# ------------------------------------------------------------ whether it is true


def floats(metric: Metric, pair: Pair) -> tuple[float, float]:
    """Return (worse, better) by the metric itself, one ranking a call."""
    pool = np.array([[[float(g) for g in row] for row in pair.pool]])
    weights = np.array([[float(w) for w in pair.shares]])
    worse, better = (
        metric.evaluate(pool.copy(), weights.copy(), np.array([side])) for side in (pair.worse, pair.better)
    )
    return float(worse[0]), float(better[0])


def scores(metric: Metric, pairs: Sequence[tuple[Pair, tuple[int, ...]]]) -> list[float]:
    """Return the scores of many rankings of pools of one size, in one call."""
    pool = np.array([[[float(g) for g in row] for row in pair.pool] for pair, _ in pairs])
    weights = np.array([[float(w) for w in pair.shares] for pair, _ in pairs])
    return [float(x) for x in metric.evaluate(pool, weights, np.array([side for _, side in pairs]))]


def after(calls: int) -> Broken:
    """Return a pair that is asked after so many calls: what is counted is then past its limit."""

    def show(metric: Metric) -> tuple[float, float]:
        one = np.ones((1, 1, 1)), np.ones((1, 1))
        for _ in range(calls):
            metric.function(*one) if isinstance(metric, FunctionMetric) else floats(metric, HALF_AHEAD)
        return floats(metric, HALF_AHEAD)

    return Broken(show)


def in_threes(metric: Metric) -> tuple[float, float]:
    """Return the scores where three copies of the worse ranking are scored at once, and then three of the better."""
    worse, better = (scores(metric, [(HALF_AHEAD, side)] * 3)[0] for side in (HALF_AHEAD.worse, HALF_AHEAD.better))
    return worse, better


def scales(lie: Lie) -> Sequence[Fraction]:
    return EPSILONS if lie.small else (Fraction(1),)


def assert_violated(lie: Lie) -> None:
    """Assert that an entry is true, by scores of single rankings at every size of grades that the axiom is about."""
    if isinstance(lie.truth, Broken):
        worse, better = lie.truth.show(lie.make())
        assert better <= worse
        return
    metric = lie.make()
    if isinstance(lie.truth, Blocks):
        for n, rc in product(lie.truth.sizes, scales(lie)):
            block, top = floats(metric, block_pair(n, rc))
            assert top <= block if lie.axiom == "DeepTh" else block <= top
        return
    assert meets_premises(lie.axiom, lie.truth)
    for eps in scales(lie):
        worse, better = floats(metric, lie.truth.scaled(eps))
        assert better <= worse
