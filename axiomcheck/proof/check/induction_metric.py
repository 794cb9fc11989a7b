"""Check the side conditions of docs/lemmas/induction.md that an induction certificate assumes of its metric.

The metric's score must be the one that `FoldMetric` defines (Lemmas 2 and 3). Its discount must have the properties
that the certificate assumes (Lemmas 6 and 7).
"""

from __future__ import annotations

from collections.abc import Sequence

from axiomcheck.axioms import PairAxiom
from axiomcheck.axioms.script import Many, One, Script
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import counted
from axiomcheck.metrics import FoldMetric, Metric
from axiomcheck.metrics.derived_fold import DerivedMetric
from axiomcheck.metrics.fold import Fold
from axiomcheck.metrics.intent_aware import IntentAware
from axiomcheck.proof.check.header import unit_symbols
from axiomcheck.proof.check.own_code import check_normaliser, check_own_fold, outcomes_of_step
from axiomcheck.proof.check.own_parameters import check_symbols
from axiomcheck.proof.check.polynomials import FREE
from axiomcheck.proof.check.quotients import Exact, Quotient, attempt, every_outcome, variable
from axiomcheck.sources.provenance import runs_catalogue_code

_MOST_ASPECTS = 8


def pools_beyond_binary(metric: Metric, axiom: PairAxiom) -> bool:
    """Return True if the metric sums grades before the fold, so that binary grades have sums other than 0 and rc."""
    return isinstance(metric, FoldMetric) and metric.pooling == "sum" and axiom.max_aspects != 1


def shown_for_all_grades(metric: Metric, binary: bool) -> bool:
    """Return True if small grades must be covered by a proof for all grades.

    This concerns folds of (b^g - 1)/(b - 1). The numbers that such a fold receives are ordered like the grades g,
    and 0 and 1 remain the same. A script that only uses these facts therefore describes the same instances. Several
    small grades, however, have different ratios after the conversion. Binary instances have only one small grade.
    """
    return isinstance(metric, DerivedMetric) and metric.base is not None and not binary


def symbols_of(metric: Metric, names: Sequence[str]) -> dict[str, Quotient]:
    """Return a symbol for each parameter, with the range (0, 1), or (0, oo) if the parameter has no upper bound.

    Raises:
        InvalidInput: See `unit_symbols`.

    """
    return {name: variable(name, within) for name, within in unit_symbols(metric, names, "parameters").items()}


def with_symbols(metric: FoldMetric, names: Sequence[str]) -> FoldMetric:
    """Return the metric with the given parameters replaced by their symbols (`symbols_of`).

    Raises:
        InvalidInput: `symbols_of` rejects a name, or the metric overrides the substitution of parameters.

    """
    symbols = symbols_of(metric, names)
    if not symbols:
        return metric
    own = {Metric.at} if not isinstance(metric, IntentAware) else {IntentAware.at}
    if type(metric).at not in own or (isinstance(metric, IntentAware) and type(metric.base).at is not Metric.at):
        raise InvalidInput(f"parameters: {type(metric).__name__} overrides at(), which sets parameters")
    made = attempt("parameters", metric.at, symbols)
    assert isinstance(made, FoldMetric)
    if not runs_catalogue_code(metric):
        attempt("parameters", check_symbols, metric, names)
    if made.normalised:
        check_normaliser(made)
    return made


def check_metric(metric: Metric, axiom: PairAxiom, script: Script, binary: bool, small: bool) -> FoldMetric:
    """Check that the metric's score has the form that the proof assumes: a sum of the totals of its fold.

    Args:
        metric: Metric with its own parameter values.
        axiom: Axiom to be proved.
        script: Script of the axiom.
        binary: True if only binary instances are considered.
        small: True if r << 1 is assumed.

    Raises:
        InvalidInput: The metric overrides the scoring code, or pools or normalises in a way that no lemma covers.

    """
    name, metric = type(metric).__name__, check_own_fold(metric)
    single = axiom.max_aspects == 1
    if metric.pooling not in ("no", "sum", "max"):
        raise InvalidInput(f"metric: pooling of {name} is {metric.pooling!r}; expected 'no', 'sum' or 'max'")
    if metric.pooling != "no" and not (single or script.every):
        raise InvalidInput(
            f"metric: {name} pools the grades of a document, but {axiom} distinguishes aspects (Lemma 2)"
        )
    if metric.pooling == "sum" and binary and not single:
        raise InvalidInput(f"metric: {name} sums the grades of a document, and sums of binary grades are not binary")
    if not metric.applies_to_aspects() and (axiom.group == "diversity" or axiom.min_aspects > 1):
        raise InvalidInput(f"metric: {metric} supports one aspect only, so {axiom} does not apply")
    if metric.normalised:
        if small and len(script.aspects) > 1:
            raise InvalidInput("small: no lemma covers two normalisers, which may depend on eps in different ways")
        if not _has_relevance(script):
            raise InvalidInput(
                f"metric: {name} is normalised, and {axiom} does not require a relevant document (Lemma 3)"
            )
    if (
        not single
        and not script.every
        and any(isinstance(s, One) and None in (s.worse, s.better) for s in script.segments)
    ):
        _check_zero_earns_nothing(metric.fold())
    return metric


def _has_relevance(script: Script) -> bool:
    """Return True if every instance has a positive grade on every aspect of the script."""
    rows = []
    for s in script.segments:
        grades = dict(script.grades) | (dict(s.grades) if isinstance(s, Many) else {})
        if isinstance(s, One):
            rows += [(row, grades) for row in (s.worse, s.better) if row is not None]
        elif s.least and len(s.rows) == 1:
            rows.append((s.rows[0], grades))
    return all(any(row[t] == "1" or grades.get(row[t], "any") != "any" for row, grades in rows) for t in script.aspects)


def _check_zero_earns_nothing(fold: Fold) -> None:
    """Check that the gain at grade 0 is 0. Lemma 2 needs this if one ranking is longer than the other."""
    state = tuple(variable(f"state_{k}", FREE) for k in range(len(fold.start(Exact()))))
    outcomes = outcomes_of_step("metric: the gain of a document of grade 0", fold, state, Quotient.of(0))
    if not all(gain.is_zero for gain, _ in outcomes):
        raise InvalidInput(
            "metric: a document of grade 0 may have a positive gain, and one ranking is longer than the other"
        )


def check_script(axiom: PairAxiom, script: Script, discount: str) -> None:
    """Check that a script has a form that the lemmas cover.

    Raises:
        InvalidInput: The script has more than two aspects, has documents after the end of a ranking, or leaves
            documents out although the rankings differ before the last rank.

    """
    where = f"script of {axiom}"
    if len(script.aspects) not in (1, 2) or (script.every and len(script.aspects) != 1):
        raise InvalidInput(f"{where}: expected one aspect, or two different ones")
    ended = {"worse": False, "better": False}
    for k, segment in enumerate(script.segments):
        for side in ended:
            row = getattr(segment, side) if isinstance(segment, One) else True
            if row is not None and ended[side]:
                raise InvalidInput(f"{where}: segment {k} comes after the end of the {side} ranking")
            ended[side] = row is None
    if script.leaves_out:
        *before, last = script.segments
        if not isinstance(last, One) or None in (last.worse, last.better) or any(isinstance(s, One) for s in before):
            raise InvalidInput(f"{where}: documents are left out, so only the last rank may differ (Lemma 4)")
        if discount == "reciprocal":
            raise InvalidInput("discount: 'reciprocal' needs all ranks, but the script leaves documents out (Lemma 4)")


def check_factors(metric: FoldMetric, axiom: PairAxiom) -> None:
    """Check that the metric's scale is positive and its cost is 0 or more, for all values of the symbols.

    Args:
        metric: Metric whose parameters may be symbols.
        axiom: Axiom that limits the number of aspects. Without a maximum, the number becomes a symbol, too.

    Raises:
        InvalidInput: The scale or the cost is not shown to have this sign.

    """
    if not attempt("metric: the cost", Quotient.of, attempt("metric: the cost", metric.cost)).shown(">="):
        raise InvalidInput(f"metric: the cost of {metric.name} is not shown to be 0 or more")
    last = axiom.max_aspects or _MOST_ASPECTS
    scales = {m: attempt("metric: the scale", metric.scale, m) for m in range(axiom.min_aspects, last + 1)}
    for aspects, scale in scales.items():
        if not attempt("metric: the scale", Quotient.of, scale).shown(">"):
            raise InvalidInput(
                f"metric: the scale of {metric.name} for {counted(aspects, 'aspect')} is not shown to be positive"
            )
    if axiom.max_aspects is None:
        _check_scale(metric)


def _check_scale(metric: FoldMetric) -> None:
    """Run the scale on a symbol for the number of aspects, and check that it is positive."""
    aspects = variable("aspects", "[0, oo)") + 1
    outcomes = attempt(
        "metric: the scale for any number of aspects (to divide by this number, write Fraction(1) / aspects)",
        every_outcome,
        lambda: Quotient.of(metric.scale(aspects)),  # type: ignore[arg-type]  # a symbol in place of a number
    )
    if not all(scale.shown(">") for scale in outcomes):
        raise InvalidInput(f"metric: the scale of {metric.name} is not shown to be positive for any number of aspects")
