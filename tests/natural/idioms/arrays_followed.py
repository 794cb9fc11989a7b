"""Idioms of array code that derivations follow; each docstring has a part of the derived fold."""

import numpy as np


def flags(topic, ranking, dtype):
    return np.array([topic.pool[d][0] > 0 for d in ranking], dtype=dtype)


def flags_of_32_bits(grades, weights):
    """rank i earns 1 / log2(i + 1) times hit; one aspect"""
    hits = (grades[:, :, 0] > 0).astype(np.float32)
    return (hits / np.log2(np.arange(2, hits.shape[1] + 2))).sum(axis=1)


def count_of_32_bits(topic, ranking):
    """rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect; divided by the"""
    relevant = [d for d, g in topic.pool.items() if g[0] > 0]
    hits = np.isin(ranking, relevant, assume_unique=True)
    if not relevant:
        return 0.0
    precision = hits * np.cumsum(hits, dtype=np.float32) / (1 + np.arange(hits.shape[0]))
    return np.sum(precision) / len(relevant)


def array_of_tiny_integers(topic, ranking):
    """rank i earns 1 / log2(i + 1) times hit; one aspect"""
    hits = np.zeros(len(ranking), dtype=np.int8)
    for i, d in enumerate(ranking):
        if topic.pool[d][0] > 0:
            hits[i] = 1
    return np.sum(hits / np.log2(np.arange(len(hits)) + 2))


def quotient_of_small_integers(topic, ranking):
    """rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect"""
    hits = flags(topic, ranking, "int32")
    so_far = np.cumsum(hits, dtype=np.int32)
    return sum(so_far[i] / (i + 1) * hits[i] for i in range(len(hits)))


def converted_before_it_is_divided(topic, ranking):
    """rank i earns 1 times 1/5 * hit; only ranks up to 5 count; one aspect"""
    return np.sum(flags(topic, ranking, np.float32)[:5]).item() / 5.0
