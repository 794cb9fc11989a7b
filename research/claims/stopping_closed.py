"""Check Ferrante and Ferro 2020, appendix C: closed forms for chains with p_i = p and q_i = q at every rank."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from axiomcheck.metrics.browsing import User
from axiomcheck.metrics.stopping_value import expectation, expected_steps, visit_functions
from axiomcheck.numbers.arithmetic import Rationals
from research.claims import Claim
from research.claims.stopping_chains import (
    FLOATS,
    RUN_6,
    P,
    Q,
    chain_of,
    exact_grades,
    fraction,
    mean_of,
    simulated,
)
from research.claims.stopping_figure import said, within


def closed_form_claims() -> Iterator[Claim]:
    """Yield the claims about the rational function for N = 6, and about K(p, q, N)."""
    yield from _run_of_six()
    yield from _expected_steps()


def _visits(p: Any, q: Any, n: int) -> list[Any]:
    """Return the expected visits of each rank on the chain of appendix C, as rational functions of p and q."""
    one = p**0
    forward, backward = [p] * (n - 1) + [0 * one], [0 * one] + [q] * (n - 1)
    ends = [one - x - y for x, y in zip(forward, backward, strict=True)]
    return visit_functions(forward, backward, ends, one, one, one)


def _run_of_six() -> Iterator[Claim]:
    """Yield the claim about the rational function of p and q for N = 6."""
    from sympy import QQ, field

    _, p, q = field("p,q", QQ)

    def printed(p: Any, q: Any) -> Any:
        numerator = 1 - 4 * p * q + p**3 + 3 * p**2 * q**2 - p**4 * q + p**5
        return numerator / (1 - 5 * p * q + 6 * p**2 * q**2 - p**3 * q**3)

    total = sum(v for v, r in zip(_visits(p, q, 6), RUN_6, strict=True) if r) - printed(p, q) == 0
    value, model, simulation = printed(P, Q), chain_of(P, Q, 6), simulated(15, run=RUN_6)
    mean = float(expectation(FLOATS, User(model), np.array([float(x) for x in RUN_6]), "mean"))
    ratio, gained = (
        fraction(expectation(Rationals(), user, exact_grades(RUN_6), "ratio"))
        for user in (User(model), User(model, effort="none"))
    )
    estimate = within(*mean_of(simulation.totals), float(value))
    yield said(
        "appendix C",
        "E_1[P@H] of the run 1 0 0 1 0 1, any p and q; its value at p = .5, q = .25",
        f"the rational function printed, {float(value):.6f}",
        f"E[T/H] = {mean:.6f}, E[T]/E[H] = {float(ratio):.6f}, E[T] = {float(gained):.6f}",
        abs(mean - float(value)) < 1e-9 or ratio == value,
        f"the function is {'identically' if total else 'not even'} E_1[T(H)], the sum of r[X_n], which the sentence "
        f"before it names, and not P@H: an error of notation. E[T]/E[H] is it over K(p, q, 6). Of E[T]: {estimate}",
    )


def _expected_steps() -> Iterator[Claim]:
    """Yield the claims about equation 3.

    The variable s is the square root of 1 - 4pq. With q = (1 - s^2) / (4p), all terms are rational.
    """
    from sympy import QQ, field

    where = "appendix C, equation 3"
    _, p, s = field("p,s", QQ)

    def printed(p: Any, s: Any, n: int) -> Any:
        q, low, high = (1 - s**2) / (4 * p), (1 - s) / (2 * p), (1 + s) / (2 * p)
        g1, g2 = (root**n - q * root ** (n - 1) for root in (low, high))
        a = (g1 / (1 - p - q) - p / (1 - p - q)) / (g2 - g1)
        return a * s / p + endless(p, s)

    def endless(p: Any, s: Any) -> Any:
        return (2 * p - 1 + s) / (2 * p * (1 - p - (1 - s**2) / (4 * p)))

    lengths = range(2, 9)
    same = all(sum(_visits(p, (1 - s**2) / (4 * p), n)) - printed(p, s, n) == 0 for n in lengths)
    value = expected_steps(chain_of(P, Q, 10), 10)
    estimate = within(*mean_of(simulated(16).steps), float(value))
    yield said(
        where,
        "E_1[H] = K(p, q, N), any p and q",
        "the closed form with g_1 and g_2",
        "the same" if same else "another function",
        same,
        f"an identity for N = 2 to 8; p = .5, q = .25, N = 10: {float(value):.6f}, {estimate}",
    )
    # At q = 0, s is 1.
    at_zero = all(printed(p, p**0, n) - (1 - p**n) / (1 - p) == 0 for n in lengths)
    yield said(
        where,
        "K(p, 0, N)",
        "(1 - p^N) / (1 - p)",
        "the same" if at_zero else "another function",
        at_zero,
        "an identity for N = 2 to 8",
    )
    limit = float(endless(0.5, 0.5**0.5))
    longest = float(expected_steps(chain_of(P, Q, 60), 60))
    yield said(
        where,
        "K(p, q, infinity); p = .5, q = .25",
        f"{limit:.9f}",
        f"{longest:.9f} (N = 60)",
        abs(limit - longest) < 1e-9,
        "it is K(p, q, N) less A s / p, s = sqrt(1 - 4pq), and A falls like ((1 + s) / 2p)^-N, where (1 + s) / 2p > 1 "
        "as p + q < 1",
    )
    forward = endless(p, p**0) - 1 / (1 - p) == 0
    yield said(where, "K(p, 0, infinity)", "1 / (1 - p)", "the same" if forward else "another function", forward)
