"""Check a contradiction again, from the wording of the axioms in the specification.

This module shares no code with the axioms' own definitions (`axiomcheck.axioms`) or the search. It takes a topic and
two rankings, looks for positions and aspects that make them an instance, and follows the cycle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations

from axiomcheck.core.domain import Regime
from research.independence.cycles import Contradiction, Step
from research.independence.graph import GradeMeaning

Row = tuple[Fraction, ...]
Ranked = tuple[int, ...]

_SMALL_STATED = frozenset({"Pri", "Deep", "Conf", "AspDiv", "MRed"})
_NON_STRICT = frozenset({"Sat", "monotone", "AspRel="})


class _Pair:
    """A topic with the two rankings of a step."""

    def __init__(self, weights: Sequence[Fraction], pool: Sequence[Row], worse: Ranked, better: Ranked) -> None:
        self.w, self.pool, self.worse, self.better = tuple(weights), tuple(pool), worse, better
        self.aspects = range(len(self.w))

    def r(self, document: int, aspect: int = 0) -> Fraction:
        return self.pool[document][aspect]

    def on(self, document: int) -> list[int]:
        """Return the aspects to which a document is relevant."""
        return [t for t in self.aspects if self.r(document, t) > 0]

    def no_overlap(self) -> bool:
        return all(len(self.on(d)) <= 1 for d in range(len(self.pool)))

    def balanced(self) -> bool:
        return len(set(self.w)) == 1

    def binary(self) -> bool:
        return len({g for row in self.pool for g in row if g > 0}) <= 1

    def replaced(self) -> int | None:
        """Return the position at which a document is replaced by one that is not in the worse ranking.

        None if the rankings do not differ in exactly this way.
        """
        if len(self.worse) != len(self.better):
            return None
        differ = [k for k, (a, b) in enumerate(zip(self.worse, self.better, strict=True)) if a != b]
        return differ[0] if len(differ) == 1 and self.better[differ[0]] not in self.worse else None

    def appended(self, longer: Ranked, shorter: Ranked) -> int | None:
        """Return the document that the longer ranking appends to the shorter one; None if they differ otherwise."""
        return longer[-1] if shorter and longer[:-1] == shorter else None

    def alternatives(self) -> tuple[Ranked, int, int] | None:
        """Return (d, x, x') if the rankings are d + x and d + x' with x other than x'; else None."""
        if len(self.worse) != len(self.better) or not self.worse or self.worse[:-1] != self.better[:-1]:
            return None
        x, y = self.worse[-1], self.better[-1]
        return (self.worse[:-1], x, y) if x != y else None


def _swapped(ranking: Ranked, i: int, j: int) -> Ranked:
    out = list(ranking)
    out[i], out[j] = out[j], out[i]
    return tuple(out)


def _pri(p: _Pair) -> bool:
    n = len(p.worse)
    return len(p.w) == 1 and any(
        p.r(p.worse[j]) > p.r(p.worse[i]) and _swapped(p.worse, i, j) == p.better
        for i in range(n)
        for j in range(i + 1, n)
    )


def _deep(p: _Pair) -> bool:
    if len(p.w) != 1 or len(p.worse) != len(p.better):
        return False
    for j in range(len(p.worse) - 1):
        d = _swapped(p.worse, j, j + 1)
        for i in range(j):
            low, high = p.r(d[i]), p.r(d[i + 1])
            alike = low == p.r(d[j]) and high == p.r(d[j + 1])
            if alike and low < high and _swapped(d, i, i + 1) == p.better:
                return True
    return False


def _conf(p: _Pair) -> bool:
    x = p.appended(p.worse, p.better)
    return len(p.w) == 1 and x is not None and p.r(x) == 0


def _aspdiv(p: _Pair) -> bool:
    i = p.replaced()
    return i is not None and all(p.r(p.better[i], t) > p.r(p.worse[i], t) for t in p.aspects)


def _red(p: _Pair) -> bool:
    parts = p.alternatives()
    if parts is None or len(p.w) < 2 or not (p.balanced() and p.no_overlap() and p.binary()):
        return False
    d, x, y = parts
    if not p.on(x) or not p.on(y):
        return False
    (t,), (u,) = p.on(x), p.on(y)
    count = [sum(p.r(each, aspect) > 0 for each in d) for aspect in (t, u)]
    return t != u and count[0] > count[1]


def _mred(p: _Pair) -> bool:
    parts = p.alternatives()
    if parts is None or len(p.w) != 2 or not p.balanced() or not parts[0]:
        return False
    d, x, y = parts
    return any(
        p.on(x) == [t] and p.on(y) == [u] and p.r(x, t) == p.r(y, u) and all(p.r(each, t) > p.r(each, u) for each in d)
        for t, u in ((0, 1), (1, 0))
    )


def _sat(p: _Pair) -> bool:
    x = p.appended(p.worse, p.better)
    return x is not None and p.no_overlap() and any(p.r(p.better[-1], t) == 1 and p.r(x, t) > 0 for t in p.aspects)


def _unseen_pair(p: _Pair, weights_fit: Callable[[Fraction, Fraction], bool]) -> bool:
    i = p.replaced()
    if i is None or not p.no_overlap():
        return False
    old, new = p.worse[i], p.better[i]
    return any(
        p.r(old, t) == p.r(new, u) > 0
        and not any(p.r(each, t) > 0 or p.r(each, u) > 0 for each in p.worse[:i])
        and weights_fit(p.w[t], p.w[u])
        for t, u in permutations(p.aspects, 2)
    )


def _asprel(p: _Pair) -> bool:
    return _unseen_pair(p, lambda lighter, heavier: lighter < heavier)


def _asprel_equal(p: _Pair) -> bool:
    return _unseen_pair(p, lambda one, other: one == other)


def _monotone(p: _Pair) -> bool:
    x = p.appended(p.better, p.worse)
    return x is not None and bool(p.on(x))


_RULES: dict[str, Callable[[_Pair], bool]] = {
    "Pri": _pri,
    "Deep": _deep,
    "Conf": _conf,
    "AspDiv": _aspdiv,
    "Red": _red,
    "MRed": _mred,
    "Sat": _sat,
    "AspRel": _asprel,
    "monotone": _monotone,
    "AspRel=": _asprel_equal,
}


def is_instance(axiom: str, weights: Sequence[Fraction], pool: Sequence[Row], worse: Ranked, better: Ranked) -> bool:
    """Return True if a topic with two rankings is an instance of an axiom.

    The axiom then requires the better ranking to score above (or not below) the worse one.

    Args:
        axiom: One of the eight axioms on pairs, or ``"monotone"`` or ``"AspRel="``.
        weights: Weights of the aspects, summing to 1.
        pool: One row of grades per document.
        worse: Distinct documents of the pool, numbered from 0, in rank order.
        better: See ``worse``.

    """
    rule = _RULES.get(axiom)
    proper = all(
        len(set(side)) == len(side) and all(0 <= document < len(pool) for document in side) for side in (worse, better)
    )
    return rule is not None and proper and rule(_Pair(weights, pool, worse, better))


def _speaks(axiom: str, regime: Regime, grades: GradeMeaning) -> bool:
    """Return True if an axiom applies to grades with a given meaning in a regime."""
    if axiom == "Sat":
        return grades is GradeMeaning.AS_GIVEN
    if axiom == "AspRel=":
        return regime is not Regime.LIMIT
    if axiom == "monotone" or grades is GradeMeaning.SMALL or regime is Regime.FINITE:
        return True
    return regime is Regime.STATED and axiom not in _SMALL_STATED


def faults(found: Contradiction, regime: Regime) -> list[str]:
    """Return error messages about a claimed contradiction in a regime; an empty list if it is valid."""
    out: list[str] = []
    if sum(found.weights) != 1 or any(w <= 0 for w in found.weights):
        out.append("the weights are not positive or do not sum to 1")
    if any(len(row) != len(found.weights) or not all(0 <= g <= 1 for g in row) for row in found.pool):
        out.append("a document's grades are not one per aspect in [0, 1]")
        return out
    if not any(step.strict for step in found.cycle):
        out.append("no step is strict")
    for number, step in enumerate(found.cycle, start=1):
        out += [f"step {number}, {step.axiom}: {what}" for what in _step_faults(found, step, regime)]
    for number, (step, after) in enumerate(
        zip(found.cycle, (*found.cycle[1:], *found.cycle[:1]), strict=True), start=1
    ):
        here, there = ([found.pool[d] for d in side] for side in (step.better, after.worse))
        if here != there:
            out.append(f"step {number} does not end where the next begins")
    return out


def _step_faults(found: Contradiction, step: Step, regime: Regime) -> list[str]:
    out = []
    assumed = {"AspRel", "continuous"} if step.axiom == "AspRel=" else {step.axiom}
    if not assumed <= found.names:
        out.append("not among the names")
    if step.strict and step.axiom in _NON_STRICT:
        out.append("is not strict")
    if not _speaks(step.axiom, regime, found.grades):
        out.append(f"says nothing of grades {found.grades} in the regime {regime}")
    if not is_instance(step.axiom, found.weights, found.pool, step.worse, step.better):
        out.append("no instance of it")
    return out
