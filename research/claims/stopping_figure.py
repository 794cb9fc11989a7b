"""Check Ferrante and Ferro 2020: example 4.1, and the claims of sections 5.2 and 6 about figure 1."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from flint import fmpq

from axiomcheck.core.printable import counted
from axiomcheck.metrics import parse
from axiomcheck.metrics.browsing import User, WalkModel
from axiomcheck.metrics.stopping import StoppingMetric
from axiomcheck.metrics.stopping_value import paths_within
from axiomcheck.numbers.arithmetic import Floats
from research.claims import Claim
from research.claims.simulation import RunStudy, Segment, as_float, study

PAPER = "P@H"

RUN_R = tuple(Fraction(x) for x in (1, 0, 0, 1, 0, 0, 1, 0, 0, 1))
RUN_S = tuple(Fraction(x) for x in (0, 1, 1, 1, 1, 0, 0, 0, 0, 0))

USERS = 100_000


def said(where: str, what: str, published: str, computed: str, agrees: bool, note: str = "") -> Claim:
    """Return a `Claim` of this paper."""
    return Claim(PAPER, where, what, published, computed, agrees, note)


def within(estimate: float, error: float, value: float) -> str:
    """Format an estimate from simulated users, with its distance from a value in standard errors.

    Args:
        estimate: Mean over the simulated users.
        error: Standard error of the estimate; 0 if all users agree.
        value: Value to compare with.

    """
    if error == 0:
        return f"{USERS:,} simulated users: {estimate:.4f}, all alike"
    return f"{USERS:,} simulated users: {estimate:.4f}, {abs(estimate - value) / error:.1f} standard errors away"


def figure_claims() -> Iterator[Claim]:
    """Yield the claims about example 4.1, then about the four parts of the figure."""
    yield from _example()
    models = {
        "a": "P@H-P",
        "b": "P@H-AP",
        "c": "P@H-RBP(p=0.5)",
        "d": "P@H-walk(p=0.5, q=0.25, loss=0.25)",
    }
    studies = {}
    for part, name in models.items():
        metric = parse(name)
        assert isinstance(metric, StoppingMetric)
        studies[part] = study(metric.user(), [RUN_R, RUN_S], USERS, seed=2020)
    yield from _numbers(studies)
    yield from _part_a(studies["a"])
    yield from _part_b(studies["b"])
    yield from _part_c(studies["c"])
    yield from _part_d(studies["d"])


def _along(path: list[int], run: list[int], loss: Fraction) -> list[Fraction]:
    """Return the gain g(k(n), r[X_n]) of every step n of a path."""
    return [run[at - 1] * (1 - loss) ** path[:n].count(at) for n, at in enumerate(path)]


def _example() -> Iterator[Claim]:
    user = User(WalkModel(Fraction(1, 2), Fraction(1, 4)), Fraction(1, 2))
    path = [1, 2, 1, 2, 3]
    gains = _along(path, [3, 2, 3, 0, 1], user.loss)
    yield said("example 4.1", "H of the path 1, 2, 1, 2, 3, End", "5", str(len(path)), len(path) == 5)
    printed = "3, 2, 1.5, 1, 3"
    computed = ", ".join(f"{float(g):g}" for g in gains)
    yield said("example 4.1", "gains along it, lambda = .5", printed, computed, computed == printed)


def _numbers(studies: dict[str, RunStudy]) -> Iterator[Claim]:
    for text, part, which, values in (
        ("P@10", "a", "mean", (".40", ".40")),
        ("AP", "b", "mean", (".58", ".68")),
        ("RBP(p=0.5)", "c", "ratio", (".57", ".47")),
    ):
        for number, (name, run, printed) in enumerate(zip("rs", (RUN_R, RUN_S), values, strict=True)):
            grades = np.array([[float(x)] for x in run])
            score = float(parse(text).score(Floats(), grades, np.ones(1), grades))
            ours = as_float(getattr(studies[part].known[number], which))
            same = f"{score:.2f}"[1:] == f"{ours:.2f}"[1:] == printed
            simulation = studies[part].simulations[number]
            estimate = within(getattr(simulation, which), getattr(simulation, f"{which}_error"), ours)
            order = {"mean": "E[T/H]", "ratio": "E[T]/E[H]"}[which]
            yield said(
                f"section 5.2, figure 1{part}",
                f"{text} of {name}, and {order} of P@H",
                printed,
                f"{score:.4f}, {ours:.4f}",
                same,
                estimate,
            )


def _outcomes(found: RunStudy) -> str:
    words = {"first": "r", "second": "s"}
    parts = [f"order {k}: {words.get(o, o)}" for k, o in ((1, found.order("mean")), (2, found.order("ratio")))]
    dominance = found.dominance()
    return ", ".join([*parts, f"order 3: {words.get(dominance, dominance)}"])


def _intervals(segments: list[Segment]) -> str:
    words = {"first": "r", "second": "s"}
    parts = [f"{s.low} < x <= {s.high}: {words.get(s.ahead, s.ahead)}" for s in segments]
    return "ahead at " + "; ".join(parts)


def _gap(found: RunStudy, which: str) -> float:
    """Return the expectation of run r minus that of run s."""
    first, second = (as_float(getattr(k, which)) for k in found.known)
    return first - second


def _share(found: RunStudy, number: int, low: Fraction, high: Fraction) -> float:
    """Return P[low <= P@H <= high] within the enumerated part of a distribution."""
    known = found.known[number]
    inside = (m for v, m in zip(known.values, known.masses, strict=True) if low <= Fraction(int(v.p), int(v.q)) <= high)
    return sum(map(as_float, inside))


def _part_a(found: RunStudy) -> Iterator[Claim]:
    alike = (found.order("mean"), found.order("ratio"), found.dominance()) == ("equal",) * 3
    yield said(
        "section 5.2, figure 1a",
        "the distribution is a single value, and all orders are the same",
        "orders 1, 2 and 3 coincide",
        _outcomes(found),
        alike and all(len(k.values) == 1 for k in found.known),
    )


def _part_b(found: RunStudy) -> Iterator[Claim]:
    where = "section 5.2, figure 1b"
    mean, ratio = _gap(found, "mean"), _gap(found, "ratio")
    yield said(
        where,
        "order 2 agrees with order 1 and prefers s in a more marked way",
        "s by both, by more in order 2",
        f"{_outcomes(found)}; s is ahead by {-mean:.4f} and {-ratio:.4f}",
        mean < 0 and ratio < mean,
    )
    segments = found.segments()
    yield said(
        where,
        "r and s are not comparable by order 3; the distributions cross around .75",
        "cross around .75",
        _intervals(segments),
        found.dominance() == "incomparable" and {s.high for s in segments if s.ahead == "second"} == {Fraction(3, 4)},
        "s is ahead up to 3/4 and r from 4/5 on; between them as many users of both score x or more",
    )
    shares = [_share(found, k, Fraction(3, 4) + Fraction(1, 1000), Fraction(1)) for k in (0, 1)]
    yield said(
        where,
        "share of users with P@H over .75, of whom r is better",
        "roughly 20%",
        f"{shares[0]:.4f} of r, {shares[1]:.4f} of s",
        all(round(x, 1) == 0.2 and abs(x - 0.2) < 0.03 for x in shares),
        "users stop at each of the four relevant documents alike, so it is a quarter, exactly: those who end at rank 1 "
        "of r (P@H = 1) and at rank 5 of s (P@H = .8). That r is better for them is right. The share is the paper's "
        "reading of its own figure",
    )


def _part_c(found: RunStudy) -> Iterator[Claim]:
    where = "section 5.2, figure 1c"
    mean, ratio = _gap(found, "mean"), _gap(found, "ratio")
    yield said(
        where,
        "r dominates s, and is better by orders 1 and 2, by less in order 2",
        "r by all three",
        f"{_outcomes(found)}; r is ahead by {mean:.4f} and {ratio:.4f}",
        found.dominance() == "first" and mean > ratio > 0,
    )
    one, zero = _share(found, 0, Fraction(1), Fraction(1)), _share(found, 1, Fraction(0), Fraction(0))
    high = [_share(found, k, Fraction("0.81"), Fraction(1)) for k in (0, 1)]
    yield said(
        where,
        "half of the users have low to medium performance for run s and medium to high for run s",
        "for run s ... for run s",
        f"P@H = 0 for {zero:g} of the users of s, above .8 for {high[1]:g} of them, and = 1 for {one:g} of those of r",
        high[1] > 0,
        "a slip of the pen: low to medium is s, medium to high is r. The half is right",
    )
    by_rank = [[sum(run[:h], Fraction(0)) / h for h in range(1, 11)] for run in (RUN_R, RUN_S)]
    better = [h for h in range(1, 11) if by_rank[0][h - 1] > by_rank[1][h - 1]]
    yield said(
        where,
        "persistent users find nothing in s and are rewarded in r",
        "users who go deep fare better with r",
        f"a user who stops at rank h fares better with r at h = {', '.join(map(str, better))} only",
        better != [1],
        "r is ahead on account of the users who stop at once: T/H of s is at least that of r at every rank from 2 on. "
        "The argument of the text, not the figure, is wrong",
    )


def _part_d(found: RunStudy) -> Iterator[Claim]:
    where = "section 5.2, figure 1d"
    mean, ratio = _gap(found, "mean"), _gap(found, "ratio")
    estimates = "; ".join(
        within(getattr(s, w), getattr(s, f"{w}_error"), as_float(getattr(k, w)))
        for k, s in zip(found.known, found.simulations, strict=True)
        for w in ("mean", "ratio")
    )
    yield said(
        where,
        "orders 1 and 2 do not agree and swap the runs in a marked way",
        "orders 1 and 2 swap r and s",
        f"{_outcomes(found)}; r is ahead by {mean:.4f} and by {ratio:.4f}",
        mean > 0 > ratio,
        estimates,
    )
    segments = found.segments()
    crossings = len([s for s in segments if s.ahead in ("first", "second")]) - 1
    yield said(
        where,
        "r and s are not comparable by order 3: the distributions cross several times",
        "several crossings",
        f"{counted(crossings, 'crossing')}; {_intervals(segments)}",
        found.dominance() == "incomparable" and crossings >= 2 and all(s.ahead != "undecided" for s in segments),
        f"certified, with all but {as_float(found.known[0].rest):.1g} of the users followed to their end",
    )
    middle = [s for s in segments if s.ahead == "second"]
    near = (
        len(middle) == 1
        and abs(middle[0].low - Fraction("0.4")) < 0.02
        and abs(middle[0].high - Fraction("0.68")) < 0.02
    )
    yield said(where, "where s is preferred", ".40-.68", _intervals(middle), near)
    least, left_out = _same_path_share(Fraction("0.40"), Fraction("0.68"))
    yield said(
        where,
        "share of the users who prefer s, in that range",
        "roughly 25%-30%",
        f"between {float(least):.4f} and {float(least + left_out):.4f}",
        Fraction("0.245") <= least and least + left_out <= Fraction("0.305"),
        "read as the users who, on one and the same path through both runs, score more with s and .40-.68 with it. The "
        "distributions in the figure, in which users of one run meet no users of the other, do not show that share",
    )
    forward = WalkModel(Fraction(1, 2), Fraction(1, 4)).chain(10)[0]
    yield said(
        where,
        "the forward probability is that of RBP before, .50",
        "p_i = .50",
        f"p_1 = {float(forward[0]):g}, p_2 to p_9 = {float(forward[1]):g}",
        len(set(forward[:-1])) == 1,
        "the caption's own probabilities have p_1 = .75, as the step back from rank 1 becomes a step on; it matters: "
        "half of RBP's users leave after rank 1 and a quarter of these",
    )


def _same_path_share(low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """Return the share of paths on which s scores more than r and within an interval.

    The second number is the share of paths that are too long to be enumerated.
    """
    walk, loss = WalkModel(Fraction(1, 2), Fraction(1, 4)), Fraction(1, 4)
    ranks = tuple(i for i in range(1, 11) if RUN_R[i - 1] or RUN_S[i - 1])
    paths = paths_within(walk, 10, ranks, 16)
    gains = [sum(((1 - loss) ** k for k in range(v)), Fraction(0)) for v in range(17)]
    share = fmpq(0)
    for visits, steps, mass in zip(paths.visits.tolist(), paths.steps.tolist(), paths.masses, strict=True):
        r, s = (
            sum((gains[v] for rank, v in zip(ranks, visits, strict=True) if run[rank - 1]), Fraction(0)) / steps
            for run in (RUN_R, RUN_S)
        )
        if s > r and low <= s <= high:
            share += mass
    return Fraction(int(share.p), int(share.q)), Fraction(int(paths.rest.p), int(paths.rest.q))
