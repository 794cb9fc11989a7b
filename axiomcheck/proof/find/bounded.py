"""Bounded proofs: an axiom on every instance up to a length and a number of aspects, by positive coefficients.

The metric's own code is run on symbolic instances (`axiomcheck.proof.find.instances`, `axiomcheck.proof.find.case`).
Where it asks something that the coefficients do not settle (is this grade 0, which of these two is larger), or where
the difference of the two scores is not shown to be positive, the instance is split and both parts are tried. What comes
out is a certificate, which `axiomcheck.proof.check.bounded` derives again without these modules. See
``docs/lemmas/bounded.md``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from math import gcd, lcm
from typing import Any

from flint import fmpq, fmpq_mpoly

from axiomcheck.axioms.base import PairAxiom
from axiomcheck.core.counting import counted
from axiomcheck.core.domain import Domain, Regime
from axiomcheck.core.errors import AxiomcheckError
from axiomcheck.metrics import Metric
from axiomcheck.numbers.polynomials import Monomial, Term, Undecided, Variables, positivity, powers_of, product_text
from axiomcheck.proof.find.case import DISCOUNTS, PoolTouched, ProofPlan, SymbolicCase, Unprovable, difference
from axiomcheck.proof.find.document import certificate
from axiomcheck.proof.find.instances import Decision, GradeRegion, InstanceSetting, branches, settings_of, text_of
from axiomcheck.proof.find.setting import symbolic_parameters

BUDGET = 50_000
"""What a proof may cost unless said otherwise: some five seconds; most take far less."""

_PER_CASE = 20
_PER_ZETA_CASE = 100
"""More than another case: scores with zeta values are expanded to several orders of eps, or of a high degree."""
_PER_COEFFICIENT = 4
_LARGEST = 60_000
"""Coefficients of one expansion; more are not waited for."""


class OverBudget(AxiomcheckError):
    """The budget is spent."""


Leaf = dict[str, Any]
"""What is shown of a case, as certificates write it."""

Node = str | Leaf | None
"""Of a tree: a split, which the trees of its sides follow; a case; or nothing, where no draft is left."""

Tree = list[Node]


class _BoundedProof:
    """One attempt: a plan, and what is left of the budget."""

    def __init__(self, axiom: PairAxiom, plan: ProofPlan, budget: int) -> None:
        self.axiom = axiom
        self.plan = plan
        self.left = budget
        self.abstract = False

    def spend(self, cost: int) -> None:
        self.left -= cost
        if self.left < 0:
            raise OverBudget("the budget is spent")

    def shape(self, ranked: int, aspects: int, extras: tuple[int, ...]) -> Covers:
        """The settings of one length and number of aspects, each with the tree that covers it.

        Raises:
            Unprovable, OverBudget, PoolTouched: there is no proof.

        """
        covers: Covers = []
        try:
            for extra in extras:
                for setting in settings_of(
                    self.axiom, ranked, aspects, extra, self.plan.binary, self.plan.small, self.plan.metric.cutoff
                ):
                    tree: Tree = []
                    self.cover(setting, (), tree)
                    covers.append((setting, tree))
        except NotImplementedError as error:  # an axiom that states no relations, or too intricate ones
            raise Unprovable(str(error)) from None
        return covers

    def cover(self, setting: InstanceSetting, decisions: tuple[Decision, ...], tree: Tree) -> None:
        """Adds the tree below some decisions."""
        self.spend(_PER_CASE)
        region = GradeRegion(setting, decisions)
        if region.empty:
            tree.append(None)
            return
        split = region.forced
        if split is None:
            case = SymbolicCase(self.plan, region)
            question: Undecided | None = None
            try:
                tree.append(self.decide(case, difference(case)))
            except Undecided as undecided:
                question = undecided
            finally:
                self.abstract = self.abstract or case.arithmetic.assumed
            self.spend(_PER_ZETA_CASE if case.arithmetic.zetas.known else 0)
            if question is None:
                return
            split = case.split_of(question.term)
            if split is None:
                raise Unprovable(f"{setting.shape} {setting.positions()}: nothing left to split")
        tree.append(text_of(split))
        for decision in branches(split):
            self.cover(setting, (*decisions, decision), tree)

    def decide(self, case: SymbolicCase, by_order: dict[int, Term]) -> Leaf:
        """The leaf of a case.

        Raises:
            Undecided: a term was not shown to be positive.
            Unprovable, OverBudget: there is no proof.

        """
        setting, strict = case.region.setting, self.axiom.strict
        for order, term in by_order.items():
            if term.numerator.is_zero():
                continue
            numerator = _lowest(term)
            self.spend(_PER_COEFFICIENT * len(numerator) + _expansion(numerator, case.variables) // 20)
            shown = positivity(numerator, case.variables, strict)
            if shown is not None:
                return _leaf(case, order, numerator, shown)
            if case.variables.shows(-numerator, False) is not None:
                raise Unprovable(f"{setting.shape} {setting.positions()} {case.region.decisions}: violated")
            raise Undecided(term)
        if strict:
            raise Unprovable(f"{setting.shape} {setting.positions()} {case.region.decisions}: a tie")
        return _leaf(case, 0, case.variables.constant(0).numerator, {})


def _leaf(case: SymbolicCase, order: int, numerator: fmpq_mpoly, shown: dict[Monomial, fmpq]) -> Leaf:
    """A case whose difference, of that order of eps, has these coefficients after the substitution."""
    variables, zetas = case.variables, _zetas(case)
    return {
        "variables": [
            [variables.names[k], variables.ranges[k].value] for k, e in enumerate(numerator.degrees()) if e > 0
        ],
        **({"zeta": zetas} if zetas else {}),
        "order": order,
        "coefficients": _texts(shown, variables),
    }


def _lowest(term: Term) -> Any:
    """The numerator in lowest terms over a positive denominator.

    Raises:
        Unprovable: the denominator in lowest terms is not shown to have a sign.

    """
    try:
        return term.lowest().numerator
    except Undecided:
        raise Unprovable("a denominator without a sign") from None


def _expansion(polynomial: fmpq_mpoly, variables: Variables) -> int:
    """A bound on the number of coefficients after the substitution.

    Raises:
        OverBudget: more than anybody should wait for.

    """
    degrees = polynomial.degrees()
    units = [k for k, d in enumerate(degrees) if d and variables.ranges[k].unit]
    total = 0
    for e in polynomial.to_dict():
        spread = 1
        for k in units:
            spread *= degrees[k] - e[k] + 1
        total += spread
    if total > _LARGEST or 2 ** len(units) > _LARGEST:
        raise OverBudget(f"{counted(total, 'coefficient')}")
    return total


def _zetas(case: SymbolicCase) -> dict[str, list[Any]]:
    """What the case's variables for zeta values stand for."""
    out: dict[str, list[Any]] = {}
    for zeta in case.arithmetic.zetas.known:
        x = {
            product_text(powers_of(exponents), case.variables.names): str(c)
            for exponents, c in zeta.x.numerator.to_dict().items()
        }
        out[zeta.name] = [zeta.s, dict(sorted(x.items()))]
    return out


def _texts(shown: dict[Monomial, fmpq], variables: Variables) -> dict[str, str]:
    """Monomial -> coefficient, whole numbers without a common divisor."""
    scale = lcm(*(int(c.q) for c in shown.values()))
    whole = {monomial: int(c.p) * (scale // int(c.q)) for monomial, c in shown.items()}
    divisor = gcd(*whole.values())
    out = {product_text(monomial, variables.names): str(c // divisor) for monomial, c in whole.items()}
    return dict(sorted(out.items()))


def _attempts(metric: Metric) -> Iterator[tuple[tuple[str, ...], str]]:
    names = list(symbolic_parameters(metric))
    for count in range(len(names), -1, -1):
        for chosen in combinations(names, count):
            for discount in DISCOUNTS:
                yield chosen, discount


Covers = list[tuple[InstanceSetting, Tree]]
Grid = dict[tuple[int, int], Covers]


def _largest_rectangle(proved: Grid, first: int, least: int) -> tuple[int, int] | None:
    """(N, M) of the largest rectangle of shapes from (first, least) on that are all proved; the longer of two."""
    best: tuple[int, int, int] | None = None
    for n, m in proved:
        if all((a, b) in proved for a in range(first, n + 1) for b in range(least, m + 1)):
            size = ((n - first + 1) * (m - least + 1), n, m)
            best = size if best is None or size > best else best
    return None if best is None else best[1:]


def prove_bounded(
    axiom: PairAxiom,
    metric: Metric,
    small: bool,
    domain: Domain = Domain.GRADED,
    most_ranked: int = 6,
    most_aspects: int = 3,
    budget: int = BUDGET,
) -> dict[str, Any] | None:
    """A certificate that an axiom holds up to some length and number of aspects.

    Args:
        axiom: one on pairs that states its relations.
        metric: whose code runs on symbols.
        small: whether r << 1 is assumed; the sign is then that of the leading coefficient in eps.
        domain: of the grades; a binary-only metric is decided on binary instances.
        most_ranked: the longest d that is tried.
        most_aspects: the most aspects that are tried.
        budget: what it may cost in all, in units of a few coefficients (not in time, which is not reproducible).

    Returns:
        The certificate of the largest scope found (JSON), with as many parameters symbolic as it allows; None where
        not even the smallest shape was proved.

    """
    binary = axiom.domain_of(domain) is Domain.BINARY or metric.binary_only
    best: tuple[tuple[int, int], dict[str, Any]] | None = None
    most = min(most_aspects, axiom.max_aspects or most_aspects)
    full = (most_ranked, most)
    skip: set[tuple[str, ...]] = set()
    left = budget
    for parameters, discount in _attempts(metric):
        if parameters in skip or left < 0:
            continue
        proof, proved = _attempt(axiom, ProofPlan(metric, small, binary, parameters, discount, False), full, left)
        left = proof.left
        if not proof.abstract:
            skip.add(parameters)  # nothing was assumed of a discount, so the other assumptions are no different
        found = _largest_rectangle(proved, axiom.min_ranked, axiom.min_aspects)
        if found is None or not any(isinstance(node, dict) for c in proved.values() for _, tree in c for node in tree):
            continue
        area = _area(found, axiom)
        if best is None or area > best[0]:
            best = area, _document(proof, proved, found, domain)
        if found == full:
            break
    return None if best is None else best[1]


def _area(found: tuple[int, int], axiom: PairAxiom) -> tuple[int, int]:
    return (found[0] - axiom.min_ranked + 1) * (found[1] - axiom.min_aspects + 1), found[0]


def _attempt(axiom: PairAxiom, plan: ProofPlan, full: tuple[int, int], budget: int) -> tuple[_BoundedProof, Grid]:
    """What a plan proves; with a pool where the metric asks for one."""
    proof = _BoundedProof(axiom, plan, budget)
    try:
        return proof, _grid(proof, full)
    except PoolTouched:
        plan = replace(plan, pool=True)
        proof = _BoundedProof(axiom, plan, budget)
        return proof, _grid(proof, full)


def _grid(proof: _BoundedProof, full: tuple[int, int]) -> Grid:
    axiom = proof.axiom
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
"""How many times over its budget a shape is to be, as its costs grow, before it is not begun."""


def _is_vain(ranked: int, aspects: int, cost: dict[tuple[int, int], int], proof: _BoundedProof) -> bool:
    """Whether rankings of a length are begun in vain: the budget will be spent before they make the scope larger.

    What a shape costs grows by a factor with each document that is no smaller from one to the next, but for the least.
    Without the most aspects a length is of use only as far as it makes a larger rectangle than all shorter ones do.
    """
    one, two = cost.get((ranked - 2, aspects)), cost.get((ranked - 1, aspects))
    if not one or not two or two * two < _SURE * proof.left * one:
        return False
    lengths, widths = ranked - proof.axiom.min_ranked + 1, aspects - proof.axiom.min_aspects + 1
    return lengths * (widths - 1) < (lengths - 1) * widths


def _document(proof: _BoundedProof, proved: Grid, found: tuple[int, int], domain: Domain) -> dict[str, Any]:
    plan, axiom = proof.plan, proof.axiom
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
    """Settings, trees and differences as certificates write them, every tree and every difference once."""
    trees: dict[str, int] = {}
    differences: dict[str, int] = {}
    variables: dict[str, int] = {}
    polynomials: dict[str, int] = {}

    def shared(leaf: Leaf) -> Leaf:
        terms: dict[str, dict[str, str]] = {}
        for monomial, c in leaf["coefficients"].items():
            weights, rest = _apart(monomial)
            terms.setdefault(weights, {})[rest] = c
        numbers = {
            weights: polynomials.setdefault(json.dumps(polynomial), len(polynomials))
            for weights, polynomial in terms.items()
        }
        listed = variables.setdefault(json.dumps(leaf["variables"]), len(variables))
        kept = {key: value for key, value in leaf.items() if key != "coefficients"}
        return {**kept, "variables": listed, "terms": numbers}

    settings = []
    for setting, tree in covers:
        nodes = [
            differences.setdefault(json.dumps(shared(node)), len(differences)) if isinstance(node, dict) else node
            for node in tree
        ]
        shape, number = setting.shape, trees.setdefault(json.dumps(nodes), len(trees))
        sizes = [shape.documents, shape.aspects, shape.ranked]
        settings.append({"shape": sizes, "positions": setting.positions(), "tree": number})
    return {
        "settings": settings,
        "trees": [json.loads(text) for text in trees],
        "differences": [json.loads(text) for text in differences],
        "variables": [json.loads(text) for text in variables],
        "polynomials": [json.loads(text) for text in polynomials],
    }


def _apart(monomial: str) -> tuple[str, str]:
    """The weights in a monomial, and the rest of it."""
    factors = [f for f in monomial.split("*") if f != "1"]
    weights = [f for f in factors if f.startswith("w")]
    return "*".join(weights) or "1", "*".join(f for f in factors if f not in weights) or "1"
