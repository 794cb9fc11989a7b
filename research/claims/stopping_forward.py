"""Check Ferrante and Ferro 2020: the claims of section 6 and appendices A and D about forward models."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, fmpq

from axiomcheck.metrics.browsing import CascadeModel, Logarithmic, Persistent, RetrievedRelevance, User
from axiomcheck.metrics.stopping_value import expectation
from axiomcheck.numbers.arithmetic import Balls, Rationals, Symbols, to_fmpq
from research.claims import Claim
from research.claims.simulation import Explicit, simulate, transitions
from research.claims.stopping_chains import exact_grades
from research.claims.stopping_figure import RUN_R, RUN_S, USERS, said, within


def forward_claims() -> Iterator[Claim]:
    """Yield the claims about AP, RBP, DCG and ERR, in the paper's order."""
    yield from _average_precision()
    yield from _persistence()
    yield from _mean_of_persistence()
    yield from _logarithm()
    yield from _cascade()


def _text(values: Any) -> str:
    return ", ".join(str(v) for v in values)


def _average_precision() -> Iterator[Claim]:
    where = "section 6.2"
    runs = {"r": RUN_R, "s": RUN_S}
    stops = {name: RetrievedRelevance().stops(Rationals(), exact_grades(run)) for name, run in runs.items()}
    uniform = all(list(stops[name]) == [to_fmpq(x / 4) for x in run] for name, run in runs.items())
    yield said(
        where,
        "the transition matrix with (R_N - R_i) / (R_N - R_(i-1)) has P[H = i] = r[i] / R_N",
        "r[i] / R_N",
        f"r: {_text(stops['r'])}",
        uniform,
    )
    base, run = 4, RUN_R
    constant = Explicit((*(1 - x / base for x in run[:-1]), Fraction(0)), (Fraction(0),) * len(run))
    forward, _ = constant.chain(len(run))
    found, left = [], Fraction(1)
    for p in forward:
        found.append(left * (1 - p))
        left *= p
    yield said(
        where,
        "P[H = i] = r[i] / RB where a user goes on with probability 1 - 1/RB after every relevant document (RB = 4, r)",
        "1/4 at ranks 1, 4, 7 and 10",
        ", ".join(f"{x} at {i}" for i, x in enumerate(found, 1) if x),
        found == [x / base for x in run],
        "assumption (3), read as a transition probability, makes later documents less likely; 1/RB is P[H = i], and "
        "the transition probabilities that give it are those of the matrix that the paper derives two paragraphs on",
    )
    whole = expectation(Rationals(), User(RetrievedRelevance(), gain="hit"), exact_grades(RUN_R[:5]), "mean")
    by_pool = sum((sum(RUN_R[:i]) / i for i in range(1, 6) if RUN_R[i - 1]), Fraction(0)) / 4
    yield said(
        where,
        "with r[i] / RB, the probabilities sum to 1, and AP is the mean, only if every relevant document is retrieved "
        "(the first five documents of r, RB = 4)",
        "an approximation otherwise",
        f"mean {whole}, AP {by_pool}; the probabilities sum to {sum(RUN_R[:5]) / 4}",
        to_fmpq(by_pool) != whole,
    )


def _persistence() -> Iterator[Claim]:
    from sympy import QQ, field

    where = "section 6.3"
    _, p = field("p", QQ)

    def steps(n: int) -> Any:
        """Return E[H] over n documents."""
        return sum((h * p ** (h - 1) * (1 - p) for h in range(1, n)), n * p ** (n - 1))

    partial = all(
        sum(i * p ** (i - 1) * (1 - p) for i in range(1, n + 1)) - (steps(n) - n * p**n) == 0 for n in range(1, 13)
    )
    closed = all(steps(n) - (1 - p**n) / (1 - p) == 0 for n in range(1, 13))
    yield said(
        f"{where}, equation 8",
        "E[H] of an endless ranking, any p in (0, 1)",
        "1 / (1 - p)",
        "the same" if partial and closed else "another function",
        partial and closed,
        "the sum up to N is (1 - p^N) / (1 - p) - N p^N, an identity for N = 1 to 12; p^N and N p^N go to 0",
    )
    yield said(
        where,
        "K(p, N) = E[H] over N documents, the last reached with probability p^(N-1)",
        "(1 - p^N) / (1 - p)",
        "the same" if closed else "another function",
        closed,
        "an identity for N = 1 to 12",
    )
    half = Fraction(1, 2)
    ours = expectation(Rationals(), User(Persistent(half)), exact_grades(RUN_R), "ratio")
    printed = sum((r * half**k for k, r in enumerate(RUN_R)), Fraction(0)) / ((1 - half**10) / (1 - half))
    yield said(where, "RBP(N) of r, p = .5, from its formula", str(printed), str(ours), to_fmpq(printed) == ours)


def _mean_of_persistence() -> Iterator[Claim]:
    """Yield the claim of appendix A about E[P@H] for persistent users."""
    half, grades = Fraction(1, 2), exact_grades(RUN_R)
    ours = expectation(Rationals(), User(Persistent(half)), grades, "mean")
    precision = [sum(RUN_R[:h], Fraction(0)) / h for h in range(1, 11)]

    def formula(last: Fraction) -> Fraction:
        return sum((Fraction(1, 2**h) * precision[h - 1] for h in range(1, 10)), Fraction(0)) + last * precision[9]

    printed, corrected = formula(Fraction(1, 2**10)), formula(Fraction(1, 2**9))
    simulation = simulate(User(Persistent(half)), RUN_R, USERS, (2020, 7))
    estimate = within(simulation.mean, simulation.mean_error, float(corrected))
    yield said(
        "appendix A",
        "E[P@H] of r where users go on with probability p = .5: the last term",
        f"p^N sum(r) / N: {float(printed):.6f}",
        f"{int(ours.p) / int(ours.q):.6f}",
        to_fmpq(printed) == ours,
        "the last rank is reached with probability p^(N-1), as section 6.3 says; with p^N the probabilities sum to "
        f"1 - p^(N-1) + p^N. With p^(N-1) the formula gives {float(corrected):.6f}"
        f"{', the exact value' if to_fmpq(corrected) == ours else ''}; {estimate}",
    )


def _logarithm() -> Iterator[Claim]:
    where, n = "appendix D", 9
    grades = exact_grades((Fraction(1),) * n)
    stops = Logarithmic().stops(Symbols(n), grades)
    reach = Logarithmic().reach(Symbols(n), grades)  # irrational 1 / log2 i is the i-th symbol
    yield said(
        where,
        "P[H = 1] and P[H = 2], b = 2",
        "0, (log2 3 - 1) / log2 3",
        f"{stops[0]}, 1 - {reach[2]}, {reach[2]} being 1 / log2 3",
        stops[0] == 0 and stops[1] - (1 - reach[2]) == 0,
    )
    # (log(i+1) - log i) / (log(i+1) log i) = 1 / log i - 1 / log(i+1)
    balls = Logarithmic().stops(Balls(), grades)
    logs = [arb(i).log() / arb(2).log() for i in range(1, n + 2)]
    printed = [(logs[i] - logs[i - 1]) / (logs[i] * logs[i - 1]) for i in range(3, n)]
    between = all(stops[i - 1] - (reach[i - 1] - reach[i]) == 0 for i in range(3, n)) and all(
        arb(balls[i - 1]).overlaps(value) for i, value in zip(range(3, n), printed, strict=True)
    )
    last = stops[n - 1] - reach[n - 1] == 0
    yield said(
        where,
        f"P[H = i] for i = 3 to N - 1, N = {n}",
        "(log2(i+1) - log2 i) / (log2(i+1) log2 i)",
        "the same" if between else "others",
        between,
        "an identity in the logarithms",
    )
    simulation = simulate(User(Logarithmic(), effort="none"), RUN_R, USERS, (2020, 8))
    share, value = float((simulation.steps == 10).mean()), float((1 / (arb(10).log() / arb(2).log())).mid())
    error = float(np.sqrt(value * (1 - value) / USERS))
    yield said(
        where,
        "P[H = N]",
        "1 / log2 N",
        "the same" if last else "another",
        last,
        f"of N = 10: {within(share, error, value)}",
    )
    forward, backward = transitions(Logarithmic(), Balls(), grades)
    rows = all(arb(forward[i - 1]).overlaps(logs[i - 1] / logs[i]) for i in range(2, n))
    yield said(
        where,
        "the transition matrix: p_1 = 1, p_i = log2 i / log2(i+1) for i = 2 to N - 1, and no step back",
        "p_1 = 1, p_i = log2 i / log2(i+1)",
        "the same" if rows else "another",
        bool(rows and forward[0] == 1 and not any(backward)),
        "the text at hand leaves the first entry of the last row blank; it has to be 1, as nobody goes on from rank N",
    )
    means = [
        expectation(Balls(), User(Logarithmic(), effort="none"), exact_grades(RUN_R), o) for o in ("mean", "ratio")
    ]
    discounted = sum((1 / max(arb(1), arb(i).log() / arb(2).log()) for i, x in enumerate(RUN_R, 1) if x), arb(0))
    yield said(
        "section 6.4",
        "orders 1 and 2 are the same, and both are DCG (of r, b = 2)",
        "sum of w(r[i]) / max(1, log_b i)",
        ", ".join(x.str(8, radius=False) for x in (*means, discounted)),
        all(x.overlaps(discounted) for x in means),
    )


def _cascade() -> Iterator[Claim]:
    where, user = "section 6.5", User(CascadeModel(), gain="first")
    run = (Fraction(1, 4), Fraction(0), Fraction(1, 2), Fraction(1, 8))

    def formula(grades: tuple[Fraction, ...]) -> Fraction:
        total, left = Fraction(0), Fraction(1)
        for i, r in enumerate(grades, 1):
            total, left = total + left * r / i, left * (1 - r)
        return total

    ours = expectation(Rationals(), user, exact_grades(run), "mean")
    with_one, without = formula((*run[:-1], Fraction(1))), formula(run)
    unsatisfied = (1 - run[0]) * (1 - run[1]) * (1 - run[2]) * (1 - run[3])
    simulation = simulate(user, run, USERS, (2020, 9))
    estimate = within(simulation.mean, simulation.mean_error, float(with_one))
    yield said(
        where,
        "E[1/H] is ERR with R_N = 1 (grades 1/4, 0, 1/2, 1/8)",
        str(with_one),
        str(ours),
        to_fmpq(with_one) == ours,
        estimate,
    )
    difference = ours - to_fmpq(without)
    yield said(
        where,
        "E[1/H] = ERR(r) of equation 11, whose R_N is that of the last document (the same grades)",
        str(without),
        str(ours),
        to_fmpq(without) == ours,
        f"the model makes R_N = 1, and so counts {difference} more: the {unsatisfied} of the users whom nothing "
        f"satisfies earn 1/N as if the last document had"
        f"{'' if difference == to_fmpq(unsatisfied / 4) else ' (which does not add up)'}; the two agree where r[N] = 1",
    )
    stops = CascadeModel().stops(Rationals(), exact_grades(run))
    second, misprint = to_fmpq((1 - run[0]) * (1 - run[1]) * run[2]), to_fmpq((1 - run[0]) * (1 - run[1]) * run[1])
    yield said(
        where,
        "P[H = i], here of i = 3: the index of the last factor",
        f"R_j, j < i: {misprint}",
        str(stops[2]),
        misprint == stops[2],
        f"a slip of the pen, or of the text at hand: prod (1 - R_j) R_i, as in equation 11, gives {second}"
        f"{', the exact value' if second == stops[2] else ''}; sum of all: {sum(stops, fmpq(0))}",
    )
