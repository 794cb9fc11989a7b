"""Arrays of 32 bits and of small integers."""

FOLLOWED = """
# flags_of_32_bits: rank i earns 1 / log2(i + 1) times hit; one aspect
hits = (grades[:, :, 0] > 0).astype(np.float32)
return (hits / np.log2(np.arange(2, hits.shape[1] + 2))).sum(axis=1)
# count_of_32_bits: rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect; divided by the
relevant = [d for d, g in topic.pool.items() if g[0] > 0]
hits = np.isin(ranking, relevant, assume_unique=True)
if not relevant:
    return 0.0
precision = hits * np.cumsum(hits, dtype=np.float32) / (1 + np.arange(hits.shape[0]))
return np.sum(precision) / len(relevant)
# array_of_tiny_integers: rank i earns 1 / log2(i + 1) times hit; one aspect
hits = np.zeros(len(ranking), dtype=np.int8)
for i, d in enumerate(ranking):
    if topic.pool[d][0] > 0:
        hits[i] = 1
return np.sum(hits / np.log2(np.arange(len(hits)) + 2))
# quotient_of_small_integers: rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect
hits = flags(topic, ranking, "int32")
so_far = np.cumsum(hits, dtype=np.int32)
return sum(so_far[i] / (i + 1) * hits[i] for i in range(len(hits)))
# converted_before_it_is_divided: rank i earns 1 times 1/5 * hit; only ranks up to 5 count; one aspect
return np.sum(flags(topic, ranking, np.float32)[:5]).item() / 5.0
# differences_with_a_start: rank i earns 1 / i times hit; one aspect
found = np.cumsum(flags(topic, ranking, int))
return np.sum(np.diff(found, prepend=0) / np.arange(1, len(found) + 1))
# array_filled_by_first_hits: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0
hits = (grades[:, :, 0] > 0).astype(int)
first = hits.argmax(axis=1)
scores = np.zeros_like(first, dtype=float)
for row, (count, place) in enumerate(zip(hits.sum(axis=1), first)):
    scores[row] = 0 if count == 0 else 1 / (place + 1)
return scores
"""

REFUSED = """
# grades_of_32_bits: computes with float32 or small integers, which may lose digits: use float64 or int64
return by_rank(np.array([topic.pool[d][0] for d in ranking], dtype=np.float32))
# fraction_of_32_bits: computes with float32 or small integers, which may lose digits
return np.sum(0.1 * flags(topic, ranking, np.float32))
# quotient_by_32_bits: divides float32 or small integers, which loses digits: convert them to float64
hits = flags(topic, ranking, np.float32)
return np.sum(hits * np.cumsum(hits) / (np.cumsum(hits) + np.cumsum(1 - hits)))
# sum_of_32_bits_by_a_count: divides float32 or small integers, which loses digits
return float(np.sum(flags(topic, ranking, np.float32)[:7]) / 7)
# mean_of_32_bits: takes the mean of float32 numbers, which loses digits: convert them to float64
return float(np.mean(flags(topic, ranking, np.float32)[:7]))
# number_that_becomes_one_of_32_bits: computes with float32 or small integers, which may lose digits: use float64 or
#   int64
found, total = 0, 0.0
for i, hit in enumerate(flags(topic, ranking, np.float32), start=1):
    total += found / i * (hit > 0)
    found += hit
return float(total)
# logarithm_of_32_bits: takes the logarithm of booleans, float32 or small integers: convert them to float64
ranks = np.arange(1, len(ranking) + 1, dtype=np.float32)
return np.sum(flags(topic, ranking, float) / np.log2(ranks + 1))
# power_of_32_bits: raises float32 or small integers to powers, which loses digits: convert them to float64
return np.sum(flags(topic, ranking, float) * 0.8 ** np.arange(len(ranking), dtype=np.float32))
# choice_of_a_fraction_of_32_bits: computes with float32 or small integers, which may lose digits
hits = flags(topic, ranking, np.float32)
return by_rank(np.where(hits > 0, 0.3, hits))
# grade_in_an_array_of_32_bits: computes with float32 or small integers, which may lose digits
gains = np.zeros_like(flags(topic, ranking, np.float32))
for i, d in enumerate(ranking):
    gains[i] = topic.pool[d][0]
return by_rank(gains)
# first_entry_of_an_integer_array: writes floats into an integer array, which truncates them: use a float array
first = np.zeros(len(ranking), dtype=int)
first[0] = 0.5
return by_rank((1 + first) * flags(topic, ranking, float))
# sum_of_tiny_integers: calls sum on float32 or small integers, which loses digits: convert them to float64
return sum(flags(topic, ranking, np.int8)) / 5
# count_of_tiny_integers: adds numbers with a dtype of 16 bits or fewer, which overflows: use float64 or int64
hits = flags(topic, ranking, np.int8)
return by_rank(hits * np.cumsum(hits, dtype=np.int8))
# count_in_tiny_integers: computes with float32 or small integers, which may lose digits
found = np.zeros(len(ranking), dtype=np.int8)
for i, d in enumerate(ranking):
    if topic.pool[d][0] > 0:
        found[i] = i + 1
return by_rank(found)
# tiny_integers_below_0: uses dtype uint8, which is not supported: use float64
return by_rank(flags(topic, ranking, np.uint8) - 1)
# tiny_integers_of_two: computes with float32 or small integers, which may lose digits
hits = flags(topic, ranking, np.int8)
return by_rank(hits + hits)
# product_of_tiny_integers: multiplies arrays of booleans or small integers with @ or dot: convert them to float
hits = flags(topic, ranking, np.int8)
return float(hits @ hits) / 10
# tiny_integers_added_one_by_one: calls accumulate on booleans or small integers, whose sum keeps their narrow type
hits = flags(topic, ranking, np.int8)
return sum(x * c / i for i, (x, c) in enumerate(zip(hits, itertools.accumulate(hits)), 1))
# tiny_integers_reduced: calls reduce on booleans or small integers, whose sum keeps their narrow type
return functools.reduce(operator.add, flags(topic, ranking, np.int8), 0) / 5
# squares_of_32_bits: computes with float32 or small integers, which may lose digits
ranks = np.arange(1, len(ranking) + 1, dtype=np.int32)
return np.sum(flags(topic, ranking, float) / (ranks * ranks))
# floats_that_round_below_1: converts floats to int, which is not supported
return by_rank((flags(topic, ranking, float) * (1 / 49) * 49).astype(int))
# largest_of_a_count_of_32_bits_and_a_fraction: computes with float32 or small integers, which may lose digits
count = (pool[:, :, 0] > 0).astype(np.float32).sum(axis=1)
return (grades[:, :, 0] > 0).sum(axis=1) / np.maximum(count, 1e-9)
# differences_of_flags: adds or subtracts booleans, which numpy does not treat as numbers: convert them to float
return by_rank(np.diff(flags(topic, ranking, bool), prepend=False))
# integers_filled_by_first_hits: writes floats into an integer array, which truncates them: use a float array
hits = (grades[:, :, 0] > 0).astype(int)
scores = np.zeros_like(hits.argmax(axis=1))
for row, place in enumerate(hits.argmax(axis=1)):
    scores[row] = hits[row, place] / (place + 1)
return scores
# places_in_a_filtered_array: reads an entry of a filtered list, which is not supported
hits = flags(topic, ranking, bool)
return np.array([topic.pool[d][0] for d in ranking])[hits][np.where(hits)[0]].sum()
# places_in_a_longer_array: combines arrays of different lengths or in different orders
return np.arange(1, len(ranking) + 2)[np.where(flags(topic, ranking, bool))[0]].sum() / 10
# rows_that_a_condition_selects: creates an array from rows that are filtered, are not numbers or have a dtype
#   other than float64
rows = np.array([(i, topic.pool[d][0]) for i, d in enumerate(ranking, start=1) if topic.pool[d][0] > 0])
return np.sum(rows[:, 1] / rows[:, 0])
# rows_of_integers: creates an array from rows that are filtered, are not numbers or have a dtype
#   other than float64
return np.array([(i, topic.pool[d][0]) for i, d in enumerate(ranking)], dtype=int)[:, 1].sum()
# rows_of_truth_values: creates an array from rows that are filtered, are not numbers or have a dtype
#   other than float64
rows = np.array([(topic.pool[d][0] > 0, topic.pool[d][0] > 0) for d in ranking])
return by_rank(rows[:, 0] + rows[:, 1])
# unsigned_numbers: uses dtype uint8, which is not supported: use float64
hits = np.array([topic.pool[d][0] > 0 for d in ranking], dtype=np.uint8)
return float((np.cumsum(hits) - np.cumsum(1 - hits)).sum())
# total_of_running_totals: sums float32 or int32 numbers other than 0 and 1, which may lose digits: use float64
hits = np.array([topic.pool[d][0] > 0 for d in ranking], dtype=np.int32)
return float(np.cumsum(hits, dtype=np.int32).sum(dtype=np.int32))
# floats_in_an_array_of_32_bits: computes with float32 or small integers, which may lose digits: use float64 or int64
sums, total = np.zeros(len(ranking), dtype=np.int32), 0
for i, d in enumerate(ranking):
    sums[i] = total
    total += topic.pool[d][0]
return float(sum(s / i for i, s in enumerate(sums, start=1)))
# floats_times_32_bits: computes with float32 or small integers, which may lose digits: use float64 or int64
total, seen = 0.0, 0
for d in ranking:
    total += (np.ones(1, dtype=np.float32) * seen)[0]
    seen += topic.pool[d][0]
return total
# range_up_to_a_float: uses a variable as an integer that a loop turns into a float: start at 0.0
total, seen = 0.0, 0
for d in ranking:
    total += len(range(seen)) * topic.pool[d][0]
    seen += topic.pool[d][0]
return total
# large_start_in_32_bits: computes with float32 or small integers, which may lose digits: use float64 or int64
counts, seen = np.zeros(len(ranking), dtype=np.float32), 16_777_217
for i, d in enumerate(ranking):
    counts[i] = seen
    if topic.pool[d][0] > 0:
        seen += 1
return float((counts * 0.5 ** np.arange(len(ranking))).sum())
# large_steps_in_32_bits: computes with float32 or small integers, which may lose digits: use float64 or int64
counts, seen = np.zeros(len(ranking), dtype=np.int32), 0
for i, d in enumerate(ranking):
    if topic.pool[d][0] > 0:
        seen += 1_000_000
    counts[i] = seen
return float((counts * 0.5 ** np.arange(len(ranking))).sum())
# constant_booleans_that_are_added: adds or subtracts booleans, which numpy does not treat as numbers
ranks = np.arange(1, len(ranking) + 1)
return sum(topic.pool[d][0] * ((ranks[i] > 0) + (ranks[i] > 0)) for i, d in enumerate(ranking))
# minus_of_a_boolean: negates a boolean, which numpy refuses: use not, ~ or 1 - int(x)
hits = flags(topic, ranking, bool)
return sum(topic.pool[d][0] * (2 + -hits[i]) for i, d in enumerate(ranking))
# integer_to_a_rarely_negative_power: raises integers to powers, which overflows if they are numpy integers
seen, total = 0, 0.0
for i, d in enumerate(ranking, 1):
    total += topic.pool[d][0] * np.power(2, -seen) / i
    seen += topic.pool[d][0] > 0
return total
# all_of_integers: writes floats into an integer array
ranks = np.zeros(grades.shape[:2], dtype=int)
ranks[:, :] = grades[:, :, 0]
return ranks.sum(axis=1) + grades[:, :, 0].sum(axis=1)
"""
