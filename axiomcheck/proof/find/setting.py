"""What a proof by induction is about, and the symbols that its script turns into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from axiomcheck.metrics import Fold, Metric
from axiomcheck.metrics.parameters import Real
from axiomcheck.numbers.polynomials import Range, Term, Terms, Variables, by_order, one_entry
from axiomcheck.numbers.series import Series


def fold_step(
    fold: Fold, state: Sequence[Mapping[int, Term]], grade: Term, small: bool
) -> tuple[dict[int, Term], list[dict[int, Term]]]:
    """(gain, state after it) of one document on one aspect, by order of eps.

    Args:
        fold: whose step it is.
        state: its components by order of eps (order 0 alone unless small).
        grade: of the document, eps times it if small.
        small: whether r << 1 is assumed.

    """
    ring = grade.variables

    def wrapped(parts: Mapping[int, Term]) -> Any:
        arrays = {order: one_entry(term) for order, term in parts.items()}
        return Series(arrays) if small else arrays[0]

    gain, after = fold.step(Terms(), tuple(map(wrapped, state)), wrapped({int(small): grade}))
    return by_order(gain, ring), [by_order(part, ring) for part in after]


def symbolic_parameters(metric: Metric) -> dict[str, Range]:
    """The real parameters that can be symbols over an open range that their value is in: (0, 1), or (0, oo)."""
    found: dict[str, Range] = {}
    for p in metric.declared:
        value = metric.values[p.name]
        if isinstance(p, Real) and p.low == 0 < value and (p.high is None or value < p.high == 1):
            found[p.name] = Range.POSITIVE if p.high is None else Range.OPEN
    return found


def parameter_symbols(metric: Metric, names: Sequence[str], variables: Variables) -> dict[str, Term]:
    """A variable for each of some parameters."""
    ranges = symbolic_parameters(metric)
    return {name: variables.new(name, range_) for name, range_ in ranges.items() if name in names}
