"""Check certificates of bounded proofs from scratch.

For every setting in the scope (sizes, positions, aspects) the cases have to cover the instances: the splits form a
tree, of which every branch ends in a case or contradicts itself. In every case the metric's code is run again on
symbols, the difference of the scores is brought to lowest terms and expanded on the positive orthant, and its
coefficients have to be those of the certificate, of the right signs, and not vanish anywhere on the range where the
axiom is strict.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from axiomcheck.axioms import Axiom, PairAxiom, about_pairs, about_scores, find_axiom
from axiomcheck.core.counting import counted
from axiomcheck.core.domain import Domain, assumes_small
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import shown
from axiomcheck.core.typing import Array
from axiomcheck.metrics import Metric
from axiomcheck.numbers.arithmetic import Balls, float_of, to_fmpq
from axiomcheck.numbers.series import Series
from axiomcheck.proof.check.bounded_run import DISCOUNTS, BoundedPlan, SymbolicCase, written
from axiomcheck.proof.check.bounded_space import (
    Decision,
    Space,
    SpaceSetting,
    decisions_of,
    read_split,
    settings_of,
    text_of,
)
from axiomcheck.proof.check.bounded_symbols import World
from axiomcheck.proof.check.header import (
    SCHEMA,
    VERSION,
    Reader,
    between,
    exactly,
    is_text,
    read_header,
    read_reading,
    require,
    unit_symbols,
)
from axiomcheck.proof.check.polynomials import Variable
from axiomcheck.proof.check.quotients import settled
from axiomcheck.sources.code_inspection import require_one_way
from axiomcheck.sources.resolve import resolve_named

_HEADER = ("schema", "version", "kind", "metric", "axiom", "reading", "small", "scope")
_ENTRIES = (*_HEADER, "settings", "trees", "differences", "variables", "polynomials")
_SCOPE = ("ranked", "aspects", "unretrieved", "parameters", "discount")
_DIFFERENCE = ("variables", "zeta", "order", "terms")
_MOST_SPLITS = 400
_MOST_LEFT_OUT = 1024.0
"""Bound on what the coefficients of orders that were left out come to, at a point of the range."""


def check_bounded(document: Any, metric: Metric | None = None, axiom: Axiom | None = None) -> None:
    """Checks a certificate of a bounded proof.

    Args:
        document: the certificate (parsed JSON).
        metric: where the certificate's name for it would load code, the metric itself.
        axiom: what it is about; left out, the one that has the name.

    Raises:
        InvalidInput: it proves nothing, or not what it says; the message says what is wrong.

    """
    read = Reader(document, "certificate")
    read_header(read, SCHEMA, VERSION)
    read.get("kind", "orthant".__eq__, "'orthant'")
    name = read.get("metric", is_text, "the name of a metric")
    if metric is None:
        metric = resolve_named(name)
    if metric.canonical != name:
        raise InvalidInput(f"certificate: metric is {name!r}; expected {metric.canonical!r}")
    try:
        _Check(read, metric, axiom).run()
    except NotImplementedError as error:
        raise InvalidInput(f"certificate: {error}") from None


class _Check:
    """The scope of one certificate and the cases that it gives."""

    def __init__(self, read: Reader, metric: Metric, asked: Axiom | None) -> None:
        name = read.get("axiom", is_text, "the name of an axiom")
        axiom = find_axiom(name) if asked is None else asked
        if not about_pairs(axiom) or about_scores(axiom) or axiom.name != name:
            raise InvalidInput(f"certificate: axiom is {name!r}; expected an axiom on pairs by its name")
        read.has_only("", _ENTRIES)
        read.has_only("reading", ("regime", "domain"))
        read.has_only("scope", _SCOPE)
        reading = read_reading(read)
        small = assumes_small(axiom, reading)
        read.get("small", lambda v: v is small, f"{small}, as the reading says")
        self.ranked = read.get("scope.ranked", between(axiom.min_ranked, 99), f"from {axiom.min_ranked} on")
        most = axiom.max_aspects or 99
        self.aspects = read.get("scope.aspects", between(axiom.min_aspects, most), f"{axiom.min_aspects} to {most}")
        self.extras = read.get("scope.unretrieved", lambda v: v == "any" or between(0, 99)(v), "'any' or a number")
        discount = read.get("scope.discount", DISCOUNTS.__contains__, "'decreasing', 'convex' or 'own'")
        names = read.get("scope.parameters", _is_texts, "a list of parameters")
        parameters = unit_symbols(metric, names, "certificate: scope.parameters")
        require(
            names == [p.name for p in metric.declared if p.name in names],
            f"scope.parameters is {names}; expected the order in which {metric} declares them",
        )
        binary = axiom.domain_of(reading.domain) is Domain.BINARY or metric.binary_only
        self.plan = BoundedPlan(axiom, metric, small, binary, parameters, discount, self.extras != "any")
        self.variables = read.get("variables", _is_some, "lists of variables")
        self.polynomials = read.get("polynomials", lambda v: isinstance(v, list), "a list of polynomials")
        self.differences = read.get("differences", _is_some, "a list of differences")
        for number, difference in enumerate(self.differences):
            self._look_at(Reader(difference, f"certificate: differences[{number}]"))
        self.trees = read.get("trees", _is_some, "a list of trees")
        for number, tree in enumerate(self.trees):
            require(_is_some(tree), "expected a list of splits, numbers and nulls", f"certificate: trees[{number}]")
        self.settings: dict[tuple[Any, ...], int] = {}
        for number, setting in enumerate(read.get("settings", _is_some, "a list of settings")):
            self._sort_in(axiom, Reader(setting, f"certificate: settings[{number}]"))
        self.used: dict[str, set[int]] = {
            "trees": set(),
            "differences": set(),
            "variables": set(),
            "polynomials": set(),
        }

    def _look_at(self, read: Reader) -> None:
        read.has_only("", _DIFFERENCE)
        known = len(self.variables)
        read.get("variables", between(0, known - 1), f"a number below {known}, one of the lists of variables")
        read.get("order", between(0, 10**6), "an order of eps")
        known = len(self.polynomials)
        one = between(0, known - 1)
        terms = read.get("terms", lambda v: isinstance(v, dict), "products of weights with the numbers of polynomials")
        require(all(map(one, terms.values())), f"terms are {shown(terms)}; expected numbers below {known}", read.what)

    def _sort_in(self, axiom: PairAxiom, read: Reader) -> None:
        read.has_only("", ("shape", "positions", "tree"))
        shape = read.get("shape", lambda v: _is_list(v, int) and len(v) == 3, "[documents, aspects, ranked]")
        positions = read.get("positions", lambda v: isinstance(v, dict), f"positions for {list(axiom.choices)}")
        if sorted(positions) != sorted(axiom.choices) or not _is_list(list(positions.values()), int):
            raise InvalidInput(f"{read.what}: positions are {positions}; expected whole numbers for {axiom.choices}")
        tree = read.get("tree", between(0, len(self.trees) - 1), f"a number below {len(self.trees)}, one of the trees")
        key = (*shape, *((c, positions[c]) for c in sorted(axiom.choices)))
        require(key not in self.settings, "a setting that is there already", read.what)
        self.settings[key] = tree

    def run(self) -> None:
        """Every setting of the scope.

        Raises:
            InvalidInput: a setting or a case is missing, wrong, or of no use.

        """
        if self.plan.own_code:
            require_one_way(self.plan.metric)
        for setting in self._settings():
            tree = self.settings.pop(setting.key(), None)
            if tree is None:
                raise InvalidInput(f"certificate: {setting.text}: no tree covers this")
            nodes = iter(self.trees[tree])
            self._cover(setting, [], nodes)
            if next(nodes, self) is not self:
                raise InvalidInput(f"certificate: trees[{tree}]: goes on after all of {setting.text} is covered")
            self.used["trees"].add(tree)
        if self.settings:
            raise InvalidInput(f"certificate: settings outside the scope: {sorted(self.settings, key=str)[0]}")
        if not self.used["differences"]:
            raise InvalidInput("certificate: no instance is in the scope")
        for name, used in self.used.items():
            for number in range(len(getattr(self, name))):
                if number not in used:
                    raise InvalidInput(f"certificate: {name}[{number}]: nothing refers to it")

    def _settings(self) -> Iterator[SpaceSetting]:
        axiom, cutoff = self.plan.axiom, self.plan.metric.cutoff
        extras = range(self.extras + 1) if self.plan.pool else (0,)
        ranked, aspects = range(axiom.min_ranked, self.ranked + 1), range(axiom.min_aspects, self.aspects + 1)
        for n, m, extra in product(ranked, aspects, extras):
            yield from settings_of(axiom, n, m, extra, self.plan.binary, self.plan.small, cutoff)

    def _cover(self, setting: SpaceSetting, taken: list[Decision], nodes: Iterator[Any]) -> None:
        """Check that the tree that begins at the next node covers what some decisions leave."""
        space = Space(setting, taken)
        where = f"certificate: {setting.text}, after {', '.join(map(text_of, taken)) or 'no split'}"
        node: Any = next(nodes, self)
        if node is self:
            raise InvalidInput(f"{where}: the tree ends before this")
        if space.is_empty():
            if node is not None:
                raise InvalidInput(f"{where}: a case about nothing")
            return
        if node is None:
            raise InvalidInput(f"{where}: no case covers this")
        if isinstance(node, str):
            split = read_split(node, setting.shape, where)
            if len(taken) == _MOST_SPLITS:
                raise InvalidInput(f"{where}: more than {counted(_MOST_SPLITS, 'split')}")
            for decision in decisions_of(split):
                self._cover(setting, [*taken, decision], nodes)
            return
        if not between(0, len(self.differences) - 1)(node):
            known = counted(len(self.differences), "difference")
            raise InvalidInput(f"{where}: node {shown(node)}; expected a split, or the number of one of {known}")
        self.used["differences"].add(node)
        self._case(space, self.differences[node], where)

    def _case(self, space: Space, listed: dict[str, Any], where: str) -> None:
        """One case: coefficients, signs, order, variables, zeta values."""
        strict, own_code = self.plan.axiom.strict, self.plan.own_code
        with settled(where):
            case = SymbolicCase(self.plan, space)
            case.derive(listed["order"] if self.plan.small and strict and own_code else None)
            if own_code and not (case.world.rows or case.zetas.values):
                _compare_with_floats(case)
            if case.zetas.values and not case.arithmetic.steps and not case.world.rows:
                _compare_with_balls(case)
            order, difference = case.leading()
            numerator = difference.lowest()
        if strict and not numerator:
            raise InvalidInput(f"{where}: the scores tie, which breaks the axiom")
        if not numerator.shown(">" if strict else ">="):
            raise InvalidInput(f"{where}: the difference is not shown to be positive")
        if listed["order"] != order:
            raise InvalidInput(f"{where}: order is {listed['order']}; the first one that does not vanish is {order}")
        expected = written(case, order, numerator)
        variables = self.variables[listed["variables"]]
        if not exactly(expected["variables"])(variables):
            raise InvalidInput(f"{where}: variables are {shown(variables)}; expected {expected['variables']}")
        if not exactly(expected.get("zeta", {}))(listed.get("zeta", {})):
            raise InvalidInput(f"{where}: zeta is {listed.get('zeta', {})}; expected {expected.get('zeta', {})}")
        terms = {weights: self.polynomials[number] for weights, number in listed["terms"].items()}
        if not exactly(expected["terms"])(terms):
            raise InvalidInput(
                f"{where}: the coefficients are not those of the difference, {_shown(expected['terms'])}"
            )
        self.used["variables"].add(listed["variables"])
        self.used["polynomials"].update(listed["terms"].values())


def _metric_at(case: SymbolicCase, point: dict[Variable, fmpq]) -> Metric:
    """The metric with the values that a point gives its open parameters."""
    metric = case.plan.metric
    values = {v.name: Fraction(str(x)) for v, x in point.items() if v.name in case.plan.parameters}
    return metric.at(values) if values else metric


def _compare_with_balls(case: SymbolicCase) -> None:
    """Checks that zeta values mean the same as variables and as numbers, at one point of the range.

    Raises:
        InvalidInput: they do not.

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
                    f"certificate: {setting.text}: at order {order} the symbols for zeta values and the values "
                    f"themselves give scores that differ by {apart}"
                )


def _compare_with_floats(case: SymbolicCase) -> None:
    """Checks that a user's code means the same on symbols as on floats, at one point and its own discounts.

    Where orders above the last one known were left out, they are allowed for.

    Raises:
        InvalidInput: it does not.

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
            f"certificate: {setting.text}: {metric.name} gives {better - worse!r} on numbers where "
            f"the symbols give {expected!r}: its code does not mean the same on both"
        )


def _is_list(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(v, kind) and not isinstance(v, bool) for v in value)


def _is_some(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 0


def _is_texts(value: Any) -> bool:
    return _is_list(value, str)


def _point(world: World) -> dict[Variable, fmpq]:
    """A point of the range."""
    return {v: fmpq(2 * (k % 5) + 3, 16) for k, v in enumerate(world.variables)}


def _shown(terms: dict[str, dict[str, str]]) -> str:
    parts = [f"{weights} * ({c} {monomial})" for weights, each in sorted(terms.items()) for monomial, c in each.items()]
    return ", ".join(parts[:4]) + (", ..." if len(parts) > 4 else "")
