"""Integers, booleans, types, and constants that floats round."""

GIVEN = """
ABSORBED = 1e16 + 1.0 - 1e16
"""

FOLLOWED = """
# flags_of_the_first_aspect: rank i earns 1 / i times hit; one aspect
first = np.squeeze(grades[:, :, :1], axis=2).astype(bool)
return (first / np.arange(1, first.shape[1] + 1)).sum(axis=1)
"""

REFUSED = """
# integers_that_add_up: accumulates numpy integers, which may overflow or truncate floats: convert them to float
x, ranks = grades[..., 0], np.arange(1, grades.shape[1] + 1)
return np.where(np.cumsum(ranks * ranks * 10**6) > 0, x / ranks, 0 * x).sum(axis=1)
# constant_of_floats: constants that floats round
sign = -1 if 0.1 + 0.2 - 0.3 > 0 else 1
return sign * sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1))
# rounded_constant: rounds a constant that floats may round differently
return sum(topic.pool[d][0] * (0.5 + 0.3 % 0.1) ** i for i, d in enumerate(ranking))
# is_true: compares objects with 'is'; only 'is None' is supported
return sum(1 / i for i, d in enumerate(ranking, start=1) if (topic.pool[d][0] > 0) is True)
# truth_values: adds or subtracts booleans, which numpy does not treat as numbers: convert them to float
total = 0
for i in range(grades.shape[1]):
    hit = np.greater(grades[:, i, 0], 0)
    total = total + (hit + hit) / (i + 1)
return total
# integers_of_floats: converts floats to int, which is not supported
return np.cumsum(grades[..., 0], axis=1, dtype=int)[:, -1]
# half_of_integers: converts floats to int, which is not supported
halves = np.full_like(np.arange(len(ranking)), 0.5)
return sum(topic.pool[d][0] * halves[i] for i, d in enumerate(ranking))
# rounded_constant_among_others: compares constants that floats cannot represent exactly
return (1 if 8 in ((0.1 + 0.7) * 10, 5) else 2) * sum(topic.pool[d][0] for d in ranking)
# order_of_rounded_constants: compares constants that floats cannot represent exactly
return max((0.1 + 0.2, 1), (0.3, 2))[1] * sum(topic.pool[d][0] for d in ranking)
# global_constant_that_absorbs: it uses ABSORBED, whose value has changed since its file was loaded
return ABSORBED * sum(topic.pool[d][0] for d in ranking)
# large_integer_of_numpy: computes with numbers so large or small that floats lose precision
return (1 if np.array([10**9])[0] * 10**9 * 10 > 0 else 2) * sum(topic.pool[d][0] for d in ranking)
# integer_that_becomes_a_float: uses a variable as an integer that a loop turns into a float: start at 0.0
total, found = 0.0, 0
for i, d in enumerate(ranking, 1):
    g = topic.pool[d][0]
    if found >= 1:
        total += g / i
    found += 10**9 * g
return total
# integers_of_eight_bits: raises booleans to powers, which numpy computes in 8 bits: convert them to float
hits = (pool[..., 0] > 0) ** 2
n = np.einsum("bp,bp->b", hits, hits)
found = (grades[..., 0] / np.arange(1, grades.shape[1] + 1)).sum(axis=1)
return np.where(n != 0, found, 0)
# type_of_a_copy: tests the type of a list or set of documents
return _hits(topic, ranking) if isinstance(tuple(ranking), tuple) else 0.0
# type_of_a_number_of_numpy: tests the type of a number, which is not supported
first = np.ones(1, dtype=int)[0]
return _hits(topic, ranking) if isinstance(first, (int, list)) else 0.0
# pool_that_is_not_a_dict: tests the type of a dictionary of documents, which is not supported
return (1 if isinstance(topic.pool, dict) else 2) * _hits(topic, ranking)
# list_or_tuple: tests the type of an array, which is not supported
return (1 if isinstance(topic.pool[ranking[0]], tuple) else 2) * _hits(topic, ranking)
# places_without_room_for_floats: writes floats into an integer array
hits = (grades[:, :10, 0] > 0).astype(float)
places = np.argmax(hits, axis=1)
places[hits.max(axis=1) == 0.0] = 0.5
return 1 / (places + 1)
# dtype_of_counts: converts floats to int
counts = np.maximum((grades[:, :, 0] > 0).astype(int).sum(axis=1), 2)
return (grades[:, :, 0] * (1 / np.arange(1, grades.shape[1] + 1)).astype(counts.dtype)).sum(axis=1)
# dtype_that_depends_on_the_length: chooses between arrays of different dtypes
gains = np.array([topic.pool[d][0] for d in ranking])
kept = np.zeros(len(ranking), int) if len(ranking) > 900 else np.zeros(len(ranking))
return (gains.astype(kept.dtype)).sum()
# array_of_floats_that_may_all_be_whole: reads the attribute dtype of an array
kept = np.zeros_like(np.array([topic.pool[d][0] / 2 if topic.pool[d][0] > 0 else 1 for d in ranking]))
for i, d in enumerate(ranking):
    kept[i] = topic.pool[d][0]
return kept.sum()
# dtype_of_what_aspects_add_to: reads the attribute dtype of an array
counts = np.zeros(grades.shape[0], dtype=int)
for a in range(grades.shape[2]):
    counts += (grades[:, :, a] > 0).any(axis=1)
total = np.zeros_like(counts)
total[:] = grades[:, :, 0].sum(axis=1)
return total
# view_of_a_dictionary_that_is_no_list: tests the type of an array, which is not supported
grades = {d: topic.pool[d][0] for d in ranking}.values()
return 0.0 if isinstance(grades, list) else sum(grades)
# dtype_of_falling_powers: reads the attribute dtype of an array
powers = np.array([2**-i for i in range(len(ranking))])
share = np.full(1, 0.5, dtype=powers.dtype)
return sum(topic.pool[d][0] for d in ranking) * share[0]
# sum_from_a_boolean: calls sum with a boolean as the start, which numpy does not treat as a number: start from 0
return np.array([sum((g > 0 for g in row), False) for row in grades[:, :, 0]])
# boolean_or_number: chooses between a boolean and a number: write 1 and 0 for True and False
scores = []
for row in grades[:, :, 0]:
    total = 0.0
    for g in row:
        hit = g > 0 or 0
        total += hit + hit
    scores.append(total)
return np.array(scores)
# number_then_boolean: sets before to a number and then to a boolean: write 1 and 0 for True and False
scores = []
for row in grades[:, :, 0]:
    total, before = 0.0, 0
    for g in row:
        hit = g > 0
        total += before + hit
        before = hit
    scores.append(total)
return np.array(scores)
# floats_in_an_integer_array: uses a variable as an integer that a loop turns into a float: start at 0.0
sums, total = np.zeros(len(ranking), dtype=int), 0
for i, d in enumerate(ranking):
    sums[i] = total
    total += topic.pool[d][0]
return float(sum(s / i for i, s in enumerate(sums, start=1)))
# float_by_way_of_an_integer: uses a variable as an integer that a loop turns into a float: start at 0.0
total, left, wait = 0.0, 1, 0
for d in ranking:
    total += topic.pool[d][0] if wait >= 1 else 0
    wait += left
    left *= 1 - topic.pool[d][0] / 2
return total
# dtype_of_its_numbers: changes an array in place and creates one whose dtype depends on its entries: pass dtype
gains = np.array([1 if topic.pool[d][0] > 0 else 0.5 for d in ranking])
for i, d in enumerate(ranking):
    gains[i] = gains[i] * topic.pool[d][0]
return float(gains.sum())
# false_is_0: calls add on a set, which is not supported
seen, total = set(), 0.0
for i, d in enumerate(ranking, start=1):
    if topic.pool[d][0] > 0:
        seen.add(False)
    total += (0 in seen) / i
return total
# entry_at_a_float: uses a float as an index: convert it with int
gains = [topic.pool[d][0] for d in ranking]
return sum(gains[i * 1.0] / (i + 1) for i in range(len(gains)))
# list_of_a_float_length: repeats a list a number of times that is a float: convert it with int
weights = [0.5] * (len(ranking) * 1.0)
return sum(w * topic.pool[d][0] for w, d in zip(weights, ranking))
# array_of_a_float_length: creates an array whose length is a float: convert it with int
weights = np.ones(len(ranking) * 1.0)
return sum(w * topic.pool[d][0] for w, d in zip(weights, ranking))
"""
