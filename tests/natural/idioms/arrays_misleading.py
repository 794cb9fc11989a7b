"""Array code that a careless derivation takes for a plain sum over ranks; each docstring has a part of the reason."""

import functools
import itertools
import operator

import numpy as np

from tests.natural.idioms.arrays_followed import flags, numbers_of


def by_rank(values):
    return np.sum(values / np.arange(1, len(values) + 1))


def grades_of_32_bits(topic, ranking):
    """computes with float32 or small integers, which may lose digits: use float64 or int64"""
    return by_rank(np.array([topic.pool[d][0] for d in ranking], dtype=np.float32))


def fraction_of_32_bits(topic, ranking):
    """computes with float32 or small integers, which may lose digits"""
    return np.sum(0.1 * flags(topic, ranking, np.float32))


def quotient_by_32_bits(topic, ranking):
    """divides float32 or small integers, which loses digits: convert them to float64"""
    hits = flags(topic, ranking, np.float32)
    return np.sum(hits * np.cumsum(hits) / (np.cumsum(hits) + np.cumsum(1 - hits)))


def sum_of_32_bits_by_a_count(topic, ranking):
    """divides float32 or small integers, which loses digits"""
    return float(np.sum(flags(topic, ranking, np.float32)[:7]) / 7)


def mean_of_32_bits(topic, ranking):
    """takes the mean of float32 numbers, which loses digits: convert them to float64"""
    return float(np.mean(flags(topic, ranking, np.float32)[:7]))


def number_that_becomes_one_of_32_bits(topic, ranking):
    """computes with float32 or small integers, which may lose digits: use float64 or int64"""
    found, total = 0, 0.0
    for i, hit in enumerate(flags(topic, ranking, np.float32), start=1):
        total += found / i * (hit > 0)
        found += hit
    return float(total)


def logarithm_of_32_bits(topic, ranking):
    """takes the logarithm of booleans, float32 or small integers: convert them to float64"""
    ranks = np.arange(1, len(ranking) + 1, dtype=np.float32)
    return np.sum(flags(topic, ranking, float) / np.log2(ranks + 1))


def power_of_32_bits(topic, ranking):
    """raises float32 or small integers to powers, which loses digits: convert them to float64"""
    return np.sum(flags(topic, ranking, float) * 0.8 ** np.arange(len(ranking), dtype=np.float32))


def choice_of_a_fraction_of_32_bits(topic, ranking):
    """computes with float32 or small integers, which may lose digits"""
    hits = flags(topic, ranking, np.float32)
    return by_rank(np.where(hits > 0, 0.3, hits))


def grade_in_an_array_of_32_bits(topic, ranking):
    """computes with float32 or small integers, which may lose digits"""
    gains = np.zeros_like(flags(topic, ranking, np.float32))
    for i, d in enumerate(ranking):
        gains[i] = topic.pool[d][0]
    return by_rank(gains)


def first_entry_of_an_integer_array(topic, ranking):
    """writes floats into an integer array, which truncates them: use a float array"""
    first = np.zeros(len(ranking), dtype=int)
    first[0] = 0.5
    return by_rank((1 + first) * flags(topic, ranking, float))


def sum_of_tiny_integers(topic, ranking):
    """calls sum on float32 or small integers, which loses digits: convert them to float64"""
    return sum(flags(topic, ranking, np.int8)) / 5


def count_of_tiny_integers(topic, ranking):
    """adds numbers with a dtype of 16 bits or fewer, which overflows: use float64 or int64"""
    hits = flags(topic, ranking, np.int8)
    return by_rank(hits * np.cumsum(hits, dtype=np.int8))


def count_in_tiny_integers(topic, ranking):
    """computes with float32 or small integers, which may lose digits"""
    found = np.zeros(len(ranking), dtype=np.int8)
    for i, d in enumerate(ranking):
        if topic.pool[d][0] > 0:
            found[i] = i + 1
    return by_rank(found)


def tiny_integers_below_0(topic, ranking):
    """uses dtype uint8, which is not supported: use float64"""
    return by_rank(flags(topic, ranking, np.uint8) - 1)


def tiny_integers_of_two(topic, ranking):
    """computes with float32 or small integers, which may lose digits"""
    hits = flags(topic, ranking, np.int8)
    return by_rank(hits + hits)


def product_of_tiny_integers(topic, ranking):
    """multiplies arrays of booleans or small integers with @ or dot: convert them to float"""
    hits = flags(topic, ranking, np.int8)
    return float(hits @ hits) / 10


def tiny_integers_added_one_by_one(topic, ranking):
    """accumulates booleans or small integers, whose sum has their type"""
    hits = flags(topic, ranking, np.int8)
    return sum(x * c / i for i, (x, c) in enumerate(zip(hits, itertools.accumulate(hits)), 1))


def tiny_integers_reduced(topic, ranking):
    """reduces booleans or small integers, whose sum has their type"""
    return functools.reduce(operator.add, flags(topic, ranking, np.int8), 0) / 5


def squares_of_32_bits(topic, ranking):
    """computes with float32 or small integers, which may lose digits"""
    ranks = np.arange(1, len(ranking) + 1, dtype=np.int32)
    return np.sum(flags(topic, ranking, float) / (ranks * ranks))


def floats_that_round_below_1(topic, ranking):
    """converts floats to int, which is not supported"""
    return by_rank((flags(topic, ranking, float) * (1 / 49) * 49).astype(int))


def largest_of_a_count_of_32_bits_and_a_fraction(grades, weights, pool):
    """computes with float32 or small integers, which may lose digits"""
    count = (pool[:, :, 0] > 0).astype(np.float32).sum(axis=1)
    return (grades[:, :, 0] > 0).sum(axis=1) / np.maximum(count, 1e-9)


def last_entry_that_comes_first(topic, ranking):
    """reads an array that may have unset entries: use np.zeros, or set entry 0 after np.roll"""
    grades = np.array([topic.pool[d][0] for d in ranking])
    return by_rank(np.roll(np.cumprod(1 - grades), 1) * grades)


def rolled_under_another_name(topic, ranking):
    """reads an array that may have unset entries"""
    grades = np.array([topic.pool[d][0] for d in ranking])
    left = np.roll(np.cumprod(1 - grades), 1)
    other = left
    left[0] = 1
    return by_rank(other * grades)


def rolled_back(topic, ranking):
    """calls np.roll with a shift other than 1, or along an axis other than ranks"""
    grades = np.array([topic.pool[d][0] for d in ranking])
    left = np.roll(np.cumprod(1 - grades), -1)
    left[0] = 1
    return by_rank(left * grades)


def rolled_over_topics(grades, weights):
    """calls np.roll with a shift other than 1, or along an axis other than ranks"""
    found = np.roll(np.cumsum(grades[:, :, 0] > 0, axis=1), 1)
    found[:, 0] = 0
    return (grades[:, :, 0] * found / np.arange(1, grades.shape[1] + 1)).sum(axis=1)


def rolled_integers(topic, ranking):
    """writes floats into an integer array, which truncates them: use a float array"""
    hits = flags(topic, ranking, int)
    left = np.roll(np.cumprod(1 - hits), 1)
    left[0] = 0.5
    return by_rank(left * hits)


def rolled_under_a_condition(topic, ranking):
    """reads an array that may have unset entries"""
    grades = np.array([topic.pool[d][0] for d in ranking])
    left = np.roll(np.cumprod(1 - grades), 1)
    if len(grades) > 3:
        left[0] = 1
    return by_rank(left * grades)


def all_but_the_first(topic, ranking):
    """slices ranks with a step or in a way that skips ranks"""
    return by_rank(np.array([topic.pool[d][0] for d in ranking])[1:])


def ranks_after_the_first_of_one_more(topic, ranking):
    """slices ranks with a step or in a way that skips ranks"""
    return np.sum(flags(topic, ranking, float) / np.arange(1, len(ranking) + 2)[1:])


def differences_of_flags(topic, ranking):
    """adds or subtracts booleans, which numpy does not treat as numbers: convert them to float"""
    return by_rank(np.diff(flags(topic, ranking, bool), prepend=False))


def axis_in_the_text_of_r(topic, ranking):
    """joins slices, texts or small integers with np.r_: use np.concatenate"""
    return np.sum(np.r_["0,2", 1.0, flags(topic, ranking, float)])


def largest_grade_so_far(topic, ranking):
    """takes the running maximum of numbers other than 0 and 1, which is not supported"""
    return by_rank(np.maximum.accumulate(np.array([topic.pool[d][0] for d in ranking])))


def item_of_a_ranking(topic, ranking):
    """calls item() of an array with several entries"""
    return np.array([topic.pool[d][0] for d in ranking]).item()


def integers_filled_by_first_hits(grades, weights):
    """writes floats into an integer array, which truncates them: use a float array"""
    hits = (grades[:, :, 0] > 0).astype(int)
    scores = np.zeros_like(hits.argmax(axis=1))
    for row, place in enumerate(hits.argmax(axis=1)):
        scores[row] = hits[row, place] / (place + 1)
    return scores


def truth_of(topic):
    return np.array([g[0] for g in topic.pool.values()])


def at_numbers(values, number, ranking):
    return sum(values[number[d]] / i for i, d in enumerate(ranking, start=1))


def numbers_in_the_order_of_a_set(topic, ranking):
    """uses numbers of documents, and loops over a set of documents, which has no order"""
    return at_numbers(truth_of(topic), {d: i for i, d in enumerate(set(topic.pool))}, ranking)


def grades_in_the_order_of_a_set(topic, ranking):
    """uses numbers of documents, and loops over a set of documents, which has no order"""
    return at_numbers(np.array([topic.pool[d][0] for d in set(topic.pool)]), numbers_of(topic), ranking)


def places_in_the_order_of_a_set(topic, ranking):
    """uses numbers of documents, and loops over a set of documents, which has no order"""
    places = set(np.flatnonzero(np.array([topic.pool[d][0] for d in set(topic.pool)])))
    both = len(places & {x for d, x in numbers_of(topic).items() if topic.pool[d][0] > 0})
    return sum(topic.pool[d][0] for d in ranking) / both if both else 0.0


def grades_of_some_documents(topic, ranking):
    """reads an entry of a filtered list, which is not supported"""
    return at_numbers(np.array([g[0] for g in topic.pool.values() if g[0] > 0]), numbers_of(topic), ranking)


def numbers_beside_one_more_entry(topic, ranking):
    """uses the number of a document as an index of an array that is not over the judged documents"""
    return at_numbers(np.r_[0.0, truth_of(topic)], numbers_of(topic), ranking)


def numbers_in_sorted_grades(topic, ranking):
    """uses the number of a document as an index of an array that is not over the judged documents"""
    return at_numbers(np.sort(truth_of(topic))[::-1], numbers_of(topic), ranking)


def numbers_in_an_array_of_ranks(topic, ranking):
    """uses the number of a document as an index of an array that is not over the judged documents"""
    return at_numbers(np.array([topic.pool[d][0] for d in ranking]), numbers_of(topic), ranking)


def ranks_as_numbers(topic, ranking):
    """tests if a number is in a set of tuples, which is not supported"""
    relevant = {x for d, x in numbers_of(topic).items() if topic.pool[d][0] > 0}
    return sum((i in relevant) / (i + 1) for i, d in enumerate(ranking))


def documents_as_numbers(topic, ranking):
    """tests if the name of a document is in a set of tuples, which is not supported"""
    relevant = {x for d, x in numbers_of(topic).items() if topic.pool[d][0] > 0}
    return sum((topic.pool[d][0] + (d in relevant)) / i for i, d in enumerate(ranking, start=1))


def numbers_from_one(topic, ranking):
    """looks up the rank of a document, or a value computed from the rank, in another order"""
    return at_numbers(truth_of(topic), {d: i for i, d in enumerate(topic.pool, start=1)}, ranking)


def grades_beside_another_document(topic, ranking):
    """looks up the rank of a document, or a value computed from the rank, in another order"""
    truth = np.roll(truth_of(topic), 1)
    truth[0] = 0.5
    return at_numbers(truth, numbers_of(topic), ranking)


def sum_of_numbers(topic, ranking):
    """computes with the numbers of documents, which are only supported as indices"""
    number = numbers_of(topic)
    return sum(number[d] / i for i, d in enumerate(ranking, start=1))


def number_that_is_true(topic, ranking):
    """compares a number that may be negative with 0"""
    number = numbers_of(topic)
    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1) if number[d])


def two_arrays_of_numbers(topic, ranking):
    """indexes an array by the numbers of documents and by another array"""
    number, table = numbers_of(topic), np.array(list(topic.pool.values()))
    ranked = np.array([number[d] for d in ranking])
    return table[ranked, ranked].sum()


def integers_at_numbers(topic, ranking):
    """writes floats into an integer array, which truncates them: use a float array"""
    number, truth = numbers_of(topic), np.zeros(len(topic.pool), dtype=int)
    for d, g in topic.pool.items():
        truth[number[d]] = g[0]
    return at_numbers(truth, number, ranking)


def places_in_a_filtered_array(topic, ranking):
    """reads an entry of a filtered list, which is not supported"""
    hits = flags(topic, ranking, bool)
    return np.array([topic.pool[d][0] for d in ranking])[hits][np.where(hits)[0]].sum()


def places_in_a_longer_array(topic, ranking):
    """combines arrays of different lengths or in different orders"""
    return np.arange(1, len(ranking) + 2)[np.where(flags(topic, ranking, bool))[0]].sum() / 10


def table_with_an_entry_at_minus_one(topic, ranking):
    """reads an entry other than the current one of the loop: use index 0, -1 or that of the loop"""
    relevant = sum(g[0] > 0 for g in topic.pool.values())
    return by_rank(flags(topic, ranking, float)) / np.cumsum(1 / np.arange(1, 11))[min(relevant, 10) - 1]


def table_of_single_discounts(topic, ranking):
    """reads an entry other than the current one of the loop: use index 0, -1 or that of the loop"""
    relevant = sum(g[0] > 0 for g in topic.pool.values())
    if relevant == 0:
        return 0.0
    return by_rank(flags(topic, ranking, float)) / (1 / np.arange(1, 11))[min(relevant, 10) - 1]


def table_of_grades(topic, ranking):
    """slices by a number that is neither a constant nor the length of the ranking"""
    relevant = sum(g[0] > 0 for g in topic.pool.values())
    if relevant == 0:
        return 0.0
    return np.cumsum([topic.pool[d][0] for d in ranking])[min(relevant, 10) - 1]


def floats_as_numbers_of_documents(topic, ranking):
    """uses a float as an index: convert it with int"""
    number, truth = numbers_of(topic), truth_of(topic)
    run = np.array([[number[d], 0.5] for d in ranking])
    return sum(truth[run[i, 0]] / (i + 1) for i in range(len(run)))


def rows_that_a_condition_selects(topic, ranking):
    """creates an array from rows that a condition selects, that are not numbers, or whose dtype is not float64"""
    rows = np.array([(i, topic.pool[d][0]) for i, d in enumerate(ranking, start=1) if topic.pool[d][0] > 0])
    return np.sum(rows[:, 1] / rows[:, 0])


def rows_of_integers(topic, ranking):
    """creates an array from rows that a condition selects, that are not numbers, or whose dtype is not float64"""
    return np.array([(i, topic.pool[d][0]) for i, d in enumerate(ranking)], dtype=int)[:, 1].sum()


def rows_of_truth_values(topic, ranking):
    """creates an array from rows that a condition selects, that are not numbers, or whose dtype is not float64"""
    rows = np.array([(topic.pool[d][0] > 0, topic.pool[d][0] > 0) for d in ranking])
    return by_rank(rows[:, 0] + rows[:, 1])


def rows_in_a_list(topic, ranking):
    """reads an entry of an iterable, which is not supported"""
    rows = [(i, topic.pool[d][0]) for i, d in enumerate(ranking)]
    return sum(rows[:, 1])


def one_row(topic, ranking):
    """reads an entry of an array of rows other than that of the loop: use [:, column] or [row, column]"""
    return np.array([(i, topic.pool[d][0]) for i, d in enumerate(ranking)])[0].sum()


def columns_that_are_changed(topic, ranking):
    """changes grades, which may refer to another object: change a copy instead"""
    rows = np.array([(i, topic.pool[d][0]) for i, d in enumerate(ranking, start=1)])
    grades = rows[:, 1]
    grades *= 2
    return np.sum(rows[:, 1] / rows[:, 0])


def differences_of_order_0(topic, ranking):
    """calls np.diff with n, which is not supported: give the axis by name"""
    sums = np.r_[0.0, np.cumsum([topic.pool[d][0] for d in ranking])]
    return float(np.diff(sums, 0)[: len(ranking)].sum())


def unsigned_numbers(topic, ranking):
    """uses dtype uint8, which is not supported: use float64"""
    hits = np.array([topic.pool[d][0] > 0 for d in ranking], dtype=np.uint8)
    return float((np.cumsum(hits) - np.cumsum(1 - hits)).sum())


def total_of_running_totals(topic, ranking):
    """sums float32 or int32 numbers other than 0 and 1, which may lose digits: use float64"""
    hits = np.array([topic.pool[d][0] > 0 for d in ranking], dtype=np.int32)
    return float(np.cumsum(hits, dtype=np.int32).sum(dtype=np.int32))


def floats_in_an_array_of_32_bits(topic, ranking):
    """computes with float32 or small integers, which may lose digits: use float64 or int64"""
    sums, total = np.zeros(len(ranking), dtype=np.int32), 0
    for i, d in enumerate(ranking):
        sums[i] = total
        total += topic.pool[d][0]
    return float(sum(s / i for i, s in enumerate(sums, start=1)))


def floats_times_32_bits(topic, ranking):
    """computes with float32 or small integers, which may lose digits: use float64 or int64"""
    total, seen = 0.0, 0
    for d in ranking:
        total += (np.ones(1, dtype=np.float32) * seen)[0]
        seen += topic.pool[d][0]
    return total


def range_up_to_a_float(topic, ranking):
    """as an int that starts as one and gets floats in a loop: start at 0.0"""
    total, seen = 0.0, 0
    for d in ranking:
        total += len(range(seen)) * topic.pool[d][0]
        seen += topic.pool[d][0]
    return total


def rows_of_an_array_that_are_added(topic, ranking):
    """loops over the rows of an array: loop over a list of tuples"""
    rows = np.array([(i, topic.pool[d][0]) for i, d in enumerate(ranking, 1)])
    return sum((row + row)[1] for row in rows)


def large_start_in_32_bits(topic, ranking):
    """computes with float32 or small integers, which may lose digits: use float64 or int64"""
    counts, seen = np.zeros(len(ranking), dtype=np.float32), 16_777_217
    for i, d in enumerate(ranking):
        counts[i] = seen
        if topic.pool[d][0] > 0:
            seen += 1
    return float((counts * 0.5 ** np.arange(len(ranking))).sum())


def large_steps_in_32_bits(topic, ranking):
    """computes with float32 or small integers, which may lose digits: use float64 or int64"""
    counts, seen = np.zeros(len(ranking), dtype=np.int32), 0
    for i, d in enumerate(ranking):
        if topic.pool[d][0] > 0:
            seen += 1_000_000
        counts[i] = seen
    return float((counts * 0.5 ** np.arange(len(ranking))).sum())


def exponent_that_is_a_boolean(topic, ranking):
    """calls np.exp2 on booleans or small integers, which loses digits: convert them to float64"""
    hits = flags(topic, ranking, bool)
    return sum(topic.pool[d][0] * (np.exp2(hits[i]) / 2 - 1) for i, d in enumerate(ranking))


def constant_booleans_that_are_added(topic, ranking):
    """computes with two constant booleans, which numpy does not treat as numbers"""
    ranks = np.arange(1, len(ranking) + 1)
    return sum(topic.pool[d][0] * ((ranks[i] > 0) + (ranks[i] > 0)) for i, d in enumerate(ranking))


def minus_of_a_boolean(topic, ranking):
    """negates a boolean, which numpy refuses: use not, ~ or 1 - int(x)"""
    hits = flags(topic, ranking, bool)
    return sum(topic.pool[d][0] * (2 + -hits[i]) for i, d in enumerate(ranking))


def integer_to_a_rarely_negative_power(topic, ranking):
    """raises integers to a power that depends on grades: use a float such as 2.0 in place of 2"""
    seen, total = 0, 0.0
    for i, d in enumerate(ranking, 1):
        total += topic.pool[d][0] * np.power(2, -seen) / i
        seen += topic.pool[d][0] > 0
    return total


def all_of_a_second_name(grades, weights):
    """changes y in place, which also changes x"""
    x = grades[:, :, 0] * 1.0
    y = x
    y[:, :] = 0.5
    return x.sum(axis=1)


def all_of_integers(grades, weights):
    """writes floats into an integer array"""
    ranks = np.zeros(grades.shape[:2], dtype=int)
    ranks[:, :] = grades[:, :, 0]
    return ranks.sum(axis=1) + grades[:, :, 0].sum(axis=1)


def all_in_each_iteration(grades, weights):
    """changes several entries of an array in each iteration of a loop"""
    x, total = grades[:, :, 0], 0.0
    discount = np.zeros_like(x)
    for i in range(x.shape[1]):
        discount[:, :] = 1 / (i + 1)
        total = total + x[:, i] * discount[:, i]
    return total


def appended_at_the_end(topic, ranking):
    """joins arrays of different shapes"""
    x = np.array([topic.pool[d][0] for d in ranking])
    return float((np.append(np.cumprod(1 - 0.5 * x)[:-1], 1.0) * x).sum())
