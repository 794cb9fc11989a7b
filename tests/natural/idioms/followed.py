"""Idioms that derivations follow; each docstring has a part of the fold."""

import functools
import itertools
import math
import operator
from collections import Counter

import numpy as np


def counter_before(topic, ranking):
    """rank i earns 1 / i times r"""
    total, rank = 0.0, 0
    for d in ranking:
        rank += 1
        total += topic.pool[d][0] / rank
    return total


def counter_after(topic, ranking):
    """rank i earns 1 / i times r; only ranks up to 5 count"""
    total, rank = 0.0, 1
    for d in ranking[:5]:
        if topic.pool[d][0] > 0:
            total += topic.pool[d][0] / rank
        rank = rank + 1
    return total


def counter_used_after_cost(topic, ranking):
    """rank i earns 1 times r; cost 1/2"""
    total, rank = 0.0, 0
    for d in ranking:
        rank += 1
        total += topic.pool[d][0]
    return total - 0.5 * rank


def ap(topic, ranking):
    """rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0"""
    total, rank, found = 0.0, 0, 0
    for d in ranking:
        rank += 1
        if topic.pool[d][0] > 0:
            found += 1
            total += found / rank
    return total


def for_else(topic, ranking):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0"""
    for rank, doc in enumerate(ranking):
        if topic.pool[doc][0] > 0:
            break
    else:
        rank = -1
    if rank > -1:
        return 1.0 / (rank + 1)
    return 0


def first_none(topic, ranking):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0"""
    first = None
    for rank, doc in enumerate(ranking, 1):
        if topic.pool[doc][0] > 0:
            first = rank
            break
    if first is None:
        return 0.0
    return 1 / first


def by_next(topic, ranking):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0"""
    first = next((i for i, d in enumerate(ranking, 1) if topic.pool[d][0] > 0), None)
    return 1 / first if first is not None else 0.0


def f(g, i):
    return g / (i + 1)


def by_map(topic, ranking):
    """rank i earns 1 / i times r"""
    gains = [topic.pool[d][0] for d in ranking]
    return sum(map(f, gains, range(len(gains))))


def fill_in_topics(grades, weights):
    """rank i earns 1 / i times r; only ranks up to 5 count"""
    out = []
    for row in grades[..., 0]:
        disc = 1 / np.arange(1, len(row) + 1)
        disc[5:] = 0
        out.append((row * disc).sum())
    return np.array(out)


def roll(grades, weights):
    """rank i earns 1 / i times r * s0; s0 is 1, then s0 - r * s0"""
    x = grades[..., 0]
    above = np.ones_like(x)
    above[:, 1:] = np.cumprod(1 - x, axis=1)[:, :-1]
    return (x * above / np.arange(1, x.shape[1] + 1)).sum(axis=1)


def insert(grades, weights):
    """rank i earns 1 / i times r * s0; s0 is 1, then s0 - r * s0"""
    return np.array(
        [
            np.sum(row * np.insert(np.cumprod(1 - row), 0, 1.0)[:-1] / np.arange(1, len(row) + 1))
            for row in grades[..., 0]
        ]
    )


def dot(grades, weights):
    """rank i earns (1/2) ** (i - 1) times r"""
    x = grades[..., 0]
    disc = (0.5 ** np.arange(x.shape[1], dtype=float)).reshape(-1, 1)
    return (x.T * disc).sum(axis=0)


def max_rr(grades, weights):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0"""
    x = grades[..., 0] > 0
    return (x / np.arange(1, x.shape[1] + 1)).max(axis=1)


def nan_to_num(grades, weights, pool):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count; one aspect; divided by the"""
    x, y = grades[:, :10, 0], np.sort(pool[..., 0], axis=1)[:, ::-1][:, :10]
    dcg = (x / np.log2(np.arange(x.shape[1]) + 2)).sum(axis=1)
    idcg = (y / np.log2(np.arange(y.shape[1]) + 2)).sum(axis=1)
    with np.errstate(all="ignore"):
        return np.nan_to_num(dcg / idcg)


def found(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r"""
    found = sum(topic.pool[d][0] / math.log2(i + 2) for i, d in enumerate(ranking))
    ideal = sum(g / math.log2(i + 2) for i, g in enumerate(sorted((g[0] for g in topic.pool.values()), reverse=True)))
    return found / ideal if found > 0 else 0


def masked(grades, weights, pool):
    """rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect; divided by the"""
    n_pos = (pool[..., 0] > 0).sum(axis=1)
    x = (grades[..., 0] > 0).astype(float)
    ranks = np.arange(1, x.shape[1] + 1)
    precision = np.cumsum(x, axis=-1) / ranks
    scores = np.zeros_like(n_pos, dtype=float)
    some = n_pos > 0
    scores[some] = np.sum(precision * x, axis=-1)[some] / n_pos[some]
    return scores


def positions(topic, ranking):
    """rank i earns 1 / log2(i + 1) times hit"""
    rel = np.array([topic.pool[d][0] for d in ranking])
    ranks = np.where(rel > 0)[0]
    return np.sum(1 / np.log2(ranks + 2))


def grades_at_positions(topic, ranking):
    """rank i earns 1 / i times r"""
    rel = np.array([topic.pool[d][0] for d in ranking])
    ranks = np.where(rel > 0)[0]
    return np.sum(rel[rel > 0] / (ranks + 1))


class Metric:
    cutoff = None

    def compute(self, grades):
        result = 0.0
        for idx, grade in enumerate(grades):
            if self.cutoff and self.rank(idx) > self.cutoff:
                break
            result += self.gain(grade) * self.discount(idx)
        return result

    def gain(self, grade):
        return grade

    @classmethod
    def rank(cls, idx):
        return idx + 1


class RBP(Metric):
    def __init__(self, p, cutoff=None):
        self.p = p
        self.cutoff = cutoff

    def discount(self, idx):
        return (1 - self.p) * self.p ** (self.rank(idx) - 1)


def own_class(topic, ranking):
    """rank i earns (1/2) ** (i - 1) times 1/2 * r; only ranks up to 7 count"""
    return RBP(0.5, cutoff=7).compute([topic.pool[d][0] for d in ranking])


class Base:
    def __init__(self, k=10):
        self.k = k


class DCG(Base):
    def __init__(self, k):
        super().__init__(k)
        self.base = 2

    def __call__(self, xs):
        return sum(x / math.log(i + 2, self.base) for i, x in enumerate(xs[: self.k]))


dcg = DCG(k=20)


def by_super(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 20 count"""
    return dcg([topic.pool[d][0] for d in ranking])


class DCG2:
    def __init__(self, k=10):
        self.k = k

    def __call__(self, xs):
        return sum(x / math.log(i + 2, 2) for i, x in enumerate(xs[: self.k]))


class NDCG:
    def __init__(self, k):
        self._k = k

    def __call__(self, xs, judged):
        dcg = DCG2(k=self._k)
        ideal = dcg(sorted(judged, reverse=True))
        return dcg(xs) / ideal if ideal != 0 else 0


NDCG_20 = NDCG(k=20)


def local_call(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 20 count; one aspect; divided by the"""
    return NDCG_20([topic.pool[d][0] for d in ranking], [g[0] for g in topic.pool.values()])


class M5:
    P = 0.5

    @staticmethod
    def discount(i):
        return M5.P**i


def class_s_function(topic, ranking):
    """rank i earns (1/2) ** (i - 1) times r"""
    return sum(topic.pool[d][0] * M5.discount(i) for i, d in enumerate(ranking))


class M6:
    P = 0.5

    @classmethod
    def discount(cls, i):
        return cls.P**i


class N(M6):
    P = 0.25


def by_classmethod(topic, ranking):
    """rank i earns (1/4) ** (i - 1) times r"""
    return sum(topic.pool[d][0] * N.discount(i) for i, d in enumerate(ranking))


def by_dict(topic, ranking, alpha=0.5):
    """rank i earns 1 / log2(i + 1) times r * s0; s0 is 1, then s0 - 1/2 * hit * s0; all aspects alike"""
    seen = {}
    total = 0.0
    for rank, doc in enumerate(ranking):
        gain = 0.0
        for t, grade in enumerate(topic.pool[doc]):
            if grade <= 0:
                continue
            m = seen.get(t, 0)
            gain += grade * (1 - alpha) ** m
            seen[t] = m + 1
        total += gain / math.log2(rank + 2)
    return total


def counter_of_collections(topic, ranking):
    """rank i earns 1 / log2(i + 1) times hit * s0; s0 is 1, then s0 - 1/2 * hit * s0; all aspects"""
    seen = Counter()
    total = 0.0
    for rank, doc in enumerate(ranking):
        for t, grade in enumerate(topic.pool[doc]):
            if grade > 0:
                total += 0.5 ** seen[t] / math.log2(rank + 2)
                seen[t] += 1
    return total


def copy_in_a_loop(topic, ranking):
    """rank i earns 1 / i times r * s0; s0 is 1, then s0 - r * s0; all aspects alike"""
    start = np.ones(len(topic.weights))
    left = start.copy()
    total = 0
    for i, d in enumerate(ranking):
        for t, g in enumerate(topic.pool[d]):
            total += g * left[t] * start[t] / (i + 1)
            left[t] *= 1 - g
    return total


def branch_in_a_loop(topic, ranking):
    """rank i earns 1 / i times r * s0; s0 is 1, then s0 - 1/2 * hit * s0; all aspects alike"""
    left = np.ones(len(topic.weights))
    total = 0
    for i, d in enumerate(ranking):
        for t, g in enumerate(topic.pool[d]):
            total += g * left[t] / (i + 1)
            if g > 0:
                left[t] *= 0.5
    return total


def set_of_aspects(topic, ranking):
    """rank i earns 1 times hit * s0; s0 is 1, then s0 - hit * s0; only ranks up to 20 count; all"""
    covered = len({t for d in ranking[:20] for t, g in enumerate(topic.pool[d]) if g > 0})
    total = len(topic.weights)
    return covered / total if total != 0 else 0


def ideal_reciprocal(topic, ranking, k=10):
    """rank i earns 1 / i times hit; only ranks up to 10 count; one aspect; divided by the total of"""
    n_rel = sum(1 for g in topic.pool.values() if g[0] > 0)
    if n_rel == 0:
        return 0.0
    ideal = sum(1 / (i + 1) for i in range(min(n_rel, k)))
    return sum((topic.pool[d][0] > 0) / (i + 1) for i, d in enumerate(ranking[:k])) / ideal


def ideal_reciprocal_loop(topic, ranking):
    """rank i earns 1 / i times hit"""
    n_rel = sum(1 for g in topic.pool.values() if g[0] > 0)
    ideal = 0.0
    for i in range(n_rel):
        ideal += 1 / (i + 1)
    return sum((topic.pool[d][0] > 0) / (i + 1) for i, d in enumerate(ranking)) / ideal if ideal > 0 else 0


def ideal_reciprocal_discounts(grades, weights, pool, k=10):
    """rank i earns 1 / i times hit; only ranks up to 10 count; one aspect; divided by the total of"""
    discounts = 1 / (np.arange(k) + 1)
    scores = []
    for row, judged in zip(grades[:, :k, 0], pool[..., 0]):
        n_rel = np.count_nonzero(judged > 0)
        ideal = np.sum(discounts[: min(n_rel, k)])
        scores.append(np.sum((row > 0) / (np.arange(len(row)) + 1)) / ideal if ideal > 0 else 0.0)
    return np.array(scores)


def nobody_reads_on(topic, ranking):
    """rank i earns 1 / i times r * s0; s0 is 1, then s0 - r * s0"""
    left, total = 1.0, 0.0
    for i, d in enumerate(ranking, start=1):
        r = topic.pool[d][0]
        total += left * r / i
        left *= 1 - r
        if left == 0:
            break
    return total


def all_are_found(topic, ranking):
    """rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect; divided by the"""
    relevant = [d for d, g in topic.pool.items() if g[0] > 0]
    if not relevant:
        return 0.0
    found = total = 0
    for i, d in enumerate(ranking, start=1):
        if d in relevant:
            found += 1
            total += found / i
        if found == len(relevant):
            break
    return total / len(relevant)


def read_once(topic, ranking):
    """rank i earns 1 / i times r"""
    terms = (topic.pool[d][0] / i for i, d in enumerate(ranking, 1))
    return sum(terms)


def falling(gains, p):
    weight = 1 - p
    for g in gains:
        yield weight * g
        weight *= p


def by_generator(topic, ranking):
    """rank i earns (4/5) ** (i - 1) times 1/5 * r"""
    return sum(falling((topic.pool[d][0] for d in ranking), 0.8))


def until_found(hits):
    for hit in hits:
        if hit:
            yield 1
            return
        yield 0


def by_generator_that_ends(topic, ranking):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0"""
    return sum(x / i for i, x in enumerate(until_found([topic.pool[d][0] > 0 for d in ranking]), 1))


def ranks_of_hits(topic, ranking):
    """rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect; divided by the number"""
    relevant = {d for d, g in topic.pool.items() if g[0] > 0}
    hits = [rank for rank, d in enumerate(ranking, 1) if d in relevant]
    if not hits:
        return 0.0
    return sum((j + 1) / rank for j, rank in enumerate(hits)) / len(relevant)


def by_filter(topic, ranking):
    """rank i earns 1 times hit; one aspect; divided by the number of relevant documents"""
    hits = list(filter(lambda d: topic.pool[d][0] > 0, ranking))
    return len(hits) / max(1, len([d for d in topic.pool if topic.pool[d][0] > 0]))


def largest_discount(topic, ranking):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0"""
    return max((1 / i for i, d in enumerate(ranking, 1) if topic.pool[d][0] > 0), default=0.0)


def list_until_the_first(topic, ranking):
    """rank i earns 1 times r * s0; s0 is 1, then s0 - hit * s0"""
    gains = []
    for d in ranking:
        gains.append(topic.pool[d][0])
        if topic.pool[d][0] > 0:
            break
    return sum(gains)


def list_of_the_first_five(topic, ranking):
    """rank i earns 1 / i times r; only ranks up to 5 count"""
    gains = []
    for i, d in enumerate(ranking):
        if i >= 5:
            break
        gains.append(topic.pool[d][0])
    return sum(g / (i + 1) for i, g in enumerate(gains))


def discounted(gains):
    return sum(g / math.log2(i + 2) for i, g in enumerate(gains))


def sorted_pairs(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count; one aspect; divided by the total"""
    best = sorted(((g[0], d) for d, g in topic.pool.items()), reverse=True)[:10]
    ideal = discounted(g for g, _ in best)
    return discounted(topic.pool[d][0] for d in ranking[:10]) / ideal if ideal > 0 else 0.0


def sorted_documents(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; one aspect; divided by the total"""
    best = sorted(topic.pool, key=lambda d: (-topic.pool[d][0], d))
    ideal = discounted([topic.pool[d][0] for d in best])
    return discounted([topic.pool[d][0] for d in ranking]) / ideal if ideal > 0 else 0.0


def sorted_items(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; one aspect; divided by the total"""
    best = sorted(topic.pool.items(), key=lambda item: item[1][0], reverse=True)
    ideal = discounted([grades[0] for _, grades in best])
    return discounted([topic.pool[d][0] for d in ranking]) / ideal if ideal > 0 else 0.0


def sorted_hits(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count; one aspect; divided by the total"""
    best = sorted([g[0] for g in topic.pool.values() if g[0] > 0], reverse=True)[:10]
    ideal = discounted(best)
    return discounted([topic.pool[d][0] for d in ranking[:10]]) / ideal if best else 0.0


def by_argsort(grades, weights, pool):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count; one aspect; divided by the total"""
    judged = pool[..., 0]
    best = np.take_along_axis(judged, np.argsort(-judged, axis=1), axis=1)[:, :10]
    found = (grades[:, :10, 0] / np.log2(np.arange(grades[:, :10].shape[1]) + 2)).sum(axis=1)
    ideal = (best / np.log2(np.arange(best.shape[1]) + 2)).sum(axis=1)
    return np.divide(found, ideal, out=np.zeros_like(ideal), where=ideal > 0)


def index_by_argsort(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; one aspect; divided by the total"""
    judged = np.array([g[0] for g in topic.pool.values()])
    ideal = discounted(judged[np.argsort(judged)[::-1]])
    return discounted([topic.pool[d][0] for d in ranking]) / ideal if ideal > 0 else 0.0


def padded_list(topic, ranking, k=10):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count"""
    gains = [topic.pool[d][0] for d in ranking[:k]]
    gains = gains + [0] * (k - len(gains))
    return sum(g / math.log2(i + 2) for i, g in enumerate(gains))


def padded_in_place(topic, ranking, k=10):
    """rank i earns 1 times 1/10 * hit; only ranks up to 10 count"""
    hits = [1.0 if topic.pool[d][0] > 0 else 0.0 for d in ranking]
    hits += [0.0] * max(0, k - len(hits))
    return sum(hits[:k]) / k


def padded_array(grades, weights, k=10):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count"""
    x = grades[:, :k, 0]
    x = np.pad(x, ((0, 0), (0, k - x.shape[1])))
    return (x / np.log2(np.arange(k) + 2)).sum(axis=1)


def joined_with_zeros(topic, ranking, k=10):
    """rank i earns 1 times 1/10 * hit; only ranks up to 10 count"""
    hits = np.array([topic.pool[d][0] > 0 for d in ranking[:k]], dtype=float)
    return float(np.concatenate([hits, np.zeros(k - len(hits))]).mean())


def filled_zeros(topic, ranking, k=10):
    """rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; only ranks up to 10 count; one"""
    n = sum(1 for g in topic.pool.values() if g[0] > 0)
    hits = np.zeros(k)
    for i, d in enumerate(ranking[:k]):
        hits[i] = 1.0 if topic.pool[d][0] > 0 else 0.0
    precision = np.cumsum(hits) / np.arange(1, k + 1)
    return float((precision * hits).sum() / n) if n else 0.0


def filled_slice(topic, ranking, k=10):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count"""
    x = np.array([topic.pool[d][0] for d in ranking[:k]])
    gains = np.zeros(k)
    gains[: len(x)] = x
    return float(gains @ (1 / np.log2(np.arange(2, k + 2))))


def loop_over_padding(topic, ranking, k=10):
    """rank i earns 1 / i times r * s0; s0 is 1, then s0 - r * s0; only ranks up to 10 count"""
    gains = [topic.pool[d][0] for d in ranking[:k]] + [0.0] * (k - min(k, len(ranking)))
    total, left = 0.0, 1.0
    for i in range(k):
        total += left * gains[i] / (i + 1)
        left *= 1 - gains[i]
    return total


def array_of_five(topic, ranking):
    """rank i earns 1 times r; only ranks up to 5 count"""
    gains = np.zeros(len(ranking))
    for i, d in enumerate(ranking[:5]):
        gains[i] = topic.pool[d][0]
    return float(gains.sum())


def range_that_ends(topic, ranking, k=10):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count"""
    total = 0.0
    for i in range(k):
        if i >= len(ranking):
            break
        total += topic.pool[ranking[i]][0] / math.log2(i + 2)
    return total


DISCOUNTS = [1 / math.log2(i + 2) for i in range(10)]
DISCOUNT_ARRAY = 1 / np.log2(np.arange(2, 12))
POWERS = tuple(0.8**i for i in range(20))


def table_of_discounts(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count; one aspect; divided by the total"""
    found = sum(topic.pool[d][0] * w for d, w in zip(ranking, DISCOUNTS))
    ideal = sum(g * w for g, w in zip(sorted((g[0] for g in topic.pool.values()), reverse=True), DISCOUNTS))
    return found / ideal if ideal > 0 else 0.0


def array_of_discounts(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count"""
    gains = np.array([topic.pool[d][0] for d in ranking[:10]])
    return float((gains * DISCOUNT_ARRAY[: len(gains)]).sum())


def table_that_ends(topic, ranking):
    """rank i earns (4/5) ** (i - 1) times 1/5 * r; only ranks up to 20 count"""
    return 0.2 * sum(topic.pool[d][0] * (POWERS[i] if i < len(POWERS) else 0.0) for i, d in enumerate(ranking))


def table_in_a_function(topic, ranking, k=10):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count"""
    discounts = [1 / math.log2(i + 2) for i in range(k)]
    return sum(discounts[i] * topic.pool[d][0] for i, d in enumerate(ranking[:k]))


def by_reduce(topic, ranking):
    """rank i earns 1 / i times r * s0; s0 is 1, then s0 - r * s0"""

    def step(state, item):
        (total, left), (rank, doc) = state, item
        grade = topic.pool[doc][0]
        return total + left * grade / rank, left * (1 - grade)

    total, _ = functools.reduce(step, enumerate(ranking, 1), (0.0, 1.0))
    return total


def by_accumulate(topic, ranking):
    """rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect; divided by the number"""
    hits = [int(topic.pool[d][0] > 0) for d in ranking]
    n = sum(1 for g in topic.pool.values() if g[0] > 0)
    return sum(c / (i + 1) for i, (h, c) in enumerate(zip(hits, itertools.accumulate(hits))) if h) / n if n else 0.0


def by_running_product(topic, ranking):
    """rank i earns 1 / i times r * s0; s0 is 1, then s0 - r * s0"""
    grades = [topic.pool[d][0] for d in ranking]
    left = itertools.accumulate([1 - g for g in grades], operator.mul, initial=1.0)
    return sum(g * p / i for i, (g, p) in enumerate(zip(grades, left), 1))


def no_relevant_document_is_an_exception(topic, ranking):
    """rank i earns 1 times hit; one aspect; divided by the number of relevant documents"""
    n = sum(1 for g in topic.pool.values() if g[0] > 0)
    try:
        return sum(1 for d in ranking if topic.pool[d][0] > 0) / n
    except ZeroDivisionError:
        return 0.0


def place_in_a_list(topic, ranking):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0"""
    hits = [topic.pool[d][0] > 0 for d in ranking]
    return 1 / (hits.index(True) + 1) if True in hits else 0.0


def set_of_hits(topic, ranking):
    """rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect; divided by the number"""
    relevant = set()
    for doc, grades in topic.pool.items():
        if grades[0] > 0:
            relevant.add(doc)
    hits = 0
    total = 0.0
    for rank, doc in enumerate(ranking, 1):
        if doc in relevant:
            hits += 1
            total += hits / rank
    return total / len(relevant) if relevant else 0.0


def set_of_the_first_five(topic, ranking):
    """rank i earns 1 / i times r; only ranks up to 5 count"""
    seen = set()
    for doc in ranking[:5]:
        seen.add(doc)
    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, 1) if d in seen)


def added_just_now(topic, ranking):
    """rank i earns 1 / i times hit"""
    seen, total = set(), 0.0
    for rank, doc in enumerate(ranking, 1):
        if topic.pool[doc][0] > 0:
            seen.add(doc)
        if doc in seen:
            total += 1 / rank
    return total


def first_of_positions(topic, ranking):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0"""
    hits = np.flatnonzero(np.array([topic.pool[d][0] for d in ranking]) > 0)
    return float(1 / (hits[0] + 1)) if hits.size > 0 else 0.0


def numbers_of_positions(topic, ranking):
    """rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect; divided by the number"""
    hits = np.flatnonzero(np.array([topic.pool[d][0] for d in ranking]) > 0) + 1
    n = sum(1 for g in topic.pool.values() if g[0] > 0)
    return float(np.sum(np.arange(1, len(hits) + 1) / hits) / n) if n else 0.0


def union_of_aspects(topic, ranking):
    """rank i earns 1 times hit * s0; s0 is 1, then s0 - hit * s0; only ranks up to 20 count; all"""
    covered = set()
    for d in ranking[:20]:
        covered.update(t for t, g in enumerate(topic.pool[d]) if g > 0)
    return len(covered) / len(topic.weights)


def get_of_a_dictionary(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count; one aspect; divided by the total"""
    grades = {d: g[0] for d, g in topic.pool.items()}
    best = sorted(grades, key=grades.get, reverse=True)[:10]
    ideal = discounted(map(grades.get, best))
    return discounted(map(grades.get, itertools.islice(ranking, 10))) / ideal if ideal > 0 else 0.0


def set_filled_from_a_rank(topic, ranking):
    """rank i earns (1/2) ** (i - 1) times r; only ranks up to 50 count"""
    late = set()
    for i, d in enumerate(ranking):
        if i >= 50:
            late.add(d)
    return sum(topic.pool[d][0] * 0.5**i for i, d in enumerate(ranking) if d not in late)


def last_of_the_first_running_sums(topic, ranking):
    """1 times r; only ranks up to 5 count"""
    return np.cumsum([topic.pool[d][0] for d in ranking])[:5][-1]


def average_that_forgets(topic, ranking):
    """1/5 * r - 1/5 * s0; s0 is 0, then 1/5 * r + 4/5 * s0"""
    s = 0.0
    for d in ranking:
        s = 0.8 * s + (1 - 0.8) * topic.pool[d][0]
    return s
