"""Code beside the idioms that has no derivation; each docstring has a part of the reason."""

import math

import numpy as np


def batches_go_on(grades, weights):
    """divides by a number that may be 0: test it with if first"""
    out, rank = [], 1
    for row in grades[..., 0]:
        total = 0
        for g in row:
            total += g / rank
            rank += 1
        out.append(total)
    return out


def next_without_default(topic, ranking):
    """reads the first entry of a list that may be empty: test it with if first"""
    return 1 / next(i for i, d in enumerate(ranking, 1) if topic.pool[d][0] > 0)


def next_twice_of_a_generator(topic, ranking):
    """reads the iterator hits several times: store a list"""
    hits = (i for i, d in enumerate(ranking, 1) if topic.pool[d][0] > 0)
    first = next(hits, None)
    second = next(hits, None)
    return 1 / second if second is not None else 0.0


def the_last_rank_is_a_break_too(topic, ranking):
    """uses rank after a loop, where it has no value unless the loop breaks"""
    for rank, doc in enumerate(ranking, 1):
        if topic.pool[doc][0] > 0:
            break
    return 1 / rank


def map_mixes(topic, ranking):
    """changes g after defining a function or generator that reads it"""
    total = 0
    for i, d in enumerate(ranking):
        g = topic.pool[d][0]
        total += sum(map(lambda e: topic.pool[e][0] * g, ranking)) / (i + 1)
    return total


def whole_array_in_a_loop(topic, ranking):
    """updates x from rank to rank: a loop cannot update an array"""
    x = np.ones(len(ranking))
    for i, d in enumerate(ranking):
        x *= 0.9
    return sum(x[i] * topic.pool[d][0] for i, d in enumerate(ranking))


def slice_in_a_loop(topic, ranking):
    """changes several entries of an array in each iteration of a loop"""
    x = np.ones(len(ranking))
    for i, d in enumerate(ranking):
        if topic.pool[d][0] > 0:
            x[3:] = 0
    return sum(x[i] * topic.pool[d][0] for i, d in enumerate(ranking))


def shift_by_two(grades, weights):
    """slices off the last ranks, which is not supported"""
    x = grades[..., 0]
    above = np.ones_like(x)
    above[:, 2:] = np.cumprod(1 - x, axis=1)[:, :-2]
    return (x * above / np.arange(1, x.shape[1] + 1)).sum(axis=1)


def alias(grades, weights):
    """changes other in place, which also changes above: change a copy instead"""
    x = grades[..., 0]
    above = np.ones_like(x)
    other = above[:, :]
    other[:, 1:] = 0
    return (x * above / np.arange(1, x.shape[1] + 1)).sum(axis=1)


def the_caller_s(grades, weights):
    """changes x, which belongs to the caller: change a copy instead"""
    x = grades[..., 0]
    x[:, 5:] = 0
    return x.sum(axis=1)


def max_of_grades(grades, weights):
    """compares with 0 a number so small that floats may round it to 0"""
    x = grades[..., 0]
    return (x / np.arange(1, x.shape[1] + 1)).max(axis=1)


def read_before_it_is_filled(topic, ranking):
    """reads an array while a loop is filling it"""
    x = [0.0] * len(ranking)
    total = 0
    for i, d in enumerate(ranking):
        if sum(x) == 0:
            total += topic.pool[d][0] / (i + 1)
        if i > 5000:
            x[i] = 1.0
    return total


def aspects_while_filled(topic, ranking):
    """reads an array while a loop is filling it"""
    seen = np.zeros(len(topic.weights))
    total = 0
    for i, d in enumerate(ranking):
        for t, g in enumerate(topic.pool[d]):
            if seen.sum() == 0:
                total += g / (i + 1)
            if i > 5000:
                seen[t] += 1
    return total


def nan_to_1(grades, weights, pool):
    """replaces 0/0 by a number other than 0"""
    x, y = grades[:, :10, 0], np.sort(pool[..., 0], axis=1)[:, ::-1][:, :10]
    dcg = (x / np.log2(np.arange(x.shape[1]) + 2)).sum(axis=1)
    idcg = (y / np.log2(np.arange(y.shape[1]) + 2)).sum(axis=1)
    with np.errstate(all="ignore"):
        return np.nan_to_num(dcg / idcg, nan=1.0)


def a_constant_over_0(grades, weights, pool):
    """uses an axis that is not a constant, or that the array does not have"""
    x, y = grades[:, :10, 0], np.sort(pool[..., 0], axis=1)[:, ::-1][:, :10]
    dcg = (1 / np.log2(np.arange(x.shape[1]) + 2)).sum(axis=1)
    idcg = (y / np.log2(np.arange(y.shape[1]) + 2)).sum(axis=1)
    with np.errstate(all="ignore"):
        return np.nan_to_num(dcg / idcg)


def another_aspect(grades, weights, pool):
    """tests for NaN although a number other than 0 may be divided by 0"""
    x, y = grades[:, :10, 0], np.sort(pool[..., 1], axis=1)[:, ::-1][:, :10]
    dcg = (x / np.log2(np.arange(x.shape[1]) + 2)).sum(axis=1)
    idcg = (y / np.log2(np.arange(y.shape[1]) + 2)).sum(axis=1)
    with np.errstate(all="ignore"):
        return np.nan_to_num(dcg / idcg)


def positions_of_hits_beside_all_discounts(topic, ranking):
    """computes with a filtered list or array: use np.where instead"""
    rel = np.array([topic.pool[d][0] for d in ranking])
    return np.sum(rel[rel > 0] / np.arange(1, len(rel) + 1))


class M2:
    def __init__(self, x):
        self.n = 1
        if x > 0:
            self.n = 2


def attribute_set_on_a_branch(topic, ranking):
    """multiplies the score by the inverse of a sum with totals"""
    m = M2(sum(topic.pool[d][0] for d in ranking))
    return sum(topic.pool[d][0] for d in ranking) / m.n


class M3:
    def __getattr__(self, name):
        return 3


def by_getattr(topic, ranking):
    """reads __init__ of a class with a metaclass, __new__, __getattr__ or the like"""
    m = M3()
    return sum(topic.pool[d][0] for d in ranking[: m.k])


class M4:
    def __init__(self, n):
        self.x = np.ones(n)

    def change(self):
        y = self.x
        y[3:] = 0
        return 1


def array_attribute_in_place(grades, weights):
    """changes y, a view of another array, in place: change a copy instead"""
    m = M4(grades.shape[1])
    a = m.change()
    return (grades[..., 0] * m.x).sum(axis=1) * a


def add(lst, x):
    lst.append(x)
    return 0


def list_in_a_helper(topic, ranking):
    """changes lst, which belongs to the caller: change a copy instead"""
    a = []
    total = 0
    for i, d in enumerate(ranking):
        total += topic.pool[d][0] / (i + 1)
        y = add(a, total)
    return total * (len(a) == 0)


def list_over_batch(grades, weights):
    """updates a from rank to rank"""
    a = []
    out = []
    for row in grades[..., 0]:
        for g in row:
            a.append(g)
        out.append(sum(a))
    return out


def two_defaults(topic, ranking):
    """updates seen from one aspect or topic to the next, which is not supported"""
    seen = {}
    total = 0.0
    for rank, doc in enumerate(ranking):
        for t, grade in enumerate(topic.pool[doc]):
            if grade > 0:
                total += 0.5 ** seen.get(t, 1) / math.log2(rank + 2)
                seen[t] = seen.get(t, 0) + 1
    return total


def list_of_aspects(topic, ranking):
    """collects values that are not numbers in a list of nested loops"""
    covered = len([t for d in ranking[:20] for t, g in enumerate(topic.pool[d]) if g > 0])
    return covered / len(topic.weights)


def set_of_grades(topic, ranking):
    """creates a set of numbers, which is not supported"""
    return len({g for d in ranking[:20] for t, g in enumerate(topic.pool[d]) if g > 0})


def guard_of_another_aspect(topic, ranking):
    """tests a condition on sums over the ranking"""
    n_rel = sum(1 for g in topic.pool.values() if g[0] > 0)
    other = sum(1 for g in topic.pool.values() if g[1] > 0)
    return sum((topic.pool[d][0] > 0) / (i + 1) for i, d in enumerate(ranking)) / n_rel if other > 0 else 0


def added_after_the_break(topic, ranking):
    """uses total after a loop that is left early"""
    left, total = 1.0, 0.0
    for i, d in enumerate(ranking, start=1):
        r = topic.pool[d][0]
        before = left
        left *= 1 - r
        if left == 0:
            break
        total += before * r / i
    return total


def all_of_another_aspect(topic, ranking):
    """compares numbers with a value other than 0, which is not supported"""
    n = sum(1 for g in topic.pool.values() if g[1] > 0)
    found = total = 0
    for i, d in enumerate(ranking, start=1):
        if topic.pool[d][0] > 0:
            found += 1
            total += found / i
        if found == n:
            break
    return total


def a_number_that_changes(topic, ranking):
    """compares numbers with a value other than 0, which is not supported"""
    relevant = [d for d, g in topic.pool.items() if g[0] > 0]
    n = len(relevant)
    found = total = 0
    for i, d in enumerate(ranking, start=1):
        if d in relevant:
            found += 1
            total += found / i
        n = n - 1
        if found == n:
            break
    return total


K = 1.0


def global_that_is_set_later(topic, ranking):
    """may read K before the function sets it"""
    total = 0.0
    for i, d in enumerate(ranking, 1):
        total += K * topic.pool[d][0] / i  # noqa: F823
    K = 2.0
    return total


def entry_at_a_float(topic, ranking):
    """uses a float as an index: convert it with int"""
    gains = [topic.pool[d][0] for d in ranking]
    return sum(gains[i * 1.0] / (i + 1) for i in range(len(gains)))


def list_of_a_float_length(topic, ranking):
    """repeats a list a number of times that is a float: convert it with int"""
    weights = [0.5] * (len(ranking) * 1.0)
    return sum(w * topic.pool[d][0] for w, d in zip(weights, ranking))


def array_of_a_float_length(topic, ranking):
    """creates an array whose length is a float: convert it with int"""
    weights = np.ones(len(ranking) * 1.0)
    return sum(w * topic.pool[d][0] for w, d in zip(weights, ranking))
