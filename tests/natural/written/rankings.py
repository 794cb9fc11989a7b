"""Metric functions of one topic and one ranking as people write them, in Python alone."""

import math
from collections import defaultdict

import numpy as np

import libraries
from discounts import WEIGHTS, dcg_of
from libraries import apk, dcg_at_k

P = 0.8


def _gain(topic, document):
    return topic.pool[document][0]


def dcg(topic, ranking):
    score = 0.0
    for i, document in enumerate(ranking, start=1):
        score += topic.pool[document][0] / math.log2(i + 1)
    return score


def dcg_sum(topic, ranking):
    return sum(_gain(topic, d) / math.log(i + 2, 2) for i, d in enumerate(ranking))


def dcg_zip(topic, ranking):
    weights = [1 / math.log2(i) for i in range(2, len(ranking) + 2)]
    return sum(w * topic.pool[d][0] for w, d in zip(weights, ranking))


def dcg_exponential(topic, ranking):
    return sum((2 ** _gain(topic, d) - 1) / math.log2(i + 2) for i, d in enumerate(ranking))


def dcg_off_by_one(topic, ranking):
    """Wrong: the two topmost documents count the same."""
    return sum(_gain(topic, d) / (1 if i == 0 else math.log2(i + 1)) for i, d in enumerate(ranking))


def ndcg(topic, ranking):
    gains = [topic.pool[d][0] for d in ranking]
    ideal = dcg_of(sorted((g[0] for g in topic.pool.values()), reverse=True))
    return dcg_of(gains) / ideal if ideal > 0 else 0.0


def ndcg_numpy(topic, ranking):
    gains = np.array([topic.pool[d][0] for d in ranking])
    best = np.sort([g[0] for g in topic.pool.values()])[::-1]
    ideal = np.sum(best / np.log2(np.arange(2, best.size + 2)))
    if ideal == 0:
        return 0.0
    return float(np.sum(gains / np.log2(np.arange(2, gains.size + 2))) / ideal)


def rbp(topic, ranking):
    return (1 - P) * sum(topic.pool[d][0] * P**i for i, d in enumerate(ranking))


def rbp_decimal(topic, ranking):
    p, weight, total = 0.8, 0.2, 0
    for d in ranking:
        total += weight * topic.pool[d][0]
        weight = weight * p
    return total


def rbp_fsum(topic, ranking):
    return math.fsum(0.2 * pow(0.8, i) * _gain(topic, d) for i, d in enumerate(ranking))


def err(topic, ranking):
    p, score = 1.0, 0.0
    for rank, d in enumerate(ranking, 1):
        r = topic.pool[d][0]
        score += p * r / rank
        p *= 1 - r
    return score


def err_ia(topic, ranking):
    total = 0.0
    for aspect, weight in enumerate(topic.weights):
        p = 1.0
        for rank, d in enumerate(ranking, 1):
            r = topic.pool[d][aspect]
            total += weight * p * r / rank
            p = p * (1 - r)
    return total


def precision(topic, ranking):
    return sum(1 for d in ranking[:10] if topic.pool[d][0] > 0) / 10


def precision_of_retrieved(topic, ranking):
    """Wrong for short rankings."""
    hits = [d for d in ranking if topic.pool[d][0] > 0]
    return len(hits) / len(ranking) if ranking else 0


def average_precision(topic, ranking):
    relevant = {d for d, grades in topic.pool.items() if grades[0] > 0}
    if not relevant:
        return 0.0
    hits, total = 0, 0.0
    for i, d in enumerate(ranking, start=1):
        if d in relevant:
            hits += 1
            total += hits / i
    return total / len(relevant)


def reciprocal_rank(topic, ranking):
    for i, d in enumerate(ranking, start=1):
        if topic.pool[d][0] > 0:
            return 1 / i
    return 0


def recall(topic, ranking):
    """Wrong: the order makes no difference."""
    relevant = sum(grades[0] > 0 for grades in topic.pool.values())
    return sum(topic.pool[d][0] > 0 for d in ranking) / max(relevant, 1)


def aspects_covered(topic, ranking):
    covered = set()
    for d in ranking:
        covered |= {t for t, g in enumerate(topic.pool[d]) if g > 0}
    return len(covered) / len(topic.weights)


def alpha_gain(topic, ranking):
    seen = defaultdict(int)
    score = 0.0
    for rank, d in enumerate(ranking):
        for t, g in enumerate(topic.pool[d]):
            score += g * (1 - 0.5) ** seen[t] / math.log2(rank + 2)
            if g > 0:
                seen[t] += 1
    return score


def novelty(topic, ranking):
    left = list(topic.weights)
    score = 0
    for i, d in enumerate(ranking):
        for t, g in enumerate(topic.pool[d]):
            score += 0.85**i * left[t] * g
            left[t] *= 1 - g
    return score


def gain_less_cost(topic, ranking):
    """Wrong: what stands below the second document costs nothing and gains nothing."""
    score = 0.0
    for document in ranking[:2]:
        score += sum(w * g for w, g in zip(topic.weights, topic.pool[document])) - 0.05
    return score


def table_of_weights(topic, ranking):
    """Wrong: from rank 4 on nothing counts."""
    return sum(WEIGHTS.get(i, 0.0) * topic.pool[d][0] for i, d in enumerate(ranking, start=1))


def half_life(topic, ranking):
    return sum(topic.pool[d][0] / 2 ** ((i - 1) / 4) for i, d in enumerate(ranking, start=1))


def root_discount(topic, ranking):
    return sum(topic.pool[d][0] / math.sqrt(i) for i, d in enumerate(ranking, start=1))


def harmonic_mean(topic, ranking):
    grades = [topic.pool[d][0] for d in ranking]
    p, r = grades[0], sum(grades) / len(grades)
    return 2 * p * r / (p + r) if p + r else 0.0


def library_dcg(topic, ranking):
    return dcg_at_k([topic.pool[d][0] for d in ranking], k=len(ranking), method=1)


def library_dcg_first_kind(topic, ranking):
    """Wrong: the first kind of DCG discounts rank 2 as rank 1."""
    return dcg_at_k([topic.pool[d][0] for d in ranking], k=len(ranking), method=0)


def library_ndcg(topic, ranking):
    qrel = {d: g[0] for d, g in topic.pool.items()}
    run = {d: len(ranking) - i for i, d in enumerate(ranking)}
    return libraries.ndcg({"q": qrel}, {"q": run})


def library_apk(topic, ranking):
    """Wrong: with fewer than k relevant documents the denominator is theirs, and with k = 3 rank 4 is not seen."""
    actual = [d for d, g in topic.pool.items() if g[0] > 0]
    return apk(actual, ranking, k=3)


def library_bpref(topic, ranking):
    """Wrong: every document is judged, and what stands above the last relevant one is all that counts."""
    return libraries.bpref({d: g[0] for d, g in topic.pool.items()}, ranking)


def rounded(topic, ranking):
    """Wrong: rounded to two digits."""
    return round(sum(topic.pool[d][0] * 0.8**i for i, d in enumerate(ranking)), 2)


def hashed(topic, ranking):
    """By what no exact number has: the digits of a float."""
    return float(f"{sum(topic.pool[d][0] * 0.8**i for i, d in enumerate(ranking)):.12f}")


def gamma_discount(topic, ranking):
    """By a function that is neither a logarithm nor a root."""
    return sum(topic.pool[d][0] / math.gamma(1 + i / 2) for i, d in enumerate(ranking, start=1))
