"""Functions over arrays: which of them run in exact arithmetic and on series in eps, and what they are then worth."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from axiomcheck import InvalidInput, Metric, MetricError, exactly, parse
from axiomcheck.axioms import find_axiom
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.comparison import compare, signs
from axiomcheck.decide.sampling import generator, sample_batches
from axiomcheck.decide.space import InstanceSpace
from axiomcheck.numbers.arithmetic import Floats, Rationals
from axiomcheck.numbers.series import Series
from axiomcheck.sources.function_metrics import metric
from tests.support.suites import each
from tests.support.unread import unread

Array = Any
Function = Callable[..., Any]


def err_ia(grades: Array, weights: Array) -> Array:
    """Rank by rank, as a program would."""
    score, reached = 0, 1
    for i in range(grades.shape[1]):
        score = score + reached * grades[:, i] / (i + 1)
        reached = reached * (1 - grades[:, i])
    return np.sum(weights * score, axis=1)


def rbp(grades: Array, weights: Array) -> Array:
    p = exactly(0.8, like=grades)
    return (1 - p) * (grades[..., 0] @ p ** np.arange(grades.shape[1]))


def srecall(grades: Array, weights: Array) -> Array:
    covered = np.any(grades > 0, axis=1)
    return exactly(covered, like=grades).sum(axis=1) / covered.shape[1]


TWINS: tuple[tuple[Function, str, dict[str, bool]], ...] = (
    (err_ia, "ERR-IA@inf", {}),
    (srecall, "S-Recall@inf", {"binary_only": True}),
    (rbp, "RBP(p=0.8)", {"single_aspect": True}),
)


def batches(axiom: str, small: bool, seed: int = 0, size: int = 60) -> list[Batch]:
    found = find_axiom(axiom)
    rng = generator("own", axiom, small, seed)
    return [b for b in sample_batches(InstanceSpace(found, small=small, max_rank=8), size, rng) if b.size]


def disagreements(own: Metric, twin: Metric, axiom: str, small: bool) -> int:
    return sum(int(np.count_nonzero(compare(own, b).sign != compare(twin, b).sign)) for b in batches(axiom, small))


@each(("function", "text", "declared"), TWINS, 3, ids=lambda x: getattr(x, "__name__", ""))
def test_functions_run_in_every_arithmetic_as_the_catalogue_does(
    function: Function, text: str, declared: dict[str, bool]
) -> None:
    own, twin = metric(**declared)(function), parse(text)
    assert (own.numerical(False), own.numerical(True)) == ("", "")
    for axiom in ("Pri", "Conf") if own.single_aspect else ("Pri", "AspRel", "MRed"):
        for small in (False, True):
            assert disagreements(own, twin, axiom, small) == 0, (axiom, small)
            some = [b for b in batches(axiom, small) if b.draft.shape.ranked <= 4]
            assert [signs(own, b) for b in some] == [signs(twin, b) for b in some]


def test_the_comparison_with_the_catalogue_sees_faults() -> None:
    assert disagreements(metric(single_aspect=True)(rbp), parse("RBP(p=0.3)@2"), "Pri", True) > 0
    assert disagreements(metric()(err_ia), parse("S-Recall@inf"), "AspRel", True) > 0


# -------------------------------------------------------------------------------------- found out to be numerical

FLOATS = "its function cannot be run on exact rationals: it "


def dcg(grades: Array, weights: Array) -> Array:
    return (grades[..., 0] / np.log2(np.arange(2, grades.shape[1] + 2))).sum(axis=1)


def roots(grades: Array, weights: Array) -> Array:
    return np.sqrt(grades).sum(axis=(1, 2))


def roots_of_several_aspects(grades: Array, weights: Array) -> Array:
    return roots(grades, weights) if grades.shape[2] > 1 else grades.sum(axis=(1, 2))


def total(grades: Array, factor: int = 1) -> Array:
    return grades.sum(axis=(1, 2)) * factor


NOT_EXACT: dict[str, tuple[Function, str]] = {
    "combined": (dcg, FLOATS + "combines floats with exact numbers"),
    "logarithm": (
        lambda grades, weights: total(np.log1p(grades)),
        "its function cannot be run on exact rationals: np.log1p cannot be evaluated exactly",
    ),
    "equal to a float, which no exact number is": (
        lambda grades, weights: total(grades) + total(exactly(grades == 0.3, like=grades)),
        "its function scores 3/10 in exact rationals, but 1.3 in floats on grades [(3/10)]",
    ),
    "other numbers on several aspects": (
        lambda grades, weights: total(grades, 2 if grades.dtype == object and grades.shape[2] > 1 else 1),
        "its function scores 4 in exact rationals, but 2 in floats",
    ),
}


@pytest.mark.parametrize("kind", NOT_EXACT)
def test_functions_that_are_not_exact_are_found_out(kind: str) -> None:
    function, why = NOT_EXACT[kind]
    own = metric()(unread(function))
    assert why in own.numerical(False)
    assert own.numerical(True) == own.numerical(False)


def test_single_aspect_functions_are_tried_on_one_aspect() -> None:
    assert metric(single_aspect=True)(unread(roots_of_several_aspects)).numerical(False) == ""
    assert metric()(unread(roots_of_several_aspects)).numerical(False)


def assigned(grades: Array, weights: Array) -> Array:
    later = np.zeros_like(grades)
    later[:, 1:] = grades[:, 1:]
    return later.sum(axis=(1, 2))


def bounded(grades: Array, weights: Array) -> Array:
    return (grades / (1 + grades)).sum(axis=(1, 2))


def other_numbers_on_series_of_floats(grades: Array, weights: Array) -> Array:
    return grades.sum(axis=(1, 2)) * (2 if isinstance(grades, Series) and not grades.is_exact else 1)


def overwritten(grades: Array, weights: Array) -> Array:
    first = grades[:, 0]
    first *= 0
    return grades.sum(axis=(1, 2))


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (assigned, "its function cannot be run on series in eps: TypeError: 'Series' object does not support item"),
        (
            bounded,
            "its function cannot be run on series in eps: NotImplementedError: a quotient by a series with several",
        ),
        (overwritten, "its series in eps differ from its scores for small grades in the ratios [(1)]"),
        (other_numbers_on_series_of_floats, "its series in eps differ between floats and exact rationals"),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_exact_functions_without_a_series_are_found_out(function: Function, why: str) -> None:
    assert metric()(function).numerical(True) == ""  # by its source
    own = metric()(unread(function))
    assert own.numerical(False) == ""
    assert own.numerical(True).startswith(why)


# ------------------------------------------------------------------------------------------------- running them


def test_a_branch_that_no_probe_took_is_an_error_and_no_verdict() -> None:
    def rare(grades: Array, weights: Array) -> Array:
        total = grades.sum(axis=(1, 2))
        return np.where(total > 40, 0.5, total) if grades.shape[1] > 40 else total

    own = metric()(rare)
    assert own.numerical(False) == ""
    many = np.full((1, 41, 1), fmpq(1))
    with pytest.raises(MetricError, match="rare returned float for exact grades"):
        own.score(Rationals(), many, np.full((1, 1), fmpq(1)), many)


def test_terms_that_the_search_drops_are_computed_where_they_decide() -> None:
    """x^3 > 0 cannot be told from x^3 cut off at eps^2, and x^3 / x loses an order."""

    def cubes(grades: Array, weights: Array) -> Array:
        return exactly(grades**3 > 0, like=grades).sum(axis=(1, 2))

    def ratios(grades: Array, weights: Array) -> Array:
        total = grades.sum(axis=(1, 2))
        safe = np.where(total > 0, total, 1)
        return (total + total**3) / safe

    x, w = np.array([[[0.5], [0.25]]]), np.ones((1, 1))
    series = Series({1: x}, 2)
    for function in (cubes, ratios):
        assert metric()(function).numerical(True) == ""
    assert metric()(cubes).score(Floats(), series, w, series) == 2
    score = metric()(ratios).score(Floats(), series, w, series)
    assert {k: c[0] for k, c in score.terms.items()} == {0: 1, 2: 0.5625}


def test_an_order_above_what_the_search_keeps_is_left_to_exact_arithmetic() -> None:
    """One ranking is computed in full and the other cut off: what the one has above that is no difference."""

    def uneven(grades: Array, weights: Array) -> Array:
        total = grades.sum(axis=(1, 2))
        if grades.shape[1] > 1:
            return total**2 + total**3
        return total**2 + exactly(total**3 > 0, like=grades) * total**4

    own = metric()(uneven)
    x, w = np.full((1, 2, 1), 0.25), np.ones((1, 1))
    for ranking in (x, 2 * x[:, :1]):
        score = own.score(Floats(), Series({1: ranking}, 2), w, Series({1: x}, 2))
        assert (max(score.terms), score.keep, score.dropped) == (2, 2, True)


def test_a_function_gets_copies() -> None:
    def greedy(grades: Array, weights: Array) -> Array:
        total = grades.sum(axis=(1, 2))
        grades *= 0
        weights *= 0
        return total

    own = metric()(greedy)
    x, w = np.full((2, 3, 1), 0.5), np.ones((2, 1))
    assert np.array_equal(own.score(Floats(), x, w, x), own.score(Floats(), x, w, x))
    assert x.all()
    assert w.all()


# --------------------------------------------------------------------------------------------------- exactly


def test_exactly_is_a_float_among_floats_and_a_rational_among_rationals() -> None:
    plain, precise = np.array([0.5]), np.array([fmpq(1, 2)], dtype=object)
    for like in (plain, Series({1: plain})):
        assert exactly(0.8, like=like) == 0.8
        assert exactly(np.array([1, 2]), like=like).dtype == np.float64
        assert exactly([0.5, "1/4"], like=like).tolist() == [0.5, 0.25]
    for like in (precise, Series({1: precise})):
        for value in (0.8, "4/5", Fraction(4, 5), np.float64(0.8)):
            found = exactly(value, like=like)
            assert isinstance(found, fmpq)
            assert found == fmpq(4, 5)
        assert exactly(np.int64(3), like=like) == 3
        assert list(exactly(np.array([True, False]), like=like)) == [fmpq(1), fmpq(0)]
        assert list(exactly((0.1, 1), like=like)) == [fmpq(1, 10), fmpq(1)]
        assert list(exactly(0.5, like=like) ** np.arange(3)) == [fmpq(1), fmpq(1, 2), fmpq(1, 4)]


@pytest.mark.parametrize("value", [np.array([0.8]), np.array([Fraction(1, 2)]), float("nan"), "x", True, None])
def test_exactly_refuses_what_is_not_exact(value: Any) -> None:
    for like in (np.array([0.5]), np.array([fmpq(1, 2)], dtype=object)):
        with pytest.raises(InvalidInput, match="exactly: "):
            exactly(value, like=like)


def test_floats_that_only_long_rankings_meet_are_found_out() -> None:
    @metric(single_aspect=True)
    def late(grades: Array, weights: Array) -> Array:
        gains = grades[..., 0]
        return (gains > 0.503).sum(axis=1) / 1.0 if gains.shape[1] > 12 else gains.sum(axis=1)

    assert "floats" in late.numerical(False)
