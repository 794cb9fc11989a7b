"""Types of the numbers in arrays: types of up to 32 bits are refused."""

FOLLOWED = """
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
# grades_of_32_bits: uses dtype float32, which is not supported because it may lose digits: use float64
return by_rank(np.array([topic.pool[d][0] for d in ranking], dtype=np.float32))
# first_entry_of_an_integer_array: writes floats into an integer array, which truncates them: use a float array
first = np.zeros(len(ranking), dtype=int)
first[0] = 0.5
return by_rank((1 + first) * flags(topic, ranking, float))
# count_in_tiny_integers: uses dtype int8, which is not supported because it may lose digits: use float64
found = np.zeros(len(ranking), dtype=np.int8)
for i, d in enumerate(ranking):
    if topic.pool[d][0] > 0:
        found[i] = i + 1
return by_rank(found)
# tiny_integers_below_0: uses dtype uint8, which is not supported because it may lose digits: use float64
return by_rank(flags(topic, ranking, np.uint8) - 1)
# squares_of_32_bits: uses dtype int32, which is not supported because it may lose digits: use float64
ranks = np.arange(1, len(ranking) + 1, dtype=np.int32)
return np.sum(flags(topic, ranking, float) / (ranks * ranks))
# floats_that_round_below_1: converts floats to int, which is not supported
return by_rank((flags(topic, ranking, float) * (1 / 49) * 49).astype(int))
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
# unsigned_numbers: uses dtype uint8, which is not supported because it may lose digits: use float64
hits = np.array([topic.pool[d][0] > 0 for d in ranking], dtype=np.uint8)
return float((np.cumsum(hits) - np.cumsum(1 - hits)).sum())
# range_up_to_a_float: uses a variable as an integer that a loop turns into a float: start at 0.0
total, seen = 0.0, 0
for d in ranking:
    total += len(range(seen)) * topic.pool[d][0]
    seen += topic.pool[d][0]
return total
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
