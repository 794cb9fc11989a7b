"""Check certificates of bounded proofs.

For every setting in the scope (sizes, positions, aspects), the cases must cover all instances. The splits form a tree,
each branch of which ends in a case or in a contradiction. In each case, the checker runs the metric's code again on
symbols, reduces the score difference to lowest terms, and expands it on the positive orthant. The coefficients must
equal those in the certificate and have the right signs. If the axiom is strict, the difference must be positive on the
whole range.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from axiomcheck.axioms import Axiom, PairAxiom
from axiomcheck.core.documents import UNSET
from axiomcheck.core.domain import Domain, Reading, Regime, assumes_small
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import counted, shown
from axiomcheck.core.typing import Array
from axiomcheck.metrics import FoldMetric, Metric
from axiomcheck.numbers.arithmetic import Balls, float_of, to_fmpq
from axiomcheck.numbers.series import Series
from axiomcheck.proof.check.bounded_run import (
    BoundedPlan,
    Decision,
    Space,
    SpaceSetting,
    SymbolicCase,
    decisions_of,
    read_split,
    settings_of,
    text_of,
    written,
)
from axiomcheck.proof.check.bounded_symbols import World
from axiomcheck.proof.check.header import pair_axiom, require, unit_symbols
from axiomcheck.proof.check.polynomials import Variable
from axiomcheck.proof.check.quotients import settled
from axiomcheck.records.certificates import OrthantCertificate, OrthantDifference
from axiomcheck.sources.code_inspection import check_same_branches

_MOST_SPLITS = 400
_MOST_LEFT_OUT = 1024.0
"""Assumed bound on the sum of a score's coefficients, at one point, in the orders of eps that were left out."""


def check_bounded(certificate: OrthantCertificate, metric: Metric, axiom: Axiom | None = None) -> None:
    """Check that a certificate of a bounded proof proves its claim about a metric.

    ``axiom`` is needed only if it has no registered name.

    Raises:
        InvalidInput: The certificate does not prove its claim. The message says where and why.

    """
    try:
        _Check(certificate, metric, pair_axiom(certificate.axiom, axiom)).run()
    except NotImplementedError as error:
        raise InvalidInput(f"certificate: {error}") from None


class _Check:
    """Checker for one certificate of a bounded proof: its scope, the settings in it, and the cases of each setting."""

    def __init__(self, certificate: OrthantCertificate, metric: Metric, axiom: PairAxiom) -> None:
        self.certificate, scope = certificate, certificate.scope
        reading = Reading(Regime(certificate.reading.regime), Domain(certificate.reading.domain))
        small = assumes_small(axiom, reading)
        require(certificate.small is small, f"small is {certificate.small}; the reading implies {small}")
        least, most = axiom.min_ranked, axiom.max_aspects or 99
        require(least <= scope.ranked <= 99, f"scope.ranked is {scope.ranked}; expected {least} to 99")
        least = axiom.min_aspects
        require(least <= scope.aspects <= most, f"scope.aspects is {scope.aspects}; expected {least} to {most}")
        self.extras = 0 if scope.unretrieved == "any" else scope.unretrieved
        require(self.extras <= 99, f"scope.unretrieved is {self.extras}; expected at most 99")
        parameters = unit_symbols(metric, scope.parameters, "certificate: scope.parameters")
        require(
            list(parameters) == [p.name for p in metric.declared if p.name in parameters],
            f"scope.parameters is {list(parameters)}; expected the order in which {metric} declares them",
        )
        binary = axiom.domain_of(reading.domain) is Domain.BINARY or metric.binary_only
        pool = scope.unretrieved != "any"
        self.plan = BoundedPlan(axiom, metric, small, binary, parameters, scope.discount, pool)
        self.settings: dict[tuple[object, ...], int] = {}
        wanted = ", ".join(axiom.choices) or "none"
        for number, setting in enumerate(certificate.settings):
            places = {c: place for c in "ijtu" if (place := getattr(setting.positions, c)) is not UNSET}
            where = f"certificate: settings[{number}]"
            found = ", ".join(places) or "none"
            require(places.keys() == {*axiom.choices}, f"positions are given for {found}; expected {wanted}", where)
            key = (*setting.shape, *places.items())
            require(key not in self.settings, "duplicate setting; each setting may appear only once", where)
            self.settings[key] = setting.tree
        self.used: dict[str, set[int]] = {
            "trees": set(),
            "differences": set(),
            "variables": set(),
            "polynomials": set(),
        }

    def run(self) -> None:
        """Check every setting of the scope.

        Raises:
            InvalidInput: A setting or a case is missing, wrong or unexpected.

        """
        if self.plan.own_code:
            if self.plan.parameters or isinstance(self.plan.metric, FoldMetric):
                raise InvalidInput(f"metric: {self.plan.metric.name} is external code, which no lemma covers")
            check_same_branches(self.plan.metric)
        for setting in self._settings():
            tree = self.settings.pop(setting.key(), None)
            if tree is None:
                raise InvalidInput(f"certificate: {setting.text}: no tree covers this setting")
            nodes = iter(self.certificate.trees[tree])
            self._cover(setting, [], nodes)
            if next(nodes, self) is not self:
                raise InvalidInput(f"certificate: trees[{tree}] has nodes left after {setting.text} is covered")
            self.used["trees"].add(tree)
        if self.settings:
            documents, aspects, ranked = sorted(self.settings, key=str)[0][:3]
            shape = f"documents={documents}, aspects={aspects}, ranked={ranked}"
            raise InvalidInput(f"certificate: a setting is outside the scope: {shape}")
        if not self.used["differences"]:
            raise InvalidInput("certificate: the scope contains no instance")
        for name, used in self.used.items():
            for number in range(len(getattr(self.certificate, name))):
                if number not in used:
                    raise InvalidInput(f"certificate: {name}[{number}]: nothing refers to it")

    def _settings(self) -> Iterator[SpaceSetting]:
        axiom, cutoff, scope = self.plan.axiom, self.plan.metric.cutoff, self.certificate.scope
        extras = range(self.extras + 1) if self.plan.pool else (0,)
        ranked, aspects = range(axiom.min_ranked, scope.ranked + 1), range(axiom.min_aspects, scope.aspects + 1)
        for n, m, extra in product(ranked, aspects, extras):
            yield from settings_of(axiom, n, m, extra, self.plan.binary, self.plan.small, cutoff)

    def _cover(self, setting: SpaceSetting, taken: list[Decision], nodes: Iterator[str | int | None]) -> None:
        """Check that the subtree at the next node covers all instances that satisfy the decisions in ``taken``."""
        space = Space(setting, taken)
        where = f"certificate: {setting.text}, after {', '.join(map(text_of, taken)) or 'no split'}"
        node = next(nodes, self)
        if isinstance(node, _Check):
            raise InvalidInput(f"{where}: the tree ends too early")
        if space.is_empty():
            if node is not None:
                raise InvalidInput(f"{where}: the case contains no instance; expected null")
            return
        if node is None:
            raise InvalidInput(f"{where}: no case covers these instances")
        if isinstance(node, str):
            split = read_split(node, setting.shape, where)
            if len(taken) == _MOST_SPLITS:
                raise InvalidInput(f"{where}: the branch has more than {counted(_MOST_SPLITS, 'split')}")
            for decision in decisions_of(split):
                self._cover(setting, [*taken, decision], nodes)
            return
        self.used["differences"].add(node)
        self._case(space, self.certificate.differences[node], where)

    def _case(self, space: Space, listed: OrthantDifference, where: str) -> None:
        """Check one case: derive the score difference, and compare it with the difference in the certificate."""
        strict, own_code = self.plan.axiom.strict, self.plan.own_code
        with settled(where):
            case = SymbolicCase(self.plan, space)
            case.derive(listed.order if self.plan.small and strict and own_code else None)
            if own_code and not (case.world.rows or case.zetas.values):
                _compare_with_floats(case)
            if case.zetas.values and not case.arithmetic.steps and not case.world.rows:
                _compare_with_balls(case)
            order, difference = case.leading()
            numerator = difference.lowest()
        if strict and not numerator:
            raise InvalidInput(f"{where}: the scores are equal, which violates the axiom")
        if not numerator.shown(">" if strict else ">="):
            raise InvalidInput(f"{where}: the coefficients do not show that the difference is positive")
        if listed.order != order:
            raise InvalidInput(f"{where}: order is {listed.order}; expected {order}, the first nonzero order")
        expected = written(case, order, numerator)
        variables = [list(each) for each in self.certificate.variables[listed.variables]]
        if variables != expected["variables"]:
            raise InvalidInput(f"{where}: variables are {shown(variables)}; expected {expected['variables']}")
        zetas = {name: list(value) for name, value in (listed.zeta or {}).items()}
        if zetas != expected.get("zeta", {}):
            raise InvalidInput(f"{where}: zeta is {zetas}; expected {expected.get('zeta', {})}")
        if {weights: self.certificate.polynomials[k] for weights, k in listed.terms.items()} != expected["terms"]:
            raise InvalidInput(
                f"{where}: the coefficients differ from those of the difference, {_shown(expected['terms'])}"
            )
        self.used["variables"].add(listed.variables)
        self.used["polynomials"].update(listed.terms.values())


def _metric_at(case: SymbolicCase, point: dict[Variable, fmpq]) -> Metric:
    """Return the metric with its open parameters set to the values of a point."""
    metric = case.plan.metric
    values = {v.name: Fraction(str(x)) for v, x in point.items() if v.name in case.plan.parameters}
    return metric.at(values) if values else metric


def _compare_with_balls(case: SymbolicCase) -> None:
    """Check at one point that the score difference is the same with zeta values as with the variables for them.

    Raises:
        InvalidInput: The differences are not equal.

    """
    point, setting, small = _point(case.world), case.space.setting, case.plan.small
    metric = _metric_at(case, point)
    at = np.frompyfunc(lambda q: q.at(point), 1, 1)
    pool, shares = (at(np.asarray(x)) for x in (case.grades, case.weights))

    def as_seen(x: Array) -> Any:
        return Series({1: x}) if small else x

    with ctx.workprec(256):
        scores = [
            metric.score(Balls(), as_seen(pool[:, rows[0]]), shares, as_seen(pool))
            for rows in case.plan.axiom.rankings(setting.draft())
        ]
        worse, better = (score.terms if isinstance(score, Series) else {0: score} for score in scores)
        true = case.zetas.point(point)
        for order, quotient in case.by_order.items():
            left, right = (arb(np.ravel(side[order])[0]) if order in side else arb(0) for side in (worse, better))
            apart = quotient.at(true) - (right - left)
            if not (apart.contains(0) and apart.rad() < arb(2) ** -99):
                raise InvalidInput(
                    f"certificate: {setting.text}: at order {order}, replacing zeta values by variables "
                    f"changes the score difference by {apart}"
                )


def _compare_with_floats(case: SymbolicCase) -> None:
    """Check at one point that external code gives the same score difference on symbols as on floats.

    The symbols for discounts get the values of the metric's own discounts. The tolerance allows for orders of eps above
    the last known one, which were left out.

    Raises:
        InvalidInput: The differences are not equal.

    """
    point = _point(case.world) | {v: to_fmpq(x) for v, x in case.arithmetic.own_steps().items()}
    point |= case.arithmetic.where_between()
    metric, setting, last = _metric_at(case, point), case.space.setting, case.last
    eps = 1.0 if not case.plan.small else 2.0**-10 if last is None else 2.0**-16
    left_out = 0.0 if last is None else _MOST_LEFT_OUT * eps ** (last + 1)
    at = np.vectorize(lambda q: float_of(q.at(point)), otypes=[np.float64])
    expected = sum(float_of(q.at(point)) * eps**k for k, q in case.by_order.items())
    pool, shares = at(np.asarray(case.grades)) * eps, at(case.weights)
    rankings = case.plan.axiom.rankings(setting.draft())
    worse, better = (float(metric.evaluate(pool, shares, rows)[0]) for rows in rankings)
    if not abs(better - worse - expected) <= 1e-9 * max(abs(worse), abs(better)) + left_out:
        raise InvalidInput(
            f"certificate: {setting.text}: {metric.name} gives {better - worse!r} with floats, but {expected!r} with "
            "symbols, so its code treats them differently"
        )


def _point(world: World) -> dict[Variable, fmpq]:
    """Return a value for each variable, which lies inside the variable's range."""
    return {v: fmpq(2 * (k % 5) + 3, 16) for k, v in enumerate(world.variables)}


def _shown(terms: dict[str, dict[str, str]]) -> str:
    parts = [f"{weights} * ({c} {monomial})" for weights, each in sorted(terms.items()) for monomial, c in each.items()]
    return ", ".join(parts[:4]) + (", ..." if len(parts) > 4 else "")
