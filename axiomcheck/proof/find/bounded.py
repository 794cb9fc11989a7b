"""Find bounded proofs, which show that an axiom holds up to a certain length and number of aspects.

The prover runs the metric's own code on symbols, as the checker does (`axiomcheck.proof.check.bounded_run`). The code
may make a comparison that the coefficients do not decide, such as "is this grade 0?" or "which grade is larger?". In
this case, or if the score difference cannot be shown to be positive, the prover splits the case and proves every side
of the split. See ``docs/lemmas/bounded.md``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import combinations
from math import prod
from typing import Any

from axiomcheck.axioms.base import PairAxiom
from axiomcheck.axioms.relations import Cell
from axiomcheck.core.domain import Domain, Regime
from axiomcheck.core.errors import AxiomcheckError, InvalidInput
from axiomcheck.core.printable import counted
from axiomcheck.metrics import FoldMetric, Metric
from axiomcheck.proof.check.bounded_run import (
    DISCOUNTS,
    BoundedPlan,
    Decision,
    Space,
    SpaceSetting,
    SymbolicCase,
    decisions_of,
    settings_of,
    text_of,
    written,
)
from axiomcheck.proof.check.bounded_symbols import PoolRead
from axiomcheck.proof.check.header import certificate, symbolic_parameters
from axiomcheck.proof.check.polynomials import Polynomial
from axiomcheck.proof.check.quotients import Quotient, SignUnknown
from axiomcheck.records.certificates import Numbered
from axiomcheck.sources.provenance import is_genuine

MOST_RANKED = 6
BUDGET = 50_000
"""Default limit on the cost of a proof. It corresponds to about five seconds, but most proofs take far less."""

_PER_CASE = 20
_PER_ZETA_CASE = 100
"""Additional cost of a case with zeta values, whose scores have several orders of eps or a high degree."""
_PER_COEFFICIENT = 4
_LARGEST = 60_000
"""Maximum number of coefficients of one expansion."""

_FIRST_ORDERS = 2
"""Highest order of eps that is derived first for external code.

These orders decide most cases, and further orders would take most of the time.
"""


class Unprovable(AxiomcheckError):
    """Raised when a metric's code does not run on symbols, the axiom is violated, or a case cannot be split further."""


class OverBudget(AxiomcheckError):
    """Raised when a proof exceeds its budget, or an expansion has too many coefficients."""


Leaf = dict[str, Any]
"""Proved case in the notation of certificates."""

Node = str | Leaf | None
"""Node of a tree: a split, which the trees of its sides follow; a proved case; or None if no instance remains."""

Tree = list[Node]


class _BoundedProof:
    """Attempt at a bounded proof: a plan and the remaining budget."""

    def __init__(self, plan: BoundedPlan, budget: int) -> None:
        self.plan = plan
        self.left = budget
        self.abstract = False

    def spend(self, cost: int) -> None:
        self.left -= cost
        if self.left < 0:
            raise OverBudget("the proof exceeds its budget")

    def shape(self, ranked: int, aspects: int, extras: tuple[int, ...]) -> Covers:
        """Prove all settings of one length and number of aspects, and return each setting with its tree of cases.

        Raises:
            Unprovable, OverBudget, PoolRead: No proof was found.

        """
        covers: Covers = []
        plan = self.plan
        try:
            for extra in extras:
                asked = (plan.axiom, ranked, aspects, extra, plan.binary, plan.small, plan.metric.cutoff)
                for setting in settings_of(*asked):
                    tree: Tree = []
                    self.cover(setting, (), tree)
                    covers.append((setting, tree))
        except (InvalidInput, NotImplementedError) as error:  # NotImplementedError: the axiom states no relations
            raise Unprovable(str(error)) from None
        return covers

    def cover(self, setting: SpaceSetting, decisions: tuple[Decision, ...], tree: Tree) -> None:
        """Append to ``tree`` the nodes that cover the instances satisfying the given decisions."""
        self.spend(_PER_CASE)
        space = Space(setting, decisions)
        if space.is_empty():
            tree.append(None)
            return
        uncompared = space.uncompared()
        split: Decision | None = None if uncompared is None else ("<=>", *uncompared)
        if split is None:
            case = SymbolicCase(self.plan, space)
            undecided: SignUnknown | None = None
            try:
                tree.append(self.leaf(case))
            except PoolRead:
                raise
            except SignUnknown as error:
                undecided = error
            finally:
                self.abstract = self.abstract or case.arithmetic.assumed
            self.spend(_PER_ZETA_CASE if case.zetas.values else 0)
            if undecided is None:
                return
            split = None if undecided.about is None else _split_of(case, undecided.about)
            if split is None:
                raise Unprovable(f"{setting.text}: nothing left to split: {undecided}")
        tree.append(text_of(split))
        for decision in decisions_of(split):
            self.cover(setting, (*decisions, decision), tree)

    def leaf(self, case: SymbolicCase) -> Leaf:
        """Prove a case, and return it in the notation of certificates.

        Raises:
            SignUnknown: A sign, such as that of the score difference, is unknown.
            Unprovable, OverBudget, InvalidInput: No proof was found.

        """
        plan = self.plan
        first = plan.small and plan.axiom.strict and plan.own_code
        case.derive(_FIRST_ORDERS if first else None)
        order, difference = case.leading()
        if difference.is_zero:
            if plan.axiom.strict:
                raise Unprovable(f"{case.space.setting.text}: the scores are equal, which violates the axiom")
            return written(case, 0, difference.numerator)
        try:
            numerator = difference.lowest()
        except SignUnknown:
            raise Unprovable("the denominator of the difference is not shown to be positive") from None
        self.spend(_PER_COEFFICIENT * len(numerator) + _expansion(numerator) // 20)
        if numerator.shown(">" if plan.axiom.strict else ">="):
            return written(case, order, numerator)
        if numerator.shown("<="):
            raise Unprovable(f"{case.space.setting.text}: the axiom is violated")
        raise SignUnknown("the difference is not shown to be positive", Quotient(numerator))


def _split_of(case: SymbolicCase, undecided: Quotient) -> Decision | None:
    """Return a split that may determine an unknown sign, or None if no grade that the sign depends on can be split."""
    cells, space, known = case.world.cells_of(undecided), case.space, case.space.known
    leaders = [(c, space.leader[c]) for c in cells]
    if len(cells) == 2 and not undecided.denominator.degrees():
        a, b = cells
        difference = (case.grades[0][a] - case.grades[0][b]).numerator
        if undecided.numerator in (difference, -difference) and not _compared(space, a, b):
            return "<=>", a, b
    for c, leader in leaders:
        if leader not in known["zero"] | known["positive"]:
            return "=0", c, None
    for c, leader in leaders:
        if not space.setting.small and leader not in known["zero"] | known["one"] | known["below"]:
            return "=1", c, None
    return next((("<=>", a, b) for a, b in combinations(cells, 2) if not _compared(space, a, b)), None)


def _compared(space: Space, a: Cell, b: Cell) -> bool:
    """Return True if a split on the order of two grades would be useless, for example because the order is known."""
    known, a, b = space.known, space.leader[a], space.leader[b]
    fixed = known["zero"] | known["one"]
    if space.setting.binary or a == b or a in known["zero"] or b in known["zero"]:
        return True
    return (a in fixed and b in fixed) or (a, b) in space.over or (b, a) in space.over


def _expansion(polynomial: Polynomial) -> int:
    """Return an upper bound on the number of coefficients that `Polynomial.expanded` produces.

    Raises:
        OverBudget: The bound is too large.

    """
    units = {v: degree for v, degree in polynomial.degrees().items() if v.range[-2] == "1"}
    total = sum(prod(degree - m.count(v) + 1 for v, degree in units.items()) for m in polynomial.terms)
    if total > _LARGEST or 2 ** len(units) > _LARGEST:
        raise OverBudget(f"an expansion may have {counted(total, 'coefficient')}")
    return total


def _attempts(names: Collection[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    for count in range(len(names), -1, -1):
        for chosen in combinations(names, count):
            for discount in DISCOUNTS:
                yield chosen, discount


Covers = list[tuple[SpaceSetting, Tree]]
Grid = dict[tuple[int, int], Covers]


def _largest_rectangle(proved: Grid, first: int, least: int) -> tuple[int, int, int] | None:
    """Return (area, N, M) of the largest rectangle of proved shapes with the corners (first, least) and (N, M).

    Of two rectangles with the same area, the one with the larger N is returned. The result is None if the shape
    (first, least) is not proved.
    """
    best: tuple[int, int, int] | None = None
    for n, m in proved:
        if all((a, b) in proved for a in range(first, n + 1) for b in range(least, m + 1)):
            size = ((n - first + 1) * (m - least + 1), n, m)
            best = size if best is None or size > best else best
    return best


def prove_bounded(
    axiom: PairAxiom,
    metric: Metric,
    small: bool,
    domain: Domain = Domain.GRADED,
    most_ranked: int = MOST_RANKED,
    most_aspects: int = 3,
    budget: int = BUDGET,
) -> dict[str, Any] | None:
    """Return a certificate that an axiom holds up to some length and number of aspects.

    Args:
        axiom: Axiom about pairs that defines `relate`.
        metric: Metric of any kind with exact scores.
        small: True if r << 1 is assumed. The signs are then those of the leading coefficients in eps.
        domain: Domain of the grades. For a binary-only metric, only binary instances are covered.
        most_ranked: Maximum length of the ranking d.
        most_aspects: Maximum number of aspects.
        budget: Limit on the total cost, in the unit of `BUDGET`. Time is not used, because it is not reproducible.

    Returns:
        The certificate (JSON) of the largest scope that was proved, with as many symbolic parameters as possible; None
        if even the smallest shape was not proved.

    """
    binary = axiom.domain_of(domain) is Domain.BINARY or metric.binary_only
    best: tuple[int, int] | None = None
    document: dict[str, Any] | None = None
    most = min(most_aspects, axiom.max_aspects or most_aspects)
    full = (most_ranked, most)
    skip: set[tuple[str, ...]] = set()
    left = budget
    own_code = not is_genuine(metric)
    if own_code and isinstance(metric, FoldMetric):
        return None
    ranges = {} if own_code else symbolic_parameters(metric)
    for parameters, discount in _attempts(ranges):
        if parameters in skip or left < 0:
            continue
        symbols = {name: ranges[name] for name in parameters}
        proof, proved = _attempt(BoundedPlan(axiom, metric, small, binary, symbols, discount, False), full, left)
        left = proof.left
        if not proof.abstract:
            skip.add(parameters)  # no discount was used, so other assumptions change nothing
        found = _largest_rectangle(proved, axiom.min_ranked, axiom.min_aspects)
        if found is None or not any(isinstance(node, dict) for c in proved.values() for _, tree in c for node in tree):
            continue
        if best is None or found[:2] > best:
            best, document = found[:2], _document(proof, proved, found[1:], domain)
        if found[1:] == full:
            break
    return document


def _attempt(plan: BoundedPlan, full: tuple[int, int], budget: int) -> tuple[_BoundedProof, Grid]:
    """Attempt the proof that a plan describes, and return the attempt and the shapes that were proved.

    If the metric reads the pool, the attempt is repeated with a pool.
    """
    proof = _BoundedProof(plan, budget)
    try:
        return proof, _grid(proof, full)
    except PoolRead:
        plan = replace(plan, pool=True)
        proof = _BoundedProof(plan, budget)
        return proof, _grid(proof, full)


def _grid(proof: _BoundedProof, full: tuple[int, int]) -> Grid:
    axiom = proof.plan.axiom
    extras = (0, 1) if proof.plan.pool else (0,)
    proved: Grid = {}
    cost: dict[tuple[int, int], int] = {}
    failed: list[tuple[int, int]] = []
    for n in range(axiom.min_ranked, full[0] + 1):
        if _is_vain(n, full[1], cost, proof):
            proof.left = -1
            return proved
        for m in range(axiom.min_aspects, full[1] + 1):
            if any(a <= n and b <= m for a, b in failed):
                continue
            left = proof.left
            try:
                proved[n, m] = proof.shape(n, m, extras)
                cost[n, m] = left - proof.left
            except Unprovable:
                failed.append((n, m))
            except OverBudget:
                if proof.left < 0:
                    return proved
                failed.append((n, m))
    return proved


_SURE = 3
"""Ratio of the extrapolated cost of a shape to the remaining budget from which on the shape is not attempted."""


def _is_vain(ranked: int, aspects: int, cost: dict[tuple[int, int], int], proof: _BoundedProof) -> bool:
    """Return True if the budget is too small to extend the scope to rankings of this length.

    The cost of the shape with the maximum number of aspects is extrapolated from the two shorter lengths. Even if this
    shape is too expensive, a rectangle with one aspect less may be larger than the rectangle of the shorter lengths.
    """
    one, two = cost.get((ranked - 2, aspects)), cost.get((ranked - 1, aspects))
    if not one or not two or two * two < _SURE * proof.left * one:
        return False
    lengths, widths = ranked - proof.plan.axiom.min_ranked + 1, aspects - proof.plan.axiom.min_aspects + 1
    return lengths * (widths - 1) < (lengths - 1) * widths


def _document(proof: _BoundedProof, proved: Grid, found: tuple[int, int], domain: Domain) -> dict[str, Any]:
    plan, axiom = proof.plan, proof.plan.axiom
    regime = Regime.FINITE if not plan.small else Regime.STATED if axiom.states_small else Regime.LIMIT
    covers = [cover for (n, m), each in proved.items() if n <= found[0] and m <= found[1] for cover in each]
    scope = {
        "ranked": found[0],
        "aspects": found[1],
        "unretrieved": 1 if plan.pool else "any",
        "parameters": list(plan.parameters),
        "discount": plan.discount if proof.abstract else "own",
    }
    reading = {"regime": regime.value, "domain": domain.value}
    head = certificate("orthant", plan.metric, axiom, reading=reading, small=plan.small, scope=scope)
    return head | _written(covers)


def _written(covers: Covers) -> dict[str, Any]:
    """Write settings and tables in the notation of certificates. Equal entries of a table are written only once."""
    names = ("trees", "differences", "variables", "polynomials")
    trees, differences, variables, polynomials = tables = [Numbered() for _ in names]

    def shared(leaf: Leaf) -> Leaf:
        terms = {weights: polynomials.number(polynomial) for weights, polynomial in leaf["terms"].items()}
        return {**leaf, "variables": variables.number(leaf["variables"]), "terms": terms}

    settings = []
    for setting, tree in covers:
        nodes = [differences.number(shared(node)) if isinstance(node, dict) else node for node in tree]
        sizes = [setting.shape.documents, setting.shape.aspects, setting.shape.ranked]
        settings.append({"shape": sizes, "positions": setting.positions(), "tree": trees.number(nodes)})
    return {"settings": settings} | {name: table.entries() for name, table in zip(names, tables, strict=True)}
