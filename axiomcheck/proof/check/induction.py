"""Check certificates about rankings of every length.

The checker derives all obligations from the metric's fold, the axiom's script and the certificate's invariants
(`axiomcheck.proof.check.induction_run`). It compares them with those that the certificate lists, and proves them by the
signs of coefficients (`axiomcheck.proof.check.quotients`). The format and the lemmas are in docs/lemmas/induction.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from axiomcheck.axioms import Axiom, PairAxiom
from axiomcheck.axioms.script import Many, Script
from axiomcheck.core.domain import Domain
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import counted
from axiomcheck.metrics import Metric
from axiomcheck.metrics.coverage import DSharpMeasure
from axiomcheck.proof.check.discounts import check_discount
from axiomcheck.proof.check.header import pair_axiom
from axiomcheck.proof.check.induction_bindings import BoundObligation, check_binding
from axiomcheck.proof.check.induction_metric import (
    check_factors,
    check_metric,
    check_script,
    pools_beyond_binary,
    shown_for_all_grades,
    symbols_of,
    with_symbols,
)
from axiomcheck.proof.check.induction_run import InductionRun, InductionSetting, combinations, derive
from axiomcheck.proof.check.quotients import Quotient, attempt, settled
from axiomcheck.records.certificates import InductionCase, InductionCertificate, MixtureCertificate, Obligation


def check_induction(
    certificate: InductionCertificate | MixtureCertificate, metric: Metric, axiom: Axiom | None = None
) -> None:
    """Check that a certificate proves its claim.

    Args:
        certificate: Certificate about the metric.
        metric: Metric that the certificate names.
        axiom: Axiom of the certificate. Default: the registered axiom of that name.

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
    """Check that no part of a mixture loses, and that a part with a positive share wins if the axiom is strict."""
    cls = type(metric)
    if not isinstance(metric, DSharpMeasure) or any(
        getattr(cls, method) is not getattr(DSharpMeasure, method) or method in vars(metric)
        for method in ("parts", "kernel", "score", "evaluate")
    ):
        raise InvalidInput(f"metric: {cls.__name__} is not known to be a mixture of other metrics")
    mixed = metric.parts()
    if any(share < 0 for share, _ in mixed):
        raise InvalidInput(f"metric: {metric} has a negative share of a part")
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
            raise InvalidInput(f"{where}: small is True, which is allowed only for a strict part of a small mixture")
        _check_induction(inner, part, axiom, binary, where)
        wins |= inner.strict
    if axiom.strict and not wins:
        raise InvalidInput(f"parts: no part is strict, but {axiom} is")


def check_shares(metric: DSharpMeasure, names: Sequence[str]) -> None:
    """Check that every share of a mixture is positive for all values of the given parameters inside their ranges.

    Raises:
        InvalidInput: A share is not shown to be positive, or `symbols_of` rejects a name.

    """
    if not names:
        return
    mixture = metric.at(symbols_of(metric, names))
    assert isinstance(mixture, DSharpMeasure)
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
        raise InvalidInput(f"{where}: the cases are about the grades {listed}; expected each of {wanted} once")
    for k, case in enumerate(certificate.cases):
        at = f"{where}: cases.{k}"
        _check_bindings(case, script, at)
        run = InductionRun(replace(setting, kinds=case.grades))
        derived = list(derive(run, lambda segment, _, known=case.invariants: known[str(segment)]))  # type: ignore[misc]
        _check_obligations(case.obligations, derived, f"{at}.obligations")


def settings_of(assumed: InductionSetting) -> list[InductionSetting]:
    """Return a setting for each combination of kinds of the script's grades. Every setting must be proved.

    Args:
        assumed: Setting without kinds. Its metric has symbols, and is of a class that the lemmas cover.

    Raises:
        InvalidInput: The script, the metric's factors or its discount do not satisfy the lemmas or the setting.

    """
    metric, script = assumed.metric, assumed.script
    check_script(assumed.axiom, script, assumed.discount)
    check_discount(attempt("metric: the fold", metric.fold).discount, assumed.discount)
    check_factors(metric, assumed.axiom)
    return [replace(assumed, kinds=kinds) for kinds in combinations(script.grades, assumed.binary, assumed.support)]


def _check_bindings(case: InductionCase, script: Script, where: str) -> None:
    """Check that every loop of a script has an invariant whose bindings are all known."""
    loops = [str(k) for k, segment in enumerate(script.segments) if isinstance(segment, Many)]
    if sorted(case.invariants) != sorted(loops):
        raise InvalidInput(f"{where}.invariants are about the segments {list(case.invariants)}; expected {loops}")
    for segment, invariant in case.invariants.items():
        for name, binding in invariant:
            check_binding(name, binding, f"{where}.invariants.{segment}")


def _check_obligations(listed: Sequence[Obligation], derived: Sequence[BoundObligation], where: str) -> None:
    """Check that every obligation holds, and equals the obligation that the certificate lists at the same index."""
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
