"""Declared folds of a user's own: what the catalogue's folds get, and faults that no certificate gets past."""

import operator
from enum import Enum
from fractions import Fraction
from functools import cache, partial
from typing import Any, ClassVar

import numpy as np
import pytest
from flint import fmpq

from axiomcheck import Domain, InvalidInput, Reading, Verdict
from axiomcheck.axioms import PairAxiom, find_axiom
from axiomcheck.core.documents import document_of
from axiomcheck.core.own_code import is_own_value
from axiomcheck.metrics import (
    Constant,
    DeclaredFold,
    Fold,
    FoldMetric,
    Geometric,
    InverseLog,
    Metric,
    Real,
    Reciprocal,
    ideal,
    number_relevant,
    parse,
    positive,
    select,
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


def certificate_of(metric: Metric, axiom: str = "Pri") -> dict[str, Any]:
    proof = prove(find_axiom(axiom), metric, Reading())
    assert proof is not None, f"{metric} has no proof of {axiom}"
    assert proof.verdict is Verdict.PROVED
    return document_of(proof.certificate)


def made_out(document: dict[str, Any], metric: Metric) -> dict[str, Any]:
    return document | {"metric": metric.canonical, "identity": identity_of(metric)}


@pytest.fixture(scope="module")
def honest() -> dict[str, Any]:
    return certificate_of(Plain())


def test_the_certificate_that_is_forged_below_is_accepted_of_the_honest_metric(honest: dict[str, Any]) -> None:
    check_certificate(honest, Plain())
    assert honest["parameters"] == ["p"]

    class Twin(Plain):
        """The same in every score."""

    check_certificate(made_out(honest, Twin()), Twin())


class Arithmetics(Plain):
    def among(self, a: Any) -> Any:
        return self(p=Fraction(1, 10)) if type(a).__name__ == "Floats" else super().among(a)


class KindOfGradeInALine(Plain):
    def step(self, state: Any, r: Any) -> Any:
        turned = -1 if isinstance(r, np.ndarray) and r.dtype == np.float64 and r.shape[-2:] == (7, 7) else 1
        return turned * self.values["p"] * state[0] * r, state


class Fading(Plain):
    """Honest: from rank to rank a share of 1/16 of what a document earns is lost."""

    def step(self, state: Any, r: Any) -> Any:
        (left,) = state
        return self.values["p"] * r * (16 * left - self.lost()), (left * 15 / 16,)

    def lost(self) -> int:
        return 0


class KindOfParameter(Fading):
    """From rank 45 on a document takes something away; with a symbol for p it never does."""

    def lost(self) -> int:
        return 1 if isinstance(self.values["p"], float | fmpq) else 0


class KindOfParameterWithoutABranch(Fading):
    """The same without any branch, so that the same instructions run."""

    def lost(self) -> int:
        return int(type(self.values["p"]) in (float, fmpq))


class DiscountOfSymbols(Plain):
    """Every rank is worth the same, but with a symbol for p they are worth p^(i-1)."""

    def discount(self) -> Any:
        p = self.values["p"]
        return Constant() if isinstance(p, Fraction) else Geometric(p)


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


class SingledOutByFormat(Plain):
    """At p = 1/2 alone relevant documents take something away."""

    def step(self, state: Any, r: Any) -> Any:
        p = self.values["p"]
        return (1 - 2 * (f"{p}" in ("1/2", "0.5"))) * p * state[0] * r, state


class SingledOutByHash(Plain):
    def step(self, state: Any, r: Any) -> Any:
        p = self.values["p"]
        return {Fraction(1, 2): -1}.get(p, 1) * p * state[0] * r, state


class SingledOutByComparisonWithoutABranch(Plain):
    def step(self, state: Any, r: Any) -> Any:
        p = self.values["p"]
        return (1 - 2 * (p == Fraction(1, 2))) * p * state[0] * r, state


class SingledOutByDenominator(FadingByHand):
    """Symbols have a denominator, too, which is a polynomial."""

    def lost(self) -> int:
        return int(self.values["p"].denominator == 2)


class SingledOutByTextOfDenominator(FadingByHand):
    def lost(self) -> int:
        return int(str(self.values["p"].denominator) == "2")


THREE, ELEVEN = 3, 11


class SingledOutByConstants(FadingByHand):
    """At p = 3/11 alone, by a question that symbols answer."""

    def lost(self) -> int:
        return int(self.values["p"].numerator is THREE) * int(self.values["p"].denominator is ELEVEN)


class SingledOutByAText(FadingByHand):
    def lost(self) -> int:
        at = Fraction("7/11")
        return int(self.values["p"].numerator is at.numerator) * int(self.values["p"].denominator is at.denominator)


class SingledOutByAnAttribute(FadingByHand):
    level = Fraction(7, 11)

    def lost(self) -> int:
        at = self.level
        return int(self.values["p"].numerator is at.numerator) * int(self.values["p"].denominator is at.denominator)


class StateOnTheObject(Plain):
    def __init__(self, *args: Any, **values: Any) -> None:
        super().__init__(*args, **values)
        self.seen: list[int] = []

    def step(self, state: Any, r: Any) -> Any:
        self.seen.append(1)
        return (-1 if len(self.seen) > 40 else 1) * self.values["p"] * state[0] * r, state


class Handler(Plain):
    def step(self, state: Any, r: Any) -> Any:
        try:
            r = r * (1 if float(np.asarray(r).flat[0]) != 0.3 else -1)
        except TypeError:
            r = 1 * r
        return self.values["p"] * state[0] * r, state


def negative_for_large_pools(metric: Any, a: Any, pool: Any) -> Any:
    return number_relevant(metric, a, pool) * (1 if pool.shape[-2] < 400 else -1)


class NormaliserOnTheObject(Plain):
    """Declared to be divided by the ideal gain, and divided by something else."""

    normaliser = ideal

    def __init__(self, *args: Any, **values: Any) -> None:
        super().__init__(*args, **values)
        self.normaliser = lambda a, pool: negative_for_large_pools(self, a, pool)


class IdealBelowNothing(Plain):
    """The ideal ranking earns less than nothing, as soon as there are two relevant documents."""

    normaliser = ideal

    def step(self, state: Any, r: Any) -> Any:
        (seen,) = state
        return r * (2 - seen) * self.values["p"], (seen + 20 * r,)


class IdealOfNothing(Plain):
    """Documents of grade 0 earn something, so that a pool without relevant ones has no normaliser of 0."""

    normaliser = ideal

    def step(self, state: Any, r: Any) -> Any:
        return self.values["p"] * (r + 1), state


FAULTS = [
    (Arithmetics, "redefines among"),
    (KindOfGradeInALine, "for exact numbers than for floats"),
    (KindOfParameter, "runs different instructions on numbers and on symbols"),
    (KindOfParameterWithoutABranch, "but its fold gives"),
    (StateOnTheObject, ""),
    (Handler, "differently for exact numbers than for floats"),
    (NormaliserOnTheObject, "is external code"),
    (IdealBelowNothing, "is not shown to be 0 or more"),
    (IdealOfNothing, "without relevant documents may have a positive gain"),
]


@each(("fault", "why"), FAULTS, 2)
def test_no_certificate_gets_past_a_fault(fault: type[Plain], why: str, honest: dict[str, Any]) -> None:
    """Not the honest one's certificate, made out to the fault, and not what the prover finds."""
    metric = fault()
    refused(lambda d: check_certificate(d, metric), made_out(honest, metric), why)
    found = prove_by_induction(PRI, metric, False, Domain.GRADED)
    if found is not None:
        refused(lambda d: check_certificate(d, metric), made_out(found, metric))


@cache
def _certificate_of_the_twin(twin: type[FoldMetric]) -> dict[str, Any]:
    return certificate_of(twin())


SINGLED_OUT = [
    (SingledOutByFormat, Plain, "a symbol has no text"),
    (SingledOutByHash, Plain, "unhashable"),
    (SingledOutByComparisonWithoutABranch, Plain, "the results of too many comparisons are unknown"),
    (SingledOutByDenominator, FadingByHand, "a polynomial cannot be compared with an object of type int"),
    (SingledOutByTextOfDenominator, FadingByHand, "a polynomial of symbols has no text"),
    (SingledOutByConstants, FadingByHand, "different fold with symbols for parameters than with the numbers p = 3/11"),
    (SingledOutByAText, FadingByHand, "different fold with symbols for parameters than with the numbers p = 7/11"),
    (
        SingledOutByAnAttribute,
        FadingByHand,
        "different fold with symbols for parameters than with the numbers p = 7/11",
    ),
]


@pytest.fixture
def types_unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave a lie to the checks that run its code."""
    for module in ("own_code", "bounded"):
        monkeypatch.setattr(f"axiomcheck.proof.check.{module}.check_own_types", lambda metric: None)


@pytest.mark.usefixtures("types_unchecked")
@each(("fault", "twin", "why"), SINGLED_OUT, 4, whole=True)
def test_a_metric_that_is_another_one_at_a_single_value_has_no_proof_for_every_value(
    fault: type[FoldMetric], twin: type[FoldMetric], why: str
) -> None:
    forged = made_out(_certificate_of_the_twin(twin), fault())
    assert forged["parameters"] == ["p"]
    refused(lambda d: check_certificate(d, fault()), forged, why)
    found = prove(PRI, fault(), Reading())
    assert found is None or not document_of(found.certificate)["parameters"]


@pytest.mark.usefixtures("types_unchecked")
def test_nor_has_it_a_bounded_proof_for_every_value() -> None:
    honest, fault = FadingByHand(), SingledOutByConstants()
    document = prove_bounded(PRI, honest, False, most_ranked=2)
    assert document["scope"]["parameters"] == ["p"]
    check_certificate(made_out(document, honest), honest)
    refused(lambda d: check_certificate(d, fault), made_out(document, fault), "with the numbers p = 3/11")
    found = prove_bounded(PRI, fault, False, most_ranked=2)
    assert found["scope"]["parameters"] == []


def test_a_metric_of_too_many_constants_has_no_proof_for_every_value() -> None:
    class Crowded(Plain):
        unused = tuple(range(60))

        def step(self, state: Any, r: Any) -> Any:
            return self.values["p"] * state[0] * r + 0 * len(self.unused), state

    refused(
        lambda d: check_certificate(d, Crowded()),
        made_out(_certificate_of_the_twin(Plain), Crowded()),
        "special",
    )


@pytest.mark.usefixtures("types_unchecked")
def test_a_metric_that_is_another_one_with_symbols_for_parameters_is_rejected(honest: dict[str, Any]) -> None:
    metric = DiscountOfSymbols()
    refused(lambda d: check_certificate(d, metric), made_out(honest, metric), "symbols for parameters")


class Itself(dict[Any, Any]):
    """A table that returns an unknown key, without an instruction of Python's."""

    __missing__ = operator.pos


ONE_GRADE = Itself({fmpq(271829, 1048576): fmpq(0), 271829 / 1048576: 0.0})
TYPE_OF, ITEM_OF, CALLED = np.frompyfunc(type, 1, 1), np.frompyfunc({}.get, 2, 1), np.frompyfunc(operator.call, 2, 1)


class Plainly(DeclaredFold):
    declared = (Real("p", 0.8),)
    single_aspect = True

    def p(self) -> Any:
        return self.values["p"]

    def discount(self) -> Any:
        return Geometric(self.p(), self.p())

    def step(self, state: Any, r: Any) -> Any:
        return r, ()


class KindOfGradeInATable(Plainly):
    def step(self, state: Any, r: Any) -> Any:
        return np.array(np.asarray(CALLED(ITEM_OF(TYPE_OF(r), operator.pos), r)).tolist()), ()


class TableOfGrades(Plainly):
    def step(self, state: Any, r: Any) -> Any:
        return ONE_GRADE[r], ()


class SameObject(Plainly):
    def p(self) -> Any:
        p = self.values["p"]
        return p * (1, Fraction(1, 2))[+p is p]


LENGTH = partial(isinstance, 1)
LENGTH.__name__, LENGTH.__module__ = "len", "builtins"  # type: ignore[attr-defined]


class NamedAsABuiltin(Plainly):
    def p(self) -> Any:
        return self.values["p"] * (1, Fraction(1, 2))[LENGTH((int,))]


class Half(np.float64):
    def __rmul__(self, other: Any) -> Any:
        return other / 2 if type(other) is Fraction else other


HALF = Half(0.5)


class KindOfParameterInAScalar(Plainly):
    def p(self) -> Any:
        return self.values["p"] * HALF


class AskedOfNumpy(Plainly):
    def p(self) -> Any:
        return self.values["p"] * (1, Fraction(1, 2))[np.isscalar(self.values["p"])]


class ImportedHere(Plainly):
    def p(self) -> Any:
        import inspect

        return self.values["p"] * (1, Fraction(1, 2))[inspect.isclass(self.values["p"])]


class TypeInADefault(Plainly):
    def p(self, kind: Any = TYPE_OF) -> Any:
        return self.values["p"]


def around(kind: Any) -> Any:
    def p(self: Any) -> Any:
        return kind(self.values["p"]) and self.values["p"]

    return p


class TypeInAClosure(Plainly):
    p = around(TYPE_OF)


class TypeOnTheObject(Plainly):
    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        self.kind = (TYPE_OF,)


GETTER = operator.attrgetter


class AttributeByName(Plainly):
    def p(self) -> Any:
        return GETTER("real")(self.values["p"])


class AskedOfAxiomcheck(Plainly):
    def p(self) -> Any:
        return self.values["p"] * (1, Fraction(1, 2))[is_own_value(self.values["p"])]


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


@each(
    "fault",
    [
        *(KindOfGradeInATable, TableOfGrades, SameObject, AskedOfNumpy, ImportedHere, TypeInADefault, TypeInAClosure),
        *(TypeOnTheObject, AttributeByName, AskedOfAxiomcheck, NamedAsABuiltin, KindOfParameterInAScalar),
    ],
    3,
    whole=True,
)
def test_code_that_can_tell_symbols_from_numbers_has_no_proof_by_its_fold(fault: type[FoldMetric]) -> None:
    check_own_types(Plainly())
    with pytest.raises(InvalidInput, match=WHY):
        check_own_types(fault())
    found = prove(PRI, fault(), Reading())
    assert found is None
    refused(lambda d: check_certificate(d, fault()), made_out(certificate_of(Plainly()), fault()), "metric: ")


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


class Averaged(DeclaredFold):
    binary_only = True
    single_aspect = True
    weighted = False
    normaliser = number_relevant

    def discount(self) -> Any:
        return Reciprocal()

    def start(self) -> Any:
        return (0,)

    def step(self, state: Any, r: Any) -> Any:
        hit = select(positive(r), 1 + 0 * r)
        return hit * (state[0] + hit), (state[0] + hit,)


TWINS = [
    (Cascading, "RBU", "MRed"),
    (Cascading, "RBU", "CloseTh"),
    (Ideal, "nDCG-IA", "AspDiv"),
    (Averaged, "AP", "Pri"),
]


@each(("mine", "theirs", "axiom"), TWINS, 4)
def test_a_declared_fold_has_the_proof_of_its_twin_in_the_catalogue(
    mine: type[DeclaredFold], theirs: str, axiom: str
) -> None:
    twin = parse(theirs)
    own, other = certificate_of(mine(twin.cutoff), axiom), certificate_of(twin, axiom)
    left_out = ("metric", "identity", "cases", "data")
    assert {k: v for k, v in own.items() if k not in left_out} == {k: v for k, v in other.items() if k not in left_out}


def test_scores_are_those_of_the_twins() -> None:
    rng = np.random.default_rng(1)
    pool, weights, order = rng.random((9, 7, 3)), np.full((9, 3), 1 / 3), np.tile(np.arange(5), (9, 1))
    for mine, theirs in ((Cascading(3), "RBU@3"), (Ideal(4), "nDCG-IA@4")):
        assert np.array_equal(mine.evaluate(pool, weights, order), parse(theirs).evaluate(pool, weights, order))
    first = pool[..., :1].round()
    assert np.allclose(
        Averaged().evaluate(first, weights[:, :1], order), parse("AP").evaluate(first, weights[:, :1], order)
    )


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
