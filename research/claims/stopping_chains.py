"""Check the claims of Ferrante and Ferro 2020, appendices A and B, about T(H) and H on chains with backward steps.

Their expectations, variances and distributions are compared with results of linear algebra (in symbols if possible), of
an enumeration of paths, and of simulated users.

The chains are those of appendix C, where every p_i is p and every q_i is q, so that p_1 = p (figure 1d has p + q).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from axiomcheck.core.printable import counted
from axiomcheck.core.typing import ExactNumbers, Integers, Reals
from axiomcheck.metrics.browsing import User, WalkModel
from axiomcheck.metrics.stopping_value import expectation, expected_steps
from axiomcheck.numbers.arithmetic import Floats, Rationals, to_fmpq
from research.claims import Claim
from research.claims.simulation import Explicit, Simulation, known, simulate
from research.claims.stopping_figure import RUN_R, USERS, said, within

FLOATS = Floats()
RUN_6 = tuple(Fraction(x) for x in (1, 0, 0, 1, 0, 1))
P, Q = Fraction(1, 2), Fraction(1, 4)


def chain_of(p: Any, q: Any, n: int) -> Explicit:
    """Return the chain of appendix C for n documents."""
    return Explicit((p,) * (n - 1) + (Fraction(0),), (Fraction(0),) + (q,) * (n - 1))


def chain_claims() -> Iterator[Claim]:
    """Yield the claims about the random walk of appendix A, and about appendix B."""
    yield from _not_simplified()
    yield from _expectations()
    yield from _variances()
    yield from _forward_variance()
    yield from _distributions()


# -------------------------------------------------------------------------------------------- exact quantities


class ExactChain:
    """Transition matrix of a chain in exact fractions, with the moments of the gains that a path collects.

    Args:
        model: Chain.
        run: Grades in rank order.

    """

    def __init__(self, model: Explicit, run: tuple[Fraction, ...]) -> None:
        from sympy import Matrix, Rational, diag, eye, ones, zeros

        self.n = n = len(run)
        self.P = zeros(n, n)
        for i in range(n):
            if i + 1 < n:
                self.P[i, i + 1] = Rational(model.forward[i])
            if i:
                self.P[i, i - 1] = Rational(model.backward[i])
        self.rho = Matrix([Rational(x) for x in run])
        self.R, self.one, self.unit = diag(*self.rho), ones(n, 1), eye(n)
        self.inverse = (self.unit - self.P).inv()

    def mean(self, gains: Any) -> Any:
        """Return E_i[sum of gains] = (Id - P)^-1 gains for every initial rank i."""
        return self.inverse * gains

    def second_moment(self, gains: Any) -> Any:
        """Return E_i[T^2] for every initial rank i, which is g_i^2 + 2 g_i (P E[T])_i + (P E[T^2])_i."""
        later = self.P * self.mean(gains)
        return self.inverse * gains.multiply_elementwise(gains + 2 * later)

    def variance(self, gains: Any) -> Any:
        """Return the variance E_i[T^2] - E_i[T]^2 for every initial rank i."""
        mean = self.mean(gains)
        return self.second_moment(gains) - mean.multiply_elementwise(mean)

    def printed_variance(self, gains: Any, sign: int) -> Any:
        """Return (Id - P)^-1 R [Id + sign 2 P (Id - P)^-1] gains, where R has the gains on its diagonal.

        The paper prints this formula with a sign of -1.
        """
        from sympy import diag

        return self.inverse * diag(*gains) * (self.unit + sign * 2 * self.P * self.inverse) * gains


def fraction(x: Any) -> Fraction:
    """Convert a rational number of flint or SymPy to a fraction."""
    return Fraction(int(x.p), int(x.q))


def _variance_of(values: Reals) -> tuple[float, float]:
    """Return the sample variance as an estimate of the variance, and the estimate's standard error."""
    centred = values - values.mean()
    variance = float((centred**2).mean())
    return variance, float(np.sqrt(((centred**2 - variance) ** 2).mean() / len(values)))


def mean_of(values: Reals | Integers) -> tuple[float, float]:
    """Return the sample mean as an estimate of the expectation, and the estimate's standard error."""
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))


def simulated(seed: int, p: Fraction = P, q: Fraction = Q, run: tuple[Fraction, ...] = RUN_R) -> Simulation:
    """Simulate users on the chain of appendix C."""
    return simulate(User(chain_of(p, q, len(run))), run, USERS, (2020, seed))


# ------------------------------------------------------------------------------------------------------ claims


def _not_simplified() -> Iterator[Claim]:
    """Yield the claim that E[P@H] cannot be simplified, although it is a weighted sum of the grades."""
    user, run = User(WalkModel(P, Q), Fraction(1, 4)), RUN_R
    weights = []
    for i in range(len(run)):
        unit = np.array([float(k == i) for k in range(len(run))])
        weights.append(float(expectation(FLOATS, user, unit, "mean")))
    whole = float(expectation(FLOATS, user, np.array([float(x) for x in run]), "mean"))
    total = sum(w * float(r) for w, r in zip(weights, run, strict=True))
    simulation = simulate(user, run, USERS, (2020, 10))
    yield said(
        "appendix A",
        "E[P@H] of a random walk is a sum over all paths, which cannot be simplified further",
        "cannot be further simplified",
        f"r, figure 1d: {whole:.6f}, the sum of r[i] times {', '.join(f'{w:.4f}' for w in weights)}",
        abs(whole - total) > 1e-12,
        "where browsing does not depend on relevance it is a weighted sum of the grades. The weight of rank i is the "
        "integral over z in (0, 1) of a rational function of z, F_1i(z) A_i(z) / (1 - (1 - loss) F_ii(z)), which is "
        f"elementary; {within(simulation.mean, simulation.mean_error, whole)}",
    )


def _expectations() -> Iterator[Claim]:
    exact, simulation = ExactChain(chain_of(P, Q, 10), RUN_R), simulated(11)
    model = chain_of(P, Q, 10)
    ours = expectation(Rationals(), User(model, effort="none"), exact_grades(RUN_R), "ratio")
    for equation, what, printed, mine, values in (
        ("equation 1", "E_1[T(H)]", exact.mean(exact.rho)[0], ours, simulation.totals),
        ("equation 2", "E_1[H]", exact.mean(exact.one)[0], to_fmpq(expected_steps(model, 10)), simulation.steps),
    ):
        estimate, error = mean_of(values)
        yield said(
            f"appendix B, {equation}",
            f"{what} = (Id - P)^-1 {'rho' if what.startswith('E_1[T') else 'e'}; p = .5, q = .25, run r",
            f"{float(fraction(printed)):.6f}",
            f"{int(mine.p) / int(mine.q):.6f}",
            to_fmpq(fraction(printed)) == mine,
            within(estimate, error, float(fraction(printed))) + ". The line before equation 1 leaves out a factor p_ij",
        )


def _variances() -> Iterator[Claim]:
    exact, simulation = ExactChain(chain_of(P, Q, 10), RUN_R), simulated(12)
    for what, gains, values in (
        ("Var_1[T(H)]", exact.rho, simulation.totals),
        ("Var_1[H]", exact.one, simulation.steps),
    ):
        printed, other = (float(fraction(exact.printed_variance(gains, sign)[0])) for sign in (-1, 1))
        truth = fraction(exact.variance(gains)[0])
        corrected = exact.printed_variance(gains, 1) == exact.second_moment(gains)
        less = fraction((exact.printed_variance(gains, 1) - _squares(exact.mean(gains)))[0])
        estimate, error = _variance_of(values.astype(float))
        yield said(
            "appendix B",
            f"{what}; p = .5, q = .25, run r",
            f"(Id - P)^-1 R [Id - 2 P (Id - P)^-1] rho: {printed:.6f}",
            f"{float(truth):.6f}",
            printed == float(truth),
            f"the paper's formula: with plus for minus it is E[T^2] ({other:.6f}"
            f"{', exactly' if corrected else ', which it is not'}), and that less E[T]^2 is the variance"
            f"{'' if less == truth else ' (which it is not)'}; {within(estimate, error, float(truth))}",
        )


def _squares(x: Any) -> Any:
    return x.multiply_elementwise(x)


def _forward_variance() -> Iterator[Claim]:
    from sympy import Matrix, Symbol, expand, symbols

    where, n = "appendix B", 5
    p, r = Symbol("p"), symbols("r1:6")
    reach = [p**i for i in range(n)]
    mean = sum(x * y for x, y in zip(r, reach, strict=True))
    stops = [reach[i] - reach[i + 1] for i in range(n - 1)] + [reach[-1]]
    totals = [sum(r[: h + 1]) for h in range(n)]
    by_stops = sum(s * t for s, t in zip(stops, totals, strict=True))
    yield said(
        where,
        f"E_1[T(H)] where users go on with probability p, any p and r (N = {n})",
        "sum of r[i] p^(i-1)",
        "the same" if expand(by_stops - mean) == 0 else "another polynomial",
        expand(by_stops - mean) == 0,
        "as polynomials in p and the grades",
    )
    variance = sum(s * t**2 for s, t in zip(stops, totals, strict=True)) - by_stops**2
    printed = sum(
        r[m - 1]
        * p ** (m - 1)
        * (1 - p ** (m - 1))
        * (r[m - 1] + 2 * sum(r[i - 1] * p ** (i - m) for i in range(m + 1, n + 1)))
        for m in range(2, n + 1)
    )
    point = {p: P, **dict(zip(r, Matrix([1, 0, 0, 1, 1]), strict=True))}
    values = simulate(User(chain_of(P, Fraction(0), n)), (1, 0, 0, 1, 1), USERS, (2020, 13)).totals
    estimate, error = _variance_of(values)
    same = expand(variance - printed) == 0
    yield said(
        where,
        f"Var_1[T(H)] where users go on with probability p, any p and r (N = {n})",
        "sum of r[m] p^(m-1) (1 - p^(m-1)) (r[m] + 2 sum r[i] p^(i-m))",
        "the same" if same else "another polynomial",
        same,
        "as polynomials in p and the grades; p = .5, run 1 0 0 1 1: "
        + within(estimate, error, float(variance.subs(point))),
    )


def _distributions() -> Iterator[Claim]:
    """Yield the claims about s(n) = P_i(T(H) = n) and P_i(H = n), compared with an enumeration of paths."""
    exact, simulation, run = ExactChain(chain_of(P, Q, 6), RUN_6), simulated(14, run=RUN_6), RUN_6
    unit, chain, relevant = exact.unit, exact.P, exact.R
    hits = (unit - (unit - relevant) * chain).inv()
    step = hits * relevant * chain
    one_more = (unit - step) * hits * exact.rho
    user = User(chain_of(P, Q, 6), effort="none")
    listed = known(user, run)
    masses = {int(v.p): fraction(m) for v, m in zip(listed.values, listed.masses, strict=True)}
    left_out = fraction(listed.rest)
    formula, apart = [], 0.0
    vector = one_more
    for count in range(1, 8):
        formula.append(fraction(vector[0]))
        vector = step * vector
        share, value = float((simulation.totals == count).mean()), float(formula[-1])
        apart = max(apart, abs(share - value) / np.sqrt(value * (1 - value) / USERS))
    inside = all(masses.get(k, 0) <= x <= masses.get(k, 0) + left_out for k, x in enumerate(formula, 1))
    yield said(
        "appendix B",
        "P_1(T(H) = n), n = 1 to 7; p = .5, q = .25, run 1 0 0 1 0 1",
        ", ".join(f"{float(x):.5f}" for x in formula),
        ", ".join(f"{float(masses.get(k, 0)):.5f}" for k in range(1, 8)),
        inside,
        f"the computed ones are of paths of up to {counted(listed.depth or 0, 'step')}, all but {float(left_out):.1g}; "
        f"{USERS:,} simulated users: at most {apart:.1f} standard errors away. For binary relevance and n >= 1; "
        "1 - (Id - (Id - R) P)^-1 rho is P_i(T(H) = 0)",
    )
    steps, apart = [], 0.0
    vector = (unit - chain) * exact.one
    ends = _lengths(chain_of(P, Q, 6), 7)
    for count in range(1, 8):
        steps.append(fraction(vector[0]))
        vector = chain * vector
        share, value = float((simulation.steps == count).mean()), float(steps[-1])
        apart = max(apart, abs(share - value) / np.sqrt(value * (1 - value) / USERS))
    yield said(
        "appendix B",
        "P_1(H = n) = P^(n-1) (Id - P) e, n = 1 to 7; p = .5, q = .25, N = 6",
        ", ".join(f"{float(x):.5f}" for x in steps),
        ", ".join(f"{float(x):.5f}" for x in ends),
        steps == ends,
        f"{USERS:,} simulated users: at most {apart:.1f} standard errors away",
    )


def _lengths(model: Explicit, most: int) -> list[Fraction]:
    """Return P[H = h] for h = 1, 2, ..., `most`, by iterating the chain."""
    forward, backward = model.chain(len(model.forward))
    here = [Fraction(1)] + [Fraction(0)] * (len(forward) - 1)
    found = []
    for _ in range(most):
        found.append(sum((x * (1 - p - q) for x, p, q in zip(here, forward, backward, strict=True)), Fraction(0)))
        after = [Fraction(0)] * len(here)
        for i, x in enumerate(here):
            if forward[i]:
                after[i + 1] += x * forward[i]
            if backward[i]:
                after[i - 1] += x * backward[i]
        here = after
    return found


def exact_grades(run: tuple[Fraction, ...]) -> ExactNumbers:
    """Convert grades to an array of exact rationals."""
    grades = np.empty(len(run), dtype=object)
    grades[:] = [to_fmpq(x) for x in run]
    return grades
