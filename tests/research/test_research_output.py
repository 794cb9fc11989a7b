"""Scripts of `research/` print what is committed, a change of a number would show, and claims are decided."""

import flint
import pytest
from flint import arb

from axiomcheck.core.domain import Regime
from axiomcheck.metrics.cwl import InstModel
from research import released, solver
from research.claims import Claim
from research.claims import __main__ as claimed
from research.claims.inst import claims, printed
from research.independence import __main__ as independence
from research.printing import OUTPUT
from research.released.__main__ import page
from tests.support.suites import exhaustive, quality


def committed(name: str) -> str:
    return (OUTPUT / f"{name}.txt").read_text(encoding="utf-8")


@quality
def test_claims_of_papers_are_as_committed() -> None:
    assert claimed.report() == committed("claims")


@exhaustive
@pytest.mark.parametrize("regime", list(Regime))
def test_the_study_of_the_axioms_is_as_committed(regime: Regime) -> None:
    (part,) = [part for part in committed("independence").split("Regime ") if part.startswith(regime.value)]
    assert independence.report([regime], examples=50).rstrip() == f"Regime {part}".rstrip()


def test_the_committed_study_has_every_regime_and_finds_all_axioms_independent_there() -> None:
    nothing, *parts = committed("independence").split("Regime ")
    assert not nothing
    assert [part.splitlines()[0] for part in parts] == [regime.value for regime in Regime]
    assert all("\nIndependent: 10 of 10 axioms, " in part for part in parts)


def test_no_sign_that_a_proof_rests_on_was_refuted_or_given_up_by_the_solver() -> None:
    rows = [line.split() for line in committed("solver").splitlines() if line.endswith("0")]
    assert {row[0] for row in rows} == {"induction", "mixture", "orthant", "tail"}
    assert len(rows) == 5 * len(Regime)
    for _, _, cells, obligations, *answers in rows:
        assert int(cells) > 0
        assert answers == [obligations, "0", "0"]


@pytest.mark.extra("z3")
@pytest.mark.parametrize(
    "regime", [pytest.param(one, marks=quality if one is Regime.FINITE else exhaustive) for one in Regime]
)
def test_what_the_solver_says_of_every_large_n_is_as_committed(regime: Regime) -> None:
    (part,) = [part for part in committed("solver").split("Regime ") if part.startswith(regime.value)]
    rows = [line for line in part.splitlines() if line.startswith("tail")]
    assert [line for line in solver.report([regime], ["DeepTh", "CloseTh"]).splitlines() if "tail" in line] == rows


def test_the_page_of_released_metrics_says_what_was_found() -> None:
    assert page() == (OUTPUT / "released.md").read_text(encoding="utf-8")
    found = released.recorded()
    assert set(found) == {row.name for row in released.rows()}
    for row in released.rows():
        compile(row.wrapper, row.name, "exec")
        assert bool(row.truth) is not found[row.name].exact


@pytest.mark.parametrize("row", [row for row in released.rows() if row.installed], ids=lambda row: row.name)
def test_an_installed_package_computes_what_was_found(row: released.Row) -> None:
    assert released.ask(row) == released.recorded()[row.name]


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
