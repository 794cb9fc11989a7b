"""Hold claims of Ferrante and Ferro 2020 on P@H to what is computed; each could have come out otherwise."""

from collections.abc import Iterator
from typing import Any

import pytest

from axiomcheck.metrics import stopping_value, stopping_visits
from axiomcheck.metrics.browsing import WalkModel
from axiomcheck.numbers import arithmetic
from research.claims import Claim
from research.claims.stopping import claims
from research.claims.stopping_chains import ExactChain, P, Q, chain_claims, chain_of
from research.claims.stopping_closed import closed_form_claims
from research.claims.stopping_figure import RUN_R, figure_claims
from tests.support.suites import quality


@pytest.fixture(scope="module")
def found() -> list[Claim]:
    return list(claims())


def differing(found: list[Claim]) -> set[tuple[str, str]]:
    return {(c.where, c.what.split(";")[0].split(",")[0]) for c in found if not c.agrees}


@quality
def test_simulated_users_are_within_their_standard_errors(found: list[Claim]) -> None:
    """Dozens of estimates with fixed seeds: four standard errors are enough for all of them."""
    distances = [
        float(part.split(" standard errors away")[0].split()[-1])
        for c in found
        for part in c.note.split(";")
        if " standard errors away" in part
    ]
    assert len(distances) > 18
    assert max(distances) < 4


def test_the_printed_variance_is_negative() -> None:
    exact = ExactChain(chain_of(P, Q, 10), RUN_R)
    assert exact.printed_variance(exact.rho, -1)[0] < 0 < exact.variance(exact.rho)[0]


# ---------------------------------------------------------------------------------------------- planted faults


@pytest.fixture
def forgetful() -> Iterator[None]:
    """Nothing computed by a fault is kept, nor used by it."""
    modules = (arithmetic, stopping_value, stopping_visits)
    caches = [x for module in modules for x in vars(module).values() if hasattr(x, "cache_clear")]
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


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
    right: Any = stopping_visits.visit_functions

    def wrong(*numbers: Any) -> list[Any]:
        return [x * 2 for x in right(*numbers)]

    monkeypatch.setattr(stopping_visits, "visit_functions", wrong)
    monkeypatch.setattr("research.claims.stopping_closed.visit_functions", wrong)
    seen = differing([*chain_claims(), *closed_form_claims()])
    assert ("appendix B, equation 1", "E_1[T(H)] = (Id - P)^-1 rho") in seen
    assert ("appendix C, equation 3", "E_1[H] = K(p") in seen
