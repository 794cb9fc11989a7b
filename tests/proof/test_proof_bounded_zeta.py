"""Bounded proofs about scores with values of the zeta function: INST, and variants of it that are wrong."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from axiomcheck.core.documents import document_of
from axiomcheck.core.domain import Reading, Regime
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.verdict import Verdict
from axiomcheck.metrics import parse
from axiomcheck.metrics.base import LiftedMetric
from axiomcheck.metrics.inst import Inst, _last_relevant, walk
from axiomcheck.metrics.parameters import Parameter
from axiomcheck.numbers.arithmetic import Arithmetic
from axiomcheck.numbers.expansions import expanded_ratio
from axiomcheck.numbers.polynomials import Range, Term, Undecided, Variables
from axiomcheck.proof.check import bounded_zeta, polynomials
from axiomcheck.proof.check.bounded import check_bounded
from axiomcheck.proof.find import zeta_terms
from axiomcheck.proof.find.case import Plan, SymbolicCase, difference
from axiomcheck.proof.find.instances import GradeRegion, settings_of
from axiomcheck.proof.find.zeta_terms import Deeper, ZetaTerms
from axiomcheck.proof.proving import prove
from axiomcheck.records.certificates import OrthantCertificate, read_certificate
from tests.proof.documents import attempt, bounded_proof, fooled, pair_axiom
from tests.support.suites import each, quality
from tests.support.tampering import Change, Document, put, refused, tampered

Array = Any


CLAIMS = [
    ("INST(T=3)", "Deep", False, 4, 1),
    ("INST(T=3)", "Pri", False, 2, 1),
    ("INST(T=1)", "Pri", True, 5, 1),
    ("INST(T=10)", "Pri", False, 3, 1),
    ("INST(T=1.7)", "Deep", True, 5, 1),
    ("INST(T=1)", "Deep", False, 4, 1),
    ("INST(T=3, aggregate=max)", "AspDiv", True, 2, 2),
]


@each(("name", "axiom", "small", "ranked", "aspects"), CLAIMS, 7)
def test_inst_is_proved_and_the_certificates_pass(
    name: str, axiom: str, small: bool, ranked: int, aspects: int
) -> None:
    document = bounded_proof(name, axiom, small, ranked, aspects)
    assert document["kind"] == "orthant"
    assert (document["scope"]["ranked"], document["scope"]["aspects"]) == (ranked, aspects)
    assert document["scope"]["unretrieved"] == "any"
    assert all(shown["zeta"] for shown in document["differences"])
    check_bounded(document)


@quality
def test_the_verdict_is_bounded() -> None:
    for regime in (Regime.FINITE, Regime.STATED):
        found = prove(pair_axiom("Deep"), parse("INST(T=3)"), Reading(regime))
        assert (found and found.verdict) is Verdict.BOUNDED


def test_the_variable_is_the_value_at_the_deepest_argument() -> None:
    # (0, r) ends at x = 2T + 2 and (r, 0), whose rank 2 is part of the tail, at 2T + 1; less r, where that counts.
    for small, x in ((True, {"1": "8"}), (False, {"1": "8", "r2.1": "-1"})):
        certificate = read_certificate(bounded_proof("INST(T=3)", "Pri", small, 2, 1))
        assert isinstance(certificate, OrthantCertificate)
        case = next(case for case in certificate.cases() if case.splits == ("1.1=0",))
        shown = case.difference
        assert shown.zeta
        assert document_of(shown)["zeta"]["Z1"] == [2, x]
        assert list(shown.zeta) == (["Z1", "Z2", "Z3"] if small else ["Z1"])
        assert any("Z1" in monomial for monomial in case.coefficients) is not small


class Patient(Inst):
    """INST whose user always looks at the second document, so that ranks 1 and 2 weigh the same."""

    name = "Patient"

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        gains = self.only_aspect(grades)
        gains = gains.cut(2) if hasattr(gains, "cut") else gains
        way = walk(a, gains[..., 1:], self.values["T"], unit=a.irrational_one())
        inspected = way.inspected + way.irrelevant_tail(a) + a.number(Fraction(1))
        return expanded_ratio(way.earned + gains[..., 0], inspected)


class Static(LiftedMetric):
    """A document at rank i is worth zeta(2, i + 2), whatever was found before: convex, or with ``bent`` not."""

    name = summary = source = "Static"
    declared: ClassVar[tuple[Parameter, ...]] = ()

    def __init__(self, bent: bool = False) -> None:
        super().__init__()
        self.bent = bent

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        gains = self.only_aspect(grades)
        total = 0 * gains[..., 0]
        for k in range(gains.shape[-1]):
            worth = a.zeta(2, a.integers(np.array(k + 3)))
            total = total + gains[..., k] * (worth[()] if not self.bent or k else worth[()] - Fraction(1, 9))
        return total


def test_zeta_values_that_differ_by_rational_numbers() -> None:
    """Pri: zeta(2, x) - zeta(2, x + k) > 0 is the sum of k terms; Deep: these get smaller."""
    for axiom, ranked in (("Pri", 4), ("Deep", 5)):
        document = attempt(Static(), axiom, False, ranked)
        assert document is not None
        assert document["scope"]["ranked"] == ranked
        check_bounded(document, Static())
        assert all(set(c["zeta"]) == {"Z1"} and c["zeta"]["Z1"][0] == 2 for c in document["differences"])
    # ranks 1 and 2 are worth the same
    assert attempt(Static(bent=True), "Pri", False, 2) is None
    assert attempt(Static(bent=True), "Deep", False, 4) is None


@quality
@pytest.mark.parametrize("small", [True, False])
def test_a_false_claim_gets_no_certificate(small: bool) -> None:
    assert attempt(Patient(), "Deep", small, 4) is None
    assert attempt(parse("INST(T=3)"), "Conf", small, 3) is None  # a tie
    assert attempt(parse("INST(T=1/2)"), "Pri", False, 3) == attempt(parse("INST(T=1/2)"), "Pri", False, 2)


@each("small", [True, False], 2)
def test_a_certificate_of_inst_is_none_of_a_false_variant(small: bool) -> None:
    check_bounded(inst(small))
    with pytest.raises(InvalidInput, match=r"not shown to be positive|zeta is|order is|tie|depends on the values"):
        check_bounded(inst(small) | {"metric": Patient().canonical}, Patient())


def inst(small: bool) -> Document:
    return bounded_proof("INST(T=3)", "Deep", small, 4, 1)


def symbols(d: Document) -> Any:
    return d["differences"][-1]["zeta"]


def last_polynomial(d: Document) -> Any:
    (number,) = d["differences"][-1]["terms"].values()
    return d["polynomials"][number]


def argument(key: str, value: Callable[[str | None], str]) -> Change:
    """Change one coefficient of the argument of the first symbol: a function of what it is."""

    def change(d: Document) -> None:
        x = symbols(d)["Z1"][1]
        x[key] = value(x.get(key))

    return change


def sign_of_a_coefficient(d: Document) -> None:
    coefficients = last_polynomial(d)
    key = next(iter(coefficients))
    coefficients[key] = f"-{coefficients[key]}"


def without_zeta(d: Document) -> None:
    coefficients = last_polynomial(d)
    key = next(k for k in coefficients if "Z1" in k)
    coefficients[key.replace("*Z1", "")] = coefficients.pop(key)


def range_of_a_symbol(d: Document) -> None:
    entry = next(v for v in d["variables"][d["differences"][-1]["variables"]] if v[0] == "Z1")
    entry[1] = "[0, oo)"


CHANGES: dict[str, Change] = {
    "other exponent": lambda d: symbols(d)["Z1"].__setitem__(0, 3),
    "shifted down": argument("1", lambda value: str(int(value or 0) + 1)),
    "shifted up": argument("1", lambda value: str(int(value or 0) - 1)),
    "other residue": argument("1", lambda value: "17/2"),
    "other argument": argument("r1.1", lambda value: "-7"),
    "renamed": lambda d: symbols(d).update(Z9=symbols(d).pop("Z1")),
    "one more": lambda d: symbols(d).update(Z9=[2, {"1": "4"}]),
    "left out": lambda d: d["differences"][-1].pop("zeta"),
    "no dictionary": lambda d: d["differences"][-1].update(zeta=[["Z1", 2, 8]]),
    "other target": put("metric", "INST(T=4)"),
    "other tail": put("metric", "INST-upper(T=3)"),
    "sign of a coefficient": sign_of_a_coefficient,
}
TAMPERED = [
    *((small, change) for change in CHANGES.values() for small in (True, False)),
    *((False, change) for change in (without_zeta, range_of_a_symbol)),
]


@each(("small", "change"), TAMPERED, 14)
def test_a_tampered_certificate_is_rejected(small: bool, change: Change) -> None:
    tampered(check_bounded, inst(small), change)


@quality
def test_the_first_variable_that_is_ever_made_is_a_variable_as_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polynomials, "_made", itertools.count())
    check_bounded(inst(False))


def test_symbols_that_nothing_asked_for_are_rejected() -> None:
    document = bounded_proof("RBP", "Pri", True, 2, 1)
    document["differences"][0]["zeta"] = {"Z1": [2, {"1": "2"}]}
    refused(check_bounded, document, "zeta is")


def test_a_fooled_prover_and_one_with_another_identity_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    right = ZetaTerms._value
    with monkeypatch.context() as patch:
        patch.setattr(ZetaTerms, "_value", lambda self, s, x: right(self, s, x) + (1 if s == 2 else 0))
        refused(check_bounded, attempt(parse("INST(T=3)"), "Deep", False, 4), "coefficients are not those")
    fooled(monkeypatch)
    document = attempt(Patient(), "Deep", True, 4)
    refused(lambda d: check_bounded(d, Patient()), document, "not shown to be positive")


def test_a_prover_that_takes_any_argument_for_the_deepest_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zeta_terms, "_constant", lambda x: Fraction(8))
    assert attempt(parse("INST(T=3)"), "Pri", True, 3) is None
    fooled(monkeypatch)
    document = attempt(parse("INST(T=3)"), "Pri", True, 3)
    assert document is not None
    assert document["scope"]["ranked"] == 3
    assert r"['Z4', '(0, oo)']]; expected " in refused(check_bounded, document, "variables are")


@each("small", [True, False], 2)
def test_a_checker_with_another_identity_is_caught_by_numbers(monkeypatch: pytest.MonkeyPatch, small: bool) -> None:
    right = bounded_zeta.Zetas._one
    monkeypatch.setattr(bounded_zeta.Zetas, "_one", lambda self, s, x: right(self, s, x) + fmpq(1, 2**80))
    with pytest.raises(InvalidInput, match="symbols for zeta values and the values themselves"):
        check_bounded(inst(small))


def valued(polynomial: Any, point: list[arb]) -> arb:
    total = arb(0)
    for exponents, c in polynomial.to_dict().items():
        product = arb(c)
        for value, e in zip(point, exponents, strict=False):
            product *= value**e
        total += product
    return total


@each(("target", "shift"), [("1", 0), ("3", 1), ("3", 2)], 3)
def test_the_provers_symbols_with_true_values_are_the_score(target: str, shift: int) -> None:
    """At three points, in balls, against the metric's sums over 100,000 ranks and bounds on what follows."""
    metric = parse(f"INST(T={target})")
    every = [
        GradeRegion(s, ((">0", (0, 0), None),)) for s in settings_of(pair_axiom("Deep"), 4, 1, 0, False, False, None)
    ]
    (region,) = (r for r in every if not r.empty)
    case, setting = SymbolicCase(Plan(metric, False, False, (), "own", False), region), region.setting
    (term,) = difference(case).values()
    values = [fmpq(2 * ((k + shift) % 5) + 3, 16) for k in range(len(case.variables.names))]
    with ctx.workprec(128):
        point = [arb(v) for v in values]
        (zeta,) = case.arithmetic.zetas.known
        index = case.variables.names.index(zeta.name)
        point[index] = arb(zeta.s).zeta(valued(zeta.x.numerator, point))
        symbolic = valued(term.numerator, point) / valued(term.denominator, point)
        rankings = setting.axiom.rankings(setting.draft())
        worse, better = (
            by_definition([float(valued(t.numerator, point)) for t in np.asarray(case.grades)[0, r[0], 0]], int(target))
            for r in rankings
        )
        assert float(symbolic) == pytest.approx(better - worse, rel=1e-6)
        assert symbolic > 0


def by_definition(gains: list[float], target: int, ranks: int = 100_000) -> float:
    """INST by equations 1 to 3, the ranks that follow replaced by an integral."""
    r = np.zeros(ranks)
    r[: len(gains)] = gains
    x = np.arange(1, ranks + 1) + 2 * target - np.cumsum(r)
    c = ((x - 1) / x) ** 2
    reached = np.concatenate([[1.0], np.cumprod(c)])
    tail = float(reached[-1] * x[-1] ** 2 / (x[-1] - 0.5))
    return float((r * reached[:-1]).sum() / (reached[:-1].sum() + tail))


def one_value() -> tuple[ZetaTerms, Term]:
    variables = Variables()
    return ZetaTerms(variables), variables.new("r", Range.OPEN)


def test_arguments_that_differ_by_whole_numbers_are_one_variable() -> None:
    zetas, r = one_value()
    deep, above = (zetas(2, np.array([5 - r + k], dtype=object))[0] for k in (2, 0))
    assert (above - deep - 1 / (5 - r) ** 2 - 1 / (6 - r) ** 2).numerator.is_zero()
    assert [z.name for z in zetas.known] == ["Z1"]
    zetas(2, np.array([5 + r, fmpq(11, 2), fmpq(5)], dtype=object))
    zetas(3, np.array([5 - r], dtype=object))
    assert len(zetas.known) == 5


def test_a_deeper_argument_starts_again() -> None:
    zetas, r = one_value()
    zetas(2, 5 - r)
    with pytest.raises(Deeper):
        zetas(2, 7 - r)
    assert len(zetas.known) == 1
    assert (zetas(2, 7 - r)[()] - zetas.known[0].term).numerator.is_zero()


@pytest.mark.parametrize("x", [fmpq(0), fmpq(-1, 2), Fraction(-3)])
def test_no_value_at_arguments_that_are_not_positive(x: Any) -> None:
    zetas, r = one_value()
    for exponent, argument in ((2, x), (2, 1 / (2 - r)), (1, 2 - r)):
        with pytest.raises(NotImplementedError):
            zetas(exponent, argument)


def test_a_gain_is_asked_about_only_where_something_depends_on_it() -> None:
    rng = np.random.default_rng(3)
    for shape in ((7,), (5, 6), (40, 1), (2, 3, 4), (4, 0)):
        gains = rng.choice([0.0, 0.0, 0.5], shape)
        plain = np.logical_or.accumulate((gains != 0)[..., ::-1], axis=-1)[..., ::-1]
        assert np.array_equal(_last_relevant(gains), plain)
    variables = Variables()
    grades = np.array([[variables.new("r1", Range.UNIT), variables.new("r2", Range.OPEN), fmpq(0)]], dtype=object)
    assert _last_relevant(grades).tolist() == [[True, True, False]]
    with pytest.raises(Undecided):
        _last_relevant(grades[:, :1])
