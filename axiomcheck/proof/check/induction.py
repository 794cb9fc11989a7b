"""Check proofs by induction, which cover rankings of every length.

The checker derives all obligations from the metric's fold, the axiom's script and the certificate's invariants
(`axiomcheck.proof.check.induction_run`). It compares them with those that the certificate lists, and proves them by the
signs of coefficients (`axiomcheck.proof.check.quotients`). The format and the lemmas are in docs/lemmas/induction.md.

Side conditions of the lemmas are checked as well: the metric's score must be the one that `FoldMetric` defines (Lemmas
2 and 3), and its discount must have the properties that the certificate assumes (Lemmas 6 and 7).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from axiomcheck.axioms import Axiom, PairAxiom
from axiomcheck.axioms.script import Many, One, Script
from axiomcheck.core.domain import Domain
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import counted
from axiomcheck.metrics import FoldMetric, Metric
from axiomcheck.metrics.base import Mixture
from axiomcheck.metrics.coverage import DSharpMeasure
from axiomcheck.metrics.derived_fold import DerivedMetric, DerivedSum
from axiomcheck.metrics.fold import Fold
from axiomcheck.metrics.intent_aware import IntentAware
from axiomcheck.proof.check.fold_conditions import (
    check_discount,
    check_normaliser,
    check_origin,
    fold_of,
    outcomes_of_step,
)
from axiomcheck.proof.check.header import pair_axiom, unit_symbols
from axiomcheck.proof.check.induction_bindings import BoundObligation, check_binding
from axiomcheck.proof.check.induction_run import InductionRun, InductionSetting, combinations, derive
from axiomcheck.proof.check.polynomials import FREE
from axiomcheck.proof.check.quotients import Exact, Quotient, attempt, every_outcome, settled, variable
from axiomcheck.records.certificates import InductionCase, InductionCertificate, MixtureCertificate, Obligation


def check_induction(
    certificate: InductionCertificate | MixtureCertificate, metric: Metric, axiom: Axiom | None = None
) -> None:
    """Check that a certificate of a proof by induction proves its claim about a metric.

    ``axiom`` is needed only if it has no registered name.

    Raises:
        InvalidInput: The certificate does not prove its claim. The message says where and why.

    """
    about = pair_axiom(certificate.axiom, axiom)
    if certificate.strict != about.strict:
        raise InvalidInput(f"certificate: strict is {certificate.strict}; expected {about.strict} for {about}")
    binary = about.binary or metric.binary_only or certificate.domain is Domain.BINARY
    with settled("certificate"):
        if isinstance(certificate, InductionCertificate):
            _check_induction(certificate, metric, about, binary, "certificate")
        else:
            _check_mixture(certificate, metric, about, binary)


def _check_mixture(certificate: MixtureCertificate, metric: Metric, axiom: PairAxiom, binary: bool) -> None:
    """Check a proof for a mixture: no part may lose and, if the axiom is strict, at least one part must win."""
    cls = type(metric)
    known = DSharpMeasure if isinstance(metric, DSharpMeasure) else DerivedSum
    if not isinstance(metric, Mixture) or any(
        getattr(cls, method) is not getattr(known, method) or method in vars(metric)
        for method in ("parts", "kernel", "score", "evaluate")
    ):
        raise InvalidInput(f"metric: {cls.__name__} is not known to be a mixture of other metrics")
    mixed = metric.parts()
    if any(share < 0 for share, _ in mixed):
        raise InvalidInput(f"metric: a part of {metric} has a negative share")
    positive = [part for share, part in mixed if share > 0]
    check_shares(metric, certificate.parameters)
    parts = certificate.parts
    if len(parts) != len(positive):
        raise InvalidInput(
            f"parts: the certificate lists {counted(len(parts), 'part')}, but {metric} has {len(positive)} with a "
            "positive share"
        )
    wins = False
    for number, (inner, part) in enumerate(zip(parts, positive, strict=True)):
        where = f"parts.{number}"
        for key in ("axiom", "domain"):
            if getattr(inner, key) != getattr(certificate, key):
                raise InvalidInput(
                    f"{where}: {key} is {getattr(inner, key)!r}, but the mixture's is {getattr(certificate, key)!r}"
                )
        if inner.small and not (inner.strict and certificate.small):
            raise InvalidInput(f"{where}: small is True; expected False, or a strict part of a small mixture")
        _check_induction(inner, part, axiom, binary, where)
        wins |= inner.strict
    if axiom.strict and not wins:
        raise InvalidInput(f"parts: no part is strict, but {axiom} is")


def check_shares(metric: Mixture, names: Sequence[str]) -> None:
    """Check that every share of a mixture is positive for all values of the named parameters inside their ranges.

    Raises:
        InvalidInput: A share cannot be shown to be positive, or `symbols_of` rejects a name.

    """
    if not names:
        return
    mixture = metric.at(symbols_of(metric, names))
    assert isinstance(mixture, Mixture)
    shares = [Quotient.of(share) for share, _ in mixture.parts()]
    if not all(share.shown(">") for share in shares) or not all(share > 0 for share, _ in metric.parts()):
        raise InvalidInput(f"parameters: {', '.join(names)}: a share of {metric} is not shown to be positive")


def _check_induction(
    certificate: InductionCertificate, metric: Metric, axiom: PairAxiom, binary: bool, where: str
) -> None:
    if metric.canonical != certificate.metric:
        raise InvalidInput(f"{where}: metric is {certificate.metric!r}; expected {metric.canonical!r}")
    script, small, parameters = axiom.script(), certificate.small, certificate.parameters
    if script is None:
        raise InvalidInput(f"{where}: {axiom} has no script, which proofs by induction need")
    if small and not axiom.can_be_small:
        raise InvalidInput(f"{where}: small is True, but {axiom} is about the largest possible grade")
    if certificate.scope.cutoff != ("none" if metric.cutoff is None else "any"):
        raise InvalidInput(f"{where}: scope is {certificate.scope}, but {metric} has the cutoff {metric.cutoff}")
    binary = binary and not pools_beyond_binary(metric, axiom)
    small = small and not shown_for_all_grades(metric, binary)
    symbolic = with_symbols(check_metric(metric, axiom, script, binary, small), parameters)
    strict, support, discount = certificate.strict, certificate.support, certificate.discount
    setting = InductionSetting(axiom, script, symbolic, small, binary, strict, support, discount, {})
    wanted = [each.kinds for each in settings_of(setting)]
    if not wanted:
        raise InvalidInput(f"{where}: {axiom} has no instance on this domain")
    listed = [case.grades for case in certificate.cases]
    if len(listed) != len(wanted) or any(kinds not in listed for kinds in wanted):
        raise InvalidInput(f"{where}: the cases are for the grades {listed}; expected each of {wanted} once")
    for k, case in enumerate(certificate.cases):
        at = f"{where}: cases.{k}"
        _check_bindings(case, script, at)
        run = InductionRun(replace(setting, kinds=case.grades))
        derived = list(derive(run, lambda segment, _, known=case.invariants: known[str(segment)]))  # type: ignore[misc]
        _check_obligations(case.obligations, derived, f"{at}.obligations")


def settings_of(assumed: InductionSetting) -> list[InductionSetting]:
    """Return the settings of a claim, one for each combination of kinds of the script's grades. All must be proved.

    Args:
        assumed: Setting without grade kinds. Its metric has passed `check_metric`, and may have symbols.

    Raises:
        InvalidInput: The lemmas do not cover the script or the metric's scale or cost, or the discount does not have
            the assumed property.

    """
    metric, script = assumed.metric, assumed.script
    check_script(assumed.axiom, script, assumed.discount)
    check_discount(attempt("metric: the fold", metric.fold).discount, assumed.discount)
    check_factors(metric, assumed.axiom)
    return [replace(assumed, kinds=kinds) for kinds in combinations(script.grades, assumed.binary, assumed.support)]


def _check_bindings(case: InductionCase, script: Script, where: str) -> None:
    """Check that the invariants are those of the script's loops, and that the form of every binding is valid."""
    loops = [str(k) for k, segment in enumerate(script.segments) if isinstance(segment, Many)]
    if sorted(case.invariants) != sorted(loops):
        raise InvalidInput(f"{where}.invariants are for the segments {list(case.invariants)}; expected {loops}")
    for segment, invariant in case.invariants.items():
        for name, binding in invariant:
            check_binding(name, binding, f"{where}.invariants.{segment}")


def _check_obligations(listed: Sequence[Obligation], derived: Sequence[BoundObligation], where: str) -> None:
    """Check that every derived obligation holds, and equals the one at the same index in the certificate."""
    if len(listed) != len(derived):
        raise InvalidInput(
            f"{where}: the certificate lists {counted(len(listed), 'obligation')}, but the proof needs {len(derived)}"
        )
    for k, (entry, obligation) in enumerate(zip(listed, derived, strict=True)):
        at = f"{where}.{k}"
        try:
            expected = obligation.written()
        except InvalidInput as error:
            raise InvalidInput(f"{at}: {error}") from None
        at = f"{at} ({obligation.where}: {obligation.what})"
        if entry.relation != obligation.relation:
            raise InvalidInput(f"{at}: relation is {entry.relation!r}; expected {obligation.relation!r}")
        if entry.ranges != expected["ranges"]:
            raise InvalidInput(f"{at}: ranges are {entry.ranges!r}; expected {expected['ranges']}")
        if entry.coefficients != expected["coefficients"]:
            raise InvalidInput(f"{at}: the coefficients differ from those of the obligation: {entry.coefficients!r}")


_MOST_ASPECTS = 8


def pools_beyond_binary(metric: Metric, axiom: PairAxiom) -> bool:
    """Return True if the metric sums grades before the fold, so that binary grades have sums other than 0 and rc."""
    return isinstance(metric, FoldMetric) and metric.pooling == "sum" and axiom.max_aspects != 1


def shown_for_all_grades(metric: Metric, binary: bool) -> bool:
    """Return True if a claim about small grades can be proved only by a proof for all grades.

    This applies to folds that receive (b^g - 1)/(b - 1) instead of the grade g. The conversion preserves 0, 1 and the
    order of grades, so a script describes the same instances. However, the conversion changes the ratios of small
    grades. Binary instances have only one small grade.
    """
    return isinstance(metric, DerivedMetric) and metric.base is not None and not binary


def symbols_of(metric: Metric, names: Sequence[str]) -> dict[str, Quotient]:
    """Return a symbol for each named parameter. Its range is (0, 1), or (0, oo) if the parameter has no upper bound.

    Raises:
        InvalidInput: See `unit_symbols`.

    """
    return {name: variable(name, within) for name, within in unit_symbols(metric, names, "parameters").items()}


def with_symbols(metric: FoldMetric, names: Sequence[str]) -> FoldMetric:
    """Return a copy of a metric with symbols (`symbols_of`) in place of the named parameters.

    Raises:
        InvalidInput: `symbols_of` rejects a name, or the metric overrides `at`, which substitutes parameters.

    """
    symbols = symbols_of(metric, names)
    if not symbols:
        return metric
    own = {Metric.at} if not isinstance(metric, IntentAware) else {IntentAware.at}
    if type(metric).at not in own or (isinstance(metric, IntentAware) and type(metric.base).at is not Metric.at):
        raise InvalidInput(f"parameters: {type(metric).__name__} overrides at(), which sets parameters")
    made = attempt("parameters", metric.at, symbols)
    assert isinstance(made, FoldMetric)
    if made.normalised:
        check_normaliser(made)
    return made


def check_metric(metric: Metric, axiom: PairAxiom, script: Script, binary: bool, small: bool) -> FoldMetric:
    """Check that a metric's score is computed from a fold in a way that the lemmas cover, and return the metric.

    Args:
        metric: Metric with its own parameter values.
        axiom: Axiom to be proved.
        script: Script of the axiom.
        binary: True if only binary instances are considered.
        small: True if r << 1 is assumed.

    Raises:
        InvalidInput: The metric overrides the scoring code, or uses pooling or normalisation that no lemma covers.

    """
    name = type(metric).__name__
    check_origin(metric)
    fold_of(metric)
    assert isinstance(metric, FoldMetric)
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
    """Return True if every instance ranks a document with a positive grade on each aspect of the script."""
    rows = []
    for s in script.segments:
        grades = dict(script.grades) | (dict(s.grades) if isinstance(s, Many) else {})
        if isinstance(s, One):
            rows += [(row, grades) for row in (s.worse, s.better) if row is not None]
        elif s.least and len(s.rows) == 1:
            rows.append((s.rows[0], grades))
    return all(any(row[t] == "1" or grades.get(row[t], "any") != "any" for row, grades in rows) for t in script.aspects)


def _check_zero_earns_nothing(fold: Fold) -> None:
    """Check that documents of grade 0 have gain 0. Lemma 2 needs this if one ranking is longer than the other."""
    state = tuple(variable(f"state_{k}", FREE) for k in range(len(fold.start(Exact()))))
    outcomes = outcomes_of_step("metric: the gain of a document of grade 0", fold, state, Quotient.of(0))
    if not all(gain.is_zero for gain, _ in outcomes):
        raise InvalidInput(
            "metric: a document of grade 0 may have a positive gain, and one ranking is longer than the other"
        )


def check_script(axiom: PairAxiom, script: Script, discount: str) -> None:
    """Check that the lemmas cover the form of a script.

    Raises:
        InvalidInput: The script has more than two aspects, has documents after the end of a ranking, or leaves out
            documents although the rankings differ before the last rank or discounts are 1 / rank.

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
    """Check that a metric's scale is positive and its cost is nonnegative, for all values of the symbols.

    Args:
        metric: Metric whose parameters may be symbols.
        axiom: Axiom of the proof. If it sets no maximum for the number of aspects, the number becomes a symbol.

    Raises:
        InvalidInput: The scale is not shown to be positive, or the cost is not shown to be nonnegative.

    """
    if not attempt("metric: the cost", Quotient.of, attempt("metric: the cost", metric.cost)).shown(">="):
        raise InvalidInput(f"metric: the cost of {metric.name} is not shown to be nonnegative")
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
    """Check that the scale is positive for any number of aspects, by running its code on a symbol for the number."""
    aspects = variable("aspects", "[0, oo)") + 1
    outcomes = attempt(
        "metric: the scale for any number of aspects (to divide by this number, write Fraction(1) / aspects)",
        every_outcome,
        lambda: Quotient.of(metric.scale(aspects)),  # type: ignore[arg-type]  # a symbol in place of a number
    )
    if not all(scale.shown(">") for scale in outcomes):
        raise InvalidInput(f"metric: the scale of {metric.name} is not shown to be positive for any number of aspects")
