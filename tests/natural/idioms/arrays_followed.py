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


def rolled_by_a_rank(grades, weights):
    """rank i earns 1 / i times r * s0; s0 is 1, then s0 - r * s0; aspects by weight"""
    left = np.roll(np.cumprod(1 - grades, axis=1), 1, axis=1)
    left[:, 0] = 1
    gains = left * grades / np.arange(1, grades.shape[1] + 1)[None, :, None]
    return (gains.sum(axis=1) * weights).sum(axis=1)


def joined_by_r(topic, ranking):
    """rank i earns 1 / i times r * s0; s0 is 1, then s0 - r * s0; only ranks up to 10 count; one"""
    grades = np.array([topic.pool[d][0] for d in ranking])[:10]
    left = np.r_[1.0, np.cumprod(1 - grades)[:-1]]
    return np.sum(left * grades / np.r_[1 : len(grades) + 1])


def differences_of_recall(topic, ranking):
    """rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect; divided by the"""
    hits = flags(topic, ranking, float)
    relevant = sum(g[0] > 0 for g in topic.pool.values())
    if relevant == 0:
        return 0.0
    found, missed = np.cumsum(hits), np.cumsum(1 - hits)
    recall = np.insert(found / relevant, 0, 0.0)
    return np.sum((recall[1:] - recall[:-1]) * found / np.maximum(found + missed, 1e-12))


def differences_with_a_start(topic, ranking):
    """rank i earns 1 / i times hit; one aspect"""
    found = np.cumsum(flags(topic, ranking, int))
    return np.sum(np.diff(found, prepend=0) / np.arange(1, len(found) + 1))


def largest_so_far(topic, ranking):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0"""
    hits = flags(topic, ranking, float)
    before = np.r_[0.0, np.maximum.accumulate(hits)[:-1]]
    return np.sum(hits * (1 - before) / np.arange(1, len(hits) + 1))


def array_filled_by_first_hits(grades, weights):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0"""
    hits = (grades[:, :, 0] > 0).astype(int)
    first = hits.argmax(axis=1)
    scores = np.zeros_like(first, dtype=float)
    for row, (count, place) in enumerate(zip(hits.sum(axis=1), first)):
        scores[row] = 0 if count == 0 else 1 / (place + 1)
    return scores


def numbers_of(topic):
    return {d: i for i, d in enumerate(topic.pool)}


def array_indexed_by_numbers_of_documents(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; one aspect; divided by the total of the best order"""
    number = numbers_of(topic)
    truth = np.zeros(len(number))
    for d, g in topic.pool.items():
        truth[number[d]] = g[0]
    gains, best = truth[[number[d] for d in ranking]], truth[np.argsort(-truth)]
    ideal = np.sum(best / np.log2(np.arange(2, len(best) + 2)))
    return np.sum(gains / np.log2(np.arange(2, len(gains) + 2))) / ideal if ideal > 0 else 0.0


def table_indexed_by_numbers_of_documents(topic, ranking):
    """rank i earns 1 / i times r; aspects by weight"""
    number, table = numbers_of(topic), np.array(list(topic.pool.values()))
    rows = table[np.array([number[d] for d in ranking])]
    return ((rows / np.arange(1, len(rows) + 1)[:, None]).sum(axis=0) * np.array(topic.weights)).sum()


def ones_at_numbers_of_documents(topic, ranking):
    """rank i earns 1 times 1/10 * hit; only ranks up to 10 count; one aspect"""
    number, truth = numbers_of(topic), np.zeros(len(topic.pool), dtype=np.int32)
    truth[[number[d] for d in {d for d, g in topic.pool.items() if g[0] > 0}]] = 1
    return truth[[number[d] for d in ranking]][:10].sum() / 10


def numbers_among_numbers(topic, ranking):
    """rank i earns 1 / i times hit; one aspect"""
    number, truth = numbers_of(topic), np.array([g[0] for g in topic.pool.values()])
    ranked = np.array([number[d] for d in ranking])
    return np.sum(np.isin(ranked, np.flatnonzero(truth > 0)) / np.arange(1, len(ranked) + 1))


def sets_of_numbers(topic, ranking):
    """rank i earns 1 times hit; only ranks up to 5 count; one aspect; divided by the number of r"""
    number = numbers_of(topic)
    relevant = {number[d] for d, g in topic.pool.items() if g[0] > 0}
    if not relevant:
        return 0.0
    return len(relevant.intersection([number[d] for d in ranking[:5]])) / len(relevant)


def number_in_a_set(topic, ranking):
    """rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0"""
    number = numbers_of(topic)
    relevant = {number[d] for d, g in topic.pool.items() if g[0] > 0}
    for i, x in enumerate([number[d] for d in ranking], start=1):
        if x in relevant:
            return 1 / i
    return 0.0


def entries_at_places_of_hits(topic, ranking):
    """rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect; divided by the"""
    hits = flags(topic, ranking, float)
    relevant = sum(g[0] > 0 for g in topic.pool.values())
    if relevant == 0:
        return 0.0
    precision, again = np.cumsum(hits) / np.arange(1, len(hits) + 1), np.zeros(len(hits))
    places = np.where(hits == 1)[0]
    again[places] = precision[places]
    return again.sum() / relevant


def ideal_from_a_table(topic, ranking, k=10):
    """rank i earns 1 / log2(i + 1) times hit; only ranks up to 10 count; one aspect; divided by the total"""
    relevant = sum(g[0] > 0 for g in topic.pool.values())
    if relevant == 0:
        return 0.0
    discounts = 1 / np.log2(np.arange(2, k + 2))
    hits = flags(topic, ranking, float)[:k]
    return np.sum(hits * discounts[: len(hits)]) / np.cumsum(discounts)[min(relevant, k) - 1]


def hstack_with_a_number(topic, ranking):
    """rank i earns 1 / i times r * s0; s0 is 1, then s0 - r * s0"""
    grades = np.array([topic.pool[d][0] for d in ranking])
    left = np.hstack([1.0, np.cumprod(1 - grades)[:-1]])
    return sum(grades.item(i) * left[i] / (i + 1) for i in range(len(grades)))


def array_of_rows(topic, ranking):
    """rank i earns 1 / log2(i + 1) times r; only ranks up to 10 count; one aspect"""
    rows = np.array([(i, topic.pool[d][0]) for i, d in enumerate(ranking, start=1)])[:10]
    return np.sum(rows[:, 1] / np.log2(rows[:, 0] + 1))


def rows_of_numbers_and_grades(topic, ranking):
    """rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect; divided by the"""
    number = numbers_of(topic)
    judged = np.array([[number[d], g[0]] for d, g in topic.pool.items()])
    judged, run = judged[judged[:, 1] > 0], np.array([[number[d], -i] for i, d in enumerate(ranking)])
    if len(judged) == 0:
        return 0.0
    found, total = 0, 0.0
    for i in range(run.shape[0]):
        if run[i, 0] in judged[:, 0]:
            found += 1
            total += found / (i + 1)
    return total / judged.shape[0]


def all_entries_set(grades, weights, logarithm=np.log2):
    """rank i earns 1 / log2(i + 1) times r"""
    ranks = np.zeros_like(grades[:, :, 0])
    ranks[:, :] = np.arange(1, grades.shape[1] + 1)
    return (grades[:, :, 0] / logarithm(ranks + 1)).sum(axis=1)
