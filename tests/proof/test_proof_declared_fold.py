"""Declared folds of a user's own: what the catalogue's folds get, and faults that no certificate gets past."""

import operator
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar

import numpy as np
import pytest
from flint import fmpq

from axiomcheck import Domain, InvalidInput, Reading, Verdict
from axiomcheck.axioms import PairAxiom, find_axiom
from axiomcheck.core.documents import document_of
from axiomcheck.core.own_code import is_own_value
from axiomcheck.metrics import (
    DeclaredFold,
    Fold,
    FoldMetric,
    Geometric,
    InverseLog,
    Metric,
    Real,
    ideal,
    number_relevant,
    parse,
)
from axiomcheck.proof.check import check_certificate
from axiomcheck.proof.check.own_types import check_own_types
from axiomcheck.proof.find.bounded import prove_bounded
from axiomcheck.proof.find.induction import prove_by_induction
from axiomcheck.proof.proving import prove
from axiomcheck.sources.provenance import identity_of
from tests.support.suites import each
from tests.support.tampering import refused

PRI = find_axiom("Pri")
assert isinstance(PRI, PairAxiom)


class Plain(DeclaredFold):
    """The honest one: every document earns its grade times p."""

    name = "plain"
    declared = (Real("p", 0.8),)

    def discount(self) -> Any:
        return Geometric(self.values["p"])

    def start(self) -> Any:
        return (1,)

    def step(self, state: Any, r: Any) -> Any:
        return self.values["p"] * state[0] * r, state


@cache
def honest_certificate(kind: type[FoldMetric]) -> dict[str, Any]:
    return certificate_of(kind())


def certificate_of(metric: Metric, axiom: str = "Pri") -> dict[str, Any]:
    proof = prove(find_axiom(axiom), metric, Reading())
    assert proof is not None, f"{metric} has no proof of {axiom}"
    assert proof.verdict is Verdict.PROVED
    return document_of(proof.certificate)


def made_out(document: dict[str, Any], metric: Metric) -> dict[str, Any]:
    return document | {"metric": metric.canonical, "identity": identity_of(metric)}


def test_the_certificate_that_is_forged_below_is_accepted_of_the_honest_metric() -> None:
    honest = honest_certificate(Plain)
    check_certificate(honest, Plain())
    assert honest["parameters"] == ["p"]

    class Twin(Plain):
        """The same in every score."""

    check_certificate(made_out(honest, Twin()), Twin())


def fault(base: type[FoldMetric], **members: Any) -> type[FoldMetric]:
    """Return a metric that differs from an honest one in some members."""
    return type("Fault", (base,), members)


def p_of(metric: Any) -> Any:
    return metric.values["p"]


class FadingByHand(FoldMetric):
    """A fold beside a metric, which is handed the parameter as it is; with numbers something is lost."""

    name = "by-hand"
    declared = Plain.declared

    def fold(self) -> Any:
        return ByHand(self.values["p"], self.lost())

    def lost(self) -> int:
        return 0


class ByHand(Fold):
    def __init__(self, p: Any, lost: int) -> None:
        self.discount, self.lost = Geometric(p), lost

    def start(self, a: Any) -> Any:
        return (a.number(Fraction(1)),)

    def step(self, a: Any, state: Any, r: Any) -> Any:
        (left,) = state
        return r * (16 * left - self.lost), (left * 15 / 16,)


def signed(sign: Any) -> type[FoldMetric]:
    """Return a metric whose gains have a sign that depends on the metric and the grade."""
    return fault(Plain, step=lambda self, state, r: (sign(self, r) * self.values["p"] * state[0] * r, state))


THREE, ELEVEN, AT = 3, 11, Fraction(7, 11)
# At p = 3/11 alone, by a question that symbols answer.
BY_CONSTANTS = fault(
    FadingByHand, lost=lambda self: int(p_of(self).numerator is THREE) * int(p_of(self).denominator is ELEVEN)
)


def is_at(p: Any, at: Fraction) -> int:
    return int(p.numerator is at.numerator) * int(p.denominator is at.denominator)


class Handler(Plain):
    def step(self, state: Any, r: Any) -> Any:
        try:
            r = r * (1 if float(np.asarray(r).flat[0]) != 0.3 else -1)
        except TypeError:
            r = 1 * r
        return self.values["p"] * state[0] * r, state


class NormaliserOnTheObject(Plain):
    """Declared to be divided by the ideal gain, and divided by something that is negative for large pools."""

    normaliser = ideal

    def __init__(self, *args: Any, **values: Any) -> None:
        super().__init__(*args, **values)
        self.normaliser = lambda a, pool: number_relevant(self, a, pool) * (1 if pool.shape[-2] < 400 else -1)


FAULTS: dict[str, tuple[type[FoldMetric], str]] = {
    "arithmetics": (
        fault(Plain, among=lambda self, a: self(p=0.1) if type(a).__name__ == "Floats" else Plain.among(self, a)),
        "redefines among",
    ),
    # With a symbol for p no document takes anything away.
    "kind of parameter": (
        signed(lambda self, r: -1 if isinstance(p_of(self), float | fmpq) else 1),
        "runs different instructions on numbers and on symbols",
    ),
    "kind of parameter without a branch": (
        signed(lambda self, r: 1 - 2 * (type(p_of(self)) in (float, fmpq))),
        "but its fold gives",
    ),
    "handler": (Handler, "differently for exact numbers than for floats"),
    "normaliser on the object": (NormaliserOnTheObject, "is external code"),
    # The ideal ranking earns less than nothing, as soon as there are two relevant documents.
    "ideal below nothing": (
        fault(
            Plain,
            normaliser=ideal,
            step=lambda self, state, r: (r * (2 - state[0]) * self.values["p"], (state[0] + 20 * r,)),
        ),
        "is not shown to be nonnegative",
    ),
    # Documents of grade 0 earn something, so that a pool without relevant ones has no normaliser of 0.
    "ideal of nothing": (
        fault(Plain, normaliser=ideal, step=lambda self, state, r: (self.values["p"] * (r + 1), state)),
        "without relevant documents may have a positive gain",
    ),
}


@each("name", list(FAULTS), 4, whole=True)
def test_no_certificate_gets_past_a_fault(name: str) -> None:
    """Not the honest one's certificate, made out to the fault, and not what the prover finds."""
    faulty, why = FAULTS[name]
    metric = faulty()
    refused(lambda d: check_certificate(d, metric), made_out(honest_certificate(Plain), metric), why)
    found = prove_by_induction(PRI, metric, False, Domain.GRADED)
    if found is not None:
        refused(lambda d: check_certificate(d, metric), made_out(found, metric))


SINGLED_OUT: dict[str, tuple[type[FoldMetric], type[FoldMetric], str]] = {
    "denominator": (
        fault(FadingByHand, lost=lambda self: int(p_of(self).denominator == 2)),
        FadingByHand,
        "a polynomial cannot be compared with an object of type int",
    ),
    # At p = 1/2 alone relevant documents take something away.
    "format": (signed(lambda self, r: 1 - 2 * (f"{p_of(self)}" in ("1/2", "0.5"))), Plain, "a symbol has no text"),
    "hash": (signed(lambda self, r: {Fraction(1, 2): -1}.get(p_of(self), 1)), Plain, "unhashable"),
    "comparison without a branch": (
        signed(lambda self, r: 1 - 2 * (p_of(self) == Fraction(1, 2))),
        Plain,
        "too many comparisons have unknown results",
    ),
    "constants": (BY_CONSTANTS, FadingByHand, "with symbols for parameters than with the numbers p = 3/11"),
    "an attribute": (
        fault(FadingByHand, level=AT, lost=lambda self: is_at(p_of(self), self.level)),
        FadingByHand,
        "with symbols for parameters than with the numbers p = 7/11",
    ),
}


@pytest.fixture
def types_unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave a lie to the checks that run its code."""
    for module in ("own_code", "bounded"):
        monkeypatch.setattr(f"axiomcheck.proof.check.{module}.check_own_types", lambda metric: None)


@pytest.mark.usefixtures("types_unchecked")
@each("name", list(SINGLED_OUT), 8)
def test_a_metric_that_is_another_one_at_a_single_value_has_no_proof_for_every_value(name: str) -> None:
    faulty, twin, why = SINGLED_OUT[name]
    forged = made_out(honest_certificate(twin), faulty())
    assert forged["parameters"] == ["p"]
    refused(lambda d: check_certificate(d, faulty()), forged, why)
    found = prove(PRI, faulty(), Reading())
    assert found is None or not document_of(found.certificate)["parameters"]


@pytest.mark.usefixtures("types_unchecked")
def test_nor_has_it_a_bounded_proof_for_every_value() -> None:
    honest, faulty = FadingByHand(), BY_CONSTANTS()
    document = prove_bounded(PRI, honest, False, most_ranked=2)
    assert document["scope"]["parameters"] == ["p"]
    check_certificate(made_out(document, honest), honest)
    refused(lambda d: check_certificate(d, faulty), made_out(document, faulty), "with the numbers p = 3/11")
    found = prove_bounded(PRI, faulty, False, most_ranked=2)
    assert found["scope"]["parameters"] == []


def test_a_metric_of_too_many_constants_has_no_proof_for_every_value() -> None:
    class Crowded(Plain):
        unused = tuple(range(60))

        def step(self, state: Any, r: Any) -> Any:
            return self.values["p"] * state[0] * r + 0 * len(self.unused), state

    refused(
        lambda d: check_certificate(d, Crowded()),
        made_out(honest_certificate(Plain), Crowded()),
        "special",
    )


class Itself(dict[Any, Any]):
    """A table that returns an unknown key, without an instruction of Python's."""

    __missing__ = operator.pos


ONE_GRADE = Itself({fmpq(271829, 1048576): fmpq(0), 271829 / 1048576: 0.0})
TYPE_OF = np.frompyfunc(type, 1, 1)


class Plainly(DeclaredFold):
    declared = (Real("p", 0.8),)
    single_aspect = True

    def p(self) -> Any:
        return self.values["p"]

    def discount(self) -> Any:
        return Geometric(self.p(), self.p())

    def step(self, state: Any, r: Any) -> Any:
        return r, ()


SHARES = (1, Fraction(1, 2))


def imports_here(self: Any) -> Any:
    import inspect

    return p_of(self) * SHARES[inspect.isclass(p_of(self))]


def type_in_a_default(self: Any, kind: Any = TYPE_OF) -> Any:
    return p_of(self)


class TypeOnTheObject(Plainly):
    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        self.kind = (TYPE_OF,)


TELLING: dict[str, type[FoldMetric]] = {
    "table of grades": fault(Plainly, step=lambda self, state, r: (ONE_GRADE[r], ())),
    "same object": fault(Plainly, p=lambda self: p_of(self) * SHARES[+p_of(self) is p_of(self)]),
    "asked of numpy": fault(Plainly, p=lambda self: p_of(self) * SHARES[np.isscalar(p_of(self))]),
    "imported here": fault(Plainly, p=imports_here),
    "type in a default": fault(Plainly, p=type_in_a_default),
    "type on the object": TypeOnTheObject,
    "asked of axiomcheck": fault(Plainly, p=lambda self: p_of(self) * SHARES[is_own_value(p_of(self))]),
}


class Curve(Enum):
    STEEP = Fraction(1, 2)


class Written(Plainly):
    """Code with what people use: a table, an enumeration, helpers, a check of the input."""

    shares: ClassVar = {1: Fraction(1, 2)}
    curve = Curve.STEEP

    @staticmethod
    def square(x: Any) -> Any:
        return x**2

    def discount(self) -> Any:
        p = self.p()
        if p > 2:
            raise ValueError(f"p is {p}")
        return Geometric(p, min(p, 1))

    def step(self, state: Any, r: Any) -> Any:
        half = self.shares[1] if self.curve == Curve.STEEP else self.curve.value
        return half * r + sum(self.square(x) for x in [r * half]), ()


WHY = r"which may distinguish symbols|imports inspect|cannot be followed|a subclass of|not plain values"


def test_code_as_people_write_it_has_its_proofs() -> None:
    check_own_types(Written())


@each("name", list(TELLING), 8)
def test_code_that_can_tell_symbols_from_numbers_has_no_proof_by_its_fold(name: str) -> None:
    faulty = TELLING[name]()
    check_own_types(Plainly())
    with pytest.raises(InvalidInput, match=WHY):
        check_own_types(faulty)
    assert prove(PRI, faulty, Reading()) is None
    forged = made_out(honest_certificate(Plainly), faulty)
    refused(lambda d: check_certificate(d, faulty), forged, "metric: ")


class Cascading(DeclaredFold):
    declared = (Real("p", 0.8), Real("e", 0.05, low_open=False, high=None))

    def discount(self) -> Any:
        return Geometric(self.values["p"], self.values["p"])

    def cost(self) -> Any:
        return self.values["e"]

    def start(self) -> Any:
        return (1,)

    def step(self, state: Any, r: Any) -> Any:
        return state[0] * r, (state[0] * (1 - r),)


class Ideal(DeclaredFold):
    normaliser = ideal

    def discount(self) -> Any:
        return InverseLog()

    def step(self, state: Any, r: Any) -> Any:
        return r, ()


TWINS = [
    (Cascading, "RBU", "MRed"),
    (Ideal, "nDCG-IA", "AspDiv"),
]


@each(("mine", "theirs", "axiom"), TWINS, 2)
def test_a_declared_fold_has_the_scores_and_the_proof_of_its_twin_in_the_catalogue(
    mine: type[DeclaredFold], theirs: str, axiom: str
) -> None:
    twin = parse(theirs)
    pool, order = np.random.default_rng(1).random((9, 7, 3)), np.tile(np.arange(5), (9, 1))
    scores = [metric.evaluate(pool, np.full((9, 3), 1 / 3), order) for metric in (mine(3), twin @ 3)]
    assert np.array_equal(*scores)
    own, other = certificate_of(mine(twin.cutoff), axiom), certificate_of(twin, axiom)
    left_out = ("metric", "identity", "cases", "data")
    assert {k: v for k, v in own.items() if k not in left_out} == {k: v for k, v in other.items() if k not in left_out}


class Branching(Plain):
    """Its discount asks whether the parameter has a value, which symbols cannot say."""

    name = "branching"

    def discount(self) -> Any:
        return Geometric(2, 1) if self.values["p"] == Fraction(1, 2) else Geometric(self.values["p"], 1)

    def step(self, state: Any, r: Any) -> Any:
        return r, state


def test_a_discount_that_does_not_run_on_symbols_leaves_a_proof_without_them() -> None:
    assert isinstance(PRI, PairAxiom)
    document = certificate_of(Branching(p=0.8))
    assert document["parameters"] == []
    check_certificate(document, Branching(p=0.8))
    assert prove_by_induction(PRI, Branching(p=0.5), False, Domain.GRADED) is None
