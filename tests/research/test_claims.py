"""The claims of two papers, on INST and on P@H: all there, decided, and each could have come out otherwise."""

from typing import Any

import flint
import pytest
from flint import arb

from axiomcheck.metrics.cwl import InstModel
from research.claims import Claim
from research.claims import inst as paper
from research.claims.inst import claims, printed


@pytest.fixture(scope="module")
def decided() -> list[Claim]:
    """Return all claims, between any two of which the precision is left as it was."""
    before, found = flint.ctx.prec, []
    for claim in claims():
        assert flint.ctx.prec == before
        found.append(claim)
    return found


def by(decided: list[Claim], where: str, what: str = "") -> list[Claim]:
    return [c for c in decided if c.where.startswith(where) and what in c.what]


def test_computed_values_are_those_of_the_user_model(decided: list[Claim]) -> None:
    e = InstModel(2).evaluate([0, 1, 0.5, 0, 0, 1, 0, 0.2, 0, 1], depth=12)
    for scenario in (e.base, e.full):
        for name, values in (("C", scenario.continuation), ("W", scenario.weights), ("L", scenario.stopping)):
            for i, value in enumerate(values, start=1):
                (claim,) = by(decided, f"Table 1, row {i}, {name}(i), tail of gain {scenario.tail}")
                assert float(claim.computed) == pytest.approx(value, rel=1e-5)


def test_a_number_agrees_if_it_rounds_to_the_printed_one() -> None:
    assert printed("0.306", arb("0.3055001"))
    assert not printed("0.306", arb("0.3054999"))
    assert printed("12.4", arb("12.449"))
    assert not printed("12.4", arb("12.451"))
    with pytest.raises(ArithmeticError, match="too close to the middle"):
        printed("0.306", arb("0.3055"))
    with pytest.raises(ArithmeticError, match="too close"):
        printed("0.306", arb("0.306 +/- 0.001"))


def test_an_altered_table_is_noticed(monkeypatch: Any) -> None:
    altered = "0.287 0.184 0.118 0.079 0.056 0.042 0.032 0.025 0.020 0.016 0.013 0.012"
    monkeypatch.setitem(paper.TABLE_1, ("W", 0), altered)
    assert sum(not c.agrees for c in claims()) == 4


def test_a_depth_that_is_not_the_smallest_is_not_certified(monkeypatch: Any) -> None:
    monkeypatch.setattr(InstModel, "evaluation_depth", lambda self, bound: 400)
    with pytest.raises(ArithmeticError, match="400 is not the smallest depth"):
        list(claims())
