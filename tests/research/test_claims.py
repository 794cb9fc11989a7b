"""The claims of two papers, on INST and on P@H: all there, decided, and each could have come out otherwise."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import flint
import pytest
from flint import arb

from axiomcheck.metrics import stopping_value
from axiomcheck.metrics.browsing import WalkModel
from axiomcheck.metrics.cwl import InstModel
from axiomcheck.numbers import arithmetic
from research.claims import Claim
from research.claims import inst as paper
from research.claims.inst import claims, printed
from research.claims.stopping_chains import chain_claims, chain_of
from research.claims.stopping_closed import closed_form_claims
from research.claims.stopping_figure import figure_claims
from tests.support.suites import quality


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


def test_a_wrong_metric_disagrees(monkeypatch: Any) -> None:
    """x_i off by one rank, as equation 2's approximation has it."""
    right = paper.walk
    monkeypatch.setattr(paper, "walk", lambda a, gains, target, *rest: right(a, gains, target + Fraction(1, 2), *rest))
    assert sum(not c.agrees for c in claims()) > 60


def differing(found: list[Claim]) -> set[tuple[str, str]]:
    return {(c.where, c.what.split(";")[0].split(",")[0]) for c in found if not c.agrees}


# ---------------------------------------------------------------------------------------------- planted faults


@pytest.fixture
def forgetful() -> Iterator[None]:
    """Nothing computed by a fault is kept, nor used by it."""
    modules = (arithmetic, stopping_value)
    caches = [x for module in modules for x in vars(module).values() if hasattr(x, "cache_clear")]
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


@quality
@pytest.mark.usefixtures("forgetful")
def test_claims_see_another_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WalkModel, "chain", lambda self, n: chain_of(self.q, self.p, n).chain(n))
    now = {what for where, what in differing(list(figure_claims())) if where == "section 5.2, figure 1d"}
    assert "the forward probability is that of RBP before" not in now  # p_1 is like the others
    assert now == {
        "orders 1 and 2 do not agree and swap the runs in a marked way",
        "where s is preferred",
        "r and s are not comparable by order 3: the distributions cross several times",
        "share of the users who prefer s",
    }


@quality
@pytest.mark.usefixtures("forgetful")
def test_claims_see_wrong_visits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every expected number of visits a little too high."""
    right: Any = stopping_value.visit_functions

    def wrong(*numbers: Any) -> list[Any]:
        return [x * 2 for x in right(*numbers)]

    monkeypatch.setattr(stopping_value, "visit_functions", wrong)
    monkeypatch.setattr("research.claims.stopping_closed.visit_functions", wrong)
    seen = differing([*chain_claims(), *closed_form_claims()])
    assert ("appendix B, equation 1", "E_1[T(H)] = (Id - P)^-1 rho") in seen
    assert ("appendix C, equation 3", "E_1[H] = K(p") in seen
