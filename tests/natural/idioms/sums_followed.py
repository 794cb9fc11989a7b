"""Scores that are sums of several totals, each with its own divisor; each docstring has a part of the derived folds."""

from math import log2


def dcg(gains, cutoff):
    return sum(g / log2(i + 1) for i, g in enumerate(gains[:cutoff], start=1))


def mean_gain(topic, document):
    return sum(w * g for w, g in zip(topic.weights, topic.pool[document], strict=True))


def share_of_best(topic, ranking, cutoff):
    best = dcg(sorted((mean_gain(topic, d) for d in topic.pool), reverse=True), cutoff)
    return dcg([mean_gain(topic, d) for d in ranking], cutoff) / best if best > 0 else 0.0


def aspects_found(topic, ranking, cutoff):
    return [any(topic.pool[d][t] > 0 for d in ranking[:cutoff]) for t in range(len(topic.weights))]


def breadth_and_depth(topic, ranking, k=10, gamma=0.5):
    """divided by the total of the best order; plus: rank i earns 1 times 1/2 * hit * s0; s0 is 1, then s0 - hit * s0"""
    found = aspects_found(topic, ranking, k)
    return gamma * sum(found) / len(found) + (1 - gamma) * share_of_best(topic, ranking, k)


def first_relevant(hits):
    return next((1 / i for i, hit in enumerate(hits, start=1) if hit), 0.0)


def recall_and_the_first_relevant(topic, ranking):
    """s0 - hit * s0; one aspect; plus: rank i earns 1 times 3/4 * hit; one aspect; divided by the number of relevant"""
    hits = [topic.pool[d][0] > 0 for d in ranking]
    relevant = sum(1 for g in topic.pool.values() if g[0] > 0)
    recall = sum(hits) / relevant if relevant else 0.0
    return 0.75 * recall + 0.25 * first_relevant(hits)
