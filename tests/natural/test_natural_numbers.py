"""Closed forms, germs and exact arrays: identities, certified signs, and what no exact number answers."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from axiomcheck.core.errors import MetricError
from axiomcheck.numbers import closed
from axiomcheck.numbers.closed import Closed, exponential, logarithm, power
from axiomcheck.numbers.natural import Inexact, Number, applied, quotient
from axiomcheck.numbers.natural_values import cut_above, divide, germ, multiply
from axiomcheck.numbers.refusals import Blurred
from axiomcheck.sources.abilities import same_but_for_rounding
from axiomcheck.sources.external_metrics import OwnMetric
from axiomcheck.sources.natural.stand_ins import STAND_INS, numpy_names
from axiomcheck.sources.provenance import identity_of
from axiomcheck.sources.resolve import resolve


def log2(x: int) -> Any:
    return logarithm(fmpq(x)) / logarithm(fmpq(2))


def test_differences_that_cancel_are_zero_and_no_others_are() -> None:
    assert log2(6) - log2(3) == 1
    assert log2(8) == 3
    assert power(fmpq(2), fmpq(1, 2)) * power(fmpq(2), fmpq(1, 2)) == 2
    assert power(fmpq(12), fmpq(1, 2)) == 2 * power(fmpq(3), fmpq(1, 2))
    assert exponential(logarithm(fmpq(5))) == 5
    ideal = 1 + 1 / log2(3) + 1 / log2(5)
    assert (2 * ideal) * (1 / ideal) - 2 != fmpq(1)
    assert 1 / ideal - 2 / (2 * ideal) == 0
    near = log2(3) - fmpq(10**15 * 0 + 1584962500721156, 10**15)
    assert isinstance(near, Closed)
    assert near.sign() == 1  # log2(3) = 1.58496250072115618...
    assert (log2(3) - fmpq(158496250072115619, 10**17)).sign() == -1


def test_balls_that_never_part_are_no_tie() -> None:
    deep = fmpq(1, 2**3000)
    x = logarithm(fmpq(3)) - logarithm(fmpq(3)) * (1 + deep)
    assert x.sign() == -1  # one product: the sign of a coefficient needs no balls of many bits
    with pytest.raises(closed.Blurred):
        (1 / (logarithm(fmpq(3)) + 1) - 1 / (logarithm(fmpq(3)) + 1 + deep)).sign()


@pytest.mark.parametrize(
    "x", [log2(3), 1 / log2(7), power(fmpq(5), fmpq(1, 3)), 1 / (1 + log2(3)), exponential(fmpq(1, 3))]
)
def test_enclosures_hold_the_number(x: Closed) -> None:
    with ctx.workprec(200):
        for low, width, product in x.enclosures():
            value = Closed({product: x.terms[product]}).ball() if product else None
            assert value is None or (min(low, low + width) < value < max(low, low + width))
    assert sum(float(low.p) / float(low.q) for low, _, _ in x.enclosures()) == pytest.approx(float(x.ball()), abs=1e-8)


def eps() -> Number:
    made = Number(0)
    made.raw = germ({1: fmpq(1)})
    return made


def terms(x: Number) -> dict[int, Any]:
    return dict(x.raw.terms)


def test_germs_are_the_series_that_they_should_be() -> None:
    e = eps()
    assert terms(1 / (1 + e)) == {k: (-1) ** k for k in range(6)}
    assert terms(e / (2 * e + e * e))[1] == fmpq(-1, 4)
    assert terms((1 + e) ** Number("0.5"))[2] == fmpq(-1, 8)
    assert terms(applied("log", 1 + e))[3] == fmpq(1, 3)
    assert terms(applied("exp", e))[3] == fmpq(1, 6)
    assert (e > 0, e < Number("1e-30"), 1 - e < 1, e == e) == (True, True, True, True)


@pytest.mark.parametrize("last", [None, 2])
def test_a_quotient_of_germs_times_the_divisor_is_the_dividend(last: int | None) -> None:
    log = logarithm(fmpq(3))
    dividend = germ({1: log, 2: fmpq(-2), 4: fmpq(1, 3)})
    for divisor in (germ({1: log * 2, 2: fmpq(5), 3: log}), germ({-1: fmpq(3), 1: log}, known=3)):
        with cut_above(last):
            found = divide(dividend, divisor)
        product = multiply(found, divisor)
        assert product.known > 1
        assert product.terms == {k: c for k, c in dividend.terms.items() if k < product.known}


def test_a_sum_with_too_many_products_is_an_atom_that_equals_only_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    total = sum(map(logarithm, map(fmpq, (2, 3, 5, 7))), start=fmpq(0))
    whole = total * total
    monkeypatch.setattr(closed, "_MOST", 5)
    monkeypatch.setattr(closed, "_MOST_OF_SHORT", 5)
    calls = []
    times = closed._times
    monkeypatch.setattr(closed, "_times", lambda *pair: calls.append(pair) or times(*pair))
    short = total * total
    assert len(calls) == 4
    assert short == total * total
    other = sum(map(logarithm, map(fmpq, (11, 13, 17, 19))), start=fmpq(0))
    assert total * other == other * total
    assert short - total * total == 0
    assert short - 1 > 0
    assert short < whole + fmpq(1, 10**9)
    with pytest.raises(Blurred):  # both are the same number: balls cannot tell, and a tie is never assumed
        _ = short < whole
    longer = short + total + logarithm(fmpq(11))
    assert len(longer.terms) <= 5
    assert longer > short


def test_orders_that_were_cut_off_decide_nothing() -> None:
    e = eps()
    with cut_above(2):
        cube = e * e * e
        assert (e * e).raw.terms == {2: 1}
        with pytest.raises(NotImplementedError):
            bool(cube > 0)
    assert e * e * e > 0


def test_literals_and_quotients_are_exact() -> None:
    assert Number("0.1") + Number("0.2") == Number("0.3")
    assert quotient(1, 3) * 3 == 1
    assert round(Number("2.675"), 2) == Number("2.68")
    with pytest.raises(Inexact):
        Number(0.1)
    with pytest.raises(Inexact):
        Number("0.1") + 0.2
    with pytest.raises(Inexact):
        math.sqrt(Number("0.5"))  # type: ignore[arg-type]


NP = numpy_names()
MATH = STAND_INS["math"]()


EXPRESSIONS = """
1 / np.log2(np.arange(2, 6))
np.cumsum(np.ones(4)) / 7
np.arange(4) / 3
np.arange(start=1, stop=5, dtype=float) / 3
np.arange(1, step=2, stop=6) / 3
np.full(3, 0.5 * np.ones(3))
np.mean(np.array([1, 2, 4]) > 1)
np.sort([3, 1, 2])[::-1] / 3
np.dot(np.arange(3), np.ones(3)) / 3
np.where(np.arange(3) > 1, np.arange(3) / 3, 0)
np.average([1, 2, 5], weights=[1, 1, 2])
np.std([1, 2, 4])
np.divide(np.ones(3), np.arange(3), out=np.zeros(3), where=np.arange(3) > 0)
np.linspace(0, 1, 4)
np.power(2, np.arange(3)) - 1
np.power(np.arange(1, 4), -1.0 + 0 * np.ones(3))
np.sqrt(np.arange(4))
np.maximum.accumulate([1, 3, 2]) / 7
np.prod(np.zeros((2, 0)), axis=1)
np.clip(np.arange(4) / 3, 0, 0.5 * np.ones(4))
np.einsum('i,i->', np.arange(3), np.ones(3))
np.median([1, 2, 3, 5])
np.count_nonzero([0, 2, 3])
np.nonzero([0, 1, 2])[0]
np.diff(np.arange(4) / 3)
np.outer([1, 2], [3, 4]) / 5
np.exp(-np.arange(3))
np.log1p(np.arange(3))
np.bincount([0, 1, 1], weights=[1, 2, 3]) / 3
np.nan_to_num(np.zeros(2) / 0)
math.log(7, 3)
math.sqrt(2) ** 3
math.fsum([1, 2]) / 7
math.exp(2)
math.log10(50)
math.pi / 3
math.prod([2, 3])
"""


@pytest.mark.parametrize("expression", EXPRESSIONS.strip().splitlines())
def test_the_stand_ins_say_what_numpy_and_math_say(expression: str) -> None:
    exact = compile(expression.replace("0.5", "half").replace("1.0", "one"), "mine", "eval")
    with np.errstate(all="ignore"):
        floats = eval(expression, {"np": np, "math": math})
    found = eval(exact, {"np": NP, "math": MATH, "half": Number("0.5"), "one": Number(1)})
    got = [_float(v) for v in np.ravel(np.asarray(found, dtype=object))]
    np.testing.assert_allclose(got, np.ravel(floats), rtol=1e-14)


def _float(value: Any) -> float:
    raw = Number(value).raw
    return float(raw.ball()) if isinstance(raw, Closed) else int(raw.p) / int(raw.q)


def test_the_identity_covers_what_a_literal_spells(tmp_path: Path) -> None:
    """0.1 and 1 / 10 are one number, and two metrics; digits that no float has are none of a metric's."""
    found = []
    for number, text in enumerate(("0.1", "0.1000000000000000055", "(1 / 10)")):
        file = tmp_path / f"m{number}" / "mine.py"
        file.parent.mkdir()
        file.write_text(f"def mine(grades, weights):\n    return grades[..., 0].sum(axis=1) * {text}\n")
        metric = resolve(f"{file}:mine")
        assert isinstance(metric, OwnMetric)
        assert metric.read_again is not None
        metric.label = metric.name = "mine"
        found.append(identity_of(metric))
    assert found[0] == found[1] != found[2]


def test_helpers_of_a_package_are_read_again(tmp_path: Path) -> None:
    package = tmp_path / "lab"
    (package / "inner").mkdir(parents=True)
    for folder in (package, package / "inner"):
        (folder / "__init__.py").write_text("")
    (package / "inner" / "gains.py").write_text("from math import log2\n\ndef worth(i):\n    return 1 / log2(i + 1)\n")
    (package / "mine.py").write_text(
        "import lab.inner.gains as g\nfrom .inner.gains import worth\n\n\ndef mine(topic, ranking):\n"
        "    return sum((worth(i) + g.worth(i)) / 2 * topic.pool[d][0] for i, d in enumerate(ranking, 1))\n"
    )
    assert resolve(f"{package / 'mine.py'}:mine").numerical(True) == ""


def test_scores_that_are_no_numbers_are_errors(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def mine(topic, ranking):\n    return float('nan') if len(ranking) > 30 else len(ranking) / 3\n")
    metric = resolve(f"{file}:mine")
    assert metric.numerical(False) == ""
    many = np.full((1, 31, 1), fmpq(1))
    from axiomcheck.numbers.arithmetic import Rationals

    with pytest.raises(MetricError, match="returned nan"):
        metric.score(Rationals(), many, np.full((1, 1), fmpq(1)), many)


def test_a_ball_around_0_is_no_difference() -> None:
    floats = np.array([1.0, 1.0 - 2**-52])
    with ctx.workprec(256):
        around, apart = (np.array([arb(1), 1 + arb(1e-30, radius)], dtype=object) for radius in (1e-29, 1e-31))
        assert same_but_for_rounding(around, floats).all()
        assert not same_but_for_rounding(apart, np.ones(2)).all()


def test_a_declared_bound_that_is_no_integer_leaves_its_file_exact(tmp_path: Path) -> None:
    """The file is run again on exact numbers, and so is the decorator."""
    file = tmp_path / "bounded.py"
    code = "from axiomcheck import metric\n@metric(single_aspect=True, low=-0.25, high=0.9)\n"
    code += "def bounded(topic, ranking):\n    return sum(topic.pool[d][0] / 3 for d in ranking[:2])\n"
    file.write_text(code, encoding="utf-8")
    metric = resolve(f"{file}:bounded")
    assert isinstance(metric, OwnMetric)
    assert metric.numerical(False) == ""
