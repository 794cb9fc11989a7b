"""One definition, every arithmetic: floats, rationals, balls, symbols and series in eps say the same."""

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import flint
import numpy as np
import pytest
from flint import arb, fmpq

from axiomcheck.core.errors import MetricError, NotRational
from axiomcheck.metrics import CATALOGUE, Metric, parse
from axiomcheck.numbers.arithmetic import Arithmetic, Balls, Floats, Rationals, Symbols
from axiomcheck.numbers.series import Series
from tests.numbers.test_numbers_series_numpy import at
from tests.support.metrics_topics import NEEDS_CUTOFF, batch, exact, floats, knows_aspects, variants
from tests.support.suites import each

LOGARITHMIC = {
    *("nDCG", "nDCG-IA", "D-nDCG", "D#-nDCG", "alpha-nDCG", "EU"),
    *("alpha-nDCG-greedy", "trec-alpha-DCG", "trec-alpha-nDCG"),
}
OTHERWISE = {"INST", "P@H-DCG", "P@H-walk"}
"""Irrational in other ways: `test_cwl` and `test_stopping`."""

ENDLESS = {"INST", "INST-upper", "P@H-ERR"}
"""Metrics whose scores are endless power series in eps: the same."""

POSITIVE = {"INST-upper", "P@H-ERR"}
"""Metrics that say what a ranking could score at best, or how early a user ends, satisfied or not."""

METRICS = list(CATALOGUE)
COSTLY = {"EU", "RBU", "RBU-program"}
DEPTH = 6
ARITHMETICS: tuple[tuple[Arithmetic, Any], ...] = ((Balls(), np.asarray), (Floats(), floats))


def real(x: Any) -> float:
    """Return a rational or a ball as the nearest double."""
    return float(x.mid()) if isinstance(x, arb) else float(Fraction(int(x.p), int(x.q)))


def alike(x: Any, y: Any) -> bool:
    """Tell whether two exact values are equal, or two balls narrow and not apart."""
    if isinstance(x, arb) or isinstance(y, arb):
        a, b = arb(x), arb(y)
        return bool(a.overlaps(b)) and float(a.rad()) < 1e-9 and float(b.rad()) < 1e-9
    return bool(x == y)


def all_alike(x: Any, y: Any) -> bool:
    x, y = np.asarray(x, dtype=object), np.asarray(y, dtype=object)
    assert x.shape == y.shape
    return all(alike(a, b) for a, b in zip(x.reshape(-1), y.reshape(-1), strict=True))


def sampled(name: str, seed: int = 0, size: int = 4) -> Iterator[tuple[Metric, Any, Any, Any]]:
    """Yield variants of a metric, mostly at most 23, with a batch that each can score: two rankings of B topics."""
    rng = np.random.default_rng(seed)
    metrics = list(variants(name))
    step = 1 if name == "P@H-walk" else max(1, len(metrics) // 12)  # its parameters together decide which code runs
    for metric in metrics[seed % 3 :: step]:
        m = int(rng.integers(1, 4)) if knows_aspects(metric, 2) else 1
        yield metric, *batch(rng, size, 4, DEPTH, m)


def floats_agree(metric: Metric, twin: Metric, grades: Any, weights: Any, pool: Any) -> bool:
    """Tell whether a metric over floats is its twin over balls, to 1e-9."""
    approximate = metric.score(Floats(), floats(grades), floats(weights), floats(pool))
    certified = twin.score(Balls(), grades, weights, pool)
    assert approximate.dtype == np.float64
    assert approximate.shape == certified.shape == grades.shape[:-2]
    pairs = zip(approximate.flat, certified.flat, strict=True)
    return bool(max(abs(x - real(y)) for x, y in pairs) < 1e-9)


@each("name", METRICS, 6)
def test_floats_agree_with_balls(name: str) -> None:
    for metric, *topics in sampled(name):
        assert floats_agree(metric, metric, *topics), metric


@each("name", sorted(LOGARITHMIC), 5)
def test_rationals_refuse_logarithms(name: str) -> None:
    refused = 0
    for metric, grades, weights, pool in sampled(name):
        with pytest.raises(NotRational, match=r"InverseLog.* is irrational at rank \d"):
            metric.score(Rationals(), grades, weights, pool)
        refused += 1
        if metric.cutoff is None:  # one rank alone has a whole logarithm
            one = metric.score(Rationals(), grades[..., :1, :], weights, pool[..., :1, :])
            assert all(isinstance(v, fmpq) for v in one.flat)
    assert refused


def value_of_symbols(metric: Metric, x: Any, depth: int) -> Any:
    """Return a polynomial (or fraction of two) in the discounts, with the metric's discounts put in as balls."""
    if isinstance(x, fmpq):
        return x
    base = metric.values.get("log", Fraction(2))
    unit = arb(1) if base is None else arb(fmpq(base.numerator, base.denominator)).log()

    def discount(i: int) -> arb:
        return 1 / (1 + arb(i).log() / unit) if metric.name == "EU" else arb(2).log() / arb(i + 1).log()

    def polynomial(x: Any) -> arb:
        total = arb(0)
        for powers, coefficient in x.terms() if isinstance(x, flint.fmpq_mpoly) else [((), fmpq(x))]:
            product = arb(coefficient)
            for generator, power in enumerate(powers):
                if power:
                    assert generator < depth
                    product *= discount(generator + 1) ** power
            total += product
        return total

    return polynomial(x.numerator) / polynomial(x.denominator)


@each("name", sorted(set(METRICS) - OTHERWISE), 8)
def test_symbols_agree_with_balls(name: str) -> None:
    """The seed form of nDCG-IA adds fractions with many terms, so it gets one topic."""
    metrics = list(variants(name))
    rng = np.random.default_rng(3)
    for metric in metrics[:: max(1, len(metrics) // 12)]:
        m = 2 if knows_aspects(metric, 2) else 1
        grades, weights, pool = batch(rng, 1 if name == "nDCG-IA" else 3, 3, 4, m)
        depth = 20
        with flint.ctx.workprec(200):
            symbolic = metric.score(Symbols(depth), grades, weights, pool)
            values = [value_of_symbols(metric, x, depth) for x in np.asarray(symbolic, dtype=object).flat]
            certified = metric.score(Balls(), grades, weights, pool)
            assert all_alike(np.array(values, dtype=object), certified.reshape(-1)), metric


@each("name", sorted(LOGARITHMIC), 5)
def test_a_symbolic_tie_is_an_identity(name: str) -> None:
    """Two documents with the same grades may swap ranks; a better document may not."""
    metric = parse(f"{name}@inf" if name not in NEEDS_CUTOFF else f"{name}@5")
    pool = exact([[Fraction(1, 2)], [Fraction(1, 2)], [Fraction(0)]], 1, 3, 1)
    weights = exact([Fraction(1)], 1, 1)
    symbols = Symbols(20)
    orders = itertools.permutations(range(3))
    score = {order: metric.score(symbols, pool[:, list(order)], weights, pool)[0] for order in orders}
    assert score[0, 1, 2] - score[1, 0, 2] == 0
    assert score[0, 2, 1] - score[1, 2, 0] == 0
    assert score[0, 2, 1] - score[0, 1, 2] != 0
    assert score[2, 0, 1] - score[0, 1, 2] != 0


def test_the_comparison_of_arithmetics_sees_faults() -> None:
    seen = 0
    right, wrong = parse("NRBP(alpha=0.5)"), parse("NRBP(alpha=0.500001)")
    for seed in range(5):
        topics = batch(np.random.default_rng(seed), 4, 4, DEPTH, 2)
        assert floats_agree(right, right, *topics)
        seen += not floats_agree(right, wrong, *topics)
        assert not all_alike(right.score(Balls(), *topics), wrong.score(Balls(), *topics))
    assert seen == 5
    assert not alike(arb("1 +/- 1e-20"), arb("1.0001 +/- 1e-20"))
    assert not alike(arb("1 +/- 0.1"), arb(1))


def series_agrees(metric: Metric, twin: Metric, grades: Any, weights: Any, pool: Any) -> bool:
    """Tell whether a metric's series in eps, evaluated, is its twin scored on the grades times eps."""
    a = Balls()
    score = metric.score(a, Series({1: grades}), weights, Series({1: pool}))
    if isinstance(score, Series):
        assert not score.dropped
    return all(
        all_alike(at(score, eps), twin.score(a, grades * eps, weights, pool * eps))
        for eps in (fmpq(1, 100), fmpq(3, 1000), fmpq(1, 10**6))
    )


@each("name", sorted(set(METRICS) - ENDLESS), 7)
def test_series_are_scores_at_small_grades(name: str) -> None:
    """At every eps so small that CT's levels are not reached; nothing is dropped, so it is an identity."""
    for metric, *topics in sampled(name, seed=1):
        assert series_agrees(metric, metric, *topics), metric


@each("name", METRICS, 7)
def test_float_series_have_the_coefficients_of_exact_ones(name: str) -> None:
    for metric, grades, weights, pool in sampled(name, seed=2):
        exactly = metric.score(Balls(), Series({1: grades}), weights, Series({1: pool}))
        nearly = metric.score(Floats(), Series({1: floats(grades)}), floats(weights), Series({1: floats(pool)}))
        assert isinstance(exactly, Series) == isinstance(nearly, Series)
        if not isinstance(exactly, Series):
            exactly, nearly = Series({0: exactly}), Series({0: nearly})
        for order in exactly.terms | nearly.terms:
            x = np.broadcast_to(np.asarray(nearly.terms.get(order, 0.0)), grades.shape[:-2])
            y = np.broadcast_to(np.asarray(exactly.terms.get(order, fmpq(0)), dtype=object), grades.shape[:-2])
            assert max(abs(u - real(v)) for u, v in zip(x.flat, y.flat, strict=True)) < 1e-9, (metric, order)


def test_the_comparison_of_series_sees_faults() -> None:
    topics = batch(np.random.default_rng(5), 4, 4, DEPTH, 1)
    assert series_agrees(parse("ERR"), parse("ERR"), *topics)
    assert not series_agrees(parse("ERR"), parse("ERR@2"), *topics)
    assert not series_agrees(parse("RBU(e=0.05)"), parse("RBU(e=0.05001)"), *topics)
    # CT with a level that the grades times eps do reach: the limit is not the score there
    assert not series_agrees(parse("CT(level=0.001)"), parse("CT(level=0.001)"), *topics)


def test_the_limit_refuses_what_it_cannot_order() -> None:
    mixed = Series({1: np.full((1, 2, 1), fmpq(1, 2)), 2: np.full((1, 2, 1), fmpq(1, 2))})
    weights = exact([Fraction(1)], 1, 1)
    for text in ("nDCG", "alpha-nDCG-greedy", "ERR(aggregate=max)"):
        with pytest.raises(NotImplementedError, match="only for values of the same order"):
            parse(text).score(Rationals(), mixed[:, :1], weights, mixed)


def one_by_one(metric: Metric, a: Arithmetic, grades: Any, weights: Any, pool: Any) -> Any:
    """Return the scores of a batch, each computed on its own without leading axes."""
    out = np.empty(grades.shape[:2], dtype=object)
    for side, b in np.ndindex(*grades.shape[:2]):
        out[side, b] = np.asarray(metric.score(a, grades[side, b], weights[b], pool[b])).item()
    return out


@each("name", METRICS, 7)
def test_a_batch_is_its_instances(name: str) -> None:
    """Grades (2, B, n, m) against weights (B, m) and pool (B, P, m)."""
    for metric, grades, weights, pool in sampled(name, seed=6):
        together = metric.score(Balls(), grades, weights, pool)
        assert all_alike(together, one_by_one(metric, Balls(), grades, weights, pool)), metric
        in_floats = [floats(x) for x in (grades, weights, pool)]
        apart = one_by_one(metric, Floats(), *in_floats).astype(float)
        assert np.abs(metric.score(Floats(), *in_floats) - apart).max() < 1e-12, metric


@each("name", METRICS, 6)
def test_weights_and_pool_may_be_shared_by_a_batch(name: str) -> None:
    metric = parse(f"{name}(aggregate=max)") if CATALOGUE[name].single_aspect else parse(name)
    grades, weights, pool = batch(np.random.default_rng(7), 3, 4, DEPTH, 3)
    shared = metric.score(Balls(), grades, weights[0], pool[0])
    repeated = (np.broadcast_to(x[0], x.shape) for x in (weights, pool))
    assert all_alike(shared, metric.score(Balls(), grades, *repeated))


@each(
    "text",
    [f"alpha-nDCG-greedy(alpha=0.3{more})" for more in ("", ", weighted=yes")] + ["trec-alpha-nDCG(alpha=0.3)@10"],
    2,
)
def test_greedy_ideals_are_found_per_topic_in_floats_as_exactly(text: str) -> None:
    """Coarse grades and an alpha that is no dyadic fraction: ties which rounding alone would break."""
    metric = parse(text)
    for seed in range(3):
        assert floats_agree(metric, metric, *batch(np.random.default_rng(seed), 30, 5, 7, 5)), seed


@each(("name", "depth"), list(itertools.product(METRICS, (0, 3))), 9)
def test_nothing_relevant_scores_zero_less_the_cost_and_an_empty_ranking_zero(name: str, depth: int) -> None:
    """With judged documents that are not relevant, and an empty pool. (RBU-program at p = 1 is always 0.)"""
    for metric in variants(name):
        costs = name in COSTLY and metric.values["e"] > 0 and not (name == "RBU-program" and metric.values["p"] == 1)
        m = 2 if knows_aspects(metric, 2) else 1
        grades, pool = np.full((1, 3, m), fmpq(0)), np.full((1, depth, m), fmpq(0))
        weights = np.full((1, m), fmpq(1, m))
        for a, convert in ARITHMETICS:
            score = metric.score(a, convert(grades), convert(weights), convert(pool))
            assert score.shape == (1,)
            assert score[0] < 0 if costs else score[0] > 0 if name in POSITIVE else score[0] == 0, metric
            relevant = np.full((1, 3, m), fmpq(1, 2))
            assert metric.score(a, convert(grades[:, :0]), convert(weights), convert(relevant)) == 0, metric


def test_single_aspect_metrics_refuse_several() -> None:
    for name, cls in CATALOGUE.items():
        if cls.single_aspect:
            grades, weights = np.full((1, 2), fmpq(1)), np.full(2, fmpq(1, 2))
            with pytest.raises(
                MetricError, match="supports only one aspect, but was given 2; use aggregate=max to combine aspects"
            ):
                parse(name).score(Rationals(), grades, weights, grades)


def test_grades_of_trec_forms_are_binary() -> None:
    """Any grade above 0 counts as 1, in every arithmetic and in the limit."""
    grades, weights, pool = batch(np.random.default_rng(9), 4, 4, DEPTH, 3)
    ones = [Rationals().integers(x > 0) for x in (grades, pool)]
    for name, cls in CATALOGUE.items():
        metric = parse(name)
        if not knows_aspects(metric, 3):
            continue
        same = all_alike(metric.score(Balls(), grades, weights, pool), metric.score(Balls(), ones[0], weights, ones[1]))
        assert same == cls.binary_only, name
        if name.startswith("trec-"):
            assert cls.binary_only
