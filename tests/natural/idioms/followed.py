"""Idioms that derivations follow; each docstring has a part of the fold."""

import functools
import heapq
import itertools
import logging
import math
import operator
import statistics
from abc import ABC, abstractmethod
from collections import Counter, defaultdict, namedtuple
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


def counter_before(topic, ranking):
    """rank i earns 1 / i times r"""
    total, rank = 0.0, 0
    for d in ranking:
        rank += 1
        total += topic.pool[d][0] / rank
    return total


def counter_used_after_cost(topic, ranking):
    """rank i earns 1 times r; cost 1/2"""
    total, rank = 0.0, 0
    for d in ranking:
        rank += 1
        total += topic.pool[d][0]
    return total - 0.5 * rank


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


def f(g, i):
    return g / (i + 1)


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


def positions(topic, ranking):
    """rank i earns 1 / log2(i + 1) times hit"""
    rel = np.array([topic.pool[d][0] for d in ranking])
    ranks = np.where(rel > 0)[0]
    return np.sum(1 / np.log2(ranks + 2))


class Metric:
    cutoff = None
    first = 0

    def compute(self, grades):
        result = 0.0
        for idx, grade in enumerate(grades):
            if self.cutoff and self.rank(idx) > self.cutoff:
                break
            result += self.gain(grade) * self.discount(idx)
        return result

    @staticmethod
    def gain(grade):
        return grade

    @classmethod
    def rank(cls, idx):
        return idx + cls.first


class RBP(Metric):
    first = 1

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


def set_of_aspects(topic, ranking):
    """rank i earns 1 times hit * s0; s0 is 1, then s0 - hit * s0; only ranks up to 20 count; all"""
    covered = len({t for d in ranking[:20] for t, g in enumerate(topic.pool[d]) if g > 0})
    total = len(topic.weights)
    return covered / total if total != 0 else 0


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


def by_filter(topic, ranking):
    """rank i earns 1 times hit; one aspect; divided by the number of relevant documents"""
    hits = list(filter(lambda d: topic.pool[d][0] > 0, ranking))
    return len(hits) / max(1, len([d for d in topic.pool if topic.pool[d][0] > 0]))


def largest_discount(topic, ranking):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0"""
    return max((1 / i for i, d in enumerate(ranking, 1) if topic.pool[d][0] > 0), default=0.0)


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


def sorted_documents(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; one aspect; divided by the total"""
    best = sorted(topic.pool, key=lambda d: (-topic.pool[d][0], d))
    ideal = discounted([topic.pool[d][0] for d in best])
    return discounted([topic.pool[d][0] for d in ranking]) / ideal if ideal > 0 else 0.0


def sorted_hits(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count; one aspect; divided by the total"""
    best = sorted([g[0] for g in topic.pool.values() if g[0] > 0], reverse=True)[:10]
    ideal = discounted(best)
    return discounted([topic.pool[d][0] for d in ranking[:10]]) / ideal if best else 0.0


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


POWERS = tuple(0.8**i for i in range(20))


def table_that_ends(topic, ranking):
    """rank i earns (4/5) ** (i - 1) times 1/5 * r; only ranks up to 20 count"""
    return 0.2 * sum(topic.pool[d][0] * (POWERS[i] if i < len(POWERS) else 0.0) for i, d in enumerate(ranking))


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


def get_of_a_dictionary(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count; one aspect; divided by the total"""
    grades = {d: g[0] for d, g in topic.pool.items()}
    best = sorted(grades, key=grades.get, reverse=True)[:10]
    ideal = discounted(map(grades.get, best))
    return discounted(map(grades.get, itertools.islice(ranking, 10))) / ideal if ideal > 0 else 0.0


def average_that_forgets(topic, ranking):
    """1/5 * r - 1/5 * s0; s0 is 0, then 1/5 * r + 4/5 * s0"""
    s = 0.0
    for d in ranking:
        s = 0.8 * s + (1 - 0.8) * topic.pool[d][0]
    return s


def smaller_of_length_and_number(topic, ranking, k=10):
    """rank i earns 1 / i times r; only ranks up to 10 count; one aspect"""
    n = len(ranking)
    if n > k:
        n = k
    return sum(topic.pool[ranking[i]][0] / (i + 1) for i in range(n))


def new_array_without_values(grades, weights):
    """rank i earns (4/5) ** (i - 1) times 1/5 * r; one aspect"""
    out = np.empty(grades.shape[0])
    for b in range(grades.shape[0]):
        out[b] = 0.2 * sum(g * 0.8**i for i, g in enumerate(grades[b, :, 0]))
    return out


def shapes(grades, weights):
    """rank i earns 1 / i times r; aspects by weight"""
    ranks = np.arange(1, grades.shape[1] + 1).reshape(1, grades.shape[1], 1)
    each = (grades / ranks).transpose(0, 2, 1).sum(axis=-1, keepdims=True)
    return np.matmul(weights[:, None], each).squeeze(-1).squeeze(axis=1)


def weighted_mean(grades, weights):
    """rank i earns 1 times hit * s0; s0 is 1, then s0 - hit * s0; aspects by weight"""
    return np.average((grades > 0).any(axis=1), axis=1, weights=weights)


def weights_by_a_mask(grades, weights):
    """rank i earns (4/5) ** (i - 1) times 1/5 * hit"""
    by_rank = 0.2 * 0.8 ** np.arange(grades.shape[1])
    return np.array([np.sum(by_rank[row > 0]) for row in grades[..., 0]])


def dictionary_filled_over_the_pool(topic, ranking):
    """rank i earns 1 times hit * s0; s0 is 1, then s0 - hit * s0; only ranks up to 10 count; all aspects alike"""
    aspects_of = {}
    for d, grades in topic.pool.items():
        aspects_of[d] = [t for t, g in enumerate(grades) if g > 0]
    covered = set()
    for d in ranking[:10]:
        covered.update(aspects_of.get(d, []))
    return len(covered & set(range(len(topic.weights)))) / len(topic.weights)


def novelty(grades, seen):
    return sum(g * 0.5 ** seen[t] for t, g in enumerate(grades))


def counter_for_a_helper(topic, ranking):
    """rank i earns 1 / i times r * s0; s0 is 1, then s0 - 1/2 * hit * s0; all aspects alike"""
    seen = Counter()
    total = 0.0
    for i, d in enumerate(ranking, 1):
        total += novelty(topic.pool[d], seen) / i
        seen.update(t for t, g in enumerate(topic.pool[d]) if g > 0)
    return total


def loops_over_relevant_aspects(topic, ranking):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - 1/2 * hit * s0; all aspects alike"""
    seen = {t: 0 for t, _ in enumerate(topic.weights)}
    total = 0.0
    for i, d in enumerate(ranking, 1):
        relevant = [t for t in seen if topic.pool[d][t] > 0]
        if relevant:
            for t in relevant:
                total += 0.5 ** seen[t] / i
                seen[t] += 1
    return total


def sets_by_aspect(topic, ranking):
    """rank i earns 1 times 1/5 * hit; only ranks up to 5 count; aspects by weight"""
    relevant = {t: {d for d, g in topic.pool.items() if g[t] > 0} for t in range(len(topic.weights))}
    return sum(topic.weights[t] * sum(d in docs for d in ranking[:5]) / 5 for t, docs in relevant.items())


def weighted_sums_in_order(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count; grades summed by weight; divided by the total"""
    gain = {}
    for d, grades in topic.pool.items():
        gain[d] = sum(w * g for w, g in zip(topic.weights, grades))
    best = sorted(gain.items(), key=lambda item: item[1], reverse=True)[:10]
    ideal = sum(g / math.log2(i + 2) for i, (_, g) in enumerate(best))
    return sum(gain[d] / math.log2(i + 2) for i, d in enumerate(ranking[:10])) / ideal if ideal > 0 else 0.0


def places_of_weighted_sums(grades, weights, pool):
    """rank i earns 1 / i times r; grades summed by weight; divided by the total of the best order"""
    judged = np.sum(pool * weights[:, None], axis=-1)
    best = np.take_along_axis(judged, np.argsort(-judged, axis=1), axis=1)
    ideal = (best / np.arange(1, best.shape[1] + 1)).sum(axis=1)
    found = (np.einsum("bnm,bm->bn", grades, weights) / np.arange(1, grades.shape[1] + 1)).sum(axis=1)
    return np.divide(found, ideal, out=np.zeros_like(found), where=ideal > 0)


def iterator_under_the_name_of_its_list(topic, ranking):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0; one aspect"""
    rows = [[topic.pool[d][0] for d in ranking]]
    rows = (np.asarray(row).nonzero()[0] for row in rows)
    return np.mean([1.0 / (row[0] + 1) if row.size else 0.0 for row in rows])


def sorted_in_place(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; one aspect; divided by the total of the best order"""
    best = [g[0] for g in topic.pool.values()]
    best.sort()
    best.reverse()
    ideal = sum(g / math.log2(i + 2) for i, g in enumerate(best))
    return sum(topic.pool[d][0] / math.log2(i + 2) for i, d in enumerate(ranking)) / ideal if ideal else 0.0


def missing_keys(topic, ranking):
    """rank i earns 1 / i times hit"""
    relevant, total = {d: g[0] > 0 for d, g in topic.pool.items()}, 0.0
    for i, d in enumerate(ranking, 1):
        try:
            total += relevant[d] / i
        except KeyError:
            continue
    return total


def function_that_is_called_at_once(topic, ranking):
    """rank i earns 1 / i times r * s0; s0 is 1, then s0 - r * s0; aspects by weight"""
    total = 0.0
    for weight, grades in zip(topic.weights, zip(*[topic.pool[d] for d in ranking])):
        step = functools.reduce(
            lambda s, i: (s[0] * (1 - grades[i]), s[1] + s[0] * grades[i] / (i + 1)), range(len(grades)), (1.0, 0.0)
        )
        total += weight * step[1]
    return total


def some_rank_of_each_aspect(topic, ranking):
    """rank i earns 1 times hit * s0; s0 is 1, then s0 - hit * s0; only ranks up to 10 count; all aspects alike"""
    aspects = range(len(topic.weights))
    return sum(1 for t in aspects if any(topic.pool[d][t] > 0 for d in ranking[:10])) / len(topic.weights)


def product_over_ranks(topic, ranking):
    """rank i earns 1 times r * s0; s0 is 1, then s0 - r * s0; only ranks up to 10 count; aspects by weight"""
    return np.dot(topic.weights, 1 - np.prod(1 - np.array([topic.pool[d] for d in ranking[:10]]), axis=0))


def filled_up_if_it_is_short(topic, ranking, k=5):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 5 count"""
    gains = [topic.pool[d][0] for d in ranking]
    if len(gains) < k:
        gains = gains + [0.0] * (k - len(gains))
    return sum(g / math.log2(i + 2) for i, g in enumerate(gains[:k]))


def largest_first(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 5 count; one aspect; divided by the total"""
    best = heapq.nlargest(5, [g[0] for g in topic.pool.values()])
    ideal = sum(g / math.log2(i + 2) for i, g in enumerate(best))
    return sum(topic.pool[d][0] / math.log2(i + 2) for i, d in enumerate(ranking[:5])) / ideal if ideal else 0.0


def function_along_an_axis(grades, weights):
    """rank i earns 1 / i times r"""
    return np.apply_along_axis(lambda row: np.sum(row / np.arange(1, len(row) + 1)), 1, grades[:, :, 0])


@dataclass
class Settings:
    k: int = 5


SETTINGS = Settings()


def settings_in_an_object(topic, ranking):
    """rank i earns 1 times r; only ranks up to 5 count"""
    return sum(topic.pool[d][0] for d in ranking[: SETTINGS.k])


def no_ratio_of_weighted_sums(grades, weights, pool):
    """grades summed by weight; divided by the total of the best order"""
    best = np.flip(np.sort(np.einsum("bpm,bm->bp", pool, weights), axis=1), axis=1)
    found = np.einsum("bnm,bm->bn", grades, weights) @ (1 / np.arange(1, grades.shape[1] + 1))
    return np.nan_to_num(found / (best @ (1 / np.arange(1, best.shape[1] + 1))))


def lookups_where_the_key_is_there(topic, ranking):
    """rank i earns 1 / i times r"""
    relevant, total = {d: g[0] for d, g in topic.pool.items() if g[0] > 0}, 0.0
    for i, d in enumerate(ranking, 1):
        if d not in relevant:
            continue
        total += relevant[d] / i
    return total


def last_of_a_list_of_sums(topic, ranking):
    """rank i earns 1 times r; only ranks up to 20 count"""
    sums, total = [], 0.0
    for d in ranking[:20]:
        total += topic.pool[d][0]
        sums.append(total)
    return sums[-1]


def counts_of_aspects_with_a_break(topic, ranking):
    """rank i earns 1 times hit * s0; s0 is 1, then s0 - hit * s0; only ranks up to 10 count; all aspects alike"""
    n = 0
    for t in range(len(topic.weights)):
        for d in ranking[:10]:
            if topic.pool[d][t] > 0:
                n += 1
                break
    return n / len(topic.weights)


def smallest_place(topic, ranking):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0"""
    places = np.where(np.array([topic.pool[d][0] > 0 for d in ranking]))[0]
    return 1.0 / (places.min() + 1) if len(places) else 0.0


def rows_in_a_stack(topic, ranking):
    """rank i earns 1 / i times r; aspects by weight"""
    rows = np.moveaxis(np.vstack([topic.pool[d] for d in ranking]), 0, 1)
    return float((rows / np.arange(1, rows.shape[1] + 1) * np.array(topic.weights)[:, None]).sum())


def at_most_so_many(grades, weights, pool):
    """rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; only ranks up to 10 count; one aspect; times"""
    hit, count = grades[:, :10, 0] > 0, (pool[:, :, 0] > 0).sum(axis=1)
    precision = np.cumsum(hit, axis=1) / np.cumsum(np.ones_like(hit, dtype=float), axis=1)
    return (precision * hit).sum(axis=1) / np.maximum(np.minimum(count, 10), 1)


def ideal_at_another_cutoff(topic, ranking):
    """rank i earns 1 / log2(i + 1) times hit; only ranks up to 10 count; one aspect; times a positive constant"""
    n_rel = sum(1 for g in topic.pool.values() if g[0] > 0)
    ideal = sum(1 / math.log2(i + 2) for i in range(min(n_rel, 5)))
    return (
        sum((topic.pool[d][0] > 0) / math.log2(i + 2) for i, d in enumerate(ranking[:10])) / ideal if n_rel > 0 else 0
    )


def graded_sum_by_an_ideal_of_hits(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; one aspect; times a positive constant per topic"""
    n_rel = sum(1 for g in topic.pool.values() if g[0] > 0)
    ideal = sum(1 / math.log2(i + 2) for i in range(n_rel))
    return sum(topic.pool[d][0] / math.log2(i + 2) for i, d in enumerate(ranking)) / ideal if n_rel > 0 else 0


def aspects_that_something_covers(grades, weights, pool):
    """rank i earns 1 times 1/5 * hit; only ranks up to 5 count; all aspects alike; times a positive constant"""
    covered = (pool > 0).any(axis=1).sum(axis=1)
    found = (grades[:, :5] > 0).sum(axis=(1, 2))
    return np.divide(found, covered * 5, out=np.zeros(len(grades)), where=covered > 0)


def ideal_with_zeros(topic, ranking, k=5):
    """only ranks up to 5 count; one aspect; divided by the total of the best order"""
    n_rel = len({d for d, g in topic.pool.items() if g[0] > 0})
    best = min(n_rel, k)
    ideal = [1] * best + [0] * (k - best)
    idcg = sum(g / math.log2(i + 2) for i, g in enumerate(ideal))
    dcg = sum((topic.pool[d][0] > 0) / math.log2(i + 2) for i, d in enumerate(ranking[:k]))
    return dcg / idcg if idcg > 0 else 0.0


def ideal_rows(grades, weights, pool):
    """only ranks up to 10 count; one aspect; divided by the total of the best order"""
    hits = grades[:, :10, 0] > 0
    ideal = np.zeros((len(grades), 10))
    for row, count in enumerate((pool[:, :, 0] > 0).sum(axis=1)):
        ideal[row, : min(count, 10)] = 1.0
    idcg = (ideal / np.log2(np.arange(2, 12))).sum(axis=1)
    idcg[idcg == 0] = np.inf
    return (hits / np.log2(np.arange(2, hits.shape[1] + 2))).sum(axis=1) / idcg


def nothing_in_infinity(topic, ranking):
    """rank i earns 1 / i times r; one aspect; divided by the total of the best order"""
    ideal = sum(g / i for i, g in enumerate(sorted((g for g, *_ in topic.pool.values()), reverse=True), start=1))
    if ideal == 0:
        ideal = float("inf")
    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1)) / ideal


def gains_of_powers(topic, ranking, k=10):
    """only ranks up to 10 count; one aspect; divided by the total of the best order; r is (2 ** grade - 1) / 1"""
    gains = [2 ** topic.pool[d][0] - 1 for d in ranking[:k]]
    ideal = sorted((2 ** g[0] - 1 for g in topic.pool.values()), reverse=True)[:k]
    dcg = sum(g / math.log2(i + 2) for i, g in enumerate(gains))
    idcg = sum(g / math.log2(i + 2) for i, g in enumerate(ideal))
    return dcg / idcg if idcg > 0 else 0.0


def tiled(grades, weights):
    """rank i earns 1 / i times r; one aspect"""
    ranks = np.tile(np.arange(1, grades.shape[1] + 1), (grades.shape[0], 1))
    return (grades[:, :, 0] / ranks).sum(axis=1)


def clamped_between(grades, weights):
    """rank i earns 1 / i times r * s0; s0 is 1, then s0 - r * s0; one aspect"""
    gains = np.maximum(np.clip(grades[:, :, 0], 0, 1), 0)
    left = np.cumprod(np.clip(1 - gains, 0.0, 1.0), axis=1)
    reach = np.concatenate([np.ones((len(grades), 1)), left[:, :-1]], axis=1)
    return (gains * reach / np.arange(1, gains.shape[1] + 1)).sum(axis=1)


def power_that_overflows(grades, weights):
    """rank i earns (1/2) ** (i - 1) times 1/2 * r; one aspect"""
    return (grades[:, :, 0] / (2 * 2.0 ** np.arange(grades.shape[1]))).sum(axis=1)


def share_left_by_halves(topic, ranking):
    """rank i earns 1 / i times 1/2 * r * s0; s0 is 1, then s0 - 1/2 * r * s0; one aspect"""
    total, left = 0.0, 1.0
    for i, d in enumerate(ranking, start=1):
        stop = topic.pool[d][0] / 2
        total += left * stop / i
        left *= 1 - stop
        if left <= 0:
            break
    return total


def _first_ranks(gains, k, **options):
    return sum(g / (i + options.get("shift", 0)) for i, g in enumerate(gains[: min(k, len(gains))]))


def by_keywords(topic, ranking):
    """rank i earns 1 / i times r; only ranks up to 5 count; one aspect"""
    return _first_ranks([topic.pool[d][0] for d in ranking[:5]], k=5, shift=1)


class Fading:
    def __init__(self, share):
        self.share = share

    def __call__(self, place):
        return self.share**place


class Persistent:
    ranks = Fading(0.5)

    def __init__(self, share):
        self.fading = Fading(share)
        self.gain = lambda grade: grade / 4

    def score(self, topic, ranking):
        return sum(self.gain(topic.pool[d][0]) * self.fading(i) * self.ranks(i) for i, d in enumerate(ranking))


PERSISTENT = Persistent(0.5)


def by_objects_of_objects(topic, ranking):
    """rank i earns (1/4) ** (i - 1) times 1/4 * r; one aspect"""
    return PERSISTENT.score(topic, ranking)


def harmonic_mean(topic, ranking, k=5):
    """rank i earns 1 times 2/5 * hit; only ranks up to 5 count; one aspect; times a positive constant per topic"""
    relevant = {d for d, g in topic.pool.items() if g[0] > 0}
    hits = len(set(ranking[:k]) & relevant)
    precision = hits / k
    recall = hits / len(relevant) if relevant else 0.0
    if precision + recall == 0:
        return 0.0
    return 2 * precision * recall / (precision + recall)


def ideal_plus_very_little(topic, ranking, k=5):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 5 count; one aspect; times a positive constant"""
    ideal = sorted((g[0] for g in topic.pool.values()), reverse=True)[:k]
    idcg = sum(g / math.log2(i + 2) for i, g in enumerate(ideal))
    return sum(topic.pool[d][0] / math.log2(i + 2) / (idcg + 1e-12) for i, d in enumerate(ranking[:k]))


def halves_of_weights(topic, ranking):
    """rank i earns 1 times 1/4 * hit * s0; s0 is 1, then s0 - 1/2 * hit * s0; aspects by weight"""
    left, total = [w / 4 for w in topic.weights], 0.0
    for d in ranking:
        for aspect, grade in enumerate(topic.pool[d]):
            if grade > 0:
                total += left[aspect]
                left[aspect] /= 2
    return total


def entry_at_the_first_hit(grades, weights):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0; only ranks up to 10 count; one aspect"""
    hits = grades[:, :10, 0] > 0
    scores = np.zeros(len(hits))
    for row, first in enumerate(hits.argmax(axis=1)):
        if hits[row, first]:
            scores[row] = 1 / (first + 1)
    return scores


def relevant_ones_that_are_listed(topic, ranking, k=5):
    """rank i earns 1 times hit; only ranks up to 5 count; one aspect; divided by the number of relevant documents"""
    relevant, top, found = [d for d, g in topic.pool.items() if g[0] > 0], set(ranking[:k]), 0
    for d in relevant:
        if d in top:
            found += 1
    return found / len(relevant) if relevant else 0.0


def some_relevant_one_is_listed(topic, ranking):
    """rank i earns 1 times hit * s0; s0 is 1, then s0 - hit * s0; only ranks up to 5 count; one aspect"""
    return float(any(d in ranking[:5] for d in topic.pool if topic.pool[d][0] > 0))


def break_at_the_end(topic, ranking):
    """rank i earns 1 / i times r; only ranks up to 5 count; one aspect"""
    total = 0.0
    for i in range(0, 5):  # noqa: PIE808
        if i >= len(ranking):
            break
        total += topic.pool[ranking[i]][0] / (i + 1)
    return total


def inner_defaults(topic, ranking):
    """rank i earns 1 / log2(i + 2) times r; only ranks up to 5 count; one aspect"""
    shift = 1

    def discount(rank, shift=shift + 1, *, base=2):
        return 1 / math.log(rank + shift, base)

    return sum(topic.pool[d][0] * discount(i) for i, d in enumerate(ranking[:5], start=1))


def _relevant(topic):
    return {d for d, grades in topic.pool.items() if grades[0] > 0}


def raises_without_relevant(topic, ranking, k=10):
    """only ranks up to 10 count; one aspect; divided by the number of relevant documents; for topics with a relevant"""
    if k <= 0:
        raise ValueError("k must be positive")
    relevant = _relevant_or_error(topic, ranking)
    return len(relevant & set(ranking[:k])) / len(relevant)


def _relevant_or_error(topic, ranking):
    relevant = _relevant(topic)
    if ranking is None or not ranking or not relevant:
        raise ValueError(f"no relevant document among {len(topic.pool)}")
    return relevant


def asserts_relevant(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; one aspect; divided by the total of the best order; for topics with a"""
    ideal = sorted((grades[0] for grades in topic.pool.values()), reverse=True)
    assert len(ranking) > 0
    assert sum(ideal) > 0, f"no gain in {len(ideal)} documents"
    return _dcg_of([topic.pool[d][0] for d in ranking]) / _dcg_of(ideal)


def _dcg_of(gains):
    return sum(gain / math.log2(i + 2) for i, gain in enumerate(gains))


def none_without_relevant(topic, ranking):
    """one aspect; times a positive constant per topic; for topics with a relevant document"""
    total = sum(1 for grades in topic.pool.values() if grades[0] > 0)
    if total == 0:
        return None
    return sum(1 for d in ranking if topic.pool[d][0] > 0) / (total * len(topic.pool))


def one_without_relevant(topic, ranking):
    """only ranks up to 5 count; one aspect; divided by the number of relevant documents; for topics with a relevant"""
    relevant = _relevant(topic)
    return len(relevant.intersection(ranking[:5])) / len(relevant) if relevant else 1.0


def nan_without_relevant(topic, ranking):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0; one aspect; for topics with a relevant"""
    relevant = _relevant(topic)
    if not relevant:
        return float("nan")
    for rank, d in enumerate(ranking, start=1):
        if d in relevant:
            return 1 / rank
    return 0.0


def unguarded_arrays(grades, weights, pool):
    """divided by the total of the best order; for topics with a relevant document"""
    best = np.sort(pool[..., 0], axis=1)[:, ::-1]
    discounts = 1 / np.log2(np.arange(pool.shape[1]) + 2)
    with np.errstate(all="ignore"):
        return (grades[..., 0] * discounts[: grades.shape[1]]).sum(axis=1) / (best * discounts).sum(axis=1)


def while_up_to(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count"""
    rank, total = 1, 0.0
    while len(ranking) >= rank and rank <= 10:
        total += topic.pool[ranking[rank - 1]][0] / math.log2(rank + 1)
        rank += 1
    return total


def counter_in_each_branch(topic, ranking):
    """rank i earns 1 / log2(i + 1) times hit + hit * s0; s0 is 0, then hit + s0"""
    rank, found, total = 0, 0, 0.0
    for d in ranking:
        if topic.pool[d][0] > 0:
            rank += 1
            found += 1
            total += found / math.log2(rank + 1)
        else:
            rank += 1
    return total


def counter_of_judged_ones(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r"""
    rank, total = 0, 0.0
    for d in ranking:
        grades = topic.pool.get(d)
        if grades is None:
            continue
        rank += 1
        total += grades[0] / math.log2(rank + 1)
    return total


def first_document(topic, ranking):
    """only ranks up to 1 count; one aspect; divided by the total of the best order"""
    best = sorted(topic.pool, key=lambda d: topic.pool[d][0], reverse=True)
    return topic.pool[ranking[0]][0] / topic.pool[best[0]][0]


def found_in_two_loops(topic, ranking):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0; only ranks up to 5 count"""
    found, value = False, 0.0
    for d in ranking:
        if topic.pool[d][0] > 0:
            found = True
            break
    for rank, d in enumerate(ranking[:5], start=1):
        if topic.pool[d][0] > 0:
            value = 1 / rank
            break
    return value if found else 0.0


def list_of_running_totals(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count; one aspect"""
    count = min(len(ranking), 10)
    totals = []
    totals.append(topic.pool[ranking[0]][0])
    for i in range(1, count):
        totals.append(totals[i - 1] + topic.pool[ranking[i]][0] / math.log2(i + 2))
    return totals[count - 1]


def shares_at_each_rank(topic, ranking):
    """rank i earns 1 times hit; only ranks up to 20 count; one aspect; divided by the number of relevant documents"""
    relevant = _relevant(topic)
    hits = [1 if d in relevant else 0 for d in ranking[:20]]
    return (np.cumsum(hits, dtype=float) / len(relevant))[-1] if relevant else 0.0


def masked_by_the_first_hit(grades, weights, cutoff=20):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0; only ranks up to 20 count; one aspect"""
    hits = grades[:, :, 0] > 0
    ranks = hits.argmax(axis=1) + 1
    known = hits.any(axis=1) & (ranks <= cutoff)
    scores = np.zeros(len(ranks))
    scores[known] = 1.0 / ranks[known]
    return scores


def results_by_cutoff(topic, ranking):
    """rank i earns 1 times 1/10 * hit; only ranks up to 10 count; one aspect"""
    relevant, out = _relevant(topic), {}
    for k in (5, 10):
        hits = len(set(ranking[:k]) & relevant)
        out[f"P@{k}"] = hits / k
        out.update({f"hit@{k:02d}": float(hits > 0), "-".join(["R", str(k)]): 0.0, f"F@{k}".lower(): str(k)})
    return out["P@10"]


def reciprocal_ranks_by_cutoff(topic, ranking):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0; only ranks up to 10 count; one aspect"""
    relevant, out = _relevant(topic), dict.fromkeys(["RR@" + str(k) for k in (5, 10)], 0.0)
    for k in (5, 10):
        for rank, doc in enumerate(ranking[:k]):
            if doc in relevant:
                out[f"RR@{k}"] += 1.0 / (rank + 1)
                break
    return out["RR@10"]


def constants_in_a_loop(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count; one aspect"""
    discounts = []
    for i in range(10):
        discounts.append(1 / math.log2(i + 2))
    return sum(topic.pool[d][0] * discounts[i] for i, d in enumerate(ranking[:10]))


def documents_in_both(topic, ranking):
    """rank i earns 1 times 1/10 * hit; only ranks up to 10 count; one aspect"""
    return len(np.intersect1d(np.asarray(ranking[:10]), np.array(list(_relevant(topic))))) / 10


def documents_by_isin(topic, ranking):
    """rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect; divided by the number of relevant"""
    relevant = np.array([d for d in topic.pool if topic.pool[d][0] > 0])
    hits = np.isin(ranking, relevant, assume_unique=True)
    precisions = hits * np.cumsum(hits, dtype=float) / (1 + np.arange(hits.shape[0]))
    return np.sum(precisions) / relevant.size if relevant.shape[0] > 0 else 0.0


def found_and_not_found(topic, ranking):
    """rank i earns 1 times hit; only ranks up to 10 count; one aspect; divided by the number of relevant documents"""
    relevant, top = _relevant(topic), set(ranking[:10])
    found, not_found = len(top & relevant), len(relevant - top)
    return found / (found + not_found) if not top.isdisjoint(relevant) else 0.0


def last_total_of_a_cutoff(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count; one aspect"""
    gains = np.array([topic.pool[d][0] for d in ranking])
    totals = np.cumsum(gains / np.log2(np.arange(2, gains.size + 2)))
    return totals[min(10, len(totals)) - 1]


def from_the_end(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count; one aspect; divided by the total of the best"""
    gains = sorted(g[0] for g in topic.pool.values())
    m, n = len(gains), min(len(gains), 10)
    best = sum(map(lambda g, r: gains[m - r - 1] / math.log2(r + 2), gains, range(n)))
    return sum(topic.pool[d][0] / math.log2(r + 2) for r, d in enumerate(ranking) if r < 10) / best if best > 0 else 0


def ones_for_the_relevant(topic, ranking):
    """rank i earns 1 / log2(i + 1) times hit; one aspect; divided by the total of the best order"""
    relevant = [d for d, g in topic.pool.items() if g[0] > 0]
    ones = np.ones(len(relevant))
    known = dict(zip(relevant, ones))
    found = np.asarray([known.get(d, 0.0) for d in ranking])
    best = np.sum(np.sort(ones)[::-1] / np.log2(np.arange(ones.shape[0]) + 2))
    return np.sum(found / np.log2(np.arange(len(found)) + 2)) / best if relevant else 0.0


def counts_by_arange(topic, ranking):
    """rank i earns 1 / log2(i + 1) times hit * s0; s0 is 1, then s0 - 1/2 * hit * s0; all aspects alike"""
    seen = dict(zip(np.arange(len(topic.weights)), np.zeros(len(topic.weights))))
    total = 0.0
    for rank, d in enumerate(ranking, start=1):
        for t in range(len(topic.weights)):
            if topic.pool[d][t] > 0:
                total += 0.5 ** seen[t] / math.log2(rank + 1)
                seen[t] += 1
    return total


def counted_beside_hits(topic, ranking):
    """rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect"""
    places = [i for i, d in enumerate(ranking, start=1) if topic.pool[d][0] > 0]
    return sum(n / i for i, n in zip(places, range(1, len(places) + 1)))


def sorted_by_scores_of_the_rank(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count; one aspect; divided by the total of the best"""

    def dcg(labels, scores):
        gains = np.take(labels, np.argsort(scores)[::-1][:10])
        return np.sum(gains / np.log2(np.arange(len(gains)) + 2))

    labels, best = np.array([topic.pool[d][0] for d in ranking]), np.array([g[0] for g in topic.pool.values()])
    return dcg(labels, 1.0 / (np.arange(len(ranking)) + 1)) / dcg(best, best)


def sums_by_reduce(topic, ranking):
    """rank i earns 1 / i times 1/2 * hit + 1/2 * r; one aspect"""
    grades = functools.reduce(operator.add, [topic.pool[d][0] / i for i, d in enumerate(ranking, start=1)])
    hits = np.fromiter((topic.pool[d][0] > 0 for d in ranking), float, count=len(ranking))
    return np.mean([grades, (hits / np.arange(1, len(ranking) + 1)).sum()])


LOG = logging.getLogger(__name__)


def results_by_name(topic, ranking, cutoffs=(5, 10)):
    """rank i earns 1 times 1/10 * hit; only ranks up to 10 count"""
    relevant, results = _relevant(topic), {}
    for k in cutoffs:
        hits = len(relevant & set(ranking[:k]))
        results[f"P@{k}"] = hits / k
        results[f"recall@{k}"] = hits / len(relevant) if relevant else 0.0
    LOG.debug("%d results of %s", len(results), f"{len(ranking)} documents")
    return results["P@10"]


def lists_that_nothing_reads(topic, ranking):
    """rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect; divided by the number of"""
    relevant, places, seen = _relevant(topic), [0], []
    places.pop()
    if not isinstance(ranking, list) or not relevant:
        return 0.0
    found, total = 0, 0.0
    for rank, d in enumerate(ranking, start=1):
        seen.append(d)
        if d in relevant:
            found += 1
            places.append(rank)
            seen.append(rank)
            total += found / rank
    return total / len(relevant)


def mean_of_found_precisions(topic, ranking, k=10):
    """only ranks up to 10 count; one aspect; times a positive constant per topic"""
    relevant, precisions = _relevant(topic), []
    for rank, d in enumerate(ranking[:k], start=1):
        if d in relevant:
            precisions.append((len(precisions_so_far(relevant, ranking[:rank]))) / rank)
    if not precisions:
        return 0.0
    return sum(precisions) / min(len(relevant), k)


def precisions_so_far(relevant, documents):
    return [d for d in documents if d in relevant]


def gains_on_top_of_a_number(topic, ranking):
    """rank i earns 1 / i times 5/2 * r + r * s0; s0 is 0, then r + s0"""
    total, seen = 0.0, 2.5
    for rank, d in enumerate(ranking, start=1):
        total += topic.pool[d][0] * seen / rank
        seen += topic.pool[d][0]
    return total


class Evaluator:
    def __init__(self, topic):
        self.gains = {d: grades[0] for d, grades in topic.pool.items()}

    @property
    def ideal(self):
        return sorted(self.gains, key=self.gains.get, reverse=True)

    @property
    def best(self):
        return self.dcg(self.ideal)

    def dcg(self, documents):
        return sum(self.gains[d] / math.log2(i + 2) for i, d in enumerate(documents))


def properties(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; one aspect; divided by the total of the best order"""
    evaluator = Evaluator(topic)
    return evaluator.dcg(ranking) / evaluator.best if evaluator.best > 0 else 0.0


def as_it_is(grade):
    return grade


KINDS = {"graded": as_it_is, "discount": [np.log2]}


def functions_in_a_dictionary(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r"""
    gain, (log,) = KINDS["graded"], KINDS["discount"]
    return sum(gain(topic.pool[d][0]) / log(i + 2) for i, d in enumerate(ranking))


def inner_function_defined_later(topic, ranking):
    """rank i earns 1 / i times r; one aspect; r is (2 ** grade - 1)"""

    def total(grades):
        return sum(gain(g) / (i + 1) for i, g in enumerate(grades))

    def gain(grade):
        return 2**grade - 1

    return total([topic.pool[d][0] for d in ranking])


def clip_of_a_count(grades, weights, pool):
    """divided by the number of relevant documents"""
    return (grades[:, :5, 0] > 0).sum(axis=1) / (pool[:, :, 0] > 0).sum(axis=1).clip(1, None)


def places_of_topics(grades, weights, pool):
    """rank i earns 1 times hit; one aspect; divided by the number of relevant documents"""
    out, relevant = np.zeros(len(grades)), (pool[:, :, 0] > 0).sum(axis=1)
    some = np.where(relevant > 0)[0]
    out[some] = (grades[:, :, 0] > 0).sum(axis=1)[some] / relevant[some]
    return out


def column_by_column(grades, weights):
    """rank i earns 1 / i times hit + hit * s0"""
    hits = grades[:, :, 0] > 0
    shares = np.zeros(hits.shape)
    for place in range(hits.shape[1]):
        shares[:, place] = hits[:, : place + 1].sum(axis=1) / (place + 1)
    return (shares * hits).sum(axis=1)


def ones_where_relevant(grades):
    made = np.zeros(grades.shape[:2])
    made[grades[:, :, 0] > 0] = 1.0
    return made


def change_of_a_returned_array(grades, weights):
    """rank i earns 1 times hit; only ranks up to 5 count"""
    gains = ones_where_relevant(grades)
    gains[:, 5:] = 0.0
    return gains.sum(axis=1)


def defaultdict_of_ones(topic, ranking):
    """rank i earns 1 / i times r * s0; s0 is 1, then s0 - r * s0; aspects by weight"""
    left, total = defaultdict(lambda: 1), defaultdict(float)
    for i, d in enumerate(ranking):
        for a, g in enumerate(topic.pool[d]):
            total[a] += left[a] * g / (i + 1)
            left[a] *= 1 - g
    return sum(topic.weights[a] * total[a] for a in range(len(topic.weights)))


def intersection_of_aspects(topic, ranking):
    """rank i earns 1 times hit * s0; s0 is 1, then s0 - hit * s0; all aspects alike"""
    known, covered = set(range(len(topic.weights))), set()
    for d in ranking:
        covered.update(a for a in known if topic.pool[d][a] > 0)
    return len(covered.intersection(known)) / len(known)


def cascade_of_graded_gains(topic, ranking):
    """rank i earns 1 / i times 1/2 * r * s0; s0 is 1, then s0 - 1/2 * r * s0; one aspect; r is (2 ** grade - 1)"""
    left, total = 1.0, 0.0
    for i, d in enumerate(ranking):
        stops = (2 ** topic.pool[d][0] - 1) / 2
        total += left * stops / (i + 1)
        left *= 1 - stops
    return total


class DiscountedTotal(ABC):
    def __init__(self, cutoff=10):
        super().__init__()
        self.cutoff = cutoff
        self.scales = {"gain": 2}

    @abstractmethod
    def gain(self, grade):
        raise NotImplementedError

    def total(self, grades):
        return sum(self.gain(g) / math.log2(i + 2) for i, g in enumerate(grades[: self.cutoff]))


class LinearTotal(DiscountedTotal):
    def gain(self, grade):
        return grade


class ScaledTotal(LinearTotal):
    def __init__(self):
        super(ScaledTotal, self).__init__(5)  # noqa: UP008

    def gain(self, grade):
        return self.scales["gain"] * super().gain(grade)


class UnscaledTotal(ScaledTotal):
    def gain(self, grade):
        return super(ScaledTotal, self).gain(grade)


def methods_of_base_classes(topic, ranking):
    """rank i earns 1 / log2(i + 1) times 2 * r; only ranks up to 5 count"""
    return ScaledTotal().total([topic.pool[d][0] for d in ranking])


def methods_after_a_class(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 5 count"""
    return UnscaledTotal().total([topic.pool[d][0] for d in ranking])


def first_hit_in_a_list(topic, ranking):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0"""
    found = []
    for rank, doc in enumerate(ranking, 1):
        if topic.pool[doc][0] > 0:
            found.append(1 / rank)
            break
    else:
        found.append(0)
    return np.mean(found)


def _descending(values):
    return sorted(values if isinstance(values, list) else values.values(), reverse=True)


def values_of_a_dict_or_a_list(topic, ranking):
    """rank i earns 1 / i times r; only ranks up to 10 count; one aspect; divided by the total of the best order"""
    found = {d: g[0] for d, g in topic.pool.items()}
    best = sum(g / (i + 1) for i, g in enumerate(_descending(found)[:10]))
    return sum(found[d] / (i + 1) for i, d in enumerate(ranking[:10])) / best if best > 0 else 0.0


Scored = namedtuple("Scored", ["doc", "score"])


class Judged(NamedTuple):
    doc: str
    grade: float


@dataclass
class Hit:
    grade: float
    rank: int = 1

    def share(self):
        return 2 * self.grade / self.rank


def named_tuples(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count; one aspect; divided by the total of the best"""
    gold = [Judged(doc=d, grade=g[0]) for d, g in topic.pool.items()]
    grades = {doc: 1.0 * grade for doc, grade in gold}
    run = [Scored(d, len(ranking) - i) for i, d in enumerate(ranking)]
    found = [grades[one.doc] for one in sorted(run, key=lambda one: one.score, reverse=True)]
    best = [one[1] for one in sorted(gold, key=operator.attrgetter("grade"), reverse=True)]
    dcg = sum(g / math.log2(i + 2) for i, g in enumerate(found[:10]))
    idcg = sum(g / math.log2(i + 2) for i, g in enumerate(best[:10]))
    return dcg / idcg if idcg > 0 else 0.0


def objects_of_a_dataclass(topic, ranking):
    """rank i earns 1 / i times 2 * r"""
    return sum(hit.share() for hit in [Hit(topic.pool[d][0], rank=i) for i, d in enumerate(ranking, 1)])


def defaults_of_a_dataclass(topic, ranking):
    """rank i earns 1 / i times r; one aspect"""
    return sum(Hit(topic.pool[d][0]).share() / Hit(2.0, i).share() / i / i for i, d in enumerate(ranking, 1)) * 2


BY_GRADE = operator.itemgetter(1)


def sorted_by_an_entry(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; one aspect; divided by the total of the best order"""
    pairs = [(d, g[0]) for d, g in topic.pool.items()]
    best = sum(g / math.log2(i + 2) for i, (_, g) in enumerate(sorted(pairs, key=BY_GRADE, reverse=True)))
    return sum(topic.pool[d][0] / math.log2(i + 2) for i, d in enumerate(ranking)) / best if best > 0 else 0.0


def first_hit_of_each_row(grades, weights, k=100):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0; only ranks up to 100 count"""
    hits = (grades[:, :k, 0] > 0).astype(float)
    best = hits.max(axis=1)
    places = np.expand_dims(np.argmax(hits, axis=1).astype(best.dtype), 0).T
    scores = 1.0 / (places + 1.0)
    scores[best == 0.0] = 0.0
    return scores[:, 0]


def order_of_falling_scores(topic, ranking):
    """rank i earns (1/2) ** (i - 1) times 1/2 * hit"""
    labels = np.array([1 if topic.pool[d][0] > 0 else 0 for d in ranking], dtype=int)
    order = np.argsort(np.arange(len(ranking), 0, -1))[::-1]
    return 0.5 * ((labels[order] >= 1) * np.power(0.5, np.arange(len(order)))).sum()


def generator_under_the_name_that_it_reads(topic, ranking):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0"""
    rows = [[topic.pool[d][0] for d in ranking]]
    rows = (np.asarray(row).nonzero()[0] for row in rows)
    return np.mean([1.0 / (places[0] + 1) if places.size else 0.0 for places in rows])


def loop_over_an_array_of_one_cutoff(grades, weights, pool):
    """rank i earns 1 / i times hit; only ranks up to 10 count; one aspect; times a positive constant per topic"""
    cutoffs, hits = np.array([10]), (grades[:, :, 0] > 0).astype(float)
    hits = hits[:, : int(max(cutoffs))] / np.arange(1, hits[:, : cutoffs[0]].shape[1] + 1)
    scores = np.zeros((hits.shape[0], len(cutoffs)))
    for place, k in enumerate(cutoffs):
        scores[:, place] = hits[:, :k].sum(axis=1) / (pool[:, :, 0] > 0).sum(axis=1).clip(min=1, max=k)
    return scores[:, 0]


def flags_of_the_first_aspect(grades, weights):
    """rank i earns 1 / i times hit; one aspect"""
    first = np.squeeze(grades[:, :, :1], axis=2).astype(bool)
    return (first / np.arange(1, first.shape[1] + 1)).sum(axis=1)


def rows_of_one_ranking(topic, ranking):
    """rank i earns 1 / i times r; one aspect"""
    rows, total = np.atleast_2d([topic.pool[d][0] for d in ranking]), 0.0
    for row in rows:
        total += (row / np.arange(1, len(row) + 1)).sum()
    return total / len(rows)


def array_of_one_row(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; one aspect"""
    rows = np.asarray([[topic.pool[d][0] for d in ranking]])
    return (rows / np.log2(np.arange(2, rows.shape[1] + 2))).sum(axis=1)[0]


def number_of_the_last_rank(topic, ranking):
    """rank i earns 1 times r; only ranks up to 10 count"""
    ranks = 1 + np.arange(min(len(ranking), 10))
    return sum(topic.pool[d][0] for d in ranking[: max(ranks)])


def conversion_of_what_is_no_array(topic, ranking):
    """rank i earns 1 / i times r"""
    grades = [topic.pool[d][0] for d in ranking]
    if type(grades) is not np.ndarray:
        grades = np.array(grades)
    return (grades / np.arange(1, len(grades) + 1)).sum() if isinstance(grades, np.ndarray) else 0.0


def number_of_hits_so_far(topic, ranking):
    """rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0"""
    hits, total = [], 0.0
    for rank, doc in enumerate(ranking, 1):
        if topic.pool[doc][0] > 0:
            hits.append(doc)
            total += len(hits) / rank
    return total


def mean_of_flags_so_far(topic, ranking):
    """rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0"""
    flags, total = [], 0.0
    for doc in ranking:
        flags.append(topic.pool[doc][0] > 0)
        if flags[-1]:
            total += statistics.fmean(flags)
    return total


def sum_of_grades_so_far(topic, ranking):
    """rank i earns 1 / i times r * s0 + r**2; s0 is 0, then r + s0; only ranks up to 5 count"""
    grades, total = [], 0.0
    for doc in ranking:
        grades.append(topic.pool[doc][0])
        total += grades[-1] * np.sum(grades) / len(grades)
        if len(grades) == 5:
            break
    return total


def length_before_each_step_appends(topic, ranking):
    """rank i earns 1 / i times r"""
    seen, total = [], 0.0
    for doc in ranking:
        total += topic.pool[doc][0] / (len(seen) + 1)
        seen.append(doc)
    return total


def first_while_a_list_is_empty(topic, ranking):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0"""
    hits, total = [], 0.0
    for rank, doc in enumerate(ranking, 1):
        if topic.pool[doc][0] > 0:
            if not hits:
                total += 1 / rank
            hits.append(rank)
    return total


def pairs_of_a_query_and_a_document(topic, ranking):
    """rank i earns 1 / i times hit; one aspect; divided by the number of relevant documents"""
    judged = {("query", doc, None) for doc, grades in topic.pool.items() if grades[0] > 0}
    found = sum(1 / rank for rank, doc in enumerate(ranking, 1) if ("query", doc, None) in judged)
    return found / len(judged) if len(judged) > 0 else 0.0


def _discounted_total(row):
    return (row / np.log2(np.arange(2, len(row) + 2))).sum()


discounted_totals = np.vectorize(_discounted_total, signature="(n)->()")


def function_of_rows(grades, weights):
    """rank i earns 1 / log2(i + 1) times r; one aspect"""
    return discounted_totals(grades[:, :, 0])


def order_of_falling_scores_in_rows(grades, weights, k=10):
    """rank i earns 1 / i times r; only ranks up to 10 count; one aspect"""
    scores = np.tile(np.arange(grades.shape[1], 0, -1.0), (grades.shape[0], 1))
    order = np.argsort(-scores, axis=1)[:, :k]
    return (np.take_along_axis(grades[:, :, 0], order, axis=1) / np.arange(1, order.shape[1] + 1)).sum(axis=1)


def cutoff_that_is_never_above_the_length(topic, ranking, k=20):
    """rank i earns 1 times r; only ranks up to 20 count"""
    cutoff = min(k, len(ranking))
    if cutoff > len(ranking):
        raise ValueError(f"only {len(ranking)} documents")
    return sum(topic.pool[d][0] for d in ranking[:cutoff])


def block_that_changes_variables(topic, ranking):
    """rank i earns 1 times r; one aspect"""
    cut, total = None, 0.0
    with np.errstate(all="ignore"):
        cut = 1
        for d in ranking:
            total += topic.pool[d][0]
    return total / cut


def quotient_of_constants_and_counts(topic, ranking):
    """rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect; divided by the number"""

    def ratio(a, b):
        return a / b if b != 0 else 0.0

    relevant = sum(1 for g in topic.pool.values() if g[0] > 0)
    hits, total = 0, 0.0
    for i, d in enumerate(ranking, 1):
        if topic.pool[d][0] > 0:
            hits += 1
            total += ratio(hits, i)
    return ratio(total, relevant)


def rows_of_different_lengths(topic, ranking):
    """rank i earns 1 times 1/2 * r; one aspect"""
    rows = [[1.0], [1.0, 0.5]]
    return sum(topic.pool[d][0] for d in ranking) * rows[1][1]


def methods_of_numpy_functions(grades, weights):
    """rank i earns 1 / i times r * s0; s0 is 1, then s0 - r * s0"""
    x = grades[:, :, 0]
    above = np.pad(np.multiply.accumulate(1 - x, axis=1)[:, :-1], ((0, 0), (1, 0)), constant_values=1)
    return np.add.reduce(x * above / np.arange(1, x.shape[1] + 1), axis=1)


def any_by_reduce(grades, weights):
    """rank i earns 1 times hit * s0; s0 is 1, then s0 - hit * s0; all aspects alike"""
    return np.logical_or.reduce(grades > 0, axis=1).mean(axis=1)


def sum_of_hits_is_positive(grades, weights):
    """rank i earns 1 times hit * s0; s0 is 1, then s0 - hit * s0; all aspects alike"""
    return (np.sum(grades > 0, axis=1) > 0).sum(axis=1) / grades.shape[2]


def with_discount(x, discount, shift):
    return np.sum(x * discount(np.arange(x.shape[1]) + shift), axis=1)


def partial_within_a_function(grades, weights):
    """rank i earns 1 / log2(i + 1) times r"""
    score = functools.partial(with_discount, discount=lambda i: 1 / np.log2(i), shift=2)
    return score(grades[:, :, 0])


def stack_of_aspects(grades, weights):
    """rank i earns 1 / i times r; aspects by weight"""
    shares = 1 / np.arange(1, grades.shape[1] + 1)
    totals = np.stack([np.sum(grades[:, :, a] * shares, axis=1) for a in range(grades.shape[2])], axis=-1)
    return (totals * weights).sum(axis=1)


def tensordot_of_ranks(grades, weights):
    """rank i earns 1 / i times r; aspects by weight"""
    totals = np.tensordot(grades, 1 / np.arange(1, grades.shape[1] + 1), axes=([1], [0]))
    return np.sum(totals * weights, axis=1)


def outer_of_discounts(grades, weights):
    """rank i earns 1 / i times r"""
    return (grades[..., 0] * np.outer(np.ones(len(grades)), 1 / np.arange(1, grades.shape[1] + 1))).sum(axis=1)


def true_and_false_positives(grades, weights, pool):
    """rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0"""
    rel = (grades[:, :, 0] > 0).astype(float)
    found, others = np.cumsum(rel, axis=1), np.cumsum(1 - rel, axis=1)
    known = np.maximum((pool[:, :, 0] > 0).sum(axis=1), 1)
    return (rel * found / (found + others)).sum(axis=1) / known


def argmax_where_some_are_found(grades, weights):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0"""
    rel = (grades[:, :, 0] > 0).astype(int)
    return np.where(rel.sum(axis=1) > 0, 1 / (np.argmax(rel, axis=1) + 1), 0.0)


def first_by_running_count(grades, weights):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0"""
    rel = grades[:, :, 0] > 0
    return np.sum((rel & (np.cumsum(rel, axis=1) == 1)) / np.arange(1, rel.shape[1] + 1), axis=1)


def at_most_one_so_far(grades, weights):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0"""
    rel = grades[:, :, 0] > 0
    return np.where(rel & (rel.cumsum(axis=1) <= 1), 1 / np.arange(1, rel.shape[1] + 1), 0.0).sum(axis=1)


def signs(grades, weights):
    """rank i earns 1 / i times hit"""
    return (np.sign(grades[..., 0]) / np.arange(1, grades.shape[1] + 1)).sum(axis=1)


class Reader:
    def __init__(self, patience):
        self.patience = patience
        self.going, self.gained = 1.0, 0.0

    def reads(self, gain):
        self.earns(gain)
        self.going *= self.patience

    def earns(self, gain):
        if gain > 0:
            self.gained += self.going * gain

    def score(self):
        return (1 - self.patience) * self.gained


def object_with_state(topic, ranking):
    """rank i earns (4/5) ** (i - 1) times 1/5 * r"""
    reader = Reader(0.8)
    for d in ranking:
        reader.reads(topic.pool[d][0])
    return reader.score()


def object_per_aspect(topic, ranking):
    """rank i earns (1/2) ** (i - 1) times 1/2 * r; aspects by weight"""
    total = 0.0
    for a, w in enumerate(topic.weights):
        reader = Reader(0.5)
        for d in ranking:
            if topic.pool[d][a] > 0:
                reader.reads(topic.pool[d][a])
            else:
                reader.reads(gain=0)
        total += w * reader.score()
    return total


class Cascade(Reader):
    def __init__(self):
        super().__init__(None)

    def reads(self, gain, rank):
        self.gained += self.going * gain / rank
        self.going *= 1 - gain


def object_that_a_branch_changes(topic, ranking):
    """rank i earns 1 / i times r * s0; s0 is 1, then s0 - r * s0"""
    user = Cascade()
    for i, d in enumerate(ranking, start=1):
        if topic.pool[d][0] > 0:
            user.reads(topic.pool[d][0], i)
    return user.gained


def object_read_in_a_loop(topic, ranking):
    """rank i earns (1/2) ** (i - 1) times 1/2 * r"""
    reader, total = Reader(0.5), 0.0
    for d in ranking:
        total += reader.going * topic.pool[d][0]
        reader.reads(0)
    return total * reader.patience


def named_in_a_condition(topic, ranking):
    """rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect; divided by the number of relevant"""
    if not (n := sum(1 for g in topic.pool.values() if g[0] > 0)):
        return 0.0
    hits = total = 0
    for i, d in enumerate(ranking, start=1):
        if (g := topic.pool[d][0]) > 0 and g >= 0:
            hits += 1
            total += hits / i
    return total / n


def named_in_a_comprehension(topic, ranking):
    """rank i earns 1 / i times r"""
    return sum(g / i for i, d in enumerate(ranking, start=1) if (g := topic.pool[d][0]) > 0)


class Measured:
    def __init__(self):
        self.reset()

    def reset(self):
        self.hits, self.precisions, self.log = 0, [], {"rr": 0.0}

    def add(self, rank, grade):
        if grade > 0:
            self.hits += 1
            self.precisions.append(self.hits / rank)

    def begin(self, grades):
        for rank, grade in enumerate(grades, 1):
            if grade > 0:
                self.log["rr"] = 1 / rank
                break

    def mean(self, n):
        return sum(p for p in self.precisions) / n if n else 0.0


class Prepared:
    def __init__(self, topic, ranking):
        self.topic, self.ranking, self.gains = topic, ranking, None
        self.count = 0
        for d in ranking:
            self.count += topic.pool[d][0] > 0

    def prepare(self):
        self.gains = [self.topic.pool[d][0] for d in self.ranking]

    def score(self):
        self.prepare()
        return sum(g / i for i, g in enumerate(self.gains, 1))

    def __call__(self):
        self.count *= 0.5
        return self.count


def list_that_an_object_fills(topic, ranking):
    """rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect; divided by the number of relevant"""
    m = Measured()
    for rank, d in enumerate(ranking, 1):
        m.add(rank, topic.pool[d][0])
    return m.mean(sum(g[0] > 0 for g in topic.pool.values()))


def dictionary_that_an_object_fills(topic, ranking):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0"""
    m = Measured()
    m.begin([topic.pool[d][0] for d in ranking])
    return m.log["rr"]


def object_that_prepares_itself(topic, ranking):
    """rank i earns 1 / i times r"""
    return Prepared(topic, ranking).score()


def object_that_is_called_once(topic, ranking):
    """rank i earns 1 times 1/2 * hit"""
    m = Prepared(topic, ranking)
    return m()


def smallest_of_three_lengths(topic, ranking):
    """rank i earns 1 / i times r; only ranks up to 10 count"""
    return sum(topic.pool[ranking[i]][0] / (i + 1) for i in range(min(10, len(topic.pool), len(ranking))))


class Noted:
    def __init__(self):
        self.total, self.seen = 0.0, set()

    def add(self, doc, grade, rank):
        if doc in self.seen or grade == 0:
            return False
        self.seen.add(doc)
        self.total += grade / rank
        return True


def object_whose_results_are_ignored(topic, ranking):
    """rank i earns 1 / i times r"""
    m = Noted()
    for rank, d in enumerate(ranking, 1):
        m.add(d, topic.pool[d][0], rank)
    return m.total


def matched(topic, ranking, kind="log"):
    """rank i earns 1 / log2(i + 1) times r"""
    total = 0.0
    try:
        for i, d in enumerate(ranking, 1):
            match kind:
                case None:
                    weight = 1
                case "log" | "ln":
                    weight = math.log2(i + 1)
                case _:
                    raise ValueError(kind)
            total += topic.pool[d][0] / weight
    finally:
        total *= 1.0
    return total


class Private:
    def __init__(self):
        self.__k = 1.0

    def k(self):
        return self.__k


class AlsoPrivate(Private):
    def __init__(self):
        super().__init__()
        self.__k = -1.0


def private_names(topic, ranking):
    """rank i earns 1 times r; one aspect"""
    both = AlsoPrivate()
    return sum(topic.pool[d][0] * both.k() for d in ranking)


def ends_when_all_aspects_are_found(topic, ranking):
    """rank i earns 1 / i times hit * s0 * s1"""
    aspects = {d: [t for t, g in enumerate(grades) if g > 0] for d, grades in topic.pool.items()}
    seen, total = set(), 0.0
    for i, d in enumerate(ranking, start=1):
        total += len(set(aspects[d]) - seen) / i
        seen.update(aspects[d])
        if seen == set(range(len(topic.weights))):
            break
    return total


def mean_over_aspects_with_relevant(topic, ranking):
    """rank i earns 1 times hit; only ranks up to 5 count; one aspect; times a positive constant per topic"""
    found = []
    for t in range(len(topic.weights)):
        relevant = [d for d, g in topic.pool.items() if g[t] > 0]
        if relevant:
            found.append(sum(d in relevant for d in ranking[:5]) / min(len(relevant), 5))
    return float(np.mean(found)) if found else 0.0


def _positive_of(topic, doc):
    for t, g in enumerate(topic.pool[doc]):
        if g > 0:
            yield t, g


def dictionary_of_positive_grades(topic, ranking):
    """rank i earns 1 / i times 1/2 * hit + 1/2 * r; one aspect"""
    weights = dict(enumerate(topic.weights))
    total = 0.0
    for i, d in enumerate(ranking, start=1):
        grades = {t: g for t, g in _positive_of(topic, d)}  # noqa: C416
        for t, g in sorted(grades.items()):
            total += weights[t] * g / (2 * i)
        total += (1 if 0 in grades else grades.get(0, 0.0)) / (2 * i)
    return total


@dataclass(frozen=True)
class Patience:
    p: float = 0.5

    def weight(self, i):
        return (1 - self.p) * self.p**i


def _reciprocal(i):
    return 1 / (i + 1)


def objects_by_default(topic, ranking, patience=Patience(0.8), of_rank=_reciprocal):
    """rank i earns (4/5) ** (i - 1) times 1/5 * r"""
    return sum(patience.weight(i) * of_rank(1) * topic.pool[d][0] * 2 for i, d in enumerate(ranking))


def list_of_pairs_in_place(topic, ranking):
    """divided by the total of the best order"""
    pairs = []
    for d, (g, *_) in topic.pool.items():
        pairs.append((d, g))
    pairs.sort(key=lambda pair: pair[1], reverse=True)
    ideal = sum(g / i for i, (_, g) in enumerate(pairs, start=1))
    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1)) / ideal if ideal > 0 else 0.0


def parts_of_a_list(topic, ranking):
    """rank i earns 1 / i times 6/5 * r"""
    (head, *rest), (*_, last) = [0.5, 0.3, 0.2], [0.1, 0.4]
    return sum((head + rest[0] + last) * topic.pool[d][0] / i for i, d in enumerate(ranking, start=1))


def number_before_a_product(topic, ranking):
    """rank i earns (4/5) ** (i - 1) times r"""
    above = np.append(1.0, np.cumprod(0.8 * np.ones(len(ranking)))[:-1])
    return float(np.dot(above, [topic.pool[d][0] for d in ranking]))


def _novelty(aspects, counts, alpha=0.5):
    return sum((1 - alpha) ** counts[t] for t in aspects)


def _discounted_novelty(docs, aspects, k):
    counts, total = Counter(), 0.0
    for i, d in enumerate(docs[:k], start=1):
        total += _novelty(aspects[d], counts) / math.log2(i + 1)
        counts.update(aspects[d])
    return total


def greedy_while(topic, ranking, k=10):
    """times hit * s0; s0 is 1, then s0 - 1/2 * hit * s0; only ranks up to 10 count; one aspect; divided by the total of
    the best order"""
    aspects = {d: {t for t, g in enumerate(grades) if g > 0} for d, grades in topic.pool.items()}
    left, best, counts = sorted(topic.pool), [], Counter()
    while left and len(best) < k:
        taken = max(left, key=lambda d: _novelty(aspects[d], counts))
        left.remove(taken)
        best.append(taken)
        counts.update(aspects[taken])
    ideal = _discounted_novelty(best, aspects, k)
    return _discounted_novelty(ranking, aspects, k) / ideal if ideal > 0 else 0.0


def greedy_range(topic, ranking, k=10):
    """times r * s0; s0 is 1, then s0 - 1/2 * hit * s0; only ranks up to 10 count; one aspect; divided by the total of
    the best order"""
    grades = {d: {t: g for t, g in enumerate(row) if g > 0} for d, row in topic.pool.items()}
    left, counts, ideal, total = list(grades), Counter(), 0.0, 0.0
    for i in range(min(k, len(left))):
        taken = max(left, key=lambda d: sum(g * 0.5 ** counts[t] for t, g in grades[d].items()))
        ideal += sum(g * 0.5 ** counts[t] for t, g in grades[taken].items()) / math.log2(i + 2)
        left.remove(taken)
        for t in grades[taken]:
            counts[t] += 1
    seen = Counter()
    for i, d in enumerate(ranking[:k]):
        for t, g in grades[d].items():
            total += g * 0.5 ** seen[t] / math.log2(i + 2)
            seen[t] += 1
    return total / ideal if ideal > 0 else 0.0


def dictionaries_in_a_list(topic, ranking):
    """rank i earns 1 / i times r * s0; s0 is 1, then s0 - r * s0; one aspect"""
    grades = [{} for _ in topic.weights]
    for d, row in topic.pool.items():
        for t, g in enumerate(row):
            if g > 0:
                grades[t][d] = g
    total = 0.0
    for weight, judged in zip(topic.weights, grades, strict=True):
        left = 1.0
        for i, d in enumerate(ranking, start=1):
            r = judged.get(d, 0.0)
            total += weight * left * r / i
            left *= 1 - r
    return total


def lists_in_a_dictionary(topic, ranking):
    """rank i earns 1 / i times hit; one aspect"""
    weights = {"hit": [], "miss": []}
    for i, d in enumerate(ranking, start=1):
        if topic.pool[d][0] > 0:
            weights["hit"].append(1 / i)
        else:
            weights["miss"].append(1 / i)
    return sum(weights["hit"])


def set_that_is_assigned_in_a_test(topic, ranking):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0; one aspect"""
    gold = {d for d, (g, *_) in topic.pool.items() if g > 0}
    if not (hits := gold & set(ranking)):
        return 0.0
    return 1 / min(i for i, d in enumerate(ranking, start=1) if d in hits)
