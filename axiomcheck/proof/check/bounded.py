"""Checks certificates of bounded proofs from scratch: shares `metrics/` and `axioms/` with the prover, nothing else.

For every setting in the scope (sizes, positions, aspects) the cases have to cover the instances: the splits form a
tree, of which every branch ends in a case or contradicts itself. In every case the metric's code is run again on
symbols, the difference of the scores is brought to lowest terms and expanded on the positive orthant, and its
coefficients have to be those of the certificate, of the right signs, and not vanish anywhere on the range where the
axiom is strict.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import gcd, lcm
from operator import itemgetter
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from axiomcheck.axioms import PairAxiom, Shape, about_pairs, about_scores, find_axiom
from axiomcheck.axioms.relations import Cell
from axiomcheck.core.counting import counted
from axiomcheck.core.domain import Domain, assumes_small
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import shown
from axiomcheck.core.typing import Array
from axiomcheck.metrics import Metric
from axiomcheck.numbers.arithmetic import Balls, float_of, to_fmpq
from axiomcheck.numbers.series import Series, Truncated, last_known
from axiomcheck.proof.check.bounded_space import Space, SpaceSetting
from axiomcheck.proof.check.bounded_symbols import Sortable, Symbolic, Unread, World
from axiomcheck.proof.check.bounded_zeta import Zetas
from axiomcheck.proof.check.entries import Reader, between, exactly, is_text, read_header, read_reading
from axiomcheck.proof.check.header import SCHEMA, VERSION, require, unit_symbols
from axiomcheck.proof.check.polynomials import Polynomial, Variable
from axiomcheck.proof.check.quotients import Quotient, settled
from axiomcheck.sources.code_inspection import require_one_way
from axiomcheck.sources.provenance import runs_catalogue_code
from axiomcheck.sources.resolve import resolve_named

_NUMBER = "([1-9][0-9]{0,3})"
_SPLIT = re.compile(rf"{_NUMBER}\.{_NUMBER}(=0|=1|<=>)(?:{_NUMBER}\.{_NUMBER})?")
_HEADER = ("schema", "version", "kind", "metric", "axiom", "reading", "small", "scope")
_ENTRIES = (*_HEADER, "settings", "trees", "differences", "variables", "polynomials")
_SCOPE = ("ranked", "aspects", "unretrieved", "parameters", "discount")
_DIFFERENCE = ("variables", "zeta", "order", "terms")
_MOST_SPLITS = 400
_MOST_LEFT_OUT = 1024.0
"""What the coefficients of orders that were left out may come to, at a point of the range."""
_SIDES = {"=0": ("=0", ">0"), "=1": ("=1", "<1"), "<=>": ("<", "=", ">")}
"""The split of a node -> what holds in each of the trees that follow it."""


def check_bounded(document: Any, metric: Metric | None = None, axiom: PairAxiom | None = None) -> None:
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

    def __init__(self, read: Reader, metric: Metric, asked: PairAxiom | None) -> None:
        name = read.get("axiom", is_text, "the name of an axiom")
        axiom = find_axiom(name) if asked is None else asked
        if not about_pairs(axiom) or about_scores(axiom) or axiom.name != name:
            raise InvalidInput(f"certificate: axiom is {name!r}; expected an axiom on pairs by its name")
        self.axiom, self.metric = axiom, metric
        read.has_only("", _ENTRIES)
        read.has_only("reading", ("regime", "domain"))
        read.has_only("scope", _SCOPE)
        reading = read_reading(read)
        self.small: bool = assumes_small(axiom, reading)
        read.get("small", lambda v: v is self.small, f"{self.small}, as the reading says")
        self.binary = axiom.domain_of(reading.domain) is Domain.BINARY or metric.binary_only
        self.ranked = read.get("scope.ranked", between(axiom.min_ranked, 99), f"from {axiom.min_ranked} on")
        most = axiom.max_aspects or 99
        self.aspects = read.get("scope.aspects", between(axiom.min_aspects, most), f"{axiom.min_aspects} to {most}")
        self.extras = read.get("scope.unretrieved", lambda v: v == "any" or between(0, 99)(v), "'any' or a number")
        self.discount = read.get(
            "scope.discount", lambda v: v in ("decreasing", "convex", "own"), "'decreasing', 'convex' or 'own'"
        )
        names = read.get("scope.parameters", _is_texts, "a list of parameters")
        self.parameters = unit_symbols(metric, names, "certificate: scope.parameters")
        require(
            names == [p.name for p in metric.declared if p.name in names],
            f"scope.parameters is {names}; expected the order in which {metric} declares them",
        )
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
            self._sort_in(Reader(setting, f"certificate: settings[{number}]"))
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

    def _sort_in(self, read: Reader) -> None:
        axiom = self.axiom
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
        if not runs_catalogue_code(self.metric):
            require_one_way(self.metric)
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
        axiom = self.axiom
        extras = [0] if self.extras == "any" else range(self.extras + 1)
        for n, m, extra in product(
            range(axiom.min_ranked, self.ranked + 1), range(axiom.min_aspects, self.aspects + 1), extras
        ):
            shape = Shape(n + len(axiom.incoming) + extra, m, n)
            sizes = {"i": n, "j": n, "t": m, "u": m}
            for chosen in product(*(range(sizes[c]) if c in axiom.choices else (0,) for c in "ijtu")):
                setting = SpaceSetting(axiom, shape, chosen, self.binary, self.small)
                if not setting.relations.possible:
                    continue
                if self.metric.cutoff is None or axiom.last_rank(setting.draft())[0] <= self.metric.cutoff:
                    yield setting

    def _cover(self, setting: SpaceSetting, taken: list[Any], nodes: Iterator[Any]) -> None:
        """Whether the tree that begins at the next node covers what some decisions leave."""
        space = Space(setting, taken)
        where = f"certificate: {setting.text}, after {', '.join(map(_text, taken)) or 'no split'}"
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
            sides, a, b = _read_split(node, setting, where)
            if len(taken) == _MOST_SPLITS:
                raise InvalidInput(f"{where}: more than {counted(_MOST_SPLITS, 'split')}")
            for sign in sides:
                self._cover(setting, [*taken, (sign, a, b)], nodes)
            return
        if not between(0, len(self.differences) - 1)(node):
            known = counted(len(self.differences), "difference")
            raise InvalidInput(f"{where}: node {shown(node)}; expected a split, or the number of one of {known}")
        self.used["differences"].add(node)
        self._case(space, self.differences[node], where)

    def _case(self, space: Space, case: dict[str, Any], where: str) -> None:
        """One case: coefficients, signs, order, variables, zeta values."""
        keep = self._last_order(case)
        with settled(where):
            try:
                zetas, by_order = self._differences(space, None, keep)
            except Truncated:
                by_order = {}
            if not by_order or (keep is not None and all(q.is_zero for q in by_order.values())):
                zetas, by_order = self._differences(space, None)  # in every order, not in those up to the case's alone
            if zetas.are_related():
                zetas, by_order = self._differences(space, zetas)
            world = zetas.world
            order, difference = min(
                ((k, q) for k, q in by_order.items() if not q.is_zero), default=(0, Quotient.of(0)), key=itemgetter(0)
            )
            numerator = difference.lowest()
        strict = self.axiom.strict
        if strict and not numerator:
            raise InvalidInput(f"{where}: the scores tie, which breaks the axiom")
        if not numerator.shown(">" if strict else ">="):
            raise InvalidInput(f"{where}: the difference is not shown to be positive")
        if case["order"] != order:
            raise InvalidInput(f"{where}: order is {case['order']}; the first one that does not vanish is {order}")
        used = numerator.degrees()
        variables = [[v.name, v.range] for v in world.variables if v in used]
        listed = self.variables[case["variables"]]
        if not exactly(variables)(listed):
            raise InvalidInput(f"{where}: variables are {shown(listed)}; expected {variables}")
        if not exactly(zetas.written())(case.get("zeta", {})):
            raise InvalidInput(f"{where}: zeta is {case.get('zeta', {})}; expected {zetas.written()}")
        expected = _written(numerator, world)
        found = {weights: self.polynomials[number] for weights, number in case["terms"].items()}
        if not exactly(expected)(found):
            raise InvalidInput(f"{where}: the coefficients are not those of the difference, {_shown(expected)}")
        self.used["variables"].add(case["variables"])
        self.used["polynomials"].update(case["terms"].values())

    def _last_order(self, case: dict[str, Any]) -> int | None:
        """The highest order of eps that a user's code has to be run in: that of the case; None for every one."""
        if not self.small or not self.axiom.strict or runs_catalogue_code(self.metric):
            return None
        return int(case["order"])

    def _differences(
        self, space: Space, earlier: Zetas | None, keep: int | None = None
    ) -> tuple[Zetas, dict[int, Quotient]]:
        """Q(better) - Q(worse) by order of eps up to ``keep``, and the zeta values in it; see `Zetas`."""
        world, setting = World(earlier.world if earlier else None), space.setting
        parameters = {name: world.variable(name, range_) for name, range_ in self.parameters.items()}
        zetas = Zetas(world, earlier.values if earlier else None)
        grades = space.grades(world).view(Sortable)
        grades.world = world
        weights = space.weights(world)
        metric = self.metric.at(parameters) if parameters else self.metric
        arithmetic = Symbolic(world, self.discount, setting.shape.documents, zetas)

        def as_seen(x: Array) -> Any:
            return Series({1: x}, keep) if self.small else x

        pool = Unread() if self.extras == "any" else as_seen(grades)
        sides: list[dict[int, Quotient]] = []
        scores = []
        for rows in self.axiom.rankings(setting.draft()):
            try:
                score = metric.score(arithmetic, as_seen(grades[:, rows[0]]), weights, pool)
            except InvalidInput:
                raise
            except Truncated as error:
                if keep is not None:
                    raise
                raise InvalidInput(f"certificate: {metric.name}: {error}") from None
            except Exception as error:
                raise InvalidInput(f"certificate: {metric.name} raised {type(error).__name__}: {error}") from error
            scores.append(score)
            terms = score.terms if isinstance(score, Series) else {0: score}
            if any(np.size(c) != 1 for c in terms.values()):
                raise InvalidInput("certificate: the score of one ranking is not one number")
            if isinstance(score, Series) and score.dropped and not self.axiom.strict:
                raise InvalidInput("certificate: scores that tie in every order kept may differ in a dropped one")
            try:
                sides.append({k: Quotient.of(np.asarray(c, dtype=object).reshape(-1)[0]) for k, c in terms.items()})
            except TypeError as error:
                raise InvalidInput(f"certificate: the score of one ranking is no symbol: {error}") from None
        worse, better = sides
        zero, last = Quotient.of(0), last_known(*scores)
        by_order = {k: better.get(k, zero) - worse.get(k, zero) for k in {*worse, *better} if last is None or k <= last}
        if not runs_catalogue_code(self.metric) and not (world.rows or zetas.values):
            self._compare_with_floats(setting, grades, weights, by_order, arithmetic, last)
        if zetas.values and not zetas.are_related() and not arithmetic.steps and not world.rows:
            self._compare_with_balls(setting, grades, weights, by_order, zetas)
        return zetas, by_order

    def _metric_at(self, point: dict[Variable, fmpq]) -> Metric:
        """The metric with the values that a point gives its open parameters."""
        values = {v.name: Fraction(str(x)) for v, x in point.items() if v.name in self.parameters}
        return self.metric.at(values) if values else self.metric

    def _compare_with_balls(
        self, setting: SpaceSetting, grades: Array, weights: Array, by_order: dict[int, Quotient], zetas: Zetas
    ) -> None:
        """That zeta values mean the same as variables and as numbers, at one point of the range.

        Raises:
            InvalidInput: they do not.

        """
        point = _point(zetas.world)
        metric = self._metric_at(point)
        at = np.frompyfunc(lambda q: q.at(point), 1, 1)
        pool, shares = (at(np.asarray(x)) for x in (grades, weights))

        def as_seen(x: Array) -> Any:
            return Series({1: x}) if self.small else x

        with ctx.workprec(256):
            scores = [
                metric.score(Balls(), as_seen(pool[:, rows[0]]), shares, as_seen(pool))
                for rows in self.axiom.rankings(setting.draft())
            ]
            worse, better = (score.terms if isinstance(score, Series) else {0: score} for score in scores)
            true = zetas.point(point)
            for order, quotient in by_order.items():
                left, right = (arb(np.ravel(side[order])[0]) if order in side else arb(0) for side in (worse, better))
                apart = quotient.at(true) - (right - left)
                if not (apart.contains(0) and apart.rad() < arb(2) ** -99):
                    raise InvalidInput(
                        f"certificate: {setting.text}: at order {order} the symbols for zeta values and the values "
                        f"themselves give scores that differ by {apart}"
                    )

    def _compare_with_floats(
        self,
        setting: SpaceSetting,
        grades: Array,
        weights: Array,
        by_order: dict[int, Quotient],
        arithmetic: Symbolic,
        last: int | None,
    ) -> None:
        """That a user's code means the same on symbols as on floats, at one point of the range and its own discounts.

        Where orders above ``last`` were left out, they are allowed for.

        Raises:
            InvalidInput: it does not.

        """
        point = _point(arithmetic.world) | {v: to_fmpq(x) for v, x in arithmetic.own_steps().items()}
        point |= arithmetic.where_between()
        metric = self._metric_at(point)
        eps = 1.0 if not self.small else 2.0**-10 if last is None else 2.0**-16
        left_out = 0.0 if last is None else _MOST_LEFT_OUT * eps ** (last + 1)
        at = np.vectorize(lambda q: float_of(q.at(point)), otypes=[np.float64])
        expected = sum(float_of(q.at(point)) * eps**k for k, q in by_order.items())
        pool, shares = at(np.asarray(grades)) * eps, at(weights)
        worse, better = (float(metric.evaluate(pool, shares, rows)[0]) for rows in self.axiom.rankings(setting.draft()))
        if not abs(better - worse - expected) <= 1e-9 * max(abs(worse), abs(better)) + left_out:
            raise InvalidInput(
                f"certificate: {setting.text}: {self.metric.name} gives {better - worse!r} on numbers where "
                f"the symbols give {expected!r}: its code does not mean the same on both"
            )


def _is_list(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(v, kind) and not isinstance(v, bool) for v in value)


def _is_some(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 0


def _is_texts(value: Any) -> bool:
    return _is_list(value, str)


def _read_split(text: str, setting: SpaceSetting, where: str) -> tuple[tuple[str, ...], Cell, Cell | None]:
    """The sides of a split, and the grades that it is of."""
    found = _SPLIT.fullmatch(text)
    if found is None or (found[4] is None) != (found[3] != "<=>"):
        raise InvalidInput(f"{where}: split {shown(text)}; expected '1.1=0', '1.1=1', '1.1<=>2.1' and the like")
    cells = [(int(found[k]) - 1, int(found[k + 1]) - 1) for k in ((1, 4) if found[4] else (1,))]
    if not all(0 <= d < setting.shape.documents and 0 <= t < setting.shape.aspects for d, t in cells):
        raise InvalidInput(f"{where}: split {text!r} of a document or aspect that is not there")
    return _SIDES[found[3]], cells[0], cells[1] if len(cells) > 1 else None


def _text(decision: tuple[str, Cell, Cell | None]) -> str:
    sign, a, b = decision
    return f"{a[0] + 1}.{a[1] + 1}{sign}" + ("" if b is None else f"{b[0] + 1}.{b[1] + 1}")


def _written(numerator: Polynomial, world: World) -> dict[str, dict[str, str]]:
    """The expanded coefficients as certificates write them: whole numbers without a common divisor, by weights."""
    found = numerator.expanded()
    scale = lcm(*(int(c.q) for c in found.values()))
    whole = {monomial: int(c.p) * scale // int(c.q) for monomial, c in found.items()}
    divisor = gcd(*whole.values())
    written: dict[str, dict[str, str]] = {}
    for monomial, c in whole.items():
        weights = world.monomial(tuple(v for v in monomial if v.name.startswith("w")))
        rest = world.monomial(tuple(v for v in monomial if not v.name.startswith("w")))
        written.setdefault(weights, {})[rest] = str(c // divisor)
    return written


def _point(world: World) -> dict[Variable, fmpq]:
    """A point of the range."""
    return {v: fmpq(2 * (k % 5) + 3, 16) for k, v in enumerate(world.variables)}


def _shown(terms: dict[str, dict[str, str]]) -> str:
    parts = [f"{weights} * ({c} {monomial})" for weights, each in sorted(terms.items()) for monomial, c in each.items()]
    return ", ".join(parts[:4]) + (", ..." if len(parts) > 4 else "")
