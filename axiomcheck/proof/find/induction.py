"""Proofs for rankings of every length, by induction over a metric's fold along an axiom's script.

The two rankings of a script (`axiomcheck.axioms.script`) are run side by side through the metric's fold, aspect by
aspect. Any number of common documents is handled as a loop is: an invariant says what the states of both runs and the
difference of their totals may be; it must hold when the loop is entered, and one more document must keep it. What the
lemmas are, and why they carry over to the metric, is in docs/lemmas/induction.md.

The certificate names the invariants and lists every obligation with its coefficients; `induction_check` derives the
obligations again, in other arithmetic, and does not look at this module.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from axiomcheck.axioms import PairAxiom
from axiomcheck.axioms.script import Many
from axiomcheck.core.domain import Domain
from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics import FoldMetric, Metric
from axiomcheck.numbers.discount import Constant, Geometric, InverseLog, Reciprocal
from axiomcheck.numbers.polynomials import Undecided, Variables
from axiomcheck.proof.check.induction_metric import check_factors, check_metric, pools_beyond_binary
from axiomcheck.proof.find.document import certificate
from axiomcheck.proof.find.invariants import Binding, candidates
from axiomcheck.proof.find.obligations import Failed, Obligation
from axiomcheck.proof.find.runs import SymbolicRun
from axiomcheck.proof.find.setting import Alternative, Setting, alternatives, parameter_symbols, symbolic_parameters


def prove_by_induction(axiom: PairAxiom, metric: Metric, small: bool, domain: Domain) -> dict[str, Any] | None:
    """A certificate that a metric satisfies an axiom on rankings of every length; None where none was found.

    Args:
        axiom: with a script.
        metric: one that is scored by folds; parameters become symbols where the proof goes through with them.
        small: whether r << 1 is assumed.
        domain: graded or binary.

    """
    if axiom.script() is None:
        return None
    parts = getattr(metric, "parts", None)
    if parts is not None:
        return _prove_mixture(axiom, metric, small, domain)
    return _prove(axiom, metric, small, domain, axiom.strict, metric.binary_only)


def _prove_mixture(axiom: PairAxiom, metric: Any, small: bool, domain: Domain) -> dict[str, Any] | None:
    """Every part must not lose, and one must win."""
    found = []
    won = False
    for share, part in metric.parts():
        if share == 0:
            continue
        proof = _prove(axiom, part, small, domain, True, metric.binary_only) if axiom.strict else None
        won = won or proof is not None
        # Not losing for any grades at all is more than not losing for small ones, and takes no orders of eps.
        proof = proof or _prove(axiom, part, False, domain, False, metric.binary_only)
        if proof is None:
            return None
        found.append(proof)
    if axiom.strict and not won:
        return None
    whole = {"kind": "mixture", "parameters": list(_shares_of(metric)), "parts": found}
    return _document(axiom, metric, small, domain, axiom.strict) | whole


def _shares_of(metric: Any) -> tuple[str, ...]:
    """The parameters that every share is positive for, whatever their values inside their ranges."""
    for names in _symbolic(metric):
        variables = Variables()
        shares = [share for share, _ in metric.at(parameter_symbols(metric, names, variables)).parts()]
        if names and all(variables.constant(0) + share > 0 for share in shares):
            return names
    return ()


def _document(axiom: PairAxiom, metric: Metric, small: bool, domain: Domain, strict: bool) -> dict[str, Any]:
    return certificate("induction", metric, axiom, small=small, domain=domain.value, strict=strict)


def _fits(axiom: PairAxiom, metric: Metric, binary: bool, small: bool) -> bool:
    """Whether the lemmas speak of the metric; their side conditions are the checker's to state."""
    script = axiom.script()
    assert script is not None
    try:
        check_factors(check_metric(metric, axiom, script, binary, small), axiom)
    except InvalidInput:
        return False
    return True


def _prove(
    axiom: PairAxiom, metric: Metric, small: bool, domain: Domain, strict: bool, binary_only: bool
) -> dict[str, Any] | None:
    binary = axiom.domain_of(domain) is Domain.BINARY or binary_only
    binary = binary and not pools_beyond_binary(metric, axiom)
    if not _fits(axiom, metric, binary, small):
        return None
    assert isinstance(metric, FoldMetric)
    # With every assumption first, to see soon whether there is a proof at all; then with as few as will do.
    modes = _modes(metric)
    likely = [mode for mode in modes if mode in ("constant", "convex", "reciprocal")] or modes
    if not any(_attempt(Setting(axiom, metric, small, binary, strict, mode, True, ())) for mode in likely):
        return None
    for names in _symbolic(metric):
        for mode in modes:
            for support in (False, True):
                proof = _attempt(Setting(axiom, metric, small, binary, strict, mode, support, names))
                if proof is not None:
                    return _document(axiom, metric, small, domain, strict) | proof
    return None


def _symbolic(metric: Metric) -> Iterator[tuple[str, ...]]:
    """Which parameters to take as symbols: all that can be, all but one, none."""
    names = tuple(symbolic_parameters(metric))
    yield names
    if len(names) > 1:
        for name in names:
            yield tuple(n for n in names if n != name)
    if names:
        yield ()


def _modes(metric: FoldMetric) -> tuple[str, ...]:
    """What may be assumed of the metric's discounts, the least first; docs/lemmas/induction.md, lemma 7."""
    discount = metric.fold().discount
    general = ("positive", "decreasing", "convex")
    if isinstance(discount, Constant):
        return ("constant",)
    if isinstance(discount, Reciprocal):
        return (*general, "reciprocal")
    if isinstance(discount, InverseLog):
        return general
    if isinstance(discount, Geometric) and discount.scale > 0:
        return general if discount.ratio < 1 else ("positive",)
    return ()


def _attempt(setting: Setting) -> dict[str, Any] | None:
    try:
        cases = [_case(setting, alternative) for alternative in alternatives(setting.script.grades, setting)]
    except (Failed, Undecided, NotImplementedError):
        return None
    if not cases:
        return None  # no instance, so nothing is shown
    return {
        "discount": setting.mode,
        "support": setting.support,
        "parameters": list(setting.symbolic),
        "scope": _scope(setting),
        "cases": cases,
    }


def _scope(setting: Setting) -> dict[str, Any]:
    return {"ranked": "all", "aspects": "all", "cutoff": "any" if setting.metric.cutoff is not None else "none"}


def _case(setting: Setting, alternative: Alternative) -> dict[str, Any]:
    """The proof for one alternative of the script's own grades.

    Raises:
        Failed, Undecided: there is none.

    """
    runs = [SymbolicRun.begin(setting, Variables(), alternative)]
    invariants: dict[str, list[list[Any]]] = {}
    obligations: list[Obligation] = []
    for index, segment in enumerate(setting.script.segments):
        if isinstance(segment, Many):
            bindings = _invariant(runs, index)
            invariants[str(index)] = [[name, binding] for name, binding in bindings]
            further = []
            for run in runs:
                after, shown = run.through_many(index, bindings)
                further += after
                obligations += shown
            runs = further
        else:
            runs = [run.through_one(index) for run in runs]
    for run in runs:
        obligations += run.conclusion()
    return {"grades": alternative, "invariants": invariants, "obligations": obligations}


def _invariant(runs: Sequence[SymbolicRun], index: int) -> list[tuple[str, Binding]]:
    """The strongest binding of each quantity that is kept, one quantity after the other.

    Raises:
        Failed: some quantity has none.

    """
    for reverse in (False, True):
        order = runs[0].quantities(reverse)
        chosen: list[tuple[str, Binding]] = []
        try:
            for k, name in enumerate(order):
                later: list[tuple[str, Binding]] = [(n, ["free"]) for n in order[k + 1 :]]
                chosen.append((name, _strongest(runs, index, chosen, name, later)))
        except Failed:
            continue
        return chosen
    raise Failed(f"no invariant of segment {index}")


def _strongest(
    runs: Sequence[SymbolicRun],
    index: int,
    chosen: list[tuple[str, Binding]],
    name: str,
    later: list[tuple[str, Binding]],
) -> Binding:
    for binding in candidates(name, [n for n, _ in chosen], runs[0].setting):
        try:
            for run in runs:
                run.trial(index, [*chosen, (name, binding), *later], name)
        except (Failed, Undecided):
            continue
        return binding
    raise Failed(f"no binding of {name} in segment {index}")
