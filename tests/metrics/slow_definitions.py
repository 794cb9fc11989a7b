"""Plain definitions of the catalogue's metrics.

`SLOW` scores one ranking with loops over fractions, and knows nothing of the arithmetics. Sums over logarithms are
balls of 200 bits. P@H is defined by its formulas, and by every path of a chain, one step after another.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import prod
from typing import Any

from flint import acb, acb_mat, arb, fmpq, fmpq_mat

from axiomcheck.metrics import CATALOGUE, Metric
from tests.support.metrics_topics import Rows, Topic


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


Value = Any  # Fraction, or arb where there are logarithms
Grades = list[Fraction]


def arb_of(x: Value) -> arb:
    return ball(x) if isinstance(x, Fraction) else arb(x)


def log2_discount(i: int) -> arb:
    return arb(2).log() / arb(i + 1).log()


def log_sum(gains: Grades, discount: Callable[[int], arb] = log2_discount) -> arb:
    total = arb(0)
    for i, gain in enumerate(gains, start=1):
        total += ball(gain) * discount(i)
    return total


def ratio(x: Value, y: Value) -> Value:
    return x / y if y != 0 else 0 * x


def slow_p(v: dict[str, Any], k: int | None, r: Grades, pool: Grades) -> Value:
    assert k is not None
    return Fraction(sum(1 for x in r[:k] if x > 0), k)


def slow_rr(v: dict[str, Any], k: int | None, r: Grades, pool: Grades) -> Value:
    for i, x in enumerate(r[:k], start=1):
        if x > 0:
            return Fraction(1, i)
    return Fraction(0)


def slow_ap(v: dict[str, Any], k: int | None, r: Grades, pool: Grades) -> Value:
    relevant = sum(1 for x in pool if x > 0)
    total = Fraction(0)
    for i, x in enumerate(r[:k], start=1):
        if x > 0:
            total += Fraction(sum(1 for y in r[:i] if y > 0), i)
    return ratio(total, Fraction(relevant))


def slow_ndcg(v: dict[str, Any], k: int | None, r: Grades, pool: Grades) -> Value:
    return ratio(log_sum(r[:k]), log_sum(sorted(pool, reverse=True)[:k]))


def slow_err(v: dict[str, Any], k: int | None, r: Grades, pool: Grades) -> Value:
    total, unsatisfied = Fraction(0), Fraction(1)
    for i, x in enumerate(r[:k], start=1):
        total += unsatisfied * x / i
        unsatisfied *= 1 - x
    return total


def slow_rbp(v: dict[str, Any], k: int | None, r: Grades, pool: Grades) -> Value:
    return sum(((1 - v["p"]) * v["p"] ** i * x for i, x in enumerate(r[:k])), Fraction(0))


def inst_parts(target: Fraction, r: Grades) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Gain and documents seen in the ranking by equation 1, up to the factor W(1); who goes on, and n + T + T_n."""
    share, gain, seen, remaining, x = Fraction(1), Fraction(0), Fraction(0), target, 2 * target
    for i, r_i in enumerate(r, start=1):
        remaining -= r_i
        gain, seen = gain + share * r_i, seen + share
        x = i + target + remaining
        share *= ((x - 1) / x) ** 2
    return gain, seen, share, x


def slow_inst(v: dict[str, Any], k: int | None, r: Grades, pool: Grades) -> Value:
    """The tail of gain 0 as 400 terms, and the rest within consecutive terms of its alternating series."""
    gain, seen, share, x = inst_parts(v["T"], r[:k])
    total = ball(seen)
    for j in range(400):
        total += ball(share) * (ball(x) / ball(x + j)) ** 2
    y = ball(x + 400)
    low = 1 / y + 1 / (2 * y**2) + 1 / (6 * y**3) - 1 / (30 * y**5)
    return ball(gain) / (total + ball(share * x * x) * low.union(low + 1 / (30 * y**5)))


def slow_inst_upper(v: dict[str, Any], k: int | None, r: Grades, pool: Grades) -> Value:
    """The tail of gain 1 as a geometric series."""
    if not r[:k]:
        return Fraction(0)
    gain, seen, share, x = inst_parts(v["T"], r[:k])
    tail = share / (1 - ((x - 1) / x) ** 2)
    return (gain + tail) / (seen + tail)


AD_HOC = {"P": slow_p, "RR": slow_rr, "AP": slow_ap, "nDCG": slow_ndcg, "ERR": slow_err, "RBP": slow_rbp}
USERS = {"INST": slow_inst, "INST-upper": slow_inst_upper}


def lifted(name: str) -> Callable[[Metric, Topic], Value]:
    def score(metric: Metric, x: Topic) -> Value:
        of = max if metric.values["aggregate"] == "max" else (lambda row: row[0])
        slow = (AD_HOC | USERS)[name]
        return slow(metric.values, metric.cutoff, [of(row) for row in x.ranking], [of(row) for row in x.pool])

    return score


def intent_aware(name: str) -> Callable[[Metric, Topic], Value]:
    def slow(metric: Metric, x: Topic) -> Value:
        total: Value = Fraction(0)
        for t, w in enumerate(x.weights):
            r, pool = [row[t] for row in x.ranking], [row[t] for row in x.pool]
            score = AD_HOC[name](metric.values, metric.cutoff, r, pool)
            if isinstance(score, Fraction):
                total += w * score
            else:
                total = arb_of(total) + ball(w) * score
        return total

    return slow


def covered(ranking: Rows) -> set[int]:
    return {t for row in ranking for t, x in enumerate(row) if x > 0}


def slow_s_rr(metric: Metric, x: Topic) -> Value:
    for i in range(1, len(x.ranking[: metric.cutoff]) + 1):
        if len(covered(x.ranking[:i])) == len(x.weights):
            return Fraction(1, i)
    return Fraction(0)


def redundancy(ranking: Rows, i: int, t: int, alpha: Fraction) -> Fraction:
    """(1 - alpha) ** c(i, t), the i-th document being ranking[i - 1]."""
    return (1 - alpha) ** sum(row[t] > 0 for row in ranking[: i - 1])


def novelty(ranking: Rows, alpha: Fraction, weights: Grades | None) -> Grades:
    """sum_t [w] r (1 - alpha)^c at every rank."""
    return [
        sum(
            ((weights[t] if weights else 1) * x * redundancy(ranking, i, t, alpha) for t, x in enumerate(row)),
            Fraction(0),
        )
        for i, row in enumerate(ranking, start=1)
    ]


def novelty_of(metric: Metric, x: Topic, ranking: Rows) -> Grades:
    weights = x.weights if metric.values.get("weighted") else None
    return novelty(ranking[: metric.cutoff], metric.values["alpha"], weights)


def geometric(gains: Grades, p: Fraction) -> Fraction:
    return sum((p**i * x for i, x in enumerate(gains)), Fraction(0))


def harmonic(gains: Grades) -> Fraction:
    return sum((x / i for i, x in enumerate(gains, start=1)), Fraction(0))


def slow_nrbp(metric: Metric, x: Topic) -> Value:
    return geometric(novelty_of(metric, x, x.ranking), metric.values["p"])


def slow_nrbp_paper(metric: Metric, x: Topic) -> Value:
    return slow_nrbp(metric, x) * (1 - (1 - metric.values["alpha"]) * metric.values["p"]) / len(x.weights)


def global_gains(rows: Rows, weights: Grades) -> Grades:
    return [sum((w * r for w, r in zip(weights, row, strict=True)), Fraction(0)) for row in rows]


def slow_d_ndcg(metric: Metric, x: Topic) -> Value:
    return slow_ndcg({}, metric.cutoff, global_gains(x.ranking, x.weights), global_gains(x.pool, x.weights))


def slow_d_sharp(metric: Metric, x: Topic) -> Value:
    mix = metric.values["lambda"]
    return ball(mix * SLOW["S-Recall"](metric, x)) + ball(1 - mix) * arb_of(slow_d_ndcg(metric, x))


def slow_eu(metric: Metric, x: Topic) -> Value:
    base = metric.values["log"]
    unit = arb(1) if base is None else ball(base).log()
    gains = novelty(x.ranking[: metric.cutoff], metric.values["alpha"], x.weights)
    return log_sum([g - metric.values["e"] for g in gains], lambda i: 1 / (1 + arb(i).log() / unit))


def slow_ct(metric: Metric, x: Topic) -> Value:
    level, strict = metric.values["level"], metric.values["strict"]
    ranking = x.ranking[: metric.cutoff]
    total = Fraction(0)
    for i, row in enumerate(ranking, start=1):
        for t, r in enumerate(row):
            so_far = sum((earlier[t] for earlier in ranking[: i - 1]), Fraction(0))
            room = so_far <= level if strict else so_far < level
            if room:
                total += x.weights[t] * r * redundancy(ranking, i, t, metric.values["alpha"]) / i
    return total


def slow_rbu(metric: Metric, x: Topic) -> Value:
    ranking, p = x.ranking[: metric.cutoff], metric.values["p"]
    gains = []
    for i, row in enumerate(ranking):
        unsatisfied = [prod((1 - earlier[t] for earlier in ranking[:i]), start=Fraction(1)) for t in range(len(row))]
        earned = sum((w * r * u for w, r, u in zip(x.weights, row, unsatisfied, strict=True)), Fraction(0))
        gains.append(earned - metric.values["e"])
    return p * geometric(gains, p)


def slow_greedy(pool: Rows, alpha: Fraction, weights: Grades | None) -> Rows:
    """Every document of the pool, the one with most to gain first, the first row of several."""
    left: Rows = list(pool)
    ranking: Rows = []
    while left:
        best, best_gain = 0, Fraction(-1)
        for j, row in enumerate(left):
            gain = novelty([*ranking, row], alpha, weights)[-1]
            if gain > best_gain:
                best, best_gain = j, gain
        ranking.append(left.pop(best))
    return ranking


def slow_alpha_ndcg_greedy(metric: Metric, x: Topic) -> Value:
    weights = x.weights if metric.values["weighted"] else None
    ideal = slow_greedy(x.pool, metric.values["alpha"], weights)
    return ratio(log_sum(novelty_of(metric, x, x.ranking)), log_sum(novelty_of(metric, x, ideal)))


def binary(rows: Rows) -> Rows:
    return [[Fraction(x > 0) for x in row] for row in rows]


def trec(kind: str, total: Callable[[Metric, Grades], Value]) -> Callable[[Metric, Topic], Value]:
    def slow(metric: Metric, x: Topic) -> Value:
        alpha = metric.values["alpha"]
        score = total(metric, novelty(binary(x.ranking)[: metric.cutoff], alpha, None))
        if kind == "greedy":
            depth = None if metric.name == "trec-nNRBP" else metric.cutoff
            return ratio(score, total(metric, novelty(slow_greedy(binary(x.pool), alpha, None)[:depth], alpha, None)))
        aspects = len(covered(x.pool))
        if kind == "endless":
            return ratio(score * (1 - (1 - alpha) * metric.values["beta"]), Fraction(aspects))
        assert metric.cutoff is not None
        everything = [[Fraction(1)] * aspects for _ in range(metric.cutoff)]
        return ratio(score, total(metric, novelty(everything, alpha, None)))

    return slow


def mean_of_covered(name: str) -> Callable[[Metric, Topic], Value]:
    def slow(metric: Metric, x: Topic) -> Value:
        total = Fraction(0)
        for t in covered(x.pool):
            total += AD_HOC[name]({}, metric.cutoff, [row[t] for row in x.ranking], [row[t] for row in x.pool])
        return ratio(total, Fraction(len(covered(x.pool))))

    return slow


SLOW: dict[str, Callable[[Metric, Topic], Value]] = {
    **{name: lifted(name) for name in AD_HOC | USERS},
    **{f"{name}-IA": intent_aware(name) for name in AD_HOC},
    "S-Recall": lambda metric, x: Fraction(len(covered(x.ranking[: metric.cutoff])), len(x.weights)),
    "S-RR@100%": slow_s_rr,
    "NRBP": slow_nrbp,
    "NRBP-paper": slow_nrbp_paper,
    "D-nDCG": slow_d_ndcg,
    "D#-nDCG": slow_d_sharp,
    "alpha-nDCG": lambda metric, x: log_sum(novelty_of(metric, x, x.ranking)),
    "EU": slow_eu,
    "CT": slow_ct,
    "RBU": slow_rbu,
    "RBU-program": lambda metric, x: slow_rbu(metric, x) * (1 - metric.values["p"]) / metric.values["p"],
    "alpha-nDCG-greedy": slow_alpha_ndcg_greedy,
    "trec-ERR-IA": trec("full", lambda metric, gains: harmonic(gains)),
    "trec-nERR-IA": trec("greedy", lambda metric, gains: harmonic(gains)),
    "trec-alpha-DCG": trec("full", lambda metric, gains: log_sum(gains)),
    "trec-alpha-nDCG": trec("greedy", lambda metric, gains: log_sum(gains)),
    "trec-NRBP": trec("endless", lambda metric, gains: geometric(gains, metric.values["beta"])),
    "trec-nNRBP": trec("greedy", lambda metric, gains: geometric(gains, metric.values["beta"])),
    "trec-AP-IA": mean_of_covered("AP"),
    "trec-P-IA": mean_of_covered("P"),
    "trec-S-Recall": lambda metric, x: ratio(
        Fraction(len(covered(x.ranking[: metric.cutoff]))), Fraction(len(covered(x.pool)))
    ),
    **{name: slow_stopping for name in CATALOGUE if name.startswith("P@H-")},
}
