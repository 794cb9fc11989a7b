"""Propose a declared fold that agrees with a user's function, as source code to paste.

Unlike a function of arrays or of one ranking, a fold can be proved to satisfy axioms for rankings of every length. A
function that runs exactly is therefore called on a few rankings, and the discount, the gain and the state of a fold are
inferred from its scores as rationals. The printed class is then compared with the function on every pattern of
relevance up to a maximum length. The agreement on these patterns is exact, but it does not prove agreement on others.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from flint import fmpq

from axiomcheck.core.typing import Array
from axiomcheck.metrics import DeclaredFold, Metric
from axiomcheck.metrics.spelling import bare
from axiomcheck.numbers.arithmetic import Rationals, to_fmpq
from axiomcheck.numbers.closed import Closed, logarithm
from axiomcheck.numbers.discount import Discount, InverseLog
from axiomcheck.sources.function_metrics import CallableMetric, FunctionMetric

LONGEST = 6
_LONGEST_OF_TWO = 3
"""Lengths up to which every pattern of relevance is tried, on one aspect and on two."""

_DEEP = 24
"""Rank up to which a cutoff is searched for, and up to which discounts must follow one formula."""

_BASES: tuple[tuple[str, Fraction | None], ...] = (("2", Fraction(2)), ("None", None), ("10", Fraction(10)))
_IMPORTED = (
    *("Constant", "DeclaredFold", "Geometric", "InverseLog", "Real", "Reciprocal"),
    *("ideal", "number_relevant", "positive", "select"),
)
_P = 'self.values["p"]'
_HIT = "select(positive(r), 1 + 0 * r)"
_SHARES = (fmpq(1, 3), fmpq(2, 3))
_GRADES = tuple(
    tuple(fmpq(a * k + 1, b * k + c) for k in range(1, _DEEP + 1)) for a, b, c in ((1, 1, 1), (1, 1, 3), (2, 5, 4))
)
"""Grades of relevant documents by rank: one row of ones, and two rows of distinct grades."""


@dataclass(frozen=True)
class ProposedFold:
    """A fold that agrees with a metric.

    Args:
        name: Name of the class.
        source: Text of a file that declares it.
        patterns: Number of patterns of relevance on which it agrees, up to `LONGEST` documents.

    """

    name: str
    source: str
    patterns: int


def proposed_fold(metric: Metric) -> ProposedFold | None:
    """Return a fold that agrees with a metric on all rankings that are tried, or None if none is found.

    Args:
        metric: Metric of any kind. A fold is proposed only for a user's function that runs in exact arithmetic.

    """
    if not isinstance(metric, FunctionMetric | CallableMetric):
        return None
    try:
        source = None if metric.numerical(small=False) else metric.from_source
        if source is None:
            return None
        for lines in _candidates(source, _class_name(bare(metric.canonical))):
            found = _agreeing(source, lines)
            if found is not None:
                return found
    except Exception:  # foreign code need not support these rankings, and may raise any error
        return None  # a proposal is optional, and the contract checks do not depend on it
    return None


def _class_name(canonical: str) -> str:
    """Return a class name that conflicts neither with the file's imports nor with keywords."""
    words = re.findall("[A-Za-z0-9]+", canonical.rpartition(":")[2])
    name = "".join(word[:1].upper() + word[1:] for word in words)
    free = name.isidentifier() and not keyword.iskeyword(name) and name not in _IMPORTED
    return name if free else f"My{name}"


@dataclass(frozen=True)
class _Kept(Rationals):
    """Exact arithmetic with rationals that leaves numbers in closed form unchanged.

    Args:
        together: Whether a discount by logarithms to a base is one quotient of natural logarithms, rather than 1 over
            such a quotient. Code may use either form, and equal numbers are recognised only in equal forms.

    """

    together: bool = False

    def closed(self, value: Closed) -> Any:
        return value

    def discounts(self, discount: Discount, n: int) -> Array:
        out = np.empty(n, dtype=object)
        out[:] = [_discount_at(discount, rank, self.together) for rank in range(1, n + 1)]
        return out


def _discount_at(discount: Discount, rank: int, together: bool) -> Any:
    if not isinstance(discount, InverseLog):
        value = discount.rational(rank)
        assert value is not None
        return to_fmpq(value)
    argument = logarithm(fmpq(rank + discount.shift))
    base = fmpq(1) if discount.base is None else logarithm(to_fmpq(discount.base))
    if together:
        return base / (argument + discount.offset * base)
    return 1 / ((argument / base if argument != 0 else argument) + discount.offset)


def _scores(
    metric: Metric,
    grades: Array,
    weights: Array | None = None,
    unretrieved: Array | None = None,
    together: bool = False,
) -> list[Any]:
    """Return exact scores of rankings, shape (B, n, m), with further documents, shape (k, m), in every pool.

    The default weights are equal.
    """
    size, _, m = grades.shape
    if weights is None:
        weights = np.full((size, m), fmpq(1, m), dtype=object)
    pool = grades
    if unretrieved is not None:
        pool = np.concatenate([grades, np.broadcast_to(unretrieved, (size, *unretrieved.shape))], axis=1)
    return list(np.asarray(metric.score(_Kept(together), grades, weights, pool), dtype=object).reshape(-1))


def _of_one(metric: Metric, rows: Sequence[Sequence[Any]]) -> list[Any]:
    """Return exact scores of rankings on one aspect without unranked documents."""
    grades = np.array([[[fmpq(x)] for x in row] for row in rows], dtype=object)
    return _scores(metric, grades)


@dataclass(frozen=True)
class _Lines:
    """Source text of a fold.

    Args:
        name: Name of the class.
        discount: Expression that `discount` returns.
        declared: Parameters.
        gain: Expression for the gain of one document.
        after: Expression for the factor by which the document multiplies later gains; empty if it leaves them
            unchanged.
        facts: Assignments in the class body.
        cost: Expression for the cost of every document; empty if there is no cost.
        together: See `_Kept`.

    """

    name: str
    discount: str
    declared: tuple[str, ...]
    gain: str
    after: str
    facts: tuple[str, ...]
    cost: str = ""
    together: bool = False

    @property
    def source(self) -> str:
        """Text of the file."""
        body = [f"class {self.name}(DeclaredFold):"]
        if self.declared:
            body.append(f"    declared = ({', '.join(self.declared)}{',' * (len(self.declared) == 1)})")
        body += [f"    {fact}" for fact in self.facts]
        body += ["" for _ in [0] if len(body) > 1]
        body += ["    def discount(self):", f"        return {self.discount}", ""]
        if self.cost:
            body += ["    def cost(self):", f"        return {self.cost}", ""]
        if self.after:
            body += ["    def start(self):", "        return (1,)", ""]
            body += ["    def step(self, state, r):", "        (left,) = state"]
            body += [f"        return left * {self.gain}, (left * ({self.after}),)"]
        else:
            body += ["    def step(self, state, r):", f"        return {self.gain}, ()"]
        text = "\n".join(body) + "\n"
        names = sorted(name for name in _IMPORTED if re.search(rf"\b{name}\b", text))
        return f"from axiomcheck.metrics import {', '.join(names)}\n\n\n{text}"


def _candidates(metric: Metric, name: str) -> Iterator[_Lines]:
    """Yield candidate folds for a metric, inferred from its scores of a few rankings."""
    rows = [*np.eye(_DEEP, dtype=int).tolist(), [0] * _DEEP]
    *lone, nothing = _of_one(metric, rows)
    lone = [score - nothing for score in lone]
    first = lone[0]
    if first == 0:
        return
    seen = max(rank for rank, score in enumerate(lone, start=1) if score != 0)
    shares = [x / first for x in lone[:seen]]
    facts: tuple[str, ...] = () if seen == _DEEP else (f"default_cutoff = {seen}",)
    facts += ("binary_only = True",) if metric.binary_only else ()
    for discount, at_one, p, together in _discounts(shares):
        scale = first / at_one
        if not isinstance(scale, fmpq) or scale <= 0:
            continue
        for gain, after, alpha, more in _gains(metric, lone):
            for aspects in _aspects(metric):
                lines = _Lines(name, discount, (), gain, after, (*facts, *more, *aspects), "", together)
                lines, of_rank = _scaled(lines, scale, p)
                cost = -_of_one(metric, [[0]])[0] / (at_one * of_rank)
                if not isinstance(cost, fmpq) or cost < 0:
                    return
                yield _declared(lines, p, alpha, cost)


def _declared(lines: _Lines, p: fmpq | None, alpha: fmpq | None, cost: fmpq) -> _Lines:
    """Return the source text with declarations of the parameters that it uses."""
    known = [f'Real("{name}", {_number(v)})' for name, v in (("p", p), ("alpha", alpha)) if v is not None]
    if cost == 0:
        return replace(lines, declared=tuple(known))
    known.append(f'Real("e", {_number(cost)}, low_open=False, high=None)')
    return replace(lines, declared=tuple(known), cost='self.values["e"]')


def _discounts(shares: list[Any]) -> Iterator[tuple[str, Any, fmpq | None, bool]]:
    """Yield discounts with the given ratios to the first rank, as (expression, first value, ratio, form of `_Kept`)."""
    if all(x == 1 for x in shares):
        yield "Constant()", fmpq(1), None, False
        return
    ratio = shares[1]
    if isinstance(ratio, fmpq) and 0 < ratio < 1 and all(x == ratio**k for k, x in enumerate(shares)):
        yield f"Geometric({_P})", fmpq(1), ratio, False
    if all(x == fmpq(1, rank) for rank, x in enumerate(shares, start=1)):
        yield "Reciprocal()", fmpq(1), None, False
    for (text, base), shift, offset, together in product(_BASES, (0, 1, 2), (0, 1), (False, True)):
        if not shift + offset:
            continue
        discount = InverseLog(base, shift, offset)
        values = [_discount_at(discount, rank, together) for rank in range(1, len(shares) + 1)]
        if all(_same(x, value / values[0]) for x, value in zip(shares, values, strict=True)):
            said = "" if discount == InverseLog() else f"{text}, {shift}, {offset}"
            yield f"InverseLog({said})", values[0], None, together


def _gains(metric: Metric, lone: list[Any]) -> Iterator[tuple[str, str, fmpq | None, tuple[str, ...]]]:
    """Yield candidates for (gain of one document, remaining factor after it, share alpha, further facts)."""
    points = [fmpq(k, 4) for k in (1, 2, 3, 4)]
    rows = [[x, 0] for x in points] + [[1, 1], [fmpq(1, 2), 1], [0, 0], [0, 1]]
    *scores, both, second, nothing, below = _of_one(metric, rows)
    values = [(x - nothing) / lone[0] for x in scores]
    if all(isinstance(v, fmpq) for v in values) and below != nothing:
        whole, half = (both - scores[3]) / (below - nothing), (second - scores[1]) / (below - nothing)
        for gain in _gain(points, values):
            for after, alpha in _after(whole, half):
                yield gain, after, alpha, ()
    for normaliser in ("ideal", "number_relevant"):
        for gain in ("r", _HIT, "r * r"):
            yield gain, "", None, (f"normaliser = {normaliser}",)


def _gain(points: list[fmpq], values: list[Any]) -> Iterator[str]:
    if all(v == 1 for v in values):
        yield _HIT
    for power in (1, 2, 3):
        if values == [x**power for x in points]:
            yield " * ".join(["r"] * power)


def _after(whole: Any, half: Any) -> Iterator[tuple[str, fmpq | None]]:
    """Yield expressions for the factor of later gains, each with its share alpha.

    The factor is `whole` after a document of grade 1, and `half` after a document of grade 1/2.
    """
    if whole == half == 1:
        yield "", None
    elif isinstance(whole, fmpq) and 0 <= whole < 1 and half == whole:
        yield (
            '1 - select(positive(r), self.values["alpha"])' if whole else f"1 - {_HIT}",
            (1 - whole if whole else None),
        )
    elif isinstance(whole, fmpq) and 0 <= whole < 1 and half == (1 + whole) / 2:
        yield '1 - self.values["alpha"] * r' if whole else "1 - r", 1 - whole if whole else None


def _aspects(metric: Metric) -> Iterator[tuple[str, ...]]:
    if not metric.single_aspect:
        yield ()
        yield ("weighted = False",)
    yield ("single_aspect = True",)


def _scaled(lines: _Lines, scale: fmpq, p: fmpq | None) -> tuple[_Lines, fmpq]:
    """Return the source text with a factor in the discount or before the gain, and the part in the discount."""
    if scale == 1 or "normaliser = ideal" in lines.facts:
        return lines, fmpq(1)
    for text, value in ((f"1 - {_P}", None if p is None else 1 - p), (_P, p)):
        if value == scale:
            return replace(lines, discount=f"Geometric({_P}, {text})"), scale
    above = f"{scale.p} * " if scale.p != 1 else ""
    below = f" / {scale.q}" if scale.q != 1 else ""
    return replace(lines, gain=f"{above}{lines.gain}{below}"), fmpq(1)


def _number(value: fmpq) -> str:
    """Format a number as Python source: a decimal if its expansion is finite, else a fraction."""
    fraction = Fraction(int(value.p), int(value.q))
    decimal = repr(float(fraction))
    return decimal if Fraction(decimal) == fraction else f'"{fraction}"'


def _agreeing(metric: Metric, lines: _Lines) -> ProposedFold | None:
    """Return the fold if it agrees on every pattern, or None."""
    names: dict[str, Any] = {"__name__": "proposed"}
    exec(compile(lines.source, "<fold>", "exec"), names)
    fold = names[lines.name]()
    assert isinstance(fold, DeclaredFold)
    patterns = 0
    for n in range(1, LONGEST + 1):
        support = np.array(list(product((0, 1), repeat=n)))[:, :, None]
        if not _agree(metric, fold, support, None, lines.together):
            return None
        patterns += len(support)
    deep = np.random.default_rng(5).integers(0, 2, (4, _DEEP, 1))
    if not _agree(metric, fold, deep, None, lines.together):
        return None
    for n in range(1, _LONGEST_OF_TWO + 1):
        support = np.array(list(product((0, 1), repeat=2 * n))).reshape(-1, n, 2)
        if not fold.single_aspect or not metric.single_aspect:
            if not _agree(metric, fold, support, _SHARES, lines.together):
                return None
            patterns += len(support)
    return ProposedFold(lines.name, lines.source, patterns)


def _agree(metric: Metric, fold: DeclaredFold, support: Array, shares: tuple[fmpq, ...] | None, together: bool) -> bool:
    """Return whether a metric and a fold agree on rankings of given supports (B, n, m), with several grades each."""
    size, n, m = support.shape
    weights = None if shares is None else np.array([shares] * size, dtype=object)
    unretrieved = np.array([[fmpq(1, 2)] * m, [fmpq(0)] * m], dtype=object)
    for row in _GRADES:
        grades = np.empty(support.shape, dtype=object)
        for index in np.ndindex(support.shape):
            grades[index] = row[index[1] + n * index[2]] if support[index] else fmpq(0)
        theirs = _scores(metric, grades, weights, unretrieved, together=False)
        if fold.single_aspect:
            grades, shown, weights_of_fold = grades[..., :1], unretrieved[:, :1], None
        else:
            shown, weights_of_fold = unretrieved, weights
        if not all(map(_same, theirs, _scores(fold, grades, weights_of_fold, shown, together))):
            return False
    return True


def _same(x: Any, y: Any) -> bool:
    """Return whether two exact numbers can be shown to be equal."""
    if isinstance(x, Closed) or isinstance(y, Closed):
        return bool(x - y == 0)
    return bool(x == y)
