"""Axes, slices, masks, shifts and places of arrays."""

FOLLOWED = """
# roll: rank i earns 1 / i times r * s0; s0 is 1, then s0 - r * s0
x = grades[..., 0]
above = np.ones_like(x)
above[:, 1:] = np.cumprod(1 - x, axis=1)[:, :-1]
return (x * above / np.arange(1, x.shape[1] + 1)).sum(axis=1)
# dot: rank i earns (1/2) ** (i - 1) times r
x = grades[..., 0]
disc = (0.5 ** np.arange(x.shape[1], dtype=float)).reshape(-1, 1)
return (x.T * disc).sum(axis=0)
# max_rr: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0
x = grades[..., 0] > 0
return (x / np.arange(1, x.shape[1] + 1)).max(axis=1)
# positions: rank i earns 1 / log2(i + 1) times hit
rel = np.array([topic.pool[d][0] for d in ranking])
ranks = np.where(rel > 0)[0]
return np.sum(1 / np.log2(ranks + 2))
# first_of_positions: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0
hits = np.flatnonzero(np.array([topic.pool[d][0] for d in ranking]) > 0)
return float(1 / (hits[0] + 1)) if hits.size > 0 else 0.0
# new_array_without_values: rank i earns (4/5) ** (i - 1) times 1/5 * r; one aspect
out = np.empty(grades.shape[0])
for b in range(grades.shape[0]):
    out[b] = 0.2 * sum(g * 0.8**i for i, g in enumerate(grades[b, :, 0]))
return out
# weights_by_a_mask: rank i earns (4/5) ** (i - 1) times 1/5 * hit
by_rank = 0.2 * 0.8 ** np.arange(grades.shape[1])
return np.array([np.sum(by_rank[row > 0]) for row in grades[..., 0]])
# product_over_ranks: rank i earns 1 times r * s0; s0 is 1, then s0 - r * s0; only ranks up to 10 count; aspects by
#   weight
return np.dot(topic.weights, 1 - np.prod(1 - np.array([topic.pool[d] for d in ranking[:10]]), axis=0))
# entry_at_the_first_hit: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0; only ranks up to 10 count; one
#   aspect
hits = grades[:, :10, 0] > 0
scores = np.zeros(len(hits))
for row, first in enumerate(hits.argmax(axis=1)):
    if hits[row, first]:
        scores[row] = 1 / (first + 1)
return scores
# masked_by_the_first_hit(cutoff=20): rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0; only ranks up to
#   20 count; one aspect
hits = grades[:, :, 0] > 0
ranks = hits.argmax(axis=1) + 1
known = hits.any(axis=1) & (ranks <= cutoff)
scores = np.zeros(len(ranks))
scores[known] = 1.0 / ranks[known]
return scores
# column_by_column: rank i earns 1 / i times hit + hit * s0
hits = grades[:, :, 0] > 0
shares = np.zeros(hits.shape)
for place in range(hits.shape[1]):
    shares[:, place] = hits[:, : place + 1].sum(axis=1) / (place + 1)
return (shares * hits).sum(axis=1)
# first_hit_of_each_row(k=100): rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0; only ranks up to 100
#   count
hits = (grades[:, :k, 0] > 0).astype(float)
best = hits.max(axis=1)
places = np.argmax(hits, axis=1).astype(best.dtype)[None].T
scores = 1.0 / (places + 1.0)
scores[best == 0.0] = 0.0
return scores[:, 0]
# array_of_one_row: rank i earns 1 / log2(i + 1) times r; one aspect
rows = np.asarray([[topic.pool[d][0] for d in ranking]])
return (rows / np.log2(np.arange(2, rows.shape[1] + 2))).sum(axis=1)[0]
# argmax_where_some_are_found: rank i earns 1 / i times hit * s0; s0 is 1, then s0 - hit * s0
rel = (grades[:, :, 0] > 0).astype(int)
return np.where(rel.sum(axis=1) > 0, 1 / (np.argmax(rel, axis=1) + 1), 0.0)
# differences_of_recall: rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect; divided by the
hits = flags(topic, ranking, float)
relevant = sum(g[0] > 0 for g in topic.pool.values())
if relevant == 0:
    return 0.0
found, missed = np.cumsum(hits), np.cumsum(1 - hits)
recall = np.append(0.0, found / relevant)
return np.sum((recall[1:] - recall[:-1]) * found / np.maximum(found + missed, 1e-12))
# entries_at_places_of_hits: rank i earns 1 / i times hit + hit * s0; s0 is 0, then hit + s0; one aspect; divided by the
hits = flags(topic, ranking, float)
relevant = sum(g[0] > 0 for g in topic.pool.values())
if relevant == 0:
    return 0.0
precision, again = np.cumsum(hits) / np.arange(1, len(hits) + 1), np.zeros(len(hits))
places = np.where(hits == 1)[0]
again[places] = precision[places]
return again.sum() / relevant
# hstack_with_a_number: rank i earns 1 / i times r * s0; s0 is 1, then s0 - r * s0
grades = np.array([topic.pool[d][0] for d in ranking])
left = np.hstack([1.0, np.cumprod(1 - grades)[:-1]])
return sum(grades.item(i) * left[i] / (i + 1) for i in range(len(grades)))
# all_entries_set(logarithm=np.log2): rank i earns 1 / log2(i + 1) times r
ranks = np.zeros_like(grades[:, :, 0])
ranks[:, :] = np.arange(1, grades.shape[1] + 1)
return (grades[:, :, 0] / logarithm(ranks + 1)).sum(axis=1)
"""

REFUSED = """
# carried_from_unset: reads an array that may have unset entries: use np.zeros
total = np.empty(len(grades))
for i in range(grades.shape[1]):
    total += grades[:, i, 0]
return total
# axes_that_change_places: changes the shape of an array; only axes of length 1 may be added or removed
rows = grades[..., 0].reshape(grades.shape[1], grades.shape[0])
return (rows / np.arange(1, grades.shape[1] + 1)[:, None]).sum(axis=0)
# squeezed_if_there_is_one: calls squeeze without an axis, or with an axis that the array does not have
return grades.squeeze().sum(axis=-1)
# all_pairs_of_topics: creates an array with two axes of ranks, of aspects or of topics, which is not supported
return (grades[..., 0] @ grades)[..., 0].sum(axis=0)
# product_of_stacks: multiplies each matrix in a stack by every other matrix
return np.dot(grades, weights[:, :, None])[..., 0].sum(axis=1)
# stretched_to_one: repeats an array along an axis with several entries
return np.broadcast_to(grades[:, :, 0], (grades.shape[0], 1)).sum(axis=1)
# entry_of_more_ranks_at_the_first_hit: reads an entry at the first rank that meets a condition on other entries
hits, scores = grades[:, :, 0] > 0, np.zeros(len(grades))
for row, first in enumerate(hits[:, :5].argmax(axis=1)):
    if hits[row, first]:
        scores[row] = 1 / (first + 1)
return scores
# last_entry_without_a_hit: reads an entry at the first rank that meets a condition on other entries
hits = [topic.pool[d][0] > 0 for d in ranking]
first = next((i for i, hit in enumerate(hits) if hit), -1)
return 1.0 if hits[first] else 0.5
# mask_of_the_pool: it combines arrays of different lengths or in different orders
order = np.zeros(pool.shape[:2])
order[pool[:, :, 0] > 0] = 1.0
return (order * -np.sort(-pool[:, :, 0], axis=1)).sum(axis=1)
# first_largest_grade: calls argmax on numbers
return 1.0 / (np.argmax(grades[:, :, 0], axis=1) + 1.0)
# row_before_numbers: concatenates arrays of different shapes
gains = [topic.pool[d][0] for d in ranking]
return np.concatenate([[gains], np.zeros(len(gains))]).sum()
# zip_with_an_array_of_one_number: loops over a list or tuple, which is not supported
return sum(w * topic.pool[d][0] for w, d in zip(np.array([0.5]), ranking, strict=False))
# mask_of_the_last_axis: changes an entry other than the loop's current one
gains = grades[:, :, 0] / np.arange(1, grades.shape[1] + 1)
gains[(grades[:, :, 0] > 0).any(axis=1)[None, :]] = 0.0
return gains.sum(axis=1)
# reduce_of_the_smallest: calls reduce on a function
return np.minimum.reduce(grades[:, :, 0], axis=1)
# shift_by_two: slices off the last ranks, which is not supported
x = grades[..., 0]
above = np.ones_like(x)
above[:, 2:] = np.cumprod(1 - x, axis=1)[:, :-2]
return (x * above / np.arange(1, x.shape[1] + 1)).sum(axis=1)
# all_but_the_first: slices ranks with a step, or skips ranks at the start
return by_rank(np.array([topic.pool[d][0] for d in ranking])[1:])
# ranks_after_the_first_of_one_more: slices ranks with a step, or skips ranks at the start
return np.sum(flags(topic, ranking, float) / np.arange(1, len(ranking) + 2)[1:])
# item_of_a_ranking: calls item() on an array with several entries
return np.array([topic.pool[d][0] for d in ranking]).item()
# table_with_an_entry_at_minus_one: reads an entry other than the loop's current one: use index 0, -1 or the
#   loop's index
relevant = sum(g[0] > 0 for g in topic.pool.values())
return by_rank(flags(topic, ranking, float)) / np.cumsum(1 / np.arange(1, 11))[min(relevant, 10) - 1]
# table_of_single_discounts: reads an entry other than the loop's current one: use index 0, -1 or the loop's index
relevant = sum(g[0] > 0 for g in topic.pool.values())
if relevant == 0:
    return 0.0
return by_rank(flags(topic, ranking, float)) / (1 / np.arange(1, 11))[min(relevant, 10) - 1]
# rows_in_a_list: reads an entry of an iterable, which is not supported
rows = [(i, topic.pool[d][0]) for i, d in enumerate(ranking)]
return sum(rows[:, 1])
# appended_at_the_end: concatenates arrays of different shapes
x = np.array([topic.pool[d][0] for d in ranking])
return float((np.append(np.cumprod(1 - 0.5 * x)[:-1], 1.0) * x).sum())
"""
