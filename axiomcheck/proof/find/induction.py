"""Find proofs for rankings of every length, by induction over a metric's fold along an axiom's script.

A loop stands for any number of documents that both rankings share. Its invariant limits the fold's states in both
rankings and the difference of the totals. It must hold on entry to the loop, and after each further document. The
prover guesses the invariants, the parameters that stay symbols and the assumptions about the discounts. The obligations
that follow from a guess are derived by the code that also checks certificates (`axiomcheck.proof.check.induction_run`).
See docs/lemmas/induction.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import chain, product
from typing import Any

from axiomcheck.axioms import PairAxiom
from axiomcheck.core.domain import Domain
from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics import FoldMetric, Metric
from axiomcheck.metrics.base import Mixture
from axiomcheck.proof.check.fold_conditions import DISCOUNTS, check_discount
from axiomcheck.proof.check.header import certificate, symbolic_parameters
from axiomcheck.proof.check.induction import (
    check_metric,
    check_shares,
    pools_beyond_binary,
    settings_of,
    shown_for_all_grades,
    with_symbols,
)
from axiomcheck.proof.check.induction_bindings import Binding, Invariant, bound_by, hypotheses
from axiomcheck.proof.check.induction_run import InductionRun, InductionSetting, RunState, derive
from axiomcheck.proof.check.quotients import SignUnknown, attempt

_SURE = ("constant", "convex", "reciprocal")
"""Strongest assumptions about discounts. Those that a metric's discount satisfies are tried first."""

_SHARES = ("[0, 1)", "(0, 1]", "[0, 1]")

_QUANTITY = re.compile(r"\b([wbd])_([a-z]+)_")
"""Pattern for the ranking (w, b, or d for both) and the aspect in the name of a quantity."""


def prove_by_induction(axiom: PairAxiom, metric: Metric, small: bool, domain: Domain) -> dict[str, Any] | None:
    """Return a certificate that a metric satisfies an axiom on rankings of every length, or None if none was found.

    Args:
        axiom: Axiom with a script.
        metric: Metric that is a fold or a mixture of folds. Its parameters become symbols if a proof can be found.
        small: True if r << 1 is assumed.
        domain: Domain of the grades: graded or binary.

    """
    if axiom.script() is None:
        return None
    if isinstance(metric, Mixture):
        return _prove_mixture(axiom, metric, small, domain)
    return _prove(axiom, metric, small, domain, axiom.strict, metric.binary_only)


def _prove_mixture(axiom: PairAxiom, metric: Mixture, small: bool, domain: Domain) -> dict[str, Any] | None:
    """Return a certificate that no part of a mixture loses, and that one wins if the axiom is strict, or None."""
    found = []
    won = False
    for share, part in metric.parts():
        if share == 0:
            continue
        proof = _prove(axiom, part, small, domain, True, metric.binary_only) if axiom.strict else None
        won = won or proof is not None
        # A proof for all grades that the part does not lose also covers small grades, and needs no orders of eps.
        proof = proof or _prove(axiom, part, False, domain, False, metric.binary_only)
        if proof is None:
            return None
        found.append(proof)
    if axiom.strict and not won:
        return None
    whole = {"kind": "mixture", "parameters": list(_symbols_of_shares(metric)), "parts": found}
    return _document(axiom, metric, small, domain, axiom.strict) | whole


def _symbols_of_shares(metric: Mixture) -> tuple[str, ...]:
    """Return the largest set of parameters found for which every share is positive for all values in their ranges."""
    for names in _symbolic(metric):
        try:
            check_shares(metric, list(names))
        except InvalidInput:
            continue
        return names
    return ()


def _document(axiom: PairAxiom, metric: Metric, small: bool, domain: Domain, strict: bool) -> dict[str, Any]:
    return certificate("induction", metric, axiom, small=small, domain=domain.value, strict=strict)


def _prove(
    axiom: PairAxiom, metric: Metric, small: bool, domain: Domain, strict: bool, binary_only: bool
) -> dict[str, Any] | None:
    script = axiom.script()
    assert script is not None
    binary = (axiom.domain_of(domain) is Domain.BINARY or binary_only) and not pools_beyond_binary(metric, axiom)
    assumed = small and not shown_for_all_grades(metric, binary)
    try:
        checked = check_metric(metric, axiom, script, binary, assumed)
    except InvalidInput:
        return None

    def attempt(symbolic: FoldMetric, discount: str, support: bool) -> list[dict[str, Any]] | None:
        return _cases(InductionSetting(axiom, script, symbolic, assumed, binary, strict, support, discount, {}))

    # Try the strongest assumptions first, to find out quickly whether there is a proof; then all, weakest first.
    known = _discounts(checked)
    if not any(attempt(checked, discount, True) for discount in [d for d in known if d in _SURE] or known):
        return None
    for names in _symbolic(metric):
        try:
            symbolic = with_symbols(checked, list(names))
        except InvalidInput:
            continue
        for discount, support in product(_discounts(symbolic), (False, True)):
            cases = attempt(symbolic, discount, support)
            if cases:
                scope = {"ranked": "all", "aspects": "all", "cutoff": "none" if metric.cutoff is None else "any"}
                how = {"discount": discount, "support": support, "parameters": list(names), "scope": scope}
                return _document(axiom, metric, small, domain, strict) | how | {"cases": cases}
    return None


def _discounts(metric: FoldMetric) -> list[str]:
    """Return the assumptions that a metric's discount satisfies, weakest first (Lemma 7).

    If the discount is constant, only "constant" is returned. The list is empty if the fold does not run on symbols.
    """
    known: list[str] = []
    try:
        discount = attempt("metric: the fold", metric.fold).discount
    except InvalidInput:
        return known
    for assumed in DISCOUNTS:
        with suppress(InvalidInput):
            check_discount(discount, assumed)
            known.append(assumed)
    return ["constant"] if "constant" in known else known


def _symbolic(metric: Metric) -> Iterator[tuple[str, ...]]:
    """Yield sets of parameters to try as symbols, largest first: all, all but one in turn, and none."""
    names = tuple(symbolic_parameters(metric))
    yield names
    if len(names) > 1:
        for name in names:
            yield tuple(n for n in names if n != name)
    if names:
        yield ()


def _cases(setting: InductionSetting) -> list[dict[str, Any]] | None:
    """Return a proof for each combination of the script's grade kinds, or None if a combination has no proof."""
    try:
        cases = [_case(each) for each in settings_of(setting)]
    except (InvalidInput, SignUnknown, NotImplementedError):
        return None
    return cases or None  # without an instance, there is nothing to prove


def _case(setting: InductionSetting) -> dict[str, Any]:
    """Return a proof for one combination of grade kinds.

    Raises:
        InvalidInput, SignUnknown: No proof was found.

    """
    run = InductionRun(setting)
    invariants: dict[str, Invariant] = {}

    def guess(segment: int, places: Sequence[RunState]) -> Invariant:
        invariants[str(segment)] = _invariant(run, segment, places)
        return invariants[str(segment)]

    obligations = [obligation.written() for obligation in derive(run, guess)]
    listed = {key: [[name, list(binding)] for name, binding in each] for key, each in invariants.items()}
    return {"grades": dict(setting.kinds), "invariants": listed, "obligations": obligations}


def _invariant(run: InductionRun, segment: int, places: Sequence[RunState]) -> Invariant:
    """Find an invariant of a loop by choosing the strongest binding that holds for one quantity after another.

    Raises:
        InvalidInput: No binding holds for some quantity.

    """
    for reverse in (False, True):
        order = _order(run, reverse)
        chosen: list[tuple[str, Binding]] = []
        for k, name in enumerate(order):
            later: list[tuple[str, Binding]] = [(other, ("free",)) for other in order[k + 1 :]]
            for binding in _candidates(name, [bound for bound, _ in chosen], run.setting):
                if all(_keeps(run, segment, place, [*chosen, (name, binding)], later) for place in places):
                    chosen.append((name, binding))
                    break
            else:
                break
        else:
            return chosen
    raise InvalidInput(f"no invariant found for segment {segment}")


def _order(run: InductionRun, reverse: bool) -> list[str]:
    """Return the names of the quantities, ordered so that bindings refer only to earlier quantities.

    If ``reverse``, the components of a state are in reverse order.
    """
    setting, aspects, components = run.setting, run.script.aspects, range(run.components)
    names = ["rank"] if setting.discount == "reciprocal" else []
    for side, aspect in product("wb", reversed(aspects)):
        for component in reversed(components) if reverse else components:
            names += [f"{side}_{aspect}_{component}_{order}" for order in run.orders]
    return names + [f"d_{aspect}_{order}" for aspect in aspects for order in run.difference_orders]


def _keeps(
    run: InductionRun,
    segment: int,
    place: RunState,
    bound: Sequence[tuple[str, Binding]],
    later: Sequence[tuple[str, Binding]],
) -> bool:
    """Return True if the last binding in ``bound`` holds on entry to a loop and after each further document."""
    name, binding = bound[-1]
    named = _QUANTITY.findall(" ".join((name, *binding)))
    wanted = {(side, aspect) for kind, aspect in named for side in ("wb" if kind == "d" else kind)}
    try:
        cases = hypotheses(segment, [*bound, *later], place.values)
        arrivals = [run.on_entry(segment, place.values, wanted)]
        arrivals += [run.after_many(segment, "", case, wanted) for case in cases]
        for where, after in chain.from_iterable(arrivals):
            for obligation in bound_by(where, name, binding, after[name], after, place.values):
                obligation.numerator()
    except (InvalidInput, SignUnknown):
        return False
    return True


def _candidates(name: str, bound: Sequence[str], setting: InductionSetting) -> Iterator[Binding]:
    """Yield the bindings to try for a quantity, strongest first.

    A binding is ``same`` (as before the loop); ``=``, ``>=``, ``>``, ``<=`` or ``<`` with an expression; ``share``, the
    product of an expression and a factor in a given range; ``split`` at a level; or ``free``. Expressions may use
    quantities bound earlier, and ``old_`` quantities, which are the values on entry to the loop.

    Args:
        name: Name of the quantity; see `axiomcheck.proof.check.induction_run`.
        bound: Names of the quantities that are already bound.
        setting: Setting of the proof.

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
