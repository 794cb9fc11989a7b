"""P@H by listing every path of a chain one step after another, and by its definitions: slow and plain."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from flint import acb, acb_mat, arb, fmpq, fmpq_mat

from axiomcheck.metrics import Metric
from tests.support.metrics_topics import Topic


def all_paths(
    forward: Sequence[Fraction], backward: Sequence[Fraction], longest: int
) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every path of at most so many steps, as the ranks visited, with its probability."""
    todo = [((1,), Fraction(1))]
    while todo:
        path, chance = todo.pop()
        p, q = forward[path[-1] - 1], backward[path[-1] - 1]
        if p + q < 1:
            yield path, chance * (1 - p - q)
        if len(path) < longest:
            todo += [((*path, path[-1] + 1), chance * p)] if p else []
            todo += [((*path, path[-1] - 1), chance * q)] if q else []


def gain_of(path: Sequence[int], run: Sequence[Fraction], loss: Fraction) -> Fraction:
    """T: what a user who takes a path collects."""
    return sum((run[at - 1] * (1 - loss) ** path[:n].count(at) for n, at in enumerate(path)), Fraction(0))


def stopping_probabilities(name: str, values: dict[str, Any], run: Sequence[Fraction]) -> list[Any]:
    """P[H = i] of the forward models, from the formulas of sections 6.1 to 6.5."""
    n = len(run)
    if name == "P@H-P":
        return [Fraction(0)] * (n - 1) + [Fraction(1)]
    if name == "P@H-AP":
        hits = [Fraction(r > 0) for r in run]
        return [h / sum(hits) for h in hits] if any(hits) else [Fraction(0)] * (n - 1) + [Fraction(1)]
    if name == "P@H-DCG":
        unit = arb(1) if values["log"] is None else ball(values["log"]).log()
        reached: list[Any] = [1 / max(arb(1), arb(i).log() / unit) for i in range(1, n + 1)]
        return [a - b for a, b in zip(reached, [*reached[1:], arb(0)], strict=True)]
    stop = [1 - values["p"]] * n if name == "P@H-RBP" else list(run)
    found, left = [], Fraction(1)
    for s in [*stop[:-1], Fraction(1)]:
        found.append(left * s)
        left *= 1 - s
    return found


def slow_stopping(metric: Metric, topic: Topic) -> Any:
    """The mean or ratio of a P@H metric: an exact fraction, or a ball."""
    of = max if metric.values["aggregate"] == "max" else (lambda row: row[0])
    run = [of(row) for row in topic.ranking][: metric.cutoff]
    if not run:
        return Fraction(0)
    mean, v, n = metric.values["order"] == "mean", metric.values, len(run)
    if metric.name == "P@H-walk":
        return _walk(v["p"], v["q"], v["loss"], run, mean)
    stops = stopping_probabilities(metric.name, v, run)
    gains = [Fraction(r > 0) for r in run] if metric.name == "P@H-AP" else run
    totals: list[Any] = [sum(gains[:h], Fraction(0)) for h in range(1, n + 1)]
    if metric.name == "P@H-ERR":
        totals = [Fraction(1)] * n
    if metric.name == "P@H-DCG":
        if n <= (2 if v["log"] is None else v["log"]):
            return totals[-1]  # everyone visits all
        return sum((s * ball(t) for s, t in zip(stops, totals, strict=True)), arb(0))
    if mean:
        return sum((s * t / h for h, (s, t) in enumerate(zip(stops, totals, strict=True), 1)), Fraction(0))
    steps = sum((s * h for h, s in enumerate(stops, 1)), Fraction(0))
    return sum((s * t for s, t in zip(stops, totals, strict=True)), Fraction(0)) / steps


def ball(x: Fraction) -> arb:
    return arb(fmpq(x.numerator, x.denominator))


def _walk(p: Fraction, q: Fraction, loss: Fraction, run: list[Fraction], mean: bool) -> Any:
    """By Green's function G(z) = (I - zP)^-1: F_1i = G_1i / G_ii, F_ii = 1 - 1 / G_ii."""
    n = len(run)
    if n == 1:
        return run[0]
    up = [fmpq(x.numerator, x.denominator) for x in [p + q, *[p] * (n - 2), Fraction(0)]]
    down = [fmpq(x.numerator, x.denominator) for x in [Fraction(0), *[q] * (n - 1)]]
    ends = [1 - a - b for a, b in zip(up, down, strict=True)]
    keep = fmpq((1 - loss).numerator, (1 - loss).denominator)
    grades = [fmpq(r.numerator, r.denominator) for r in run]

    def collected(z: Any, kind: Any, rho: Any) -> list[Any]:
        moves = kind(n, n, [0] * (n * n))
        for i in range(n):
            moves[i, i] = 1
            if i + 1 < n:
                moves[i, i + 1], moves[i + 1, i] = -up[i] * z, -down[i + 1] * z
        green = moves.inv()
        left = [sum((green[i, j] * ends[j] for j in range(n)), 0 * z) for i in range(n)]
        return [green[0, i] / green[i, i] / (1 - rho * (1 - 1 / green[i, i])) * left[i] for i in range(n)]

    if not mean:
        total = sum((r * x for r, x in zip(grades, collected(fmpq(1), fmpq_mat, keep), strict=True)), fmpq(0))
        ratio = total / sum(collected(fmpq(1), fmpq_mat, fmpq(1)), fmpq(0))
        return Fraction(int(ratio.p), int(ratio.q))
    if loss == 0 and len(set(run)) == 1:
        return ball(run[0])  # what every path gives at every step

    def integrand(z: acb, _: bool) -> acb:
        try:
            weights = collected(z, acb_mat, keep)
        except ZeroDivisionError:  # z is too wide a ball
            return acb(float("nan"))
        return sum((r * x for r, x in zip(grades, weights, strict=True)), acb(0))

    return acb.integral(integrand, 0, 1).real
