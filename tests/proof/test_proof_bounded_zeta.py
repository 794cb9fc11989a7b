"""Bounded proofs about scores with values of the zeta function: INST, and variants of it that are wrong."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from axiomcheck import InvalidInput, parse
from axiomcheck.core.documents import document_of
from axiomcheck.metrics.inst import Inst, _last_relevant, walk
from axiomcheck.numbers.arithmetic import Arithmetic, expanded_ratio
from axiomcheck.proof.check.bounded_symbols import World, Zetas
from axiomcheck.proof.check.quotients import SignUnknown, variable
from axiomcheck.records.certificates import OrthantCertificate, read_certificate
from tests.proof.documents import attempt, bounded_proof, check_document, fooled
from tests.support.tampering import Document, refused

Array = Any


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


def test_a_certificate_of_inst_is_none_of_a_false_variant() -> None:
    check_document(inst())
    with pytest.raises(InvalidInput, match=r"difference is positive|zeta is|order is|are equal|depends on the values"):
        check_document(inst() | {"metric": Patient().canonical}, Patient())


def inst() -> Document:
    return bounded_proof("INST(T=3)", "Deep", True, 4, 1)


def test_a_fooled_prover_and_one_with_another_identity_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Zetas._one
    with monkeypatch.context() as patch:
        patch.setattr(Zetas, "_one", lambda self, s, x: right(self, s, x) + (1 if s == 2 else 0))
        other = attempt(parse("INST(T=3)"), "Deep", False, 4)
    refused(check_document, other, "coefficients differ from those")
    assert attempt(Patient(), "Deep", True, 4) is None
    fooled(monkeypatch)
    document = attempt(Patient(), "Deep", True, 4)
    refused(lambda d: check_document(d, Patient()), document, "do not show that the difference is positive")


def test_a_prover_that_takes_values_for_unrelated_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Zetas, "are_related", lambda self: False)
        assert attempt(parse("INST(T=3)"), "Pri", True, 3) is None
        fooled(patch)
        document = attempt(parse("INST(T=3)"), "Pri", True, 3)
    assert document["scope"]["ranked"] == 3
    assert r"['Z4', '(0, oo)']]; expected " in refused(check_document, document, "variables are")


def test_a_checker_with_another_identity_is_caught_by_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Zetas._one
    monkeypatch.setattr(Zetas, "_one", lambda self, s, x: right(self, s, x) + fmpq(1, 2**80))
    with pytest.raises(InvalidInput, match="replacing zeta values by variables changes"):
        check_document(inst())


@pytest.mark.parametrize("x", [fmpq(0), fmpq(-1, 2), Fraction(-3)])
def test_no_value_at_arguments_that_are_not_positive(x: Any) -> None:
    zetas, r = Zetas(World(), None), variable("r", "(0, 1)")
    for exponent, argument in ((2, x), (2, 1 / (2 - r)), (1, 2 - r)):
        with pytest.raises(InvalidInput):
            zetas(exponent, argument)


def test_a_gain_is_asked_about_only_where_something_depends_on_it() -> None:
    rng = np.random.default_rng(3)
    for shape in ((7,), (5, 6), (40, 1), (2, 3, 4), (4, 0)):
        gains = rng.choice([0.0, 0.0, 0.5], shape)
        plain = np.logical_or.accumulate((gains != 0)[..., ::-1], axis=-1)[..., ::-1]
        assert np.array_equal(_last_relevant(gains), plain)
    grades = np.array([[variable("r1", "[0, 1]"), variable("r2", "(0, 1)"), fmpq(0)]], dtype=object)
    assert _last_relevant(grades).tolist() == [[True, True, False]]
    with pytest.raises(SignUnknown):
        _last_relevant(grades[:, :1])
