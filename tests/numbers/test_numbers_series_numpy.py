"""numpy on series in eps: what is answered is the answer at every small eps, and the rest is refused."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from axiomcheck.numbers import series_numpy
from axiomcheck.numbers.series import Series, Truncated
from tests.support.metrics_topics import floats
from tests.support.suites import each

EPS = (fmpq(1, 2**30), fmpq(3, 10**12))
RANKS = np.arange(1, 5)

ANSWERED: dict[str, Callable[..., Any]] = {
    "cumprod": lambda x, y: np.cumprod(1 - x, axis=-1),
    "cumprod flat": lambda x, y: np.cumprod(1 - x),
    "multiply.accumulate": lambda x, y: np.multiply.accumulate(1 - x, axis=1),
    "prod": lambda x, y: np.prod(1 - x * y, axis=1),
    "prod of none": lambda x, y: np.prod(x[:, :0], axis=1) + 0 * x[:, 0],
    "cumsum": lambda x, y: np.cumsum(x, axis=1) * y,
    "sum": lambda x, y: np.sum(x * x + y, axis=(0, 1)),
    "sum kept": lambda x, y: x / (1 + np.sum(x * 0, axis=1, keepdims=True)),
    "sums of constants": lambda x, y: (x[:, :1] + np.ones(4, dtype=int)).sum(axis=1),
    "mean": lambda x, y: np.mean(x, axis=0) + y.mean(),
    "average": lambda x, y: np.average(x, axis=1, weights=[1, 2, 3, 4]),
    "max": lambda x, y: np.max(x, axis=1),
    "max of mixed": lambda x, y: (x * x + y).max(axis=1, keepdims=True),
    "min of mixed": lambda x, y: np.min(x * x - y, axis=0),
    "running max": lambda x, y: np.maximum.accumulate(x, axis=1),
    "maximum": lambda x, y: np.maximum(x * x, y) + np.minimum(x, 1),
    "maximum with ties": lambda x, y: np.maximum(x, x),
    "clip": lambda x, y: np.clip(3 - x, 0, 1) + x.clip(0),
    "abs": lambda x, y: abs(x - y) + np.abs(y * y - y),
    "sign": lambda x, y: x * np.sign(x - y),
    "where": lambda x, y: np.where(x > 0, x, y),
    "where on values": lambda x, y: np.where(x, y, 3 * y),
    "masks": lambda x, y: x * (y > 0) + (x >= 2) + (x * 3 <= y) * 1 + (x != y) * y + (x < y),
    "comparison from the left": lambda x, y: y * np.greater(RANKS, x) + (np.zeros(4, dtype=int) < x) * (1 + x),
    "any": lambda x, y: np.any(x, axis=1) * y[:, 0] + np.all(x, axis=0).sum() * y[0, 0],
    "count": lambda x, y: np.count_nonzero(x, axis=1) * y[:, 0],
    "power": lambda x, y: x**2 + np.power(1 + y, 3) + np.square(x) + x**0 + x ** np.int64(1),
    "ranks": lambda x, y: x / RANKS + RANKS * y - RANKS,
    "numbers first": lambda x, y: 2 * x + (1 - y) + np.int64(3) * x + np.subtract(RANKS, x),
    "quotient": lambda x, y: x / (y + (y == 0)),
    "quotient by another order": lambda x, y: x * x / np.where(y > 0, y, 1),
    "quotient of an array": lambda x, y: np.true_divide(RANKS, 2 + 0 * x),
    "constant over constant": lambda x, y: (1 + 0 * x) / 3 + np.ones_like(x) / (3 + 0 * x),
    "sort": lambda x, y: np.sort(x, axis=1)[:, ::-1] * RANKS,
    "argsort": lambda x, y: np.take_along_axis(y, np.argsort(-x, axis=1, kind="stable"), axis=1),
    "concatenate": lambda x, y: np.concatenate([np.ones_like(x[:, :1]), np.cumprod(1 - y, axis=1)[:, :-1]], axis=1),
    "stack": lambda x, y: np.stack([x, x * y, 1 - y], axis=-1),
    "stacks": lambda x, y: np.hstack([x, y])[:, 3] + np.vstack([x, y])[3, 0] + np.column_stack([x[0], y[1]])[:3, 1],
    "like": lambda x, y: np.zeros_like(x) + np.ones_like(x) * y + np.full_like(x, 7),
    "shapes": lambda x, y: x.reshape(4, 3).T + np.transpose(np.reshape(y, (4, 3))) + np.swapaxes(x.T, 0, 1),
    "more shapes": lambda x, y: (x[..., None] * y[:, None, :]).sum(axis=1) + np.expand_dims(x, 0)[0] + np.flip(y, 1),
    "others": lambda x, y: np.diff(x, axis=1).ravel()[:3] + np.roll(y, 1, axis=1)[:, 0] + np.squeeze(x[:, :1]),
    "loop": lambda x, y: sum((row * (k + 1) for k, row in enumerate(x)), 0 * y[0]) + len(y) + np.shape(x)[1],
    "matmul": lambda x, y: x @ RANKS + RANKS @ y.T,
    "dot": lambda x, y: np.dot(x, y.T) + x.dot(y.T),
    "einsum": lambda x, y: np.einsum("bn,bn,n->b", x, 1 - y, RANKS),
    "survival": lambda x, y: (x * np.cumprod(1 - x, axis=1) / RANKS).sum(axis=-1),
}

REFUSED: dict[str, Callable[..., Any]] = {
    "exponent": lambda x, y: 2**x,
    "broken power": lambda x, y: x**0.5,
    "negative power": lambda x, y: (1 + x) ** -1,
    "as array": lambda x, y: np.asarray(x),
    "as float": lambda x, y: float(x[0, 0]),
    "truth": lambda x, y: 1 if x[0, 0] else 0,
    "endless quotient": lambda x, y: x / (1 + y),
    "unbounded quotient": lambda x, y: 1 / np.where(x > 0, x, 1),
    "quotient by zero": lambda x, y: x / y,
    "into an array": lambda x, y: np.add(np.zeros((3, 4)), x, out=np.zeros((3, 4))),
    "initial": lambda x, y: np.sum(x, axis=0, initial=1),
    "typed": lambda x, y: np.cumsum(x, axis=0, dtype=float),
    "sort of mixed": lambda x, y: np.sort(x * x + y),
    "median": lambda x, y: np.median(x),
    "unknown fold": lambda x, y: np.subtract.reduce(x),
}


def grades(seed: int) -> tuple[Any, Any]:
    """Make two arrays (3, 4) of eighths, with zeros, ones and ties."""
    rng = np.random.default_rng(seed)
    levels = rng.integers(0, 9, (2, 3, 4)) * (rng.random((2, 3, 4)) < 0.7)
    levels[1, 0] = levels[0, 0]
    exact = np.frompyfunc(lambda k: fmpq(int(k), 8), 1, 1)(levels)
    return exact[0], exact[1]


def at(result: Any, eps: fmpq) -> Any:
    """Return the value of a series, or of what does not depend on eps, at a value of eps."""
    terms = result.terms if isinstance(result, Series) else {0: result}
    shapes = {np.shape(c) for c in terms.values()}
    assert len(shapes) == 1
    return sum(np.asarray(c, dtype=object) * eps**k for k, c in terms.items())


def agrees(function: Callable[..., Any], reference: Callable[..., Any], seed: int) -> bool:
    """Tell whether a function of series, put at a small eps, is the reference of the small numbers themselves."""
    x, y = grades(seed)
    found = function(Series({1: x}), Series({1: y}))
    terms = found.terms if isinstance(found, Series) else {0: found}
    if any(isinstance(v, float) for c in terms.values() for v in np.asarray(c, dtype=object).flat):
        return False
    for eps in EPS:
        expected = np.asarray(reference(x * eps, y * eps), dtype=object)
        value = at(found, eps)
        if np.shape(value) != expected.shape or not np.all(value == expected):
            return False
    return True


@each("name", list(ANSWERED), 3)
def test_answers_are_those_of_small_numbers(name: str) -> None:
    for seed in range(6):
        assert agrees(ANSWERED[name], ANSWERED[name], seed)


@each(("name", "keep"), list(product(ANSWERED, (1, 2, 3))), 10)
def test_cut_off_in_floats_the_orders_that_are_kept_are_right(name: str, keep: int) -> None:
    decided = 0
    for seed in range(6):
        x, y = grades(seed)
        whole = ANSWERED[name](Series({1: x}), Series({1: y}))
        try:
            short = ANSWERED[name](Series({1: floats(x)}, keep), Series({1: floats(y)}, keep))
        except Truncated:
            continue
        decided += 1
        assert isinstance(short, Series) == isinstance(whole, Series)
        if not isinstance(short, Series):
            assert np.array_equal(np.asarray(short, dtype=object), np.asarray(whole, dtype=object))
            continue
        assert short.keep is None or short.keep <= keep
        known = short.keep if short.dropped else max([*whole.terms, *short.terms])
        assert known is not None
        for order in range(known + 1):
            a = short.terms.get(order, np.zeros(short.shape))
            b = floats(np.asarray(whole.terms.get(order, np.full(short.shape, fmpq(0))), dtype=object))
            assert np.abs(a - b).max(initial=0) < 1e-9, order
        assert all(k <= known for k in short.terms)
    assert decided or keep == 1


@each(("name", "precise"), list(product(REFUSED, (True, False))), 5)
def test_functions_without_an_exact_meaning_are_refused(name: str, precise: bool) -> None:
    x, y = grades(1)
    assert (y == 0).any()
    if name == "broken power" and precise:
        with pytest.raises(TypeError):
            REFUSED[name](x, y)
    x, y = (x, y) if precise else (floats(x), floats(y))
    with pytest.raises((TypeError, NotImplementedError, ZeroDivisionError, AttributeError)) as caught:
        REFUSED[name](Series({1: x}), Series({1: y}))
    assert len(str(caught.value)) > 15


def test_a_refused_function_is_named() -> None:
    x, zeros = Series({1: np.ones(3)}), np.zeros(3)
    refusals: tuple[tuple[Callable[[], Any], str], ...] = (
        (lambda: np.log2(x), r"np\.log2 does not support series in eps"),
        (lambda: np.sum(x, initial=1.0), r"np\.sum with initial= does not support series"),
        (lambda: np.cumprod(x, dtype=float), r"np\.cumprod on series in eps: .*dtype"),
        (lambda: zeros.__iadd__(x), "cannot be written into an array"),
        (lambda: zeros.__setitem__(slice(None), x), "is not a numpy array"),
    )
    for refused, message in refusals:
        with pytest.raises(TypeError, match=message):
            refused()
    with pytest.raises(AttributeError, match="astype does not support series"):
        x.astype(float)


def test_floats_do_not_mix_with_exact_numbers() -> None:
    x = Series({1: np.array([fmpq(1, 2)], dtype=object)})
    wrong: tuple[Callable[[], Any], ...] = (
        lambda: x + 0.5,
        lambda: 0.5 * x,
        lambda: x * np.array([0.5]),
        lambda: x / 3.0,
        lambda: x > 0.5,
        lambda: x == 0.5,
        lambda: np.where(x > 0, x, 0.0),
        lambda: np.maximum(x, 0.0),
        lambda: np.concatenate([np.ones(1), x]),
        lambda: np.full_like(x, 0.5),
        lambda: x @ np.array([0.5]),
    )
    for mix in wrong:
        with pytest.raises(TypeError, match="float"):
            mix()


def test_questions_about_dropped_terms_are_not_answered() -> None:
    cut = Series({1: np.array([0.5, 0.25])}, 2)
    cube = cut**3
    assert cube.dropped
    assert cube.shape == (2,)
    for ask in (lambda: cube > 0, lambda: cube == 0, lambda: np.sign(cube), lambda: np.argsort(cube - cut)):
        with pytest.raises(Truncated):
            ask()
    with pytest.raises(Truncated):
        _ = cut / cube
    assert np.array_equal(cube + cut > 0, [True, True])
    whole = Series(cut.terms)
    assert np.array_equal(whole**3 > 0, [True, True])


def test_a_quotient_of_cut_off_series_knows_fewer_orders() -> None:
    """(x + x^2 + x^3) / x is 1 + x + x^2; with x^3 dropped, x^2 of the quotient is not known."""
    x = Series({1: np.array([0.5])}, 2)
    quotient = (x + x**2 + x**3) / x
    assert (quotient.keep, quotient.dropped, sorted(quotient.terms)) == (1, True, [0, 1])
    later = quotient + x * x
    assert max(later.terms) == 1
    assert later.keep == 1
    exact = Series(x.terms)
    assert sorted(((exact + exact**2 + exact**3) / exact).terms) == [0, 1, 2]


def test_series_are_not_changed_by_what_is_computed_from_them() -> None:
    x = Series({1: np.array([0.5, 0.25])})
    before = x.terms[1].copy()
    for name in ("clip", "where", "cumprod", "like"):
        grid = x[None, :] * np.ones((3, 1))
        ANSWERED[name](np.concatenate([grid, grid], axis=1), np.concatenate([grid, grid], axis=1))
    x += 1
    assert np.array_equal(before, [0.5, 0.25])


def test_the_comparison_with_small_numbers_sees_faults(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults put into what numpy does on series are found by the test above."""
    assert not agrees(ANSWERED["maximum"], lambda x, y: np.minimum(x * x, y) + np.minimum(x, 1), 0)
    functions, ufuncs = series_numpy._FUNCTIONS, series_numpy._UFUNCS
    planted: list[tuple[str, dict[Any, Any], Any, Any]] = [
        ("max", functions, np.max, functions[np.min]),
        ("cumprod flat", functions, np.cumprod, lambda x: np.cumsum(x)),
        ("where", functions, np.where, lambda mask, x, y: x),
        ("quotient of an array", ufuncs, np.true_divide, ufuncs[np.multiply]),
        ("comparison from the left", ufuncs, np.less, ufuncs[np.less_equal]),
        ("einsum", functions, np.einsum, lambda s, x, y, z: x.sum(axis=1)),
        ("sort", functions, np.sort, lambda x, axis: x),
    ]
    for name, table, function, fault in planted:
        assert all(agrees(ANSWERED[name], ANSWERED[name], seed) for seed in range(6))
        with monkeypatch.context() as patch:
            patch.setitem(table, function, fault)
            assert not all(agrees(ANSWERED[name], ANSWERED[name], seed) for seed in range(6)), name
