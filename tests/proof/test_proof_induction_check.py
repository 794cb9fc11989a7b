"""The check of proofs by induction: certificates are accepted when true, and rejected when changed or false."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from axiomcheck import Domain, InvalidInput, Metric, parse
from axiomcheck.axioms.pri import Priority
from axiomcheck.axioms.script import Many, One, Script
from axiomcheck.metrics.adhoc import DiscountedGain, RankBiasedPrecision
from axiomcheck.metrics.fold import Additive, Cascade, Fold, State
from axiomcheck.metrics.novelty import RankBiasedUtility
from axiomcheck.numbers.arithmetic import Arithmetic, positive, select
from axiomcheck.numbers.discount import Constant, Discount, Geometric, InverseLog, Reciprocal
from axiomcheck.proof.check.fold_conditions import check_discount
from axiomcheck.proof.check.induction_bindings import BoundObligation
from axiomcheck.proof.check.polynomials import Polynomial
from axiomcheck.proof.check.quotients import Quotient, variable
from tests.proof.documents import ASPDIV_D, CONF_EU, PRI_RBP, check_document, induction_proof, prove, rejected
from tests.support.suites import each, quality
from tests.support.tampering import refused

Array = Any


@quality
def test_binary_instances_are_accepted() -> None:
    for axiom, row in (("AspDiv", "RBP-IA"), ("Sat", "CT"), ("Pri", "D#-nDCG")):
        document = prove(axiom, parse(row), axiom != "Sat", Domain.BINARY)
        check_document(document)


# Certificates that are well formed and false


def no_faces(obligation: BoundObligation) -> Polynomial:
    """Take >= for >."""
    return right(replace(obligation, relation=obligation.relation.replace(">=", ">").replace(">", ">=")))


def no_signs(obligation: BoundObligation) -> Polynomial:
    """List coefficients, and do not look at them."""
    return obligation.term.lowest()


right = BoundObligation.numerator

FALSE = [
    (no_faces, "Red", "ERR-IA@20", False),
    (no_signs, "MRed", "NRBP(p=0.8, alpha=0.5)", True),
    (no_signs, "Deep", "AP", False),
]
"""What has to be broken in the prover for it to prove a cell that a search refutes."""


@each(("broken", "axiom", "row", "small"), FALSE, 2)
def test_rejects_what_a_broken_prover_proves(
    broken: Callable[..., Any], axiom: str, row: str, small: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert prove(axiom, parse(row), small) is None
    with monkeypatch.context() as patch:
        patch.setattr(BoundObligation, "numerator", broken)
        false = prove(axiom, parse(row), small)
    rejected(false, "do not show|no lemma covers")


class GapAxiom(Priority):
    """D_i - D_{i+1} > D_{i+2} - D_j for any j: false of every discount that vanishes slowly enough."""

    def script(self) -> Script:
        common = Many(({"t": "x"},), {"x": "any"})
        up, down, neither = One({"t": "0"}, {"t": "g"}), One({"t": "g"}, {"t": "0"}), One({"t": "0"}, {"t": "0"})
        return Script(("t",), (common, up, down, down, common, up, neither, common), {"g": "positive"})


def test_rejects_a_proof_that_takes_the_steps_over_a_gap_for_one_step() -> None:
    p = 0.9
    assert 1 - p < p**2 - p**99  # so the axiom is false of RBP, already of j = 100
    assert prove(GapAxiom(), parse("RBP(p=0.9)"), True) is None
    # A certificate that bounds a sum of steps by one step above it.
    same = [["d_t_0", ["same"]], ["d_t_1", ["same"]], ["d_t_2", ["same"]]]
    entry = {"where": "-", "what": "-", "relation": "=", "ranges": {}, "coefficients": {}}
    variables = {"g": "(0, oo)", "D2_step": "(0, oo)", "D1_step": "(0, oo)", "W": "(0, oo)"}
    listed = {"g D2_step W": "1", "g D1_step W": "1"}
    last = entry | {"relation": ">", "ranges": variables, "coefficients": listed}
    case = {"grades": {"g": "positive"}, "invariants": {"0": same, "4": same, "7": same}}
    document = induction_proof("Pri", "RBP(p=0.9)", True) | {"discount": "convex"}
    document |= {"cases": [case | {"obligations": [*[entry] * 19, last]}]}
    refused(lambda found: check_document(found, axiom=GapAxiom()), document, "do not show")


# Metrics that no lemma covers


class Waning(Discount):
    def rational(self, rank: int) -> Any:
        return max(0, 3 - rank)

    def real(self, rank: int) -> float:
        return float(max(0, 3 - rank))


class FloatingFold(Additive):
    def step(self, a: Arithmetic, state: State, r: Array) -> tuple[Array, State]:
        return r * 0.5, ()


P = parse("RBP").values["p"]
OF_RBP = Geometric(P, 1 - P)
FOREIGN: list[tuple[str, dict[str, Any]]] = [
    ("redefines kernel", {"kernel": lambda self, *arguments: 0 * RankBiasedPrecision.kernel(self, *arguments)}),
    (r"overrides at\(\)", {"at": lambda self, values: parse("RBP(p=0.8)").at(values)}),
    ("scale", {"scale": lambda self, aspects: 1 - self.values["p"] - self.values["p"] ** 2}),
    ("cost", {"cost": lambda self: -self.values["p"]}),
    # 0 or less for a pool of one poor document
    ("normaliser", {"normalised": True, "normaliser": lambda self, a, pool: pool.sum(axis=-2) - a.number(P)}),
    ("pooling", {"pooling": "product"}),
    ("no lemma covers", {"fold": lambda self: Additive(Waning())}),
    ("cannot be run on symbols", {"fold": lambda self: FloatingFold(OF_RBP)}),
]


@each(("about", "members"), FOREIGN, 4)
@pytest.mark.usefixtures("origin_unchecked")
def test_rejects_metrics_with_code_that_the_lemmas_do_not_cover(about: str, members: dict[str, Any]) -> None:
    document = induction_proof(*PRI_RBP)
    check_document(document, RankBiasedPrecision())
    rejected(document, about, type("External", (RankBiasedPrecision,), {"name": "RBP"} | members)())


def test_rejects_a_kernel_put_on_the_object_and_metrics_of_another_name() -> None:
    metric = RankBiasedPrecision()
    metric.kernel = lambda *arguments: 0  # type: ignore[method-assign]
    found = {"__getattribute__": lambda self, name: len if name == "kernel" else object.__getattribute__(self, name)}
    for other in (metric, type("External", (RankBiasedPrecision,), {"name": "RBP"} | found)()):
        rejected(induction_proof(*PRI_RBP), "external code, which no lemma covers", other)
    rejected(induction_proof(*PRI_RBP), "expected 'RBP", parse("RBP(p=0.5)"))


@pytest.mark.usefixtures("origin_unchecked")
def test_rejects_metrics_of_another_form() -> None:
    rejected(induction_proof(*PRI_RBP), "not a fold over ranks|scope", _renamed(parse("S-RR@100%"), "RBP(p=0.8)"))
    rejected(induction_proof(*ASPDIV_D), "not known to be a mixture", _renamed(parse("nDCG@20"), ASPDIV_D[1]))


def _renamed(metric: Metric, name: str) -> Metric:
    metric.__class__ = type("Renamed", (type(metric),), {"canonical": name})
    return metric


class ConsolationFold(Cascade):
    def step(self, a: Arithmetic, state: State, r: Array) -> tuple[Array, State]:
        gain, after = super().step(a, state, r)
        return gain + select(np.logical_not(positive(r)), state[0] * 0 + 1), after


class Consolation(RankBiasedUtility):
    """RBU that also pays 1 for every aspect that a document is not on."""

    name = "RBU"

    def fold(self) -> Fold:
        return ConsolationFold(self.discount())


@pytest.mark.usefixtures("origin_unchecked")
def test_rejects_sat_of_a_metric_that_pays_for_aspects_that_x_is_not_on() -> None:
    document = induction_proof("Sat", "RBU(p=0.8, e=0.05)@20", False)
    check_document(document)
    rejected(document, "grade 0 may have a positive gain", Consolation())


class NegativeGain(Additive):
    def step(self, a: Arithmetic, state: State, r: Array) -> tuple[Array, State]:
        return r - 1, ()


class NormalisedLoss(DiscountedGain):
    """Ties with itself where no document of the pool is relevant."""

    name = "nDCG"

    def fold(self) -> Fold:
        return NegativeGain(InverseLog())


@pytest.mark.usefixtures("origin_unchecked")
def test_rejects_conf_of_a_normalised_metric() -> None:
    document = induction_proof(*CONF_EU) | {"metric": "nDCG", "parameters": []}
    document["scope"]["cutoff"] = "none"
    rejected(document, "require a relevant document", NormalisedLoss())


def test_single_aspect_metrics_have_no_diversity_axioms() -> None:
    document = induction_proof("AspDiv", "RBP-IA(p=0.8)", True) | {"metric": "RBP(p=0.8)"}
    assert prove("AspDiv", parse("RBP"), True) is None
    rejected(document, "does not apply")
    lifted = prove("AspDiv", parse("RBP(aggregate=max)"), True)
    check_document(lifted)


# The parts


def test_a_face_at_one_has_the_degree_before_the_substitution() -> None:
    for within, strict in (("(0, 1]", False), ("[0, 1]", False), ("(0, 1)", True), ("[0, 1)", True)):
        u = variable("u", within)
        assert (1 - u).shown(">=")
        assert (1 - u).shown(">") is strict
        assert (1 + u).shown(">")
        assert (u * (1 - u) + 1).shown(">")
    v = variable("v", "[0, 1]")
    assert not (v * (1 - v) + variable("w", "[0, oo)")).shown(">")
    assert not (v - 1).shown(">=")
    assert not variable("x", "(-oo, oo)").shown(">=")
    assert not Quotient.of(0).shown(">")
    assert Quotient.of(0).shown("=")


def test_discounts_are_what_lemma_7_says() -> None:
    p, e = variable("p", "(0, 1)"), variable("e", "(0, oo)")
    convex = [Geometric(p, 1 - p), Geometric(p, p), Geometric(p), Reciprocal(), InverseLog(), InverseLog(None, 0, 1)]  # type: ignore[arg-type]
    for discount in convex:
        for assumed in ("positive", "decreasing", "convex"):
            check_discount(discount, assumed)
        with pytest.raises(InvalidInput):
            check_discount(discount, "constant")
    check_discount(Constant(), "constant")
    check_discount(parse("RBU(p=1)@20").fold().discount, "constant")  # type: ignore[attr-defined]
    check_discount(Reciprocal(), "reciprocal")
    wrong: list[tuple[Discount, str]] = [
        (Constant(), "decreasing"),
        (Geometric(e), "decreasing"),  # type: ignore[arg-type]
        (parse("RBP(p=1)@20").fold().discount, "positive"),  # type: ignore[attr-defined]
        (parse("RBU(p=1)@20").fold().discount, "decreasing"),  # type: ignore[attr-defined]
        (InverseLog(shift=0, offset=0), "positive"),
        (InverseLog(base=P), "positive"),
        (Waning(), "positive"),
        (Geometric(Fraction(-1, 2)), "positive"),
    ]
    for discount, assumed in wrong:
        with pytest.raises(InvalidInput, match="discount"):
            check_discount(discount, assumed)
