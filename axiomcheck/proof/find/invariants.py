"""What an invariant may say of a quantity, and in which order to try it.

A binding is one of

- ``["same"]``: as before the loop;
- ``["=", e]``, ``[">=", e]``, ``[">", e]``, ``["<=", e]``, ``["<", e]``: compared with an expression;
- ``["share", range, e]``: e times a factor in the range, e >= 0;
- ``["split", level]``: at least 0, told apart below and from the level on;
- ``["free"]``: any number.

Expressions are over quantities bound before, and over ``old_`` ones: what a quantity was when the loop was entered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from axiomcheck.proof.check.induction_bindings import Binding
from axiomcheck.proof.check.induction_run import InductionSetting

_SHARES = ("[0, 1)", "(0, 1]", "[0, 1]")


def candidates(name: str, bound: Sequence[str], setting: InductionSetting) -> Iterator[Binding]:
    """The bindings to try for a quantity, the strongest first.

    Args:
        name: `rank`, `d_ASPECT_ORDER` (a difference of totals), or `RUN_ASPECT_COMPONENT_ORDER` (a part of a state).
        bound: the quantities that are bound already.
        setting: of the proof.

    """
    yield ("same",)
    kind, *rest = name.split("_")
    if kind == "d":
        aspect, order = rest
        worse, better = f"w_{aspect}_0_{order}", f"b_{aspect}_0_{order}"
        if worse in bound and better in bound:
            if setting.discount == "constant":
                yield ("=", f"{worse} - {better}")
            if setting.discount == "reciprocal":
                yield (">=", f"({worse} + 1) / (rank - 1)")
        yield (">=", f"old_{name}")
    elif kind == "rank":
        yield (">=", "old_rank")
    else:
        aspect, component, order = rest
        others = [f"w_{aspect}_{component}_{order}"] if kind == "b" else []
        others += [f"{kind}_u_{component}_{order}"] if aspect == "t" else []
        for other in (o for o in others if o in bound):
            yield ("=", other)
            yield ("=", f"{other} + 1")
            if order == "0":
                yield ("share", "[0, 1)", other)
                yield ("share", "[0, 1]", other)
            yield ("<", other)
            yield ("<=", other)
        if order == "0":
            yield ("share", "(0, 1]", f"old_{name}")
            yield ("share", "[0, 1]", f"old_{name}")
        yield (">=", f"old_{name}")
        yield ("<=", f"old_{name}")
        level = setting.metric.values.get("level")
        if order == "0" and isinstance(level, Fraction):
            yield ("split", str(level))
    yield ("free",)
