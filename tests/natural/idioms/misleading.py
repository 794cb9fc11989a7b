"""Code that a careless derivation takes for a plain sum over ranks; each docstring has a part of the reason."""

import functools
import itertools
import logging
import math
import operator
from collections import Counter, defaultdict, namedtuple
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

COMMON = 1_300


def sign_of_a_state(topic, ranking):
    """compares a number that may be negative with 0"""
    total, left = 0.0, 900.0
    for i, d in enumerate(ranking, start=1):
        if left < 0:
            break
        total += topic.pool[d][0] / i
        left -= 1.0
    return total


def far_rank(topic, ranking):
    """uses a cutoff above rank 1,000, which is not supported"""
    return sum(topic.pool[d][0] / i if i <= COMMON else 0 for i, d in enumerate(ranking, start=1))


def far_length(topic, ranking):
    """uses a cutoff above rank 1,000, which is not supported"""
    total = sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1))
    return total if len(ranking) <= COMMON else 0.0


def far_slice(grades, weights):
    """uses a cutoff above rank 1,000, which is not supported"""
    return grades[:, :1_300, 0].sum(axis=1)


def integers_that_add_up(grades, weights):
    """accumulates numpy integers, which may overflow or truncate floats: convert them to float"""
    x, ranks = grades[..., 0], np.arange(1, grades.shape[1] + 1)
    return np.where(np.cumsum(ranks * ranks * 10**6) > 0, x / ranks, 0 * x).sum(axis=1)


def absorbed(topic, ranking):
    """raises a number above 1 to the power of a rank or a count, which overflows"""
    return sum((1.01**i + topic.pool[d][0]) - 1.01**i for i, d in enumerate(ranking))


def constant_of_floats(topic, ranking):
    """constants that floats round"""
    sign = -1 if 0.1 + 0.2 - 0.3 > 0 else 1
    return sign * sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1))


def rounded_constant(topic, ranking):
    """rounds a constant that floats may round differently"""
    return sum(topic.pool[d][0] * (0.5 + 0.3 % 0.1) ** i for i, d in enumerate(ranking))


def is_true(topic, ranking):
    """compares objects with 'is'; only 'is None' is supported"""
    return sum(1 / i for i, d in enumerate(ranking, start=1) if (topic.pool[d][0] > 0) is True)


def one_list(topic, ranking):
    """assigns one object to several variables"""
    gains = others = []
    for d in ranking:
        gains.append(topic.pool[d][0])
    return sum(gains) - sum(others)


def lists_times(topic, ranking):
    """repeats a list of lists"""
    gains, others = [[]] * 2
    for d in ranking:
        gains.append(topic.pool[d][0])
    return sum(gains) - sum(others)


def no_copy(grades, weights):
    """calls astype with copy=False, which is not supported: omit copy"""
    x = grades[..., 0] * 1.0
    y = x.astype(float, copy=False)
    y *= -1
    return x.sum(axis=1)


def end_that_moves(topic, ranking):
    """changes the bound of a while loop in the loop"""
    total, skip, i = 0.0, 0, 0
    while i < len(ranking) - skip:
        total += topic.pool[ranking[i]][0]
        skip += 1
        i += 1
    return total


def truth_values(grades, weights):
    """adds or subtracts booleans, which numpy does not treat as numbers: convert them to float"""
    total = 0
    for i in range(grades.shape[1]):
        hit = np.greater(grades[:, i, 0], 0)
        total = total + (hit + hit) / (i + 1)
    return total


def power_below_one(topic, ranking):
    """compares numbers with a value other than 0, which is not supported"""
    return sum(topic.pool[d][0] if (i + 1) ** -1 >= 1 else 0.5 * topic.pool[d][0] for i, d in enumerate(ranking))


def integers_of_floats(grades, weights):
    """converts floats to int, which is not supported"""
    return np.cumsum(grades[..., 0], axis=1, dtype=int)[:, -1]


def guarded_by_logarithms(grades, weights, pool):
    """tests a condition on sums over the ranking"""
    best = np.sort(pool[..., 0], axis=1)[:, ::-1]
    spread = (best * np.log(np.arange(1, best.shape[1] + 1))).sum(axis=1)
    return np.where(spread > 0, grades[..., 0].sum(axis=1), 0)


def logarithm_of_less_than_the_rank(topic, ranking):
    """takes a logarithm of a value that is neither a rank nor a constant"""
    return sum(topic.pool[d][0] / (1 + np.log(2 * i - 1)) for i, d in enumerate(ranking, start=1))


def generator_that_reads_a_number_that_falls(topic, ranking):
    """changes left during a loop over a generator that reads it"""
    left = total = 1.0
    for x in (left * topic.pool[d][0] for d in ranking):
        total += x
        left *= 0.5
    return total - 1.0


def generator_before_a_change(topic, ranking):
    """changes scale after defining a function or generator that reads it"""
    scale = 1.0
    terms = (scale * topic.pool[d][0] / i for i, d in enumerate(ranking, 1))
    scale = -1.0
    return sum(terms)


def generator_in_a_loop(topic, ranking):
    """reads the iterator terms several times: store a list"""
    total, terms = 0.0, [0.0]
    terms = (topic.pool[d][0] for d in ranking)
    for i, d in enumerate(ranking, 1):
        total += sum(terms) / i
    return total


def list_of_generators(topic, ranking):
    """stores an iterator, which can be read only once: store a list"""
    both = [(topic.pool[d][0] for d in ranking), (1.0 for d in ranking)]
    return sum(both[0]) + sum(both[0])


def twice(values):
    return sum(values) + sum(values)


def generator_for_a_helper(topic, ranking):
    """reads the iterator values several times: store a list"""
    return twice(topic.pool[d][0] / i for i, d in enumerate(ranking, 1))


def other_grades_of_sorted_documents(topic, ranking):
    """the grades of other aspects in the order of the first"""
    best = sorted(topic.pool.items(), key=lambda item: -item[1][0])
    ideal = sum(g[1] / i for i, (_, g) in enumerate(best, 1))
    return sum(topic.pool[d][1] / i for i, d in enumerate(ranking, 1)) / ideal if ideal > 0 else 0.0


def sorted_by_the_second_aspect(topic, ranking):
    """sorts documents by the grade of an aspect other than the first"""
    best = sorted(topic.pool, key=lambda d: -topic.pool[d][1])
    ideal = sum(topic.pool[d][0] / i for i, d in enumerate(best, 1))
    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, 1)) / ideal if ideal > 0 else 0.0


def places_before_sorting(topic, ranking):
    """sorts values other than the judged documents and their grades"""
    judged = [g[0] for g in topic.pool.values()]
    best = sorted(enumerate(judged, 1), key=lambda pair: -pair[1])
    ideal = sum(g / place for place, g in best)
    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, 1)) / ideal if ideal > 0 else 0.0


def ranking_that_is_sorted(topic, ranking):
    """sorts documents by a key other than the grade, or documents other than the judged ones"""
    return sum(topic.pool[d][0] / i for i, d in enumerate(sorted(ranking, key=lambda d: -topic.pool[d][0]), 1))


def set_of_sorted_documents(topic, ranking):
    """a set of documents, which has no order"""
    ordered = sorted(topic.pool, key=lambda d: -topic.pool[d][0])
    best = set(ordered)
    ideal = sum(topic.pool[d][0] / i for i, d in enumerate(best, 1))
    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, 1)) / ideal if ideal > 0 else 0.0


def order_of_another_array(grades, weights, pool):
    """indexes by an argsort of another array"""
    order = np.argsort(-pool[..., 1], axis=1)
    best = np.take_along_axis(pool[..., 0], order, axis=1)
    ideal = (best / np.arange(1, best.shape[1] + 1)).sum(axis=1)
    found = (grades[..., 0] / np.arange(1, grades.shape[1] + 1)).sum(axis=1)
    return np.divide(found, ideal, out=np.zeros_like(ideal), where=ideal > 0)


def order_as_a_number(grades, weights, pool):
    """combines documents of two sequences in one loop"""
    places = np.argsort(-pool[..., 0], axis=1)
    ideal = (places * np.sort(pool[..., 0], axis=1)[:, ::-1]).sum(axis=1)
    return np.where(ideal > 0, grades[..., 0].sum(axis=1) / np.where(ideal > 0, ideal, 1), 0)


def largest_with_another_default(topic, ranking):
    """takes the maximum of a filtered array"""
    return max(((topic.pool[d][0] > 0) / i for i, d in enumerate(ranking, 1) if topic.pool[d][1] > 0), default=0.7)


def rank_above_that_is_missing(topic, ranking):
    """tests whether a list of unknown length is empty"""
    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, 1) if ranking[: i - 1])


def padded_with_ones(topic, ranking):
    """pads a list with a value other than that of a document of grade 0"""
    gains = [topic.pool[d][0] for d in ranking[:5]] + [1.0] * (5 - min(5, len(ranking)))
    return sum(g / i for i, g in enumerate(gains, 1))


def padding_that_is_waited_for(topic, ranking):
    """counts padded ranks, which have no document"""
    gains = [topic.pool[d][0] for d in ranking[:5]] + [0.0] * (5 - min(5, len(ranking)))
    left = 1.0
    for _ in gains:
        left *= 0.9
    return left * sum(gains)


def padding_that_ends_the_loop(topic, ranking):
    """adds a nonzero value at padded ranks, which have no document"""
    total, gains = 0.0, [topic.pool[d][0] for d in ranking[:5]] + [0.0] * (5 - min(5, len(ranking)))
    for i, g in enumerate(gains, 1):
        if g == 0:
            break
        total += 1 / i
    return total


def first_miss_in_padding(topic, ranking):
    """adds a nonzero value at padded ranks, which have no document"""
    hits = [topic.pool[d][0] > 0 for d in ranking[:5]] + [False] * (5 - min(5, len(ranking)))
    misses = [i for i, hit in enumerate(hits, 1) if not hit]
    return 1 / misses[0] if misses else 0.0


def padded_beyond_its_cut(topic, ranking):
    """pads a list to a length other than the one it was truncated to"""
    gains = [topic.pool[d][0] for d in ranking[:3]] + [0.0] * (5 - min(5, len(ranking)))
    return sum(g / i for i, g in enumerate(gains, 1))


def padded_list_with_two_names(topic, ranking):
    """changes gains in place, which also changes others: change a copy instead"""
    gains = [topic.pool[d][0] for d in ranking[:5]]
    others = gains
    gains += [0.0] * (5 - len(gains))
    return sum(others) / len(others)


def filled_ones(topic, ranking):
    """loops over part of the ranks; only loops over all ranks or the first k ranks are supported"""
    gains = np.ones(5)
    for i, d in enumerate(ranking[:5]):
        gains[i] = topic.pool[d][0]
    return float(gains.sum())


def filled_until_the_first(topic, ranking):
    """loops over part of the ranks; only loops over all ranks or the first k ranks are supported"""
    hits = np.zeros(5)
    for i, d in enumerate(ranking[:5]):
        if topic.pool[d][0] > 0:
            hits[i] = 1.0
            break
    return float((hits / np.arange(1, 6)).sum())


def ones_up_to_a_rank(topic, ranking):
    """applies a cutoff to only some of its gains"""
    keep = np.ones(len(ranking))
    for i in range(min(3, len(ranking))):
        keep[i] = 0.5
    return sum(keep[i] * topic.pool[d][0] for i, d in enumerate(ranking))


CHANGED = [1 / math.log2(i + 2) for i in range(10)]
CHANGED[3] = 0.7
TYPED = [1.0, 0.9, 0.3]


def table_that_was_changed(topic, ranking):
    """uses CHANGED, which is changed after its assignment"""
    return sum(topic.pool[d][0] * w for d, w in zip(ranking, CHANGED))


def table_without_an_expression(topic, ranking):
    """loops over a list or tuple"""
    return sum(topic.pool[d][0] * w for d, w in zip(ranking, TYPED))


TABLE = [1 / i for i in range(1, 11)]


def table_beside_documents_of_no_order(topic, ranking):
    """combines lists of different lengths"""
    ideal = sum(g[0] * w for g, w in zip(topic.pool.values(), TABLE))
    return sum(topic.pool[d][0] * w for d, w in zip(ranking, TABLE)) / ideal if ideal > 0 else 0.0


def accumulated_truth_values(topic, ranking):
    """accumulates booleans or small integers, whose sum has their type: convert them to float"""
    hits = np.array([topic.pool[d][0] for d in ranking]) > 0
    return sum(c / i for i, c in enumerate(itertools.accumulate(hits), 1))


def accumulated_differences(topic, ranking):
    """calls accumulate without an initial value for a function other than + and *"""
    grades = [topic.pool[d][0] for d in ranking]
    return sum(x / i for i, x in enumerate(itertools.accumulate(grades, lambda a, b: a / 2 + b), 1))


def numpy_divides_by_0(topic, ranking):
    """catches ZeroDivisionError, which numpy does not raise: test the divisor with if"""
    n = np.sum(np.array([g[0] for g in topic.pool.values()]) > 0)
    try:
        return sum(1 for d in ranking if topic.pool[d][0] > 0) / n
    except ZeroDivisionError:
        return 0.0


def division_that_may_not_be_reached(topic, ranking):
    """catches exceptions in an unsupported way: test the divisor or the key with if"""
    n = sum(1 for g in topic.pool.values() if g[0] > 0)
    try:
        return sum(1 / n for d in ranking if topic.pool[d][0] > 0)
    except ZeroDivisionError:
        return 0.0


def closure_beside_a_comprehension(topic, ranking):
    """changes seen after defining a function"""
    total, seen = 0.0, 0

    def unseen():
        return (1 if seen == 0 else 0) + sum([2 * seen for seen in (0, 0)])

    for i, d in enumerate(ranking):
        total += topic.pool[d][0] * unseen() / (i + 1)
        if topic.pool[d][0] > 0:
            seen = 1
    return total


def import_of_the_rank_above(topic, ranking):
    """updates f from rank to rank: a loop cannot update a function, a class or an object"""
    total, f = 0.0, np.log2
    for i, d in enumerate(ranking):
        total += topic.pool[d][0] * f(4) / (i + 1)
        from math import log as f
    return total


class Called:
    def __init__(self):
        self.__call__ = lambda: 1.0

    def __call__(self):
        return -1.0


def call_of_an_object(topic, ranking):
    """sets __call__ of an object, which Python looks up on the class instead"""
    called = Called()
    return sum(topic.pool[d][0] * called() for d in ranking)


class Whole(int):
    def __mul__(self, other):
        return -other


WHOLE = Whole(1)


def integer_of_its_own_kind(topic, ranking):
    """calls Whole, which is not supported"""
    return sum(WHOLE * topic.pool[d][0] for d in ranking)


@functools.cache
def size(x):
    return len(str(x))


def cache_of_equal_numbers(topic, ranking):
    """calls a cached function with a number that may equal a number of another type"""
    first = size(1)
    return sum(topic.pool[d][0] * size(True) * first for d in ranking)


def set_of_constants(topic, ranking):
    """creates a set of constants, which drops duplicates: use a list"""
    return sum(topic.pool[d][0] for d in ranking) * len({x - x for x in (1, 2)})


def constants_in_several_loops(topic, ranking):
    """creates a list in nested loops over constants, or one that is too long"""
    total = sum(topic.pool[d][0] for d in ranking)
    return total * len([topic.pool[d][0] for _ in (1, 2) for d in ranking])


def unknown_among_constants(topic, ranking):
    """uses 'in' with a tuple or list of computed numbers"""
    return sum(topic.pool[d][0] for d in ranking if 1 in (topic.pool[d][0], 5))


def set_of_judged_documents(topic, ranking):
    """returns the same score"""
    relevant = set()
    for d in topic.pool:
        if topic.pool[d][0] > 0:
            relevant.add(d)
    return sum(topic.pool[d][0] for d in ranking if d not in relevant)


def place_in_the_pool(topic, ranking):
    """looks up the rank of a document, or a value computed from the rank, in another order"""
    order = {d: i for i, d in enumerate(topic.pool, start=1)}
    return sum(topic.pool[d][0] / order[d] for d in ranking)


def break_at_a_rank_left_out(topic, ranking):
    """uses the rank in a gain or a running total, which is not supported"""
    total = 0.0
    for i, d in [(i, d) for i, d in enumerate(ranking) if topic.pool[d][0] > 0]:
        total += 0.5**i * topic.pool[d][0]
        if i == 59:
            break
    return total


def slice_of_a_slice(topic, ranking):
    """slices a truncated list at the current rank: truncate the loop as well"""
    top, total = ranking[:60], 0.0
    for i, d in enumerate(ranking):
        total += topic.pool[d][0] * 0.5 ** (i + sum(1 for e in top[:i] if topic.pool[e][0] > 0))
    return total


def rank_of_a_judged_document(topic, ranking):
    """that may be missing"""
    place = {d: i for i, d in enumerate(ranking)}
    some = sum(1 for d, g in topic.pool.items() if g[0] > 0 and place.get(d, 99) < 50)
    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1)) if some > 0 else 0.0


def slice_of_several_loops(topic, ranking):
    """reads a part of a list from nested loops; only the whole list is supported"""
    return sum([g / i for i, d in enumerate(ranking, start=1) for g in topic.pool[d]][:200])


def list_kept_from_aspect_to_aspect(topic, ranking):
    """uses the carried in a gain or a running total, which is not supported"""
    kept, total = [0.0] * len(ranking), 0.0
    for t, w in enumerate(topic.weights):
        for i, d in enumerate(ranking):
            kept[i] = kept[i] + topic.pool[d][t]
        total += w * sum(kept[i] / (i + 1) for i in range(len(ranking)))
    return total


def grade_of_another_aspect(topic, ranking):
    """combines the aspects of two nested loops"""
    total = 0.0
    for i, d in enumerate(ranking, start=1):
        for g in topic.pool[d]:
            total += sum(w * g for w in topic.weights) / i
    return total


def list_on_a_condition_at_a_rank(topic, ranking):
    """chooses between whole arrays based on the current entry of a loop"""
    gains, total = [topic.pool[d][0] for d in ranking], 0.0
    halves = [g * 0.5 for g in gains]
    for d in ranking:
        total += sum(gains if topic.pool[d][0] > 0 else halves)
    return total


def quotient_into_a_buffer(grades, weights):
    """passes as out= an array that a variable may refer to"""
    x, out = grades[..., 0], np.zeros_like(grades[..., 0])
    found = np.divide(x, np.arange(1, x.shape[1] + 1) * np.ones_like(x), out=out, where=x > 0)
    return (found - out).sum(axis=1)


def bits_of_integers(grades, weights):
    """applies ~ to numbers; only booleans are supported"""
    return np.invert((grades[..., 0] > 0).astype(int)).sum(axis=1) / 1.0


def entries_of_two_lists(topic, ranking):
    """calls np.minimum or np.maximum on lists of constants, which is not supported"""
    return np.minimum([1, 2], [0, 5])[1] * sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1))


def half_of_integers(topic, ranking):
    """converts floats to int, which is not supported"""
    halves = np.full_like(np.arange(len(ranking)), 0.5)
    return sum(topic.pool[d][0] * halves[i] for i, d in enumerate(ranking))


def inverse_ranks_as_integers(grades, weights):
    """converts floats to int, which is not supported"""
    return (grades[..., 0] * (1 / np.arange(1, grades.shape[1] + 1)).astype(int)).sum(axis=1)


def gain_of_no_document(topic, ranking):
    """adds a value that does not depend on the document at the rank"""
    total, left = 0.0, 1.0
    for i, d in enumerate(ranking, start=1):
        total += left / i
        left *= 1 - topic.pool[d][0]
    return total


def absorbed_by_a_state(topic, ranking):
    """updates a number that grows from rank to rank until floats lose precision"""
    total, spare, w = 0.0, 0.0, 1.0
    for d in ranking:
        w *= 1.005
        total += w + topic.pool[d][0]
        spare += w
    return total - spare


def states_that_add_up_each_other(topic, ranking):
    """updates a number that grows from rank to rank until floats lose precision"""
    total, spare, a, b = 0.0, 0.0, 1.0, 1.0
    for d in ranking:
        a, b = b, a + b
        total += a + topic.pool[d][0]
        spare += a
    return total - spare


def integers_that_overflow_in_sums_of_sums(topic, ranking):
    """updates a number that grows from rank to rank until floats lose precision"""
    one = two = three = 0
    total = spare = 0.0
    for i, d in zip(np.arange(1, len(ranking) + 1), ranking):
        one += i
        two += one
        three += two
        total += topic.pool[d][0] + three / 2
        spare += three / 2
    return total - spare


def rank_below_a_product(topic, ranking):
    """compares ranks or lengths with a constant that floats cannot represent exactly"""
    most = (0.1 + 0.7) * 10
    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1) if i < most)


def total_times_its_inverse(grades, weights, pool):
    """multiplies and divides by the same total, which may be 0"""
    some = ((pool[..., 0] > 0) * (np.arange(pool.shape[1]) < 60)).sum(axis=1)
    return np.nan_to_num(grades[..., 0].sum(axis=1) * some / some)


def rounded_constant_among_others(topic, ranking):
    """compares constants that floats cannot represent exactly"""
    return (1 if 8 in ((0.1 + 0.7) * 10, 5) else 2) * sum(topic.pool[d][0] for d in ranking)


def order_of_rounded_constants(topic, ranking):
    """compares constants that floats cannot represent exactly"""
    return max((0.1 + 0.2, 1), (0.3, 2))[1] * sum(topic.pool[d][0] for d in ranking)


ABSORBED = 1e16 + 1.0 - 1e16


def global_constant_that_absorbs(topic, ranking):
    """it uses ABSORBED, whose value has changed since its file was loaded"""
    return ABSORBED * sum(topic.pool[d][0] for d in ranking)


def numbers_that_cancel(topic, ranking):
    """subtracts numbers that are equal except for rounding"""
    grades = [topic.pool[d][0] for d in ranking]
    return sum(g / i for i, g in enumerate(grades, start=1) if 1 - (1 - g) == g)


def indicator_that_floats_round(topic, ranking):
    """compares with a constant that floats cannot represent exactly"""
    hits = [1.0 if topic.pool[d][0] > 0 else 0.0 for d in ranking]
    return sum(1 / i for i, hit in enumerate(hits, start=1) if hit * 0.3 * 3 / 0.9 == 1)


def large_integer_of_numpy(topic, ranking):
    """computes with integers so large that numpy overflows: use floats"""
    return (1 if np.array([10**9])[0] * 10**9 * 10 > 0 else 2) * sum(topic.pool[d][0] for d in ranking)


def order_of_relevance_alone(topic, ranking):
    """sorts by whether the grade is positive, which is not supported"""
    best = sum(sorted((g[0] for g in topic.pool.values()), key=lambda g: g > 0, reverse=True)[:3])
    return sum(topic.pool[d][0] for d in ranking[:3]) / best if best > 0 else 0.0


def product_of_truth_values(topic, ranking):
    """multiplies arrays of booleans or small integers with @ or dot: convert them to float"""
    hits = np.array([topic.pool[d][0] > 0 for d in ranking])
    return float(hits @ hits)


def counts_that_floats_round_after_exact_ones(topic, ranking):
    """compares numbers with a value other than 0, which is not supported"""
    some = sum(1.0 if topic.pool[d][0] > 0 else 0.0 for d in ranking) >= 1
    total = sum((1.0 if topic.pool[d][0] > 0 else 0.0) * 0.3 * 3 / 0.9 for d in ranking)
    return 1.0 if some and total >= 1 else 0.0


def nearly_the_smaller(topic, ranking):
    """loops over part of the ranks; only loops over all ranks or the first k ranks are supported"""
    n = len(ranking) if len(ranking) <= 5 else 3
    return sum(topic.pool[ranking[i]][0] / (i + 1) for i in range(n))


def total_of_unset(grades, weights):
    """reads an array that may have unset entries: use np.zeros"""
    return grades[..., 0].sum(axis=1) + 0 * np.empty(grades.shape[:2]).sum(axis=1)


def carried_from_unset(grades, weights):
    """reads an array that may have unset entries: use np.zeros"""
    total = np.empty(len(grades))
    for i in range(grades.shape[1]):
        total += grades[:, i, 0]
    return total


def axes_that_change_places(grades, weights):
    """changes the shape of an array; only axes of length 1 may be added or removed"""
    rows = grades[..., 0].reshape(grades.shape[1], grades.shape[0])
    return (rows / np.arange(1, grades.shape[1] + 1)[:, None]).sum(axis=0)


def squeezed_if_there_is_one(grades, weights):
    """calls squeeze without an axis, or with an axis that the array does not have"""
    return grades.squeeze().sum(axis=-1)


def all_pairs_of_topics(grades, weights):
    """creates a matrix of pairs of ranks, aspects or topics, which is not supported"""
    return (grades[..., 0] @ grades)[..., 0].sum(axis=0)


def product_of_stacks(grades, weights):
    """multiplies each matrix in a stack by every other matrix"""
    return np.dot(grades, weights[:, :, None])[..., 0].sum(axis=1)


def two_keys_in_one_step(topic, ranking):
    """sets several entries of a dictionary in one iteration of a loop"""
    found = {}
    for d in ranking:
        found["last"] = 0.0
        found[d] = topic.pool[d][0]
    return sum(found.values()) / len(found)


def dictionary_that_is_filled_twice(topic, ranking):
    """updates found from rank to rank: a loop cannot update a dictionary of documents"""
    found = {}
    for d in topic.pool:
        found[d] = topic.pool[d][0]
    for d in ranking[:3]:
        found[d] = 0.0
    return sum(found[d] / i for i, d in enumerate(ranking, 1))


def sum_of_keys(topic, ranking):
    """uses a whole dictionary of aspects; only its entries are supported"""
    each = {t: 1.0 for t, _ in enumerate(topic.weights)}
    return sum(each) * sum(topic.pool[d][0] for d in ranking)


def counter_that_is_looped_over(topic, ranking):
    """uses a whole dictionary of aspects; only its entries are supported"""
    seen = Counter()
    for d in ranking:
        for t, g in enumerate(topic.pool[d]):
            if g > 0:
                seen[t] += 1
    return sum(1 for t in seen) / len(topic.weights)


def one_entry_by_its_number(topic, ranking):
    """looks up a key that is not an aspect in a dictionary of aspects"""
    each = {t: 2 * g for t, g in enumerate(topic.weights)}
    return each[0] * sum(topic.pool[d][0] for d in ranking)


def dictionary_without_defaults(topic, ranking):
    """passes an unsupported number of arguments"""
    seen, total = defaultdict(), 0.0
    for i, d in enumerate(ranking):
        for t, g in enumerate(topic.pool[d]):
            total += g * 0.5 ** seen[t] / (i + 1)
            seen[t] += 1
    return total


def places_in_a_set(topic, ranking):
    """enumerates a filtered list of aspects, which is not supported"""
    total = 0.0
    for i, d in enumerate(ranking, 1):
        for place, t in enumerate([t for t, g in enumerate(topic.pool[d]) if g > 0]):
            total += topic.pool[d][t] * place / i
    return total


def first_of_a_set(topic, ranking):
    """leaves a loop over aspects or topics early, which is not supported"""
    total = 0.0
    for i, d in enumerate(ranking, 1):
        for t in {t for t, g in enumerate(topic.pool[d]) if g > 0}:
            total += topic.pool[d][t] / i
            break
    return total


def changed_by_a_helper(seen, grades):
    for t, g in enumerate(grades):
        seen[t] += g > 0


def counts_that_a_helper_changes(topic, ranking):
    """calls a function only for its side effect, which is not supported"""
    seen, total = [0] * len(topic.weights), 0.0
    for i, d in enumerate(ranking, 1):
        changed_by_a_helper(seen, topic.pool[d])
        for t, g in enumerate(topic.pool[d]):
            total += g * 0.5 ** seen[t] / i
    return total


def sums_without_weights(topic, ranking):
    """sorts documents by a key other than the grade, or documents other than the judged ones"""
    best = sorted((sum(g) for g in topic.pool.values()), reverse=True)
    ideal = sum(g / i for i, g in enumerate(best, 1))
    return sum(sum(topic.pool[d]) / i for i, d in enumerate(ranking, 1)) / ideal if ideal > 0 else 0.0


def first_grades_in_the_order_of_sums(topic, ranking):
    """divides by the total of an ideal ranking that is sorted by values other than those it sums"""
    gain = {d: sum(w * g for w, g in zip(topic.weights, grades)) for d, grades in topic.pool.items()}
    best = sorted(topic.pool, key=gain.get, reverse=True)
    ideal = sum(topic.pool[d][0] / i for i, d in enumerate(best, 1))
    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, 1)) / ideal if ideal > 0 else 0.0


def sums_in_the_order_of_first_grades(topic, ranking):
    """the grades of other aspects in the order of the first"""
    gain = lambda d: sum(w * g for w, g in zip(topic.weights, topic.pool[d]))
    best = sorted(topic.pool, key=lambda d: topic.pool[d][0], reverse=True)
    ideal = sum(gain(d) / i for i, d in enumerate(best, 1))
    return sum(gain(d) / i for i, d in enumerate(ranking, 1)) / ideal if ideal > 0 else 0.0


def list_sorted_after_it_was_read(topic, ranking):
    """changes judged in place, which also changes rows: change a copy instead"""
    judged = [g[0] for g in topic.pool.values()]
    rows = [judged]
    judged.sort(reverse=True)
    ideal = sum(g / i for i, g in enumerate(rows[0], 1))
    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, 1)) / ideal if ideal > 0 else 0.0


def look_up(topic, d):
    return topic.pool[d][0]


def exception_of_a_helper(topic, ranking):
    """catches exceptions in an unsupported way: test the divisor or the key with if"""
    total = 0.0
    for i, d in enumerate(ranking, 1):
        try:
            total += topic.pool[d][0] * look_up(topic, i)
        except KeyError:
            total += 1 / i
    return total


def exception_after_a_change(topic, ranking):
    """catches exceptions in an unsupported way: test the divisor or the key with if"""
    total, found = 0.0, {d: topic.pool[d][0] for d in ranking[:3]}
    for i, d in enumerate(ranking, 1):
        try:
            total += topic.pool[d][0] / i
            total -= found[d]
        except KeyError:
            total += 0.0
    return total


def left_while_it_may_turn(topic, ranking):
    """compares a number that may be negative with 0"""
    total, left = 0.0, 1.0
    for i, d in enumerate(ranking, 1):
        total += left * topic.pool[d][0] / i
        left *= 1 - 2 * topic.pool[d][0]
        if left <= 0:
            break
    return total


def left_while_it_turns_between(topic, ranking):
    """compares with 0 a number so small that floats may round it to 0"""
    total, left = 0.0, 1.0
    for i, d in enumerate(ranking, 1):
        g = topic.pool[d][0]
        total += left * g / i
        left *= 1 - 3 * g + 2 * g * g
        if left <= 0:
            break
    return total


def smallest_of_all_numbers(topic, ranking):
    """takes the minimum of an array of numbers other than ranks"""
    return 1.0 / min([i + topic.pool[d][0] for i, d in enumerate(ranking, 1)])


def filled_up_to_another_length(topic, ranking):
    """combines arrays of different lengths or in different orders"""
    gains = [topic.pool[d][0] for d in ranking]
    if len(gains) < 4:
        gains = gains + [0.0] * (5 - len(gains))
    return sum(g / i for i, g in enumerate(gains, 1)) / len(gains)


def mean_by_discounts(grades, weights):
    """multiplies the score by a total over the judged documents or the ranking, which is not supported"""
    return np.average(grades[..., 0], axis=1, weights=1 / np.arange(1, grades.shape[1] + 1))


def best_of_each_aspect(grades, weights, pool):
    """divides by a total in which documents of grade 0 count"""
    best = (np.sort(pool, axis=1)[:, ::-1] * weights[:, None]).sum(axis=2)
    ideal = (best / np.arange(1, best.shape[1] + 1)).sum(axis=1)
    found = (np.einsum("bnm,bm->bn", grades, weights) / np.arange(1, grades.shape[1] + 1)).sum(axis=1)
    return np.divide(found, ideal, out=np.zeros_like(found), where=ideal > 0)


def entry_of_a_list_that_may_lack_ranks(topic, ranking):
    """reads an entry of a list or dictionary that a loop is filling, which is not supported"""
    gains, total = [], 0.0
    for i, d in enumerate(ranking):
        if topic.pool[d][0] > 0:
            gains.append(topic.pool[d][0])
            total += gains[i] / (i + 1)
    return total


def lookup_under_another_condition(topic, ranking):
    """looks up a key that may be missing from the dictionary"""
    relevant = {d: g[0] for d, g in topic.pool.items() if g[0] > 0}
    total = 0.0
    for i, d in enumerate(ranking, 1):
        if i > 1 or d in relevant:
            total += relevant[d] / i
    return total


def last_of_counts_that_skip(topic, ranking):
    """reads an entry of a filtered list, which is not supported"""
    found, sums = 0.0, []
    for d in ranking:
        found += topic.pool[d][0]
        if topic.pool[d][0] == 0:
            sums.append(found)
    return sums[-1]


def ranks_from_the_second_but_one_before(topic, ranking):
    """reads a document other than the current one of the loop"""
    return sum(topic.pool[ranking[i - 1]][0] / i for i in range(1, len(ranking)))


def aspects_that_multiply(topic, ranking):
    """updates n from one aspect or topic to the next; only sums can be updated in this way"""
    n = 1
    for t in range(len(topic.weights)):
        for d in ranking[:5]:
            if topic.pool[d][t] > 0:
                n = n * 2
                break
    return n - 1


def pairs_of_rows(grades, weights):
    """changes x in place, which also changes rows: change a copy instead"""
    x = grades[..., 0] * 1.0
    rows = list(enumerate(x))
    x *= -1
    return np.array([row.sum() for _, row in rows])


class RowScorer:
    def __init__(self, x):
        self.x = x

    def total(self):
        return self.x.sum(axis=1)


def method_of_an_array(grades, weights):
    """changes x in place, which also changes total: change a copy instead"""
    x = grades[..., 0] * 1.0
    total = RowScorer(x).total
    x *= -1
    return total()


def the_same(values):
    return values


def set_from_a_helper(topic, ranking):
    """changes other, which may refer to another object: change a copy instead"""
    late = set()
    other = the_same(late)
    for d in ranking[:5]:
        other.add(d)
    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, 1)) - 5 * len(late)


def row_of_a_dictionary(topic, ranking):
    """changes row in place, which also changes rel: change a copy instead"""
    rel = {d: np.array(gs) for d, gs in topic.pool.items()}
    for d in ranking:
        row = rel[d]
        row *= -1.0
    return sum(rel[d].sum() / i for i, d in enumerate(ranking, 1))


def documents_of_all_aspects(topic, ranking):
    """adds documents to a set again for each aspect or topic"""
    total, seen = 0.0, set()
    for t, w in enumerate(topic.weights):
        for i, d in enumerate(ranking, 1):
            if topic.pool[d][t] > 0 and d not in seen:
                seen.add(d)
                total += w / i
    return total


def left_after_the_first_aspect(topic, ranking):
    """reads one aspect and also sums over all aspects"""
    total = 0.0
    for i, d in enumerate(ranking, 1):
        total += sum(topic.pool[d]) / i
        if topic.pool[d][0] > 0:
            break
    return total


def divided_by_the_first_aspect(topic, ranking):
    """divides by a sum over the judged documents other than the number of relevant documents"""
    n = sum(1 for g in topic.pool.values() if g[0] > 0)
    found = sum(sum(w * g for w, g in zip(topic.weights, topic.pool[d])) / i for i, d in enumerate(ranking, 1))
    return found / n if n > 0 else 0.0


def integer_that_becomes_a_float(topic, ranking):
    """as an int that starts as one and gets floats in a loop: start at 0.0"""
    total, found = 0.0, 0
    for i, d in enumerate(ranking, 1):
        g = topic.pool[d][0]
        if found >= 1:
            total += g / i
        found += 10**9 * g
    return total


def set_from_a_function_of_two_names(topic, ranking):
    """changes other, which may refer to another object: change a copy instead"""
    late, same = set(), the_same
    other = same(late)
    for d in ranking[:5]:
        other.add(d)
    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, 1)) - 5 * len(late)


def reader_of(values):
    return lambda: (values / np.arange(1, len(values) + 1)).sum()


def array_that_a_function_reads(topic, ranking):
    """changes x in place, which also changes read: change a copy instead"""
    x = np.array([topic.pool[d][0] for d in ranking]) * 1.0
    read = reader_of(x)
    x *= -1.0
    return read()


def as_many_as_are_ranked(topic, ranking):
    """calls min on unsupported numbers; one must be a number of documents, and the other a constant"""
    relevant = {d for d, g in topic.pool.items() if g[0] > 0}
    return len(set(ranking[:10]) & relevant) / min(len(relevant), len(ranking)) if relevant else 0.0


def less_than_the_topic(topic, ranking):
    """divides by a sum of different terms, which is not supported"""
    known = sum(g[0] for g in topic.pool.values())
    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1)) / (known - 2) if known > 0 else 0


def other_padding(topic, ranking, k=5):
    """repeats a list a number of times that is not a constant or a length"""
    best = min(len({d for d, g in topic.pool.items() if g[0] > 0}), k)
    ideal = [1] * best + [0.5] * (k - best)
    idcg = sum(g / math.log2(i + 2) for i, g in enumerate(ideal))
    return sum((topic.pool[d][0] > 0) / math.log2(i + 2) for i, d in enumerate(ranking[:k])) / idcg


def infinity_that_is_compared(topic, ranking):
    """uses infinity other than as a divisor"""
    some = sum(1 for g in topic.pool.values() if g[0] > 0)
    most = math.inf if some > 0 else 1.0
    total = sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1))
    return -total if most > 7 else total


def the_other_grades(topic, ranking):
    """uses the grades of all aspects except the first"""
    total = 0.0
    for i, d in enumerate(ranking, start=1):
        first, *others = topic.pool[d]
        total += (first - sum(others)) / i
    return total


def zeros_without_axes(topic, ranking):
    """creates a 0-d array, which is not supported: use a float"""
    state = {"seen": np.zeros(())}
    seen, total = state["seen"], 0.0
    for i, d in enumerate(ranking, start=1):
        if state["seen"] >= 1_400:
            break
        total += topic.pool[d][0] / i
        seen += 1
    return total


def chosen_number(topic, ranking):
    """calls np.where on numbers, which returns a 0-d array: use if and else"""
    level = np.where(len(ranking) > 0, 0.0, 1.0)
    start = level
    for d in ranking:
        level += 1.0
    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1)) * (1.0 if start < 1_300 else 0.5)


def entry_with_an_ellipsis(topic, ranking):
    """reads one entry as a 0-d array, which is not supported"""
    x = np.array([topic.pool[d][0] for d in ranking])
    first = x[0, ...]
    x[0] = 0.0
    return float(first)


def view_of_a_helper(topic, ranking):
    """changes placed, which another variable may refer to: change a copy instead"""

    def view(names):
        return names.items()

    placed = {}
    seen = view(placed)
    for i, d in enumerate(ranking, start=1):
        placed[d] = i
    total = sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1))
    return total if len(seen) < 2_000 else 0.0


def integers_of_eight_bits(grades, weights, pool):
    """raises booleans to powers, which numpy computes in 8 bits: convert them to float"""
    hits = (pool[..., 0] > 0) ** 2
    n = np.einsum("bp,bp->b", hits, hits)
    found = (grades[..., 0] / np.arange(1, grades.shape[1] + 1)).sum(axis=1)
    return np.where(n != 0, found, 0)


def divisor_that_vanishes(topic, ranking):
    """divides by a power of the rank so small that floats round it to 0"""
    total = 0.0
    for i, d in enumerate(ranking):
        cost = 1 / 0.6**i
        total += topic.pool[d][0] / cost
    return total


def table_that_ends(topic, ranking):
    """uses a cutoff above rank 1,000, which is not supported"""
    keep = np.cumprod(np.full(3_000, 0.9))
    return sum(topic.pool[d][0] * keep[i] for i, d in enumerate(ranking))


def else_after_some_ranks(topic, ranking):
    """uses for ... else with a loop that stops at a rank, which is not supported"""
    total = 0.0
    for i, d in enumerate(ranking):
        total += topic.pool[d][0] / (i + 1)
        if i == 4:
            break
    else:
        total *= 0.5
    return total


def grades_and_powers(topic, ranking):
    """uses both grades and powers with grades as exponents"""
    return sum((2 ** topic.pool[d][0] - 1) * topic.pool[d][0] / i for i, d in enumerate(ranking, start=1))


def power_that_falls(topic, ranking):
    """raises a constant to a power that is neither the rank nor a count"""
    return sum((1 - 0.5 ** topic.pool[d][0]) / i for i, d in enumerate(ranking, start=1))


def power_that_is_compared(topic, ranking):
    """compares a number that may be negative with 0"""
    gains = [2 ** topic.pool[d][0] - 1 for d in ranking]
    return sum(1 / i for i, g in enumerate(gains, start=1) if g > 0)


def sum_of_powers(topic, ranking):
    """multiplies two sums over aspects, which is not supported"""
    total = 0.0
    for i, d in enumerate(ranking, start=1):
        gain = sum(w * (2**g - 1) for w, g in zip(topic.weights, topic.pool[d]))
        best = sum(w * g for w, g in zip(topic.weights, topic.pool[d]))
        total += gain * best / i
    return total


@functools.cache
def ranks_in_a_cache(count):
    yield from range(1, count + 1)


def generator_in_a_cache(topic, ranking):
    """caches a generator, which can be read only once: return a list"""
    return sum(topic.pool[d][0] / i for d, i in zip(ranking, ranks_in_a_cache(len(ranking))))


def costs_where_nothing_is_relevant(topic, ranking):
    """subtracts a cost from a normalised total"""
    relevant = sum(1 for grades in topic.pool.values() if grades[0] > 0)
    return sum(topic.pool[d][0] - 0.01 for d in ranking) / relevant if relevant else 0.0


def clamped_below_large_grades(topic, ranking):
    """calls min on unsupported numbers"""
    return sum(min(topic.pool[d][0], 0.99) / i for i, d in enumerate(ranking, start=1))


def clamped_by_very_little(grades, weights):
    """calls max with 0 on a number that may be negative, which is not supported"""
    return (np.maximum(0, 1 - 1.0000000005 * grades[:, :, 0]) * grades[:, :, 0]).sum(axis=1)


def clamped_ranks(topic, ranking):
    """calls max on numbers that cannot be compared in a formula"""
    return sum(topic.pool[d][0] / max(i, 2) for i, d in enumerate(ranking, start=1))


def repeated_along_ranks(grades, weights):
    """repeats an array without an axis, or along an axis that it does not have"""
    return np.repeat(grades[:, :, 0], 2).sum()


def repeated_entries(grades, weights):
    """repeats an array whose axis has several entries"""
    return np.repeat(grades[:, :, 0], 2, axis=1)[:, : grades.shape[1]].sum(axis=1)


def stretched_to_one(grades, weights):
    """repeats an array whose axis has several entries"""
    return np.broadcast_to(grades[:, :, 0], (grades.shape[0], 1)).sum(axis=1)


def changed_by_a_view(grades, weights):
    """changes ranks in place, which also changes rows: change a copy instead"""
    ranks = np.arange(1.0, grades.shape[1] + 1)
    rows = np.broadcast_to(ranks, grades.shape[:2])
    ranks[0] = 5.0
    return (grades[:, :, 0] / rows).sum(axis=1)


def absorbed_by_infinity(grades, weights):
    """adds numbers that grow from rank to rank until floats lose precision"""
    powers = 1.01 ** np.arange(grades.shape[1])
    return ((powers + grades[:, :, 0]) - powers).sum(axis=1)


def infinity_over_infinity(grades, weights):
    """computes with a power of the rank that overflows; only dividing by it is supported"""
    ranks = np.arange(grades.shape[1])
    return (grades[:, :, 0] * (2.0**ranks / 4.0**ranks)).sum(axis=1)


def running_infinity(grades, weights):
    """updates a number that grows from rank to rank until floats lose precision"""
    powers = np.cumsum(2.0 ** np.arange(grades.shape[1]))
    return (grades[:, :, 0] / powers).sum(axis=1)


def left_after_a_large_start(topic, ranking):
    """compares a number that may be negative with 0"""
    total, left = 0.0, -1.0
    for i, d in enumerate(ranking, 1):
        total -= left * topic.pool[d][0] / i
        left *= 1 - topic.pool[d][0] / 2
        if left <= 0:
            break
    return total


def _shifted_sum(gains, **options):
    return sum(g / (i + options.get("shift", 1)) for i, g in enumerate(gains))


def keyword_that_is_another(topic, ranking):
    """divides by an expression of the rank that may be 0"""
    return _shifted_sum([topic.pool[d][0] for d in ranking], shift=-1)


def _hits(topic, documents):
    return sum(1 for d in documents if topic.pool[d][0] > 0)


def mean_with_the_other_guard(topic, ranking):
    """divides by a sum of different terms"""
    hits, known = _hits(topic, ranking[:5]), _hits(topic, topic.pool)
    if known == 0 or hits / 5 + hits / known > 0:
        return hits / 5
    return (hits / 5) * (hits / known) / (hits / 5 + hits / known)


def quotient_of_another_aspect(grades, weights, pool):
    """multiplies the score by the inverse of a sum with totals"""
    known = (pool[:, :, 0] > 0).sum(axis=1)
    return (grades[:, :5, 1] > 0).sum(axis=1) / (known + 1)


def little_left_of_a_sum(topic, ranking):
    """computes with numbers so large or small that floats lose precision"""
    known = sum(g[0] for g in topic.pool.values())
    return _hits(topic, ranking[:5]) / ((known + 0.9) + -0.8999999999999999)


def divided_by_itself_or_little(topic, ranking):
    """multiplies the score by the larger of a total and a number"""
    hits = _hits(topic, ranking[:5])
    return hits / max(float(hits), 1e-9)


def nothing_of_a_quotient(grades, weights, pool):
    """tests whether a quotient is NaN although its divisor is a sum"""
    balance = (pool[:, :, 0] > 0).sum(axis=1)
    share = (grades[:, :5, 0] > 0).sum(axis=1) / (balance + 1)
    return np.where(np.isnan(share), 1.0, share)


def weights_that_are_raised(topic, ranking):
    """starts a loop from a number that is not a constant"""
    left, total = list(topic.weights), 0.0
    for d in ranking:
        for aspect, grade in enumerate(topic.pool[d]):
            total += left[aspect] * grade
            left[aspect] = left[aspect] * (1 - grade) + 0.125
    return total


def entry_of_more_ranks_at_the_first_hit(grades, weights):
    """reads an entry at the first rank that meets a condition on other entries"""
    hits, scores = grades[:, :, 0] > 0, np.zeros(len(grades))
    for row, first in enumerate(hits[:, :5].argmax(axis=1)):
        if hits[row, first]:
            scores[row] = 1 / (first + 1)
    return scores


def last_entry_without_a_hit(topic, ranking):
    """reads an entry at the first rank that meets a condition on other entries"""
    hits = [topic.pool[d][0] > 0 for d in ranking]
    first = next((i for i, hit in enumerate(hits) if hit), -1)
    return 1.0 if hits[first] else 0.5


def ranks_of_the_best_order(topic, ranking):
    """tests if a document is ranked, or is in a subset of the judged ones"""
    best = sorted(topic.pool, key=lambda d: topic.pool[d][0], reverse=True)
    return sum(topic.pool[d][0] / i for i, d in enumerate(best, start=1) if d in ranking)


def last_listed_one(topic, ranking):
    """looks up the rank of a document, or a value computed from the rank, in another order"""
    last = 0.0
    for d, grades in topic.pool.items():
        if d in ranking:
            last = grades[0]
    return last


def listed_above_the_current_one(topic, ranking):
    """combines the ranks of two nested loops"""
    total = 0.0
    for i, _ in enumerate(ranking):
        total += sum(grades[0] for d, grades in topic.pool.items() if d in ranking[:i])
    return total


def smaller_by_another_name(topic, ranking, k=5):
    """uses the name of range, min or len for something else"""
    total, i, min = 0.0, 0, lambda one, two: 7  # noqa: A001
    while i < k and i < len(ranking):
        total += topic.pool[ranking[i]][0] / (i + 1)
        i += 1
    return total + 0 * min(1, 2)


def inner_default_of_the_document(topic, ranking):
    """defines an inner function whose default arguments are not constants"""
    gains = []
    for d in ranking:
        gains.append(lambda g=topic.pool[d][0]: g)
    return sum(gain() for gain in gains)


def infinity_that_raises(grades, weights):
    """uses np.errstate with options other than"""
    with np.errstate(over="raise"):
        return (grades[:, :, 0] / 1.1 ** np.arange(grades.shape[1])).sum(axis=1)


def nonlocal_total(topic, ranking):
    """assigns a name of the function around it"""
    total = 0.0

    def add(grade):
        nonlocal total
        total += grade

    for d in ranking:
        add(topic.pool[d][0])
    return total


def _first_relevant(topic):
    return [d for d, grades in topic.pool.items() if grades[0] > 0]


def raises_for_short_rankings(topic, ranking):
    """raises an exception at line"""
    if len(ranking) < 5:
        raise ValueError("too short")
    return _hits(topic, ranking)


def raises_where_all_are_relevant(topic, ranking):
    """raises an exception for some topics that have a relevant document"""
    if all(grades[0] > 0 for grades in topic.pool.values()):
        raise ValueError("all")
    return _hits(topic, ranking)


def raises_at_a_document(topic, ranking):
    """raises an exception in a loop"""
    total = 0.0
    for d in ranking:
        if topic.pool[d][0] == 0:
            raise ValueError(d)
        total += topic.pool[d][0]
    return total


def asserts_hits(topic, ranking):
    """asserts a condition that may be false"""
    hits = _hits(topic, ranking)
    assert hits > 0
    return hits / len(_first_relevant(topic))


RAISED = []


def _noted(text):
    RAISED.append(text)
    return text


def raises_what_a_call_returns(topic, ranking):
    """raises an exception whose message is computed by a call"""
    if not _first_relevant(topic):
        raise ValueError(_noted("none"))
    return _hits(topic, ranking) + len(RAISED)


def nan_without_hits(topic, ranking):
    """uses NaN"""
    hits = _hits(topic, ranking)
    return float("nan") if hits == 0 else hits / len(_first_relevant(topic))


def none_for_aspects_without_relevant(topic, ranking):
    """divides by a total that is 0 if no document is relevant: return 0 in that case first"""
    total = 0.0
    for t, weight in enumerate(topic.weights):
        count = sum(1 for grades in topic.pool.values() if grades[t] > 0)
        total += weight * sum(1 for d in ranking if topic.pool[d][t] > 0) / count
    return total


def one_for_few_relevant(topic, ranking):
    """multiplies the score by whether the ranking is longer than a number"""
    relevant = _first_relevant(topic)
    return _hits(topic, ranking) / len(relevant) if len(relevant) > 2 else 1.0


def while_by_twos(topic, ranking):
    """has a while loop that does not add 1 to i each time"""
    i, total = 0, 0.0
    while i < len(ranking):
        total += 0.5**i
        i += 2
    return total


def while_on_two_numbers(topic, ranking):
    """uses a while loop whose condition is not 'i < n'"""
    i, j, total = 0, 0, 0.0
    while i < len(ranking) and j < 5:
        total += topic.pool[ranking[i]][0] / (i + 1)
        j += topic.pool[ranking[i]][0] > 0
        i += 1
    return total


def counter_that_jumps_at_hits(topic, ranking):
    """takes a logarithm of a value that is neither a rank nor a constant"""
    rank, total = 0, 0.0
    for d in ranking:
        if topic.pool[d][0] > 0:
            rank += 2
            total += 1 / math.log2(rank + 1)
            continue
        rank += 1
    return total


def counter_after_the_break(topic, ranking):
    """multiplies or divides sums over the ranking"""
    rank = 0
    for d in ranking:
        rank += 1
        if topic.pool[d][0] > 0:
            break
    return topic.pool[ranking[0]][0] / rank


def raise_in_else(topic, ranking):
    """raises an exception at line"""
    for rank, d in enumerate(ranking, start=1):
        if topic.pool[d][0] > 0:
            break
    else:
        raise ValueError("no hit")
    return 1 / rank


def running_totals_of_two_ranks(topic, ranking):
    """appends to totals, which already has an entry, in a loop that does not begin at rank 2"""
    totals = [0.0]
    for i, d in enumerate(ranking):
        totals.append(totals[i - 1] + topic.pool[d][0] / (i + 1))
    return totals[-1]


def running_totals_with_a_break(topic, ranking):
    """reads an entry"""
    grades, totals = [topic.pool[d][0] for d in ranking], [0.0]
    for i in range(1, len(grades)):
        totals.append(totals[i - 1] + grades[i])
        if grades[i] > 0:
            break
    return totals[-1]


def last_place_first_plus_positions(topic, ranking):
    """combines a list in ascending order with one in another order"""
    order = (np.argsort(1 / (np.arange(len(ranking)) + 1)) + np.arange(len(ranking)))[::-1]
    return sum(topic.pool[d][0] * place for d, place in zip(ranking, order, strict=True))


def least_first_enumerated_and_reversed(topic, ranking):
    """takes a logarithm of a value that is neither a rank nor a constant"""
    gains = sorted(g[0] for g in topic.pool.values())
    best = sum(reversed([g / math.log2(i + 2) for i, g in enumerate(gains)]))
    return sum(topic.pool[d][0] / math.log2(i + 2) for i, d in enumerate(ranking)) / best if best else 0.0


def array_in_a_dictionary_in_place(topic, ranking):
    """changes an array in a dictionary, which a variable may refer to"""
    ones = np.ones(len(ranking))
    held = {"ones": ones}
    held["ones"] += 1.0
    return float((np.array([topic.pool[d][0] for d in ranking]) * ones).sum())


def one_list_for_all_keys(topic, ranking):
    """calls dict.fromkeys with a value that is neither a constant number nor a string"""
    one = []
    out = dict.fromkeys(["P@5", "P@10"], one)
    out["P@5"].append(_hits(topic, ranking[:5]))
    return out["P@10"][0]


def key_of_a_rounded_number(topic, ranking):
    """inserts a value into a string, and the value is neither a constant integer nor a string"""
    return {f"{0.1 + 0.2}": 0.0, "0.3": 1.0}["0.3"] * _hits(topic, ranking)


def last_key_of_a_loop(topic, ranking):
    """creates a dictionary whose keys are not documents"""
    out = {}
    for i, d in enumerate(ranking, start=1):
        if topic.pool[d][0] > 0:
            out["last"] = 1 / i
    return out["last"]


def isin_of_keys(topic, ranking):
    """calls np.isin on values other than lists of documents: convert a set with list(...)"""
    relevant = {d: g for d, g in topic.pool.items() if g[0] > 0}
    return np.isin(ranking, relevant.keys()).sum() + _hits(topic, ranking)


def _first_relevant_set(topic):
    return {d for d, g in topic.pool.items() if g[0] > 0}


def isin_of_a_list_without_order(topic, ranking):
    """loops over a set of documents, which has no order"""
    hits = np.isin(list(set(ranking)), list(_first_relevant_set(topic)))
    return (hits / np.arange(1, len(hits) + 1)).sum()


def documents_that_are_not_above(topic, ranking):
    """combines two sets of ranked documents in a loop over ranks"""
    return sum(topic.pool[d][0] * len(set(ranking) - set(ranking[:i])) for i, d in enumerate(ranking))


def entry_before_the_first(topic, ranking):
    """reads an entry other than the current one of the loop"""
    totals = np.cumsum([1 / math.log2(i + 2) for i in range(len(topic.pool))])
    return _hits(topic, ranking) * totals[len(_first_relevant(topic)) - 1]


def entry_of_another_length(topic, ranking):
    """slices by a number that is neither a constant nor the length of the ranking"""
    totals = np.cumsum([topic.pool[d][0] for d in ranking[:5]])
    return totals[min(len(ranking), 10) - 1]


def from_the_end_again(topic, ranking):
    """reads a list from its end in a loop that may be longer than the list"""
    gains = sorted(g[0] for g in topic.pool.values())
    best = sum(gains[len(gains) - r - 1] / math.log2(r + 2) for r in range(min(len(ranking), 10)))
    return sum(topic.pool[d][0] / math.log2(r + 2) for r, d in enumerate(ranking[:10])) / best if best else 0.0


def least_first_beside_positions(topic, ranking):
    """reads entries of a list that is sorted in ascending order: sort it in reverse"""
    gains = sorted(g[0] for g in topic.pool.values())
    best = sum(g / math.log2(r + 2) for g, r in zip(gains, range(min(len(gains), 10)), strict=False))
    return sum(topic.pool[d][0] / math.log2(r + 2) for r, d in enumerate(ranking[:10])) / best if best else 0.0


def filtered_beside_all_positions(topic, ranking):
    """zips a filtered list with a list of another length"""
    hits = [d for d in ranking if topic.pool[d][0] > 0]
    return sum(1 / (i + 1) for _, i in zip(hits, range(len(ranking)), strict=False))


def last_place_first(topic, ranking):
    """reads entries by an array of positions other than the first ones"""
    grades, scores = np.array([topic.pool[d][0] for d in ranking]), 1 / (np.arange(len(ranking)) + 1)
    grades = grades[np.argsort(scores)]
    return (grades / np.log2(np.arange(len(grades)) + 2)).sum()


def last_places_reversed(topic, ranking):
    """slices documents that are in ascending order or in no known order"""
    grades, scores = np.array([topic.pool[d][0] for d in ranking]), 1 / (np.arange(len(ranking)) + 1)
    return np.take(grades, np.argsort(scores)[:5][::-1]).sum()


def equal_scores_in_order(topic, ranking):
    """sorts values other than the grades of the judged documents"""
    grades = np.array([topic.pool[d][0] for d in ranking])
    grades = grades[np.argsort(np.zeros(len(ranking)))[::-1]]
    return (grades / np.log2(np.arange(len(grades)) + 2)).sum()


def places_past_the_end(topic, ranking):
    """reads entries by an array of positions other than the first ones"""
    return np.take(np.array([topic.pool[d][0] for d in ranking]), np.arange(10)).sum()


def largest_by_reduce(topic, ranking):
    """calls reduce without an initial value for a function other than operator.add and mul"""
    return functools.reduce(lambda x, y: x - y, [topic.pool[d][0] for d in ranking])


def mean_of_what_is_found(topic, ranking):
    """multiplies the score by a total over the judged documents or the ranking"""
    hits = [d for d in ranking if topic.pool[d][0] > 0]
    precisions = [(n + 1) / (i + 1) for n, i in enumerate(i for i, d in enumerate(ranking) if d in hits)]
    return np.mean(precisions) if precisions else 0.0


def list_that_is_longer_after_a_test(topic, ranking):
    """computes with a list or tuple"""
    scores = [_hits(topic, ranking)]
    if len(ranking) > 3:
        scores.append(1.0)
    return sum(scores)


def results_by_two_names(topic, ranking):
    """changes other, which may refer to another object"""
    results = {"gain": 0.0}
    other = results
    for d in ranking[:5]:
        other["gain"] += topic.pool[d][0]
    return results["gain"]


def results_of_a_branch(topic, ranking):
    """looks up 'gain', which does not exist"""
    results = {}
    if len(ranking) < 1:
        results["gain"] = 1.0
    return results["gain"] + _hits(topic, ranking)


def list_read_after_all(topic, ranking):
    """appends twice to a list"""
    found = []
    for d in ranking:
        if topic.pool[d][0] > 0:
            found.append(d)
            found.append(d)
    return len(found)


def list_that_slides(topic, ranking):
    """calls pop of"""
    last, total = [], 0.0
    for d in ranking:
        last.append(topic.pool[d][0])
        if topic.pool[d][0] > 0:
            last.pop(0)
        total += sum(last)
    return total


def guarded_by_early_hits(topic, ranking):
    """multiplies the score by the smaller of a number of documents and a constant"""
    relevant = _first_relevant(topic)
    if _hits(topic, ranking[:5]) == 0:
        return 0.0
    return _hits(topic, ranking) / min(len(relevant), 10)


def type_of_a_copy(topic, ranking):
    """tests the type of a list or set of documents"""
    return _hits(topic, ranking) if isinstance(tuple(ranking), tuple) else 0.0


def type_of_a_number_of_numpy(topic, ranking):
    """tests the type of an integer, which may be numpy's"""
    first = len(np.arange(3))
    return _hits(topic, ranking) if isinstance(first, (int, list)) else 0.0


def nothing_without_a_first_hit(topic, ranking):
    """tests a condition on sums over the ranking"""
    total = sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1))
    return total if topic.pool[ranking[0]][0] > 0 else 0.0


class _Changing:
    def __init__(self):
        self.left = 1.0

    @property
    def share(self):
        self.left *= 0.5
        return self.left


def property_that_changes_the_object(topic, ranking):
    """sets the attribute left outside __init__"""
    changing = _Changing()
    return sum(topic.pool[d][0] * changing.share for d in ranking)


class _Halved:
    def __init__(self):
        self.share = 1.0

    @property
    def share(self):
        return 0.5

    @share.setter
    def share(self, value):
        pass


def property_that_hides_an_attribute(topic, ranking):
    """sets the attribute share, which is a property of the class"""
    return _hits(topic, ranking) * _Halved().share


class _Parent:
    @property
    def share(self):
        return 0.5


class _Child(_Parent):
    share = 2.0


def property_that_a_subclass_replaces(topic, ranking):
    """reads or sets cached, which is a descriptor of the class _Cached"""
    return _hits(topic, ranking) * (_Child().share + _Cached().cached)


class _Cached:
    @functools.cached_property
    def cached(self):
        return 0.5


class _Trace:
    def __init__(self, gains):
        self.gains = gains

    def __str__(self):
        if len(self.gains) == 37:
            self.gains[0] = 1.0
        return "trace"


LOG = logging.getLogger(__name__)


class _Raising(logging.Formatter):
    def format(self, record):
        if len(record.args[0]) == 37:
            record.args[0][0] = 1.0
        return "gains"


FORMATTED = logging.getLogger(f"{__name__}.formatted")
FORMATTED.addHandler(logging.NullHandler())
FORMATTED.handlers[0].setFormatter(_Raising())
FILTERED = logging.getLogger(f"{__name__}.filtered")
FILTERED.addHandler(logging.NullHandler())
FILTERED.handlers[0].addFilter(lambda record: record.args[0].reverse() or True)


def message_of_an_object(topic, ranking):
    """prints or logs an object"""
    gains = [topic.pool[d][0] for d in ranking]
    trace = _Trace(gains)
    LOG.debug(f"ranking: {trace}")
    return sum(gain / i for i, gain in enumerate(gains, start=1))


def message_that_a_formatter_gets(topic, ranking):
    """calls a function only for its side effect"""
    gains = [topic.pool[d][0] for d in ranking]
    FORMATTED.warning("%s", gains)
    return sum(gain / i for i, gain in enumerate(gains, start=1))


def message_that_a_filter_gets(topic, ranking):
    """calls a function only for its side effect"""
    gains = [topic.pool[d][0] for d in ranking]
    FILTERED.warning("%s", gains)
    return sum(gain / i for i, gain in enumerate(gains, start=1))


def inner_function_defined_twice(topic, ranking):
    """it changes gain after defining a function or generator that reads it"""

    def gain(grade):
        return grade

    def total(grades):
        return sum(gain(g) / (i + 1) for i, g in enumerate(grades))

    def gain(grade):  # noqa: F811
        return 2**grade - 1

    return total([topic.pool[d][0] for d in ranking])


def get_of_a_defaultdict_of_ones(topic, ranking):
    """it looks up an aspect that may be missing from the dictionary"""
    left, total = defaultdict(lambda: 1), 0
    for d in ranking:
        for a, g in enumerate(topic.pool[d]):
            total += left.get(a, 0) * g
            left[a] *= 1 - g
    return total


def a_view(grades):
    return grades[:, :, 0]


def view_of_a_function(grades, weights):
    """it changes gains, which belongs to the caller: change a copy instead"""
    gains = a_view(grades)
    gains[gains > 0] = 1.0
    return grades[:, :, 0].sum(axis=1)


READERS = []


def last_column(grades, weights):
    """it changes an entry other than the current one of the loop: use the index of the loop"""
    totals = np.zeros((len(grades), 1))
    for place in range(grades.shape[1]):
        totals[:, 0] = grades[:, place, 0]
    return totals[:, 0]


def mask_of_the_pool(grades, weights, pool):
    """it combines arrays of different lengths or in different orders"""
    order = np.zeros(pool.shape[:2])
    order[pool[:, :, 0] > 0] = 1.0
    return (order * -np.sort(-pool[:, :, 0], axis=1)).sum(axis=1)


def taken_in_floats(grade):
    return grade


def taken_exactly(grade):
    return grade * grade


GAINS = {"linear": taken_in_floats if 0.1 + 0.2 == 0.3 else taken_exactly}


def other_function_on_exact_numbers(topic, ranking):
    """its file defines a different taken_exactly with this name"""
    return sum(GAINS["linear"](topic.pool[d][0]) for d in ranking)


def carried_numbers_that_floats_round(topic, ranking):
    """compares numbers with a value other than 0, which is not supported"""
    total = 0.0
    for d in ranking:
        total += (1.0 if topic.pool[d][0] > 0 else 0.0) * 0.3 * 3 / 0.9
    return 1.0 if total >= 1 else 0.0


def _add_to(items):
    _ = {1, 2, 3}
    items.append(1)


def list_changes_in_a_conditional_expression(topic, ranking):
    """uses an expression that is not supported"""
    items = []
    _ = _add_to(items) if topic.pool[ranking[0]][0] > 0 else None
    return _hits(topic, ranking) * (1 + len(items))


def list_of_the_caller_changes_in_a_conditional_expression(topic, ranking):
    """calls a function only for its side effect"""
    items = []

    def add():
        items.append(1)

    _ = add() if topic.pool[ranking[0]][0] > 0 else None
    return _hits(topic, ranking) * (1 + len(items))


class Keeper:
    def __init__(self, rows):
        self.rows = rows


def list_that_is_sorted_after_it_was_stored(topic, ranking):
    """it changes rows in place, which also changes keeper: change a copy instead"""
    rows = [topic.pool[d][0] for d in ranking]
    keeper = Keeper(rows)
    rows.sort()
    return sum(g / (i + 1) for i, g in enumerate(keeper.rows))


def dictionary_that_is_filled_in_an_object(topic, ranking):
    """changes the attribute rows in a method that is called for its value"""
    keeper = Keeper({})
    for d in ranking:
        keeper.rows[d] = topic.pool[d][0]
    return sum(keeper.rows.values())


def super_of_a_stranger(topic, ranking):
    """it calls super in a way that is not supported"""
    return len(super(Keeper, READERS).rows)


class Meter:
    def __init__(self):
        self.reads = 1

    def __len__(self):
        self.reads += 1
        return 1


def list_that_a_condition_extends(topic, ranking):
    """it calls append of a list or tuple, which is not supported"""
    notes = [1]
    _ = len(ranking) > 3 and notes.append(5)
    return len(notes) * _hits(topic, ranking)


def dictionary_that_a_choice_fills(topic, ranking):
    """it calls setdefault of a dictionary, which is not supported"""
    notes = {1: 2}
    _ = notes.setdefault(2, 5) if len(ranking) > 3 else 0
    return len(notes) * _hits(topic, ranking)


def object_whose_length_changes_it(topic, ranking):
    """it takes the length of a function, a class or an object, which is not supported"""
    meter = Meter()
    _ = len(meter) if len(ranking) > 3 else 0
    return meter.reads * _hits(topic, ranking)


def list_that_a_lambda_extends(topic, ranking):
    """it calls append of a list or tuple, which is not supported"""
    notes = [1]
    _ = (lambda kept: kept.append(1))(notes) if len(ranking) > 3 else 0
    return len(notes) * _hits(topic, ranking)


def first_of_the_places_of_topics(grades, weights, pool):
    """it reads an entry of the result of np.nonzero, which is not supported"""
    out, hits = np.zeros(len(grades)), (grades[:, :, 0] > 0).sum(axis=1)
    places = np.where(hits + 1 > 0)[0]
    out[places[0]] = hits[places[0]]
    return out * 1.0


def dictionary_that_a_choice_empties(topic, ranking):
    """it calls pop of a dictionary, which is not supported"""
    grades = {d: topic.pool[d][0] for d in ranking}
    _ = grades.pop(ranking[0]) if len(ranking) > 3 else 0
    return sum(grades.get(d, 0) / (i + 1) for i, d in enumerate(ranking))


def array_that_a_function_of_numpy_fills(topic, ranking):
    """passes an unsupported number of arguments"""
    grades = np.array([topic.pool[d][0] for d in ranking])
    _ = np.minimum(grades, 0.25, grades) if len(ranking) > 3 else 0
    return (grades / np.arange(1, len(grades) + 1)).sum()


def list_that_a_key_extends(topic, ranking):
    """it reads the attribute append of a list or tuple, which is not supported"""
    notes = [1]
    _ = list(map(notes.append, ranking)) if len(ranking) > 3 else 0
    return len(notes) * _hits(topic, ranking)


class Adder:
    def __init__(self):
        self.sums = 1

    def __radd__(self, other):
        self.sums += 1
        return 0


def object_that_is_added_to_a_rank(topic, ranking):
    """it computes with a function, a class or an object, which is not supported"""
    adder, rank = Adder(), 0
    for i, d in enumerate(ranking):
        if topic.pool[d][0] > 0:
            rank = i + 1
            break
    _ = rank + adder
    return adder.sums * _hits(topic, ranking)


def list_that_the_key_of_a_rank_extends(topic, ranking):
    """it passes a function together with the value at the first rank that meets a condition"""
    notes, rank = [], 1

    def noted(value):
        notes.append(value)
        return 0

    for i, d in enumerate(ranking):
        if topic.pool[d][0] > 0:
            rank = i + 1
            break
    _ = min(rank, 3, key=noted)
    return (1 + len(notes)) * _hits(topic, ranking)


def while_loop_that_adds_two(topic, ranking):
    """has a while loop that does not add 1 to i each time: use a for loop"""
    i = steps = 0
    while i < 4:
        i += 2
        steps += 1
    return _hits(topic, ranking if steps == 4 else ranking[:4500])


def list_that_is_changed_in_a_loop_over_it(topic, ranking):
    """changes cuts in a loop over it: loop over a copy"""
    cuts, steps = [1, 2, 3, 4], 0
    for _ in cuts:
        cuts.pop()
        steps += 1
    return _hits(topic, ranking if steps == 4 else ranking[:4500])


@functools.cache
def _numbered(_):
    return zip((1, 2), (3, 4))


def cached_iterator_that_is_read_twice(topic, ranking):
    """caches an iterator, which can be read only once: return a list"""
    steps = 0
    for _ in _numbered(2):
        steps += 1
    return _hits(topic, ranking if steps == 2 else ranking[:4500])


def _extended(cuts):
    cuts += [4500]
    return 0


def list_that_a_helper_extends_in_a_branch(topic, ranking):
    """changes cuts, which belongs to the caller: change a copy instead"""
    cuts = [None]
    _ = _extended(cuts) if len(ranking) > 1 else 0
    return _hits(topic, ranking[: cuts[-1]])


def place_that_is_looked_up_in_a_list(topic, ranking):
    """catches KeyError where it looks up a value that is not a dictionary"""
    cuts, i = [4500], 0
    try:
        cut = cuts[i]
    except KeyError:
        cut = None
    return _hits(topic, ranking[:cut])


def key_that_is_set_under_a_handler(topic, ranking):
    """catches exceptions in an unsupported way: test the divisor or the key with if"""
    cuts, key = {}, "k"
    try:
        cuts[key] = 4500
    except KeyError:
        cuts[key] = None
    return _hits(topic, ranking[: cuts["k"]])


def list_of_documents_that_is_cleared_in_a_loop_over_it(topic, ranking):
    """changes docs in a loop over it: loop over a copy"""
    docs, total, late = list(ranking), 0.0, False
    for i, d in enumerate(docs):
        total += topic.pool[d][0] / (i + 1)
        late = late or (i == 40 and topic.pool[d][0] > 0)
        if late:
            docs.clear()
    return total


def iterator_that_some_steps_set(topic, ranking):
    """sets the iterator parts in some steps of a loop only: store a list"""
    found = None
    for j in (0, 1, 2):
        if j == 0:
            parts = (x for x in (1, 2))
        else:
            found = list(parts)
    return _hits(topic, ranking if found else ranking[:4500])


class _Cutting:
    cut = None

    def __init__(self):
        self.cuts = [4500, None]

    def sum(self):
        self.cuts.pop()
        return 0


def object_with_the_name_of_another_variable(topic, ranking):
    """changes the attribute cuts in a method that is called for its value"""
    s = _Cutting()
    _ = (s.sum() + len([s for s in (1, 2)])) if len(ranking) > 1 else 0  # noqa: C416
    return _hits(topic, ranking[: s.cuts[-1]])


def loop_in_the_else_branch_of_a_loop(topic, ranking):
    """multiplies or divides sums over the ranking"""
    for i, d in enumerate(ranking):
        if i == 40 and topic.pool[d][0] > 0:
            break
    else:
        total = 0.0
        for i, d in enumerate(ranking):
            total += topic.pool[d][0] / (i + 1)
        return total
    return 0.0


class _Counting:
    def __init__(self):
        self.cuts = [4500, None]

    def __getitem__(self, place):
        self.cuts.pop()
        return 0


def object_that_a_loop_with_an_end_chooses(topic, ranking):
    """reads an entry of a function, a class or an object"""
    one, other, first = _Counting(), _Counting(), 0
    for d in ranking:
        if topic.pool[d][0] > 0:
            first = 1
            break
    owner = one if first else other
    _ = owner[0]
    return _hits(topic, ranking[: one.cuts[-1]])


def number_in_a_tuple_that_a_loop_with_an_end_sets(topic, ranking):
    """uses 'in' with a tuple or list of computed numbers"""
    found = 0
    for d in ranking:
        if topic.pool[d][0] > 0:
            found = 1
            break
    return _hits(topic, ranking[:4500] if 1 in (found, 5) else ranking)


def dictionaries_that_differ_in_their_order(topic, ranking):
    """computes with a dictionary, which is not supported"""
    weights, late = {"a": 1.0, "b": 0.0}, False
    for i, d in enumerate(ranking):
        if i == 7 and topic.pool[d][0] > 0:
            late = True
    if late:
        weights = {"b": 0.0, "a": 1.0}
    last = 0.0
    for name in weights:
        last = weights[name]
    return last * _hits(topic, ranking)


def pool_that_is_not_a_dict(topic, ranking):
    """tests the type of a dictionary of documents, which is not supported"""
    return (1 if isinstance(topic.pool, dict) else 2) * _hits(topic, ranking)


def list_or_tuple(topic, ranking):
    """tests the type of an array, which is not supported"""
    return (1 if isinstance(topic.pool[ranking[0]], tuple) else 2) * _hits(topic, ranking)


def else_of_a_loop_that_appends_to_another_name(topic, ranking):
    """changes found, which another variable may refer to: change a copy instead"""
    found = []
    kept = found
    for d in ranking:
        if topic.pool[d][0] > 0:
            found.append(1)
            break
    else:
        kept.append(0)
    return sum(found) / len(found)


def else_after_another_loop(topic, ranking):
    """calls a function only for its side effect, which is not supported"""
    found = []
    for d in ranking:
        if topic.pool[d][0] > 0:
            found.append(1)
            break
    for d in ranking[:5]:
        if topic.pool[d][0] > 0:
            break
    else:
        found.append(0)
    return sum(found)


Pair = namedtuple("Pair", ["grade", "rank"])
Computed, Swapped, Turned = (namedtuple(name, ["grade", "rank"]) for name in ("Computed", "Swapped", "Turned"))
Computed.grade = property(lambda _: 7)
Swapped.grade, Swapped.rank = Swapped.rank, Swapped.grade
Turned.__new__ = lambda cls, grade, rank: tuple.__new__(cls, (rank, grade))


class WithMethod(NamedTuple):
    grade: float
    rank: int

    def share(self):
        return self.grade / self.rank


@dataclass
class Doubled:
    grade: float

    def __post_init__(self):
        self.grade *= 2


@dataclass
class WithList:
    grade: float
    seen: list = field(default_factory=list)


def field_that_is_computed(topic, ranking):
    """calls Computed, which is not supported"""
    return sum(Computed(topic.pool[d][0], i).grade for i, d in enumerate(ranking))


def fields_that_are_swapped(topic, ranking):
    """calls Swapped, which is not supported"""
    return sum(Swapped(topic.pool[d][0], i).rank for i, d in enumerate(ranking))


def named_tuple_made_by_own_code(topic, ranking):
    """calls Turned, which is not supported"""
    return sum(Turned(topic.pool[d][0], i).rank for i, d in enumerate(ranking))


def named_tuple_with_a_method(topic, ranking):
    """calls WithMethod, which is not supported"""
    return sum(WithMethod(topic.pool[d][0], i).share() for i, d in enumerate(ranking, 1))


def dataclass_that_doubles(topic, ranking):
    """uses code without a readable source file: __init__"""
    return sum(Doubled(topic.pool[d][0]).grade for d in ranking)


def dataclass_with_a_new_list(topic, ranking):
    """uses code without a readable source file: __init__"""
    return sum(WithList(topic.pool[d][0]).grade for d in ranking)


def list_in_a_named_tuple(topic, ranking):
    """changes kept, which may refer to another object: change a copy instead"""
    pair = Pair([1.0], 1)
    kept, _ = pair
    kept.append(1.0)
    return len(pair.grade) * _hits(topic, ranking)


def named_tuples_in_their_own_order(topic, ranking):
    """computes with a function, a class or an object, which is not supported"""
    pairs = sorted([Pair(topic.pool[d][0], -i) for i, d in enumerate(ranking)], reverse=True)
    return sum(pair.grade / i for i, pair in enumerate(pairs, 1))


def equal_named_tuples(topic, ranking):
    """compares a function, a class or an object"""
    return sum(Pair(topic.pool[d][0], 1) != Pair(0, 1) for d in ranking)


def sorted_by_the_first_entry(topic, ranking):
    """sorts documents by their names, which is not supported"""
    pairs = [(d, g[0]) for d, g in topic.pool.items()]
    best = sum(g / i for i, (_, g) in enumerate(sorted(pairs, key=operator.itemgetter(0)), 1))
    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, 1)) / best if best > 0 else 0.0


def first_largest_grade(grades, weights):
    """calls argmax on numbers"""
    return 1.0 / (np.argmax(grades[:, :, 0], axis=1) + 1.0)


def transposed_before_its_change(grades, weights):
    """changes scores in place, which also changes same"""
    hits = (grades[:, :10, 0] > 0).astype(float)
    scores = 1.0 / (np.argmax(hits, axis=1) + 1.0)
    same = scores.T
    scores[hits.max(axis=1) == 0.0] = 0.0
    return same


def places_without_room_for_floats(grades, weights):
    """writes floats into an integer array"""
    hits = (grades[:, :10, 0] > 0).astype(float)
    places = np.argmax(hits, axis=1)
    places[hits.max(axis=1) == 0.0] = 0.5
    return 1 / (places + 1)


def dtype_of_counts(grades, weights):
    """converts floats to int"""
    counts = np.maximum((grades[:, :, 0] > 0).astype(int).sum(axis=1), 2)
    return (grades[:, :, 0] * (1 / np.arange(1, grades.shape[1] + 1)).astype(counts.dtype)).sum(axis=1)


def dtype_that_depends_on_the_length(topic, ranking):
    """chooses between arrays of different dtypes"""
    gains = np.array([topic.pool[d][0] for d in ranking])
    kept = np.zeros(len(ranking), int) if len(ranking) > 900 else np.zeros(len(ranking))
    return (gains.astype(kept.dtype)).sum()


def array_of_floats_that_may_all_be_whole(topic, ranking):
    """reads the attribute dtype of an array"""
    kept = np.zeros_like(np.array([topic.pool[d][0] / 2 if topic.pool[d][0] > 0 else 1 for d in ranking]))
    for i, d in enumerate(ranking):
        kept[i] = topic.pool[d][0]
    return kept.sum()


def first_row_without_hits(grades, weights):
    """calls a function for each row, whose first result may be an integer"""

    def of_row(row):
        return 1.0 / (np.argmax(row > 0) + 1) if (row > 0).any() else 0

    return np.apply_along_axis(of_row, 1, grades[:, :, 0])


def first_row_with_an_empty_sum(grades, weights):
    """calls a function for each row, whose first result may be an integer"""
    return np.apply_along_axis(lambda row: sum(1 / i for i, x in enumerate(row, 1) if x > 0), 1, grades[:, :, 0])


def first_row_with_an_empty_loop(grades, weights):
    """calls a function for each row, whose first result may be an integer"""

    def of_row(row):
        total = 0
        for place in np.flatnonzero(row):
            total += 1 / (place + 1)
        return total

    return np.apply_along_axis(of_row, 1, grades[:, :, 0])


def order_of_scores_that_floats_may_confuse(topic, ranking):
    """sorts values other than the grades of the judged documents"""
    labels = np.array([topic.pool[d][0] for d in ranking])
    return (labels[np.argsort(1e8 - 1e-7 * np.arange(len(ranking)))[::-1]] / np.arange(1, len(labels) + 1)).sum()


def flags_of_numbers_below_0(grades, weights):
    """compares a number that may be negative with 0"""
    gains = (grades[:, :, 0] - 0.5).astype(bool)
    return (gains / np.arange(1, gains.shape[1] + 1)).sum(axis=1)


def flags_of_numbers_that_floats_round_to_0(grades, weights):
    """compares with 0 a number so small that floats may round it to 0"""
    flags = (grades[:, :, 0] * 0.01 ** np.arange(grades.shape[1])).astype(bool)
    return (flags / np.arange(1, flags.shape[1] + 1)).sum(axis=1)


def sum_of_flags(topic, ranking):
    """adds or subtracts booleans"""
    flags = np.array([topic.pool[d][0] for d in ranking], dtype=bool)
    return (flags + flags).sum()


def first_aspect_as_a_view(grades, weights):
    """changes first in place, which also changes gains"""
    gains = grades[:, :, :1].copy()
    first = gains[:, :, 0]
    first[:, 0] = 0
    return gains.sum(axis=(1, 2))


def ranking_changed_through_its_row(topic, ranking):
    """changes rows in place, which also changes gains"""
    gains = np.array([topic.pool[d][0] for d in ranking])
    rows = np.atleast_2d(gains)
    rows[0, 0] = 0.0
    return gains.sum()


def array_of_one_number_that_may_be_whole(topic, ranking):
    """changes totals, a view of another array, in place"""
    total = 0
    for d in ranking:
        if topic.pool[d][0] > 0:
            total += 0.5
    totals = np.array([total])
    totals[0] = _hits(topic, ranking) / 3
    return totals[0]


def row_changed_after_its_copy(topic, ranking):
    """changes gains, which another variable may refer to"""
    gains = np.array([topic.pool[d][0] for d in ranking])
    rows = np.asarray([gains])
    gains[0] = 0.0
    return rows.sum()


def row_before_numbers(topic, ranking):
    """joins arrays of different shapes"""
    gains = [topic.pool[d][0] for d in ranking]
    return np.concatenate([[gains], np.zeros(len(gains))]).sum()


def dtype_of_what_aspects_add_to(grades, weights):
    """reads the attribute dtype of an array"""
    counts = np.zeros(grades.shape[0], dtype=int)
    for a in range(grades.shape[2]):
        counts += (grades[:, :, a] > 0).any(axis=1)
    total = np.zeros_like(counts)
    total[:] = grades[:, :, 0].sum(axis=1)
    return total


def last_document_first(topic, ranking):
    """reads entries by an array of positions other than the first ones"""
    labels = np.array([topic.pool[d][0] for d in ranking])
    return (labels[np.argsort(np.arange(len(ranking), 0, -1))] / np.arange(1, len(labels) + 1)).sum()


def every_second_number(topic, ranking):
    """calls range or arange with a step other than 1 or -1"""
    weights = np.arange(2 * len(ranking), 0, -2)
    return (np.array([topic.pool[d][0] for d in ranking]) / weights[::-1]).sum()


def numbers_down_from_a_smaller_one(topic, ranking):
    """counts down from a number to one that may be larger"""
    return sum(topic.pool[d][0] for d, _ in zip(ranking, range(10, len(ranking), -1), strict=False))


def generator_that_reads_its_own_name_late(topic, ranking):
    """reads the iterator rows several times: store a list"""
    rows = [[topic.pool[d][0] for d in ranking]]
    rows = (sum(row) / len(rows) for row in rows)
    return sum(rows)


def generator_read_again(topic, ranking):
    """reads the iterator rows several times: store a list"""
    rows = [[topic.pool[d][0] for d in ranking]]
    rows = (sum(row) for row in rows)
    return sum(rows) + 0.5 * sum(rows)


def zip_with_an_array_of_one_number(topic, ranking):
    """loops over a list or tuple, which is not supported"""
    return sum(w * topic.pool[d][0] for w, d in zip(np.array([0.5]), ranking, strict=False))


def row_read_before_its_change(grades, weights):
    """changes discounts in place, which also changes row"""
    discounts = np.zeros((1, grades.shape[1]))
    (row,) = [row for row in discounts]  # noqa: C416
    discounts[:, 0] = 1.0
    return (grades[:, :, 0] * row).sum(axis=1)


def view_of_a_dictionary_that_is_no_list(topic, ranking):
    """tests the type of an array, which is not supported"""
    grades = {d: topic.pool[d][0] for d in ranking}.values()
    return 0.0 if isinstance(grades, list) else sum(grades)


def mask_of_the_last_axis(grades, weights):
    """changes an entry other than the current one of the loop"""
    gains = grades[:, :, 0] / np.arange(1, grades.shape[1] + 1)
    gains[(grades[:, :, 0] > 0).any(axis=1)[None, :]] = 0.0
    return gains.sum(axis=1)


def second_entry_of_some_steps(topic, ranking):
    """reads a list that a loop is filling, and changes it in another way than by append"""
    grades, total = [], 0.0
    for d in ranking:
        grades.append(topic.pool[d][0])
        total += grades[-1] / len(grades)
        if grades[-1] > 0:
            grades.append(0.0)
    return total


def entry_of_some_steps(topic, ranking):
    """divides by a sum of different terms, which is not supported"""
    grades, total = [], 0.0
    for d in ranking:
        if topic.pool[d][0] == 0:
            continue
        grades.append(topic.pool[d][0])
        total += grades[-1] / len(grades)
    return total


def entry_that_is_removed(topic, ranking):
    """calls pop of a list or dictionary that a loop is filling, which is not supported"""
    grades, total = [], 0.0
    for d in ranking:
        grades.append(topic.pool[d][0])
        total += grades[-1] / len(grades)
        if grades[-1] == 0:
            grades.pop()
    return total


def entry_that_is_set_later(topic, ranking):
    """changes an entry of a list or dictionary that a loop is filling, which is not supported"""
    grades, total = [], 0.0
    for d in ranking:
        grades.append(topic.pool[d][0])
        total += topic.pool[d][0] * sum(grades)
        grades[-1] = 0
    return total


def integers_in_one_branch(topic, ranking):
    """reads a list that a loop is filling with numbers of different kinds"""
    numbers, total = [], 0.0
    for d in ranking:
        if topic.pool[d][0] > 0:
            numbers.append(1)
            total += 0.5 ** int(sum(numbers))
        else:
            numbers.append(0.5)
    return total


def mean_of_a_list_that_may_be_empty(topic, ranking):
    """reads a list that a loop is filling, which is not supported"""
    grades, total = [], 0.0
    for d in ranking:
        total += topic.pool[d][0] * np.mean(grades)
        grades.append(topic.pool[d][0])
    return total


def list_so_far_in_an_inner_loop(topic, ranking):
    """combines the ranks of two nested loops"""
    grades, total = [], 0.0
    for d in ranking:
        grades.append(topic.pool[d][0])
        for e in ranking:
            total += topic.pool[e][0] * len(grades)
    return total


def pairs_the_other_way_around(topic, ranking):
    """tests if a list or tuple is in a set of tuples, which is not supported"""
    judged = {("query", d) for d, g in topic.pool.items() if g[0] > 0}
    return sum((d, "query") in judged for d in ranking)


def pairs_to_which_one_is_added(topic, ranking):
    """calls a function only for its side effect, which is not supported"""
    judged = {("query", d) for d, g in topic.pool.items() if g[0] > 0}
    judged.add(("query", ranking[0]))
    return sum(("query", d) in judged for d in ranking)


def pairs_with_a_grade(topic, ranking):
    """creates a set of numbers, which is not supported"""
    judged = {(g[0], d) for d, g in topic.pool.items()}
    return sum((1.0, d) in judged for d in ranking)


def pairs_that_are_all_equal(topic, ranking):
    """creates a set of numbers, which is not supported"""
    return _hits(topic, ranking) / len({("query", "document") for _ in ranking})


def zipped_set(topic, ranking):
    """zips a set of documents, whose order is unknown"""
    grades = {d: g[0] for d, g in zip(set(topic.pool), topic.pool.values(), strict=True)}
    return sum(grades[d] for d in ranking)


def _reciprocal_rank(row):
    if not (row > 0).any():
        return 0
    return 1.0 / (np.argmax(row > 0) + 1)


def _total(row):
    return row.sum()


class _Twice(np.vectorize):
    def __call__(self, *rows):
        return 2 * super().__call__(*rows)


whole_totals = np.vectorize(_total, signature="(n)->()", otypes=[int])
reciprocal_ranks = np.vectorize(_reciprocal_rank, signature="(n)->()")
totals_twice = _Twice(_total, signature="(n)->()")
changed_totals = np.vectorize(_total, signature="(n)->()")
changed_totals.pyfunc = _reciprocal_rank


def function_of_rows_whose_results_are_cast(grades, weights):
    """calls a function of np.vectorize other than one of rows"""
    return whole_totals(grades[:, :, 0])


def function_of_rows_whose_first_result_may_be_whole(grades, weights):
    """calls a function for each row, whose first result may be an integer"""
    return reciprocal_ranks(grades[:, :, 0])


def function_of_rows_by_a_subclass(grades, weights):
    """calls _total, which is not supported"""
    return totals_twice(grades[:, :, 0])


def function_of_rows_that_was_changed(grades, weights):
    """calls a function for each row, whose first result may be an integer"""
    return changed_totals(grades[:, :, 0])


def function_of_rows_along_topics(grades, weights):
    """calls apply_along_axis along an axis other than ranks"""
    return discounts_of(grades[:, 0, :])


discounts_of = np.vectorize(_total, signature="(n)->()")


def places_in_a_longer_array(grades, weights, pool):
    """reads entries by an array of positions other than the first ones"""
    scores = np.tile(np.arange(pool.shape[1], 0, -1.0), (grades.shape[0], 1))
    first = np.take_along_axis(pool[:, :, 0], np.argsort(-scores, axis=1)[:, :5], axis=1)
    return first.sum(axis=1) * grades[:, :, 0].sum(axis=1)


def places_of_rows_without_their_axis(grades, weights):
    """reads entries by an array of positions other than the first ones"""
    order = np.argsort(np.tile(np.arange(grades.shape[1]), (grades.shape[0], 1)), axis=1)
    return grades[:, :, 0][order].sum(axis=(1, 2))


def order_of_scores_that_may_be_nan(grades, weights):
    """sorts values other than the grades of the judged documents"""
    gains = grades[:, :, 0]
    order = np.argsort(np.arange(gains.shape[1]) + 1 / gains.sum(axis=1, keepdims=True), axis=1)
    return (np.take_along_axis(gains, order, axis=1) / np.arange(1, gains.shape[1] + 1)).sum(axis=1)


def cutoff_below_the_length(topic, ranking):
    """multiplies the score by whether the ranking is longer than a number"""
    cutoff = min(len(ranking), 700)
    return (1 if cutoff < len(ranking) else 2) * _hits(topic, ranking[:cutoff])


def list_over_filtered_documents(topic, ranking):
    """reads a list that a loop is filling, and changes it in another way than by append"""
    seen, total = [], 0.0
    for d in [d for d in ranking if topic.pool[d][0] > 0]:
        seen.append(d)
        total += topic.pool[d][0] / len(seen)
    return total


def row_of_integers_and_floats(grades, weights):
    """it calls a function for each row, whose first result may be an integer"""
    return np.apply_along_axis(lambda row: sum(min(1, g) for g in row), 1, grades[:, :, 0])


def dtype_of_the_smaller_ones(topic, ranking):
    """reads the attribute dtype of an array"""
    clipped = np.array([min(1, topic.pool[d][0]) for d in ranking[:12]])
    share = np.full(1, 0.5, dtype=clipped.dtype)
    return sum(topic.pool[d][0] for d in ranking) * share[0]


def dtype_of_falling_powers(topic, ranking):
    """reads the attribute dtype of an array"""
    powers = np.array([2**-i for i in range(len(ranking))])
    share = np.full(1, 0.5, dtype=powers.dtype)
    return sum(topic.pool[d][0] for d in ranking) * share[0]


def entries_of_a_set(topic, ranking):
    """reads an entry of a set, or of a list in the order of a set"""
    names = list(set(ranking))
    return sum(topic.pool[names[i]][0] / (i + 1) for i in range(len(ranking)))


def first_entry_of_a_set(topic, ranking):
    """reads an entry of a set, or of a list in the order of a set"""
    return topic.pool[tuple(set(ranking))[0]][0]  # noqa: RUF015


def intersection_of_a_list(topic, ranking):
    """calls intersection of a list or set of documents, which is not supported"""
    relevant = [d for d in topic.pool if topic.pool[d][0] > 0]
    return len(relevant.intersection(ranking))


def list_and_set(topic, ranking):
    """it computes with a list or set of documents, which is not supported"""
    return len(ranking & {d for d in topic.pool if topic.pool[d][0] > 0})


def reduce_of_topics(grades, weights):
    """sums over topics"""
    return np.add.reduce(grades[:, :, 0] / np.arange(1, grades.shape[1] + 1))


def reduce_of_the_smallest(grades, weights):
    """calls reduce of a function"""
    return np.minimum.reduce(grades[:, :, 0], axis=1)


def stack_by_aspect(grades, weights):
    """sums over topics"""
    return np.stack([grades[:, :, a].sum(axis=1) for a in range(grades.shape[2])]).sum(axis=1)


def integers_padded_by_a_half(grades, weights):
    """pads integers or booleans with a number that they may not hold"""
    found = np.cumsum(grades[:, :, 0] > 0, axis=1)
    before = np.pad(found[:, :-1], ((0, 0), (1, 0)), constant_values=0.5)
    return (grades[:, :, 0] * before).sum(axis=1)


def cumulated(x, start):
    return (x * start).sum()


def partial_of_an_array(topic, ranking):
    """calls functools.partial with an argument that is neither a constant nor a function"""
    start = np.ones(len(ranking))
    score = functools.partial(cumulated, start=start)
    start[0] = 0.0
    return score(np.array([topic.pool[d][0] for d in ranking]))


def positives_of_half(grades, weights):
    """divides by a sum of different terms"""
    rel = (grades[:, :, 0] > 0).astype(float)
    return (rel / (np.cumsum(rel, axis=1) + np.cumsum(1 - grades[:, :, 0], axis=1) + 1)).sum(axis=1)


def boolean_tensordot(grades, weights):
    """multiplies arrays of booleans or small integers with @ or dot"""
    rel = grades[:, :, 0] > 0
    return np.tensordot(rel, np.arange(rel.shape[1]) >= 0, axes=1)


def some_of_another_count(grades, weights):
    """tests a condition on sums over the ranking"""
    rel, top = (grades[:, :, 0] > 0).astype(int), (grades[:, :3, 0] > 0).astype(int)
    return np.where(top.sum(axis=1) > 0, 1 / (np.argmax(rel, axis=1) + 1), 0.0)


def running_total_of_one(grades, weights):
    """compares a grade with a value other than 0"""
    gains = grades[:, :, 0]
    return ((np.cumsum(gains, axis=1) == 1) / np.arange(1, gains.shape[1] + 1)).sum(axis=1)


def sign_of_a_rank(grades, weights):
    """calls np.sign on a number that may be negative"""
    return (np.sign(np.arange(grades.shape[1]) - 3) * grades[:, :, 0]).sum(axis=1)


def sign_of_a_difference(grades, weights):
    """may be negative"""
    gains = grades[:, :, 0]
    return (np.sign(gains - 0.5) / np.arange(1, gains.shape[1] + 1)).sum(axis=1)


class Tally:
    last = 0.0

    def __init__(self):
        self.total, self.parts = 0.0, []

    def add(self, x):
        self.total += x

    def keep(self, x):
        self.parts = x

    def note(self, x):
        self.last = x

    def added(self, x):
        self.total += x
        return self.total

    def hidden(self):
        return self.total


class Returned(Tally):
    def itself(self):
        return self


class Handed(Tally):
    def reader(self):
        return self.hidden


class Delayed(Tally):
    def reader(self):
        return lambda: self.total


class Above(Tally):
    def parent(self):
        return super()


class Fixed(NamedTuple):
    total: float


def object_with_two_names(topic, ranking):
    """changes other, which may refer to another object"""
    tally = Tally()
    other = tally
    for d in ranking:
        other.add(topic.pool[d][0])
    return tally.total


def object_in_a_list(topic, ranking):
    """changes tally, which another variable may refer to"""
    tally = Tally()
    held = [tally]
    for d in ranking:
        tally.add(topic.pool[d][0])
    return held[0].total


def object_of_the_caller(topic, ranking):
    """changes tally, which belongs to the caller"""

    def add(tally, x):
        tally.add(x)
        return x

    tally = Tally()
    return sum(add(tally, topic.pool[d][0]) for d in ranking) + tally.total


def object_that_a_function_reads(topic, ranking):
    """changes tally after defining a function or generator that reads it"""
    tally = Tally()

    def total():
        return tally.total

    for d in ranking:
        tally.add(topic.pool[d][0])
    return total()


def object_that_a_generator_reads(topic, ranking):
    """changes tally after defining a function or generator that reads it"""
    tally = Tally()
    totals = (tally.total for _ in ranking)
    for d in ranking:
        tally.add(topic.pool[d][0])
    return sum(totals)


def object_that_a_method_returns(topic, ranking):
    """changes an object to which one of its methods may leave a reference"""
    tally = Returned()
    other = tally.itself()
    for d in ranking:
        tally.add(topic.pool[d][0])
    return other.total


def object_of_a_method_that_is_returned(topic, ranking):
    """changes an object to which one of its methods may leave a reference"""
    tally = Handed()
    read = tally.reader()
    for d in ranking:
        tally.add(topic.pool[d][0])
    return read()


def object_of_a_lambda(topic, ranking):
    """changes an object to which one of its methods may leave a reference"""
    tally = Delayed()
    read = tally.reader()
    for d in ranking:
        tally.add(topic.pool[d][0])
    return read()


def object_of_a_parent(topic, ranking):
    """changes an object to which one of its methods may leave a reference"""
    tally = Above()
    parent = tally.parent()
    for d in ranking:
        tally.add(topic.pool[d][0])
    return parent.hidden()


def object_changed_in_an_expression(topic, ranking):
    """sets the attribute total outside __init__"""
    tally = Tally()
    return sum(tally.added(topic.pool[d][0]) for d in ranking)


def object_that_keeps_a_list(topic, ranking):
    """changes gains, which another variable may refer to"""
    tally, gains = Tally(), []
    tally.keep(gains)
    for d in ranking:
        gains.append(topic.pool[d][0])
    return sum(tally.parts)


def object_with_an_attribute_of_its_class(topic, ranking):
    """updates a function, a class or an object from rank to rank"""
    tally = Tally()
    for d in ranking:
        tally.note(topic.pool[d][0])
    return tally.last


def object_whose_method_has_a_name(topic, ranking):
    """changes tally, which another variable may refer to"""
    tally = Tally()
    total = tally.hidden
    for d in ranking:
        tally.add(topic.pool[d][0])
    return total()


def object_that_is_a_tuple(topic, ranking):
    """changes an object of Fixed, whose fields cannot be set"""
    tally = Fixed(1.0)
    for d in ranking:
        tally._replace(total=topic.pool[d][0])
    return tally.total


def object_that_remembers_aspects(topic, ranking):
    """updates tally from one aspect or topic to the next"""
    tally = Tally()
    for a, w in enumerate(topic.weights):
        tally.add(w * sum(topic.pool[d][a] for d in ranking))
    return tally.total


def named_where_it_may_not_be_evaluated(topic, ranking):
    """uses := in an expression"""
    total = g = 0.0
    for i, d in enumerate(ranking):
        if i < 3 and (g := topic.pool[d][0]) > 0:
            pass
        total += g
    return total


def named_in_a_comprehension_and_read_later(topic, ranking):
    """uses := in an expression"""
    g = 0.0
    return sum(g for d in ranking if (g := topic.pool[d][0]) > 0) + g


def budget_that_runs_out(topic, ranking):
    """compares a number that may be negative with 0"""
    left, total = 5000.0, 0.0
    for i, d in enumerate(ranking, 1):
        left -= topic.pool[d][0]
        total += topic.pool[d][0] / i
    return total if left > 0 else 0.0


def budget_of_an_array(grades, weights):
    """compares a number that may be negative with 0"""
    x = grades[:, :, 0]
    return np.where(5000 + (-x).sum(axis=1) > 0, x.sum(axis=1), 0.0)


def budget_of_hits(topic, ranking):
    """compares a number that may be negative with 0"""
    left, total = 5000, 0.0
    for d in ranking:
        total += topic.pool[d][0]
        if topic.pool[d][0] > 0:
            left -= 1
    return total if left >= 1 else 0.0


def budget_per_aspect(grades, weights):
    """compares a number that may be negative with 0"""
    left = 5000 + np.sum(-grades, axis=1)
    return ((left > 0) * weights * grades.sum(axis=1)).sum(axis=1)


def penalty_that_a_grade_hides(topic, ranking):
    """compares a number that may be negative with 0"""
    total = above = twice = penalty = 0.0
    for i, d in enumerate(ranking, 1):
        x = topic.pool[d][0]
        if x + penalty > 0:
            total += x / i
        penalty = -2 * twice
        twice, above = x * above, x
    return total


def guard_of_a_product(topic, ranking):
    """compares a number that may be negative with 0"""
    left, total = 1.0, 0.0
    for i, d in enumerate(ranking, 1):
        total += left * topic.pool[d][0] / i
        left *= 1 - topic.pool[d][0]
    return total if left > 0 else 1.0


class Begun(Tally):
    def begin(self, x):
        self.__init__()
        self.total += x


class Bound(Tally):
    def __init__(self):
        super().__init__()
        self.read = self.hidden


class Inherited(Tally):
    def __init__(self):
        super().__init__()
        self.read = super().hidden


class Unnamed(Tally):
    def itself(*every):
        return every[0]


def object_that_begins_again(topic, ranking):
    """changes an object to which one of its methods may leave a reference"""
    tally = Begun()
    for d in ranking:
        tally.begin(topic.pool[d][0])
    return tally.total


def object_that_is_made_again(topic, ranking):
    """changes tally by its __init__, or by a method that gets it as an argument"""
    tally = Tally()
    for i, d in enumerate(ranking):
        tally.add(topic.pool[d][0])
        if i > 30:
            tally.__init__()
    return tally.total


def object_that_has_its_method(topic, ranking):
    """changes an object to which one of its methods may leave a reference"""
    tally = Bound()
    for d in ranking:
        tally.add(topic.pool[d][0])
    return tally.read()


def object_that_has_a_method_of_its_base(topic, ranking):
    """changes an object to which one of its methods may leave a reference"""
    tally = Inherited()
    for d in ranking:
        tally.add(topic.pool[d][0])
    return tally.read()


def object_without_a_name_in_its_method(topic, ranking):
    """changes an object to which one of its methods may leave a reference"""
    tally = Unnamed()
    other = tally.itself()
    for d in ranking:
        tally.add(topic.pool[d][0])
    return other.total


def object_that_gets_itself(topic, ranking):
    """changes tally by its __init__, or by a method that gets it as an argument"""
    tally = Tally()
    for d in ranking:
        tally.add(topic.pool[d][0])
    # fmt: off
    tally.keep(
        tally)
    # fmt: on
    return tally.total


def assigned_from_a_parameter(topic, ranking, seen=0.0):
    """uses := in an expression: use a separate assignment"""
    return sum(seen / i for i, d in enumerate(ranking, 1) if (seen := seen + topic.pool[d][0]) > 0)


def assigned_to_a_parameter(topic, ranking, seen=0.0):
    """uses := in an expression: use a separate assignment"""
    return sum(seen / i for i, d in enumerate(ranking, 1) if (seen := topic.pool[d][0]) > 0)


def sum_from_a_boolean(grades, weights):
    """calls sum with a boolean to start from, to which numpy does not add booleans: start from 0"""
    return np.array([sum((g > 0 for g in row), False) for row in grades[:, :, 0]])


def boolean_or_number(grades, weights):
    """chooses between a boolean and a number: write 1 and 0 for True and False"""
    scores = []
    for row in grades[:, :, 0]:
        total = 0.0
        for g in row:
            hit = g > 0 or 0
            total += hit + hit
        scores.append(total)
    return np.array(scores)


def number_then_boolean(grades, weights):
    """sets before to a number and then to a boolean: write 1 and 0 for True and False"""
    scores = []
    for row in grades[:, :, 0]:
        total, before = 0.0, 0
        for g in row:
            hit = g > 0
            total += before + hit
            before = hit
        scores.append(total)
    return np.array(scores)


def floats_in_an_integer_array(topic, ranking):
    """as an int that starts as one and gets floats in a loop: start at 0.0"""
    sums, total = np.zeros(len(ranking), dtype=int), 0
    for i, d in enumerate(ranking):
        sums[i] = total
        total += topic.pool[d][0]
    return float(sum(s / i for i, s in enumerate(sums, start=1)))


def floats_cast_to_integers(topic, ranking):
    """as an int that starts as one and gets floats in a loop: start at 0.0"""
    sums, total = [], 0
    for d in ranking:
        sums.append(total)
        total += topic.pool[d][0]
    return float(np.array(sums, dtype=int).sum())


def float_by_way_of_an_integer(topic, ranking):
    """as an int that starts as one and gets floats in a loop: start at 0.0"""
    total, left, wait = 0.0, 1, 0
    for d in ranking:
        total += topic.pool[d][0] if wait >= 1 else 0
        wait += left
        left *= 1 - topic.pool[d][0] / 2
    return total


def dtype_of_its_numbers(topic, ranking):
    """changes an array, and makes one whose dtype depends on its numbers: set its dtype"""
    gains = np.array([1 if topic.pool[d][0] > 0 else 0.5 for d in ranking])
    for i, d in enumerate(ranking):
        gains[i] = gains[i] * topic.pool[d][0]
    return float(gains.sum())


def array_without_axes(topic, ranking):
    """creates a 0-d array with tensordot, which is not supported: use np.dot"""
    gains = np.array([topic.pool[d][0] for d in ranking])
    total = np.tensordot(gains, 0.5 ** np.arange(len(gains)), axes=1)
    best = total
    best += 1
    return float(total)


class Values:
    def __init__(self):
        self.values = []

    def add(self, x):
        self.values.append(x)

    def reader(self):
        return self.values

    def each(self):
        yield from (x for x in self.values)


class Given:
    def __init__(self, values):
        self.values = values

    def add(self, x):
        self.values.append(x)


class Common:
    values = []  # noqa: RUF012

    def add(self, x):
        self.values.append(x)


class Tied:
    def __init__(self):
        self.one, self.other = [], []

    def tie(self):
        self.other = self.one

    def add(self, x):
        self.one.append(x)


class Growing:
    def __init__(self):
        self.values = []

    def add(self, x):
        self.values.append(x)

    def double(self):
        for x in self.values:
            self.add(x)


class Asked:
    def __init__(self):
        self.total = 0.0

    def score(self, gains):
        for x in gains:
            self.total += x
        return self.total


ASKED = Asked()


class Begins:
    x = 1.0

    def __init__(self, gains):
        self.reader = self.read
        for _ in gains:
            self.x = 2.0
        self.y = self.reader()

    def read(self):
        return self.x


class Half:
    def __init__(self, gains):
        self.one = np.array([1.0])
        self.other = self.one
        self.one *= 3


def list_of_an_object_with_another_name(topic, ranking):
    """refers to values, which a method changes in place"""
    m = Values()
    seen = m.values
    for d in ranking:
        m.add(topic.pool[d][0])
    return sum(seen)


def list_of_an_object_that_a_method_returns(topic, ranking):
    """refers to values, which a method changes in place"""
    m = Values()
    seen = m.reader()
    for d in ranking:
        m.add(topic.pool[d][0])
    return sum(seen)


def list_of_an_object_that_is_read_late(topic, ranking):
    """refers to values, which a method changes in place"""
    m = Values()
    seen = m.each()
    for d in ranking:
        m.add(topic.pool[d][0])
    return sum(seen)


def list_of_the_caller_in_an_object(topic, ranking):
    """changes the attribute values, which methods set to something else than a new list"""
    rows = []
    m = Given(rows)
    for d in ranking:
        m.add(topic.pool[d][0])
    return sum(rows)


def list_of_a_class(topic, ranking):
    """changes an object to which one of its methods may leave a reference"""
    m = Common()
    for d in ranking:
        m.add(topic.pool[d][0])
    return sum(m.values)


def lists_of_an_object_that_become_one(topic, ranking):
    """refers to one, which a method changes in place"""
    m = Tied()
    m.tie()
    for d in ranking:
        m.add(topic.pool[d][0])
    return sum(m.other)


def list_of_an_object_that_grows_while_it_is_read(topic, ranking):
    """changes self in a loop over it"""
    m = Growing()
    for x in [1.0, 2.0]:
        m.add(x)
    m.double()
    return sum(topic.pool[d][0] for d in ranking) * len(m.values)


def object_that_is_asked_twice(topic, ranking):
    """sets the attribute total outside __init__, or in a method that has a value"""
    m, gains = Asked(), [topic.pool[d][0] for d in ranking]
    first = m.score(gains)
    return m.score(gains) - first


def object_that_is_asked_and_read_in_a_loop(topic, ranking):
    """sets the attribute total outside __init__, or in a method that has a value"""
    m = Asked()
    first = m.score([topic.pool[d][0] for d in ranking])
    return first + sum(m.total for d in ranking)


def object_that_is_asked_in_a_loop(topic, ranking):
    """sets the attribute total outside __init__, or in a method that has a value"""
    m, total = Asked(), 0.0
    for d in ranking:
        total += m.score([topic.pool[d][0]])
    return total


def object_that_is_kept_for_the_next_call(topic, ranking):
    """updates self from rank to rank"""
    return ASKED.score([topic.pool[d][0] for d in ranking])


def object_whose_loop_in_init_changes_what_is_left(topic, ranking):
    """changes an object to which one of its methods may leave a reference"""
    return Begins([topic.pool[d][0] for d in ranking]).y * sum(topic.pool[d][0] for d in ranking)


def array_of_an_object_with_two_names(topic, ranking):
    """changes the attribute one with an operator: set it to a new value"""
    return Half(0).other[0] * sum(topic.pool[d][0] for d in ranking)


def match_that_names_a_grade(topic, ranking):
    """uses match with a pattern that is not a constant: use if"""
    total = 0.0
    for d in ranking:
        grade = topic.pool[d][0]
        match grade:
            case True:
                total += 5
            case other:
                total += other
    return total


def match_with_a_guard(topic, ranking):
    """uses match with a guard: use if"""
    total = 0.0
    for i, d in enumerate(ranking, 1):
        match i:
            case 1 if total > 0:
                total += 1
            case _:
                total += topic.pool[d][0]
    return total


def finally_after_a_return(topic, ranking):
    """catches exceptions in an unsupported way"""
    total = 0.0
    for d in ranking:
        total += topic.pool[d][0]
    try:
        return total
    finally:
        total += 1


ONE_FOR_ALL = Tally()


@dataclass
class Held:
    grade: float
    tally: Tally = ONE_FOR_ALL


def object_that_is_a_default(topic, ranking):
    """changes the attribute tally in a method that is called for its value: call it on its own"""
    for d in ranking:
        held = Held(topic.pool[d][0])
        held.tally.add(held.grade)
    return Held(0.0).tally.total


class Summing:
    def __init__(self):
        self.total = 0.0

    def step(self, grade):
        self.total += grade
        return self.total


def object_changed_by_a_lambda(topic, ranking):
    """sets the attribute total"""
    summing = Summing()
    step = lambda grade: summing.step(grade)
    return sum(step(topic.pool[d][0]) / i for i, d in enumerate(ranking, start=1))


def object_changed_by_a_helper(topic, ranking):
    """sets the attribute total"""
    summing = Summing()

    def grown(grade):
        return summing.step(grade)

    return grown(topic.pool[ranking[0]][0]) + grown(1.0) if ranking else 0.0


def object_changed_by_its_parameter(topic, ranking):
    """sets the attribute total"""

    def grown(one):
        return one.step(1.0)

    summing = Summing()
    return (grown(summing) + grown(summing)) * sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1))


def largest_of_one_or_none(topic, ranking):
    """takes the maximum of a filtered array"""
    total = 0.0
    for i, d in enumerate(ranking, start=1):
        total += max([g for g in topic.pool[d] if g > 0], default=0.25) / i
    return total


def false_is_0(topic, ranking):
    """calls add of a set, which is not supported"""
    seen, total = set(), 0.0
    for i, d in enumerate(ranking, start=1):
        if topic.pool[d][0] > 0:
            seen.add(False)
        total += (0 in seen) / i
    return total


def set_in_a_dictionary(topic, ranking):
    """changes a, which may refer to another object"""
    aspects = {d: {t for t, g in enumerate(grades) if g > 0} for d, grades in topic.pool.items()}
    total = 0.0
    for i, d in enumerate(ranking, start=1):
        a = aspects[d]
        a.add(0)
        total += len(aspects[d]) / i
    return total


def else_of_one_or_none(topic, ranking):
    """uses for ... else with a loop that is not over ranks"""
    total = 0.0
    for i, d in enumerate(ranking, start=1):
        for _ in [g for g in topic.pool[d] if g > 0]:
            total += 1 / i
        else:
            total += 0.5 / i
    return total


def list_beside_a_set(topic, ranking):
    """compares a set with a list or tuple"""
    aspects = {d: [t for t, g in enumerate(grades) if g > 0] for d, grades in topic.pool.items()}
    return sum((1 if aspects[d] == [0] else 0.5) / i for i, d in enumerate(ranking, start=1))


def mean_of_none(topic, ranking):
    """multiplies two sums over aspects"""
    found = []
    for t in range(len(topic.weights)):
        n = sum(1 for g in topic.pool.values() if g[t] > 0)
        if n:
            found.append(sum(topic.pool[d][t] for d in ranking) / n)
    return float(np.mean(found))


@dataclass(frozen=True)
class Frozen:
    k: float = 0.5


class NotFrozen(Frozen):
    def __init__(self, k):
        super().__init__(1.0)
        self.m = k


def below_a_frozen_class(topic, ranking):
    """reads __init__ of a class with a metaclass, __new__, __getattr__ or the like"""
    return sum(topic.pool[d][0] * NotFrozen(0.25).k for d in ranking)


@dataclass(frozen=True)
class FrozenAfterwards:
    k: float = 0.5

    def __post_init__(self):
        object.__setattr__(self, "k", 0.75)


def changed_when_made(topic, ranking):
    """reads __init__ of a class with a metaclass, __new__, __getattr__ or the like"""
    return sum(topic.pool[d][0] * FrozenAfterwards().k ** i for i, d in enumerate(ranking))


class Ticks:
    def __init__(self):
        self.n = 0

    def step(self):
        self.n += 1
        return self.n


def default_that_counts(topic, ranking, ticks=Ticks()):
    """sets the attribute n outside __init__, or in a method that has a value"""
    return sum(topic.pool[d][0] / ticks.step() for d in ranking)


def sorted_by_two_names(topic, ranking):
    """changes pairs, which another variable may refer to"""
    pairs = [(d, g[0]) for d, g in topic.pool.items()]
    other = pairs
    pairs.sort(key=lambda pair: -pair[1])
    ideal = sum(g / i for i, (_, g) in enumerate(other, start=1))
    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1)) / ideal if ideal else 0.0


def greedy_by_hits(topic, ranking):
    """chooses documents by whether their grade is positive, and reads their grades"""
    aspects = {d: sum(g > 0 for g in grades[:1]) for d, grades in topic.pool.items()}
    left, best, n = list(topic.pool), [], 0
    while left and len(best) < 3:
        taken = max(left, key=lambda d: aspects[d] * 0.5**n)
        left.remove(taken)
        best.append(taken)
        n += aspects[taken]
    ideal = sum(topic.pool[d][0] / i for i, d in enumerate(best, start=1))
    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking[:3], start=1)) / ideal if ideal > 0 else 0.0


def greedy_worst_first(topic, ranking):
    """chooses documents by a key that is not the grade times a positive number"""
    aspects = {d: sum(g > 0 for g in grades[:1]) for d, grades in topic.pool.items()}
    left, best, n = list(topic.pool), [], 0
    while left and len(best) < 3:
        taken = max(left, key=lambda d: -aspects[d])
        left.remove(taken)
        best.append(taken)
        n += aspects[taken]
    ideal = sum(aspects[d] / i for i, d in enumerate(best, start=1))
    return sum(aspects[d] / i for i, d in enumerate(ranking[:3], start=1)) / ideal if ideal > 0 else 0.0


def greedy_by_a_key_that_may_be_0(topic, ranking):
    """chooses documents by a key that is not the grade times a positive number"""
    aspects = {d: sum(g > 0 for g in grades[:1]) for d, grades in topic.pool.items()}
    left, best, n = list(topic.pool), [], 0
    while left and len(best) < 3:
        taken = max(left, key=lambda d: aspects[d] * (1 if n == 0 else 0))
        left.remove(taken)
        best.append(taken)
        n += aspects[taken]
    ideal = sum(aspects[d] / i for i, d in enumerate(best, start=1))
    return sum(aspects[d] / i for i, d in enumerate(ranking[:3], start=1)) / ideal if ideal > 0 else 0.0


def greedy_of_the_ranking(topic, ranking):
    """chooses the best of other documents than the judged ones"""
    aspects = {d: sum(g > 0 for g in grades[:1]) for d, grades in topic.pool.items()}
    left, best, n = list(ranking), [], 0
    while left and len(best) < 3:
        taken = max(left, key=lambda d: aspects[d])
        left.remove(taken)
        best.append(taken)
        n += aspects[taken]
    ideal = sum(aspects[d] / i for i, d in enumerate(best, start=1))
    return sum(aspects[d] / i for i, d in enumerate(ranking[:3], start=1)) / ideal if ideal > 0 else 0.0


def greedy_with_two_names(topic, ranking):
    """changes left, which another variable may refer to"""
    aspects = {d: sum(g > 0 for g in grades[:1]) for d, grades in topic.pool.items()}
    left, best, n = list(topic.pool), [], 0
    other = left
    while left and len(best) < 3:
        taken = max(left, key=lambda d: aspects[d])
        left.remove(taken)
        best.append(taken)
        n += aspects[taken]
    ideal = sum(aspects[d] / i for i, d in enumerate(best, start=1))
    return sum(aspects[d] / i for i, d in enumerate(ranking[:3], start=1)) / (ideal + len(other)) if ideal > 0 else 0.0


def greedy_list_read_later(topic, ranking):
    """uses left, from which a loop removes documents"""
    aspects = {d: sum(g > 0 for g in grades[:1]) for d, grades in topic.pool.items()}
    left, best, n = list(topic.pool), [], 0
    while left and len(best) < 3:
        taken = max(left, key=lambda d: aspects[d])
        left.remove(taken)
        best.append(taken)
        n += aspects[taken]
    ideal = sum(aspects[d] / i for i, d in enumerate(best, start=1))
    return sum(aspects[d] / i for i, d in enumerate(ranking[:3], start=1)) / (ideal + len(left)) if ideal > 0 else 0.0


def one_list_twice(topic, ranking):
    """changes entries of parts, which may be one object"""
    one = []
    parts = {"a": one, "b": one}
    for i, d in enumerate(ranking, start=1):
        parts["a"].append(topic.pool[d][0] / i)
    return sum(parts["b"])


def list_in_a_list_with_a_name(topic, ranking):
    """reads parts before its last change"""
    parts = [[], []]
    first = parts[0]
    for i, d in enumerate(ranking, start=1):
        parts[0].append(topic.pool[d][0] / i)
    return sum(first)


def greedy_read_before_the_choice(topic, ranking):
    """chooses the best document from left in a loop of a form that is not supported"""
    grades = {d: g[0] for d, g in topic.pool.items()}
    left, taken, n, ideal = list(grades), ranking[0], 0.0, 0.0
    while left:
        n += grades[taken]
        taken = max(left, key=lambda d: grades[d])
        left.remove(taken)
        ideal += n * grades[taken]
    return sum(topic.pool[d][0] for d in ranking[:3]) / ideal if ideal > 0 else 0.0


def dictionary_stored_as_an_entry(topic, ranking):
    """stores entries in results that may be shared"""
    part, results = {}, {}
    part["x"] = sum(topic.pool[d][0] / i for i, d in enumerate(ranking, 1))
    results["y"] = part
    results["y"]["x"] = 2.0
    return part["x"]


def entry_stored_in_another_entry(topic, ranking):
    """stores entries in parts that may be shared"""
    parts = {"a": {}, "b": {}}
    parts["b"]["x"] = sum(topic.pool[d][0] / i for i, d in enumerate(ranking, 1))
    parts["a"].update({"y": parts["b"]})
    parts["b"]["x"] = 2.0
    return parts["a"]["y"]["x"]


def greedy_with_a_limit_that_changes(topic, ranking):
    """chooses the best document from left in a loop of a form that is not supported"""
    limits, left, best = {"k": 5}, list(topic.pool), []
    while left and len(best) < limits["k"]:
        chosen = max(left, key=lambda d: topic.pool[d][0])
        left.remove(chosen)
        best.append(chosen)
        limits["k"] = 3
    ideal = sum(topic.pool[d][0] / i for i, d in enumerate(best, 1))
    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking[:5], 1)) / ideal if ideal > 0 else 0.0
