"""Derive a fold again from the source of a function, and check that the function gives the same scores as the fold.

A proof about the fold is a proof about the function. The derivation follows the source (`axiomcheck.derivation`). The
comparison of scores, in floats and exactly, detects code that does not do what its source says. A proof for every value
of a parameter between 0 and 1 is about the fold that is derived with a symbol in place of the value. The scores are
then compared at several values of the parameter.
"""

from __future__ import annotations

from collections.abc import Sequence

from axiomcheck.axioms import AXIOMS, Axiom, about_pairs, find_axiom
from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.derivation.agreement import check_once
from axiomcheck.derivation.derive import derive, is_fold_at
from axiomcheck.metrics import Metric
from axiomcheck.metrics.derived_fold import Derived, FoldOfFunction
from axiomcheck.proof.check.header import left_open
from axiomcheck.records.certificates import (
    InductionCertificate,
    MixtureCertificate,
    OrthantCertificate,
    TailCertificate,
)


def derived_metric(
    metric: Metric,
    certificate: TailCertificate | InductionCertificate | MixtureCertificate | OrthantCertificate,
    axiom: Axiom | None,
) -> Metric:
    """Derive a function's fold again, check that it is the fold stated in a certificate, and return its metric.

    Args:
        metric: User's function.
        certificate: Certificate that states a fold. A certificate for rankings of every length may leave parameters
            open. A bounded certificate also covers topics with several aspects.
        axiom: Axiom of the certificate; needed only if it has no registered name.

    Raises:
        InvalidInput: The derivation fails, gives a different fold or does not apply to the axiom, or the scores of the
            function differ from those of the fold.

    """
    about = find_axiom(certificate.axiom) if axiom is None else axiom
    bounded, said, names = isinstance(certificate, OrthantCertificate), certificate.derived, left_open(certificate)
    found = derive(metric).metric if bounded else fold_of_function(metric, about, names)
    if found is None:
        found = derive(metric).why_not
    elif bounded and not isinstance(found, str) and found.has_other_scores:
        found = "its scores equal those of the fold only for some topics, or up to a factor that depends on the topic"
    if isinstance(found, str):
        raise InvalidInput(f"certificate: derived is a fold, but {metric} has none: {found}")
    if found.base is not None and isinstance(certificate, TailCertificate) and certificate.rc is not None:
        raise InvalidInput("certificate: rc is a grade, but the fold receives (b^g - 1)/(b - 1) in place of a grade g")
    if found.text != said:
        raise InvalidInput(f"certificate: derived is {said!r}, but the fold derived from {metric} is {found.text!r}")
    if not is_fold_at(found, metric):
        raise InvalidInput(
            f"certificate: derived is {said!r}, but with its own parameters, {metric} has a different fold"
        )
    asked, counted_ranks = metric.cutoff, found.cutoff
    if about_pairs(about) and asked is not None and counted_ranks is not None and asked > counted_ranks:
        raise InvalidInput(
            f"certificate: the derived fold ends at rank {counted_ranks}, but {metric} has the cutoff {asked}"
        )
    try:
        check_once(metric, found)
    except MetricError as error:
        raise InvalidInput(f"metric: {error}") from None
    return FoldOfFunction(metric, found) if bounded else found


def fold_of_function(metric: Metric, axiom: Axiom, opened: Sequence[str] = ()) -> Derived | str:
    """Return the fold of a user's function for proofs of an axiom, or the reason why there is none.

    Args:
        metric: User's function.
        axiom: Axiom of the proof.
        opened: Parameters that may have any value between 0 and 1.

    """
    derivation = derive(metric, opened)
    found = derivation.metric
    if found is None:
        return derivation.why_not
    if found.needs_relevant and not (axiom.name in _WITH_RELEVANT and axiom is AXIOMS[axiom.name]):
        return "it may have no score if no document is relevant, but the axiom allows such topics"
    several = about_pairs(axiom) and axiom.max_aspects != 1
    if found.one_aspect_topics and several:
        return f"for topics with several aspects, {derivation.why_not}"
    if found.single_aspect and not metric.single_aspect:
        return "it uses only one aspect, but the axiom is about several" if several else found
    found.single_aspect = metric.single_aspect
    return found


_WITH_RELEVANT = ("Pri", "Deep", "DeepTh", "CloseTh")
"""Axioms on one aspect whose instances all rank a relevant document."""
